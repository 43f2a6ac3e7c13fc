ps_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | enable11_1ShaderExtensions
dcl_constantbuffer CB0[4], dynamicIndexed
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 4
dcl_indexableTemp x0[2], 4
mad_sat r0.xyz, v0.xyzx, cb0[0].xyzx, -cb0[1].wwww
mad [precise(xy)] r0.xyz, v0.xyzx, cb0[0].xyzx, |cb0[1].xyzx|
mad_sat [precise] o0.xyz, v0.xyzx, cb0[0].xyzx, cb0[1].xyzx
dp3 [precise] r0.x, v0.xyzx, v0.yzwy
dp2_sat r0.xw, v0.xyxx, v0.zwzz
rcp r0.y, v0.wzyx
rcp_sat r0.xz, -v0.wzyx
exp [precise(w)] x0[r0.x + 1].xyzw, v0.xyzw
log x0[r0.x + 0].w, |v0.xyzw|
sincos r0.xy, r1.yz, v0.xyzw
sincos null, r1.w, v0.xyzw
sincos r1.w, null, v0.wzyx
sincos null, null, v0.xyzw
imul r0.x, null, r1.xyzw, r2.xyzw
imul null, r0.xy, -r1.xyzw, r2.xyzw
imul r0.xy, r1.zw, r1.xyzw, r2.xyzw
imul null, null, r1.xyzw, r2.xyzw
udiv r0.y, x0[r0.y + 1].zw, r1.xyzw, r2.xyzw
udiv x0[r0.y + 0].x, r1.x, r1.xyzw, r2.xyzw
swapc r0.xy, r1.yz, r2.xyzw, r0.xyzw, r1.xyzw
swapc_sat r1.x, r2.zw, r2.xyzw, r0.xyzw, r1.xyzw
uaddc r0.x, r1.yz, r2.xyzw, r3.xyzw
uaddc r0.xw, null, r2.xyzw, r3.xyzw
usubb r0.x, r1.yz, r2.xyzw, r3.xyzw
usubb r0.xw, null, r2.xyzw, -r3.xyzw
firstbit_hi r0.xy, r1.zwzz
firstbit_lo r0.xy, r1.zwzz
firstbit_shi r0.xy, r1.zwzz
f32tof16 r0.xz, r1.wzyx
f16tof32_sat r0.yw, r1.wzyx
ubfe r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw
ibfe r0.xy, l(4), l(5), r3.xyzw
bfi r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw, r0.wzyx
msad r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw
movc_sat r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw
dadd_sat r0.xy, r1.xyxy, -r2.zwzw
dfma r0.xyzw, r1.xyzw, r2.xyzw, |r3.xyzw|
deq r0.yw, r1.xyzw, r2.zwxy
dlt r0.x, r1.xyxy, r2.zwzw
dge r0.zw, r1.xyzw, r2.zwxy
dtof_sat r0.yw, r1.xyzw
dtoi r0.x, r1.xyzw
dtou r0.zw, r1.zwxy
ftod r0.xy, r1.xyxy
ftod_sat r0.zw, r1.yxyx
itod r0.xyzw, r1.zwzw
utod r0.zw, r1.wxyz
dmov r0.xyzw, r1.zwxy
dmov r0.xy, -r1.zwxy
dmov_sat r0.zw, |r1.zwxy|
dmov r0.zw, -|r1.zwxy|
dmovc r0.xyzw, r1.xyzw, r2.xyzw, r3.zwxy
dmovc r0.zw, r1.yzyz, -r2.xyzw, r3.zwxy
dmovc_sat r0.xy, r1.zwzw, r2.xyzw, |r3.zwxy|
nop
mov r0.xyzw, r1.xyzw
mov r0.x, r1.w
deriv_rtx r0.xyzw, v0.xyzw
deriv_rty r0.xyzw, v0.xyzw
deriv_rtx_coarse r0.xyzw, v0.xyzw
deriv_rtx_fine r0.xyzw, v0.xyzw
deriv_rty_coarse r0.xyzw, v0.xyzw
deriv_rty_fine_sat r0.xyzw, v0.xyzw
ineg r0.xyzw, r1.xyzw
mov o0.w, r0.x
ret
