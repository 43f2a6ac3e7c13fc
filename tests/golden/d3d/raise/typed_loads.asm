cs_5_0
.input
.output
.text
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_uav_typed_texture2darray (float,float,float,float) u1
dcl_uav_typed_texture2darray (unorm,unorm,unorm,unorm) u2
dcl_input vThreadGroupID.xyz
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, vThreadGroupID.xyxx, u0.xyzw
ld_uav_typed_indexable(texture2darray)(float,float,float,float) r0.y, vThreadGroupID.xyzx, u1.xyzw
store_uav_typed u2.xyzw, vThreadGroupID.xyzx, r0.xyzw
ret
