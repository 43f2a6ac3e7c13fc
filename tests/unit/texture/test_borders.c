/* The borders of the library's calls: what every function that fills in a struct does with other lengths of it, what
 * every function that gives something does where it gives nothing, and each field of what is told about a shader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>
#include <scheelite/tables.h>

#include "../maxwell/maxwell_group.h"
#include "../support/api_program.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char geometry_text[] =
    "gs_4_0\n.input\n.param SV_Position.xyzw, v0.xyzw, float, POS\n.output\n"
    ".param SV_Position.xyzw, o0.xyzw, float, POS\n.param A2.yz, o1.y, uint\n"
    ".resources 3, \"me\"\n.binding \"albedo\", texture, 5, 4, 9, 7, 2, 12\n.text\n"
    "dcl_constantbuffer CB1[4], immediateIndexed\ndcl_resource_texture2d (float,float,float,float) t3\n"
    "dcl_sampler s2, mode_default\ndcl_temps 1\ndcl_input v[3][0].xyzw\ndcl_inputprimitive triangle\n"
    "dcl_outputtopology trianglestrip\ndcl_output o0.xyzw\ndcl_output o1.yz\ndcl_maxout 3\nret\n";

static const char interface_text[] =
    "ps_5_0\n.input\n.output\n.text\ndcl_temps 1\ndcl_function_body fb0\ndcl_function_body fb1\n"
    "dcl_function_table ft0 = {fb0}\ndcl_function_table ft1 = {fb1}\n"
    "dcl_interface_dynamicindexed fp2[3][1] = {ft1, ft0}\nmov r0.xyzw, l(0, 0, 0, 0)\nfcall fp2[0][0]\nret\n"
    "label fb0\nret\nlabel fb1\nret\n";

/* ---- lengths of structs ---- */

/* One function, asked with a place from 0 where it has one; `bytes` of its struct. */
struct asked {
    const char *name;
    bool (*ask)(const void *subject, uint32_t position, void *view);
    const void *subject;
    size_t bytes;
    uint32_t end; /* the first place that is not there; UINT32_MAX: it has no places, COUNTED: several, which grow */
};
enum { COUNTED = 0 };

#define ASK(name, call)                                                                                                \
    static bool name(const void *subject, uint32_t position, void *view)                                               \
    {                                                                                                                  \
        (void)subject, (void)position;                                                                                 \
        return call;                                                                                                   \
    }
ASK(ask_signature, sch_shader_signature(subject, SCH_SIGNATURE_OUTPUT, position, view))
ASK(ask_binding, sch_shader_binding(subject, position, view))
ASK(ask_chunk, sch_shader_chunk(subject, position, view))
ASK(ask_range, sch_shader_range(subject, position, view))
ASK(ask_unit, sch_shader_unit(subject, SCH_RANGE_TEXTURES, 0, position + 3, view))
ASK(ask_interface, sch_shader_interface(subject, position, view))
ASK(ask_d3d, sch_shader_get_d3d_info(subject, view) == SCH_OK)
ASK(ask_info, sch_shader_get_info(subject, view) == SCH_OK)
ASK(ask_memory, sch_context_get_memory(subject, view) == SCH_OK)
ASK(ask_counts, sch_context_code_counts((struct sch_context *)(uintptr_t)subject, view) == SCH_OK)
ASK(ask_table_d3d, sch_table_d3d(subject ? position : SIZE_MAX, view))
ASK(ask_table_maxwell, sch_table_maxwell(subject ? position : SIZE_MAX, view))
ASK(ask_table_named, sch_table_maxwell_named(subject ? "TEX.B" : NULL, position, view))
ASK(ask_table_keyword, sch_table_keyword(subject ? position : SIZE_MAX, view))
ASK(ask_table_form, sch_table_opcode_form(subject ? position : SIZE_MAX, view))
ASK(ask_table_semantic, sch_table_stages(SCH_NAMES_SEMANTICS, subject ? position : SIZE_MAX, view))
ASK(ask_table_property, sch_table_stages(SCH_NAMES_PROPERTIES, subject ? position : SIZE_MAX, view))
ASK(ask_table_limit, sch_table_limit(subject ? position : SIZE_MAX, view))
ASK(ask_register, sch_shader_register(subject, SCH_FILE_OUTPUT, position, view))
ASK(ask_system_value, sch_shader_register(subject, SCH_FILE_SYSTEM_VALUE, position, view))
ASK(ask_diagnostic, sch_diagnostics_get(subject, position, view))
ASK(ask_section, sch_maxwell_section(subject, position, view))
ASK(ask_table_opcode, sch_table_opcode(subject ? position : SIZE_MAX, view))
ASK(ask_table_name, sch_table_name(SCH_NAMES_TARGETS, subject ? position : SIZE_MAX, view))
ASK(ask_table_decision, sch_table_decision(subject ? position : SIZE_MAX, view))
ASK(ask_table_error, sch_table_error(subject ? position : SIZE_MAX, view))
ASK(ask_explanation, sch_explanation_get_info(subject, view) == SCH_OK)
ASK(ask_texel, sch_explanation_texel(subject, position, view))
ASK(ask_table_field, sch_table_header_field(subject ? position : SIZE_MAX, view))

/* Leaves the value in the stack below: what a function then leaves as it lies there, padding above all, is seen. */
__attribute__((noinline)) static void soil_stack(unsigned char value)
{
    volatile unsigned char below[32768];
    for (size_t i = 0; i < sizeof below; i++) below[i] = value;
}

/* Asks with a struct that says `size`, in memory full of a mark; how much of it the answer may change is checked. */
static bool try_size(const struct asked *a, uint32_t position, size_t size, unsigned char *memory)
{
    enum { ROOM = 16384 };
    memset(memory, 0xa5, ROOM);
    memcpy(memory, &size, sizeof size);
    static unsigned char soil;
    soil_stack(++soil);
    const bool answered = a->ask(a->subject, position, memory);
    size_t after;
    memcpy(&after, memory, sizeof after);
    if (after != size) fail_msg("%s: the size of %zu becomes %zu", a->name, size, after);
    for (size_t i = answered ? size : sizeof size; i < ROOM; i++)
        if (memory[i] != 0xa5) fail_msg("%s: byte %zu of a struct of %zu", a->name, i, size);
    for (size_t i = a->bytes; answered && i < size; i++)
        if (memory[i]) fail_msg("%s: byte %zu of a longer struct", a->name, i);
    return answered;
}

static void check_lengths(const struct asked *a)
{
    static unsigned char memory[16384], known[16384];
    const size_t largest = a->bytes + 4096;
    const struct {
        size_t size;
        bool right;
    } rows[] = {{0, false},           {1, false},      {a->bytes - 1, false}, {a->bytes, true},
                {a->bytes + 1, true}, {largest, true}, {largest + 1, false},  {SIZE_MAX, false}};
    if (!try_size(a, 0, a->bytes, known)) fail_msg("%s", a->name);
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (try_size(a, 0, rows[i].size, memory) != rows[i].right) fail_msg("%s of %zu", a->name, rows[i].size);
        const size_t same = rows[i].size < a->bytes ? rows[i].size : a->bytes;
        if (rows[i].right && memcmp(memory + sizeof(size_t), known + sizeof(size_t), same - sizeof(size_t)))
            fail_msg("%s of %zu says something else", a->name, rows[i].size);
    }
    if (a->ask(a->subject, 0, NULL)) fail_msg("%s without a struct", a->name);
    const struct asked nothing = {a->name, a->ask, NULL, a->bytes, 0};
    if (try_size(&nothing, 0, a->bytes, memory)) fail_msg("%s of nothing", a->name);
    if (a->end == UINT32_MAX) return;
    uint32_t end = a->end;
    while (a->end == COUNTED && try_size(a, end, a->bytes, memory)) end++;
    if (end < 2 && a->end == COUNTED) fail_msg("%s: %u rows", a->name, end);
    if (!try_size(a, end - 1, a->bytes, memory)) fail_msg("%s: %u is there", a->name, end - 1);
    if (try_size(a, end, a->bytes, memory)) fail_msg("%s: %u is not there", a->name, end);
    if (try_size(a, UINT32_MAX - 3, a->bytes, memory)) fail_msg("%s: the last number", a->name);
}

static void structs_of_every_length(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *geometry = api_shader(context, geometry_text), *faces = api_shader(context, interface_text),
                      *tgsi = api_shader(context, "FRAG\nEND\n"),
                      *values = api_shader(context, "FRAG\nDCL SV[0..2], FACE\nEND\n");
    static const char sections[] = ".arch sm_52\n.section .text.first\n.section .text.second\n";
    struct sch_shader *maxwell = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_shader *none = NULL;
    const struct sch_resource_options two = {
        .size = sizeof two, .target = SCH_TARGET_1D, .format = sch_format_by_name("R8_UNORM"), .width = 2};
    const struct sch_sampler_options linear = {.size = sizeof linear, .mag_filter = SCH_FILTER_LINEAR};
    const struct sch_lookup between = {.size = sizeof between, .at = {0.5f}};
    struct sch_resource *resource = NULL;
    struct sch_view *texels = NULL;
    struct sch_sampler *sampler = NULL;
    struct sch_explanation *explanation = NULL;
    assert_int_equal(sch_resource_create(context, &two, NULL, &resource), SCH_OK);
    assert_int_equal(sch_view_create(resource, NULL, &texels), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &linear, NULL, &sampler), SCH_OK);
    assert_int_equal(sch_lookup_explain(context, texels, sampler, &between, &explanation), SCH_OK);
    sch_resource_destroy(resource);
    sch_view_destroy(texels);
    sch_sampler_destroy(sampler);
    assert_int_equal(maxwell_read(context, sections, strlen(sections), NULL, NULL, &maxwell), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_shader_read(context, "FRAG\nMOV\nMUL\nEND\n", 17, NULL, list, &none), SCH_ERROR_INVALID);
    const struct asked rows[] = {
        {"signature", ask_signature, geometry, sizeof(struct sch_signature_info), 2},
        {"binding", ask_binding, geometry, sizeof(struct sch_binding_info), 1},
        {"chunk", ask_chunk, geometry, sizeof(struct sch_chunk_info), 4},
        {"range", ask_range, geometry, sizeof(struct sch_range_info), 3},
        {"unit", ask_unit, geometry, sizeof(struct sch_unit), 1},
        {"interface", ask_interface, faces, sizeof(struct sch_interface_info), 1},
        {"d3d info", ask_d3d, geometry, sizeof(struct sch_d3d_info), UINT32_MAX},
        {"info", ask_info, tgsi, sizeof(struct sch_shader_info), UINT32_MAX},
        {"info of d3d", ask_info, geometry, sizeof(struct sch_shader_info), UINT32_MAX},
        {"memory", ask_memory, context, sizeof(struct sch_context_memory), UINT32_MAX},
        {"counts", ask_counts, context, sizeof(struct sch_code_counts), UINT32_MAX},
        {"table of d3d", ask_table_d3d, "", sizeof(struct sch_d3d_opcode_info), UINT32_MAX},
        {"table of maxwell", ask_table_maxwell, "", sizeof(struct sch_maxwell_info), UINT32_MAX},
        {"table of a form", ask_table_named, "", sizeof(struct sch_maxwell_info), UINT32_MAX},
        {"table of keywords", ask_table_keyword, "", sizeof(struct sch_keyword_info), UINT32_MAX},
        {"table of forms", ask_table_form, "", sizeof(struct sch_opcode_form_info), COUNTED},
        {"table of semantics", ask_table_semantic, "", sizeof(struct sch_stages_info), COUNTED},
        {"table of properties", ask_table_property, "", sizeof(struct sch_stages_info), COUNTED},
        {"table of limits", ask_table_limit, "", sizeof(struct sch_limit_info), COUNTED},
        {"register", ask_register, geometry, sizeof(struct sch_register_info), 2},
        {"system value", ask_system_value, values, sizeof(struct sch_register_info), 3},
        {"diagnostic", ask_diagnostic, list, sizeof(struct sch_diagnostic_info), 2},
        {"section", ask_section, maxwell, sizeof(struct sch_maxwell_section_info), 2},
        {"table of opcodes", ask_table_opcode, "", sizeof(struct sch_opcode_info), COUNTED},
        {"table of targets", ask_table_name, "", sizeof(struct sch_name_info), COUNTED},
        {"table of decisions", ask_table_decision, "", sizeof(struct sch_decision_info), UINT32_MAX},
        {"table of errors", ask_table_error, "", sizeof(struct sch_error_info), UINT32_MAX},
        {"explanation", ask_explanation, explanation, sizeof(struct sch_explanation_info), UINT32_MAX},
        {"texel", ask_texel, explanation, sizeof(struct sch_footprint_texel), 2},
        {"table of fields", ask_table_field, "", sizeof(struct sch_header_field_info), UINT32_MAX}};
    for (size_t i = 0; i < COUNT(rows); i++) check_lengths(&rows[i]);
    /* What is of Direct3D only, asked of TGSI. */
    for (size_t i = 0; i < 7; i++) {
        struct asked a = rows[i];
        static unsigned char memory[16384];
        a.subject = tgsi;
        if (try_size(&a, 0, a.bytes, memory)) fail_msg("%s of TGSI", a.name);
    }
    sch_shader_destroy(geometry);
    sch_shader_destroy(faces);
    sch_shader_destroy(tgsi);
    sch_shader_destroy(values);
    sch_shader_destroy(maxwell);
    sch_diagnostics_destroy(list);
    sch_explanation_destroy(explanation);
    sch_context_destroy(context);
}

/* ---- what is told ---- */

static void a_shader_of_direct3d_is_told(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, geometry_text);
    struct sch_signature_info element = {.size = sizeof element};
    assert_true(sch_shader_signature(shader, SCH_SIGNATURE_OUTPUT, 0, &element));
    assert_string_equal(element.name, "SV_Position");
    assert_string_equal(element.system_value, "POS");
    assert_string_equal(element.type, "float");
    assert_int_equal(element.index, 0);
    assert_int_equal(element.register_number, 0);
    assert_int_equal(element.stream, 0);
    assert_int_equal(element.mask, 15);
    assert_int_equal(element.used, 15);
    assert_true(sch_shader_signature(shader, SCH_SIGNATURE_OUTPUT, 1, &element));
    assert_string_equal(element.name, "A");
    assert_string_equal(element.system_value, "");
    assert_string_equal(element.type, "uint");
    assert_int_equal(element.index, 2);
    assert_int_equal(element.register_number, 1);
    assert_int_equal(element.min_precision, 0);
    assert_int_equal(element.mask, 6);
    assert_int_equal(element.used, 2);
    assert_true(sch_shader_signature(shader, SCH_SIGNATURE_INPUT, 0, &element));
    assert_int_equal(element.used, 15);
    assert_false(sch_shader_signature(shader, SCH_SIGNATURE_INPUT, 1, &element));
    assert_false(sch_shader_signature(shader, (enum sch_signature_kind)3, 0, &element));

    struct sch_binding_info binding = {.size = sizeof binding};
    assert_true(sch_shader_binding(shader, 0, &binding));
    const struct sch_binding_info wanted = {.size = sizeof wanted,
                                            .name = binding.name,
                                            .kind = 2,
                                            .return_type = 5,
                                            .dimension = 4,
                                            .samples = 9,
                                            .slot = 7,
                                            .count = 2,
                                            .flags = 12,
                                            .kind_word = binding.kind_word};
    assert_memory_equal(&binding, &wanted, sizeof wanted);
    assert_string_equal(binding.name, "albedo");
    assert_string_equal(binding.kind_word, "texture");

    static const char *const tags[] = {"RDEF", "ISGN", "OSGN", "SHDR"};
    for (uint32_t i = 0; i < COUNT(tags); i++) {
        struct sch_chunk_info chunk = {.size = sizeof chunk};
        bool found = false;
        for (uint32_t n = 0; n < COUNT(tags); n++) {
            assert_true(sch_shader_chunk(shader, n, &chunk));
            assert_true(chunk.data && chunk.bytes);
            found = found || strcmp(chunk.tag, tags[i]) == 0;
        }
        if (!found) fail_msg("no %s", tags[i]);
    }

    static const struct sch_range_info ranges[] = {
        {.kind = SCH_RANGE_CONSTANTS, .array = SCH_UNITS_CONSTANTS, .first = 1, .count = 1, .unit = 1, .units = 1},
        {.kind = SCH_RANGE_SAMPLERS, .array = SCH_UNITS_SAMPLERS, .first = 2, .count = 1, .unit = 2, .units = 1},
        {.kind = SCH_RANGE_TEXTURES, .array = SCH_UNITS_VIEWS, .first = 3, .count = 1, .unit = 3, .units = 1}};
    for (uint32_t n = 0; n < COUNT(ranges); n++) {
        struct sch_range_info range = {.size = sizeof range}, right = ranges[n];
        for (uint32_t at = 0; at < COUNT(ranges); at++) {
            assert_true(sch_shader_range(shader, at, &range));
            if (range.kind == right.kind) break;
        }
        assert_int_equal(range.kind, right.kind);
        assert_int_equal(range.array, right.array);
        assert_int_equal(range.space, 0);
        assert_int_equal(range.first, right.first);
        assert_int_equal(range.count, right.count);
        assert_int_equal(range.unit, right.unit);
        assert_int_equal(range.units, right.units);
        assert_false(range.spaces);
        struct sch_unit unit = {.size = sizeof unit};
        assert_true(sch_shader_unit(shader, right.kind, 0, right.first, &unit));
        assert_int_equal(unit.array, right.array);
        assert_int_equal(unit.number, right.unit);
        assert_false(sch_shader_unit(shader, right.kind, 0, right.first + 1, &unit));
        assert_false(sch_shader_unit(shader, right.kind, 0, right.first - 1, &unit));
        assert_false(sch_shader_unit(shader, right.kind, 1, right.first, &unit));
        assert_false(sch_shader_unit(shader, SCH_RANGE_VIEWS, 0, right.first, &unit));
    }
    sch_shader_destroy(shader);

    shader = api_shader(context, interface_text);
    struct sch_interface_info view = {.size = sizeof view};
    assert_true(sch_shader_interface(shader, 0, &view));
    assert_int_equal(view.slot, 2);
    assert_int_equal(view.count, 3);
    assert_int_equal(view.call_sites, 1);
    assert_int_equal(view.table_count, 2);
    assert_int_equal(view.tables[0], 1);
    assert_int_equal(view.tables[1], 0);
    assert_true(view.indexed);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* ---- what is not given ---- */

/* Each call that gives text, words or an object, wrong in one way at a time: what it would give is NULL and 0 then. */
static void wrong_calls_give_nothing(void **state)
{
    (void)state;
    static char mark;
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, "FRAG\nEND\n");
    struct sch_shader *code = NULL;
    assert_int_equal(maxwell_read(context, ".word 5\n", 8, NULL, NULL, &code), SCH_OK);
    const struct sch_print_options print = {.size = 1};
    const struct sch_translate_options translate = {.size = sizeof translate, .to = (enum sch_translation)9};
    const struct sch_print_options style = {.size = 1};
    const struct sch_maxwell_pool_options pool = {.size = 1};
    union {
        char *text;
        void *data;
        uint32_t *words;
        struct sch_shader *shader;
        struct sch_shader *code;
    } out;
    size_t bytes;
    uint64_t word = 0;
#define GIVES_NOTHING(call)                                                                                            \
    do {                                                                                                               \
        out.text = &mark;                                                                                              \
        bytes = 77;                                                                                                    \
        assert_int_equal(call, SCH_ERROR_ARGUMENT);                                                                    \
        if (out.text != NULL || bytes != 0) fail_msg("%s", #call);                                                     \
    } while (0)
    GIVES_NOTHING(sch_shader_print(NULL, NULL, &out.text, &bytes));
    GIVES_NOTHING(sch_shader_print(shader, &print, &out.text, &bytes));
    GIVES_NOTHING(sch_shader_translate(NULL, NULL, NULL, &out.text, &bytes));
    GIVES_NOTHING(sch_shader_translate(shader, &translate, NULL, &out.text, &bytes));
    GIVES_NOTHING(sch_shader_tokens(NULL, NULL, &out.words, &bytes));
    GIVES_NOTHING(sch_shader_serialize(NULL, NULL, &out.data, &bytes));
    GIVES_NOTHING(sch_shader_print(NULL, NULL, &out.text, &bytes));
    GIVES_NOTHING(sch_shader_print(code, &style, &out.text, &bytes));
    GIVES_NOTHING(sch_shader_serialize(NULL, NULL, &out.data, &bytes));
    GIVES_NOTHING(sch_maxwell_pool_assemble(NULL, "", 0, NULL, NULL, &out.data, &bytes));
    GIVES_NOTHING(sch_maxwell_pool_assemble(context, NULL, 1, NULL, NULL, &out.data, &bytes));
    GIVES_NOTHING(sch_maxwell_pool_assemble(context, "", 0, &pool, NULL, &out.data, &bytes));
    GIVES_NOTHING(sch_maxwell_pool_print(NULL, "", 0, NULL, NULL, &out.text, &bytes));
    GIVES_NOTHING(sch_maxwell_pool_print(context, NULL, 32, NULL, NULL, &out.text, &bytes));
    GIVES_NOTHING(sch_maxwell_pool_print(context, "", 0, &pool, NULL, &out.text, &bytes));
#undef GIVES_NOTHING
    /* one of the two missing: the other is still cleared */
#define WANTS_BOTH(first, second, member)                                                                              \
    do {                                                                                                               \
        out.text = &mark;                                                                                              \
        bytes = 77;                                                                                                    \
        assert_int_equal(first, SCH_ERROR_ARGUMENT);                                                                   \
        assert_int_equal(bytes, 0);                                                                                    \
        assert_int_equal(second, SCH_ERROR_ARGUMENT);                                                                  \
        assert_null(out.member);                                                                                       \
    } while (0)
    WANTS_BOTH(sch_shader_tokens(shader, NULL, NULL, &bytes), sch_shader_tokens(shader, NULL, &out.words, NULL), words);
    WANTS_BOTH(sch_shader_serialize(shader, NULL, NULL, &bytes), sch_shader_serialize(shader, NULL, &out.data, NULL),
               data);
    WANTS_BOTH(sch_shader_tokens(code, NULL, NULL, &bytes), sch_shader_tokens(code, NULL, &out.words, NULL), words);
    WANTS_BOTH(sch_shader_serialize(code, NULL, NULL, &bytes), sch_shader_serialize(code, NULL, &out.data, NULL), data);
    WANTS_BOTH(sch_maxwell_pool_assemble(context, "", 0, NULL, NULL, NULL, &bytes),
               sch_maxwell_pool_assemble(context, "", 0, NULL, NULL, &out.data, NULL), data);
    bytes = 77;
    assert_int_equal(sch_shader_print(shader, NULL, NULL, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(bytes, 0);
    bytes = 77;
    assert_int_equal(sch_shader_translate(shader, NULL, NULL, NULL, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(bytes, 0);
    bytes = 77;
    assert_int_equal(sch_shader_print(code, NULL, NULL, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(bytes, 0);
    bytes = 77;
    assert_int_equal(sch_maxwell_pool_print(context, "", 0, NULL, NULL, NULL, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(bytes, 0);
    /* and the length may be missing where it is optional */
    assert_int_equal(sch_shader_print(shader, NULL, &out.text, NULL), SCH_OK);
    assert_string_equal(out.text, "FRAG\n  0: END\n");
    sch_free(context, out.text);
    assert_int_equal(sch_shader_translate(shader, NULL, NULL, &out.text, NULL), SCH_OK);
    assert_string_equal(out.text, "FRAG\n  0: END\n");
    sch_free(context, out.text);
    assert_int_equal(sch_maxwell_pool_print(context, "", 0, NULL, NULL, &out.text, NULL), SCH_OK);
    sch_free(context, out.text);

    out.text = &mark;
    assert_int_equal(sch_shader_lower(NULL, NULL, &out.shader), SCH_ERROR_ARGUMENT);
    assert_null(out.shader);
    out.text = &mark;
    assert_int_equal(sch_shader_lower(shader, NULL, &out.shader), SCH_ERROR_ARGUMENT);
    assert_null(out.shader);
    assert_int_equal(sch_shader_lower(shader, NULL, NULL), SCH_ERROR_ARGUMENT);
    out.text = &mark;
    assert_int_equal(sch_shader_raise(NULL, NULL, &out.shader), SCH_ERROR_ARGUMENT);
    assert_null(out.shader);
    assert_int_equal(sch_shader_raise(shader, NULL, NULL), SCH_ERROR_ARGUMENT);
    out.text = &mark;
    assert_int_equal(maxwell_read(NULL, "", 0, NULL, NULL, &out.code), SCH_ERROR_ARGUMENT);
    assert_null(out.code);
    out.text = &mark;
    assert_int_equal(maxwell_read(context, NULL, 1, NULL, NULL, &out.code), SCH_ERROR_ARGUMENT);
    assert_null(out.code);
    assert_int_equal(maxwell_read(context, "", 0, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_assemble(NULL, 1, NULL, NULL, &word, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_assemble("NOP;", 4, NULL, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_shader_destroy(NULL);
    sch_shader_destroy(code);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* ---- limits ---- */

/* An input of as many bytes as the limit is read; one more is refused, whatever it is. */
static void inputs_of_the_limits_length(void **state)
{
    (void)state;
    static const char tgsi[] = "FRAG\nEND\n", maxwell[] = ".word 5\n";
    for (size_t more = 0; more < 2; more++)
        for (unsigned which = 0; which < 3; which++) {
            const char *const text = which == 1 ? maxwell : tgsi;
            const size_t length = strlen(text);
            const struct sch_limit_options limits = {.size = sizeof limits, .source_bytes = length - more};
            const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
            const enum sch_result wanted = more ? SCH_ERROR_LIMIT : SCH_OK;
            struct sch_context *context = NULL;
            struct sch_diagnostics_list *list = NULL;
            struct sch_shader *shader = NULL;
            struct sch_shader *program = NULL;
            struct sch_text_shader found;
            struct sch_diagnostic_info view = {.size = sizeof view};
            size_t count = 0;
            assert_int_equal(sch_context_create(&options, &context), SCH_OK);
            assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
            const enum sch_result got = which == 0 ? sch_shader_read(context, text, length, NULL, list, &shader)
                                        : which == 1
                                            ? maxwell_read(context, text, length, NULL, list, &program)
                                            : sch_text_shaders(context, text, length, &found, sizeof found, 1, &count);
            assert_int_equal(got, wanted);
            if (which == 2) assert_int_equal(count, !more);
            assert_int_equal(sch_diagnostics_count(list), more && which < 2);
            if (more && which < 2) {
                char message[100];
                snprintf(message, sizeof message, "the source has %zu bytes, but the limit is %zu", length, length - 1);
                assert_true(sch_diagnostics_get(list, 0, &view));
                assert_string_equal(view.message, message);
                assert_int_equal(view.offset, length - 1);
            }
            sch_shader_destroy(shader);
            sch_shader_destroy(program);
            sch_diagnostics_destroy(list);
            sch_context_destroy(context);
        }
}

/* Bare words stand anywhere in memory: what is wrong with them is told with the same place. */
static void words_stand_anywhere(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, "FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0]\nEND\n"), *made;
    uint32_t *words;
    size_t count;
    assert_int_equal(sch_shader_tokens(shader, NULL, &words, &count), SCH_OK);
    unsigned char *const bytes = malloc(4 * count + 4);
    assert_non_null(bytes);
    for (size_t cut = 1; cut < count; cut++) {
        struct sch_diagnostic_info wanted = {.size = sizeof wanted}, got = wanted;
        for (unsigned shift = 0; shift < 4; shift++) {
            struct sch_diagnostics_list *list = NULL;
            assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
            memcpy(bytes + shift, words, 4 * cut);
            const enum sch_result result = sch_shader_read(context, bytes + shift, 4 * cut, NULL, list, &made);
            if (result == SCH_OK) sch_shader_destroy(made);
            const bool told = sch_diagnostics_get(list, 0, shift ? &got : &wanted);
            if (shift && told && (got.code != wanted.code || got.offset != wanted.offset || got.line != wanted.line))
                fail_msg("%zu words at %u: %u at %zu, not at %zu", cut, shift, got.code, got.offset, wanted.offset);
            sch_diagnostics_destroy(list);
        }
    }
    free(bytes);
    sch_free(context, words);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* A rectangle's corners and sides go up to 32768. */
static void rectangles_of_the_limits_size(void **state)
{
    (void)state;
    const uint32_t most = 32768;
    const struct {
        struct sch_rectangle rectangle;
        const char *message;
    } rows[] = {{{.x = most}, ""},
                {{.y = most}, ""},
                {{.width = most}, ""},
                {{.height = most}, ""},
                {{.x = most + 2}, "a rectangle with a side or corner beyond 32768"},
                {{.y = most + 2}, "a rectangle with a side or corner beyond 32768"},
                {{.width = most + 1}, "a rectangle with a side or corner beyond 32768"},
                {{.height = most + 1}, "a rectangle with a side or corner beyond 32768"},
                {{.x = 1}, "a rectangle with an odd corner"},
                {{.y = 3}, "a rectangle with an odd corner"},
                {{.register_count = 2}, "registers: 2 of no array"},
                {{.render_target_count = 3}, "render_targets: 3 of no array"}};
    struct sch_context *context = api_context();
    for (unsigned compute = 0; compute < 2; compute++) {
        struct sch_shader *shader = api_shader(context, compute ? "COMP\nEND\n" : "FRAG\nEND\n");
        struct sch_program *program = NULL;
        assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct sch_diagnostics_list *list = NULL;
            struct sch_diagnostic_info view = {.size = sizeof view};
            struct sch_rectangle rectangle = rows[i].rectangle;
            const char *const message =
                compute ? "a rectangle for a program that is not a fragment shader" : rows[i].message;
            rectangle.size = sizeof rectangle;
            assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
            const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = list};
            assert_int_equal(sch_dispatch_rectangle(program, NULL, &rectangle, &run, NULL),
                             *message ? SCH_ERROR_ARGUMENT : SCH_OK);
            assert_int_equal(sch_diagnostics_count(list), *message != 0);
            if (sch_diagnostics_get(list, 0, &view)) assert_string_equal(view.message, message);
            sch_diagnostics_destroy(list);
        }
        sch_program_destroy(program);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* ---- kinds of Maxwell programs ---- */

/* Characters, white space and UTF-8 are text; other bytes are code, which these are too few for. */
static void bytes_are_text_or_code(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        bool text;
    } rows[] = {{"plain ~", true},
                {"\t\v\f\r", true},
                {"\x08", false},
                {"\x0e", false},
                {"\x1f", false},
                {"\x7f", false},
                {"\xc2\x80", true},
                {"\xdf\xbf", true},
                {"\xc1\x80", false},
                {"\x80", false},
                {"\xbf", false},
                {"\xc2 ", false},
                {"\xc2\x7f", false},
                {"\xc2\xc0", false},
                {"\xe0\xa0\x80", true},
                {"\xef\xbf\xbf", true},
                {"\xe0\xa0 ", false},
                {"\xe0\xa0\x80\x80", false},
                {"\xf0\x90\x80\x80", true},
                {"\xf4\x8f\xbf\xbf", true},
                {"\xf0\x90\x80 ", false},
                {"\xf0\x90\x80\x80\x80", false},
                {"\xf5\x80\x80\x80", false},
                {"\xff", false}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char source[64];
        struct sch_shader *program = NULL;
        struct sch_maxwell_code_info info = {.size = sizeof info};
        snprintf(source, sizeof source, "// %s\n.word 5\n", rows[i].comment);
        const enum sch_result result = maxwell_read(context, source, strlen(source), NULL, NULL, &program);
        if (result != (rows[i].text ? SCH_OK : SCH_ERROR_INVALID)) fail_msg("row %zu: %d", i, result);
        if (!program) continue;
        assert_int_equal(sch_maxwell_get_info(program, &info), SCH_OK);
        assert_int_equal(info.kind, SCH_KIND_MAXWELL_TEXT);
        sch_shader_destroy(program);
    }

    /* The hash is FNV-1a of the words' bytes, low ones first; results want each of their arguments. */
    struct sch_shader *program = NULL;
    struct sch_maxwell_code_info info = {.size = sizeof info};
    static const char words_text[] = ".word 0x0123456789abcdef\n.word 0xfedcba9876543210\n";
    uint32_t *words = NULL;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    size_t count = 0;
    assert_int_equal(maxwell_read(context, words_text, strlen(words_text), NULL, NULL, &program), SCH_OK);
    assert_int_equal(sch_maxwell_get_info(program, &info), SCH_OK);
    assert_int_equal(sch_shader_tokens(program, NULL, &words, &count), SCH_OK);
    for (size_t i = 0; i < 4 * count; i++) hash = (hash ^ (words[i / 4] >> i % 4 * 8 & 0xff)) * UINT64_C(0x100000001b3);
    assert_true(count >= 6 && info.hash == hash);
    sch_free(context, words);
    struct sch_maxwell_instruction_info in = {.size = sizeof in};
    assert_true(sch_maxwell_instruction(program, 0, &in));
    assert_true(in.word == UINT64_C(0x0123456789abcdef));
    assert_false(sch_maxwell_instruction(program, (uint32_t)info.instructions, &in));
    assert_false(sch_maxwell_instruction(NULL, 0, &in));
    assert_false(sch_maxwell_instruction(program, 0, NULL));
    in.size = 1;
    assert_false(sch_maxwell_instruction(program, 0, &in));
    sch_shader_destroy(program);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stand_anywhere),         cmocka_unit_test(structs_of_every_length),
        cmocka_unit_test(a_shader_of_direct3d_is_told), cmocka_unit_test(wrong_calls_give_nothing),
        cmocka_unit_test(inputs_of_the_limits_length),  cmocka_unit_test(rectangles_of_the_limits_size),
        cmocka_unit_test(bytes_are_text_or_code),
    };
    return cmocka_run_group_tests_name("borders", tests, NULL, NULL);
}
