/* A draw with depth: two triangles that go through each other, from vertices in memory to pixels:
 *   cc depth.c $(pkg-config --cflags --libs scheelite) -o depth && ./depth */
#include <scheelite/scheelite.h>

#include <stdio.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 16 };
static const char vertex[] =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nIMM[0] FLT32 {1, 1, 1, 1}\n"
    "MOV OUT[0].xyz, IN[0]\nMOV OUT[0].w, IMM[0]\nMOV OUT[1], IN[0].wwww\nEND\n";
static const char fragment[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

/* x, y and z in clip space, and red: one triangle is nearer on the left, the other on the right. */
static const float vertices[6][4] = {{-0.9F, 0.9F, 0.1F, 0.5F}, {0.9F, 0.9F, 0.9F, 0.5F}, {-0.9F, -0.9F, 0.1F, 0.5F},
                                     {-0.9F, 0.9F, 0.9F, 1.0F}, {0.9F, 0.9F, 0.1F, 1.0F}, {0.9F, -0.9F, 0.1F, 1.0F}};

struct objects {
    struct sch_context *context;
    struct sch_diagnostics_list *reports;
    struct sch_program *programs[2];
    struct sch_resource *textures[2]; /* colours, depth */
    struct sch_surface *surfaces[2];
    struct sch_framebuffer *framebuffer;
    struct sch_vertex_elements *elements;
    struct sch_depth_stencil_alpha *depth;
    struct sch_pipeline *pipeline;
    struct sch_renderer *renderer;
};

static enum sch_result make_program(struct objects *o, int n, const char *text)
{
    struct sch_shader *shader;
    enum sch_result result = sch_shader_read(o->context, text, strlen(text), NULL, o->reports, &shader);
    if (result == SCH_OK) result = sch_program_create(o->context, shader, NULL, o->reports, &o->programs[n]);
    sch_shader_destroy(shader);
    return result;
}

static enum sch_result make_surface(struct objects *o, int n, enum sch_format format)
{
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_2D, .format = format, .width = WIDTH, .height = HEIGHT};
    enum sch_result result = sch_resource_create(o->context, &options, o->reports, &o->textures[n]);
    if (result == SCH_OK) result = sch_surface_create(o->textures[n], NULL, o->reports, &o->surfaces[n]);
    return result;
}

static enum sch_result make_state(struct objects *o)
{
    const struct sch_vertex_element one = {.format = SCH_FORMAT_R32G32B32A32_FLOAT, .stride = sizeof vertices[0]};
    const struct sch_framebuffer_options buffers = {
        .size = sizeof buffers, .colors = {o->surfaces[0]}, .depth_stencil = o->surfaces[1]};
    const struct sch_pipeline_options two = {.size = sizeof two, .vertex = o->programs[0], .fragment = o->programs[1]};
    struct sch_depth_stencil_alpha_options depth = {.size = sizeof depth};
    sch_depth_stencil_alpha_options_default(&depth);
    depth.depth_enabled = depth.depth_writes = true; /* the nearer one is seen: LESS */
    enum sch_result result = sch_vertex_elements_create(o->context, &one, 1, sizeof one, o->reports, &o->elements);
    if (result == SCH_OK) result = sch_depth_stencil_alpha_create(o->context, &depth, o->reports, &o->depth);
    if (result == SCH_OK) result = sch_framebuffer_create(o->context, &buffers, o->reports, &o->framebuffer);
    if (result == SCH_OK) result = sch_pipeline_create(o->context, &two, o->reports, &o->pipeline);
    if (result == SCH_OK) result = sch_renderer_create(o->context, &o->renderer);
    return result;
}

static enum sch_result draw(struct objects *o, uint8_t pixels[HEIGHT][WIDTH][4])
{
    const struct sch_framebuffer_clear all = {.size = sizeof all, .parts = SCH_PART_COLOR | SCH_PART_DEPTH, .depth = 1};
    const struct sch_vertex_buffer buffer = {.memory = vertices, .memory_bytes = sizeof vertices};
    const struct sch_draw_state state = {.size = sizeof state,
                                         .pipeline = o->pipeline,
                                         .framebuffer = o->framebuffer,
                                         .vertex_elements = o->elements,
                                         .vertex_buffers = &buffer,
                                         .vertex_buffer_count = 1,
                                         .vertex_buffer_stride = sizeof buffer,
                                         .depth_stencil_alpha = o->depth};
    const struct sch_draw triangles = {
        .size = sizeof triangles, .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 6, .instance_count = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = o->reports};
    enum sch_result result = sch_renderer_clear(o->renderer, o->framebuffer, &all, o->reports);
    if (result == SCH_OK) result = sch_renderer_draw(o->renderer, &state, &triangles, &options, NULL);
    if (result == SCH_OK) result = sch_resource_read_all(o->textures[0], pixels, sizeof(uint8_t[HEIGHT][WIDTH][4]));
    return result;
}

int main(void)
{
    static uint8_t pixels[HEIGHT][WIDTH][4];
    struct objects o = {.context = NULL};
    enum sch_result result = sch_context_create(NULL, &o.context);
    if (result == SCH_OK) result = sch_diagnostics_create(o.context, &o.reports);
    if (result == SCH_OK) result = make_program(&o, 0, vertex);
    if (result == SCH_OK) result = make_program(&o, 1, fragment);
    if (result == SCH_OK) result = make_surface(&o, 0, SCH_FORMAT_R8G8B8A8_UNORM);
    if (result == SCH_OK) result = make_surface(&o, 1, SCH_FORMAT_Z32_FLOAT);
    if (result == SCH_OK) result = make_state(&o);
    if (result == SCH_OK) result = draw(&o, pixels);
    for (int i = 0; result == SCH_OK && i < WIDTH * HEIGHT; i++)
        printf("%c%s", ".ab"[(pixels[i / WIDTH][i % WIDTH][0] + 1) / 128], i % WIDTH == WIDTH - 1 ? "\n" : "");

    char *text = NULL;
    if (o.reports && sch_diagnostics_print(o.reports, NULL, &text, NULL) == SCH_OK) fputs(text, stderr);
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));
    sch_free(o.context, text);
    sch_renderer_destroy(o.renderer);
    sch_pipeline_destroy(o.pipeline);
    sch_depth_stencil_alpha_destroy(o.depth);
    sch_vertex_elements_destroy(o.elements);
    sch_framebuffer_destroy(o.framebuffer);
    for (int n = 1; n >= 0; n--) {
        sch_surface_destroy(o.surfaces[n]);
        sch_resource_destroy(o.textures[n]);
        sch_program_destroy(o.programs[n]);
    }
    sch_diagnostics_destroy(o.reports);
    sch_context_destroy(o.context);
    return result != SCH_OK;
}
