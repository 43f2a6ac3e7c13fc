#!/usr/bin/env python3
"""scheelite render --explain-pixel and --stats: what they say of scenes whose pixels and counts are worked out by hand
from docs/pipeline.md, and that docs/scenes.md shows what is printed."""
import os
import re

import command as c
import tap

SCENE = os.path.join(c.EXAMPLES, 'scenes', 'overlaps.scene')
DOCUMENT = os.path.join(c.EXAMPLES, '..', 'docs', 'scenes.md')
# Colour in IN[1], constant over a triangle.
SHADERS = ('shader vs vertex {\n  VERT\n  DCL IN[0]\n  DCL IN[1]\n  DCL OUT[0], POSITION\n  DCL OUT[1], COLOR\n  MOV OUT[0], IN[0]\n  MOV OUT[1], IN[1]\n  END\n}\n'
           'shader fs fragment {\n  FRAG\n  DCL IN[0], COLOR, CONSTANT\n  DCL OUT[0], COLOR\n  MOV OUT[0], IN[0]\n  END\n}\n'
           'shader each fragment {\n  FRAG\n  DCL SV[0], SAMPLEID\n  DCL OUT[0], COLOR\n  I2F OUT[0], SV[0].xxxx\n  END\n}\n'
           'shader mask fragment {\n  FRAG\n  DCL IN[0], COLOR, CONSTANT\n  DCL OUT[0], COLOR\n  DCL OUT[1], SAMPLEMASK\n  IMM[0] UINT32 { 2, 0, 0, 0 }\n  MOV OUT[0], IN[0]\n  MOV OUT[1].x, IMM[0].xxxx\n  END\n}\n')
# A triangle over all of the picture, at depth 0.75, red with alpha 0.5; as a front face.
MESH = 'mesh all { position float3; color float4; vertices { -1 -1 0.5 1 0 0 0.5  3 -1 0.5 1 0 0 0.5  -1 3 0.5 1 0 0 0.5 } }\n'
# The left half of pixel 3 and what is left of it, of 8 pixels.
HALF = 'mesh half { position float2; color float4; vertices { -1 -1 1 1 1 1  -0.125 -1 1 1 1 1  -1 1 1 1 1 1  -0.125 1 1 1 1 1 } }\n'


def explained(text, *options, at='3,2'):
    """Exit code, the events (lines without the number and the place), text of stderr."""
    done = c.run('render', *options, '--explain-pixel', at, c.write('pixel.scene', text))
    events = [[re.sub(r'^\d+\. line \d+', '', line) for line in event.splitlines()] for event in done.stdout.decode().split('\n\n')]
    return done.returncode, events, done.stderr.decode()


def scene(body, textures='texture t { size 8 8 }\n', framebuffer='color 0 t; ', after=''):
    return textures + SHADERS + MESH + HALF + 'pass { ' + framebuffer + 'use vs fs; ' + body + ' }\n' + after


def says(text, *wanted, title='pixel 3,2 of t, R8G8B8A8_UNORM', options=(), at='3,2'):
    """The events of a scene are these."""
    code, events, err = explained(text, *options, at=at)
    have = (code, events, err)
    want = (c.YES, [[title], *[list(event) for event in wanted]], '')
    return [] if have == want else [f'{text[-200:]!r}: {have}, not {want}']


ALL = ': draw triangles, primitive 0: a triangle of vertices 0 1 2, front face'
DEPTH = {'textures': 'texture t { size 8 8 }\ntexture d { size 8 8; format Z24_UNORM_S8_UINT }\n', 'framebuffer': 'color 0 t; depth_stencil d; '}


# ---- the document ----------------------------------------------------------------------------------------------------

def document():
    """docs/scenes.md has what is printed, with any engine and number of threads."""
    with open(DOCUMENT, encoding='utf-8') as file:
        shown = re.search(r'\$ scheelite render (\S+) --explain-pixel (\S+)\n(.*?)\n```', file.read(), re.DOTALL)
    findings = [] if shown and shown.group(1) == 'examples/scenes/overlaps.scene' else ['no example']
    engines = [('--engine', 'interp', '--threads', n, '--width', w) for n, w in (('1', '4'), ('3', '8'), ('3', '16'))] + [('--threads', '1'), ('--threads', '3')]
    if c.compiles():
        engines += [('--engine', 'jit', '--threads', '3', '--cache', 'none'), ('--engine', 'both', '--cache', 'none')]
    for options in engines if not findings else ():
        done = c.run('render', SCENE, '--explain-pixel', shown.group(2), *options)
        if (done.returncode, done.stdout.decode(), done.stderr) != (c.YES, shown.group(3) + '\n', b''):
            findings.append(f'{options}: {done.returncode} {done.stdout.decode()} {done.stderr}')
    return findings


# ---- why -------------------------------------------------------------------------------------------------------------

def reasons():
    draw = 'draw triangles mesh all'
    findings = says(scene(draw), (ALL, '  passed', '           before   fragment   after', '  color 0  0 0 0 0  1 0 0 0.5  1 0 0 0.501961'))
    cases = (
        ('rasterizer { cull_face front }; ' + draw, 'culled: a front face'), ('rasterizer { scissor on }; dynamic { scissor 0 0 3 8 }; ' + draw, 'outside of the scissor'),
        ('rasterizer { clip_plane_enable 1 }; dynamic { clip_plane 0 1 0 0 0 }; ' + draw, 'outside of a clip plane'),
        ('rasterizer { poly_stipple_enable on }; dynamic { polygon_stipple { ' + '0 ' * 32 + '} }; ' + draw, 'taken out by the stipple'))
    for body, reason in cases:
        findings += says(scene(body), (ALL, '  ' + reason))
    findings += says(scene('depth_stencil_alpha { alpha_enabled on; alpha_function gequal; alpha_reference 0.75 }; ' + draw),
                     (ALL, '  failed the alpha test: 0.5 is not greater than or equal to 0.75', '           before   fragment   after', '  color 0  0 0 0 0  1 0 0 0.5  0 0 0 0'))
    clear = 'clear depth 0.25 stencil 5; '
    cleared = (': clear', '           before  after', '  depth    0       0.250000015', '  stencil  0x00    0x05')
    findings += says(scene(clear + 'depth_stencil_alpha { depth_bounds on; depth_bounds_min 0.5; depth_bounds_max 1 }; ' + draw, **DEPTH), cleared,
                     (ALL, '  failed the depth bounds test: the buffer has 0.250000015, not within 0.5 to 1'))
    findings += says(scene(clear + 'dynamic { stencil_reference 4 }; depth_stencil_alpha { stencil front { function equal; value_mask 15; fail invert } }; ' + draw, **DEPTH), cleared,
                     (ALL, "  failed the stencil test: reference 0x04 & 0x0f is not equal to the buffer's 0x05 & 0x0f", '           before  fragment  after', '  stencil  0x05    0x04      0xfa'))
    for function, words in (('never', 'never passes against'), ('less', 'is not less than'), ('equal', 'is not equal to'), ('lequal', 'is not less than or equal to')):
        findings += says(scene(clear + f'depth_stencil_alpha {{ depth_enabled on; depth_function {function} }}; ' + draw, **DEPTH), cleared,
                         (ALL, f"  failed the depth test: 0.749999985 {words} the buffer's 0.250000015", '         before       fragment     after', '  depth  0.250000015  0.749999985  0.250000015'))
    return findings


def blending():
    """What becomes of a colour that passed."""
    findings = []
    for blend, name, after in (('target 0 { color_mask 5 }', 'blended only rb', '1 0 0 0'), ('target 0 { enabled off; color_mask 0 }', 'not written', '0 0 0 0'), ('target 0 { enabled off; color_mask 8 }', 'only a', '0 0 0 0.501961'),
                               ('logic_enabled on; logic_operation or', 'blended', '1 0 0 0.501961')):
        head = ' ' * (len(name) + 12) + 'before   fragment   after'
        findings += says(scene(f'blend {{ {blend} }}; draw triangles mesh all'), (ALL, '  passed', head, f'  color 0 {name}  0 0 0 0  1 0 0 0.5  {after}'))
    return findings


def primitives():
    point = 'mesh point { position float2; color float4; vertices { 9 9 0 0 0 0  -0.125 0.375 0 1 0 1 } }\n'
    green = ('           before   fragment  after', '  color 0  0 0 0 0  0 1 0 1   0 1 0 1')
    again = ('           before   fragment  after', '  color 0  0 1 0 1  0 1 0 1   0 1 0 1')
    text = scene('draw points mesh point instances 2', 'texture t { size 8 8 }\n' + point)
    findings = says(text, (': draw points, primitive 1 of instance 0: a point of vertex 1', '  passed', *green), (': draw points, primitive 1 of instance 1: a point of vertex 1', '  passed', *again))
    text = scene('draw points mesh point ranges { 0 1 0  1 1 0 } draw_id 3', 'texture t { size 8 8 }\n' + point)
    findings += says(text, (': draw points, primitive 0 of draw 4: a point of vertex 1', '  passed', *green))
    line = 'mesh line { position float2; color float4; vertices { -1 0.375 0 1 0 1  1 0.375 0 1 0 1 } }\n'
    text = scene('draw lines mesh line', 'texture t { size 8 8 }\n' + line).replace('pass {', 'pass thin {')
    findings += says(text, (', pass thin: draw lines, primitive 0: a line of vertices 0 1', '  passed', *green))
    back = scene('rasterizer { front_ccw off }; draw triangles mesh all')
    return findings + says(back, (ALL.replace('front face', 'back face'), '  passed', '           before   fragment   after', '  color 0  0 0 0 0  1 0 0 0.5  1 0 0 0.501961'))


# ---- samples ---------------------------------------------------------------------------------------------------------

def samples():
    """The standard pattern of four: samples 0 and 2 are left of the pixel's middle, where the mesh ends."""
    four = {'textures': 'texture t { size 8 8; samples 4 }\n', 'framebuffer': 'color 0 t; '}
    title = 'pixel 3,2 of t, R8G8B8A8_UNORM, 4 samples'
    strip = ': draw triangle_strip, primitive 1: a triangle of vertices 2 1 3, front face'
    head, row = '  sample           before   fragment  after', '  {}     color 0  0 0 0 0  1 1 1 1   1 1 1 1'
    findings = []
    # The diagonal goes from the lower right to the upper left: pixel 3, 2 is above it, in the second triangle.
    code, events, err = explained(scene('draw triangle_strip mesh half', **four))
    have = [line for event in events[1:] for line in event[1:]]
    want = ['  covers 2 of 4 samples, not the centre', '  samples 0 2: passed', '  samples 1 3: not covered', head, row.format('0 2')]
    findings += [] if (code, events[0], have, err) == (c.YES, [title], want, '') and events[1][0] == strip else [f'{code} {events} {err}']
    code, events, err = explained(scene('dynamic { sample_mask 4 }; draw triangle_strip mesh half', **four))
    want = ['  covers 2 of 4 samples, not the centre', '  sample 0: not in the sample mask', '  samples 1 3: not covered', '  sample 2: passed', head, row.format('2  ')]
    findings += [] if [line for event in events[1:] for line in event[1:]] == want else [f'{events}']
    draw = 'draw triangles mesh all'
    red = '  {}     color 0{} 0 0 0 0  1 0 0 0.5  1 0 0 0.501961'
    findings += says(scene('blend { alpha_to_coverage on }; ' + draw, **four),
                     (ALL, '  samples 0 1: passed', '  samples 2 3: not covered by alpha, 0.5', '  sample           before   fragment   after', red.format('0 1', ' '), '  2 3     color 0  0 0 0 0  1 0 0 0.5  0 0 0 0'), title=title)
    findings += says(scene('use mask; ' + draw, **four),
                     (ALL, '  samples 0 2 3: not in the sample mask that the fragment shader wrote, 0x2', '  sample 1: passed', '  sample           before   fragment   after',
                      '  0 2 3   color 0  0 0 0 0  1 0 0 0.5  0 0 0 0', '  1       color 0  0 0 0 0  1 0 0 0.5  1 0 0 0.501961'), title=title)
    findings += says(scene(draw, **four), (ALL, '  all samples: passed', '  sample           before   fragment   after', '  all     color 0  0 0 0 0  1 0 0 0.5  1 0 0 0.501961'), title=title)
    code, events, err = explained(scene('use each; ' + draw, **four))
    have = [event[1:3] for event in events[1:]]
    want = [[f'  the fragment shader runs for each sample: this is sample {s}', f'  sample {s}: passed'] for s in range(4)]
    return findings + ([] if have == want else [f'{events}'])


# ---- targets ---------------------------------------------------------------------------------------------------------

def targets():
    """Depth, integers, layers, several buffers, and what is done beside passes."""
    findings = []
    done = c.run('render', SCENE, '--explain-pixel', '26,30', '--target', 'depth')
    findings += [] if done.stdout.startswith(b'pixel 26,30 of depth, Z24_UNORM_S8_UINT\n\n1. line 57, pass overlaps: clear\n') else [f'{done}']
    text = ('texture a { size 8 8; format R8_SINT }\ntexture b { size 8 8; layers 3; format R32G32_FLOAT }\n' + SHADERS + MESH +
            'pass { color 0 a; color 3 b layer 1; clear color target 0 -5 0 0 0; clear color target 3 0.25 7 0 0; clear color target 3 0.25 7 0 0 }\n'
            'output b layer 1\n')
    clear = (': clear', '           before  after', '  color 3  0 0     0.25 7')
    findings += says(text, (': clear', '           before  after', '  color 0  0       -5'), clear, (': clear', '  changed nothing'), title='pixel 3,2 of b, R32G32_FLOAT')
    # Another layer of the same texture.
    findings += says(text.replace('output b layer 1', 'output b layer 2'), title='pixel 3,2 of b: nothing was drawn there')
    pieces = ('texture t { size 8 8 }\ntexture s { size 8 8; solid 0 0 1 1 }\nblit s to t\nblit s to t scissor 0 0 2 2\ncopy t to t box 0 0 1 1\ntexture o { size 8 8; solid 1 1 0 1 }\ncopy o to t\noutput t\n')
    source = '; --target {0} explains what was drawn there'.format
    findings += says(pieces, (': blit from s' + source('s'), '           before   after', '  color 0  0 0 0 0  0 0 1 1'), (': blit from s' + source('s'), '  outside of the scissor'),
                     (': copy from o' + source('o'), '           before   after', '  color 0  0 0 1 1  1 1 0 1'))
    mips = 'texture m { size 16 16; levels all; solid 1 0 0 1 }\nmips m\noutput m level 1\n'
    findings += says(mips, (': mips', '           before   after', '  color 0  0 0 0 0  1 0 0 1'), title='pixel 3,2 of m, R8G8B8A8_UNORM')
    # Rows count from the top of the picture, as in the picture that is written.
    done = c.run('render', os.path.join(c.EXAMPLES, 'scenes', 'triangle.scene'), '--explain-pixel', '160,30', '-o', c.path('triangle.png'))
    width, height, texels = c.picture(c.path('triangle.png'))
    shown = [float(word) for word in done.stdout.decode().split('\n')[-2].split('  ')[-1].split()]
    dot = list(texels[(30 * width + 160) * 4:][:4])
    return findings + ([] if [round(value * 255) for value in shown] == dot and dot[0] > 200 else [f'{done.stdout.decode()} {dot}'])


def wrong():
    """What is no pixel, and draws that end."""
    text = scene('draw triangles mesh all')
    findings = []
    for at, reason in (('8,2', 't has 8 columns and 8 rows, both counted from 0'), ('2,8', 't has 8 columns'), ('4294967295,0', 't has 8 columns')):
        code, events, err = explained(text, '-o', c.path('none.png'), at=at)
        findings += [] if (code, events) == (c.NO, []) or (code, events) == (c.NO, [[]]) and f'no pixel {at}: {reason}' in err else [f'{at}: {code} {events} {err}']
        findings += [f'no pixel {at}: {reason} is not in {err}'] if f'no pixel {at}: {reason}' not in err else []
    for options, reason in ((('--target', 'q'), 'there is no texture q'), (('--target', 'vs'), 'there is no texture vs')):
        code, events, err = explained(text, *options)
        findings += [] if code == c.NO and reason in err else [f'{options}: {code} {events} {err}']
    code, events, err = explained('query q occlusion_counter\n')
    findings += [] if code == c.NO and 'no colour is drawn' in err else [f'{code} {err}']
    code, events, err = explained('texture u { size 8 8; format R8_SSCALED }\noutput u\n')
    findings += [] if code == c.UNSUPPORTED and 'cannot be drawn to' in err else [f'{code} {err}']
    for at in ('', '3', '3,', ',3', '3,2,1', '-1,2', '3,2x', '0x3,2', '3;2', '4294967296,0', '99999999999999999999,1'):
        code, events, err = explained(text, at=at)
        findings += [] if code == c.USAGE and '--explain-pixel is X,Y with numbers from 0' in err else [f'{at!r}: {code} {err}']
    # What was drawn before a draw ended is told.
    slow = 'shader slow fragment {\n  FRAG\n  DCL OUT[0], COLOR\n  BGNLOOP\n  ENDLOOP\n  END\n}\n'
    code, events, err = explained(scene('draw triangles mesh all; use slow; draw triangles mesh all', 'texture t { size 8 8 }\n' + slow), '--budget', '100')
    findings += [] if code == c.LIMIT and [event[1] for event in events[1:]] == ['  passed', '  not reached: the draw ended before'] else [f'{code} {events} {err}']
    # Ten thousand events are shown.
    code, events, err = explained(scene('draw triangles mesh all instances 10003'))
    return findings + ([] if code == c.YES and len(events) == 10002 and events[-1] == ['3 more events are not shown'] else [f'{code} {len(events)} {events[-1]}'])


# ---- statistics ------------------------------------------------------------------------------------------------------

def statistics():
    """--stats: draws, vertices, primitives, vertex shaders, primitives into and out of the clipper, fragment shaders,
    samples. On 8 x 8 pixels of 4 samples with depth:
    1. the whole picture: 3 vertices, 1 primitive, 64 fragments, 256 samples. Its depth is 0.75
    2. again by indices 0 1 2 0 1 2, in two instances, farther by nothing: depth less passes no sample, tests come before
       the program: 12 vertices (each transfer counts), 4 primitives in and out, no fragment
    3. culled: 3 vertices, 1 primitive in and, since culling comes behind the clipper, out
    4. two triangles: one has a corner before the near plane and becomes two, beside the picture, one is behind the far
       plane. And a strip of two at depth 0.25 over 4 x 8 pixels, whose diagonal goes through 8 of them with samples on
       either side, which have two fragments: 6 + 4 vertices, 4 primitives in, 2 + 0 + 2 out, 40 fragments, 128 samples
    """
    text = ('texture t { size 8 8; samples 4 }\ntexture d { size 8 8; samples 4; format Z32_FLOAT }\n' + SHADERS + MESH +
            'mesh twice { position float3; color float4; vertices { -1 -1 0.5 1 0 0 0.5  3 -1 0.5 1 0 0 0.5  -1 3 0.5 1 0 0 0.5 }; indices { 0 1 2 0 1 2 } }\n'
            'mesh two { position float3; color float4; vertices { '
            '2 -1 -2 1 1 1 1  2 1 0 1 1 1 1  3 0 0 1 1 1 1   -1 -1 2 1 1 1 1  1 -1 2 1 1 1 1  -1 1 3 1 1 1 1 } }\n'
            'mesh left { position float3; color float4; vertices { -1 -1 -0.5 1 1 1 1  0 -1 -0.5 1 1 1 1  -1 1 -0.5 1 1 1 1  0 1 -0.5 1 1 1 1 } }\n'
            'depth_stencil_alpha less { depth_enabled on; depth_writes on; depth_function less }\n'
            'pass { color 0 t; depth_stencil d; clear color 0 0 0 0 depth 1; use vs fs less; draw triangles mesh all }\n'
            'pass again { color 0 t; depth_stencil d; use vs fs less; draw triangles mesh twice instances 2 }\n'
            'pass culled { color 0 t; depth_stencil d; use vs fs less; rasterizer { cull_face front }; draw triangles mesh all }\n'
            'pass clipped { color 0 t; depth_stencil d; use vs fs less; draw triangles mesh two; draw triangle_strip mesh left }\n'
            'pass none { color 0 t }\n')
    want = [('0', 1, 3, 1, 3, 1, 1, 64, 256), ('1 again', 1, 12, 4, 12, 4, 4, 0, 0), ('2 culled', 1, 3, 1, 3, 1, 1, 0, 0), ('3 clipped', 2, 10, 4, 10, 4, 4, 40, 128), ('4 none', 0, 0, 0, 0, 0, 0, 0, 0)]
    findings = []
    for options in (('--threads', '1'), ('--threads', '3', '--engine', 'interp', '--width', '4')):
        done = c.run('render', c.write('stats.scene', text), '--stats', *options)
        rows = [line.split('\t') for line in done.stdout.decode().splitlines()]
        names = 'pass draws vertices primitives vs_invocations clipper_in clipper_out fs_invocations samples milliseconds'.split()
        have = [(row[0], *map(int, row[1:9])) for row in rows[1:]]
        good = done.returncode == c.YES and rows[0] == names and have == want and all(re.fullmatch(r'\d+\.\d{3}', row[9]) for row in rows[1:])
        findings += [] if good else [f'{options}: {done.returncode} {have}, not {want}; {done.stderr}']
    return findings


tap.run([('docs/scenes.md', document), ('reasons', reasons), ('blending', blending), ('primitives', primitives), ('samples', samples), ('targets', targets), ('wrong', wrong), ('statistics', statistics)])
