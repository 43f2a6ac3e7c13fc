/* The captured shaders as Direct3D programs: each that translates passes Direct3D's rules, its listing assembles to the
 * same container, and lowered again it gives the bits of the original on random inputs, textures (both with Direct3D's
 * rules of lookups), buffers and images, unless there is a reason on the list below. Skips where the shared folder is
 * missing. */
#include "../tgsi/tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/random_textures.h"
#include "../support/random_work.h"

enum {
    COUNT = 32,
    VERTICES = 8,
    REGISTERS = 64,
    VALUES = 32,
    OUTPUTS = 32,
    EVENTS = 24,
    BUFFERS = 64,
    COUNTERS = 16,
    STRANGERS = 6, /* values between stages whose registers another one's index reached */
    STAGES = 4
};

/* How many of our own shaders and of the captured ones translate, and how many of those give the same bits: no fewer,
 * no more. */
static const struct {
    const char *folder;
    struct {
        unsigned translated, same;
    } own, captured;
} expected[STAGES] = {{"/vs/", {23, 22}, {926, 893}},
                      {"/fs/", {24, 22}, {1185, 1172}},
                      {"/gs/", {6, 6}, {268, 267}},
                      {"/cs/", {10, 3}, {149, 149}}};

/* Why a translation may give other bits (docs/d3d.md, "What differs"); a shader has the first reason that holds. */
enum reason { NONE, ARITHMETIC, ARRAY, IMAGE, FETCH, COMPARISON, OFFSET, DENORMAL, REASONS };
static const char *const reasons[REASONS] = {[ARITHMETIC] = "POW, LIT or PK2H",
                                             [ARRAY] = "an index outside of an array of temporaries",
                                             [IMAGE] = "an image is loaded outside",
                                             [FETCH] = "a texel outside, and no sampler that says the rules",
                                             [COMPARISON] = "a comparison through a view with a swizzle",
                                             [OFFSET] = "an offset of a gather has more than six bits",
                                             [DENORMAL] = "a denormal texel is an operand"};

/* Random words as a border colour. */
static const char *const denormal_texels[] = {"fs-fe7712d243d7"};

static const struct work_shape shape = {.count = COUNT,
                                        .vertices = VERTICES,
                                        .registers = REGISTERS,
                                        .values = VALUES,
                                        .outputs = OUTPUTS,
                                        .events = EVENTS,
                                        .constants = 512,
                                        .constant_buffers = 4,
                                        .memories = BUFFERS + COUNTERS,
                                        .memory_words = 256};

struct data {
    struct work work;
    uint32_t moved[COUNT][VERTICES][REGISTERS][4]; /* the inputs where the translation has them */
    uint32_t untouched[COUNT][REGISTERS][4];       /* the inputs of vertex 0 before a shader's meanings change them */
};

struct subject {
    const char *path;
    struct sch_context *context;
    const struct sch_ir_shader *ir;
    struct sch_shader *shader, *raised, *lowered;
    struct random_textures textures;
    unsigned first_buffer, first_image, first_counter; /* the u# of BUFFER[0], IMAGE[0] and HWATOMIC[0] */
};

struct tally {
    unsigned programs, translated, same, unfinished, differ[REASONS];
    unsigned values, strangers; /* of signatures between stages; those without their own register */
};

/* ---- data ---- */

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Floats with magnitudes from 2^-4 to 2^4: nothing in them or near them is denormal. */
static uint32_t random_word(uint64_t *state)
{
    uint64_t z = random_number(state);
    uint32_t exponent = 123 + (uint32_t)(z >> 40) % 8;
    return (uint32_t)(z & 0x807fffff) | exponent << 23;
}

static void fill(void *data, size_t words, uint64_t *state)
{
    for (size_t i = 0; i < words; i++) ((uint32_t *)data)[i] = random_word(state);
}

static struct data *make_data(void)
{
    struct data *data = malloc(sizeof *data);
    uint64_t state = 11;
    assert_non_null(data);
    work_make(&data->work, &shape);
    fill(data->work.inputs, data->work.input_words, &state);
    fill(data->work.constants, data->work.constant_words, &state);
    fill(data->work.memory, (size_t)BUFFERS * shape.memory_words, &state);
    memcpy(data->work.memory + (size_t)BUFFERS * shape.memory_words, data->work.memory,
           (size_t)COUNTERS * shape.memory_words * 4);
    for (unsigned lane = 0; lane < COUNT; lane++)
        memcpy(data->untouched[lane], work_input(&data->work, lane, 0, 0), sizeof data->untouched[lane]);
    return data;
}

static void free_data(struct data *data)
{
    work_release(&data->work);
    free(data);
}

/* A system value of an invocation, the same whatever register holds it. */
static uint32_t value_of(unsigned semantic, unsigned lane, unsigned component)
{
    if (semantic == SCH_SEMANTIC_FACE) return (lane / 4) % 3 ? UINT32_MAX : 0;
    return (lane * 5 + semantic + component) % 4;
}

static void fill_values(const struct sch_shader *shader, struct data *data, uint8_t given[VALUES])
{
    struct sch_register_info info = {.size = sizeof info};
    memset(given, 0, VALUES);
    for (uint32_t i = 0; sch_shader_register(shader, SCH_FILE_SYSTEM_VALUE, i, &info); i++) {
        if (info.index >= VALUES || info.semantic == SCH_SEMANTIC_INVOCATIONID) continue;
        given[info.index] = 1;
        for (unsigned lane = 0; lane < COUNT; lane++)
            for (unsigned c = 0; c < 4; c++)
                work_value(&data->work, lane, info.index)[c] = value_of((unsigned)info.semantic, lane, c);
    }
}

/* Window positions have a power of two in w, whose reciprocal is one; faces are 1 or -1, 0, 0, 1. */
static void fill_positions(const struct subject *subject, struct data *data, bool direct3d)
{
    for (size_t i = 0; i < subject->ir->declaration_count; i++) {
        const struct sch_ir_declaration *of = &subject->ir->declarations[i];
        if (of->file != SCH_FILE_INPUT || !of->has_semantic || subject->ir->stage != SCH_STAGE_FRAGMENT) continue;
        for (unsigned lane = 0; lane < COUNT; lane++) {
            uint32_t *at = work_input(&data->work, lane, 0, of->first);
            unsigned power = lane % 5;
            if (of->semantic == SCH_SEMANTIC_POSITION) {
                bool whole = sch_ir_property_value(subject->ir, SCH_PROPERTY_FS_COORD_PIXEL_CENTER, 0) == 1;
                float centre = whole && !direct3d ? 0.0f : 0.5f;
                at[0] = bits(centre + (float)lane);
                at[1] = bits(centre + (float)(lane / 4));
                at[3] = (uint32_t)(direct3d ? 127 + power : 127 - power) << 23;
            } else if (of->semantic == SCH_SEMANTIC_PRIMID) {
                at[0] = value_of(SCH_SEMANTIC_PRIMID, lane, 0);
            } else if (of->semantic == SCH_SEMANTIC_FACE) {
                at[0] = bits(value_of(SCH_SEMANTIC_FACE, lane, 0) ? 1.0f : -1.0f);
                at[1] = at[2] = 0;
                at[3] = bits(1.0f);
            }
        }
    }
}

/* ---- registers: by the names in the signatures ---- */

static const char *name_of(unsigned semantic)
{
    switch (semantic) {
    case SCH_SEMANTIC_POSITION:
        return "SV_Position";
    case SCH_SEMANTIC_CLIPDIST:
        return "SV_ClipDistance";
    case SCH_SEMANTIC_LAYER:
        return "SV_RenderTargetArrayIndex";
    case SCH_SEMANTIC_VIEWPORT_INDEX:
        return "SV_ViewportArrayIndex";
    case SCH_SEMANTIC_PRIMID:
        return "SV_PrimitiveID";
    default:
        return sch_word_by_number(SCH_WORDS_SEMANTIC, semantic)->word;
    }
}

static unsigned find_register(const struct subject *subject, enum sch_file file, const char *name, unsigned index)
{
    struct sch_register_info info = {.size = sizeof info};
    for (uint32_t i = 0; sch_shader_register(subject->raised, file, i, &info); i++)
        if (strcmp(info.semantic_name, name) == 0 && info.semantic_index == index) return info.index;
    return REGISTERS;
}

/* The v# or o# of IN[n] or OUT[n]; REGISTERS: it has none. */
static unsigned register_of(const struct subject *subject, enum sch_file file, const struct sch_ir_declaration *of,
                            unsigned number)
{
    unsigned index = of->semantic_index + (number - of->first);
    if (file == SCH_FILE_INPUT && subject->ir->stage == SCH_STAGE_VERTEX) return number;
    unsigned found = find_register(subject, file, name_of(of->semantic), index);
    if (found < REGISTERS || of->semantic != SCH_SEMANTIC_CLIPDIST) return found;
    unsigned clip = sch_ir_property_value(subject->ir, SCH_PROPERTY_NUM_CLIPDIST_ENABLED, 0) / 4;
    return find_register(subject, file, "SV_CullDistance", index - clip);
}

static void move_inputs(const struct subject *subject, struct data *data)
{
    memset(data->moved, 0, sizeof data->moved);
    for (size_t i = 0; i < subject->ir->declaration_count; i++) {
        const struct sch_ir_declaration *of = &subject->ir->declarations[i];
        for (unsigned n = of->first; of->file == SCH_FILE_INPUT && n <= of->last; n++) {
            unsigned place = register_of(subject, SCH_FILE_INPUT, of, n);
            for (unsigned v = 0; v < COUNT * VERTICES && place < REGISTERS; v++)
                memcpy(data->moved[v / VERTICES][v % VERTICES][place],
                       work_input(&data->work, v / VERTICES, v % VERTICES, n), 16);
        }
    }
}

/* ---- running ---- */

static void bind(const struct subject *subject, const struct work *work, bool direct3d, const struct answers *answers,
                 struct sch_bindings *bindings, struct sch_storage_buffer *buffers, struct sch_storage_buffer *counters,
                 struct sch_image **images)
{
    const size_t bytes = 4 * (size_t)shape.memory_words;
    unsigned shift = direct3d ? subject->first_buffer : 0, image_shift = direct3d ? subject->first_image : 0;
    memset(buffers, 0, BUFFERS * sizeof *buffers);
    for (unsigned b = 0; b + shift < BUFFERS; b++)
        buffers[b + shift] = (struct sch_storage_buffer){answers_memory(answers, b), bytes};
    for (unsigned b = 0; b < COUNTERS; b++) {
        counters[b] = (struct sch_storage_buffer){answers_memory(answers, BUFFERS + b), bytes};
        if (direct3d && subject->first_counter + b < BUFFERS) buffers[subject->first_counter + b] = counters[b];
    }
    *bindings = (struct sch_bindings){.size = sizeof *bindings,
                                      .constants = work->buffers,
                                      .constant_count = shape.constant_buffers,
                                      .buffers = buffers,
                                      .buffer_count = BUFFERS,
                                      .hw_atomics = counters,
                                      .hw_atomic_count = direct3d ? 0 : COUNTERS};
    random_textures_bind(&subject->textures, bindings);
    for (unsigned i = 0; i < RANDOM_IMAGES + 32; i++) images[i] = NULL;
    for (unsigned i = 0; i < subject->textures.image_count && i + image_shift < RANDOM_IMAGES + 32; i++)
        images[i + image_shift] = subject->textures.images[i];
    bindings->images = images;
    bindings->image_count = RANDOM_IMAGES + 32;
}

static void run(struct subject *subject, struct data *data, bool direct3d, struct answers *answers)
{
    static const uint32_t grid[3] = {2, 1, 1};
    const struct sch_shader *shader = direct3d ? subject->lowered : subject->shader;
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_program_options how = {.size = sizeof how, .width = 8};
    struct sch_storage_buffer buffers[BUFFERS], counters[COUNTERS];
    struct sch_image *images[RANDOM_IMAGES + 32];
    struct sch_bindings bindings;
    struct sch_program *program;
    uint8_t given[VALUES];
    answers_reset(answers, &data->work);
    bind(subject, &data->work, direct3d, answers, &bindings, buffers, counters, images);
    fill_values(shader, data, given);
    for (unsigned lane = 0; lane < COUNT; lane++)
        memcpy(work_input(&data->work, lane, 0, 0), data->untouched[lane], sizeof data->untouched[lane]);
    fill_positions(subject, data, direct3d);
    if (direct3d) move_inputs(subject, data);
    random_textures_reset(&subject->textures);
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    if (sch_program_create(subject->context, shader, &how, NULL, &program) != SCH_OK)
        fail_msg("%s: no program", subject->path);
    struct sch_invocations invocations = work_invocations(&data->work, info.stage, answers);
    if (direct3d) invocations.inputs = data->moved[0][0][0];
    invocations.system_value_given = given;
    invocations.system_value_given_bytes = sizeof given;
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .budget = 2000};
    work_run(program, &bindings, &invocations, info.stage == SCH_STAGE_COMPUTE ? grid : NULL, &options, answers);
    sch_program_destroy(program);
}

/* ---- comparing ---- */

/* Which register of the lowered shader has what OUT[n] is. */
static unsigned place_of(const struct subject *subject, const struct sch_ir_declaration *of, unsigned number)
{
    struct sch_register_info info = {.size = sizeof info};
    if (subject->ir->stage != SCH_STAGE_FRAGMENT) return register_of(subject, SCH_FILE_OUTPUT, of, number);
    for (uint32_t i = 0; sch_shader_register(subject->lowered, SCH_FILE_OUTPUT, i, &info); i++)
        if (info.semantic == of->semantic && info.semantic_index == of->semantic_index + (number - of->first))
            return info.index;
    return OUTPUTS;
}

/* The components that mean something: depth, stencil, mask, layer and viewport have one. */
static unsigned components_of(const struct subject *subject, const struct sch_ir_declaration *of)
{
    bool pixel = subject->ir->stage == SCH_STAGE_FRAGMENT;
    if (pixel && of->semantic == SCH_SEMANTIC_POSITION) return 4;
    if (pixel && of->semantic == SCH_SEMANTIC_STENCIL) return 2;
    bool one = of->semantic == SCH_SEMANTIC_SAMPLEMASK || of->semantic == SCH_SEMANTIC_LAYER ||
               of->semantic == SCH_SEMANTIC_VIEWPORT_INDEX || of->semantic == SCH_SEMANTIC_PRIMID;
    return one ? 1 : of->usage_mask;
}

static bool same_register(const struct subject *subject, const struct sch_ir_declaration *of, unsigned number,
                          const uint32_t *a, const uint32_t *b)
{
    unsigned place = place_of(subject, of, number), components = components_of(subject, of);
    for (unsigned c = 0; c < 4 && place < OUTPUTS; c++)
        if (components >> c & 1 && a[4 * number + c] != b[4 * place + c]) return false;
    return place < OUTPUTS;
}

static bool same_outputs(const struct subject *subject, const uint32_t *a, const uint32_t *b, int stream)
{
    for (size_t i = 0; i < subject->ir->declaration_count; i++) {
        const struct sch_ir_declaration *of = &subject->ir->declarations[i];
        if (of->file != SCH_FILE_OUTPUT || (stream >= 0 && of->stream[0] != stream)) continue;
        for (unsigned n = of->first; n <= of->last && n < OUTPUTS; n++)
            if (!same_register(subject, of, n, a, b)) return false;
    }
    return true;
}

static bool same(const struct subject *subject, const struct answers *a, const struct answers *b)
{
    if (a->result != b->result) return false;
    if (a->result != SCH_OK) return true;
    bool equal = memcmp(a->memory, b->memory, (size_t)shape.memories * shape.memory_words * 4) == 0 &&
                 memcmp(a->killed, b->killed, COUNT) == 0 &&
                 memcmp(a->event_counts, b->event_counts, COUNT * sizeof *a->event_counts) == 0 &&
                 memcmp(a->events, b->events, COUNT * EVENTS * sizeof *a->events) == 0;
    for (unsigned lane = 0; lane < COUNT && equal; lane++) {
        if (subject->ir->stage != SCH_STAGE_GEOMETRY && !a->killed[lane])
            equal = same_outputs(subject, answers_output(a, lane, 0), answers_output(b, lane, 0), -1);
        for (unsigned e = 0; e < a->event_counts[lane] && e < EVENTS && equal; e++)
            if (!(answers_event(a, lane, e) & SCH_EVENT_PRIMITIVE_END))
                equal = same_outputs(subject, answers_event_output(a, lane, e), answers_event_output(b, lane, e),
                                     (int)(answers_event(a, lane, e) & 3));
    }
    return equal;
}

/* ---- one shader ---- */

/* Values between stages have the same register in every shader, but for those that another one's index reached. */
static void check_homes(const struct subject *subject, struct tally *tally)
{
    static const char *const names[] = {"SV_Position", "GENERIC", "COLOR", "TEXCOORD", "FOG", "SV_ClipDistance"};
    static const unsigned homes[] = {0, 1, 30, 22, 21, 19};
    bool vertex = subject->ir->stage == SCH_STAGE_VERTEX, pixel = subject->ir->stage == SCH_STAGE_FRAGMENT;
    struct sch_register_info info = {.size = sizeof info};
    for (unsigned file = vertex ? SCH_FILE_OUTPUT : SCH_FILE_INPUT; file <= (pixel ? SCH_FILE_INPUT : SCH_FILE_OUTPUT);
         file++)
        for (uint32_t i = 0; sch_shader_register(subject->raised, (enum sch_file)file, i, &info); i++)
            for (unsigned n = 0; n < sizeof homes / sizeof *homes; n++) {
                if (strcmp(info.semantic_name, names[n]) != 0) continue;
                tally->values++;
                tally->strangers += info.index != homes[n] + info.semantic_index;
            }
}

/* The listing assembles to the same container, and the container reads back as one that Direct3D's rules accept. */
static void check_forms(const struct subject *subject)
{
    char *text;
    void *data, *again;
    size_t length, bytes, bytes_again;
    struct sch_shader *back, *read;
    assert_int_equal(sch_shader_print(subject->raised, NULL, &text, &length), SCH_OK);
    assert_int_equal(sch_shader_serialize(subject->raised, NULL, &data, &bytes), SCH_OK);
    if (sch_shader_read(subject->context, text, length, NULL, NULL, &back) != SCH_OK)
        fail_msg("%s: the listing does not assemble", subject->path);
    assert_int_equal(sch_shader_serialize(back, NULL, &again, &bytes_again), SCH_OK);
    if (bytes != bytes_again || memcmp(data, again, bytes) != 0)
        fail_msg("%s: the listing assembles to another program", subject->path);
    if (sch_shader_read(subject->context, data, bytes, NULL, NULL, &read) != SCH_OK ||
        sch_shader_check(read, NULL) != SCH_OK)
        fail_msg("%s: the container is refused", subject->path);
    sch_shader_destroy(back);
    sch_shader_destroy(read);
    sch_free(subject->context, text);
    sch_free(subject->context, data);
    sch_free(subject->context, again);
}

static enum reason reason_of_one(const struct sch_ir_instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    bool shadow = in->has_texture && strncmp(sch_word_by_number(SCH_WORDS_TARGET, in->target)->word, "SHADOW", 6) == 0;
    if (in->opcode == SCH_OP_POW || in->opcode == SCH_OP_LIT || in->opcode == SCH_OP_PK2H) return ARITHMETIC;
    if (in->opcode == SCH_OP_LOAD && in->src[0].file == SCH_FILE_IMAGE) return IMAGE;
    if (in->opcode == SCH_OP_SAMPLE_I || in->opcode == SCH_OP_SAMPLE_I_MS) return FETCH;
    if (info->shape == SCH_SHAPE_TEX && shadow) return COMPARISON;
    if (in->opcode == SCH_OP_TG4 && in->offset_count && in->offset[0].file != SCH_FILE_IMMEDIATE) return OFFSET;
    for (unsigned d = 0; d < in->dst_count; d++)
        if (in->dst[d].file == SCH_FILE_TEMPORARY && in->dst[d].index.is_indirect) return ARRAY;
    for (unsigned i = 0; i < in->src_count; i++)
        if (in->src[i].file == SCH_FILE_TEMPORARY && in->src[i].index.is_indirect) return ARRAY;
    return NONE;
}

static enum reason reason_of(const struct subject *subject)
{
    enum reason found = NONE;
    for (size_t i = 0; i < subject->ir->instruction_count; i++) {
        enum reason one = reason_of_one(&subject->ir->instructions[i]);
        if (one && (!found || one < found)) found = one;
    }
    for (size_t i = 0; i < sizeof denormal_texels / sizeof *denormal_texels && !found; i++)
        if (strstr(subject->path, denormal_texels[i])) found = DENORMAL;
    return found;
}

/* Views follow the render targets of a pixel shader, images the buffers. */
static void place_views(struct subject *subject)
{
    enum { ALL_TARGETS = 8 };
    unsigned buffers = 0, targets = 0, images = 0;
    for (size_t i = 0; i < subject->ir->declaration_count; i++) {
        const struct sch_ir_declaration *of = &subject->ir->declarations[i];
        unsigned end = of->semantic_index + of->last - of->first + 1u;
        if (of->file == SCH_FILE_BUFFER && of->last >= buffers) buffers = of->last + 1u;
        if (of->file == SCH_FILE_IMAGE && of->last >= images) images = of->last + 1u;
        if (of->file == SCH_FILE_OUTPUT && of->semantic == SCH_SEMANTIC_COLOR && end > targets) targets = end;
    }
    bool pixel = subject->ir->stage == SCH_STAGE_FRAGMENT;
    if (sch_ir_property_value(subject->ir, SCH_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS, 0)) targets = ALL_TARGETS;
    subject->first_buffer = pixel ? targets : 0;
    subject->first_image = subject->first_buffer + buffers;
    subject->first_counter = subject->first_image + images;
}

static void check_shader(struct subject *subject, struct data *data, struct answers *results, struct tally *tally)
{
    struct sch_shader_info info = {.size = sizeof info};
    tally->programs++;
    if (sch_shader_raise(subject->shader, NULL, &subject->raised) != SCH_OK) return;
    tally->translated++;
    check_forms(subject);
    check_homes(subject, tally);
    if (sch_shader_lower(subject->raised, NULL, &subject->lowered) != SCH_OK)
        fail_msg("%s: the translation does not lower", subject->path);
    assert_int_equal(sch_shader_get_info(subject->shader, &info), SCH_OK);
    random_textures_make(subject->context, subject->ir, info.hash, &subject->textures);
    place_views(subject);
    run(subject, data, false, &results[0]);
    random_textures_agree(&subject->textures, true);
    run(subject, data, true, &results[1]);
    bool equal = same(subject, &results[0], &results[1]) &&
                 (random_textures_agree(&subject->textures, false) || results[0].result != SCH_OK);
    tally->same += equal;
    tally->unfinished += results[0].result != SCH_OK;
    enum reason reason = equal ? NONE : reason_of(subject);
    if (!equal) tally->differ[reason]++;
    if (!equal && !reason) print_message("# %s differs\n", subject->path);
    random_textures_release(&subject->textures);
}

static void check_file(const char *path, struct data *data, struct answers *results, struct tally *tally)
{
    struct subject subject = {.path = path};
    size_t bytes;
    char *text = load_file(path, &bytes);
    struct reading reading = read_text(text, bytes);
    assert_int_equal(sch_context_create(NULL, &subject.context), SCH_OK);
    assert_int_equal(sch_shader_read(subject.context, text, bytes, NULL, NULL, &subject.shader), SCH_OK);
    subject.ir = reading.shader;
    check_shader(&subject, data, results, tally);
    sch_shader_destroy(subject.lowered);
    sch_shader_destroy(subject.raised);
    sch_shader_destroy(subject.shader);
    sch_context_destroy(subject.context);
    release(&reading);
    free(text);
}

static void check_texts(char **paths, size_t count, struct tally tallies[STAGES])
{
    struct data *data = make_data();
    struct answers results[2];
    for (unsigned n = 0; n < 2; n++) answers_make(&results[n], &shape);
    for (size_t i = 0; i < count; i++)
        for (unsigned s = 0; s < STAGES; s++)
            if (strstr(paths[i], expected[s].folder)) check_file(paths[i], data, results, &tallies[s]);
    for (unsigned n = 0; n < 2; n++) answers_release(&results[n]);
    free_data(data);
    for (unsigned s = 0; s < STAGES; s++) {
        print_message("# %s %u programs, %u translate, %u give the same bits (%u of them without running to the end)\n",
                      expected[s].folder, tallies[s].programs, tallies[s].translated, tallies[s].same,
                      tallies[s].unfinished);
        for (unsigned reason = ARITHMETIC; reason < REASONS; reason++)
            if (tallies[s].differ[reason])
                print_message("#   %u others: %s\n", tallies[s].differ[reason], reasons[reason]);
    }
    unsigned values = 0, strangers = 0;
    for (unsigned s = 0; s < STAGES; s++) {
        values += tallies[s].values;
        strangers += tallies[s].strangers;
    }
    print_message("# %u of %u values between stages have another register than their own\n", strangers, values);
    if (count && !is_own_text(paths[0])) assert_int_equal(strangers, STRANGERS);
}

static void own_shaders_become_direct3d_and_run_the_same(void **state)
{
    (void)state;
    size_t own = 0, count;
    char **paths = corpus_texts(&count);
    struct tally tallies[STAGES] = {0};
    random_textures_rule(SCH_RULES_D3D);
    while (own < count && is_own_text(paths[own])) own++;
    check_texts(paths, own, tallies);
    free_texts(paths, count);
    for (unsigned s = 0; s < STAGES; s++) {
        assert_int_equal(tallies[s].translated, expected[s].own.translated);
        assert_int_equal(tallies[s].same, expected[s].own.same);
        assert_int_equal(tallies[s].differ[NONE], 0);
    }
}

static void captured_shaders_become_direct3d_and_run_the_same(void **state)
{
    (void)state;
    size_t count;
    char **paths = captured_texts(&count);
    struct tally tallies[STAGES] = {0};
    random_textures_rule(SCH_RULES_D3D);
    check_texts(paths, count, tallies);
    for (unsigned s = 0; count && s < STAGES; s++) {
        assert_int_equal(tallies[s].translated, expected[s].captured.translated);
        assert_int_equal(tallies[s].same, expected[s].captured.same);
        assert_int_equal(tallies[s].differ[NONE], 0);
    }
    free_texts(paths, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_shaders_become_direct3d_and_run_the_same),
                                       cmocka_unit_test(captured_shaders_become_direct3d_and_run_the_same)};
    return cmocka_run_group_tests_name("d3d raise runs", tests, NULL, NULL);
}
