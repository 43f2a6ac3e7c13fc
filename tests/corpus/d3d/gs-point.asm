gs_4_0
.input
.param SV_POSITION.xyzw, v0.xyzw, float, POS
.param A.xyzw, v1.xyzw, float
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.param A.xyzw, o1.xyzw, float
.param SV_PrimitiveID.x, o2.x, uint, PRIMID
.text
dcl_input_siv v[1][0].xyzw, position
dcl_input v[1][1].xyzw
dcl_input vPrim
dcl_inputprimitive point
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output_sgv o2.x, primitive_id
dcl_maxout 1
mov o0.xyzw, v[0][0].xyzw
add o1.xyzw, v[0][1].xyzw, v[0][1].wzyx
mov o2.x, vPrim
emit
cut
ret
