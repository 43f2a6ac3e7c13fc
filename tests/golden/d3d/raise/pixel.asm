ps_5_0
.input
.param SV_Position.xyzw, v0.xyzw, float, POS
.param SV_IsFrontFace.x, v15.x, uint, FFACE
.param GENERIC.xyzw, v1.xyzw, float
.param GENERIC1.xy, v2.xy, float
.param GENERIC2.xyzw, v3.xz, float
.param GENERIC3.xyzw, v4.xyzw, float
.param GENERIC4.xyzw, v5.xyzw, float
.param GENERIC5.xyzw, v6.xyzw, float
.param COLOR.xyzw, v30.xyzw, float
.param FOG.xyzw, v21.xyzw, float
.param TEXCOORD2.xyzw, v24.xyzw, float
.param NORMAL.xyzw, v14.xyzw, float
.param SV_ClipDistance.xyz, v19.xyz, float, CLIPDST
.param SV_CullDistance.w, v19.w, float, CULLDST
.param SV_ClipDistance1.w, v20.w, float, CLIPDST
.param SV_CullDistance1.xyz, v20.xyz, float, CULLDST
.param SV_PrimitiveID.x, v16.x, uint, PRIMID
.param SV_RenderTargetArrayIndex.x, v18.x, uint, RTINDEX
.param SV_ViewportArrayIndex.x, v17.x, uint, VPINDEX
.param GENERIC30.xyzw, v31.xyzw, float
.param GENERIC6.xyzw, v7, float
.param SV_SampleIndex.x, v13.x, uint, SAMPLE
.param SV_IsFrontFace.x, v12.x, uint, FFACE
.output
.param SV_Target1.xyzw, o1.xyzw, float, TARGET
.param SV_Target.xyz, o0.xyz, float, TARGET
.param SV_DepthGreaterEqual.x, oDepthGE.x, float, DEPTHGE
.param SV_StencilRef.x, oStencilRef.x, uint, STENCILREF
.param SV_Coverage.x, oMask.x, uint, COVERAGE
.features stencilReference innerCoverage
.text
dcl_globalFlags forceEarlyDepthStencil
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps_sgv constant v15.x, is_front_face
dcl_input_ps linear v1.xyzw
dcl_input_ps linear centroid v2.xy
dcl_input_ps linear sample v3.xyzw
dcl_input_ps linear noperspective v4.xyzw
dcl_input_ps linear noperspective centroid v5.xyzw
dcl_input_ps linear noperspective sample v6.xyzw
dcl_input_ps linear v30.xyzw
dcl_input_ps linear v21.xyzw
dcl_input_ps linear v24.xyzw
dcl_input_ps linear v14.xyzw
dcl_input_ps_siv linear v19.xyz, clip_distance
dcl_input_ps_siv linear v19.w, cull_distance
dcl_input_ps_siv linear v20.w, clip_distance
dcl_input_ps_siv linear v20.xyz, cull_distance
dcl_input_ps_sgv constant v16.x, primitive_id
dcl_input_ps_siv constant v18.x, rendertarget_array_index
dcl_input_ps_siv constant v17.x, viewport_array_index
dcl_input_ps constant v31.xyzw
dcl_input_ps linear v7.xyzw
dcl_input_ps_sgv constant v13.x, sampleIndex
dcl_input vCoverage
dcl_input vInnerCoverage
dcl_input_ps_sgv constant v12.x, is_front_face
dcl_output o1.xyzw
dcl_output o0.xyz
dcl_output oDepthGE
dcl_output oStencilRef
dcl_output oMask {scalar}
dcl_temps 9
mov r2.xyz, v0.xyzx
rcp r2.w, v0.w
add r2.xy, r2.xyxx, l(-0.5, -0.5, 0, 0)
movc r4.x, v15.x, l(1.0), l(-1.0)
mov r4.yzw, l(0, 0, 0, 1.0)
mov r0.xyzw, r2.xyzw
add r0.xyzw, r0.xyzw, r4.xyzw
add r0.xyzw, r0.xyzw, v1.xyzw
add r0.xy, r0.xyxx, v2.xyxx
add r0.xyzw, r0.xyzw, v3.xxzz
add r0.xyzw, r0.xyzw, v4.xyzw
add r0.xyzw, r0.xyzw, v5.xyzw
add r0.xyzw, r0.xyzw, v6.xyzw
add r0.xyzw, r0.xyzw, v30.xyzw
add r0.xyzw, r0.xyzw, v21.xyzw
add r0.xyzw, r0.xyzw, v24.xyzw
add r0.xyzw, r0.xyzw, v14.xyzw
add r0.xyzw, r0.xyzw, v19.xyzw
add r0.xyzw, r0.xyzw, v20.xyzw
utof r1.x, v16.x
utof r1.y, v18.x
utof r1.z, v17.x
add r0.xyzw, r0.xyzw, v31.xyzw
utof r1.w, v13.x
and r1.x, vCoverage.x, vInnerCoverage.x
movc r1.y, v12.x, r0.y, r1.y
eval_centroid r0.xy, v1.wzww
eval_sample_index r0.zw, v1.zzzw, v13.x
mul r8.xy, l(-0.5, 0.25, 0, 0), l(16.0, 16.0, 0, 0)
round_ne r8.xy, r8.xyxx
ftoi r8.xy, r8.xyxx
eval_snapped r1.xyzw, v1.xyzw, r8.xyzw
mul r8.xy, r0.zwzz, l(16.0, 16.0, 0, 0)
round_ne r8.xy, r8.xyxx
ftoi r8.xy, r8.xyxx
eval_snapped_sat r1.x, v1.xxxx, r8.xyzw
lt r8.xyzw, r0.xyzw, l(0, 0, 0, 0)
or r8.xy, r8.xyxx, r8.zwzz
or r8.x, r8.x, r8.y
discard_nz r8.x
lt r8.xyzw, -r0.xxyy, l(0, 0, 0, 0)
or r8.xy, r8.xyxx, r8.zwzz
or r8.x, r8.x, r8.y
discard_nz r8.x
if_nz r1.x
  discard_nz l(-1)
endif
mov r3.xyzw, r0.xyzw
mov o0.xyz, r1.xyzx
mov r5.z, r0.x
mov r6.y, r1.x
mov r7.x, vCoverage.x
add r3.x, r3.x, l(1.0)
mov o1.xyzw, r3.xyzw
mov oDepthGE, r5.z
mov oStencilRef, r6.y
mov oMask, r7.x
ret
