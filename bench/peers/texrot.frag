#version 430 core
/* Rotated by 30 degrees, so that texels of a row are on no line of the texture. */
uniform sampler2D tex0;
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
void main()
{
    o_col = texture(tex0, vec2(v_uv.x * 0.8660254 - v_uv.y * 0.5, v_uv.x * 0.5 + v_uv.y * 0.8660254) * P.x + P.y);
}
