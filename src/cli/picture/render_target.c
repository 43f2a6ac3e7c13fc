/* Drawing into a picture in memory. */
#include "render_target.h"

#include <stdlib.h>
#include <string.h>

#include "texture_file.h"

enum sch_cli_exit sch_cli_render_target_create(struct sch_cli_render_target *render_target, uint32_t width,
                                               uint32_t height, struct sch_cli_color color)
{
    *render_target = (struct sch_cli_render_target){width, height, calloc((size_t)width * height, 4)};
    if (!render_target->texels) return sch_cli_no_memory();
    sch_cli_draw_box(render_target, 0, 0, width, height, color);
    return SCH_CLI_YES;
}

void sch_cli_render_target_release(struct sch_cli_render_target *render_target)
{
    free(render_target->texels);
    render_target->texels = NULL;
}

void sch_cli_draw_box(struct sch_cli_render_target *render_target, int64_t x, int64_t y, int64_t width, int64_t height,
                      struct sch_cli_color color)
{
    for (int64_t row = y; row < y + height; row++)
        for (int64_t column = x; column < x + width; column++) {
            uint8_t *texel = render_target->texels + ((size_t)row * render_target->width + (size_t)column) * 4;
            texel[0] = color.r;
            texel[1] = color.g;
            texel[2] = color.b;
            texel[3] = 255;
        }
}

void sch_cli_draw_frame(struct sch_cli_render_target *render_target, int64_t x, int64_t y, int64_t width,
                        int64_t height, int64_t thickness, struct sch_cli_color color)
{
    sch_cli_draw_box(render_target, x, y, width, thickness, color);
    sch_cli_draw_box(render_target, x, y + height - thickness, width, thickness, color);
    sch_cli_draw_box(render_target, x, y, thickness, height, color);
    sch_cli_draw_box(render_target, x + width - thickness, y, thickness, height, color);
}

/* Five rows of three dots, the upper left one in the highest bit, in octal a row each. */
static const struct {
    char sign;
    uint16_t dots;
} font[] = {{'0', 075557}, {'1', 026227}, {'2', 071747}, {'3', 071717}, {'4', 055711}, {'5', 074717}, {'6', 074757},
            {'7', 071111}, {'8', 075757}, {'9', 075717}, {'.', 000002}, {'-', 000700}, {'E', 074747}, {'L', 044447},
            {'X', 055255}, {'Y', 055222}, {'Z', 071247}, {'S', 034716}, {'O', 075557}, {'D', 065556}, {'T', 072222},
            {'A', 025755}, {'B', 065656}, {'C', 034443}, {'F', 074744}, {'G', 034553}, {'H', 055755}, {'I', 072227},
            {'J', 011152}, {'K', 055655}, {'M', 057755}, {'N', 075555}, {'P', 075744}, {'Q', 025573}, {'R', 065655},
            {'U', 055557}, {'V', 055552}, {'W', 055775}, {'+', 002720}};

void sch_cli_draw_text(struct sch_cli_render_target *render_target, int64_t x, int64_t y, const char *text,
                       struct sch_cli_color color)
{
    for (; *text; text++, x += SCH_CLI_TEXT_STEP)
        for (size_t i = 0; i < sizeof font / sizeof *font; i++) {
            if (font[i].sign != *text) continue;
            for (unsigned dot = 0; dot < 15; dot++)
                if (font[i].dots >> (14 - dot) & 1)
                    sch_cli_draw_box(render_target, x + dot % 3, y + dot / 3, 1, 1, color);
        }
}

struct sch_cli_color sch_cli_heat_color(float part)
{
    static const struct sch_cli_color stops[] = {
        {32, 24, 96}, {48, 88, 168}, {32, 152, 136}, {112, 200, 80}, {255, 232, 48}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    float at = part * LAST;
    unsigned low = at < LAST ? (unsigned)at : LAST - 1;
    float w = at - (float)low;
    const struct sch_cli_color *a = &stops[low], *b = &stops[low + 1];
    return (struct sch_cli_color){(uint8_t)((float)a->r + ((float)b->r - (float)a->r) * w + 0.5f),
                                  (uint8_t)((float)a->g + ((float)b->g - (float)a->g) * w + 0.5f),
                                  (uint8_t)((float)a->b + ((float)b->b - (float)a->b) * w + 0.5f)};
}

enum sch_cli_exit sch_cli_render_target_write(const struct sch_cli_render_target *render_target, const char *path)
{
    enum sch_file_kind kind;
    const struct sch_file_texture texture =
        sch_cli_flat(SCH_FORMAT_R8G8B8A8_UNORM, render_target->width, render_target->height, render_target->texels,
                     (size_t)render_target->width * render_target->height * 4);
    const enum sch_cli_exit exit_code = sch_cli_texture_file_kind(path, &kind);
    return exit_code == SCH_CLI_YES ? sch_cli_texture_file_write(NULL, path, kind, &texture) : exit_code;
}
