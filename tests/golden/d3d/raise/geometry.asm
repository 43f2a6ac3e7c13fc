gs_5_0
.input
.param SV_Position.xyzw, v0.xyzw, float, POS
.param GENERIC.xyzw, v1.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param GENERIC.xyzw, o1.xyzw, float
.param SV_RenderTargetArrayIndex.x, o18.x, uint, RTINDEX
.param SV_PrimitiveID.x, o16.x, uint, PRIMID
.param GENERIC1.xy, o2.xy, float, NONE, NONE, m1
.text
dcl_inputprimitive triangleadj
dcl_gsinstances 2
dcl_input_siv v[6][0].xyzw, position
dcl_input v[6][1].xyzw
dcl_input vPrim
dcl_input vGSInstanceID
dcl_temps 7
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output_siv o18.x, rendertarget_array_index
dcl_output_sgv o16.x, primitive_id
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o2.xy
dcl_maxout 7
iadd r0.x, vPrim, vGSInstanceID.x
iadd r0.xyz, r0.xxxx, l(6, 6, 6, 0)
mov r1.x, r0.x
mov r2.xyzw, v[0][0].xyzw
mov r3.xyzw, v[r1.x + 1][1].xyzw
mov r4.xy, v[5][1].xyxx
mov r5.x, r0.x
mov r6.x, vPrim
mov o0.xyzw, r2.xyzw
mov o1.xyzw, r3.xyzw
mov o18.x, r5.x
mov o16.x, r6.x
emit_stream m0
mov o2.xy, r4.xyxx
emit_stream m1
cut_stream m0
cut_stream m1
ret
