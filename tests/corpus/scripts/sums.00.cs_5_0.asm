cs_5_0
.input
.output
.text
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_temps 1
dcl_thread_group 4, 1, 1
iadd r0.x, vThreadIDInGroupFlattened.x, l(1)
atomic_iadd u0, l(0), r0.x
imul null, r0.y, vThreadIDInGroupFlattened.x, l(10)
atomic_umax u0, l(4), r0.y
atomic_and u0, l(8), l(6)
ishl r0.z, l(1), vThreadIDInGroupFlattened.x
atomic_or u0, l(12), r0.z
ret
