vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.param ATTRIBUTE1.xyzw, v1.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.features doubles doubleExtensions
.text
dcl_globalFlags enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 6
dadd r0.xyzw, v0.xyzw, v1.xyzw
dadd r0.xy, v0.zwxy, d(1.0l, -2.0l)
dadd_sat r0.zw, -v0.xyzw, |v1.xyxy|
mov r5.xyzw, v1.zyxw
dadd r4.xyzw, v0.xyzw, r5.xyzw
mov r0.yw, r4.yyyw
mov r5.xyzw, v0.yxwz
dadd r4.xy, r5.xyzw, -v1.xyzw
mov r0.x, r4.x
dmul r4.xyzw, v0.xyzw, v1.xyzw
mov r0.xyz, r4.xyzx
dmin r4.xyzw, v0.xyzw, v1.xyzw
mov r0.xyw, r4.xyxw
dmax r0.xyzw, v0.xyzw, v1.xyzw
ddiv r0.xyzw, v0.xyzw, v1.xyzw
drcp r0.zw, v0.xyzw
dfma r1.xyzw, v0.xyzw, v1.xyzw, r0.xyzw
dmul r4.xyzw, v0.xyzw, v1.xyzw
dadd [precise] r1.xyzw, r4.xyzw, r0.xyzw
dfma r1.xy, v0.xyzw, v1.xyzw, r0.xyzw
dmov r1.xyzw, |v0.xyzw|
dmov r1.xy, -v0.zwxy
dmov_sat r1.zw, v0.xyzw
dmov r1.zw, |v0.xyzw|
deq r2.x, v0.xyzw, v1.xyzw
dne r2.z, v0.zwzw, v1.zwzw
dge r4.xz, v0.xyzw, v1.xyzw
mov_sat r2.xz, r4.xxzx
ftod r3.xyzw, v0.xyzw
ftod r3.zw, v0.yyyy
ftod_sat r4.xy, v0.zwzw
mov r3.y, r4.y
itod r3.xy, v0.wzyx
utod r3.xyzw, v0.xxyy
dtof r2.xy, v0.xyzw
dtof_sat r2.xy, v0.zwxy
dtoi r2.y, v0.zwzw
dtou r4.x, v0.xyzw
mov_sat r2.x, r4.x
mov o0.xyzw, r2.xyzw
ret
