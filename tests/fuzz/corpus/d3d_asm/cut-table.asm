// Patch Constant signature:
//
// Name Index Mask Register SysValue Format Used
// - - - - - - -
// m3:A 0 x z 0 TRIINT int x