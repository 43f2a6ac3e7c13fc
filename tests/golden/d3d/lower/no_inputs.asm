vs_5_0
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1 {none}
dcl_output_siv o1.x, clip_distance
utof o0.xyzw, v0.x
ret
