/* The public library from outside: NULL arguments, struct sizes, an allocator that fails, results of every kind of
 * input, many threads on one program. What shaders compute is tested elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../maxwell/maxwell_group.h"
#include "../support/api_program.h"
#include "../support/counting.h"

/* ThreadSanitizer ends programs that call clone() as the compiler's process is started. */
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER true
#endif
#endif
#if !defined THREAD_SANITIZER
#if defined __SANITIZE_THREAD__
#define THREAD_SANITIZER true
#else
#define THREAD_SANITIZER false
#endif
#endif

#define DOUBLE_IT                                                                                                      \
    "FRAG\n"                                                                                                           \
    "DCL IN[0], GENERIC[0], PERSPECTIVE\n"                                                                             \
    "DCL OUT[0], COLOR\n"                                                                                              \
    "DCL CONST[0]\n"                                                                                                   \
    "DCL SAMP[0]\n"                                                                                                    \
    "DCL SVIEW[0], 2D, FLOAT\n"                                                                                        \
    "DCL TEMP[0]\n"                                                                                                    \
    "IMM[0] UINT32 {0, 1, 5, 0}\n"                                                                                     \
    "  0: MOV TEMP[0].x, IMM[0].xxxx\n"                                                                                \
    "  1: BGNLOOP :6\n"                                                                                                \
    "  2:   USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"                                                               \
    "  3:   UIF TEMP[0].yyyy :5\n"                                                                                     \
    "  4:     BRK\n"                                                                                                   \
    "  5:   ENDIF\n"                                                                                                   \
    "  6:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"                                                               \
    "  7: ENDLOOP :1\n"                                                                                                \
    "  8: TEX TEMP[0], IN[0], SAMP[0], 2D\n"                                                                           \
    "  9: MAD OUT[0], IN[0], CONST[0], TEMP[0]\n"                                                                      \
    " 10: END\n"

#define INVALID "FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], TEMP[3]\n  1: ENDIF\n  2: END\n"
#define ENDLESS "FRAG\nDCL OUT[0], COLOR\n  0: BGNLOOP :1\n  1: ENDLOOP :0\n  2: MOV OUT[0], OUT[0]\n  3: END\n"
#define COMPUTE                                                                                                        \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"       \
    "DCL SV[0], THREAD_ID\nDCL TEMP[0]\n  0: MOV TEMP[0], SV[0]\n  1: END\n"

static struct sch_program *make_program(struct sch_context *context, const char *text)
{
    struct sch_shader *shader = api_shader(context, text);
    struct sch_program *program = NULL;
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    sch_shader_destroy(shader); /* the program does not need it */
    return program;
}

/* Every pointer that is not optional, one at a time. */
static void test_null_arguments(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, DOUBLE_IT), *none = shader;
    struct sch_program *program = make_program(context, DOUBLE_IT), *no_program = program;
    struct sch_diagnostics_list *list = (void *)context;
    struct sch_resource *resource = (void *)context;
    struct sch_view *view = (void *)context;
    struct sch_sampler *sampler = (void *)context;
    char *text = (void *)context;
    void *data = context;
    uint32_t *words = (void *)context;
    size_t bytes = 7;

    assert_int_equal(sch_context_create(NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_diagnostics_create(NULL, &list), SCH_ERROR_ARGUMENT);
    assert_null(list);
    assert_int_equal(sch_diagnostics_create(context, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_read(NULL, "FRAG", 4, NULL, NULL, &none), SCH_ERROR_ARGUMENT);
    assert_null(none);
    none = shader;
    assert_int_equal(sch_shader_read(context, NULL, 4, NULL, NULL, &none), SCH_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(sch_shader_read(context, "FRAG", 4, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_check(NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_print(NULL, NULL, &text, &bytes), SCH_ERROR_ARGUMENT);
    assert_null(text);
    assert_int_equal(bytes, 0);
    assert_int_equal(sch_shader_print(shader, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    bytes = 7;
    assert_int_equal(sch_shader_tokens(NULL, NULL, &words, &bytes), SCH_ERROR_ARGUMENT);
    assert_null(words);
    assert_int_equal(bytes, 0);
    assert_int_equal(sch_shader_tokens(shader, NULL, &words, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_serialize(shader, NULL, NULL, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_serialize(NULL, NULL, &data, &bytes), SCH_ERROR_ARGUMENT);
    assert_null(data);
    assert_int_equal(sch_shader_get_info(shader, NULL), SCH_ERROR_ARGUMENT);
    assert_false(sch_shader_register(NULL, SCH_FILE_INPUT, 0, &(struct sch_register_info){0}));
    assert_false(sch_shader_register(shader, SCH_FILE_INPUT, 0, NULL));
    assert_int_equal(sch_shader_property(NULL, "FS_COORD_ORIGIN", 3), 3);
    assert_int_equal(sch_shader_property(shader, NULL, 4), 4);
    assert_int_equal(sch_program_create(context, NULL, NULL, NULL, &no_program), SCH_ERROR_ARGUMENT);
    assert_null(no_program);
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch(program, NULL, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(
        sch_dispatch(NULL, NULL, &(struct sch_invocations){.size = sizeof(struct sch_invocations)}, NULL, NULL),
        SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_grid(NULL, NULL, NULL, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_create(context, NULL, NULL, &resource), SCH_ERROR_ARGUMENT);
    assert_null(resource);
    assert_int_equal(sch_resource_write(NULL, NULL, "", 0, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_view_create(NULL, NULL, &view), SCH_ERROR_ARGUMENT);
    assert_null(view);
    assert_int_equal(sch_sampler_create(NULL, NULL, NULL, &sampler), SCH_ERROR_ARGUMENT);
    assert_null(sampler);
    struct sch_image *image = (void *)context;
    assert_int_equal(sch_image_create(NULL, NULL, &image), SCH_ERROR_ARGUMENT);
    assert_null(image);
    assert_int_equal(sch_image_create(NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_bytes(NULL), 0);
    assert_int_equal(sch_resource_write_all(NULL, "", 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_read_all(NULL, &bytes, 0), SCH_ERROR_ARGUMENT);
    sch_image_destroy(NULL);
    assert_int_equal(sch_format_by_name(NULL), SCH_FORMAT_NONE);
    assert_false(sch_table_opcode(0, NULL));
    assert_false(sch_table_name(SCH_NAMES_FILES, 0, NULL));
    assert_false(sch_table_decision(0, NULL));
    assert_false(sch_table_error(0, NULL));

    sch_context_destroy(NULL);
    sch_diagnostics_destroy(NULL);
    sch_shader_destroy(NULL);
    sch_program_destroy(NULL);
    sch_resource_destroy(NULL);
    sch_view_destroy(NULL);
    sch_sampler_destroy(NULL);
    sch_free(context, NULL);
    sch_free(NULL, NULL);
    assert_int_equal(sch_diagnostics_count(NULL), 0);
    assert_int_equal(sch_diagnostics_errors(NULL) + sch_diagnostics_warnings(NULL), 0);
    assert_false(sch_diagnostics_get(NULL, 0, &(struct sch_diagnostic_info){0}));
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Sizes of options: too small and zero are refused; a larger struct passes if the rest is zero. */
static void test_struct_sizes(void **state)
{
    (void)state;
    struct {
        struct sch_context_options known;
        uint64_t newer[2];
    } options = {.known = {.size = sizeof options.known}};
    struct sch_context *context = NULL;
    static const size_t wrong[] = {0, 1, sizeof options.known - 1, SIZE_MAX, 1 << 20};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.known.size = wrong[i];
        context = (void *)&options;
        assert_int_equal(sch_context_create(&options.known, &context), SCH_ERROR_ARGUMENT);
        assert_null(context);
    }
    options.known.size = sizeof options;
    options.newer[1] = 1;
    assert_int_equal(sch_context_create(&options.known, &context), SCH_ERROR_ARGUMENT);
    options.newer[1] = 0;
    assert_int_equal(sch_context_create(&options.known, &context), SCH_OK);

    struct sch_limit_options limits = {0};
    options.known.limits = &limits;
    struct sch_context *other = NULL;
    assert_int_equal(sch_context_create(&options.known, &other), SCH_ERROR_ARGUMENT);
    struct sch_allocator half = {.user = NULL};
    options.known.limits = NULL;
    options.known.memory = &half;
    assert_int_equal(sch_context_create(&options.known, &other), SCH_ERROR_ARGUMENT);

    struct sch_shader *shader = NULL;
    assert_int_equal(
        sch_shader_read(context, DOUBLE_IT, strlen(DOUBLE_IT), &(struct sch_read_options){0}, NULL, &shader),
        SCH_ERROR_ARGUMENT);
    struct sch_read_options read = {.size = sizeof read, .kind = (enum sch_kind)9};
    assert_int_equal(sch_shader_read(context, DOUBLE_IT, strlen(DOUBLE_IT), &read, NULL, &shader), SCH_ERROR_ARGUMENT);
    read.kind = SCH_KIND_AUTO;
    assert_int_equal(sch_shader_read(context, DOUBLE_IT, strlen(DOUBLE_IT), &read, NULL, &shader), SCH_OK);

    /* A struct that is filled in: the size stays, what the library does not know becomes zero. */
    struct {
        struct sch_shader_info known;
        uint64_t newer;
    } info = {.known = {.size = sizeof info}, .newer = 7};
    assert_int_equal(sch_shader_get_info(shader, &info.known), SCH_OK);
    assert_int_equal(info.known.size, sizeof info);
    assert_int_equal(info.known.instructions, 11);
    assert_int_equal(info.newer, 0);
    info.known.size = 0;
    assert_int_equal(sch_shader_get_info(shader, &info.known), SCH_ERROR_ARGUMENT);

    char *text;
    assert_int_equal(sch_shader_print(shader, &(struct sch_print_options){0}, &text, NULL), SCH_ERROR_ARGUMENT);
    struct sch_print_options print = {.size = sizeof print, .floats = (enum sch_float_text)5};
    assert_int_equal(sch_shader_print(shader, &print, &text, NULL), SCH_ERROR_ARGUMENT);

    struct sch_program *program = NULL;
    struct sch_program_options wide = {.size = sizeof wide, .width = 5};
    assert_int_equal(sch_program_create(context, shader, &wide, NULL, &program), SCH_ERROR_ARGUMENT);
    wide = (struct sch_program_options){.size = sizeof wide, .engine = (enum sch_engine)7};
    assert_int_equal(sch_program_create(context, shader, &wide, NULL, &program), SCH_ERROR_ARGUMENT);
    assert_null(program);
    wide = (struct sch_program_options){.size = sizeof wide, .width = 4};
    assert_int_equal(sch_program_create(context, shader, &wide, NULL, &program), SCH_OK);

    struct sch_invocations none = {.size = sizeof none};
    struct sch_dispatch_report report = {.size = sizeof report};
    assert_int_equal(sch_dispatch(program, NULL, &none, NULL, &report), SCH_OK);
    assert_int_equal(sch_dispatch(program, &(struct sch_bindings){0}, &none, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch(program, NULL, &none, &(struct sch_dispatch_options){0}, NULL), SCH_ERROR_ARGUMENT);
    report.size = 0;
    assert_int_equal(sch_dispatch(program, NULL, &none, NULL, &report), SCH_ERROR_ARGUMENT);
    none.size = 8;
    assert_int_equal(sch_dispatch(program, NULL, &none, NULL, NULL), SCH_ERROR_ARGUMENT);
    none = (struct sch_invocations){.size = sizeof none, .count = 1, .input_registers = 1};
    assert_int_equal(sch_dispatch(program, NULL, &none, NULL, NULL), SCH_ERROR_ARGUMENT);
    struct sch_bindings bindings = {.size = sizeof bindings, .constant_count = 1};
    none = (struct sch_invocations){.size = sizeof none};
    assert_int_equal(sch_dispatch(program, &bindings, &none, NULL, NULL), SCH_ERROR_ARGUMENT);
    const struct sch_bindings arrays[] = {{.size = sizeof bindings, .view_count = 1},
                                          {.size = sizeof bindings, .sampler_count = 1},
                                          {.size = sizeof bindings, .image_count = 1},
                                          {.size = sizeof bindings, .color_buffer_count = 1}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        assert_int_equal(sch_dispatch(program, &arrays[i], &none, NULL, NULL), SCH_ERROR_ARGUMENT);

    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Which warnings the lists of a context take. */
static void test_warnings(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0]\n"; /* 2515, 2501 */
    static const unsigned ignored[] = {2501, 2040}, wrong[] = {2501, 7};
    static const struct {
        struct sch_warning_options options;
        size_t kept, warnings;
    } rows[] = {{{.size = sizeof rows->options}, 1, 1},
                {{.size = sizeof rows->options, .pedantic = true}, 2, 2},
                {{.size = sizeof rows->options, .pedantic = true, .counted_only = true}, 0, 2},
                {{.size = sizeof rows->options, .ignored = ignored, .ignored_count = 2}, 0, 0},
                {{.size = sizeof rows->options, .pedantic = true, .ignored = ignored, .ignored_count = 2}, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_warning_options warnings = rows[i].options;
        struct sch_context_options options = {.size = sizeof options, .warnings = &warnings};
        struct sch_context *context = NULL;
        assert_int_equal(sch_context_create(&options, &context), SCH_OK);
        warnings = (struct sch_warning_options){0}; /* it was copied */
        struct sch_diagnostics_list *list = NULL;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        struct sch_shader *shader = api_shader(context, text);
        assert_int_equal(sch_shader_check(shader, list), SCH_OK);
        assert_int_equal(sch_diagnostics_count(list), rows[i].kept);
        assert_int_equal(sch_diagnostics_warnings(list), rows[i].warnings);
        struct sch_diagnostic_info view = {.size = sizeof view};
        for (size_t j = 0; sch_diagnostics_get(list, j, &view); j++)
            assert_int_equal(view.severity, view.code == 2515 ? SCH_SEVERITY_PEDANTIC : SCH_SEVERITY_WARNING);
        sch_shader_destroy(shader);
        shader = api_shader(context, "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n");
        assert_int_equal(sch_shader_check(shader, list), SCH_ERROR_INVALID);
        assert_int_equal(sch_diagnostics_errors(list), 1); /* 2040 is an error, ignored or not */
        sch_shader_destroy(shader);
        sch_diagnostics_destroy(list);
        sch_context_destroy(context);
    }

    struct sch_context *context = NULL;
    struct sch_warning_options warnings = {.size = sizeof warnings, .ignored = wrong, .ignored_count = 2};
    struct sch_context_options options = {.size = sizeof options, .warnings = &warnings};
    assert_int_equal(sch_context_create(&options, &context), SCH_ERROR_ARGUMENT);
    assert_null(context);
    warnings.ignored = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_ERROR_ARGUMENT);
}

static void test_limits_by_name(void **state)
{
    (void)state;
    struct sch_limit_options limits = {.size = sizeof limits};
    assert_int_equal(sch_limit_set(&limits, "instructions", 7), SCH_OK);
    assert_int_equal(sch_limit_set(&limits, "memory", 8), SCH_OK);
    assert_int_equal(limits.instructions, 7);
    assert_int_equal(limits.memory, 8);
    assert_int_equal(sch_limit_set(&limits, "instructions", 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_limit_set(&limits, "instructions", (uint64_t)1 << 32), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_limit_set(&limits, "size", 8), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_limit_set(&limits, NULL, 8), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_limit_set(NULL, "memory", 8), SCH_ERROR_ARGUMENT);
    struct sch_limit_info view = {.size = sizeof view};
    size_t count = 0;
    for (; sch_table_limit(count, &view); count++) {
        limits = (struct sch_limit_options){.size = sizeof limits};
        assert_int_equal(sch_limit_set(&limits, view.name, view.most), SCH_OK);
        assert_true(view.fallback > 0 && view.fallback <= view.most && view.meaning[0]);
    }
    assert_int_equal(count, 8);
}

/* What each kind of input answers, and that the list says the same. */
static void test_results(void **state)
{
    (void)state;
    struct sch_limit_options limits = {.size = sizeof limits, .source_bytes = 1000, .diagnostics = 2};
    struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    struct sch_diagnostics_list *list = NULL;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_shader *shader = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};

    char name[] = "a name";
    struct sch_read_options read = {.size = sizeof read, .name = name};
    assert_int_equal(sch_shader_read(context, "FRAG\nFOO\nBAR\nBAZ\n", 17, &read, list, &shader), SCH_ERROR_INVALID);
    assert_null(shader);
    name[0] = 'b'; /* it was copied */
    assert_int_equal(sch_diagnostics_count(list), 2);
    assert_true(sch_diagnostics_errors(list) >= 2);
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_false(sch_diagnostics_get(list, 2, &view));
    assert_string_equal(view.source, "a name");
    assert_int_equal(view.line, 2);
    assert_int_equal(view.column, 1);
    assert_int_equal(view.offset, 5);
    assert_int_equal(view.severity, SCH_SEVERITY_ERROR);
    assert_string_equal(view.line_text, "FOO");
    sch_diagnostics_destroy(list);

    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    char large[1001];
    memset(large, ' ', sizeof large);
    assert_int_equal(sch_shader_read(context, large, sizeof large, NULL, list, &shader), SCH_ERROR_LIMIT);
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_int_equal(view.code, 6200);
    read = (struct sch_read_options){.size = sizeof read, .kind = SCH_KIND_TGSI_BIN};
    assert_int_equal(sch_shader_read(context, "123", 3, &read, list, &shader), SCH_ERROR_INVALID);
    assert_true(sch_diagnostics_get(list, 1, &view));
    assert_int_equal(view.code, 6201);
    assert_int_equal(sch_shader_read(context, NULL, 0, NULL, NULL, &shader), SCH_ERROR_INVALID);

    shader = api_shader(context, INVALID);
    assert_int_equal(sch_shader_check(shader, NULL), SCH_ERROR_INVALID);
    struct sch_program *program = (void *)shader;
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_ERROR_INVALID);
    assert_null(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);

    for (int result = SCH_OK; result <= SCH_ERROR_CANCELLED + 1; result++)
        assert_true(*sch_result_text((enum sch_result)result) != 0);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SCH_VERSION_MAJOR, SCH_VERSION_MINOR, SCH_VERSION_PATCH);
    assert_string_equal(sch_version(), version);
}

/* Text, bare words at any address, container: one shader, one hash. */
static void test_forms(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *text_shader = api_shader(context, DOUBLE_IT), *other = NULL;
    struct sch_shader_info info = {.size = sizeof info}, again = {.size = sizeof again};
    uint32_t *words;
    size_t count, bytes;
    void *container;
    char *text;
    assert_int_equal(sch_shader_get_info(text_shader, &info), SCH_OK);
    assert_int_equal(info.stage, SCH_STAGE_FRAGMENT);
    assert_int_equal(info.inputs, 1);
    assert_int_equal(info.samplers, 1);
    assert_int_equal(info.constant_buffers, 1);
    assert_int_equal(sch_shader_tokens(text_shader, NULL, &words, &count), SCH_OK);
    assert_int_equal(sch_shader_serialize(text_shader, NULL, &container, &bytes), SCH_OK);

    /* FNV-1a of the words, low byte first, as the header says. */
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < 4 * count; i++) hash = (hash ^ (words[i / 4] >> i % 4 * 8 & 0xff)) * UINT64_C(0x100000001b3);
    assert_true(hash == info.hash);

    unsigned char *shifted = malloc(4 * count + 3);
    assert_non_null(shifted);
    for (size_t shift = 0; shift < 4; shift++) {
        memcpy(shifted + shift, words, 4 * count);
        assert_int_equal(sch_shader_read(context, shifted + shift, 4 * count, NULL, NULL, &other), SCH_OK);
        assert_int_equal(sch_shader_get_info(other, &again), SCH_OK);
        assert_true(again.hash == info.hash);
        sch_shader_destroy(other);
    }
    free(shifted);
    assert_int_equal(sch_shader_read(context, container, bytes, NULL, NULL, &other), SCH_OK);
    assert_int_equal(sch_shader_print(other, NULL, &text, &bytes), SCH_OK);
    assert_string_equal(text, DOUBLE_IT);
    assert_int_equal(bytes, strlen(DOUBLE_IT));
    sch_free(context, text);
    sch_free(context, container);
    sch_free(context, words);
    sch_shader_destroy(other);
    sch_shader_destroy(text_shader);
    sch_context_destroy(context);
}

static void test_registers(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader =
        api_shader(context, "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
                            "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                            "DCL IN[][0], POSITION\nDCL IN[][2..4], GENERIC[7]\nDCL OUT[1], POSITION\n"
                            "  0: MOV OUT[1], IN[2][3]\n  1: END\n");
    struct sch_register_info at = {.size = sizeof at};
    assert_true(sch_shader_register(shader, SCH_FILE_INPUT, 0, &at));
    assert_string_equal(at.semantic_name, "POSITION");
    assert_true(at.per_vertex);
    assert_true(sch_shader_register(shader, SCH_FILE_INPUT, 3, &at));
    assert_int_equal(at.index, 4);
    assert_int_equal(at.semantic_index, 9);
    assert_false(sch_shader_register(shader, SCH_FILE_INPUT, 4, &at));
    assert_true(sch_shader_register(shader, SCH_FILE_OUTPUT, 0, &at));
    assert_int_equal(at.index, 1);
    assert_false(at.per_vertex);
    assert_false(sch_shader_register(shader, SCH_FILE_SYSTEM_VALUE, 0, &at));
    assert_false(sch_shader_register(shader, SCH_FILE_TEMPORARY, 0, &at));
    assert_int_equal(sch_shader_property(shader, "GS_INPUT_PRIMITIVE", 99), 4);
    assert_int_equal(sch_shader_property(shader, "GS_INVOCATIONS", 99), 99);
    assert_int_equal(sch_shader_property(shader, "NO_SUCH_PROPERTY", 99), 99);
    struct sch_shader_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    assert_int_equal(info.inputs, 5);
    assert_int_equal(info.outputs, 2);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

static void test_resource_arguments(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    int rgba8 = sch_format_by_name("r8g8b8a8_unorm");
    assert_true(rgba8 > 0);
    assert_int_equal(sch_format_by_name("PIPE_FORMAT_R8G8B8A8_UNORM"), rgba8);
    assert_int_equal(sch_format_by_name("PIPE_FORMAT_"), SCH_FORMAT_NONE);
    assert_int_equal(sch_format_by_name(""), SCH_FORMAT_NONE);

    struct sch_resource *resource = NULL;
    struct sch_resource_options shape = {.size = sizeof shape, .target = SCH_TARGET_2D, .format = -1, .width = 4};
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_ERROR_ARGUMENT);
    shape.format = rgba8;
    shape.target = (enum sch_target)99;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_ERROR_ARGUMENT);
    shape.target = SCH_TARGET_2D;
    shape.width = 16385;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_ERROR_LIMIT);
    assert_null(resource);
    shape.width = 4;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    uint8_t texels[16] = {0};
    assert_int_equal(sch_resource_write(resource, NULL, texels, 16, NULL), SCH_OK);
    assert_int_not_equal(sch_resource_write(resource, NULL, texels, 15, NULL), SCH_OK);

    struct sch_view *view = NULL;
    struct sch_view_options swizzle = {.size = sizeof swizzle, .swizzle = {0, 1, 2, 6}};
    assert_int_equal(sch_view_create(resource, &swizzle, &view), SCH_ERROR_ARGUMENT);
    swizzle.swizzle[3] = 5;
    assert_int_equal(sch_view_create(resource, &swizzle, &view), SCH_OK);
    sch_resource_destroy(resource); /* the view keeps the texels */
    sch_view_destroy(view);

    struct sch_sampler *sampler = NULL;
    struct sch_sampler_options options = {.size = sizeof options, .wrap_t = (enum sch_wrap)8};
    assert_int_equal(sch_sampler_create(context, &options, NULL, &sampler), SCH_ERROR_ARGUMENT);
    options = (struct sch_sampler_options){.size = sizeof options, .max_lod = NAN};
    assert_int_equal(sch_sampler_create(context, &options, NULL, &sampler), SCH_ERROR_ARGUMENT);
    assert_null(sampler);
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &sampler), SCH_OK);
    sch_sampler_destroy(sampler);
    sch_context_destroy(context);
}

static void test_grid_arguments(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_program *compute = make_program(context, COMPUTE), *fragment = make_program(context, DOUBLE_IT);
    const uint32_t grid[3] = {3, 0, 2}, right[3] = {8, 0, 1}, wrong[3] = {4, 1, 1};
    struct sch_dispatch_report report = {.size = sizeof report};
    assert_int_equal(sch_dispatch_grid(compute, NULL, grid, NULL, NULL, &report), SCH_OK);
    assert_true(report.instructions > 0);
    assert_int_equal(sch_dispatch_grid(compute, NULL, grid, right, NULL, NULL), SCH_OK);
    assert_int_equal(sch_dispatch_grid(compute, NULL, NULL, NULL, NULL, NULL), SCH_OK);
    assert_int_equal(sch_dispatch_grid(compute, NULL, grid, wrong, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_grid(fragment, NULL, grid, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_program_destroy(compute);
    sch_program_destroy(fragment);
    sch_context_destroy(context);
}

static void test_budget_report(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_program *program = make_program(context, ENDLESS);
    uint32_t outputs[4 * 40];
    struct sch_invocations work = {
        .size = sizeof work, .count = 40, .outputs = outputs, .output_bytes = sizeof outputs, .output_registers = 1};
    struct sch_dispatch_options options = {.size = sizeof options, .budget = 100};
    struct sch_dispatch_report report = {.size = sizeof report, .line = 77};
    assert_int_equal(sch_dispatch(program, NULL, &work, &options, &report), SCH_ERROR_BUDGET);
    assert_int_equal(report.invocation, 0);
    assert_int_equal(report.line, 4);
    assert_true(report.instruction <= 1);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* A word of every array that a dispatch can be given, and more than any needs. */
struct given_arrays {
    uint32_t words[14][512];
};

/* All arrays of work, each with exactly what 3 invocations, quads and vertices of 2, 2 IN, 3 SV and 2 OUT registers and
 * 5 events need, counted by hand. */
static struct sch_invocations exact_work(struct given_arrays *a)
{
    return (struct sch_invocations){.size = sizeof(struct sch_invocations),
                                    .count = 3,
                                    .inputs = a->words[0],
                                    .input_bytes = 192,
                                    .input_registers = 2,
                                    .input_vertices = 2,
                                    .system_values = a->words[1],
                                    .system_value_bytes = 144,
                                    .system_value_registers = 3,
                                    .helpers = (uint8_t *)a->words[2],
                                    .helper_bytes = 3,
                                    .outputs = a->words[3],
                                    .output_bytes = 96,
                                    .output_registers = 2,
                                    .killed = (uint8_t *)a->words[4],
                                    .killed_bytes = 3,
                                    .system_value_given = (uint8_t *)a->words[5],
                                    .system_value_given_bytes = 3,
                                    .planes = a->words[6],
                                    .plane_bytes = 384,
                                    .plane_registers = 2,
                                    .centroids = a->words[7],
                                    .centroid_bytes = 24,
                                    .event_capacity = 5,
                                    .event_registers = 2,
                                    .events = a->words[8],
                                    .event_bytes = 60,
                                    .event_counts = a->words[9],
                                    .event_count_bytes = 12,
                                    .event_outputs = a->words[10],
                                    .event_output_bytes = 480,
                                    .pixels = a->words[11],
                                    .pixel_bytes = 48,
                                    .texels_read = a->words[12],
                                    .texels_read_bytes = 12,
                                    .greatest_lods = (float *)a->words[13],
                                    .greatest_lod_bytes = 12};
}

/* The call is refused with one report, which names the member, and nothing has run. */
static void expect_refusal(const struct sch_program *program, struct sch_context *context,
                           const struct sch_invocations *work, const struct sch_bindings *bindings, const char *name)
{
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list};
    if (work->outputs) memset(work->outputs, 0xcc, 96);
    assert_int_equal(sch_dispatch(program, bindings, work, &options, NULL), SCH_ERROR_ARGUMENT);
    if (work->outputs) assert_int_equal(work->outputs[0], 0xcccccccc);
    assert_int_equal(sch_dispatch(program, bindings, work, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_diagnostics_count(list), 1);
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_int_equal(view.code, 6300);
    if (strncmp(view.message, name, strlen(name)) != 0) fail_msg("%s: %s", name, view.message);
    sch_diagnostics_destroy(list);
}

/* Each array of struct sch_invocations: what is needed is enough; a byte less, no bytes and bytes of no array are
 * refused; so are products beyond any number. */
static void test_lengths_of_arrays(void **state)
{
    (void)state;
#define ARRAY(pointer, bytes)                                                                                          \
    {                                                                                                                  \
        offsetof(struct sch_invocations, pointer), offsetof(struct sch_invocations, bytes), #pointer ": "              \
    }
    static const struct {
        size_t pointer, bytes;
        const char *name;
    } arrays[] = {ARRAY(inputs, input_bytes),
                  ARRAY(system_values, system_value_bytes),
                  ARRAY(helpers, helper_bytes),
                  ARRAY(outputs, output_bytes),
                  ARRAY(killed, killed_bytes),
                  ARRAY(system_value_given, system_value_given_bytes),
                  ARRAY(planes, plane_bytes),
                  ARRAY(centroids, centroid_bytes),
                  ARRAY(events, event_bytes),
                  ARRAY(event_counts, event_count_bytes),
                  ARRAY(event_outputs, event_output_bytes),
                  ARRAY(pixels, pixel_bytes),
                  ARRAY(texels_read, texels_read_bytes),
                  ARRAY(greatest_lods, greatest_lod_bytes)};
#undef ARRAY
    struct sch_context *context = api_context();
    struct sch_program *program = make_program(context, "FRAG\nDCL OUT[0], COLOR\n  0: END\n");
    static struct given_arrays memory;
    struct sch_invocations work = exact_work(&memory);
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_OK);
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) {
        size_t *bytes = (size_t *)(void *)((char *)&work + arrays[n].bytes), exact = *bytes;
        void **pointer = (void **)(void *)((char *)&work + arrays[n].pointer), *array = *pointer;
        const size_t wrong[] = {0, exact - 1, exact / 2};
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            *bytes = wrong[w];
            expect_refusal(program, context, &work, NULL, arrays[n].name);
        }
        *bytes = exact + 1;
        assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_OK);
        *pointer = NULL;
        expect_refusal(program, context, &work, NULL, arrays[n].name);
        *pointer = array;
        *bytes = exact;
    }
    /* 2^32 - 1 invocations of as many registers and vertices: 2^100 bytes. */
    work = (struct sch_invocations){.size = sizeof work,
                                    .count = UINT32_MAX,
                                    .inputs = memory.words[0],
                                    .input_bytes = SIZE_MAX,
                                    .input_registers = UINT32_MAX,
                                    .input_vertices = UINT32_MAX};
    expect_refusal(program, context, &work, NULL, "inputs: ");
    work.input_registers = 1 << 28;
    work.input_vertices = 16; /* 2^68 - 2^36 bytes, 2^64 - 2^36 when bits are lost */
    expect_refusal(program, context, &work, NULL, "inputs: ");

    work = exact_work(&memory);
    const struct sch_storage_buffer crooked[2] = {{0}, {.data = (char *)memory.words + 1, .bytes = 8}},
                                    nowhere = {.bytes = 8};
    const struct sch_constant_buffer missing[1] = {{.bytes = 4}};
    const struct {
        struct sch_bindings bindings;
        const char *name;
    } rows[] = {
        {{.size = sizeof(struct sch_bindings), .constant_count = 1}, "constants: "},
        {{.size = sizeof(struct sch_bindings), .constants = missing, .constant_count = 1}, "constants[0]: "},
        {{.size = sizeof(struct sch_bindings), .views = NULL, .view_count = 1}, "views: "},
        {{.size = sizeof(struct sch_bindings), .sampler_count = 1}, "samplers: "},
        {{.size = sizeof(struct sch_bindings), .image_count = 1}, "images: "},
        {{.size = sizeof(struct sch_bindings), .color_buffer_count = 1}, "color_buffers: "},
        {{.size = sizeof(struct sch_bindings), .buffer_count = 1}, "buffers: "},
        {{.size = sizeof(struct sch_bindings), .buffers = crooked, .buffer_count = 2}, "buffers[1]: "},
        {{.size = sizeof(struct sch_bindings), .hw_atomics = &nowhere, .hw_atomic_count = 1}, "hw_atomics[0]: "},
        {{.size = sizeof(struct sch_bindings), .hw_atomic_count = 1}, "hw_atomics: "},
        {{.size = sizeof(struct sch_bindings), .global_memory = nowhere}, "global_memory[0]: "},
        {{.size = sizeof(struct sch_bindings), .input_memory = missing[0]}, "input_memory: "},
        {{.size = sizeof(struct sch_bindings), .interface_count = 1}, "interfaces: "},
        {{.size = sizeof(struct sch_bindings), .interface_count = UINT32_MAX}, "interfaces: "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_refusal(program, context, &work, &rows[i].bindings, rows[i].name);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

struct made {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader, *again;
    struct sch_program *program;
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_image *image;
    char *text;
    uint32_t *words;
    void *container;
    uint32_t outputs[4 * 64];
};

static enum sch_result make_textures(struct made *made)
{
    struct sch_resource_options shape = {
        .size = sizeof shape, .target = SCH_TARGET_2D, .format = sch_format_by_name("R8G8B8A8_UNORM")};
    static const uint8_t texel[4] = {255, 0, 255, 0};
    enum sch_result result = sch_resource_create(made->context, &shape, made->list, &made->resource);
    if (result == SCH_OK) result = sch_resource_write(made->resource, NULL, texel, sizeof texel, made->list);
    if (result == SCH_OK) result = sch_view_create(made->resource, NULL, &made->view);
    if (result == SCH_OK) result = sch_sampler_create(made->context, NULL, made->list, &made->sampler);
    if (result == SCH_OK) result = sch_image_create(made->resource, NULL, &made->image);
    return result;
}

/* IN[0] is (i, 1, 0, 0), CONST[0] is 2; the texture adds (1, 0, 1, 0). */
static enum sch_result run_it(struct made *made, uint32_t threads)
{
    uint32_t inputs[4 * 64] = {0};
    const float two[4] = {2, 2, 2, 2};
    for (uint32_t i = 0; i < 64; i++) {
        float x = (float)i;
        memcpy(&inputs[4 * i], &x, sizeof x);
        inputs[4 * i + 1] = 0x3f800000;
    }
    struct sch_constant_buffer constants = {two, sizeof two};
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .constants = &constants,
                                    .constant_count = 1,
                                    .views = &made->view,
                                    .view_count = 1,
                                    .samplers = &made->sampler,
                                    .sampler_count = 1,
                                    .images = &made->image,
                                    .image_count = 1,
                                    .color_buffers = &made->image,
                                    .color_buffer_count = 1};
    struct sch_invocations work = {.size = sizeof work,
                                   .count = 64,
                                   .inputs = inputs,
                                   .input_bytes = sizeof inputs,
                                   .input_registers = 1,
                                   .outputs = made->outputs,
                                   .output_bytes = sizeof made->outputs,
                                   .output_registers = 1};
    struct sch_dispatch_options options = {.size = sizeof options, .threads = threads};
    memset(made->outputs, 0xcc, sizeof made->outputs);
    return sch_dispatch(made->program, &bindings, &work, &options, NULL);
}

static bool outputs_hold(const struct made *made)
{
    for (uint32_t i = 0; i < 64; i++) {
        const float wanted[4] = {2 * (float)i + 1, 2, 1, 0};
        if (memcmp(&made->outputs[4 * i], wanted, sizeof wanted) != 0) return false;
    }
    return true;
}

/* The whole way through the library under a ceiling (0: the default one); stops at the first result that is not OK. */
static enum sch_result whole_way_within(size_t ceiling, struct counting *counting, struct made *made, const char *text)
{
    struct sch_allocator memory = counting_callbacks(counting);
    const struct sch_limit_options limits = {.size = sizeof limits, .context_memory = ceiling};
    struct sch_context_options options = {.size = sizeof options, .memory = &memory, .limits = &limits};
    struct sch_read_options read = {.size = sizeof read, .name = "whole way"};
    struct sch_shader_info info = {.size = sizeof info};
    size_t bytes, count;
    enum sch_result result = sch_context_create(&options, &made->context);
    if (result == SCH_OK) result = sch_diagnostics_create(made->context, &made->list);
    if (result == SCH_OK) result = sch_shader_read(made->context, text, strlen(text), &read, made->list, &made->shader);
    if (result == SCH_OK) result = sch_shader_check(made->shader, made->list);
    if (result == SCH_OK) result = sch_shader_print(made->shader, NULL, &made->text, NULL);
    if (result == SCH_OK) result = sch_shader_get_info(made->shader, &info);
    if (result == SCH_OK) result = sch_shader_tokens(made->shader, made->list, &made->words, &count);
    if (result == SCH_OK) result = sch_shader_serialize(made->shader, made->list, &made->container, &bytes);
    if (result == SCH_OK)
        result = sch_shader_read(made->context, made->container, bytes, &read, made->list, &made->again);
    if (result == SCH_OK) result = sch_program_create(made->context, made->again, NULL, made->list, &made->program);
    if (result == SCH_OK) result = make_textures(made);
    if (result == SCH_OK) result = run_it(made, 1);
    if (result == SCH_OK) result = run_it(made, 2);
    return result;
}

static enum sch_result whole_way(struct counting *counting, struct made *made, const char *text)
{
    return whole_way_within(0, counting, made, text);
}

static void unmake(struct made *made)
{
    sch_free(made->context, made->text);
    sch_free(made->context, made->words);
    sch_free(made->context, made->container);
    sch_sampler_destroy(made->sampler);
    sch_image_destroy(made->image);
    sch_view_destroy(made->view);
    sch_resource_destroy(made->resource);
    sch_program_destroy(made->program);
    sch_shader_destroy(made->again);
    sch_shader_destroy(made->shader);
    sch_diagnostics_destroy(made->list);
    sch_context_destroy(made->context);
}

/* Fails each allocation of the whole way in turn: nothing leaks, nothing crashes, and the answer is MEMORY. */
static void test_failing_allocator(void **state)
{
    (void)state;
    struct counting counting = {0};
    struct made made = {0};
    assert_int_equal(whole_way(&counting, &made, DOUBLE_IT), SCH_OK);
    assert_true(outputs_hold(&made));
    unmake(&made);
    assert_int_equal(counting.live, 0);
    long all = counting.calls;
    assert_true(all > 10);

    for (long n = 1; n <= all; n++) {
        counting = (struct counting){.fail_at = n};
        made = (struct made){0};
        enum sch_result result = whole_way(&counting, &made, DOUBLE_IT);
        unmake(&made);
        if (counting.live != 0) fail_msg("allocation %ld of %ld: %ld blocks leaked", n, all, (long)counting.live);
        if (result != SCH_ERROR_MEMORY) fail_msg("allocation %ld of %ld: %s", n, all, sch_result_text(result));
    }
}

static struct sch_context_memory memory_of(const struct sch_context *context)
{
    struct sch_context_memory memory = {.size = sizeof memory};
    assert_int_equal(sch_context_get_memory(context, &memory), SCH_OK);
    assert_true(memory.held <= memory.limit);
    return memory;
}

/* The whole way under every ceiling from none to enough: LIMIT, or all of it. */
static void test_every_ceiling(void **state)
{
    (void)state;
    unsigned refused = 0, whole = 0;
    for (size_t ceiling = 1; !whole; ceiling += ceiling < 4096 ? 61 : ceiling / 97) {
        struct counting counting = {0};
        struct made made = {0};
        enum sch_result result = whole_way_within(ceiling, &counting, &made, DOUBLE_IT);
        if (made.context) assert_int_equal(memory_of(made.context).limit, ceiling);
        unmake(&made);
        assert_int_equal(counting.live, 0);
        if (result != SCH_ERROR_LIMIT && result != SCH_OK) fail_msg("%zu bytes: %s", ceiling, sch_result_text(result));
        refused += result == SCH_ERROR_LIMIT;
        whole += result == SCH_OK;
    }
    assert_true(refused > 50);
}

/* Textures count together; what is given back can be had again; pictures read into the context's memory count. */
static void test_ceiling_of_a_context(void **state)
{
    (void)state;
    const struct sch_limit_options limits = {.size = sizeof limits, .context_memory = 1 << 20};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                               .width = 256,
                                               .height = 256}; /* 256 KiB: three fit */
    struct sch_context *context = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    struct sch_resource *resource[4] = {0};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    size_t before = memory_of(context).held;
    for (unsigned i = 0; i < 3; i++) assert_int_equal(sch_resource_create(context, &shape, list, &resource[i]), SCH_OK);
    assert_true(memory_of(context).held >= before + 3 * (1u << 18));
    assert_int_equal(sch_resource_create(context, &shape, list, &resource[3]), SCH_ERROR_LIMIT);
    assert_null(resource[3]);
    assert_int_equal(sch_diagnostics_count(list), 1);
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_int_equal(view.code, 5010);
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource[3]), SCH_ERROR_LIMIT);
    sch_resource_destroy(resource[0]);
    assert_int_equal(sch_resource_create(context, &shape, list, &resource[0]), SCH_OK);

    struct sch_context_memory room = memory_of(context);
    void *picture = room.memory.alloc(room.memory.user, (1 << 20) - room.held);
    assert_null(picture); /* no room for what knows its size */
    picture = room.memory.alloc(room.memory.user, (1 << 20) - room.held - 64);
    assert_non_null(picture);
    assert_null(room.memory.alloc(room.memory.user, SIZE_MAX));
    room.memory.free(room.memory.user, picture);
    assert_int_equal(memory_of(context).held, room.held);

    for (unsigned i = 0; i < 3; i++) sch_resource_destroy(resource[i]);
    sch_diagnostics_destroy(list);
    room = memory_of(context);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    sch_diagnostics_destroy(list);
    assert_int_equal(memory_of(context).held, room.held);
    assert_int_equal(sch_context_get_memory(NULL, &room), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_context_get_memory(context, NULL), SCH_ERROR_ARGUMENT);
    room.size = 8;
    assert_int_equal(sch_context_get_memory(context, &room), SCH_ERROR_ARGUMENT);
    sch_context_destroy(context);
}

/* The same for inputs that are wrong: reports that are lost for want of memory are MEMORY too. */
static void test_failing_allocator_with_reports(void **state)
{
    (void)state;
    static const char *const texts[] = {INVALID, "FRAG\nFOO\nBAR[\n", "\002\000\000\000\004\000\000"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct counting counting = {0};
        struct made made = {0};
        assert_int_equal(whole_way(&counting, &made, texts[t]), SCH_ERROR_INVALID);
        unmake(&made);
        assert_int_equal(counting.live, 0);
        long all = counting.calls;
        for (long n = 1; n <= all; n++) {
            counting = (struct counting){.fail_at = n};
            made = (struct made){0};
            enum sch_result result = whole_way(&counting, &made, texts[t]);
            unmake(&made);
            assert_int_equal(counting.live, 0);
            if (result != SCH_ERROR_MEMORY)
                fail_msg("text %zu, allocation %ld of %ld: %s", t, n, all, sch_result_text(result));
        }
    }
}

/* One program, one view, one sampler, several threads, each with a copy of the outputs. */
static void *dispatch_often(void *argument)
{
    struct made *made = argument;
    for (int i = 0; i < 50; i++) {
        if (run_it(made, i % 3 == 0 ? 2 : 1) != SCH_OK) return NULL;
        if (!outputs_hold(made)) return NULL;
    }
    return made;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct counting counting = {0};
    struct made made = {0}, copies[THREADS];
    pthread_t threads[THREADS];
    assert_int_equal(whole_way(&counting, &made, DOUBLE_IT), SCH_OK);
    for (int i = 0; i < THREADS; i++) {
        copies[i] = made;
        assert_int_equal(pthread_create(&threads[i], NULL, dispatch_often, &copies[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *answer = NULL;
        assert_int_equal(pthread_join(threads[i], &answer), 0);
        assert_ptr_equal(answer, &copies[i]);
    }
    unmake(&made);
    assert_int_equal(counting.live, 0);
}

/* A view or a sampler that is NULL in its array answers 0: the sum lacks the texture's (1, 0, 1, 0). */
static void test_unbound_entries(void **state)
{
    (void)state;
    struct counting counting = {0};
    struct made made = {0};
    assert_int_equal(whole_way(&counting, &made, DOUBLE_IT), SCH_OK);
    for (unsigned missing = 1; missing < 8; missing++) {
        struct made partly = made;
        if (missing & 1) partly.view = NULL;
        if (missing & 2) partly.sampler = NULL;
        if (missing & 4) partly.image = NULL;
        assert_int_equal(run_it(&partly, 1), SCH_OK);
        const float wanted[4] = {2 * 63 + (missing == 4 ? 1 : 0), 2, missing == 4 ? 1 : 0, 0};
        assert_memory_equal(&partly.outputs[4 * 63], wanted, sizeof wanted);
    }
    unmake(&made);
    assert_int_equal(counting.live, 0);
}

static void test_tables(void **state)
{
    (void)state;
    static const size_t names[] = {[SCH_NAMES_SEMANTICS] = 50,
                                   [SCH_NAMES_PROPERTIES] = 32,
                                   [SCH_NAMES_TARGETS] = 19,
                                   [SCH_NAMES_FILES] = 16,
                                   [SCH_NAMES_FORMATS] = 0};
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    struct sch_name_info name = {.size = sizeof name};
    struct sch_decision_info decision = {.size = sizeof decision};
    struct sch_error_info error = {.size = sizeof error};
    size_t count = 0;
    for (; sch_table_opcode(count, &opcode); count++) {
        assert_true(*opcode.name && *opcode.title && *opcode.section && *opcode.formula);
        assert_true(strlen(opcode.signature) >= 2 + opcode.sources);
    }
    assert_true(count >= 253);
    for (int table = SCH_NAMES_SEMANTICS; table <= SCH_NAMES_FILES; table++) {
        for (count = 0; sch_table_name((enum sch_name_table)table, count, &name); count++)
            assert_true(*name.name && *name.word && name.type && (*name.doc || table == SCH_NAMES_FORMATS));
        if (names[table]) assert_int_equal(count, names[table]);
    }
    assert_false(sch_table_name((enum sch_name_table)5, 0, &name));
    for (count = 0; sch_table_decision(count, &decision); count++)
        assert_true(*decision.subjects && *decision.clause && *decision.choice && *decision.reason);
    assert_true(count > 0);
    struct sch_keyword_info word = {.size = sizeof word};
    for (count = 0; sch_table_keyword(count, &word); count++)
        assert_true(*word.word && *word.kind && *word.form && *word.meaning);
    assert_true(count > 50);
    struct sch_opcode_form_info form = {.size = sizeof form};
    for (count = 0; sch_table_opcode_form(count, &form); count++) assert_true(*form.form && *form.example[0]);
    assert_false(sch_table_opcode(count, &opcode));
    struct sch_stages_info stages = {.size = sizeof stages};
    for (count = 0; sch_table_stages(SCH_NAMES_PROPERTIES, count, &stages); count++) assert_true(*stages.property);
    assert_false(sch_table_name(SCH_NAMES_PROPERTIES, count, &name));
    for (count = 0; sch_table_stages(SCH_NAMES_SEMANTICS, count, &stages); count++)
        assert_true(*stages.input || *stages.output || *stages.system_value);
    assert_false(sch_table_name(SCH_NAMES_SEMANTICS, count, &name));
    assert_false(sch_table_stages(SCH_NAMES_FILES, 0, &stages));
    word.size = form.size = stages.size = 0;
    assert_false(sch_table_keyword(0, &word));
    assert_false(sch_table_opcode_form(0, &form));
    assert_false(sch_table_stages(SCH_NAMES_SEMANTICS, 0, &stages));
    struct sch_maxwell_info maxwell = {.size = sizeof maxwell};
    for (count = 0; sch_table_maxwell(count, &maxwell); count++)
        assert_true(*maxwell.operation && *maxwell.form && *maxwell.kind && *maxwell.name);
    assert_true(count > 0);
    maxwell.size = 0;
    assert_false(sch_table_maxwell(0, &maxwell));
    assert_false(sch_table_maxwell(0, NULL));
    unsigned last = 0;
    for (count = 0; sch_table_error(count, &error); count++) {
        assert_true(*error.name && *error.summary && *error.explanation && error.number > last);
        last = error.number;
    }
    assert_true(count > 0);
}

/* Requests about machine code: wrong ones are refused, whatever compiler there is; counts begin at zero. */
static void test_machine_code_requests(void **state)
{
    (void)state;
    if (THREAD_SANITIZER) skip();
    struct sch_machine_code_options code = {.size = sizeof code, .compiler = "no-such-compiler.so", .cache_bytes = 1};
    struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    struct sch_context *context = NULL;
    code.size = 1;
    assert_int_equal(sch_context_create(&options, &context), SCH_ERROR_ARGUMENT);
    code.size = sizeof code;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    struct sch_code_counts counts = {.size = sizeof counts, .programs = 9};
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_OK);
    assert_true(!counts.programs && !counts.lookups && !counts.refused && !counts.native_groups);
    counts.size = 0;
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_context_code_counts(NULL, &counts), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_context_start_compiler(NULL), SCH_ERROR_ARGUMENT);

    struct sch_shader *shader = NULL;
    assert_int_equal(sch_shader_read(context, DOUBLE_IT, strlen(DOUBLE_IT), NULL, NULL, &shader), SCH_OK);
    struct sch_program *program = NULL;
    struct sch_program_options engine = {.size = sizeof engine, .engine = SCH_ENGINE_JIT};
    assert_int_equal(sch_program_create(context, shader, &engine, NULL, &program), SCH_ERROR_UNSUPPORTED);
    assert_null(program);
    assert_int_equal(sch_context_start_compiler(context), SCH_ERROR_UNSUPPORTED);
    engine.engine = (enum sch_engine)(SCH_ENGINE_JIT + 1);
    assert_int_equal(sch_program_create(context, shader, &engine, NULL, &program), SCH_ERROR_ARGUMENT);

    struct sch_code_report report = {.size = sizeof report};
    struct sch_code_options form = {.size = sizeof form, .full = true};
    char *text = (char *)"";
    static const enum sch_engine engines[] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_MAXWELL, SCH_ENGINE_AUTO};
    for (unsigned e = 0; e < sizeof engines / sizeof *engines; e++) {
        enum sch_result wanted = engines[e] == SCH_ENGINE_AUTO ? SCH_ERROR_UNSUPPORTED : SCH_ERROR_ARGUMENT;
        engine.engine = engines[e];
        assert_int_equal(sch_program_create(context, shader, &engine, NULL, &program), SCH_OK);
        assert_int_equal(sch_program_compile(program, &form, &report), wanted);
        assert_int_equal(sch_program_compile(program, NULL, NULL), wanted);
        assert_int_equal(sch_program_code_text(program, &form, SCH_CODE_IR, &text), wanted);
        assert_null(text);
        form.size = 1;
        assert_int_equal(sch_program_compile(program, &form, &report), SCH_ERROR_ARGUMENT);
        form.size = sizeof form;
        report.size = 1;
        assert_int_equal(sch_program_compile(program, &form, &report), SCH_ERROR_ARGUMENT);
        report.size = sizeof report;
        assert_int_equal(sch_program_code_text(program, &form, (enum sch_code_text)7, &text), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_program_code_text(program, &form, SCH_CODE_IR, NULL), SCH_ERROR_ARGUMENT);
        sch_program_destroy(program);
    }
    assert_int_equal(sch_program_compile(NULL, &form, &report), SCH_ERROR_ARGUMENT);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Every reader of texts takes the byte order mark of UTF-8; UTF-16 is named. */
static void test_byte_order_marks(void **state)
{
    (void)state;
    static const char mark[] = "\xef\xbb\xbf", pool[] = "\xef\xbb\xbfsampler 0 {\n}\n",
                      lookup[] = "\xef\xbb\xbfTEXS R4, R2, R0, R1, 0x0, 2D, RGBA ;\n";
    static const char *const shaders[] = {"FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
                                          "ps_4_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0, 0, 0, 0)\nret\n"};
    struct sch_context *context;
    struct sch_shader *shader;
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info report = {.size = sizeof report};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        char text[200], wide[400];
        const int bytes = snprintf(text, sizeof text, "%s%s", mark, shaders[i]);
        assert_int_equal(sch_shader_read(context, text, (size_t)bytes, NULL, NULL, &shader), SCH_OK);
        sch_shader_destroy(shader);
        assert_int_not_equal(sch_shader_read(context, text, 2, NULL, NULL, &shader), SCH_OK); /* no mark */
        for (int order = 0; order < 3; order++) { /* low byte first, high byte first, and without a mark */
            size_t length = 0;
            if (order < 2) memcpy(wide, order ? "\xfe\xff" : "\xff\xfe", 2);
            if (order < 2) length = 2;
            for (const char *at = shaders[i]; *at; at++, length += 2) {
                wide[length + (order == 1)] = *at;
                wide[length + (order != 1)] = 0;
            }
            assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
            assert_int_equal(sch_shader_read(context, wide, length, NULL, list, &shader), SCH_ERROR_INVALID);
            assert_true(sch_diagnostics_get(list, 0, &report));
            assert_int_equal(report.code, 1090);
            sch_diagnostics_destroy(list);
        }
    }
    struct sch_shader *program;
    assert_int_equal(maxwell_read(context, lookup, sizeof lookup - 1, NULL, NULL, &program), SCH_OK);
    sch_shader_destroy(program);
    void *entries;
    size_t bytes;
    assert_int_equal(sch_maxwell_pool_assemble(context, pool, sizeof pool - 1, NULL, NULL, &entries, &bytes), SCH_OK);
    sch_free(context, entries);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine_code_requests),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_struct_sizes),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_limits_by_name),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_resource_arguments),
        cmocka_unit_test(test_grid_arguments),
        cmocka_unit_test(test_budget_report),
        cmocka_unit_test(test_lengths_of_arrays),
        cmocka_unit_test(test_failing_allocator),
        cmocka_unit_test(test_failing_allocator_with_reports),
        cmocka_unit_test(test_every_ceiling),
        cmocka_unit_test(test_ceiling_of_a_context),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_unbound_entries),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_byte_order_marks),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
