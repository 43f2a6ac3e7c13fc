#!/usr/bin/env python3
"""What shaders of scripts look up: each axis and each filter of a sampler, comparisons, copies of what was drawn; and
what resources hold, layer by layer and level by level."""
import itertools

import command as c
import tap
from scripting import COLOR, gives

ONE = '[rtv 0]\nformat r32-float\nsize (2d, 1, 1)\n'


def lookup(target, instruction='TXL', kind='FLOAT'):
    return (f'[pixel shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL SAMP[0]\nDCL SVIEW[0], {target}, {kind}\n'
            f'{instruction} OUT[0], CONST[0], SAMP[0], {target}\nEND\n')


def answers(script, rows):
    """Findings: after `script`, each (four floats, a number): what the lookup there gives."""
    lines = ''.join(f'uniform 0 float4 {" ".join(map(str, at))}\ndraw quad\nprobe (0, 0) f32({value})\n' for at, value in rows)
    return gives(script + ONE + '[test]\n' + lines, c.YES, f'{len(rows)} passed, 0 failed, 0 skipped')


# Of two texels, at -0.75, 1.25 and 1.75: places -2, 2 and 3.
MODES = {'wrap': (0, 0, 1), 'clamp': (0, 1, 1), 'mirror': (1, 1, 0), 'mirror_once': (1, 1, 1), 'border': (None,) * 3}


def addresses():
    """Each mode on each axis, the others clamped; without a line all are."""
    findings, texels = [], '[srv 0]\nformat r32-float\nsize (3d, 2, 2, 2)\n1 2 3 4 5 6 7 8\n'
    for axis, mode in itertools.product(range(3), [*MODES, None]):
        words = ['clamp'] * 3
        words[axis] = mode
        rows = []
        for place, texel in zip((-0.75, 1.25, 1.75), MODES[mode or 'clamp']):
            at = [0.25, 0.25, 0.25, 0]
            at[axis] = place
            rows.append((at, 0 if texel is None else 1 + (texel << axis)))
        line = f'address {" ".join(words)}\n' if mode else ''
        findings += answers(lookup('3D') + texels + '[sampler 0]\n' + line, rows)
    # A sampler of another number is not looked at; a later section of the number takes the place of the first.
    row = [([1.25, 0.25, 0.25, 0], 1)]
    wrap, mirror = 'address wrap wrap wrap\n', 'address mirror mirror mirror\n'
    findings += answers(lookup('3D') + texels + f'[sampler 0]\n{wrap}[sampler 1]\n{mirror}[sampler 15]\n{mirror}', row)
    return findings + answers(lookup('3D') + texels + f'[sampler 0]\n{mirror}[sampler 0]\n{wrap}', row)


def filters():
    """Least, greatest and levels apart: level 0 is looked up as a large picture, 1 as a small one."""
    findings, texels = [], '[srv 0]\nformat r32-float\nsize (1d, 4)\nlevels 2\n0 8 16 24 100 116\n'
    for least, greatest, levels in itertools.product(('point', 'linear'), repeat=3):
        large = (16 if greatest == 'point' else 12, 16 if least == 'point' else 12)
        small = 116 if least == 'point' else 108
        between = small if levels == 'point' else large[1] / 4 + small * 3 / 4
        findings += answers(lookup('1D') + texels + f'[sampler 0]\nfilter {least} {greatest} {levels}\n',
                            [((0.5, 0, 0, 0), large[0]), ((0.5, 0, 0, 0.75), between), ((0.5, 0, 0, 1), small)])
    return findings + answers(lookup('1D') + texels + '[sampler 0]\n', [((0.5, 0, 0, 0), 16), ((0.5, 0, 0, 0.75), 116), ((0.5, 0, 0, 1), 116)])


def comparisons():
    """The reference against the texel."""
    words = {'never': lambda r, t: False, 'less': lambda r, t: r < t, 'equal': lambda r, t: r == t, 'less equal': lambda r, t: r <= t,
             'greater': lambda r, t: r > t, 'not equal': lambda r, t: r != t, 'greater equal': lambda r, t: r >= t, 'always': lambda r, t: True}
    findings, texels = [], '[srv 0]\nformat r32-float\nsize (2d, 1, 1)\n0.5\n'
    for word, holds in words.items():
        rows = [((0.5, 0.5, reference, 0), int(holds(reference, 0.5))) for reference in (0, 0.5, 1)]
        findings += answers(lookup('SHADOW2D', 'TEX') + texels + f'[sampler 0]\ncomparison {word}\n', rows)
    return findings


POSITION = '[pixel shader tgsi]\nFRAG\nDCL SV[0], POSITION\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0]\nEND\n'


def copies():
    """What a target holds where no probe looks is copied with the rest: every texel, seen by another shader. A copy of what
    no shader draws does not ask for that, nor do probes of views that shaders store to."""
    places = [(x, y) for y in range(7) for x in range(9)]
    rows = ''.join(f'uniform 0 int4 {x} {y} 0 0\ndraw quad\nprobe (0, 0) f32({x + 0.5}, {y + 0.5})\n' for x, y in places)
    small = '[rtv 0]\nsize (2d, 1, 1)\n'
    script = POSITION + '[rtv 0]\nsize (2d, 9, 7)\n[srv 0]\nsize (2d, 9, 7)\n[test]\ndraw quad\ncopy rtv 0 srv 0\n' + lookup('2D', 'TXF') + small
    return gives(script + '[test]\n' + rows, c.YES, f'{len(places)} passed, 0 failed, 0 skipped')


def layers_and_levels():
    """Numbers stand layer by layer, each with its levels; probes see level 0 of each layer and nothing behind the last."""
    findings = []
    numbers = '1 2 3 4 10 11 5 6 7 8 20 21 30 31 32 33 40 41\n'
    for name, words in (('r32-uint', numbers), ('r16-uint', ' '.join(f'0x{int(b):04x}{int(a):04x}' for a, b in zip(numbers.split()[::2], numbers.split()[1::2])) + '\n')):
        shape = f'[srv 0]\nformat {name}\nsize (2darray, 4, 1, 3)\nlevels 2\n{words}'
        texels = {(x, layer, 0): value for layer, row in enumerate(((1, 2, 3, 4), (5, 6, 7, 8), (30, 31, 32, 33))) for x, value in enumerate(row)}
        texels.update({(x, layer, 1): value for layer, row in enumerate(((10, 11), (20, 21), (40, 41))) for x, value in enumerate(row)})
        rows = ''.join(f'uniform 0 int4 {x} 0 {layer} {level}\ndraw quad\nprobe (0, 0) u32({value})\n' for (x, layer, level), value in texels.items())
        probes = ''.join(f'probe srv 0 ({x}, 0, {layer}) u32({value})\n' for (x, layer, level), value in texels.items() if not level)
        findings += gives(lookup('2D_ARRAY', 'TXF', 'UINT') + shape + '[test]\n' + rows + probes, c.YES, f'{len(texels) + 12} passed, 0 failed, 0 skipped')
        absent = ''.join(f'probe srv 0 {place} u32(1)\n' for place in ('(0, 0, 3)', '(0, 0, 4)', '(4, 0, 0)', '(0, 1, 0)'))
        lines = [f'{shape.count(chr(10)) + 2 + n}: failed: the resource has no ({x}, {y}) with 1 components' for n, (x, y) in enumerate(((0, 0), (0, 0), (4, 0), (0, 1)))]
        findings += gives(shape + '[test]\n' + absent, c.NO, *lines, '0 passed, 4 failed, 0 skipped')
    # With depth the layers of a level stand one behind another.
    for name, words in (('r32-uint', ' '.join(map(str, range(1, 74))) + '\n'), ('r8-uint', ' '.join(f'0x{n + 3:02x}{n + 2:02x}{n + 1:02x}{n:02x}' for n in range(1, 74, 4)) + '\n')):
        shape = f'[srv 0]\nformat {name}\nsize (3d, 4, 4, 4)\nlevels 3\n{words}'
        rows = [((x, y, z, level), 1 + begin + (z * side + y) * side + x) for level, side, begin in ((0, 4, 0), (1, 2, 64), (2, 1, 72))
                for z in range(side) for y in range(side) for x in range(side)]
        lines = ''.join(f'uniform 0 int4 {" ".join(map(str, at))}\ndraw quad\nprobe (0, 0) u32({value})\n' for at, value in rows)
        lines += ''.join(f'probe srv 0 ({x}, {y}, {z}) u32({value})\n' for (x, y, z, level), value in rows if level == 0)
        findings += gives(lookup('3D', 'TXF', 'UINT') + shape + '[rtv 0]\nsize (2d, 1, 1)\n[test]\n' + lines, c.YES, '137 passed, 0 failed, 0 skipped')
    return findings


def sizes_of_formats():
    """Numbers of formats that are no words: as many words as hold the bytes, the last of them cut."""
    findings = []
    more = 'the resource cannot be made: more numbers follow than the resource holds'
    for width, format, most in ((3, 'r8-uint', 1), (4, 'r8-uint', 1), (5, 'r8-uint', 2), (7, 'r8-uint', 2), (8, 'r8-uint', 2), (3, 'r16g16b16-uint', 5), (1, 'r16-uint', 1)):
        for kind in ('2d', 'buffer'):
            size = f'size ({kind}, {width}{", 1" if kind == "2d" else ""})\n'
            for count in (0, most, most + 1):
                script = f'[srv 0]\nformat {format}\n{size}' + ' '.join(['0x01010101'] * count) + f'\n[test]\nprobe srv 0 ({width - 1}{", 0" if kind == "2d" else ""}) u32({(257 if "16" in format else 1) if count else 0})\n'
                if count > most:
                    findings += gives(script, c.NO, f'1: failed: {more}', f'6: skipped: {more}', '0 passed, 1 failed, 1 skipped')
                else:
                    findings += gives(script, c.YES, '1 passed, 0 failed, 0 skipped')
    # Each pixel and each output goes to its own place.
    several = '[pixel shader tgsi]\nFRAG\nDCL SV[0], POSITION\nDCL CONST[0]\nDCL OUT[0], COLOR[1]\nDCL OUT[2], COLOR\nMOV OUT[0], CONST[0]\nMOV OUT[2], SV[0]\nEND\n'
    script = several + ''.join(f'[rtv {n}]\nformat r16g16b16a16-float\nsize (2d, 5, 3)\n' for n in range(2)) + '[test]\nuniform 0 float4 1 2 3 4\ndraw quad\nprobe rtv 1 (0, 0, 5, 3) rgba(1, 2, 3, 4)\n'
    script += ''.join(f'probe ({x}, {y}) rgba({x + 0.5}, {y + 0.5}, 0, 1)\n' for y in range(3) for x in range(5))
    findings += gives(script, c.YES, '16 passed, 0 failed, 0 skipped')
    # Probes of a buffer with such a format count all of it; what is before its view is not there.
    script = '[uav 0]\nformat r8-uint\nsize (buffer, 5)\noffset 2\n0x04030201 0x05\n[test]\n' + ''.join(f'probe uav 0 ({n}) u32({n + 1})\n' for n in range(6))
    lines = [f'{7 + n}: failed: the resource has no ({n}, 0) with 1 components' for n in (0, 1, 5)]
    findings += gives(script, c.NO, *lines, '3 passed, 3 failed, 0 skipped')
    # A clear takes a stale target's place; halves of a pair are 16 bits, whatever the width.
    script = COLOR + '[rtv 0]\nformat r16g16-uint\nsize (2d, 5, 3)\n[test]\nclear rtv 0 70000 3.9 0 0\nprobe (0, 0, 5, 3) u32(65535, 3)\nuniform 0 uint4 7 8 0 0\ndraw quad\nprobe (0, 0, 5, 3) u32(7, 8, 0, 1)\n'
    return findings + gives(script, c.YES, '2 passed, 0 failed, 0 skipped')


def buffers():
    """Which buffers are memory, and which are texels: bytes, structures and what has no type, by the last line that says it."""
    findings = []
    store = '[compute shader tgsi]\nCOMP\nDCL BUFFER[0]\nIMM[0] UINT32 {4, 7, 0, 0}\nSTORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n'
    typed = '[compute shader tgsi]\nCOMP\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\nIMM[0] UINT32 {1, 7, 0, 0}\nSTORE IMAGE[0], IMM[0], IMM[0].yyyy, BUFFER, PIPE_FORMAT_R32_UINT\nEND\n'
    for lines, memory in (('format r32-typeless\nsize (buffer, 2)', True), ('format r32-uint\nsize (buffer, 2)', False), ('format r32-uint\nsize (raw_buffer, 2)', True),
                          ('format r32-uint\nstride 4\nsize (buffer, 2)', True), ('format unknown\nstride 4\nsize (buffer, 2)', True),
                          ('format r32-typeless\nformat r32-uint\nsize (buffer, 2)', False), ('format r32-uint\nformat r32-typeless\nsize (buffer, 2)', True),
                          ('format unknown\nformat r32-uint\nsize (buffer, 2)', False), ('format r32-typeless\nformat r8g8b8a8-uint\nformat r32-sint\nsize (buffer, 2)', False),
                          ('format r32-typeless\nformat r16g16-uint\nsize (buffer, 2)', False)):
        for shader, stores in ((store, memory), (typed, not memory)):
            script = shader + f'[uav 0]\n{lines}\n[test]\ndispatch 1 1 1\nprobe uav 0 (1) u32({7 if stores else 0})\n'
            findings += gives(script, c.YES, '1 passed, 0 failed, 0 skipped')
    return findings


tap.run([('addresses', addresses), ('filters', filters), ('comparisons', comparisons), ('copies', copies), ('layers and levels', layers_and_levels),
         ('sizes of formats', sizes_of_formats), ('buffers', buffers)])
