ps_4_1
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_resource_texture2dms(4) (float,float,float,float) t6
dcl_resource_texture2dmsarray(2) (uint,uint,uint,uint) t7
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 6
and r0.xyzw, v1.xyzw, l(7, 3, 1, 1)
mov r4.xyzw, l(0, 0, 0, 0)
ldms r1.xyzw, r0.xyzw, t6.xyzw, l(1)
iadd r4.xyzw, r4.yzwx, r1.xyzw
ldms r1.xyzw, r0.xyzw, t7.xyzw, r0.w
iadd r4.xyzw, r4.yzwx, r1.xyzw
sampleinfo r1.xyzw, t6.x
iadd r4.xyzw, r4.yzwx, r1.xyzw
sampleinfo_uint r1.xyzw, t7.x
iadd r4.xyzw, r4.yzwx, r1.xyzw
sampleinfo r1.xyzw, rasterizer.x
iadd r4.xyzw, r4.yzwx, r1.xyzw
samplepos r1.xyzw, t6.xyxx, r0.w
iadd r4.xyzw, r4.yzwx, r1.xyzw
samplepos r1.xyzw, rasterizer.xyxx, r0.w
iadd r4.xyzw, r4.yzwx, r1.xyzw
mov o0.xyzw, r4.xyzw
ret
