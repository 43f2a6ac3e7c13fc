hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 1
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_cw
hs_control_point_phase
dcl_input v[3][1].xyzw
dcl_output o1.xyzw
mov o1.xyzw, v[2][1].xyzw
ret
hs_join_phase
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o0.y, finalTriVeq0EdgeTessFactor
dcl_output_siv o0.z, finalTriWeq0EdgeTessFactor
dcl_output_siv o0.w, finalTriInsideTessFactor
dcl_output o31.x
mov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)
mov o31.x, l(1)
ret
