"""Direct3D shaders of every stage through the command's eval: registers that hold several things, depth, coverage, quads,
streams, patches. Expected lines are worked out by hand."""
import command as c
import tap

PIXELS = [
    # A system value beside user values: v1.z is the primitive, and the user's part keeps its number.
    ('mixed input', '''ps_5_0
dcl_input_ps linear v1.xy
dcl_input_ps_sgv constant v1.z, primitive_id
dcl_output o0.xyzw
mov o0.xyzw, v1.zyxz
ret
''', [], 'IN[1]=0x11,0x22,0x33,0x44\tSV[0]=0x7,0x8,0x9,0xa\n', ['OUT[0]=0x00000007,0x00000022,0x00000011,0x00000007']),
    ('front face', '''ps_5_0
dcl_input_ps_sgv constant v0.x, is_front_face
dcl_output o0.xyzw
movc o0.xyzw, v0.xxxx, l(1, 2, 3, 4), l(5, 6, 7, 8)
ret
''', [], 'SV[0]=ffffffff,0,0,0\nSV[0]=0,0,0,0\n',
     ['OUT[0]=0x00000001,0x00000002,0x00000003,0x00000004', 'OUT[0]=0x00000005,0x00000006,0x00000007,0x00000008']),
    ('depth and coverage', '''ps_5_0
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_output oDepth
dcl_output oMask
mov o0.xyzw, l(0, 0, 0, 0)
add oDepth, v0.y, l(1.0)
mov oMask, v0.x
ret
''', [], 'IN[0]=0x3,40000000,0,0\n',
     ['OUT[0]=0x00000000,0x00000000,0x00000000,0x00000000\tOUT[1]=0x00000000,0x00000000,0x40400000,0x00000000\t'
      'OUT[2]=0x00000003,0x00000000,0x00000000,0x00000000']),
    # Coarse differences are the first row's and column's, fine ones the lane's own; a discarded pixel still counts.
    ('derivatives', '''ps_5_0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
discard_nz v0.w
deriv_rtx_coarse r0.x, v0.x
deriv_rtx_fine r0.y, v0.x
deriv_rty_coarse r0.z, v0.x
deriv_rty_fine r0.w, v0.x
mov o0.xyzw, r0.xyzw
ret
''', ['--quads'], 'IN[0]=3f800000,0,0,0\nIN[0]=40400000,0,0,0x1\nIN[0]=40a00000,0,0,0\nIN[0]=41200000,0,0,0\n',
     ['OUT[0]=0x40000000,0x40000000,0x40800000,0x40800000', 'KILL',
      'OUT[0]=0x40000000,0x40a00000,0x40800000,0x40800000', 'OUT[0]=0x40000000,0x40a00000,0x40800000,0x40e00000']),
    ('samples of the render target', '''ps_5_0
dcl_output o0.xyzw
dcl_temps 1
sampleinfo_uint r0.x, rasterizer.xyzw
samplepos r0.yz, rasterizer.xyxy, l(0)
mov r0.w, l(0)
mov o0.xyzw, r0.xzyw
ret
''', [], '\n', ['OUT[0]=0x00000001,0x00000000,0x00000000,0x00000000']),
    # 1 + 2 x + 4 y at offsets of sixteenths: (-8, 7) and, of 0x18, the low four bits: -8 again
    ('interpolation', '''ps_5_0
dcl_input_ps linear noperspective v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
eval_snapped r0.x, v0.x, l(-8, 7, 0, 0)
eval_snapped r0.y, v0.x, l(24, 0, 0, 0)
eval_centroid r0.z, v0.x
eval_sample_index r0.w, v0.x, l(0)
mov o0.xyzw, r0.xyzw
ret
''', [],
     'PLANE[0][0]=3f800000,0,0,0\tPLANE[0][1]=40000000,0,0,0\tPLANE[0][2]=40800000,0,0,0\tCENTROID[0]=3e800000,0,0,0\n',
     ['OUT[0]=0x3fe00000,0x00000000,0x3fc00000,0x3f800000']),
]

LOOKUPS = '''ps_5_0
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 3
lod o0.xyzw, v0.xyxx, t0.xyzw, s0
sample_cl_s r1.x, r2.x, v0.xyxx, t0.xyzw, s0, l(2.5)
sample_l r1.y, v0.xyxx, t0.yxzw, s0, l(2.5)
eq o1.x, r1.x, r1.y
mov o1.y, r2.x
sample_b_cl_s r1.x, null, v0.xyxx, t0.xyzw, s0, l(0.5), l(0.0)
sample_l r1.y, v0.xyxx, t0.yxzw, s0, l(1.5)
eq o1.z, r1.x, r1.y
sample_c_cl_s r1.x, null, v0.xyxx, t1.xxxx, s1, l(0.5), null
sample_c r1.y, v0.xyxx, t1.xxxx, s1, l(0.5)
eq o1.w, r1.x, r1.y
ret
'''

VERTICES = [
    ('vertex numbers', '''vs_5_0
dcl_input v0.xyzw
dcl_input_sgv v1.x, vertex_id
dcl_input_sgv v2.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output_siv o1.z, viewport_array_index
mov o0.xyzw, v0.wzyx
mov o1.x, v1.x
mov o1.y, v2.x
mov o1.z, l(5)
ret
''', [], 'IN[0]=0x1,0x2,0x3,0x4\tSV[0]=0x9,0,0,0\tSV[1]=0xa,0,0,0\n',
     ['OUT[0]=0x00000004,0x00000003,0x00000002,0x00000001\tOUT[1]=0x00000009,0x0000000a,0x00000000,0x00000000\t'
      'OUT[2]=0x00000005,0x00000000,0x00000000,0x00000000']),
]

GEOMETRY = [
    ('streams', '''gs_5_0
dcl_input v[3][0].xyzw
dcl_input v[3][1].xy
dcl_input vPrim
dcl_temps 1
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_maxout 3
mov o0.xyzw, v[1][0].xyzw
mov o1.xy, v[2][1].yxyy
emit_stream m0
cut_stream m0
mov o0.xyzw, l(1, 2, 3, 4)
emitThenCut_stream m1
emit_stream m0
emit_stream m0
ret
''', [], 'IN[0][0]=0x1,0x2,0x3,0x4\tIN[1][0]=0x5,0x6,0x7,0x8\tIN[2][1]=0x9,0xa,0xb,0xc\n',
     ['EMIT 0 OUT[2]=0x00000005,0x00000006,0x00000007,0x00000008', 'ENDPRIM 0',
      'EMIT 1 OUT[2]=0x00000005,0x00000006,0x00000007,0x00000008\tOUT[0]=0x00000001,0x00000002,0x00000003,0x00000004',
      'ENDPRIM 1', 'EMIT 0 OUT[2]=0x00000001,0x00000002,0x00000003,0x00000004']),
]

GEOMETRY += [
    ('instances', '''gs_5_0
dcl_input vGSInstanceID
dcl_input v[1][0].xyzw
dcl_temps 1
dcl_inputprimitive point
dcl_outputtopology trianglestrip
dcl_output o0.xyzw
dcl_maxout 4
dcl_gsinstances 2
mov o0.xyzw, vGSInstanceID.xxxx
emitThenCut
mov o0.xyzw, v[0][0].xyzw
emit
cut
ret
''', [], 'IN[0][0]=0x1,0x2,0x3,0x4\nIN[0][0]=0x1,0x2,0x3,0x4\n',
     ['EMIT 0 OUT[0]=0x00000000,0x00000000,0x00000000,0x00000000', 'ENDPRIM 0',
      'EMIT 0 OUT[0]=0x00000001,0x00000002,0x00000003,0x00000004', 'ENDPRIM 0', 'OUT[0]=',
      'EMIT 0 OUT[0]=0x00000001,0x00000001,0x00000001,0x00000001']),
]

HULL = '''hs_5_0
hs_decls
dcl_input_control_point_count 2
dcl_output_control_point_count 3
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_hs_max_tessfactor l(16.0)
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[2][0].xyzw
dcl_output o0.xyzw
dcl_temps 1
and r0.x, vOutputControlPointID.x, l(1)
iadd o0.xyzw, v[r0.x + 0][0].xyzw, vOutputControlPointID.xxxx
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 4
dcl_input vForkInstanceID
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_temps 1
dcl_indexrange o0.x 4
mov r0.x, vForkInstanceID.x
iadd o[r0.x + 0].x, vForkInstanceID.x, l(100)
ret
hs_fork_phase
dcl_input vocp[3][0].xyzw
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
mov o4.x, vocp[2][0].y
mov o5.x, vocp[1][0].x
ret
hs_join_phase
dcl_hs_join_phase_instance_count 2
dcl_input vJoinInstanceID
dcl_input vpc3.x
dcl_output o6.xy
dcl_output o7.xy
dcl_indexrange o6.xy 2
dcl_temps 1
mov r0.x, vJoinInstanceID.x
iadd o[r0.x + 6].xy, vpc3.xxxx, l(1, 2, 0, 0)
ret
'''

DOMAIN = '''ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_quad
dcl_input vDomain.xy
dcl_input vicp[3][0].xyzw
dcl_input vpc6.xy
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
mul o0.xyzw, vicp[2][0].xyzw, vDomain.yyyy
mov o1.xy, vpc6.yxyy
ret
'''


def evaluate(name, text, options, vectors, wanted):
    findings = []
    source = c.write('stage.asm', text)
    values = c.write('stage.tsv', vectors)
    for width in ('4', '8', '16'):
        done = c.run('eval', source, '--vectors', values, '--width', width, *options)
        lines = done.stdout.decode().splitlines()
        if done.returncode != c.YES:
            return [f'{name}: exit {done.returncode}: {done.stderr.decode()[:400]}']
        for number, line in enumerate(wanted):
            if number >= len(lines) or not lines[number].startswith(line):
                findings.append(f'{name}, width {width}: line {number + 1} is not {line}:\n' + '\n'.join(lines))
                break
    return findings


def all_of(cases):
    findings = []
    for name, text, options, vectors, wanted in cases:
        findings += evaluate(name, text, options, vectors, wanted)
    return findings


def pixels():
    return all_of(PIXELS)


def lookups():
    """A quarter of 8 texels between pixels: a level of detail of 1; what is clamped or biased is the level that says so."""
    places = ''.join(f'IN[0]={x},{y},0,0\n' for y in ('3e000000', '3ec00000') for x in ('3e000000', '3ec00000'))
    texture = 'random:R32_FLOAT:8x8x1:levels=4:seed=3,min=linear,mip=linear'
    return evaluate('lookups', LOOKUPS, ['--quads', '--tex', '0=' + texture, '--tex', '1=' + texture], places,
                    4 * ['OUT[0]=0x3f800000,0x3f800000,0x00000000,0x00000000\t'
                         'OUT[1]=0xffffffff,0xffffffff,0xffffffff,0xffffffff'])


def vertices():
    return all_of(VERTICES)


def geometry():
    return all_of(GEOMETRY)


def registers(line):
    return dict(field.split('=') for field in line.split('\t'))


def hull():
    """Three invocations of one patch: its vertices, and what belongs to the patch."""
    source = c.write('hull.asm', HULL)
    vectors = c.write('hull.tsv', 'IN[0][0]=0x1,0x2,0x3,0x4\tIN[1][0]=0x11,0x12,0x13,0x14\n' * 3)
    done = c.run('eval', source, '--vectors', vectors)
    if done.returncode != c.YES:
        return [done.stderr.decode()]
    lines = [registers(line) for line in done.stdout.decode().splitlines()]
    findings = []
    if len(lines) != 3:
        return [f'{len(lines)} lines']
    points = [next(v for k, v in line.items() if k.endswith('[0]') and k != 'OUT[32]') for line in lines]
    wanted = ['0x00000001,0x00000002,0x00000003,0x00000004', '0x00000012,0x00000013,0x00000014,0x00000015',
              '0x00000003,0x00000004,0x00000005,0x00000006']
    if points != wanted:
        findings.append(f'control points {points}')
    patch = {'OUT[32]': '64', 'OUT[33]': '65', 'OUT[34]': '66', 'OUT[35]': '67', 'OUT[36]': '4', 'OUT[37]': '12'}
    for name, word in patch.items():
        if lines[0].get(name, '').split(',')[0] != f'0x{int(word, 16):08x}':
            findings.append(f'{name} is {lines[0].get(name)}')
    if lines[0].get('OUT[38]') != '0x00000068,0x00000069,0x00000000,0x00000000':
        findings.append(f'join: {lines[0].get("OUT[38]")}')
    if lines[0].get('OUT[39]') != lines[0].get('OUT[38]'):
        findings.append(f'join, second instance: {lines[0].get("OUT[39]")}')
    if lines[0].get('OUT[64]') != '0x00000064,0x00000065,0x00000066,0x00000067':
        findings.append(f'outer levels: {lines[0].get("OUT[64]")}')
    if lines[0].get('OUT[65]') != '0x00000004,0x00000012,0x00000000,0x00000000':
        findings.append(f'inner levels: {lines[0].get("OUT[65]")}')
    return findings


def domain():
    return evaluate('domain', DOMAIN, [],
                    'SV[0]=3f000000,40000000,0,0\tIN[2][0]=3f800000,40000000,0,bf800000\tIN[0][38]=0x7,0x8,0,0\n',
                    ['OUT[0]=0x40000000,0x40800000,0x00000000,0xc0000000\t'
                     'OUT[1]=0x00000008,0x00000007,0x00000000,0x00000000'])


tap.run([('pixel shaders', pixels), ('lookups of quads', lookups), ('vertex shaders', vertices),
         ('geometry shaders', geometry), ('hull shaders', hull), ('domain shaders', domain)])
