#!/usr/bin/env python3
"""How values of registers are written and printed: each spelling with its bits, computed by exact arithmetic; the
shortest decimals, which read back; what is refused, and what is warned about."""
import json
import random
import struct
from fractions import Fraction

import command as c
import tap

MOVES = 'VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nUADD OUT[0], IN[0], IMM[0]\nEND\n'.replace('UADD', 'IMM[0] UINT32 {0, 0, 0, 0}\nUADD')
COPIES = 'VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], IN[0]\nEND\n'


def nearest(number):
    """The bits of the float nearest to a fraction, to even where two are as near."""
    sign, number = (0x80000000, -number) if number < 0 else (0, number)
    if not number:
        return sign
    exponent = -149
    while number / Fraction(2) ** exponent >= 1 << 24:
        exponent += 1
    scaled = number / Fraction(2) ** exponent
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1)
    return sign | (whole if exponent == -149 else whole + ((exponent + 149) << 23))


def bits_of(text):
    """As docs/values.md says it: the same in lines of eval and in options."""
    body = text.lstrip('+-')
    sign = 0x80000000 if text.startswith('-') else 0
    if body.lower() in ('inf', 'infinity'):
        return sign | 0x7f800000
    if body.lower() == 'nan':
        return sign | 0x7fc00000
    if body.lower().startswith('nan('):
        return sign | 0x7f800000 | int(body[6:-1], 16)
    if text[-1] in 'iu' and text != 'i':
        return int(text[:-1]) & 0xffffffff
    if text.lower().startswith('0x') and not set(text) & set('.pP'):
        return int(text, 16)
    if not text.lstrip('0123456789abcdefABCDEF'):
        return int(text, 16)
    if text.lower().startswith('0x'):
        return struct.unpack('<I', struct.pack('<f', float.fromhex(text)))[0]
    return sign | (nearest(abs(Fraction(text.rstrip('fF')))) & 0x7fffffff)


SPELLINGS = ['0', '000', 'bf800000', 'FFFFFFFF', '0000000a', '0x1', '0x3f800000', '0XABCDEF', '1.5', '-3', '+3', '-3.', '.5', '-.5', '0.1', '1e-3', '1E+3',
             '1.e0', '1.5f', '2.5F', '1e-45', '7e-46', '7.1e-46', '-0', '-0.0', '1.17549435e-38', '16777217.', '-16777219', '3.4028235e+38', '3.4028235677973366e+38',
             '0.1000000014901161193847656249', '0.1000000052154064178466796875', '0.10000000521540641784667968750000000000000000001', '9.99999974e-5', 'inf', '-inf', '+inf', 'Infinity', 'INF',
             'nan', '-nan', 'NaN', 'nan(0x1)', '-nan(0x7fffff)', 'nan(0x400000)', 'nan(0x00400001)', '3i', '-3i', '+3i', '0i', '2147483647i', '-2147483648i', '3u', '4294967295u', '0x1.8', '0x1p-3', '0X.8p1']


# Read in one of the two places, with its bits, and refused in the other; and refused in both.
LINES_ONLY = (('40400000', 0x40400000), ('00000001', 1), ('1e300000', 0x1e300000))
OPTIONS_ONLY = (('3', nearest(Fraction(3))), ('10', nearest(Fraction(10))), ('1e3', nearest(Fraction(1000))), ('01', nearest(Fraction(1))), ('1234567', nearest(Fraction(1234567))))
NOWHERE = ('c', 'ff', 'abcdef', 'F0', '1f2')
TWO_WAYS, DIGITS = 'may be a number or a word', 'a word in hexadecimal begins with 0x, or has eight digits'


def spellings():
    """Every spelling, in each place of a register, in lines of eval and in --const."""
    path, findings = c.write('moves.tgsi', MOVES), []
    lines = [SPELLINGS[i:] + SPELLINGS[:i] for i in range(len(SPELLINGS))]
    wanted = ''.join('OUT[0]=' + ','.join(f'0x{bits_of(text):08x}' for text in line[:4]) + '\n' for line in lines)
    findings += c.says(c.YES, wanted, None, 'eval', path, '--vectors', '-', stdin='\n'.join('IN[0]=' + ','.join(line[:4]) for line in lines))
    constants = c.write('constants.tgsi', 'VERT\nDCL CONST[0]\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], CONST[0]\nEND\n')
    for text, bits in [(text, bits_of(text)) for text in SPELLINGS] + list(OPTIONS_ONLY):
        findings += c.says(c.YES, f'OUT[0]=0x00000000,0x{bits:08x},0x00000000,0x00000000\n', '', 'eval', constants, '--vectors', '-', '--const', f'0:0=0.0,{text}', stdin='\n')
    for text, bits in LINES_ONLY:
        findings += c.says(c.YES, f'OUT[0]=0x00000000,0x{bits:08x},0x00000000,0x00000000\n', '', 'eval', constants, '--vectors', '-', stdin=f'CONST[0]=0,{text}\n')
        findings += c.exit_is(c.USAGE, 'eval', constants, '--vectors', '-', '--const', f'0:0=0.0,{text}', stdin='\n', err=TWO_WAYS)
    for text, said in [(text, TWO_WAYS) for text, _ in OPTIONS_ONLY] + [(text, DIGITS) for text in NOWHERE]:
        findings += c.exit_is(c.NO, 'eval', constants, '--vectors', '-', stdin=f'CONST[0]=0,{text}\n', out='', err=f'<stdin>:1:12: error 1240: {said}' if said == DIGITS else said)
    for text in NOWHERE:
        findings += c.exit_is(c.USAGE, 'eval', constants, '--vectors', '-', '--const', f'0:0=0.0,{text}', stdin='\n')
    return findings


def patterns():
    chosen = random.Random(5)
    some = [0, 1, 2, 0x007fffff, 0x00800000, 0x00800001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x7fffffff, 0x7fa00000, 0x3f800000, 0x40400000, 0x4b800000, 0x4cbebc20, 0x38d1b717, 0x3727c5ac, 0x3dcccccd]
    some += [exponent << 23 for exponent in range(1, 255)] + [chosen.getrandbits(32) for _ in range(2500)] + [(chosen.randrange(110, 145) << 23) | chosen.getrandbits(23) for _ in range(1000)]
    return some + [bits ^ 0x80000000 for bits in some]


def digits_of(text):
    mantissa = text.lstrip('-').lower().split('e')[0].replace('.', '').lstrip('0')
    return len(mantissa.rstrip('0')) or 1


def fewest(bits):
    """Of how many digits the shortest decimal is that rounds to these bits: the ends of what rounds there are exact."""
    magnitude = bits & 0x7fffffff
    value = Fraction(struct.unpack('<f', struct.pack('<I', magnitude))[0])
    above = Fraction(struct.unpack('<f', struct.pack('<I', magnitude + 1))[0]) if magnitude < 0x7f7fffff else Fraction(2) ** 128
    below = Fraction(struct.unpack('<f', struct.pack('<I', magnitude - 1))[0])
    low, high, closed = (value + below) / 2, (value + above) / 2, not magnitude & 1
    for digits in range(1, 10):
        power = Fraction(10) ** (len(str(int(value))) - digits if value >= 1 else -digits - 50)
        while power * 10 ** digits <= low:
            power *= 10
        for scale in (power / 10, power, power * 10):
            first = -(-low // scale)
            if first * scale == low and not closed:
                first += 1
            if first < 10 ** digits and (first * scale < high or (closed and first * scale == high)):
                return digits
    return 9


def decimals():
    """--floats dec reads back as the same bits, is as short as can be, and is a float by what is written."""
    path, findings, all_bits = c.write('copies.tgsi', COPIES), [], patterns()
    table = '\n'.join(f'IN[0]=0x{bits:x}' for bits in all_bits)
    done = c.run('eval', path, '--vectors', '-', '--floats', 'dec', stdin=table)
    texts = [line[len('OUT[0]='):].split(',')[0] for line in done.stdout.decode().splitlines()]
    if len(texts) != len(all_bits):
        return [f'{len(texts)} lines of {len(all_bits)}: {done.stderr[:300]}']
    for bits, text in zip(all_bits, texts):
        if not text.lstrip('0123456789abcdefABCDEF') or bits_of(text) != bits:
            findings.append(f'{bits:08x}: {text} is 0x{bits_of(text):08x}')
        elif bits & 0x7f800000 != 0x7f800000 and bits & 0x7fffffff and digits_of(text) != fewest(bits):
            findings.append(f'{bits:08x}: {text} has {digits_of(text)} digits, not {fewest(bits)}')
    again = c.run('eval', path, '--vectors', '-', stdin='\n'.join('IN[0]=' + text for text in texts))
    if again.stdout.decode().splitlines() != [f'OUT[0]=0x{bits:08x},0x00000000,0x00000000,0x00000000' for bits in all_bits]:
        findings.append('the decimals do not read back')
    for line, wanted in (('IN[0]=1.0,100000000.0,999999999.,1e9', None),):
        findings += c.says(c.YES, 'OUT[0]=1.0,100000000.0,1e+09,1e+09\n', None, 'eval', path, '--vectors', '-', '--floats', 'dec', stdin='IN[0]=1.0,100000000.0,999999999.,1.e9\n')
    return findings + c.says(c.YES, 'OUT[0]=0x3fc00000(1.5),0x7f800001(nan(0x1)),0x80000000(-0.0),0x00000000(0.0)\n', '', 'eval', path, '--vectors', '-', '--floats', 'both',
                             stdin='IN[0]=1.5,nan(0x1),-0.0\n') + c.says(c.YES, 'OUT[0]=0x3fc00000,0x00000000,0x00000000,0x00000000\n', '', 'eval', path, '--vectors', '-', '--floats=hex', stdin='IN[0]=1.5\n')


TYPES = '''VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL IN[3]
DCL SV[0], VERTEXID
DCL CONST[0..1]
DCL CONST[3][0..2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
DCL OUT[3], GENERIC[2]
DCL OUT[4], GENERIC[3]
DCL TEMP[0..2]
DCL ADDR[0]
IMM[0] UINT32 {1, 0, 0, 0}
MUL OUT[0], IN[0], CONST[0]
IMAX TEMP[0], IN[1], IN[1]
MOV OUT[1], TEMP[0]
MOV TEMP[1], IN[2]
UDIV TEMP[2], TEMP[1], SV[0].xxxx
MOV OUT[2], TEMP[2]
UARL ADDR[0].x, IMM[0].xxxx
ADD OUT[3].x, IN[3].xxxx, CONST[3][ADDR[0].x].yyyy
AND OUT[3].y, IN[3].xxxx, IMM[0].xxxx
MOV OUT[4], CONST[1]
END
'''


def warned(register, text):
    path = c.write('types.tgsi', TYPES)
    done = c.run('eval', path, '--vectors', '-', '--const', '0:0=1.0,1.0,1.0,1.0', '--const', '3:2=0.0', '--const', '0:1=0.0', stdin=f'{register}={text}\n')
    return [line for line in done.stderr.decode().splitlines() if 'warning' in line]


def doubts():
    """What the shader takes a component for decides what is said of a spelling, never what it means."""
    findings = []
    number = '{} is the float {}, and {} takes its bits 0x{:08x} for an integer: integers are written 3i, -3i or 3u'
    for register, name, kind in (('IN[0]', 'IN[0].x', 'f'), ('CONST[0]', 'CONST[0].x', 'f'), ('IN[1]', 'IN[1].x', 'i'), ('IN[2]', 'IN[2].x', 'i'), ('SV[0]', 'SV[0].x', 'i'),
                                 ('CONST[3][0]', 'CONST[3][0].y', 'f'), ('CONST[3][2]', 'CONST[3][2].y', 'f'), ('IN[3]', 'IN[3].x', ''), ('CONST[1]', 'CONST[1].x', 'f')):
        first = '0,' if name.endswith('y') else ''
        for text in ('0x3', '00000003', '3i', '0', '-3', '1.5', '-0.0', 'bf800000', '0x3f800000'):
            have, wanted = warned(register, first + text), []
            column = len(register) + 2 + len(first)
            if kind == 'i' and text in ('-3', '1.5', '-0.0'):
                value = float(text)
                wanted = [f'<stdin>:1:{column}: warning 6531: ' + number.format(text, value, name, bits_of(text))]
            if have != wanted:
                findings.append(f'{register}={first}{text}: {have}, not {wanted}')
    path = c.write('types.tgsi', TYPES)
    # Once for each register; they can be turned off, and are errors by -Werror.
    call = ('eval', path, '--vectors', '-', '--const', '0:0=1.0', '--const', '3:2=0.0', '--const', '0:1=0.0')
    lines = 'IN[0]=3.0,4.0,1.5\tIN[1]=1.5\nIN[0]=3.0,4.0\tIN[1]=2.5\n'
    done = c.run(*call, stdin=lines)
    if done.stderr.count(b'warning') != 1:
        findings.append(f'not once: {done.stderr}')
    for options, code in ((('-Wno-6531',), c.YES), (('-Wno-FLOAT_FOR_INTEGER',), c.YES), (('-q',), c.YES), (('-q', '-Werror'), c.NO)):
        done = c.run(*call, *options, stdin=lines)
        if done.returncode != code or b'653' in done.stderr:
            findings.append(f'{options}: {done}')
    integers = c.write('integers.tgsi', 'FRAG\nDCL CONST[0]\nDCL CONST[2][0..1]\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nUADD OUT[0], CONST[0], CONST[2][1]\nADD OUT[1], CONST[2][0], CONST[2][0]\nEND\n')
    said = '--const: warning 6531: {} is the float {}, and CONST[{}][{}].{} takes its bits 0x{:08x} for an integer: integers are written 3i, -3i or 3u\n'
    findings += c.says(c.YES, None, said.format('3', '3.0', 0, 0, 'x', 0x40400000) + said.format('1.5', '1.5', 2, 1, 'y', 0x3fc00000), 'eval', integers, '--vectors', '-',
                       '--const', '0:0=3,3i,0x3', '--const', '2:1=0,1.5', '--const', '2:0=3', stdin='\n')
    return findings


def typed_outputs():
    """dec and JSON print integers where the program writes integers."""
    path = c.write('types.tgsi', TYPES)
    call = ('eval', path, '--vectors', '-', '--const', '0:0=1.0,1.0,1.0,1.0', '--const', '3:2=0.0', '--const', '0:1=0.5,inf,nan(0x12)')
    line = 'IN[0]=1.5,-2.25,inf\tIN[1]=-3i,4i\tIN[2]=9u,0xa\tSV[0]=2u\tIN[3]=0.5\n'
    wanted = 'OUT[0]=1.5,-2.25,inf,0.0\tOUT[1]=-3i,4i,0i,0i\tOUT[2]=4u,5u,0u,0u\tOUT[3]=0.5,0u,0.0,0.0\tOUT[4]=0.5,inf,nan(0x12),0.0\n'
    findings = c.says(c.YES, wanted, '', *call, '--floats', 'dec', stdin=line)
    done = c.run(*call, '--json', stdin='# a comment\n' + line + '\n')
    told = json.loads(done.stdout)
    if told['schema'] != 'scheelite-eval/1' or not told['complete'] or told['file'] != path or [i['line'] for i in told['invocations']] != [2, 3]:
        findings.append(f'JSON: {told}')
    outputs = told['invocations'][0]['outputs']
    have = [(o['register'], o['semantic'], o['bits'][0], o['values'], o['types'][:2]) for o in outputs]
    expected = [('OUT[0]', 'POSITION', '0x3fc00000', [1.5, -2.25, 'inf', 0.0], ['float', 'float']), ('OUT[1]', 'GENERIC', '0xfffffffd', [-3, 4, 0, 0], ['int', 'int']),
                ('OUT[2]', 'GENERIC', '0x00000004', [4, 5, 0, 0], ['uint', 'uint']), ('OUT[3]', 'GENERIC', '0x3f000000', [0.5, 0, 0.0, 0.0], ['float', 'uint']),
                ('OUT[4]', 'GENERIC', '0x3f000000', [0.5, 'inf', 'nan(0x12)', 0.0], ['float', 'float'])]
    if have != expected:
        findings.append(f'JSON: {have}, not {expected}')
    # A document is whole where a line is wrong.
    done = c.run(*call, '--json', stdin=line + 'x\n')
    if done.returncode != c.NO or json.loads(done.stdout)['complete']:
        findings.append(f'JSON of a wrong line: {done}')
    killed = c.write('killed.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nKILL_IF IN[0].xxxx\nMOV OUT[0], IN[0]\nEND\n')
    told = json.loads(c.run('eval', killed, '--vectors', '-', '--json', stdin='IN[0]=-1.0\nIN[0]=1.0\n').stdout)
    if [(i['killed'], 'outputs' in i) for i in told['invocations']] != [(True, False), (False, True)]:
        findings.append(f'JSON of a killed one: {told}')
    return findings + c.exit_is(c.USAGE, 'eval', path, '--vectors', '-', '--floats', 'decimal', err='--floats is hex, dec or both, not decimal')


tap.run([('spellings', spellings), ('decimals', decimals), ('doubts', doubts), ('typed outputs', typed_outputs)])
