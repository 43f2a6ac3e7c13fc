/* Vertices of several instances are captured behind a vertex shader, and drawn again from where they went. Feedback
 * that is paused, goes on and begins anew on four buffers; two feedback objects of one size that feed each other;
 * three vertex streams into one buffer (OpenGL 4.6 13.3). */
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

/* ---- four buffers ---- */

enum { BUFFERS = 4 };

static const char four[] =
    "#version 430\nuniform float base;\nout float a, b, c, d;\nvoid main() {\n"
    "  float n = base + float(gl_VertexID);\n  a = n; b = n + 100.0; c = n + 200.0; d = n + 300.0;\n"
    "  gl_Position = vec4(0.0);\n}\n";

static void check_four(const GLuint buffers[BUFFERS], const float *wanted, unsigned count)
{
    for (unsigned b = 0; b < BUFFERS; b++) {
        float got[VERTICES];
        glBindBuffer(GL_ARRAY_BUFFER, buffers[b]);
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof got, got);
        for (unsigned n = 0; n < count; n++) CHECK(got[n] == wanted[n] + 100 * (float)b);
        gl_add(got, count * sizeof *got);
    }
}

static void begin_anew(void)
{
    static const char *const names[BUFFERS] = {"a", "b", "c", "d"};
    static const float first[] = {1, 2, 8}, again[] = {20, 21, 22};
    GLuint buffers[BUFFERS];
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_VERTEX_SHADER, four);
    glTransformFeedbackVaryings(program, BUFFERS, names, GL_SEPARATE_ATTRIBS);
    gl_link(program);
    const GLint base = glGetUniformLocation(program, "base");
    glGenBuffers(BUFFERS, buffers);
    for (unsigned b = 0; b < BUFFERS; b++) {
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, b, buffers[b]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, VERTICES * sizeof(float), NULL, GL_STREAM_READ);
    }
    glUniform1f(base, 1);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 2);
    glPauseTransformFeedback();
    glDrawArrays(GL_POINTS, 4, 1);
    glResumeTransformFeedback();
    glDrawArrays(GL_POINTS, 7, 1);
    glEndTransformFeedback();
    check_four(buffers, first, VERTICES);
    glUniform1f(base, 20);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, VERTICES);
    glEndTransformFeedback();
    check_four(buffers, again, VERTICES);
}

/* ---- two objects ---- */

static const char next[] = "#version 430\nlayout(location = 0) in float value;\nout float moved;\n"
                           "void main() { moved = value + 1.0; gl_Position = vec4(0.0); }\n";
/* Each point twice: 32 points after five rounds. */
static const char twice[] = "#version 430\nlayout(points) in;\nlayout(points, max_vertices = 2) out;\n"
                            "in float moved[];\nout float grown;\nvoid main() {\n"
                            "  for (int n = 0; n < 2; n++) {\n    grown = moved[0] + 100.0 * float(n);\n"
                            "    gl_Position = vec4(0.0);\n    EmitVertex();\n    EndPrimitive();\n  }\n}\n";

static void feed_each_other(void)
{
    enum { MOST = 32, ROUNDS = 4 };
    static const char *const names[] = {"grown"};
    static const float start = 1;
    float got[MOST];
    GLuint objects[2], buffers[2];
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_VERTEX_SHADER, next);
    gl_shader(program, GL_GEOMETRY_SHADER, twice);
    glTransformFeedbackVaryings(program, 1, names, GL_INTERLEAVED_ATTRIBS);
    gl_link(program);
    glGenTransformFeedbacks(2, objects);
    glGenBuffers(2, buffers);
    for (unsigned n = 0; n < 2; n++) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[n]);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[n]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof got, NULL, GL_DYNAMIC_COPY);
    }
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof start, &start);
    for (unsigned round = 0; round <= ROUNDS; round++) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[1 - round % 2]);
        glBindBuffer(GL_ARRAY_BUFFER, buffers[round % 2]);
        glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, NULL);
        glBeginTransformFeedback(GL_POINTS);
        if (round)
            glDrawTransformFeedback(GL_POINTS, objects[round % 2]);
        else
            glDrawArrays(GL_POINTS, 0, 1);
        glEndTransformFeedback();
    }
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1 - ROUNDS % 2]);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof got, got);
    /* Five rounds add 5 to 1, and 100 for each bit of the number. */
    for (unsigned n = 0; n < MOST; n++) CHECK(got[n] == 6 + 100 * (float)__builtin_popcount(n));
    gl_add(got, sizeof got);
}

/* ---- three streams ---- */

static const char plain[] = "#version 430\nvoid main() { gl_Position = vec4(0.0); }\n";
static const char streams[] =
    "#version 430\nlayout(points) in;\nlayout(points, max_vertices = 6) out;\n"
    "layout(stream = 0) out float a;\nlayout(stream = 1) out float b;\nlayout(stream = 2) out float c;\n"
    "void main() {\n  a = 1.0; EmitStreamVertex(0);\n"
    "  for (int n = 0; n < 2; n++) { b = 2.0; EmitStreamVertex(1); }\n"
    "  for (int n = 0; n < 3; n++) { c = 3.0; EmitStreamVertex(2); }\n}\n";

/* The same buffer for all: values are undefined then, what is counted is not. */
static void share(void)
{
    enum { STREAMS = 3 };
    static const char *const names[] = {"a", "gl_NextBuffer", "b", "gl_NextBuffer", "c"};
    GLuint buffer, queries[STREAMS], drawn;
    float got[2 * STREAMS * STREAMS];
    const GLuint program = glCreateProgram();
    gl_shader(program, GL_VERTEX_SHADER, plain);
    gl_shader(program, GL_GEOMETRY_SHADER, streams);
    glTransformFeedbackVaryings(program, 5, names, GL_INTERLEAVED_ATTRIBS);
    gl_link(program);
    glGenQueries(STREAMS, queries);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    for (unsigned apart = 0; apart < 2; apart++) {
        glBufferData(GL_ARRAY_BUFFER, sizeof got, NULL, GL_STREAM_READ);
        for (unsigned s = 0; s < STREAMS; s++) {
            if (apart)
                glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, s, buffer, s * sizeof got / STREAMS,
                                  sizeof got / STREAMS);
            else
                glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, s, buffer);
            glBeginQueryIndexed(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, s, queries[s]);
        }
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, 2);
        glEndTransformFeedback();
        for (unsigned s = 0; s < STREAMS; s++) {
            glEndQueryIndexed(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, s);
            glGetQueryObjectuiv(queries[s], GL_QUERY_RESULT, &drawn);
            CHECK(drawn == 2 * (s + 1));
        }
    }
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof got, got);
    for (unsigned s = 0; s < STREAMS; s++)
        for (unsigned n = 0; n < 2 * (s + 1); n++) CHECK(got[2 * STREAMS * s + n] == (float)(s + 1));
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
    glEnable(GL_RASTERIZER_DISCARD);
    begin_anew();
    feed_each_other();
    share();
    return gl_end();
}
