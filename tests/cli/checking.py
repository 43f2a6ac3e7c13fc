#!/usr/bin/env python3
"""run --check-races and --check-unwritten: grids of TGSI, Direct3D and Maxwell code whose accesses race, or do not; what was
never written; barriers that are not met; the mistakes of examples/bugs, each found by one command."""
import json
import os
import re

import command as c
import tap

BUGS = os.path.join(tap.SOURCE, 'examples', 'bugs')
KERNELS = os.path.join(tap.SOURCE, 'tests', 'corpus', 'kernels')


def found(done):
    """The numbers and lines of the errors, each once."""
    return sorted(set(re.findall(r':(\d+):\d+: error (\d+):', done.stderr.decode())), key=lambda it: (it[1], int(it[0])))


def expect(wanted, done, code=None):
    """`wanted`: pairs of line and number, as texts."""
    have = found(done)
    code = (1 if wanted else 0) if code is None else code
    return [] if (have, done.returncode) == (sorted(wanted, key=lambda it: (it[1], int(it[0]))), code) else [f'{done.args[1:]}: {done.returncode} {have}: {done.stderr.decode()[:600]}']


def bugs():
    """Each by one command, with the lines that take part; the corrected ones have none."""
    def bug(name):
        return os.path.join(BUGS, name)
    numbers = ('--buffer', '0=random:512', '--buffer', '1=zero:8')
    two = ('--grid', '2,1,1', '--block', '64,1,1')
    return (expect([('5', '4400'), ('7', '4400')], c.run('run', bug('count.maxwell'), *two, '--param', 'zero:4', '--check-races'))
            + expect([('10', '4400'), ('12', '4400')], c.run('run', bug('reverse.maxwell'), *two, '--param', 'random:512', '--check-races'))
            + expect([('8', '4328')], c.run('run', bug('outside.maxwell'), *two, '--param', 'zero:400'))
            + expect([('7', '4333')], c.run('run', bug('meeting.maxwell'), '--grid', '1,1,1', '--block', '64,1,1'))
            + expect([('8', '4401'), ('9', '4402')], c.run('run', bug('unwritten.maxwell'), '--grid', '1,1,1', '--block', '64,1,1', '--param', 'zero:256', '--check-unwritten'))
            + expect([('17', '4400'), ('27', '4401')], c.run('run', bug('sum.tgsi'), '--grid', '2,1,1', *numbers, '--check-races', '--check-unwritten'))
            + expect([], c.run('run', bug('sum-mended.tgsi'), '--grid', '2,1,1', *numbers, '--check-races', '--check-unwritten')))


def words():
    """What a race and a barrier that is not met are said to be."""
    done = c.run('run', os.path.join(BUGS, 'reverse.maxwell'), '--grid', '2,1,1', '--block', '64,1,1', '--param', 'random:512', '--check-races')
    race = ('thread 32,0,0 of block 0,0,0 reads 0x7c of shared memory, which thread 31,0,0 of block 0,0,0 has written at line 10 '
            '(instruction 7), and no barrier is between')
    findings = [] if race in done.stderr.decode() else [done.stderr.decode()]
    done = c.run('run', os.path.join(BUGS, 'meeting.maxwell'), '--grid', '1,1,1', '--block', '64,1,1')
    meeting = 'thread 16,0,0 of block 0,0,0: it has not ended, and does not come to the barrier with its warp: it waits to continue at line 10'
    findings += [] if meeting in done.stderr.decode() else [done.stderr.decode()]
    code = c.write('apart.maxwell', 'S2R R0, SR_TID.X ;\nISETP.LT.AND P0, PT, R0, 0x20, PT ;\n@P0 BAR.SYNC 0x0 ;\n@!P0 BAR.SYNC 0x3 ;\nEXIT ;\n')
    done = c.run('run', '-x', 'maxwell', code, '--grid', '1,1,1', '--block', '64,1,1')
    apart = 'barrier 0 is not complete, and no warp can continue: warp 0 waits at barrier 0, line 3; warp 1 waits at barrier 3, line 4'
    return findings + ([] if apart in done.stderr.decode() and done.returncode == 1 else [done.stderr.decode()])


# Two warps. R0 is the thread, R1 four times the thread; R2 the same of the thread of the other warp.
HEAD = '''S2R R0, SR_TID.X ;
SHL R1, R0, 0x2 ;
LOP.XOR R2, R1, 0x80 ;
ISETP.LT.AND P0, PT, R0, 0x20, PT ;
S2R R6, SR_CTAID.X ;
MOV R4, c[0x0][0x140] ;
MOV R5, c[0x0][0x144] ;
'''
FIRST = HEAD.count('\n') + 1
CASES = (
    # name, code, which of its lines race, blocks
    ('barrier', 'STS [R1], R0 ;\nBAR.SYNC 0x0 ;\nLDS R3, [R2] ;\nEXIT ;\n', (), 1),
    ('no barrier', 'STS [R1], R0 ;\nNOP ;\nLDS R3, [R2] ;\nEXIT ;\n', (0, 2), 1),
    ('memory barrier alone', 'STS [R1], R0 ;\nMEMBAR.CTA ;\nLDS R3, [R2] ;\nEXIT ;\n', (0, 2), 1),
    ('named barrier', 'STS [R1], R0 ;\nBAR.SYNC 0x5 ;\nLDS R3, [R2] ;\nEXIT ;\n', (), 1),
    ('producer and consumer', '@P0 STS [R1], R0 ;\n@P0 BAR.ARV 0x1, 0x40 ;\n@!P0 BAR.SYNC 0x1, 0x40 ;\n@!P0 LDS R3, [R2] ;\nEXIT ;\n', (), 1),
    ('who arrives does not wait', '@!P0 STS [R1], R0 ;\n@P0 BAR.ARV 0x1, 0x40 ;\n@!P0 BAR.SYNC 0x1, 0x40 ;\n@P0 LDS R3, [R2] ;\nEXIT ;\n', (0,), 1),
    ('another barrier', '@P0 STS [R1], R0 ;\n@P0 BAR.SYNC 0x1, 0x20 ;\n@!P0 BAR.SYNC 0x2, 0x20 ;\n@!P0 LDS R3, [R2] ;\nEXIT ;\n', (3,), 1),
    ('one warp is in step', 'SHL R3, R0, 0x2 ;\nSTS [R1], R0 ;\nLOP.XOR R2, R1, 0x4 ;\nLDS R3, [R2] ;\nEXIT ;\n', (), 1),
    ('one word by all', 'STS [RZ], R0 ;\nEXIT ;\n', (0,), 1),
    ('bytes of a word', 'STS.U8 [R0], R0 ;\nEXIT ;\n', (), 1),
    ('atomic', 'MOV R3, 0x1 ;\nRED.E.ADD [R4], R3 ;\nEXIT ;\n', (), 2),
    ('atomic and not', 'MOV R3, 0x1 ;\n@P0 RED.E.ADD [R4], R3 ;\n@!P0 STG.E [R4], R3 ;\nEXIT ;\n', (2, 1), 2),
    ('reads', 'LDG.E R3, [R4] ;\nEXIT ;\n', (), 2),
    ('blocks', 'LDG.E R3, [R4] ;\nISETP.EQ.AND P1, PT, R0, RZ, PT ;\nISETP.EQ.AND P1, PT, R6, 0x1, P1 ;\n@P1 STG.E [R4+0x40], R3 ;\nISETP.EQ.AND P1, PT, R0, RZ, PT ;\nISETP.EQ.AND P1, PT, R6, RZ, P1 ;\n@P1 LDG.E R3, [R4+0x40] ;\nEXIT ;\n', (3,), 2),
    ('blocks have memory of their own', 'STS [R1], R0 ;\nEXIT ;\n', (), 2),
    ('a barrier does not order blocks', '@P0 BAR.SYNC 0x0 ;\n@!P0 BAR.SYNC 0x0 ;\nIADD R4.CC, R4, R1 ;\nIADD.X R5, R5, RZ ;\nSTG.E [R4], R0 ;\nEXIT ;\n', (4,), 2),
    ('generic addresses', 'IADD R2, R2, c[0x0][0x0] ;\nSTS [R1], R0 ;\nMOV R3, RZ ;\nLD.E R3, [R2] ;\nEXIT ;\n', (1, 3), 1),
    ('pairs', 'SHL R2, R0, 0x3 ;\nSTS.64 [R2], R4 ;\nLDS R3, [R1] ;\nEXIT ;\n', (2,), 1),
)


def races():
    """Orders that there are in Maxwell code, and others; the same at each width, and whatever the engine."""
    findings = []
    for name, code, lines, blocks in CASES:
        path = c.write('case.maxwell', HEAD + code)
        wanted = [(str(FIRST + line), '4400') for line in lines]
        for way in ((), ('--width', '4', '--threads', '3'), ('--width', '16', '--engine', 'interp')):
            done = c.run('run', '-x', 'maxwell', path, '--grid', f'{blocks},1,1', '--block', '64,1,1', '--param', 'zero:4096', '--check-races', *way)
            findings += [f'{name} {way}: {said}' for said in expect(wanted, done)]
    return findings


PARTED = '''  S2R R0, SR_TID.X ;
  SHL R1, R0, 0x2 ;
  ISETP.LT.AND P1, PT, R0, 0x10, PT ;
  SSY `(.L_met) ;
  @P1 BRA `(.L_low) ;
  STS [R1], R0 ;
  SYNC ;
.L_low:
  LDS R2, [R1+%s] ;
  SYNC ;
.L_met:
  LOP.XOR R1, R1, 0x40 ;
  LDS R3, [R1] ;
  EXIT ;
'''


def parted():
    """Two sides of a branch are not ordered, whichever runs first; where they have met again they are."""
    findings = []
    for offset, races in (('0x40', True), ('0x80', False)):
        path = c.write('parted.maxwell', PARTED % offset)
        done = c.run('run', '-x', 'maxwell', path, '--grid', '1,1,1', '--block', '32,1,1', '--check-races')
        have = found(done)
        if (done.returncode, len(have)) != (int(races), int(races)) or (races and have[0] not in (('6', '4400'), ('9', '4400'))):
            findings.append(f'{offset}: {have}: {done.stderr.decode()}')
    return findings


def unwritten():
    """Shared and local memory by bytes, registers by lanes; what functions save on the stack does not count."""
    findings = []
    for code, wanted in (('LDS R3, [R1] ;\nEXIT ;\n', [(0, 4401)]), ('STS [R1], R0 ;\nLDS R3, [R1] ;\nEXIT ;\n', []),
                         ('STS.U8 [R1], R0 ;\nLDS.U8 R3, [R1] ;\nLDS.U8 R3, [R1+0x1] ;\nEXIT ;\n', [(2, 4401)]),
                         ('ATOMS.ADD R3, [R1], R0 ;\nATOMS.ADD R3, [R1], R0 ;\nEXIT ;\n', [(0, 4401)]),
                         ('LDL R3, [RZ+0x10] ;\nEXIT ;\n', [(0, 4401)]), ('STL [RZ+0x10], R0 ;\nLDL R3, [RZ+0x10] ;\nEXIT ;\n', []),
                         ('IADD R3, R20, 0x1 ;\nEXIT ;\n', [(0, 4402)]), ('@P0 MOV R3, R0 ;\nIADD R3, R3, 0x1 ;\nEXIT ;\n', [(1, 4402)]),
                         ('@P3 MOV R3, R0 ;\nEXIT ;\n', [(0, 4402)]), ('IADD.X R3, R0, R0 ;\nEXIT ;\n', [(0, 4402)]),
                         ('CSETP.GT.AND P0, PT, CC, PT ;\nEXIT ;\n', [(0, 4402)]), ('IADD RZ.CC, R0, R0 ;\nCSETP.GT.AND P0, PT, CC, PT ;\nEXIT ;\n', []),
                         ('CSET.GT.AND R3, CC, PT ;\nEXIT ;\n', [(0, 4402)]), ('IMNMX.U32.XLO R3, R0, R0, PT ;\nEXIT ;\n', [(0, 4402)]),
                         ('P2R R3, CC, RZ, 0xf ;\nEXIT ;\n', []),
                         ('STL [RZ], R30 ;\nLDL R30, [RZ] ;\nEXIT ;\n', []), ('STG.E [R30], R0 ;\nEXIT ;\n', [(0, 4402), (0, 4328)])):
        path = c.write('case.maxwell', HEAD + code)
        done = c.run('run', '-x', 'maxwell', path, '--grid', '1,1,1', '--block', '64,1,1', '--param', 'zero:4096', '--check-unwritten')
        findings += [f'{code!r}: {said}' for said in expect([(str(FIRST + line), str(number)) for line, number in wanted], done)]
    return findings


TGSI = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL BUFFER[0]
DCL BUFFER[1]
DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR
DCL MEMORY[0], SHARED
DCL TEMP[0..3]
IMM[0] UINT32 {0, 1, 2, 4}
SHL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz
XOR TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww
UMAD TEMP[0].z, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx
'''


def tgsi():
    """Lanes of TGSI are ordered by barriers alone; buffers that are one memory, images, atomics."""
    first = TGSI.count('\n') + 1
    findings = []
    for body, lines in (('STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].xxxx\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy\n', (1,)),
                        ('STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].xxxx\nBARRIER\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy\n', ()),
                        ('STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].xxxx\nMEMBAR TEMP[0].xxxx\nLOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy\n', (2,)),
                        ('STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].xxxx\n', (0,)), ('LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n', ()),
                        ('ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n', ()),
                        ('ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nLOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\n', (1, 0)),
                        ('STORE IMAGE[0].x, TEMP[0].xxxx, TEMP[0].xxxx, 2D, PIPE_FORMAT_R32_UINT\n', (0,))):
        if body.startswith('MEMBAR') or 'MEMBAR' in body:
            body = body.replace('MEMBAR TEMP[0].xxxx', 'MEMBAR IMM[0].yyyy')
        path = c.write('case.tgsi', TGSI + body + 'END\n')
        done = c.run('run', path, '--grid', '2,1,1', '--buffer', '0=zero:1024', '--buffer', '1=zero:1024', '--image', '0=zero:R32_UINT:256x1', '--check-races')
        findings += [f'{body!r}: {said}' for said in expect([(str(first + line), '4400') for line in lines], done)]
    return findings


D3D = '''cs_5_0
dcl_tgsm_raw g0, 256
dcl_input vThreadIDInGroup.x
dcl_temps 2
dcl_thread_group 64, 1, 1
ishl r0.x, vThreadIDInGroup.x, l(2)
store_raw g0.x, r0.x, r0.x
%s
xor r0.y, r0.x, l(128)
ld_raw r1.x, r0.y, g0.xxxx
ret
'''


def d3d():
    """Assembly of Direct3D, in its own lines."""
    findings = []
    for between, wanted in (('nop', [('7', '4400'), ('10', '4400')]), ('sync_g_t', []), ('sync_g', [('7', '4400'), ('10', '4400')])):
        path = c.write('case.asm', D3D % between)
        findings += expect(wanted, c.run('run', path, '--grid', '1,1,1', '--check-races'))
    return findings


def documents():
    """The count in documents, results that are written all the same, tests of kernels, and what is refused."""
    result = c.path('out.bin')
    done = c.run('run', os.path.join(BUGS, 'count.maxwell'), '--grid', '2,1,1', '--block', '64,1,1', '--param', 'zero:4', '--param-out', f'0={result}', '--check-races', '--json')
    told = json.loads(done.stdout)
    findings = [] if (done.returncode, told['findings']) == (1, 3) else [f'{done.returncode} {told}']
    if open(result, 'rb').read() != bytes((4, 0, 0, 0)):
        findings.append(f'{open(result, "rb").read()!r}')
    for name in ('calls', 'histogram', 'reduction', 'saxpy', 'skipping', 'collatz'):
        done = c.run('run', os.path.join(KERNELS, f'{name}.test'), '--check-races', '--check-unwritten', '--json')
        if done.returncode or json.loads(done.stdout)['findings'] != 0:
            findings.append(f'{name}: {done.returncode}: {done.stderr!r}')
    plain = c.write('plain.tgsi', 'FRAG\nDCL OUT[0], COLOR\nEND\n')
    findings += c.exit_is(2, 'run', plain, '-o', c.path('x.png'), '--check-races', err='--check-races is for compute shaders')
    return findings + c.exit_is(2, 'run', plain, '-o', c.path('x.png'), '--check-unwritten', err='--check-unwritten is for compute shaders')


tap.run([
    ('the mistakes of examples/bugs', bugs),
    ('words', words),
    ('races of Maxwell code', races),
    ('lanes that parted', parted),
    ('what was never written', unwritten),
    ('races of TGSI', tgsi),
    ('races of Direct3D', d3d),
    ('documents', documents),
])
