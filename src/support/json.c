/* See json.h. In strings, bytes that are no UTF-8 become U+FFFD, so that what is printed is always valid. */
#include "json.h"

#include "decimal.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static void put_string(FILE *file, const char *text, size_t bytes)
{
    fputc('"', file);
    for (size_t at = 0, length; at < bytes; at += length ? length : 1) {
        const unsigned char c = (unsigned char)text[at];
        length = sch_text_character(text + at, bytes - at);
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", file);
        else if (c < 0x20 || c == 0x7f)
            fprintf(file, "\\u%04x", c);
        else if (length)
            fwrite(text + at, 1, length, file);
        else
            fputs("\\ufffd", file);
    }
    fputc('"', file);
}

/* ---- documents ---- */

/* The comma, the line and the key before a member. */
static void before(struct sch_json *json, const char *key)
{
    const unsigned depth = json->depth;
    if (json->lines) {
        if (json->inside[depth] && json->any[depth]) fputc('\t', json->file);
        if (!json->inside[depth] && key) fprintf(json->file, "%s\t", key);
        json->any[depth] = true;
        return;
    }
    if (json->any[depth]) fputs(json->inside[depth] ? ", " : ",", json->file);
    if (!json->inside[depth]) fprintf(json->file, "\n%*s", (int)(2 * depth), "");
    json->any[depth] = true;
    if (!key) return;
    put_string(json->file, key, strlen(key));
    fputs(": ", json->file);
}

/* The end of a line of text. */
static void after(struct sch_json *json)
{
    if (json->lines && !json->inside[json->depth]) fputc('\n', json->file);
}

/* A field of a line, which must not move the cursor of a terminal. */
static void put_line(FILE *file, const char *text, size_t bytes)
{
    for (; bytes; bytes--, text++)
        fputc(((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7f ? '?' : *text, file);
}

static void open_level(struct sch_json *json, char begin, char end, bool line)
{
    const bool inside = json->inside[json->depth]; /* a line has only lines in it */
    if (!json->lines) fputc(begin, json->file);
    if (json->depth + 1 < SCH_JSON_DEPTH) json->depth++;
    json->any[json->depth] = false;
    json->inside[json->depth] = line || inside;
    json->end[json->depth] = end;
}

void sch_json_document(struct sch_json *json, FILE *file, const char *schema, bool as_json)
{
    *json = (struct sch_json){.file = file, .lines = !as_json};
    open_level(json, '{', '}', false);
    if (as_json) sch_json_text(json, "schema", schema);
}

void sch_json_begin(struct sch_json *json, FILE *file, const char *schema)
{
    sch_json_document(json, file, schema, true);
}

void sch_json_object(struct sch_json *json, const char *key, bool line)
{
    if (!json->lines) before(json, key);
    open_level(json, '{', '}', line);
}

void sch_json_row(struct sch_json *json, const char *row)
{
    sch_json_object(json, NULL, true);
    if (!json->lines || !row) return;
    fputs(row, json->file);
    json->any[json->depth] = true;
}

void sch_json_list(struct sch_json *json, const char *key, bool line)
{
    if (!json->lines) before(json, key);
    open_level(json, '[', ']', line);
}

void sch_json_close(struct sch_json *json)
{
    const unsigned depth = json->depth--;
    if (json->lines && json->inside[depth]) after(json);
    if (json->lines) return;
    if (json->any[depth] && !json->inside[depth]) fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
    fputc(json->end[depth], json->file);
}

void sch_json_end(struct sch_json *json)
{
    while (json->depth) sch_json_close(json);
    if (!json->lines) fputc('\n', json->file);
}

void sch_json_bytes(struct sch_json *json, const char *key, const char *text, size_t bytes)
{
    if (json->lines && !text) return;
    before(json, key);
    if (text && json->lines)
        put_line(json->file, text, bytes);
    else if (text)
        put_string(json->file, text, bytes);
    else
        fputs("null", json->file);
    after(json);
}

void sch_json_text(struct sch_json *json, const char *key, const char *text)
{
    sch_json_bytes(json, key, text, text ? strlen(text) : 0);
}

/* A member whose text is the same in both views. */
__attribute__((format(printf, 3, 4))) static void put(struct sch_json *json, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    before(json, key);
    vfprintf(json->file, format, arguments);
    va_end(arguments);
    after(json);
}

void sch_json_number(struct sch_json *json, const char *key, uint64_t number) { put(json, key, "%" PRIu64, number); }

void sch_json_signed(struct sch_json *json, const char *key, int64_t number) { put(json, key, "%" PRId64, number); }

/* A text that JSON has in quotes. */
static void put_quoted(struct sch_json *json, const char *key, const char *text)
{
    put(json, key, json->lines ? "%s" : "\"%s\"", text);
}

void sch_json_real(struct sch_json *json, const char *key, double number)
{
    if (isnan(number))
        put_quoted(json, key, "nan");
    else if (isinf(number))
        put_quoted(json, key, number < 0 ? "-inf" : "inf");
    else
        put(json, key, "%.12g", number);
}

void sch_json_float(struct sch_json *json, const char *key, float number)
{
    char text[SCH_FLOAT_TEXT];
    sch_float_text(sch_float_bits(number), text);
    if (isfinite(number))
        put(json, key, "%s", text);
    else
        put_quoted(json, key, text);
}

void sch_json_bool(struct sch_json *json, const char *key, bool value)
{
    static const char *const words[2][2] = {{"false", "true"}, {"no", "yes"}};
    put(json, key, "%s", words[json->lines][value]);
}

void sch_json_hex(struct sch_json *json, const char *key, uint64_t bits, int digits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%0*" PRIx64, digits, bits);
    put_quoted(json, key, text);
}

void sch_json_fields(struct sch_json *json, const struct sch_json_field *fields, size_t count)
{
    for (const struct sch_json_field *at = fields; at < fields + count; at++) switch (at->kind) {
        case SCH_JSON_FIELD_NUMBER:
            if (!json->lines || !at->text)
                sch_json_number(json, at->key, at->number);
            else if (*at->text)
                sch_json_text(json, at->key, at->text);
            break;
        case SCH_JSON_FIELD_BOOL:
            sch_json_bool(json, at->key, at->number);
            break;
        case SCH_JSON_FIELD_WORD:
            sch_json_hex(json, at->key, at->number, 8);
            break;
        case SCH_JSON_FIELD_REAL:
            sch_json_real(json, at->key, at->real);
            break;
        case SCH_JSON_FIELD_FLOAT:
            sch_json_float(json, at->key, at->single);
            break;
        case SCH_JSON_FIELD_ONLY_SHOWN:
            if (!json->lines) break;
            __attribute__((fallthrough));
        case SCH_JSON_FIELD_TEXT:
            sch_json_text(json, at->key, at->text);
        }
}

void sch_json_numbers(struct sch_json *json, const char *key, const uint32_t *numbers, size_t count)
{
    sch_json_list(json, key, true);
    for (size_t i = 0; i < count; i++) sch_json_number(json, NULL, numbers[i]);
    sch_json_close(json);
}

void sch_json_floats(struct sch_json *json, const char *key, const float *numbers, size_t count)
{
    sch_json_list(json, key, true);
    for (size_t i = 0; i < count; i++) sch_json_float(json, NULL, numbers[i]);
    sch_json_close(json);
}

void sch_json_types(struct sch_json *json, const char *key, const enum sch_value_type *types, size_t count)
{
    static const char *const names[] = {[SCH_VALUE_UNKNOWN] = "unknown",
                                        [SCH_VALUE_FLOAT] = "float",
                                        [SCH_VALUE_INT] = "int",
                                        [SCH_VALUE_UINT] = "uint"};
    sch_json_list(json, key, true);
    for (size_t i = 0; i < count; i++) sch_json_text(json, NULL, names[types[i]]);
    sch_json_close(json);
}

void sch_json_values(struct sch_json *json, const uint32_t words[4], const enum sch_value_type types[4])
{
    sch_json_some_values(json, words, types, 4);
}

void sch_json_some_values(struct sch_json *json, const uint32_t *words, const enum sch_value_type *types,
                          unsigned count)
{
    enum sch_value_type type[4] = {SCH_VALUE_UNKNOWN};
    if (types) memcpy(type, types, count * sizeof *type);
    sch_json_list(json, "bits", true);
    for (unsigned c = 0; c < count; c++) sch_json_hex(json, NULL, words[c], 8);
    sch_json_close(json);
    sch_json_list(json, "values", true);
    for (unsigned c = 0; c < count; c++) {
        if (type[c] == SCH_VALUE_INT)
            sch_json_signed(json, NULL, (int32_t)words[c]);
        else if (type[c] == SCH_VALUE_UINT)
            sch_json_number(json, NULL, words[c]);
        else
            sch_json_float(json, NULL, sch_float_of(words[c]));
    }
    sch_json_close(json);
    sch_json_types(json, "types", type, count);
}
