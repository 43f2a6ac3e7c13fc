#version 430 core
layout(quads, fractional_odd_spacing, ccw) in;
in vec2 c_at[];
out vec3 e_normal;
void main()
{
    vec2 p = mix(mix(c_at[0], c_at[1], gl_TessCoord.x), mix(c_at[3], c_at[2], gl_TessCoord.x), gl_TessCoord.y);
    float sx = sin(p.x * 9.0), cx = cos(p.x * 9.0), sy = sin(p.y * 9.0), cy = cos(p.y * 9.0);
    float height = sx * cy * 0.05;
    e_normal = vec3(cx * cy * -0.45, sx * sy * 0.45, 1.0);
    gl_Position = vec4(p + height, height, 1.0);
}
