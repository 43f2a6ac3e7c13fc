ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0},
                              { 5, 6, 7, 8},
                              { 16, 32, 48, 64},
                              { -1, -2, -3, -4} }
dcl_constantbuffer CB2[16], dynamicIndexed
dcl_indexableTemp x0[4], 4
dcl_indexableTemp x1[8], 1
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 6
mov r0.xyzw, v0.xyzw
mov r4.xyzw, l(0, 0, 0, 0)
and r1.xyzw, v1.xyzw, l(7, 3, 1, 15)
mov x0[0].xyzw, v0.xyzw
mov x0[1].xyzw, v0.yzwx
mov x0[r1.y + 0].xy, v1.xyxx
mov x1[r1.z + 2].x, v1.w
mov r4.xyzw, x0[r1.y + 0].wzyx
iadd r4.x, r4.x, x1[r1.z + 2].x
iadd r4.xyzw, r4.xyzw, icb[r1.y + 0].xyzw
add r4.xyzw, r4.xyzw, cb2[r1.x + 1].xyzw
mov o0.xyzw, r4.xyzw
ret
