ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2darray (float,float,float,float) t1
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 6
mov r0.xyzw, v0.zwxy
and r3.xyzw, v1.xyzw, l(7, 7, 7, 7)
mov r4.xyzw, l(0, 0, 0, 0)
mov r2.xyzw, l(0, 0, 0, 0)
gather4_po_c r1.xyzw, v0.xyzw, r3.xyzw, t0.xyzw, s0.x, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov r2.xyzw, l(0, 0, 0, 0)
gather4_po_c r1.xyzw, v0.xyzw, r3.xyzw, t1.xyzw, s0.x, v0.w
iadd r4.xyzw, r4.xyzw, r1.xyzw
xor r4.xyzw, r4.yzwx, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
