/* The triangle of `draw quad`, (-2,-2), (-2,4), (4,-2): its vertices go through the vertex shader, if there is one, and
 * must still cover all of the viewport. Anything else is the rasteriser's. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run.h"

enum { VERTICES = 3, MOST_INPUTS = 64 };

static const float corners[VERTICES][4] = {{-2, -2, 0, 1}, {-2, 4, 0, 1}, {4, -2, 0, 1}};

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t word_of(double value)
{
    float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
}

/* The register of the input that the vertices' positions go to; -1: none. NULL or why there are other inputs. */
static const char *find_position(const struct sch_script_loaded *vertex, int *position)
{
    struct sch_signature_info view = {.size = sizeof view};
    *position = -1;
    if (sch_shader_language(vertex->shader) == SCH_LANGUAGE_TGSI) {
        if (vertex->info.inputs > 1) return "needs the pipeline: a vertex shader with several inputs";
        if (vertex->info.inputs) *position = 0;
        return NULL;
    }
    for (uint32_t i = 0; sch_shader_signature(vertex->shader, SCH_SIGNATURE_INPUT, i, &view); i++) {
        if (*view.system_value) continue; /* numbers of vertex and instance */
        if (strcasecmp(view.name, "position") != 0 || view.index != 0)
            return "needs the pipeline: a vertex shader with inputs beside position";
        *position = (int)view.register_number;
    }
    return NULL;
}

/* Links component after component of an input to those of the output of the same name. */
static void link_element(const struct sch_script_loaded *vertex, const struct sch_signature_info *input,
                         struct sch_script_triangle *triangle)
{
    struct sch_signature_info output = {.size = sizeof output};
    if (*input->system_value || input->register_number >= MOST_INPUTS) return;
    for (uint32_t i = 0; sch_shader_signature(vertex->shader, SCH_SIGNATURE_OUTPUT, i, &output); i++) {
        if (strcasecmp(input->name, output.name) != 0 || input->index != output.index ||
            output.register_number >= triangle->registers)
            continue;
        for (unsigned to = 0, from = 0; to < 4; to++) {
            if (!(input->mask >> to & 1)) continue;
            while (from < 4 && !(output.mask >> from & 1)) from++;
            if (from == 4) return;
            triangle->link[input->register_number][to] = (uint16_t)(output.register_number * 4 + from++ + 1);
        }
        return;
    }
}

static void link_stages(struct sch_script_run *run, struct sch_script_triangle *triangle)
{
    const struct sch_script_loaded *vertex = &run->shader[SCH_SCRIPT_VERTEX], *pixel = &run->shader[SCH_SCRIPT_PIXEL];
    bool d3d = sch_shader_language(vertex->shader) == SCH_LANGUAGE_D3D;
    struct sch_signature_info input = {.size = sizeof input};
    if (d3d && sch_shader_language(pixel->shader) == SCH_LANGUAGE_D3D) {
        for (uint32_t i = 0; sch_shader_signature(pixel->shader, SCH_SIGNATURE_INPUT, i, &input); i++)
            link_element(vertex, &input, triangle);
        return;
    }
    struct sch_register_info in = {.size = sizeof in}, out = {.size = sizeof out};
    for (uint32_t i = 0; sch_shader_register(pixel->registers, SCH_REGISTERS_INPUT, i, &in); i++)
        for (uint32_t o = 0; sch_shader_register(vertex->registers, SCH_REGISTERS_OUTPUT, o, &out); o++)
            if (in.index < MOST_INPUTS && out.index < triangle->registers && in.semantic == out.semantic &&
                in.semantic_index == out.semantic_index)
                for (unsigned c = 0; c < 4; c++) triangle->link[in.index][c] = (uint16_t)(out.index * 4 + c + 1);
}

/* VERTEXID counts; everything else of the system is 0. */
static void fill_system(const struct sch_script_loaded *vertex, uint32_t *words)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(vertex->registers, SCH_REGISTERS_SYSTEM_VALUE, i, &at); i++)
        for (uint32_t v = 0; v < VERTICES; v++)
            if (strncmp(at.semantic_name, "VERTEXID", 8) == 0)
                words[(v * vertex->info.system_values + at.index) * 4] = v;
}

static const char *run_vertices(struct sch_script_run *run, const struct sch_bindings *bindings,
                                struct sch_script_triangle *triangle, bool *failed)
{
    const struct sch_script_loaded *vertex = &run->shader[SCH_SCRIPT_VERTEX];
    const struct sch_shader_info *info = &vertex->info;
    int position, found = -1;
    const char *problem = find_position(vertex, &position);
    if (problem) return problem;
    uint32_t *inputs, *system = NULL;
    struct sch_invocations work = {.size = sizeof work,
                                   .count = VERTICES,
                                   .input_registers = info->inputs,
                                   .system_value_registers = info->system_values,
                                   .output_registers = info->outputs};
    triangle->registers = info->outputs;
    bool room = sch_script_registers(VERTICES, info->inputs, &inputs, &work.input_bytes) &&
                sch_script_registers(VERTICES, info->system_values, &system, &work.system_value_bytes) &&
                sch_script_registers(VERTICES, info->outputs, &triangle->outputs, &work.output_bytes);
    work.inputs = inputs;
    work.system_values = system;
    work.outputs = triangle->outputs;
    enum sch_result result = room ? SCH_OK : SCH_ERROR_MEMORY;
    if (result == SCH_OK) {
        for (uint32_t v = 0; v < VERTICES && position >= 0 && (uint32_t)position < info->inputs; v++)
            memcpy(inputs + (v * info->inputs + (uint32_t)position) * 4, corners[v], sizeof corners[v]);
        fill_system(vertex, system);
        result = sch_dispatch(vertex->program, bindings, &work, &run->options.dispatch, NULL);
    }
    free(inputs);
    free(system);
    *failed = result != SCH_OK;
    if (result == SCH_ERROR_MEMORY) sch_script_memory(run);
    if (result != SCH_OK)
        return result == SCH_ERROR_BUDGET ? "the vertex shader used up its budget" : sch_result_text(result);
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(vertex->registers, SCH_REGISTERS_OUTPUT, i, &at); i++)
        if (strcmp(at.semantic_name, "POSITION") == 0 && at.index < triangle->registers) found = (int)at.index;
    if (found < 0) return "needs the pipeline: a vertex shader without a position";
    for (unsigned v = 0; v < VERTICES; v++)
        for (unsigned c = 0; c < 4; c++)
            triangle->position[v][c] =
                (double)float_of(triangle->outputs[(v * triangle->registers + (unsigned)found) * 4 + c]);
    return NULL;
}

/* From a point of the viewport to weights of the vertices, of which each point is the sum: the inverse of the matrix
 * whose columns are x, y, w of the vertices. */
static bool invert(struct sch_script_triangle *triangle)
{
    double(*p)[4] = triangle->position;
    double m[3][3];
    for (unsigned v = 0; v < VERTICES; v++) {
        m[0][v] = p[v][0];
        m[1][v] = p[v][1];
        m[2][v] = p[v][3];
    }
    double determinant = 0;
    for (unsigned r = 0; r < 3; r++)
        for (unsigned c = 0; c < 3; c++) {
            unsigned r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            triangle->inverse[c][r] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    for (unsigned c = 0; c < 3; c++) determinant += m[0][c] * triangle->inverse[c][0];
    if (!(determinant < 0)) return false; /* the back, an edge, or no number */
    for (unsigned r = 0; r < 3; r++)
        for (unsigned c = 0; c < 3; c++) triangle->inverse[r][c] /= determinant;
    return true;
}

static void weights_at(const struct sch_script_triangle *triangle, uint32_t x, uint32_t y, double weights[3])
{
    double at[3] = {((double)x + 0.5) / triangle->width * 2 - 1, 1 - ((double)y + 0.5) / triangle->height * 2, 1};
    for (unsigned v = 0; v < VERTICES; v++) {
        weights[v] = 0;
        for (unsigned c = 0; c < 3; c++) weights[v] += triangle->inverse[v][c] * at[c];
    }
}

/* Whether every pixel's centre is inside, and nothing is clipped at the near and far planes. */
static bool covers(const struct sch_script_triangle *triangle)
{
    for (unsigned v = 0; v < VERTICES; v++) {
        double z = triangle->position[v][2], w = triangle->position[v][3];
        if (!(w > 0 && z >= 0 && z <= w)) return false;
    }
    for (unsigned corner = 0; corner < 4; corner++) {
        double weights[3];
        weights_at(triangle, corner & 1 ? triangle->width - 1 : 0, corner & 2 ? triangle->height - 1 : 0, weights);
        for (unsigned v = 0; v < VERTICES; v++)
            if (!(weights[v] >= 0)) return false;
    }
    return true;
}

const char *sch_script_triangle_make(struct sch_script_run *run, const struct sch_bindings *bindings,
                                     struct sch_script_triangle *triangle, bool *failed)
{
    *failed = false;
    for (unsigned v = 0; v < VERTICES; v++)
        for (unsigned c = 0; c < 4; c++) triangle->position[v][c] = (double)corners[v][c];
    if (run->shader[SCH_SCRIPT_VERTEX].there) {
        const char *problem = run_vertices(run, bindings, triangle, failed);
        if (problem) return problem;
        link_stages(run, triangle);
    }
    if (!invert(triangle) || !covers(triangle))
        return "needs the pipeline: a triangle that does not cover the viewport";
    return NULL;
}

/* One component of an input: with perspective, without, or the first vertex's. */
static uint32_t interpolate(const struct sch_script_triangle *triangle, const double weights[3], unsigned component,
                            bool linear)
{
    uint32_t word[VERTICES];
    double sum = 0, all = 0;
    for (unsigned v = 0; v < VERTICES; v++) word[v] = triangle->outputs[v * triangle->registers * 4 + component];
    if (word[0] == word[1] && word[0] == word[2]) return word[0];
    for (unsigned v = 0; v < VERTICES; v++) {
        double weight = linear ? weights[v] * triangle->position[v][3] : weights[v];
        sum += weight * (double)float_of(word[v]);
        all += weight;
    }
    return word_of(sum / all);
}

void sch_script_triangle_input(const struct sch_script_triangle *triangle, const struct sch_script_loaded *pixel_shader,
                               uint32_t index, uint32_t x, uint32_t y, uint32_t words[4])
{
    double weights[3];
    weights_at(triangle, x, y, weights);
    for (unsigned c = 0; c < 4; c++) {
        uint16_t link = index < MOST_INPUTS ? triangle->link[index][c] : 0;
        words[c] = 0;
        if (!link) continue;
        words[c] = pixel_shader->constant[index / 32] >> index % 32 & 1
                       ? triangle->outputs[link - 1]
                       : interpolate(triangle, weights, link - 1u, pixel_shader->linear[index / 32] >> index % 32 & 1);
    }
}

void sch_script_triangle_position(const struct sch_script_triangle *triangle, uint32_t x, uint32_t y, uint32_t words[4])
{
    double weights[3], z = 0, all = 0;
    weights_at(triangle, x, y, weights);
    for (unsigned v = 0; v < VERTICES; v++) {
        z += weights[v] * triangle->position[v][2];
        all += weights[v]; /* 1/w */
    }
    words[0] = word_of((double)x + 0.5);
    words[1] = word_of((double)y + 0.5);
    words[2] = word_of(z);
    words[3] = word_of(1 / all);
}
