/* Every Direct3D instruction that computes registers from registers, in random programs of one such instruction: random
 * modifiers, saturate, precise, masks, swizzles, register files and relative indices, operands from special values and
 * random bits, against the reference (d3d_reference.h) at every width. The instructions come from the table that
 * `scheelite list d3d` prints: one that the reference lacks fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/list_sum.h"
#include "../support/random_number.h"
#include "d3d_reference.h"

enum {
    LANES = 32,
    PROGRAMS = 96,
    LEAST_QUESTIONS = 2000,
    TEMPS = 3,
    ARRAY = 3,
    INPUTS = 5, /* v0 to v3 are data, v4 are indices */
    CONSTANTS = 8,
    RESULTS = 2 + TEMPS + ARRAY, /* o0, o1, r0, r1, r4, x0[0] to x0[2] */
    FAR = 3,                     /* the index in r4.w may lie far behind the constant buffer, which reads 0 */
    MOST_TEXT = 4096,
    MOST_ROWS = 160
};

enum file { FILE_TEMP, FILE_ARRAY, FILE_INPUT, FILE_CONSTANT, FILE_LITERAL, FILE_OUTPUT, FILE_NULL };

/* The temporaries are data, and the indices; `base` counts them. */
static const unsigned temps[TEMPS] = {0, 1, 4};

struct operand {
    enum file file;
    unsigned base, index; /* the register is base, and with `relative` the lane's r4.index more */
    bool relative, negate, absolute;
    uint8_t swizzle[4], mask;
    uint32_t literal[4];
};

struct program {
    const struct d3d_reference *row;
    struct operand results[D3D_MOST_RESULTS], sources[D3D_MOST_SOURCES];
    bool saturate;
    uint8_t precise;
    char text[MOST_TEXT];
    size_t length;
    uint32_t inputs[LANES][INPUTS][4], constants[CONSTANTS][4];
};

/* The registers of a lane. */
struct lane {
    uint32_t all[RESULTS][4];
};

struct tally {
    size_t lookups, differences;
};

/* ---- random values ---- */
static uint64_t seed = 20;
static uint32_t random_word(void) { return (uint32_t)(random_number(&seed) >> 16); }
static unsigned below(unsigned count) { return random_word() % count; }

static const uint32_t special[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00400000, /* zeros, denormals */
    0x00800000, 0x80800000, 0x00800001, 0x00ffffff, 0x01000000, 0x3f800000, 0xbf800000, /* smallest, 1 */
    0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x3effffff, 0x3fc00000, 0xc0200000, 0x40400000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffbfffff, /* inf, NaN */
    0x4b000000, 0x4affffff, 0x4b7fffff, 0xcb000001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, /* 2^23, 2^31 */
    0x4f7fffff, 0x4f800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x38800000, 0x387fc000, 0x33800000, /* 2^32, halves */
    0x337fffff, 0xb3800001, 0x43000000, 0xc3150000, 0x42fe0000, 0xc2fc0000, 0xc2fe0001, 0x40490fdb,
    0x3fc90fdb, 2,          3,          31,         32,         33,         63,         0xff,
    0xffff,     0x10000,    0x7fffffff, 0xffffffff, 0xfffffffe, 0x80000002, 0x55555555, 0xaaaaaaaa,
    0x7c00,     0xfc00,     0x7c01,     0x3ff,      0x83ff,     0x7bff,     0x400,      0x00ff00ff,
};
static uint32_t random_value(void)
{
    switch (below(6)) {
    case 0:
        return random_word();
    case 1:
        return below(40);
    case 2: /* floats around one */
        return (random_word() & 0x807fffff) | (118 + below(20)) << 23;
    case 3: /* floats with few bits */
        return (random_word() & 0x80700000) | (124 + below(10)) << 23;
    default:
        return special[below(sizeof special / sizeof *special)];
    }
}

/* High words of doubles: zeros, denormals, infinities, NaN, the ends of int, uint and float, and their like. */
static void random_double(uint32_t words[2])
{
    static const uint64_t doubles[] = {
        0,
        1,
        0x000fffffffffffff,
        0x0010000000000000,
        0x3ff0000000000000,
        0x3fefffffffffffff,
        0x3ff8000000000000,
        0x4008000000000000,
        0x7fefffffffffffff,
        0x7ff0000000000000,
        0x7ff8000000000000,
        0x7ff0000000000001,
        0x41dfffffffc00000,
        0x41dfffffffffffff,
        0x41e0000000000000,
        0x41e0000000200000,
        0x41efffffffe00000,
        0x41efffffffffffff,
        0x41f0000000000000,
        0x3810000000000000,
        0x380fffffffffffff,
        0x3800000000000000,
        0x36a0000000000000,
        0x47efffffe0000000,
        0x47effffff0000000,
        0x3ff0000010000000,
    };
    uint64_t bits = doubles[below(sizeof doubles / sizeof *doubles)] | (uint64_t)below(2) << 63;
    if (below(3) == 0) bits = (uint64_t)random_word() << 32 | random_word();
    if (below(4) == 0)
        bits = (uint64_t)(random_word() & 0x800fffff) << 32 | random_word() | (uint64_t)(1000 + below(60)) << 52;
    words[0] = (uint32_t)bits;
    words[1] = (uint32_t)(bits >> 32);
}

static void random_register(uint32_t words[4], bool doubles)
{
    for (unsigned c = 0; c < 4; c++) words[c] = random_value();
    if (!doubles) return;
    random_double(words);
    random_double(words + 2);
}

/* ---- random operands ---- */
static bool is_wide(char type) { return type == 'd'; }

static void choose_register(struct operand *o, unsigned registers)
{
    o->relative = below(2);
    o->index = below(FAR);
    o->base = below(o->relative ? registers - 1 : registers); /* indices are 0 and 1 */
}

static void choose_swizzle(struct operand *o, char type)
{
    for (unsigned c = 0; c < 4; c++) o->swizzle[c] = (uint8_t)below(4);
    for (unsigned pair = 0; is_wide(type) && pair < 2; pair++) {
        o->swizzle[2 * pair] = o->swizzle[2 * pair] & 2;
        o->swizzle[2 * pair + 1] = o->swizzle[2 * pair] | 1;
    }
}

static bool takes_modifiers(const char *name)
{
    return strcmp(name, "and") && strcmp(name, "or") && strcmp(name, "xor") && strcmp(name, "not");
}

static void choose_source(struct operand *o, const char *name, char type)
{
    static const unsigned registers[] = {[FILE_ARRAY] = ARRAY, [FILE_INPUT] = 4, [FILE_CONSTANT] = CONSTANTS};
    *o = (struct operand){.file = (enum file)below(is_wide(type) ? FILE_LITERAL : FILE_LITERAL + 1)};
    choose_swizzle(o, type);
    if (o->file == FILE_TEMP) o->base = below(TEMPS);
    if (o->file == FILE_ARRAY || o->file == FILE_INPUT || o->file == FILE_CONSTANT)
        choose_register(o, registers[o->file]);
    if (o->file == FILE_CONSTANT && o->relative && below(4) == 0) o->index = FAR;
    if (o->file == FILE_LITERAL) {
        random_register(o->literal, false);
        for (unsigned c = 0; c < 4; c++) o->swizzle[c] = (uint8_t)c;
        return;
    }
    o->negate = takes_modifiers(name) && below(3) == 0;
    o->absolute = takes_modifiers(name) && type != 'i' && type != 'u' && below(3) == 0;
}

static uint8_t choose_mask(const struct d3d_reference *row, char type)
{
    static const uint8_t pairs[] = {0x3, 0xc, 0xf}, two[] = {1, 2, 4, 8, 3, 5, 6, 9, 10, 12};
    if (is_wide(type)) return pairs[below(3)];
    if (is_wide(d3d_reference_source_type(row, 0))) return two[below(10)];
    return (uint8_t)(1 + below(15));
}

static void choose_result(struct operand *o, unsigned n, const struct d3d_reference *row)
{
    static const enum file files[] = {FILE_TEMP, FILE_ARRAY, FILE_OUTPUT};
    *o = (struct operand){.file = files[below(3)], .mask = choose_mask(row, d3d_reference_result_type(row, n))};
    if (o->file == FILE_TEMP) o->base = below(TEMPS);
    if (o->file == FILE_ARRAY) choose_register(o, ARRAY);
    if (o->file == FILE_OUTPUT) o->base = n;
}

/* Two results never share a register: which is written last is not said. */
static bool results_overlap(const struct operand *a, const struct operand *b)
{
    if (a->file == FILE_TEMP) return b->file == FILE_TEMP && a->base == b->base;
    return a->file == FILE_ARRAY && b->file == FILE_ARRAY;
}

/* Often a source is a result's register, too. */
static void choose_overlap(struct program *p)
{
    unsigned sources = d3d_reference_sources(p->row);
    const struct operand *o = &p->results[below(d3d_reference_results(p->row))];
    struct operand *from = &p->sources[below(sources)];
    if (o->file != FILE_TEMP && o->file != FILE_ARRAY) return;
    if (from->file == FILE_LITERAL || below(2)) return;
    from->file = o->file;
    from->base = o->base;
    from->index = o->index;
    from->relative = o->relative;
}

/* ---- the program's text ---- */
__attribute__((format(printf, 2, 3))) static void write_text(struct program *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(p->text + p->length, MOST_TEXT - p->length, format, arguments);
    va_end(arguments);
    assert_in_range(count, 0, MOST_TEXT - p->length - 1);
    p->length += (size_t)count;
}

static void write_register(struct program *p, const struct operand *o)
{
    static const char *const bare[] = {"r%u", "x0[%u]", "v%u", "cb0[%u]", "", "o%u", "null"};
    static const char *const relative[] = {"", "x0[r4.%c + %u]", "v[r4.%c + %u]", "cb0[r4.%c + %u]", "", "", ""};
    char name[32];
    if (o->relative)
        snprintf(name, sizeof name, relative[o->file], "xyzw"[o->index], o -> base);
    else
        snprintf(name, sizeof name, bare[o->file], o->file == FILE_TEMP ? temps[o->base] : o->base);
    write_text(p, "%s", name);
}

static void write_source(struct program *p, const struct operand *o)
{
    write_text(p, ", ");
    if (o->file == FILE_LITERAL) {
        write_text(p, "l(%u, %u, %u, %u)", o->literal[0], o->literal[1], o->literal[2], o->literal[3]);
        return;
    }
    write_text(p, "%s%s", o->negate ? "-" : "", o->absolute ? "|" : "");
    write_register(p, o);
    write_text(p, ".");
    for (unsigned c = 0; c < 4; c++) write_text(p, "%c", "xyzw"[o->swizzle[c]]);
    write_text(p, "%s", o->absolute ? "|" : "");
}

static void write_mask(struct program *p, uint8_t mask)
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) write_text(p, "%c", "xyzw"[c]);
}

static void write_instruction(struct program *p)
{
    const struct d3d_reference *row = p->row;
    write_text(p, "%s%s ", row->name, p->saturate ? "_sat" : "");
    if (p->precise) {
        write_text(p, "[precise(");
        write_mask(p, p->precise);
        write_text(p, ")] ");
    }
    for (unsigned n = 0; n < d3d_reference_results(row); n++) {
        if (n) write_text(p, ", ");
        write_register(p, &p->results[n]);
        if (p->results[n].file == FILE_NULL) continue;
        write_text(p, ".");
        write_mask(p, p->results[n].mask);
    }
    for (unsigned n = 0; n < d3d_reference_sources(row); n++) write_source(p, &p->sources[n]);
    write_text(p, "\n");
}

/* The registers begin as lane_begin has them, and end in the outputs. */
static void write_program(struct program *p, bool pixels, unsigned model)
{
    write_text(p, "%s_%u_0\n", pixels ? "ps" : "vs", model / 10);
    if (model >= 50)
        write_text(p, "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | "
                      "enable11_1DoubleExtensions | enable11_1ShaderExtensions\n");
    write_text(p, "dcl_constantbuffer CB0[8], dynamicIndexed\n");
    for (unsigned n = 0; n < INPUTS; n++) write_text(p, "dcl_input%s v%u.xyzw\n", pixels ? "_ps constant" : "", n);
    write_text(p, "dcl_indexrange v0.xyzw 4\n");
    for (unsigned n = 0; n < RESULTS; n++) write_text(p, "dcl_output o%u.xyzw\n", n);
    write_text(p, "dcl_temps 5\ndcl_indexableTemp x0[%u], 4\n", ARRAY);
    for (unsigned n = 0; n < 2; n++) write_text(p, "mov o%u.xyzw, cb0[%u].xyzw\n", n, n);
    for (unsigned n = 0; n < TEMPS; n++) write_text(p, "mov r%u.xyzw, v%u.xyzw\n", temps[n], temps[n]);
    for (unsigned n = 0; n < ARRAY; n++) write_text(p, "mov x0[%u].xyzw, v%u.zwxy\n", n, n + 1);
    write_instruction(p);
    for (unsigned n = 0; n < TEMPS; n++) write_text(p, "mov o%u.xyzw, r%u.xyzw\n", 2 + n, temps[n]);
    for (unsigned n = 0; n < ARRAY; n++) write_text(p, "mov o%u.xyzw, x0[%u].xyzw\n", 2 + TEMPS + n, n);
    write_text(p, "ret\n");
}

static void lane_begin(const struct program *p, unsigned lane, struct lane *out)
{
    memcpy(out->all, p->constants, 2 * sizeof *out->all);
    for (unsigned n = 0; n < TEMPS; n++) memcpy(out->all[2 + n], p->inputs[lane][temps[n]], sizeof *out->all);
    for (unsigned n = 0; n < ARRAY; n++)
        for (unsigned c = 0; c < 4; c++) out->all[2 + TEMPS + n][c] = p->inputs[lane][n + 1][(c + 2) % 4];
}

/* ---- random programs ---- */
static void choose_data(struct program *p)
{
    bool doubles = strchr(p->row->types, 'd') && below(8);
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned n = 0; n + 1 < INPUTS; n++) random_register(p->inputs[lane][n], doubles);
        for (unsigned c = 0; c < 4; c++) p->inputs[lane][INPUTS - 1][c] = below(2);
        if (below(2)) p->inputs[lane][INPUTS - 1][FAR] = CONSTANTS + below(0x7ffffff0);
    }
    for (unsigned n = 0; n < CONSTANTS; n++) random_register(p->constants[n], doubles);
}

static void choose_program(struct program *p, const struct d3d_reference *row, const struct sch_d3d_opcode_info *view,
                           bool pixels)
{
    unsigned results = d3d_reference_results(row);
    char type = d3d_reference_result_type(row, 0);
    memset(p, 0, sizeof *p);
    p->row = row;
    p->saturate = (type == 'f' || type == 'x' || type == 'd') && below(3) == 0;
    unsigned model = below(3) ? 50 : view->model;
    p->precise = (uint8_t)(model < 50 || below(3) ? 0 : 1 + below(15));
    for (unsigned n = 0; n < results; n++) choose_result(&p->results[n], n, row);
    while (results == 2 && results_overlap(&p->results[0], &p->results[1])) choose_result(&p->results[1], 1, row);
    unsigned dropped = below(8); /* N in the table: the result may be null */
    if (dropped < results && view->operands[3 * dropped] == 'N')
        p->results[dropped] = (struct operand){.file = FILE_NULL};
    for (unsigned n = 0; n < d3d_reference_sources(row); n++)
        choose_source(&p->sources[n], row->name, d3d_reference_source_type(row, n));
    choose_overlap(p);
    choose_data(p);
    write_program(p, pixels, model);
}

/* ---- what the reference answers ---- */
static unsigned place(const struct program *p, const struct operand *o, unsigned lane)
{
    return o->base + (o->relative ? p->inputs[lane][INPUTS - 1][o->index] : 0);
}

static void fetch(const struct program *p, const struct operand *o, unsigned lane, uint32_t words[4])
{
    struct lane begin;
    lane_begin(p, lane, &begin);
    static const uint32_t outside[4];
    unsigned n = place(p, o, lane);
    const uint32_t *from = o->file == FILE_TEMP       ? begin.all[2 + n]
                           : o->file == FILE_ARRAY    ? begin.all[2 + TEMPS + n]
                           : o->file == FILE_INPUT    ? p->inputs[lane][n]
                           : o->file == FILE_CONSTANT ? n < CONSTANTS ? p->constants[n] : outside
                                                      : o->literal;
    for (unsigned c = 0; c < 4; c++) words[c] = from[o->swizzle[c]];
}

static void ask(const struct program *p, unsigned lane, struct d3d_answers *answers)
{
    struct d3d_lookup q = {.lane = lane % 4, .saturate = p->saturate, .precise = p->precise != 0};
    for (unsigned n = 0; n < d3d_reference_results(p->row); n++) q.mask[n] = p->results[n].mask;
    for (unsigned n = 0; n < d3d_reference_sources(p->row); n++) {
        fetch(p, &p->sources[n], lane, q.source[n]);
        q.negate[n] = p->sources[n].negate;
        q.absolute[n] = p->sources[n].absolute;
    }
    for (unsigned n = 0; n < 4; n++) fetch(p, &p->sources[0], lane / 4 * 4 + n, q.quad[n]);
    p->row->answer(p->row, &q, answers);
}

static void explain(const struct program *p, unsigned lane, unsigned n, unsigned c, uint32_t wanted, uint32_t found)
{
    const char *line = strstr(p->text, "mov x0[2]");
    line = strchr(line, '\n') + 1;
    print_message("# %.*s: lane %u, result %u of type %c, component %c: %08x, not %08x; sources",
                  (int)strcspn(line, "\n"), line, lane, n, d3d_reference_result_type(p->row, n < 2 ? n : 0), "xyzw"[c],
                  found, wanted);
    for (unsigned s = 0; s < d3d_reference_sources(p->row); s++) {
        uint32_t words[4];
        fetch(p, &p->sources[s], lane, words);
        print_message(" (%08x %08x %08x %08x)", words[0], words[1], words[2], words[3]);
    }
    print_message("\n");
}

static void compare_lane(const struct program *p, unsigned lane, const struct lane *found, struct tally *tally)
{
    enum { MOST_SHOWN = 4 };
    struct d3d_answers answers;
    struct lane begin;
    const struct d3d_answer *wanted[RESULTS][4] = {{NULL}};
    unsigned from[RESULTS] = {0};
    memset(&answers, 0, sizeof answers);
    lane_begin(p, lane, &begin);
    ask(p, lane, &answers);
    for (unsigned n = 0; n < d3d_reference_results(p->row); n++) {
        const struct operand *o = &p->results[n];
        if (o->file == FILE_NULL) continue;
        unsigned to = place(p, o, lane) + (o->file == FILE_TEMP ? 2 : o->file == FILE_ARRAY ? 2 + TEMPS : 0);
        from[to] = n;
        for (unsigned c = 0; c < 4; c++)
            if (o->mask >> c & 1) wanted[to][c] = &answers.of[n][c];
    }
    for (unsigned i = 0; i < RESULTS * 4; i++) {
        unsigned n = i / 4, c = i % 4;
        const struct d3d_answer kept = {.bits = begin.all[n][c]};
        const struct d3d_answer *answer = wanted[n][c] ? wanted[n][c] : &kept;
        tally->lookups += wanted[n][c] != NULL;
        if (d3d_answer_holds(answer, found->all[n][c])) continue;
        if (tally->differences++ < MOST_SHOWN) explain(p, lane, from[n], c, answer->bits, found->all[n][c]);
    }
}

/* ---- running ---- */
static void refused(const struct program *p, const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view, .message = "?"};
    for (size_t i = 0; i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) break;
    fail_msg("%sline %u: %u %s", p->text, view.line, view.code, view.message);
}

static void run(const struct program *p, const struct sch_program *program, bool pixels, struct lane found[LANES])
{
    struct sch_constant_buffer buffer = {.data = p->constants, .bytes = sizeof p->constants};
    struct sch_bindings bindings = {.size = sizeof bindings, .constants = &buffer, .constant_count = 1};
    struct sch_invocations work = {.size = sizeof work,
                                   .count = LANES,
                                   .quads = pixels,
                                   .inputs = p->inputs[0][0],
                                   .input_bytes = sizeof p->inputs,
                                   .input_registers = INPUTS,
                                   .outputs = found[0].all[0],
                                   .output_bytes = LANES * sizeof *found,
                                   .output_registers = RESULTS};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
}

static void run_widths(struct sch_context *context, const struct program *p, bool pixels, struct tally *tally)
{
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_D3D_ASM};
    if (sch_shader_read(context, p->text, p->length, &read, list, &shader) != SCH_OK) refused(p, list);
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct lane found[LANES];
        struct tally of_width = {.differences = tally->differences};
        struct sch_program_options options = {.size = sizeof options, .width = width};
        struct sch_program *program;
        if (sch_program_create(context, shader, &options, list, &program) != SCH_OK) refused(p, list);
        memset(found, 0xa5, sizeof found);
        run(p, program, pixels, found);
        for (unsigned lane = 0; lane < LANES; lane++) compare_lane(p, lane, &found[lane], &of_width);
        sch_program_destroy(program);
        tally->differences = of_width.differences;
        if (width == 16) tally->lookups += of_width.lookups; /* the same lookup at each width counts once */
    }
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
}

/* The reference and the table agree on what results and sources there are, and on their types. */
static void compare_types(const struct d3d_reference *row, const char *operands)
{
    char types[16] = "";
    size_t count = 0;
    bool sources = false;
    for (const char *at = operands; *at; at += at[2] ? 3 : 2) {
        if (at[0] == 'S' && !sources) types[count++] = '=';
        sources |= at[0] == 'S';
        types[count++] = at[1];
        assert_in_range(count, 1, sizeof types - 2);
    }
    assert_string_equal(types, row->types);
}

static void test_row(void **state)
{
    const char *name = *state;
    const struct d3d_reference *row = d3d_reference_find(name);
    if (!row) fail_msg("%s: the reference does not have it", name);
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_d3d(i, &view) && strcmp(view.name, name); i++) continue;
    compare_types(row, view.operands);
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct program *program = malloc(sizeof *program);
    assert_non_null(program);
    struct tally tally = {0};
    const unsigned share = getenv("SCH_PART") ? 4 : 1;
    for (unsigned n = 0; n < PROGRAMS / share; n++) {
        bool pixels = !strchr(view.stages, 'v') || below(2);
        choose_program(program, row, &view, pixels);
        run_widths(context, program, pixels, &tally);
    }
    free(program);
    sch_context_destroy(context);
    print_message("# %-16s %5zu lookups, %zu differences\n", name, tally.lookups, tally.differences);
    assert_in_range(tally.lookups, LEAST_QUESTIONS / share, SIZE_MAX);
    assert_int_equal(tally.differences, 0);
}

/* The column of types: "f=f,f" as "f=ff", "any" as x. */
static void read_types(const char *column, char types[16])
{
    size_t count = 0;
    for (; *column && count < 15; column++) {
        if (*column == ',') continue;
        types[count++] = strncmp(column, "any", 3) ? *column : 'x';
        if (types[count - 1] == 'x') column += 2;
    }
    types[count] = 0;
}

/* The rows of the specification that say the types of sources and results, in their order, sum up to this. */
#define TYPES_SUM "ded4482e1e26b36b"
enum { TYPED_ROWS = 91 };

/* Those that the reference has beside them: the list says their types in words. */
static bool is_untyped(const char *name)
{
    static const char *const names[] = {"mov", "swapc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void check_list(FILE *file)
{
    enum { NUMBER = 1, NAME = 2, TYPES = 6 };
    char line[4096];
    struct list_sum *sum = list_sum_begin();
    while (fgets(line, sizeof line, file)) {
        char *fields[TYPES + 1] = {line}, types[16];
        for (unsigned n = 0; n < TYPES && fields[n]; n++) {
            char *tab = strchr(fields[n], '\t');
            if (!tab) break;
            *tab = 0;
            fields[n + 1] = tab + 1;
        }
        if (!fields[TYPES]) continue;
        fields[TYPES][strcspn(fields[TYPES], "\t")] = 0;
        const struct d3d_reference *row = d3d_reference_find(fields[NAME]);
        if (!row || !strchr(fields[TYPES], '=')) continue;
        read_types(fields[TYPES], types);
        if (is_untyped(row->name)) fail_msg("%s has types in the list", row->name);
        list_sum_say(sum, (unsigned)atoi(fields[NUMBER]), "%s %s", row->name, types);
    }
    assert_string_equal(list_sum_end(sum), TYPES_SUM);
}

/* The reference's types are those of the specification, where that says them of sources and results. */
static void test_specification(void **state)
{
    (void)state;
    struct list_sum *sum = list_sum_begin();
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    unsigned rows = 0;
    for (size_t i = 0; sch_table_d3d(i, &view); i++) {
        const struct d3d_reference *row = d3d_reference_find(view.name);
        if (!row || is_untyped(row->name)) continue;
        list_sum_say(sum, view.number, "%s %s", row->name, row->types);
        rows++;
    }
    assert_int_equal(rows, TYPED_ROWS);
    assert_string_equal(list_sum_end(sum), TYPES_SUM);
    char path[4096];
    const char *shared = getenv("SCH_SHARED");
    snprintf(path, sizeof path, "%s/spec/sm4_opcodes.tsv", shared ? shared : "");
    FILE *file = fopen(path, "r");
    if (!file) return;
    check_list(file);
    fclose(file);
}

/* Registers from registers: no resource, no single component, no jump. Interpolation is test_interp.c's. */
static bool computes(const struct sch_d3d_opcode_info *view)
{
    if (!*view->operands || !strncmp(view->name, "eval_", 5)) return false;
    for (const char *at = view->operands; *at; at += at[2] ? 3 : 2)
        if (!strchr("DNS", at[0])) return false;
    return true;
}

int main(void)
{
    static struct CMUnitTest tests[MOST_ROWS];
    size_t count = 0;
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_specification);
    for (size_t i = 0; sch_table_d3d(i, &view) && count < MOST_ROWS; i++)
        if (computes(&view))
            tests[count++] = (struct CMUnitTest){view.name, test_row, NULL, NULL, (void *)(uintptr_t)view.name};
    return _cmocka_run_group_tests("d3d opcodes", tests, count, NULL, NULL);
}
