/* Tests of src/isa: numbers and names unique, rows consistent with themselves, and equal to the specification's
 * lists: by the lists' sums, and where the lists beside the repository are present ($SCH_SHARED/spec) these must have
 * them. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/list_sum.h"
#include "ir/ir.h"
#include "ir/prepared.h"
#include "isa/errors.h"
#include "isa/isa.h"
#include "maxwell/lower/lower.h"

enum {
    OWN_OPCODES = 9,
    OPCODES = 244 + OWN_OPCODES,
    OWN_SEMANTICS = 1,
    SEMANTICS = 49 + OWN_SEMANTICS,
    OWN_PROPERTIES = 3,
    PROPERTIES = 29 + OWN_PROPERTIES,
    FORMATS = 419,
    BINARY_OPCODES = 256
};

/* ---- rows by themselves ---- */

static void opcodes_are_counted_and_found(void **state)
{
    (void)state;
    unsigned count = 0;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++) {
        const struct sch_op_info *info = sch_op_info(i);
        if (!info) continue;
        count++;
        assert_int_equal(info->opcode, i);
        assert_ptr_equal(sch_op_find(info->name, strlen(info->name)), info);
        char lower[64];
        size_t n = strlen(info->name);
        assert_true(n < sizeof lower);
        for (size_t c = 0; c <= n; c++)
            lower[c] = (char)(info->name[c] >= 'A' && info->name[c] <= 'Z' ? info->name[c] + 32 : info->name[c]);
        assert_ptr_equal(sch_op_find(lower, n), info);
        assert_true(info->title && info->title[0]);
        assert_true(info->section < SCH_SECTION_COUNT);
    }
    assert_int_equal(count, OPCODES);
    assert_null(sch_op_info(SCH_OP_LIMIT));
    assert_null(sch_op_info(UINT32_MAX));
    assert_null(sch_op_find("", 0));
    assert_null(sch_op_find("MO", 2));
    assert_null(sch_op_find("MOVE", 4));
    assert_ptr_equal(sch_op_find("MOVE", 3), sch_op_info(SCH_OP_MOV)); /* only the given bytes count */
}

/* The same number twice in the table would be an overwritten row: the rows are counted against the table's text. */
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) +1
enum {
    OPCODE_ROWS = 0
#include "isa/opcodes.def"
};
#undef OP
static void no_opcode_number_is_used_twice(void **state)
{
    (void)state;
    unsigned count = 0;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++) count += sch_op_info(i) != NULL;
    assert_int_equal(count, OPCODE_ROWS);
}

/* Whoever keeps an opcode has room for all of our own. */
#define HOLDS_OPCODES(type, member)                                                                                    \
    _Static_assert((__typeof__(((struct type *)0)->member))(SCH_OP_LIMIT - 1) == SCH_OP_LIMIT - 1, #type)
HOLDS_OPCODES(sch_op_info, opcode);
HOLDS_OPCODES(sch_ir_instruction, opcode);
HOLDS_OPCODES(sch_prepared_instruction, opcode);
HOLDS_OPCODES(sch_maxwell_lowered_step, opcode);

static void there_is_room_for_own_opcodes(void **state)
{
    (void)state;
    unsigned taken = 0;
    for (unsigned i = SCH_OP_TOKEN_LIMIT; i < SCH_OP_LIMIT; i++) taken += sch_op_info(i) != NULL;
    assert_true(SCH_OP_LIMIT - SCH_OP_TOKEN_LIMIT >= 256);
    assert_true(SCH_OP_LIMIT - SCH_OP_TOKEN_LIMIT - taken >= 64); /* else raise the limit */
}

static bool is_type_letter(char c) { return c && strchr("FIUDLQXRN", c); }

static void signatures_agree_with_operand_counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++) {
        const struct sch_op_info *info = sch_op_info(i);
        if (!info) continue;
        assert_true(info->dsts <= SCH_MAX_DSTS && info->srcs <= SCH_MAX_SRCS);
        assert_int_equal(info->signature[1], '_');
        const char *sources = info->signature + 2;
        size_t letters = strcmp(sources, "N") == 0 ? 0 : strlen(sources);
        if (letters != info->srcs) fail_msg("%s: %s, %u sources", info->name, info->signature, info->srcs);
        assert_true(is_type_letter(info->dst_type));
        if ((info->dst_type == 'N') != (info->dsts == 0)) fail_msg("%s: %s", info->name, info->signature);
        for (unsigned s = 0; s < SCH_MAX_SRCS; s++) {
            if (s < info->srcs)
                assert_int_equal(info->src_type[s], sources[s]);
            else
                assert_int_equal(info->src_type[s], 0);
            if (s < info->srcs) assert_true(is_type_letter(info->src_type[s]));
        }
    }
}

static void flags_agree_with_shapes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++) {
        const struct sch_op_info *info = sch_op_info(i);
        if (!info) continue;
        unsigned f = info->flags;
        if ((f & SCH_OPF_CANON) && info->dst_type != 'F' && info->dst_type != 'D')
            fail_msg("%s: canonical NaN of a result that is no float", info->name);
        bool names_a_texture = info->shape == SCH_SHAPE_TEX || info->shape == SCH_SHAPE_HANDLE; /* SAMP2HND */
        if ((f & (SCH_OPF_TEXTURE | SCH_OPF_SAMPLE)) && !names_a_texture)
            fail_msg("%s: a texture flag, not a texture shape", info->name);
        if ((f & SCH_OPF_TEXTURE) && (f & SCH_OPF_SAMPLE)) fail_msg("%s: TEX and SAMPLE at once", info->name);
        if ((f & (SCH_OPF_STORE | SCH_OPF_ATOMIC)) && info->shape != SCH_SHAPE_MEMORY &&
            info->shape != SCH_SHAPE_ATOMIC)
            fail_msg("%s: a memory flag, not a memory shape", info->name);
        if ((f & (SCH_OPF_BRANCH | SCH_OPF_DISCARDS | SCH_OPF_SPENDS)) && info->shape != SCH_SHAPE_FLOW)
            fail_msg("%s: a control-flow flag, not a control-flow shape", info->name);
        if ((f & SCH_OPF_QUICK) && info->shape != SCH_SHAPE_REPL) fail_msg("%s: quick, but not one result", info->name);
        if (SCH_SHAPE_IS_ARITHMETIC(info->shape) && (info->dsts == 0 || info->srcs == 0))
            fail_msg("%s: arithmetic without operands", info->name);
        if ((info->shape == SCH_SHAPE_FRACEXP) != (info->dsts == 2)) fail_msg("%s: two destinations", info->name);
    }
}

/* Flags that single opcodes have. */
static void flags_of_few(void **state)
{
    (void)state;
    static const struct {
        unsigned opcode, flag;
    } flagged[] = {
        {SCH_OP_ARL, SCH_OPF_ADDRESS},     {SCH_OP_ARR, SCH_OPF_ADDRESS},      {SCH_OP_UARL, SCH_OPF_ADDRESS},
        {SCH_OP_POW, SCH_OPF_QUICK},       {SCH_OP_SIN, SCH_OPF_QUICK},        {SCH_OP_COS, SCH_OPF_QUICK},
        {SCH_OP_KILL, SCH_OPF_DISCARDS},   {SCH_OP_KILL_IF, SCH_OPF_DISCARDS}, {SCH_OP_DEMOTE, SCH_OPF_DISCARDS},
        {SCH_OP_ABORT, SCH_OPF_DISCARDS},  {SCH_OP_CAL, SCH_OPF_SPENDS},       {SCH_OP_ENDLOOP, SCH_OPF_SPENDS},
        {SCH_OP_BARRIER, SCH_OPF_BARRIER},
    };
    const unsigned all = SCH_OPF_ADDRESS | SCH_OPF_QUICK | SCH_OPF_DISCARDS | SCH_OPF_SPENDS | SCH_OPF_BARRIER;
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *info = sch_op_info(opcode);
        unsigned expected = 0;
        for (size_t i = 0; i < sizeof flagged / sizeof *flagged; i++)
            if (flagged[i].opcode == opcode) expected = flagged[i].flag;
        if (info && (info->flags & all) != expected) fail_msg("%s: its flags are others", info->name);
    }
}

/* tgsi.rst, "Declaration Semantic" and the stages: vertices of geometry and tessellation shaders, what a patch
 * shares. */
static void vertices_and_patches(void **state)
{
    (void)state;
    enum { C = 1 << SCH_STAGE_TESS_CTRL, E = 1 << SCH_STAGE_TESS_EVAL, G = 1 << SCH_STAGE_GEOMETRY };
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++)
        for (unsigned file = 0; file < SCH_FILE_COUNT; file++) {
            const unsigned stages = file == SCH_FILE_INPUT ? C | E | G : file == SCH_FILE_OUTPUT ? C : 0;
            assert_int_equal(sch_file_is_per_vertex(stage, file), stages >> stage & 1);
        }
    for (unsigned semantic = 0; semantic < SCH_SEMANTIC_COUNT; semantic++) {
        const bool shared = semantic == SCH_SEMANTIC_PATCH || semantic == SCH_SEMANTIC_TESSOUTER ||
                            semantic == SCH_SEMANTIC_TESSINNER || semantic == SCH_SEMANTIC_PRIMID;
        assert_int_equal(sch_semantic_is_of_patch(semantic), shared);
    }
}

/* What the formulas of tgsi.rst name of each source. */
static void channels_of_sources(void **state)
{
    (void)state;
    enum { ALL = 15, UNTOLD = 16 };
    static const struct {
        unsigned opcode, written, read;
    } cases[] = {
        {SCH_OP_MOV, 0, 0},
        {SCH_OP_MOV, 5, 5},
        {SCH_OP_MAD, 15, 15},
        {SCH_OP_DDX, 2, 2},
        {SCH_OP_RCP, 15, 1},
        {SCH_OP_POW, 8, 1},
        {SCH_OP_UP2H, 12, 1},
        {SCH_OP_DP2, 1, 3},
        {SCH_OP_PK2H, 8, 3},
        {SCH_OP_DP3, 2, 7},
        {SCH_OP_DP4, 4, ALL},
        {SCH_OP_PK4B, 1, ALL},
        {SCH_OP_LIT, 1, ALL | UNTOLD},
        {SCH_OP_DADD, 3, ALL | UNTOLD},
        {SCH_OP_TEX, 1, ALL | UNTOLD},
        {SCH_OP_LOAD, 1, ALL | UNTOLD},
        {SCH_OP_IF, 0, ALL | UNTOLD},
        {SCH_OP_IMG2HND, 1, ALL | UNTOLD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sch_op_info *info = sch_op_info(cases[i].opcode);
        if (sch_op_channels_read(info, cases[i].written) != (cases[i].read & ALL)) fail_msg("%s", info->name);
        if (sch_op_tells_channels(info) == !!(cases[i].read & UNTOLD)) fail_msg("%s: told or not", info->name);
    }
}

/* tgsi.rst, "GLSL ISA": what opens, divides and closes what. END, KILL and ABORT end invocations or the run. */
static void constructs_are_whole(void **state)
{
    (void)state;
    static const struct {
        unsigned opcode, part;
        enum sch_construct construct;
    } parts[] = {
        {SCH_OP_IF, SCH_OPF_OPENS, SCH_CONSTRUCT_IF},
        {SCH_OP_UIF, SCH_OPF_OPENS, SCH_CONSTRUCT_IF},
        {SCH_OP_ELSE, SCH_OPF_DIVIDES, SCH_CONSTRUCT_IF},
        {SCH_OP_ENDIF, SCH_OPF_CLOSES, SCH_CONSTRUCT_IF},
        {SCH_OP_BGNLOOP, SCH_OPF_OPENS, SCH_CONSTRUCT_LOOP},
        {SCH_OP_ENDLOOP, SCH_OPF_CLOSES, SCH_CONSTRUCT_LOOP},
        {SCH_OP_SWITCH, SCH_OPF_OPENS, SCH_CONSTRUCT_SWITCH},
        {SCH_OP_CASE, SCH_OPF_DIVIDES, SCH_CONSTRUCT_SWITCH},
        {SCH_OP_DEFAULT, SCH_OPF_DIVIDES, SCH_CONSTRUCT_SWITCH},
        {SCH_OP_ENDSWITCH, SCH_OPF_CLOSES, SCH_CONSTRUCT_SWITCH},
        {SCH_OP_BGNSUB, SCH_OPF_OPENS, SCH_CONSTRUCT_SUB},
        {SCH_OP_ENDSUB, SCH_OPF_CLOSES, SCH_CONSTRUCT_SUB},
    };
    static const unsigned leaves[] = {SCH_OP_BRK, SCH_OP_CONT, SCH_OP_CAL,     SCH_OP_RET,
                                      SCH_OP_END, SCH_OP_KILL, SCH_OP_KILL_IF, SCH_OP_ABORT};
    const unsigned all = SCH_OPF_OPENS | SCH_OPF_DIVIDES | SCH_OPF_CLOSES | SCH_OPF_LEAVES;
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *info = sch_op_info(opcode);
        if (!info) continue;
        unsigned expected = 0;
        enum sch_construct construct = SCH_CONSTRUCT_IF;
        for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
            if (leaves[i] == opcode) expected = SCH_OPF_LEAVES;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (parts[i].opcode != opcode) continue;
            expected = parts[i].part;
            construct = parts[i].construct;
        }
        if ((info->flags & all) != expected) fail_msg("%s: not the part of a construct that it is", info->name);
        assert_int_equal(sch_op_construct(info), construct);
    }
}

static void words_are_unique_and_found(void **state)
{
    (void)state;
    static const size_t counts[SCH_WORDS_COUNT] = {[SCH_WORDS_SEMANTIC] = SEMANTICS,
                                                   [SCH_WORDS_PROPERTY] = PROPERTIES,
                                                   [SCH_WORDS_FORMAT] = FORMATS,
                                                   [SCH_WORDS_STAGE] = 6,
                                                   [SCH_WORDS_FILE] = 16,
                                                   [SCH_WORDS_TARGET] = 19,
                                                   [SCH_WORDS_IMMEDIATE] = 6,
                                                   [SCH_WORDS_PRIMITIVE] = 15};
    for (int v = 0; v < SCH_WORDS_COUNT; v++) {
        size_t count;
        const struct sch_word *words = sch_words((enum sch_vocabulary)v, &count);
        assert_non_null(words);
        assert_true(count > 0);
        if (counts[v]) assert_int_equal(count, counts[v]);
        for (size_t i = 0; i < count; i++) {
            assert_true(words[i].word && words[i].word[0]);
            assert_non_null(words[i].doc);
            assert_ptr_equal(sch_word_find((enum sch_vocabulary)v, words[i].word, strlen(words[i].word)), &words[i]);
            assert_ptr_equal(sch_word_by_number((enum sch_vocabulary)v, words[i].number), &words[i]);
            if (i) assert_true(words[i].number > words[i - 1].number);
        }
        assert_null(sch_word_find((enum sch_vocabulary)v, "no such word", 12));
        assert_null(sch_word_find((enum sch_vocabulary)v, "", 0));
        assert_null(sch_word_by_number((enum sch_vocabulary)v, 4000000000u));
    }
}

static void semantics_say_where_they_may_stand(void **state)
{
    (void)state;
    size_t count;
    const struct sch_word *words = sch_words(SCH_WORDS_SEMANTIC, &count);
    unsigned allowed = SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(OUTPUT) | SCH_FILE_BIT(SYSTEM_VALUE);
    for (size_t i = 0; i < count; i++) {
        if (!words[i].extra || (words[i].extra & ~allowed)) fail_msg("%s: files %x", words[i].word, words[i].extra);
        assert_true(strcmp(words[i].type, "F") == 0 || strcmp(words[i].type, "U") == 0);
    }
    for (unsigned n = 0; n < SCH_SEMANTIC_COUNT + 4; n++) {
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, n);
        const struct sch_semantic_info *info = sch_semantic_info(n);
        assert_int_equal(info != NULL, word != NULL);
        if (info) assert_string_equal(info->word, word->word);
    }
    assert_null(sch_semantic_info(UINT_MAX));
}

static void diagnostics_have_unique_ascending_numbers(void **state)
{
    (void)state;
    size_t count;
    const struct sch_error_info *rows = sch_diagnostic_rows(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        const struct sch_error_info *row = &rows[i];
        for (size_t j = 0; j < i; j++) {
            if (rows[j].number == row->number) fail_msg("%u is %s and %s", row->number, rows[j].name, row->name);
            if (strcmp(rows[j].name, row->name) == 0) fail_msg("two rows are called %s", row->name);
        }
        bool warning = sch_diagnostic_severity(row->number) != SCH_SEVERITY_ERROR;
        bool warning_number = row->number % 1000 >= 500;
        if (warning != warning_number) fail_msg("%u %s: severity and number disagree", row->number, row->name);
        assert_true(row->summary[0]);
        if (!row->explanation[0]) fail_msg("%u has no explanation", row->number);
    }
}

/* ---- rows against the lists beside the repository ---- */

enum { FIELDS = 12 };

/* A tab-separated list, split in place: rows of at most FIELDS fields; lines that begin with # are left out. */
struct list {
    char *text;
    char *(*rows)[FIELDS];
    size_t count;
};

static bool read_list(struct list *list, const char *name)
{
    *list = (struct list){0};
    const char *shared = getenv("SCH_SHARED");
    if (!shared) return false;
    char path[4096];
    snprintf(path, sizeof path, "%s/spec/%s", shared, name);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t bytes = 0, room = 1 << 20;
    list->text = malloc(room + 1);
    assert_non_null(list->text);
    bytes = fread(list->text, 1, room, file);
    fclose(file);
    list->text[bytes] = 0;
    list->rows = calloc(2000, sizeof *list->rows);
    assert_non_null(list->rows);
    char *next = list->text;
    while (*next && list->count < 2000) {
        char *line = next, *end = strchr(line, '\n');
        next = end ? end + 1 : line + strlen(line);
        if (end) *end = 0;
        if (*line == '#' || *line == 0) continue;
        for (int f = 0; f < FIELDS; f++) list->rows[list->count][f] = "";
        for (int f = 0; f < FIELDS && line; f++) {
            char *tab = strchr(line, '\t');
            list->rows[list->count][f] = line;
            if (tab) *tab++ = 0;
            line = tab;
        }
        list->count++;
    }
    assert_true(list->count > 1);
    return true;
}

static void free_list(struct list *list)
{
    free(list->rows);
    free(list->text);
}

/* What the lists of the specification's folder sum up to: its README says where they come from. */
#define OPCODES_SUM    "4dbccc0d7cc7fd8b"
#define SEMANTICS_SUM  "5bfd30f22b2c2968"
#define PROPERTIES_SUM "f88d244f9f857350"
#define FORMATS_SUM    "1f482849e362981b"

static void say_opcode(struct list_sum *sum, unsigned number, const char *name, unsigned srcs, unsigned dsts)
{
    list_sum_say(sum, number, "%s %u/%u", name, srcs, dsts);
}

static void opcodes_are_those_of_the_list(void **state)
{
    (void)state;
    struct list_sum *sum = list_sum_begin();
    unsigned count = 0;
    for (unsigned i = 0; i < BINARY_OPCODES; i++) {
        const struct sch_op_info *info = sch_op_info(i);
        if (!info || !info->name) continue;
        say_opcode(sum, info->opcode, info->name, info->srcs, info->dsts);
        count++;
    }
    assert_int_equal(count, OPCODES - OWN_OPCODES);
    assert_string_equal(list_sum_end(sum), OPCODES_SUM);
    struct list list;
    if (!read_list(&list, "tgsi_opcodes.tsv")) return;
    sum = list_sum_begin();
    for (size_t i = 1; i < list.count; i++) {
        unsigned number, srcs, dsts;
        assert_int_equal(sscanf(list.rows[i][6], "%u", &number), 1);
        assert_int_equal(sscanf(list.rows[i][7], "%u/%u", &srcs, &dsts), 2);
        say_opcode(sum, number, list.rows[i][0], srcs, dsts);
    }
    assert_string_equal(list_sum_end(sum), OPCODES_SUM);
    free_list(&list);
}

/* The list leaves the words of some semantics to the parser. */
static void say_semantic(struct list_sum *sum, unsigned number, const char *name, const char *word)
{
    list_sum_say(sum, number, "%s %s", name, word);
}

static void semantics_are_those_of_the_list(void **state)
{
    (void)state;
    struct list_sum *sum = list_sum_begin();
    for (unsigned i = 0; i < SEMANTICS - OWN_SEMANTICS; i++) {
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, i);
        assert_non_null(word);
        say_semantic(sum, i, word->name, word->word);
    }
    assert_string_equal(list_sum_end(sum), SEMANTICS_SUM);
    struct list list;
    if (!read_list(&list, "tgsi_semantics.tsv")) return;
    sum = list_sum_begin();
    for (size_t i = 1; i < list.count; i++) {
        char **row = list.rows[i];
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, (unsigned)atoi(row[3]));
        assert_non_null(word);
        say_semantic(sum, word->number, row[0], row[2][0] != '(' ? row[2] : word->word);
    }
    assert_string_equal(list_sum_end(sum), SEMANTICS_SUM);
    free_list(&list);
}

static void say_property(struct list_sum *sum, unsigned number, const char *name, bool is_number)
{
    list_sum_say(sum, number, "%s %d", name, is_number);
}

static void properties_are_those_of_the_list(void **state)
{
    (void)state;
    struct list_sum *sum = list_sum_begin();
    for (unsigned i = 0; i < PROPERTIES - OWN_PROPERTIES; i++) {
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_PROPERTY, i);
        assert_non_null(word);
        say_property(sum, i, word->word, strcmp(word->type, "UINT") == 0);
    }
    assert_string_equal(list_sum_end(sum), PROPERTIES_SUM);
    struct list list;
    if (!read_list(&list, "tgsi_properties.tsv")) return;
    sum = list_sum_begin();
    for (size_t i = 1; i < list.count; i++)
        say_property(sum, (unsigned)atoi(list.rows[i][2]), list.rows[i][0],
                     strcmp(list.rows[i][3], "unsigned integer") == 0);
    assert_string_equal(list_sum_end(sum), PROPERTIES_SUM);
    free_list(&list);
}

/* Packed video formats whose layout gallium's list does not have, or has unlike Direct3D (the head of formats.def). */
static bool is_laid_out_here(const char *format)
{
    static const char *const names[] = {"AYUV", "XYUV", "Y410", "Y412", "Y416"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format, names[i]) == 0) return true;
    return false;
}

static void say_format(struct list_sum *sum, unsigned number, const char *name, const char *channels,
                       const char *swizzle)
{
    bool here = is_laid_out_here(name);
    list_sum_say(sum, number, "%s %s %s", name, here ? "" : channels, here ? "" : swizzle);
}

static void formats_are_those_of_the_list(void **state)
{
    (void)state;
    struct list_sum *sum = list_sum_begin();
    for (unsigned i = 0; i < LIST_LINES; i++) {
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_FORMAT, i);
        if (word) say_format(sum, i, word->word, word->doc, word->type);
    }
    assert_string_equal(list_sum_end(sum), FORMATS_SUM);
    struct list list;
    if (!read_list(&list, "pipe_formats.tsv")) return;
    assert_int_equal(list.count - 1, FORMATS);
    sum = list_sum_begin();
    for (size_t i = 1; i < list.count; i++)
        say_format(sum, (unsigned)atoi(list.rows[i][0]), list.rows[i][1] + strlen("PIPE_FORMAT_"), list.rows[i][6],
                   list.rows[i][7]);
    assert_string_equal(list_sum_end(sum), FORMATS_SUM);
    free_list(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes_are_counted_and_found),
        cmocka_unit_test(no_opcode_number_is_used_twice),
        cmocka_unit_test(there_is_room_for_own_opcodes),
        cmocka_unit_test(signatures_agree_with_operand_counts),
        cmocka_unit_test(flags_agree_with_shapes),
        cmocka_unit_test(flags_of_few),
        cmocka_unit_test(vertices_and_patches),
        cmocka_unit_test(channels_of_sources),
        cmocka_unit_test(constructs_are_whole),
        cmocka_unit_test(words_are_unique_and_found),
        cmocka_unit_test(semantics_say_where_they_may_stand),
        cmocka_unit_test(diagnostics_have_unique_ascending_numbers),
        cmocka_unit_test(opcodes_are_those_of_the_list),
        cmocka_unit_test(semantics_are_those_of_the_list),
        cmocka_unit_test(properties_are_those_of_the_list),
        cmocka_unit_test(formats_are_those_of_the_list),
    };
    return cmocka_run_group_tests_name("isa", tests, NULL, NULL);
}
