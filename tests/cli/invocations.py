#!/usr/bin/env python3
"""run --pixel: what a pixel got and gave is what the picture has; and the values of sample."""
import json
import struct

import command as c
import tap

SHADER = '''FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], FACE, CONSTANT
DCL SV[0], POSITION
DCL SV[1], SUBGROUP_INVOCATION
DCL CONST[0..5]
DCL CONST[2][0..3]
DCL OUT[0], COLOR
DCL TEMP[0..1]
IMM[0] FLT32 {2.0, 3.0, 0.0, 0.0}
MUL TEMP[0].x, IN[0].xxxx, CONST[3].yyyy
ADD TEMP[0].y, SV[0].yyyy, CONST[2][1].xxxx
U2F TEMP[0].z, SV[1].xxxx
MOV TEMP[0].w, IN[0].yyyy
SLT TEMP[1].x, SV[0].xxxx, IMM[0].xxxx
MUL TEMP[1].x, TEMP[1].xxxx, TEMP[1].xxxx
SGE TEMP[1].y, SV[0].yyyy, IMM[0].yyyy
MUL TEMP[1].x, TEMP[1].xxxx, -TEMP[1].yyyy
KILL_IF TEMP[1].xxxx
MOV OUT[0], TEMP[0]
END
'''
OPTIONS = ('--const', '0:3=0,1.5', '--const', '2:1=0.25')


def floats_of(path, width, height):
    """The picture of --target, as rows from above."""
    data = c.read(path)
    head, data = data.split(b'\n', 3)[:3], data.split(b'\n', 3)[3]
    if head[0] != b'PF' or head[1] != f'{width} {height}'.encode():
        raise OSError(f'{path}: {head}')
    rows = [[struct.unpack_from('<3f', data, 12 * (y * width + x)) for x in range(width)] for y in range(height)]
    return rows[::-1]


def pictures():
    """Every pixel of pictures of several sizes: colours are those of the picture, killed ones keep its black."""
    path, findings = c.write('shader.tgsi', SHADER), []
    for width, height in ((1, 1), (5, 3), (9, 7)):
        picture = c.path('picture.pfm')
        findings += c.says(c.YES, '', None, 'run', path, '--size', f'{width}x{height}', '--target', '0=' + picture, *OPTIONS)
        rows = floats_of(picture, width, height)
        for y in range(height):
            for x in range(width):
                done = c.run('run', path, '--size', f'{width}x{height}', '--pixel', f'{x},{y}', '--json', *OPTIONS)
                told = json.loads(done.stdout)['pixel']
                quad = y // 2 * ((width + 1) // 2) + x // 2
                lane = quad % 8 * 4 + y % 2 * 2 + x % 2
                killed = x + 0.5 < 2 and y + 0.5 >= 3
                have = {row['register']: row['values'] for row in told['inputs'] + told['system_values'] + told['constants']}
                f32 = lambda number: struct.unpack('<f', struct.pack('<f', number))[0]  # noqa: E731
                wanted = {'IN[0]': [f32((x + 0.5) / width), f32((y + 0.5) / height), 0.0, 1.0], 'IN[1]': [1.0, 0.0, 0.0, 1.0], 'SV[0]': [x + 0.5, y + 0.5, 0.0, 1.0],
                          'SV[1]': [lane, 0, 0, 0], 'CONST[0][3]': [0.0, 1.5, 0.0, 0.0], 'CONST[2][1]': [0.25, 0.0, 0.0, 0.0]}
                if {name: [f32(v) for v in values] for name, values in have.items()} != wanted or (told['x'], told['y'], told['killed']) != (x, y, killed):
                    findings.append(f'{width}x{height} {x},{y}: {told}, not {wanted}')
                given = [f32(v) for v in told['outputs'][0]['values'][:3]] if told['outputs'] else [0.0, 0.0, 0.0]
                if bool(told['outputs']) == killed or given != list(rows[y][x]):
                    findings.append(f'{width}x{height} {x},{y}: gave {given}, the picture has {rows[y][x]}')
    return findings


def texts():
    path, findings = c.write('shader.tgsi', SHADER), []
    call = ('run', path, '--size', '5x5', *OPTIONS)
    got = ('pixel 3,2 of 5x5\ngot\n  IN[0]        GENERIC          0.7,0.5,0.0,1.0\n  IN[1]        FACE             1.0,0.0,0.0,1.0\n'
           '  SV[0]        POSITION         3.5,2.5,0.0,1.0\n  SV[1]        SUBGROUP_INVOCATION {0}5u,0u,0u,0u\n'
           '  CONST[0][3]                   0.0,1.5,0.0,0.0\n  CONST[2][1]                   0.25,0.0,0.0,0.0\n').replace('{0}5u', '17u')
    findings += c.says(c.YES, got + 'gave\n  OUT[0]       COLOR            1.05,2.75,17.0,0.5\n', '', *call, '--pixel', '3,2', '--floats', 'dec')
    done = c.run(*call, '--pixel=1,3')
    if b'killed: it gave nothing\n' not in done.stdout or b'gave\n' in done.stdout or b'0x40600000(3.5)' not in done.stdout:
        findings.append(f'killed: {done}')
    # With a picture both are made; --stats follows.
    out = c.path('beside.png')
    done = c.run(*call, '--pixel', '3,2', '--floats', 'hex', '--stats', '-o', out)
    if done.returncode or not done.stdout.startswith(b'pixel 3,2 of 5x5\n') or b'\ndecoded_groups\t' not in done.stdout or not c.read(out):
        findings.append(f'beside: {done}')
    told = json.loads(c.run(*call, '--stats', '--json', '-o', out).stdout)
    if told['schema'] != 'scheelite-run/1' or 'pixel' in told or told['stats']['decoded_groups'] < 1:
        findings.append(f'stats: {told}')
    # Constants that a register chooses are all read; very many of them are counted.
    chosen = c.write('chosen.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL CONST[0..299]\nDCL OUT[0], COLOR\nDCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x+2]\nEND\n')
    lines = c.run('run', chosen, '--size', '2x2', '--pixel', '0,0', '--const', '0:2=7').stdout.decode().splitlines()
    if sum('CONST[' in line for line in lines) != 256 or '  and 44 more constants' not in lines:
        findings.append(f'many: {len(lines)} {lines[-3:]}')
    compute = c.write('grid.tgsi', 'COMP\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nEND\n')
    for arguments, said in (((*call, '--pixel', '5,0'), '--pixel 5,0 is not in the picture, which is 5x5 (--size)'), ((*call, '--pixel', '0,5'), '--pixel 0,5 is not in the picture'),
                            ((*call, '--pixel', '1'), '--pixel is X,Y with numbers from 0, not 1'), ((*call, '--pixel', '1,2,3'), '--pixel is X,Y'), ((*call, '--pixel', '-1,2'), '--pixel is X,Y'),
                            ((*call, '--pixel', ''), '--pixel is X,Y'), ((*call, '--pixel', '0,0', '--engine', 'both'), '--pixel shows what one engine does'),
                            ((*call, '--pixel', '0,0', '--floats', 'x'), '--floats is hex, dec or both, not x'), ((*call, '--json', '-o', out), '--json goes with --stats, with --pixel or with a script'),
                            (('run', compute, '--grid', '1,1,1', '--block', '1,1,1', '--pixel', '0,0'), '--pixel is for fragment shaders')):
        findings += c.exit_is(c.USAGE, *arguments, err='scheelite run: ' + said)
    return findings


def samples():
    findings = []
    texture = ('sample', '--tex', 'zero:R32G32_FLOAT:2x2')
    for more, wanted in (((), '0x00000000,0x00000000,0x00000000,0x3f800000\n'), (('--floats', 'dec'), '0.0,0.0,0.0,1.0\n'), (('--floats=both',), '0x00000000(0.0),0x00000000(0.0),0x00000000(0.0),0x3f800000(1.0)\n')):
        findings += c.says(c.YES, wanted, '', *texture, '--at', '0.5,0.5', *more)
        findings += c.says(c.YES, wanted, '', *texture, '--batch', '-', *more, stdin='--at .5,5e-1\n')
    findings += c.says(c.YES, '2i,2i,0i,1i\n', '', *texture, '--op', 'size', '--floats', 'dec') + c.says(c.YES, '0u,0u,0u,1u\n', '', 'sample', '--tex', 'zero:R8_UINT:2x2', '--op', 'fetch', '--at', '1i,0', '--floats', 'dec')
    findings += c.says(c.YES, '0i,0i,0i,1i\n', '', 'sample', '--tex', 'zero:R8_SINT:2x2', '--op', 'fetch', '--at', '1,0i', '--floats', 'dec')
    told = json.loads(c.run(*texture, '--batch', '-', '--json', stdin='--at 0.5,0.5\n--at x\n\n--op size\n').stdout)
    if told != {'schema': 'scheelite-sample/1', 'complete': False, 'results': [
            {'line': 1, 'bits': ['0x00000000', '0x00000000', '0x00000000', '0x3f800000'], 'values': [0.0, 0.0, 0.0, 1.0], 'types': ['float'] * 4},
            {'line': 2, 'error': '--at: it takes up to 4 numbers with commas between them, not x'},
            {'line': 4, 'bits': ['0x00000002', '0x00000002', '0x00000000', '0x00000001'], 'values': [2, 2, 0, 1], 'types': ['int'] * 4}]}:
        findings.append(f'batch: {told}')
    return findings + c.exit_is(c.USAGE, *texture, '--at', '0,0', '--floats', 'x', err='--floats is hex, dec or both, not x') + \
        c.exit_is(c.USAGE, *texture, '--at', '0,0', '--floats', err='--floats needs a value: FORM') + c.exit_is(c.USAGE, *texture, '--at', '0,0', '--explain', '--json', err='--explain is words for people')


tap.run([('pictures', pictures), ('texts', texts), ('samples', samples)])
