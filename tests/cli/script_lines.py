#!/usr/bin/env python3
"""What scripts of shader tests say: words and numbers against Python's own reading of them, conditions against a Python
expression, lines that are right and lines that are not, with their places."""
import math
import random
import re
import struct

import command as c
import tap
from scripting import COLOR, gives, run

DRAWN = COLOR + '[test]\n'


def passes(lines):
    """Findings: lines of [test], each with one probe, all of which pass."""
    text = DRAWN + '\n'.join(lines) + '\n'
    count = sum(line.count('probe') for line in lines)
    code, out, err = run(text)
    if (code, err) == (c.YES, '') and out == [f'{count} passed, 0 failed, 0 skipped']:
        return []
    return [f'{out[:4]} {err[:200]}, not {count} passes of {lines[:3]}']


def hexadecimal(data):
    return ', '.join(f'0x{w:x}' for w in struct.unpack(f'<{len(data) // 4}I', data))


def numbers():
    """uniform TYPE TEXT: the words that Python makes of the text."""
    rows = []
    for text in ('0', '1', '+1', '-1', '1.5', '.5', '5.', '1e3', '1E-3', '1e+2', '-0', '0x10', '0x1p-3', '0x1P+4', '3.4028235e38',
                 '1e39', '-1e39', '1e-45', '1e-60', 'inf', '-inf', '16777217', '0.1', '123456789.125'):
        value = float.fromhex(text) if 'x' in text else float(text)
        if math.isinf(value) or abs(value) > 3.5e38:
            single = struct.pack('<f', math.copysign(math.inf, value))
        else:
            single = struct.pack('<f', value)
        rows += [('float', text, single), ('double', text, struct.pack('<d', value))]
    for text in ('0', '7', '+7', '-7', '0x7fffffff', '0X80000000', '4294967295', '-2147483648', '-0x10', '08', '-0', '0xAbCdEf09'):
        value = int(text, 16) if 'x' in text.lower() else int(text, 10)
        for kind in ('int', 'uint'):
            rows.append((kind, text, struct.pack('<I', value & 0xffffffff)))
        for kind in ('int64_t', 'uint64_t'):
            rows.append((kind, text, struct.pack('<Q', value & (1 << 64) - 1)))
    for text in ('18446744073709551615', '-9223372036854775808', '0xfedcba9876543210', '4294967296', '-2147483649'):
        value = int(text, 0) & (1 << 64) - 1
        rows += [('int64_t', text, struct.pack('<Q', value)), ('uint64_t', text, struct.pack('<Q', value))]
    lines = []
    for kind, text, data in rows:
        lines += [f'uniform 0 {kind} {text}', 'draw quad', f'probe (0, 0) u32({hexadecimal(data)})']
    return passes(lines)


def no_numbers():
    """What is no number of its type is refused where it stands."""
    findings = []
    for kind, texts in (('float', ('x', '1.5x', '--1', '1e', '0x', '1..2', '+', '1' * 64)), ('double', ('y', '1.5x', '1' * 64)),
                        ('int', ('1.5', '4294967296', '-2147483649', '0x', '0xg', '12a', '+-1', '-', '0x100000000')),
                        ('uint', ('1.0', '-2147483649', '4294967296', 'e')),
                        ('int64_t', ('1.5', '18446744073709551616', '-9223372036854775809', '0x10000000000000000', '-')),
                        ('uint64_t', ('x', '18446744073709551616', '-9223372036854775809', '1.'))):
        for text in texts:
            code, out, err = run(DRAWN + f'uniform 0 {kind} {text}\n')
            place = f':8:{len(f"uniform 0 {kind} ") + 1}: error 1182: 1 values of type {kind} follow'
            if code != c.NO or out or place not in err:
                findings.append(f'{kind} {text}: {code} {out} {err[:160]}, not {place}')
    # As long as a number may be.
    return findings + passes([f'uniform 0 float {"0" * 62}1', 'draw quad', 'probe (0, 0) f32(1)',
                              f'uniform 0 uint {"0" * 62}7', 'draw quad', 'probe (0, 0) u32(7)'])


def uniforms():
    """Every type with every count; what is left out is zero; offsets; the last words that there are."""
    formats = {'float': '<f', 'int': '<i', 'uint': '<I', 'double': '<d', 'int64_t': '<q', 'uint64_t': '<Q'}
    findings = []
    wide = COLOR.replace('DCL CONST[0]', 'DCL CONST[0..4095]')

    def read_back(offset, data):
        """Whole registers from word `offset` on."""
        register, lines = offset // 4, []
        padded = struct.pack('<I', 0x7f7f7f7f) * (offset % 4) + data
        for n in range(0, len(padded), 16):
            words = hexadecimal(padded[n:n + 16])
            lines.append((register + n // 16, words))
        return lines

    for kind, form in formats.items():
        for count in range(5):
            values = [3 * i + 1 for i in range(count or 1)]
            for given in (len(values), 1):
                data = b''.join(struct.pack(form, v if i < given else 0) for i, v in enumerate(values))
                for offset in (0, 5, 16376):
                    line = f'uniform {offset} {kind}{count or ""} ' + ' '.join(map(str, values[:given])) + '\n'
                    for register, words in read_back(offset, data):
                        text = wide.replace('MOV OUT[0], CONST[0]', f'MOV OUT[0], CONST[{register}]')
                        findings += gives(text + '[test]\n' + line + f'draw quad\nprobe (0, 0) u32({words})\n', c.YES,
                                          '1 passed, 0 failed, 0 skipped') if given == 1 or offset == 5 else []
    # Numbers too many are passed over, as real scripts have them.
    return findings + passes(['uniform 0 float 1 2 3 4', 'draw quad', 'probe (0, 0) f32(1)', 'uniform 0 float2 1 2 3 % comment', 'draw quad', 'probe (0, 0) f32(1, 2)'])


TAGS = ('msl', 'vulkan', 'mvk', 'x_1')


def condition(generator, depth):
    """A condition, and a function of the model that says whether it holds."""
    kind = generator.randrange(6 if depth else 3)
    if kind == 0:
        sign, major, minor = generator.choice(['<', '<=', '==', '!=', '>=', '>']), generator.choice([3, 4, 4, 5, 5, 6]), generator.choice([0, 1])
        version = f'{major}.{minor}' if minor or generator.randrange(2) else f'{major}'
        spaces = generator.choice(['', ' '])
        return f'sm{spaces}{sign}{spaces}{version}', lambda m: eval(f'{m}{sign}{major * 10 + minor}')
    if kind == 1:
        return generator.choice(TAGS), lambda m: False
    if kind == 2:
        return f'{generator.choice(TAGS)}{generator.choice(["<", ">=", "=="])}1.2.{generator.randrange(9)}', lambda m: False
    first, one = condition(generator, depth - 1)
    if kind == 3:
        # A term: parentheses, or a word.
        return f'!({first})', lambda m: not one(m)
    second, two = condition(generator, depth - 1)
    if kind == 4:
        return f'({first}) & ({second})', lambda m: one(m) and two(m)
    return f'({first})|({second})', lambda m: one(m) or two(m)


def conditions():
    """Random ones at each model."""
    generator, findings = random.Random(5), []
    written = [condition(generator, 3) for _ in range(150)]
    # & binds tighter than |.
    for text, holds in (('msl & msl | sm>=4', True), ('sm>=4 | msl & msl', True), ('msl | sm>=4 & msl', False), ('!msl & !msl', True),
                        ('!msl | msl & sm<4', True), ('! ! sm>=4', True), ('sm>=4.', None), ('sm>=', None), ('sm', None), ('sm 4', None),
                        ('', None), ('!', None), ('(sm>=4', None), ('sm>=4 &', None), ('sm>=4 |', None), ('& sm>=4', None),
                        ('sm>=4 msl', None), ('msl<', None), ('msl<x', None), ('!msl<', None), ('(msl', None), ('()', None), ('sm>=4 & |', None),
                        ('sm<5.10', True), ('sm>=3.10', True), ('sm<999999999999999', True), ('sm<4294967297', True),
                        ('sm>=0.50', True), ('sm<=5.0.7.', None), ('!' * 16 + 'sm>=4', True), ('!' * 17 + 'sm>=4', None), ('!' * 15 + 'sm>=4', False),
                        ('(' * 16 + 'sm>=4' + ')' * 16, True), ('(' * 17 + 'sm>=4' + ')' * 17, None)):
        if holds is None:
            code, out, err = run(DRAWN + f'if({text}) draw quad\n')
            if code != c.NO or out or ':8:3: error 1183: this is not a condition' not in err:
                findings.append(f'{text}: {code} {out} {err[:160]}')
        else:
            written.append((text, lambda m, holds=holds: holds))
    # What follows the minor number is passed over.
    written += [('sm==5.0.7', lambda m: m == 50), ('sm<5.0.7.9', lambda m: m < 50), ('sm>4.0.9', lambda m: m > 40)]
    written += [('sm<4.10', lambda m: m < 49), ('sm==4.10', lambda m: False), ('sm==4.9', lambda m: False), ('sm!=4.11', lambda m: True), ('sm>=4.10', lambda m: m >= 49)]  # no model is 4.10; it lies behind 4.1
    for model, option in ((50, '5.0'), (41, '4.1'), (40, '4.0')):
        lines = ''.join(f'if({text}) probe (0, 0) f32({1 if holds(model) else 9})\n' for text, holds in written)
        count = sum(bool(holds(model)) for _, holds in written)
        findings += gives(DRAWN + 'uniform 0 float 1\ndraw quad\n' + lines, c.YES, f'{count} passed, 0 failed, 0 skipped',
                          options=('--model', option))
    return findings


def prefixes():
    """Marks change nothing but the words of a failure; if passes a line over; four of them, and no more."""
    mark = ' (the script marks it todo or bug)'
    rows = [('', True, ''), ('todo ', True, mark), ('bug ', True, mark), ('todo(sm<4) ', True, ''), ('bug(sm>=4) ', True, mark),
            ('todo(msl) bug ', True, mark), ('if(sm>=4) ', True, ''), ('if(sm<4) ', False, ''), ('if(sm>=4) todo ', True, mark),
            ('if(sm>=4) if(sm<4) ', False, ''), ('todo if(sm>=4) if(msl) bug ', False, ''), ('todo(!msl)', True, mark),
            ('todo(msl) bug(msl) if(!msl) if(sm>3) ', True, ''), ('bug(msl) todo(!(msl | sm<4)) ', True, mark)]
    findings = []
    for text, runs, said in rows:
        line = DRAWN + f'uniform 0 float 1\ndraw quad\n{text}probe (0, 0) f32(2)\n'
        findings += gives(line, c.NO if runs else c.YES, *([f'10: failed: (0, 0) is (1), not (2){said}'] if runs else []),
                          f'0 passed, {int(runs)} failed, 0 skipped')
    for text, column, message in (('todo todo todo todo todo draw quad', 25, 'more than 4 of todo, bug, if, fail and notimpl'),
                                  ('todo() draw quad', 5, 'this is not a condition'), ('if( draw quad', 3, 'this is not a condition'),
                                  ('fail draw quad', 1, 'no line of [test] begins here'), ('notimpl draw quad', 1, 'no line of [test]'),
                                  ('todox draw quad', 1, 'no line of [test]'), ('todo', 5, 'no line of [test]')):
        code, out, err = run(DRAWN + text + '\n')
        if code != c.NO or out or f':8:{column}: error ' not in err or message not in err:
            findings.append(f'{text}: {code} {out} {err[:160]}')
    # Those of shaders.
    refused = 'FRAG\nBAD\nEND\n'
    for text, ends in (('fail', '1 passed, 0 failed'), ('fail(sm>=5)', '1 passed, 0 failed'), ('fail(sm<5)', '0 passed, 1 failed'),
                       ('todo(msl) fail notimpl bug', '1 passed, 0 failed'), ('notimpl', '0 passed, 1 failed'), ('', '0 passed, 1 failed'),
                       ('bug', '0 passed, 1 failed')):
        code, out, err = run(f'[pixel shader tgsi {text}]\n{refused}')
        wanted = mark if text in ('bug', 'notimpl') else ''
        if not out[-1].startswith(ends) or err or (ends[0] == '0' and not out[0].endswith("unknown opcode 'BAD'" + wanted) and
                                                   not out[0].endswith(wanted)) or (bool(wanted) != (mark in ''.join(out))):
            findings.append(f'[{text}]: {code} {out} {err[:100]}')
    return findings


RIGHT = '''draw triangle list 3
draw triangle strip 4
draw point list 1
draw line list 2
draw line strip 2 7
draw triangle list 3 2
draw 32 control point patch list 32
draw 1 control point patch list 1
dispatch 0 0 0
dispatch 65535 64 1
dispatch 4 1024 1024
clear rtv 0 1 2 3 4
clear rtv 7 -1.5 nan inf 0x1p2
clear dsv 0.5
copy rtv 0 rtv 1
copy dsv srv 127
copy uav 127 vb 3
copy render target 1 rtv 0
sample mask 0xffffffff
sample mask 0
depth less
depth not equal
depth  greater   equal
depth always % always
viewport 15 (0.0, -1, 3 4.5)
viewport 0(0,0,0,0)% none
depth-bounds 0.0 1.0
alpha test greater 0.5
alpha test  not  equal -1e3
alpha test always
alpha test never 1
clip-plane 7 1 -2 3.5 0
fog mode
shade mode flat
shade mode linear
point-size 3 1 64
point-size-min 3
point-sprite on
point-sprite off
uniform cb 13 16376 float 1
uniform 0 float4 1.0
probe (0,0)rgba(1,2,3,4)
probe (0, 0) rgba (1, 2, 3, 4) 7;
probe rtv 7 (1, 2, 3) f32 1.5
probe uav 127 (5) u64(18446744073709551615) 4294967295
probe dsv (0, 0, 1, 1) f32(1)
probe srv 0 (268435455) i32 -1
probe render target 3 (0, 0) u32(1)
\tdraw\tquad # a comment
draw quad%comment
'''.splitlines()
# Line, column, number, a part of the message.
WRONG = '''draw quadx|6|1181|quad, triangle list
draw triangle list|19|1182|a number of vertices follows
draw triangle list x|20|1182|a number of vertices follows
draw triangle list 4294967296|20|1182|a number of vertices follows
draw 33 control point patch list 3|6|1181|N control point patch list
draw 3 control point list 3|7|1181|N control point patch list
draw line 3|6|1181|quad, triangle list
draw quad 3|11|1181|something follows
draw triangle list 3 2 1|24|1181|something follows
dispatch 1 1|13|1182|three numbers up to 65535
dispatch 65536 1 1|10|1182|three numbers up to 65535
dispatch 4 1024 1025|21|1182|more than 4194304 work groups
dispatch 1 1 1 1|16|1181|something follows
dispatch -1 1 1|10|1182|three numbers up to 65535
clear rtv 8 1 1 1 1|11|1182|slots are 0 to 7
clear srv 0 1 1 1 1|12|1181|rtv N or dsv follows clear
clear uav 0 1 1 1 1|12|1181|rtv N or dsv follows clear
clear 1 1 1 1|7|1181|rtv N or dsv follows clear
clear rtv 0 1 2 3|18|1182|clear rtv N takes four numbers
clear dsv|10|1182|clear dsv one
clear dsv 1 2|13|1181|something follows
copy rtv 0|11|1181|two resources follow copy
copy rtv 0 rtv 9|16|1182|slots are 0 to 7
copy srv 128 rtv 0|10|1182|slots are 0 to 127
copy vb x rtv 0|9|1182|slots are 0 to 127
copy rtv 0 rtv 1 rtv 2|18|1181|something follows
sample mask|12|1182|a number follows sample mask
sample mask 4294967296|13|1182|a number follows sample mask
sample mask -1|13|1182|a number follows sample mask
depth|6|1181|always follows depth
viewport 16 (0, 0, 1, 1)|10|1182|viewports are 0 to 15
viewport 1 2 3 4|12|1182|(X, Y, WIDTH, HEIGHT) follows
viewport 1 (1, 2, 3)|20|1182|(X, Y, WIDTH, HEIGHT) follows
viewport 1 (1, 2, inf, 3)|22|1182|(X, Y, WIDTH, HEIGHT) follows
viewport 1 (1, 2, -1, 3)|25|1182|width and height are not negative
viewport 1 (1, 2, 1, 3) 4|25|1181|something follows
depth-bounds 1|15|1182|two numbers follow
depth-bounds 0 nan|19|1182|two numbers follow
alpha test|11|1181|always follows alpha test
alpha test 0.5|11|1181|always follows alpha test
alpha test less|16|1182|a number follows
alpha test always x|19|1182|a number follows
clip-plane 8 1 2 3 4|12|1182|clip planes are 0 to 7
clip-plane 0 1 2 3|19|1182|four numbers follow
point-size 3|13|1182|a size, the least and the greatest
point-sprite|13|1181|on or off follows
shade mode gouraud|11|1181|flat or linear follows
depth maybe|7|1181|always follows depth
depth less less|12|1181|something follows
uniform 16377 float 1|9|1182|uniforms begin at word 0 to 16376
uniform -1 float 1|9|1182|uniforms begin at word 0 to 16376
uniform cb 14 0 float 1|12|1182|constant buffers are 0 to 13
uniform cb 0 float 1|14|1182|uniforms begin at word
uniform 0 float5 1|10|1181|no type of a uniform
uniform 0 float0 1|10|1181|no type of a uniform
uniform 0 half 1|10|1181|no type of a uniform
uniform 0 float2 x|18|1182|2 values of type float follow
uniform 0 int2 1 1.5|18|1182|2 values of type int follow
uniform 0 float 1 x|19|1181|something follows
probe 0, 0 f32(1)|7|1181|a probe's place is in parentheses
probe (0, 0|12|1181|) ends a probe's place
probe (0, 0 1) f32(1)|13|1181|) ends a probe's place
probe (0, 0, 0, 0, 0) f32(1)|19|1182|1 to 4 numbers up to 268435456 say where
probe (268435457) f32(1)|8|1182|1 to 4 numbers up to 268435456 say where
probe (-1) f32(1)|8|1182|1 to 4 numbers up to
probe () f32(1)|8|1182|1 to 4 numbers up to
probe (1, 1, 1, 2) f32(1)|19|1182|the rectangle is empty
probe (1, 1, 2, 1) f32(1)|19|1182|the rectangle is empty
probe (2, 1, 1, 2) f32(1)|19|1182|the rectangle is empty
probe (0, 0) f16(1)|13|1181|expected rgba, f32, u32, i32, f64, u64 or i64
probe (0, 0) rgba(1, 2|23|1181|) ends a probe's values
probe (0, 0) rgba(1, 2, 3, 4, 5)|30|1181|a probe has 1 to 4 values
probe (0, 0) rgba()|19|1182|no value of type rgba
probe (0, 0) rgba|18|1182|no value of type rgba
probe (0, 0) u32(1.5)|18|1182|no value of type u32
probe (0, 0) i64(1, x)|21|1182|no value of type i64
probe (0, 0) f64(x)|18|1182|no value of type f64
probe (0, 0) f32(1) x|21|1181|something follows
probe (0, 0) f32(1) 1 ; x|25|1181|something follows
probe (0, 0) f32 1, 2|19|1181|something follows
probe rtv 8 (0, 0) f32(1)|11|1182|slots are 0 to 7
fly|1|1181|no line of [test] begins here
sample masks 1|1|1181|no line of [test] begins here
drawquad|1|1181|no line of [test] begins here'''.splitlines()


def lines_of_tests():
    findings = []
    for line in RIGHT:
        code, out, err = run('[test]\n' + line + '\n')
        if err or code not in (c.YES, c.NO) or not out:
            findings.append(f'{line}: {code} {out} {err[:160]}')
    for row in WRONG:
        line, column, number, message = row.rsplit('|', 3)
        code, out, err = run('[test]\n' + line + '\n')
        if code != c.NO or out or f':2:{column}: error {number}: ' not in err or message not in err or err.count('error') != 1 + ('slots are' in message):
            findings.append(f'{row}: {code} {out} {err[:160]}')
    return findings


# What stands in a section: right ones, then wrong ones with line, column, number and a part of the message.
SECTIONS_RIGHT = ('[require]\nshader model >= 4.0\nshader model < 6.0\n', '[require]\noptions: anything row-major x\n', '[require]\nfloat64\nrov\n',
                  '[require]\nformat r32-float uav-load\n', '[require]\ntessellation-shader\ngeometry-shader\nrt-vp-array-index\n',
                  '[require]\nint64\n', '[require]\nformat R8G8B8A8_UNORM  uav-load % x\n',
                  '[sampler 15]\nfilter point linear point\naddress wrap clamp mirror\naddress mirror_once border wrap\ncomparison greater equal\n',
                  '[sampler 0]\nlod bias -1.5\nlod clamp 0 3 # x\n', '[input layout]\n0 r32g32-float position\n31 r8g8b8a8-unorm sv_x 7 # x\n', '[effect]\nanything\n',
                  '[srv 127]\nsize (2d, 16384, 1)\n', '[rtv 7]\nsize (2d, 1, 1)\n', '[dsv]\nformat r32-float\nsize (2d, 3, 3)\n',
                  '[vb 0]\n1 2 3 4 5 6\n', '[srv 0]\nstride 2048\nsize (buffer, 3)\n', '[srv 0]\nsize (2d, 4, 4)\nlevels 3\n',
                  '[srv 0]\nsize (3d, 1, 1, 16)\nlevels 5\n', '[srv 0]\nsize (raw_buffer, 67108864)\n', '[srv 0]\nsize (1d, 16384)\nlevels 15\n',
                  '% comment\n\n[test]\n% comment\n\n', '[srv 0]\nformat r32-float\nsize (2d, 2, 2)\n1, 2, 3 4\n', '[srv 0]\nsize (2dms, 16, 2, 2)\n',
                  '[hull shader]\nx\n[domain shader]\nx\n', '[srv 0]\nsize (buffer, 3)\noffset 2\n', '[vertex shader hlsl]\nx\n',
                  '[srv 0]\nformat r8g8b8x8-unorm\nsize (2d, 1, 1)\n', '[srv 0]\nformat R8G8B8x8_UNORM\nsize (2d, 1, 1)\n')
SECTIONS_WRONG = (('[tset]\n', 1, 2, 1180, 'no section that scripts have'), ('[test\n', 1, 6, 1180, '] is missing'),
                  ('[test x]\n', 1, 7, 1180, '] is missing'), ('[test] x\n', 1, 8, 1180, "something follows the section's ]"),
                  ('[effect]\n[pixel  shader tgsi xx]\n', 2, 21, 1180, '] is missing'), ('% x\n[test]\n[foo]\n', 3, 2, 1180, 'no section'),
                  ('[require]\nshader model = 5.0\n', 2, 13, 1181, 'shader model is followed by >= or < and a model, such as 5.0'),
                  ('[require]\nshader model >= 50\n', 2, 17, 1181, 'such as 5.0'), ('[require]\nshader model >= 5\n', 2, 17, 1181, 'such as 5.0'),
                  ('[require]\nshader model >= 0.0\n', 2, 17, 1181, 'such as 5.0'), ('[require]\nshader model >= :.0\n', 2, 17, 1181, 'such as 5.0'),
                  ('[require]\nshader model >= 5./\n', 2, 17, 1181, 'such as 5.0'), ('[require]\nshader model >= 5.:\n', 2, 17, 1181, 'such as 5.0'),
                  ('[require]\nshader model < \n', 2, 16, 1181, 'such as 5.0'), ('[require]\nshader model >= 5.0 x\n', 2, 21, 1181, 'something follows'),
                  ('[require]\nformat r32-float\n', 2, 17, 1181, 'no requirement that scripts have'),
                  ('[require]\nformat r32-float uav-store\n', 2, 18, 1181, 'no requirement'), ('[require]\nfloat32\n', 2, 1, 1181, 'no requirement'),
                  ('[require]\nfloat64 x\n', 2, 9, 1181, 'something follows'), ('[require]\nfog x\n', 2, 5, 1181, 'something follows'),
                  ('[sampler]\n', 1, 9, 1182, 'samplers are 0 to 15'), ('[sampler 16]\n', 1, 10, 1182, 'samplers are 0 to 15'),
                  ('[sampler x]\n', 1, 10, 1182, 'samplers are 0 to 15'), ('[sampler 0]\nfilter point point\n', 2, 19, 1181, 'three of point and linear'),
                  ('[sampler 0]\nfilter point point point x\n', 2, 26, 1181, 'something follows'),
                  ('[sampler 0]\naddress wrap wrap\n', 2, 18, 1181, 'three of wrap, clamp'), ('[sampler 0]\naddress wrap wrap wrapx\n', 2, 18, 1181, 'three of'),
                  ('[sampler 0]\ncomparison\n', 2, 11, 1181, 'comparison is followed'), ('[sampler 0]\ncomparison x\n', 2, 12, 1181, 'comparison is followed'),
                  ('[sampler 0]\nlod bias\n', 2, 9, 1182, 'a number follows lod bias'), ('[sampler 0]\nlod bias x\n', 2, 10, 1182, 'a number follows lod bias'),
                  ('[sampler 0]\nlod clamp 1 x\n', 2, 13, 1182, 'the least and the greatest'), ('[sampler 0]\nlod clamp 1 2 3\n', 2, 15, 1181, 'something follows'),
                  ('[rtv 8]\n', 1, 6, 1182, 'slots are 0 to 7'), ('[srv 128]\n', 1, 6, 1182, 'slots are 0 to 127'), ('[vb 128]\n', 1, 5, 1182, 'slots are 0 to 127'),
                  ('[srv 0]\nformat\nsize (2d, 1, 1)\n', 2, 7, 1184, 'no format that scripts have'),
                  ('[srv 0]\nformat r33-unorm\n', 2, 8, 1184, 'no format that scripts have'), ('[srv 0]\nformat %\n', 2, 8, 1184, 'no format that'),
                  ('[srv 0]\nformat ' + 'r' * 63 + '\n', 2, 8, 1184, 'no format that'), ('[srv 0]\nformat ' + 'r' * 64 + '\n', 2, 8, 1184, 'no format that'),
                  ('[srv 0]\nformat r32-float x\n', 2, 18, 1181, 'something follows'), ('[srv 0]\nsize 2d, 1, 1)\n', 2, 6, 1181, '( follows size'),
                  ('[srv 0]\nsize (4d, 1)\n', 2, 7, 1184, 'no shape that scripts have'), ('[srv 0]\nsize (2d 1, 1)\n', 2, 10, 1181, '2 numbers follow 2d, commas between'),
                  ('[srv 0]\nsize (2d, 0, 1)\n', 2, 12, 1182, 'sizes are 1 to 16384'), ('[srv 0]\nsize (2d, 1, 16385)\n', 2, 14, 1182, 'sizes are 1 to 16384'),
                  ('[srv 0]\nsize (buffer, 67108865)\n', 2, 15, 1182, 'sizes are 1 to 67108864'), ('[srv 0]\nsize (cube, 16385)\n', 2, 13, 1182, 'sizes are 1 to 16384'),
                  ('[srv 0]\nsize (2d, 1, 1\n', 2, 15, 1181, ') ends a size'), ('[srv 0]\nsize (2d, 1, 1) x\n', 2, 17, 1181, 'something follows'),
                  ('[srv 0]\nstride 0\n', 2, 9, 1182, 'strides are 1 to 2048'), ('[srv 0]\nstride 2049\n', 2, 8, 1182, 'strides are 1 to 2048'),
                  ('[srv 0]\nlevels 0\n', 2, 9, 1182, 'levels are 1 to 15'), ('[srv 0]\nlevels 16\n', 2, 8, 1182, 'levels are 1 to 15'),
                  ('[srv 0]\nlevels 1 1\n', 2, 10, 1181, 'something follows'), ('[srv 0]\noffset 268435457\n', 2, 8, 1182, 'an element follows offset'),
                  ('[srv 0]\n1 2 x\n', 2, 5, 1181, 'offset or numbers'), ('[srv 0]\nformat r32-sint\n1 2.5\n', 3, 3, 1181, 'offset or integers of 32 bits'),
                  ('[srv 0]\n1\n', 1, 1, 1184, 'the resource has no size'), ('[srv 0]\nsize (2d, 4, 4)\nlevels 4\n', 1, 1, 1184, 'so many levels'),
                  ('[srv 0]\nsize (2dms, 4, 4, 4)\nlevels 2\n', 1, 1, 1184, 'so many levels'), ('[srv 0]\nsize (buffer, 8)\nlevels 2\n', 1, 1, 1184, 'so many levels'),
                  ('[srv 0]\nstride 4\nsize (raw_buffer, 8)\n', 1, 1, 1184, 'only buffers have a stride'),
                  ('[srv 0]\nformat unknown\nsize (buffer, 8)\n', 1, 1, 1184, 'without a format there is a stride'),
                  ('[srv 0]\nsize (buffer, 8)\noffset 8\n', 1, 1, 1184, 'offset is an element of a buffer'),
                  ('[srv 0]\nsize (counter_buffer, 8)\noffset 1\n', 1, 1, 1184, 'offset is an element of a buffer'),
                  ('[dsv]\nsize (2d, 2, 2)\nformat r32-sint\n', 1, 1, 1184, 'a depth buffer is of r32-float'),
                  ('[dsv]\nsize (2d, 2, 2)\nformat r32g32-float\n', 1, 1, 1184, 'a depth buffer is of r32-float'),
                  ('[srv 0]\nsize (2dms, 6, 2, 2)\n', 1, 1, 1184, 'samples are 1, 2, 4, 8 or 16'), ('[srv 0]\nsize (2dms, 32, 2, 2)\n', 1, 1, 1184, 'samples are'),
                  ('[dsv]\nsize (raw_buffer, 2)\n', 1, 1, 1184, 'only srv and uav are buffers'), ('[rtv 0]\nsize (buffer, 2)\n', 1, 1, 1184, 'only srv and uav'),
                  ('[srv 0]\nsize (2d, 4097, 4096)\n', 1, 1, 1184, 'larger than 256 MiB'), ('[srv 0]\nsize (2d, 2, 2)\n' + '1 ' * 17, 1, 1, 1184, 'more numbers follow'),
                  ('[srv 0]\nstride 2048\nsize (buffer, 131073)\n', 1, 1, 1184, 'larger than 256 MiB'), ('[srv 0]\nsize (counter_buffer, 2)\n1 2 3\n', 1, 1, 1184, 'more numbers'),
                  ('[effect]\n[srv 0]\nsize (cube, 1)\n' + '1 ' * 25, 2, 1, 1184, 'more numbers'), ('[srv 0]\nsize (2darray, 2, 2, 2)\nlevels 2\n' + '1 ' * 41, 1, 1, 1184, 'more numbers'),
                  ('[srv 0]\nsize (3d, 2, 2, 2)\nlevels 2\n' + '1 ' * 37, 1, 1, 1184, 'more numbers'), ('[srv 0]\nsize (buffer, 3)\nstride 2\n1 2 3\n', 1, 1, 1184, 'more numbers'),
                  ('[srv 0]\nsize (2dms, 2, 1, 1)\n' + '1 ' * 9, 1, 1, 1184, 'more numbers'), ('[srv 0]\nsize (cubearray, 2, 2)\n' + '1 ' * 193, 1, 1, 1184, 'more numbers'),
                  ('[srv 0]\nsize (1darray, 3, 2)\nlevels 2\n' + '1 ' * 33, 1, 1, 1184, 'more numbers'), ('[srv 0]\nsize (raw_buffer, 2)\n1 2 3\n', 1, 1, 1184, 'more numbers'))
FULL = ('[srv 0]\nsize (2d, 2, 2)\n' + '1 ' * 16, '[srv 0]\nsize (counter_buffer, 2)\n1 2\n', '[srv 0]\nsize (cube, 1)\n' + '1 ' * 24,
        '[srv 0]\nsize (2darray, 2, 2, 2)\nlevels 2\n' + '1 ' * 40, '[srv 0]\nsize (3d, 2, 2, 2)\nlevels 2\n' + '1 ' * 36,
        '[srv 0]\nsize (buffer, 3)\nstride 2\n1 2\n', '[srv 0]\nsize (2dms, 2, 1, 1)\n' + '1 ' * 8, '[srv 0]\nsize (cubearray, 2, 2)\n' + '1 ' * 192,
        '[srv 0]\nsize (1darray, 3, 2)\nlevels 2\n' + '1 ' * 32, '[srv 0]\nsize (raw_buffer, 2)\n1 2\n', '[srv 0]\nformat r32-float\nsize (2d, 16, 16)\n' + '1 2 3 4 5 6 7 8\n' * 32)


def lines_of_sections():
    findings = []
    for text in SECTIONS_RIGHT + FULL:
        code, out, err = run(text)
        if err or code not in (c.YES, c.NO) or 'failed:' in ' '.join(out):
            findings.append(f'{text[:80]!r}: {code} {out} {err[:160]}')
    for text, line, column, number, message in SECTIONS_WRONG:
        code, out, err = run(text)
        if code != c.NO or out or f':{line}:{column}: error {number}: ' not in err or message not in err or err.count('error') != 1:
            findings.append(f'{text[:80]!r}: {code} {out} {err[:200]}, not {line}:{column} {number} {message}')
    return findings


def many_errors():
    """Twenty are shown; a section without errors of its own is checked at its end; zero bytes; what is no script."""
    code, out, err = run('[test]\n' + 'fly\n' * 30)
    findings = [] if code == c.NO and not out and err.count('error 1181') == 20 and ':21:1:' in err else [f'{code} {err[-200:]}']
    code, out, err = run('[test]\ndraw quad\0\n')
    findings += [] if code == c.NO and not out and 'a script is text, without zero bytes' in err else [f'{code} {err}']
    for text, script in (('[test]\n', True), ('% x\n\n\r\n[test]\n', True), ('%\n[Test]\n', True), ('[', False), ('[1.5] FRAG\nEND\n', False),
                         (' [test]\n', False), ('%', False), ('[@]\n', False), ('[{]\n', False), ('[a]\n', True), ('[z]\n', True), ('[Z]\n', True)):
        done = c.run('run', '-', stdin=text)
        said = done.stderr.decode()
        is_script = b' passed, ' in done.stdout or 'error 118' in said
        if is_script != script:
            findings.append(f'{text!r}: {done.stdout} {said[:100]}')
    code, out, err = run('[effect]\nx\n[test]\n')
    findings += [] if (code, out) == (c.YES, ['1: skipped: effects are not read', '0 passed, 0 failed, 1 skipped']) else [f'{out}']
    # More items than the list begins with room for.
    return findings + passes(['uniform 0 float 3', 'draw quad'] + ['probe (0, 0) f32(3)'] * 300)


def requirements():
    """Which model a [require] chooses, and what it says where there is none; it holds up to the next."""
    findings = []
    for lines, model in (('', '5.0'), ('shader model < 5.0', '4.1'), ('shader model < 5.1', '5.0'), ('shader model < 4.1', '4.0'),
                         ('shader model >= 4.1\nshader model < 5.0', '4.1'), ('shader model >= 5.0', '5.0'), ('shader model >= 4.0', '5.0')):
        probes = ''.join(f'if(sm=={m}) probe (0, 0) f32({1 if m == model else 9})\n' for m in ('4.0', '4.1', '5.0'))
        findings += gives(f'[require]\n{lines}\n' + DRAWN + 'uniform 0 float 1\ndraw quad\n' + probes, c.YES, '1 passed, 0 failed, 0 skipped')
    for lines, reason in (('shader model < 4.0', 'a shader model below 4.0'), ('shader model < 2.0', 'a shader model below 2.0'),
                          ('shader model >= 5.1', 'shader model 5.1'), ('shader model >= 6.5', 'shader model 6.5'), ('shader model >= 9.9', 'shader model 9.9'),
                          ('shader model < 1.0', 'a shader model below 1.0'), ('shader model < 1.9', 'a shader model below 1.9'), ('shader model < 3.9', 'a shader model below 3.9'), ('int64', 'int64'),
                          ('native-16-bit', 'native-16-bit'), ('fog', 'fog'), ('wave-ops', 'wave-ops'),
                          ('shader model >= 4.1\nshader model < 4.1', 'shader model 4.1')):
        text = f'[require]\n{lines}\n' + DRAWN + 'probe (0, 0) f32(1)\nprobe (0, 0) f32(1)\n[effect]\n[pixel shader tgsi todo]\nx\n[require]\n'
        findings += gives(text + DRAWN + 'uniform 0 float 1\ndraw quad\nprobe (0, 0) f32(1)\n', c.YES, f'1: skipped: requires {reason} (3 items)',
                          '1 passed, 0 failed, 3 skipped')
    # What nothing needs is not said.
    return findings + gives('[require]\nint64\n' + DRAWN + 'draw quad\n', c.YES, '0 passed, 0 failed, 0 skipped') + \
        gives('[require]\nshader model < 5.0\n' + DRAWN, c.YES, '0 passed, 0 failed, 0 skipped', options=('--model', '5.0'))


def texts_of_values():
    """How a failed probe says both values, of each type."""
    memory = '[uav 0]\nformat r32-typeless\nsize (raw_buffer, 4)\n'
    def buffer(form, values):
        return memory + ' '.join(hexadecimal(struct.pack(form, *values)).split(', ')) + '\n[test]\n'
    findings = []
    for form, values, kind, wanted, texts in (
            ('<4f', (0.1, -0.0, 1e30, 3), 'rgba', '(0.2, 0, 0, 0)', ('0.100000001, -0, 1.00000002e+30, 3', '0.200000003, 0, 0, 0')),
            ('<2f', (1 / 3, 7), 'f32', '(1, 2)', ('0.333333343, 7', '1, 2')), ('<2d', (0.1, -1e300), 'f64', '(0, 1)', ('0.10000000000000001, -1.0000000000000001e+300', '0, 1')),
            ('<2I', (0xfffffffe, 16), 'u32', '(1, 16)', ('0xfffffffe, 0x10', '0x1, 0x10')), ('<2i', (-5, 16), 'i32', '(5, 16)', ('-5, 16', '5, 16')),
            ('<2Q', (1 << 63, 16), 'u64', '(1, 16)', ('0x8000000000000000, 0x10', '0x1, 0x10')),
            ('<2q', (-1 << 63, 16), 'i64', '(1, 16)', ('-9223372036854775808, 16', '1, 16'))):
        code, out, err = run(buffer(form, values) + f'probe uav 0 (0) {kind}{wanted}\n')
        if not out or out[0] != f'6: failed: (0, 0) is ({texts[0]}), not ({texts[1]})':
            findings.append(f'{kind}: {out} {err[:200]}')
    return findings


def distances():
    """Units in the last place between random numbers, by exact arithmetic; integers by their difference."""
    generator, lines, findings = random.Random(3), [], []
    words = []
    def order(bits, width):
        sign = 1 << width - 1
        return -(bits & sign - 1) if bits & sign else bits
    # On both sides of zero, which is one number; integers are words.
    across = [(kind, a, b) for kind, sign in (('f32', 1 << 31), ('f64', 1 << 63), ('u32', 1 << 31), ('i64', 1 << 63)) for a, b in
              ((1, sign | 1), (sign | 3, 2), (sign, 5), (7, sign), (sign - 1 - (1 << 30), sign - 1 - (1 << 30) + 3))]
    for number in range(60 + len(across)):
        kind = generator.choice(['f32', 'f64', 'u32', 'i32', 'u64', 'i64'])
        width = 64 if '64' in kind else 32
        a = generator.getrandbits(width) if generator.randrange(3) else generator.choice([0, 1, (1 << width - 1), (1 << width - 1) + 2])
        b = (a + generator.randrange(-6, 7)) % (1 << width) if generator.randrange(4) else (1 << width - 1) ^ (a & 3)
        if number < len(across):
            kind, a, b = across[number]
            width = 64 if '64' in kind else 32
        if kind[0] == 'f':
            form = '<f' if width == 32 else '<d'
            if any(x != x or math.isinf(x) for x in (struct.unpack(form, v.to_bytes(width // 8, 'little'))[0] for v in (a, b))):
                continue
            distance = abs(order(a, width) - order(b, width))
            text = repr(struct.unpack(form, b.to_bytes(width // 8, 'little'))[0])
            if width == 32:
                text = '%.9g' % struct.unpack(form, b.to_bytes(4, 'little'))[0]
        else:
            distance = abs(a - b)  # of the words, whatever they mean
            text = str(b) if kind[0] == 'u' else str(b - (b >> width - 1 << width))
        if distance >= 1 << 32 or distance == 0:
            continue
        place = len(words) // (width // 32) + (len(words) % (width // 32))
        if width == 64 and len(words) % 2:
            words.append(0)
        words += [a & 0xffffffff] + ([a >> 32] if width == 64 else [])
        lines += [(f'probe uav 0 ({place}) {kind}({text}) {distance}', True), (f'probe uav 0 ({place}) {kind}({text}) {distance - 1}', False)]
    script = f'[uav 0]\nformat r32-typeless\nsize (raw_buffer, {len(words)})\n' + ' '.join(map(hex, words)) + '\n[test]\n' + \
        ''.join(line + '\n' for line, _ in lines)
    code, out, err = run(script)
    failed = {int(line.split(':')[0]) for line in out[:-1]}
    for n, (line, holds) in enumerate(lines, 6):
        if (n in failed) == holds:
            findings.append(f'{line}: {[o for o in out if o.startswith(str(n))]} {err[:100]}')
    return findings + ([] if len(lines) > 40 else [f'{len(lines)} lines'])


tap.run([('numbers', numbers), ('what is no number', no_numbers), ('uniforms', uniforms), ('conditions', conditions), ('prefixes', prefixes),
         ('lines of tests', lines_of_tests), ('lines of sections', lines_of_sections), ('many errors', many_errors),
         ('requirements', requirements), ('texts of values', texts_of_values), ('distances', distances)])
