vs_5_0
dcl_input v0.xyzw
dcl_input v3.xy
dcl_input_sgv v1.x, vertex_id
dcl_input_sgv v2.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output_siv o1.z, rendertarget_array_index
dcl_output_siv o1.w, viewport_array_index
dcl_output_siv o2.x, clip_distance
dcl_output_siv o2.yz, cull_distance
dcl_output_siv o3.x, rendertarget_array_index
dcl_output_siv o4.xyzw, cull_distance
dcl_output o5.xyz
dcl_temps 3
mov r0.xy, v0.xyxx
iadd r0.z, v1.x, v2.x
mov o0.xyzw, v0.xyzw
mov o1.xy, v3.yxyy
mov o1.z, v1.x
mov o1.w, v2.x
if_z r0.z
  mov o2.xyz, r0.xyzx
  ret
endif
mov o3.x, r0.z
mov o4.xyzw, v0.xyzw
retc_nz r0.x
mov o5.xyz, v0.xyzx
ret
