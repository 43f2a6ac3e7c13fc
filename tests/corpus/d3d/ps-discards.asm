ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 6
mov r0.xyzw, v0.xyzw
mov r4.xyzw, l(0, 0, 0, 0)
and r1.xyzw, v1.xyzw, l(7, 3, 1, 15)
lt r2.x, v0.x, l(0)
discard_nz r2.x
discard_z v1.x
eval_snapped r4.xyzw, v0.xyzw, l(3, -2, 0, 0)
eval_sample_index r2.xyzw, v0.xyzw, l(1)
add r4.xyzw, r4.xyzw, r2.xyzw
eval_centroid r2.xyzw, v0.xyzw
add r4.xyzw, r4.xyzw, r2.xyzw
mov o0.xyzw, r4.xyzw
ret
