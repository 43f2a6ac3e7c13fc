/* Vertices of several instances are captured behind a vertex shader, and drawn again from where they went. */
#include "gl_program.h"

enum { SIDE = 8, VERTICES = 3, INSTANCES = 2 };

static const char vertex[] =
    "#version 430\nlayout(location = 0) in vec4 place;\nlayout(std140, binding = 0) uniform Block { vec4 scale; };\n"
    "out vec4 moved;\nvoid main() {\n  moved = place * scale + vec4(gl_InstanceID, 0.0, 0.0, 0.0);\n"
    "  gl_Position = moved;\n}\n";
static const char again[] = "#version 430\nlayout(location = 0) in vec4 place;\nvoid main() { gl_Position = place; }\n";
static const char fragment[] = "#version 430\nout vec4 color;\nvoid main() { color = vec4(0.0, 1.0, 0.0, 1.0); }\n";

static void capture(GLuint buffers[3])
{
    static const float places[VERTICES][4] = {{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 1, 0, 1}}, scale[4] = {1, 1, 0.5f, 1};
    static const char *const names[] = {"moved"};
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_VERTEX_SHADER, vertex);
    glTransformFeedbackVaryings(program, 1, names, GL_INTERLEAVED_ATTRIBS);
    gl_link(program);
    glGenBuffers(3, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof places, places, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[1]);
    glBufferData(GL_UNIFORM_BUFFER, sizeof scale, scale, GL_STATIC_DRAW);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[2]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, INSTANCES * sizeof places, NULL, GL_STREAM_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArraysInstanced(GL_TRIANGLES, 0, VERTICES, INSTANCES);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
}

int main(void)
{
    float captured[INSTANCES * VERTICES][4] = {{0}};
    uint8_t pixels[SIDE][SIDE][4];
    GLuint buffers[3];
    gl_begin();
    gl_framebuffer(SIDE, SIDE, 0);
    capture(buffers);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof captured, captured);
    CHECK(captured[0][0] == -1 && captured[1][0] == 0 && captured[3][0] == 0 && captured[4][0] == 1);
    CHECK(captured[5][0] == 0 && captured[5][1] == 1 && captured[5][3] == 1);
    gl_program(again, fragment);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[2]);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, INSTANCES * VERTICES);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    CHECK(pixels[0][0][1] == 255 && pixels[0][4][1] == 255 && pixels[7][3][1] == 0 && pixels[7][7][0] == 255);
    gl_add(captured, sizeof captured);
    gl_add(pixels, sizeof pixels);
    return gl_end();
}
