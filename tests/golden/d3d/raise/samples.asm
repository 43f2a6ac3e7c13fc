ps_5_0
.input
.param GENERIC.xyzw, v1.xyzw, float
.param GENERIC1.xyzw, v2.xyzw, float
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture3d (sint,sint,sint,sint) t3
dcl_resource_texture2dms(0) (float,float,float,float) t4
dcl_resource_texture1darray (uint,uint,uint,uint) t9
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xyzw
dcl_output o0.xyzw
dcl_temps 2
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, t0.xyzw, s0
sample_sat_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) r0.xy, v1.yxzw, t0.wzyx, s0
sample_aoffimmi_indexable(-8,7,-2)(texture3d)(sint,sint,sint,sint) r0.xyzw, v1.xyzw, t3.xyzw, s0
sample_b_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, t0.xyzw, s0, v2.w
sample_l_aoffimmi_indexable(7,0,0)(texture1darray)(uint,uint,uint,uint) r0.xyzw, v1.xyzw, t9.xyzw, s0, v2.y
sample_d_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, t0.xyzw, s0, v2.xyxy, v2.zwzw
sample_c_indexable(texture2d)(float,float,float,float) r0.x, v1.xyzw, t0.yxzw, s1, v2.x
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.y, v1.xyzw, t0.xyzw, s1, v2.x
gather4_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, t0.xyzw, s0.y
gather4_c_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, t0.xyzw, s1.x, v2.x
gather4_po_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, v2.xyzw, t0.xyzw, s0.z
gather4_po_c_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyzw, v2.xyzw, t0.xyzw, s1.x, v2.z
ld_aoffimmi_indexable(1,-2,7)(texture3d)(sint,sint,sint,sint) r0.xyzw, v1.xyzw, t3.xyzw
ldms_indexable(texture2dms)(float,float,float,float) r0.xyzw, v1.xyzw, t4.xyzw, v2.z
resinfo_indexable(texture3d)(sint,sint,sint,sint)_uint r0.xyzw, v1.x, t3.wzyx
lod_indexable(texture2d)(float,float,float,float) r0.xy, v1.xyzw, t0.xyzw, s0
mov o0.xyzw, r0.xyzw
ret
