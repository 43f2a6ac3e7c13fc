#version 430 core
uniform samplerCube tex0;
in vec2 v_uv;
layout(location = 0) out vec4 o_col;
void main()
{
    o_col = texture(tex0, vec3(v_uv.x * 2.0 - 1.0, v_uv.y * 2.0 - 1.0, 0.6 - v_uv.x * v_uv.y * 1.5));
}
