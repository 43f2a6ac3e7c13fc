#!/usr/bin/env python3
"""Pictures that explain: footprints and heat pictures, dot by dot, against a drawing made here from the explanation's
words, the texels that fetches answer, and what a shader is known to do; and the words of explanations."""
import math
import re
import struct

import command as c
import tap

FONT = {'0': '### #.# #.# #.# ###', '1': '.#. ##. .#. .#. ###', '2': '### ..# ### #.. ###', '3': '### ..# ### ..# ###', '4': '#.# #.# ### ..# ..#',
        '5': '### #.. ### ..# ###', '6': '### #.. ### #.# ###', '7': '### ..# ..# ..# ..#', '8': '### #.# ### #.# ###', '9': '### #.# ### ..# ###',
        '.': '... ... ... ... .#.', '-': '... ... ### ... ...', 'L': '#.. #.. #.. #.. ###', 'X': '#.# #.# .#. #.# #.#', 'Y': '#.# #.# .#. .#. .#.', 'Z': '### ..# .#. #.. ###',
        'A': '.#. #.# ### #.# #.#', 'B': '##. #.# ##. #.# ##.', 'C': '.## #.. #.. #.. .##', 'D': '##. #.# #.# #.# ##.', 'E': '### #.. ### #.. ###',
        'F': '### #.. ### #.. #..', 'G': '.## #.. #.# #.# .##', 'H': '#.# #.# ### #.# #.#', 'I': '### .#. .#. .#. ###', 'M': '#.# ### ### #.# #.#',
        'N': '### #.# #.# #.# #.#', 'O': '### #.# #.# #.# ###', 'P': '### #.# ### #.. #..', 'R': '##. #.# ##. #.# #.#', 'S': '.## #.. ### ..# ##.',
        'T': '### .#. .#. .#. .#.', 'U': '#.# #.# #.# #.# ###', 'V': '#.# #.# #.# #.# .#.', 'W': '#.# #.# ### ### #.#'}
STOPS = [(32, 24, 96), (48, 88, 168), (32, 152, 136), (112, 200, 80), (255, 232, 48)]


def f32(value):
    return struct.unpack('<f', struct.pack('<f', value))[0]


def heat_color(part):
    at = f32(min(max(part, 0), 1) * 4)
    low = min(int(at), 3)
    w = f32(at - low)
    return tuple(int(f32(f32(a + f32((b - a) * w)) + 0.5)) for a, b in zip(STOPS[low], STOPS[low + 1]))


class RenderTarget:
    """Rows of RGBA bytes."""

    def __init__(self, width, height, color):
        self.width, self.height = width, height
        self.rows = [bytearray((*color, 255)) * width for _ in range(height)]

    def box(self, x, y, width, height, color):
        left, right = max(x, 0), min(x + width, self.width)
        dots = bytes((*color, 255)) * (right - left)
        for row in range(max(y, 0), min(y + height, self.height)) if dots else ():
            self.rows[row][left * 4:right * 4] = dots

    def frame(self, x, y, side, thickness, color):
        left, right = (x + thickness) * 4, (x + side - thickness) * 4
        inside = [self.rows[row][left:right] for row in range(y + thickness, y + side - thickness)]
        self.box(x, y, side, side, color)
        for n, row in enumerate(inside):
            self.rows[y + thickness + n][left:right] = row

    def text(self, x, y, text, color):
        for letter in text:
            for row, dots in enumerate(FONT.get(letter, '').split()):
                for column, dot in enumerate(dots):
                    if dot == '#':
                        self.box(x + column, y + row, 1, 1, color)
            x += 4

    def differs(self, name):
        """Findings: the picture of that name is another."""
        width, height, dots = c.picture(name)
        if (width, height) != (self.width, self.height):
            return [f'{width}x{height}, not {self.width}x{self.height}']
        wanted = b''.join(self.rows)
        wrong = [at for at in range(0, len(wanted), 4) if dots[at:at + 4] != wanted[at:at + 4]] if dots != wanted else []
        return [f'{len(wrong)} dots differ, the first at {(wrong[0] // 4 % width, wrong[0] // 4 // width)}: '
                f'{tuple(dots[wrong[0]:][:4])}, not {tuple(wanted[wrong[0]:][:4])}'] if wrong else []


def words_of(line):
    """The explanation's `texel` lines, taken apart."""
    found = re.fullmatch(r'texel        level (\d+)(?:, tap (\d+))?(?:, border colour|, x (\d+), y (\d+), layer (\d+))(?:, sample (\d+))?, weight (\S+): (.*)', line)
    return found.groups() if found else None


def asked(texture, *options):
    return c.run('sample', '--tex', texture, *options).stdout.decode().split('\n')[0]


def answered(line):
    return [int(w, 16) for w in line.split(',')]


def as_byte(word, integer):
    if integer:
        return word & 255
    value = struct.unpack('<f', struct.pack('<I', word))[0]
    return int(f32(f32(min(value, 1) * 255) + 0.5)) if value > 0 else 0


def footprint(texture, target, axes, at, options, in_texels=False, cross=True, offset=(0, 0), own=()):
    """Draws what the explanation says."""
    call = ('--tex', texture, '--target', target, *options, '--at', ','.join(map(str, at)), *own)
    done = c.run('sample', *call, '--explain', '--footprint', c.path('print.png'))
    lines = done.stdout.decode().splitlines()
    if done.returncode:
        return [f'{call}: exit {done.returncode} {done.stderr.decode()[:200]}']
    taps = max([int(line.split()[-1]) for line in lines if line.startswith('taps')] + [1])
    texels = [t for t in map(words_of, lines) if t]
    if len(texels) != sum(line.startswith('texel ') for line in lines):
        return [f'{call}: {lines}']
    weights, panels, sample = {}, {}, None
    for level, _, x, y, layer, index, weight, _ in texels:
        sample = sample if sample is not None else int(index or 0)
        if x is None:
            continue
        key, place = (int(level), int(layer)), (int(x), int(y))
        panels.setdefault(key, []).append(place)
        weights.setdefault(key, {}).setdefault(place, 0.0)
        weights[key][place] = f32(weights[key][place] + f32(float(weight) / taps))
    integers = bool(re.search('UINT|SINT', texture))
    drawn, left, width, height = [], 8, 8, 0
    for (level, layer), places in list(panels.items())[:16]:
        size = answered(asked(texture, '--target', target, '--op', 'size', '--lod', str(level)))[:2] if 'MSAA' not in target else \
            answered(asked(texture, '--target', target, '--op', 'size'))[:2]
        size = [size[0], size[1] if axes > 1 else 1]
        window = []
        for axis in range(2):
            low, high, last = min(p[axis] for p in places), max(p[axis] for p in places), size[axis] - 1
            low, high = (0, last) if size[axis] <= 48 else (max(low - 3, 0), min(high + 3, last))
            window.append((low, min(high, low + 191)))
        across, down = (high - low + 1 for low, high in window)
        cell = min(max(480 // max(across, down), 3), 40)
        drawn.append((level, layer, size, window, cell, width))
        width += max(96, across * cell) + 8
        height = max(height, down * cell)
    if not drawn:
        width = height = 64
    render_target = RenderTarget(width, height + 26, (40, 40, 44))
    for level, layer, size, ((x0, x1), (y0, y1)), cell, left in drawn:
        held = weights[level, layer]
        greatest = max(held.values())
        render_target.text(left, 6, f'L{level} Z{layer} X{x0} Y{y0}', (235, 235, 235))
        fetches = []
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                place = (x, layer) if axes == 1 else (x, y, layer)
                more = f' --index {sample}' if 'MSAA' in target else f' --lod {level}'
                fetches.append(f'--at {",".join(map(str, place))}{more}')
        answers = c.run('sample', '--batch', '-', '--tex', texture, '--target', target, '--op', 'fetch', *options_of_view(options), stdin='\n'.join(fetches) + '\n').stdout.decode().split()
        for n, answer in enumerate(answers):
            x, y = x0 + n % (x1 - x0 + 1), y0 + n // (x1 - x0 + 1)
            color = tuple(as_byte(w, integers) for w in answered(answer)[:3])
            dot = (left + (x - x0) * cell, 18 + (y - y0) * cell)
            if (x, y) in held:
                render_target.box(*dot, cell, cell, color)
                render_target.frame(*dot, cell, 3 if cell > 8 else 1, heat_color(f32(held[x, y] / greatest) if greatest > 0 else 0))
            else:
                render_target.box(*dot, cell, cell, tuple((v * 2 + o * 2) // 4 for v, o in zip(color, (64, 64, 68))))
        if len(answers) != len(fetches):
            return [f'{call}: {len(answers)} fetches of {len(fetches)}']
        if not cross:
            continue
        spot = []
        for axis, low, high in ((0, x0, x1), (1, y0, y1)):
            place = 0.5 if axis >= axes else f32(at[axis]) * (1 if in_texels else size[axis]) + offset[axis]
            if not math.isfinite(place): continue
            place -= math.floor(place / size[axis]) * size[axis]
            spot.append(int((place - low) * cell) if low <= place < high + 1 else None)
        if None in spot or len(spot) < 2:
            continue
        x, y = left + spot[0], 18 + spot[1]
        render_target.box(x - 5, y - 1, 11, 3, (255, 255, 255))
        render_target.box(x - 1, y - 5, 3, 11, (255, 255, 255))
        render_target.box(x - 4, y, 9, 1, (255, 48, 32))
        render_target.box(x, y - 4, 1, 9, (255, 48, 32))
    return [f'{call}: {f}' for f in render_target.differs(c.path('print.png'))]


def options_of_view(options):
    kept = []
    for name, value in zip(options[::2], options[1::2]):
        if name in ('--swizzle', '--levels', '--layers', '--srgb'):
            kept += [name, value]
    return kept


LINEAR = ('--filter', 'linear')
FOUR = 'random:R8G8B8A8_UNORM:'


def footprints_2d():
    return (footprint(FOUR + '8x4', '2D', 2, (0.3, 0.6), LINEAR) + footprint(FOUR + '8x4', '2D', 2, (1.9, -0.3), LINEAR) +
            footprint(FOUR + '8x4', '2D', 2, (0.99, 0.01), LINEAR + ('--wrap', 'clamp_to_edge')) +
            footprint(FOUR + '48x49', '2D', 2, (0.5, 0.5), LINEAR) + footprint(FOUR + '49x48', '2D', 2, (0.02, 0.97), ('--filter', 'nearest')) +
            footprint(FOUR + '100x70', '2D', 2, (0.031, 0.985), LINEAR) + footprint(FOUR + '100x70', '2D', 2, (0.985, 0.03), LINEAR) +
            footprint(FOUR + '300x60', '2D', 2, (0.0, 0.5), LINEAR) + footprint(FOUR + '60x8', '2D', 2, (0.0, 0.5), LINEAR) + footprint(FOUR + '53x8', '2D', 2, (0.0, 0.5), LINEAR) + footprint(FOUR + '13x11', '2D', 2, (0.3, 0.6), LINEAR) +
            footprint(FOUR + '1x1', '2D', 2, (0.3, 0.6), LINEAR) + footprint(FOUR + '40x1', '2D', 2, (0.3, 0.6), LINEAR) +
            footprint(FOUR + '8x4', '2D', 2, (0.01, 0.6), LINEAR + ('--wrap', 'clamp_to_border', '--border', '1,0.5,0,1')) +
            footprint(FOUR + '8x4', '2D', 2, (9.5, 9.5), LINEAR + ('--wrap', 'clamp_to_border', '--border', '1,0.5,0,1')) +
            footprint(FOUR + '8x4', '2D', 2, (0.3, 0.6), LINEAR, offset=(2, -1), own=('--offset', '2,-1')) +
            footprint(FOUR + '8x4', '2D', 2, (0.3, 0.6), LINEAR + ('--swizzle', 'zyx1')))


def crosses():
    """In the first and the last texel of a window, and just beside it; where coordinates are large, or are no numbers."""
    clamped, wide = ('--filter', 'nearest', '--wrap', 'clamp_to_edge'), FOUR + '100x80'
    findings = []
    for u, v in ((-0.965, -0.955), (-0.955, -0.945), (1.955, 1.945), (1.965, 1.955)):  # half a texel inside the windows 0 to 3 and 96 to 99, and beside them
        findings += footprint(wide, '2D', 2, (u, -0.98), clamped) + footprint(wide, '2D', 2, (-0.98, v), clamped)
    return findings + footprint(FOUR + '8x4', '2D', 2, (1e10, 0.5), LINEAR) + footprint(FOUR + '8x4', '2D', 2, (float('nan'), 0.5), LINEAR) + footprint(FOUR + '8x4', '2D', 2, (0.5, float('inf')), LINEAR) + \
        footprint(FOUR + '6x5x4', '3D', 3, (0.3, 0.6, 0.375), LINEAR)


def footprints_of_levels():
    levels = FOUR + '64x16:levels=7'
    return (footprint(levels, '2D', 2, (0.3, 0.6), LINEAR + ('--mip', 'linear'), own=('--op', 'sample_l', '--lod', '1.25')) +
            footprint(levels, '2D', 2, (0.3, 0.6), LINEAR + ('--mip', 'nearest'), own=('--op', 'sample_l', '--lod', '4')) +
            footprint(levels, '2D', 2, (0.3, 0.6), LINEAR + ('--mip', 'linear', '--aniso', '16'), own=('--ddx', '0.2,0', '--ddy', '0,0.0625')) +
            footprint(levels, '2D', 2, (0.3, 0.6), LINEAR + ('--mip', 'linear', '--aniso', '4'), own=('--ddx', '0.9,0.9', '--ddy', '0,0.0625')))


def footprints_of_other_targets():
    return (footprint(FOUR + '8', '1D', 1, (0.3,), LINEAR) + footprint(FOUR + '8:layers=3', '1D_ARRAY', 1, (0.3, 1), LINEAR) +
            footprint(FOUR + '6x5x4', '3D', 3, (0.3, 0.6, 0.5), LINEAR) + footprint(FOUR + '6x6:layers=6', 'CUBE', 2, (1, 0.2, 0.3), LINEAR, cross=False) +
            footprint(FOUR + '4x4:layers=12', 'CUBE_ARRAY', 2, (-0.2, 1, 0.3, 1), LINEAR, cross=False) + footprint(FOUR + '4x4', 'CUBE', 2, (1, 0.99, 0.99), LINEAR, cross=False) +
            footprint(FOUR + '6x5:layers=4', '2D_ARRAY', 2, (0.3, 0.6, 2), LINEAR) + footprint(FOUR + '9x7', 'RECT', 2, (3.3, 4.6), LINEAR, in_texels=True) +
            footprint(FOUR + '9x7', '2D', 2, (3.3, 4.6), LINEAR + ('--unnormalized',)[:0]) +
            footprint(FOUR + '6x5', '2D', 2, (0.3, 0.6), LINEAR, own=('--op', 'gather')) + footprint(FOUR + '6x5', '2D', 2, (3, 4), (), cross=False, own=('--op', 'fetch')) +
            footprint('random:R32G32B32A32_FLOAT:5x5:seed=3', '2D', 2, (0.3, 0.6), LINEAR) + footprint('random:R16G16B16A16_FLOAT:5x5:seed=4', '2D', 2, (0.3, 0.6), LINEAR) +
            footprint('random:R8G8B8A8_UINT:5x5:seed=3', '2D', 2, (0.3, 0.6), ()) + footprint('random:R32G32_SINT:5x5:seed=3', '2D', 2, (2, 3), (), cross=False, own=('--op', 'fetch')) +
            footprint(FOUR + '6x5:samples=4', '2D_MSAA', 2, (3, 4), (), cross=False, own=('--op', 'fetch', '--index', '2')) +
            footprint(FOUR + '6x5:samples=4:layers=3', '2D_ARRAY_MSAA', 2, (3, 4, 1), (), cross=False, own=('--op', 'fetch', '--index', '3')) +
            footprint('random:R8G8B8A8_SNORM:5x5:seed=3', '2D', 2, (0.3, 0.6), LINEAR))


def explained(*options):
    done = c.run('sample', *options, '--explain')
    return done.stdout.decode().splitlines() if done.returncode == 0 else [f'exit {done.returncode}', done.stderr.decode()]


def words():
    """Whole explanations, where the specification of lookups says each number."""
    findings = []
    def expect(options, *wanted):
        have = explained(*options)
        if have[:len(wanted)] != list(wanted) and have[-len(wanted):] != list(wanted):
            findings.append(f'{options}: {have}, not {wanted}')
    one = 'random:R32_UINT:1x1:seed=1'
    word = int(c.run('sample', '--tex', one, '--op', 'fetch', '--at', '0,0').stdout.decode().split(',')[0], 16)
    expect(('--tex', one, '--at', '0.5,0.5'), 'texture      2D of R32_UINT, 1 x 1', 'derivatives  in texels of level 0: 0 0 for a step in x, 0 0 in y')
    expect(('--tex', one, '--op', 'fetch', '--at', '0,0'), 'texture      2D of R32_UINT, 1 x 1', f'texel        level 0, x 0, y 0, layer 0, weight 1: {word}, 0, 0, 1',
           f'result       {word}, 0, 0, 1', f'0x{word:08x},0x00000000,0x00000000,0x00000001')
    expect(('--tex', 'random:R8_UNORM:8x4x2:levels=3', '--target', '3D', '--op', 'size', '--lod', '1'), 'texture      3D of R8_UNORM, 8 x 4 x 2, 3 levels', 'result       4, 2, 1, 3')
    expect(('--tex', 'random:R8_UNORM:8:levels=4', '--target', '1D', '--op', 'size'), 'texture      1D of R8_UNORM, 8, 4 levels', 'result       8, 0, 0, 4')
    expect(('--tex', 'random:R8_UNORM:4x4:samples=8', '--target', '2D_MSAA', '--op', 'samples'), 'texture      2D_MSAA of R8_UNORM, 4 x 4', 'result       8, 0, 0, 0')
    have = explained('--tex', FOUR + '8x8:levels=4', '--at', '0.3,0.3', '--op', 'sample_l', '--lod', '1.25', '--mip', 'linear', '--filter', 'linear')
    for line in ('levels       1, and 2 with weight 0.25', 'taps         1'):
        if line not in have: findings.append(f'{line} is not in {have}')
    have = explained('--tex', FOUR + '8x8:levels=4', '--at', '0.3,0.3', '--op', 'sample_l', '--lod', '2', '--mip', 'linear')
    for line in ('level        2', 'LOD          2; with the biases 2; after the clamps 2: minified'):
        if line not in have: findings.append(f'{line} is not in {have}')
    have = explained('--tex', FOUR + '8x4:levels=4', '--at', '0.3,0.3', '--ddx', '0.5,0.25', '--ddy', '0,0.75', '--op', 'sample_d', '--mip', 'nearest', '--lod-bias', '-1', '--max-lod', '0.5')
    for line in ('derivatives  in texels of level 0: 4 1 for a step in x, 0 3 in y',):
        if line not in have: findings.append(f'{line} is not in {have}')
    if not any(line.endswith('after the clamps 0.5: minified') for line in have): findings.append(f'{have}')
    for number, (face, at) in enumerate((('+X', '1,0.1,0.2'), ('-X', '-1,0.1,0.2'), ('+Y', '0.1,1,0.2'), ('-Y', '0.1,-1,0.2'), ('+Z', '0.1,0.2,1'), ('-Z', '0.1,0.2,-1'))):
        have = explained('--tex', FOUR + '4x4:layers=6', '--target', 'CUBE', '--at', at)
        if f'face         {number} ({face})' not in have or any(line.startswith('layer') for line in have):
            findings.append(f'{at}: {have}')
        have = explained('--tex', FOUR + '4x4:layers=18', '--target', 'CUBE_ARRAY', '--at', at + ',2')
        if f'face         {number} ({face})' not in have or not any(line.startswith('layer') for line in have):
            findings.append(f'{at}: {have}')
        derivatives = [line for line in have if line.startswith('derivatives')]
        if len(derivatives) != 1 or len(derivatives[0].split(':')[1].split()) != 2 + 5 + 2 + 2:
            findings.append(f'{derivatives}')
    for target, shape, at, numbers in (('1D', '8', '0.3', 1), ('1D_ARRAY', '8:layers=2', '0.3,1', 1), ('2D', '8x8', '0.3,0.3', 2), ('3D', '8x8x8', '0.3,0.3,0.3', 3), ('2D_ARRAY', '8x8:layers=2', '0.3,0.3,1', 2),
                                       ('RECT', '8x8', '3,3', 2)):
        have = explained('--tex', FOUR + shape, '--target', target, '--at', at)
        derivatives = [line for line in have if line.startswith('derivatives')]
        if len(derivatives) != 1 or len(derivatives[0].split(':')[1].split()) != 2 * numbers + 7 or ('layer        1' in have) != ('ARRAY' in target):
            findings.append(f'{target}: {have}')
    have = explained('--tex', 'random:Z32_FLOAT:8x8', '--target', 'SHADOW2D', '--at', '0.3,0.3', '--ref', '0.5', '--filter', 'linear')
    texels = [words_of(line) for line in have if line.startswith('texel')]
    if len(texels) != 4 or any(t[-1] not in ('0', '1') for t in texels) or 'SHADOW' in have[0]:
        findings.append(f'{have}')
    have = explained('--tex', 'random:R8G8B8A8_UINT:4x4', '--at', '0.3,0.3')
    if not re.fullmatch(r'result       \d+, \d+, \d+, \d+', have[-2]) or len(have[-1].split(',')) != 4:
        findings.append(f'{have}')
    have = explained('--tex', FOUR + '4x4', '--at', '9,9', '--wrap', 'clamp_to_border', '--border', '1,0.5,0,0.25')
    if 'texel        level 0, border colour, weight 1: 1, 0.5, 0, 0.25' not in have: findings.append(f'{have}')
    have = explained('--tex', FOUR + '4x4:samples=4', '--target', '2D_MSAA', '--op', 'fetch', '--at', '1,1', '--index', '3')
    if not any('layer 0, sample 3, weight 1: ' in line for line in have): findings.append(f'{have}')
    have = explained('--tex', FOUR + '8x8:levels=4', '--at', '0.3,0.3', '--rules', 'd3d', '--mip', 'nearest', '--min-lod', '1', '--levels', '0-1', '--view-min-lod', '5')
    if 'level        none: the clamps leave nothing of the view' not in have or 'taps         0' not in have: findings.append(f'{have}')
    have = explained('--at', '0,0', '--tex', 'none')
    if have[0] != 'texture      none: every lookup gives 0' or len(have) != 3: findings.append(f'{have}')
    have = explained('--tex', FOUR + '64x64:levels=7', '--at', '0.3,0.3', '--ddx', '0.25,0', '--ddy', '0,0.0625', '--aniso', '4', '--filter', 'linear', '--mip', 'linear')
    taps = [words_of(line)[1] for line in have if line.startswith('texel')]
    if 'taps         4' not in have or set(taps) != set('0123'): findings.append(f'{have}')
    return findings


TITLES = {'cost': 'INSTRUCTIONS', 'lod': 'LEVEL OF DETAIL', 'texels': 'TEXELS', 'divergence': 'IDLE LANES', 'discard': 'DISCARDED', 'overdraw': 'OVERDRAW',
          'depth-complexity': 'DEPTH COMPLEXITY', 'helpers': 'HELPER LANES', 'nan': 'NOT FINITE'}


def heat_picture(name, values, width, height, kind):
    """The picture of known values: None where nothing is drawn."""
    known = [v for row in values for v in row if v is not None]
    low, high = (min(known), max(known)) if known else (0, 0)
    wide = max(width, 96)
    render_target = RenderTarget(wide, height + 30, (0, 0, 0))
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if value is not None:
                render_target.box(x, y, 1, 1, heat_color(f32((value - low) / (high - low)) if high > low else 0))
    bar = wide - 8
    for x in range(bar):
        render_target.box(4 + x, height + 4, 1, 8, heat_color(f32(x / (bar - 1))))
    for n in range(3):
        number = low + (high - low) * n / 2
        text = '%d' % number if number == int(number) else '%.2f' % number
        render_target.text(4 + (bar - (len(text) * 4 - 1)) * n // 2, height + 14, text, (255, 255, 255))
    render_target.text(4 + (bar - (len(TITLES[kind]) * 4 - 1)) // 2, height + 21, TITLES[kind], (255, 255, 255))
    return [f'{name}: {f}' for f in render_target.differs(c.path(name))]


def heat_pictures():
    """The texels that pixels read and their levels, in columns that are known."""
    findings = []
    head = ('FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..3]\nDCL CONST[0..1]\n')
    # As many lookups as the column's number, each of one texel, or four.
    count = head + ('IMM[0] FLT32 {1.0, 0.0, 0.5, 0.0}\nMOV TEMP[0].x, IMM[0].zzzz\nBGNLOOP\nSGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nIF TEMP[1].xxxx\nBRK\nENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n'
                    'TXL TEMP[2], IMM[0].yyyy, SAMP[0], 2D\nENDLOOP\nMOV OUT[0], TEMP[2]\nEND\n')
    for width, height, texels, filter_word in ((5, 3, 1, 'nearest'), (7, 4, 4, 'linear'), (130, 5, 1, 'nearest'), (1, 1, 1, 'nearest')):
        options = ('--tex', f'0=random:R8G8B8A8_UNORM:16x16,filter={filter_word}', '--size', f'{width}x{height}')
        for more in ((), ('--width', '4', '--threads', '2')):
            findings += c.exit_is(c.YES, 'run', c.write('count.tgsi', count), '-o', c.path('texels.png'), '--heat', 'texels', *options, *more)
            findings += heat_picture('texels.png', [[texels * x for x in range(width)] for _ in range(height)], width, height, 'texels')
    # The level is x / 4; nothing is looked up in the column 3.
    levels = head + ('IMM[0] FLT32 {0.25, -0.125, 3.5, 0.0}\nSNE TEMP[1].x, IN[0].xxxx, IMM[0].zzzz\nIF TEMP[1].xxxx\nMAD TEMP[0].w, IN[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\nTXL TEMP[2], TEMP[0], SAMP[0], 2D\nENDIF\n'
                     'MOV OUT[0], TEMP[2]\nEND\n')
    for width, height in ((9, 3), (6, 2), (4, 1), (101, 3)):
        findings += c.exit_is(c.YES, 'run', c.write('levels.tgsi', levels), '-o', c.path('lod.png'), '--heat', 'lod', '--size', f'{width}x{height}',
                              '--tex', '0=random:R8G8B8A8_UNORM:64x64:levels=7,mip=linear')
        findings += heat_picture('lod.png', [[None if x == 3 else x / 4 for x in range(width)] for _ in range(height)], width, height, 'lod')
    return findings


VALUES_OF_PIXELS = {  # declaration: the word of x of the invocation `lane` of its group at pixel x, y of 5 by 3; helper
    'SV[0], SUBGROUP_INVOCATION': lambda lane, x, y: lane,
    'SV[0], SUBGROUP_EQ_MASK': lambda lane, x, y: 1 << lane,
    'SV[0], SUBGROUP_GE_MASK': lambda lane, x, y: (1 << 32) - (1 << lane),
    'SV[0], SUBGROUP_GT_MASK': lambda lane, x, y: (1 << 32) - (2 << lane),
    'SV[0], SUBGROUP_LE_MASK': lambda lane, x, y: (2 << lane) - 1,
    'SV[0], SUBGROUP_LT_MASK': lambda lane, x, y: (1 << lane) - 1,
    'SV[0], SUBGROUP_SIZE': lambda lane, x, y: 32,
    'SV[0], SAMPLEMASK': lambda lane, x, y: 1,
    'SV[0], FACE': lambda lane, x, y: 0xffffffff,
    'SV[0], HELPER_INVOCATION': lambda lane, x, y: 0,
    'SV[0], SAMPLEPOS': lambda lane, x, y: 0x3f000000,
    'SV[0], POSITION': lambda lane, x, y: struct.unpack('<I', struct.pack('<f', x + 0.5))[0],
    'SV[0], INSTANCEID': lambda lane, x, y: 0,
    'IN[0], FACE, CONSTANT': lambda lane, x, y: 0x3f800000,
    'IN[0], FOG, PERSPECTIVE': lambda lane, x, y: 0,
    'IN[0], NORMAL, PERSPECTIVE': lambda lane, x, y: 0,
    'IN[0], GENERIC[4], PERSPECTIVE': lambda lane, x, y: struct.unpack('<I', struct.pack('<f', f32((x + 0.5) / 5)))[0],
    'IN[0], BCOLOR, PERSPECTIVE': lambda lane, x, y: struct.unpack('<I', struct.pack('<f', f32((x + 0.5) / 5)))[0],
    'IN[0], POSITION, LINEAR': lambda lane, x, y: struct.unpack('<I', struct.pack('<f', x + 0.5))[0],
}


def values_of_pixels():
    """What registers of a picture hold, in both of its ways: as colours, four bits a picture, and as counts of texels."""
    findings, (width, height) = [], (5, 3)
    lanes = {}
    for number in range(3 * 2):  # quads, row by row, four pixels each
        for corner in range(4):
            lanes[number % 3 * 2 + corner % 2, number // 3 * 2 + corner // 2] = (number * 4 + corner) % 32
    for declared, value in VALUES_OF_PIXELS.items():
        register = declared.split(',')[0]
        for shift in range(0, 32, 4):
            # Bits shift to shift + 3, as a colour n / 15, and as n lookups of one texel.
            body = (f'FRAG\nDCL {declared}\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..3]\nIMM[0] UINT32 {{{shift}, 15, 17, 1}}\nIMM[1] FLT32 {{0.0, 0.00392156862745098, 0.0, 0.0}}\n'
                    f'USHR TEMP[0].x, {register}.xxxx, IMM[0].xxxx\nAND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n')
            color = body + 'UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nU2F TEMP[1], TEMP[1].xxxx\nMUL OUT[0], TEMP[1], IMM[1].yyyy\nEND\n'
            count = body + ('MOV TEMP[1].x, IMM[1].xxxx\nBGNLOOP\nUSGE TEMP[2].x, TEMP[1].xxxx, TEMP[0].xxxx\nUIF TEMP[2].xxxx\nBRK\nENDIF\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww\nTXL TEMP[3], IMM[1].xxxx, SAMP[0], 2D\n'
                            'ENDLOOP\nMOV OUT[0], TEMP[3]\nEND\n')
            wanted = [[value(lanes[x, y], x, y) >> shift & 15 for x in range(width)] for y in range(height)]
            c.run('run', c.write('color.tgsi', color), '-o', c.path('color.png'), '--size', f'{width}x{height}')
            dots = c.picture(c.path('color.png'))[2]
            have = [[dots[(y * width + x) * 4] // 17 for x in range(width)] for y in range(height)]
            if have != wanted:
                findings.append(f'{declared} >> {shift}: {have}, not {wanted}')
            if shift in (0, 8, 28) or 'MASK' in declared and shift == 20:
                findings += c.exit_is(c.YES, 'run', c.write('count.tgsi', count), '-o', c.path('count.png'), '--size', f'{width}x{height}', '--heat', 'texels', '--tex',
                                      '0=random:R8_UNORM:4x4')
                findings += [f'{declared} >> {shift}: {f}' for f in heat_picture('count.png', wanted, width, height, 'texels')]
    return findings


def components_of_inputs():
    """All four components of what inputs of a picture are given, as colours: (s, t, 0, 1), or constants."""
    findings, (width, height) = [], (8, 4)
    # What has no semantic is (s, t, 0, 1), too; of a semantic that a picture does not know all is 0.
    places = ('IN[0]', 'IN[0], GENERIC[9], PERSPECTIVE', 'IN[0], TEXCOORD[2], LINEAR', 'IN[0], COLOR, COLOR', 'IN[0], BCOLOR[1], LINEAR', 'IN[0], PCOORD, LINEAR', 'IN[3], GENERIC, LINEAR')
    known = {'IN[0], FACE, CONSTANT': (255, 0, 0, 255), 'IN[0], FOG, LINEAR': (0, 0, 0, 255), 'IN[0], NORMAL, LINEAR': (0, 0, 255, 0), 'IN[0], CLIPDIST, LINEAR': (0, 0, 0, 0)}
    for declared in (*places, *known):
        shader = c.write('given.tgsi', f'FRAG\nDCL {declared}\nDCL OUT[0], COLOR\nMOV OUT[0], {declared.split(",")[0]}\nEND\n')
        done = c.run('run', shader, '-o', c.path('given.png'), '--size', f'{width}x{height}')
        if done.returncode:
            findings.append(f'{declared}: {done}')
            continue
        dots = c.picture(c.path('given.png'))[2]
        wanted = b''.join(bytes(known.get(declared) or (round((x + 0.5) / width * 255), round((y + 0.5) / height * 255), 0, 255)) for y in range(height) for x in range(width))
        if dots != wanted:
            findings.append(f'{declared}: {dots.hex()}, not {wanted.hex()}')
    return findings


if __name__ == '__main__':
    tap.run([('crosses', crosses), ('footprints of 2D textures', footprints_2d), ('footprints of levels', footprints_of_levels), ('footprints of other targets', footprints_of_other_targets),
             ('explanations in words', words), ('heat pictures, dot by dot', heat_pictures), ('what registers of a picture hold', values_of_pixels),
             ('components of inputs', components_of_inputs)])
