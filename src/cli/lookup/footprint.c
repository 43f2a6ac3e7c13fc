/* scheelite sample --footprint: the levels that a lookup read, enlarged. Each slice or layer of a level is a panel; the
 * texels used have a frame in the colour of their weight, the others are dim; a cross marks where the lookup is. */
#include "footprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/render_target.h"

enum { AROUND = 3, SHOWN = 48, LARGEST_CELL = 40, PANEL_SIDE = 480, GAP = 8, LABEL = 10 };

/* Part of one slice of one level. */
struct panel {
    uint32_t level, z, size[2];
    uint32_t low[2], high[2]; /* texels shown, both included */
    uint32_t cell;            /* dots of a texel's side */
    int64_t left;             /* in the picture */
    float greatest;           /* weight of a texel */
};

struct drawing {
    const struct sch_cli_lookup *lookup;
    enum sch_target target;
    const struct sch_cli_explanation *why;
    struct panel *panel; /* room for one a texel */
    unsigned panels;
    struct sch_cli_render_target render_target;
};

static const struct sch_cli_color ground = {40, 40, 44}, ink = {235, 235, 235}, outside = {64, 64, 68};

static struct panel *panel_of(struct drawing *drawing, const struct sch_footprint_texel *texel)
{
    for (unsigned i = 0; i < drawing->panels; i++)
        if (drawing->panel[i].level == texel->level && drawing->panel[i].z == texel->z) return &drawing->panel[i];
    struct panel *made = &drawing->panel[drawing->panels++];
    uint32_t size[4] = {0};
    sch_cli_view_size(drawing->lookup, texel->level, size);
    bool rows = sch_cli_target_axes(drawing->target) > 1;
    *made = (struct panel){
        .level = texel->level, .z = texel->z, .size = {size[0], rows ? size[1] : 1}, .low = {UINT32_MAX, UINT32_MAX}};
    return made;
}

/* Finds the panels, and which texels each must show. */
static void collect(struct drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->why->info.texel_count; i++) {
        const struct sch_footprint_texel *texel = &drawing->why->texels[i];
        if (texel->border) continue;
        struct panel *panel = panel_of(drawing, texel);
        const uint32_t at[2] = {texel->x, texel->y};
        for (unsigned axis = 0; axis < 2; axis++) {
            if (at[axis] < panel->low[axis]) panel->low[axis] = at[axis];
            if (at[axis] > panel->high[axis]) panel->high[axis] = at[axis];
        }
    }
}

/* A small level is shown whole, of a large one the texels around those used, as far as there is room: of a footprint
 * that wraps around a large level the far side is cut off. */
static void choose_window(struct panel *panel)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        uint32_t last = panel->size[axis] - 1;
        if (last < SHOWN) {
            panel->low[axis] = 0;
            panel->high[axis] = last;
            continue;
        }
        panel->low[axis] -= panel->low[axis] < AROUND ? panel->low[axis] : AROUND;
        panel->high[axis] = panel->high[axis] + AROUND < last ? panel->high[axis] + AROUND : last;
        if (panel->high[axis] - panel->low[axis] >= 4 * SHOWN) panel->high[axis] = panel->low[axis] + 4 * SHOWN - 1;
    }
    uint32_t across = panel->high[0] - panel->low[0] + 1, down = panel->high[1] - panel->low[1] + 1;
    uint32_t most = across > down ? across : down;
    panel->cell = PANEL_SIDE / most;
    if (panel->cell < 3) panel->cell = 3;
    if (panel->cell > LARGEST_CELL) panel->cell = LARGEST_CELL;
}

/* Panels side by side, each at least as wide as its label. */
static enum sch_cli_exit lay_out(struct drawing *drawing)
{
    int64_t width = GAP, height = 0;
    for (unsigned i = 0; i < drawing->panels; i++) {
        struct panel *panel = &drawing->panel[i];
        choose_window(panel);
        panel->left = width;
        const int64_t across = (int64_t)(panel->high[0] - panel->low[0] + 1) * panel->cell,
                      down = (int64_t)(panel->high[1] - panel->low[1] + 1) * panel->cell;
        width += (across < 96 ? 96 : across) + GAP;
        if (down > height) height = down;
    }
    if (!drawing->panels) width = height = 64;
    return sch_cli_render_target_create(&drawing->render_target, (uint32_t)width, (uint32_t)(height + LABEL + 2 * GAP),
                                        ground);
}

static uint8_t to_byte(uint32_t word, bool integer)
{
    if (integer) return (uint8_t)word;
    float value;
    memcpy(&value, &word, sizeof value);
    return value > 0 ? (uint8_t)((value < 1 ? value : 1) * 255 + 0.5f) : 0;
}

/* A texel's own colour, by a fetch through the view. */
static struct sch_cli_color color_of(const struct drawing *drawing, const struct panel *panel, uint32_t x, uint32_t y)
{
    struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_FETCH, .texel = {x, y, panel->z, 0}};
    bool samples = drawing->target == SCH_TARGET_2D_MSAA || drawing->target == SCH_TARGET_2D_ARRAY_MSAA;
    if (sch_cli_target_axes(drawing->target) == 1) lookup.texel[1] = panel->z;
    if (samples)
        lookup.sample = drawing->why->texels[0].sample;
    else
        lookup.level = panel->level;
    uint32_t result[1][4] = {{0}};
    sch_lookup_run(drawing->lookup->view, drawing->lookup->sampler, &lookup, 1, 0, result);
    bool integers = sch_cli_format_is_integer(drawing->lookup->format);
    return (struct sch_cli_color){to_byte(result[0][0], integers), to_byte(result[0][1], integers),
                                  to_byte(result[0][2], integers)};
}

static struct sch_cli_color dim(struct sch_cli_color color)
{
    return (struct sch_cli_color){(uint8_t)((color.r + outside.r) / 2), (uint8_t)((color.g + outside.g) / 2),
                                  (uint8_t)((color.b + outside.b) / 2)};
}

/* The sum of what a texel contributes in all taps; below 0: it is not used. */
static float weight_of(const struct drawing *drawing, const struct panel *panel, uint32_t x, uint32_t y)
{
    float sum = -1;
    for (uint32_t i = 0; i < drawing->why->info.texel_count; i++) {
        const struct sch_footprint_texel *texel = &drawing->why->texels[i];
        if (texel->border || texel->level != panel->level || texel->z != panel->z || texel->x != x || texel->y != y)
            continue;
        float taps = drawing->why->info.taps > 1 ? (float)drawing->why->info.taps : 1;
        sum = (sum < 0 ? 0 : sum) + texel->weight / taps;
    }
    return sum;
}

/* Colours show weights as parts of the greatest, which may be small where there are many taps. */
static void find_greatest(const struct drawing *drawing, struct panel *panel)
{
    for (uint32_t i = 0; i < drawing->why->info.texel_count; i++) {
        const struct sch_footprint_texel *texel = &drawing->why->texels[i];
        float weight = weight_of(drawing, panel, texel->x, texel->y);
        if (weight > panel->greatest) panel->greatest = weight;
    }
}

static void draw_panel(struct drawing *drawing, struct panel *panel)
{
    find_greatest(drawing, panel);
    char label[48];
    snprintf(label, sizeof label, "L%u Z%u X%u Y%u", panel->level, panel->z, panel->low[0], panel->low[1]);
    sch_cli_draw_text(&drawing->render_target, panel->left, GAP - 2, label, ink);
    for (uint32_t y = panel->low[1]; y <= panel->high[1]; y++)
        for (uint32_t x = panel->low[0]; x <= panel->high[0]; x++) {
            int64_t left = panel->left + (int64_t)(x - panel->low[0]) * panel->cell;
            int64_t top = GAP + LABEL + (int64_t)(y - panel->low[1]) * panel->cell;
            float weight = weight_of(drawing, panel, x, y);
            struct sch_cli_color color = color_of(drawing, panel, x, y);
            sch_cli_draw_box(&drawing->render_target, left, top, panel->cell, panel->cell,
                             weight < 0 ? dim(color) : color);
            if (weight >= 0)
                sch_cli_draw_frame(&drawing->render_target, left, top, panel->cell, panel->cell,
                                   panel->cell > 8 ? 3 : 1,
                                   sch_cli_heat_color(panel->greatest > 0 ? weight / panel->greatest : 0));
        }
}

/* The position of the lookup in the level's texels, where the coordinates say it without a face: modulo the level, as
 * REPEAT has it; with other wrap modes the texels used do not lie there, and no cross is drawn. */
static void draw_cross(struct drawing *drawing, const struct panel *panel, bool in_texels)
{
    const struct sch_lookup *lookup = &drawing->lookup->request;
    if (lookup->operation >= SCH_LOOKUP_FETCH && lookup->operation != SCH_LOOKUP_GATHER) return;
    if (drawing->target == SCH_TARGET_CUBE || drawing->target == SCH_TARGET_CUBE_ARRAY) return;
    int64_t at[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        double size = panel->size[axis], position = 0.5;
        if (axis < sch_cli_target_axes(drawing->target))
            position = (double)lookup->at[axis] * (in_texels ? 1 : size) + lookup->offset[axis];
        position -= floor(position / size) * size;
        if (!(position >= panel->low[axis] && position < (double)panel->high[axis] + 1)) return; /* nor a NaN */
        at[axis] = (int64_t)((position - panel->low[axis]) * panel->cell);
    }
    int64_t x = panel->left + at[0], y = GAP + LABEL + at[1];
    const struct sch_cli_color red = {255, 48, 32}, white = {255, 255, 255};
    sch_cli_draw_box(&drawing->render_target, x - 5, y - 1, 11, 3, white);
    sch_cli_draw_box(&drawing->render_target, x - 1, y - 5, 3, 11, white);
    sch_cli_draw_box(&drawing->render_target, x - 4, y, 9, 1, red);
    sch_cli_draw_box(&drawing->render_target, x, y - 4, 1, 9, red);
}

enum sch_cli_exit sch_cli_draw_footprint(const struct sch_cli_explanation *why, const char *path)
{
    const struct sch_cli_state *state = &why->options->state;
    struct drawing drawing = {.lookup = why->lookup, .target = state->target, .why = why};
    drawing.panel = calloc((size_t)why->info.texel_count + 1, sizeof *drawing.panel);
    if (!drawing.panel) return sch_cli_no_memory();
    bool in_texels = state->sampler.unnormalized || state->target == SCH_TARGET_RECT;
    collect(&drawing);
    enum sch_cli_exit exit_code = lay_out(&drawing);
    for (unsigned i = 0; i < drawing.panels && exit_code == SCH_CLI_YES; i++) {
        draw_panel(&drawing, &drawing.panel[i]);
        draw_cross(&drawing, &drawing.panel[i], in_texels);
    }
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_render_target_write(&drawing.render_target, path);
    sch_cli_render_target_release(&drawing.render_target);
    free(drawing.panel);
    return exit_code;
}
