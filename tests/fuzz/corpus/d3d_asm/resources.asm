ps_5_1
.resources 256, "me"
.binding "t", texture, float, texture2d, 4294967295, 3, 1, 12, 1, 2
.cbuffer "c", 64, 0, 0
.variable "v", 0, 8, 2, vector float 1 x 2 "float2"
.default 1.0, -2
.variable "s", 16, 48, 0, struct void 1 x 12[2] "S" {
.member "a", 0, scalar int 1 x 1
.member "b", 16, struct void 1 x 4 {
.member "\x22", 0, object 99 0 x 0
.end
.end
.text
ret
