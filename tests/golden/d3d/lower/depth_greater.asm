ps_5_0
dcl_globalFlags refactoringAllowed | forceEarlyDepthStencil
dcl_input_ps linear v0.xyzw
dcl_output o1.xyzw
dcl_output oDepthGE
mov_sat oDepthGE, v0.w
mov o1.xyzw, v0.xyzw
ret
