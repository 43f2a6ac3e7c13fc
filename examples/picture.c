/* A texture and a render target: makes a texture of 2 x 2 texels, runs a fragment shader that looks it up over a
 * rectangle of pixels, and prints the picture in letters.
 *
 *   cc picture.c $(pkg-config --cflags --libs scheelite) -o picture && ./picture */
#include <scheelite/scheelite.h>

#include <stdio.h>

enum { WIDTH = 32, HEIGHT = 16 };

/* IN[0] is the pixel's place in the texture, from (0, 0) to (1, 1). */
static const char shader_text[] = "FRAG\n"
                                  "DCL IN[0], GENERIC[0], LINEAR\n"
                                  "DCL OUT[0], COLOR\n"
                                  "DCL SAMP[0]\n"
                                  "DCL SVIEW[0], 2D, FLOAT\n"
                                  "TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                  "END\n";

struct objects {
    struct sch_context *context;
    struct sch_diagnostics_list *reports;
    struct sch_shader *shader;
    struct sch_program *program;
    struct sch_resource *texture;
    struct sch_view *view;
    struct sch_sampler *sampler;
};

static enum sch_result make_texture(struct objects *o)
{
    static const uint8_t texels[2][2][4] = {{{0, 0, 0, 255}, {255, 255, 255, 255}},
                                            {{255, 255, 255, 255}, {0, 0, 0, 255}}};
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_2D, .format = SCH_FORMAT_R8G8B8A8_UNORM, .width = 2, .height = 2};
    const struct sch_sampler_options sampling = {.size = sizeof sampling,
                                                 .wrap_s = SCH_WRAP_CLAMP_TO_EDGE,
                                                 .wrap_t = SCH_WRAP_CLAMP_TO_EDGE,
                                                 .min_filter = SCH_FILTER_LINEAR,
                                                 .mag_filter = SCH_FILTER_LINEAR};
    enum sch_result result = sch_resource_create(o->context, &options, o->reports, &o->texture);
    if (result == SCH_OK) result = sch_resource_write_all(o->texture, texels, sizeof texels);
    if (result == SCH_OK) result = sch_view_create(o->texture, NULL, &o->view);
    if (result == SCH_OK) result = sch_sampler_create(o->context, &sampling, o->reports, &o->sampler);
    return result;
}

static enum sch_result run(struct objects *o, uint8_t pixels[HEIGHT][WIDTH][4])
{
    /* x of IN[0] grows by 1 / WIDTH from pixel to pixel, y by 1 / HEIGHT from row to row; pixels have their centres at
     * 0.5. */
    const struct sch_rectangle_register place = {
        .index = 0,
        .planar = 3,
        .planes = {{.value = {0.5F / WIDTH, 1.0F / WIDTH, 0}, .divisor = {1, 0, 0}},
                   {.value = {0.5F / HEIGHT, 0, 1.0F / HEIGHT}, .divisor = {1, 0, 0}}}};
    const struct sch_render_target target = {
        .pixels = pixels, .bytes = sizeof(uint8_t[HEIGHT][WIDTH][4]), .row_bytes = sizeof pixels[0]};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = WIDTH,
                                            .height = HEIGHT,
                                            .registers = &place,
                                            .register_count = 1,
                                            .register_stride = sizeof place,
                                            .render_targets = &target,
                                            .render_target_count = 1,
                                            .render_target_stride = sizeof target};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .views = &o->view, .view_count = 1, .samplers = &o->sampler, .sampler_count = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = o->reports};
    return sch_dispatch_rectangle(o->program, &bindings, &rectangle, &options, NULL);
}

int main(void)
{
    static uint8_t pixels[HEIGHT][WIDTH][4];
    struct objects o = {.context = NULL};
    enum sch_result result = sch_context_create(NULL, &o.context);
    if (result == SCH_OK) result = sch_diagnostics_create(o.context, &o.reports);
    if (result == SCH_OK)
        result = sch_shader_read(o.context, shader_text, sizeof shader_text - 1, NULL, o.reports, &o.shader);
    if (result == SCH_OK) result = sch_program_create(o.context, o.shader, NULL, o.reports, &o.program);
    if (result == SCH_OK) result = make_texture(&o);
    if (result == SCH_OK) result = run(&o, pixels);
    for (int y = 0; result == SCH_OK && y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) putchar(".:-=+*#%@"[pixels[y][x][0] * 9 / 256]);
        putchar('\n');
    }

    char *text = NULL;
    if (o.reports && sch_diagnostics_print(o.reports, NULL, &text, NULL) == SCH_OK) fputs(text, stderr);
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));
    sch_free(o.context, text);
    sch_sampler_destroy(o.sampler);
    sch_view_destroy(o.view);
    sch_resource_destroy(o.texture);
    sch_program_destroy(o.program);
    sch_shader_destroy(o.shader);
    sch_diagnostics_destroy(o.reports);
    sch_context_destroy(o.context);
    return result != SCH_OK;
}
