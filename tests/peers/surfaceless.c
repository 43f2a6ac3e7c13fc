/* See surfaceless.h. */
#include "surfaceless.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool surfaceless_refuse(char *why, size_t room, const char *what)
{
    snprintf(why, room, "%s", what);
    return false;
}

#ifdef PEER_HAS_GL
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#define FUNCTIONS                                                                                                      \
    X(GETSTRING, GetString)                                                                                            \
    X(CREATESHADER, CreateShader)                                                                                      \
    X(SHADERSOURCE, ShaderSource)                                                                                      \
    X(COMPILESHADER, CompileShader)                                                                                    \
    X(GETSHADERIV, GetShaderiv)                                                                                        \
    X(GETSHADERINFOLOG, GetShaderInfoLog)                                                                              \
    X(LINKPROGRAM, LinkProgram)                                                                                        \
    X(GETPROGRAMIV, GetProgramiv)                                                                                      \
    X(GETPROGRAMINFOLOG, GetProgramInfoLog)

#define X(upper, name) static PFNGL##upper##PROC gl##name;
FUNCTIONS
#undef X

static struct {
    void *library;
    EGLDisplay display;
    EGLContext context;
    PFNEGLTERMINATEPROC terminate;
    PFNEGLGETPROCADDRESSPROC get;
    char driver[200];
} egl;

static void *symbol(const char *name) { return dlsym(egl.library, name); }

static EGLContext create_context(const struct surfaceless_wish *wish)
{
    PFNEGLCREATECONTEXTPROC create = (PFNEGLCREATECONTEXTPROC)symbol("eglCreateContext");
    EGLContext made = EGL_NO_CONTEXT;
    for (size_t i = 0; create && i < 2 && wish->versions[i] && !made; i++) {
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     wish->versions[i] / 10,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     wish->versions[i] % 10,
                                     wish->compatibility ? EGL_CONTEXT_OPENGL_PROFILE_MASK : EGL_NONE,
                                     EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                     EGL_NONE};
        made = create(egl.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    }
    return made;
}

static bool make_context(const struct surfaceless_wish *wish, char *why, size_t room)
{
    PFNEGLGETPLATFORMDISPLAYPROC get_display = (PFNEGLGETPLATFORMDISPLAYPROC)symbol("eglGetPlatformDisplay");
    PFNEGLINITIALIZEPROC initialize = (PFNEGLINITIALIZEPROC)symbol("eglInitialize");
    PFNEGLBINDAPIPROC bind_api = (PFNEGLBINDAPIPROC)symbol("eglBindAPI");
    PFNEGLMAKECURRENTPROC make_current = (PFNEGLMAKECURRENTPROC)symbol("eglMakeCurrent");
    egl.terminate = (PFNEGLTERMINATEPROC)symbol("eglTerminate");
    egl.get = (PFNEGLGETPROCADDRESSPROC)symbol("eglGetProcAddress");
    if (!get_display || !initialize || !bind_api || !make_current || !egl.terminate || !egl.get)
        return surfaceless_refuse(why, room, "EGL is older than 1.5");
    egl.display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (egl.display == EGL_NO_DISPLAY || !initialize(egl.display, NULL, NULL))
        return surfaceless_refuse(why, room, "no EGL display without a surface");
    if (!bind_api(EGL_OPENGL_API)) return surfaceless_refuse(why, room, "EGL has no OpenGL");
    egl.context = create_context(wish);
    if (!egl.context || !make_current(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl.context))
        return surfaceless_refuse(why, room, "no such context of OpenGL");
    return true;
}

static bool load_functions(char *why, size_t room)
{
#define X(upper, name)                                                                                                 \
    gl##name = (PFNGL##upper##PROC)surfaceless_function("gl" #name);                                                   \
    if (!gl##name) return surfaceless_refuse(why, room, "no gl" #name);
    FUNCTIONS
#undef X
    return true;
}

bool surfaceless_open(const char *driver, const struct surfaceless_wish *wish, char *why, size_t room)
{
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("GALLIUM_DRIVER", driver, 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("LP_NUM_THREADS", "0", 1);
    setenv("LP_NATIVE_VECTOR_WIDTH", "128", 1); /* a quad at a time, on every machine */
    setenv("GALLIVM_PERF", "nopt", 1);          /* llvmpipe compiles quicker; nothing else changes */
    egl.library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!egl.library) return surfaceless_refuse(why, room, "no libEGL.so.1");
    if (!make_context(wish, why, room) || !load_functions(why, room)) return false;
    snprintf(egl.driver, sizeof egl.driver, "%s, OpenGL %s", (const char *)glGetString(GL_RENDERER),
             (const char *)glGetString(GL_VERSION));
    return strstr(egl.driver, driver) || surfaceless_refuse(why, room, "EGL gave another driver");
}

void *surfaceless_function(const char *name)
{
    union {
        __eglMustCastToProperFunctionPointerType function;
        void *pointer;
    } both = {.function = egl.get(name)};
    return both.pointer;
}

const char *surfaceless_driver(void) { return egl.driver; }

uint32_t surfaceless_shader(uint32_t kind, const char *text)
{
    GLuint shader = glCreateShader(kind);
    GLint good = 0;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[400];
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    printf("# the driver does not compile a shader: %.300s\n", log);
    return 0;
}

bool surfaceless_link(uint32_t program)
{
    GLint good = 0;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) return true;
    char log[400];
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    printf("# the driver does not link a program: %.300s\n", log);
    return false;
}

void surfaceless_close(void)
{
    if (egl.display) egl.terminate(egl.display);
}

#else

bool surfaceless_open(const char *driver, const struct surfaceless_wish *wish, char *why, size_t room)
{
    (void)driver, (void)wish;
    return surfaceless_refuse(why, room, "built without EGL and OpenGL headers");
}
void *surfaceless_function(const char *name)
{
    (void)name;
    return NULL;
}
const char *surfaceless_driver(void) { return ""; }
uint32_t surfaceless_shader(uint32_t kind, const char *text)
{
    (void)kind, (void)text;
    return 0;
}
bool surfaceless_link(uint32_t program)
{
    (void)program;
    return false;
}
void surfaceless_close(void) {}

#endif
