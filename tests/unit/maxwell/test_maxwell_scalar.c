/* Maxwell's arithmetic against a reference that was written from the description of the machine (maxwell_scalar.h):
 * random words of every form of every operation, on the values of 32 lanes, among them those at which something
 * changes, with vectors of 4, 8 and 16 lanes. Registers, predicates and condition codes are compared.
 * SCH_SCALAR_WORDS=N tries N words of each form, SCH_SCALAR_ONLY=NAME those of one operation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "maxwell/text/general.h"
#include "maxwell_scalar.h"

enum {
    LANES = SCH_MAXWELL_GROUP_LANES,
    WORDS = 4 * SCH_MAXWELL_INPUT_REGISTERS,
    REGISTERS = SCH_MAXWELL_GROUP_REGISTERS,
    PREDICATES = SCH_MAXWELL_GROUP_PREDICATES,
    OPERATIONS = 71, /* that the reference has */
    SHOWN = 2        /* differences of an operation that are printed */
};

/* ---- random ---- */

static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(uint32_t bound) { return (uint32_t)(next() % bound); }

/* A word of a register: integers, floats, and upper words of doubles, at which something changes; or any. */
static uint32_t value(void)
{
    static const uint32_t edges[] = {
        0,          1,          2,          31,         32,         33,         63,         64,         0x7f,
        0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001,
        0xffffffff, 0xfffffffe, 0xffff8000, 0xffffff80, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x7f800000,
        0xff800000, 0x7fc00000, 0x7fffffff, 0x007fffff, 0x00800000, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x3ff00000,
        0xbff00000, 0x3fe00000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x7fefffff, 0x000fffff, 0x00100000, 0x43e00000,
        0x41e00000, 0x4f000000, 0xcf000000, 0x5f000000, 0x7c00,     0x3c00,     0x0001fc00, 0x4b000000, 0x4a800001};
    switch (below(8)) {
    case 0:
    case 1:
        return edges[below(sizeof edges / sizeof *edges)];
    case 2:
        return below(40) | below(40) << 8;
    case 3:
        return UINT32_C(0x3e800000) + below(0x02800000);
    case 4:
        return (UINT32_C(0x3e800000) + below(0x02800000)) | 0x80000000;
    case 5:
        return (uint32_t)((int32_t)next() >> below(31));
    default:
        return (uint32_t)next();
    }
}

/* ---- a word ---- */

struct warp {
    struct scalar_lane lanes[LANES];
    uint32_t banks[SCALAR_BANKS][SCALAR_BANK_WORDS];
};

static void fill(struct warp *warp)
{
    for (unsigned i = 0; i < LANES; i++) {
        struct scalar_lane *lane = &warp->lanes[i];
        memset(lane, 0, sizeof *lane);
        for (unsigned r = 0; r < REGISTERS; r++) lane->r[r] = value();
        for (unsigned p = 0; p < PREDICATES; p++) lane->p[p] = next() & 1;
        lane->p[SCALAR_TRUE] = true;
        lane->z = next() & 1;
        lane->s = next() & 1;
        lane->c = next() & 1;
        lane->o = next() & 1;
    }
}

/* A random word of a form, with its text. Constants lie in the banks that there are. */
static uint64_t make(const struct sch_maxwell_code_form *form, struct sch_maxwell_code_text *text)
{
    for (;;) {
        bool meaningless;
        uint64_t word = form->match | (next() & ~form->mask);
        if (below(4)) word = (word & ~UINT64_C(0xf0000)) | UINT64_C(0x70000);
        if (!below(3)) word &= form->mask | ~UINT64_C(0x7ffc000000);    /* a small immediate */
        if (!below(3)) word &= form->mask | ~UINT64_C(0xff00000000000); /* few modifiers */
        if (!sch_maxwell_code_known(word, &meaningless) || meaningless) continue;
        if (!sch_maxwell_code_text(word, 0x7e0, 0x8, text)) continue;
        if (strstr(text->text, "c[")) {
            word &= ~UINT64_C(0x7000000000) & ~UINT64_C(0x200000000) & ~UINT64_C(0x1c0100000);
            if (!sch_maxwell_code_text(word, 0x7e0, 0x8, text)) continue;
        }
        if (sch_maxwell_code_form_of(word) == form) return word;
    }
}

/* Words that the library refuses, as docs/semantics.md says. */
static bool is_refused(const struct scalar_word *word)
{
    const struct scalar s = {.word = word};
    if (strcmp(word->operation, "VOTE") == 0) return scalar_has(&s, "VTG");
    if (strncmp(word->operation, "IMAD", 4) == 0 && word->operation[4] != 'S') return scalar_has(&s, "SAT");
    if (strncmp(word->operation, "CSET", 4) == 0) return strstr(scalar_modifier(&s, scalar_has(&s, "BF")), "CSM");
    return false;
}

static bool has_any(const struct scalar_word *word, const char *const modifiers[4])
{
    const struct scalar s = {.word = word};
    for (unsigned i = 0; i < 4 && modifiers[i]; i++)
        if (scalar_has(&s, modifiers[i])) return true;
    return false;
}

/* Words that are refused in other ways, or of which nothing is said: numbers as bytes, and parts of
 * sources that are whole words. */
static bool is_left_out(const struct scalar_word *word)
{
    static const struct {
        const char *operation;
        const char *modifiers[4];
    } rows[] = {{"SHL", {"X"}}, {"SHR", {"X", "XHI"}}, {"SHF", {"HI", "X", "XHI"}}, {"IMNMX", {"XLO", "XMED", "XHI"}}};
    const struct scalar s = {.word = word};
    const struct scalar_operand *last = &word->operands[word->count - 1];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word->operation, rows[i].operation) == 0 && has_any(word, rows[i].modifiers)) return true;
    if (strcmp(word->operation, "VABSDIFF4") == 0) return word->operands[2].kind == SCALAR_IMMEDIATE;
    if ((strcmp(word->operation, "I2I") != 0 && strcmp(word->operation, "I2F") != 0) || !*last->part) return false;
    const char *from = scalar_modifier(&s, 1);
    return strcmp(from + 1, *last->part == 'H' ? "16" : "8") != 0;
}

/* A register that an instruction does not name, nor the three after those that it names. */
static unsigned unnamed(const struct scalar_word *word, unsigned other)
{
    for (;;) {
        const unsigned number = below(REGISTERS);
        bool is_named = number == other;
        for (unsigned i = 0; i < word->count; i++)
            if (word->operands[i].kind == SCALAR_REGISTER)
                is_named = is_named || (number >= word->operands[i].number && number < word->operands[i].number + 4);
        if (!is_named) return number;
    }
}

/* ---- the library ---- */

static struct sch_context *context;
static struct sch_diagnostics_list *list;

static uint64_t assemble(const char *format, unsigned number)
{
    char text[80];
    uint64_t word;
    snprintf(text, sizeof text, format, number);
    assert_int_equal(sch_maxwell_assemble(text, strlen(text), NULL, NULL, &word, NULL), SCH_OK);
    return word;
}

static void put_word(unsigned char *to, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) to[i] = (unsigned char)(word >> 8 * i);
}

/* The word between one that sets the flags from a register and one that puts them into another; NULL: refused. */
static struct sch_program *create(uint64_t word, unsigned from, unsigned to, uint32_t width)
{
    unsigned char code[32];
    const struct sch_read_options raw = {.size = sizeof raw, .kind = SCH_KIND_MAXWELL_RAW};
    const struct sch_program_options options = {.size = sizeof options, .width = width};
    struct sch_shader *shader;
    struct sch_program *program = NULL;
    put_word(code, UINT64_C(0x7e0) | UINT64_C(0x7e0) << 21 | UINT64_C(0x7e0) << 42);
    put_word(code + 8, assemble("R2P CC, R%u, 0xf", from));
    put_word(code + 16, word);
    put_word(code + 24, assemble("P2R R%u, CC, RZ, 0xf", to));
    assert_int_equal(sch_shader_read(context, code, sizeof code, &raw, NULL, &shader), SCH_OK);
    const enum sch_result result = sch_program_create(context, shader, &options, list, &program);
    if (result != SCH_OK && result != SCH_ERROR_UNSUPPORTED) fail_msg("%s", sch_result_text(result));
    sch_shader_destroy(shader);
    return program;
}

static void run(const struct sch_program *program, const struct warp *warp, unsigned from,
                uint32_t outputs[LANES][WORDS])
{
    static uint32_t inputs[LANES][WORDS];
    struct sch_constant_buffer banks[SCALAR_BANKS];
    for (unsigned i = 0; i < SCALAR_BANKS; i++)
        banks[i] = (struct sch_constant_buffer){warp->banks[i], sizeof warp->banks[i]};
    const struct sch_bindings bindings = {.size = sizeof bindings, .constants = banks, .constant_count = SCALAR_BANKS};
    for (unsigned i = 0; i < LANES; i++) {
        const struct scalar_lane *lane = &warp->lanes[i];
        memcpy(inputs[i], lane->r, REGISTERS * sizeof *lane->r);
        for (unsigned p = 0; p < PREDICATES; p++) inputs[i][SCH_MAXWELL_PREDICATE_WORD + p] = lane->p[p];
        inputs[i][from] = lane->z | (uint32_t)lane->s << 1 | (uint32_t)lane->c << 2 | (uint32_t)lane->o << 3;
    }
    const struct sch_invocations invocations = {.size = sizeof invocations,
                                                .count = LANES,
                                                .inputs = inputs[0],
                                                .input_bytes = sizeof inputs,
                                                .input_registers = SCH_MAXWELL_INPUT_REGISTERS,
                                                .outputs = outputs[0],
                                                .output_bytes = LANES * sizeof *outputs,
                                                .output_registers = SCH_MAXWELL_INPUT_REGISTERS};
    assert_int_equal(sch_dispatch(program, &bindings, &invocations, NULL, NULL), SCH_OK);
}

/* ---- comparing ---- */

static unsigned differences, shown;

static void say(const char *text, unsigned width, unsigned lane, const char *what, uint32_t got, uint32_t want)
{
    differences++;
    if (shown++ < SHOWN)
        print_message("%s, width %u, lane %u: %s is 0x%08x, not 0x%08x\n", text, width, lane, what, got, want);
}

/* The values that the operands have in a lane, for people. */
static void say_operands(const struct scalar_word *word, const struct scalar *s)
{
    if (shown > SHOWN) return;
    for (unsigned i = 0; i < word->count; i++)
        if (word->operands[i].kind == SCALAR_REGISTER || word->operands[i].kind == SCALAR_CONSTANT)
            print_message("    operand %u is 0x%016llx\n", i, (unsigned long long)scalar_get64(s, i));
    print_message("    Z %d S %d C %d O %d\n", s->in->z, s->in->s, s->in->c, s->in->o);
}

static void compare(const struct warp *warp, const struct scalar_word *word, const char *text, unsigned from,
                    unsigned to, uint32_t outputs[LANES][WORDS], unsigned width)
{
    scalar_fn *reference = scalar_find(word->operation);
    uint32_t executing = 0;
    for (unsigned i = 0; i < LANES; i++)
        executing |= (uint32_t)(warp->lanes[i].p[word->guard] != word->guard_inverted) << i;
    for (unsigned i = 0; i < LANES; i++) {
        struct scalar_lane in = warp->lanes[i], out;
        in.r[from] = in.z | (uint32_t)in.s << 1 | (uint32_t)in.c << 2 | (uint32_t)in.o << 3;
        out = in;
        struct scalar s = {.word = word,
                           .in = &in,
                           .out = &out,
                           .banks = warp->banks,
                           .number = i,
                           .warp = warp->lanes,
                           .executing = executing};
        const bool executes = executing >> i & 1;
        if (executes) reference(&s);
        if (s.unknown) continue;
        const unsigned before = differences;
        char what[16];
        for (unsigned r = 0; r < REGISTERS; r++) {
            if (r == to || outputs[i][r] == out.r[r]) continue;
            snprintf(what, sizeof what, "R%u", r);
            say(text, width, i, what, outputs[i][r], out.r[r]);
        }
        for (unsigned p = 0; p < PREDICATES; p++) {
            const uint32_t got = outputs[i][SCH_MAXWELL_PREDICATE_WORD + p] != 0;
            snprintf(what, sizeof what, "P%u", p);
            if (got != out.p[p]) say(text, width, i, what, got, out.p[p]);
        }
        const uint32_t compared = executes ? 15 & ~s.flags_unknown : 15;
        const uint32_t flags = out.z | (uint32_t)out.s << 1 | (uint32_t)out.c << 2 | (uint32_t)out.o << 3;
        if ((outputs[i][to] ^ flags) & compared) say(text, width, i, "CC (OCSZ)", outputs[i][to], flags);
        if (differences != before) say_operands(word, &s);
    }
}

/* Tries words of a form. */
static void try_form(const struct sch_maxwell_code_form *form, unsigned count, struct warp *warp)
{
    static const uint32_t widths[] = {4, 8, 16};
    static uint32_t outputs[LANES][WORDS];
    for (unsigned n = 0; n < count;) {
        struct sch_maxwell_code_text text;
        struct scalar_word word;
        const uint64_t bits = make(form, &text);
        if (!scalar_read(bits, text.text, &word)) fail_msg("not read: %s", text.text);
        if (is_left_out(&word)) {
            count -= count > 1; /* of some forms these are most */
            continue;
        }
        n++;
        const unsigned from = unnamed(&word, REGISTERS), to = unnamed(&word, from);
        fill(warp);
        for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++) {
            struct sch_program *program = create(bits, from, to, widths[w]);
            if (!program != is_refused(&word))
                say(text.text, widths[w], 0, "it is refused: that", !program, is_refused(&word));
            if (!program) break;
            run(program, warp, from, outputs);
            compare(warp, &word, text.text, from, to, outputs, widths[w]);
            sch_program_destroy(program);
        }
    }
}

static void words_of_every_form(void **test)
{
    (void)test;
    const char *wanted = getenv("SCH_SCALAR_WORDS"), *only = getenv("SCH_SCALAR_ONLY");
    const unsigned count = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 12;
    bool seen[SCH_MAXWELL_CODE_OPERATIONS] = {false};
    unsigned operations = 0;
    struct warp *warp = calloc(1, sizeof *warp);
    assert_non_null(warp);
    for (unsigned b = 0; b < SCALAR_BANKS; b++)
        for (unsigned i = 0; i < SCALAR_BANK_WORDS; i++) warp->banks[b][i] = value();
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        const char *name = sch_maxwell_code_operations[form->operation].name;
        if (!scalar_find(name) || (only && strcmp(only, name) != 0)) continue;
        shown = 0;
        operations += !seen[form->operation];
        seen[form->operation] = true;
        try_form(form, count, warp);
    }
    free(warp);
    assert_int_equal(operations, only ? 1 : OPERATIONS);
    assert_int_equal(differences, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_every_form)};
    if (sch_context_create(NULL, &context) != SCH_OK || sch_diagnostics_create(context, &list) != SCH_OK) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return failed;
}
