"""Reading, checking, printing, assembling, translating; tables. Expected texts come from the command."""
import json
from pathlib import Path

import numpy as np
import pytest

import scheelite
from conftest import ENDLESS, FRAGMENT, PHOTO, SHADERS

NO_D3D = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL MEMORY[0], GLOBAL
DCL TEMP[0]
LOAD TEMP[0].x, MEMORY[0], TEMP[0].xxxx
END
'''
WRONG = 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[1]\nEND\n'


def test_check_finds_what_the_command_finds(command, tmp_path):
    path = tmp_path / 'wrong.tgsi'
    path.write_text(WRONG)
    found = scheelite.check(path)
    assert [(one.number, one.line, one.column, one.is_error) for one in found] == [(2040, 3, 1, True)]
    assert found[0].text == f"{path}:3:1: error 2040: IN[1] is not declared\n    MOV OUT[0], IN[1]\n    ^"
    assert found[0].text == str(found[0])


def test_check_of_a_text_that_cannot_be_read():
    found = scheelite.check('FRAG\nMOVE OUT[0], IN[0]\nEND\n')
    assert found[0].is_error and found[0].line == 2 and 'MOVE' in found[0].text


def test_check_of_a_valid_shader_is_empty():
    assert scheelite.check(SHADERS / 'swirl.tgsi') == []


def test_pedantic_and_ignored_warnings():
    text = 'COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nEND\n'
    assert [one.number for one in scheelite.check(text)] == [2533]
    assert scheelite.check(text, context=scheelite.Context(ignore=[2533])) == []


def test_pedantic_warnings_are_asked_for():
    text = 'FRAG\nDCL SV[0], FACE\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0]\nEND\n'
    found = scheelite.check(text, context=scheelite.Context(pedantic=True))
    assert [one.severity for one in found] == ['pedantic'] * len(found) and found
    assert scheelite.check(text) == [] and 'warning' in found[0].text


def test_a_container_with_a_wrong_checksum():
    data = bytearray(scheelite.Shader(SHADERS / 'swirl.tgsi').raise_to_d3d().tobytes())
    data[4] ^= 1
    with pytest.raises(scheelite.ShaderError, match='checksum'):
        scheelite.Shader(bytes(data))
    assert scheelite.Shader(bytes(data), any_checksum=True).language == 'd3d'


def test_a_text_of_virpipe():
    text = 'FRAG\nDCL CONST[0]\nDCL OUT[0], COLOR\n  0: MAX OUT[0], CONST[0], -CONST[0]\n  1: END\n'
    assert scheelite.Shader(text).dis() == text
    assert 'MOV OUT[0], |CONST[0]|' in scheelite.Shader(text, dialect='virgl').dis()
    with pytest.raises(ValueError, match='dialect'):
        scheelite.Shader(text, dialect='virpipe')


def test_errors_carry_their_diagnostics():
    with pytest.raises(scheelite.ShaderError, match='error 1') as caught:
        scheelite.Shader('FRAG\nMOVE OUT[0], IN[0]\nEND\n', name='mine.tgsi')
    assert caught.value.diagnostics[0].source == 'mine.tgsi'
    assert 'mine.tgsi:2' in str(caught.value)


@pytest.mark.parametrize('call', [
    scheelite.Shader, scheelite.check, scheelite.dis, scheelite.asm, scheelite.run, scheelite.invoke, scheelite.shaders,
    lambda name: scheelite.translate(name, 'd3d-asm'), lambda name: scheelite.dispatch(name, 1),
    lambda name: scheelite.draw(name, FRAGMENT), lambda name: scheelite.check(name, kind='maxwell'),
    lambda name: scheelite.dis(name, kind='maxwell'), lambda name: scheelite.asm(name, kind='maxwell')])
def test_a_file_name_as_text_is_refused(monkeypatch, call):
    monkeypatch.chdir(SHADERS)
    with pytest.raises(ValueError, match=r"'swirl.tgsi' is the name of a file, .*: give pathlib.Path\('swirl.tgsi'\)"):
        call('swirl.tgsi')


def test_the_name_of_a_file_that_is_not_there(monkeypatch):
    monkeypatch.chdir(SHADERS)
    with pytest.raises(scheelite.ShaderError) as caught:
        scheelite.Shader('swril.tgsi')
    assert "give pathlib.Path('swril.tgsi'); there is no such file" in caught.value.__notes__[0]
    with pytest.raises(scheelite.ShaderError) as caught:
        scheelite.Shader('FRAG\nMOVE OUT[0], IN[0]\nEND\n')
    assert not hasattr(caught.value, '__notes__')


def test_a_text_that_is_the_name_of_a_folder(monkeypatch, tmp_path):
    (tmp_path / 'FRAG').mkdir()
    monkeypatch.chdir(tmp_path)
    assert scheelite.Shader('FRAG').stage == 'fragment'


@pytest.mark.parametrize('call, words', [
    (scheelite.Texture, r"give scheelite.load\('photo.png'\)"),
    (scheelite.Picture, r"give scheelite.load\('photo.png'\).picture\(\)"),
    (lambda name: scheelite.sample(name, (0, 0)), r"give scheelite.load\('photo.png'\)"),
    (lambda name: scheelite.save('out.png', name), r"give scheelite.load\('photo.png'\)"),
    (lambda name: scheelite.run(FRAGMENT, textures={0: name}), r"give scheelite.load\('photo.png'\)"),
    (lambda name: scheelite.run(FRAGMENT, constants=name), r"constants\[0\] .*give numpy.fromfile\('photo.png', dtype\)"),
    (lambda name: scheelite.run(FRAGMENT, inputs={0: name}), r"inputs\[0\] .*give numpy.fromfile\('photo.png', dtype\)"),
    (lambda name: scheelite.invoke(FRAGMENT, name), r"inputs .*give numpy.fromfile\('photo.png', numpy.float32\)"),
    (lambda name: scheelite.run(FRAGMENT, images={0: name}), r"give scheelite.load\('photo.png'\)"),
    (lambda name: scheelite.run(FRAGMENT, buffers={0: name}), r"give numpy.fromfile\('photo.png', dtype\)"),
    (lambda name: scheelite.dispatch(ENDLESS, 1, input_memory=name), r"give numpy.fromfile\('photo.png', dtype\)"),
    (scheelite.Attribute, r"give numpy.fromfile\('photo.png', dtype\)"),
    (scheelite.Texture.empty((2, 2)).write_bytes, r"give pathlib.Path\('photo.png'\).read_bytes\(\)")])
@pytest.mark.parametrize('kind', [str, Path])
def test_a_file_name_as_data_is_refused(monkeypatch, call, words, kind):
    monkeypatch.chdir(PHOTO.parent)
    with pytest.raises(TypeError, match=words):
        call(kind('photo.png'))


@pytest.mark.parametrize('name', ['swirl', 'blur', 'julia'])
def test_dis_asm_and_translate_as_the_command(command, tmp_path, name):
    path = SHADERS / f'{name}.tgsi'
    shader = scheelite.Shader(path)
    assert scheelite.dis(path).encode() == command('dis', path)
    assert shader.dis(floats='hex').encode() == command('dis', '--floats', 'hex', path)
    command('asm', path, '-o', tmp_path / 'out.bin')
    assert scheelite.asm(path) == (tmp_path / 'out.bin').read_bytes()
    assert scheelite.dis(scheelite.asm(path)) == scheelite.dis(path)
    dxbc = scheelite.translate(path, 'd3d-asm')
    assert dxbc.encode() == command('translate', '--to', 'd3d-asm', path)
    again = scheelite.Shader(dxbc, kind='d3d-asm')
    assert again.language == 'd3d' and again.stage == 'fragment' and again.tobytes()[:4] == b'DXBC'
    assert again.translate('tgsi') == scheelite.translate(again.lower(), 'tgsi')
    assert shader.tokens().dtype == np.uint32


def test_translate_to_maxwell(command):
    assert scheelite.translate(SHADERS / 'swirl.tgsi', 'maxwell').encode() == \
        command('translate', '--to', 'maxwell', SHADERS / 'swirl.tgsi')


def test_maxwell_words_and_back():
    text = scheelite.dis('TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;\n', kind='maxwell')
    assert 'TLDS.LZ' in text
    raw = scheelite.asm(text, kind='maxwell')
    assert len(raw) % 32 == 0 and scheelite.dis(raw, kind='maxwell').count('TLDS') == 1
    assert scheelite.check(text, kind='maxwell') == []
    shader = scheelite.Shader('.section .text.a\nMOV R0, R1;\n.section .text.b\nTEX.LZ R4, R8, 0x0, 2D, 0x3;\n', kernel='b')
    assert shader.language == 'maxwell' and shader.stage == 'compute' and 'TEX.LZ R4' in str(shader)
    assert [(use.file, use.first, use.is_read) for use in shader.uses] == [
        ('temporary', 4, False), ('temporary', 5, False), ('temporary', 8, True), ('temporary', 9, True)]
    assert (shader.instructions[0].name, len(shader.instructions[0].operands)) == ('TEX', 4)
    with pytest.raises(scheelite.ShaderError):
        scheelite.Shader('TEX.LZ R4, R8, 0x0, 2D, 0x3;\n', kernel='c')


def test_what_a_shader_has(command):
    shader = scheelite.Shader(SHADERS / 'swirl.tgsi')
    assert (shader.stage, shader.language) == ('fragment', 'tgsi')
    assert [str(one) for one in shader.inputs] == ['GENERIC'] and shader.outputs[0].semantic == 'COLOR'
    assert shader.registers['system_values'] == []
    assert shader.info.instructions == 15 and shader.info.samplers == 1 and shader.info.block == (0, 0, 0)
    known = json.loads(command('info', '--json', SHADERS / 'swirl.tgsi'))
    assert f'{shader.info.hash:016x}' in json.dumps(known)
    assert scheelite.Shader(ENDLESS).info.block == (1, 1, 1)
    assert scheelite.Shader(FRAGMENT).property('FS_COORD_ORIGIN', 7) == 7
    assert 'fragment' in repr(shader) and '<pre>' in shader._repr_html_()


def test_several_shaders_of_a_log():
    log = 'driver: first\n' + FRAGMENT + 'driver: second\n' + WRONG
    found = scheelite.shaders(log)
    assert [len(one.outputs) for one in found] == [1, 1]
    assert found[1].check()[0].line == 10


def test_limits():
    small = scheelite.Context(limits={'instructions': 3})
    with pytest.raises(scheelite.LimitError):
        scheelite.Shader(SHADERS / 'swirl.tgsi', context=small)
    with pytest.raises(TypeError, match="is it 'instructions'"):
        scheelite.Context(limits={'instruction': 3})
    with pytest.raises(ValueError, match='cannot be'):
        scheelite.Context(limits={'instructions': 0})


def test_wrong_arguments():
    with pytest.raises(TypeError, match='a shader is a text'):
        scheelite.Shader(5)
    with pytest.raises(ValueError, match="is it 'dxbc'"):
        scheelite.Shader(FRAGMENT, kind='dxbd')
    with pytest.raises(ValueError, match='translated to'):
        scheelite.translate(FRAGMENT, 'hlsl')
    with pytest.raises(FileNotFoundError):
        scheelite.Shader(Path('there-is-none.tgsi'))
    with pytest.raises(scheelite.UnsupportedError):
        scheelite.translate(NO_D3D, 'd3d-asm')


@pytest.mark.parametrize('name', ['LG2', 'sample_l', 'TLDS', 'POSITION', 'R8G8B8A8_UNORM', 2040])
def test_explain_says_what_the_command_says(command, name):
    printed = ' '.join(command('explain', name).decode().split())
    found = scheelite.explain(name)
    named = [one for one in found if one.name.lower() == str(name).lower()]
    title = ' '.join(named[0].title.split())
    assert title and title in printed
    assert '<b>' in found._repr_html_()


def test_explain_of_an_unknown_name():
    with pytest.raises(LookupError, match="is it 'R8G8B8A8_UNORM'"):
        scheelite.explain('R8G8B8A8_UNROM')


PIECES = '''FRAG
DCL IN[0], GENERIC[2], PERSPECTIVE, CENTROID
DCL OUT[0], COLOR
DCL CONST[1][0..7]
DCL SAMP[3]
DCL SVIEW[3], 2D, UINT
DCL TEMP[0..1], ARRAY(1)
DCL ADDR[0]
IMM[0] FLT32 {1.0, -0.5, 0.0, 2.0}
IMM[1] INT64 {-2, 4294967296}
  0: ADD_SAT TEMP[0].xz, -|IN[0].wzyx|, CONST[1][ADDR[0].y+2]
  1: TXF TEMP[ADDR[0].x](1), IMM[0], SAMP[3], 2D, IMM[0].xyx
  2: MOV OUT[0], TEMP[0]
  3: END
'''


def test_a_shader_is_made_of_pieces():
    shader = scheelite.Shader(PIECES)
    add, txf, mov, end = shader.instructions
    assert [one.name for one in (add, txf, mov, end)] == ['ADD', 'TXF', 'MOV', 'END']
    assert (add.flags, add.line, add.column, add.target, add.label) == ({'saturate'}, 11, 6, None, None)
    destination, source, constant = add.operands
    assert (destination.kind, destination.file, destination.components) == ('destination', 'temporary', 'xz')
    assert (source.components, source.negate, source.absolute, source.type) == ('wzyx', True, True, 'float')
    assert constant.dimension == scheelite.Index(1) and constant.index == scheelite.Index(2, 'address', 0, 1)
    assert (txf.target, txf.flags) == ('2D', {'texture', 'target'})
    assert [one.kind for one in txf.operands] == ['destination', 'source', 'source', 'texel_offset']
    assert txf.operands[0].index == scheelite.Index(0, 'address', 0, 0, 1) and txf.operands[3].components == 'xyx'
    assert end.operands == ()


def test_declarations_immediates_and_uses():
    shader = scheelite.Shader(PIECES)
    own = {one.file: one for one in shader.declarations}
    assert (own['input'].semantic, own['input'].semantic_index) == ('GENERIC', 2)
    assert (own['input'].interpolation, own['input'].location) == ('perspective', 'centroid')
    assert (own['constant'].dimension, own['constant'].first, own['constant'].last) == (1, 0, 7)
    assert (own['sampler_view'].target, own['sampler_view'].return_types) == ('2D', ('uint',) * 4)
    assert own['temporary'].array_id == 1 and own['address'].semantic is None and own['sampler'].target is None
    assert [one.values for one in shader.immediates] == [(1.0, -0.5, 0.0, 2.0), (-2, 1 << 32)]
    assert shader.immediates[1].words == (0xfffffffe, 0xffffffff, 0, 1)
    known = [(one.file, one.buffer, one.first, one.last, one.is_read, one.types) for one in shader.uses]
    floats = ('float',) * 4
    assert known == [('constant', 1, 0, 7, True, floats), ('input', 0, 0, 0, True, floats), ('output', 0, 0, 0, False, floats),
                     ('temporary', 0, 0, 0, True, floats), ('temporary', 0, 1, 1, False, ('unknown',) * 4)]


def test_pieces_of_direct3d_are_those_of_the_lowered_shader():
    shader = scheelite.Shader('ps_5_0\ndcl_resource_texture2d (float,float,float,float) t3\ndcl_sampler s1, mode_default\n'
                              'dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\nsample o0.xyzw, v1.xyxx, t3.xyzw, s1\nret\n')
    sample = next(one for one in shader.instructions if one.name == 'SAMPLE')
    assert sample.line == 6 and [one.file for one in sample.operands[2:]] == ['sampler_view', 'sampler']
    assert any(one.file == 'sampler_view' and one.first == 3 for one in shader.declarations)
    assert any(one.file == 'input' and one.types[0] == 'float' for one in shader.uses)
