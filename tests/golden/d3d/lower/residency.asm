ps_5_0
dcl_globalFlags refactoringAllowed | enable11_1ShaderExtensions
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2dms(0) (float,float,float,float) t1
dcl_resource_raw t2
dcl_resource_structured t3, 8
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 3
dcl_indexableTemp x0[2], 4
sample_cl_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, v0.w
sample_cl_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, null
sample_cl_s r0.xyzw, null, v0.xyxx, t0.xyzw, s0, l(1.0)
sample_b_cl_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, l(1.0), v0.z
sample_b_cl_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, l(1.0), null
sample_d_cl_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, v0.xyxx, v0.zwzz, v0.w
sample_d_cl_s r0.xyzw, r1.x, v0.xyxx, t0.xyzw, s0, v0.xyxx, v0.zwzz, null
sample_c_cl_s_aoffimmi(1,2,0) r0.x, r1.x, v0.xyxx, t0.xyzw, s1, v0.z, v0.w
sample_c_cl_s r0.x, r1.x, v0.xyxx, t0.xyzw, s1, v0.z, null
sample_l_s r0.xyzw, x0[r0.x + 1].y, v0.xyxx, t0.xyzw, s0, l(0)
sample_c_lz_s r0.xyzw, r1.y, v0.xyxx, t0.xyzw, s1, l(0.5)
gather4_s r0.xyzw, r1.y, v0.xyxx, t0.xyzw, s0.x
gather4_c_s r0.xyzw, r1.y, v0.xyxx, t0.xyzw, s1.x, l(0.5)
gather4_po_s r0.xyzw, r1.y, v0.xyxx, r1.xyxx, t0.xyzw, s0.x
gather4_po_c_s r0.xyzw, r1.y, v0.xyxx, r1.xyxx, t0.xyzw, s1.x, l(0.5)
ld_s r0.xyzw, r1.z, r1.xyzw, t0.xyzw
ldms_s r0.xyzw, r1.z, r1.xyzw, t1.xyzw, l(1)
ld_uav_typed_s r0.xyzw, r1.w, r1.xyyy, u1.xyzw
ld_raw_s r0.xy, r1.w, r1.x, t2.xyzw
ld_structured_s r0.xy, null, r1.x, l(4), t3.xyxx
check_access_fully_mapped r2.x, r1.w
check_access_fully_mapped r2.y, r1.x
mov o0.xyzw, r2.xyzw
ret
