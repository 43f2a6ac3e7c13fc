hs_5_0
.output
.param POSITION.xyz, o0.xyz, float
.param COLOR.xw, o3.xw, float
.text
hs_decls
dcl_input_control_point_count 2
dcl_output_control_point_count 2
dcl_tessellator_domain domain_isoline
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_line
hs_fork_phase
dcl_output_siv o0.x, finalLineDetailTessFactor
dcl_output_siv o1.z, finalLineDensityTessFactor
mov o0.x, l(2.0)
mov o1.z, l(3.0)
ret
