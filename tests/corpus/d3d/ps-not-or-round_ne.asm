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
not r1.x, r0.zyzx
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
not r1.x, r0.yywx
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
or [precise(x)] r1.x, v0.xwww, r0.zzww
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
or r1.yw, v0.ywwz, cb0[1].wzyw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_ne r1.xyz, cb0[0].yyxz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_ne_sat r1.zw, cb0[0].xxwy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_ni r1.y, l(-0.25, 1.5, 1.5, 3.0)
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_ni r1.yw, cb0[0].wzxw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_pi_sat r1.x, -r0.zxwz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_pi r1.zw, -v0.xzyz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_z r1.zw, l(-0.25, -0.25, 3.0, 3.0)
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
round_z r1.xyz, -|cb0[0].yzyy|
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
