ps_5_0
.text
mov r0 {none}, r1.xyzw {mask}
mov r0.x {select}, t0 {scalar}
mov r0.xyzw {swizzle}, cb0[0 + r1.x].x
mov r0.x, x0[x1[x2[r0.x + 4294967296l] {none} + 1].x].x
customdata opaque { 1, 0x2 }
