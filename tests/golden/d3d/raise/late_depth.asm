ps_5_0
.input
.param SV_Position.xyzw, v0.z, float, POS
.param GENERIC.xyzw, v1.xyzw, float
.param SV_SampleIndex.x, v13.x, uint, SAMPLE
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.param SV_Depth.x, oDepth.x, float, DEPTH
.text
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps linear noperspective v1.xyzw
dcl_input_ps_sgv constant v13.x, sampleIndex
dcl_output o0.xyzw
dcl_output oDepth
dcl_temps 2
mov r1.z, v0.z
eval_sample_index r0.xyzw, v1.xyzw, v13.x
mov o0.xyzw, r0.xyzw
mov oDepth, r1.z
ret
