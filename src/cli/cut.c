/* Cutting works on the shader's text, as the library prints it: declarations, then one numbered line an instruction. */
#include "cut.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1 << 18, MOST_NESTING = 1024, MOST_REGISTERS = 4096 };
/* Bytes that a cut shader may have beside those of the whole one: a MOV to each output, the end of each construct. */
enum { MORE_BYTES = MOST_REGISTERS * 48 + MOST_NESTING * 16 };

struct cutter {
    struct sch_context *context;
    sch_cli_differ_fn *differ;
    void *user;
    char *text;   /* the printed shader; a zero stands for each line end */
    char **lines; /* of instructions, without their numbers */
    size_t head;  /* bytes before the first instruction */
    uint32_t line_count;
    uint32_t temps[MOST_REGISTERS], outputs[MOST_REGISTERS]; /* declared registers */
    uint32_t temp_count, output_count;
    char *made; /* room for a cut shader */
};

/* ---- what the text says ---- */

static const struct {
    const char *opens, *closes, *ends; /* `ends`: what closes it where it was cut */
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
    for (unsigned long r = first; r <= last && *end == ']' && *count < MOST_REGISTERS; r++)
        list[(*count)++] = (uint32_t)r;
}

/* Splits the text; false: it is no text that can be cut. Subroutines stand behind END and would be cut off. */
static bool split(struct cutter *cutter)
{
    char *at = cutter->text;
    for (char *line = at; *line && cutter->line_count < MOST_LINES; line = at) {
        at += strcspn(line, "\n");
        *at++ = 0; /* the last line has an end, too */
        char *word = line + strspn(line, " 0123456789:");
        bool numbered = memchr(line, ':', (size_t)(word - line)) != NULL;
        list_registers(line, "DCL TEMP[", cutter->temps, &cutter->temp_count);
        list_registers(line, "DCL OUT[", cutter->outputs, &cutter->output_count);
        if (!numbered) continue;
        if (!cutter->line_count) cutter->head = (size_t)(line - cutter->text);
        if (is_word(word, "CAL") || is_word(word, "BGNSUB")) return false;
        if (is_word(word, "END")) break;
        cutter->lines[cutter->line_count++] = word;
    }
    for (size_t i = 0; i < cutter->head; i++)
        if (!cutter->text[i]) cutter->text[i] = '\n';
    return cutter->line_count > 0;
}

/* ---- cut shaders ---- */

static char *put(char *to, const char *text) { return stpcpy(to, text); }

/* The shader up to its first `count` instructions; `shown`: from which temporary on they go to outputs, or
 * UINT32_MAX for none. */
static void cut(struct cutter *cutter, uint32_t count, uint32_t shown)
{
    uint8_t open[MOST_NESTING];
    unsigned depth = 0;
    char *to = cutter->made;
    memcpy(to, cutter->text, cutter->head);
    to += cutter->head;
    for (uint32_t n = 0; n < count; n++) {
        for (unsigned c = 0; c < CONSTRUCTS; c++) {
            if (is_word(cutter->lines[n], constructs[c].opens) && depth < MOST_NESTING) open[depth++] = (uint8_t)c;
            if (is_word(cutter->lines[n], constructs[c].closes) && depth) {
                depth--;
                break; /* two constructs have the same end */
            }
        }
        to = put(put(to, cutter->lines[n]), "\n");
    }
    while (depth) to = put(to, constructs[open[--depth]].ends);
    for (uint32_t o = 0; o < cutter->output_count && shown != UINT32_MAX && shown + o < cutter->temp_count; o++)
        to += sprintf(to, "MOV OUT[%u], TEMP[%u]\n", cutter->outputs[o], cutter->temps[shown + o]);
    put(to, "END\n");
}

static bool differs_shown(struct cutter *cutter, uint32_t count, uint32_t shown)
{
    struct sch_shader *shader = NULL;
    cut(cutter, count, shown);
    bool differ = sch_shader_read(cutter->context, cutter->made, strlen(cutter->made), NULL, NULL, &shader) == SCH_OK &&
                  cutter->differ(cutter->user, shader);
    sch_shader_destroy(shader);
    return differ;
}

static bool differs(struct cutter *cutter, uint32_t count)
{
    if (differs_shown(cutter, count, UINT32_MAX)) return true;
    for (uint32_t shown = 0; cutter->output_count && shown < cutter->temp_count; shown += cutter->output_count)
        if (differs_shown(cutter, count, shown)) return true;
    return false;
}

static char *search(struct cutter *cutter)
{
    uint32_t low = 0, high = cutter->line_count; /* agrees at `low`, differs at `high` */
    if (!differs(cutter, high)) return NULL;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (differs(cutter, middle))
            high = middle;
        else
            low = middle;
    }
    char *line;
    return asprintf(&line, "%u: %s", high - 1, cutter->lines[high - 1]) < 0 ? NULL : line;
}

char *sch_cli_cut_find(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ,
                       void *user)
{
    char *line = NULL;
    size_t bytes;
    struct cutter *cutter = calloc(1, sizeof *cutter);
    if (!cutter) return NULL;
    cutter->context = context;
    cutter->differ = differ;
    cutter->user = user;
    cutter->lines = calloc(MOST_LINES, sizeof *cutter->lines);
    const struct sch_print_options exact = {.size = sizeof exact, .floats = SCH_FLOAT_TEXT_HEX};
    if (cutter->lines && sch_shader_print(shader, &exact, &cutter->text, &bytes) == SCH_OK)
        cutter->made = malloc(bytes + MORE_BYTES);
    if (cutter->made && split(cutter)) line = search(cutter);
    free(cutter->made);
    sch_free(context, cutter->text);
    free(cutter->lines);
    free(cutter);
    return line;
}
