/* The code of one shader after the other (code_shaders.def), each about one thing that the compiler promises: it
 * answers what the interpreter answers, bit for bit, whole and at every limit; and it is no longer than it was
 * (code_costs.def), which is what most of src/jit is for: masks that nobody needs, NaN steps that nobody sees, calls
 * instead of code cost instructions and change no answer.
 *
 * What the compiler builds has so many instructions, no more and no less: one that gives up something (a lookup in the
 * program, a path of its own) may build less. A level's code is the same on every machine (jit/module.c), and what one
 * has compiled another may take from the cache: so its text has a sum (text_sum.h). Bytes depend on where members of
 * the core's structures stand, a little. Who changes the compiler looks at the difference, and sets the numbers by
 * `test_code --costs`, which prints all of code_costs.def. They are of one version of LLVM and not compared with
 * another's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/random_textures.h"
#include "../tgsi/tgsi_support.h"
#include "ops/ops.h"
#include "text_sum.h"

enum { TEXT = 1 << 17, COUNT = 75, REGISTERS = 3, OUTPUTS = 2, WIDE = 70, HIGH = 12, WORDS = 1024, CONSTANTS = 16 };

enum stage { FRAG, COMP };

static const struct shader {
    enum stage stage;
    unsigned only; /* a width; 0: all */
    const char *name, *declarations, *code;
} shaders[] = {
#define CODE(stage, name, declarations, code)        {stage, 0, #name, declarations, code},
#define LARGE(stage, only, name, declarations, code) {stage, only, #name, declarations, code},
#include "code_shaders.def"
#undef LARGE
#undef CODE
};
enum { SHADERS = sizeof shaders / sizeof *shaders };

/* FULL: groups of 32 without helpers; PART: any; SPAN: of a rectangle; BOUNDED: as FULL, where work is bounded. */
enum form { FULL, PART, SPAN, BOUNDED, FORMS };
static const char *const form_names[FORMS] = {"FULL", "PART", "SPAN", "BOUNDED"};

static const struct cost {
    const char *name, *level;
    enum form form;
    uint64_t built, optimised, bytes;
    uint32_t sum; /* of the text behind LLVM's passes */
} costs[] = {
#define COSTS_OF(version)
#define COST(name, level, form, built, optimised, bytes, sum) {#name, #level, form, built, optimised, bytes, sum},
#include "code_costs.def"
#undef COST
#undef COSTS_OF
};

static const char measured[] =
#define COSTS_OF(version) version
#define COST(name, level, form, built, optimised, bytes, sum)
#include "code_costs.def"
    ;
#undef COST
#undef COSTS_OF

/* Of those that run: spans of four lanes take long to compile, and are like those of eight. */
static bool has_form(const struct shader *shader, enum form form, unsigned width)
{
    if (shader->only && (form == SPAN || form == BOUNDED)) return false;
    return (form != SPAN || (shader->stage == FRAG && width != 4)) && (form != BOUNDED || width == 4);
}

static void append(char text[TEXT], size_t *length, const char *what, size_t bytes)
{
    assert_true(*length + bytes < TEXT);
    memcpy(text + *length, what, bytes);
    text[ *length += bytes] = 0;
}

/* With <COUNT|INSTRUCTIONS> so many times. */
static void append_code(char text[TEXT], size_t *length, const char *code)
{
    for (const char *open; (open = strchr(code, '<')) != NULL;) {
        append(text, length, code, (size_t)(open - code));
        char *begin;
        const unsigned long count = strtoul(open + 1, &begin, 10);
        const char *end = strchr(begin, '>');
        for (unsigned long i = 0; i < count; i++) append(text, length, begin + 1, (size_t)(end - begin - 1));
        code = end + 1;
    }
    append(text, length, code, strlen(code));
}

static void write_shader(const struct shader *shader, char text[TEXT])
{
    static const char *const heads[] = {
        "FRAG\nDCL IN[0..2], GENERIC[0], LINEAR\nDCL OUT[0], COLOR[0]\nDCL OUT[1], COLOR[1]\nDCL TEMP[0..7]\n"
        "DCL ADDR[0..1]\nDCL CONST[0..15]\nIMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {0.5, 1, 2, -1}\n",
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 72\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
        "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL TEMP[0..7]\nDCL ADDR[0..1]\nDCL CONST[0..15]\n"
        "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {0.5, 1, 2, -1}\nIMM[2] UINT32 {4, 40, 252, 128}\n"};
    size_t length = 0;
    append(text, &length, heads[shader->stage], strlen(heads[shader->stage]));
    append(text, &length, shader->declarations, strlen(shader->declarations));
    append(text, &length, "\n", 1);
    append_code(text, &length, shader->code);
    if (!strstr(shader->code, "; END;")) append(text, &length, "; END", 5);
    append(text, &length, "\n", 1);
    for (char *c = strchr(text, ';'); c; c = strchr(c, ';')) *c = '\n';
}

/* ---- the world that both engines see ---- */

struct world {
    uint32_t in[COUNT][REGISTERS][4], constants[CONSTANTS][4], words[2][WORDS];
    uint8_t helpers[COUNT];
    struct random_textures textures;
    struct sch_constant_buffer constant_buffers[4];
};

/* What one run leaves. */
struct end {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t out[COUNT][OUTPUTS][4], words[2][WORDS], pixels[OUTPUTS][HIGH][WIDE];
    uint8_t killed[COUNT];
};

static uint64_t seed;

static uint32_t next(void) /* xorshift64* */
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (uint32_t)(seed * 0x2545f4914f6cdd1du >> 32);
}

static uint32_t some_float(void)
{
    static const uint32_t special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x3f800000, 1};
    return next() % 12 == 0 ? special[next() % 8] : api_bits((float)(int32_t)next() * 0x1p-30f);
}

static void make_world(struct sch_context *context, const char *text, struct world *world)
{
    struct reading reading = read_string(text);
    if (!reading.shader) fail_msg("this is not read:\n%s", text);
    seed = 1;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) {
            world->in[i][0][c] = some_float();
            world->in[i][1][c] = i / 8 % 3 == 1 ? i / 32 + c % 2 : next() % 4;
            world->in[i][2][c] = some_float();
        }
    for (unsigned i = 0; i < CONSTANTS; i++)
        for (unsigned c = 0; c < 4; c++)
            world->constants[i][c] = i < 8 ? api_bits((float)(i + c) * 0.375f - 1) : (i + 3 * c) % 5 + 1;
    for (unsigned i = 0; i < WORDS; i++) world->words[0][i] = i * 0x01010101u + next() % 3;
    for (unsigned i = 32; i < COUNT; i++) world->helpers[i] = i % 7 == 3;
    for (unsigned i = 0; i < 4; i++)
        world->constant_buffers[i] =
            (struct sch_constant_buffer){world->constants[i], sizeof world->constants - 32 * i};
    random_textures_make(context, reading.shader, 5, &world->textures);
    release(&reading);
}

static void bind(struct world *world, struct sch_storage_buffer buffers[2], struct end *end,
                 struct sch_bindings *bindings)
{
    *bindings = (struct sch_bindings){.size = sizeof *bindings};
    random_textures_bind(&world->textures, bindings);
    memcpy(end->words, world->words, sizeof end->words);
    for (unsigned i = 0; i < 2; i++) buffers[i] = (struct sch_storage_buffer){end->words[i], sizeof end->words[i]};
    bindings->constants = world->constant_buffers;
    bindings->constant_count = 4;
    bindings->buffers = buffers;
    bindings->buffer_count = 2;
}

static void run(const struct sch_program *program, enum stage stage, struct world *world,
                const struct sch_dispatch_options *options, struct end *end)
{
    struct sch_storage_buffer buffers[2];
    struct sch_bindings bindings;
    memset(end, 0, sizeof *end);
    end->report.size = sizeof end->report;
    bind(world, buffers, end, &bindings);
    random_textures_reset(&world->textures);
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .quads = true,
                                         .inputs = world->in[0][0],
                                         .input_bytes = sizeof world->in,
                                         .input_registers = REGISTERS,
                                         .helpers = world->helpers,
                                         .helper_bytes = sizeof world->helpers,
                                         .outputs = end->out[0][0],
                                         .output_bytes = sizeof end->out,
                                         .output_registers = OUTPUTS,
                                         .killed = end->killed,
                                         .killed_bytes = sizeof end->killed};
    static const uint32_t one[3] = {1, 1, 1};
    end->result = stage == FRAG ? sch_dispatch(program, &bindings, &work, options, &end->report)
                                : sch_dispatch_grid(program, &bindings, one, NULL, options, &end->report);
}

/* A rectangle some of whose groups are whole. IN[1] counts rows and columns: sums of the least float. */
static void make_rectangle(struct sch_rectangle_register registers[REGISTERS],
                           struct sch_render_target render_targets[OUTPUTS], struct end *end,
                           struct sch_rectangle *rectangle)
{
    memset(registers, 0, REGISTERS * sizeof *registers);
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned c = 0; c < 4; c++) {
            const float dx = (float)(c + 1) / WIDE, dy = (float)(r + 1) / (HIGH + (float)c);
            registers[r].planes[c] = (struct sch_plane){{(float)c * 0.25f - 0.5f, dx, dy}, {r ? 1 : 2, 0, 0}};
        }
    for (unsigned r = 0; r < REGISTERS; r++) registers[r].index = r;
    registers[0].planar = registers[2].planar = 15;
    registers[1].planar = 3;
    registers[1].planes[0] = (struct sch_plane){{0, 0, api_float(1)}, {1, 0, 0}};
    registers[1].planes[1] = (struct sch_plane){{0, api_float(1), 0}, {1, 0, 0}};
    registers[1].words[2] = 2;
    registers[1].words[3] = 1;
    for (uint32_t c = 0; c < OUTPUTS; c++)
        render_targets[c] = (struct sch_render_target){.pixels = end->pixels[c],
                                                       .bytes = sizeof end->pixels[c],
                                                       .row_bytes = sizeof end->pixels[c][0],
                                                       .output = c};
    *rectangle = (struct sch_rectangle){.size = sizeof *rectangle,
                                        .width = WIDE,
                                        .height = HIGH,
                                        .registers = registers,
                                        .register_stride = sizeof(struct sch_rectangle_register),
                                        .register_count = REGISTERS,
                                        .render_targets = render_targets,
                                        .render_target_stride = sizeof(struct sch_render_target),
                                        .render_target_count = OUTPUTS};
}

static void draw(const struct sch_program *program, struct world *world, const struct sch_dispatch_options *options,
                 struct end *end)
{
    struct sch_rectangle_register registers[REGISTERS];
    struct sch_render_target render_targets[OUTPUTS];
    struct sch_rectangle rectangle;
    struct sch_storage_buffer buffers[2];
    struct sch_bindings bindings;
    memset(end, 0, sizeof *end);
    end->report.size = sizeof end->report;
    bind(world, buffers, end, &bindings);
    make_rectangle(registers, render_targets, end, &rectangle);
    end->result = sch_dispatch_rectangle(program, &bindings, &rectangle, options, &end->report);
}

/* ---- the answers ---- */

static void compare(const char *what, unsigned width, const struct end *wanted, const struct end *made)
{
    if (made->result != wanted->result || memcmp(&made->report, &wanted->report, sizeof made->report) != 0)
        fail_msg("%s, width %u: result %u, invocation %u, instruction %u, %llu executed; not %u, %u, %u, %llu", what,
                 width, made->result, made->report.invocation, made->report.instruction,
                 (unsigned long long)made->report.instructions, wanted->result, wanted->report.invocation,
                 wanted->report.instruction, (unsigned long long)wanted->report.instructions);
    if (wanted->result != SCH_OK) return;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned n = 0; n < 4 * OUTPUTS; n++)
            if (made->out[i][0][n] != wanted->out[i][0][n])
                fail_msg("%s, width %u, invocation %u: OUT[%u].%c is %08x, not %08x", what, width, i, n / 4,
                         "xyzw"[n % 4], made -> out[i][0][n], wanted -> out[i][0][n]);
    assert_memory_equal(made->killed, wanted->killed, sizeof made->killed);
    assert_memory_equal(made->words, wanted->words, sizeof made->words);
    assert_memory_equal(made->pixels, wanted->pixels, sizeof made->pixels);
}

/* What both engines answer where something bounds them. */
static void check_limits(const struct shader *shader, const struct sch_program *slow, const struct sch_program *quick,
                         unsigned width, struct world *world, uint64_t executed)
{
    static struct end wanted, made;
    for (uint64_t budget = 1; budget <= 3; budget++) {
        const struct sch_dispatch_options options = {.size = sizeof options, .budget = budget};
        run(slow, shader->stage, world, &options, &wanted);
        run(quick, shader->stage, world, &options, &made);
        compare("budget", width, &wanted, &made);
        if (!has_form(shader, SPAN, width)) continue;
        draw(slow, world, &options, &wanted);
        draw(quick, world, &options, &made);
        if (made.result != wanted.result) fail_msg("pixels, budget %u: %u", (unsigned)budget, made.result);
        if (made.result == SCH_OK) compare("pixels within the budget", width, &wanted, &made);
    }
    if (width != 4) return;
    const uint64_t bounds[] = {1, executed / 3, executed / 2 + 1, executed - 1, executed};
    for (unsigned i = 0; i < 5; i++) {
        const struct sch_dispatch_options options = {.size = sizeof options, .work = bounds[i] ? bounds[i] : 1};
        run(slow, shader->stage, world, &options, &wanted);
        run(quick, shader->stage, world, &options, &made);
        compare("work", width, &wanted, &made);
    }
}

/* TXQ asks a view for its size, which is no lookup. */
static bool shader_looks_up(const struct shader *shader)
{
    static const char *const lookups[] = {"TEX", "TXF", "TXL", "TXB", "TXD", "TXP", "TG4", "LODQ", "SAMPLE"};
    bool looks = strstr(shader->declarations, "IMAGE") != NULL;
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups && strstr(shader->declarations, "SVIEW"); i++)
        looks = looks || strstr(shader->code, lookups[i]);
    return looks;
}

static void check_answers(struct sch_context *context, const struct shader *shader, const char *text, unsigned width,
                          const struct sch_program *quick, struct world *world)
{
    static struct end wanted, made;
    enum sch_result why;
    struct sch_program *slow = api_program_on(context, text, strlen(text), SCH_ENGINE_INTERPRETER, 4, &why);
    assert_non_null(slow);
    run(slow, shader->stage, world, NULL, &wanted);
    assert_true(random_textures_agree(&world->textures, true));
    run(quick, shader->stage, world, NULL, &made);
    compare("invocations", width, &wanted, &made);
    if (!random_textures_agree(&world->textures, false)) fail_msg("width %u: images differ", width);
    check_limits(shader, slow, quick, width, world, wanted.report.instructions);
    if (has_form(shader, SPAN, width)) {
        draw(slow, world, NULL, &wanted);
        draw(quick, world, NULL, &made);
        compare("pixels", width, &wanted, &made);
    }
    sch_program_destroy(slow);
    struct sch_code_counts counts = {.size = sizeof counts};
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_OK);
    assert_int_equal(counts.refused, 0); /* lookups, too: the general functions answer the same */
    assert_true(counts.lookups > 0 || !shader_looks_up(shader));
}

/* ---- the costs ---- */

/* False: there are no spans. */
static bool measure(const struct sch_program *program, enum stage stage, enum form form, struct world *world,
                    struct sch_code_report *report, uint32_t *sum)
{
    static struct end end;
    struct sch_rectangle_register registers[REGISTERS];
    struct sch_render_target render_targets[OUTPUTS];
    struct sch_rectangle rectangle;
    struct sch_storage_buffer buffers[2];
    struct sch_bindings bindings;
    char *text = NULL;
    *report = (struct sch_code_report){.size = sizeof *report};
    *sum = 0;
    bind(world, buffers, &end, &bindings);
    make_rectangle(registers, render_targets, &end, &rectangle);
    const struct sch_code_options options = {.size = sizeof options,
                                             .full = form != PART,
                                             .quads = stage == FRAG,
                                             .bounded = form == BOUNDED,
                                             .rectangle = form == SPAN ? &rectangle : NULL,
                                             .bindings = form == SPAN ? &bindings : NULL};
    const enum sch_result result = sch_program_compile(program, &options, report);
    if (form == SPAN && result == SCH_ERROR_UNSUPPORTED) return false;
    assert_int_equal(result, SCH_OK);
    assert_int_equal(sch_program_code_text(program, &options, SCH_CODE_IR, &text), SCH_OK);
    *sum = text_sum(text);
    sch_free(NULL, text);
    return true;
}

static const struct cost *cost_of(const struct shader *shader, const char *level, enum form form)
{
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (strcmp(costs[i].name, shader->name) == 0 && strcmp(costs[i].level, level) == 0 && costs[i].form == form)
            return &costs[i];
    return NULL;
}

static void check_costs(const struct shader *shader, unsigned width, const char *level,
                        const struct sch_program *program, struct world *world)
{
    struct sch_code_report report;
    uint32_t sum;
    if (strcmp(measured, LLVM_VERSION) != 0) return;
    for (enum form form = 0; form < FORMS; form++) {
        if (!has_form(shader, form, width)) continue;
        const struct cost *cost = cost_of(shader, level, form);
        if (!cost) continue; /* a processor that nobody measured */
        const bool there = measure(program, shader->stage, form, world, &report, &sum);
        if (there != (cost->built != 0)) fail_msg("%s: spans are there, or not", level);
        if (report.built != cost->built || report.optimised != cost->optimised ||
            report.code_bytes > cost->bytes + cost->bytes / 32 || sum != cost->sum)
            fail_msg(
                "%s, %s: %llu instructions, %llu behind the passes, %llu bytes, text %08x; not %llu, %llu, at most "
                "%llu, "
                "%08x",
                level, form_names[form], (unsigned long long)report.built, (unsigned long long)report.optimised,
                (unsigned long long)report.code_bytes, sum, (unsigned long long)cost->built,
                (unsigned long long)cost->optimised, (unsigned long long)cost->bytes, cost->sum);
    }
}

static void print_costs(const struct shader *shader, unsigned width, const char *level,
                        const struct sch_program *program, struct world *world)
{
    struct sch_code_report report;
    uint32_t sum;
    for (enum form form = 0; form < FORMS; form++) {
        if (!has_form(shader, form, width)) continue;
        measure(program, shader->stage, form, world, &report, &sum);
        printf("COST(%s, %s, %s, %llu, %llu, %llu, 0x%08x)\n", shader->name, level, form_names[form],
               (unsigned long long)report.built, (unsigned long long)report.optimised,
               (unsigned long long)report.code_bytes, sum);
    }
}

/* ---- one shader ---- */

static struct sch_context *open_context(void)
{
    struct sch_context *context = NULL;
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = by_code_compiler(), .inside = true};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

static void at_width(const struct shader *shader, unsigned width, bool print)
{
    if (shader->only && width != shader->only) return;
    static struct world world;
    static char text[TEXT];
    enum sch_result why;
    struct sch_context *context = open_context();
    const char *level = sch_ops_for_width(width)->name;
    memset(&world, 0, sizeof world);
    write_shader(shader, text);
    make_world(context, text, &world);
    struct sch_program *program = api_program_on(context, text, strlen(text), SCH_ENGINE_JIT, width, &why);
    if (!program) fail_msg("%s\n%s", sch_result_text(why), text);
    if (print) {
        print_costs(shader, width, level, program, &world);
    } else {
        check_answers(context, shader, text, width, program, &world);
        check_costs(shader, width, level, program, &world);
    }
    sch_program_destroy(program);
    random_textures_release(&world.textures);
    sch_context_destroy(context);
}

/* From width to width: eight lanes are something of their own to memory alone, which has gathers there and no
 * scatters. */
static unsigned step_of(const struct shader *shader) { return shader->stage == FRAG ? 4 : 2; }

/* Without SCH_LONG at one width each, by turns. */
static void shader_is_as_promised(void **state)
{
    const struct shader *shader = *state;
    const unsigned step = step_of(shader), turn = (unsigned)(shader - shaders) % (step == 4 ? 2 : 3);
    for (unsigned width = 4, n = 0; width <= 16; width *= step, n++)
        if (shader->only || n == turn || getenv("SCH_LONG")) at_width(shader, width, false);
}

static void print_all(void **state)
{
    (void)state;
    puts(
        "/* What test_code --costs printed: the version of LLVM; instructions as built, behind LLVM's passes, bytes of "
        "code,\n * sum of the text; zeros: there are no spans. Holds nothing else. */\nCOSTS_OF(\"" LLVM_VERSION "\")");
    for (unsigned i = 0; i < SHADERS; i++)
        for (unsigned width = 4; width <= 16; width *= step_of(&shaders[i])) at_width(&shaders[i], width, true);
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[SHADERS];
    if (argc > 1 && strcmp(argv[1], "--costs") == 0) {
        const struct CMUnitTest all[] = {cmocka_unit_test(print_all)};
        return cmocka_run_group_tests(all, NULL, NULL);
    }
    for (unsigned i = 0; i < SHADERS; i++)
        tests[i] =
            (struct CMUnitTest){shaders[i].name, shader_is_as_promised, NULL, NULL, (void *)(uintptr_t)&shaders[i]};
    return _cmocka_run_group_tests("code", tests, SHADERS, NULL, NULL);
}
