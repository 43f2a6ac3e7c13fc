/* What the OpenGL programs of these tests share: a context without a window, shaders, checks that say what is wrong,
 * and a sum of what was read. A program ends with gl_end(). Exit code 77: EGL has no such platform. */
#ifndef SCH_TESTS_GL_PROGRAM_H
#define SCH_TESTS_GL_PROGRAM_H

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_PLATFORM = 77 };

static int wrong;
static uint64_t sum = 14695981039346656037u; /* FNV-1a */

#define CHECK(condition) gl_check((condition), __LINE__, #condition)

static inline void gl_check(int holds, int line, const char *condition)
{
    if (holds) return;
    printf("line %d: not %s\n", line, condition);
    wrong++;
}

static inline void gl_add(const void *data, size_t bytes)
{
    for (size_t n = 0; n < bytes; n++) sum = (sum ^ ((const uint8_t *)data)[n]) * 1099511628211u;
}

/* A context with no surface, of a version that has these attributes: programs draw into framebuffers of their own. */
static inline void gl_begin_version(const EGLint *version)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) exit(NO_PLATFORM);
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count) exit(NO_PLATFORM);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) exit(NO_PLATFORM);
}

/* OpenGL 4.3, core. */
static inline void gl_begin(void)
{
    static const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    GLuint arrays;
    gl_begin_version(version);
    glGenVertexArrays(1, &arrays);
    glBindVertexArray(arrays);
}

static inline void gl_shader(GLuint program, GLenum kind, const char *text)
{
    const GLuint shader = glCreateShader(kind);
    GLint done = 0;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    CHECK(done);
    glAttachShader(program, shader);
}

static inline void gl_link(GLuint program)
{
    GLint done = 0;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    CHECK(done);
    glUseProgram(program);
}

/* A program that draws; `fragment` NULL: it has none. */
static inline GLuint gl_program(const char *vertex, const char *fragment)
{
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_VERTEX_SHADER, vertex);
    if (fragment) gl_shader(program, GL_FRAGMENT_SHADER, fragment);
    gl_link(program);
    return program;
}

/* A framebuffer with a colour buffer, and one of depth and stencil. */
static inline GLuint gl_framebuffer(GLsizei width, GLsizei height, GLsizei samples)
{
    GLuint framebuffer, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(2, buffers);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, width, height);
    return framebuffer;
}

/* Prints the renderer and the sum. */
static inline int gl_end(void)
{
    CHECK(glGetError() == GL_NO_ERROR);
    printf("%s\n%016llx\n", (const char *)glGetString(GL_RENDERER), (unsigned long long)sum);
    return wrong != 0;
}

#endif
