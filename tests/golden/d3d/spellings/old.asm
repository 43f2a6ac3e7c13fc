vs_4_0
.input
.param POSITION.xyzw, v0, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.resources 256, "me"
.cbuffer "c", 16, 0, 0
.variable "v", 0, 4, 2, scalar int 1 x 1
.text
dcl_constantbuffer CB0[2], immediateIndexed
dcl_input v0.xyzw
dcl_input_sgv v1.x, vertex_id
dcl_indexrange v0.xyzw 2
dcl_output_siv o0.xyzw, position
dcl_temps 1
mad r0.xyzw, v0.xyzw, l(1.0, 2.0, 3.0, 4.0), cb0[1].xxxx
mov o0.xyzw, v[r0.x + 1].xyzw
ret
