cs_5_0
.input
.output
.features views64
.text
dcl_constantbuffer CB13[4096], immediateIndexed
dcl_uav_raw u0
dcl_uav_raw u31
dcl_uav_typed_texture2d (float,float,float,float) u47
dcl_uav_raw u51
dcl_temps 4082
dcl_thread_group 1, 1, 1
mov r4079.xyzw, cb13[4095].xyzw
mov r4080.xyzw, -r0.xxxx
store_raw u0.x, l(4), r4080.xyzw
mov r4080.xyzw, |r0.xyxx|
store_raw u31.xy, l(4), r4080.xyzw
mov r4080.xyzw, -|r0.wzyx|
store_raw u0.xyzw, l(-4), r4080.xyzw
mov r4080.xyzw, -r0.xyzw
store_uav_typed u47.xyzw, l(4, 60, 0, 0), r4080.xyzw
store_uav_typed u47.xyzw, l(-4, -60, 0, 0), l(0x80000004, 0x8000003c, 0x80000001, 0x80000000)
imm_atomic_iadd r4080.x, u51, l(12), -r0.y
mov r1.x, r4080.x
ineg r4080.xyzw, r0.xyxx
and r4081.xyzw, r1.xyxx, l(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff)
and r1.xy, r4080.xyxx, r4081.xyxx
ineg r4080.xyzw, r0.yyyy
not r1.z, r4080.z
xor r1.xyzw, l(-4, -60, -1, 0), r2.xyzw
ret
