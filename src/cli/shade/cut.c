/* What is left of a shader is put together of its text, line by line. */
#include "both_engines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REGISTERS = 4096 };
struct cut {
    struct sch_context *context;
    sch_cli_differ_fn *differ;
    void *user;
    char *text;     /* the printed shader */
    size_t *starts; /* of its instructions */
    size_t head;    /* bytes before the first instruction */
    uint32_t line_count;
    uint32_t temps[MOST_REGISTERS], outputs[MOST_REGISTERS]; /* declared registers */
    uint32_t temp_count, output_count;
    struct sch_construct_info *constructs;
    size_t construct_count;
    char *made; /* room for a shader that is cut */
};

/* ---- what is cut ---- */

static void list_registers(const struct sch_declaration_info *at, uint32_t *list, uint32_t *count)
{
    for (uint32_t n = at->first; n <= at->last && *count < MOST_REGISTERS; n++) list[(*count)++] = n;
}

/* Counts instructions up to END; false: it cannot be reduced. Subroutines after END would be lost. */
static bool list_pieces(struct cut *r, const struct sch_shader *shader)
{
    struct sch_declaration_info at = {.size = sizeof at};
    struct sch_instruction_info in = {.size = sizeof in};
    for (uint32_t n = 0; sch_shader_declaration(shader, n, &at); n++) {
        if (at.file == SCH_FILE_TEMPORARY) list_registers(&at, r->temps, &r->temp_count);
        if (at.file == SCH_FILE_OUTPUT && !at.per_vertex) list_registers(&at, r->outputs, &r->output_count);
    }
    for (; sch_shader_instruction(shader, r->line_count, &in) && strcmp(in.name, "END") != 0; r->line_count++)
        if (strcmp(in.name, "CAL") == 0) return false;
    return r->line_count > 0;
}

static bool print_cut(struct cut *r, const struct sch_shader *shader, size_t *bytes)
{
    r->starts = calloc(r->line_count, sizeof *r->starts);
    const struct sch_print_options exact = {
        .size = sizeof exact, .floats = SCH_FLOAT_TEXT_HEX, .starts = r->starts, .start_capacity = r->line_count};
    if (!r->starts || sch_shader_print(shader, &exact, &r->text, bytes) != SCH_OK) return false;
    for (r->head = r->starts[0]; r->text[r->head - 1] != '\n';) r->head--; /* its number is before it */
    return true;
}

static bool list_constructs(struct cut *r, const struct sch_shader *shader)
{
    if (sch_shader_constructs(shader, NULL, 0, 0, &r->construct_count) != SCH_OK) return false;
    r->constructs = calloc(r->construct_count + 1, sizeof *r->constructs);
    return r->constructs && sch_shader_constructs(shader, r->constructs, sizeof *r->constructs, r->construct_count,
                                                  &r->construct_count) == SCH_OK;
}

/* Whether there is a subroutine before END. */
static bool has_subroutine(const struct cut *r)
{
    for (size_t c = 0; c < r->construct_count; c++)
        if (r->constructs[c].kind == SCH_CONSTRUCT_SUB && r->constructs[c].opener < r->line_count) return true;
    return false;
}

/* ---- shaders that are cut ---- */

/* An instruction without its indentation; `*length` is that of its line. */
static const char *line_of(const struct cut *r, uint32_t n, size_t *length)
{
    const char *line = r->text + r->starts[n] + strspn(r->text + r->starts[n], " ");
    *length = strcspn(line, "\n");
    return line;
}

/* The shader up to its first `count` instructions; `shown`: from which temporary on they go to outputs, or
 * UINT32_MAX for none. */
static void keep_first(struct cut *r, uint32_t count, uint32_t shown)
{
    static const char *const ends[] = {"ENDIF\n", "BRK\nENDLOOP\n", "ENDSWITCH\n"};
    char *to = r->made;
    memcpy(to, r->text, r->head);
    to += r->head;
    for (uint32_t n = 0; n < count; n++) {
        size_t length;
        const char *line = line_of(r, n, &length);
        to = stpcpy(mempcpy(to, line, length), "\n");
    }
    for (size_t c = r->construct_count; c-- > 0;) {
        const struct sch_construct_info *construct = &r->constructs[c];
        if (construct->opener < count && construct->end >= count) to = stpcpy(to, ends[construct->kind]);
    }
    for (uint32_t o = 0; o < r->output_count && shown != UINT32_MAX && shown + o < r->temp_count; o++)
        to += sprintf(to, "MOV OUT[%u], TEMP[%u]\n", r->outputs[o], r->temps[shown + o]);
    strcpy(to, "END\n");
}

static bool differs_shown(struct cut *r, uint32_t count, uint32_t shown)
{
    struct sch_shader *shader = NULL;
    keep_first(r, count, shown);
    bool differ = sch_shader_read(r->context, r->made, strlen(r->made), NULL, NULL, &shader) == SCH_OK &&
                  r->differ(r->user, shader);
    sch_shader_destroy(shader);
    return differ;
}

static bool differs(struct cut *r, uint32_t count)
{
    if (differs_shown(r, count, UINT32_MAX)) return true;
    for (uint32_t shown = 0; r->output_count && shown < r->temp_count; shown += r->output_count)
        if (differs_shown(r, count, shown)) return true;
    return false;
}

static char *search(struct cut *r)
{
    uint32_t low = 0, high = r->line_count; /* agrees at `low`, differs at `high` */
    if (!differs(r, high)) return NULL;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (differs(r, middle))
            high = middle;
        else
            low = middle;
    }
    size_t length;
    const char *last = line_of(r, high - 1, &length);
    char *line;
    return asprintf(&line, "%u: %.*s", high - 1, (int)length, last) < 0 ? NULL : line;
}

char *sch_cli_cut(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ, void *user)
{
    char *line = NULL;
    size_t bytes;
    struct cut *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->context = context;
    r->differ = differ;
    r->user = user;
    enum { MOST_MOV = 48, MOST_END = 16 }; /* beside the whole shader a MOV to each output, the end of each construct */
    if (list_pieces(r, shader) && list_constructs(r, shader) && print_cut(r, shader, &bytes) && !has_subroutine(r))
        r->made = malloc(bytes + MOST_REGISTERS * MOST_MOV + r->construct_count * MOST_END);
    if (r->made) line = search(r);
    free(r->made);
    sch_free(context, r->text);
    free(r->constructs);
    free(r->starts);
    free(r);
    return line;
}
