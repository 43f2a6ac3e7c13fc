#version 430 core
/* Eight rounds of rotation and normalize. All is outside of the picture. */
layout(location = 0) in vec4 a_pos;
void main()
{
    vec3 p = a_pos.xyz;
    for (int i = 0; i < 8; i++) {
        float s = sin(p.x + float(i)), c = cos(p.y);
        p = normalize(vec3(c * p.x - s * p.y, s * p.x + c * p.y, p.z + 0.1));
    }
    gl_Position = vec4(p * 0.01 - vec3(3.0, 0.0, 0.0), 1.0);
}
