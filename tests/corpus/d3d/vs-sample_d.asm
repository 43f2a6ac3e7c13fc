vs_4_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.text
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture1d (float,float,float,float) t0
dcl_resource_texture2d (unorm,unorm,unorm,unorm) t1
dcl_resource_texture3d (snorm,snorm,snorm,snorm) t2
dcl_resource_texturecube (float,float,float,float) t3
dcl_resource_texture1darray (unorm,unorm,unorm,unorm) t4
dcl_resource_texture2darray (snorm,snorm,snorm,snorm) t5
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 6
mov r0.xyzw, v0.zwxy
and r3.xyzw, v1.xyzw, l(7, 7, 7, 7)
mov r4.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
sample_d r1.xyzw, v0.xyzw, t0.xyzw, s0, v0.yzwx, r0.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_d_aoffimmi(1,-2,0) r1.xyzw, v0.xyzw, t1.xyzw, s0, v0.yzwx, r0.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_d r1.xyzw, v0.xyzw, t2.xyzw, s0, v0.yzwx, r0.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_d r1.xyzw, v0.xyzw, t3.xyzw, s0, v0.yzwx, r0.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_d r1.xyzw, v0.xyzw, t4.xyzw, s0, v0.yzwx, r0.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_d_aoffimmi(1,-2,0) r1.xyzw, v0.xyzw, t5.xyzw, s0, v0.yzwx, r0.xyzw
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
