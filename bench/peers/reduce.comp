#version 430 core
/* Each work group adds up 4,096 numbers: sixteen in each invocation, and the invocations' sums by halves. */
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
shared float sh[256];
void main()
{
    uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 4096u;
    float s = 0.0;
    for (uint k = 0u; k < 16u; k++)
        s += x[base + k * 256u + l];
    sh[l] = s;
    barrier();
    for (uint w = 128u; w > 0u; w >>= 1) {
        if (l < w)
            sh[l] += sh[l + w];
        barrier();
    }
    if (l == 0u)
        y[gl_WorkGroupID.x] = sh[0];
}
