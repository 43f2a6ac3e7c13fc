gs_5_0
.input
.param GENERIC.xyzw, v1.y, float
.output
.param GENERIC.y, o1.y, float
.text
dcl_inputprimitive point
dcl_input v[1][1].xyzw
dcl_temps 1
dcl_stream m0
dcl_outputtopology pointlist
dcl_output o1.y
dcl_maxout 1024
mov r0.y, v[0][1].y
mov o1.y, r0.y
emit_stream m0
ret
