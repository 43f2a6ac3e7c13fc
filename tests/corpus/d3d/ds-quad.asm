ds_5_0
.text
dcl_input_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_globalFlags refactoringAllowed
dcl_input_siv vpc0.x, finalQuadUeq0EdgeTessFactor
dcl_input_siv vpc1.x, finalQuadVeq0EdgeTessFactor
dcl_input_siv vpc2.x, finalQuadUeq1EdgeTessFactor
dcl_input_siv vpc3.x, finalQuadVeq1EdgeTessFactor
dcl_input_siv vpc4.x, finalQuadUInsideTessFactor
dcl_input_siv vpc5.x, finalQuadVInsideTessFactor
dcl_input vpc6.xyzw
dcl_input vDomain.xy
dcl_input vicp[4][0].xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.x
dcl_temps 1
mul r0.xyzw, vDomain.xxxx, vicp[0][0].xyzw
mad r0.xyzw, vDomain.yyyy, vicp[1][0].xyzw, r0.xyzw
add r0.xyzw, r0.xyzw, vpc6.xyzw
mov o0.xyzw, r0.xyzw
mov o1.x, vpc0.x
ret
