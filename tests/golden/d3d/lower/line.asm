gs_5_0
dcl_input v[2][0].xyzw
dcl_inputprimitive line
dcl_outputtopology linestrip
dcl_output o0.xyzw
dcl_maxout 1
mov o0.xyzw, v[1][0].xyzw
emit
ret
