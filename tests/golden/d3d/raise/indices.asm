vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.param ATTRIBUTE1.xyzw, v1.xy, float
.param ATTRIBUTE2.xyzw, v2, float
.param ATTRIBUTE3.xyzw, v3.xyw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param GENERIC.xyzw, o1.xyzw, float
.param GENERIC1.xyzw, o2.xyzw, float
.text
dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0},
                              { 1, 2, 3, 4} }
dcl_constantbuffer CB0[8], dynamicIndexed
dcl_constantbuffer CB13[4096], dynamicIndexed
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_input v2.xyzw
dcl_input v3.xyzw
dcl_indexrange v0.xyzw 3
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_indexrange o1.xyzw 2
dcl_temps 10
dcl_indexableTemp x0[4], 4
dcl_indexableTemp x1[2], 4
mov r7.xy, v3.xyxx
mov r8.z, v3.w
mov x0[0].xyzw, v0.xyzw
mov x1[1].xy, v1.xyxx
mov r4.xyzw, r2.xyzw
mov x0[r7.x + 0].xyzw, cb0[r7.y + 2].xyzw
iadd r9.x, r8.z, l(-1)
mov x0[r7.x + 2].x, cb13[r9.x + 0].x
mov x1[r8.z + 0].zw, x0[r7.x + 0].zzzw
mov r0.xyzw, icb[r7.x + 0].xyzw
mov r1.xyzw, icb[r7.y + 1].wzyx
iadd r9.x, r7.x, l(-2)
mov r3.xyzw, x0[r9.x + 0].xyzw
iadd r2.x, r0.x, l(1)
mov r3.x, cb0[r2.x + 1].y
mov r3.y, v[r7.x + 0].y
mov r3.z, v[r7.x + 1].z
mov o[r7.x + 1].xyzw, r3.xyzw
mov o[r8.z + 1].x, r4.x
mov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)
ret
