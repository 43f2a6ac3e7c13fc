ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_resource_buffer (sint,sint,sint,sint) t0
dcl_resource_texture1d (uint,uint,uint,uint) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_resource_texture3d (sint,sint,sint,sint) t3
dcl_resource_texture1darray (uint,uint,uint,uint) t4
dcl_resource_texture2darray (float,float,float,float) t5
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 6
and r0.xyzw, v1.xyzw, l(7, 3, 1, 1)
mov r4.xyzw, l(0, 0, 0, 0)
resinfo_uint r1.xyzw, r0.x, t1.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
resinfo_rcpFloat r1.xyzw, r0.x, t2.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
resinfo r1.xyzw, r0.x, t3.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
resinfo_uint r1.xyzw, r0.x, t4.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
resinfo_rcpFloat r1.xyzw, r0.x, t5.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
mov o0.xyzw, r4.xyzw
ret
