vs_5_0
.input
.param POSITION.xyzw, v0.xyzw, float
.param SV_VertexID.x, v1.x, uint, VERTID
.param SV_InstanceID.x, v2.x, uint, INSTID
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.param SV_ClipDistance.xyz, o1.xyz, float, CLIPDST
.param SV_CullDistance.w, o1.w, float, CULLDST
.param SV_RenderTargetArrayIndex.x, o2.x, uint, RTINDEX
.param SV_ViewportArrayIndex.y, o2.y, uint, VPINDEX
.param T.xy, o3.xy, float
.text
dcl_globalFlags refactoringAllowed
dcl_input v0.xyzw
dcl_input_sgv v1.x, vertex_id
dcl_input_sgv v2.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output_siv o1.xyz, clip_distance
dcl_output_siv o1.w, cull_distance
dcl_output_siv o2.x, rendertarget_array_index
dcl_output_siv o2.y, viewport_array_index
dcl_output o3.xy
mov o0.xyzw, v0.xyzw
mov o1.xyz, v0.xyzx
mov o1.w, v0.w
mov o2.x, v1.x
mov o2.y, v2.x
utof o3.xy, v1.xxxx
ret
