/* The OpenGL side of the workloads: GLSL, by EGL without a surface, on whatever driver the environment chooses. */
#include "../tests/system/gl_program.h"

#include <string.h>

#include "peers.h"

enum { SIDE = BENCH_SIDE };

static struct {
    const char *folder;
    /* of the workload */
    const struct workload *work;
    GLuint framebuffer, picture, texture, program, vertices, buffers[2];
    GLsizei count; /* of vertices */
} gl;

/* What this side does before, OpenGL remembers. */
static const char *words(void)
{
    if (wrong) return "a shader, or what it is linked to, is refused";
    return glGetError() == GL_NO_ERROR ? NULL : "OpenGL says that there was an error";
}

/* ---- textures ---- */

static const struct {
    GLint internal;
    GLenum format, type; /* 0: compressed */
} formats[] = {[FORMAT_RGBA8] = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
               [FORMAT_RGBA32F] = {GL_RGBA32F, GL_RGBA, GL_FLOAT},
               [FORMAT_D32F] = {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
               [FORMAT_BC1] = {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 0, 0},
               [FORMAT_BC3] = {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 0, 0}};

static GLenum target_of(const struct workload *w)
{
    return w->target == TARGET_CUBE ? GL_TEXTURE_CUBE_MAP : w->target == TARGET_3D ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

static void upload_layer(const struct workload *w, GLint level, GLint layer, const void *texels)
{
    const GLsizei side = (GLsizei)(w->side >> level), bytes = (GLsizei)bench_layer_bytes(w, (uint32_t)level);
    const GLenum target = w->target == TARGET_CUBE ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)layer : target_of(w);
    const GLint internal = formats[w->format].internal;
    const GLenum format = formats[w->format].format, type = formats[w->format].type;
    if (w->target == TARGET_3D)
        glTexSubImage3D(target, level, 0, 0, layer, side, side, 1, format, type, texels);
    else if (!type)
        glCompressedTexImage2D(target, level, (GLenum)internal, side, side, 0, bytes, texels);
    else
        glTexImage2D(target, level, internal, side, side, 0, format, type, texels);
}

static bool upload(const struct workload *w)
{
    for (uint32_t level = 0; level < w->levels; level++) {
        const GLsizei side = (GLsizei)(w->side >> level);
        const uint32_t layers = bench_level_layers(w, level);
        void *texels = malloc(bench_layer_bytes(w, level));
        if (!texels) return false;
        if (w->target == TARGET_3D)
            glTexImage3D(GL_TEXTURE_3D, (GLint)level, formats[w->format].internal, side, side, (GLsizei)layers, 0,
                         formats[w->format].format, formats[w->format].type, NULL);
        for (uint32_t layer = 0; layer < layers; layer++) {
            bench_fill_layer(w, level, layer, texels);
            upload_layer(w, (GLint)level, (GLint)layer, texels);
        }
        free(texels);
    }
    return true;
}

static bool make_texture(const struct workload *w)
{
    static const GLint least[] = {[FILTER_NEAREST] = GL_NEAREST,
                                  [FILTER_LINEAR] = GL_LINEAR,
                                  [FILTER_TRILINEAR] = GL_LINEAR_MIPMAP_LINEAR,
                                  [FILTER_ANISOTROPIC] = GL_LINEAR_MIPMAP_LINEAR};
    const GLenum target = target_of(w);
    const GLint wrap = w->target == TARGET_2D ? GL_REPEAT : GL_CLAMP_TO_EDGE;
    glGenTextures(1, &gl.texture);
    glBindTexture(target, gl.texture);
    glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, (GLint)w->levels - 1);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, w->filter == FILTER_NEAREST ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, least[w->filter]);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
    glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    if (w->filter == FILTER_ANISOTROPIC) glTexParameterf(target, GL_TEXTURE_MAX_ANISOTROPY, 16);
    if (w->format == FORMAT_D32F) glTexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    return upload(w);
}

/* ---- buffers and framebuffers ---- */

static bool make_buffers(const struct workload *w)
{
    const size_t bytes = w->elements * sizeof(float);
    float *numbers = malloc(bytes);
    if (!numbers) return false;
    bench_fill_buffer(numbers, w->elements);
    glGenBuffers(2, gl.buffers);
    for (GLuint b = 0; b < 2; b++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, gl.buffers[b]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, numbers, GL_DYNAMIC_COPY);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, b, gl.buffers[b]);
    }
    free(numbers);
    return true;
}

static bool make_vertices(const struct workload *w)
{
    uint32_t count;
    float *vertices = bench_vertices(w, &count);
    if (!vertices) return false;
    gl.count = (GLsizei)count;
    glGenBuffers(1, &gl.vertices);
    glBindBuffer(GL_ARRAY_BUFFER, gl.vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * 4 * sizeof(float)), vertices, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    free(vertices);
    return true;
}

/* Only colours: what else were there would be tested, or kept. */
static GLuint make_framebuffer(uint32_t samples, GLuint *picture)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, picture);
    glBindRenderbuffer(GL_RENDERBUFFER, *picture);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? (GLsizei)samples : 0, GL_RGBA8, SIDE, SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, *picture);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    return framebuffer;
}

static const char *create(const struct workload *w, unsigned way)
{
    (void)way;
    gl.work = w;
    if (w->groups) return make_buffers(w) ? words() : "no memory";
    gl.framebuffer = make_framebuffer(w->samples, &gl.picture);
    glViewport(0, 0, SIDE, SIDE);
    glClear(GL_COLOR_BUFFER_BIT);
    (w->blend ? glEnable : glDisable)(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPatchParameteri(GL_PATCH_VERTICES, BENCH_PATCH_CORNERS);
    if (!make_vertices(w) || (w->target && !make_texture(w))) return "no memory";
    glFinish();
    return words();
}

static void destroy(void)
{
    glUseProgram(0);
    glDeleteProgram(gl.program);
    glDeleteTextures(1, &gl.texture);
    glDeleteBuffers(1, &gl.vertices);
    glDeleteBuffers(2, gl.buffers);
    glDeleteFramebuffers(1, &gl.framebuffer);
    glDeleteRenderbuffers(1, &gl.picture);
    glFinish();
    const char *folder = gl.folder;
    wrong = 0;
    memset(&gl, 0, sizeof gl);
    gl.folder = folder;
}

/* ---- frames ---- */

static void draw(bool part)
{
    static const GLenum kinds[] = {
        [SHAPE_TRIANGLES] = GL_TRIANGLES, [SHAPE_PATCHES] = GL_PATCHES, [SHAPE_POINTS] = GL_POINTS};
    const struct workload *w = gl.work;
    const GLsizei draws = w->draws ? (GLsizei)w->draws : 1;
    const bool parts = w->shape == SHAPE_PATCHES;
    const GLsizei each = parts ? gl.count / draws : gl.count;
    if (w->groups)
        glDispatchCompute(part ? 1 : w->groups, 1, 1);
    else if (part)
        glDrawArrays(kinds[w->shape], 0, gl.count < BENCH_FIRST_VERTICES ? gl.count : BENCH_FIRST_VERTICES);
    else
        for (GLsizei d = 0; d < draws; d++) glDrawArrays(kinds[w->shape], parts ? d * each : 0, each);
    if (w->groups) glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static const char *first(void)
{
    static const GLenum kinds[BENCH_STAGES] = {[BENCH_VERTEX] = GL_VERTEX_SHADER,
                                               [BENCH_TESS_CTRL] = GL_TESS_CONTROL_SHADER,
                                               [BENCH_TESS_EVAL] = GL_TESS_EVALUATION_SHADER,
                                               [BENCH_GEOMETRY] = GL_GEOMETRY_SHADER,
                                               [BENCH_FRAGMENT] = GL_FRAGMENT_SHADER,
                                               [BENCH_COMPUTE] = GL_COMPUTE_SHADER};
    gl.program = glCreateProgram();
    for (unsigned stage = 0; stage < BENCH_STAGES; stage++) {
        char name[100];
        if (!bench_shader_name(gl.work, stage, name, sizeof name)) continue;
        char *text = bench_shader_read(gl.folder, gl.work, stage, "");
        if (!text) return "no shader";
        gl_shader(gl.program, kinds[stage], text);
        free(text);
    }
    gl_link(gl.program);
    glUniform4fv(glGetUniformLocation(gl.program, "P"), 1, gl.work->constants);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, BENCH_FIRST_SIDE, BENCH_FIRST_SIDE);
    draw(true);
    glDisable(GL_SCISSOR_TEST);
    glFinish();
    return words();
}

static const char *frame(void)
{
    draw(false);
    glFlush();
    return NULL;
}

static const char *finish(void)
{
    glFinish();
    return words();
}

static const char *read_result(void *to)
{
    GLuint framebuffer = 0, picture = 0;
    if (gl.work->groups) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, gl.buffers[1]);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, BENCH_RESULTS * sizeof(float), to);
        return words();
    }
    if (gl.work->samples > 1) {
        framebuffer = make_framebuffer(1, &picture);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, gl.framebuffer);
        glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    }
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, to);
    glBindFramebuffer(GL_FRAMEBUFFER, gl.framebuffer);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &picture);
    return words();
}

/* One program that is thrown away, so that the process's own beginning is not charged to the first workload. */
static const char *open_gl(const char *folder)
{
    static const struct workload grad = {.name = "grad", .vertex = "plain", .fragment = "grad"};
    gl.folder = folder;
    gl_begin();
    fprintf(stderr, "%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    const char *what = create(&grad, 0);
    if (!what) what = first();
    destroy();
    return what;
}

const struct bench_side bench_side = {.options = "",
                                      .open = open_gl,
                                      .create = create,
                                      .first = first,
                                      .frame = frame,
                                      .finish = finish,
                                      .read = read_result,
                                      .destroy = destroy};
