/* Which code runs of rectangles ask for, and which functions lookups: with a compiler whose spans and lookups do
 * nothing (span_piece.c), so that only the asking is seen. What spans compute is test_spans.c's. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/cache_folder.h"
#include "../support/exec_program.h"
#include "../support/need_code.h"
#include "exec/job.h"
#include "isa/errors.h"
#include "native/program.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { PATH_SIZE = 512, SIDE = 1100 };

static struct sch_native *context(const char *compiler, const char *cache, uint64_t patience)
{
    const char *build = getenv("SCH_BUILD");
    char path[PATH_SIZE];
    struct sch_native *native;
    snprintf(path, sizeof path, "%s/tests/unit/lib%s.so", build ? build : ".", compiler);
    const struct sch_native_options options = {.compiler = path, .inside = true, .cache = cache, .patience = patience};
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    return native;
}

static struct sch_exec_program *program_of(const char *text, const struct sch_exec_engine *engine,
                                           struct sch_native *native)
{
    const struct sch_exec_options options = {.engine = engine, .engine_context = native};
    return exec_program(text, &options);
}

/* ---- rectangles ---- */

#define HEAD  "FRAG\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0]\nDCL SAMP[0..1]\n"
#define PLAIN HEAD "MOV OUT[0], IN[0]\nEND\n"

static uint8_t pixels[SIDE * 4 * 40];
static uint8_t texel[4];
static const struct sch_texture texture = {
    .levels = 1,
    .layers = 1,
    .samples = 1,
    .level = {{.texels = texel, .width = 1, .height = 1, .depth = 1, .row_bytes = 4, .slice_bytes = 4}}};

static struct sch_exec_bindings bound(void)
{
    static struct sch_exec_view view[2];
    static struct sch_exec_sampler sampler[2];
    for (unsigned i = 0; i < 2; i++) {
        view[i] = (struct sch_exec_view){
            .texture = &texture, .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .swizzle = {0, 1, 2, 3}};
        sampler[i] = (struct sch_exec_sampler){.key = {.wrap = {1, 2, 3}, .max_anisotropy = 1}};
    }
    return (struct sch_exec_bindings){.views = view, .view_count = 2, .samplers = sampler, .sampler_count = 2};
}

static struct sch_render_target render_target;
static struct sch_rectangle_register planar;

static struct sch_rectangle rectangle_of(uint32_t width, uint32_t height)
{
    render_target = (struct sch_render_target){.pixels = pixels, .row_bytes = (size_t)SIDE * 4};
    planar = (struct sch_rectangle_register){.planar = 15};
    for (unsigned c = 0; c < 4; c++) planar.planes[c].divisor[2] = 1;
    return (struct sch_rectangle){.width = width,
                                  .height = height,
                                  .registers = &planar,
                                  .register_count = 1,
                                  .render_targets = &render_target,
                                  .render_target_count = 1};
}

enum { ANY = 1, FULL = 2, SPANS = 4 };

/* Which code there is. */
static unsigned forms_of(const struct sch_exec_program *program, bool metered)
{
    struct sch_native_program *native = program->code;
    unsigned forms = 0, others = 0;
    for (unsigned n = 0; n < 8; n++) {
        struct sch_native_variant *variant = &native->variants[n >> 2][n >> 1 & 1][n & 1];
        if (atomic_load(&variant->function)) *(n >> 2 == metered ? &forms : &others) |= n >> 1 & 1 ? FULL : ANY;
    }
    for (unsigned i = 0; i < SCH_NATIVE_SPANS; i++)
        if (atomic_load(&native->spans[i].variant.function)) {
            assert_int_equal(native->spans[i].variant.metered, metered);
            forms |= SPANS;
        }
    assert_int_equal(others, 0);
    return forms;
}

/* A group of a span is 16 pixels by 2. Code for spans is asked for where there is nothing else, or for 64 groups. */
static const struct wish {
    uint32_t width, height;
    bool metered;
    unsigned code, without;       /* of a compiler that takes spans, and of one that does not */
    uint64_t groups, least, most; /* all, and those in spans */
} wishes[] = {
    {16, 2, false, SPANS, FULL, 1, 1, 1},
    {32, 2, true, SPANS, FULL, 2, 2, 2},
    {16, 4, false, SPANS, FULL, 2, 2, 2},
    {16, 3, false, ANY, ANY, 2, 0, 0},
    {16, 1, false, ANY, ANY, 1, 0, 0},
    {17, 2, false, ANY, ANY, 2, 0, 0},
    {18, 2, false, ANY, ANY, 2, 0, 0},
    {15, 32, false, ANY, ANY, 16, 0, 0},
    {24, 4, false, FULL, FULL, 3, 0, 0},
    {146, 14, true, ANY, ANY, 64, 0, 0},
    {144, 14, false, SPANS, FULL, 63, 63, 63},
    {146, 16, false, SPANS | ANY, FULL, 73, 60, 72},
    {145, 16, false, SPANS | ANY, ANY | FULL, 73, 60, 72},
    {144, 17, true, SPANS | ANY, ANY | FULL, 81, 60, 80},
    {1024, 2, false, SPANS, FULL, 64, 64, 64},
    {1056, 3, false, SPANS | ANY, ANY | FULL, 132, 60, 132},
    {1008, 3, false, ANY | FULL, ANY | FULL, 126, 0, 0},
};

static void run(const struct sch_exec_program *program, const struct wish *wish,
                const struct sch_exec_bindings *bindings)
{
    const struct sch_rectangle rectangle = rectangle_of(wish->width, wish->height);
    const struct sch_run_options options = {.work = wish->metered ? UINT64_C(1) << 40 : 0};
    assert_int_equal(sch_run_rectangle(program, bindings, &rectangle, &options, NULL), SCH_OK);
}

static void rectangles_ask_for_spans(void **state)
{
    NEED_CODE;
    for (unsigned i = 0; i < 2 * COUNT(wishes); i++) {
        const struct wish *wish = &wishes[i / 2];
        const bool takes = !(i & 1);
        struct sch_native *native = context(takes ? "span_compiler" : "fake_compiler", NULL, 0);
        struct sch_exec_program *program = program_of(PLAIN, &sch_engine_jit, native);
        run(program, wish, NULL);
        const unsigned forms = forms_of(program, wish->metered), wanted = takes ? wish->code : wish->without;
        const struct sch_code_counts counts = sch_native_counted(native);
        if (forms != wanted) fail_msg("%u x %u, %d: code %u, not %u", wish->width, wish->height, takes, forms, wanted);
        if (counts.native_groups != wish->groups)
            fail_msg("%u x %u, %d: %u groups", wish->width, wish->height, takes, (unsigned)counts.native_groups);
        if (counts.span_groups < (takes ? wish->least : 0) || counts.span_groups > (takes ? wish->most : 0))
            fail_msg("%u x %u, %d: %u in spans", wish->width, wish->height, takes, (unsigned)counts.span_groups);
        assert_int_equal(counts.decoded_groups, 0);
        assert_int_equal(counts.programs, (wanted & 1) + (wanted >> 1 & 1) + (wanted >> 2));
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* `auto` has spans compiled where most groups are in them, and goes on with them. */
static void auto_asks_for_spans(void **state)
{
    NEED_CODE;
    static const struct wish large = {.width = 1024, .height = 2}, odd = {.width = 17, .height = 3};
    struct sch_native *native = context("span_compiler", NULL, 1);
    struct sch_exec_program *program = program_of(PLAIN, &sch_engine_auto, native);
    run(program, &large, NULL);
    struct sch_native_program *made = program->code;
    sch_native_now(&native->worker, &made->spans[4].variant.job, NULL);
    assert_int_equal(forms_of(program, false), SPANS);
    const uint64_t before = sch_native_counted(native).span_groups;
    run(program, &large, NULL);
    struct sch_code_counts counts = sch_native_counted(native);
    assert_int_equal(counts.span_groups, before + 64);
    assert_int_equal(counts.native_groups + counts.decoded_groups, 128);
    run(program, &odd, NULL);
    sch_native_now(&native->worker, &made->variants[0][0][0].job, NULL);
    assert_int_equal(forms_of(program, false), SPANS | ANY);
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

/* ---- grids ---- */

/* Groups of all lanes have code of their own where there are no others, or 64 of them. */
static void grids_ask_for_groups(void **state)
{
    NEED_CODE;
    static const struct {
        uint32_t block, blocks;
        unsigned code;
    } grids[] = {{32, 1, FULL}, {31, 1, ANY},         {33, 1, ANY},  {96, 4, FULL}, {40, 64, ANY | FULL},
                 {40, 63, ANY}, {72, 32, ANY | FULL}, {72, 31, ANY}, {8, 100, ANY}, {64, 64, FULL}};
    for (unsigned i = 0; i < COUNT(grids); i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                 "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n",
                 grids[i].block);
        const uint32_t grid[3] = {grids[i].blocks, 1, 1}, block[3] = {grids[i].block, 1, 1};
        struct sch_native *native = context("fake_compiler", NULL, 0);
        struct sch_exec_program *program = program_of(text, &sch_engine_jit, native);
        assert_int_equal(sch_run_grid(program, NULL, grid, block, NULL, NULL), SCH_OK);
        const unsigned forms = forms_of(program, false);
        if (forms != grids[i].code) fail_msg("%u blocks of %u: %u", grids[i].blocks, grids[i].block, forms);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* ---- work ---- */

/* What the interpreter has done is counted, rounded down: of 20 groups, each two instructions in a program of three
 * with its end, 20 units each time. Code is asked for when that is as much as the patience, or the run to come, of
 * 40. */
static void patience_ends_with_work(void **state)
{
    NEED_CODE;
    enum { GROUPS = 20 };
    static const struct {
        uint64_t patience;
        unsigned run; /* in which it is asked for, from 1 on */
    } cases[] = {{1, 1}, {39, 1}, {40, 1}, {41, 4}, {60, 4}, {61, 5}, {80, 5}};
    static uint32_t inputs[GROUPS * 32][4];
    const struct sch_invocations work = {.count = GROUPS * 32, .inputs = inputs[0], .input_registers = 1};
    for (unsigned i = 0; i < COUNT(cases); i++) {
        struct sch_native *native = context("fake_compiler", NULL, cases[i].patience);
        struct sch_exec_program *program = program_of(PLAIN, &sch_engine_auto, native);
        struct sch_native_program *made = program->code;
        assert_int_equal(made->weight, 2);
        assert_int_equal(made->threshold, cases[i].patience);
        assert_true(!made->shader.bytes && !made->shader.size); /* the compiler is here */
        unsigned asked = 0;
        for (unsigned n = 1; n <= 5 && !asked; n++) {
            assert_int_equal(atomic_load(&made->work), (n - 1) * GROUPS);
            assert_int_equal(sch_run_invocations(program, NULL, &work, NULL, NULL), SCH_OK);
            pthread_mutex_lock(&native->worker.lock);
            if (made->variants[0][1][0].job.state != SCH_JOB_NEW) asked = n;
            pthread_mutex_unlock(&native->worker.lock);
        }
        if (asked != cases[i].run) fail_msg("patience %u: asked in run %u", (unsigned)cases[i].patience, asked);
        assert_int_equal(made->variants[0][0][0].job.state, SCH_JOB_NEW);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* Those of spans are compiled in the background: at most ten seconds. */
static void wait_for_lookups(struct sch_native *native, uint64_t count)
{
    for (unsigned n = 0; n < 10000 && sch_native_counted(native).lookups < count; n++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Lookups that spans do not have are compiled as functions: not bound, of one state several times, or of programs that
 * may be too large to have them. */
static void spans_ask_for_functions(void **state)
{
    NEED_CODE;
    static const struct {
        const char *code;
        unsigned fillers;
        bool bound, spans_only;
        unsigned lookups;
        bool taps; /* with 8 lanes they are part of the program, where texels may be one a pixel */
    } cases[] = {
        {"MOV OUT[0], IN[0]\n", 0, true, true, 0, false},
        {"TEX OUT[0], IN[0], SAMP[0], 2D\n", 0, true, true, 0, false},
        {"TEX OUT[0], IN[0], SAMP[0], 2D\n", 0, false, true, 0, false}, /* nothing is there to be compiled */
        {"TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX OUT[0], IN[0], SAMP[0], 2D\n", 0, true, true, 1, true},
        {"TEX TEMP[0], IN[0], SAMP[0], 2D\nTXL OUT[0], IN[0], SAMP[0], 2D\n", 0, true, true, 0, false},
        {"TEX OUT[0], IN[0], SAMP[0], 2D\n", 0, true, false, 1, false}, /* groups beside the spans */
    };
    const struct sch_exec_bindings bindings = bound();
    for (unsigned i = 0; i < COUNT(cases); i++) {
        char text[1024];
        static const struct wish all = {.width = 32, .height = 2}, some = {.width = 146, .height = 16};
        snprintf(text, sizeof text, "%s%sEND\n", HEAD, cases[i].code);
        struct sch_native *native = context("span_compiler", NULL, 0);
        struct sch_exec_program *program = program_of(text, &sch_engine_jit, native);
        if (cases[i].spans_only)
            run(program, &all, cases[i].bound ? &bindings : NULL);
        else
            run(program, &some, &bindings);
        const unsigned lookups = cases[i].taps && program->ops->lanes == 8 ? 0 : cases[i].lookups;
        wait_for_lookups(native, lookups);
        if (sch_native_counted(native).lookups != lookups)
            fail_msg("case %u: %u lookups", i, (unsigned)sch_native_counted(native).lookups);
        assert_true(forms_of(program, false) & SPANS);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* With up to 160 vectors of instructions a program is not too large for its lookups: of four lanes, 20 groups. */
static void large_programs_ask_for_functions(void **state)
{
    NEED_CODE;
    const struct sch_exec_bindings bindings = bound();
    for (unsigned more = 0; more < 2; more++) {
        static char text[1 << 16];
        static const struct wish all = {.width = 32, .height = 2};
        struct sch_native *native = context("span_compiler", NULL, 0);
        size_t length = (size_t)snprintf(text, sizeof text, "%sTEX OUT[0], IN[0], SAMP[0], 2D\n", HEAD);
        struct sch_exec_program *program = program_of(PLAIN, &sch_engine_auto, native);
        const unsigned lanes = program->ops->lanes, most = 160 * lanes / 32;
        sch_exec_destroy(program);
        if (most > 100) { /* more than the compiler of these tests takes */
            sch_native_destroy(native);
            skip();
        }
        for (unsigned n = 2; n < most + more; n++)
            length += (size_t)snprintf(text + length, sizeof text - length, "NOP\n");
        snprintf(text + length, sizeof text - length, "END\n");
        program = program_of(text, &sch_engine_jit, native);
        assert_int_equal(program->prepared.instruction_count, most + more);
        run(program, &all, &bindings);
        wait_for_lookups(native, more);
        assert_int_equal(sch_native_counted(native).lookups, more);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* ---- forms ---- */

static struct sch_arena spans_arena;

/* What stands around a rectangle's spans. The last one's are gone. */
static const struct sch_exec_spans *spans_of(const struct sch_exec_program *program,
                                             const struct sch_rectangle *rectangle)
{
    const struct sch_exec_spans *spans = NULL;
    if (spans_arena.allocator.free) sch_arena_release(&spans_arena);
    sch_arena_init(&spans_arena, &sch_allocator_libc, 0);
    if (rectangle) assert_int_equal(sch_run_rectangle_spans(program, rectangle, &spans_arena, &spans), SCH_OK);
    return spans;
}

static const struct spanning {
    const char *text;
    bool can;
} spanning[] = {
    {PLAIN, true},
    {HEAD "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], IN[ADDR[0].x]\nEND\n", false},
    {HEAD "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[ADDR[0].x], IN[0]\nEND\n", false},
    {HEAD "UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x], IN[0]\nMOV OUT[0], TEMP[0]\nEND\n", false},
    {HEAD "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[ADDR[0].x]\nEND\n", false},
    {HEAD "DCL CONST[0..3]\nUARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x]\nEND\n", true},
    {HEAD "DCL SV[0], FACE\nMOV OUT[0], SV[0]\nEND\n", true},
    {HEAD "INTERP_CENTROID OUT[0], IN[0]\nEND\n", false},
    {HEAD "ADD OUT[0], IN[0], IN[1]\nEND\n", true},
};

static void some_programs_can_have_spans(void **state)
{
    NEED_CODE;
    for (unsigned i = 0; i < COUNT(spanning); i++) {
        struct sch_native *native = context("span_compiler", NULL, 0);
        struct sch_exec_program *program = program_of(spanning[i].text, &sch_engine_jit, native);
        if (sch_native_can_span(program) != spanning[i].can) fail_msg("%s", spanning[i].text);
        const struct sch_rectangle rectangle = rectangle_of(32, 2);
        struct sch_native_span_form span;
        struct sch_native_made made;
        const enum sch_result status = spanning[i].can ? SCH_OK : SCH_ERROR_UNSUPPORTED;
        const struct sch_exec_spans *spans = spans_of(program, &rectangle);
        assert_int_equal(sch_native_span_form_of(program, spans, NULL, &span), status);
        const struct sch_native_selection form = {.in_spans = true, .spans = spans}, none = {.in_spans = true};
        assert_int_equal(sch_native_prepare(program, &none, &made), SCH_ERROR_UNSUPPORTED);
        assert_int_equal(sch_native_prepare(program, &form, &made), status);
        assert_int_equal(forms_of(program, false), spanning[i].can ? SPANS : 0);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
    static const char *const waiting[] = {
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nBARRIER\nEND\n",
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nUIF SV[0].xxxx\nRET\nENDIF\nBARRIER\nEND\n"};
    for (unsigned ends = 0; ends < 2; ends++) {
        struct sch_native *native = context("span_compiler", NULL, 0);
        struct sch_exec_program *program = program_of(waiting[ends], &sch_engine_jit, native);
        assert_int_equal(sch_native_can_span(program), !ends);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* Up to 64 planes, and eight render targets. */
static void forms_say_what_spans_have(void **state)
{
    (void)state;
    static uint32_t channels[66], outputs[10];
    static uint8_t divisions[66];
    for (uint32_t count = 0; count <= 65; count += count < 3 || count > 62 ? 1 : 20)
        for (uint32_t shown = 0; shown <= 9; shown += shown < 8 ? 4 : 1) {
            struct sch_native_span_form form;
            for (uint32_t p = 0; p < count; p++) {
                channels[p] = 3 * p + 2;
                divisions[p] = p % 4 == 1;
            }
            for (uint32_t c = 0; c < shown; c++) outputs[c] = 90 - c;
            const struct sch_exec_spans spans = {.channels = channels,
                                                 .divisions = divisions,
                                                 .plane_count = count,
                                                 .outputs = outputs,
                                                 .target_count = shown};
            const bool made = sch_native_make_span_form(&spans, &form);
            assert_int_equal(made, count <= 64 && shown <= 8);
            if (!made) continue;
            assert_int_equal(form.plane_count, count);
            assert_int_equal(form.render_target_count, shown);
            assert_int_equal(form.known.count, 0);
            for (uint32_t p = 0; p < count; p++) {
                assert_int_equal(form.channel[p], 3 * p + 2);
                assert_int_equal(form.division[p], p % 4 == 1);
            }
            for (uint32_t c = 0; c < SCH_NATIVE_RENDER_TARGETS; c++)
                assert_int_equal(form.output[c], c < shown ? 90 - c : 0);
        }
}

/* A run that would wait for code with lookups in it begins with code that calls them; the other is made meanwhile, and
 * later runs have it. Code that is there is taken at once. */
static void spans_begin_with_calls(void **state)
{
    NEED_CODE;
    static const struct wish all = {.width = 32, .height = 2};
    const struct sch_exec_bindings bindings = bound();
    for (unsigned prepared = 0; prepared < 2; prepared++) {
        struct sch_native *native = context("span_compiler", NULL, 0);
        struct sch_exec_program *program =
            program_of(HEAD "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n", &sch_engine_jit, native);
        struct sch_native_spans *code = ((struct sch_native_program *)program->code)->spans,
                                *calling = code + SCH_NATIVE_SPANS_KNOWN;
        struct sch_rectangle rectangle = rectangle_of(all.width, all.height);
        const struct sch_native_selection form = {
            .in_spans = true, .spans = spans_of(program, &rectangle), .bindings = &bindings};
        struct sch_native_made made;
        if (prepared) assert_int_equal(sch_native_prepare(program, &form, &made), SCH_OK);
        for (unsigned n = 0; n < 2; n++) {
            run(program, &all, &bindings);
            sch_native_now(&native->worker, &code->variant.job, NULL);
        }
        assert_true(code->form.known.count == 1 && atomic_load(&code->variant.function));
        assert_int_equal(atomic_load(&calling->state), prepared ? SCH_SPANS_FREE : SCH_SPANS_KNOWN);
        assert_int_equal(atomic_load(&calling->variant.function) != NULL, !prepared);
        assert_int_equal(sch_native_counted(native).programs, prepared ? 1 : 2);
        assert_int_equal(sch_native_counted(native).span_groups, 4);
        assert_int_equal(sch_native_counted(native).lookups, 0);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* Waits until the code is there. */
static void await(struct sch_native_spans *spans)
{
    for (unsigned wait = 0; wait < 60000 && !atomic_load(&spans->variant.function); wait++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_non_null(atomic_load(&spans->variant.function));
}

/* With four lookups, each of another state, `auto` has code made that calls them, and the code that has them in it once
 * calls have cost enough, in runs that are each too small for that; with three it begins with the latter. */
static void auto_begins_with_calls(void **state)
{
    NEED_CODE;
#define LOOKUP(n) "TEX TEMP[0], IN[0], SAMP[" #n "], 2D\n"
#define LOOKUPS   "DCL SAMP[2..3]\n" LOOKUP(0) LOOKUP(1) LOOKUP(2)
    static const struct wish all = {.width = 1024, .height = 2};
    struct sch_exec_view views[4];
    struct sch_exec_sampler samplers[4];
    struct sch_exec_bindings bindings = bound();
    for (unsigned i = 0; i < 4; i++) {
        views[i] = bindings.views[0];
        samplers[i] = bindings.samplers[0];
        samplers[i].key.wrap[0] = (uint8_t)i;
    }
    bindings.views = views;
    bindings.samplers = samplers;
    bindings.view_count = bindings.sampler_count = 4;
    for (unsigned few = 0; few < 2; few++) {
        struct sch_native *native = context("span_compiler", NULL, 1);
        struct sch_exec_program *program =
            program_of(few ? HEAD LOOKUPS "END\n" : HEAD LOOKUPS LOOKUP(3) "END\n", &sch_engine_auto, native);
        struct sch_native_program *made = program->code;
        struct sch_native_spans *code = made->spans, *calling = code + SCH_NATIVE_SPANS_KNOWN;
        run(program, &all, &bindings); /* is interpreted, and asks */
        await(few ? code : calling);
        assert_int_equal(code->variant.job.state == SCH_JOB_NEW, !few);
        run(program, &all, &bindings);
        run(program, &all, &bindings); /* asks, as the one before has called */
        await(code);
        assert_int_equal(atomic_load(&calling->variant.function) != NULL, !few);
        const uint64_t called = atomic_load(&made->called);
        assert_int_equal(called > 0, !few);
        run(program, &all, &bindings);
        assert_int_equal(atomic_load(&made->called), called);
        assert_true(sch_native_counted(native).span_groups >= 3 * 64);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* Of what can be asked about, at most four forms that know lookups and four that know none. */
static void forms_are_bounded(void **state)
{
    NEED_CODE;
    struct sch_native *native = context("span_compiler", NULL, 0);
    struct sch_exec_program *program = program_of(PLAIN, &sch_engine_jit, native),
                            *plain = program_of(PLAIN, NULL, NULL);
    for (uint32_t n = 0; n < 6; n++) {
        struct sch_rectangle rectangle = rectangle_of(32, 2);
        struct sch_native_made made;
        char *text = (char *)1;
        render_target.output = n < 5 ? n : 0;
        struct sch_native_selection form = {.in_spans = true, .spans = spans_of(program, &rectangle)};
        assert_int_equal(sch_native_prepare(program, &form, &made), n == 3 || n == 4 ? SCH_ERROR_LIMIT : SCH_OK);
        assert_int_equal(sch_native_prepare(plain, &form, &made), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_native_inspect(plain, &form, false, &text), SCH_ERROR_ARGUMENT);
        assert_null(text);
        rectangle.render_target_count = 0; /* the fourth */
        form.spans = spans_of(program, &rectangle);
        for (unsigned assembly = 0; assembly < 2; assembly++) {
            assert_int_equal(sch_native_inspect(program, &form, assembly, &text), SCH_OK);
            assert_string_equal(text, assembly ? "assembly of 2 instructions, full\n" : "IR of 2 instructions, full\n");
            sch_native_release_text(program, text);
        }
    }
    sch_exec_destroy(program);
    sch_exec_destroy(plain);
    sch_native_destroy(native);
}

/* ---- what is kept ---- */

static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    const char *build = getenv("SCH_BUILD");
    char name[PATH_SIZE];
    snprintf(name, sizeof name, "%s/tests/unit/spans-XXXXXX", build ? build : ".");
    snprintf(folder, sizeof folder, "%s", mkdtemp(name) ? name : "");
    return *folder ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return remove_cache_folder(folder);
}

/* Spans, groups and lookups come from the cache in another context, without a compiler: a sign says that there are
 * spans, of which forms only the run knows. */
static void code_is_kept(void **state)
{
    NEED_CODE;
    static const struct wish some = {.width = 146, .height = 16};
    static const char text[] = HEAD "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
    const struct sch_exec_bindings bindings = bound();
    for (unsigned round = 0; round < 2; round++) {
        struct sch_native *native = context(round ? "no_such" : "span_compiler", folder, 0);
        struct sch_exec_program *plain = program_of(text, &sch_engine_auto, native);
        const struct sch_native_program *made = plain->code;
        assert_int_equal(sch_native_has_spans(native, plain->ops->name, made->digest), round);
        struct sch_exec_program *program = program_of(text, &sch_engine_jit, native);
        run(program, &some, &bindings);
        struct sch_native_spans *spans = ((struct sch_native_program *)program->code)->spans;
        sch_native_now(&native->worker, &spans->variant.job, NULL); /* code with lookups comes in the background */
        assert_int_equal(forms_of(program, false), SPANS | ANY);
        assert_true(sch_native_has_spans(native, plain->ops->name, made->digest));
        const struct sch_code_counts counts = sch_native_counted(native);
        assert_int_equal(counts.programs, round ? 0 : 3);
        assert_int_equal(counts.lookups, round ? 0 : 1);
        assert_int_equal(counts.to_cache, round ? 0 : 4);
        assert_int_equal(counts.from_cache, round ? 3 : 0);
        assert_int_equal(counts.refused, 0);
        for (unsigned n = 0; n < SCH_NATIVE_SPANS; n++) {
            const struct sch_native_result *result = &spans[n].variant.result;
            if (!result->code.memory) continue;
            assert_true(result->kept && result->status == SCH_OK);
            assert_int_equal(result->made.from_cache, round);
            assert_int_equal(result->made.code_bytes, result->code.function_bytes);
            assert_int_equal(result->made.stack_bytes, 2 * (120 + 128));
            assert_true(result->made.object_bytes > result->made.code_bytes && result->made.code_bytes > 0);
        }
        sch_exec_destroy(program);
        sch_exec_destroy(plain);
        sch_native_destroy(native);
    }
}

/* ---- refusing ---- */

/* Why a variant has no code, by what is known of it. */
static void refusals_say_why(void **state)
{
    NEED_CODE;
    static const char large[] = "the program is too large for the compiler of machine code",
                      stack[] = "the program's machine code would take more than 64 KiB of stack",
                      lost[] = "the compiler of machine code was lost by this program: ";
    static const struct {
        enum sch_result status;
        bool too_large, lost, compiler;
        uint64_t stack;
        const char *how; /* it was lost */
        unsigned code;
        const char *words;
    } cases[] = {
        {SCH_OK, true, true, true, 0, "", 0, NULL},
        {SCH_ERROR_MEMORY, true, true, false, 0, "", 0, NULL},
        {SCH_ERROR_UNSUPPORTED, true, true, true, 0, "", SCH_D_NATIVE_TOO_LARGE, large},
        {SCH_ERROR_UNSUPPORTED, true, false, true, 65536, "", SCH_D_NATIVE_TOO_LARGE, large},
        {SCH_ERROR_UNSUPPORTED, true, false, true, 65537, "", SCH_D_NATIVE_TOO_LARGE, stack},
        {SCH_ERROR_UNSUPPORTED, false, true, true, 65537, "", SCH_D_NATIVE_LOST, "it was lost by this program before"},
        {SCH_ERROR_UNSUPPORTED, false, true, false, 0, "thus", SCH_D_NATIVE_LOST, "thus"},
        {SCH_ERROR_UNSUPPORTED, false, false, true, 0, "thus", 0, NULL},
        {SCH_ERROR_UNSUPPORTED, false, false, false, 0, "", SCH_D_NATIVE_NO_COMPILER,
         "no compiler of machine code (libscheelite-jit) was found: "},
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        char words[1024];
        struct sch_diagnostics list;
        struct sch_native *native = context(cases[i].compiler ? "span_compiler" : "no_such", NULL, 0);
        struct sch_native_program *program = calloc(1, sizeof *program);
        struct sch_native_variant *variant = &program->variants[0][0][0];
        assert_non_null(program);
        program->native = native;
        variant->program = program;
        variant->result = (struct sch_native_result){.status = cases[i].status, .lost = cases[i].lost};
        variant->result.made.cost.too_large = cases[i].too_large;
        variant->result.made.cost.stack_bytes = cases[i].stack;
        snprintf(native->lost_problem, sizeof native->lost_problem, "%s", cases[i].how);
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        assert_int_equal(sch_native_refuse(variant, &list), cases[i].status);
        assert_int_equal(list.count, cases[i].code != 0);
        if (cases[i].code) {
            assert_int_equal(list.items[0].code, cases[i].code);
            assert_int_equal(list.items[0].severity, SCH_SEVERITY_ERROR);
            snprintf(words, sizeof words, "%s%s%s", cases[i].code == SCH_D_NATIVE_LOST ? lost : "", cases[i].words,
                     cases[i].code == SCH_D_NATIVE_NO_COMPILER ? native->compiler_problem : "");
            assert_string_equal(list.items[0].message, words);
        }
        sch_diagnostics_release(&list);
        free(program);
        sch_native_destroy(native);
    }
}

/* Engines want a context. */
static void engines_want_a_context(void **state)
{
    (void)state;
    const struct sch_exec_engine *const engines[] = {&sch_engine_auto, &sch_engine_jit};
    for (unsigned i = 0; i < 2; i++) {
        struct sch_diagnostics list;
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_ir_shader *shader = NULL;
        struct sch_exec_program *program = NULL;
        const struct sch_exec_options options = {.engine = engines[i]};
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        sch_tgsi_parse(&sch_allocator_libc, &limits, PLAIN, strlen(PLAIN), &list, &shader);
        assert_int_equal(sch_exec_create(shader, &options, &sch_allocator_libc, &list, &program), SCH_ERROR_ARGUMENT);
        assert_null(program);
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
    }
}

/* A context says once that processes were lost, and how. */
static void losses_are_said_once(void **state)
{
    (void)state;
    struct sch_diagnostics list;
    struct sch_native *native = context("span_compiler", NULL, 0);
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_native_warn_of_lost(native, &list); /* none */
    assert_int_equal(list.count, 0);
    atomic_store(&native->lost, 1);
    snprintf(native->lost_problem, sizeof native->lost_problem, "thus");
    sch_native_warn_of_lost(native, NULL); /* nobody hears it */
    for (unsigned round = 0; round < 2; round++) sch_native_warn_of_lost(native, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].severity, SCH_SEVERITY_WARNING);
    assert_int_equal(list.items[0].code, SCH_D_NATIVE_LOST_WARNING);
    assert_string_equal(list.items[0].message,
                        "the compiler of machine code was lost: thus; what it was to compile is interpreted");
    sch_diagnostics_release(&list);
    sch_native_destroy(native);
}

/* ---- functions of lookups ---- */

enum { FORMS = 26 };

/* Forms that each differ from the first in one member. */
static void make_forms(struct sch_native_wish wishes_of[FORMS])
{
    static const struct sch_native_lookup_form plain = {
        .key = {.format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .max_anisotropy = 1}};
    for (unsigned i = 0; i < FORMS; i++) wishes_of[i] = (struct sch_native_wish){.there = true, .form = plain};
    struct sch_sampler_key *key[FORMS];
    for (unsigned i = 0; i < FORMS; i++) key[i] = &wishes_of[i].form.key;
    key[1]->format++, key[2]->target++, key[3]->rules++, key[4]->wrap[0]++, key[5]->wrap[1]++, key[6]->wrap[2]++;
    key[7]->min_linear++, key[8]->mag_linear++, key[9]->mip++, key[10]->max_anisotropy++, key[11]->unnormalized++;
    for (unsigned c = 0; c < 4; c++) key[12 + c]->swizzle[c]++;
    key[16]->compare++, key[17]->reduction++, key[18]->seamless++;
    wishes_of[19].form.lod_mode++, wishes_of[20].form.offsets++, wishes_of[21].form.component++;
    wishes_of[22].form.quads = wishes_of[23].form.biased = wishes_of[24].form.has_min_lod = true;
    wishes_of[25].form.has_lod = true;
}

static void make_slots(struct sch_native_slots *slots, struct sch_group_slot made[FORMS],
                       struct sch_native_wish wishes_of[FORMS])
{
    memset(made, 0, FORMS * sizeof *made);
    make_forms(wishes_of);
    memset(slots, 0, sizeof *slots);
    slots->ops = sch_ops_for_width(4);
    slots->slots = made;
    slots->wishes = wishes_of;
    slots->count = FORMS;
}

/* One function each, for all programs; and one for each level. */
static void functions_are_shared(void **state)
{
    NEED_CODE;
    struct sch_native_slots slots;
    struct sch_group_slot made[FORMS];
    struct sch_native_wish wishes_of[FORMS];
    struct sch_native *native = context("span_compiler", NULL, 0);
    sch_sample_fn *functions[FORMS];
    const unsigned rounds = sch_ops_for_width(8)->lanes == 8 ? 3 : 2; /* the third at a level of 8 lanes */
    for (unsigned round = 0; round < rounds; round++) {
        make_slots(&slots, made, wishes_of);
        if (round == 2) slots.ops = sch_ops_for_width(8);
        wishes_of[FORMS - 1].there = round != 0; /* nothing is bound */
        assert_false(atomic_load(&slots.complete));
        sch_native_compile_slots(native, &slots, SCH_EFFORT_NOW, NULL);
        assert_true(atomic_load(&slots.complete));
        for (unsigned i = 0; i < FORMS; i++) {
            sch_sample_fn *function = atomic_load(&made[i].sample);
            assert_int_equal(function != NULL, wishes_of[i].there);
            if (round == 1 && i < FORMS - 1) assert_true(function == functions[i]);
            if (round == 2) assert_true(function != functions[i]);
            for (unsigned k = 0; k < i; k++) assert_true(function != functions[k] || round == 2);
            functions[i] = function;
            assert_null(atomic_load(&made[i].fetch));
            assert_null(atomic_load(&made[i].store));
        }
        assert_int_equal(native->lookup_count, round == 0 ? FORMS - 1 : round == 1 ? FORMS : 2 * FORMS);
        assert_int_equal(sch_native_counted(native).lookups, native->lookup_count);
    }
    unsigned listed = 0;
    for (unsigned chain = 0; chain < SCH_NATIVE_LOOKUP_CHAINS; chain++)
        for (const struct sch_native_lookup *at = native->lookups[chain]; at; at = at->next) listed++;
    assert_int_equal(listed, (rounds - 1) * FORMS);
    sch_native_destroy(native);
}

/* Each kind has its place. */
static void functions_have_their_places(void **state)
{
    NEED_CODE;
    for (unsigned kind = SCH_NATIVE_SAMPLE; kind <= SCH_NATIVE_STORE; kind++) {
        struct sch_native_slots slots;
        struct sch_group_slot made[FORMS];
        struct sch_native_wish wishes_of[FORMS];
        struct sch_native *native = context("span_compiler", NULL, 0);
        make_slots(&slots, made, wishes_of);
        slots.count = 1;
        wishes_of[0].form.kind = (uint8_t)kind;
        sch_native_compile_slots(native, &slots, SCH_EFFORT_NOW, NULL);
        assert_int_equal(atomic_load(&made[0].fetch) != NULL, kind == SCH_NATIVE_FETCH);
        assert_int_equal(atomic_load(&made[0].store) != NULL, kind == SCH_NATIVE_STORE);
        assert_int_equal(atomic_load(&made[0].sample) != NULL, kind < SCH_NATIVE_FETCH);
        sch_native_destroy(native);
    }
}

/* What is refused stays as it was, and nobody asks again; as many as there is room for are made, under the lock. */
static unsigned held;
static struct sch_native *locked;
static bool empty;

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    if (locked) assert_int_not_equal(pthread_mutex_trylock(&locked->lookup_lock), 0);
    if (empty) return NULL;
    held++;
    return malloc(bytes);
}

static void release(void *user, void *memory)
{
    (void)user;
    held--;
    free(memory);
}

static void functions_may_be_none(void **state)
{
    NEED_CODE;
    for (unsigned way = 0; way < 4; way++) { /* refused, no memory, one too many, the last one */
        struct sch_native_slots slots;
        struct sch_group_slot made[FORMS];
        struct sch_native_wish wishes_of[FORMS];
        struct sch_native *native = context(way == 0 ? "fake_compiler" : "span_compiler", NULL, 0);
        const struct sch_allocator before = native->allocator;
        make_slots(&slots, made, wishes_of);
        slots.count = 1;
        atomic_init(&made[0].sample, slots.ops->sample);
        held = 0, empty = way == 1, locked = native;
        native->allocator = (struct sch_allocator){.alloc = allocate, .free = release};
        if (way >= 2) native->lookup_count = SCH_NATIVE_LOOKUP_FUNCTIONS - (way - 2);
        sch_native_compile_slots(native, &slots, SCH_EFFORT_NOW, NULL);
        assert_int_equal(atomic_load(&slots.complete), way == 0 || way == 3);
        assert_int_equal(atomic_load(&made[0].sample) == slots.ops->sample, way != 3);
        assert_int_equal(held, way == 0 || way == 3);
        locked = NULL;
        sch_native_release_lookups(native);
        assert_int_equal(held, 0);
        native->allocator = before;
        sch_native_destroy(native);
    }
}

/* What was asked for is not asked for again; more is. */
static void efforts_grow(void **state)
{
    NEED_CODE;
    struct sch_native_slots slots;
    struct sch_group_slot made[FORMS];
    struct sch_native_wish wishes_of[FORMS];
    struct sch_native *native = context("span_compiler", NULL, 0);
    make_slots(&slots, made, wishes_of);
    slots.count = 2;
    sch_native_refresh_slots(&slots); /* nobody has asked */
    assert_false(atomic_load(&slots.complete));
    sch_native_compile_slots(native, &slots, SCH_EFFORT_CACHED, NULL);
    assert_int_equal(native->lookup_count, 2);
    assert_false(atomic_load(&slots.complete));
    assert_null(atomic_load(&made[0].sample));
    slots.count = 3;
    sch_native_compile_slots(native, &slots, SCH_EFFORT_CACHED, NULL);
    assert_int_equal(native->lookup_count, 2);
    sch_native_compile_slots(native, &slots, SCH_EFFORT_LATER, NULL);
    assert_int_equal(native->lookup_count, 3);
    for (unsigned i = 0; i < 3; i++) /* in the background; wait for it */
        sch_native_now(&native->worker, &atomic_load(&wishes_of[i].entry)->job, NULL);
    sch_native_refresh_slots(&slots);
    assert_true(atomic_load(&slots.complete));
    for (unsigned i = 0; i < 3; i++) assert_non_null(atomic_load(&made[i].sample));
    atomic_store(&made[0].sample, NULL); /* all is there: nobody looks any more */
    sch_native_refresh_slots(&slots);
    assert_null(atomic_load(&made[0].sample));
    slots.count = 4;
    sch_native_compile_slots(native, &slots, SCH_EFFORT_LATER, NULL);
    assert_int_equal(native->lookup_count, 3);
    sch_native_compile_slots(native, &slots, SCH_EFFORT_NOW, NULL);
    assert_int_equal(native->lookup_count, 4);
    sch_native_destroy(native);
}

/* Functions that the cache has are taken without more effort. */
static void functions_are_kept(void **state)
{
    NEED_CODE;
    for (unsigned round = 0; round < 2; round++) {
        struct sch_native_slots slots;
        struct sch_group_slot made[FORMS];
        struct sch_native_wish wishes_of[FORMS];
        struct sch_native *native = context(round ? "no_such" : "span_compiler", folder, 0);
        make_slots(&slots, made, wishes_of);
        slots.count = round ? 4 : 3;
        sch_native_compile_slots(native, &slots, round ? SCH_EFFORT_CACHED : SCH_EFFORT_NOW, NULL);
        for (unsigned i = 0; i < 4; i++) assert_int_equal(atomic_load(&made[i].sample) != NULL, i < 3);
        assert_int_equal(atomic_load(&slots.complete), !round);
        assert_int_equal(sch_native_counted(native).from_cache, round ? 3 : 0);
        sch_native_destroy(native);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_ask_for_spans),
        cmocka_unit_test(auto_asks_for_spans),
        cmocka_unit_test(grids_ask_for_groups),
        cmocka_unit_test(patience_ends_with_work),
        cmocka_unit_test(spans_ask_for_functions),
        cmocka_unit_test(large_programs_ask_for_functions),
        cmocka_unit_test(some_programs_can_have_spans),
        cmocka_unit_test(spans_begin_with_calls),
        cmocka_unit_test(auto_begins_with_calls),
        cmocka_unit_test(forms_say_what_spans_have),
        cmocka_unit_test(forms_are_bounded),
        cmocka_unit_test_setup_teardown(code_is_kept, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(functions_are_kept, make_folder, remove_folder),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(engines_want_a_context),
        cmocka_unit_test(losses_are_said_once),
        cmocka_unit_test(functions_are_shared),
        cmocka_unit_test(functions_have_their_places),
        cmocka_unit_test(functions_may_be_none),
        cmocka_unit_test(efforts_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
