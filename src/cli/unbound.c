/* What a dispatch warned about, and the options that bind what was missing. The library names registers; what to type
 * is the command's to say. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "setup.h"

enum { MOST_OPTIONS = 8 };

/* The register with which such a message begins: SAMP[2], CONST[1][3], t3, t3,space1, cb0[2], cb0,space1[2]. */
struct named {
    char file[16];
    unsigned numbers, number[2];
    char space[16]; /* "1:", or nothing */
};

static struct named name_of(const char *message)
{
    struct named named = {0};
    size_t letters = strspn(message, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_bcstu");
    snprintf(named.file, sizeof named.file, "%.*s", (int)letters, message);
    for (const char *at = message + letters; *at && *at != ' ';) {
        static const char space[] = ",space";
        bool is_space = strncmp(at, space, sizeof space - 1) == 0;
        if (is_space) at += sizeof space - 1;
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (end == at) {
            at++; /* a bracket */
            continue;
        }
        if (is_space)
            snprintf(named.space, sizeof named.space, "%lu:", number);
        else if (named.numbers < 2)
            named.number[named.numbers++] = (unsigned)number;
        at = end;
    }
    return named;
}

/* --const names the buffer, too, where the shader has one bracket. */
static void print_constants(const struct named *named)
{
    bool one = strcmp(named->file, "CONST") == 0 && named->numbers < 2;
    fprintf(stderr, " --const %s%u:%u=X,Y,Z,W", named->space, one ? 0 : named->number[0], named->number[one ? 0 : 1]);
}

static void print_memory(const struct named *named, const char *message)
{
    bool counters = strcmp(named->file, "HWATOMIC") == 0;
    const char *letter =
        islower((unsigned char)named->file[0]) ? named->file : ""; /* t4 and u4 are different buffers */
    if (strcmp(named->file, "MEMORY") == 0)
        fprintf(stderr, " %s FILE", strstr(message, "GLOBAL") ? "--global" : "--input");
    else
        fprintf(stderr, " %s %s%s%u=FILE", counters ? "--hwatomic" : "--buffer", named->space, letter,
                named->number[0]);
}

/* Whether there is an option that binds what the report is about; it is printed when `shown`. */
static bool print_option(const struct sch_diagnostic_info *view, bool shown)
{
    static const struct {
        const char *name, *before, *after;
    } rows[] = {{"UNBOUND_VIEW", " --tex ", "=FILE"},
                {"UNBOUND_SAMPLER", " --sampler ", "=filter=linear"},
                {"UNBOUND_IMAGE", " --image ", "=FILE"},
                {"UNBOUND_MEMORY", NULL, NULL},
                {"UNBOUND_CONSTANTS", NULL, NULL}};
    enum { ROWS = sizeof rows / sizeof *rows, MEMORY = ROWS - 2, CONSTANTS };
    unsigned row = 0;
    while (row < ROWS && view->code != sch_cli_error_number(rows[row].name)) row++;
    if (row == ROWS || !shown) return row < ROWS;
    const struct named named = name_of(view->message);
    if (row == CONSTANTS)
        print_constants(&named);
    else if (row == MEMORY)
        print_memory(&named, view->message);
    else if (strcmp(named.file, "COLOR") == 0)
        fprintf(stderr, " --fb %u=FILE", named.number[0]);
    else
        fprintf(stderr, "%s%s%u%s", rows[row].before, named.space, named.number[0], rows[row].after);
    return true;
}

void sch_cli_setup_warn(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    unsigned options = 0;
    if (!setup->refused || sch_diagnostics_errors(setup->refused)) return; /* they were printed with the error */
    sch_cli_print_diagnostics(setup->refused, &shader->input);
    for (size_t i = 0; sch_diagnostics_get(setup->refused, i, &view); i++) {
        if (sch_cli_is_said(setup->refused, i, &view) || !print_option(&view, false)) continue;
        if (!options++) fputs("scheelite: to bind what is missing:", stderr);
        if (options <= MOST_OPTIONS) print_option(&view, true);
    }
    if (options > MOST_OPTIONS) fputs(" ...", stderr);
    if (options) fputc('\n', stderr);
}
