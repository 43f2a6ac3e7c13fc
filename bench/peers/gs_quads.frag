#version 430 core
in vec3 g_color;
layout(location = 0) out vec4 o_col;
void main() { o_col = vec4(g_color, 1.0); }
