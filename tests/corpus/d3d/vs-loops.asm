vs_4_0
.input
.param A.xyzw, v0.xyzw, float
.param B.xyzw, v1.xyzw, uint
.output
.param SV_POSITION.xyzw, o0.xyzw, float, POS
.text
dcl_globalFlags refactoringAllowed
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 6
mov r0.xyzw, v0.xyzw
mov r4.xyzw, l(0, 0, 0, 0)
and r1.xyzw, v1.xyzw, l(7, 3, 1, 15)
loop
uge r2.x, r1.x, l(20)
breakc_nz r2.x
iadd r1.x, r1.x, l(1)
and r2.y, r1.x, l(1)
continuec_z r2.y
if_nz r1.y
iadd r4.xyzw, r4.xyzw, v1.xyzw
else
add r4.x, r4.x, v0.y
continue
endif
switch r1.z
case l(0)
mov r4.y, v0.x
break
case l(1)
case l(2)
mov r4.z, v0.y
break
default
nop
break
endswitch
if_z r1.w
break
endif
endloop
retc_nz r1.w
mov o0.xyzw, r4.xyzw
ret
