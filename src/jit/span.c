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
    /* If there are BARRIERs: variables. The present group, and the one that counted before it; where the groups of the
     * round continue, and where those that it has had do after it; whether these differ. */
    LLVMValueRef machine, before, place, met, parted;
    LLVMBasicBlockRef round, again, meet; /* a round begins; a group continues in it; a group waits, or has ended */
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

/* ---- rounds ---- */

/* With BARRIERs code runs the groups of a work group in rounds: each up to the next BARRIER, as run_with_barriers of
 * run/groups.c does. Each has a struct sch_group, and there what lives from one round to the next. */

static LLVMValueRef first_group(const struct jit_emitter *e) { return LLVMGetParam(e->function, 0); }

static void copy_field(struct jit_emitter *e, LLVMValueRef to, LLVMValueRef from, size_t member)
{
    LLVMBuildStore(e->build, load(e, e->i64, from, member), jit_at(e, to, member));
}

/* The group whose turn it is: from then on the emitter's. */
static void open_rounds(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMBuilderRef build = e->build;
    f->machine = jit_variable(e, e->pointer, "machine");
    f->before = jit_variable(e, e->pointer, "before");
    f->place = jit_variable(e, e->i32, "place");
    f->met = jit_variable(e, e->i32, "met");
    f->parted = jit_variable(e, e->i32, "parted");
    f->round = new_block(e, "round");
    f->again = new_block(e, "again");
    f->meet = new_block(e, "meet");
    e->build = LLVMCreateBuilderInContext(e->module->context);
    LLVMPositionBuilderAtEnd(e->build, f->group);
    e->group = jit_get(e, f->machine, e->pointer);
    e->state =
        load(e, e->pointer, e->group, offsetof(struct sch_group, space) + SCH_SPACE_STATE * sizeof(struct sch_lanes *));
    copy_field(e, e->group, jit_get(e, f->before, e->pointer), offsetof(struct sch_group, stop_at));
    LLVMDisposeBuilder(e->build);
    e->build = build;
}

/* At the beginning of a row: its work group's shared memory is cleared. */
static void begin_work_group(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMValueRef group = first_group(e);
    LLVMBasicBlockRef begun = new_block(e, "");
    copy_field(e, group, jit_get(e, f->machine, e->pointer), offsetof(struct sch_group, stop_at));
    set(e, f->machine, group);
    LLVMBuildStore(e->build, jit_get(e, e->executed_variable, e->i64),
                   jit_at(e, group, offsetof(struct sch_group, executed)));
    LLVMValueRef good = jit_call_runtime(e, offsetof(struct sch_group_runtime, begin_work_group), e->i1, 1, &group);
    set(e, f->left, f->across);
    LLVMBuildCondBr(e->build, good, begun, e->fail);
    LLVMPositionBuilderAtEnd(e->build, begun);
    set(e, f->place, jit_word(e, 0));
    LLVMBuildBr(e->build, f->round);
    LLVMPositionBuilderAtEnd(e->build, f->round);
    set(e, f->before, jit_get(e, f->machine, e->pointer));
    set(e, f->machine, group);
    set(e, f->met, jit_word(e, 0));
    set(e, f->parted, jit_word(e, 0));
}

/* The group was interrupted by others, whose instructions were counted in the same row. Continues at its place. */
static void continue_group(struct jit_emitter *e)
{
    const size_t executed = offsetof(struct sch_group, executed);
    LLVMPositionBuilderAtEnd(e->build, e->span->again);
    LLVMValueRef others =
        LLVMBuildSub(e->build, jit_get(e, e->executed_variable, e->i64), jit_field(e, e->i64, executed), "");
    const size_t moved[] = {offsetof(struct sch_group, executed_before), offsetof(struct sch_group, budget_end)};
    for (unsigned m = 0; m < (e->plan.spends ? 2 : 1); m++)
        jit_set_field(e, moved[m], LLVMBuildAdd(e->build, jit_field(e, e->i64, moved[m]), others, ""));
    set(e, e->resume_variable, jit_get(e, e->span->place, e->i32));
    jit_take_limit(e);
    LLVMBuildBr(e->build, e->resume);
}

/* A group waits at the place e->resume_variable, or has ended. After the last one the next round begins where all wait;
 * goes to `ended` where all have ended. */
static void end_turn(struct jit_emitter *e, LLVMBasicBlockRef ended)
{
    struct jit_span *f = e->span;
    LLVMBasicBlockRef next = new_block(e, "next"), all = new_block(e, "all"), agree = new_block(e, "agree"),
                      differ = new_block(e, "differ");
    LLVMPositionBuilderAtEnd(e->build, f->meet);
    LLVMValueRef place = jit_get(e, e->resume_variable, e->i32), met = jit_get(e, f->met, e->i32);
    jit_set_field(e, offsetof(struct sch_group, at), place);
    jit_set_field(e, offsetof(struct sch_group, executed), jit_get(e, e->executed_variable, e->i64));
    LLVMValueRef left = jit_get(e, f->left, e->i32);
    LLVMValueRef first = LLVMBuildICmp(e->build, LLVMIntEQ, left, f->across, "");
    met = LLVMBuildSelect(e->build, first, place, met, "");
    set(e, f->met, met);
    LLVMValueRef parted =
        LLVMBuildOr(e->build, jit_get(e, f->parted, e->i32), LLVMBuildXor(e->build, met, place, ""), "");
    set(e, f->parted, parted);
    left = step(e, f->left, e->i32, -1);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntNE, left, jit_word(e, 0), ""), next, all);

    LLVMPositionBuilderAtEnd(e->build, next);
    step(e, f->x, e->i32, SCH_GROUP_LANES);
    step(e, f->first, e->i64, SCH_GROUP_LANES);
    set(e, f->before, e->group);
    LLVMValueRef bytes = load(e, e->i64, f->span, offsetof(struct sch_group_span, group_bytes));
    set(e, f->machine, LLVMBuildGEP2(e->build, e->i8, e->group, &bytes, 1, ""));
    LLVMBuildBr(e->build, f->group);

    LLVMPositionBuilderAtEnd(e->build, all);
    set(e, f->place, met);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntEQ, parted, jit_word(e, 0), ""), agree, differ);

    LLVMPositionBuilderAtEnd(e->build, agree);
    LLVMValueRef end = LLVMBuildICmp(e->build, LLVMIntEQ, met, jit_word(e, SCH_GROUP_ENDED), "");
    LLVMBuildCondBr(e->build, end, ended, f->round);

    LLVMPositionBuilderAtEnd(e->build, differ);
    LLVMBuildStore(e->build, jit_number(e->i8, 1), jit_at(e, f->span, offsetof(struct sch_group_span, parted)));
    set(e, f->left, f->across);
    LLVMBuildBr(e->build, e->fail);
}

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
    e->span->test = has_fragments(e) || jit_has_rounds(e) ? new_block(e, "test") : e->span->begin;
    if (jit_has_rounds(e)) open_rounds(e);
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
    f->first_row = variable(e, e->i64, load(e, e->i64, first_group(e), offsetof(struct sch_group, first)));
    f->done = variable(e, e->i64, jit_long(e, 0));
    if (jit_has_rounds(e)) set(e, f->machine, first_group(e));
    f->column = load(e, e->i32, f->span, offsetof(struct sch_group_span, x));
    f->across = load(e, e->i32, f->span, offsetof(struct sch_group_span, groups));
    f->row_step = load(e, e->i64, f->span, offsetof(struct sch_group_span, row_step));
    if (has_fragments(e)) {
        set(e, f->fragments, load(e, e->pointer, f->span, offsetof(struct sch_group_span, fragments)));
        f->values = load(e, e->pointer, f->span, offsetof(struct sch_group_span, values));
        return;
    }
    LLVMValueRef render_targets = load(e, e->pointer, first_group(e), offsetof(struct sch_group, targets));
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

/* 64 bits and 32. */
static LLVMValueRef add_long(struct jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAdd(e->build, a, LLVMBuildZExt(e->build, b, e->i64, ""), "");
}

static void begin_row(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMPositionBuilderAtEnd(e->build, f->row);
    if (jit_has_rounds(e)) begin_work_group(e);
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
    LLVMBasicBlockRef from = jit_has_rounds(e) ? f->test : f->group, to = jit_has_rounds(e) ? f->begin : f->test;
    LLVMPositionBuilderAtEnd(e->build, f->test);
    if (e->flow->loops && !jit_has_rounds(e)) empty_vectors(e);
    LLVMPositionBuilderAtEnd(e->build, from);
    jit_set_field(e, offsetof(struct sch_group, first), jit_get(e, f->first, e->i64));
    jit_set_field(e, offsetof(struct sch_group, executed_before), jit_get(e, e->executed_variable, e->i64));
    if (!e->plan.watches) { /* the span is short */
        LLVMBuildBr(e->build, to);
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
    jit_expect(e, LLVMBuildCondBr(e->build, go_on, to, renew));

    LLVMPositionBuilderAtEnd(e->build, renew);
    jit_set_field(e, offsetof(struct sch_group, executed), executed);
    LLVMValueRef renewed = jit_call_runtime(e, offsetof(struct sch_group_runtime, renew), e->i1, 1, &e->group);
    LLVMBuildCondBr(e->build, renewed, to, e->fail);
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
    LLVMPositionBuilderAtEnd(e->build, jit_has_rounds(e) ? f->group : f->test);
    if (has_fragments(e)) {
        jit_fragment_begin(e, f->values, jit_get(e, f->fragments, e->pointer), f->kept, f->begin, f->end);
        return;
    }
    place_lanes(e, is_grid(e) ? "thread_number" : "pixel_column", jit_get(e, f->x, e->i32), &x);
    for (uint32_t p = 0; p < form->plane_count; p++) {
        make_plane(e, p, &x);
        if (e->compact) jit_put(e, &e->planes[p], jit_at(e, e->state, form->channel[p] * sizeof(struct sch_lanes)));
    }
    if (!jit_has_rounds(e)) return;
    LLVMValueRef begins = LLVMBuildICmp(e->build, LLVMIntEQ, jit_get(e, f->place, e->i32), jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, begins, f->test, f->again);
    continue_group(e);
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
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    const bool clamps = !jit_is_from_0_to_1(e, file->base + 4 * number);
    jit_operate(e, clamps ? "color_unorm8" : "color_unorm8_from_0_to_1", 0, 4,
                (const struct jit_value *const[]){&rgba[0], &rgba[1], &rgba[2], &rgba[3]}, 1,
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

static void store_done(struct jit_emitter *e, LLVMValueRef done)
{
    LLVMBuildStore(e->build, done, jit_at(e, e->span->span, offsetof(struct sch_group_span, done)));
}

static void end_row(struct jit_emitter *e, LLVMBasicBlockRef last, LLVMBasicBlockRef exit)
{
    struct jit_span *f = e->span;
    LLVMPositionBuilderAtEnd(e->build, last);
    if (jit_has_rounds(e)) set(e, f->done, add_long(e, jit_get(e, f->done, e->i64), f->across));
    step(e, f->y, e->i32, is_grid(e) ? 1 : 2);
    set(e, f->first_row, LLVMBuildAdd(e->build, jit_get(e, f->first_row, e->i64), f->row_step, ""));
    LLVMValueRef rows = step(e, f->rows, e->i32, -1);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntNE, rows, jit_word(e, 0), ""), f->row, exit);
    LLVMPositionBuilderAtEnd(e->build, exit);
    if (jit_has_rounds(e)) store_done(e, jit_get(e, f->done, e->i64));
}

void jit_close_span(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMBasicBlockRef more = jit_has_rounds(e) ? NULL : new_block(e, "more");
    LLVMBasicBlockRef last = new_block(e, "last"), exit = new_block(e, "exit");
    if (jit_has_rounds(e)) {
        set(e, e->resume_variable, jit_word(e, SCH_GROUP_ENDED));
        LLVMBuildBr(e->build, f->meet);
        end_turn(e, last);
        end_row(e, last, exit);
        return;
    }
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

    end_row(e, last, exit);
}

void jit_fail_span(struct jit_emitter *e)
{
    struct jit_span *f = e->span;
    LLVMValueRef done = jit_get(e, f->done, e->i64);
    if (jit_has_rounds(e)) done = add_long(e, done, LLVMBuildSub(e->build, f->across, jit_get(e, f->left, e->i32), ""));
    store_done(e, done);
}

LLVMValueRef jit_span_group(struct jit_emitter *e) { return jit_get(e, e->span->machine, e->pointer); }

void jit_meet_in_span(struct jit_emitter *e) { LLVMBuildBr(e->build, e->span->meet); }

/* Ends the blocks that other builders write to: everything is emitted. */
void jit_end_span(struct jit_emitter *e)
{
    LLVMBuildBr(e->entry, e->span->row);
    LLVMBuildBr(e->start, e->blocks[0]);
    LLVMDisposeBuilder(e->start);
}
