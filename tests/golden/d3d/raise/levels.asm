vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.text
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 3
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0, l(0)
div r2.xy, v0.xyxx, v0.wwww
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, r2.xyzw, t0.xyzw, s0, l(0)
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.x, v0.xyzx, t1.xxxx, s1, v0.z
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxw, t0.xyzw, s0, v0.w
ld_indexable(texture2d)(float,float,float,float) r1.xyzw, v0.xyxw, t0.xyzw
mov o0.xyzw, r0.xyzw
ret
