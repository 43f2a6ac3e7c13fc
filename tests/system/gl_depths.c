/* Of two overlapping squares the nearer one is seen; the stencil counts both; a query counts the samples that pass. */
#include "gl_program.h"

enum { SIDE = 16 };

static const char vertex[] = "#version 430\nuniform vec3 place;\nvoid main() {\n"
                             "  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                             "  gl_Position = vec4(corner + place.xy, place.z, 1.0);\n}\n";
static const char fragment[] = "#version 430\nuniform vec4 shade;\nout vec4 color;\nvoid main() { color = shade; }\n";

static GLuint draw_square(GLuint program, float x, float y, float z, float red)
{
    GLuint query, passed = 0;
    glGenQueries(1, &query);
    glUniform3f(glGetUniformLocation(program, "place"), x, y, z);
    glUniform4f(glGetUniformLocation(program, "shade"), red, 1, 0, 1);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
    return passed;
}

int main(void)
{
    uint8_t pixels[SIDE][SIDE][4], stencil[SIDE][SIDE];
    gl_begin();
    gl_framebuffer(SIDE, SIDE, 0);
    const GLuint program = gl_program(vertex, fragment);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_INCR, GL_INCR);
    CHECK(draw_square(program, -1, -1, -0.5f, 1) == 64);      /* 8 x 8 pixels */
    CHECK(draw_square(program, -0.5f, -0.5f, 0.5f, 0) == 48); /* behind 16 of them */
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glReadPixels(0, 0, SIDE, SIDE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
    CHECK(pixels[5][5][0] == 255 && pixels[5][5][1] == 255 && pixels[5][5][2] == 0);
    CHECK(pixels[9][9][0] == 0 && pixels[9][9][1] == 255);
    CHECK(pixels[15][15][2] == 255 && pixels[15][15][1] == 0);
    CHECK(stencil[2][2] == 1 && stencil[5][5] == 2 && stencil[9][9] == 1 && stencil[14][2] == 0);
    gl_add(pixels, sizeof pixels);
    gl_add(stencil, sizeof stencil);
    return gl_end();
}
