#!/usr/bin/env python3
"""scheelite render: what scenes draw, statement by statement, and where errors in them stand. Expectations are those of
docs/scenes.md and docs/pipeline.md, written into the scenes."""
import os
import random
import re
import struct
import sys

import command as c
import tap

sys.path.append(os.path.join(tap.SOURCE, 'tools', 'demo'))
import contents  # noqa: E402
import drawing  # noqa: E402
import sheet  # noqa: E402

SCENES = os.path.join(c.EXAMPLES, 'scenes')
VS = 'shader vs vertex {\n  VERT\n  DCL IN[0]\n  DCL OUT[0], POSITION\n  MOV OUT[0], IN[0]\n  END\n}\n'
# The colour is CONST[0][0].
FS = 'shader fs fragment {\n  FRAG\n  DCL OUT[0], COLOR\n  DCL CONST[0][0]\n  MOV OUT[0], CONST[0][0]\n  END\n}\n'
# A vertex shader with a colour from IN[1], for COLOR inputs.
VS2 = 'shader vs2 vertex {\n  VERT\n  DCL IN[0]\n  DCL IN[1]\n  DCL OUT[0], POSITION\n  DCL OUT[1], COLOR\n  MOV OUT[0], IN[0]\n  MOV OUT[1], IN[1]\n  END\n}\n'
FS2 = 'shader fs2 fragment {\n  FRAG\n  DCL IN[0], COLOR, CONSTANT\n  DCL OUT[0], COLOR\n  MOV OUT[0], IN[0]\n  END\n}\n'
# Samples texture 0 at the place of the pixel: POSITION.xy * CONST[0][0].xy
FETCH = ('shader fetch fragment {\n  FRAG\n  DCL IN[0], POSITION, LINEAR\n  DCL OUT[0], COLOR\n  DCL SAMP[0]\n  DCL SVIEW[0], 2D, FLOAT\n  DCL CONST[0][0]\n'
         '  DCL TEMP[0]\n  MUL TEMP[0].xy, IN[0], CONST[0][0]\n  TEX OUT[0], TEMP[0], SAMP[0], 2D\n  END\n}\n')
QUAD = 'mesh quad { position float2; vertices { -1 -1  1 -1  -1 1  1 1 } }\n'
LEFT = 'mesh left { position float3; vertices { -1 -1 0  0 -1 0  -1 1 0  0 1 0 } }\n'  # the left half
TEXTURE = 'texture t { size 8 8 }\n'
BASE = TEXTURE + VS + FS + QUAD + LEFT
RED = 'bind fragment constants 0 { 1 0 0 1 }\n'

UNWRITTEN = 'scheelite: nothing is written: -o OUT says where to (--check compares what the scene expects)\n'


def run(text, *options, name='scene.scene'):
    """Exit code, lines of the output, text of stderr."""
    done = c.run('render', *options, c.write(name, text))
    lines = [re.sub(r'^\S*scene\.scene:', '', line) for line in done.stdout.decode().splitlines()]
    return done.returncode, lines, done.stderr.decode()


def holds(text, count=None):
    """All expectations of a scene hold; nothing is reported."""
    count = text.count('\nexpect ') if count is None else count
    code, out, err = run(text, '--check')
    return [] if (code, out, err) == (c.YES, [f'{count} passed, 0 failed'], '') else [f'{text[-300:]}: {code} {out} {err[:400]}']


def refuses(text, line, column, number, message, code=c.NO):
    have, out, err = run(text)
    place = f':{line}:{column}: error {number}: '
    if (have, out) == (code, []) and place in err and message in err and err.count(': error ') == 1:
        return []
    return [f'{text[-200:]!r}: {have} {out} {err[:300]}, not {line}:{column} {number} {message}']


def drawn(body, before='', after='', color='color 0 t\n'):
    return BASE + before + 'pass {\n' + color + 'use vs fs\n' + RED + body + '}\n' + after


# ---- errors ----------------------------------------------------------------------------------------------------------

WRONG = (
    ('fly\n', 1, 1, 1220, 'no statement begins here'), ('  }\n', 1, 3, 1220, 'no statement'), ('texture t { size 8 8 } }\n', 1, 24, 1224, 'closes nothing'),
    ('texture t { size 8 8 } x\n', 1, 24, 1224, 'the statement ends here'), ('texture 1 { }\n', 1, 9, 1223, 'the name of a texture'),
    ('texture t { size 8 8 }\nbuffer t 8\n', 2, 8, 1223, 'the texture of line 1 has this name'), ('texture t\n', 1, 10, 1224, 'expected {'),
    ('texture t {\n  sise 8 8\n}\n', 2, 3, 1221, 'size, format'), ('texture t { size }\n', 1, 18, 1222, 'the width'), ('texture t { size 0 1 }\n', 1, 18, 1222, 'from 1 to 16384'),
    ('texture t { size 16385 }\n', 1, 18, 1222, 'the width'), ('texture t { size 8 8; format RGBA }\n', 1, 30, 1221, 'no such format'), ('texture t { format R8_UNORM }\n', 1, 11, 1228, 'has a size'),
    ('texture t { size 8 8; target 4D }\n', 1, 30, 1221, '1D, 2D, 3D'), ('texture t { size 8 8; layers 0 }\n', 1, 30, 1222, 'layers'), ('texture t { size 8 8; samples 17 }\n', 1, 31, 1222, 'samples'),
    ('texture t { size 8 8; solid 1 1 }\n', 1, 33, 1222, 'red, green'), ('texture t { size 8 8; solid 1 1 1 1 layer }\n', 1, 43, 1222, 'a layer'),
    ('texture t { size 8 8; checker 0 1 }\n', 1, 31, 1222, 'columns'), ('texture t { size 8 8; gradient z }\n', 1, 32, 1221, 'x, y'), ('texture t { size 8 8; image "" }\n', 1, 29, 1226, ''),
    ('texture t "none.png"\n', 1, 11, 1226, 'No such file'), ('texture t { size 8 8; data { 1 x } }\n', 1, 32, 1222, 'float is a number'), ('texture t { size 8 8; data { ubyte 256 } }\n', 1, 36, 1222, 'does not fit ubyte'),
    ('buffer b { ubyte -1 }\n', 1, 18, 1222, 'does not fit'), ('buffer b { byte -129 }\n', 1, 17, 1222, 'does not fit'), ('buffer b { int 2147483648 }\n', 1, 16, 1222, 'does not fit'),
    ('buffer b { short 1.5 }\n', 1, 18, 1222, 'does not fit'), ('buffer b { hex 123 }\n', 1, 16, 1222, 'pairs'), ('buffer b { hex zz }\n', 1, 16, 1222, 'pairs'), ('buffer b { }\n', 1, 10, 1228, 'at least one byte'),
    ('buffer b 0\n', 1, 10, 1222, 'number of bytes'), ('buffer b 134217729\n', 1, 10, 1222, 'number of bytes'), ('buffer b "none"\n', 1, 10, 1226, 'No such file'), ('buffer b { 1 2\n', 2, 1, 1224, 'expected numbers'),
    ('buffer b { 1e400 }\n', 1, 12, 1222, 'is a number'),
    ('buffer b { 0x1p3 }\n', 1, 12, 1222, 'is a number'), ('buffer b { 1..2 }\n', 1, 12, 1222, 'is a number'), ('buffer b { nan(1) }\n', 1, 12, 1222, 'is a number'),
    ('mesh m { }\n', 1, 8, 1228, 'at least one vertex'), ('mesh m { p float5 }\n', 1, 12, 1221, 'a type is'), ('mesh m { p float2_norm }\n', 1, 12, 1221, 'a type is'), ('mesh m { p ubyte3_nrm }\n', 1, 12, 1221, 'a type is'),
    ('mesh m { vertices { } }\n', 1, 19, 1228, 'the attributes come before'), ('mesh m { p float2; vertices { 1 } }\n', 1, 33, 1222, 'is a number'), ('mesh m { p float; vertices { 1 }; vertices { 1 } }\n', 1, 44, 1228, 'once'),
    ('mesh m { p float; vertices { 1 }; q float }\n', 1, 35, 1221, 'only indices'), ('mesh m { p float; vertices { 1 }; indices { -1 } }\n', 1, 45, 1222, 'does not fit'), ('mesh m "x.gltf"\n', 1, 8, 1226, ''),
    ('shader s vertex\n', 1, 16, 1224, '{, or the name of a file'), ('shader s pixel {\n', 1, 10, 1221, 'vertex, tess_ctrl'), ('shader s vertex glsl {\n', 1, 17, 1221, 'tgsi, d3d'), ('shader s vertex {\nVERT\nEND\n', 1, 17, 1224, '} alone'),
    ('sampler s { wrap repeat mirror }\n', 1, 25, 1224, 'ends here'), ('sampler s { wrap torus }\n', 1, 18, 1221, 'repeat'), ('sampler s { filter cubic }\n', 1, 20, 1221, 'nearest, linear'), ('sampler s { fold 1 }\n', 1, 13, 1221, 'no member of a sampler'),
    ('rasterizer r { cull back }\n', 1, 16, 1221, 'no member'), ('rasterizer r { cull_face left }\n', 1, 26, 1221, 'none, front'), ('rasterizer r { scissor 1 }\n', 1, 24, 1221, 'on, off'), ('rasterizer r { line_width wide }\n', 1, 27, 1222, 'line_width is a number'),
    ('rasterizer r { line_stipple_pattern 65536 }\n', 1, 37, 1222, 'line_stipple_pattern'), ('depth_stencil_alpha d { depth_function smaller }\n', 1, 40, 1221, 'never, less'), ('depth_stencil_alpha d { stencil left { } }\n', 1, 33, 1221, 'front, back'),
    ('depth_stencil_alpha d { stencil front { pass double } }\n', 1, 46, 1221, 'keep, zero'), ('depth_stencil_alpha d { stencil front { value_mask 256 } }\n', 1, 52, 1222, 'value_mask'), ('blend b { target 8 { } }\n', 1, 18, 1222, 'a target'),
    ('blend b { target 0 { color_source half } }\n', 1, 35, 1221, 'one, src_color'), ('blend b { logic_operation not }\n', 1, 27, 1221, 'clear, nor'), ('blend b { what 1 }\n', 1, 11, 1221, 'no member'),
    ('dynamic d { viewport 0 0 1 }\n', 1, 28, 1222, 'width and height'), ('dynamic d { viewport index 16 0 0 1 1 }\n', 1, 28, 1222, 'viewport'), ('dynamic d { viewport scale 1 1 1 }\n', 1, 34, 1224, 'translate'),
    ('dynamic d { clip_plane 8 1 1 1 1 }\n', 1, 24, 1222, 'clip plane'), ('dynamic d { polygon_stipple { 1 } }\n', 1, 33, 1222, '32 rows'), ('dynamic d { stencil_reference 256 }\n', 1, 31, 1222, 'reference'), ('dynamic d { mood 1 }\n', 1, 13, 1221, 'dynamic state'),
    ('elements e { R8 }\n', 1, 14, 1221, 'no such format'), ('elements e { R8_UNORM buffer 32 }\n', 1, 30, 1222, 'a buffer'), ('elements e { R8_UNORM x }\n', 1, 23, 1221, 'buffer, offset'), ('elements e {\n' + 'none\n' * 33 + '}\n', 34, 1, 1225, '32 vertex elements'),
    ('matrix m 1\n', 1, 10, 1224, '='), ('matrix m = tilt 3\n', 1, 12, 1223, 'no matrix above has the name tilt'), ('matrix m = scale 1 1\n', 1, 21, 1222, 'scale is a number'), ('matrix m = identity *\n', 1, 22, 1223, 'the name of a matrix'),
    ('matrix m = m\n', 1, 12, 1223, 'no matrix above'), ('query q samples\n', 1, 9, 1221, 'occlusion_counter'), ('pass {\n jump\n}\n', 2, 2, 1220, 'a pass has'), ('pass { color 8 t }\n', 1, 14, 1222, 'colour buffer'),
    ('pass { color 0 t }\n', 1, 16, 1223, 'no texture above has the name t'), ('buffer b 8\npass { color 0 b }\n', 2, 16, 1223, 'b is a buffer, not a texture'), ('pass { use x }\n', 1, 12, 1223, 'shader or of state'), (TEXTURE + 'pass { use t }\n', 2, 12, 1223, 'shader or of state'),
    ('pass { clear }\n', 1, 14, 1228, 'color, depth or stencil'), ('pass { clear color 1 1 1 }\n', 1, 26, 1222, 'alpha'), ('pass { clear stencil 256 }\n', 1, 22, 1222, 'stencil'), ('pass { draw }\n', 1, 13, 1221, 'a primitive'), ('pass { draw triangles }\n', 1, 13, 1228, 'a mesh or a count'),
    ('pass { draw triangles three }\n', 1, 23, 1221, 'mesh, count'), ('pass { draw points 1 base_vertex 1.5 }\n', 1, 34, 1222, '32 bits'), ('pass { draw points 1 base_vertex 2147483648 }\n', 1, 34, 1222, '32 bits'), ('buffer b 8\npass { draw points 1 indices b 3 }\n', 2, 32, 1221, '1, 2, 4'),
    ('pass { bind pixel constants 0 { } }\n', 1, 13, 1221, 'vertex'), ('pass { bind vertex uniform 0 { } }\n', 1, 20, 1221, 'constants, texture'), ('pass { bind vertex constants 128 { } }\n', 1, 30, 1222, 'the register'),
    (TEXTURE + 'pass { bind vertex texture 0 t swizzle xyz }\n', 2, 40, 1221, 'four of'), ('pass { begin q }\n', 1, 14, 1223, 'no query above'), ('pass { size 0 1 }\n', 1, 13, 1222, 'the width'), ('pass { vertex_buffer 32 b }\n', 1, 22, 1222, 'a vertex buffer'),
    (TEXTURE + 'blit t t\n', 2, 8, 1224, 'to and a texture'), (TEXTURE + 'blit t to t box 0 0 1.5 1\n', 2, 21, 1222, 'a box'), (TEXTURE + 'copy t to t filter linear\n', 2, 13, 1221, 'level, source_level'), ('mips x\n', 1, 6, 1223, 'no texture'),
    (TEXTURE + 'expect t = 1\n', 2, 8, 1221, 'pixel, rect or all'), (TEXTURE + 'expect pixel t 0 0 1\n', 2, 20, 1221, 'level, layer'), (TEXTURE + 'expect pixel t 0 0 = 1 1 1 1 1\n', 2, 30, 1228, 'at most 4'), (TEXTURE + 'expect pixel t 0 0 =\n', 2, 21, 1228, 'at least one'),
    (TEXTURE + 'expect pixel t 0 0 = 1 tolerance -1\n', 2, 36, 1222, 'at least 0'), ('buffer b 8\nexpect buffer b offset 4 { 1 2 }\n', 2, 26, 1228, '8 bytes'), ('buffer b 8\nexpect buffer b offset 9 { }\n', 2, 24, 1222, 'an offset'), (TEXTURE + 'output t\noutput t\n', 3, 8, 1228, 'one output'), ('texture t "x\n', 1, 11, 1224, 'ends with "'), ('texture t "x" extra\n', 1, 11, 1226, 'No such'))


def errors():
    return [finding for text, line, column, number, message in WRONG
            for finding in refuses(text, line, column, number, message, c.IO if number == 1226 else c.NO)]


def several_errors():
    """Reading goes on with the next statement in the first column; twenty are shown."""
    code, out, err = run('texture a {\n  sise 1\n}\npass {\n  jump\n  texture\n}\nbuffer b\nquery q x\n')
    findings = [] if code == c.NO and re.findall(r':(\d+):\d+: error (\d+)', err) == [('2', '1221'), ('5', '1220'), ('8', '1224'), ('9', '1221')] else [err]
    code, out, err = run('matrix m\n' * 30)
    findings += [] if code == c.NO and err.count('error 12') == 20 else [err[-300:]]
    # A name of a wrong object is known.
    return findings + refuses('texture t { size 0 }\npass { color 0 t }\n', 1, 18, 1222, 'width')


def objects_that_cannot_be():
    """What the library refuses is reported at the statement."""
    return refuses('shader s vertex {\n  VERT\n  FLY OUT[0], IN[0]\n  END\n}\n' + TEXTURE + FS + 'pass { color 0 t; use s fs; draw points 1 }\n', 3, 3, 1003, 'FLY') + \
        refuses('shader s fragment {\n  VERT\n  END\n}\n' + TEXTURE + VS + 'pass { color 0 t; use vs s; draw points 1 }\n', 1, 8, 1228, 'another stage') + \
        refuses(TEXTURE + 'pass { color 0 t; draw points 1 }\n', 2, 24, 1228, 'no vertex shader')


def lowered_lookups():
    """Lookups of a shader with the word maxwell, and of no other, are Maxwell code: depth is red alone by Maxwell's rules,
    all four components by TGSI's (docs/texture.md, "Where the rules differ")."""
    depth = TEXTURE + 'texture u { size 8 8 }\ntexture p { size 2 2; format Z32_FLOAT }\npass { depth_stencil p; clear depth 1 }\nsampler s { filter nearest }\n' + VS + QUAD
    body = '  FRAG\n  DCL OUT[0], COLOR\n  DCL SAMP[0]\n  DCL SVIEW[0], 2D, FLOAT\n  IMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\n  TXL OUT[0], IMM[0], SAMP[0], 2D\n  END\n}\n'
    d3d = 'ps_5_0\ndcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_output o0.xyzw\nsample_l o0.xyzw, l(0.5, 0.5, 0, 0), t0.xyzw, s0, l(0.0)\nret\n}\n'
    findings = []
    for words, text in (('maxwell', body), ('tgsi maxwell', body), ('maxwell tgsi', body), ('d3d maxwell', d3d)):
        passes = ''.join(f'pass {{ color 0 {target}; use vs {shader}; bind fragment texture 0 p sampler s; draw triangle_strip mesh quad }}\n' for target, shader in (('t', 'a'), ('u', 'b')))
        findings += holds(depth + 'shader a fragment {\n' + body + f'shader b fragment {words} {{\n' + text + passes + '\nexpect all t = 1 1 1 1\nexpect all u = 1 0 0 1\n')
    return findings


# ---- what is drawn ---------------------------------------------------------------------------------------------------

def examples():
    """Expectations hold, and the picture is the repository's with every engine and number of threads. Where a part is
    enough, with one of them, another from scene to scene."""
    findings, ways = [], (('--engine', 'interp'), ('--engine', 'interp', '--threads', '3', '--width', '4'), ('--engine', 'auto', '--threads', '2'))
    with open(os.path.join(SCENES, 'pictures.sha256'), encoding='utf-8') as file:
        kept = {name: digest[:16] for digest, name in map(str.split, file) if name.endswith('.scene')}
    names = sorted(name for name in os.listdir(SCENES) if name.endswith('.scene'))
    for number, name in enumerate(names):
        pictures = set()
        for options in ways[number % 3:number % 3 + 1] if c.PART else ways:
            done = c.run('render', os.path.join(SCENES, name), '--check', '-o', c.path(name + '.png'), *options)
            if done.returncode or not done.stdout.endswith(b' passed, 0 failed\n') or done.stderr:
                findings.append(f'{name} {options}: {done.returncode} {done.stdout} {done.stderr[:300]}')
            pictures.add(c.picture_hash(c.path(name + '.png')))
        if pictures != {kept.get(name)}:
            findings.append(f'{name}: {pictures}, not {kept.get(name)}')
    return findings + ([] if sorted(kept) == names else [f'{names}, not {sorted(kept)}'])


def demonstration():
    """The other pictures of ./dev demo are the repository's, too, and so is the contact sheet, which has pictures of scenes."""
    if c.SANITIZED:
        raise tap.Skip('drawn by the build that draws all')
    known, findings, files = drawing.kept(drawing.KEPT), [], {}
    others = [*contents.SHADERS, *contents.PLANES, *contents.HEATS, drawing.footprint_of_pixel(drawing.Scheelite(c.COMMAND, 'none'))]

    def compare(name, path):
        if drawing.digest(path) != known[name]:
            findings.append(f'{name}: {drawing.digest(path)}, not {known[name]}')
        files[name] = (path, *drawing.texels(path)[:2])

    for picture in others:
        path = c.path(picture.name.replace('/', '-') + '.png')
        findings += c.exit_is(c.YES, *picture.words, picture.to, path, cwd=tap.SOURCE)
        compare(picture.name, path)
    for picture in contents.SCENES:
        compare(picture.name, c.path(picture.name + '.png'))
    findings += c.exit_is(c.YES, 'render', c.write('sheet.scene', sheet.scene(files)), '-o', c.path('sheet.png'))
    compare('sheet', c.path('sheet.png'))
    return findings + [f'{name}: nobody draws it' for name in known if name not in files]


def engines():
    """Machine code leaves the bits of the interpreter in all textures."""
    if not c.compiles():
        raise tap.Skip('no compiler of machine code was built')
    findings = []
    for name in ('blend.scene', 'cube.scene'):
        for engine in ('both', 'jit'):
            findings += c.exit_is(c.YES, 'render', os.path.join(SCENES, name), '--check', '--engine', engine, '--cache', 'none', out=' passed, 0 failed\n')
    return findings


def draws():
    """Counts, starts, instances, indices, ranges, indirect draws."""
    both = '\nexpect rect t 0 0 4 8 = 1 0 0 1\nexpect rect t 4 0 4 8 = 0 0 0 0\n'
    halves = 'buffer v { -1 -1  0 -1  -1 1  0 1   0 -1  1 -1  0 1  1 1 }\nelements e { R32G32_FLOAT }\n'
    findings = holds(drawn('draw triangle_strip mesh left\n', after=both))
    findings += holds(drawn('draw triangle_strip mesh left 3\n', after='\nexpect pixel t 0 7 = 1 0 0 1\nexpect pixel t 3 0 = 0 0 0 0\n'))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip 4\n', halves, both))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip count 4 start 4\n', halves, '\nexpect rect t 0 0 4 8 = 0 0 0 0\nexpect rect t 4 0 4 8 = 1 0 0 1\n'))
    findings += holds(drawn('use e\nvertex_buffer 0 v offset 32\ndraw triangle_strip 4\n', halves, '\nexpect rect t 4 0 4 8 = 1 0 0 1\n'))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip ranges { 0 4 0  4 4 0 }\n', halves, '\nexpect all t = 1 0 0 1\n'))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip 4 instances 0\n', halves, '\nexpect all t = 0 0 0 0\n'))
    indices = halves + 'buffer i { ushort 9 9 0 1 2 3 0xffff 4 5 6 7 }\n'
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip 4 indices i 2 offset 4\n', indices, both))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip 9 start 2 indices i 2 restart 0xffff\n', indices, '\nexpect all t = 1 0 0 1\n'))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip 4 start 2 indices i 2 base_vertex 4\n', indices, '\nexpect rect t 4 0 4 8 = 1 0 0 1\n'))
    indirect = halves + 'buffer d { uint 0 0 0 0  4 1 4 0  4 1 0 0 }\nbuffer n { uint 1 }\n'
    right = '\nexpect rect t 0 0 4 8 = 0 0 0 0\nexpect rect t 4 0 4 8 = 1 0 0 1\n'
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip indirect d offset 16\n', indirect, right))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip indirect d offset 16 draws 2 stride 16\n', indirect, '\nexpect all t = 1 0 0 1\n'))
    findings += holds(drawn('use e\nvertex_buffer 0 v\ndraw triangle_strip indirect d offset 16 draws 2 count_from n\n', indirect, right))
    # An element for each instance: (x, colour).
    stepped = VS2 + FS2 + 'buffer c { ubyte 255 0 0 255  0 255 0 255 }\nelements s { R32G32_FLOAT; R8G8B8A8_UNORM buffer 1 divisor 1 }\n'
    body = 'use vs2 fs2 s\nvertex_buffer 1 c\ndraw triangle_strip mesh left%s\n'
    green, red = '\nexpect rect t 0 0 4 8 = 0 1 0 1\n', '\nexpect rect t 0 0 4 8 = 1 0 0 1\n'
    stepped = stepped.replace('R32G32_FLOAT;', 'R32G32B32_FLOAT;')
    return findings + holds(drawn(body % '', stepped, red)) + holds(drawn(body % ' instances 2', stepped, green)) + holds(drawn(body % ' start_instance 1', stepped, green))


def states():
    """A member of each block of state has its effect."""
    left, none, whole = '\nexpect rect t 0 0 4 8 = 1 0 0 1\nexpect rect t 4 0 4 8 = 0 0 0 0\n', '\nexpect all t = 0 0 0 0\n', '\nexpect all t = 1 0 0 1\n'
    quad = 'draw triangle_strip mesh quad\n'
    findings = holds(drawn('rasterizer { scissor on }\ndynamic { scissor 0 0 4 8 }\n' + quad, after=left))
    findings += holds(drawn('rasterizer { scissor off }\ndynamic { scissor 0 0 4 8 }\n' + quad, after=whole))
    findings += holds(drawn('dynamic { viewport 0 0 4 8 }\n' + quad, after=left))
    findings += holds(drawn('dynamic { viewport scale 2 4 1 translate 2 4 0 }\n' + quad, after=left))
    findings += holds(drawn('dynamic { viewport index 1 0 0 4 8 }\n' + quad, after=whole))
    findings += holds(drawn('rasterizer { cull_face back }\n' + quad, after=whole)) + holds(drawn('rasterizer { cull_face front }\n' + quad, after=none))
    findings += holds(drawn('rasterizer { cull_face front; front_ccw off }\n' + quad, after=whole)) + holds(drawn('rasterizer { rasterizer_discard on }\n' + quad, after=none))
    findings += holds(drawn('rasterizer { clip_plane_enable 1 }\ndynamic { clip_plane 0  -1 0 0 0 }\n' + quad, after=left))
    findings += holds(drawn('rasterizer { poly_stipple_enable on }\ndynamic { polygon_stipple {' + ' 0xf0f0f0f0' * 32 + ' } }\n' + quad, after=left))
    findings += holds(drawn('rasterizer { fill_front point; fill_back point }\n' + 'draw triangle_strip mesh quad\n', after='\nexpect pixel t 4 4 = 0 0 0 0\n'))
    findings += holds(drawn('rasterizer { point_size 4 }\ndraw points mesh middle\n', 'mesh middle { position float2; vertices { -0.5 0 } }\n', '\nexpect rect t 0 2 4 4 = 1 0 0 1\nexpect rect t 0 6 8 2 = 0 0 0 0\n'))
    findings += holds(drawn('clear color 0 0 1 1\nblend { target 0 { color_source one; color_destination one; alpha_source zero; alpha_destination one } }\n' + quad, after='\nexpect all t = 1 0 1 1\n'))
    findings += holds(drawn('clear color 0 0 1 1\nblend { target 0 { enabled off; color_mask 0x1 } }\n' + quad, after='\nexpect all t = 1 0 1 1\n'))
    findings += holds(drawn('clear color 0 0 1 1\nblend { logic_enabled on; logic_operation xor }\n' + quad, after='\nexpect all t = 1 0 1 0\n'))
    findings += holds(drawn('dynamic { blend_color 0.5 0.5 0.5 0.5 }\nblend { target 0 { color_source const_color; alpha_source const_alpha; color_destination zero; alpha_destination zero } }\n' + quad, after='\nexpect all t = 0.5 0 0 0.5\n'))
    depth = 'texture d { size 8 8; format Z24_UNORM_S8_UINT }\n'
    targets = 'color 0 t\ndepth_stencil d\nclear depth 0.25 stencil 7\n'
    findings += holds(drawn('depth_stencil_alpha { depth_enabled on; depth_function greater; depth_writes on }\n' + quad, depth, whole + 'expect depth all d = 0.5\nexpect stencil all d = 7\n', targets))
    findings += holds(drawn('depth_stencil_alpha { depth_enabled on; depth_function less; depth_writes on }\n' + quad, depth, none + 'expect depth all d = 0.25\n', targets))
    findings += holds(drawn('depth_stencil_alpha { stencil front { function equal; pass incr } }\ndynamic { stencil_reference 7 }\n' + quad, depth, whole + 'expect stencil all d = 8\n', targets))
    findings += holds(drawn('depth_stencil_alpha { stencil front { function less; fail replace } }\ndynamic { stencil_reference 9 }\n' + quad, depth, none + 'expect stencil all d = 9\n', targets))
    findings += holds(drawn('depth_stencil_alpha { alpha_enabled on; alpha_function less; alpha_reference 0.5 }\n' + quad, after=none))
    return findings


def members():
    """Every member of the structs of state has its line."""
    findings, seen = [], 0
    headers = ''.join(c.read(os.path.join(tap.SOURCE, 'include', 'scheelite', name)).decode() for name in ('state.h', 'resource.h'))
    for block, struct_name, inner, others in (
            ('rasterizer', 'sch_rasterizer_options', '%s', ()), ('depth_stencil_alpha', 'sch_depth_stencil_alpha_options', '%s', ('stencil',)),
            ('depth_stencil_alpha', 'sch_stencil_face', 'stencil front { %s }', ()), ('blend', 'sch_blend_options', '%s', ('targets',)),
            ('blend', 'sch_blend_target', 'target 0 { %s }', ()), ('sampler', 'sch_sampler_options', '%s', ('border_is_words',)),
            ('dynamic', 'sch_dynamic_state', '%s', ('viewport_count', 'viewports', 'scissors', 'clip_planes'))):
        body = re.search(r'\nstruct ' + struct_name + r' \{(.*?)\n\};', headers, re.S).group(1)
        body = re.sub(r'/\*.*?\*/', '', body, flags=re.S)
        names = [re.match(r'\w+', part.strip()).group() for line in re.findall(r'(?:enum \w+|struct \w+|\w+) ([^;]+);', body) for part in line.split(',')]
        for name in set(names) - {'size', *others}:
            seen += 1
            _, _, err = run(f'{block} x {{ {inner % (name + " @")} }}\n')
            if 'error 122' not in err or 'no member' in err:
                findings.append(f'{block}: {name}: {err[:200]}')
    return findings + ([] if seen > 90 else [f'{seen} members'])


def bindings():
    """Textures with samplers, swizzles and levels; constants from buffers; storage."""
    body = 'use fetch\nbind fragment constants 0 { 0.125 0.125 }\nbind fragment texture 0 %s\ndraw triangle_strip mesh quad\n'
    source = FETCH + 'texture s { size 2 1; data { ubyte 255 0 0 255  0 0 255 255 } }\nsampler near { wrap clamp_to_edge }\nsampler far { wrap repeat }\n'
    halves = '\nexpect rect t 0 0 4 8 = 1 0 0 1\nexpect rect t 4 0 4 8 = 0 0 1 1\n'
    findings = holds(drawn(body % 's sampler near', source, halves))
    findings += holds(drawn(body % 's sampler near swizzle zy01', source, '\nexpect rect t 0 0 4 8 = 0 0 0 1\nexpect rect t 4 0 4 8 = 1 0 0 1\n'))
    findings += holds(drawn('use fetch\nbind fragment constants 0 { -0.125 0.125 }\nbind fragment texture 0 s sampler far\ndraw triangle_strip mesh quad\n', source, '\nexpect rect t 0 0 4 8 = 0 0 1 1\nexpect rect t 4 0 4 8 = 1 0 0 1\n'))
    findings += holds(drawn('bind fragment constants 0 b offset 16\ndraw triangle_strip mesh quad\n', 'buffer b { 1 0 0 1  0 1 0 1 }\n', '\nexpect all t = 0 1 0 1\n'))
    findings += holds(drawn('bind fragment constants 0 { matrix columns translate 0.25 0.5 0.75 }\nuse last\ndraw triangle_strip mesh quad\n',
                            'shader last fragment {\nFRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..3]\nMOV OUT[0], CONST[0][3]\nEND\n}\n', '\nexpect all t = 0.25 0.5 0.75 1\n'))
    # The border of an integer format, by a lookup at 1.5 texels beyond the edge.
    words = ('shader words fragment {\n FRAG\n DCL IN[0], POSITION, LINEAR\n DCL OUT[0], COLOR\n DCL SAMP[0]\n DCL SVIEW[0], 2D, UINT\n IMM[0] FLT32 {-2.0, 0.5, 0.0, 0.0}\n'
             ' TEX OUT[0], IMM[0], SAMP[0], 2D\n END\n}\ntexture s { size 1 1; format R32G32B32A32_UINT }\nsampler edge { wrap clamp_to_border; border_words 1 2 4294967295 4 }\ntexture u { size 8 8; format R32G32B32A32_UINT }\n')
    findings += holds(drawn('use words\nbind fragment texture 0 s sampler edge\ndraw triangle_strip mesh quad\n', words, '\nexpect all u = 1 2 4294967295 4\n', 'color 0 u\n'))
    # Each fragment counts itself.
    stored = ('shader stored fragment {\n FRAG\n DCL OUT[0], COLOR\n DCL BUFFER[0]\n DCL TEMP[0]\n IMM[0] UINT32 {4, 1, 0, 0}\n ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n MOV OUT[0], IMM[0]\n END\n}\n'
              'buffer n { uint 5 6 7 }\n')
    counted = '\nexpect buffer n { uint 5 70 7 }\nexpect buffer n offset 4 { uint 70 }\n'
    findings += holds(drawn('use stored\nbind fragment buffer 0 n\ndraw triangle_strip mesh quad\n', stored, counted))
    findings += holds(drawn('use stored\nbind fragment buffer 0 n offset 4 bytes 8\ndraw triangle_strip mesh quad\n', stored, '\nexpect buffer n { uint 5 6 71 }\n'))
    code, out, err = run('buffer n { ubyte 1 2 3 }\nexpect buffer n { ubyte 1 2 4 }\n', '--check')
    findings += [] if (code, out) == (c.NO, ['2: failed: n byte 2 is 3, not 4 (ubyte)', '0 passed, 1 failed']) else [f'{out}']
    levels = FETCH + 'texture s { size 4 4; levels 2; solid 1 0 0 1; solid 0 1 0 1 level 1 }\nsampler near { mip_filter nearest }\n'
    return findings + holds(drawn(body % 's sampler near level 1', levels, '\nexpect all t = 0 1 0 1\n')) + holds(drawn(body % 's sampler near level 0', levels, '\nexpect all t = 1 0 0 1\n'))


def textures():
    """Contents of textures, blits, copies, mip chains."""
    findings = holds('texture a { size 8 8; solid 0.25 0.5 0.75 1 }\nexpect all a = 0.25 0.5 0.75 1\n')
    findings += holds('texture a { size 8 8; checker 2 2  1 0 0 1  0 1 0 1 }\nexpect rect a 0 0 4 4 = 1 0 0 1\nexpect rect a 4 0 4 4 = 0 1 0 1\nexpect rect a 0 4 4 4 = 0 1 0 1\nexpect rect a 4 4 4 4 = 1 0 0 1\n')
    findings += holds('texture a { size 5 2; format R32G32B32A32_FLOAT; gradient x 0 0 0 1  1 2 4 1 }\n' + ''.join(f'\nexpect rect a {x} 0 1 2 = {x / 4} {x / 2} {x} 1 tolerance 0' for x in range(5)) + '\n')
    findings += holds('texture a { size 2 3; format R32_FLOAT; gradient y 1 0 0 0  3 0 0 0 }\nexpect rect a 0 0 2 1 = 1\nexpect rect a 0 1 2 1 = 2\nexpect rect a 0 2 2 1 = 3\n')
    findings += holds('texture a { size 2 1; format R32G32_UINT; data { uint 1 0xffffffff 3 4 } }\nexpect pixel a 0 0 = 1 4294967295 0 1\nexpect pixel a 1 0 = 3 4\n')
    findings += holds('texture a { size 2 1; format R16_SINT; data { short -5 6 } }\nexpect pixel a 0 0 = -5\nexpect pixel a 1 0 = 6\n')
    findings += holds('texture a { size 2 2; layers 3; solid 1 1 1 1 layer 1 }\nexpect all a layer 0 = 0 0 0 0\nexpect all a layer 1 = 1 1 1 1\nexpect all a layer 2 = 0 0 0 0\n')
    findings += holds('texture a { size 2 2 2; solid 1 1 1 1 layer 1 }\nexpect all a layer 0 = 0 0 0 0\nexpect all a layer 1 = 1 1 1 1\n')
    findings += holds('texture a { size 4 4; levels 3; checker 2 2  1 1 1 1  0 0 0 0; mips }\nexpect all a level 1 sample 0 = _ _ _ _\nexpect all a level 2 = 0.5 0.5 0.5 0.5\n')
    findings += holds('texture a { size 4 4; format DXT1_RGB; decoded; data { ubyte 0 248 31 0  0 0 0 85 } }\ntexture b { size 4 4 }\nblit a to b\nexpect rect b 0 0 4 3 = 1 0 0 1\nexpect rect b 0 3 4 1 = 0 0 1 1\n')
    findings += holds('texture a { size 4 4; levels all; solid 1 0 0 1 }\nexpect all a level 2 = 0 0 0 0\nmips a\nexpect all a level 2 = 1 0 0 1\n')
    findings += holds('texture a { size 2 2; solid 1 0 0 1 }\ntexture b { size 4 4 }\nblit a to b box 2 0 2 2\nexpect rect b 2 0 2 2 = 1 0 0 1\nexpect rect b 0 0 2 4 = 0 0 0 0\nexpect rect b 2 2 2 2 = 0 0 0 0\n')
    findings += holds('texture a { size 2 1; data { ubyte 255 0 0 255  0 255 0 255 } }\ntexture b { size 2 1 }\nblit a to b box 2 0 -2 1\nexpect pixel b 0 0 = 0 1 0 1\nexpect pixel b 1 0 = 1 0 0 1\n')
    findings += holds('texture a { size 2 2; solid 1 0 0 1 }\ntexture b { size 2 2; layers 2; format R32_UINT }\ncopy a to b layer 1\nexpect all b layer 1 = 4278190335\nexpect all b layer 0 = 0\n')
    findings += holds('texture a { size 8 8; samples 4; solid 1 0 0 1 }\ntexture b { size 8 8 }\nblit a to b\nexpect same a a\nexpect all b = 1 0 0 1\nexpect all a sample 3 = 1 0 0 1\n')
    c.png('two.png', 2, 1, bytes((255, 0, 0, 255, 0, 0, 255, 128)))
    findings += holds('texture a "two.png"\nexpect pixel a 0 0 = 1 0 0 1\nexpect pixel a 1 0 = 0 0 1 0.502\n')
    return findings + holds('texture a { image "two.png"; format R8G8B8A8_SRGB }\nexpect pixel a 0 0 = 1 0 0 1\n') + holds('texture a { image "two.png"; size 4 1; format R32_FLOAT }\nexpect pixel a 0 0 = 1\nexpect pixel a 3 0 = 0\n')


def numbers():
    """Types of data, and matrices against Python's."""
    # Between two floats, by so little that the nearest double is the middle: it is rounded once.
    middle = '1.00000017881393432617187499'
    words = struct.pack('<4f2e2di2hbI2HB', 1.5, -0.0, 1 + 2.0 ** -23, 16777217.0 + 1, 65504, 2.0 ** -24, 0.1, float('-inf'), -7, -32768, 5, -128, 0xdeadbeef, 1, 65535, 200) + bytes.fromhex('00ff7f') + bytes(3)
    text = f'float 1.5 -0 {middle} 16777217.0000000000000000001 half 65504 5.9604645e-8 double 0.1 -Infinity int -7 short -32768 5 byte -128 uint 0xdeadbeef ushort 1 65535 ubyte 200 hex 00ff 7f zero 3'
    size = len(words)
    findings = holds(f'texture a {{ size {size} 1; format R8_UINT; data {{ {text} }} }}\n' + f'texture b {{ size {size} 1; format R8_UINT; data {{ ubyte {" ".join(map(str, words))} }} }}\nexpect same a b\n', 1)
    generator = random.Random(5)
    halves, pieces = [], []
    for _ in range(200):
        value = generator.choice((generator.uniform(-70000, 70000), generator.uniform(-1e-4, 1e-4), generator.uniform(-1e-7, 1e-7), 65519.99, 65520, -1e-30))
        try:
            bits = struct.unpack('<H', struct.pack('<e', value))[0]
        except (OverflowError, struct.error):
            bits = 0x7c00 | (0x8000 if value < 0 else 0)
        halves.append(repr(value))
        pieces.append(str(bits))
    findings += holds(f'texture a {{ size 200 1; format R16_UINT; data {{ half {" ".join(halves)} }} }}\ntexture b {{ size 200 1; format R16_UINT; data {{ ushort {" ".join(pieces)} }} }}\nexpect same a b\n', 1)
    for expression, rows in MATRICES:
        values = ''.join(f'\nexpect pixel m {i} 0 = {v!r} tolerance 0.000001' for i, v in enumerate(rows))
        findings += holds(f'matrix other = scale 2 3 4\ntexture m {{ size 16 1; format R32_FLOAT; data {{ matrix {expression} }} }}' + values + '\n')
    return findings


MATRICES = (
    ('identity', (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)), ('translate 2 3 4 * scale 5 6 7', (5, 0, 0, 2, 0, 6, 0, 3, 0, 0, 7, 4, 0, 0, 0, 1)),
    ('scale 5 6 7 * translate 2 3 4', (5, 0, 0, 10, 0, 6, 0, 18, 0, 0, 7, 28, 0, 0, 0, 1)), ('rotate 90 0 0 1', (0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)),
    ('rotate -450 0 0 2', (0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)), ('rotate 120 1 1 1', (0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1)),
    ('rotate 30 1 0 0', (1, 0, 0, 0, 0, 0.8660254, -0.5, 0, 0, 0.5, 0.8660254, 0, 0, 0, 0, 1)), ('rotate 210 0 1 0', (-0.8660254, 0, -0.5, 0, 0, 1, 0, 0, 0.5, 0, -0.8660254, 0, 0, 0, 0, 1)),
    ('rotate 300 0 0 1', (0.5, 0.8660254, 0, 0, -0.8660254, 0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)), ('perspective 90 2 1 3', (0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, -3, 0, 0, -1, 0)),
    ('frustum -1 3 -2 2 1 3', (0.5, 0, 0.5, 0, 0, 0.5, 0, 0, 0, 0, -2, -3, 0, 0, -1, 0)), ('ortho -1 3 -2 2 1 3', (0.5, 0, 0, -0.5, 0, 0.5, 0, 0, 0, 0, -1, -2, 0, 0, 0, 1)),
    ('lookat 1 2 3  1 2 0  0 1 0', (1, 0, 0, -1, 0, 1, 0, -2, 0, 0, 1, -3, 0, 0, 0, 1)), ('lookat 5 0 0  0 0 0  0 2 0', (0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, -5, 0, 0, 0, 1)),
    ('rows 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16', tuple(range(1, 17))), ('other * other', (4, 0, 0, 0, 0, 9, 0, 0, 0, 0, 16, 0, 0, 0, 0, 1)))


def queries():
    before = 'query n occlusion_counter\nquery s pipeline_statistics\n'
    body = 'begin n\nbegin s\ndraw triangle_strip mesh left\nend s\nend n\n'
    findings = holds(drawn(body, before, '\nexpect query n = 32\nexpect query s = 4 2 4 0 0 2 2 _\n'))
    hidden = drawn('begin n\nend n\ncondition n%s\ndraw triangle_strip mesh quad\n', before, '\nexpect all t = %s\n')
    findings += holds(hidden % ('', '0 0 0 0')) + holds(hidden % (' inverted', '1 0 0 1')) + holds(hidden % ('\ncondition none', '1 0 0 1'))
    # A condition ends with its pass.
    findings += holds(drawn('begin n\nend n\ncondition n\n', before, 'pass {\ncolor 0 t\nuse vs fs\n' + RED + 'draw triangle_strip mesh quad\n}\nexpect all t = 1 0 0 1\n'))
    shown = drawn('begin n\ndraw triangle_strip mesh quad\nend n\n', before + 'texture b { size 8 8 }\n', 'blit t to b condition n%s\nexpect all b = %s\n')
    findings += holds(shown % ('', '1 0 0 1')) + holds(shown % (' inverted', '0 0 0 0'))
    text = drawn('begin n\nbegin n\n', before)
    line = text[:text.index('begin n\nbegin')].count('\n') + 2
    return findings + refuses(text, line, 7, 1228, 'the query has begun')


# ---- meshes from files -----------------------------------------------------------------------------------------------

OBJ = 'v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\n'
OBJ_WRONG = (('v 1 2\n', 1, 6, 'expected a number'), ('v 1 2 x\n', 1, 7, 'expected a number'), ('f 1 2 3\n', 1, 3, '0 entries'), (OBJ + 'f 1 2\n', 8, 6, 'at least three'), (OBJ + 'f 1 2 5\n', 8, 7, '4 entries'),
             (OBJ + 'f 1 2 0\n', 8, 7, '4 entries'), (OBJ + 'f 1 2 -5\n', 8, 7, '4 entries'), (OBJ + 'f 1/3 2 3\n', 8, 5, '2 entries'), (OBJ + 'f 1/1/2 2 3\n', 8, 7, '1 entries'), (OBJ + 'f 1/1/1/1 2 3\n', 8, 8, 'at most three'),
             (OBJ + 'f a 2 3\n', 8, 3, 'an index'), (OBJ + 'f 1.5 2 3\n', 8, 3, 'an index'), (OBJ + 'f / 2 3\n', 8, 3, 'an index'))


def meshes():
    """Faces of OBJ files: indices from both ends, fans, normals of the plane, what is passed over."""
    findings = []
    for faces in ('f 1 2 3 4\n', 'f 1 2 3\nf 1 3 4\n', 'f -4 -3 -2 -1\n', 'g x\nusemtl y\nf 1/1/1 2/1/1 3/2/1 4/2/1\ns off\n', 'f 1//1 2//1 3//1 4//1\n', 'f  1\t2 3 4\r\n'):
        c.write('mesh.obj', OBJ + faces)
        findings += holds(drawn('rasterizer { cull_face back }\ndraw triangles mesh m\n', 'mesh m "mesh.obj"\n', '\nexpect all t = 1 0 0 1\n'))
    normal = VS2 + FS2
    c.write('mesh.obj', OBJ + 'f 4 3 2 1\n')
    findings += holds(drawn('use vs2 fs2\ndraw triangles mesh m\n', normal + 'mesh m "mesh.obj"\n', '\nexpect all f = 0 0 -1 1\n', 'color 0 f\n').replace('texture t {', 'texture f { size 4 4; format R32G32B32A32_FLOAT }\ntexture t {'))
    for text, line, column, message in OBJ_WRONG:
        name = c.write('mesh.obj', text)
        code, out, err = run('mesh m "mesh.obj"\n')
        if code != c.NO or f'mesh.obj:{line}:{column}: error 1227: ' not in err or message not in err or err.count('error ') != 1:
            findings.append(f'{text[-20:]!r}: {code} {err[:200]}')
    c.write('mesh.obj', 'v 1 2 3\n')
    findings += refuses('mesh m "mesh.obj"\n', 1, 8, 1226, 'has no polygons')
    c.write('mesh.gltf', '{}')
    return findings + refuses('mesh m "mesh.gltf"\n', 1, 8, 1226, 'not from glTF')


# ---- the command -----------------------------------------------------------------------------------------------------

def outputs():
    """What -o writes."""
    text = 'texture a { size 2 1; data { ubyte 1 2 3 4  255 0 128 7 } }\ntexture d { size 2 1; format Z32_FLOAT; data { 0.5 2 } }\ntexture i { size 2 1; format R32_UINT }\n' + TEXTURE + \
        'texture g { size 2 1; format R8G8B8A8_SRGB; data { ubyte 1 2 3 4  255 0 128 7 } }\nexpect all a = _\nexpect all d = _\n'
    text = text.replace('expect all d = _\n', 'expect depth all d = _\nexpect all i = _\nexpect all g = _\n')
    findings = []
    for target, texels in (('a', bytes((1, 2, 3, 4, 255, 0, 128, 7))), ('d', bytes((128, 128, 128, 255, 255, 255, 255, 255))), ('g', bytes((1, 2, 3, 4, 255, 0, 128, 7)))):
        code, out, err = run(text, '--check', '-o', c.path('out.png'), '--target', target)
        if code or c.picture(c.path('out.png')) != (2, 1, texels):
            findings.append(f'{target}: {code} {err} {c.picture(c.path("out.png"))}')
    code, out, err = run(text, '--check', '-o', c.path('out.png'), '--target', 'i')
    findings += [] if code == c.NO and 'its format has no picture' in err else [f'i: {code} {err}']
    code, out, err = run(text, '-o', c.path('out.png'), '--target', 'x')
    findings += [] if code == c.NO and 'no texture x was drawn' in err else [f'x: {code} {err}']
    code, out, err = run(text, '-o', c.path('out.png'))
    findings += [] if code == c.NO and 'no colour was drawn' in err else [f'{code} {err}']
    code, out, err = run(text + 'output a\n', '-o', c.path('out.png'), '--check')
    findings += [] if code == c.YES and c.picture(c.path('out.png'))[2][:4] == bytes((1, 2, 3, 4)) else [f'{code} {err}']
    return findings + c.exit_is(c.IO, 'render', c.path('nothing.scene'), err='cannot open')


def warnings():
    """Those of the library about shaders in the scene have its lines; -Werror makes them errors."""
    text = drawn('use fed\ndraw triangle_strip mesh quad\n', 'shader fed fragment {\n  FRAG\n  DCL IN[0], GENERIC[3], PERSPECTIVE\n  DCL OUT[0], COLOR\n  MOV OUT[0], IN[0]\n  END\n}\n')
    line = text[:text.index('  DCL IN[0], GENERIC')].count('\n') + 1
    findings = []
    for options, wanted in (((), c.YES), (('-Werror',), c.NO), (('-Wno-6520',), c.YES)):
        code, out, err = run(text, *options)
        report = f':{line}:3: warning 6520: ' in err and '\n      DCL IN[0], GENERIC[3], PERSPECTIVE\n      ^\n' in err
        if code != wanted or report != ('-Wno-6520' not in options):
            findings.append(f'{options}: {code} {out} {err}')
    return findings


def integers():
    """Integers are compared and printed as integers, all their digits; so are counts of queries and numbers of buffers."""
    findings = []
    text = ('texture u { size 1 1; format R32G32B32A32_UINT; data { uint 4294967295 16777217 2147483648 3 } }\n'
            'texture i { size 1 1; format R32G32B32A32_SINT; data { int -2147483648 -16777217 2147483647 -1 } }\n'
            'buffer b { uint 4294967295 16777217  int -2147483648 5  float 0.1 1.5  ushort 65535 1  short -32768  hex 01ff  double 0.25 }\n')
    good = ('expect pixel u 0 0 = 4294967295 16777217 2147483648 3\nexpect pixel u 0 0 = 0xffffffff _ 0x80000000 3.0\nexpect pixel i 0 0 = -2147483648 -16777217 2147483647 -1\n'
            'expect pixel u 0 0 = 4294967290 16777220 tolerance 5\nexpect pixel i 0 0 = 2147483647 _ _ 1 tolerance 4294967295\nexpect pixel i 0 0 = -2147483640 tolerance 8\n'
            'expect buffer b offset 8 { int -2147483648 5 float 0.1 }\n')
    findings += holds(text + good)
    wrong = (('pixel u 0 0 = 4294967294 16777216', 'u 0,0 is (4294967295, 16777217), not (4294967294, 16777216)'),
             ('pixel u 0 0 = -1 _ 2147483647.5', 'u 0,0 is (4294967295, 16777217, 2147483648), not (-1, _, 2.14748365e+09)'),
             ('pixel i 0 0 = 2147483648 -16777216 2147483646 1', 'i 0,0 is (-2147483648, -16777217, 2147483647, -1), not (2147483648, -16777216, 2147483646, 1)'),
             ('pixel i 0 0 = 2147483647 tolerance 4294967294', 'i 0,0 is (-2147483648), not (2147483647)'),
             ('pixel i 0 0 = 4294967295', 'i 0,0 is (-2147483648), not (4294967295)'),
             ('buffer b { uint 4294967295 16777216 }', 'b byte 4 is 16777217, not 16777216 (uint)'),
             ('buffer b offset 4 { uint 16777217 int -2147483647 }', 'b byte 8 is -2147483648, not -2147483647 (int)'),
             ('buffer b offset 12 { int 5 float 0.1 2 }', 'b byte 20 is 1.5, not 2 (float)'),
             ('buffer b offset 24 { ushort 65535 2 }', 'b byte 26 is 1, not 2 (ushort)'), ('buffer b offset 28 { short -32767 }', 'b byte 28 is -32768, not -32767 (short)'),
             ('buffer b offset 30 { hex 01fe }', 'b byte 31 is 0xff, not 0xfe'), ('buffer b offset 30 { hex 01ff double 0.5 }', 'b byte 32 is 0.25, not 0.5 (double)'),
             ('buffer b offset 16 { float nan }', 'b byte 16 is 0.100000001, not nan (float)'))
    out = run(text + ''.join(f'expect {line}\n' for line, _ in wrong), '--check')[1]
    for number, (line, said) in enumerate(wrong):
        if number >= len(out) or out[number] != f'{4 + number}: failed: {said}':
            findings.append(f'{line}: {out[number:number + 1]}, not {said}')
    return findings


def failures():
    """What does not hold is said with its line; the exit code is 1, and the picture is written nevertheless."""
    text = 'texture a { size 2 2; solid 1 0.5 0 1 }\nexpect all a = 1 0.5 0 1\nexpect rect a 0 1 2 1 = 1 0.25 _\nexpect pixel a 1 1 = 0\n'
    code, out, err = run(text + 'output a\n', '--check', '-o', c.path('out.png'))
    wanted = ['3: failed: a 0,1 is (1, 0.501960814, 0), not (1, 0.25, _); so are 2 of 2 pixels', '4: failed: a 1,1 is (1), not (0)', '1 passed, 2 failed']
    findings = [] if (code, out, err) == (c.NO, wanted, '') and c.picture(c.path('out.png'))[0] == 2 else [f'{code} {out} {err}']
    findings += [] if run(text) == (c.YES, [], UNWRITTEN) else [f'{run(text)}']
    code, out, err = run('texture a { size 1 1; format R32_FLOAT; data { 1 } }\nexpect pixel a 0 0 = 1.25 tolerance 0.25\nexpect pixel a 0 0 = 1.25 tolerance 0.2\nexpect pixel a 0 0 = nan\n', '--check')
    findings += [] if code == c.NO and [line[:9] for line in out] == ['3: failed', '4: failed', '1 passed,'] else [f'{out}']
    code, out, err = run('texture a { size 1 1; solid 1 0 0 1 }\ntexture b { size 1 1; solid 1 0 1 1 }\nexpect same a b\n', '--check')
    return findings + ([] if (code, out[0]) == (c.NO, '3: failed: a and b differ from byte 2 on') else [f'{out}'])


def statistics():
    code, out, err = run(drawn('draw triangle_strip mesh left\ndraw triangle_strip mesh left\n').replace('pass {', 'pass two {'), '--stats')
    names = 'pass draws vertices primitives vs_invocations clipper_in clipper_out fs_invocations samples milliseconds'.split()
    good = code == c.YES and len(out) == 2 and out[0].split('\t') == names and re.fullmatch(r'0 two\t2\t8\t4\t8\t4\t4\t\d+\t64\t\d+\.\d{3}', out[1])
    return [] if good else [f'{code} {out} {err}']


LOOP = ('shader slow fragment {\n  FRAG\n  DCL OUT[0], COLOR\n  DCL TEMP[0]\n  IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n  BGNLOOP\n  ADD TEMP[0], TEMP[0], IMM[0]\n  ENDLOOP\n'
        '  MOV OUT[0], TEMP[0]\n  END\n}\n')


def limits():
    """Budget, work and deadline end a draw, and say where."""
    text = drawn('use slow\ndraw triangle_strip mesh quad\n', LOOP)
    findings = []
    for option, value, word in (('--budget', '100', 'budget'), ('--work', '1000', ''), ('--deadline', '50', '')):
        code, out, err = run(text, option, value, *(() if option == '--budget' else ('--budget', '1000000000')))
        if code != c.LIMIT or 'shader slow, line ' not in err or word not in err:
            findings.append(f'{option}: {code} {out} {err[:300]}')
    # The work of both draws together.
    code, out, err = run(drawn('draw triangle_strip mesh quad\n' * 50), '--work', '100')
    return findings + ([] if code == c.LIMIT else [f'{code} {err[:200]}'])


def sizes():
    """Of scenes: objects, commands, bytes."""
    findings = refuses(''.join(f'query q{i} occlusion_counter\n' for i in range(65537)), 65537, 7, 1225, '65536 objects')
    findings += refuses('query q occlusion_counter\npass {\n' + 'end q\n' * (1 << 20) + '}\n', (1 << 20) + 2, 5, 1225, '1048576 commands')
    code, out, err = run(''.join(f'buffer b{i} 134217728\n' for i in range(8)))
    return findings + ([] if code == c.LIMIT and 'holds too much' in err else [f'{code} {err}'])


def in_small(text):
    """A scene with a tenth of the pixels each way: the same statements, draws and shaders."""
    def tenth(match):
        return match.group(1) + re.sub(rb'[0-9]{3,}', lambda number: b'%d' % (int(number.group()) // 10), match.group(2))
    return re.sub(rb'\b(size|box|source)((?: +[0-9]+)+)', tenth, text)


def damaged():
    """Prefixes and flipped bytes of the examples, which draw few pixels here: an answer, never a crash."""
    findings, generator = [], random.Random(11)
    for name in sorted(os.listdir(SCENES)):
        if not name.endswith('.scene'):
            continue
        data = in_small(c.read(os.path.join(SCENES, name)))
        whole = c.run('render', '-', stdin=data, cwd=SCENES)
        findings += [f'{name}: small: {whole.returncode} {whole.stderr[:200]}'] if whole.returncode or whole.stderr.decode() != UNWRITTEN else []
        cases = [data[:generator.randrange(len(data))] for _ in range(3 if c.PART else 6)]
        for _ in range(7 if c.PART else 14):
            changed = bytearray(data)
            for _ in range(generator.choice((1, 1, 4))):
                changed[generator.randrange(len(changed))] = generator.randrange(256)
            cases.append(bytes(changed))
        for case in cases:
            done = c.run('render', '--budget', '1000', '--work', '10000000', '-', stdin=case, cwd=SCENES)
            if done.returncode not in (c.YES, c.NO, c.IO, c.UNSUPPORTED, c.LIMIT):
                findings.append(f'{name}: exit {done.returncode} for {case!r}: {done.stderr[:200]}')
    return findings


tap.run([('errors', errors), ('several errors', several_errors), ('objects that cannot be', objects_that_cannot_be), ('lowered lookups', lowered_lookups), ('examples', examples), ('demonstration', demonstration), ('engines', engines), ('draws', draws), ('states', states), ('members', members),
         ('bindings', bindings), ('textures', textures), ('numbers', numbers), ('queries', queries), ('meshes', meshes), ('outputs', outputs), ('warnings', warnings), ('integers', integers), ('failures', failures),
         ('statistics', statistics), ('limits', limits), ('sizes', sizes), ('damaged', damaged)])
