/* The OpenGL side of the workloads with more stages (bench/stages): vertices, shaders and draws that the harness of the
 * other renderers, which this is built with, does not have. tools/bench-peers puts the calls into the harness. None of
 * our own builds has it. */
#define GL_GLEXT_PROTOTYPES
#include "peers_stages.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As bench/peers_draw.c. */
enum { COLUMNS = 500, ROWS = 400, PATCH_COLUMNS = 24, PATCH_ROWS = 24, PATCH_CORNERS = 4, PATCH_DRAWS = 3 };

static bool is_patches(const struct pb_work *work) { return strcmp(work->name, "tess_quads") == 0; }

bool stages_has(const struct pb_work *work) { return is_patches(work) || strcmp(work->name, "gs_quads") == 0; }

float *stages_vertices(const struct pb_work *work, unsigned *count)
{
    static const float corner[PATCH_CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    if (!stages_has(work)) return pb_verts(work, count);
    *count = is_patches(work) ? PATCH_COLUMNS * PATCH_ROWS * PATCH_CORNERS : COLUMNS * ROWS;
    float *vertices = calloc(*count, 4 * sizeof *vertices);
    if (!vertices) exit(2);
    for (unsigned v = 0; v < *count; v++) {
        const unsigned patch = v / PATCH_CORNERS;
        const float *at = corner[v % PATCH_CORNERS];
        float *to = vertices + 4ul * v;
        if (is_patches(work)) {
            to[0] = ((float)(patch % PATCH_COLUMNS) + at[0]) / (PATCH_COLUMNS / 2) - 1;
            to[1] = ((float)(patch / PATCH_COLUMNS) + at[1]) / (PATCH_ROWS / 2) - 1;
        } else {
            to[0] = (float)(v % COLUMNS) / (COLUMNS / 2) - 1;
            to[1] = (float)(v / COLUMNS) / (ROWS / 2) - 1;
        }
    }
    return vertices;
}

bool stages_attach(const struct pb_work *work, GLuint program)
{
    static const struct {
        GLenum type;
        const char *suffix;
        int of; /* 0: all; 1: patches; 2: points */
    } stages[] = {{GL_VERTEX_SHADER, "vert", 0},
                  {GL_TESS_CONTROL_SHADER, "tesc", 1},
                  {GL_TESS_EVALUATION_SHADER, "tese", 1},
                  {GL_GEOMETRY_SHADER, "geom", 2},
                  {GL_FRAGMENT_SHADER, "frag", 0}};
    const int of = is_patches(work) ? 1 : 2;
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        char name[128];
        GLint compiled = 0;
        if (stages[s].of && stages[s].of != of) continue;
        snprintf(name, sizeof name, "../stages/%s.%s", work->name, stages[s].suffix);
        char *text = pb_source(name);
        const char *parts[] = {"#version 330 core\n#extension GL_ARB_tessellation_shader : enable\n", text};
        const GLuint shader = glCreateShader(stages[s].type);
        glShaderSource(shader, 2, parts, NULL);
        free(text);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
        if (!compiled) return false;
        glAttachShader(program, shader);
    }
    return true;
}

void stages_draw(const struct pb_work *work, unsigned vertices, bool first)
{
    if (!is_patches(work)) {
        glDrawArrays(GL_POINTS, 0, first ? 1 : (GLsizei)vertices);
        return;
    }
    glPatchParameteri(GL_PATCH_VERTICES, PATCH_CORNERS);
    const GLsizei each = (GLsizei)vertices / PATCH_DRAWS;
    for (int d = 0; d < (first ? 1 : PATCH_DRAWS); d++)
        glDrawArrays(GL_PATCHES, d * each, first ? PATCH_CORNERS : each);
}
