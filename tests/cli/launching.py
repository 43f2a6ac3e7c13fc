#!/usr/bin/env python3
"""run of kernels of Maxwell code: tests of kernels (NAME.test), our own and those beside the repository; launches on files;
what is said of wrong files and options."""
import filecmp
import glob
import json
import os
import struct
import subprocess
import sys

import command as c
import tap

KERNELS = os.path.join(tap.SOURCE, 'tests', 'corpus', 'kernels')
SHARED = os.path.join(os.environ.get('SCH_SHARED') or os.path.join(os.path.dirname(tap.SOURCE), 'shared'), 'corpus', 'maxwell')
COMPILER = os.path.exists(os.path.join(tap.BUILD, 'src', 'jit', 'libscheelite-jit.so'))
CODE = (('--engine', 'jit', '--width', '4'), ('--engine', 'jit', '--threads', '2')) if COMPILER else ()
WAYS = CODE + (('--width', '4'), ('--width', '8', '--threads', '3'), ('--width', '16', '--engine', 'interp'))
OWN = ('calls', 'collatz', 'histogram', 'reduction', 'saxpy', 'skipping')
SCALE = '''.section .text.scale
  S2R R0, SR_TID.X ;
  ISETP.GE.U32.AND P0, PT, R0, c[0x0][0x150], PT ;
  @P0 EXIT ;
  ISCADD R2.CC, R0, c[0x0][0x140], 0x2 ;
  IADD.X R3, RZ, c[0x0][0x144] ;
  LDG.E R4, [R2] ;
  FMUL R4, R4, c[0x0][0x154] ;
  ISCADD R2.CC, R0, c[0x0][0x148], 0x2 ;
  IADD.X R3, RZ, c[0x0][0x14c] ;
  STG.E [R2], R4 ;
  EXIT ;
'''
TEST = '''kernel scale
grid 1 1 1
block 32 1 1
param 0x140 ptr x
param 0x148 ptr y
param 0x150 u32 3
param 0x154 f32 40000000
buffer x 3
3f800000 40000000
bf000000
result y 4 init 0 compare exact
40000000 40800000 bf800000 00000000
end
'''


def own():
    """Each kernel of the repository, in several ways, and tests that are what make.py writes."""
    findings = []
    for name in OWN:
        for way in WAYS:
            done = c.run('run', os.path.join(KERNELS, f'{name}.test'), *way)
            if done.returncode or b' results as expected' not in done.stdout:
                findings.append(f'{name} {way}: {done.returncode}: {done.stdout!r} {done.stderr!r}')
    folder = c.path('made')
    os.makedirs(folder, exist_ok=True)
    subprocess.run([sys.executable, os.path.join(KERNELS, 'make.py'), folder], check=True)
    return findings + [f'{name}.test is not what make.py writes' for name in OWN
                       if not filecmp.cmp(os.path.join(KERNELS, f'{name}.test'), os.path.join(folder, f'{name}.test'), False)]


def code_of(test):
    """The kernels of a test beside the repository: compiled with and without optimisation."""
    name = os.path.splitext(os.path.basename(test))[0]
    for folder in (os.path.dirname(test), os.path.join(SHARED, 'kernels')):
        for ending in ('.sm_50.cubin', '.O0.sm_50.cubin'):
            if os.path.exists(os.path.join(folder, name + ending)):
                yield os.path.join(folder, name + ending)


def shared():
    """All tests of kernels beside the repository, where they are there; where a part is enough, half of them."""
    tests = sorted(glob.glob(os.path.join(SHARED, 'isa', 'kernels', '*.test')))[::2 if c.PART else 1]
    findings = []
    for number, test in enumerate(tests):
        for code in code_of(test):
            done = c.run('run', test, '--code', code, *WAYS[number % len(WAYS)])
            if done.returncode:
                findings.append(f'{os.path.basename(code)}: {done.returncode}: {done.stdout[-200:]!r} {done.stderr[-200:]!r}')
    return findings


def differing():
    """A word that differs is told, with its place, as text and as JSON; a rule may allow it."""
    c.write('scale.maxwell', SCALE)
    path = c.write('scale.test', TEST.replace('40800000 bf', '40800001 bf'))
    done = c.run('run', path)
    wanted = f'{path}:11: y[1] is 0x40800000, not 0x40800001\n{path}:11: failed: 1 of 4 words of y differ\nscale: 0 of 1 results as expected\n'
    findings = [] if (done.returncode, done.stdout.decode()) == (1, wanted) else [f'{done.returncode}: {done.stdout.decode()}']
    told = json.loads(c.run('run', path, '--json').stdout)
    if told['passed'] or told['results'][0]['differences'] != [{'word': 1, 'got': '0x40800000', 'want': '0x40800001'}]:
        findings.append(f'{told}')
    for rule, passes in (('f32 abs 0 rel 1e-6', True), ('f32 abs 0 rel 1e-8', False), ('u32 abs 1', True), ('u32 abs 0', False),
                         ('u8x4 abs 1', True), ('exact outliers 25%', True), ('exact outliers 24%', False), ('f64 abs 0 rel 1e-30', False)):
        text = TEST.replace('40800000 bf', '40800001 bf').replace('exact', rule)
        code = c.run('run', c.write('scale.test', text)).returncode
        if code != (0 if passes else 1):
            findings.append(f'{rule}: {code}')
    return findings


def mistakes():
    """Wrong files: number, line and column of each error."""
    cases = (
        ('kernel scale\ngrid 1 1\n', 1250, 2, 9), ('kernel scale\ngrid 1 1 0\n', 1251, 2, 10), ('kernel scale\nthing 1\n', 1250, 2, 1),
        ('kernel scale\nkernel scale\n', 1250, 2, 1), (TEST.replace('end\n', ''), 1250, 13, 1), (TEST.replace('ptr y', 'ptr z'), 1253, 5, 17),
        (TEST.replace('buffer x 3', 'buffer x 4'), 1252, 11, 1), (TEST.replace('buffer x 3', 'buffer x 2'), 1250, 10, 1),
        (TEST.replace('buffer x 3', 'buffer y 3'), 1253, 11, 8), (TEST.replace('buffer x 3', 'buffer x 999999999'), 1252, 8, 19),
        (TEST.replace('exact', 'near'), 1255, 11, 27), (TEST.replace('f32 4', 'f32 x4'), 1251, 7, 17), (TEST.replace('bf000000', 'bf0000000'), 1252, 10, 1),
        (TEST.replace('end', 'texture 0x1 4d 1 1 1 mips 1 f32 4\n0 0 0 0\nend'), 1254, 13, 13),
        (TEST.replace('end', 'texture 0x1 cube 2 1 6 mips 1 f32 4\n0 0 0 0\nend'), 1254, 13, 36),
        (TEST.replace('end', 'surface 0x1 2d 1 1 5 1\n0\nend'), 1254, 13, 20),
        (TEST.replace('param 0x154', 'param 0x100'), 1251, 7, 7))
    findings = []
    for text, number, line, column in cases:
        path = c.write('scale.test', text)
        done = c.run('run', path)
        wanted = f'{path}:{line}:{column}: error {number}: '
        if done.returncode != 1 or not done.stderr.decode().startswith(wanted):
            findings.append(f'{wanted}: {done.returncode}: {done.stderr.decode().splitlines()[:1]}')
    return findings


def launches():
    """A kernel on files: numbers and memories as parameters, memory written to a file, a document of it."""
    code = c.write('scale.maxwell', SCALE)
    numbers, result = c.write('x.bin', struct.pack('<3f', 1, 2, -0.5)), c.path('y.bin')
    arguments = ('--kernel', 'scale', '--grid', '1,1,1', '--block', '32,1,1', '--param', f'file:{numbers}', '--param', 'zero:16', '--param', '3i', '--param', '2.0')
    done = c.run('run', '-x', 'maxwell', code, *arguments, '--param-out', f'1={result}', '--json')
    if done.returncode:
        return [f'{done.returncode}: {done.stderr!r}']
    have, told = struct.unpack('<4f', open(result, 'rb').read()), json.loads(done.stdout)
    findings = [] if have == (2, 4, -1, 0) else [f'{have}']
    if told['kernel'] != 'scale' or told['block'] != [32, 1, 1] or told['parameters'][1] != {'memory': True, 'bytes': 16, 'output': result}:
        findings.append(f'{told}')
    for more, code_wanted, words in ((('--param-out', '2=x'), 2, b'parameter 2 is not memory'), (('--param', 'x'), 2, b'--param is a value'),
                                     (('--code', code), 2, b'--code goes with tests of kernels'), (('--tex', '0=zero:R8_UNORM:4x4'), 2, b'has parameters and pools'),
                                     (('--const', '0:0=1,1,1,1'), 2, b'has parameters and pools'), (('--stats',), 2, b'has parameters and pools'), (('-o', c.path('x.png')), 4, b'-o of a compute shader'),
                                     (('--heat', 'nan=x.png'), 2, b'--heat is for fragment shaders')):
        done = c.run('run', '-x', 'maxwell', code, *arguments, *more)
        if done.returncode != code_wanted or words not in done.stderr:
            findings.append(f'{more}: {done.returncode}: {done.stderr!r}')
    pool = c.write('pool.txt', 'header 0 BLOCKLINEAR { WIDTH = 4; HEIGHT = 4; TEXTURE_TYPE = TWO_D }\n')
    findings += c.exit_is(0, 'run', '-x', 'maxwell', code, *arguments, '--headers', pool)
    for wide in ('f64:1e999', 'i64:99999999999999999999', 'f64:x'):
        findings += c.exit_is(2, 'run', '-x', 'maxwell', code, *arguments, '--param', wide, err='is not a number of 64 bits')
    outside = c.run('run', '-x', 'maxwell', code, *arguments[:6], '--param', f'file:{numbers}', '--param', 'zero:8', '--param', '3i', '--param', '2.0')
    plain = c.write('plain.tgsi', 'FRAG\nDCL OUT[0], COLOR\nEND\n')
    findings += c.exit_is(2, 'run', plain, '--param', '1.0', err='plain.tgsi is not Maxwell code') + c.exit_is(2, 'run', '-x', 'maxwell', code, '--param', 'zero:4', err='needs --grid')
    if outside.returncode != 1 or b'; the nearest has 8 bytes from 0x' not in outside.stderr:
        findings.append(f'a store outside of memory: {outside.returncode}: {outside.stderr!r}')
    return findings


# Every operation of which the order of threads changes no result, and one that goes round until a compare and swap succeeds.
COUNTS = '''.section .text.counts
  S2R R0, SR_TID.X ;
  S2R R1, SR_CTAID.X ;
  XMAD R0, R1, c[0x0][0x8], R0 ;
  MOV R2, c[0x0][0x140] ;
  MOV R3, c[0x0][0x144] ;
  IMUL32I.U32.U32 R4, R0, 0x9e3779b1 ;
  MOV R5, R0 ;
  MOV32I R6, 0x3e7 ;
  LOP.OR R7, R4, 0x11 ;
  RED.E.ADD [R2], R4 ;
  RED.E.MIN.S32 [R2+0x4], R4 ;
  RED.E.MAX.S32 [R2+0x8], R4 ;
  RED.E.MIN [R2+0xc], R4 ;
  RED.E.MAX [R2+0x10], R4 ;
  RED.E.INC [R2+0x14], R6 ;
  RED.E.DEC [R2+0x18], R6 ;
  RED.E.AND [R2+0x1c], R7 ;
  RED.E.OR [R2+0x20], R4 ;
  RED.E.XOR [R2+0x24], R4 ;
  RED.E.ADD.U64 [R2+0x28], R4 ;
  MOV32I R8, 0x40200000 ;
  RED.E.ADD.F32.FTZ.RN [R2+0x38], R8 ;
  PBK done ;
again:
  LDG.E R10, [R2+0x30] ;
  IADD R11, R10, 0x3 ;
  ATOM.E.CAS R12, [R2+0x30], R10, R11 ;
  ISETP.EQ.AND P0, PT, R12, R10, PT ;
  @P0 BRK ;
  BRA again ;
done:
  ATOM.E.ADD R13, [R2+0x34], R6 ;
  RED.E.ADD [R2+0x3c], R13 ;
  EXIT ;
'''


def threads():
    """Atomic operations of several threads, which lose nothing; what they make is computed here."""
    code, result, count = c.write('counts.maxwell', COUNTS), c.path('counts.bin'), 40 * 128
    given = [i * 0x9e3779b1 & 0xffffffff for i in range(count)]
    signed = [g - (1 << 32) if g >> 31 else g for g in given]
    every, some, odd = 0xffffffff, 0, 0
    for g in given:
        every, some, odd = every & (g | 0x11), some | g, odd ^ g
    dec = 0
    for _ in given:
        dec = 0x3e7 if dec == 0 or dec > 0x3e7 else dec - 1
    wide = sum(g | i << 32 for i, g in enumerate(given))
    wanted = struct.pack('<IiiIIIIIIIQIIfI', sum(given) & 0xffffffff, min(0, *signed), max(signed), 0, max(given), count % 1000, dec, every & 0,
                         some, odd, wide & (1 << 64) - 1, 3 * count, 0x3e7 * count, 2.5 * count,
                         sum(0x3e7 * i for i in range(count)) & 0xffffffff)
    findings = []
    for engine in ('interp', 'jit') if COMPILER else ('interp',):
        for width, number in (('4', '3'), ('8', '1'), ('8', '4'), ('16', '2')):
            done = c.run('run', code, '--grid', '40', '--block', '128', '--engine', engine, '--width', width, '--threads', number, '--unordered', '--param', 'zero:64',
                         '--param-out', f'0={result}')
            if done.returncode or open(result, 'rb').read() != wanted:
                findings.append(f'{engine} {width} {number}: {done.returncode} {done.stderr!r}')
    return findings


def sizes():
    """Grids, blocks and memory that are too large, of run, and of trace, which launches in another thread."""
    code = c.write('ends.maxwell', '.section .text.ends\n EXIT ;\n')
    most = '4294967295'
    findings = []
    for more, exit_code, words in ((('--grid', ','.join([most] * 3)), 5, f'error 5008: {most} x {most} x {most} work groups'),
                                   (('--grid', '1', '--shared', most), 5, f'error 5008: {most} bytes of shared memory'),
                                   (('--grid', '1', '--block', '1025'), 2, 'a block of 1025 x 1 x 1 threads: sm_50 has at most 1024')):
        findings += c.exit_is(exit_code, 'run', code, *more, err=words)
    return findings + c.exit_is(2, 'trace', code, '--grid', '1', '--block', '33,32', err='a block of 33 x 32 x 1 threads')


tap.run([
    ('our own kernels', own),
    ('kernels beside the repository', shared),
    ('words that differ', differing),
    ('wrong files', mistakes),
    ('launches on files', launches),
    ('what is too large', sizes),
    ('atomic operations of several threads', threads),
])
