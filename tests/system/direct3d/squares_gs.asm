; A square around each point, an eighth of the target wide.
gs_4_0
.input
.param SV_POSITION.xyzw, v0, float, POS
.param COLOR.xyzw, v1, float
.output
.param SV_POSITION.xyzw, o0, float, POS
.param COLOR.xyzw, o1, float
.text
dcl_input_siv v[1][0].xyzw, position
dcl_input v[1][1].xyzw
dcl_inputprimitive point
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_maxout 4
add o0.xyzw, v[0][0].xyzw, l(-0.125, 0.125, 0, 0)
mov o1.xyzw, v[0][1].xyzw
emit
add o0.xyzw, v[0][0].xyzw, l(0.125, 0.125, 0, 0)
mov o1.xyzw, v[0][1].xyzw
emit
add o0.xyzw, v[0][0].xyzw, l(-0.125, -0.125, 0, 0)
mov o1.xyzw, v[0][1].xyzw
emit
add o0.xyzw, v[0][0].xyzw, l(0.125, -0.125, 0, 0)
mov o1.xyzw, v[0][1].xyzw
emit
cut
ret
