/* scheelite list: the tables, a row a line, the name first, columns separated by tabs. */
#include "../support/json.h"
#include "../support/text.h"
#include "common/cli.h"

#include <inttypes.h>
#include <string.h>

/* A row: the members of what the library has of it, under their names. */
#define TEXT(member)   SCH_JSON_TEXT(#member, view.member)
#define NUMBER(member) SCH_JSON_NUMBER(#member, view.member)
#define ROW(table, ...)                                                                                                \
    static bool table##_row(size_t index, struct sch_json *json)                                                       \
    {                                                                                                                  \
        struct sch_##table##_info view = {.size = sizeof view};                                                        \
        if (!sch_table_##table(index, &view)) return false;                                                            \
        SCH_JSON_ROW(json, NULL, __VA_ARGS__);                                                                         \
        return true;                                                                                                   \
    }

ROW(opcode, TEXT(name), NUMBER(number), TEXT(section), NUMBER(destinations), NUMBER(sources), TEXT(signature),
    TEXT(title), TEXT(flags))
ROW(maxwell, TEXT(operation), TEXT(form), TEXT(kind), TEXT(name), TEXT(bits), TEXT(text))
ROW(header_field, TEXT(name), TEXT(versions), TEXT(bits), TEXT(value), SCH_JSON_TEXT("default", view.fallback),
    TEXT(meaning), TEXT(words))
ROW(decision, TEXT(subjects), TEXT(clause), TEXT(choice), TEXT(reason))
ROW(error, TEXT(name), NUMBER(number), TEXT(severity), TEXT(summary), TEXT(explanation))

static bool name_row(enum sch_name_table table, size_t index, struct sch_json *json)
{
    struct sch_name_info view = {.size = sizeof view};
    if (!sch_table_name(table, index, &view)) return false;
    SCH_JSON_ROW(json, NULL, TEXT(name), NUMBER(number), TEXT(word), TEXT(type), TEXT(doc));
    return true;
}

static bool semantic_row(size_t index, struct sch_json *json) { return name_row(SCH_NAMES_SEMANTICS, index, json); }
static bool property_row(size_t index, struct sch_json *json) { return name_row(SCH_NAMES_PROPERTIES, index, json); }
static bool target_row(size_t index, struct sch_json *json) { return name_row(SCH_NAMES_TARGETS, index, json); }
static bool file_row(size_t index, struct sch_json *json) { return name_row(SCH_NAMES_FILES, index, json); }

/* Names of what a format can be used for; of those that are used for nothing: refused. */
static void write_uses(uint32_t uses, char *text, size_t room)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } all[] = {{SCH_USE_SAMPLED, "sampled"},     {SCH_USE_FILTERED, "filtered"},
               {SCH_USE_STORED, "stored"},       {SCH_USE_ATOMIC, "atomic"},
               {SCH_USE_WRITTEN, "written"},     {SCH_USE_MIPS, "mips"},
               {SCH_USE_RENDER_TARGET, "color"}, {SCH_USE_DEPTH_STENCIL, "depth-stencil"},
               {SCH_USE_VERTICES, "vertices"}};
    text[0] = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (uses & all[i].bit) sch_text_add(text, room, "%s%s", *text ? " " : "", all[i].name);
    if (!*text) snprintf(text, room, "refused");
}

static bool format_row(size_t index, struct sch_json *json)
{
    struct sch_name_info view = {.size = sizeof view};
    struct sch_format_info is = {.size = sizeof is};
    char uses[96];
    if (!sch_table_name(SCH_NAMES_FORMATS, index, &view)) return false;
    sch_format_get_info((enum sch_format)view.number, &is);
    write_uses(is.uses, uses, sizeof uses);
    SCH_JSON_ROW(json, NULL, TEXT(name), NUMBER(number), TEXT(word), TEXT(type), TEXT(doc),
                 SCH_JSON_TEXT("uses", uses));
    return true;
}

static bool d3d_row(size_t index, struct sch_json *json)
{
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    if (!sch_table_d3d(index, &view)) return false;
    SCH_JSON_ROW(json, NULL, TEXT(name), NUMBER(number), TEXT(other), NUMBER(model), TEXT(stages),
                 SCH_JSON_TEXT("operands", *view.text ? view.text : view.operands), TEXT(title), TEXT(flags));
    return true;
}

static bool limit_row(size_t index, struct sch_json *json)
{
    struct sch_limit_info view = {.size = sizeof view};
    char fallback[24];
    if (!sch_table_limit(index, &view)) return false;
    snprintf(fallback, sizeof fallback, "%" PRIu64, view.fallback);
    SCH_JSON_ROW(json, NULL, TEXT(name), SCH_JSON_TEXT("default", fallback), TEXT(meaning));
    return true;
}

static const struct {
    const char *name;
    bool (*print)(size_t index, struct sch_json *json); /* false past the last row */
} tables[] = {
    {"opcodes", opcode_row},
    {"semantics", semantic_row},
    {"properties", property_row},
    {"formats", format_row},
    {"targets", target_row},
    {"files", file_row},
    {"d3d", d3d_row},
    {"maxwell", maxwell_row},
    {"headers", header_field_row},
    {"decisions", decision_row},
    {"errors", error_row},
    {"limits", limit_row},
};

static enum sch_cli_exit print_table(const char *name, bool json)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(name, tables[i].name) != 0) continue;
        struct sch_json document;
        sch_json_document(&document, stdout, "scheelite-list/1", json);
        if (json) sch_json_text(&document, "table", name);
        sch_json_list(&document, "rows", false);
        for (size_t index = 0; tables[i].print(index, &document); index++) continue;
        sch_json_end(&document);
        return SCH_CLI_YES;
    }
    struct sch_nearest nearest = sch_nearest_to(name, strlen(name));
    sch_nearest_offer_set(&nearest, sch_cli_list.words);
    return sch_cli_usage_error(&sch_cli_list, "there is no table %s%s", name, sch_nearest_said(&nearest));
}

enum sch_cli_exit sch_cli_main_list(struct sch_cli_arguments *arguments)
{
    const enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (!arguments->file_count) {
        char names[160];
        sch_cli_list_print(sch_cli_list.words, " and ", names, sizeof names);
        return sch_cli_usage_error(&sch_cli_list, "which table? There are %s", names);
    }
    return print_table(arguments->files[0], arguments->values.json.json);
}
