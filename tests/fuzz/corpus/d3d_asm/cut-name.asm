ps_5_0
.input
.param "\x