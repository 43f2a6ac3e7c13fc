ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], dynamicIndexed
dcl_sampler s2, mode_default
dcl_resource_texture2d (float,float,float,float) t4
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_body fb7
dcl_function_table ft0 = {fb0, fb2}
dcl_function_table ft1 = {fb0, fb1}
dcl_function_table ft5 = {fb7, fb1}
dcl_interface fp1[2][2] = {ft0, ft1, ft5}
dcl_interface_dynamicindexed fp3[4][2] = {ft1, ft0}
mov r0.xyzw, l(0, 0, 0, 0)
fcall fp1[0][0]
fcall fp1[1][1]
fcall fp3[v1.x + 1][0]
fcall fp3[3][1]
mov r1.xyzw, this[3].xyzw
mov r2.w, this[1].y
mov r2.x, this[v1.x + 2].x
mov r1.xyzw, cb[r2.x + 1][r2.w + 3].xyzw
sample r1.xyzw, v0.xyxx, t[r1.z + 2].xyzw, s[r1.w + 1]
sample_indexable(texture3d)(float,float,uint,float) r1.xyzw, v0.xyzx, t[this[3].z].xyzw, s[this[3].w]
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, v1.x, t[r1.z + 0].x
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.x, v1.x, l(4), t[r1.z + 0].x
bufinfo_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.x, t[r1.z + 5].x
call fb1
mov o0.xyzw, r1.xyzw
ret
label fb0
add r0.x, r0.x, l(1.0)
ret
label fb1
add r0.y, r0.y, l(1.0)
ret
label fb2
add r0.z, r0.z, l(1.0)
ret
label fb7
add r0.w, r0.w, l(1.0)
ret
