#version 430 core
layout(location = 0) in vec4 a_pos;
out vec2 v_at;
void main() { v_at = a_pos.xy; }
