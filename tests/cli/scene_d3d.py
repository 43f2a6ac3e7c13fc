#!/usr/bin/env python3
"""Draws of Direct3D's programs, where Direct3D 11.3 (D3D) has other rules than OpenGL 4.6 (GL): docs/pipeline.md,
"Direct3D". Each rule is tried with a program of Direct3D and, with the same state, with one of TGSI, which has OpenGL's.
What must be drawn is worked out from the texts; both engines draw it."""
import itertools
import math
import struct

import command as c
from rendering import PATTERNS, WHITE, at, holds, mesh, rows_of
import tap

D3D_VS = 'shader v vertex d3d {\nvs_5_0\ndcl_input v0.xyzw\ndcl_input v1.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\nmov o0.xyzw, v0.xyzw\nmov o1.xyzw, v1.xyzw\nret\n}\n'
GL_VS = 'shader v vertex {\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n}\n'
BLACK = '0 0 0 0'
ONES = (1.0, 1.0, 1.0, 1.0)
FLOATS = 'format R32G32B32A32_FLOAT'


def d3d(declarations, code):
    """Both programs of Direct3D; the colour of the vertices is v1."""
    return D3D_VS + 'shader f fragment d3d {\nps_5_0\n' + declarations + code + 'ret\n}\n'


def gl(declarations, code):
    return GL_VS + 'shader f fragment {\nFRAG\n' + declarations + code + 'END\n}\n'


D3D_COLOR = 'dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\n'
GL_COLOR = 'DCL IN[0], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n'
PLAIN = {'d3d': d3d(D3D_COLOR, 'mov o0.xyzw, v1.xyzw\n'), 'gl': gl(GL_COLOR, 'MOV OUT[0], IN[0]\n')}
COLORED = {'d3d': d3d('dcl_output o0.xyzw\n', 'mov o0.xyzw, l(1.0,1.0,1.0,1.0)\n'), 'gl': gl('DCL OUT[0], COLOR\nIMM[0] FLT32 { 1, 1, 1, 1 }\n', 'MOV OUT[0], IMM[0]\n')}


def everything(z=0.0, color=ONES, size=16):
    """A triangle around the picture."""
    return [((-1.0, -1.0, z, 1.0), color), ((3.0, -1.0, z, 1.0), color), ((-1.0, 3.0, z, 1.0), color)]


def quad(left, top, right, bottom, color=ONES, size=16):
    a, b, d, e = (at(x, y, size) for x, y in ((left, top), (right, top), (left, bottom), (right, bottom)))
    return [(place, color) for place in (a, d, b, b, d, e)]


def drawn(shaders, vertices, expect, state='', primitive='triangles', extra='', size=16, before='', targets='color 0 t\n', rasterizer=''):
    return (f'texture t {{ size {size} {size}; {extra} }}\n' + before + shaders + mesh(vertices) + 'pass {\n' + targets +
            f'rasterizer {{ clip_halfz on; {rasterizer} }}\n' + state + f'use v f\ndraw {primitive} mesh m\n}}\n' + ''.join(f'expect {line}\n' for line in expect))


def all_hold(cases, least):
    """`least`: how many cases there are at least."""
    cases = list(cases)
    engines = [('--engine', engine) for engine in (('interp', 'jit') if c.compiles() else ('interp',))]
    return [finding for name, text in cases for engine in engines for finding in holds(text, f'{name} {engine[1]}', *engine)] + ([] if len(cases) >= least else [f'{len(cases)} cases'])


# ---- depth -----------------------------------------------------------------------------------------------------------

UNCLIPPED = 'depth_clip_near off; depth_clip_far off; '


def position_z():
    """D3D 15.6, 16.3.1: z of position does not reflect the clamp of depth to the viewport's range."""
    shaders = {'d3d': d3d('dcl_input_ps_siv linear noperspective v0.xyzw, position\ndcl_output o0.xyzw\n', 'mov o0.xyzw, v0.xyzw\n'),
               'gl': gl('DCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n', 'MOV OUT[0], IN[0]\n')}
    for rules, z, clamp in itertools.product(shaders, (1.75, -0.75, 0.5), ('on', 'off')):
        seen = z if rules == 'd3d' else min(max(z, 0), 1)
        yield f'{rules} {z} {clamp}', drawn(shaders[rules], everything(z), [f'all t = _ _ {seen} 1'], extra=FLOATS, rasterizer=UNCLIPPED + f'depth_clamp {clamp}')


def position_w():
    """D3D 16.3: "w is the reciprocal of the linearly interpolated 1/w value"; gl_FragCoord.w is 1/w (GL 15.2.2)."""
    shaders = {'d3d': d3d('dcl_input_ps_siv linear noperspective v0.xyzw, position\ndcl_output o0.xyzw\n', 'mov o0.xyzw, v0.xyzw\n'),
               'gl': gl('DCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n', 'MOV OUT[0], IN[0]\n')}
    for rules, w in itertools.product(shaders, (4.0, 0.5)):
        around = [(tuple(v * w for v in place), color) for place, color in everything(0.25)]
        yield f'{rules} {w}', drawn(shaders[rules], around, [f'all t = _ _ 0.25 {w if rules == "d3d" else 1 / w}'], extra=FLOATS)


def clamped_depth():
    """D3D 15.4, 15.6, 17.10: depth is always clamped to the range of the viewport, wherever it comes from; a NaN is the
    lower end (3.1). OpenGL clamps so with DEPTH_CLAMP alone."""
    written = {'d3d': lambda z: d3d('dcl_output o0.xyzw\ndcl_output oDepth\n', f'mov o0.xyzw, l(1.0,1.0,1.0,1.0)\nmov oDepth, l({z})\n'),
               'gl': lambda z: gl(f'DCL OUT[0], COLOR\nDCL OUT[1], POSITION\nIMM[0] FLT32 {{ {z}, 1, 1, 1 }}\n', 'MOV OUT[0], IMM[0].yyyy\nMOV OUT[1].z, IMM[0].xxxx\n')}
    state = 'clear depth 0.5\ndepth_stencil_alpha { depth_enabled on; depth_writes on; depth_function always }\ndynamic { viewport 0 0 16 16 depth 0.25 0.75 }\n'
    for rules, z, form in itertools.product(('d3d', 'gl'), (3.0, -3.0, 0.5), ('Z32_FLOAT', 'Z32_UNORM')):
        low, high = (0.25, 0.75) if rules == 'd3d' else (0, 1)
        for name, shaders, window in (('interpolated', COLORED[rules], 0.25 + z / 2), ('written', written[rules](z), z)):
            yield f'{rules} {z} {form} {name}', drawn(shaders, everything(z), [f'depth all d = {min(max(window, low), high)} tolerance 0.000001'], state, before=f'texture d {{ size 16 16; format {form} }}\n',
                                                      targets='color 0 t\ndepth_stencil d\n', rasterizer=UNCLIPPED)
    yield 'nan', drawn(written['d3d']('0x7fc00000'), everything(), ['depth all d = 0.25'], state, before='texture d { size 16 16; format Z32_FLOAT }\n', targets='color 0 t\ndepth_stencil d\n')


def same_depth():
    """D3D 16.3.1: a program that reads z of position and writes it to oDepth changes nothing."""
    reading = 'shader r fragment d3d {\nps_5_0\ndcl_input_ps_siv linear noperspective v0.xyzw, position\ndcl_output o0.xyzw\ndcl_output oDepth\nmov o0.xyzw, l(1.0,1.0,1.0,1.0)\nmov oDepth, v0.z\nret\n}\n'
    corners = [((-1.0, -1.0, 0.131, 1.0), ONES), ((3.0, -1.0, 0.977, 1.0), ONES), ((-1.0, 3.0, 0.673, 1.0), ONES)]
    for form, first in itertools.product(('Z16_UNORM', 'Z24_UNORM_S8_UINT', 'Z24X8_UNORM', 'Z32_UNORM', 'Z32_FLOAT'), ('f', 'r')):
        state = 'depth_stencil_alpha { depth_enabled on; depth_writes on; depth_function always }\n' + f'use v {first}\ndraw triangles mesh m\nclear color 0 0 0 0\n' + 'depth_stencil_alpha { depth_enabled on; depth_function equal }\n'
        text = drawn(COLORED['d3d'] + reading, corners, [f'all t = {WHITE}'], state, size=64, before=f'texture d {{ size 64 64; format {form} }}\n', targets='color 0 t\ndepth_stencil d\n')
        yield f'{form} {first}', text if first == 'r' else text.replace('use v f\ndraw triangles mesh m\n}', 'use v r\ndraw triangles mesh m\n}')


# ---- coverage --------------------------------------------------------------------------------------------------------

def input_coverage():
    """D3D 16.3.2: vCoverage is that of the pixel whether the program runs for each pixel or for each sample, and it is
    ANDed with SampleMask. gl_SampleMaskIn has the bits of the invocation's own samples (GL 15.2.2)."""
    reads = {'d3d': lambda own: d3d('dcl_input vCoverage\n' + ('dcl_input_ps_sgv constant v1.x, sampleIndex\n' if own else '') + 'dcl_output o0.xyzw\n', 'mov o0.x, vCoverage.x\n' + f'mov o0.y, {"v1.x" if own else "l(9)"}\n' + 'mov o0.zw, l(0,0,0,0)\n'),
             'gl': lambda own: gl('DCL SV[0], SAMPLEMASK\n' + ('DCL SV[1], SAMPLEID\n' if own else '') + 'DCL OUT[0], COLOR\nIMM[0] UINT32 { 9, 0, 0, 0 }\n', f'MOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, {"SV[1]" if own else "IMM[0]"}.xxxx\nMOV OUT[0].zw, IMM[0].yyyy\n')}
    for rules, own, samples, mask, edge in itertools.product(reads, (True, False), (4, 8), (0xff, 0xfd), (3, 12)):
        whole = sum(1 << s for s, (x, _) in enumerate(PATTERNS[samples]) if 8 + x <= edge) & mask
        expect = []
        for s in range(samples):
            seen = f'{whole if rules == "d3d" or not own else 1 << s} {s if own else 9}'
            expect.append(f'pixel t 8 4 sample {s} = {seen if whole >> s & 1 else "0 0"}')
        yield f'{rules} {own} {samples} {mask:x} {edge}', drawn(reads[rules](own), quad(0, 0, 8 + (edge + 0.5) / 16, 16), expect, f'dynamic {{ sample_mask {mask} }}\n', extra=f'format R32G32B32A32_UINT; samples {samples}')


def covered(samples, mask):
    """Expectations of everything drawn with these samples left."""
    return [f'all t sample {s} = ' + (WHITE if mask >> s & 1 else BLACK) for s in range(samples)] if samples > 1 else ['all t = ' + (WHITE if mask & 1 else BLACK)]


def sample_mask():
    """D3D 17.17: always applied, "regardless of whether Multisample rendertargets are bound or not". GL 14.9.3: skipped
    where MULTISAMPLE is off or there is one sample."""
    for rules, samples, multisample, mask in itertools.product(('d3d', 'gl'), (1, 4), ('on', 'off'), (0, 2, 5, 0xffffffff)):
        left = mask if rules == 'd3d' or (samples > 1 and multisample == 'on') else 0xf
        yield f'{rules} {samples} {multisample} {mask:x}', drawn(COLORED[rules], everything(), covered(samples, left), f'dynamic {{ sample_mask {mask} }}\n', extra=f'samples {samples}', rasterizer=f'multisample {multisample}')


def output_mask():
    """D3D 16.9.4: oMask behaves like SampleMask, so it counts for one sample, too. GL 15.2.3 ignores gl_SampleMask where
    14.9.3 is skipped."""
    writes = {'d3d': lambda mask: d3d('dcl_output o0.xyzw\ndcl_output oMask\n', f'mov o0.xyzw, l(1.0,1.0,1.0,1.0)\nmov oMask, l({mask})\n'),
              'gl': lambda mask: gl(f'DCL OUT[0], COLOR\nDCL OUT[1], SAMPLEMASK\nIMM[0] FLT32 {{ 1, 1, 1, 1 }}\nIMM[1] UINT32 {{ {mask}, 0, 0, 0 }}\n', 'MOV OUT[0], IMM[0]\nMOV OUT[1].x, IMM[1].xxxx\n')}
    for rules, samples, multisample, mask in itertools.product(writes, (1, 4), ('on', 'off'), (0, 1, 2, 13)):
        left = mask if rules == 'd3d' or (samples > 1 and multisample == 'on') else 0xf
        yield f'{rules} {samples} {multisample} {mask}', drawn(writes[rules](mask), everything(), covered(samples, left), extra=f'samples {samples}', rasterizer=f'multisample {multisample}')


def alpha_to_coverage():
    """D3D 17.18: "alpha of 0 (or less) must map to no coverage and alpha of 1 (or greater) must map to full coverage", for
    n samples, 1 too; NaN is no coverage; it does not depend on the buffer's format, and oMask disables it. GL 17.3.1: of
    one sample, and of integers, alpha decides nothing."""
    for rules, samples, multisample, (alpha, full) in itertools.product(('d3d', 'gl'), (1, 4), ('on', 'off'), ((0.0, False), (-2.0, False), (1.0, True), (3.0, True))):
        decides = rules == 'd3d' or (samples > 1 and multisample == 'on')
        left = 0xf if full or not decides else 0
        expect = [f'all t sample {s} = {1.0 if left else 0.0} _ _ {alpha if left else 0.0}' for s in range(samples)] if samples > 1 else [f'all t = {1.0 if left else 0.0} _ _ {alpha if left else 0.0}']
        yield f'{rules} {samples} {multisample} {alpha}', drawn(PLAIN[rules], everything(color=(1.0, 1.0, 1.0, alpha)), expect, 'blend { alpha_to_coverage on }\n', extra=FLOATS + f'; samples {samples}', rasterizer=f'multisample {multisample}')
    nan = d3d('dcl_output o0.xyzw\n', 'mov o0.xyz, l(1.0,1.0,1.0,1.0)\nmov o0.w, l(0x7fc00000)\n')
    yield 'nan', drawn(nan, everything(), [f'all t = {BLACK}'], 'blend { alpha_to_coverage on }\n')
    one = struct.unpack('<I', struct.pack('<f', 1))[0]
    for word in (0, one):
        integers = {'d3d': d3d('dcl_output o0.xyzw\n', f'mov o0.xyzw, l(7,7,7,{word})\n'), 'gl': gl(f'DCL OUT[0], COLOR\nIMM[0] UINT32 {{ 7, 7, 7, {word} }}\n', 'MOV OUT[0], IMM[0]\n')}
        for rules in integers:
            shown = word == one or rules == 'gl'
            yield f'integers {rules} {word:x}', drawn(integers[rules], everything(), [f'all t sample 3 = {7 if shown else 0}'], 'blend { alpha_to_coverage on }\n', extra='format R32G32B32A32_UINT; samples 4')
    masked = d3d('dcl_output o0.xyzw\ndcl_output oMask\n', 'mov o0.xyzw, l(1.0,1.0,1.0,0.0)\nmov oMask, l(1)\n')
    yield 'oMask', drawn(masked, everything(), ['all t = 1 1 1 0'], 'blend { alpha_to_coverage on }\n')
    second = d3d('dcl_output o0.xyzw\ndcl_output o1.xyzw\n', 'mov o0.xyzw, l(1.0,1.0,1.0,0.0)\nmov o1.xyzw, l(1.0,1.0,1.0,1.0)\n')
    yield 'no first buffer', drawn(second, everything(), [f'all t = {BLACK}'], 'blend { alpha_to_coverage on }\n', targets='color 1 t\n')


def declared_samples():
    """D3D 16.2: the program runs for each sample if it "declares any input as needing sample-frequency evaluation";
    "requesting" sampleIndex is enough (16.3). TGSI's must read it."""
    programs = {'d3d index': (d3d('dcl_input_ps_sgv constant v1.x, sampleIndex\ndcl_output o0.xyzw\n', 'mov o0.xyzw, l(1.0,1.0,1.0,1.0)\n'), 4),
                'd3d input': (d3d('dcl_input_ps linear sample v1.xyzw\ndcl_output o0.xyzw\n', 'mov o0.xyzw, l(1.0,1.0,1.0,1.0)\n'), 4),
                'd3d': (COLORED['d3d'], 1), 'gl': (gl('DCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1, 1, 1, 1 }\n', 'MOV OUT[0], IMM[0]\n'), 1)}
    for name, (shaders, runs) in programs.items():
        text = drawn(shaders, everything(), [f'all t = {WHITE}', f'query q = _ _ _ _ _ _ _ {256 * runs}'], 'begin q\n', extra='samples 4', before='query q pipeline_statistics\n')
        yield name, text.replace('mesh m\n}', 'mesh m\nend q\n}')


def locations():
    """D3D 16.4, 3.5.4.1: "the existing pixel-frequency part of the shader behaves identically" where another input makes the
    program run for each sample. GL 15.2.2: inputs are at the sample then. The input is x in pixels."""
    reads = {'d3d': d3d('dcl_input_ps linear noperspective v1.xyzw\ndcl_input_ps_sgv constant v2.x, sampleIndex\ndcl_output o0.xyzw\ndcl_temps 1\n', 'utof r0.x, v2.x\nmov o0.x, v1.x\nmov o0.yzw, r0.xxxx\n'),
             'gl': gl('DCL IN[0], GENERIC[1], LINEAR\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\n', 'U2F OUT[0].yzw, SV[0].xxxx\nMOV OUT[0].x, IN[0].xxxx\n')}
    around = [(place, (x, 0.0, 0.0, 0.0)) for (place, _), x in zip(everything(), (0.0, 32.0, 0.0))]
    for rules, samples in itertools.product(reads, (4, 8)):
        expect = [f'pixel t 5 6 sample {s} = {5.5 if rules == "d3d" else 5.5 + x / 16} {s} tolerance 0.00001' for s, (x, _) in enumerate(PATTERNS[samples])]
        yield f'{rules} {samples}', drawn(reads[rules], around, expect, extra=FLOATS + f'; samples {samples}')


# ---- what covers -----------------------------------------------------------------------------------------------------

def wireframe():
    """D3D 15.13: lines are drawn "for each clipped original triangle edge", "drawing nothing for new edges introduced by
    the clipper". GL 13.7: new edges are boundaries. The cuts are at the height of the centres of row 8."""
    # Half-way from the lower corners to the upper one, of one triangle beyond the near plane, of another beyond the far one.
    for rules, (low, high) in itertools.product(('d3d', 'gl'), ((0.5, -0.5), (0.5, 1.5), (0.75, 0.25))):
        corners = [at(2.5, 14.5), at(13.5, 14.5), at(8.0, 2.5)]
        vertices = [((x, y, z, 1.0), ONES) for (x, y, _, _), z in zip(corners, (low, low, high))]
        cut = high < 0 or high > 1
        expect = [f'rect t 7 8 2 1 = {WHITE if cut and rules == "gl" else BLACK}', f'rect t 5 14 6 1 = {WHITE}', f'rect t 7 3 2 1 = {BLACK if cut else WHITE}', f'rect t 6 10 4 3 = {BLACK}']
        yield f'{rules} {low} {high}', drawn(COLORED[rules], vertices, expect, rasterizer='fill_front line; fill_back line; depth_clip_near on; depth_clip_far on')


def areas():
    """D3D 15.14.2, 15.14.3: points and triangles are rasterised as if MultisampleEnable were true."""
    for rules, multisample, edge in itertools.product(('d3d', 'gl'), ('on', 'off'), (2, 6, 9, 13)):
        expect = []
        for s, (x, _) in enumerate(PATTERNS[4]):
            inside = 8 + x <= edge if rules == 'd3d' or multisample == 'on' else edge >= 8
            expect.append(f'pixel t 8 4 sample {s} = {WHITE if inside else BLACK}')
        yield f'{rules} {multisample} {edge}', drawn(COLORED[rules], quad(0, 0, 8 + (edge + 0.5) / 16, 16), expect, extra='samples 4', rasterizer=f'multisample {multisample}')


def points():
    """D3D 3.4.6, 15.14.2: a point is a square of two triangles, whose left and upper edges belong to it (3.4.2.1), on any
    number of samples; OpenGL's are pixels (14.4.1) or circles (14.4.3)."""
    for size, place, smooth in itertools.product((1, 2, 3), (8.0, 8.25, 8.75), ('on', 'off')):
        def lit(x, y, size=size, place=place):
            return all(place - size / 2 <= v + 0.5 < place + size / 2 for v in (x, y))
        yield f'd3d {size} {place} {smooth}', drawn(COLORED['d3d'], [(at(place, place), ONES)], rows_of(lit, 16), primitive='points', rasterizer=f'point_size {size}; point_smooth {smooth}')
    # An odd size is centred at floor(x) + 1/2; downwards y is -y.
    yield 'gl', drawn(COLORED['gl'], [(at(8, 8.25), ONES)], rows_of(lambda x, y: (x, y) == (8, 8), 16), primitive='points')
    for rules, multisample in itertools.product(('d3d', 'gl'), ('on', 'off')):
        expect = []
        for x, y, s in itertools.product((5, 6, 10), (5, 6, 10), range(4)):
            at_x, at_y = (v + 0.5 + PATTERNS[4][s][axis] / 16 - 8.125 for axis, v in enumerate((x, y)))
            square, circle = all(-2 <= v < 2 for v in (at_x, at_y)), math.hypot(at_x, at_y) <= 2
            if rules == 'gl' and multisample == 'off':
                continue
            expect.append(f'pixel t {x} {y} sample {s} = {WHITE if (square if rules == "d3d" else circle) else BLACK}')
        if expect:
            yield f'{rules} samples {multisample}', drawn(COLORED[rules], [(at(8.125, 8.125), ONES)], expect, primitive='points', extra='samples 4', rasterizer=f'point_size 4; multisample {multisample}')


def lines():
    """D3D 15.14.1: with MultisampleEnable lines are quadrilaterals, with AntialiasedLineEnable or not and however many
    samples there are; without both they are aliased. GL 14.5.4: with one sample MULTISAMPLE has no effect."""
    first, last, width = (4.25, 4.25), (12.25, 12.25), 4

    def rectangle(x, y):
        return 0 <= x + 0.5 - first[0] + y + 0.5 - first[1] < 16 and abs(x - y) / math.sqrt(2) <= width / 2

    # The line passes no centre of column 3, where the rectangle has a part.
    columns = [f'pixel t 8 8 = {WHITE}'] + [f'pixel t 3 {y} = {BLACK}' for y in range(16)]
    for multisample, smooth, rectangular in itertools.product(('on', 'off'), repeat=3):
        if (multisample, smooth) == ('off', 'on'):
            continue  # a part of each pixel: neither text says which
        state = f'multisample {multisample}; line_smooth {smooth}; line_rectangular {rectangular}; line_width {width}'
        vertices = [(at(*first), ONES), (at(*last), ONES)]
        yield f'd3d {state}', drawn(COLORED['d3d'], vertices, rows_of(rectangle, 16) if multisample == 'on' else columns, primitive='lines', rasterizer=state)
    yield 'gl', drawn(COLORED['gl'], [(at(*first), ONES), (at(*last), ONES)], columns, primitive='lines', rasterizer=f'multisample on; line_width {width}')
    for smooth in ('on', 'off'):
        expect = [f'pixel t {x} {y} sample {s} = {WHITE if rectangle(x + dx / 16, y + dy / 16) else BLACK}' for x, y in ((3, 4), (3, 5), (4, 4), (6, 9), (12, 12), (7, 7)) for s, (dx, dy) in enumerate(PATTERNS[4])]
        yield f'samples {smooth}', drawn(COLORED['d3d'], [(at(*first), ONES), (at(*last), ONES)], expect, primitive='lines', extra='samples 4', rasterizer=f'multisample on; line_smooth {smooth}; line_width {width}')


def viewports():
    """D3D 15.7: "The implicit scissor to the viewport rounds the viewport X and Y extents to negative infinity". OpenGL
    clips at the exact edges (13.7)."""
    for rules, (left, top), (width, height), samples in itertools.product(('d3d', 'gl'), ((2.0, 3.0), (2.75, 3.25), (-1.5, 0.0)), ((4.0, 5.0), (3.75, 4.875)), (1, 4)):
        right, bottom = left + width, top + height
        if rules == 'd3d':
            def lit(x, y, edges=tuple(math.floor(v) for v in (left, top, right, bottom))):
                return edges[0] <= x < edges[2] and edges[1] <= y < edges[3]
        elif samples > 1:
            continue
        else:
            def lit(x, y, edges=(left, top, right, bottom)):
                return edges[0] <= x + 0.5 < edges[2] and edges[1] <= y + 0.5 < edges[3]
        state = f'dynamic {{ viewport scale {width / 2} {-height / 2} 0.5 translate {left + width / 2} {top + height / 2} 0.5 }}\n'
        around = [((-9.0, -9.0, 0.0, 1.0), ONES), ((27.0, -9.0, 0.0, 1.0), ONES), ((-9.0, 27.0, 0.0, 1.0), ONES)]
        yield f'{rules} {left} {width} {samples}', drawn(COLORED[rules], around, rows_of(lit, 16), state, extra=f'samples {samples}')


# ---- what comes of it ------------------------------------------------------------------------------------------------

def without_program():
    """D3D 15.2, 16.9.1: without a pixel shader PSInvocations stays; without depth and stencil, too, there is no
    rasterisation, and CInvocations and CPrimitives stay."""
    for rules, shader, tests in itertools.product(('d3d', 'gl'), (True, False), ('', 'depth_enabled on; depth_function always', 'stencil front { function always }')):
        rasterised = rules == 'gl' or shader or tests
        text = drawn(COLORED[rules], everything(), [f'query q = 3 1 3 0 0 {1 if rasterised else 0} {1 if rasterised else 0} {256 if shader else 0}'], f'depth_stencil_alpha {{ {tests} }}\nbegin q\n',
                     before='query q pipeline_statistics\ntexture d { size 16 16; format Z24_UNORM_S8_UINT }\n', targets='color 0 t\ndepth_stencil d\n').replace('mesh m\n}', 'mesh m\nend q\n}')
        yield f'{rules} {shader} {tests}', text if shader else text.replace('use v f', 'use v')


def whose_rules():
    """The fragment program's rules hold, of a pipeline without one those of the last stage before it."""
    fragments = {'d3d': COLORED['d3d'][len(D3D_VS):], 'gl': COLORED['gl'][len(GL_VS):], None: ''}
    state = 'clear depth 0.5\ndepth_stencil_alpha { depth_enabled on; depth_writes on; depth_function always }\ndynamic { viewport 0 0 16 16 depth 0.25 0.75 }\n'
    for (first, vertex), last in itertools.product((('d3d', D3D_VS), ('gl', GL_VS)), fragments):
        rules = last or first
        text = drawn(vertex + fragments[last], everything(3.0), [f'depth all d = {0.75 if rules == "d3d" else 1}'], state, before='texture d { size 16 16; format Z32_FLOAT }\n', targets='color 0 t\ndepth_stencil d\n', rasterizer=UNCLIPPED)
        yield f'{first} {last}', text if last else text.replace('use v f', 'use v')


def halves():
    """D3D 3.2.2: to another float format "round-to-zero must be used", and what is too large becomes the largest number.
    OpenGL does not say how halves are rounded; ours go to the nearest. 1 + 3 / 2^12 is nearer to 1 + 2^-10 than to 1."""
    for rules, blending in itertools.product(('d3d', 'gl'), (False, True)):
        expect = '65504 1' if rules == 'd3d' else 'inf 1.0009765625'
        state = 'blend { target 0 { enabled on; color_source one; color_destination one; alpha_source one; alpha_destination one } }\n' if blending else ''
        for form in ('R16G16B16A16_FLOAT', 'R16G16_FLOAT'):
            yield f'{rules} {form} {blending}', drawn(PLAIN[rules], everything(color=(70000.0, 1 + 3 / 4096, 0.0, 0.0)), [f'all t = {expect}'], state, extra=f'format {form}')
    for rules in ('d3d', 'gl'):  # OpenGL allows it for these (2.3.4.3)
        yield f'{rules} 11 bits', drawn(PLAIN[rules], everything(color=(70000.0, 1 + 3 / 256, 1e9, 0.0)), ['all t = 65024 1 64512'], extra='format R11G11B10_FLOAT')


tap.run([(function.__name__.replace('_', ' '), lambda function=function, least=least: all_hold(function(), least)) for function, least in (
    (position_z, 12), (position_w, 4), (clamped_depth, 25), (same_depth, 10), (input_coverage, 32), (sample_mask, 32), (output_mask, 32), (alpha_to_coverage, 38), (declared_samples, 4), (locations, 4),
    (wireframe, 6), (areas, 16), (points, 22), (lines, 9), (viewports, 18), (without_program, 12), (whose_rules, 6), (halves, 10))])
