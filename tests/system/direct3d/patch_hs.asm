; A quadrilateral in 4 by 4 parts, with other numbers at two edges. Its corners go on unchanged.
hs_5_0
.input
.param SV_POSITION.xyzw, v0, float, POS
.param COLOR.xyzw, v1, float
.output
.param POSITION.xyzw, o0, float
.patch_constant
.param SV_TessFactor.x, o0.x, float, QUADEDGE
.param SV_TessFactor1.x, o1.x, float, QUADEDGE
.param SV_TessFactor2.x, o2.x, float, QUADEDGE
.param SV_TessFactor3.x, o3.x, float, QUADEDGE
.param SV_InsideTessFactor.x, o4.x, float, QUADINT
.param SV_InsideTessFactor1.x, o5.x, float, QUADINT
.text
hs_decls
dcl_input_control_point_count 4
dcl_output_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[4][0].xyzw
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, vOutputControlPointID
mov o0.xyzw, v[r0.x][0].xyzw
ret
hs_fork_phase
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
mov o0.x, l(2.0)
ret
hs_fork_phase
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
mov o1.x, l(4.0)
ret
hs_fork_phase
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
mov o2.x, l(7.0)
ret
hs_fork_phase
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
mov o3.x, l(4.0)
ret
hs_fork_phase
dcl_output_siv o4.x, finalQuadUInsideTessFactor
mov o4.x, l(4.0)
ret
hs_fork_phase
dcl_output_siv o5.x, finalQuadVInsideTessFactor
mov o5.x, l(4.0)
ret
