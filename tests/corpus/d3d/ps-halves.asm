ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed | enableMinimumPrecision
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 5
add r0.xyzw {min16f}, v0.xyzw {min16f}, l(1.0, 2.0, 3.0, 4.0) {min16f}
iadd r1.x {min16i}, v1.x {min16i}, l(3)
umax r1.y {min16u}, v1.y {min16u}, l(7)
mov r4.xyzw, r0.xyzw {min16f}
iadd r4.xy, r4.xyxx, r1.xyxx
mov o0.xyzw, r4.xyzw
ret
