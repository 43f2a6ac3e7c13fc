cs_5_0
.input
.output
.text
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB1[4], dynamicIndexed
dcl_uav_raw u0
dcl_uav_structured u1, 16
dcl_uav_typed_texture2d (uint,uint,uint,uint) u2
dcl_uav_typed_buffer (float,float,float,float) u3
dcl_uav_structured_opc u4, 4
dcl_input vThreadID.xyz
dcl_input vThreadGroupID.xyz
dcl_input vThreadIDInGroup.xyz
dcl_input vThreadIDInGroupFlattened
dcl_temps 4
dcl_tgsm_raw g0, 256
dcl_tgsm_structured g1, 8, 32
dcl_thread_group 8, 4, 1
mov r0.xyzw, l(0, 0, 0, 0)
ishl r1.x, vThreadIDInGroupFlattened.x, l(2)
and r1.yz, vThreadIDInGroup.xxyx, l(0, 7, 3, 0)
mov r1.w, l(0)
atomic_and u0, r1.x, vThreadIDInGroupFlattened.x
atomic_or u0, r1.x, vThreadIDInGroupFlattened.x
atomic_xor u0, r1.x, vThreadIDInGroupFlattened.x
atomic_cmp_store u0, r1.x, vThreadIDInGroupFlattened.x, l(3)
atomic_iadd u0, r1.x, vThreadIDInGroupFlattened.x
atomic_imax u0, r1.x, vThreadIDInGroupFlattened.x
atomic_imin u0, r1.x, vThreadIDInGroupFlattened.x
atomic_umax u0, r1.x, vThreadIDInGroupFlattened.x
atomic_umin u0, r1.x, vThreadIDInGroupFlattened.x
imm_atomic_iadd r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_and r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_or r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_xor r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_exch r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_cmp_exch r2.x, u0, r1.x, vThreadIDInGroupFlattened.x, l(3)
xor r0.x, r0.x, r2.x
imm_atomic_imax r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_imin r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_umax r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
imm_atomic_umin r2.x, u0, r1.x, vThreadIDInGroupFlattened.x
xor r0.x, r0.x, r2.x
store_raw u0.x, r1.x, r0.x
ret
