ps_5_0
.input
.param TEXCOORD1.xy, v1.xy, float
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed | enableMinimumPrecision
dcl_sampler s0, mode_comparison
dcl_resource_texture2dms(4) (float,float,float,float) t0
dcl_resource_structured t1, 16
dcl_input_ps linear noperspective centroid v1.xy
dcl_input_ps_siv linear v2.xyzw, position
dcl_output o0.xyzw
dcl_temps 3
sample_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) r0.xyz, v1.xyxx, t0.xyzw, s0
ldms_indexable(texture2dms)(uint,uint,uint,uint) r1.x, l(1, 2, 0, 0), t0.yxzw, l(3)
ld_structured_indexable(structured_buffer,stride=16)(mixed,mixed,mixed,mixed) r2.xy, r1.x, l(4), t1.xyxx
gather4_c r0.xyzw, v1.xyxx, t0.xyzw, s0.x, l(0.5)
resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xy, l(0), t0.xyzw
mul_sat [precise(xy)] o0.xy, -r0.xyxx {min16f}, |r1.xyxx|
discard_nz r0.x
ret
