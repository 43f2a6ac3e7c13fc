/* The OpenGL side of the peers test: one EGL context without a surface, one 16x16 RGBA32F picture, a shader for each
 * form of lookup. Every pixel fetches its operands from a texture, so that both sides are asked with the same bits.
 * Libraries are opened at run time: where there are none the test is skipped. Decides nothing about answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "surfaceless.h"

#ifdef PEER_HAS_GL
#include <GL/glcorearb.h>

/* Of the compatibility profile. */
enum { PEER_CLAMP = 0x2900, PEER_MIRROR_CLAMP = 0x8742, PEER_MIRROR_CLAMP_TO_BORDER = 0x8912 };

#define FUNCTIONS                                                                                                      \
    X(GETERROR, GetError)                                                                                              \
    X(ENABLE, Enable)                                                                                                  \
    X(DISABLE, Disable)                                                                                                \
    X(VIEWPORT, Viewport)                                                                                              \
    X(GENTEXTURES, GenTextures)                                                                                        \
    X(BINDTEXTURE, BindTexture)                                                                                        \
    X(ACTIVETEXTURE, ActiveTexture)                                                                                    \
    X(TEXIMAGE2D, TexImage2D)                                                                                          \
    X(TEXSTORAGE1D, TexStorage1D)                                                                                      \
    X(TEXSTORAGE2D, TexStorage2D)                                                                                      \
    X(TEXSTORAGE3D, TexStorage3D)                                                                                      \
    X(TEXSUBIMAGE1D, TexSubImage1D)                                                                                    \
    X(TEXSUBIMAGE3D, TexSubImage3D)                                                                                    \
    X(TEXSUBIMAGE2D, TexSubImage2D)                                                                                    \
    X(TEXPARAMETERI, TexParameteri)                                                                                    \
    X(PIXELSTOREI, PixelStorei)                                                                                        \
    X(GENSAMPLERS, GenSamplers)                                                                                        \
    X(BINDSAMPLER, BindSampler)                                                                                        \
    X(SAMPLERPARAMETERI, SamplerParameteri)                                                                            \
    X(SAMPLERPARAMETERF, SamplerParameterf)                                                                            \
    X(SAMPLERPARAMETERFV, SamplerParameterfv)                                                                          \
    X(SAMPLERPARAMETERIUIV, SamplerParameterIuiv)                                                                      \
    X(SAMPLERPARAMETERIIV, SamplerParameterIiv)                                                                        \
    X(GENFRAMEBUFFERS, GenFramebuffers)                                                                                \
    X(BINDFRAMEBUFFER, BindFramebuffer)                                                                                \
    X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                                      \
    X(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                                                                  \
    X(GENVERTEXARRAYS, GenVertexArrays)                                                                                \
    X(BINDVERTEXARRAY, BindVertexArray)                                                                                \
    X(CREATEPROGRAM, CreateProgram)                                                                                    \
    X(ATTACHSHADER, AttachShader)                                                                                      \
    X(USEPROGRAM, UseProgram)                                                                                          \
    X(GETUNIFORMLOCATION, GetUniformLocation)                                                                          \
    X(UNIFORM1I, Uniform1i)                                                                                            \
    X(DRAWARRAYS, DrawArrays)                                                                                          \
    X(READPIXELS, ReadPixels)

#define X(upper, name) static PFNGL##upper##PROC gl##name;
FUNCTIONS
#undef X

struct shader {
    char *text;
    GLuint program; /* 0: did not compile */
};

static struct {
    GLuint input, picture, sampler, vertex;
    struct shader *shaders;
    size_t shader_count;
} gl;

static bool load_functions(char *why, size_t room)
{
#define X(upper, name)                                                                                                 \
    gl##name = (PFNGL##upper##PROC)surfaceless_function("gl" #name);                                                   \
    if (!gl##name) return surfaceless_refuse(why, room, "no gl" #name);
    FUNCTIONS
#undef X
    return true;
}

static GLuint plain_texture(GLsizei height)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, PEER_SIDE, height, 0, GL_RGBA, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

static bool make_picture(char *why, size_t room)
{
    GLuint buffer, array;
    glActiveTexture(GL_TEXTURE1);
    gl.input = plain_texture(PEER_SIDE * 4);
    glActiveTexture(GL_TEXTURE2);
    gl.picture = plain_texture(PEER_SIDE);
    glGenFramebuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, gl.picture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return surfaceless_refuse(why, room, "no RGBA32F picture");
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glViewport(0, 0, PEER_SIDE, PEER_SIDE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glGenSamplers(1, &gl.sampler);
    glBindSampler(0, gl.sampler);
    gl.vertex = surfaceless_shader(GL_VERTEX_SHADER,
                                   "#version 330\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
                                   "gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n");
    return gl.vertex ? true : surfaceless_refuse(why, room, "the driver does not compile a vertex shader");
}

bool gl_open(const char *driver, char *why, size_t room)
{
    static const struct surfaceless_wish wish = {{45, 33}, true};
    return surfaceless_open(driver, &wish, why, room) && load_functions(why, room) && make_picture(why, room);
}

void gl_close(void)
{
    for (size_t i = 0; i < gl.shader_count; i++) free(gl.shaders[i].text);
    free(gl.shaders);
    surfaceless_close();
}

static uint32_t smaller(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static void allocate(const struct peer_texture *t)
{
    GLsizei levels = (GLsizei)t->levels, w = (GLsizei)t->width, h = (GLsizei)t->height, layers = (GLsizei)t->layers;
    GLenum target = t->target->gl, internal = t->format->internal;
    if (target == GL_TEXTURE_1D)
        glTexStorage1D(target, levels, internal, w);
    else if (target == GL_TEXTURE_1D_ARRAY)
        glTexStorage2D(target, levels, internal, w, layers);
    else if (target == GL_TEXTURE_3D || t->target->array)
        glTexStorage3D(target, levels, internal, w, h, target == GL_TEXTURE_3D ? (GLsizei)t->depth : layers);
    else
        glTexStorage2D(target, levels, internal, w, h);
}

static void upload_level(const struct peer_texture *t, uint32_t level)
{
    const struct peer_format *f = t->format;
    const uint8_t *data = t->data + t->level_at[level];
    GLenum target = t->target->gl;
    GLint l = (GLint)level;
    GLsizei w = (GLsizei)smaller(t->width, level), h = (GLsizei)smaller(t->height, level);
    GLsizei layers = target == GL_TEXTURE_3D ? (GLsizei)smaller(t->depth, level) : (GLsizei)t->layers;
    if (target == GL_TEXTURE_1D)
        glTexSubImage1D(target, l, 0, w, f->format, f->type, data);
    else if (target == GL_TEXTURE_1D_ARRAY)
        glTexSubImage2D(target, l, 0, 0, w, layers, f->format, f->type, data);
    else if (target == GL_TEXTURE_3D || t->target->array)
        glTexSubImage3D(target, l, 0, 0, 0, w, h, layers, f->format, f->type, data);
    else if (t->target->cube)
        for (uint32_t face = 0; face < 6; face++)
            glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, l, 0, 0, w, h, f->format, f->type,
                            data + (size_t)face * (size_t)w * (size_t)h * f->bytes);
    else
        glTexSubImage2D(target, l, 0, 0, w, h, f->format, f->type, data);
}

void gl_texture(struct peer_texture *t)
{
    glActiveTexture(GL_TEXTURE0);
    glGenTextures(1, &t->gl);
    glBindTexture(t->target->gl, t->gl);
    allocate(t);
    for (uint32_t level = 0; level < t->levels; level++) upload_level(t, level);
    if (glGetError() != GL_NO_ERROR)
        printf("# the driver refuses a texture: %s %s\n", t->target->name, t->format->name);
}

/* ---- shaders
 * ------------------------------------------------------------------------------------------------------- */

static const char *const swizzles[] = {"", "x", "xy", "xyz", "xyzw"};

static unsigned coordinate_count(const struct peer_case *c) { return c->target->coordinates + c->target->array; }

/* The coordinate, with the reference where GLSL has it in the same vector. */
static void coordinate_text(const struct peer_case *c, char *text, size_t room)
{
    unsigned n = coordinate_count(c);
    if (!c->shadow || c->lookup == LOOK_GATHER || n == 4)
        snprintf(text, room, "p.%s", swizzles[n]);
    else if (n == 1)
        snprintf(text, room, "vec3(p.x, 0.0, m.x)");
    else
        snprintf(text, room, "vec%u(p.%s, m.x)", n + 1, swizzles[n]);
}

static void offset_text(const struct peer_case *c, char *text, size_t room)
{
    const int32_t *o = c->offsets;
    if (!c->offset)
        text[0] = 0;
    else if (c->target->axes == 1)
        snprintf(text, room, ", %d", o[0]);
    else if (c->target->axes == 2)
        snprintf(text, room, ", ivec2(%d, %d)", o[0], o[1]);
    else
        snprintf(text, room, ", ivec3(%d, %d, %d)", o[0], o[1], o[2]);
}

static void call_text(const struct peer_case *c, char *text, size_t room)
{
    char at[64], offset[64];
    const char *grad = swizzles[c->target->coordinates];
    const char *end = c->offset ? "Offset" : "";
    coordinate_text(c, at, sizeof at);
    offset_text(c, offset, sizeof offset);
    const char *apart = c->shadow && coordinate_count(c) == 4 ? ", m.x" : ""; /* cube arrays */
    switch (c->lookup) {
    case LOOK_IMPLICIT:
        snprintf(text, room, "texture%s(t, %s%s%s)", end, at, apart, offset);
        break;
    case LOOK_BIAS:
        snprintf(text, room, "texture%s(t, %s%s, m.y)", end, at, offset);
        break;
    case LOOK_LOD:
        snprintf(text, room, "textureLod%s(t, %s, m.y%s)", end, at, offset);
        break;
    case LOOK_GRAD:
        snprintf(text, room, "textureGrad%s(t, %s, dx.%s, dy.%s%s)", end, at, grad, grad, offset);
        break;
    case LOOK_GATHER:
        if (c->shadow)
            snprintf(text, room, "textureGather%s(t, %s, m.x%s)", end, at, offset);
        else
            snprintf(text, room, "textureGather%s(t, %s%s, %u)", end, at, offset, c->component);
        break;
    case LOOK_FETCH: {
        const char *const whole[] = {"", "int", "ivec2", "ivec3", "ivec4"};
        const char *level = c->target->gl == GL_TEXTURE_RECTANGLE ? "" : ", int(m.y)";
        unsigned n = coordinate_count(c);
        snprintf(text, room, "texelFetch%s(t, %s(p.%s)%s%s)", end, whole[n], swizzles[n], level, offset);
        break;
    }
    default:
        snprintf(text, room, "textureQueryLOD(t, p.%s)", swizzles[c->target->coordinates]);
    }
}

static void shader_text(const struct peer_case *c, char *text, size_t room)
{
    char call[256];
    call_text(c, call, sizeof call);
    enum peer_kind kind = c->texture->format->kind;
    bool whole = c->lookup != LOOK_QUERY && (kind == KIND_UINT || kind == KIND_SINT);
    const char *prefix = kind == KIND_UINT ? "u" : kind == KIND_SINT ? "i" : "";
    const char *cast = !whole ? "vec4" : kind == KIND_UINT ? "uintBitsToFloat" : "intBitsToFloat";
    const char *spread = c->lookup == LOOK_QUERY ? ".xyxy" : "";
    snprintf(text, room,
             "#version 330 compatibility\n"
             "#extension GL_ARB_texture_gather : enable\n"
             "#extension GL_ARB_gpu_shader5 : enable\n"
             "#extension GL_ARB_texture_cube_map_array : enable\n"
             "#extension GL_ARB_texture_query_lod : enable\n"
             "#extension GL_ARB_shader_bit_encoding : enable\n"
             "uniform sampler2D inputs;\nuniform %s%s%s t;\nout vec4 color;\n"
             "void main() {\n"
             "ivec2 at = ivec2(gl_FragCoord.xy);\n"
             "vec4 p = texelFetch(inputs, at, 0), m = texelFetch(inputs, at + ivec2(0, 16), 0);\n"
             "vec4 dx = texelFetch(inputs, at + ivec2(0, 32), 0), dy = texelFetch(inputs, at + ivec2(0, 48), 0);\n"
             "color = %s(%s%s);\n}\n",
             prefix, c->target->sampler, c->shadow ? "Shadow" : "", cast, call, spread);
}

static GLuint link_program(const char *text)
{
    GLuint fragment = surfaceless_shader(GL_FRAGMENT_SHADER, text);
    if (!fragment) return 0;
    GLuint program = glCreateProgram();
    glAttachShader(program, gl.vertex);
    glAttachShader(program, fragment);
    if (!surfaceless_link(program)) return 0;
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "t"), 0);
    glUniform1i(glGetUniformLocation(program, "inputs"), 1);
    return program;
}

static GLuint program_for(const struct peer_case *c)
{
    char text[2048];
    shader_text(c, text, sizeof text);
    for (size_t i = 0; i < gl.shader_count; i++)
        if (!strcmp(gl.shaders[i].text, text)) return gl.shaders[i].program;
    struct shader *shaders = realloc(gl.shaders, (gl.shader_count + 1) * sizeof *shaders);
    if (!shaders) abort();
    gl.shaders = shaders;
    gl.shaders[gl.shader_count] = (struct shader){strdup(text), link_program(text)};
    return gl.shaders[gl.shader_count++].program;
}

/* ---- state
 * --------------------------------------------------------------------------------------------------------- */

static GLint wrap_mode(enum sch_wrap wrap)
{
    static const GLint modes[] = {
        GL_REPEAT,          PEER_CLAMP,        GL_CLAMP_TO_EDGE,        GL_CLAMP_TO_BORDER,
        GL_MIRRORED_REPEAT, PEER_MIRROR_CLAMP, GL_MIRROR_CLAMP_TO_EDGE, PEER_MIRROR_CLAMP_TO_BORDER};
    return modes[wrap];
}

static GLint min_filter(const struct sch_sampler_options *s)
{
    static const GLint filters[2][3] = {{GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR},
                                        {GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR}};
    return filters[s->min_filter][s->mip_filter];
}

static void set_sampler(const struct peer_case *c)
{
    const struct sch_sampler_options *s = &c->sampler;
    GLuint n = gl.sampler;
    glSamplerParameteri(n, GL_TEXTURE_WRAP_S, wrap_mode(s->wrap_s));
    glSamplerParameteri(n, GL_TEXTURE_WRAP_T, wrap_mode(s->wrap_t));
    glSamplerParameteri(n, GL_TEXTURE_WRAP_R, wrap_mode(s->wrap_r));
    glSamplerParameteri(n, GL_TEXTURE_MIN_FILTER, min_filter(s));
    glTexParameteri(c->target->gl, GL_TEXTURE_MIN_FILTER, min_filter(s));
    glTexParameteri(c->target->gl, GL_TEXTURE_MAG_FILTER, s->mag_filter ? GL_LINEAR : GL_NEAREST);
    glSamplerParameteri(n, GL_TEXTURE_MAG_FILTER, s->mag_filter ? GL_LINEAR : GL_NEAREST);
    glSamplerParameterf(n, GL_TEXTURE_LOD_BIAS, s->lod_bias);
    glSamplerParameterf(n, GL_TEXTURE_MIN_LOD, s->min_lod);
    glSamplerParameterf(n, GL_TEXTURE_MAX_LOD, s->max_lod);
    glSamplerParameteri(n, GL_TEXTURE_COMPARE_MODE, c->shadow ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
    glSamplerParameteri(n, GL_TEXTURE_COMPARE_FUNC, GL_NEVER + (s->compare ? (GLint)s->compare - 1 : 3));
    if (c->texture->format->kind == KIND_UINT)
        glSamplerParameterIuiv(n, GL_TEXTURE_BORDER_COLOR, s->border_words);
    else if (c->texture->format->kind == KIND_SINT)
        glSamplerParameterIiv(n, GL_TEXTURE_BORDER_COLOR, (const GLint *)s->border_words);
    else
        glSamplerParameterfv(n, GL_TEXTURE_BORDER_COLOR, s->border);
    (c->seamless ? glEnable : glDisable)(GL_TEXTURE_CUBE_MAP_SEAMLESS);
}

static void set_inputs(const struct peer_point *points)
{
    static float input[4][PEER_POINTS][4];
    for (size_t i = 0; i < PEER_POINTS; i++) {
        memcpy(input[0][i], points[i].at, sizeof input[0][i]);
        input[1][i][0] = points[i].reference;
        input[1][i][1] = points[i].lod;
        memcpy(input[2][i], points[i].ddx, sizeof points[i].ddx);
        memcpy(input[3][i], points[i].ddy, sizeof points[i].ddy);
    }
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, gl.input);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, PEER_SIDE, PEER_SIDE * 4, GL_RGBA, GL_FLOAT, input);
}

bool gl_render(const struct peer_case *c, const struct peer_point *points, float (*answers)[4])
{
    GLuint program = program_for(c);
    if (!program) return false;
    set_inputs(points);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(c->target->gl, c->texture->gl);
    set_sampler(c);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, PEER_SIDE, PEER_SIDE, GL_RGBA, GL_FLOAT, answers);
    GLenum error = glGetError();
    if (error != GL_NO_ERROR) printf("# OpenGL error 0x%x at combination %u\n", error, (unsigned)c->number);
    return error == GL_NO_ERROR;
}

#else

bool gl_open(const char *driver, char *why, size_t room) { return surfaceless_open(driver, NULL, why, room); }
void gl_texture(struct peer_texture *texture) { (void)texture; }
bool gl_render(const struct peer_case *c, const struct peer_point *points, float (*answers)[4])
{
    (void)c, (void)points, (void)answers;
    return false;
}
void gl_close(void) {}

#endif
