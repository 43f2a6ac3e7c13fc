#version 430 core
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
out vec3 g_color;
void corner(float x, float y)
{
    gl_Position = gl_in[0].gl_Position + vec4(x * 0.003, y * 0.004, 0.0, 0.0);
    g_color = vec3(gl_in[0].gl_Position.xy * 0.25 + 0.5, x * y);
    EmitVertex();
}
void main()
{
    corner(0.0, 0.0);
    corner(1.0, 0.0);
    corner(0.0, 1.0);
    corner(1.0, 1.0);
    EndPrimitive();
}
