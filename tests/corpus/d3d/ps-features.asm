ps_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.features doubles computeRawAndStructured viewsInEveryStage views64 minimumPrecision doubleExtensions shaderExtensions level9Comparison tiledResources stencilReference innerCoverage typedLoadFormats orderedViews arrayIndexFromAnyStage
.text
dcl_globalFlags refactoringAllowed | enable11_1ShaderExtensions
dcl_uav_typed_texture2d_glc (float,float,float,float) u1
dcl_uav_raw u2
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 5
mov r4.xyzw, v0.xyzw
store_uav_typed u1.xyzw, v1.xyyy, v0.xyzw
store_raw u2.x, v1.x, v1.y
mov o0.xyzw, r4.xyzw
ret
