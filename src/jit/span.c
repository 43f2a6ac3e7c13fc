/* Code that does what is around groups itself (struct sch_native_span_form): a loop over the groups of a span,
 * inputs from their planes, colours into the targets, as a source of work does for groups one by one (run/rectangle.c);
 * or what jit/fragments.c has of fragments (pipeline/fragments.c).
 * Planes are values of the group, in memory only for what the runtime reads. Holds no arithmetic: that is in
 * ops/raster/span.c. */
#include "jit/fragments.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct jit_span {
    LLVMValueRef span;
    LLVMValueRef column, across, row_step;                 /* see struct sch_group_span: x, groups, row_step */
    LLVMValueRef x, y, left, rows, first, first_row, done; /* variables: the place, what is left, machine->first */
    LLVMBasicBlockRef row, open, group; /* `open`: of fragments, before the blocks that a group stands for */
    LLVMBasicBlockRef test, begin, end; /* of a group: what comes before the program, its first steps, after it */
    struct jit_value lane, pixel_y;     /* numbers; floats of the row */
    LLVMValueRef pixels[SCH_NATIVE_RENDER_TARGETS], row_bytes[SCH_NATIVE_RENDER_TARGETS];
    LLVMValueRef line[SCH_NATIVE_RENDER_TARGETS]; /* of the row: where its upper pixels begin */
    struct jit_value steps[SCH_NATIVE_PLANES][6]; /* struct sch_group_plane as operands after x and y */
    /* If there are fragments: a variable, the present group's; what is the same; what it has of its primitive. */
    LLVMValueRef fragments, values, kept;
};

/* ---- small things ---- */

static LLVMBasicBlockRef new_block(struct jit_emitter *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->module->context, e->function, name);
}

static LLVMValueRef load(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef base, size_t offset)
{
    return LLVMBuildLoad2(e->build, type, jit_at(e, base, offset), "");
}

static LLVMValueRef variable(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef value)
{
    LLVMValueRef made = jit_variable(e, type, "");
    LLVMBuildStore(e->build, value, made);
    return made;
}

static void set(struct jit_emitter *e, LLVMValueRef variable, LLVMValueRef value)
{
    LLVMBuildStore(e->build, value, variable);
}

/* The variable's value, and one less or more. */
static LLVMValueRef step(struct jit_emitter *e, LLVMValueRef variable, LLVMTypeRef type, int by)
{
    LLVMValueRef next = LLVMBuildAdd(e->build, jit_get(e, variable, type), jit_number(type, (uint64_t)(int64_t)by), "");
    set(e, variable, next);
    return next;
}

static void splat(struct jit_emitter *e, LLVMValueRef word, struct jit_value *value)
{
    LLVMValueRef made = jit_splat(e, word);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = made;
}

static void number_lanes(struct jit_emitter *e, struct jit_value *value)
{
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef lanes[SCH_GROUP_LANES];
        for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, v * e->lanes + i);
        value->part[v] = LLVMConstVector(lanes, e->lanes);
    }
}

/* Pixels along an axis, as floats, or threads. */
static void place_lanes(struct jit_emitter *e, const char *operation, LLVMValueRef from, struct jit_value *value)
{
    struct jit_value begin;
    splat(e, from, &begin);
    jit_operate(e, operation, 0, 2, (const struct jit_value *const[]){&e->span->lane, &begin}, 1,
                (struct jit_value *const[]){value});
}

static bool has_fragments(const struct jit_emitter *e) { return e->request->span->has_fragments; }

static bool is_grid(const struct jit_emitter *e) { return e->program->stage == SCH_STAGE_COMPUTE; }

/* ---- before the first group ---- */

void jit_begin_span(struct jit_emitter *e)
{
    e->span = SCH_ARENA_NEW(&e->arena, struct jit_span);
    if (!e->span) return;
    e->span->span = LLVMGetParam(e->function, 1);
    if (has_fragments(e)) e->span->fragments = jit_variable(e, e->pointer, "fragments");
    e->span->row = new_block(e, "row");
    e->span->group = new_block(e, "group");
    e->span->open = has_fragments(e) ? new_block(e, "open") : e->span->group;
    e->span->begin = new_block(e, "begin");
    e->span->test = has_fragments(e) ? new_block(e, "test") : e->span->begin;
    if (has_fragments(e)) e->span->end = new_block(e, "end");
    e->start = LLVMCreateBuilderInContext(e->module->context);
    LLVMPositionBuilderAtEnd(e->start, e->span->begin);
}

LLVMValueRef jit_span_helpers(struct jit_emitter *e)
{
    if (!has_fragments(e)) return jit_word(e, 0);
    LLVMValueRef fragments = LLVMBuildLoad2(e->start, e->pointer, e->span->fragments, "");
    return LLVMBuildNot(e->start, jit_fragment_lanes(e, e->start, fragments), "");
}

static void load_planes(struct jit_emitter *e)
{
    const struct sch_native_span_form *form = e->request->span;
    if (has_fragments(e) || is_grid(e)) return;
    LLVMValueRef planes = load(e, e->pointer, e->group, offsetof(struct sch_group, planes));
    for (uint32_t p = 0; p < form->plane_count; p++) {
        size_t at = p * sizeof(struct sch_group_plane), word = sizeof(uint32_t);
        for (unsigned s = 0; s < 3; s++)
            splat(e, load(e, e->i32, planes, at + offsetof(struct sch_group_plane, value) + s * word),
                  &e->span->steps[p][s]);
        if (form->division[p] == SCH_PLANE_SCALED)
            splat(e, load(e, e->i32, planes, at + offsetof(struct sch_group_plane, scale)), &e->span->steps[p][3]);
        else
            for (unsigned s = 0; s < 3; s++)
                splat(e, load(e, e->i32, planes, at + offsetof(struct sch_group_plane, divisor) + s * word),
                      &e->span->steps[p][3 + s]);
    }
}

static void load_span(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    f->x = jit_variable(e, e->i32, "x");
    f->left = jit_variable(e, e->i32, "left");
    f->first = jit_variable(e, e->i64, "first");
    f->y = variable(e, e->i32, load(e, e->i32, f->span, offsetof(struct sch_group_span, y)));
    f->rows = variable(e, e->i32, load(e, e->i32, f->span, offsetof(struct sch_group_span, rows)));
    f->first_row = variable(e, e->i64, jit_field(e, e->i64, offsetof(struct sch_group, first)));
    f->done = variable(e, e->i64, jit_long(e, 0));
    f->column = load(e, e->i32, f->span, offsetof(struct sch_group_span, x));
    f->across = load(e, e->i32, f->span, offsetof(struct sch_group_span, groups));
    f->row_step = load(e, e->i64, f->span, offsetof(struct sch_group_span, row_step));
    if (has_fragments(e)) {
        set(e, f->fragments, load(e, e->pointer, f->span, offsetof(struct sch_group_span, fragments)));
        f->values = load(e, e->pointer, f->span, offsetof(struct sch_group_span, values));
        return;
    }
    LLVMValueRef render_targets = load(e, e->pointer, e->group, offsetof(struct sch_group, targets));
    for (uint32_t c = 0; c < e->request->span->render_target_count; c++) {
        size_t at = c * sizeof(struct sch_group_target);
        f->pixels[c] = load(e, e->pointer, render_targets, at + offsetof(struct sch_group_target, pixels));
        f->row_bytes[c] = load(e, e->i64, render_targets, at + offsetof(struct sch_group_target, row_bytes));
    }
}

static LLVMValueRef add_bytes(struct jit_emitter *e, LLVMValueRef base, LLVMValueRef bytes)
{
    return LLVMBuildGEP2(e->build, e->i8, base, &bytes, 1, "");
}

static void begin_row(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMPositionBuilderAtEnd(e->build, f->row);
    LLVMValueRef y = jit_get(e, f->y, e->i32), wide = LLVMBuildZExt(e->build, y, e->i64, "");
    set(e, f->x, f->column);
    set(e, f->left, f->across);
    set(e, f->first, jit_get(e, f->first_row, e->i64));
    if (!has_fragments(e) && !is_grid(e)) place_lanes(e, "pixel_row", y, &f->pixel_y);
    for (uint32_t c = 0; c < e->request->span->render_target_count; c++)
        f->line[c] = add_bytes(e, f->pixels[c], LLVMBuildMul(e->build, wide, f->row_bytes[c], ""));
    LLVMBuildBr(e->build, f->open);
}

static void open_group(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    if (!has_fragments(e)) return;
    LLVMPositionBuilderAtEnd(e->build, f->open);
    f->kept = jit_fragment_keep(e, jit_get(e, f->fragments, e->pointer));
    LLVMBuildBr(e->build, f->group);
}

/* A group with loops begins with no vector in a register. Otherwise LLVM keeps there, through the loops, what only the
 * next group wants (planes, constants of the end), and gives the loops' own registers places in memory (julia: 0.75 of
 * the pixels a second). */
static void empty_vectors(struct jit_emitter *e)
{
    char registers[32 * sizeof "~{xmm00},"];
    const unsigned count = strcmp(e->request->level, "w16v4") == 0 ? 32 : 16;
    int at = 0;
    for (unsigned i = 0; i < count; i++)
        at += snprintf(registers + at, sizeof registers - (size_t)at, "%s~{xmm%u}", i ? "," : "", i);
    LLVMTypeRef type = LLVMFunctionType(e->nothing, NULL, 0, false);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, registers, (size_t)at, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(e->build, type, nothing, NULL, 0, "");
}

/* What exec/group.h does when a group begins. Steps that an earlier one made are forgotten. */
static void begin_group(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMPositionBuilderAtEnd(e->build, f->test);
    if (e->flow->loops) empty_vectors(e);
    LLVMPositionBuilderAtEnd(e->build, f->group);
    jit_set_field(e, offsetof(struct sch_group, first), jit_get(e, f->first, e->i64));
    jit_set_field(e, offsetof(struct sch_group, executed_before), jit_get(e, e->executed_variable, e->i64));
    if (!e->plan.watches) { /* the span is short */
        LLVMBuildBr(e->build, f->test);
        return;
    }
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64);
    LLVMValueRef stop_at = jit_field(e, e->i64, offsetof(struct sch_group, stop_at));
    LLVMValueRef go_on = LLVMBuildICmp(e->build, LLVMIntULT, executed, stop_at, "");
    if (e->plan.spends) {
        LLVMValueRef settled = jit_field(e, e->i8, offsetof(struct sch_group, settled));
        LLVMValueRef none = LLVMBuildICmp(e->build, LLVMIntEQ, settled, LLVMConstNull(e->i8), "");
        go_on = LLVMBuildAnd(e->build, go_on, none, "");
    }
    LLVMBasicBlockRef renew = new_block(e, "renew");
    jit_expect(e, LLVMBuildCondBr(e->build, go_on, f->test, renew));

    LLVMPositionBuilderAtEnd(e->build, renew);
    jit_set_field(e, offsetof(struct sch_group, executed), executed);
    LLVMValueRef renewed = jit_call_runtime(e, offsetof(struct sch_group_runtime, renew), e->i1, 1, &e->group);
    LLVMBuildCondBr(e->build, renewed, f->test, e->fail);
}

static void make_plane(struct jit_emitter *e, uint32_t p, const struct jit_value *x)
{
    const uint8_t division = e->request->span->division[p];
    const struct jit_value *s = e->span->steps[p];
    const struct jit_value *const operands[8] = {x, &e->span->pixel_y, s, s + 1, s + 2, s + 3, s + 4, s + 5};
    if (division == SCH_PLANE_WORK_GROUP)
        splat(e, jit_get(e, e->span->y, e->i32), &e->planes[p]);
    else if (division == SCH_PLANE_THREAD)
        e->planes[p] = *x;
    else if (division == SCH_PLANE_SCALED)
        jit_operate(e, "plane_scaled", 0, 6, operands, 1, (struct jit_value *const[]){&e->planes[p]});
    else
        jit_operate(e, "plane_divided", 0, 8, operands, 1, (struct jit_value *const[]){&e->planes[p]});
}

static void make_planes(struct jit_emitter *e)
{
    const struct sch_native_span_form *form = e->request->span;
    struct jit_span *f = e->span;
    struct jit_value x;
    LLVMPositionBuilderAtEnd(e->build, f->test);
    if (has_fragments(e)) {
        jit_fragment_begin(e, f->values, jit_get(e, f->fragments, e->pointer), f->kept, f->begin, f->end);
        return;
    }
    place_lanes(e, is_grid(e) ? "thread_number" : "pixel_column", jit_get(e, f->x, e->i32), &x);
    for (uint32_t p = 0; p < form->plane_count; p++) {
        make_plane(e, p, &x);
        if (e->compact) jit_put(e, &e->planes[p], jit_at(e, e->state, form->channel[p] * sizeof(struct sch_lanes)));
    }
}

void jit_open_span(struct jit_emitter *e)
{
    LLVMPositionBuilderAtEnd(e->build, LLVMGetInsertBlock(e->entry));
    number_lanes(e, &e->span->lane);
    load_span(e);
    load_planes(e);
    begin_row(e);
    open_group(e);
    begin_group(e);
    make_planes(e);
}

/* ---- colours ---- */

/* Lanes of two vectors of quads that are in a row of pixels: the upper, the lower; and back to the lanes of one. */
static LLVMValueRef take_row(struct jit_emitter *e, const LLVMValueRef pair[2], unsigned lower)
{
    LLVMValueRef lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, i / 2 * 4 + (i & 1) + 2 * lower);
    return LLVMBuildShuffleVector(e->build, pair[0], pair[1], LLVMConstVector(lanes, e->lanes), "");
}

static LLVMValueRef take_quads(struct jit_emitter *e, const LLVMValueRef rows[2], unsigned vector)
{
    LLVMValueRef lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) {
        unsigned column = vector * e->lanes / 2 + i / 4 * 2 + (i & 1), lower = i >> 1 & 1;
        lanes[i] = jit_word(e, column + lower * e->lanes);
    }
    return LLVMBuildShuffleVector(e->build, rows[0], rows[1], LLVMConstVector(lanes, e->lanes), "");
}

/* OUT's channel as it is at the end; what is never written is zero. */
static LLVMValueRef output(struct jit_emitter *e, uint32_t number, unsigned c, unsigned v)
{
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    if (number >= file->count || !file->stored) return LLVMConstNull(e->vector);
    LLVMValueRef made = jit_variable_of(e, file->base + 4 * number + c, v);
    return made ? jit_get(e, made, e->vector) : LLVMConstNull(e->vector);
}

static void pack(struct jit_emitter *e, uint32_t number, struct jit_value *packed)
{
    struct jit_value rgba[4];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned v = 0; v < e->vectors; v++) rgba[c].part[v] = output(e, number, c, v);
    jit_operate(e, "color_unorm8", 0, 4, (const struct jit_value *const[]){&rgba[0], &rgba[1], &rgba[2], &rgba[3]}, 1,
                (struct jit_value *const[]){packed});
}

/* The pixels of a pair of vectors; `helpers`: lanes whose pixels stay, NULL: none. The pixels are the group's own. */
static void store_pair(struct jit_emitter *e, unsigned v, const struct jit_value *packed, LLVMValueRef helpers,
                       const LLVMValueRef place[2])
{
    LLVMValueRef to[2], pair[2] = {packed->part[v], packed->part[v + 1]}, old[2];
    for (unsigned row = 0; row < 2; row++) to[row] = jit_at(e, place[row], (uint64_t)v / 2 * e->lanes * 4);
    for (unsigned row = 0; row < 2 && helpers; row++) {
        old[row] = LLVMBuildLoad2(e->build, e->vector, to[row], "");
        LLVMSetAlignment(old[row], 1);
    }
    for (unsigned i = 0; i < 2 && helpers; i++)
        pair[i] = LLVMBuildSelect(e->build, jit_vector_bits(e, helpers, v + i), take_quads(e, old, i), pair[i], "");
    for (unsigned row = 0; row < 2; row++)
        LLVMSetAlignment(LLVMBuildStore(e->build, take_row(e, pair, row), to[row]), 1);
}

static void store_render_targets(struct jit_emitter *e, const struct jit_value packed[], LLVMValueRef helpers)
{
    LLVMValueRef x = jit_get(e, e->span->x, e->i32);
    LLVMValueRef bytes = LLVMBuildShl(e->build, LLVMBuildZExt(e->build, x, e->i64, ""), jit_long(e, 2), "");
    for (uint32_t c = 0; c < e->request->span->render_target_count; c++) {
        LLVMValueRef upper = add_bytes(e, e->span->line[c], bytes);
        const LLVMValueRef place[2] = {upper, add_bytes(e, upper, e->span->row_bytes[c])};
        for (unsigned v = 0; v < e->vectors; v += 2) store_pair(e, v, &packed[c], helpers, place);
    }
}

static void store_colors(struct jit_emitter *e)
{
    struct jit_value packed[SCH_NATIVE_RENDER_TARGETS];
    for (uint32_t c = 0; c < e->request->span->render_target_count; c++)
        pack(e, e->request->span->output[c], &packed[c]);
    LLVMValueRef helpers = jit_get(e, e->helpers_variable, e->i32);
    LLVMBasicBlockRef all = new_block(e, "all"), some = new_block(e, "some"), stored = new_block(e, "stored");
    LLVMValueRef none = LLVMBuildICmp(e->build, LLVMIntEQ, helpers, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, none, all, some);
    LLVMPositionBuilderAtEnd(e->build, all);
    store_render_targets(e, packed, NULL);
    LLVMBuildBr(e->build, stored);
    LLVMPositionBuilderAtEnd(e->build, some);
    store_render_targets(e, packed, helpers);
    LLVMBuildBr(e->build, stored);
    LLVMPositionBuilderAtEnd(e->build, stored);
}

/* ---- after a group ---- */

/* One that stands for several blocks begins again. */
static void end_fragments(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMBasicBlockRef done = new_block(e, "done");
    jit_fragment_end(e, f->values, jit_get(e, f->fragments, e->pointer), output);
    LLVMBuildBr(e->build, f->end);
    LLVMPositionBuilderAtEnd(e->build, f->end);
    jit_fragment_advance(e, f->values, jit_get(e, f->fragments, e->pointer), f->kept, f->group, done);
    LLVMPositionBuilderAtEnd(e->build, done);
}

void jit_close_span(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMBasicBlockRef more = new_block(e, "more"), last = new_block(e, "last"), exit = new_block(e, "exit");
    if (has_fragments(e))
        end_fragments(e);
    else
        store_colors(e);
    step(e, f->done, e->i64, 1);
    LLVMValueRef left = step(e, f->left, e->i32, -1);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntNE, left, jit_word(e, 0), ""), more, last);

    LLVMPositionBuilderAtEnd(e->build, more);
    step(e, f->x, e->i32, is_grid(e) ? SCH_GROUP_LANES : SCH_GROUP_LANES / 2);
    if (has_fragments(e)) {
        LLVMValueRef group = jit_get(e, f->fragments, e->pointer);
        set(e, f->fragments, jit_at(e, group, sizeof(struct sch_tile_group)));
    }
    step(e, f->first, e->i64, SCH_GROUP_LANES);
    LLVMBuildBr(e->build, f->open);

    LLVMPositionBuilderAtEnd(e->build, last);
    step(e, f->y, e->i32, is_grid(e) ? 1 : 2);
    set(e, f->first_row, LLVMBuildAdd(e->build, jit_get(e, f->first_row, e->i64), f->row_step, ""));
    LLVMValueRef rows = step(e, f->rows, e->i32, -1);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntNE, rows, jit_word(e, 0), ""), f->row, exit);
    LLVMPositionBuilderAtEnd(e->build, exit);
}

void jit_fail_span(struct jit_emitter *e)
{
    LLVMBuildStore(e->build, jit_get(e, e->span->done, e->i64),
                   jit_at(e, e->span->span, offsetof(struct sch_group_span, done)));
}

/* Ends the blocks that other builders write to: everything is emitted. */
void jit_end_span(struct jit_emitter *e)
{
    LLVMBuildBr(e->entry, e->span->row);
    LLVMBuildBr(e->start, e->blocks[0]);
    LLVMDisposeBuilder(e->start);
}
