/* Debugging sessions over programs of all stages, our own and captured ones, with random inputs and textures. What a
 * session shows is what the engines compute:
 *
 * - The outputs behind a session are those of the dispatch, at every width, and what is written at each moment is the
 *   same at every width.
 * - Each arithmetic result that is shown follows from the shown sources, by the scalar oracle of the opcodes' tests.
 * - Each value that a program without branches writes is what machine code of the program computes that is cut there.
 * - Walks forward and back come to the same moments.
 *
 * A sample of the programs; with SCH_LONG 50 captured ones of each stage that has so many, and all our own. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_program.h"
#include "debug_support.h"
#include "oracle.h"
#include "random_textures.h"

enum {
    COUNT = 32,
    VERTICES = 8,
    REGISTERS = 64,
    VALUES = 16,
    EVENTS = 24,
    OUTPUTS = 24,
    CONSTANTS = 512,
    BUFFERS = 16,
    BUFFER_WORDS = 512,
    WIDTHS = 3,
    BUDGET = 60,
    MOST_STEPS = 1500,
    OWN = 5, /* one of so many of our own */
    CAPTURED = 3,
    LONG_CAPTURED = 50, /* of each stage */
    WALKED = 11,        /* one program of so many */
    CUT = 4,            /* programs of a stage that are cut */
    LONG_CUT = 50
};

struct data {
    uint32_t inputs[COUNT][VERTICES][REGISTERS][4], values[COUNT][VALUES][4], planes[COUNT][8][4][4];
    uint32_t centroids[COUNT][2], constants[4][CONSTANTS][4];
    struct sch_constant_buffer buffers[4];
    uint32_t memory[BUFFERS][BUFFER_WORDS];
};

struct results {
    uint32_t outputs[COUNT][OUTPUTS][4], events[COUNT][EVENTS], event_counts[COUNT];
    uint32_t event_outputs[COUNT][EVENTS][OUTPUTS][4];
    uint8_t killed[COUNT];
    uint32_t memory[BUFFERS][BUFFER_WORDS];
};

/* A value that an instruction wrote. */
struct write {
    uint32_t instruction, lanes, channels;
    struct sch_debug_register which;
    uint32_t words[4][32];
};

struct subject {
    const char *path, *text;
    struct sch_context *context;
    const struct sch_ir_shader *shader;
    struct sch_shader_info info;
    const struct data *data;
    struct random_textures textures;
    const struct sch_program *program; /* that a session runs */
    struct results *results;           /* of it */
    unsigned rules;                    /* of the oracle */
};

struct tally {
    unsigned programs, moments, writes, judged, cut, confirmed, walks;
};

static uint64_t seed = 1;

static void fill_data(struct data *data)
{
    api_fill(data->inputs, sizeof data->inputs / 4, &seed);
    api_fill(data->values, sizeof data->values / 4, &seed);
    api_fill(data->planes, sizeof data->planes / 4, &seed);
    api_fill(data->centroids, sizeof data->centroids / 4, &seed);
    api_fill(data->constants, sizeof data->constants / 4, &seed);
    api_fill(data->memory, sizeof data->memory / 4, &seed);
    for (unsigned b = 0; b < 4; b++)
        data->buffers[b] = (struct sch_constant_buffer){data->constants[b], sizeof data->constants[b]};
}

/* ---- runs ---- */

/* All that a run writes is as it was before. */
static enum sch_result dispatch(struct subject *subject, const struct sch_program *program,
                                const struct sch_dispatch_options *options)
{
    static const uint8_t given[VALUES] = {0, 1, 1, 1}; /* SV[0] is mostly INVOCATIONID */
    const struct data *data = subject->data;
    struct results *results = subject->results;
    struct sch_storage_buffer buffers[BUFFERS];
    memset(results, 0, sizeof *results);
    memcpy(results->memory, data->memory, sizeof results->memory);
    for (unsigned b = 0; b < BUFFERS; b++)
        buffers[b] = (struct sch_storage_buffer){results->memory[b], sizeof results->memory[b]};
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .constants = data->buffers,
                                    .constant_count = 4,
                                    .buffers = buffers,
                                    .buffer_count = BUFFERS / 2,
                                    .hw_atomics = buffers + BUFFERS / 2,
                                    .hw_atomic_count = BUFFERS / 2};
    random_textures_bind(&subject->textures, &bindings);
    random_textures_reset(&subject->textures);
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .quads = subject->info.stage == SCH_STAGE_FRAGMENT,
                                         .inputs = data->inputs[0][0][0],
                                         .input_bytes = sizeof data->inputs,
                                         .input_registers = REGISTERS,
                                         .input_vertices = VERTICES,
                                         .system_values = data->values[0][0],
                                         .system_value_bytes = sizeof data->values,
                                         .system_value_registers = VALUES,
                                         .system_value_given = given,
                                         .system_value_given_bytes = sizeof given,
                                         .planes = data->planes[0][0][0],
                                         .plane_bytes = sizeof data->planes,
                                         .plane_registers = 8,
                                         .centroids = data->centroids[0],
                                         .centroid_bytes = sizeof data->centroids,
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
    if (subject->info.stage != SCH_STAGE_COMPUTE) return sch_dispatch(program, &bindings, &work, options, NULL);
    const uint32_t grid[3] = {1, 1, 1};
    return sch_dispatch_grid(program, &bindings, grid, NULL, options, NULL);
}

static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    struct subject *subject = user;
    return dispatch(subject, subject->program, options);
}

static struct sch_debug *open_session(struct subject *subject)
{
    static const struct sch_dispatch_options budget = {.size = sizeof budget, .budget = BUDGET};
    const struct sch_debug_options options = {.size = sizeof options, .run = run, .user = subject, .options = &budget};
    struct sch_debug *debug;
    assert_int_equal(sch_debug_create(subject->context, &options, &debug), SCH_OK);
    return debug;
}

/* ---- what an instruction computes ---- */

struct sources {
    unsigned count;
    uint32_t words[4][4][32];
};

static uint32_t saturated(uint32_t word)
{
    const float value = api_float(word);
    return value == 0 ? word : api_bits(value > 0 ? value < 1 ? value : 1 : 0); /* -0 stays */
}

/* Whether the words of a lane are what the oracle says of the sources. */
static void judge_lane(const struct subject *subject, const struct sch_ir_instruction *in, const struct oracle *oracle,
                       const struct sources *sources, const struct write *write, unsigned lane)
{
    uint32_t from[4][4] = {{0}}, word[4];
    struct expectation expected;
    for (unsigned s = 0; s < oracle_sources(oracle); s++)
        for (unsigned c = 0; c < 4; c++) from[s][c] = sources->words[s][c][lane];
    oracle_evaluate(oracle, (subject->rules & (oracle->rules | RULE_D3D)) | (in->precise ? RULE_PRECISE : 0), from,
                    &expected);
    expected.written[0] &= write->channels;
    for (unsigned c = 0; c < 4; c++) {
        word[c] = write->words[c][lane];
        if (in->saturate) expected.word[0][c] = saturated(expected.word[0][c]);
    }
    if (expectation_holds(&expected, word)) return;
    fail_msg(
        "%s: instruction %u, %s, lane %u: %08x %08x %08x %08x, expected %08x %08x %08x %08x of %08x %08x %08x %08x",
        subject->path, write->instruction, oracle->name, lane, word[0], word[1], word[2], word[3], expected.word[0][0],
        expected.word[0][1], expected.word[0][2], expected.word[0][3], from[0][0], from[0][1], from[0][2], from[0][3]);
}

static void judge(const struct subject *subject, const struct sources *sources, const struct write *write,
                  struct tally *tally)
{
    const struct sch_ir_instruction *in = &subject->shader->instructions[write->instruction];
    const struct oracle *oracle = oracle_find(sch_op_info(in->opcode)->name);
    /* Of a patch's register the last lane has written it, of another vertex's register another lane. */
    if (subject->info.stage == SCH_STAGE_TESS_CTRL && write->which.file == SCH_DEBUG_OUTPUT) return;
    if (!oracle || in->dst_count != 1 || oracle_sources(oracle) != sources->count) return;
    for (uint32_t left = write->lanes; left; left &= left - 1)
        judge_lane(subject, in, oracle, sources, write, (unsigned)__builtin_ctz(left));
    tally->judged++;
}

/* ---- a trace ---- */

static void read_sources(const struct sch_debug *debug, struct sources *sources)
{
    sources->count = 0;
    while (sources->count < 4 && sch_debug_read_source(debug, sources->count, sources->words[sources->count]))
        sources->count++;
}

/* What the last instruction wrote goes behind the others; how many there are. */
static uint32_t note_writes(const struct sch_debug *debug, uint32_t instruction, struct write *writes, uint32_t count)
{
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debug_change_at(debug, n, &change); n++) {
        struct write *made = &writes[count++];
        made->instruction = instruction;
        made->which = change.which;
        made->channels = change.channels;
        made->lanes = change.lanes;
        assert_int_equal(sch_debug_read(debug, &change.which, made->words), SCH_OK);
    }
    return count;
}

enum { MOST_WRITES = MOST_STEPS + 32 };

/* Steps to the end of the group or MOST_STEPS on; how many values were written. */
static uint32_t trace(struct subject *subject, struct write *writes, struct tally *tally)
{
    struct sch_debug *debug = open_session(subject);
    struct sch_debug_stop stop = stop_of(debug);
    uint32_t count = 0;
    for (unsigned n = 0; n < MOST_STEPS && count < MOST_STEPS && stop.reason != SCH_DEBUG_GROUP_END && !stop.ended &&
                         stop.reason != SCH_DEBUG_FAILED;
         n++) {
        struct sources sources;
        const uint32_t instruction = stop.instruction, before = count;
        read_sources(debug, &sources);
        stop = step(debug);
        if (stop.ended || stop.reason == SCH_DEBUG_FAILED) break;
        count = note_writes(debug, instruction, writes, count);
        assert_true(count <= MOST_WRITES);
        if (count == before + 1) judge(subject, &sources, &writes[before], tally);
        tally->moments++;
    }
    while (!stop_of(debug).ended) go(debug, SCH_DEBUG_RUN, false, 0);
    sch_debug_destroy(debug);
    tally->writes += count;
    return count;
}

static void assert_same_writes(const struct subject *subject, unsigned width, const struct write *is,
                               const struct write *was, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (memcmp(&is[n], &was[n], sizeof *is) != 0)
            fail_msg("%s: width %u: instruction %u writes something else", subject->path, width, is[n].instruction);
}

/* ---- cut programs ---- */

/* Which programs can be cut anywhere: without branches, with outputs that are read behind the end. */
static bool is_straight(const struct subject *subject, struct sch_shader *shader)
{
    size_t constructs = 0;
    assert_int_equal(sch_shader_constructs(shader, NULL, 0, 0, &constructs), SCH_OK);
    const enum sch_stage stage = subject->info.stage;
    if (constructs || strstr(subject->text, "RET") || strstr(subject->text, "STORE") || strstr(subject->text, "ATOM"))
        return false;
    return stage == SCH_STAGE_VERTEX || stage == SCH_STAGE_FRAGMENT || stage == SCH_STAGE_TESS_EVAL;
}

/* The first lines of a printed shader, with `count` instructions, and `last` behind them. From malloc. */
static char *cut_text(const char *printed, uint32_t count, const char *last)
{
    uint32_t instructions = 0;
    const char *line = printed;
    for (; *line && instructions < count; line = strchr(line, '\n') + 1)
        instructions += line[strspn(line, " 0123456789")] == ':';
    const size_t head = (size_t)(line - printed);
    char *text = malloc(head + strlen(last) + 8);
    assert_non_null(text);
    memcpy(text, printed, head);
    sprintf(text + head, "%sEND\n", last);
    return text;
}

/* The first output that holds any bits. */
static int free_output(const struct sch_ir_shader *shader)
{
    for (size_t d = 0; d < shader->declaration_count; d++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[d];
        if (declaration->file == SCH_FILE_OUTPUT && declaration->first < OUTPUTS && declaration->usage_mask == 15)
            return (int)declaration->first;
    }
    return -1;
}

/* Machine code of the program up to the instruction shows the value that the session did. */
static void confirm(struct subject *subject, const char *printed, const struct write *write, struct tally *tally)
{
    char last[80] = "";
    int output = (int)write->which.index;
    enum sch_result why;
    if (write->which.file == SCH_DEBUG_TEMPORARY) {
        output = free_output(subject->shader);
        snprintf(last, sizeof last, "MOV OUT[%d], TEMP[%u]\n", output, write->which.index);
    } else if (write->which.file != SCH_DEBUG_OUTPUT || output >= OUTPUTS) {
        return;
    }
    if (output < 0) return;
    char *text = cut_text(printed, write->instruction + 1, last);
    struct sch_program *program =
        api_program_on(subject->context, text, strlen(text), SCH_ENGINE_JIT, 4u << write->instruction % WIDTHS, &why);
    if (!program) fail_msg("%s, cut behind %u: %s\n%s", subject->path, write->instruction, sch_result_text(why), text);
    free(text);
    assert_int_equal(dispatch(subject, program, NULL), SCH_OK);
    sch_program_destroy(program);
    for (uint32_t left = write->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned c = 0; c < 4 && !subject->results->killed[lane]; c++)
            if (write->channels >> c & 1 && subject->results->outputs[lane][output][c] != write->words[c][lane])
                fail_msg("%s: instruction %u, channel %u, lane %u: %08x, of machine code %08x", subject->path,
                         write->instruction, c, lane, write->words[c][lane],
                         subject->results->outputs[lane][output][c]);
    }
    tally->confirmed++;
}

static void confirm_all(struct subject *subject, const struct write *writes, uint32_t count, struct tally *tally)
{
    struct sch_shader *shader;
    char *printed;
    assert_int_equal(sch_shader_read(subject->context, subject->text, strlen(subject->text), NULL, NULL, &shader),
                     SCH_OK);
    if (tally->cut < (getenv("SCH_LONG") ? LONG_CUT : CUT) && is_straight(subject, shader)) {
        assert_int_equal(sch_shader_print(shader, NULL, &printed, NULL), SCH_OK);
        for (uint32_t n = 0; n < count; n++) confirm(subject, printed, &writes[n], tally);
        sch_free(subject->context, printed);
        tally->cut++;
    }
    sch_shader_destroy(shader);
}

/* ---- a program ---- */

static void walk_program(struct subject *subject, struct tally *tally)
{
    static struct moment moments[MOST_MOMENTS];
    const unsigned walks = getenv("SCH_LONG") ? 500 : 40;
    struct sch_debug *debug = open_session(subject);
    uint32_t count = 0;
    for (;; count++) {
        moments[count] = moment_of(debug);
        if (moments[count].stop.ended) break;
        if (count == MOST_MOMENTS - 1 || moments[count].stop.reason == SCH_DEBUG_FAILED) {
            sch_debug_destroy(debug);
            return; /* it does not come to its end */
        }
        step(debug);
    }
    walk(debug, moments, count, walks, subject->info.hash);
    sch_debug_destroy(debug);
    tally->walks += walks;
}

static void check_program(struct subject *subject, struct results results[2], struct tally *tally)
{
    static struct write writes[WIDTHS][MOST_WRITES];
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .budget = BUDGET};
    uint32_t counts[WIDTHS];
    memset(writes, 0, sizeof writes);
    random_textures_make(subject->context, subject->shader, subject->info.hash, &subject->textures);
    for (unsigned w = 0; w < WIDTHS; w++) {
        enum sch_result why;
        struct sch_program *program = api_program_on(subject->context, subject->text, strlen(subject->text),
                                                     SCH_ENGINE_INTERPRETER, 4u << w, &why);
        if (!program) fail_msg("%s: %s", subject->path, sch_result_text(why));
        subject->program = program;
        subject->results = &results[0];
        const enum sch_result result = dispatch(subject, program, &options);
        random_textures_agree(&subject->textures, w == 0);
        subject->results = &results[1];
        counts[w] = trace(subject, writes[w], tally);
        if (result == SCH_OK && (memcmp(&results[0], &results[1], sizeof *results) != 0 ||
                                 !random_textures_agree(&subject->textures, false)))
            fail_msg("%s: width %u: a session changes what is computed", subject->path, 4u << w);
        assert_int_equal(counts[w], counts[0]);
        assert_same_writes(subject, 4u << w, writes[w], writes[0], counts[w]);
        if (w == 1 && tally->programs % WALKED == 0) walk_program(subject, tally);
        if (w == WIDTHS - 1 && WITH_COMPILER) confirm_all(subject, writes[0], counts[0], tally);
        sch_program_destroy(program);
    }
    random_textures_release(&subject->textures);
    tally->programs++;
}

static void check_text(struct sch_context *context, const char *path, const struct data *data, struct results *results,
                       struct tally *tally)
{
    size_t bytes;
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    struct subject subject = {.path = path, .text = text, .context = context, .shader = reading.shader, .data = data};
    struct sch_shader *shader;
    subject.info.size = sizeof subject.info;
    assert_int_equal(sch_shader_read(context, text, bytes, NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_shader_get_info(shader, &subject.info), SCH_OK);
    sch_shader_destroy(shader);
    subject.rules =
        (strstr(text, "LEGACY_MATH_RULES 1") ? RULE_LEGACY : 0) | (strstr(text, "D3D_RULES 1") ? RULE_D3D : 0);
    check_program(&subject, results, tally);
    release(&reading);
    free(text);
}

/* Among the tests the compiler of machine code stands elsewhere than beside the library. */
static struct sch_context *new_context(void)
{
    char path[4096];
    const char *build = getenv("SCH_BUILD");
    struct sch_context *context = NULL;
    snprintf(path, sizeof path, "%s/src/jit/libscheelite-jit.so.0", build ? build : ".");
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = path};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

/* Of `of` programs about `wanted`. */
static bool is_turn(size_t position, size_t of, size_t wanted)
{
    return position * wanted / of != (position + 1) * wanted / of;
}

static void run_stage(const char *folder)
{
    size_t count, of[2] = {0, 0}, at[2] = {0, 0};
    char **paths = corpus_texts(&count);
    struct sch_context *context = new_context();
    struct data *data = malloc(sizeof *data);
    struct results *results = calloc(2, sizeof *results);
    struct tally tally = {0};
    assert_true(data && results);
    fill_data(data);
    for (size_t i = 0; i < count; i++)
        if (strstr(paths[i], folder)) of[is_own_text(paths[i])]++;
    const size_t wanted[2] = {getenv("SCH_LONG") ? LONG_CAPTURED : CAPTURED,
                              getenv("SCH_LONG") ? of[1] : (of[1] + OWN - 1) / OWN};
    for (size_t i = 0; i < count; i++) {
        const bool own = is_own_text(paths[i]);
        if (!strstr(paths[i], folder)) continue;
        const size_t position = at[own]++;
        if (is_turn(position, of[own], wanted[own] < of[own] ? wanted[own] : of[own]))
            check_text(context, paths[i], data, results, &tally);
    }
    printf("# %s %u programs, %u moments, %u values written, of which the oracle judged %u; %u programs cut for %u "
           "values; %u walks\n",
           folder, tally.programs, tally.moments, tally.writes, tally.judged, tally.cut, tally.confirmed, tally.walks);
    assert_true(tally.programs > 0 && tally.walks > 0 && tally.judged > 0);
    free(results);
    free(data);
    sch_context_destroy(context);
    free_texts(paths, count);
}

static void vertex(void **state) { (void)state, run_stage("/vs/"); }
static void tessellation_control(void **state) { (void)state, run_stage("/tcs/"); }
static void tessellation_evaluation(void **state) { (void)state, run_stage("/tes/"); }
static void geometry(void **state) { (void)state, run_stage("/gs/"); }
static void fragment(void **state) { (void)state, run_stage("/fs/"); }
static void compute(void **state) { (void)state, run_stage("/cs/"); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vertex),
                                       cmocka_unit_test(tessellation_control),
                                       cmocka_unit_test(tessellation_evaluation),
                                       cmocka_unit_test(geometry),
                                       cmocka_unit_test(fragment),
                                       cmocka_unit_test(compute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
