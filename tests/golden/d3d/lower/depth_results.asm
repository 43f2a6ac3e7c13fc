ps_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | enable11_1ShaderExtensions
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_raw t1
dcl_resource_structured t2, 4
dcl_uav_raw u1
dcl_uav_structured_opc u2, 4
dcl_uav_typed_buffer (uint,uint,uint,uint) u3
dcl_input_ps linear v0.xyzw
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_output oDepth
dcl_output oMask
dcl_temps 2
mad [precise] oDepth, v0.x, v0.y, v0.z
exp oDepth, v0.y
udiv oMask, r0.x, v1.x, v1.y
udiv r0.x, oMask, v1.x, v1.y
udiv null, oMask, v1.x, v1.y
sincos oDepth, r0.y, v0.x
firstbit_hi oMask, v1.x
firstbit_shi oMask, v1.x
f32tof16 oMask, v0.x
f16tof32 oDepth, v1.x
swapc oDepth, r0.x, v1.x, v0.x, v0.y
uaddc oMask, r0.x, v1.x, v1.y
usubb r0.x, oMask, v1.x, v1.y
deq oMask, r0.xyxy, r1.xyxy
dtof oDepth, r0.xyxy
sample oDepth, v0.xyxx, t0.xyzw, s0
ld_raw oMask, v1.x, t1.xxxx
ld_raw_sat oDepth, v1.x, t1.xxxx
ld_structured oMask, v1.x, l(0), t2.xxxx
ld_uav_typed oMask, v1.xxxx, u3.xyzw
imm_atomic_iadd oMask, u1, v1.x, v1.y
imm_atomic_alloc oMask, u2
resinfo_uint oMask, l(0), t0.xyzw
bufinfo oMask, t1
sampleinfo_uint oMask, rasterizer.x
samplepos oDepth, rasterizer.x, v1.x
eval_centroid oDepth, v0.x
ld_raw_s r0.x, oMask, v1.x, t1.xxxx
check_access_fully_mapped oMask, r0.x
mov o0.xyzw, v0.xyzw
ret
