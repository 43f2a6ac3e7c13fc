/* Four samples a pixel: an edge through the middle of pixels covers half of their samples, and resolving takes the
 * mean. A geometry shader makes the square. */
#include "gl_program.h"

enum { SIDE = 8 };

static const char vertex[] = "#version 430\nvoid main() { gl_Position = vec4(-1.0, -1.0, 0.0, 1.0); }\n";
static const char geometry[] =
    "#version 430\nlayout(points) in;\nlayout(triangle_strip, max_vertices = 4) out;\n"
    "uniform float width;\nvoid main() {\n  for (int n = 0; n < 4; n++) {\n"
    "    gl_Position = gl_in[0].gl_Position + vec4(float(n & 1) * width, float(n >> 1) * 2.0, 0.0, 0.0);\n"
    "    EmitVertex();\n  }\n  EndPrimitive();\n}\n";
static const char fragment[] = "#version 430\nout vec4 color;\nvoid main() { color = vec4(1.0); }\n";

int main(void)
{
    uint8_t pixels[SIDE][SIDE][4];
    gl_begin();
    const GLuint resolved = gl_framebuffer(SIDE, SIDE, 0), sampled = gl_framebuffer(SIDE, SIDE, 4);
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_VERTEX_SHADER, vertex);
    gl_shader(program, GL_GEOMETRY_SHADER, geometry);
    gl_shader(program, GL_FRAGMENT_SHADER, fragment);
    gl_link(program);
    glUniform1f(glGetUniformLocation(program, "width"), 2.0f / SIDE * 3.5f);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, sampled);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved);
    glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (unsigned y = 0; y < SIDE; y++) {
        CHECK(pixels[y][0][0] == 255 && pixels[y][2][0] == 255);
        CHECK(pixels[y][3][0] == 127 || pixels[y][3][0] == 128);
        CHECK(pixels[y][4][0] == 0 && pixels[y][7][0] == 0);
    }
    gl_add(pixels, sizeof pixels);
    return gl_end();
}
