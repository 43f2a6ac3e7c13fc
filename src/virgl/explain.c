/* Explains commands: names, and words by their names, as the rows of commands.def have them. What a command says is
 * written as it is, whether the command is right or not. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../support/words.h"
#include "client.h"
#include "protocol.h"
#include "record.h"

enum { LINE = 4096 };

struct line {
    char text[LINE];
    size_t used;
};

/* Words that are explained, and how many of them are. */
struct words {
    const uint32_t *words;
    uint32_t count, at;
};

static void __attribute__((format(printf, 2, 3))) add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(line->text + line->used, LINE - line->used, format, arguments);
    va_end(arguments);
    if (more > 0) line->used += (size_t)more < LINE - line->used ? (size_t)more : LINE - line->used - 1;
}

/* ---- names ---- */

static const char *const stages[] = {
    [STAGE_VERTEX] = "VERTEX",       [STAGE_FRAGMENT] = "FRAGMENT",   [STAGE_GEOMETRY] = "GEOMETRY",
    [STAGE_TESS_CTRL] = "TESS_CTRL", [STAGE_TESS_EVAL] = "TESS_EVAL", [STAGE_COMPUTE] = "COMPUTE"};

static const char *const formats[] = {
#define FORMAT(number, name) [number] = #name,
#include "formats.def"
#undef FORMAT
};

/* The name of a number; the number, if it has none. */
static void add_name(struct line *line, const char *const *names, size_t count, uint32_t number)
{
    if (number < count && names[number])
        add(line, "%s", names[number]);
    else
        add(line, "%" PRIu32, number);
}

static void add_primitive(struct line *line, uint32_t number)
{
    if (number > SCH_PRIMITIVE_PATCHES) {
        add(line, "%" PRIu32, number);
        return;
    }
    for (const char *at = sch_primitive_words[number]; *at; at++) add(line, "%c", toupper((unsigned char)*at));
}

#define ADD_NAME(line, names, number) add_name((line), (names), sizeof(names) / sizeof *(names), (number))

/* ---- words ---- */

static void add_text(struct line *line, struct words *words)
{
    const char *text = (const char *)(words->words + words->at);
    const size_t bytes = strnlen(text, (size_t)(words->count - words->at) * sizeof *words->words);
    add(line, "\"");
    for (size_t n = 0; n < bytes; n++) {
        if (text[n] == '\n')
            add(line, "\\n");
        else
            add(line, "%c", text[n] < ' ' || text[n] > '~' ? '.' : text[n]);
    }
    add(line, "\"");
    words->at = words->count;
}

static uint32_t left_of(const struct words *words) { return words->count - words->at; }

static void add_double(struct line *line, struct words *words)
{
    union {
        uint64_t u;
        double d;
    } both = {.u = words->words[words->at]};
    if (left_of(words) > 1) both.u |= (uint64_t)words->words[++words->at] << 32;
    add(line, "%g", both.d);
}

/* How many there are; four strides, and two words for each of them, follow. */
static void add_outputs(struct line *line, struct words *words)
{
    const uint32_t count = words->words[words->at], more = count > SCH_STREAM_OUTPUTS ? 0 : 4 + 2 * count;
    add(line, "%" PRIu32, count);
    if (count) words->at += more < left_of(words) ? more : left_of(words) - 1;
}

/* Writes the next word, of which there is one. */
static void add_word(struct line *line, char how, struct words *words)
{
    const uint32_t word = words->words[words->at];
    switch (how) {
    case 'x':
        add(line, "0x%" PRIx32, word);
        break;
    case 'i':
        add(line, "%" PRId32, (int32_t)word);
        break;
    case 'f':
        add(line, "%g", (double)sch_virgl_float(word));
        break;
    case 'd':
        add_double(line, words);
        break;
    case 'h':
        add(line, "%u,%u", word & 0xffff, word >> 16);
        break;
    case 'b':
        add(line, "%u,%u,%u,%u", word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, word >> 24);
        break;
    case 's':
        ADD_NAME(line, stages, word);
        break;
    case 'p':
        add_primitive(line, word);
        break;
    case 'F':
        ADD_NAME(line, formats, word);
        break;
    case 'm':
        ADD_NAME(line, formats, word & 0xffffff);
        add(line, ",%u", word >> 24);
        break;
    case 'n':
        add(line, "%" PRIu32 " words", left_of(words));
        words->at = words->count - 1;
        break;
    case 'o':
        add_outputs(line, words);
        break;
    default:
        add(line, "%" PRIu32, word);
        break;
    }
    words->at++;
}

/* Writes all words by their names; what has none, as a number of words. */
static void add_words(struct line *line, const char *names, struct words *words)
{
    const char *again = NULL;
    while (words->at < words->count && *names) {
        if (*names == '|') again = ++names;
        const size_t whole = strcspn(names, " "), name = strcspn(names, ": ");
        const char how = name < whole ? names[name + 1] : 0;
        add(line, " %.*s=", (int)name, names);
        if (how == 't')
            add_text(line, words);
        else
            add_word(line, how, words);
        names += whole + (names[whole] == ' ');
        if (!*names && again) names = again;
    }
    if (words->at < words->count) add(line, " and %" PRIu32 " words", left_of(words));
}

static void tell(const struct sch_virgl *virgl, const struct line *line)
{
    virgl->explained.write(virgl->explained.user, line->text);
}

/* ---- commands ---- */

struct explained {
    const char *name, *words;
};

static const struct explained commands[] = {
#define COMMAND(number, name, least, most, waits, function, words) [number] = {#name, words},
#include "commands.def"
#undef COMMAND
};

static const struct explained objects[OBJECT_KINDS] = {
#define OBJECT(name, least, most, words) [OBJECT_##name] = {#name, words},
#include "objects.def"
#undef OBJECT
};

void sch_virgl_explain_command(struct sch_virgl *virgl, uint32_t header, const uint32_t *words)
{
    const uint32_t number = header & 0xff, kind = header >> 8 & 0xff;
    struct words all = {words, header >> 16, 0};
    if (!virgl->explained.write) return;
    struct line line = {.used = 0}; /* long: it is not cleared where nothing is reported */
    const struct explained *row = number < sizeof commands / sizeof *commands ? &commands[number] : NULL;
    const struct explained *object = kind < OBJECT_KINDS ? &objects[kind] : NULL;
    if (row && row->name)
        add(&line, "%s", row->name);
    else
        add(&line, "command %" PRIu32, number);
    if (object && object->name) add(&line, " %s", object->name);
    const bool creates = number == SCH_VIRGL_CREATE_OBJECT && object && object->words;
    add_words(&line, creates ? object->words : row && row->words ? row->words : "", &all);
    tell(virgl, &line);
}

/* ---- records ---- */

static const struct explained records[] = {
    [SCH_VIRGL_RECORD_CREATE] = {"create",
                                 "resource target format:F bind:x width height depth layers last_level samples"},
    [SCH_VIRGL_RECORD_ATTACH] = {"memory of", "resource bytes"},
    [SCH_VIRGL_RECORD_DESTROY] = {"destroy", "resource"},
    [SCH_VIRGL_RECORD_PUT] = {"put", "resource level x y z width height depth row_bytes layer_bytes offset"},
    [SCH_VIRGL_RECORD_GET] = {"get", "resource level x y z width height depth row_bytes layer_bytes offset"},
    [SCH_VIRGL_RECORD_SUBMIT] = {"submit", ""},
};

void sch_virgl_explain_record(struct sch_virgl *virgl, uint32_t kind, const void *content, size_t bytes)
{
    uint32_t copy[16] = {0};
    const size_t most = bytes < sizeof copy ? bytes : sizeof copy;
    if (!virgl->explained.write || kind >= sizeof records / sizeof *records || !records[kind].name) return;
    struct line line = {.used = 0};
    memcpy(copy, content, most);
    struct words all = {copy, (uint32_t)(most / sizeof *copy), 0};
    add(&line, "%s", records[kind].name);
    if (kind == SCH_VIRGL_RECORD_SUBMIT)
        add(&line, " %zu words", bytes / sizeof *copy);
    else
        add_words(&line, records[kind].words, &all);
    tell(virgl, &line);
}
