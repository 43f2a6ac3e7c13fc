hs_5_0
hs_decls
dcl_input_control_point_count 1
dcl_output_control_point_count 1
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_pow2
dcl_tessellator_output_primitive output_point
hs_control_point_phase
dcl_input v[1][0].xyzw
dcl_output o0.xyzw
mov o0.xyzw, v[0][0].xyzw
ret
hs_fork_phase
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_output_siv o3.x, finalTriInsideTessFactor
mov o0.x, l(1.0)
mov o1.x, l(1.0)
mov o2.x, l(1.0)
mov o3.x, l(1.0)
ret
