/* See virgl_scenes.h. A scene is a window, vertices with colours and coordinates, and state; whatever a kind leaves
 * alone is as `plain` has it. */
#include "virgl_scenes.h"

#include <stdio.h>
#include <string.h>

/* The protocol's numbers. */
enum {
#define FORMAT(number, name) F_##name = number,
#include "virgl/formats.def"
#undef FORMAT
};
enum target { BUFFER, TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, CUBE, RECT, ARRAY_1D, ARRAY_2D, CUBE_ARRAY };
enum { SHOWN = 0x8a, DEPTH_STENCIL = 1, SAMPLED = 8, VERTICES_BIND = 16, INDICES_BIND = 32 };

/* Bits of a rasterizer. */
enum {
    FLAT = 1 << 0,
    DEPTH_CLIP = 1 << 1,
    HALF_Z = 1 << 2,
    FLAT_FIRST = 1 << 4,
    TWO_SIDES = 1 << 5,
    SPRITE_LOWER_LEFT = 1 << 6,
    SQUARE_POINTS = 1 << 7,
    CULL_FRONT = 1 << 8,
    CULL_BACK = 1 << 9,
    FILL_LINES = 1 << 10 | 1 << 12,
    FILL_POINTS = 2 << 10 | 2 << 12,
    SCISSOR = 1 << 14,
    FRONT_CCW = 1 << 15,
    OFFSET = 7 << 18,
    STIPPLE = 1 << 22,
    SMOOTH_POINTS = 1 << 23,
    SIZE_PER_VERTEX = 1 << 24,
    MULTISAMPLE = 1 << 25,
    SMOOTH_LINES = 1 << 26,
    STIPPLED_LINES = 1 << 27,
    LAST_PIXEL = 1 << 28,
    HALF_PIXEL = 1 << 29,
    BOTTOM_EDGE = 1 << 30
};

/* Handles. */
enum { WINDOW = 1, VERTICES, INDICES, DEPTH, TEXTURE, SAMPLES, RESULTS, MORE };

enum {
    SIDE = 32,
    VERTEX_COUNT = 48,
    VERTEX_WORDS = 12,
    TEXTURE_SIDE = 16,
    ALL_CHANNELS = 15 << 27,
    ADD = 0,
    FACTOR_ONE = 1,
    FACTOR_ZERO = 17
};

struct scene {
    uint32_t mode, count, start, instances, indexed, restart, patch_vertices;
    uint32_t raster, stipple, clip_planes;
    float point_size, line_width, offset_units, offset_scale;
    uint32_t blend, blend_flags, logic;
    uint32_t depth_alpha, stencil, alpha_reference;
    uint32_t format, layers, depth_format, samples, mask; /* of the window; `depth_format` 0: no depth */
    uint32_t texture_target, texture_format, levels, sampler, swizzle, lod_bias;
    const char *vertex, *fragment, *geometry, *control, *evaluation;
    const uint32_t *outputs; /* of the last stage before the rasterizer: its stream */
    uint32_t output_count;
    bool shows_depth;
    void (*before)(struct stream *stream, const struct scene *scene); /* commands before the draw, and behind it */
    void (*after)(struct stream *stream, const struct scene *scene);
};

/* ---- programs ---- */

static const char plain_vertex[] = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\n"
                                   "DCL OUT[2], GENERIC[0]\n  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[1]\n"
                                   "  2: MOV OUT[2], IN[2]\n  3: END\n";

#define VERTEX_WITH(output, value)                                                                                     \
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL SV[0], INSTANCEID\nDCL SV[1], VERTEXID\nDCL OUT[0], POSITION\n"        \
    "DCL OUT[1], COLOR\nDCL OUT[2], GENERIC[0]\nDCL OUT[3], " output "\nDCL TEMP[0]\n"                                 \
    "IMM[0] UINT32 {1, 2, 3, 4}\nIMM[1] FLT32 {0.5, 0.25, 8.0, 0.0}\n  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[1]\n" \
    "  2: MOV OUT[2], IN[2]\n" value "  9: END\n"

static const char size_vertex[] = VERTEX_WITH("PSIZE", "  3: MUL OUT[3].x, IN[1].xxxx, IMM[1].zzzz\n");
static const char edge_vertex[] = VERTEX_WITH("EDGEFLAG", "  3: MOV OUT[3].x, IN[2].wwww\n");
static const char layer_vertex[] = VERTEX_WITH("LAYER", "  3: MOV OUT[3].x, SV[0].xxxx\n");
static const char viewport_vertex[] = VERTEX_WITH("VIEWPORT_INDEX", "  3: MOV OUT[3].x, SV[0].xxxx\n");
static const char clip_vertex[] = VERTEX_WITH("CLIPDIST", "  3: ADD OUT[3], IN[0].xyxy, IMM[1].xyyx\n");
static const char back_vertex[] = VERTEX_WITH("BCOLOR", "  3: MOV OUT[3], IN[2]\n");
static const char moved_vertex[] = VERTEX_WITH(
    "GENERIC[1]", "  3: U2F TEMP[0].x, SV[0].xxxx\n  4: MAD OUT[0].x, TEMP[0].xxxx, IMM[1].yyyy, IN[0].xxxx\n"
                  "  5: U2F OUT[3], SV[1].xxxx\n");

static const char deep_vertex[] = VERTEX_WITH("GENERIC[1]", "  3: ADD OUT[0].z, IN[0].zzzz, IN[0].zzzz\n"
                                                            "  4: MOV OUT[3], IN[2]\n");

static const char plain_fragment[] =
    "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char dual_fragment[] = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE\n"
                                    "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n  0: MOV OUT[0], IN[0]\n"
                                    "  1: MOV OUT[1], IN[1]\n  2: END\n";
static const char kill_fragment[] = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE\n"
                                    "DCL OUT[0], COLOR\n  0: KILL_IF IN[1].xyxy\n  1: MOV OUT[0], IN[0]\n  2: END\n";
static const char depth_fragment[] = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n"
                                     "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1].z, IN[0].xxxx\n  2: END\n";
static const char sprite_fragment[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                      "  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char whole_fragment[] = "FRAG\nDCL SV[0], POSITION\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                                     "  0: F2U TEMP[0], SV[0].xyxy\n  1: MOV OUT[0], TEMP[0]\n  2: END\n";
static const char sample_fragment[] =
    "FRAG\nDCL IN[0], COLOR, COLOR\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {0.125, 0.0, 0.0, 1.0}\n  0: U2F TEMP[0].x, SV[0].xxxx\n"
    "  1: MAD OUT[0], TEMP[0].xxxx, IMM[0].xxxx, IN[0]\n  2: END\n";
static const char pass_geometry[] =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], COLOR\nDCL OUT[0], POSITION\nDCL OUT[1], "
    "COLOR\n"
    "DCL TEMP[0]\nIMM[0] FLT32 {0.5, 0.5, 1.0, 1.0}\nIMM[1] UINT32 {0, 0, 0, 0}\n"
    "  0: MUL OUT[0], IN[0][0], IMM[0]\n  1: MOV OUT[1], IN[0][1]\n  2: EMIT IMM[1].xxxx\n  3: MUL OUT[0], IN[1][0], "
    "IMM[0]\n"
    "  4: MOV OUT[1], IN[1][1]\n  5: EMIT IMM[1].xxxx\n  6: MUL OUT[0], IN[2][0], IMM[0]\n  7: MOV OUT[1], IN[2][1]\n"
    "  8: EMIT IMM[1].xxxx\n  9: ENDPRIM IMM[1].xxxx\n 10: END\n";
static const char patch_vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char patch_control[] =
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\nDCL OUT[1], TESSOUTER\n"
    "DCL OUT[2], TESSINNER\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nDCL TEMP[0]\nIMM[0] FLT32 {3.0, 4.0, 5.0, 2.5}\n"
    "  0: UARL ADDR[0].x, SV[0].xxxx\n  1: MOV TEMP[0], IN[ADDR[0].x][0]\n  2: MOV OUT[ADDR[0].x][0], TEMP[0]\n"
    "  3: MOV OUT[1], IMM[0]\n  4: MOV OUT[2], IMM[0].wwww\n  5: END\n";
static const char patch_evaluation[] =
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 1\nPROPERTY TES_VERTEX_ORDER_CW 0\n"
    "PROPERTY TES_POINT_MODE 0\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL SV[0], TESSCOORD\n"
    "DCL TEMP[0]\n  0: MUL TEMP[0], IN[0][0], SV[0].xxxx\n  1: MAD TEMP[0], IN[1][0], SV[0].yyyy, TEMP[0]\n"
    "  2: MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[0]\n  3: MOV OUT[1], SV[0]\n  4: END\n";

/* ---- resources ---- */

static uint32_t random_word(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* A number of sixteenths between the two, which are whole. */
static uint32_t random_float(uint32_t *seed, int least, int most)
{
    const uint32_t steps = (uint32_t)(most - least) * 16 + 1;
    return stream_float((float)least + (float)(random_word(seed) % steps) / 16);
}

static void add_buffer(struct stream *stream, uint32_t handle, uint32_t bind, const void *data, uint32_t bytes)
{
    const struct sch_virgl_resource_options options = {
        .format = F_R8_UNORM, .bind = bind, .width = bytes, .height = 1, .depth = 1, .layers = 1};
    stream_resource(stream, handle, &options);
    stream_attach(stream, handle, bytes);
    stream_memory(stream, handle, 0, data, bytes);
    stream_put(stream, handle, 0, (struct sch_virgl_box){0, 0, 0, bytes, 1, 1});
}

/* Position, colour, coordinates; w of the coordinates is 0 or 1. */
static void add_vertices(struct stream *stream)
{
    uint32_t words[VERTEX_COUNT * VERTEX_WORDS], seed = 5;
    uint16_t indices[VERTEX_COUNT];
    for (uint32_t n = 0; n < VERTEX_COUNT; n++) {
        uint32_t *at = words + n * VERTEX_WORDS;
        for (unsigned c = 0; c < 3; c++) at[c] = random_float(&seed, -1, 1);
        at[3] = stream_float(n % 7 == 6 ? 1.5f : 1);
        for (unsigned c = 4; c < 8; c++) at[c] = random_float(&seed, 0, 1);
        for (unsigned c = 8; c < 11; c++) at[c] = random_float(&seed, -1, 2);
        at[11] = stream_float(n % 3 != 1);
        indices[n] = n % 8 == 7 ? 0xffff : (uint16_t)(n * 7 % VERTEX_COUNT);
    }
    add_buffer(stream, VERTICES, VERTICES_BIND, words, sizeof words);
    add_buffer(stream, INDICES, INDICES_BIND, indices, sizeof indices);
}

static struct sch_format_info facts_of(uint32_t format)
{
    struct sch_format_info facts = {.size = sizeof facts};
    sch_format_get_info(sch_virgl_format(format), &facts);
    return facts;
}

static void add_target(struct stream *stream, uint32_t handle, uint32_t format, const struct scene *scene, bool depth)
{
    const struct sch_virgl_resource_options options = {.target = scene->layers > 1 ? ARRAY_2D : TEXTURE_2D,
                                                       .format = format,
                                                       .bind = SHOWN | (depth ? DEPTH_STENCIL : 0),
                                                       .width = SIDE,
                                                       .height = SIDE,
                                                       .depth = 1,
                                                       .layers = scene->layers,
                                                       .samples = handle == WINDOW ? 0 : scene->samples};
    stream_resource(stream, handle, &options);
    if (!options.samples) stream_attach(stream, handle, SIDE * SIDE * scene->layers * facts_of(format).block_bytes);
    STREAM(stream, CREATE_OBJECT, OBJECT_SURFACE, handle, handle, format, 0, (scene->layers - 1) << 16);
}

static uint32_t of_level(uint32_t side, uint32_t level) { return side >> level ? side >> level : 1; }

/* The layers that come after one another, and the depth. */
static uint32_t slices_of(uint32_t target, uint32_t level)
{
    return target == TEXTURE_3D                       ? of_level(TEXTURE_SIDE / 4, level)
           : target == CUBE                           ? 6
           : target == CUBE_ARRAY                     ? 12
           : target == ARRAY_1D || target == ARRAY_2D ? 3
                                                      : 1;
}

static void add_texels(struct stream *stream, const struct scene *scene, uint32_t level)
{
    static uint8_t texels[TEXTURE_SIDE * TEXTURE_SIDE * 16 * 12];
    const struct sch_format_info facts = facts_of(scene->texture_format);
    const bool flat = scene->texture_target == TEXTURE_1D || scene->texture_target == ARRAY_1D;
    const uint32_t width = of_level(TEXTURE_SIDE, level), height = flat ? 1 : width;
    const uint32_t slices = slices_of(scene->texture_target, level);
    const uint32_t blocks = (width + facts.block_width - 1) / facts.block_width *
                            ((height + facts.block_height - 1) / facts.block_height) * slices;
    uint32_t seed = level + 77;
    const bool floats = strstr(facts.name, "FLOAT") && facts.block_height == 1; /* between 2^-15 and 2 */
    for (uint32_t n = 0; n < blocks * facts.block_bytes; n++)
        texels[n] = floats ? (uint8_t)(random_word(&seed) % 8 + 0x38) : (uint8_t)random_word(&seed);
    stream_memory(stream, TEXTURE, 0, texels, blocks * facts.block_bytes);
    stream_put(stream, TEXTURE, level, (struct sch_virgl_box){0, 0, 0, width, height, slices});
}

static void add_texture(struct stream *stream, const struct scene *scene)
{
    const uint32_t target = scene->texture_target;
    const bool flat = target == TEXTURE_1D || target == ARRAY_1D;
    const struct sch_virgl_resource_options options = {.target = target,
                                                       .format = scene->texture_format,
                                                       .bind = SAMPLED,
                                                       .width = TEXTURE_SIDE,
                                                       .height = flat ? 1 : TEXTURE_SIDE,
                                                       .depth = target == TEXTURE_3D ? TEXTURE_SIDE / 4 : 1,
                                                       .layers = target == TEXTURE_3D ? 1 : slices_of(target, 0),
                                                       .last_level = scene->levels - 1};
    const uint32_t layers = (options.layers - 1) << 16, levels = options.last_level << 8;
    stream_resource(stream, TEXTURE, &options);
    stream_attach(stream, TEXTURE, TEXTURE_SIDE * TEXTURE_SIDE * 16 * 12 * 2);
    for (uint32_t level = 0; level < scene->levels; level++) add_texels(stream, scene, level);
    STREAM(stream, CREATE_OBJECT, OBJECT_SAMPLER_VIEW, 40, TEXTURE, scene->texture_format | target << 24, layers,
           levels, scene->swizzle);
    STREAM(stream, CREATE_OBJECT, OBJECT_SAMPLER_STATE, 41, scene->sampler, scene->lod_bias, 0, stream_float(100),
           stream_float(1), stream_float(0.5f), stream_float(0.25f), stream_float(1));
    STREAM(stream, SET_SAMPLER_VIEWS, 0, STAGE_FRAGMENT, 0, 40);
    STREAM(stream, BIND_SAMPLER_STATES, 0, STAGE_FRAGMENT, 0, 41);
}

/* A fragment shader that looks the texture up. */
static void add_lookup(struct stream *stream, const struct scene *scene)
{
    static const char *const names[] = {"BUFFER", "1D",       "2D",       "3D",       "CUBE",
                                        "RECT",   "1D_ARRAY", "2D_ARRAY", "CUBEARRAY"};
    const char *name = names[scene->texture_target];
    const struct sch_format_info facts = facts_of(scene->texture_format);
    const bool compared = scene->sampler >> 15 & 1;
    char text[512];
    snprintf(
        text, sizeof text,
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], %s, %s\nDCL TEMP[0]\n"
        "IMM[0] FLT32 {%s, 0.0, 0.0, 0.0}\n  0: MUL TEMP[0], IN[0], IMM[0].xxxx\n"
        "  1: TEX TEMP[0], TEMP[0], SAMP[0], %s%s\n  2: %s OUT[0], TEMP[0]\n  3: END\n",
        name,
        !facts.integers   ? "FLOAT"
        : facts.is_signed ? "SINT"
                          : "UINT",
        scene->texture_target == RECT ? "9.0" : "1.0", compared ? "SHADOW" : "", name,
        !facts.integers   ? "MOV"
        : facts.is_signed ? "I2F"
                          : "U2F");
    stream_shader(stream, 50 + STAGE_FRAGMENT, STAGE_FRAGMENT, text, NULL, 0);
}

/* ---- scenes ---- */

static const struct scene plain = {.mode = SCH_PRIMITIVE_TRIANGLES,
                                   .count = 24,
                                   .instances = 1,
                                   .raster = DEPTH_CLIP | HALF_PIXEL | SQUARE_POINTS,
                                   .stipple = 0xffff,
                                   .point_size = 3,
                                   .line_width = 1,
                                   .blend = ALL_CHANNELS,
                                   .logic = 3,
                                   .format = F_R8G8B8A8_UNORM,
                                   .layers = 1,
                                   .mask = 0xffffffff,
                                   .texture_format = F_R8G8B8A8_UNORM,
                                   .levels = 1,
                                   .swizzle = 0x688,
                                   .sampler = 1 << 9 | 2 << 11 | 1 << 13 | 1 << 19,
                                   .vertex = plain_vertex,
                                   .fragment = plain_fragment};

static void add_framebuffer(struct stream *stream, const struct scene *scene)
{
    const uint32_t color = scene->samples ? SAMPLES : WINDOW;
    add_target(stream, WINDOW, scene->format, scene, false);
    if (scene->samples) add_target(stream, SAMPLES, scene->format, scene, false);
    if (scene->depth_format) add_target(stream, DEPTH, scene->depth_format, scene, true);
    STREAM(stream, SET_FRAMEBUFFER_STATE, 0, 1, scene->depth_format ? DEPTH : 0, color);
    STREAM(stream, CLEAR, 0, 4 | (scene->depth_format ? 3 : 0), stream_float(0.125f), stream_float(0.25f),
           stream_float(0.375f), stream_float(0.5f), 0, 0x3fe00000, 5);
}

static void add_state(struct stream *stream, const struct scene *scene)
{
    const uint32_t side = stream_float(SIDE / 2), half = stream_float(0.5f);
    const uint32_t blend = scene->blend;
    STREAM(stream, SET_VIEWPORT_STATE, 0, 0, side, side, half, side, side, half);
    STREAM(stream, CREATE_OBJECT, OBJECT_BLEND, 20, scene->blend_flags, scene->logic, blend, blend, blend, blend, blend,
           blend, blend, blend);
    STREAM(stream, BIND_OBJECT, OBJECT_BLEND, 20);
    STREAM(stream, CREATE_OBJECT, OBJECT_RASTERIZER, 21, scene->raster, stream_float(scene->point_size),
           scene->fragment == sprite_fragment, scene->stipple | scene->clip_planes << 24,
           stream_float(scene->line_width), stream_float(scene->offset_units), stream_float(scene->offset_scale), 0);
    STREAM(stream, BIND_OBJECT, OBJECT_RASTERIZER, 21);
    STREAM(stream, CREATE_OBJECT, OBJECT_DSA, 22, scene->depth_alpha, scene->stencil, 0, scene->alpha_reference);
    STREAM(stream, BIND_OBJECT, OBJECT_DSA, 22);
    STREAM(stream, SET_BLEND_COLOR, 0, stream_float(0.25f), half, stream_float(0.75f), half);
    STREAM(stream, SET_STENCIL_REF, 0, 0x0505);
    STREAM(stream, SET_SAMPLE_MASK, 0, scene->mask);
}

static void add_stage(struct stream *stream, const struct scene *scene, enum stage stage, const char *text, bool last)
{
    if (text)
        stream_shader(stream, 50 + stage, stage, text, last ? scene->outputs : NULL, last ? scene->output_count : 0);
}

static void add_programs(struct stream *stream, const struct scene *scene)
{
    add_stage(stream, scene, STAGE_VERTEX, scene->vertex, !scene->geometry && !scene->evaluation);
    add_stage(stream, scene, STAGE_TESS_CTRL, scene->control, false);
    add_stage(stream, scene, STAGE_TESS_EVAL, scene->evaluation, !scene->geometry);
    add_stage(stream, scene, STAGE_GEOMETRY, scene->geometry, true);
    if (scene->texture_target)
        add_lookup(stream, scene);
    else
        add_stage(stream, scene, STAGE_FRAGMENT, scene->fragment, false);
}

static void add_input(struct stream *stream)
{
    STREAM(stream, CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 30, 0, 0, 0, F_R32G32B32A32_FLOAT, 16, 0, 0,
           F_R32G32B32A32_FLOAT, 32, 0, 0, F_R32G32B32A32_FLOAT);
    STREAM(stream, BIND_OBJECT, OBJECT_VERTEX_ELEMENTS, 30);
    STREAM(stream, SET_VERTEX_BUFFERS, 0, VERTEX_WORDS * 4, 0, VERTICES);
    STREAM(stream, SET_INDEX_BUFFER, 0, INDICES, 2, 0);
}

static void add_draw(struct stream *stream, const struct scene *scene)
{
    STREAM(stream, DRAW_VBO, 0, scene->start, scene->count, scene->mode, scene->indexed, scene->instances, 0, 0,
           scene->restart, 0xffff, 0, 0xffffffff, 0, scene->patch_vertices, 0);
}

/* The samples are resolved into the window. */
static void add_frame(struct stream *stream, const struct scene *scene)
{
    const struct sch_virgl_box all = {0, 0, 0, SIDE, SIDE, scene->layers};
    if (scene->samples)
        STREAM(stream, BLIT, 0, 0xf, 0, 0, WINDOW, 0, scene->format, 0, 0, 0, SIDE, SIDE, 1, SAMPLES, 0, scene->format,
               0, 0, 0, SIDE, SIDE, 1);
    if (stream->count) stream_submit(stream);
    stream_get(stream, WINDOW, 0, all);
    if (scene->shows_depth) stream_get(stream, DEPTH, 0, all);
}

static void write_scene(struct stream *stream, const struct scene *scene)
{
    stream_begin(stream);
    add_vertices(stream);
    add_framebuffer(stream, scene);
    if (scene->texture_target) add_texture(stream, scene);
    add_state(stream, scene);
    add_input(stream);
    add_programs(stream, scene);
    if (scene->before) scene->before(stream, scene);
    add_draw(stream, scene);
    if (scene->after) scene->after(stream, scene);
    add_frame(stream, scene);
}

/* ---- kinds: each sets what its drawings have of their own ---- */

static void set_mode(struct scene *scene, unsigned n) { scene->mode = n; }

static void set_lines(struct scene *scene, unsigned n)
{
    scene->mode = SCH_PRIMITIVE_TRIANGLES + n;
    scene->raster |= FILL_LINES;
}

static void set_points(struct scene *scene, unsigned n)
{
    scene->mode = SCH_PRIMITIVE_TRIANGLES + n;
    scene->raster |= FILL_POINTS | FLAT;
}

static void set_flat(struct scene *scene, unsigned n)
{
    scene->mode = n / 2;
    scene->raster |= FLAT | (n % 2 ? FLAT_FIRST : 0);
}

static void set_restart(struct scene *scene, unsigned n)
{
    scene->mode = n;
    scene->indexed = scene->restart = 1;
}

/* Triangles, strips, fans, quads, strips of them, polygons: with edges that are not drawn, and their corners. */
static void set_edges(struct scene *scene, unsigned n)
{
    scene->mode = SCH_PRIMITIVE_TRIANGLES + n / 2;
    scene->raster |= n % 2 ? FILL_POINTS | FLAT : FILL_LINES;
    scene->vertex = edge_vertex;
}

static void set_equation(struct scene *scene, unsigned n)
{
    scene->blend = ALL_CHANNELS | 1 | n << 1 | FACTOR_ONE << 4 | FACTOR_ONE << 9 | (4 - n) << 14 | FACTOR_ONE << 17 |
                   FACTOR_ONE << 22;
}

static const uint8_t factors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19, 20, 21, 23, 24, 25, 26};

static void set_factor(struct scene *scene, unsigned n)
{
    scene->blend = ALL_CHANNELS | 1 | ADD << 1 | (uint32_t)factors[n] << 4 | FACTOR_ONE << 9 |
                   (uint32_t)factors[n] << 17 | FACTOR_ZERO << 22;
    scene->fragment = dual_fragment;
}

static void set_destination(struct scene *scene, unsigned n)
{
    scene->blend = ALL_CHANNELS | 1 | ADD << 1 | FACTOR_ONE << 4 | (uint32_t)factors[n] << 9 | FACTOR_ONE << 17 |
                   (uint32_t)factors[n] << 22;
    scene->fragment = dual_fragment;
}

static void set_logic(struct scene *scene, unsigned n)
{
    scene->blend_flags = 2;
    scene->logic = n;
}

static void set_channels(struct scene *scene, unsigned n) { scene->blend = n << 27; }

static const uint16_t depth_formats[] = {F_Z16_UNORM, F_Z24_UNORM_S8_UINT, F_Z32_FLOAT, F_Z32_FLOAT_S8X24_UINT};

static void set_depth(struct scene *scene, unsigned n)
{
    scene->depth_format = depth_formats[n / 8];
    scene->depth_alpha = 3 | n % 8 << 2;
    scene->shows_depth = true;
}

static void set_stencil(struct scene *scene, unsigned n)
{
    scene->depth_format = F_Z24_UNORM_S8_UINT;
    scene->depth_alpha = 3 | 1 << 2;
    scene->stencil = 1 | (n / 8 ? n % 8 : 7) << 1 | (n / 8 ? 1 : n % 8) << 4 | (n / 8 ? 3 : n % 8) << 7 |
                     (n / 8 ? 4 : n % 8) << 10 | 0xffu << 13 | 0xffu << 21;
    scene->shows_depth = true;
}

static void set_alpha(struct scene *scene, unsigned n)
{
    scene->depth_alpha = 1 << 8 | n << 9;
    scene->alpha_reference = stream_float(0.5f);
}

static const uint16_t window_formats[] = {F_B8G8R8A8_UNORM, F_B8G8R8X8_UNORM, F_R8G8B8A8_SRGB,      F_B5G6R5_UNORM,
                                          F_B5G5R5A1_UNORM, F_B4G4R4A4_UNORM, F_R10G10B10A2_UNORM,  F_R8_UNORM,
                                          F_R8G8_UNORM,     F_R16_UNORM,      F_R16G16B16A16_UNORM, F_R8_SNORM,
                                          F_R8G8B8A8_SNORM, F_R16_FLOAT,      F_R16G16B16A16_FLOAT, F_R11G11B10_FLOAT,
                                          F_R32_FLOAT,      F_R32G32_FLOAT,   F_R32G32B32A32_FLOAT, F_R8G8B8A8_UINT,
                                          F_R16G16_SINT,    F_R32_UINT,       F_R32G32B32A32_UINT,  F_R10G10B10A2_UINT};

static void set_format(struct scene *scene, unsigned n)
{
    scene->format = window_formats[n];
    if (facts_of(scene->format).integers) scene->fragment = whole_fragment;
}

static void set_target(struct scene *scene, unsigned n)
{
    scene->texture_target = n + TEXTURE_1D;
    scene->levels = scene->texture_target == RECT ? 1 : 3;
    scene->sampler = 1 << 9 | 1 << 11 | 1 << 13 | 1 << 19;
}

static const uint16_t texture_formats[] = {
    F_R8_UNORM,          F_L8_UNORM,           F_A8_UNORM,         F_I8_UNORM,           F_L8A8_UNORM,
    F_B5G6R5_UNORM,      F_R8G8B8A8_SRGB,      F_R8G8B8A8_SNORM,   F_R16G16B16A16_UNORM, F_R9G9B9E5_FLOAT,
    F_R11G11B10_FLOAT,   F_R16G16B16A16_FLOAT, F_R32G32B32_FLOAT,  F_R32G32B32A32_FLOAT, F_Z24_UNORM_S8_UINT,
    F_R10G10B10A2_UNORM, F_R8G8B8A8_UINT,      F_R16G16B16A16_SINT};

static void set_texture_format(struct scene *scene, unsigned n)
{
    scene->texture_target = TEXTURE_2D;
    scene->texture_format = texture_formats[n];
    if (facts_of(scene->texture_format).integers) scene->sampler = 2 << 11 | 1 << 19;
}

/* Compressed ones, with levels that are smaller than a block. */
static const uint16_t block_formats[] = {F_DXT1_RGBA,       F_DXT3_RGBA,      F_DXT5_SRGBA,      F_RGTC1_UNORM,
                                         F_RGTC2_SNORM,     F_LATC1_SNORM,    F_LATC2_UNORM,     F_BPTC_RGBA_UNORM,
                                         F_BPTC_SRGBA,      F_BPTC_RGB_FLOAT, F_BPTC_RGB_UFLOAT, F_ETC1_RGB8,
                                         F_ETC2_SRGB8,      F_ETC2_RGB8A1,    F_ETC2_RGBA8,      F_ETC2_R11_SNORM,
                                         F_ETC2_RG11_UNORM, F_ASTC_4x4,       F_ASTC_8x5,        F_ASTC_12x12_SRGB};

static void set_block_format(struct scene *scene, unsigned n)
{
    static const uint8_t targets[] = {TEXTURE_2D, ARRAY_2D, CUBE, CUBE_ARRAY};
    scene->texture_target = targets[n % 4];
    scene->texture_format = block_formats[n];
    scene->levels = 3;
    if (n % 3) scene->sampler = 1 << 9 | 1 << 11 | 1 << 13 | 1 << 19; /* between levels, too */
    scene->lod_bias = stream_float(n % 3 == 2 ? 1.25f : 0);
}

static void set_wrap(struct scene *scene, unsigned n)
{
    scene->texture_target = TEXTURE_2D;
    scene->sampler |= n | (7 - n) << 3;
}

/* Nearest or linear when made smaller, between levels, and when made larger. */
static void set_filter(struct scene *scene, unsigned n)
{
    scene->texture_target = TEXTURE_2D;
    scene->levels = 5;
    scene->sampler = n % 2 << 9 | n / 2 % 3 << 11 | (n + 1) % 2 << 13 | 1 << 19 | (n / 6 ? 8u << 20 : 0);
    scene->lod_bias = stream_float(n / 6 ? 0.5f : 1.25f);
}

static void set_comparison(struct scene *scene, unsigned n)
{
    scene->texture_target = TEXTURE_2D;
    scene->texture_format = F_Z32_FLOAT;
    scene->sampler |= 1 << 15 | n << 16;
}

static const struct raster_case {
    uint32_t set, mode;
    float width, offset;
    uint32_t stipple;
    const char *vertex, *fragment;
} raster_cases[] = {
    {.set = CULL_FRONT},
    {.set = CULL_BACK},
    {.set = CULL_FRONT | FRONT_CCW},
    {.set = CULL_FRONT | CULL_BACK},
    {.set = TWO_SIDES, .vertex = back_vertex},
    {.set = TWO_SIDES | FRONT_CCW, .vertex = back_vertex},
    {.set = HALF_Z},
    {.set = BOTTOM_EDGE},
    {.set = STIPPLE},
    {.set = OFFSET, .offset = 2},
    {.set = OFFSET | FILL_LINES, .offset = -1},
    {.mode = SCH_PRIMITIVE_LINES, .width = 3},
    {.mode = SCH_PRIMITIVE_LINES, .width = 2.5f, .set = SMOOTH_LINES},
    {.mode = SCH_PRIMITIVE_LINE_STRIP, .set = STIPPLED_LINES, .stipple = 0x5a5a},
    {.mode = SCH_PRIMITIVE_LINES, .set = STIPPLED_LINES, .stipple = 0x0ff0 | 2 << 16, .width = 2},
    {.mode = SCH_PRIMITIVE_LINE_LOOP, .set = LAST_PIXEL},
    {.mode = SCH_PRIMITIVE_POINTS, .width = 6},
    {.mode = SCH_PRIMITIVE_POINTS, .set = SMOOTH_POINTS, .width = 6},
    {.mode = SCH_PRIMITIVE_POINTS, .set = SIZE_PER_VERTEX, .vertex = size_vertex},
    {.mode = SCH_PRIMITIVE_POINTS, .width = 9, .fragment = sprite_fragment},
    {.mode = SCH_PRIMITIVE_POINTS, .set = SPRITE_LOWER_LEFT, .width = 9, .fragment = sprite_fragment},
    {.fragment = kill_fragment},
    {.vertex = clip_vertex},
    {.vertex = moved_vertex},
};

static void add_stipple(struct stream *stream, const struct scene *scene)
{
    uint32_t rows[32], seed = 3;
    (void)scene;
    for (unsigned n = 0; n < 32; n++) rows[n] = random_word(&seed) * 257;
    stream_command(stream, SCH_VIRGL_SET_POLYGON_STIPPLE, 0, 32, rows);
}

static void set_raster(struct scene *scene, unsigned n)
{
    const struct raster_case *of = &raster_cases[n];
    scene->raster |= of->set;
    if (of->mode || of->width > 0 || of->vertex == size_vertex) scene->mode = of->mode;
    if (of->width > 0) scene->line_width = scene->point_size = of->width;
    if (of->stipple) scene->stipple = of->stipple;
    if (of->vertex) scene->vertex = of->vertex;
    if (of->fragment) scene->fragment = of->fragment;
    if (of->vertex == clip_vertex) scene->clip_planes = 0xf;
    if (of->vertex == moved_vertex) scene->instances = 3;
    scene->offset_units = scene->offset_scale = of->offset;
    scene->depth_format = F_Z24_UNORM_S8_UINT;
    scene->depth_alpha = 3 | 1 << 2;
    scene->shows_depth = true;
    scene->before = add_stipple;
}

/* Near and far are clipped at, or clamped to: the wire has one bit for both. With depths from -w and from 0. */
static void set_clip(struct scene *scene, unsigned n)
{
    scene->raster = HALF_PIXEL | (n % 2 ? DEPTH_CLIP : 0) | (n / 2 ? HALF_Z : 0);
    scene->depth_format = F_Z32_FLOAT;
    scene->depth_alpha = 3 | 7 << 2;
    scene->vertex = deep_vertex;
    scene->fragment = n == 3 ? depth_fragment : plain_fragment;
    scene->shows_depth = true;
}

static void set_samples(struct scene *scene, unsigned n)
{
    static const uint32_t masks[] = {0xffffffff, 5};
    scene->samples = 2u << n / 3;
    scene->raster |= MULTISAMPLE;
    scene->mask = masks[n % 3 == 1];
    if (n % 3 == 2) scene->blend_flags = 8; /* alpha to coverage */
    if (n % 3 == 0) scene->fragment = sample_fragment;
}

static void add_planes(struct stream *stream, const struct scene *scene)
{
    uint32_t planes[32] = {0};
    (void)scene;
    planes[0] = planes[5] = planes[8] = stream_float(1);
    planes[9] = stream_float(-1);
    planes[3] = planes[7] = planes[11] = stream_float(0.25f);
    stream_command(stream, SCH_VIRGL_SET_CLIP_STATE, 0, 32, planes);
}

static void add_scissor(struct stream *stream, const struct scene *scene)
{
    (void)scene;
    STREAM(stream, SET_SCISSOR_STATE, 0, 0, 5 | 7 << 16, 27 | 19 << 16);
}

static void add_viewports(struct stream *stream, const struct scene *scene)
{
    const uint32_t quarter = stream_float(SIDE / 4), far = stream_float(SIDE * 3 / 4), half = stream_float(0.5f);
    (void)scene;
    STREAM(stream, SET_VIEWPORT_STATE, 0, 0, quarter, quarter, half, quarter, quarter, half, quarter, quarter, half,
           far, far, half);
}

/* Geometry shaders, tessellation, layers and viewports that a vertex shader chooses, planes, the scissor. */
static void set_stages(struct scene *scene, unsigned n)
{
    if (n == 0 || n == 1) scene->geometry = pass_geometry;
    if (n == 1) scene->mode = SCH_PRIMITIVE_TRIANGLE_STRIP;
    if (n == 2 || n == 3) {
        scene->mode = SCH_PRIMITIVE_PATCHES;
        scene->patch_vertices = 3;
        scene->vertex = patch_vertex;
        scene->control = patch_control;
        scene->evaluation = patch_evaluation;
        scene->raster |= n == 3 ? FILL_LINES : 0;
    }
    if (n == 4) scene->layers = scene->instances = 2, scene->vertex = layer_vertex;
    if (n == 5) scene->instances = 2, scene->vertex = viewport_vertex, scene->before = add_viewports;
    if (n == 6) scene->clip_planes = 7, scene->before = add_planes;
    if (n == 7) scene->raster |= SCISSOR, scene->before = add_scissor;
}

/* One for each statistic of the pipeline. */
static uint32_t query_count(const struct scene *scene) { return scene->start == 10 ? 11 : 1; }

static void begin_query(struct stream *stream, const struct scene *scene)
{
    const struct sch_virgl_resource_options options = {
        .format = F_R8_UNORM, .bind = SHOWN, .width = 256, .height = 1, .depth = 1, .layers = 1};
    stream_resource(stream, RESULTS, &options);
    stream_attach(stream, RESULTS, 256);
    for (uint32_t n = 0; n < query_count(scene); n++) {
        STREAM(stream, CREATE_OBJECT, OBJECT_QUERY, 60 + n, scene->start | n << 16, 0, RESULTS);
        STREAM(stream, BEGIN_QUERY, 0, 60 + n);
    }
}

/* What was counted goes into a buffer, which is shown as the window is. */
static void end_query(struct stream *stream, const struct scene *scene)
{
    for (uint32_t n = 0; n < query_count(scene); n++) {
        STREAM(stream, END_QUERY, 0, 60 + n);
        STREAM(stream, GET_QUERY_RESULT_QBO, 0, 60 + n, RESULTS, 1, SCH_QUERY_U64, 8 * n, n);
    }
    stream_submit(stream);
    stream_get(stream, RESULTS, 0, (struct sch_virgl_box){0, 0, 0, 256, 1, 1});
}

/* Occlusion, primitives, pipeline statistics: the number of the query is where the draw begins, which does no harm. */
static void set_query(struct scene *scene, unsigned n)
{
    static const uint8_t queries[] = {0, 1, 5, 10};
    scene->start = queries[n];
    scene->before = begin_query;
    scene->after = end_query;
}

static const uint32_t all_outputs[] = {12, 0, 0, 0, 4u << 10, 0, 4u << 10 | 1 | 4u << 16, 0, 4u << 10 | 2 | 8u << 16,
                                       0};

static void begin_stream(struct stream *stream, const struct scene *scene)
{
    const struct sch_virgl_resource_options options = {
        .format = F_R8_UNORM, .bind = SHOWN, .width = 8192, .height = 1, .depth = 1, .layers = 1};
    (void)scene;
    stream_resource(stream, RESULTS, &options);
    stream_attach(stream, RESULTS, 8192);
    STREAM(stream, CREATE_OBJECT, OBJECT_STREAMOUT_TARGET, 61, RESULTS, 0, 8192);
    STREAM(stream, SET_STREAMOUT_TARGETS, 0, 0, 61);
}

static void end_stream(struct stream *stream, const struct scene *scene)
{
    (void)scene;
    STREAM(stream, SET_STREAMOUT_TARGETS, 0, 0);
    stream_submit(stream);
    stream_get(stream, RESULTS, 0, (struct sch_virgl_box){0, 0, 0, 8192, 1, 1});
}

static void set_stream(struct scene *scene, unsigned n)
{
    static const uint8_t modes[] = {SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_TRIANGLE_STRIP, SCH_PRIMITIVE_QUADS};
    scene->mode = modes[n];
    scene->outputs = all_outputs;
    scene->output_count = 3;
    scene->before = begin_stream;
    scene->after = end_stream;
}

/* ---- commands that are no draws ---- */

static void clear_texture(struct stream *stream, const struct scene *scene)
{
    (void)scene;
    STREAM(stream, CLEAR_TEXTURE, 0, WINDOW, 0, 4, 6, 0, 9, 11, 1, 0xff3060c0, 0, 0, 0);
}

static void copy_region(struct stream *stream, const struct scene *scene)
{
    (void)scene;
    STREAM(stream, RESOURCE_COPY_REGION, 0, WINDOW, 0, 17, 1, 0, WINDOW, 0, 2, 3, 0, 12, 13, 1);
}

/* A part that is made larger, mirrored, and cut. */
static void blit_part(struct stream *stream, const struct scene *scene)
{
    add_target(stream, MORE, scene->format, scene, false);
    STREAM(stream, BLIT, 0, 0xf | 1 << 8 | 1 << 10, 4 | 2 << 16, 30 | 27 << 16, MORE, 0, scene->format, 0, 0, 0, SIDE,
           SIDE, 1, WINDOW, 0, scene->format, 24, 4, 0, 0xfffffff0, 20, 1);
    stream_submit(stream);
    stream_get(stream, MORE, 0, (struct sch_virgl_box){0, 0, 0, SIDE, SIDE, 1});
}

static void write_inline(struct stream *stream, const struct scene *scene)
{
    (void)scene;
    STREAM(stream, RESOURCE_INLINE_WRITE, 0, WINDOW, 0, 0, 8, 0, 3, 5, 0, 2, 3, 1, 0xff0000ff, 0xff00ff00, 0xffff0000,
           0xff00ffff, 0xffff00ff, 0xffffff00);
}

/* From the window's memory, and from that of another resource. */
static void transfer_texels(struct stream *stream, const struct scene *scene)
{
    uint32_t texels[64], seed = 9;
    (void)scene;
    for (unsigned n = 0; n < 64; n++) texels[n] = random_word(&seed) * 257;
    stream_submit(stream);
    stream_memory(stream, WINDOW, 256, texels, sizeof texels);
    stream_memory(stream, VERTICES, 0, texels, sizeof texels);
    STREAM(stream, TRANSFER3D, 0, WINDOW, 0, 0, 32, 0, 2, 2, 0, 8, 8, 1, 256, 1);
    STREAM(stream, COPY_TRANSFER3D, 0, WINDOW, 0, 0, 16, 0, 20, 12, 0, 4, 12, 1, VERTICES, 16, 1);
}

/* A grid stores into the window. */
static void launch_grid(struct stream *stream, const struct scene *scene)
{
    static const char text[] =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
        "DCL SV[0], BLOCK_ID\nDCL SV[1], THREAD_ID\nDCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\nDCL TEMP[0..1]\n"
        "IMM[0] UINT32 {8, 4, 1, 0}\nIMM[1] FLT32 {0.03125, 0.0625, 0.5, 1.0}\n"
        "  0: UMAD TEMP[0], SV[0], IMM[0], SV[1]\n  1: U2F TEMP[1], TEMP[0]\n  2: MUL TEMP[1], TEMP[1].xyzz, IMM[1]\n"
        "  3: STORE IMAGE[0], TEMP[0], TEMP[1], 2D, PIPE_FORMAT_R8G8B8A8_UNORM\n  4: END\n";
    stream_shader(stream, 50 + STAGE_COMPUTE, STAGE_COMPUTE, text, NULL, 0);
    STREAM(stream, SET_SHADER_IMAGES, 0, STAGE_COMPUTE, 0, scene->format, 2, 0, 0, WINDOW);
    STREAM(stream, LAUNCH_GRID, 0, 8, 4, 1, 2, 5, 1, 0, 0);
}

/* What is drawn on the condition that nothing was seen, and that something was: behind the scene's own draw. */
static void draw_conditionally(struct stream *stream, const struct scene *scene)
{
    begin_query(stream, scene);
    STREAM(stream, END_QUERY, 0, 60);
    for (uint32_t inverted = 0; inverted < 2; inverted++) {
        STREAM(stream, SET_RENDER_CONDITION, 0, 60, inverted, 0);
        STREAM(stream, DRAW_VBO, 0, 24, 9 - 6 * inverted, scene->mode, 0, 1, 0, 0, 0, 0, 0, 0xffffffff, 0);
    }
    STREAM(stream, SET_RENDER_CONDITION, 0, 0, 0, 0);
}

static void draw_indirectly(struct stream *stream, const struct scene *scene)
{
    static const uint32_t arguments[] = {6, 2, 24, 0, 9, 1, 33, 0};
    add_buffer(stream, MORE, VERTICES_BIND, arguments, sizeof arguments);
    STREAM(stream, DRAW_VBO, 0, 0, 0, scene->mode, 0, 0, 0, 0, 0, 0, 0, 0xffffffff, 0, 0, 0, MORE, 0, 16, 2, 0, 0);
}

/* Another context clears a part of the window by its own state, and the first one goes on with its own. */
static void change_contexts(struct stream *stream, const struct scene *scene)
{
    STREAM(stream, CREATE_SUB_CTX, 0, 2);
    STREAM(stream, SET_SUB_CTX, 0, 2);
    STREAM(stream, CREATE_OBJECT, OBJECT_SURFACE, 1, WINDOW, scene->format, 0, 0);
    STREAM(stream, SET_FRAMEBUFFER_STATE, 0, 1, 0, 1);
    STREAM(stream, CLEAR, 0, 4, stream_float(0.5f), 0, 0, stream_float(1), 0, 0, 0);
    STREAM(stream, SET_SUB_CTX, 0, 0);
    add_draw(stream, scene);
    STREAM(stream, DESTROY_SUB_CTX, 0, 2);
}

static void (*const commands[])(struct stream *stream, const struct scene *scene) = {
    clear_texture, copy_region,        blit_part,       write_inline,   transfer_texels,
    launch_grid,   draw_conditionally, draw_indirectly, change_contexts};

static void set_command(struct scene *scene, unsigned n) { scene->after = commands[n]; }

/* ---- the table ---- */

static const struct kind {
    struct scene_kind known;
    void (*set)(struct scene *scene, unsigned n);
} kinds[] = {
    {{"primitives", 14}, set_mode},
    {{"outlines", 6}, set_lines},
    {{"corners", 6}, set_points},
    {{"flat", 20}, set_flat},
    {{"restart", 14}, set_restart},
    {{"edge_flags", 12}, set_edges},
    {{"equations", 5}, set_equation},
    {{"source_factors", 19}, set_factor},
    {{"destination_factors", 19}, set_destination},
    {{"logic", 16}, set_logic},
    {{"channels", 16}, set_channels},
    {{"depth", 32}, set_depth},
    {{"stencil", 16}, set_stencil},
    {{"alpha", 8}, set_alpha},
    {{"windows", sizeof window_formats / 2}, set_format},
    {{"targets", 8}, set_target},
    {{"textures", sizeof texture_formats / 2}, set_texture_format},
    {{"blocks", sizeof block_formats / 2}, set_block_format},
    {{"wraps", 8}, set_wrap},
    {{"filters", 12}, set_filter},
    {{"comparisons", 8}, set_comparison},
    {{"rasterizer", sizeof raster_cases / sizeof *raster_cases}, set_raster},
    {{"depth_clip", 4}, set_clip},
    {{"samples", 9}, set_samples},
    {{"stages", 8}, set_stages},
    {{"queries", 4}, set_query},
    {{"stream_output", 3}, set_stream},
    {{"commands", sizeof commands / sizeof *commands}, set_command},
};

const struct scene_kind *scene_kind(unsigned index)
{
    return index < sizeof kinds / sizeof *kinds ? &kinds[index].known : NULL;
}

void scene_write(struct stream *stream, unsigned kind, unsigned number)
{
    struct scene scene = plain;
    kinds[kind].set(&scene, number);
    write_scene(stream, &scene);
}
