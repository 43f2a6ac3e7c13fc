/* Random Maxwell programs by handlers and by machine code: the same registers, predicates, flags and memory, the same
 * number of executed instructions, and the same place where a run fails. Words of arithmetic are random ones of every
 * form that has a meaning; around them are guards, branches that part lanes, loops with BRK and CONT, calls, computed
 * branches, barriers, shared, local and global memory, atomics, shuffles and votes. What an instruction means is tested
 * elsewhere. Most programs are short, so that many are compiled soon; some have all that there is. Their machine code
 * has one of its forms, by the program's number; one more program is as large as only compact code may be. --count N
 * programs, from number --first N on; --form F compiles all in one form (enum sch_native_form); --large N: about so
 * many instructions of the large one, 0: none; SCH_PRINT=1 prints each. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/form_compiler.h"
#include "maxwell/run/step.h"
#include "maxwell/text/general.h"

enum {
    THREADS = 80, /* of a block: two warps, and half of one */
    BLOCKS = 2,
    OWN_WORDS = 64, /* of a thread */
    SHARED_WORDS = 64,
    COMMON_WORDS = 256, /* at first, that all threads access */
    WORDS = COMMON_WORDS + THREADS * BLOCKS * OWN_WORDS,
    SHARED_BYTES = 512,
    LOCAL_BYTES = 128,
    PROGRAMS = 160,
    LONG_EACH = 16, /* one of so many is long */
    TEXT = 1 << 24,
    LARGE = 6000,
    FIRST = 8, /* registers that random words write: from this one up to `last` */
    LAST_OF_LONG = 31,
    LAST_OF_SHORT = 15,
    DIFFERENT_IN_SHORT = 4, /* of them so many differ by lane at first */
    NAMED = 40,             /* registers that they read are below it */
    CONSTANTS = 128,
    PARAMETER = 0x140 / 4,
    MOST_DEPTH = 3
};
#define BASE UINT64_C(0xfffffff80) /* over the boundary of 4 GiB */

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
static bool chance(unsigned n) { return below(n) == 0; }

static uint32_t value(void)
{
    static const uint32_t edges[] = {0,          1,          2,          31,         32,         0x7fffffff,
                                     0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffc12345, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3ff00000,
                                     0x7ff00000, 0x7c00,     0x4b000000};
    switch (below(6)) {
    case 0:
        return edges[below(sizeof edges / sizeof *edges)];
    case 1:
        return below(64);
    case 2:
        return UINT32_C(0x3e800000) + below(0x02800000);
    case 3:
        return (UINT32_C(0x3e800000) + below(0x02800000)) | 0x80000000;
    default:
        return (uint32_t)next();
    }
}

/* ---- text ---- */

static char text[TEXT];
static size_t length;
static unsigned labels, functions, last;

static __attribute__((format(printf, 1, 2))) void add(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written >= TEXT - length) {
        fprintf(stderr, "the text is too long\n");
        exit(1);
    }
    length += (size_t)written;
}

static const char *guard(void)
{
    static char made[2][16];
    static unsigned turn;
    char *to = made[turn++ % 2];
    to[0] = 0;
    if (chance(3)) snprintf(to, sizeof made[0], "@%sP%u ", chance(2) ? "!" : "", below(6));
    return to;
}

static bool is_short(void) { return last == LAST_OF_SHORT; }
static unsigned result(void) { return FIRST + below(last - FIRST + 1); }
static unsigned operand(void) { return chance(12) ? 255 : below(is_short() && !chance(8) ? last + 1 : NAMED); }

static const char *name_of(unsigned number)
{
    static char made[4][8];
    static unsigned turn;
    char *to = made[turn++ % 4];
    if (number == 255)
        snprintf(to, sizeof made[0], "RZ");
    else
        snprintf(to, sizeof made[0], "R%u", number);
    return to;
}

/* ---- arithmetic ---- */

static uint64_t with_byte(const struct sch_maxwell_code_form *form, uint64_t word, unsigned low, unsigned number)
{
    const uint64_t bits = UINT64_C(0xff) << low;
    return form->mask & bits ? word : (word & ~bits) | (uint64_t)number << low;
}

static bool is_named(const struct sch_maxwell_source *source)
{
    return source->kind != SCH_MAXWELL_FROM_REGISTER || source->number == 255 || source->number + 2u < NAMED;
}

/* A word that reads and writes nothing but the registers that are there. */
static bool is_good(uint64_t word)
{
    struct sch_maxwell_item item = {.word = word, .general = true, .address = 8};
    const struct sch_maxwell_section section = {.count = 3, .items = &item};
    struct sch_maxwell_step step;
    bool meaningless;
    if (!sch_maxwell_code_known(word, &meaningless) || meaningless) return false;
    if (sch_maxwell_step_decode(&section, &item, NULL, &step) != SCH_OK) return false;
    bool good = step.kind == SCH_MAXWELL_KIND_arithmetic || step.kind == SCH_MAXWELL_KIND_registers_to_predicates;
    if (step.result_words) good = good && (step.result == 255 || (step.result >= FIRST && step.result <= last));
    for (unsigned s = 0; s < step.source_count; s++) {
        const struct sch_maxwell_source *source = &step.source[s];
        good = good && is_named(source);
        if (source->kind == SCH_MAXWELL_FROM_CONSTANT) good = good && source->number < 4;
    }
    return good;
}

static void add_word(void)
{
    enum { RD = 0, RA = 8, RB = 20, RC = 39 };
    struct sch_maxwell_code_text line;
    for (;;) {
        const struct sch_maxwell_code_form *form =
            &sch_maxwell_code_forms[below((uint32_t)sch_maxwell_code_form_count)];
        for (unsigned turn = 0; turn < 20; turn++) {
            uint64_t word = form->match | (next() & ~form->mask);
            if (!chance(4)) word = (word & ~(UINT64_C(0xf0000) & ~form->mask)) | (UINT64_C(0x70000) & ~form->mask);
            if (chance(3)) word &= form->mask | ~UINT64_C(0xff00000000000); /* few modifiers */
            if (chance(3)) word &= form->mask | ~UINT64_C(0x700000000000);
            if (!chance(5)) word = with_byte(form, word, RD, result());
            word = with_byte(form, word, RA, operand());
            if (!chance(3)) word = with_byte(form, word, RB, operand());
            if (!chance(5)) word = with_byte(form, word, RC, operand());
            word = (word & ~UINT64_C(0x7000000000)) | (form->match & UINT64_C(0x7000000000)) |
                   (word & form->mask & UINT64_C(0x7000000000)) | (chance(2) ? 0 : word & UINT64_C(0x7000000000));
            if (sch_maxwell_code_form_of(word) != form || !is_good(word)) continue;
            if (!sch_maxwell_code_text(word, SCH_MAXWELL_SLOT_NEUTRAL, 8, &line)) continue;
            add("%s;\n", line.text);
            return;
        }
    }
}

/* Integers and floats of registers that matter, so that values do not all become 0. */
static void add_simple(void)
{
    static const char *const operations[] = {"IADD", "FADD", "FMUL", "LOP.XOR", "XMAD", "FFMA", "IADD3", "FMNMX"};
    const unsigned n = below(sizeof operations / sizeof *operations);
    add("%s%s %s, %s, %s", guard(), operations[n], name_of(result()), name_of(operand()), name_of(operand()));
    if (n >= 4 && n <= 6) add(", %s", name_of(operand()));
    if (n == 7) add(", %sP%u", chance(2) ? "!" : "", below(6));
    add(";\n");
}

/* ---- memory ---- */

static const char *size(unsigned *align)
{
    static const char *const names[] = {".U8", ".S8", ".U16", ".S16", "", ".64", ".128"};
    static const unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16};
    const unsigned n = chance(2) ? 4 : below(7);
    *align = bytes[n];
    return names[n];
}

/* R42 is a place below `bytes`, a multiple of `align`. */
static void add_place(unsigned bytes, unsigned align)
{
    const unsigned mask = bytes - align;
    switch (below(3)) {
    case 0:
        add("LOP.AND R42, %s, 0x%x;\n", name_of(operand()), mask);
        break;
    case 1:
        add("SHL R42, R0, 0x%x; LOP.AND R42, R42, 0x%x;\n", below(5), mask);
        break;
    default:
        add("MOV32I R42, 0x%x;\n", below(bytes / align) * align);
        break;
    }
}

/* Its four registers may be written. */
static unsigned quad(void) { return FIRST + below((last - FIRST + 1) / 4) * 4; }

static void add_global(void)
{
    unsigned align;
    const char *suffix = size(&align);
    const bool own = chance(2);
    const char *base = own ? "R2" : "R42";
    char where[24];
    if (own) {
        snprintf(where, sizeof where, "R2+0x%x", below(OWN_WORDS * 4 / align) * align);
    } else {
        add_place(COMMON_WORDS * 4, align);
        add("IADD R42.CC, R42, R4; IADD.X R43, RZ, R5;\n");
        snprintf(where, sizeof where, "%s", base);
    }
    const char *generic = chance(4) ? "" : "G";
    if (chance(2))
        add("%sLD%s.E%s R%u, [%s];\n", guard(), generic, suffix, quad(), where);
    else
        add("%sST%s.E%s [%s], R%u;\n", guard(), generic, suffix, where, quad());
}

static void add_own(void)
{
    unsigned align;
    const char *suffix = size(&align), *space = chance(2) ? "S" : "L";
    add_place(*space == 'S' ? SHARED_WORDS * 4 : LOCAL_BYTES / 2, align);
    const unsigned offset = below(4) * 16;
    if (chance(2))
        add("%sLD%s%s R%u, [R42+0x%x];\n", guard(), space, suffix, quad(), offset);
    else
        add("%sST%s%s [R42+0x%x], R%u;\n", guard(), space, suffix, offset, quad());
}

static void add_atomic(void)
{
    static const char *const updates[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"};
    const char *update = updates[below(9)];
    add_place(SHARED_WORDS * 4, 4);
    if (chance(2)) {
        add("%sATOMS.%s R%u, [R42], R%u;\n", guard(), update, result(), result());
        return;
    }
    add("IADD R42.CC, R42, R4; IADD.X R43, RZ, R5;\n");
    if (chance(2)) {
        add("%sATOM.E.%s R%u, [R42], R%u;\n", guard(), update, result(), result());
    } else if (chance(2)) {
        add("%sRED.E.ADD [R42], R%u;\n", guard(), result());
    } else {
        const unsigned pair = quad();
        add("%sATOM.E.CAS R%u, [R42], R%u, R%u;\n", guard(), result(), pair, pair + 1);
    }
}

/* ---- lanes ---- */

static void add_lanes(void)
{
    static const char *const shuffles[] = {"IDX", "UP", "DOWN", "BFLY"}, *const votes[] = {"ALL", "ANY", "EQ"};
    static const char *const specials[] = {"SR_LANEID", "SR_TID.X",   "SR_TID.Y",  "SR_CTAID.X",
                                           "SR_EQMASK", "SR_LTMASK",  "SR_LEMASK", "SR_GTMASK",
                                           "SR_GEMASK", "SR_CLOCKLO", "SR_TID",    "SR_CLOCKHI"};
    switch (below(4)) {
    case 0:
        add("%sSHFL.%s P%u, R%u, %s, 0x%x, 0x%x;\n", guard(), shuffles[below(4)], below(6), result(),
            name_of(operand()), below(32), chance(2) ? 0x1f : below(0x2000));
        break;
    case 1:
        add("%sSHFL.%s P%u, R%u, %s, %s, %s;\n", guard(), shuffles[below(4)], below(6), result(), name_of(operand()),
            name_of(operand()), name_of(operand()));
        break;
    case 2:
        add("%sVOTE.%s R%u, P%u, %sP%u;\n", guard(), votes[below(3)], result(), below(6), chance(2) ? "!" : "",
            below(6));
        break;
    default:
        add("%sS2R R%u, %s;\n", guard(), result(), specials[below(sizeof specials / sizeof *specials)]);
        break;
    }
}

static void add_constant(void)
{
    unsigned align;
    const char *suffix = size(&align);
    if (align == 16) return;
    add_place(256, align);
    add("%sLDC%s R%u, c[0x%x][R42+0x%x];\n", guard(), suffix, quad(), below(3), below(4) * 16);
}

/* ---- control flow ---- */

static void add_body(unsigned depth, unsigned statements, bool in_loop);

/* Lanes part and meet. */
static void add_if(unsigned depth, bool in_loop)
{
    const unsigned n = labels++;
    add("SSY meet%u;\n@%sP%u BRA then%u;\n", n, chance(2) ? "!" : "", below(6), n);
    add_body(depth, 1 + below(4), in_loop);
    add("%sSYNC;\n", chance(4) ? "@P1 " : "");
    add_body(depth, 1 + below(2), in_loop);
    add("SYNC;\nthen%u:\n", n);
    add_body(depth, 1 + below(4), in_loop);
    add("SYNC;\nmeet%u:\n", n);
}

/* A branch that does without the stack. */
static void add_skip(unsigned depth, bool in_loop)
{
    const unsigned n = labels++;
    add("%sBRA skip%u;\n", guard(), n);
    add_body(depth, 1 + below(3), in_loop);
    add("skip%u:\n", n);
}

/* R44 and up count, by depth; lanes may count differently. */
static void add_count(unsigned counter)
{
    if (chance(2))
        add("MOV32I R%u, 0x%x;\n", counter, 1 + below(4));
    else
        add("LOP.AND R%u, %s, 0x3; IADD32I R%u, R%u, 0x1;\n", counter, name_of(operand()), counter, counter);
}

static void add_loop(unsigned depth)
{
    const unsigned n = labels++, counter = 44 + depth;
    add_count(counter);
    add("PBK end%u;\nloop%u: PCNT step%u;\n", n, n, n);
    add_body(depth, 1 + below(4), true);
    if (chance(2)) add("@P%u CONT;\n", below(6));
    if (chance(2)) add("@P%u BRK;\n", below(6));
    if (chance(4)) add("BRK CC.%s;\n", chance(2) ? "NEU" : "LT");
    add_body(depth, 1 + below(3), true);
    add("CONT;\nstep%u: IADD32I R%u, R%u, -0x1;\nISETP.GT.AND P6, PT, R%u, RZ, PT;\n@!P6 BRK;\nBRA loop%u;\nend%u:\n",
        n, counter, counter, counter, n, n);
}

static void add_plain_loop(unsigned depth)
{
    const unsigned n = labels++, counter = 44 + depth;
    if (chance(8))
        add_count(counter);
    else
        add("MOV32I R%u, 0x%x;\n", counter, 1 + below(5));
    add("plain%u:\n", n);
    add_body(depth, 1 + below(6), false);
    add("IADD32I R%u, R%u, -0x1;\nISETP.GT.AND P6, PT, R%u, RZ, PT;\n@P6 BRA plain%u;\n", counter, counter, counter, n);
}

/* A branch to one of few places that follow: each is two words, one bundle after the other. */
static void add_computed(unsigned depth)
{
    (void)depth;
    add("LEPC R43;\n");
    add("SSY computed%u;\nLOP.AND R42, %s, 0x1;\nIADD R42, R42, R42;\nIADD R42, R42, R42;\nSHL R42, R42, 0x3;\n",
        labels, name_of(operand()));
    /* R42: 0 or 32, a bundle, whatever its control word is. */
    add("BRX R42 0x0;\n");
    for (unsigned i = 0; i < 12; i++) add("IADD32I R%u, R%u, 0x%x;\n", FIRST + i, FIRST + i, 1 + i);
    add("SYNC;\ncomputed%u:\n", labels);
    labels++;
}

static void add_statement(unsigned depth, bool in_loop)
{
    const unsigned kind = below(24);
    if (kind == 0 && depth < MOST_DEPTH)
        add_if(depth + 1, in_loop);
    else if (kind == 1 && depth < MOST_DEPTH)
        add_loop(depth + 1);
    else if (kind == 2 && depth < MOST_DEPTH)
        add_plain_loop(depth + 1);
    else if (kind == 3 && depth < MOST_DEPTH)
        add_skip(depth + 1, in_loop);
    else if (kind == 4 && functions)
        add("CAL function%u;\n", below(functions));
    else if (kind == 5 || kind == 6)
        add_global();
    else if (kind == 7 || kind == 8)
        add_own();
    else if (kind == 9)
        add_atomic();
    else if (kind == 10)
        add_lanes();
    else if (kind == 11)
        add_constant();
    else if (kind == 12 && in_loop)
        add("@%sP%u %s;\n", chance(2) ? "!" : "", below(6), chance(2) ? "BRK" : "CONT");
    else if (kind == 13 && chance(6))
        add("@P%u EXIT;\n", below(6));
    else if (kind == 14 && chance(3))
        add_computed(depth);
    else if (kind == 15 && chance(4))
        add("SAM;\n%sFADD R%u, R%u, R%u;\nRAM;\n", "", result(), result(), result());
    else if (chance(4))
        add_simple();
    else
        add_word();
}

static void add_body(unsigned depth, unsigned statements, bool in_loop)
{
    for (unsigned n = 0; n < statements; n++) add_statement(depth, in_loop);
}

static void add_begin(void)
{
    add("S2R R0, SR_TID.X; S2R R1, SR_CTAID.X;\nIMAD R6, R1, c[0x0][0x8], R0;\n");
    add("MOV R4, c[0x0][0x140]; MOV R5, c[0x0][0x144]; SHL R7, R6, 0x8; IADD32I R7, R7, 0x%x;\n", COMMON_WORDS * 4);
    add("IADD R2.CC, R7, R4; IADD.X R3, RZ, R5;\n");
    add("SHL R42, R0, 0x2; LOP.AND R42, R42, 0x7c; SHL R43, R42, 0x1;\n");
    for (unsigned r = FIRST; r <= last; r++) {
        if (!is_short())
            add("LDC R%u, c[0x%x][R42+0x%x];\n", r, 1 + r % 2, (r - FIRST) * 12);
        else if (r < FIRST + DIFFERENT_IN_SHORT && r % 2 == 0)
            add("LDC.64 R%u, c[0x%x][R43+0x%x];\n", r, 1 + r / 2 % 2, (r - FIRST) * 16);
        else if (r >= FIRST + DIFFERENT_IN_SHORT)
            add("MOV R%u, c[0x%x][0x%x];\n", r, 1 + r % 2, (r - FIRST) * 12);
    }
    add("R2P PR, R%u, 0x7f; R2P CC, R%u, 0xf; MOV R32, R9; MOV R33, R11;\n", FIRST, FIRST + 1);
}

static void add_end(void)
{
    for (unsigned r = FIRST; r <= last; r += 4) add("STG.E.128 [R2+0x%x], R%u;\n", (r - FIRST) * 4, r);
    add("P2R R34, PR, RZ, 0x7f; P2R R35, CC, RZ, 0xf; ");
    if (!is_short()) add("STG.E.64 [R2+0x70], R32; ");
    add("STG.E.64 [R2+0x78], R34;\nEXIT;\n");
}

static void begin_program(bool is_long)
{
    length = 0;
    labels = 0;
    last = is_long ? LAST_OF_LONG : LAST_OF_SHORT;
    functions = 0;
}

static void make_program(bool is_long)
{
    begin_program(is_long);
    functions = chance(is_long ? 3 : 12) ? 1 + below(is_long ? 3 : 1) : 0;
    const unsigned parts = 1 + below(is_long || chance(8) ? 2 : 1), statements = is_long ? 8 : 5;
    add_begin();
    for (unsigned p = 0; p < parts; p++) {
        if (p && chance(2)) add("BAR.%s;\n", chance(2) ? "SYNC 0x0" : "SYNC 0x1");
        if (p && chance(4)) add("BAR.RED.POPC 0x2, P%u; B2R.RESULT R%u;\n", below(6), result());
        add_body(is_long ? 0 : MOST_DEPTH - 1, 2 + below(statements), false);
    }
    add_end();
    const unsigned count = functions;
    functions = 0;
    for (unsigned f = 0; f < count; f++) {
        add("function%u:\n", f);
        add_body(is_long ? MOST_DEPTH - 1 : MOST_DEPTH, 1 + below(statements - 3), false);
        if (chance(3)) add("@P%u RET;\n", below(6));
        add_body(is_long ? MOST_DEPTH - 1 : MOST_DEPTH, 1 + below(3), false);
        add("RET;\n");
    }
    functions = count;
}

/* Lines, of which most are one instruction. */
static void make_large_program(unsigned lines)
{
    begin_program(true);
    add_begin();
    for (unsigned n = 0; n < lines; n += 4) {
        add_statement(MOST_DEPTH - 1, false);
        for (unsigned i = 0; i < 3; i++) add_simple();
    }
    add_end();
}

/* ---- runs ---- */

struct outcome {
    enum sch_result created, compiled, ran;
    struct sch_dispatch_report report;
    struct sch_code_report code_report;
    unsigned code;
    _Alignas(16) uint32_t words[WORDS];
};

static struct sch_context *context;
static struct sch_diagnostics_list *list;
static uint32_t given[WORDS], constants[3][CONSTANTS];
static uint64_t work;

static void renew_list(void)
{
    sch_diagnostics_destroy(list);
    if (sch_diagnostics_create(context, &list) != SCH_OK) exit(1);
}

static void run(const struct sch_shader *shader, enum sch_engine engine, uint32_t width, struct outcome *outcome)
{
    const struct sch_program_options options = {.size = sizeof options, .width = width, .engine = engine};
    struct sch_program *program = NULL;
    memset(outcome, 0, sizeof *outcome);
    memcpy(outcome->words, given, sizeof given);
    renew_list();
    outcome->created = sch_program_create(context, shader, &options, list, &program);
    struct sch_constant_buffer banks[3];
    for (unsigned b = 0; b < 3; b++) banks[b] = (struct sch_constant_buffer){constants[b], sizeof constants[b]};
    const struct sch_maxwell_range range = {
        .address = BASE, .data = outcome->words, .bytes = sizeof outcome->words, .writable = true};
    const struct sch_maxwell_bindings machine = {.size = sizeof machine, .ranges = &range, .range_count = 1};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = banks, .constant_count = 3, .maxwell = &machine};
    const struct sch_dispatch_options how = {.size = sizeof how,
                                             .diagnostics = list,
                                             .private_bytes = LOCAL_BYTES,
                                             .shared_bytes = SHARED_BYTES,
                                             .threads = 1,
                                             .budget = 300,
                                             .work = work};
    outcome->report.size = sizeof outcome->report;
    outcome->code_report.size = sizeof outcome->code_report;
    if (outcome->created == SCH_OK) outcome->compiled = sch_program_compile(program, NULL, &outcome->code_report);
    if (outcome->created == SCH_OK)
        outcome->ran = sch_dispatch_grid(program, &bindings, (uint32_t[3]){BLOCKS, 1, 1}, (uint32_t[3]){THREADS, 1, 1},
                                         &how, &outcome->report);
    struct sch_diagnostic_info info = {.size = sizeof info};
    const size_t count = sch_diagnostics_count(list);
    if (count && sch_diagnostics_get(list, count - 1, &info)) outcome->code = info.code;
    if (count && getenv("SCH_PRINT")) printf("# %u: %s\n", info.code, info.message);
    sch_program_destroy(program);
}

static bool same(const struct outcome *a, const struct outcome *b, uint64_t number, uint32_t width)
{
    if (a->created != b->created || a->ran != b->ran || a->code != b->code) {
        printf("# program %llu, width %u: results %d %d %u, by machine code %d %d %u\n", (unsigned long long)number,
               width, a->created, a->ran, a->code, b->created, b->ran, b->code);
        return false;
    }
    if (a->ran == SCH_OK && a->report.instructions != b->report.instructions) {
        printf("# program %llu, width %u: %llu instructions, by machine code %llu\n", (unsigned long long)number, width,
               (unsigned long long)a->report.instructions, (unsigned long long)b->report.instructions);
        return false;
    }
    if (a->ran != SCH_OK &&
        (a->report.instruction != b->report.instruction || a->report.invocation != b->report.invocation)) {
        printf("# program %llu, width %u: fails at %u of %u, by machine code at %u of %u\n", (unsigned long long)number,
               width, a->report.instruction, a->report.invocation, b->report.instruction, b->report.invocation);
        return false;
    }
    for (unsigned w = 0; w < WORDS; w++) {
        if (a->words[w] == b->words[w]) continue;
        const unsigned own = w < COMMON_WORDS ? 0 : (w - COMMON_WORDS) % OWN_WORDS;
        printf("# program %llu, width %u: word %u (of a thread: %u) is 0x%08x, by machine code 0x%08x\n",
               (unsigned long long)number, width, w, own, a->words[w], b->words[w]);
        return false;
    }
    return true;
}

static struct sch_shader *read(void)
{
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_MAXWELL_TEXT};
    struct sch_shader *shader = NULL;
    renew_list();
    if (sch_shader_read(context, text, length, &options, list, &shader) == SCH_OK) return shader;
    struct sch_diagnostic_info info = {.size = sizeof info};
    if (sch_diagnostics_get(list, 0, &info)) printf("# line %u: %s\n", info.line, info.message);
    return NULL;
}

struct tally {
    unsigned good, failed;
};

/* What programs are compiled to: by number, or what is asked for. */
static enum sch_native_form *form, asked;

static enum sch_native_form form_of(uint64_t number)
{
    enum { ONE_IN = 8 };
    if (asked) return asked;
    const uint64_t turn = number % LONG_EACH == 0 ? number / LONG_EACH : number;
    switch (turn % ONE_IN) {
    case 1:
        return turn / ONE_IN % 2 ? SCH_NATIVE_BY_SIZE : SCH_NATIVE_FAST;
    case 2:
        return SCH_NATIVE_SMALL;
    default:
        return SCH_NATIVE_COMPACT;
    }
}

static void make_inputs(void)
{
    for (unsigned w = 0; w < WORDS; w++) given[w] = value();
    for (unsigned b = 0; b < 3; b++)
        for (unsigned w = 0; w < CONSTANTS; w++) constants[b][w] = value();
    const uint32_t fixed[] = {0x01000000, 0x03000000, THREADS, 1, 1, BLOCKS, 1, 1, LOCAL_BYTES};
    const uint64_t address = BASE;
    memcpy(constants[0], fixed, sizeof fixed);
    memcpy(&constants[0][PARAMETER], &address, sizeof address);
    work = chance(8) ? 1 + below(4000) : 0;
    if (getenv("SCH_PRINT")) printf("%.*s", (int)length, text);
}

static void begin(uint64_t number) { state = number * UINT64_C(0x123456789abcdef1) + 99; }

static bool try_program(uint64_t number, struct tally *tally)
{
    static struct outcome wanted, made;
    begin(number);
    make_program(number % LONG_EACH == 0);
    *form = form_of(number);
    make_inputs();
    struct sch_shader *shader = read();
    if (!shader) return false;
    run(shader, SCH_ENGINE_INTERPRETER, 8, &wanted);
    tally->good += wanted.ran == SCH_OK;
    tally->failed += wanted.ran != SCH_OK;
    const bool all = number % (4 * LONG_EACH) == 0;
    bool good = true;
    for (uint32_t width = 4; width <= 16 && good; width *= 2) {
        if (!all && width != (number % 4 ? 8 : 4)) continue;
        run(shader, SCH_ENGINE_JIT, width, &made);
        good = same(&wanted, &made, number, width);
    }
    sch_shader_destroy(shader);
    return good;
}

/* Machine code has another form than the usual one, but is not refused. */
static bool try_large(unsigned lines)
{
    static struct outcome wanted, made;
    begin(lines);
    make_large_program(lines);
    *form = asked;
    make_inputs();
    work = 0;
    struct sch_shader *shader = read();
    if (!shader) return false;
    run(shader, SCH_ENGINE_INTERPRETER, 8, &wanted);
    run(shader, SCH_ENGINE_JIT, 8, &made);
    sch_shader_destroy(shader);
    const struct sch_code_report *cost = &made.code_report;
    printf("# %u lines: %llu of LLVM's instructions, %.0f ms, %llu bytes\n", lines, (unsigned long long)cost->built,
           cost->build_ms + cost->passes_ms + cost->code_ms, (unsigned long long)cost->code_bytes);
    return made.compiled == SCH_OK && wanted.ran == SCH_OK && same(&wanted, &made, lines, 8);
}

static const char *load_compiler(void)
{
    static char path[4096];
    const char *build = getenv("SCH_BUILD");
    snprintf(path, sizeof path, "%s/tests/unit/libform_compiler.so", build ? build : ".");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    form = library ? dlsym(library, FORM_VARIABLE) : NULL;
    if (!form) printf("# %s\n", dlerror());
    return path;
}

int main(int argc, char **argv)
{
    uint64_t count = PROGRAMS, first = 0, bad = 0;
    unsigned lines = LARGE;
    struct tally tally = {0};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--large") == 0) lines = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--form") == 0) asked = (enum sch_native_form)strtoul(argv[i + 1], NULL, 10);
    }
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = load_compiler(), .inside = true};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    if (!form || sch_context_create(&options, &context) != SCH_OK || sch_diagnostics_create(context, &list) != SCH_OK)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was found is not lost where the test is ended */
    printf("1..2\n");
    for (uint64_t n = first; n < first + count && bad < 5; n++) {
        bad += !try_program(n, &tally);
        if ((n - first) % 1000 == 999) printf("# up to %llu\n", (unsigned long long)n);
    }
    printf("# %llu programs, of which %u end and %u fail\n", (unsigned long long)count, tally.good, tally.failed);
    const bool varied = count < PROGRAMS || (tally.good >= count / 3 && tally.failed);
    printf("%s 1 - handlers and machine code do the same\n", bad || !varied ? "not ok" : "ok");
    const bool large = !lines || try_large(lines);
    printf("%s 2 - also of a large program\n", large ? "ok" : "not ok");
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return bad || !varied || !large;
}
