gs_5_0
.input
.param GENERIC.xyzw, v1.xyzw, float
.output
.param GENERIC.xyzw, o1.xyzw, float, NONE, NONE, m3
.text
dcl_inputprimitive lineadj
dcl_input v[4][1].xyzw
dcl_temps 1
dcl_stream m3
dcl_outputtopology pointlist
dcl_output o1.xyzw
dcl_maxout 1
mov r0.xyzw, v[3][1].xyzw
mov o1.xyzw, r0.xyzw
emit_stream m3
ret
