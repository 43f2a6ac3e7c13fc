/* Maxwell's instructions other than texture operations: our own list (tests/corpus/maxwell/general.tsv), which has
 * words of every form; what reading and printing promise; reports. Where the shared folder is there, its golden tables:
 * all words of all operations, control slots, and every value of every field. SCH_GOLDEN=FOLDER writes our own list
 * there, as it is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/sanitizer.h"
#include "isa/errors.h"
#include "maxwell/text/code.h"
#include "maxwell/text/template.h"

enum { LINE = 600, COLUMNS = 5 };

static const struct sch_position start = {.line = 1, .column = 1};

/* ---- rows of files ---- */

static FILE *own_list(const char *mode)
{
    char path[1024];
    const char *source = getenv("SCH_SOURCE");
    if (*mode == 'w')
        snprintf(path, sizeof path, "%s/general.tsv", getenv("SCH_GOLDEN"));
    else
        snprintf(path, sizeof path, "%s/tests/corpus/maxwell/general.tsv", source ? source : ".");
    FILE *file = fopen(path, mode);
    if (!file) fail_msg("no %s", path);
    return file;
}

/* NULL: no shared folder. */
static FILE *shared_list(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/corpus/maxwell/isa/%s.tsv", getenv("SCH_SHARED") ? getenv("SCH_SHARED") : "", name);
    return fopen(path, "r");
}

struct row {
    char line[LINE];
    char *column[COLUMNS];
    unsigned columns;
};

static bool next_row(FILE *file, struct row *row)
{
    if (!fgets(row->line, sizeof row->line, file)) return false;
    row->line[strcspn(row->line, "\n")] = 0;
    row->columns = 0;
    for (char *at = row->line; at && row->columns < COLUMNS;) {
        row->column[row->columns++] = at;
        at = strchr(at, '\t');
        if (at) *at++ = 0;
    }
    return true;
}

static uint64_t hex(const char *text) { return strtoull(text, NULL, 16); }

/* The golden texts have runs of blanks collapsed: nvdisasm pads its names of values without a meaning. */
static void collapse(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || to == text || to[-1] != ' ') *to++ = *from;
    *to = 0;
}

static bool is_refusal(const char *text) { return strncmp(text, "!error", 6) == 0; }

static bool is_texture(uint64_t word)
{
    struct sch_maxwell_instruction instruction;
    return sch_maxwell_decode(word, SCH_MAXWELL_SM_50, &instruction);
}

/* ---- what must hold of a word ---- */

/* How its text comes back. */
enum back { SAME, UNSAID, WRONG };

/* Read again, the text is the word but for what the printer says that it does not show, and is printed alike. */
static enum back comes_back(uint64_t word, uint32_t slot, uint32_t address, const struct sch_maxwell_code_text *text)
{
    uint64_t again = 0;
    uint32_t marks = 0;
    struct sch_maxwell_code_text printed;
    if (sch_maxwell_code_parse(text->text, strlen(text->text), start, address, NULL, &again, &marks, NULL) != SCH_OK ||
        (again ^ text->unsaid) != word || marks != text->marks ||
        !sch_maxwell_code_text(again, slot, address, &printed) || strcmp(printed.text, text->text) != 0 ||
        printed.unsaid)
        return WRONG;
    return again == word ? SAME : UNSAID;
}

/* As a line of a listing: with its semicolon. */
static bool prints(const struct sch_maxwell_code_text *text, uint32_t slot, const char *expected)
{
    char line[SCH_MAXWELL_LAID_OUT];
    sch_maxwell_lay_out(text->text, slot, false, line);
    collapse(line);
    return strcmp(line, expected) == 0;
}

/* ---- our own list ---- */

/* Fields of a word: registers that differ from each other, or bits that look random. */
static uint64_t filled(const struct sch_maxwell_code_form *form, unsigned turn)
{
    const uint64_t plain = UINT64_C(4) << 39 | 3 << 20 | 7 << 16 | 2 << 8 | 1;
    uint64_t bits = form->match * UINT64_C(0x9e3779b97f4a7c15) + turn * UINT64_C(0xd1342543de82ef95);
    bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return form->match | ((turn ? bits ^ bits >> 32 : plain) & ~form->mask);
}

static bool means_something(const struct sch_maxwell_code_text *text)
{
    return !strstr(text->text, "INVALID") && !strstr(text->text, "?"
                                                                 "?"
                                                                 "?");
}

/* Three words of each form, as far as there are such: a plain one, and two with bits set here and there. */
static void write_list(void)
{
    FILE *file = own_list("w");
    fputs("hex64\tform\ttext\n", file);
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        for (unsigned turn = 0, found = 0; turn < 4000 && found < 3; turn++) {
            struct sch_maxwell_code_text text;
            const uint64_t word = filled(form, turn);
            if (sch_maxwell_code_form_of(word) != form || is_texture(word) ||
                !sch_maxwell_code_text(word, 0x7e0, 8, &text) || (turn < 3000 && !means_something(&text)))
                continue;
            fprintf(file, "%016llx\t%s %s\t%s;\n", (unsigned long long)word,
                    sch_maxwell_code_operations[form->operation].name, form->name, text.text);
            found++;
        }
    }
    assert_int_equal(fclose(file), 0);
}

static void every_form_has_words(void **state)
{
    (void)state;
    if (getenv("SCH_GOLDEN")) write_list();
    FILE *file = own_list("r");
    struct row row;
    size_t rows = 0, failed = 0;
    bool *seen = calloc(sch_maxwell_code_form_count, sizeof *seen);
    assert_non_null(seen);
    assert_true(next_row(file, &row));
    while (next_row(file, &row)) {
        struct sch_maxwell_code_text text = {.text = ""};
        char name[64];
        const uint64_t word = hex(row.column[0]);
        const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(word);
        rows++;
        bool good = row.columns == 3 && form && sch_maxwell_code_known(word, NULL) && !is_texture(word) &&
                    sch_maxwell_code_text(word, 0x7e0, 8, &text) && prints(&text, 0x7e0, row.column[2]) &&
                    comes_back(word, 0x7e0, 8, &text) != WRONG;
        if (form) {
            snprintf(name, sizeof name, "%s %s", sch_maxwell_code_operations[form->operation].name, form->name);
            good = good && strcmp(name, row.column[1]) == 0;
            seen[form - sch_maxwell_code_forms] = true;
        }
        if (!good && failed++ < 10) print_message("# %s %s: %s\n", row.column[0], row.column[2], text.text);
    }
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++)
        if (!seen[i])
            fail_msg("%s %s has no word", sch_maxwell_code_operations[sch_maxwell_code_forms[i].operation].name,
                     sch_maxwell_code_forms[i].name);
    free(seen);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(failed, 0);
    print_message("# %zu words of %zu forms\n", rows, sch_maxwell_code_form_count);
}

/* ---- the tables ---- */

/* Every token of every template is one that is known, with a field and, where it names a table, one that is there. */
static void templates_are_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        struct sch_maxwell_token token;
        if (form->match & ~form->mask) fail_msg("%s: fixed bits outside of the mask", form->template);
        for (const char *at = form->template; sch_maxwell_token_next(&at, &token);) {
            if (token.kind == SCH_MAXWELL_TOKEN_WRONG)
                fail_msg("%s: %.*s", form->template, (int)token.bytes, token.text);
            if (token.kind == SCH_MAXWELL_TOKEN_MODIFIER) {
                const struct sch_maxwell_token name = sch_maxwell_argument(&token, 1);
                const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
                const char *bits_at = token.text, *text;
                const struct sch_maxwell_bits bits = sch_maxwell_argument_bits(&bits_at, token.text + token.bytes);
                size_t bytes;
                if (!bits.width || *bits_at != ':' ||
                    !sch_maxwell_texts_at(&texts, ((size_t)1 << bits.width) - 1, &text, &bytes))
                    fail_msg("%s: %.*s", form->template, (int)token.bytes, token.text);
            }
            if (token.kind == SCH_MAXWELL_TOKEN_REGISTER) {
                const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(&token);
                if (!d.number.width || (d.suffix.width && !d.suffixes.table))
                    fail_msg("%s: %.*s", form->template, (int)token.bytes, token.text);
            }
        }
    }
    for (size_t i = 0; i < sch_maxwell_code_operation_count; i++) {
        const char *name = sch_maxwell_code_operations[i].name;
        assert_int_equal(sch_maxwell_code_operation_find(name, strlen(name)), i);
        bool has_form = false;
        for (size_t k = 0; k < sch_maxwell_code_form_count; k++) has_form |= sch_maxwell_code_forms[k].operation == i;
        assert_true(has_form);
    }
    assert_int_equal(sch_maxwell_code_operation_count, 135);
}

/* No form is hidden by the ones before it. */
static void forms_are_reached(void **state)
{
    (void)state;
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        bool reached = false;
        for (unsigned turn = 0; turn < 100 && !reached; turn++)
            reached = sch_maxwell_code_form_of(filled(form, turn)) == form;
        if (!reached) fail_msg("%s %s", sch_maxwell_code_operations[form->operation].name, form->name);
    }
}

/* Words at random, in the fixed bits of each form and without: what is printed is read as the same word. */
static void random_words_come_back(void **state)
{
    (void)state;
    size_t known = 0, words = 0;
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++)
        for (unsigned turn = 0; turn < 300; turn++) {
            struct sch_maxwell_code_text text;
            const uint64_t word = turn % 3 ? filled(&sch_maxwell_code_forms[i], turn)
                                           : filled(&sch_maxwell_code_forms[i], turn) ^ UINT64_C(1) << (turn % 64);
            const uint32_t slot = (uint32_t)(word >> 13) & 0x1fffff, address = (uint32_t)word & 0xfffff8;
            words++;
            if (!sch_maxwell_code_text(word, slot, address, &text)) {
                assert_false(sch_maxwell_code_known(word, NULL));
                assert_string_equal(text.text, "");
                assert_non_null(sch_maxwell_code_reason(word));
                continue;
            }
            known++;
            bool meaningless;
            assert_true(sch_maxwell_code_known(word, &meaningless));
            if (meaningless == means_something(&text) && !strstr(text.text, "INVALIDPHASE")) fail_msg("%s", text.text);
            if (comes_back(word, slot, address, &text) == WRONG)
                fail_msg("%016llx: %s", (unsigned long long)word, text.text);
        }
    print_message("# %zu words, %zu instructions\n", words, known);
}

/* ---- text ---- */

static enum sch_result read_one(const char *text, uint64_t *word, uint32_t *marks, struct sch_diagnostics *list)
{
    sch_diagnostics_init(list, &sch_allocator_libc, 4);
    return sch_maxwell_code_parse(text, strlen(text), start, 0x48, list, word, marks, NULL);
}

/* What people write besides nvdisasm's text: order, blanks, numbers. */
static void other_spellings_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *same;
    } rows[] = {
        {"  IADD.X.SAT R1 , R2,R3", "IADD.SAT.X R1, R2, R3"},
        {"IADD R1, R2, 16", "IADD R1, R2, 0x10"},
        {"IADD R1, R2, -0X10", "IADD R1, R2, -0x10"},
        {"@PT IADD R1, R2, R3", "IADD R1, R2, R3"},
        {"FADD.SAT.RZ.FTZ R1, - | R2 |, 1.50", "FADD.FTZ.RZ.SAT R1, -|R2|, 1.5"},
        {"FADD R1, R2, 15e-1", "FADD R1, R2, 1.5"},
        {"FADD R1, R2, -0.0", "FADD R1, R2, -0.0 "},
        {"MOV R1, c[0][32]", "MOV R1, c[0x0][0x20]"},
        {"XMAD.MRG.PSL R1, R2, c[0x1][0x4].H1, R3", "XMAD.PSL.MRG R1, R2, c[0x1] [0x4].H1, R3"},
        {"LDG.E.64 R2, [ R4 + 16 ]", "LDG.E.64 R2, [R4+0x10]"},
        {"LDG.E R1, [R2-0x10]", "LDG.E R1, [R2+-0x10]"},
        {"LDC R1, c[0x0][R2 -4]", "LDC R1, c[0x0][R2+-0x4]"},
        {"LDG R2, [RZ]", "LDG R2, [RZ]"},
        {"LDG R2, [RZ+0x10]", "LDG R2, [0x10]"},
        {"ISETP.AND.LT P0, PT, R1, R2, PT", "ISETP.LT.AND P0, PT, R1, R2, PT"},
        {"PSETP.OR.AND P0, PT, P1, P2, P3", "PSETP.OR.AND P0, PT, P1, P2, P3"},
        {"F2F.F16.F32 R1, R2", "F2F.F16.F32 R1, R2"},
        {"NOP CC.T", "NOP"},
        {"BRA 80", "BRA 0x50"},
        {"BRX R4 + 8", "BRX R4 0x8"},
        {"BAR.SYNC 0, 0", "BAR.SYNC 0x0"},
        {"DEPBAR { 5 , 0 }", "DEPBAR {5,0}"},
        {"IADD R1, R2.reuse, R3", "IADD R1, R2, R3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics list;
        struct sch_maxwell_code_text text = {.text = ""};
        uint64_t word = 0;
        uint32_t marks = 0;
        if (read_one(rows[i].text, &word, &marks, &list) != SCH_OK)
            fail_msg("%s: %s", rows[i].text, list.count ? list.items[0].message : "");
        sch_diagnostics_release(&list);
        assert_true(sch_maxwell_code_text(word, 0x7e0, 0x48, &text));
        if (strcmp(text.text, rows[i].same) != 0) fail_msg("%s: %s", rows[i].text, text.text);
        assert_int_equal(marks, strstr(rows[i].text, ".reuse") ? 1 << 17 : 0);
    }
}

static const struct {
    const char *text;
    unsigned code, column;
} mistakes[] = {
    {"", SCH_D_MAXWELL_OPERATION, 1},
    {"@P0", SCH_D_MAXWELL_OPERATION, 4},
    {"@P7 IADD R1, R2, R3", SCH_D_MAXWELL_GUARD, 1},
    {"@P0 SAM", SCH_D_MAXWELL_GUARD, 1},
    {"IAD R1, R2, R3", SCH_D_MAXWELL_OPERATION, 1},
    {"IADD. R1, R2, R3", SCH_D_MAXWELL_MODIFIER, 5},
    {"IADD.FTZ R1, R2, R3", SCH_D_MAXWELL_MODIFIER, 6},
    {"IADD.X.X R1, R2, R3", SCH_D_MAXWELL_MODIFIER, 8},
    {"MUFU R1, R2", SCH_D_MAXWELL_MODIFIER_MISSING, 5},
    {"MUFU.FOO R1, R2", SCH_D_MAXWELL_MODIFIER, 6},
    {"I2F.S32.FOO R1, R2", SCH_D_MAXWELL_MODIFIER, 9},
    {"ISETP.U32.AND P0, PT, R1, R2, PT", SCH_D_MAXWELL_MODIFIER_MISSING, 14},
    {"MOV R1, -0x80001", SCH_D_MAXWELL_NUMBER_RANGE, 9},
    {"IADD R1, -1, R2", SCH_D_MAXWELL_REGISTER, 10},
    {"LDG.E R1, [R2-0x800001]", SCH_D_MAXWELL_NUMBER_RANGE, 14},
    {"LDG.E R1, [RZ-4]", SCH_D_MAXWELL_NUMBER_RANGE, 14},
    {"LEA.HI R1, R2, R3", SCH_D_MAXWELL_PUNCTUATION, 18},
    {"IADD R1, R2", SCH_D_MAXWELL_PUNCTUATION, 12},
    {"IADD R1, R2, R3, R4", SCH_D_MAXWELL_OPERANDS, 16},
    {"IADD R255, R2, R3", SCH_D_MAXWELL_REGISTER, 6},
    {"IADD R1, R2, R1000", SCH_D_MAXWELL_REGISTER, 14},
    {"SHL R1, -R2, R3", SCH_D_MAXWELL_DECORATION, 9},
    {"IADD R1, -R2, -R3", SCH_D_MAXWELL_DECORATION, 15},
    {"SHL R1, R2, 0x80000", SCH_D_MAXWELL_NUMBER_RANGE, 13},
    {"SHL R1, R2, 0xfffffffffffffffffffff", SCH_D_MAXWELL_NUMBER_RANGE, 13},
    {"FADD R1, R2, 0.1", SCH_D_MAXWELL_NUMBER_RANGE, 14},
    {"FADD R1, R2, 1e400", SCH_D_MAXWELL_NUMBER_RANGE, 14},
    {"FADD R1, R2, 1e-60", SCH_D_MAXWELL_NUMBER_RANGE, 14},
    {"FADD32I R1, R2, 1e39", SCH_D_MAXWELL_NUMBER_RANGE, 17},
    {"DADD R0, R2, 1e-999", SCH_D_MAXWELL_NUMBER_RANGE, 14},
    {"FADD32I R1, R2, x", SCH_D_MAXWELL_OPERAND_NUMBER, 17},
    {"MOV R1, c[0x20][0x0]", SCH_D_MAXWELL_NUMBER_RANGE, 11},
    {"MOV R1, c[0x0][0x2]", SCH_D_MAXWELL_NUMBER_RANGE, 16},
    {"MOV R1, c[0x0][0x0", SCH_D_MAXWELL_PUNCTUATION, 19},
    {"ISETP.LT.AND P0, R1, R2, R3, PT", SCH_D_MAXWELL_PREDICATE, 18},
    {"S2R R1, SR_NOTHING", SCH_D_MAXWELL_OPERAND_WORD, 9},
    {"BRA CC.XX, 0x50", SCH_D_MAXWELL_OPERAND_WORD, 8},
    {"BRA 0x100000000", SCH_D_MAXWELL_NUMBER_RANGE, 5},
    {"FFMA32I R1, R2, 1, R3", SCH_D_MAXWELL_REGISTER, 20},
    {"ALD.PHYS R1, a[RZ]", SCH_D_MAXWELL_ENCODING, 19},
    {"ATOM.CAS R1, [R2], R4, R6", SCH_D_MAXWELL_REGISTER, 20},
    {"VADD.U8.S32 R1, R2.H1, R3, R4", SCH_D_MAXWELL_PUNCTUATION, 19},
};

static void mistakes_are_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct sch_diagnostics list;
        uint64_t word;
        uint32_t marks;
        const enum sch_result status = read_one(mistakes[i].text, &word, &marks, &list);
        if (status != SCH_ERROR_INVALID || list.count != 1) fail_msg("%s is read", mistakes[i].text);
        if (list.items[0].code != mistakes[i].code || list.items[0].position.column != mistakes[i].column)
            fail_msg("%s: %u at %u, %s", mistakes[i].text, list.items[0].code, list.items[0].position.column,
                     list.items[0].message);
        sch_diagnostics_release(&list);
    }
}

/* Cut anywhere, or with a byte changed, a text is read or refused with a report. */
static void damaged_texts_are_harmless(void **state)
{
    (void)state;
    FILE *file = own_list("r");
    struct row row;
    size_t texts = 0, refused = 0;
    while (next_row(file, &row)) {
        char *text = row.column[2];
        const size_t bytes = strlen(text) - 1;
        for (size_t i = 0; i <= 2 * bytes; i++) {
            uint64_t word;
            uint32_t marks;
            struct sch_diagnostics list;
            sch_diagnostics_init(&list, &sch_allocator_libc, 4);
            const size_t cut = i <= bytes ? i : bytes;
            char *copy = malloc(cut ? cut : 1); /* so that the sanitizers see what is read past it */
            assert_non_null(copy);
            memcpy(copy, text, cut);
            if (i > bytes) copy[i - bytes - 1] = (char)(copy[i - bytes - 1] + 1);
            const enum sch_result status = sch_maxwell_code_parse(copy, cut, start, 8, &list, &word, &marks, NULL);
            if (status == SCH_OK ? !sch_maxwell_code_known(word, NULL) || list.count : list.count != 1)
                fail_msg("%.*s", (int)cut, copy);
            texts++;
            refused += status != SCH_OK;
            free(copy);
            sch_diagnostics_release(&list);
        }
    }
    assert_int_equal(fclose(file), 0);
    print_message("# %zu texts, %zu refused\n", texts, refused);
}

/* ---- the golden tables ---- */

struct tally {
    size_t rows, failed, refused, same, unsaid;
};

static void check_golden(FILE *file, const char *name, struct tally *tally)
{
    struct row row;
    for (size_t number = 0; next_row(file, &row); number++) {
        struct sch_maxwell_code_text text;
        if (number % sanitizer_step(8) || row.columns < 3 || strlen(row.column[0]) != 16) continue;
        const uint64_t word = hex(row.column[0]);
        const uint32_t address = row.columns > 3 ? (uint32_t)hex(row.column[3]) : 0;
        if (is_texture(word)) continue; /* a neighbour; test_maxwell_words.c reads those */
        tally->rows++;
        const bool known = sch_maxwell_code_text(word, 0x7e0, address, &text);
        enum back back = WRONG;
        if (is_refusal(row.column[2])) {
            tally->refused += !known;
            tally->failed += known;
            continue;
        }
        if (known && prints(&text, 0x7e0, row.column[2])) back = comes_back(word, 0x7e0, address, &text);
        tally->same += back == SAME;
        tally->unsaid += back == UNSAID;
        if (back == WRONG && tally->failed++ < 10)
            print_message("# %s %s: %s, not %s\n", name, row.column[0], text.text, row.column[2]);
    }
    fclose(file);
}

static void golden_words(void **state)
{
    (void)state;
    struct tally tally = {0};
    size_t files = 0;
    for (size_t i = 0; i < sch_maxwell_code_operation_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s", sch_maxwell_code_operations[i].name);
        for (char *c = name; *c; c++) *c |= 'A' <= *c && *c <= 'Z' ? 0x20 : 0;
        FILE *file = shared_list(name);
        if (!file) continue;
        files++;
        check_golden(file, name, &tally);
    }
    if (!files) skip();
    print_message("# %zu files, %zu words: %zu refused; %zu come back, %zu with bits that the text does not show\n",
                  files, tally.rows, tally.refused, tally.same, tally.unsaid);
    assert_int_equal(tally.failed, 0);
    assert_true(files == sch_maxwell_code_operation_count && tally.same > 40000 / sanitizer_step(10));
}

static void golden_slots(void **state)
{
    (void)state;
    FILE *file = shared_list("control_isa");
    struct row row;
    size_t rows = 0, failed = 0, refused = 0;
    if (!file) skip();
    assert_true(next_row(file, &row));
    while (next_row(file, &row)) {
        struct sch_maxwell_code_text text;
        const char *reason;
        const unsigned number = (unsigned)(row.column[1][0] - '0');
        const uint32_t slot = sch_maxwell_slot(hex(row.column[0]), number), address = 8 + 8 * number;
        const uint64_t word = hex(row.column[2]);
        if (is_texture(word)) continue;
        rows++;
        const bool known = sch_maxwell_code_text(word, slot, address, &text) &&
                           sch_maxwell_code_takes(sch_maxwell_code_form_of(word), slot, &reason);
        bool good = !known;
        if (is_refusal(row.column[4]))
            refused++;
        else
            good = known && prints(&text, slot, row.column[4]) && comes_back(word, slot, address, &text) != WRONG;
        if (!good && failed++ < 10) print_message("# %s %s: %s\n", row.column[0], row.column[2], row.column[4]);
    }
    fclose(file);
    print_message("# %zu words with their slots, %zu refused\n", rows, refused);
    assert_int_equal(failed, 0);
}

/* ---- fields ---- */

/* Bits as the list writes them: ranges with commas. */
static struct sch_maxwell_bits bits_of(const char *text)
{
    return sch_maxwell_argument_bits(&text, text + strlen(text));
}

static uint64_t fields_mask(const char *text)
{
    uint64_t mask = 0;
    while (*text) {
        char *end;
        const unsigned long high = strtoul(text, &end, 10), low = *end == '-' ? strtoul(end + 1, &end, 10) : high;
        for (unsigned long bit = low; bit <= high; bit++) mask |= (uint64_t)1 << bit;
        text = *end ? end + 1 : end;
    }
    return mask;
}

struct field_form {
    char operation[16], form[16];
    uint64_t match, mask;
};

enum { FIELD_FORMS = 300, BASES = 40, ENOUGH = 4 };

static size_t read_forms(struct field_form forms[FIELD_FORMS])
{
    FILE *file = shared_list("forms");
    struct row row;
    size_t count = 0;
    if (!file) return 0;
    assert_true(next_row(file, &row));
    while (count < FIELD_FORMS && next_row(file, &row)) {
        snprintf(forms[count].operation, sizeof forms->operation, "%s", row.column[0]);
        snprintf(forms[count].form, sizeof forms->form, "%s", row.column[1]);
        forms[count].match = hex(row.column[2]);
        forms[count++].mask = hex(row.column[3]);
    }
    fclose(file);
    return count;
}

/* Words of a form of the list, with different fields. */
static unsigned bases_of(const struct field_form *form, uint64_t bases[BASES])
{
    unsigned found = 0;
    for (unsigned turn = 0; turn < 20000 && found < BASES; turn++) {
        const struct sch_maxwell_code_form key = {.match = form->match, .mask = form->mask};
        uint64_t word = filled(&key, turn);
        /* What some forms ask for: no predicate, RZ. */
        if (turn & 1) word |= UINT64_C(7) << 39 & ~form->mask;
        if (turn & 1) word &= ~(UINT64_C(8) << 39 & ~form->mask);
        if (turn & 2) word |= 0xff00 & ~form->mask;
        if (turn & 4) word &= ~(UINT64_C(0x7f) << 28 & ~form->mask);
        if (sch_maxwell_code_known(word, NULL) && !is_texture(word)) bases[found++] = word;
    }
    return found;
}

/* One value of a field in a word: printed, and read as the same word. */
static bool value_holds(uint64_t word, char text[SCH_MAXWELL_LINE])
{
    struct sch_maxwell_code_text printed;
    *text = 0;
    if (is_texture(word) || !sch_maxwell_code_text(word, 0x7e0, 0x4000, &printed)) return true;
    strcpy(text, printed.text);
    return comes_back(word, 0x7e0, 0x4000, &printed) != WRONG;
}

/* Every value of a field up to 13 bits, and of wider ones each bit set and cleared. Whether any changed the text. */
static bool sweep(uint64_t base, const struct sch_maxwell_bits *bits, size_t *values)
{
    const unsigned width = bits->width, whole = sanitizer_step(6) > 1 ? 6 : 13;
    char first[SCH_MAXWELL_LINE], text[SCH_MAXWELL_LINE];
    bool changed = false;
    const uint64_t rest = base & ~sch_maxwell_bits_mask(bits);
    if (!value_holds(base, first)) return false;
    for (uint64_t i = 0; width <= whole ? i < UINT64_C(1) << width : i < 2 * width + 2u; i++) {
        const uint64_t value = width <= whole ? i : i < width ? UINT64_C(1) << i : ~(UINT64_C(1) << (i - width));
        if (!value_holds(rest | sch_maxwell_bits_put(bits, value), text))
            fail_msg("%016llx, field value %llx: %s", (unsigned long long)base, (unsigned long long)value, text);
        changed |= strcmp(first, text) != 0;
        ++*values;
    }
    return changed;
}

static void every_value_of_every_field(void **state)
{
    (void)state;
    static struct field_form forms[FIELD_FORMS];
    const size_t count = read_forms(forms);
    FILE *file = count ? shared_list("fields") : NULL;
    struct row row;
    size_t fields = 0, values = 0, ignored = 0;
    if (!file) skip();
    assert_true(next_row(file, &row));
    while (next_row(file, &row)) {
        uint64_t bases[BASES];
        size_t i = 0;
        while (i < count && (strcmp(forms[i].operation, row.column[0]) || strcmp(forms[i].form, row.column[1]))) i++;
        assert_true(i < count);
        const unsigned found = bases_of(&forms[i], bases);
        if (!found) fail_msg("%s %s: no word", row.column[0], row.column[1]);
        bool changed = false;
        fields++;
        if (strcmp(row.column[2], "(ignored)") == 0) {
            uint64_t mask = fields_mask(row.column[3]);
            /* The list says of F2F that bit 42 is ignored, and elsewhere what it means. */
            if (strcmp(row.column[0], "F2F") == 0) mask &= ~(UINT64_C(1) << 42);
            for (unsigned b = 0; b < found; b++) {
                char with[SCH_MAXWELL_LINE], without[SCH_MAXWELL_LINE];
                assert_true(value_holds(bases[b] | mask, with) && value_holds(bases[b] & ~mask, without));
                if (strcmp(with, without) != 0) fail_msg("%s %s: %s, %s", row.column[0], row.column[1], with, without);
                ignored++;
            }
            continue;
        }
        const struct sch_maxwell_bits bits = bits_of(row.column[3]);
        for (unsigned b = 0; b < found && (b < (bits.width > 8 ? 1 : ENOUGH) || !changed); b++)
            changed |= sweep(bases[b], &bits, &values);
        if (!changed) fail_msg("%s %s: %s does not show", row.column[0], row.column[1], row.column[2]);
    }
    fclose(file);
    print_message("# %zu fields, %zu values; ignored bits of %zu words\n", fields, values, ignored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_has_words),
        cmocka_unit_test(templates_are_well_formed),
        cmocka_unit_test(forms_are_reached),
        cmocka_unit_test(random_words_come_back),
        cmocka_unit_test(other_spellings_are_read),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(damaged_texts_are_harmless),
        cmocka_unit_test(golden_words),
        cmocka_unit_test(golden_slots),
        cmocka_unit_test(every_value_of_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
