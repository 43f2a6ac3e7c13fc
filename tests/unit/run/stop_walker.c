/* See stop_walker.h. */
#include "stop_walker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 32, MOST_LINES = 8192, TEMPS = 8, IMMEDIATES = 4 };

struct line {
    char op[16];
    char operand[3][32];
    uint32_t operands;
};

struct walker {
    struct line *lines;
    uint32_t count;
    uint32_t immediates[IMMEDIATES][4], immediate_count;
    uint32_t temps[TEMPS][LANES];
    uint32_t broken, continued, returned, ended; /* lanes that wait for the end of a construct, or are gone */
    uint32_t segment;
    struct walk *to;
};

/* ---- reading ---- */

static bool is_head(const char *line)
{
    static const char *const heads[] = {"VERT", "FRAG", "COMP", "GEOM", "TESS_", "DCL", "PROPERTY", "IMM["};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(line, heads[i], strlen(heads[i])) == 0) return true;
    return false;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

uint32_t walk_first_line(const char *text)
{
    uint32_t number = 1;
    for (; is_head(text); text = next_line(text)) number++;
    return number;
}

static void read_line(const char *text, struct line *line)
{
    char copy[128];
    size_t bytes = strcspn(text, "\n");
    assert_true(bytes < sizeof copy);
    memcpy(copy, text, bytes);
    copy[bytes] = 0;
    char *rest, *word = strtok_r(copy, " ", &rest);
    snprintf(line->op, sizeof line->op, "%s", word);
    while ((word = strtok_r(NULL, " ,", &rest)) && line->operands < 3)
        snprintf(line->operand[line->operands++], sizeof line->operand[0], "%s", word);
}

static void read_text(const char *text, struct walker *w)
{
    for (; is_head(text); text = next_line(text)) {
        uint32_t *to = w->immediates[w->immediate_count];
        if (strncmp(text, "IMM[", 4) != 0) continue;
        assert_true(w->immediate_count++ < IMMEDIATES);
        const char *values = strstr(text, "UINT32 {");
        assert_non_null(values);
        assert_int_equal(sscanf(values, "UINT32 {%u, %u, %u, %u}", to, to + 1, to + 2, to + 3), 4);
    }
    for (; *text; text = next_line(text)) {
        assert_true(w->count < MOST_LINES);
        read_line(text, &w->lines[w->count++]);
    }
}

/* ---- values ---- */

static uint32_t value(const struct walker *w, const char *operand, uint32_t lane)
{
    unsigned number;
    char component;
    if (sscanf(operand, "TEMP[%u].%c", &number, &component) == 2) return w->temps[number % TEMPS][lane];
    if (sscanf(operand, "IMM[%u].%c", &number, &component) == 2)
        return w->immediates[number % IMMEDIATES][component == 'w' ? 3 : component - 'x'];
    assert_memory_equal(operand, "SV[0]", 5);
    return lane;
}

static void compute(struct walker *w, const struct line *line, uint32_t mask)
{
    unsigned to;
    bool known = strcmp(line->op, "MOV") == 0 || strcmp(line->op, "UADD") == 0 || strcmp(line->op, "AND") == 0 ||
                 strcmp(line->op, "USGE") == 0 || strcmp(line->op, "USLT") == 0 || strcmp(line->op, "USEQ") == 0;
    if (!known || sscanf(line->operand[0], "TEMP[%u].x", &to) != 1) return;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t a, b;
        if (!(mask >> lane & 1)) continue;
        a = value(w, line->operand[1], lane);
        b = line->operands > 2 ? value(w, line->operand[2], lane) : 0;
        uint32_t *result = &w->temps[to % TEMPS][lane];
        if (line->op[0] == 'M') *result = a;
        if (line->op[0] == 'A') *result = a & b;
        if (line->op[1] == 'A') *result = a + b;
        if (strcmp(line->op, "USGE") == 0) *result = a >= b ? UINT32_MAX : 0;
        if (strcmp(line->op, "USLT") == 0) *result = a < b ? UINT32_MAX : 0;
        if (strcmp(line->op, "USEQ") == 0) *result = a == b ? UINT32_MAX : 0;
    }
}

/* Lanes of `mask` in which the operand is not zero. */
static uint32_t lanes_where(const struct walker *w, const char *operand, uint32_t mask)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1 && value(w, operand, lane)) lanes |= 1u << lane;
    return lanes;
}

static uint32_t lanes_equal(const struct walker *w, const char *operand, uint32_t mask, uint32_t number)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1 && value(w, operand, lane) == number) lanes |= 1u << lane;
    return lanes;
}

/* ---- walking ---- */

static bool is(const struct walker *w, uint32_t n, const char *op) { return strcmp(w->lines[n].op, op) == 0; }

static bool opens(const struct walker *w, uint32_t n)
{
    return is(w, n, "IF") || is(w, n, "UIF") || is(w, n, "BGNLOOP") || is(w, n, "SWITCH") || is(w, n, "BGNSUB");
}

static bool closes(const struct walker *w, uint32_t n)
{
    return is(w, n, "ENDIF") || is(w, n, "ENDLOOP") || is(w, n, "ENDSWITCH") || is(w, n, "ENDSUB");
}

static bool divides(const struct walker *w, uint32_t n)
{
    return is(w, n, "ELSE") || is(w, n, "CASE") || is(w, n, "DEFAULT");
}

/* The next ELSE, label or end of the construct that `n` opens or divides. */
static uint32_t next_part(const struct walker *w, uint32_t n)
{
    uint32_t depth = 0;
    for (n++; n < w->count; n++) {
        if (!depth && (closes(w, n) || divides(w, n))) return n;
        depth += opens(w, n);
        depth -= closes(w, n);
    }
    fail_msg("line %u of the text is not closed", n);
    return n;
}

static void take_step(struct walker *w, uint32_t n, uint32_t mask)
{
    assert_true(w->to->count < WALK_STEPS);
    w->to->steps[w->to->count++] =
        (struct walk_step){.instruction = n, .lane = mask ? (uint32_t)__builtin_ctz(mask) : 0, .segment = w->segment};
}

static uint32_t walk(struct walker *w, uint32_t from, uint32_t to, uint32_t mask);

static uint32_t walk_if(struct walker *w, uint32_t n, uint32_t mask, uint32_t *end)
{
    uint32_t chosen = lanes_where(w, w->lines[n].operand[0], mask), part = next_part(w, n), through;
    take_step(w, n, mask);
    through = walk(w, n + 1, part, chosen);
    take_step(w, part, through);
    *end = part;
    if (is(w, part, "ENDIF")) return (through | (mask & ~chosen)) & ~w->ended;
    *end = next_part(w, part);
    uint32_t others = walk(w, part + 1, *end, mask & ~chosen & ~w->ended);
    take_step(w, *end, others);
    return (through | others) & ~w->ended;
}

static uint32_t walk_loop(struct walker *w, uint32_t n, uint32_t mask, uint32_t *end)
{
    uint32_t broken = w->broken, continued = w->continued, out = 0;
    *end = next_part(w, n);
    take_step(w, n, mask);
    while (mask) {
        w->broken = w->continued = 0;
        uint32_t through = walk(w, n + 1, *end, mask);
        take_step(w, *end, through);
        mask = (through | w->continued) & ~w->ended;
        out |= w->broken;
    }
    w->broken = broken;
    w->continued = continued;
    return out & ~w->ended;
}

static uint32_t walk_switch(struct walker *w, uint32_t n, uint32_t mask, uint32_t *end)
{
    const char *what = w->lines[n].operand[0];
    uint32_t broken = w->broken, waiting = mask, fallback = mask, running = 0, values[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) values[lane] = mask >> lane & 1 ? value(w, what, lane) : 0;
    for (uint32_t part = next_part(w, n); !is(w, part, "ENDSWITCH"); part = next_part(w, part))
        if (is(w, part, "CASE")) fallback &= ~lanes_equal(w, what, mask, value(w, w->lines[part].operand[0], 0));
    take_step(w, n, mask);
    w->broken = 0;
    *end = next_part(w, n);
    while (!is(w, *end, "ENDSWITCH")) {
        uint32_t chosen = 0, word = is(w, *end, "CASE") ? value(w, w->lines[*end].operand[0], 0) : 0;
        for (uint32_t lane = 0; lane < LANES && is(w, *end, "CASE"); lane++)
            if (values[lane] == word) chosen |= 1u << lane;
        if (is(w, *end, "DEFAULT")) chosen = fallback;
        chosen &= waiting & ~w->ended;
        take_step(w, *end, running);
        waiting &= ~chosen;
        running |= chosen;
        uint32_t part = next_part(w, *end);
        running = walk(w, *end + 1, part, running);
        *end = part;
    }
    take_step(w, *end, running);
    mask = (running | w->broken | waiting) & ~w->ended & ~w->returned & ~w->continued;
    w->broken = broken;
    return mask;
}

static uint32_t walk_call(struct walker *w, uint32_t n, uint32_t mask)
{
    uint32_t returned = w->returned, sub = (uint32_t)strtoul(w->lines[n].operand[0] + 1, NULL, 10);
    assert_true(is(w, sub, "BGNSUB"));
    uint32_t end = next_part(w, sub);
    take_step(w, n, mask);
    w->returned = 0;
    uint32_t through = walk(w, sub + 1, end, mask);
    take_step(w, end, through);
    mask = (through | w->returned) & ~w->ended;
    w->returned = returned;
    return mask;
}

/* What leaves: the lanes go nowhere from here. */
static bool walk_leaving(struct walker *w, uint32_t n, uint32_t mask)
{
    uint32_t *to = is(w, n, "BRK")    ? &w->broken
                   : is(w, n, "CONT") ? &w->continued
                   : is(w, n, "RET")  ? &w->returned
                   : is(w, n, "END")  ? &w->ended
                   : is(w, n, "KILL") ? &w->ended
                                      : NULL;
    if (!to) return false;
    take_step(w, n, mask);
    *to |= mask;
    return true;
}

/* Statements from `from` on up to `to`, while some lane is there; the lanes that come to `to`. */
static uint32_t walk(struct walker *w, uint32_t from, uint32_t to, uint32_t mask)
{
    for (uint32_t n = from; n < to && mask; n++) {
        if (is(w, n, "IF") || is(w, n, "UIF")) {
            mask = walk_if(w, n, mask, &n);
        } else if (is(w, n, "BGNLOOP")) {
            mask = walk_loop(w, n, mask, &n);
        } else if (is(w, n, "SWITCH")) {
            mask = walk_switch(w, n, mask, &n);
        } else if (is(w, n, "CAL")) {
            mask = walk_call(w, n, mask);
        } else if (is(w, n, "BGNSUB")) {
            take_step(w, n, mask);
            n = next_part(w, n);
        } else if (walk_leaving(w, n, mask)) {
            return 0;
        } else {
            take_step(w, n, mask);
            compute(w, &w->lines[n], mask);
            w->segment += is(w, n, "BARRIER");
        }
    }
    return mask;
}

void walk_group(const char *text, uint32_t lanes, struct walk *to)
{
    struct walker *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->lines = calloc(MOST_LINES, sizeof *w->lines);
    assert_non_null(w->lines);
    w->to = to;
    to->count = 0;
    read_text(text, w);
    uint32_t last = w->count - 1; /* END */
    uint32_t mask = walk(w, 0, last, lanes == LANES ? UINT32_MAX : (1u << lanes) - 1);
    take_step(w, mask ? last : w->count, mask); /* the END behind the last instruction */
    free(w->lines);
    free(w);
}
