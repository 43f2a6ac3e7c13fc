#!/usr/bin/env python3
"""scheelite render: scenes with tessellation and geometry shaders, in TGSI and in Direct3D's assembly. The same pictures
come of both. Expectations are those of docs/pipeline.md and Direct3D's chapters 10 to 13, written into the scenes."""
import re

from rendering import holds, refuses
import tap

TARGET = 'texture t { size 16 16 }\n'
# A patch of four corners, of which the first is red, the others are green, blue and white.
MESH = 'mesh m { position float2; color float3; vertices { -1 1 1 0 0  0.5 1 0 1 0  -1 -0.5 0 0 1  0.5 -0.5 1 1 1 } }\n'

TGSI_VS = ('shader vs vertex {\n  VERT\n  DCL IN[0]\n  DCL IN[1]\n  DCL OUT[0], POSITION\n  DCL OUT[1], GENERIC[1]\n  MOV OUT[0], IN[0]\n'
           '  MOV OUT[1], IN[1]\n  END\n}\n')
TGSI_TCS = ('shader tc tess_ctrl {\n  TESS_CTRL\n  PROPERTY TCS_VERTICES_OUT 4\n  DCL IN[][0], POSITION\n  DCL IN[][1], GENERIC[1]\n'
            '  DCL SV[0], INVOCATIONID\n  DCL OUT[][0], POSITION\n  DCL OUT[][1], GENERIC[1]\n  DCL OUT[2], TESSOUTER\n'
            '  DCL OUT[3], TESSINNER\n  DCL OUT[4], PATCH[0]\n  DCL ADDR[0]\n  IMM[0] FLT32 {3.0, 4.0, 5.0, 6.0}\n'
            '  IMM[1] FLT32 {7.0, 2.0, 0.5, 1.0}\n  UARL ADDR[0].x, SV[0].xxxx\n  MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n'
            '  MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n  MOV OUT[2], IMM[0]\n  MOV OUT[3], IMM[1]\n  MOV OUT[4], IMM[1].zzzw\n  END\n}\n')
# Bilinear, and the colour as flat as the patch says: half of the blended one.
TGSI_TES = ('shader te tess_eval {\n  TESS_EVAL\n  PROPERTY TES_PRIM_MODE 7\n  PROPERTY TES_SPACING 2\n  DCL IN[][0], POSITION\n'
            '  DCL IN[][1], GENERIC[1]\n  DCL IN[4], PATCH[0]\n  DCL SV[0], TESSCOORD\n  DCL OUT[0], POSITION\n  DCL OUT[1], GENERIC[1]\n  DCL TEMP[0..5]\n'
            '  ADD TEMP[0], IN[1][0], -IN[0][0]\n  MAD TEMP[0], SV[0].xxxx, TEMP[0], IN[0][0]\n  ADD TEMP[1], IN[3][0], -IN[2][0]\n'
            '  MAD TEMP[1], SV[0].xxxx, TEMP[1], IN[2][0]\n  ADD TEMP[1], TEMP[1], -TEMP[0]\n  MAD OUT[0], SV[0].yyyy, TEMP[1], TEMP[0]\n'
            '  ADD TEMP[0], IN[1][1], -IN[0][1]\n  MAD TEMP[0], SV[0].xxxx, TEMP[0], IN[0][1]\n  ADD TEMP[1], IN[3][1], -IN[2][1]\n'
            '  MAD TEMP[1], SV[0].xxxx, TEMP[1], IN[2][1]\n  ADD TEMP[1], TEMP[1], -TEMP[0]\n  MAD TEMP[4], SV[0].yyyy, TEMP[1], TEMP[0]\n'
            '  MUL OUT[1], TEMP[4], IN[4]\n  END\n}\n')
TGSI_FS = 'shader fs fragment {\n  FRAG\n  DCL IN[0], GENERIC[1], PERSPECTIVE\n  DCL OUT[0], COLOR\n  MOV OUT[0], IN[0]\n  END\n}\n'

D3D_VS = ('shader vs vertex d3d {\nvs_5_0\ndcl_input v0.xy\ndcl_input v1.xyz\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\nmov o0.xy, v0.xyxx\n'
          'mov o0.zw, l(0, 0, 0, 1.0)\nmov o1.xyz, v1.xyzx\nmov o1.w, l(1.0)\nret\n}\n')
D3D_HS = ('shader tc tess_ctrl d3d {\nhs_5_0\nhs_decls\ndcl_input_control_point_count 4\ndcl_output_control_point_count 4\ndcl_tessellator_domain domain_quad\n'
          'dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_triangle_ccw\n'
          'hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[4][0].xyzw\ndcl_input v[4][1].xyzw\ndcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_temps 1\n'
          'mov r0.x, vOutputControlPointID.x\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nmov o1.xyzw, v[r0.x + 0][1].xyzw\nret\n'
          'hs_fork_phase\ndcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor\n'
          'dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\ndcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\n'
          'mov o0.x, l(3.0)\nmov o1.x, l(4.0)\nmov o2.x, l(5.0)\nmov o3.x, l(6.0)\nret\n'
          'hs_fork_phase\ndcl_output_siv o4.x, finalQuadUInsideTessFactor\ndcl_output_siv o5.x, finalQuadVInsideTessFactor\ndcl_output o6.xyzw\n'
          'mov o4.x, l(7.0)\nmov o5.x, l(2.0)\nmov o6.xyzw, l(0.5, 0.5, 0.5, 1.0)\nret\n}\n')
D3D_DS = ('shader te tess_eval d3d {\nds_5_0\ndcl_input_control_point_count 4\ndcl_tessellator_domain domain_quad\ndcl_input vDomain.xy\ndcl_input vicp[4][0].xyzw\n'
          'dcl_input vicp[4][1].xyzw\ndcl_input vpc6.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_temps 4\n'
          'add r0.xyzw, vicp[1][0].xyzw, -vicp[0][0].xyzw\nmad r0.xyzw, vDomain.xxxx, r0.xyzw, vicp[0][0].xyzw\n'
          'add r1.xyzw, vicp[3][0].xyzw, -vicp[2][0].xyzw\nmad r1.xyzw, vDomain.xxxx, r1.xyzw, vicp[2][0].xyzw\n'
          'add r1.xyzw, r1.xyzw, -r0.xyzw\nmad o0.xyzw, vDomain.yyyy, r1.xyzw, r0.xyzw\n'
          'add r0.xyzw, vicp[1][1].xyzw, -vicp[0][1].xyzw\nmad r0.xyzw, vDomain.xxxx, r0.xyzw, vicp[0][1].xyzw\n'
          'add r1.xyzw, vicp[3][1].xyzw, -vicp[2][1].xyzw\nmad r1.xyzw, vDomain.xxxx, r1.xyzw, vicp[2][1].xyzw\n'
          'add r1.xyzw, r1.xyzw, -r0.xyzw\nmad r0.xyzw, vDomain.yyyy, r1.xyzw, r0.xyzw\nmul o1.xyzw, r0.xyzw, vpc6.xyzw\nret\n}\n')
D3D_PS = 'shader fs fragment d3d {\nps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v1.xyzw\nret\n}\n'
# Each triangle as a point at its first corner, white.
POINTS = ('shader gs geometry {\n  GEOM\n  PROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n  PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n  PROPERTY GS_MAX_OUTPUT_VERTICES 1\n'
          '  DCL IN[][0], POSITION\n  DCL OUT[0], POSITION\n  DCL OUT[1], GENERIC[1]\n  IMM[0] UINT32 {0, 0, 0, 0}\n  IMM[1] FLT32 {1.0, 1.0, 1.0, 1.0}\n'
          '  MOV OUT[0], IN[0][0]\n  MOV OUT[1], IMM[1]\n  EMIT IMM[0].xxxx\n  END\n}\n')
PATCH = 'dynamic { patch_vertices 4 }'


def scene(shaders, body, after=''):
    return TARGET + MESH + shaders + 'pass {\n  color 0 t\n' + body + '}\n' + after


# Half of what is between the corners' colours at the centre of the pixel.
def colored(x, y):
    u, v = (x + 0.5) / 12, (y + 0.5) / 12
    corners = (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)
    mixed = [(1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * e) for a, b, d, e in zip(*corners)]
    return ' '.join(f'{value / 2:.4f}' for value in mixed)


def expected(name='t'):
    # Within a triangle the colour is not quite bilinear.
    return ''.join(f'expect pixel {name} {x} {y} = {colored(x, y)} 1 tolerance 0.02\n' for x, y in ((0, 0), (11, 0), (0, 11), (11, 11), (5, 3), (2, 9))) + \
        f'expect rect {name} 12 0 4 16 = 0 0 0 0\nexpect rect {name} 0 12 16 4 = 0 0 0 0\n'


DRAW = f'  {PATCH}\n  draw patches mesh m\n'


def tgsi():
    return holds(scene(TGSI_VS + TGSI_TCS + TGSI_TES + TGSI_FS, '  use vs tc te fs\n' + DRAW, expected()))


def d3d():
    return holds(scene(D3D_VS + D3D_HS + D3D_DS + D3D_PS, '  use vs tc te fs\n' + DRAW, expected()))


def same():
    """Shaders of both languages beside each other, with one answer."""
    renamed = [re.sub(r'shader (\w+)', r'shader \1_', text) for text in (D3D_VS, D3D_HS, D3D_DS, D3D_PS)]
    return holds('texture u { size 16 16 }\n' + scene(TGSI_VS + TGSI_TCS + TGSI_TES + TGSI_FS + ''.join(renamed), '  use vs tc te fs\n' + DRAW,
                 'pass {\n  color 0 u\n  use vs_ tc_ te_ fs_\n' + DRAW + '}\n' + expected('u') + 'expect same t u\n'))


def default_levels():
    """Without a control shader PATCH[0] is (0, 0, 0, 1): black, and levels of 0 leave nothing."""
    shaders = TGSI_VS + TGSI_TES + TGSI_FS
    levels = 'default_outer_levels 1 1 1 1; default_inner_levels 3 3'
    return holds(scene(shaders, f'  use vs te fs\n  dynamic {{ patch_vertices 4; {levels} }}\n  draw patches mesh m\n', 'expect rect t 0 0 12 12 = 0 0 0 1\nexpect pixel t 12 0 = 0 0 0 0\n')) + \
        holds(scene(shaders, '  use vs te fs\n  dynamic { patch_vertices 4; default_outer_levels 1 1 0 1 }\n  draw patches mesh m\n', 'expect all t = 0 0 0 0\n'))


def without():
    """A pass goes on without shaders: two triangles over the patch."""
    body = '  use vs tc te gs fs\n' + DRAW + '  without tess_ctrl tess_eval geometry\n  draw triangle_strip mesh m count 3\n'
    return holds(scene(TGSI_VS + TGSI_TCS + TGSI_TES + POINTS + TGSI_FS, body,
                       'expect pixel t 0 0 = 0.9167 0.04 0.04 1 tolerance 0.05\nexpect rect t 13 0 3 12 = 0 0 0 0\nexpect pixel t 11 11 = 0 0 0 0\n'))


def geometry():
    """Each of the triangles as a point at its first corner, by a geometry shader behind tessellation."""
    return holds(TARGET + MESH + TGSI_VS + TGSI_TCS + TGSI_TES + POINTS + TGSI_FS + 'query q primitives_generated\npass {\n  color 0 t\n  use vs tc te gs fs\n  begin q\n' +
                 DRAW + '  end q\n}\nexpect pixel t 0 0 = 1 1 1 1\nexpect pixel t 1 1 = 0 0 0 0\nexpect rect t 13 0 3 16 = 0 0 0 0\nexpect query q = 28\n')


def errors():
    shaders = TGSI_VS + TGSI_TCS + TGSI_TES + TGSI_FS
    loop = TGSI_TES.replace('  MUL OUT[1]', '  BGNLOOP\n  ADD TEMP[5], TEMP[5], TEMP[5]\n  ENDLOOP\n  MUL OUT[1]')
    return refuses(scene(shaders, '  use vs tc fs\n' + DRAW), 'error 6310', 'without an evaluation shader') + \
        refuses(scene(shaders, '  use vs tc te fs\n  draw triangles mesh m\n'), 'error 6312', 'TRIANGLES') + \
        refuses(scene(shaders, '  use vs fs\n' + DRAW), 'error 6312', 'PATCHES') + \
        refuses(scene(TGSI_VS + TGSI_TCS + loop + TGSI_FS, '  use vs tc te fs\n' + DRAW), 'in shader te, line')


tap.run([('TGSI', tgsi), ('Direct3D', d3d), ('both', same), ('default levels', default_levels), ('without', without), ('geometry', geometry), ('errors', errors)])
