#version 430 core
uniform sampler2D tex0;
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    vec4 s = vec4(0.0);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            s += texture(tex0, uv + vec2(float(i) - 1.5, float(j) - 1.5) * 1.37 * P.z);
    return s * 0.0625;
}
void main() { o_col = shade(v_uv); }
