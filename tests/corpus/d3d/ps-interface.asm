ps_5_0
.input
.param SV_POSITION.xyzw, v0.xyzw, float, POS
.param A1.xyzw, v1.xyzw, uint
.param A2.xyzw, v2.xyzw, float
.param A3.xyzw, v3.xyzw, float
.param A4.xyzw, v4.xyzw, float
.param A5.xyzw, v5.xyzw, float
.param A6.xyzw, v6.xyzw, float
.param A7.xyzw, v7.xyzw, float
.param SV_PrimitiveID.x, v8.x, uint, PRIMID
.param SV_IsFrontFace.x, v9.x, uint, FFACE
.param SV_SampleIndex.x, v10.x, uint, SAMPLE
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.param SV_Target1.xyzw, o1.xyzw, uint, TARGET
.param SV_Depth.x, oDepth.x, float, DEPTH
.param SV_Coverage.x, oMask.x, uint, COVERAGE
.text
dcl_globalFlags refactoringAllowed | skipOptimization
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps constant v1.xyzw
dcl_input_ps linear v2.xyzw
dcl_input_ps linear centroid v3.xyzw
dcl_input_ps linear noperspective v4.xyzw
dcl_input_ps linear noperspective centroid v5.xyzw
dcl_input_ps linear sample v6.xyzw
dcl_input_ps linear noperspective sample v7.xyzw
dcl_input_ps_sgv constant v8.x, primitive_id
dcl_input_ps_sgv constant v9.x, is_front_face
dcl_input_ps_sgv constant v10.x, sampleIndex
dcl_input vCoverage
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output oDepth
dcl_output oMask
dcl_temps 2
mov r0.xyzw, v0.xyzw
add r0.xyzw, r0.xyzw, v2.xyzw
add r0.xyzw, r0.xyzw, v3.xyzw
add r0.xyzw, r0.xyzw, v4.xyzw
add r0.xyzw, r0.xyzw, v5.xyzw
add r0.xyzw, r0.xyzw, v6.xyzw
add r0.xyzw, r0.xyzw, v7.xyzw
mov o0.xyzw, r0.xyzw
iadd r1.xyzw, v1.xyzw, v8.xxxx
and r1.x, r1.x, v9.x
iadd r1.y, r1.y, v10.x
mov o1.xyzw, r1.xyzw
mov_sat oDepth.x, r0.x
and oMask.x, vCoverage.x, l(15)
ret
