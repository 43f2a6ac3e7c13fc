hs_5_0
.patch_constant
.param SV_TessFactor.x, o0.x, float, TRIEDGE
.param "X1"2.yz, o1.y, uint
.text
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_cw
dcl_hs_max_tessfactor l(64.0)
hs_fork_phase
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_input vicp[3][1].xyzw
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_indexrange o0.x 3
mov o[r0.x + 1].x, vicp[r0.y + 0][1].x
ret
hs_join_phase
dcl_hs_join_phase_instance_count 1
dcl_input vPrim
dcl_output o2.x
ret
