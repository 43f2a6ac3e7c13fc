; Between the patch's corners; the colour is where in the patch.
ds_5_0
.input
.param POSITION.xyzw, vicp0, float
.output
.param SV_POSITION.xyzw, o0, float, POS
.param COLOR.xyzw, o1, float
.patch_constant
.param SV_TessFactor.x, vpc0, float, QUADEDGE
.param SV_TessFactor1.x, vpc1, float, QUADEDGE
.param SV_TessFactor2.x, vpc2, float, QUADEDGE
.param SV_TessFactor3.x, vpc3, float, QUADEDGE
.param SV_InsideTessFactor.x, vpc4, float, QUADINT
.param SV_InsideTessFactor1.x, vpc5, float, QUADINT
.text
dcl_input_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_input vDomain.xy
dcl_input vicp[4][0].xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 2
add r0.xyzw, -vicp[0][0].xyzw, vicp[1][0].xyzw
mad r0.xyzw, vDomain.xxxx, r0.xyzw, vicp[0][0].xyzw
add r1.xyzw, -vicp[2][0].xyzw, vicp[3][0].xyzw
mad r1.xyzw, vDomain.xxxx, r1.xyzw, vicp[2][0].xyzw
add r1.xyzw, r1.xyzw, -r0.xyzw
mad o0.xyzw, vDomain.yyyy, r1.xyzw, r0.xyzw
mov o1.xy, vDomain.xyxx
mov o1.zw, l(0, 0, 0, 1.0)
ret
