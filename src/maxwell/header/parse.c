/* Text to headers and samplers. Holds the syntax; fields and their encodings are rows of src/isa/maxwell_headers.def.
 *
 *   text    = { block }
 *   block   = ( "header" [ index ] version | "sampler" [ index ] ) "{" { field } "}"
 *   field   = name "=" value ( end of line | ";" | before "}" )
 *
 * "#" begins a comment that goes to the end of the line. */
#include <stdio.h>
#include <string.h>

#include "base/digit.h"
#include "base/utf8.h"
#include "isa/errors.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/number.h"
#include "maxwell/header/text.h"

struct word {
    const char *text;
    size_t bytes;
    struct sch_position position;
};
#define QUOTE(word) (int)((word).bytes > 40 ? 40 : (word).bytes), (word).text

struct parser {
    const char *text;
    size_t bytes, at, line_begin;
    uint32_t line;
    struct sch_arena *arena;
    struct sch_diagnostics *diagnostics;
    size_t errors, error_limit;
    enum sch_result status; /* not OK: reading ends */
    struct sch_maxwell_pools *pools;
};

/* An entry while its block is read. */
struct entry {
    uint32_t words[SCH_MAXWELL_ENTRY_WORDS];
    unsigned owner;
    bool given[SCH_HEADER_FIELDS], reserved_given[SCH_MAXWELL_ENTRY_WORDS];
};

static struct sch_position position(const struct parser *p)
{
    return (struct sch_position){.line = p->line, .column = (uint32_t)(p->at - p->line_begin) + 1, .offset = p->at};
}

/* Always false. */
static bool error_at(struct parser *p, struct sch_position where, unsigned code, const char *message)
{
    sch_diagnostics_add(p->diagnostics, SCH_SEVERITY_ERROR, code, where, "%s", message);
    if (++p->errors >= p->error_limit && p->status == SCH_OK) {
        p->status = SCH_ERROR_INVALID;
        sch_diagnostics_add(p->diagnostics, SCH_SEVERITY_ERROR, SCH_D_HEADERS_ERRORS, where,
                            "too many errors: reading stopped");
    }
    return false;
}

static bool word_error(struct parser *p, const struct word *word, unsigned code, const char *what)
{
    char message[160];
    snprintf(message, sizeof message, "%.*s%s: %s", QUOTE(*word), word->bytes > 40 ? "..." : "", what);
    return error_at(p, word->position, code, message);
}

static void next_line(struct parser *p)
{
    p->line++;
    p->line_begin = p->at;
}

/* Blanks and comments, and line ends where `lines`. */
static void skip(struct parser *p, bool lines)
{
    for (; p->at < p->bytes; p->at++) {
        char c = p->text[p->at];
        if (c == '#') {
            while (p->at < p->bytes && p->text[p->at] != '\n') p->at++;
            if (p->at == p->bytes) return;
            c = '\n';
        }
        if (c == '\n' && lines) {
            p->at++;
            next_line(p);
            p->at--;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static char peek(const struct parser *p) { return p->at < p->bytes ? p->text[p->at] : 0; }

/* What cannot be read is left out up to the end of the line. */
static void skip_line(struct parser *p)
{
    while (p->at < p->bytes && p->text[p->at] != '\n') p->at++;
}

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.' ||
           c == '+' || c == '-';
}

static struct word take_word(struct parser *p)
{
    struct word word = {p->text + p->at, 0, position(p)};
    while (p->at < p->bytes && is_word_byte(p->text[p->at])) p->at++;
    word.bytes = (size_t)(p->text + p->at - word.text);
    return word;
}

static bool is(const struct word *word, const char *text)
{
    return word->bytes && word->text[0] == text[0] && word->bytes == strlen(text) &&
           memcmp(word->text, text, word->bytes) == 0;
}

/* ---- values ---- */

static bool fits(struct parser *p, const struct word *word, const struct sch_header_field *field, bool good)
{
    if (good) return true;
    char what[96];
    snprintf(what, sizeof what, "not a value of %s, which has %u bits", field->name, sch_header_field_bits(field));
    return word_error(p, word, SCH_D_HEADERS_RANGE, what);
}

static uint64_t most(const struct sch_header_field *field) { return UINT64_MAX >> (64 - sch_header_field_bits(field)); }

static bool read_number(struct parser *p, const struct word *word, const struct sch_header_field *field, uint64_t *bits)
{
    uint64_t value;
    if (!sch_header_read_unsigned(word->text, word->bytes, &value))
        return word_error(p, word, SCH_D_HEADERS_VALUE,
                          field->vocabulary ? "neither a word of this field nor a number" : "not a whole number");
    unsigned log2 = 0;
    switch (field->encoding) {
    case SCH_HEADER_ENCODING_MINUS_ONE:
        *bits = value - 1;
        return fits(p, word, field, value && *bits <= most(field));
    case SCH_HEADER_ENCODING_SHIFTED:
        *bits = value >> field->shift;
        if (value != *bits << field->shift)
            return word_error(p, word, SCH_D_HEADERS_RANGE,
                              field->shift == 9 ? "not a multiple of 512" : "not a multiple of 32");
        return fits(p, word, field, *bits <= most(field));
    case SCH_HEADER_ENCODING_POWER:
        while (log2 < 63 && value >> log2 > 1) log2++;
        *bits = log2;
        if (!value || value & (value - 1)) return word_error(p, word, SCH_D_HEADERS_RANGE, "not a power of two");
        return fits(p, word, field, *bits <= most(field));
    default:
        *bits = value;
        return fits(p, word, field, value <= most(field));
    }
}

static bool read_fixed(struct parser *p, const struct word *word, const struct sch_header_field *field, uint64_t *bits)
{
    struct sch_header_decimal decimal;
    int64_t value, span = (int64_t)most(field) + 1;
    if (!sch_header_read_decimal(word->text, word->bytes, &decimal))
        return word_error(p, word, SCH_D_HEADERS_VALUE, "not a decimal fraction");
    if (!sch_header_fixed(&decimal, &value))
        return word_error(p, word, SCH_D_HEADERS_RANGE, "not a multiple of 1/256, or far too large");
    bool is_signed = field->encoding == SCH_HEADER_ENCODING_SIGNED_FIXED;
    *bits = (uint64_t)value & most(field);
    return fits(p, word, field, is_signed ? value >= -span / 2 && value < span / 2 : value >= 0 && value < span);
}

static bool read_float(struct parser *p, const struct word *word, const struct sch_header_field *field, uint64_t *bits)
{
    struct sch_header_decimal decimal;
    if (word->bytes > 2 && word->text[0] == '0' && (word->text[1] == 'x' || word->text[1] == 'X'))
        return read_number(p, word, field, bits);
    if (!sch_header_read_decimal(word->text, word->bytes, &decimal))
        return word_error(p, word, SCH_D_HEADERS_VALUE, "neither a decimal fraction nor the bits of a float (0x...)");
    *bits = sch_header_float(&decimal);
    return true;
}

static bool read_value(struct parser *p, const struct word *word, const struct sch_header_field *field, uint64_t *bits)
{
    if (field->encoding == SCH_HEADER_ENCODING_CODE) {
        int code = sch_header_word_code(field->vocabulary, word->text, word->bytes);
        *bits = (uint64_t)code;
        if (code >= 0) return true;
    }
    if (field->encoding == SCH_HEADER_ENCODING_FIXED || field->encoding == SCH_HEADER_ENCODING_SIGNED_FIXED)
        return read_fixed(p, word, field, bits);
    if (field->encoding == SCH_HEADER_ENCODING_FLOAT) return read_float(p, word, field, bits);
    return read_number(p, word, field, bits);
}

/* ---- fields ---- */

/* SCH_HEADER_FIELDS: it has no such field. */
static unsigned find_field(const struct word *name, unsigned owner)
{
    for (unsigned id = 0; id < SCH_HEADER_FIELDS; id++)
        if (sch_header_fields[id].owners & owner && id != SCH_HEADER_FIELD_HEADER_VERSION &&
            is(name, sch_header_fields[id].name))
            return id;
    return SCH_HEADER_FIELDS;
}

/* RESERVED_0 to RESERVED_7: all bits of a word that no field has. Its number; of other names none below 8. */
static unsigned reserved_word(const struct word *name)
{
    static const char prefix[] = "RESERVED_";
    enum { PREFIX = sizeof prefix - 1 };
    if (name->bytes != PREFIX + 1 || memcmp(name->text, prefix, PREFIX) != 0) return UINT_MAX;
    return sch_digit(name->text[PREFIX]);
}

static bool set_reserved(struct parser *p, struct entry *entry, unsigned index, const struct word *name,
                         const struct word *value)
{
    uint32_t named[SCH_MAXWELL_ENTRY_WORDS];
    uint64_t bits;
    if (entry->reserved_given[index]) return word_error(p, name, SCH_D_HEADERS_TWICE, "given twice");
    entry->reserved_given[index] = true;
    if (!sch_header_read_unsigned(value->text, value->bytes, &bits))
        return word_error(p, value, SCH_D_HEADERS_VALUE, "not a whole number");
    sch_header_named_bits(entry->owner, named);
    if (bits > UINT32_MAX || bits & named[index])
        return word_error(p, value, SCH_D_HEADERS_RESERVED, "more than the word's reserved bits");
    entry->words[index] |= (uint32_t)bits;
    return true;
}

static bool set_field(struct parser *p, struct entry *entry, const struct word *name, const struct word *value)
{
    unsigned reserved = reserved_word(name), id = find_field(name, entry->owner);
    uint64_t bits;
    if (reserved < SCH_MAXWELL_ENTRY_WORDS) return set_reserved(p, entry, reserved, name, value);
    if (id == SCH_HEADER_FIELDS)
        return word_error(p, name, SCH_D_HEADERS_FIELD,
                          entry->owner == SCH_HEADER_OWNER_SAMPLER ? "samplers have no such field"
                                                                   : "headers of this version have no such field");
    if (entry->given[id]) return word_error(p, name, SCH_D_HEADERS_TWICE, "given twice");
    entry->given[id] = true;
    if (!read_value(p, value, &sch_header_fields[id], &bits)) return false;
    sch_header_field_set(entry->words, id, bits);
    return true;
}

static bool punctuation(struct parser *p, char c, const char *message)
{
    skip(p, false);
    if (peek(p) != c) return error_at(p, position(p), SCH_D_HEADERS_PUNCTUATION, message);
    p->at++;
    return true;
}

static bool read_field(struct parser *p, struct entry *entry)
{
    struct word name = take_word(p);
    if (!name.bytes) return error_at(p, position(p), SCH_D_HEADERS_PUNCTUATION, "expected the name of a field or '}'");
    if (!punctuation(p, '=', "expected '=' after the name of a field")) return false;
    skip(p, false);
    struct word value = take_word(p);
    if (!value.bytes) return error_at(p, position(p), SCH_D_HEADERS_VALUE, "expected a value after '='");
    if (!set_field(p, entry, &name, &value)) return false;
    skip(p, false);
    char c = peek(p);
    if (c == ';') p->at++;
    if (c == ';' || c == '\n' || c == '}' || p->at == p->bytes) return true;
    return error_at(p, position(p), SCH_D_HEADERS_PUNCTUATION,
                    "expected the end of the line, ';' or '}' after a value");
}

/* ---- blocks ---- */

/* What fields hold that are not given. */
static void begin_fields(struct entry *entry, bool sampler)
{
    entry->owner = sch_header_owner_of(entry->words, sampler);
    for (unsigned id = 0; id < SCH_HEADER_FIELDS; id++)
        if (sch_header_fields[id].owners & entry->owner && id != SCH_HEADER_FIELD_HEADER_VERSION)
            sch_header_field_set(entry->words, id, sch_header_fields[id].fallback);
}

struct store {
    struct sch_maxwell_entries *entries;
    size_t capacity;
    uint8_t *given; /* one byte an entry: its block was read */
};

typedef uint8_t entry_bytes[SCH_MAXWELL_ENTRY_BYTES];

/* Room up to entry `index`; new entries are zero. */
static bool make_room(struct parser *p, struct store *store, uint32_t index)
{
    if (index < store->capacity) return true;
    size_t capacity = 64;
    while (capacity <= index) capacity *= 2;
    entry_bytes *bytes = SCH_ARENA_ARRAY(p->arena, entry_bytes, capacity);
    uint8_t *given = bytes ? SCH_ARENA_ARRAY(p->arena, uint8_t, capacity) : NULL;
    if (!given) {
        size_t left = p->arena->limit - p->arena->used; /* without a limit nearly all that there are */
        p->status = capacity * sizeof *bytes > left ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY;
        return error_at(p, position(p), SCH_D_HEADERS_LIMIT, "no memory for so many entries");
    }
    if (store->entries->count) {
        memcpy(bytes, store->entries->bytes, store->entries->count * sizeof *bytes);
        memcpy(given, store->given, store->entries->count);
    }
    store->entries->bytes = bytes;
    store->given = given;
    store->capacity = capacity;
    return true;
}

static void keep(const struct store *store, uint32_t index, const struct entry *entry)
{
    uint8_t *to = store->entries->bytes[index];
    for (unsigned i = 0; i < SCH_MAXWELL_ENTRY_BYTES; i++) to[i] = (uint8_t)(entry->words[i / 4] >> 8 * (i % 4));
    store->given[index] = true;
}

/* Reads the index after "header" or "sampler", if there is one; otherwise the entry has the next one, which `*index`
 * is. */
static bool read_index(struct parser *p, const struct store *store, uint32_t *index)
{
    uint64_t number;
    skip(p, false);
    if (peek(p) >= '0' && peek(p) <= '9') {
        struct word word = take_word(p);
        if (!sch_header_read_unsigned(word.text, word.bytes, &number) || number >= SCH_MAXWELL_POOL_ENTRIES)
            return word_error(p, &word, SCH_D_HEADERS_INDEX, "an index is a number below 1048576");
        if (number < store->entries->count && store->given[number])
            return word_error(p, &word, SCH_D_HEADERS_TWICE, "this entry is given twice");
        *index = (uint32_t)number;
    }
    if (*index >= SCH_MAXWELL_POOL_ENTRIES)
        return error_at(p, position(p), SCH_D_HEADERS_INDEX, "more than 1048576 entries");
    return true;
}

static bool read_version(struct parser *p, struct entry *entry)
{
    skip(p, false);
    struct word word = take_word(p);
    if (!word.bytes) return error_at(p, position(p), SCH_D_HEADERS_VERSION, "expected the version of a header");
    int code = sch_header_word_code(SCH_HEADER_WORDS_VERSION, word.text, word.bytes);
    if (code < 0) return word_error(p, &word, SCH_D_HEADERS_VERSION, "no version of headers");
    sch_header_field_set(entry->words, SCH_HEADER_FIELD_HEADER_VERSION, (unsigned)code);
    return true;
}

/* Fields up to the closing brace; what is wrong in one leaves the others. */
static void read_fields(struct parser *p, struct entry *entry)
{
    for (skip(p, true); peek(p) != '}'; skip(p, true)) {
        if (p->at == p->bytes) {
            error_at(p, position(p), SCH_D_HEADERS_PUNCTUATION, "expected '}' before the end");
            return;
        }
        if (!read_field(p, entry)) skip_line(p);
        if (p->status != SCH_OK) return;
    }
    p->at++;
}

static bool read_block(struct parser *p, struct store *store, bool sampler)
{
    uint32_t index = store->entries->count;
    struct entry entry = {0};
    if (!read_index(p, store, &index)) return false;
    if (!sampler && !read_version(p, &entry)) return false;
    if (!punctuation(p, '{', "expected '{' before the fields")) return false;
    begin_fields(&entry, sampler);
    read_fields(p, &entry);
    if (p->status != SCH_OK || !make_room(p, store, index)) return false;
    if (index >= store->entries->count) store->entries->count = index + 1;
    keep(store, index, &entry);
    return true;
}

enum sch_result sch_maxwell_headers_parse(struct sch_arena *arena, const struct sch_limits *limits, const char *text,
                                          size_t bytes, struct sch_diagnostics *diagnostics,
                                          struct sch_maxwell_pools *pools)
{
    *pools = (struct sch_maxwell_pools){0};
    struct parser p = {.text = text,
                       .bytes = bytes,
                       .at = sch_utf8_mark(text, bytes),
                       .line = 1,
                       .arena = arena,
                       .diagnostics = diagnostics,
                       .error_limit = limits->diagnostics,
                       .status = SCH_OK,
                       .pools = pools};
    struct store stores[] = {{.entries = &pools->headers}, {.entries = &pools->samplers}};
    for (;;) {
        skip(&p, true);
        if (p.at == p.bytes || p.status != SCH_OK) break;
        struct word word = take_word(&p);
        bool sampler = is(&word, "sampler"), good = false;
        if (sampler || is(&word, "header"))
            good = read_block(&p, &stores[sampler], sampler);
        else
            error_at(&p, word.position, SCH_D_HEADERS_STATEMENT, "expected \"header\" or \"sampler\"");
        if (!good) skip_line(&p);
    }
    if (p.status != SCH_OK) return p.status;
    return p.errors ? SCH_ERROR_INVALID : SCH_OK;
}

bool sch_maxwell_headers_is_text(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    unsigned follow = 0; /* bytes of a character that are still to come */
    for (size_t i = 0; i < bytes; i++) {
        if (follow && (at[i] & 0xc0) != 0x80) return false;
        if (follow) {
            follow--;
        } else if (at[i] >= 0x80) {
            if (at[i] < 0xc2 || at[i] > 0xf4) return false;
            follow = at[i] >= 0xf0 ? 3 : at[i] >= 0xe0 ? 2 : 1;
        } else if (at[i] == 0x7f || (at[i] < 0x20 && at[i] != '\n' && at[i] != '\t' && at[i] != '\r')) {
            return false;
        }
    }
    return follow == 0;
}
