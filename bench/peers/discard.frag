#version 430 core
/* Kills half of the pixels by a hash of each, then does some arithmetic. */
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    ivec2 p = ivec2(uv * P.w);
    uint n = uint(p.x) * 1597334677u ^ uint(p.y) * 3812015801u;
    n ^= n >> 15; n *= 2246822519u; n ^= n >> 13;
    if ((n & 1u) != 0u)
        discard;
    vec2 z = uv;
    for (int i = 0; i < 16; i++)
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) * 0.5 + uv * 0.5;
    return vec4(abs(z), 0.5, 1.0);
}
void main() { o_col = shade(v_uv); }
