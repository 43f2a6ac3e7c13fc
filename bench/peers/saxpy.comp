#version 430 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
uniform vec4 P;
void main()
{
    uint i = gl_GlobalInvocationID.x;
    y[i] = P.x * x[i] + P.y * y[i];
}
