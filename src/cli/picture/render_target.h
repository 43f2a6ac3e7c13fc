/* A picture to draw into: rectangles, small digits, the colours of measured values. */
#ifndef SCH_CLI_RENDER_TARGET_H
#define SCH_CLI_RENDER_TARGET_H

#include "common/cli.h"

struct sch_cli_render_target {
    uint32_t width, height;
    uint8_t *texels; /* four bytes each: red, green, blue, alpha */
};

struct sch_cli_color {
    uint8_t r, g, b;
};

/* A picture of one colour; reports when there is no memory. */
enum sch_cli_exit sch_cli_render_target_create(struct sch_cli_render_target *render_target, uint32_t width,
                                               uint32_t height, struct sch_cli_color color);
void sch_cli_render_target_release(struct sch_cli_render_target *render_target);

/* All of it lies in the picture. */
void sch_cli_draw_box(struct sch_cli_render_target *render_target, int64_t x, int64_t y, int64_t width, int64_t height,
                      struct sch_cli_color color);
void sch_cli_draw_frame(struct sch_cli_render_target *render_target, int64_t x, int64_t y, int64_t width,
                        int64_t height, int64_t thickness, struct sch_cli_color color);

/* Digits, capital letters and a few signs, 3 by 5 dots, 4 apart. */
enum { SCH_CLI_TEXT_HEIGHT = 5, SCH_CLI_TEXT_STEP = 4 };
void sch_cli_draw_text(struct sch_cli_render_target *render_target, int64_t x, int64_t y, const char *text,
                       struct sch_cli_color color);

/* Dark blue for 0 over green to yellow for 1; `part` is from 0 to 1. */
struct sch_cli_color sch_cli_heat_color(float part);

/* Writes it as a file of the kind that the ending of its name says. */
enum sch_cli_exit sch_cli_render_target_write(const struct sch_cli_render_target *render_target, const char *path);

#endif
