/* Debugging sessions over programs of all stages, our own, captured and random ones, with random inputs and textures.
 * What a session shows is what the engines compute:
 *
 * - The outputs behind a session are those of the dispatch, at every width, and what is written at each moment is the
 *   same at every width.
 * - Each arithmetic result that is shown follows from the shown sources, by the scalar oracle of the opcodes' tests.
 * - Each value that is shown as written is what machine code wrote then: of the same program with a log (write_log.h),
 *   which has each lane's writes in their order, through branches, loops and subroutines.
 * - Walks forward and back come to the same moments.
 *
 * A sample of the programs; with SCH_LONG 100 captured ones of each stage that has so many, half of them with
 * control flow, and all our own. */
#include "../tgsi/tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/api_program.h"
#include "../support/oracle.h"
#include "../support/random_shader.h"
#include "../support/random_textures.h"
#include "../support/random_work.h"
#include "debug_support.h"
#include "write_log.h"

enum {
    COUNT = 32,
    BUFFERS = 16,
    WIDTHS = 3,
    BUDGET = 60,
    MOST_STEPS = 1500,
    OWN = 5,      /* one of so many of our own */
    CAPTURED = 3, /* of each stage, and as many with control flow */
    LONG_CAPTURED = 50,
    RANDOM = 4, /* one with each kind of construct */
    LONG_RANDOM = 40,
    WALKED = 11 /* one program of so many */
};

static const struct work_shape shape = {.count = COUNT,
                                        .vertices = 8,
                                        .registers = 64,
                                        .values = 16,
                                        .outputs = 24,
                                        .events = 24,
                                        .planes = 8,
                                        .constants = 512,
                                        .constant_buffers = 4,
                                        .memories = BUFFERS,
                                        .memory_words = 512};

/* A value that an instruction wrote. */
struct write {
    uint32_t instruction, lanes, channels;
    struct sch_debug_register which;
    uint32_t words[4][32];
};

enum { MOST_WRITES = MOST_STEPS + 32 };

/* An instruction that was executed, with its writes, and which registers its destinations name in each lane. */
struct execution {
    uint32_t instruction, active, helpers, first, count;
    int64_t numbers[SCH_MAX_DSTS][32], vertices[SCH_MAX_DSTS][32];
};

struct trace {
    struct write writes[MOST_WRITES];
    struct execution executions[MOST_STEPS];
    uint32_t write_count, execution_count;
    uint32_t present; /* lanes */
    bool ended;       /* it has all that the group does */
};

struct subject {
    const char *name, *text;
    struct sch_context *context;
    const struct sch_ir_shader *shader;
    struct sch_shader_info info;
    const struct work *work;
    struct random_textures textures;
    const struct sch_program *program; /* that a session runs */
    struct answers *answers;           /* of it */
    struct log_entry *log;             /* that machine code writes */
    unsigned rules;                    /* of the oracle */
    bool flows;                        /* has branches, loops or subroutines */
};

struct tally {
    unsigned programs, moments, writes, judged, walks;
    unsigned logged, flowing,
        unfinished; /* programs that machine code confirms; of them with control flow; that fail */
    unsigned silent, refused[LOG_REFUSALS]; /* programs that write no register; that have no log */
    unsigned shown, values, words;          /* by programs with a log; of them confirmed; and their words */
    unsigned again;                         /* values by an instruction that had run before */
};

/* ---- runs ---- */

/* All that a run writes is as it was before. */
static enum sch_result dispatch(struct subject *subject, const struct sch_program *program,
                                const struct sch_dispatch_options *options, struct answers *answers)
{
    static const uint32_t grid[3] = {1, 1, 1};
    struct sch_storage_buffer buffers[BUFFERS], with_log[LOG_BUFFER + 2] = {{0}};
    struct sch_bindings bindings;
    uint32_t begun = 0;
    answers_reset(answers, subject->work);
    work_bind(subject->work, answers->memory, buffers, &bindings);
    random_textures_bind(&subject->textures, &bindings);
    random_textures_reset(&subject->textures);
    if (program != subject->program) { /* the one with a log */
        memcpy(with_log, buffers, bindings.buffer_count * sizeof *buffers);
        memset(subject->log, 0, LOG_BYTES);
        with_log[LOG_BUFFER] = (struct sch_storage_buffer){subject->log, LOG_BYTES};
        with_log[LOG_BUFFER + 1] = (struct sch_storage_buffer){&begun, sizeof begun};
        bindings.buffers = with_log;
        bindings.buffer_count = LOG_BUFFER + 2;
    }
    struct sch_invocations invocations = work_invocations(subject->work, subject->info.stage, answers);
    work_give_values(&invocations);
    work_run(program, &bindings, &invocations, subject->info.stage == SCH_STAGE_COMPUTE ? grid : NULL, options,
             answers);
    return answers->result;
}

static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    struct subject *subject = user;
    return dispatch(subject, subject->program, options, subject->answers);
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
        subject->name, write->instruction, oracle->name, lane, word[0], word[1], word[2], word[3], expected.word[0][0],
        expected.word[0][1], expected.word[0][2], expected.word[0][3], from[0][0], from[0][1], from[0][2], from[0][3]);
}

static void judge(const struct subject *subject, const struct sources *sources, const struct write *write,
                  struct tally *tally)
{
    const struct sch_ir_instruction *in = &subject->shader->instructions[write->instruction];
    const struct oracle *oracle = oracle_find(sch_op_info(in->opcode)->name);
    /* Of a patch's register the last lane has written it, of another vertex's register another lane. */
    if (subject->info.stage == SCH_STAGE_TESS_CTRL && write->which.file == SCH_FILE_OUTPUT) return;
    if (!oracle || in->dst_count != 1 || oracle_sources(oracle) != sources->count) return;
    if (in->saturate && !strchr("FX", sch_op_info(in->opcode)->dst_type)) return; /* the oracle has no word for it */
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

/* The numbers that a bracket has in each lane. */
static void resolve(const struct sch_debug *debug, const struct sch_ir_bracket *bracket, int64_t numbers[32])
{
    const struct sch_ir_indirect *by = &bracket->indirect;
    const struct sch_debug_register which = {(enum sch_file)by->file, 0, (uint32_t)by->index};
    uint32_t words[4][32] = {{0}};
    if (bracket->is_indirect) assert_int_equal(sch_debug_read(debug, &which, words), SCH_OK);
    for (unsigned i = 0; i < 32; i++)
        numbers[i] = (int64_t)bracket->index + (bracket->is_indirect ? (int32_t)words[by->component][i] : 0);
}

/* What the next instruction will write. */
static void begin_execution(const struct subject *subject, const struct sch_debug *debug,
                            const struct sch_debug_stop *stop, struct execution *made)
{
    made->instruction = stop->instruction;
    made->active = stop->active;
    made->helpers = stop->helpers;
    if (stop->instruction >= subject->shader->instruction_count) return;
    const struct sch_ir_instruction *in = &subject->shader->instructions[stop->instruction];
    for (unsigned d = 0; d < in->dst_count; d++) {
        if (!is_logged(in, d)) continue;
        resolve(debug, &in->dst[d].index, made->numbers[d]);
        for (unsigned i = 0; i < 32; i++) made->vertices[d][i] = i;
        if (in->dst[d].has_dimension && subject->info.stage == SCH_STAGE_TESS_CTRL)
            resolve(debug, &in->dst[d].dimension, made->vertices[d]);
    }
}

/* Steps to the end of the group or MOST_STEPS on. */
static void record_trace(struct subject *subject, struct trace *trace, struct tally *tally)
{
    struct sch_debug *debug = open_session(subject);
    struct sch_debug_stop stop = stop_of(debug);
    memset(trace, 0, sizeof *trace);
    trace->present = stop.present;
    while (trace->execution_count < MOST_STEPS && trace->write_count < MOST_STEPS && !stop.ended &&
           stop.reason != SCH_DEBUG_GROUP_END && stop.reason != SCH_DEBUG_FAILED) {
        struct sources sources;
        struct execution *made = &trace->executions[trace->execution_count];
        read_sources(debug, &sources);
        begin_execution(subject, debug, &stop, made);
        made->first = trace->write_count;
        stop = step(debug);
        if (stop.ended || stop.reason == SCH_DEBUG_FAILED) break;
        trace->write_count = note_writes(debug, made->instruction, trace->writes, trace->write_count);
        assert_true(trace->write_count <= MOST_WRITES);
        made->count = trace->write_count - made->first;
        if (made->count == 1) judge(subject, &sources, &trace->writes[made->first], tally);
        trace->execution_count++;
    }
    trace->ended = stop.reason == SCH_DEBUG_GROUP_END;
    while (!stop_of(debug).ended) go(debug, SCH_DEBUG_RUN, false, 0);
    sch_debug_destroy(debug);
    tally->moments += trace->execution_count;
    tally->writes += trace->write_count;
}

static void assert_same_writes(const struct subject *subject, unsigned width, const struct trace *is,
                               const struct trace *was)
{
    assert_int_equal(is->write_count, was->write_count);
    for (uint32_t n = 0; n < is->write_count; n++)
        if (memcmp(&is->writes[n], &was->writes[n], sizeof *is->writes) != 0)
            fail_msg("%s: width %u: instruction %u writes something else", subject->name, width,
                     is->writes[n].instruction);
}

/* ---- what machine code logs ---- */

/* Where the lanes of the session's group are in the log. */
struct reader {
    const struct subject *subject;
    const struct trace *trace;
    uint32_t invocations;
    uint32_t written[32];    /* by each lane */
    bool found[MOST_WRITES]; /* writes of the trace that were compared, in some lane */
    bool complete;           /* the run came to its end, so that the log has all writes */
};

/* The next entry of a lane; NULL: behind the end of the log. The first group begins first. */
static const struct log_entry *next_entry(struct reader *reader, unsigned lane)
{
    const uint32_t before = reader->trace->present & ((UINT32_C(1) << lane) - 1);
    const size_t place = log_place(reader->invocations, (size_t)__builtin_popcount(before), reader->written[lane]++);
    return place < LOG_BYTES / sizeof(struct log_entry) ? &reader->subject->log[place] : NULL;
}

/* The write of a register in a lane; NULL: there is no such register. */
static const struct write *find_write(const struct trace *trace, const struct execution *of, unsigned file,
                                      int64_t number, int64_t lane)
{
    for (uint32_t n = of->first; n < of->first + of->count; n++) {
        const struct write *write = &trace->writes[n];
        if (write->which.file == (enum sch_file)file && write->which.index == number && lane >= 0 && lane < 32 &&
            write->lanes >> lane & 1)
            return write;
    }
    return NULL;
}

/* A register that does not exist is 0. */
static void compare_words(const struct reader *reader, const struct execution *of, const struct sch_ir_dst *dst,
                          const struct write *write, unsigned lane, int64_t from, const struct log_entry *entry)
{
    const unsigned channels = write ? write->channels & dst->write_mask : dst->write_mask;
    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1)) continue;
        const uint32_t shown = write ? write->words[c][from] : 0;
        if (entry->words[c] != shown)
            fail_msg("%s: instruction %u, channel %u, lane %u: %08x, of machine code %08x", reader->subject->name,
                     of->instruction, c, lane, shown, entry->words[c]);
    }
}

/* A destination in all lanes. False: the log ends here. */
static bool confirm_destination(struct reader *reader, const struct execution *of, unsigned d, struct tally *tally)
{
    const struct sch_ir_dst *dst = &reader->subject->shader->instructions[of->instruction].dst[d];
    for (uint32_t left = of->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct log_entry *entry = next_entry(reader, lane);
        const bool helper = of->helpers >> lane & 1;
        if (!entry || (!entry->number && !helper && !reader->complete)) return false;
        if (entry->number != (helper ? 0 : of->instruction + 1))
            fail_msg("%s: lane %u writes by instruction %u, machine code by %d (from 1 on)", reader->subject->name,
                     lane, of->instruction, (int)entry->number);
        if (helper) continue;
        const int64_t from = of->vertices[d][lane];
        const struct write *write = find_write(reader->trace, of, dst->file, of->numbers[d][lane], from);
        compare_words(reader, of, dst, write, lane, from, entry);
        if (write) reader->found[write - reader->trace->writes] = true;
        tally->words += (unsigned)__builtin_popcount(dst->write_mask);
    }
    return true;
}

static void count_confirmed(const struct reader *reader, struct tally *tally)
{
    const struct trace *trace = reader->trace;
    bool ran[MOST_STEPS] = {0};
    unsigned values = 0;
    for (uint32_t n = 0; n < trace->write_count; n++) {
        if (!reader->found[n]) continue;
        const uint32_t instruction = trace->writes[n].instruction;
        values++;
        if (instruction >= MOST_STEPS) continue;
        tally->again += ran[instruction];
        ran[instruction] = true;
    }
    tally->shown += trace->write_count;
    tally->values += values;
    tally->logged += values > 0;
    tally->flowing += values > 0 && reader->subject->flows;
    tally->unfinished += !reader->complete;
    tally->silent += trace->write_count == 0;
}

/* Machine code wrote what the trace shows, in the same order, and nothing else. */
static void confirm_trace(struct reader *reader, struct tally *tally)
{
    const struct sch_ir_shader *shader = reader->subject->shader;
    for (uint32_t n = 0; n < reader->trace->execution_count; n++) {
        const struct execution *of = &reader->trace->executions[n];
        if (of->instruction >= shader->instruction_count) continue; /* the END that is not written */
        const struct sch_ir_instruction *in = &shader->instructions[of->instruction];
        for (unsigned d = 0; d < in->dst_count; d++)
            if (is_logged(in, d) && !confirm_destination(reader, of, d, tally)) return;
    }
    for (uint32_t left = reader->trace->present; left && reader->complete && reader->trace->ended; left &= left - 1) {
        const struct log_entry *entry = next_entry(reader, (unsigned)__builtin_ctz(left));
        if (entry && entry->number)
            fail_msg("%s: machine code writes by instruction %u, too", reader->subject->name, entry->number - 1);
    }
}

static struct sch_program *program_with_log(const struct subject *subject, const char *text)
{
    enum sch_result why;
    struct sch_shader *shader;
    if (sch_shader_read(subject->context, text, strlen(text), NULL, NULL, &shader) != SCH_OK ||
        sch_shader_check(shader, NULL) != SCH_OK)
        fail_msg("%s: with a log it is refused:\n%s", subject->name, text);
    sch_shader_destroy(shader);
    struct sch_program *program =
        api_program_on(subject->context, text, strlen(text), SCH_ENGINE_JIT, 4u << subject->info.hash % WIDTHS, &why);
    if (!program) fail_msg("%s: %s", subject->name, sch_result_text(why));
    return program;
}

static uint32_t invocations_of(const struct subject *subject)
{
    uint32_t block = 1;
    for (unsigned d = 0; d < 3; d++) block *= subject->info.block[d] ? subject->info.block[d] : 1;
    return subject->info.stage == SCH_STAGE_COMPUTE && block > COUNT ? block : COUNT;
}

/* `expected` is what the program itself answers. */
static void confirm(struct subject *subject, const struct trace *trace, const struct answers *expected,
                    struct answers *answers, struct tally *tally)
{
    static const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .budget = BUDGET};
    struct reader reader = {.subject = subject, .trace = trace, .invocations = invocations_of(subject)};
    const enum log_refusal refusal = log_refuses(subject->shader);
    tally->refused[refusal]++;
    if (refusal != LOG_GRANTED) return;
    char *text = text_with_log(subject->shader, reader.invocations);
    struct sch_program *program = program_with_log(subject, text);
    reader.complete = dispatch(subject, program, &options, answers) == SCH_OK;
    if (!answers_agree(answers, expected) || (reader.complete && !random_textures_agree(&subject->textures, false)))
        fail_msg("%s: the log changes what is computed", subject->name);
    confirm_trace(&reader, tally);
    count_confirmed(&reader, tally);
    sch_program_destroy(program);
    free(text);
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

static void check_program(struct subject *subject, struct answers answers[2], struct tally *tally)
{
    static struct trace traces[2]; /* of the first width, and of another */
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .budget = BUDGET};
    random_textures_make(subject->context, subject->shader, subject->info.hash, &subject->textures);
    for (unsigned w = 0; w < WIDTHS; w++) {
        enum sch_result why;
        struct sch_program *program = api_program_on(subject->context, subject->text, strlen(subject->text),
                                                     SCH_ENGINE_INTERPRETER, 4u << w, &why);
        if (!program) fail_msg("%s: %s", subject->name, sch_result_text(why));
        subject->program = program;
        subject->answers = &answers[1];
        const enum sch_result result = dispatch(subject, program, &options, &answers[0]);
        random_textures_agree(&subject->textures, w == 0);
        record_trace(subject, &traces[w > 0], tally);
        if (result == SCH_OK &&
            (!answers_agree(&answers[0], &answers[1]) || !random_textures_agree(&subject->textures, false)))
            fail_msg("%s: width %u: a session changes what is computed", subject->name, 4u << w);
        assert_same_writes(subject, 4u << w, &traces[w > 0], &traces[0]);
        if (w == 1 && tally->programs % WALKED == 0) walk_program(subject, tally);
        if (w == WIDTHS - 1 && WITH_COMPILER) confirm(subject, &traces[0], &answers[0], &answers[1], tally);
        sch_program_destroy(program);
    }
    random_textures_release(&subject->textures);
    tally->programs++;
}

/* What the tests of a stage share. */
struct world {
    struct sch_context *context;
    struct work work;
    struct answers answers[2];
    struct log_entry *log;
    struct tally tally;
};

static void check_text(struct world *world, const char *name, const char *text)
{
    const size_t bytes = strlen(text);
    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    struct subject subject = {.name = name,
                              .text = text,
                              .context = world->context,
                              .shader = reading.shader,
                              .work = &world->work,
                              .log = world->log};
    struct sch_shader *shader;
    size_t constructs;
    subject.info.size = sizeof subject.info;
    assert_int_equal(sch_shader_read(world->context, text, bytes, NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_shader_get_info(shader, &subject.info), SCH_OK);
    assert_int_equal(sch_shader_constructs(shader, NULL, 0, 0, &constructs), SCH_OK);
    sch_shader_destroy(shader);
    subject.flows = constructs > 0;
    subject.rules =
        (strstr(text, "LEGACY_MATH_RULES 1") ? RULE_LEGACY : 0) | (strstr(text, "D3D_RULES 1") ? RULE_D3D : 0);
    check_program(&subject, world->answers, &world->tally);
    release(&reading);
}

static void check_file(struct world *world, const char *path)
{
    size_t bytes;
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    check_text(world, path, text);
    free(text);
}

/* Among the tests the compiler of machine code stands elsewhere than beside the library. */
static struct sch_context *new_context(void)
{
    char path[4096];
    const char *build = getenv("SCH_BUILD");
    struct sch_context *context = NULL;
    snprintf(path, sizeof path, "%s/src/jit/libscheelite-jit.so.1", build ? build : ".");
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

static void open_world(struct world *world)
{
    *world = (struct world){.context = new_context(), .log = malloc(LOG_BYTES)};
    assert_non_null(world->log);
    work_make(&world->work, &shape);
    work_fill(&world->work, 1);
    for (unsigned n = 0; n < 2; n++) answers_make(&world->answers[n], &shape);
}

static void close_world(struct world *world)
{
    for (unsigned n = 0; n < 2; n++) answers_release(&world->answers[n]);
    work_release(&world->work);
    free(world->log);
    sch_context_destroy(world->context);
}

enum { FLOWS = 4 };
static const char *const flows[FLOWS] = {"IF ", "BGNLOOP", "SWITCH", "CAL "};

/* Of captured programs those with control flow have their own share. */
enum kind { OWN_KIND, STRAIGHT, FLOWING, KINDS };

static bool has_flow(const char *text)
{
    for (unsigned n = 0; n < FLOWS; n++)
        if (strstr(text, flows[n])) return true;
    return false;
}

static enum kind kind_of(const char *path)
{
    if (is_own_text(path)) return OWN_KIND;
    size_t bytes;
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    const enum kind kind = has_flow(text) ? FLOWING : STRAIGHT;
    free(text);
    return kind;
}

static void check_corpus(struct world *world, const char *folder)
{
    size_t count, of[KINDS] = {0}, at[KINDS] = {0};
    char **paths = corpus_texts(&count);
    uint8_t *kinds = calloc(count, 1);
    assert_non_null(kinds);
    for (size_t i = 0; i < count; i++)
        if (strstr(paths[i], folder)) of[kinds[i] = (uint8_t)kind_of(paths[i])]++;
    const size_t captured = getenv("SCH_LONG") ? LONG_CAPTURED : CAPTURED;
    const size_t own = getenv("SCH_LONG") ? of[OWN_KIND] : (of[OWN_KIND] + OWN - 1) / OWN;
    for (size_t i = 0; i < count; i++) {
        if (!strstr(paths[i], folder)) continue;
        const size_t position = at[kinds[i]]++, all = of[kinds[i]], wanted = kinds[i] == OWN_KIND ? own : captured;
        if (is_turn(position, all, wanted < all ? wanted : all)) check_file(world, paths[i]);
    }
    free(kinds);
    free_texts(paths, count);
}

static void check_random(struct world *world, enum sch_stage stage)
{
    static struct random_shader shader;
    const unsigned wanted = getenv("SCH_LONG") ? LONG_RANDOM : RANDOM;
    for (unsigned number = 0, made = 0; made < wanted; number++) {
        char name[32];
        random_shader_make(&shader, number);
        if (shader.stage != (unsigned)stage || !strstr(shader.text, flows[made % FLOWS])) continue;
        if (strstr(shader.text, "CLOCK")) continue; /* it has no log */
        snprintf(name, sizeof name, "random shader %u", number);
        check_text(world, name, shader.text);
        made++;
    }
}

/* How much machine code confirms at least: of our own and random programs; with captured ones; with SCH_LONG. */
static const struct least {
    unsigned programs, flowing, values;
} least[SCH_STAGE_COUNT][3] = {[SCH_STAGE_VERTEX] = {{11, 5, 190}, {16, 8, 450}, {165, 86, 8000}},
                               [SCH_STAGE_TESS_CTRL] = {{5, 4, 36}, {10, 6, 610}, {134, 86, 10800}},
                               [SCH_STAGE_TESS_EVAL] = {{5, 4, 55}, {10, 6, 225}, {120, 84, 7000}},
                               [SCH_STAGE_GEOMETRY] = {{6, 5, 85}, {11, 7, 220}, {134, 85, 9400}},
                               [SCH_STAGE_FRAGMENT] = {{14, 4, 350}, {19, 5, 670}, {178, 80, 5600}},
                               [SCH_STAGE_COMPUTE] = {{8, 4, 68}, {14, 6, 135}, {126, 60, 2200}}};

static void assert_confirmed(enum sch_stage stage, const struct tally *tally)
{
    const bool captured = shared_path("corpus/tgsi/index.tsv") != NULL;
    const struct least *wanted = &least[stage][!captured ? 0 : getenv("SCH_LONG") ? 2 : 1];
    assert_in_range(tally->logged, wanted->programs, tally->programs);
    assert_in_range(tally->flowing, wanted->flowing, tally->programs);
    assert_in_range(tally->values, wanted->values, tally->shown);
    assert_in_range(tally->values, tally->shown - tally->shown / 50, tally->shown);
}

static void run_stage(enum sch_stage stage, const char *folder)
{
    struct world world;
    open_world(&world);
    check_corpus(&world, folder);
    check_random(&world, stage);
    const struct tally *tally = &world.tally;
    printf("# %s %u programs, %u moments, %u values written, of which the oracle judged %u; %u walks\n", folder,
           tally->programs, tally->moments, tally->writes, tally->judged, tally->walks);
    printf(
        "#   machine code confirms %u of %u values (%u words; %u values by an instruction that ran before) of %u "
        "programs, %u with control flow, %u that fail; %u write no register; no log: %u that choose registers by what "
        "they write, %u with CLOCK\n",
        tally->values, tally->shown, tally->words, tally->again, tally->logged, tally->flowing, tally->unfinished,
        tally->silent, tally->refused[LOG_CHOSEN], tally->refused[LOG_CLOCK]);
    assert_true(tally->programs > 0 && tally->walks > 0 && tally->judged > 0);
    if (WITH_COMPILER) assert_confirmed(stage, tally);
    close_world(&world);
}

static void vertex(void **state) { (void)state, run_stage(SCH_STAGE_VERTEX, "/vs/"); }
static void tessellation_control(void **state) { (void)state, run_stage(SCH_STAGE_TESS_CTRL, "/tcs/"); }
static void tessellation_evaluation(void **state) { (void)state, run_stage(SCH_STAGE_TESS_EVAL, "/tes/"); }
static void geometry(void **state) { (void)state, run_stage(SCH_STAGE_GEOMETRY, "/gs/"); }
static void fragment(void **state) { (void)state, run_stage(SCH_STAGE_FRAGMENT, "/fs/"); }
static void compute(void **state) { (void)state, run_stage(SCH_STAGE_COMPUTE, "/cs/"); }

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
