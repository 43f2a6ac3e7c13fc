#!/usr/bin/env python3
"""Small cases of the pipeline as scenes: provoking vertices, depth, clipping, points, lines, samples, faces, blending,
stencil. What each must draw is worked out here, from the text of OpenGL 4.6 (GL) and Direct3D 11.3 (D3D), not from what
the library does."""
import itertools
import math
import random

from rendering import PATTERNS, WHITE, at, holds, mesh, rows_of
import tap

VS = 'shader vs vertex {\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n}\n'
FLAT = 'shader fs fragment {\nFRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n}\n'


def target(size=16, extra=''):
    return f'texture t {{ size {size} {size}; {extra} }}\n'


def quad(left, top, right, bottom, color, z=0.0, size=16):
    """Two triangles."""
    a, b, d, e = (at(x, y, size, z) for x, y in ((left, top), (right, top), (left, bottom), (right, bottom)))
    return [(place, color) for place in (a, d, b, b, d, e)]


def drawn(vertices, primitive='triangles', state='', expect=(), before='', extra='', size=16, targets='color 0 t\n', shaders=VS + FLAT, more=''):
    return target(size, extra) + before + shaders + mesh(vertices) + 'pass {\n' + targets + state + f'use vs fs\ndraw {primitive} mesh m {more}\n}}\n' + ''.join(f'expect {line}\n' for line in expect)


def all_hold(cases, least):
    """`least`: how many cases there are at least."""
    cases = list(cases)
    return [finding for name, text in cases for finding in holds(text, name)] + ([] if len(cases) >= least else [f'{len(cases)} cases'])


# ---- registers without a semantic ------------------------------------------------------------------------------------


def unlabelled():
    """Registers without a semantic are generic attributes of their own numbers, whose interpolation is as declared: the flags
    of a declaration do not depend on each other (tgsi.rst, Declaration). Corners have w of 1, 2 and 4, values 0, 1 and 2."""
    size, w, values = 4, (1, 2, 4), (0, 1, 2)
    corners = [(at(x, y, size, 0, w[n]), (values[n], 5, 5, 5)) for n, (x, y) in enumerate(((0, 0), (2 * size, 0), (0, 2 * size)))]
    for words, linear, flat in ((', LINEAR', True, False), ('', False, False), (', PERSPECTIVE', False, False), (', LINEAR, INVARIANT', True, False),
                                (', LOCAL, PERSPECTIVE, CENTROID', False, False), (', CONSTANT', False, True), (', INVARIANT', False, False)):
        lines = []
        for x, y in itertools.product(range(size), repeat=2):
            s, t = (x + 0.5) / (2 * size), (y + 0.5) / (2 * size)
            share = [(1 - s - t) / (1 if linear else w[0]), s / (1 if linear else w[1]), t / (1 if linear else w[2])]
            value = values[0] if flat else sum(part * v for part, v in zip(share, values)) / sum(share)
            lines.append(f'pixel t {x} {y} = {value!r} 5 5 5 tolerance 1e-5')
        shaders = ('shader vs vertex {\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[7]\nMOV OUT[0], IN[0]\nMOV OUT[7], IN[1]\nEND\n}\n'
                   f'shader fs fragment {{\nFRAG\nDCL IN[7]{words}\nDCL OUT[0], COLOR\nMOV OUT[0], IN[7]\nEND\n}}\n')
        yield words, drawn(corners, expect=lines, extra='format R32G32B32A32_FLOAT', size=size, shaders=shaders, state='rasterizer { flatshade_first on }\n' if flat else '')


# ---- provoking vertices (GL table 13.2) ------------------------------------------------------------------------------

# Numbers of vertices from 1 on: those of primitive i, of n vertices; the first and the last convention.
PRIMITIVES = {
    'points': (3, lambda i, n: [i], lambda i, n: i, lambda i, n: i, lambda n: n),
    'lines': (6, lambda i, n: [2 * i - 1, 2 * i], lambda i, n: 2 * i - 1, lambda i, n: 2 * i, lambda n: n // 2),
    'line_loop': (5, lambda i, n: [i, i % n + 1], lambda i, n: i, lambda i, n: i % n + 1, lambda n: n),
    'line_strip': (5, lambda i, n: [i, i + 1], lambda i, n: i, lambda i, n: i + 1, lambda n: n - 1),
    'triangles': (9, lambda i, n: [3 * i - 2, 3 * i - 1, 3 * i], lambda i, n: 3 * i - 2, lambda i, n: 3 * i, lambda n: n // 3),
    'triangle_strip': (7, lambda i, n: [i, i + 1, i + 2], lambda i, n: i, lambda i, n: i + 2, lambda n: n - 2),
    'triangle_fan': (7, lambda i, n: [1, i + 1, i + 2], lambda i, n: i + 1, lambda i, n: i + 2, lambda n: n - 2),
    'quads': (8, lambda i, n: [4 * i - 3, 4 * i - 2, 4 * i - 1, 4 * i], lambda i, n: 4 * i - 3, lambda i, n: 4 * i, lambda n: n // 4),
    'quad_strip': (8, lambda i, n: [2 * i - 1, 2 * i, 2 * i + 2, 2 * i + 1], lambda i, n: 2 * i - 1, lambda i, n: 2 * i + 2, lambda n: n // 2 - 1),
    'polygon': (6, lambda i, n: list(range(1, n + 1)), lambda i, n: 1, lambda i, n: 1, lambda n: 1),
    'lines_adjacency': (8, lambda i, n: [4 * i - 2, 4 * i - 1], lambda i, n: 4 * i - 2, lambda i, n: 4 * i - 1, lambda n: n // 4),
    'line_strip_adjacency': (6, lambda i, n: [i + 1, i + 2], lambda i, n: i + 1, lambda i, n: i + 2, lambda n: n - 3),
    'triangles_adjacency': (12, lambda i, n: [6 * i - 5, 6 * i - 3, 6 * i - 1], lambda i, n: 6 * i - 5, lambda i, n: 6 * i - 1, lambda n: n // 6),
    'triangle_strip_adjacency': (10, lambda i, n: [2 * i - 1, 2 * i + 1, 2 * i + 3], lambda i, n: 2 * i - 1, lambda i, n: 2 * i + 3, lambda n: n // 2 - 2)}


def places(primitive, n):
    """Where n vertices are, so that primitives have room: a zigzag, or a ring around the first one or nothing."""
    if primitive in ('triangle_fan', 'polygon', 'line_loop'):
        ring = [(32 + 28 * math.cos(0.3 + 0.9 * i), 32 - 28 * math.sin(0.3 + 0.9 * i)) for i in range(n)]
        return [(32, 32)] + ring[:-1] if primitive == 'triangle_fan' else ring
    if primitive == 'quads':
        return [(x + 30 * k, y) for k in range(n // 4) for x, y in ((4, 8), (4, 40), (28, 40), (28, 8))]
    step = 56 / (n - 1)
    if primitive.startswith('triangle') and primitive.endswith('adjacency'):  # every other vertex is a corner
        return [(4 + step * i, 50 if i // 2 % 2 else 10) for i in range(n)]
    return [(4 + step * i, 50 if i % 2 else 10) for i in range(n)]


def provoking():
    """With the first and the last convention, and rotated winding, which changes nothing."""
    for primitive, (n, vertices, first, last, count) in PRIMITIVES.items():
        spots = places(primitive, n)
        for convention, chosen in (('on', first), ('off', last)):
            colors = [((i + 1) / 16, 1 - (i + 1) / 16, (i * 5 % 16) / 16, 1.0) for i in range(n)]
            expect = []
            for i in range(1, count(n) + 1):
                corners = [spots[v - 1] for v in vertices(i, n)]
                x, y = sum(p[0] for p in corners) / len(corners), sum(p[1] for p in corners) / len(corners)
                expect.append(f'pixel t {int(x)} {int(y)} = ' + ' '.join(f'{v!r}' for v in colors[chosen(i, n) - 1]))
            state = f'rasterizer {{ flatshade_first {convention}; point_size 5; line_width 5 }}\n'
            yield f'{primitive} {convention}', drawn([(at(x, y, 64), color) for (x, y), color in zip(spots, colors)], primitive, state, expect, size=64)


# ---- depth -----------------------------------------------------------------------------------------------------------

COMPARES = {'never': lambda a, b: False, 'less': lambda a, b: a < b, 'equal': lambda a, b: a == b, 'lequal': lambda a, b: a <= b,
            'greater': lambda a, b: a > b, 'notequal': lambda a, b: a != b, 'gequal': lambda a, b: a >= b, 'always': lambda a, b: True}
DEPTHS = ('Z16_UNORM', 'Z24X8_UNORM', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'Z32_FLOAT', 'Z32_FLOAT_S8X24_UINT')


def depth():
    """The fragment's depth is compared with what is stored (GL 17.3.5), and written where it passes."""
    for form, function, writes in itertools.product(DEPTHS, COMPARES, ('on', 'off')):
        vertices, expect = [], []
        for n, value in enumerate((0.25, 0.5, 0.75)):
            vertices += quad(4 * n, 0, 4 * n + 4, 16, (1.0, 1.0, 1.0, 1.0), value * 2 - 1)
            good = COMPARES[function](value, 0.5)
            expect += [f'rect t {4 * n} 0 4 16 = ' + (WHITE if good else '0 0 0 0'), f'depth rect d {4 * n} 0 4 16 = {value if good and writes == "on" else 0.5}']
        state = f'clear depth 0.5\ndepth_stencil_alpha {{ depth_enabled on; depth_writes {writes}; depth_function {function} }}\n'
        yield f'{form} {function} {writes}', drawn(vertices, 'triangles', state, expect + ['rect t 12 0 4 16 = 0 0 0 0'], f'texture d {{ size 16 16; format {form} }}\n', targets='color 0 t\ndepth_stencil d\n')


def depth_clip():
    """What lies before the near plane and behind the far one is clipped (GL 13.7), or its depth is clamped: to the range
    of the viewport with depth_clamp, otherwise to 0..1."""
    near, far = 0.25, 0.75
    for clip_near, clip_far, clamp, halfz in itertools.product((True, False), repeat=4):
        vertices, expect = [], []
        for n, z in enumerate((-4.5, 0.25, 0.75, 4.5)):
            vertices += quad(4 * n, 0, 4 * n + 4, 16, (1.0, 1.0, 1.0, 1.0), z)
            shown = not (z < 0 and clip_near) and not (z > 1 and clip_far)
            window = near + z * (far - near) if halfz else (near + far) / 2 + z * (far - near) / 2
            window = min(max(window, near), far) if clamp else min(max(window, 0), 1)
            expect += [f'rect t {4 * n} 0 4 16 = ' + (WHITE if shown else '0 0 0 0'), f'depth rect d {4 * n} 0 4 16 = {window if shown else 0.5}']
        flags = ''.join(f'{name} {"on" if value else "off"}; ' for name, value in (('depth_clip_near', clip_near), ('depth_clip_far', clip_far), ('depth_clamp', clamp), ('clip_halfz', halfz)))
        state = f'clear depth 0.5\ndepth_stencil_alpha {{ depth_enabled on; depth_writes on; depth_function always }}\nrasterizer {{ {flags}}}\ndynamic {{ viewport 0 0 16 16 depth {near} {far} }}\n'
        yield flags, drawn(vertices, 'triangles', state, expect, 'texture d { size 16 16; format Z32_FLOAT }\n', targets='color 0 t\ndepth_stencil d\n')


# ---- clipping --------------------------------------------------------------------------------------------------------

SIDES = {'left': (-1, 0, 'rect t 0 0 8 16', 'rect t 8 0 8 16'), 'right': (1, 0, 'rect t 8 0 8 16', 'rect t 0 0 8 16'),
         'upper': (0, 1, 'rect t 0 0 16 8', 'rect t 0 8 16 8'), 'lower': (0, -1, 'rect t 0 8 16 8', 'rect t 0 0 16 8')}


def clip_planes():
    """Half-spaces (GL 13.7): each plane, in four directions; two planes; what is not enabled clips nothing."""
    everything = quad(0, 0, 16, 16, (1.0, 1.0, 1.0, 1.0))
    for plane, (side, (x, y, inside, outside)) in itertools.product(range(8), SIDES.items()):
        state = f'rasterizer {{ clip_plane_enable {1 << plane} }}\ndynamic {{ clip_plane {plane} {x} {y} 0 0 }}\n'
        yield f'{plane} {side}', drawn(everything, 'triangles', state, [inside + f' = {WHITE}', outside + ' = 0 0 0 0'])
    for one, other in itertools.combinations(SIDES, 2):
        (a, b, *_), (d, e, *_) = SIDES[one], SIDES[other]
        state = f'rasterizer {{ clip_plane_enable 9 }}\ndynamic {{ clip_plane 0 {a} {b} 0 0; clip_plane 3 {d} {e} 0 0; clip_plane 1 0 0 0 -1 }}\n'
        expect = []
        for column, row in itertools.product(range(2), repeat=2):
            middle = (column - 0.5, 0.5 - row)
            good = a * middle[0] + b * middle[1] > 0 and d * middle[0] + e * middle[1] > 0
            expect.append(f'rect t {8 * column} {8 * row} 8 8 = ' + (WHITE if good else '0 0 0 0'))
        yield f'{one} {other}', drawn(everything, 'triangles', state, expect)


def behind():
    """Vertices behind the eye (w < 0): the part in front is drawn. The edges of the triangle (a, b, d) with d behind run
    from a and b away from d."""
    for turn in range(3):
        a, b, d = at(4, 8), at(12, 8), tuple(-v for v in at(8, 0))  # d is seen at (8, 0) from behind
        corners = [(v, (1.0, 1.0, 1.0, 1.0)) for v in (a, b, d)]
        yield f'turn {turn}', drawn(corners[turn:] + corners[:turn], 'triangles', '', ['rect t 0 0 16 8 = 0 0 0 0', f'rect t 5 8 6 8 = {WHITE}', f'pixel t 1 15 = {WHITE}', 'pixel t 0 8 = 0 0 0 0'])


# ---- points and lines ------------------------------------------------------------------------------------------------

def square(left, top, size):
    """Expectations of a white square on black, 32 x 32 pixels."""
    expect = [f'rect t {left} {top} {size} {size} = {WHITE}', f'rect t 0 0 32 {top} = 0 0 0 0', f'rect t 0 {top} {left} {size} = 0 0 0 0']
    return expect + [f'rect t {left + size} {top} {32 - left - size} {size} = 0 0 0 0', f'rect t 0 {top + size} 32 {32 - top - size} = 0 0 0 0']


def points():
    """GL 14.4.1: an odd size is centred at floor(x) + 1/2, an even one at floor(x + 1/2). Downwards y is -y there, which
    only an offset of exactly 1/2 can tell; there is none here."""
    for size, offset in itertools.product((1, 2, 3, 4, 5, 6, 7, 8), (0.25, 0.375, 0.75)):
        place = 16 + offset
        centre = math.floor(place) + 0.5 if size % 2 else math.floor(place + 0.5)
        corner = int(centre - size / 2)
        yield f'{size} {offset}', drawn([(at(place, place, 32), (1.0, 1.0, 1.0, 1.0))], 'points', f'rasterizer {{ point_size {size} }}\n', square(corner, corner, size), size=32)


def lines():
    """GL 14.5.1, 14.5.2.2: from pixel centre to pixel centre the last pixel is left out; odd widths are centred."""
    white = (1.0, 1.0, 1.0, 1.0)
    for (dx, dy), width, last in itertools.product(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)), (1, 3, 5), ('off', 'on')):
        length = 9
        ends = [(16.5, 16.5), (16.5 + dx * length, 16.5 + dy * length)]
        steps = range(length + (last == 'on'))
        half = width // 2
        lit = {(16 + dx * k + (0 if dx else m), 16 + dy * k + (m if dx else 0)) for k in steps for m in range(-half, half + 1)}
        rows = []
        for y in range(32):
            runs = [(key, len(list(group))) for key, group in itertools.groupby((x, y) in lit for x in range(32))]
            x = 0
            for key, count in runs:
                rows.append(f'rect t {x} {y} {count} 1 = ' + (WHITE if key else '0 0 0 0'))
                x += count
        state = f'rasterizer {{ line_width {width}; line_last_pixel {last} }}\n'
        yield f'{dx},{dy} {width} {last}', drawn([(at(x, y, 32), white) for x, y in ends], 'lines', state, rows, size=32)


def stipples():
    """Pixel k of a line is drawn if bit floor(k / factor) mod 16 is set (GL 14.5.2.1); a pixel of a polygon if the bit of
    its column is set in the row's word, the highest bit first (GL 14.6.2, with rows from the top here)."""
    white, generator = (1.0, 1.0, 1.0, 1.0), random.Random(4)
    for pattern, factor, turned in itertools.product((0x5555, 0x0f35, 0xfffe, 0x8001), (1, 2, 3), (False, True)):
        ends = [(30.5, 4.5), (1.5, 4.5)] if turned else [(1.5, 4.5), (30.5, 4.5)]
        def lit(x, y, turned=turned, pattern=pattern, factor=factor):
            k = 30 - x if turned else x - 1
            return y == 4 and 0 <= k < 29 and pattern >> (k // factor) % 16 & 1
        state = f'rasterizer {{ line_stipple_enable on; line_stipple_pattern {pattern}; line_stipple_factor {factor} }}\n'
        yield f'line {pattern:x} {factor} {turned}', drawn([(at(x, y, 32), white) for x, y in ends], 'lines', state, rows_of(lit, 32), size=32)
    for number in range(6):
        words = [generator.getrandbits(32) for _ in range(32)]
        state = 'rasterizer { poly_stipple_enable on }\ndynamic { polygon_stipple { ' + ' '.join(map(str, words)) + ' } }\n'
        yield f'polygon {number}', drawn(quad(0, 0, 40, 40, white, size=40), 'triangles', state, rows_of(lambda x, y, words=words: words[y % 32] >> (31 - x % 32) & 1, 40), size=40)


def sprites():
    """Points as sprites: the coordinate runs from 0 to 1 across (GL 14.4.2), t upwards or downwards."""
    shaders = VS + 'shader fs fragment {\nFRAG\nDCL IN[0], TEXCOORD[1], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n}\n'
    for size, origin in itertools.product((2, 4, 5, 8), ('upper_left', 'lower_left')):
        left = 8 - size / 2
        expect = []
        for x, y in itertools.product(range(16), repeat=2):
            s, t = (x + 0.5 - left) / size, (y + 0.5 - left) / size
            if 0 < s < 1 and 0 < t < 1:
                expect.append(f'pixel t {x} {y} = {s!r} {t if origin == "upper_left" else 1 - t!r} 0 1 tolerance 0.00001')
        state = f'rasterizer {{ point_size {size}; point_quad_rasterization on; sprite_coord_enable 2; sprite_coord_mode {origin} }}\n'
        yield f'{size} {origin}', drawn([(at(8, 8), (1.0, 1.0, 1.0, 1.0))], 'points', state, expect + ['pixel t 0 0 = 0 0 0 0'], extra='format R32G32B32A32_FLOAT', shaders=shaders)


def restarts():
    """An index that restarts ends a strip; it is compared before the base vertex is added (GL 10.3.6)."""
    white = (1.0, 1.0, 1.0, 1.0)
    column = lambda x: [(x, 0), (x, 16), (x + 3, 0), (x + 3, 16)]
    spots = column(0) + column(5) + column(10)
    for word, size, restart, base in itertools.product(('ubyte', 'ushort', 'uint'), (1, 2, 4), (0xff, 0xffff, 0xffffffff), (0, 4)):
        if {'ubyte': 1, 'ushort': 2, 'uint': 4}[word] != size or restart >= 256 ** size:
            continue
        first, second = [0, 1, 2, 3], [4, 5, 6, 7]
        indices = f'buffer i {{ {word} ' + ' '.join(map(str, first + [restart] + second)) + ' }\n'
        shown = lambda x, y, base=base: any(a + 5 * (base // 4) <= x < a + 5 * (base // 4) + 3 for a in (0, 5))
        yield f'{word} {restart:x} {base}', drawn([(at(x, y), white) for x, y in spots], 'triangle_strip', '', rows_of(shown, 16), indices, more=f'count 9 indices i {size} restart {restart} base_vertex {base}')


LOGIC = {'clear': lambda s, d: 0, 'nor': lambda s, d: ~(s | d), 'and_inverted': lambda s, d: ~s & d, 'copy_inverted': lambda s, d: ~s, 'and_reverse': lambda s, d: s & ~d, 'invert': lambda s, d: ~d,
         'xor': lambda s, d: s ^ d, 'nand': lambda s, d: ~(s & d), 'and': lambda s, d: s & d, 'equiv': lambda s, d: ~(s ^ d), 'noop': lambda s, d: d, 'or_inverted': lambda s, d: ~s | d,
         'copy': lambda s, d: s, 'or_reverse': lambda s, d: s | ~d, 'or': lambda s, d: s | d, 'set': lambda s, d: 255}


def logic():
    """Each operation on codes (GL table 17.3); float and sRGB buffers get the colour itself."""
    source, stored = (0x0f, 0x33, 0xa5, 0xff), (0x55, 0xf0, 0x3c, 0x81)
    for operation, compute in LOGIC.items():
        vertices = quad(0, 0, 16, 16, tuple(v / 255 for v in source))
        state = 'clear color ' + ' '.join(repr(v / 255) for v in stored) + f'\nblend {{ logic_enabled on; logic_operation {operation} }}\n'
        codes = [compute(s, d) & 255 for s, d in zip(source, stored)]
        yield operation, drawn(vertices, 'triangles', state, ['all t = ' + ' '.join(repr(v / 255) for v in codes) + ' tolerance 0.00001'])
        yield f'{operation} float', drawn(vertices, 'triangles', state, ['all t = ' + ' '.join(repr(v / 255) for v in source) + ' tolerance 0.00001'], extra='format R32G32B32A32_FLOAT')


def masks():
    """What is not in the mask stays (GL 17.4.2)."""
    for mask in range(16):
        values = [f'{0.75 if mask >> i & 1 else 0.25}' for i in range(4)]
        yield f'{mask}', drawn(quad(0, 0, 16, 16, (0.75,) * 4), 'triangles', f'clear color 0.25 0.25 0.25 0.25\nblend {{ target 0 {{ enabled off; color_mask {mask} }} }}\n', ['all t = ' + ' '.join(values) + ' tolerance 0'], extra='format R32G32B32A32_FLOAT')


def layers():
    """LAYER of the provoking vertex chooses the layer."""
    shaders = ('shader vs vertex {\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], LAYER\nDCL CONST[0][0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2].x, CONST[0][0].xxxx\nEND\n}\n') + FLAT
    for layer in range(4):
        state = f'bind vertex constants 0 {{ uint {layer} }}\n'
        yield f'{layer}', drawn(quad(0, 0, 16, 16, (1.0, 1.0, 1.0, 1.0)), 'triangles', state, [f'all t layer {n} = ' + (WHITE if n == layer else '0 0 0 0') for n in range(4)], extra='layers 4', shaders=shaders)


# ---- samples ---------------------------------------------------------------------------------------------------------

def sample_masks():
    """A bit of the mask is a sample; the mean of all is what a resolve gives."""
    for samples, sample in ((n, s) for n in PATTERNS for s in range(n)):
        expect = [f'all t sample {s} = ' + (WHITE if s == sample else '0 0 0 0') for s in range(samples)]
        yield f'{samples} {sample}', drawn(quad(0, 0, 16, 16, (1.0, 1.0, 1.0, 1.0)), 'triangles', f'dynamic {{ sample_mask {1 << sample} }}\n', expect + [f'all t = {1 / samples} tolerance 0.004'], extra=f'samples {samples}')


def edges():
    """A vertical and a horizontal edge at sixteen places of a pixel cover the samples before it (D3D 3.4.2); without
    multisampling the centre decides for all."""
    for samples, axis, edge in itertools.product(PATTERNS, (0, 1), range(16)):
        place = 8 + (edge + 0.5) / 16  # between the sixteenths
        shape = quad(0, 0, place, 16, (1.0, 1.0, 1.0, 1.0)) if axis == 0 else quad(0, 0, 16, place, (1.0, 1.0, 1.0, 1.0))
        pixel = '8 4' if axis == 0 else '4 8'
        expect = []
        for s, offsets in enumerate(PATTERNS[samples]):
            inside = 8 + offsets[axis] <= edge  # sixteenths from the pixel's corner
            expect.append(f'pixel t {pixel} sample {s} = ' + (WHITE if inside else '0 0 0 0'))
        yield f'{samples} {"xy"[axis]} {edge}', drawn(shape, 'triangles', '', expect, extra=f'samples {samples}')
    for samples, edge in itertools.product(PATTERNS, (0, 7, 8, 15)):
        expect = [f'pixel t 8 4 sample {s} = ' + (WHITE if edge >= 8 else '0 0 0 0') for s in range(samples)]
        yield f'{samples} single {edge}', drawn(quad(0, 0, 8 + (edge + 0.5) / 16, 16, (1.0, 1.0, 1.0, 1.0)), 'triangles', 'rasterizer { multisample off }\n', expect, extra=f'samples {samples}')


def alpha_to_coverage():
    """As many samples as alpha says, rounded: docs/pipeline.md, since neither text says which."""
    for samples, step in itertools.product(PATTERNS, range(9)):
        alpha = step / 8
        covered = math.floor(alpha * samples + 0.5)
        state = 'blend { alpha_to_coverage on; alpha_to_one on }\n'
        yield f'{samples} {step}', drawn(quad(0, 0, 16, 16, (1.0, 1.0, 1.0, alpha)), 'triangles', state, [f'all t = {covered / samples} _ _ {covered / samples} tolerance 0.004'], extra=f'samples {samples}')


# ---- faces -----------------------------------------------------------------------------------------------------------

def faces():
    """Which triangles are in front, and which are culled (GL 14.6.1); a viewport upside down turns them."""
    for cull, ccw, turned, flipped in itertools.product(('none', 'front', 'back', 'front_and_back'), (True, False), (True, False), (True, False)):
        corners = [(at(x, y), (1.0, 1.0, 1.0, 1.0)) for x, y in ((0, 16), (32, 16), (0, -16))]  # counter-clockwise on the picture
        if turned:
            corners.reverse()
        seen_ccw = turned == flipped
        front = seen_ccw == ccw
        shown = cull == 'none' or cull == ('back' if front else 'front')
        state = f'rasterizer {{ cull_face {cull}; front_ccw {"on" if ccw else "off"} }}\n'
        if flipped:
            state += 'dynamic { viewport scale 8 8 0.5 translate 8 8 0.5 }\n'
        expect = ['pixel t 1 8 = ' + (WHITE if shown else '0 0 0 0')]
        yield f'{cull} {ccw} {turned} {flipped}', drawn(corners, 'triangles', state, expect)


# ---- blending and stencil --------------------------------------------------------------------------------------------

SOURCE, STORED, CONSTANT = (0.25, 0.5, 0.75, 0.5), (0.5, 0.25, 1.0, 0.75), (0.125, 0.375, 0.625, 0.875)


def factor(name, component):
    """GL table 17.2."""
    if name.startswith('inv_'):
        return 1 - factor(name[4:], component)
    alpha = {'src_alpha': SOURCE[3], 'dst_alpha': STORED[3], 'const_alpha': CONSTANT[3]}
    color = {'src_color': SOURCE, 'dst_color': STORED, 'const_color': CONSTANT}
    if name == 'src_alpha_saturate':
        return min(SOURCE[3], 1 - STORED[3]) if component < 3 else 1
    return {'zero': 0, 'one': 1}.get(name, alpha.get(name, color[name][component] if name in color else None))


FACTORS = ['zero', 'one', 'src_alpha_saturate'] + [f'{inv}{name}' for inv in ('', 'inv_') for name in ('src_color', 'src_alpha', 'dst_alpha', 'dst_color', 'const_color', 'const_alpha')]
EQUATIONS = {'add': lambda s, d, a, b: s * a + d * b, 'subtract': lambda s, d, a, b: s * a - d * b, 'reverse_subtract': lambda s, d, a, b: d * b - s * a,
             'min': lambda s, d, a, b: min(s, d), 'max': lambda s, d, a, b: max(s, d)}


def blending():
    """Each factor of the source and of the destination, with each equation (GL 17.3.6), in a float buffer."""
    cases = [(equation, f, 'one') for equation in EQUATIONS for f in FACTORS] + [(equation, 'one', f) for equation in EQUATIONS for f in FACTORS if f != 'one']
    for equation, source, destination in cases:
        result = [EQUATIONS[equation](SOURCE[i], STORED[i], factor(source, i), factor(destination, i)) for i in range(4)]
        state = 'clear color ' + ' '.join(map(str, STORED)) + '\ndynamic { blend_color ' + ' '.join(map(str, CONSTANT)) + ' }\n' + \
            f'blend {{ target 0 {{ color_equation {equation}; alpha_equation {equation}; color_source {source}; alpha_source {source}; color_destination {destination}; alpha_destination {destination} }} }}\n'
        yield f'{equation} {source} {destination}', drawn(quad(0, 0, 16, 16, SOURCE), 'triangles', state, ['all t = ' + ' '.join(map(repr, result)) + ' tolerance 0.000001'], extra='format R32G32B32A32_FLOAT')


STENCIL = {'keep': lambda old, ref: old, 'zero': lambda old, ref: 0, 'replace': lambda old, ref: ref, 'incr': lambda old, ref: min(old + 1, 255), 'decr': lambda old, ref: max(old - 1, 0),
           'incr_wrap': lambda old, ref: (old + 1) % 256, 'decr_wrap': lambda old, ref: (old - 1) % 256, 'invert': lambda old, ref: old ^ 255}


def stencil():
    """Functions and operations (GL 17.3.3) with masks; where the test fails, where depth fails, where both pass."""
    def case(function, operation, old, reference, value_mask, write_mask, depth_passes):
        passes = COMPARES[function](reference & value_mask, old & value_mask)
        new = STENCIL[operation](old, reference) & write_mask | old & ~write_mask & 255
        words = {'pass': 'keep', 'fail': 'keep', 'depth_fail': 'keep', 'pass' if passes and depth_passes else 'depth_fail' if passes else 'fail': operation}
        members = '; '.join(f'{name} {word}' for name, word in words.items())
        state = f'clear depth 0.5 stencil {old}\ndepth_stencil_alpha {{ depth_enabled on; depth_function less; stencil front {{ function {function}; {members}; value_mask {value_mask}; write_mask {write_mask} }} }}\ndynamic {{ stencil_reference {reference} }}\n'
        expect = ['all t = ' + (WHITE if passes and depth_passes else '0 0 0 0'), f'stencil all s = {new}']
        return f'{function} {operation} {old} {reference} {value_mask} {write_mask} {depth_passes}', drawn(
            quad(0, 0, 16, 16, (1.0, 1.0, 1.0, 1.0), -0.5 if depth_passes else 0.5), 'triangles', state, expect, 'texture s { size 16 16; format Z24_UNORM_S8_UINT }\n', targets='color 0 t\ndepth_stencil s\n')
    for function, old in itertools.product(COMPARES, (4, 5, 6)):
        yield case(function, 'invert', old, 5, 255, 255, True)
    for operation, old, depth_passes in itertools.product(STENCIL, (0, 255, 7), (True, False)):
        yield case('always', operation, old, 9, 255, 255, depth_passes)
    for operation in STENCIL:
        yield case('never', operation, 7, 9, 255, 255, True)
        yield case('equal', operation, 0xf3, 0x03, 0x0f, 0x3c, True)


tap.run([(function.__name__.replace('_', ' '), lambda function=function, least=least: all_hold(function(), least)) for function, least in (
    (unlabelled, 7), (provoking, 28), (depth, 96), (depth_clip, 16), (clip_planes, 38), (behind, 3), (points, 24), (lines, 48), (sample_masks, 30), (edges, 144), (alpha_to_coverage, 36),
    (faces, 32), (blending, 145), (stencil, 88), (stipples, 30), (sprites, 8), (restarts, 12), (logic, 32), (masks, 16), (layers, 4))])
