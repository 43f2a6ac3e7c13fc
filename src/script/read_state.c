/* The lines of [test] that set state of the pipeline around the shaders. */
#include <math.h>
#include <string.h>

#include "text.h"

/* `count` numbers, with commas between them or not. */
static bool read_numbers(struct sch_script_text *text, float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits;
        if (i) sch_cursor_char(&text->cursor, ',');
        if (!sch_script_word32(text, SCH_SCRIPT_FLOAT, &bits)) return false;
        memcpy(&values[i], &bits, sizeof bits);
        if (!isfinite(values[i])) return false;
    }
    return true;
}

/* N (X, Y, WIDTH, HEIGHT) */
static void read_viewport(struct sch_script_text *text, struct sch_script_setting *setting)
{
    if (!sch_script_uint(text, SCH_VIEWPORTS - 1, &setting->number))
        sch_script_refuse(text, "SCRIPT_NUMBER", "viewports are 0 to %d", SCH_VIEWPORTS - 1);
    else if (!sch_cursor_char(&text->cursor, '(') || !read_numbers(text, setting->values, 4) ||
             !sch_cursor_char(&text->cursor, ')'))
        sch_script_refuse(text, "SCRIPT_NUMBER", "(X, Y, WIDTH, HEIGHT) follows a viewport's number");
    else if (setting->values[2] < 0 || setting->values[3] < 0)
        sch_script_refuse(text, "SCRIPT_NUMBER", "a viewport's width and height are not negative");
}

static void read_depth_bounds(struct sch_script_text *text, struct sch_script_setting *setting)
{
    if (!read_numbers(text, setting->values, 2))
        sch_script_refuse(text, "SCRIPT_NUMBER", "two numbers follow depth-bounds");
}

/* FUNCTION REFERENCE; always and never need none. */
static void read_alpha_test(struct sch_script_text *text, struct sch_script_setting *setting)
{
    if (!sch_script_comparison(text, &setting->compare)) {
        sch_script_refuse(text, "SCRIPT_LINE",
                          "never, less, equal, less equal, greater, not equal, greater equal or always follows alpha "
                          "test");
        return;
    }
    const bool constant = setting->compare == SCH_COMPARE_ALWAYS || setting->compare == SCH_COMPARE_NEVER;
    if (constant && sch_script_at_end(text)) return;
    if (!read_numbers(text, setting->values, 1))
        sch_script_refuse(text, "SCRIPT_NUMBER", "a number follows the function of alpha test");
}

static void read_clip_plane(struct sch_script_text *text, struct sch_script_setting *setting)
{
    if (!sch_script_uint(text, SCH_CLIP_PLANES - 1, &setting->number))
        sch_script_refuse(text, "SCRIPT_NUMBER", "clip planes are 0 to %d", SCH_CLIP_PLANES - 1);
    else if (!read_numbers(text, setting->values, 4))
        sch_script_refuse(text, "SCRIPT_NUMBER", "four numbers follow a clip plane's number");
}

/* SIZE LEAST MOST */
static void read_point_size(struct sch_script_text *text, struct sch_script_setting *setting)
{
    if (!read_numbers(text, setting->values, 3))
        sch_script_refuse(text, "SCRIPT_NUMBER", "a size, the least and the greatest one follow point-size");
}

static void read_switch(struct sch_script_text *text, struct sch_script_setting *setting, const char *on,
                        const char *off)
{
    setting->on = sch_cursor_words(&text->cursor, on);
    if (!setting->on && !sch_cursor_words(&text->cursor, off))
        sch_script_refuse(text, "SCRIPT_LINE", "%s or %s follows", on, off);
}

static void read_setting(struct sch_script_text *text, struct sch_script_setting *setting)
{
    switch (setting->kind) {
    case SCH_SCRIPT_SET_VIEWPORT:
        read_viewport(text, setting);
        break;
    case SCH_SCRIPT_SET_DEPTH_BOUNDS:
        read_depth_bounds(text, setting);
        break;
    case SCH_SCRIPT_SET_ALPHA_TEST:
        read_alpha_test(text, setting);
        break;
    case SCH_SCRIPT_SET_CLIP_PLANE:
        read_clip_plane(text, setting);
        break;
    case SCH_SCRIPT_SET_POINT_SIZE:
        read_point_size(text, setting);
        break;
    case SCH_SCRIPT_SET_POINT_SPRITE:
        read_switch(text, setting, "on", "off");
        break;
    case SCH_SCRIPT_SET_SHADE_MODE:
        read_switch(text, setting, "flat", "linear");
    }
}

static const struct sch_script_choice settings[] = {
    {"viewport", SCH_SCRIPT_SET_VIEWPORT},     {"depth-bounds", SCH_SCRIPT_SET_DEPTH_BOUNDS},
    {"alpha test", SCH_SCRIPT_SET_ALPHA_TEST}, {"clip-plane", SCH_SCRIPT_SET_CLIP_PLANE},
    {"point-size", SCH_SCRIPT_SET_POINT_SIZE}, {"point-sprite", SCH_SCRIPT_SET_POINT_SPRITE},
    {"shade mode", SCH_SCRIPT_SET_SHADE_MODE}, {NULL, 0}};

/* State that draws do not have: kept as text, for the report. */
static const struct sch_script_choice states[] = {
    {"fog-colour", 0}, {"fog", 0}, {"point-size-min", 0}, {"point-size-max", 0}, {NULL, 0}};

static bool read_other(struct sch_script_text *text, struct sch_script_item *item)
{
    sch_cursor_blanks(&text->cursor);
    const char *begin = text->cursor.at;
    int number;
    if (!sch_script_choose(text, states, &number)) return false;
    item->kind = SCH_SCRIPT_ITEM_STATE;
    item->text.text = begin;
    while (!sch_script_at_end(text)) text->cursor.at++;
    item->text.bytes = (size_t)(text->cursor.at - begin);
    return true;
}

bool sch_script_state_line(struct sch_script_text *text, struct sch_script_item *item)
{
    int kind;
    if (sch_cursor_words(&text->cursor, "sample mask ")) {
        item->kind = SCH_SCRIPT_ITEM_SAMPLE_MASK;
        if (!sch_script_uint(text, UINT32_MAX, &item->sample_mask))
            sch_script_refuse(text, "SCRIPT_NUMBER", "a number follows sample mask");
        return true;
    }
    if (read_other(text, item)) return true;
    if (sch_script_choose(text, settings, &kind)) {
        item->kind = SCH_SCRIPT_ITEM_SETTING;
        item->setting = (struct sch_script_setting){.kind = (enum sch_script_setting_kind)kind};
        read_setting(text, &item->setting);
        return true;
    }
    if (!sch_cursor_words(&text->cursor, "depth ")) return false;
    item->kind = SCH_SCRIPT_ITEM_DEPTH;
    if (!sch_script_comparison(text, &item->depth))
        sch_script_refuse(text, "SCRIPT_LINE",
                          "never, less, equal, less equal, greater, not equal, greater equal or always follows depth");
    return true;
}
