ps_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_output o0.xyzw
dcl_temps 3
mov r0.xyzw, l(0, 0, 0, 0)
mov r0.x, l(1.0)
add r0.y, l(1.0), l(2.0)
iadd r0.z, l(1), l(-1)
iadd r0.w, l(0x3f800000), r0.x
add r1.xyzw, l(1.0, 2.0, 3.0, 4.0), r0.xyzw
add r1.xyzw, -r1.xyzw, |r0.wzyx|
dadd r2.xyzw, d(1.0l, 2.0l), r1.xyzw
dadd r2.xy, d(-1.5l), r1.zwzw
mov r2.x, l(0)
mov r2.y, l(1)
and r2.z, r2.x, l(1)
mov o0.xyzw, r2.xyzw
ret
