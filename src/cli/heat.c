/* Values of pixels as colours, and the legend. */
#include "heat.h"

#include <string.h>

#include "render_target.h"

enum { MARGIN = 4, BAR = 8, LEGEND = MARGIN + BAR + 2 + SCH_CLI_TEXT_HEIGHT + MARGIN, NARROWEST = 96, NUMBER = 24 };

static void range_of(const float *values, size_t count, float least_meant, float *low, float *high)
{
    bool any = false;
    *low = *high = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i] < least_meant) continue;
        if (!any || values[i] < *low) *low = values[i];
        if (!any || values[i] > *high) *high = values[i];
        any = true;
    }
}

/* Short enough for the legend: whole numbers without a point, others with two digits behind it. */
static void number_text(char text[NUMBER], float value)
{
    if (value == (float)(int32_t)value)
        snprintf(text, NUMBER, "%d", (int32_t)value);
    else
        snprintf(text, NUMBER, "%.2f", (double)value);
}

static void draw_legend(struct sch_cli_render_target *render_target, uint32_t top, float low, float high)
{
    const struct sch_cli_color white = {255, 255, 255};
    int64_t width = (int64_t)render_target->width - 2 * MARGIN;
    for (int64_t x = 0; x < width; x++)
        sch_cli_draw_box(render_target, MARGIN + x, top + MARGIN, 1, BAR,
                         sch_cli_heat_color((float)x / (float)(width - 1)));
    for (unsigned i = 0; i < 3; i++) {
        char text[NUMBER];
        number_text(text, low + (high - low) * (float)i / 2);
        int64_t bytes = (int64_t)strlen(text) * SCH_CLI_TEXT_STEP - 1;
        int64_t left = MARGIN + (width - bytes) * i / 2;
        sch_cli_draw_text(render_target, left, top + MARGIN + BAR + 2, text, white);
    }
}

enum sch_cli_exit sch_cli_heat_write(const float *values, uint32_t width, uint32_t height, float least_meant,
                                     const char *path)
{
    struct sch_cli_render_target render_target;
    float low, high;
    range_of(values, (size_t)width * height, least_meant, &low, &high);
    enum sch_cli_exit exit = sch_cli_render_target_create(&render_target, width < NARROWEST ? NARROWEST : width,
                                                          height + LEGEND, (struct sch_cli_color){0, 0, 0});
    if (exit != SCH_CLI_YES) return exit;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            float value = values[(size_t)y * width + x];
            if (value < least_meant) continue;
            sch_cli_draw_box(&render_target, x, y, 1, 1,
                             sch_cli_heat_color(high > low ? (value - low) / (high - low) : 0));
        }
    draw_legend(&render_target, height, low, high);
    exit = sch_cli_render_target_write(&render_target, path);
    sch_cli_render_target_release(&render_target);
    return exit;
}
