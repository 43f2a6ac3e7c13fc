ps_5_0
.input
.param SV_Position.xyzw, v0.xyz, float, POS
.param "A1"2.xy, v1, float, NONE, FLOAT_16
.param SV_PrimitiveID.x, vPrim.x, uint, PRIMID
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.param SV_Depth.x, oDepth.x, float, DEPTH
.features doubles tiledResources 40
.resources 256, "me"
.binding "s", sampler, 0, none, 0, 2, 1, 0
.binding "t", texture, float, texture2d, 4294967295, 3, 1, 12
.binding "c", cbuffer, 0, none, 0, 0, 1, 0
.binding "u", rw_typed, uint, buffer, 4294967295, 1, 4, 0
.cbuffer "c", 64, 1, 0
.variable "v", 0, 8, 2, vector float 1 x 2 "float2"
.default 1.0, -2
.variable "s", 16, 48, 0, struct void 1 x 12[2] "S" {
.member "a", 0, scalar int 1 x 1
.member "b", 16, struct void 1 x 4 {
.member "\x22", 0, object 99 0 x 0
.end
.end
.variable "m", 0, 64, 0, matrix_columns float 4 x 4 "float4x4"
.text
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | forceEarlyDepthStencil
dcl_immediateConstantBuffer { { 1.0, -1, 0x7fc00000, 0x7f800000}, { 0xff800000, 65536, 65537, -65536}, { -65537, 0x00800000, 1e20, 0.1} }
customdata comment { 0x6c6c6568, 0x6f }
customdata opaque { 1, 2, 3 }
dcl_constantbuffer CB0[4], immediateIndexed
dcl_constantbuffer CB1[8], dynamicIndexed
dcl_sampler s2, mode_default
dcl_sampler s3, mode_comparison
dcl_sampler s4, mode_mono
dcl_resource_texture2d (float,float,float,float) t3
dcl_resource_texture2dms(8) (unorm,snorm,sint,uint) t4
dcl_resource_raw t5
dcl_resource_structured t6, 16
dcl_uav_typed_buffer_glc (uint,uint,uint,uint) u1
dcl_uav_raw_rov u2
dcl_uav_structured_glc_opc u3, 8
dcl_input_ps_siv linear noperspective v0.xyz, position
dcl_input_ps linear v1.xy
dcl_input_ps_sgv constant v2.x, primitive_id
dcl_input vCoverage
dcl_output o0.xyzw
dcl_output oDepth
dcl_output oMask
dcl_temps 4
dcl_indexableTemp x0[4], 4
mov_sat r0.xyzw, -|cb1[r1.x + 3].wzyx|
mov [precise(yz)] r0.yz, cb0[1].yyyy
add r0.x, l(1), l(1.5)
add r0.xyzw, l(0, 65536, 65537, -65536), l(-65537, inf, -inf, 0x7fc00000)
mov r0.xyzw, l(0x7fc00001, 0x00000001, 0x80000000, 0x007fffff)
mov r0.xyzw, l(1e-37, 1e10, 3.40282347e+38, 1.17549435e-38)
dadd r0.xyzw, d(1.0l, -0.5l), d(inf, 0x7ff8000000000001)
dmov r0.xy, d(3.0l)
mov x0[r0.x + 1].xy, x0[2].xyxx
mov r0.x, r1.x {min16f}
mov r0.x {min16u}, |r1.x| {min2_8f}
sample_aoffimmi_indexable(-8,7,0)(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t3.wzyx, s2
gather4 r0.xyzw, v0.xyxx, t3.xyzw, s2.y
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, r1.x, l(4), t6.xxxx
ld_raw r0.xyz, r0.x, t5.xyzx
ldms r0.x, r1.xyxx, t4.x, l(2)
resinfo_rcpFloat r0.xy, l(0), t3.xyxx
sampleinfo_uint r0.x, rasterizer.x
if_nz r0.x
  switch r0.y
    case l(1)
    case l(-1)
      break
    default
  endswitch
else
  loop
    breakc_z r0.x
    continue
  endloop
endif
imm_atomic_alloc r0.x, u3
store_uav_typed u1.xyzw, r0.xxxx, r1.xyzw
udiv null, r0.x, r0.x, r1.x
mov oDepth, r0.x
mov oMask, vCoverage
call l3
ret long
label l3
ret spare(0x00000007)
