/* What the examples at the top of the public headers take as given: a context and, made by it, whatever the sentence
 * before an example names. static-headers includes this file before such an example and calls given() first. Holds no
 * example. */
#include <scheelite/files.h>
#include <scheelite/scheelite.h>

#include <stdio.h>
#include <string.h>

static struct sch_context *context;
static struct sch_diagnostics_list *list;
static struct sch_shader *shader;                       /* of `vertex` */
static struct sch_program *program, *vertex, *fragment; /* `program` is `vertex` */
static struct sch_invocations invocations;              /* of `program` */
static uint32_t outputs[4];
static struct sch_resource *texture;
static struct sch_surface *surface;
static struct sch_view *view;
static struct sch_sampler *sampler;
static struct sch_framebuffer *framebuffer;
static struct sch_pipeline *pipeline;
static struct sch_renderer *renderer;
static uint8_t pixels[2][2][4];

/* A program from text; its shader stays in `shader`. */
static struct sch_program *prepare(const char *text)
{
    struct sch_program *made = NULL;
    sch_shader_destroy(shader);
    shader = NULL;
    if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) == SCH_OK)
        sch_program_create(context, shader, NULL, NULL, &made);
    return made;
}

/* False if something could not be made. */
static bool given(void)
{
    const struct sch_resource_options shape = {
        .size = sizeof shape, .target = SCH_TARGET_2D, .format = SCH_FORMAT_R8G8B8A8_UNORM, .width = 2, .height = 2};
    const struct sch_sampler_options linear = {.size = sizeof linear, .mag_filter = SCH_FILTER_LINEAR};
    if (sch_context_create(NULL, &context) || sch_diagnostics_create(context, &list)) return false;
    fragment = prepare("FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n");
    program = vertex = prepare("VERT\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL TEMP[0]\nU2F TEMP[0], SV[0].xxxx\n"
                               "MOV OUT[0], TEMP[0]\nEND\n");
    invocations = (struct sch_invocations){.size = sizeof invocations,
                                           .count = 1,
                                           .outputs = outputs,
                                           .output_bytes = sizeof outputs,
                                           .output_registers = 1};
    /* One red texel: a lookup in the middle of all four returns a quarter of it. */
    const uint8_t texels[2][2][4] = {{{255, 0, 0, 255}, {0, 0, 0, 255}}, {{0, 0, 0, 255}, {0, 0, 0, 255}}};
    return fragment && program && sch_resource_create(context, &shape, NULL, &texture) == SCH_OK &&
           sch_resource_write_all(texture, texels, sizeof texels) == SCH_OK &&
           sch_surface_create(texture, NULL, NULL, &surface) == SCH_OK &&
           sch_view_create(texture, NULL, &view) == SCH_OK &&
           sch_sampler_create(context, &linear, NULL, &sampler) == SCH_OK;
}

/* Destroys what given() and the example made. */
static void taken_back(void)
{
    (void)pixels;
    sch_renderer_destroy(renderer);
    sch_pipeline_destroy(pipeline);
    sch_framebuffer_destroy(framebuffer);
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
    sch_surface_destroy(surface);
    sch_resource_destroy(texture);
    sch_program_destroy(fragment);
    sch_program_destroy(vertex);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}
