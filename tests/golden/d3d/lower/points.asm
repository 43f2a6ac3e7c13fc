gs_5_0
dcl_input v[1][0].xyzw
dcl_inputprimitive point
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_maxout 1
mov o0.xyzw, v[0][0].xyzw
emit
ret
