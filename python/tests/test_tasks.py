"""The three tasks that people come with, each in under 15 lines of Python, and each compared with the command."""
import numpy as np

import scheelite
from conftest import PHOTO, SHADERS, SQUARES


def test_run_a_fragment_shader_over_a_numpy_picture(command, tmp_path):
    photo = scheelite.load(PHOTO).array()
    picture = scheelite.run(SHADERS / 'swirl.tgsi', (301, 203), textures={0: photo}, samplers={0: {'filter': 'linear'}})
    picture.save(tmp_path / 'python.png')

    command('run', SHADERS / 'swirl.tgsi', '--tex', f'0={PHOTO},filter=linear', '--size', '301x203',
            '-o', tmp_path / 'command.png')
    assert (tmp_path / 'python.png').read_bytes() == (tmp_path / 'command.png').read_bytes()


def test_sample_a_texture_at_many_coordinates(command):
    at = np.random.default_rng(1).uniform(-2, 3, (500, 2)).astype(np.float32)
    colors = scheelite.sample(scheelite.load(PHOTO), at, {'filter': 'linear', 'wrap': 'mirror_repeat'})

    lines = ''.join(f'--at {x.view(np.uint32):#010x},{y.view(np.uint32):#010x}\n' for x, y in at)
    printed = command('sample', '--tex', PHOTO, '--min', 'linear', '--mag', 'linear', '--wrap', 'mirror_repeat',
                      '--batch', '-', input=lines.encode())
    expected = [[int(word, 16) for word in line.split(b',')] for line in printed.split()]
    assert colors.view(np.uint32).tolist() == expected


def test_dispatch_a_compute_shader_over_numpy_buffers(command, tmp_path):
    numbers = np.linspace(-5, 5, 1024, dtype=np.float32)
    squares = np.zeros_like(numbers)
    scheelite.dispatch(SQUARES, grid=16, buffers={0: numbers, 1: squares})
    assert (squares == numbers * numbers).all()

    (tmp_path / 'shader.tgsi').write_text(SQUARES)
    (tmp_path / 'numbers').write_bytes(numbers.tobytes())
    command('run', tmp_path / 'shader.tgsi', '--grid', '16,1,1', '--buffer', f'0={tmp_path / "numbers"}',
            '--buffer', '1=zero:4096', '--buffer-out', f'1={tmp_path / "squares"}')
    assert (tmp_path / 'squares').read_bytes() == squares.tobytes()
