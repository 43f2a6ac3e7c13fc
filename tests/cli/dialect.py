#!/usr/bin/env python3
"""Texts of Mesa's virpipe in files: how they are recognised, what they mean, and that they come back as they were. What
they mean is from Mesa's virgl_tgsi.c and nir_to_tgsi.c; values are worked out by hand."""
import os
import re

import command as c
import tap

# 1.5 + 2.25 in the last two components of a result: the operands were copied to the first two. TEMP[1..4] are the four
# that virpipe declares behind everything else.
SUM = '''FRAG
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0]
IMM[0] UINT32 {0, 0, 0, 0}
DCL TEMP[1..4]
  0: MOV TEMP[1].xy, CONST[0].xyxy
  1: MOV TEMP[2].xy, CONST[0].zwzw
  2: DADD TEMP[0].zw, TEMP[1], TEMP[2]
  3: MOV TEMP[1].xy, TEMP[0].zwzw
  4: D2F OUT[0].y, TEMP[1]
  5: MOV OUT[0].xzw, IMM[0].xxxx
  6: END
'''
SUMMED = 'CONST[0]=0x0,0x3ff80000,0x0,0x40020000\n'
# The same without the mark: z and w of the copies are written nowhere.
PROVEN = SUM.replace('DCL TEMP[1..4]\n', '').replace('DCL TEMP[0]', 'DCL TEMP[0..4]')
# An ordinary text: z and w of the temporary are there, and meant.
PACKED = '''FRAG
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0..1]
  0: MOV TEMP[1].zw, CONST[0].zwzw
  1: MOV TEMP[1].xy, CONST[0].xyxy
  2: D2F OUT[0].y, TEMP[1]
  3: MOV OUT[0].xzw, CONST[0].xxxx
  4: END
'''
ABSOLUTE = '''FRAG
DCL OUT[0], COLOR
DCL CONST[0]
  0: MAX OUT[0], CONST[0], -CONST[0]
  1: END
'''
MARKED = ABSOLUTE.replace('  0:', 'DCL TEMP[0..3]\n  0:')
# Temporaries as anyone declares them: they hold values for longer than an instruction.
USED = MARKED.replace('  0: MAX OUT[0], CONST[0], -CONST[0]', '''  0: MOV TEMP[0], CONST[0]
  1: MOV TEMP[1], CONST[0].xxxx
  2: MOV OUT[0], TEMP[1]
  3: MAX OUT[0], TEMP[0], -TEMP[0]''').replace('  1: END', '  4: END')
ZEROS = 'CONST[0]=0x0,0x80000000,0xbf800000,0x40000000\n'
CUBES = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], SHADOWCUBEARRAY, FLOAT
DCL TEMP[0..1]
  0: MOV TEMP[1], IN[0]
  1: TXL2 TEMP[0], IN[0], TEMP[1].xyzz, SAMP[0], SHADOWCUBEARRAY
  2: TXB2 OUT[0], TEMP[0], TEMP[1], SAMP[0], SHADOWCUBEARRAY
  3: END
'''


def numbers(done):
    return [int(number) for number in re.findall(r'warning (\d+):', done.stderr.decode())]


def evaluated(path, vectors, *options):
    """The words of OUT[0], the warnings, and all that was said."""
    done = c.run('eval', path, '--vectors', c.write('dialect.tsv', vectors), *options)
    words = re.search(r'OUT\[0\]=(\S*)', done.stdout.decode())
    return words.group(1).split(',') if words else [], numbers(done), done


def expect(name, text, vectors, wanted, warned, *options):
    """What is wrong with the words of OUT[0], and with the warnings."""
    words, told, done = evaluated(c.write('dialect.tgsi', text), vectors, *options)
    findings = []
    if [int(word, 16) for word in words] != list(wanted):
        findings.append(f'{name} {options}: {words}, {done.stderr[:300]}, {done.stdout[:300]}')
    if told != warned:
        findings.append(f'{name} {options}: warnings {told}')
    return findings


def wide_operands():
    y = 0x40700000  # 3.75
    return (expect('marked', SUM, SUMMED, (0, y, 0, 0), [1506]) +
            expect('marked', SUM, SUMMED, (0, y, 0, 0), [], '--dialect', 'virgl') +
            expect('marked', SUM, SUMMED, (0, 0, 0, 0), [], '--dialect', 'tgsi') +
            expect('proven', PROVEN, SUMMED, (0, y, 0, 0), [1506]) +
            expect('packed', PACKED, SUMMED, (0, 0x40100000, 0, 0), [1507]) +
            expect('packed', PACKED, SUMMED, (0, 0x40100000, 0, 0), [], '--dialect', 'tgsi') +
            expect('packed', PACKED, SUMMED, (0, 0x3fc00000, 0, 0), [], '--dialect', 'virgl'))


def absolute_values():
    literal, absolute = (0x80000000, 0, 0x3f800000, 0x40000000), (0, 0, 0x3f800000, 0x40000000)
    findings = []
    for name, text in (('plain', ABSOLUTE), ('used', USED)):
        findings += expect(name, text, ZEROS, literal, [1507])
        findings += expect(name, text, ZEROS, literal, [], '--dialect', 'tgsi')
        findings += expect(name, text, ZEROS, absolute, [], '--dialect', 'virgl')
    return findings + expect('marked', MARKED, ZEROS, absolute, [1506])


def texts_come_back():
    """As they were, whatever they were read as; and tokens mean what the text meant."""
    findings = []
    for name, text in (('marked', SUM), ('proven', PROVEN), ('packed', PACKED), ('absolute', ABSOLUTE), ('max', MARKED)):
        path, out = c.write(f'{name}.tgsi', text), c.path(f'{name}.bin')
        done = c.run('dis', path)
        if done.stdout.decode() != text:
            findings.append(f'{name}: {done.stdout.decode()}')
        vectors = ZEROS if name in ('absolute', 'max') else SUMMED
        findings += c.exit_is(c.YES, 'asm', path, '-o', out)
        words = [evaluated(read, vectors)[:2] for read in (path, out)]
        if words[0] != words[1] or not words[0][0]:
            findings.append(f'{name}: {words}')
    return findings


def what_is_told_to_be_virgl_becomes_tgsi():
    """Without the mark nothing would tell what was meant: the text that is printed means it by itself."""
    done = c.run('dis', '--dialect', 'virgl', c.write('plain.tgsi', ABSOLUTE))
    wanted = ABSOLUTE.replace('MAX OUT[0], CONST[0], -CONST[0]', 'MOV OUT[0], |CONST[0]|')
    findings = [] if done.stdout.decode() == wanted else [f'MAX: {done.stdout.decode()}']
    findings += expect('again', done.stdout.decode(), ZEROS, (0, 0, 0x3f800000, 0x40000000), [])
    done = c.run('dis', '--dialect', 'virgl', c.write('packed.tgsi', PACKED))
    if done.stdout.decode() != PACKED.replace('D2F OUT[0].y, TEMP[1]', 'D2F OUT[0].y, TEMP[1].xyxy'):
        findings.append(f'D2F: {done.stdout.decode()}')
    return findings


def references_are_exchanged():
    path = c.write('cubes.tgsi', CUBES)
    done = c.run('dis', '--dialect', 'virgl', path)
    wanted = CUBES.replace('TEMP[1].xyzz', 'TEMP[1].yxzz').replace('TEMP[0], TEMP[1], SAMP', 'TEMP[0], TEMP[1].yxzw, SAMP')
    findings = [] if done.stdout.decode() == wanted else [done.stdout.decode()]
    done = c.run('check', path)
    if numbers(done):
        findings.append(f'a plain text: {done.stderr[:200]}')
    marked = CUBES.replace('DCL TEMP[0..1]', 'DCL TEMP[0..1]\nDCL TEMP[2..5]')
    if numbers(c.run('check', c.write('marked.tgsi', marked))) != [1506]:
        findings.append('virpipe exchanges them, and nothing is said')
    other = CUBES.replace('SHADOWCUBEARRAY', 'SHADOWCUBE')
    if c.run('dis', '--dialect', 'virgl', c.write('other.tgsi', other)).stdout.decode() != other:
        findings.append('a cube without layers has no reference there')
    return findings


def verbs_take_the_option():
    findings = []
    path, vectors = c.write('plain.tgsi', ABSOLUTE), c.write('dialect.tsv', ZEROS)
    for arguments in (['check'], ['dis'], ['info'], ['trace', '--vectors', vectors], ['translate', '--to', 'd3d-asm']):
        for dialect, wanted in (('auto', [1507]), ('tgsi', []), ('virgl', [])):
            done = c.run(*arguments, path, '--dialect', dialect)
            if done.returncode != c.YES or numbers(done) != wanted:
                findings.append(f'{arguments[0]} --dialect {dialect}: {done.returncode}, {done.stderr[:200]}')
    findings += c.exit_is(c.NO, 'compare', path, c.write('marked.tgsi', MARKED))
    findings += c.exit_is(c.YES, 'compare', '--dialect', 'virgl', path, c.path('marked.tgsi'))
    return findings + c.exit_is(c.USAGE, 'check', '--dialect', 'virpipe', path, err='auto, tgsi or virgl')


def real_texts_are_told_apart():
    """Of the shared texts, those of virpipe are recognised and no others."""
    shared = os.path.join(os.environ.get('SCH_SHARED', ''), 'corpus', 'tgsi')
    if not os.path.isdir(shared):
        return []
    findings = []
    with open(f'{shared}/index.tsv', encoding='utf-8') as file:
        rows = [line.split('\t')[:4] for line in file][1:]
    for name, _, _, driver in rows[::1 if not c.PART else 16]:
        with open(f'{shared}/{name}', encoding='utf-8') as file:
            text = file.read()
        if not re.search(r'MAX [^,]+, (\S+), -\1\n', text):
            continue
        told = numbers(c.run('check', f'{shared}/{name}'))
        if (1506 in told) != (driver == 'virpipe') or 1507 in told:
            findings.append(f'{name} of {driver}: {told}')
    return findings


tap.run([
    ('operands of 64 bits are read from where they were copied to', wide_operands),
    ('MAX of both signs is the absolute value', absolute_values),
    ('texts and tokens come back', texts_come_back),
    ('what is told to be virgl becomes TGSI', what_is_told_to_be_virgl_becomes_tgsi),
    ('TXB2 and TXL2 of shadow cube map arrays', references_are_exchanged),
    ('verbs take --dialect', verbs_take_the_option),
    ('real texts are told apart', real_texts_are_told_apart),
])
