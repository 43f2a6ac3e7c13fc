gs_5_0
.input
.param SV_Position.xyzw, v0.xyzw, float, POS
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.text
dcl_inputprimitive line
dcl_input_siv v[2][0].xyzw, position
dcl_temps 1
dcl_stream m0
dcl_outputtopology linestrip
dcl_output_siv o0.xyzw, position
dcl_maxout 2
mov r0.xyzw, v[1][0].xyzw
mov o0.xyzw, r0.xyzw
emit_stream m0
ret
