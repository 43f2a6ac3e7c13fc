ps_5_0
dcl_input_ps linear v3.xyzw
dcl_output o0.xyzw
dcl_output oDepthLE
dcl_temps 1
sqrt oDepthLE, v3.z
if_nz v3.x
  retc_nz v3.y
  ret
else
  retc_z v3.z
endif
mov o0.xyzw, -|v3.xyzw|
ret
