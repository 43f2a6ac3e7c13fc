/* What a dispatch warned about, and the options that bind what was missing. The library names registers; what to type
 * is the command's to say. */
#include <inttypes.h>
#include <stdio.h>

#include "setup.h"

enum { MOST_OPTIONS = 8 };

/* MEMORY registers are of two kinds, each of which is one block of memory. */
static bool is_global(const struct sch_shader *shader, uint32_t number)
{
    struct sch_declaration_info at = {.size = sizeof at};
    for (uint32_t n = 0; sch_shader_declaration(shader, n, &at); n++)
        if (at.file == SCH_FILE_MEMORY && number >= at.first && number <= at.last)
            return at.memory_kind == SCH_MEMORY_GLOBAL;
    return false;
}

/* " --tex 1:4=FILE": the option, the register's space and number, and the value. */
static void print_register(const char *option, const struct sch_register_name *about, const char *value)
{
    fprintf(stderr, " %s ", option);
    if (about->has_space) fprintf(stderr, "%" PRIu32 ":", about->space);
    if (about->file == SCH_FILE_BUFFER && about->is_d3d) /* t4 and u4 are different buffers */
        fputc(about->kind == SCH_RANGE_TEXTURES ? 't' : 'u', stderr);
    fprintf(stderr, "%" PRIu32 "%s", about->number, value);
}

static void print_memory(const struct sch_shader *shader, const struct sch_register_name *about)
{
    if (about->file == SCH_FILE_MEMORY)
        fprintf(stderr, " %s FILE", is_global(shader, about->number) ? "--global" : "--input");
    else
        print_register(about->file == SCH_FILE_HW_ATOMIC ? "--hwatomic" : "--buffer", about, "=FILE");
}

/* Whether there is an option that binds what the report is about; it is printed when `shown`. */
static bool print_option(const struct sch_shader *shader, const struct sch_diagnostic_info *view, bool shown)
{
    static const struct {
        const char *name, *option, *value;
    } rows[] = {{"UNBOUND_VIEW", "--tex", "=FILE"},
                {"UNBOUND_SAMPLER", "--sampler", "=filter=linear"},
                {"UNBOUND_IMAGE", "--image", "=FILE"},
                {"UNBOUND_MEMORY", NULL, NULL},
                {"UNBOUND_CONSTANTS", "--const", NULL}};
    enum { ROWS = sizeof rows / sizeof *rows, MEMORY = ROWS - 2, CONSTANTS };
    const struct sch_register_name *about = &view->about;
    char vector[48];
    unsigned row = 0;
    while (row < ROWS && view->code != sch_error_number(rows[row].name)) row++;
    if (row == ROWS || !shown) return row < ROWS;
    snprintf(vector, sizeof vector, ":%" PRIu32 "=X,Y,Z,W", about->vector);
    if (row == MEMORY)
        print_memory(shader, about);
    else
        print_register(about->file == SCH_FILE_OUTPUT ? "--fb" : rows[row].option, about,
                       row == CONSTANTS ? vector : rows[row].value);
    return true;
}

void sch_cli_setup_warn(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    unsigned options = 0;
    if (!setup->refused || sch_diagnostics_errors(setup->refused)) return; /* they were printed with the error */
    sch_cli_print_diagnostics(setup->refused, &shader->input);
    for (size_t i = 0; sch_diagnostics_get(setup->refused, i, &view); i++) {
        if (sch_cli_is_said(setup->refused, i, &view) || !print_option(shader->shader, &view, false)) continue;
        if (!options++) fputs("scheelite: to bind what is missing:", stderr);
        if (options <= MOST_OPTIONS) print_option(shader->shader, &view, true);
    }
    if (options > MOST_OPTIONS) fputs(" ...", stderr);
    if (options) fputc('\n', stderr);
}
