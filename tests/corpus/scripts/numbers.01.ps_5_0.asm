ps_5_0
.input
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_output o0.xyzw
dcl_temps 2
imax r0.xyzw, cb0[0].xyzw, cb0[1].xyzw
ishr r1.xyzw, cb0[0].xyzw, l(1, 1, 1, 1)
iadd r0.xyzw, r0.xyzw, -r1.xyzw
itof o0.xyzw, r0.xyzw
ret
