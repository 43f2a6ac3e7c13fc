ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | enable11_1ShaderExtensions
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
swapc r1.y, r2.xy, v0.zyzy, l(2, 4, 3, 2), r3.xxxw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
swapc r1.x, r2.x, cb0[1].ywyw, v1.wywy, r0.wywx
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
msad r1.y, r3.zyzx, v1.zzwy, cb0[0].xyyy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
msad r1.yw, cb0[1].yzwx, cb0[1].yzww, r0.zzzz
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dadd r1.xy, cb0[2].xyxy, r3.xyxy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dadd r1.xy, -r0.xyxy, r3.xyxy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dmax [precise(yz)] r1.xy, -cb0[2].xyzw, r3.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dmax r1.xy, -cb0[2].xyxy, r0.xyxy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dmin r1.xy, cb0[2].zwzw, -r3.xyxy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dmin r1.xy, r3.zwzw, -r3.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dmul [precise(x)] r1.xy, r3.xyxy, r3.xyxy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r1.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
dmul r1.xy, -r3.xyxy, r0.xyxy
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
