ps_5_0
.input
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[3], immediateIndexed
dcl_output o0.xyzw
ne o0.xyzw, cb0[0].xyzw, cb0[1].xyzw
ret
