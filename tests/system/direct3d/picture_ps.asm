ps_4_0
.input
.param SV_POSITION.xyzw, v0, float, POS
.param TEXCOORD.xy, v1, float
.output
.param SV_TARGET.xyzw, o0, float, TARGET
.text
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
sample o0.xyzw, v1.xyxx, t0.xyzw, s0
ret
