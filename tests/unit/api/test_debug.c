/* Debugging sessions through the public API: where they stop, what registers hold there, and that every moment is the
 * same however one comes to it. What programs compute is worked out by hand, or is what the same dispatch gives without
 * a session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../support/api_program.h"
#include "../support/draw_support.h"
#include "debug_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- sessions ---- */

struct session {
    struct sch_context *context;
    struct sch_program *program;
    struct sch_bindings bindings;
    struct sch_invocations work;
    uint32_t grid[3], block[3];
    bool is_grid;
    unsigned runs;
    struct sch_debug_options options;
    struct sch_debug *debug;
};

static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    struct session *s = user;
    s->runs++;
    if (s->is_grid) return sch_dispatch_grid(s->program, &s->bindings, s->grid, s->block, options, NULL);
    return sch_dispatch(s->program, &s->bindings, &s->work, options, NULL);
}

/* `count` invocations of a text. */
static void prepare(struct session *s, const char *text, uint32_t count)
{
    memset(s, 0, sizeof *s);
    s->context = api_context();
    s->program = api_default_program(s->context, text);
    s->bindings.size = sizeof s->bindings;
    s->work = (struct sch_invocations){.size = sizeof s->work, .count = count};
    s->options = (struct sch_debug_options){.size = sizeof s->options, .run = run, .user = s};
}

static void open(struct session *s) { assert_int_equal(sch_debug_create(s->context, &s->options, &s->debug), SCH_OK); }

static void end(struct session *s)
{
    sch_debug_destroy(s->debug);
    sch_program_destroy(s->program);
    sch_context_destroy(s->context);
}

/* ---- steps ---- */

/* Invocation i adds 1 + 2 + ... + IN[0].x in a loop; even ones double the sum. */
static const char sums[] = "FRAG\n"                                 /* line 1 */
                           "DCL IN[0], GENERIC[0], CONSTANT\n"      /* 2 */
                           "DCL OUT[0], COLOR\n"                    /* 3 */
                           "DCL TEMP[0..1]\n"                       /* 4 */
                           "IMM[0] UINT32 {1, 0, 2, 0}\n"           /* 5 */
                           "BGNLOOP\n"                              /* 6: 0 */
                           "USEQ TEMP[1].x, TEMP[0].y, IN[0].x\n"   /* 1 */
                           "UIF TEMP[1].xxxx\n"                     /* 2 */
                           "BRK\n"                                  /* 3 */
                           "ENDIF\n"                                /* 4 */
                           "UADD TEMP[0].y, TEMP[0].y, IMM[0].x\n"  /* 5 */
                           "UADD TEMP[0].x, TEMP[0].x, TEMP[0].y\n" /* 6 */
                           "ENDLOOP\n"                              /* 7 */
                           "UIF IN[0].yyyy\n"                       /* 8 */
                           "UMUL TEMP[0].x, TEMP[0].x, IMM[0].z\n"  /* 9 */
                           "ENDIF\n"                                /* 10 */
                           "MOV OUT[0].x, TEMP[0].xxxx\n"           /* 11 */
                           "END\n";                                 /* 12 */
enum { INVOCATIONS = 40 };

static void prepare_sums(struct session *s, uint32_t inputs[INVOCATIONS][4], uint32_t invocation)
{
    static struct sch_invocation_place place;
    prepare(s, sums, INVOCATIONS);
    for (uint32_t i = 0; i < INVOCATIONS; i++) {
        inputs[i][0] = i % 5;
        inputs[i][1] = i % 2 == 0;
    }
    s->work.inputs = inputs[0];
    s->work.input_registers = 1;
    s->work.input_bytes = INVOCATIONS * sizeof *inputs;
    place =
        (struct sch_invocation_place){.size = sizeof place, .parts = SCH_PLACE_INVOCATION, .invocation = invocation};
    s->options.place = &place;
}

static void steps_are_those_of_the_program(void **state)
{
    (void)state;
    uint32_t inputs[INVOCATIONS][4] = {{0}};
    struct session s;
    prepare_sums(&s, inputs, 35);
    open(&s);
    struct sch_debug_stop stop = stop_of(s.debug);
    assert_int_equal(stop.reason, SCH_DEBUG_BEGIN);
    assert_int_equal(stop.time, 0);
    assert_int_equal(stop.instruction, 0);
    assert_int_equal(stop.line, 6);
    assert_int_equal(stop.previous, UINT32_MAX);
    assert_int_equal(stop.lane, 3);
    assert_int_equal(stop.present, 0xff);
    assert_int_equal(stop.active, 0xff);
    assert_int_equal(stop.stage, SCH_STAGE_FRAGMENT);
    assert_true(stop.is_target);
    assert_int_equal(stop.place.parts, SCH_PLACE_INVOCATION);
    assert_int_equal(stop.place.invocation, 35);
    assert_int_equal(word(s.debug, SCH_FILE_INPUT, 0, 0, 3), 35 % 5);

    /* Invocations 32 to 39 have 2, 3, 4, 0, 1, 2, 3, 4: lane 3 breaks at once. */
    stop = step(s.debug);
    assert_int_equal(stop.instruction, 1);
    assert_int_equal(stop.depth, 1);
    stop = step(s.debug);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 1, 0, 3), UINT32_MAX);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 1, 0, 0), 0);
    stop = step(s.debug); /* into the UIF: the lanes that have finished */
    assert_int_equal(stop.instruction, 3);
    assert_int_equal(stop.active, 1 << 3);
    assert_int_equal(stop.depth, 2);
    struct sch_debug_frame frame = {.size = sizeof frame};
    assert_int_equal(sch_debug_get_frame(s.debug, 0, &frame), SCH_OK);
    assert_int_equal(frame.kind, SCH_CONSTRUCT_LOOP);
    assert_int_equal(frame.call, UINT32_MAX);
    assert_int_equal(frame.resume, 0xff);
    assert_int_equal(sch_debug_get_frame(s.debug, 1, &frame), SCH_OK);
    assert_int_equal(frame.kind, SCH_CONSTRUCT_IF);
    assert_int_equal(frame.resume, 0xff);
    assert_int_equal(frame.waiting, 0xff & ~(1 << 3));
    assert_int_equal(sch_debug_get_frame(s.debug, 2, &frame), SCH_ERROR_ARGUMENT);
    /* Out of the loop, where the lane is again. */
    stop = go(s.debug, SCH_DEBUG_STEP_OUT, false, 0);
    assert_int_equal(stop.instruction, 5);
    assert_int_equal(stop.depth, 1);
    stop = go(s.debug, SCH_DEBUG_STEP_OUT, false, 0);
    assert_int_equal(stop.instruction, 8);
    assert_int_equal(stop.depth, 0);
    assert_int_equal(stop.active, 0xff);
    static const uint32_t sum[8] = {3, 6, 10, 0, 1, 3, 6, 10};
    for (unsigned i = 0; i < 8; i++) assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 0, 0, i), sum[i]);
    /* To the end: registers are final. */
    stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_GROUP_END);
    assert_int_equal(stop.instruction, 12);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 0, 0, i), i % 2 ? sum[i] : 2 * sum[i]);
    stop = step(s.debug);
    assert_true(stop.ended);
    assert_int_equal(stop.reason, SCH_DEBUG_RUN_END);
    assert_int_equal(stop.result, SCH_OK);
    assert_true(step(s.debug).ended);
    assert_int_equal(s.runs, 1);
    end(&s);
}

/* Only instructions that the invocation itself executes: at an ENDIF none does, lanes come together behind it. */
static void steps_follow_the_lane(void **state)
{
    (void)state;
    static const uint32_t path[] = {0, 1, 2, 5, 6, 7, 1, 2, 3, 8, 11, 12};
    uint32_t inputs[INVOCATIONS][4] = {{0}};
    struct session s;
    prepare_sums(&s, inputs, 21); /* 1 to add, and odd */
    open(&s);
    const struct sch_debug_go forward = {.size = sizeof forward, .step = SCH_DEBUG_STEP_INSTRUCTION, .lane = true};
    struct sch_debug_go back = forward;
    back.back = true;
    uint32_t taken[COUNT(path)], count = 0;
    for (; count < COUNT(path); count++) {
        taken[count] = stop_of(s.debug).instruction;
        assert_int_equal(sch_debug_go(s.debug, &forward), SCH_OK);
    }
    assert_true(stop_of(s.debug).ended);
    assert_int_equal(taken[0], 0);
    assert_int_equal(taken[COUNT(path) - 1], 12);
    for (uint32_t n = count; n-- > 0;) {
        assert_int_equal(sch_debug_go(s.debug, &back), SCH_OK);
        assert_int_equal(stop_of(s.debug).instruction, taken[n]);
    }
    for (uint32_t n = 0; n < count; n++) assert_int_equal(taken[n], path[n]);
    end(&s);
}

/* ---- any moment again ---- */

static void walks_come_to_the_same(void **state)
{
    (void)state;
    static struct moment moments[MOST_MOMENTS];
    uint32_t inputs[INVOCATIONS][4] = {{0}};
    struct session s;
    prepare_sums(&s, inputs, 7);
    for (uint32_t i = 0; i < INVOCATIONS; i++) inputs[i][0] = i % 200; /* many moments are kept, and thinned out */
    s.options.kept_bytes = 400000;
    open(&s);
    const uint32_t count = record(s.debug, moments);
    assert_true(count > 200);
    walk(s.debug, moments, count, 3000, 1);
    end(&s);
}

/* ---- work groups ---- */

/* 64 threads: each stores its number in shared memory, waits, and reads that of its neighbour in the other group. */
static const char exchange[] = "COMP\n"
                               "PROPERTY CS_FIXED_BLOCK_WIDTH 64\n"
                               "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                               "DCL SV[0], THREAD_ID\n"
                               "DCL SV[1], BLOCK_ID\n"
                               "DCL MEMORY[0], SHARED\n"
                               "DCL BUFFER[0]\n"
                               "DCL TEMP[0..1]\n"
                               "IMM[0] UINT32 {2, 32, 64, 256}\n"
                               "SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"                    /* 0 */
                               "UMAD TEMP[0].y, SV[1].xxxx, IMM[0].wwww, TEMP[0].xxxx\n"     /* 1 */
                               "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\n"               /* 2 */
                               "BARRIER\n"                                                   /* 3 */
                               "UADD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\n"                   /* 4 */
                               "UMOD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\n"                 /* 5 */
                               "SHL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"                  /* 6 */
                               "LOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx\n"                   /* 7 */
                               "ATOMUADD TEMP[1].z, BUFFER[0], TEMP[0].yyyy, TEMP[1].xxxx\n" /* 8 */
                               "END\n";

struct exchanged {
    struct session session;
    struct sch_storage_buffer buffer;
    struct sch_invocation_place place;
    uint32_t words[3 * 64];
};

static void prepare_exchange(struct exchanged *e)
{
    memset(e, 0, sizeof *e);
    struct session *s = &e->session;
    prepare(s, exchange, 0);
    e->buffer = (struct sch_storage_buffer){.data = e->words, .bytes = sizeof e->words};
    s->is_grid = true;
    s->grid[0] = 3;
    s->bindings.buffers = &e->buffer;
    s->bindings.buffer_count = 1;
    s->options.memory = &e->buffer;
    s->options.memory_count = 1;
    e->place = (struct sch_invocation_place){.size = sizeof e->place,
                                             .parts = SCH_PLACE_WORK_GROUP | SCH_PLACE_THREAD,
                                             .work_group = {1, 0, 0},
                                             .thread = {40, 0, 0}};
    s->options.place = &e->place;
}

static void work_groups_go_together(void **state)
{
    (void)state;
    struct exchanged e;
    prepare_exchange(&e);
    struct session *s = &e.session;
    open(s);
    struct sch_debug_stop stop = stop_of(s->debug);
    assert_int_equal(stop.reason, SCH_DEBUG_BEGIN);
    assert_int_equal(stop.time, 4); /* the group before it has come to its BARRIER */
    assert_int_equal(stop.lane, 8);
    assert_int_equal(stop.place.thread[0], 40);
    assert_int_equal(stop.place.work_group[0], 1);
    size_t bytes;
    const uint32_t *shared = sch_debug_shared_memory(s->debug, &bytes);
    assert_true(bytes >= 256);
    assert_int_equal(shared[31], 31);
    assert_int_equal(shared[40], 0);
    stop = go(s->debug, SCH_DEBUG_RUN, false, SCH_DEBUG_BARRIER);
    assert_int_equal(stop.reason, SCH_DEBUG_EVENT);
    assert_int_equal(stop.events, SCH_DEBUG_BARRIER);
    assert_int_equal(stop.instruction, 3);
    assert_int_equal(shared[40], 40);
    /* Behind it the other group goes on first, which steps pass over. */
    stop = step(s->debug);
    assert_int_equal(stop.instruction, 4);
    assert_int_equal(stop.previous, 3);
    assert_int_equal(stop.time, 8 + 6);
    stop = go(s->debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_GROUP_END);
    assert_int_equal(word(s->debug, SCH_FILE_TEMPORARY, 1, 0, 8), 8);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(e.words[64 + i], (i + 32) % 64);
    assert_true(step(s->debug).ended);
    for (uint32_t i = 0; i < 3 * 64; i++) assert_int_equal(e.words[i], (i + 32) % 64);
    assert_int_equal(s->runs, 1);
    end(s);
}

/* ---- memory in pieces ---- */

static struct sch_debug_piece piece_at(const struct sch_debug *debug, uint32_t position)
{
    struct sch_debug_piece piece = {.size = sizeof piece};
    assert_true(sch_debug_piece_at(debug, position, &piece));
    return piece;
}

static struct sch_debug_access access_of(const struct sch_debug *debug, uint32_t lane)
{
    struct sch_debug_access access = {.size = sizeof access};
    assert_true(sch_debug_access_of(debug, lane, &access));
    return access;
}

static void assert_access(const struct sch_debug *debug, uint32_t lane, enum sch_debug_piece_kind kind, uint32_t number,
                          uint64_t byte, uint32_t bytes, bool writes)
{
    const struct sch_debug_access access = access_of(debug, lane);
    assert_int_equal(access.kind, kind);
    assert_int_equal(access.number, number);
    assert_int_equal(access.byte, byte);
    assert_int_equal(access.bytes, bytes);
    assert_int_equal(access.writes, writes);
}

static void memory_has_pieces(void **state)
{
    (void)state;
    struct exchanged e;
    prepare_exchange(&e);
    struct session *s = &e.session;
    open(s);
    struct sch_debug_piece piece = piece_at(s->debug, 0);
    assert_int_equal(piece.kind, SCH_DEBUG_PIECE_BUFFER);
    assert_int_equal(piece.number, 0);
    assert_ptr_equal(piece.data, e.words);
    assert_int_equal(piece.bytes, sizeof e.words);
    assert_int_equal(piece.width, 0);
    piece = piece_at(s->debug, 1);
    assert_int_equal(piece.kind, SCH_DEBUG_PIECE_SHARED);
    size_t bytes;
    assert_ptr_equal(piece.data, sch_debug_shared_memory(s->debug, &bytes));
    assert_int_equal(piece.bytes, bytes);
    assert_false(sch_debug_piece_at(s->debug, 2, &piece));
    piece.size = 0;
    assert_false(sch_debug_piece_at(s->debug, 0, &piece));
    assert_false(sch_debug_piece_at(NULL, 0, &piece));

    struct sch_debug_access none = {.size = sizeof none};
    for (unsigned n = 0; n < 2; n++) {
        assert_false(sch_debug_access_of(s->debug, 8, &none)); /* SHL, UMAD */
        step(s->debug);
    }
    /* STORE, in lane n of thread 32 + n */
    assert_access(s->debug, 8, SCH_DEBUG_PIECE_SHARED, 0, 4 * 40, 4, true);
    assert_access(s->debug, 31, SCH_DEBUG_PIECE_SHARED, 0, 4 * 63, 4, true);
    assert_false(sch_debug_access_of(s->debug, 32, &none));
    for (unsigned n = 0; n < 5; n++) step(s->debug); /* STORE, BARRIER... */
    assert_access(s->debug, 8, SCH_DEBUG_PIECE_SHARED, 0, 4 * 8, 4, false);
    step(s->debug);
    assert_access(s->debug, 8, SCH_DEBUG_PIECE_BUFFER, 0, 256 + 4 * 40, 4, true);
    step_back(s->debug);
    assert_access(s->debug, 8, SCH_DEBUG_PIECE_SHARED, 0, 4 * 8, 4, false);
    assert_true(go(s->debug, SCH_DEBUG_RUN, false, 0).reason == SCH_DEBUG_GROUP_END);
    step(s->debug);
    assert_false(sch_debug_piece_at(s->debug, 0, &piece)); /* the run has ended */
    assert_false(sch_debug_access_of(s->debug, 8, &none));
    end(s);
}

/* Words of counters, of private memory, behind the end of a buffer, of components with a gap; a query has none. */
static const char places[] = "COMP\n"
                             "PROPERTY CS_FIXED_BLOCK_WIDTH 4\n"
                             "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                             "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                             "DCL SV[0], THREAD_ID\n"
                             "DCL BUFFER[0..1]\n"
                             "DCL HWATOMIC[1][0..3]\n"
                             "DCL MEMORY[0], PRIVATE\n"
                             "DCL CONST[0..1]\n"
                             "DCL TEMP[0..1]\n"
                             "IMM[0] UINT32 {16, 4, 1, 4096}\n"
                             "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"                      /* 0 */
                             "STORE BUFFER[1].xz, TEMP[0].xxxx, SV[0].xxxx\n"                 /* 1 */
                             "ATOMUADD TEMP[1].x, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].zzzz\n" /* 2 */
                             "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\n"                  /* 3 */
                             "LOAD TEMP[1].xy, CONSTBUF[0], IMM[0].xxxx\n"                    /* 4 */
                             "LOAD TEMP[1].x, BUFFER[1], IMM[0].wwww\n"                       /* 5 */
                             "RESQ TEMP[1].x, BUFFER[1]\n"                                    /* 6 */
                             "LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\n"                       /* 7: it is not bound */
                             "END\n";

static void accesses_have_places(void **state)
{
    (void)state;
    uint32_t words[16] = {0}, counters[8] = {0};
    const uint32_t constants[8] = {0};
    const struct sch_storage_buffer buffers[] = {{NULL, 0}, {words, sizeof words}},
                                    hw_atomics[] = {{NULL, 0}, {counters, sizeof counters}};
    const struct sch_constant_buffer constant = {.data = constants, .bytes = sizeof constants};
    struct sch_debug_access none = {.size = sizeof none};
    struct session session, *s = &session;
    prepare(s, places, 0);
    s->is_grid = true;
    s->grid[0] = 1;
    s->bindings.buffers = buffers;
    s->bindings.buffer_count = 2;
    s->bindings.hw_atomics = hw_atomics;
    s->bindings.hw_atomic_count = 2;
    s->bindings.constants = &constant;
    s->bindings.constant_count = 1;
    open(s);
    step(s->debug);
    assert_access(s->debug, 3, SCH_DEBUG_PIECE_BUFFER, 1, 48, 12, true);
    assert_false(sch_debug_access_of(s->debug, 4, &none)); /* the group has four lanes */
    step(s->debug);
    assert_access(s->debug, 3, SCH_DEBUG_PIECE_COUNTERS, 1, 8, 4, true);
    step(s->debug);
    assert_access(s->debug, 3, SCH_DEBUG_PIECE_PRIVATE, 3, 48, 4, true);
    step(s->debug);
    bool found = false;
    struct sch_debug_piece piece = {.size = sizeof piece};
    for (uint32_t n = 0; sch_debug_piece_at(s->debug, n, &piece); n++) {
        if (piece.kind != SCH_DEBUG_PIECE_PRIVATE || piece.number != 3) continue;
        found = true;
        assert_int_equal(((const uint32_t *)piece.data)[12], 3);
    }
    assert_true(found);
    assert_access(s->debug, 0, SCH_DEBUG_PIECE_CONSTANTS, 0, 16, 8, false);
    step(s->debug);
    assert_access(s->debug, 0, SCH_DEBUG_PIECE_BUFFER, 1, 4096, 4, false);
    step(s->debug);
    assert_false(sch_debug_access_of(s->debug, 0, &none));
    step(s->debug);
    assert_false(sch_debug_access_of(s->debug, 0, &none));
    end(s);
}

static void written_memory_is_put_back(void **state)
{
    (void)state;
    static struct moment moments[MOST_MOMENTS];
    struct exchanged e;
    prepare_exchange(&e);
    open(&e.session);
    const uint32_t count = record(e.session.debug, moments);
    assert_int_equal(count, 10);
    walk(e.session.debug, moments, count, 300, 2);
    sch_debug_seek(e.session.debug, 1000);
    assert_true(stop_of(e.session.debug).ended);
    for (uint32_t i = 0; i < 3 * 64; i++) assert_int_equal(e.words[i], (i + 32) % 64);
    assert_true(e.session.runs > 10);
    end(&e.session);
}

static void breakpoints_on_memory(void **state)
{
    (void)state;
    struct exchanged e;
    prepare_exchange(&e);
    struct session *s = &e.session;
    open(s);
    const struct sch_debug_breakpoint list[] = {
        {.kind = SCH_DEBUG_BREAK_MEMORY, .memory = &e.words[64 + 3], .bytes = 4},
        {.kind = SCH_DEBUG_BREAK_SHARED, .number = 4 * 40, .bytes = 4}};
    assert_int_equal(sch_debug_set_breakpoints(s->debug, list, sizeof *list, COUNT(list)), SCH_OK);
    struct sch_debug_stop stop = go(s->debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_BREAK);
    assert_int_equal(stop.breakpoint, 1);
    assert_int_equal(stop.previous, 2);
    stop = go(s->debug, SCH_DEBUG_RUN, false, 0); /* by the first group */
    assert_int_equal(stop.reason, SCH_DEBUG_BREAK);
    assert_int_equal(stop.breakpoint, 0);
    assert_int_equal(stop.previous, 8);
    assert_false(stop.is_target);
    assert_int_equal(go(s->debug, SCH_DEBUG_RUN, false, 0).reason, SCH_DEBUG_GROUP_END);
    stop = go(s->debug, SCH_DEBUG_RUN, true, 0);
    assert_int_equal(stop.breakpoint, 0);
    stop = go(s->debug, SCH_DEBUG_RUN, true, 0);
    assert_int_equal(stop.breakpoint, 1);
    stop = go(s->debug, SCH_DEBUG_RUN, true, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_BEGIN);
    end(s);
}

/* ---- events and breakpoints ---- */

static void events_are_found(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                               "RCP TEMP[0].x, IN[0].xxxx\n"                  /* 0: makes an infinity in lane 0 */
                               "ADD TEMP[0].y, TEMP[0].xxxx, IN[0].xxxx\n"    /* 1: has one */
                               "ADD TEMP[1].x, TEMP[0].xxxx, -TEMP[0].xxxx\n" /* 2: a NaN of an infinity */
                               "IF IN[0].xxxx\n"                              /* 3: diverges */
                               "MOV OUT[0].x, IN[0].xxxx\n"                   /* 4 */
                               "ELSE\n"                                       /* 5 */
                               "MUL OUT[0].y, IN[0].yyyy, IN[0].yyyy\n"       /* 6: makes an infinity in lane 0 */
                               "ENDIF\n"                                      /* 7 */
                               "END\n";
    const float inputs[2][4] = {{0, 1e30f, 0, 0}, {2, 3, 0, 0}};
    struct session s;
    prepare(&s, text, 2);
    s.work.inputs = (const uint32_t *)inputs;
    s.work.input_registers = 1;
    s.work.input_bytes = sizeof inputs;
    open(&s);
    const uint32_t events = SCH_DEBUG_DIVERGENCE | SCH_DEBUG_NOT_FINITE;
    static const struct {
        uint32_t events, previous;
    } wanted[] = {{SCH_DEBUG_NOT_FINITE, 0}, {SCH_DEBUG_DIVERGENCE, 3}, {SCH_DEBUG_NOT_FINITE, 6}};
    for (unsigned n = 0; n < COUNT(wanted); n++) {
        const struct sch_debug_stop stop = go(s.debug, SCH_DEBUG_RUN, false, events);
        assert_int_equal(stop.reason, SCH_DEBUG_EVENT);
        assert_int_equal(stop.events, wanted[n].events);
        assert_int_equal(stop.previous, wanted[n].previous);
    }
    assert_int_equal(go(s.debug, SCH_DEBUG_RUN, false, events).reason, SCH_DEBUG_GROUP_END);
    for (unsigned n = COUNT(wanted); n-- > 0;)
        assert_int_equal(go(s.debug, SCH_DEBUG_RUN, true, events).previous, wanted[n].previous);
    assert_int_equal(go(s.debug, SCH_DEBUG_RUN, true, events).reason, SCH_DEBUG_BEGIN);
    end(&s);
}

static void breakpoints_have_conditions(void **state)
{
    (void)state;
    uint32_t inputs[INVOCATIONS][4] = {{0}};
    struct session s;
    prepare_sums(&s, inputs, 9); /* 4 to add */
    open(&s);
    struct sch_debug_breakpoint list[] = {{.kind = SCH_DEBUG_BREAK_INSTRUCTION,
                                           .number = 6,
                                           .compare = SCH_COMPARE_EQUAL,
                                           .of = {SCH_FILE_TEMPORARY, 0, 0},
                                           .channel = 1,
                                           .value = 3,
                                           .type = SCH_DEBUG_U32},
                                          {.kind = SCH_DEBUG_BREAK_LINE, .number = 15},
                                          {.kind = SCH_DEBUG_BREAK_WRITE, .which = {SCH_FILE_OUTPUT, 0, 0}}};
    assert_int_equal(sch_debug_set_breakpoints(s.debug, list, sizeof *list, COUNT(list)), SCH_OK);
    struct sch_debug_stop stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.breakpoint, 0);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 0, 1, 9), 3);
    stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.breakpoint, 1);
    assert_int_equal(stop.instruction, 9);
    stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.breakpoint, 2);
    assert_int_equal(stop.previous, 11);
    struct sch_debug_change change = {.size = sizeof change};
    assert_true(sch_debug_change_at(s.debug, 0, &change));
    assert_int_equal(change.which.file, SCH_FILE_OUTPUT);
    assert_int_equal(change.channels, 1);
    assert_int_equal(change.before[0][9], 0);
    assert_false(sch_debug_change_at(s.debug, 1, &change));
    list[0].compare = (enum sch_compare)99;
    assert_int_equal(sch_debug_set_breakpoints(s.debug, list, sizeof *list, COUNT(list)), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_debug_set_breakpoints(s.debug, NULL, 0, 0), SCH_OK);
    end(&s);
}

/* -1 is the largest word, and no float; -0.0 is 0.0; a NaN is nothing but unequal. */
static void conditions_compare_by_type(void **state)
{
    (void)state;
    enum { MINUS_ONE = 0xbf800000, MINUS_ZERO = 0x80000000, A_NAN = 0x7fc00000 };
    static const struct {
        enum sch_debug_type type;
        uint32_t word, value;
        const char *holds; /* LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL: y or n */
    } rows[] = {{SCH_DEBUG_F32, MINUS_ONE, 0, "ynynyn"},           {SCH_DEBUG_F32, MINUS_ZERO, 0, "nyynny"},
                {SCH_DEBUG_F32, A_NAN, A_NAN, "nnnnyn"},           {SCH_DEBUG_F32, 0, A_NAN, "nnnnyn"},
                {SCH_DEBUG_I32, UINT32_MAX, 0, "ynynyn"},          {SCH_DEBUG_U32, UINT32_MAX, 0, "nnnyyy"},
                {SCH_DEBUG_I32, MINUS_ZERO, 1, "ynynyn"},          {SCH_DEBUG_U32, 7, 7, "nyynny"},
                {SCH_DEBUG_U32, MINUS_ZERO, 0x7fffffff, "nnnyyy"}, {SCH_DEBUG_I32, A_NAN, A_NAN, "nyynny"}};
    static const enum sch_compare compares[] = {SCH_COMPARE_LESS,    SCH_COMPARE_EQUAL,    SCH_COMPARE_LEQUAL,
                                                SCH_COMPARE_GREATER, SCH_COMPARE_NOTEQUAL, SCH_COMPARE_GEQUAL};
    for (size_t r = 0; r < COUNT(rows); r++) {
        for (size_t c = 0; c < COUNT(compares); c++)
            if (sch_debug_compare(rows[r].type, compares[c], rows[r].word, rows[r].value) != (rows[r].holds[c] == 'y'))
                fail_msg("row %zu, comparison %zu", r, c);
        assert_true(sch_debug_compare(rows[r].type, SCH_COMPARE_ALWAYS, rows[r].word, rows[r].value));
        assert_false(sch_debug_compare(rows[r].type, (enum sch_compare)99, rows[r].word, rows[r].value));
    }
}

/* ---- ends ---- */

static void failures_are_stops(void **state)
{
    (void)state;
    struct session s;
    prepare(&s,
            "FRAG\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0], IMM[0]\nENDLOOP\nEND\n",
            1);
    const struct sch_dispatch_options options = {.size = sizeof options, .budget = 10};
    s.options.options = &options;
    open(&s);
    struct sch_debug_stop stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_FAILED);
    assert_int_equal(stop.result, SCH_ERROR_BUDGET);
    assert_int_equal(stop.instruction, 2);
    const uint32_t counted = word(s.debug, SCH_FILE_TEMPORARY, 0, 0, 0);
    assert_int_equal(counted, 11);
    stop = step_back(s.debug);
    assert_int_equal(stop.reason, SCH_DEBUG_STEP);
    assert_int_equal(stop.instruction, 2);
    stop = step_back(s.debug);
    assert_int_equal(stop.instruction, 1);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 0, 0, 0), 10);
    go(s.debug, SCH_DEBUG_RUN, false, 0);
    stop = step(s.debug);
    assert_true(stop.ended);
    assert_int_equal(stop.result, SCH_ERROR_BUDGET);
    end(&s);
}

static void nobody_is_there(void **state)
{
    (void)state;
    uint32_t inputs[INVOCATIONS][4] = {{0}};
    struct session s;
    prepare_sums(&s, inputs, INVOCATIONS);
    open(&s);
    struct sch_debug_stop stop = stop_of(s.debug);
    assert_true(stop.ended);
    assert_int_equal(stop.result, SCH_OK);
    assert_true(step(s.debug).ended);
    assert_true(step_back(s.debug).ended);
    struct sch_debug_register which = {SCH_FILE_INPUT, 0, 0};
    uint32_t words[4][32];
    assert_int_equal(sch_debug_read(s.debug, &which, words), SCH_ERROR_ARGUMENT);
    assert_false(sch_debug_register_at(s.debug, 0, &which));
    end(&s);
}

static void *interrupt(void *user)
{
    struct sch_debug *debug = user;
    for (int n = 0; n < 200; n++) {
        const struct timespec little = {.tv_nsec = 1000000};
        nanosleep(&little, NULL);
        sch_debug_interrupt(debug);
    }
    return NULL;
}

static void long_runs_are_interrupted(void **state)
{
    (void)state;
    struct session s;
    prepare(&s, "FRAG\nBGNLOOP\nENDLOOP\nEND\n", 1);
    const struct sch_dispatch_options options = {.size = sizeof options, .budget = UINT64_MAX / 2};
    s.options.options = &options;
    open(&s);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, interrupt, s.debug), 0);
    const struct sch_debug_stop stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_INTERRUPTED);
    assert_false(stop.ended);
    pthread_join(thread, NULL);
    assert_int_equal(step(s.debug).reason, SCH_DEBUG_STEP);
    end(&s);
}

static void wrong_arguments(void **state)
{
    (void)state;
    uint32_t inputs[INVOCATIONS][4] = {{0}};
    struct session s;
    prepare_sums(&s, inputs, 0);
    struct sch_debug *debug;
    struct sch_debug_options options = s.options;
    options.run = NULL;
    assert_int_equal(sch_debug_create(s.context, &options, &debug), SCH_ERROR_ARGUMENT);
    assert_null(debug);
    options = s.options;
    options.stages = 1 << 6;
    assert_int_equal(sch_debug_create(s.context, &options, &debug), SCH_ERROR_ARGUMENT);
    options = s.options;
    options.memory_count = 1;
    assert_int_equal(sch_debug_create(s.context, &options, &debug), SCH_ERROR_ARGUMENT);
    options = s.options;
    const struct sch_invocation_place place = {.size = sizeof place, .parts = 1 << 9};
    options.place = &place;
    assert_int_equal(sch_debug_create(s.context, &options, &debug), SCH_ERROR_ARGUMENT);
    open(&s);
    const struct sch_dispatch_options foreign = {.size = sizeof foreign, .debug = s.debug};
    assert_int_equal(sch_dispatch(s.program, &s.bindings, &s.work, &foreign, NULL), SCH_ERROR_ARGUMENT);
    struct sch_debug_go wanted = {.size = sizeof wanted, .step = (enum sch_debug_step)5};
    assert_int_equal(sch_debug_go(s.debug, &wanted), SCH_ERROR_ARGUMENT);
    wanted = (struct sch_debug_go){.size = sizeof wanted, .events = 1 << 5};
    assert_int_equal(sch_debug_go(s.debug, &wanted), SCH_ERROR_ARGUMENT);
    struct sch_debug_register which = {SCH_FILE_TEMPORARY, 0, 2};
    uint32_t words[4][32];
    assert_int_equal(sch_debug_read(s.debug, &which, words), SCH_ERROR_ARGUMENT);
    which = (struct sch_debug_register){SCH_FILE_SAMPLER, 0, 0};
    assert_int_equal(sch_debug_read(s.debug, &which, words), SCH_ERROR_ARGUMENT);
    struct sch_invocation_place found = {.size = sizeof found};
    assert_int_equal(sch_debug_get_place(s.debug, 31, &found), SCH_OK);
    assert_int_equal(found.invocation, 31);
    assert_int_equal(sch_debug_get_place(s.debug, 32, &found), SCH_ERROR_ARGUMENT);
    end(&s);
}

/* ---- places ---- */

static void instructions_have_positions(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\n"
                               "CAL :2\nRET\nBGNSUB\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nRET\nENDSUB\nEND\n";
    struct session s;
    prepare(&s, text, 1);
    open(&s);
    struct sch_debug_position position;
    for (uint32_t n = 0; n <= 6; n++) {
        assert_true(sch_debug_position_at(s.debug, n, &position));
        assert_int_equal(position.line, 4 + n);
        assert_int_equal(position.column, 1);
    }
    assert_true(sch_debug_position_at(s.debug, 0, &position));
    assert_false(sch_debug_position_at(s.debug, UINT32_MAX, &position));
    assert_false(sch_debug_position_at(s.debug, 9, &position));
    /* In the subroutine the frame says who called. */
    while (stop_of(s.debug).instruction != 3) step(s.debug);
    struct sch_debug_frame frame = {.size = sizeof frame};
    assert_int_equal(sch_debug_get_frame(s.debug, 0, &frame), SCH_OK);
    assert_int_equal(frame.kind, SCH_CONSTRUCT_SUB);
    assert_int_equal(frame.call, 0);
    sch_debug_seek(s.debug, UINT64_MAX);
    assert_false(sch_debug_position_at(s.debug, 0, &position));
    end(&s);
}

/* ---- draws ---- */

/* A quad of four vertices as a patch, tessellated, through a geometry shader, onto 8 x 8 pixels. */
static const char patch_vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static const char patch_control[] =
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\nDCL ADDR[0]\n"
    "IMM[0] FLT32 {2.0, 2.0, 2.0, 2.0}\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
    "MOV OUT[1], IMM[0]\nMOV OUT[2].xy, IMM[0]\nEND\n";
static const char patch_evaluation[] =
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 0\n"
    "PROPERTY TES_POINT_MODE 0\nDCL IN[][0], POSITION\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\n"
    "LRP TEMP[0], SV[0].xxxx, IN[1][0], IN[0][0]\nLRP TEMP[1], SV[0].xxxx, IN[2][0], IN[3][0]\n"
    "LRP OUT[0], SV[0].yyyy, TEMP[1], TEMP[0]\nEND\n";
static const char through_geometry[] =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[2][0]\n"
    "EMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n";
static const char of_place[] = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                               "MUL TEMP[0], IN[0], IN[0]\nMOV OUT[0], IN[0]\nEND\n";

struct drawn {
    struct draw_scene scene;
    float vertices[4][4];
    struct sch_debug_options options;
    struct sch_debug *debug;
};

static enum sch_result run_draw(void *user, const struct sch_dispatch_options *options)
{
    struct drawn *d = user;
    const struct sch_draw draw = {
        .size = sizeof draw, .primitive = SCH_PRIMITIVE_PATCHES, .count = 4, .instance_count = 1};
    const float black[4] = {0, 0, 0, 0};
    draw_clear(&d->scene, black, 1, 0);
    d->scene.dispatch = *options;
    return draw_try(&d->scene, &draw);
}

static void begin_drawn(struct drawn *d)
{
    static const float corners[4][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {1, 1, 0, 1}, {-1, 1, 0, 1}};
    memset(d, 0, sizeof *d);
    draw_begin(&d->scene, 8, 8, 1, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_NONE);
    memcpy(d->vertices, corners, sizeof corners);
    draw_vertices(&d->scene, d->vertices[0], 4, 1);
    d->scene.vertex = patch_vertex;
    d->scene.tess_ctrl = patch_control;
    d->scene.tess_eval = patch_evaluation;
    d->scene.geometry = through_geometry;
    d->scene.fragment = of_place;
    d->scene.dynamic.patch_vertices = 4;
    d->options = (struct sch_debug_options){.size = sizeof d->options, .run = run_draw, .user = d};
}

static void stages_are_stopped(void **state)
{
    (void)state;
    static const struct {
        enum sch_stage stage;
        struct sch_invocation_place place;
        uint32_t parts; /* that the stop has */
        uint32_t instructions;
    } cases[] = {
        {SCH_STAGE_VERTEX, {.parts = SCH_PLACE_VERTEX, .vertex = 2}, SCH_PLACE_VERTEX | SCH_PLACE_INSTANCE, 1},
        {SCH_STAGE_TESS_CTRL,
         {.parts = SCH_PLACE_INVOCATION, .invocation = 3},
         SCH_PLACE_PRIMITIVE | SCH_PLACE_INVOCATION,
         4},
        {SCH_STAGE_TESS_EVAL, {.parts = SCH_PLACE_VERTEX, .vertex = 4}, SCH_PLACE_PRIMITIVE | SCH_PLACE_VERTEX, 3},
        {SCH_STAGE_GEOMETRY,
         {.parts = SCH_PLACE_PRIMITIVE, .primitive = 0},
         SCH_PLACE_PRIMITIVE | SCH_PLACE_INVOCATION,
         7},
        {SCH_STAGE_FRAGMENT,
         {.parts = SCH_PLACE_PIXEL, .x = 5, .y = 2},
         SCH_PLACE_PIXEL | SCH_PLACE_LAYER | SCH_PLACE_PRIMITIVE,
         2}};
    for (unsigned n = 0; n < COUNT(cases); n++) {
        static struct moment moments[MOST_MOMENTS];
        struct drawn d;
        struct sch_invocation_place place = cases[n].place;
        begin_drawn(&d);
        place.size = sizeof place;
        d.options.place = &place;
        d.options.stages = 1u << cases[n].stage;
        assert_int_equal(sch_debug_create(d.scene.context, &d.options, &d.debug), SCH_OK);
        const struct sch_debug_stop stop = stop_of(d.debug);
        assert_int_equal(stop.reason, SCH_DEBUG_BEGIN);
        assert_int_equal(stop.stage, cases[n].stage);
        assert_int_equal(stop.place.parts, cases[n].parts);
        assert_int_equal(stop.call, 1);
        if (place.parts & SCH_PLACE_VERTEX) assert_int_equal(stop.place.vertex, place.vertex);
        if (place.parts & SCH_PLACE_PIXEL) assert_true(stop.place.x == 5 && stop.place.y == 2);
        const uint32_t count = record(d.debug, moments);
        assert_int_equal(count, cases[n].instructions + 1); /* and END */
        walk(d.debug, moments, count, 40, n);
        assert_int_equal(sch_debug_seek(d.debug, moments[count - 1].stop.time), SCH_OK);
        if (cases[n].stage == SCH_STAGE_VERTEX)
            assert_int_equal(word(d.debug, SCH_FILE_OUTPUT, 0, 0, stop.lane), api_bits(1));
        if (cases[n].stage == SCH_STAGE_FRAGMENT) {
            assert_int_equal(word(d.debug, SCH_FILE_TEMPORARY, 0, 0, stop.lane), api_bits(5.5f * 5.5f));
            assert_int_equal(word(d.debug, SCH_FILE_OUTPUT, 0, 1, stop.lane), api_bits(2.5f));
        }
        sch_debug_seek(d.debug, UINT64_MAX);
        assert_true(stop_of(d.debug).ended);
        assert_int_equal(draw_pixel(&d.scene, 5, 2), api_bits(5.5f));
        sch_debug_destroy(d.debug);
        d.scene.dispatch = (struct sch_dispatch_options){.size = sizeof d.scene.dispatch};
        draw_end(&d.scene);
    }
}

/* ---- lookups ---- */

static void assert_equal_explanations(const struct sch_explanation *is, const struct sch_explanation *was)
{
    struct sch_explanation_info a, b;
    struct sch_footprint_texel one, other;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
    a.size = b.size = sizeof a;
    one.size = other.size = sizeof one;
    assert_int_equal(sch_explanation_get_info(is, &a), SCH_OK);
    assert_int_equal(sch_explanation_get_info(was, &b), SCH_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.texel_count, 4);
    for (uint32_t n = 0; n < a.texel_count; n++) {
        assert_true(sch_explanation_texel(is, n, &one) && sch_explanation_texel(was, n, &other));
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void lookups_are_explained(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                               "DCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
    const float inputs[2][4] = {{0.5f, 0.5f, 0, 0}, {0.3f, 0.9f, 0, 0}};
    struct session s;
    prepare(&s, text, 2);
    s.work.inputs = (const uint32_t *)inputs;
    s.work.input_registers = 1;
    s.work.input_bytes = sizeof inputs;
    const struct sch_resource_options shape = {
        .size = sizeof shape, .target = SCH_TARGET_2D, .format = SCH_FORMAT_R8G8B8A8_UNORM, .width = 4, .height = 4};
    const struct sch_view_options all = {.size = sizeof all};
    const struct sch_sampler_options linear = {
        .size = sizeof linear, .mag_filter = SCH_FILTER_LINEAR, .min_filter = SCH_FILTER_LINEAR};
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
    assert_int_equal(sch_resource_create(s.context, &shape, NULL, &resource), SCH_OK);
    uint8_t texels[64];
    for (unsigned b = 0; b < sizeof texels; b++) texels[b] = (uint8_t)(b * 7);
    assert_int_equal(sch_resource_write_all(resource, texels, sizeof texels), SCH_OK);
    assert_int_equal(sch_view_create(resource, &all, &view), SCH_OK);
    assert_int_equal(sch_sampler_create(s.context, &linear, NULL, &sampler), SCH_OK);
    s.bindings.views = &view;
    s.bindings.view_count = 1;
    s.bindings.samplers = &sampler;
    s.bindings.sampler_count = 1;
    open(&s);
    struct sch_explanation *explanation;
    assert_int_equal(sch_debug_explain(s.debug, 1, &explanation), SCH_ERROR_ARGUMENT);
    struct sch_debug_stop stop = go(s.debug, SCH_DEBUG_RUN, false, SCH_DEBUG_LOOKUP);
    assert_int_equal(stop.reason, SCH_DEBUG_GROUP_END); /* it was at the lookup already */
    assert_int_equal(sch_debug_explain(s.debug, 2, &explanation), SCH_ERROR_ARGUMENT);
    for (unsigned lane = 0; lane < 2; lane++) {
        const struct sch_lookup lookup = {.size = sizeof lookup, .at = {inputs[lane][0], inputs[lane][1]}};
        struct sch_explanation *alone;
        assert_int_equal(sch_debug_explain(s.debug, lane, &explanation), SCH_OK);
        assert_int_equal(sch_lookup_explain(s.context, view, sampler, &lookup, &alone), SCH_OK);
        assert_equal_explanations(explanation, alone);
        sch_explanation_destroy(explanation);
        sch_explanation_destroy(alone);
    }
    sch_debug_destroy(s.debug);
    s.debug = NULL;
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_of_the_program),
                                       cmocka_unit_test(steps_follow_the_lane),
                                       cmocka_unit_test(walks_come_to_the_same),
                                       cmocka_unit_test(work_groups_go_together),
                                       cmocka_unit_test(written_memory_is_put_back),
                                       cmocka_unit_test(breakpoints_on_memory),
                                       cmocka_unit_test(events_are_found),
                                       cmocka_unit_test(memory_has_pieces),
                                       cmocka_unit_test(accesses_have_places),
                                       cmocka_unit_test(breakpoints_have_conditions),
                                       cmocka_unit_test(conditions_compare_by_type),
                                       cmocka_unit_test(failures_are_stops),
                                       cmocka_unit_test(nobody_is_there),
                                       cmocka_unit_test(long_runs_are_interrupted),
                                       cmocka_unit_test(wrong_arguments),
                                       cmocka_unit_test(instructions_have_positions),
                                       cmocka_unit_test(stages_are_stopped),
                                       cmocka_unit_test(lookups_are_explained)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
