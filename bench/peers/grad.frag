#version 430 core
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
void main() { o_col = vec4(v_uv, 0.5, 0.5); }
