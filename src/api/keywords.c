/* What is typed: the words of TGSI's text, the stages of semantics and properties, the forms of instructions.
 * From the tables of src/isa and the rules of src/ir and src/tgsi; holds no fact of its own but the forms' layout. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "ir/check.h"
#include "isa/isa.h"
#include "tgsi/rules.h"

/* ---- words ---- */

static const struct {
    const char *word, *kind, *form, *doc;
} keywords[] = {
#define KEYWORD(name_, word_, kind_, form_, doc_) {word_, kind_, form_, doc_},
#include "isa/keywords.def"
#undef KEYWORD
};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

/* The vocabularies whose words are keywords, and how one is typed, with %s for it. */
static const struct {
    enum sch_vocabulary vocabulary;
    const char *kind, *form;
} vocabularies[] = {
    {SCH_WORDS_STAGE, "stage", "%s, the first word of the text"},
    {SCH_WORDS_INTERPOLATION, "interpolation", "DCL IN[0], GENERIC[0], %s"},
    {SCH_WORDS_LOCATION, "location", "DCL IN[0], GENERIC[0], PERSPECTIVE, %s"},
    {SCH_WORDS_MEMORY_KIND, "memory kind", "DCL MEMORY[0], %s"},
    {SCH_WORDS_QUALIFIER, "memory qualifier", "LOAD TEMP[0], BUFFER[0], IN[0], %s"},
    {SCH_WORDS_RETURN_TYPE, "return type", "DCL SVIEW[0], 2D, %s"},
    {SCH_WORDS_IMMEDIATE, "immediate type", "IMM[0] %s {0, 0, 0, 0}"},
    {SCH_WORDS_PRIMITIVE, "primitive", "PROPERTY GS_OUTPUT_PRIMITIVE %s"},
    {SCH_WORDS_ORIGIN, "origin", "PROPERTY FS_COORD_ORIGIN %s"},
    {SCH_WORDS_PIXEL_CENTER, "pixel centre", "PROPERTY FS_COORD_PIXEL_CENTER %s"},
};

static void fill_word(struct sch_keyword_info *made, const char *word, const char *kind, const char *doc)
{
    snprintf(made->word, sizeof made->word, "%s", word);
    snprintf(made->kind, sizeof made->kind, "%s", kind);
    snprintf(made->meaning, sizeof made->meaning, "%s", doc);
}

/* "IMM[0] FLT64 {0, 0}": as many values as the type has. */
static void write_word_form(char *form, size_t bytes, const char *pattern, const struct sch_word *word, bool values)
{
    const char *at = strstr(pattern, "%s");
    snprintf(form, bytes, "%.*s%s%s", (int)(at - pattern), pattern, word->word, at + 2);
    if (values && word->extra == 2) snprintf(form, bytes, "IMM[0] %s {0, 0}", word->word);
}

static bool word_row(size_t index, struct sch_keyword_info *made)
{
    for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++) {
        size_t count;
        const struct sch_word *words = sch_words(vocabularies[i].vocabulary, &count);
        if (index < count) {
            fill_word(made, words[index].word, vocabularies[i].kind, words[index].doc);
            write_word_form(made->form, sizeof made->form, vocabularies[i].form, &words[index],
                            vocabularies[i].vocabulary == SCH_WORDS_IMMEDIATE);
            return true;
        }
        index -= count;
    }
    return false;
}

bool sch_table_keyword(size_t index, struct sch_keyword_info *info)
{
    if (!info || !sch_sized_fits(info->size, sizeof *info)) return false;
    struct sch_keyword_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    if (index < KEYWORDS) {
        fill_word(&made, keywords[index].word, keywords[index].kind, keywords[index].doc);
        snprintf(made.form, sizeof made.form, "%s", keywords[index].form);
    } else if (!word_row(index - KEYWORDS, &made)) {
        return false;
    }
    sch_sized_write(info, &made, sizeof made);
    return true;
}

/* ---- stages ---- */

enum { ALL_STAGES = (1 << SCH_STAGE_COUNT) - 1 };

enum { STAGES_BYTES = sizeof(((struct sch_stages_info *)0)->property) };

static void write_stages(char text[STAGES_BYTES], unsigned stages)
{
    size_t count;
    const struct sch_word *words = sch_words(SCH_WORDS_STAGE, &count);
    if (stages == ALL_STAGES) {
        sch_api_append(text, STAGES_BYTES, "", "all");
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (stages >> words[i].number & 1) sch_api_append(text, STAGES_BYTES, " ", words[i].word);
}

bool sch_table_stages(enum sch_name_table table, size_t index, struct sch_stages_info *info)
{
    if (!info || !sch_sized_fits(info->size, sizeof *info)) return false;
    struct sch_stages_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    if (table == SCH_NAMES_PROPERTIES) {
        size_t count;
        const struct sch_word *words = sch_words(SCH_WORDS_PROPERTY, &count);
        if (index >= count) return false;
        write_stages(made.property, sch_property_stages(words[index].number));
    } else if (table == SCH_NAMES_SEMANTICS) {
        size_t count;
        const struct sch_word *words = sch_words(SCH_WORDS_SEMANTIC, &count);
        if (index >= count) return false;
        const struct sch_semantic_info *row = sch_semantic_info(words[index].number);
        write_stages(made.input, row->input);
        write_stages(made.output, row->output);
        write_stages(made.system_value, row->system_value);
        write_stages(made.produced, row->produced);
    } else {
        return false;
    }
    sch_sized_write(info, &made, sizeof made);
    return true;
}

/* ---- forms of instructions ---- */

struct line {
    char *text;
    size_t bytes;
    bool any; /* an operand is there */
};

static void put(struct line *line, const char *text) { sch_api_append(line->text, line->bytes, "", text); }

static void put_operand(struct line *line, const char *text)
{
    put(line, line->any ? ", " : " ");
    put(line, text);
    line->any = true;
}

/* "BUFFER[#] or IMAGE[#]" of a set of files, or for an example one of them. */
static void put_files(struct line *line, unsigned files, bool example, unsigned preferred)
{
    size_t count;
    const struct sch_word *words = sch_words(SCH_WORDS_FILE, &count);
    char text[120] = "";
    if (example && files >> preferred & 1) files = 1u << preferred;
    for (size_t i = 0; i < count && !(example && *text); i++) {
        if (!(files >> words[i].number & 1)) continue;
        sch_api_append(text, sizeof text, "|", words[i].word);
        sch_api_append(text, sizeof text, "", example ? "[0]" : "[#]");
    }
    put_operand(line, text);
}

/* A value that every opcode takes where it reads one: a component of an immediate where the text or the rules want
 * one. */
static const char *example_source(const struct sch_op_info *info, unsigned operand)
{
    bool immediate = info->shape == SCH_SHAPE_STREAM || info->shape == SCH_SHAPE_SYNC ||
                     (info->opcode == SCH_OP_TG4 && operand == 1) || info->opcode == SCH_OP_CASE;
    return immediate ? "IMM[0].xxxx" : "IN[0]";
}

static void put_source(struct line *line, const struct sch_op_info *info, unsigned operand, bool example,
                       unsigned preferred)
{
    const char *what;
    char name[16];
    if (info->src_type[operand] == 'R') {
        put_files(line, sch_ir_named_files(info, operand, &what), example, preferred);
        return;
    }
    snprintf(name, sizeof name, info->srcs > 1 ? "src%u" : "src", operand);
    put_operand(line, example ? example_source(info, operand) : name);
}

/* What follows the operands: target, texel offsets, words of memory, label. */
static void put_tail(struct line *line, const struct sch_op_info *info, bool example, bool image)
{
    bool target = info->flags & SCH_OPF_TEXTURE, offsets = target || sch_tgsi_offsets_without_target(info);
    bool memory = sch_tgsi_memory_word_in_text(info) && info->flags & SCH_OPF_MEMORY;
    if (target) put_operand(line, example ? "2D" : "TARGET");
    if (memory && example && image) put(line, ", 2D, PIPE_FORMAT_R32_UINT");
    if (info->flags & SCH_OPF_BRANCH) put(line, example ? " :0" : " [:label]");
    if (example) return;
    if (offsets) put(line, info->opcode == SCH_OP_TG4 ? " [, offset] (one or four)" : " [, offset]");
    if (memory) put(line, " [, QUALIFIER]... [, TARGET] [, FORMAT]");
}

static void write_form(const struct sch_op_info *info, char *text, size_t bytes, bool example, unsigned preferred)
{
    struct line line = {.text = text, .bytes = bytes};
    put(&line, info->name);
    for (unsigned d = 0; d < info->dsts; d++) {
        char name[16];
        snprintf(name, sizeof name, info->dsts > 1 ? "dst%u" : "dst", d);
        if (info->dst_type == 'R' && d == 0)
            put_files(&line, sch_ir_stored_files(), example, preferred);
        else if (example)
            put_operand(&line, info->flags & SCH_OPF_ADDRESS ? "ADDR[0]" : d ? "TEMP[1]" : "TEMP[0]");
        else
            put_operand(&line, name);
    }
    for (unsigned s = 0; s < info->srcs; s++) put_source(&line, info, s, example, preferred);
    put_tail(&line, info, example, preferred == SCH_FILE_IMAGE);
}

bool sch_table_opcode_form(size_t index, struct sch_opcode_form_info *info)
{
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    if (!info || !sch_sized_fits(info->size, sizeof *info) || !sch_table_opcode(index, &opcode)) return false;
    const struct sch_op_info *row = sch_op_info(opcode.number);
    struct sch_opcode_form_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    write_form(row, made.form, sizeof made.form, false, SCH_FILE_COUNT);
    write_form(row, made.example[0], sizeof made.example[0], true, SCH_FILE_BUFFER);
    write_form(row, made.example[1], sizeof made.example[1], true, SCH_FILE_IMAGE);
    if (strcmp(made.example[0], made.example[1]) == 0) made.example[1][0] = 0;
    sch_sized_write(info, &made, sizeof made);
    return true;
}
