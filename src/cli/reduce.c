/* Reducing works on the shader's text, as the library prints it: declarations, then one numbered line an instruction. */
#include "reduce.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1 << 18, MOST_NESTING = 1024, MOST_REGISTERS = 4096 };
/* Bytes that a reduced shader may have beside those of the whole one: a MOV to each output, the end of each construct. */
enum { MORE_BYTES = MOST_REGISTERS * 48 + MOST_NESTING * 16 };

struct reduction {
    struct sch_context *context;
    sch_cli_differ_fn *differ;
    void *user;
    char *text;   /* the printed shader; a zero stands for each line end */
    char **lines; /* of instructions, without their numbers */
    size_t head;  /* bytes before the first instruction */
    uint32_t line_count;
    uint32_t temps[MOST_REGISTERS], outputs[MOST_REGISTERS]; /* declared registers */
    uint32_t temp_count, output_count;
    char *made; /* room for a reduced shader */
};

/* ---- what the text says ---- */

static const struct {
    const char *opens, *closes, *ends; /* `ends`: what closes it where the shader ends inside of it */
} constructs[] = {{"IF", "ENDIF", "ENDIF\n"},
                  {"UIF", "ENDIF", "ENDIF\n"},
                  {"BGNLOOP", "ENDLOOP", "BRK\nENDLOOP\n"},
                  {"SWITCH", "ENDSWITCH", "ENDSWITCH\n"}};
enum { CONSTRUCTS = sizeof constructs / sizeof *constructs };

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

/* Splits the text; false: it cannot be reduced. Subroutines stand behind END and would be lost. */
static bool split(struct reduction *r)
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
        if (is_word(word, "CAL") || is_word(word, "BGNSUB")) return false;
        if (is_word(word, "END")) break;
        r->lines[r->line_count++] = word;
    }
    for (size_t i = 0; i < r->head; i++)
        if (!r->text[i]) r->text[i] = '\n';
    return r->line_count > 0;
}

/* ---- reduced shaders ---- */

static char *put(char *to, const char *text) { return stpcpy(to, text); }

/* The shader up to its first `count` instructions; `shown`: from which temporary on they go to outputs, or
 * UINT32_MAX for none. */
static void reduce(struct reduction *r, uint32_t count, uint32_t shown)
{
    uint8_t open[MOST_NESTING];
    unsigned depth = 0;
    char *to = r->made;
    memcpy(to, r->text, r->head);
    to += r->head;
    for (uint32_t n = 0; n < count; n++) {
        for (unsigned c = 0; c < CONSTRUCTS; c++) {
            if (is_word(r->lines[n], constructs[c].opens) && depth < MOST_NESTING) open[depth++] = (uint8_t)c;
            if (is_word(r->lines[n], constructs[c].closes) && depth) {
                depth--;
                break; /* two constructs have the same end */
            }
        }
        to = put(put(to, r->lines[n]), "\n");
    }
    while (depth) to = put(to, constructs[open[--depth]].ends);
    for (uint32_t o = 0; o < r->output_count && shown != UINT32_MAX && shown + o < r->temp_count; o++)
        to += sprintf(to, "MOV OUT[%u], TEMP[%u]\n", r->outputs[o], r->temps[shown + o]);
    put(to, "END\n");
}

static bool differs_shown(struct reduction *r, uint32_t count, uint32_t shown)
{
    struct sch_shader *shader = NULL;
    reduce(r, count, shown);
    bool differ = sch_shader_read(r->context, r->made, strlen(r->made), NULL, NULL, &shader) == SCH_OK &&
                  r->differ(r->user, shader);
    sch_shader_destroy(shader);
    return differ;
}

static bool differs(struct reduction *r, uint32_t count)
{
    if (differs_shown(r, count, UINT32_MAX)) return true;
    for (uint32_t shown = 0; r->output_count && shown < r->temp_count; shown += r->output_count)
        if (differs_shown(r, count, shown)) return true;
    return false;
}

static char *search(struct reduction *r)
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

char *sch_cli_reduce(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ,
                     void *user)
{
    char *line = NULL;
    size_t bytes;
    struct reduction *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->context = context;
    r->differ = differ;
    r->user = user;
    r->lines = calloc(MOST_LINES, sizeof *r->lines);
    const struct sch_print_options exact = {.size = sizeof exact, .floats = SCH_FLOAT_TEXT_HEX};
    if (r->lines && sch_shader_print(shader, &exact, &r->text, &bytes) == SCH_OK) r->made = malloc(bytes + MORE_BYTES);
    if (r->made && split(r)) line = search(r);
    free(r->made);
    sch_free(context, r->text);
    free(r->lines);
    free(r);
    return line;
}
