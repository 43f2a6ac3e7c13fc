ps_4_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_globalFlags refactoringAllowed
dcl_sampler s3, mode_mono
dcl_resource_texture2d (float,float,float,float) t3
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 5
sample r4.xyzw, v0.xyxx, t3.wzyx, s3
mov o0.xyzw, r4.xyzw
ret
