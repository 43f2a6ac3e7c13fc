/* What the server reports to a client that it can do (struct virgl_caps_v2 of Mesa 22.3, whose end newer ones have
 * lengthened; bits are those of Mesa 25.0). Nothing is reported that does not work: formats are those of the library.
 * docs/opengl.md says what is left out. */
#include <stdio.h>
#include <string.h>

#include "client.h"

struct format_mask {
    uint32_t words[16]; /* a bit for each number of formats.def */
};

/* Words in the protocol's order; those that are not set are 0. */
struct capabilities {
    uint32_t max_version;
    struct format_mask sampler, render, depth_stencil, vertex;
    uint32_t features; /* enum feature */
    uint32_t glsl_level, max_array_layers, max_stream_buffers, max_dual_source_targets, max_render_targets, max_samples;
    uint32_t primitives, max_buffer_texels, max_uniform_blocks, max_viewports, max_gather_components;
    /* Version 2. */
    float min_point, max_point, min_smooth_point, max_smooth_point;
    float min_line, max_line, min_smooth_line, max_smooth_line, max_lod_bias;
    uint32_t max_geometry_vertices, max_geometry_components, max_vertex_outputs, max_vertex_inputs, max_patch_varyings;
    int32_t min_texel_offset, max_texel_offset, min_gather_offset, max_gather_offset;
    uint32_t texel_buffer_alignment, uniform_buffer_alignment, shader_buffer_alignment;
    uint32_t bits; /* enum bit */
    uint32_t sample_locations[8];
    uint32_t max_stride;
    uint32_t max_buffers_fragment_compute, max_buffers_other, max_images_fragment_compute, max_images_other;
    uint32_t max_image_samples, max_invocations, max_shared_bytes, max_grid[3], max_block[3];
    uint32_t max_side_2d, max_side_3d, max_side_cube, max_combined_buffers;
    uint32_t max_counters[STAGES], max_counter_buffers[STAGES], max_combined_counters, max_combined_counter_buffers;
    uint32_t feature_version;
    struct format_mask readback, scanout;
    uint32_t bits_2, video_memory;
    char renderer[64];
    float max_anisotropy;
    uint32_t max_sampler_views;
    struct format_mask multisampled;
    uint32_t max_constant_bytes[STAGES];
    uint32_t video_count, video[128];
    uint32_t max_uniform_block_bytes;
};
_Static_assert(sizeof(struct capabilities) == SCH_VIRGL_CAPABILITIES_2, "the protocol's struct virgl_caps_v2");
_Static_assert(offsetof(struct capabilities, min_point) == SCH_VIRGL_CAPABILITIES_1, "struct virgl_caps_v1");

/* struct virgl_caps_bool_set1: all of its 32 bits are true of this server. */
enum { ALL_FEATURES = -1 };

/* VIRGL_CAP_*. What is left out: INVARIANT (0; no meaning here), a log that the guest may start (14), OpenGL ES (19),
 * three-dimensional ASTC (24), tweaks (28), emulated BGRA (29), coherent storage (31; it needs blobs). */
enum {
    BITS = (1u << 30 | ((1u << 28) - 1)) & ~(1u << 0 | 1u << 14 | 1u << 19 | 1u << 24),
    BOTH_WAYS = 1 << 7, /* COPY_TRANSFER */
    STRING_MARKER = 1 << 4,
    SEPARABLE = 1 << 9,
    SHADOW_LOD = 1 << 10,
    /* What Mesa 22.3 has no bits for. */
    VERTEX_LAYER = 1 << 11,
    VERTEX_VIEWPORT = 1 << 12,
    STATISTICS = 1 << 13,
    DRAW_PARAMETERS = 1 << 14,
    GROUP_VOTE = 1 << 15,
    BITS_2 = BOTH_WAYS | STRING_MARKER | SEPARABLE | SHADOW_LOD | VERTEX_LAYER | VERTEX_VIEWPORT | STATISTICS |
             DRAW_PARAMETERS | GROUP_VOTE,
    SAMPLES = 8,          /* of 16, of which some lie on the edge of their pixel: OpenGL's tests do not expect that */
    FEATURE_VERSION = 13, /* texture coordinates have the semantic TEXCOORD; sizes of constant buffers are sent */
    PRIMITIVES = (1 << (SCH_PRIMITIVE_PATCHES + 1)) - 1 /* all */
};

/* ---- formats ---- */

static void add(struct format_mask *mask, uint32_t number) { mask->words[number / 32] |= 1u << number % 32; }

static bool is_plain(const struct sch_format_info *facts)
{
    return facts->block_width == 1 && facts->block_height == 1;
}

/* Clients have no texture of such, and make 32 bits of what vertices have. */
static bool is_wide(const struct sch_format_info *facts) { return facts->color_bits[0] == 64; }

/* Blocks of several rows are read back as they are, since clients that may not would compress what they draw. Those of
 * two texels in a row are drawn, and then read. */
static bool is_compressed(const struct sch_format_info *facts) { return facts->block_height > 1; }

/* Three components of 8 or 16 bits. Clients know no texture of three normalised components, and take four for RGB8;
 * what they take for RGB8UI must have as many bytes, since OpenGL has views and copies between them (8.18). */
static bool is_odd(const struct sch_format_info *facts) { return facts->block_bytes == 3 || facts->block_bytes == 6; }

static bool is_vertex_format(struct sch_context *context, enum sch_format format)
{
    const struct sch_vertex_element element = {.format = format};
    struct sch_vertex_elements *made = NULL;
    const enum sch_result result = sch_vertex_elements_create(context, &element, 1, sizeof element, NULL, &made);
    sch_vertex_elements_destroy(made);
    return result == SCH_OK;
}

static void add_formats(const struct sch_virgl *virgl, struct capabilities *made)
{
    add(&made->multisampled, 0); /* a framebuffer without buffers has samples, too: clients ask for format 0 */
    for (uint32_t number = 1; number < 512; number++) {
        struct sch_format_info facts = {.size = sizeof facts};
        const enum sch_format format = sch_virgl_format(number);
        if (format == SCH_FORMAT_NONE || sch_format_get_info(format, &facts) != SCH_OK || !facts.block_bytes) continue;
        if (is_wide(&facts)) continue;
        const bool drawn = facts.uses & SCH_USE_RENDER_TARGET, tested = facts.uses & SCH_USE_DEPTH_STENCIL;
        if (is_vertex_format(virgl->options.context, format)) add(&made->vertex, number);
        if (is_odd(&facts)) continue;
        if (facts.uses & SCH_USE_SAMPLED) add(&made->sampler, number);
        if (drawn) add(&made->render, number);
        if (tested) add(&made->depth_stencil, number);
        if (drawn && is_plain(&facts)) add(&made->scanout, number);
        if (drawn || tested) add(&made->multisampled, number);
        if (is_plain(&facts) || is_compressed(&facts)) add(&made->readback, number);
    }
}

/* ---- numbers ---- */

/* Two, four, eight and sixteen samples, a byte each: x in the high half, y in the low one, in sixteenths of a pixel. */
static void add_sample_locations(struct capabilities *made)
{
    static const struct {
        uint32_t samples, word;
    } patterns[] = {{2, 0}, {4, 1}, {8, 2}, {16, 4}};
    for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (uint32_t n = 0; n < patterns[p].samples; n++) {
            float at[2] = {0, 0};
            sch_sample_position(patterns[p].samples, n, at);
            const uint32_t byte = (uint32_t)(at[0] * 16) << 4 | (uint32_t)(at[1] * 16);
            made->sample_locations[patterns[p].word + n / 4] |= byte << 8 * (n % 4);
        }
}

static void add_stages(struct capabilities *made)
{
    for (unsigned stage = 0; stage < STAGES; stage++) {
        made->max_counters[stage] = 4096;
        made->max_counter_buffers[stage] = 8;
        made->max_constant_bytes[stage] = 65536;
    }
    made->max_combined_counters = 4096;
    made->max_combined_counter_buffers = 8;
}

static void add_numbers(struct capabilities *made)
{
    *made = (struct capabilities){
        .max_version = 2,
        .features = (uint32_t)ALL_FEATURES,
        .glsl_level = 450,
        .max_array_layers = SCH_FRAMEBUFFER_LAYERS,
        .max_stream_buffers = SCH_STREAM_BUFFERS,
        .max_dual_source_targets = 1,
        .max_render_targets = SCH_COLOR_BUFFERS,
        .max_samples = SAMPLES,
        .primitives = PRIMITIVES,
        .max_buffer_texels = 1 << 23, /* of 16 bytes, in a buffer of at most 2^27 */
        .max_uniform_blocks = CONSTANT_BUFFERS,
        .max_viewports = SCH_VIEWPORTS,
        .max_gather_components = 4,
        .min_point = 1,
        .max_point = SCH_POINT_SIZE_MAX,
        .min_smooth_point = 1,
        .max_smooth_point = SCH_POINT_SIZE_MAX,
        .min_line = 1,
        .max_line = SCH_LINE_WIDTH_MAX,
        .min_smooth_line = 1,
        .max_smooth_line = SCH_LINE_WIDTH_MAX,
        .max_lod_bias = 16,
        .max_geometry_vertices = 256,
        .max_geometry_components = 1024,
        .max_vertex_outputs = 32,
        .max_vertex_inputs = 16,
        .max_patch_varyings = 32,
        .min_texel_offset = -8,
        .max_texel_offset = 7,
        .min_gather_offset = -8,
        .max_gather_offset = 7,
        .texel_buffer_alignment = 16,
        .uniform_buffer_alignment = 16,
        .shader_buffer_alignment = 16,
        .bits = BITS,
        .max_stride = 2048,
        .max_buffers_fragment_compute = 16,
        .max_buffers_other = 16,
        .max_images_fragment_compute = 16,
        .max_images_other = 16,
        .max_image_samples = SAMPLES,
        .max_invocations = 1024,
        .max_shared_bytes = 32768,
        .max_grid = {65535, 65535, 65535},
        .max_block = {1024, 1024, 64},
        .max_side_2d = SCH_FRAMEBUFFER_SIDE,
        .max_side_3d = 2048,
        .max_side_cube = SCH_FRAMEBUFFER_SIDE,
        .max_combined_buffers = 96,
        .feature_version = FEATURE_VERSION,
        .bits_2 = BITS_2,
        .max_anisotropy = 16,
        .max_sampler_views = 32,
        .max_uniform_block_bytes = 65536,
    };
}

void sch_virgl_get_capabilities(const struct sch_virgl *virgl, void *to, size_t bytes)
{
    struct capabilities made;
    add_numbers(&made);
    add_sample_locations(&made);
    add_stages(&made);
    add_formats(virgl, &made);
    snprintf(made.renderer, sizeof made.renderer, "Scheelite %s", sch_version());
    memcpy(to, &made, bytes < sizeof made ? bytes : sizeof made);
}
