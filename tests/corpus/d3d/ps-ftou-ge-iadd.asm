ps_4_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[3], immediateIndexed
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 6
mov r0.xyzw, v0.xyzw
mov r3.xyzw, v1.wzyx
mov r4.xyzw, l(0, 0, 0, 0)
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ftou [precise(x)] r1.x, r0.zxyx
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ftou r1.y, -r3.xzzy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ge r1.xyzw, r0.wyyx, v0.xxxz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ge [precise(yz)] r1.y, r3.yxyw, cb0[1].zwxz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
iadd r1.xz, v0.yxwz, l(-2, 31, 31, 7)
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
iadd r1.xyz, cb0[0].xwwy, v0.yxxz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ieq r1.w, -cb0[1].xxwy, -r3.xyxz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ieq r1.xyz, l(-2, 1, 7, -2), cb0[1].wxwy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ige r1.xy, -cb0[1].wwyy, cb0[1].yyww
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ige r1.zw, r3.zzzz, l(7, 1, -2, -2)
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ilt r1.yw, -v1.xyyy, v0.wwyz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ilt r1.xyz, -r3.ywwy, cb0[1].xwzy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
