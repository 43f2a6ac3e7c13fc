cs_5_0
.input
.output
.features views64 typedLoadFormats
.text
dcl_uav_raw u0
dcl_uav_raw u2
dcl_uav_raw u3
dcl_uav_typed_texture2d (float,float,float,float) u4
dcl_uav_typed_texture2darray (sint,sint,sint,sint) u5
dcl_uav_typed_buffer (uint,uint,uint,uint) u6
dcl_uav_typed_texture3d (unorm,unorm,unorm,unorm) u7
dcl_uav_typed_texture1d (uint,uint,uint,uint) u8
dcl_uav_typed_texture1darray (snorm,snorm,snorm,snorm) u9
dcl_uav_raw u10
dcl_uav_raw u12
dcl_input vThreadIDInGroup.xyz
dcl_input vThreadGroupID.xyz
dcl_temps 9
dcl_tgsm_raw g0, 32768
dcl_thread_group 8, 4, 2
umad r0.xyz, vThreadGroupID.xyzx, l(8, 4, 2, 0), vThreadIDInGroup.xyzx
mov r6.x, r0.x
ld_raw r1.xyzw, r0.x, u0.xyzw
ld_raw r1.yw, r0.y, u3.wzyx
ld_raw_sat r1.x, l(4), g0.xyzw
ld_uav_typed_indexable(texture2d)(float,float,float,float) r2.xyzw, r0.xyxx, u4.xyzw
ld_uav_typed_indexable(texture2darray)(sint,sint,sint,sint) r2.xy, r0.xyzx, u5.yxzw
ld_uav_typed_indexable(buffer)(uint,uint,uint,uint) r2.z, r0.xxxx, u6.xyzw
ld_uav_typed_indexable(texture3d)(unorm,unorm,unorm,unorm) r2.w, r0.xyzx, u7.xyzw
mov r7.xyzw, l(0, 0, 0, 0)
ld_raw r7.x, l(12), u10.xyzw
mov r3.xyzw, r7.xyzw
mov r7.xyzw, l(0, 0, 0, 0)
imad r8.x, r6.x, l(4), l(4)
ld_raw r7.x, r8.x, u12.xyzw
mov r3.xy, r7.yxyy
store_raw u0.xyzw, r0.x, r1.xyzw
store_raw u2.xy, r0.x, r1.zwzz
iadd r7.x, r0.x, l(4)
store_raw u2.x, r7.x, r1.yyyy
iadd r7.x, r0.x, l(8)
store_raw u2.x, r7.x, r1.zzzz
iadd r7.x, r0.x, l(12)
store_raw u2.x, r7.x, r1.wwww
iadd r7.x, l(60), l(0)
store_raw g0.x, r7.x, r1.xxxx
iadd r7.x, l(60), l(8)
store_raw g0.x, r7.x, r1.zzzz
store_uav_typed u4.xyzw, r0.xyxx, r1.xyzw
store_uav_typed u8.xyzw, r0.xxxx, r1.xyzw
store_uav_typed u9.xyzw, r0.xyxx, r1.xyzw
imm_atomic_iadd r7.x, u0, r0.x, r1.y
mov r4.x, r7.x
imm_atomic_exch r7.x, g0, r0.y, r1.z
mov r4.xy, r7.xxxx
imm_atomic_cmp_exch r7.x, u8, r0.yyyy, r1.x, r1.w
mov r4.z, r7.x
imm_atomic_and r7.x, u5, r0.xyzx, r1.x
mov r4.x, r7.x
imm_atomic_or r7.x, u6, r0.zzzz, l(4)
mov r4.x, r7.x
imm_atomic_xor r7.x, u0, r0.x, r1.y
mov r4.x, r7.x
imm_atomic_umin r7.x, u0, r0.x, r1.y
mov r4.x, r7.x
imm_atomic_umax r7.x, u0, r0.x, r1.y
mov r4.x, r7.x
imm_atomic_imin r7.x, u0, r0.x, r1.y
mov r4.x, r7.x
imm_atomic_imax r7.x, u0, r0.x, r1.y
mov_sat r4.w, r7.x
imm_atomic_iadd r7.x, u10, l(20), l(1)
mov r4.x, r7.x
imad r8.x, r6.x, l(4), l(0)
imm_atomic_iadd r7.x, u12, r8.x, r0.x
mov r4.y, r7.x
mov r7.xyzw, l(0, 0, 0, 0)
bufinfo r7.x, u2.xyzw
mov r5.xyzw, r7.xyzw
mov r7.xyzw, l(0, 0, 0, 0)
resinfo_uint r7.xyz, l(0), u4.xyzw
mov r5.yz, r7.xxzx
mov r7.xyzw, l(0, 0, 0, 0)
bufinfo r7.x, u6.xyzw
mov r5.x, r7.x
mov r7.xyzw, l(0, 0, 0, 0)
resinfo_uint r7.xyz, l(0), u5.xyzw
mov r5.xyzw, r7.xyzw
sync_uglobal
sync_g
sync_ugroup
sync_g_t
store_raw u3.x, l(0), r5.xxxx
ret
