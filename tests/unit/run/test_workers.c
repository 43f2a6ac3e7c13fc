/* What stands around engines (src/run), with an engine that computes nothing: it notes what it is given and does what
 * a case says. How many threads there are, which groups each runs and in which order, what machines are made of, what
 * ends a run and what the report says then. Threads are run one after the other, from here (sch_pool_run). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/exec_program.h"
#include "base/pool.h"
#include "exec/engine.h"
#include "exec/job.h"
#include "isa/errors.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- the engine ---- */

enum { MOST_EVENTS = 8192 };

struct event {
    uint32_t part, present;
    uint64_t first, executed, groups; /* groups: of a span, 0: one group */
};

static struct {
    unsigned begins, ends, run_begins, run_ends, workers;
    bool pooled; /* other threads may take workers */
    unsigned count;
    struct event events[MOST_EVENTS];
    struct sch_exec_machine *machines[8]; /* as they begin */
} seen;

static struct {
    uint64_t cost;        /* instructions of a group */
    uint64_t failing;     /* the invocation whose group fails */
    enum sch_result with; /* OK: none does */
    uint32_t lane, refused;
    uint64_t span_done; /* groups of a span before its failure */
    bool no_spans;
    unsigned begin_fails; /* the one, from 1, whose begin fails */
    bool run_state, run_fails;
    bool backwards; /* the last thread first */
    uint32_t *flag_at;
    unsigned flag_after; /* groups until the flag is up */
    void (*inside)(struct sch_exec_machine *machine);
} plan;

void __wrap_sch_pool_run(struct sch_pool *pool, unsigned count, void (*work)(void *user, unsigned index), void *user);
void __wrap_sch_pool_run(struct sch_pool *pool, unsigned count, void (*work)(void *user, unsigned index), void *user)
{
    seen.pooled = pool != NULL;
    seen.workers = count;
    for (unsigned i = 0; i < count; i++) work(user, plan.backwards ? count - 1 - i : i);
}

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics)
{
    (void)program;
    (void)shader;
    (void)diagnostics;
    return SCH_OK;
}

static enum sch_result begin_run(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    (void)job;
    (void)arena;
    seen.run_begins++;
    if (plan.run_state) *state = &plan;
    return plan.run_fails ? SCH_ERROR_INTERNAL : SCH_OK;
}

static void end_run(void *state)
{
    assert_ptr_equal(state, &plan);
    seen.run_ends++;
}

static enum sch_result begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    (void)arena;
    if (seen.begins < COUNT(seen.machines)) seen.machines[seen.begins] = machine;
    return ++seen.begins == plan.begin_fails ? SCH_ERROR_INTERNAL : SCH_OK;
}

static void end(struct sch_exec_machine *machine)
{
    (void)machine;
    seen.ends++;
}

static void note(const struct sch_exec_machine *machine, uint64_t groups)
{
    assert_true(seen.count < MOST_EVENTS);
    seen.events[seen.count++] = (struct event){machine->part, machine->group.present, machine->group.first,
                                               machine->group.executed - machine->group.executed_before, groups};
    assert_int_equal(machine->group.budget_end - machine->group.executed_before, machine->group.first_room);
    if (plan.flag_at && seen.count >= plan.flag_after) *plan.flag_at = 1;
}

/* Executes what the plan says up to the end of the work. */
static void spend(struct sch_exec_machine *machine, uint64_t instructions)
{
    machine->group.executed += instructions;
    if (machine->group.executed <= machine->work_end) return;
    machine->group.executed = machine->work_end;
    machine->group.failure = SCH_ERROR_WORK;
    machine->failed_lane = 0;
    machine->failed_instruction = 0;
}

static void fail_as_planned(struct sch_exec_machine *machine)
{
    machine->group.failure = plan.with;
    machine->refused = plan.refused;
    machine->failed_lane = plan.lane;
    machine->failed_instruction = 1;
}

static void run_group(struct sch_exec_machine *machine)
{
    note(machine, 0);
    machine->group.at = SCH_GROUP_ENDED;
    if (plan.inside) plan.inside(machine);
    spend(machine, plan.cost);
    if (plan.with != SCH_OK && machine->group.first == plan.failing) fail_as_planned(machine);
}

static bool run_span(struct sch_exec_machine *machine, struct sch_group_span *span)
{
    const uint64_t groups = (uint64_t)span->groups * span->rows;
    if (plan.no_spans) return false;
    note(machine, groups);
    spend(machine, groups * plan.cost);
    if (plan.with == SCH_OK || machine->group.first != plan.failing) return true;
    span->done = plan.span_done;
    fail_as_planned(machine);
    return true;
}

static const struct sch_exec_engine groups_only = {.name = "groups",
                                                   .prepare = prepare,
                                                   .begin_run = begin_run,
                                                   .end_run = end_run,
                                                   .begin = begin,
                                                   .end = end,
                                                   .run_group = run_group};
static const struct sch_exec_engine with_spans = {.name = "spans",
                                                  .prepare = prepare,
                                                  .begin_run = begin_run,
                                                  .end_run = end_run,
                                                  .begin = begin,
                                                  .end = end,
                                                  .run_group = run_group,
                                                  .run_span = run_span};
static const struct sch_exec_engine bare = {.name = "bare", .prepare = prepare, .run_group = run_group};

/* ---- programs and runs ---- */

static struct sch_exec_program *make(const char *text, const struct sch_exec_engine *engine)
{
    const struct sch_exec_options options = {.engine = engine};
    struct sch_exec_program *program = exec_program(text, &options);
    memset(&seen, 0, sizeof seen);
    memset(&plan, 0, sizeof plan);
    return program;
}

/* Only what is not NULL is looked at: no thread of it is wanted. */
static struct sch_pool *const some_pool = (struct sch_pool *)&seen;

#define VERTEX  "VERT\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n"
#define COMPUTE "COMP\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n"
#define WRITES  "COMP\nDCL BUFFER[0]\nDCL TEMP[0]\nSTORE BUFFER[0].x, TEMP[0], TEMP[0]\nEND\n"
#define WAITS   "COMP\nDCL TEMP[0]\nBARRIER\nMOV TEMP[0], TEMP[0]\nEND\n"
#define PIXELS  "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n"

static enum sch_result run(const struct sch_exec_program *program, uint32_t count,
                           const struct sch_run_options *options, struct sch_run_report *report)
{
    const struct sch_invocations given = {.count = count};
    const uint32_t grid[3] = {count, 1, 1}, block[3] = {1, 1, 1};
    memset(&seen, 0, sizeof seen);
    if (program->prepared.stage == SCH_STAGE_COMPUTE) return sch_run_grid(program, NULL, grid, block, options, report);
    return sch_run_invocations(program, NULL, &given, options, report);
}

static enum sch_result run_block(const struct sch_exec_program *program, uint32_t groups, uint32_t threads,
                                 const struct sch_run_options *options, struct sch_run_report *report)
{
    const uint32_t grid[3] = {groups, 1, 1}, block[3] = {threads, 1, 1};
    memset(&seen, 0, sizeof seen);
    return sch_run_grid(program, NULL, grid, block, options, report);
}

static void expect(const char *what, size_t row, uint64_t got, uint64_t wanted)
{
    if (got != wanted)
        fail_msg("%s, row %zu: %llu, not %llu", what, row, (unsigned long long)got, (unsigned long long)wanted);
}

/* ---- threads ---- */

/* As many as are asked for, as there are units, as a pool has; one without a pool or where the order can be seen. */
static void threads_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t count, threads;
        bool unordered, no_pool;
        unsigned workers;
    } rows[] = {{COMPUTE, 5, 0, false, false, 1},       {COMPUTE, 5, 1, false, false, 1},
                {COMPUTE, 5, 4, false, false, 4},       {COMPUTE, 5, 5, false, false, 5},
                {COMPUTE, 5, 6, false, false, 5},       {COMPUTE, 5, 4, false, true, 1},
                {COMPUTE, 300, 255, false, false, 255}, {COMPUTE, 300, 256, false, false, 256},
                {COMPUTE, 300, 257, false, false, 256}, {WRITES, 5, 3, false, false, 1},
                {WRITES, 5, 3, true, false, 3},         {WRITES, 5, 3, true, true, 1},
                {WRITES, 1, 3, true, false, 1},         {COMPUTE, 5, 3, true, false, 3},
                {VERTEX, 64, 4, false, false, 2},       {VERTEX, 65, 4, false, false, 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_exec_program *program = make(rows[i].text, &groups_only);
        const struct sch_run_options options = {
            .pool = rows[i].no_pool ? NULL : some_pool, .threads = rows[i].threads, .unordered = rows[i].unordered};
        assert_int_equal(run(program, rows[i].count, &options, NULL), SCH_OK);
        expect("threads", i, seen.workers, rows[i].workers);
        expect("begins", i, seen.begins, rows[i].workers);
        expect("ends", i, seen.ends, rows[i].workers);
        uint32_t groups = program->prepared.stage == SCH_STAGE_COMPUTE ? rows[i].count : (rows[i].count + 31) / 32;
        expect("groups", i, seen.count, groups);
        sch_exec_destroy(program);
    }
    struct sch_exec_program *program = make(COMPUTE, &bare); /* no options, an engine that only runs groups */
    assert_int_equal(run(program, 5, NULL, NULL), SCH_OK);
    assert_int_equal(seen.workers, 1);
    assert_int_equal(seen.count, 5);
    sch_exec_destroy(program);
}

/* All groups together less than 256 instructions: the calling thread ends them before another one begins. Not where
 * instructions may be repeated, nor where units see each other's writes. */
static void little_work_is_the_callers(void **state)
{
    (void)state;
    static const char loop[] = "COMP\nDCL TEMP[0]\nBGNLOOP\nBRK\nENDLOOP\nEND\n";
    static const char call[] = "COMP\nDCL TEMP[0]\n0: CAL :2\n1: END\n2: BGNSUB\n3: RET\n4: ENDSUB\n";
    static const struct {
        const char *text;
        uint32_t groups, threads; /* work groups, of so many threads; MOV and END cost 3 a group of 32 */
        bool pooled;
    } rows[] = {{COMPUTE, 2, 1, false},   {COMPUTE, 85, 1, false}, {COMPUTE, 86, 1, true}, {COMPUTE, 2, 1024, false},
                {COMPUTE, 3, 1024, true}, {loop, 2, 1, true},      {call, 2, 1, true},     {WRITES, 2, 1, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_exec_program *program = make(rows[i].text, &bare);
        const struct sch_run_options options = {.pool = some_pool, .threads = 2, .unordered = true};
        expect("status", i, run_block(program, rows[i].groups, rows[i].threads, &options, NULL), SCH_OK);
        expect("workers", i, seen.workers, 2);
        expect("pooled", i, seen.pooled, rows[i].pooled);
        sch_exec_destroy(program);
    }
}

/* Ranges of neighbours, the first ones one longer where it does not come out even. */
static void ranges_are_dealt(void **state)
{
    (void)state;
    static const uint32_t shares[][4] = {{3, 3, 2, 2}, {2, 2, 2, 2}, {2, 1, 1, 1}, {1, 1, 1, 1}};
    static const uint32_t units[] = {10, 8, 5, 4};
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    const struct sch_run_options options = {.pool = some_pool, .threads = 4};
    for (size_t i = 0; i < COUNT(units); i++) {
        assert_int_equal(run(program, 32 * units[i] - 3, &options, NULL), SCH_OK);
        uint32_t at = 0;
        for (uint32_t t = 0; t < 4; t++)
            for (uint32_t n = 0; n < shares[i][t]; n++, at++) {
                expect("part", i, seen.events[at].part, t);
                expect("first", i, seen.events[at].first, 32 * (uint64_t)at);
                expect("present", i, seen.events[at].present, at + 1 == units[i] ? UINT32_MAX >> 3 : UINT32_MAX);
            }
        expect("groups", i, seen.count, at);
    }
    sch_exec_destroy(program);
}

/* ---- parts ---- */

/* A vertex program's instructions of a group, as parts are cut by. */
enum { VERTEX_COST = 1 + 2, LEAST_COST = 512, MOST_PARTS = 8 };

/* A share is cut into parts that are worth it, eight at most: each of units that follow each other, in their order. */
static void shares_are_cut(void **state)
{
    (void)state;
    static const uint32_t units[] = {1, 127, 341, 342, 512, 513, 683, 684, 1024, 1025, 1371, 2000, 4095, 6000};
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (size_t i = 0; i < COUNT(units); i++) {
            const struct sch_run_options options = {.pool = some_pool, .threads = threads};
            const uint32_t workers = units[i] < threads ? units[i] : threads;
            uint32_t parts = units[i] / workers * VERTEX_COST / LEAST_COST, at = 0;
            parts = workers * (workers == 1 || parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts);
            assert_int_equal(run(program, 32 * units[i], &options, NULL), SCH_OK);
            expect("groups", i, seen.count, units[i]);
            for (uint32_t p = 0; p < parts; p++)
                for (uint32_t n = 0; n < units[i] / parts + (p < units[i] % parts); n++, at++) {
                    expect("part", i, seen.events[at].part, p);
                    expect("first", i, seen.events[at].first, 32 * (uint64_t)at);
                }
        }
    sch_exec_destroy(program);
}

/* Whoever comes first does its own share, then those of others; who comes when makes no difference to the report. */
static void workers_help_each_other(void **state)
{
    (void)state;
    enum { UNITS = 4200, PARTS = 3 * MOST_PARTS };
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    const struct sch_run_options options = {.pool = some_pool, .threads = 3};
    plan.backwards = true;
    assert_int_equal(run(program, 32 * UNITS, &options, NULL), SCH_OK);
    expect("groups", 0, seen.count, UNITS);
    for (uint32_t i = 0, p = 2 * MOST_PARTS; i < UNITS; i++) {
        if (i && seen.events[i].part != seen.events[i - 1].part) p = (p + 1) % PARTS;
        expect("part", i, seen.events[i].part, p);
    }
    plan.cost = 7;
    plan.with = SCH_ERROR_ABORTED;
    plan.lane = 5;
    for (uint32_t failing = 0; failing < UNITS; failing += failing < 50 || failing > UNITS - 50 ? 1 : 97)
        for (unsigned order = 0; order < 2; order++) {
            struct sch_run_report report;
            plan.failing = 32 * failing;
            plan.backwards = order;
            assert_int_equal(run(program, 32 * UNITS, &options, &report), SCH_ERROR_ABORTED);
            expect("invocation", failing, report.invocation, 32 * failing + 5);
            expect("instructions", failing, report.instructions, 7 * (uint64_t)(failing + 1));
        }
    sch_exec_destroy(program);
}

/* Of a rectangle whose rows are whole groups, parts are of whole rows, unless that makes too few of them. */
static void parts_are_of_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height, grain;
    } rows[] = {{256, 256, 16}, {256, 34, 16}, {256, 30, 1}, {48, 512, 3}, {40, 512, 1}, {16, 2048, 1}};
    struct sch_exec_program *program = make(PIXELS, &groups_only);
    const struct sch_run_options options = {.pool = some_pool, .threads = 2};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct sch_rectangle rectangle = {.width = rows[i].width, .height = rows[i].height};
        bool whole = true;
        memset(&seen, 0, sizeof seen);
        assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, &options, NULL), SCH_OK);
        expect("groups", i, seen.count, (rows[i].width / 2 * (rows[i].height / 2) + 7) / 8);
        for (unsigned n = 1; n < seen.count; n++)
            if (seen.events[n].part != seen.events[n - 1].part) whole = whole && n % rows[i].grain == 0;
        assert_true(whole);
    }
    sch_exec_destroy(program);
}

/* The least limit at which `threads` threads run. */
static uint64_t least_memory(const char *text, uint32_t block, bool heat, const struct sch_run_options *given,
                             unsigned threads)
{
    static uint32_t texels[256];
    struct sch_exec_program *program = make(text, &groups_only);
    struct sch_run_options options = *given;
    uint64_t low = 1, high = UINT64_C(1) << 30; /* not at low, at high */
    options.pool = some_pool;
    options.threads = 8;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        const struct sch_invocations work = {.count = 256, .texels_read = heat ? texels : NULL};
        program->prepared.limits.memory = middle;
        memset(&seen, 0, sizeof seen);
        if (program->prepared.stage == SCH_STAGE_COMPUTE)
            run_block(program, 8, block, &options, NULL);
        else
            sch_run_invocations(program, NULL, &work, &options, NULL);
        if (seen.workers >= threads)
            high = middle;
        else
            low = middle;
    }
    sch_exec_destroy(program);
    return high;
}

#define OWN "COMP\nDCL MEMORY[0], PRIVATE\nDCL MEMORY[1], SHARED\nDCL TEMP[0..9]\n"

/* Half of the limit is for the threads, each of which needs its machines: their registers, their masks, their
 * memory. */
static void threads_fit_in_memory(void **state)
{
    (void)state;
    enum { REGISTER = 4 * sizeof(struct sch_lanes), OF_IF = sizeof(struct sch_exec_frame) };
    struct sch_run_options options = {.private_bytes = 16384, .shared_bytes = 1024};
    const uint64_t base = least_memory(OWN "MOV TEMP[0], TEMP[0]\nEND\n", 32, false, &options, 2) / 4;
    const uint64_t known = sizeof(struct sch_exec_machine) + REGISTER + UINT64_C(32) * 16384 + 1024;
    assert_in_range(base, known, known + 256); /* and some words */
    assert_int_equal(least_memory(OWN "MOV TEMP[0], TEMP[0]\nEND\n", 32, false, &options, 3), 6 * base);
    assert_int_equal(least_memory(OWN "MOV TEMP[0], TEMP[0]\nEND\n", 32, false, &options, 5), 10 * base);
    assert_int_equal(least_memory(OWN "MOV TEMP[7], TEMP[0]\nEND\n", 32, false, &options, 2) / 4, base + 7 * REGISTER);
    assert_int_equal(
        least_memory(OWN "UIF TEMP[0].xxxx\nUIF TEMP[0].xxxx\nENDIF\nENDIF\nEND\n", 32, false, &options, 2) / 4,
        base + 2 * OF_IF);
    options.shared_bytes = 1024 + 64;
    assert_int_equal(least_memory(OWN "MOV TEMP[0], TEMP[0]\nEND\n", 32, false, &options, 2) / 4, base + 64);
    options.private_bytes = 16384 + 4;
    assert_int_equal(least_memory(OWN "MOV TEMP[0], TEMP[0]\nEND\n", 32, false, &options, 2) / 4, base + 64 + 128);
    /* Groups that wait for each other have a machine each. */
    const struct sch_run_options small = {.private_bytes = 16384, .shared_bytes = 1024};
    const uint64_t machine = sizeof(struct sch_exec_machine) + REGISTER + UINT64_C(32) * 16384;
    assert_int_equal(least_memory(OWN "MOV TEMP[0], TEMP[0]\nBARRIER\nEND\n", 96, false, &small, 2) / 4,
                     base + 2 * machine);
    assert_int_equal(least_memory(OWN "MOV TEMP[0], TEMP[0]\nEND\n", 96, false, &small, 2) / 4, base);
    /* Counts of texels cost their place. */
#define MANY "VERT\nDCL TEMP[0..999]\nMOV TEMP[999], TEMP[0]\nEND\n"
    const uint64_t plain = least_memory(MANY, 32, false, &small, 2) / 4;
    assert_int_equal(least_memory(MANY, 32, true, &small, 2) / 4, plain + sizeof(struct sch_exec_heat));
}

/* ---- the report ---- */

/* The lowest group that fails, whatever the order of the threads; what is above it does not count. */
static void failures_are_reported(void **state)
{
    (void)state;
    static const struct {
        enum sch_result with;
        bool place;
    } rows[] = {{SCH_ERROR_BUDGET, true},  {SCH_ERROR_BARRIER, true},   {SCH_ERROR_ABORTED, true},
                {SCH_ERROR_WORK, true},    {SCH_ERROR_DEADLINE, true},  {SCH_ERROR_CANCELLED, true},
                {SCH_ERROR_MEMORY, false}, {SCH_ERROR_INTERNAL, false}, {SCH_ERROR_UNSUPPORTED, false}};
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (uint32_t threads = 1; threads <= 3; threads++)
            for (unsigned order = 0; order < 2; order++) {
                const struct sch_run_options options = {.pool = some_pool, .threads = threads};
                struct sch_run_report report = {.invocation = 99, .instruction = 99};
                plan.cost = 10;
                plan.with = rows[i].with;
                plan.failing = 4 * 32;
                plan.lane = 7;
                plan.backwards = order;
                assert_int_equal(run(program, 9 * 32, &options, &report), rows[i].with);
                expect("invocation", i, report.invocation, rows[i].place ? 4 * 32 + 7 : 0);
                expect("instruction", i, report.instruction, rows[i].place);
                expect("line", i, report.position.line, rows[i].place ? 4 : 0);
                expect("instructions", i, report.instructions, 50);
            }
    plan.lane = UINT32_MAX; /* more than a number can say */
    plan.with = SCH_ERROR_BUDGET;
    struct sch_run_report report;
    run(program, 9 * 32, NULL, &report);
    assert_int_equal(report.invocation, UINT32_MAX);
    plan.lane = UINT32_MAX - 4 * 32;
    run(program, 9 * 32, NULL, &report);
    assert_int_equal(report.invocation, UINT32_MAX);
    plan.lane--;
    run(program, 9 * 32, NULL, &report);
    assert_int_equal(report.invocation, UINT32_MAX - 1);
    plan.with = SCH_OK;
    assert_int_equal(run(program, 9 * 32, NULL, &report), SCH_OK);
    assert_int_equal(report.instructions, 90);
    assert_int_equal(report.invocation + report.instruction + report.position.line, 0);
    report.instructions = 99;
    assert_int_equal(run(program, 0, NULL, &report), SCH_OK);
    assert_int_equal(report.instructions, 0);
    assert_int_equal(seen.begins, 0);
    sch_exec_destroy(program);
}

/* In a grid: the work group's first invocation, that of the group in it, and the lane. */
static void invocations_of_grids(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(COMPUTE, &groups_only);
    struct sch_run_report report;
    plan.with = SCH_ERROR_ABORTED;
    plan.lane = 3;
    plan.failing = 64; /* of a work group of 70 */
    assert_int_equal(run_block(program, 4, 70, NULL, &report), SCH_ERROR_ABORTED);
    assert_int_equal(report.invocation, 64 + 3);
    assert_int_equal(seen.count, 3);
    static const uint32_t present[] = {UINT32_MAX, UINT32_MAX, 63};
    for (size_t i = 0; i < 3; i++) {
        expect("first", i, seen.events[i].first, 32 * i);
        expect("present", i, seen.events[i].present, present[i]);
    }
    sch_exec_destroy(program);
}

/* What an engine refuses is told by the summary of its number, at the instruction. */
static void refusals_are_told(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    for (unsigned refused = 0; refused < 2; refused++)
        for (unsigned with = 0; with < 2; with++) {
            struct sch_diagnostics list;
            sch_diagnostics_init(&list, &sch_allocator_libc, 8);
            const struct sch_run_options options = {.diagnostics = &list};
            plan.with = with ? SCH_ERROR_UNSUPPORTED : SCH_ERROR_MEMORY;
            plan.refused = refused ? SCH_D_UNSUPPORTED_OPERAND : 0;
            assert_int_equal(run(program, 32, &options, NULL), plan.with);
            assert_int_equal(list.count, refused && with);
            if (refused && with) {
                assert_int_equal(list.items[0].code, SCH_D_UNSUPPORTED_OPERAND);
                assert_int_equal(list.items[0].severity, SCH_SEVERITY_ERROR);
                assert_int_equal(list.items[0].position.line, 4);
                assert_string_equal(list.items[0].message, "operands of this kind are not executed yet");
            }
            sch_diagnostics_release(&list);
        }
    sch_exec_destroy(program);
}

/* Engines end whatever they have begun, and what has failed to begin; a run that has a state, too. */
static void engines_are_ended(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(WAITS, &groups_only);
    const struct sch_run_options options = {.pool = some_pool, .threads = 3};
    for (plan.begin_fails = 0; plan.begin_fails <= 9; plan.begin_fails++) {
        const enum sch_result wanted = plan.begin_fails ? SCH_ERROR_INTERNAL : SCH_OK;
        plan.run_state = plan.begin_fails % 2;
        assert_int_equal(run_block(program, 3, 96, &options, NULL), wanted);
        expect("begins", plan.begin_fails, seen.begins, plan.begin_fails ? plan.begin_fails : 9);
        expect("ends", plan.begin_fails, seen.ends, plan.begin_fails ? (plan.begin_fails + 2) / 3 * 3 : 9);
        expect("runs", plan.begin_fails, seen.run_begins, 1);
        expect("runs that end", plan.begin_fails, seen.run_ends, plan.run_state);
        expect("threads", plan.begin_fails, seen.workers, plan.begin_fails ? 0 : 3);
    }
    plan.begin_fails = 0;
    plan.run_fails = plan.run_state = true;
    assert_int_equal(run_block(program, 3, 96, &options, NULL), SCH_ERROR_INTERNAL);
    assert_int_equal(seen.begins + seen.ends + seen.workers, 0);
    assert_int_equal(seen.run_ends, 1);
    sch_exec_destroy(program);
}

/* ---- groups that wait ---- */

static const struct sch_exec_program *waiting;
static unsigned rounds[4]; /* BARRIERs that each group still waits at */

static void wait_again(struct sch_exec_machine *machine)
{
    unsigned *left = &rounds[machine->group.first / 32];
    if (!*left) return;
    --*left;
    machine->group.at = 1;
}

/* Each group to its BARRIER, ascending, then on; instructions are counted in the same order. */
static void groups_wait_for_each_other(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(WAITS, &groups_only);
    struct sch_run_report report;
    waiting = program;
    plan.inside = wait_again;
    plan.cost = 5;
    for (unsigned g = 0; g < 3; g++) rounds[g] = 2;
    assert_int_equal(run_block(program, 1, 96, NULL, &report), SCH_OK);
    assert_int_equal(seen.count, 9);
    assert_int_equal(report.instructions, 45);
    for (uint32_t i = 0; i < 9; i++) {
        expect("group", i, seen.events[i].first, i % 3 * 32);
        expect("executed before", i, seen.events[i].executed, i / 3 * 5); /* by this group */
    }
    /* One that ends where others wait, or waits where others have ended, is the one that fails. */
    static const unsigned turns[][3] = {{1, 0, 1}, {1, 1, 0}, {0, 1, 1}, {0, 0, 1}};
    static const uint32_t failing[] = {32, 64, 0, 0};
    for (size_t r = 0; r < COUNT(turns); r++) {
        memcpy(rounds, turns[r], sizeof turns[r]);
        assert_int_equal(run_block(program, 1, 96, NULL, &report), SCH_ERROR_BARRIER);
        expect("invocation", r, report.invocation, failing[r]);
        expect("instruction", r, report.instruction, 0);
        expect("line", r, report.position.line, 3);
        expect("instructions", r, report.instructions, 15);
    }
    /* A failure behind the BARRIER, in the second work group. */
    for (unsigned g = 0; g < 3; g++) rounds[g] = 1;
    plan.inside = NULL;
    plan.with = SCH_ERROR_BUDGET;
    plan.failing = 32;
    plan.lane = 4;
    assert_int_equal(run_block(program, 2, 70, NULL, &report), SCH_ERROR_BUDGET);
    assert_int_equal(report.invocation, 36);
    assert_int_equal(report.instructions, 10);
    sch_exec_destroy(program);
}

/* ---- what machines are made of ---- */

static void look_inside(struct sch_exec_machine *machine)
{
    const struct sch_memory_view *own = &machine->memory[SCH_MEMORY_PRIVATE];
    const struct sch_memory_view *shared = &machine->memory[SCH_MEMORY_SHARED];
    assert_int_equal(own->bytes, 48);
    assert_int_equal(own->lane_bytes, 48);
    assert_true(own->writable && shared->writable && !own->concurrent && !shared->concurrent);
    assert_int_equal(shared->bytes, 80);
    assert_int_equal(shared->lane_bytes, 0);
    /* Each group's own memory is zero when it begins, a work group's when its first group does. */
    for (size_t i = 0; i < 48 * 32; i++) assert_int_equal(own->data[i], 0);
    for (size_t i = 0; i < 80; i++) assert_int_equal(shared->data[i], machine->group.first ? 0xee : 0);
    memset(own->data, 0xee, 48 * 32);
    memset(shared->data, 0xee, 80);
}

static void machines_have_memory(void **state)
{
    (void)state;
    static uint32_t outside[9];
    struct sch_exec_program *program = make(OWN "MOV TEMP[0], TEMP[0]\nEND\n", &groups_only);
    const uint32_t grid[3] = {2, 1, 1}, block[3] = {64, 1, 1};
    struct sch_run_options options = {.private_bytes = 48, .shared_bytes = 80};
    const struct sch_exec_bindings bindings = {.global_memory = {outside, 20}, .input_memory = {outside + 5, 16}};
    plan.inside = look_inside;
    assert_int_equal(sch_run_grid(program, &bindings, grid, block, &options, NULL), SCH_OK);
    assert_int_equal(seen.count, 4);
    sch_exec_destroy(program);

    enum { MOST = 1 << 30 };
    static const struct {
        uint32_t own, shared;
        enum sch_result status;
    } rows[] = {{MOST + 1, 4, SCH_ERROR_LIMIT}, {4, MOST + 1, SCH_ERROR_LIMIT}, {MOST, 4, SCH_OK}, {4, MOST, SCH_OK}};
    program = make(COMPUTE, &groups_only); /* that declares none: no memory is taken */
    for (size_t i = 0; i < COUNT(rows); i++) {
        options = (struct sch_run_options){.private_bytes = rows[i].own, .shared_bytes = rows[i].shared};
        expect("status", i, run(program, 1, &options, NULL), rows[i].status);
    }
    sch_exec_destroy(program);
}

static const struct sch_exec_bindings *bound;
static uint64_t wanted_budget, wanted_room, wanted_work;
static bool wanted_quads, wanted_heat, wanted_concurrent;
static uint32_t wanted_vertices;
static const char *wanted_source;

static void look_at_members(struct sch_exec_machine *machine)
{
    const struct sch_memory_view *global = &machine->memory[SCH_MEMORY_GLOBAL];
    const struct sch_memory_view *input = &machine->memory[SCH_MEMORY_INPUT];
    assert_int_equal(machine->budget, wanted_budget);
    assert_int_equal(machine->group.first_room, wanted_room);
    assert_int_equal(machine->work_end, wanted_work);
    assert_int_equal(machine->quads, wanted_quads);
    assert_int_equal(machine->heat != NULL, wanted_heat);
    assert_int_equal(machine->lookups == machine->ops, !wanted_heat);
    if (wanted_heat) assert_ptr_equal(machine->lookups, sch_ops_traced());
    assert_int_equal(machine->group.input_vertices, wanted_vertices);
    assert_int_equal(machine->group.concurrent, wanted_concurrent);
    assert_ptr_equal(machine->source, machine->job->source);
    assert_string_equal(machine->source->kind->name, wanted_source);
    assert_ptr_equal(machine->bindings, bound);
    assert_ptr_equal(machine->run_state, &plan);
    assert_ptr_equal(machine->ops, machine->program->ops);
    assert_null(machine->memory[SCH_MEMORY_PRIVATE].data);
    assert_int_equal(machine->memory[SCH_MEMORY_SHARED].bytes, 0);
    assert_ptr_equal(global->data, bound ? bound->global_memory.data : NULL);
    assert_int_equal(global->bytes, bound ? bound->global_memory.bytes : 0);
    assert_int_equal(global->writable, bound != NULL);
    assert_int_equal(global->concurrent, wanted_concurrent);
    assert_ptr_equal(input->data, bound ? bound->input_memory.data : NULL);
    assert_int_equal(input->bytes, bound ? bound->input_memory.bytes : 0);
    assert_false(input->writable || input->concurrent);
}

static void machines_know_their_run(void **state)
{
    (void)state;
    static uint32_t outside[9], texels[64];
    static float lods[64];
    static const struct sch_exec_bindings bindings = {.global_memory = {outside, 20},
                                                      .input_memory = {outside + 5, 16}};
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    struct sch_invocations given = {.count = 40};
    struct sch_run_options options = {0};
    plan.inside = look_at_members;
    plan.run_state = true;
    wanted_source = "invocations";
    for (unsigned i = 0; i < 64; i++) {
        given.quads = wanted_quads = i & 1;
        given.texels_read = i & 2 ? texels : NULL;
        given.greatest_lods = i & 4 ? lods : NULL;
        wanted_heat = (i & 6) != 0;
        given.input_vertices = i & 8 ? 3 : 0;
        wanted_vertices = i & 8 ? 3 : 1;
        bound = i & 16 ? &bindings : NULL;
        options.work = i & 32 ? 1000 : 0;
        wanted_work = i & 32 ? 1000 : UINT64_MAX;
        options.budget = i;
        wanted_budget = i ? i : 1 << 20;
        wanted_room = wanted_budget;
        assert_int_equal(sch_run_invocations(program, bound, &given, i ? &options : NULL, NULL), SCH_OK);
        assert_int_equal(seen.events[seen.count - 1].present, 0xff);
        /* Nothing was looked up. */
        for (unsigned n = 0; n < 40 && wanted_heat; n++) {
            if (given.texels_read) assert_int_equal(texels[n], 0);
            if (given.greatest_lods) assert_true(lods[n] == -128.0f);
        }
    }
    static const uint64_t budgets[] = {SCH_GROUP_MOST_STEPS - 1, SCH_GROUP_MOST_STEPS, SCH_GROUP_MOST_STEPS + 1,
                                       UINT64_MAX};
    for (size_t i = 0; i < COUNT(budgets); i++) {
        options.budget = wanted_budget = budgets[i];
        wanted_room = i ? SCH_GROUP_MOST_STEPS : SCH_GROUP_MOST_STEPS - 1;
        assert_int_equal(sch_run_invocations(program, bound, &given, &options, NULL), SCH_OK);
    }
    sch_exec_destroy(program);

    /* Memory is shared with others where several threads write it. */
    program = make(WRITES, &groups_only);
    plan.inside = look_at_members;
    plan.run_state = true;
    bound = &bindings;
    wanted_source = "grid";
    wanted_quads = wanted_heat = false;
    wanted_vertices = 1;
    wanted_work = UINT64_MAX;
    wanted_room = wanted_budget = 1 << 20;
    const uint32_t grid[3] = {4, 1, 1}, block[3] = {1, 1, 1};
    for (unsigned threads = 1; threads <= 2; threads++) {
        const struct sch_run_options unordered = {.pool = some_pool, .threads = threads, .unordered = true};
        wanted_concurrent = threads > 1;
        assert_int_equal(sch_run_grid(program, bound, grid, block, &unordered, NULL), SCH_OK);
    }
    wanted_concurrent = false;
    sch_exec_destroy(program);
}

/* ---- ends that come early ---- */

/* The clock and the flag are looked at every 2^14 instructions, between groups too. */
static void flags_are_seen_in_time(void **state)
{
    (void)state;
    static const struct {
        uint64_t cost;
        unsigned after, ran;
    } rows[] = {{1, 1, 1},       {1 << 14, 1, 1},       {1 << 14, 3, 3},      {(1 << 14) - 1, 1, 2},
                {1 << 13, 1, 2}, {1 << 13, 2, 2},       {1 << 12, 1, 4},      {1 << 12, 5, 8},
                {1 << 15, 4, 4}, {(1 << 13) + 1, 1, 2}, {(1 << 12) + 1, 1, 4}};
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    for (size_t i = 1; i < COUNT(rows); i++) {
        uint32_t flag = 0;
        const struct sch_run_options options = {.cancel = &flag};
        struct sch_run_report report;
        plan.cost = rows[i].cost;
        plan.flag_at = &flag;
        plan.flag_after = rows[i].after;
        assert_int_equal(run(program, 32 * 40, &options, &report), SCH_ERROR_CANCELLED);
        expect("groups", i, seen.count, rows[i].ran);
        expect("invocation", i, report.invocation, 32 * rows[i].ran);
        expect("instructions", i, report.instructions, rows[i].cost * rows[i].ran);
        expect("line", i, report.position.line, 3);
    }
    /* The flag is up, the time is over: nothing is done. */
    uint32_t up = 1;
    const struct sch_run_options cancelled = {.cancel = &up}, late = {.deadline = 1};
    const struct sch_run_options in_time = {.deadline = UINT64_MAX};
    struct sch_run_report report;
    plan.flag_at = NULL;
    assert_int_equal(run(program, 64, &cancelled, &report), SCH_ERROR_CANCELLED);
    assert_int_equal(seen.count, 0);
    assert_int_equal(report.position.line, 3);
    assert_int_equal(run(program, 64, &late, &report), SCH_ERROR_DEADLINE);
    assert_int_equal(seen.count, 0);
    assert_int_equal(run(program, 64, &in_time, &report), SCH_OK);
    assert_int_equal(seen.count, 2);
    sch_exec_destroy(program);
}

/* Work ends at its instruction however the units are dealt; what runs again for that begins near the end. */
static void work_ends_where_it_does(void **state)
{
    (void)state;
    enum { UNITS = 600 };
    struct sch_exec_program *program = make(VERTEX, &groups_only);
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (unsigned i = 0; i < 60; i++) {
            static const uint64_t costs[] = {10, 40000, 70000, 1 << 16, 300000};
            plan.cost = costs[i % 5];
            const uint64_t all = UNITS * plan.cost, passed = i < 50 ? all / 50 * i + i : all - 55 + i;
            const struct sch_run_options options = {.pool = some_pool, .threads = threads, .work = passed};
            struct sch_run_report report;
            const bool ends = passed && passed < all;
            plan.backwards = i % 3 == 1;
            assert_int_equal(run(program, 32 * UNITS, &options, &report), ends ? SCH_ERROR_WORK : SCH_OK);
            expect("instructions", i, report.instructions, ends ? passed : all);
            if (!ends) continue;
            expect("invocation", i, report.invocation, passed / plan.cost * 32);
            /* Marks: at most 32, every 2^16 instructions or, in long runs, twice that and so on. */
            unsigned extra = 0;
            for (unsigned e = 1; e < seen.count; e++)
                if (seen.events[e].first < seen.events[e - 1].first) extra = seen.count - e;
            uint64_t range = (UNITS + threads - 1) / threads * plan.cost;
            uint64_t apart = range > 32 * 65536 ? range / 16 : 2 * 65536;
            if (!plan.backwards && (extra ? extra - 1 : 0) * plan.cost > apart + plan.cost)
                fail_msg("row %u, %u threads: %u groups of %llu run again", i, threads, extra,
                         (unsigned long long)plan.cost);
        }
    sch_exec_destroy(program);
}

/* Units that write at once cannot run again: where the sum is passed is not said, but the sum is right. */
static void work_of_what_cannot_be_repeated(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(WRITES, &groups_only);
    struct sch_run_report report;
    plan.cost = 10;
    for (uint64_t work = 1; work < 125; work++) {
        const struct sch_run_options options = {.pool = some_pool, .threads = 3, .unordered = true, .work = work};
        assert_int_equal(run(program, 12, &options, &report), work < 120 ? SCH_ERROR_WORK : SCH_OK);
        expect("instructions", work, report.instructions, work < 120 ? work : 120);
        assert_true(seen.count <= 12);
        if (work >= 120 || work < 40) continue;
        /* The end of the program, of the last unit of the thread that passes the bound. */
        expect("instruction", work, report.instruction, program->prepared.instruction_count);
        expect("invocation", work, report.invocation, work / 40 * 4 + 3);
    }
    sch_exec_destroy(program);
}

/* ---- grids ---- */

static void grids_have_limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t grid[3], block[3];
        enum sch_result status;
        uint32_t units, groups;
    } rows[] = {{{0, 0, 0}, {0, 0, 0}, SCH_OK, 1, 1},
                {{2, 3, 4}, {33, 1, 1}, SCH_OK, 24, 2},
                {{1, 1, 1}, {32, 1, 1}, SCH_OK, 1, 1},
                {{1, 1, 1}, {1, 1, 65536}, SCH_OK, 1, 2048},
                {{1, 1, 1}, {256, 256, 1}, SCH_OK, 1, 2048},
                {{1, 1, 1}, {256, 257, 1}, SCH_ERROR_LIMIT, 0, 0},
                {{1, 1, 1}, {1, 65537, 1}, SCH_ERROR_LIMIT, 0, 0},
                {{1, 1, 1}, {65536, 65536, 65536}, SCH_ERROR_LIMIT, 0, 0},
                {{1, 1, 1}, {1, 1, UINT32_MAX}, SCH_ERROR_LIMIT, 0, 0},
                {{1, 1, 1}, {2, UINT32_MAX / 2 + 2, 1}, SCH_ERROR_LIMIT, 0, 0},
                {{UINT32_MAX, UINT32_MAX, 3}, {1, 1, 1}, SCH_ERROR_LIMIT, 0, 0}};
    struct sch_exec_program *program = make(COMPUTE, &groups_only);
    for (size_t i = 0; i < COUNT(rows); i++) {
        memset(&seen, 0, sizeof seen);
        expect("status", i, sch_run_grid(program, NULL, rows[i].grid, rows[i].block, NULL, NULL), rows[i].status);
        expect("groups", i, seen.count, rows[i].units * rows[i].groups);
    }
    sch_exec_destroy(program);

    /* A size that the program fixes may be left out, not changed. */
    program = make("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 5\nPROPERTY CS_FIXED_BLOCK_DEPTH 20\nEND\n", &groups_only);
    static const uint32_t grid[3], blocks[][3] = {{0, 0, 0}, {5, 1, 20}, {0, 2, 0}, {1, 0, 0}, {0, 0, 1}, {5, 1, 19}};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        memset(&seen, 0, sizeof seen);
        expect("status", i, sch_run_grid(program, NULL, grid, blocks[i], NULL, NULL),
               i < 3 ? SCH_OK : SCH_ERROR_ARGUMENT);
        expect("groups", i, seen.count, i < 2 ? 4 : i == 2 ? 7 : 0);
    }
    /* Each stage has its own way to run. */
    const struct sch_rectangle pixels = {.width = 2, .height = 2};
    assert_int_equal(sch_run_rectangle(program, NULL, &pixels, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_exec_destroy(program);
    program = make(VERTEX, &groups_only);
    assert_int_equal(sch_run_grid(program, NULL, grid, grid, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_exec_destroy(program);
}

/* ---- spans ---- */

/* Rectangles of rows of groups: the engine is asked for spans, as long as the caller waits for nothing. */
static void spans_are_asked_for(void **state)
{
    (void)state;
    static const uint32_t none;
    struct sch_exec_program *program = make(PIXELS, &with_spans);
    const struct sch_rectangle rectangle = {.width = 64, .height = 64}; /* 4 groups a row, 32 rows */
    struct sch_run_options options = {0};
    struct sch_run_report report;
    plan.cost = 2;
    assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, NULL, &report), SCH_OK);
    assert_int_equal(seen.count, 2); /* 16 rows at a time */
    for (unsigned i = 0; i < 2; i++) {
        expect("groups", i, seen.events[i].groups, 64);
        expect("first", i, seen.events[i].first, 64 * 32 * (uint64_t)i);
        expect("present", i, seen.events[i].present, UINT32_MAX);
    }
    assert_int_equal(report.instructions, 256);

    /* Of threads each has its range. */
    options = (struct sch_run_options){.pool = some_pool, .threads = 4};
    memset(&seen, 0, sizeof seen);
    assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, &options, &report), SCH_OK);
    assert_int_equal(seen.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        expect("part", i, seen.events[i].part, i);
        expect("groups", i, seen.events[i].groups, 32);
        expect("first", i, seen.events[i].first, 32 * 32 * (uint64_t)i);
    }

    /* A failure is the group's behind those that are done, whose place the engine says. */
    plan.with = SCH_ERROR_BUDGET;
    plan.failing = 32 * 32;
    plan.span_done = 5;
    plan.lane = 9;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, &options, &report), SCH_ERROR_BUDGET);
    assert_int_equal(report.invocation, 32 * 32 + 9);
    assert_int_equal(report.instructions, 128); /* of two threads */
    assert_int_equal(seen.count, 2);            /* those behind do not begin */
    plan.with = SCH_OK;

    /* Who waits gets short ones: 8192 instructions, counted as 1 + 2 of a group here. */
    options = (struct sch_run_options){.cancel = &none};
    const struct sch_rectangle wide = {.width = 32768, .height = 4};
    memset(&seen, 0, sizeof seen);
    assert_int_equal(sch_run_rectangle(program, NULL, &wide, &options, &report), SCH_OK);
    assert_int_equal(seen.events[0].groups, 2048);
    memset(&seen, 0, sizeof seen);
    program->prepared.extra_cost = 97; /* 1 + 2 + 97 */
    assert_int_equal(sch_run_rectangle(program, NULL, &wide, &options, &report), SCH_OK);
    assert_int_equal(seen.events[0].groups, 81);
    static const struct {
        uint64_t extra, groups;
    } costs[] = {{8192 - 4, 1}, {8192 - 3, 1}, {8192 - 2, 1}, {100000, 1}, {4096 - 3, 2}, {4097 - 3, 1}};
    for (size_t i = 0; i < COUNT(costs); i++) {
        memset(&seen, 0, sizeof seen);
        program->prepared.extra_cost = costs[i].extra;
        plan.no_spans = false;
        assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, &options, NULL), SCH_OK);
        expect("groups", i, seen.events[0].groups, costs[i].groups);
    }
    program->prepared.extra_cost = 97;
    options = (struct sch_run_options){.deadline = UINT64_MAX};
    memset(&seen, 0, sizeof seen);
    assert_int_equal(sch_run_rectangle(program, NULL, &wide, &options, NULL), SCH_OK);
    assert_int_equal(seen.events[0].groups, 81);
    options = (struct sch_run_options){.work = 1 << 20};
    memset(&seen, 0, sizeof seen);
    assert_int_equal(sch_run_rectangle(program, NULL, &wide, &options, NULL), SCH_OK);
    assert_int_equal(seen.events[0].groups, 81);

    /* An engine that cannot, or has none: one by one. */
    plan.no_spans = true;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, NULL, NULL), SCH_OK);
    assert_int_equal(seen.count, 128);
    for (unsigned i = 0; i < 128; i++) expect("first", i, seen.events[i].first, 32 * (uint64_t)i);
    sch_exec_destroy(program);
    program = make(PIXELS, &groups_only);
    assert_int_equal(sch_run_rectangle(program, NULL, &rectangle, NULL, NULL), SCH_OK);
    assert_int_equal(seen.count, 128);
    sch_exec_destroy(program);
}

/* The flag is looked at before a span, too, which hastens the look by what it costs. */
static void spans_are_cancelled(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(PIXELS, &with_spans);
    const struct sch_rectangle wide = {.width = 2048, .height = 64}; /* 128 groups a row */
    uint32_t flag = 0;
    const struct sch_run_options options = {.cancel = &flag};
    struct sch_run_report report;
    program->prepared.extra_cost = 125; /* 128 a group, 64 in a span: 8192 */
    plan.cost = 3;
    plan.flag_at = &flag;
    plan.flag_after = 1;
    assert_int_equal(sch_run_rectangle(program, NULL, &wide, &options, &report), SCH_ERROR_CANCELLED);
    assert_int_equal(seen.events[0].groups, 64);
    assert_int_equal(seen.count, 2); /* that make 2^14 together */
    assert_int_equal(report.invocation, 2 * 64 * 32);
    assert_int_equal(report.instructions, 2 * 64 * 3);
    sch_exec_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_counted),
        cmocka_unit_test(little_work_is_the_callers),
        cmocka_unit_test(ranges_are_dealt),
        cmocka_unit_test(shares_are_cut),
        cmocka_unit_test(workers_help_each_other),
        cmocka_unit_test(parts_are_of_rows),
        cmocka_unit_test(threads_fit_in_memory),
        cmocka_unit_test(failures_are_reported),
        cmocka_unit_test(invocations_of_grids),
        cmocka_unit_test(refusals_are_told),
        cmocka_unit_test(engines_are_ended),
        cmocka_unit_test(groups_wait_for_each_other),
        cmocka_unit_test(machines_have_memory),
        cmocka_unit_test(machines_know_their_run),
        cmocka_unit_test(flags_are_seen_in_time),
        cmocka_unit_test(work_ends_where_it_does),
        cmocka_unit_test(work_of_what_cannot_be_repeated),
        cmocka_unit_test(grids_have_limits),
        cmocka_unit_test(spans_are_asked_for),
        cmocka_unit_test(spans_are_cancelled),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
