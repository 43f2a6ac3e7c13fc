ps_5_0
.input
.param COLOR.xyzw, v0.xy, float
.features doubles
.text
mov r0.x, l(1) long
ret spare(0x00002000, 0x00000001)
.checksum 0x00000001, 0x00000002, 0x00000003, 0x00000004
.chunks Aon9 ISG1 SHDR ISGN SFI0 STAT 0x00000001
.chunk Aon9 {
    6c657665 6c203900                                                       // level 9.
}
.chunk ISGN {
    00000000 08000000                                                       // ........
}
.statistics 37, instructions 2, 26 5, stores 4294967295
.chunk 0x00000001 {
}
.bytes SFI0 {
    01000000 00000000 07000000                                              // ............
}
