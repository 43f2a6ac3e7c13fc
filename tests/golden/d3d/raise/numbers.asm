vs_5_0
.input
.param SV_InstanceID.x, v0.x, uint, INSTID
.param SV_VertexID.x, v1.x, uint, VERTID
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.text
dcl_input_sgv v0.x, instance_id
dcl_input_sgv v1.x, vertex_id
dcl_output_siv o0.xyzw, position
utof o0.xy, v0.xxxx
utof o0.zw, v1.xxxx
ret
