/* Shaders that are made to be expensive: the engine jit compiles them within a bound of memory or refuses them by
 * number (4381), the engine auto runs them all, and the answers are the interpreter's. The process may have so much
 * address space and no more. Nothing is timed; docs/performance.md says what they take. Holds no oracle of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <scheelite/scheelite.h>

#include "../support/by_code.h"
#include "../support/made_text.h"
#include "jit_support.h"

enum {
    COUNT = 75, /* two full groups of 32 and a part */
    MOST_SAMPLERS = 1000,
    KINDS_OF_SAMPLERS = 4,
    WORDS = 1024, /* of the buffer */
    TOO_LARGE = 4381,
    TOO_NESTED = 2010,
    ADDRESSES_GIB = 4,
    MEMORY_MIB = 1024 /* that the whole program may have had at once */
};

/* ---- texts ---- */

/* `more`: further declarations. */
static void begin(struct made_text *text, const char *more)
{
    *text = (struct made_text){0};
    made_text_add(text,
                  "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n%sDCL TEMP[0..3]\n"
                  "IMM[0] FLT32 {0.5, 1.5, 0.25, 0.125}\nIMM[1] UINT32 {0, 1, 3, 4095}\nMOV TEMP[0], IN[0]\n",
                  more);
}

static void end(struct made_text *text) { made_text_add(text, "MOV OUT[0], TEMP[0]\nEND\n"); }

/* Bits and sums of them: what costs the compiler least. */
static void integers(struct made_text *text, unsigned count)
{
    static const char *const opcodes[] = {"UADD", "XOR", "OR", "AND", "UADD", "XOR"};
    begin(text, "");
    for (unsigned n = 0; n < count; n++)
        made_text_add(text, "%s TEMP[%u], TEMP[%u].yzwx, %s\n", opcodes[n % 6], n % 4, (n + 3) % 4,
                      n % 5 ? "IN[0]" : "IMM[1]");
    end(text);
}

static void arithmetic(struct made_text *text, unsigned count)
{
    begin(text, "");
    for (unsigned n = 0; n < count; n++)
        made_text_add(text, "MAD TEMP[%u], TEMP[%u].yzwx, IMM[0].%cxyz, IN[0]\n", n % 4, (n + 3) % 4, "xzw"[n % 3]);
    end(text);
}

static void nested(struct made_text *text, unsigned count)
{
    begin(text, "");
    for (unsigned n = 0; n < count; n++)
        made_text_add(
            text,
            "FSLT TEMP[1].x, TEMP[0].%cxxx, IMM[0].yyyy\nUIF TEMP[1].xxxx\nMAD TEMP[0], TEMP[0], IMM[0].xyzw, IN[0]\n",
            "xyzw"[n % 4]);
    for (unsigned n = 0; n < count; n++) made_text_add(text, "ENDIF\n");
    end(text);
}

static void loops(struct made_text *text, unsigned count)
{
    begin(text, "");
    for (unsigned n = 0; n < count; n++)
        made_text_add(text, "MOV TEMP[1].x, IMM[1].xxxx\nBGNLOOP\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n"
                            "USGE TEMP[1].y, TEMP[1].xxxx, IMM[1].zzzz\nUIF TEMP[1].yyyy\nBRK\nENDIF\n"
                            "MAD TEMP[0], TEMP[0].yzwx, IMM[0], IN[0]\nENDLOOP\n");
    end(text);
}

/* Each subroutine calls the next. */
static void calls(struct made_text *text, unsigned count)
{
    enum { LINES_BEFORE = 4, LINES = 5 };
    begin(text, "");
    made_text_add(text, "CAL :%u\n", LINES_BEFORE);
    end(text);
    for (unsigned n = 0; n < count; n++) {
        made_text_add(text, "BGNSUB\nMAD TEMP[0], TEMP[0].wxyz, IMM[0], IN[0]\n");
        if (n + 1 < count)
            made_text_add(text, "CAL :%u\n", LINES_BEFORE + LINES * (n + 1));
        else
            made_text_add(text, "NOP\n");
        made_text_add(text, "RET\nENDSUB\n");
    }
}

/* Three subroutines, each called from a third of the places. */
static void places_of_calls(struct made_text *text, unsigned count)
{
    enum { LINES_BEFORE = 3, LINES = 4, SUBROUTINES = 3 };
    begin(text, "");
    for (unsigned n = 0; n < count; n++)
        made_text_add(text, "CAL :%u\n", LINES_BEFORE + count + LINES * (n * 7 % SUBROUTINES));
    end(text);
    for (unsigned n = 0; n < SUBROUTINES; n++)
        made_text_add(text,
                      "BGNSUB\nMAD TEMP[%u], TEMP[0].wxyz, IMM[0], IN[0].%cyzx\nMOV TEMP[0].%c, TEMP[%u]\nENDSUB\n",
                      n + 1, "xyz"[n], "xyz"[n], n + 1);
}

/* Loads and stores of a buffer at places that lanes choose. */
static void accesses(struct made_text *text, unsigned count)
{
    begin(text, "DCL BUFFER[0]\n");
    for (unsigned n = 0; n < count; n++) {
        made_text_add(text, "AND TEMP[2].x, TEMP[0].%cxxx, IMM[1].wwww\nLOAD TEMP[1].x, BUFFER[0], TEMP[2].xxxx\n",
                      "xyzw"[n % 4]);
        made_text_add(text, "XOR TEMP[0], TEMP[0].yzwx, TEMP[1].xxxx\n");
        if (n % 3 == 0) made_text_add(text, "STORE BUFFER[0].x, TEMP[2].xxxx, TEMP[0].%cxxx\n", "yzw"[n / 3 % 3]);
    }
    end(text);
}

static void indexed(struct made_text *text, unsigned count)
{
    begin(text, "DCL TEMP[4..4099], ARRAY(1), LOCAL\nDCL ADDR[0]\n");
    made_text_add(text, "MUL TEMP[1], IN[0], IMM[0].yyyy\nF2U TEMP[1], TEMP[1]\n");
    for (unsigned n = 0; n < count; n++) {
        made_text_add(text, "UADD TEMP[1].%c, TEMP[1].yzwx, IMM[1].zyzy\nAND TEMP[2].x, TEMP[1].%cxxx, IMM[1].wwww\n",
                      "xyzw"[n % 4], "xyzw"[n % 4]);
        made_text_add(text, "UARL ADDR[0].x, TEMP[2].xxxx\n");
        made_text_add(text, n % 3 ? "ADD TEMP[0], TEMP[0], TEMP[ADDR[0].x+4](1)\n"
                                  : "MUL TEMP[ADDR[0].x+4](1), TEMP[0], IMM[0]\n");
    }
    end(text);
}

/* Registers by numbers that differ from lane to lane and that may be of none, read and written, by operations for each
 * channel and for all of them, in some lanes; a register that holds the numbers is written by them, too. */
static void by_numbers(struct made_text *text, unsigned count)
{
    static const char *const lines[] = {
        "UMAD TEMP[ADDR[0].x+1], TEMP[ADDR[0].x+2].yzwx, IMM[3], TEMP[%u]\n",
        "DP4 TEMP[%u].xzw, TEMP[ADDR[0].x-3], TEMP[3]\n",
        "DP3 TEMP[ADDR[0].x-8].yz, |TEMP[ADDR[0].x+1]|, TEMP[%u]\n",
        "UIF TEMP[19].xxxx\nADD TEMP[ADDR[0].x].xw, -TEMP[ADDR[0].x+5], TEMP[%u].yyyy\nENDIF\n",
        "MOV_SAT TEMP[%u], TEMP[TEMP[19].x+2]\n",
        "UMAD TEMP[TEMP[19].x-12], TEMP[%u].wzyx, IMM[3], IMM[0]\n",
    };
    *text = (struct made_text){0};
    made_text_add(text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..19]\nDCL ADDR[0]\n"
                        "IMM[0] FLT32 {0.5, 1.5, 0.25, 0.125}\nIMM[1] UINT32 {3, 31, 8, 0}\nIMM[2] FLT32 {8, 8, 8, "
                        "8}\nIMM[3] UINT32 {3, 5, 7, 11}\n"
                        "MUL TEMP[18], IN[0], IMM[2]\nF2U TEMP[18], TEMP[18]\n");
    for (unsigned n = 0; n < 17; n++) made_text_add(text, "MOV TEMP[%u], IN[0].%s\n", n, n % 2 ? "wzyx" : "yzwx");
    for (unsigned n = 0; n < count; n++) {
        made_text_add(text, "UADD TEMP[18].x, TEMP[18].xxxx, IMM[1].xxxx\nAND TEMP[19].x, TEMP[18].xxxx, IMM[1].yyyy\n"
                            "UARL ADDR[0].x, TEMP[19].xxxx\n");
        made_text_add(text, lines[n % (sizeof lines / sizeof *lines)], n % 17);
    }
    for (unsigned n = 1; n < 20; n++) made_text_add(text, "XOR TEMP[0], TEMP[0].yzwx, TEMP[%u]\n", n);
    end(text);
}

static void lookups(struct made_text *text, unsigned count)
{
    *text = (struct made_text){0};
    made_text_add(text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0..%u]\n", count - 1);
    made_text_add(text, "DCL TEMP[0..3]\nMOV TEMP[0], IN[0]\n");
    for (unsigned n = 0; n < count; n++)
        made_text_add(text, "TEX TEMP[1], TEMP[0].%s, SAMP[%u], 2D\nADD TEMP[0], TEMP[0].yzwx, TEMP[1]\n",
                      n % 2 ? "xyyy" : "zwww", n);
    end(text);
}

/* All registers are written before the first is added up: in all lanes and in some, by operations for each channel and
 * for all of them, with modifiers. Sums read channels that they write. */
static void live_registers(struct made_text *text, unsigned count)
{
    *text = (struct made_text){0};
    made_text_add(text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..%u]\n", count);
    made_text_add(text, "IMM[0] FLT32 {0.5, 1.5, 0.25, 0.125}\nMOV TEMP[0], IN[0]\n");
    for (unsigned n = 1; n < count; n++) {
        const unsigned from = n - 1;
        if (n % 16 == 3)
            made_text_add(text,
                          "FSLT TEMP[%u].x, TEMP[%u].%cxxx, IN[0].yyyy\nUIF TEMP[%u].xxxx\n"
                          "ADD TEMP[%u], TEMP[%u].wxyz, TEMP[%u]\nMOV TEMP[%u].yz, -TEMP[%u]\nENDIF\n",
                          n, from, "xyzw"[n / 16 % 4], n, from, from, count, n, from);
        else if (n % 16 == 7)
            made_text_add(text, "DP4 TEMP[%u].xzw, TEMP[%u], IN[0]\n", n, from);
        else if (n % 16 == 11)
            made_text_add(text, "MUL_SAT TEMP[%u], |TEMP[%u].wzyx|, IMM[0].yyyx\n", n, from);
        else
            made_text_add(text, "MAD TEMP[%u], TEMP[%u].yzwx, IMM[0].%cxyz, IN[0]\n", n, from, "xzw"[n % 3]);
    }
    for (unsigned n = 1; n <= count; n++) made_text_add(text, "ADD TEMP[0], TEMP[0].yzwx, TEMP[%u]\n", n);
    end(text);
}

/* Loops that lanes leave after one or two turns, with lookups of several kinds in them: quotients, levels, results in
 * some channels, negative coordinates. */
static void lookups_in_loops(struct made_text *text, unsigned count, unsigned steps)
{
    uint32_t chance = 1;
    *text = (struct made_text){0};
    made_text_add(text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0..15]\n"
                        "DCL TEMP[0..65]\nIMM[0] FLT32 {0.5, 1.5, 0.25, 0.125}\nIMM[1] UINT32 {0, 1, 3, 4095}\n"
                        "MOV TEMP[0], IN[0]\nFSLT TEMP[64].y, IN[0].xxxx, IN[0].yyyy\n"
                        "AND TEMP[64].y, TEMP[64].yyyy, IMM[1].yyyy\n");
    for (unsigned n = 1; n < 64; n++)
        made_text_add(text, "MAD TEMP[%u], TEMP[%u].yzwx, IMM[0].%cxyz, IN[0]\n", n, n - 1, "xzw"[n % 3]);
    for (unsigned n = 0; n < count; n++) {
        made_text_add(text, "MOV TEMP[64].x, IMM[1].xxxx\nBGNLOOP\n");
        for (unsigned i = 0; i < steps; i++) {
            chance = chance * 1664525 + 1013904223;
            const unsigned to = chance >> 8 & 63, a = chance >> 14 & 63, b = chance >> 20 & 63,
                           unit = chance >> 26 & 15;
            switch (i % 8) {
            case 0:
                made_text_add(text, "TEX TEMP[%u], TEMP[%u], SAMP[%u], 2D\n", to, a, unit);
                break;
            case 1:
                made_text_add(text, "TXP TEMP[%u].xyw, -TEMP[%u].zwxy, SAMP[%u], 2D\n", to, a, unit);
                break;
            case 2:
                made_text_add(text, "TXL_SAT TEMP[%u], TEMP[%u].yxzw, SAMP[%u], 2D\n", to, a, unit);
                break;
            case 3:
                made_text_add(text, "TEX TEMP[%u].zw, |TEMP[%u]|, SAMP[%u], 2D\n", a, a, unit);
                break;
            case 4:
                made_text_add(text, "POW TEMP[%u], TEMP[%u].xxxx, TEMP[%u].yyyy\n", to, a, b);
                break;
            default:
                made_text_add(text, "MAD TEMP[%u], TEMP[%u].yzwx, TEMP[%u], IMM[0]\n", to, a, b);
            }
        }
        made_text_add(text, "USGE TEMP[64].z, TEMP[64].xxxx, TEMP[64].yyyy\nUIF TEMP[64].zzzz\nBRK\nENDIF\n"
                            "UADD TEMP[64].x, TEMP[64].xxxx, IMM[1].yyyy\nENDLOOP\n");
    }
    for (unsigned n = 1; n < 64; n++) made_text_add(text, "XOR TEMP[0], TEMP[0].yzwx, TEMP[%u]\n", n);
    end(text);
}

/* ---- running ---- */

struct world {
    struct sch_context *context;
    struct sch_resource *resource;
    struct sch_view *view, *views[MOST_SAMPLERS];
    struct sch_sampler *kinds[KINDS_OF_SAMPLERS], *samplers[MOST_SAMPLERS];
    uint32_t inputs[COUNT][4];
};

static void open_world_with(struct world *world, bool inside)
{
    world->context = jit_context(inside);
    world->resource = jit_texture(world->context);
    assert_int_equal(sch_view_create(world->resource, NULL, &world->view), SCH_OK);
    for (unsigned k = 0; k < KINDS_OF_SAMPLERS; k++) {
        const struct sch_sampler_options state = {.size = sizeof state,
                                                  .wrap_s = k % 2 ? SCH_WRAP_REPEAT : SCH_WRAP_CLAMP_TO_EDGE,
                                                  .mag_filter = k / 2 ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST};
        assert_int_equal(sch_sampler_create(world->context, &state, NULL, &world->kinds[k]), SCH_OK);
    }
    for (unsigned n = 0; n < MOST_SAMPLERS; n++) {
        world->samplers[n] = world->kinds[n % KINDS_OF_SAMPLERS];
        world->views[n] = world->view;
    }
    jit_inputs(world->inputs, COUNT);
}

static void open_world(struct world *world) { open_world_with(world, false); }

/* Code is made in this process. */
static void open_inside(struct world *world) { open_world_with(world, true); }

static void close_world(struct world *world)
{
    for (unsigned k = 0; k < KINDS_OF_SAMPLERS; k++) sch_sampler_destroy(world->kinds[k]);
    sch_view_destroy(world->view);
    sch_resource_destroy(world->resource);
    sch_context_destroy(world->context);
}

static void run(struct world *world, const struct sch_program *program, uint32_t outputs[COUNT][4])
{
    static uint32_t words[WORDS];
    for (unsigned i = 0; i < WORDS; i++) words[i] = i * 0x9e3779b9u;
    const struct sch_storage_buffer buffer = {words, sizeof words};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .buffers = &buffer,
                                          .buffer_count = 1,
                                          .views = world->views,
                                          .view_count = MOST_SAMPLERS,
                                          .samplers = world->samplers,
                                          .sampler_count = MOST_SAMPLERS};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .quads = true,
                                         .inputs = world->inputs[0],
                                         .input_bytes = sizeof world->inputs,
                                         .input_registers = 1,
                                         .outputs = outputs[0],
                                         .output_bytes = COUNT * sizeof *outputs,
                                         .output_registers = 1};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
}

/* The program, or the number of the first error. */
static unsigned make(struct world *world, const struct made_text *text, enum sch_engine engine, unsigned width,
                     struct sch_program **program)
{
    struct sch_shader *shader = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info first = {.size = sizeof first, .code = 0};
    const struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    *program = NULL;
    assert_int_equal(sch_diagnostics_create(world->context, &list), SCH_OK);
    enum sch_result result = sch_shader_read(world->context, text->at, text->bytes, NULL, list, &shader);
    if (result == SCH_OK) result = sch_program_create(world->context, shader, &options, list, program);
    for (size_t i = 0; result != SCH_OK && sch_diagnostics_get(list, i, &first); i++)
        if (first.severity == SCH_SEVERITY_ERROR) break;
    if (result != SCH_OK) assert_true(first.code != 0);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    return result == SCH_OK ? 0 : first.code;
}

/* Outputs of a shader on an engine; how many groups ran as machine code. */
static uint64_t outputs_of(const struct made_text *text, enum sch_engine engine, unsigned refusal,
                           uint32_t outputs[COUNT][4])
{
    static struct world world;
    struct sch_code_counts counts = {.size = sizeof counts};
    struct sch_program *program;
    open_world(&world);
    assert_int_equal(make(&world, text, engine, 0, &program), refusal);
    if (program) run(&world, program, outputs);
    sch_program_destroy(program);
    assert_int_equal(sch_context_code_counts(world.context, &counts), SCH_OK);
    close_world(&world);
    return counts.native_groups;
}

/* `refusal`: by the engine jit; 0: it runs. */
static void check(struct made_text *text, unsigned refusal)
{
    static uint32_t wanted[COUNT][4], made[COUNT][4];
    outputs_of(text, SCH_ENGINE_INTERPRETER, 0, wanted);
    memset(made, 0, sizeof made);
    uint64_t groups = outputs_of(text, SCH_ENGINE_AUTO, 0, made);
    assert_memory_equal(made, wanted, sizeof made);
    assert_true(!refusal || groups == 0);
    memset(made, 0, sizeof made);
    groups = outputs_of(text, SCH_ENGINE_JIT, refusal, made);
    assert_int_equal(groups, refusal ? 0 : (COUNT + 31) / 32);
    if (!refusal) assert_memory_equal(made, wanted, sizeof made);
    free(text->at);
}

/* All products with the same few constants: LLVM compared each with all others. */
static void products_with_constants(void **state)
{
    (void)state;
    struct made_text text;
    arithmetic(&text, 1200);
    check(&text, 0);
}

/* The least that must be taken: at every width; code of one width is made and run. */
static void ten_thousand_instructions(void **state)
{
    (void)state;
    static struct world world;
    struct made_text text;
    integers(&text, 10000);
    open_world(&world);
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_program *program;
        assert_int_equal(make(&world, &text, SCH_ENGINE_JIT, width, &program), 0);
        sch_program_destroy(program);
    }
    close_world(&world);
    check(&text, 0);
}

/* Widths from `first` to `last` run machine code, which computes what the interpreter does. */
static void check_widths(struct made_text *text, unsigned first, unsigned last)
{
    static uint32_t wanted[COUNT][4], made[COUNT][4];
    static struct world world;
    struct sch_code_counts counts = {.size = sizeof counts};
    outputs_of(text, SCH_ENGINE_INTERPRETER, 0, wanted);
    for (unsigned width = first; width <= last; width *= 2) {
        struct sch_program *program;
        open_world(&world);
        assert_int_equal(make(&world, text, SCH_ENGINE_JIT, width, &program), 0);
        memset(made, 0, sizeof made);
        run(&world, program, made);
        sch_program_destroy(program);
        assert_int_equal(sch_context_code_counts(world.context, &counts), SCH_OK);
        assert_int_equal(counts.native_groups, (COUNT + 31) / 32);
        close_world(&world);
        assert_memory_equal(made, wanted, sizeof made);
    }
    free(text->at);
}

/* More registers than a frame has room for: 1,000 were refused after 6 s. */
static void more_registers_than_fit_a_frame(void **state)
{
    (void)state;
    struct made_text text;
    live_registers(&text, 4096);
    check_widths(&text, 4, 16);
}

/* They were refused at every width but 8. */
static void twenty_thousand_instructions(void **state)
{
    (void)state;
    struct made_text text;
    arithmetic(&text, 20000);
    check_widths(&text, 4, 16);
}

/* 8,000 such instructions were refused at every width. */
static void thousands_of_indexed_operands(void **state)
{
    (void)state;
    struct made_text text;
    by_numbers(&text, 3000);
    check_widths(&text, 4, 16);
    by_numbers(&text, 47); /* in usual code */
    check_widths(&text, 4, 16);
}

/* At width 4 their operands took more instructions, or a larger frame, than a program may have. */
static void many_lookups_in_loops(void **state)
{
    (void)state;
    struct made_text text;
    lookups_in_loops(&text, 100, 24);
    check_widths(&text, 4, 16);
}

/* Compiling is bounded by what LLVM is given, so its instructions and memory stand for time: few at each
 * width. A program that is known not to fit is not given to LLVM in the usual way first: that took 526 MiB at width 4,
 * and 9 s. */
static void instructions_are_data(void **state)
{
    (void)state;
    enum { COUNT_OF_MADS = 3000, MOST_LLVM = 1500, MOST_MIB = 200 };
    static struct world world;
    struct rusage used;
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_code_report report = {.size = sizeof report};
        struct sch_program *program;
        struct made_text text;
        open_inside(&world);
        arithmetic(&text, COUNT_OF_MADS);
        assert_int_equal(make(&world, &text, SCH_ENGINE_JIT, width, &program), 0);
        assert_int_equal(sch_program_compile(program, NULL, &report), SCH_OK);
        assert_in_range(report.optimised, 1, MOST_LLVM);
        sch_program_destroy(program);
        close_world(&world);
        free(text.at);
    }
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    assert_in_range(used.ru_maxrss / 1024, 1, MOST_MIB);
}

static void a_hundred_thousand_instructions(void **state)
{
    (void)state;
    struct made_text text;
    arithmetic(&text, 100000);
    check(&text, TOO_LARGE);
}

static void nested_blocks(void **state)
{
    (void)state;
    struct made_text text;
    nested(&text, 1000);
    check(&text, 0);
}

/* More than may be nested is refused before there is a program. */
static void ten_thousand_nested_blocks(void **state)
{
    (void)state;
    static uint32_t made[COUNT][4];
    struct made_text text;
    nested(&text, 10000);
    static const enum sch_engine engines[] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_AUTO, SCH_ENGINE_JIT};
    for (unsigned e = 0; e < 3; e++) outputs_of(&text, engines[e], TOO_NESTED, made);
    free(text.at);
}

static void many_loops(void **state)
{
    (void)state;
    struct made_text text;
    loops(&text, 300);
    check(&text, 0);
}

static void a_chain_of_subroutines(void **state)
{
    (void)state;
    struct made_text text;
    calls(&text, 500);
    check(&text, 0);
}

/* Each place was an edge that all registers were carried over: 800 took 20 s, 1,600 take 1. */
static void subroutines_called_often(void **state)
{
    (void)state;
    struct made_text text;
    places_of_calls(&text, 1600);
    check(&text, 0);
}

/* A call is a few instructions and two edges, with nothing on them: 4,000 took 3.7 s and 423 MiB, 19,900 took 13 s and
 * 1.46 GiB. Instructions stand for time here, as the machine does not change them. */
static void calls_are_cheap(void **state)
{
    (void)state;
    enum { CALLS = 4000, MOST_EACH = 20, MOST_MIB = 400, TOO_MANY = 19900 };
    static struct world world;
    struct sch_code_report report = {.size = sizeof report};
    struct sch_program *program;
    struct rusage used;
    struct made_text text;
    open_inside(&world);
    places_of_calls(&text, CALLS);
    assert_int_equal(make(&world, &text, SCH_ENGINE_JIT, 0, &program), 0);
    assert_int_equal(sch_program_compile(program, NULL, &report), SCH_OK);
    sch_program_destroy(program);
    close_world(&world);
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    assert_in_range(report.optimised, CALLS, MOST_EACH * CALLS);
    assert_in_range(used.ru_maxrss / 1024, 1, MOST_MIB);
    free(text.at);

    static uint32_t outputs[COUNT][4];
    places_of_calls(&text, TOO_MANY);
    assert_int_equal(outputs_of(&text, SCH_ENGINE_JIT, TOO_LARGE, outputs), 0);
    free(text.at);
}

/* 1,600 took 12 s when each had code of its own. */
static void many_accesses(void **state)
{
    (void)state;
    struct made_text text;
    accesses(&text, 2000);
    check(&text, 0);
}

static void indexed_registers(void **state)
{
    (void)state;
    struct made_text text;
    indexed(&text, 300);
    check(&text, 0);
}

static void a_thousand_samplers(void **state)
{
    (void)state;
    struct made_text text;
    lookups(&text, MOST_SAMPLERS);
    check(&text, 0);
}

/* After all others. */
static void memory_stayed_small(void **state)
{
    (void)state;
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    print_message("# %ld MiB at most\n", used.ru_maxrss / 1024);
    assert_in_range(used.ru_maxrss / 1024, 1, MEMORY_MIB);
}

int main(void)
{
    const struct rlimit limit = {(rlim_t)ADDRESSES_GIB << 30, (rlim_t)ADDRESSES_GIB << 30};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_data), /* the first: memory is the most that there was */
        cmocka_unit_test(ten_thousand_instructions),
        cmocka_unit_test(more_registers_than_fit_a_frame),
        cmocka_unit_test(twenty_thousand_instructions),
        cmocka_unit_test(many_lookups_in_loops),
        cmocka_unit_test(a_hundred_thousand_instructions),
        cmocka_unit_test(products_with_constants),
        cmocka_unit_test(nested_blocks),
        cmocka_unit_test(ten_thousand_nested_blocks),
        cmocka_unit_test(many_loops),
        cmocka_unit_test(a_chain_of_subroutines),
        cmocka_unit_test(subroutines_called_often),
        cmocka_unit_test(calls_are_cheap),
        cmocka_unit_test(many_accesses),
        cmocka_unit_test(indexed_registers),
        cmocka_unit_test(thousands_of_indexed_operands),
        cmocka_unit_test(a_thousand_samplers),
        cmocka_unit_test(memory_stayed_small),
    };
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
    return cmocka_run_group_tests_name("jit hostile", tests, NULL, NULL);
}
