/* Images of several samples (OpenGL 4.6 8.26): their size, stores to each sample, loads and atomics, of textures and of
 * one layer of an array; what is drawn to such a texture is loaded, and what is stored is fetched and resolved. */
#include "gl_program.h"

enum { WIDTH = 7, HEIGHT = 5, LAYERS = 3, MOST = 8 };

#define HEAD "#version 430\nlayout(local_size_x = 1) in;\n"
/* One work group for each sample of each layer's texel: x is the column, y the row and the layer, z the sample. */
#define PLACE                                                                                                          \
    "ivec3 p = ivec3(int(gl_WorkGroupID.x), int(gl_WorkGroupID.y) % 5, int(gl_WorkGroupID.y) / 5);\n"                  \
    "int s = int(gl_WorkGroupID.z);\n"                                                                                 \
    "uint v = uint(p.x + 7 * (p.y + 5 * (p.z + 3 * s)));\n"

static const char store_layers[] = HEAD "layout(r32ui, binding = 0) writeonly uniform uimage2DMSArray image;\n"
                                        "void main() {\n" PLACE "  imageStore(image, p, s, uvec4(v + 1u));\n}\n";
static const char add_layer[] =
    HEAD "layout(r32ui, binding = 0) uniform uimage2DMS image;\n"
         "void main() {\n" PLACE "  if (p.z == 0) imageAtomicAdd(image, p.xy, s, 1000u);\n}\n";
static const char load_layers[] =
    HEAD "layout(r32ui, binding = 0) readonly uniform uimage2DMSArray image;\n"
         "layout(std430, binding = 0) buffer Out { ivec4 size; uint values[]; };\n"
         "void main() {\n" PLACE "  size = ivec4(imageSize(image), 0);\n  values[v] = imageLoad(image, p, s).x;\n}\n";
static const char load_plain[] =
    HEAD "layout(rgba8, binding = 0) readonly uniform image2DMS image;\n"
         "layout(std430, binding = 0) buffer Out { ivec4 size; vec4 values[]; };\n"
         "void main() {\n" PLACE "  size = ivec4(imageSize(image), 0, 0);\n"
         "  if (p.z == 0) values[p.x + 7 * (p.y + 5 * s)] = imageLoad(image, p.xy, s);\n}\n";
static const char vertex[] = "#version 430\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
                             "  gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n";
static const char by_sample[] =
    "#version 430\nout vec4 color;\nvoid main() {\n"
    "  color = vec4(float(gl_SampleID) / 255.0, floor(gl_FragCoord.x) / 255.0, floor(gl_FragCoord.y) / 255.0, 1.0);\n"
    "}\n";
/* A fragment shader that stores, where nothing is drawn. */
static const char storing[] =
    "#version 430\nlayout(rgba8, binding = 0) writeonly uniform image2DMS image;\n"
    "uniform int samples;\nvoid main() {\n  for (int s = 0; s < samples; s++)\n"
    "    imageStore(image, ivec2(gl_FragCoord.xy), s, vec4(float(s & 1), 0.0, 1.0, 1.0));\n}\n";

static GLuint compute(const char *text)
{
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_COMPUTE_SHADER, text);
    gl_link(program);
    return program;
}

static void run(const char *text, GLuint samples)
{
    compute(text);
    glDispatchCompute(WIDTH, HEIGHT * LAYERS, samples);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

static GLuint result_buffer(GLsizeiptr bytes)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes, NULL, GL_DYNAMIC_READ);
    return buffer;
}

/* Samples of the bound texture: as many as were asked for, or more (OpenGL 4.6 8.8). */
static GLsizei samples_of(GLenum target, GLsizei asked)
{
    GLint told = 0;
    glGetTexLevelParameteriv(target, 0, GL_TEXTURE_SAMPLES, &told);
    CHECK(told >= asked && told <= MOST);
    return told;
}

static void layers(GLsizei samples)
{
    static struct {
        GLint size[4];
        GLuint values[WIDTH * HEIGHT * LAYERS * MOST];
    } got;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, texture);
    glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, samples, GL_R32UI, WIDTH, HEIGHT, LAYERS, GL_TRUE);
    samples = samples_of(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, samples);
    result_buffer(sizeof got);
    glBindImageTexture(0, texture, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
    run(store_layers, (GLuint)samples);
    glBindImageTexture(0, texture, 0, GL_FALSE, 1, GL_READ_WRITE, GL_R32UI); /* layer 1 alone */
    run(add_layer, (GLuint)samples);
    glBindImageTexture(0, texture, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
    run(load_layers, (GLuint)samples);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, &got);
    CHECK(got.size[0] == WIDTH && got.size[1] == HEIGHT && got.size[2] == LAYERS);
    for (GLuint n = 0; n < (GLuint)(WIDTH * HEIGHT * LAYERS * samples); n++)
        CHECK(got.values[n] == n + 1 + (n / (WIDTH * HEIGHT) % LAYERS == 1 ? 1000 : 0));
    gl_add(got.values, WIDTH * HEIGHT * LAYERS * (size_t)samples * sizeof *got.values);
}

static GLuint drawn_texture(GLsizei samples)
{
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_RGBA8, WIDTH, HEIGHT, GL_TRUE);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, WIDTH, HEIGHT);
    return texture;
}

/* Drawn sample by sample, then loaded. */
static void loads(GLsizei samples)
{
    static struct {
        GLint size[4];
        float values[MOST][HEIGHT][WIDTH][4];
    } got;
    const GLuint texture = drawn_texture(samples);
    samples = samples_of(GL_TEXTURE_2D_MULTISAMPLE, samples);
    gl_program(vertex, by_sample);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    result_buffer(sizeof got);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
    run(load_plain, (GLuint)samples);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, &got);
    CHECK(got.size[0] == WIDTH && got.size[1] == HEIGHT);
    for (int s = 0; s < samples; s++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const float *texel = got.values[s][y][x];
                CHECK(texel[0] * 255 > (float)s - 0.1f && texel[0] * 255 < (float)s + 0.1f);
                CHECK(texel[1] * 255 > (float)x - 0.1f && texel[1] * 255 < (float)x + 0.1f);
                CHECK(texel[2] * 255 > (float)y - 0.1f && texel[2] * 255 < (float)y + 0.1f && texel[3] == 1);
            }
    gl_add(got.values, (size_t)samples * sizeof *got.values);
}

/* Stored by a fragment shader, then resolved: every other sample is red. */
static void stores(GLsizei samples)
{
    uint8_t pixels[HEIGHT][WIDTH][4];
    const GLuint texture = drawn_texture(samples);
    GLuint framebuffer;
    samples = samples_of(GL_TEXTURE_2D_MULTISAMPLE, samples);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)&framebuffer);
    const GLuint plain = gl_framebuffer(WIDTH, HEIGHT, 0), program = gl_program(vertex, storing);
    glUniform1i(glGetUniformLocation(program, "samples"), samples);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, plain);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            CHECK(pixels[y][x][0] == 127 || pixels[y][x][0] == 128);
            CHECK(pixels[y][x][1] == 0 && pixels[y][x][2] == 255);
        }
    gl_add(pixels, sizeof pixels);
}

int main(void)
{
    GLint most = 0;
    gl_begin();
    glGetIntegerv(GL_MAX_IMAGE_SAMPLES, &most);
    CHECK(most >= 4);
    for (GLsizei samples = 2; samples <= most && samples <= MOST; samples *= 2) {
        layers(samples);
        loads(samples);
        stores(samples);
    }
    return gl_end();
}
