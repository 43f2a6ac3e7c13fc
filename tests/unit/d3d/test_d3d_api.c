/* Direct3D shaders through the public interface: what is told about them, what is refused, and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

static const char text[] =
    "gs_5_0\n.input\n.param SV_Position.xyzw, v0.xyzw, float, POS\n.output\n"
    ".param SV_Position.xyzw, o0.xyzw, float, POS\n.param A2.x, o1.x, uint, NONE, NONE, m1\n.text\n"
    "dcl_constantbuffer CB1[4], immediateIndexed\ndcl_uav_raw u2\n"
    "dcl_temps 3\ndcl_input v[3][0].xyzw\ndcl_inputprimitive triangle\n"
    "dcl_stream m0\ndcl_outputtopology trianglestrip\ndcl_output o0.xyzw\ndcl_maxout 3\n"
    "mov o0.xyzw, v[0][0].xyzw\nemit_stream m0\nret\n";

struct fixture {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
};

static struct fixture read_text(const char *source)
{
    struct fixture made = {0};
    assert_int_equal(sch_context_create(NULL, &made.context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(made.context, &made.list), SCH_OK);
    assert_int_equal(sch_shader_read(made.context, source, strlen(source), NULL, made.list, &made.shader), SCH_OK);
    return made;
}

static void release(struct fixture *fixture)
{
    sch_shader_destroy(fixture->shader);
    sch_diagnostics_destroy(fixture->list);
    sch_context_destroy(fixture->context);
}

static void test_description(void **state)
{
    (void)state;
    struct fixture f = read_text(text);
    assert_int_equal(sch_shader_language(f.shader), SCH_LANGUAGE_D3D);
    assert_int_equal(sch_shader_language(NULL), SCH_LANGUAGE_TGSI);
    struct sch_shader_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_get_info(f.shader, &info), SCH_OK);
    assert_int_equal(info.stage, SCH_STAGE_GEOMETRY);
    assert_int_equal(info.instructions, 3);
    assert_int_equal(info.declarations, 9);
    assert_int_equal(info.temporaries, 3);
    assert_int_equal(info.constant_buffers, 2);
    assert_int_equal(info.images, 3);
    assert_int_equal(info.outputs, 2);
    assert_true(info.hash != 0);
    struct sch_d3d_info d3d = {.size = sizeof d3d};
    assert_int_equal(sch_shader_get_d3d_info(f.shader, &d3d), SCH_OK);
    assert_string_equal(d3d.stage, "gs");
    assert_int_equal(d3d.major * 10 + d3d.minor, 50);
    struct sch_signature_info element = {.size = sizeof element};
    assert_true(sch_shader_signature(f.shader, SCH_SIGNATURE_OUTPUT, 1, &element));
    assert_string_equal(element.name, "A");
    assert_string_equal(element.type, "uint");
    assert_string_equal(element.system_value, "");
    assert_int_equal(element.index, 2);
    assert_int_equal(element.stream, 1);
    assert_int_equal(element.used, 1);
    assert_false(sch_shader_signature(f.shader, SCH_SIGNATURE_OUTPUT, 2, &element));
    assert_false(sch_shader_signature(f.shader, SCH_SIGNATURE_PATCH_CONSTANT, 0, &element));
    struct sch_register_info at = {.size = sizeof at};
    assert_true(sch_shader_register(f.shader, SCH_FILE_INPUT, 0, &at));
    assert_string_equal(at.semantic_name, "SV_Position");
    assert_int_equal(at.semantic, -1);
    assert_true(at.per_vertex);
    assert_false(sch_shader_register(f.shader, SCH_FILE_SYSTEM_VALUE, 0, &at));
    assert_int_equal(sch_shader_property(f.shader, "GS_INVOCATIONS", 7), 7);
    struct sch_chunk_info chunk = {.size = sizeof chunk};
    assert_true(sch_shader_chunk(f.shader, 1, &chunk));
    assert_string_equal(chunk.tag, "OSG5");
    assert_true(sch_shader_chunk(f.shader, 2, &chunk));
    assert_string_equal(chunk.tag, "SHEX");
    assert_false(sch_shader_chunk(f.shader, 3, &chunk));
    struct sch_binding_info binding = {.size = sizeof binding};
    assert_false(sch_shader_binding(f.shader, 0, &binding));
    assert_string_equal(sch_d3d_feature(0), "doubles");
    assert_null(sch_d3d_feature(63));
    release(&f);
}

static void test_container_and_text(void **state)
{
    (void)state;
    struct fixture f = read_text(text);
    void *data;
    size_t bytes, count, length;
    uint32_t *words;
    char *listing;
    assert_int_equal(sch_shader_serialize(f.shader, f.list, &data, &bytes), SCH_OK);
    assert_memory_equal(data, "DXBC", 4);
    struct sch_shader *again;
    assert_int_equal(sch_shader_read(f.context, data, bytes, NULL, f.list, &again), SCH_OK);
    assert_int_equal(sch_shader_tokens(again, f.list, &words, &count), SCH_OK);
    assert_int_equal(words[0], 0x20050);
    assert_int_equal(words[1], count);
    assert_int_equal(sch_shader_print(again, NULL, &listing, &length), SCH_OK);
    assert_string_equal(listing, text);
    struct sch_print_options options = {.size = sizeof options, .listing = SCH_LISTING_VKD3D};
    sch_free(f.context, listing);
    assert_int_equal(sch_shader_print(again, &options, &listing, &length), SCH_OK);
    assert_non_null(strstr(listing, "dcl_inputprimitive trianglelist\n"));
    sch_free(f.context, listing);
    options.listing = SCH_LISTING_FXC_DUMP;
    assert_int_equal(sch_shader_print(again, &options, &listing, &length), SCH_OK);
    assert_non_null(strstr(listing, "\n// SV_Position              0   xyzw        0      POS   float"));
    assert_null(strstr(listing, ".input"));
    sch_free(f.context, listing);
    options.listing = (enum sch_listing_style)3;
    assert_int_equal(sch_shader_print(again, &options, &listing, &length), SCH_ERROR_ARGUMENT);
    sch_shader_destroy(again);
    sch_free(f.context, words);

    /* A wrong checksum is refused unless it is allowed. */
    ((unsigned char *)data)[4] ^= 1;
    struct sch_read_options any = {.size = sizeof any};
    assert_int_equal(sch_shader_read(f.context, data, bytes, &any, f.list, &again), SCH_ERROR_INVALID);
    any.any_checksum = true;
    assert_int_equal(sch_shader_read(f.context, data, bytes, &any, f.list, &again), SCH_OK);
    struct sch_d3d_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_get_d3d_info(again, &info), SCH_OK);
    assert_false(info.checksum_right);
    sch_shader_destroy(again);
    sch_free(f.context, data);
    release(&f);
}

static unsigned last_code(const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    size_t count = sch_diagnostics_count(list);
    return count && sch_diagnostics_get(list, count - 1, &view) ? view.code : 0;
}

/* By Direct3D's own rules, with the signatures; nothing is lowered for it. */
static void test_check(void **state)
{
    (void)state;
    struct fixture f = read_text(text);
    assert_int_equal(sch_shader_check(f.shader, f.list), SCH_OK);
    assert_int_equal(sch_diagnostics_count(f.list), 0);
    release(&f);
    f = read_text("ps_5_0\n.output\n.param SV_Target.xyzw, o0.xyzw, float, TARGET\n.text\ndcl_output o1.xyzw\nbreak\n"
                  "mov o1.xyzw, l(0, 0, 0, 0)\nret\n");
    assert_int_equal(sch_shader_check(f.shader, f.list), SCH_ERROR_INVALID);
    assert_int_equal(sch_diagnostics_errors(f.list), 2);
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_true(sch_diagnostics_get(f.list, 0, &view));
    assert_int_equal(view.code, 2441);
    assert_int_equal(view.line, 5);
    assert_int_equal(last_code(f.list), 2445);
    release(&f);
}

/* D3D_RULES is a property of our own. */
static void refuses_tokens(const struct sch_shader *lowered, struct sch_diagnostics_list *list)
{
    uint32_t *words;
    size_t count;
    assert_int_equal(sch_shader_tokens(lowered, list, &words, &count), SCH_ERROR_INVALID);
    assert_null(words);
    assert_int_equal(last_code(list), 3009);
}

static void test_lowered_shaders_are_checked_run_and_translated(void **state)
{
    (void)state;
    struct fixture f = read_text("ps_5_0\ndcl_constantbuffer cb0[1], immediateIndexed\ndcl_output o0.xyzw\n"
                                 "add_sat o0.xyzw, cb0[0].wzyx, l(0.5, 0.5, 0.5, 0.5)\nret\n");
    struct sch_program *program;
    char *translation;
    size_t bytes;
    assert_int_equal(sch_shader_check(f.shader, f.list), SCH_OK);
    assert_int_equal(sch_shader_translate(f.shader, NULL, f.list, &translation, &bytes), SCH_OK);
    assert_non_null(strstr(translation, "PROPERTY D3D_RULES 1"));
    assert_non_null(strstr(translation, "ADD_SAT OUT[0], CONST[0][0].wzyx, IMM[0]"));
    struct sch_shader *lowered, *none;
    char *printed;
    assert_int_equal(sch_shader_lower(f.shader, f.list, &lowered), SCH_OK);
    assert_int_equal(sch_shader_language(lowered), SCH_LANGUAGE_TGSI);
    assert_int_equal(sch_shader_print(lowered, NULL, &printed, &bytes), SCH_OK);
    assert_string_equal(printed, translation);
    assert_int_equal(sch_shader_lower(lowered, f.list, &none), SCH_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(sch_shader_lower(f.shader, f.list, NULL), SCH_ERROR_ARGUMENT);
    sch_free(f.context, printed);
    sch_free(f.context, translation);
    refuses_tokens(lowered, f.list);
    sch_shader_destroy(lowered);
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program), SCH_OK);
    const float constants[4] = {0.25f, -3.0f, 0x1p-149f, 2.0f};
    struct sch_constant_buffer buffer = {.data = constants, .bytes = sizeof constants};
    struct sch_bindings bindings = {.size = sizeof bindings, .constants = &buffer, .constant_count = 1};
    uint32_t result[4];
    struct sch_invocations invocations = {.size = sizeof invocations,
                                          .count = 1,
                                          .outputs = result,
                                          .output_bytes = sizeof result,
                                          .output_registers = 1};
    assert_int_equal(sch_dispatch(program, &bindings, &invocations, NULL, NULL), SCH_OK);
    const float wanted[4] = {1.0f, 0.5f, 0.0f, 0.75f};
    assert_memory_equal(result, wanted, sizeof wanted);
    sch_program_destroy(program);
    assert_int_equal(sch_diagnostics_errors(f.list), 3); /* of the tokens, and of two wrong calls */
    release(&f);
}

static void test_what_is_not_lowered_is_refused(void **state)
{
    (void)state;
    struct fixture f = read_text("ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0, 0, 0, 0)\nret\nlabel l70000\nret\n");
    struct sch_program *program;
    char *translation;
    size_t bytes;
    assert_int_equal(last_code(f.list), 0);
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program), SCH_ERROR_UNSUPPORTED);
    assert_null(program);
    assert_int_equal(sch_diagnostics_errors(f.list), 1);
    assert_int_equal(sch_shader_translate(f.shader, NULL, f.list, &translation, &bytes), SCH_ERROR_UNSUPPORTED);
    assert_null(translation);
    assert_int_equal(last_code(f.list), 4100);
    assert_int_equal(sch_diagnostics_errors(f.list), 2);
    release(&f);
}

static const char interfaces_text[] =
    "ps_5_0\ndcl_output o0.xyzw\ndcl_temps 1\ndcl_function_body fb0\ndcl_function_body fb1\n"
    "dcl_function_table ft3 = {fb0}\ndcl_function_table ft1 = {fb1}\ndcl_interface fp1[1][1] = {ft3, ft1}\n"
    "dcl_interface_dynamicindexed fp4[2][1] = {ft1}\nmov r0.xyzw, l(0, 0, 0, 0)\nfcall fp1[0][0]\nfcall fp4[1][0]\n"
    "mov o0.xyzw, r0.xyzw\nret\nlabel fb0\nmov r0.xyzw, this[1].xyzw\nret\n"
    "label fb1\niadd r0.xyzw, r0.xyzw, l(1, 2, 3, 4)\nret\n";

static void are_listed(const struct sch_shader *shader)
{
    struct sch_interface_info view = {.size = sizeof view};
    assert_true(sch_shader_interface(shader, 0, &view));
    assert_int_equal(view.slot, 1);
    assert_int_equal(view.count, 1);
    assert_int_equal(view.table_count, 2);
    assert_int_equal(view.tables[0], 3);
    assert_int_equal(view.tables[1], 1);
    assert_false(view.indexed);
    assert_true(sch_shader_interface(shader, 1, &view));
    assert_int_equal(view.slot, 4);
    assert_int_equal(view.count, 2);
    assert_int_equal(view.call_sites, 1);
    assert_int_equal(view.table_count, 1);
    assert_true(view.indexed);
    assert_false(sch_shader_interface(shader, 2, &view));
    view.size = 0;
    assert_false(sch_shader_interface(shader, 0, &view));
}

/* Binds `slots` and runs: the output's words, or the error. */
static enum sch_result run_with(const struct sch_program *program, const struct sch_interface_slot *slots,
                                uint32_t count, uint32_t words[4])
{
    struct sch_bindings bindings = {.size = sizeof bindings, .interfaces = slots, .interface_count = count};
    struct sch_invocations invocations = {.size = sizeof invocations,
                                          .count = 1,
                                          .outputs = words,
                                          .output_bytes = 4 * sizeof *words,
                                          .output_registers = 1};
    return sch_dispatch(program, &bindings, &invocations, NULL, NULL);
}

static void test_interfaces_are_listed_and_bound(void **state)
{
    (void)state;
    struct fixture f = read_text(interfaces_text);
    struct sch_shader *lowered;
    struct sch_program *program[2];
    assert_int_equal(sch_shader_lower(f.shader, f.list, &lowered), SCH_OK);
    are_listed(f.shader);
    are_listed(lowered);
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program[0]), SCH_OK);
    assert_int_equal(sch_program_create(f.context, lowered, NULL, f.list, &program[1]), SCH_OK);
    sch_shader_destroy(lowered);
    for (unsigned p = 0; p < 2; p++) {
        struct sch_interface_slot slots[6] = {[1] = {0, 5, 6, 7, 8}};
        uint32_t words[4] = {0};
        assert_int_equal(run_with(program[p], slots, 6, words), SCH_OK);
        assert_memory_equal(words, ((const uint32_t[4]){6, 8, 10, 12}), sizeof words);
        slots[1].table = 1;
        assert_int_equal(run_with(program[p], slots, 2, words), SCH_OK); /* slot 5 is zeros */
        assert_memory_equal(words, ((const uint32_t[4]){2, 4, 6, 8}), sizeof words);
        assert_int_equal(run_with(program[p], NULL, 0, words), SCH_OK);
        assert_memory_equal(words, ((const uint32_t[4]){1, 2, 3, 4}), sizeof words);
        slots[1].table = 2;
        assert_int_equal(run_with(program[p], slots, 6, words), SCH_ERROR_ARGUMENT);
        slots[1].table = 0;
        slots[5].table = 1;
        assert_int_equal(run_with(program[p], slots, 6, words), SCH_ERROR_ARGUMENT);
        slots[5].table = 0;
        slots[0].table = 77; /* no interface has it */
        assert_int_equal(run_with(program[p], slots, 6, words), SCH_OK);
        assert_int_equal(run_with(program[p], NULL, 1, words), SCH_ERROR_ARGUMENT);
        assert_int_equal(run_with(program[p], slots, SCH_INTERFACE_SLOTS + 1, words), SCH_ERROR_ARGUMENT);
        sch_program_destroy(program[p]);
    }
    release(&f);
}

/* Instances of one class in two buffers, through registers as Microsoft's compiler copies `this`, and an array of
 * them. */
static void test_interfaces_with_data(void **state)
{
    static const char source[] =
        "ps_5_0\ndcl_constantbuffer CB0[1], immediateIndexed\ndcl_output o0.xyzw\ndcl_temps 3\ndcl_function_body fb0\n"
        "dcl_function_table ft0 = {fb0}\ndcl_interface_dynamicindexed fp0[2][1] = {ft0}\nmov r0.xyzw, l(0, 0, 0, 0)\n"
        "mov r2.x, cb0[0].x\nfcall fp0[r2.x + 0][0]\nfcall fp0[1][0]\nmov o0.xyzw, r0.xyzw\nret\nlabel fb0\n"
        "mov r1.w, this[r2.x + 0].y\nmov r1.z, this[r2.x + 0].x\niadd r0.xy, r0.xyxx, cb[r1.z + 0][r1.w + 1].zwzz\n"
        "mov r2.x, l(1)\nret\n";
    (void)state;
    struct fixture f = read_text(source);
    struct sch_program *program;
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program), SCH_OK);
    uint32_t data[3][12] = {{0}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {101, 102, 103, 104, 105, 106, 107, 108}};
    struct sch_constant_buffer constants[3];
    for (unsigned i = 0; i < 3; i++) constants[i] = (struct sch_constant_buffer){data[i], sizeof data[i]};
    for (uint32_t offset = 0; offset < 2; offset++) {
        const struct sch_interface_slot slots[2] = {{0, 1, offset, 0, 0}, {0, 2, 0, 0, 0}};
        struct sch_bindings bindings = {.size = sizeof bindings,
                                        .constants = constants,
                                        .constant_count = 3,
                                        .interfaces = slots,
                                        .interface_count = 2};
        uint32_t words[4] = {0};
        struct sch_invocations invocations = {.size = sizeof invocations,
                                              .count = 1,
                                              .outputs = words,
                                              .output_bytes = sizeof words,
                                              .output_registers = 1};
        assert_int_equal(sch_dispatch(program, &bindings, &invocations, NULL, NULL), SCH_OK);
        const uint32_t wanted[4] = {7 + 4 * offset + 107, 8 + 4 * offset + 108, 0, 0};
        assert_memory_equal(words, wanted, sizeof words);
    }
    sch_program_destroy(program);
    release(&f);
}

/* However many constant buffers the caller gives, interfaces stand in 16 and 17: with 17 of them, the list grows by
 * one, and one that is longer keeps what is behind. The linkage that the caller gives counts. */
static void test_interfaces_beside_any_number_of_buffers(void **state)
{
    enum { MOST = 20 };
    (void)state;
    struct fixture f = read_text(interfaces_text);
    struct sch_program *program;
    uint32_t data[MOST][4 * 6], words[4];
    struct sch_constant_buffer constants[MOST];
    memset(data, 0x7f, sizeof data);
    for (unsigned i = 0; i < MOST; i++) constants[i] = (struct sch_constant_buffer){data[i], sizeof data[i]};
    const struct sch_interface_slot slots[6] = {[1] = {0, 5, 6, 7, 8}};
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program), SCH_OK);
    for (uint32_t count = 0; count <= MOST; count++) {
        struct sch_bindings bindings = {.size = sizeof bindings,
                                        .constants = constants,
                                        .constant_count = count,
                                        .interfaces = slots,
                                        .interface_count = 6};
        struct sch_invocations invocations = {.size = sizeof invocations,
                                              .count = 1,
                                              .outputs = words,
                                              .output_bytes = sizeof words,
                                              .output_registers = 1};
        assert_int_equal(sch_dispatch(program, &bindings, &invocations, NULL, NULL), SCH_OK);
        assert_memory_equal(words, ((const uint32_t[4]){6, 8, 10, 12}), sizeof words);
    }
    sch_program_destroy(program);
    release(&f);
}

/* A container without a program is described; what needs one is refused; what is nested in it can be read. */
static void test_containers_without_a_program(void **state)
{
    (void)state;
    struct fixture inner = read_text("ps_4_1\nret\n");
    unsigned char *data;
    size_t bytes, length = 0;
    assert_int_equal(sch_shader_serialize(inner.shader, inner.list, (void **)&data, &bytes), SCH_OK);
    char outer[1000] = "container\n.chunk FX10 { 00 ";
    for (size_t i = 0; i < bytes; i++) snprintf(outer + strlen(outer), 3, "%02x", data[i]);
    strcat(outer, " }\n.statistics 2, temps 3\n");
    struct fixture f = read_text(outer);
    struct sch_d3d_info d3d = {.size = sizeof d3d};
    assert_int_equal(sch_shader_get_d3d_info(f.shader, &d3d), SCH_OK);
    assert_string_equal(d3d.stage, "");
    assert_int_equal(d3d.major + d3d.minor, 0);
    struct sch_shader_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_get_info(f.shader, &info), SCH_OK);
    assert_int_equal(info.instructions + info.inputs + info.outputs, 0);
    assert_int_equal(info.hash, 0);
    struct sch_nested_info nested = {.size = sizeof nested};
    assert_true(sch_shader_nested(f.shader, 0, &nested));
    assert_string_equal(nested.stage, "ps");
    assert_int_equal(nested.major * 10 + nested.minor, 41);
    assert_string_equal(nested.tag, "FX10");
    assert_int_equal(nested.offset, 0);
    assert_int_equal(nested.bytes, bytes);
    assert_memory_equal(nested.data, data, bytes);
    assert_false(sch_shader_nested(f.shader, 1, &nested));
    assert_false(sch_shader_nested(inner.shader, 0, &nested));
    assert_false(sch_shader_nested(NULL, 0, &nested));
    assert_string_equal(sch_d3d_statistic(1), "temps");
    assert_null(sch_d3d_statistic(26));
    assert_null(sch_d3d_statistic(1000));

    struct sch_shader *made;
    struct sch_program *program;
    uint32_t *words;
    assert_int_equal(sch_shader_check(f.shader, f.list), SCH_OK);
    assert_int_equal(sch_diagnostics_warnings(f.list), 1);
    assert_int_equal(sch_shader_lower(f.shader, f.list, &made), SCH_ERROR_INVALID);
    assert_int_equal(sch_shader_tokens(f.shader, f.list, &words, &length), SCH_ERROR_INVALID);
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program), SCH_ERROR_INVALID);
    assert_int_equal(sch_diagnostics_errors(f.list), 3);
    sch_free(inner.context, data);
    release(&inner);
    release(&f);
}

static const char spaces_text[] =
    "ps_5_1\ndcl_constantbuffer CB0[3:4][1], dynamicIndexed, space=7\ndcl_sampler S0[0:*], mode_default, space=0\n"
    "dcl_resource_texture2d (float,float,float,float) T0[5:*], space=1\n"
    "dcl_resource_texture2d (float,float,float,float) T1[2:9], space=0\n"
    "dcl_resource_texture2d (float,float,float,float) T2[5:*], space=2\ndcl_uav_raw U0[1:1], space=0\n"
    "dcl_uav_typed_texture1d (uint,uint,uint,uint) U1[0:1], space=9\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\n"
    "mov o0.xyzw, CB0[v0.x + 3][0].xyzw\nret\n";

struct place {
    enum sch_range_class kind;
    uint32_t space, number;
    bool there;
    enum sch_unit_array array;
    uint32_t unit;
};

static void expect_units(const struct sch_shader *shader, const struct place *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sch_unit unit = {.size = sizeof unit};
        const struct place *at = &places[i];
        assert_int_equal(sch_shader_unit(shader, at->kind, at->space, at->number, &unit), at->there);
        if (!at->there) continue;
        assert_int_equal(unit.array, at->array);
        assert_int_equal(unit.number, at->unit);
    }
}

/* Bounded ranges first, in the order of the program; the two without end share what is left of 16384. */
static void test_units_of_register_spaces(void **state)
{
    static const struct place places[] = {{SCH_RANGE_CONSTANTS, 7, 3, true, SCH_UNITS_CONSTANTS, 0},
                                          {SCH_RANGE_CONSTANTS, 7, 4, true, SCH_UNITS_CONSTANTS, 1},
                                          {SCH_RANGE_CONSTANTS, 7, 5, false, 0, 0},
                                          {SCH_RANGE_CONSTANTS, 7, 2, false, 0, 0},
                                          {SCH_RANGE_CONSTANTS, 0, 3, false, 0, 0},
                                          {SCH_RANGE_SAMPLERS, 0, 16383, true, SCH_UNITS_SAMPLERS, 16383},
                                          {SCH_RANGE_SAMPLERS, 0, 16384, false, 0, 0},
                                          {SCH_RANGE_TEXTURES, 0, 9, true, SCH_UNITS_VIEWS, 7},
                                          {SCH_RANGE_TEXTURES, 1, 5, true, SCH_UNITS_VIEWS, 8},
                                          {SCH_RANGE_TEXTURES, 1, 5 + 8187, true, SCH_UNITS_VIEWS, 8195},
                                          {SCH_RANGE_TEXTURES, 1, 5 + 8188, false, 0, 0},
                                          {SCH_RANGE_TEXTURES, 2, 6, true, SCH_UNITS_VIEWS, 8197},
                                          {SCH_RANGE_VIEWS, 0, 1, true, SCH_UNITS_BUFFERS, 0},
                                          {SCH_RANGE_VIEWS, 9, 1, true, SCH_UNITS_IMAGES, 1},
                                          {SCH_RANGE_VIEWS, 9, 2, false, 0, 0}};
    (void)state;
    struct fixture f = read_text(spaces_text);
    struct sch_shader *lowered;
    assert_int_equal(sch_shader_lower(f.shader, f.list, &lowered), SCH_OK);
    expect_units(f.shader, places, sizeof places / sizeof *places);
    expect_units(lowered, places, sizeof places / sizeof *places);
    struct sch_range_info range = {.size = sizeof range};
    assert_true(sch_shader_range(f.shader, 3, &range)); /* s#, then t# in the order of their identifiers */
    assert_int_equal(range.kind, SCH_RANGE_TEXTURES);
    assert_int_equal(range.space, 2);
    assert_int_equal(range.first, 5);
    assert_int_equal(range.count, 0);
    assert_int_equal(range.unit, 8196);
    assert_int_equal(range.units, 8188);
    assert_true(range.spaces);
    assert_false(sch_shader_range(f.shader, 7, &range));
    range.size = 0;
    assert_false(sch_shader_range(f.shader, 0, &range));
    assert_false(sch_shader_unit(NULL, SCH_RANGE_VIEWS, 0, 1, &(struct sch_unit){.size = sizeof(struct sch_unit)}));
    sch_shader_destroy(lowered);
    release(&f);
}

/* Up to model 5.0 the number is the entry's, but of t# with bytes or structures, which begin at 64. */
static void test_units_of_plain_registers(void **state)
{
    static const struct place places[] = {{SCH_RANGE_CONSTANTS, 0, 13, true, SCH_UNITS_CONSTANTS, 13},
                                          {SCH_RANGE_CONSTANTS, 0, 12, false, 0, 0},
                                          {SCH_RANGE_CONSTANTS, 1, 13, false, 0, 0},
                                          {SCH_RANGE_TEXTURES, 0, 3, true, SCH_UNITS_BUFFERS, 67},
                                          {SCH_RANGE_TEXTURES, 0, 4, true, SCH_UNITS_VIEWS, 4},
                                          {SCH_RANGE_VIEWS, 0, 3, true, SCH_UNITS_BUFFERS, 3},
                                          {SCH_RANGE_SAMPLERS, 0, 2, true, SCH_UNITS_SAMPLERS, 2}};
    (void)state;
    struct fixture f =
        read_text("cs_5_0\ndcl_constantbuffer CB13[1], immediateIndexed\ndcl_sampler s2, mode_default\n"
                  "dcl_resource_raw t3\ndcl_resource_texture3d (float,float,float,float) t4\ndcl_uav_raw u3\n"
                  "dcl_thread_group 1, 1, 1\nret\n");
    expect_units(f.shader, places, sizeof places / sizeof *places);
    struct sch_range_info range = {.size = sizeof range};
    assert_true(sch_shader_range(f.shader, 0, &range));
    assert_false(range.spaces);
    release(&f);
}

/* Two lanes take two buffers of the range, the third one that is outside of it, though one is bound behind. */
static void test_constants_of_a_range(void **state)
{
    enum { LANES = 4 };
    (void)state;
    struct fixture f = read_text(spaces_text);
    struct sch_program *program;
    assert_int_equal(sch_program_create(f.context, f.shader, NULL, f.list, &program), SCH_OK);
    const uint32_t data[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    struct sch_constant_buffer constants[3];
    for (unsigned i = 0; i < 3; i++) constants[i] = (struct sch_constant_buffer){data[i], sizeof data[i]};
    const uint32_t inputs[LANES][4] = {{1}, {0}, {2}, {0xffffffff}}, none[4] = {0};
    uint32_t words[LANES][4];
    struct sch_bindings bindings = {.size = sizeof bindings, .constants = constants, .constant_count = 3};
    struct sch_invocations work = {.size = sizeof work,
                                   .count = LANES,
                                   .inputs = inputs[0],
                                   .input_bytes = sizeof inputs,
                                   .input_registers = 1,
                                   .outputs = words[0],
                                   .output_bytes = sizeof words,
                                   .output_registers = 1};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
    assert_memory_equal(words[0], data[1], sizeof words[0]);
    assert_memory_equal(words[1], data[0], sizeof words[1]);
    assert_memory_equal(words[2], none, sizeof words[2]);
    assert_memory_equal(words[3], none, sizeof words[3]);
    sch_program_destroy(program);
    release(&f);
}

static void test_shaders_of_tgsi_have_none_of_it(void **state)
{
    (void)state;
    struct fixture f = read_text("FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], OUT[0]\n  1: END\n");
    struct sch_d3d_info info = {.size = sizeof info};
    struct sch_signature_info element = {.size = sizeof element};
    struct sch_chunk_info chunk = {.size = sizeof chunk};
    assert_int_equal(sch_shader_language(f.shader), SCH_LANGUAGE_TGSI);
    assert_int_equal(sch_shader_get_d3d_info(f.shader, &info), SCH_ERROR_ARGUMENT);
    assert_false(sch_shader_signature(f.shader, SCH_SIGNATURE_INPUT, 0, &element));
    assert_false(sch_shader_chunk(f.shader, 0, &chunk));
    struct sch_interface_info interface = {.size = sizeof interface};
    assert_false(sch_shader_interface(f.shader, 0, &interface));
    struct sch_range_info range = {.size = sizeof range};
    assert_false(sch_shader_range(f.shader, 0, &range));
    release(&f);
}

static void test_table(void **state)
{
    (void)state;
    struct sch_d3d_opcode_info view = {.size = sizeof view};
    size_t rows = 0;
    while (sch_table_d3d(rows, &view)) rows++;
    assert_int_equal(rows, 231);
    assert_true(sch_table_d3d(69, &view));
    assert_string_equal(view.name, "sample");
    assert_string_equal(view.operands, "Dx Sf Rx P-");
    assert_string_equal(view.stages, "p");
    assert_int_equal(view.model, 40);
    assert_string_equal(view.runs_as, "SAMPLE");
    assert_string_equal(view.runs_with, "");
    assert_true(sch_table_d3d(78, &view));
    assert_string_equal(view.name, "udiv");
    assert_string_equal(view.runs_as, "UDIV");
    assert_string_equal(view.runs_with, "UMOD");
    view.size = 0;
    assert_false(sch_table_d3d(0, &view));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_container_and_text),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_lowered_shaders_are_checked_run_and_translated),
        cmocka_unit_test(test_what_is_not_lowered_is_refused),
        cmocka_unit_test(test_interfaces_are_listed_and_bound),
        cmocka_unit_test(test_interfaces_with_data),
        cmocka_unit_test(test_interfaces_beside_any_number_of_buffers),
        cmocka_unit_test(test_containers_without_a_program),
        cmocka_unit_test(test_units_of_register_spaces),
        cmocka_unit_test(test_units_of_plain_registers),
        cmocka_unit_test(test_constants_of_a_range),
        cmocka_unit_test(test_shaders_of_tgsi_have_none_of_it),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
