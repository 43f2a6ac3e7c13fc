#!/usr/bin/env python3
"""Memory that ends: every request of the command finds none once (watch.c), and the command says so, ends with exit code
5, and has given back what it had; of the library's requests some, which the command says, too."""
import os
import re

import command as c
import tap

PIXEL = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
DCL CONST[0..40]
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: ADD OUT[0], TEMP[0], CONST[40]
  2: END
'''
GRID = '''COMP
DCL BUFFER[0]
DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR
DCL TEMP[0]
DCL HWATOMIC[0][0]
IMM[0] UINT32 {0, 1, 4, 8}
  0: ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy
  1: END
'''
EMITS = '''GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 2
DCL IN[][0], GENERIC[0]
DCL OUT[0], GENERIC[0]
IMM[0] UINT32 {0, 1, 2, 3}
  0: MOV OUT[0], IN[0][0]
  1: EMIT IMM[0].xxxx
  2: END
'''
SPACED = '''ps_5_1
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_constantbuffer CB0[2:2][1], immediateIndexed, space=3
dcl_output o0.xyzw
mov o0.xyzw, CB0[2][0].xyzw
ret
'''
SCRIPT = '''[require]
shader model >= 4.0
[vertex shader tgsi]
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0]
  2: END
[pixel shader tgsi]
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
  0: TXF TEMP[0], CONST[0], SAMP[0], 2D
  1: MOV OUT[0], TEMP[0]
  2: END
[srv 0]
format r32g32b32a32-float
size (2d, 2, 2)
1 2 3 4
[rtv 0]
format r8g8b8a8-unorm
size (2d, 4, 4)
[sampler 0]
filter point point point
[test]
uniform 0 uint4 0 0 0 0
clear rtv 0 0 0 0 0
draw quad
probe (0, 0) rgba(1, 1, 1, 1)
[compute shader dxbc-tpf-hex]
zz
'''

SCENE = '''texture t { size 4 4; levels all }
texture s { size 2 2; checker 2 1  1 0 0 1  0 1 0 1 }
texture g { size 2 2; gradient x 0 0 0 0  1 1 1 1 }
buffer b { 1 0 0 1 }
query n occlusion_counter
mesh m { position float2; vertices { -1 -1  1 -1  -1 1  1 1 }; indices { 0 1 2 3 } }
mesh o "held.obj"
matrix x = identity
sampler p { wrap repeat }
shader vs vertex {
  VERT
  DCL IN[0]
  DCL OUT[0], POSITION
  MOV OUT[0], IN[0]
  END
}
shader fs fragment d3d {
  ps_5_0
  .output
  .param SV_Target.xyzw, o0.xyzw, float, TARGET
  .text
  dcl_constantbuffer CB0[1], immediateIndexed
  dcl_output o0.xyzw
  mov o0.xyzw, CB0[0].xyzw
  ret
}
pass one {
  color 0 t
  clear color 0 0 0 1
  use vs fs
  bind fragment constants 0 b
  bind fragment texture 0 s sampler p
  bind fragment image 0 g
  rasterizer { cull_face back }
  blend { target 0 { color_mask 7 } }
  begin n
  draw triangle_strip mesh m
  end n
  draw triangles mesh o
}
blit s to t box 0 0 2 2
mips t
expect pixel t 3 3 = 1 0 0 1
expect pixel t 3 3 sample 0 = 1 0 0 1
expect query n = 16
expect same t t
output t
'''


def calls():
    c.write('held.obj', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n')
    scene = c.write('held.scene', SCENE)
    pixel, grid, emits = c.write('pixel.tgsi', PIXEL), c.write('grid.tgsi', GRID), c.write('emits.tgsi', EMITS)
    lines = c.write('lines.tsv', 'IN[0]=0x1\tCONST[1]=0x2\nIN[0]=0x2\tCONST[20]=0x3\n')
    points = c.write('points.tsv', 'IN[0][0]=0x1\n')
    script, two = c.write('memory.shader_test', SCRIPT), c.write('two.txt', PIXEL + '\n' + PIXEL)
    texture, image = 'random:R8G8B8A8_UNORM:4x4', 'random:R32_UINT:4x4'
    memory = ('--buffer', '0=zero:16', '--buffer-out', '0=' + c.path('buffer'), '--image', '0=' + image, '--image-out',
              '0=' + c.path('image'), '--hwatomic', '0=zero:4', '--hwatomic-out', '0=' + c.path('counter'), '--input',
              'zero:16', '--global', 'zero:16', '--global-out', c.path('global'))
    pools = c.write('pool.bin', bytes(32))
    program = c.write('program.sass', 'TEX.LZ R0, R2, 0x0, 2D, 0xf;\n')
    lanes = c.write('lanes.tsv', 'R[2]=0x1\n')
    listing = c.write('spaced.asm', SPACED)
    c.run('asm', c.write('plain.asm', 'ps_5_0\nret\n'), '-o', c.path('plain.dxbc'))
    nested = c.path('nested.dxbc')
    c.run('asm', c.write('nested.asm', f'container\n.chunk FX10 {{ {c.read(c.path("plain.dxbc")).hex()} }}\n'), '-o', nested)
    both = [((*call, '--engine', 'both', '--cache', 'none'), b'') for call in
            (('run', grid, '--grid', '2,1,1', *memory), ('eval', pixel, '--vectors', lines, '--tex', '0=' + texture),
             ('eval', emits, '--vectors', points), ('run', script), ('run', pixel, '-o', c.path('out.png'), '--size', '4x4'))] \
        + [(('jit', '--stats', '--span', pixel, '--cache', 'none'), b'')] if c.compiles() else []
    return both + [
        (('check', two), b''), (('dis', pixel), b''), (('asm', pixel, '-o', c.path('out.bin')), b''),
        (('info', '--json', two), b''), (('dis', '--nth', '1', nested), b''), (('translate', '--to', 'tgsi', pixel), b''), (('info', listing), b''),
        (('dis', '-x', 'tgsi-bin', '--words', '-'), c.run('asm', pixel, '--words').stdout),
        (('run', pixel, '-o', c.path('out.png'), '--size', '4x4', '--tex', '0=' + texture + ',filter=linear', '--sampler',
          '0=wrap=repeat', '--const', '0:0=1', '--const', '0:39=2'), b''),
        (('run', pixel, '-o', c.path('out.png'), '--size', '4x4', '--heat', 'lod', '--tex', '0=' + c.PHOTO), b''),
        (('run', pixel, '-o', c.path('out.png'), '--size', '4x4', '--heat', 'texels'), b''),
        (('run', grid, '--grid', '2,1,1', *memory), b''),
        (('eval', pixel, '--vectors', lines, '--fb', '0=' + texture), b''), (('eval', emits, '--vectors', points), b''),
        (('eval', listing, '--vectors', lines, '--const', '3:2:0=1'), b''),
        (('run', script), b''), (('render', scene, '--check', '--stats', '--explain-pixel', '0,0', '-o', c.path('scene.png')), b''),
        (('sample', '--tex', texture, '--at', '0.5,0.5', '--explain', '--footprint', c.path('foot.png')), b''),
        (('sample', '--batch', '-'), b'--tex ' + texture.encode() + b' --at 0.5,0.5\n--tex ' + image.encode() + b' --op size\n'),
        (('dis', '-x', 'maxwell', '--hex', '-'), b'0x01\n'), (('asm', '-x', 'maxwell', '--hex', '-'), b'TEX R0, R2;\n'),
        (('check', '-x', 'maxwell', program), b''),
        (('eval', '-x', 'maxwell', program, '--vectors', lanes, '--cbank', c.write('cbank', bytes(64)), '--memory',
          c.write('memory', bytes(64)), '--headers', c.write('headers', bytes(64))), b''),
        (('eval', pixel, '--vectors', lines, '--json', '--const', '0:0=1'), b''), (('eval', emits, '--vectors', points, '--json', '--floats', 'dec'), b''),
        (('run', pixel, '--pixel', '1,1', '--size', '4x4', '--json', '--tex', '0=' + texture), b''), (('run', pixel, '--pixel', '1,1', '--size', '4x4'), b''),
        (('eval', '-x', 'maxwell', program, '--vectors', lanes, '--tex', '0=' + texture + ',filter=linear', '--json'), b''),
        (('check', c.write('held.hlsl', 'x'), '--hlsl-compiler', f'cp {listing} "$3" #'), b''),
        (('explain', '--html', 'TXQ'), b''), (('list', '--json', 'targets'), b''), (('sample', '--tex', texture, '--at', '0.5,0.5', '--json'), b''),
        (('headers', pools, '-o', c.path('pool')), b''),
        (('explain', 'TXQ'), b''), (('list', 'formats'), b'')]


# What does without: fewer rows of a table that is kept for more names than one; the instruction that engines differ at.
DOES_WITHOUT = ('explain',)


def requests(call, stdin):
    """How many requests a call has, and how it ends where each finds memory."""
    counted = c.path('requests')
    done = c.run(*call, stdin=stdin, env={**os.environ, 'SCH_REQUESTS': counted})
    return int(c.read(counted)), done


def memory_ends(call, stdin):
    words = ' '.join(os.path.basename(w) if os.sep in w else w for w in call)
    count, whole = requests(call, stdin)
    findings = [] if whole.returncode in (c.YES, c.NO) else [f'{words}: exit {whole.returncode} {whole.stderr[-300:]}']
    # With --long each; else every third, the first and the last ones.
    for number in [n for n in range(1, count + 1) if c.LONG or n % 3 == len(words) % 3 or n <= 4 or n > count - 4]:
        done = c.run(*call, stdin=stdin, env={**os.environ, 'SCH_FAIL_AT': str(number)})
        said = done.stderr.decode(errors='replace')
        if call[0] in DOES_WITHOUT:
            good = done.returncode in (c.YES, c.NO, c.LIMIT)
        else:
            good = done.returncode == c.LIMIT and 'memory' in said or \
                done.returncode == c.IO and 'Cannot allocate memory' in said  # by the file that was not written
        if not good:
            findings.append(f'{words}: request {number} of {count}: exit {done.returncode}: {said[-300:]}')
    return findings


def of_library():
    """Small calls of each verb."""
    pixel, listing, program = c.write('small.tgsi', 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n'), c.write('small.asm', 'ps_5_0\nret\n'), c.write('small.sass', 'TEX.LZ R0, R2, 0x0, 2D, 0xf;\n')
    lines, lanes, pool = c.write('empty.tsv', '\n'), c.write('lanes.tsv', 'R[2]=0x1\n'), c.write('pool.txt', 'sampler 1 {\n  MAG_FILTER = MAG_POINT\n}\n')
    texture = 'random:R8G8B8A8_UNORM:4x4'
    c.write('held.obj', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n')
    scene = c.write('held.scene', SCENE)
    return [(('render', scene, '--check'), b''), (('check', pixel), b''), (('check', listing), b''), (('dis', pixel), b''), (('asm', pixel, '--words'), b''), (('asm', listing, '-o', '-'), b''), (('info', listing), b''), (('info', pixel), b''),
            (('translate', '--to', 'tgsi', listing), b''), (('translate', '--to', 'maxwell', pixel), b''), (('translate', '--to', 'dxbc', pixel), b''), (('eval', listing, '--vectors', lines), b''),
            (('run', pixel, '-o', c.path('small.png'), '--size', '1x1'), b''), (('sample', '--tex', texture, '--at', '0.5,0.5'), b''), (('sample', '--tex', texture, '--at', '0.5,0.5', '--explain'), b''),
            (('sample', '--batch', '-'), f'--tex {texture} --at 0,0\n'.encode()), (('asm', '-x', 'maxwell', '--hex', '-'), b'TEX R0, R2;\n'), (('check', program), b''), (('dis', program), b''),
            (('asm', program, '--words'), b''), (('info', program), b''), (('eval', '-x', 'maxwell', program, '--vectors', lanes, '--samplers', pool), b''), (('headers', pool, '-o', '-'), b'')]


def library_finds_none():
    """Where something is missing then, a line says so; where nothing is, the library does without."""
    if not c.WATCH:
        raise tap.Skip('the sanitizers look after memory')
    findings, told = [], 0
    for number, (call, stdin) in enumerate(of_library()):
        counted = c.path('requests')
        whole = c.run(*call, stdin=stdin, env={**os.environ, 'SCH_REQUESTS': counted, 'SCH_FAIL_IN': 'library'})
        count = int(c.read(counted))
        # The last are those of what the verb itself does; of those before every sixth.
        for request in [n for n in range(1, count + 1) if n > count - 6 or n % 6 == number % 6]:
            done = c.run(*call, stdin=stdin, env={**os.environ, 'SCH_FAIL_AT': str(request), 'SCH_FAIL_IN': 'library'})
            told += done.returncode == c.LIMIT
            same = (done.returncode, done.stdout, done.stderr) == (whole.returncode, whole.stdout, whole.stderr)
            if not same and (done.returncode != c.LIMIT or done.stderr.decode().count('memory') != 1):
                findings.append(f'{call}: request {request} of {count}: {done}')
    return findings + ([] if told > 100 else [f'{told} ends'])


def part(which, parts):
    def check():
        if not c.WATCH:
            raise tap.Skip('the sanitizers look after memory')
        findings = []
        for call, stdin in calls()[which::parts]:
            findings += memory_ends(call, stdin)
        return findings
    return check


PARTS = 16
tap.run([('the library finds no memory', library_finds_none)] + [(f'memory ends, part {n + 1} of {PARTS}', part(n, PARTS)) for n in range(PARTS)])
