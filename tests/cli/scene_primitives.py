#!/usr/bin/env python3
"""What becomes of primitives between vertices and pixels, as scenes on both engines: the sides of the view volume,
viewports of Direct3D and of positions in the window, quadrilaterals and polygons as a whole, what stream output captures,
the register of FACE. What each must draw is worked out here, from the text of OpenGL 4.6 (GL), Direct3D 11.3 (D3D) and
tgsi.rst."""
import functools
import itertools

import command as c
from rendering import holds
import tap

WHITE, BLACK = '1 1 1 1', '0 0 0 0'
VS = 'shader v vertex {\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n}\n'
FS = 'shader f fragment {\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n}\n'
# Direct3D's: the property stands for its rules.
D3D = VS.replace('VERT\n', 'VERT\nPROPERTY D3D_RULES 1\n') + FS.replace('FRAG\n', 'FRAG\nPROPERTY D3D_RULES 1\n')
WINDOW = VS.replace('VERT\n', 'VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\n') + FS
SIZE, FIRST, LAST = 16, 4, 12  # the viewport is 8 x 8 pixels in the middle


@functools.lru_cache
def engines():
    return ('interp', 'jit') if c.compiles() else ('interp',)


def both(text, name):
    return [f'{engine}: {finding}' for engine in engines() for finding in holds(text, name, '--engine', engine)]


def mesh(places, name='m'):
    return f'mesh {name} {{ p float4; vertices {{ ' + '  '.join(' '.join(map(repr, place)) for place in places) + ' } }\n'


def at(x, y, z=0.0, w=1.0):
    """Clip coordinates of a place in pixels, in the viewport."""
    return (((x - FIRST) / 4 - 1) * w, (1 - (y - FIRST) / 4) * w, z * w, w)


def scene(places, primitive, expect, rasterizer='', shaders=VS + FS, texture='', dynamic='viewport 4 4 8 8', more='', before=''):
    return f'texture t {{ size {SIZE} {SIZE}; {texture} }}\n' + before + shaders + mesh(places) + f'pass {{\ncolor 0 t\ndynamic {{ {dynamic} }}\nrasterizer {{ {rasterizer} }}\n{more}use v f\ndraw {primitive} mesh m\n}}\n' + \
        ''.join(f'expect {line}\n' for line in expect)


def picture(lit, size=SIZE):
    """Expectations of all pixels: white where `lit`, else black."""
    expect = []
    for y in range(size):
        x = 0
        for key, group in itertools.groupby(bool(lit(x, y)) for x in range(size)):
            count = len(list(group))
            expect.append(f'rect t {x} {y} {count} 1 = ' + (WHITE if key else BLACK))
            x += count
    return expect


def within(x, y):
    return FIRST <= x < LAST and FIRST <= y < LAST


def all_hold(cases, least):
    cases = list(cases)
    return [finding for name, text in cases for finding in both(text, name)] + ([] if len(cases) >= least else [f'{len(cases)} cases'])


# ---- the sides of the view volume ------------------------------------------------------------------------------------

# Ways to draw the line between two places.
GS = 'shader g geometry {\nGEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\nPROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n' \
    'MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n}\n'


def line_kinds():
    """Name, what draws the line from a to b, whether it is a column of pixels wide."""
    yield 'lines', lambda a, b, expect, state: scene([a, b], 'lines', expect, state)
    yield 'line_loop', lambda a, b, expect, state: scene([a, b], 'line_loop', expect, state)
    yield 'adjacency', lambda a, b, expect, state: scene([a, a, b, b], 'lines_adjacency', expect, state)
    yield 'geometry', lambda a, b, expect, state: scene([a, b], 'lines', expect, state, VS + FS + GS, more='use g\n')
    yield 'outline', lambda a, b, expect, state: scene([a, b, b], 'triangles', expect, 'fill_front line; fill_back line; ' + state)
    yield 'rectangular', lambda a, b, expect, state: scene([a, b], 'lines', expect, 'line_rectangular on; ' + state)
    yield 'multisample', lambda a, b, expect, state: scene([a, b], 'lines', expect, 'multisample on; ' + state, texture='samples 4;')


def lines():
    """A segment outside of the volume is discarded, of one that crosses it the part inside is drawn (GL 13.7). Across the
    middle of a row of pixels: columns 4 to 11 are inside, and the last one of them, whose centre the line passes, too."""
    for name, draw in line_kinds():
        across = [at(0.5, 7.5), at(15.5, 7.5)]
        for turn in (False, True):
            a, b = reversed(across) if turn else across
            yield f'{name} across {turn}', draw(a, b, picture(lambda x, y: within(x, y) and y == 7), '')
            a, b = [at(y, x) for x, y in ((0.5, 7.5), (15.5, 7.5))][::-1 if turn else 1]
            yield f'{name} down {turn}', draw(a, b, picture(lambda x, y: within(x, y) and x == 7), '')
        for outside in (3.5, 12.5):
            yield f'{name} beside {outside}', draw(at(5, outside), at(11, outside), picture(lambda x, y: False), '')
            yield f'{name} beyond {outside}', draw(at(outside, 5), at(outside, 11), picture(lambda x, y: False), '')
        # past the corner: both ends are outside, of different sides
        yield f'{name} past the corner', draw(at(1, 6.5), at(7.5, 0), picture(lambda x, y: False), '')


def wide_lines():
    """The segment is clipped, not what it is drawn as (GL 13.7, 14.5.2.2): of a wide line whose middle is inside what
    reaches past the viewport stays, and nothing of one whose middle is outside is drawn."""
    for state in ('line_width 5', 'line_width 5; line_rectangular on'):
        yield state + ' inside', scene([at(0.5, 4.5), at(15.5, 4.5)], 'lines', picture(lambda x, y: FIRST <= x < LAST and 2 <= y <= 6), state)
        yield state + ' outside', scene([at(0.5, 3.5), at(15.5, 3.5)], 'lines', picture(lambda x, y: False), state)
    lit = picture(lambda x, y: FIRST <= x < LAST and 2 <= y <= 6)
    yield 'smooth', scene([at(0.5, 4.5), at(15.5, 4.5)], 'lines', lit, 'line_width 5; line_smooth on')
    yield 'conservative', scene([at(0.5, 7.5), at(15.5, 7.5)], 'lines', picture(lambda x, y: FIRST - 1 <= x <= LAST and 6 <= y <= 8), 'conservative post_snap')


def sloped_lines():
    """The fragments of a line that is clipped are those of the whole line that it passes inside: with the same columns,
    whatever the sides are."""
    for a, b in (((1, 6.3), (15, 9.1)), ((15, 9.1), (1, 6.3)), ((2.2, 1), (13.7, 15)), ((13.7, 15), (2.2, 1)), ((1, 9.7), (9, 1.2)), ((5, 5), (14, 6.1)), ((7.3, 2), (8.1, 14))):
        (ax, ay), (bx, by) = a, b
        steep = abs(by - ay) > abs(bx - ax)

        def lit(x, y):
            s, t = (y, x) if steep else (x, y)
            (s0, t0), (s1, t1) = ((ay, ax), (by, bx)) if steep else ((ax, ay), (bx, by))
            passed = t0 + (t1 - t0) * (s + 0.5 - s0) / (s1 - s0)
            return min(s0, s1) < s + 0.5 < max(s0, s1) and int(passed) == t and FIRST <= s + 0.5 <= LAST and FIRST <= passed <= LAST
        rows = [line for line in picture(lit)]
        inside = all(FIRST <= v <= LAST for v in a) or all(FIRST <= v <= LAST for v in b)
        if not inside:  # where an end is inside the diamond of its pixel decides
            yield f'{a} {b}', scene([at(*a), at(*b)], 'lines', rows)
        yield f'{a} {b} bounded', scene([at(*a), at(*b)], 'lines', [f'rect t 0 0 16 4 = {BLACK}', f'rect t 0 12 16 4 = {BLACK}', f'rect t 0 4 4 8 = {BLACK}', f'rect t 12 4 4 8 = {BLACK}'])


def isolines():
    """Lines that tessellation makes, from u = 0 to 1 across the picture."""
    tcs = 'shader c tess_ctrl {\nTESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL OUT[0], TESSOUTER\nDCL OUT[1], TESSINNER\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nMOV OUT[1], IMM[0]\nEND\n}\n'
    tes = 'shader e tess_eval {\nTESS_EVAL\nPROPERTY TES_PRIM_MODE 1\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nIMM[0] FLT32 {3.5, -1.75, %r, 1}\nMAD OUT[0].x, SV[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0].y, IMM[0].zzzz\nMOV OUT[0].zw, IMM[0].wwww\nEND\n}\n'
    for y, lit in ((7, True), (3, False), (12, False)):
        shaders = VS + FS + tcs + tes % at(0, y + 0.5)[1]
        yield f'row {y}', scene([at(8, 8)], 'patches', picture(lambda x, row: lit and within(x, row) and row == y), shaders=shaders, dynamic='viewport 4 4 8 8; patch_vertices 1', more='use c e\n')


def points():
    """A point whose centre is outside of the view volume is discarded (OpenGL ES 3.0 2.17; GL 13.7 allows it); one that is
    inside is drawn as a whole. Sprites that are clipped as squares (point_tri_clip) are bounded by the viewport."""
    outside = [at(x, y) for x, y in ((3.5, 7.5), (12.5, 7.5), (7.5, 3.5), (7.5, 12.5), (3.5, 3.5))]
    for state in ('', 'point_size 5', 'point_size 5; point_quad_rasterization on', 'point_size 5; point_smooth on'):
        yield f'{state} outside', scene(outside, 'points', picture(lambda x, y: False), state)
        yield f'{state} corners', scene([outside[0], outside[1], outside[4]], 'triangles', picture(lambda x, y: False), 'fill_front point; fill_back point; ' + state)
    for state in ('point_size 5', 'point_size 5; point_quad_rasterization on'):
        yield f'{state} inside', scene([at(4.5, 7.5)], 'points', picture(lambda x, y: 2 <= x <= 6 and 5 <= y <= 9), state)
        yield f'{state} corner', scene([at(4.5, 7.5)] * 3, 'triangles', picture(lambda x, y: 2 <= x <= 6 and 5 <= y <= 9), 'fill_front point; fill_back point; ' + state)
    square = 'point_size 5; point_quad_rasterization on; point_tri_clip on'
    yield 'square inside', scene([at(4.5, 7.5)], 'points', picture(lambda x, y: 4 <= x <= 6 and 5 <= y <= 9), square)
    yield 'square outside', scene([at(3.5, 7.5)], 'points', picture(lambda x, y: 4 <= x <= 5 and 5 <= y <= 9), square)
    many = scene(outside, 'points', picture(lambda x, y: False), 'multisample on; point_size 5', texture='samples 4;')
    yield 'multisampled outside', many


def direct3d():
    """Rendering never touches what is outside of the viewport (D3D 15.6), whose edges are rounded down to pixels (15.7)."""
    for state in ('line_width 5', 'line_width 5; line_rectangular on', 'line_width 5; line_smooth on'):
        yield state, scene([at(0.5, 4.5), at(15.5, 4.5)], 'lines', picture(lambda x, y: within(x, y) and y <= 6), state, D3D)
    for state in ('point_size 5', 'point_size 5; point_quad_rasterization on'):
        yield state, scene([at(4.5, 11.5)], 'points', picture(lambda x, y: within(x, y) and x <= 6 and y >= 9), state, D3D)
    yield 'point', scene([at(3.5, 7.5), at(12.5, 7.5), at(5.5, 5.5)], 'points', picture(lambda x, y: x == y == 5), '', D3D)
    yield 'outline', scene([at(5.5, 5.5), at(20.5, 5.5), at(5.5, 20.5)], 'triangles', picture(lambda x, y: within(x, y) and min(x, y) == 5), 'fill_front line; fill_back line', D3D)
    parts = 'viewport scale 4.25 -4.25 0.5 translate 8 8 0.5'  # from 3.75 to 12.25: pixels 3 to 11
    yield 'parts of pixels', scene([(-2.0, 0.125, 0.0, 1.0), (2.0, 0.125, 0.0, 1.0)], 'lines', picture(lambda x, y: 3 <= x < 12 and y == 7), '', D3D, dynamic=parts)


def history():
    """Events of a pixel follow what is drawn: the line has none where it is clipped away."""
    text = scene([at(0.5, 7.5), at(15.5, 7.5)], 'lines', [])
    def events(x):
        done = c.run('render', '-', '--explain-pixel', f'{x},7', stdin=text)
        return done.stdout.decode().count('line')
    return [] if (events(5) > 0, events(2), events(13)) == (True, 0, 0) else [f'{events(5)} {events(2)} {events(13)}']


# ---- positions in the window -----------------------------------------------------------------------------------------

def window_space():
    """VS_WINDOW_SPACE_POSITION: "the viewport transformation [is] disabled. Naturally, clipping is not performed on window
    coordinates either" (tgsi.rst): the viewport has no part in what is drawn, neither in pixels nor in depth."""
    everything = [(0.0, 0.0, 0.75, 1.0), (0.0, 40.0, 0.75, 1.0), (40.0, 0.0, 0.75, 1.0)]
    for viewport in ('viewport 4 4 8 8', 'viewport scale 0 0 0 translate 0 0 0', 'viewport 100 100 8 8', 'viewport scale 0.3 0.3 0.1 translate 7.7 7.7 0.1'):
        for clamp in ('off', 'on'):
            depth = 'texture d { size 16 16; format Z32_FLOAT }\n'
            state = 'depth_stencil d\nclear depth 1\ndepth_stencil_alpha { depth_enabled on; depth_writes on; depth_function less }\n'
            yield f'{viewport} {clamp}', scene(everything, 'triangles', [f'all t = {WHITE}', 'depth all d = 0.75'], f'depth_clamp {clamp}', WINDOW, dynamic=viewport, more=state, before=depth)
        yield f'{viewport} line', scene([(0.5, 7.5, 0.5, 1.0), (16.5, 7.5, 0.5, 1.0)], 'lines', picture(lambda x, y: y == 7), '', WINDOW, dynamic=viewport)
        yield f'{viewport} point', scene([(13.5, 1.5, 0.5, 1.0)], 'points', picture(lambda x, y: (x, y) == (13, 1)), '', WINDOW, dynamic=viewport)
        yield f'{viewport} samples', scene(everything, 'triangles', [f'all t = {WHITE}'], 'multisample on', WINDOW, 'samples 4;', viewport)
        yield f'{viewport} scissor', scene(everything, 'triangles', picture(lambda x, y: 2 <= x < 5 and 3 <= y < 7), 'scissor on', WINDOW, dynamic=viewport + '; scissor 2 3 5 7')


# ---- quadrilaterals and polygons -------------------------------------------------------------------------------------

# Corners of a square, in the middles of pixels: filled it has pixels 5 to 9, its outline is in pixels 5 and 10. The first
# triangle of the polygon has no area, nor has that of the quadrilateral whose first corner is there twice.
SQUARE = [(5.5, 5.5), (5.5, 10.5), (10.5, 10.5), (10.5, 5.5)]
SHAPES = {'quads': (SQUARE, 'quads'), 'quad_strip': ([SQUARE[0], SQUARE[1], SQUARE[3], SQUARE[2]], 'quad_strip'),
          'polygon': ([(5.5, 5.5), (5.5, 8.5), *SQUARE[1:]], 'polygon')}


def filled(x, y):
    return 5 <= x < 10 and 5 <= y < 10


def outline(x, y):
    return 5 <= x <= 10 and 5 <= y <= 10 and not (5 < x < 10 and 5 < y < 10)


def cull_distances():
    """"If the cull distance for any enabled cull half-space is negative for all of the vertices of the primitive under
    consideration, the primitive is discarded" (GL 13.7): a quadrilateral or polygon is one. Its viewport may be another
    one than its vertices' own."""
    one = 'shader v vertex {\nVERT\nPROPERTY NUM_CULLDIST_ENABLED 1\nPROPERTY NUM_CLIPDIST_ENABLED 0\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], CLIPDIST\nMOV OUT[0], IN[0]\nMOV OUT[1].x, IN[1].xxxx\nEND\n}\n'
    several = one.replace('MOV OUT[0]', 'DCL OUT[2], VIEWPORT_INDEX\nF2U OUT[2].x, IN[1].yyyy\nMOV OUT[0]')
    for (name, (corners, primitive)), (shader, viewports), fill in itertools.product(SHAPES.items(), ((one, 'viewport 4 4 8 8'), (several, 'viewport 0 0 1 1; viewport index 1 4 4 8 8')), ('solid', 'line')):
        provoking = {'quads': 3, 'quad_strip': 3, 'polygon': 0}[name]
        for inside in (*range(len(corners)), None):
            rows = '  '.join(' '.join(map(repr, (*at(*corner), 1 if n == inside else -1, n == provoking and 1 or 0))) for n, corner in enumerate(corners))
            lit = (lambda x, y: False) if inside is None else filled if fill == 'solid' else outline
            text = scene([], primitive, picture(lit), f'fill_front {fill}; fill_back {fill}', shader + FS, dynamic=viewports)
            yield f'{name} {inside} {fill} {viewports}', text.replace(mesh([]), f'mesh m {{ p float4; d float2; vertices {{ {rows} }} }}\n')


def faces():
    """The face is that of the polygon, by its area (GL 14.6.1), for culling, polygon modes and FACE: whatever triangles it
    is cut into, where it begins, and whether it is clipped."""
    shapes = dict(SHAPES)
    shapes['pole'] = ([SQUARE[0], SQUARE[0], SQUARE[1], SQUARE[2]], 'quads')
    shapes['last pole'] = ([SQUARE[1], SQUARE[2], SQUARE[0], SQUARE[0]], 'quads')
    for name, (corners, primitive) in shapes.items():
        for turn, cull, ccw, fill in itertools.product(range(len(corners) if primitive != 'quad_strip' else 1), ('front', 'back'), ('on', 'off'), ('solid', 'line', 'point')):
            turned = [at(*corner) for corner in corners[turn:] + corners[:turn]]
            front = ccw == 'on'  # they go round counter-clockwise on the picture
            shown = cull == ('back' if front else 'front')
            state = f'cull_face {cull}; front_ccw {ccw}; fill_front {fill}; fill_back {fill}'
            spots = {'solid': (6, 9), 'line': (5, 7), 'point': (5, 5)}
            expect = [f'pixel t {spots[fill][0]} {spots[fill][1]} = {WHITE}'] if shown else picture(lambda x, y: False)
            if shown and fill == 'line' and 'pole' not in name:
                expect = picture(outline)
            yield f'{name} {turn} {state}', scene(turned, primitive, expect, state)


# A dart, whose corner c is inside of the triangle a, b, d: one of the triangles that it is cut into from b or d turns the
# other way.
DART = [(4.5, 4.5), (5.5, 11.5), (6.5, 6.5), (11.5, 5.5)]
SHOWS_FACE = VS + 'shader f fragment {\nFRAG\nDCL IN[0], FACE, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xxxx\nEND\n}\n'
SIDES = 'shader v vertex {\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\nIMM[0] FLT32 {1, -1, 0, 0}\nMOV OUT[0], IN[0]\nMOV OUT[1], IMM[0].xxxx\nMOV OUT[2], IMM[0].yyyy\nEND\n}\nshader f fragment {\nFRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n}\n'


def turned_triangles():
    """All triangles of a dart have its face, in FACE, COLOR and BCOLOR (GL 12.2.1), culling and stencil; also where clipping
    cuts some of them, and in a viewport of their own."""
    white = 'format R32G32B32A32_FLOAT'
    for turn, ccw, primitive, cut in itertools.product(range(4), ('on', 'off'), ('quads', 'polygon'), (False, True)):
        corners = DART[turn:] + DART[:turn]
        turned = [at(x, y, -1.5 if cut and (x, y) == (4.5, 4.5) else 0.0) for x, y in corners]
        value = '1 1 1 1' if ccw == 'on' else '-1 -1 -1 -1'
        name, spot = f'{turn} {ccw} {primitive} {cut}', '7 7' if turn % 2 else '5 6'
        yield f'{name} FACE', scene(turned, primitive, [f'pixel t {spot} = {value}'], f'front_ccw {ccw}', SHOWS_FACE, white)
        yield f'{name} BCOLOR', scene(turned, primitive, [f'pixel t {spot} = {value}'], f'front_ccw {ccw}; light_twoside on', SIDES, white)
        own = 'front' if ccw == 'on' else 'back'
        yield f'{name} culled', scene(turned, primitive, picture(lambda x, y: False), f'front_ccw {ccw}; cull_face {own}')
        stencil = 'depth_stencil s\nclear depth 1 stencil 7\ndepth_stencil_alpha { stencil front { function always; pass replace }; stencil back { function always; pass zero } }\ndynamic { viewport 4 4 8 8; stencil_reference 1 1 }\n'
        yield f'{name} stencil', scene(turned, primitive, [f'stencil pixel s {spot} = {1 if ccw == "on" else 0}'], f'front_ccw {ccw}', more=stencil, before='texture s { size 16 16; format Z24_UNORM_S8_UINT }\n')
    crossed = [at(x, y) for x, y in ((5.5, 5.5), (5.5, 10.5), (10.5, 5.5), (10.5, 10.5))]  # without area: a back face
    yield 'crossed', scene(crossed, 'quads', picture(lambda x, y: False), 'cull_face back')
    yield 'crossed, shown', scene(crossed, 'quads', [f'pixel t 9 9 = {WHITE}'], 'cull_face front')


def many_polygons():
    """Polygons of three hundred corners, more than chunks of vertices hold: each is drawn once, or culled, as a whole. The
    first triangle of each has no area, the second one turns the other way."""
    import math
    one = [(8 + 2.75 * math.cos(a), 8 - 2.75 * math.sin(a)) for a in (2 * math.pi * n / 296 for n in range(296))]
    corners = [one[0], one[0], one[2], one[1], *one[3:]]
    vertices = [at(*corner) for corner in corners]
    indices = ' 65535 '.join(' '.join(map(str, range(len(vertices)))) for _ in range(150))
    text = f'texture t {{ size {SIZE} {SIZE}; format R32_FLOAT }}\n' + VS + FS + mesh(vertices).replace('vertices {', f'indices {{ {indices} }}\nvertices {{')
    for cull, count in (('front', 0), ('back', 150), ('none', 150)):
        yield cull, text + f'pass {{\ncolor 0 t\ndynamic {{ viewport 4 4 8 8 }}\nrasterizer {{ front_ccw on; cull_face {cull} }}\nblend {{ target 0 {{ color_equation add; color_source one; color_destination one }} }}\nuse v f\ndraw polygon mesh m restart 65535\n}}\nexpect pixel t 8 8 = {count}\n'


# ---- the register of FACE --------------------------------------------------------------------------------------------

def face_registers():
    """"If it is an input, it will be a floating-point vector in the form (F, 0, 0, 1) ... If it is a system value, it will be
    an integer vector in the form (F, 0, 0, 1)" (tgsi.rst)."""
    places = [at(-8, 0), at(0, 40), at(40, 0)]
    for what, one in (('DCL IN[0], FACE, CONSTANT', 0x3f800000), ('DCL SV[0], FACE', 1)):
        register = what[4:9].rstrip(',')
        for ccw in ('on', 'off'):
            front = ccw == 'on'
            first = (0x3f800000 if front else 0xbf800000) if 'IN' in what else (0xffffffff if front else 0)
            for swizzle in ('xyzw', 'wzyx', 'yyww'):
                words = [{'x': first, 'y': 0, 'z': 0, 'w': one}[letter] for letter in swizzle]
                shaders = VS + f'shader f fragment {{\nFRAG\n{what}\nDCL OUT[0], COLOR\nMOV OUT[0], {register}.{swizzle}\nEND\n}}\n'
                yield f'{register} {ccw} {swizzle}', scene(places, 'triangles', ['rect t 4 4 8 8 = ' + ' '.join(map(str, words))], f'front_ccw {ccw}', shaders, 'format R32G32B32A32_UINT')


# ---- stream output ---------------------------------------------------------------------------------------------------

def captured_colors():
    """"The vertices are fed back after vertex color clamping, but before flatshading and clipping" (GL 13.3): COLOR and
    BCOLOR of every stream are clamped, as they are without a fragment program that reads them; nothing else is, nor do
    faces and provoking vertices have a part in it. A NaN is 0 (D3D 3.1.3.5)."""
    values, clamped = '{2, -1, 0.5, 3}', '1 0 0.5 1'
    vs = f'shader v vertex {{\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\nDCL OUT[3], GENERIC[0]\nDCL OUT[4], PSIZE\nIMM[0] FLT32 {values}\nIMM[1] FLT32 {{1e9, 0, 0, 0}}\nMOV OUT[0], IN[0]\nMOV OUT[1], IMM[0]\nMOV OUT[2], IMM[0].wzyx\nMOV OUT[3], IMM[0]\nMOV OUT[4].x, IMM[1].xxxx\nEND\n}}\n'
    read = 'shader f fragment {\nFRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n}\n'
    for fragment, clamp, state in itertools.product((FS, read), ('on', 'off'), ('', 'flatshade on', 'light_twoside on')):
        words = ' '.join((clamped if clamp == 'on' else '2 -1 0.5 3', '1 0.5 0 1' if clamp == 'on' else '3 0.5 -1 2', '2 -1 0.5 3 1000000000'))
        before = 'buffer o 52\nstream_target s o\nstream_output so { output 1; output 2; output 3; output 4 x }\n'
        yield f'{clamp} {state} {fragment is FS}', scene([at(8, 8)], 'points', [f'buffer o {{ float {words} }}'], f'clamp_vertex_color {clamp}; {state}', vs + fragment, more='use v f so\nstream 0 s\n', before=before).replace('use v f\n', '')
    gs = 'shader g geometry {\nGEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR, STREAM(1,1,1,1)\nDCL OUT[2], GENERIC[0], STREAM(1,1,1,1)\nIMM[0] FLT32 ' + values + '\nIMM[1] UINT32 {0, 1, 0, 0}\nMOV OUT[1], IMM[0]\nMOV OUT[2], IMM[0]\nEMIT IMM[1].yyyy\nMOV OUT[0], IMM[0]\nEMIT IMM[1].xxxx\nEND\n}\n'
    for clamp in ('on', 'off'):
        before = 'buffer o 32\nstream_target s o\nstream_output so { output 1 stream 1; output 2 stream 1 }\n'
        yield f'stream 1 {clamp}', scene([at(8, 8)], 'points', [f'buffer o {{ float {clamped if clamp == "on" else "2 -1 0.5 3"} 2 -1 0.5 3 }}'], f'clamp_vertex_color {clamp}', VS + gs + FS, more='use v g f so\nstream 0 s\n', before=before).replace('use v f\n', '')


tap.run([(function.__name__.replace('_', ' '), lambda function=function, least=least: all_hold(function(), least)) for function, least in (
    (lines, 60), (wide_lines, 6), (sloped_lines, 10), (isolines, 3), (points, 14), (direct3d, 7), (window_space, 24), (cull_distances, 56),
    (faces, 200), (turned_triangles, 130), (many_polygons, 3), (face_registers, 12), (captured_colors, 14))] + [('history', history)])
