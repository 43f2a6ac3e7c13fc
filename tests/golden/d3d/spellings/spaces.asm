ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1:3][4], dynamicIndexed, space=0
dcl_constantbuffer CB1[2:2][0], immediateIndexed, space=5
dcl_sampler S0[0:1], mode_default, space=0
dcl_sampler S1[7:7], mode_comparison, space=0
dcl_resource_texture2d (float,float,float,float) T0[4:7], space=0
dcl_resource_texture2d (float,float,float,float) T1[0:*], space=1
dcl_resource_raw T2[0:1], space=2
dcl_resource_structured T3[5:5], 20, space=2
dcl_uav_typed_texture2d (float,float,float,float) U0[1:2], space=0
dcl_uav_structured_opc U1[4:6], 16, space=1
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
mov r0.xyzw, CB0[2][3].xyzw
add r0.xyzw, r0.xyzw, CB0[v1.x + 1][v1.y + 1].xyzw
add r0.xyzw, r0.xyzw, CB1[2][7].xyzw
sample r1.xyzw, v0.xyxx, T0[5].xyzw, S0[1]
sample r1.xyzw, v0.xyxx, T0[v1.x + 4].xyzw, S0[v1.y + 0]
sample r1.xyzw, v0.xyxx, T1[v1.z + 3].xyzw {nonuniform}, S0[0]
sample_c r1.x, v0.xyxx, T0[7].xxxx, S1[7], v0.z
ld_raw r1.x, v1.x, T2[1].x
ld_structured r1.x, v1.x, l(0), T3[5].x
ld_raw r1.x, v1.x, T2[v1.y + 0].x
store_uav_typed U0[2].xyzw, v1.xyyy, r1.xyzw
imm_atomic_alloc r1.x, U1[4]
imm_atomic_consume r1.x, U1[v1.x + 5]
store_structured U1[6].x, r1.x, l(0), r1.x
resinfo_uint r1.xyzw, l(0), U0[1].xyzw
mov o0.xyzw, r1.xyzw
ret
