gs_5_0
dcl_globalFlags refactoringAllowed | forceEarlyDepthStencil
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xyz
dcl_input vPrim
dcl_input vGSInstanceID
dcl_temps 2
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output_siv o1.z, rendertarget_array_index
dcl_stream m2
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_output o1.zw
dcl_output o3.xyzw
dcl_maxout 9
dcl_gsinstances 4
mov r0.x, vGSInstanceID
iadd r0.x, vPrim, r0.x
mov o0.xyzw, v[0][0].xyzw
mov o1.xyz, v[r0.x + 1][1].xyzx
mov o1.w, v[0][1].x
mov o3.xyzw, v[2][1].xyzz
emit_stream m0
emit_stream m2
cut_stream m2
emitThenCut_stream m0
if_nz r0.x
  emit_stream m2
endif
ret
