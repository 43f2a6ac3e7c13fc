/* Blocks decoded by Mesa's software drivers: a texture of blocks is uploaded, and a shader fetches every texel. */
#include "blocks.h"
#include "surfaceless.h"

#ifdef PEER_HAS_GL
#include <GL/glcorearb.h>

#define FUNCTIONS                                                                                                      \
    X(GETERROR, GetError)                                                                                              \
    X(GENTEXTURES, GenTextures)                                                                                        \
    X(DELETETEXTURES, DeleteTextures)                                                                                  \
    X(BINDTEXTURE, BindTexture)                                                                                        \
    X(TEXPARAMETERI, TexParameteri)                                                                                    \
    X(TEXIMAGE2D, TexImage2D)                                                                                          \
    X(COMPRESSEDTEXIMAGE2D, CompressedTexImage2D)                                                                      \
    X(GENFRAMEBUFFERS, GenFramebuffers)                                                                                \
    X(BINDFRAMEBUFFER, BindFramebuffer)                                                                                \
    X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                                      \
    X(GENVERTEXARRAYS, GenVertexArrays)                                                                                \
    X(BINDVERTEXARRAY, BindVertexArray)                                                                                \
    X(CREATEPROGRAM, CreateProgram)                                                                                    \
    X(ATTACHSHADER, AttachShader)                                                                                      \
    X(USEPROGRAM, UseProgram)                                                                                          \
    X(VIEWPORT, Viewport)                                                                                              \
    X(DRAWARRAYS, DrawArrays)                                                                                          \
    X(READPIXELS, ReadPixels)

#define X(upper, name) static PFNGL##upper##PROC gl##name;
FUNCTIONS
#undef X

static bool load_functions(char *why, size_t room)
{
#define X(upper, name)                                                                                                 \
    gl##name = (PFNGL##upper##PROC)surfaceless_function("gl" #name);                                                   \
    if (!gl##name) return surfaceless_refuse(why, room, "no gl" #name);
    FUNCTIONS
#undef X
    return true;
}

/* A framebuffer of floats, as large as a picture. */
static void make_target(void)
{
    GLuint name;
    glGenVertexArrays(1, &name);
    glBindVertexArray(name);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, BLOCKS_SIDE, BLOCKS_SIDE, 0, GL_RGBA, GL_FLOAT, NULL);
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    glViewport(0, 0, BLOCKS_SIDE, BLOCKS_SIDE);
}

static bool make_program(void)
{
    const GLuint program = glCreateProgram();
    const uint32_t vertex =
        surfaceless_shader(GL_VERTEX_SHADER, "#version 330\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : "
                                             "-1, gl_VertexID == 2 ? 3 : -1, 0, 1); }\n");
    const uint32_t fragment =
        surfaceless_shader(GL_FRAGMENT_SHADER, "#version 330\nuniform sampler2D t; out vec4 c;\n"
                                               "void main() { c = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }\n");
    if (!vertex || !fragment) return false;
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    if (!surfaceless_link(program)) return false;
    glUseProgram(program);
    return true;
}

static bool driver_open(const char *driver, char *why, size_t room)
{
    static const struct surfaceless_wish wish = {{45, 33}, false};
    if (!surfaceless_open(driver, &wish, why, room) || !load_functions(why, room)) return false;
    make_target();
    if (!make_program()) return surfaceless_refuse(why, room, "no program");
    return glGetError() == GL_NO_ERROR || surfaceless_refuse(why, room, "OpenGL refuses the target");
}

static bool upload(const struct block_format *format, const uint8_t *blocks)
{
    const unsigned count = BLOCKS_SIDE / format->width * (BLOCKS_SIDE / format->height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format->gl, BLOCKS_SIDE, BLOCKS_SIDE, 0, (GLsizei)(count * format->bytes),
                           blocks);
    return glGetError() == GL_NO_ERROR;
}

static bool driver_decode(const struct block_format *format, const uint8_t *blocks, block_texel *texels)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    const bool known = upload(format, blocks);
    if (known) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(0, 0, BLOCKS_SIDE, BLOCKS_SIDE, GL_RGBA, GL_FLOAT, texels);
    }
    glDeleteTextures(1, &name);
    return known && glGetError() == GL_NO_ERROR;
}

/* Mesa 22.3 has no profile HDR of ASTC. */
static bool driver_has(const struct block_format *format)
{
    static const uint8_t blocks[BLOCKS_BYTES];
    GLuint name;
    if (format->family == FAMILY_ASTC && format->profile == PROFILE_HDR) return false;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    const bool known = upload(format, blocks);
    glDeleteTextures(1, &name);
    return known;
}

#else

static bool driver_open(const char *driver, char *why, size_t room)
{
    (void)driver;
    return surfaceless_refuse(why, room, "built without EGL and OpenGL headers");
}
static bool driver_has(const struct block_format *format)
{
    (void)format;
    return false;
}
static bool driver_decode(const struct block_format *format, const uint8_t *blocks, block_texel *texels)
{
    (void)format, (void)blocks, (void)texels;
    return false;
}

#endif

const struct block_peer blocks_llvmpipe = {"llvmpipe", driver_open, driver_has, driver_decode, surfaceless_close};
const struct block_peer blocks_softpipe = {"softpipe", driver_open, driver_has, driver_decode, surfaceless_close};
