/* Two threads with a context each make textures at once, which Mesa 22.3's virpipe does not keep apart (docs/opengl.md,
 * "Threads"). With an argument: an EGL pbuffer is cleared and swapped instead, and read if the argument is `read`. What
 * comes of either is seen by whoever runs the program. */
#include <pthread.h>
#include <string.h>

#include "gl_program.h"

enum { THREADS = 2, ROUNDS = 100, SIDE = 16 };

static EGLDisplay display;
static EGLConfig config;

static void *make_textures(void *unused)
{
    uint8_t texels[SIDE * SIDE * 4] = {0};
    GLuint texture;
    (void)unused;
    eglBindAPI(EGL_OPENGL_API);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                        eglCreateContext(display, config, EGL_NO_CONTEXT, NULL)))
        return NULL;
    for (unsigned n = 0; n < ROUNDS; n++) {
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glDeleteTextures(1, &texture);
    }
    return NULL;
}

static void swap_pbuffer(int reads)
{
    static const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    uint8_t texel[4];
    const EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    if (!eglMakeCurrent(display, surface, surface, eglCreateContext(display, config, EGL_NO_CONTEXT, NULL)))
        exit(NO_PLATFORM);
    glClearColor(0, 1, 0, 1);
    for (unsigned n = 0; n < 3; n++) {
        glClear(GL_COLOR_BUFFER_BIT);
        eglSwapBuffers(display, surface);
    }
    if (reads) glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
}

int main(int argc, char **argv)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    pthread_t threads[THREADS];
    EGLint count = 0;
    display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) return NO_PLATFORM;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count) return NO_PLATFORM;
    if (argc > 1) {
        swap_pbuffer(!strcmp(argv[1], "read"));
        return 0;
    }
    for (unsigned n = 0; n < THREADS; n++) pthread_create(&threads[n], NULL, make_textures, NULL);
    for (unsigned n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
    return 0;
}
