cs_4_0
.input
.output
.text
dcl_globalFlags refactoringAllowed | enableRawAndStructuredBuffers
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 16, 1, 1
ishl r0.x, vThreadID.x, l(2)
store_raw u0.x, r0.x, vThreadID.x
ret
