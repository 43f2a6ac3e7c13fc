ps_5_0
dcl_input_ps constant v0.xyzw
dcl_input_ps constant v1.x
dcl_input_ps_sgv constant v1.y, is_front_face
dcl_output o0.xyzw
dcl_temps 2
mov r0.xyzw, v0.xyzw
loop
  breakc_z r0.y
  breakc_nz r0.z
  if_nz r0.w
    continue
  else
    continuec_nz v0.x
    continuec_z v0.y
  endif
  switch r0.z
    case l(1)
    case l(-2)
      break
    default
      callc_nz r0.x, l0
      callc_z r0.y, l3
      call l3
      break
  endswitch
  break
endloop
discard_nz r0.x
discard_z r0.w
mov o0.xyzw, r0.xyzw
ret
label l3
if_z v1.y
  ret
endif
call l0
retc_nz r0.x
ret
mov r0.x, l(7)
label l0
add r0.x, r0.x, l(1.0)
ret
