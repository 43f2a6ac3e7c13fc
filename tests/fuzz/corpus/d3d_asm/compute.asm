cs_5_1
.features doubles orderedViews 40
.text
dcl_constantbuffer CB0[1:2][4], dynamicIndexed, space=3
dcl_resource_texture2darray (uint,uint,uint,uint) T0[0:*], space=1
dcl_uav_typed_buffer_glc_rov (float,float,float,float) U1[2:2], space=0
dcl_uav_structured_opc U2[3:3], 16, space=0
dcl_sampler S0[0:0], mode_default, space=9
dcl_tgsm_structured g0, 8, 32
dcl_input vThreadID.xy
dcl_thread_group 8, 4, 1
ld r0.x, l(0, 0, 0, 0), T0[r0.x + 2].xyzw {nonuniform}
imm_atomic_alloc r0.x, U2[3]
atomic_cmp_store g0, r0.xyxx, l(1), r0.z
store_structured g0.xy, r0.x, l(4), CB0[r0.x + 1][0].xyxx
dmov r0.xyzw, d(1.0l, -2.5e-300l)
dfma r0.xy, r0.xyxy, r0.zwzw, d(0x7ff8000000000000)
sync_uglobal_g_t
ret
