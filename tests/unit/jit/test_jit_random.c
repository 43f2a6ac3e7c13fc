/* Random programs of every stage on the engines `interpreter` and `jit`: the same outputs, killed lanes, vertices,
 * memory, images, numbers of executed instructions, and the same place where a run fails. The instructions come from
 * the table of opcodes, with random operands: indexed registers, modifiers, swizzles and masks that need not make
 * sense. What the validator refuses is taken out of a program, line by line, until it is valid. What an instruction
 * means is tested elsewhere. One thread, so that what invocations do to each other's memory has one result, too. A
 * third of the programs is compiled at the widths 4, 8 and 16, the others at one of them, with SCH_LONG all at all; for
 * groups with any of their lanes, and some also for groups with all of them. --count N programs (SCH_ROUNDS), from
 * number --first N on (SCH_FIRST); SCH_TEXT=FILE runs that shader instead; SCH_HISTOGRAM=1 prints what the programs
 * were made of, SCH_PRINT=1 each before it is compiled. */
#include "../support/random_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/by_code.h"
#include "../support/random_narrow.h"
#include "../support/random_textures.h"
#include "../support/widths.h"
#include "../tgsi/tgsi_support.h"
#include "ops/ops.h"

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
    PROGRAMS = 80,
    MANY_PROGRAMS = 10000, /* of these everything must have occurred ... */
    LEAST_OFTEN = 20,      /* ... so often */
    VARIETY = 20000        /* programs that are only made */
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
    unsigned programs, failed, stages[SCH_STAGE_COUNT], sizes[RANDOM_SIZES];
    unsigned wanted, compiled; /* pieces of code */
    unsigned early;            /* runs that end at some instruction */
    unsigned long long groups, lookups;
    unsigned opcodes[SCH_OP_LIMIT], sources[SCH_FILE_COUNT], destinations[SCH_FILE_COUNT], targets[SCH_TARGET_COUNT];
    unsigned indirect_sources, indirect_destinations, instructions;
};

/* What many programs share: functions of lookups, and the textures of the pools. */
struct world {
    struct sch_context *context;
    unsigned chunk;
    bool made[RANDOM_SHADER_POOLS];
    struct random_textures textures[RANDOM_SHADER_POOLS];
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
    unsigned widths;       /* of machine code: bits */
    unsigned whole_groups; /* widths at which groups with all lanes have code of their own that runs, too: bits */
    enum sch_stage stage;
    uint64_t budget, work;
    bool helpers, quads;
    const char *text;
    struct random_textures *textures;
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
    random_textures_bind(s->textures, &bindings);
    bool vertices =
        s->stage == SCH_STAGE_GEOMETRY || s->stage == SCH_STAGE_TESS_CTRL || s->stage == SCH_STAGE_TESS_EVAL;
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = s->count,
                                         .quads = s->quads,
                                         .inputs = data.inputs[0][0][0],
                                         .input_bytes = sizeof data.inputs,
                                         .input_registers = REGISTERS,
                                         .input_vertices = vertices ? VERTICES : 0,
                                         .system_values = data.values[0][0],
                                         .system_value_bytes = sizeof data.values,
                                         .system_value_registers = VALUES,
                                         .system_value_given = given,
                                         .system_value_given_bytes = sizeof given,
                                         .helpers = s->helpers ? data.helpers : NULL,
                                         .helper_bytes = s->helpers ? sizeof data.helpers : 0,
                                         .planes = data.planes[0][0][0],
                                         .plane_bytes = sizeof data.planes,
                                         .plane_registers = REGISTERS,
                                         .samples = 4,
                                         .outputs = results->outputs[0][0],
                                         .output_bytes = sizeof results->outputs,
                                         .output_registers = OUTPUTS,
                                         .killed = results->killed,
                                         .killed_bytes = sizeof results->killed,
                                         .event_capacity = EVENTS,
                                         .event_registers = OUTPUTS,
                                         .events = results->events[0],
                                         .event_bytes = sizeof results->events,
                                         .event_counts = results->event_counts,
                                         .event_count_bytes = sizeof results->event_counts,
                                         .event_outputs = results->event_outputs[0][0][0],
                                         .event_output_bytes = sizeof results->event_outputs};
    const struct sch_dispatch_options options = {.size = sizeof options, .budget = s->budget, .work = s->work};
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
    bool placed = made.result == SCH_ERROR_BUDGET || made.result == SCH_ERROR_BARRIER ||
                  made.result == SCH_ERROR_ABORTED || made.result == SCH_ERROR_WORK;
    if (placed && made.report.instruction != wanted.report.instruction) return "instruction of the failure";
    if (placed && made.report.invocation != wanted.report.invocation) return "invocation of the failure";
    if (made.result == SCH_ERROR_WORK && made.report.instructions != s->work) return "work and instructions";
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

static void differ(const struct subject *s, unsigned width, const char *what)
{
    puts(s->text);
    fail_msg("program %u, width %u, %u invocations: %s differ: %s, %llu instructions; interpreter %s, %llu; to repeat: "
             "test_jit_random --first %u --count 1",
             s->number, width, s->count, what, sch_result_text(made.result),
             (unsigned long long)made.report.instructions, sch_result_text(wanted.result),
             (unsigned long long)wanted.report.instructions, s->number);
}

static void compare(struct subject *s, const struct sch_program *program, unsigned width)
{
    random_textures_reset(s->textures);
    run(s, program, &made);
    bool images = random_textures_agree(s->textures, false) || wanted.result != SCH_OK;
    const char *what = images ? difference(s) : "images";
    if (what) differ(s, width, what);
}

/* ---- programs ---- */

static void count_instructions(const struct sch_ir_shader *shader, struct tally *tally)
{
    for (size_t n = 0; n < shader->instruction_count; n++) {
        const struct sch_ir_instruction *in = &shader->instructions[n];
        tally->opcodes[in->opcode]++;
        tally->instructions++;
        if (in->has_texture && in->target < SCH_TARGET_COUNT) tally->targets[in->target]++;
        for (unsigned i = 0; i < in->src_count; i++) tally->sources[in->src[i].file]++;
        for (unsigned i = 0; i < in->dst_count; i++) tally->destinations[in->dst[i].file]++;
        for (unsigned i = 0; i < in->src_count; i++) tally->indirect_sources += in->src[i].index.is_indirect;
        for (unsigned i = 0; i < in->dst_count; i++) tally->indirect_destinations += in->dst[i].index.is_indirect;
    }
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

static struct sch_code_counts counts_of(struct sch_context *context)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_OK);
    return counts;
}

/* As the interpreter runs it, then as machine code of those widths whose bits are set: 1 for 4, 2 for 8, 4 for 16. What
 * was compiled is counted: a piece of code for each program that had not yet run with groups like these. */
static void run_all(struct sch_context *context, struct subject *s, struct sch_program *programs[4], unsigned widths,
                    struct tally *tally)
{
    struct sch_code_counts before = counts_of(context), after;
    unsigned pieces = 0, runs = 0, seen = 0; /* seen: numbers of lanes, bits */
    random_textures_reset(s->textures);
    run(s, programs[3], &wanted);
    random_textures_agree(s->textures, true);
    for (unsigned w = 0; w < 3; w++) {
        const unsigned lanes = sch_ops_for_width(4u << w)->lanes; /* several widths may get the same code */
        if (!(widths >> w & 1)) continue;
        compare(s, programs[w], 4u << w);
        runs++;
        pieces += !(seen & lanes);
        seen |= lanes;
    }
    after = counts_of(context);
    tally->wanted += pieces;
    tally->compiled += (unsigned)(after.programs - before.programs);
    if (after.programs != before.programs + pieces || after.native_groups < before.native_groups + runs)
        differ(s, widths, "pieces of code");
}

/* Ends the run at some of its instructions, and behind the last one: at the same place as the interpreter does. */
static void end_early(struct subject *s, struct sch_program *programs[4], unsigned w, struct tally *tally)
{
    enum { TIMES = 24 };
    const uint64_t all = wanted.report.instructions;
    const enum sch_result result = wanted.result;
    uint64_t seed = s->number;
    for (unsigned i = 0; i < TIMES && all; i++) {
        s->work = i < 2 ? all - i : 1 + random_number(&seed) % all;
        if (!s->work) continue;
        random_textures_reset(s->textures);
        run(s, programs[3], &wanted);
        if (wanted.result != (s->work < all ? SCH_ERROR_WORK : result)) differ(s, 4, "work");
        random_textures_reset(s->textures);
        run(s, programs[w], &made);
        const char *what = difference(s);
        if (what) printf("work %llu of %llu\n", (unsigned long long)s->work, (unsigned long long)all);
        if (what) differ(s, 4u << w, what);
        tally->early++;
    }
    s->work = 0;
}

static void check_text(struct sch_context *context, struct subject *s, struct tally *tally)
{
    struct sch_shader *shader = NULL;
    struct sch_program *programs[4];
    fill_data(s->number);
    assert_int_equal(sch_shader_read(context, s->text, strlen(s->text), NULL, NULL, &shader), SCH_OK);
    for (unsigned w = 0; w < 3; w++) programs[w] = program_of(context, shader, SCH_ENGINE_JIT, 4u << w, s->text);
    programs[3] = program_of(context, shader, SCH_ENGINE_INTERPRETER, 4, s->text);
    run_all(context, s, programs, s->widths, tally);
    tally->programs++;
    tally->stages[s->stage]++;
    tally->failed += wanted.result != SCH_OK;
    if (s->whole_groups) {
        s->count = 64;
        s->helpers = false;
        run_all(context, s, programs, s->whole_groups, tally);
    }
    if (s->number % 2 == 0) end_early(s, programs, s->whole_groups ? s->number % 3 : s->number / 5 % 3, tally);
    for (unsigned w = 0; w < 4; w++) sch_program_destroy(programs[w]);
    sch_shader_destroy(shader);
}

/* A shader that is not random, at every width if none are named. */
static void check_given(struct sch_context *context, struct subject s, struct tally *tally)
{
    struct reading reading = read_string(s.text);
    struct random_textures textures;
    if (!reading.shader) fail_msg("not read:\n%s", s.text);
    if (!s.widths) s.widths = ALL_WIDTHS;
    random_textures_make(context, reading.shader, s.number, &textures);
    release(&reading);
    s.textures = &textures;
    check_text(context, &s, tally);
    random_textures_release(&textures);
}

/* ---- the world of a chunk of programs ---- */

static struct sch_context *open_context(void)
{
    struct sch_context *context = NULL;
    struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = by_code_compiler(), .inside = by_code_inside()};
    struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

static void close_context(struct sch_context *context, struct tally *tally)
{
    struct sch_code_counts counts = counts_of(context);
    assert_int_equal(counts.refused, 0);
    assert_int_equal(counts.decoded_groups, 0);
    tally->groups += counts.native_groups;
    tally->lookups += counts.lookups;
    sch_context_destroy(context);
}

static void close_world(struct world *world, struct tally *tally)
{
    for (unsigned p = 0; p < RANDOM_SHADER_POOLS; p++)
        if (world->made[p]) random_textures_release(&world->textures[p]);
    if (world->context) close_context(world->context, tally);
    *world = (struct world){0};
}

/* The textures of a pool are the same whichever of its shaders comes first. */
static struct random_textures *textures_of(struct world *world, const struct sch_ir_shader *shader, unsigned pool)
{
    unsigned place = pool % RANDOM_SHADER_POOLS;
    if (!world->made[place]) random_textures_make(world->context, shader, pool, &world->textures[place]);
    world->made[place] = true;
    return &world->textures[place];
}

/* Stages with groups of all lanes where 64 invocations run; blocks of 64 threads have them anyway. */
static bool has_whole_groups(unsigned stage) { return stage != SCH_STAGE_COMPUTE && stage != SCH_STAGE_TESS_CTRL; }

static void check_program(struct world *world, unsigned number, struct tally *tally)
{
    static struct random_shader shader;
    random_shader_make(&shader, number);
    if (getenv("SCH_TEXT")) read_instead(shader.text);
    if (getenv("SCH_PRINT")) printf("%s\n", shader.text), fflush(stdout);
    if (!world->context || world->chunk != number / RANDOM_SHADER_CHUNK) {
        close_world(world, tally);
        world->context = open_context();
        world->chunk = number / RANDOM_SHADER_CHUNK;
    }
    const bool fragment = shader.stage == SCH_STAGE_FRAGMENT;
    struct subject s = {.number = number,
                        .count = shader.stage == SCH_STAGE_TESS_CTRL ? 72 : MOST,
                        .widths = widths_of(number),
                        .whole_groups = has_whole_groups(shader.stage) && number / 8 % 4 == 2 ? 1u << number % 3 : 0,
                        .stage = (enum sch_stage)shader.stage,
                        .budget = number % 5 == 4 ? 1 + number / 5 % 7 : 300,
                        .quads = fragment && number % 3,
                        .helpers = fragment && number % 4 == 1,
                        .text = shader.text};
    struct reading reading = read_string(s.text);
    if (!reading.shader) fail_msg("program %u is not read:\n%s", number, s.text);
    s.textures = textures_of(world, reading.shader, shader.pool);
    count_instructions(reading.shader, tally);
    release(&reading);
    tally->sizes[shader.size]++;
    check_text(world->context, &s, tally);
}

/* ---- what programs are made of ---- */

static bool is_made(unsigned opcode)
{
    const struct sch_op_info *info = sch_op_info(opcode);
    return info && info->name;
}

static void print_row(const char *what, const char *name, unsigned count)
{
    if (getenv("SCH_HISTOGRAM")) printf("# %s\t%s\t%u\n", what, name, count);
}

/* How many kinds occurred less than `least` times; they are named. */
static unsigned count_rare(const struct tally *tally, unsigned least)
{
    unsigned rare = 0;
    for (unsigned n = 0; n < SCH_OP_LIMIT; n++) {
        if (!is_made(n)) continue;
        print_row("opcode", sch_op_info(n)->name, tally->opcodes[n]);
        if (tally->opcodes[n] >= least) continue;
        printf("# rare: %s: %u\n", sch_op_info(n)->name, tally->opcodes[n]);
        rare++;
    }
    for (unsigned n = 0; n < SCH_TARGET_COUNT; n++) {
        print_row("target", sch_word_by_number(SCH_WORDS_TARGET, n)->word, tally->targets[n]);
        if (n != SCH_TARGET_UNKNOWN && tally->targets[n] < least) rare++;
    }
    for (unsigned n = 0; n < SCH_FILE_COUNT; n++) {
        print_row("read", sch_word_by_number(SCH_WORDS_FILE, n)->word, tally->sources[n]);
        print_row("written", sch_word_by_number(SCH_WORDS_FILE, n)->word, tally->destinations[n]);
    }
    return rare;
}

static void print_tally(const struct tally *tally)
{
    printf("# %u programs (%u tiny, %u small, %u middle, %u large), %u instructions, %u operands by address; by stage:",
           tally->programs, tally->sizes[RANDOM_TINY], tally->sizes[RANDOM_SMALL], tally->sizes[RANDOM_MIDDLE],
           tally->sizes[RANDOM_LARGE], tally->instructions, tally->indirect_sources + tally->indirect_destinations);
    for (unsigned s = 0; s < SCH_STAGE_COUNT; s++) printf(" %u", tally->stages[s]);
    printf(
        "\n# %u of %u pieces of code were compiled, and %llu lookups; %llu groups ran; %u programs failed alike, and "
        "%u runs ended at an instruction\n",
        tally->compiled, tally->wanted, tally->lookups, tally->groups, tally->failed, tally->early);
}

/* Without running them. */
static void programs_are_varied(void **state)
{
    (void)state;
    static struct tally tally;
    static struct random_shader shader;
    const char *rounds = getenv("SCH_VARIETY");
    unsigned count = rounds ? (unsigned)atoi(rounds) : VARIETY;
    for (unsigned n = 0; n < count; n++) {
        random_shader_make(&shader, n);
        struct reading reading = read_string(shader.text);
        assert_non_null(reading.shader);
        count_instructions(reading.shader, &tally);
        release(&reading);
    }
    assert_int_equal(count_rare(&tally, count / 2000), 0);
}

static unsigned first_program, program_count = PROGRAMS;

static void random_programs(void **state)
{
    (void)state;
    static struct tally tally;
    static struct world world;
    for (unsigned n = first_program; n < first_program + program_count; n++) check_program(&world, n, &tally);
    close_world(&world, &tally);
    print_tally(&tally);
    assert_int_equal(tally.compiled, tally.wanted);
    assert_true(tally.wanted > tally.programs || program_count < PROGRAMS);
    assert_true(tally.failed < tally.programs / 2 || program_count < PROGRAMS);
    if (program_count >= MANY_PROGRAMS) assert_int_equal(count_rare(&tally, LEAST_OFTEN), 0);
}

/* ---- one subject in many forms ---- */

enum { FLOWS = 30, CHAINS = 30 };

static unsigned narrow_count(unsigned usual)
{
    const char *given = getenv("SCH_NARROW");
    return given ? (unsigned)strtoul(given, NULL, 10) : usual;
}

static void narrow_programs(void (*make)(char *, uint64_t), unsigned programs, enum sch_stage stage)
{
    static char text[RANDOM_NARROW_TEXT];
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    for (unsigned n = 0; n < programs; n++) {
        make(text, n);
        struct subject s = {
            .number = n, .count = 64, .widths = widths_of(n), .stage = stage, .budget = 300, .text = text};
        check_given(context, s, &tally);
    }
    close_context(context, &tally);
    assert_int_equal(tally.compiled, tally.wanted);
    assert_true(tally.wanted >= programs);
    assert_int_equal(tally.failed, 0);
}

/* Groups that are whole, with CONT in most loops: which lanes wait, which registers they keep, which constructs all
 * leave together (ir/liveness.c, ir/uniformity.c). */
static void control_flow(void **state)
{
    (void)state;
    narrow_programs(random_flow_make, narrow_count(FLOWS), SCH_STAGE_COMPUTE);
}

/* NaNs of all bits, and where they may be seen (jit/nans.c). */
static void float_chains(void **state)
{
    (void)state;
    narrow_programs(random_floats_make, narrow_count(CHAINS), SCH_STAGE_VERTEX);
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

/* Few are code in line, more are calls, and from more on code generation is the quick one (jit/indexed.c,
 * program.c). */
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
        check_given(context, s, &tally);
    }
    close_context(context, &tally);
    assert_int_equal(tally.compiled, tally.wanted);
    assert_true(tally.wanted >= tally.programs);
    assert_int_equal(tally.failed, 0);
}

/* Calls whose operands stand in the machine, where reading an operand is a call, too: it once put its answer over the
 * first of them (found by a random program). */
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
        struct subject s = {.number = n,
                            .count = 64,
                            .widths = 1u << n % 3,
                            .stage = SCH_STAGE_TESS_CTRL,
                            .budget = 300,
                            .text = made_shader.text};
        check_given(context, s, &tally);
    }
    close_context(context, &tally);
    assert_int_equal(tally.failed, 0);
}

/* Code once went on behind its first ABORT. */
static void aborts_twice(void **state)
{
    (void)state;
    static char text[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
                         "IMM[0] UINT32 {1, 0, 4, 7}\nAND TEMP[0].x, IN[0], IMM[0]\nUIF TEMP[0].xxxx\n"
                         "STORE BUFFER[0].x, IMM[0].yyyy, IMM[0].wwww\nABORT\nENDIF\n"
                         "STORE BUFFER[0].x, IMM[0].zzzz, IMM[0].wwww\nABORT\nMOV OUT[0], IN[0]\nEND\n";
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    for (unsigned n = 0; n < 8; n++) {
        struct subject s = {
            .number = n, .count = n % 2 ? MOST : 64, .stage = SCH_STAGE_FRAGMENT, .budget = 300, .text = text};
        check_given(context, s, &tally);
    }
    close_context(context, &tally);
    assert_int_equal(tally.failed, tally.programs);
}

/* Code generation of this did not end at 16 lanes: a uniform comparison under masks that come as words (found by
 * a random program; jit/mask_words.c). */
static void masks_as_words(void **state)
{
    (void)state;
    static char text[] = "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL CONST[1][0..15]\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
                         "IMM[0] UINT32 {0, 1, 2, 3}\nMOV TEMP[2].w, IN[1]\n"
                         "AND TEMP[1].x, CONST[1][13].zwxy, IMM[0].wwww\nSWITCH TEMP[1].xxxx\nCASE IMM[0].xxxx\n"
                         "AND TEMP[1], TEMP[2].xyxy, IMM[0].wwzy\nUARL ADDR[0], TEMP[1]\nCASE IMM[0].yyyy\nBRK\n"
                         "DEFAULT\nBRK\nENDSWITCH\nMOV OUT[0].w, TEMP[2]\nEND\n";
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    struct subject s = {.count = MOST, .stage = SCH_STAGE_VERTEX, .budget = 300, .text = text};
    check_given(context, s, &tally);
    close_context(context, &tally);
    assert_int_equal(tally.failed, 0);
}

static void check_file(const char *name, enum sch_stage stage)
{
    static char text[8192];
    char path[4096];
    const char *source = getenv("SCH_SOURCE");
    if (!source) skip();
    snprintf(path, sizeof path, "%s/tests/unit/jit/%s", source, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s", path);
    memset(text, 0, sizeof text);
    assert_in_range(fread(text, 1, sizeof text, file), 1, sizeof text - 1);
    fclose(file);
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    struct subject s = {.count = MOST, .stage = stage, .budget = 300, .text = text};
    check_given(context, s, &tally);
    close_context(context, &tally);
    assert_int_equal(tally.failed, 0);
}

/* Nor did code generation of an OR of mask words, each of which is used as a vector, too. */
static void joined_mask_words(void **state)
{
    (void)state;
    check_file("mask_words.tgsi", SCH_STAGE_TESS_CTRL);
}

/* Nor of an OR of masks that are selected by one condition, which becomes such an OR. */
static void selected_mask_words(void **state)
{
    (void)state;
    check_file("mask_selects.tgsi", SCH_STAGE_FRAGMENT);
}

/* What only a lane that does not execute had before a BARRIER, another reads behind it: it was once taken for dead, as
 * every lane that goes on writes it first. */
static void seen_across_barriers(void **state)
{
    (void)state;
    static const char body[] =
        "UADD TEMP[0].x, SV[0].xxxx, IMM[0].wwww\nBARRIER\nAND TEMP[2].x, SV[0].xxxx, IMM[0].yyyy\n"
        "UIF TEMP[2].xxxx\nMOV TEMP[0].x, IMM[0].zzzz\n%s\nENDIF\n%s\nEND\n";
    static const char *const reads[] = {"READ_INVOC TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx",
                                        "READ_FIRST TEMP[1].x, TEMP[0].xxxx", "DDX TEMP[1].x, TEMP[0].xxxx"};
    static const char compute[] =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
        "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 2, 100}\n";
    static const char control[] =
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 8\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\n"
        "DCL SV[0], INVOCATIONID\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 2, 100}\n";
    struct tally tally = {.programs = 0};
    struct sch_context *context = open_context();
    for (unsigned n = 0; n < 2 * (sizeof reads / sizeof *reads); n++) {
        char text[2048];
        int at = snprintf(text, sizeof text, "%s", n % 2 ? control : compute);
        snprintf(
            text + at, sizeof text - (size_t)at, body, reads[n / 2],
            n % 2
                ? "MOV OUT[SV[0].x][0], TEMP[1].xxxx"
                : "SHL TEMP[3].x, SV[0].xxxx, IMM[0].zzzz\nATOMXCHG TEMP[3].x, BUFFER[0], TEMP[3].xxxx, TEMP[1].xxxx");
        struct subject s = {.count = n % 2 ? 72 : MOST,
                            .stage = n % 2 ? SCH_STAGE_TESS_CTRL : SCH_STAGE_COMPUTE,
                            .budget = 300,
                            .text = text};
        check_given(context, s, &tally);
    }
    close_context(context, &tally);
    assert_int_equal(tally.failed, 0);
}

static unsigned number_of(const char *text) { return (unsigned)strtoul(text, NULL, 10); }

int main(int argc, char **argv)
{
    if (getenv("SCH_FIRST")) first_program = number_of(getenv("SCH_FIRST"));
    if (getenv("SCH_ROUNDS")) program_count = number_of(getenv("SCH_ROUNDS"));
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first_program = number_of(argv[i + 1]);
        if (strcmp(argv[i], "--count") == 0) program_count = number_of(argv[i + 1]);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),      cmocka_unit_test(programs_are_varied),
                                       cmocka_unit_test(indexed_registers),    cmocka_unit_test(operands_of_calls),
                                       cmocka_unit_test(aborts_twice),         cmocka_unit_test(masks_as_words),
                                       cmocka_unit_test(joined_mask_words),    cmocka_unit_test(selected_mask_words),
                                       cmocka_unit_test(seen_across_barriers), cmocka_unit_test(control_flow),
                                       cmocka_unit_test(float_chains)};
    return cmocka_run_group_tests_name("jit random", tests, NULL, NULL);
}
