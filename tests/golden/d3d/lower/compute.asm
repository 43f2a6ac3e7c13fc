cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_resource_raw t0
dcl_resource_structured t1, 12
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
dcl_uav_raw u1
dcl_uav_structured_opc u2, 16
dcl_uav_typed_texture2d (float,float,float,float) u3
dcl_uav_structured_opc u5, 4
dcl_tgsm_raw g0, 68
dcl_tgsm_structured g1, 8, 3
dcl_tgsm_structured g4, 20, 2
dcl_input vThreadID.xyz
dcl_input vThreadGroupID.xyz
dcl_input vThreadIDInGroup.xyz
dcl_input vThreadIDInGroupFlattened
dcl_temps 3
dcl_thread_group 4, 3, 2
mov r0.xyz, vThreadID.zyxz
mov r0.w, vThreadIDInGroupFlattened
iadd r1.xyz, vThreadGroupID.xyzx, vThreadIDInGroup.zyxz
ld_raw r1.xyzw, r0.x, t0.xyzw
ld_raw_sat r1.yz, r0.y, t0.wzyx
ld_structured r1.xy, r0.x, r0.y, t1.zwzz
ld_structured r1.x, r0.x, l(4), u2.w
ld_raw r1.w, r0.x, g0.x
ld_raw r1.w, r0.x, u1.y
ld_structured r1.xy, r0.x, l(0), g1.xyxx
ld_structured r1.xy, r0.x, l(0), g4.xyxx
ld_uav_typed r1.xyzw, r0.xyyy, u3.wzyx
ld_uav_typed r1.x, r0.xxxx, u0.x
store_raw g0.xy, r0.x, r1.xyxx
store_raw u1.xyzw, r0.x, r1.wzyx
store_structured u2.xy, r0.x, l(8), r1.xyxx
store_structured g1.x, r0.x, l(4), r1.x
store_uav_typed u3.xyzw, r0.xyyy, r1.xyzw
store_uav_typed u0.xyzw, r0.xxxx, cb0[0].xyzw
atomic_iadd u1, r0.x, r1.x
atomic_iadd u2, r0.xyxx, r1.x
atomic_xor u1, r0.zyxw, r1.x
atomic_imax u2, r0.zwxy, r1.y
atomic_imin g0, r0.wzyx, r1.z
atomic_and u0, r0.x, r1.y
atomic_cmp_store g0, r0.x, r1.x, r1.y
atomic_umax g4, r0.xyxx, r1.x
atomic_or g1, l(1, 4, 0, 0), r1.w
imm_atomic_exch r2.x, u1, r0.x, r1.x
imm_atomic_cmp_exch r2.y, u2, r0.xyxx, r1.x, r1.z
imm_atomic_iadd r2.z, g4, r0.zwzz, l(3)
imm_atomic_alloc r2.w, u2
imm_atomic_consume r2.x, u5
sync_uglobal
sync_g_t
sync_t
sync_uglobal_ugroup_g
store_structured u5.x, r2.x, l(0), r2.x
ret
