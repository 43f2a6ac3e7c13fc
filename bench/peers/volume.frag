#version 430 core
uniform sampler3D tex0;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    vec4 acc = vec4(0.0);
    for (int i = 0; i < 32; i++) {
        vec4 t = texture(tex0, vec3(uv, (float(i) + 0.5) * (1.0 / 32.0)));
        acc.rgb += (1.0 - acc.a) * t.rgb * 0.06;
        acc.a += (1.0 - acc.a) * t.a * 0.06;
    }
    return vec4(acc.rgb, 1.0);
}
void main() { o_col = shade(v_uv); }
