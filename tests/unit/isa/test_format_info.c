/* What formats and resources say of themselves: sides and counts against docs/texture.md, bits against the rows of the
 * format list, and uses against what the calls accept that are behind them. */
#include "../support/block_reference.h"
#include "../support/resource_support.h"

/* ---- resources ---- */

static void resources_say_what_they_are(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const struct shape *shape = &shapes[i];
        struct sch_resource *resource = make(context, shape, SCH_FORMAT_R16G16_SNORM);
        struct sch_resource_info info = {.size = sizeof info};
        for (uint32_t level = 0; level < shape->levels; level++) {
            assert_int_equal(sch_resource_get_info(resource, level, &info), SCH_OK);
            assert_int_equal(info.size, sizeof info);
            assert_int_equal(info.target, shape->target);
            assert_int_equal(info.format, SCH_FORMAT_R16G16_SNORM);
            assert_int_equal(info.width, halved(shape->width, level));
            assert_int_equal(info.height, halved(shape->height, level));
            assert_int_equal(info.depth, halved(shape->depth, level));
            assert_int_equal(info.layers, shape->layers);
            assert_int_equal(info.levels, shape->levels);
            assert_int_equal(info.samples, shape->samples);
        }
        assert_int_equal(sch_resource_get_info(resource, shape->levels, &info), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_resource_get_info(resource, UINT32_MAX, &info), SCH_ERROR_ARGUMENT);
        info.size = 4;
        assert_int_equal(sch_resource_get_info(resource, 0, &info), SCH_ERROR_ARGUMENT);
        sch_resource_destroy(resource);
    }
    struct sch_resource_info info = {.size = sizeof info};
    assert_int_equal(sch_resource_get_info(NULL, 0, &info), SCH_ERROR_ARGUMENT);
    sch_context_destroy(context);
}

/* The greatest number of levels that a resource is made with. */
static void full_levels_end_at_one_texel(void **state)
{
    (void)state;
    static const struct {
        struct shape shape;
        uint32_t levels;
    } cases[] = {
        {{SCH_TARGET_1D, 1, 1, 1, 1, 1, 1}, 1},          {{SCH_TARGET_1D, 2, 1, 1, 1, 1, 1}, 2},
        {{SCH_TARGET_1D, 3, 1, 1, 1, 1, 1}, 2},          {{SCH_TARGET_1D_ARRAY, 4, 1, 1, 9, 1, 1}, 3},
        {{SCH_TARGET_2D, 5, 17, 1, 1, 1, 1}, 5},         {{SCH_TARGET_2D_ARRAY, 16, 15, 1, 40, 1, 1}, 5},
        {{SCH_TARGET_3D, 2, 3, 9, 1, 1, 1}, 4},          {{SCH_TARGET_CUBE, 16384, 16384, 1, 6, 1, 1}, 15},
        {{SCH_TARGET_CUBE_ARRAY, 7, 7, 1, 12, 1, 1}, 3}, {{SCH_TARGET_RECT, 16, 16, 1, 1, 1, 1}, 1},
        {{SCH_TARGET_BUFFER, 64, 1, 1, 1, 1, 1}, 1},     {{SCH_TARGET_2D_MSAA, 8, 8, 1, 1, 1, 4}, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_resource_options options = options_of(&cases[i].shape, SCH_FORMAT_R8_UNORM);
        assert_int_equal(sch_resource_full_levels(&options), cases[i].levels);
        options.levels = UINT32_MAX;
        assert_int_equal(sch_resource_full_levels(&options), cases[i].levels);
    }
    struct sch_resource_options options = options_of(&cases[0].shape, SCH_FORMAT_R8_UNORM);
    options.target = SCH_TARGET_SHADOW2D;
    assert_int_equal(sch_resource_full_levels(&options), 0);
    options.target = (enum sch_target)99;
    assert_int_equal(sch_resource_full_levels(&options), 0);
    options.size = 3;
    assert_int_equal(sch_resource_full_levels(&options), 0);
    assert_int_equal(sch_resource_full_levels(NULL), 0);
    struct sch_resource_options empty = {.size = sizeof empty, .target = SCH_TARGET_2D};
    assert_int_equal(sch_resource_full_levels(&empty), 1);
}

/* ---- formats ---- */

/* Rows of the format list. */
static const struct {
    const char *name;
    int number;
    unsigned width, height, depth;
    const char *channels, *swizzle, *space;
} listed[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    {#name, number, width, height, depth, channels, swizzle, #space},
#include "isa/formats.def"
#undef FORMAT
};

/* Bits of channel `wanted` of a row, 0 of void ones; of all channels for 'a'. */
static unsigned bits_of(size_t row, char wanted)
{
    unsigned all = 0, channel = 0;
    for (const char *c = listed[row].channels; *c; channel++) {
        const bool none = *c == 'x';
        unsigned bits = 0;
        while (*c < '0' || *c > '9') c++;
        for (; *c >= '0' && *c <= '9'; c++) bits = 10 * bits + (unsigned)(*c - '0');
        all += bits;
        if ("xyzw"[channel] == wanted) return none ? 0 : bits;
        while (*c == ' ') c++;
    }
    return wanted == 'a' ? all : 0;
}

/* What the numbers are of the first component that a row names: by its channel's letters; where they say nothing, as of
 * blocks, by the name. */
static enum sch_component_type type_of(size_t row)
{
    static const char *const words[] = {"", "un", "sn", "u", "s", "h", "up", "sp", "f"};
    const char *c = listed[row].channels, *name = listed[row].name;
    for (size_t skip = strcspn("xyzw", (const char[]){listed[row].swizzle[strspn(listed[row].swizzle, "01_")], 0});
         skip > 0; skip--) {
        c += strcspn(c, " ");
        c += strspn(c, " ");
    }
    const size_t letters = strspn(c, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 1; i < COUNT(words); i++)
        if (strlen(words[i]) == letters && memcmp(words[i], c, letters) == 0) return (enum sch_component_type)i;
    if (strstr(name, "SNORM")) return SCH_COMPONENT_SNORM;
    const bool halves = strncmp(name, "ASTC", 4) == 0 && !strstr(name, "SRGB");
    return halves || strstr(name, "FLOAT") ? SCH_COMPONENT_FLOAT : SCH_COMPONENT_UNORM;
}

/* Of compressed blocks those of a decoded texel. */
static unsigned block_bits(const struct block_facts *block, char wanted)
{
    const char *place = strchr("xyzw", wanted);
    return place && (unsigned)(place - "xyzw") < block->channels ? block->bits : 0;
}

static void formats_have_the_bits_of_their_rows(void **state)
{
    (void)state;
    unsigned read = 0;
    for (size_t i = 0; i < COUNT(listed); i++) {
        struct sch_format_info info = {.size = sizeof info};
        assert_int_equal(sch_format_get_info((enum sch_format)listed[i].number, &info), SCH_OK);
        assert_string_equal(info.name, listed[i].name);
        assert_int_equal(info.size, sizeof info);
        if (!info.block_bytes) {
            const bool vertices = strncmp(info.name, "R64", 3) == 0; /* of three and four components */
            assert_int_equal(info.uses, vertices ? SCH_USE_VERTICES : 0);
            assert_int_equal(info.parts, 0);
            continue;
        }
        read++;
        const bool depth = strcmp(listed[i].space, "ZS") == 0;
        assert_int_equal(info.block_width, listed[i].width);
        assert_int_equal(info.block_height, listed[i].height);
        assert_int_equal(info.block_depth, listed[i].depth);
        assert_int_equal(8 * info.block_bytes, bits_of(i, 'a'));
        const struct block_facts *block = block_facts_of(listed[i].name);
        for (unsigned c = 0; c < 4; c++) {
            const unsigned own = bits_of(i, listed[i].swizzle[c]);
            const unsigned shared = c < 3 ? 2 * info.block_bytes : 0; /* of subsampled ones */
            const bool single = strcmp(info.name, "R1_UNORM") == 0;
            const unsigned decoded = block ? block_bits(block, listed[i].swizzle[c]) : 0;
            const unsigned bits = block ? decoded : single ? c == 0 : listed[i].width == 2 ? shared : own;
            if (info.color_bits[c] != (depth ? 0 : bits))
                fail_msg("%s: component %u has %u bits", info.name, c, info.color_bits[c]);
        }
        assert_int_equal(info.depth_bits, depth ? bits_of(i, listed[i].swizzle[0]) : 0);
        assert_int_equal(info.stencil_bits, depth ? bits_of(i, listed[i].swizzle[1]) : 0);
        assert_int_equal(info.parts,
                         depth ? (info.depth_bits ? SCH_PART_DEPTH : 0) | (info.stencil_bits ? SCH_PART_STENCIL : 0)
                               : SCH_PART_COLOR);
        const bool integers =
            !info.depth_bits && (strstr(listed[i].channels, "up") || strstr(listed[i].channels, "sp"));
        assert_int_equal(info.integers, integers);
        assert_int_equal(info.is_signed, integers && strstr(listed[i].channels, "sp"));
        assert_int_equal(info.srgb, strcmp(listed[i].space, "SRGB") == 0);
        if (info.component_type != type_of(i)) fail_msg("%s: numbers of type %d", info.name, info.component_type);
    }
    print_message("# %u formats are read\n", read);
    assert_true(read > 200);
    struct sch_format_info info = {.size = sizeof info};
    assert_int_equal(sch_format_get_info((enum sch_format) - 1, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_format_get_info((enum sch_format)65536, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_format_get_info(SCH_FORMAT_R8_UNORM, NULL), SCH_ERROR_ARGUMENT);
    info.size = 0;
    assert_int_equal(sch_format_get_info(SCH_FORMAT_R8_UNORM, &info), SCH_ERROR_ARGUMENT);
}

static void fetch_of_linear(struct sch_context *context, struct sch_resource *resource, enum sch_filter filter,
                            uint32_t result[4])
{
    const struct sch_sampler_options options = {
        .size = sizeof options, .min_filter = filter, .mag_filter = filter, .wrap_s = SCH_WRAP_CLAMP_TO_EDGE};
    const struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_SAMPLE, .at = {0.3f, 0.5f}};
    struct sch_sampler *sampler;
    struct sch_view *view;
    assert_int_equal(sch_sampler_create(context, &options, NULL, &sampler), SCH_OK);
    assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
    assert_int_equal(sch_lookup_run(view, sampler, &lookup, 1, 0, (uint32_t(*)[4])result), SCH_OK);
    sch_view_destroy(view);
    sch_sampler_destroy(sampler);
}

/* Two texels of which the second is not 0: halfway between them a linear filter shows neither. */
static bool is_filtered(struct sch_context *context, struct sch_resource *resource)
{
    uint8_t texels[3 * 16];
    const size_t bytes = sch_resource_bytes(resource);
    uint32_t nearest[4], linear[4];
    assert_true(bytes <= sizeof texels);
    memset(texels, 0, bytes);
    memset(texels + bytes / 3, 0x11, bytes / 3);
    assert_int_equal(sch_resource_write_all(resource, texels, bytes), SCH_OK);
    fetch_of_linear(context, resource, SCH_FILTER_NEAREST, nearest);
    fetch_of_linear(context, resource, SCH_FILTER_LINEAR, linear);
    return memcmp(nearest, linear, sizeof nearest) != 0;
}

static void uses_are_what_calls_accept(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    unsigned counts[9] = {0};
    for (size_t i = 0; i < COUNT(listed); i++) {
        struct sch_format_info info = {.size = sizeof info};
        assert_int_equal(sch_format_get_info((enum sch_format)listed[i].number, &info), SCH_OK);
        for (unsigned bit = 0; bit < COUNT(counts); bit++) counts[bit] += info.uses >> bit & 1;
        const struct sch_resource_options options = {.size = sizeof options,
                                                     .target = SCH_TARGET_2D,
                                                     .format = (enum sch_format)listed[i].number,
                                                     .width = info.block_width > 1 ? 3 * info.block_width : 3,
                                                     .levels = 2};
        const struct sch_vertex_element element = {.format = (enum sch_format)listed[i].number};
        struct sch_vertex_elements *elements;
        assert_int_equal(sch_vertex_elements_create(context, &element, 1, sizeof element, NULL, &elements),
                         info.uses & SCH_USE_VERTICES || !element.format ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        sch_vertex_elements_destroy(elements);
        struct sch_resource_options line = options;
        line.levels = 1;
        struct sch_resource *resource;
        const enum sch_result made = sch_resource_create(context, &options, NULL, &resource);
        assert_int_equal(made, info.uses & SCH_USE_SAMPLED ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        if (!resource) continue;
        struct sch_image *image;
        assert_int_equal(sch_image_create(resource, NULL, &image),
                         info.uses & SCH_USE_STORED ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        sch_image_destroy(image);
        const bool color = info.uses & SCH_USE_RENDER_TARGET, depth_stencil = info.uses & SCH_USE_DEPTH_STENCIL;
        struct sch_surface *surface;
        assert_int_equal(sch_surface_create(resource, NULL, NULL, &surface),
                         color || depth_stencil ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        struct sch_framebuffer_options framebuffer = {.size = sizeof framebuffer};
        struct sch_framebuffer *drawn = NULL;
        framebuffer.colors[7] = surface;
        assert_int_equal(sch_framebuffer_create(context, &framebuffer, NULL, &drawn),
                         color ? SCH_OK : SCH_ERROR_ARGUMENT);
        sch_framebuffer_destroy(drawn);
        framebuffer.colors[7] = NULL;
        framebuffer.depth_stencil = surface;
        assert_int_equal(sch_framebuffer_create(context, &framebuffer, NULL, &drawn),
                         depth_stencil ? SCH_OK : SCH_ERROR_ARGUMENT);
        sch_framebuffer_destroy(drawn);
        sch_surface_destroy(surface);
        const struct sch_clear clear = {.size = sizeof clear, .color.u = {1, 1, 1, 1}};
        assert_int_equal(sch_resource_clear(resource, &clear, NULL),
                         info.uses & SCH_USE_WRITTEN ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        assert_int_equal(sch_resource_make_mips(resource, NULL, NULL),
                         info.uses & SCH_USE_MIPS ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        sch_resource_destroy(resource);
        assert_int_equal(sch_resource_create(context, &line, NULL, &resource), SCH_OK);
        if (info.block_width == 1 && is_filtered(context, resource) != !!(info.uses & SCH_USE_FILTERED))
            fail_msg("%s: filtered", info.name);
        sch_resource_destroy(resource);
    }
    print_message("# sampled %u, filtered %u, stored %u, atomic %u, written %u, mips %u, render targets %u, "
                  "depth and stencil %u, vertices %u\n",
                  counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7], counts[8]);
    assert_int_equal(counts[3], 2); /* "only 32-bit integer image formats": R32_UINT, R32_SINT */
    assert_true(counts[6] > 100);
    assert_int_equal(counts[7], 10); /* Z16, Z16S8, Z32, Z32F, Z32FS8, S8; Z24S8, S8Z24, Z24X8, X8Z24 */
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resources_say_what_they_are),
        cmocka_unit_test(full_levels_end_at_one_texel),
        cmocka_unit_test(formats_have_the_bits_of_their_rows),
        cmocka_unit_test(uses_are_what_calls_accept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
