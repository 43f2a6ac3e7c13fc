vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param SV_ClipDistance.xy, o19.xy, float, CLIPDST
.param SV_CullDistance.zw, o19.zw, float, CULLDST
.param SV_ClipDistance1.w, o20.w, float, CLIPDST
.param SV_CullDistance1.xyz, o20.xyz, float, CULLDST
.param SV_RenderTargetArrayIndex.x, o18.x, uint, RTINDEX
.features arrayIndexFromAnyStage
.text
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output_siv o19.xy, clip_distance
dcl_output_siv o19.zw, cull_distance
dcl_output_siv o20.w, clip_distance
dcl_output_siv o20.xyz, cull_distance
dcl_output_siv o18.x, rendertarget_array_index
dcl_temps 2
mov r0.xyzw, v0.xyzw
mov o19.xyzw, v0.xyzw
mov o20.xyz, v0.xyzx
mov r1.xyzw, v0.xyzw
add r0.x, r0.x, v0.x
mov o0.xyzw, r0.xyzw
mov o18.x, r1.x
ret
