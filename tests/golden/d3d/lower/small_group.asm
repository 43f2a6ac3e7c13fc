cs_5_0
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadGroupID.x
dcl_thread_group 32, 1, 1
store_raw u0.x, vThreadIDInGroupFlattened, vThreadGroupID.x
ret
