/* ./dev bench stop: how long dispatches that would not end run on after a flag cancels them, and after their
 * deadline. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "../../src/support/words.h"
#include "timings.h"

enum { AFTER = 10, TURNS = 15, TEXT = 1 << 20, SIDE = 256 }; /* milliseconds until the end is wanted; measurements */

/* `body`, so many times, in a loop that does not end; or, without one, a grid of groups that do nothing. */
static const struct workload {
    const char *name, *stage, *body;
    uint32_t times;
} workloads[] = {
    {"loop", "VERT", "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n", 1},
    {"long loop", "VERT", "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n", 10000},
    {"four channels", "VERT", "MAD TEMP[0], TEMP[0].wxyz, TEMP[1], TEMP[2].yzwx\n", 1000},
    {"functions", "VERT", "POW TEMP[0], TEMP[1].xxxx, TEMP[2].yyyy\nSIN TEMP[1], TEMP[0].xxxx\n", 100},
    {"doubles", "VERT", "DDIV TEMP[0], TEMP[1], TEMP[2]\nDSQRT TEMP[1], TEMP[0]\n", 100},
    {"lookups", "FRAG", "TXL TEMP[1], TEMP[0], SAMP[0], 2D\n", 10},
    {"16 taps of 2 levels", "FRAG", "TXD TEMP[1], TEMP[0], IMM[1], IMM[2], SAMP[0], 2D\n", 10},
    {"atomics", "COMP", "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].yyyy, IMM[0].xxxx\n", 10},
    {"barriers", "COMP", "BARRIER\n", 1},
    {"grid of nothing", "COMP", NULL, 0},
};

static uint32_t flag;
static double raised; /* when */

static void raise_flag(int number)
{
    (void)number;
    raised = bench_now();
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}

/* The signal comes to some thread in AFTER milliseconds, once. */
static void raise_later(void)
{
    const struct itimerval time = {.it_value = {.tv_usec = AFTER * 1000}};
    struct sigaction action = {.sa_handler = raise_flag, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    __atomic_store_n(&flag, 0, __ATOMIC_RELAXED);
    setitimer(ITIMER_REAL, &time, NULL);
}

static void write_shader(char *text, const struct workload *workload)
{
    int at = snprintf(text, TEXT,
                      "%s\nDCL TEMP[0..2]\nDCL %s\nIMM[0] UINT32 {1, 0, 0, 0}\nIMM[1] FLT32 {0.0625, 0.0, 0.0, 0.0}\n"
                      "IMM[2] FLT32 {0.0, 0.00390625, 0.0, 0.0}\n",
                      workload->stage,
                      strcmp(workload->stage, "COMP") == 0   ? "BUFFER[0]"
                      : strcmp(workload->stage, "FRAG") == 0 ? "SAMP[0]\nDCL SVIEW[0], 2D, FLOAT"
                                                             : "OUT[0], POSITION");
    if (workload->body) at += snprintf(text + at, TEXT - (size_t)at, "BGNLOOP\n");
    for (uint32_t i = 0; i < workload->times; i++) at += snprintf(text + at, TEXT - (size_t)at, "%s", workload->body);
    snprintf(text + at, TEXT - (size_t)at, "%sEND\n", workload->body ? "ENDLOOP\n" : "");
}

static enum sch_result dispatch(const struct sch_program *program, const struct sch_bindings *bindings,
                                const struct workload *workload, const struct sch_dispatch_options *options)
{
    static const uint32_t one[3] = {1, 1, 1}, two[3] = {64, 1, 1}, grid[3] = {65536, 65535, 1};
    const struct sch_invocations given = {.size = sizeof given, .count = SIDE, .quads = true};
    if (strcmp(workload->stage, "COMP") != 0) return sch_dispatch(program, bindings, &given, options, NULL);
    return sch_dispatch_grid(program, bindings, workload->body ? one : grid, workload->body ? two : one, options, NULL);
}

/* Milliseconds from the flag, or from the deadline, to the call's return. */
static enum sch_result measure(const struct sch_program *program, const struct sch_bindings *bindings,
                               const struct workload *workload, const struct bench_setup *setup, bool deadline,
                               double times[TURNS])
{
    struct sch_dispatch_options options = setup->dispatch;
    const enum sch_result expected = deadline ? SCH_ERROR_DEADLINE : SCH_ERROR_CANCELLED;
    options.budget = UINT64_MAX;
    options.cancel = &flag;
    for (unsigned turn = 0; turn <= TURNS; turn++) { /* the first one warms up */
        __atomic_store_n(&flag, 0, __ATOMIC_RELAXED);
        options.deadline_ms = deadline ? AFTER : 0;
        if (!deadline) raise_later();
        raised = bench_now() + AFTER * 1e-3;
        enum sch_result result = dispatch(program, bindings, workload, &options);
        double ended = bench_now();
        if (result != expected) return result;
        if (turn) times[turn - 1] = (ended - raised) * 1e3;
    }
    qsort(times, TURNS, sizeof *times, bench_by_value);
    return SCH_OK;
}

static enum sch_result bench_one(const struct bench_setup *setup, const struct bench_bindings *bound,
                                 const struct workload *workload, char *text)
{
    double cancelled[TURNS], late[TURNS];
    struct sch_program *program = NULL;
    write_shader(text, workload);
    enum sch_result result = bench_program(setup->context, workload->name, text, &setup->program, &program);
    if (result == SCH_OK) result = measure(program, &bound->bindings, workload, setup, false, cancelled);
    if (result == SCH_OK) result = measure(program, &bound->bindings, workload, setup, true, late);
    sch_program_destroy(program);
    if (result != SCH_OK) return result;
    printf("%s\t%s\t%u\t%.3f\t%.3f\t%.3f\t%.3f\n", workload->name, sch_engine_words[setup->program.engine],
           setup->program.width, cancelled[TURNS / 2], cancelled[TURNS - 1], late[TURNS / 2], late[TURNS - 1]);
    return SCH_OK;
}

bool bench_stop(const struct bench_setup *setup)
{
    static const struct bench_texels texels = {.format = "R8G8B8A8_UNORM",
                                               .side = 256,
                                               .levels = 9,
                                               .filter = SCH_FILTER_LINEAR,
                                               .mip = SCH_MIP_LINEAR,
                                               .anisotropy = 16};
    uint32_t words[4] = {0};
    struct bench_bindings bound = {0};
    char *text = malloc(TEXT);
    bool good = bench_good("stop", text ? bench_bind(setup->context, &texels, &bound) : SCH_ERROR_MEMORY);
    bound.buffer = (struct sch_storage_buffer){words, sizeof words};
    bound.bindings.buffer_count = 1;
    puts("shader\tengine\twidth\tflag_ms\tflag_most_ms\tdeadline_ms\tdeadline_most_ms");
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads && good; i++)
        good = bench_good(workloads[i].name, bench_one(setup, &bound, &workloads[i], text));
    bench_release(&bound);
    free(text);
    return good;
}
