ps_5_0
.input
.param SV_Position.xyzw, v0.xy, float, POS
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
lt r0.x, v0.x, l(100.0)
discard_nz r0.x
frc o0.x, v0.x
round_ni o0.y, v0.y
mov o0.zw, l(0, 0, 0, 1.0)
ret
