#version 430 core
/* Six octaves of value noise from a hash of integers. */
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
float lat(ivec2 p)
{
    uint n = uint(p.x) * 1597334677u ^ uint(p.y) * 3812015801u;
    n ^= n >> 15; n *= 2246822519u; n ^= n >> 13;
    return float(n >> 8) * (1.0 / 16777216.0);
}
float vnoise(vec2 p)
{
    vec2 fl = floor(p), f = p - fl;
    ivec2 i = ivec2(fl);
    f = f * f * (3.0 - 2.0 * f);
    float a = lat(i), b = lat(i + ivec2(1, 0));
    float c = lat(i + ivec2(0, 1)), d = lat(i + ivec2(1, 1));
    float t = a + (b - a) * f.x, u = c + (d - c) * f.x;
    return t + (u - t) * f.y;
}
vec4 shade(vec2 uv)
{
    float s = 0.0, w = 0.5;
    vec2 p = uv * 8.0 + 3.0;
    for (int o = 0; o < 6; o++) { s += w * vnoise(p); p *= 2.0; w *= 0.5; }
    return vec4(s, s * s, 1.0 - s, 1.0);
}
void main() { o_col = shade(v_uv); }
