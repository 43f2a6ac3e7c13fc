vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.text
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 2
dcl_indexableTemp x0[4], 4
mov r0.x, v0.x
mov x0[3].xyzw, v0.xyzw
iadd r1.x, r0.x, l(-1)
mov x0[r1.x + 0].y, x0[1].y
mov o0.xyzw, x0[r0.x + 2].xyzw
ret
