"""run, dispatch and invoke: what pixels get, what comes out, what is refused. The command is the reference."""
import threading
import time

import numpy as np
import pytest

import scheelite
from conftest import ENDLESS, FRAGMENT, PHOTO, SHADERS, SQUARES

SEMANTICS = ['GENERIC[3]', 'TEXCOORD[1]', 'COLOR', 'BCOLOR', 'PCOORD', 'POSITION', 'FACE', 'FOG', 'NORMAL', 'SAMPLEMASK',
             'PRIM_ID', 'LAYER']
SYSTEM_VALUES = ['POSITION', 'FACE', 'SAMPLEMASK', 'SAMPLEPOS', 'HELPER_INVOCATION', 'SUBGROUP_SIZE', 'SUBGROUP_INVOCATION',
                 'SUBGROUP_EQ_MASK', 'SUBGROUP_GE_MASK', 'SUBGROUP_GT_MASK', 'SUBGROUP_LE_MASK', 'SUBGROUP_LT_MASK',
                 'SAMPLEID', 'PRIM_ID']


def same_as_command(command, tmp_path, text, size=(37, 23)):
    """The words that both write: PFM and the like do not hold all bits, a texture of floats does."""
    (tmp_path / 'shader.tgsi').write_text(text)
    picture = scheelite.run(text, size)
    command('run', tmp_path / 'shader.tgsi', '--size', f'{size[0]}x{size[1]}', '--target',
            f'0={tmp_path / "out.ktx"},format=R32G32B32A32_FLOAT')
    expected = scheelite.load(tmp_path / 'out.ktx').array()
    assert np.array_equal(np.asarray(picture).view(np.uint32), expected.view(np.uint32))


@pytest.mark.parametrize('semantic', SEMANTICS)
def test_inputs_are_those_of_the_command(command, tmp_path, semantic):
    same_as_command(command, tmp_path, f'FRAG\nDCL IN[0], {semantic}, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n')


@pytest.mark.parametrize('semantic', SYSTEM_VALUES)
def test_system_values_are_those_of_the_command(command, tmp_path, semantic):
    same_as_command(command, tmp_path, f'FRAG\nDCL SV[0], {semantic}\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0]\nEND\n')


@pytest.mark.parametrize('properties', ['PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n', 'PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n'])
def test_where_pixels_are(command, tmp_path, properties):
    same_as_command(command, tmp_path, f'FRAG\n{properties}DCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n'
                    'MOV OUT[0], IN[0]\nEND\n')


def test_direct3d_shaders_run(command, tmp_path):
    text = scheelite.translate(SHADERS / 'swirl.tgsi', 'd3d-asm')
    textures, samplers = {'t0': scheelite.load(PHOTO)}, {'s0': {'filter': 'linear'}}
    picture = scheelite.run(scheelite.Shader(text, kind='d3d-asm'), (64, 48), textures=textures, samplers=samplers,
                            dtype=np.uint8)
    (tmp_path / 'shader.asm').write_text(text)
    command('run', tmp_path / 'shader.asm', '--size', '64x48', '--tex', f'0={PHOTO},filter=linear', '-o', tmp_path / 'a.png')
    assert np.array_equal(picture, scheelite.load(tmp_path / 'a.png').array())
    with pytest.raises(ValueError, match='does not declare t9'):
        scheelite.run(scheelite.Shader(text, kind='d3d-asm'), textures={'t9': scheelite.load(PHOTO)})


def test_registers_of_direct3d_by_name():
    text = ('cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n'
            'dcl_resource_raw t1\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 8, 1, 1\n'
            'ishl r0.x, vThreadID.x, l(2)\nld_raw r0.y, r0.x, t1.x\nmul r0.y, r0.y, cb0[0].x\n'
            'store_raw u0.x, r0.x, r0.y\nret\n')
    shader = scheelite.Shader(text, kind='d3d-asm')
    numbers, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    scheelite.dispatch(shader, 1, buffers={'t1': numbers, 'u0': out}, constants={'cb0': [3, 0, 0, 0]})
    assert np.array_equal(out, numbers * 3)
    for wrong, words in (({'buffers': {'u5': out}}, 'does not declare u5'), ({'images': {'u0': None, 'x0': out}}, 'a register is'),
                         ({'textures': {'t1': numbers}}, 't1 of this shader belongs to buffers')):
        with pytest.raises(ValueError, match=words):
            scheelite.dispatch(shader, 1, **wrong)


def test_types_of_pictures():
    floats = scheelite.run(SHADERS / 'julia.tgsi', (65, 33))
    bytes_ = scheelite.run(SHADERS / 'julia.tgsi', (65, 33), dtype='uint8')
    assert floats.shape == (33, 65, 4) and floats.dtype == np.float32 and bytes_.dtype == np.uint8
    assert np.array_equal(floats.unorm8(), bytes_)
    words = scheelite.run('FRAG\nDCL OUT[0], COLOR\nIMM[0] INT32 {-5, 6, 7, 8}\nMOV OUT[0], IMM[0]\nEND\n', (2, 2), dtype='int32')
    assert words[1, 1].tolist() == [-5, 6, 7, 8]


def test_targets_and_depth():
    text = ('FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL OUT[2], POSITION\nIMM[0] FLT32 {0.25, 0.5, 0.75, 1}\n'
            'MOV OUT[0], IMM[0].xxxx\nMOV OUT[1], IMM[0].yyyy\nMOV OUT[2].z, IMM[0].zzzz\nEND\n')
    found = scheelite.run(text, (3, 2), target=[0, 1, 'depth'])
    assert found[0][1, 2, 0] == 0.25 and found[1][0, 0, 3] == 0.5
    assert found['depth'].shape == (2, 3) and (found['depth'] == 0.75).all()
    with pytest.raises(ValueError, match='writes no COLOR 2'):
        scheelite.run(text, target=2)
    with pytest.raises(ValueError, match='writes no depth'):
        scheelite.run(FRAGMENT, target='depth')


def test_out_is_written_in_place():
    whole = np.full((50, 80, 4), 9, np.float32)
    picture = scheelite.run(FRAGMENT, (30, 20), out=whole[5:25, 10:40])
    assert np.shares_memory(picture, whole)
    assert (whole[:5] == 9).all() and (whole[25:] == 9).all() and (whole[:, :10] == 9).all() and (whole[:, 40:] == 9).all()
    assert np.array_equal(whole[5:25, 10:40], scheelite.run(FRAGMENT, (30, 20)))


@pytest.mark.parametrize('out, words', [
    (np.zeros((20, 30, 4), np.float64), 'not float64'), (np.zeros((30, 20, 4), np.float32), 'with the shape'),
    (np.zeros((20, 60, 4), np.float32)[:, ::2], 'strides'), (np.zeros((20, 30, 4), np.float32)[::-1], 'strides'),
    ([1, 2], 'not list')])
def test_an_out_that_does_not_fit(out, words):
    with pytest.raises(ValueError, match=words):
        scheelite.run(FRAGMENT, (30, 20), out=out)
    with pytest.raises(ValueError, match='read-only'):
        fixed = np.zeros((20, 30, 4), np.float32)
        fixed.flags.writeable = False
        scheelite.run(FRAGMENT, (30, 20), out=fixed)


def test_inputs_and_constants():
    text = ('FRAG\nDCL IN[0], COLOR, CONSTANT\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\nDCL CONST[2][0]\n'
            'ADD OUT[0], IN[0], CONST[0][1]\nADD OUT[0], OUT[0], CONST[2][0]\nEND\n')
    picture = scheelite.run(text, (2, 2), inputs={0: (1, 2, 3, 4)},
                            constants={0: [[0, 0, 0, 0], [10, 20, 30, 40]], 2: np.array([100, 200, 300, 400], np.float32)})
    assert picture[0, 0].tolist() == [111, 222, 333, 444]
    with pytest.raises(ValueError, match='float64'):
        scheelite.run(text, constants={0: np.zeros((2, 4))})
    with pytest.raises(ValueError, match='from 0 to'):
        scheelite.run(text, constants={-1: [1]})
    with pytest.raises(ValueError, match='four numbers'):
        scheelite.run(text, inputs={0: (1, 2)})


def test_one_sampler_for_all_textures():
    photo = scheelite.load(PHOTO)
    runs = [scheelite.run(SHADERS / 'swirl.tgsi', (40, 40), textures={0: photo}, samplers=samplers).sha256() for samplers in
            (scheelite.Sampler(filter='linear'), {0: scheelite.Sampler(filter='linear')}, {0: {'filter': 'linear'}}, None)]
    assert len(set(runs[:3])) == 1 and runs[3] != runs[0]


def test_what_is_not_bound_warns():
    with pytest.warns(scheelite.ScheeliteWarning, match=r'swirl.tgsi:21:6: warning 6510: SAMP\[0\] reads 0') as caught:
        scheelite.run(SHADERS / 'swirl.tgsi', (4, 4))
    assert caught[0].message.diagnostic.number == 6510
    assert caught[0].message.diagnostic.about == scheelite.RegisterName('sampler', 0, 0, None, None)
    assert caught[0].filename == __file__


def test_what_is_not_bound_has_the_registers_of_direct3d():
    shader = scheelite.Shader('ps_5_0\ndcl_resource_texture2d (float,float,float,float) t3\ndcl_sampler s1, mode_default\n'
                              'dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\n'
                              'sample o0.xyzw, v0.xyxx, t3.xyzw, s1\nret\n')
    with pytest.warns(scheelite.ScheeliteWarning) as caught:
        scheelite.run(shader, (4, 4))
    about = [one.message.diagnostic.about for one in caught]
    assert [(name.file, name.number, name.register_class, name.space) for name in about] == \
        [('sampler_view', 3, 'textures', None), ('sampler', 1, 'samplers', None)]


def test_results_do_not_depend_on_how_it_runs():
    expected = scheelite.run(SHADERS / 'julia.tgsi', (70, 50)).sha256()
    for options in ({'engine': 'interpreter'}, {'lanes': 4}, {'lanes': 8, 'threads': 3}, {'threads': 2, 'engine': 'auto'}):
        assert scheelite.run(SHADERS / 'julia.tgsi', (70, 50), **options).sha256() == expected
    context = scheelite.Context(engine='interpreter', threads=2)
    assert context.options['threads'] == 2
    assert scheelite.run(SHADERS / 'julia.tgsi', (70, 50), context=context).sha256() == expected


def test_wrong_calls():
    with pytest.raises(ValueError, match='run takes fragment shaders, not compute'):
        scheelite.run(SQUARES)
    with pytest.raises(ValueError, match='dispatch takes compute shaders'):
        scheelite.dispatch(FRAGMENT, 1)
    with pytest.raises(ValueError, match='sides are'):
        scheelite.run(FRAGMENT, (0, 5))
    with pytest.raises(ValueError, match='size is'):
        scheelite.run(FRAGMENT, 5)
    with pytest.raises(ValueError, match='pictures are of'):
        scheelite.run(FRAGMENT, dtype=np.float64)
    with pytest.raises(TypeError, match="is it 'threads'"):
        scheelite.run(FRAGMENT, thread=2)
    with pytest.raises(ValueError, match="is it 'interpreter'"):
        scheelite.run(FRAGMENT, engine='interpretr')
    with pytest.raises(ValueError, match='threads is'):
        scheelite.run(FRAGMENT, threads=-1)
    with pytest.raises(ValueError, match='grid is'):
        scheelite.dispatch(SQUARES, 0)
    with pytest.raises(ValueError, match='fixes its block'):
        scheelite.dispatch(SQUARES, 1, 32)
    with pytest.raises(scheelite.ShaderError, match='IN.1. is not declared'):
        scheelite.run('FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[1]\nEND\n')


@pytest.mark.parametrize('buffer, words', [
    (np.zeros(128, np.float32)[::2], 'strides'), ([1, 2, 3], 'numpy array'), (np.array([object()]), 'no numbers'),
    (np.zeros(64, '>f4'), 'no numbers'), (np.frombuffer(bytes(64), np.float32), 'read-only'),
    (np.zeros(65, np.uint8)[1:], 'multiple of 4')])
def test_buffers_that_cannot_be_written_in_place(buffer, words):
    with pytest.raises((ValueError, TypeError), match=words):
        scheelite.dispatch(SQUARES, 1, buffers={0: np.zeros(64, np.float32), 1: buffer})


def test_buffers_of_other_types_and_shapes():
    numbers = np.arange(128, dtype=np.float32)
    squares = np.zeros((16, 8), np.uint32)
    assert scheelite.dispatch(SQUARES, (2, 1, 1), buffers={0: numbers, 1: squares}) > 0
    assert np.array_equal(squares.view(np.float32).reshape(-1), numbers * numbers)


def test_counters_and_memory():
    text = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 32\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n'
            'DCL HWATOMIC[1][0]\nDCL MEMORY[0], GLOBAL\nDCL MEMORY[1], INPUT\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 4, 0}\n'
            'ATOMUADD TEMP[0].x, HWATOMIC[1][0], IMM[0].xxxx, IMM[0].yyyy\nLOAD TEMP[1].x, MEMORY[1], IMM[0].zzzz\n'
            'ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, TEMP[1].xxxx\nEND\n')
    counter, memory = np.zeros(1, np.uint32), np.zeros(2, np.uint32)
    scheelite.dispatch(text, 2, counters={1: counter}, memory=memory, input_memory=np.array([5, 7], np.uint32))
    assert counter.tolist() == [64] and memory.tolist() == [64 * 7, 0]


def test_images_are_written():
    text = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 8\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n'
            'DCL SV[0], THREAD_ID\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_FLOAT, WR\nDCL TEMP[0]\n'
            'U2F TEMP[0], SV[0].xyzz\nSTORE IMAGE[0], SV[0].xyyy, TEMP[0], 2D, PIPE_FORMAT_R32G32B32A32_FLOAT\nEND\n')
    image = scheelite.Texture.empty((8, 8), 'R32G32B32A32_FLOAT')
    scheelite.dispatch(text, 1, images={0: image})
    assert image.array()[5, 3].tolist() == [3, 5, 0, 0]
    with pytest.raises(TypeError, match='would be lost'):
        scheelite.dispatch(text, 1, images={0: np.zeros((8, 8, 4), np.float32)})


def test_a_budget_and_work_end_a_run():
    with pytest.raises(scheelite.BudgetError) as caught:
        scheelite.dispatch(ENDLESS, 1, budget=100)
    assert caught.value.stop.line == 8 and caught.value.stop.stage == 'compute'
    with pytest.raises(scheelite.WorkError) as caught:
        scheelite.dispatch(ENDLESS, 1, work=1000, budget=1 << 62)
    assert caught.value.stop.instructions == 1000


def test_a_deadline_ends_a_run():
    begin = time.monotonic()
    with pytest.raises(scheelite.DeadlineError) as caught:
        scheelite.dispatch(ENDLESS, 1, deadline=0.05, budget=1 << 62)
    assert time.monotonic() - begin < 10 and caught.value.stop.contents_undefined
    assert isinstance(caught.value, TimeoutError)


def test_another_thread_cancels_a_run():
    cancel = scheelite.Cancel()
    threading.Timer(0.05, cancel.set).start()
    with pytest.raises(scheelite.CancelledError):
        scheelite.dispatch(ENDLESS, 1, cancel=cancel, budget=1 << 62)
    assert cancel.is_set


def test_invoke_takes_and_gives_exact_bits(command, tmp_path):
    text = 'VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nRCP OUT[0].x, IN[0].xxxx\nUADD OUT[0].y, IN[0].yyyy, IN[1].yyyy\nEND\n'
    words = np.random.default_rng(7).integers(0, 2**32, (40, 2, 4), np.uint32)
    found = scheelite.invoke(text, words)
    (tmp_path / 'shader.tgsi').write_text(text)
    lines = '\n'.join('\t'.join(f'IN[{r}]=' + ','.join(f'{word:08x}' for word in row[r]) for r in (0, 1)) for row in words)
    printed = command('eval', tmp_path / 'shader.tgsi', '--vectors', '-', input=lines.encode() + b'\n').decode()
    expected = [[int(word, 16) for word in line.split('=')[1].split(',')] for line in printed.split()]
    assert found.uint[:, 0].tolist() == expected
    assert np.shares_memory(found.float, found.uint) and found.int.dtype == np.int32 and len(found) == 40


def test_invoke_checks_shapes():
    text = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n'
    assert scheelite.invoke(text, [[1, 2, 3, 4]]).float.tolist() == [[[1, 2, 3, 4]]]
    for inputs, words in ((np.zeros((5, 3), np.float32), 'shape'), (np.zeros((5, 2, 4), np.float32), '2 registers'),
                          (np.zeros((5, 4)), 'float64')):
        with pytest.raises(ValueError, match=words):
            scheelite.invoke(text, inputs)
    with pytest.raises(ValueError, match='are of 5 invocations'):
        scheelite.invoke(text, np.zeros((5, 4), np.float32), count=4)


def test_invoke_counts_kills_and_has_derivatives():
    text = ('FRAG\nDCL IN[0], GENERIC, CONSTANT\nDCL OUT[0], COLOR\nDDX OUT[0], IN[0]\nKILL_IF IN[0].xxxx\nEND\n')
    inputs = np.zeros((4, 4), np.float32)
    inputs[:, 0] = 1, 3, -1, 5
    found = scheelite.invoke(text, inputs, quads=True)
    assert found.killed.tolist() == [False, False, True, False]
    assert found.float[:2, 0, 0].tolist() == [2, 2]
