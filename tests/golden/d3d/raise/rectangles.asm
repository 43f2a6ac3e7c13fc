ps_5_0
.input
.param GENERIC.xyzw, v1.xyzw, float
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
mov r1.xyz, v1.xyxx
mov r1.w, l(0)
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.xyzw, t0.xyzw
resinfo_indexable(texture2d)(float,float,float,float)_uint r1.xyzw, l(0), t0.xyzw
mov r0.xy, r1.xyxx
mov o0.xyzw, r0.xyzw
ret
