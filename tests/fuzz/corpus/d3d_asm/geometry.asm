gs_5_0
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param COLOR.xy, o0.xy, float, NONE, NONE, m1
.text
dcl_inputprimitive patch7
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_stream m1
dcl_maxout 12
dcl_gsinstances 4
dcl_function_body fb0
dcl_function_table ft0 = {fb0, fb1}
dcl_interface_dynamicindexed fp0[2][1] = {ft0}
fcall fp0[r0.x + 0][1]
emitThenCut_stream m1
ret
