/* See explain_output.h. */
#include "explain_output.h"

#include <string.h>

enum { LABEL = 17, LINE = 100 }; /* columns: where fields begin, and where their lines end */

/* ---- text ---- */

/* Prints `text` after a label; long lines are broken at blanks, and all lines after the first are indented alike. */
static void print_field(const char *label, const char *text)
{
    printf("  %-*s", LABEL - 2, label);
    size_t column = LABEL;
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (column > LABEL && column + word > LINE) {
            printf("\n%*s", LABEL, "");
            column = LABEL;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word;
        if (*text == '\n') {
            printf("\n%*s", LABEL, "");
            column = LABEL;
            text++;
        } else if (*text == ' ') {
            text++;
            if (column + 1 + strcspn(text, " \n") <= LINE) {
                putchar(' ');
                column++;
            } else
                column = LINE; /* the next word begins a line */
        }
    }
    putchar('\n');
}

/* ---- HTML ---- */

static void put_html(const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", stdout);
        else if (*text == '>')
            fputs("&gt;", stdout);
        else if (*text == '&')
            fputs("&amp;", stdout);
        else if (*text == '"')
            fputs("&quot;", stdout);
        else if (*text == '\n')
            fputs("<br>\n", stdout);
        else
            putchar((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
    }
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>scheelite "
    "explain</title>\n<style>\n"
    "body { font: 16px/1.5 sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: "
    "#fff; }\n"
    "h1 { font-size: 1.5rem; border-bottom: 2px solid #888; }\nh2 { font-size: 1.1rem; margin: 1.5rem 0 .3rem; }\n"
    "dl { display: grid; grid-template-columns: 9rem 1fr; gap: .2rem 1rem; margin: 0; }\ndt { color: #666; }\n"
    "dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }\n"
    "dd.code { font-family: monospace; }\n"
    "@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; } dt { color: #999; } }\n"
    "</style>\n</head>\n<body>\n";

static bool is_code(const char *label)
{
    static const char *const labels[] = {"form", "example", "types", "fields", "text", "syntax", "bits"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(label, labels[i]) == 0) return true;
    return false;
}

static void end_html_entry(struct sch_cli_explain_output *out)
{
    if (out->in_field) fputs("</dd>\n", stdout);
    if (out->in_entry) fputs("</dl>\n", stdout);
}

/* ---- JSON ---- */

static void end_json_field(struct sch_cli_explain_output *out)
{
    if (!out->in_field) return;
    sch_json_close(&out->json); /* lines */
    sch_json_close(&out->json); /* the field */
}

static void end_json_entry(struct sch_cli_explain_output *out)
{
    end_json_field(out);
    if (!out->in_entry) return;
    sch_json_close(&out->json); /* fields */
    sch_json_close(&out->json); /* the entry */
}

/* A line of the field for each of the text's. */
static void put_json_lines(struct sch_cli_explain_output *out, const char *text)
{
    char line[4096];
    while (*text) {
        const size_t bytes = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        sch_json_text(&out->json, NULL, line);
        text += bytes;
        if (*text) text++;
    }
}

/* ---- all forms ---- */

void sch_cli_explain_output_begin(struct sch_cli_explain_output *out, enum sch_cli_explain_output_form form)
{
    *out = (struct sch_cli_explain_output){.form = form};
    if (form == SCH_CLI_EXPLAIN_OUTPUT_HTML) fputs(head, stdout);
    if (form != SCH_CLI_EXPLAIN_JSON) return;
    sch_json_begin(&out->json, stdout, "scheelite-explain/1");
    sch_json_list(&out->json, "names", false);
}

void sch_cli_explain_output_end(struct sch_cli_explain_output *out)
{
    if (out->form == SCH_CLI_EXPLAIN_OUTPUT_HTML) fputs("</body>\n</html>\n", stdout);
    if (out->form == SCH_CLI_EXPLAIN_JSON) sch_json_end(&out->json);
}

void sch_cli_explain_output_name(struct sch_cli_explain_output *out, const char *name)
{
    if (out->form == SCH_CLI_EXPLAIN_OUTPUT_HTML) {
        fputs("<h1>", stdout);
        put_html(name);
        fputs("</h1>\n", stdout);
    }
    if (out->form != SCH_CLI_EXPLAIN_JSON) return;
    sch_json_object(&out->json, NULL, false);
    sch_json_text(&out->json, "name", name);
    sch_json_list(&out->json, "entries", false);
}

void sch_cli_explain_output_name_end(struct sch_cli_explain_output *out)
{
    if (out->form == SCH_CLI_EXPLAIN_OUTPUT_HTML) end_html_entry(out);
    if (out->form == SCH_CLI_EXPLAIN_JSON) {
        end_json_entry(out);
        sch_json_close(&out->json);
        sch_json_close(&out->json);
    }
    out->in_entry = out->in_field = false;
}

void sch_cli_explain_output_entry(struct sch_cli_explain_output *out, const char *kind, const char *title)
{
    switch (out->form) {
    case SCH_CLI_EXPLAIN_TEXT:
        puts(title);
        break;
    case SCH_CLI_EXPLAIN_OUTPUT_HTML:
        end_html_entry(out);
        fputs("<h2>", stdout);
        put_html(title);
        fputs("</h2>\n<dl>\n", stdout);
        break;
    case SCH_CLI_EXPLAIN_JSON:
        end_json_entry(out);
        sch_json_object(&out->json, NULL, false);
        SCH_JSON_FIELDS(&out->json, SCH_JSON_TEXT("kind", kind), SCH_JSON_TEXT("title", title));
        sch_json_list(&out->json, "fields", false);
        break;
    }
    out->in_entry = true;
    out->in_field = false;
}

void sch_cli_explain_output_field(struct sch_cli_explain_output *out, const char *label, const char *text)
{
    if (!*text) return;
    const bool goes_on = !*label && out->in_field;
    switch (out->form) {
    case SCH_CLI_EXPLAIN_TEXT:
        print_field(label, text);
        break;
    case SCH_CLI_EXPLAIN_OUTPUT_HTML:
        if (goes_on) {
            fputs("<br>\n", stdout);
        } else {
            if (out->in_field) fputs("</dd>\n", stdout);
            fputs("<dt>", stdout);
            put_html(label);
            fputs(is_code(label) ? "</dt><dd class=\"code\">" : "</dt><dd>", stdout);
        }
        put_html(text);
        break;
    case SCH_CLI_EXPLAIN_JSON:
        if (!goes_on) {
            end_json_field(out);
            sch_json_object(&out->json, NULL, true);
            sch_json_text(&out->json, "label", label);
            sch_json_list(&out->json, "lines", true);
        }
        put_json_lines(out, text);
        break;
    }
    out->in_field = true;
}
