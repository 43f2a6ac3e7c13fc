hs_5_0
.text
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_even
dcl_tessellator_output_primitive output_point
dcl_hs_max_tessfactor l(16.0)
dcl_globalFlags refactoringAllowed
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input vPrim
dcl_input v[3][0].xyzw
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, vOutputControlPointID
mov r0.xyzw, v[r0.x + 0][0].xyzw
utof r0.w, vPrim
mov o0.xyzw, r0.xyzw
ret
hs_fork_phase
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_output_siv o3.x, finalTriInsideTessFactor
mov o0.x, l(1.5)
mov o1.x, l(2.5)
mov o2.x, l(3.5)
mov o3.x, l(4.5)
ret
hs_join_phase
dcl_input vocp[3][0].xyzw
dcl_input vicp[3][0].xyzw
dcl_output o4.xyzw
dcl_temps 1
add r0.xyzw, vocp[0][0].xyzw, vicp[1][0].wzyx
mov o4.xyzw, r0.xyzw
ret
