#version 430 core
layout(location = 0) out vec4 o_col;
void main() { o_col = vec4(0.25, 0.5, 0.75, 0.5); }
