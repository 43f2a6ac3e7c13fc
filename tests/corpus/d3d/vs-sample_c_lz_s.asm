vs_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.text
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texturecube (float,float,float,float) t1
dcl_resource_texture2darray (float,float,float,float) t2
dcl_resource_texturecubearray (float,float,float,float) t3
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 6
mov r0.xyzw, v0.zwxy
and r3.xyzw, v1.xyzw, l(7, 7, 7, 7)
mov r4.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, r2.x, v0.xyzw, t0.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, null, v0.xyzw, t0.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, r2.x, v0.xyzw, t1.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, null, v0.xyzw, t1.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, r2.x, v0.xyzw, t2.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, null, v0.xyzw, t2.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, r2.x, v0.xyzw, t3.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
sample_c_lz_s r1.xyzw, null, v0.xyzw, t3.xyzw, s0, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
