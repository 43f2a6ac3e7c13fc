/* See losses.h. */
#include "losses.h"

#include <inttypes.h>
#include <stdarg.h>

enum { LINE_BYTES = 2048 };

struct line {
    char text[LINE_BYTES];
    size_t used;
};

static void __attribute__((format(printf, 2, 3))) add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(line->text + line->used, LINE_BYTES - line->used, format, arguments);
    va_end(arguments);
    if (more > 0) line->used += (size_t)more < LINE_BYTES - line->used ? (size_t)more : LINE_BYTES - line->used - 1;
}

static void add_counts(struct line *line, const struct sch_virgl_losses *losses)
{
    const char *between = "";
    for (unsigned n = 0; n < SCH_VIRGL_LOSSES; n++) {
        const uint64_t count = losses->counts[n];
        if (!count) continue;
        add(line, "%s%" PRIu64 " %s", between, count, sch_virgl_loss_name((enum sch_virgl_loss)n, count));
        between = ", ";
    }
}

/* A client may have chosen parts of the reason: none of it moves the cursor of a terminal. */
static void add_reason(struct line *line, const char *reason)
{
    if (!*reason) return;
    add(line, "; the first: ");
    for (; *reason; reason++) add(line, "%c", *reason < ' ' || *reason > '~' ? '?' : *reason);
}

static void add_advice(struct line *line, uint32_t why, unsigned advice)
{
    const bool server = advice & SCH_CLI_ADVICE_SERVER;
    const char *memory =
        server ? "--memory MIB gives each client more memory" : "--limit context_memory=N gives it more memory";
    const struct {
        bool given;
        const char *text;
    } rows[] = {
        {why & SCH_VIRGL_WHY_DEADLINE, "--deadline MS gives draws and copies more time"},
        {why & SCH_VIRGL_WHY_LATE, "--engine auto draws while machine code is compiled, --deadline MS gives more time"},
        {why & SCH_VIRGL_WHY_MEMORY, memory},
        {server && why & SCH_VIRGL_WHY_TIME, "--time SECONDS gives each client more processor time"},
        {server && why & SCH_VIRGL_WHY_SILENT, "--first-message SECONDS gives each client more time to begin"},
        {why & SCH_VIRGL_WHY_CODE, "--engine auto draws without machine code, too"},
        {why & SCH_VIRGL_WHY_MIXED,
         "it may be that the program draws on several threads, whose messages Mesa's virpipe "
         "mixes (docs/opengl.md, \"Threads\")"},
        {advice & SCH_CLI_ADVICE_VERBOSE, "-v prints all"},
    };
    const char *between = ". ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].given) continue;
        add(line, "%s%s", between, rows[i].text);
        between = "; ";
    }
}

enum sch_cli_exit sch_cli_losses_report(const struct sch_cli_verb *verb, const struct sch_virgl_losses *losses,
                                        unsigned advice)
{
    struct line line = {.used = 0};
    if (!sch_virgl_losses_any(losses)) return SCH_CLI_YES;
    add(&line, "lost: ");
    add_counts(&line, losses);
    add_reason(&line, losses->first);
    add_advice(&line, losses->why, advice);
    fprintf(stderr, "scheelite %s: %s\n", verb->name, line.text);
    return SCH_CLI_LIMIT;
}

void sch_cli_put_counts(struct sch_json *json, const struct sch_virgl_counts *counts, const char *refused,
                        uint64_t compiled, uint64_t from_cache)
{
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("frames", counts->frames), SCH_JSON_NUMBER("submits", counts->submits),
                    SCH_JSON_NUMBER("commands", counts->commands), SCH_JSON_NUMBER(refused, counts->refused),
                    SCH_JSON_NUMBER("draws", counts->draws), SCH_JSON_NUMBER("clears", counts->clears),
                    SCH_JSON_NUMBER("grids", counts->grids), SCH_JSON_NUMBER("shaders", counts->shaders),
                    SCH_JSON_NUMBER("transfers", counts->transfers), SCH_JSON_NUMBER("reads", counts->reads),
                    SCH_JSON_NUMBER("compiled", compiled), SCH_JSON_NUMBER("from_cache", from_cache));
}
