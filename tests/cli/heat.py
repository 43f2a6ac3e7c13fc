#!/usr/bin/env python3
"""--heat of run and render: pictures whose counts are worked out here, dot by dot, and their numbers as JSON; engines,
threads and widths; what is refused. The legend is drawn by drawings.py's own means."""
import json

import command as c
import drawings
import tap

KINDS = ['cost', 'lod', 'texels', 'divergence', 'discard', 'overdraw', 'depth-complexity', 'helpers', 'nan']
COUNTED = ['discard', 'overdraw', 'depth-complexity', 'helpers', 'nan']  # by every engine
SIDE = 8

# In column x the loop turns x times: MOV, BGNLOOP, x times four, SGE, IF and BRK, MOV and END.
LOOP = ('FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {0.5, 1.0, 0.0, 0.0}\nMOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\n'
        'SGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nIF TEMP[1].xxxx\nBRK\nENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], IN[0]\nEND\n')
# Columns 0 to 3 are killed; the others are infinite.
KILL = ('FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {4.0, 0.0, 0.0, 0.0}\nADD TEMP[0].x, IN[0].xxxx, -IMM[0].xxxx\n'
        'KILL_IF TEMP[0].xxxx\nRCP OUT[0].xy, IMM[0].yyyy\nEND\n')

# A square of two triangles over 8 x 8 pixels; a farther one over columns 4 to 7. Nothing is drawn to `other`.
SCENE = '''
texture picture { size 8 8 }
texture depth { size 8 8; format Z32_FLOAT }
texture other { size 8 8 }
mesh near {
  position float3
  vertices { -1 -1 -0.5   1 -1 -0.5   -1 1 -0.5   1 1 -0.5 }
}
mesh far {
  position float3
  vertices { 0 -1 0.5   1 -1 0.5   0 1 0.5   1 1 0.5 }
}
shader v vertex {
  VERT
  DCL IN[0]
  DCL OUT[0], POSITION
  MOV OUT[0], IN[0]
  END
}
shader f fragment {
  FRAG
  DCL OUT[0], COLOR
  IMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}
  MOV OUT[0], IMM[0]
  END
}
pass {
  color 0 picture
  depth_stencil depth
  clear color 0 0 0 1 depth 1
  use v f
  depth_stencil_alpha { depth_enabled on; depth_writes on; depth_function less }
  draw triangle_strip mesh near
  draw triangle_strip mesh far
}
output picture
'''


def grid(value, side=SIDE):
    return [[value(x, y) for x in range(side)] for y in range(side)]


def numbers(told, kind, values, findings):
    """What JSON says of counts."""
    flat = [v for row in values for v in row if v is not None]
    got = told['heat'][kind]
    wanted = {'pixels': len(flat), 'min': min(flat), 'max': max(flat)}
    if all(isinstance(v, int) for v in flat):
        wanted['sum'] = sum(flat)
    findings += [f'{kind}: {name} is {got.get(name)}, not {value}' for name, value in wanted.items() if abs(got.get(name, -1) - value) > 1e-9]
    if abs(got['mean'] - sum(flat) / len(flat)) > 1e-9:
        findings.append(f'{kind}: mean {got["mean"]}')
    bins = got['histogram']
    held = [sum(b['from'] <= v <= b['to'] for v in flat) for b in bins]
    if sum(b['pixels'] for b in bins) != len(flat) or ('sum' in wanted and held != [b['pixels'] for b in bins]):
        findings.append(f'{kind}: {bins}')


def drawn(kinds, arguments, expected, *more):
    """Findings: pictures and numbers of these kinds."""
    files = [text for kind in kinds for text in ('--heat', f'{kind}={c.path(kind + ".png")}')]
    done = c.run(*arguments, *files, '--json', *more)
    if done.returncode:
        return [f'{arguments} {more}: {done.returncode} {done.stderr.decode()[:300]}']
    told, findings = json.loads(done.stdout), []
    for kind in kinds:
        findings += drawings.heat_picture(kind + '.png', expected[kind], SIDE, SIDE, kind)
        numbers(told, kind, expected[kind], findings)
    return [f'{" ".join(more)}: {f}' for f in findings]


def zero(x, y):
    return 0


def rectangles():
    """A group is four rows of all columns: 51 instructions, of which the lanes of column x have 7 + 4 x."""
    path, findings = c.write('loop.tgsi', LOOP), []
    idle = (51 * 32 - 4 * sum(7 + 4 * x for x in range(8))) / (51 * 32)
    expected = {'cost': grid(lambda x, y: 7 + 4 * x), 'divergence': grid(lambda x, y: idle), 'texels': grid(zero), 'discard': grid(zero), 'overdraw': grid(lambda x, y: 1),
                'depth-complexity': grid(lambda x, y: 1), 'helpers': grid(zero), 'nan': grid(zero)}
    call = ('run', path, '--size', '8x8')
    for more in ((), ('--width', '4', '--threads', '2'), ('--engine', 'interp', '--width', '16'), ('-o', c.path('colours.png'))):
        findings += drawn([k for k in KINDS if k != 'lod'], call, expected, *more)
    return findings + drawn(['cost', 'divergence'], call, expected, '--engine', 'maxwell')


def engines():
    """What every engine counts."""
    path, findings = c.write('kill.tgsi', KILL), []
    expected = {'discard': grid(lambda x, y: int(x < 4)), 'overdraw': grid(lambda x, y: 1), 'depth-complexity': grid(lambda x, y: 1), 'helpers': grid(zero),
                'nan': grid(lambda x, y: 0 if x < 4 else 2)}
    for more in [[], ['--engine', 'interp'], ['--engine', 'maxwell']] + ([['--engine', 'jit', '--cache', 'none', '--threads', '2']] if c.compiles() else []):
        findings += drawn(COUNTED, ('run', path, '--size', '8x8'), expected, *more)
    return findings


def scenes():
    path, findings = c.write('overlap.scene', SCENE), []
    twice, edge = grid(lambda x, y: 1 if x < 4 else 2), grid(lambda x, y: int(x // 2 == y // 2))
    expected = {'depth-complexity': twice, 'overdraw': grid(lambda x, y: 1), 'discard': grid(zero), 'nan': grid(zero), 'texels': grid(zero),
                'cost': [[2 + 2 * v for v in row] for row in edge], 'helpers': edge, 'divergence': grid(lambda x, y: 0.0)}
    for more in ((), ('--width', '4', '--threads', '2'), ('--target', 'depth')):
        findings += drawn([k for k in KINDS if k != 'lod'], ('render', path), expected, *more)
    if c.compiles():
        findings += drawn(COUNTED, ('render', path), expected, '--engine', 'jit', '--cache', 'none')
    nothing = ('render', path, '--heat', 'overdraw=' + c.path('none.png'), '--target')
    findings += c.exit_is(c.YES, *nothing, 'other', err='no draw writes other: --target names')
    findings += c.exit_is(c.NO, *nothing, 'absent', err='no --heat: there is no texture absent')
    return findings


def unnamed():
    """KIND alone is what -o writes, beside kinds with files."""
    path = c.write('loop.tgsi', LOOP)
    findings = c.exit_is(c.YES, 'run', path, '--size', '8x8', '--heat', 'cost', '-o', c.path('out.png'), '--heat', 'nan=' + c.path('nan.png'), out='')
    findings += drawings.heat_picture('out.png', grid(lambda x, y: 7 + 4 * x), SIDE, SIDE, 'cost')
    return findings + drawings.heat_picture('nan.png', grid(zero), SIDE, SIDE, 'nan')


def mistakes():
    shader, scene, file = c.write('loop.tgsi', LOOP), c.write('overlap.scene', SCENE), c.path('h.png')
    compute, findings = c.write('grid.tgsi', 'COMP\nEND\n'), []
    for code, err, call in (
            (c.USAGE, '--heat is KIND=FILE, or KIND with -o, where KIND is cost, lod,', ('run', shader, '-o', file, '--heat', 'warmth')),
            (c.USAGE, 'divergence, discard, overdraw, depth-complexity, helpers or nan, not', ('render', scene, '--heat', 'cost')),
            (c.USAGE, 'not cost=', ('run', shader, '--heat', 'cost=')),
            (c.USAGE, 'not =x.png', ('run', shader, '--heat', '=x.png')),
            (c.USAGE, '--heat cost is there twice', ('run', shader, '--heat', f'cost={file}', '--heat', 'cost', '-o', file)),
            (c.USAGE, '-o writes one picture: --heat nan needs a file, nan=FILE', ('run', shader, '-o', file, '--heat', 'cost', '--heat', 'nan')),
            (c.USAGE, 'needs -o out.png', ('run', shader, '--heat', 'cost')),
            (c.USAGE, '--rows goes with colours', ('run', shader, '--heat', f'cost={file}', '--rows', '0,2')),
            (c.USAGE, '--heat is for fragment shaders', ('run', compute, '--grid', '1,1,1', '--heat', f'cost={file}')),
            (c.USAGE, '--heat shows what one engine does', ('run', shader, '--heat', f'cost={file}', '--engine', 'both')),
            (c.USAGE, '--heat shows what one engine does', ('render', scene, '--heat', f'cost={file}', '--engine', 'both')),
            (c.UNSUPPORTED, 'run: --engine jit does not count instructions: --heat cost needs --engine interp or auto', ('run', shader, '--heat', f'cost={file}', '--engine', 'jit')),
            (c.UNSUPPORTED, 'render: --engine jit does not count instructions: --heat divergence', ('render', scene, '--heat', f'divergence={file}', '--engine', 'jit')),
            (c.UNSUPPORTED, 'run: --engine maxwell does not count texels: --heat lod', ('run', shader, '--heat', f'lod={file}', '--engine', 'maxwell')),
            (c.USAGE, '--json goes with --heat or --check', ('render', scene, '--json')),
            (c.USAGE, '--json does not go with --stats', ('render', scene, '--json', '--stats', '--heat', f'cost={file}')),
            (c.IO, 'cannot write', ('run', shader, '--heat', 'cost=' + c.path('absent/h.png')))):
        findings += c.exit_is(code, *call, err=err)
    return findings


if __name__ == '__main__':
    tap.run([('a loop, column by column', rectangles), ('what every engine counts', engines), ('triangles that overlap', scenes), ('-o as the file', unnamed), ('mistakes', mistakes)])
