; As box_vs, with the square's own coordinates from its top left corner.
vs_4_0
.input
.param POSITION.xy, v0, float
.param PLACE.xyzw, v1, float
.param COLOR.xyzw, v2, float
.output
.param SV_POSITION.xyzw, o0, float, POS
.param TEXCOORD.xy, o1, float
.text
dcl_input v0.xy
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
mad o0.xy, v0.xyxx, v1.wwww, v1.xyxx
mov o0.z, v1.z
mov o0.w, l(1.0)
mad o1.xy, v0.xyxx, l(0.5, -0.5, 0, 0), l(0.5, 0.5, 0, 0)
ret
