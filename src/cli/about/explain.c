/* scheelite explain: all that the tables say about one name or number. */
#include "../support/text.h"
#include "explain_output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where all goes. */
static struct sch_cli_explain_output out;

static void print_field(const char *label, const char *text) { sch_cli_explain_output_add(&out, false, label, text); }

static void print_number(const char *label, unsigned number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    print_field(label, text);
}

static void print_title(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print_title(const char *kind, const char *format, ...)
{
    char title[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(title, sizeof title, format, arguments);
    va_end(arguments);
    sch_cli_explain_output_add(&out, true, kind, title);
}

static const char *operand_type(char letter)
{
    static const char *const words[] = {['F'] = "float", ['I'] = "int",    ['U'] = "uint", ['D'] = "double",
                                        ['L'] = "int64", ['Q'] = "uint64", ['X'] = "bits", ['R'] = "register"};
    const size_t at = (unsigned char)letter;
    return at < sizeof words / sizeof *words && words[at] ? words[at] : "none";
}

/* The form of the instruction, for example "MAD dst, src0, src1, src2", and lines as they are typed. */
static void print_form(size_t index, const struct sch_opcode_info *view)
{
    struct sch_opcode_form_info form = {.size = sizeof form};
    if (sch_table_opcode_form(index, &form)) {
        print_field("form", form.form);
        print_field("example", form.example[0]);
        print_field("", form.example[1]);
    }
    char types[256] = "";
    const char *sources = strchr(view->signature, '_');
    if (view->destinations) snprintf(types, sizeof types, "dst %s", operand_type(view->signature[0]));
    for (unsigned i = 0; sources && i < view->sources && sources[i + 1]; i++) {
        char number[12] = "";
        if (view->sources > 1) snprintf(number, sizeof number, "%u", i);
        sch_text_add(types, sizeof types, "%ssrc%s %s", *types ? ", " : "", number, operand_type(sources[i + 1]));
    }
    print_field("types", *types ? types : "none");
}

static bool explain_opcode(const char *name)
{
    struct sch_opcode_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_opcode(i, &view); i++) {
        if (strcasecmp(view.name, name) != 0) continue;
        print_title("opcode", "opcode %s: %s", view.name, view.title);
        print_form(i, &view);
        print_field("meaning", view.formula);
        print_field("", view.words);
        print_field("section", view.section);
        print_number("number", view.number);
        print_field("flags", view.flags);
        return true;
    }
    return false;
}

static const char *d3d_role(char letter)
{
    static const struct {
        char letter;
        const char *words;
    } rows[] = {{'D', "dest"}, {'N', "dest|null"}, {'V', "u#|g#"}, {'C', "src.component"}, {'R', "t#"},
                {'P', "s#"},   {'M', "m#"},        {'L', "l#"},    {'F', "fp#"},           {'I', "literal"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].letter == letter) return rows[i].words;
    return "src";
}

static const char *d3d_type(char letter)
{
    static const char letters[] = "fiud";
    static const char *const words[] = {"float", "int", "uint", "double"};
    const char *at = strchr(letters, letter);
    return at && *at ? words[at - letters] : "any";
}

/* "sample dest, src, t#, s#" and the types of those that have one; operands are two letters and a blank each. */
static void print_d3d_form(const struct sch_d3d_opcode_info *view)
{
    char line[256] = "", types[256] = "";
    size_t operands = (strlen(view->operands) + 1) / 3;
    for (size_t i = 0; i < operands; i++) {
        char role = view->operands[3 * i], type = view->operands[3 * i + 1];
        sch_text_add(line, sizeof line, "%s%s", i ? ", " : " ", d3d_role(role));
        if (type != '-')
            sch_text_add(types, sizeof types, "%s%s %s", *types ? ", " : "", d3d_role(role), d3d_type(type));
    }
    char form[320];
    snprintf(form, sizeof form, "%s%s", view->name, line);
    print_field("form", form);
    print_field("types", types);
}

/* Words of listings and of HLSL that are not instructions. */
static const struct d3d_words {
    const char *names, *kind, *meaning, *here;
} d3d_words[] = {
#define D3D_WORDS(names, kind, meaning, here) {names, kind, meaning, here},
#include "d3d_words.def"
#undef D3D_WORDS
};
enum { D3D_WORDS_COUNT = sizeof d3d_words / sizeof *d3d_words };

/* Where a name is among those with | between them, or NULL. A # is any number, or none; a name with SV_ may have one,
 * too. */
static const char *find_d3d_word(const char *names, const char *name)
{
    while (*names) {
        const size_t bytes = strcspn(names, "|"), given = strlen(name);
        const bool numbered = names[bytes - 1] == '#', semantic = strncmp(names, "SV_", 3) == 0;
        const size_t stem = bytes - numbered;
        size_t end = given;
        if (numbered || semantic)
            while (end > stem && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
        const bool literal = numbered && end == stem + 1 && name[stem] == '#' && given == stem + 1;
        if ((end == stem || literal) && strncasecmp(names, name, stem) == 0) return names;
        names += bytes;
        names += *names == '|';
    }
    return NULL;
}

static bool explain_d3d_word(const char *name)
{
    bool any = false;
    for (size_t i = 0; i < D3D_WORDS_COUNT; i++) {
        const struct d3d_words *row = &d3d_words[i];
        const char *found = find_d3d_word(row->names, name);
        if (!found) continue;
        char names[512];
        snprintf(names, sizeof names, "%s", row->names);
        for (char *at = names; *at; at++)
            if (*at == '|') *at = ' ';
        print_title(row->kind, "Direct3D %s %.*s", row->kind, (int)strcspn(found, "|"), found);
        print_field("meaning", row->meaning);
        if (strchr(row->names, '|')) print_field("names", names);
        print_field("here", row->here);
        any = true;
    }
    return any;
}

/* An instruction of Direct3D as listings spell it, in small letters. */
static bool is_d3d_instruction(const char *name)
{
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_d3d(i, &view); i++)
        if (strcmp(view.name, name) == 0) return true;
    return false;
}

static bool explain_limit(const char *name)
{
    struct sch_limit_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_limit(i, &view); i++) {
        if (strcasecmp(view.name, name) != 0) continue;
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)view.fallback);
        print_title("limit", "limit %s", view.name);
        print_field("meaning", view.meaning);
        print_field("default", number);
        print_field("changed by", "--limit NAME=N");
        return true;
    }
    return false;
}

/* A table of `scheelite list`. */
static bool explain_table(const char *name)
{
    for (const char *at = sch_cli_list.words; *at;) {
        const size_t bytes = strcspn(at, "|");
        if (strlen(name) == bytes && strncasecmp(at, name, bytes) == 0) {
            char line[64];
            snprintf(line, sizeof line, "scheelite list %.*s", (int)bytes, at);
            print_title("table", "table %.*s", (int)bytes, at);
            print_field("printed by", line);
            return true;
        }
        at += bytes;
        at += *at == '|';
    }
    return false;
}

static bool explain_d3d(const char *name)
{
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_d3d(i, &view); i++) {
        bool other = *view.other && strcasecmp(view.other, name) == 0;
        if (!other && strcasecmp(view.name, name) != 0) continue;
        print_title("Direct3D instruction", "Direct3D instruction %s: %s", view.name, view.title);
        if (*view.text) {
            char text[256];
            snprintf(text, sizeof text, "%s%s", view.name, view.text);
            print_field("text", text);
        } else
            print_d3d_form(&view);
        print_field("vkd3d", view.other);
        char opcodes[64];
        snprintf(opcodes, sizeof opcodes, "%s%s%s", view.runs_as, *view.runs_with ? " " : "", view.runs_with);
        print_field("runs as", opcodes);
        char model[16];
        snprintf(model, sizeof model, "%u.%u", view.model / 10, view.model % 10);
        print_field("shader model", model);
        char stages[64] = "";
        for (const char *c = view.stages; *c; c++) sch_text_add(stages, sizeof stages, "%s%cs", *stages ? " " : "", *c);
        print_field("stages", stages);
        print_number("number", view.number);
        print_field("flags", view.flags);
        return true;
    }
    return false;
}

/* TXQ, TXQ.B: a column of kinds, each named once. */
static bool explain_maxwell(const char *name)
{
    struct sch_maxwell_info view = {.size = sizeof view};
    char kind[sizeof view.kind] = "";
    char line[sizeof view.name + sizeof view.bits + sizeof view.text + 8];
    bool any = false;
    for (size_t i = 0; sch_table_maxwell_named(name, i, &view); i++) {
        if (strcmp(view.kind, "operation") == 0) {
            print_title("Maxwell instruction", "Maxwell instruction %s: %s", view.operation, view.text);
            any = true;
            continue;
        }
        if (strcmp(view.kind, "syntax") == 0)
            snprintf(line, sizeof line, "%s", view.text);
        else if (strcmp(view.kind, "field") == 0)
            snprintf(line, sizeof line, *view.text ? "%-7s %-20s%s" : "%-7s %s%s", view.bits, view.name, view.text);
        else
            snprintf(line, sizeof line, "%s: %s", view.name, view.text);
        const bool goes_on = strcmp(view.kind, kind) == 0 && strcmp(kind, "syntax") != 0;
        print_field(goes_on ? "" : view.kind, line);
        memcpy(kind, view.kind, sizeof kind);
    }
    return any;
}

/* A field of texture headers or samplers; several versions have fields of one name. */
static bool explain_header(const char *name)
{
    struct sch_header_field_info view = {.size = sizeof view};
    bool any = false;
    for (size_t i = 0; sch_table_header_field(i, &view); i++) {
        if (strcasecmp(view.name, name) != 0) continue;
        bool sampler = strcmp(view.versions, "SAMPLER") == 0;
        print_title("header field", "field %s of Maxwell's %s", view.name, sampler ? "samplers" : "texture headers");
        if (!sampler) print_field("versions", view.versions);
        print_field("bits", view.bits);
        print_field("value", view.value);
        print_field("default", view.fallback);
        print_field("meaning", view.meaning);
        print_field("words", view.words);
        any = true;
    }
    return any;
}

/* Which stages and files a semantic or property goes with. */
static void print_stages(enum sch_name_table table, size_t index)
{
    struct sch_stages_info view = {.size = sizeof view};
    if (!sch_table_stages(table, index, &view)) return;
    print_field("stages", view.property);
    print_field("input of", view.input);
    print_field("output of", view.output);
    print_field("SV of", view.system_value);
    print_field("written in", view.produced);
}

/* Words of the text that no other table has; suffixes with their underscore or without. */
static bool explain_keyword(const char *name)
{
    struct sch_keyword_info view = {.size = sizeof view};
    bool any = false;
    for (size_t i = 0; sch_table_keyword(i, &view); i++) {
        const char *word = view.word;
        bool same = strcasecmp(word, name) == 0 || (*word == '_' && strcasecmp(word + 1, name) == 0);
        if (!same) continue;
        print_title(view.kind, "%s %s", view.kind, word);
        print_field("meaning", view.meaning);
        print_field("form", view.form);
        any = true;
    }
    return any;
}

static bool explain_name(enum sch_name_table table, const char *title, const char *type_label, const char *name)
{
    static const char prefix[] = "PIPE_FORMAT_";
    struct sch_name_info view = {.size = sizeof view};
    if (table == SCH_NAMES_FORMATS && strncasecmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
    for (size_t i = 0; sch_table_name(table, i, &view); i++) {
        if (strcasecmp(view.name, name) != 0 && strcasecmp(view.word, name) != 0) continue;
        print_title(title, "%s %s", title, view.name);
        if (strcmp(view.name, view.word) != 0) print_field("in text", view.word);
        print_field(table == SCH_NAMES_FORMATS ? "channels" : "meaning", view.doc);
        if (type_label) print_field(type_label, view.type);
        print_stages(table, i);
        print_number("number", view.number);
        return true;
    }
    return false;
}

static bool explain_error(const char *name)
{
    struct sch_error_info view = {.size = sizeof view};
    uint64_t number;
    bool is_number = sch_cli_number(name, 0, UINT32_MAX, &number);
    for (size_t i = 0; sch_table_error(i, &view); i++) {
        if (is_number ? view.number != number : strcasecmp(view.name, name) != 0) continue;
        const char *more = strcmp(view.severity, "pedantic") == 0 ? " warning" : "";
        print_title("diagnostic", "%s%s %u %s: %s", view.severity, more, view.number, view.name, view.summary);
        print_field("meaning", view.explanation);
        return true;
    }
    return false;
}

/* Whether `name` is one of the blank-separated words of `subjects`, in any case. */
static bool names(const char *subjects, const char *name)
{
    size_t length = strlen(name);
    while (*subjects) {
        size_t word = strcspn(subjects, " ");
        if (word == length && strncasecmp(subjects, name, length) == 0) return true;
        subjects += word;
        subjects += strspn(subjects, " ");
    }
    return false;
}

static bool explain_decisions(const char *name)
{
    struct sch_decision_info view = {.size = sizeof view};
    bool any = false;
    for (size_t i = 0; sch_table_decision(i, &view); i++) {
        if (!names(view.subjects, name)) continue;
        print_title("decision", "decision (%s)", view.subjects);
        print_field("specification", view.clause);
        print_field("choice", view.choice);
        print_field("reason", view.reason);
        any = true;
    }
    return any;
}

/* What was perhaps meant, of all tables that explain reads but the fields of Maxwell's code. */
static enum sch_cli_exit unknown(const char *name)
{
    static const enum sch_name_table tables[] = {SCH_NAMES_SEMANTICS, SCH_NAMES_PROPERTIES, SCH_NAMES_FILES,
                                                 SCH_NAMES_TARGETS, SCH_NAMES_FORMATS};
    struct sch_nearest nearest = sch_nearest_to(name, strlen(name));
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    struct sch_keyword_info keyword = {.size = sizeof keyword};
    struct sch_error_info error = {.size = sizeof error};
    struct sch_d3d_opcode_info d3d = {.size = sizeof d3d};
    struct sch_name_info row = {.size = sizeof row};
    uint64_t number;
    for (size_t i = 0; sch_table_opcode(i, &opcode); i++) sch_nearest_offer(&nearest, opcode.name);
    for (size_t i = 0; sch_table_keyword(i, &keyword); i++) sch_nearest_offer_set(&nearest, keyword.word);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; sch_table_name(tables[t], i, &row); i++) sch_nearest_offer(&nearest, row.name);
    for (size_t i = 0; sch_table_d3d(i, &d3d); i++) sch_nearest_offer_set(&nearest, d3d.name);
    for (size_t i = 0; sch_table_error(i, &error); i++) sch_nearest_offer(&nearest, error.name);
    for (size_t i = 0; i < D3D_WORDS_COUNT; i++) sch_nearest_offer_set(&nearest, d3d_words[i].names);
    if (sch_cli_number(name, 0, UINT64_MAX, &number))
        return sch_cli_fail(SCH_CLI_NO, "no diagnostic has the number %s; `scheelite list errors` shows them", name);
    return sch_cli_fail(SCH_CLI_NO, "nothing is called %s; `scheelite list` shows the names%s", name,
                        sch_nearest_said(&nearest));
}

static enum sch_cli_exit explain(const char *name)
{
    const bool first = is_d3d_instruction(name); /* bfi is Direct3D's, BFI is TGSI's */
    bool any = first && explain_d3d(name);
    any |= explain_opcode(name);
    any |= explain_keyword(name);
    any |= explain_name(SCH_NAMES_SEMANTICS, "semantic", "type", name);
    any |= explain_name(SCH_NAMES_PROPERTIES, "property", "value", name);
    any |= explain_name(SCH_NAMES_FILES, "register file", NULL, name);
    any |= explain_name(SCH_NAMES_TARGETS, "texture target", NULL, name);
    any |= explain_name(SCH_NAMES_FORMATS, "format", "swizzle", name);
    any |= !first && explain_d3d(name);
    any |= explain_d3d_word(name);
    any |= explain_maxwell(name);
    any |= explain_header(name);
    any |= explain_error(name);
    any |= explain_limit(name);
    any |= explain_decisions(name);
    any |= explain_table(name);
    const enum sch_cli_exit exit_code = sch_cli_explain_output_print(&out, name);
    return any ? exit_code : unknown(name);
}

enum sch_cli_exit sch_cli_main_explain(struct sch_cli_arguments *arguments)
{
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code != SCH_CLI_YES) return exit_code;
    sch_cli_explain_output_begin(&out, arguments->values.json.json         ? SCH_CLI_EXPLAIN_JSON
                                       : arguments->values.of_explain.html ? SCH_CLI_EXPLAIN_OUTPUT_HTML
                                                                           : SCH_CLI_EXPLAIN_TEXT);
    for (int i = 0; i < arguments->file_count; i++) exit_code = sch_cli_worse(exit_code, explain(arguments->files[i]));
    sch_cli_explain_output_end(&out);
    return exit_code;
}
