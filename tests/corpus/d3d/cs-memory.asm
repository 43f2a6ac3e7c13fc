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
store_uav_typed u2.xyzw, vThreadID.xyyy, r1.xyzw
ld_uav_typed r2.xyzw, r1.yzzz, u2.xyzw
iadd r0.x, r0.x, r2.x
utof r2.xyzw, r1.xyzw
store_uav_typed u3.xyzw, vThreadGroupID.xxxx, r2.xyzw
ld_uav_typed r2.xyzw, vThreadGroupID.xxxx, u3.wzyx
store_structured u1.xyz, vThreadIDInGroupFlattened.x, l(0), r1.xyzx
ld_structured r2.xy, vThreadIDInGroupFlattened.x, l(4), u1.xyxx
iadd r0.x, r0.x, r2.x
store_raw g0.x, r1.x, r1.y
sync_g
sync_g_t
sync_ugroup
sync_uglobal
sync_uglobal_g_t
ld_raw r2.x, r1.x, g0.xxxx
store_structured g1.x, vThreadIDInGroupFlattened.x, l(4), r2.x
ld_structured r2.x, vThreadIDInGroupFlattened.x, l(4), g1.xxxx
iadd r0.x, r0.x, r2.x
mov r2.xyzw, cb1[r1.y + 0].xyzw
iadd r0.x, r0.x, r2.y
bufinfo r2.x, u0.xxxx
imm_atomic_alloc r2.y, u4
ubfe r2.z, l(1), l(0), r2.y
resinfo_uint r2.xyz, l(0), u2.xyzw
store_raw u0.x, r1.x, r0.x
ret
