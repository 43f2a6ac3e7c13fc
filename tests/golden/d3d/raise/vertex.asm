vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.param ATTRIBUTE1.xy, v1.xy, float
.param ATTRIBUTE4.xyzw, v4.xyzw, float
.param SV_VertexID.x, v5.x, uint, VERTID
.param SV_InstanceID.x, v6.x, uint, INSTID
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param SV_ClipDistance.xyzw, o19.xyzw, float, CLIPDST
.param SV_ClipDistance1.xyzw, o20.xyzw, float, CLIPDST
.param SV_RenderTargetArrayIndex.x, o18.x, uint, RTINDEX
.param SV_ViewportArrayIndex.x, o17.x, uint, VPINDEX
.param COLOR.xyzw, o30.xyzw, float
.param COLOR1.xyzw, o31.xyzw, float
.param FOG.xyzw, o21.xyzw, float
.param GENERIC12.xyzw, o13.xyzw, float
.param GENERIC13.xyzw, o14.xyzw, float
.param TEXCOORD7.xw, o29.xw, float
.param NORMAL.xyzw, o15.xyzw, float
.features viewsInEveryStage arrayIndexFromAnyStage
.text
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_input v0.xyzw
dcl_input v1.xy
dcl_input v4.xyzw
dcl_input_sgv v5.x, vertex_id
dcl_input_sgv v6.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output_siv o19.xyzw, clip_distance
dcl_output_siv o20.xyzw, clip_distance
dcl_output_siv o18.x, rendertarget_array_index
dcl_output_siv o17.x, viewport_array_index
dcl_output o30.xyzw
dcl_output o31.xyzw
dcl_output o21.xyzw
dcl_output o13.xyzw
dcl_output o14.xyzw
dcl_output o29.xw
dcl_output o15.xyzw
dcl_temps 3
iadd r0.x, v5.x, v6.x
iadd r0.y, v6.x, v6.x
mov o0.xyzw, v0.xyzw
mov o19.xyzw, v0.xyzw
mov o20.x, v0.x
mov r1.x, r0.x
mov r2.x, r0.y
mov o30.xyzw, v4.xyzw
mov o31.xyzw, v1.xyxy
mov o21.x, v1.x
mov o13.xyzw, v0.xyzw
mov o14.xyzw, v0.xyzw
mov o29.xw, v0.xxxw
mov o15.xyzw, v0.xyzw
store_uav_typed u0.xyzw, r0.xyxx, r0.xyzw
mov o18.x, r1.x
mov o17.x, r2.x
ret
