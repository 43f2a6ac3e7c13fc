ps_5_0
.input
.param SV_Position.xyzw, v0.xyz, float, POS
.param SV_IsFrontFace.x, v15.x, uint, FFACE
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.param SV_Target1.xyzw, o1.xyzw, float, TARGET
.param SV_Target2.xyzw, o2.xyzw, float, TARGET
.param SV_Target3.xyzw, o3.xyzw, float, TARGET
.param SV_Target4.xyzw, o4.xyzw, float, TARGET
.param SV_Target5.xyzw, o5.xyzw, float, TARGET
.param SV_Target6.xyzw, o6.xyzw, float, TARGET
.param SV_Target7.xyzw, o7.xyzw, float, TARGET
.param SV_DepthLessEqual.x, oDepthLE.x, float, DEPTHLE
.features views64
.text
dcl_uav_raw u9
dcl_input_ps_siv linear noperspective sample v0.xyzw, position
dcl_input_ps_sgv constant v15.x, is_front_face
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_output o3.xyzw
dcl_output o4.xyzw
dcl_output o5.xyzw
dcl_output o6.xyzw
dcl_output o7.xyzw
dcl_output oDepthLE
dcl_temps 4
movc r2.x, v15.x, l(1.0), l(-1.0)
mov r2.yzw, l(0, 0, 0, 1.0)
ld_raw r0.xyzw, l(4), u9.xyzw
if_nz r0.x
  mov r1.xyzw, v0.xyzz
  mov o0.xyzw, r1.xyzw
  mov o1.xyzw, r1.xyzw
  mov o2.xyzw, r1.xyzw
  mov o3.xyzw, r1.xyzw
  mov o4.xyzw, r1.xyzw
  mov o5.xyzw, r1.xyzw
  mov o6.xyzw, r1.xyzw
  mov o7.xyzw, r1.xyzw
  mov oDepthLE, r3.z
  ret
endif
mov r3.z, v0.z
mov r1.xyzw, r2.xyzw
mov o0.xyzw, r1.xyzw
mov o1.xyzw, r1.xyzw
mov o2.xyzw, r1.xyzw
mov o3.xyzw, r1.xyzw
mov o4.xyzw, r1.xyzw
mov o5.xyzw, r1.xyzw
mov o6.xyzw, r1.xyzw
mov o7.xyzw, r1.xyzw
mov oDepthLE, r3.z
ret
