/* What those who look at a lowered shader say of it in Direct3D's words: its registers and its instructions. */
#include "api/debug.h"

#include <inttypes.h>
#include <stdio.h>

#include "d3d/text/text.h"

/* ---- registers ---- */

static bool name_constant(const struct sch_shader *lowered, const struct sch_debug_register *which,
                          char name[SCH_DEBUG_NAME_BYTES])
{
    for (size_t i = 0; i < lowered->range_count; i++) {
        const struct sch_range_info *range = &lowered->ranges[i];
        if (range->kind != SCH_RANGE_CONSTANTS || which->dimension < range->unit ||
            which->dimension - range->unit >= range->units)
            continue;
        const uint32_t number = range->first + (which->dimension - range->unit);
        if (range->spaces && range->space)
            snprintf(name, SCH_DEBUG_NAME_BYTES, "cb%" PRIu32 ",space%" PRIu32 "[%" PRIu32 "]", number, range->space,
                     which->index);
        else
            snprintf(name, SCH_DEBUG_NAME_BYTES, "cb%" PRIu32 "[%" PRIu32 "]", number, which->index);
        return true;
    }
    return false;
}

static void write_name(const struct sch_d3d_origin *origin, const struct sch_debug_register *which, bool several,
                       char name[SCH_DEBUG_NAME_BYTES])
{
    const char *word = sch_d3d_register_info(origin->type)->word;
    const uint32_t behind = which->index - origin->first;
    if (origin->number == UINT32_MAX && origin->is_array)
        snprintf(name, SCH_DEBUG_NAME_BYTES, "%s[%" PRIu32 "]", word, behind);
    else if (origin->number == UINT32_MAX)
        snprintf(name, SCH_DEBUG_NAME_BYTES, "%s", word);
    else if (origin->is_array)
        snprintf(name, SCH_DEBUG_NAME_BYTES, "%s%" PRIu32 "[%" PRIu32 "]", word, origin->number, behind);
    else if (several)
        snprintf(name, SCH_DEBUG_NAME_BYTES, "%s[%" PRIu32 "][%" PRIu32 "]", word, which->dimension,
                 origin->number + behind);
    else
        snprintf(name, SCH_DEBUG_NAME_BYTES, "%s%" PRIu32, word, origin->number + behind);
}

/* Inputs of the stages that see several vertices, but for those of the patch. */
static bool has_vertices(const struct sch_shader *lowered, const struct sch_d3d_origin *origin)
{
    const unsigned stage = lowered->ir->stage;
    return origin->type == SCH_D3D_REGISTER_INPUT && origin->file == SCH_FILE_INPUT &&
           (stage == SCH_STAGE_GEOMETRY || stage == SCH_STAGE_TESS_CTRL || stage == SCH_STAGE_TESS_EVAL);
}

/* The name in Maxwell code. */
static bool name_scalar(const struct sch_debug_register *which, char name[SCH_DEBUG_NAME_BYTES])
{
    const bool predicate = which->file == SCH_FILE_ADDRESS;
    if (which->dimension || (!predicate && which->file != SCH_FILE_TEMPORARY)) return false;
    if (predicate && which->index == SCH_MAXWELL_GROUP_PREDICATES) {
        snprintf(name, SCH_DEBUG_NAME_BYTES, "CC");
        return true;
    }
    if (which->index >= (predicate ? (uint32_t)SCH_MAXWELL_GROUP_PREDICATES : (uint32_t)SCH_MAXWELL_GROUP_REGISTERS))
        return false;
    snprintf(name, SCH_DEBUG_NAME_BYTES, "%c%" PRIu32, predicate ? 'P' : 'R', which->index);
    return true;
}

bool sch_debug_register_name(const struct sch_shader *lowered, const struct sch_debug_register *which,
                             char name[SCH_DEBUG_NAME_BYTES])
{
    if (!lowered || !which || !name) return false;
    if (lowered->maxwell) return name_scalar(which, name);
    if (!lowered->origins.count) return false;
    if (which->file == SCH_FILE_CONSTANT) return name_constant(lowered, which, name);
    for (size_t i = 0; i < lowered->origins.count; i++) {
        const struct sch_d3d_origin *origin = &lowered->origins.items[i];
        if (origin->file != which->file || which->index < origin->first ||
            which->index - origin->first >= origin->count)
            continue;
        write_name(origin, which, has_vertices(lowered, origin), name);
        return true;
    }
    return false;
}

/* ---- instructions ---- */

static bool stands_at(const struct sch_position *position, uint32_t line, uint32_t column, uint32_t offset)
{
    if (position->line || line) return position->line == line && position->column == column;
    return position->offset == offset;
}

enum sch_result sch_debug_print_at(const struct sch_shader *shader, uint32_t line, uint32_t column, uint32_t offset,
                                   char **text)
{
    struct sch_api_call call;
    size_t bytes;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, NULL);
    if (text) *text = NULL;
    if (!sch_api_given(&call, shader, "shader") || !sch_api_given(&call, text, "text")) return sch_api_refused(&call);
    if (!shader->d3d || !sch_d3d_has_program(shader->d3d))
        return sch_api_wrong(&call, "shader", "the shader is not a Direct3D shader with a program");
    const struct sch_d3d_program *program = shader->d3d->program;
    size_t found = 0;
    while (found < program->count && !stands_at(&program->instructions[found].position, line, column, offset)) found++;
    if (found == program->count)
        return sch_api_wrong(&call, line ? "line" : "offset", "there is no instruction at line %u, byte %u", line,
                             offset);
    enum sch_result result =
        sch_d3d_print_instruction(shader->d3d, found, SCH_LISTING_FXC_DUMP, &shader->context->allocator, text, &bytes);
    if (result == SCH_OK) (*text)[bytes - 1] = 0;
    return sch_api_end(&call, result);
}
