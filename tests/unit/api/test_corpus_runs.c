/* Our own shaders of every stage (tests/corpus/tgsi), captured ones, and published ones, with random inputs,
 * textures, samplers and images, 64 invocations each: the same bits at every width and with every number of threads,
 * with bindless handles and while texels are counted; no refusal. Programs with lookups run with several sets of
 * textures (SCH_LONG: many), and their answers must follow the textures. Where the shared folder is missing the own
 * ones are all.
 *
 * With ENGINES (test_native_corpus) the programs run on the interpreter, and as machine code: about 300 programs, a
 * third of them at every width, the others at one; with some invocations of a group at one. With SCH_LONG every
 * program runs at every width. Fragment shaders then draw rectangles, too, whose groups run as spans. */
#include "../tgsi/tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/api_program.h"
#include "../support/code_folder.h"
#include "../support/corpus_handles.h"
#include "../support/random_textures.h"
#include "../support/random_work.h"
#include "../support/widths.h"

enum {
    COUNT = 64,
    EVENTS = 24,
    BUFFERS = 16,
    BUFFER_WORDS = 512,
#ifdef ENGINES
    PROGRAMS = 5, /* the interpreter, machine code of three widths, and first the one, then the other */
    THREADS = 2,
    SETS = 1,
    LONG_SETS = 3,
    SAMPLED = 61, /* one program of so many */
    OWN_SAMPLED = 61,
    OWN_ALONE = 4,
    PART = 45, /* invocations, so that a group has some of its lanes */
#else
    PROGRAMS = 3, /* widths */
    THREADS = 3,
    SETS = 6, /* of textures a program */
    LONG_SETS = 100,
    SAMPLED = 1, /* every program; in a build that reads a part, one of PARTS */
    OWN_SAMPLED = 1,
    OWN_ALONE = 1,
    PART = 0,
#endif
    PARTS = 12,
    A_PART = 2,       /* 317 captured programs of the SAMPLED parts */
    LEAST_VARIED = 75 /* percent; of all 85 are */
};

static const struct work_shape shape = {.count = COUNT,
                                        .vertices = 8,
                                        .registers = 64,
                                        .values = 16,
                                        .outputs = 24,
                                        .events = EVENTS,
                                        .planes = 8,
                                        .constants = 512,
                                        .constant_buffers = 4,
                                        .memories = BUFFERS,
                                        .memory_words = BUFFER_WORDS};

struct tally {
    unsigned programs, budgets, handles, drawn; /* drawn: rectangles to their end */
    unsigned looking, touching, varied;         /* have lookups, read a texel, answer by the textures */
    unsigned images, changed;                   /* have images, leave them changed */
    unsigned long vertices, ends, lanes, finished, runs, texels;
    unsigned opcodes[SCH_OP_LIMIT];                       /* programs that have them */
    unsigned lookups[SCH_OP_LIMIT][SCH_TARGET_COUNT + 1]; /* instructions */
};

/* What one program is run with. */
struct subject {
    const char *path;
    const struct sch_ir_shader *shader;
    struct sch_program *programs[PROGRAMS], *handles; /* the last NULL: nothing to replace */
    struct sch_shader_info info;
    const struct work *work;
    struct random_textures textures;
};

static unsigned looking, varied; /* programs of all stages: with lookups, with answers that follow the textures */

static uint32_t invocations = COUNT; /* that run */

/* Whether machine code of this width is made of a program: of whole groups as widths.h says; of groups with some of
 * their lanes at one of the widths, with SCH_LONG at all of them. */
static bool is_width_of(const struct subject *subject, unsigned number)
{
    if (PROGRAMS == 3 || number < 1 || number > 3) return true;
    if (invocations == COUNT) return widths_of((unsigned)subject->info.hash) >> (number - 1) & 1;
    return getenv("SCH_LONG") || subject->info.hash % 3 == number - 1;
}

/* The constants, the memory that a run may write, and textures as they were before any run. */
static void bind(struct subject *subject, uint32_t *memory, struct sch_storage_buffer buffers[BUFFERS],
                 struct sch_bindings *bindings)
{
    work_bind(subject->work, memory, buffers, bindings);
    random_textures_bind(&subject->textures, bindings);
    random_textures_reset(&subject->textures);
}

/* `texels` (optional) receives the texels that each invocation read. */
static void run(struct subject *subject, const struct sch_program *program, unsigned threads, uint32_t *texels,
                struct answers *answers)
{
    const struct sch_shader_info *info = &subject->info;
    struct sch_storage_buffer buffers[BUFFERS];
    struct sch_bindings bindings;
    answers_reset(answers, subject->work);
    bind(subject, answers->memory, buffers, &bindings);
    struct sch_invocations work = work_invocations(subject->work, info->stage, answers);
    work_give_values(&work);
    work.count = invocations;
    work.texels_read = texels;
    work.texels_read_bytes = texels ? COUNT * sizeof *texels : 0;
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .budget = 5000};
    uint32_t block = 1, grid[3] = {1, 1, 1};
    for (unsigned d = 0; d < 3; d++) block *= info->block[d] ? info->block[d] : 1;
    if (block < COUNT) grid[0] = COUNT / block;
    work_run(program, &bindings, &work, info->stage == SCH_STAGE_COMPUTE ? grid : NULL, &options, answers);
}

/* Member by member, as what stands between them is not told. */
static bool same_report(const struct sch_dispatch_report *a, const struct sch_dispatch_report *b)
{
    return a->invocation == b->invocation && a->instruction == b->instruction && a->line == b->line &&
           a->column == b->column && a->instructions == b->instructions &&
           a->contents_undefined == b->contents_undefined;
}

/* What a run that fails leaves behind is not promised, only that it fails, and where. */
static bool same(const struct answers *a, const struct answers *b)
{
    if (a->result != b->result) return false;
    if (a->result != SCH_OK)
        return a->report.invocation == b->report.invocation && a->report.instruction == b->report.instruction;
    return same_report(&a->report, &b->report) && answers_agree(a, b);
}

/* ---- what there is to count ---- */

/* The target of a lookup, or of an image that is read or written; SCH_TARGET_COUNT: neither. */
static unsigned target_of(const struct sch_ir_shader *shader, const struct sch_ir_instruction *in)
{
    if (sch_op_info(in->opcode)->shape == SCH_SHAPE_TEX) return in->has_texture ? in->target : SCH_TARGET_UNKNOWN;
    int number = -1;
    if (in->dst_count && in->dst[0].file == SCH_FILE_IMAGE) number = in->dst[0].index.index;
    if (in->src_count && in->src[0].file == SCH_FILE_IMAGE) number = in->src[0].index.index;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *image = &shader->declarations[n];
        if (image->file == SCH_FILE_IMAGE && number >= (int)image->first && number <= (int)image->last)
            return image->target;
    }
    return SCH_TARGET_COUNT;
}

/* Whether it has lookups. */
static bool count_opcodes(const struct sch_ir_shader *shader, struct tally *tally)
{
    bool seen[SCH_OP_LIMIT] = {0}, looks = false;
    for (size_t n = 0; n < shader->instruction_count; n++) {
        const struct sch_ir_instruction *in = &shader->instructions[n];
        tally->opcodes[in->opcode] += !seen[in->opcode];
        seen[in->opcode] = true;
        looks = looks || sch_op_info(in->opcode)->shape == SCH_SHAPE_TEX;
        tally->lookups[in->opcode][target_of(shader, in)]++;
    }
    return looks;
}

static void print_tally(const char *stage, const struct tally *tally)
{
    printf("# %s: %u programs (%u out of budget), %.2f %% of %lu lanes reach END alive, %lu vertices, %lu ends\n",
           stage, tally->programs, tally->budgets, 100.0 * (double)tally->finished / (double)tally->lanes, tally->lanes,
           tally->vertices, tally->ends);
    printf(
        "#   textures: %u programs with lookups, %u read texels (%lu with their first set), answers of %u follow the "
        "textures; %u programs with images, %u change them; %u also with handles; %lu runs\n"
        "#   opcodes (programs that have them):",
        tally->looking, tally->touching, tally->texels, tally->varied, tally->images, tally->changed, tally->handles,
        tally->runs);
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++)
        if (tally->opcodes[i]) printf(" %s %u", sch_op_info(i)->name, tally->opcodes[i]);
    printf("\n#   lookups and images (instructions):");
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++)
        for (unsigned t = 0; t < SCH_TARGET_COUNT; t++)
            if (tally->lookups[i][t])
                printf(" %s %s %u,", sch_op_info(i)->name, sch_word_by_number(SCH_WORDS_TARGET, t)->word,
                       tally->lookups[i][t]);
    if (PART) printf("\n#   rectangles: %u", tally->drawn);
    puts("");
}

/* ---- one program ---- */

/* ---- rectangles ---- */

enum { WIDE = 48, HIGH = 6, PLANAR = 24 };

struct picture {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint8_t pixels[2][HIGH][WIDE][4];
    uint32_t memory[BUFFERS][BUFFER_WORDS];
};

/* Inputs and some system values from planes of random numbers, divided or not; not all of their components. */
static void fill_registers(const struct work *work, struct sch_rectangle_register registers[PLANAR])
{
    for (unsigned n = 0; n < PLANAR; n++) {
        const uint32_t *words = work_input(work, n, 0, 0);
        struct sch_rectangle_register *given = &registers[n];
        *given = (struct sch_rectangle_register){.index = n, .planar = words[0] % 16};
        memcpy(given->words, words + 4, sizeof given->words);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned k = 0; k < 3; k++) {
                given->planes[c].value[k] = (float)(int32_t)words[8 + 3 * c + k] * 0x1p-30f;
                given->planes[c].divisor[k] = n % 2 ? (float)(k == 0) : (float)(words[20 + 3 * c + k] % 64) * 0.5f;
            }
    }
}

static void draw(struct subject *subject, const struct sch_program *program, unsigned threads, struct picture *picture)
{
    const struct work *work = subject->work;
    struct sch_storage_buffer buffers[BUFFERS];
    struct sch_rectangle_register registers[PLANAR];
    memset(picture, 0, sizeof *picture);
    memcpy(picture->memory, work->memory, sizeof picture->memory);
    struct sch_bindings bindings;
    bind(subject, picture->memory[0], buffers, &bindings);
    fill_registers(work, registers);
    struct sch_render_target render_targets[2];
    for (unsigned c = 0; c < 2; c++)
        render_targets[c] = (struct sch_render_target){.pixels = picture->pixels[c],
                                                       .bytes = sizeof picture->pixels[c],
                                                       .row_bytes = sizeof picture->pixels[c][0],
                                                       .output = c};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = WIDE,
                                            .height = HIGH,
                                            .registers = registers,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = PLANAR,
                                            .render_targets = render_targets,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 2};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .budget = 5000};
    picture->report.size = sizeof picture->report;
    picture->result = sch_dispatch_rectangle(program, &bindings, &rectangle, &options, &picture->report);
}

static bool same_pictures(const struct picture *a, const struct picture *b)
{
    if (a->result != b->result) return false;
    if (a->result != SCH_OK)
        return a->report.invocation == b->report.invocation && a->report.instruction == b->report.instruction;
    return same_report(&a->report, &b->report) &&
           memcmp(a->pixels, b->pixels, sizeof *a - offsetof(struct picture, pixels)) == 0;
}

/* Which program a number means. */
static unsigned width_of(const struct subject *subject, unsigned number)
{
    if (PROGRAMS == 3) return 4u << number;
    if (number <= 3) return number ? 2u << number : 0;
    const unsigned widths = widths_of((unsigned)subject->info.hash);
    return 4 * (widths == ALL_WIDTHS ? 1u << subject->info.hash % 3 : widths);
}
static enum sch_engine engine_of(unsigned number)
{
    if (PROGRAMS == 3 || number > 3) return SCH_ENGINE_AUTO;
    return number ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
}

/* Which program comes next: the one that changes over begins when no other has left its code in the cache. */
static unsigned in_turn(unsigned place)
{
    if (PROGRAMS == 3 || place == 0) return place;
    return place == 1 ? PROGRAMS - 1 : place - 1;
}

/* The engine that changes over is given the code between two runs. */
static void change_over(const struct subject *subject, unsigned number)
{
    const struct sch_code_options form = {
        .size = sizeof form, .full = true, .quads = subject->info.stage == SCH_STAGE_FRAGMENT};
    if (PROGRAMS == 3 || engine_of(number) != SCH_ENGINE_AUTO) return;
    if (sch_program_compile(subject->programs[number], &form, NULL) != SCH_OK) fail_msg("%s: no code", subject->path);
}

static struct sch_program *make_program(struct sch_context *context, const struct subject *subject, const char *text,
                                        size_t bytes, unsigned number)
{
    enum sch_result why;
    const unsigned width = width_of(subject, number);
    struct sch_program *program = api_program_on(context, text, bytes, engine_of(number), width, &why);
    if (!program) fail_msg("%s: %s", subject->path, sch_result_text(why));
    return program;
}

static void read_subject(struct sch_context *context, const char *text, size_t bytes, struct subject *subject)
{
    struct sch_shader *shader = NULL;
    subject->info.size = sizeof subject->info;
    assert_int_equal(sch_shader_read(context, text, bytes, NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_shader_get_info(shader, &subject->info), SCH_OK);
    sch_shader_destroy(shader);
    for (unsigned w = 0; w < PROGRAMS; w++) subject->programs[w] = make_program(context, subject, text, bytes, w);
    char *handles = text_with_handles(subject->shader);
    if (handles)
        subject->handles = make_program(context, subject, handles, strlen(handles), subject->info.hash % PROGRAMS);
    free(handles);
}

/* Every number of threads with one set of textures; what they all answer is left in results[0]. */
static void run_set(struct subject *subject, struct answers results[2], struct tally *tally)
{
    for (unsigned place = 0; place < PROGRAMS; place++)
        for (unsigned threads = 1; threads <= THREADS; threads++) {
            const unsigned w = in_turn(place);
            if (!is_width_of(subject, w)) continue;
            bool first = w == 0 && threads == 1;
            if (threads == 2) change_over(subject, w);
            run(subject, subject->programs[w], threads, NULL, &results[!first]);
            tally->runs++;
            bool agree = random_textures_agree(&subject->textures, first) || results[0].result != SCH_OK;
            if (!agree || !same(&results[0], &results[!first]))
                fail_msg("%s: engine %d, width %u, %u threads: %s differ", subject->path, engine_of(w),
                         width_of(subject, w), threads, agree ? "answers" : "images");
        }
}

/* Counting texels changes no answer, and the count is the same at every width. */
static unsigned long count_texels(struct subject *subject, struct answers results[2])
{
    uint32_t texels[PROGRAMS][COUNT] = {0};
    unsigned long sum = 0;
    for (unsigned w = 0; w < PROGRAMS && engine_of(w) != SCH_ENGINE_JIT; w++) {
        run(subject, subject->programs[w], w + 1, texels[w], &results[1]);
        if (!same(&results[0], &results[1])) fail_msg("%s: counting texels changes the answers", subject->path);
        bool agree = results[0].result != SCH_OK || memcmp(texels[0], texels[w], sizeof texels[w]) == 0;
        if (!agree) fail_msg("%s: width %u reads other texels", subject->path, width_of(subject, w));
    }
    for (unsigned i = 0; i < COUNT; i++) sum += texels[0][i];
    return sum;
}

/* With handles in place of registers, and while texels are counted. */
static void run_other_ways(struct subject *subject, struct answers results[2], struct tally *tally)
{
    unsigned long texels = count_texels(subject, results);
    tally->touching += texels > 0;
    tally->texels += texels;
    tally->runs += PROGRAMS;
    if (!subject->handles) return;
    run(subject, subject->handles, 1, NULL, &results[1]);
    bool agree = random_textures_agree(&subject->textures, false) || results[0].result != SCH_OK;
    if (!agree || !answers_agree(&results[0], &results[1])) fail_msg("%s: handles change the answers", subject->path);
    tally->handles++;
    tally->runs++;
}

static void count_results(const struct answers *results, struct tally *tally)
{
    tally->budgets += results->result == SCH_ERROR_BUDGET;
    tally->lanes += COUNT;
    if (results->result != SCH_OK) return;
    tally->finished += COUNT;
    for (unsigned i = 0; i < COUNT; i++) tally->finished -= results->killed[i];
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned n = 0; n < results->event_counts[i] && n < EVENTS; n++)
            *(answers_event(results, i, n) & SCH_EVENT_PRIMITIVE_END ? &tally->ends : &tally->vertices) += 1;
}

/* With groups that have some of their lanes only. */
static void run_part_of_groups(struct subject *subject, struct answers results[2], struct tally *tally)
{
    if (!PART || subject->info.stage == SCH_STAGE_COMPUTE) return;
    invocations = PART;
    run_set(subject, results, tally);
    invocations = COUNT;
}

static void draw_rectangles(struct subject *subject, struct tally *tally)
{
    static struct picture pictures[2];
    if (!PART || subject->info.stage != SCH_STAGE_FRAGMENT) return;
    draw(subject, subject->programs[0], 1, &pictures[0]);
    random_textures_agree(&subject->textures, true);
    for (unsigned w = 1; w < PROGRAMS && engine_of(w) == SCH_ENGINE_JIT; w++) {
        if (!getenv("SCH_LONG") && subject->info.hash % 3 != w - 1) continue;
        draw(subject, subject->programs[w], w, &pictures[1]);
        bool agree = random_textures_agree(&subject->textures, false) || pictures[0].result != SCH_OK;
        if (!agree || !same_pictures(&pictures[0], &pictures[1]))
            fail_msg("%s: width %u: the rectangles' %s differ", subject->path, width_of(subject, w),
                     agree ? "pixels" : "images");
        tally->drawn += pictures[0].result == SCH_OK;
    }
}

/* results[0] of the first set of textures is kept in results[2]. */
static void check_program(struct sch_context *context, struct subject *subject, struct answers results[3],
                          struct tally *tally)
{
    bool looks = count_opcodes(subject->shader, tally), follows = false;
    unsigned sets = getenv("SCH_LONG") ? LONG_SETS : SETS, images = subject->info.images;
    for (unsigned set = 0; set < (looks || images ? sets : 1); set++) {
        random_textures_make(context, subject->shader, subject->info.hash + set, &subject->textures);
        run_set(subject, results, tally);
        if (set == 0) count_results(&results[0], tally);
        if (set == 0) answers_copy(&results[2], &results[0]);
        if (set == 0 && images) tally->changed += random_textures_changed(&subject->textures);
        if (set == 0 && (looks || images)) run_other_ways(subject, results, tally);
        if (set == 0) run_part_of_groups(subject, results, tally);
        if (set == 0) draw_rectangles(subject, tally);
        follows = follows || (looks && !answers_agree(&results[2], &results[0]));
        random_textures_release(&subject->textures);
    }
    tally->images += images > 0;
    tally->looking += looks;
    tally->varied += follows;
    tally->programs++;
}

static void check_text(struct sch_context *context, const char *path, const struct work *work,
                       struct answers results[3], struct tally *tally)
{
    size_t bytes;
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    struct subject subject = {.path = path, .shader = reading.shader, .work = work};
    read_subject(context, text, bytes, &subject);
    check_program(context, &subject, results, tally);
    for (unsigned w = 0; w < PROGRAMS; w++) sch_program_destroy(subject.programs[w]);
    sch_program_destroy(subject.handles);
    release(&reading);
    free(text);
}

/* Whether a text is one of today's language: of those with a stage all are. */
static bool is_valid(struct sch_context *context, const char *path)
{
    size_t bytes;
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    struct sch_shader *shader = NULL;
    enum sch_result result = sch_shader_read(context, text, bytes, NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_shader_check(shader, NULL);
    assert_true(result == SCH_OK || result == SCH_ERROR_INVALID);
    sch_shader_destroy(shader);
    free(text);
    return result == SCH_OK;
}

/* How much of it was really machine code: every program, once for JIT and once for AUTO at least; nothing was
 * interpreted in its place. Where JIT runs the code that AUTO was given, they share it. */
static void check_compiled(struct sch_context *context, const struct tally *tally)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_OK);
    if (PROGRAMS == 3) return;
    printf("# compiled: %llu pieces of code of %u programs, %llu of lookups, %llu from the cache; %llu groups\n",
           (unsigned long long)counts.programs, tally->programs, (unsigned long long)counts.lookups,
           (unsigned long long)counts.from_cache, (unsigned long long)counts.native_groups);
    assert_true(counts.programs >= tally->programs);
    assert_true(counts.native_groups >= counts.programs);
    assert_true(counts.decoded_groups > 0 && counts.decoded_groups < counts.native_groups); /* by AUTO */
}

static bool is_sampled(const char *path)
{
    uint32_t hash = 0;
    const char *name = strrchr(path, '/');
    for (; name && *name; name++) hash = hash * 31 + (unsigned char)*name;
    const char *part = getenv("SCH_SAMPLE"); /* which of them; A_PART */
    unsigned long sampled = SAMPLED == 1 && getenv("SCH_PART") ? PARTS : SAMPLED;
    return getenv("SCH_LONG") || hash % sampled == (part ? strtoul(part, NULL, 10) : A_PART) % sampled;
}

/* Among the tests the compiler of machine code stands elsewhere than beside the library. What AUTO has had compiled JIT
 * reads from the cache. */
static struct sch_context *new_context(void)
{
    char path[4096];
    const char *build = getenv("SCH_BUILD");
    struct sch_context *context = NULL;
    snprintf(path, sizeof path, "%s/src/jit/libscheelite-jit.so.1", build ? build : ".");
    const struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = path, .cache = PROGRAMS == 3 ? NULL : code_folder()};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

/* Of our own every so many of a stage, the first in any case; more where there are no others. */
static bool is_turn(const char *path, unsigned *own)
{
    if (!is_own_text(path)) return is_sampled(path);
    const unsigned sampled = shared_path("corpus/tgsi/index.tsv") ? OWN_SAMPLED : OWN_ALONE;
    return (*own)++ % sampled == 0 || getenv("SCH_LONG");
}

static void run_part(const char *wanted, char **(*list)(size_t *))
{
    size_t count;
    unsigned own = 0;
    char **paths = list(&count);
    struct sch_context *context = new_context();
    struct work work;
    struct answers results[3];
    struct tally tally = {0};
    work_make(&work, &shape);
    work_fill(&work, 1);
    for (unsigned n = 0; n < 3; n++) answers_make(&results[n], &shape);
    for (size_t i = 0; i < count; i++)
        if (strstr(paths[i], wanted) && is_turn(paths[i], &own) &&
            (list == corpus_texts || is_valid(context, paths[i])))
            check_text(context, paths[i], &work, results, &tally);
    print_tally(wanted, &tally);
    assert_true(tally.programs > 0);
    check_compiled(context, &tally);
    looking += tally.looking;
    varied += tally.varied;
    for (unsigned n = 0; n < 3; n++) answers_release(&results[n]);
    work_release(&work);
    sch_context_destroy(context);
    free_texts(paths, count);
}

static void vertex(void **state) { (void)state, run_part("/vs/", corpus_texts); }
static void tessellation_control(void **state) { (void)state, run_part("/tcs/", corpus_texts); }
static void tessellation_evaluation(void **state) { (void)state, run_part("/tes/", corpus_texts); }
static void geometry(void **state) { (void)state, run_part("/gs/", corpus_texts); }
static void fragment(void **state) { (void)state, run_part("/fs/", corpus_texts); }
static void compute(void **state) { (void)state, run_part("/cs/", corpus_texts); }

static void others(void **state) { (void)state, run_part("/tgsi/", other_texts); }

/* A lookup that always answered 0 would agree with itself at every width. */
static void answers_follow_textures(void **state)
{
    (void)state;
    assert_true(looking > 0);
    printf("# answers of %u of %u programs with lookups follow the textures\n", varied, looking);
    assert_true(varied * 100 >= looking * LEAST_VARIED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex),
        cmocka_unit_test(tessellation_control),
        cmocka_unit_test(tessellation_evaluation),
        cmocka_unit_test(geometry),
        cmocka_unit_test(fragment),
        cmocka_unit_test(compute),
        cmocka_unit_test(others),
        cmocka_unit_test(answers_follow_textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
