/* Direct3D lookups, loads, stores, atomics and queries in small compute shaders, against results worked out by hand
 * (d3d_memory_cases.def), at every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

enum { RESULTS = 64, MOST_CASES = 128, FIRST_VIEW = 64, BUFFERS = FIRST_VIEW + 9, VIEWS = 8, IMAGES = 3, COUNTERS = 2 };

struct row {
    const char *name, *threads, *body, *results;
};
static const struct row rows[] = {
#define D3D_CASE(name, threads, body, results) {#name, threads, body, results},
#include "d3d_memory_cases.def"
#undef D3D_CASE
};

struct world {
    struct sch_context *context;
    struct sch_resource *resources[VIEWS + 1];
    struct sch_view *views[VIEWS];
    struct sch_sampler *samplers[2];
    struct sch_image *images[IMAGES];
    uint32_t memory[BUFFERS][RESULTS], counters[COUNTERS][4];
    struct sch_storage_buffer buffers[BUFFERS], atomics[COUNTERS];
};

static float texel_word(unsigned x, unsigned y, unsigned level, unsigned c)
{
    const float words[4] = {(float)x, (float)y, (float)level, 1.0f};
    return words[c];
}

/* Level after level, row after row. */
static void fill_levels(float *to)
{
    for (unsigned level = 0; level < 3; level++)
        for (unsigned y = 0; y < 4u >> level; y++)
            for (unsigned x = 0; x < 4u >> level; x++)
                for (unsigned c = 0; c < 4; c++) *to++ = texel_word(x, y, level, c);
}

static void make_texture(struct world *w, unsigned number, struct sch_resource_options shape, const char *format,
                         const void *texels, size_t bytes)
{
    shape.size = sizeof shape;
    shape.format = sch_format_by_name(format);
    assert_int_equal(sch_resource_create(w->context, &shape, NULL, &w->resources[number]), SCH_OK);
    assert_int_equal(sch_resource_bytes(w->resources[number]), bytes);
    assert_int_equal(sch_resource_write_all(w->resources[number], texels, bytes), SCH_OK);
    if (number < VIEWS) assert_int_equal(sch_view_create(w->resources[number], NULL, &w->views[number]), SCH_OK);
}

static void make_textures(struct world *w)
{
    static const uint32_t layers[] = {0, 1, 2, 16, 17, 18}, samples[] = {0x40, 0x41, 0x42, 0x43};
    static const uint32_t elements[] = {0x50, 0x51, 0x52, 0x53, 0x54}, image[] = {1, 2, 3, 4};
    static const float depths[] = {0.25f, 0.5f, 0.75f, 1.0f};
    float levels[21][4];
    fill_levels(levels[0]);
    make_texture(w, 2, (struct sch_resource_options){.target = SCH_TARGET_2D, .width = 4, .height = 4, .levels = 3},
                 "R32G32B32A32_FLOAT", levels, sizeof levels);
    make_texture(w, 3, (struct sch_resource_options){.target = SCH_TARGET_1D_ARRAY, .width = 3, .layers = 2},
                 "R32_UINT", layers, sizeof layers);
    make_texture(w, 4, (struct sch_resource_options){.target = SCH_TARGET_2D_MSAA, .samples = 4}, "R32_UINT", samples,
                 sizeof samples);
    make_texture(w, 5, (struct sch_resource_options){.target = SCH_TARGET_BUFFER, .width = 5}, "R32_UINT", elements,
                 sizeof elements);
    make_texture(w, 7, (struct sch_resource_options){.target = SCH_TARGET_2D, .width = 2, .height = 2}, "R32_FLOAT",
                 depths, sizeof depths);
    make_texture(w, VIEWS, (struct sch_resource_options){.target = SCH_TARGET_2D, .width = 2, .height = 2}, "R32_UINT",
                 image, sizeof image);
    assert_int_equal(sch_image_create(w->resources[VIEWS], NULL, &w->images[2]), SCH_OK);
    for (unsigned s = 0; s < 2; s++) {
        struct sch_sampler_options state = {.size = sizeof state,
                                            .wrap_s = SCH_WRAP_CLAMP_TO_EDGE,
                                            .wrap_t = SCH_WRAP_CLAMP_TO_EDGE,
                                            .wrap_r = SCH_WRAP_CLAMP_TO_EDGE,
                                            .mip_filter = SCH_MIP_NEAREST,
                                            .compare = s ? SCH_COMPARE_LESS : SCH_COMPARE_NEVER};
        assert_int_equal(sch_sampler_create(w->context, &state, NULL, &w->samplers[s]), SCH_OK);
    }
}

static void make_world(struct world *w)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(sch_context_create(NULL, &w->context), SCH_OK);
    make_textures(w);
    for (unsigned i = 0; i < 16; i++) w->memory[FIRST_VIEW][i] = 0x100 + i;
    for (unsigned i = 0; i < 6; i++) w->memory[FIRST_VIEW + 1][i] = 0x200 + i;
    for (unsigned i = 0; i < 16; i++) w->memory[1][i] = 0x300 + i;
    w->buffers[0] = (struct sch_storage_buffer){w->memory[0], sizeof w->memory[0]};
    w->buffers[1] = (struct sch_storage_buffer){w->memory[1], 64};
    w->buffers[FIRST_VIEW] = (struct sch_storage_buffer){w->memory[FIRST_VIEW], 64};
    w->buffers[FIRST_VIEW + 1] = (struct sch_storage_buffer){w->memory[FIRST_VIEW + 1], 24};
    for (unsigned i = 0; i < 7; i++) w->memory[FIRST_VIEW + 8][i] = 0x500 + i;
    w->buffers[FIRST_VIEW + 8] = (struct sch_storage_buffer){w->memory[FIRST_VIEW + 8], 20};
    for (unsigned i = 0; i < 7; i++) w->memory[3][i] = 0x600 + i;
    w->buffers[3] = (struct sch_storage_buffer){w->memory[3], 28};
    w->atomics[1] = (struct sch_storage_buffer){w->counters[1], sizeof w->counters[1]};
}

static void release_world(struct world *w)
{
    for (unsigned i = 0; i < IMAGES; i++) sch_image_destroy(w->images[i]);
    for (unsigned i = 0; i < 2; i++) sch_sampler_destroy(w->samplers[i]);
    for (unsigned i = 0; i < VIEWS; i++) sch_view_destroy(w->views[i]);
    for (unsigned i = 0; i <= VIEWS; i++) sch_resource_destroy(w->resources[i]);
    sch_context_destroy(w->context);
}

static void write_program(const struct row *row, char *text, size_t bytes)
{
    int dimensions = 1;
    for (const char *c = row->threads; *c; c++) dimensions += *c == ',';
    snprintf(text, bytes,
             "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
             "dcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\n"
             "dcl_resource_raw t0\ndcl_resource_structured t1, 12\ndcl_resource_structured t8, 12\n"
             "dcl_resource_texture2d (float,float,float,float) t2\n"
             "dcl_resource_texture1darray (uint,uint,uint,uint) t3\n"
             "dcl_resource_texture2dms(4) (uint,uint,uint,uint) t4\ndcl_resource_buffer (uint,uint,uint,uint) t5\n"
             "dcl_resource_texture2d (float,float,float,float) t6\n"
             "dcl_resource_texture2d (float,float,float,float) t7\n"
             "dcl_uav_raw u0\ndcl_uav_structured_opc u1, 8\ndcl_uav_typed_texture2d (uint,uint,uint,uint) "
             "u2\ndcl_uav_structured u3, 8\n"
             "dcl_temps 4\ndcl_indexableTemp x0[2], 4\ndcl_tgsm_raw g0, 16\ndcl_tgsm_structured g1, 8, "
             "2\ndcl_thread_group %s%s\n%sret\n",
             row->threads, dimensions == 1 ? ", 1, 1" : "", row->body);
}

static void explain(const struct row *row, const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view, .message = "?"};
    for (size_t i = 0; i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) break;
    fail_msg("%s: line %u: %u %s", row->name, view.line, view.code, view.message);
}

static void run(const struct row *row, const char *text, unsigned width)
{
    struct world w;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    struct sch_program *program;
    make_world(&w);
    struct sch_program_options options = {.size = sizeof options, .width = width};
    assert_int_equal(sch_diagnostics_create(w.context, &list), SCH_OK);
    if (sch_shader_read(w.context, text, strlen(text), NULL, list, &shader) != SCH_OK) explain(row, list);
    if (sch_program_create(w.context, shader, &options, list, &program) != SCH_OK) explain(row, list);
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .views = w.views,
                                    .view_count = VIEWS,
                                    .samplers = w.samplers,
                                    .sampler_count = 2,
                                    .buffers = w.buffers,
                                    .buffer_count = BUFFERS,
                                    .hw_atomics = w.atomics,
                                    .hw_atomic_count = COUNTERS,
                                    .images = w.images,
                                    .image_count = IMAGES};
    const uint32_t grid[3] = {1, 1, 1};
    assert_int_equal(sch_dispatch_grid(program, &bindings, grid, NULL, NULL, NULL), SCH_OK);
    const char *wanted = row->results;
    for (unsigned i = 0; i < RESULTS; i++) {
        char *end;
        uint32_t word = (uint32_t)strtoul(wanted, &end, 16);
        wanted = end + strspn(end, " ");
        if (w.memory[0][i] != word)
            fail_msg("%s, width %u: word %u is %08x, not %08x", row->name, width, i, w.memory[0][i], word);
    }
    assert_int_equal(w.memory[3][6], 0x606);
    if (*wanted) fail_msg("%s: results that are not compared: %s", row->name, wanted);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    release_world(&w);
}

static void test_row(void **state)
{
    char text[4096];
    write_program(*state, text, sizeof text);
    for (unsigned width = 4; width <= 16; width *= 2) run(*state, text, width);
}

int main(void)
{
    static struct CMUnitTest tests[MOST_CASES];
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("d3d memory", tests, count, NULL, NULL);
}
