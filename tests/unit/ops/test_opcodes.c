/* One test per arithmetic opcode, through the public API at every width: results worked out by hand (opcode_cases.def),
 * and thousands of edge and random operands against the oracle. Operands of one opcode are the same in every run.
 *
 * With arguments, only the opcodes of those names are tested. */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/by_code.h"
#include "../support/oracle.h"
#include "../support/random_number.h"
#include "opcode_runner.h"

enum { RANDOM_INVOCATIONS = 2048, MAX_CASES = 64 };

static const unsigned widths[] = {4, 8, 16};

/* ---- one instruction's text ---- */

static void write_instruction(const struct oracle *oracle, unsigned rules, char *text, size_t bytes)
{
    int at = snprintf(text, bytes, "%s%s TEMP[0]", oracle->name, rules & RULE_PRECISE ? "_PRECISE" : "");
    if (oracle->shape == SHAPE_FRACEXP) at += snprintf(text + at, bytes - (size_t)at, ", TEMP[1]");
    for (unsigned i = 0; i < oracle_sources(oracle); i++) at += snprintf(text + at, bytes - (size_t)at, ", IN[%u]", i);
}

static void fail_invocation(const char *instruction, const struct run *run, unsigned i, const uint32_t expected[2][4],
                            const uint32_t word[2][4])
{
    char text[1024];
    int at = snprintf(text, sizeof text, "%s, width %u%s, invocation %u:", instruction, run->width,
                      run->legacy ? ", legacy rules"
                      : run->d3d  ? ", Direct3D's rules"
                                  : "",
                      i);
    for (unsigned s = 0; s < RUN_SOURCES; s++) {
        const uint32_t *w = run->source[i][s];
        at += snprintf(text + at, sizeof text - (size_t)at, " IN[%u] %08x,%08x,%08x,%08x", s, w[0], w[1], w[2], w[3]);
    }
    for (unsigned d = 0; d < 2; d++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "; TEMP[%u] is %08x,%08x,%08x,%08x, expected %08x,%08x,%08x,%08x", d, word[d][0], word[d][1],
                       word[d][2], word[d][3], expected[d][0], expected[d][1], expected[d][2], expected[d][3]);
    fail_msg("%s", text);
}

/* Runs and compares with `expected`; channels that are not written must keep the sentinel. */
static void check_run(struct run *run, const struct expectation *expected)
{
    uint32_t(*result)[2][4] = malloc(run->count * sizeof *result);
    assert_non_null(result);
    for (unsigned w = 0; w < 3; w++) {
        char why[256];
        run->width = widths[w];
        if (by_code_skips(32)) continue;
        if (!run_instruction(run, result, why)) fail_msg("%s: %s", run->instruction, why);
        for (unsigned i = 0; i < run->count; i++) {
            bool holds = expectation_holds(&expected[i], result[i][0]);
            uint32_t want[2][4];
            memcpy(want, expected[i].word, sizeof want);
            for (unsigned d = 0; d < 2; d++) {
                for (unsigned c = 0; c < 4; c++) {
                    bool written = expected[i].written[d] & 1u << c;
                    if (!written) want[d][c] = RUN_SENTINEL;
                    if (!written || d == 1) holds = holds && result[i][d][c] == want[d][c];
                }
            }
            if (!holds) fail_invocation(run->instruction, run, i, want, result[i]);
        }
    }
    free(result);
}

/* ---- results worked out by hand ---- */

struct cases {
    const char *name;
    const char *row[MAX_CASES];
};
static const struct cases all_cases[] = {
#define CASES(name, ...) {#name, {__VA_ARGS__}},
#include "opcode_cases.def"
#undef CASES
};

static const struct cases *find_cases(const char *name)
{
    for (size_t i = 0; i < sizeof all_cases / sizeof all_cases[0]; i++)
        if (strcmp(all_cases[i].name, name) == 0) return &all_cases[i];
    return NULL;
}

static const char *after(const char *text, char c)
{
    while (*text == ' ') text++;
    return *text == c ? text + 1 : NULL;
}

/* Values separated by commas. */
static unsigned parse_values(char type, const char **text, union value v[4], const char *row)
{
    for (unsigned n = 0; n < 4; n++) {
        if (!value_parse(type, *text, text, &v[n])) fail_msg("not a value in '%s' at '%s'", row, *text);
        const char *next = after(*text, ',');
        if (!next) return n + 1;
        *text = next;
    }
    fail_msg("more than four values in '%s'", row);
    return 0;
}

/* A register from the values of a source: one value stands for all channels (or pairs). */
static void fill_register(char type, const union value *v, unsigned count, uint32_t word[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (value_is_wide(type))
            word[c] = (uint32_t)(v[0].q >> (c & 1) * 32);
        else
            word[c] = v[count == 1 ? 0 : c].u;
    }
}

struct parsed_case {
    unsigned rules;
    uint32_t source[RUN_SOURCES][4];
    struct expectation expected;
};

/* The first destination from the values after "=": as fill_register, in the channels that the shape writes. */
static void fill_expected(const struct oracle *oracle, const union value *v, unsigned count, const char *row,
                          struct parsed_case *parsed)
{
    struct expectation *e = &parsed->expected;
    bool four = oracle->shape == SHAPE_CHAN || oracle->shape == SHAPE_UNPACK;
    if (oracle->shape != SHAPE_FRACEXP && count != (four ? 4u : 1u)) fail_msg("wrong number of results in '%s'", row);
    fill_register(oracle->signature[0], v, count, e->word[0]);
}

static void parse_case(const struct oracle *oracle, const char *row, struct parsed_case *parsed)
{
    const char *text = row;
    memset(parsed, 0, sizeof *parsed);
    if (strncmp(text, "legacy:", 7) == 0) parsed->rules |= RULE_LEGACY, text += 7;
    if (strncmp(text, "precise:", 8) == 0) parsed->rules |= RULE_PRECISE, text += 8;
    if (strncmp(text, "d3d:", 4) == 0) parsed->rules |= RULE_D3D, text += 4;
    union value v[4];
    for (unsigned i = 0; i < oracle_sources(oracle); i++) {
        char type = oracle_source_type(oracle, i);
        unsigned count = parse_values(type, &text, v, row);
        bool four = oracle->shape == SHAPE_VREPL || oracle->shape == SHAPE_CHAN;
        if (count != (four ? 4u : 1u)) fail_msg("wrong number of channels in '%s'", row);
        fill_register(type, v, count, parsed->source[i]);
        text = after(text, i + 1 < oracle_sources(oracle) ? ';' : '=');
        if (!text) fail_msg("'%s' lacks a source or its result", row);
    }
    /* which channels are written, and how near: as the oracle says; their values: as the row says */
    oracle_evaluate(oracle, parsed->rules, parsed->source, &parsed->expected);
    unsigned count = 1;
    if (oracle->shape == SHAPE_FRACEXP) {
        union value exponent;
        bool read = value_parse('D', text, &text, &v[0]) && (text = after(text, ',')) != NULL;
        if (!read || !value_parse('I', text, &text, &exponent)) fail_msg("not fraction, exponent: '%s'", row);
        for (unsigned c = 0; c < 4; c++) parsed->expected.word[1][c] = exponent.u;
    } else {
        count = parse_values(oracle->signature[0], &text, v, row);
    }
    if (*text) fail_msg("'%s' has more after its result: '%s'", row, text);
    fill_expected(oracle, v, count, row, parsed);
}

static void check_cases(const struct oracle *oracle)
{
    const struct cases *cases = find_cases(oracle->name);
    if (!cases || !cases->row[4]) fail_msg("%s has fewer than five rows in opcode_cases.def", oracle->name);
    for (unsigned k = 0; k < MAX_CASES && cases->row[k]; k++) {
        struct parsed_case parsed;
        parse_case(oracle, cases->row[k], &parsed);
        struct expectation oracle_says;
        oracle_evaluate(oracle, parsed.rules, parsed.source, &oracle_says);
        if (!expectation_holds(&parsed.expected, oracle_says.word[0]))
            fail_msg("%s: the oracle (%08x,%08x,%08x,%08x) does not agree with '%s'", oracle->name,
                     oracle_says.word[0][0], oracle_says.word[0][1], oracle_says.word[0][2], oracle_says.word[0][3],
                     cases->row[k]);
        char text[128];
        write_instruction(oracle, parsed.rules, text, sizeof text);
        struct run run = {.instruction = text,
                          .legacy = parsed.rules & RULE_LEGACY,
                          .d3d = parsed.rules & RULE_D3D,
                          .count = 1,
                          .source = &parsed.source};
        check_run(&run, &parsed.expected);
    }
}

/* ---- edge and random operands ---- */

static void put(uint32_t word[4], char type, unsigned c, union value v)
{
    word[c] = v.u;
    if (value_is_wide(type)) word[c + 1] = (uint32_t)(v.q >> 32);
}

/* Operands that stand in a relation show what independent ones rarely do: equal, neighbours, or a sum that cancels. */
static void relate(const struct oracle *oracle, uint32_t source[4][4], unsigned c, uint64_t *state)
{
    unsigned sources = oracle_sources(oracle);
    uint64_t r = random_number(state);
    unsigned kind = r & 7, to = sources > 1 ? 1 + (unsigned)(r >> 8) % (sources - 1) : 0;
    char type = oracle_source_type(oracle, to);
    if (kind > 2 || to == 0) return;
    if (kind < 2 && type == oracle_source_type(oracle, 0)) {
        source[to][c] = source[0][c] + (kind ? (uint32_t)(r >> 32) % 3 - 1 : 0);
        if (value_is_wide(type)) source[to][c + 1] = source[0][c + 1];
    }
    if (kind < 2 || sources != 3) return;
    union value a, b, sum = {.q = 0};
    if (strcmp(oracle->signature, "F_FFF") == 0) {
        a.u = source[0][c], b.u = source[1][c];
        sum.f = -(a.f * b.f);
        put(source[2], 'F', c, sum);
    } else if (strcmp(oracle->signature, "D_DDD") == 0) {
        a.q = source[0][c] | (uint64_t)source[0][c + 1] << 32, b.q = source[1][c] | (uint64_t)source[1][c + 1] << 32;
        sum.d = -(a.d * b.d);
        put(source[2], 'D', c, sum);
    }
}

static void random_sources(const struct oracle *oracle, uint32_t source[RUN_SOURCES][4], uint64_t *state)
{
    memset(source, 0, sizeof(uint32_t[RUN_SOURCES][4]));
    for (unsigned i = 0; i < oracle_sources(oracle); i++) {
        char type = oracle_source_type(oracle, i);
        if (type == 'X') type = 'F';
        for (unsigned c = 0; c < 4; c += value_is_wide(type) ? 2 : 1)
            put(source[i], type, c, value_random(type, state));
    }
    for (unsigned c = 0; c < 4; c += value_is_wide(oracle_source_type(oracle, 0)) ? 2 : 1)
        relate(oracle, source, c, state);
}

static void check_random(const struct oracle *oracle, unsigned rules)
{
    static uint32_t source[RANDOM_INVOCATIONS][RUN_SOURCES][4];
    static struct expectation expected[RANDOM_INVOCATIONS];
    uint64_t state = 20250101;
    for (unsigned i = 0; i < RANDOM_INVOCATIONS; i++) {
        random_sources(oracle, source[i], &state);
        oracle_evaluate(oracle, rules, source[i], &expected[i]);
    }
    char text[128];
    write_instruction(oracle, rules, text, sizeof text);
    struct run run = {.instruction = text,
                      .legacy = rules & RULE_LEGACY,
                      .d3d = rules & RULE_D3D,
                      .count = RANDOM_INVOCATIONS,
                      .source = (const uint32_t(*)[RUN_SOURCES][4])source};
    check_run(&run, expected);
}

static void test_opcode(void **state)
{
    const struct oracle *oracle = *state;
    check_cases(oracle);
    for (unsigned rules = 0; rules < 8; rules++)
        if ((rules & ~(oracle->rules | RULE_D3D)) == 0) check_random(oracle, rules);
}

/* ---- derivatives: from the four pixels of a quad, (0,0), (1,0), (0,1), (1,1) ---- */

static float quad_difference(const char *name, const float v[4], unsigned lane)
{
    bool along_x = name[2] == 'X', fine = name[3] == '_';
    unsigned row = fine ? lane >> 1 : 0, column = fine ? lane & 1 : 0;
    if (along_x) return v[2 * row + 1] - v[2 * row];
    return v[2 + column] - v[column];
}

static void test_derivative(void **state)
{
    const char *name = *state;
    static uint32_t source[RANDOM_INVOCATIONS][RUN_SOURCES][4];
    static struct expectation expected[RANDOM_INVOCATIONS];
    /* by hand: the first quad of every channel */
    static const float hand[4] = {1.0f, 3.0f, 10.0f, 100.0f};
    uint64_t seed = 7;
    for (unsigned i = 0; i < RANDOM_INVOCATIONS; i++)
        for (unsigned c = 0; c < 4; c++)
            source[i][0][c] = i < 4 ? (union value){.f = hand[i]}.u : value_random('F', &seed).u;
    for (unsigned i = 0; i < RANDOM_INVOCATIONS; i++) {
        memset(&expected[i], 0, sizeof expected[i]);
        expected[i].type = 'F';
        expected[i].written[0] = 15;
        for (unsigned c = 0; c < 4; c++) {
            float v[4];
            for (unsigned k = 0; k < 4; k++) v[k] = (union value){.u = source[(i & ~3u) + k][0][c]}.f;
            union value d = {.f = quad_difference(name, v, i & 3)};
            expected[i].word[0][c] = value_canonical('F', d).u;
        }
    }
    static const struct {
        const char *name;
        float by_lane[4];
    } by_hand[] = {
        {"DDX", {2, 2, 2, 2}}, {"DDX_FINE", {2, 2, 90, 90}}, {"DDY", {9, 9, 9, 9}}, {"DDY_FINE", {9, 97, 9, 97}}};
    for (unsigned k = 0; k < 4; k++)
        for (unsigned lane = 0; strcmp(by_hand[k].name, name) == 0 && lane < 4; lane++)
            assert_true((union value){.u = expected[lane].word[0][0]}.f == by_hand[k].by_lane[lane]);

    char text[128];
    snprintf(text, sizeof text, "%s TEMP[0], IN[0]", name);
    struct run run = {.instruction = text,
                      .quads = true,
                      .count = RANDOM_INVOCATIONS,
                      .source = (const uint32_t(*)[RUN_SOURCES][4])source};
    check_run(&run, expected);
}

/* ---- what producers build of opcodes ---- */

/* Floors as Mesa writes them, of all numbers what C's floor gives, of infinities above all. IN[3] is -1. */
static const struct {
    const char *name, *instructions;
    char type;
} floors[] = {
    {"floor as a product", "FRC TEMP[1], IN[0]\nMAD TEMP[0], TEMP[1], IN[3], IN[0]\nMOV TEMP[1], IN[4]", 'F'},
    {"floor as a difference", "FRC TEMP[1], IN[0]\nADD TEMP[0], IN[0], -TEMP[1]\nMOV TEMP[1], IN[4]", 'F'},
    {"floor of doubles", "DFRAC TEMP[1], IN[0]\nDMAD TEMP[0], TEMP[1], IN[3], IN[0]\nMOV TEMP[1], IN[4]", 'D'},
};
enum { FLOORS = sizeof floors / sizeof *floors };

static void test_floor(void **state)
{
    const size_t number = (size_t)(uintptr_t)*state;
    const char type = floors[number].type;
    static const double edges[] = {
        INFINITY, -INFINITY, NAN,       0,          -0.0,   0x1p-149,  -0x1p-149, -0x1p-60,        -0x1p-25,
        -0.5,     -1.5,      8388607.5, -8388607.5, 0x1p52, -0x1p1023, 0x1p127,   -0x1.fffffep127, -0x1.8p-24};
    static uint32_t source[RANDOM_INVOCATIONS][RUN_SOURCES][4];
    static struct expectation expected[RANDOM_INVOCATIONS];
    uint64_t seed = 11;
    const union value minus = type == 'D' ? (union value){.d = -1} : (union value){.f = -1};
    memset(source, 0, sizeof source);
    for (unsigned i = 0; i < RANDOM_INVOCATIONS; i++) {
        expected[i] = (struct expectation){.type = type, .written = {15}};
        for (unsigned c = 0; c < 4; c += type == 'D' ? 2 : 1) {
            union value x = value_random(type, &seed), wanted;
            if (i < sizeof edges / sizeof *edges)
                x = type == 'D' ? (union value){.d = edges[i]} : (union value){.f = (float)edges[i]};
            wanted = type == 'D' ? (union value){.d = floor(x.d)} : (union value){.f = floorf(x.f)};
            put(source[i][0], type, c, x);
            put(source[i][3], type, c, minus);
            put(expected[i].word[0], type, c, value_canonical(type, wanted));
        }
    }
    struct run run = {.instruction = floors[number].instructions,
                      .count = RANDOM_INVOCATIONS,
                      .source = (const uint32_t(*)[RUN_SOURCES][4])source};
    check_run(&run, expected);
}

/* ---- running them ---- */

static bool wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    static const char *const derivatives[] = {"DDX", "DDX_FINE", "DDY", "DDY_FINE"};
    struct CMUnitTest *tests = calloc(oracle_count + 4 + FLOORS, sizeof *tests);
    if (!tests) return 1;
    size_t count = 0;
    for (unsigned i = 0; i < oracle_count; i++) {
        if (!wanted(oracles[i].name, argc, argv)) continue;
        tests[count++] = (struct CMUnitTest){oracles[i].name, test_opcode, NULL, NULL, (void *)(uintptr_t)&oracles[i]};
    }
    for (unsigned i = 0; i < 4; i++) {
        if (!wanted(derivatives[i], argc, argv)) continue;
        tests[count++] =
            (struct CMUnitTest){derivatives[i], test_derivative, NULL, NULL, (void *)(uintptr_t)derivatives[i]};
    }
    for (uintptr_t i = 0; i < FLOORS; i++) {
        if (!wanted(floors[i].name, argc, argv)) continue;
        tests[count++] = (struct CMUnitTest){floors[i].name, test_floor, NULL, NULL, (void *)i};
    }
    int failed = _cmocka_run_group_tests("opcodes", tests, count, NULL, NULL);
    free(tests);
    return failed;
}
