ps_5_0
.input
.param GENERIC.xyzw, v1.xyzw, float
.param GENERIC1.xyzw, v2.xyzw, float
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_sampler s2, mode_default
dcl_sampler s3, mode_default
dcl_sampler s4, mode_default
dcl_sampler s5, mode_comparison
dcl_sampler s6, mode_default
dcl_sampler s7, mode_comparison
dcl_sampler s8, mode_default
dcl_sampler s9, mode_default
dcl_sampler s13, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texturecube (float,float,float,float) t2
dcl_resource_texture3d (unorm,snorm,sint,uint) t3
dcl_resource_texture2darray (float,float,float,float) t4
dcl_resource_texturecube (float,float,float,float) t5
dcl_resource_texturecubearray (float,float,float,float) t6
dcl_resource_texturecubearray (float,float,float,float) t7
dcl_resource_texture1d (float,float,float,float) t8
dcl_resource_texture1darray (float,float,float,float) t9
dcl_resource_buffer (uint,uint,uint,uint) t10
dcl_resource_texture2dms(0) (sint,sint,sint,sint) t11
dcl_resource_texture2dmsarray(0) (float,float,float,float) t12
dcl_resource_texture2darray (float,float,float,float) t13
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xyzw
dcl_output o0.xyzw
dcl_temps 3
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0
sample_sat_indexable(texture2d)(float,float,float,float) r0.xz, v1.yxyy, t0.xyzw, s0
sample_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0
sample_aoffimmi_indexable(-8,7,-2)(texture3d)(unorm,snorm,sint,uint) r0.xyzw, v1.xyzx, t3.xyzw, s3
sample_aoffimmi_indexable(7,0,0)(texture1d)(float,float,float,float) r0.xyzw, v1.xxxx, t8.xyzw, s8
sample_indexable(texture1darray)(float,float,float,float) r0.xyzw, v1.xyxx, t9.xyzw, s9
sample_indexable(texture2darray)(float,float,float,float) r0.xyzw, v1.xyzx, t4.xyzw, s4
sample_indexable(texturecube)(float,float,float,float) r0.xyzw, v1.xyzx, t2.xyzw, s2
sample_c_indexable(texture2d)(float,float,float,float) r0.x, v1.xyzx, t1.xxxx, s1, v1.z
sample_c_indexable(texturecube)(float,float,float,float) r0.xy, v1.xyzw, t5.xxxx, s5, v1.w
sample_c_indexable(texture2darray)(float,float,float,float) r0.x, v1.xyzw, t13.xxxx, s13, v1.w
sample_c_indexable(texturecubearray)(float,float,float,float) r0.x, v1.xyzw, t7.xxxx, s7, v2.x
div r2.xy, v1.xyxx, v1.wwww
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r2.xyzw, t0.xyzw, s0
div r2.xyz, v1.xyzx, v1.wwww
sample_c_indexable(texture2d)(float,float,float,float) r0.x, r2.xyzw, t1.xxxx, s1, r2.z
sample_b_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxw, t0.xyzw, s0, v1.w
sample_b_indexable(texturecubearray)(float,float,float,float) r0.xyzw, v1.xyzw, t6.xyzw, s6, v2.y
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxw, t0.xyzw, s0, v1.w
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.x, l(3e-45, 3e-45, 3e-45, 0), t1.xxxx, s1, l(3e-45)
sample_l_indexable(texturecubearray)(float,float,float,float) r0.xyzw, v1.xyzw, t6.xyzw, s6, v2.y
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0, l(0)
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.x, v1.xyzx, t1.xxxx, s1, v1.z
sample_d_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0, v2.xyxx, v2.zwzz
sample_d_indexable(texture3d)(unorm,snorm,sint,uint) r0.xyzw, v1.xyzx, t3.xyzw, s3, v2.xyzx, v2.zwxz
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxw, t0.xyzw
ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, v1.xxxx, t10.xyzw
ldms_indexable(texture2dms)(sint,sint,sint,sint) r0.xyzw, v1.xyxw, t11.xyzw, v1.w
ldms_indexable(texture2dmsarray)(float,float,float,float) r0.yw, v1.xyzw, t12.xyzw, v1.w
mov r2.xyz, v1.xyxx
mov r2.w, l(0)
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, r2.xyzw, t0.xyzw
ld_aoffimmi_indexable(1,-2,7)(texture3d)(unorm,snorm,sint,uint) r0.xyzw, v1.xyzw, t3.xyzw
resinfo_indexable(texture2d)(float,float,float,float)_uint r2.xyzw, v1.x, t0.xyzw
mov r0.xyzw, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
bufinfo r2.x, t10.xyzw
mov r0.xy, r2.xyxx
sampleinfo_uint r2.xyzw, t11.xyzw
mov r0.xy, r2.xyxx
gather4_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0.w
gather4_aoffimmi_indexable(1,-2,0)(texture2darray)(float,float,float,float) r0.xyzw, v1.xyzx, t4.xyzw, s4.z
gather4_c_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzx, t1.xyzw, s1.x, v1.z
gather4_indexable(texturecube)(float,float,float,float) r0.xyzw, v1.xyzx, t2.xyzw, s2.y
gather4_po_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, r1.xyxx, t0.xyzw, s0.x
gather4_po_c_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzx, r1.yzyy, t1.xyzw, s1.x, v1.z
lod_indexable(texture2d)(float,float,float,float) r0.xy, v1.xyxx, t0.xyzw, s0
lod_indexable(texturecube)(float,float,float,float) r0.xy, v1.xyzx, t2.xyzw, s2
mov o0.xyzw, r0.xyzw
ret
