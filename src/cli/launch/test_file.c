/* See test.h. A line is words with blanks between them; what a line announces as `N` words follows on the lines
 * after it, however they are broken. */
#include "../support/text.h"
#include "../support/words.h"
#include "test.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 16384, LARGEST_BLOCK = 65536, BANK_BYTES = 65536, PARAMETERS = 0x140, HANDLES = 1u << 20 };

/* A file that is being read, word by word. */
struct reader {
    struct sch_cli_test *test;
    struct sch_cursor cursor;
    bool failed;
    bool has_grid, has_block, ended;
};

/* ---- words ---- */

static int word_length(const struct reader *reader)
{
    return reader->cursor.bytes < 64 ? (int)reader->cursor.bytes : 64;
}

/* A message that ends with ", not " gets the word that is there. */
static void __attribute__((format(printf, 3, 4)))
refuse(struct reader *reader, const char *error, const char *format, ...)
{
    char message[256];
    va_list list;
    if (reader->failed) return;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (sch_text_ends(message, ", not "))
        sch_text_add(message, sizeof message, "%.*s", word_length(reader), reader->cursor.word);
    const struct sch_cursor *at = &reader->cursor;
    const struct sch_cli_location location = {reader->test->input, at->number, (uint32_t)(at->word - at->line) + 1};
    sch_cli_report(&location, sch_error_number(error), "%s", message);
    reader->failed = true;
}

static bool is_word(const struct reader *reader, const char *word) { return sch_cursor_is(&reader->cursor, word); }

static void need(struct reader *reader, const char *what)
{
    if (!sch_cursor_next(&reader->cursor)) refuse(reader, "KERNEL_TEST_LINE", "the line ends where %s is due", what);
}

static void need_word(struct reader *reader, const char *word)
{
    need(reader, word);
    if (!reader->failed && !is_word(reader, word)) refuse(reader, "KERNEL_TEST_LINE", "%s is due, not ", word);
}

static void need_end(struct reader *reader)
{
    if (sch_cursor_next(&reader->cursor))
        refuse(reader, "KERNEL_TEST_LINE", "the line should end here, at %.*s", word_length(reader),
               reader->cursor.word);
}

/* A number, decimal or hexadecimal with 0x, within bounds. */
static uint64_t need_number(struct reader *reader, const char *what, uint64_t low, uint64_t high)
{
    uint64_t number = 0;
    need(reader, what);
    if (reader->failed) return low;
    if (sch_text_natural(reader->cursor.word, reader->cursor.bytes, &number) && number >= low && number <= high)
        return number;
    refuse(reader, "KERNEL_TEST_NUMBER", "%s is a number from %" PRIu64 " to %" PRIu64 ", not ", what, low, high);
    return low;
}

static uint32_t need_hex_word(struct reader *reader, const char *what)
{
    uint64_t number = 0;
    need(reader, what);
    if (!reader->failed &&
        (!sch_text_digits(reader->cursor.word, reader->cursor.bytes, 16, &number) || number > UINT32_MAX))
        refuse(reader, "KERNEL_TEST_NUMBER", "%s is a word in hexadecimal, not ", what);
    return (uint32_t)number;
}

static double need_real(struct reader *reader, const char *what)
{
    char text[64], *end = text;
    double value = 0;
    need(reader, what);
    if (reader->failed) return 0;
    const size_t length = reader->cursor.bytes;
    if (length < sizeof text) {
        memcpy(text, reader->cursor.word, length);
        text[length] = 0;
        if (length > 1 && text[length - 1] == '%') text[length - 1] = 0;
        value = strtod(text, &end);
    }
    if (end == text || *end || !(value >= 0 && value <= 1e300))
        refuse(reader, "KERNEL_TEST_NUMBER", "%s is a number from 0, not ", what);
    return value;
}

static void need_name(struct reader *reader, const char *what, char *name, size_t bytes)
{
    need(reader, what);
    if (reader->failed) return;
    const size_t length = reader->cursor.bytes;
    if (length >= bytes) {
        refuse(reader, "KERNEL_TEST_NAME", "%s has at most %zu letters", what, bytes - 1);
        return;
    }
    memcpy(name, reader->cursor.word, length);
    name[length] = 0;
}

/* The words that a line has announced. Each needs a letter at least, so that the file bounds the memory. */
static void read_words(struct reader *reader, struct sch_cli_test_memory *memory, uint64_t count)
{
    if (reader->failed) return;
    if (count > (uint64_t)(reader->cursor.end - reader->cursor.at)) {
        refuse(reader, "KERNEL_TEST_WORDS", "%" PRIu64 " words are announced, and the file ends before that", count);
        return;
    }
    memory->words = calloc((size_t)count + 1, sizeof *memory->words);
    if (!memory->words) {
        sch_cli_no_memory();
        reader->failed = true;
        return;
    }
    for (memory->count = 0; memory->count < count && !reader->failed;) {
        uint64_t word;
        if (!sch_cursor_next(&reader->cursor)) {
            if (sch_cursor_next_line(&reader->cursor)) continue;
            refuse(reader, "KERNEL_TEST_WORDS", "the file ends after %zu words of %" PRIu64, memory->count, count);
        } else if (!sch_text_digits(reader->cursor.word, reader->cursor.bytes, 16, &word) || word > UINT32_MAX) {
            refuse(reader, "KERNEL_TEST_WORDS", "word %zu of %" PRIu64 " is a word in hexadecimal, not ", memory->count,
                   count);
        } else {
            memory->words[memory->count++] = (uint32_t)word;
        }
    }
    if (!reader->failed && sch_cursor_next(&reader->cursor))
        refuse(reader, "KERNEL_TEST_WORDS", "%" PRIu64 " words are announced, and there are more", count);
}

/* ---- rules ---- */

static void read_rule(struct reader *reader, struct sch_cli_test_rule *rule)
{
    static const char *const words[SCH_CLI_TEST_HOWS + 1] = {[SCH_CLI_TEST_EXACT] = "exact",
                                                             [SCH_CLI_TEST_F32] = "f32",
                                                             [SCH_CLI_TEST_F64] = "f64",
                                                             [SCH_CLI_TEST_U32] = "u32",
                                                             [SCH_CLI_TEST_U8X4] = "u8x4"};
    uint32_t how;
    need_word(reader, "compare");
    need(reader, "a way to compare");
    if (reader->failed) return;
    if (!sch_words_find(words, reader->cursor.word, reader->cursor.bytes, &how)) {
        refuse(reader, "KERNEL_TEST_RULE", "words are compared exact, f32, f64, u32 or u8x4, not ");
        return;
    }
    rule->how = (enum sch_cli_test_how)how;
    if (how != SCH_CLI_TEST_EXACT) {
        need_word(reader, "abs");
        rule->absolute = need_real(reader, "a difference");
    }
    if (how == SCH_CLI_TEST_F32 || how == SCH_CLI_TEST_F64) {
        need_word(reader, "rel");
        rule->relative = need_real(reader, "a relative difference");
    }
}

/* What may follow a rule. */
static void read_outliers(struct reader *reader, struct sch_cli_test_rule *rule)
{
    if (reader->failed || !sch_cursor_next(&reader->cursor)) return;
    if (!is_word(reader, "outliers")) {
        refuse(reader, "KERNEL_TEST_RULE", "outliers are due, or the end of the line, not ");
        return;
    }
    rule->outliers = need_real(reader, "a share in percent") / 100;
    if (!reader->failed && rule->outliers > 1) refuse(reader, "KERNEL_TEST_NUMBER", "a share is at most 100%%, not ");
    need_end(reader);
}

/* ---- memory ---- */

static struct sch_cli_test_memory *add_memory(struct reader *reader, enum sch_cli_test_kind kind)
{
    struct sch_cli_test *test = reader->test;
    if (test->memory_count == SCH_CLI_TEST_MEMORIES) {
        refuse(reader, "KERNEL_TEST_NAME", "a test has at most %d buffers, results, textures and surfaces",
               SCH_CLI_TEST_MEMORIES);
        return NULL;
    }
    struct sch_cli_test_memory *memory = &test->memories[test->memory_count++];
    *memory = (struct sch_cli_test_memory){.kind = kind, .line = reader->cursor.number, .depth = 1, .levels = 1};
    return memory;
}

static int32_t find_memory(const struct sch_cli_test *test, const char *name, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(test->memories[i].name, name) == 0) return (int32_t)i;
    return -1;
}

static void check_new(struct reader *reader, const struct sch_cli_test_memory *memory)
{
    if (reader->failed) return;
    const int32_t other = find_memory(reader->test, memory->name, reader->test->memory_count - 1);
    if (other >= 0)
        refuse(reader, "KERNEL_TEST_NAME", "%s is named twice, first in line %" PRIu32, memory->name,
               reader->test->memories[other].line);
}

static void read_buffer(struct reader *reader, bool result)
{
    struct sch_cli_test_memory *memory = add_memory(reader, result ? SCH_CLI_TEST_RESULT : SCH_CLI_TEST_BUFFER);
    if (!memory) return;
    need_name(reader, "a name", memory->name, sizeof memory->name);
    check_new(reader, memory);
    const uint64_t count = need_number(reader, "the number of words", 0, UINT32_MAX / 4);
    if (result) {
        need_word(reader, "init");
        need_word(reader, "0");
        read_rule(reader, &memory->rule);
        read_outliers(reader, &memory->rule);
    } else {
        need_end(reader);
    }
    if (!reader->failed && memory->rule.how == SCH_CLI_TEST_F64 && count % 2)
        refuse(reader, "KERNEL_TEST_WORDS", "f64 compares pairs of words, and %" PRIu64 " is odd", count);
    read_words(reader, memory, count);
}

static void read_handle(struct reader *reader, struct sch_cli_test_memory *memory)
{
    memory->handle = (uint32_t)need_number(reader, "a handle", 0, UINT32_MAX);
    snprintf(memory->name, sizeof memory->name, "0x%" PRIx32, memory->handle);
    check_new(reader, memory);
    for (uint32_t i = 0; i + 1 < reader->test->memory_count && !reader->failed; i++) {
        const struct sch_cli_test_memory *other = &reader->test->memories[i];
        if (other->shape && other->handle % HANDLES == memory->handle % HANDLES)
            refuse(reader, "KERNEL_TEST_NAME", "header %" PRIu32 " is that of line %" PRIu32, memory->handle % HANDLES,
                   other->line);
    }
}

static void read_shape(struct reader *reader, struct sch_cli_test_memory *memory)
{
    static const struct sch_cli_test_shape shapes[] = {{"1d", "ONE_D", SCH_TARGET_1D, false, false, false},
                                                       {"2d", "TWO_D", SCH_TARGET_2D, false, false, false},
                                                       {"3d", "THREE_D", SCH_TARGET_3D, false, false, true},
                                                       {"cube", "CUBEMAP", SCH_TARGET_CUBE, true, true, false},
                                                       {"a2d", "TWO_D_ARRAY", SCH_TARGET_2D_ARRAY, true, false, false}};
    const size_t count = sizeof shapes / sizeof *shapes;
    size_t i = 0;
    need(reader, "a kind");
    if (reader->failed) return;
    while (i < count && !is_word(reader, shapes[i].word)) i++;
    if (i == count)
        refuse(reader, "KERNEL_TEST_TEXTURE", "a texture is 1d, 2d, 3d, cube or a2d, not ");
    else
        memory->shape = &shapes[i];
}

/* The words of all levels. */
static uint64_t count_words(const struct sch_cli_test_memory *memory)
{
    uint64_t texels = 0;
    for (uint32_t i = 0; i < memory->levels; i++) {
        const uint64_t width = memory->width >> i, height = memory->height >> i;
        const uint64_t depth = memory->shape->volume ? memory->depth >> i : memory->depth;
        texels += (width ? width : 1) * (height ? height : 1) * (depth ? depth : 1);
    }
    return texels * (memory->texel_bytes / 4);
}

static void read_texture(struct reader *reader)
{
    struct sch_cli_test_memory *memory = add_memory(reader, SCH_CLI_TEST_TEXTURE);
    if (!memory) return;
    read_handle(reader, memory);
    read_shape(reader, memory);
    memory->width = (uint32_t)need_number(reader, "a width", 1, LARGEST_SIDE);
    memory->height = (uint32_t)need_number(reader, "a height", 1, LARGEST_SIDE);
    memory->depth = (uint32_t)need_number(reader, "a depth", 1, 2048);
    need_word(reader, "mips");
    memory->levels = (uint32_t)need_number(reader, "a number of levels", 1, 15);
    need(reader, "f32 or s32");
    if (reader->failed) return;
    memory->integers = is_word(reader, "s32");
    if (!memory->integers && !is_word(reader, "f32"))
        refuse(reader, "KERNEL_TEST_TEXTURE", "texels are f32 or s32, not ");
    const uint64_t count = need_number(reader, "the number of words", 0, UINT32_MAX / 4);
    need_end(reader);
    if (reader->failed) return;
    memory->texel_bytes = 16;
    const uint32_t longest = memory->width > memory->height ? memory->width : memory->height;
    if (memory->shape->cube && (memory->depth != 6 || memory->width != memory->height))
        refuse(reader, "KERNEL_TEST_TEXTURE", "a cube has six faces, which are squares");
    else if (!memory->shape->array && !memory->shape->volume && memory->depth != 1)
        refuse(reader, "KERNEL_TEST_TEXTURE", "a texture of the kind %s has depth 1", memory->shape->word);
    else if ((memory->shape->volume && memory->depth > longest ? memory->depth : longest) >> (memory->levels - 1) == 0)
        refuse(reader, "KERNEL_TEST_TEXTURE", "the texture has fewer than %" PRIu32 " levels", memory->levels);
    else if (count != count_words(memory))
        refuse(reader, "KERNEL_TEST_WORDS", "the texture has %" PRIu64 " words, not %" PRIu64, count_words(memory),
               count);
    read_words(reader, memory, count);
}

static void read_surface(struct reader *reader, bool result)
{
    struct sch_cli_test_memory *memory =
        add_memory(reader, result ? SCH_CLI_TEST_SURFACE_RESULT : SCH_CLI_TEST_SURFACE);
    if (!memory) return;
    read_handle(reader, memory);
    read_shape(reader, memory);
    if (!reader->failed && (memory->shape->array || memory->shape->volume))
        refuse(reader, "KERNEL_TEST_TEXTURE", "a surface is 1d or 2d, not %s", memory->shape->word);
    memory->width = (uint32_t)need_number(reader, "a width", 1, LARGEST_SIDE);
    memory->height = (uint32_t)need_number(reader, "a height", 1, LARGEST_SIDE);
    memory->texel_bytes = (uint32_t)need_number(reader, "the bytes of a texel", 4, 16);
    if (!reader->failed && (memory->texel_bytes & (memory->texel_bytes - 1)))
        refuse(reader, "KERNEL_TEST_TEXTURE", "a texel has 4, 8 or 16 bytes, not %" PRIu32, memory->texel_bytes);
    uint64_t count = 0;
    if (result) {
        need_word(reader, "init");
        need_word(reader, "0");
        read_rule(reader, &memory->rule);
        count = need_number(reader, "the number of words", 0, UINT32_MAX / 4);
        read_outliers(reader, &memory->rule);
    } else {
        count = need_number(reader, "the number of words", 0, UINT32_MAX / 4);
        need_end(reader);
    }
    const uint64_t has = (uint64_t)memory->width * memory->height * memory->texel_bytes / 4;
    if (!reader->failed && count != has)
        refuse(reader, "KERNEL_TEST_WORDS", "the surface has %" PRIu64 " words, not %" PRIu64, has, count);
    read_words(reader, memory, count);
}

/* ---- the launch ---- */

static void read_triple(struct reader *reader, uint32_t triple[3], bool *has, uint32_t most)
{
    if (*has) refuse(reader, "KERNEL_TEST_LINE", "the second line of this kind");
    *has = true;
    for (unsigned d = 0; d < 3; d++) triple[d] = (uint32_t)need_number(reader, "a size", 1, most);
    need_end(reader);
}

/* `param OFFSET KIND VALUE`. Names and handles may be those of lines that follow. */
static void read_parameter(struct reader *reader)
{
    static const char *const kinds[] = {"ptr", "texture", "surface", "u32", "f32", NULL};
    struct sch_cli_test *test = reader->test;
    uint32_t kind;
    if (test->parameter_count == SCH_CLI_TEST_PARAMETERS) {
        refuse(reader, "KERNEL_TEST_LINE", "a test has at most %d parameters", SCH_CLI_TEST_PARAMETERS);
        return;
    }
    struct sch_cli_test_parameter *parameter = &test->parameters[test->parameter_count++];
    parameter->memory = -1;
    parameter->offset = (uint32_t)need_number(reader, "an offset in c[0x0]", PARAMETERS, BANK_BYTES - 8);
    need(reader, "a kind");
    if (reader->failed) return;
    if (!sch_words_find(kinds, reader->cursor.word, reader->cursor.bytes, &kind)) {
        refuse(reader, "KERNEL_TEST_LINE", "a parameter is ptr, texture, surface, u32 or f32, not ");
        return;
    }
    parameter->bytes = kind < 3 ? 8 : 4;
    if (kind == 0) {
        char name[64];
        need_name(reader, "the name of a buffer or result", name, sizeof name);
        /* Parameters come before what they point to: the names are looked up at the end, by the place in the file. */
        parameter->memory = 0;
        parameter->value = (uint64_t)(reader->cursor.word - test->input->data);
    } else if (kind == 4) {
        parameter->value = need_hex_word(reader, "the bits of a float");
    } else {
        parameter->value = need_number(reader, kind < 3 ? "a handle" : "a value", 0, UINT32_MAX);
    }
    need_end(reader);
}

/* The memories that parameters point to. */
static void resolve(struct reader *reader)
{
    struct sch_cli_test *test = reader->test;
    for (uint32_t i = 0; i < test->parameter_count && !reader->failed; i++) {
        struct sch_cli_test_parameter *parameter = &test->parameters[i];
        if (parameter->memory < 0) continue;
        char name[64] = "";
        sch_cursor_seek(&reader->cursor, test->input->data, test->input->data + parameter->value);
        memcpy(name, reader->cursor.word, reader->cursor.bytes);
        parameter->memory = find_memory(test, name, test->memory_count);
        if (parameter->memory >= 0 && !test->memories[parameter->memory].shape) continue;
        refuse(reader, "KERNEL_TEST_NAME", "no buffer or result is called %s", name);
    }
}

/* ---- the file ---- */

static void read_line(struct reader *reader)
{
    struct sch_cli_test *test = reader->test;
    if (!sch_cursor_next(&reader->cursor) || *reader->cursor.word == '#') return;
    if (is_word(reader, "kernel")) {
        if (*test->kernel) refuse(reader, "KERNEL_TEST_LINE", "the second line of this kind");
        test->kernel_line = reader->cursor.number;
        need_name(reader, "the name of the kernel", test->kernel, sizeof test->kernel);
        need_end(reader);
    } else if (is_word(reader, "grid")) {
        read_triple(reader, test->grid, &reader->has_grid, INT32_MAX);
    } else if (is_word(reader, "block")) {
        read_triple(reader, test->block, &reader->has_block, LARGEST_BLOCK);
    } else if (is_word(reader, "param")) {
        read_parameter(reader);
    } else if (is_word(reader, "buffer") || is_word(reader, "result")) {
        read_buffer(reader, *reader->cursor.word == 'r');
    } else if (is_word(reader, "texture")) {
        read_texture(reader);
    } else if (is_word(reader, "surface") || is_word(reader, "surface_result")) {
        read_surface(reader, !is_word(reader, "surface"));
    } else if (is_word(reader, "end")) {
        reader->ended = true;
        need_end(reader);
    } else {
        refuse(reader, "KERNEL_TEST_LINE",
               "a line begins with kernel, grid, block, param, buffer, result, texture, surface, surface_result or "
               "end, not ");
    }
}

static void check_whole(struct reader *reader)
{
    const struct sch_cli_test *test = reader->test;
    bool compares = false;
    for (uint32_t i = 0; i < test->memory_count; i++)
        compares = compares || test->memories[i].kind == SCH_CLI_TEST_RESULT ||
                   test->memories[i].kind == SCH_CLI_TEST_SURFACE_RESULT;
    const char *missing = !*test->kernel       ? "kernel"
                          : !reader->has_grid  ? "grid"
                          : !reader->has_block ? "block"
                          : !compares          ? "result"
                          : !reader->ended     ? "end"
                                               : NULL;
    if (missing) refuse(reader, "KERNEL_TEST_LINE", "the file ends without a line %s", missing);
}

bool sch_cli_test_is(const struct sch_cli_input *input)
{
    static const char first[] = "kernel ";
    return input->bytes >= sizeof first - 1 && memcmp(input->data, first, sizeof first - 1) == 0;
}

enum sch_cli_exit sch_cli_test_read(const struct sch_cli_input *input, struct sch_cli_test *test)
{
    struct reader reader = {.test = test, .cursor = sch_cursor_begin(input->data, input->bytes)};
    test->input = input;
    do read_line(&reader);
    while (!reader.failed && !reader.ended && sch_cursor_next_line(&reader.cursor));
    check_whole(&reader);
    resolve(&reader);
    return reader.failed ? SCH_CLI_NO : SCH_CLI_YES;
}

void sch_cli_test_release(struct sch_cli_test *test)
{
    for (uint32_t i = 0; i < test->memory_count; i++) free(test->memories[i].words);
}
