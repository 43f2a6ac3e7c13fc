"""Machine code gives the same bits, is kept in a cache, and is counted. The environment's SCHEELITE_COMPILER names
libscheelite-jit.so, if it is not where it was installed; without a compiler these tests are skipped."""
import os
import subprocess
import sys

import numpy as np
import pytest

import scheelite
from conftest import FRAGMENT, PHOTO, SHADERS, SQUARES


@pytest.fixture
def context(tmp_path):
    made = scheelite.Context(engine='jit', compiler=os.environ.get('SCHEELITE_COMPILER'), cache=tmp_path / 'code')
    try:
        scheelite.run(SHADERS / 'julia.tgsi', (8, 8), context=made)
    except scheelite.UnsupportedError as error:
        pytest.skip(f'no compiler of machine code: {error}')
    return made


def test_the_same_bits(context):
    photo = scheelite.load(PHOTO, context=context)
    for name in ('swirl', 'gradient'):
        shader = scheelite.Shader(SHADERS / f'{name}.tgsi', context=context)
        bound = {'textures': {0: photo}, 'samplers': {0: {'filter': 'linear'}}} if name == 'swirl' else {}
        assert scheelite.run(shader, (77, 55), **bound).sha256() == \
            scheelite.run(shader, (77, 55), engine='interpreter', **bound).sha256()
    assert context.code_counts['native_groups'] > 0 and context.code_counts['programs'] >= 3


def test_buffers(context):
    numbers, squares = np.linspace(-1, 1, 640, dtype=np.float32), np.zeros(640, np.float32)
    scheelite.dispatch(SQUARES, 10, buffers={0: numbers, 1: squares}, context=context)
    assert (squares == numbers * numbers).all()


def test_the_cache(context, tmp_path):
    again = scheelite.Context(engine='jit', compiler=os.environ.get('SCHEELITE_COMPILER'), cache=tmp_path / 'code')
    scheelite.run(SHADERS / 'julia.tgsi', (8, 8), context=again)
    assert again.code_counts['from_cache'] > 0 and again.code_counts['programs'] == 0


@pytest.mark.parametrize('inside', [False, True])
def test_the_compiler_is_a_process_or_inside(context, inside):
    program = (f'import scheelite\ncontext = scheelite.Context(engine="jit", in_process={inside}, compiler='
               f'{os.environ.get("SCHEELITE_COMPILER")!r})\nscheelite.run({FRAGMENT!r}, (8, 8), context=context)\n'
               'print("libscheelite-jit" in open("/proc/self/maps").read())')
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == (f'{inside}\n', '')


def test_maxwell_texture_units_are_an_engine():
    photo = scheelite.load(PHOTO)
    picture = scheelite.run(SHADERS / 'blur.tgsi', (16, 16), textures={0: photo}, engine='maxwell')
    assert picture.shape == (16, 16, 4) and picture[..., :3].max() > 0
