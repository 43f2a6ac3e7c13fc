ps_5_0
.input
.param SV_Position.xyzw, v0.z, float, POS
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_output o0.xyzw
mov o0.xyzw, v0.zzzz
ret
