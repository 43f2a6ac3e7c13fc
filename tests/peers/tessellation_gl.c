/* The OpenGL side of the test of the tessellator: one EGL context without a surface, a program for each way to cut a
 * patch, and a buffer for what transform feedback captures. Libraries are opened at run time: where there are none the
 * test is skipped. Decides nothing about answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surfaceless.h"
#include "tessellation_gl.h"

#ifdef PEER_HAS_GL
#include <GL/glcorearb.h>

/* As many vertices as the largest patch makes: a quadrilateral of 64 x 64 segments. */
enum { MOST_VERTICES = 64 * 64 * 6, MODES = 64 };

#define FUNCTIONS                                                                                                      \
    X(GETERROR, GetError)                                                                                              \
    X(ENABLE, Enable)                                                                                                  \
    X(GENVERTEXARRAYS, GenVertexArrays)                                                                                \
    X(BINDVERTEXARRAY, BindVertexArray)                                                                                \
    X(GENRENDERBUFFERS, GenRenderbuffers)                                                                              \
    X(BINDRENDERBUFFER, BindRenderbuffer)                                                                              \
    X(RENDERBUFFERSTORAGE, RenderbufferStorage)                                                                        \
    X(GENFRAMEBUFFERS, GenFramebuffers)                                                                                \
    X(BINDFRAMEBUFFER, BindFramebuffer)                                                                                \
    X(FRAMEBUFFERRENDERBUFFER, FramebufferRenderbuffer)                                                                \
    X(CREATEPROGRAM, CreateProgram)                                                                                    \
    X(ATTACHSHADER, AttachShader)                                                                                      \
    X(TRANSFORMFEEDBACKVARYINGS, TransformFeedbackVaryings)                                                            \
    X(USEPROGRAM, UseProgram)                                                                                          \
    X(GENBUFFERS, GenBuffers)                                                                                          \
    X(BINDBUFFERBASE, BindBufferBase)                                                                                  \
    X(BUFFERDATA, BufferData)                                                                                          \
    X(GETBUFFERSUBDATA, GetBufferSubData)                                                                              \
    X(GENQUERIES, GenQueries)                                                                                          \
    X(BEGINQUERY, BeginQuery)                                                                                          \
    X(ENDQUERY, EndQuery)                                                                                              \
    X(GETQUERYOBJECTUIV, GetQueryObjectuiv)                                                                            \
    X(BEGINTRANSFORMFEEDBACK, BeginTransformFeedback)                                                                  \
    X(ENDTRANSFORMFEEDBACK, EndTransformFeedback)                                                                      \
    X(PATCHPARAMETERI, PatchParameteri)                                                                                \
    X(PATCHPARAMETERFV, PatchParameterfv)                                                                              \
    X(DRAWARRAYS, DrawArrays)

#define X(upper, name) static PFNGL##upper##PROC gl##name;
FUNCTIONS
#undef X

struct program {
    struct captured_mode mode;
    GLuint name; /* 0: did not link */
};

static struct {
    GLuint buffer, query;
    struct program programs[MODES];
    size_t program_count;
    float coordinates[MOST_VERTICES][3];
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

/* Drawing needs a complete framebuffer, although nothing is rasterised. */
static void make_framebuffer(void)
{
    GLuint framebuffer, picture;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &picture);
    glBindRenderbuffer(GL_RENDERBUFFER, picture);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, picture);
}

bool tessellation_gl_open(const char *driver, char *why, size_t room)
{
    static const struct surfaceless_wish wish = {{41, 0}, false};
    GLuint array;
    if (!surfaceless_open(driver, &wish, why, room) || !load_functions(why, room)) return false;
    make_framebuffer();
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &gl.buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, gl.buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof gl.coordinates, NULL, GL_STREAM_READ);
    glGenQueries(1, &gl.query);
    glEnable(GL_RASTERIZER_DISCARD);
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    return glGetError() == GL_NO_ERROR || surfaceless_refuse(why, room, "OpenGL refuses the buffer");
}

static GLuint link_program(const struct captured_mode *mode)
{
    static const char *const captured[] = {"captured"};
    char text[512];
    GLuint program = glCreateProgram();
    glAttachShader(program, surfaceless_shader(GL_VERTEX_SHADER,
                                               "#version 410\nvoid main() { gl_Position = vec4(0, 0, 0, 1); }\n"));
    snprintf(text, sizeof text,
             "#version 410\nlayout(%s, %s, %s%s) in;\nout vec3 captured;\n"
             "void main() { captured = gl_TessCoord; gl_Position = vec4(gl_TessCoord, 1); }\n",
             mode->domain, mode->spacing, mode->order, mode->points ? ", point_mode" : "");
    glAttachShader(program, surfaceless_shader(GL_TESS_EVALUATION_SHADER, text));
    glTransformFeedbackVaryings(program, 1, captured, GL_INTERLEAVED_ATTRIBS);
    return surfaceless_link(program) ? program : 0;
}

static GLuint program_of(const struct captured_mode *mode)
{
    for (size_t i = 0; i < gl.program_count; i++) {
        const struct captured_mode *m = &gl.programs[i].mode;
        if (!strcmp(m->domain, mode->domain) && !strcmp(m->spacing, mode->spacing) && !strcmp(m->order, mode->order) &&
            m->points == mode->points)
            return gl.programs[i].name;
    }
    if (gl.program_count == MODES) return 0;
    gl.programs[gl.program_count] = (struct program){*mode, link_program(mode)};
    return gl.programs[gl.program_count++].name;
}

bool tessellation_gl_capture(const struct captured_mode *mode, const float outer[4], const float inner[2],
                             const float (**coordinates)[3], size_t *count)
{
    GLuint program = program_of(mode), primitives = 0;
    bool lines = !strcmp(mode->domain, "isolines");
    if (!program) return false;
    glUseProgram(program);
    glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
    glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, gl.query);
    glBeginTransformFeedback(mode->points ? GL_POINTS : lines ? GL_LINES : GL_TRIANGLES);
    glDrawArrays(GL_PATCHES, 0, 1);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glGetQueryObjectuiv(gl.query, GL_QUERY_RESULT, &primitives);
    *count = (size_t)primitives * (mode->points ? 1 : lines ? 2 : 3);
    if (*count > MOST_VERTICES) return false;
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)(*count * sizeof *gl.coordinates), gl.coordinates);
    *coordinates = (const float(*)[3])gl.coordinates;
    return glGetError() == GL_NO_ERROR;
}

void tessellation_gl_close(void) { surfaceless_close(); }

#else

bool tessellation_gl_open(const char *driver, char *why, size_t room)
{
    return surfaceless_open(driver, NULL, why, room);
}
bool tessellation_gl_capture(const struct captured_mode *mode, const float outer[4], const float inner[2],
                             const float (**coordinates)[3], size_t *count)
{
    (void)mode, (void)outer, (void)inner, (void)coordinates, (void)count;
    return false;
}
void tessellation_gl_close(void) {}

#endif
