#version 430 core
/* An oblique ground plane: up to 16:1 anisotropy. */
uniform sampler2D tex0;
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
vec4 shade(vec2 uv)
{
    float y = uv.y * 0.9 + 0.1;
    return texture(tex0, vec2((uv.x - 0.5) / y, 1.0 / y) * P.x);
}
void main() { o_col = shade(v_uv); }
