#!/usr/bin/env python3
"""trace of draws and of Maxwell code: from a pixel of a scene, or of a recorded frame, to the fragment that made it and the vertices
of its primitive; --debug-pixel of render and replay. What shaders compute is worked out by hand."""
import os
import re

import command as c
import recorded
import tap

# Two triangles over all of the picture, the second one behind the first: red with 0.5 times green, at depths 0.25 and 0.75.
SCENE = '''texture t { size 8 8; format R32G32B32A32_FLOAT }
texture d { size 8 8; format Z32_FLOAT }
mesh near { position float3; color float4; vertices { -1 -1 -0.5 1 0.5 0 1  3 -1 -0.5 1 0.5 0 1  -1 3 -0.5 1 0.5 0 1 } }
mesh far { position float3; color float4; vertices { -1 -1 0.5 1 0 0 1  3 -1 0.5 1 0 0 1  -1 3 0.5 1 0 0 1 } }
shader vs vertex {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
MOV OUT[0], IN[0]
MOV OUT[1], IN[1]
END
}
shader fs fragment {
FRAG
DCL IN[0], COLOR, CONSTANT
DCL OUT[0], COLOR
ADD OUT[0], IN[0], IN[0]
END
}
depth_stencil_alpha z { depth_enabled on; depth_writes on; depth_function less }
pass { color 0 t; depth_stencil d; clear depth 1; use vs fs z; draw triangles mesh near; draw triangles mesh far }
'''
RECORDINGS = os.path.join(tap.SOURCE, 'tests', 'fuzz', 'corpus', 'virgl')
FRAGMENT = 'ADD OUT[0], IN[0], IN[0]'


def steps(*arguments):
    """(exit code, the first line, each line without its number and place, text of stderr)."""
    done = c.run('trace', *arguments)
    head, *lines = done.stdout.decode().split('\n')
    return done.returncode, head, [re.sub(r'  +', '  ', re.sub(r'^ *\d+  (line \d+ *)?', '', line)) for line in lines if line], done.stderr.decode()


def is_told(wanted, *arguments):
    told = steps(*arguments)
    return [] if told == wanted else [f'{arguments}: {told}, not {wanted}']


def scene():
    return c.write('draws.scene', SCENE)


def pixels_of_scenes():
    """The last event that was written; another one by its number, if it was shaded."""
    path, color = scene(), 'OUT[0].xyzw = 2.0, 1.0, 0.0, 2.0'
    line = SCENE[:SCENE.index('draw triangles')].count('\n') + 1
    findings = is_told((c.YES, f'{path}, the draw of line {line}, primitive 0, pixel 3,2: lane 21 of its group', [f'{FRAGMENT}  {color}'], ''), path, '--pixel', '3,2')
    findings += is_told((c.YES, f'{path}, the draw of line {line}, primitive 0, pixel 3,2: lane 21 of its group', [f'{FRAGMENT}  {color}'], ''), path, '--pixel', '3,2', '--event', '2')
    for number, why in (('1', 'event 1 of the pixel is not a draw'), ('3', 'the fragment of event 3 was not shaded'), ('4', 'the pixel has no event 4')):
        findings += c.exit_is(c.NO, 'trace', path, '--pixel', '3,2', '--event', number, err=why)
    return findings + c.exit_is(c.NO, 'trace', path, '--pixel', '8,2', err='no pixel 8,2') + \
        c.exit_is(c.NO, 'trace', path, '--target', 'none', '--pixel', '3,2', err='there is no texture none')


def vertices_of_scenes():
    path = scene()
    line = SCENE[:SCENE.index('draw triangles')].count('\n') + 1
    place = f'{path}, the draw of line {line}, '
    second = ['MOV OUT[0], IN[0]  OUT[0].xyzw = 3.0, -1.0, -0.5, 1.0', 'MOV OUT[1], IN[1]  OUT[1].xyzw = 1.0, 0.5, 0.0, 1.0']
    first = [second[0].replace('3.0', '-1.0'), second[1]]
    findings = is_told((c.YES, place + 'primitive 0, vertex 0, instance 0: lane 0 of its group', first, ''), path, '--pixel', '3,2', '--stage', 'vertex')
    findings += is_told((c.YES, place + 'vertex 1: lane 1 of its group', second, ''), path, '--draw', '1', '--stage', 'vertex', '--vertex', '1')
    # The vertices of what failed the depth test, too.
    far = [first[0].replace('-0.5', '0.5'), first[1].replace('0.5', '0.0')]
    findings += is_told((c.YES, place + 'primitive 0, vertex 0, instance 0: lane 0 of its group', far, ''), path, '--pixel', '3,2', '--event', '3', '--stage', 'vertex')
    findings += c.exit_is(c.NO, 'trace', path, '--draw', '3', '--stage', 'vertex', err='there is no draw statement 3')
    findings += c.exit_is(c.NO, 'trace', path, '--draw', '1', '--stage', 'geometry', err='the draw has no shader of this stage')
    return findings + c.exit_is(c.NO, 'trace', path, '--draw', '1', '--stage', 'vertex', '--vertex', '7', err='no invocation is the draw of line')


def pixels_inward():
    """render prints the history, then the fragment and its three vertices."""
    done = c.run('render', scene(), '--debug-pixel', '3,2')
    history = c.run('render', scene(), '--explain-pixel', '3,2').stdout.decode()
    text = done.stdout.decode()
    heads = re.findall(r'^\S+, the draw of line \d+, (.*): lane', text, re.MULTILINE)
    wanted = ['primitive 0, pixel 3,2', *[f'primitive 0, vertex {v}, instance 0' for v in range(3)]]
    findings = [] if heads == wanted and text.startswith(history) and done.returncode == c.YES else [f'{done}']
    if 'OUT[0].xyzw = 3.0, -1.0, -0.5, 1.0' not in text or 'OUT[0].xyzw = 2.0, 1.0, 0.0, 2.0' not in text:
        findings.append(text)
    return findings + c.exit_is(c.USAGE, 'render', scene(), '--debug-pixel', '3', err='--debug-pixel is X,Y with numbers from 0')


def recordings():
    """A draw by its number; a frame's pixel that no draw has made; numbers that are not there."""
    path = os.path.join(RECORDINGS, 'clear_and_draw')
    code, head, lines, err = steps(path, '--draw', '1', '--stage', 'vertex')
    findings = [] if (code, head, err) == (c.YES, f'{path}, draw 1: lane 0 of its group', '') and lines and all(' = ' in line for line in lines) else [f'{code} {head} {lines} {err}']
    # From a pixel of a frame to the draw that made it, and what the page has of it.
    frames = recorded.recorded_frames()
    color = ['MOV OUT[0], IMM[0]  OUT[0].xyzw = 0.0, 1.0, 0.0, 1.0']
    code, head, lines, err = steps(frames, '--frame', '1', '--pixel', '1,1')
    findings += [] if (code, lines, err) == (c.YES, color, '') and head.startswith(f'{frames}, draw 1, primitive 0, pixel 1,1: lane ') else [f'{code} {head} {lines} {err}']
    findings += [] if steps(frames, '--frame', '2', '--pixel', '1,1')[1].startswith(f'{frames}, draw 2, primitive 0, pixel 1,1: lane ') else ['frame 2']
    page = c.run('trace', frames, '--frame', '1', '--pixel', '1,1', '--html').stdout.decode()
    findings += [] if '"invocation": "draw 1, primitive 0, pixel 1,1"' in page and '"words": ["00000000", "3f800000", "00000000", "3f800000"]' in page else [page[-3000:]]
    findings += c.exit_is(c.NO, 'trace', frames, '--frame', '1', '--pixel', '7,7', err='no draw has written the pixel')
    code, head, lines, err = steps(path, '--draw', '1')
    findings += [] if code == c.YES and lines and lines[-1].count('OUT[0]') == 2 else [f'{code} {head} {lines} {err}']
    findings += c.exit_is(c.NO, 'trace', path, '--draw', '2', err='has no draw 2: it has 1')
    findings += c.exit_is(c.NO, 'trace', path, '--frame', '0', '--pixel', '0,0', err='has no frame 0')
    findings += c.exit_is(c.NO, 'trace', os.path.join(RECORDINGS, 'window'), '--frame', '0', '--pixel', '0,0', err='frame 0')
    findings += c.exit_is(c.USAGE, 'trace', scene(), '--pixel', '0,0', '--draw', '1', err='--pixel finds the draw itself')
    # Of a draw by its number it is a pixel of what the draw draws to, whatever is shown.
    code, head, lines, err = steps(path, '--draw', '1', '--pixel', '1,2')
    findings += [] if code == c.YES and head.startswith(f'{path}, draw 1, pixel 1,2: lane ') and lines else [f'{code} {head} {lines} {err}']
    findings += c.exit_is(c.NO, 'trace', frames, '--draw', '2', '--pixel', '7,7', err='no invocation is draw 2, pixel 7,7')
    for other in (('--frame', '0'), ('--event', '1'), ('--stage', 'vertex')):
        findings += c.exit_is(c.USAGE, 'trace', path, '--draw', '1', '--pixel', '1,2', *other, err='--draw with --pixel is a fragment')
    for of in (('--frame', '0', '--pixel', '0,0'), ('--draw', '1')):
        findings += c.exit_is(c.IO, 'trace', c.path('nothing'), *of, err='cannot open')
    findings += c.exit_is(c.USAGE, 'trace', path, '--frame', '0', '--pixel', '0,0', '--target', 't', err='--target is for scenes')
    findings += c.exit_is(c.USAGE, 'replay', path, '--debug-pixel', '1,1', err='--debug-pixel goes with --frame')
    return findings + c.exit_is(c.NO, 'replay', path, '--frame', '0', '--debug-pixel', '1,1', err='has no frame 0')


def maxwell_code():
    """TEXS, then TEX of the same place: what each lane gets."""
    code = c.write('two.sass', 'TEXS R6, R4, R0, R1, 0x0, 2D, RGBA;\nTEX R8, R0, 0x0, 2D, 0xf;\n')
    lanes = c.write('lanes.tsv', 'R[0]=0.25\tR[1]=0.25\nR[0]=0.75\tR[1]=0.25\n')
    texture = c.write('four.pfm', b'PF\n2 2\n-1\n' + b''.join(bytes.fromhex('0000803f' '0000003f' '0000803e') for _ in range(4)))
    common = ('-x', 'maxwell', code, '--tex', f'0={texture}', '--vectors', lanes, '--floats', 'dec')
    results = [f'TEXS R6, R4, R0, R1, 0x0, 2D, RGBA;  R4 = 1.0  R5 = 0.5  R6 = 0.25  R7 = 1.0  (level of detail 0.0, 1 texel)', 'TEX R8, R0, 0x0, 2D, 0xf;  R8 = 1.0  R9 = 0.5  R10 = 0.25  R11 = 1.0  (level of detail 0.0, 1 texel)']
    findings = is_told((c.YES, f'{code}, line 1: lane 0 of its group', results, ''), *common) + is_told((c.YES, f'{code}, line 2: lane 1 of its group', results, ''), *common, '--line', '2')
    return findings + c.exit_is(c.NO, 'trace', *common, '--line', '3', err='line 3 is not an invocation') + \
        c.exit_is(c.USAGE, 'trace', *common, '--line', '0', err='--line is a number from 1')


def kinds_do_not_mix():
    shader = c.write('plain.tgsi', 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n')
    return c.exit_is(c.USAGE, 'trace', shader, '--pixel', '0,0', '--stage', 'vertex', err='are for scenes (FILE.scene) and recordings') + \
        c.exit_is(c.USAGE, 'trace', scene(), '--pixel', '0,0', '--size', '4x4', err='are for shaders') + \
        c.exit_is(c.USAGE, 'trace', scene(), '--pixel', '0,0', '--frame', '1', err='--frame is for recordings') + \
        c.exit_is(c.USAGE, 'trace', scene(), err='--pixel X,Y, or --draw N with --stage') + \
        c.exit_is(c.USAGE, 'trace', scene(), '--draw', '1', '--event', '1', err='--event and --target go with --pixel') + \
        c.exit_is(c.USAGE, 'trace', scene(), '--draw', '1', '--stage', 'pixel', err='--stage is vertex')


tap.run([('pixels of scenes', pixels_of_scenes), ('vertices of scenes', vertices_of_scenes), ('pixels inward', pixels_inward), ('recordings', recordings),
         ('Maxwell code', maxwell_code), ('kinds do not mix', kinds_do_not_mix)])
