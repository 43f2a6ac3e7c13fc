#version 430 core
/* Eight lookups, each at a coordinate that the texel before moves. */
uniform sampler2D tex0;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    vec4 t = vec4(0.0);
    for (int i = 0; i < 8; i++) {
        t = texture(tex0, uv);
        uv = uv * 0.9 + t.xy * 0.1;
    }
    return t;
}
void main() { o_col = shade(v_uv); }
