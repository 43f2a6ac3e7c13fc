ps_5_0
.input
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 2
resinfo_indexable(texture2d)(float,float,float,float)_uint r1.xyzw, l(1), t0.xyzw
mov r0.xyzw, r1.xyzw
utof o0.xyzw, r0.xyzw
ret
