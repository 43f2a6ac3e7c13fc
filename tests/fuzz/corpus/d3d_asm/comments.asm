// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float
// TEXCOORD                 1    yz         1     NONE  min16f    z
// SV_PrimitiveID           0    N/A   primID   PRIMID    uint    YES
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xy
// SV_Depth                 0    N/A   oDepth    DEPTH   float    YES
ps_5_0
dcl_immediateConstantBuffer { { 1, 0x01020304, 0.000001, -1.#IND } }
ld r0.xyzw, r1.x, t0.x
ret
// Approximately 1 instruction slot used
