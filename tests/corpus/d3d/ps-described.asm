ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.resources 0, "scheelite corpus"
.binding "s", sampler, 0, none, 0, 0, 1, 1
.binding "t", texture, float, texture2d, 4294967295, 0, 1, 13
.binding "globals", cbuffer, 0, none, 0, 0, 1, 0
.cbuffer "globals", 48, 0, 0
  .variable "scale", 0, 16, 2, vector float 1 x 4 "float4"
  .variable "offset", 16, 12, 2, vector float 1 x 3 "float3"
  .variable "number", 28, 4, 2, scalar int 1 x 1 "int"
  .variable "count", 32, 4, 0, scalar uint 1 x 1 "uint"
.text
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[3], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 5
sample r4.xyzw, v0.xyxx, t0.xyzw, s0
mad r4.xyz, r4.xyzx, cb0[0].xyzx, cb0[1].xyzx
mov o0.xyzw, r4.xyzw
ret
.statistics 37, instructions 4, temps 5, float 1, texture_samples 1, moves 1
