ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_input vDomain.xyz
dcl_input vpc0.x
dcl_input vpc31.zw
dcl_input vicp[3][0].xyzw
dcl_input vicp[3][2].xyzw
dcl_input vPrim
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_temps 2
mov r0.x, vPrim
mad r1.xyzw, vDomain.xxxx, vicp[0][0].xyzw, vicp[r0.x + 1][2].xyzw
add r1.xyzw, r1.xyzw, vpc0.xxxx
mov o0.xyzw, r1.xyzw
mov o1.xy, vpc31.zwzz
ret
