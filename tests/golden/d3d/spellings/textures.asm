ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s3, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture1d (unorm,snorm,sint,uint) t1
dcl_resource_texture3d (mixed,float,uint,unorm) t2
dcl_resource_texturecube (float,float,float,float) t3
dcl_resource_texture1darray (float,float,float,float) t4
dcl_resource_texture2darray (float,float,float,float) t5
dcl_resource_texturecubearray (float,float,float,float) t6
dcl_resource_texture2dms(4) (float,float,float,float) t7
dcl_resource_texture2dmsarray(0) (float,float,float,float) t8
dcl_resource_buffer (sint,sint,sint,sint) t9
dcl_resource_raw t10
dcl_resource_structured t11, 24
dcl_uav_typed_texture2darray (float,float,float,float) u1
dcl_uav_typed_texture1d (float,float,float,float) u2
dcl_uav_raw u3
dcl_uav_structured u4, 8
dcl_uav_typed_buffer (float,float,float,float) u5
dcl_uav_typed_texture3d (float,float,float,float) u6
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 3
sample r0.xyzw, v0.xyxx, t0.xyzw, s0
sample_sat r0.xy, v0.xyxx, t0.wzyx, s0
sample_aoffimmi(-8,7,0) r0.xyzw, v0.xyxx, t0.xyzw, s0
sample_aoffimmi(-1,2,-3) r0.xyzw, v0.xyzx, t2.xyzw, s0
sample_aoffimmi(0,0,4) r0.xyzw, v0.xyzx, t2.xyzw, s0
sample_b r0.xyzw, v0.xyzx, t3.xyzw, s0, v0.w
sample_l r0.xyzw, v0.xyxx, t4.xyzw, s0, l(2.0)
sample_d r0.xyzw, v0.xyzx, t5.xyzw, s0, v0.xyxx, v0.zwzz
sample_c r0.x, v0.xyxx, t0.yxzw, s3, v0.z
sample_c_lz r0.xy, v0.xyzw, t6.xxxx, s3, v0.x
gather4 r0.xyzw, v0.xyxx, t0.xyzw, s0.y
gather4_aoffimmi(1,1,0) r0.xyzw, v0.xyxx, t0.xyzw, s0.w
gather4_c_aoffimmi(-1,3,0) r0.xyzw, v0.xyxx, t0.xyzw, s3.x, v0.z
gather4_po r0.xyzw, v0.xyxx, r1.xyxx, t0.xyzw, s0.z
gather4_po_c r0.xyzw, v0.xyxx, r1.zwzz, t0.xyzw, s3.x, v0.z
ld r0.xyzw, r1.xyzw, t2.xyzw
ld_aoffimmi(1,-1,0) r0.xyzw, r1.xyzw, t0.wwww
ld r0.xyzw, r1.xxxx, t9.xyzw
ldms r0.xyzw, r1.xyzw, t7.xyzw, l(2)
ldms r0.xyzw, r1.xyzw, t8.xyzw, r1.w
lod r0.x, v0.xyxx, t0.yxzw, s0
lod r0.xy, v0.xyxx, t0.xyzw, s0
resinfo r0.xyzw, l(0), t0.wzyx
resinfo_uint r0.xyzw, r1.x, t5.xyzw
resinfo_rcpFloat r0.xyzw, l(0), t1.xyzw
resinfo_rcpFloat r0.xyzw, l(0), t4.xyzw
resinfo_rcpFloat r0.xyzw, l(0), t2.xyzw
resinfo_rcpFloat r0.xyzw, l(0), t5.xyzw
resinfo_rcpFloat_sat r0.xyzw, l(0), t3.xyzw
resinfo_uint r0.xyzw, r1.y, u1.xyzw
resinfo r0.xyzw, r1.z, u6.yzwx
resinfo_rcpFloat r0.xyzw, l(0), u2.xyzw
sampleinfo r0.x, t7.x
sampleinfo_uint r0.xyzw, t8.yxzw
sampleinfo r0.xy, rasterizer.x
samplepos r0.xy, t7.xyzw, l(3)
samplepos r0.xy, rasterizer.xyxx, r1.w
bufinfo r0.x, t9
bufinfo r0.xy, t10
bufinfo r0.z, t11
bufinfo r0.w, u3
bufinfo r0.x, u4
bufinfo r0.x, u5
eval_snapped r0.xy, v0.xyxx, l(-3, 4, 0, 0)
eval_snapped_sat r0.xy, v0.xyxx, r1.zwzz
eval_sample_index r0.xyz, v0.xyzx, r1.y
eval_centroid r0.xyzw, v0.wzyx
mov o0.xyzw, r0.xyzw
ret
