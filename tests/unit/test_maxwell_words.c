/* Maxwell's texture instructions as words: the golden tables, random words against a disassembler written by hand
 * (maxwell_oracle.c), and what encoding promises. Skips the tables where the shared folder is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell/instruction.h"
#include "maxwell_oracle.h"

enum { LINE = 256 };

static const char *const tables[] = {"tmml",  "tmml_b", "txq",    "txq_b", "txa",   "tex",  "tex_b", "tld",
                                     "tld_b", "tld4",   "tld4_b", "txd",   "txd_b", "texs", "tlds",  "tld4s"};

static enum sch_maxwell_arch arch_of(const char *name)
{
    return !strcmp(name, "SM50") ? SCH_MAXWELL_SM_50 : !strcmp(name, "SM52") ? SCH_MAXWELL_SM_52 : SCH_MAXWELL_SM_53;
}

/* Calls `check` with each row of the golden tables; skips the test where there are none. */
static void for_each_row(bool (*check)(uint64_t word, enum sch_maxwell_arch arch, const char *text))
{
    size_t rows = 0, failed = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char path[1024], line[LINE];
        snprintf(path, sizeof path, "%s/corpus/maxwell/%s.tsv", getenv("SCH_SHARED"), tables[i]);
        FILE *file = fopen(path, "r");
        if (!file) skip();
        if (!fgets(line, sizeof line, file)) fail();
        while (fgets(line, sizeof line, file)) {
            char *hex = strtok(line, "\t"), *arch = strtok(NULL, "\t"), *text = strtok(NULL, "\t\n");
            if (!hex || !arch || !text) fail();
            rows++;
            if (!check(strtoull(hex, NULL, 16), arch_of(arch), text) && failed++ < 10)
                print_message("# %s %s: %s\n", hex, arch, text);
        }
        fclose(file);
    }
    print_message("# %zu rows\n", rows);
    assert_true(rows > 0);
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

/* A word that is claimed, and encoded again: only bits that mean nothing are lost. */
static bool comes_back(uint64_t word, enum sch_maxwell_arch arch, const struct sch_maxwell_instruction *instruction)
{
    uint64_t again = 0;
    struct sch_maxwell_instruction back;
    if (!sch_maxwell_encode(instruction, arch, &again)) return false;
    if (again != (word & oracle_bits(word, arch == SCH_MAXWELL_SM_50))) return false;
    return sch_maxwell_decode(again, arch, &back) && sch_maxwell_equal(instruction, &back);
}

static bool row_is_decoded(uint64_t word, enum sch_maxwell_arch arch, const char *text)
{
    char line[LINE] = "";
    struct sch_maxwell_instruction instruction;
    bool claimed = sch_maxwell_decode(word, arch, &instruction);
    bool oracle = oracle_disassemble(word, arch == SCH_MAXWELL_SM_50, 0, line, sizeof line);
    if (claimed != is_texture(text) || claimed != oracle) return false;
    return !claimed || (!strcmp(line, text) && comes_back(word, arch, &instruction));
}

static void golden_words_are_decoded_and_encoded(void **state)
{
    (void)state;
    for_each_row(row_is_decoded);
}

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
        for (int arch = SCH_MAXWELL_SM_50; arch <= SCH_MAXWELL_SM_52; arch++) {
            char line[LINE];
            struct sch_maxwell_instruction instruction;
            bool mine = sch_maxwell_decode(word, (enum sch_maxwell_arch)arch, &instruction);
            bool oracle = oracle_disassemble(word, arch == SCH_MAXWELL_SM_50, 0, line, sizeof line);
            if (mine == oracle && (!mine || comes_back(word, (enum sch_maxwell_arch)arch, &instruction))) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_words_are_decoded_and_encoded),
        cmocka_unit_test(random_words_are_never_misclaimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
