"""render, compare and trace, which run the command: what they return, where the command is found, what goes wrong."""
import os
import signal
import stat
import subprocess
import tempfile
import threading
import time

import numpy as np
import pytest

import scheelite
from conftest import ENDLESS, FRAGMENT, PHOTO, ROOT, SHADERS, SQUARES

SCENES = ROOT / 'examples' / 'scenes'
COPY = 'FRAG\nDCL IN[0], GENERIC, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n'
SWAPPED = COPY.replace('IN[0]\nEND', 'IN[0].yxzw\nEND')
LOOKUP = ('FRAG\nDCL IN[0], GENERIC, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n'
          'DCL CONST[0][0..1]\nDCL TEMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nMUL OUT[0], TEMP[0], CONST[0][1]\nEND\n')


@pytest.fixture(autouse=True)
def found(tmp_path, monkeypatch):
    """The command that the other tests take is that of these; one that is found otherwise will do, too."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'cache'))
    try:
        scheelite.command_path()
    except scheelite.UnsupportedError as error:
        pytest.skip(str(error))


# ---- where the command is --------------------------------------------------------------------------------------------


def program(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\n{lines}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_where_the_command_is(tmp_path, monkeypatch):
    first, second = program(tmp_path / 'a' / 'scheelite', 'exit 3'), program(tmp_path / 'b' / 'scheelite', 'exit 3')
    monkeypatch.setenv('PATH', str(first.parent))
    monkeypatch.setenv('SCHEELITE_COMMAND', str(second))
    assert scheelite.command_path() == str(second)
    monkeypatch.delenv('SCHEELITE_COMMAND')
    monkeypatch.setattr('scheelite._command._library_file', lambda: tmp_path / 'lib' / 'x' / 'libscheelite.so.1.0.0')
    from scheelite._command import _found
    _found.cache_clear()
    assert scheelite.command_path() == str(first)
    for place in ('bin', 'lib/bin', 'lib/x/cli'):
        beside = program(tmp_path / place / 'scheelite', 'exit 3')
        _found.cache_clear()
        assert scheelite.command_path() == str(beside)
    monkeypatch.setenv('PATH', str(tmp_path))
    monkeypatch.setattr('scheelite._command._library_file', lambda: None)
    _found.cache_clear()
    with pytest.raises(scheelite.UnsupportedError, match='neither beside the library nor in PATH: install it'):
        scheelite.compare(COPY, COPY)
    monkeypatch.setenv('SCHEELITE_COMMAND', 'there-is-none')
    with pytest.raises(scheelite.UnsupportedError, match="SCHEELITE_COMMAND is 'there-is-none'"):
        scheelite.trace(COPY, pixel=(0, 0))
    _found.cache_clear()


def test_the_library_that_is_loaded_has_a_file():
    from scheelite._command import _library_file
    assert _library_file().name.startswith('libscheelite.so.')


@pytest.mark.parametrize('lines, error, words', [
    ('kill -9 $$', scheelite.InternalError, 'ended by SIGKILL'), ('exit 70', scheelite.InternalError, 'exit code 70'),
    ('echo scheelite: no memory >&2; exit 5', scheelite.LimitError, '^no memory$'),
    ('echo "{"', scheelite.InternalError, 'exit code 0'), ('echo "[" >&2; exit 2', scheelite.ArgumentError, r'\['),
    ("""echo '{"schema": "scheelite-compare/2"}'""", scheelite.UnsupportedError, 'not of one version')])
def test_what_a_command_may_do(tmp_path, monkeypatch, lines, error, words):
    monkeypatch.setenv('SCHEELITE_COMMAND', str(program(tmp_path / 'command', lines)))
    with pytest.raises(error, match=words):
        scheelite.compare(COPY, COPY)


# ---- compare ---------------------------------------------------------------------------------------------------------


def test_shaders_that_are_equal():
    same = scheelite.compare(COPY, scheelite.Shader(COPY).raise_to_d3d(), values='normal', count=64)
    assert same.equal and same.inputs == 64 and same.witness is None and str(same) == 'equal on 64 inputs'
    with pytest.raises(TypeError, match='use .equal'):
        bool(same)


def test_a_witness():
    found = scheelite.compare(COPY, SWAPPED.encode())
    assert not found.equal and not found.reason and found.undecided == 0
    witness = found.witness
    assert (witness.kind, witness.name, witness.component) == ('output', 'COLOR[0]', 'x')
    # Made small: one component is 1, the others are 0, so the shaders give the two words of it.
    assert sorted(witness.words) == [0, 0x3f800000]
    line = dict(field.split('=') for field in witness.inputs[0].split())
    given = np.array([[int(word, 16) for word in line['IN[0]'].split(',')]], np.uint32)
    for text, side in ((COPY, witness.outputs[0].a), (SWAPPED, witness.outputs[0].b)):
        # invoke runs single invocations of fragment shaders, too
        assert scheelite.invoke(text, given).uint[0, 0].tolist() == side.words.tolist()
    assert [(same, left.text, right.text) for same, left, right in witness.steps] == \
        [(False, 'MOV OUT[0], IN[0]', 'MOV OUT[0], IN[0].yxzw')]
    assert 'different, on input' in repr(found) and '> B      0  line 4' in str(found)


def test_stages_differ():
    found = scheelite.compare(COPY, SQUARES)
    assert not found.equal and found.reason == 'stage' and str(found) == 'different in stage'


def test_tolerance_values_and_what_is_bound(tmp_path):
    other = LOOKUP.replace('CONST[0][1]\nEND', 'CONST[0][0]\nEND')
    constants = np.array([[1, 1, 1, 1], [1.25, 1, 1, 1]], np.float32)
    photo = scheelite.load(PHOTO)
    bound = dict(textures={0: photo}, samplers={0: {'filter': 'linear', 'border': (0, 1, 0, 1), 'min_lod': 0.5}})
    assert not scheelite.compare(LOOKUP, other, constants=constants, count=64, **bound).equal
    assert scheelite.compare(LOOKUP, other, constants=constants, tolerance=0.3, count=64, **bound).equal
    same = {'cb0': np.ones((2, 4), np.float32)}
    for texture in (photo.array(), PHOTO, str(PHOTO)):
        assert scheelite.compare(LOOKUP, other, constants=same, count=32, textures={'t0': texture},
                                 samplers=scheelite.Sampler(wrap='clamp', unnormalized=True)).equal
    found = scheelite.compare(LOOKUP, other, constants=constants, count=1, folder=tmp_path / 'w', **bound)
    assert (tmp_path / 'w' / 'texture0.ktx2').exists() and '--tex 0=texture0.ktx2' in found.witness.commands[0]


def test_vectors_count_seed_and_arguments():
    found = scheelite.compare(COPY, SWAPPED, vectors='IN[0]=0x3,0x5,0x0,0x0\n', count=0)
    assert found.inputs == 1  # the line that was given; the rest of its quad is not counted
    with pytest.raises(TypeError, match='read_text'):
        scheelite.compare(COPY, COPY, vectors=str(PHOTO))
    assert scheelite.compare(COPY, COPY, arguments=['--samples', '4'], count=8).equal
    with pytest.raises(scheelite.ArgumentError, match='--sampels'):
        scheelite.compare(COPY, COPY, arguments=['--sampels', '4'])


def test_runs_that_end_early():
    found = scheelite.compare(ENDLESS, ENDLESS, budget=8, count=4)
    assert not found.equal and found.undecided == found.inputs and not found.reason and 'end early' in str(found)


def test_errors_of_shaders_are_those_of_reading_them():
    with pytest.raises(scheelite.ShaderError, match=r'^b:2:1: error 1003: no opcode is called "MOVE"') as caught:
        scheelite.compare(COPY, 'FRAG\nMOVE OUT[0], IN[0]\nEND\n')
    with pytest.raises(scheelite.ShaderError) as native:
        scheelite.Shader('FRAG\nMOVE OUT[0], IN[0]\nEND\n', name='b')
    assert str(caught.value) == str(native.value)
    left, right = caught.value.diagnostics[0], native.value.diagnostics[0]
    assert (left.number, left.line, left.column, left.caret) == (right.number, right.line, right.column, right.caret)


def test_names_of_files_are_refused_as_texts(monkeypatch):
    monkeypatch.chdir(SHADERS)
    for call in (lambda: scheelite.compare('swirl.tgsi', COPY), lambda: scheelite.compare(COPY, 'swirl.tgsi'),
                 lambda: scheelite.trace('swirl.tgsi', pixel=(0, 0)), lambda: scheelite.render('swirl.tgsi')):
        with pytest.raises(ValueError, match=r"give pathlib.Path\('swirl.tgsi'\)"):
            call()
    with pytest.raises(FileNotFoundError):
        scheelite.compare(COPY, SHADERS / 'there-is-none.tgsi')
    with pytest.raises(FileNotFoundError):
        scheelite.compare(LOOKUP, LOOKUP, textures={0: 'there-is-none.png'})


def test_wrong_options():
    for options, error, words in (({'unordered': True}, TypeError, "compare has no 'unordered'"),
                                  ({'thread': 2}, TypeError, "is it 'threads'"),
                                  ({'textures': {0: 5}}, TypeError, 'not int'),
                                  ({'textures': {'x1': PHOTO}}, ValueError, 'a register is'),
                                  ({'samplers': {0: 5}}, TypeError, 'a Sampler or a dict'),
                                  ({'constants': np.zeros((5000, 4), np.float32)}, ValueError, 'at most 4096')):
        with pytest.raises(error, match=words):
            scheelite.compare(LOOKUP, LOOKUP, **options)


def test_cancel_ends_the_command():
    cancel = scheelite.Cancel()
    threading.Timer(0.2, cancel.set).start()
    begin = time.monotonic()
    with pytest.raises(scheelite.CancelledError):
        scheelite.compare(ENDLESS, ENDLESS, budget=1 << 40, cancel=cancel)
    assert time.monotonic() - begin < 10
    with pytest.raises(scheelite.CancelledError):
        scheelite.compare(COPY, COPY, cancel=cancel)


def test_a_signal_ends_the_command(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, 'Popen', lambda *given, **more: started.append(popen(*given, **more)) or started[-1])
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            scheelite.compare(ENDLESS, ENDLESS, budget=1 << 40)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [one.returncode for one in started] == [-signal.SIGKILL]


def test_too_much_is_a_limit(monkeypatch, tmp_path):
    """Of a command that goes on, and of one that has ended when it is looked at."""
    monkeypatch.setattr('scheelite._command._OUTPUT', 1000)
    begin = time.monotonic()
    for end in ('exec sleep 50', 'exit 0'):
        path = program(tmp_path / 'command', f'printf "%2000s" ""; {end}')
        monkeypatch.setenv('SCHEELITE_COMMAND', str(path))
        with pytest.raises(scheelite.LimitError, match='ask for a part of it'):
            scheelite.trace(COPY, pixel=(0, 0))
        monkeypatch.setattr('scheelite._command._POLL', 40)
    assert time.monotonic() - begin < 30


# ---- trace -----------------------------------------------------------------------------------------------------------


def test_a_pixel_of_a_picture():
    photo = scheelite.load(PHOTO)
    bound = dict(textures={0: photo}, samplers={0: {'filter': 'linear', 'wrap': ('repeat', 'clamp', 'clamp')}})
    found = scheelite.trace(SHADERS / 'swirl.tgsi', pixel=(30, 20), size=(64, 48), **bound)
    picture = scheelite.run(SHADERS / 'swirl.tgsi', (64, 48), **bound)
    last = found.steps[-1]
    assert last.text.startswith('TEX OUT[0]') and last.writes[0].register == 'OUT[0]'
    assert last.writes[0].words.tolist() == picture[20, 30].view(np.uint32).tolist()
    assert (found.stage, found.error) == ('fragment', '') and last.line == 21 and len(last.lookups[0]['texels']) == 4
    assert last.sources[0][0].lane == found.lane and 'TEX OUT[0]' in repr(found)


def test_exact_inputs_and_types():
    text = 'VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nUADD OUT[0].xy, IN[0], SV[0].xxxx\nEND\n'
    found = scheelite.trace(text, inputs=np.array([[1, 2**31, 5, 6]], np.uint32),
                            system_values=np.array([7, 0, 0, 0], np.int32))
    write, = found.steps[0].writes
    assert write.words.tolist() == [8, 2**31 + 7] and write.channels == 'xy' and write.numbers == [8, 2**31 + 7]
    with pytest.raises(ValueError, match='shape'):
        scheelite.trace(text, inputs=np.zeros((2, 3), np.float32))


def test_a_thread_a_part_and_all_lanes(tmp_path):
    (tmp_path / 'in').write_bytes(np.arange(256, dtype=np.float32).tobytes())
    found = scheelite.trace(SQUARES, grid=(2, 1, 1), work_group=(1, 0, 0), thread=(3, 0, 0), first=1, last=3,
                            arguments=['--buffer', f'0={tmp_path / "in"}', '--buffer', '1=zero:1024', '--lanes', 'all'])
    assert [step.time for step in found.steps] == [1, 2, 3] and found.stage == 'compute'
    assert found.steps[0].writes[0].lanes[3].words[0] == (64 + 3) * 4 and len(found.steps[0].writes[0].lanes) == 32


def test_a_run_that_fails_ends_where_it_does():
    found = scheelite.trace(ENDLESS, grid=(1, 1, 1), budget=3)
    assert found.steps and found.error and str(found).endswith(found.error)


def test_scenes_and_direct3d(tmp_path):
    found = scheelite.trace(SCENES / 'triangle.scene', pixel=(160, 119))
    assert found.steps[0].text == 'MOV OUT[0], IN[0]'
    picture = scheelite.render(SCENES / 'triangle.scene')
    assert np.allclose(np.asarray(found.steps[0].writes[0].numbers) * 255, picture[119, 160], atol=0.51)
    assert scheelite.trace(SCENES / 'triangle.scene', draw=1, stage='vertex', vertex=1).stage == 'vertex'
    (tmp_path / 'shaders').symlink_to(SCENES / 'shaders')
    (tmp_path / 'waves.scene').write_text((SCENES / 'waves.scene').read_text().replace('1280 720', '64 36'))
    waves = scheelite.trace(tmp_path / 'waves.scene', draw=2, stage='tess_eval', last=2)
    assert waves.stage == 'tess_eval' and len(waves.steps) == 3
    shader = scheelite.Shader(COPY).raise_to_d3d()
    assert scheelite.trace(shader, pixel=(0, 0)).steps[0].text.startswith('mov o0')
    assert scheelite.trace(shader, pixel=(0, 0), lowered=True).steps[0].text.startswith('MOV ')
    with pytest.raises(scheelite.ArgumentError, match='outside of the picture'):
        scheelite.trace(COPY, pixel=(256, 0))


def test_a_shader_that_was_read_otherwise_than_its_text_says():
    text = 'FRAG\nDCL CONST[0]\nDCL OUT[0], COLOR\n  0: MAX OUT[0], CONST[0], -CONST[0]\n  1: END\n'
    shader = scheelite.Shader(text, dialect='virgl')
    found = scheelite.trace(shader, pixel=(0, 0), constants=[[-2, 0, 0, 0]])
    assert found.steps[0].writes[0].numbers[0] == 2 and '|' in found.steps[0].text


# ---- render ----------------------------------------------------------------------------------------------------------


def test_pictures_of_scenes(assert_same_picture):
    known = dict(reversed(line.split()) for line in (SCENES / 'pictures.sha256').read_text().splitlines())
    assert_same_picture(scheelite.render(SCENES / 'triangle.scene', check=True, threads=1), known['triangle.scene'])
    text = (SCENES / 'cube.scene').read_text()
    found = scheelite.render(text, folder=SCENES, target=['shown', 'depth'])
    assert_same_picture(found['shown'], known['cube.scene'])
    assert found['depth'].dtype == np.float32 and found['depth'].shape[:2] == (300, 400) and found['depth'].max() == 1


def test_a_scene_with_a_wrong_expectation():
    text = (SCENES / 'triangle.scene').read_text().replace('2 2 = 0.1', '2 2 = 0.9')
    assert scheelite.render(text).shape == (240, 320, 4)
    with pytest.raises(scheelite.Error, match=r'failed: .*'):
        scheelite.render(text, check=True)


def test_shaders_are_drawn_by_run():
    expected = scheelite.run(SHADERS / 'julia.tgsi', (20, 10)).sha256()
    for source in (SHADERS / 'julia.tgsi', (SHADERS / 'julia.tgsi').read_text(),
                   scheelite.Shader(SHADERS / 'julia.tgsi'), scheelite.translate(SHADERS / 'julia.tgsi', 'd3d-asm')):
        made = scheelite.render(source, (20, 10))
        assert made.shape == (10, 20, 4) and (made.sha256() == expected or isinstance(source, str))
    assert scheelite.render(FRAGMENT, dtype='uint8').shape == (256, 256, 4)


def test_wrong_scenes_and_calls(tmp_path):
    scene = SCENES / 'triangle.scene'
    for arguments, options, error, words in (
            (('texture x { }\n',), {}, scheelite.ShaderError, r'render:1:\d+: error 1228'),
            ((scene, (5, 5)), {}, TypeError, 'own size'),
            ((scene,), {'textures': {}}, TypeError, "no 'textures'"),
            ((scene,), {'target': 'nosuch'}, scheelite.Error, 'nosuch'),
            ((scene,), {'target': 'a=b'}, ValueError, 'name of a texture'),
            ((scene,), {'target': [None]}, ValueError, 'name of a texture'),
            ((FRAGMENT,), {'check': True}, TypeError, 'of scenes'),
            ((tmp_path / 'none.scene',), {}, OSError, 'none.scene')):
        with pytest.raises(error, match=words):
            scheelite.render(*arguments, **options)


def test_warnings_are_pythons():
    with pytest.warns(scheelite.ScheeliteWarning) as caught:  # `match` would give back the others, as errors
        scheelite.trace(LOOKUP, pixel=(0, 0), constants=[0, 0, 0, 0] * 2)
    assert 'warning 6510' in str(caught[0].message)
    assert caught[0].filename == __file__ and caught[0].message.diagnostic.number == 6510


def test_nothing_is_left_behind(monkeypatch, tmp_path):
    (tmp_path / 'temporary').mkdir()
    monkeypatch.setattr(tempfile, 'tempdir', str(tmp_path / 'temporary'))
    scheelite.compare(COPY, SWAPPED, count=1)
    with pytest.raises(scheelite.ShaderError):
        scheelite.trace('FRAG\nMOVE\n', pixel=(0, 0))
    assert os.listdir(tmp_path / 'temporary') == []
