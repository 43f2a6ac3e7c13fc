ps_5_0
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps constant v1.xyz
dcl_input_ps linear v2.xyzw
dcl_input_ps linear centroid v3.xy
dcl_input_ps linear noperspective v4.xyzw
dcl_input_ps linear noperspective centroid v5.xyzw
dcl_input_ps linear sample v6.xyzw
dcl_input_ps linear noperspective sample v7.xyzw
dcl_input_ps linear v8.x
dcl_input_ps_siv constant v8.y, rendertarget_array_index
dcl_input_ps_siv constant v8.z, viewport_array_index
dcl_input_ps_sgv constant v8.w, sampleIndex
dcl_input_ps_siv linear v9.xy, clip_distance
dcl_input_ps_siv linear v9.zw, cull_distance
dcl_input_ps_sgv constant v10.x, primitive_id
dcl_input_ps_sgv constant v11.x, is_front_face
dcl_input_ps_sgv constant v12.y, is_front_face
dcl_input_ps_siv linear v13.xyzw, clip_distance
dcl_input vCoverage
dcl_input vInnerCoverage
dcl_output o0.xyzw
dcl_output o2.xy
dcl_output oDepth
dcl_output oMask
dcl_output oStencilRef
dcl_temps 2
mov r0.xyzw, v0.wzyx
add r0.xyz, v1.xyzx, v2.yzwy
add r1.xyzw, v3.xyxy, v4.xyzw
add r1.xyzw, v5.xyzw, v6.xyzw
add r1.xyzw, v7.xyzw, v8.xyzw
add r1.xyzw, v9.xyzw, v13.xyzw
mov r1.x, v10.x
mov r1.y, v11.x
mov r1.z, v12.y
mov r1.w, v10.x
and oMask, vCoverage, vInnerCoverage
mov oDepth, r1.y
mov oStencilRef, r1.w
mov o0.xyzw, r0.xyzw
mov o2.xy, r1.zwzz
ret
