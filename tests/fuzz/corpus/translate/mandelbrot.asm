// The Mandelbrot set: v0.xy is the place in the picture, 0 to 1. mandelbrot.dxbc is this text, assembled.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 3
// c, and z = 0; r1.x counts.
mad r0.xy, v0.xyxx, l(3.0, 2.4, 0, 0), l(-2.1, -1.2, 0, 0)
mov r0.zw, l(0, 0, 0, 0)
mov r1.x, l(0)
loop
  ige r1.y, r1.x, l(128)
  breakc_nz r1.y
  mul r1.yz, r0.zzwz, r0.zzwz
  add r1.w, r1.z, r1.y
  lt r1.w, l(16.0), r1.w
  breakc_nz r1.w
  mul r2.x, r0.w, r0.z
  add r2.y, -r1.z, r1.y
  add r0.z, r0.x, r2.y
  mad r0.w, r2.x, l(2.0), r0.y
  iadd r1.x, r1.x, l(1)
endloop
// Black inside; outside by the number of turns.
itof r1.y, r1.x
mul r1.y, r1.y, l(0.0078125)
sqrt r1.y, r1.y
ige r1.z, r1.x, l(128)
mad_sat r2.xyz, r1.yyyy, l(2.4, 1.5, 0.9, 0), l(-0.35, -0.1, 0.15, 0)
movc o0.xyz, r1.zzzz, l(0, 0, 0, 0), r2.xyzx
mov o0.w, l(1.0)
ret
