/* Whether a draw reads what it writes: memory is compared, level by level of what programs name. Then the order of
 * fragments can be seen (docs/pipeline.md, "Draws"). Holds no handles. */
#include "api/draw.h"
#include "exec/units.h"
#include "pipeline/own_pixel.h"

/* What a draw writes, as ranges of memory: targets, and what programs write. */
enum { WRITTEN = 64 };
struct memory {
    const uint8_t *first, *beyond;
};
struct written {
    struct memory targets[SCH_COLOR_BUFFERS + 1], stored[WRITTEN];
    unsigned target_count, stored_count;
    bool all; /* more is stored than was noted */
};

static bool overlap(const struct memory *a, const struct memory *b)
{
    return a->first < a->beyond && b->first < b->beyond && a->first < b->beyond && b->first < a->beyond;
}

static struct memory bytes_at(const void *data, size_t bytes)
{
    const uint8_t *first = data;
    return (struct memory){first, first ? first + bytes : first};
}

/* A level of a view or an image: all its slices, layers and samples. */
static struct memory level_of(const struct sch_texture *texture, uint32_t level)
{
    const struct sch_texture_level *is = &texture->level[level];
    const uint64_t slices = (uint64_t)is->depth * texture->layers * texture->samples;
    return bytes_at(is->texels, (size_t)(slices * is->slice_bytes));
}

static bool is_target(const struct written *written, const struct memory *memory)
{
    for (unsigned i = 0; i < written->target_count; i++)
        if (overlap(&written->targets[i], memory)) return true;
    return false;
}

static bool is_stored(const struct written *written, const struct memory *memory)
{
    if (written->all) return true;
    for (unsigned i = 0; i < written->stored_count; i++)
        if (overlap(&written->stored[i], memory)) return true;
    return false;
}

static bool is_written(const struct written *written, const struct memory *memory)
{
    return is_target(written, memory) || is_stored(written, memory);
}

/* Which is long, and has little in it as a rule. */
static void begin_list(struct written *written)
{
    written->target_count = written->stored_count = 0;
    written->all = false;
}

static void add_target(struct written *written, const struct sch_draw_target *target)
{
    if (!target->texels) return;
    const size_t slices = (size_t)target->layers * target->samples;
    written->targets[written->target_count++] = bytes_at(target->texels, slices * target->slice_bytes);
}

static void add_stored(struct written *written, struct memory memory)
{
    if (written->stored_count == WRITTEN)
        written->all = true;
    else
        written->stored[written->stored_count++] = memory;
}

/* After the last register of a unit that is bound; GLOBAL and INPUT have one. */
static uint32_t end_of(const struct sch_exec_bindings *bindings, const struct sch_exec_unit *unit)
{
    const uint32_t bound[] = {[SCH_EXEC_UNIT_CONSTANTS] = bindings->constant_count,
                              [SCH_EXEC_UNIT_VIEW] = bindings->view_count,
                              [SCH_EXEC_UNIT_SAMPLER] = 0,
                              [SCH_EXEC_UNIT_IMAGE] = bindings->image_count,
                              [SCH_EXEC_UNIT_BUFFER] = bindings->buffer_count,
                              [SCH_EXEC_UNIT_COUNTERS] = bindings->counter_count,
                              [SCH_EXEC_UNIT_GLOBAL] = UINT32_MAX,
                              [SCH_EXEC_UNIT_INPUT] = UINT32_MAX,
                              [SCH_EXEC_UNIT_COLOR] = 0};
    const uint32_t behind = bound[unit->kind] > unit->first ? bound[unit->kind] - unit->first : 0;
    return unit->first + (unit->count < behind ? unit->count : behind);
}

/* The memory of register `number`, which is bound, of a unit that is not a view. */
static struct memory memory_of(const struct sch_exec_bindings *bindings, const struct sch_exec_unit *unit,
                               uint32_t number)
{
    const struct memory none = {NULL, NULL};
    const struct sch_storage_buffer *buffer = NULL;
    const struct sch_constant_buffer *constants = NULL;
    switch (unit->kind) {
    case SCH_EXEC_UNIT_CONSTANTS:
        constants = &bindings->constants[number];
        break;
    case SCH_EXEC_UNIT_INPUT:
        constants = &bindings->input_memory;
        break;
    case SCH_EXEC_UNIT_BUFFER:
        buffer = &bindings->buffers[number];
        break;
    case SCH_EXEC_UNIT_COUNTERS:
        buffer = &bindings->counters[number];
        break;
    case SCH_EXEC_UNIT_GLOBAL:
        buffer = &bindings->global_memory;
        break;
    case SCH_EXEC_UNIT_IMAGE:
        if (bindings->images[number].texture) return level_of(bindings->images[number].texture, 0);
        break;
    default:
        break;
    }
    if (buffer) return bytes_at(buffer->data, buffer->bytes);
    return constants ? bytes_at(constants->data, constants->bytes) : none;
}

static void add_units(struct written *written, const struct sch_exec_program *program,
                      const struct sch_exec_bindings *bindings)
{
    uint32_t count;
    const struct sch_exec_unit *units = sch_exec_units(program, &count);
    for (uint32_t u = 0; u < count; u++)
        for (uint32_t n = units[u].first; units[u].writes && n < end_of(bindings, &units[u]); n++)
            add_stored(written, memory_of(bindings, &units[u], n));
}

static bool view_is_written(const struct written *written, const struct sch_exec_view *view)
{
    for (uint32_t level = 0; view->texture && level < view->texture->levels; level++) {
        const struct memory memory = level_of(view->texture, level);
        if (is_written(written, &memory)) return true;
    }
    return false;
}

/* Reads of memory that the program itself may write make its effects ordered already (pipeline/link.h); of what is left
 * constants and views are read only. */
static bool unit_is_written(const struct written *written, const struct sch_exec_bindings *bindings,
                            const struct sch_exec_unit *unit, uint32_t number)
{
    if (unit->kind == SCH_EXEC_UNIT_VIEW) return view_is_written(written, &bindings->views[number]);
    const struct memory memory = memory_of(bindings, unit, number);
    const bool only_read = unit->kind == SCH_EXEC_UNIT_CONSTANTS || unit->kind == SCH_EXEC_UNIT_INPUT;
    return only_read ? is_written(written, &memory) : is_target(written, &memory);
}

/* Whether the view's first level is a colour buffer, texel for texel, and no other memory that the draw writes. */
static bool is_color_buffer(const struct written *written, const struct sch_draw_framebuffer *framebuffer,
                            const struct sch_exec_view *view)
{
    const struct sch_texture_level *level = &view->texture->level[0];
    const struct memory memory = level_of(view->texture, 0);
    if (is_stored(written, &memory) || level->depth != 1 || view->texture->layers != 1) return false;
    if (view->texture->min_lod > 0 || framebuffer->samples != 1 || framebuffer->layers != 1) return false;
    for (unsigned i = 0; i <= SCH_COLOR_BUFFERS; i++) {
        const bool color = i < SCH_COLOR_BUFFERS;
        const struct sch_draw_target *target = color ? &framebuffer->colors[i] : &framebuffer->depth_stencil;
        const size_t slices = (size_t)target->layers * target->samples;
        const struct memory of_target = bytes_at(target->texels, target->texels ? slices * target->slice_bytes : 0);
        if (!overlap(&of_target, &memory)) continue;
        if (!color || target->texels != level->texels || target->row_bytes != level->row_bytes || slices != 1 ||
            target->texel_bytes != sch_texture_block_bytes(view->format))
            return false;
    }
    return true;
}

/* A fragment that reads nothing of the targets but its own pixel sees what was there before it in any order. */
static bool reads_own_pixel(const struct written *written, const struct sch_draw_pipeline *draw, unsigned stage,
                            const struct sch_exec_unit *unit, uint32_t number)
{
    if (stage != SCH_STAGE_FRAGMENT || unit->kind != SCH_EXEC_UNIT_VIEW) return false;
    const struct sch_exec_bindings *bindings = draw->bindings[stage];
    return is_color_buffer(written, draw->framebuffer, &bindings->views[number]) &&
           sch_fetches_own_pixel(draw->programs[stage], bindings, draw->framebuffer->height, number);
}

static bool units_are_written(const struct written *written, const struct sch_draw_pipeline *draw, unsigned stage)
{
    uint32_t count;
    const struct sch_exec_bindings *bindings = draw->bindings[stage];
    const struct sch_exec_unit *units = sch_exec_units(draw->programs[stage], &count);
    for (uint32_t u = 0; u < count; u++)
        for (uint32_t n = units[u].first; n < end_of(bindings, &units[u]); n++)
            if (unit_is_written(written, bindings, &units[u], n) &&
                !reads_own_pixel(written, draw, stage, &units[u], n))
                return true;
    return false;
}

/* A program with handles may read all that is bound. */
static bool any_is_written(const struct written *written, const struct sch_exec_bindings *bindings)
{
    for (uint32_t i = 0; i < bindings->view_count; i++)
        if (view_is_written(written, &bindings->views[i])) return true;
    for (uint32_t i = 0; i < bindings->image_count; i++) {
        const struct sch_texture *texture = bindings->images[i].texture;
        const struct memory memory = texture ? level_of(texture, 0) : bytes_at(NULL, 0);
        if (is_target(written, &memory)) return true;
    }
    return false;
}

static bool vertices_are_stored(const struct written *written, const struct sch_draw_pipeline *draw,
                                const struct sch_draw_memory *indices)
{
    const struct memory of_indices = bytes_at(indices->data, (size_t)indices->bytes);
    if (is_stored(written, &of_indices)) return true;
    for (uint32_t i = 0; i < draw->buffer_count; i++) {
        const struct memory memory = bytes_at(draw->buffers[i].data, (size_t)draw->buffers[i].bytes);
        if (is_stored(written, &memory)) return true;
    }
    return false;
}

bool sch_api_is_feedback(const struct sch_pipeline *pipeline, const struct sch_draw_pipeline *draw,
                         const struct sch_draw_memory *indices)
{
    struct written written;
    if (!pipeline->has_units && !pipeline->uses_handles) return false;
    begin_list(&written);
    if (pipeline->uses_handles && pipeline->link.effects != SCH_EFFECTS_NONE)
        return true; /* who knows what is stored */
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) add_target(&written, &draw->framebuffer->colors[i]);
    add_target(&written, &draw->framebuffer->depth_stencil);
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++)
        if (draw->programs[stage]) add_units(&written, draw->programs[stage], draw->bindings[stage]);
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++) {
        if (!draw->programs[stage]) continue;
        if (units_are_written(&written, draw, stage)) return true;
        if (pipeline->uses_handles && any_is_written(&written, draw->bindings[stage])) return true;
    }
    return vertices_are_stored(&written, draw, indices);
}

/* ---- stream output ---- */

static bool units_read(const struct written *written, const struct sch_exec_program *program,
                       const struct sch_exec_bindings *bindings)
{
    uint32_t count;
    const struct sch_exec_unit *units = sch_exec_units(program, &count);
    for (uint32_t u = 0; u < count; u++)
        for (uint32_t n = units[u].first; n < end_of(bindings, &units[u]); n++) {
            const struct memory memory =
                units[u].kind == SCH_EXEC_UNIT_VIEW ? (struct memory){NULL, NULL} : memory_of(bindings, &units[u], n);
            if (is_stored(written, &memory)) return true;
            if (units[u].kind == SCH_EXEC_UNIT_VIEW && view_is_written(written, &bindings->views[n])) return true;
        }
    return false;
}

bool sch_api_reads_streams(const struct sch_pipeline *pipeline, const struct sch_draw_pipeline *draw,
                           const struct sch_draw_memory *indices)
{
    struct written written;
    if (!draw->streams_out) return false;
    begin_list(&written);
    if (pipeline->uses_handles) return true;
    for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++) {
        const struct sch_draw_stream_target *target = &draw->stream_targets[b];
        const struct memory memory = bytes_at(target->data, (size_t)target->bytes);
        if (is_stored(&written, &memory)) return true;
        add_stored(&written, memory);
    }
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++)
        if (draw->programs[stage] && units_read(&written, draw->programs[stage], draw->bindings[stage])) return true;
    return vertices_are_stored(&written, draw, indices);
}
