; A corner of a square, moved and scaled by what its instance says.
vs_4_0
.input
.param POSITION.xy, v0, float
.param PLACE.xyzw, v1, float
.param COLOR.xyzw, v2, float
.output
.param SV_POSITION.xyzw, o0, float, POS
.param COLOR.xyzw, o1, float
.text
dcl_input v0.xy
dcl_input v1.xyzw
dcl_input v2.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
mad o0.xy, v0.xyxx, v1.wwww, v1.xyxx
mov o0.z, v1.z
mov o0.w, l(1.0)
mov o1.xyzw, v2.xyzw
ret
