/* Memory that is refused: every single request that making, moving, viewing and binding resources makes of the
 * allocator is refused once. The answer is MEMORY, nothing is lost, texels stay as they were, and with one request more
 * it goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/counting.h"

static struct counting counting;

static const char text[] =
    "VERT\nDCL OUT[0], GENERIC[0]\nDCL CONST[0]\nDCL CONST[1][0]\nDCL BUFFER[0]\nDCL HWATOMIC[0][0]\n"
    "DCL MEMORY[0], GLOBAL\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "  0: LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n  1: LOAD TEMP[1].x, MEMORY[0], IMM[0].xxxx\n"
    "  2: ATOMUADD TEMP[1].x, HWATOMIC[0][0], IMM[0].xxxx, TEMP[0].xxxx\n"
    "  3: ADD TEMP[0], CONST[0], CONST[1][0]\n  4: MOV OUT[0], TEMP[0]\n  5: END\n";

enum { SIDE = 16 };

/* What the steps make. */
struct world {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_resource *picture, *samples, *buffer;
    struct sch_view *view;
    struct sch_image *image;
    struct sch_sampler *sampler;
    struct sch_shader *shader;
    struct sch_program *program;
    struct sch_explanation *explanation;
};

static enum sch_result make_resources(struct world *w)
{
    const struct sch_resource_options picture = {.size = sizeof picture,
                                                 .target = SCH_TARGET_2D_ARRAY,
                                                 .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .layers = 3,
                                                 .levels = 3};
    const struct sch_resource_options samples = {.size = sizeof samples,
                                                 .target = SCH_TARGET_2D_MSAA,
                                                 .format = SCH_FORMAT_R16G16B16A16_FLOAT,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .samples = 4};
    const struct sch_resource_options buffer = {
        .size = sizeof buffer, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = 64};
    enum sch_result result = sch_resource_create(w->context, &picture, w->list, &w->picture);
    if (result == SCH_OK) result = sch_resource_create(w->context, &samples, w->list, &w->samples);
    if (result == SCH_OK) result = sch_resource_create(w->context, &buffer, w->list, &w->buffer);
    return result;
}

/* Calls that need no memory, and those that copy their source first. */
static enum sch_result move_texels(struct world *w)
{
    static uint8_t texels[SIDE * SIDE * 4 * 3], now[sizeof texels];
    const struct sch_transfer all = {.size = sizeof all};
    const struct sch_blit turned = {.size = sizeof turned, .box = {SIDE, 0, 0, -SIDE, SIDE, 3}},
                          resolved = {.size = sizeof resolved,
                                      .box = {0, 0, 1, SIDE, SIDE / 2, 1},
                                      .source = {0, 0, 0, SIDE, SIDE, 1},
                                      .filter = SCH_FILTER_LINEAR};
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i * 5);
    const long calls = counting.calls, fail_at = counting.fail_at, before = counting.live;
    counting.fail_at = 0; /* none of these is refused, and they do not count */
    assert_int_equal(sch_resource_write(w->picture, &all, texels, sizeof texels, NULL), SCH_OK);
    assert_int_equal(sch_resource_clear(w->samples, NULL, NULL), SCH_OK);
    assert_int_equal(sch_resource_make_mips(w->picture, NULL, NULL), SCH_OK);
    assert_int_equal(counting.live, before);
    counting.calls = calls;
    counting.fail_at = fail_at;
    enum sch_result result = sch_resource_blit(w->picture, w->picture, &turned, w->list);
    if (result != SCH_OK) {
        assert_int_equal(sch_resource_read(w->picture, &all, now, sizeof now, NULL), SCH_OK);
        assert_memory_equal(now, texels, sizeof texels);
    }
    return result == SCH_OK ? sch_resource_blit(w->picture, w->samples, &resolved, w->list) : result;
}

static enum sch_result make_views(struct world *w)
{
    const struct sch_view_options view = {.size = sizeof view, .first_level = 1, .diagnostics = w->list};
    const struct sch_image_options image = {.size = sizeof image, .level = 2, .diagnostics = w->list};
    const struct sch_sampler_options sampler = {.size = sizeof sampler, .min_filter = SCH_FILTER_LINEAR};
    const struct sch_lookup lookup = {.size = sizeof lookup, .at = {0.25f, 0.5f, 1}};
    enum sch_result result = sch_view_create(w->picture, &view, &w->view);
    if (result == SCH_OK) result = sch_image_create(w->picture, &image, &w->image);
    if (result == SCH_OK) result = sch_sampler_create(w->context, &sampler, w->list, &w->sampler);
    if (result == SCH_OK) result = sch_lookup_explain(w->context, w->view, w->sampler, &lookup, &w->explanation);
    return result;
}

static enum sch_result run_with_ranges(struct world *w)
{
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_TGSI};
    const struct sch_program_options interpreted = {.size = sizeof interpreted, .engine = SCH_ENGINE_INTERPRETER};
    static const float given[4] = {1, 2, 3, 4};
    const struct sch_constant_buffer constants[] = {{.data = given, .bytes = sizeof given},
                                                    {.resource = w->buffer, .offset = 16, .bytes = 64}};
    const struct sch_storage_buffer one = {.resource = w->buffer, .offset = 128};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = constants,
                                          .constant_count = 2,
                                          .buffers = &one,
                                          .buffer_count = 1,
                                          .hw_atomics = &one,
                                          .hw_atomic_count = 1,
                                          .global_memory = one,
                                          .views = &w->view,
                                          .view_count = 1,
                                          .images = &w->image,
                                          .image_count = 1};
    uint32_t outputs[4];
    const struct sch_invocations work = {
        .size = sizeof work, .count = 1, .outputs = outputs, .output_bytes = sizeof outputs, .output_registers = 1};
    enum sch_result result = sch_shader_read(w->context, text, sizeof text - 1, &read, w->list, &w->shader);
    if (result == SCH_OK) result = sch_program_create(w->context, w->shader, &interpreted, w->list, &w->program);
    return result == SCH_OK ? sch_dispatch(w->program, &bindings, &work, NULL, NULL) : result;
}

static enum sch_result live(const struct sch_allocator *memory)
{
    struct world w = {0};
    const struct sch_context_options options = {.size = sizeof options, .memory = memory};
    enum sch_result result = sch_context_create(&options, &w.context);
    if (result == SCH_OK) result = sch_diagnostics_create(w.context, &w.list);
    if (result == SCH_OK) result = make_resources(&w);
    if (result == SCH_OK) result = move_texels(&w);
    if (result == SCH_OK) result = make_views(&w);
    if (result == SCH_OK) result = run_with_ranges(&w);
    sch_resource_destroy(w.picture); /* before what shows it */
    sch_resource_destroy(w.samples);
    sch_resource_destroy(w.buffer);
    sch_explanation_destroy(w.explanation);
    sch_view_destroy(w.view);
    sch_image_destroy(w.image);
    sch_sampler_destroy(w.sampler);
    sch_program_destroy(w.program);
    sch_shader_destroy(w.shader);
    sch_diagnostics_destroy(w.list);
    sch_context_destroy(w.context);
    return result;
}

static void every_request_may_be_refused(void **state)
{
    (void)state;
    const struct sch_allocator memory = counting_callbacks(&counting);
    long requests = 0;
    for (;; requests++) {
        counting = (struct counting){.fail_at = requests + 1};
        const enum sch_result result = live(&memory);
        if (counting.live != 0) fail_msg("request %ld: %ld blocks are lost", requests, (long)counting.live);
        if (counting.calls < counting.fail_at) { /* none was refused */
            assert_int_equal(result, SCH_OK);
            break;
        }
        if (result != SCH_ERROR_MEMORY) fail_msg("request %ld: %s", requests, sch_result_text(result));
    }
    print_message("# %ld requests\n", requests);
    assert_true(requests > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_be_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
