cs_5_0
dcl_uav_raw u0
dcl_input vCycleCounter.xy
dcl_temps 1
dcl_thread_group 1, 1, 1
mov r0.x, vCycleCounter.x
mov r0.y, vCycleCounter.y
store_raw u0.xy, l(0), r0.xyxx
abort
debugbreak
ret
