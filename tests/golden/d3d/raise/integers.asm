vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.param ATTRIBUTE1.xyzw, v1.xyzw, float
.param ATTRIBUTE2.xyzw, v2.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param GENERIC3.xy, o4.xy, float
.features shaderExtensions
.text
dcl_globalFlags enable11_1ShaderExtensions
dcl_constantbuffer CB0[2], immediateIndexed
dcl_constantbuffer CB2[5], immediateIndexed
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_input v2.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o4.xy
dcl_temps 11
iadd r0.xyzw, v0.xyzw, -v1.xyzw
and r7.xyzw, v1.xyxx, l(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff)
iadd r6.xy, v0.xyxx, r7.xyxx
mov_sat r0.xy, r6.xyxx
and r6.xyzw, v1.zzzz, l(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff)
ineg r6.xyzw, r6.xyzw
iadd r0.z, v0.z, r6.z
iadd r0.w, l(-2147483648), l(7)
umad r0.xw, v0.xxxw, l(2, 0, 0, 2), cb2[4].xxxw
umul null, r0.xyzw, v0.xyzw, l(1, 2, 31, -1)
imul r0.yz, null, v0.yyzy, v1.xxxx
umul r6.x, null, v0.x, v1.x
mov_sat r0.x, r6.x
udiv r0.xy, null, v0.xyxx, v1.xyxx
udiv null, r0.zw, v0.zzzw, l(0, 0, 2, 2)
iadd r6.xyzw, v0.xyzw, l(0, 0, 0, 0)
iadd r7.xyzw, v1.xyzw, l(0, 0, 0, 0)
xor r8.xyzw, r6.xyzw, r7.xyzw
ishr r8.xyzw, r8.xyzw, l(31, 31, 31, 31)
imax r6.xyzw, r6.xyzw, -r6.xyzw
imax r9.xyzw, r7.xyzw, -r7.xyzw
udiv r6.xyzw, null, r6.xyzw, r9.xyzw
xor r6.xyzw, r6.xyzw, r8.xyzw
iadd r6.xyzw, r6.xyzw, -r8.xyzw
movc r1.xyzw, r7.xyzw, r6.xyzw, l(-1, -1, -1, -1)
iadd r7.x, -v0.x, l(0)
iadd r8.x, l(1), l(0)
xor r9.x, r7.x, r8.x
ishr r9.x, r9.x, l(31)
imax r7.x, r7.x, -r7.x
imax r10.x, r8.x, -r8.x
udiv r7.x, null, r7.x, r10.x
xor r7.x, r7.x, r9.x
iadd r7.x, r7.x, -r9.x
movc r6.x, r8.x, r7.x, l(-1)
mov_sat r1.x, r6.x
iadd r6.yzw, v0.yyzw, l(0, 0, 0, 0)
iadd r7.yzw, v1.yyzw, l(0, 0, 0, 0)
ishr r8.yzw, r6.yyzw, l(0, 31, 31, 31)
imax r6.yzw, r6.yyzw, -r6.yyzw
imax r9.yzw, r7.yyzw, -r7.yyzw
udiv null, r6.yzw, r6.yyzw, r9.yyzw
xor r6.yzw, r6.yyzw, r8.yyzw
iadd r6.yzw, r6.yyzw, -r8.yyzw
movc r1.yzw, r7.yyzw, r6.yyzw, l(0, -1, -1, -1)
not r1.xy, v0.zwzz
ineg r6.xyzw, v0.zzzz
not r1.z, r6.z
and r1.xyzw, v0.xyzw, l(1, 2, 31, -1)
and r6.xyzw, v0.xxxx, l(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff)
or r1.x, r6.x, v1.x
ineg r7.xyzw, v1.yyyy
xor r6.w, v0.w, r7.w
mov_sat r1.w, r6.w
imax r2.xyzw, v0.xyzw, v1.xyzw
umax r2.x, v0.x, v1.x
imin r2.y, v0.y, l(5)
umin r2.z, v0.z, v1.z
ishl r2.xyzw, v0.xyzw, l(31, 31, 31, 31)
ishr r2.xy, v0.xyxx, v1.yyyy
ushr r2.w, v0.w, v1.w
movc r2.xyzw, v0.xyzw, v1.xyzw, l(1, 2, 31, -1)
movc_sat r2.xz, -v0.xxzx, v1.xxzx, |v2.xxzx|
ilt r6.xyzw, l(0, 0, 0, 0), v0.xyzw
ilt r7.xyzw, v0.xyzw, l(0, 0, 0, 0)
iadd r3.xyzw, -r6.xyzw, r7.xyzw
ilt r7.yw, l(0, 0, 0, 0), v0.xxxx
ilt r8.yw, v0.xxxx, l(0, 0, 0, 0)
iadd r6.yw, -r7.yyyw, r8.yyyw
mov_sat r3.yw, r6.yyyw
lt r3.x, v0.x, v1.x
ge r3.y, v0.y, v1.y
eq r3.z, v0.z, v1.z
ne r6.w, v0.w, v1.w
mov_sat r3.w, r6.w
ilt r3.x, v0.x, v1.x
ige r3.y, v0.y, v1.y
ult r3.z, v0.z, v1.z
uge r3.w, v0.w, v1.w
ieq r3.xy, v0.xyxx, v1.xyxx
ine r3.zw, v0.zzzw, v1.zzzw
ineg r4.xyzw, v0.xyzw
ineg r4.x, -v0.x
imax r4.xy, v0.xyxx, -v0.xyxx
iadd r6.xyzw, -v0.zzzw, l(0, 0, 0, 0)
imax r7.zw, r6.zzzw, -r6.zzzw
mov_sat r4.zw, r7.zzzw
iadd r9.xyzw, v0.xyzw, l(0, 0, 0, 0)
ibfe r6.xyzw, v2.xyzw, v1.xyzw, r9.xyzw
xor r7.xyzw, v2.xyzw, l(32, 32, 32, 32)
and r8.xyzw, v1.xyzw, l(31, 31, 31, 31)
or r7.xyzw, r7.xyzw, r8.xyzw
movc r4.xyzw, r7.xyzw, r6.xyzw, r9.xyzw
ibfe r4.x, l(31), l(1), v0.x
iadd r10.yw, v0.yyyw, l(0, 0, 0, 0)
ubfe r7.yw, v2.yyyy, v1.xxxx, r10.yyyw
xor r8.yw, v2.yyyy, l(0, 32, 0, 32)
and r9.yw, v1.xxxx, l(0, 31, 0, 31)
or r8.yw, r8.yyyw, r9.yyyw
movc r6.yw, r8.yyyw, r7.yyyw, r10.yyyw
mov_sat r4.yw, r6.yyyw
iadd r8.xyzw, v1.xyzw, l(0, 0, 0, 0)
bfi r6.xyzw, v2.wzyx, v2.xyzw, v1.xyzw, v0.xyzw
ieq r7.xyzw, v2.wzyx, l(32, 32, 32, 32)
movc r4.xyzw, r7.xyzw, r8.xyzw, r6.xyzw
iadd r8.x, v1.x, l(0)
bfi r6.x, l(2), l(1), v1.x, v0.x
ieq r7.x, l(2), l(32)
movc r4.x, r7.x, r8.x, r6.x
bfrev r5.x, v0.x
countbits r5.y, v0.y
firstbit_lo r5.zw, v0.zzzw
firstbit_shi r6.xyzw, v0.xyzw
ine r7.xyzw, r6.xyzw, l(-1, -1, -1, -1)
iadd r8.xyzw, l(31, 31, 31, 31), -r6.xyzw
movc r5.xyzw, r7.xyzw, r8.xyzw, r6.xyzw
firstbit_hi r7.xy, v0.zzzz
ine r8.xy, r7.xyxx, l(-1, -1, 0, 0)
iadd r9.xy, l(31, 31, 0, 0), -r7.xyxx
movc r6.xy, r8.xyxx, r9.xyxx, r7.xyxx
mov_sat r5.xy, r6.xyxx
msad r5.xyz, v0.xyzx, v1.xyzx, v2.xyzx
itof r5.x, v0.x
utof_sat r5.y, v0.y
ftoi r5.z, -v0.z
ftou r5.w, |v0.w|
mov o4.xy, r5.xyxx
mov o0.xyzw, cb0[1].xyzw
ret
