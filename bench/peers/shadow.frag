#version 430 core
uniform sampler2DShadow tex0;
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    float s = 0.0;
    for (int i = 0; i < 4; i++)
        s += texture(tex0, vec3(uv + vec2(float(i & 1), float(i >> 1)) * 1.37 * P.z, 0.5));
    return vec4(s * 0.25, s * 0.125, 0.0, 1.0);
}
void main() { o_col = shade(v_uv); }
