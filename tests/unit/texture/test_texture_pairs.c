/* Which target each texture and image opcode takes: asked of the library with one small program for every pair, and
 * compared with docs/texture-refused.md both ways. Every pair that is accepted runs, with a texture and without.
 * Through the public headers alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

enum { LARGEST = 1 << 18, TARGETS = 32, CODES = 8, SIZE = 6, LAYERS = 12, BYTES = 4 };
enum { FIRST_WARNING = 2570, LAST_WARNING = 2579 }; /* of lookups; others are about declarations */

/* An opcode's name ends at a hyphen, behind which the document's word for its form stands.
 *
 * How a pair is written: DIRECT has the target behind its operands, VIEW takes that of a view's declaration, IMAGE that
 * of an image's. The operands begin behind the opcode's name. */
enum way { DIRECT, VIEW, IMAGE };

static const struct subject {
    const char *name;
    enum way way;
    const char *operands;
} subjects[] = {
    {"TEX", DIRECT, "TEMP[0], IN[0], SAMP[0]"},
    {"TEX2", DIRECT, "TEMP[0], IN[0], IN[1], SAMP[0]"},
    {"TXP", DIRECT, "TEMP[0], IN[0], SAMP[0]"},
    {"TXB", DIRECT, "TEMP[0], IN[0], SAMP[0]"},
    {"TXB2", DIRECT, "TEMP[0], IN[0], IN[1], SAMP[0]"},
    {"TXL", DIRECT, "TEMP[0], IN[0], SAMP[0]"},
    {"TXL2", DIRECT, "TEMP[0], IN[0], IN[1], SAMP[0]"},
    {"TEX_LZ", DIRECT, "TEMP[0], IN[0], SAMP[0]"},
    {"TXD", DIRECT, "TEMP[0], IN[0], IN[1], IN[1], SAMP[0]"},
    {"TXF", DIRECT, "TEMP[0], IMM[0], SAMP[0]"},
    {"TXF_LZ", DIRECT, "TEMP[0], IMM[0], SAMP[0]"},
    {"TXQ", DIRECT, "TEMP[0], IMM[0].xxxx, SAMP[0]"},
    {"TXQS", DIRECT, "TEMP[0], SAMP[0]"},
    {"TG4", DIRECT, "TEMP[0], IN[0], IMM[0].xxxx, SAMP[0]"},
    {"TG4-short", DIRECT, "TEMP[0], IN[0], SAMP[0]"}, /* "component is encoded in sampler swizzle" */
    {"LODQ", DIRECT, "TEMP[0], IN[0], SAMP[0]"},
    {"SAMP2HND", DIRECT, "TEMP[0], SAMP[0]"},
    {"SAMPLE", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0]"},
    {"SAMPLE_B", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"SAMPLE_C", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"SAMPLE_C_LZ", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"SAMPLE_D", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1], IN[1]"},
    {"SAMPLE_L", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"SAMPLE_I", VIEW, "TEMP[0], IMM[0], SVIEW[0]"},
    {"SAMPLE_I_MS", VIEW, "TEMP[0], IMM[0], SVIEW[0], IMM[0].xxxx"},
    {"GATHER4", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0]"},
    {"GATHER4_C", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"GATHER4_PO", VIEW, "TEMP[0], IN[0], IMM[0], SVIEW[0], SAMP[0]"},
    {"GATHER4_PO_C", VIEW, "TEMP[0], IN[0], IMM[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"SAMPLE_CL", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx"},
    {"SAMPLE_B_CL", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx, IN[1].xxxx"},
    {"SAMPLE_C_CL", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx, IN[1].xxxx"},
    {"SAMPLE_D_CL", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[1], IN[1]"},
    {"SVIEWINFO", VIEW, "TEMP[0], IMM[0].xxxx, SVIEW[0]"},
    {"SAMPLE_POS", VIEW, "TEMP[0], SVIEW[0], IMM[0].xxxx"},
    {"SAMPLE_INFO", VIEW, "TEMP[0], SVIEW[0], IMM[0].xxxx"},
    {"LOD", VIEW, "TEMP[0], IN[0], SVIEW[0], SAMP[0]"},
    {"LOAD", IMAGE, "TEMP[0], IMAGE[0], IMM[0]"},
    {"STORE", IMAGE, "IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"RESQ", IMAGE, "TEMP[0], IMAGE[0]"},
    {"IMG2HND", IMAGE, "TEMP[0], IMAGE[0]"},
    {"ATOMUADD", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMFADD", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMXCHG", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMCAS", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx, IMM[0].xxxx"},
    {"ATOMAND", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMOR", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMXOR", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMUMIN", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMUMAX", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMIMIN", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMIMAX", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMINC_WRAP", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
    {"ATOMDEC_WRAP", IMAGE, "TEMP[0].x, IMAGE[0], IMM[0], IMM[1].xxxx"},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static struct sch_name_info targets[TARGETS];
static unsigned target_count;

/* The numbers of what is reported of a pair: errors, or where there is none the warnings of lookups. */
struct verdict {
    bool refused;
    unsigned codes[CODES], count;
};
static struct verdict verdicts[SUBJECTS][TARGETS];

/* ---- the library's word ---- */

static void write_program(char *text, size_t bytes, const struct subject *subject, const char *target)
{
    char declared[128] = "", suffix[64] = "";
    if (subject->way == DIRECT) snprintf(suffix, sizeof suffix, ", %s", target);
    if (subject->way == VIEW) snprintf(declared, sizeof declared, "DCL SVIEW[0], %s, FLOAT\n", target);
    if (subject->way == IMAGE)
        snprintf(declared, sizeof declared, "DCL IMAGE[0], %s, PIPE_FORMAT_R32_UINT, WR\n", target);
    snprintf(
        text, bytes,
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n"
        "DCL SAMP[0]\nDCL TEMP[0]\n%sIMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] UINT32 {1, 1, 1, 1}\n%.*s %s%s\nMOV OUT[0], "
        "TEMP[0]\nEND\n",
        declared, (int)strcspn(subject->name, "-"), subject->name, subject->operands, suffix);
}

static struct sch_shader *read_pair(struct sch_context *context, const struct subject *subject, const char *target)
{
    char text[1024];
    struct sch_shader *shader = NULL;
    write_program(text, sizeof text, subject, target);
    if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("not read:\n%s", text);
    return shader;
}

static void add_code(struct verdict *verdict, unsigned code)
{
    for (unsigned i = 0; i < verdict->count; i++)
        if (verdict->codes[i] == code) return;
    assert_true(verdict->count < CODES);
    verdict->codes[verdict->count++] = code;
}

static void check_pair(struct sch_context *context, const struct subject *subject, const char *target,
                       struct verdict *verdict)
{
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    struct sch_shader *shader = read_pair(context, subject, target);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    enum sch_result result = sch_shader_check(shader, list);
    assert_true(result == SCH_OK || result == SCH_ERROR_INVALID);
    *verdict = (struct verdict){.refused = result != SCH_OK};
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        bool warns = view.severity != SCH_SEVERITY_ERROR && view.code >= FIRST_WARNING && view.code <= LAST_WARNING;
        if (verdict->refused ? view.severity == SCH_SEVERITY_ERROR : warns) add_code(verdict, view.code);
    }
    assert_true(!verdict->refused || verdict->count > 0);
    sch_diagnostics_destroy(list);
    sch_shader_destroy(shader);
}

static int check_all(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    const struct sch_warning_options all = {.size = sizeof all, .pedantic = true};
    const struct sch_context_options options = {.size = sizeof options, .warnings = &all};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    for (unsigned i = 0; i < TARGETS; i++) targets[i].size = sizeof targets[i];
    while (target_count < TARGETS && sch_table_name(SCH_NAMES_TARGETS, target_count, &targets[target_count]))
        target_count++;
    for (unsigned s = 0; s < SUBJECTS; s++)
        for (unsigned t = 0; t < target_count; t++) check_pair(context, &subjects[s], targets[t].word, &verdicts[s][t]);
    sch_context_destroy(context);
    return 0;
}

/* Every opcode that names a sampler, view or image (an R in its signature) is asked, but those that name an input
 * (INTERP_*) or an output (FBFETCH): these have no target. */
static void every_opcode_is_tried(void **state)
{
    (void)state;
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    unsigned found = 0;
    for (size_t i = 0; sch_table_opcode(i, &opcode); i++) {
        bool named = strchr(opcode.signature, 'R') || strstr(opcode.name, "2HND");
        if (!named || !strncmp(opcode.name, "INTERP_", 7) || !strcmp(opcode.name, "FBFETCH")) continue;
        unsigned s = 0;
        while (s < SUBJECTS && strcmp(subjects[s].name, opcode.name) != 0) s++;
        if (s == SUBJECTS) fail_msg("%s is not asked", opcode.name);
        found++;
    }
    assert_int_equal(found, SUBJECTS - 1); /* TG4 has two forms */
    assert_int_equal(target_count, 19);
}

/* ---- the document ---- */

static char *read_document(void)
{
    const char *source = getenv("SCH_SOURCE");
    if (!source) return NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/texture-refused.md", source);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s", path);
    char *text = calloc(1, LARGEST);
    assert_non_null(text);
    size_t bytes = fread(text, 1, LARGEST - 1, file);
    fclose(file);
    char *to = text; /* without the backslashes before underscores */
    for (size_t i = 0; i < bytes; i++)
        if (text[i] != '\\') *to++ = text[i];
    *to = 0;
    return text;
}

/* Cell `cell` of a table's row, in place; the row ends where the line does. */
static bool take_cell(const char *row, unsigned cell, char *to, size_t bytes)
{
    const char *at = row;
    for (unsigned i = 0; i <= cell; i++) {
        at = strchr(at, '|');
        if (!at || memchr(row, '\n', (size_t)(at - row))) return false;
        at++;
    }
    at += strspn(at, " ");
    size_t length = strcspn(at, "|\n");
    while (length && at[length - 1] == ' ') length--;
    if (length >= bytes) fail_msg("a cell is too long: %.*s", (int)length, at);
    memcpy(to, at, length);
    to[length] = 0;
    return true;
}

static bool lists(const char *cell, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = cell; *at;) {
        at += strspn(at, ", ");
        size_t part = strcspn(at, ", ");
        if (part == length && !strncmp(at, word, length)) return true;
        at += part;
    }
    return false;
}

static unsigned count_words(const char *cell)
{
    unsigned count = *cell != 0;
    for (const char *at = cell; (at = strchr(at, ',')); at++) count++;
    return count;
}

/* Every word of a cell is an opcode, or in the next cell a target. */
static void check_words(const char *cell, bool opcodes)
{
    unsigned known = 0;
    for (unsigned i = 0; i < (opcodes ? (unsigned)SUBJECTS : target_count); i++)
        known += lists(cell, opcodes ? subjects[i].name : targets[i].word);
    if (known != count_words(cell)) fail_msg("a word that is no %s: %s", opcodes ? "opcode" : "target", cell);
}

static bool has_code(const struct verdict *verdict, unsigned code)
{
    for (unsigned i = 0; i < verdict->count; i++)
        if (verdict->codes[i] == code) return true;
    return false;
}

/* Marks what one row says; each pair that it names must be reported just so. */
static void check_row(const char *row, bool refused, bool said[SUBJECTS][TARGETS][CODES])
{
    char opcodes[512], names[512], number[16], clause[1024];
    assert_true(take_cell(row, 0, opcodes, sizeof opcodes) && take_cell(row, 1, names, sizeof names));
    assert_true(take_cell(row, 2, number, sizeof number) && take_cell(row, 3, clause, sizeof clause));
    if (strlen(clause) < 20) fail_msg("%s %s: no clause", opcodes, names);
    check_words(opcodes, true);
    check_words(names, false);
    unsigned code = (unsigned)strtoul(number, NULL, 10);
    for (unsigned s = 0; s < SUBJECTS; s++)
        for (unsigned t = 0; t < target_count; t++) {
            if (!lists(opcodes, subjects[s].name) || !lists(names, targets[t].word)) continue;
            const struct verdict *verdict = &verdicts[s][t];
            if (verdict->refused != refused || !has_code(verdict, code))
                fail_msg("the document says %u of %s %s", code, subjects[s].name, targets[t].word);
            for (unsigned i = 0; i < verdict->count; i++) {
                if (verdict->codes[i] != code) continue;
                if (said[s][t][i]) fail_msg("%s %s: %u twice", subjects[s].name, targets[t].word, code);
                said[s][t][i] = true;
            }
        }
}

static unsigned check_list(const char *text, const char *title, bool refused)
{
    static bool said[SUBJECTS][TARGETS][CODES];
    char begin[64], end[64];
    snprintf(begin, sizeof begin, "<!-- begin %s pairs -->", title);
    snprintf(end, sizeof end, "<!-- end %s pairs -->", title);
    const char *at = strstr(text, begin), *stop = strstr(text, end);
    if (!at || !stop || stop < at) fail_msg("the markers of the %s pairs are missing", title);
    memset(said, 0, sizeof said);
    unsigned line = 0;
    for (at = strchr(at, '\n') + 1; at < stop; at = strchr(at, '\n') + 1)
        if (*at == '|' && line++ >= 2) check_row(at, refused, said); /* behind the titles */
    unsigned pairs = 0;
    for (unsigned s = 0; s < SUBJECTS; s++)
        for (unsigned t = 0; t < target_count; t++) {
            const struct verdict *verdict = &verdicts[s][t];
            if (verdict->refused != refused) continue;
            pairs += verdict->count > 0;
            for (unsigned i = 0; i < verdict->count; i++)
                if (!said[s][t][i])
                    fail_msg("the document does not say %u of %s %s", verdict->codes[i], subjects[s].name,
                             targets[t].word);
        }
    return pairs;
}

static void document_lists_them_all(void **state)
{
    (void)state;
    char *text = read_document();
    if (!text) skip();
    unsigned refused = check_list(text, "refused", true), warned = check_list(text, "warned", false);
    printf("# %u pairs: %u refused, %u accepted with a warning\n", SUBJECTS * target_count, refused, warned);
    assert_true(refused > 0 && warned > 0);
    free(text);
}

/* ---- what is accepted runs ---- */

struct bound {
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_image *image;
    struct sch_sampler *sampler;
};

/* A texture of what the target looks into: SHADOW targets into the plain ones, UNKNOWN into 2D. */
static struct sch_resource_options shape_of(const char *word)
{
    bool shadow = !strncmp(word, "SHADOW", 6);
    const char *plain = shadow ? word + 6 : word;
    unsigned number = SCH_TARGET_2D;
    for (unsigned t = 0; t < target_count; t++)
        if (!strcmp(targets[t].word, plain) && strcmp(plain, "UNKNOWN") != 0) number = targets[t].number;
    struct sch_resource_options shape = {.size = sizeof shape, .target = (enum sch_target)number};
    bool one_axis = number == SCH_TARGET_BUFFER || number == SCH_TARGET_1D || number == SCH_TARGET_1D_ARRAY;
    shape.width = SIZE;
    shape.height = one_axis ? 1 : SIZE;
    shape.depth = number == SCH_TARGET_3D ? SIZE : 1;
    if (strstr(plain, "ARRAY")) shape.layers = LAYERS;
    if (number == SCH_TARGET_CUBE) shape.layers = 6;
    if (strstr(plain, "MSAA")) shape.samples = 4;
    return shape;
}

/* Every texel is the same word, which is a float in (1, 2). */
static void bind(struct sch_context *context, const struct subject *subject, const char *target, struct bound *bound)
{
    struct sch_resource_options shape = shape_of(target);
    shape.format = sch_format_by_name(subject->way == IMAGE ? "R32_UINT" : "R32_FLOAT");
    assert_int_equal(sch_resource_create(context, &shape, NULL, &bound->resource), SCH_OK);
    size_t bytes = sch_resource_bytes(bound->resource);
    uint32_t *texels = malloc(bytes);
    assert_non_null(texels);
    for (size_t i = 0; i < bytes / BYTES; i++) texels[i] = 0x3fc00000;
    assert_int_equal(sch_resource_write_all(bound->resource, texels, bytes), SCH_OK);
    free(texels);
    assert_int_equal(sch_view_create(bound->resource, NULL, &bound->view), SCH_OK);
    assert_int_equal(sch_image_create(bound->resource, NULL, &bound->image), SCH_OK);
    const struct sch_sampler_options always = {.size = sizeof always, .compare = SCH_COMPARE_ALWAYS};
    assert_int_equal(sch_sampler_create(context, &always, NULL, &bound->sampler), SCH_OK);
}

static void release(struct bound *bound)
{
    sch_sampler_destroy(bound->sampler);
    sch_image_destroy(bound->image);
    sch_view_destroy(bound->view);
    sch_resource_destroy(bound->resource);
}

static enum sch_result run_one(const struct sch_program *program, const struct bound *bound, uint32_t output[4])
{
    static const uint32_t inputs[2][4] = {{0x3e800000, 0x3e800000, 0x3e800000, 0x3f800000}, {0, 0, 0, 0}};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .views = &bound->view,
                                          .view_count = 1,
                                          .samplers = &bound->sampler,
                                          .sampler_count = 1,
                                          .images = &bound->image,
                                          .image_count = 1};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = 1,
                                         .inputs = inputs[0],
                                         .input_bytes = sizeof inputs,
                                         .input_registers = 2,
                                         .outputs = output,
                                         .output_bytes = 4 * sizeof *output,
                                         .output_registers = 1};
    return sch_dispatch(program, &bindings, &work, NULL, NULL);
}

/* Whether the answer shows that the texture was found: queries of the level of detail may be 0 all the same. */
static bool shows(const struct subject *subject)
{
    return strcmp(subject->name, "LOD") && strcmp(subject->name, "LODQ") && strcmp(subject->name, "STORE");
}

static void run_pair(struct sch_context *context, const struct subject *subject, const char *target)
{
    static const struct bound nothing;
    struct bound bound = {0};
    struct sch_program *program = NULL;
    struct sch_shader *shader = read_pair(context, subject, target);
    uint32_t output[4] = {0};
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    if (run_one(program, &nothing, output) != SCH_OK) fail_msg("%s %s does not run", subject->name, target);
    bind(context, subject, target, &bound);
    memset(output, 0, sizeof output);
    if (run_one(program, &bound, output) != SCH_OK) fail_msg("%s %s does not run", subject->name, target);
    bool answered = output[0] | output[1] | output[2] | output[3];
    if (shows(subject) && !answered) fail_msg("%s %s does not look into its texture", subject->name, target);
    if (!strcmp(subject->name, "STORE")) {
        uint32_t first[SIZE * SIZE * SIZE * LAYERS * 4];
        assert_true(sch_resource_bytes(bound.resource) <= sizeof first);
        assert_int_equal(sch_resource_read_all(bound.resource, first, sch_resource_bytes(bound.resource)), SCH_OK);
        if (first[0] != 1) fail_msg("STORE %s does not write", target);
    }
    release(&bound);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
}

static void accepted_pairs_run(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    unsigned ran = 0;
    for (unsigned s = 0; s < SUBJECTS; s++)
        for (unsigned t = 0; t < target_count; t++) {
            if (verdicts[s][t].refused) continue;
            run_pair(context, &subjects[s], targets[t].word);
            ran++;
        }
    printf("# %u accepted pairs run\n", ran);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_opcode_is_tried),
        cmocka_unit_test(document_lists_them_all),
        cmocka_unit_test(accepted_pairs_run),
    };
    return cmocka_run_group_tests_name("texture_pairs", tests, check_all, NULL);
}
