ps_5_0
ret
.bytes ISGN { 00 }
.bytes DXBC { 44584243 0000 }
