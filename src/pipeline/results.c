/* From registers to words: see results.h. */
#include "pipeline/results.h"

#include "exec/group.h"

static const uint32_t missing[4] = {0, 0, 0, 0x3f800000}; /* (0, 0, 0, 1) */

/* Colours are clamped before anything reads them, stream output too (OpenGL 4.6 13.3: "fed back after vertex color
 * clamping"). */
static void mark_colors(struct sch_results *results, const struct sch_prepared_interface *interface)
{
    for (uint32_t n = 0; n < results->copy_count; n++) {
        const uint32_t output = results->copies[n].output;
        if (output == SCH_LINK_NO_REGISTER) continue;
        const unsigned semantic = interface->outputs[output].semantic;
        if (semantic == SCH_SEMANTIC_COLOR || semantic == SCH_SEMANTIC_BCOLOR)
            results->clamped[n / 64] |= UINT64_C(1) << n % 64;
    }
}

/* A vector of lanes is stored with four words at a time. A copy may have them all if none before it has written one, as
 * those after it write theirs later. */
static void mark_whole(struct sch_results *results, uint32_t words)
{
    uint32_t end = 0; /* of what is written so far */
    for (uint32_t n = 0; n < results->copy_count; n++) {
        const struct sch_link_copy *copy = &results->copies[n];
        const uint32_t here = copy->word + 32u - (uint32_t)__builtin_clz(copy->mask);
        if (end <= copy->word && copy->word + 4u <= words) results->whole[n / 64] |= UINT64_C(1) << n % 64;
        if (end < here) end = here;
    }
}

void sch_results_init(struct sch_results *results, const struct sch_draw_pipeline *draw, enum sch_stage stage)
{
    const struct sch_link *link = draw->link;
    *results = (struct sch_results){.copies = link->copies, .copy_count = link->copy_count};
    for (uint32_t n = 0; n < link->hop_count; n++) {
        if (link->hops[n].from->stage != stage) continue;
        results->layout = &link->hops[n].layout;
        results->copies = link->hops[n].copies;
        results->copy_count = link->hops[n].copy_count;
    }
    if (!results->layout && draw->rasterizer->clamp_vertex_color) mark_colors(results, &link->last->interface);
    mark_whole(results, results->layout ? results->layout->words : link->layout.words);
}

void sch_results_of_stream(struct sch_results *results, const struct sch_draw_pipeline *draw, unsigned number)
{
    const struct sch_link_stream *stream = &draw->link->streams[number];
    *results = (struct sch_results){.copies = stream->copies, .copy_count = stream->copy_count};
    if (draw->rasterizer->clamp_vertex_color) mark_colors(results, &draw->link->last->interface);
    mark_whole(results, stream->words);
}

static bool is_marked(const uint64_t marks[], uint32_t number) { return marks[number / 64] >> number % 64 & 1; }

/* ---- groups ---- */

/* Channels of all lanes to the same words of their vertices. */
static void store_channels(const struct sch_exec_machine *machine, const struct sch_lanes *const from[4], unsigned mask,
                           uint32_t *to, uint32_t words)
{
    const uint32_t lanes = sch_exec_lane_count(machine);
    if (mask == 15) {
        machine->ops->store_vertices(to, words, from, lanes);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        for (uint32_t i = 0; mask >> c & 1 && i < lanes; i++) to[(size_t)i * words + c] = from[c]->u[i];
}

/* The channels that a copy writes become what they are clamped to. */
static void clamp_channels(const struct sch_exec_machine *machine, const struct sch_lanes *from[4], unsigned mask,
                           struct sch_lanes clamped[4])
{
    for (unsigned c = 0; c < 4; c++) {
        struct sch_lanes *result = &clamped[c];
        if (!(mask >> c & 1)) continue;
        machine->ops->modify[SCH_MODIFY_SATURATE_F32](0, &result, &from[c]);
        from[c] = result;
    }
}

static void store_copy(const struct sch_results *results, const struct sch_exec_machine *machine, uint32_t number,
                       uint32_t words, uint32_t *vertices)
{
    static const struct sch_lanes zero;
    static const struct sch_lanes one = {.u = {[0 ... SCH_GROUP_LANES - 1] = 0x3f800000}};
    const struct sch_link_copy *copy = &results->copies[number];
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *from[4] = {&zero, &zero, &zero, &one};
    struct sch_lanes clamped[4];
    if (copy->output < file->count) {
        const struct sch_lanes *output = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * (size_t)copy->output;
        for (unsigned c = 0; c < 4; c++) from[c] = output + c;
    }
    if (is_marked(results->clamped, number)) clamp_channels(machine, from, copy->mask, clamped);
    store_channels(machine, from, is_marked(results->whole, number) ? 15 : copy->mask, vertices + copy->word, words);
}

void sch_results_store(const struct sch_results *results, const struct sch_exec_machine *machine, uint32_t words,
                       uint32_t *to)
{
    for (uint32_t n = 0; n < results->copy_count; n++) store_copy(results, machine, n, words, to);
}

/* ---- single lanes ---- */

/* As SATURATE_F32 of src/ops: the colours of one vertex as of a group's. */
static uint32_t clamp_word(const struct sch_exec_machine *machine, uint32_t word)
{
    struct sch_lanes lanes, *to = &lanes;
    const struct sch_lanes *from = &lanes;
    machine->ops->splat(&lanes, word);
    machine->ops->modify[SCH_MODIFY_SATURATE_F32](0, &to, &from);
    return lanes.u[0];
}

void sch_results_store_lane(const struct sch_results *results, const struct sch_exec_machine *machine, unsigned lane,
                            uint32_t *to)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *outputs = machine->group.space[SCH_SPACE_STATE] + file->base;
    for (uint32_t n = 0; n < results->copy_count; n++) {
        const struct sch_link_copy *copy = &results->copies[n];
        const bool clamp = is_marked(results->clamped, n);
        for (unsigned c = 0; c < 4; c++) {
            if (!(copy->mask >> c & 1)) continue;
            uint32_t word = missing[c];
            if (copy->output < file->count) word = outputs[4 * (size_t)copy->output + c].u[lane];
            to[copy->word + c] = clamp ? clamp_word(machine, word) : word;
        }
    }
}
