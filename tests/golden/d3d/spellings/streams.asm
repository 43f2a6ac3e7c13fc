gs_5_0
.input
.param COLOR.xyzw, v0.xyzw, float
.param A_NAME_THAT_IS_LONG.x, v1, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param COLOR.xy, o0.xy, float, NONE, NONE, m1
.param COLOR1.x, o1.x, float, NONE, NONE, m3
.text
dcl_inputprimitive patch7
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.xy
dcl_maxout 12
dcl_input vGSInstanceID
emit_stream m1
ret
