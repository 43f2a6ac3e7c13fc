gs_4_0
dcl_input_siv v[6][0].xyzw, position
dcl_temps 1
dcl_inputprimitive triangleadj
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output_siv o1.x, viewport_array_index
dcl_output o1.yz
dcl_maxout 3
mov o0.xyzw, v[5][0].xyzw
mov o1.xyz, l(1, 2, 3, 4)
emit
emitThenCut
cut
ret
