/* What `scheelite compare` says: that two shaders are the same, or a witness with the commands that run it again,
 * and the traces of both. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/json.h"
#include "../support/text.h"
#include "common/progress.h"
#include "common/value.h"
#include "compare.h"

enum { COLUMNS = 120 }; /* of traces, at most */

/* What is shown of a witness. */
struct sch_cli_witness {
    bool quads;
    char *lines[2];    /* the input, in the registers of each */
    char *paths[2];    /* of the files with them; NULL: none */
    char *commands[2]; /* that run it again */
    bool traced;
    struct sch_cli_traced trace[2];
};

/* With tabs and line ends as printf's %b reads them. */
static char *escaped(const char *lines)
{
    char *made = malloc(2 * strlen(lines) + 1), *to = made;
    for (; made && *lines; lines++)
        if (*lines == '\t' || *lines == '\n')
            to = stpcpy(to, *lines == '\t' ? "\\t" : "\\n");
        else
            *to++ = *lines;
    if (made) *to = 0;
    return made;
}

static void put_begin(FILE *file, const struct sch_cli_witness *witness, unsigned which, const char *words,
                      const char *program)
{
    char *inside = witness->paths[which] ? NULL : escaped(witness->lines[which]);
    if (inside) {
        fputs("printf %b ", file);
        sch_text_shell_word(file, inside);
        fputs(" | ", file);
    }
    fprintf(file, "scheelite %s ", words);
    sch_text_shell_word(file, program);
    fputs(" --vectors ", file);
    sch_text_shell_word(file, witness->paths[which] ? witness->paths[which] : "-");
    if (witness->quads) fputs(" --quads", file);
    free(inside);
}

static void put_option(FILE *file, const struct sch_cli_said *said)
{
    const struct sch_cli_option *option = &sch_cli_options[said->option];
    fprintf(file, " %s", option->name);
    if (option->value) putc(' ', file);
    if (option->value) sch_text_shell_word(file, said->value);
}

/* The command that runs one of two shaders; NULL: memory. */
static char *command_of(const struct sch_cli_compare *compare, unsigned which, const struct sch_cli_witness *witness,
                        const struct sch_cli_difference *difference)
{
    const bool ends = difference->kind == SCH_CLI_END_DIFFERS;
    const bool overwritten =
        difference->kind == SCH_CLI_REGISTER_DIFFERS && sch_cli_code_overwrites(compare, difference->pair);
    const struct sch_cli_compared_side *side = &compare->side[which];
    const bool has_own_engine = side->code || (which && compare->comparing.has_engine_b);
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (!file) return NULL;
    put_begin(file, witness, which,
              overwritten     ? "trace -x maxwell --floats both"
              : compare->code ? "eval -x maxwell"
                              : "eval",
              side->file);
    if (overwritten) fprintf(file, " --line %u", difference->invocation + 1);
    if (compare->samples > 1) fprintf(file, " --samples %u", compare->samples);
    if (ends && !compare->comparing.has_budget) fprintf(file, " --budget %d", SCH_CLI_COMPARE_BUDGET);
    for (uint32_t i = 0; i < compare->said.count; i++)
        if (!has_own_engine || compare->said.list[i].option != SCH_OPTION_COMPARE_ENGINE)
            put_option(file, &compare->said.list[i]);
    if (side->code) {
        fputs(" --lookup-code ", file);
        sch_text_shell_word(file, side->code);
    } else if (has_own_engine) {
        fprintf(file, " --engine %s", compare->comparing.engine_b);
    }
    return fclose(file) == 0 ? text : NULL;
}

/* ---- in words ---- */

static void print_difference(const struct sch_cli_difference *difference)
{
    const uint32_t *words = difference->words;
    char a[40], b[40];
    if (difference->kind == SCH_CLI_OUTPUT_DIFFERS) {
        sch_cli_seat_name(&difference->pair->seat[0], 0, a);
        sch_cli_seat_name(&difference->pair->seat[1], 0, b);
        printf("they differ in %s.%c", difference->pair->name, "xyzw"[difference->component]);
        if (difference->event != UINT32_MAX) printf(" of event %u", difference->event);
        printf(": 0x%08x in %s of A, 0x%08x in %s of B\n", words[0], a, words[1], b);
    } else if (difference->kind == SCH_CLI_KILL_DIFFERS) {
        printf("only %s is killed\n", words[0] ? "A" : "B");
    } else if (difference->kind == SCH_CLI_END_DIFFERS) {
        printf("A ends with: %s; B ends with: %s\n", sch_result_text((enum sch_result)words[0]),
               sch_result_text((enum sch_result)words[1]));
    } else {
        printf("they differ in %s: 0x%08x by A, 0x%08x by B\n", difference->what, words[0], words[1]);
    }
}

static void print_outputs(const struct sch_cli_compare *compare, const struct sch_cli_difference *difference)
{
    if (difference->kind != SCH_CLI_OUTPUT_DIFFERS) return;
    for (unsigned which = 0; which < 2; which++)
        for (uint32_t i = 0; i < compare->outputs.count; i++) {
            const struct sch_cli_pair *pair = &compare->outputs.list[i];
            char name[40];
            if (!pair->seat[0].there || !pair->seat[1].there) continue;
            sch_cli_seat_name(&pair->seat[which], 0, name);
            printf("  %c %-10s %-14s ", "AB"[which], name, pair -> name);
            sch_cli_put_values(stdout, sch_cli_compare_output(compare, which, difference, pair), pair->types,
                               SCH_CLI_FLOATS_BOTH);
            putchar('\n');
        }
}

static void print_lines(const char *lines, char letter)
{
    for (const char *at = lines; *at;) {
        const size_t length = strcspn(at, "\n");
        printf("  %c %.*s\n", letter, (int)length, at);
        at += length + (at[length] == '\n');
    }
}

/* ---- files ---- */

static char *file_of(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* One, where both have the same registers. */
static enum sch_cli_exit write_files(struct sch_cli_witness *witness)
{
    const char *folder = sch_cli_given()->of_witness.output;
    if (!folder) return SCH_CLI_YES;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return sch_cli_fail(SCH_CLI_IO, "cannot make %s: %s", folder, strerror(errno));
    char *const *lines = witness->lines;
    const bool same = strcmp(lines[0], lines[1]) == 0;
    witness->paths[0] = file_of(folder, "witness.tsv");
    witness->paths[1] = file_of(folder, same ? "witness.tsv" : "witness-b.tsv");
    if (!witness->paths[0] || !witness->paths[1]) return sch_cli_no_memory();
    enum sch_cli_exit exit_code = sch_cli_write(witness->paths[0], lines[0], strlen(lines[0]));
    if (exit_code == SCH_CLI_YES && !same) exit_code = sch_cli_write(witness->paths[1], lines[1], strlen(lines[1]));
    return exit_code;
}

/* ---- JSON ---- */

static void begin_json(const struct sch_cli_compare *compare, bool equal, struct sch_json *json)
{
    sch_json_begin(json, stdout, "scheelite-compare/1");
    for (unsigned which = 0; which < 2; which++) {
        const struct sch_cli_compared_side *side = &compare->side[which];
        sch_json_text(json, which ? "b" : "a", side->code ? side->code : side->file);
    }
    SCH_JSON_FIELDS(json, SCH_JSON_BOOL("equal", equal), SCH_JSON_NUMBER("inputs", compare->done),
                    SCH_JSON_NUMBER("undecided", compare->undecided));
}

static void outputs_json(const struct sch_cli_compare *compare, const struct sch_cli_difference *difference,
                         struct sch_json *json)
{
    sch_json_list(json, "outputs", false);
    for (uint32_t i = 0; i < compare->outputs.count && difference->kind == SCH_CLI_OUTPUT_DIFFERS; i++) {
        const struct sch_cli_pair *pair = &compare->outputs.list[i];
        if (!pair->seat[0].there || !pair->seat[1].there) continue;
        sch_json_object(json, NULL, false);
        sch_json_text(json, "name", pair->name);
        for (unsigned which = 0; which < 2; which++) {
            char name[40];
            sch_cli_seat_name(&pair->seat[which], 0, name);
            sch_json_object(json, which ? "b" : "a", true);
            sch_json_text(json, "register", name);
            sch_json_values(json, sch_cli_compare_output(compare, which, difference, pair), pair->types);
            sch_json_close(json);
        }
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void difference_json(const struct sch_cli_difference *difference, struct sch_json *json)
{
    static const char *const kinds[] = {"", "output", "kill", "events", "memory", "end", "register"};
    const bool output = difference->kind == SCH_CLI_OUTPUT_DIFFERS;
    const char component[2] = {"xyzw"[difference->component], 0};
    sch_json_object(json, "difference", false);
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("kind", kinds[difference->kind]),
                    SCH_JSON_TEXT("name", output              ? difference->pair->name
                                          : *difference->what ? difference->what
                                                              : NULL),
                    SCH_JSON_TEXT("component", output ? component : NULL), SCH_JSON_WORD("a", difference->words[0]),
                    SCH_JSON_WORD("b", difference->words[1]), SCH_JSON_NUMBER("invocation", difference->invocation));
    sch_json_close(json);
}

static void show_json(const struct sch_cli_compare *compare, const struct sch_cli_witness *witness,
                      const struct sch_cli_difference *difference, const struct sch_cli_rows *rows)
{
    struct sch_json json;
    begin_json(compare, false, &json);
    sch_json_text(&json, "reason", NULL);
    sch_json_object(&json, "witness", false);
    sch_json_bool(&json, "quads", witness->quads);
    for (unsigned which = 0; which < 2; which++)
        sch_json_text(&json, which ? "lines_b" : "lines_a", witness->lines[which]);
    difference_json(difference, &json);
    outputs_json(compare, difference, &json);
    sch_json_list(&json, "commands", false);
    for (unsigned which = 0; which < 2; which++) sch_json_text(&json, NULL, witness->commands[which]);
    sch_json_close(&json);
    if (rows)
        sch_cli_rows_json(rows, &json);
    else
        sch_json_text(&json, "traces", NULL);
    sch_json_end(&json);
}

/* ---- the whole ---- */

/* A document without a witness. */
static void put_without_witness(const struct sch_cli_compare *compare, bool equal, const char *reason)
{
    struct sch_json json;
    begin_json(compare, equal, &json);
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("reason", reason), SCH_JSON_TEXT("witness", NULL));
    sch_json_end(&json);
}

/* Where no input has decided anything, they are not called equal. */
enum sch_cli_exit sch_cli_compare_equal(const struct sch_cli_compare *compare)
{
    const bool decided = compare->undecided < compare->done;
    sch_cli_progress_end();
    if (sch_cli_given()->json.json) {
        put_without_witness(compare, decided, NULL);
    } else if (!compare->done) {
        puts("undecided: there is no input");
    } else if (!decided) {
        printf("undecided: on all %" PRIu64 " inputs both ended early (--budget, --work)\n", compare->undecided);
    } else {
        printf("equal on %" PRIu64 " inputs", compare->done - compare->undecided);
        if (compare->undecided) printf("; on %" PRIu64 " more both ended early", compare->undecided);
        putchar('\n');
    }
    return decided ? SCH_CLI_YES : SCH_CLI_LIMIT;
}

enum sch_cli_exit sch_cli_compare_apart(const struct sch_cli_compare *compare, const char *reason, const char *text)
{
    sch_cli_progress_end();
    if (sch_cli_given()->json.json)
        put_without_witness(compare, false, reason);
    else
        printf("different: %s\n", text);
    return SCH_CLI_NO;
}

/* The width of the terminal. */
static unsigned columns(void)
{
    struct winsize size;
    const bool known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col;
    return !known || size.ws_col > COLUMNS ? COLUMNS : size.ws_col;
}

static void show_text(const struct sch_cli_compare *compare, const struct sch_cli_witness *witness,
                      const struct sch_cli_difference *difference, const struct sch_cli_rows *rows)
{
    char *const *lines = witness->lines;
    printf("different, on input %" PRIu64 "\n", compare->done);
    print_difference(difference);
    print_outputs(compare, difference);
    puts("the input:");
    const bool same = strcmp(lines[0], lines[1]) == 0;
    print_lines(lines[0], same ? ' ' : 'A');
    if (!same) print_lines(lines[1], 'B');
    puts("again:");
    for (unsigned which = 0; which < 2; which++) printf("  %s\n", witness->commands[which]);
    if (!rows) return;
    puts(rows->different == UINT32_MAX ? "what A and B do:" : "what A and B do, > where they made other values:");
    sch_cli_rows_print(rows, columns());
}

static enum sch_cli_exit show_witness(const struct sch_cli_compare *compare, const struct sch_cli_witness *witness,
                                      const struct sch_cli_difference *difference)
{
    struct sch_cli_rows rows = {0};
    const bool traced = witness->traced && sch_cli_rows_align(witness->trace, &rows);
    sch_cli_progress_end();
    if (sch_cli_given()->json.json)
        show_json(compare, witness, difference, traced ? &rows : NULL);
    else
        show_text(compare, witness, difference, traced ? &rows : NULL);
    sch_cli_rows_release(&rows);
    return SCH_CLI_NO;
}

static void release_witness(struct sch_cli_witness *witness)
{
    for (unsigned which = 0; which < 2; which++) {
        free(witness->lines[which]);
        free(witness->paths[which]);
        free(witness->commands[which]);
        sch_cli_traced_release(&witness->trace[which]);
    }
}

/* The traces are missing if they cannot be made; the reason was printed. */
static enum sch_cli_exit fill_witness(const struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                      const struct sch_cli_difference *difference, struct sch_cli_witness *witness)
{
    for (unsigned which = 0; which < 2; which++) {
        witness->lines[which] = sch_cli_compare_lines(compare, which, inputs);
        if (!witness->lines[which]) return sch_cli_no_memory();
    }
    const enum sch_cli_exit exit_code = write_files(witness);
    for (unsigned which = 0; which < 2; which++) {
        witness->commands[which] = command_of(compare, which, witness, difference);
        if (!witness->commands[which]) return sch_cli_no_memory();
    }
    witness->traced =
        sch_cli_compare_trace(compare, inputs, witness->lines, difference->invocation, witness->trace) == SCH_CLI_YES;
    return exit_code;
}

enum sch_cli_exit sch_cli_compare_show(struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                       const struct sch_cli_difference *difference)
{
    struct sch_cli_witness witness = {.quads = inputs->quads};
    enum sch_cli_exit exit_code = fill_witness(compare, inputs, difference, &witness);
    if (exit_code == SCH_CLI_YES || witness.commands[1]) /* files that cannot be written are no reason to say nothing */
        exit_code = sch_cli_worse(exit_code, show_witness(compare, &witness, difference));
    release_witness(&witness);
    return exit_code;
}
