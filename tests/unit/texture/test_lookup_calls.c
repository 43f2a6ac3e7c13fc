/* Lookups without a shader: fetches and sizes of every view, refusals, many requests, threads and explanations. The
 * expectations are computed here from docs/texture.md. What lookups answer is tested elsewhere. */
#include "../support/explained.h"
#include "../support/resource_support.h"

/* A view of a resource in which each texel holds its place in memory, counted in words. */
static struct sch_view *numbered_view(struct sch_context *context, const struct view_case *c)
{
    struct sch_resource *resource = make(context, &shapes[c->shape], format("R32_UINT"));
    size_t bytes = sch_resource_bytes(resource);
    uint32_t *words = malloc(bytes);
    assert_non_null(words);
    for (size_t i = 0; i < bytes / 4; i++) words[i] = (uint32_t)i + 1;
    assert_int_equal(sch_resource_write_all(resource, words, bytes), SCH_OK);
    free(words);
    struct sch_view_options options = view_options(c);
    struct sch_view *view = NULL;
    assert_int_equal(sch_view_create(resource, &options, &view), SCH_OK);
    sch_resource_destroy(resource);
    return view;
}

struct target_shape {
    unsigned axes;
    bool layers, cubes, samples; /* a coordinate for the layer of a fetch; sizes count cubes; multisampled */
    bool array;
};

static struct target_shape target_shape(const struct view_case *c)
{
    switch (c->target == -1 ? shapes[c->shape].target : c->target) {
    case SCH_TARGET_BUFFER:
    case SCH_TARGET_1D:
        return (struct target_shape){.axes = 1};
    case SCH_TARGET_1D_ARRAY:
        return (struct target_shape){.axes = 1, .layers = true, .array = true};
    case SCH_TARGET_3D:
        return (struct target_shape){.axes = 3};
    case SCH_TARGET_CUBE:
        return (struct target_shape){.axes = 2, .layers = true, .cubes = true};
    case SCH_TARGET_2D_ARRAY:
        return (struct target_shape){.axes = 2, .layers = true, .array = true};
    case SCH_TARGET_CUBE_ARRAY:
        return (struct target_shape){.axes = 2, .layers = true, .cubes = true, .array = true};
    case SCH_TARGET_2D_MSAA:
        return (struct target_shape){.axes = 2, .samples = true};
    case SCH_TARGET_2D_ARRAY_MSAA:
        return (struct target_shape){.axes = 2, .layers = true, .samples = true, .array = true};
    default:
        return (struct target_shape){.axes = 2};
    }
}

/* A texel of the view, sometimes one past an edge, and what a fetch of it gives. */
static uint32_t random_fetch(const struct view_case *c, struct sch_lookup *request)
{
    const struct shape *shape = &shapes[c->shape];
    struct target_shape is = target_shape(c);
    uint32_t at[3] = {0}, size[3], level = random_word() % c->levels, layer = 0, sample = 0;
    bool outside = false;
    size[0] = c->shape == BUFFER && c->element_count ? c->element_count
                                                     : halved(shape->width, c->first_level + level) - c->first_element;
    size[1] = halved(shape->height, c->first_level + level);
    size[2] = halved(shape->depth, c->first_level + level);
    *request = (struct sch_lookup){.size = sizeof *request, .operation = SCH_LOOKUP_FETCH, .level = level};
    for (unsigned i = 0; i < is.axes; i++) {
        at[i] = random_word() % (size[i] + (random_word() % 8 == 0));
        outside |= at[i] == size[i];
        request->offset[i] = random_word() % 2 ? (int32_t)(random_word() % 17) - 8 : 0;
        request->texel[i] = at[i] - (uint32_t)request->offset[i];
    }
    if (is.layers) {
        layer = random_word() % (c->layers + (random_word() % 8 == 0));
        outside |= layer == c->layers;
        request->texel[is.axes] = layer;
    }
    if (is.samples) {
        sample = random_word() % (shape->samples + (random_word() % 8 == 0));
        outside |= sample == shape->samples;
        request->sample = sample;
    }
    if (outside) return 0;
    size_t slice = is.axes == 3 ? at[2] : (size_t)(c->first_layer + layer) * shape->samples + sample;
    size_t row = halved(shape->width, c->first_level + level);
    size_t place = place_of(shape, c->first_level + level, slice, 1, 4) / 4 + at[1] * row + at[0] + c->first_element;
    return (uint32_t)place + 1;
}

/* Fetches of every view give the texel that stands there, and the defaults of the format beside it. */
static void fetches_find_their_texels(void **state)
{
    (void)state;
    enum { LOOKUPS = 100 };
    struct sch_context *context = make_context(0, NULL);
    unsigned inside = 0, outside = 0;
    for (size_t i = 0; i < COUNT(view_cases); i++) {
        if (!view_cases[i].levels) continue;
        struct sch_view *view = numbered_view(context, &view_cases[i]);
        struct sch_lookup requests[LOOKUPS];
        uint32_t answers[LOOKUPS][4], expected[LOOKUPS];
        for (unsigned n = 0; n < LOOKUPS; n++) {
            expected[n] = random_fetch(&view_cases[i], &requests[n]);
            inside += expected[n] != 0;
            outside += expected[n] == 0;
        }
        for (uint32_t width = 0; width <= 16; width = width ? 2 * width : 4) {
            assert_int_equal(sch_lookup_run(view, NULL, requests, LOOKUPS, width, answers), SCH_OK);
            for (unsigned n = 0; n < LOOKUPS; n++)
                if (answers[n][0] != expected[n] || answers[n][1] || answers[n][2] ||
                    answers[n][3] != (expected[n] != 0))
                    fail_msg("view %zu, fetch %u, width %u: %u, not %u", i, n, width, answers[n][0], expected[n]);
        }
        sch_view_destroy(view);
    }
    print_message("# fetches: %u inside, %u outside\n", inside, outside);
    assert_true(inside > 1000 && outside > 200);
    sch_context_destroy(context);
}

static void sizes_of_every_view(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(view_cases); i++) {
        const struct view_case *c = &view_cases[i];
        if (!c->levels) continue;
        struct sch_view *view = numbered_view(context, c);
        const struct shape *shape = &shapes[c->shape];
        struct target_shape is = target_shape(c);
        bool rect = view->exec.target == SCH_TARGET_RECT || view->exec.target == SCH_TARGET_BUFFER || is.samples;
        struct sch_lookup requests[6];
        uint32_t answers[6][4];
        for (uint32_t n = 0; n < 6; n++)
            requests[n] = (struct sch_lookup){.size = sizeof *requests,
                                              .operation = n < 5 ? SCH_LOOKUP_SIZE : SCH_LOOKUP_SAMPLES,
                                              .level = n == 4 ? UINT32_MAX : n};
        assert_int_equal(sch_lookup_run(view, NULL, requests, 6, 0, answers), SCH_OK);
        for (uint32_t n = 0; n < 5; n++) {
            uint32_t from = c->first_level + (rect ? 0 : n);
            uint32_t sizes[3] = {halved(shape->width, from), halved(shape->height, from), halved(shape->depth, from)};
            uint32_t expected[4] = {0, 0, 0, c->levels};
            if (c->shape == BUFFER) sizes[0] = c->element_count ? c->element_count : sizes[0] - c->first_element;
            bool there = rect || (n < 4 && n < c->levels);
            for (unsigned a = 0; there && a < is.axes; a++) expected[a] = sizes[a];
            if (there && is.array) expected[is.axes] = is.cubes ? c->layers / 6 : c->layers;
            assert_memory_equal(answers[n], expected, sizeof expected);
        }
        const uint32_t samples[4] = {shape->samples};
        assert_memory_equal(answers[5], samples, sizeof samples);
        sch_view_destroy(view);
    }
    sch_context_destroy(context);
}

/* Which targets have which lookups. */
static void refuses_lookups(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    struct sch_sampler_options in_texels = {.size = sizeof in_texels, .unnormalized = true};
    struct sch_sampler *samplers[2] = {NULL};
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &samplers[0]), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &in_texels, NULL, &samplers[1]), SCH_OK);
    unsigned answered = 0, refused = 0;
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const struct view_case whole = {.shape = s, .target = -1};
        struct sch_view *view = numbered_view(context, &whole);
        int target = shapes[s].target;
        bool filtered =
            target != SCH_TARGET_BUFFER && target != SCH_TARGET_2D_MSAA && target != SCH_TARGET_2D_ARRAY_MSAA;
        bool solid = target == SCH_TARGET_3D;
        bool cube = target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY;
        bool line = target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY;
        for (int lookup = SCH_LOOKUP_SAMPLE; lookup <= SCH_LOOKUP_LOD; lookup++)
            for (unsigned n = 0; n < 4; n++) {
                bool number = lookup == SCH_LOOKUP_FETCH || lookup == SCH_LOOKUP_SIZE || lookup == SCH_LOOKUP_SAMPLES;
                bool compare = n & 1, texels = n & 2;
                bool right =
                    number || (filtered && !(lookup == SCH_LOOKUP_GATHER && (line || solid)) &&
                               !(compare && lookup != SCH_LOOKUP_LOD && solid) && !(texels && (solid || cube)));
                struct sch_lookup request = {
                    .size = sizeof request, .operation = (enum sch_lookup_operation)lookup, .compare = compare};
                uint32_t answer[4] = {7, 7, 7, 7};
                struct explained why;
                enum sch_result result = sch_lookup_run(view, samplers[texels], &request, 1, 0, &answer);
                if (result != (right ? SCH_OK : SCH_ERROR_ARGUMENT))
                    fail_msg("target %d, lookup %d, %u: %s", target, lookup, n, sch_result_text(result));
                assert_int_equal(explain(context, view, samplers[texels], &request, &why), result);
                if (right) assert_memory_equal(why.info.result, answer, sizeof answer);
                if (!right) assert_int_equal(answer[0], 7);
                answered += right;
                refused += !right;
            }
        sch_view_destroy(view);
    }
    print_message("# requests: %u answered, %u refused\n", answered, refused);
    assert_true(answered > 100 && refused > 100);
    for (unsigned i = 0; i < 2; i++) sch_sampler_destroy(samplers[i]);
    sch_context_destroy(context);
}

static void refuses_wrong_calls(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    const struct view_case whole = {.shape = D2, .target = -1};
    struct sch_view *view = numbered_view(context, &whole);
    struct sch_sampler *sampler = NULL;
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &sampler), SCH_OK);
    const struct sch_lookup right = {.size = sizeof right, .operation = SCH_LOOKUP_FETCH};
    struct sch_lookup requests[3] = {right, right, right};
    uint32_t answers[3][4];
    static const uint32_t untouched[3][4] = {{9, 9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9, 9}};
    struct explained why;
    memcpy(answers, untouched, sizeof answers);
    static const uint32_t widths[] = {1, 2, 3, 5, 12, 32, UINT32_MAX};
    for (size_t i = 0; i < COUNT(widths); i++)
        assert_int_equal(sch_lookup_run(view, sampler, requests, 3, widths[i], answers), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_lookup_run(view, sampler, NULL, 3, 0, answers), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_lookup_run(view, sampler, requests, 3, 0, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_lookup_run(view, sampler, NULL, 0, 0, NULL), SCH_OK);
    struct sch_explanation *explanation = (struct sch_explanation *)(uintptr_t)&right;
    assert_int_equal(sch_lookup_explain(context, view, sampler, NULL, &explanation), SCH_ERROR_ARGUMENT);
    assert_null(explanation);
    explanation = (struct sch_explanation *)(uintptr_t)&right;
    assert_int_equal(sch_lookup_explain(NULL, view, sampler, requests, &explanation), SCH_ERROR_ARGUMENT);
    assert_null(explanation);
    assert_int_equal(sch_lookup_explain(context, view, sampler, requests, NULL), SCH_ERROR_ARGUMENT);
    sch_explanation_destroy(NULL);
    struct sch_lookup wrong[7] = {right, right, right, right, right, right, right};
    wrong[0].size = 0;
    wrong[1].size = sizeof right - 8;
    wrong[2].size = sizeof right + 1;
    wrong[3].size = SIZE_MAX;
    wrong[4].operation = (enum sch_lookup_operation)9;
    wrong[5].operation = (enum sch_lookup_operation) - 1;
    wrong[6].operation = SCH_LOOKUP_GATHER;
    wrong[6].component = 4;
    for (size_t i = 0; i < COUNT(wrong); i++)
        for (unsigned at = 0; at < 3; at += 2) { /* the first, and the last: then none is answered */
            for (unsigned n = 0; n < 3; n++) requests[n] = right;
            requests[at] = wrong[i];
            assert_int_equal(sch_lookup_run(view, sampler, requests, 3, 0, answers), SCH_ERROR_ARGUMENT);
            if (i != 2) assert_int_equal(explain(context, view, sampler, &wrong[i], &why), SCH_ERROR_ARGUMENT);
        }
    assert_memory_equal(answers, untouched, sizeof answers);

    /* Nothing bound: 0. */
    requests[0] = (struct sch_lookup){.size = sizeof right, .operation = SCH_LOOKUP_SIZE};
    requests[1] = (struct sch_lookup){.size = sizeof right, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f, 0.5f}};
    requests[2] = (struct sch_lookup){.size = sizeof right, .operation = SCH_LOOKUP_GATHER, .component = 3};
    static const uint32_t zeros[3][4];
    assert_int_equal(sch_lookup_run(NULL, sampler, requests, 3, 0, answers), SCH_OK);
    assert_memory_equal(answers, zeros, sizeof zeros);
    memcpy(answers, untouched, sizeof answers);
    assert_int_equal(sch_lookup_run(NULL, NULL, requests, 3, 0, answers), SCH_OK);
    assert_memory_equal(answers, zeros, sizeof zeros);
    assert_int_equal(sch_lookup_run(view, NULL, requests, 3, 0, answers), SCH_OK);
    assert_memory_equal(answers[1], zeros[1], 2 * sizeof zeros[1]);
    assert_int_equal(answers[0][1], 9);
    memset(&why, 0xcc, sizeof why);
    assert_int_equal(explain(context, NULL, sampler, &requests[1], &why), SCH_OK);
    assert_memory_equal(why.info.result, zeros[0], sizeof why.info.result);
    assert_int_equal(why.info.texel_count, 0);
    assert_int_equal(why.info.face, -1);
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
    sch_context_destroy(context);
}

/* ---- many requests, many threads ---- */

enum { MANY = 400 };

static struct sch_lookup random_lookup(void)
{
    static const enum sch_lookup_operation lookups[] = {SCH_LOOKUP_SAMPLE,   SCH_LOOKUP_SAMPLE_L, SCH_LOOKUP_SAMPLE_B,
                                                        SCH_LOOKUP_SAMPLE_D, SCH_LOOKUP_GATHER,   SCH_LOOKUP_FETCH,
                                                        SCH_LOOKUP_SIZE,     SCH_LOOKUP_SAMPLES,  SCH_LOOKUP_LOD};
    struct sch_lookup q = {.size = sizeof q,
                           .operation = lookups[random_word() % COUNT(lookups)],
                           .compare = random_word() % 4 == 0,
                           .reference = (float)(random_word() % 256) / 255,
                           .lod = (float)(random_word() % 1024) / 256,
                           .bias = (float)(random_word() % 1024) / 256 - 2,
                           .component = random_word() % 4,
                           .level = random_word() % 5};
    for (unsigned i = 0; i < 4; i++) {
        q.at[i] = (float)(random_word() % 4096) / 1024 - 2;
        q.texel[i] = random_word() % 10;
    }
    for (unsigned i = 0; i < 3; i++) {
        q.ddx[i] = (float)(random_word() % 256) / 256;
        q.ddy[i] = (float)(random_word() % 256) / 256;
        q.offset[i] = random_word() % 3 ? 0 : (int32_t)(random_word() % 16) - 8;
    }
    /* Runs of one kind are what groups are made of. */
    if (random_word() % 4) {
        q.operation = SCH_LOOKUP_SAMPLE_D;
        q.compare = false;
        q.offset[0] = q.offset[1] = q.offset[2] = 0;
    }
    return q;
}

struct asked {
    struct sch_context *context;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_lookup requests[MANY];
    uint32_t answers[MANY][4];
};

static void make_asked(struct sch_context *context, size_t shape, struct asked *asked)
{
    struct sch_resource *resource = make(context, &shapes[shape], format("R8G8B8A8_UNORM"));
    size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    for (size_t i = 0; i < bytes; i++) texels[i] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write_all(resource, texels, bytes), SCH_OK);
    free(texels);
    struct sch_sampler_options options = {.size = sizeof options,
                                          .min_filter = SCH_FILTER_LINEAR,
                                          .mag_filter = SCH_FILTER_LINEAR,
                                          .mip_filter = SCH_MIP_LINEAR,
                                          .max_anisotropy = 4};
    asked->context = context;
    assert_int_equal(sch_view_create(resource, NULL, &asked->view), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &options, NULL, &asked->sampler), SCH_OK);
    sch_resource_destroy(resource);
    for (unsigned i = 0; i < MANY; i++) asked->requests[i] = random_lookup();
    assert_int_equal(sch_lookup_run(asked->view, asked->sampler, asked->requests, MANY, 0, asked->answers), SCH_OK);
}

static void unmake_asked(struct asked *asked)
{
    sch_sampler_destroy(asked->sampler);
    sch_view_destroy(asked->view);
}

/* A request's answer does not depend on its neighbours, the width, the struct's length, or on being explained. */
static void lookups_are_independent(void **state)
{
    (void)state;
    static const size_t which[] = {D2, CUBE, D2_ARRAY, CUBE_ARRAY};
    struct sch_context *context = make_context(0, NULL);
    static struct asked asked;
    static struct {
        struct sch_lookup known;
        uint64_t newer[3];
    } longer[MANY];
    static uint32_t again[MANY][4];
    unsigned different = 0;
    for (size_t w = 0; w < COUNT(which); w++) {
        make_asked(context, which[w], &asked);
        for (uint32_t width = 4; width <= 16; width *= 2) {
            assert_int_equal(sch_lookup_run(asked.view, asked.sampler, asked.requests, MANY, width, again), SCH_OK);
            assert_memory_equal(again, asked.answers, sizeof again);
        }
        memset(longer, 0, sizeof longer);
        for (unsigned i = 0; i < MANY; i++) {
            uint32_t alone[4];
            struct explained why;
            longer[i].known = asked.requests[i];
            longer[i].known.size = sizeof *longer;
            assert_int_equal(sch_lookup_run(asked.view, asked.sampler, &asked.requests[i], 1, 0, &alone), SCH_OK);
            assert_memory_equal(alone, asked.answers[i], sizeof alone);
            assert_int_equal(explain(context, asked.view, asked.sampler, &asked.requests[i], &why), SCH_OK);
            assert_memory_equal(why.info.result, asked.answers[i], sizeof alone);
            different += i && memcmp(asked.answers[i], asked.answers[i - 1], sizeof alone) != 0;
        }
        memset(again, 0, sizeof again);
        assert_int_equal(sch_lookup_run(asked.view, asked.sampler, &longer->known, MANY, 0, again), SCH_OK);
        assert_memory_equal(again, asked.answers, sizeof again);
        longer[MANY - 1].newer[2] = 1;
        assert_int_equal(sch_lookup_run(asked.view, asked.sampler, &longer->known, MANY, 0, again), SCH_ERROR_ARGUMENT);
        unmake_asked(&asked);
    }
    assert_true(different > COUNT(which) * MANY / 2);
    sch_context_destroy(context);
}

static void *ask_often(void *argument)
{
    const struct asked *asked = argument;
    uint32_t answers[MANY][4];
    struct explained *why = calloc(1, sizeof *why);
    void *result = why ? argument : NULL;
    for (unsigned i = 0; i < 30 && result; i++) {
        if (sch_lookup_run(asked->view, asked->sampler, asked->requests, MANY, 0, answers) != SCH_OK) result = NULL;
        if (memcmp(answers, asked->answers, sizeof answers) != 0) result = NULL;
        const struct sch_lookup *one = &asked->requests[i];
        if (why && explain(asked->context, asked->view, asked->sampler, one, why) != SCH_OK) result = NULL;
        if (why && memcmp(why->info.result, asked->answers[i], sizeof why->info.result) != 0) result = NULL;
    }
    free(why);
    return result;
}

static void threads_share_views(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct sch_context *context = make_context(0, NULL);
    static struct asked asked;
    pthread_t threads[THREADS];
    make_asked(context, CUBE_ARRAY, &asked);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &asked), 0);
    for (int i = 0; i < THREADS; i++) {
        void *answer = NULL;
        assert_int_equal(pthread_join(threads[i], &answer), 0);
        assert_ptr_equal(answer, &asked);
    }
    unmake_asked(&asked);
    sch_context_destroy(context);
}

/* What an explanation says of its texels: a fetch's is the one asked for, a sample's weights add up in each tap. */
static void explains_results(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    static struct asked asked;
    static struct explained why;
    unsigned several = 0, anisotropic = 0;
    make_asked(context, D2_ARRAY, &asked);
    for (unsigned i = 0; i < MANY; i++) {
        struct sch_lookup fetch = {
            .size = sizeof fetch, .operation = SCH_LOOKUP_FETCH, .texel = {i % 3, i % 2, i % 13}, .level = i % 2};
        assert_int_equal(explain(context, asked.view, NULL, &fetch, &why), SCH_OK);
        assert_int_equal(why.info.texel_count, 1);
        assert_int_equal(why.texels[0].level, fetch.level);
        assert_int_equal(why.texels[0].x, fetch.texel[0]);
        assert_int_equal(why.texels[0].y, fetch.texel[1]);
        assert_int_equal(why.texels[0].z, fetch.texel[2]);
        assert_false(why.texels[0].border);
        assert_memory_equal(why.texels[0].value, why.info.result, sizeof why.info.result);

        asked.requests[i].operation = SCH_LOOKUP_SAMPLE_D;
        assert_int_equal(explain(context, asked.view, asked.sampler, &asked.requests[i], &why), SCH_OK);
        assert_true(why.info.taps >= 1 && why.info.taps <= 4 && why.info.texel_count >= why.info.taps);
        assert_true(why.info.layer >= 0 && why.info.layer < 13 && why.info.face == -1);
        float sum[2][4] = {{0}};
        for (uint32_t t = 0; t < why.info.texel_count; t++) {
            const struct sch_footprint_texel *texel = &why.texels[t];
            assert_true(texel->level < 2 && texel->tap < why.info.taps && texel->z == (uint32_t)why.info.layer);
            sum[texel->level][texel->tap] += texel->weight;
        }
        for (unsigned n = 0; n < 8; n++) assert_true(sum[n / 4][n % 4] == 0 || sum[n / 4][n % 4] == 1);
        for (unsigned tap = 0; tap < why.info.taps; tap++) assert_true(sum[0][tap] + sum[1][tap] >= 1);
        several += why.info.texel_count > 4;
        anisotropic += why.info.taps > 1;
    }
    assert_true(several > 20 && anisotropic > 20);
    unmake_asked(&asked);
    sch_context_destroy(context);
}

/* Of what is not bound, or has no levels, there is nothing to say. */
static void sizes_of_nothing(void **state)
{
    (void)state;
    struct sch_texture texture = {.layers = 6, .samples = 4};
    texture.level[0] = (struct sch_texture_level){.width = 5, .height = 6, .depth = 7};
    for (unsigned target = 0; target < SCH_TARGET_COUNT; target++)
        for (unsigned levels = 0; levels < 2; levels++) {
            uint32_t words[4];
            texture.levels = levels;
            memset(words, 0xa5, sizeof words);
            sch_texture_size(levels ? NULL : &texture, target, 0, words);
            for (unsigned c = 0; c < 4; c++) assert_int_equal(words[c], 0);
            assert_int_equal(sch_texture_samples(levels ? NULL : &texture, target), 0);
            if (!levels) continue;
            sch_texture_size(&texture, target, 0, words);
            assert_int_equal(words[0], 5);
            assert_int_equal(sch_texture_samples(&texture, target), sch_target_facts(target)->multisampled ? 4 : 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetches_find_their_texels), cmocka_unit_test(sizes_of_every_view),
        cmocka_unit_test(refuses_lookups),           cmocka_unit_test(refuses_wrong_calls),
        cmocka_unit_test(lookups_are_independent),   cmocka_unit_test(threads_share_views),
        cmocka_unit_test(explains_results),          cmocka_unit_test(sizes_of_nothing),
    };
    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
