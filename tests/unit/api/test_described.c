/* Shaders and programs as the library describes them, field by field: what Direct3D shaders declare, with signatures
 * and without; what Maxwell programs write; lookups as Maxwell code, whole texts. Expected values are read off the
 * texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../maxwell/maxwell_group.h"
#include "../support/api_program.h"
#include "../support/counting.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- what Direct3D shaders declare ---- */

static uint64_t fnv_of_words(const uint32_t *words, size_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < 4 * count; i++) hash = (hash ^ (words[i / 4] >> i % 4 * 8 & 0xff)) * UINT64_C(1099511628211);
    return hash;
}

static void shaders_of_direct3d_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct sch_shader_info wanted;
    } rows[] = {
        {"ps_5_0\ndcl_input_ps linear v2.xyzw\ndcl_output o0.xyzw\ndcl_output o6.x\nmov o0.xyzw, v2.xyzw\nret\n",
         {.stage = SCH_STAGE_FRAGMENT, .instructions = 2, .declarations = 3, .inputs = 3, .outputs = 7}},
        {"vs_4_0\ndcl_immediateConstantBuffer { {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12} }\ndcl_input v31.x\n"
         "dcl_temps 9\ndcl_indexableTemp x0[4], 4\ndcl_sampler s7, mode_default\n"
         "dcl_resource_texture2d (float,float,float,float) t4\ndcl_constantbuffer CB13[1], immediateIndexed\nret\n",
         {.stage = SCH_STAGE_VERTEX,
          .instructions = 1,
          .declarations = 6,
          .immediates = 3,
          .inputs = 32,
          .temporaries = 9,
          .samplers = 8,
          .sampler_views = 5,
          .constant_buffers = 14}},
        {"cs_5_0\ndcl_uav_raw u5\ndcl_uav_raw u2\ndcl_thread_group 8, 4, 2\nret\n",
         {.stage = SCH_STAGE_COMPUTE, .instructions = 1, .declarations = 3, .images = 6, .block = {8, 4, 2}}},
        {"gs_4_0\ndcl_input v[3][5].xyzw\ndcl_inputprimitive triangle\ndcl_outputtopology trianglestrip\n"
         "dcl_output o2.xyzw\ndcl_maxout 3\nret\n",
         {.stage = SCH_STAGE_GEOMETRY, .instructions = 1, .declarations = 5, .inputs = 6, .outputs = 3}},
        {"hs_5_0\nhs_decls\nhs_control_point_phase\ndcl_output o1.xyzw\nret\nhs_fork_phase\ndcl_output o9.x\nret\n"
         "hs_join_phase\ndcl_input vicp[3][4].x\ndcl_output o12.x\nret\n",
         {.stage = SCH_STAGE_TESS_CTRL, .instructions = 7, .declarations = 4, .inputs = 5, .outputs = 2}},
        {"hs_5_0\nhs_decls\nhs_join_phase\ndcl_output o12.x\nret\n",
         {.stage = SCH_STAGE_TESS_CTRL, .instructions = 3, .declarations = 1}},
        {"ds_5_0\ndcl_input vpc3.x\ndcl_input vicp[3][2].xyzw\ndcl_output o0.xyzw\nret\n",
         {.stage = SCH_STAGE_TESS_EVAL, .instructions = 1, .declarations = 3, .inputs = 3, .outputs = 1}},
        /* with signatures, which count instead; elements without a register count none */
        {"ps_5_0\n.input\n.param A.x, v4.x, float\n.param B.x, v1.x, float\n.output\n"
         ".param SV_Target.xyzw, o2.xyzw, float, TARGET\n.param SV_Depth, oDepth, float, DEPTH\n.text\n"
         "dcl_input_ps linear v9.xyzw\ndcl_output o7.xyzw\nret\n",
         {.stage = SCH_STAGE_FRAGMENT, .instructions = 1, .declarations = 2, .inputs = 5, .outputs = 3}},
        /* the numbers of v# up to 63, and those that no register can have */
        {"vs_5_0\ndcl_input v63.x\ndcl_input v64.x\ndcl_sampler s4294967295, mode_default\nret\n",
         {.stage = SCH_STAGE_VERTEX, .instructions = 1, .declarations = 3, .inputs = 64, .samplers = UINT32_MAX}},
    };
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *shader = api_shader(context, rows[i].text);
        const struct sch_shader_info *wanted = &rows[i].wanted;
        struct sch_shader_info info = {.size = sizeof info};
        uint32_t *words;
        size_t count;
        assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
        const uint32_t told[] = {info.stage,         info.instructions, info.declarations,     info.immediates,
                                 info.inputs,        info.outputs,      info.temporaries,      info.samplers,
                                 info.sampler_views, info.images,       info.constant_buffers, info.block[0],
                                 info.block[1],      info.block[2],     info.properties,       info.system_values,
                                 info.buffers,       info.floats};
        const uint32_t right[] = {wanted->stage,       wanted->instructions,     wanted->declarations,
                                  wanted->immediates,  wanted->inputs,           wanted->outputs,
                                  wanted->temporaries, wanted->samplers,         wanted->sampler_views,
                                  wanted->images,      wanted->constant_buffers, wanted->block[0],
                                  wanted->block[1],    wanted->block[2]};
        for (size_t n = 0; n < COUNT(told); n++)
            if (told[n] != (n < COUNT(right) ? right[n] : 0)) fail_msg("row %zu: number %zu is %u", i, n, told[n]);
        assert_int_equal(sch_shader_tokens(shader, NULL, &words, &count), SCH_OK);
        assert_true(info.hash == fnv_of_words(words, count));
        sch_free(context, words);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* Registers in the order of the signature, with its names; without one those that are declared, in order. What each
 * vertex has: inputs of geometry, hull and domain shaders. */
static void registers_of_direct3d_are_listed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ps_5_0\ndcl_input_ps linear v5.x\ndcl_input_ps linear v0.x\ndcl_input_ps linear v63.x\ndcl_output o3.x\nret\n",
        "gs_4_0\ndcl_input v[3][5].xyzw\ndcl_inputprimitive triangle\ndcl_outputtopology trianglestrip\n"
        "dcl_output o2.xyzw\ndcl_maxout 3\nret\n",
        "ps_5_0\n.input\n.param B7.x, v4.x, float\n.param A.x, v1.x, float\n.output\n"
        ".param SV_Target1.xyzw, o1.xyzw, float, TARGET\n.param SV_Depth, oDepth, float, DEPTH\n.text\nret\n",
        "gs_4_0\n.input\n.param P.x, v0.x, float\n.output\n.param Q.x, o0.x, float\n.text\nret\n",
        "hs_5_0\n.input\n.param P.x, v0.x, float\n.output\n.param Q.x, o0.x, float\n.text\nret\n",
        "ds_5_0\n.input\n.param P.x, v0.x, float\n.output\n.param Q.x, o0.x, float\n.text\nret\n",
        "vs_5_0\n.input\n.param P.x, v0.x, float\n.output\n.param Q.x, o0.x, float\n.text\nret\n",
        "cs_5_0\ndcl_thread_group 1, 1, 1\nret\n",
        "vs_5_0\ndcl_input v64.x\ndcl_input v63.x\nret\n"};
    static const struct {
        uint8_t text;
        enum sch_file file;
        uint32_t position, index, semantic_index;
        const char *name; /* NULL: there is none */
        bool per_vertex;
    } rows[] = {
        {0, SCH_FILE_INPUT, 0, 0, 0, "", false},           {0, SCH_FILE_INPUT, 1, 5, 0, "", false},
        {0, SCH_FILE_INPUT, 2, 63, 0, "", false},          {0, SCH_FILE_INPUT, 3, 0, 0, NULL, false},
        {0, SCH_FILE_OUTPUT, 0, 3, 0, "", false},          {0, SCH_FILE_OUTPUT, 1, 0, 0, NULL, false},
        {0, SCH_FILE_SYSTEM_VALUE, 0, 0, 0, NULL, false},  {1, SCH_FILE_INPUT, 0, 5, 0, "", true},
        {1, SCH_FILE_OUTPUT, 0, 2, 0, "", false},          {2, SCH_FILE_INPUT, 0, 4, 7, "B", false},
        {2, SCH_FILE_INPUT, 1, 1, 0, "A", false},          {2, SCH_FILE_INPUT, 2, 0, 0, NULL, false},
        {2, SCH_FILE_OUTPUT, 0, 1, 1, "SV_Target", false}, {2, SCH_FILE_OUTPUT, 1, UINT32_MAX, 0, "SV_Depth", false},
        {2, SCH_FILE_OUTPUT, 2, 0, 0, NULL, false},        {2, SCH_FILE_SYSTEM_VALUE, 0, 0, 0, NULL, false},
        {3, SCH_FILE_INPUT, 0, 0, 0, "P", true},           {3, SCH_FILE_OUTPUT, 0, 0, 0, "Q", false},
        {4, SCH_FILE_INPUT, 0, 0, 0, "P", true},           {4, SCH_FILE_OUTPUT, 0, 0, 0, "Q", false},
        {5, SCH_FILE_INPUT, 0, 0, 0, "P", true},           {5, SCH_FILE_OUTPUT, 0, 0, 0, "Q", false},
        {6, SCH_FILE_INPUT, 0, 0, 0, "P", false},          {6, SCH_FILE_OUTPUT, 0, 0, 0, "Q", false},
        {7, SCH_FILE_INPUT, 0, 0, 0, NULL, false},         {7, SCH_FILE_OUTPUT, 0, 0, 0, NULL, false},
        {8, SCH_FILE_INPUT, 0, 63, 0, "", false},          {8, SCH_FILE_INPUT, 1, 0, 0, NULL, false}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *shader = api_shader(context, texts[rows[i].text]);
        struct sch_register_info info = {.size = sizeof info, .semantic = 77, .per_vertex = !rows[i].per_vertex};
        const bool told = sch_shader_register(shader, rows[i].file, rows[i].position, &info);
        if (told != (rows[i].name != NULL)) fail_msg("row %zu", i);
        if (told) {
            assert_int_equal(info.index, rows[i].index);
            assert_int_equal(info.semantic, -1);
            assert_int_equal(info.semantic_index, rows[i].semantic_index);
            assert_string_equal(info.semantic_name, rows[i].name);
            if (info.per_vertex != rows[i].per_vertex) fail_msg("row %zu", i);
        }
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* Of what a stage writes the mask of the file says what it does not write; patch constants are hull shaders' outputs
 * and domain shaders' inputs. */
static void signatures_say_what_is_used(void **state)
{
    (void)state;
    static const char hull[] =
        "hs_5_0\n.input\n.param A3.xyz, v2.xy, uint\n.output\n.param B.xyzw, o1.x, int\n.patch_constant\n"
        ".param SV_TessFactor1.x, o4.x, float, TRIEDGE\n.param C.zw, o5.w, float\n.text\nret\n",
                      domain[] = "ds_5_0\n.input\n.output\n.patch_constant\n.param C.zw, v5.w, float\n.text\nret\n",
                      pixel[] = "ps_5_0\n.output\n.param SV_Target3.xyzw, o3.xyzw, float, TARGET\n"
                                ".param SV_Depth, oDepth, float, DEPTH\n.text\nret\n",
                      strange[] = "vs_4_0\n.input\n.param A.x, v1.x, 9, 55\n.output\n.text\nret\n",
                      stream[] = "gs_5_0\n.output\n.param A.x, o0.x, float, NONE, FLOAT_16, m2\n.text\nret\n";
    static const struct {
        const char *text;
        enum sch_signature_kind kind;
        uint32_t position;
        struct sch_signature_info wanted;
    } rows[] = {
        {hull,
         SCH_SIGNATURE_INPUT,
         0,
         {.name = "A", .system_value = "", .type = "uint", .index = 3, .register_number = 2, .mask = 7, .used = 3}},
        {hull,
         SCH_SIGNATURE_OUTPUT,
         0,
         {.name = "B", .system_value = "", .type = "int", .register_number = 1, .mask = 15, .used = 1}},
        {hull,
         SCH_SIGNATURE_PATCH_CONSTANT,
         0,
         {.name = "SV_TessFactor",
          .system_value = "TRIEDGE",
          .type = "float",
          .index = 1,
          .register_number = 4,
          .mask = 1,
          .used = 1}},
        {hull,
         SCH_SIGNATURE_PATCH_CONSTANT,
         1,
         {.name = "C", .system_value = "", .type = "float", .register_number = 5, .mask = 12, .used = 8}},
        {domain,
         SCH_SIGNATURE_PATCH_CONSTANT,
         0,
         {.name = "C", .system_value = "", .type = "float", .register_number = 5, .mask = 12, .used = 8}},
        {pixel,
         SCH_SIGNATURE_OUTPUT,
         0,
         {.name = "SV_Target",
          .system_value = "TARGET",
          .type = "float",
          .index = 3,
          .register_number = 3,
          .mask = 15,
          .used = 15}},
        {pixel,
         SCH_SIGNATURE_OUTPUT,
         1,
         {.name = "SV_Depth",
          .system_value = "DEPTH",
          .type = "float",
          .register_number = UINT32_MAX,
          .mask = 1,
          .used = 1}},
        {stream,
         SCH_SIGNATURE_OUTPUT,
         0,
         {.name = "A", .system_value = "", .type = "float", .stream = 2, .min_precision = 1, .mask = 1, .used = 1}},
        {strange,
         SCH_SIGNATURE_INPUT,
         0,
         {.name = "A", .system_value = "", .type = "unknown", .register_number = 1, .mask = 1, .used = 1}},
        {hull, SCH_SIGNATURE_INPUT, 1, {.name = NULL}},
        {hull, SCH_SIGNATURE_OUTPUT, 1, {.name = NULL}},
        {hull, SCH_SIGNATURE_PATCH_CONSTANT, 2, {.name = NULL}},
        {domain, SCH_SIGNATURE_INPUT, 0, {.name = NULL}},
        {pixel, (enum sch_signature_kind)3, 0, {.name = NULL}}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *shader = api_shader(context, rows[i].text);
        const struct sch_signature_info *wanted = &rows[i].wanted;
        struct sch_signature_info view;
        memset(&view, 0x5a, sizeof view);
        view.size = sizeof view;
        const bool told = sch_shader_signature(shader, rows[i].kind, rows[i].position, &view);
        if (told != (wanted->name != NULL)) fail_msg("row %zu", i);
        if (told) {
            assert_string_equal(view.name, wanted->name);
            assert_string_equal(view.system_value, wanted->system_value);
            assert_string_equal(view.type, wanted->type);
            assert_int_equal(view.index, wanted->index);
            assert_int_equal(view.register_number, wanted->register_number);
            assert_int_equal(view.stream, wanted->stream);
            assert_int_equal(view.min_precision, wanted->min_precision);
            assert_int_equal(view.mask, wanted->mask);
            assert_int_equal(view.used, wanted->used);
        }
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* Profile, features and checksum, which stands behind the container's tag. */
static void containers_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *stage;
        unsigned major, minor;
        uint64_t features;
    } rows[] = {{"ps_4_0\nret\n", "ps", 4, 0, 0},
                {"vs_5_0\n.features doubles views64 63\n.text\nret\n", "vs", 5, 0, UINT64_C(0x8000000000000009)},
                {"cs_5_1\n.features tiledResources\n.text\nret\n", "cs", 5, 1, 256},
                {"container\n.statistics 2, temps 3\n", "", 0, 0, 0}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++)
        for (unsigned spoilt = 0; spoilt < 2; spoilt++) {
            struct sch_shader *shader = api_shader(context, rows[i].text), *again = NULL;
            struct sch_d3d_info info = {.size = sizeof info};
            const struct sch_read_options any = {.size = sizeof any, .any_checksum = true};
            unsigned char *data;
            size_t bytes;
            assert_int_equal(sch_shader_serialize(shader, NULL, (void **)&data, &bytes), SCH_OK);
            if (spoilt) data[7] ^= 8;
            assert_int_equal(sch_shader_read(context, data, bytes, &any, NULL, &again), SCH_OK);
            assert_int_equal(sch_shader_get_d3d_info(again, &info), SCH_OK);
            assert_string_equal(info.stage, rows[i].stage);
            assert_int_equal(info.major, rows[i].major);
            assert_int_equal(info.minor, rows[i].minor);
            assert_true(info.features == rows[i].features);
            assert_int_equal(info.checksum_right, !spoilt);
            for (unsigned n = 0; n < 4; n++)
                assert_int_equal(info.checksum[n], data[4 + 4 * n] | (uint32_t)data[5 + 4 * n] << 8 |
                                                       (uint32_t)data[6 + 4 * n] << 16 |
                                                       (uint32_t)data[7 + 4 * n] << 24);
            sch_free(context, data);
            sch_shader_destroy(again);
            sch_shader_destroy(shader);
        }
    sch_context_destroy(context);
}

/* What the resources' chunk says of each binding; a kind that has no word is "unknown". */
static void bindings_are_told(void **state)
{
    (void)state;
    static const char text[] = "ps_5_1\n.resources 5, \"me\"\n.binding \"b\", cbuffer, 0, 0, 0, 1, 1, 0, 7, 5\n"
                               ".binding \"x\", 77, 5, 4, 9, 7, 2, 12, 3, 6\n.text\nret\n";
    static const struct sch_binding_info wanted[] = {
        {.name = "b", .kind_word = "cbuffer", .kind = 0, .slot = 1, .count = 1, .space = 7},
        {.name = "x",
         .kind_word = "unknown",
         .kind = 77,
         .return_type = 5,
         .dimension = 4,
         .samples = 9,
         .slot = 7,
         .count = 2,
         .flags = 12,
         .space = 3}};
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, text);
    for (uint32_t i = 0; i < COUNT(wanted); i++) {
        struct sch_binding_info view = {.size = sizeof view};
        assert_true(sch_shader_binding(shader, i, &view));
        assert_string_equal(view.name, wanted[i].name);
        assert_string_equal(view.kind_word, wanted[i].kind_word);
        assert_int_equal(view.kind, wanted[i].kind);
        assert_int_equal(view.return_type, wanted[i].return_type);
        assert_int_equal(view.dimension, wanted[i].dimension);
        assert_int_equal(view.samples, wanted[i].samples);
        assert_int_equal(view.slot, wanted[i].slot);
        assert_int_equal(view.count, wanted[i].count);
        assert_int_equal(view.flags, wanted[i].flags);
        assert_int_equal(view.space, wanted[i].space);
    }
    assert_false(sch_shader_binding(shader, 2, &(struct sch_binding_info){.size = sizeof(struct sch_binding_info)}));
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Arrays of interfaces that overlap leave a slot the tables that both have, whichever comes first. */
static void interfaces_that_overlap(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "dcl_interface fp1[2][1] = {ft5, ft6, ft7}\ndcl_interface fp2[2][1] = {ft5}\n",
        "dcl_interface fp2[2][1] = {ft5}\ndcl_interface fp1[2][1] = {ft5, ft6, ft7}\n"};
    static const uint32_t tables[] = {0, 3, 1, 1, 0}; /* that each slot has; 0: it is no interface's, and takes any */
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(orders); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "ps_5_0\ndcl_output o0.xyzw\ndcl_temps 1\ndcl_function_body fb0\ndcl_function_body fb1\n"
                 "dcl_function_body fb2\ndcl_function_table ft5 = {fb0}\ndcl_function_table ft6 = {fb1}\n"
                 "dcl_function_table ft7 = {fb2}\n%smov o0.xyzw, l(0, 0, 0, 0)\nfcall fp1[0][0]\nfcall fp2[0][0]\nret\n"
                 "label fb0\nret\nlabel fb1\nret\nlabel fb2\nret\n",
                 orders[i]);
        struct sch_shader *shader = api_shader(context, text);
        struct sch_program *program = NULL;
        for (uint32_t n = 0; n < 2; n++) {
            struct sch_interface_info view = {.size = sizeof view};
            const bool larger = n == i;
            assert_true(sch_shader_interface(shader, n, &view));
            assert_int_equal(view.slot, larger ? 1 : 2);
            assert_int_equal(view.count, 2);
            assert_int_equal(view.call_sites, 1);
            assert_int_equal(view.table_count, larger ? 3 : 1);
            for (uint32_t t = 0; t < view.table_count; t++) assert_int_equal(view.tables[t], larger ? 5 + t : 5);
            assert_false(view.indexed);
        }
        assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
        sch_shader_destroy(shader);
        for (uint32_t slot = 0; slot < COUNT(tables); slot++)
            for (uint32_t table = 0; table < 5; table++) {
                struct sch_interface_slot slots[COUNT(tables)] = {{0}};
                struct sch_diagnostics_list *list = NULL;
                struct sch_diagnostic_info view = {.size = sizeof view};
                char message[80];
                slots[slot].table = table;
                assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
                const struct sch_bindings bindings = {
                    .size = sizeof bindings, .interfaces = slots, .interface_count = COUNT(tables)};
                const struct sch_invocations work = {.size = sizeof work, .count = 1};
                const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = list};
                const bool right = !tables[slot] || table < tables[slot];
                const enum sch_result result = sch_dispatch(program, &bindings, &work, &run, NULL);
                if (result != (right ? SCH_OK : SCH_ERROR_ARGUMENT))
                    fail_msg("slot %u, table %u: %d", slot, table, result);
                snprintf(message, sizeof message, "interfaces[%u]: there is no table %u", slot, table);
                assert_int_equal(sch_diagnostics_get(list, 0, &view), !right);
                if (!right) assert_string_equal(view.message, message);
                sch_diagnostics_destroy(list);
            }
        sch_program_destroy(program);
    }
    sch_context_destroy(context);
}

/* Each allocation of a shader's description fails once: nothing is told then, and nothing is left. */
static void descriptions_fail_cleanly(void **state)
{
    (void)state;
    static const char *const texts[] = {"FRAG\nDCL TEMP[0..3]\nEND\n",
                                        "FRAG\nPROPERTY D3D_RULES 1\nDCL TEMP[0..3]\nEND\n",
                                        "ps_5_0\ndcl_temps 4\nret\n"};
    struct counting counting = {0};
    const struct sch_allocator memory = counting_callbacks(&counting);
    const struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct sch_shader *shader = api_shader(context, texts[i]);
        struct sch_shader_info info = {.size = sizeof info};
        const long live = counting.live;
        enum sch_result result = SCH_ERROR_MEMORY;
        long n = 0;
        while (result != SCH_OK) {
            counting.fail_at = counting.calls + ++n;
            result = sch_shader_get_info(shader, &info);
            assert_int_equal(counting.live, live);
            assert_int_equal(result, info.temporaries ? SCH_OK : SCH_ERROR_MEMORY);
            assert_int_equal(info.temporaries, result == SCH_OK ? 4 : 0);
            assert_int_equal(info.hash != 0, result == SCH_OK);
        }
        counting.fail_at = 0;
        assert_true(n > 1);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

/* ---- what Maxwell programs write ---- */

/* Registers and predicates that instructions write. */
static void results_of_maxwell_programs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned char registers[6]; /* up to 0xff */
        uint32_t predicates;
    } rows[] = {
        {".word 5\n", {255}, 0},
        {"TEX R4, R0, 0x0, 2D, 0xf;", {4, 5, 6, 7, 255}, 0},
        {"TEX R36, R0, 0x0, 2D, 0x5;", {36, 37, 255}, 0},
        {"TEX RZ, R0, 0x0, 2D, 0x3;", {255}, 0},
        {".arch sm_52\nTEX.LZ P3, R4, R0, 0x0, 2D, 0x1;", {4, 255}, 8},
        {"TEXS R30, R32, R0, R1, 0x0, 2D, RGBA;", {30, 31, 32, 33, 255}, 0},
        {"TEXS RZ, R2, R0, R1, 0x0, 2D, R;", {2, 255}, 0},
        {"TEX R252, R0, 0x0, 2D, 0xf;", {252, 253, 254, 255}, 0},
        {".arch sm_52\nTEX R4, R0, 0x0, 2D, 0x1;\n.word 5\nTEX.LZ P0, R64, R0, 0x0, 2D, 0x1;", {4, 64, 255}, 1}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *program = NULL;
        struct sch_register_use uses[64];
        size_t count;
        uint32_t told[8] = {0}, wanted[8] = {0}, predicates = 0;
        if (maxwell_read(context, rows[i].text, strlen(rows[i].text), NULL, NULL, &program) != SCH_OK)
            fail_msg("%s", rows[i].text);
        for (unsigned n = 0; rows[i].registers[n] != 255; n++)
            wanted[rows[i].registers[n] / 32] |= 1u << rows[i].registers[n] % 32;
        assert_int_equal(sch_shader_register_uses(program, uses, sizeof *uses, COUNT(uses), &count), SCH_OK);
        assert_true(count <= COUNT(uses));
        for (size_t u = 0; u < count; u++) {
            assert_int_equal(uses[u].first, uses[u].last);
            if (!uses[u].is_written) continue;
            if (uses[u].file == SCH_FILE_ADDRESS)
                predicates |= 1u << uses[u].first;
            else
                told[uses[u].first / 32] |= 1u << uses[u].first % 32;
        }
        if (memcmp(told, wanted, sizeof wanted) || predicates != rows[i].predicates)
            fail_msg("%s: %08x %08x .. %08x, %x", rows[i].text, told[0], told[1], told[7], predicates);
        sch_shader_destroy(program);
    }
    sch_context_destroy(context);
}

/* ---- Maxwell's instructions as text ---- */

#define TLDS      "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA"
#define TLDS_WORD 0xda50007000b70904

/* A slot has the stall count in bits 3:0, no yield in bit 4, write and read barrier in 7:5 and 10:8, the barriers to
 * wait for in 16:11, of texture operations the phase in 18:17 and reuse in 20:19 (docs/maxwell.md). An instruction is
 * issued with the one behind it where bits 4:0 are 0x10. */
static void words_have_texts(void **state)
{
    (void)state;
    enum { PLAIN = 0x7e0, OPENS = 0x7f0, P1 = 1 << 17, P2 = 2 << 17, P3 = 3 << 17 };
    enum { FULL = 5 | 1 << 4 | 2 << 5 | 3 << 8 | 0x2a << 11 | 0xe << 17, STALLS = 3 | 0x7e0, REQ = 0x7e0 | 0x3f << 11 };
    static const struct {
        bool no_control;
        enum sch_maxwell_text_style style;
        uint32_t slots[3];
        unsigned slot;
        const char *text;
    } rows[] = {
        {true, SCH_MAXWELL_TEXT_NVDISASM, {OPENS | P1, OPENS, FULL}, 2, TLDS ";"},
        {true, SCH_MAXWELL_TEXT_ISA, {OPENS | P1, OPENS, FULL}, 2, TLDS ";"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {PLAIN, PLAIN, PLAIN}, 0, TLDS ";"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {STALLS, PLAIN, PLAIN}, 0, TLDS " ;"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {STALLS, PLAIN, PLAIN}, 1, TLDS ";"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {PLAIN, PLAIN, REQ}, 2, TLDS " ;"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {OPENS, PLAIN, PLAIN}, 0, "{ " TLDS " ;"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {OPENS, PLAIN, PLAIN}, 1, TLDS " }"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {OPENS, PLAIN, PLAIN}, 2, TLDS ";"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {OPENS, OPENS, PLAIN}, 1, TLDS " }"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {OPENS, OPENS, PLAIN}, 2, TLDS ";"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {OPENS, OPENS, OPENS}, 2, "{ " TLDS " ;"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {PLAIN, OPENS, PLAIN}, 1, "{ " TLDS " ;"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {PLAIN, OPENS, PLAIN}, 2, TLDS " }"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {PLAIN, PLAIN | P1, P3}, 1, "TLDS.LZ.T R0, R4, R9, R11, 0x7, 2D, RGBA;"},
        {false, SCH_MAXWELL_TEXT_NVDISASM, {PLAIN, P1, PLAIN | P2}, 2, "TLDS.LZ.P R0, R4, R9, R11, 0x7, 2D, RGBA;"},
        {false, SCH_MAXWELL_TEXT_ISA, {PLAIN | P2, P1, P1}, 0, "TLDS.LZ.P R0, R4, R9, R11, 0x7, 2D, RGBA;"},
        {false, SCH_MAXWELL_TEXT_ISA, {P3, P3, PLAIN | P1}, 2, "TLDS.LZ.T R0, R4, R9, R11, 0x7, 2D, RGBA;"},
        {false, SCH_MAXWELL_TEXT_ISA, {OPENS, PLAIN, PLAIN}, 1, TLDS ";"},
        {false, SCH_MAXWELL_TEXT_ISA, {STALLS, PLAIN, PLAIN}, 0, TLDS " {?stall3} {?yield};"},
        {false,
         SCH_MAXWELL_TEXT_ISA,
         {PLAIN, FULL, PLAIN},
         1,
         "TLDS.LZ.P R0, R4, R9, R11, 0x7, 2D, RGBA {&req_0x2a} {&rd3} {&wr2} {?stall5} {?reuse_0xc};"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[SCH_MAXWELL_TEXT_BYTES];
        struct sch_maxwell_word_options options = {
            .size = sizeof options, .style = rows[i].style, .slot = rows[i].slot, .has_control = !rows[i].no_control};
        for (unsigned n = 0; n < 3; n++) options.control |= (uint64_t)rows[i].slots[n] << 21 * n;
        assert_true(sch_maxwell_disassemble(TLDS_WORD, &options, text));
        if (strcmp(text, rows[i].text)) fail_msg("row %zu: %s", i, text);
        if (rows[i].no_control || rows[i].style != SCH_MAXWELL_TEXT_ISA) continue;
        uint64_t word = 0;
        uint32_t slot = 0;
        options = (struct sch_maxwell_word_options){.size = sizeof options, .style = SCH_MAXWELL_TEXT_ISA};
        assert_int_equal(sch_maxwell_assemble(text, strlen(text), &options, NULL, &word, &slot), SCH_OK);
        assert_true(word == TLDS_WORD);
        assert_int_equal(slot, rows[i].slots[rows[i].slot]);
    }
    char text[SCH_MAXWELL_TEXT_BYTES] = "x";
    struct sch_maxwell_word_options options = {.size = sizeof options, .style = (enum sch_maxwell_text_style)2};
    assert_false(sch_maxwell_disassemble(TLDS_WORD, &options, text));
    assert_string_equal(text, "");
}

/* What is wrong with an instruction is told with its place and line, under no name: the text has none. */
static void texts_have_words(void **state)
{
    (void)state;
    static const struct {
        enum sch_maxwell_arch arch;
        const char *text;
        enum sch_result result;
        unsigned code, column, count;
    } rows[] = {{SCH_MAXWELL_ARCH_DEFAULT, TLDS, SCH_OK, 0, 0, 0},
                {SCH_MAXWELL_ARCH_DEFAULT, "TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA", SCH_OK, 2300, 1, 2},
                {SCH_MAXWELL_SM_50, "TEX P3, R4, R8, RZ, 0, 2D;", SCH_ERROR_INVALID, 2318, 1, 1},
                {SCH_MAXWELL_SM_52, "TEX P3, R4, R8, RZ, 0, 2D;", SCH_OK, 0, 0, 0},
                {SCH_MAXWELL_SM_53, "TEX P3, R4, R8, RZ, 0, 2D;", SCH_OK, 0, 0, 0},
                {SCH_MAXWELL_SM_52, "TEX R4, R8", SCH_ERROR_INVALID, 1107, 11, 1},
                {SCH_MAXWELL_SM_52, "NOP;", SCH_OK, 0, 0, 0},
                {SCH_MAXWELL_SM_52, "NOX;", SCH_ERROR_INVALID, 1100, 1, 1}};
    struct sch_context *context = api_context();
    struct sch_shader *shader = NULL;
    const struct sch_read_options named = {.size = sizeof named, .name = "other.tgsi"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_diagnostics_list *list = NULL;
        struct sch_diagnostic_info view = {.size = sizeof view};
        const struct sch_maxwell_word_options options = {.size = sizeof options, .arch = rows[i].arch};
        uint64_t word = 77;
        uint32_t slot = 77;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        assert_int_equal(sch_shader_read(context, "FRAG\nEND\n", 9, &named, list, &shader), SCH_OK);
        sch_shader_destroy(shader);
        assert_int_equal(sch_maxwell_assemble(rows[i].text, strlen(rows[i].text), &options, list, &word, &slot),
                         rows[i].result);
        assert_int_equal(slot, rows[i].result == SCH_OK ? 0x7e0 : 77);
        assert_int_equal(sch_diagnostics_count(list), rows[i].count);
        assert_int_equal(sch_diagnostics_errors(list), rows[i].result == SCH_OK ? 0 : 1);
        if (rows[i].count) {
            assert_true(sch_diagnostics_get(list, 0, &view));
            assert_int_equal(view.code, rows[i].code);
            assert_int_equal(view.line, 1);
            assert_int_equal(view.column, rows[i].column);
            assert_int_equal(view.offset, rows[i].column - 1);
            assert_string_equal(view.source, "");
            assert_string_equal(view.line_text, rows[i].text);
        }
        word = 77;
        assert_int_equal(sch_maxwell_assemble(rows[i].text, strlen(rows[i].text), &options, NULL, &word, NULL),
                         rows[i].result);
        sch_diagnostics_destroy(list);
    }
    sch_context_destroy(context);
}

/* ---- lookups as Maxwell code ---- */

/* Several lookups of a shader, each behind its line; steps and instructions as docs/maxwell.md says. */
static void translations_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text, *code;
        bool refused;
    } rows[] = {{("FRAG\n"
                  "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                  "DCL OUT[0], COLOR\n"
                  "DCL SAMP[0..1]\n"
                  "DCL SVIEW[0..2], 2D, FLOAT\n"
                  "DCL TEMP[0..1]\n"
                  "IMM[0] UINT32 {0, 8, 0, 0}\n"
                  "UIF IMM[0].yyyy\n"
                  "TEX_SAT TEMP[0].xz, IN[0], SAMP[1], 2D\n"
                  "ENDIF\n"
                  "TEX TEMP[1], IN[0], SAMP[0], 2D, IMM[0].yyy\n"
                  "TXF TEMP[1].x, IMM[0], SAMP[0], 2D\n"
                  "TXD OUT[0].x, IN[0], IN[0], IN[0], SAMP[0], SHADOW2D\n"
                  "END\n"),
                 ("// Texture lookups as Maxwell code. Comments show the moves of operands and results.\n"
                  "// c[0x0]: view 1 as 2D, sampler 1\n"
                  "// c[0x1]: view 0 as 2D, sampler 0\n"
                  "// c[0x2]: view 0 as 2D\n"
                  "\n"
                  "// 1:   TEX_SAT TEMP[0].xz, IN[0], SAMP[1], 2D\n"
                  "//     R0 = src0.x\n"
                  "//     R1 = src0.y\n"
                  "TEX.NDV R2, R0, 0x0, 2D, 0x5;\n"
                  "//     dst.x = saturate(R2)\n"
                  "//     dst.z = saturate(R3)\n"
                  "\n"
                  "// 3: TEX TEMP[1], IN[0], SAMP[0], 2D, IMM[0].yyy\n"
                  "//     refused: a texel offset is larger than its packed field\n"
                  "\n"
                  "// 4: TXF TEMP[1].x, IMM[0], SAMP[0], 2D\n"
                  "//     R0 = src0.x\n"
                  "//     R1 = src0.y\n"
                  "TLDS.LZ RZ, R2, R0, R1, 0x2, 2D, R;\n"
                  "//     dst.x = R2\n"
                  "\n"
                  "// 5: TXD OUT[0].x, IN[0], IN[0], IN[0], SAMP[0], SHADOW2D\n"
                  "//     R0 = src0.x\n"
                  "//     R1 = src0.y\n"
                  "//     R5 = src0.x\n"
                  "//     R6 = src0.y\n"
                  "//     R7 = src1.x\n"
                  "//     R8 = src2.x\n"
                  "//     R9 = src1.y\n"
                  "//     R10 = src2.y\n"
                  "//     R2 = level of detail of the derivatives R7... at R5..., S8.8\n"
                  "//     R12 = 0x10\n"
                  "//     R13 = 0x0\n"
                  "//     R11 = IBFE(R2, R13, R12)\n"
                  "//     R11 = I2F(R11)\n"
                  "//     R14 = 0x3b800000\n"
                  "//     R11 = MUL(R11, R14)\n"
                  "//     R2 = MOV(R11)\n"
                  "//     R3 = src0.z\n"
                  "//     the same lookup where the sampler's max_anisotropy is 1\n"
                  "TEXS.LL.DC RZ, R4, R0, R2, 0x1, 2D, R;\n"
                  "//     dst.x = R4\n"
                  "\n"
                  "// 4 lookups: 3 lowered, 1 refused\n"),
                 true},
                {("FRAG\n"
                  "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                  "DCL OUT[0], COLOR\n"
                  "DCL SAMP[0]\n"
                  "DCL SVIEW[0], CUBE, FLOAT\n"
                  "MOV OUT[0], IN[0]\n"
                  "TXD OUT[0].y, IN[0], IN[0], IN[0], SAMP[0], CUBE\n"
                  "END\n"),
                 ("// Texture lookups as Maxwell code. Comments show the moves of operands and results.\n"
                  "// c[0x0]: view 0 as CUBE, sampler 0\n"
                  "\n"
                  "// 1: TXD OUT[0].y, IN[0], IN[0], IN[0], SAMP[0], CUBE\n"
                  "//     R0 = src0.x\n"
                  "//     R1 = src0.y\n"
                  "//     R2 = src0.z\n"
                  "//     R5 = src0.x\n"
                  "//     R6 = src0.y\n"
                  "//     R7 = src0.z\n"
                  "//     R8 = src1.x\n"
                  "//     R9 = src2.x\n"
                  "//     R10 = src1.y\n"
                  "//     R11 = src2.y\n"
                  "//     R12 = src1.z\n"
                  "//     R13 = src2.z\n"
                  "//     R3 = level of detail of the derivatives R8... at R5..., S8.8\n"
                  "//     R15 = 0x10\n"
                  "//     R16 = 0x0\n"
                  "//     R14 = IBFE(R3, R16, R15)\n"
                  "//     R14 = I2F(R14)\n"
                  "//     R17 = 0x3b800000\n"
                  "//     R14 = MUL(R14, R17)\n"
                  "//     R3 = MOV(R14)\n"
                  "TEXS.LL RZ, R4, R0, R2, 0x0, CUBE, G;\n"
                  "//     dst.y = R4\n"
                  "\n"
                  "// 1 lookups: 1 lowered, 0 refused\n"),
                 false},
                {"FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n",
                 ("// Texture lookups as Maxwell code. Comments show the moves of operands and results.\n\n"
                  "// 0 lookups: 0 lowered, 0 refused\n"),
                 false}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *shader = api_shader(context, rows[i].text);
        const struct sch_translate_options options = {.size = sizeof options, .to = SCH_TRANSLATE_MAXWELL};
        char *code = NULL;
        size_t bytes = 0;
        assert_int_equal(sch_shader_translate(shader, &options, NULL, &code, &bytes),
                         rows[i].refused ? SCH_ERROR_UNSUPPORTED : SCH_OK);
        assert_string_equal(code, rows[i].code);
        assert_int_equal(bytes, strlen(code));
        sch_free(context, code);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* ---- what is not finished ---- */

/* What ended by a deadline or was cancelled left anything; of what ended otherwise the outputs are as told. */
static void stopped_runs_say_so(void **state)
{
    (void)state;
    static const char endless[] = "COMP\nBGNLOOP\nENDLOOP\nEND\n", fragment[] = "FRAG\nBGNLOOP\nENDLOOP\nEND\n",
                      ends[] = "COMP\nEND\n";
    const struct sch_invocations work = {.size = sizeof work, .count = 1};
    const struct sch_rectangle square = {.size = sizeof square, .width = 2, .height = 2};
    const uint32_t set = 1, unset = 0;
    const struct {
        const char *text;
        struct sch_dispatch_options options;
        enum sch_result result;
    } rows[] = {{endless, {.cancel = &set}, SCH_ERROR_CANCELLED},
                {endless, {.deadline_ms = 1, .cancel = &unset}, SCH_ERROR_DEADLINE},
                {endless, {.work = 99, .cancel = &unset}, SCH_ERROR_WORK},
                {endless, {.budget = 99, .deadline_ms = 1000000}, SCH_ERROR_BUDGET},
                {ends, {.deadline_ms = 1000000, .cancel = &unset}, SCH_OK},
                {fragment, {.cancel = &set}, SCH_ERROR_CANCELLED},
                {fragment, {.deadline_ms = 1, .cancel = &unset}, SCH_ERROR_DEADLINE}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_shader *shader = api_shader(context, rows[i].text);
        struct sch_program *program = NULL;
        struct sch_dispatch_options options = rows[i].options;
        const bool undefined = rows[i].result == SCH_ERROR_CANCELLED || rows[i].result == SCH_ERROR_DEADLINE;
        options.size = sizeof options;
        assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
        for (unsigned way = 0; way < 2; way++) {
            struct sch_dispatch_report report = {.size = sizeof report, .contents_undefined = !undefined};
            const enum sch_result result = way ? sch_dispatch(program, NULL, &work, &options, &report)
                                           : rows[i].text == fragment
                                               ? sch_dispatch_rectangle(program, NULL, &square, &options, &report)
                                               : sch_dispatch_grid(program, NULL, NULL, NULL, &options, &report);
            if (result != rows[i].result || report.contents_undefined != undefined)
                fail_msg("row %zu, %u: %d, %d", i, way, result, report.contents_undefined);
        }
        sch_program_destroy(program);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* Each allocation of making a context with all its options fails once: nothing is left. */
static void contexts_fail_cleanly(void **state)
{
    (void)state;
    static const unsigned ignored[] = {2501, 2040};
    const struct sch_warning_options warnings = {.size = sizeof warnings, .ignored = ignored, .ignored_count = 2};
    enum sch_result result = SCH_ERROR_MEMORY;
    long n = 0;
    while (result != SCH_OK) {
        struct counting counting = {.fail_at = ++n};
        const struct sch_allocator memory = counting_callbacks(&counting);
        const struct sch_context_options options = {.size = sizeof options, .memory = &memory, .warnings = &warnings};
        struct sch_context *context = NULL;
        result = sch_context_create(&options, &context);
        assert_int_equal(result, context ? SCH_OK : SCH_ERROR_MEMORY);
        sch_context_destroy(context);
        assert_int_equal(counting.live, 0);
    }
    assert_true(n > 3);
}

int main(void)

{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_of_direct3d_are_counted),
        cmocka_unit_test(registers_of_direct3d_are_listed),
        cmocka_unit_test(signatures_say_what_is_used),
        cmocka_unit_test(containers_are_told),
        cmocka_unit_test(bindings_are_told),
        cmocka_unit_test(interfaces_that_overlap),
        cmocka_unit_test(descriptions_fail_cleanly),
        cmocka_unit_test(results_of_maxwell_programs),
        cmocka_unit_test(words_have_texts),
        cmocka_unit_test(texts_have_words),
        cmocka_unit_test(translations_are_whole),
        cmocka_unit_test(stopped_runs_say_so),
        cmocka_unit_test(contexts_fail_cleanly),
    };
    return cmocka_run_group_tests_name("described", tests, NULL, NULL);
}
