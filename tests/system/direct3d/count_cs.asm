; Each thread writes x * y + its neighbour's x, which the group shares, and counts it for its group.
cs_5_0
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_uav_structured u1, 4
dcl_input vThreadID.xy
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadGroupID.xy
dcl_temps 2
dcl_tgsm_structured g0, 4, 64
dcl_thread_group 8, 8, 1
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), vThreadID.x
sync_g_t
iadd r0.x, vThreadIDInGroupFlattened.x, l(1)
and r0.x, r0.x, l(63)
ld_structured r0.x, r0.x, l(0), g0.xxxx
imad r0.x, vThreadID.x, vThreadID.y, r0.x
store_uav_typed u0.xyzw, vThreadID.xyyy, r0.xxxx
imad r1.x, vThreadGroupID.y, l(8), vThreadGroupID.x
mov r1.y, l(0)
atomic_iadd u1, r1.xyxx, r0.x
ret
