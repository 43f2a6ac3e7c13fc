vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param GENERIC.xz, o1.xz, float
.param GENERIC1.xz, o2.xz, float
.param GENERIC2.xz, o3.xz, float
.text
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xz
dcl_output o2.xz
dcl_output o3.xz
dcl_indexrange o1.xz 3
dcl_temps 1
mov r0.x, v0.x
mov o0.xyzw, v0.xyzw
mov o2.z, v0.z
mov o[r0.x + 1].x, v0.x
ret
