vs_5_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.text
dcl_globalFlags refactoringAllowed
dcl_resource_raw t8
dcl_resource_structured t9, 20
dcl_resource_buffer (uint,uint,uint,uint) t10
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 6
and r0.xyzw, v1.xyzw, l(7, 3, 1, 1)
mov r4.xyzw, l(0, 0, 0, 0)
ld_raw r1.xyzw, r0.x, t8.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
ld_structured r1.xyzw, r0.x, l(4), t9.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
bufinfo r1.xyzw, t8.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
bufinfo r1.xyzw, t9.wzyx
iadd r4.xyzw, r4.yzwx, r1.xyzw
bufinfo r1.xyzw, t10.xxxx
iadd r4.xyzw, r4.yzwx, r1.xyzw
ld_indexable(buffer)(uint,uint,uint,uint) r1.xyzw, r0.xyzw, t10.xyzw
iadd r4.xyzw, r4.yzwx, r1.xyzw
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, r0.x, t8.xxxx
iadd r4.xyzw, r4.yzwx, r1.xyzw
ld_structured_indexable(structured_buffer, stride=20)(mixed,mixed,mixed,mixed) r1.xy, r0.x, l(0), t9.xyxx
iadd r4.xyzw, r4.yzwx, r1.xyzw
mov o0.xyzw, r4.xyzw
ret
