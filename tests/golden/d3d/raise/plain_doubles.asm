vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.features doubles
.text
dcl_globalFlags enableDoublePrecisionFloatOps
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dadd o0.xyzw, v0.xyzw, v0.zwxy
ret
