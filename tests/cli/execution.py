#!/usr/bin/env python3
"""eval and run: vectors in and out, pictures at every width and thread count, budgets, options that are refused."""
import os
import signal
import struct
import subprocess
import time

import command as c
import tap

EVAL = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL CONST[0..1]
DCL CONST[2][0..3]
DCL TEMP[0]
IMM[0] FLT32 {0x3f800000, 0x00000000, 0x00000000, 0x00000000}
  0: KILL_IF IN[1].wwww
'''
ENDLESS = 'FRAG\nDCL OUT[0], COLOR\n  0: BGNLOOP :1\n  1: ENDLOOP :0\n  2: MOV OUT[0], OUT[0]\n  3: END\n'
ONE = '3f800000'


def words(*values):
    """Floats, or words as integers behind a leading 'x'."""
    return ','.join(v[1:] if isinstance(v, str) else struct.pack('>f', v).hex() for v in values)


def shader(name, body):
    return c.write(name, EVAL + body + '\nEND\n')


def evaluate(path, lines, *options):
    done = c.run('eval', path, '--vectors', '-', *options, stdin='\n'.join(lines) + '\n')
    if done.returncode:
        return [f'exit {done.returncode}: {done.stderr.decode()}']
    return done.stdout.decode().splitlines()


def every_width(path, lines, wanted, *options):
    findings = []
    for width in ('4', '8', '16'):
        have = evaluate(path, lines, '--width', width, *options)
        if have != wanted:
            findings.append(f'width {width}: {have[:4]}, not {wanted[:4]}')
    return findings


def out(index, *values):
    return f'OUT[{index}]=' + ','.join('0x' + w for w in words(*values).split(','))


def arithmetic():
    path = shader('arithmetic.tgsi', 'ADD OUT[0], IN[0], CONST[0]\nMUL OUT[1], IN[0], CONST[2][1]')
    lines = [f'IN[0]={words(1, 2, 3, 4)}\tCONST[0]={words(1, 1, 1, 1)}\tCONST[2][1]={words(2, -2, 0.5, 0)}',
             f'IN[0]=0x{words(-1)},{words(0.5)},{words("x7f800000")},{words("xffc00000")}',
             f'IN[0]={words(1)}\tIN[1]=0,0,0,{words(-1)}', '', f'CONST[0]={words(0, "x00000001")}']
    return every_width(path, lines, [
        out(0, 2, 3, 4, 5) + '\t' + out(1, 2, -4, 1.5, 0),
        out(0, -1, 0.5, 'x7f800000', 'x7fc00000') + '\t' + out(1, 'x80000000', 0, 'x7fc00000', 'x7fc00000'), 'KILL',
        out(0, 0, 0, 0, 0) + '\t' + out(1, 0, 0, 0, 0),
        out(0, 0, 'x00000001', 0, 0) + '\t' + out(1, 0, 0, 0, 0)])


def other_opcodes():
    path = shader('others.tgsi', 'RCP OUT[0].x, IN[0].xxxx\nSQRT OUT[0].y, IN[0].yyyy\nEX2 OUT[0].z, IN[0].zzzz\n'
                  'FLR OUT[0].w, IN[0].wwww\nUADD OUT[1].x, IN[1].xxxx, IN[1].yyyy\nF2I OUT[1].y, IN[0].wwww\n'
                  'POPC OUT[1].z, IN[1].xxxx\nUSLT OUT[1].w, IN[1].xxxx, IN[1].yyyy')
    return every_width(path, [f'IN[0]={words(4, 9, 5, -1.5)}\tIN[1]=ffffffff,0x2'],
                       [out(0, 0.25, 3, 32, -2) + '\t' + out(1, 'x00000001', 'xffffffff', 'x00000020', 'x00000000')])


def many_lines():
    """More lines than one group and than one batch of equal constants."""
    path = shader('many.tgsi', 'ADD OUT[0].x, IN[0].xxxx, CONST[1].xxxx\nMOV OUT[1], IN[1]')
    lines = [f'IN[0]={words(i)}\tCONST[1]={words(i // 50)}' for i in range(230)]
    wanted = [out(0, i + i // 50, 0, 0, 0) + '\t' + out(1, 0, 0, 0, 0) for i in range(230)]
    findings = every_width(path, lines, wanted)
    if evaluate(path, lines, '--threads', '3') != wanted:
        findings.append('three threads')
    if evaluate(path, [line.split('\t')[0] for line in lines[:50]], '--const', '0:1=0x00000000') != wanted[:50]:
        findings.append('--const')
    return findings


def quads():
    path = shader('quads.tgsi', 'DDX OUT[0], IN[0]\nDDY OUT[1], IN[0]')
    lines = [f'IN[0]={words(v)}' for v in (1, 3, 11, 13, 5)]
    flat = [out(0, 0, 0, 0, 0) + '\t' + out(1, 0, 0, 0, 0)] * 5
    # The fifth line is a quad with three helpers whose inputs are zero.
    wanted = [out(0, 2, 0, 0, 0) + '\t' + out(1, 10, 0, 0, 0)] * 4 + [out(0, -5, 0, 0, 0) + '\t' + out(1, -5, 0, 0, 0)]
    mixed = [lines[0], lines[1], lines[2] + f'\tCONST[0]={ONE}', lines[3]]
    return (every_width(path, lines, flat) + every_width(path, lines, wanted, '--quads') +
            c.exit_is(c.NO, 'eval', path, '--vectors', '-', '--quads', stdin='\n'.join(mixed), err='<stdin>:3:1: error'))


def wrong_vectors():
    path, findings = shader('wrong.tgsi', 'MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]'), []
    for line, column in (('IN[0]', 6), ('IN[0]=', 7), ('IN[0]=xyz', 7), ('IN[0]=0,', 9), ('IN[0]=123456789', 7),
                         ('IN[0]=0,0,0,0,0', 14), ('IN[]=0', 4), ('IN[0][0]=0', 1), ('CONST[99][0]=0', 1), ('FOO[0]=1', 1),
                         ('IN[0]=0 2', 8), ('IN[0]=0\tSV[0][1]=0', 9), ('IN[9999999]=0', 10), ('CONST[0][65536]=0', 1),
                         ('=', 1), ('IN[0]=0\t\tIN[0]=0', 9)):
        findings += c.exit_is(c.NO, 'eval', path, '--vectors', '-', stdin=f'IN[0]=0\n{line}\n',
                              err=f'<stdin>:2:{column}: error')
    return findings + c.exit_is(c.NO, 'eval', path, '--vectors', '-', stdin='PLANE[0][4]=0\n') + \
        c.exit_is(c.NO, 'eval', path, '--vectors', '-', stdin='CENTROID[1]=0\n') + \
        c.exit_is(c.YES, 'eval', path, '--vectors', '-', stdin='# a comment\r\nIN[0]=0x1\r\n', out='OUT[0]=0x00000001') + \
        c.exit_is(c.YES, 'eval', path, '--vectors', '-', stdin='', out='') + \
        c.exit_is(c.NO, 'eval', path, '--vectors', '-', stdin='IN[70000]=0x1\n', err='<stdin>:1:1: error 1241')


GEOMETRY = '''GEOM
PROPERTY GS_INPUT_PRIMITIVE LINES
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 2
PROPERTY GS_INVOCATIONS 2
DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL CONST[0]
DCL OUT[0], GENERIC[0]
DCL ADDR[0]
IMM[0] UINT32 {0, 1, 2, 3}
  0: UARL ADDR[0].x, SV[0].xxxx
  1: MOV OUT[0], IN[ADDR[0].x][0]
  2: EMIT IMM[0].zzzz
  3: UIF SV[0].xxxx
  4:   ENDPRIM IMM[0].zzzz
  5: ENDIF
  6: MOV OUT[0], IMM[0].xxxx
  7: EMIT IMM[0].xxxx
  8: EMIT IMM[0].xxxx
  9: END
'''
PATCHES = '''TESS_CTRL
PROPERTY TCS_VERTICES_OUT 3
DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL OUT[0], TESSOUTER
DCL OUT[][1], GENERIC[0]
DCL ADDR[0]
  0: UARL ADDR[0].x, SV[0].xxxx
  1: MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][0]
  2: MOV OUT[0], OUT[1][1]
  3: END
'''


def geometry():
    path = c.write('points.tgsi', GEOMETRY)
    lines = [f'IN[0][0]={words(i, 1)}\tIN[1][0]={words(i, 2)}' for i in range(100)]
    wanted = []
    for i in range(100):
        wanted.append('EMIT 2 ' + out(0, i, 1 + i % 2, 0, 0))
        wanted += ['ENDPRIM 2'] if i % 2 else []
        wanted += ['EMIT 0 ' + out(0, 0, 0, 0, 0), out(0, 0, 0, 0, 0)]
    mixed = [lines[0], lines[1] + f'\tCONST[0]={ONE}']
    return (every_width(path, lines, wanted) + every_width(path, lines, wanted, '--threads', '3') +
            c.exit_is(c.NO, 'eval', path, '--vectors', '-', stdin='\n'.join(mixed), err='<stdin>:2:1: error'))


def patches():
    path = c.write('patches.tgsi', PATCHES)
    lines = ['\t'.join(f'IN[{v}][0]={words(i, v)}' for v in range(3)) for i in range(99)]
    wanted = [out(0, i // 3 * 3 + 1, 1, 0, 0) + f'\tOUT[{i % 3}]' + out(1, i, i % 3, 0, 0)[3:] for i in range(99)]
    return every_width(path, lines, wanted) + every_width(path, lines, wanted, '--threads', '3')


def planes():
    path = shader('planes.tgsi', 'INTERP_CENTROID OUT[0], IN[0]\nMOV TEMP[0].x, CONST[0].xxxx\n'
                  'INTERP_SAMPLE OUT[1], IN[1], TEMP[0].xxxx')
    line = (f'IN[1]={words(7)}\tPLANE[0]={words(2, 4)}\tPLANE[0][1]={words(1, 2)}\tPLANE[0][2]={words(0, 8)}\t'
            f'PLANE[0][3]={words(2, 4, 0)}\tCENTROID[0]={words(0.5, 0.25)}')
    two = line + f'\tPLANE[1][1]={words(4)}\tPLANE[1]={words(1)}'
    return (every_width(path, [line, two], [out(0, 0.625, 1.75, 0, 0) + '\t' + out(1, 7, 0, 0, 0),
                                            out(0, 0.625, 1.75, 0, 0) + '\t' + out(1, 2, 0, 0, 0)], '--samples', '2') +
            c.exit_is(c.USAGE, 'eval', path, '--vectors', '-', '--samples', '3'))


def full_batches():
    """As many lines as one batch takes, and more: nothing is cut off, nothing is written beside."""
    findings = []
    path = shader('full.tgsi', 'INTERP_CENTROID OUT[0], IN[0]\nMOV OUT[1], IN[1]')
    for count in (8191, 8192, 8193):
        lines = [f'PLANE[0]={words(i)}\tPLANE[0][1]={words(2)}\tCENTROID[0]={words(0.5)}\tIN[1]=0x{i:x}' for i in range(count)]
        wanted = [out(0, i + 1, 0, 0, 0) + '\t' + out(1, f'x{i:08x}', 'x00000000', 'x00000000', 'x00000000') for i in range(count)]
        have = evaluate(path, lines, '--quads')
        if have != wanted:
            findings.append(f'{count}: {len(have)} lines, {[h for h, w in zip(have, wanted) if h != w][:2]}')
    path = c.write('primitives.tgsi', GEOMETRY)
    lines = [f'IN[0][0]={words(i, 1)}\tIN[1][0]={words(i, 2)}' for i in range(4098)]
    have = evaluate(path, lines)
    if len(have) != 4098 * 3 + 2049 or have[::7] != [f'{"EMIT 2 " + out(0, i, 1, 0, 0)}' for i in range(0, 4098, 2)]:
        findings.append(f'primitives: {len(have)} {have[:9]}')
    return findings


def high_registers():
    """Numbers of more than 16 bits: constants as they are, temporaries where the limit admits them; tokens hold neither."""
    text = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL CONST[0..65535]\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL ADDR[0]\n'
            'DCL TEMP[0..70000]\nUARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[70000].x, CONST[65535]\nMOV TEMP[ADDR[0].x+69998].y, CONST[ADDR[0].x+40000]\n'
            'MOV OUT[0], TEMP[70000]\nMOV OUT[1], TEMP[ADDR[0].x+69999]\nEND\n')
    path, few = c.write('high.tgsi', text), c.write('high_constants.tgsi', text.replace('70000', '7').replace('69999', '6').replace('69998', '5'))
    line = 'IN[0]=0x2,0,0,0\tCONST[65535]=0x5\tCONST[40002]=0,0x6\n'
    wanted = 'OUT[0]=0x00000005,0x00000006,0x00000000,0x00000000\tOUT[1]=0x00000000,0x00000000,0x00000000,0x00000000\n'
    findings = []
    for engine in ('interp',) + (('jit',) if c.compiles() else ()):
        for shader_path, more in ((few, ()), (path, ('--limit', 'registers=70001'))):
            findings += c.says(c.YES, wanted, '', 'eval', shader_path, '--vectors', '-', '--engine', engine, *more, stdin=line)
    findings += c.exit_is(c.LIMIT, 'check', path, err='register 70000 is above the limit of 65536 registers')
    findings += c.exit_is(c.NO, 'asm', '--words', few, err='register index 65535 does not fit: binary tokens hold -32768 to 32767', out='')
    return findings + c.exit_is(c.NO, 'asm', '--words', '--limit', 'registers=70001', path, err='register 70000 does not fit: binary tokens hold at most 65535')


def many_vertices():
    """A primitive that may emit more than there is room for at once: fewer of them together, or too many."""
    text = GEOMETRY.replace('GS_MAX_OUTPUT_VERTICES 2', 'GS_MAX_OUTPUT_VERTICES %d').replace('GS_INVOCATIONS 2', 'GS_INVOCATIONS %d')
    text = text.replace('  8: EMIT IMM[0].xxxx\n  9: END', '  8: END')
    findings = []
    lines = [f'IN[0][0]={words(i, 1)}\tIN[1][0]={words(i, 2)}' for i in range(201)]
    for vertices, invocations in ((1000, 2), (32768, 2), (40000, 3), (2, 1), (2, 300)):
        wanted = []
        for i in range(201):
            own = i % invocations
            wanted += ['EMIT 2 ' + (out(0, i, 1 + own, 0, 0) if own < 2 else out(0, 0, 0, 0, 0))] + (['ENDPRIM 2'] if own else []) + ['EMIT 0 ' + out(0, 0, 0, 0, 0), out(0, 0, 0, 0, 0)]
        have = evaluate(c.write('vertices.tgsi', text % (vertices, invocations)), lines)
        if have != wanted:
            findings.append(f'{vertices} {invocations}: {len(have)} lines, {[(n, h, w) for n, (h, w) in enumerate(zip(have, wanted)) if h != w][:2]}')
    path = c.write('vertices.tgsi', (text % (40000, 256)).replace('DCL IN', 'DCL OUT[1], GENERIC[1]\nDCL IN'))
    return findings + c.says(c.LIMIT, '', 'scheelite: out of memory\n', 'eval', path, '--vectors', '-', stdin='\n'.join(lines))


def eval_exit_codes():
    path = shader('codes.tgsi', 'MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]')
    invalid = c.write('invalid.tgsi', 'FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], TEMP[3]\n  1: ENDIF\n  2: END\n')
    call = ('eval', path, '--vectors', '-')
    findings = c.exit_is(c.USAGE, 'eval', path) + c.exit_is(c.USAGE, 'eval', '--vectors', '-') + \
        c.exit_is(c.USAGE, 'eval', '-', '--vectors', '-') + c.exit_is(c.IO, 'eval', path, '--vectors', c.path('absent')) + \
        c.exit_is(c.NO, 'eval', invalid, '--vectors', '-', err='error 2')
    for option, value, code in (('--engine', 'maxwell', c.YES), ('--engine', 'fast', c.USAGE),
                                ('--engine', 'interp', c.YES), ('--engine', 'auto', c.YES), ('--width', '5', c.USAGE),
                                ('--width', '32', c.USAGE), ('--threads', '0', c.USAGE), ('--threads', 'x', c.USAGE),
                                ('--budget', '0', c.USAGE), ('--budget', '99999999999999999999', c.USAGE),
                                ('--const', '0=1', c.USAGE), ('--const', '0:0=', c.USAGE), ('--const', '0:0=1,2,3,4,5', c.USAGE),
                                ('--const', '32:0=1', c.USAGE), ('--const', '0:65536=1', c.USAGE), ('--const', '0:0=0x1', c.YES), ('--const', '0:0=0x123456789', c.USAGE),
                                ('--tex', '0', c.USAGE), ('--tex', '=x', c.USAGE), ('--tex', '128=x', c.USAGE),
                                ('--tex', '0=x,wrap=round', c.USAGE), ('--tex', '0=x,filter=', c.USAGE),
                                ('--tex', '0=x,aniso=17', c.USAGE), ('--tex', '0=' + c.path('absent.png'), c.IO),
                                ('--tex', '0=' + path, c.NO), ('--buffer', '0', c.USAGE), ('--buffer', '192=x', c.USAGE),
                                ('--buffer', '0=zero:0', c.USAGE), ('--buffer', '0=zero:4', c.YES),
                                ('--buffer', '0=' + c.path('absent'), c.IO), ('--buffer-out', '0=x', c.USAGE),
                                ('--image', '0', c.USAGE)):
        findings += c.exit_is(code, *call, option, value)
    return findings


def maxwell_engine():
    picture = 'random:R8G8B8A8_UNORM:16x8:levels=3:seed=5'
    lookups = c.write('maxwell.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n'
                      'DCL TEMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nTXQ OUT[0].x, IN[0].xxxx, SAMP[0], 2D\n'
                      'ADD OUT[0].yzw, TEMP[0], TEMP[0].wxyz\nEND\n')
    # TLD4 names the gathered component in its word.
    refused = c.write('gather.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n'
                      'TG4 OUT[0], IN[0], IN[0].xxxx, SAMP[0], 2D\nEND\n')
    lines = '\n'.join(f'IN[0]={words(i / 7, i * i / 5, 0, 0)}' for i in range(64))
    answers = [c.run('eval', lookups, '--vectors', '-', '--quads', '--tex', '0=' + picture + ',filter=linear,mip=linear',
                     '--engine', engine, stdin=lines).stdout for engine in ('interp', 'maxwell')]
    findings = [] if answers[0] == answers[1] and answers[0] else ['the engines disagree, or say nothing']
    if len(set(answers[0].splitlines())) < 16: findings.append('the lookups answer the same everywhere')
    return (findings + c.exit_is(c.UNSUPPORTED, 'eval', refused, '--vectors', '-', '--engine', 'maxwell',
                                 err='gather.tgsi:5:1: error 4350') +
            c.exit_is(c.UNSUPPORTED, 'run', lookups, '-o', c.path('heat.png'), '--heat', 'lod', '--engine', 'maxwell'))


def budgets():
    path = c.write('endless.tgsi', ENDLESS)
    return (c.exit_is(c.LIMIT, 'eval', path, '--vectors', '-', stdin='\n', err='endless.tgsi:4:') +
            c.exit_is(c.LIMIT, 'run', path, '-o', c.path('x.png'), '--size', '3x3', err='endless.tgsi:4:') +
            c.exit_is(c.LIMIT, 'run', c.example('julia'), '-o', c.path('x.png'), '--size', '8x8', '--budget', '2',
                      err='julia.tgsi:') +
            c.exit_is(c.LIMIT, 'run', c.example('collatz'), '--grid', '1,1,1', '--budget', '20', err='collatz.tgsi:') +
            (['a picture was written'] if os.path.exists(c.path('x.png')) else []))


def grids():
    collatz = c.example('collatz')
    return (c.exit_is(c.YES, 'run', collatz, '--grid', '4,2,1', out='') + c.exit_is(c.USAGE, 'run', collatz) +
            c.exit_is(c.USAGE, 'run', collatz, '--grid', '4,2,') + c.exit_is(c.USAGE, 'run', collatz, '--grid', '0,1,1') +
            c.exit_is(c.USAGE, 'run', collatz, '--grid', '4,2,1', '--size', '4x4') +
            c.exit_is(c.UNSUPPORTED, 'run', collatz, '--grid', '1,1,1', '-o', c.path('grid.png')) + short_grids())


def short_grids():
    """What is left out of a size is 1."""
    where = c.write('where.tgsi', 'COMP\nDCL SV[0], BLOCK_ID\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM UINT32 {4, 16, 1, 0}\n'
                    'UMAD TEMP[0].x, SV[0].yyyy, IMM[0].yyyy, SV[0].xxxx\nUMUL TEMP[0].x, TEMP[0], IMM[0].xxxx\n'
                    'UADD TEMP[0].y, SV[0].zzzz, IMM[0].zzzz\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nEND\n')
    findings, wrote = [], {}
    for grid in ('4', '4,1,1', '4,2', '4,2,1'):
        findings += c.exit_is(c.YES, 'run', where, '--grid', grid, '--buffer', '0=zero:256', '--buffer-out', '0=' + c.path('w'))
        wrote[grid] = sum(open(c.path('w'), 'rb').read())
    return findings + ([] if list(wrote.values()) == [4, 4, 8, 8] else [f'groups that ran: {wrote}'])


def texels(path):
    """Width, height and the texels of a DDS file, four bytes each."""
    data = c.read(path)
    height, width = struct.unpack_from('<II', data, 12)
    return width, height, data[-4 * width * height:]


ROWS = """FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL IN[1], POSITION, LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..1]
IMM[0] FLT32 {0.01, 1.0, 0.4, 0.0}
  0: FSLT TEMP[0].x, IN[0].xxxx, IMM[0].zzzz
  1: BALLOT TEMP[1], TEMP[0].xxxx
  2: AND TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy
  3: I2F TEMP[1].x, TEMP[1].xxxx
  4: DDY TEMP[0], IN[0].yyyy
  5: MUL OUT[0].x, IN[1].yyyy, IMM[0].xxxx
  6: MOV OUT[0].y, TEMP[0].yyyy
  7: MOV OUT[0].z, IN[0].yyyy
  8: MAD OUT[0].w, TEMP[1].xxxx, IMM[0].xxxx, IMM[0].zzzz
  9: END
"""


def rows():
    """--rows draws what the whole picture has there, also where groups go on in the next row."""
    findings = []
    for name, size in (('wide', '48x37'), ('odd', '37x50')):
        for text, origin in ((ROWS, 'upper'), (ROWS.replace('FRAG', 'FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT'), 'lower')):
            shader_path = c.write(f'rows-{origin}.tgsi', text)
            whole = c.path(f'{name}.dds')
            findings += c.exit_is(c.YES, 'run', shader_path, '-o', whole, '--size', size)
            width, height, expected = texels(whole)
            for first, count in ((0, height), (0, 1), (3, 7), (height - 1, 1), (17, 16)):
                part = c.path('rows.dds')
                findings += c.exit_is(c.YES, 'run', shader_path, '-o', part, '--size', size, '--rows', f'{first},{count}')
                if texels(part) != (width, count, expected[4 * width * first:4 * width * (first + count)]):
                    findings.append(f'{name} {origin}: rows {first},{count} differ')
    shader_path = c.write('rows.tgsi', ROWS)
    for wrong in ('50,1', '0,51', '1', '1,0', '-1,2', '1,2,3', '0x1,2'):
        findings += c.exit_is(c.USAGE, 'run', shader_path, '-o', c.path('no.png'), '--size', '40x50', '--rows', wrong)
    findings += c.exit_is(c.USAGE, 'run', shader_path, '-o', c.path('no.png'), '--rows', '0,2', '--work', '5000')
    findings += c.exit_is(c.USAGE, 'run', shader_path, '-o', c.path('no.png'), '--rows', '0,2', '--heat', 'lod')
    findings += c.exit_is(c.USAGE, 'run', shader_path, '-o', c.path('no.png'), '--groups', '0,2')
    writes = c.write('rows-writes.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n'
                     'STORE BUFFER[0].x, IMM[0], IMM[0]\nMOV OUT[0], IMM[0]\nEND\n')
    given = ('run', writes, '-o', c.path('writes.png'), '--buffer', '0=zero:16')
    return findings + c.exit_is(c.YES, *given) + c.exit_is(c.UNSUPPORTED, *given, '--rows', '0,2', err='--rows')


GROUPS = """COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 40
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL SV[2], GRID_SIZE
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {40, 4, 1, 0}
  0: UMAD TEMP[0].x, SV[1].zzzz, SV[2].yyyy, SV[1].yyyy
  1: UMAD TEMP[0].x, TEMP[0].xxxx, SV[2].xxxx, SV[1].xxxx
  2: UMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx, SV[0].xxxx
  3: UADD TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz
  4: UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  5: STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
  6: END
"""


def groups():
    """--groups runs these work groups of the grid, with the numbers that they have in it."""
    compute, out = c.write('groups.tgsi', GROUPS), c.path('groups.bin')
    grid = ('run', compute, '--grid', '3,2,2', '--buffer', '0=zero:1920', '--buffer-out', f'0={out}')
    findings = []
    for first, count in ((0, 12), (0, 1), (5, 3), (11, 1)):
        findings += c.exit_is(c.YES, *grid, '--groups', f'{first},{count}')
        expected = [n + 1 if first <= n // 40 < first + count else 0 for n in range(480)]
        if list(struct.unpack('<480I', c.read(out))) != expected:
            findings.append(f'groups {first},{count} wrote other words')
    for wrong in ('12,1', '0,13', '3', '0,0', '-1,1', '1,x'):
        findings += c.exit_is(c.USAGE, *grid, '--groups', wrong, err='--groups')
    return findings + c.exit_is(c.USAGE, *grid, '--rows', '0,1')


# Of the texels at 61x47 with a bilinear, mirrored photo: the same on every machine, at every width.
PICTURES = {
    'blur': '8d63ac75c5b92a20',
    'edges': '43a15d481722a7b5',
    'gradient': 'fd05306e3f5fbd10',
    'julia': '84a26247b6397bc9',
    'plane': '5b5d4787b7d6fe82',
    'plasma': 'c5d616140efbd842',
    'swirl': '608a311e53678be5',
    'tiles': '010c43cff3fddaec',
}


def pictures():
    findings = []
    for shader_path in c.SHADERS:
        name = os.path.basename(shader_path)[:-5]
        if name == 'collatz':
            continue
        hashes = set()
        for options in (('--width', '4'), ('--width', '8'), ('--width', '16'), ('--threads', '2'), ('--threads', '3'),
                        ('--width', '4', '--threads', '3')):
            picture = c.path(f'{name}.png')
            done = c.run('run', shader_path, '--tex', f'0={c.PHOTO},wrap=mirror_repeat,filter=linear', '-o', picture,
                         '--size', '61x47', '--const', '0:0=1.5', *options)
            if done.returncode or done.stdout:
                findings.append(f'{name} {options}: exit {done.returncode} {done.stderr.decode()}')
                continue
            if c.picture(picture)[:2] != (61, 47):
                findings.append(f'{name}: size')
            hashes.add(c.picture_hash(picture))
        if hashes != {PICTURES.get(name)}:
            findings.append(f'{name}: {sorted(hashes)}, not {PICTURES.get(name)}')
    return findings


def shade(name, text, *options):
    picture = c.path(name + '.png')
    done = c.run('run', c.write(name + '.tgsi', text), '-o', picture, *options)
    if done.returncode:
        raise OSError(f'{name}: exit {done.returncode}: {done.stderr.decode()}')
    return c.picture(picture)[2]


def position_conventions():
    """x / 64 and y / 64 of POSITION, by both properties, in a picture of 5 by 3."""
    findings = []
    for origin in ('UPPER_LEFT', 'LOWER_LEFT'):
        for center in ('HALF_INTEGER', 'INTEGER'):
            text = (f'FRAG\nPROPERTY FS_COORD_ORIGIN {origin}\nPROPERTY FS_COORD_PIXEL_CENTER {center}\n'
                    'DCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.015625, 1.0, 0.0, 0.0}\n'
                    'MUL OUT[0], IN[0], IMM[0].xxxy\nEND\n')
            texels, half = shade('position', text, '--size', '5x3'), 0.5 if center == 'HALF_INTEGER' else 0.0
            for i in range(15):
                x, y = i % 5, i // 5
                row = y if origin == 'UPPER_LEFT' else 2 - y
                wanted = (round((x + half) / 64 * 255), round((row + half) / 64 * 255), 0, 255)
                if tuple(texels[4 * i:4 * i + 4]) != wanted:
                    findings.append(f'{origin} {center} {x},{y}: {tuple(texels[4 * i:4 * i + 4])}, not {wanted}')
    return findings


def inputs_of_a_pixel():
    """GENERIC, TEXCOORD, COLOR are (s, t, 0, 1); FACE is the front; rows begin at t = 0."""
    findings = []
    for semantic in ('GENERIC[7]', 'TEXCOORD[1]', 'COLOR[0]'):
        texels = shade('st', f'FRAG\nDCL IN[0], {semantic}, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n',
                       '--size', '4x2')
        wanted = b''.join(bytes((round((x + 0.5) / 4 * 255), round((y + 0.5) / 2 * 255), 0, 255))
                          for y in range(2) for x in range(4))
        if texels != wanted:
            findings.append(f'{semantic}: {texels.hex()}, not {wanted.hex()}')
    face = shade('face', 'FRAG\nDCL IN[0], FACE, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xyzx\nEND\n', '--size', '1x1')
    if face != bytes((255, 0, 0, 255)):
        findings.append(f'FACE: {face.hex()}')
    return findings


def colors_to_unorm8():
    """Round to nearest even, clamped, NaN 0."""
    text = 'FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nMOV OUT[0], CONST[0]\nEND\n'
    findings = []
    for given, wanted in (('0.5,-1,2,0x7fc00000', (128, 0, 255, 0)), ('0.49803922,0.0,1.0,0x7f800000', (127, 0, 255, 255)),
                          ('0.49999997,0.50000006,0x80000000,0x00000001', (127, 128, 0, 0))):
        texels = shade('unorm', text, '--size', '1x1', '--const', '0:0=' + given)
        if tuple(texels) != wanted:
            findings.append(f'{given}: {tuple(texels)}, not {wanted}')
    return findings


def lookups():
    """At one texel a pixel both filters give the photo back; killed pixels stay zero."""
    text = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n'
            'TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n')
    plain = shade('tex', text, '--tex', f'0={c.PHOTO}', '--size', '256x256')
    smooth = shade('tex', text, '--tex', f'0={c.PHOTO},filter=linear,wrap=clamp_to_edge,repeat', '--size', '256x256')
    findings = [] if plain == smooth else ['nearest and linear differ at texel centres']
    again = c.path('again.png')
    c.run('run', c.path('tex.tgsi'), '--tex', '0=' + c.path('tex.png'), '-o', again)
    if c.picture(again)[2] != plain:
        findings.append('a picture of the picture differs')
    if len(set(plain[i:i + 4] for i in range(0, len(plain), 4))) < 1000:
        findings.append('this is no photo')
    # An odd name, and a second texture.
    odd = c.path('a,b=c,wrapped.png')
    with open(odd, 'wb') as file:
        file.write(c.read(c.PHOTO))
    two = text.replace('SAMP[0]', 'SAMP[3]').replace('SVIEW[0]', 'SVIEW[3]')
    if shade('two', two, '--tex', f'3={odd},filter=nearest', '--size', '256x256') != plain:
        findings.append('--tex 3')
    if any(shade('none', text, '--size', '4x4')):
        findings.append('an unbound texture is not zero')
    killed = c.path('tiles.png')
    c.run('run', c.example('tiles'), '-o', killed, '--size', '64x64')
    if c.picture(killed)[2][:4] != bytes(4):
        findings.append('a killed pixel has a colour')
    return findings


def run_exit_codes():
    gradient, vertex = c.example('gradient'), 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n'
    depth = 'FRAG\nDCL OUT[0], POSITION\nMOV OUT[0].z, OUT[0]\nEND\n'
    done = c.path('done.png')
    findings = (c.exit_is(c.USAGE, 'run') + c.exit_is(c.USAGE, 'run', gradient) +
                c.exit_is(c.USAGE, 'run', gradient, gradient, '-o', done) +
                c.exit_is(c.USAGE, 'run', gradient, '-o', done, '--grid', '1,1,1') +
                c.exit_is(c.IO, 'run', c.path('absent'), '-o', done) +
                c.exit_is(c.IO, 'run', gradient, '-o', c.path('no/folder.png')) +
                c.exit_is(c.UNSUPPORTED, 'run', '-', '-o', done, stdin=vertex, err='not vertex ones; eval runs them line by line, and render draws with them') +
                c.exit_is(c.YES, 'run', '-', '-o', done, stdin=depth, err='no COLOR 0') +
                c.exit_is(c.NO, 'run', '-', stdin='[require]\nGLSL >= 1.30\n', err='1181') +
                c.exit_is(c.YES, 'run', gradient, '-o', done, '--size', '1x1', out=''))
    for size in ('0x4', '4', '4x', 'x4', '16385x1', '4x4x4', '-4x4', '99999999999x1'):
        findings += c.exit_is(c.USAGE, 'run', gradient, '-o', done, '--size', size)
    findings += c.exit_is(c.USAGE, 'run', gradient, '-o', done, '--compiled', 'x', err='for scripts')
    if os.path.exists('/dev/full'):
        findings += c.exit_is(c.IO, 'run', gradient, '-o', '/dev/full')
    return findings


REVERSE = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL BUFFER[0..1]
DCL MEMORY[0], SHARED
DCL TEMP[0..2]
IMM[0] UINT32 {2, 63, 0, 0}
SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx
BARRIER
UADD TEMP[2].x, IMM[0].yyyy, -SV[0].xxxx
SHL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx
LOAD TEMP[1].x, MEMORY[0], TEMP[2].xxxx
STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx
END
'''


def buffers():
    """A compute shader reads one buffer and writes another, at every width and number of threads."""
    findings = []
    words = [i * 2654435761 & 0xffffffff for i in range(64)]
    shader = c.write('reverse.tgsi', REVERSE)
    given = c.write('given.bin', b''.join(w.to_bytes(4, 'little') for w in words))
    wanted = b''.join(w.to_bytes(4, 'little') for w in reversed(words))
    for more in ((), ('--width', '4'), ('--width', '8'), ('--width', '16', '--threads', '3'), ('--unordered', '--threads', '2')):
        made = c.path('made.bin')
        findings += c.exit_is(c.YES, 'run', shader, '--grid', '1,1,1', '--buffer', '0=' + given, '--buffer', '1=zero:256',
                              '--buffer-out', '1=' + made, *more, out='')
        if c.read(made) != wanted:
            findings.append(f'reverse.tgsi {more}: the buffer is wrong')
    nothing = c.write('nothing.tgsi', 'COMP\nEND\n')
    # A file is a file whatever its name begins with; the last of two counts; what is empty holds nothing.
    for name, holds in (('zero.bin', 'abc'), ('zero', 'x'), ('zeros:8', 'yz'), ('Zero:8', '0'), ('empty', '')):
        c.write(name, holds)
        for buffer in (f'0={name}', f'u3={name}', f't4={name}'):
            out = buffer.split('=')[0] + '=out.bin'
            findings += c.says(c.YES, '', '', 'run', nothing, '--grid', '1,1,1', '--buffer', out.replace('out.bin', 'zero:77'), '--buffer', buffer, '--buffer-out', out, cwd=c.FOLDER.name)
            findings += [] if c.read(c.path('out.bin')) == holds.encode() else [f'{buffer}: {c.read(c.path("out.bin"))}']
    for size in (1, 5, 4096):
        findings += c.says(c.YES, '', '', 'run', nothing, '--grid', '1,1,1', '--buffer', '7=zero.bin', '--buffer', f'7=zero:{size}', '--buffer-out', '7=out.bin', cwd=c.FOLDER.name)
        findings += [] if c.read(c.path('out.bin')) == bytes(size) else [f'{size}: {c.read(c.path("out.bin"))}']
    stuck = c.write('stuck.tgsi', 'COMP\nDCL SV[0], THREAD_ID\nUIF SV[0].xxxx\nBARRIER\nENDIF\nEND\n')
    return (findings + c.exit_is(c.NO, 'run', stuck, '--grid', '1,1,1', '--block', '40,1,1', err='stuck.tgsi:4:1: error 5002') +
            c.exit_is(c.YES, 'run', stuck, '--grid', '5,1,1', '--block', '1,1,1') +
            c.exit_is(c.USAGE, 'run', shader, '--grid', '1,1,1', '--block', '32,1,1') +
            c.exit_is(c.IO, 'run', shader, '--grid', '1,1,1', '--buffer', '0=zero:4', '--buffer-out', '0=' + c.path('no/folder')))


def little(*numbers):
    return b''.join(n.to_bytes(4, 'little') for n in numbers)


def counters_and_memory():
    """HWATOMIC, GLOBAL and INPUT memory are what the options give, in run and eval, on both engines."""
    text = ('COMP\nDCL HWATOMIC[3][1]\nDCL HWATOMIC[0][0]\nDCL MEMORY[0], GLOBAL\nDCL MEMORY[1], INPUT\nDCL TEMP[0..1]\n'
            'DCL SV[0], THREAD_ID\nIMM[0] UINT32 {0, 1, 4, 8}\n'
            '  0: ATOMUADD TEMP[0].x, HWATOMIC[3][1], IMM[0].zzzz, IMM[0].wwww\n'
            '  1: ATOMUADD TEMP[0].y, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n'
            '  2: LOAD TEMP[1].x, MEMORY[1], IMM[0].zzzz\n'
            '  3: UADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n'
            '  4: UMUL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n'
            '  5: STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[0].xxxx\n'
            '  6: END\n')
    shader, findings = c.write('counters.tgsi', text), []
    counters, arguments = c.write('counters.bin', little(5, 1000, 7)), c.write('input.bin', little(1, 70000))
    memory = c.write('global.bin', little(*[9] * 5))
    made, counted = c.path('global-out.bin'), c.path('counters-out.bin')
    options = ('--hwatomic', '3=' + counters, '--hwatomic-out', '3=' + counted, '--input', arguments, '--global', memory,
               '--global-out', made)
    for engine in ('interp', 'both'):
        findings += c.exit_is(c.YES, 'run', shader, '--grid', '1,1,1', '--block', '3,1,1', '--engine', engine, *options, out='')
        if c.read(made) != little(71000, 71008, 71016, 9, 9):
            findings.append(f'{engine}: global memory is {c.read(made).hex()}')
        if c.read(counted) != little(5, 1024, 7):
            findings.append(f'{engine}: counters are {c.read(counted).hex()}')
        os.remove(made)
        os.remove(counted)
    vertex = c.write('counters-vertex.tgsi', 'VERT\nDCL OUT[0], GENERIC[0]\nDCL HWATOMIC[1][2]\nDCL TEMP[0]\nDCL MEMORY[0], GLOBAL\n'
                     'IMM[0] UINT32 {0, 2, 4, 8}\n  0: ATOMUADD TEMP[0].x, HWATOMIC[1][2], IMM[0].wwww, IMM[0].yyyy\n'
                     '  1: STORE MEMORY[0].y, IMM[0].xxxx, TEMP[0].xxxx\n  2: MOV OUT[0], TEMP[0].xxxx\n  3: END\n')
    lines = c.write('two.tsv', '\n\n')
    done = c.run('eval', vertex, '--vectors', lines, '--hwatomic', '1=' + counters, '--hwatomic-out', '1=' + counted,
                 '--global', 'zero:8', '--global-out', made, '--engine', 'both')
    if done.stdout.decode() != 'OUT[0]=' + ','.join(['0x00000007'] * 4) + '\n' + 'OUT[0]=' + ','.join(['0x00000009'] * 4) + '\n' or done.returncode != c.YES:
        findings.append(f'eval: {done}')
    if c.read(counted) != little(5, 1000, 11) or c.read(made) != little(0, 9):
        findings.append(f'eval: {c.read(counted).hex()}, {c.read(made).hex()}')
    short = c.run('eval', vertex, '--vectors', lines, '--hwatomic', '1=zero:8')  # the counter is outside
    if short.stdout.decode() != (out(0, 0, 0, 0, 0) + '\n') * 2:
        findings.append(f'{short}')
    grid = ('run', shader, '--grid', '1,1,1')
    for option, value, code in (('--hwatomic', 'x', c.USAGE), ('--hwatomic', '192=zero:4', c.USAGE), ('--hwatomic', '0=zero:', c.USAGE),
                                ('--hwatomic-out', '0=' + made, c.USAGE), ('--global', '', c.USAGE), ('--global', 'zero:0', c.USAGE),
                                ('--global-out', made, c.USAGE), ('--input', c.path('absent'), c.IO), ('--input', '', c.USAGE),
                                ('--hwatomic', '0=' + c.path('absent'), c.IO), ('--input-out', made, c.USAGE)):
        findings += c.exit_is(code, *grid, option, value)
    return findings + c.exit_is(c.USAGE, 'jit', '--stats', shader, '--global', 'zero:4')


def framebuffers():
    """FBFETCH reads what --fb gives, at the pixel; in eval at PIXEL[0]."""
    text = ('FRAG\nDCL OUT[0], COLOR[0]\nDCL OUT[1], COLOR[2]\nDCL TEMP[0..1]\n'
            '  0: FBFETCH TEMP[0], OUT[1]\n  1: FBFETCH TEMP[1], OUT[0]\n'
            '  2: ADD OUT[0], TEMP[0].wzyx, TEMP[1]\n  3: MOV OUT[1], TEMP[0]\n  4: END\n')
    texels, findings = 'random:R8G8B8A8_UNORM:5x3:seed=9', []
    wanted = shade('looked-up', 'FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL TEMP[0]\n'
                   '  0: F2I TEMP[0], IN[0]\n  1: TXF_LZ TEMP[0], TEMP[0], SAMP[0], 2D\n  2: MOV OUT[0], TEMP[0].wzyx\n  3: END\n',
                   '--size', '5x3', '--tex', '0=' + texels)
    for more in ((), ('--engine', 'both'), ('--width', '8')):
        if shade('fetched', text, '--size', '5x3', '--fb', '2=' + texels, *more) != wanted:
            findings.append(f'{more}: another picture than its texels')
    if len(set(wanted)) < 10:
        findings.append('the picture shows nothing')
    single = c.write('fetch-one.tgsi', 'FRAG\nDCL OUT[0], COLOR[0]\n  0: FBFETCH OUT[0], OUT[0]\n  1: END\n')
    layers = 'random:R32_UINT:4x3:layers=2:seed=3,target=2D_ARRAY'
    lines = c.write('pixels.tsv', 'PIXEL[0]=0x3,0x2,0x1\n\nPIXEL[0]=0x1\nPIXEL[0]=0x4\n')
    asked = [c.run('sample', '--tex', 'random:R32_UINT:4x3:layers=2:seed=3', '--target', '2D_ARRAY', '--op', 'fetch', '--at', at)
             .stdout.decode().strip() for at in ('3,2,1', '0,0,0', '1,0,0')]
    done = c.run('eval', single, '--vectors', lines, '--fb', '0=' + layers)
    wanted = ''.join('OUT[0]=' + ','.join(w if w.startswith('0x') else '0x' + w for w in line.split(',')) + '\n' for line in asked)
    if done.stdout.decode() != wanted + out(0, 0, 0, 0, 0) + '\n':
        findings.append(f'eval: {done.stdout}, not {wanted}')
    picture = c.path('framebuffer.png')
    for value in ('0', '64=' + texels, '0=' + texels + ',target=SHADOW2D', '0='):
        findings += c.exit_is(c.USAGE, 'run', single, '-o', picture, '--fb', value)
    bad = c.write('pixel.tsv', 'PIXEL[0][1]=0x1\n')
    return findings + c.exit_is(c.NO, 'eval', single, '--vectors', bad, err='PIXEL has one bracket') + \
        c.exit_is(c.IO, 'run', single, '-o', picture, '--fb', '0=' + c.path('absent.png'))


def early_ends():
    """Work, deadlines and Ctrl-C end dispatches: with a place, a number and an exit code."""
    loop = c.write('endless.tgsi', 'COMP\nDCL TEMP[0]\nBGNLOOP\nMOV TEMP[0].x, TEMP[0].xxxx\nENDLOOP\nEND\n')
    picture = c.write('flat.tgsi', 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0].x, OUT[0].xxxx\nMOV OUT[0].y, OUT[0].xxxx\nEND\n')
    grid = ('--grid', '3,1,1', '--budget', '1000000000000')
    findings = []
    for engine in ('interp', 'auto'):
        more = (*grid, '--engine', engine)
        findings += c.exit_is(c.LIMIT, 'run', loop, *more, '--work', '1000', err='endless.tgsi:5:1: error 5004: the work of 1000')
        findings += c.exit_is(c.LIMIT, 'run', loop, *more, '--deadline', '20', err='error 5005: the deadline of 20 ms')
    out = c.path('flat.png')
    findings += c.exit_is(c.LIMIT, 'run', picture, '-o', out, '--size', '64x2', '--work', '11', err='flat.tgsi:5:1: error 5004')
    if os.path.exists(out):
        findings.append('a picture that was not finished is written')
    findings += c.exit_is(c.YES, 'run', picture, '-o', out, '--size', '64x2', '--work', '12')
    findings += c.exit_is(c.USAGE, 'run', loop, *grid, '--work', '0') + c.exit_is(c.USAGE, 'run', loop, *grid, '--deadline', 'x')
    running = subprocess.Popen([c.COMMAND, 'run', loop, *grid, '--deadline', '60000'], stderr=subprocess.PIPE)
    for _ in range(1200):  # until it can be interrupted
        time.sleep(0.05)
        with open(f'/proc/{running.pid}/status', encoding='ascii') as status:
            caught = [line for line in status if line.startswith('SigCgt')]
        if caught and int(caught[0].split()[1], 16) & 1 << signal.SIGINT - 1:
            break
    running.send_signal(signal.SIGINT)
    err = running.communicate(timeout=60)[1]
    if running.returncode != -signal.SIGINT or b'error 5006' not in err:
        findings.append(f'SIGINT: {running.returncode} {err}')
    return findings


def tiny():
    program = os.path.join(tap.BUILD, 'examples', 'tiny')
    done = subprocess.run([program], capture_output=True, check=True, timeout=60)
    findings = [] if '3: OUT[0] = 2 16 0 0' in done.stdout.decode() else [done.stdout.decode()]
    bad = subprocess.run([program, c.write('tiny.tgsi', 'VERT\nFOO\nEND\n')], capture_output=True, timeout=60, check=False)
    if bad.returncode != 1 or 'tiny.tgsi:2:1: 1' not in bad.stderr.decode():
        findings.append(bad.stderr.decode())
    lines = c.read(os.path.join(c.EXAMPLES, 'tiny.c')).count(b'\n')
    return findings + ([f'tiny.c has {lines} lines'] if lines >= 100 else [])


tap.run([('eval: arithmetic', arithmetic), ('eval: other opcodes', other_opcodes), ('eval: many lines', many_lines),
         ('eval: quads', quads), ('eval: geometry', geometry), ('eval: full batches', full_batches), ('eval: many vertices', many_vertices), ('high registers', high_registers),
         ('eval: patches', patches), ('eval: planes', planes), ('eval: wrong vectors', wrong_vectors), ('eval: exit codes', eval_exit_codes),
         ('engine maxwell', maxwell_engine), ('budgets name the line', budgets), ('run: grids', grids), ('run: rows', rows), ('run: groups', groups),
         ('run: the same pictures at every width and thread count', pictures),
         ('run: POSITION', position_conventions), ('run: other inputs', inputs_of_a_pixel),
         ('run: colours to UNORM8', colors_to_unorm8), ('run: lookups', lookups), ('run: exit codes', run_exit_codes),
         ('run: compute shaders with buffers', buffers),
         ('run and eval: counters, GLOBAL and INPUT memory', counters_and_memory),
         ('run and eval: what FBFETCH reads', framebuffers), ('early ends', early_ends),
         ('the smallest program', tiny)])
