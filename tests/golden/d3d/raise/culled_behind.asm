vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param SV_ClipDistance.xyzw, o19.xyzw, float, CLIPDST
.param SV_ClipDistance1.w, o20.w, float, CLIPDST
.param SV_CullDistance.xyz, o20.xyz, float, CULLDST
.text
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output_siv o19.xyzw, clip_distance
dcl_output_siv o20.w, clip_distance
dcl_output_siv o20.xyz, cull_distance
mov o0.xyzw, v0.xyzw
mov o19.xyzw, v0.xyzw
mov o20.xyz, v0.xyzx
ret
