/* Cutting works on the shader's text, as the library prints it: declarations, then one numbered line an
 * instruction. */
#include "cut.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1 << 18, MOST_REGISTERS = 4096 };
struct cut {
    struct sch_context *context;
    sch_cli_differ_fn *differ;
    void *user;
    char *text;   /* the printed shader; a zero stands for each line end */
    char **lines; /* of instructions, without their numbers */
    size_t head;  /* bytes before the first instruction */
    uint32_t line_count;
    uint32_t temps[MOST_REGISTERS], outputs[MOST_REGISTERS]; /* declared registers */
    uint32_t temp_count, output_count;
    struct sch_construct_info *constructs;
    size_t construct_count;
    char *made; /* room for a shader that is cut */
};

/* ---- what the text says ---- */

static bool is_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == 0 || line[length] == ' ' || line[length] == ':');
}

/* "DCL TEMP[3..5], LOCAL": the registers behind the file's name. */
static void list_registers(const char *line, const char *file, uint32_t *list, uint32_t *count)
{
    size_t length = strlen(file);
    if (strncmp(line, file, length) != 0) return;
    char *end;
    unsigned long first = strtoul(line + length, &end, 10), last = first;
    if (strncmp(end, "..", 2) == 0) last = strtoul(end + 2, &end, 10);
    for (unsigned long n = first; n <= last && *end == ']' && *count < MOST_REGISTERS; n++)
        list[(*count)++] = (uint32_t)n;
}

/* Splits the text; false: it cannot be reduced. Subroutines that stand behind END would be lost. */
static bool split(struct cut *r)
{
    char *at = r->text;
    for (char *line = at; *line && r->line_count < MOST_LINES; line = at) {
        at += strcspn(line, "\n");
        *at++ = 0; /* the last line has an end, too */
        char *word = line + strspn(line, " 0123456789:");
        bool numbered = memchr(line, ':', (size_t)(word - line)) != NULL;
        list_registers(line, "DCL TEMP[", r->temps, &r->temp_count);
        list_registers(line, "DCL OUT[", r->outputs, &r->output_count);
        if (!numbered) continue;
        if (!r->line_count) r->head = (size_t)(line - r->text);
        if (is_word(word, "CAL")) return false;
        if (is_word(word, "END")) break;
        r->lines[r->line_count++] = word;
    }
    for (size_t i = 0; i < r->head; i++)
        if (!r->text[i]) r->text[i] = '\n';
    return r->line_count > 0;
}

static bool list_constructs(struct cut *r, const struct sch_shader *shader)
{
    if (sch_shader_constructs(shader, NULL, 0, 0, &r->construct_count) != SCH_OK) return false;
    r->constructs = calloc(r->construct_count + 1, sizeof *r->constructs);
    return r->constructs && sch_shader_constructs(shader, r->constructs, sizeof *r->constructs, r->construct_count,
                                                  &r->construct_count) == SCH_OK;
}

/* Whether a subroutine stands before END. */
static bool has_subroutine(const struct cut *r)
{
    for (size_t c = 0; c < r->construct_count; c++)
        if (r->constructs[c].kind == SCH_CONSTRUCT_SUB && r->constructs[c].opener < r->line_count) return true;
    return false;
}

/* ---- shaders that are cut ---- */

static char *put(char *to, const char *text) { return stpcpy(to, text); }

/* The shader up to its first `count` instructions; `shown`: from which temporary on they go to outputs, or
 * UINT32_MAX for none. */
static void keep_first(struct cut *r, uint32_t count, uint32_t shown)
{
    static const char *const ends[] = {"ENDIF\n", "BRK\nENDLOOP\n", "ENDSWITCH\n"};
    char *to = r->made;
    memcpy(to, r->text, r->head);
    to += r->head;
    for (uint32_t n = 0; n < count; n++) to = put(put(to, r->lines[n]), "\n");
    for (size_t c = r->construct_count; c-- > 0;) {
        const struct sch_construct_info *construct = &r->constructs[c];
        if (construct->opener < count && construct->end >= count) to = put(to, ends[construct->kind]);
    }
    for (uint32_t o = 0; o < r->output_count && shown != UINT32_MAX && shown + o < r->temp_count; o++)
        to += sprintf(to, "MOV OUT[%u], TEMP[%u]\n", r->outputs[o], r->temps[shown + o]);
    put(to, "END\n");
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
    char *line;
    return asprintf(&line, "%u: %s", high - 1, r->lines[high - 1]) < 0 ? NULL : line;
}

/* Room for a shader that is cut: beside the whole one a MOV to each output, the end of each construct. */
static bool make_room(struct cut *r, size_t bytes)
{
    enum { MOST_MOV = 48, MOST_END = 16 };
    r->made = malloc(bytes + MOST_REGISTERS * MOST_MOV + r->construct_count * MOST_END);
    return r->made != NULL;
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
    r->lines = calloc(MOST_LINES, sizeof *r->lines);
    const struct sch_print_options exact = {.size = sizeof exact, .floats = SCH_FLOAT_TEXT_HEX};
    bool good = r->lines && list_constructs(r, shader) && sch_shader_print(shader, &exact, &r->text, &bytes) == SCH_OK;
    good = good && make_room(r, bytes) && split(r) && !has_subroutine(r);
    if (good) line = search(r);
    free(r->made);
    sch_free(context, r->text);
    free(r->constructs);
    free(r->lines);
    free(r);
    return line;
}
