hs_5_0
.text
hs_decls
dcl_input_control_point_count 2
dcl_output_control_point_count 2
dcl_tessellator_domain domain_isoline
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_line
dcl_hs_max_tessfactor l(16.0)
dcl_globalFlags refactoringAllowed
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input vPrim
dcl_input v[2][0].xyzw
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, vOutputControlPointID
mov r0.xyzw, v[r0.x + 0][0].xyzw
utof r0.w, vPrim
mov o0.xyzw, r0.xyzw
ret
hs_fork_phase
dcl_output_siv o0.x, finalLineDetailTessFactor
dcl_output_siv o1.x, finalLineDensityTessFactor
mov o0.x, l(1.5)
mov o1.x, l(2.5)
ret
hs_join_phase
dcl_input vocp[2][0].xyzw
dcl_input vicp[2][0].xyzw
dcl_output o2.xyzw
dcl_temps 1
add r0.xyzw, vocp[0][0].xyzw, vicp[1][0].wzyx
mov o2.xyzw, r0.xyzw
ret
