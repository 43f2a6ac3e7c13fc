gs_5_0
dcl_input v[5][0].xyzw
dcl_inputprimitive patch5
dcl_outputtopology linestrip
dcl_output o0.xyzw
dcl_maxout 1
mov o0.xyzw, v[4][0].xyzw
emit
ret
