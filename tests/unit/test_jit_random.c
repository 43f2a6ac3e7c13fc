/* Random programs of every stage on the engines `interpreter` and `jit`: the same outputs, killed lanes, vertices,
 * memory, images, numbers of executed instructions, and the same place where a run fails. The instructions come from
 * the table of opcodes, with random operands: indexed registers, modifiers, swizzles and masks that need not make
 * sense. What the validator refuses is taken out of a program, line by line, until it is valid. What an instruction
 * means is tested elsewhere. One thread, so that what invocations do to each other's memory has one result, too.
 * SCH_LONG=1: 100,000 programs, or SCH_ROUNDS; from number SCH_FIRST on; SCH_TEXT=FILE runs that shader instead. */
#include "random_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_code.h"
#include "random_textures.h"
#include "tgsi_support.h"

#include <scheelite/scheelite.h>

enum {
    MOST = 75, /* two full groups and a part of one */
    VERTICES = 4,
    REGISTERS = 4,
    VALUES = 6,
    OUTPUTS = 3,
    EVENTS = 24,
    CONSTANTS = 16,
    BUFFERS = 4,
    BUFFER_WORDS = 256,
    SHORT_PROGRAMS = 32,
    LONG_PROGRAMS = 100000
};

struct data {
    uint32_t inputs[MOST][VERTICES][REGISTERS][4], values[MOST][VALUES][4], planes[MOST][REGISTERS][4][4];
    uint32_t constants[2][CONSTANTS][4], memory[BUFFERS][BUFFER_WORDS];
    uint8_t helpers[MOST];
};

struct results {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t outputs[MOST][OUTPUTS][4], events[MOST][EVENTS], event_counts[MOST];
    uint32_t event_outputs[MOST][EVENTS][OUTPUTS][4], memory[BUFFERS][BUFFER_WORDS];
    uint8_t killed[MOST];
};

struct tally {
    unsigned programs, failed, compiled, texts;
    unsigned opcodes[SCH_OP_LIMIT];
};

static struct data data;
static struct results wanted, made;

/* Small integers, floats near one, any bits, and what is special to floats. */
static uint32_t random_word(uint64_t *seed)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff,
                                       0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                       0xffc12345, 0x7f800001, 0x3f800000, 0xbf800000, 0x7fffffff,
                                       0xffffffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x43000000};
    uint64_t z = random_number(seed);
    float near = (float)(int32_t)(z >> 32 & 0xffff) / 4096.0f - 4.0f;
    uint32_t word;
    memcpy(&word, &near, sizeof word);
    switch (z % 5) {
    case 0:
        return (uint32_t)(z >> 40) % 12;
    case 1:
        return (uint32_t)(z >> 32);
    case 2:
        return special[(z >> 32) % (sizeof special / sizeof *special)];
    default:
        return word;
    }
}

static void fill(void *to, size_t bytes, uint64_t *seed)
{
    for (size_t i = 0; i < bytes / 4; i++) ((uint32_t *)to)[i] = random_word(seed);
}

static void fill_data(uint64_t seed)
{
    fill(data.inputs, sizeof data.inputs, &seed);
    fill(data.values, sizeof data.values, &seed);
    fill(data.planes, sizeof data.planes, &seed);
    fill(data.constants, sizeof data.constants, &seed);
    fill(data.memory, sizeof data.memory, &seed);
    for (unsigned i = 0; i < MOST; i++) data.helpers[i] = random_number(&seed) % 8 == 0;
}

/* ---- running ---- */

struct subject {
    unsigned number, count;
    enum sch_stage stage;
    uint64_t budget;
    bool helpers, quads;
    const char *text;
    struct random_textures textures;
};

static void run(const struct subject *s, const struct sch_program *program, struct results *results)
{
    static const uint8_t given[VALUES] = {0, 0, 1, 1, 1, 1};
    struct sch_constant_buffer constants[2];
    struct sch_storage_buffer buffers[BUFFERS];
    memset(results, 0, sizeof *results);
    memcpy(results->memory, data.memory, sizeof results->memory);
    for (unsigned b = 0; b < 2; b++)
        constants[b] = (struct sch_constant_buffer){data.constants[b], sizeof data.constants[b]};
    for (unsigned b = 0; b < BUFFERS; b++)
        buffers[b] = (struct sch_storage_buffer){results->memory[b], sizeof results->memory[b] - 4 * b};
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .constants = constants,
                                    .constant_count = 2,
                                    .buffers = buffers,
                                    .buffer_count = BUFFERS - 1,
                                    .hw_atomics = buffers + BUFFERS - 1,
                                    .hw_atomic_count = 1};
    random_textures_bind(&s->textures, &bindings);
    bool vertices =
        s->stage == SCH_STAGE_GEOMETRY || s->stage == SCH_STAGE_TESS_CTRL || s->stage == SCH_STAGE_TESS_EVAL;
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = s->count,
                                         .quads = s->quads,
                                         .inputs = data.inputs[0][0][0],
                                         .input_registers = REGISTERS,
                                         .input_vertices = vertices ? VERTICES : 0,
                                         .system_values = data.values[0][0],
                                         .system_value_registers = VALUES,
                                         .system_value_given = given,
                                         .helpers = s->helpers ? data.helpers : NULL,
                                         .planes = data.planes[0][0][0],
                                         .plane_registers = REGISTERS,
                                         .samples = 4,
                                         .outputs = results->outputs[0][0],
                                         .output_registers = OUTPUTS,
                                         .killed = results->killed,
                                         .event_capacity = EVENTS,
                                         .event_registers = OUTPUTS,
                                         .events = results->events[0],
                                         .event_counts = results->event_counts,
                                         .event_outputs = results->event_outputs[0][0][0]};
    const struct sch_dispatch_options options = {.size = sizeof options, .budget = s->budget};
    results->report.size = sizeof results->report;
    static const uint32_t grid[3] = {2, 1, 1};
    if (s->stage == SCH_STAGE_COMPUTE && s->number % 4 != 3)
        results->result = sch_dispatch_grid(program, &bindings, grid, NULL, &options, &results->report);
    else
        results->result = sch_dispatch(program, &bindings, &work, &options, &results->report);
}

/* What a failed run leaves behind is not promised, only where it failed; outputs of helpers do not count. */
static const char *difference(const struct subject *s)
{
    if (made.result != wanted.result) return "result";
    bool placed =
        made.result == SCH_ERROR_BUDGET || made.result == SCH_ERROR_BARRIER || made.result == SCH_ERROR_ABORTED;
    if (placed && made.report.instruction != wanted.report.instruction) return "instruction of the failure";
    if (placed && made.report.invocation != wanted.report.invocation) return "invocation of the failure";
    if (made.result != SCH_OK) return NULL;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->helpers && data.helpers[i]) continue;
        if (memcmp(made.outputs[i], wanted.outputs[i], sizeof made.outputs[i]) != 0) return "outputs";
        if (made.killed[i] != wanted.killed[i]) return "killed";
    }
    if (memcmp(made.memory, wanted.memory, sizeof made.memory) != 0) return "memory";
    if (memcmp(made.event_counts, wanted.event_counts, sizeof made.event_counts) != 0) return "numbers of events";
    if (memcmp(made.events, wanted.events, sizeof made.events) != 0) return "events";
    if (memcmp(made.event_outputs, wanted.event_outputs, sizeof made.event_outputs) != 0) return "outputs of vertices";
    return made.report.instructions == wanted.report.instructions ? NULL : "number of instructions";
}

static struct sch_program *program_of(struct sch_context *context, const struct sch_shader *shader,
                                      enum sch_engine engine, unsigned width, const char *text)
{
    struct sch_program *program = NULL;
    struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    enum sch_result result = sch_program_create(context, shader, &options, NULL, &program);
    if (result != SCH_OK) fail_msg("engine %d: %s\n%s", (int)engine, sch_result_text(result), text);
    return program;
}

static void compare(struct sch_context *context, struct subject *s, const struct sch_shader *shader, unsigned width)
{
    struct sch_program *program = program_of(context, shader, SCH_ENGINE_JIT, width, s->text);
    random_textures_reset(&s->textures);
    run(s, program, &made);
    bool images = random_textures_agree(&s->textures, false) || wanted.result != SCH_OK;
    const char *what = images ? difference(s) : "images";
    if (what) {
        puts(s->text);
        fail_msg("program %u, width %u, %u invocations: %s differ: %s, %llu instructions; interpreter %s, %llu",
                 s->number, width, s->count, what, sch_result_text(made.result),
                 (unsigned long long)made.report.instructions, sch_result_text(wanted.result),
                 (unsigned long long)wanted.report.instructions);
    }
    sch_program_destroy(program);
}

/* ---- programs ---- */

static void count_opcodes(const struct sch_ir_shader *shader, struct tally *tally)
{
    for (size_t n = 0; n < shader->instruction_count; n++) tally->opcodes[shader->instructions[n].opcode]++;
}

/* A shader's text in place of the random one, with its data: to find the instruction where a difference begins. */
static void read_instead(char text[RANDOM_SHADER_TEXT])
{
    size_t bytes;
    char *file = load_file(getenv("SCH_TEXT"), &bytes);
    assert_non_null(file);
    assert_in_range(bytes, 1, RANDOM_SHADER_TEXT - 1);
    memcpy(text, file, bytes + 1);
    free(file);
}

/* `all`: at every width, else at one that the number chooses. */
static void check_text(struct sch_context *context, struct subject *s, struct tally *tally, bool all)
{
    unsigned number = s->number;
    struct reading reading = read_string(s->text);
    if (!reading.shader) fail_msg("program %u is not read:\n%s", number, s->text);
    fill_data(number);
    random_textures_make(context, reading.shader, number, &s->textures);
    count_opcodes(reading.shader, tally);
    release(&reading);
    struct sch_shader *shader = NULL;
    assert_int_equal(sch_shader_read(context, s->text, strlen(s->text), NULL, NULL, &shader), SCH_OK);
    struct sch_program *program = program_of(context, shader, SCH_ENGINE_INTERPRETER, 4, s->text);
    random_textures_reset(&s->textures);
    run(s, program, &wanted);
    random_textures_agree(&s->textures, true);
    sch_program_destroy(program);
    for (unsigned w = 0; w < 3; w++)
        if (all || number % 3 == w) compare(context, s, shader, 4u << w);
    sch_shader_destroy(shader);
    random_textures_release(&s->textures);
    tally->programs++;
    tally->failed += wanted.result != SCH_OK;
}

static void check_program(struct sch_context *context, unsigned number, struct tally *tally)
{
    static struct random_shader made_shader;
    random_shader_make(&made_shader, number);
    if (getenv("SCH_TEXT")) read_instead(made_shader.text);
    struct subject s = {.number = number,
                        .count = number % 2 ? MOST : 64,
                        .stage = (enum sch_stage)made_shader.stage,
                        .budget = number % 5 == 4 ? 1 + number / 5 % 7 : 300,
                        .quads = made_shader.stage == SCH_STAGE_FRAGMENT && number % 3,
                        .helpers = made_shader.stage == SCH_STAGE_FRAGMENT && number % 4 == 1,
                        .text = made_shader.text};
    if (s.stage == SCH_STAGE_TESS_CTRL) s.count = number % 2 ? 72 : 64;
    check_text(context, &s, tally, getenv("SCH_LONG") && number % 10 == 0);
}

static struct sch_context *open_context(void)
{
    struct sch_context *context = NULL;
    struct sch_machine_code_options code = {.size = sizeof code, .compiler = by_code_compiler()};
    struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

static void close_context(struct sch_context *context, struct tally *tally)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_OK);
    assert_int_equal(counts.refused, 0);
    assert_int_equal(counts.decoded_groups, 0);
    tally->compiled += (unsigned)counts.programs;
    sch_context_destroy(context);
}

static void random_programs(void **state)
{
    (void)state;
    static struct tally tally;
    const char *rounds = getenv("SCH_ROUNDS"), *first = getenv("SCH_FIRST");
    unsigned count = getenv("SCH_LONG") ? LONG_PROGRAMS : SHORT_PROGRAMS, begin = first ? (unsigned)atoi(first) : 0;
    if (rounds) count = (unsigned)atoi(rounds);
    struct sch_context *context = open_context();
    for (unsigned n = begin; n < begin + count; n++) {
        if (n % 100 == 99) {
            close_context(context, &tally);
            context = open_context();
        }
        check_program(context, n, &tally);
    }
    enum { ABORTS_TWICE = 86 }; /* it once went on behind its first ABORT */
    if (count == SHORT_PROGRAMS) check_program(context, ABORTS_TWICE, &tally);
    close_context(context, &tally);
    unsigned kinds = 0;
    printf("# %u programs, %u compiled, %u failed alike; opcodes:", tally.programs, tally.compiled, tally.failed);
    for (unsigned n = 0; n < SCH_OP_LIMIT; n++) {
        kinds += tally.opcodes[n] > 0;
        if (sch_op_info(n) && !tally.opcodes[n] && count > 1000) printf(" no %s", sch_op_info(n)->name);
    }
    printf(" %u\n", kinds);
    assert_true(tally.compiled >= tally.programs);
    assert_true(tally.failed < tally.programs / 2 || rounds);
    assert_true(kinds > 150 || rounds);
}

/* ---- registers chosen by registers ---- */

static void add_line(struct random_shader *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(struct random_shader *to, const char *format, ...)
{
    size_t at = strlen(to->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to->text + at, sizeof to->text - at, format, arguments);
    va_end(arguments);
}

/* `lines` lines that read and write temporaries, and read constants, whose numbers lanes choose, some outside of the
 * file; under a condition. */
static void make_accesses(struct random_shader *to, unsigned lines)
{
    static const char *const swizzles[] = {"xyzw", "yxwz", "wzyx", "zzxy"}, *const masks[] = {"x", "yz", "xw", "xyzw"};
    to->text[0] = 0;
    add_line(to, "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..31]\nDCL CONST[0..15]\n"
                 "DCL ADDR[0]\nIMM[0] UINT32 {31, 7, 15, 3}\nAND TEMP[0], IN[0], IMM[0]\nUARL ADDR[0], TEMP[0]\n"
                 "AND TEMP[1].x, IN[0].yyyy, IMM[0].yyyy\nUIF TEMP[1].xxxx\n");
    for (unsigned n = 0; n < lines; n++) {
        char c = "xyzw"[n % 4], d = "zwxy"[n % 4];
        add_line(to, "UADD TEMP[ADDR[0].%c%+d].%s, TEMP[ADDR[0].%c-%u].%s, CONST[ADDR[0].%c+%u].%s\n", c,
                 (int)(n * 7 % 40) - 9, masks[n % 4], d, 1 + n * 5 % 9, swizzles[n / 4 % 4], c, n % 11,
                 swizzles[n % 4]);
        add_line(to, "XOR TEMP[%u], TEMP[%u], IN[0].%c%c%c%c\n", n * 11 % 30, (n * 11 + 1) % 30, c, c, d, c);
    }
    add_line(to, "ENDIF\n");
    for (unsigned n = 0; n < 31; n++) add_line(to, "XOR TEMP[31], TEMP[31], TEMP[%u]\n", n);
    add_line(to, "MOV OUT[0], TEMP[31]\nEND\n");
}

/* Few are code in line, more are calls, and from more on code generation is the quick one (jit/indexed.c, program.c).
 */
static void indexed_registers(void **state)
{
    (void)state;
    static struct random_shader made_shader;
    static const unsigned lines[] = {4, 16, 60};
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    for (unsigned n = 0; n < sizeof lines / sizeof *lines; n++) {
        make_accesses(&made_shader, lines[n]);
        struct subject s = {
            .number = n, .count = MOST, .stage = SCH_STAGE_FRAGMENT, .budget = 300, .text = made_shader.text};
        check_text(context, &s, &tally, true);
    }
    close_context(context, &tally);
    assert_true(tally.compiled >= 3 * tally.programs);
    assert_int_equal(tally.failed, 0);
}

/* Calls whose operands stand in the machine, where reading an operand is a call, too: it once put its answer over the
 * first of them (found by program 5085). */
static void operands_of_calls(void **state)
{
    (void)state;
    static struct random_shader made_shader;
    strcpy(made_shader.text,
           "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 8\nDCL IN[][0], GENERIC[0]\nDCL OUT[][0], GENERIC[0]\n"
           "DCL OUT[][1], GENERIC[1]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0]\n"
           "DCL CONST[1][0..15]\nDCL TEMP[0..5]\nDCL ADDR[0]\nIMM[0] UINT32 {3, 60, 0, 4}\n"
           "AND TEMP[0], IN[0][0], IMM[0].xxxx\nUARL ADDR[0], TEMP[0]\nSAMP2HND TEMP[1], SAMP[0], 2D\n"
           "TEX TEMP[2], -CONST[1][ADDR[0].x+1], TEMP[1], 2D\n"
           "TXL TEMP[3], |CONST[1][ADDR[0].y+2]|, TEMP[1], 2D\nAND TEMP[4].x, TEMP[0], IMM[0].yyyy\n"
           "STORE BUFFER[0].xyz, TEMP[4].xxxx, -CONST[1][ADDR[0].z+1]\n"
           "ATOMXCHG TEMP[5].x, BUFFER[0], IMM[0].wwww, -CONST[1][ADDR[0].x+3]\n"
           "MOV OUT[ADDR[0].w][0], TEMP[2]\nADD OUT[0][1], TEMP[3], TEMP[5].xxxx\nEND\n");
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    for (unsigned n = 0; n < 8; n++) {
        struct subject s = {
            .number = n, .count = 64, .stage = SCH_STAGE_TESS_CTRL, .budget = 300, .text = made_shader.text};
        check_text(context, &s, &tally, true);
    }
    close_context(context, &tally);
    assert_int_equal(tally.failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs), cmocka_unit_test(indexed_registers),
                                       cmocka_unit_test(operands_of_calls)};
    return cmocka_run_group_tests_name("jit random", tests, NULL, NULL);
}
