#!/usr/bin/env python3
"""Machine code from outside: the engines jit, auto and both, the folder of compiled code, the verb jit. The compiler is the
tests' own (tests/unit/support/fake_compiler.c), so that no LLVM is needed."""
import os
import platform
import re
import subprocess
import sys

import command as c
import tap

COMPILER = os.path.join(tap.BUILD, 'tests', 'unit', 'libfake_compiler.so')
WITH = ('--compiler', COMPILER)
OTHER = os.path.join(tap.BUILD, 'src', 'libscheelite.so.1')
WITHOUT = ('--compiler', c.path('no-such-compiler.so'))
SHADER = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MUL OUT[0], IN[0], IN[0]
  1: END
'''
# A float that is one bit off changes a byte of the picture only where it is near a step: 0.5 / 255.
PASSING = '''FRAG
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0x3b008080, 0x3b008081, 0.0, 1.0}
  0: MUL OUT[0], IMM[0].xyzw, IMM[0].wwww
  1: END
'''
# What is wrong in TEMP[1] shows much later, and only through a comparison.
NESTED = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..2]
IMM[0] UINT32 {0, 1, 3, 4}
IMM[1] FLT32 {0.0, 1.0, 9.0, 12.0}
  0: MOV TEMP[0], IN[0]
  1: MOV TEMP[2].x, IMM[0].xxxx
  2: BGNLOOP
  3:   USGE TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz
  4:   UIF TEMP[2].yyyy
  5:     BRK
  6:   ENDIF
  7:   MUL TEMP[1], TEMP[0], IN[0]
  8:   UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy
  9: ENDLOOP
 10: FSEQ TEMP[2].z, TEMP[1].yyyy, IMM[1].zzzz
 11: UIF TEMP[2].zzzz
 12:   MOV OUT[0], IMM[1].yyyy
 13: ELSE
 14:   MOV OUT[0], IMM[1].xxxx
 15: ENDIF
 16: END
'''
WARNED = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[0]\n'  # no END
STORING = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 40
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {4, 1, 0, 0}
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: ATOMUADD TEMP[0].y, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy
  2: END
'''


def shader(text=SHADER):
    return c.write('shader.tgsi', text)


def vectors(count=3):
    return c.write('vectors.tsv', 'IN[0]=40000000,40400000,40800000,40a00000\n' * count)


def evaluate(*options, count=3):
    return ('eval', shader(), '--vectors', vectors(count), *options)


OUT = 'OUT[0]=0x40800000,0x41100000,0x41800000,0x41c80000\n'


def engines_agree():
    findings = []
    for engine in ('interp', 'auto', 'jit', 'both'):
        for count in (1, 40, 5000):
            for place in ((), ('--in-process',)):
                findings += c.exit_is(c.YES, *evaluate('--engine', engine, '--cache', 'none', *WITH, *place, count=count), out=OUT * count)
    return findings


def warnings_are_said_once():
    """By both engines, of shaders and of what is not bound."""
    findings = []
    path = c.write('warned.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL CONST[0..1]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nADD OUT[0], CONST[0], CONST[1]\nTEX OUT[1], CONST[1], SAMP[0], 2D\n')
    for call in (('eval', path, '--vectors', c.write('one.tsv', '\n' * 3)), ('run', path, '-o', c.path('warned.png'), '--size', '3x3')):
        alone = c.run(*call, '--engine', 'interp').stderr.decode()
        findings += c.says(c.YES, None, alone, *call, '--engine', 'both', '--cache', 'none', *WITH) + ([] if alone.count('warning') > 2 else [alone])
    return findings


def without_a_compiler():
    return (c.exit_is(c.UNSUPPORTED, *evaluate('--engine', 'jit', '--cache', 'none', *WITHOUT), err='error 4380', out='') +
            c.exit_is(c.UNSUPPORTED, *evaluate('--engine', 'both', '--cache', 'none', *WITHOUT), err='error 4380', out='') +
            c.exit_is(c.YES, *evaluate('--engine', 'auto', '--cache', 'none', *WITHOUT, count=5000), out=OUT * 5000) +
            c.exit_is(c.UNSUPPORTED, *evaluate('--engine', 'jit', '--cache', 'none', '--compiler', shader()),
                      err='error 4380: no compiler of machine code (libscheelite-jit) was found: ' + shader()) +
            c.exit_is(c.UNSUPPORTED, *evaluate('--engine', 'jit', '--cache', 'none', '--compiler', OTHER), err='is not a compiler of machine code') +
            c.exit_is(c.UNSUPPORTED, *evaluate('--engine', 'jit', '--cache', 'none', '--compiler', OTHER, '--in-process'),
                      err='is not a compiler of machine code') +
            c.exit_is(c.UNSUPPORTED, *evaluate('--engine', 'jit', '--cache', 'none', *WITHOUT), err='cannot open') +
            c.exit_is(c.USAGE, *evaluate('--engine', 'machine'), err='not machine'))


def too_large_programs():
    text = shader('FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n' + 'MOV OUT[0], OUT[0]\n' * 101 + 'END\n')
    call = ('eval', text, '--vectors', vectors(), '--cache', 'none', *WITH)
    return (c.exit_is(c.UNSUPPORTED, *call, '--engine', 'jit', err='error 4381') + c.exit_is(c.YES, *call, '--engine', 'auto'))


def both_begin_with_the_same_memory():
    call = ('run', shader(STORING), '--grid', '3,1,1', '--buffer', '0=zero:160', '--cache', 'none', *WITH)
    findings = []
    for engine in ('interp', 'jit', 'both'):
        out = c.path(engine + '.bin')
        findings += c.exit_is(c.YES, *call, '--engine', engine, '--buffer-out', '0=' + out)
        if c.read(out) != b'\3\0\0\0' * 40:
            findings.append(f'{engine}: each counter was not raised three times')
    return findings


def differences_are_found():
    """A compiler whose code gives a wrong bit in lane 2."""
    wrong = ('--engine', 'both', '--cache', 'none', '--compiler', COMPILER.replace('fake_', 'lying_'))
    picture = c.path('wrong.png')
    return (c.exit_is(c.YES, *evaluate(*wrong, count=2), out=OUT * 2) +
            c.exit_is(c.NO, *evaluate(*wrong, count=40), out='',
                      err='the invocation of line 3: OUT[0].y is 0x41100000 by the interpreter, 0x41100001 as machine code') +
            c.exit_is(c.NO, *evaluate(*wrong, count=40), err='the engines part at instruction 0: MUL OUT[0], IN[0], IN[0]') +
            c.exit_is(c.NO, 'eval', shader(NESTED), '--vectors', vectors(40), *wrong, out='',
                      err='the engines part at instruction 7: MUL TEMP[1], TEMP[0], IN[0]') +
            c.exit_is(c.YES, 'run', shader(), '-o', picture, '--size', '2x1', *wrong) +
            c.exit_is(c.NO, 'run', shader(PASSING), '-o', picture, '--size', '2x2', *wrong, err='pixel 0,1: COLOR is 0xff000100 by the interpreter, 0xff000000 as machine code'))


SQUARES = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 40
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL BUFFER[3]
DCL TEMP[0..1]
IMM[0] UINT32 {4, 1, 0, 0}
IMM[1] FLT32 {3.0, 3.0, 3.0, 3.0}
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: MUL TEMP[1], IMM[1], IMM[1]
  2: STORE BUFFER[3].x, TEMP[0].xxxx, TEMP[1].yyyy
  3: END
'''


def differences_in_memory():
    """The first word that differs, in whatever memory: the lying compiler is a bit off in lane 2. What lies beside is equal."""
    wrong = ('--grid', '1,1,1', '--engine', 'both', '--cache', 'none', '--compiler', COMPILER.replace('fake_', 'lying_'))
    stored = SQUARES.replace('BUFFER[3]', 'MEMORY[0]').replace('DCL MEMORY[0]', 'DCL MEMORY[0], GLOBAL')
    image = SQUARES.replace('DCL BUFFER[3]', 'DCL IMAGE[2], 1D, PIPE_FORMAT_R32_UINT, WR').replace(
        'STORE BUFFER[3].x, TEMP[0].xxxx, TEMP[1].yyyy', 'STORE IMAGE[2], SV[0], TEMP[1].yyyy, 1D, PIPE_FORMAT_R32_UINT')
    images = ('--image', '2=zero:R32_UINT:40,target=1D')
    findings = []
    for text, options, name in ((SQUARES, ('--buffer', '3=zero:160'), 'BUFFER[3]'), (SQUARES, ('--buffer', '3=zero:160', '--buffer', '0=zero:7', '--buffer', '9=zero:33'), 'BUFFER[3]'),
                                (SQUARES, ('--buffer', '3=zero:12'), 'BUFFER[3]'), (SQUARES, ('--buffer', '3=zero:15', '--global', 'zero:3'), 'BUFFER[3]'),
                                (SQUARES, ('--buffer', '3=zero:64', '--hwatomic', '5=zero:9', *images), 'BUFFER[3]'), (stored, ('--global', 'zero:160', '--buffer', '1=zero:5'), 'GLOBAL[0]'),
                                (image, images, 'IMAGE[2]'), (image, (*images, '--image', '0=random:R8_UNORM:7x3', '--buffer', '3=zero:6'), 'IMAGE[2]')):
        path = shader(text)
        said = f'scheelite: {path}: memory: {name}, byte 8 is 0x41100000 by the interpreter, 0x41100001 as machine code\n'
        findings += c.says(c.NO, '', said, 'run', path, *wrong, *options)
        good = (*wrong[:-1], COMPILER)
        findings += c.says(c.YES, '', '', 'run', path, *good, *options)
    # Of a picture, whose colours are the same; and of lines.
    painted = shader('FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[3]\nDCL SV[0], SUBGROUP_INVOCATION\nDCL TEMP[0..1]\nIMM[0] UINT32 {4, 1, 0, 0}\nIMM[1] FLT32 {3.0, 3.0, 3.0, 3.0}\n  0: MOV OUT[0], IMM[1]\n'
                     '  1: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n  2: MUL TEMP[1], IMM[1], IMM[1]\n  3: STORE BUFFER[3].x, TEMP[0].xxxx, TEMP[1].yyyy\n  4: END\n')
    said = f'scheelite: {painted}: memory: BUFFER[3], byte 8 is 0x41100000 by the interpreter, 0x41100001 as machine code\n'
    for call, more in ((('run', painted, '-o', c.path('painted.png'), '--size', '4x4'), ''), (('eval', painted, '--vectors', c.write('four.tsv', '\n' * 4)), f'scheelite: {painted}: the engines part at instruction 2: MUL TEMP[1], IMM[1], IMM[1]\n')):
        findings += c.says(c.NO, '', said + more, *call, *wrong[2:], '--buffer', '3=zero:128') + c.says(c.YES, None, '', *call, *wrong[2:-1], COMPILER, '--buffer', '3=zero:128')
    for size in (4, 8, 11):  # what lies outside is not stored
        findings += c.says(c.YES, '', '', 'run', shader(SQUARES), *wrong, '--buffer', f'3=zero:{size}')
    out = c.path('squares.bin')
    findings += c.says(c.YES, '', '', 'run', shader(SQUARES), *wrong[:-1], COMPILER, '--buffer', '3=zero:168', '--buffer-out', '3=' + out)
    return findings + ([] if c.read(out) == b'\0\0\x10\x41' * 40 + bytes(8) else [f'{c.read(out).hex()}'])


EMITTING = '''GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 4
DCL IN[][0], GENERIC[0]
DCL OUT[0], GENERIC[0]
DCL OUT[1], GENERIC[1]
IMM[0] UINT32 {0, 1, 2, 3}
  0: MOV OUT[0], IN[0][0]
  1: MOV OUT[1], IMM[0]
  2: EMIT IMM[0].xxxx
  3: ENDPRIM IMM[0].xxxx
  4: MUL OUT[1], IN[0][0], IN[0][0]
  5: EMIT IMM[0].xxxx
  6: MOV OUT[1], IMM[0]
  7: END
'''
COUNTING = EMITTING.replace('DCL OUT[1], GENERIC[1]', 'DCL TEMP[0..1]').replace('1: MOV OUT[1], IMM[0]', '1: MOV TEMP[1], IMM[0]').replace(
    'MUL OUT[1], IN[0][0], IN[0][0]', 'MUL TEMP[0], IN[0][0], IN[0][0]').replace('5: EMIT IMM[0].xxxx', '5: FSEQ TEMP[1], TEMP[0], IMM[1].xxxx').replace(
        '6: MOV OUT[1], IMM[0]', '6: UIF TEMP[1].yyyy').replace('7: END', '7: EMIT IMM[0].xxxx\n  8: ENDIF\n  9: END').replace('  0:', 'IMM[1] FLT32 {9.0, 0.0, 0.0, 0.0}\n  0:')
KILLING = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[2], COLOR[1]
DCL TEMP[0..1]
IMM[0] FLT32 {9.0, -1.0, 0.0, 0.0}
  0: MOV OUT[0], IMM[0]
  1: MUL TEMP[0], IN[0], IN[0]
  2: FSEQ TEMP[1], TEMP[0], IMM[0].xxxx
  3: UIF TEMP[1].yyyy
  4:   KILL
  5: ENDIF
  6: MOV OUT[2], IN[0]
  7: END
'''
SECOND = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[2], COLOR[1]
  0: MOV OUT[0], IN[0]
  1: MUL OUT[2], IN[0], IN[0]
  2: END
'''


def differences_of_events():
    """What differs first of events, of killed invocations, of a second output, and at which instruction."""
    wrong = ('--engine', 'both', '--cache', 'none', '--compiler', COMPILER.replace('fake_', 'lying_'))
    numbers, findings = 'is 0x41100000 by the interpreter, 0x41100001 as machine code', []
    for text, field, said, at in ((EMITTING, 'IN[0][0]', f'OUT[1].y of event 2 {numbers}', '4: MUL OUT[1], IN[0][0], IN[0][0]'), (SECOND, 'IN[0]', f'OUT[2].y {numbers}', '1: MUL OUT[2], IN[0], IN[0]'),
                                  (COUNTING, 'IN[0][0]', 'the number of events is 0x00000003 by the interpreter, 0x00000002 as machine code', '4: MUL TEMP[0], IN[0][0], IN[0][0]'),
                                  (KILLING, 'IN[0]', 'whether it is killed is 0x00000001 by the interpreter, 0x00000000 as machine code', '1: MUL TEMP[0], IN[0], IN[0]')):
        path = shader(text)
        for count in (2, 3, 40):
            lines = c.write('differ.tsv', '# a comment\n' + f'{field}=40400000,40400000\n' * count)
            call = ('eval', path, '--vectors', lines, *wrong)
            if count < 3:
                findings += c.says(c.YES, None, '', *call)
            else:
                findings += c.says(c.NO, '', f'scheelite: {path}: the invocation of line 4: {said}\nscheelite: {path}: the engines part at instruction {at}\n', *call)
    # Registers of two digits, and the first of many instructions.
    high = NESTED.replace('TEMP[0..2]', 'TEMP[10..12]').replace('TEMP[0]', 'TEMP[10]').replace('TEMP[1]', 'TEMP[11]').replace('TEMP[2]', 'TEMP[12]')
    first = SECOND.replace('0: MOV OUT[0], IN[0]', '0: MUL OUT[2], IN[0], IN[0]').replace('1: MUL OUT[2], IN[0], IN[0]', '1: MOV OUT[0], IN[0]')
    for text, said, at in ((high, None, '7: MUL TEMP[11], TEMP[10], IN[0]'), (first, f'OUT[2].y {numbers}', '0: MUL OUT[2], IN[0], IN[0]')):
        path = shader(text)
        done = c.run('eval', path, '--vectors', vectors(40), *wrong)
        told = done.stderr.decode().splitlines()
        if done.returncode != c.NO or len(told) != 2 or told[1] != f'scheelite: {path}: the engines part at instruction {at}' or said and told[0] != f'scheelite: {path}: the invocation of line 3: {said}':
            findings.append(f'{done}')
    # One event is another.
    path = shader(COUNTING.replace('  8: ENDIF\n  9: END', '  8: ELSE\n  9: ENDPRIM IMM[0].xxxx\n 10: ENDIF\n 11: END').replace('  3: ENDPRIM IMM[0].xxxx', '  3: NOP'))
    done = c.run('eval', path, '--vectors', c.write('differ.tsv', 'IN[0][0]=40400000,40400000\n' * 3), *wrong)
    if done.returncode != c.NO or not re.match(rf'scheelite: {path}: the invocation of line 3: an event is 0x[0-9a-f]{{8}} by the interpreter, 0x[0-9a-f]{{8}} as machine code\nscheelite: ', done.stderr.decode()):
        findings.append(f'{done}')
    # Subroutines stand behind END: such a shader cannot be cut.
    for text in (SHADER.replace('  0: MUL OUT[0], IN[0], IN[0]\n  1: END\n', '  0: CAL :2\n  1: END\n  2: BGNSUB\n  3: MUL OUT[0], IN[0], IN[0]\n  4: RET\n  5: ENDSUB\n'),
                 SHADER + '  2: BGNSUB\n  3: RET\n  4: ENDSUB\n'):
        path = shader(text)
        cut = '' if 'CAL' in text else f'scheelite: {path}: the engines part at instruction 0: MUL OUT[0], IN[0], IN[0]\n'
        findings += c.says(c.NO, '', f'scheelite: {path}: the invocation of line 3: OUT[0].y {numbers}\n{cut}', 'eval', path, '--vectors', vectors(40), *wrong)
    return findings


def pictures_agree():
    call = ('run', c.example('mandelbrot') if os.path.exists(c.example('mandelbrot')) else shader(), '--size', '37x21',
            '--cache', 'none', *WITH)
    findings = []
    for engine in ('interp', 'auto', 'jit', 'both'):
        findings += c.exit_is(c.YES, *call, '--engine', engine, '-o', c.path(engine + '.png'))
    pictures = {c.read(c.path(engine + '.png')) for engine in ('interp', 'auto', 'jit', 'both')}
    return findings + ([] if len(pictures) == 1 else ['the pictures differ'])


SCRIPT = '''[pixel shader tgsi]
FRAG
DCL OUT[0], COLOR
DCL CONST[0]
  0: MUL OUT[0], CONST[0], CONST[0]
  1: END
[test]
uniform 0 float4 1 2 3 4
draw quad
probe (0, 0) f32(%s)
'''


def scripts_on_both_engines():
    """What a draw leaves is compared, whether probes see it or not."""
    good, bad = c.write('good.shader_test', SCRIPT % 1), c.write('bad.shader_test', SCRIPT % 2)
    both, lying = ('--engine', 'both', '--cache', 'none'), ('--compiler', COMPILER.replace('fake_', 'lying_'))
    findings = c.exit_is(c.YES, 'run', good, *both, *WITH, out='1 passed, 0 failed, 0 skipped\n')
    findings += c.exit_is(c.NO, 'run', bad, *both, *WITH, out='0 passed, 1 failed, 0 skipped\n')
    findings += c.exit_is(c.NO, 'run', good, *both, *lying, out='1 passed, 1 failed, 0 skipped\n')
    findings += c.exit_is(c.NO, 'run', good, *both, *lying, out=':9: failed: the interpreter and machine code leave '
                          'different words in rtv 0\n')
    findings += c.exit_is(c.YES, 'run', good, '--engine', 'jit', '--cache', 'none', *lying, out='1 passed, 0 failed')
    for engine in ('jit', 'both'):
        findings += c.exit_is(c.UNSUPPORTED, 'run', good, '--engine', engine, '--cache', 'none', *WITHOUT, err='error 4380')
    return findings + c.exit_is(c.YES, 'run', good, '--cache', 'none', *WITHOUT, out='1 passed, 0 failed, 0 skipped\n')


def counts_are_printed():
    """The tests' compiler takes no spans: the groups run one by one."""
    done = c.run('run', shader(), '-o', c.path('counted.png'), '--size', '64x32', '--stats', '--engine', 'jit', '--cache', 'none',
                 *WITH)
    rows = dict(line.split('\t') for line in done.stdout.decode().splitlines())
    wanted = {'span_groups': '0', 'native_groups': '64', 'decoded_groups': '0', 'from_cache': '0'}
    return [f'{name}: {rows.get(name)}' for name, value in wanted.items() if rows.get(name) != value]


def heat_is_not_for_code():
    call = ('run', shader(), '-o', c.path('heat.png'), '--heat', 'texels', '--cache', 'none', *WITH)
    return (c.exit_is(c.USAGE, *call, '--engine', 'both') + c.exit_is(c.UNSUPPORTED, *call, '--engine', 'jit', err='jit does not count texels: --heat') +
            c.exit_is(c.UNSUPPORTED, *call, '--engine', 'maxwell', err='maxwell does not count texels: --heat') +
            c.exit_is(c.YES, *call, '--engine', 'auto'))


def files_of(folder):
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def caches_are_used():
    folder = c.path('cache')
    call = evaluate('--engine', 'jit', '--cache', folder)
    findings = c.exit_is(c.UNSUPPORTED, *call, *WITHOUT)
    findings += c.exit_is(c.YES, *call, *WITH, out=OUT)
    if len(files_of(folder)) != 1:
        findings.append(f'{files_of(folder)} in the folder')
    findings += c.exit_is(c.YES, *call, *WITHOUT, out=OUT)
    findings += c.exit_is(c.YES, *evaluate('--engine', 'jit', '--cache', folder, '--width', '4'), *WITH, out=OUT)
    widths = 1 if b'vectors of 4 lanes' in c.run('--version').stdout else 2
    if len(files_of(folder)) != widths:
        findings.append(f'{files_of(folder)}, not the code of {widths} widths')
    for name in files_of(folder):
        with open(os.path.join(folder, name), 'r+b') as file:
            file.write(b'nonsense')
    return findings + c.exit_is(c.UNSUPPORTED, *call, *WITHOUT) + c.exit_is(c.YES, *call, *WITH, out=OUT) + \
        c.exit_is(c.YES, *call, *WITHOUT, out=OUT)


def what_the_folder_lacks_is_named():
    """The folder has code of the program, so that it is made without a compiler; what runs, or is asked for, is other code."""
    folder = c.path('partial')
    cache = ('--cache', folder)
    picture = ('run', shader(), '-o', c.path('partial.png'), '--size', '64x32', *cache)
    no = '4380: no compiler of machine code (libscheelite-jit) was found: '
    findings = c.exit_is(c.YES, *evaluate('--engine', 'jit', *cache), *WITH, out=OUT)
    findings += c.exit_is(c.YES, *evaluate('--engine', 'jit', *cache), *WITHOUT, out=OUT)
    for call in (('jit', '--stats', shader(), *cache), ('jit', '--asm', shader(), '--partial', *cache),
                 ('jit', '--stats', '--span', shader(), *cache), (*picture, '--engine', 'jit'), (*picture, '--engine', 'both')):
        findings += c.exit_is(c.UNSUPPORTED, *call, *WITHOUT, out='', err='shader.tgsi: error ' + no + WITHOUT[1])
    findings += c.exit_is(c.UNSUPPORTED, 'jit', '--stats', '--span', shader(), *cache, *WITH, out='', err='has no code for spans')
    findings += c.exit_is(c.YES, 'jit', '--stats', '--partial', shader(), *cache, *WITHOUT, out='from_cache\tyes\n')
    slope = ('eval', shader(SHADER.replace('MUL OUT[0], IN[0], IN[0]', 'DDX OUT[0], IN[0]')), '--vectors', vectors(), *cache)
    findings += c.exit_is(c.YES, *slope, '--engine', 'jit', *WITH)
    for engine in ('jit', 'both'):
        findings += c.exit_is(c.YES, *slope, '--engine', engine, *WITHOUT)
        findings += c.exit_is(c.UNSUPPORTED, *slope, '--quads', '--engine', engine, *WITHOUT, out='', err='shader.tgsi: error ' + no)
    drawn = 'FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n  0: DDX OUT[0], CONST[0]\n  1: END\n'
    script = c.write('lacking.shader_test', '[pixel shader tgsi]\n' + drawn + SCRIPT[SCRIPT.index('[test]'):] % 0)
    findings += c.exit_is(c.YES, 'eval', shader(drawn), '--vectors', c.write('one.tsv', '\n'), '--engine', 'jit', *cache, *WITH)
    for engine in ('jit', 'both'):  # that draws quads
        findings += c.exit_is(c.UNSUPPORTED, 'run', script, '--engine', engine, *cache, *WITHOUT, out='',
                              err='lacking.shader_test: error ' + no)
    return findings


def folders_that_cannot_be_used():
    """The shader runs, and a warning says why nothing is kept."""
    findings = []
    other = c.path('everybody')
    os.mkdir(other)
    os.chmod(other, 0o777)
    link = c.path('link')
    os.symlink('nowhere', link)
    turned = c.path('turned')
    os.mkdir(c.path('turned.real'), 0o700)
    os.symlink('turned.real', turned)
    for folder, why in ((other, 'others may write to it'), (shader(), 'it is not a folder'),
                        (c.path('absent/below'), 'it is not there and cannot be made'),
                        (c.path('absent/below//'), 'it is not there and cannot be made'),
                        (link, 'it is a link'), (link + '/', 'it is a link'), (turned, 'it is a link'), (turned + '/', 'it is a link')):
        for engine in ('jit', 'auto', 'both'):
            done = c.run(*evaluate('--engine', engine, '--cache', folder), *WITH)
            said = done.stderr.decode().count(f'warning 6500: compiled code is not kept in {folder.rstrip("/")}: ')
            if done.returncode != c.YES or done.stdout.decode().splitlines()[-1:] != OUT.splitlines() or said != 1 or \
                    why not in done.stderr.decode():
                findings.append(f'{engine} {folder}: exit {done.returncode}: {done.stderr.decode()}')
    if os.listdir(other) or os.listdir(c.path('turned.real')):
        findings.append('something was written')
    return findings + c.exit_is(c.USAGE, *evaluate('--engine', 'jit', '--cache', ''), *WITH, err='--cache is a folder or none')


def messages_of_the_library():
    """-v says what was compiled or refused, -vv what went as it should; results stay the same."""
    folder = c.path('told')
    call = evaluate('--engine', 'jit', '--cache', folder)
    quiet = c.run(*call, *WITH)
    findings = [] if (quiet.stdout.decode(), quiet.stderr.decode()) == (OUT * 3, '') else ['not quiet']
    for options, lines in ((('-v',), []), (('--verbose',), []), (('-vv',), [r'was read from the cache in \d+\.\d ms: \d+ bytes'])):
        done = c.run(*call, *options, *WITHOUT)
        told = done.stderr.decode().splitlines()
        if done.stdout.decode() != OUT * 3 or len(told) != len(lines) or \
                not all(re.fullmatch('scheelite: program [0-9a-f]{8} ' + line, said) for line, said in zip(lines, told)):
            findings.append(f'{options}: {told}')
    done = c.run(*evaluate('-v', '--engine', 'jit', '--cache', 'none'), *WITH)
    if not re.fullmatch(r'scheelite: program [0-9a-f]{8} was compiled in \d+\.\d ms: \d+ bytes\n', done.stderr.decode()):
        findings.append(done.stderr.decode())
    grid = c.write('grid.tgsi', STORING)
    run = ('run', grid, '--grid', '1,1,1', '--buffer', '0=zero:16')
    findings += c.says(c.YES, '', f'scheelite: {grid} writes to memory: one thread runs each of its dispatches, but for those that are `unordered`\n', *run, '-v')
    return findings + c.says(c.YES, '', '', *run)


def folders_are_made():
    """However many slashes follow their names, and without a word."""
    findings = []
    for number, folder in enumerate(('made0', 'made1/', 'made2///', './made3', 'made4/')):
        if number < 4:
            folder = c.path(folder)
        for engine in ('jit', 'auto'):
            done = c.run(*evaluate('--engine', engine, '--cache', folder), *WITH, cwd=c.path(''))
            if done.returncode != c.YES or done.stdout.decode() != OUT * 3 or done.stderr:
                findings.append(f'{engine} {folder}: exit {done.returncode}: {done.stderr.decode()}')
        if len(files_of(os.path.join(c.path(''), folder))) != 1:
            findings.append(f'{folder}: {files_of(os.path.join(c.path(""), folder))}')
    return findings


def default_folder():
    """$XDG_CACHE_HOME/scheelite, else ~/.cache/scheelite; a relative one counts as none."""
    findings = []
    base = {k: v for k, v in os.environ.items() if k not in ('XDG_CACHE_HOME', 'HOME')}
    for number, (given, wanted) in enumerate((({'XDG_CACHE_HOME': '@/x', 'HOME': '@/h'}, '@/x/scheelite'),
                                              ({'HOME': '@'}, '@/.cache/scheelite'),
                                              ({'XDG_CACHE_HOME': 'relative', 'HOME': '@'}, '@/.cache/scheelite'), ({'XDG_CACHE_HOME': '@/' + 'x/' * 20}, None), ({'XDG_CACHE_HOME': '/' + 'x' * 5000}, None),
                                              ({'HOME': '@/no/home'}, None), ({'HOME': 'relative'}, None), ({'XDG_CACHE_HOME': '', 'HOME': ''}, None), ({}, None))):
        top = c.path(f'home{number}')
        os.mkdir(top)
        env = {**base, **{k: v.replace('@', top) for k, v in given.items()}}
        done = c.run(*evaluate('--engine', 'jit'), *WITH, env=env, cwd=top)
        if wanted is None:  # nothing is kept, and nothing is said
            if (done.returncode, done.stdout.decode(), done.stderr, files_of(top)) != (c.YES, OUT * 3, b'', []):
                findings.append(f'{given}: {done} {files_of(top)}')
            continue
        if done.returncode != c.YES or len(files_of(wanted.replace('@', top))) != 1:
            findings.append(f'{given}: exit {done.returncode}, {files_of(wanted.replace("@", top))}')
        kept = c.path(f'none{number}')
        os.mkdir(kept)
        env = {**base, **{k: v.replace('@', kept) for k, v in given.items()}}
        c.run(*evaluate('--engine', 'jit', '--cache', 'none'), *WITH, env=env)
        if files_of(os.path.join(kept, '.cache', 'scheelite')) or files_of(os.path.join(kept, 'x', 'scheelite')):
            findings.append('--cache none keeps something')
    return findings


def stats_of_a_program():
    done = c.run('jit', '--stats', shader(), '--cache', 'none', *WITH)
    rows = dict(line.split('\t') for line in done.stdout.decode().splitlines())
    findings = [] if done.returncode == c.YES else [f'exit {done.returncode}: {done.stderr.decode()}']
    for name in ('build_ms', 'passes_ms', 'code_ms', 'load_ms', 'ir_built', 'ir_optimised', 'object_bytes', 'code_bytes'):
        if float(rows.get(name, -1)) < 0:
            findings.append(f'{name}: {rows.get(name)}')
    if rows.get('from_cache') != 'no' or int(rows.get('code_bytes', 0)) <= 0:
        findings.append(f'{rows}')
    findings += c.exit_is(c.USAGE, 'jit', '--stats', '--span', '--quads', shader())
    findings += c.exit_is(c.USAGE, 'jit', '--stats', '--span', shader(STORING), *WITH)
    for _ in range(2):  # what the user's folder holds does not matter
        findings += c.exit_is(c.YES, 'jit', '--stats', shader(), *WITH, out='from_cache\tno\n')
    return (findings + c.exit_is(c.USAGE, 'jit', shader()) + c.exit_is(c.USAGE, 'jit', '--stats') +
            c.exit_is(c.USAGE, 'jit', '--stats', '--ir', shader()) +
            c.exit_is(c.UNSUPPORTED, 'jit', '--stats', shader(), '--cache', 'none', *WITHOUT, err='error 4380') +
            c.exit_is(c.IO, 'jit', '--stats', c.path('absent.tgsi')))


def code_is_named_for_perf():
    """A line a function: address, size, name, in the file where perf looks."""
    process = subprocess.Popen([c.COMMAND, *evaluate('--engine', 'jit', '--cache', 'none', '--perf-map'), *WITH],
                               stdout=subprocess.DEVNULL)
    code = process.wait(timeout=60)
    path = os.path.join(os.sep + 'tmp', f'perf-{process.pid}.map')
    if code != c.YES or not os.path.exists(path):
        return [f'exit {code}, {path}: {os.path.exists(path)}']
    with open(path, encoding='ascii') as file:
        lines = file.read().splitlines()
    os.unlink(path)
    good = len(lines) == 1 and re.fullmatch(r'[0-9a-f]{6,16} [0-9a-f]+ sch_program_[0-9a-f]{8}', lines[0])
    return [] if good else [f'{lines}']


def texts_of_code():
    """What the compiler says of a program, alone on stdout; it is asked for what the options say."""
    findings, slope = [], c.write('slope.tgsi', SHADER.replace('MUL OUT[0], IN[0], IN[0]', 'DDX OUT[0], IN[0]'))
    for option, word in (('--ir', 'IR'), ('--asm', 'assembly')):
        for more, form, quads in (((), ', full', ''), (('--partial',), '', ''), (('--quads',), ', full', ', quads'), (('--partial', '--quads'), '', ', quads')):
            for text, of_quads in ((shader(), ''), (slope, quads)):
                findings += c.says(c.YES, f'{word} of 2 instructions{form}{of_quads}\n', '', 'jit', option, text, *more, *WITH, *(('--in-process',) if quads else ()))
    many = shader('FRAG\nDCL OUT[0], COLOR\n' + 'MOV OUT[0], OUT[0]\n' * 101 + 'END\n')
    return findings + c.exit_is(c.UNSUPPORTED, 'jit', '--ir', many, *WITH, out='', err='error 4381') + c.exit_is(c.IO, 'jit', '--ir', c.path('absent.tgsi'), out='')


def options_of_jit():
    """What code does not depend on is refused, wherever it stands."""
    findings = []
    call = ('jit', '--stats', shader(), *WITH)
    for option in (('--engine', 'interp'), ('--engine', 'jit'), ('--threads', '2'), ('--budget', '9'), ('--perf-map',),
                   ('--const', '0:0=1'), ('--buffer', '0=zero:16'), ('--buffer-out', '0=x'), ('--image', '0=none'),
                   ('--image-out', '0=x'), ('--unordered',), ('--interface', '0=0')):
        for span in ((), ('--span',)):
            findings += c.exit_is(c.USAGE, *call, *span, *option, out='', err=f'jit takes no {option[0]}')
    for option in (('--tex', '0=nofile.png'), ('--sampler', '0=wrap=repeat')):
        findings += c.exit_is(c.USAGE, *call, *option, out='', err=f'{option[0]} is for --span')
    # The tests' compiler takes no spans; the options are read, and come first.
    findings += c.exit_is(c.IO, *call, '--tex', '0=nofile.png', '--span', err='nofile.png')
    findings += c.exit_is(c.UNSUPPORTED, *call, '--sampler', '0=wrap=repeat', '--span', err='no code for spans')
    return findings + c.exit_is(c.YES, *call, '-x', 'tgsi', '--width', '4', '--cache', 'none')


if platform.machine() != 'x86_64' or not os.path.exists(COMPILER):
    print('1..0 # SKIP machine code is for x86-64')
    sys.exit(0)

tap.run([
    ('the engines agree', engines_agree),
    ('warnings are said once', warnings_are_said_once),
    ('without a compiler jit is refused and auto interprets', without_a_compiler),
    ('what is too large is refused by name', too_large_programs),
    ('both engines begin with the same memory', both_begin_with_the_same_memory),
    ('differences are found', differences_are_found),
    ('differences in memory', differences_in_memory),
    ('differences of events', differences_of_events),
    ('pictures agree', pictures_agree),
    ('scripts on both engines', scripts_on_both_engines),
    ('heat pictures are for the interpreter', heat_is_not_for_code),
    ('what ran as machine code is counted', counts_are_printed),
    ('compiled code is kept and found', caches_are_used),
    ('what the folder lacks is named', what_the_folder_lacks_is_named),
    ('folders that cannot be used', folders_that_cannot_be_used),
    ('messages of the library', messages_of_the_library),
    ('folders are made', folders_are_made),
    ('the default folder', default_folder),
    ('stats of a program', stats_of_a_program),
    ('texts of code', texts_of_code),
    ('code is named for perf', code_is_named_for_perf),
    ('options of jit', options_of_jit),
])
