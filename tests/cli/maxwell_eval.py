#!/usr/bin/env python3
"""eval of Maxwell code: registers and predicates in and out, pools, constant bank and memory, divergence, refusals."""
import json
import os
import re
import struct

import command as c
import tap

BASE = 0x100000
HEADERS = f'''header 1 BLOCKLINEAR {{
  COMPONENTS = A8B8G8R8
  ADDRESS = {BASE:#x}; WIDTH = 32; HEIGHT = 16
  TEXTURE_TYPE = TWO_D_NO_MIPMAP
  BORDER_SIZE = SAMPLER_COLOR
}}
header 2 PITCH {{
  COMPONENTS = R32
  R_DATA_TYPE = FLOAT; G_DATA_TYPE = FLOAT; B_DATA_TYPE = FLOAT; A_DATA_TYPE = FLOAT
  X_SOURCE = R; Y_SOURCE = ZERO; Z_SOURCE = ZERO; W_SOURCE = ONE_FLOAT
  ADDRESS = {BASE + 4096:#x}; WIDTH = 8; HEIGHT = 4; PITCH = 64
  TEXTURE_TYPE = TWO_D_NO_MIPMAP
  BORDER_SIZE = SAMPLER_COLOR
}}
'''
COVERAGE = 'header 1 BLOCKLINEAR {\n  COMPONENTS = V8Z24__COV4R12V\n  WIDTH = 8\n  TEXTURE_TYPE = TWO_D\n}\n'
SAMPLERS = 'sampler 1 {\n  MAG_FILTER = MAG_POINT\n  MIN_FILTER = MIN_POINT\n  MIP_FILTER = MIP_POINT\n}\n'


def block_address(x, y):
    """Of texel (x, y), 4 bytes, in rows of GOBs of 64 bytes by 8 rows, one GOB a block, 128 bytes a row."""
    x *= 4
    gob = ((x & 63) >> 5) << 8 | ((y & 7) >> 1) << 6 | ((x & 31) >> 4) << 5 | (y & 1) << 4 | (x & 15)
    return (y >> 3) * 1024 + (x >> 6) * 512 + gob


def memory():
    data = bytearray(4096 + 64 * 4)
    for y in range(16):
        for x in range(32):
            data[block_address(x, y):block_address(x, y) + 4] = bytes((x * 8, y * 16, 7, 255))
    for y in range(4):
        for x in range(8):
            struct.pack_into('<f', data, 4096 + 64 * y + 4 * x, 10 * y + x + 0.25)
    return bytes(data)


def unorm(code):
    return struct.pack('>f', code / 255).hex()


def word(value):
    return struct.pack('>f', value).hex()


def files(*options):
    """The pools and memories of the tests, but for those that the options say, and these."""
    usual = {'--headers': c.write('h.txt', HEADERS), '--samplers': c.write('s.txt', SAMPLERS), '--memory': c.write('memory.bin', memory()) + f'@{BASE:#x}',
             '--cbank': c.write('bank.bin', struct.pack('<4I', 1 << 20 | 1, 1 << 20 | 2, 99, 0))}
    return [word for name, path in usual.items() if name not in options for word in (name, path)] + list(options)


def evaluate(program, lines, *options):
    path = c.write('program.txt', program)
    done = c.run('eval', '-x', 'maxwell', path, '--vectors', '-', *files(*options), stdin='\n'.join(lines) + '\n')
    return done.stdout.decode().splitlines() if not done.returncode else [f'exit {done.returncode}: {done.stderr!r}']


def expect(have, wanted):
    if len(have) != len(wanted):
        return [f'{len(have)} lines, not {len(wanted)}: {have[:3]}']
    return [f'line {i + 1}: {h}, not {w}' for i, (h, w) in enumerate(zip(have, wanted)) if h != w]


def loads():
    """Texels of both layouts, in more lanes than a group, at every width."""
    findings = []
    at = [(i * 7 % 33, i * 3 % 17) for i in range(75)]  # some outside
    lines = [f'R[8]=0x{x:x}\tR[9]=0x{y:x}' for x, y in at]
    for options in (('--width', '4'), ('--width', '8', '--engine', 'maxwell'), ('--width', '16'), ('--threads', '2'),
                    ('--budget', '1', '--engine', 'interp')):
        have = evaluate('TLD.LZ R4, R8, 0x0, 2D, 0x3;\nTLDS.LZ RZ, R0, R8, R9, 0x1, 2D, RA;', lines, *options)
        wanted = []
        for x, y in at:
            inside = x < 32 and y < 16
            rows = f'R[4]=0x{unorm(x * 8) if inside else "00000000"}\tR[5]=0x{unorm(y * 16) if inside else "00000000"}'
            value = word(10 * y + x + 0.25) if x < 8 and y < 4 else '00000000'
            wanted.append(f'R[0]=0x{value}\tR[1]=0x3f800000\t{rows}')
        findings += expect(have, wanted)
    return findings


def lanes():
    """Killed lanes, lanes that are off, guards and the residency predicate."""
    lines = ['R[8]=0x1\tP[0]=1', 'R[8]=0x2\tP[0]=0\tR[0]=0x77', 'KILL\tP[0]=1', 'OFF', '', 'P[0]=1\tP[2]=1\tR[8]=0x3']
    have = evaluate('.arch sm_52\n@P0 TLD.LZ P2, R0, R8, 0x1, 1D, 0x1;', lines)
    findings = expect(have, ['R[0]=0x00000000\tP[2]=1', 'R[0]=0x00000077\tP[2]=0', 'KILL', 'OFF',
                             'R[0]=0x00000000\tP[2]=0', 'R[0]=0x00000000\tP[2]=1'])
    have = evaluate('@!P0 TLDS.LZ RZ, R0, R8, R9, 0x1, 2D, R;', lines)
    return findings + expect(have, ['R[0]=0x00000000', 'R[0]=0x' + word(2.25), 'KILL', 'OFF', 'R[0]=0x' + word(0.25),
                                    'R[0]=0x00000000'])


def derivatives():
    """TMML: quads with --quads, else none, .NDV apart."""
    lines = [f'R[8]={word((i % 2) * 4 / 32)}\tR[9]=0' for i in range(8)]
    findings = []
    for options, text, level in (((), 'TMML.LOD', '8000'), (('--quads',), 'TMML.LOD', '0200'), ((), 'TMML.LOD.NDV', '0200')):
        have = evaluate(f'{text} R0, R8, 0x0, 2D, 0x1;', lines, *options)
        findings += expect(have, [f'R[0]=0x0000{level}'] * 8)
    have = evaluate('TMML.LOD R0, R8, 0x0, 2D, 0x1;', lines[:7], '--quads')  # the second quad lacks a lane
    findings += expect(have, ['R[0]=0x00000200'] * 4 + ['R[0]=0x00008000'] * 3)
    for killed in range(8):  # a helper
        asked = [line + ('\tKILL' if n == killed else '') for n, line in enumerate(lines)]
        have = evaluate('TMML.LOD R0, R8, 0x0, 2D, 0x1;', asked, '--quads')
        findings += expect(have, ['KILL' if n == killed else 'R[0]=0x00000200' for n in range(8)])
    return findings


def handles_and_pools():
    """Handles by register, indices beyond the pools, ViaHeaderBinding, pools as bytes."""
    program = 'TXQ.B R0, R8, TEX_HEADER_DIMENSION, 0x0, 0x3;'
    lines = [f'R[8]=0x{h:x}' for h in (0x100001, 0x100002, 0x100003, 0x200001)]
    findings = expect(evaluate(program, lines), ['R[0]=0x00000020\tR[1]=0x00000010', 'R[0]=0x00000008\tR[1]=0x00000004',
                                                 'R[0]=0x00000000\tR[1]=0x00000000', 'R[0]=0x00000000\tR[1]=0x00000000'])
    via = evaluate(program, lines, '--via-header-binding')  # header 2 has no sampler 2
    findings += expect(via, ['R[0]=0x00000020\tR[1]=0x00000010'] + ['R[0]=0x00000000\tR[1]=0x00000000'] * 2 +
                       ['R[0]=0x00000020\tR[1]=0x00000010'])
    empty = c.write('empty.pool', b'')  # no samplers at all: queries need none
    findings += expect(evaluate(program, lines[:2], '--samplers', empty),
                       ['R[0]=0x00000020\tR[1]=0x00000010', 'R[0]=0x00000008\tR[1]=0x00000004'])
    pool = c.write('h.pool', c.run('headers', c.write('h.txt', HEADERS)).stdout)
    return findings + expect(evaluate(program, lines[:1], '--headers', pool), ['R[0]=0x00000020\tR[1]=0x00000010'])


PLACES = [(n, n // 2) for n in range(32)]


def halves():
    lines = [f'R[8]=0x{x:x}\tR[9]=0x{y:x}' for x, y in PLACES]
    findings = []
    for option in ('nearest', 'zero'):
        have = evaluate('.arch sm_52\nTLDS.F16.LZ RZ, R0, R8, R9, 0x0, 2D, RG;', lines, '--half', option)
        wanted = []
        for x, y in PLACES:
            pair = [struct.unpack('<f', struct.pack('<f', v / 255))[0] for v in (x * 8, y * 16)]
            codes = [half(v, option == 'zero') for v in pair]
            wanted.append(f'R[0]=0x{codes[1] << 16 | codes[0]:08x}')
        findings += expect(have, wanted)
    return findings


def half(value, toward_zero):
    """binary16 of a normal number; Python rounds to nearest even."""
    code = struct.unpack('<H', struct.pack('<e', value))[0]
    return code - 1 if toward_zero and struct.unpack('<e', struct.pack('<H', code))[0] > value else code


def raw_code():
    """The same program as words."""
    text = c.write('program.txt', 'TLDS.LZ RZ, R0, R8, R9, 0x1, 2D, R;')
    raw = c.path('program.bin')
    findings = c.exit_is(c.YES, 'asm', '-x', 'maxwell', text, '-o', raw)
    have = c.run('eval', '-x', 'maxwell', raw, '--vectors', '-', *files(), stdin='R[8]=0x3\tR[9]=0x2\n').stdout.decode()
    return findings + expect(have.splitlines(), ['R[0]=0x' + word(23.25)])


def what_check_refuses():
    """eval says what check says, and does not run it."""
    odd = c.write('odd.txt', 'TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA;')
    said = [c.run('check', '-x', 'maxwell', odd),
            c.run('eval', '-x', 'maxwell', odd, '--vectors', '-', *files(), stdin='R[9]=0x1\n')]
    if [d.returncode for d in said] != [c.NO, c.NO] or said[0].stderr != said[1].stderr or said[1].stdout:
        return [f'eval: {said[1].returncode} {said[1].stdout} {said[1].stderr}']
    return [] if b'error 23' in said[0].stderr else [f'check: {said[0].stderr}']


def refusals():
    def refuses(code, program, err, *options, lines='R[0]=0\n'):
        path = c.write('program.txt', program)
        return c.exit_is(code, 'eval', '-x', 'maxwell', path, '--vectors', '-', *files(*options), stdin=lines, err=err)
    good = 'TLD.LZ R4, R8, 0x0, 2D, 0x3;'
    return (refuses(c.UNSUPPORTED, good + '\nTXA R0, R4, 0x0, 0xf;\n', 'program.txt:2:1: error 4320') +
            refuses(c.UNSUPPORTED, 'TXQ R0, R4, TEX_SAMPLER_LOD, 0x0, 0xf;', 'error 4321') +
            refuses(c.UNSUPPORTED, 'TEX.LBA R0, R4, R8, 0x0, 2D, 0xf;', 'error 4322') +
            refuses(c.UNSUPPORTED, good + '\nRTT;\n', 'program.txt:2:1: error 4324') +
            refuses(c.UNSUPPORTED, good + good, 'program.txt:1:1: error 4302', '--headers', c.write('coverage.txt', COVERAGE)) +
            refuses(c.UNSUPPORTED, good, 'error 4325: this instruction names header 1, sampler 1', '--headers',
                    c.path('coverage.txt')) +
            refuses(c.NO, 'TLD.QQ R4;', 'program.txt:1:') + what_check_refuses() +
            refuses(c.NO, good, '<stdin>:2:1: ', lines='R[0]=0\nR[255]=0\n') +
            refuses(c.NO, good, 'R[0] to R[254]', lines='R[255]=0\n') +
            refuses(c.NO, good, 'P[0] to P[6]', lines='P[7]=0\n') +
            refuses(c.NO, good, 'P[n]=0 or 1', lines='P[1]=2\n') +
            refuses(c.NO, good, '<stdin>:1:8: error 1240', lines='R[0]=0\tIN[0]=0\n') +
            refuses(c.NO, good, 'hexadecimal', lines='R[0]=100000000\n') +
            refuses(c.NO, good, 'hexadecimal', lines='R[0]=0x0x1\n') + refuses(c.NO, good, 'hexadecimal', lines='R[0]=\n') +
            refuses(c.NO, good, '32 bytes', '--headers', c.write('cut.pool', bytes(33))) +
            refuses(c.NO, good, '4 bytes', '--cbank', c.write('cut.bank', bytes(5))) +
            refuses(c.UNSUPPORTED, '.section .text.a\n' + good + '\n.section .text.b\n' + good, 'sections') +
            refuses(c.USAGE, good, 'nearest or zero', '--half', 'up') + refuses(c.USAGE, good, '4, 8 or 16', '--width', '2') +
            refuses(c.USAGE, good, '1 to 256', '--threads', '0') +
            refuses(c.USAGE, good, 'from 1', '--budget', '0') + refuses(c.USAGE, good, 'is Maxwell code, for which --buffer means nothing', '--buffer', '0=zero:16') +
            refuses(c.USAGE, good, 'hexadecimal', '--memory', 'x@zz') + refuses(c.IO, good, 'absent', '--memory', 'absent') +
            c.exit_is(c.USAGE, 'eval', '-x', 'maxwell', '--vectors', '-') +
            c.exit_is(c.USAGE, 'eval', '-x', 'maxwell', c.path('program.txt')) +
            c.exit_is(c.USAGE, 'eval', '-x', 'tgsi', '--headers', 'a', c.path('program.txt'), '--vectors', '-'))


FORM = 'a field is R[n]= and a value (1.5, 3i, 0x3), P[n]=0 or 1, KILL or OFF'
VALUE = 'expected a value: 1.5, -3.0, inf, nan, 3i, 3u, or a word in hexadecimal: 0x40400000'
EIGHT = 'a word has at most eight hexadecimal digits; a float has a point or an exponent'
REGISTERS, PREDICATES = 'registers are R[0] to R[254]', 'predicates are P[0] to P[6]'
NUMBER, BRACKET, SIGN, MORE = 'expected a register number below 1000000', "expected ']'", "expected '='", "expected ',' or a tab"
TWICE = 'the line gives this register a value already'
WRONG = (('X', 1, FORM), ('R', 1, FORM), ('R[0]', 5, SIGN), ('R0=1', 1, FORM), ('R[0=1', 4, BRACKET), ('R]0[=1', 1, FORM), ('R[0]1', 5, SIGN), ('Q[0]=1', 1, FORM), ('R[0]=', 6, VALUE),
         ('R[0]=0x', 6, VALUE), ('R[0]=g', 6, VALUE), ('R[0]=0 ', 7, MORE), ('R[0]=100000000', 6, EIGHT), ('R[0]=11111111111111111', 6, EIGHT), ('R[0]=0x1,0x2', 1, FORM), ('R[0][1]=0x1', 1, FORM),
         ('R[255]=0x1', 1, REGISTERS), ('R[]=0x1', 3, NUMBER), ('R[x]=0x1', 3, NUMBER), ('R[99999999999]=0x1', 9, NUMBER), ('P[7]=1', 1, PREDICATES), ('P[x]=1', 3, NUMBER),
         ('P[0]=2', 6, FORM), ('P[0]=', 6, FORM), ('P[0]=11', 6, FORM), ('P[0][1]=1', 1, FORM), ('KILLED', 1, FORM), ('kill', 1, FORM), ('OF', 1, FORM), ('R[1]=0\tR[0]=x', 13, VALUE),
         ('R[1]=0\t\tR[0]=0', 8, FORM), ('R[1]=' + '0' * 26 + '123456789', 6, EIGHT), ('R[1]=' + '0' * 153 + '1', 6, VALUE), ('R[' + '0' * 6 + '1]=x', 9, NUMBER), ('OFF\tX', 5, FORM),
         ('R[8]=0x1\tR[8]=0x2', 10, TWICE), ('P[0]=1\tP[0]=0x0', 8, TWICE))


def wrong_lanes():
    """What is wrong of a field, where it stands."""
    path, findings = c.write('select.txt', 'TLD.LZ R4, R8, 0x0, 2D, 0x3;\n'), []
    for line, column, report in WRONG:
        wanted = f'<stdin>:3:{column}: error {1242 if report == TWICE else 1240}: {report}\n    {line}\n    {" " * (column - 1)}^\nsee: scheelite explain {1242 if report == TWICE else 1240}\n'.replace('\t', ' ')
        findings += c.says(c.NO, '', wanted, 'eval', '-x', 'maxwell', path, '--vectors', '-', *files(), stdin=f'#\nR[8]=0x1\n{line}\n')
    return findings


def right_lanes():
    """KILL and OFF, comments, carriage returns, the last fields that there are; lanes of a group and beyond."""
    path, findings = c.write('select.txt', 'TLD.LZ R4, R8, 0x0, 2D, 0x3;\n'), []
    def row(x, y):
        return f'R[4]=0x{unorm(x * 8)}\tR[5]=0x{unorm(y * 16)}'
    lines = [('R[8]=0x3\tR[9]=0x2', row(3, 2)), ('R[8]=0x1f\tR[9]=0xF', row(31, 15)), ('# R[8]=0x1', None), ('#', None), ('', row(0, 0)), ('KILL', 'KILL'), ('OFF', 'OFF'),
             ('R[8]=0x5\tKILL', 'KILL'), ('KILL\tR[8]=0x5', 'KILL'), ('OFF\tKILL', 'KILL'), ('KILL\tOFF', 'OFF'), ('R[254]=ffffffff\tP[6]=1\tP[0]=0\tR[8]=0x7', row(7, 0)),
             ('KILL\tR[8]=0x6', 'KILL'), ('R[8]=0x9', row(9, 0)), ('OFF', 'OFF'), ('R[8]=0x1e\tR[9]=0x8', row(30, 8)),
             ('R[8]=0x' + '0' * 15 + '1', row(1, 0)), ('R[8]=0x' + '0' * 14 + '10', row(16, 0)), ('R[8]=0x2\t', row(2, 0)), ('P[0]=0x0\tR[00008]=0x4', row(4, 0))]
    for repeat in (1, 2, 3, 4):
        for end in ('\n', '\r\n'):
            stdin, wanted = end.join(line for line, _ in lines * repeat), ''.join(out + '\n' for _, out in lines * repeat if out)
            for last in ('', end):
                findings += c.says(c.YES, wanted, '', 'eval', '-x', 'maxwell', path, '--vectors', '-', *files(), stdin=stdin + last)
    return findings + c.says(c.YES, '', '', 'eval', '-x', 'maxwell', path, '--vectors', '-', *files(), stdin='')


def pools():
    """Without a pool nothing can be right: one warning for each that the program needs."""
    findings = []
    headers = ('--headers', c.write('h.txt', HEADERS), '--cbank', c.write('bank.bin', struct.pack('<I', 1 << 20 | 1)))
    for program, given, wanted in (
            ('TEX R0, R8, 0x0, 2D, 0xf;\n', (), 'TEX R0, R8, 0x0, 2D, 0xf: there are no texture headers'),
            ('TLD.LZ R4, R8, 0x0, 2D, 0x3;\n', (), 'there are no texture headers'),
            ('TLD.LZ R4, R8, 0x0, 2D, 0x3;\nTLD4.R R0, R8, 0x0, 2D, 0xf;\n', headers, 'TLD4.R R0, R8, 0x0, 2D, 0xf: there are no samplers'),
            ('TLD.LZ R4, R8, 0x0, 2D, 0x3;\nTXQ R0, R8, TEX_HEADER_DIMENSION, 0x0, 0x1;\n', headers, ''),
            ('@P0 TXQ R0, R8, TEX_HEADER_DIMENSION, 0x0, 0x1;\n', headers, ''),
            ('TLDS.LZ R0, R4, R9, R11, 0x0, 2D, RGBA;\n', headers, ''),
            ('@!P1 TEX R0, R8, 0x0, 2D, 0xf;\n', headers, '@!P1 TEX R0, R8, 0x0, 2D, 0xf: there are no samplers')):
        done = c.run('eval', '-x', 'maxwell', c.write('pools.txt', program), '--vectors', '-', *given, stdin='R[8]=0x1\n')
        said = done.stderr.decode()
        if done.returncode or wanted not in said or said.count('warning') != bool(wanted):
            findings.append(f'{program!r}: {done}')
    return findings


def options():
    """The last values that options take, and what is said of others; files whose sizes are no multiples."""
    path, findings = c.write('select.txt', 'TLD.LZ R4, R8, 0x0, 2D, 0x3;\n'), []
    call = ('eval', '-x', 'maxwell', path, '--vectors', '-')
    for arguments, message in (
            (('--width', '5'), '--width is 4, 8 or 16, not 5'), (('--width', ''), '--width is 4, 8 or 16, not '), (('--width', '160'), '--width is 4, 8 or 16, not 160'), (('--half', 'up'), '--half is nearest or zero, not up'),
            (('--engine', 'fast'), '--engine is auto, interp, jit, both or maxwell, not fast'), (('--half', 'zero', '--half', 'zero'), '--half is given twice'),
            (('--threads', '0'), '--threads is 1 to 256, not 0'), (('--threads', '257'), '--threads is 1 to 256, not 257'), (('--budget', '0'), '--budget is a number from 1, not 0'),
            (('--memory', 'x@'), '--memory FILE@ADDRESS: the address is hexadecimal'), (('--memory', 'x@g'), '--memory FILE@ADDRESS: the address is hexadecimal'),
            (('--memory', 'x@' + '1' * 17), '--memory FILE@ADDRESS: the address is hexadecimal'), (('--memory', 'x@0x'), '--memory FILE@ADDRESS: the address is hexadecimal'),
            ((path,), f'one shader only: {path}'), (('--headers', '-'), 'only one file can be standard input'), (('--samplers', '-'), 'only one file can be standard input'),
            (('--cbank', '-'), 'only one file can be standard input'), (('--memory', '-'), 'only one file can be standard input'), (('-x', 'tgsi'), '-x is given twice')):
        done = c.run(*call, *arguments)
        if done.returncode != c.USAGE or done.stdout or not done.stderr.decode().startswith(f'scheelite eval: {message}\nsee: scheelite help eval\n'):
            findings.append(f'{arguments}: {done}')
    for arguments, message in ((('-x', 'maxwell', '--vectors', '-'), 'which shader?'), (('-x', 'maxwell', path), 'which invocations? (--vectors)')):
        done = c.run('eval', *arguments)
        if done.returncode != c.USAGE or not done.stderr.decode().startswith(f'scheelite eval: {message}\nsee: '):
            findings.append(f'{arguments}: {done}')
    for arguments in (('--width', '4'), ('--width', '8'), ('--width', '16'), ('--threads', '1'), ('--threads', '256'), ('--budget', '1'), ('--engine', 'auto'), ('--half', 'zero'), ('--half', 'nearest')):
        findings += c.says(c.YES, f'R[4]=0x{unorm(8)}\tR[5]=0x{unorm(0)}\n', '', *call, *files(*arguments), stdin='R[8]=0x1\n')
    for option in ('--headers', '--samplers'):
        for size in (1, 31, 33, 63, 65):
            name = c.write('odd', bytes(size))
            findings += c.says(c.NO, '', f'scheelite: {name}: entries have 32 bytes\n', *call, option, name, stdin='')
    for size in (1, 2, 3, 5, 7):
        name = c.write('odd', bytes(size))
        findings += c.says(c.NO, '', f'scheelite: {name}: words have 4 bytes\n', *call, '--cbank', name, stdin='')
    for option in ('--headers', '--samplers', '--cbank', '--memory', '--vectors'):
        name = c.path('absent')
        findings += c.says(c.IO, '', f'scheelite: cannot open {name}: No such file or directory\n', *(call[:4] if option == '--vectors' else call), option, name, stdin='')
    # A text that is none, where it is wrong.
    bad = c.write('bad.txt', 'header 1 BLOCKLINEAR {\n  NOTHING = 1\n}\n')
    done = c.run(*call, '--headers', bad, stdin='')
    return findings + ([] if done.returncode == c.NO and done.stderr.decode().startswith(f'{bad}:2:3: error ') else [f'{done}'])


def predicates_in_a_row():
    """The registers, then each predicate that some instruction writes, tabs between them."""
    program = '.arch sm_52\nTLD.LZ P0, R0, R8, 0x0, 2D, 0x1;\n@P1 TLD.LZ P6, R1, R8, 0x0, 2D, 0x1;\nTLD.LZ P3, R2, R8, 0x0, 2D, 0x1;'
    have = evaluate(program, ['R[8]=0x2\tP[1]=0', 'R[8]=0x2\tP[1]=1', 'KILL'])
    return expect(have, [f'R[0]=0x{unorm(16)}\tR[1]=0x{unorm(16) if n else "00000000"}\tR[2]=0x{unorm(16)}\tP[0]=1\tP[3]=1\tP[6]={n}' for n in range(2)] + ['KILL'])


def said_once():
    """What a run refuses is one report, with its line and nothing else; nothing is printed."""
    findings = []
    for program, options, number in (('TLD.LZ R4, R8, 0x0, 2D, 0x3;', ('--headers', c.write('coverage.txt', COVERAGE)), 4325), ('TXQ R0, R4, TEX_SAMPLER_LOD, 0x0, 0xf;', (), 4321),
                                     ('TLD.LZ R4, R8, 0x0, 2D, 0x3;\nTXA R0, R4, 0x0, 0xf;', (), 4320)):
        path = c.write('program.txt', program)
        done = c.run('eval', '-x', 'maxwell', path, '--vectors', '-', *files(*options), stdin='R[8]=0x1\n' * 40)
        if done.returncode != c.UNSUPPORTED or done.stdout or not re.fullmatch(rf'({path}:[12]:1: error (4302|{number}): [^\n]+\n    T[^\n]+;\n    \^\n)+(see: scheelite explain \d+\n)+', done.stderr.decode()):
            findings.append(f'{done}')
    return findings


def who_reads_it():
    """The options that only Maxwell code has say that raw code is such, and go with no other kind."""
    findings, raw = [], c.path('raw.bin')
    c.run('asm', '-x', 'maxwell', c.write('select.txt', 'TLD.LZ R4, R8, 0x0, 2D, 0x3;\n'), '-o', raw)
    zeros = f'R[4]=0x{unorm(0)}\tR[5]=0x{unorm(0)}\n'
    findings += c.exit_is(c.UNSUPPORTED, 'eval', raw, '--vectors', '-', '--tex', '0=zero:R8_UNORM:4x4', stdin='\n', err='perhaps raw Maxwell code')
    for given in (('--arch', 'sm_50'), ('--half', 'zero'), ('--via-header-binding',), ('-x', 'maxwell')):
        findings += c.says(c.YES, zeros, '', 'eval', raw, '--vectors', '-', '--tex', '0=zero:R8_UNORM:4x4', *given, stdin='\n')
    shader = c.write('plain.tgsi', 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n')
    for given in (('--arch', 'sm_50'), ('--half', 'zero'), ('--via-header-binding',), ('--headers', 'x'), ('--samplers=x',), ('--cbank', 'x'), ('--memory', 'x')):
        findings += c.exit_is(c.USAGE, 'eval', '-x', 'tgsi', shader, '--vectors', '-', *given, stdin='', err='go with -x maxwell')
    return findings


def every_byte_of_a_handle():
    """Words of the constant bank are read low byte first; one text may hold headers and samplers; memory without an address."""
    pool = c.write('both.txt', HEADERS.replace('header 1 ', 'header 257 ').replace(f'{BASE:#x}', '0').replace('header 2 ', 'header 3 ') + SAMPLERS.replace('sampler 1 ', 'sampler 17 '))
    path = c.write('program.txt', 'TLD.LZ R4, R8, 0x0, 2D, 0x3;\nTXQ R0, R10, TEX_HEADER_DIMENSION, 0x1, 0x3;')
    bank, plain = c.write('bank.bin', struct.pack('<2I', 17 << 20 | 257, 17 << 20 | 3)), c.write('memory.bin', memory())
    findings = []
    for more in ((plain,), (plain + '@0',), (plain + '@0000000000000000',)):
        given = [word for name in more for word in ('--memory', name)]
        findings += c.says(c.YES, f'R[0]=0x00000008\tR[1]=0x00000004\tR[4]=0x{unorm(40)}\tR[5]=0x{unorm(48)}\n', '', 'eval', path, '--vectors', '-', '--headers', pool, '--samplers', pool, '--cbank', bank,
                           *given, stdin='R[8]=0x5\tR[9]=0x3\n')
    at = c.write('at@home', memory())
    for name in (at + '@AbC000', at + '@0xabC000'):
        moved = c.write('moved.txt', open(pool, encoding='ascii').read().replace('ADDRESS = 0;', 'ADDRESS = 0xabc000;'))
        findings += c.says(c.YES, f'R[0]=0x00000008\tR[1]=0x00000004\tR[4]=0x{unorm(40)}\tR[5]=0x{unorm(48)}\n', '', 'eval', path, '--vectors', '-', '--headers', moved, '--samplers', moved, '--cbank', bank,
                           '--memory', name, stdin='R[8]=0x5\tR[9]=0x3\n')
    return findings


def kernels():
    """One section of several is read, and run, by its name or number."""
    query = 'TXQ R{}, R1, TEX_HEADER_DIMENSION, 0x0, 0x1;\n'
    program = c.write('kernels.sass', ''.join(f'.section .text.{name}\n{query.format(4 * n)}' for n, name in ((1, 'first'), (2, 'second'), (3, '1'))))
    lanes, pool = c.write('lane.tsv', 'R[1]=0i\n'), c.write('pool.txt', 'header 0 BLOCKLINEAR { WIDTH = 16; HEIGHT = 8; TEXTURE_TYPE = TWO_D }\n')
    findings = []
    for kernel, register in (('first', 4), ('second', 8), ('1', 12), ('2', 8)):
        told = c.run('eval', '-x', 'maxwell', program, '--kernel', kernel, '--vectors', lanes, '--headers', pool).stdout.decode()
        findings += [] if told == f'R[{register}]=0x00000010\n' else [f'{kernel}: {told!r}']
        shown = c.run('dis', '-x', 'maxwell', program, '--kernel', kernel).stdout.decode()
        findings += [] if shown.count('TXQ') == 1 and f'TXQ R{register},' in shown else [f'{kernel}: {shown!r}']
    return findings + c.exit_is(c.UNSUPPORTED, 'eval', '-x', 'maxwell', program, '--vectors', lanes, err='--kernel NAME') + \
        c.exit_is(c.NO, 'eval', '-x', 'maxwell', program, '--kernel', 'third', '--vectors', lanes, err='1157: there is no kernel third: the input has first, second') + \
        c.exit_is(c.USAGE, 'reduce', '-x', 'maxwell', program, '--kernel', 'first', '--test', 'true', '-o', c.path('less.sass'), err='dis --kernel first')


def without_a_kind():
    """Maxwell code is known by its first words; verbs that do not take it say so."""
    program, lanes = c.write('plain.sass', 'TEX.LZ R0, R4, 0x0, 2D, 0x1;\n'), c.write('plain.tsv', 'R[4]=0.5\tR[5]=0.5\n')
    wanted = 'R[0]=0x00000000\n'
    findings = c.says(c.YES, wanted, '', 'eval', program, '--vectors', lanes, '--tex', '0=zero:R8_UNORM:4x4')
    findings += c.exit_is(c.YES, 'trace', program, '--vectors', lanes, out='TEX.LZ R0, R4, 0x0, 2D, 0x1;')
    findings += c.exit_is(c.YES, 'run', program, '--grid', '2,1,1', '--block', '40,1,1', err='there are no texture headers')
    findings += c.says(c.YES, '', '', 'run', program, '--grid', '1,1,1', '--tex', '0=zero:R8_UNORM:4x4')
    findings += c.exit_is(c.UNSUPPORTED, 'run', program, '--grid', '1,1,1', '--headers', c.write('coverage.txt', COVERAGE.replace('header 1', 'header 0')), '--samplers', c.write('s.txt', SAMPLERS.replace('sampler 1', 'sampler 0')), err='error 4302')
    findings += c.exit_is(c.USAGE, 'run', program, '--grid', '1,1,1', '--pixel', '0,0', err='--pixel shows none of it') + c.exit_is(c.USAGE, 'run', program, '-o', 'x.png', err='needs --grid')
    for style in ('fxc', 'vkd3d'):
        findings += c.exit_is(c.UNSUPPORTED, 'dis', program, '--style', style, err='styles fxc and vkd3d are')
    return findings + c.exit_is(c.USAGE, 'translate', program, '--to', 'tgsi', err='is Maxwell code: it is not translated') + \
        (c.exit_is(c.YES, 'jit', '--ir', program, out='@sch_native_group') if os.path.exists(os.path.join(tap.BUILD, 'src', 'jit', 'libscheelite-jit.so')) else [])


def traces():
    """What trace shows of lanes is what eval gives: lines, --lanes, --only, JSON, pages, a failure where it happens."""
    program = c.write('trace.sass', '.arch sm_52\n@P0 TLD.LZ P2, R4, R8, 0x0, 2D, 0x1;\nTXQ R5, R10, TEX_HEADER_DIMENSION, 0x0, 0x1;\n')
    table = c.write('trace.tsv', 'R[8]=0x3\tR[9]=0x2\tP[0]=1\nR[8]=0x4\nKILL\tR[8]=0x5\tP[0]=1\nOFF\n')
    call = ('trace', program, '--vectors', table, *files())
    first, second = '@P0 TLD.LZ P2, R4, R8, 0x0, 2D, 0x1;', 'TXQ R5, R10, TEX_HEADER_DIMENSION, 0x0, 0x1;'
    texel = f'R4 = 0x{unorm(24)}  P2 = 0x00000001  (level 0, 1 texel)'
    head = f'{program}, line {{}}: lane {{}} of its group\n'
    findings = c.says(c.YES, head.format(1, 0) + f'     0  line 2     {first:44}  {texel}\n     1  line 3     {second:44}  R5 = 0x00000020\n', '', *call, '--floats', 'hex')
    findings += c.says(c.YES, head.format(2, 1) + f'     1  line 3     {second:44}  R5 = 0x00000020\n', '', *call, '--floats', 'hex', '--line', '2')
    findings += c.says(c.YES, head.format(1, 0) + f'     0  line 2     {first}\n                lane 0    {texel}\n                lane 2    {texel.replace(unorm(24), unorm(40))}\n', '',
                       *call, '--floats', 'hex', '--lanes', 'all', '--to', '0')
    findings += c.exit_is(c.NO, *call, '--line', '4', err='the lane of line 4 is OFF') + c.exit_is(c.YES, *call, '--html', out='"name": "R4"')
    told = json.loads(c.run(*call, '--json').stdout)
    if [(w['register'], w['lanes'][0]['bits'][0]) for step in told['steps'] for w in step['writes']] != [('R4', '0x' + unorm(24)), ('P2', '0x00000001'), ('R5', '0x00000020')]:
        findings.append(f'{told}')
    bad = ('trace', program, '--vectors', table, *files('--headers', c.write('coverage.txt', COVERAGE)))
    return findings + c.exit_is(c.UNSUPPORTED, *bad, err='error 4325') + c.exit_is(c.UNSUPPORTED, *bad, err=f'{program}:2:1: error 4302')


tap.run([
    ('traces', traces),
    ('predicates in a row', predicates_in_a_row),
    ('said once', said_once),
    ('who reads it', who_reads_it),
    ('every byte of a handle', every_byte_of_a_handle),
    ('loads', loads),
    ('lanes', lanes),
    ('derivatives', derivatives),
    ('handles and pools', handles_and_pools),
    ('halves', halves),
    ('raw code', raw_code),
    ('refusals', refusals),
    ('wrong lanes', wrong_lanes),
    ('right lanes', right_lanes),
    ('pools', pools),
    ('options', options),
    ('kernels', kernels),
    ('without a kind', without_a_kind),
])
