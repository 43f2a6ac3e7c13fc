/* Texture lookups lowered to Maxwell code answer as the direct path does, with rules = maxwell: random lookups of each
 * opcode on random textures and sampler states, bit for bit, at every width; and the programs of the corpora. What the
 * instructions themselves compute is tested elsewhere (test_maxwell_*.c). */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/api_program.h"
#include "../support/counting.h"
#include "../support/random_textures.h"
#include "../support/sanitized.h"
#include "../tgsi/tgsi_support.h"

enum { COUNT = 64, INPUTS = 4, CASES = 10000, LONG_CASES = 1000000, TEXT = 2048 };

static uint64_t seed = 1;

static uint32_t next(void) /* splitmix64 */ { return (uint32_t)(random_number(&seed) >> 32); }

static uint32_t below(uint32_t limit) { return (uint32_t)((uint64_t)next() * limit >> 32); }
static bool one_in(uint32_t n) { return below(n) == 0; }

/* ---- random lookups ---- */

/* How an opcode is written: `operands` behind the destination, with C the coordinates, G gradients, V a value, K a
 * component, S the sampler, T the view of a SAMPLE opcode, whose target is its declaration's. The targets are those
 * that the opcode has Maxwell code for. */
struct form {
    const char *opcode, *operands, *targets;
    bool integers, offsets;
};

static const struct form forms[] = {
    {"TXQ", "VS", "BUFFER 1D 2D 3D CUBE RECT 1D_ARRAY 2D_ARRAY CUBEARRAY 2D_MSAA 2D_ARRAY_MSAA", true, false},
    {"TXQS", "S", "2D_MSAA 2D_ARRAY_MSAA", true, false},
    {"LODQ", "CS", "1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY RECT", false, false},
    {"TXF", "CS", "BUFFER 1D 2D 3D RECT 1D_ARRAY 2D_ARRAY 2D_MSAA 2D_ARRAY_MSAA CUBE CUBEARRAY", true, true},
    {"TEX", "CS",
     "1D 2D 3D CUBE RECT SHADOW1D SHADOW2D SHADOWRECT 1D_ARRAY 2D_ARRAY SHADOW1D_ARRAY SHADOW2D_ARRAY SHADOWCUBE "
     "CUBEARRAY",
     false, true},
    {"TXP", "CS", "1D 2D 3D RECT SHADOW1D SHADOW2D SHADOWRECT", false, true},
    {"TXL", "CS", "1D 2D 3D CUBE SHADOW1D SHADOW2D 1D_ARRAY 2D_ARRAY SHADOW1D_ARRAY", false, true},
    {"TXL2", "CVS", "CUBEARRAY SHADOWCUBE SHADOW2D_ARRAY", false, true},
    {"TXB", "CS", "1D 2D 3D CUBE SHADOW1D SHADOW2D 1D_ARRAY 2D_ARRAY SHADOW1D_ARRAY", false, true},
    {"TXB2", "CVS", "CUBEARRAY SHADOWCUBE SHADOW2D_ARRAY", false, true},
    {"TG4", "CKS", "2D 2D_ARRAY CUBE CUBEARRAY RECT", false, true},
    {"TXD", "CGGS", "1D 2D 1D_ARRAY 2D_ARRAY RECT", false, true},
    {"TXD", "CGGS", "3D CUBE CUBEARRAY", false, true},
    {"TXD", "CGGS", "SHADOW1D SHADOW2D SHADOWRECT SHADOW1D_ARRAY SHADOW2D_ARRAY SHADOWCUBE", false, true},
    {"TXQ", "VS", "SHADOW1D SHADOW2D SHADOWRECT SHADOW1D_ARRAY SHADOW2D_ARRAY SHADOWCUBE SHADOWCUBEARRAY", true, false},
    {"LODQ", "CS", "SHADOW1D SHADOW2D SHADOWRECT SHADOW1D_ARRAY SHADOW2D_ARRAY SHADOWCUBE SHADOWCUBEARRAY", false,
     false},
    {"TXF_LZ", "CS", "BUFFER 1D 2D 3D RECT 1D_ARRAY 2D_ARRAY 2D_MSAA 2D_ARRAY_MSAA CUBE CUBEARRAY", true, true},
    {"TEX_LZ", "CS", "1D 2D 3D CUBE RECT SHADOW1D SHADOW2D SHADOWRECT 1D_ARRAY 2D_ARRAY SHADOW2D_ARRAY CUBEARRAY",
     false, true},
    {"TEX2", "CVS", "SHADOWCUBEARRAY SHADOW2D CUBEARRAY", false, true},
    {"TG4", "CKS", "SHADOW2D SHADOW2D_ARRAY SHADOWCUBE SHADOWRECT", false, true},
    {"TG4", "CVS", "SHADOWCUBEARRAY", false, true},
    {"TG4", "CS", "2D CUBE SHADOW2D SHADOW2D_ARRAY", false, true},
    {"SAMPLE", "CTS", "1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY", false, true},
    {"SAMPLE_B", "CTSV", "1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY", false, true},
    {"SAMPLE_C", "CTSG", "1D 2D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY", false, true},
    {"SAMPLE_C_LZ", "CTSG", "1D 2D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY", false, true},
    {"SAMPLE_L", "CTSG", "1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY", false, true},
    {"SAMPLE_D", "CTSGG", "1D 2D 3D CUBE CUBEARRAY 1D_ARRAY 2D_ARRAY", false, true},
    {"SAMPLE_I", "CT", "BUFFER 1D 2D 3D 1D_ARRAY 2D_ARRAY", true, true},
    {"SAMPLE_I_MS", "CTV", "2D_MSAA 2D_ARRAY_MSAA 2D", true, true},
    {"GATHER4", "CTS", "2D 2D_ARRAY CUBE CUBEARRAY", false, true},
    {"SVIEWINFO", "VT", "BUFFER 1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY 2D_MSAA 2D_ARRAY_MSAA", true, false},
    {"SAMPLE_INFO", "TV", "2D_MSAA 2D_ARRAY_MSAA 2D", true, false},
    {"SAMPLE_POS", "TV", "2D_MSAA 2D_ARRAY_MSAA 2D", true, false},
    {"LOD", "CTS", "1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY CUBEARRAY", false, false},
};

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...)
{
    size_t at = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + at, TEXT - at, format, arguments);
    va_end(arguments);
}

/* One of the words of a list. */
static void choose_word(const char *words, char word[32])
{
    unsigned count = 1;
    for (const char *at = words; (at = strchr(at, ' ')); at++) count++;
    for (unsigned skip = below(count); skip; skip--) words = strchr(words, ' ') + 1;
    snprintf(word, 32, "%.*s", (int)strcspn(words, " "), words);
}

static void append_mask(char *text)
{
    unsigned mask = one_in(3) ? 15 : 1 + below(15);
    append(text, ".");
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) append(text, "%c", "xyzw"[c]);
}

static const char *const components[4] = {"xxxx", "yyyy", "zzzz", "wwww"};

static void append_lookup(char *text, const struct form *form, const char *target, bool indirect)
{
    append(text, "%s%s OUT[0]", form->opcode, !form->integers && one_in(8) ? "_SAT" : "");
    append_mask(text);
    for (const char *at = form->operands; *at; at++) {
        if (*at == 'C') append(text, one_in(4) ? ", -IN[0]" : ", IN[0]");
        if (*at == 'V') append(text, one_in(4) ? ", IMM[1].xxxx" : ", IN[1]");
        if (*at == 'G') append(text, at[1] == 'G' ? ", IN[2]" : ", IN[3]");
        if (*at == 'K') append(text, ", IMM[1].%s", components[below(4)]);
        if (*at == 'T') append(text, ", SVIEW[%u]", below(3));
        if (*at == 'S') append(text, indirect ? ", SAMP[ADDR[0].x+1](1)" : ", SAMP[%u]", below(3));
    }
    if (!strchr(form->operands, 'T')) append(text, ", %s", target);
    if (!form->offsets || one_in(2)) return;
    bool four = strcmp(form->opcode, "TG4") == 0 && one_in(2);
    for (unsigned n = 0; n < (four ? 4 : 1); n++)
        append(text, ", %s[%u].xyz", one_in(4) ? "TEMP" : "IMM", 2 + below(2));
}

/* What stands around the lookup, and where lanes of a quad may not share it. */
static const struct {
    const char *before, *after;
} around[] = {{"", ""},
              {"", ""},
              {"UIF TEMP[0].xxxx\n", "ENDIF\n"},
              {"SWITCH TEMP[0].xxxx\nCASE IMM[1].yyyy\n", "BRK\nENDSWITCH\n"},
              {"BGNLOOP\n", "UIF TEMP[0].xxxx\nBRK\nENDIF\nMOV TEMP[0].x, IMM[1].yyyy\nENDLOOP\n"},
              {"BGNLOOP\nUIF TEMP[0].xxxx\nBRK\nENDIF\nMOV TEMP[0].x, IMM[1].yyyy\nENDLOOP\n", ""},
              {"UIF TEMP[0].xxxx\nRET\nENDIF\n", ""},
              {"KILL_IF -IN[1].xxxx\n", ""},
              {"UIF TEMP[0].xxxx\nDEMOTE\nENDIF\n", ""}};

/* A program of one lookup; inside a condition that lanes of a quad may not share, or with a sampler that a register
 * names. The constants of offsets fit four bits. */
static void write_program(char text[TEXT], const struct form *form)
{
    char target[32];
    bool indirect = one_in(6);
    unsigned nested = below(sizeof around / sizeof *around);
    choose_word(form->targets, target);
    strcpy(text, "FRAG\n");
    for (unsigned n = 0; n < INPUTS; n++) append(text, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", n, n);
    /* Without a sampler nothing says that the direct path has Maxwell's rules: texels of which no rule tells then. */
    bool no_depth = !strchr(form->operands, 'S') || (form->integers && one_in(3));
    append(text, "DCL OUT[0], COLOR\nDCL SAMP[0..2]\nDCL SVIEW[0..2], %s, %s\n", target, no_depth ? "SINT" : "FLOAT");
    append(text, "DCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] FLT32 {0.5, 2.0, 0.0, 1.0}\nIMM[1] UINT32 {0, 1, 2, 3}\n");
    for (unsigned n = 2; n < 4; n++)
        append(text, "IMM[%u] INT32 {%d, %d, %d, 0}\n", n, (int)below(13) - 8, (int)below(13) - 8, (int)below(13) - 8);
    append(text, "MOV TEMP[2], IMM[2]\nAND TEMP[3], IN[1], IMM[1].wwww\nUADD TEMP[3], TEMP[3], IMM[2]\n");
    append(text, "AND TEMP[0].x, IN[1].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[0].xxxx\n");
    append(text, "%s", around[nested].before);
    append_lookup(text, form, target, indirect);
    append(text, "\n%sEND\n", around[nested].after);
}

/* ---- running ---- */

struct inputs {
    uint32_t words[COUNT][INPUTS][4];
};

/* Near the texture, near zero, small integers, and sometimes anything. */
static uint32_t random_coordinate(bool integers)
{
    if (integers) return one_in(16) ? next() : below(24) - 2;
    switch (below(16)) {
    case 0:
        return next();
    case 1:
        return api_bits((float)(int32_t)below(9) - 4.0f);
    case 2:
        return api_bits((float)below(4096) / 64.0f);
    default:
        return api_bits((float)(int32_t)below(1 << 16) / 16384.0f - 2.0f);
    }
}

/* The lanes of a quad lie near each other, so that levels of detail differ. */
static void fill_inputs(struct inputs *inputs, bool integers)
{
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned r = 0; r < INPUTS; r++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t *word = &inputs->words[i][r][c];
                float step = (float)below(64) / (float)(1u << below(10));
                *word = r == 1 ? below(4) : random_coordinate(integers);
                if (r == 0 && i % 4 && !integers && !one_in(8))
                    *word = api_bits(api_float(inputs->words[i - i % 4][r][c]) + step);
                if (r > 1) *word = api_bits(step - 1.0f);
            }
}

static struct sch_program *program_of(struct sch_context *context, const struct sch_shader *shader,
                                      enum sch_engine engine, unsigned width)
{
    struct sch_program *program = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    enum sch_result result = sch_program_create(context, shader, &options, list, &program);
    assert_true(result == SCH_OK || result == SCH_ERROR_UNSUPPORTED);
    struct sch_diagnostic_info view = {.size = sizeof view};
    for (size_t i = 0; !program && sch_diagnostics_get(list, i, &view); i++) print_error("%s\n", view.message);
    sch_diagnostics_destroy(list);
    return program;
}

/* UNSUPPORTED: 4351, of a comparison with derivatives whose sampler filters along them. */
static enum sch_result run(struct sch_context *context, const struct sch_program *program,
                           const struct random_textures *textures, const struct inputs *inputs, bool quads,
                           uint32_t outputs[COUNT][4])
{
    struct sch_bindings bindings = {.size = sizeof bindings};
    random_textures_bind(textures, &bindings);
    memset(outputs, 0, COUNT * sizeof *outputs);
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .quads = quads,
                                         .inputs = inputs->words[0][0],
                                         .input_bytes = sizeof inputs->words,
                                         .input_registers = INPUTS,
                                         .outputs = outputs[0],
                                         .output_bytes = COUNT * sizeof *outputs,
                                         .output_registers = 1};
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list};
    enum sch_result result = sch_dispatch(program, &bindings, &work, &options, NULL);
    if (result != SCH_OK) {
        assert_int_equal(result, SCH_ERROR_UNSUPPORTED);
        assert_true(sch_diagnostics_get(list, 0, &view));
        assert_int_equal(view.code, 4351);
        assert_true(view.line > 0);
    }
    sch_diagnostics_destroy(list);
    return result;
}

struct tally {
    unsigned cases, different, varied, refused, along; /* along: dispatches that are refused by 4351 */
};

/* A computed level as TMML can say it: S8.8, saturated. The direct path adds biases beyond that. */
static uint32_t s8_8(uint32_t level)
{
    float value = api_float(level);
    return api_bits(value < -128 ? -128.0f : value > 127.99609375f ? 127.99609375f : value);
}

static void compare(const char *text, const struct inputs *inputs, const struct random_textures *textures,
                    struct sch_context *context, const struct sch_shader *shader, struct tally *tally)
{
    uint32_t direct[COUNT][4], lowered[COUNT][4];
    struct sch_program *interpreted = program_of(context, shader, SCH_ENGINE_INTERPRETER, 0);
    struct sch_program *maxwell = program_of(context, shader, SCH_ENGINE_MAXWELL, 4u << below(3));
    assert_non_null(interpreted);
    bool queries_level = strstr(text, "LODQ ") || strstr(text, "LOD ");
    const bool quads = !one_in(4);
    tally->refused += !maxwell;
    for (unsigned i = 0; maxwell && i < 1; i++) {
        assert_int_equal(run(context, interpreted, textures, inputs, quads, direct), SCH_OK);
        if (run(context, maxwell, textures, inputs, quads, lowered) != SCH_OK) {
            assert_non_null(strstr(text, "TXD"));
            assert_non_null(strstr(text, "SHADOW"));
            tally->along++;
            break;
        }
        tally->cases += COUNT;
        tally->varied += memcmp(direct[0], direct[1], sizeof direct[0] * (COUNT - 1)) != 0;
        for (unsigned lane = 0; lane < COUNT; lane++) {
            if (queries_level) direct[lane][1] = s8_8(direct[lane][1]);
            if (memcmp(direct[lane], lowered[lane], sizeof direct[lane]) == 0) continue;
            if (!tally->different++)
                print_error("invocation %u: direct %08x %08x %08x %08x, lowered %08x %08x %08x %08x\n%s", lane,
                            direct[lane][0], direct[lane][1], direct[lane][2], direct[lane][3], lowered[lane][0],
                            lowered[lane][1], lowered[lane][2], lowered[lane][3], text);
        }
    }
    sch_program_destroy(interpreted);
    sch_program_destroy(maxwell);
}

static void try_program(struct sch_context *context, const struct form *form, struct tally *tally)
{
    char text[TEXT];
    struct inputs inputs;
    struct random_textures textures;
    struct sch_shader *shader = NULL;
    write_program(text, form);
    fill_inputs(&inputs, form->integers);
    struct reading reading = read_string(text);
    assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
    random_textures_make(context, reading.shader, seed, &textures);
    compare(text, &inputs, &textures, context, shader, tally);
    random_textures_release(&textures);
    sch_shader_destroy(shader);
    release(&reading);
}

/* "Equal the direct path (with `rules` equal)": 10^4 invocations of each opcode. */
static void lowered_lookups_return_what_direct_ones_do(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    random_textures_rule(SCH_RULES_MAXWELL);
    unsigned different = 0, wanted = getenv("SCH_LONG") ? LONG_CASES : sanitized_share(CASES, 4);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        struct tally tally = {0};
        unsigned programs = 0;
        for (; tally.cases < wanted; programs++) try_program(context, &forms[f], &tally);
        print_message("%-5s %u invocations of %u programs, %u refused, %u programs with varied answers, %u differ\n",
                      forms[f].opcode, tally.cases, programs, tally.refused, tally.varied, tally.different);
        assert_int_equal(tally.refused, 0);
        if (!strstr("TXQS SAMPLE_INFO SAMPLE_POS", forms[f].opcode)) assert_true(tally.varied * 6 > programs);
        if (tally.along) print_message("      %u programs with anisotropy beside comparison\n", tally.along);
        assert_true(tally.along * 2 < programs);
        different += tally.different;
    }
    sch_context_destroy(context);
    assert_int_equal(different, 0);
}

/* Cubes are fetched as arrays of faces: headers of one target then show views of two, and one view two targets. */
static void lookups_of_several_targets_share_a_program(void **state)
{
    (void)state;
    static const char *const lookups[] = {"TXF TEMP[0], IN[1], SAMP[0], 2D_ARRAY\nTXF TEMP[1], IN[1], SAMP[1], CUBE\n",
                                          "TXF TEMP[1], IN[1], SAMP[1], CUBE\nTXF TEMP[0], IN[1], SAMP[0], 2D_ARRAY\n",
                                          "TEX TEMP[0], IN[0], SAMP[1], CUBE\nTXF TEMP[1], IN[1], SAMP[1], CUBE\n",
                                          "TXF TEMP[1], IN[1], SAMP[1], CUBE\nTEX TEMP[0], IN[0], SAMP[1], CUBE\n"};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    random_textures_rule(SCH_RULES_MAXWELL);
    struct tally tally = {0};
    for (size_t n = 0; n < sizeof lookups / sizeof *lookups; n++) {
        char text[TEXT] = "FRAG\n";
        struct inputs inputs;
        struct random_textures textures;
        struct sch_shader *shader = NULL;
        for (unsigned i = 0; i < INPUTS; i++) append(text, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", i, i);
        append(text, "DCL OUT[0], COLOR\nDCL SAMP[0..1]\nDCL SVIEW[0], 2D_ARRAY, UINT\nDCL SVIEW[1], CUBE, UINT\n");
        append(text, "DCL TEMP[0..1]\n%sXOR OUT[0], TEMP[0], TEMP[1]\nEND\n", lookups[n]);
        fill_inputs(&inputs, false);
        struct reading reading = read_string(text);
        assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
        random_textures_make(context, reading.shader, seed, &textures);
        compare(text, &inputs, &textures, context, shader, &tally);
        random_textures_release(&textures);
        sch_shader_destroy(shader);
        release(&reading);
    }
    sch_context_destroy(context);
    assert_int_equal(tally.different, 0);
    assert_int_equal(tally.varied, sizeof lookups / sizeof *lookups);
}

/* Views that are not bound, or show another target, and samplers that are not bound: nothing, on either path. */
static void what_is_not_bound_reads_nothing(void **state)
{
    (void)state;
    static const char *const lookups[] = {"TEX OUT[0], IN[0], SAMP[0], 2D",     "TXF OUT[0], IN[1], SAMP[1], BUFFER",
                                          "TEX OUT[0], IN[0], SAMP[2], CUBE",   "TXF OUT[0], IN[1], SAMP[2], CUBE",
                                          "TXQ OUT[0], IN[1], SAMP[1], BUFFER", "TXQ OUT[0], IN[1], SAMP[0], 2D"};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    random_textures_rule(SCH_RULES_MAXWELL);
    for (size_t n = 0; n < sizeof lookups / sizeof *lookups; n++) {
        char text[TEXT] = "FRAG\n";
        struct inputs inputs;
        struct random_textures textures;
        struct sch_shader *shader = NULL;
        for (unsigned i = 0; i < INPUTS; i++) append(text, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", i, i);
        append(text, "DCL OUT[0], COLOR\nDCL SAMP[0..2]\nDCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], BUFFER, FLOAT\n");
        append(text, "DCL SVIEW[2], CUBE, FLOAT\n%s\nEND\n", lookups[n]);
        fill_inputs(&inputs, false);
        struct reading reading = read_string(text);
        assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
        random_textures_make(context, reading.shader, n, &textures);
        struct sch_program *direct = program_of(context, shader, SCH_ENGINE_INTERPRETER, 0);
        struct sch_program *lowered = program_of(context, shader, SCH_ENGINE_MAXWELL, 0);
        for (unsigned shape = 0; shape < 4 * 4 * 4 * 4; shape++) {
            /* Each view is the first, the second, the third or none; so many of them are bound. */
            uint32_t answers[2][COUNT][4];
            struct sch_view *kept[3], *given[4] = {textures.views[0], textures.views[1], textures.views[2], NULL};
            struct sch_sampler *sampler = textures.samplers[n % 3];
            const uint32_t views = textures.view_count, samplers = textures.sampler_count;
            for (unsigned v = 0; v < 3; v++) kept[v] = textures.views[v];
            for (unsigned v = 0; v < 3; v++) textures.views[v] = given[shape >> 2 * v & 3];
            textures.view_count = 3 - (shape >> 6) % 3;
            textures.sampler_count = 3 - (shape >> 4) % 4;
            if (shape % 5 == 0) textures.samplers[n % 3] = NULL;
            assert_int_equal(run(context, direct, &textures, &inputs, false, answers[0]), SCH_OK);
            assert_int_equal(run(context, lowered, &textures, &inputs, false, answers[1]), SCH_OK);
            if (memcmp(answers[0], answers[1], sizeof answers[0])) fail_msg("%s: views %x", lookups[n], shape);
            for (unsigned v = 0; v < 3; v++) textures.views[v] = kept[v];
            textures.samplers[n % 3] = sampler;
            textures.view_count = views;
            textures.sampler_count = samplers;
        }
        sch_program_destroy(direct);
        sch_program_destroy(lowered);
        random_textures_release(&textures);
        sch_shader_destroy(shader);
        release(&reading);
    }
    sch_context_destroy(context);
}

/* What the bound samplers say of rules counts for the direct path only. */
static void rules_of_samplers_do_not_count(void **state)
{
    (void)state;
    static const enum sch_rules rules[] = {SCH_RULES_MAXWELL, SCH_RULES_TGSI, SCH_RULES_D3D};
    static uint32_t answers[3][COUNT][4];
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (unsigned n = 0; n < 40; n++) {
        char text[TEXT];
        struct inputs inputs;
        struct sch_shader *shader = NULL;
        write_program(text, &forms[4]);
        fill_inputs(&inputs, false);
        struct reading reading = read_string(text);
        assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
        struct sch_program *program = program_of(context, shader, SCH_ENGINE_MAXWELL, 8);
        for (unsigned r = 0; r < 3; r++) {
            struct random_textures textures;
            random_textures_rule(rules[r]);
            random_textures_make(context, reading.shader, seed, &textures);
            assert_int_equal(run(context, program, &textures, &inputs, true, answers[r]), SCH_OK);
            assert_memory_equal(answers[r], answers[0], sizeof answers[0]);
            random_textures_release(&textures);
        }
        sch_program_destroy(program);
        sch_shader_destroy(shader);
        release(&reading);
    }
    sch_context_destroy(context);
}

/* ---- memory ---- */

/* Allocations that fail while a program is made and run: of programs of many sizes, so that each kind of object is
 * once the one for which there is no room. */
static void memory_that_is_out(void **state)
{
    (void)state;
    random_textures_rule(SCH_RULES_MAXWELL);
    for (unsigned lookups = 1; lookups < 24; lookups++) {
        struct counting counting = {0};
        const struct sch_allocator memory = counting_callbacks(&counting);
        const struct sch_context_options options = {.size = sizeof options, .memory = &memory};
        struct sch_context *context = NULL;
        struct sch_shader *shader = NULL;
        struct random_textures textures;
        char text[TEXT] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n";
        append(text, "DCL SAMP[0..%u]\nDCL SVIEW[0..%u], 2D, FLOAT\n", lookups - 1, lookups - 1);
        for (unsigned n = 0; n < lookups; n++) append(text, "TEX OUT[0], IN[0], SAMP[%u], 2D\n", n);
        append(text, "END\n");
        assert_int_equal(sch_context_create(&options, &context), SCH_OK);
        assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
        struct reading reading = read_string(text);
        random_textures_make(context, reading.shader, 7, &textures);
        struct sch_bindings bindings = {.size = sizeof bindings};
        random_textures_bind(&textures, &bindings);
        const long live = counting.live;
        enum sch_result result = SCH_ERROR_MEMORY;
        for (long refused = 1; result != SCH_OK; refused++) {
            uint32_t words[8][4] = {{0}};
            const struct sch_invocations work = {.size = sizeof work,
                                                 .count = 4,
                                                 .inputs = words[0],
                                                 .input_bytes = 4 * sizeof *words,
                                                 .input_registers = 1,
                                                 .outputs = words[4],
                                                 .output_bytes = 4 * sizeof *words,
                                                 .output_registers = 1};
            const struct sch_program_options how = {.size = sizeof how, .engine = SCH_ENGINE_MAXWELL};
            struct sch_program *program = NULL;
            counting.fail_at = counting.calls + refused;
            result = sch_program_create(context, shader, &how, NULL, &program);
            if (result == SCH_OK) result = sch_dispatch(program, &bindings, &work, NULL, NULL);
            if (result != SCH_OK) assert_int_equal(result, SCH_ERROR_MEMORY);
            sch_program_destroy(program);
            assert_int_equal(counting.live, live);
        }
        counting.fail_at = 0;
        random_textures_release(&textures);
        release(&reading);
        sch_shader_destroy(shader);
        sch_context_destroy(context);
    }
}

/* ---- translations ---- */

static void lookups_become_these_instructions(void **state)
{
    (void)state;
    static const struct {
        enum sch_result result;
        const char *shader, *code;
    } cases[] = {
#define CASE(result, shader, code) {result, shader, code},
#include "maxwell_translations.def"
#undef CASE
    };
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_shader *shader = NULL;
        const struct sch_translate_options options = {.size = sizeof options, .to = SCH_TRANSLATE_MAXWELL};
        char *code = NULL;
        size_t bytes;
        assert_int_equal(sch_shader_read(context, cases[i].shader, strlen(cases[i].shader), NULL, NULL, &shader),
                         SCH_OK);
        assert_int_equal(sch_shader_translate(shader, &options, NULL, &code, &bytes), cases[i].result);
        assert_string_equal(code, cases[i].code);
        assert_int_equal(bytes, strlen(code));
        sch_free(context, code);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* ---- programs of the corpora ---- */

struct census {
    unsigned programs, lookups, refused;
};

static void count_lookups(struct sch_context *context, const char *text, size_t bytes, struct census *census)
{
    struct sch_shader *shader = NULL;
    struct sch_translate_options options = {.size = sizeof options, .to = SCH_TRANSLATE_MAXWELL};
    char *code = NULL;
    assert_int_equal(sch_shader_read(context, text, bytes, NULL, NULL, &shader), SCH_OK);
    enum sch_result result = sch_shader_translate(shader, &options, NULL, &code, NULL);
    assert_true(result == SCH_OK || result == SCH_ERROR_UNSUPPORTED);
    assert_non_null(code);
    const char *summary = strstr(code, " lookups: ");
    assert_non_null(summary);
    while (summary[-1] >= '0' && summary[-1] <= '9') summary--;
    unsigned lookups, lowered, refused;
    assert_int_equal(sscanf(summary, "%u lookups: %u lowered, %u refused", &lookups, &lowered, &refused), 3);
    assert_int_equal(lowered + refused, lookups);
    assert_int_equal(result == SCH_ERROR_UNSUPPORTED, refused > 0);
    census->programs++;
    census->lookups += lookups;
    census->refused += refused;
    sch_free(context, code);
    sch_shader_destroy(shader);
}

/* Of our own, which have each lookup with each of its targets, all lower. "The
 * captured corpus: at least 95 % of its lookups lower." */
static void lookups_of_programs_lower(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    struct census own = {0}, captured = {0};
    size_t count, bytes;
    char **paths = corpus_texts(&count);
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t n = 0; n < count; n++) {
        char *text = load_file(paths[n], &bytes);
        assert_non_null(text);
        count_lookups(context, text, bytes, is_own_text(paths[n]) ? &own : &captured);
        free(text);
    }
    free_texts(paths, count);
    sch_context_destroy(context);
    print_message("%u own programs, %u lookups, %u have no Maxwell code\n", own.programs, own.lookups, own.refused);
    print_message("%u captured programs, %u lookups, %u have no Maxwell code\n", captured.programs, captured.lookups,
                  captured.refused);
    assert_int_equal(own.refused, 0);
    assert_true(captured.refused * 20 <= captured.lookups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowered_lookups_return_what_direct_ones_do),
        cmocka_unit_test(lookups_of_several_targets_share_a_program),
        cmocka_unit_test(what_is_not_bound_reads_nothing),
        cmocka_unit_test(rules_of_samplers_do_not_count),
        cmocka_unit_test(memory_that_is_out),
        cmocka_unit_test(lookups_become_these_instructions),
        cmocka_unit_test(lookups_of_programs_lower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
