#version 430 core
/* Sixteen small branches on a value that is constant in blocks of 8 x 8 pixels. */
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
#define FOUR(b, at) \
    if ((m & (1 << b)) != 0) { c = c.yzx * 0.9 + uv.x * 0.1; } else { c += 0.01 * float(b); } \
    if ((m & (2 << b)) != 0) { c *= sqrt(abs(uv.y - at)) + 0.5; } else { c.x = min(c.x, uv.y); } \
    if ((m & (4 << b)) != 0) { for (int k = 0; k < 3; k++) c = c * c * 0.5 + 0.25; } else { c.z = max(c.y, 0.1); } \
    if ((m & (8 << b)) != 0) { c = normalize(c + 0.1); } else { c = fract(c * 1.7); }
vec4 shade(vec2 uv)
{
    ivec2 p = ivec2(uv * P.w) / 8;
    int m = (p.x * 2654435 ^ p.y * 4052739) >> 3;
    vec3 c = vec3(uv, 0.25);
    FOUR(0, 0.1)
    FOUR(4, 0.5)
    FOUR(8, 0.9)
    FOUR(12, 0.13)
    return vec4(c, 1.0);
}
void main() { o_col = shade(v_uv); }
