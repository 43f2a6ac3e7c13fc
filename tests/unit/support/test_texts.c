/* Texts of clients of the library: numbers, words of lines, characters, files (src/support/text.h, utf8.h); the
 * documents that they write (json.h). */
#include "../../../src/support/text.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../src/support/json.h"
#include "../../../src/support/utf8.h"

static bool integer(const char *text, int64_t low, uint64_t high, uint64_t wanted)
{
    uint64_t number = 0;
    return sch_text_integer(text, strlen(text), low, high, &number) && number == wanted;
}

static void numbers_have_bounds(void **state)
{
    (void)state;
    assert_true(integer("18446744073709551615", INT64_MIN, UINT64_MAX, UINT64_MAX));
    assert_true(integer("0xffffFFFFffffffff", INT64_MIN, UINT64_MAX, UINT64_MAX));
    assert_true(integer("-9223372036854775808", INT64_MIN, UINT64_MAX, (uint64_t)1 << 63));
    assert_true(integer("+7", 0, 7, 7));
    assert_true(integer("-0", 0, 7, 0));
    assert_true(integer("-0x10", -16, 7, (uint64_t)-16));
    static const char *const wrong[] = {"18446744073709551616",
                                        "0x10000000000000000",
                                        "-9223372036854775809",
                                        "",
                                        "-",
                                        "+-1",
                                        "0x",
                                        "1x",
                                        "a",
                                        " 1",
                                        "1 "};
    uint64_t number;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (sch_text_integer(wrong[i], strlen(wrong[i]), INT64_MIN, UINT64_MAX, &number)) fail_msg("%s", wrong[i]);
    assert_false(integer("8", 0, 7, 8));
    assert_false(integer("-1", 0, 7, UINT64_MAX));
    assert_true(sch_text_digits("fF", 2, 16, &number) && number == 255);
    assert_false(sch_text_digits("fF", 2, 10, &number));
    assert_false(sch_text_digits("g", 1, 16, &number));
    assert_false(sch_text_digits("\xc3", 1, 16, &number));
}

static void words_are_in_lines(void **state)
{
    (void)state;
    static const char text[] = " one\ttwo \r\n\n three";
    struct sch_cursor cursor = sch_cursor_begin(text, strlen(text));
    assert_true(sch_cursor_next(&cursor) && sch_cursor_is(&cursor, "one"));
    assert_true(sch_cursor_next(&cursor) && sch_cursor_is(&cursor, "two"));
    assert_false(sch_cursor_is(&cursor, "tw"));
    assert_false(sch_cursor_next(&cursor)); /* the line has no more */
    assert_true(sch_cursor_next_line(&cursor) && !sch_cursor_next(&cursor));
    assert_true(sch_cursor_next_line(&cursor) && sch_cursor_next(&cursor) && sch_cursor_is(&cursor, "three"));
    assert_int_equal(cursor.number, 3);
    assert_int_equal(cursor.word - cursor.line, 1);
    assert_false(sch_cursor_next_line(&cursor));
    sch_cursor_seek(&cursor, text, text + 5);
    assert_true(cursor.number == 1 && cursor.line == text && sch_cursor_is(&cursor, "two"));
    sch_cursor_seek(&cursor, text, text + 13);
    assert_true(cursor.number == 3 && sch_cursor_is(&cursor, "three"));
}

static void cursors_take_characters_and_words(void **state)
{
    (void)state;
    static const char text[] = " (less  equal)lesser";
    struct sch_cursor cursor = sch_cursor_begin(text, strlen(text));
    assert_false(sch_cursor_char(&cursor, ')'));
    assert_true(sch_cursor_char(&cursor, '('));
    assert_int_equal(sch_cursor_column(&cursor), 3);
    assert_false(sch_cursor_words(&cursor, "less than"));
    assert_int_equal(sch_cursor_column(&cursor), 3); /* it stays where the words are not there */
    assert_true(sch_cursor_words(&cursor, "less equal") && sch_cursor_char(&cursor, ')'));
    assert_false(sch_cursor_words(&cursor, "less")); /* within a word */
    assert_true(sch_cursor_words(&cursor, "lesser") && cursor.at == cursor.end);
    assert_false(sch_cursor_char(&cursor, 'r') || sch_cursor_words(&cursor, "lesser"));
}

static void characters_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t left, bytes;
    } rows[] = {{"a", 1, 1},
                {"\xc3\xa9", 2, 2},
                {"\xef\xbf\xbd", 3, 3},
                {"\xf4\x8f\xbf\xbf", 4, 4},
                {"\xc3\xa9", 1, 0},         /* cut off */
                {"\x80", 1, 0},             /* a continuation */
                {"\xc0\x80", 2, 0},         /* longer than needed */
                {"\xe0\x9f\xbf", 3, 0},     /* likewise */
                {"\xed\xa0\x80", 3, 0},     /* a surrogate */
                {"\xf4\x90\x80\x80", 4, 0}, /* beyond U+10FFFF */
                {"\xff", 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(sch_text_character(rows[i].text, rows[i].left), rows[i].bytes);
    assert_int_equal(sch_text_mark("\xef\xbb\xbf", 3), 3);
    assert_int_equal(sch_text_mark("\xef\xbb", 2), 0);
    assert_true(sch_text_is_utf16("\xff\xfe"
                                  "a\0",
                                  4));
    assert_true(sch_text_is_utf16("\0a\0b\0c\0d\0e\0f\0g\0h", 16));
    assert_false(sch_text_is_utf16("\0a\0b\0c\0d\0e\0f\0g", 14));
    assert_false(sch_text_is_utf16("abcdefghijklmnop", 16));
}

static void texts_end_with_their_room(void **state)
{
    (void)state;
    char text[8] = "ab";
    sch_text_add(text, sizeof text, "%d", 123);
    assert_string_equal(text, "ab123");
    sch_text_add(text, sizeof text, "%s", "cdefgh");
    assert_string_equal(text, "ab123cd");
    sch_text_add(text, sizeof text, "x");
    assert_string_equal(text, "ab123cd");
}

static void files_have_a_limit(void **state)
{
    (void)state;
    enum { BYTES = (1 << 16) + 1 };
    FILE *file = tmpfile();
    size_t bytes = 0;
    assert_non_null(file);
    for (unsigned i = 0; i < BYTES; i++) fputc('a' + (int)(i % 26), file);
    for (size_t most = BYTES - 1; most <= BYTES; most++) {
        rewind(file);
        errno = 0;
        char *text = sch_text_read(file, most, &bytes);
        assert_int_equal(text != NULL, most == BYTES);
        if (!text) assert_int_equal(errno, EFBIG);
        if (text) assert_true(bytes == BYTES && text[BYTES - 1] == 'a' + (BYTES - 1) % 26 && !text[BYTES]);
        free(text);
    }
    fclose(file);
}

static void texts_end_with_an_ending(void **state)
{
    (void)state;
    assert_true(sch_text_ends("a.gob", ".gob"));
    assert_false(sch_text_ends(".gob", ".gob")); /* nothing is before it */
    assert_false(sch_text_ends("a.gobs", ".gob"));
    assert_false(sch_text_ends("ob", ".gob"));
}

static void words_have_their_low_byte_first(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {0, 1, 2, 3, 0xfc, 0xfd, 0xfe, 0xff};
    assert_int_equal(sch_bytes_word(bytes, 0), 0x03020100);
    assert_int_equal(sch_bytes_word(bytes, 1), 0xfffefdfc);
    assert_int_equal(sch_bytes_word(bytes + 1, 0), 0xfc030201);
}

static void lists_grow(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    uint64_t *list = NULL;
    uint32_t room = 0;
    for (size_t count = 0; count < COUNT; count++) {
        uint64_t *const grown = sch_text_grow(list, count, &room, sizeof *list);
        assert_true(grown && room > count);
        list = grown;
        list[count] = count;
    }
    for (size_t i = 0; i < COUNT; i++) assert_int_equal(list[i], i);
    assert_ptr_equal(sch_text_grow(list, room - 1, &room, sizeof *list), list); /* there is room */
    free(list);
}

static void words_of_the_shell_are_quoted(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"a/b-1.txt", "a/b-1.txt"}, {"", "''"}, {"a b", "'a b'"}, {"it's", "'it'\\''s'"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[32];
        FILE *const file = fmemopen(text, sizeof text, "w");
        assert_non_null(file);
        sch_text_shell_word(file, words[i][0]);
        fclose(file);
        assert_string_equal(text, words[i][1]);
    }
}

/* Every kind of field, in one of the views. */
static void write_fields(bool as_json, char *text, size_t bytes)
{
    struct sch_json json;
    static const uint32_t numbers[] = {4, 5};
    FILE *const file = fmemopen(text, bytes, "w");
    assert_non_null(file);
    sch_json_document(&json, file, "a/1", as_json);
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("text", "b"), SCH_JSON_NUMBER("number", 1), SCH_JSON_BOOL("bool", true),
                    SCH_JSON_WORD("word", 0xab), SCH_JSON_REAL("real", 0.25), SCH_JSON_FLOAT("float", 1.5F),
                    SCH_JSON_SHOWN("other", 2, "two"), SCH_JSON_SHOWN("hidden", 3, ""), SCH_JSON_ONLY_SHOWN("people"),
                    SCH_JSON_TEXT("none", NULL));
    if (as_json) {
        sch_json_numbers(&json, "numbers", numbers, 2);
        sch_json_floats(&json, "floats", (const float[]){0.1F, 2.5F}, 2);
        sch_json_types(&json, "types", (const enum sch_value_type[]){SCH_VALUE_INT, SCH_VALUE_UNKNOWN}, 2);
    }
    sch_json_list(&json, "rows", false);
    SCH_JSON_ROW(&json, "row", SCH_JSON_NUMBER("n", 6), SCH_JSON_REAL("r", -0.5));
    sch_json_end(&json);
    fclose(file);
}

static void documents_have_two_views(void **state)
{
    (void)state;
    char text[1024];
    write_fields(true, text, sizeof text);
    assert_string_equal(text, "{\n  \"schema\": \"a/1\",\n  \"text\": \"b\",\n  \"number\": 1,\n  \"bool\": true,\n"
                              "  \"word\": \"0x000000ab\",\n  \"real\": 0.25,\n  \"float\": 1.5,\n"
                              "  \"other\": 2,\n  \"hidden\": 3,\n  \"none\": null,\n  \"numbers\": [4, 5],\n"
                              "  \"floats\": [0.1, 2.5],\n  \"types\": [\"int\", \"unknown\"],\n"
                              "  \"rows\": [\n    {\"n\": 6, \"r\": -0.5}\n  ]\n}\n");
    write_fields(false, text, sizeof text);
    assert_string_equal(text, "text\tb\nnumber\t1\nbool\tyes\nword\t0x000000ab\nreal\t0.25\nfloat\t1.5\n"
                              "other\ttwo\npeople\nrow\t6\t-0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_bounds),
        cmocka_unit_test(words_are_in_lines),
        cmocka_unit_test(cursors_take_characters_and_words),
        cmocka_unit_test(characters_are_whole),
        cmocka_unit_test(texts_end_with_their_room),
        cmocka_unit_test(files_have_a_limit),
        cmocka_unit_test(texts_end_with_an_ending),
        cmocka_unit_test(words_have_their_low_byte_first),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(documents_have_two_views),
        cmocka_unit_test(words_of_the_shell_are_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
