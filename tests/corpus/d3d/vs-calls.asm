vs_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.text
dcl_globalFlags refactoringAllowed
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 5
mov r0.xyzw, v0.xyzw
mov r4.xyzw, l(0, 0, 0, 0)
and r1.xyzw, v1.xyzw, l(7, 3, 1, 15)
call l0
callc_nz r1.x, l1
callc_z r1.y, l0
mov o0.xyzw, r4.xyzw
ret
label l0
add r4.xyzw, r4.xyzw, v0.xyzw
retc_z r1.z
mul r4.x, r4.x, l(0.5)
ret
label l1
call l0
iadd r4.w, r4.w, l(1)
ret
