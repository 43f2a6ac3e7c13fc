vs_5_0
.input
.param ATTRIBUTE.xyzw, v0.xyzw, float
.output
.param SV_Position.xyzw, o0.xyzw, float, POS
.text
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 3
mov r0.xyzw, v0.xyzw
loop
  if_nz r0.x
    break
  else
    ne r2.x, -r0.y, l(0)
    if_nz r2.x
      continue
    endif
  endif
  switch r0.w
  case l(1)
    break
  case l(7)
  default
    call l1
    break
  endswitch
  call l0
endloop
nop
if_nz r0.x
  ret
endif
mov o0.xyzw, r0.xyzw
ret
label l0
iadd r0.x, r0.x, l(1)
ret
label l1
ne r2.x, r0.x, l(0)
if_nz r2.x
  ret
endif
iadd r0.y, r0.y, l(2)
ret
