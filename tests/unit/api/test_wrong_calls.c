/* Calls that return ARGUMENT name the function and the argument: to the context, to its log and to the call's list.
 * Each function that may return it and has a context is called wrongly at least once; tests/static/arguments.py checks
 * that the names are those of the headers and that no function is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../maxwell/maxwell_group.h"
#include "../support/api_program.h"

static struct sch_context *context, *other;
static uint64_t number; /* wrong calls of `context` */
static char logged[512], logged_function[64], logged_argument[96];

static void note(void *user, const struct sch_log_message *message)
{
    (void)user;
    if (message->subject != SCH_LOG_CALL) return;
    assert_int_equal(message->level, SCH_LOG_ERROR);
    strncpy(logged, message->text, sizeof logged - 1);
    strncpy(logged_function, message->function, sizeof logged_function - 1);
    strncpy(logged_argument, message->argument, sizeof logged_argument - 1);
}

static void expect(const char *argument, const char *function, enum sch_result result)
{
    struct sch_wrong_call call = {.size = sizeof call};
    if (result != SCH_ERROR_ARGUMENT) fail_msg("%s, %s: %s", function, argument, sch_result_text(result));
    assert_true(sch_context_get_wrong_call(context, &call));
    if (strcmp(call.function, function) != 0 || strcmp(call.argument, argument) != 0)
        fail_msg("%s, %s instead of %s, %s (%s)", call.function, call.argument, function, argument, call.reason);
    assert_int_equal(call.number, ++number);
    assert_true(*call.reason);
    assert_string_equal(logged_function, function);
    assert_string_equal(logged_argument, argument);
    assert_non_null(strstr(logged, call.reason));
}

/* The call returns ARGUMENT and names `argument`. */
#define WRONG(argument, function, ...) expect(argument, #function, function(__VA_ARGS__))

static int begin(void **state)
{
    (void)state;
    const struct sch_log_callback log = {note, NULL};
    const struct sch_context_options options = {.size = sizeof options, .log = &log};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_context_create(NULL, &other), SCH_OK);
    number = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    sch_context_destroy(context);
    sch_context_destroy(other);
    return 0;
}

static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static const char fragment[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
static const char compute[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n";
static const char pixel[] = "ps_4_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1,1,1,1)\nret\n";

/* ---- the record itself ---- */

static void nothing_is_kept_of_right_calls(void **state)
{
    (void)state;
    struct sch_wrong_call call = {.size = sizeof call};
    struct sch_shader *shader = api_shader(context, vertex);
    assert_false(sch_context_get_wrong_call(context, &call));
    WRONG("info", sch_shader_get_info, shader, NULL);
    assert_int_equal(sch_shader_check(shader, NULL), SCH_OK);
    assert_true(sch_context_get_wrong_call(context, &call)); /* as errno */
    assert_int_equal(call.number, 1);
    assert_string_equal(call.reason, "info is NULL");
    assert_false(sch_context_get_wrong_call(other, &call));
    assert_false(sch_context_get_wrong_call(NULL, &call));
    assert_false(sch_context_get_wrong_call(context, NULL));
    call.size = 0;
    assert_false(sch_context_get_wrong_call(context, &call));
    sch_shader_destroy(shader);
}

/* Another thread's call: its own is seen here, not that of the thread before. */
static void *fail_once(void *user)
{
    struct sch_wrong_call call = {.size = sizeof call};
    const bool failed = sch_shader_get_info(user, NULL) == SCH_ERROR_ARGUMENT;
    const bool seen = sch_context_get_wrong_call(context, &call) && strcmp(call.function, "sch_shader_get_info") == 0;
    return failed && seen ? user : NULL;
}

static void threads_have_their_own(void **state)
{
    (void)state;
    struct sch_shader *shader = api_shader(context, vertex);
    struct sch_wrong_call call = {.size = sizeof call};
    pthread_t thread;
    WRONG("text", sch_shader_print, shader, NULL, NULL, NULL);
    for (int i = 0; i < 40; i++) { /* more threads than are kept, one after the other */
        assert_int_equal(pthread_create(&thread, NULL, fail_once, shader), 0);
        void *right;
        pthread_join(thread, &right);
        assert_ptr_equal(right, shader);
    }
    number += 40;
    WRONG("text", sch_shader_print, shader, NULL, NULL, NULL);
    assert_true(sch_context_get_wrong_call(context, &call));
    sch_shader_destroy(shader);
}

static void lists_have_the_name(void **state)
{
    (void)state;
    struct sch_diagnostics_list *list;
    struct sch_sampler *sampler;
    struct sch_diagnostic_info info = {.size = sizeof info};
    const struct sch_sampler_options options = {.size = sizeof options, .wrap_t = (enum sch_wrap)8};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    WRONG("options.wrap_t", sch_sampler_create, context, &options, list, &sampler);
    assert_true(sch_diagnostics_get(list, 0, &info));
    assert_int_equal(info.code, 6300);
    assert_string_equal(info.argument, "options.wrap_t");
    WRONG("context", sch_sampler_create, NULL, NULL, list, &sampler); /* the list's context is told */
    assert_int_equal(sch_shader_read(context, "VERT\nFOO\n", 9, NULL, list, &(struct sch_shader *){NULL}),
                     SCH_ERROR_INVALID);
    assert_true(sch_diagnostics_get(list, 2, &info));
    assert_null(info.argument);
    sch_diagnostics_destroy(list);
}

/* ---- each function ---- */

static void contexts(void **state)
{
    (void)state;
    struct sch_context *made;
    const struct sch_log_callback log = {note, NULL};
    const struct sch_allocator allocator = {0};
    const unsigned ignored[] = {2501, 1};
    const struct sch_warning_options warnings = {.size = sizeof warnings, .ignored = ignored, .ignored_count = 2};
    const struct sch_limit_options limits = {.size = 1};
    const struct sch_machine_code_options code = {.size = 1};
    const struct sch_thread_callback threads = {0};
    const struct sch_context_options right = {.size = sizeof right, .log = &log};
    struct sch_context_options options;
    /* Only the log can be told. */
#define TOLD(name, ...)                                                                                                \
    do {                                                                                                               \
        options = right;                                                                                               \
        __VA_ARGS__;                                                                                                   \
        assert_int_equal(sch_context_create(&options, &made), SCH_ERROR_ARGUMENT);                                     \
        assert_null(made);                                                                                             \
        assert_string_equal(logged_function, "sch_context_create");                                                    \
        assert_string_equal(logged_argument, name);                                                                    \
    } while (0)
    TOLD("options.memory.alloc", options.memory = &allocator);
    TOLD("options.limits.size", options.limits = &limits);
    TOLD("options.machine_code.size", options.machine_code = &code);
    TOLD("options.threads.function", options.threads = &threads);
    TOLD("options.warnings.ignored[1]", options.warnings = &warnings);
    TOLD("options.dialect", options.dialect = (enum sch_dialect)3);
#undef TOLD
    assert_int_equal(sch_context_create(&right, NULL), SCH_ERROR_ARGUMENT);
    assert_string_equal(logged_argument, "context");
    struct sch_context_memory memory = {.size = 1};
    struct sch_code_counts counts = {.size = 1};
    struct sch_machine_info machine = {.size = 1};
    WRONG("info", sch_context_get_machine, context, NULL);
    WRONG("info.size", sch_context_get_machine, context, &machine);
    WRONG("memory", sch_context_get_memory, context, NULL);
    WRONG("memory.size", sch_context_get_memory, context, &memory);
    WRONG("counts.size", sch_context_code_counts, context, &counts);
    WRONG("list", sch_diagnostics_create, context, NULL);
    struct sch_diagnostics_list *list;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    char *text;
    const struct sch_report_options small = {.size = 1};
    WRONG("text", sch_diagnostics_print, list, NULL, NULL, NULL);
    WRONG("options.size", sch_diagnostics_print, list, &small, &text, NULL);
    sch_diagnostics_destroy(list);
}

static void shaders(void **state)
{
    (void)state;
    struct sch_shader *made, *shader = api_shader(context, vertex), *direct;
    const struct sch_read_options assembly = {.size = sizeof assembly, .kind = SCH_KIND_D3D_ASM};
    const struct sch_read_options odd = {.size = sizeof odd, .kind = (enum sch_kind)9}, small = {.size = 1},
                                  strange = {.size = sizeof strange, .dialect = (enum sch_dialect)3};
    assert_int_equal(sch_shader_read(context, pixel, sizeof pixel - 1, &assembly, NULL, &direct), SCH_OK);
    WRONG("shader", sch_shader_read, context, "", 0, NULL, NULL, NULL);
    WRONG("data", sch_shader_read, context, NULL, 1, NULL, NULL, &made);
    WRONG("options.size", sch_shader_read, context, "", 0, &small, NULL, &made);
    WRONG("options.kind", sch_shader_read, context, "", 0, &odd, NULL, &made);
    WRONG("options.dialect", sch_shader_read, context, "", 0, &strange, NULL, &made);
    size_t count, bytes;
    WRONG("count", sch_text_shaders, context, "", 0, NULL, 0, 0, NULL);
    WRONG("list", sch_text_shaders, context, "", 0, NULL, sizeof(struct sch_text_shader), 1, &count);
    WRONG("stride", sch_text_shaders, context, "", 0, &(struct sch_text_shader){0}, 1, 1, &count);
    struct sch_diagnostics_list *list;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    WRONG("shader", sch_shader_check, NULL, list);
    sch_diagnostics_destroy(list);
    struct sch_construct_info constructs[1];
    WRONG("shader", sch_shader_constructs, direct, constructs, sizeof *constructs, 1, &count);
    WRONG("stride", sch_shader_constructs, shader, constructs, 1, 1, &count);
    char *text;
    const struct sch_print_options listing = {.size = sizeof listing, .listing = (enum sch_listing_style)3};
    const struct sch_translate_options language = {.size = sizeof language, .to = (enum sch_translation)2};
    struct sch_register_use uses[1];
    size_t starts[1];
    const struct sch_print_options lines = {.size = sizeof lines, .starts = starts, .start_capacity = 1};
    WRONG("shader", sch_shader_register_uses, direct, uses, sizeof *uses, 1, &count);
    WRONG("stride", sch_shader_register_uses, shader, uses, 1, 1, &count);
    WRONG("list", sch_shader_register_uses, shader, NULL, sizeof *uses, 1, &count);
    WRONG("options.starts", sch_shader_print, direct, &lines, &text, NULL);
    WRONG("options.listing", sch_shader_print, shader, &listing, &text, NULL);
    WRONG("options.to", sch_shader_translate, shader, &language, NULL, &text, NULL);
    WRONG("text", sch_shader_translate, shader, NULL, NULL, NULL, NULL);
    WRONG("shader", sch_shader_lower, shader, NULL, &made);
    WRONG("raised", sch_shader_raise, shader, NULL, NULL);
    WRONG("shader", sch_shader_raise, direct, NULL, &made);
    uint32_t *words;
    void *data;
    WRONG("count", sch_shader_tokens, shader, NULL, &words, NULL);
    WRONG("data", sch_shader_serialize, shader, NULL, NULL, &bytes);
    WRONG("bytes", sch_shader_serialize, shader, NULL, &data, NULL);
    WRONG("info", sch_shader_get_info, shader, NULL);
    struct sch_d3d_info info = {.size = sizeof info};
    WRONG("shader", sch_shader_get_d3d_info, shader, &info);
    info.size = 0;
    WRONG("info.size", sch_shader_get_d3d_info, direct, &info);
    sch_shader_destroy(direct);
    sch_shader_destroy(shader);
}

static void programs(void **state)
{
    (void)state;
    struct sch_shader *shader = api_shader(context, vertex);
    struct sch_program *made, *program = api_default_program(context, vertex);
    struct sch_program *pixels = api_default_program(context, fragment), *grid = api_default_program(context, compute);
    const struct sch_program_options width = {.size = sizeof width, .width = 5},
                                     engine = {.size = sizeof engine, .engine = (enum sch_engine)4},
                                     plain = {.size = sizeof plain, .engine = SCH_ENGINE_INTERPRETER};
    struct sch_program *interpreted;
    assert_int_equal(sch_program_create(context, shader, &plain, NULL, &interpreted), SCH_OK);
    WRONG("shader", sch_program_create, context, NULL, NULL, NULL, &made);
    WRONG("options.width", sch_program_create, context, shader, &width, NULL, &made);
    WRONG("options.engine", sch_program_create, context, shader, &engine, NULL, &made);
    struct sch_shader *code;
    const char lookup[] = "TEX R0, R4, 0x0, 2D, 0xf;";
    assert_int_equal(maxwell_read(context, lookup, sizeof lookup - 1, NULL, NULL, &code), SCH_OK);
    const struct sch_program_options given = {.size = sizeof given, .lookup_code = code};
    WRONG("options.lookup_code", sch_program_create, context, shader, &given, NULL, &made);
    sch_shader_destroy(code);
    const struct sch_invocations none = {.size = sizeof none, .count = 1}, short_inputs = {.size = sizeof none,
                                                                                           .count = 2,
                                                                                           .inputs = (uint32_t[4]){0},
                                                                                           .input_bytes = 16,
                                                                                           .input_registers = 1};
    struct sch_invocations samples = none;
    samples.samples = 3;
    struct sch_dispatch_report report = {.size = 1};
    const struct sch_dispatch_options small = {.size = 1};
    const struct sch_bindings missing = {.size = sizeof missing, .view_count = 1}, tiny = {.size = 1};
    WRONG("invocations", sch_dispatch, program, NULL, NULL, NULL, NULL);
    WRONG("invocations.input_bytes", sch_dispatch, program, NULL, &short_inputs, NULL, NULL);
    WRONG("invocations.samples", sch_dispatch, program, NULL, &samples, NULL, NULL);
    WRONG("bindings.views", sch_dispatch, program, &missing, &none, NULL, NULL);
    WRONG("bindings.size", sch_dispatch, program, &tiny, &none, NULL, NULL);
    WRONG("options.size", sch_dispatch, program, NULL, &none, &small, NULL);
    WRONG("report.size", sch_dispatch, program, NULL, &none, NULL, &report);
    const struct sch_storage_buffer odd[] = {{NULL, 0}, {(char *)&report + 1, 4}};
    const struct sch_bindings buffers = {.size = sizeof buffers, .buffers = odd, .buffer_count = 2};
    WRONG("bindings.buffers[1]", sch_dispatch_grid, grid, &buffers, NULL, NULL, NULL, NULL);
    WRONG("program", sch_dispatch_grid, program, NULL, NULL, NULL, NULL, NULL);
    WRONG("block[0]", sch_dispatch_grid, grid, NULL, NULL, (uint32_t[3]){5, 1, 1}, NULL, NULL);
    const struct sch_render_target targets[2] = {{.pixels = (uint32_t[4]){0}, .bytes = 16, .row_bytes = 8}, {0}};
    struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                      .width = 2,
                                      .height = 2,
                                      .render_targets = targets,
                                      .render_target_count = 2,
                                      .render_target_stride = sizeof *targets};
    WRONG("program", sch_dispatch_rectangle, program, NULL, &rectangle, NULL, NULL);
    WRONG("rectangle.render_targets[1]", sch_dispatch_rectangle, pixels, NULL, &rectangle, NULL, NULL);
    rectangle.y = 1;
    WRONG("rectangle.y", sch_dispatch_rectangle, pixels, NULL, &rectangle, NULL, NULL);
    rectangle.width = UINT32_MAX;
    WRONG("rectangle.width", sch_dispatch_rectangle, pixels, NULL, &rectangle, NULL, NULL);
    WRONG("rectangle", sch_dispatch_rectangle, pixels, NULL, NULL, NULL, NULL);
    char *text;
    const struct sch_code_options spans = {.size = sizeof spans, .rectangle = &rectangle};
    WRONG("program", sch_program_compile, interpreted, NULL, NULL);
    WRONG("options.rectangle.width", sch_program_compile, pixels, &spans, NULL);
    WRONG("kind", sch_program_code_text, program, NULL, (enum sch_code_text)2, &text);
    sch_program_destroy(interpreted);
    sch_program_destroy(grid);
    sch_program_destroy(pixels);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
}

static struct sch_resource *resource_of(struct sch_context *of, enum sch_target target, enum sch_format format,
                                        uint32_t width)
{
    struct sch_resource *made;
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = target,
                                                 .format = format,
                                                 .width = width,
                                                 .height = target == SCH_TARGET_BUFFER ? 1 : 4};
    assert_int_equal(sch_resource_create(of, &options, NULL, &made), SCH_OK);
    return made;
}

static void resources(void **state)
{
    (void)state;
    struct sch_resource *made, *texture = resource_of(context, SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 4);
    struct sch_resource *wide = resource_of(context, SCH_TARGET_2D, SCH_FORMAT_R32G32_FLOAT, 4);
    const struct sch_resource_options target = {.size = sizeof target, .target = (enum sch_target)99},
                                      format = {.size = sizeof format, .format = (enum sch_format)999};
    uint8_t bytes[256] = {0};
    WRONG("options", sch_resource_create, context, NULL, NULL, &made);
    WRONG("options.target", sch_resource_create, context, &target, NULL, &made);
    WRONG("options.format", sch_resource_create, context, &format, NULL, &made);
    struct sch_resource_info info = {.size = sizeof info};
    WRONG("level", sch_resource_get_info, texture, 1, &info);
    WRONG("bytes", sch_resource_write_all, texture, bytes, 63);
    WRONG("data", sch_resource_read_all, texture, NULL, 64);
    const struct sch_transfer level = {.size = sizeof level, .level = 1},
                              box = {.size = sizeof box, .box = {.x = 3, .width = 2, .height = 1, .depth = 1}},
                              rows = {.size = sizeof rows, .row_bytes = 15},
                              sample = {.size = sizeof sample, .sample = 1};
    WRONG("transfer.level", sch_resource_write, texture, &level, bytes, sizeof bytes, NULL);
    WRONG("transfer.box", sch_resource_write, texture, &box, bytes, sizeof bytes, NULL);
    WRONG("transfer.row_bytes", sch_resource_read, texture, &rows, bytes, sizeof bytes, NULL);
    WRONG("transfer.sample", sch_resource_read, texture, &sample, bytes, sizeof bytes, NULL);
    WRONG("bytes", sch_resource_read, texture, NULL, bytes, 63, NULL);
    const struct sch_copy to = {.size = sizeof to, .y = 1}, from = {.size = sizeof from, .source_level = 1};
    WRONG("copy.y", sch_resource_copy, texture, texture, &to, NULL);
    WRONG("copy.source_level", sch_resource_copy, texture, texture, &from, NULL);
    WRONG("from", sch_resource_copy, texture, wide, NULL, NULL);
    const struct sch_clear block = {.size = sizeof block, .block = bytes, .block_bytes = 3},
                           cleared = {.size = sizeof cleared, .format = SCH_FORMAT_R32G32_FLOAT};
    WRONG("clear.block_bytes", sch_resource_clear, texture, &block, NULL);
    WRONG("clear.format", sch_resource_clear, texture, &cleared, NULL);
    const struct sch_blit source = {.size = sizeof source, .source_format = SCH_FORMAT_R32G32_FLOAT},
                          filter = {.size = sizeof filter, .filter = (enum sch_filter)2};
    WRONG("blit.source_format", sch_resource_blit, texture, texture, &source, NULL);
    WRONG("blit.filter", sch_resource_blit, texture, texture, &filter, NULL);
    const struct sch_mips mips = {.size = sizeof mips, .level_count = 1}, base = {.size = sizeof base, .base_level = 1};
    WRONG("mips.level_count", sch_resource_make_mips, texture, &mips, NULL);
    WRONG("mips.base_level", sch_resource_make_mips, texture, &base, NULL);
    const struct sch_video video = {.size = sizeof video, .format = SCH_FORMAT_NV12, .width = 4, .height = 4};
    WRONG("video.matrix", sch_resource_write_video, texture, &video, NULL);
    WRONG("video", sch_resource_write_video, texture, NULL, NULL);
    sch_resource_destroy(wide);
    sch_resource_destroy(texture);
}

static void views(void **state)
{
    (void)state;
    struct sch_resource *texture = resource_of(context, SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 4);
    struct sch_view *view;
    struct sch_image *image;
    struct sch_sampler *sampler;
    const struct sch_view_options swizzle = {.size = sizeof swizzle, .swizzle = {0, 6}},
                                  lod = {.size = sizeof lod, .min_lod = NAN},
                                  layer = {.size = sizeof layer, .first_layer = 1},
                                  levels = {.size = sizeof levels, .level_count = 2};
    WRONG("options.swizzle[1]", sch_view_create, texture, &swizzle, &view);
    WRONG("options.min_lod", sch_view_create, texture, &lod, &view);
    WRONG("options.first_layer", sch_view_create, texture, &layer, &view);
    WRONG("options.level_count", sch_view_create, texture, &levels, &view);
    const struct sch_image_options level = {.size = sizeof level, .level = 1},
                                   target = {.size = sizeof target, .has_target = true, .target = SCH_TARGET_3D};
    WRONG("options.level", sch_image_create, texture, &level, &image);
    WRONG("options.target", sch_image_create, texture, &target, &image);
    const struct sch_sampler_options anisotropy = {.size = sizeof anisotropy, .max_anisotropy = 17},
                                     rules = {.size = sizeof rules, .rules = (enum sch_rules)3};
    WRONG("options.max_anisotropy", sch_sampler_create, context, &anisotropy, NULL, &sampler);
    WRONG("options.rules", sch_sampler_create, context, &rules, NULL, &sampler);

    uint32_t results[2][4];
    struct sch_lookup lookups[2] = {{.size = sizeof *lookups}, {.size = sizeof *lookups}};
    struct sch_explanation *explanation;
    assert_int_equal(sch_view_create(texture, NULL, &view), SCH_OK);
    WRONG("width", sch_lookup_run, view, NULL, lookups, 2, 5, results);
    WRONG("results", sch_lookup_run, view, NULL, lookups, 2, 0, NULL);
    lookups[1].operation = (enum sch_lookup_operation)9;
    WRONG("lookups[1].operation", sch_lookup_run, view, NULL, lookups, 2, 0, results);
    lookups[1] = (struct sch_lookup){.size = 1};
    WRONG("lookups[1].size", sch_lookup_run, view, NULL, lookups, 2, 0, results);
    lookups[0].operation = SCH_LOOKUP_GATHER;
    lookups[0].component = 4;
    WRONG("lookup.component", sch_lookup_explain, context, view, NULL, lookups, &explanation);
    lookups[0].component = 0;
    assert_int_equal(sch_lookup_explain(context, view, NULL, lookups, &explanation), SCH_OK);
    struct sch_explanation_info info = {.size = 1};
    WRONG("info.size", sch_explanation_get_info, explanation, &info);
    sch_explanation_destroy(explanation);
    sch_view_destroy(view);
    sch_resource_destroy(texture);
}

static void states(void **state)
{
    (void)state;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *depth;
    struct sch_blend *blend;
    struct sch_stream_output *output;
    struct sch_rasterizer_options r = {.size = sizeof r};
    struct sch_depth_stencil_alpha_options d = {.size = sizeof d};
    struct sch_blend_options b = {.size = sizeof b};
    sch_rasterizer_options_default(&r);
    sch_depth_stencil_alpha_options_default(&d);
    sch_blend_options_default(&b);
    r.cull_face = 4;
    d.stencil[0].enabled = d.stencil[1].enabled = true;
    d.stencil[1].pass = (enum sch_stencil_operation)8;
    b.independent = b.targets[3].enabled = true;
    b.targets[3].alpha_source = (enum sch_blend_factor)11;
    const struct sch_stream_output_options s = {
        .size = sizeof s, .stride = {4}, .register_count = 1, .registers = {{.component_count = 4, .offset = 1}}};
    WRONG("options.cull_face", sch_rasterizer_create, context, &r, NULL, &rasterizer);
    WRONG("made", sch_rasterizer_create, context, NULL, NULL, NULL);
    WRONG("options.stencil[1].pass", sch_depth_stencil_alpha_create, context, &d, NULL, &depth);
    WRONG("options.targets[3].alpha_source", sch_blend_create, context, &b, NULL, &blend);
    WRONG("options.registers[0].offset", sch_stream_output_create, context, &s, NULL, &output);
    const struct sch_vertex_element elements[] = {{.format = SCH_FORMAT_R32_FLOAT}, {.format = (enum sch_format)999}},
                                    buffer = {.format = SCH_FORMAT_R32_FLOAT, .buffer = SCH_VERTEX_BUFFERS};
    struct sch_vertex_elements *layout;
    WRONG("elements[1].format", sch_vertex_elements_create, context, elements, 2, sizeof *elements, NULL, &layout);
    WRONG("elements[0].buffer", sch_vertex_elements_create, context, &buffer, 1, sizeof buffer, NULL, &layout);
    WRONG("stride", sch_vertex_elements_create, context, elements, 2, 1, NULL, &layout);
}

static void targets(void **state)
{
    (void)state;
    struct sch_resource *bytes = resource_of(context, SCH_TARGET_BUFFER, SCH_FORMAT_R32_UINT, 4);
    struct sch_resource *texture = resource_of(context, SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 4);
    struct sch_resource *away = resource_of(other, SCH_TARGET_BUFFER, SCH_FORMAT_R32_UINT, 4);
    struct sch_stream_target *target;
    struct sch_stream_target_options options = {.size = sizeof options, .resource = bytes, .offset = 2};
    WRONG("options.offset", sch_stream_target_create, context, &options, NULL, &target);
    options.resource = away;
    WRONG("options.resource", sch_stream_target_create, context, &options, NULL, &target);
    options = (struct sch_stream_target_options){.size = sizeof options, .resource = bytes, .bytes = 17};
    WRONG("options.bytes", sch_stream_target_create, context, &options, NULL, &target);
    options.bytes = 0;
    assert_int_equal(sch_stream_target_create(context, &options, NULL, &target), SCH_OK);
    WRONG("bytes", sch_stream_target_set_filled, target, 6);
    sch_stream_target_destroy(target);

    struct sch_surface *surface;
    struct sch_framebuffer *framebuffer;
    const struct sch_surface_options level = {.size = sizeof level, .level = 1},
                                     layers = {.size = sizeof layers, .layer_count = 2};
    WRONG("resource", sch_surface_create, bytes, NULL, NULL, &surface);
    WRONG("options.level", sch_surface_create, texture, &level, NULL, &surface);
    WRONG("options.layer_count", sch_surface_create, texture, &layers, NULL, &surface);
    assert_int_equal(sch_surface_create(texture, NULL, NULL, &surface), SCH_OK);
    const struct sch_framebuffer_options none = {.size = sizeof none, .width = 4},
                                         odd = {.size = sizeof odd, .width = 4, .height = 4, .samples = 3},
                                         depth = {.size = sizeof depth, .depth_stencil = surface};
    WRONG("options.height", sch_framebuffer_create, context, &none, NULL, &framebuffer);
    WRONG("options.samples", sch_framebuffer_create, context, &odd, NULL, &framebuffer);
    WRONG("options.depth_stencil", sch_framebuffer_create, context, &depth, NULL, &framebuffer);
    sch_surface_destroy(surface);
    sch_resource_destroy(away);
    sch_resource_destroy(texture);
    sch_resource_destroy(bytes);
}

/* What a draw needs. */
struct drawing {
    struct sch_program *vertex, *fragment;
    struct sch_resource *texture;
    struct sch_surface *surface;
    struct sch_framebuffer *framebuffer;
    struct sch_pipeline *pipeline;
    struct sch_renderer *renderer;
};

static void begin_drawing(struct drawing *d)
{
    d->vertex = api_default_program(context, vertex);
    d->fragment = api_default_program(context, fragment);
    d->texture = resource_of(context, SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 4);
    assert_int_equal(sch_surface_create(d->texture, NULL, NULL, &d->surface), SCH_OK);
    const struct sch_framebuffer_options buffers = {.size = sizeof buffers, .colors = {d->surface}};
    const struct sch_pipeline_options programs = {
        .size = sizeof programs, .vertex = d->vertex, .fragment = d->fragment};
    assert_int_equal(sch_framebuffer_create(context, &buffers, NULL, &d->framebuffer), SCH_OK);
    assert_int_equal(sch_pipeline_create(context, &programs, NULL, &d->pipeline), SCH_OK);
    assert_int_equal(sch_renderer_create(context, &d->renderer), SCH_OK);
}

static void end_drawing(struct drawing *d)
{
    sch_renderer_destroy(d->renderer);
    sch_pipeline_destroy(d->pipeline);
    sch_framebuffer_destroy(d->framebuffer);
    sch_surface_destroy(d->surface);
    sch_resource_destroy(d->texture);
    sch_program_destroy(d->fragment);
    sch_program_destroy(d->vertex);
}

static void draws(void **state)
{
    (void)state;
    struct drawing d;
    begin_drawing(&d);
    struct sch_pipeline *pipeline;
    const struct sch_pipeline_options stage = {.size = sizeof stage, .vertex = d.fragment},
                                      missing = {.size = sizeof missing};
    WRONG("options.vertex", sch_pipeline_create, context, &stage, NULL, &pipeline);
    WRONG("options.vertex", sch_pipeline_create, context, &missing, NULL, &pipeline);
    WRONG("renderer", sch_renderer_create, context, NULL);

    const struct sch_draw_state right = {.size = sizeof right, .pipeline = d.pipeline, .framebuffer = d.framebuffer};
    const struct sch_draw draw = {.size = sizeof draw, .primitive = SCH_PRIMITIVE_POINTS, .count = 1};
    struct sch_draw_state s;
    struct sch_draw w;
#define DRAWN(argument, ...)                                                                                           \
    do {                                                                                                               \
        s = right;                                                                                                     \
        w = draw;                                                                                                      \
        __VA_ARGS__;                                                                                                   \
        WRONG(argument, sch_renderer_draw, d.renderer, &s, &w, NULL, NULL);                                            \
    } while (0)
    const struct sch_vertex_buffer buffers[] = {{0}, {.memory_bytes = 4}};
    const struct sch_dynamic_state dynamic = {.size = sizeof dynamic, .viewport_count = 17};
    const struct sch_bindings bindings = {.size = sizeof bindings, .sampler_count = 1};
    DRAWN("state.framebuffer", s.framebuffer = NULL);
    DRAWN("state.size", s.size = 1);
    DRAWN("draw.size", w.size = 1);
    DRAWN("draw.primitive", w.primitive = (enum sch_primitive)15);
    DRAWN("draw.primitive", w.primitive = SCH_PRIMITIVE_PATCHES);
    DRAWN("draw.index_bytes", w.index_bytes = 3);
    DRAWN("draw.ranges", w.range_count = 1);
    DRAWN("draw.indirect", w.indirect = d.texture);
    DRAWN("state.vertex_buffer_count", s.vertex_buffer_count = 33);
    DRAWN("state.vertex_buffers[1]", s.vertex_buffers = buffers, s.vertex_buffer_count = 2,
          s.vertex_buffer_stride = sizeof *buffers);
    DRAWN("state.dynamic.viewport_count", s.dynamic = &dynamic);
    DRAWN("state.bindings[4].samplers", s.bindings[SCH_STAGE_FRAGMENT] = &bindings);
#undef DRAWN
    WRONG("draw", sch_renderer_draw, d.renderer, &right, NULL, NULL, NULL);
    const struct sch_framebuffer_clear parts = {.size = sizeof parts, .parts = 64},
                                       depth = {.size = sizeof depth, .parts = SCH_PART_DEPTH, .depth = NAN};
    WRONG("clear.parts", sch_renderer_clear, d.renderer, d.framebuffer, &parts, NULL);
    WRONG("clear.depth", sch_renderer_clear, d.renderer, d.framebuffer, &depth, NULL);
    const struct sch_blit blit = {.size = sizeof blit, .level = 1};
    WRONG("blit.level", sch_renderer_blit, d.renderer, d.texture, d.texture, &blit, false, NULL);
    WRONG("from", sch_renderer_blit, d.renderer, d.texture, NULL, NULL, false, NULL);
    end_drawing(&d);
}

static void queries(void **state)
{
    (void)state;
    struct drawing d;
    begin_drawing(&d);
    struct sch_query *query, *away;
    struct sch_query_result result;
    WRONG("kind", sch_query_create, context, (enum sch_query_kind)14, 0, &query);
    WRONG("index", sch_query_create, context, SCH_QUERY_OCCLUSION_COUNTER, 1, &query);
    assert_int_equal(sch_query_create(context, SCH_QUERY_OCCLUSION_COUNTER, 0, &query), SCH_OK);
    assert_int_equal(sch_query_create(other, SCH_QUERY_OCCLUSION_COUNTER, 0, &away), SCH_OK);
    WRONG("query", sch_renderer_begin_query, d.renderer, away);
    WRONG("query", sch_renderer_end_query, d.renderer, query);
    WRONG("query", sch_query_get_result, query, &result);
    assert_int_equal(sch_renderer_begin_query(d.renderer, query), SCH_OK);
    assert_int_equal(sch_renderer_end_query(d.renderer, query), SCH_OK);
    struct sch_resource *bytes = resource_of(context, SCH_TARGET_BUFFER, SCH_FORMAT_R32_UINT, 4);
    WRONG("result", sch_query_get_result, query, NULL);
    WRONG("index", sch_query_write_result, query, 1, SCH_QUERY_U32, bytes, 0);
    WRONG("type", sch_query_write_result, query, 0, (enum sch_query_type)4, bytes, 0);
    WRONG("buffer", sch_query_write_result, query, 0, SCH_QUERY_U32, d.texture, 0);
    WRONG("offset", sch_query_write_result, query, 0, SCH_QUERY_U64, bytes, 12);
    sch_resource_destroy(bytes);
    sch_query_destroy(away);
    sch_query_destroy(query);
    end_drawing(&d);
}

static void histories(void **state)
{
    (void)state;
    struct drawing d;
    begin_drawing(&d);
    struct sch_pixel_history *history;
    struct sch_renderer *second;
    const struct sch_pixel_history_options beyond = {.size = sizeof beyond, .y = 4},
                                           samples = {.size = sizeof samples, .samples = 2},
                                           right = {.size = sizeof right};
    WRONG("options.y", sch_pixel_history_create, d.texture, &beyond, NULL, &history);
    WRONG("options.samples", sch_pixel_history_create, d.texture, &samples, NULL, &history);
    assert_int_equal(sch_pixel_history_create(d.texture, &right, NULL, &history), SCH_OK);
    assert_int_equal(sch_renderer_create(context, &second), SCH_OK);
    assert_int_equal(sch_renderer_record_pixel(d.renderer, history), SCH_OK);
    WRONG("history", sch_renderer_record_pixel, second, history);
    struct sch_pixel_history_info info = {.size = 1};
    struct sch_pixel_event event = {.size = sizeof event};
    struct sch_pixel_sample sample = {.size = sizeof sample};
    WRONG("info.size", sch_pixel_history_get_info, history, &info);
    WRONG("index", sch_pixel_history_get_event, history, 0, &event);
    WRONG("index", sch_pixel_history_get_sample, history, 0, 0, &sample);
    const struct sch_framebuffer_clear clear = {.size = sizeof clear, .parts = SCH_PART_COLOR};
    assert_int_equal(sch_renderer_clear(d.renderer, d.framebuffer, &clear, NULL), SCH_OK);
    WRONG("sample", sch_pixel_history_get_sample, history, 0, 1, &sample);
    assert_int_equal(sch_renderer_record_pixel(d.renderer, NULL), SCH_OK);
    sch_renderer_destroy(second);
    sch_pixel_history_destroy(history);
    end_drawing(&d);
}

static void maxwell(void **state)
{
    (void)state;
    static const char text[] = "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;\n";
    struct sch_shader *made, *program, *shader = api_shader(context, "FRAG\nEND\n");
    const struct sch_read_options kind = {.size = sizeof kind, .kind = (enum sch_kind)9},
                                  arch = {.size = sizeof arch, .arch = (enum sch_maxwell_arch)1};
    WRONG("options.kind", sch_shader_read, context, "", 0, &kind, NULL, &made);
    WRONG("options.arch", sch_shader_read, context, "", 0, &arch, NULL, &made);
    assert_int_equal(maxwell_read(context, text, sizeof text - 1, NULL, NULL, &program), SCH_OK);
    struct sch_diagnostics_list *list;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    WRONG("shader", sch_shader_check, NULL, list);
    WRONG("shader", sch_maxwell_warn, NULL, list);
    WRONG("shader", sch_maxwell_warn, shader, list);
    char *printed;
    size_t count;
    uint32_t *words;
    uint64_t word;
    const struct sch_print_options style = {.size = sizeof style, .style = (enum sch_maxwell_text_style)2};
    WRONG("options.style", sch_shader_print, program, &style, &printed, NULL);
    WRONG("words", sch_shader_tokens, program, NULL, NULL, &count);
    WRONG("count", sch_shader_tokens, program, NULL, &words, NULL);
    struct sch_maxwell_code_info info = {.size = 1};
    WRONG("info.size", sch_maxwell_get_info, program, &info);
    const struct sch_maxwell_word_options slot = {.size = sizeof slot, .slot = 3};
    WRONG("options.slot", sch_maxwell_assemble, text, sizeof text - 1, &slot, list, &word, NULL);
    WRONG("word", sch_maxwell_assemble, text, sizeof text - 1, NULL, list, NULL, NULL);
    sch_diagnostics_destroy(list);
    void *pool;
    const struct sch_maxwell_pool_options pools = {.size = sizeof pools, .pool = (enum sch_maxwell_pool)3};
    WRONG("options.pool", sch_maxwell_pool_assemble, context, "", 0, &pools, NULL, &pool, &count);
    WRONG("pool_bytes", sch_maxwell_pool_assemble, context, "", 0, NULL, NULL, &pool, NULL);
    WRONG("pool", sch_maxwell_pool_print, context, NULL, 32, NULL, NULL, &printed, NULL);
    struct sch_maxwell_code_info of_tgsi = {.size = sizeof of_tgsi};
    WRONG("shader", sch_maxwell_get_info, shader, &of_tgsi);
    struct sch_program *executable;
    assert_int_equal(sch_program_create(context, program, NULL, NULL, &executable), SCH_OK);
    struct sch_maxwell_bindings machine = {.size = sizeof machine, .header_bytes = 32};
    const struct sch_bindings bindings = {.size = sizeof bindings, .maxwell = &machine};
    const struct sch_invocations one = {.size = sizeof one, .count = 1};
    struct sch_launch_argument argument = {.bytes = 4};
    struct sch_launch launch = {.size = sizeof launch, .arguments = &argument, .argument_count = 1};
    WRONG("launch.arguments[0]", sch_launch_kernel, executable, program, &launch, NULL, NULL);
    WRONG("kernel", sch_launch_kernel, executable, shader, &launch, NULL, NULL);
    WRONG("bindings.maxwell.headers", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    machine.header_bytes = 31;
    WRONG("bindings.maxwell.header_bytes", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    machine.header_bytes = 0;
    machine.memory_bytes = 1;
    WRONG("bindings.maxwell.memory", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    machine.memory_bytes = 0;
    uint64_t word64 = 0;
    struct sch_maxwell_range range = {.address = (uintptr_t)&word64, .data = &word64, .bytes = 8};
    machine.range_count = 1;
    WRONG("bindings.maxwell.ranges", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    machine.ranges = &range;
    machine.range_count = SCH_MAXWELL_MOST_RANGES + 1;
    WRONG("bindings.maxwell.range_count", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    machine.range_count = 1;
    range.address += 4;
    WRONG("bindings.maxwell.ranges[0]", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    range.address = UINT64_MAX - 7 + ((uintptr_t)&word64 & 7);
    WRONG("bindings.maxwell.ranges[0]", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    range.data = NULL;
    WRONG("bindings.maxwell.ranges[0]", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    machine.range_count = 0;
    machine.size = 1;
    WRONG("bindings.maxwell.size", sch_dispatch, executable, &bindings, &one, NULL, NULL);
    const struct sch_translate_options to = {.size = sizeof to};
    WRONG("shader", sch_shader_translate, program, &to, NULL, &printed, NULL);
    WRONG("shader", sch_shader_raise, program, NULL, &made);
    struct sch_program *never;
    const struct sch_program_options as_code = {
        .size = sizeof as_code, .engine = SCH_ENGINE_MAXWELL, .lookup_code = shader};
    WRONG("options.lookup_code", sch_program_create, context, shader, &as_code, NULL, &never);
    sch_program_destroy(executable);
    sch_shader_destroy(shader);
    sch_shader_destroy(program);
}

static enum sch_result run_nothing(void *user, const struct sch_dispatch_options *options)
{
    const struct sch_invocations one = {.size = sizeof one, .count = 1};
    return sch_dispatch(user, NULL, &one, options, NULL);
}

static void sessions(void **state)
{
    (void)state;
    struct sch_program *program = api_default_program(context, fragment);
    struct sch_debug_options options = {.size = sizeof options, .user = program};
    struct sch_debug *debug;
    WRONG("options.run", sch_debug_create, context, &options, &debug);
    options.run = run_nothing;
    WRONG("debug", sch_debug_create, context, &options, NULL);
    options.stages = 1 << 6;
    WRONG("options.stages", sch_debug_create, context, &options, &debug);
    options.stages = 0;
    options.resource_count = 1;
    WRONG("options.resources", sch_debug_create, context, &options, &debug);
    options.resource_count = 0;
    const struct sch_invocation_place place = {.size = sizeof place, .parts = 1 << 9};
    options.place = &place;
    WRONG("options.place.parts", sch_debug_create, context, &options, &debug);
    options.place = NULL;
    assert_int_equal(sch_debug_create(context, &options, &debug), SCH_OK);
    struct sch_debug_stop stop = {.size = 0};
    WRONG("stop.size", sch_debug_get_stop, debug, &stop);
    struct sch_invocation_place found = {.size = sizeof found};
    WRONG("lane", sch_debug_get_place, debug, 1, &found);
    struct sch_debug_frame frame = {.size = sizeof frame};
    WRONG("number", sch_debug_get_frame, debug, 0, &frame);
    struct sch_debug_go go = {.size = sizeof go, .step = (enum sch_debug_step)5};
    WRONG("go.step", sch_debug_go, debug, &go);
    go.step = SCH_DEBUG_RUN;
    go.events = 1 << 5;
    WRONG("go.events", sch_debug_go, debug, &go);
    const struct sch_debug_register absent = {SCH_FILE_TEMPORARY, 0, 0};
    uint32_t words[4][32];
    WRONG("which", sch_debug_read, debug, &absent, words);
    struct sch_explanation *explanation;
    WRONG("lane", sch_debug_explain, debug, 0, &explanation);
    WRONG("count", sch_debug_set_breakpoints, debug, &(struct sch_debug_breakpoint){.number = 1}, 1, 257);
    WRONG("stride", sch_debug_set_breakpoints, debug, &(struct sch_debug_breakpoint){.number = 1}, 1, 1);
    const struct sch_debug_breakpoint nowhere = {.kind = SCH_DEBUG_BREAK_MEMORY, .bytes = 1};
    WRONG("list", sch_debug_set_breakpoints, debug, &nowhere, sizeof nowhere, 1);
    sch_debug_destroy(debug);
    char *text;
    struct sch_shader *shader = api_shader(context, pixel);
    WRONG("line", sch_debug_print_at, shader, 1, 1, 0, &text);
    WRONG("text", sch_debug_print_at, shader, 3, 1, 0, NULL);
    sch_shader_destroy(shader);
    shader = api_shader(context, fragment);
    WRONG("shader", sch_debug_print_at, shader, 4, 1, 0, &text);
    sch_shader_destroy(shader);
    sch_program_destroy(program);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(nothing_is_kept_of_right_calls),
                                       TEST(threads_have_their_own),
                                       TEST(lists_have_the_name),
                                       TEST(contexts),
                                       TEST(shaders),
                                       TEST(programs),
                                       TEST(resources),
                                       TEST(views),
                                       TEST(states),
                                       TEST(targets),
                                       TEST(draws),
                                       TEST(queries),
                                       TEST(histories),
                                       TEST(maxwell),
                                       TEST(sessions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
