/* An OpenGL program without a window: draws a triangle whose corners have colours over a cleared picture, blended, and
 * prints the renderer, a pixel outside of the triangle, and a hash of all. Exit code 77: EGL has no such platform
 * here. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 64, NO_PLATFORM = 77 };

static const char vertex_text[] = "attribute vec4 place, color;\n"
                                  "varying vec4 shade;\n"
                                  "void main() { gl_Position = place; shade = sqrt(color); }\n";
static const char fragment_text[] = "varying vec4 shade;\n"
                                    "void main() { gl_FragColor = vec4(sin(shade.xyz * 3.0), 0.5); }\n";

static int begin(void)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT,
                                    EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_ALPHA_SIZE,
                                    8,
                                    EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) return 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count) return 0;
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    return eglMakeCurrent(display, surface, surface, eglCreateContext(display, config, EGL_NO_CONTEXT, NULL));
}

static GLuint add(GLuint program, GLenum kind, const char *text)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    return shader;
}

static void draw(void)
{
    static const float places[] = {-1, -1, 0, 1, -1, 0, -1, 1, 0}, colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const GLuint program = glCreateProgram();
    add(program, GL_VERTEX_SHADER, vertex_text);
    add(program, GL_FRAGMENT_SHADER, fragment_text);
    glBindAttribLocation(program, 0, "place");
    glBindAttribLocation(program, 1, "color");
    glLinkProgram(program);
    glUseProgram(program);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, places);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, colors);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

int main(void)
{
    static uint8_t pixels[SIZE][SIZE][4];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    if (!begin()) return NO_PLATFORM;
    draw();
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (unsigned i = 0; i < sizeof pixels; i++) hash = (hash ^ (&pixels[0][0][0])[i]) * 1099511628211u;
    const uint8_t *outside = pixels[SIZE - 1][SIZE - 1];
    printf("%s\n%u %u %u %u\n%016llx\n", (const char *)glGetString(GL_RENDERER), outside[0], outside[1], outside[2],
           outside[3], (unsigned long long)hash);
    return glGetError() != GL_NO_ERROR;
}
