/* From TGSI to Direct3D, in small programs: every arithmetic opcode with random masks, swizzles, modifiers and operands
 * gives the bits of the original when the translation is lowered and run; listings of one program of each kind; what is
 * refused, by number; and memory that runs out at any place. */
#include "../tgsi/tgsi_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/counting.h"

enum { LANES = 32, INPUTS = 8, OUTPUTS = 4, TEXT = 4096, VARIANTS = 40, BUFFER_WORDS = 64, CONSTANTS = 16 };

struct results {
    enum sch_result result;
    uint32_t outputs[LANES][OUTPUTS][4], memory[BUFFER_WORDS];
    uint8_t killed[LANES];
};

struct data {
    uint32_t inputs[LANES][INPUTS][4], constants[CONSTANTS][4], memory[BUFFER_WORDS];
};

static uint64_t seed;

static unsigned below(unsigned end) { return (unsigned)(random_number(&seed) >> 33) % end; }

static uint32_t bits_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* ---- running ---- */

static void run(struct sch_context *context, const struct sch_shader *shader, const struct data *data,
                struct results *results)
{
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_program *program;
    memset(results, 0, sizeof *results);
    memcpy(results->memory, data->memory, sizeof results->memory);
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    const struct sch_constant_buffer constants = {data->constants, sizeof data->constants};
    const struct sch_storage_buffer buffers = {results->memory, sizeof results->memory};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &constants, .constant_count = 1, .buffers = &buffers, .buffer_count = 1};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = LANES,
                                         .quads = info.stage == SCH_STAGE_FRAGMENT,
                                         .inputs = data->inputs[0][0],
                                         .input_bytes = sizeof data->inputs,
                                         .input_registers = INPUTS,
                                         .outputs = results->outputs[0][0],
                                         .output_bytes = sizeof results->outputs,
                                         .output_registers = OUTPUTS,
                                         .killed = results->killed,
                                         .killed_bytes = sizeof results->killed};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .budget = 4000};
    const uint32_t grid[3] = {2, 1, 1};
    results->result = info.stage == SCH_STAGE_COMPUTE
                          ? sch_dispatch_grid(program, &bindings, grid, NULL, &options, NULL)
                          : sch_dispatch(program, &bindings, &work, &options, NULL);
    sch_program_destroy(program);
}

/* What was read and made of it; `raised` and `lowered` are NULL where it was refused. */
struct made {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader, *raised, *lowered;
    enum sch_result result;
};

static void make(const char *text, struct made *made)
{
    *made = (struct made){0};
    assert_int_equal(sch_context_create(NULL, &made->context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(made->context, &made->list), SCH_OK);
    if (sch_shader_read(made->context, text, strlen(text), NULL, made->list, &made->shader) != SCH_OK)
        fail_msg("not read:\n%s", text);
    made->result = sch_shader_raise(made->shader, made->list, &made->raised);
    if (made->result != SCH_OK) return;
    assert_int_equal(sch_shader_lower(made->raised, made->list, &made->lowered), SCH_OK);
}

static void unmake(struct made *made)
{
    sch_shader_destroy(made->lowered);
    sch_shader_destroy(made->raised);
    sch_shader_destroy(made->shader);
    sch_diagnostics_destroy(made->list);
    sch_context_destroy(made->context);
}

/* The first error's number, 0: none. */
static unsigned first_error(const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    for (size_t i = 0; i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) return view.code;
    return 0;
}

static void list(const struct made *made, char **text)
{
    assert_int_equal(sch_shader_print(made->raised, NULL, text, NULL), SCH_OK);
}

/* ---- arithmetic, one opcode at a time ---- */

static double random_double(void)
{
    double value = ldexp(1.0 + (double)below(1 << 20) / (1 << 20), (int)below(24) - 8);
    return below(2) ? value : -value;
}

/* No denormals and NaN, and zeros of one sign: minimum and maximum choose between zeros differently. */
static uint32_t random_float(bool zeros)
{
    static const float some[] = {1.0f, -1.0f, 0.5f, 2.0f, -3.0f, 31.0f};
    if (zeros && below(8) == 0) return 0;
    if (below(4) == 0) return bits_of(some[below(sizeof some / sizeof *some)]);
    float value = ldexpf(1.0f + (float)below(1 << 20) / (1 << 20), (int)below(12) - 6);
    return bits_of(below(2) ? value : -value);
}

static uint32_t random_integer(void)
{
    static const uint32_t some[] = {0,  1,          2,          3,          7,          31,        32,
                                    33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe};
    if (below(2)) return some[below(sizeof some / sizeof *some)];
    return (uint32_t)random_number(&seed) >> below(32);
}

static void fill_register(uint32_t words[4], char type, bool zeros)
{
    for (unsigned c = 0; c < 4; c++) words[c] = type == 'I' || type == 'U' ? random_integer() : random_float(zeros);
    if (type != 'D') return;
    for (unsigned pair = 0; pair < 2; pair++) {
        double value = random_double();
        memcpy(words + 2 * pair, &value, sizeof value);
    }
}

/* One operand's text: register, swizzle, modifiers. Doubles keep their pairs, mostly in order. */
static int write_source(char *at, size_t room, const struct sch_op_info *info, unsigned source, bool literal)
{
    static const char letters[] = "xyzw";
    static const char *const pairs[] = {"xyzw", "zwxy", "xyxy", "zwzw"};
    char swizzle[5] = {0}, type = info->src_type[source];
    for (unsigned c = 0; c < 4; c++) swizzle[c] = letters[below(4)];
    if (type == 'D') memcpy(swizzle, pairs[below(4)], 4);
    bool power = info->opcode == SCH_OP_POW; /* of a negative base it is a NaN */
    bool absolute = power || below(6) == 0, negate = !power && below(5) == 0;
    return snprintf(at, room, ", %s%s%s[%u].%s%s", negate ? "-" : "", absolute ? "|" : "", literal ? "IMM" : "IN",
                    source, swizzle, absolute ? "|" : "");
}

static void write_literals(char *text, size_t room, const struct sch_op_info *info, bool zeros)
{
    size_t length = strlen(text);
    for (unsigned i = 0; i < info->srcs; i++) {
        uint32_t words[4];
        fill_register(words, info->src_type[i], zeros);
        length += (size_t)snprintf(text + length, room - length, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", i, words[0],
                                   words[1], words[2], words[3]);
    }
}

/* A shader of the opcode over what IN[4] held. */
static void write_opcode(char text[TEXT], const struct sch_op_info *info, bool zeros)
{
    static const char letters[] = "xyzw";
    char mask[5] = {0};
    unsigned written = 1 + below(15), count = 0, literal = below(3 * info->srcs + 1);
    for (unsigned c = 0; c < 4; c++)
        if (written >> c & 1) mask[count++] = letters[c];
    snprintf(text, TEXT, "%s",
             info->flags & SCH_OPF_DERIVATIVE
                 ? "FRAG\nDCL IN[0..4], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                 : "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\nDCL IN[4]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n");
    write_literals(text, TEXT, info, zeros);
    size_t length = strlen(text);
    bool precise = below(4) == 0 && info->opcode != SCH_OP_FMA; /* a precise FMA is refused */
    bool floats = info->dst_type == 'F' || info->dst_type == 'I' || info->dst_type == 'U' || info->dst_type == 'X';
    length += (size_t)snprintf(text + length, TEXT - length, "  0: MOV TEMP[0], IN[4]\n  1: %s%s%s TEMP[0].%s",
                               info->name, floats && below(5) == 0 ? "_SAT" : "", precise ? "_PRECISE" : "", mask);
    for (unsigned i = 0; i < info->srcs; i++)
        length += (size_t)write_source(text + length, TEXT - length, info, i, i == literal);
    snprintf(text + length, TEXT - length, "\n  2: MOV OUT[0], TEMP[0]\n  3: END\n");
}

static bool is_denormal(uint32_t word) { return !(word & 0x7f800000) && word & 0x7fffff; }

/* Flushed results count as equal; POW and LIT are log, mul and exp. */
static bool agrees(const struct sch_op_info *info, uint32_t a, uint32_t b)
{
    if (a == b) return true;
    bool is_float = info->dst_type == 'F';
    if (is_float && is_denormal(a) && !(b << 1)) return true;
    if (info->opcode != SCH_OP_POW && info->opcode != SCH_OP_LIT) return false;
    float x = float_of(a), y = float_of(b);
    if (fabsf(x) < 0x1p-100f && fabsf(y) < 0x1p-100f) return true;
    return isinf(x) || isinf(y) ? fabsf(x) > 0x1p100f && fabsf(y) > 0x1p100f : fabsf(x - y) <= fabsf(x) * 0x1p-10f;
}

static bool is_refused(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

/* What is refused beside all 64-bit integers; docs/d3d.md lists it. */
static const char refused[] = "LDEXP PK2US PK4B PK4UB UP2US UP4B UP4UB DSQRT DRSQ DFRAC DTRUNC DCEIL DFLR DROUND DSSG "
                              "DLDEXP DFRACEXP";

static void check_variant(const struct sch_op_info *info, struct data *data, struct results results[2])
{
    char text[TEXT];
    struct made made;
    bool zeros = info->opcode != SCH_OP_MIN && info->opcode != SCH_OP_MAX;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < 5; i++)
            fill_register(data->inputs[lane][i], i < info->srcs ? info->src_type[i] : 'U', zeros);
    write_opcode(text, info, zeros);
    make(text, &made);
    if (made.result != SCH_OK) fail_msg("%u is reported of\n%s", first_error(made.list), text);
    run(made.context, made.shader, data, &results[0]);
    if (info->flags & SCH_OPF_DERIVATIVE) /* GENERIC[n] is v#n + 1 */
        for (unsigned lane = 0; lane < LANES; lane++)
            memmove(data->inputs[lane][1], data->inputs[lane][0], 5 * sizeof *data->inputs[lane]);
    run(made.context, made.lowered, data, &results[1]);
    assert_int_equal(results[0].result, SCH_OK);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t a = results[0].outputs[lane][0][c], b = results[1].outputs[lane][0][c];
            char *listing;
            if (agrees(info, a, b)) continue;
            list(&made, &listing);
            fail_msg("lane %u, %c: %08x, translated %08x\n%s\n%s", lane, "xyzw"[c], a, b, text, listing);
        }
    unmake(&made);
}

static void every_arithmetic_opcode_computes_the_same(void **state)
{
    (void)state;
    struct data *data = calloc(1, sizeof *data);
    struct results *results = malloc(2 * sizeof *results);
    assert_true(data && results);
    unsigned computed = 0;
    seed = 3;
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *info = sch_op_info(opcode);
        if (!info || !SCH_SHAPE_IS_ARITHMETIC(info->shape) || opcode == SCH_OP_PK2H) continue;
        bool integers = info->section == SCH_SECTION_INT64;
        if (integers || is_refused(info->name, refused)) {
            char text[TEXT];
            struct made made;
            snprintf(text, TEXT,
                     "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\n  0: %s TEMP[0]%s%s%s%s\n  1: END\n",
                     info->name, info->dsts > 1 ? ", TEMP[1]" : "", ", IN[0]", info->srcs > 1 ? ", IN[0]" : "",
                     info->srcs > 2 ? ", IN[0]" : "");
            make(text, &made);
            assert_int_equal(made.result, SCH_ERROR_UNSUPPORTED);
            assert_int_equal(first_error(made.list), 4360);
            unmake(&made);
            continue;
        }
        for (unsigned i = 0; i < VARIANTS; i++) check_variant(info, data, results);
        computed++;
    }
    print_message("# %u opcodes\n", computed);
    assert_true(computed > 90);
    free(data);
    free(results);
}

/* ---- programs ---- */

static const struct {
    const char *name, *text, *listing;
    bool runs;
} cases[] = {
#define RAISE_CASE(name, text, listing)    {#name, text, listing, true},
#define RAISE_LISTING(name, text, listing) {#name, text, listing, false},
#include "d3d_raise_cases.def"
};

static void fill_data(struct data *data)
{
    seed = 5;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < INPUTS; i++)
            for (unsigned c = 0; c < 4; c++)
                data->inputs[lane][i][c] = i == 3 ? (lane + c) % 5 : random_float(true); /* IN[3]: small integers */
    for (unsigned i = 0; i < CONSTANTS; i++) fill_register(data->constants[i], 'F', true);
    for (unsigned i = 0; i < BUFFER_WORDS; i++) data->memory[i] = i * 4 % 60;
}

/* The listing from ".text" on is the expected one, where one is given, and the results are those of the original. */
static void check_case(size_t number, struct data *data, struct results results[2])
{
    struct made made;
    make(cases[number].text, &made);
    if (made.result != SCH_OK) fail_msg("%s: %u", cases[number].name, first_error(made.list));
    char *listing;
    list(&made, &listing);
    const char *body = strstr(listing, ".text\n");
    assert_non_null(body);
    if (*cases[number].listing && strcmp(body + strlen(".text\n"), cases[number].listing) != 0)
        fail_msg("%s is\n%s", cases[number].name, listing);
    run(made.context, made.shader, data, &results[0]);
    run(made.context, made.lowered, data, &results[1]);
    assert_int_equal(results[0].result, SCH_OK);
    if (cases[number].runs && memcmp(&results[0], &results[1], sizeof results[0]) != 0)
        fail_msg("%s gives other results:\n%s", cases[number].name, listing);
    sch_free(made.context, listing);
    unmake(&made);
}

static void programs_are_listed_and_run_the_same(void **state)
{
    (void)state;
    struct data *data = calloc(1, sizeof *data);
    struct results *results = malloc(2 * sizeof *results);
    assert_true(data && results);
    fill_data(data);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(i, data, results);
    free(data);
    free(results);
}

/* FS_COLOR0_WRITES_ALL_CBUFS: also where the program returns early. */
static void one_color_goes_to_all_targets(void **state)
{
    (void)state;
    struct data *data = calloc(1, sizeof *data);
    struct results *results = malloc(2 * sizeof *results);
    struct made made;
    assert_true(data && results);
    fill_data(data);
    make("FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[1], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
         "  0: MOV OUT[0], IN[1]\n  1: IF IN[1].xxxx :0\n  2: RET\n  3: ENDIF\n  4: MOV OUT[0].y, IN[1].wwww\n  5: "
         "END\n",
         &made);
    assert_int_equal(made.result, SCH_OK);
    run(made.context, made.shader, data, &results[0]);
    run(made.context, made.lowered, data, &results[1]);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned target = 0; target < OUTPUTS; target++)
            assert_memory_equal(results[1].outputs[lane][target], results[0].outputs[lane][0], 16);
    unmake(&made);
    free(data);
    free(results);
}

/* ---- refusals ---- */

static const struct {
    unsigned code;
    const char *text;
} refusals[] = {
#define RAISE_REFUSAL(code, text) {code, text},
#include "d3d_raise_cases.def"
};

static void what_direct3d_has_no_word_for_is_refused_by_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct made made;
        make(refusals[i].text, &made);
        if (made.result != SCH_ERROR_UNSUPPORTED || made.raised)
            fail_msg("%s: not refused:\n%s", sch_result_text(made.result), refusals[i].text);
        struct sch_diagnostic_info view = {.size = sizeof view};
        bool found = false;
        for (size_t k = 0; k < sch_diagnostics_count(made.list); k++)
            found = found || (sch_diagnostics_get(made.list, k, &view) && view.code == refusals[i].code);
        if (!found)
            fail_msg("%u, not %u, is reported of\n%s", first_error(made.list), refusals[i].code, refusals[i].text);
        unmake(&made);
    }
}

static void flat_shading_is_a_warning(void **state)
{
    (void)state;
    struct made made;
    struct sch_diagnostic_info view = {.size = sizeof view};
    make("FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n", &made);
    assert_int_equal(made.result, SCH_OK);
    assert_int_equal(sch_diagnostics_count(made.list), 1);
    assert_true(sch_diagnostics_get(made.list, 0, &view));
    assert_int_equal(view.code, 2640);
    assert_int_equal(view.severity, SCH_SEVERITY_WARNING);
    unmake(&made);
}

/* ---- use ---- */

static void arguments_are_checked(void **state)
{
    (void)state;
    struct made made;
    struct sch_shader *none;
    make("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n", &made);
    assert_int_equal(made.result, SCH_OK);
    assert_int_equal(sch_shader_raise(NULL, NULL, &none), SCH_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(sch_shader_raise(made.shader, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_raise(made.raised, NULL, &none), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_language(made.raised), SCH_LANGUAGE_D3D);
    unmake(&made);
    make("VERT\nDCL OUT[0], POSITION\n  0: MOV OUT[0], TEMP[7]\n  1: END\n", &made);
    assert_int_equal(made.result, SCH_ERROR_INVALID);
    unmake(&made);
}

static enum sch_result raise_within(struct counting *counting, const char *text)
{
    struct sch_allocator memory = counting_callbacks(counting);
    struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_context *context;
    struct sch_shader *shader = NULL, *raised = NULL;
    enum sch_result result = sch_context_create(&options, &context);
    if (result != SCH_OK) return result;
    result = sch_shader_read(context, text, strlen(text), NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_shader_raise(shader, NULL, &raised);
    sch_shader_destroy(raised);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    return result;
}

static void every_failing_allocation_is_answered(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct counting counting = {0};
        assert_int_equal(raise_within(&counting, cases[i].text), SCH_OK);
        long calls = counting.calls;
        assert_int_equal(counting.live, 0);
        for (long n = 1; n <= calls; n++) {
            struct counting failing = {.fail_at = n};
            assert_int_equal(raise_within(&failing, cases[i].text), SCH_ERROR_MEMORY);
            assert_int_equal(failing.live, 0);
        }
    }
}

/* Mostly a digit or component for another. */
static void damage(char *text)
{
    static const char digits[] = "0123456789", components[] = "xyzw", any[] = "-|.,[]()ADIMNOPRSTUV_ \n{}:";
    char *at = text + below((unsigned)strlen(text));
    if (*at >= '0' && *at <= '9')
        *at = digits[below(10)];
    else if (strchr(components, *at))
        *at = components[below(4)];
    else if (below(40) == 0)
        *at = any[below(sizeof any - 1)];
}

/* Texts with some bytes that are others: whatever they say, there is an answer. */
static void damaged_texts_end_with_an_answer(void **state)
{
    (void)state;
    enum { TEXTS = 6000 };
    unsigned answers[4] = {0};
    seed = 9;
    for (unsigned i = 0; i < TEXTS; i++) {
        char text[TEXT];
        struct counting counting = {0};
        snprintf(text, sizeof text, "%s", cases[below(sizeof cases / sizeof *cases)].text);
        for (unsigned n = 0, changes = 1 + below(4); n < changes; n++) damage(text);
        enum sch_result result = raise_within(&counting, text);
        assert_int_equal(counting.live, 0);
        answers[result == SCH_OK ? 0 : result == SCH_ERROR_INVALID ? 1 : result == SCH_ERROR_UNSUPPORTED ? 2 : 3]++;
    }
    print_message("# %u translate, %u are wrong, %u are refused\n", answers[0], answers[1], answers[2]);
    assert_true(answers[0] && answers[1] && answers[2]);
    assert_int_equal(answers[3], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_arithmetic_opcode_computes_the_same),
        cmocka_unit_test(programs_are_listed_and_run_the_same),
        cmocka_unit_test(one_color_goes_to_all_targets),
        cmocka_unit_test(what_direct3d_has_no_word_for_is_refused_by_number),
        cmocka_unit_test(flat_shading_is_a_warning),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(every_failing_allocation_is_answered),
        cmocka_unit_test(damaged_texts_end_with_an_answer),
    };
    return cmocka_run_group_tests_name("d3d raise", tests, NULL, NULL);
}
