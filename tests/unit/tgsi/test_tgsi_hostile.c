/* Hostile input of the TGSI readers: cut and changed texts and tokens, endless lines, numbers and nesting beyond
 * measure, an allocator that refuses. Nothing may crash, hang or take memory without bound, and what is refused is
 * reported. Built with the sanitizers, too. SCH_LONG=1 makes the largest texts as large as the issue asks for. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../fuzz/roundtrip.h"
#include "../support/counting.h"
#include "isa/errors.h"

static bool is_long(void) { return getenv("SCH_LONG") != NULL; }

/* Used where the shared folder is missing, and beside it. */
static const char *const own_texts[] = {
    "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID\nDCL OUT[0], COLOR\n"
    "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[1][0..7]\nDCL TEMP[0..3], ARRAY(1), LOCAL\nDCL ADDR[0]\n"
    "IMM[0] FLT32 {0x3f800000, 0x00000000, 0x80000000, 0x7fc00000}\nIMM[1] INT32 {1, -1, 0, 2147483647}\n"
    "  0: TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].xyz\n  1: UIF TEMP[0].xxxx :4\n"
    "  2:   MAD_SAT_PRECISE TEMP[ADDR[0].x+1](1).xy, -|IN[0].wzyx|, CONST[ADDR[0].y][3], IMM[0]\n  3: ELSE :5\n"
    "  4:   MOV TEMP[1], TEMP[0]\n  5: ENDIF\n  6: MOV OUT[0], TEMP[1]\n  7: END\n",
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL BUFFER[0], ATOMIC\n"
    "DCL MEMORY[0], SHARED\nDCL HWATOMIC[0][1..3], ARRAY(1)\nDCL SV[0], THREAD_ID\nIMM[0] UINT32 {0, 1, 2, 3}\n"
    "IMM[1] FLT64 {0.5, inf}\nLOAD TEMP[0], IMAGE[0], SV[0], COHERENT, 2D, PIPE_FORMAT_R32_UINT\n"
    "ATOMCAS TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy, IMM[0].zzzz, VOLATILE\nBARRIER\nEND\n",
    /* In parentheses, since clang takes two literals in a row for a forgotten comma. */
    ("GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION, STREAM(1, 0, 2, 3)\n"
     "IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nEND\n"),
    ("GEOM\nDCL TEMP[0..3]\nDCL SAMP[0]\n0: XPD_SAT TEMP[0].xw, TEMP[1], -TEMP[2].wz\n1: CAL :5\n2: EMIT\n"
     "3: RFL TEMP[1], TEMP[0], TEMP[1]\nIMM FLT32 {1, 2, 3, 4}\n4: END\n5: BGNSUB\n6: BREAKC TEMP[0].r\n"
     "7: TXQ_LZ TEMP[0], SAMP[0], 2D\n8: SCS TEMP[3].z, TEMP[0]\n9: CAL :5\n10: ENDSUB\n"),
};
enum { OWN_TEXTS = sizeof own_texts / sizeof *own_texts, CORPUS_FILES = 200, SOME_FILES = 60 };

/* Calls `check` with our own texts and 60 of the captured ones, with SCH_LONG 200. */
static void for_some_texts(void (*check)(const char *text, size_t bytes, uint64_t *seed))
{
    const size_t most = is_long() ? CORPUS_FILES : SOME_FILES;
    size_t count;
    uint64_t seed = 1;
    for (size_t i = 0; i < OWN_TEXTS; i++) check(own_texts[i], strlen(own_texts[i]), &seed);
    char **paths = captured_texts(&count);
    for (size_t i = 0; i < count && i < most; i++) {
        size_t bytes;
        char *text = load_file(paths[count < most ? i : i * count / most], &bytes);
        assert_non_null(text);
        check(text, bytes, &seed);
        free(text);
    }
    print_message("# %zu texts\n", OWN_TEXTS + (count < most ? count : most));
    free_texts(paths, count);
}

/* An exact copy without a byte behind it, so that the sanitizers see one byte too many. */
static void check_bytes(const char *(*check)(const void *, size_t, bool *), const char *text, size_t bytes)
{
    char *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, text, bytes);
    const char *finding = check(copy, bytes, NULL);
    if (finding) print_message("# %s\n", finding);
    assert_null(finding);
    free(copy);
}

enum { PLACES = 48 };

static void cut_text(const char *text, size_t bytes, uint64_t *seed)
{
    check_bytes(sch_roundtrip_text, text, bytes);
    for (unsigned i = 0; i < PLACES; i++) check_bytes(sch_roundtrip_text, text, random_number(seed) % bytes);
}

static void cut_texts(void **state)
{
    (void)state;
    for_some_texts(cut_text);
}

/* A byte of the text replaced: by any byte, by one that TGSI uses, removed, doubled. */
static void change_text(const char *text, size_t bytes, uint64_t *seed)
{
    static const char used[] = " \t\n,.:[](){}|-+0123456789abefxyzwXSD_";
    char *copy = malloc(bytes + 1);
    assert_non_null(copy);
    for (unsigned i = 0; i < PLACES; i++) {
        size_t at = random_number(seed) % bytes, length = bytes;
        memcpy(copy, text, bytes);
        switch (i % 4) {
        case 0:
            copy[at] = (char)(copy[at] ^ 1u << random_number(seed) % 8);
            break;
        case 1:
            copy[at] = used[random_number(seed) % (sizeof used - 1)];
            break;
        case 2:
            memmove(copy + at, copy + at + 1, --length - at);
            break;
        default:
            memmove(copy + at + 1, text + at, length++ - at);
            break;
        }
        check_bytes(sch_roundtrip_text, copy, length);
    }
    free(copy);
}

static void changed_texts(void **state)
{
    (void)state;
    for_some_texts(change_text);
}

static void change_tokens(const char *text, size_t bytes, uint64_t *seed)
{
    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    size_t count, size;
    uint32_t *words = encode_shader(reading.shader, &count);
    void *container;
    assert_int_equal(sch_tgsi_container_write(reading.shader, &sch_allocator_libc, NULL, &container, &size), SCH_OK);
    check_bytes(sch_roundtrip_tokens, (const char *)words, count * 4);
    check_bytes(sch_roundtrip_tokens, container, size);
    uint32_t *copy = malloc(count * 4);
    assert_non_null(copy);
    for (unsigned i = 0; i < PLACES; i++) {
        memcpy(copy, words, count * 4);
        copy[random_number(seed) % count] ^= 1u << random_number(seed) % 32;
        if (i & 1) copy[random_number(seed) % count] = (uint32_t)random_number(seed);
        check_bytes(sch_roundtrip_tokens, (const char *)copy, count * 4);
        /* Cut, with a header that says so, to get past its check. */
        size_t kept = 2 + random_number(seed) % (count - 2);
        memcpy(copy, words, count * 4);
        copy[0] = 2 | (uint32_t)(kept - 2) << 8;
        check_bytes(sch_roundtrip_tokens, (const char *)copy, kept * 4);
        check_bytes(sch_roundtrip_tokens, (const char *)words, random_number(seed) % (count * 4));

        /* In a container nothing of this gets through: the checksum sees every single change. */
        unsigned char *bad = malloc(size);
        assert_non_null(bad);
        memcpy(bad, container, size);
        bad[8 + random_number(seed) % (size - 8)] ^= (unsigned char)(1u << random_number(seed) % 8);
        bool accepted;
        assert_null(sch_roundtrip_tokens(bad, size, &accepted));
        assert_false(accepted);
        assert_null(sch_roundtrip_tokens(container, random_number(seed) % size, &accepted));
        assert_false(accepted);
        free(bad);
    }
    free(copy);
    free(container);
    free(words);
    release(&reading);
}

static void cut_and_changed_tokens(void **state)
{
    (void)state;
    for_some_texts(change_tokens);
}

/* ---- texts beyond measure ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `head`, then `unit` repeated up to `bytes`, then `tail`. */
static char *repeated(const char *head, const char *unit, size_t times, const char *tail, size_t *bytes)
{
    size_t head_bytes = strlen(head), unit_bytes = strlen(unit), tail_bytes = strlen(tail);
    *bytes = head_bytes + unit_bytes * times + tail_bytes;
    char *text = malloc(*bytes + 1);
    assert_non_null(text);
    memcpy(text, head, head_bytes);
    for (size_t i = 0; i < times; i++) memcpy(text + head_bytes + i * unit_bytes, unit, unit_bytes);
    memcpy(text + *bytes - tail_bytes, tail, tail_bytes + 1);
    return text;
}

/* The text is refused within a time that only linear work keeps; the first report has this number. */
static void assert_quickly(const char *head, const char *unit, size_t times, const char *tail, unsigned code)
{
    size_t bytes;
    char *text = repeated(head, unit, times, tail, &bytes);
    double begin = seconds();
    struct reading reading = read_text(text, bytes);
    double took = seconds() - begin;
    if (code) {
        assert_null(reading.shader);
        if (reading.diagnostics.items[0].code != code)
            print_message("# %u %s\n", reading.diagnostics.items[0].code, reading.diagnostics.items[0].message);
        assert_int_equal(reading.diagnostics.items[0].code, code);
        assert_true(reading.diagnostics.count <= 101);
        for (size_t i = 0; i < reading.diagnostics.count; i++) {
            assert_true(strlen(reading.diagnostics.items[i].message) < 400);
            assert_true(!reading.diagnostics.items[i].line_text ||
                        strlen(reading.diagnostics.items[i].line_text) <= SCH_DIAGNOSTIC_LINE);
        }
    } else {
        assert_non_null(reading.shader);
    }
    if (took > 30) print_message("# %zu bytes took %.1f s\n", bytes, took);
    assert_true(took < 30);
    release(&reading);
    free(text);
}

static void endless_lines(void **state)
{
    (void)state;
    size_t size = is_long() ? 100u << 20 : 20u << 20;
    assert_quickly("FRAG ", " ", size, "END", 0);
    assert_quickly("FRAG\n", "a", size, "", SCH_D_TEXT_STATEMENT);
    assert_quickly("FRAG\n", "1", size, ": END", 0);
    assert_quickly("FRAG\nMOV TEMP[", "1", size, "], TEMP[0]\nEND", SCH_D_TEXT_NUMBER_RANGE);
    assert_quickly("FRAG ", "MOV TEMP[0], TEMP[1] ", size / 21, "END", SCH_D_TEXT_LIMIT);
    assert_quickly("FRAG ", "FOO TEMP[0], TEMP[1] ", size / 21, "END", SCH_D_TEXT_STATEMENT);
    assert_quickly("FRAG ", "\xff", size, "END", SCH_D_TEXT_STATEMENT);
    assert_quickly("FRAG\nIMM FLT32 {", "7", size, ".0, 1, 1, 1}\nEND", 0);
    assert_quickly("FRAG\nIMM FLT64 {0.", "0", size, "1, 1e9999999999999999999999}\nEND", 0);
    assert_quickly("FRAG\nIMM FLT64 {0x0.", "0", size, "1p99999999999999999999, nan}\nEND", 0);
    assert_quickly("FRAG\nIMM INT64 {", "9", size, ", 0}\nEND", SCH_D_TEXT_NUMBER_RANGE);
}

static void a_million(void **state)
{
    (void)state;
    assert_quickly("FRAG\n", "IF TEMP[0].xxxx\n", 1000000, "END\n", SCH_D_TEXT_LIMIT);
    assert_quickly("FRAG\n", "BGNLOOP ", 1000000, "END\n", SCH_D_TEXT_LIMIT);
    assert_quickly("FRAG\nMOV TEMP[0]", ",", 1000000, "\nEND\n", SCH_D_TEXT_FILE);
    assert_quickly("FRAG\nTEX TEMP[0], TEMP[0], SAMP[0], 2D", ", IMM[0].xyz", 1000000, "\nEND\n", SCH_D_TEXT_OFFSETS);
    assert_quickly("FRAG\nMOV TEMP[0], ", "-", 1000000, "TEMP[0]\nEND\n", SCH_D_TEXT_FILE);
    assert_quickly("FRAG\nMOV TEMP", "[TEMP", 1000000, "\nEND\n", SCH_D_TEXT_NUMBER);
    assert_quickly("FRAG\n", "DCL TEMP[0]\n", 1000000, "END\n", SCH_D_TEXT_LIMIT);
    assert_quickly("FRAG\n", "IMM UINT32 {0, 0, 0, 0}\n", 1000000, "END\n", SCH_D_TEXT_LIMIT);
    assert_quickly("FRAG\n", "PROPERTY SEPARABLE_PROGRAM 1\n", 1000000, "END\n", SCH_D_TEXT_LIMIT);
    assert_quickly("FRAG\nLOAD TEMP[0], BUFFER[0], TEMP[0]", ", COHERENT", 1000000, "\nEND\n", 0);
    assert_quickly("FRAG\nDCL IMAGE[0], 2D", ", WR, RAW", 1000000, "\nEND\n", 0);
    assert_quickly("FRAG\n", "1 1 1 ,\n", 1000000, "\nEND\n", SCH_D_TEXT_STATEMENT);
}

static void printing_deep_nesting_is_bounded(void **state)
{
    (void)state;
    size_t bytes, length;
    char *text = repeated("FRAG\n", "BGNLOOP\n", 20000, "END\n", &bytes), *print;
    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    reading.shader->limits.nesting = 64;
    assert_int_equal(sch_tgsi_print(reading.shader, SCH_FLOAT_TEXT_HEX, &sch_allocator_libc, &print, &length), 0);
    assert_true(length < 20002 * (128 + 20));
    free(print);
    release(&reading);
    free(text);
}

static void numbers_beyond_their_place(void **state)
{
    (void)state;
    assert_refused("FRAG\nMOV TEMP[2147483648], IN[0]\nEND\n", SCH_D_TEXT_NUMBER_RANGE, 2, 10);
    assert_refused("FRAG\nMOV TEMP[0], IN[4294967296]\nEND\n", SCH_D_TEXT_NUMBER_RANGE, 2, 17);
    assert_refused("FRAG\nMOV TEMP[0], IN[18446744073709551616]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 17);
    assert_refused("FRAG\nMOV TEMP[ADDR[0].x+16777216], IN[0]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 20);
    assert_refused("FRAG\nMOV TEMP[ADDR[0].x-16777217], IN[0]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 20);
    assert_refused("FRAG\nMOV TEMP[ADDR[16777216].x], IN[0]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 15);
    assert_refused("FRAG\nMOV TEMP[ADDR[0].x](1024), IN[0]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 21);
    assert_refused("FRAG\nDCL TEMP[0..1], ARRAY(1024)\n", SCH_D_TEXT_NUMBER_RANGE, 2, 23);
    assert_refused("FRAG\nDCL TEMP[0..16777216]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 13);
    assert_refused("FRAG\nDCL TEMP[0..65536]\n", SCH_D_TEXT_LIMIT, 2, 19);
    assert_refused("FRAG\nDCL CONST[65536][0]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 11);
    assert_refused("GEOM\nDCL IN[0..65536][0], GENERIC\n", SCH_D_TEXT_NUMBER_RANGE, 2, 8);
    assert_refused("FRAG\nDCL OUT[0], GENERIC[65536]\n", SCH_D_TEXT_NUMBER_RANGE, 2, 21);
    assert_refused("GEOM\nDCL OUT[0], POSITION, STREAM(0, 0, 4, 0)\n", SCH_D_TEXT_NUMBER_RANGE, 2, 36);
    assert_refused("FRAG\nIMM UINT32 {4294967296, 0, 0, 0}\n", SCH_D_TEXT_NUMBER_RANGE, 2, 13);
    assert_refused("FRAG\nIMM INT32 {0, -2147483649, 0, 0}\n", SCH_D_TEXT_NUMBER_RANGE, 2, 16);
    assert_refused("FRAG\nIMM INT64 {9223372036854775808, 0}\n", SCH_D_TEXT_NUMBER_RANGE, 2, 12);
    assert_refused("FRAG\nIMM UINT64 {0x10000000000000000, 0}\n", SCH_D_TEXT_NUMBER_RANGE, 2, 13);
    assert_refused("FRAG\nPROPERTY FS_DEPTH_LAYOUT 4294967296\n", SCH_D_TEXT_NUMBER_RANGE, 2, 26);
    assert_refused("FRAG\nUIF TEMP[0].xxxx :4294967296\n", SCH_D_TEXT_NUMBER_RANGE, 2, 19);
}

/* The report quotes the number: all of it up to 40 digits, of longer ones the first 40. */
static void numbers_are_quoted(void **state)
{
    (void)state;
    static const size_t lengths[] = {10, 11, 20, 39, 40, 41, 100};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char text[256], digits[128], quoted[128];
        memset(digits, '9', lengths[i]);
        digits[lengths[i]] = 0;
        snprintf(text, sizeof text, "FRAG\nUIF TEMP[0].xxxx :%s\n", digits);
        snprintf(quoted, sizeof quoted, " %.40s%s is above 4294967295", digits, lengths[i] > 40 ? "..." : "");
        struct reading reading = read_string(text);
        assert_null(reading.shader);
        const char *message = reading.diagnostics.items[0].message;
        const char *end = strstr(message, quoted);
        if (!end || end[strlen(quoted)]) fail_msg("%s", message);
        release(&reading);
    }
}

static void limits_are_kept(void **state)
{
    (void)state;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    const char *text = own_texts[0];

    limits.source_bytes = strlen(text) - 1;
    struct reading reading = read_text_within(text, strlen(text), &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    release(&reading);

    limits = SCH_LIMITS_DEFAULT;
    limits.instructions = 7;
    reading = read_text_within(text, strlen(text), &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    assert_int_equal(reading.diagnostics.items[0].position.line, 19);
    release(&reading);

    limits = SCH_LIMITS_DEFAULT;
    limits.registers = 3;
    reading = read_text_within(text, strlen(text), &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    assert_int_equal(reading.diagnostics.items[0].position.line, 7);
    release(&reading);

    limits = SCH_LIMITS_DEFAULT;
    limits.memory = 16384;
    size_t bytes;
    char *large = repeated("FRAG\n", "MOV TEMP[0], TEMP[0]\n", 1000, "END\n", &bytes);
    reading = read_text_within(large, bytes, &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    free(large);
    release(&reading);

    limits = SCH_LIMITS_DEFAULT;
    limits.diagnostics = 5;
    large = repeated("FRAG\n", "FOO TEMP[0]\n", 1000, "END\n", &bytes);
    reading = read_text_within(large, bytes, &limits);
    assert_int_equal(reading.status, SCH_ERROR_INVALID);
    assert_int_equal(reading.diagnostics.count, 5);
    assert_int_equal(reading.diagnostics.errors, 6); /* the sixth says that reading stopped */
    free(large);
    release(&reading);
}

/* ---- no memory ---- */

/* Everything that allocates, with ever more allocations granted until all succeeds; nothing may leak. */
static void refused_memory(void **state)
{
    (void)state;
    bool done = false;
    for (long from = 1; !done; from++) {
        assert_true(from <= 200);
        struct counting counting = {.fail_from = from};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_ir_shader *shader = NULL, *read = NULL;
        char *text = NULL;
        void *data = NULL;
        size_t bytes;
        enum sch_result status = sch_tgsi_parse(&allocator, &limits, own_texts[0], strlen(own_texts[0]), NULL, &shader);
        if (status == SCH_OK) status = sch_tgsi_print(shader, SCH_FLOAT_TEXT_HEX, &allocator, &text, &bytes);
        if (status == SCH_OK) status = sch_tgsi_container_write(shader, &allocator, NULL, &data, &bytes);
        if (status == SCH_OK) status = sch_tgsi_container_read(&allocator, &limits, data, bytes, NULL, &read);
        assert_true(status == SCH_OK || status == SCH_ERROR_MEMORY);
        done = status == SCH_OK;
        sch_ir_destroy(shader);
        sch_ir_destroy(read);
        if (text) allocator.free(&counting, text);
        if (data) allocator.free(&counting, data);
        assert_int_equal(counting.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_texts),
        cmocka_unit_test(changed_texts),
        cmocka_unit_test(cut_and_changed_tokens),
        cmocka_unit_test(endless_lines),
        cmocka_unit_test(a_million),
        cmocka_unit_test(printing_deep_nesting_is_bounded),
        cmocka_unit_test(numbers_beyond_their_place),
        cmocka_unit_test(numbers_are_quoted),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests_name("tgsi_hostile", tests, NULL, NULL);
}
