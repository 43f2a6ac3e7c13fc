#version 430 core
uniform sampler2D tex0;
uniform vec4 P;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
void main() { o_col = textureGather(tex0, v_uv * P.x + P.y); }
