/* An OpenGL program with a mistake: a ball in the light of a lamp from the upper left, and on the lower right, which
 * the lamp does not reach, a bright rim. docs/wrong-pixel.md finds out why. lamp.rec is what scheelite has recorded of
 * it. It needs EGL's surfaceless platform, which Mesa has:
 *
 *     cc lamp.c -lEGL -lGL -o lamp && scheelite gl --record lamp.rec ./lamp */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

enum { SIZE = 128, NO_PLATFORM = 77 };

/* A rectangle without buffers: its corners are those of the vertices' numbers. */
static const char corners[] = "#version 130\n"
                              "uniform vec4 place;\n"
                              "out vec2 at;\n"
                              "void main() {\n"
                              "    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
                              "    gl_Position = vec4(place.xy + at * place.zw, 0.0, 1.0);\n"
                              "}\n";
static const char board[] = "#version 130\n"
                            "in vec2 at;\n"
                            "void main() {\n"
                            "    vec2 cell = floor(at * 4.0);\n"
                            "    gl_FragColor = vec4(vec3(0.3 + 0.2 * mod(cell.x + cell.y, 2.0)), 1.0);\n"
                            "}\n";
static const char ball[] =
    "#version 130\n"
    "uniform vec3 lamp;\n"
    "in vec2 at;\n"
    "void main() {\n"
    "    float outside = dot(at, at);\n"
    "    if (outside > 1.0) discard;\n"
    "    vec3 normal = vec3(at, sqrt(1.0 - outside));\n"
    "    float diffuse = max(dot(normal, lamp), 0.0);\n"
    "    float shine = pow(reflect(-lamp, normal).z, 12.0);\n"
    "    gl_FragColor = vec4(vec3(0.1, 0.2, 0.5) + vec3(0.6, 0.4, 0.2) * diffuse + shine, 1.0);\n"
    "}\n";

static int begin(void)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT,
                                    EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RED_SIZE,
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

static void add(GLuint program, GLenum kind, const char *text)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static void draw(const char *fragment, float x, float y, float side)
{
    const GLuint program = glCreateProgram();
    add(program, GL_VERTEX_SHADER, corners);
    add(program, GL_FRAGMENT_SHADER, fragment);
    glLinkProgram(program);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "place"), x, y, side, side);
    glUniform3f(glGetUniformLocation(program, "lamp"), -0.48f, 0.6f, 0.64f);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

int main(void)
{
    static unsigned char pixels[SIZE][SIZE][4];
    if (!begin()) return NO_PLATFORM;
    draw(board, 0.0f, 0.0f, 1.0f);
    draw(ball, 0.0f, 0.0f, 0.8f);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("the middle is %d %d %d\n", pixels[SIZE / 2][SIZE / 2][0], pixels[SIZE / 2][SIZE / 2][1],
           pixels[SIZE / 2][SIZE / 2][2]);
    return glGetError() != GL_NO_ERROR;
}
