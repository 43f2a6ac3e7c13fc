/* Shaders that want much stack, on threads that have little: 256 KiB, a guard page below it, and behind that memory of
 * others, as a host may have it. Nothing may be written there, no signal may come, and the answers are the
 * interpreter's. Everything is done on such a thread: reading, having code made (in another process, and in this one),
 * running. Holds no oracle of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <scheelite/scheelite.h>

#include "../support/by_code.h"
#include "../support/made_text.h"
#include "jit_support.h"

enum {
    COUNT = 64, /* two full groups */
    UNITS = 16,
    STACK = 256 << 10,
    FOREIGN = 16 << 20, /* more than any frame has been */
    GUARD = 4096,
    MARK = 0xaa,
    THREADS = 8,
    TOO_LARGE = 4381,
    MOST_STACK = 64 << 10 /* of one piece of code */
};

/* ---- texts ---- */

static void begin(struct made_text *text, unsigned temporaries, const char *more)
{
    *text = (struct made_text){0};
    made_text_add(text,
                  "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..%u]\n%s"
                  "IMM[0] FLT32 {0.5, 1.5, 0.25, 0.125}\nIMM[1] UINT32 {0, 1, 3, 15}\nMOV TEMP[0], IN[0]\n",
                  temporaries - 1, more);
}

static void end(struct made_text *text) { made_text_add(text, "MOV OUT[0], TEMP[0]\nEND\n"); }

/* All values are made before the first is used. */
static void live_values(struct made_text *text, unsigned count)
{
    begin(text, count, "");
    for (unsigned n = 1; n < count; n++)
        made_text_add(text, "MAD TEMP[%u], TEMP[%u].yzwx, IMM[0].%cxyz, IN[0]\n", n, n - 1, "xzw"[n % 3]);
    for (unsigned n = 1; n < count; n++) made_text_add(text, "ADD TEMP[0], TEMP[0].yzwx, TEMP[%u]\n", n);
    end(text);
}

/* Loops in each other, and in each of them arithmetic, powers and lookups on the same registers. */
static void loops(struct made_text *text, unsigned depth, unsigned each)
{
    begin(text, 64, "DCL SAMP[0..15]\nDCL SVIEW[0..15], 2D, FLOAT\n");
    for (unsigned d = 0, n = 1; d < depth; d++) {
        made_text_add(text, "BGNLOOP\nFSLT TEMP[63].x, IMM[0].xxxx, IN[0].%cxxx\nUIF TEMP[63].xxxx\nBRK\nENDIF\n",
                      "xyzw"[d % 4]);
        for (unsigned i = 0; i < each; i++, n++) {
            unsigned to = n * 7 % 62, a = n * 11 % 62, b = n * 5 % 62;
            if (i % 4 == 0) made_text_add(text, "POW TEMP[%u], TEMP[%u].xxxx, TEMP[%u].yyyy\n", to, a, b);
            if (i % 4 == 2) made_text_add(text, "TEX TEMP[%u], TEMP[%u], SAMP[%u], 2D\n", to, a, n % UNITS);
            if (i % 2) made_text_add(text, "MAD TEMP[%u], TEMP[%u], TEMP[%u], TEMP[0]\n", to, a, b);
        }
    }
    for (unsigned d = 0; d < depth; d++) made_text_add(text, "BRK\nENDLOOP\n");
    end(text);
}

static void arrays(struct made_text *text, unsigned count)
{
    char more[64 * 40] = "DCL ADDR[0]\n";
    for (unsigned n = 0; n < count; n++)
        snprintf(more + strlen(more), sizeof more - strlen(more), "DCL TEMP[%u..%u], ARRAY(%u), LOCAL\n", 4 + 16 * n,
                 19 + 16 * n, n + 1);
    begin(text, 4, more);
    made_text_add(text, "F2U TEMP[1], IN[0]\nAND TEMP[1], TEMP[1], IMM[1].wwww\nUARL ADDR[0].x, TEMP[1].xxxx\n");
    for (unsigned n = 0; n < 8 * count; n++) {
        unsigned to = n % count, from = (n * 5 + 1) % count;
        made_text_add(text, "MAD TEMP[ADDR[0].x+%u](%u), TEMP[0], IMM[0], TEMP[ADDR[0].x+%u](%u)\n", 4 + 16 * to,
                      to + 1, 4 + 16 * from, from + 1);
        made_text_add(text, "ADD TEMP[0], TEMP[0].yzwx, TEMP[ADDR[0].x+%u](%u)\n", 4 + 16 * to, to + 1);
    }
    end(text);
}

static void conditions(struct made_text *text, unsigned depth)
{
    begin(text, 16, "");
    for (unsigned n = 0; n < depth; n++)
        made_text_add(
            text,
            "FSLT TEMP[1].x, TEMP[0].%cxxx, IMM[0].yyyy\nUIF TEMP[1].xxxx\nMAD TEMP[%u], TEMP[0], IMM[0], IN[0]\n",
            "xyzw"[n % 4], 2 + n % 14);
    for (unsigned n = 0; n < depth; n++)
        made_text_add(text, "ADD TEMP[0], TEMP[0].yzwx, TEMP[%u]\nENDIF\n", 2 + n % 14);
    end(text);
}

/* Each keeps what it chooses by, in all lanes. */
static void switches(struct made_text *text, unsigned depth)
{
    begin(text, 4, "");
    made_text_add(text, "F2U TEMP[1], IN[0]\nAND TEMP[1], TEMP[1], IMM[1].yyyy\n");
    for (unsigned n = 0; n < depth; n++)
        made_text_add(text, "SWITCH TEMP[1].%cxxx\nCASE IMM[1].xxxx\nMAD TEMP[0], TEMP[0], IMM[0], IN[0]\n",
                      "xyzw"[n % 4]);
    for (unsigned n = 0; n < depth; n++) made_text_add(text, "ENDSWITCH\n");
    end(text);
}

static void calls(struct made_text *text, unsigned count)
{
    enum { LINES_BEFORE = 3, LINES = 4, SUBROUTINES = 3 };
    begin(text, 4, "");
    for (unsigned n = 0; n < count; n++)
        made_text_add(text, "CAL :%u\n", LINES_BEFORE + count + LINES * (n * 7 % SUBROUTINES));
    end(text);
    for (unsigned n = 0; n < SUBROUTINES; n++)
        made_text_add(text,
                      "BGNSUB\nMAD TEMP[%u], TEMP[0].wxyz, IMM[0], IN[0].%cyzx\nMOV TEMP[0].%c, TEMP[%u]\nENDSUB\n",
                      n + 1, "xyz"[n], "xyz"[n], n + 1);
}

/* Every shape of lookup, each with its request in the code's frame. */
static void lookups(struct made_text *text, unsigned count)
{
    static const char *const forms[] = {
        "TEX TEMP[%u], TEMP[%u], SAMP[%u], 2D\n",
        "TXB TEMP[%u], TEMP[%u], SAMP[%u], 2D\n",
        "TXL TEMP[%u], TEMP[%u], SAMP[%u], 2D\n",
        "TXP TEMP[%u], TEMP[%u], SAMP[%u], 2D\n",
        "TXD TEMP[%u], TEMP[%u], IMM[0].wwww, IMM[0].wwww, SAMP[%u], 2D\n",
        "TG4 TEMP[%u], TEMP[%u], IMM[1].xxxx, SAMP[%u], 2D\n",
        "LODQ TEMP[%u], TEMP[%u], SAMP[%u], 2D\n",
    };
    begin(text, 16, "DCL SAMP[0..15]\nDCL SVIEW[0..15], 2D, FLOAT\n");
    for (unsigned n = 0; n < count; n++) {
        char line[128];
        const char *form = forms[n % (sizeof forms / sizeof *forms)];
        unsigned to = 1 + n % 15;
        snprintf(line, sizeof line, form, to, n * 3 % 16, n % UNITS); /* a constant of this function */
        made_text_add(text, "%sADD TEMP[0], TEMP[0].yzwx, TEMP[%u]\n", line, to);
    }
    end(text);
}

/* ---- running ---- */

struct world {
    struct sch_context *context;
    struct sch_resource *resource;
    struct sch_view *views[UNITS];
    struct sch_sampler *samplers[UNITS];
    uint32_t inputs[COUNT][4];
};

/* `inside`: code is made in this process. */
static void open_world(struct world *world, bool inside)
{
    const struct sch_sampler_options state = {.size = sizeof state};
    world->context = jit_context(inside);
    world->resource = jit_texture(world->context);
    for (unsigned n = 0; n < UNITS; n++) {
        assert_int_equal(sch_view_create(world->resource, NULL, &world->views[n]), SCH_OK);
        assert_int_equal(sch_sampler_create(world->context, &state, NULL, &world->samplers[n]), SCH_OK);
    }
    jit_inputs(world->inputs, COUNT);
}

static void close_world(struct world *world)
{
    for (unsigned n = 0; n < UNITS; n++) {
        sch_view_destroy(world->views[n]);
        sch_sampler_destroy(world->samplers[n]);
    }
    sch_resource_destroy(world->resource);
    sch_context_destroy(world->context);
}

static enum sch_result run(struct world *world, const struct sch_program *program, struct sch_diagnostics_list *list,
                           uint32_t outputs[COUNT][4])
{
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .views = world->views,
                                          .view_count = UNITS,
                                          .samplers = world->samplers,
                                          .sampler_count = UNITS};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .quads = true,
                                         .inputs = world->inputs[0],
                                         .input_bytes = sizeof world->inputs,
                                         .input_registers = 1,
                                         .outputs = outputs[0],
                                         .output_bytes = COUNT * sizeof *outputs,
                                         .output_registers = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .diagnostics = list};
    return sch_dispatch(program, &bindings, &work, &options, NULL);
}

/* What a thread does, and what came of it. */
struct errand {
    const struct made_text *text;
    enum sch_engine engine;
    bool inside;
    struct world *world;         /* NULL: it makes its own */
    struct sch_program *program; /* likewise */
    enum sch_result result;
    unsigned refusal; /* number of the first error */
    uint64_t groups;  /* that ran as machine code */
    uint32_t outputs[COUNT][4];
};

static unsigned first_error(const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++)
        if (view.severity == SCH_SEVERITY_ERROR) return view.code;
    return 0;
}

static void make_and_run(struct errand *errand, struct world *world)
{
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_diagnostics_list *list = NULL;
    const struct sch_program_options options = {.size = sizeof options, .engine = errand->engine};
    if (sch_diagnostics_create(world->context, &list) != SCH_OK) return;
    errand->result = sch_shader_read(world->context, errand->text->at, errand->text->bytes, NULL, list, &shader);
    if (errand->result == SCH_OK) errand->result = sch_program_create(world->context, shader, &options, list, &program);
    if (errand->result == SCH_OK) errand->result = run(world, program, list, errand->outputs);
    errand->refusal = first_error(list);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
}

static void *do_errand(void *argument)
{
    struct errand *errand = argument;
    errand->result = SCH_ERROR_MEMORY;
    if (errand->program) {
        errand->result = run(errand->world, errand->program, NULL, errand->outputs);
        return NULL;
    }
    static struct world own;
    struct sch_code_counts counts = {.size = sizeof counts};
    open_world(&own, errand->inside);
    make_and_run(errand, &own);
    sch_context_code_counts(own.context, &counts);
    errand->groups = counts.native_groups;
    close_world(&own);
    return NULL;
}

/* ---- small stacks ---- */

struct ground {
    uint8_t *memory; /* foreign memory, a guard page, the stack, foreign memory */
    pthread_t thread;
};
enum { GROUND = FOREIGN + GUARD + STACK + GUARD };

static void start(struct ground *ground, struct errand *errand)
{
    pthread_attr_t attributes;
    ground->memory = mmap(NULL, GROUND, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(ground->memory, MAP_FAILED);
    memset(ground->memory, MARK, FOREIGN);
    memset(ground->memory + FOREIGN + GUARD + STACK, MARK, GUARD);
    assert_int_equal(mprotect(ground->memory + FOREIGN, GUARD, PROT_NONE), 0);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, ground->memory + FOREIGN + GUARD, STACK), 0);
    assert_int_equal(pthread_create(&ground->thread, &attributes, do_errand, errand), 0);
    pthread_attr_destroy(&attributes);
}

/* How many foreign bytes were written. */
static size_t finish(struct ground *ground)
{
    size_t changed = 0;
    assert_int_equal(pthread_join(ground->thread, NULL), 0);
    for (size_t i = 0; i < FOREIGN; i++) changed += ground->memory[i] != MARK;
    for (size_t i = 0; i < GUARD; i++) changed += ground->memory[FOREIGN + GUARD + STACK + i] != MARK;
    munmap(ground->memory, GROUND);
    return changed;
}

/* `refusal`: by the engine jit; 0: it runs. */
static void check(struct made_text *text, unsigned refusal)
{
    static struct errand errands[3];
    static const enum sch_engine engines[3] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_JIT, SCH_ENGINE_JIT};
    for (unsigned e = 0; e < 3; e++) {
        struct ground ground;
        errands[e] = (struct errand){.text = text, .engine = engines[e], .inside = e == 2};
        start(&ground, &errands[e]);
        assert_int_equal(finish(&ground), 0);
        const bool refused = refusal && engines[e] == SCH_ENGINE_JIT;
        assert_int_equal(errands[e].result, refused ? SCH_ERROR_UNSUPPORTED : SCH_OK);
        assert_int_equal(errands[e].refusal, refused ? refusal : 0);
        if (engines[e] == SCH_ENGINE_JIT) assert_int_equal(errands[e].groups, refused ? 0 : COUNT / 32);
        if (!refused) assert_memory_equal(errands[e].outputs, errands[0].outputs, sizeof errands[0].outputs);
    }
    free(text->at);
}

/* ---- tests ---- */

static void values_that_live_long(void **state)
{
    (void)state;
    static const unsigned counts[] = {100, 300, 900};
    for (unsigned i = 0; i < 3; i++) {
        struct made_text text;
        live_values(&text, counts[i]);
        check(&text, 0);
    }
}

static void loops_with_lookups(void **state)
{
    (void)state;
    struct made_text text;
    loops(&text, 20, 20);
    check(&text, 0);
    loops(&text, 60, 20);
    check(&text, 0);
}

static void indexed_arrays(void **state)
{
    (void)state;
    struct made_text text;
    arrays(&text, 40);
    check(&text, 0);
}

static void nested_conditions(void **state)
{
    (void)state;
    struct made_text text;
    conditions(&text, 400);
    check(&text, 0);
}

/* Their values alone are more than the limit: there is no code for them. */
static void nested_switches(void **state)
{
    (void)state;
    struct made_text text;
    switches(&text, 100);
    check(&text, 0);
    switches(&text, 700);
    check(&text, TOO_LARGE);
}

static void many_calls(void **state)
{
    (void)state;
    struct made_text text;
    calls(&text, 300);
    check(&text, 0);
}

static void many_lookups(void **state)
{
    (void)state;
    struct made_text text;
    lookups(&text, 280);
    check(&text, 0);
}

/* Threads of a host share a program, in little memory. */
static void eight_threads_in_a_gigabyte(void **state)
{
    (void)state;
    static struct world world;
    static struct errand errands[1 + THREADS];
    struct ground ground[1 + THREADS];
    struct made_text text;
    struct sch_shader *shader;
    struct sch_code_report report = {.size = sizeof report};
    const struct sch_code_options form = {.size = sizeof form, .full = true, .quads = true};
    open_world(&world, false);
    loops(&text, 40, 20);
    assert_int_equal(sch_shader_read(world.context, text.at, text.bytes, NULL, NULL, &shader), SCH_OK);
    for (unsigned e = 0; e <= THREADS; e++) {
        const struct sch_program_options options = {.size = sizeof options,
                                                    .engine = e ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER};
        errands[e] = (struct errand){.world = &world, .program = e > 1 ? errands[1].program : NULL};
        if (e < 2)
            assert_int_equal(sch_program_create(world.context, shader, &options, NULL, &errands[e].program), SCH_OK);
        if (e == 1) assert_int_equal(sch_program_compile(errands[e].program, &form, &report), SCH_OK);
    }
    assert_in_range(report.stack_bytes, 1, MOST_STACK);
    for (unsigned e = 0; e <= THREADS; e++) start(&ground[e], &errands[e]);
    for (unsigned e = 0; e <= THREADS; e++) {
        assert_int_equal(finish(&ground[e]), 0);
        assert_int_equal(errands[e].result, SCH_OK);
        assert_memory_equal(errands[e].outputs, errands[0].outputs, sizeof errands[0].outputs);
    }
    for (unsigned e = 0; e < 2; e++) sch_program_destroy(errands[e].program);
    sch_shader_destroy(shader);
    close_world(&world);
    free(text.at);
}

int main(void)
{
#if !defined(__SANITIZE_ADDRESS__) /* whose shadow is larger */
    const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_live_long), cmocka_unit_test(loops_with_lookups),
        cmocka_unit_test(indexed_arrays),        cmocka_unit_test(nested_conditions),
        cmocka_unit_test(nested_switches),       cmocka_unit_test(many_calls),
        cmocka_unit_test(many_lookups),          cmocka_unit_test(eight_threads_in_a_gigabyte),
    };
    return cmocka_run_group_tests_name("jit_stack", tests, NULL, NULL);
}
