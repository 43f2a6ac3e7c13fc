/* What src/tgsi says of wrong inputs, in full: every report of a text or of a program of binary tokens, its place and
 * its words. The rows stand in tgsi_*_cases.def. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/counting.h"
#include "isa/errors.h"
#include "tgsi/find.h"

/* All that was reported, and the print of what was read. */
static void outcome(const struct reading *reading, char *text, size_t room)
{
    size_t at = 0;
    for (size_t i = 0; i < reading->diagnostics.count; i++) {
        const struct sch_diagnostic *item = &reading->diagnostics.items[i];
        const char *mark = item->severity == SCH_SEVERITY_WARNING ? "W " : "";
        if (item->position.line)
            at += (size_t)snprintf(text + at, room - at, "%s%u:%u: %s\n", mark, item->position.line,
                                   item->position.column, item->message);
        else
            at += (size_t)snprintf(text + at, room - at, "%s%u: %s\n", mark, (unsigned)item->position.offset / 4,
                                   item->message);
        assert_true(at < room);
    }
    char *print = reading->shader ? print_shader(reading->shader, SCH_FLOAT_TEXT_SOURCE) : NULL;
    snprintf(text + at, room - at, "%s", print ? print : "");
    free(print);
}

struct text_case {
    const char *text;
    size_t bytes;
    const char *outcome;
};

static const struct text_case text_cases[] = {
#define CASE(text, outcome) {text, sizeof text - 1, outcome},
#include "tgsi_text_cases.def"
};
static const struct text_case log_cases[] = {
#include "tgsi_find_cases.def"
#undef CASE
};

static void texts(void **state)
{
    (void)state;
    char found[4096];
    for (size_t i = 0; i < sizeof text_cases / sizeof *text_cases; i++) {
        struct reading reading = read_text(text_cases[i].text, text_cases[i].bytes);
        outcome(&reading, found, sizeof found);
        if (strcmp(found, text_cases[i].outcome) != 0)
            fail_msg("%s\nis\n%s\nand should be\n%s", text_cases[i].text, found, text_cases[i].outcome);
        release(&reading);
    }
}

/* What was found, and the copy. */
static void found_in(const char *text, size_t bytes, char *said, size_t room)
{
    struct sch_tgsi_found found;
    size_t at = 0;
    assert_int_equal(sch_tgsi_find(&sch_allocator_libc, text, bytes, NULL, &found), SCH_OK);
    for (size_t i = 0; i < found.count; i++)
        at += (size_t)snprintf(said + at, room - at, "%u:%zu..%zu\n", found.spans[i].line, found.spans[i].begin,
                               found.spans[i].end);
    assert_true(at + bytes < room);
    if (found.text != text) memcpy(said + at, found.text, bytes);
    said[found.text != text ? at + bytes : at] = '\0';
    sch_tgsi_found_release(&found);
}

static void shaders_in_texts(void **state)
{
    (void)state;
    char said[1024];
    for (size_t i = 0; i < sizeof log_cases / sizeof *log_cases; i++) {
        found_in(log_cases[i].text, log_cases[i].bytes, said, sizeof said);
        if (strcmp(said, log_cases[i].outcome) != 0)
            fail_msg("%s\nis\n%s\nand should be\n%s", log_cases[i].text, said, log_cases[i].outcome);
    }
}

/* The beginning of a text means the same whatever lies behind it: its rest, or any other byte. */
static void what_lies_behind(void **state)
{
    (void)state;
    static const char others[] = {'0', 'x', '.', ' ', ':', '[', '\n', 'F', ',', '/', '\0'};
    char alone[4096], before[4096], text[2][512];
    for (size_t i = 0; i < sizeof text_cases / sizeof *text_cases; i++) {
        assert_true(text_cases[i].bytes + 8 < sizeof *text);
        for (size_t bytes = 0; bytes <= text_cases[i].bytes; bytes++) {
            memset(text[0], others[(i + bytes) % sizeof others], sizeof *text);
            memcpy(text[0], text_cases[i].text, bytes);
            memcpy(text[1], text_cases[i].text, text_cases[i].bytes);
            struct reading readings[] = {read_text(text[0], bytes), read_text(text[1], bytes)};
            outcome(&readings[0], alone, sizeof alone);
            outcome(&readings[1], before, sizeof before);
            if (strcmp(alone, before) != 0)
                fail_msg("%zu bytes of %s: %s; %s", bytes, text_cases[i].text, alone, before);
            release(&readings[0]);
            release(&readings[1]);
        }
    }
}

static void what_lies_behind_logs(void **state)
{
    (void)state;
    static const char others[] = {'0', 'x', ' ', ':', '\n', 'F', '/', '\r', '[', '_'};
    char alone[1024], before[1024], text[2][512];
    for (size_t i = 0; i < sizeof log_cases / sizeof *log_cases; i++)
        for (size_t bytes = 0; bytes <= log_cases[i].bytes; bytes++) {
            memset(text[0], others[(i + bytes) % sizeof others], sizeof *text);
            memcpy(text[0], log_cases[i].text, bytes);
            memcpy(text[1], log_cases[i].text, log_cases[i].bytes);
            found_in(text[0], bytes, alone, sizeof alone);
            found_in(text[1], bytes, before, sizeof before);
            if (strcmp(alone, before) != 0)
                fail_msg("%zu bytes of %s: %s; %s", bytes, log_cases[i].text, alone, before);
        }
}

/* ---- limits ---- */

static void limits_are_told(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0]\nDCL TEMP[0..7]\nIMM INT32 {1, 2, 3, 4}\nIMM INT32 {1, 2, 3, 4}\n"
                               "PROPERTY SEPARABLE_PROGRAM 1\nPROPERTY FS_DEPTH_LAYOUT 1\nMOV TEMP[0], IN[0]\nEND\n";
    static const char declared[] = "FRAG\nIMM INT32 {1, 2, 3, 4}\nIMM INT32 {1, 2, 3, 4}\n";
    static const char properties[] = "FRAG\nPROPERTY SEPARABLE_PROGRAM 1\nPROPERTY FS_DEPTH_LAYOUT 1\n";
    static const char wrong[] = "FRAG\na\nb\nc\nd\n";
    const struct sch_limits all = SCH_LIMITS_DEFAULT;
    struct sch_limits some[10];
    for (size_t i = 0; i < 10; i++) some[i] = all;
    some[0].source_bytes = sizeof text - 1;
    some[1].source_bytes = sizeof text - 2;
    some[2].instructions = 2;
    some[3].instructions = 1;
    some[4].declarations = 2;
    some[5].declarations = 1;
    some[6].registers = 8;
    some[7].registers = 7;
    some[8].diagnostics = 2;
    some[9].memory = 2000;
    const struct {
        const char *text;
        const struct sch_limits *limits;
        enum sch_result status;
        const char *report;
    } rows[] = {
        {text, &some[0], SCH_OK, ""},
        {text, &some[1], SCH_ERROR_LIMIT, "1:1: the text has 155 bytes, the limit is 154\n"},
        {text, &some[2], SCH_OK, ""},
        {text, &some[3], SCH_ERROR_LIMIT, "9:4: more than 1 instructions\n"},
        {text, &some[4], SCH_OK, ""},
        {text, &some[5], SCH_ERROR_LIMIT, "3:15: more than 1 declarations\n"},
        {declared, &some[5], SCH_ERROR_LIMIT, "3:23: more than 1 immediates\n"},
        {properties, &some[5], SCH_ERROR_LIMIT, "3:27: more than 1 properties\n"},
        {text, &some[6], SCH_OK, ""},
        {text, &some[7], SCH_ERROR_LIMIT, "3:15: register 7 is above the limit of 7 registers\n"},
        {wrong, &some[8], SCH_ERROR_INVALID, "2:1: no opcode is called \"a\"\n3:1: no opcode is called \"b\"\n"},
        {wrong, &all, SCH_ERROR_INVALID,
         "2:1: no opcode is called \"a\"\n3:1: no opcode is called \"b\"\n4:1: no opcode is called \"c\"\n"
         "5:1: no opcode is called \"d\"\n"},
        {text, &some[9], SCH_ERROR_LIMIT, "2:10: the shader needs more memory than the limit allows\n"},
    };
    char said[4096];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading reading = read_text_within(rows[i].text, strlen(rows[i].text), rows[i].limits);
        if (reading.shader) sch_ir_destroy(reading.shader);
        reading.shader = NULL;
        outcome(&reading, said, sizeof said);
        if (strcmp(said, rows[i].report) != 0) fail_msg("row %zu: %s", i, said);
        assert_int_equal(reading.status, rows[i].status);
        release(&reading);
    }
}

/* What the list of reports does not keep is counted: reading ends with one that says so. */
static void too_many_errors(void **state)
{
    (void)state;
    static const char text[] = "FRAG\na\nb\nc\nd\n";
    for (uint32_t most = 0; most < 7; most++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        limits.diagnostics = most;
        sch_diagnostics_init(&list, &sch_allocator_libc, 100);
        assert_int_equal(sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader),
                         SCH_ERROR_INVALID);
        const size_t read = most == 0 ? 1 : most < 4 ? most : 4;
        assert_int_equal(list.count, most > 4 ? 4 : read + 1);
        if (most <= 4) {
            assert_int_equal(list.items[read].code, SCH_D_TEXT_ERRORS);
            assert_string_equal(list.items[read].message, "too many errors; reading stops here");
        }
        sch_diagnostics_release(&list);
    }
}

/* The registers and literals that old opcodes need count as declarations, and stand where the first of them does. */
static void old_opcodes_need_room(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
        uint32_t needed; /* declarations, or immediates */
    } rows[] = {
        {"FRAG\nSFL TEMP[0], TEMP[0], TEMP[0]\n", "immediates", 1},
        {"FRAG\nIMM INT32 {1, 2, 3, 4}\nIMM INT32 {1, 2, 3, 4}\nSFL TEMP[0], TEMP[0], TEMP[0]\n", "immediates", 3},
        {"FRAG\nCLAMP TEMP[0], IN[0], IN[0], IN[0]\n", "declarations", 1},
        {"FRAG\nDCL TEMP[0]\nDCL TEMP[1]\nCLAMP TEMP[0], IN[0], IN[0], IN[0]\n", "declarations", 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t most = 0; most < 5; most++) {
            struct sch_limits limits = SCH_LIMITS_DEFAULT;
            struct sch_diagnostics list;
            struct sch_ir_shader *shader;
            char words[64];
            limits.declarations = most;
            sch_diagnostics_init(&list, &sch_allocator_libc, 100);
            enum sch_result status =
                sch_tgsi_parse(&sch_allocator_libc, &limits, rows[i].text, strlen(rows[i].text), &list, &shader);
            assert_int_equal(status, most < rows[i].needed ? SCH_ERROR_LIMIT : SCH_OK);
            snprintf(words, sizeof words, "more than %u %s", (unsigned)most, rows[i].what);
            if (most < rows[i].needed) assert_string_equal(list.items[list.count - 1].message, words);
            sch_ir_destroy(shader);
            sch_diagnostics_release(&list);
        }
    struct reading reading = read_string("FRAG\nMOV TEMP[0], IN[0]\n  SCS TEMP[0], IN[0]\nXPD TEMP[0], IN[0], IN[0]\n"
                                         "CND TEMP[0], IN[0], IN[0], IN[0]\nEMIT\n");
    const struct sch_ir_shader *shader = reading.shader;
    assert_non_null(shader);
    assert_int_equal(shader->declaration_count, 1);
    assert_int_equal(shader->immediate_count, 1);
    assert_int_equal(shader->declarations[0].position.line, 3);
    assert_int_equal(shader->declarations[0].position.column, 3);
    assert_int_equal(shader->immediates[0].position.line, 3);
    assert_int_equal(shader->immediates[0].position.column, 3);
    release(&reading);
    reading = read_string("GEOM\nEMIT\nSFL TEMP[0], IN[0], IN[0]\n");
    assert_int_equal(reading.shader->immediates[0].position.line, 2);
    release(&reading);
}

/* Memory that ends anywhere: shaders of so many statements that each kind of list is once the one without room. */
static void memory_ends_anywhere(void **state)
{
    (void)state;
    static char text[1 << 14];
    struct counting counting = {0};
    const struct sch_allocator allocator = counting_callbacks(&counting);
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    for (unsigned statements = 0; statements < 72; statements++) {
        size_t bytes = (size_t)snprintf(text, sizeof text, "FRAG\n");
        for (unsigned n = 0; n < statements; n++)
            bytes += (size_t)snprintf(text + bytes, sizeof text - bytes,
                                      "DCL TEMP[%u]\nCND TEMP[0], IN[0], IN[0], IN[0]\n", n);
        bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "RCC TEMP[0], IN[0]\nSCS TEMP[0], IN[0]\nEND\n");
        enum sch_result status = SCH_ERROR_MEMORY;
        struct sch_ir_shader *shader = NULL;
        for (long from = 1; status == SCH_ERROR_MEMORY && from <= 100; from++) {
            counting = (struct counting){.fail_from = from};
            status = sch_tgsi_parse(&allocator, &limits, text, bytes, NULL, &shader);
            assert_true((status == SCH_OK) == (shader != NULL));
        }
        assert_int_equal(status, SCH_OK);
        sch_ir_destroy(shader);
        assert_int_equal(counting.live, 0);
    }
}

/* Each allocation refused in its turn, until none is. */
static void memory_runs_out(void **state)
{
    (void)state;
    static const char text[] = "FRAG # c\nDCL TEMP[0]\nIMM INT32 {1, 2, 3, 4}\nPROPERTY FS_DEPTH_LAYOUT 1\n"
                               "XPD TEMP[0], IMM[0], IMM[0]\nEND\n";
    struct counting counting = {0};
    const struct sch_allocator allocator = counting_callbacks(&counting);
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    enum sch_result status = SCH_ERROR_MEMORY;
    struct sch_ir_shader *shader = NULL;
    long n = 0;
    for (; status == SCH_ERROR_MEMORY && n < 100; n++) {
        counting = (struct counting){.fail_from = n + 1};
        status = sch_tgsi_parse(&allocator, &limits, text, strlen(text), NULL, &shader);
        assert_true((status == SCH_OK) == (shader != NULL));
    }
    assert_int_equal(status, SCH_OK);
    assert_true(n > 2);
    for (unsigned form = 0; form < 4; form++) {
        size_t bytes = 1, count = 1;
        void *data = &bytes, *words = &bytes;
        struct sch_ir_shader *again;
        counting.fail_from = 0;
        assert_int_equal(sch_tgsi_container_write(shader, &allocator, NULL, &data, &bytes), SCH_OK);
        status = SCH_ERROR_MEMORY;
        for (n = 0; status == SCH_ERROR_MEMORY && n < 100; n++) {
            counting.calls = 0;
            counting.fail_from = n + 1;
            count = 1;
            words = &bytes;
            again = shader;
            if (form == 0) status = sch_tgsi_print(shader, SCH_FLOAT_TEXT_SOURCE, &allocator, (char **)&words, &count);
            if (form == 1) status = sch_tgsi_encode(shader, &allocator, NULL, (uint32_t **)&words, &count);
            if (form == 2) status = sch_tgsi_container_write(shader, &allocator, NULL, &words, &count);
            if (form == 3) status = sch_tgsi_container_read(&allocator, &limits, data, bytes, NULL, &again);
            if (form < 3) assert_true((status == SCH_OK) == (words && count));
            if (form == 3) assert_true((status == SCH_OK) == (again != NULL));
        }
        assert_int_equal(status, SCH_OK);
        assert_true(n > 1);
        if (form < 3) allocator.free(&counting, words);
        if (form == 3) sch_ir_destroy(again);
        allocator.free(&counting, data);
    }
    sch_ir_destroy(shader);
    assert_int_equal(counting.live, 0);
}

/* Lines of a part of a text are counted from the one that it begins with, up to the largest number. */
static void lines_of_parts(void **state)
{
    (void)state;
    static const struct {
        uint32_t line, reported;
    } rows[] = {{1, 4}, {7, 10}, {UINT32_MAX - 3, UINT32_MAX}, {UINT32_MAX - 2, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}};
    static const char text[] = "x\n\nFRAG\nfoo TEMP[0]\n";
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        sch_diagnostics_init(&list, &sch_allocator_libc, 100);
        assert_int_equal(
            sch_tgsi_parse_part(&sch_allocator_libc, &limits, text, strlen(text), rows[i].line, NULL, &list, &shader),
            SCH_ERROR_INVALID);
        assert_int_equal(list.items[0].position.line, rows[i].reported);
        assert_int_equal(list.items[0].position.column, 1);
        assert_int_equal(list.items[0].position.offset, 8);
        sch_diagnostics_release(&list);
    }
}

enum { VERT = 0, CTRL = 1, EVAL = 2, GEOM = 3, FRAG = 4, DST = 4 | 15 << 4 };

/* What is read is written as the same words. */
static void tokens(void **state)
{
    (void)state;
    static const struct {
        const char *outcome;
        size_t count;
        uint32_t words[16];
    } cases[] = {
#define BODY(stage, count)       2 | (count) << 8, stage
#define DCL(words, file)         (uint32_t)((words) << 4 | (file) << 12 | 15 << 16)
#define INS(words, opcode, d, s) (uint32_t)(2 | (words) << 4 | (opcode) << 12 | (d) << 21 | (s) << 23)
#define SRC(file)                ((file) | 0xe4u << 22)
#define OFFSET(n)                ((n) | 7 << 16 | (n) << 20)
#define CASE(outcome, ...)       {outcome, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), {__VA_ARGS__}},
#include "tgsi_token_cases.def"
#undef CASE
    };
    char found[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading reading = read_words(cases[i].words, cases[i].count);
        outcome(&reading, found, sizeof found);
        if (strcmp(found, cases[i].outcome) != 0) fail_msg("row %zu is\n%s\nnot\n%s", i, found, cases[i].outcome);
        if (reading.shader) {
            size_t count;
            uint32_t *words = encode_shader(reading.shader, &count);
            assert_int_equal(count, cases[i].count);
            assert_memory_equal(words, cases[i].words, count * sizeof *words);
            free(words);
        }
        release(&reading);
    }
}

/* Numbers that no table has are printed as numbers, instructions and immediates of no known kind not at all. */
static void what_has_no_word(void **state)
{
    (void)state;
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
    assert_non_null(shader);
    const struct sch_ir_declaration declarations[] = {
        {.file = 200, .first = 1, .last = 2, .usage_mask = 15},
        {.file = SCH_FILE_INPUT, .usage_mask = 5, .has_semantic = true, .semantic = 201, .semantic_index = 3},
        {.file = SCH_FILE_INPUT,
         .usage_mask = 15,
         .has_semantic = true,
         .has_interpolation = true,
         .interpolation = 202,
         .location = 203},
        {.file = SCH_FILE_IMAGE, .usage_mask = 15, .target = 204, .format = 2050},
        {.file = SCH_FILE_SAMPLER_VIEW, .usage_mask = 15, .target = 2, .return_type = {206, 206, 206, 206}},
        {.file = SCH_FILE_MEMORY, .usage_mask = 15, .memory_kind = 207},
        {.file = SCH_FILE_TEMPORARY, .usage_mask = 0},
    };
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++)
        assert_int_equal(sch_ir_add_declaration(shader, &declarations[i]), SCH_OK);
    const struct sch_ir_immediate none = {.type = 208}, three = {.type = SCH_IMMEDIATE_UINT32, .word = {1, 2, 3, 4}};
    const struct sch_ir_property unknown = {.name = 209, .count = 1},
                                 stage = {.name = SCH_PROPERTY_NEXT_SHADER, .count = 2, .value = {1, 210}};
    assert_int_equal(sch_ir_add_immediate(shader, &none), SCH_OK);
    assert_int_equal(sch_ir_add_immediate(shader, &three), SCH_OK);
    assert_int_equal(sch_ir_add_property(shader, &unknown), SCH_OK);
    assert_int_equal(sch_ir_add_property(shader, &stage), SCH_OK);
    struct sch_ir_instruction gap = {.opcode = 67}, move = {.opcode = SCH_OP_MOV, .dst_count = 1, .src_count = 1},
                              labelled = {.opcode = SCH_OP_END, .has_label = true, .label = 9},
                              plain = {.opcode = SCH_OP_CAL, .label = 9};
    move.dst[0] = sch_ir_dst((enum sch_file)211, -4);
    move.dst[0].write_mask = 0;
    move.src[0] = sch_ir_src((enum sch_file)212, -5);
    move.src[0].swizzle[0] = 7;
    move.src[0].index.is_indirect = true;
    move.src[0].index.indirect = (struct sch_ir_indirect){.file = 213, .index = -6, .component = 5};
    const struct sch_ir_instruction *const instructions[] = {&gap, &move, &labelled, &plain};
    for (size_t i = 0; i < 4; i++) assert_int_equal(sch_ir_add_instruction(shader, instructions[i]), SCH_OK);
    char *print = print_shader(shader, SCH_FLOAT_TEXT_SOURCE);
    assert_string_equal(print, "FRAG\nDCL 200[1..2]\nDCL IN[0].xz, 201[3]\nDCL IN[0], POSITION, 202, 203\n"
                               "DCL IMAGE[0], 204, PIPE_FORMAT_2050\nDCL SVIEW[0], 2D, 206\nDCL MEMORY[0], 207\n"
                               "DCL TEMP[0].\nIMM[0] UINT32 {1, 2, 3, 4}\nPROPERTY NEXT_SHADER TESS_CTRL, 210\n"
                               "  0: MOV 211[-4]., 212[213[-6].y-5].wyzw\n  1: END\n  2: CAL\n");
    free(print);
    sch_ir_destroy(shader);
}

/* Levels below none are none; levels past the limit are those of the limit. */
static void levels_are_bounded(void **state)
{
    (void)state;
    static const char text[] = "FRAG ENDLOOP ENDIF BGNLOOP BGNLOOP BGNLOOP BGNLOOP BGNLOOP BRK ENDLOOP ENDLOOP";
    static const char *const expected[] = {
        "FRAG\n  0: ENDLOOP\n  1: ENDIF\n  2: BGNLOOP\n  3: BGNLOOP\n  4: BGNLOOP\n  5: BGNLOOP\n  6: BGNLOOP\n"
        "  7: BRK\n  8: ENDLOOP\n  9: ENDLOOP\n",
        "FRAG\n  0: ENDLOOP\n  1: ENDIF\n  2: BGNLOOP\n  3: BGNLOOP\n  4: BGNLOOP\n  5:   BGNLOOP\n"
        "  6:   BGNLOOP\n  7:   BRK\n  8:   ENDLOOP\n  9:   ENDLOOP\n",
        "FRAG\n  0: ENDLOOP\n  1: ENDIF\n  2: BGNLOOP\n  3: BGNLOOP\n  4: BGNLOOP\n  5:   BGNLOOP\n"
        "  6:     BGNLOOP\n  7:     BRK\n  8:     ENDLOOP\n  9:   ENDLOOP\n",
        "FRAG\n  0: ENDLOOP\n  1: ENDIF\n  2: BGNLOOP\n  3: BGNLOOP\n  4: BGNLOOP\n  5:   BGNLOOP\n"
        "  6:     BGNLOOP\n  7:       BRK\n  8:     ENDLOOP\n  9:   ENDLOOP\n"};
    for (uint32_t nesting = 0; nesting < 5; nesting++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        limits.nesting = nesting;
        struct reading reading = read_text_within(text, strlen(text), &limits);
        assert_non_null(reading.shader);
        char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
        assert_string_equal(print, expected[nesting < 4 ? nesting : 3]);
        free(print);
        release(&reading);
    }
}

/* What tokens have no bits for: said at the line, in full, of every such thing. */
static void what_tokens_do_not_hold(void **state)
{
    (void)state;
    struct reading reading =
        read_string("COMP\nDCL RES[0], 2D\nDCL SV[0], INNER_COVERAGE\nDCL SV[1], FACE\nPROPERTY D3D_RULES 1\n"
                    "LOAD TEMP[0], RES[0], TEMP[0]\nSTORE RES[0], TEMP[0], TEMP[0]\nCAL :16777215\nCAL :16777216\n"
                    "MSAD TEMP[0], TEMP[0], TEMP[0], TEMP[0]\nEND\n");
    assert_non_null(reading.shader);
    struct sch_ir_declaration array = {.file = SCH_FILE_TEMPORARY, .usage_mask = 15, .array_id = 1024};
    assert_int_equal(sch_ir_add_declaration(reading.shader, &array), SCH_OK);
    array.array_id = 1023;
    assert_int_equal(sch_ir_add_declaration(reading.shader, &array), SCH_OK);
    struct reading said = {0};
    uint32_t *words = (uint32_t *)1;
    size_t count = 1;
    sch_diagnostics_init(&said.diagnostics, &sch_allocator_libc, 100);
    assert_int_equal(sch_tgsi_encode(reading.shader, &sch_allocator_libc, &said.diagnostics, &words, &count),
                     SCH_ERROR_INVALID);
    assert_null(words);
    assert_int_equal(count, 0);
    char text[4096];
    outcome(&said, text, sizeof text);
    assert_string_equal(text, "2:1: binary tokens have no RES file\n"
                              "3:1: binary tokens have no semantic INNER_COVERAGE\n"
                              "5:1: binary tokens have no property D3D_RULES\n"
                              "6:1: binary tokens have no RES file\n"
                              "7:1: binary tokens have no RES file\n"
                              "9:1: label 16777216 does not fit: binary tokens hold at most 16777215\n"
                              "10:1: opcode 256 does not fit: binary tokens hold at most 255\n"
                              "0: ArrayID 1024 does not fit: binary tokens hold at most 1023\n");
    sch_diagnostics_release(&said.diagnostics);
    release(&reading);
}

/* A container with these four words instead of its own, and the right checksum. */
static void containers_are_refused(void **state)
{
    (void)state;
    static const uint32_t header[] = {0x54484353, 0x0a495347}; /* "SCHTGSI\n" */
    static const struct {
        uint32_t words[8]; /* version, float style, count, change of the checksum, tokens */
        size_t bytes, limit;
        const char *message; /* NULL: read */
        unsigned offset;
        enum sch_result status;
    } rows[] = {
        {{1, 0, 2, 0, 2, 4}, 32, 32, NULL, 0, SCH_OK},
        {{1, 2, 2, 0, 2, 4}, 32, 0, NULL, 0, SCH_OK},
        {{1, 0, 2, 0, 2, 4}, 32, 31, "the container is larger than the limit", 0, SCH_ERROR_LIMIT},
        {{1, 3, 2, 0, 2, 4}, 32, 0, "the container's float style does not exist", 12, SCH_ERROR_INVALID},
        {{2, 0, 2, 0, 2, 4}, 32, 0, "the container has version 2, and version 1 is read here", 8, SCH_ERROR_INVALID},
        {{0, 0, 2, 0, 2, 4}, 32, 0, "the container has version 0, and version 1 is read here", 8, SCH_ERROR_INVALID},
        {{1, 0, 1, 0, 2, 4}, 32, 0, "the container's count of words and its size disagree", 16, SCH_ERROR_INVALID},
        {{1, 0, 3, 0, 2, 4}, 32, 0, "the container's count of words and its size disagree", 16, SCH_ERROR_INVALID},
        {{1, 0, 2, 0, 2, 4}, 33, 0, "the container's count of words and its size disagree", 16, SCH_ERROR_INVALID},
        {{1, 0, 1, 0, 2, 4}, 31, 0, "the container's count of words and its size disagree", 16, SCH_ERROR_INVALID},
        {{1, 0, 2, 1, 2, 4}, 32, 0, "the container's checksum is wrong", 20, SCH_ERROR_INVALID},
        {{1, 0, 0, 0}, 24, 0, "0 words are not a program", 24, SCH_ERROR_INVALID},
        {{1, 0, 0, 0}, 23, 0, "the container's header is cut off", 23, SCH_ERROR_INVALID},
        {{1, 0, 0, 0}, 8, 0, "the container's header is cut off", 8, SCH_ERROR_INVALID},
        {{1, 0, 0, 0}, 7, 0, "this is not a container of TGSI tokens", 0, SCH_ERROR_INVALID},
        {{1, 0, 2, 0, 2, 6}, 32, 0, "STAGE: 6 is in no table", 28, SCH_ERROR_INVALID},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char data[40] = {0};
        uint32_t hash = 2166136261u;
        memcpy(data, header, sizeof header);
        memcpy(data + 8, rows[i].words, sizeof rows[i].words);
        for (size_t at = 0; at < rows[i].bytes; at++)
            if (at < 20 || at >= 24) hash = (hash ^ data[at]) * 16777619u;
        hash += rows[i].words[3];
        memcpy(data + 20, &hash, 4);
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        limits.source_bytes = rows[i].limit;
        sch_diagnostics_init(&list, &sch_allocator_libc, 100);
        enum sch_result status =
            sch_tgsi_container_read(&sch_allocator_libc, &limits, data, rows[i].bytes, &list, &shader);
        if (status != rows[i].status) fail_msg("row %zu: %d", i, (int)status);
        assert_int_equal(list.count, rows[i].message != NULL);
        if (rows[i].message) {
            assert_string_equal(list.items[0].message, rows[i].message);
            assert_int_equal(list.items[0].position.offset, rows[i].offset);
            assert_int_equal(list.items[0].position.line, 0);
        } else {
            assert_int_equal(shader->float_style, rows[i].words[1]);
        }
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
    }
}

static void limits_of_tokens(void **state)
{
    (void)state;
    static const uint32_t words[] = {2 | 23 << 8,
                                     FRAG,
                                     2 << 4 | 4 << 12 | 15 << 16,
                                     0x00070000,
                                     2 << 4 | 4 << 12 | 15 << 16,
                                     0x00080008,
                                     1 | 5 << 4,
                                     0,
                                     0,
                                     0,
                                     0,
                                     1 | 5 << 4,
                                     0,
                                     0,
                                     0,
                                     0,
                                     3 | 2 << 4 | 28 << 12,
                                     1,
                                     3 | 2 << 4 | 27 << 12,
                                     1,
                                     2 | 2 << 4 | 1 << 12 | 1 << 21 | 1 << 23,
                                     DST,
                                     4,
                                     2 | 117 << 12,
                                     2 | 117 << 12};
    const struct {
        size_t bytes, memory;
        uint32_t instructions, declarations, registers;
        enum sch_result status;
        const char *report;
        unsigned offset;
    } rows[] = {
        {sizeof words, 0, 3, 2, 9, SCH_OK, NULL, 0},
        {0, 0, 3, 2, 9, SCH_OK, NULL, 0},
        {sizeof words - 1, 0, 3, 2, 9, SCH_ERROR_LIMIT, "25 words are above the limit of 99 bytes", 0},
        {0, 0, 2, 2, 9, SCH_ERROR_LIMIT, "too many instructions", 24 * 4},
        {0, 0, 3, 1, 9, SCH_ERROR_LIMIT, "too many declarations", 5 * 4},
        {0, 0, 3, 2, 8, SCH_ERROR_LIMIT, "register 8 is above the limit of 8 registers", 5 * 4},
        {0, 2000, 3, 2, 9, SCH_ERROR_LIMIT, "no memory for more declarations", 3 * 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        limits.source_bytes = rows[i].bytes;
        limits.memory = rows[i].memory;
        limits.instructions = rows[i].instructions;
        limits.declarations = rows[i].declarations;
        limits.registers = rows[i].registers;
        sch_diagnostics_init(&list, &sch_allocator_libc, 100);
        enum sch_result status =
            sch_tgsi_decode(&sch_allocator_libc, &limits, words, sizeof words / sizeof *words, 0, &list, &shader);
        if (status != rows[i].status) fail_msg("row %zu: %d", i, (int)status);
        assert_int_equal(list.count, rows[i].report != NULL);
        if (rows[i].report) {
            assert_string_equal(list.items[0].message, rows[i].report);
            assert_int_equal(list.items[0].position.offset, rows[i].offset);
        }
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(shaders_in_texts),
        cmocka_unit_test(what_lies_behind),
        cmocka_unit_test(what_lies_behind_logs),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(too_many_errors),
        cmocka_unit_test(old_opcodes_need_room),
        cmocka_unit_test(memory_ends_anywhere),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(lines_of_parts),
        cmocka_unit_test(tokens),
        cmocka_unit_test(what_has_no_word),
        cmocka_unit_test(levels_are_bounded),
        cmocka_unit_test(what_tokens_do_not_hold),
        cmocka_unit_test(containers_are_refused),
        cmocka_unit_test(limits_of_tokens),
    };
    return cmocka_run_group_tests_name("tgsi_reports", tests, NULL, NULL);
}
