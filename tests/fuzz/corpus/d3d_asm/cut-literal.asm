ps_5_0
mov r0.x, l(1