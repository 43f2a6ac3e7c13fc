ps_4_0
.input
.param SV_POSITION.xyzw, v0, float, POS
.param COLOR.xyzw, v1, float
.output
.param SV_TARGET.xyzw, o0, float, TARGET
.text
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret
