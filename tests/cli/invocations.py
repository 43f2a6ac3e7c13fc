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
                            ((*call, '--pixel', '1'), '--pixel is X,Y, of a grid X,Y or X,Y,Z, with numbers from 0, not 1'), ((*call, '--pixel', '1,2,3'), '--pixel of a picture is X,Y'), ((*call, '--pixel', '1,2,3,4'), '--pixel is X,Y'), ((*call, '--pixel', '1,'), '--pixel is X,Y'), ((*call, '--pixel', '1,2,'), '--pixel is X,Y'), ((*call, '--pixel', '-1,2'), '--pixel is X,Y'),
                            ((*call, '--pixel', ''), '--pixel is X,Y'), ((*call, '--pixel', '0,0', '--engine', 'both'), '--pixel shows what one engine does'),
                            ((*call, '--pixel', '0,0', '--floats', 'x'), '--floats is hex, dec or both, not x'), ((*call, '--json', '-o', out), '--json goes with --stats, --pixel, --heat or a script'),
                            (('run', compute, '--grid', '2,1,1', '--block', '1,1,1', '--pixel', '2,0'), '--pixel 2,0,0 is not in the grid of 2x1x1 work groups'),
                            (('run', compute, '--grid', '1,1,1', '--pixel', '0,0,1'), '--pixel 0,0,1 is not in the grid'), (('run', compute, '--grid', '1,1,1', '--pixel', '4294967295,0,0'), '--pixel 4294967295,0,0 is not'),
                            (('run', compute, '--grid', '2,1,1', '--groups', '0,1', '--pixel', '0,0'), '--pixel says which work group runs'),
                            (('run', compute, '--grid', '2,1,1', '--engine', 'both', '--pixel', '0,0'), '--pixel shows what one engine does')):
        findings += c.exit_is(c.USAGE, *arguments, err='scheelite run: ' + said)
    return findings


VALUES = ('THREAD_ID', 'BLOCK_ID', 'BLOCK_SIZE', 'GRID_SIZE', 'WORK_DIM', 'SUBGROUP_SIZE', 'SUBGROUP_INVOCATION', 'SUBGROUP_EQ_MASK', 'SUBGROUP_GE_MASK', 'SUBGROUP_GT_MASK',
          'SUBGROUP_LE_MASK', 'SUBGROUP_LT_MASK')
# All system values of each invocation, at its place over all work groups.
STORES = 'COMP\n' + ''.join(f'DCL SV[{i}], {name}\n' for i, name in enumerate(VALUES)) + f'''DCL BUFFER[0]
DCL TEMP[0..3]
IMM[0] UINT32 {{{16 * len(VALUES)}, 16, 0, 0}}
UMAD TEMP[0], SV[1], SV[2], SV[0]
UMUL TEMP[1], SV[3], SV[2]
UMAD TEMP[0].x, TEMP[0].yyyy, TEMP[1].xxxx, TEMP[0].xxxx
UMUL TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy
UMAD TEMP[0].x, TEMP[0].zzzz, TEMP[1].xxxx, TEMP[0].xxxx
UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
''' + ''.join(f'STORE BUFFER[0], TEMP[0].xxxx, SV[{i}]\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n' for i in range(len(VALUES))) + 'END\n'


def work_group_of(at, block):
    return tuple(a // b for a, b in zip(at, block))


def grids():
    """What invocations of grids are told to get is what all of them store; what the work group changed is what the grid
    has there, whether that runs or not."""
    path, findings = c.write('stores.tgsi', STORES), []
    each = 16 * len(VALUES)
    for grid, block in (((3, 2, 2), (3, 2, 4)), ((2, 1, 1), (40, 1, 1)), ((1, 3, 1), (1, 1, 1))):
        sides = [g * b for g, b in zip(grid, block)]
        count = sides[0] * sides[1] * sides[2]
        call = ('run', path, '--grid', ','.join(map(str, grid)), '--block', ','.join(map(str, block)), '--buffer', f'0=zero:{count * each}')
        out = c.path('stores.bin')
        findings += c.says(c.YES, '', '', *call, '--buffer-out', '0=' + out)
        stored = c.read(out)
        changed = {}
        for byte in range(0, count * each, 4):
            number = byte // each
            group = work_group_of((number % sides[0], number // sides[0] % sides[1], number // sides[0] // sides[1]), block)
            if any(stored[byte:byte + 4]):
                changed.setdefault(group, {})[byte] = stored[byte:byte + 4]
        for at in ((0, 0, 0), (sides[0] - 1, sides[1] - 1, sides[2] - 1), (sides[0] // 2, sides[1] // 2, sides[2] // 3)):
            again = c.path('again.bin')
            told = json.loads(c.run(*call, '--pixel', ','.join(map(str, at)), '--json', '--buffer-out', '0=' + again).stdout)['pixel']
            place = (at[0] + sides[0] * (at[1] + sides[1] * at[2])) * each
            got = b''.join(bytes.fromhex(bits[2:])[::-1] for row in told['system_values'] for bits in row['bits'])
            if got != stored[place:place + each] or [row['semantic'] for row in told['system_values']] != list(VALUES):
                findings.append(f'{grid} {block} {at}: {told["system_values"]}')
            if (told['x'], told['y'], told['z']) != at or tuple(told['work_group']) != work_group_of(at, block) or told['inputs'] or told['outputs'] or told['killed']:
                findings.append(f'{grid} {block} {at}: {told}')
            words, wanted = {word['byte']: word for word in told['group_changed']}, changed[work_group_of(at, block)]
            if told['group_changed_words'] != len(wanted) or list(words) != sorted(wanted)[:256] or any(
                    word['memory'] != 'BUFFER[0]' or word['before'] != '0x00000000' or bytes.fromhex(word['after'][2:])[::-1] != wanted[byte] for byte, word in words.items()):
                findings.append(f'{grid} {block} {at}: {told["group_changed_words"]} words changed, not {len(wanted)}')
            if c.read(again) != stored:
                findings.append(f'{grid} {block} {at}: with --pixel the grid gives another buffer')
    text = c.run('run', path, '--grid', '1,3,1', '--buffer', f'0=zero:{3 * each}', '--pixel', '0,1', '--floats', 'hex').stdout.decode()
    lines = text.splitlines()
    if lines[:2] != ['invocation 0,1,0, of work group 0,1,0 of 1x3x1', 'got'] or 'its work group of 1 invocations changed' not in lines or 'gave' in lines or \
            f'  BUFFER[0]    byte {each + 20:<11} 0x00000000 -> 0x00000001' not in lines:
        findings.append(text)
    many = c.run('run', path, '--grid', '1,1,1', '--block', '40,1,1', '--buffer', f'0=zero:{40 * each}', '--pixel', '0,0').stdout.decode().splitlines()
    if sum(' -> ' in line for line in many) != 256 or not many[-1].startswith('  and ') or not many[-1].endswith(' more words'):
        findings.append(f'{many[-3:]}')
    return findings


ADDS = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {4, 1, 0, 0}
ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy
U2F OUT[0], TEMP[0].xxxx
END
'''


def memory_of_pixels():
    """A pixel's group sees memory as it was given, also where the picture is drawn; what it changed is told."""
    path, out = c.write('adds.tgsi', ADDS), c.path('adds.pfm')
    call = ('--size', '16x16', '--buffer', '0=zero:8', '--pixel', '1,1', '--floats', 'dec')
    got = 'gave\n  OUT[0]       COLOR            3.0,3.0,3.0,3.0\nits group of 32 pixels changed\n  BUFFER[0]    byte 4           0.0 -> 4.5e-44\n'
    findings = []
    for more in ((), ('--target', '0=' + out, '--buffer-out', '0=' + c.path('adds.bin'))):
        done = c.run('run', path, *call, *more)
        if done.returncode or not done.stdout.decode().endswith(got):
            findings.append(f'{more}: {done}')
    if c.read(c.path('adds.bin')) != struct.pack('<II', 0, 256):
        findings.append(f'the whole picture: {c.read(c.path("adds.bin"))}')
    none = c.run('run', c.write('none.tgsi', ADDS.replace('xxxx, IMM[0].yyyy', 'xxxx, IMM[0].zzzz')), *call).stdout
    return findings + ([] if none.endswith(b'its group of 32 pixels changed no memory\n') else [f'{none}'])


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
        c.exit_is(c.USAGE, *texture, '--at', '0,0', '--floats', err='--floats needs a value: FORM') + c.exit_is(c.USAGE, *texture, '--at', '0,0', '--explain', '--batch', '-', err='--batch does not go with --explain: they are for one lookup')


tap.run([('pictures', pictures), ('texts', texts), ('grids', grids), ('memory of pixels', memory_of_pixels), ('samples', samples)])
