/* scheelite list: the tables, a row a line, the name first, columns separated by tabs. */
#include "common/json.h"
#include "common/nearest.h"

#include <string.h>

/* One cell of a row. */
struct cell {
    const char *column, *text;
    unsigned number;
    bool is_number;
};

enum { CELLS = 8 };

struct row {
    struct cell cells[CELLS];
    size_t count;
    char flags[sizeof((struct sch_opcode_info *)0)->flags]; /* texts that are not constants of the library */
    char uses[96];
    struct sch_maxwell_info maxwell;
    struct sch_header_field_info field;
    struct sch_d3d_opcode_info d3d;
    struct sch_limit_info limit;
};

static struct cell text_cell(const char *column, const char *text)
{
    return (struct cell){.column = column, .text = text};
}

static struct cell number_cell(const char *column, unsigned number)
{
    return (struct cell){.column = column, .number = number, .is_number = true};
}

static void put_row(const struct row *row, struct sch_cli_json *json)
{
    const struct cell *cells = row->cells;
    sch_cli_json_row(json, NULL);
    for (size_t i = 0; i < row->count; i++)
        if (cells[i].is_number)
            sch_cli_json_number(json, cells[i].column, cells[i].number);
        else
            sch_cli_json_text(json, cells[i].column, cells[i].text);
    sch_cli_json_close(json);
}

static bool opcode_row(size_t index, struct row *row)
{
    struct sch_opcode_info view = {.size = sizeof view};
    if (!sch_table_opcode(index, &view)) return false;
    *row = (struct row){.cells = {text_cell("name", view.name), number_cell("number", view.number),
                                  text_cell("section", view.section), number_cell("destinations", view.destinations),
                                  number_cell("sources", view.sources), text_cell("signature", view.signature),
                                  text_cell("title", view.title)},
                        .count = CELLS};
    memcpy(row->flags, view.flags, sizeof row->flags);
    row->cells[CELLS - 1] = text_cell("flags", row->flags);
    return true;
}

static bool name_row(enum sch_name_table table, size_t index, struct row *row)
{
    struct sch_name_info view = {.size = sizeof view};
    if (!sch_table_name(table, index, &view)) return false;
    *row =
        (struct row){.cells = {text_cell("name", view.name), number_cell("number", view.number),
                               text_cell("word", view.word), text_cell("type", view.type), text_cell("doc", view.doc)},
                     .count = 5};
    return true;
}

static bool semantic_row(size_t index, struct row *row) { return name_row(SCH_NAMES_SEMANTICS, index, row); }
static bool property_row(size_t index, struct row *row) { return name_row(SCH_NAMES_PROPERTIES, index, row); }

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
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(uses & all[i].bit)) continue;
        used += (size_t)snprintf(text + used, room - used, "%s%s", used ? " " : "", all[i].name);
    }
    if (!used) snprintf(text, room, "refused");
}

static bool format_row(size_t index, struct row *row)
{
    struct sch_format_info is = {.size = sizeof is};
    if (!name_row(SCH_NAMES_FORMATS, index, row)) return false;
    sch_format_get_info((enum sch_format)row->cells[1].number, &is);
    write_uses(is.uses, row->uses, sizeof row->uses);
    row->cells[row->count++] = text_cell("uses", row->uses);
    return true;
}

static bool target_row(size_t index, struct row *row) { return name_row(SCH_NAMES_TARGETS, index, row); }
static bool file_row(size_t index, struct row *row) { return name_row(SCH_NAMES_FILES, index, row); }

static bool d3d_row(size_t index, struct row *row)
{
    *row = (struct row){.d3d = {.size = sizeof row->d3d}, .count = CELLS};
    struct sch_d3d_opcode_info *view = &row->d3d;
    if (!sch_table_d3d(index, view)) return false;
    row->cells[0] = text_cell("name", view->name);
    row->cells[1] = number_cell("number", view->number);
    row->cells[2] = text_cell("other", view->other);
    row->cells[3] = number_cell("model", view->model);
    row->cells[4] = text_cell("stages", view->stages);
    row->cells[5] = text_cell("operands", *view->text ? view->text : view->operands);
    row->cells[6] = text_cell("title", view->title);
    row->cells[7] = text_cell("flags", view->flags);
    return true;
}

static bool maxwell_row(size_t index, struct row *row)
{
    *row = (struct row){.maxwell = {.size = sizeof row->maxwell}, .count = 6};
    struct sch_maxwell_info *view = &row->maxwell;
    if (!sch_table_maxwell(index, view)) return false;
    row->cells[0] = text_cell("operation", view->operation);
    row->cells[1] = text_cell("form", view->form);
    row->cells[2] = text_cell("kind", view->kind);
    row->cells[3] = text_cell("name", view->name);
    row->cells[4] = text_cell("bits", view->bits);
    row->cells[5] = text_cell("text", view->text);
    return true;
}

static bool header_row(size_t index, struct row *row)
{
    *row = (struct row){.field = {.size = sizeof row->field}, .count = 7};
    struct sch_header_field_info *view = &row->field;
    if (!sch_table_header_field(index, view)) return false;
    row->cells[0] = text_cell("name", view->name);
    row->cells[1] = text_cell("versions", view->versions);
    row->cells[2] = text_cell("bits", view->bits);
    row->cells[3] = text_cell("value", view->value);
    row->cells[4] = text_cell("default", view->fallback);
    row->cells[5] = text_cell("meaning", view->meaning);
    row->cells[6] = text_cell("words", view->words);
    return true;
}

static bool decision_row(size_t index, struct row *row)
{
    struct sch_decision_info view = {.size = sizeof view};
    if (!sch_table_decision(index, &view)) return false;
    *row = (struct row){.cells = {text_cell("subjects", view.subjects), text_cell("clause", view.clause),
                                  text_cell("choice", view.choice), text_cell("reason", view.reason)},
                        .count = 4};
    return true;
}

static bool error_row(size_t index, struct row *row)
{
    struct sch_error_info view = {.size = sizeof view};
    if (!sch_table_error(index, &view)) return false;
    *row = (struct row){.cells = {text_cell("name", view.name), number_cell("number", view.number),
                                  text_cell("severity", view.severity), text_cell("summary", view.summary),
                                  text_cell("explanation", view.explanation)},
                        .count = 5};
    return true;
}

static bool limit_row(size_t index, struct row *row)
{
    struct sch_limit_info *view = &row->limit;
    *row = (struct row){.limit = {.size = sizeof *view}, .count = 3};
    if (!sch_table_limit(index, view)) return false;
    snprintf(row->flags, sizeof row->flags, "%llu", (unsigned long long)view->fallback);
    row->cells[0] = text_cell("name", view->name);
    row->cells[1] = text_cell("default", row->flags);
    row->cells[2] = text_cell("meaning", view->meaning);
    return true;
}

static const struct {
    const char *name;
    bool (*get)(size_t index, struct row *row); /* false past the last row */
} tables[] = {
    {"opcodes", opcode_row},
    {"semantics", semantic_row},
    {"properties", property_row},
    {"formats", format_row},
    {"targets", target_row},
    {"files", file_row},
    {"d3d", d3d_row},
    {"maxwell", maxwell_row},
    {"headers", header_row},
    {"decisions", decision_row},
    {"errors", error_row},
    {"limits", limit_row},
};

/* "opcodes, semantics, ... and limits". */
static const char *name_tables(void)
{
    static char text[160];
    enum { TABLES = sizeof tables / sizeof *tables };
    size_t at = 0;
    for (size_t i = 0; i < TABLES; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s",
                               !i               ? ""
                               : i + 1 < TABLES ? ", "
                                                : " and ",
                               tables[i].name);
    return text;
}

static enum sch_cli_exit print_table(const char *name, bool json)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(name, tables[i].name) != 0) continue;
        struct row row;
        struct sch_cli_json document;
        sch_cli_document_begin(&document, stdout, "scheelite-list/1", json);
        if (json) sch_cli_json_text(&document, "table", name);
        sch_cli_json_list(&document, "rows", false);
        for (size_t index = 0; tables[i].get(index, &row); index++) put_row(&row, &document);
        sch_cli_json_end(&document);
        return SCH_CLI_YES;
    }
    struct sch_cli_nearest nearest = sch_cli_nearest_to(name, strlen(name));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) sch_cli_nearest_try(&nearest, tables[i].name);
    return sch_cli_usage_error(&sch_cli_list, "there is no table %s%s", name, sch_cli_nearest_said(&nearest));
}

enum sch_cli_exit sch_cli_main_list(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_list, .argc = argc, .argv = argv};
    const enum sch_cli_exit exit_code = sch_cli_parse(&arguments, NULL, NULL);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (!arguments.file_count) return sch_cli_usage_error(&sch_cli_list, "which table? There are %s", name_tables());
    return print_table(arguments.files[0], arguments.values.json.json);
}
