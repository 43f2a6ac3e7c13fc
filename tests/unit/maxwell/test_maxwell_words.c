/* Maxwell's texture instructions as words: our own list (tests/corpus/maxwell) and, where the shared folder is there,
 * its golden tables, random words against a disassembler written by hand (maxwell_oracle.c), and what encoding
 * promises. SCH_GOLDEN=FOLDER writes our own lists there, as the disassembler reads them. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell/text/tables.h"
#include "maxwell/text/text.h"
#include "maxwell_oracle.h"

enum { LINE = 256 };

static const char *const tables[] = {"tmml",  "tmml_b", "txq",    "txq_b", "txa",   "tex",  "tex_b", "tld",
                                     "tld_b", "tld4",   "tld4_b", "txd",   "txd_b", "texs", "tlds",  "tld4s"};

static enum sch_maxwell_arch arch_of(const char *name)
{
    return !strcmp(name, "SM50") ? SCH_MAXWELL_SM_50 : !strcmp(name, "SM52") ? SCH_MAXWELL_SM_52 : SCH_MAXWELL_SM_53;
}

/* A file of our own list; always there. */
static FILE *own_list(const char *name)
{
    char path[1024];
    const char *source = getenv("SCH_SOURCE");
    snprintf(path, sizeof path, "%s/tests/corpus/maxwell/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("no %s", path);
    return file;
}

/* NULL: no shared folder. */
static FILE *shared_list(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/corpus/maxwell/%s", getenv("SCH_SHARED") ? getenv("SCH_SHARED") : "", name);
    return fopen(path, "r");
}

typedef bool row_check(uint64_t word, enum sch_maxwell_arch arch, const char *text);

static size_t check_rows(FILE *file, row_check *check, size_t *failed)
{
    char line[LINE];
    size_t rows = 0;
    if (!fgets(line, sizeof line, file)) fail();
    while (fgets(line, sizeof line, file)) {
        char *hex = strtok(line, "\t"), *arch = strtok(NULL, "\t"), *text = strtok(NULL, "\t\n");
        if (!hex || !arch || !text) fail();
        rows++;
        if (!check(strtoull(hex, NULL, 16), arch_of(arch), text) && (*failed)++ < 10)
            print_message("# %s %s: %s\n", hex, arch, text);
    }
    fclose(file);
    return rows;
}

/* Calls `check` with each row of our own list and of the golden tables. */
static void for_each_row(row_check *check)
{
    size_t failed = 0, rows = check_rows(own_list("words.tsv"), check, &failed);
    assert_true(rows > 300);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.tsv", tables[i]);
        FILE *file = shared_list(name);
        if (file) rows += check_rows(file, check, &failed);
    }
    print_message("# %zu rows\n", rows);
    assert_int_equal(failed, 0);
}

/* Whether the text is a supported operation's. */
static bool is_texture(const char *text)
{
    static const char *const names[] = {"TMML", "TXQ", "TXA", "TEX", "TLD", "TLD4", "TXD", "TEXS", "TLDS", "TLD4S"};
    if (*text == '@') text = strchr(text, ' ') + 1;
    size_t length = strcspn(text, ". ");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], text, length)) return true;
    return false;
}

/* The instruction that the text says, all of it. */
static bool reads_as(const char *text, const struct sch_maxwell_instruction *expected)
{
    struct sch_maxwell_instruction read;
    size_t used;
    enum sch_result status =
        sch_maxwell_parse(text, strlen(text), (struct sch_position){.line = 1, .column = 1}, NULL, &read, NULL, &used);
    return status == SCH_OK && used == strlen(text) && sch_maxwell_equal(&read, expected);
}

/* Printed in both styles and read again, it is the same instruction. */
static bool text_comes_back(const struct sch_maxwell_instruction *instruction)
{
    char line[SCH_MAXWELL_LINE];
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_ISA, NULL, line);
    if (!reads_as(line, instruction)) return false;
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_NVDISASM, NULL, line);
    return reads_as(line, instruction);
}

/* A word that is claimed, and encoded again: only bits that mean nothing are lost. */
static bool comes_back(uint64_t word, enum sch_maxwell_arch arch, const struct sch_maxwell_instruction *instruction)
{
    uint64_t again = 0;
    struct sch_maxwell_instruction back;
    if (!sch_maxwell_encode(instruction, arch, &again)) return false;
    if (again != (word & oracle_bits(word, arch == SCH_MAXWELL_SM_50))) return false;
    if (!sch_maxwell_decode(again, arch, &back) || !sch_maxwell_equal(instruction, &back)) return false;
    return text_comes_back(instruction);
}

static bool prints(const struct sch_maxwell_instruction *instruction, const char *expected)
{
    char line[SCH_MAXWELL_LINE];
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_NVDISASM, NULL, line);
    return !strcmp(line, expected);
}

static bool row_is_decoded(uint64_t word, enum sch_maxwell_arch arch, const char *text)
{
    char line[LINE] = "";
    struct sch_maxwell_instruction instruction;
    bool claimed = sch_maxwell_decode(word, arch, &instruction);
    bool oracle = oracle_disassemble(word, arch == SCH_MAXWELL_SM_50, 0, line, sizeof line);
    if (claimed != is_texture(text) || claimed != oracle) return false;
    return !claimed || (!strcmp(line, text) && prints(&instruction, text) && comes_back(word, arch, &instruction));
}

static void golden_words_are_decoded_and_encoded(void **state)
{
    (void)state;
    for_each_row(row_is_decoded);
}

/* ---- phases and compiled programs ---- */

/* Removes what belongs to the control word's other fields: a brace of dual issue, the blank before the semicolon. */
static void without_control(char *text)
{
    if (!strncmp(text, "{ ", 2)) memmove(text, text + 2, strlen(text) - 1);
    size_t length = strlen(text);
    if (length > 2 && !strcmp(text + length - 2, " ;")) strcpy(text + length - 2, ";");
}

static void check_phases(FILE *file)
{
    char line[LINE];
    size_t rows = 0, failed = 0;
    if (!fgets(line, sizeof line, file)) fail();
    while (fgets(line, sizeof line, file)) {
        char *control = strtok(line, "\t"), *slot = strtok(NULL, "\t"), *hex = strtok(NULL, "\t");
        char *arch = strtok(NULL, "\t"), *text = strtok(NULL, "\t\n");
        if (!control || !slot || !hex || !arch || !text) fail();
        struct sch_maxwell_instruction instruction;
        if (!strncmp(text, "!error", 6) || !sch_maxwell_decode(strtoull(hex, NULL, 16), arch_of(arch), &instruction))
            continue;
        rows++;
        instruction.phase = strtoull(control, NULL, 16) >> (21 * (unsigned)atoi(slot) + 17) & 3;
        without_control(text);
        if ((!prints(&instruction, text) || !reads_as(text, &instruction)) && failed++ < 10)
            print_message("# %s: %s\n", hex, text);
    }
    fclose(file);
    print_message("# %zu rows\n", rows);
    assert_true(rows > 0);
    assert_int_equal(failed, 0);
}

static void phases_are_printed_and_read(void **state)
{
    (void)state;
    check_phases(own_list("control.tsv"));
    FILE *shared = shared_list("control.tsv");
    if (shared) check_phases(shared);
}

/* A texture instruction of a listing: its text, with a semicolon, and its word; the word may stand in the next line. */
static bool of_listing(char *line, FILE *file, char text[LINE], uint64_t *word)
{
    char *begin = strstr(line, "*/");
    if (!begin) return false;
    begin += 2 + strspn(begin + 2, " {");
    if (!is_texture(begin)) return false;
    size_t length = strcspn(begin, ";}");
    char *hex = strstr(begin, "/* 0x");
    while (length && begin[length - 1] == ' ') length--;
    snprintf(text, LINE, "%.*s;", (int)length, begin);
    if (!hex && fgets(line, LINE, file)) hex = strstr(line, "/* 0x");
    if (hex) *word = strtoull(hex + 3, NULL, 16);
    return hex;
}

static size_t check_listing(const char *path, enum sch_maxwell_arch arch, size_t *failed)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[LINE], text[LINE];
    uint64_t word, again = 0;
    size_t count = 0;
    while (fgets(line, sizeof line, file)) {
        if (!of_listing(line, file, text, &word)) continue;
        count++;
        struct sch_maxwell_instruction decoded, read;
        size_t used;
        struct sch_position place = {.line = 1, .column = 1};
        bool good = sch_maxwell_decode(word, arch, &decoded) &&
                    sch_maxwell_parse(text, strlen(text), place, NULL, &read, NULL, &used) == SCH_OK &&
                    sch_maxwell_encode(&read, arch, &again) && again == word && prints(&read, text);
        char line_of_oracle[LINE];
        decoded.phase = read.phase;
        good = good && oracle_disassemble(word, arch == SCH_MAXWELL_SM_50, read.phase, line_of_oracle, LINE) &&
               !strcmp(line_of_oracle, text) && sch_maxwell_equal(&decoded, &read) &&
               !sch_maxwell_check(&read, arch, place, SCH_SEVERITY_ERROR, NULL);
        if (!good && (*failed)++ < 10) print_message("# %s: %s\n", path, text);
    }
    fclose(file);
    return count;
}

/* A listing of our own, which keeps every restriction; and what the compiler made does. */
static void compiled_instructions_are_read_and_legal(void **state)
{
    (void)state;
    char folder[512], path[1024];
    const char *source = getenv("SCH_SOURCE");
    size_t failed = 0;
    snprintf(path, sizeof path, "%s/tests/corpus/maxwell/legal.sm_50.sass", source ? source : ".");
    size_t count = check_listing(path, SCH_MAXWELL_SM_50, &failed);
    assert_true(count >= 40);
    snprintf(folder, sizeof folder, "%s/corpus/maxwell/kernels", getenv("SCH_SHARED") ? getenv("SCH_SHARED") : "");
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *end = strstr(entry->d_name, ".sm_");
        if (!end || !strstr(end, ".sass")) continue;
        snprintf(path, sizeof path, "%s/%.255s", folder, entry->d_name);
        count += check_listing(path, strstr(end, "sm_50") ? SCH_MAXWELL_SM_50 : SCH_MAXWELL_SM_53, &failed);
    }
    if (dir) closedir(dir);
    print_message("# %zu texture instructions\n", count);
    assert_int_equal(failed, 0);
}

/* ---- the table ---- */

/* Within a form no two fields share a bit, and none a fixed bit; a base lies within the fixed bits. */
static void fields_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned form = 0; form < SCH_MAXWELL_FORMS; form++)
        for (unsigned column = 0; column < 2; column++) {
            uint64_t taken = sch_maxwell_forms[form].mask[column];
            assert_int_equal(sch_maxwell_forms[form].base[column] & ~taken, 0);
            for (size_t i = 0; i < sch_maxwell_field_row_count; i++) {
                const struct sch_maxwell_field_row *row = &sch_maxwell_field_rows[i];
                if (row->form != form || (row->since > SCH_MAXWELL_SM_50 && !column)) continue;
                assert_true(row->width > 0 && row->low + row->width <= 64);
                uint64_t bits = (((uint64_t)1 << row->width) - 1) << row->low;
                if (taken & bits) print_message("# %s bit %u\n", sch_maxwell_forms[form].name, row->low);
                assert_int_equal(taken & bits, 0);
                taken |= bits;
            }
        }
}

/* ---- all forms ---- */

static size_t combinations;

static void try_word(uint64_t word, enum sch_maxwell_arch arch)
{
    char line[LINE];
    struct sch_maxwell_instruction instruction;
    bool oracle = oracle_disassemble(word, arch == SCH_MAXWELL_SM_50, 0, line, sizeof line);
    bool mine = sch_maxwell_decode(word, arch, &instruction);
    uint64_t again = 0;
    combinations++;
    if (oracle && mine && prints(&instruction, line) && sch_maxwell_encode(&instruction, arch, &again) &&
        again == word && text_comes_back(&instruction))
        return;
    print_message("# %016llx: %s\n", (unsigned long long)word, oracle ? line : "none");
    fail();
}

/* Registers, guard and index: three samples for each combination of the other fields. */
static void try_samples(uint64_t fields, uint64_t registers, uint64_t index, enum sch_maxwell_arch arch)
{
    static const uint64_t samples[3] = {0x0123004567f78904, 0x1fff0000ff0ffffe, 0x0155000080090c2b};
    const uint64_t common = 0xfffff; /* Rd, Ra, guard */
    for (unsigned i = 0; i < 3; i++)
        try_word((fields & ~(registers | common | index)) | (samples[i] & (registers | common)) |
                     (samples[i] >> 12 & index),
                 arch);
}

enum { RB = 0xff00000 };
#define INDEX ((uint64_t)0x1fff << 36)

static void try_tmml(enum sch_maxwell_arch arch)
{
    for (unsigned i = 0; i < 1 << 10; i++) /* .B, .NDV, .NODEP, paramA, mask */
        try_samples((i & 1 ? 0xdf60000000000000 : 0xdf58000000000000) | (uint64_t)(i >> 1 & 1) << 35 |
                        (uint64_t)(i >> 2 & 1) << 49 | (uint64_t)(i >> 3 & 7) << 28 | (uint64_t)(i >> 6 & 15) << 31,
                    i & 1 ? RB : 0, i & 1 ? 0 : INDEX, arch);
}

static void try_txq(enum sch_maxwell_arch arch)
{
    for (unsigned i = 0; i < 1 << 12; i++) { /* .B, .NODEP, mask, query */
        const unsigned query = i >> 6;
        if (query != 1 && query != 5 && (query % 2 || query == 0 || query == 4)) continue;
        try_samples((i & 1 ? 0xdf50000000000000 : 0xdf48000000000000) | (uint64_t)(i >> 1 & 1) << 49 |
                        (uint64_t)(i >> 2 & 15) << 31 | (uint64_t)query << 22,
                    0, i & 1 ? 0 : INDEX, arch);
    }
}

static void try_tlds(enum sch_maxwell_arch arch)
{
    static const unsigned codes[] = {0, 1, 2, 4, 5, 6, 7, 8, 12};
    for (unsigned i = 0; i < 9 << 6; i++) { /* .F16, .NODEP, mask code, Rd1 or none, form */
        const unsigned wide = i >> 5 & 1, half = i & 1;
        if (half && arch == SCH_MAXWELL_SM_50) continue;
        try_samples((half ? 0xd200000000000000 : 0xda00000000000000) | (uint64_t)(i >> 1 & 1) << 49 |
                        (uint64_t)(i >> 2 & 7) << 50 | (uint64_t)(wide ? 0x2d : 0xff) << 28 |
                        (uint64_t)codes[i >> 6] << 53,
                    RB, INDEX, arch);
    }
}

static void all_forms_of_the_pages_come_back(void **state)
{
    (void)state;
    static const enum sch_maxwell_arch arches[] = {SCH_MAXWELL_SM_50, SCH_MAXWELL_SM_52, SCH_MAXWELL_SM_53};
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++) {
        try_tmml(arches[i]);
        try_txq(arches[i]);
        try_tlds(arches[i]);
    }
    print_message("# %zu words\n", combinations);
}

/* ---- random words ---- */

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * 0x2545f4914f6cdd1d;
}

/* Half of the words are random altogether, the others begin as texture instructions do. */
static uint64_t random_word(uint64_t *seed)
{
    uint64_t word = next_random(seed), choice = next_random(seed);
    if (choice & 1) return word;
    return (word & 0x1fffffffffffffff) | 0xc000000000000000;
}

static void random_words_are_never_misclaimed(void **state)
{
    (void)state;
    const size_t count = getenv("SCH_LONG") ? 10000000 : 100000;
    uint64_t seed = 0x9e3779b97f4a7c15;
    size_t claimed = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = random_word(&seed);
        for (int arch = SCH_MAXWELL_SM_50; arch <= SCH_MAXWELL_SM_52; arch += 2) {
            char line[LINE];
            struct sch_maxwell_instruction instruction;
            bool mine = sch_maxwell_decode(word, (enum sch_maxwell_arch)arch, &instruction);
            bool oracle = oracle_disassemble(word, arch == SCH_MAXWELL_SM_50, 0, line, sizeof line);
            if (mine == oracle && (!mine || (prints(&instruction, line) &&
                                             comes_back(word, (enum sch_maxwell_arch)arch, &instruction)))) {
                claimed += mine;
                continue;
            }
            print_message("# %016llx: %s\n", (unsigned long long)word, oracle ? line : "none");
            fail();
        }
    }
    print_message("# %zu words, %zu claims\n", count, claimed);
    assert_true(claimed > count / 10);
}

/* ---- our own lists ---- */

enum { LEAST = 6, MOST_PARTS = 4096 };

/* Whether a text has a part (what stands between blanks, commas and dots, without digits) that its operation did not
 * have yet, or the operation has few texts; the parts are then known. */
static bool is_new(const char *text, enum sch_maxwell_arch arch)
{
    static char known[MOST_PARTS][48];
    static size_t count;
    static unsigned texts[3][16];
    char copy[LINE], part[64];
    bool fresh = false;
    const char *operation = *text == '@' ? strchr(text, ' ') + 1 : text;
    size_t letters = strcspn(operation, ". ");
    unsigned *of =
        &texts[arch][(letters * 7 + (unsigned char)operation[letters - 1] + (unsigned char)operation[1]) % 16];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = strtok(copy, " ,.;"); at; at = strtok(NULL, " ,.;")) {
        bool digits = strpbrk(at, "0123456789") && *at != '1' && *at != '2' && *at != '3';
        if (digits || strlen(at) > 24) continue;
        snprintf(part, sizeof part, "%u %.*s %s", (unsigned)arch, (int)letters, operation, at);
        size_t n = 0;
        while (n < count && strcmp(known[n], part)) n++;
        if (n < count || count == MOST_PARTS) continue;
        snprintf(known[count++], sizeof known[0], "%.47s", part);
        fresh = true;
    }
    if (!fresh && *of >= LEAST) return false;
    ++*of;
    return true;
}

/* Control words of instructions that wait for nothing (";") or for one cycle (" ;"), in each slot and phase. */
static void write_control(FILE *file, size_t number, uint64_t word, const char *arch, bool sm50)
{
    char line[LINE];
    const unsigned slot = number % 3, phase = number / 3 % 4, stall = number / 12 % 2;
    const uint64_t control = (uint64_t)(0x7e0 | stall | phase << 17) << 21 * slot;
    if (!oracle_disassemble(word, sm50, phase, line, sizeof line)) fail();
    line[strlen(line) - 1] = 0; /* the semicolon */
    fprintf(file, "%016llx\t%u\t%016llx\t%s\t%s%s\n", (unsigned long long)control, slot, (unsigned long long)word, arch,
            line, stall ? " ;" : ";");
}

/* Random words that the disassembler reads, as long as they have something new. */
static void write_lists(const char *folder)
{
    static const char *const names[] = {"SM50", "SM52", "SM53"};
    char path[2048], line[LINE];
    uint64_t seed = 0x2545f4914f6cdd1d;
    size_t rows = 0;
    snprintf(path, sizeof path, "%s/words.tsv", folder);
    FILE *words = fopen(path, "w");
    snprintf(path, sizeof path, "%s/control.tsv", folder);
    FILE *control = fopen(path, "w");
    assert_true(words && control);
    fprintf(words, "hex64\tarch\ttext\n50b0000000070f00\tSM50\tNOP;\n");
    fprintf(control, "control64\tslot\thex64\tarch\ttext\n");
    for (unsigned arch = 0; arch < 3; arch++)
        for (unsigned i = 0; i < 400000; i++) {
            const uint64_t word = random_word(&seed);
            if (!oracle_disassemble(word, arch == 0, 0, line, sizeof line)) continue;
            if (!is_new(line, arch_of(names[arch]))) continue;
            fprintf(words, "%016llx\t%s\t%s\n", (unsigned long long)word, names[arch], line);
            if (rows++ % 4 == 0) write_control(control, rows / 4, word, names[arch], arch == 0);
        }
    fclose(words);
    fclose(control);
}

/* What codes of TEXS and TLDS give: the values of the columns of "Legal modifier table" of the two pages. */
static void scalar_forms_say_what_their_codes_do(void **state)
{
    (void)state;
    static const struct {
        unsigned operation, field, values; /* a bit for each value */
    } rows[] = {{SCH_MAXWELL_TEXS, SCH_MF_PARAMETER,
                 1 << SCH_MAXWELL_1D | 1 << SCH_MAXWELL_2D | 1 << SCH_MAXWELL_ARRAY_2D | 1 << SCH_MAXWELL_3D |
                     1 << SCH_MAXWELL_CUBE},
                {SCH_MAXWELL_TEXS, SCH_MF_LOD, 1 << SCH_MAXWELL_LOD_NONE | 1 << SCH_MAXWELL_LZ | 1 << SCH_MAXWELL_LL},
                {SCH_MAXWELL_TEXS, SCH_MF_OFFSET, 1 << SCH_MAXWELL_OFFSET_NONE},
                {SCH_MAXWELL_TEXS, SCH_MF_MULTISAMPLE, 1 << 0},
                {SCH_MAXWELL_TEXS, SCH_MF_COMPARE, 1 << 0 | 1 << 1},
                {SCH_MAXWELL_TLDS, SCH_MF_PARAMETER,
                 1 << SCH_MAXWELL_1D | 1 << SCH_MAXWELL_2D | 1 << SCH_MAXWELL_ARRAY_2D | 1 << SCH_MAXWELL_3D},
                {SCH_MAXWELL_TLDS, SCH_MF_LOD, 1 << SCH_MAXWELL_LZ | 1 << SCH_MAXWELL_LL},
                {SCH_MAXWELL_TLDS, SCH_MF_OFFSET, 1 << SCH_MAXWELL_OFFSET_NONE | 1 << SCH_MAXWELL_AOFFI},
                {SCH_MAXWELL_TLDS, SCH_MF_MULTISAMPLE, 1 << 0 | 1 << 1},
                {SCH_MAXWELL_TLDS, SCH_MF_COMPARE, 1 << 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned value = 0; value < 8; value++)
            if (sch_maxwell_can_say(rows[i].operation, rows[i].field, value) != (rows[i].values >> value & 1))
                fail_msg("%s: field %u, value %u", sch_maxwell_operation_names[rows[i].operation], rows[i].field,
                         value);
}

int main(void)
{
    if (getenv("SCH_GOLDEN")) write_lists(getenv("SCH_GOLDEN"));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_words_are_decoded_and_encoded),
        cmocka_unit_test(fields_do_not_overlap),
        cmocka_unit_test(phases_are_printed_and_read),
        cmocka_unit_test(compiled_instructions_are_read_and_legal),
        cmocka_unit_test(all_forms_of_the_pages_come_back),
        cmocka_unit_test(random_words_are_never_misclaimed),
        cmocka_unit_test(scalar_forms_say_what_their_codes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
