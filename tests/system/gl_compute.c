/* Compute shaders: a sum through shared memory, an image that is stored to, a counter. */
#include "gl_program.h"

enum { COUNT = 64, GROUPS = 4, SIDE = 8 };

static const char text[] =
    "#version 430\nlayout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) buffer Values { uint values[]; };\n"
    "layout(rgba8, binding = 1) writeonly uniform image2D picture;\n"
    "layout(binding = 0) uniform atomic_uint counter;\nshared uint parts[64];\n"
    "void main() {\n  uint at = gl_LocalInvocationID.x;\n"
    "  parts[at] = values[gl_GlobalInvocationID.x];\n  barrier();\n"
    "  for (uint step = 32u; step > 0u; step >>= 1) {\n"
    "    if (at < step) parts[at] += parts[at + step];\n    barrier();\n  }\n"
    "  values[gl_GlobalInvocationID.x] = parts[0] + at;\n"
    "  if ((at & 1u) == 1u) atomicCounterIncrement(counter);\n"
    "  if (gl_WorkGroupID.x == 0u)\n"
    "    imageStore(picture, ivec2(at & 7u, at >> 3), vec4(float(at) / 255.0, 0.0, 1.0, 1.0));\n}\n";

int main(void)
{
    uint32_t values[COUNT * GROUPS], counter = 5;
    uint8_t pixels[SIDE][SIDE][4];
    GLuint buffers[2], texture;
    int right = 1, stored = 1;
    gl_begin();
    for (unsigned n = 0; n < COUNT * GROUPS; n++) values[n] = n;
    glGenBuffers(2, buffers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof values, values, GL_DYNAMIC_COPY);
    glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, buffers[1]);
    glBufferData(GL_ATOMIC_COUNTER_BUFFER, sizeof counter, &counter, GL_DYNAMIC_COPY);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE);
    glBindImageTexture(1, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_COMPUTE_SHADER, text);
    gl_link(program);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
    glGetBufferSubData(GL_ATOMIC_COUNTER_BUFFER, 0, sizeof counter, &counter);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (unsigned n = 0; n < COUNT * GROUPS; n++) /* 0 + ... + 63, and 64 times the group's first one */
        right &= values[n] == 2016 + 64 * (n / COUNT * COUNT) + n % COUNT;
    for (unsigned n = 0; n < SIDE * SIDE; n++)
        stored &= pixels[n / SIDE][n % SIDE][0] == n && pixels[n / SIDE][n % SIDE][2] == 255;
    CHECK(right);
    CHECK(stored);
    CHECK(counter == 5 + COUNT * GROUPS / 2);
    gl_add(values, sizeof values);
    gl_add(pixels, sizeof pixels);
    return gl_end();
}
