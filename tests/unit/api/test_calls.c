/* Calls and what they say: under which name each reports, what stands in the outputs of those that fail, how far the
 * numbers go that they are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../maxwell/maxwell_group.h"
#include "../support/api_program.h"
#include "../support/explained.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- under which name ---- */

/* Objects that were read as "its name", and a list that something else was reported into. */
struct fixture {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *good, *wrong, *own, *d3d, *d3d_wrong, *container;
    struct sch_program *program;
    struct sch_shader *code;
};

static struct sch_shader *read_named(struct sch_context *context, const char *text)
{
    const struct sch_read_options named = {.size = sizeof named, .name = "its name"};
    struct sch_shader *shader = NULL;
    if (sch_shader_read(context, text, strlen(text), &named, NULL, &shader) != SCH_OK) fail_msg("%s", text);
    return shader;
}

static struct fixture make_fixture(void)
{
    static const char odd[] = "TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA;\n.word 5\n";
    const struct sch_limit_options limits = {.size = sizeof limits, .source_bytes = 500};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    const struct sch_read_options named = {.size = sizeof named, .name = "its name"};
    struct fixture f = {0};
    assert_int_equal(sch_context_create(&options, &f.context), SCH_OK);
    f.good = read_named(f.context, "FRAG\nEND\n");
    f.wrong = read_named(f.context, "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n");
    f.own = read_named(f.context, "FRAG\nPROPERTY D3D_RULES 1\nEND\n");
    f.d3d = read_named(f.context, "ps_5_0\nret\nlabel l70000\nret\n");
    f.d3d_wrong = read_named(f.context, "ps_5_0\nbreak\nret\n");
    f.container = read_named(f.context, "container\n.statistics 2, temps 3\n");
    assert_int_equal(sch_program_create(f.context, f.good, NULL, NULL, &f.program), SCH_OK);
    assert_int_equal(maxwell_read(f.context, odd, strlen(odd), &named, NULL, &f.code), SCH_OK);
    return f;
}

static void drop(struct fixture *f)
{
    sch_shader_destroy(f->code);
    sch_program_destroy(f->program);
    sch_shader_destroy(f->good);
    sch_shader_destroy(f->wrong);
    sch_shader_destroy(f->own);
    sch_shader_destroy(f->d3d);
    sch_shader_destroy(f->d3d_wrong);
    sch_shader_destroy(f->container);
    sch_context_destroy(f->context);
}

static char large[501];

/* What the calls below are given, and where they put what they do not make. */
static const struct sch_read_options as_named = {.size = sizeof as_named, .name = "its name"};
static const struct sch_read_options code_named = {.size = sizeof code_named, .name = "its name"},
                                     raw_named = {
                                         .size = sizeof raw_named, .name = "its name", .kind = SCH_KIND_MAXWELL_RAW};
static const struct sch_maxwell_pool_options pool_named = {.size = sizeof pool_named, .name = "its name"};
static const struct sch_translate_options to_maxwell = {.size = sizeof to_maxwell, .to = SCH_TRANSLATE_MAXWELL};
static const struct sch_bindings no_views = {.size = sizeof no_views, .view_count = 1};
static const struct sch_invocations no_work = {.size = sizeof no_work};
static const struct sch_rectangle square = {.size = sizeof square, .width = 2, .height = 2};
static struct sch_resource_options wide = {.size = sizeof wide, .target = SCH_TARGET_2D, .width = 20000};
static const struct sch_sampler_options in_texels = {
    .size = sizeof in_texels, .unnormalized = true, .mip_filter = SCH_MIP_NEAREST};
static struct maxwell_group group;
static struct {
    struct sch_shader *shader;
    struct sch_program *program;
    struct sch_shader *code;
    struct sch_resource *resource;
    struct sch_sampler *sampler;
    void *memory;
    char *text;
    uint32_t *words;
    size_t size;
} out;

#define CALL(call_name, call)                                                                                          \
    static enum sch_result call_name(const struct fixture *f)                                                          \
    {                                                                                                                  \
        const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = f->list};                          \
        const struct sch_code_options form = {                                                                         \
            .size = sizeof form, .diagnostics = f->list, .rectangle = &square, .bindings = &no_views};                 \
        (void)run, (void)form;                                                                                         \
        return call;                                                                                                   \
    }
CALL(read_wrong, sch_shader_read(f->context, "FRAG\nFOO\n", 9, &as_named, f->list, &out.shader))
CALL(read_words, sch_shader_read(f->context, "\002\0\0\0\004\0\0\0\0\0\0\0", 12, &as_named, f->list, &out.shader))
CALL(read_large, sch_shader_read(f->context, large, 501, &as_named, f->list, &out.shader))
CALL(check_tgsi, sch_shader_check(f->wrong, f->list))
CALL(check_d3d, sch_shader_check(f->d3d_wrong, f->list))
CALL(check_container, sch_shader_check(f->container, f->list))
CALL(tokens_tgsi, sch_shader_tokens(f->own, f->list, &out.words, &out.size))
CALL(tokens_d3d, sch_shader_tokens(f->container, f->list, &out.words, &out.size))
CALL(serialize_tgsi, sch_shader_serialize(f->own, f->list, &out.memory, &out.size))
CALL(lower_d3d, sch_shader_lower(f->d3d, f->list, &out.shader))
CALL(raise_wrong, sch_shader_raise(f->wrong, f->list, &out.shader))
CALL(program_tgsi, sch_program_create(f->context, f->wrong, NULL, f->list, &out.program))
CALL(program_d3d, sch_program_create(f->context, f->d3d, NULL, f->list, &out.program))
CALL(translate_d3d, sch_shader_translate(f->d3d, NULL, f->list, &out.text, &out.size))
CALL(translate_tgsi, sch_shader_translate(f->wrong, &to_maxwell, f->list, &out.text, &out.size))
CALL(dispatch_wrong, sch_dispatch(f->program, &no_views, &no_work, &run, NULL))
CALL(rectangle_wrong, sch_dispatch_rectangle(f->program, &no_views, &square, &run, NULL))
CALL(grid_wrong, sch_dispatch_grid(f->program, &no_views, NULL, NULL, &run, NULL))
CALL(compile_bound, sch_program_compile(f->program, &form, NULL))
CALL(inspect_bound, sch_program_code_text(f->program, &form, SCH_CODE_IR, &out.text))
CALL(code_wrong, maxwell_read(f->context, "TEX", 3, &code_named, f->list, &out.code))
CALL(code_raw, maxwell_read(f->context, "TEX;", 4, &raw_named, f->list, &out.code))
CALL(code_large, maxwell_read(f->context, large, 501, &code_named, f->list, &out.code))
CALL(code_check, sch_shader_check(f->code, f->list))
CALL(code_warn, sch_maxwell_warn(f->code, f->list))
CALL(code_run, sch_program_create(f->context, f->code, NULL, f->list, &out.program))
CALL(pool_wrong, sch_maxwell_pool_assemble(f->context, "header {", 8, &pool_named, f->list, &out.memory, &out.size))
CALL(pool_large, sch_maxwell_pool_assemble(f->context, large, 501, &pool_named, f->list, &out.memory, &out.size))
CALL(pool_part, sch_maxwell_pool_print(f->context, "x", 1, &pool_named, f->list, &out.text, &out.size))
CALL(pool_huge, sch_maxwell_pool_print(f->context, large, 501, &pool_named, f->list, &out.text, &out.size))
CALL(resource_huge, sch_resource_create(f->context, &wide, f->list, &out.resource))
CALL(sampler_wrong, sch_sampler_create(f->context, &in_texels, f->list, &out.sampler))

/* Whatever the list was used for before: reports bear the name of the input that they are about, those of text a line
 * of it, and the others none. */
static void reports_bear_the_inputs_name(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        enum sch_result (*make)(const struct fixture *f);
        enum sch_result result;
        const char *source, *line; /* NULL: it has none */
    } rows[] = {{"read", read_wrong, SCH_ERROR_INVALID, "its name", "FOO"},
                {"read words", read_words, SCH_ERROR_INVALID, "its name", NULL},
                {"read too much", read_large, SCH_ERROR_LIMIT, "its name", NULL},
                {"check", check_tgsi, SCH_ERROR_INVALID, "its name", NULL},
                {"check d3d", check_d3d, SCH_ERROR_INVALID, "its name", NULL},
                {"check container", check_container, SCH_OK, "its name", NULL},
                {"tokens", tokens_tgsi, SCH_ERROR_INVALID, "its name", NULL},
                {"tokens of d3d", tokens_d3d, SCH_ERROR_INVALID, "its name", NULL},
                {"serialize", serialize_tgsi, SCH_ERROR_INVALID, "its name", NULL},
                {"lower", lower_d3d, SCH_ERROR_UNSUPPORTED, "its name", NULL},
                {"raise", raise_wrong, SCH_ERROR_INVALID, "its name", NULL},
                {"program", program_tgsi, SCH_ERROR_INVALID, "its name", NULL},
                {"program of d3d", program_d3d, SCH_ERROR_UNSUPPORTED, "its name", NULL},
                {"translate d3d", translate_d3d, SCH_ERROR_UNSUPPORTED, "its name", NULL},
                {"translate", translate_tgsi, SCH_ERROR_INVALID, "its name", NULL},
                {"dispatch", dispatch_wrong, SCH_ERROR_ARGUMENT, "its name", NULL},
                {"rectangle", rectangle_wrong, SCH_ERROR_ARGUMENT, "its name", NULL},
                {"grid", grid_wrong, SCH_ERROR_ARGUMENT, "its name", NULL},
                {"compile", compile_bound, SCH_ERROR_ARGUMENT, "its name", NULL},
                {"code text", inspect_bound, SCH_ERROR_ARGUMENT, "its name", NULL},
                {"code", code_wrong, SCH_ERROR_INVALID, "its name", "TEX"},
                {"raw code", code_raw, SCH_ERROR_INVALID, "its name", NULL},
                {"too much code", code_large, SCH_ERROR_LIMIT, "its name", NULL},
                {"check code", code_check, SCH_ERROR_INVALID, "its name", NULL},
                {"warn of code", code_warn, SCH_OK, "its name", NULL},
                {"run code", code_run, SCH_ERROR_UNSUPPORTED, "its name", NULL},
                {"pool", pool_wrong, SCH_ERROR_INVALID, "its name", "header {"},
                {"too large a pool", pool_large, SCH_ERROR_LIMIT, "its name", NULL},
                {"part of a pool", pool_part, SCH_ERROR_INVALID, "its name", NULL},
                {"too much of a pool", pool_huge, SCH_ERROR_LIMIT, "its name", NULL},
                {"resource", resource_huge, SCH_ERROR_LIMIT, "", NULL},
                {"sampler", sampler_wrong, SCH_ERROR_INVALID, "", NULL}};
    struct fixture f = make_fixture();
    wide.format = sch_format_by_name("R8_UNORM");
    memset(large, ' ', sizeof large);
    const struct sch_read_options other = {.size = sizeof other, .name = "other"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_diagnostic_info view = {.size = sizeof view};
        struct sch_shader *shader = NULL;
        assert_int_equal(sch_diagnostics_create(f.context, &f.list), SCH_OK);
        assert_int_equal(sch_shader_read(f.context, "FRAG\nFOO", 8, &other, f.list, &shader), SCH_ERROR_INVALID);
        const size_t before = sch_diagnostics_count(f.list);
        const enum sch_result result = rows[i].make(&f);
        if (result != rows[i].result) fail_msg("%s: %d", rows[i].call, result);
        if (!sch_diagnostics_get(f.list, before, &view)) fail_msg("%s: no report", rows[i].call);
        if (strcmp(view.source, rows[i].source)) fail_msg("%s: %s", rows[i].call, view.source);
        if (!view.line_text != !rows[i].line || (view.line_text && strcmp(view.line_text, rows[i].line)))
            fail_msg("%s: %s", rows[i].call, view.line_text ? view.line_text : "no line");
        sch_diagnostics_destroy(f.list);
        f.list = NULL;
    }
    drop(&f);
}

/* ---- what is given ---- */

/* A render target holds a rectangle when its rows reach to the right edge and its last row ends in it; what wraps does
 * not. */
static void render_targets_hold_rectangles(void **state)
{
    (void)state;
    static uint32_t pixels[64];
    static const struct {
        struct sch_rectangle rectangle;
        struct sch_render_target render_target;
        bool holds;
    } rows[] = {
        /* 2 + 3 columns of 4 bytes; 2 + 2 rows */
        {{.x = 2, .y = 2, .width = 3, .height = 2}, {.row_bytes = 20, .bytes = 80}, true},
        {{.x = 2, .y = 2, .width = 3, .height = 2}, {.row_bytes = 20, .bytes = 79}, false},
        {{.x = 2, .y = 2, .width = 3, .height = 2}, {.row_bytes = 19, .bytes = 256}, false},
        {{.x = 2, .y = 2, .width = 3, .height = 2}, {.row_bytes = 28, .bytes = 3 * 28 + 20}, true},
        {{.x = 2, .y = 2, .width = 3, .height = 2}, {.row_bytes = 28, .bytes = 3 * 28 + 19}, false},
        {{.width = 1, .height = 1}, {.row_bytes = 4, .bytes = 4}, true},
        {{.width = 1, .height = 1}, {.row_bytes = 4, .bytes = 3}, false},
        {{.width = 1, .height = 1}, {.row_bytes = 16, .bytes = 16, .format = SCH_RENDER_TARGET_WORDS}, true},
        {{.width = 1, .height = 1}, {.row_bytes = 15, .bytes = 16, .format = SCH_RENDER_TARGET_WORDS}, false},
        {{.width = 1, .height = 1}, {.row_bytes = 16, .bytes = 15, .format = SCH_RENDER_TARGET_WORDS}, false},
        {{.width = 1, .height = 1}, {.row_bytes = 16, .bytes = 16, .format = (enum sch_render_target_format)2}, false},
        {{.width = 1, .height = 3}, {.row_bytes = SIZE_MAX / 2 + 1, .bytes = SIZE_MAX}, false},
        {{.width = 1, .height = 2}, {.row_bytes = SIZE_MAX, .bytes = SIZE_MAX}, false},
        {{.width = 0, .height = 2}, {.row_bytes = 0, .bytes = 0}, true},
        {{.width = 2, .height = 0}, {.row_bytes = 0, .bytes = 0}, true},
        {{.width = 0, .height = 0}, {.format = (enum sch_render_target_format)2}, false}};
    struct sch_context *context = api_context();
    struct sch_shader *shader = read_named(context, "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
    struct sch_program *program = NULL;
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (unsigned missing = 0; missing < 2; missing++) {
            struct sch_render_target render_targets[2] = {rows[i].render_target, rows[i].render_target};
            struct sch_rectangle rectangle = rows[i].rectangle;
            struct sch_diagnostics_list *list = NULL;
            struct sch_diagnostic_info view = {.size = sizeof view};
            const bool empty = !rectangle.width || !rectangle.height;
            render_targets[0].pixels = pixels;
            render_targets[1].pixels = missing ? NULL : pixels;
            rectangle.size = sizeof rectangle;
            rectangle.render_targets = render_targets;
            rectangle.render_target_stride = sizeof *render_targets;
            rectangle.render_target_count = 2;
            const bool right = rows[i].holds && (empty || !missing);
            assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
            const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = list};
            const enum sch_result result = sch_dispatch_rectangle(program, NULL, &rectangle, &run, NULL);
            if (result != (right ? SCH_OK : SCH_ERROR_ARGUMENT)) fail_msg("row %zu, %u: %d", i, missing, result);
            assert_int_equal(sch_diagnostics_get(list, 0, &view), !right);
            if (!right)
                assert_string_equal(view.message,
                                    rows[i].holds
                                        ? "render_targets[1]: a render target that does not hold the rectangle"
                                        : "render_targets[0]: a render target that does not hold the rectangle");
            sch_diagnostics_destroy(list);
        }
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* A grid's 0 is 1, in each direction; so is all of a grid that is not given. */
static void grids_have_sizes(void **state)
{
    (void)state;
    static const char text[] = "COMP\nDCL SV[0], GRID_SIZE\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                               "STORE BUFFER[0].xyz, IMM[0], SV[0]\nEND\n";
    static const uint32_t grids[][3] = {{2, 3, 4}, {0, 3, 4}, {2, 0, 4}, {2, 3, 0}, {0, 0, 0}};
    struct sch_context *context = api_context();
    struct sch_shader *shader = read_named(context, text);
    struct sch_program *program = NULL;
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    for (size_t i = 0; i <= COUNT(grids); i++) {
        uint32_t told[4] = {9, 9, 9, 9};
        const struct sch_storage_buffer buffer = {.data = told, .bytes = sizeof told};
        const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
        assert_int_equal(sch_dispatch_grid(program, &bindings, i < COUNT(grids) ? grids[i] : NULL, NULL, NULL, NULL),
                         SCH_OK);
        for (unsigned c = 0; c < 3; c++) assert_int_equal(told[c], i < COUNT(grids) && grids[i][c] ? grids[i][c] : 1);
        assert_int_equal(told[3], 9);
    }
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

static void *no_memory(void *user, size_t bytes)
{
    (void)user, (void)bytes;
    return NULL;
}

static void keep_memory(void *user, void *memory) { (void)user, (void)memory; }

/* Half of an allocator is none; limits are set in structs of this library's length only. */
static void halves_are_refused(void **state)
{
    (void)state;
    const struct sch_allocator allocators[] = {
        {no_memory, NULL, NULL}, {NULL, keep_memory, NULL}, {NULL, NULL, NULL}, {no_memory, keep_memory, NULL}};
    for (size_t i = 0; i < COUNT(allocators); i++) {
        const struct sch_context_options options = {.size = sizeof options, .memory = &allocators[i]};
        struct sch_context *context = (struct sch_context *)(uintptr_t)&options;
        assert_int_equal(sch_context_create(&options, &context), i < 3 ? SCH_ERROR_ARGUMENT : SCH_ERROR_MEMORY);
        assert_null(context);
    }
}

/* Limits of a program that knows more of them, and of a size that they never had. */
static void limits_of_other_sizes(void **state)
{
    (void)state;
    const struct {
        size_t size;
        bool fits;
    } rows[] = {{0, false},
                {sizeof(struct sch_limit_options) - 1, false},
                {sizeof(struct sch_limit_options), true},
                {sizeof(struct sch_limit_options) + 8, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_limit_options limits = {.size = rows[i].size};
        const enum sch_result expected = rows[i].fits ? SCH_OK : SCH_ERROR_ARGUMENT;
        assert_int_equal(sch_limit_set(&limits, "memory", 8), expected);
        assert_int_equal(limits.memory, rows[i].fits ? 8 : 0);
        assert_int_equal(sch_limit_set(&limits, "context_memory", 9), expected);
        assert_int_equal(limits.context_memory, rows[i].fits ? 9 : 0);
    }
}

static struct sch_program *program_of(struct sch_context *context, const char *text)
{
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    sch_shader_destroy(shader);
    return program;
}

/* Elements of arrays as programs have them that know more of their members. */
static void elements_have_strides(void **state)
{
    (void)state;
    struct register_of_newer {
        struct sch_rectangle_register known;
        uint64_t newer;
    } registers[2] = {{.known = {.index = 0, .words = {0x3e800000}}}, {.known = {.index = 1, .words = {0x3f000000}}}};
    struct target_of_newer {
        struct sch_render_target known;
        uint64_t newer;
    } targets[2] = {{.newer = 0}};
    static uint32_t pixels[2][4][4];
    for (unsigned i = 0; i < 2; i++)
        targets[i].known = (struct sch_render_target){.pixels = pixels[i],
                                                      .bytes = sizeof pixels[i],
                                                      .row_bytes = 2 * sizeof pixels[i][0],
                                                      .output = i,
                                                      .format = SCH_RENDER_TARGET_WORDS};
    struct sch_context *context = api_context();
    struct sch_program *program =
        program_of(context, "FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                            "DCL OUT[1], COLOR[1]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n");
    struct sch_rectangle given = {.size = sizeof given,
                                  .width = 2,
                                  .height = 2,
                                  .registers = &registers[0].known,
                                  .register_count = 2,
                                  .render_targets = &targets[0].known,
                                  .render_target_count = 2,
                                  .register_stride = sizeof *registers,
                                  .render_target_stride = sizeof *targets};
    const size_t known[2] = {sizeof registers[0].known, sizeof targets[0].known};
    assert_int_equal(sch_dispatch_rectangle(program, NULL, &given, NULL, NULL), SCH_OK);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned p = 0; p < 4; p++) assert_int_equal(pixels[i][p][0], i ? 0x3f000000 : 0x3e800000);

    registers[1].newer = 1; /* asks for what the library does not know */
    assert_int_equal(sch_dispatch_rectangle(program, NULL, &given, NULL, NULL), SCH_ERROR_ARGUMENT);
    registers[1].newer = 0;
    targets[0].newer = 1;
    assert_int_equal(sch_dispatch_rectangle(program, NULL, &given, NULL, NULL), SCH_ERROR_ARGUMENT);
    targets[0].newer = 0;
    const size_t wrong[] = {0, 1, known[0] - 1, 5000};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        given.register_stride = wrong[i];
        assert_int_equal(sch_dispatch_rectangle(program, NULL, &given, NULL, NULL), SCH_ERROR_ARGUMENT);
        given.register_stride = sizeof *registers;
        given.render_target_stride = wrong[i] == known[0] - 1 ? known[1] - 1 : wrong[i];
        assert_int_equal(sch_dispatch_rectangle(program, NULL, &given, NULL, NULL), SCH_ERROR_ARGUMENT);
        given.render_target_stride = sizeof *targets;
    }
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* The texel of a sample: its slice is the layer, whatever the number of samples. */
static void samples_are_explained(void **state)
{
    (void)state;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D_ARRAY_MSAA,
                                               .format = sch_format_by_name("R8_UNORM"),
                                               .width = 4,
                                               .height = 4,
                                               .layers = 5,
                                               .samples = 4};
    static struct explained why;
    struct sch_context *context = api_context();
    struct sch_resource *resource = NULL;
    struct sch_view *view = NULL;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
    for (uint32_t layer = 0; layer < 5; layer++)
        for (uint32_t sample = 0; sample < 4; sample++) {
            const struct sch_lookup lookup = {.size = sizeof lookup,
                                              .operation = SCH_LOOKUP_FETCH,
                                              .component = 9, /* of gathers only */
                                              .texel = {1, 2, (int32_t)layer},
                                              .sample = sample};
            assert_int_equal(explain(context, view, NULL, &lookup, &why), SCH_OK);
            assert_int_equal(why.info.texel_count, 1);
            assert_int_equal(why.texels[0].x, 1);
            assert_int_equal(why.texels[0].y, 2);
            assert_int_equal(why.texels[0].z, layer);
            assert_int_equal(why.texels[0].sample, sample);
        }
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* A lookup between two levels, counted by hand: 2 texels of level 0 along x, 1 along y are level 1; with a bias of 0.5
 * and a clamp at 1.25 three quarters of it are seen and a quarter of level 2. */
static void lookups_are_explained(void **state)
{
    (void)state;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = sch_format_by_name("R32_FLOAT"),
                                               .width = 8,
                                               .height = 8,
                                               .levels = 4};
    const struct sch_sampler_options mipped = {
        .size = sizeof mipped, .mip_filter = SCH_MIP_LINEAR, .lod_bias = 0.5f, .max_lod = 1.25f};
    const struct sch_lookup lookup = {.size = sizeof lookup,
                                      .operation = SCH_LOOKUP_SAMPLE_D,
                                      .at = {0.3f, 0.6f},
                                      .ddx = {0.25f, 0},
                                      .ddy = {0, 0.125f}};
    static struct explained why;
    struct sch_context *context = api_context();
    struct sch_resource *resource = NULL;
    struct sch_view *view = NULL;
    struct sch_sampler *sampler = NULL;
    float texels[64];
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    for (uint32_t level = 0; level < 4; level++) {
        const uint32_t side = 8u >> level;
        for (unsigned n = 0; n < 64; n++) texels[n] = level == 1 ? 4 : level == 2 ? 8 : 100;
        const struct sch_transfer all = {.size = sizeof all, .level = level};
        assert_int_equal(sch_resource_write(resource, &all, texels, (size_t)side * side * 4, NULL), SCH_OK);
    }
    assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &mipped, NULL, &sampler), SCH_OK);
    memset(&why, 0xa5, sizeof why);
    assert_int_equal(explain(context, view, sampler, &lookup, &why), SCH_OK);
    const float five = 5, four = 4, eight = 8;
    assert_memory_equal(&why.info.result[0], &five, sizeof five);
    assert_int_equal(why.info.face, -1);
    assert_int_equal(why.info.layer, -1);
    assert_true(why.info.ddx[0] == 2 && why.info.ddx[1] == 0 && why.info.ddy[0] == 0 && why.info.ddy[1] == 1);
    assert_true(why.info.lod_computed == 1 && why.info.lod_biased == 1.5f && why.info.lod == 1.25f);
    assert_false(why.info.magnified);
    assert_int_equal(why.info.taps, 1);
    assert_int_equal(why.info.level[0], 1);
    assert_int_equal(why.info.level[1], 2);
    assert_true(why.info.level_weight == 0.25f);
    assert_int_equal(why.info.texel_count, 2);
    for (uint32_t n = 0; n < 2; n++) {
        const struct sch_footprint_texel *texel = &why.texels[n];
        assert_int_equal(texel->level, n + 1);
        assert_int_equal(texel->tap, 0);
        assert_int_equal(texel->x, n ? 0 : 1);
        assert_int_equal(texel->y, n ? 1 : 2);
        assert_int_equal(texel->z, 0);
        assert_int_equal(texel->sample, 0);
        assert_false(texel->border);
        assert_true(texel->weight == 1);
        assert_memory_equal(&texel->value[0], n ? &eight : &four, sizeof four);
    }
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* Kinds that are asked for by number, up to the last one; so are those of pools without bytes. */
static void kinds_have_numbers(void **state)
{
    (void)state;
    static const char tgsi[] = "FRAG\nEND\n", listing[] = "ps_5_0\nret\n";
    struct sch_context *context = api_context();
    for (unsigned kind = 0; kind < 11; kind++)
        for (unsigned d3d = 0; d3d < 2; d3d++) {
            const struct sch_read_options options = {.size = sizeof options, .kind = (enum sch_kind)kind};
            const char *const text = d3d ? listing : tgsi;
            const bool right = kind == SCH_KIND_AUTO || kind == (d3d ? SCH_KIND_D3D_ASM : SCH_KIND_TGSI);
            struct sch_shader *shader = NULL;
            assert_int_equal(sch_shader_read(context, text, strlen(text), &options, NULL, &shader),
                             right      ? SCH_OK
                             : kind > 8 ? SCH_ERROR_ARGUMENT
                                        : SCH_ERROR_INVALID);
            if (shader) assert_int_equal(sch_shader_language(shader), d3d ? SCH_LANGUAGE_D3D : SCH_LANGUAGE_TGSI);
            sch_shader_destroy(shader);
        }
    sch_context_destroy(context);
    assert_false(sch_maxwell_pool_is_text(NULL, 1));
    assert_false(sch_maxwell_pool_is_text(NULL, 32));
    assert_true(sch_maxwell_pool_is_text(NULL, 0));
    assert_true(sch_maxwell_pool_is_text("", 0));
}

/* Four bytes are no header of tokens; options may end behind `floats`; what tokens cannot say is hashed as its text. */
static void the_shortest_are_told_apart(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    unsigned codes[2];
    for (unsigned n = 0; n < 2; n++) {
        const struct sch_read_options options = {.size = sizeof options, .kind = n ? SCH_KIND_TGSI : SCH_KIND_AUTO};
        struct sch_diagnostics_list *list = NULL;
        struct sch_diagnostic_info view = {.size = sizeof view};
        struct sch_shader *shader = NULL;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        assert_int_equal(sch_shader_read(context, "\002 xx", 4, &options, list, &shader), SCH_ERROR_INVALID);
        assert_true(sch_diagnostics_get(list, 0, &view));
        codes[n] = view.code;
        sch_diagnostics_destroy(list);
    }
    assert_int_equal(codes[0], codes[1]);
    struct sch_shader *shader = read_named(context, "FRAG\nPROPERTY D3D_RULES 1\nEND\n");
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_print_options print = {.size = 2 * sizeof(size_t) - 1};
    char *text = NULL;
    uint64_t hash = UINT64_C(14695981039346656037);
    assert_int_equal(sch_shader_print(shader, &print, &text, NULL), SCH_ERROR_ARGUMENT);
    print = (struct sch_print_options){.size = 2 * sizeof(size_t), .floats = SCH_FLOAT_TEXT_HEX};
    assert_int_equal(sch_shader_print(shader, &print, &text, NULL), SCH_OK);
    for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    assert_true(info.hash == hash);
    sch_free(context, text);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* ---- shaders of a text ---- */

static void shaders_of_a_text(void **state)
{
    (void)state;
    static const char two[] = "log\nFRAG\nEND\n\nVERT\nEND\n", none[] = "nothing\n", listing[] = "ps_5_0\nret\n",
                      words[] = "\002\0\0\0\004\0\0\0\0\0\0\0";
    static const struct {
        const char *data;
        size_t bytes, capacity, count;
        struct sch_text_shader wanted[2];
    } rows[] = {{two, sizeof two - 1, 2, 2, {{4, 10, 2}, {14, 9, 5}}},
                {two, sizeof two - 1, 1, 2, {{4, 10, 2}}},
                {two, sizeof two - 1, 0, 2, {{0}}},
                {two, 13, 2, 1, {{4, 9, 2}}},
                {listing, sizeof listing - 1, 2, 1, {{0, 11, 1}}},
                {words, sizeof words - 1, 2, 1, {{0, 12, 1}}},
                {words, sizeof words - 1, 0, 1, {{0}}},
                {none, sizeof none - 1, 2, 1, {{0, 8, 1}}},
                {"", 0, 2, 1, {{0, 0, 1}}},
                {NULL, 0, 2, 1, {{0, 0, 1}}}};
    struct sch_context *context = api_context();
    struct sch_text_shader found[3];
    size_t count;
    for (size_t i = 0; i < COUNT(rows); i++) {
        memset(found, 0x5a, sizeof found);
        count = 77;
        assert_int_equal(sch_text_shaders(context, rows[i].data, rows[i].bytes, rows[i].capacity ? found : NULL,
                                          sizeof *found, rows[i].capacity, &count),
                         SCH_OK);
        assert_int_equal(count, rows[i].count);
        for (size_t n = 0; n < 3; n++) {
            const bool there = n < rows[i].count && n < rows[i].capacity;
            if (found[n].offset != (there ? rows[i].wanted[n].offset : 0x5a5a5a5a5a5a5a5a) ||
                found[n].bytes != (there ? rows[i].wanted[n].bytes : 0x5a5a5a5a5a5a5a5a) ||
                found[n].line != (there ? rows[i].wanted[n].line : 0x5a5a5a5a))
                fail_msg("row %zu, shader %zu: %u at %u, line %u", i, n, (unsigned)found[n].bytes,
                         (unsigned)found[n].offset, found[n].line);
        }
    }
    const struct {
        struct sch_context *context;
        const void *data;
        struct sch_text_shader *list;
    } wrong[] = {{NULL, two, found}, {context, NULL, found}, {context, two, NULL}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        count = 77;
        assert_int_equal(sch_text_shaders(wrong[i].context, wrong[i].data, 5, wrong[i].list, sizeof *found, 2, &count),
                         SCH_ERROR_ARGUMENT);
        assert_int_equal(count, 0);
    }
    assert_int_equal(sch_text_shaders(context, two, 5, found, sizeof *found, 2, NULL), SCH_ERROR_ARGUMENT);
    /* Elements of a program that is newer, and strides that none has. */
    struct {
        struct sch_text_shader known;
        uint64_t newer;
    } longer[3];
    memset(longer, 0x5a, sizeof longer);
    assert_int_equal(sch_text_shaders(context, two, sizeof two - 1, &longer[0].known, sizeof *longer, 2, &count),
                     SCH_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(longer[i].known.offset, rows[0].wanted[i].offset);
        assert_int_equal(longer[i].known.line, rows[0].wanted[i].line);
        assert_int_equal(longer[i].newer, 0);
    }
    assert_int_equal(longer[2].newer, 0x5a5a5a5a5a5a5a5a);
    const size_t strides[] = {0, 1, sizeof *found - 1, 5000};
    for (size_t i = 0; i < COUNT(strides); i++)
        assert_int_equal(sch_text_shaders(context, two, 5, found, strides[i], 2, &count), SCH_ERROR_ARGUMENT);
    sch_context_destroy(context);
}

/* ---- constructs ---- */

/* IF within a loop within a subroutine, SWITCH; `stride` leaves what is between the elements. */
static void constructs_are_listed(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nIMM[0] UINT32 {0, 0, 0, 0}\n  0: SWITCH IMM[0].xxxx\n  1: CASE IMM[0].xxxx\n"
                               "  2: ENDSWITCH\n  3: CAL :5\n  4: END\n  5: BGNSUB\n  6: BGNLOOP\n"
                               "  7: UIF IMM[0].xxxx\n  8: BRK\n  9: ENDIF\n 10: ENDLOOP\n 11: ENDSUB\n";
    static const struct sch_construct_info wanted[] = {{SCH_CONSTRUCT_SWITCH, 0, 2, UINT32_MAX},
                                                       {SCH_CONSTRUCT_SUB, 5, 11, UINT32_MAX},
                                                       {SCH_CONSTRUCT_LOOP, 6, 10, 1},
                                                       {SCH_CONSTRUCT_IF, 7, 9, 2}};
    struct {
        struct sch_construct_info info;
        uint32_t more;
    } list[4];
    struct sch_context *context = api_context();
    struct sch_shader *shader = NULL, *broken = NULL, *listing = NULL;
    size_t count = 77;
    assert_int_equal(sch_shader_read(context, text, sizeof text - 1, NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_shader_constructs(shader, NULL, 0, 0, &count), SCH_OK);
    assert_int_equal(count, 4);
    for (size_t capacity = 0; capacity <= 4; capacity++) {
        memset(list, 0x5a, sizeof list);
        assert_int_equal(sch_shader_constructs(shader, &list[0].info, sizeof *list, capacity, &count), SCH_OK);
        assert_int_equal(count, 4);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(list[i].more, 0x5a5a5a5a);
            if (i < capacity) assert_memory_equal(&list[i].info, &wanted[i], sizeof wanted[i]);
            if (i >= capacity) assert_int_equal(list[i].info.end, 0x5a5a5a5a);
        }
    }
    assert_int_equal(sch_shader_constructs(NULL, &list[0].info, sizeof *list, 4, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
    assert_int_equal(sch_shader_constructs(shader, NULL, sizeof *list, 4, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_constructs(shader, &list[0].info, sizeof list[0].info - 1, 4, &count),
                     SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_constructs(shader, &list[0].info, sizeof *list, 4, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_read(context, "FRAG\n0: ENDIF\n1: END\n", 22, NULL, NULL, &broken), SCH_OK);
    count = 77;
    assert_int_equal(sch_shader_constructs(broken, &list[0].info, sizeof *list, 4, &count), SCH_ERROR_INVALID);
    assert_int_equal(count, 0);
    assert_int_equal(sch_shader_read(context, "ps_5_0\nret\n", 11, NULL, NULL, &listing), SCH_OK);
    assert_int_equal(sch_shader_constructs(listing, &list[0].info, sizeof *list, 4, &count), SCH_ERROR_ARGUMENT);
    sch_shader_destroy(listing);
    sch_shader_destroy(broken);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* ---- how floats are written ---- */

static void floats_are_written_as_wanted(void **state)
{
    (void)state;
    static const char decimal[] = "FRAG\nIMM[0] FLT32 {    0.5000,     1.0000,    -2.0000,     0.0000}\n  0: END\n",
                      bits[] = "FRAG\nIMM[0] FLT32 {0x3f000000, 0x3f800000, 0xc0000000, 0x00000000}\n  0: END\n";
    struct sch_context *context = api_context();
    for (unsigned source = 0; source < 2; source++)
        for (unsigned wanted = 0; wanted < 4; wanted++) {
            static const enum sch_float_text styles[] = {SCH_FLOAT_TEXT_SOURCE, SCH_FLOAT_TEXT_HEX,
                                                         SCH_FLOAT_TEXT_DECIMAL, (enum sch_float_text)3};
            const struct sch_print_options options = {.size = sizeof options, .floats = styles[wanted]};
            struct sch_shader *shader = NULL;
            const char *const text = source ? bits : decimal;
            char *printed = (char *)context;
            size_t bytes = 77;
            assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
            const enum sch_result result = sch_shader_print(shader, &options, &printed, &bytes);
            assert_int_equal(result, wanted < 3 ? SCH_OK : SCH_ERROR_ARGUMENT);
            const char *const right = wanted == 0 ? text : wanted == 1 ? bits : decimal;
            if (wanted < 3) {
                assert_int_equal(bytes, strlen(right));
                assert_string_equal(printed, right);
                sch_free(context, printed);
            } else {
                assert_null(printed);
                assert_int_equal(bytes, 0);
            }
            sch_shader_destroy(shader);
        }
    sch_context_destroy(context);
}

/* ---- what containers hold ---- */

/* A container without a program in another: it has no stage and no version. */
static void containers_in_containers(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    static const struct {
        const char *text, *stage;
        unsigned version;
    } rows[] = {
        {"container\n.statistics 2, temps 3\n", "", 0}, {"vs_5_0\nret\n", "vs", 50}, {"ps_4_0\nret\n", "ps", 40}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *inner = NULL, *outer = NULL;
        unsigned char *data;
        size_t bytes;
        char text[2000] = "container\n.chunk FX10 { ";
        assert_int_equal(sch_shader_read(context, rows[i].text, strlen(rows[i].text), NULL, NULL, &inner), SCH_OK);
        assert_int_equal(sch_shader_serialize(inner, NULL, (void **)&data, &bytes), SCH_OK);
        for (size_t n = 0; n < bytes; n++) snprintf(text + strlen(text), 3, "%02x", data[n]);
        strcat(text, " }\n");
        assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &outer), SCH_OK);
        struct sch_nested_info nested = {.size = sizeof nested};
        assert_true(sch_shader_nested(outer, 0, &nested));
        assert_string_equal(nested.stage, rows[i].stage);
        assert_int_equal(nested.major * 10 + nested.minor, rows[i].version);
        assert_string_equal(nested.tag, "FX10");
        assert_int_equal(nested.bytes, bytes);
        assert_memory_equal(nested.data, data, bytes);

        /* and as a file, where it has a place: a chunk table of one, then the chunk's tag and length */
        void *file;
        size_t file_bytes;
        struct sch_shader *again = NULL;
        assert_int_equal(sch_shader_serialize(outer, NULL, &file, &file_bytes), SCH_OK);
        assert_int_equal(sch_shader_read(context, file, file_bytes, NULL, NULL, &again), SCH_OK);
        assert_true(sch_shader_nested(again, 0, &nested));
        assert_int_equal(nested.offset, 32 + 4 + 8);
        assert_memory_equal((unsigned char *)file + nested.offset, data, bytes);
        assert_false(sch_shader_nested(again, 1, &nested));
        sch_shader_destroy(again);
        sch_free(context, file);
        sch_free(context, data);
        sch_shader_destroy(inner);
        sch_shader_destroy(outer);
    }
    sch_context_destroy(context);
}

/* What the rows of Direct3D's instructions say beside their text: Microsoft's pages about each. */
static void instructions_of_direct3d_have_rows(void **state)
{
    (void)state;
    static const struct {
        const char *name, *other, *flags, *stages, *runs_as, *runs_with;
        unsigned number, model;
    } rows[] = {{"add", "", "", "vpghdc", "ADD", "", 0, 40},
                {"deriv_rtx", "dsx", "derivative", "p", "DDX", "", 11, 40},
                {"dcl_resource", "", "declaration", "vpghdc", "", "", 88, 40},
                {"samplepos", "sample_pos", "all-stages-in-5.0", "p", "SAMPLE_POS", "", 110, 41},
                {"dcl_uav_typed", "", "declaration all-stages-in-11.1", "pc", "", "", 156, 50},
                {"ld_uav_typed", "", "resource all-stages-in-11.1", "pc", "LOAD", "", 163, 50},
                {"abort", "", "debug", "vpghdc", "ABORT", "", 207, 50},
                {"ddiv", "", "doubles extensions-11.1", "vpghdc", "DDIV", "", 210, 50},
                {"gather4_s", "", "resource tiled-resources", "vpghdc", "GATHER4", "", 219, 50}};
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    unsigned found = 0;
    for (size_t row = 0; sch_table_d3d(row, &view); row++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            if (strcmp(view.name, rows[i].name)) continue;
            found++;
            assert_string_equal(view.other, rows[i].other);
            assert_string_equal(view.flags, rows[i].flags);
            assert_string_equal(view.stages, rows[i].stages);
            assert_string_equal(view.runs_as, rows[i].runs_as);
            assert_string_equal(view.runs_with, rows[i].runs_with);
            assert_int_equal(view.number, rows[i].number);
            assert_int_equal(view.model, rows[i].model);
        }
    assert_int_equal(found, COUNT(rows));
}

/* ---- Maxwell ---- */

/* The architecture that a caller names counts as one that the text names. */
static void architectures_are_given(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sch_maxwell_arch given, told;
        enum sch_result result;
    } rows[] = {{"TEX R4, R8, 0, 2D;", SCH_MAXWELL_ARCH_DEFAULT, SCH_MAXWELL_SM_50, SCH_OK},
                {"TEX R4, R8, 0, 2D;", SCH_MAXWELL_SM_50, SCH_MAXWELL_SM_50, SCH_OK},
                {"TEX R4, R8, 0, 2D;", SCH_MAXWELL_SM_52, SCH_MAXWELL_SM_52, SCH_OK},
                {"TEX R4, R8, 0, 2D;", SCH_MAXWELL_SM_53, SCH_MAXWELL_SM_53, SCH_OK},
                {".arch sm_53\nTEX R4, R8, 0, 2D;", SCH_MAXWELL_ARCH_DEFAULT, SCH_MAXWELL_SM_53, SCH_OK},
                {"TEX P1, R4, R8, 0, 2D;", SCH_MAXWELL_ARCH_DEFAULT, 0, SCH_ERROR_INVALID},
                {"TEX P1, R4, R8, 0, 2D;", SCH_MAXWELL_SM_52, SCH_MAXWELL_SM_52, SCH_OK}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct sch_read_options options = {.size = sizeof options, .arch = rows[i].given};
        struct sch_shader *program = NULL;
        struct sch_maxwell_code_info info = {.size = sizeof info};
        const enum sch_result result =
            maxwell_read(context, rows[i].text, strlen(rows[i].text), &options, NULL, &program);
        if (result != rows[i].result) fail_msg("row %zu: %d", i, result);
        if (!program) continue;
        assert_int_equal(sch_maxwell_get_info(program, &info), SCH_OK);
        assert_int_equal(info.arch, rows[i].told);
        sch_shader_destroy(program);
    }
    sch_context_destroy(context);
}

/* Registers, predicates and masks come from the group; registers go back, and nothing else of it changes. */
static void groups_come_and_go(void **state)
{
    (void)state;
    static const char text[] = "@P1 TXQ.NODEP R4, RZ, TEX_HEADER_DIMENSION, 0x0, 0x1;",
                      pool_text[] = "header 0 BLOCKLINEAR { WIDTH = 16; HEIGHT = 16; TEXTURE_TYPE = TWO_D }\n";
    static struct maxwell_group wanted;
    const uint32_t constants[1] = {0};
    struct sch_context *context = api_context();
    struct sch_shader *program = NULL;
    struct maxwell_environment environment = {
        .machine = {.size = sizeof environment.machine}, .constants = constants, .constant_count = 1};
    void *headers;
    assert_int_equal(maxwell_read(context, text, strlen(text), NULL, NULL, &program), SCH_OK);
    assert_int_equal(sch_maxwell_pool_assemble(context, pool_text, strlen(pool_text), NULL, NULL, &headers,
                                               &environment.machine.header_bytes),
                     SCH_OK);
    environment.machine.headers = headers;
    memset(&wanted, 0, sizeof wanted);
    wanted.active = ~(1u << 3);
    wanted.killed = 1u << 5;
    for (unsigned n = 0; n < SCH_MAXWELL_GROUP_PREDICATES; n++) wanted.predicates[n] = 0x1234567u * n;
    wanted.predicates[1] = ~(1u << 7);
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        for (unsigned lane = 0; lane < 32; lane++) wanted.registers[r][lane] = r << 8 | lane;
    memcpy(&group, &wanted, sizeof group);
    assert_int_equal(maxwell_run(context, program, &environment, &group, NULL), SCH_OK);
    for (unsigned lane = 0; lane < 32; lane++)
        if (lane != 3 && lane != 5 && lane != 7) wanted.registers[4][lane] = 16;
    assert_memory_equal(&group, &wanted, sizeof wanted);
    sch_shader_destroy(program);
    sch_free(context, headers);
    sch_context_destroy(context);
}

/* A text numbers 2^20 entries: of more there is none, whatever memory may be taken. */
static void pools_larger_than_texts(void **state)
{
    (void)state;
    const struct sch_limit_options limits = {.size = sizeof limits, .source_bytes = 1 << 26, .memory = 1 << 30};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    const size_t bytes = ((size_t)(1 << 20) + 1) * 32;
    const struct sch_maxwell_pool_options samplers = {.size = sizeof samplers, .pool = SCH_MAXWELL_POOL_SAMPLERS};
    struct sch_context *context = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    char *text = NULL;
    size_t length = 77;
    void *const pool = calloc(bytes, 1);
    assert_non_null(pool);
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_maxwell_pool_print(context, pool, bytes, &samplers, list, &text, &length), SCH_ERROR_LIMIT);
    assert_null(text);
    assert_int_equal(length, 0);
    assert_int_equal(sch_diagnostics_count(list), 1);
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_string_equal(view.message, "the text of 1048577 entries is larger than the limit of 1073741824 bytes");
    assert_int_equal(sch_maxwell_pool_print(context, pool, 32, &samplers, list, &text, &length), SCH_OK);
    assert_int_equal(length, strlen(text));
    assert_int_equal(sch_diagnostics_count(list), 1);
    sch_free(context, text);
    free(pool);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

/* Pools have up to 2^32 - 1 entries, banks as many words as an index may say; nothing of them is read but what
 * instructions name. Quads have derivatives in pixel shaders only. */
static void environments_of_every_size(void **state)
{
    (void)state;
    static const char text[] = "TMML.LOD R4, R8, 0x0, 2D, 0x3;",
                      pool_text[] = "header 0 BLOCKLINEAR { WIDTH = 16; HEIGHT = 16; TEXTURE_TYPE = TWO_D\n"
                                    "  MAX_MIP_LEVEL = 4; RES_VIEW_MAX_MIP_LEVEL = 4 }\n"
                                    "header 1 BLOCKLINEAR { WIDTH = 32; HEIGHT = 32; TEXTURE_TYPE = TWO_D\n"
                                    "  MAX_MIP_LEVEL = 5; RES_VIEW_MAX_MIP_LEVEL = 5 }\n",
                      sampler_text[] = "sampler 0 { MIP_FILTER = MIP_POINT; MAX_LOD_CLAMP = 15.0 }\n";
    const uint64_t most = UINT32_MAX, entry = 32;
    const struct {
        uint64_t header_bytes, sampler_bytes, constant_count;
        bool pixel;
        enum sch_result result;
        uint32_t level; /* computed, S8.8; 0x8000 where there are no derivatives: the least number */
    } rows[] = {{64, 32, 1, true, SCH_OK, 0x300},
                {64, 32, 1, false, SCH_OK, 0x8000},
                {most * entry, 32, 1, true, SCH_OK, 0x300},
                {(most + 1) * entry, 32, 1, true, SCH_ERROR_ARGUMENT, 0},
                {64, most * entry, 1, true, SCH_OK, 0x300},
                {64, (most + 1) * entry, 1, true, SCH_ERROR_ARGUMENT, 0},
                {64, 32, most, true, SCH_OK, 0x300},
                {64, 32, most + 1, true, SCH_OK, 0x300},
                {64, 32, most + 2, true, SCH_OK, 0x300},
                {64, 32, 0, true, SCH_OK, 0x200}, /* words that are not there are 0 */
                {32, 32, 1, true, SCH_OK, 0},
                {0, 32, 1, true, SCH_OK, 0},
                {64, 0, 1, true, SCH_OK, 0}};
    struct sch_context *context = api_context();
    struct sch_shader *program = NULL;
    void *headers, *samplers;
    size_t bytes;
    assert_int_equal(maxwell_read(context, text, strlen(text), NULL, NULL, &program), SCH_OK);
    assert_int_equal(sch_maxwell_pool_assemble(context, pool_text, strlen(pool_text), NULL, NULL, &headers, &bytes),
                     SCH_OK);
    assert_int_equal(bytes, 64);
    assert_int_equal(
        sch_maxwell_pool_assemble(context, sampler_text, strlen(sampler_text), NULL, NULL, &samplers, &bytes), SCH_OK);
    assert_int_equal(bytes, 32);
    for (size_t i = 0; i < COUNT(rows); i++) {
        /* Header 1, sampler 0. The first two words are always read: windows of memory. */
        const uint32_t constants[2] = {1};
        const struct maxwell_environment environment = {.machine = {.size = sizeof environment.machine,
                                                                    .headers = headers,
                                                                    .samplers = samplers,
                                                                    .header_bytes = rows[i].header_bytes,
                                                                    .sampler_bytes = rows[i].sampler_bytes},
                                                        .constants = constants,
                                                        .constant_count = rows[i].constant_count,
                                                        .pixel_shader = rows[i].pixel};
        memset(&group, 0, sizeof group);
        group.active = UINT32_MAX;
        /* a quarter of the texture from column to column: four texels of 16 and eight of 32, levels 2 and 3 */
        for (unsigned lane = 0; lane < 32; lane++)
            group.registers[8][lane] = lane & 1 ? 0x3f000000 : 0x3e800000; /* 0.5, 0.25 */
        const enum sch_result result = maxwell_run(context, program, &environment, &group, NULL);
        if (result != rows[i].result) fail_msg("row %zu: %d", i, result);
        if (result != SCH_OK) continue;
        for (unsigned lane = 0; lane < 32; lane++)
            if (group.registers[4][lane] != rows[i].level) fail_msg("row %zu: %x", i, group.registers[4][lane]);
    }
    sch_free(context, headers);
    sch_free(context, samplers);
    sch_shader_destroy(program);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(render_targets_hold_rectangles),
        cmocka_unit_test(grids_have_sizes),
        cmocka_unit_test(halves_are_refused),
        cmocka_unit_test(limits_of_other_sizes),
        cmocka_unit_test(elements_have_strides),
        cmocka_unit_test(reports_bear_the_inputs_name),
        cmocka_unit_test(shaders_of_a_text),
        cmocka_unit_test(constructs_are_listed),
        cmocka_unit_test(floats_are_written_as_wanted),
        cmocka_unit_test(containers_in_containers),
        cmocka_unit_test(instructions_of_direct3d_have_rows),
        cmocka_unit_test(architectures_are_given),
        cmocka_unit_test(environments_of_every_size),
        cmocka_unit_test(pools_larger_than_texts),
        cmocka_unit_test(the_shortest_are_told_apart),
        cmocka_unit_test(groups_come_and_go),
        cmocka_unit_test(samples_are_explained),
        cmocka_unit_test(lookups_are_explained),
        cmocka_unit_test(kinds_have_numbers),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
