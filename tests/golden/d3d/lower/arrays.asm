ps_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0}, { 1, 2, 3, 4}, { 1, 2, 3, 4} }
dcl_constantbuffer CB0[2], immediateIndexed
dcl_constantbuffer CB3[16], dynamicIndexed
dcl_constantbuffer CB13[0], dynamicIndexed
dcl_input_ps linear v0.xyzw
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xyzw
dcl_indexrange v0.xyzw 3
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_indexrange o0.xyzw 2
dcl_temps 3
dcl_indexableTemp x0[4], 4
dcl_indexableTemp x2[3], 2
mov r0.xyzw, l(0, 1, 2, 3)
mov x0[0].xyzw, cb0[1].xyzw
mov x0[3].xy, cb3[15].zwzz
mov x0[r0.x + 0].xyzw, cb3[r0.y + 2].wzyx
mov x0[r0.z + 1].x, icb[r0.x + 0].y
mov x2[r0.w + 2].y, icb[2].w
mov x2[1].xy, x0[x2[r0.x + 1].x + 3].xyxx
mov r1.xyzw, v[r0.x + 1].xyzw
mov o[r0.y + 0].xyzw, cb13[4095].xyzw
mov r1.x, cb13[r0.x + 4095].x
add r1.xyzw, x0[r0.x + 0].xyzw, x0[r0.y + 1].xyzw
add r1.xyzw, r1.xyzw, x0[r0.z + 2].wwww
add r1.xyzw, r1.xyzw, cb3[r0.x + 0].xyzw
mad r2.xyzw, x0[r0.x + 0].xyzw, x0[r0.y + 1].xyzw, cb3[r0.z + 3].xyzw
mad r2.x, x2[r0.w + 0].x, x0[r0.x + 1].w, icb[r0.y + 1].z
mad x0[r0.x + 0].x, x0[x2[r0.x + 0].x + 0].x, x0[x2[r0.y + 0].x + 1].x, x0[x2[r0.z + 0].x + 2].x
mov r2.x, cb3[r0.x + 0].x
mov o1.xyzw, r2.xyzw
ret
