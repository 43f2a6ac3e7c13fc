// Balls of glass before a picture (languages.scene), as balls.tgsi has them. v1: the place among balls, and in t0.
ps_5_0
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 5
// The place in the ball, and its height there.
frc r0.xy, v1.xyxx
add r0.xy, r0.xyxx, l(-0.5, -0.5, 0, 0)
mul r0.xy, r0.xyxx, l(2.09, 2.35, 0, 0)
dp2 r1.x, r0.xyxx, r0.xyxx
add r1.x, l(1.0), -r1.x
max r1.y, r1.x, l(0.0)
sqrt r0.z, r1.y
mul_sat r1.z, r1.x, l(24.0)
// Through the ball, and past it.
mad r1.w, r0.z, l(-0.22), l(0.5)
mad r2.xy, -r0.xyxx, r1.wwww, l(0.5, 0.5, 0, 0)
sample r2.xyzw, r2.xyxx, t0.xyzw, s0
sample r3.xyzw, v1.zwzz, t0.xyzw, s0
// Its shadow.
add r4.xy, r0.xyxx, l(-0.01, -0.06, 0, 0)
dp2 r4.x, r4.xyxx, r4.xyxx
mad_sat r4.x, r4.x, l(2.5), l(-1.7)
mul r3.xyz, r3.xyzx, r4.xxxx
// Its light: darker to the edge, the sky at the edge, a glint.
mad r4.x, r0.z, l(0.8), l(0.4)
mul r2.xyz, r2.xyzx, r4.xxxx
add r4.y, l(1.0), -r0.z
mul r4.y, r4.y, r4.y
mul r4.y, r4.y, r4.y
mad r2.xyz, l(0.55, 0.65, 0.9, 0), r4.yyyy, r2.xyzx
dp3_sat r4.z, r0.xyzx, l(-0.45, -0.6, 0.66, 0)
mul r4.z, r4.z, r4.z
mul r4.z, r4.z, r4.z
mul r4.z, r4.z, r4.z
mul r4.z, r4.z, r4.z
mul r4.z, r4.z, r4.z
add r2.xyz, r2.xyzx, r4.zzzz
add r2.xyz, r2.xyzx, -r3.xyzx
mad o0.xyz, r2.xyzx, r1.zzzz, r3.xyzx
mov o0.w, l(1.0)
ret
