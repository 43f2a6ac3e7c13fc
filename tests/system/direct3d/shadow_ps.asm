; 1 where 0.5 passes the comparison with the texture's depth.
ps_4_0
.input
.param SV_POSITION.xyzw, v0, float, POS
.param TEXCOORD.xy, v1, float
.output
.param SV_TARGET.xyzw, o0, float, TARGET
.text
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 1
sample_c_lz r0.x, v1.xyxx, t0.xxxx, s0, l(0.5)
mov o0.xyz, r0.xxxx
mov o0.w, l(1.0)
ret
