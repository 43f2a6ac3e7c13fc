vs_4_0
.text
dcl_constantbuffer CB3[16], dynamicIndexed
dcl_indexableTemp x0[4], 4
dcl_immediateConstantBuffer { { 1.0, 2, 0x3, -4},
                              { 0, 0, 0, 1.5e+20} }
loop
  breakc_z r0.x
  switch r0.y
    case l(1)
      mov x0[r0.x + 2].xyz, cb3[r1.w - 1].xyzw
      break
    default
      mov r0.x, icb[r0.x + 0].w
  endswitch
  if_nz r0.x
    callc_nz r0.x, l4
  else
    sincos null, r0.x, l(1.0)
  endif
endloop
udiv r0.x, null, r1.x, l(7)
ret
label l4
ret
