vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.param GENERIC.xy, o1.xy, float
.param GENERIC1.xy, o2.xy, float
.param GENERIC2.xy, o3.xy, float
.param GENERIC5.z, o6.z, float
.text
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output o2.xy
dcl_output o3.xy
dcl_output o6.z
dcl_indexrange o1.xy 3
dcl_temps 1
mov r0.x, v0.x
mov o0.xyzw, v0.xyzw
mov o2.y, v0.y
mov o6.z, v0.z
mov o[r0.x + 1].x, v0.x
ret
