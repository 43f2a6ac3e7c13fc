#!/usr/bin/env python3
"""Draws of scripts against Python: the triangle's coverage and interpolation from exact fractions, depth, samples, system
values, what is drawn where, and what is not drawn."""
import fractions
import math
import random
import struct

import command as c
import tap
from scripting import COLOR, FLOATS, gives, pixel, run

F = fractions.Fraction
CORNERS = [(-2, -2), (-2, 4), (4, -2)]
VERTEX = '''[vertex shader tgsi]
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[3]
DCL OUT[2], GENERIC[5]
DCL CONST[0..5]
DCL TEMP[0]
  0: MAD TEMP[0].xyz, IN[0].xxxx, CONST[0], CONST[2]
  1: MAD TEMP[0].xyz, IN[0].yyyy, CONST[1], TEMP[0]
  2: MAD OUT[0].xy, IN[0], CONST[3].xyxy, CONST[3].zwzw
  3: MUL OUT[0].xy, OUT[0], TEMP[0].zzzz
  4: MUL OUT[0].z, TEMP[0].yyyy, TEMP[0].zzzz
  5: MOV OUT[0].w, TEMP[0].zzzz
  6: MAD OUT[1], IN[0].xyxy, CONST[4], CONST[5]
  7: MOV OUT[2], CONST[4].wzyx
  8: END
'''


class Triangle:
    """What VERTEX makes of the corners with constants: exact where floats are, which the numbers below see to."""

    def __init__(self, depth=(0, 0, F(1, 2)), w=(0, 0, 1), scale=(1, 1, 0, 0), factors=(1, 1, 1, 1), offsets=(0, 0, 0, 0)):
        self.depth, self.w, self.scale, self.factors, self.offsets = depth, w, scale, factors, offsets

    def uniforms(self):
        rows = [(0, self.depth[0], self.w[0], 0), (0, self.depth[1], self.w[1], 0), (0, self.depth[2], self.w[2], 0), self.scale, self.factors,
                self.offsets]
        return ''.join(f'uniform {4 * n} float4 {" ".join(str(float(v)) for v in row)}\n' for n, row in enumerate(rows))

    def vertices(self):
        """Place in the viewport, depth, w, and the outputs of each."""
        for x, y in CORNERS:
            w = self.w[0] * x + self.w[1] * y + self.w[2]
            yield ((F(x) * self.scale[0] + self.scale[2], F(y) * self.scale[1] + self.scale[3]),
                   F(self.depth[0] * x + self.depth[1] * y + self.depth[2]), F(w),
                   [F(f) * (x, y)[n % 2] + o for n, (f, o) in enumerate(zip(self.factors, self.offsets))])

    def at(self, x, y, width, height):
        """Depth, w, outputs without and with perspective at a pixel's centre: areas in the viewport are the weights."""
        place = (F(2 * x + 1, width) - 1, 1 - F(2 * y + 1, height))
        vertices = list(self.vertices())
        def area(a, b, d):
            return (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])
        p = [v[0] for v in vertices]
        whole = area(*p)
        weights = [area(place, p[1], p[2]) / whole, area(p[0], place, p[2]) / whole, area(p[0], p[1], place) / whole]
        inverse = sum(b / v[2] for b, v in zip(weights, vertices))
        linear = [sum(b * v[3][n] for b, v in zip(weights, vertices)) for n in range(4)]
        perspective = [sum(b * v[3][n] / v[2] for b, v in zip(weights, vertices)) / inverse for n in range(4)]
        return sum(b * v[1] for b, v in zip(weights, vertices)), 1 / inverse, linear, perspective


def text(value):
    return '%.9g' % struct.unpack('<f', struct.pack('<f', float(value)))[0]


def probe(x, y, values, ulps=1, more=''):
    return f'probe (%d, %d) rgba({", ".join(text(v) for v in values)}) {ulps}\n' % (x, y) if not more else ''


def shader(declarations, source='IN[0]', body=''):
    return ('[pixel shader tgsi]\nFRAG\n' + declarations + f'DCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL CONST[0..7]\n{body}MOV OUT[0], {source}\nEND\n')


# Offsets keep what is interpolated away from 0, where rounding shows.
TRIANGLES = [Triangle(offsets=(100, 200, 300, 400)), Triangle(depth=(F(1, 16), F(1, 32), F(1, 4)), factors=(2, 3, F(-1, 2), F(1, 4)), offsets=(105, -107, 64, 99)),
             Triangle(w=(F(1, 8), F(3, 16), F(7, 4)), depth=(F(1, 32), F(1, 64), F(1, 4)), factors=(1, -2, 4, F(1, 2)), offsets=(90, 103, -99, 100)),
             Triangle(w=(F(-1, 16), F(1, 4), 2), scale=(2, F(3, 2), F(1, 2), F(-1, 4)), factors=(3, 1, 1, -1), offsets=(101, 102, 103, 104)),
             Triangle(w=(F(1, 4), F(-1, 8), 2), scale=(F(5, 4), 2, F(-1, 8), F(1, 2)), depth=(F(1, 16), F(-1, 16), F(1, 2)), factors=(1, 1, 8, 16), offsets=(88, -77, 222, 333))]


def interpolation():
    """CONSTANT, LINEAR, PERSPECTIVE and POSITION at every pixel of pictures of odd and even sizes."""
    findings = []
    for number, triangle in enumerate(TRIANGLES):
        for width, height in ((5, 3), (8, 6), (1, 1)):
            target = f'[rtv 0]\nsize (2d, {width}, {height})\n'
            pixels = [(x, y, triangle.at(x, y, width, height)) for y in range(height) for x in range(width)]
            first = list(triangle.vertices())[0][3]
            for declaration, wanted in (('GENERIC[3], PERSPECTIVE', lambda at, x, y: at[3]), ('GENERIC[3], LINEAR', lambda at, x, y: at[2]),
                                        ('GENERIC[3], CONSTANT', lambda at, x, y: first), ('GENERIC[5], PERSPECTIVE', lambda at, x, y: triangle.factors[::-1]),
                                        ('POSITION, LINEAR', lambda at, x, y: (x + F(1, 2), y + F(1, 2), at[0], 1 / at[1])),
                                        ('GENERIC[4], PERSPECTIVE', lambda at, x, y: (0, 0, 0, 1)), ('COLOR, PERSPECTIVE', lambda at, x, y: (0, 0, 0, 1))):
                probes = ''.join(probe(x, y, wanted(at, x, y)) for x, y, at in pixels)
                findings += gives(VERTEX + shader(f'DCL IN[0], {declaration}\n') + target + '[test]\n' + triangle.uniforms() + 'draw quad\n' + probes,
                                  c.YES, f'{len(pixels)} passed, 0 failed, 0 skipped')
            probes = ''.join(probe(x, y, (x + F(1, 2), y + F(1, 2), at[0], 1 / at[1])) for x, y, at in pixels)
            findings += gives(VERTEX + shader('DCL SV[0], POSITION\n', 'SV[0]') + target + '[test]\n' + triangle.uniforms() + 'draw quad\n' + probes,
                              c.YES, f'{len(pixels)} passed, 0 failed, 0 skipped')
        findings = [f'triangle {number}: {f}' for f in findings]
    # Of many registers, each its own kind; the bits of CONSTANT words stay.
    many = (VERTEX.replace('DCL OUT[2], GENERIC[5]', 'DCL OUT[2], GENERIC[5]\nDCL OUT[40], GENERIC[40]\nDCL OUT[33], GENERIC[33]')
            .replace('  8: END', 'MOV OUT[40], OUT[1]\nMOV OUT[33], OUT[1]\nEND'))
    triangle = TRIANGLES[2]
    for index, declared, kind in ((40, 'DCL IN[40], GENERIC[40], LINEAR\n', 2), (33, 'DCL IN[33], GENERIC[33], PERSPECTIVE\nDCL IN[1], GENERIC[5], CONSTANT\n', 3),
                                  (35, 'DCL IN[34], GENERIC[40], PERSPECTIVE\nDCL IN[35], GENERIC[33], CONSTANT\n', None),
                                  (63, 'DCL IN[63], GENERIC[3], LINEAR\n', 2), (2, 'DCL IN[34], GENERIC[5], LINEAR\nDCL IN[2], GENERIC[3], PERSPECTIVE\n', 3),
                                  (31, 'DCL IN[31], GENERIC[3], CONSTANT\nDCL IN[63], GENERIC[3], LINEAR\n', None), (64, 'DCL IN[64], GENERIC[3], LINEAR\n', 2)):
        pixels = [(x, y, triangle.at(x, y, 4, 4)) for y in range(4) for x in range(4)]
        first = list(triangle.vertices())[0][3]
        probes = ''.join(probe(x, y, first if kind is None else at[kind]) for x, y, at in pixels)
        findings += gives(many + shader(declared, f'IN[{index}]') + '[rtv 0]\nsize (2d, 4, 4)\n[test]\n' + triangle.uniforms() + 'draw quad\n' + probes,
                          c.YES, '16 passed, 0 failed, 0 skipped')
    # Of a range each register is of its kind.
    ranges = VERTEX.replace('DCL OUT[2], GENERIC[5]', 'DCL OUT[2], GENERIC[4]').replace('MOV OUT[2], CONST[4].wzyx', 'MOV OUT[2], OUT[1]')
    for declared, kind in (('LINEAR', 2), ('PERSPECTIVE', 3), ('CONSTANT', None)):
        pixels = [(x, y, triangle.at(x, y, 4, 4)) for y in range(4) for x in range(4)]
        probes = ''.join(probe(x, y, list(triangle.vertices())[0][3] if kind is None else at[kind]) for x, y, at in pixels)
        for index in (32, 33):
            findings += gives(ranges + shader(f'DCL IN[32..33], GENERIC[3], {declared}\n', f'IN[{index}]') + '[rtv 0]\nsize (2d, 4, 4)\n[test]\n' + triangle.uniforms() + 'draw quad\n' + probes,
                              c.YES, '16 passed, 0 failed, 0 skipped')
    nan = VERTEX.replace('CONST[0..5]', 'CONST[0..6]').replace('  7: MOV OUT[2], CONST[4].wzyx', '  7: MOV OUT[2], CONST[6]')
    words = 'uniform 24 uint4 0x7f812345 0x80000000 0xffffffff 1\n'
    return findings + gives(nan + shader('DCL IN[0], GENERIC[5], CONSTANT\n') + '[test]\n' + triangle.uniforms() + words +
                            'draw quad\nprobe (3, 3) u32(0x7f812345, 0x80000000, 0xffffffff, 1)\n', c.YES, '1 passed, 0 failed, 0 skipped')


def is_inside(triangle, x, y, width, height):
    """Whether the centre of a pixel is inside, by weights before the division by w; None: it is on an edge."""
    corners = [(v[0][0] * v[2], v[0][1] * v[2], v[1] * v[2], v[2]) for v in triangle.vertices()]
    place = (F(2 * x + 1, width) - 1, 1 - F(2 * y + 1, height), F(1))
    def determinant(a, b, d):
        return (a[0] * (b[1] * d[2] - b[2] * d[1]) - b[0] * (a[1] * d[2] - a[2] * d[1]) + d[0] * (a[1] * b[2] - a[2] * b[1]))
    columns = [(p[0], p[1], p[3]) for p in corners]
    whole = determinant(*columns)
    if not whole:
        return False
    weights = [determinant(*(place if i == n else column for i, column in enumerate(columns))) / whole for n in range(3)]
    depth = sum(weight * p[2] for weight, p in zip(weights, corners))
    edges = [*weights, depth, 1 - depth]
    return False if min(edges) < 0 else None if min(weights) == 0 else True


def coverage():
    """Which pixels a triangle reaches that leaves out some, goes behind a plane or shows its back."""
    findings = []
    triangles = [Triangle(depth=(0, 0, 0)), Triangle(depth=(0, 0, 1)), Triangle(depth=(0, 0, F(-1, 1024))), Triangle(depth=(0, 0, F(1025, 1024))),
                 Triangle(depth=(F(1, 8), 0, F(1, 4))), Triangle(depth=(F(1, 2), 0, F(1, 4))), Triangle(depth=(0, F(1, 2), F(1, 2))),
                 Triangle(w=(F(1, 2), 0, F(9, 8))), Triangle(w=(0, F(1, 4), F(1, 2))), Triangle(w=(0, 0, -1)), Triangle(w=(F(1, 4), F(1, 4), F(9, 8))),
                 Triangle(scale=(-1, 1, 0, 0)), Triangle(scale=(1, -1, 0, 0)), Triangle(scale=(0, 1, 0, 0)), Triangle(scale=(1, 1, F(37, 32), 0)),
                 Triangle(scale=(1, 1, 0, F(41, 32))), Triangle(scale=(1, 1, F(-13, 32), 0)), Triangle(scale=(F(3, 8), F(1, 4), F(1, 16), F(1, 32)))]
    seen = set()
    for triangle in triangles:
        probes, count = '', 0
        for y in range(4):
            for x in range(8):
                inside = is_inside(triangle, x, y, 8, 4)
                seen.add(inside)
                if inside is not None:
                    probes += f'probe ({x}, {y}) rgba({"1, 2, 3, 4" if inside else "9, 9, 9, 9"})\n'
                    count += 1
        script = (VERTEX + shader('', 'CONST[7]') + '[rtv 0]\nsize (2d, 8, 4)\n[test]\nclear rtv 0 9 9 9 9\n' + triangle.uniforms() +
                  'uniform 28 float4 1 2 3 4\ndraw quad\n' + probes)
        findings += gives(script, c.YES, f'{count} passed, 0 failed, 0 skipped')
    if not {True, False} <= seen:
        findings.append(f'only {seen}')
    script = VERTEX + shader('', 'CONST[7]') + '[test]\n' + Triangle().uniforms() + 'uniform 12 uint 0x7fc00000\nuniform 28 float4 1 2 3 4\ndraw quad\nprobe (0, 0) f32(0)\n'
    return findings + gives(script, c.YES, '1 passed, 0 failed, 0 skipped')


def geometry():
    """Lists, strips, lines and points of vertex buffers with their layouts; instances; several buffers; faces."""
    passes = ('[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL SV[0], INSTANCEID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\n'
              'U2F OUT[1].w, SV[0].xxxx\nEND\n' + shader('DCL IN[0], GENERIC[0], CONSTANT\n') + '[rtv 0]\nsize (2d, 4, 4)\n')
    one = '[input layout]\n0 r32g32-float position\n0 r32g32b32-float color 0\n'
    two = '[input layout]\n3 r32g32-float position\n1 r32g32b32-float color 0\n'
    left, right = [(-1, 1), (0, 1), (-1, -1)], [(0, 1), (0, -1), (-1, -1)]
    colors = [(10 * n + 1, 10 * n + 2, 10 * n + 3) for n in range(8)]
    def draw(vertices, line, color, layout):
        places = [' '.join(map(str, v)) for v in vertices]
        inks = [' '.join(map(str, colors[n])) for n in range(len(vertices))]
        data = '[vb 0]\n' + '\n'.join(f'{p} {i}' for p, i in zip(places, inks)) + '\n' if layout == one else \
            '[vb 3]\n' + '\n'.join(places) + '\n[vb 1]\nformat r32-float\n' + '\n'.join(inks) + '\n'
        probes = ''.join(f'probe ({x}, {y}) rgba({color(x, y)})\n' for y in range(4) for x in range(4))
        return gives(layout + data + passes + f'[test]\nclear rtv 0 9 9 9 9\ndraw {line}\n' + probes, c.YES, '16 passed, 0 failed, 0 skipped')
    clear, half = '9, 9, 9, 9', lambda x, y: x < 2
    findings = []
    for layout in (one, two):
        # The left half in two triangles: what is on the diagonal belongs to the one on whose left edge it is.
        for instances, last in (('', 0), (' 1', 0), (' 3', 2)):
            findings += draw(left + right, f'triangle list 6{instances}',
                             lambda x, y, last=last: f'{"1, 2, 3" if above(x, y) else "31, 32, 33"}, {last}' if half(x, y) else clear, layout)
        findings += draw(left, 'triangle list 2', lambda x, y: clear, layout)
        findings += draw(left, 'triangle list 3 0', lambda x, y: clear, layout)
        findings += draw([(-1, 1), (0, 1), (-1, -1), (0, -1)], 'triangle strip 4', lambda x, y: f'{"1, 2, 3" if above(x, y) else "11, 12, 13"}, 0' if half(x, y) else clear, layout)
        # The other way round it shows its back, which is drawn as well.
        findings += draw([(-1, 1), (-1, -3), (3, 1)], 'triangle list 3', lambda x, y: '1, 2, 3, 0', layout)
        findings += draw([(-0.75, 0.75), (0.75, -0.25)], 'point list 2', lambda x, y: '1, 2, 3, 0' if (x, y) == (0, 0) else '11, 12, 13, 0' if (x, y) == (3, 2) else clear, layout)
        findings += draw([(-0.75, 0.75), (-0.75, -1.25)], 'line list 2', lambda x, y: '1, 2, 3, 0' if x == 0 else clear, layout)
        findings += draw([(-0.75, 1.25), (-0.75, -0.75), (1.25, -0.75)], 'line strip 3', lambda x, y: '11, 12, 13, 0' if y == 3 else '1, 2, 3, 0' if x == 0 else clear, layout)
    return findings


def above(x, y):
    """Whether a centre in the left half of 4 by 4 is above the diagonal from its upper right to its lower left corner; those on it are of neither's left or top edge but of the lower one's."""
    return 2 * (x + 0.5) + (y + 0.5) < 4


def vertex_shaders():
    """Their numbers, inputs, outputs; what the pipeline would have to do; their failures."""
    head, tail = '[vertex shader tgsi]\nVERT\n', '[rtv 0]\nsize (2d, 4, 4)\n[test]\nuniform 0 float4 1 2 3 4\ndraw quad\nprobe (0, 0) rgba('
    number = ('DCL IN[0]\nDCL SV[0], INSTANCEID\nDCL SV[1], VERTEXID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\n'
              'U2F OUT[1], SV[1].xxxx\nU2F OUT[1].y, SV[0].xxxx\nMOV OUT[1].w, IN[0].wwww\nEND\n')
    # Numbers 0, 1, 2 at (-2,-2), (-2,4), (4,-2): x's part is (x + 2) / 6 * 2, y's (y + 2) / 6.
    value = (F(5, 4) / 6 * 2) + (F(11, 4) / 6)
    findings = []
    for name in ('VERTEXID', 'VERTEXID_NOBASE'):
        findings += gives(head + number.replace('VERTEXID', name) + shader('DCL IN[0], GENERIC[0], PERSPECTIVE\n') + tail + f'{text(value)}, 0, {text(value)}, 1) 1\n', c.YES,
                          '1 passed, 0 failed, 0 skipped')
    # Inputs that nothing feeds are (0, 0, 0, 1); without a position, or with all in one place, nothing is drawn.
    for body, wanted in (('DCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nMAD OUT[0], IN[1].xyzx, IN[1], IN[0]\n', '1, 2, 3, 4'),
                         ('DCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[1]\n', '0, 0, 0, 0'),
                         ('DCL IN[0]\nDCL OUT[0], GENERIC[0]\nMOV OUT[0], IN[0]\n', '0, 0, 0, 0'),
                         ('DCL OUT[0], POSITION\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\n', '0, 0, 0, 0')):
        findings += gives(head + body + 'END\n' + COLOR + tail + wanted + ')\n', c.YES, '1 passed, 0 failed, 0 skipped')
    endless = head + 'DCL IN[0]\nDCL OUT[0], POSITION\nBGNLOOP\nENDLOOP\nEND\n' + COLOR + tail + '0, 0, 0, 0)\n'
    end = endless.count('\n')
    findings += gives(endless, c.NO, f'{end - 1}: failed: the budget ran out at line 6 of the vertex shader', f'{end}: skipped: its draw failed',
                      '0 passed, 1 failed, 1 skipped', options=('--budget', '100'))
    code, out, err = run(endless, '--budget', '1000000000', '--work', '2000')
    if code != c.NO or 'budget' in out[0] or ': failed: ' not in out[0] or len(out) != 3:
        findings.append(f'{code} {out} {err}')
    wrong = head + 'DCL IN[0]\nBAD\nEND\n' + COLOR + tail + '0, 0, 0, 0)\n'
    code, out, err = run(wrong)
    if code != c.NO or ': skipped: its vertex shader failed' not in out[1] or len(out) != 3:
        findings.append(f'{out}')
    lacking = '[vertex shader]\nhlsl\n' + COLOR + tail + '0, 0, 0, 0)\n'
    return findings + gives(lacking, c.YES, f'{lacking.count(chr(10))}: skipped: HLSL needs --hlsl-compiler or --compiled', '0 passed, 0 failed, 1 skipped')


def vertex(elements, body, inputs='.param POSITION.xyzw, v0.xyzw, float\n'):
    return ('[vertex shader d3d-asm]\nvs_5_0\n.input\n' + inputs + '.output\n.param SV_Position.xyzw, o0.xyzw, float, POS\n' +
            ''.join(f'.param {e}\n' for e in elements) + '.text\n' + 'dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\n' + body + 'mov o0.xyzw, v0.xyzw\nret\n')


def linked_signatures():
    """Direct3D's stages are linked by registers, whatever the names say."""
    def drawn(params, body, out):
        return ('[pixel shader d3d-asm]\nps_5_0\n.input\n' + ''.join(f'.param {p}\n' for p in params) +
                '.output\n.param SV_Target.xyzw, o0.xyzw, float, TARGET\n.text\n' + body + 'dcl_output o0.xyzw\n' + out + 'ret\n')
    findings = []
    made = vertex(['TEXCOORD0.xyz, o1.xyz, float', 'COLOR2.xy, o2.xy, float', 'TEXCOORD1.x, o3.x, float'],
                  'dcl_output o1.xyz\ndcl_output o3.x\ndcl_output o2.xy\nmov o1.xyz, l(1.0, 2.0, 3.0, 0)\nmov o3.x, l(4.0)\nmov o2.xy, l(5.0, 6.0, 0, 0)\n')
    code, out, err = run(made + COLOR + '[test]\nuniform 0 float4 1 1 1 1\ndraw quad\nprobe (0, 0) f32(1)\n')
    if out != ['1 passed, 0 failed, 0 skipped']:
        raise OSError(f'{out} {err}')
    for params, body, source, wanted in (
            (['texcoord0.xyz, v1.xyz, float'], 'dcl_input_ps linear v1.xyz\n', 'mov o0.xyz, v1.xyzx\nmov o0.w, l(9.0)\n', (1, 2, 3, 9)),
            (['TEXCOORD1.x, v3.x, float', 'COLOR2.xy, v2.xy, float'], 'dcl_input_ps linear v3.x\ndcl_input_ps linear v2.xy\n',
             'mov o0.x, v3.x\nmov o0.yz, v2.xxyx\nmov o0.w, l(9.0)\n', (4, 5, 6, 9)),
            (['COLOR1.xy, v1.xy, float', 'TEXCOORD2.xy, v2.xy, float'], 'dcl_input_ps linear v1.xy\ndcl_input_ps linear v2.xy\n',
             'mov o0.xy, v1.xyxx\nmov o0.zw, v2.xxxy\n', (1, 2, 5, 6)),
            (['TEXCOORD0.zw, v5.zw, float', 'COLOR2.yzw, v2.yzw, float'], 'dcl_input_ps linear v5.zw\ndcl_input_ps linear v2.yzw\n',
             'mov o0.xy, v5.zwzz\nmov o0.zw, v2.yyyz\n', (0, 1, 6, 0))):
        script = made + drawn(params, body, source) + '[rtv 0]\nsize (2d, 4, 4)\n[test]\ndraw quad\nprobe (0, 0, 4, 4) rgba(%s)\n' % ', '.join(map(str, wanted))
        findings += gives(script, c.YES, '1 passed, 0 failed, 0 skipped')
    # What `draw quad` does not feed is (0, 0, 0, 1); all vertices in one place draw nothing.
    for inputs, wanted in (('.param POSITION.xyzw, v0.xyzw, float\n.param NORMAL.xyzw, v1.xyzw, float\n', 1), ('.param position0.xyzw, v0.xyzw, float\n', 1),
                           ('.param TEXCOORD.xyzw, v0.xyzw, float\n', 0), ('.param POSITION1.xyzw, v0.xyzw, float\n', 0)):
        findings += gives(vertex([], '', inputs) + COLOR + f'[test]\nuniform 0 float 1\ndraw quad\nprobe (0, 0) f32({wanted})\n', c.YES, '1 passed, 0 failed, 0 skipped')
    return findings


def depths():
    """Each comparison at pixels below, at and above what the buffer holds; clamps; layouts; before and after the shader."""
    findings = []
    compare = {'never': lambda s, d: False, 'less': lambda s, d: s < d, 'equal': lambda s, d: s == d, 'less equal': lambda s, d: s <= d,
               'greater': lambda s, d: s > d, 'not equal': lambda s, d: s != d, 'greater equal': lambda s, d: s >= d, 'always': lambda s, d: True}
    # The shader's depth is (x - 1) / 4 + y / 8 of a picture of 7 by 3.
    body = 'MAD TEMP[0].x, SV[0].xxxx, CONST[1].xxxx, CONST[1].zzzz\nMAD TEMP[0].x, SV[0].yyyy, CONST[1].yyyy, TEMP[0].xxxx\nMOV OUT[1].z, TEMP[0].xxxx\n'
    base = '[dsv]\nformat r32-float\nsize (2d, 7, 3)\n[rtv 0]\nsize (2d, 7, 3)\n'
    constants = 'uniform 0 float4 5 6 7 8\nuniform 4 float4 0.25 0.125 -0.4375 0\n'
    plain = F(1, 2)
    for layout in (0, 2, 3):
        for early in (False, True):
            properties = (f'PROPERTY FS_DEPTH_LAYOUT {layout}\n' if layout else '') + ('PROPERTY FS_EARLY_DEPTH_STENCIL 1\n' if early else '')
            source = shader(properties + 'DCL SV[0], POSITION\nDCL OUT[1], POSITION\n', 'CONST[0]', body)
            source = VERTEX.replace('CONST[0..5]', 'CONST[10..15]').replace('CONST[0],', 'CONST[10],').replace('CONST[2]', 'CONST[12]').replace(
                'CONST[1],', 'CONST[11],').replace('CONST[3]', 'CONST[13]').replace('CONST[4]', 'CONST[14]').replace('CONST[5]', 'CONST[15]') + source
            uniforms = ''.join(f'uniform {40 + 4 * n} {line.split(" ", 2)[2]}\n' for n, line in enumerate(Triangle().uniforms().splitlines()))
            for function in compare if not layout and not early else ('less', 'greater equal'):
                probes = count = ''
                for y in range(3):
                    for x in range(7):
                        own = F(x - 1, 4) + F(y, 8)
                        if layout == 2: own = max(own, plain)
                        if layout == 3: own = min(own, plain)
                        if early: own = plain
                        own = min(max(own, F(0)), F(1))
                        passes = compare[function](own, F(1, 4))
                        probes += f'probe ({x}, {y}) f32({5 if passes else 9})\nprobe dsv ({x}, {y}) f32({text(own if passes else F(1, 4))})\n'
                findings += gives(source + base + '[test]\nclear rtv 0 9 9 9 9\nclear dsv 0.25\n' + constants + uniforms + f'depth {function}\ndraw quad\n' + probes,
                                  c.YES, '42 passed, 0 failed, 0 skipped')
    # Without a depth of the shader's own it is the triangle's, at every pixel.
    for triangle in (TRIANGLES[1], TRIANGLES[2], TRIANGLES[4]):
        probes = ''.join(f'probe dsv ({x}, {y}) f32({text(triangle.at(x, y, 7, 3)[0])}) 1\n' for y in range(3) for x in range(7))
        for early in ('', 'PROPERTY FS_EARLY_DEPTH_STENCIL 1\n'):
            findings += gives(VERTEX + shader(early, 'CONST[7]') + base + '[test]\n' + triangle.uniforms() + 'uniform 28 float4 1 2 3 4\nclear dsv 0\ndepth always\ndraw quad\n' + probes,
                              c.YES, '21 passed, 0 failed, 0 skipped')
    # A depth that is no number is 0; without a render target the buffer has the size.
    nan = shader('DCL OUT[1], POSITION\n', 'CONST[0]', 'MOV OUT[1].z, CONST[2].xxxx\n')
    script = nan + '[dsv]\nformat r32-float\nsize (2d, 5, 3)\n[test]\nuniform 8 uint 0x7fc00000\nclear dsv 1\ndepth always\ndraw quad\n' \
        'probe dsv (0, 0, 5, 3) f32(0)\nprobe dsv (5, 0) f32(0)\nprobe (0, 0) f32(0)\n'
    end = script.count('\n')
    findings += gives(script, c.NO, f'{end - 1}: failed: the resource has no (5, 0) with 1 components', f'{end}: failed: there is no such resource',
                      '1 passed, 2 failed, 0 skipped')
    return findings


def shapes_of_targets():
    """Draws reach the smallest of the targets, their first layer and level; all have the same number of samples."""
    findings, one = [], 'DCL SV[0], SAMPLEPOS\n'
    rows = [('[rtv 0]\nsize (2d, 4, 4)\n[rtv 1]\nsize (2d, 3, 4)\n', 3, 4), ('[rtv 0]\nsize (2d, 4, 4)\n[rtv 1]\nsize (2d, 5, 2)\n', 4, 2),
            ('[rtv 0]\nsize (2d, 4, 4)\nlevels 2\n', 4, 4), ('[rtv 0]\nsize (2darray, 4, 4, 2)\n', 4, 4), ('[rtv 0]\nsize (3d, 4, 4, 2)\n', 4, 4),
            ('[rtv 0]\nsize (2d, 4, 4)\n[dsv]\nsize (2d, 4, 3)\n', 4, 3), ('[rtv 0]\nsize (2d, 4, 4)\n[dsv]\nsize (2d, 2, 4)\n', 2, 4),
            ('[rtv 0]\nsize (2d, 4, 4)\n[dsv]\nsize (2d, 4, 4)\nlevels 2\n', 4, 4), ('[rtv 0]\nsize (2d, 4, 4)\n[dsv]\nsize (2darray, 4, 4, 1)\n', 4, 4),
            ('[rtv 0]\nsize (2dms, 2, 4, 4)\n[dsv]\nsize (2dms, 2, 4, 4)\n', 4, 4)]
    for resources, width, height in rows:
        resources = resources.replace('[dsv]\n', '[dsv]\nformat r32-float\n')
        for more in ('clear dsv 1\n', 'clear dsv 0\ndepth greater equal\n'):
            more = more if '[dsv]' in resources else ''
            probes = ''.join(f'probe ({x}, {y}) f32({8 if x < width and y < height else 0})\n' for x in range(4) for y in range(4))
            findings += gives(COLOR + resources + f'[test]\n{more}uniform 0 float4 8 1 1 1\ndraw quad\n' + probes, c.YES, '16 passed, 0 failed, 0 skipped')
    # Without a function depth is less than what is stored.
    for stored, wanted in ((0, 0), (0.25, 8)):
        findings += gives(COLOR + f'[dsv]\nformat r32-float\nsize (2d, 4, 4)\n[rtv 0]\nsize (2d, 4, 4)\n[test]\nclear dsv {stored}\nuniform 0 float 8\ndraw quad\nprobe (0, 0) f32({wanted})\n', c.YES,
                          '1 passed, 0 failed, 0 skipped')
    for resources in ('[rtv 0]\nsize (2d, 4, 4)\n[rtv 7]\nsize (2dms, 2, 4, 4)\n', '[rtv 0]\nsize (2dms, 2, 4, 4)\n[dsv]\nformat r32-float\nsize (2d, 4, 4)\n'):
        counts = (1, 2) if 'rtv 7' in resources else (2, 1)
        script = COLOR + resources + '[test]\nuniform 0 float4 1 1 1 1\ndraw quad\nprobe (0, 0) f32(1)\n'
        findings += gives(script, c.YES, f'{script.count(chr(10))}: skipped: cannot be drawn: error 6300: framebuffer: surfaces of %d and of %d samples' % counts, '0 passed, 0 failed, 1 skipped')
    several = '[rtv 0]\nsize (2dms, 4, 4, 4)\n[test]\ndraw quad\nprobe (0, 0) f32(1)\n'
    findings += gives(shader(one, 'SV[0]') + several.replace('f32(1)', 'f32(0.5, 0.5)'), c.YES, '1 passed, 0 failed, 0 skipped')  # the mean of their places
    # With one sample both are known; without inputs, or without the number, either goes.
    findings += gives(shader(one, 'SV[0]') + '[rtv 0]\nsize (2d, 4, 4)\n[test]\ndraw quad\nprobe (0, 0) f32(0.5, 0.5, 0, 0)\n', c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives(shader('DCL IN[0], GENERIC[0], LINEAR\n') + several.replace('f32(1)', 'f32(0)'), c.YES, '1 passed, 0 failed, 0 skipped')
    for stage in ('hull', 'domain'):
        reason = 'HLSL needs --hlsl-compiler or --compiled'
        script = COLOR + f'[{stage} shader]\nx\n[test]\nuniform 0 float 1\ndraw quad\nprobe (0, 0) f32(1)\n'
        findings += gives(script, c.YES, f'{script.count(chr(10))}: skipped: {reason}', '0 passed, 0 failed, 1 skipped')
        script = COLOR + f'[{stage} shader]\nx\n[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n[test]\nuniform 0 float 1\ndraw quad\nprobe (0, 0) f32(1)\n'
        findings += gives(script, c.YES, '1 passed, 0 failed, 0 skipped')  # a new vertex shader begins a new pipeline
    for declared in ('DCL IN[300], GENERIC[0], LINEAR\n', 'DCL OUT[300], GENERIC[0]\n', 'DCL SV[300], SAMPLEMASK\n'):
        findings += gives(shader(declared, 'CONST[0]') + '[test]\nuniform 0 float 1\ndraw quad\nprobe (0, 0) f32(1)\n', c.YES, '1 passed, 0 failed, 0 skipped')
    return findings


def samples_and_masks():
    """What each sample holds is seen in the mean: the shader's mask, the script's mask, a shader for each sample."""
    findings, generator = [], random.Random(11)
    for count in (2, 4, 8, 16):
        target = f'[rtv 0]\nformat r32g32b32a32-float\nsize (2dms, {count}, 3, 3)\n'
        for _ in range(3):
            given, own = generator.getrandbits(32), generator.getrandbits(32)
            held = given & own & (1 << count) - 1
            source = shader('DCL OUT[1], SAMPLEMASK\nDCL SV[0], SAMPLEMASK\n', 'CONST[0]', 'MOV OUT[1].x, CONST[1].xxxx\nU2F OUT[0], SV[0].xxxx\n').replace(
                'MOV OUT[0], CONST[0]\n', 'MOV OUT[0].x, CONST[0].xxxx\n')
            mean = F(bin(held).count('1'), count) * 8
            mask = given & (1 << count) - 1
            findings += gives(source + target + f'[test]\nuniform 0 float 8\nuniform 4 uint {own}\nsample mask {given}\nclear rtv 0 0 0 0 0\ndraw quad\n'
                              f'probe (0, 0, 3, 3) f32({text(mean)}, {text(mean / 8 * mask)}) 1\n', c.YES, '1 passed, 0 failed, 0 skipped')
            ids = shader('DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEMASK\n', 'TEMP[0]', 'U2F TEMP[0].x, SV[0].xxxx\nU2F TEMP[0].y, SV[1].xxxx\n')
            numbers = [n for n in range(count) if given >> n & 1]
            findings += gives(ids + target + f'[test]\nsample mask {given}\nclear rtv 0 0 0 0 0\ndraw quad\n'
                              f'probe (0, 0, 3, 3) f32({text(F(sum(numbers), count))}, {text(F(sum(1 << n for n in numbers), count))}) 1\n', c.YES, '1 passed, 0 failed, 0 skipped')
    # A program that runs for each sample has its inputs at the sample; Direct3D's at the centre. Squares tell, as the mean does not.
    square = '[rtv 0]\nsize (2dms, 4, 2, 2)\n[test]\ndraw quad\nprobe (0, 0) f32(%s, 1.5)\n'
    d3d = pixel('dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_input_ps_sgv v1.x, sampleIndex\n', 'mul o0.xzw, v0.xxxx, v0.xxxx\nutof o0.y, v1.x\n')
    findings += gives(d3d + square % 0.25, c.YES, '1 passed, 0 failed, 0 skipped')
    tgsi = shader('DCL IN[0], POSITION, LINEAR\nDCL SV[0], SAMPLEID\n', 'TEMP[0]', 'MUL TEMP[0], IN[0].xxxx, IN[0].xxxx\nU2F TEMP[0].y, SV[0].xxxx\n')
    findings += gives(tgsi + square % text(sum(F(n, 8) ** 2 for n in (3, 7, 1, 5)) / 4), c.YES, '1 passed, 0 failed, 0 skipped')
    # A mask lasts up to the next [test]; integers are those of the first sample.
    whole = '[rtv 0]\nformat r32-sint\nsize (2dms, 2, 1, 1)\n'
    ids = shader('DCL SV[0], SAMPLEID\n', 'TEMP[0]', 'UADD TEMP[0], SV[0].xxxx, CONST[0].xxxx\n')
    return findings + gives(ids + whole + '[test]\nuniform 0 int -7\nsample mask 2\nclear rtv 0 3 0 0 0\ndraw quad\nprobe (0, 0) i32(3)\n[test]\ndraw quad\n'
                            'probe (0, 0) i32(-7)\n', c.YES, '2 passed, 0 failed, 0 skipped')


def system_values():
    """FACE in both files, HELPER_INVOCATION, SAMPLEMASK, SAMPLEPOS; a value that has no row is zero."""
    findings = []
    for declared, source, wanted in (('DCL SV[0], FACE\n', 'SV[0]', (0xffffffff, 0, 0, 1)), ('DCL IN[0], FACE, CONSTANT\n', 'IN[0].xxxx', (0x3f800000,) * 4),
                                     ('DCL SV[0], SAMPLEMASK\n', 'SV[0]', (1, 0, 0, 0)), ('DCL SV[0], SAMPLEPOS\n', 'SV[0]', (0x3f000000, 0x3f000000, 0, 0)),
                                     ('DCL SV[0], HELPER_INVOCATION\n', 'SV[0]', (0, 0, 0, 0)), ('DCL SV[0], SAMPLEID\n', 'SV[0]', (0, 0, 0, 0)),
                                     ('DCL SV[0], SAMPLEMASK\nDCL SV[2], SAMPLEPOS\n', 'SV[2]', (0x3f000000, 0x3f000000, 0, 0))):
        words = ', '.join(map(str, wanted))
        findings += gives(shader(declared, source) + f'[rtv 0]\nsize (2d, 5, 3)\n[test]\ndraw quad\nprobe (0, 0, 5, 3) u32({words})\n', c.YES, '1 passed, 0 failed, 0 skipped')
    # Helpers are outside of the picture: their flag shows in the derivative at the last column.
    helper = shader('DCL SV[0], HELPER_INVOCATION\n', 'TEMP[1]', 'I2F TEMP[0], SV[0].xxxx\nDDX TEMP[1].x, TEMP[0].xxxx\nDDY TEMP[1].y, TEMP[0].xxxx\nMOV TEMP[1].zw, TEMP[0].xxxx\n')
    return findings + gives(helper + '[rtv 0]\nsize (2d, 5, 3)\n[test]\ndraw quad\nprobe (4, 0) rgba(-1, 0, 0, 0)\nprobe (3, 0) rgba(0, 0, 0, 0)\nprobe (0, 2) rgba(0, -1, 0, 0)\n'
                            'probe (4, 2) rgba(-1, -1, 0, 0)\n', c.YES, '4 passed, 0 failed, 0 skipped')


def every_pixel():
    """Of a large target every quad is shaded that a probe looks at, or all, and each pixel gets its own colour."""
    findings, generator = [], random.Random(2)
    source = shader('DCL SV[0], POSITION\n', 'SV[0]')
    spots = [(generator.randrange(640), generator.randrange(480)) for _ in range(60)] + [(0, 0), (639, 479), (638, 0), (0, 478)]
    probes = ''.join(f'probe ({x}, {y}) rgba({x + 0.5}, {y + 0.5}, 0, 1)\n' for x, y in spots)
    findings += gives(source + '[test]\ndraw quad\n' + probes, c.YES, f'{len(spots)} passed, 0 failed, 0 skipped')
    whole = '[uav 0]\nformat r32-typeless\nsize (raw_buffer, 4)\n'
    count = shader('DCL SV[0], POSITION\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 1, 4, 8}\n', 'SV[0]', 'ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n')
    for width, height in ((5, 3), (300, 201), (128, 64), (130, 64), (1, 1)):
        findings += gives(count + whole + f'[rtv 0]\nsize (2d, {width}, {height})\n[test]\ndraw quad\nprobe uav 0 (0) u32({width * height})\n'
                          f'probe ({width - 1}, {height - 1}) rgba({width - 0.5}, {height - 0.5}, 0, 1)\nprobe (0, {height // 2}) f32(0.5, {height // 2 + 0.5})\n',
                          c.YES, '3 passed, 0 failed, 0 skipped')
    # What no probe looks at is not shaded: one quad, of which the pixels at the edge are helpers.
    for spots, quads in ((((0, 0),), 1), (((0, 0), (1, 1)), 1), (((0, 0), (2, 0)), 2), (((299, 200),), 1), (((0, 0), (0, 2), (298, 199)), 3)):
        texts = ''.join(f'probe ({x}, {y}) f32({x + 0.5})\n' for x, y in spots)
        findings += gives(source + '[rtv 0]\nsize (2d, 300, 201)\n[test]\ndraw quad\n' + texts, c.YES, f'{len(spots)} passed, 0 failed, 0 skipped')
    # A copy reads all of it, wherever the probes are.
    copied = source + '[rtv 0]\nsize (2d, 9, 7)\n[rtv 1]\nsize (2d, 9, 7)\n[test]\ndraw quad\ncopy rtv 0 rtv 1\n'
    texts = ''.join(f'probe rtv 1 ({x}, {y}) rgba({x + 0.5}, {y + 0.5}, 0, 1)\n' for x in range(9) for y in range(7))
    findings += gives(copied + texts, c.YES, '63 passed, 0 failed, 0 skipped')
    # Another size in the same script.
    again = source + '[rtv 0]\nsize (2d, 9, 7)\n[test]\ndraw quad\nprobe (8, 6) f32(8.5)\n[rtv 0]\nsize (2d, 20, 31)\n[test]\ndraw quad\nprobe (19, 30) f32(19.5)\n'
    return findings + gives(again, c.YES, '2 passed, 0 failed, 0 skipped')


def failures():
    """Budgets, work and aborts name the line and the stage; what a failed draw or dispatch would have left is not known."""
    loop = shader('DCL SV[0], POSITION\n', 'SV[0]', 'FSGE TEMP[0].x, SV[0].xxxx, CONST[0].xxxx\nFSGE TEMP[0].y, SV[0].yyyy, CONST[0].yyyy\n'
                  'AND TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nUIF TEMP[0].xxxx\nBGNLOOP\nENDLOOP\nENDIF\n')
    place = loop.count('\n', 0, loop.index('BGNLOOP')) + 1
    findings = []
    for x, y in ((7, 5), (4, 2), (11, 9), (0, 0)):
        script = loop + f'[rtv 0]\nsize (2d, 12, 10)\n[test]\nuniform 0 float2 {x} {y}\ndraw quad\nprobe (0, 0, 12, 10) f32(1)\n'
        end = script.count('\n')
        findings += gives(script, c.NO, f'{end - 1}: failed: the budget ran out at line {place + 1} of the pixel shader',
                          f'{end}: skipped: its draw failed', '0 passed, 1 failed, 1 skipped', options=('--budget', '50'))
    code, out, err = run(loop + '[rtv 0]\nsize (2d, 12, 10)\n[test]\nuniform 0 float2 4 4\ndraw quad\nprobe (0, 0, 12, 10) f32(1)\n', '--budget', '1000000000', '--work', '3000')
    if code != c.NO or not any(f'at line {n} of the pixel shader' in out[0] for n in (place, place + 1)) or 'budget' in out[0]:
        findings.append(f'work: {out} {err}')
    compute = ('[compute shader tgsi]\nCOMP\nDCL SV[0], BLOCK_ID\nDCL SV[1], THREAD_ID\nDCL TEMP[0]\nDCL BUFFER[0]\nDCL CONST[0]\nUSEQ TEMP[0].x, SV[0].xxxx, CONST[0].xxxx\nUIF TEMP[0].xxxx\n'
               'BGNLOOP\nENDLOOP\nENDIF\nEND\n[uav 0]\nformat r32-typeless\nsize (raw_buffer, 4)\n[test]\n')
    script = compute + 'uniform 0 uint 2\ndispatch 4 1 1\nprobe uav 0 (0) u32(0)\n'
    end = script.count('\n')
    code, out, err = run(script, '--budget', '20')
    if code != c.NO or not out[0].startswith(f'{end - 1}: failed: ') or ' at line 11, in invocation 2 of the grid' not in out[0] or \
            out[1:] != [f'{end}: skipped: its dispatch failed', '0 passed, 1 failed, 1 skipped']:
        findings.append(f'{out} {err}')
    # A dispatch of nothing does nothing.
    for grid in ('0 1 1', '1 0 1', '1 1 0'):
        findings += gives(compute + f'uniform 0 uint 0\ndispatch {grid}\nprobe uav 0 (0) u32(0)\n', c.YES, '1 passed, 0 failed, 0 skipped', options=('--budget', '20'))
    for sections, reason in (('', 'there is no compute shader'), ('[compute shader tgsi]\nCOMP\nBAD\nEND\n', 'its compute shader failed'),
                             ('[compute shader]\nx\n', 'HLSL needs --hlsl-compiler or --compiled')):
        script = sections + '[uav 0]\nformat r32-typeless\nsize (raw_buffer, 4)\n[test]\ndispatch 1 1 1\nprobe uav 0 (0) u32(0)\n'
        code, out, err = run(script)
        if not out[-2:][0].endswith(f': skipped: {reason}'):
            findings.append(f'{reason}: {out} {err}')
    abort = pixel('dcl_input_ps_siv linear noperspective v0.xy, position\n',
                  'ge r0.x, v0.x, l(6.0)\nge r0.y, v0.y, l(4.0)\nand r0.x, r0.x, r0.y\nif_nz r0.x\nabort\nendif\nmov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)\n')
    script = abort + '[rtv 0]\nsize (2d, 12, 10)\n[test]\ndraw quad\nprobe (0, 0, 12, 10) f32(1)\n'
    code, out, err = run(script)
    line = script.count('\n', 0, script.index('\nabort\n')) + 2
    if code != c.NO or out[0] != f'{script.count(chr(10)) - 1}: failed: aborted at line {line} of the pixel shader':
        findings.append(f'abort: {out} {err[:200]}, not line {line}')
    return findings


def stale_targets():
    """What was not drawn is not known until every pixel is: a draw that loses some leaves it so."""
    killed = shader('DCL SV[0], POSITION\n', 'CONST[0]', 'ADD TEMP[0].x, SV[0].xxxx, -CONST[1].xxxx\nKILL_IF TEMP[0].xxxx\n')
    base = '[rtv 0]\nsize (2d, 8, 8)\n[rtv 1]\nsize (2d, 8, 8)\n[test]\nuniform 0 float4 1 2 3 4\nclear rtv 1 7 7 7 7\ndraw 3 control point patch list 3\n'
    lost = 'patches have no domain shader'
    findings = []
    for least, known in ((0, True), (5, False)):
        script = killed + base + f'uniform 4 float {least}\ndraw quad\nprobe (0, 0, 8, 8) f32(1)\nprobe rtv 1 (0, 0) f32(7)\n'
        end = script.count('\n')
        findings += gives(script, c.YES, *([] if known else [f'{end - 1}: skipped: {lost}']), f'{end}: skipped: {lost}',
                          f'{int(known)} passed, 0 failed, {2 - known} skipped')
    # Killed pixels keep what they have.
    findings += gives(killed + base.replace('draw 3 control point patch list 3\n', 'clear rtv 0 9 9 9 9\n') + 'uniform 4 float 5\ndraw quad\nprobe (0, 0, 5, 8) f32(9)\nprobe (5, 0, 8, 8) f32(1)\n',
                      c.YES, '2 passed, 0 failed, 0 skipped')
    # A stale resource that shaders read stops draws and dispatches; a copy copies that.
    read = COLOR + '[uav 2]\nformat r32-typeless\nsize (raw_buffer, 4)\n[test]\nuniform 0 float4 1 2 3 4\ndraw 1 control point patch list 1\ndraw quad\nprobe (0, 0) f32(1)\nprobe uav 2 (0) u32(0)\n'
    findings += gives(read, c.YES, '14: skipped: patches have no domain shader', '15: skipped: patches have no domain shader', '0 passed, 0 failed, 2 skipped')
    copied = COLOR + base + 'copy rtv 0 rtv 1\nprobe rtv 1 (0, 0) f32(7)\n[rtv 1]\nsize (2d, 8, 8)\n[test]\nprobe rtv 1 (0, 0) f32(0)\n'
    findings += gives(copied, c.YES, f'16: skipped: {lost}', '1 passed, 0 failed, 1 skipped')
    state = COLOR + '[test]\nuniform 0 float4 1 2 3 4\nfog linear ortho 0 1\ndraw quad\nprobe (0, 0) f32(1)\n[require]\n' + COLOR + '[test]\nuniform 0 float 1\ndraw quad\nprobe (0, 0) f32(1)\n'
    findings += gives(state, c.YES, '11: skipped: state that is not executed: fog linear ortho 0 1', '1 passed, 0 failed, 1 skipped')
    depth = COLOR + '[dsv]\nformat r32-float\nsize (2d, 640, 480)\n[rtv 0]\nsize (2d, 640, 480)\n[test]\nuniform 0 float 1\ndraw 2 control point patch list 2\ndepth always\ndraw quad\nprobe (0, 0) f32(1)\nclear dsv 0\ndraw quad\nprobe (0, 0) f32(1)\n'
    return findings + gives(depth, c.YES, '17: skipped: patches have no domain shader', '1 passed, 0 failed, 1 skipped')


def settings():
    """Viewports, depth bounds, alpha test, clip planes, points and the shade mode: what they let through, and that [test]
    takes them back."""
    corners = '[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL SV[0], INSTANCEID\nDCL OUT[0], POSITION\nDCL OUT[1], VIEWPORT_INDEX\nMOV OUT[0], IN[0]\nMOV OUT[1].x, SV[0].xxxx\nEND\n'
    index = '[pixel shader tgsi]\nFRAG\nDCL IN[0], VIEWPORT_INDEX, CONSTANT\nDCL OUT[0], COLOR\nU2F OUT[0], IN[0].xxxx\nEND\n'
    small = '[rtv 0]\nsize (2d, 8, 8)\n'
    triangle = '[input layout]\n0 r32g32-float POSITION 0\n[vb 0]\n-2 -2 -2 4 4 -2\n'
    # A viewport that was not set draws nothing; another one than the first needs its own scissor.
    two = corners + index + small + triangle + '[test]\nclear rtv 0 9 9 9 9\nviewport 2 (2, 4.0 3 1)\nviewport 1 (5, 1, 3, 3)\ndraw triangle list 3 3\n'
    findings = gives(two + 'probe (0, 0, 8, 1) f32(9)\nprobe (5, 1, 8, 4) f32(1)\nprobe (0, 0, 5, 4) f32(9)\nprobe (2, 4, 5, 5) f32(2)\nprobe (0, 5, 8, 8) f32(9)\n'
                     'probe (5, 4, 8, 8) f32(9)\n[test]\nclear rtv 0 9 9 9 9\ndraw triangle list 3\nprobe (0, 0, 8, 8) f32(0)\n', c.YES, '7 passed, 0 failed, 0 skipped')
    depths = COLOR + small + '[dsv]\nsize (2d, 8, 8)\n[test]\nuniform 0 float 1\ndepth always\ndepth-bounds 0.25 0.5\n'
    for stored, drawn in ((0.2, False), (0.25, True), (0.5, True), (0.6, False)):
        findings += gives(depths + f'clear rtv 0 9 9 9 9\nclear dsv {stored}\ndraw quad\nprobe (0, 0, 8, 8) f32({1 if drawn else 9})\n'
                          '[test]\ndepth always\ndraw quad\nprobe (0, 0, 8, 8) f32(1)\n', c.YES, '2 passed, 0 failed, 0 skipped')
    for function, passing in (('never', ''), ('less', 'l'), ('equal', 'e'), ('less equal', 'le'), ('greater', 'g'), ('not equal', 'lg'), ('greater equal', 'ge'), ('always', 'leg')):
        for kind, alpha in (('l', 0.25), ('e', 0.5), ('g', 0.75)):
            findings += gives(COLOR + small + f'[test]\nuniform 0 float4 1 1 1 {alpha}\nclear rtv 0 9 9 9 9\nalpha test {function} 0.5\ndraw quad\n'
                              f'probe (0, 0, 8, 8) f32({1 if kind in passing else 9})\n[test]\ndraw quad\nprobe (0, 0, 8, 8) f32(1)\n', c.YES, '2 passed, 0 failed, 0 skipped')
    # Right of x = 0, and below y = 1/2 of clip space; all planes again after [test].
    planes = COLOR + small + '[test]\nuniform 0 float 1\nclear rtv 0 9 9 9 9\nclip-plane 0 0 0 0 -1\nclip-plane 0 1 0 0 0\nclip-plane 7 0 -1 0 0.5\ndraw quad\n'
    findings += gives(planes + 'probe (4, 2, 8, 8) f32(1)\nprobe (0, 0, 4, 8) f32(9)\nprobe (4, 0, 8, 2) f32(9)\n[test]\ndraw quad\nprobe (0, 0, 8, 8) f32(1)\n',
                      c.YES, '4 passed, 0 failed, 0 skipped')
    point = VERTEX[:VERTEX.index('VERT')] + 'VERT\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[3]\nIMM[0] FLT32 { 0.0, 1.0, 5.0, 0.0 }\nMOV OUT[0], IMM[0].xxxy\nMOV OUT[1], IMM[0].zzzz\nEND\n'
    for line, first in (('4 1 64', 2), ('4 6 64', 1), ('7 1 2', 3)):
        findings += gives(point + COLOR + small + f'[test]\nuniform 0 float 1\nclear rtv 0 9 9 9 9\npoint-size {line}\ndraw point list 1\n'
                          f'probe ({first}, {first}, {8 - first}, {8 - first}) f32(1)\nprobe (0, 0, {first}, 8) f32(9)\nprobe (0, {8 - first}, 8, 8) f32(9)\n',
                          c.YES, '3 passed, 0 failed, 0 skipped')
    # Coordinates of sprites: Direct3D's inputs with the name texcoord, and no others; TGSI's TEXCOORD.
    sprite = ('[pixel shader d3d-asm]\nps_5_0\n.input\n.param TEXCOORD.xy, v3.xy, float\n.param OTHER.xy, v4.xy, float\n.output\n.param SV_Target.xyzw, o0.xyzw, float, TARGET\n'
              '.text\ndcl_input_ps linear v3.xy\ndcl_input_ps linear v4.xy\ndcl_output o0.xyzw\nmov o0.xy, v3.xyxx\nmov o0.zw, v4.xxxy\nret\n')
    both = point.replace('DCL OUT[1], GENERIC[3]\n', 'DCL OUT[1], GENERIC[3]\nDCL OUT[2], GENERIC[4]\n').replace('MOV OUT[1],', 'MOV OUT[2], IMM[0].zzzz\nMOV OUT[1],')
    drawn = small + '[test]\npoint-size 4 1 64\npoint-sprite on\ndraw point list 1\n'
    findings += gives(both + sprite + drawn + 'probe (2, 3) rgba(0.125, 0.375, 5, 5)\npoint-sprite off\ndraw point list 1\nprobe (2, 3) rgba(5, 5, 5, 5)\n', c.YES,
                      '2 passed, 0 failed, 0 skipped')
    findings += gives(point + '[pixel shader tgsi]\nFRAG\nDCL IN[0], TEXCOORD[1], LINEAR\nDCL IN[1], GENERIC[3], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0].xy, IN[0]\nMOV OUT[0].zw, IN[1]\nEND\n' +
                      drawn + 'probe (5, 2) rgba(0.875, 0.125, 5, 5)\n', c.YES, '1 passed, 0 failed, 0 skipped')
    shade = ('[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0].xxxx\nEND\n'
             '[pixel shader tgsi]\nFRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n' + small + '[test]\n')
    return findings + gives(shade + 'shade mode flat\ndraw quad\nprobe (0, 0, 8, 8) f32(-2)\nshade mode linear\ndraw quad\nprobe (0, 0) f32(-0.875) 4\n', c.YES,
                            '2 passed, 0 failed, 0 skipped')


def outputs():
    """Colours go to the targets of their numbers, with as many channels as there are."""
    source = ('[pixel shader tgsi]\nFRAG\nDCL OUT[0], COLOR[7]\nDCL OUT[3], COLOR[0]\nDCL OUT[1], COLOR[2]\nDCL CONST[0..2]\nMOV OUT[0], CONST[0]\nMOV OUT[3], CONST[1]\nMOV OUT[1], CONST[2]\nEND\n'
              '[rtv 7]\nformat r32-float\nsize (2d, 3, 2)\n[rtv 0]\nformat r32g32-float\nsize (2d, 3, 2)\n[rtv 2]\nformat r32g32b32a32-uint\nsize (2d, 3, 2)\n[rtv 5]\nformat r32-uint\nsize (2d, 3, 2)\n6 6 6 6 6 6\n[test]\n'
              'uniform 0 float4 1 2 3 4\nuniform 4 float4 5 6 7 8\nuniform 8 uint4 9 10 11 12\ndraw quad\n')
    findings = gives(source + 'probe rtv 7 (0, 0, 3, 2) f32(1)\nprobe (0, 0, 3, 2) f32(5, 6)\nprobe rtv 2 (2, 1) u32(9, 10, 11, 12)\nprobe rtv 5 (0, 0, 3, 2) u32(6)\nprobe rtv 7 (0, 0) f32(1, 2)\n', c.NO,
                     f'{source.count(chr(10)) + 5}: failed: the resource has no (0, 0) with 2 components', '4 passed, 1 failed, 0 skipped')
    # Clears, by the type of the channels: cut off and clamped.
    values = ('-1.5', '1.9', '4294967040', '4294967296', '1e30', '-1e30', 'nan', 'inf', '-inf', '2147483520', '2147483648', '-2147483648', '-2147483904', '0.99', '-0.99', '7')
    for kind, low, high in (('sint', -1 << 31, (1 << 31) - 1), ('uint', 0, (1 << 32) - 1)):
        for target in ('r32', 'r32g32', 'r32g32b32a32'):
            for value in values:
                number = float(value)
                wanted = 0 if number != number else low if number <= low else high if number >= high else int(number)
                if target != 'r32' and value not in values[:4]:
                    continue
                findings += gives(f'[rtv 0]\nformat {target}-{kind}\nsize (2d, 3, 3)\n[test]\nclear rtv 0 {value} 1 2 3\nprobe (0, 0, 3, 3) {"i32" if kind == "sint" else "u32"}({wanted})\n'
                                  + (f'probe (2, 2) u32({wanted & 0xffffffff}, 1)\n' if target != 'r32' else ''), c.YES, f'{1 + (target != "r32")} passed, 0 failed, 0 skipped')
    findings += gives('[rtv 0]\nformat r32g32-float\nsize (2d, 3, 3)\n[test]\nclear rtv 0 1.5 -2 3 4\nprobe (0, 0, 3, 3) f32(1.5, -2)\nclear rtv 1 0 0 0 0\nclear dsv 1\n', c.NO,
                      '7: failed: there is no such resource to clear', '8: failed: there is no such resource to clear', '1 passed, 2 failed, 0 skipped')
    return findings


def copies():
    """Copies want the same shape, in everything that a shape has."""
    findings = []
    shapes = ['size (2d, 4, 4)', 'size (2d, 4, 4)\nlevels 2', 'size (2d, 8, 2)', 'size (2d, 2, 8)', 'size (2darray, 4, 2, 2)', 'size (3d, 4, 2, 2)', 'size (2dms, 2, 4, 2)', 'format r32g32-float\nsize (2d, 8, 4)',
              'size (1d, 16)', 'size (buffer, 16)', 'format r32-float\nsize (2d, 8, 8)', 'format r8g8b8a8-unorm\nsize (2d, 8, 8)', 'format r32g32b32a32-uint\nsize (2d, 4, 4)', 'size (2darray, 4, 4, 1)',
              'size (2d, 8, 4)', 'size (2d, 4, 8)', 'size (3d, 4, 4, 2)', 'size (2darray, 4, 4, 2)', 'size (2dms, 2, 4, 4)', 'stride 4\nsize (buffer, 16)', 'stride 8\nsize (buffer, 16)']
    same = {(0, 12), (12, 0), (0, 13), (13, 0), (12, 13), (13, 12)}
    for a, first in enumerate(shapes):
        script, wanted = f'[srv 0]\n{first}\n', []
        for b, second in enumerate(shapes):
            script += f'[srv {b + 1}]\n{second}\n'
        script += '[test]\n'
        line = script.count('\n')
        for b in range(len(shapes)):
            script += f'copy srv 0 srv {b + 1}\n'
            line += 1
            if a != b and (a, b) not in same:
                wanted.append(f'{line}: failed: resources of different shapes cannot be copied')
        findings += gives(script, c.NO, *wanted, f'0 passed, {len(wanted)} failed, 0 skipped')
    findings += gives('[srv 0]\nsize (2d, 4, 4)\n[test]\ncopy srv 0 srv 1\ncopy uav 0 srv 0\ncopy dsv dsv\n', c.NO, *[f'{n}: failed: there is no such resource to copy' for n in (4, 5, 6)],
                      '0 passed, 3 failed, 0 skipped')
    # What a shader sees of the copy: as texels, as one sample, as memory.
    source = pixel(f'dcl_resource_texture2d {FLOATS} t3\ndcl_resource_texture2dms(0) {FLOATS} t4\ndcl_resource_raw t5\n',
                   'ld r0.xyzw, l(1, 1, 0, 0), t3.xyzw\nld2dms r1.xyzw, l(1, 0, 0, 0), t4.xyzw, l(0)\nld_raw r2.x, l(4), t5.xxxx\nmov o0.x, r0.x\nmov o0.y, r1.x\nmov o0.zw, r2.xxxx\n')
    resources = ('[srv 3]\nformat r32-float\nsize (2d, 2, 2)\n1 2 3 4\n[srv 4]\nformat r32-float\nsize (2d, 2, 2)\n5 6 7 8\n[srv 5]\nformat r32-typeless\nsize (raw_buffer, 2)\n0x41100000 0x41200000\n'
                 '[uav 0]\nformat r32-float\nsize (2d, 2, 2)\n11 12 13 14\n[uav 1]\nformat r32-typeless\nsize (raw_buffer, 2)\n0x41700000 0x41800000\n')
    return findings + gives(source + resources + '[test]\ndraw quad\nprobe (0, 0) rgba(4, 6, 10, 10)\ncopy uav 0 srv 3\ncopy uav 0 srv 4\ncopy uav 1 srv 5\ndraw quad\nprobe (0, 0) rgba(14, 12, 16, 16)\n', c.YES,
                            '2 passed, 0 failed, 0 skipped')


def multisampled_views():
    """A picture without samples serves a multisampled view of every number; others do not."""
    findings = []
    for slot in (0, 31, 32, 40, 127):
        source = ('[pixel shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n' + f'DCL SAMP[{slot % 16}]\nDCL SVIEW[{slot}], 2D_MSAA, FLOAT\nSAMPLE_I_MS OUT[0], CONST[0], SVIEW[{slot}], CONST[0].wwww\nEND\n')
        code, out, err = run(source + f'[srv {slot}]\nformat r32g32b32a32-float\nsize (2d, 2, 1)\n1 2 3 4 5 6 7 8\n[test]\nuniform 0 int4 1 0 0 0\ndraw quad\nprobe (0, 0) rgba(5, 6, 7, 8)\n')
        if out != ['1 passed, 0 failed, 0 skipped']:
            findings.append(f'{slot}: {out} {err[:300]}')
    for slot in (3, 4, 5):
        source = '[pixel shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL SAMP[0]\nDCL SVIEW[3..5], 2D_MSAA, FLOAT\n' + f'SAMPLE_I_MS OUT[0], CONST[0], SVIEW[{slot}], CONST[0].wwww\nEND\n'
        findings += gives(source + f'[srv {slot}]\nsize (2d, 2, 1)\n1 2 3 4 5 6 7 8\n[test]\nuniform 0 int4 1 0 0 0\ndraw quad\nprobe (0, 0) rgba(5, 6, 7, 8)\n', c.YES,
                          '1 passed, 0 failed, 0 skipped')
    return findings


def uninitialised():
    """Uniforms that nothing sets, the end of constants in whole registers, and textures of every shape by their numbers."""
    findings = []
    for last, words in ((0, (0x7f7f7f7f,) * 3), (3, (0x7f7f7f7f,) * 3), (4, (1, 0x7f7f7f7f, 0x7f7f7f7f)), (1, (0x7f7f7f7f,) * 3)):
        source = COLOR.replace('DCL CONST[0]', 'DCL CONST[0..1]').replace('MOV OUT[0], CONST[0]', 'MOV OUT[0], CONST[1]')
        held = (1 if last == 4 else 0, 0x7f7f7f7f if last == 4 else 0)
        findings += gives(source + f'[test]\nuniform {last} uint 1\ndraw quad\nprobe (0, 0) u32({held[0]}, {held[1]}, {held[1]}, {held[1]})\n', c.YES, '1 passed, 0 failed, 0 skipped')
    wide = COLOR.replace('DCL CONST[0]', 'DCL CONST[0..4095]')
    for register in (0, 1, 255, 256, 1023, 1024, 1025, 4000, 4093):
        source = wide.replace('MOV OUT[0], CONST[0]', f'MOV OUT[0], CONST[{register}]')
        findings += gives(source + '[test]\nuniform 16376 uint 1\ndraw quad\nprobe (0, 0) u32(0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f)\n', c.YES, '1 passed, 0 failed, 0 skipped')
    return findings


tap.run([('interpolation', interpolation), ('coverage', coverage), ('geometry', geometry), ('vertex shaders', vertex_shaders), ('linked signatures', linked_signatures), ('depths', depths),
         ('shapes of targets', shapes_of_targets), ('samples and masks', samples_and_masks), ('system values', system_values), ('every pixel', every_pixel),
         ('failures', failures), ('stale targets', stale_targets), ('settings', settings),
         ('outputs and clears', outputs), ('copies', copies), ('multisampled views', multisampled_views),
         ('what nothing sets', uninitialised)])
