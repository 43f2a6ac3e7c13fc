/* What ends a dispatch early, through the public API. Work: hostile shaders end at each of their instructions, at the
 * place and by the invocation that a walk of their text finds (stop_walker.h), at every width, on one thread and on
 * several, as the interpreter runs them, as Maxwell's lookups, and with SCH_TEST_ENGINE=jit as machine code. Deadlines
 * and cancelling: they end what would not end for hours, soon. How soon in milliseconds is `./dev bench stop`. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/engine.h"
#include "../support/sanitized.h"
#include "stop_walker.h"

#define VALUES                                                                                                         \
    "DCL SV[0], SUBGROUP_INVOCATION\nDCL TEMP[0..7]\n"                                                                 \
    "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {5, 16, 31, 7}\n"
#define VERTEX   "VERT\nDCL OUT[0], POSITION\n" VALUES
#define FRAGMENT "FRAG\nDCL OUT[0], COLOR\n" VALUES
#define COMPUTE  "COMP\n" VALUES
#define COUNT(t) "UADD TEMP[" #t "].x, TEMP[" #t "].xxxx, IMM[0].yyyy\n"
/* Leaves the loop where TEMP[t] is at least `what`. */
#define LEAVE(t, what) "USGE TEMP[7].x, TEMP[" #t "].xxxx, " what "\nUIF TEMP[7].xxxx\nBRK\nENDIF\n"

enum { INVOKED, GRID, RECTANGLE };

struct subject {
    const char *name, *text;
    int kind;
    uint32_t groups; /* of invocations or of the grid, or rows of 4 groups of the rectangle */
    uint32_t lanes;  /* of a group; of the last one `rest` */
    uint32_t rest;
    uint32_t together; /* groups of a unit, which wait for each other; 0: 1 */
};

static const struct subject subjects[] = {
    {"straight", VERTEX COUNT(0) COUNT(1) COUNT(0) "MOV OUT[0], TEMP[0]\nEND\n", INVOKED, 3, 32, 5, 0},
    {"uniform loop", VERTEX "BGNLOOP\n" COUNT(0) LEAVE(0, "IMM[1].xxxx") "ENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n", INVOKED,
     3, 32, 32, 0},
    {"loop of lanes", VERTEX "BGNLOOP\n" COUNT(0) LEAVE(0, "SV[0].xxxx") COUNT(1) "ENDLOOP\nEND\n", INVOKED, 3, 32, 9,
     0},
    {"loops in loops",
     VERTEX "BGNLOOP\nMOV TEMP[1].x, IMM[0].xxxx\nBGNLOOP\n" COUNT(1) LEAVE(1, "SV[0].xxxx") "ENDLOOP\n" COUNT(0)
         LEAVE(0, "IMM[0].wwww") "ENDLOOP\nEND\n",
     INVOKED, 2, 32, 20, 0},
    {"continued",
     VERTEX "BGNLOOP\n" COUNT(0) LEAVE(0, "IMM[1].wwww") "AND TEMP[2].x, TEMP[0].xxxx, SV[0].xxxx\n"
                                                         "UIF TEMP[2].xxxx\nCONT\nENDIF\n" COUNT(1) "ENDLOOP\nEND\n",
     INVOKED, 2, 32, 32, 0},
    {"either",
     VERTEX "USLT TEMP[0].x, SV[0].xxxx, IMM[1].xxxx\nUIF TEMP[0].xxxx\n" COUNT(1) COUNT(1) "ELSE\n" COUNT(
         2) "UIF TEMP[3].xxxx\n" COUNT(1) "ELSE\n" COUNT(1) "ENDIF\nENDIF\nUIF TEMP[3].xxxx\n" COUNT(1) "ENDIF\nEND\n",
     INVOKED, 3, 32, 3, 0},
    {"uniform conditions",
     VERTEX "UIF TEMP[0].xxxx\n" COUNT(1) "ELSE\n" COUNT(2) "ENDIF\nUIF IMM[0].yyyy\n" COUNT(1) "ELSE\n" COUNT(2)
         COUNT(2) "ENDIF\nBGNLOOP\n" COUNT(3) "USLT TEMP[4].x, TEMP[3].xxxx, IMM[0].wwww\nUIF TEMP[4].xxxx\nCONT\n"
                                              "ENDIF\n" COUNT(5) LEAVE(3, "IMM[1].xxxx") "ENDLOOP\nEND\n",
     INVOKED, 2, 32, 32, 0},
    {"calls",
     VERTEX
     "CAL :7\nUSGE TEMP[1].x, SV[0].xxxx, IMM[1].yyyy\nUIF TEMP[1].xxxx\nCAL :7\nENDIF\nCAL :12\nRET\n"
     "BGNSUB\n" COUNT(0) "CAL :12\n" COUNT(
         0) "ENDSUB\n"
            "BGNSUB\nUSLT TEMP[2].x, SV[0].xxxx, IMM[0].zzzz\nUIF TEMP[2].xxxx\nRET\nENDIF\n" COUNT(3) "ENDSUB\nEND\n",
     INVOKED, 2, 32, 18, 0},
    {"calls in a loop",
     VERTEX "BGNLOOP\nCAL :9\n" LEAVE(0, "SV[0].xxxx") "ENDLOOP\nNOP\nNOP\nBGNSUB\n" COUNT(0) "ENDSUB\nEND\n", INVOKED,
     2, 32, 4, 0},
    {"switch",
     VERTEX "AND TEMP[0].x, SV[0].xxxx, IMM[0].wwww\nSWITCH TEMP[0].xxxx\nCASE IMM[0].yyyy\n" COUNT(
         1) "CASE IMM[0].zzzz\n" COUNT(1) "BRK\nDEFAULT\n" COUNT(2) "UIF TEMP[0].xxxx\nBRK\nENDIF\n" COUNT(3) "ENDSWITC"
                                                                                                              "H\nEND"
                                                                                                              "\n",
     INVOKED, 2, 32, 1, 0},
    {"switch in a loop",
     VERTEX "BGNLOOP\n" COUNT(0)
         LEAVE(0, "IMM[1].xxxx") "AND TEMP[1].x, TEMP[0].xxxx, SV[0].xxxx\n"
                                 "SWITCH TEMP[1].xxxx\nCASE IMM[0].xxxx\nCONT\nCASE IMM[0].yyyy\n" COUNT(
                                     2) "BRK\nDEFAULT\n" COUNT(3) "ENDSWITCH\n" COUNT(4) "ENDLOOP\nEND\n",
     INVOKED, 2, 32, 32, 0},
    {"killed lanes",
     FRAGMENT "USLT TEMP[0].x, SV[0].xxxx, IMM[1].xxxx\nUIF TEMP[0].xxxx\n" COUNT(1) "KILL\nENDIF\n" COUNT(
         1) "BGNLOOP\n" COUNT(2) LEAVE(2, "SV[0].xxxx") "ENDLOOP\nKILL\nEND\n",
     INVOKED, 2, 32, 7, 0},
    {"lanes that end",
     VERTEX
     "BGNLOOP\n" COUNT(0) "USGE TEMP[1].x, TEMP[0].xxxx, SV[0].xxxx\nUIF TEMP[1].xxxx\nRET\nENDIF\nENDLOOP\nEND\n",
     INVOKED, 2, 32, 6, 0},
    {"stores",
     COMPUTE "DCL BUFFER[0]\nBGNLOOP\n" COUNT(0) "STORE BUFFER[0].x, SV[0].xxxx, TEMP[0].xxxx\n" LEAVE(
         0, "SV[0].xxxx") "ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nENDLOOP\nEND\n",
     GRID, 4, 32, 32, 0},
    {"barriers",
     COMPUTE "DCL MEMORY[0], SHARED\n" COUNT(0) "STORE MEMORY[0].x, SV[0].xxxx, TEMP[0].xxxx\nBARRIER\nBGNLOOP\n" COUNT(
         1) LEAVE(1, "SV[0].xxxx") "ENDLOOP\nBARRIER\n" COUNT(2) "END\n",
     GRID, 6, 32, 9, 3},
    {"work groups", COMPUTE COUNT(0) "UIF TEMP[1].xxxx\n" COUNT(0) "ENDIF\nEND\n", GRID, 12, 32, 17, 2},
    {"a grid of nothing", COMPUTE "END\n", GRID, 600, 32, 32, 0},
    {"lookups",
     FRAGMENT "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nBGNLOOP\nTXL TEMP[2], TEMP[3], SAMP[0], 2D\n" COUNT(0)
         LEAVE(0, "IMM[0].wwww") "ENDLOOP\nTEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n",
     INVOKED, 3, 32, 11, 0},
    {"vertices",
     "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
     "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL OUT[0], POSITION\n" VALUES
     "BGNLOOP\nMOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\n" COUNT(0)
         LEAVE(0, "IMM[0].wwww") "ENDPRIM IMM[0].xxxx\nENDLOOP\nEND\n",
     INVOKED, 3, 32, 8, 0},
    {"patches",
     "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL OUT[0], POSITION\n" VALUES "MOV OUT[0], TEMP[0]\nBGNLOOP\n" COUNT(0)
         LEAVE(0, "SV[0].xxxx") "ENDLOOP\nEND\n",
     INVOKED, 7, 3, 3, 0},
    {"spans", FRAGMENT "BGNLOOP\n" COUNT(0) LEAVE(0, "SV[0].xxxx") "ENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n", RECTANGLE, 5,
     32, 32, 0},
    {"short spans", FRAGMENT COUNT(0) "MOV OUT[0], TEMP[0]\nEND\n", RECTANGLE, 9, 32, 32, 0},
    {"tiles", FRAGMENT "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n" COUNT(0) "TEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n",
     RECTANGLE, 8, 32, 32, 0},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects, ACROSS = 4 /* groups in a row of the rectangle */ };

/* ---- running ---- */

struct bench {
    const struct subject *subject;
    struct sch_context *context;
    struct sch_program *program;
    struct sch_dispatch_options options;
    struct sch_dispatch_report report;
};

static uint32_t group_count(const struct subject *s) { return s->kind == RECTANGLE ? s->groups * ACROSS : s->groups; }

static enum sch_result run(struct bench *b)
{
    static uint32_t memory[64], outputs[1024][4], render_target_pixels[2 * 16 * 16 * ACROSS];
    const struct subject *s = b->subject;
    const struct sch_storage_buffer buffer = {memory, sizeof memory};
    const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
    const struct sch_invocations given = {.size = sizeof given,
                                          .count = (s->groups - 1) * s->lanes + s->rest,
                                          .outputs = outputs[0],
                                          .output_registers = 1,
                                          .output_bytes = sizeof outputs};
    const struct sch_render_target render_target = {.pixels = render_target_pixels,
                                                    .bytes = sizeof render_target_pixels,
                                                    .row_bytes = 16 * ACROSS * sizeof *render_target_pixels};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = 16 * ACROSS,
                                            .height = 2 * s->groups,
                                            .render_targets = &render_target,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 1};
    const uint32_t together = s->together ? s->together : 1;
    const uint32_t grid[3] = {s->groups / together, 1, 1}, block[3] = {(together - 1) * s->lanes + s->rest, 1, 1};
    b->report = (struct sch_dispatch_report){.size = sizeof b->report};
    if (s->kind == RECTANGLE) return sch_dispatch_rectangle(b->program, &bindings, &rectangle, &b->options, &b->report);
    if (s->kind == GRID) return sch_dispatch_grid(b->program, &bindings, grid, block, &b->options, &b->report);
    return sch_dispatch(b->program, &bindings, &given, &b->options, &b->report);
}

static void open_bench(struct bench *b, const struct subject *s, enum sch_engine engine, unsigned width)
{
    enum sch_result why;
    *b = (struct bench){.subject = s, .options = {.size = sizeof b->options}};
    assert_int_equal(sch_context_create(NULL, &b->context), SCH_OK);
    b->program = api_program_on(b->context, s->text, strlen(s->text), engine, width, &why);
    if (!b->program) fail_msg("%s: %s", s->name, sch_result_text(why));
}

static void close_bench(struct bench *b)
{
    sch_program_destroy(b->program);
    sch_context_destroy(b->context);
}

/* ---- what is to be ---- */

struct place {
    uint32_t instruction, invocation;
};
struct course {
    uint64_t count;
    struct place *places;
};

static uint32_t lanes_of(const struct subject *s, uint32_t group)
{
    const uint32_t unit = s->kind == GRID && s->together ? s->together : s->kind == GRID ? 1 : group_count(s);
    return group % unit == unit - 1 ? s->rest : s->lanes;
}

/* The first invocation of a group; rectangles with lookups run tile by tile. */
static uint32_t first_of(const struct subject *s, uint32_t group)
{
    const uint32_t unit = s->together ? s->together : 1;
    if (s->kind == GRID) return group / unit * ((unit - 1) * s->lanes + s->rest) + group % unit * s->lanes;
    return group * s->lanes; /* a tile is as wide as the rectangle */
}

/* All groups of a unit up to their next BARRIER, then on. */
static void add_unit(const struct subject *s, uint32_t unit, uint32_t groups, struct walk *walks, struct course *course)
{
    uint32_t most = 0;
    for (uint32_t g = 0; g < groups; g++) {
        walk_group(s->text, lanes_of(s, unit * groups + g), &walks[g]);
        if (walks[g].steps[walks[g].count - 1].segment > most) most = walks[g].steps[walks[g].count - 1].segment;
    }
    const bool waits = strstr(s->text, "BARRIER") != NULL;
    for (uint32_t segment = 0; segment <= most; segment++)
        for (uint32_t g = 0; g < groups; g++)
            for (uint32_t i = 0; i < walks[g].count; i++) {
                if (waits && walks[g].steps[i].segment != segment) continue;
                course->places[course->count++] =
                    (struct place){.instruction = walks[g].steps[i].instruction,
                                   .invocation = first_of(s, unit * groups + g) + walks[g].steps[i].lane};
            }
}

static struct course course_of(const struct subject *s)
{
    enum { TOGETHER = 3 };
    const uint32_t groups = s->together ? s->together : 1;
    struct walk *walks = calloc(TOGETHER, sizeof *walks);
    struct course course = {.places = calloc(1 << 20, sizeof *course.places)};
    assert_true(walks && course.places && groups <= TOGETHER);
    for (uint32_t unit = 0; unit < group_count(s) / groups; unit++) add_unit(s, unit, groups, walks, &course);
    free(walks);
    return course;
}

/* ---- work ---- */

static void check_work(struct bench *b, const struct course *course, uint64_t work, const char *how)
{
    b->options.work = work;
    const enum sch_result result = run(b), wanted = work && work < course->count ? SCH_ERROR_WORK : SCH_OK;
    const uint64_t executed = wanted == SCH_OK ? course->count : work;
    const char *name = b->subject->name;
    if (result != wanted || b->report.instructions != executed)
        fail_msg("%s, %s, work %llu of %llu: %s, %llu instructions", name, how, (unsigned long long)work,
                 (unsigned long long)course->count, sch_result_text(result),
                 (unsigned long long)b->report.instructions);
    assert_false(b->report.contents_undefined);
    if (result == SCH_OK) return;
    const struct place *place = &course->places[work];
    if (b->report.instruction != place->instruction || b->report.invocation != place->invocation)
        fail_msg("%s, %s, work %llu of %llu: ends at %u, %u instead of %u, %u", name, how, (unsigned long long)work,
                 (unsigned long long)course->count, b->report.instruction, b->report.invocation, place->instruction,
                 place->invocation);
    if (!strstr(b->subject->text + strlen(b->subject->text) - 4, "END")) return;
    uint32_t line = walk_first_line(b->subject->text) + place->instruction;
    if (b->report.line) assert_int_equal(b->report.line, line);
}

/* Every number where there are few, else the first, the last, and some between. */
static uint64_t next_work(uint64_t work, uint64_t count)
{
    const uint64_t edge = by_code() ? 150 : 60;
    if (work < edge || work + edge / 2 >= count) return work + 1;
    uint64_t step = (count - edge) / 37 + 1;
    return work + step < count - edge / 2 ? work + step : count - edge / 2;
}

static void check_subject(const struct subject *s, enum sch_engine engine, unsigned width)
{
    char how[64];
    struct bench b;
    struct course course = course_of(s);
    open_bench(&b, s, engine, width);
    for (unsigned threads = 1; threads <= 4; threads++) {
        snprintf(how, sizeof how, "engine %d, width %u, %u threads", engine, width, threads);
        b.options.threads = threads;
        check_work(&b, &course, 0, how);
        for (uint64_t work = 1; work <= course.count + 1; work = next_work(work, course.count)) {
            if (threads > 1 && work % 3 && work + 2 < course.count) continue;
            check_work(&b, &course, work, how);
        }
        check_work(&b, &course, UINT64_MAX, how);
    }
    close_bench(&b);
    free(course.places);
}

static void work_ends_at_an_instruction(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SUBJECTS; s++)
        for (unsigned width = first_width(); width <= 16; width *= 2)
            check_subject(&subjects[s], by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, width);
}

static void work_of_other_engines(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SUBJECTS; s++) {
        bool looks_up = strstr(subjects[s].text, "TEX ") != NULL;
        check_subject(&subjects[s], looks_up ? SCH_ENGINE_MAXWELL : SCH_ENGINE_AUTO, 8);
    }
}

/* Programs whose units write at once: the sum is exact, where it is passed is not promised. */
static void work_of_unordered_groups(void **state)
{
    (void)state;
    static const char text[] = COMPUTE "DCL BUFFER[0]\nBGNLOOP\n" COUNT(
        0) "ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n" LEAVE(0, "SV[0].xxxx") "ENDLOOP\nEND\n";
    static const struct subject s = {"unordered", text, GRID, 200, 32, 32, 0};
    struct course course = course_of(&s);
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct bench b;
        open_bench(&b, &s, by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, 8);
        b.options.threads = threads;
        b.options.unordered = true;
        for (unsigned i = 0; i < 10; i++) {
            b.options.work = i < 2 ? course.count - 1 + i : 1 + course.count / 9 * (i - 1);
            const bool ends = b.options.work < course.count;
            assert_int_equal(run(&b), ends ? SCH_ERROR_WORK : SCH_OK);
            assert_int_equal(b.report.instructions, ends ? b.options.work : course.count);
        }
        close_bench(&b);
    }
    free(course.places);
}

/* What fails otherwise before its work is used up fails so, and the other way round. */
static void the_first_failure_counts(void **state)
{
    (void)state;
    static const char text[] = VERTEX "UADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nBGNLOOP\n" COUNT(1) "ENDLOOP\nEND\n";
    static const struct subject s = {"endless", text, INVOKED, 8, 32, 32, 0};
    enum { BUDGET = 100, SPENT = 2 + 2 * (BUDGET + 1) }; /* with the ENDLOOP at which the budget is missing */
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct bench b;
        open_bench(&b, &s, by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, 8);
        b.options.threads = threads;
        b.options.budget = BUDGET;
        b.options.work = SPENT;
        assert_int_equal(run(&b), SCH_ERROR_BUDGET);
        assert_int_equal(b.report.instructions, SPENT);
        b.options.work = SPENT - 1;
        assert_int_equal(run(&b), SCH_ERROR_WORK);
        assert_int_equal(b.report.instruction, 3);
        assert_int_equal(b.report.instructions, SPENT - 1);
        close_bench(&b);
    }
}

/* ---- deadlines, cancelling ---- */

#define ENDLESS(body) "BGNLOOP\n" body "ENDLOOP\nEND\n"
#define TEN(text)     text text text text text text text text text text

static const struct {
    const char *name, *text;
    uint32_t grid[3], block;
    uint32_t width, height; /* of a rectangle; 0: invocations or a grid */
    uint32_t shared_bytes;
} endless[] = {
    {.name = "a loop", .text = VERTEX ENDLESS("")},
    {.name = "a loop of lanes", .text = VERTEX "UIF SV[0].xxxx\nBGNLOOP\n" COUNT(0) "ENDLOOP\nENDIF\nEND\n"},
    {.name = "a long loop", .text = VERTEX ENDLESS(TEN(TEN("SIN TEMP[0].x, TEMP[1].xxxx\n" TEN(COUNT(1)))))},
    {.name = "calls", .text = VERTEX "BGNLOOP\nCAL :4\nENDLOOP\nNOP\nBGNSUB\n" TEN(COUNT(0)) "ENDSUB\nEND\n"},
    {.name = "lookups",
     .text = FRAGMENT "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n" ENDLESS(TEN("TXL TEMP[0], TEMP[1], SAMP[0], 2D\n"))},
    {.name = "barriers", .text = COMPUTE ENDLESS("BARRIER\n"), .block = 96},
    {.name = "atomics",
     .text = COMPUTE "DCL BUFFER[0]\n" ENDLESS("ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"),
     .block = 64},
    {.name = "a grid of nothing", .text = COMPUTE "END\n", .grid = {65536, 65535, 1}, .block = 1},
    {.name = "a grid of large memory",
     .text = COMPUTE "DCL MEMORY[0], SHARED\nEND\n",
     .grid = {65536, 65535, 1},
     .block = 1,
     .shared_bytes = 1 << 22},
    {.name = "rectangles of loops",
     .text = FRAGMENT "BGNLOOP\n" COUNT(0) LEAVE(0, "SV[0].xxxx") "ENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
     .width = 16,
     .height = 32768},
};

struct endless_run {
    struct sch_program *program;
    unsigned number;
    struct sch_dispatch_options options;
    struct sch_dispatch_report report;
    enum sch_result result;
};

static enum sch_result run_endless(struct endless_run *r)
{
    static uint32_t memory[64];
    const uint32_t *grid = endless[r->number].grid, block[3] = {endless[r->number].block, 1, 1};
    const struct sch_storage_buffer buffer = {memory, sizeof memory};
    const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
    const struct sch_invocations given = {.size = sizeof given, .count = 256};
    const struct sch_rectangle rectangle = {
        .size = sizeof rectangle, .width = endless[r->number].width, .height = endless[r->number].height};
    r->options.budget = UINT64_MAX;
    r->options.shared_bytes = endless[r->number].shared_bytes;
    r->report = (struct sch_dispatch_report){.size = sizeof r->report};
    if (rectangle.width) /* Again and again: it would take long, but ends. */
        do r->result = sch_dispatch_rectangle(r->program, &bindings, &rectangle, &r->options, &r->report);
        while (r->result == SCH_OK);
    else if (block[0])
        r->result = sch_dispatch_grid(r->program, &bindings, grid, block, &r->options, &r->report);
    else
        r->result = sch_dispatch(r->program, &bindings, &given, &r->options, &r->report);
    return r->result;
}

static void *run_in_thread(void *user) { return run_endless(user), NULL; }

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void pause_for(long milliseconds)
{
    const struct timespec time = {.tv_nsec = milliseconds * 1000000};
    nanosleep(&time, NULL);
}

/* Some milliseconds of the thread's own: on a busy machine it may begin late. */
static void let_it_run(pthread_t thread)
{
    clockid_t clock;
    struct timespec used = {0};
    assert_int_equal(pthread_getcpuclockid(thread, &clock), 0);
    do {
        pause_for(10);
        assert_int_equal(clock_gettime(clock, &used), 0);
    } while (used.tv_sec == 0 && used.tv_nsec < 3000000);
}

/* Far above what it takes, and far below what the shaders would: other work of the machine must not fail the test. */
enum { SOON = 5 };

static void check_cancelled(struct endless_run *r)
{
    pthread_t thread;
    static uint32_t flag;
    __atomic_store_n(&flag, 0, __ATOMIC_RELAXED);
    r->options.cancel = &flag;
    assert_int_equal(pthread_create(&thread, NULL, run_in_thread, r), 0);
    let_it_run(thread);
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    double begin = seconds();
    pthread_join(thread, NULL);
    if (r->result != SCH_ERROR_CANCELLED || seconds() - begin > SOON)
        fail_msg("%s: %s after %.1f s", endless[r->number].name, sch_result_text(r->result), seconds() - begin);
    assert_true(r->report.contents_undefined);
    assert_true(r->report.line >= walk_first_line(endless[r->number].text));

    /* The flag is still up: nothing is done. */
    assert_int_equal(run_endless(r), SCH_ERROR_CANCELLED);
    assert_int_equal(r->report.instructions, 0);
    assert_int_equal(r->report.instruction, 0);
    assert_int_equal(r->report.invocation, 0);
    r->options.cancel = NULL;
}

static void check_deadline(struct endless_run *r)
{
    double begin = seconds();
    r->options.deadline_ms = 10;
    if (endless[r->number].width) r->options.deadline_ms = 1; /* of each */
    assert_int_equal(run_endless(r), SCH_ERROR_DEADLINE);
    for (unsigned again = 0; again < 4 && !r->report.contents_undefined; again++) { /* it did not come to begin */
        r->options.deadline_ms *= 4;
        begin = seconds();
        assert_int_equal(run_endless(r), SCH_ERROR_DEADLINE);
    }
    double took = seconds() - begin;
    if (took < 1e-3 || took > SOON) fail_msg("%s: %.3f s", endless[r->number].name, took);
    assert_true(r->report.contents_undefined);
    assert_true(r->report.line >= walk_first_line(endless[r->number].text));
    r->options.deadline_ms = 0;
}

static void check_endless(unsigned number, enum sch_engine engine, unsigned width)
{
    enum sch_result why;
    struct sch_context *context;
    struct endless_run r = {.number = number, .options = {.size = sizeof r.options}};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    const char *text = endless[number].text;
    r.program = api_program_on(context, text, strlen(text), engine, width, &why);
    if (!r.program) fail_msg("%s: %s", endless[number].name, sch_result_text(why));
    for (r.options.threads = 1; r.options.threads <= 3; r.options.threads += 2) {
        check_cancelled(&r);
        check_deadline(&r);
        r.options.work = UINT64_C(1) << 60; /* other code */
        check_cancelled(&r);
        r.options.work = 0;
    }
    sch_program_destroy(r.program);
    sch_context_destroy(context);
}

static void nothing_is_endless(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof endless / sizeof *endless; n++) {
        check_endless(n, by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, n % 2 ? 4 : 16);
        if (!by_code()) check_endless(n, n == 4 ? SCH_ENGINE_MAXWELL : SCH_ENGINE_AUTO, 8);
    }
}

/* Neither is asked for: a flag that is down and a deadline that is far change nothing. */
static void what_is_in_time_ends(void **state)
{
    (void)state;
    static const uint32_t flag;
    const struct subject *s = &subjects[3];
    struct course course = course_of(s);
    struct bench b;
    open_bench(&b, s, by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, 8);
    b.options.cancel = &flag;
    /* In nanoseconds 4,295 ms is 32,704 modulo 2^32, and 4,294,968 ms is 704,000. */
    static const uint32_t far[] = {UINT32_MAX, 4295, 30000, 4294968};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        b.options.deadline_ms = far[i];
        for (b.options.threads = 1; b.options.threads <= 3; b.options.threads++)
            for (uint64_t work = 0; work < 200; work += 20) check_work(&b, &course, work, "with a flag");
    }
    close_bench(&b);
    free(course.places);
}

/* What a dispatch that ran to its end, or to the end of its work, has told of itself. */
static void progress_is_told(void **state)
{
    (void)state;
    const size_t last = sizeof subjects / sizeof *subjects;
    for (size_t i = 0; i < last; i++) {
        struct sch_dispatch_progress progress = {77, 88};
        struct bench b;
        open_bench(&b, &subjects[i], by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, 8);
        b.options.progress = &progress;
        for (b.options.threads = 1; b.options.threads <= 3; b.options.threads++) {
            b.options.work = 0;
            assert_int_equal(run(&b), SCH_OK);
            assert_in_range(progress.all, 1, group_count(b.subject));
            assert_int_equal(progress.done, progress.all);
            b.options.work = b.report.instructions - 1;
            assert_int_equal(run(&b), SCH_ERROR_WORK);
            assert_in_range(progress.done, 0, progress.all);
        }
        b.options.threads = 1;
        b.options.work = 1;
        assert_int_equal(run(&b), SCH_ERROR_WORK);
        assert_true(progress.done < progress.all || progress.all == 1);
        progress = (struct sch_dispatch_progress){77, 88};
        assert_int_equal(sch_dispatch(b.program, NULL, NULL, &b.options, NULL), SCH_ERROR_ARGUMENT);
        assert_true(progress.done == 77 && progress.all == 88);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_ends_at_an_instruction),
        cmocka_unit_test(work_of_other_engines),
        cmocka_unit_test(work_of_unordered_groups),
        cmocka_unit_test(the_first_failure_counts),
        cmocka_unit_test(nothing_is_endless),
        cmocka_unit_test(what_is_in_time_ends),
        cmocka_unit_test(progress_is_told),
    };
    return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
