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
ishl r1.xyz, cb0[0].yzww, r0.wyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ishl r1.xz, cb0[0].xxzw, cb0[0].xwwz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ishr r1.x, r0.xwwy, cb0[0].yzxx
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
ishr [precise(yz)] r1.xyz, -cb0[0].wyyy, cb0[1].yyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
itof r1.w, v1.wxzy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
itof [precise(x)] r1.y, -r0.ywyy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
log_sat r1.yw, -|cb0[0].yzxy|
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
log r1.xy, v1.xzzy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
lt r1.xy, r3.xzwy, v1.zxzy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
lt r1.xyz, |cb0[1].ywxz|, r0.wywz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
mad_sat [precise(yz)] r1.xy, -v1.ywzz, cb0[1].yywy, -r0.zwww
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
mad r1.xyz, l(-0.25, 1.5, 3.0, 1.5), cb0[0].wzyy, v1.zzyw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
