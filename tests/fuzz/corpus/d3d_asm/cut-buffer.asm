ps_5_0
dcl_immediateConstantBuffer { { 1,