/* Groups of a grid that run as spans (run/grid.c, jit/span.c): which do, counted, with the real compiler; and that all
 * that a program and its caller can see is what the interpreter makes of the same grid, one group after the other:
 * numbers of threads and work groups, bounds of buffers, where runs end that fail, whose budget is spent, or whose work
 * is bounded. */
#include "../support/compute_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORDS = 6, MOST_THREADS = 8192, PLACES = MOST_THREADS * WORDS };

struct shape {
    uint32_t grid[3], block[3];
    bool spans;
};

static const struct shape shapes[] = {
    {{1, 1, 1}, {32, 1, 1}, true},   {{5, 1, 1}, {64, 1, 1}, true},  {{3, 4, 2}, {32, 1, 1}, true},
    {{2, 3, 3}, {96, 1, 1}, true},   {{1, 7, 1}, {256, 1, 1}, true}, {{200, 1, 1}, {32, 1, 1}, true},
    {{2, 1, 1}, {1024, 1, 1}, true}, {{3, 1, 1}, {48, 1, 1}, false}, {{3, 2, 1}, {16, 2, 1}, false},
    {{2, 2, 1}, {8, 8, 1}, false},   {{2, 1, 2}, {32, 1, 2}, false}, {{4, 1, 1}, {1, 1, 1}, false},
};

/* Each thread has a place in BUFFER[0], by its number in the grid, for its numbers and those of its work group. */
#define PLACE PLACE_WITH("")
#define PLACE_WITH(declared)                                                                                           \
    "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\nDCL SV[3], BLOCK_SIZE\nDCL "               \
    "BUFFER[0..1]\n" declared                                                                                          \
    "DCL TEMP[0..4]\nIMM[0] UINT32 {2, 1, 24, 0}\nIMM[1] UINT32 {4, 8, 12, 16}\nIMM[2] UINT32 {20, 16, 300, 31}\n"     \
    "UMAD TEMP[0].x, SV[1].zzzz, SV[2].yyyy, SV[1].yyyy\nUMAD TEMP[0].x, TEMP[0].xxxx, SV[2].xxxx, SV[1].xxxx\n"       \
    "UMAD TEMP[0].x, TEMP[0].xxxx, SV[3].zzzz, SV[0].zzzz\nUMAD TEMP[0].x, TEMP[0].xxxx, SV[3].yyyy, SV[0].yyyy\n"     \
    "UMAD TEMP[0].x, TEMP[0].xxxx, SV[3].xxxx, SV[0].xxxx\n" /* the number */                                          \
    "UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nUADD TEMP[1].yzw, TEMP[1].xxxx, IMM[1].xxyz\n"                         \
    "UADD TEMP[2].xy, TEMP[1].xxxx, IMM[1].wwww\nUADD TEMP[2].y, TEMP[1].xxxx, IMM[2].xxxx\n"

static const char numbers[] =
    PLACE "STORE BUFFER[0].x, TEMP[1].xxxx, SV[0].xxxx\nSTORE BUFFER[0].x, TEMP[1].yyyy, SV[0].yyyy\n"
          "STORE BUFFER[0].x, TEMP[1].zzzz, SV[0].zzzz\nSTORE BUFFER[0].x, TEMP[1].wwww, SV[1].xxxx\n"
          "STORE BUFFER[0].x, TEMP[2].xxxx, SV[1].yyyy\nSTORE BUFFER[0].x, TEMP[2].yyyy, SV[1].zzzz\nEND\n";

/* Words side by side: vectors, the last of which are not inside of BUFFER[0]; a sum over what other groups wrote. */
static const char rows[] = PLACE "SHL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\nLOAD TEMP[2].x, BUFFER[1], TEMP[1].xxxx\n"
                                 "UADD TEMP[3].x, TEMP[1].xxxx, -IMM[2].zzzz\nLOAD TEMP[3].x, BUFFER[0], TEMP[3].xxxx\n"
                                 "UMAD TEMP[2].x, TEMP[2].xxxx, TEMP[0].xxxx, TEMP[3].xxxx\n"
                                 "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\nEND\n";

/* Lanes that leave a loop after as many iterations as their word of BUFFER[1] says. */
static const char loop[] = PLACE "SHL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\nLOAD TEMP[2].x, BUFFER[1], TEMP[1].xxxx\n"
                                 "MOV TEMP[3].x, IMM[0].wwww\nBGNLOOP\nUSGE TEMP[4].x, TEMP[3].xxxx, TEMP[2].xxxx\n"
                                 "UIF TEMP[4].xxxx\nBRK\nENDIF\nUADD TEMP[3].x, TEMP[3].xxxx, IMM[0].yyyy\nENDLOOP\n"
                                 "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx\nEND\n";

/* Words of shared memory, of threads that wait for each other; 0 before. TEMP[5] is the place of a thread's own. */
#define SHARE                                                                                                          \
    PLACE_WITH("DCL MEMORY[0], SHARED\nDCL TEMP[5..9]\n")                                                              \
    "SHL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\nLOAD TEMP[2].x, BUFFER[1], TEMP[1].xxxx\n"                              \
    "SHL TEMP[5].x, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[9].z, MEMORY[0].xxxx, TEMP[5].xxxx\n"                           \
    "UADD TEMP[2].y, TEMP[2].xxxx, TEMP[9].zzzz\nSTORE MEMORY[0].x, TEMP[5].xxxx, TEMP[2].yyyy\n"

/* After a loop that lanes leave one by one, their sums by halves. What lives from one BARRIER to the next is the same
 * in all lanes, differs by a step, or differs anyhow. */
static const char sums[] =
    SHARE "UMUL TEMP[3].y, SV[1].xxxx, IMM[1].yyyy\nMOV TEMP[6].x, IMM[0].wwww\nBGNLOOP\n"
          "USGE TEMP[4].x, TEMP[6].xxxx, TEMP[2].xxxx\nUIF TEMP[4].xxxx\nBRK\nENDIF\n"
          "UADD TEMP[6].x, TEMP[6].xxxx, IMM[0].yyyy\nENDLOOP\nBARRIER\nUSHR TEMP[7].x, SV[3].xxxx, IMM[0].yyyy\n"
          "BGNLOOP\nUSGE TEMP[4].x, IMM[0].wwww, TEMP[7].xxxx\nUIF TEMP[4].xxxx\nBRK\nENDIF\n"
          "USLT TEMP[4].x, SV[0].xxxx, TEMP[7].xxxx\nUIF TEMP[4].xxxx\nUADD TEMP[8].x, SV[0].xxxx, TEMP[7].xxxx\n"
          "SHL TEMP[8].y, TEMP[8].xxxx, IMM[0].xxxx\nLOAD TEMP[9].x, MEMORY[0].xxxx, TEMP[8].yyyy\n"
          "LOAD TEMP[9].y, MEMORY[0].xxxx, TEMP[5].xxxx\nUADD TEMP[9].x, TEMP[9].xxxx, TEMP[9].yyyy\n"
          "STORE MEMORY[0].x, TEMP[5].xxxx, TEMP[9].xxxx\nENDIF\nBARRIER\nUSHR TEMP[7].x, TEMP[7].xxxx, IMM[0].yyyy\n"
          "ENDLOOP\nLOAD TEMP[9].x, MEMORY[0].xxxx, TEMP[5].xxxx\nUADD TEMP[9].x, TEMP[9].xxxx, TEMP[6].xxxx\n"
          "UADD TEMP[9].x, TEMP[9].xxxx, TEMP[3].yyyy\nSTORE BUFFER[0].x, TEMP[1].xxxx, TEMP[9].xxxx\nEND\n";

/* BARRIERs in an IF and in a loop of which code does not know that all lanes enter them: words go round. */
static const char rounds[] =
    SHARE "BARRIER\nUADD TEMP[6].y, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[6].yyyy\nMOV TEMP[7].x, TEMP[2].xxxx\nBARRIER\n"
          "UADD TEMP[7].x, TEMP[7].xxxx, SV[0].xxxx\nENDIF\nAND TEMP[6].x, SV[0].xxxx, IMM[0].wwww\nBGNLOOP\n"
          "USGE TEMP[4].x, TEMP[6].xxxx, IMM[0].xxxx\nUIF TEMP[4].xxxx\nBRK\nENDIF\nUADD TEMP[8].x, SV[0].xxxx, "
          "IMM[2].wwww\nUMOD TEMP[8].x, TEMP[8].xxxx, SV[3].xxxx\nSHL TEMP[8].x, TEMP[8].xxxx, IMM[0].xxxx\n"
          "LOAD TEMP[9].x, MEMORY[0].xxxx, TEMP[8].xxxx\nUADD TEMP[7].x, TEMP[7].xxxx, TEMP[9].xxxx\nBARRIER\n"
          "STORE MEMORY[0].x, TEMP[5].xxxx, TEMP[7].xxxx\nBARRIER\nUADD TEMP[6].x, TEMP[6].xxxx, IMM[0].yyyy\n"
          "ENDLOOP\nSTORE BUFFER[0].x, TEMP[1].xxxx, TEMP[7].xxxx\nEND\n";

/* No shared memory, and no loop: places of a lane for itself, far apart, and one of all. */
static const char apart[] =
    PLACE "SHL TEMP[3].x, SV[0].xxxx, IMM[1].xxxx\nLOAD TEMP[2].x, BUFFER[1], TEMP[3].xxxx\nBARRIER\n"
          "SHL TEMP[4].x, SV[1].xxxx, IMM[0].xxxx\nLOAD TEMP[2].y, BUFFER[1].xxxx, TEMP[4].xxxx\n"
          "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[2].yyyy\nLOAD TEMP[2].z, BUFFER[0].xxxx, TEMP[3].xxxx\nBARRIER\n"
          "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[2].zzzz\nSTORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\nEND\n";

/* What a run leaves: memory, the caller's report. */
struct outcome {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t words[PLACES];
};

struct given {
    const char *text;
    const struct shape *shape;
    size_t bytes; /* of BUFFER[0] */
    struct sch_dispatch_options options;
    uint32_t *read; /* BUFFER[1] */
};

static uint64_t groups_of(const struct shape *shape)
{
    const uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
    return (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2] * ((threads + 31) / 32);
}

/* Answers how many groups ran in spans. */
static uint64_t run(struct compute *compute, const struct given *given, struct outcome *outcome)
{
    const struct sch_storage_buffer buffers[] = {{outcome->words, given->bytes}, {given->read, 4 * MOST_THREADS}};
    struct sch_code_counts before = {.size = sizeof before}, after = {.size = sizeof after};
    for (size_t i = 0; i < PLACES; i++) outcome->words[i] = (uint32_t)(i * 2654435761u);
    compute->bindings.buffers = buffers;
    compute->bindings.buffer_count = 2;
    compute->options = given->options;
    memcpy(compute->grid, given->shape->grid, sizeof compute->grid);
    memcpy(compute->block, given->shape->block, sizeof compute->block);
    assert_int_equal(sch_context_code_counts(compute->context, &before), SCH_OK);
    outcome->result = compute_run(compute);
    outcome->report = compute->report;
    assert_int_equal(sch_context_code_counts(compute->context, &after), SCH_OK);
    return after.span_groups - before.span_groups;
}

static void expect_same_report(const struct outcome *made, const struct outcome *wanted)
{
    assert_int_equal(made->result, wanted->result);
    assert_int_equal(made->report.instructions, wanted->report.instructions);
    assert_int_equal(made->report.invocation, wanted->report.invocation);
    assert_int_equal(made->report.instruction, wanted->report.instruction);
}

static void expect_same(const struct given *given, const struct outcome *made, const struct outcome *wanted)
{
    expect_same_report(made, wanted);
    for (size_t i = 0; i < PLACES; i++)
        if (made->words[i] != wanted->words[i])
            fail_msg("grid %u x %u x %u of %u x %u x %u: word %zu is %08x, not %08x", given->shape->grid[0],
                     given->shape->grid[1], given->shape->grid[2], given->shape->block[0], given->shape->block[1],
                     given->shape->block[2], i, made->words[i], wanted->words[i]);
}

static uint32_t *read_words(void)
{
    static uint32_t words[MOST_THREADS];
    uint64_t seed = 47;
    for (size_t i = 0; i < MOST_THREADS; i++) words[i] = (uint32_t)random_number(&seed) % 12;
    return words;
}

static struct given given_of(const char *text, const struct shape *shape)
{
    return (struct given){.text = text,
                          .shape = shape,
                          .bytes = sizeof(uint32_t[PLACES]),
                          .options = {.size = sizeof(struct sch_dispatch_options)},
                          .read = read_words()};
}

static struct outcome made, wanted;

/* ---- which groups, and what they see ---- */

static void expect_numbers(const struct shape *shape)
{
    const uint32_t *at = made.words;
    uint32_t n[6];
    for (n[5] = 0; n[5] < shape->grid[2]; n[5]++)
        for (n[4] = 0; n[4] < shape->grid[1]; n[4]++)
            for (n[3] = 0; n[3] < shape->grid[0]; n[3]++)
                for (n[2] = 0; n[2] < shape->block[2]; n[2]++)
                    for (n[1] = 0; n[1] < shape->block[1]; n[1]++)
                        for (n[0] = 0; n[0] < shape->block[0]; n[0]++, at += WORDS)
                            for (unsigned i = 0; i < WORDS; i++) assert_int_equal(at[i], n[i]);
}

static void rows_of_threads_are_spans(void **state)
{
    (void)state;
    for (uint32_t width = 4; width <= 16; width *= 2) {
        struct compute compute;
        compute_open_on(&compute, numbers, SCH_ENGINE_JIT, width);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                struct given given = given_of(numbers, &shapes[i]);
                given.options.threads = threads;
                given.options.unordered = threads > 1;
                const uint64_t spans = run(&compute, &given, &made);
                assert_int_equal(made.result, SCH_OK);
                assert_int_equal(spans, shapes[i].spans ? groups_of(&shapes[i]) : 0);
                expect_numbers(&shapes[i]);
            }
        compute_close(&compute);
    }
}

/* Memory that is cleared for each work group or group has none, nor groups that may wait without some of their
 * lanes. */
static void other_programs_have_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"COMP\nDCL MEMORY[0], SHARED\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                                        "LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\nEND\n",
                                        "COMP\nDCL MEMORY[0], PRIVATE\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                                        "LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\nEND\n",
                                        "COMP\nDCL SV[0], THREAD_ID\nIMM[0] UINT32 {9999, 0, 0, 0}\nDCL TEMP[0]\n"
                                        "USGE TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nRET\nENDIF\n"
                                        "BARRIER\nEND\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct compute compute;
        struct given given = given_of(texts[i], &shapes[1]);
        compute_open_on(&compute, texts[i], SCH_ENGINE_JIT, 8);
        assert_int_equal(run(&compute, &given, &made), 0);
        assert_int_equal(made.result, SCH_OK);
        compute_close(&compute);
    }
}

/* A host that has had code for groups compiled does not wait for code of spans: that is made meanwhile, and then takes
 * the other's place. */
static void compiled_groups_serve_meanwhile(void **state)
{
    (void)state;
    const struct shape *shape = &shapes[5];
    const struct given given = given_of(numbers, shape);
    const struct sch_code_options groups = {.size = sizeof groups, .full = true};
    struct compute compute;
    compute_open_on(&compute, numbers, SCH_ENGINE_JIT, 8);
    assert_int_equal(sch_program_compile(compute.program, &groups, NULL), SCH_OK);
    assert_int_equal(run(&compute, &given, &made), 0);
    expect_numbers(shape);
    uint64_t spans = 0;
    for (unsigned wait = 0; wait < 6000 && !spans; wait++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        spans = run(&compute, &given, &made);
        expect_numbers(shape);
    }
    assert_int_equal(spans, groups_of(shape));
    compute_close(&compute);
}

/* ---- the same as group by group ---- */

/* Runs both ways, with what `given` says and memory of `given->bytes`. */
static void compare(struct compute both[2], const struct given *given)
{
    run(&both[0], given, &wanted);
    const uint64_t spans = run(&both[1], given, &made);
    expect_same(given, &made, &wanted);
    if (made.result == SCH_OK) assert_int_equal(spans, given->shape->spans ? groups_of(given->shape) : 0);
}

static void open_both(struct compute both[2], const char *text, uint32_t width)
{
    compute_open_on(&both[0], text, SCH_ENGINE_INTERPRETER, width);
    compute_open_on(&both[1], text, SCH_ENGINE_JIT, width);
}

static void close_both(struct compute both[2])
{
    compute_close(&both[0]);
    compute_close(&both[1]);
}

static const char *const texts[] = {numbers, rows, loop, sums, rounds, apart};
enum { TEXTS = sizeof texts / sizeof *texts };

static void buffers_end_anywhere(void **state)
{
    (void)state;
    static const size_t bytes[] = {0, 4, 124, 128, 132, 1000, 4096, 5004, sizeof(uint32_t[PLACES])};
    for (uint32_t width = 4; width <= 16; width *= 2)
        for (size_t t = 0; t < TEXTS; t++) {
            struct compute both[2];
            open_both(both, texts[t], width);
            for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
                for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
                    struct given given = given_of(texts[t], &shapes[i]);
                    given.bytes = bytes[b];
                    compare(both, &given);
                }
            close_both(both);
        }
}

/* Work that ends anywhere: at each instruction of the first groups, and of those of another work group. What the last
 * block stored is not compared: machine code ends before it. */
static void work_ends_where_it_ends(void **state)
{
    (void)state;
    for (size_t t = 0; t < TEXTS; t++) {
        struct compute both[2];
        open_both(both, texts[t], 8);
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            for (uint64_t work = 1; work < 1500; work += work < 60 ? 1 : 97) {
                struct given given = given_of(texts[t], &shapes[1 + work % 4]);
                given.options.work = work;
                given.options.threads = threads;
                run(&both[0], &given, &wanted);
                run(&both[1], &given, &made);
                expect_same_report(&made, &wanted);
            }
        close_both(both);
    }
}

/* One lane somewhere loops for ever: the run ends there, with what came before it done. */
static void spend_budgets(const char *text)
{
    struct compute both[2];
    open_both(both, text, 8);
    for (uint32_t i = 0; i < 40; i++) {
        struct given given = given_of(text, &shapes[i % 7]);
        const uint32_t threads = (uint32_t)groups_of(given.shape) * 32, lane = i * 7919 % threads;
        given.options.budget = 100;
        given.options.threads = 1 + i % 3;
        given.read[lane] = UINT32_MAX;
        run(&both[0], &given, &wanted);
        run(&both[1], &given, &made);
        assert_int_equal(made.result, SCH_ERROR_BUDGET);
        assert_int_equal(made.report.invocation, lane);
        expect_same(&given, &made, &wanted);
    }
    close_both(both);
}

static void budgets_end_where_they_end(void **state)
{
    (void)state;
    spend_budgets(loop);
    spend_budgets(sums);
}

/* Budgets that last for some of the rounds: what a group has spent stays its own. */
static void budgets_last_over_barriers(void **state)
{
    (void)state;
    struct compute both[2];
    open_both(both, sums, 8);
    for (uint32_t i = 0; i < 7 * 24; i++) {
        struct given given = given_of(sums, &shapes[i % 7]);
        given.options.budget = 1 + i / 7;
        compare(both, &given);
    }
    close_both(both);
}

/* Groups of one work group that wait at different BARRIERs, or of which one has ended, and lanes that are missing. */
static void waiting_elsewhere_fails(void **state)
{
    (void)state;
    static const char *const parting[] = {
        PLACE "USLT TEMP[4].x, SV[0].xxxx, IMM[2].wwww\nUIF TEMP[4].xxxx\nBARRIER\nENDIF\nEND\n",
        PLACE "BARRIER\nUSHR TEMP[4].x, SV[0].xxxx, IMM[1].xxxx\nUSHR TEMP[4].x, TEMP[4].xxxx, IMM[0].yyyy\n"
              "UIF TEMP[4].xxxx\nBARRIER\nELSE\nSTORE BUFFER[0].x, TEMP[1].xxxx, IMM[0].xxxx\nBARRIER\nENDIF\nEND\n",
        PLACE "USHR TEMP[4].x, SV[0].xxxx, IMM[1].xxxx\nUSHR TEMP[4].x, TEMP[4].xxxx, IMM[0].yyyy\n"
              "UADD TEMP[4].y, TEMP[4].xxxx, SV[1].xxxx\nUSGE TEMP[4].z, TEMP[4].yyyy, IMM[1].xxxx\n"
              "UIF TEMP[4].zzzz\nBARRIER\nENDIF\nSTORE BUFFER[0].x, TEMP[1].xxxx, IMM[0].xxxx\nEND\n",
    };
    unsigned failed = 0;
    for (size_t t = 0; t < sizeof parting / sizeof *parting; t++) {
        struct compute both[2];
        open_both(both, parting[t], 8);
        for (size_t i = 0; i < 7; i++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                struct given given = given_of(parting[t], &shapes[i]);
                given.options.threads = threads;
                compare(both, &given);
                failed += made.result == SCH_ERROR_BARRIER;
            }
        close_both(both);
    }
    assert_in_range(failed, 12, 41);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_threads_are_spans),       cmocka_unit_test(other_programs_have_none),
        cmocka_unit_test(compiled_groups_serve_meanwhile), cmocka_unit_test(buffers_end_anywhere),
        cmocka_unit_test(work_ends_where_it_ends),         cmocka_unit_test(budgets_end_where_they_end),
        cmocka_unit_test(budgets_last_over_barriers),      cmocka_unit_test(waiting_elsewhere_fails),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
