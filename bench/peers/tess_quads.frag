#version 430 core
in vec3 e_normal;
layout(location = 0) out vec4 o_col;
void main()
{
    float light = max(dot(normalize(e_normal), vec3(0.48, 0.6, 0.64)), 0.0);
    o_col = vec4(vec3(0.9, 0.7, 0.5) * light + vec3(0.05, 0.06, 0.1), 1.0);
}
