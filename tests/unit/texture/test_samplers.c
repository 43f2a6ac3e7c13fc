/* Sampler states from outside, and every allocation of resources, views, images and samplers failing in turn. */
#include "../support/counting.h"
#include "../support/explained.h"
#include "../support/resource_support.h"
#include "isa/errors.h"

/* ---- samplers ---- */

static void samplers_keep_their_state(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    struct sch_sampler *sampler = NULL;
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &sampler), SCH_OK);
    const struct sch_sampler_key plain = {.max_anisotropy = 1, .compare = SCH_COMPARE_LEQUAL, .seamless = 1};
    assert_memory_equal(&sampler->exec.key, &plain, sizeof plain);
    assert_true(sampler->exec.values.max_lod > 1e30f);
    sch_sampler_destroy(sampler);

    struct sch_sampler_options all = {.size = sizeof all,
                                      .wrap_s = SCH_WRAP_MIRROR_CLAMP_TO_BORDER,
                                      .wrap_t = SCH_WRAP_CLAMP,
                                      .wrap_r = SCH_WRAP_MIRROR_REPEAT,
                                      .min_filter = SCH_FILTER_LINEAR,
                                      .mip_filter = SCH_MIP_LINEAR,
                                      .max_anisotropy = 16,
                                      .lod_bias = -1,
                                      .min_lod = 2,
                                      .max_lod = 1,
                                      .border = {1, 2, 3, 4},
                                      .compare = SCH_COMPARE_ALWAYS,
                                      .reduction = SCH_REDUCTION_MAXIMUM,
                                      .non_seamless_cube_map = true,
                                      .rules = SCH_RULES_MAXWELL,
                                      .border_words = {5, 6, 7, UINT32_MAX}};
    const struct sch_sampler_key key = {.rules = SCH_RULES_MAXWELL,
                                        .wrap = {7, 1, 4},
                                        .min_linear = 1,
                                        .mip = 2,
                                        .max_anisotropy = 16,
                                        .compare = SCH_COMPARE_ALWAYS,
                                        .reduction = SCH_REDUCTION_MAXIMUM};
    for (unsigned words = 0; words < 2; words++) {
        all.border_is_words = words;
        assert_int_equal(sch_sampler_create(context, &all, NULL, &sampler), SCH_OK);
        const struct sch_sampler_values *values = &sampler->exec.values;
        assert_memory_equal(&sampler->exec.key, &key, sizeof key);
        assert_true(values->lod_bias == -1 && values->min_lod == 2 && values->max_lod == 1);
        assert_memory_equal(values->border, words ? (const void *)all.border_words : all.border, sizeof values->border);
        sch_sampler_destroy(sampler);
    }
    sch_context_destroy(context);
}

/* A state of a key from elsewhere: each member by itself, at its last value and one behind. */
static void keys_are_checked(void **state)
{
    (void)state;
    const struct sch_sampler_key good = {
        .format = SCH_FORMAT_R8_UNORM, .target = SCH_TARGET_2D, .max_anisotropy = 1, .swizzle = {0, 1, 2, 3}};
#define MEMBER(member, last)                                                                                           \
    {                                                                                                                  \
        offsetof(struct sch_sampler_key, member), last                                                                 \
    }
    static const struct {
        size_t at;
        uint8_t last;
    } members[] = {MEMBER(rules, SCH_RULES_MAXWELL),
                   MEMBER(wrap[0], SCH_WRAP_MIRROR_CLAMP_TO_BORDER),
                   MEMBER(wrap[1], SCH_WRAP_MIRROR_CLAMP_TO_BORDER),
                   MEMBER(wrap[2], SCH_WRAP_MIRROR_CLAMP_TO_BORDER),
                   MEMBER(min_linear, 1),
                   MEMBER(mag_linear, 1),
                   MEMBER(mip, 2),
                   MEMBER(unnormalized, 1),
                   MEMBER(swizzle[0], 5),
                   MEMBER(swizzle[3], 5),
                   MEMBER(compare, SCH_COMPARE_ALWAYS),
                   MEMBER(reduction, SCH_REDUCTION_MAXIMUM),
                   MEMBER(seamless, 1)};
    const struct sch_position here = {3, 4, 5};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        for (unsigned behind = 0; behind < 2; behind++) {
            struct sch_sampler_key key = good;
            struct sch_diagnostics list;
            ((uint8_t *)&key)[members[i].at] = (uint8_t)(members[i].last + behind);
            sch_diagnostics_init(&list, &sch_allocator_libc, 10);
            assert_int_equal(sch_texture_key_check(&key, here, &list), behind ? SCH_ERROR_INVALID : SCH_OK);
            assert_int_equal(list.count, behind);
            if (behind) {
                assert_int_equal(list.items[0].code, SCH_D_SAMPLER_STATE);
                assert_int_equal(list.items[0].position.line, 3);
            }
            sch_diagnostics_release(&list);
        }
    static const struct {
        struct sch_sampler_key key;
        enum sch_result status;
        unsigned code;
    } rows[] = {
        {{.target = SCH_TARGET_2D, .max_anisotropy = 16}, SCH_OK, 0},
        {{.target = SCH_TARGET_2D, .max_anisotropy = 17}, SCH_ERROR_INVALID, SCH_D_SAMPLER_ANISOTROPY},
        {{.target = SCH_TARGET_2D, .unnormalized = 1, .mip = 1}, SCH_ERROR_INVALID, SCH_D_SAMPLER_STATE},
        {{.target = SCH_TARGET_RECT, .unnormalized = 1, .mip = 1}, SCH_OK, 0},
        {{.target = SCH_TARGET_1D, .unnormalized = 1}, SCH_OK, 0},
        {{.target = SCH_TARGET_3D, .unnormalized = 1}, SCH_ERROR_INVALID, SCH_D_SAMPLER_STATE},
        {{.target = SCH_TARGET_CUBE, .unnormalized = 1}, SCH_ERROR_INVALID, SCH_D_SAMPLER_STATE},
        {{.target = SCH_TARGET_SHADOW2D}, SCH_ERROR_INVALID, SCH_D_TEXTURE_TARGET},
        {{.target = SCH_TARGET_UNKNOWN}, SCH_ERROR_INVALID, SCH_D_TEXTURE_TARGET},
        {{.target = SCH_TARGET_2D, .format = SCH_FORMAT_ASTC_3x3x3}, SCH_ERROR_UNSUPPORTED, SCH_D_TEXTURE_FORMAT},
        {{.target = SCH_TARGET_2D, .format = UINT16_MAX}, SCH_ERROR_UNSUPPORTED, SCH_D_TEXTURE_FORMAT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_sampler_key key = rows[i].key;
        struct sch_diagnostics list;
        if (!key.format) key.format = good.format;
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        if (sch_texture_key_check(&key, here, &list) != rows[i].status) fail_msg("row %zu", i);
        assert_int_equal(list.count, rows[i].code != 0);
        if (list.count) assert_int_equal(list.items[0].code, rows[i].code);
        sch_diagnostics_release(&list);
    }
    assert_int_equal(sch_texture_block_bytes(SCH_FORMAT_R8_UNORM), 1);
    assert_int_equal(sch_texture_block_bytes(SCH_FORMAT_DXT1_RGB), 8);
    assert_int_equal(sch_texture_block_bytes(SCH_FORMAT_ASTC_3x3x3), 0);
    for (unsigned format = SCH_FORMAT_LIMIT; format < SCH_FORMAT_LIMIT + 100; format++)
        assert_int_equal(sch_texture_block_bytes(format), 0);
}

static void refuses_sampler_states(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    const struct sch_sampler_options plain = {.size = sizeof plain};
    struct sch_sampler_options wrong[16];
    for (size_t i = 0; i < COUNT(wrong); i++) wrong[i] = plain;
    wrong[0].wrap_s = (enum sch_wrap)8;
    wrong[1].wrap_t = (enum sch_wrap) - 1;
    wrong[2].wrap_r = (enum sch_wrap)256;
    wrong[3].min_filter = (enum sch_filter)2;
    wrong[4].mag_filter = (enum sch_filter)257;
    wrong[5].mip_filter = (enum sch_mip_filter)3;
    wrong[6].max_anisotropy = 17;
    wrong[7].max_anisotropy = UINT32_MAX;
    wrong[8].lod_bias = NAN;
    wrong[9].min_lod = NAN;
    wrong[10].max_lod = NAN;
    wrong[11].compare = (enum sch_compare)9;
    wrong[12].reduction = (enum sch_reduction)3;
    wrong[13].rules = (enum sch_rules)3;
    wrong[14].unnormalized = true;
    wrong[14].mip_filter = SCH_MIP_NEAREST;
    wrong[15].size = 7;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct sch_sampler *sampler = (void *)context;
        enum sch_result result = sch_sampler_create(context, &wrong[i], NULL, &sampler);
        if (result != (i == 14 ? SCH_ERROR_INVALID : SCH_ERROR_ARGUMENT))
            fail_msg("state %zu: %s", i, sch_result_text(result));
        assert_null(sampler);
    }
    sch_context_destroy(context);
}

/* ---- an allocator that fails ---- */

/* Makes everything, asks, explains; the first result that is not OK. Leaves nothing behind. */
static enum sch_result whole_way(struct counting *counting)
{
    struct sch_allocator memory = counting_callbacks(counting);
    struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_resource_options shape = options_of(&shapes[CUBE_ARRAY], format("R16G16_UNORM"));
    struct sch_view_options part = {
        .size = sizeof part, .has_target = true, .target = SCH_TARGET_2D_ARRAY, .first_layer = 3};
    struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_FETCH};
    struct explained why;
    struct sch_context *context = NULL;
    struct sch_resource *resource = NULL;
    struct sch_view *views[2] = {NULL};
    struct sch_image *image = NULL;
    struct sch_sampler *sampler = NULL;
    uint32_t answer[4];
    enum sch_result result = sch_context_create(&options, &context);
    if (result == SCH_OK) result = sch_resource_create(context, &shape, NULL, &resource);
    if (result == SCH_OK) result = sch_view_create(resource, NULL, &views[0]);
    if (result == SCH_OK) result = sch_view_create(resource, &part, &views[1]);
    if (result == SCH_OK) result = sch_image_create(resource, NULL, &image);
    if (result == SCH_OK) result = sch_sampler_create(context, NULL, NULL, &sampler);
    if (result == SCH_OK) result = sch_lookup_run(views[1], sampler, &lookup, 1, 0, &answer);
    if (result == SCH_OK) result = explain(context, views[1], sampler, &lookup, &why);
    sch_resource_destroy(resource);
    sch_image_destroy(image);
    for (unsigned i = 0; i < 2; i++) sch_view_destroy(views[i]);
    sch_sampler_destroy(sampler);
    sch_context_destroy(context);
    return result;
}

static void fails_cleanly(void **state)
{
    (void)state;
    struct counting counting = {0};
    assert_int_equal(whole_way(&counting), SCH_OK);
    assert_int_equal(counting.live, 0);
    long all = counting.calls;
    assert_true(all >= 8);
    for (long n = 1; n <= all; n++) {
        counting = (struct counting){.fail_at = n};
        enum sch_result result = whole_way(&counting);
        if (counting.live != 0) fail_msg("allocation %ld of %ld: %ld blocks leaked", n, all, (long)counting.live);
        if (result != SCH_ERROR_MEMORY) fail_msg("allocation %ld of %ld: %s", n, all, sch_result_text(result));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samplers_keep_their_state),
        cmocka_unit_test(keys_are_checked),
        cmocka_unit_test(refuses_sampler_states),
        cmocka_unit_test(fails_cleanly),
    };
    return cmocka_run_group_tests_name("samplers", tests, NULL, NULL);
}
