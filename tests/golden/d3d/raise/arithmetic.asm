ps_5_0
.input
.param GENERIC.xyzw, v1.xyzw, float
.param GENERIC1.xyzw, v2.xyzw, float
.param GENERIC2.xyzw, v3.yw, float
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_constantbuffer CB0[4], dynamicIndexed
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xyzw
dcl_input_ps constant v3.xyzw
dcl_output o0.xyzw
dcl_temps 14
mov r0.xyzw, v1.xyzw
mov r0.y, -v1.w
mov_sat r0.zw, l(0, 0, -2.0, 1.0)
mov r1.xyzw, l(0x7fc00000, 0x7fc00000, 0, -1.0)
mov r1.xyzw, l(0x7fc00000, 0x7fc00000, 0, 1.0)
mul_sat [precise(xz)] r0.xz, v1.xxzx, -|v2.wwyw|
add r0.x, v1.y, l(0.5)
dp2 r0.xw, v1.xyxx, cb0[1].zwzz
dp3 r0.y, v1.xyzx, cb0[1].xyzx
dp4_sat r0.xyzw, v1.xyzw, l(1.0, -2.0, 0.5, 4.0)
min r0.xyzw, v1.xyzw, v2.xyzw
max r0.xy, v1.xyxx, v2.xyxx
mad [precise(yz)] r0.yz, v1.yyzy, v2.yyzy, cb0[3].xxxx
mad r0.xyzw, v1.xyzw, v2.xyzw, cb0[3].xyzx
div r0.xyzw, v1.xyzw, v2.xyzw
frc r1.xyzw, v1.yxwz
round_ni r1.x, v1.x
round_pi r1.y, v1.y
round_z r1.z, v1.z
round_ne_sat r1.w, v1.w
rcp r2.xy, v1.zzzz
rsq r2.z, |v1.w|
sqrt_sat r2.w, v1.y
exp r2.xyzw, v1.xxxx
log r2.x, -v1.w
sincos r3.xy, null, v1.yyyy
sincos_sat [precise(zw)] null, r3.zw, v1.zzzz
log r9.x, v1.y
mul r9.x, r9.x, v2.z
exp r9.x, r9.x
eq r10.x, v2.z, l(0)
movc r9.x, r10.x, l(1.0), r9.x
mov r3.yz, r9.xxxx
log r9.x, |v1.x|
mul r9.x, r9.x, l(1.0)
exp r9.x, r9.x
eq r10.x, l(1.0), l(0)
movc r9.x, r10.x, l(1.0), r9.x
mov_sat r3.xyzw, r9.xxxx
max r11.x, v1.y, l(0)
min r10.x, v1.w, l(128.0)
max r10.x, r10.x, l(-128.0)
lt r12.x, l(0), v1.x
max r9.y, v1.x, l(0)
log r11.x, r11.x
mul r11.x, r11.x, r10.x
exp r11.x, r11.x
eq r13.x, r10.x, l(0)
movc r11.x, r13.x, l(1.0), r11.x
movc r9.z, r12.x, r11.x, l(0)
mov r9.xw, l(1.0, 0, 0, 1.0)
mov r4.xyzw, r9.xyzw
max r11.x, v1.z, l(0)
min r10.x, v1.x, l(128.0)
max r10.x, r10.x, l(-128.0)
lt r12.x, l(0), v1.w
max r9.y, v1.w, l(0)
log r11.x, r11.x
mul r11.x, r11.x, r10.x
exp r11.x, r11.x
eq r13.x, r10.x, l(0)
movc r11.x, r13.x, l(1.0), r11.x
movc r9.z, r12.x, r11.x, l(0)
mov r9.xw, l(1.0, 0, 0, 1.0)
mov_sat r4.yz, r9.yyzy
mov r9.x, l(1.0)
mul r9.y, v1.y, v2.y
mov r9.z, v1.z
mov r9.w, v2.w
mov r4.xyz, r9.xyzx
round_ni r10.xy, v1.yyyy
exp r9.x, r10.x
add r9.y, v1.y, -r10.y
exp r9.z, v1.y
mov r9.w, l(1.0)
mov r4.xyzw, r9.xyzw
mov r10.xyzw, |v1.wwww|
log r9.z, r10.z
lt r11.x, l(0), r10.x
lt r11.y, r10.y, l(0x7f800000)
and r11.xy, r11.xxxx, r11.yyyy
ushr r9.x, r10.x, l(23)
iadd r9.x, r9.x, l(-127)
itof r9.x, r9.x
movc r9.x, r11.x, r9.x, r9.z
and r9.y, r10.y, l(0x007fffff)
or r9.y, r9.y, l(0x3f800000)
movc r9.y, r11.y, r9.y, l(0x7fc00000)
mov r9.w, l(1.0)
mov r4.xz, r9.xxzx
lt r9.x, v1.x, v2.x
and r5.x, r9.x, l(0x3f800000)
ge r9.y, v1.y, v2.y
and r5.y, r9.y, l(0x3f800000)
eq r9.z, v1.z, v2.z
and r5.z, r9.z, l(0x3f800000)
lt r9.w, v2.w, v1.w
and r5.w, r9.w, l(0x3f800000)
ge r9.xyzw, -v2.xyzw, v1.xyzw
and r5.xyzw, r9.xyzw, l(0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000)
ne r9.xw, v1.xxxw, l(1.0, 0, 0, 4.0)
and r5.xw, r9.xxxw, l(0x3f800000, 0, 0, 0x3f800000)
lt r10.yz, l(0, 0, 0, 0), v1.yyzy
lt r11.yz, v1.yyzy, l(0, 0, 0, 0)
iadd r9.yz, -r10.yyzy, r11.yyzy
itof r5.yz, r9.yyzy
lt r10.xyzw, l(0, 0, 0, 0), v1.yyyy
lt r11.xyzw, v1.yyyy, l(0, 0, 0, 0)
iadd r9.xyzw, -r10.xyzw, r11.xyzw
itof_sat r5.xyzw, r9.xyzw
lt r9.xz, v1.xxzx, l(0, 0, 0, 0)
movc r6.xz, r9.xxzx, v2.xxzx, cb0[0].xxzx
lt r9.xyzw, -v1.xyzw, l(0, 0, 0, 0)
movc_sat r6.xyzw, r9.xyzw, v2.xxxx, l(1.0, -2.0, 0.5, 4.0)
add r9.xy, l(1.0, 1.0, 0, 0), -v1.xyxx
mul r9.xy, r9.xyxx, cb0[0].xyxx
mad r6.xy, v1.xyxx, v2.xyxx, r9.xyxx
add r9.w, l(1.0), -v1.x
mul r9.w, r9.w, -cb0[0].w
mad_sat [precise(w)] r6.w, v1.x, v2.w, r9.w
deriv_rtx_coarse r6.xyzw, v1.xyzw
deriv_rty_coarse r6.xy, v1.yyyy
deriv_rtx_fine r6.x, -v1.x
deriv_rty_fine_sat r6.zw, v1.zzzw
f32tof16 r9.xy, v1.xyxx
imad r7.xy, r9.yyyy, l(65536, 65536, 0, 0), r9.xxxx
f32tof16 r9.xy, -v1.zwzz
imad r7.z, r9.y, l(65536), r9.x
ushr r9.xyzw, v3.yyyy, l(0, 16, 0, 16)
f16tof32 r7.xyzw, r9.xyzw
ushr r9.xyzw, v3.wwww, l(0, 16, 0, 16)
f16tof32_sat r7.yz, r9.yyzy
round_ni r9.x, v1.x
ftoi r8.x, r9.x
round_ne r9.yz, v1.yyzy
ftoi r8.yz, r9.yyzy
mov r8.w, v3.y
add o0.xyzw, cb0[r8.x + 1].xyzw, cb0[r8.w + 0].xyzw
ret
