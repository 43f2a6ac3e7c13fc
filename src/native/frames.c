/* What stands around the groups of a rectangle as machine code takes it: which channels are planes, and where colours
 * go. Holds no walk over pixels (run/rectangle.c) and no code (jit/frame.c). */
#include "exec/job.h"
#include "native/internal.h"

/* Code has these registers as values, which no operand may choose by number. */
static bool has_value_form(unsigned file)
{
    return file == SCH_FILE_INPUT || file == SCH_FILE_SYSTEM_VALUE || file == SCH_FILE_OUTPUT;
}

bool sch_native_can_frame(const struct sch_exec_program *program)
{
    if (program->memory.barriers) return false;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const struct sch_exec_instruction *in = &program->instructions[n];
        if (sch_op_info(in->opcode)->shape == SCH_SHAPE_INTERPOLATE) return false; /* reads IN by number */
        for (unsigned s = 0; s < in->src_count; s++)
            if (sch_exec_is_indexed(in->src[s].access) && has_value_form(in->src[s].file)) return false;
        for (unsigned d = 0; d < in->dst_count; d++)
            if (sch_exec_is_indexed(in->dst[d].access) && has_value_form(in->dst[d].file)) return false;
    }
    /* Whoever keeps them in memory has them cleared for every group. */
    return !program->files[SCH_FILE_TEMPORARY].cleared && !program->files[SCH_FILE_ADDRESS].cleared;
}

/* Sorted by channel, so that rectangles of one kind have one form. */
bool sch_native_make_frame(const struct sch_exec_area *area, struct sch_native_frame *frame,
                           struct sch_group_plane planes[SCH_NATIVE_PLANES])
{
    const struct sch_rectangle *given = area->given;
    *frame =
        (struct sch_native_frame){.plane_count = area->plane_count, .render_target_count = given->render_target_count};
    if (frame->plane_count > SCH_NATIVE_PLANES || frame->render_target_count > SCH_NATIVE_RENDER_TARGETS) return false;
    for (uint32_t p = 0; p < frame->plane_count; p++) {
        uint32_t at = p;
        for (; at > 0 && frame->channel[at - 1] > area->planes[p].channel; at--) {
            frame->channel[at] = frame->channel[at - 1];
            planes[at] = planes[at - 1];
        }
        frame->channel[at] = area->planes[p].channel;
        planes[at] = area->planes[p].plane;
    }
    for (uint32_t p = 0; p < frame->plane_count; p++) frame->division[p] = planes[p].division;
    for (uint32_t c = 0; c < frame->render_target_count; c++) frame->output[c] = given->render_targets[c].output;
    return true;
}

static enum sch_status frame_in(const struct sch_exec_program *program, const struct sch_rectangle *rectangle,
                                const struct sch_exec_bindings *bindings, struct sch_arena *arena,
                                struct sch_native_frame *frame)
{
    struct sch_exec_area area;
    struct sch_native_slots slots = {0};
    struct sch_group_plane *planes = SCH_ARENA_ARRAY(arena, struct sch_group_plane, SCH_NATIVE_PLANES);
    enum sch_status status = planes ? sch_exec_make_area(program, rectangle, arena, &area) : SCH_STATUS_MEMORY;
    if (status == SCH_STATUS_OK) status = sch_native_fill_slots(program, bindings, true, arena, &slots);
    if (status != SCH_STATUS_OK) return status;
    if (!area.spans || !sch_native_can_frame(program)) return SCH_STATUS_UNSUPPORTED;
    if (!sch_native_make_frame(&area, frame, planes)) return SCH_STATUS_UNSUPPORTED;
    sch_native_know_lookups(program, &slots, &frame->known);
    return SCH_STATUS_OK;
}

enum sch_status sch_native_frame_of(const struct sch_exec_program *program, const struct sch_rectangle *rectangle,
                                    const struct sch_exec_bindings *bindings, struct sch_native_frame *frame)
{
    struct sch_arena arena;
    sch_arena_init(&arena, &program->arena.allocator, program->limits.memory);
    enum sch_status status = frame_in(program, rectangle, bindings, &arena, frame);
    sch_arena_release(&arena);
    return status;
}
