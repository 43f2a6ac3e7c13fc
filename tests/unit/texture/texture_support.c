/* See texture_support.h. */
#include "texture_support.h"

#include <string.h>

/* ---- resources of one test, given back behind it ---- */

enum { KEPT = 64 };
struct sch_context *context;
static struct sch_view *views[KEPT];
static struct sch_sampler *samplers[KEPT];
static unsigned view_count, sampler_count;

int set_up(void **state)
{
    (void)state;
    view_count = sampler_count = 0;
    return sch_context_create(NULL, &context) == SCH_OK ? 0 : -1;
}

int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < view_count; i++) sch_view_destroy(views[i]);
    for (unsigned i = 0; i < sampler_count; i++) sch_sampler_destroy(samplers[i]);
    sch_context_destroy(context);
    return 0;
}

const struct sch_view *view_of(const char *format, struct sch_resource_options shape, const void *data,
                               const struct sch_view_options *how)
{
    struct sch_resource *resource = NULL;
    shape.format = sch_format_by_name(format);
    assert_true(shape.format > 0);
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_resource_write_all(resource, data, sch_resource_bytes(resource)), SCH_OK);
    assert_true(view_count < KEPT);
    assert_int_equal(sch_view_create(resource, how, &views[view_count]), SCH_OK);
    sch_resource_destroy(resource);
    return views[view_count++];
}

const struct sch_view *grid(enum sch_target target, uint32_t width, uint32_t height, uint32_t slices)
{
    float texels[TEXELS];
    assert_true(width * height * slices <= TEXELS);
    for (uint32_t i = 0; i < width * height * slices; i++)
        texels[i] = (float)(100 * (i / (width * height)) + 10 * (i / width % height) + i % width);
    bool volume = target == SCH_TARGET_3D;
    return view_of("R32_FLOAT",
                   SHAPE(.target = target, .width = width, .height = height, .depth = volume ? slices : 1,
                         .layers = volume ? 1 : slices),
                   texels, NULL);
}

const struct sch_view *levels_of(enum sch_target target, uint32_t layers, const float value[5],
                                 const struct sch_view_options *how)
{
    float texels[TEXELS];
    uint32_t at = 0;
    for (uint32_t level = 0; level < 5; level++)
        for (uint32_t i = 0; i < layers << (8 - 2 * level); i++) texels[at++] = value[level];
    assert_true(at <= TEXELS);
    return view_of("R32_FLOAT", SHAPE(.target = target, .width = 16, .height = 16, .layers = layers, .levels = 5),
                   texels, how);
}

struct sch_sampler_options options(enum sch_wrap wrap, enum sch_filter filter, enum sch_mip_filter mip)
{
    return (struct sch_sampler_options){.size = sizeof(struct sch_sampler_options),
                                        .wrap_s = wrap,
                                        .wrap_t = wrap,
                                        .wrap_r = wrap,
                                        .min_filter = filter,
                                        .mag_filter = filter,
                                        .mip_filter = mip};
}

const struct sch_sampler *sampler_of(struct sch_sampler_options of)
{
    assert_true(sampler_count < KEPT);
    assert_int_equal(sch_sampler_create(context, &of, NULL, &samplers[sampler_count]), SCH_OK);
    return samplers[sampler_count++];
}

const struct sch_sampler *nearest(enum sch_wrap wrap)
{
    return sampler_of(options(wrap, SCH_FILTER_NEAREST, SCH_MIP_NONE));
}

const struct sch_sampler *linear(enum sch_wrap wrap)
{
    return sampler_of(options(wrap, SCH_FILTER_LINEAR, SCH_MIP_NONE));
}

const struct sch_sampler *mips(enum sch_mip_filter mip)
{
    return sampler_of(options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, mip));
}

const struct sch_sampler *comparing(enum sch_compare compare, enum sch_rules rules)
{
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    of.compare = compare;
    of.rules = rules;
    return sampler_of(of);
}

/* ---- lookups and expectations ---- */

uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

float from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

float quotient(int64_t n, int64_t d) { return (float)((double)n / (double)d); }

void check(int line, struct looked_up have, struct looked_up want)
{
    for (unsigned c = 0; c < 4; c++) {
        if (have.u[c] == want.u[c]) continue;
        print_error("line %d, component %u: have 0x%08x (%g), want 0x%08x (%g)\n", line, c, have.u[c],
                    (double)from_bits(have.u[c]), want.u[c], (double)from_bits(want.u[c]));
        fail();
    }
}

struct looked_up look_up(int line, const struct sch_view *view, const struct sch_sampler *sampler,
                         struct sch_lookup lookup)
{
    static const uint32_t widths[] = {4, 8, 16};
    struct looked_up first = {{0}};
    for (unsigned i = 0; i < 3; i++) {
        struct looked_up here;
        assert_int_equal(sch_lookup_run(view, sampler, &lookup, 1, widths[i], &here.u), SCH_OK);
        if (i == 0) first = here;
        check(line, here, first);
    }
    return first;
}
