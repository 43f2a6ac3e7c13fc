/* See explain_output.h. */
#include "explain_output.h"

#include <stdlib.h>
#include <string.h>

#include "../support/text.h"

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

static void print_text(const struct sch_cli_explain_output *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (out->items[i].is_title)
            puts(out->items[i].text);
        else
            print_field(out->items[i].label, out->items[i].text);
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

static void put_tagged(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    put_html(text);
    fputs(after, stdout);
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
    return sch_cli_list_find("form|example|types|fields|text|syntax|bits", label, strlen(label)) != UINT32_MAX;
}

static void print_html(const struct sch_cli_explain_output *out)
{
    put_tagged("<h1>", out->name, "</h1>\n");
    for (uint32_t i = 0; i < out->count; i++) {
        const struct sch_cli_explain_item *item = &out->items[i];
        if (item->is_title) {
            put_tagged(i ? "</dl>\n<h2>" : "<h2>", item->text, "</h2>\n<dl>\n");
        } else {
            put_tagged("<dt>", item->label, is_code(item->label) ? "</dt><dd class=\"code\">" : "</dt><dd>");
            put_tagged("", item->text, "</dd>\n");
        }
    }
    if (out->count) fputs("</dl>\n", stdout);
}

/* ---- JSON ---- */

/* A line of the field for each of the text's. */
static void put_lines(struct sch_json *json, const char *text)
{
    sch_json_list(json, "lines", true);
    while (*text) {
        const size_t bytes = strcspn(text, "\n");
        sch_json_bytes(json, NULL, text, bytes);
        text += bytes;
        text += *text == '\n';
    }
    sch_json_close(json);
}

static void put_names(struct sch_cli_explain_output *out)
{
    struct sch_json *json = &out->json;
    sch_json_object(json, NULL, false);
    sch_json_text(json, "name", out->name);
    sch_json_list(json, "entries", false);
    for (uint32_t i = 0; i < out->count;) {
        const struct sch_cli_explain_item *title = &out->items[i++];
        sch_json_object(json, NULL, false);
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("kind", title->label), SCH_JSON_TEXT("title", title->text));
        sch_json_list(json, "fields", false);
        for (; i < out->count && !out->items[i].is_title; i++) {
            sch_json_object(json, NULL, true);
            sch_json_text(json, "label", out->items[i].label);
            put_lines(json, out->items[i].text);
            sch_json_close(json);
        }
        sch_json_close(json);
        sch_json_close(json);
    }
    sch_json_close(json);
    sch_json_close(json);
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
    free(out->items);
}

void sch_cli_explain_output_add(struct sch_cli_explain_output *out, bool is_title, const char *label, const char *text)
{
    struct sch_cli_explain_item *last = out->count ? &out->items[out->count - 1] : NULL;
    if (!*text || out->no_memory) return;
    if (!is_title && !*label && last && !last->is_title) { /* the field continues */
        char *whole;
        out->no_memory = asprintf(&whole, "%s\n%s", last->text, text) < 0;
        if (out->no_memory) return;
        free(last->text);
        last->text = whole;
        return;
    }
    struct sch_cli_explain_item *larger = sch_text_grow(out->items, out->count, &out->room, sizeof *larger);
    out->no_memory = !larger;
    if (!larger) return;
    out->items = larger;
    larger[out->count] = (struct sch_cli_explain_item){is_title, strdup(label), strdup(text)};
    out->no_memory = !larger[out->count].label || !larger[out->count].text;
    out->count++;
}

enum sch_cli_exit sch_cli_explain_output_print(struct sch_cli_explain_output *out, const char *name)
{
    out->name = name;
    if (out->no_memory)
        sch_cli_no_memory();
    else if (out->form == SCH_CLI_EXPLAIN_JSON)
        put_names(out);
    else
        (out->form == SCH_CLI_EXPLAIN_TEXT ? print_text : print_html)(out);
    for (uint32_t i = 0; i < out->count; i++) {
        free(out->items[i].label);
        free(out->items[i].text);
    }
    out->count = 0;
    return out->no_memory ? SCH_CLI_LIMIT : SCH_CLI_YES;
}
