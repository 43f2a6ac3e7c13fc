/* What feeds the vertex shader: buffers and layout of a script, or the triangle of `draw quad`. Holds no drawing. */
#include <string.h>
#include <strings.h>

#include "run.h"

static const float corners[3][4] = {{-2, -2, 0, 1}, {-2, 4, 0, 1}, {4, -2, 0, 1}};
static const struct sch_script_layout corner_layout = {
    .count = 1, .elements = {{.format = SCH_FORMAT_R32G32B32A32_FLOAT, .name = {"position", 8}}}};

static const char plain_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";

const struct sch_program *sch_script_plain_vertex(struct sch_script_run *run)
{
    struct sch_shader *shader = NULL;
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_TGSI, .name = "vertex"};
    if (run->plain_vertex) return run->plain_vertex;
    if (sch_shader_read(run->context, plain_text, sizeof plain_text - 1, &options, NULL, &shader) != SCH_OK ||
        sch_program_create(run->context, shader, NULL, NULL, &run->plain_vertex) != SCH_OK)
        sch_script_memory(run);
    sch_shader_destroy(shader);
    return run->plain_vertex;
}

/* The register that an element feeds: of Direct3D shaders by name and index, else by its place. -1: none. */
static int register_of(const struct sch_script_loaded *vertex, const struct sch_script_layout *layout, uint32_t element)
{
    const struct sch_script_element *wanted = &layout->elements[element];
    struct sch_signature_info input = {.size = sizeof input};
    if (!vertex->there || sch_shader_language(vertex->made.shader) != SCH_LANGUAGE_D3D) return (int)element;
    for (uint32_t i = 0; sch_shader_signature(vertex->made.shader, SCH_SIGNATURE_INPUT, i, &input); i++)
        if (strlen(input.name) == wanted->name.bytes && input.index == wanted->index &&
            strncasecmp(input.name, wanted->name.text, wanted->name.bytes) == 0)
            return input.register_number < SCH_VERTEX_ELEMENTS ? (int)input.register_number : -1;
    return -1;
}

static uint32_t format_bytes(enum sch_format format)
{
    struct sch_format_info is = {.size = sizeof is};
    return sch_format_get_info(format, &is) == SCH_OK ? is.block_bytes : 0;
}

enum sch_result sch_script_vertices_make(struct sch_script_run *run, bool quad,
                                         struct sch_vertex_buffer buffers[SCH_VERTEX_BUFFERS],
                                         struct sch_vertex_elements **made)
{
    static const struct sch_script_layout none;
    const struct sch_script_layout *layout = quad ? &corner_layout : run->layout ? run->layout : &none;
    struct sch_vertex_element elements[SCH_VERTEX_ELEMENTS] = {{.format = SCH_FORMAT_NONE}};
    uint32_t strides[SCH_VERTEX_BUFFERS] = {0}, count = 0;
    for (uint32_t i = 0; i < layout->count; i++)
        strides[layout->elements[i].buffer] += format_bytes(layout->elements[i].format);
    uint32_t offsets[SCH_VERTEX_BUFFERS] = {0};
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct sch_script_element *from = &layout->elements[i];
        const int to = register_of(&run->shader[SCH_SCRIPT_VERTEX], layout, i);
        if (to >= 0) {
            elements[to] = (struct sch_vertex_element){.format = from->format,
                                                       .buffer = from->buffer,
                                                       .offset = offsets[from->buffer],
                                                       .stride = strides[from->buffer]};
            if (count <= (uint32_t)to) count = (uint32_t)to + 1;
        }
        offsets[from->buffer] += format_bytes(from->format);
    }
    for (uint32_t i = 0; i < SCH_VERTEX_BUFFERS; i++)
        buffers[i] = (struct sch_vertex_buffer){.resource = run->instance[SCH_SCRIPT_VB][i].of.resource};
    if (quad) buffers[0] = (struct sch_vertex_buffer){.memory = corners, .memory_bytes = sizeof corners};
    return sch_vertex_elements_create(run->context, elements, count, sizeof *elements, NULL, made);
}
