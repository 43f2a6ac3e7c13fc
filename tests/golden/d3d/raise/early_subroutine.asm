vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.param ATTRIBUTE1.xyzw, v1.yw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.text
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 1
mov r0.xyzw, v0.xyzw
call l0
call l1
mov o0.xyzw, r0.xyzw
ret
label l0
add r0.x, r0.x, v1.y
ret
label l1
mul r0.yz, r0.zzzz, v1.wwww
ret
