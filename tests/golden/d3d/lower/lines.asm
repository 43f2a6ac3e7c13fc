gs_5_0
dcl_input v[4][0].xyzw
dcl_temps 1
dcl_inputprimitive lineadj
dcl_outputtopology linestrip
dcl_output o0.xyzw
dcl_maxout 2
mov o0.xyzw, v[3][0].xyzw
emit
ret
