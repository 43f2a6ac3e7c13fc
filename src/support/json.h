/* Documents that programs write, in one of two views: JSON, with commas and indentation (docs/json.md and docs/schemas
 * say what is in it), or lines of text, with tabs between fields. */
#ifndef SCH_SUPPORT_JSON_H
#define SCH_SUPPORT_JSON_H

#include <scheelite/types.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SCH_JSON_DEPTH = 16 };

/* A document that is being written to a file. */
struct sch_json {
    FILE *file;
    bool lines; /* the view for people: members are lines, objects of lists are rows */
    unsigned depth;
    bool any[SCH_JSON_DEPTH];    /* the level has a member */
    bool inside[SCH_JSON_DEPTH]; /* the level is on one line */
    char end[SCH_JSON_DEPTH];    /* its bracket */
};

/* A document is an object whose first member is its schema: "scheelite-eval/1". */
void sch_json_begin(struct sch_json *json, FILE *file, const char *schema);
/* The same, as lines where `as_json` is false. Then a member of the document, or of an object that is not on one
 * line, is a line "key value"; an object of a list is a row of its values, after `row` (below). */
void sch_json_document(struct sch_json *json, FILE *file, const char *schema, bool as_json);
void sch_json_end(struct sch_json *json); /* closes what is open */

/* An object of a list, on one line; `row`: the word that begins its line of text, NULL: none does. */
void sch_json_row(struct sch_json *json, const char *row);

/* Members: `key` in objects, NULL in lists. Levels that are opened with `line` are on one line. */
void sch_json_object(struct sch_json *json, const char *key, bool line);
void sch_json_list(struct sch_json *json, const char *key, bool line);
void sch_json_close(struct sch_json *json);
/* In JSON, bytes that are no UTF-8 become U+FFFD. A text that is NULL is null, and no field of a row. */
void sch_json_text(struct sch_json *json, const char *key, const char *text);
void sch_json_bytes(struct sch_json *json, const char *key, const char *text, size_t bytes);
void sch_json_number(struct sch_json *json, const char *key, uint64_t number);
void sch_json_signed(struct sch_json *json, const char *key, int64_t number);
void sch_json_real(struct sch_json *json, const char *key, double number); /* no number: "inf", "nan" */
void sch_json_float(struct sch_json *json, const char *key, float number); /* as --floats dec prints it */
void sch_json_bool(struct sch_json *json, const char *key, bool value);
void sch_json_hex(struct sch_json *json, const char *key, uint64_t bits, int digits); /* "0x0000002a" */

/* A member in a list of them. */
struct sch_json_field {
    const char *key;
    enum {
        SCH_JSON_FIELD_TEXT,
        SCH_JSON_FIELD_NUMBER,
        SCH_JSON_FIELD_BOOL,
        SCH_JSON_FIELD_WORD,
        SCH_JSON_FIELD_REAL,
        SCH_JSON_FIELD_FLOAT,
        SCH_JSON_FIELD_ONLY_SHOWN
    } kind;
    const char *text; /* NULL: null */
    union {
        uint64_t number;
        double real;
        float single;
    };
};
#define SCH_JSON_TEXT(key, value)   ((struct sch_json_field){key, SCH_JSON_FIELD_TEXT, value, {0}})
#define SCH_JSON_NUMBER(key, value) ((struct sch_json_field){key, SCH_JSON_FIELD_NUMBER, NULL, {value}})
#define SCH_JSON_BOOL(key, value)   ((struct sch_json_field){key, SCH_JSON_FIELD_BOOL, NULL, {value}})
#define SCH_JSON_WORD(key, bits)    ((struct sch_json_field){key, SCH_JSON_FIELD_WORD, NULL, {bits}}) /* 8 digits */
#define SCH_JSON_REAL(key, value)   ((struct sch_json_field){key, SCH_JSON_FIELD_REAL, NULL, {.real = value}})
#define SCH_JSON_FLOAT(key, value)  ((struct sch_json_field){key, SCH_JSON_FIELD_FLOAT, NULL, {.single = value}})
/* A number that lines of text have in another form; "": not at all. A text that only they have. */
#define SCH_JSON_SHOWN(key, value, text) ((struct sch_json_field){key, SCH_JSON_FIELD_NUMBER, text, {value}})
#define SCH_JSON_ONLY_SHOWN(text)        ((struct sch_json_field){NULL, SCH_JSON_FIELD_ONLY_SHOWN, text, {0}})
void sch_json_fields(struct sch_json *json, const struct sch_json_field *fields, size_t count);

/* Members one after the other; a whole row of a list (sch_json_row). */
#define SCH_JSON_FIELDS(json, ...)                                                                                     \
    sch_json_fields(json, (const struct sch_json_field[]){__VA_ARGS__},                                                \
                    sizeof((const struct sch_json_field[]){__VA_ARGS__}) / sizeof(struct sch_json_field))
#define SCH_JSON_ROW(json, row, ...) (sch_json_row(json, row), SCH_JSON_FIELDS(json, __VA_ARGS__), sch_json_close(json))

/* Lists on one line. */
void sch_json_numbers(struct sch_json *json, const char *key, const uint32_t *numbers, size_t count);
void sch_json_floats(struct sch_json *json, const char *key, const float *numbers, size_t count);
void sch_json_types(struct sch_json *json, const char *key, const enum sch_value_type *types, size_t count);

/* Members of a register's value: bits, values and types (docs/json.md, "Values"). `types` may be NULL. */
void sch_json_some_values(struct sch_json *json, const uint32_t *words, const enum sch_value_type *types,
                          unsigned count);
void sch_json_values(struct sch_json *json, const uint32_t words[4], const enum sch_value_type types[4]);

#endif
