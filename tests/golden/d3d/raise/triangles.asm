gs_5_0
.input
.param SV_Position.xyzw, v0.xyzw, float, POS
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param SV_ViewportArrayIndex.x, o17.x, uint, VPINDEX
.text
dcl_inputprimitive triangle
dcl_input_siv v[3][0].xyzw, position
dcl_temps 2
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output_siv o17.x, viewport_array_index
dcl_maxout 3
mov r0.xyzw, v[2][0].xyzw
mov r1.xy, l(0, 0, 0, 0)
mov o0.xyzw, r0.xyzw
mov o17.x, r1.x
emit_stream m0
cut_stream m0
ret
