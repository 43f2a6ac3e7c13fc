hs_5_0
hs_decls
dcl_input_control_point_count 4
dcl_output_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_fractional_even
dcl_tessellator_output_primitive output_triangle_ccw
dcl_hs_max_tessfactor l(32.0)
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[4][0].xyzw
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, vOutputControlPointID
mov o0.xyzw, v[r0.x + 0][0].xyzw
if_nz r0.x
  ret
endif
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 4
dcl_input vForkInstanceID
dcl_input vocp[4][0].xyzw
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_indexrange o0.x 4
dcl_temps 1
mov r0.x, vForkInstanceID
mov o[r0.x + 0].x, vocp[r0.x + 0][0].x
ret
hs_fork_phase
dcl_output_siv o4.y, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
mov o4.y, l(2.0)
mov o5.x, l(3.0)
hs_join_phase
dcl_hs_join_phase_instance_count 2
dcl_input vJoinInstanceID
dcl_input vicp[4][0].xyzw
dcl_input vpc4.y
dcl_input vPrim
dcl_output o6.xyz
dcl_temps 2
mov r0.x, vJoinInstanceID
add r1.xyz, vicp[3][0].xyzx, vpc4.yyyy
utof r1.x, vPrim
mov o6.xyz, r1.xyzx
ret
