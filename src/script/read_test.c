/* The lines of [test]: what is set, drawn, dispatched, copied, cleared and probed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { MOST_GROUPS = 1 << 22 }; /* of a dispatch */

/* ---- uniform ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum sch_script_number number;
    unsigned words; /* of a component */
} uniform_types[] = {{"float", SCH_SCRIPT_FLOAT, 1}, {"int64_t", SCH_SCRIPT_SINT, 2},
                     {"int", SCH_SCRIPT_SINT, 1},    {"uint64_t", SCH_SCRIPT_UINT, 2},
                     {"uint", SCH_SCRIPT_UINT, 1},   {"double", SCH_SCRIPT_FLOAT, 2}};

/* TYPE or TYPE1 to TYPE4; the row of the type, or -1. */
static int read_type(struct sch_script_text *text, unsigned *count)
{
    for (size_t i = 0; i < sizeof uniform_types / sizeof *uniform_types; i++) {
        for (*count = 0; *count <= 4; ++*count) {
            char name[16];
            if (*count)
                snprintf(name, sizeof name, "%s%u", uniform_types[i].name, *count);
            else
                snprintf(name, sizeof name, "%s", uniform_types[i].name);
            if (!sch_cursor_words(&text->cursor, name)) continue;
            if (!*count) *count = 1;
            return (int)i;
        }
    }
    return -1;
}

static void read_uniform(struct sch_script_text *text, struct sch_script_item *item)
{
    unsigned count;
    item->kind = SCH_SCRIPT_ITEM_UNIFORM;
    if (sch_cursor_words(&text->cursor, "cb ") &&
        !sch_script_uint(text, SCH_SCRIPT_CONSTANTS - 1, &item->uniform.buffer)) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "constant buffers are 0 to %d", SCH_SCRIPT_CONSTANTS - 1);
        return;
    }
    if (!sch_script_uint(text, SCH_SCRIPT_UNIFORMS - 8, &item->uniform.offset)) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "uniforms begin at word 0 to %d", SCH_SCRIPT_UNIFORMS - 8);
        return;
    }
    int type = read_type(text, &count);
    if (type < 0) {
        sch_script_refuse(text, "SCRIPT_LINE",
                          "no type of a uniform: float, int, uint, double, int64_t, uint64_t, "
                          "with 1 to 4 components");
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint64_t wide = 0;
        uint32_t *word = &item->uniform.words[item->uniform.count];
        bool good = uniform_types[type].words == 1 ? sch_script_word32(text, uniform_types[type].number, word)
                                                   : sch_script_word64(text, uniform_types[type].number, &wide);
        bool left_out = !good && i > 0 && sch_script_at_end(text); /* zeros */
        if (!good && !left_out) {
            sch_script_refuse(text, "SCRIPT_NUMBER", "%u values of type %s follow", count, uniform_types[type].name);
            return;
        }
        if (uniform_types[type].words == 2) {
            word[0] = (uint32_t)wide;
            word[1] = (uint32_t)(wide >> 32);
        }
        item->uniform.count += uniform_types[type].words;
    }
    uint32_t surplus; /* real scripts have such; it is not read */
    while (!sch_script_at_end(text) && sch_script_word32(text, SCH_SCRIPT_FLOAT, &surplus)) continue;
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    enum sch_script_type type;
    enum sch_script_number number;
    bool wide;
} probe_types[] = {{"rgba", SCH_SCRIPT_RGBA, SCH_SCRIPT_FLOAT, false}, {"f32", SCH_SCRIPT_F32, SCH_SCRIPT_FLOAT, false},
                   {"u32", SCH_SCRIPT_U32, SCH_SCRIPT_UINT, false},    {"i32", SCH_SCRIPT_I32, SCH_SCRIPT_SINT, false},
                   {"f64", SCH_SCRIPT_F64, SCH_SCRIPT_FLOAT, true},    {"u64", SCH_SCRIPT_U64, SCH_SCRIPT_UINT, true},
                   {"i64", SCH_SCRIPT_I64, SCH_SCRIPT_SINT, true}};

/* (x,y), (x,y,layer), (left,top,right,bottom) or (i) */
static bool read_position(struct sch_script_text *text, struct sch_script_probe *probe)
{
    uint32_t number[4];
    unsigned count = 0;
    if (!sch_cursor_char(&text->cursor, '(')) {
        sch_script_refuse(text, "SCRIPT_LINE", "a probe's place is in parentheses");
        return false;
    }
    do {
        if (count == 4 || !sch_script_uint(text, SCH_SCRIPT_BYTES, &number[count++])) {
            sch_script_refuse(text, "SCRIPT_NUMBER", "1 to 4 numbers up to %d say where", SCH_SCRIPT_BYTES);
            return false;
        }
    } while (sch_cursor_char(&text->cursor, ','));
    if (!sch_cursor_char(&text->cursor, ')')) {
        sch_script_refuse(text, "SCRIPT_LINE", ") ends a probe's place");
        return false;
    }
    probe->left = number[0];
    probe->top = count > 1 ? number[1] : 0;
    probe->layer = count == 3 ? number[2] : 0;
    probe->right = count == 4 ? number[2] : probe->left + 1;
    probe->bottom = count == 4 ? number[3] : probe->top + 1;
    if (probe->right > probe->left && probe->bottom > probe->top) return true;
    sch_script_refuse(text, "SCRIPT_NUMBER", "the rectangle is empty");
    return false;
}

/* (v, ...) or v */
static bool read_values(struct sch_script_text *text, size_t type, struct sch_script_probe *probe)
{
    bool parentheses = sch_cursor_char(&text->cursor, '(');
    do {
        uint32_t word = 0;
        if (probe->count == 4) {
            sch_script_refuse(text, "SCRIPT_LINE", "a probe has 1 to 4 values");
            return false;
        }
        uint64_t *value = &probe->values[probe->count++];
        if (probe_types[type].wide ? !sch_script_word64(text, probe_types[type].number, value)
                                   : !sch_script_word32(text, probe_types[type].number, &word)) {
            sch_script_refuse(text, "SCRIPT_NUMBER", "no value of type %s", probe_types[type].name);
            return false;
        }
        if (!probe_types[type].wide) *value = word;
    } while (parentheses && sch_cursor_char(&text->cursor, ','));
    if (!parentheses || sch_cursor_char(&text->cursor, ')')) return true;
    sch_script_refuse(text, "SCRIPT_LINE", ") ends a probe's values");
    return false;
}

static void read_probe(struct sch_script_text *text, struct sch_script_item *item)
{
    size_t type = 0;
    item->kind = SCH_SCRIPT_ITEM_PROBE;
    struct sch_script_probe *probe = item->probe = calloc(1, sizeof *item->probe);
    if (!probe) {
        text->script->no_memory = true;
        return;
    }
    sch_script_slot(text, &probe->slot); /* without one: rtv 0 */
    if (!read_position(text, probe)) return;
    while (type < sizeof probe_types / sizeof *probe_types && !sch_cursor_words(&text->cursor, probe_types[type].name))
        type++;
    if (type == sizeof probe_types / sizeof *probe_types) {
        sch_script_refuse(text, "SCRIPT_LINE", "expected rgba, f32, u32, i32, f64, u64 or i64");
        return;
    }
    probe->type = probe_types[type].type;
    if (!read_values(text, type, probe)) return;
    sch_script_uint(text, UINT32_MAX, &probe->ulps);
    sch_cursor_char(&text->cursor, ';');
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

static void read_draw(struct sch_script_text *text, struct sch_script_item *item)
{
    static const struct sch_script_choice lists[] = {
        {"triangle list", SCH_PRIMITIVE_TRIANGLES}, {"triangle strip", SCH_PRIMITIVE_TRIANGLE_STRIP},
        {"point list", SCH_PRIMITIVE_POINTS},       {"line list", SCH_PRIMITIVE_LINES},
        {"line strip", SCH_PRIMITIVE_LINE_STRIP},   {NULL, 0}};
    struct sch_script_draw *draw = &item->draw;
    int primitive = SCH_PRIMITIVE_PATCHES;
    item->kind = SCH_SCRIPT_ITEM_DRAW;
    *draw = (struct sch_script_draw){.primitive = SCH_PRIMITIVE_TRIANGLES, .count = 3, .instances = 1};
    draw->quad = sch_cursor_words(&text->cursor, "quad");
    if (draw->quad) return;
    const bool list = sch_script_choose(text, lists, &primitive);
    draw->primitive = (enum sch_primitive)primitive;
    if (!list && !(sch_script_uint(text, SCH_PATCH_VERTICES, &draw->patch_vertices) && draw->patch_vertices &&
                   sch_cursor_words(&text->cursor, "control point patch list")))
        sch_script_refuse(text, "SCRIPT_LINE",
                          "expected quad, triangle list, triangle strip, point list or N control point "
                          "patch list");
    else if (!sch_script_uint(text, UINT32_MAX, &draw->count))
        sch_script_refuse(text, "SCRIPT_NUMBER", "a number of vertices follows");
    sch_script_uint(text, UINT32_MAX, &draw->instances);
}

static void read_dispatch(struct sch_script_text *text, struct sch_script_item *item)
{
    item->kind = SCH_SCRIPT_ITEM_DISPATCH;
    for (unsigned i = 0; i < 3; i++)
        if (!sch_script_uint(text, 65535, &item->grid[i])) {
            sch_script_refuse(text, "SCRIPT_NUMBER", "three numbers up to 65535 follow dispatch");
            return;
        }
    if ((uint64_t)item->grid[0] * item->grid[1] * item->grid[2] > MOST_GROUPS)
        sch_script_refuse(text, "SCRIPT_NUMBER", "more than %d work groups", MOST_GROUPS);
}

static void read_clear(struct sch_script_text *text, struct sch_script_item *item)
{
    item->kind = SCH_SCRIPT_ITEM_CLEAR;
    struct sch_script_slot *slot = &item->clear.slot;
    if (!sch_script_slot(text, slot) || (slot->kind != SCH_SCRIPT_RTV && slot->kind != SCH_SCRIPT_DSV)) {
        sch_script_refuse(text, "SCRIPT_LINE", "rtv N or dsv follows clear");
        return;
    }
    for (unsigned i = 0; i < (slot->kind == SCH_SCRIPT_RTV ? 4 : 1); i++) {
        uint32_t bits;
        if (!sch_script_word32(text, SCH_SCRIPT_FLOAT, &bits)) {
            sch_script_refuse(text, "SCRIPT_NUMBER", "clear rtv N takes four numbers, clear dsv one");
            return;
        }
        memcpy(&item->clear.values[i], &bits, sizeof bits);
    }
}

void sch_script_test_line(struct sch_script_text *text)
{
    struct sch_script_item *item = sch_script_add(text->script, SCH_SCRIPT_ITEM_TEST, text->cursor.number);
    if (!item) return;
    sch_script_prefixes(text, item, 1u << SCH_SCRIPT_TODO | 1u << SCH_SCRIPT_BUG | 1u << SCH_SCRIPT_IF);
    if (sch_cursor_words(&text->cursor, "uniform ")) {
        read_uniform(text, item);
    } else if (sch_cursor_words(&text->cursor, "draw ")) {
        read_draw(text, item);
    } else if (sch_cursor_words(&text->cursor, "dispatch ")) {
        read_dispatch(text, item);
    } else if (sch_cursor_words(&text->cursor, "probe")) {
        read_probe(text, item);
    } else if (sch_cursor_words(&text->cursor, "clear ")) {
        read_clear(text, item);
    } else if (sch_cursor_words(&text->cursor, "copy ")) {
        item->kind = SCH_SCRIPT_ITEM_COPY;
        if (!sch_script_slot(text, &item->copy.from) || !sch_script_slot(text, &item->copy.to))
            sch_script_refuse(text, "SCRIPT_LINE", "two resources follow copy");
    } else if (sch_script_state_line(text, item)) {
        if (item->kind == SCH_SCRIPT_ITEM_STATE) return;
    } else {
        sch_script_refuse(text, "SCRIPT_LINE", "no line of [test] begins here");
    }
    if (!text->script->errors && !sch_script_at_end(text))
        sch_script_refuse(text, "SCRIPT_LINE", "something follows that does not belong here");
}
