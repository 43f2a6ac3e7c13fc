/* The memory that calls take of a context: none for what is not given, a name's length for a name, and nothing that is
 * left when one of their allocations fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/counting.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sch_context *make_counted(struct counting *counting)
{
    const struct sch_allocator memory = counting_callbacks(counting);
    const struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

static struct sch_shader *read_named(struct sch_context *context, const char *text)
{
    const struct sch_read_options named = {.size = sizeof named, .name = "its name"};
    struct sch_shader *shader = NULL;
    if (sch_shader_read(context, text, strlen(text), &named, NULL, &shader) != SCH_OK) fail_msg("%s", text);
    return shader;
}

/* A dispatch takes memory for the handles that it is given: arrays of no length take none. */
static void arrays_take_memory_when_they_are_there(void **state)
{
    (void)state;
    static uint32_t words[4];
    static struct sch_view *const views[1] = {NULL};
    static struct sch_sampler *const samplers[1] = {NULL};
    static struct sch_image *const images[1] = {NULL};
    const struct sch_constant_buffer constants = {words, sizeof words};
    const struct sch_storage_buffer buffer = {words, sizeof words};
    const struct sch_interface_slot slot = {0};
    const struct {
        struct sch_bindings bindings;
        long more;
    } rows[] = {{{.constants = &constants, .constant_count = 1}, 0}, /* used where they are */
                {{.views = views, .view_count = 1}, 1},
                {{.samplers = samplers, .sampler_count = 1}, 1},
                {{.images = images, .image_count = 1}, 1},
                {{.color_buffers = images, .color_buffer_count = 1}, 1},
                {{.buffers = &buffer, .buffer_count = 1}, 0},
                {{.hw_atomics = &buffer, .hw_atomic_count = 1}, 0},
                {{.interfaces = &slot, .interface_count = 1}, 2}, /* and the buffers that they are */
                {{.constants = &constants, .buffers = &buffer, .views = views}, 0}};
    struct counting counting = {0};
    const struct sch_invocations work = {.size = sizeof work, .count = 1};
    struct sch_context *context = make_counted(&counting);
    struct sch_program *program = NULL;
    struct sch_shader *shader = read_named(context, "VERT\nEND\n");
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    long none = 0;
    for (unsigned twice = 0; twice < 2; twice++) { /* the first one may make what later ones keep */
        none = counting.calls;
        assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_OK);
        none = counting.calls - none;
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sch_bindings bindings = rows[i].bindings;
        bindings.size = sizeof bindings;
        const long before = counting.calls, live = counting.live;
        assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
        if (counting.calls - before != none + rows[i].more)
            fail_msg("row %zu: %ld more", i, counting.calls - before - none);
        assert_int_equal(counting.live, live);
    }
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

struct subjects {
    struct sch_context *context;
    struct sch_shader *tgsi, *d3d;
    struct sch_program *program;
    struct sch_diagnostics_list *list;
};

/* What a call made; one of them. */
struct made {
    struct sch_shader *shader;
    struct sch_program *program;
    void *memory;
};

static enum sch_result call(unsigned number, const struct subjects *s, struct made *made)
{
    static uint32_t pixels[4];
    static const struct sch_rectangle_register registers[1] = {{.planar = 0}};
    static const struct sch_render_target render_target = {
        .pixels = pixels, .bytes = sizeof pixels, .row_bytes = 8, .format = SCH_RENDER_TARGET_UNORM8};
    static const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                                   .width = 2,
                                                   .height = 2,
                                                   .registers = registers,
                                                   .register_stride = sizeof(struct sch_rectangle_register),
                                                   .register_count = 1,
                                                   .render_targets = &render_target,
                                                   .render_target_stride = sizeof(struct sch_render_target),
                                                   .render_target_count = 1};
    static const struct sch_maxwell_pool_options named = {.size = sizeof named, .name = "its name"};
    static const char header[] = "header 0 ONE_D_BUFFER { }";
    static const uint32_t entry[8] = {0};
    const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = s->list};
    size_t size;
    switch (number) {
    case 0:
        return sch_shader_tokens(s->tgsi, s->list, (uint32_t **)&made->memory, &size);
    case 1:
        return sch_shader_tokens(s->d3d, s->list, (uint32_t **)&made->memory, &size);
    case 2:
        return sch_shader_serialize(s->tgsi, s->list, &made->memory, &size);
    case 3:
        return sch_shader_serialize(s->d3d, s->list, &made->memory, &size);
    case 4:
        return sch_shader_lower(s->d3d, s->list, &made->shader);
    case 5:
        return sch_program_create(s->context, s->d3d, NULL, s->list, &made->program);
    case 6:
        return sch_shader_translate(s->d3d, NULL, s->list, (char **)&made->memory, &size);
    case 7:
        return sch_shader_print(s->d3d, NULL, (char **)&made->memory, &size);
    case 8:
        return sch_maxwell_pool_assemble(s->context, header, strlen(header), &named, s->list, &made->memory, &size);
    case 9:
        return sch_maxwell_pool_print(s->context, entry, sizeof entry, &named, s->list, (char **)&made->memory, &size);
    default:
        return sch_dispatch_rectangle(s->program, NULL, &rectangle, &run, NULL);
    }
}

/* Each allocation of calls that have a list fails once, that of the list's name, too: they give nothing, and nothing is
 * left. */
static void calls_fail_cleanly(void **state)
{
    (void)state;
    enum { CALLS = 11 };
    struct counting counting = {0};
    struct subjects s = {.context = make_counted(&counting)};
    s.tgsi = read_named(s.context, "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
    s.d3d = read_named(s.context, "ps_5_0\ndcl_output o0.xyzw\ndcl_function_body fb0\ndcl_function_table ft0 = {fb0}\n"
                                  "dcl_interface fp0[2][1] = {ft0, ft0}\ndcl_sampler s0, mode_default\n"
                                  "mov o0.xyzw, l(0, 0, 0, 0)\nfcall fp0[0][0]\nret\nlabel fb0\nret\n");
    assert_int_equal(sch_program_create(s.context, s.tgsi, NULL, NULL, &s.program), SCH_OK);
    for (unsigned number = 0; number < CALLS; number++) {
        enum sch_result result = SCH_ERROR_MEMORY;
        for (long n = 1; result != SCH_OK; n++) {
            struct made made = {.memory = NULL};
            const long live = counting.live;
            assert_int_equal(sch_diagnostics_create(s.context, &s.list), SCH_OK);
            counting.fail_at = counting.calls + n;
            result = call(number, &s, &made);
            counting.fail_at = 0;
            if (result != SCH_OK && result != SCH_ERROR_MEMORY) fail_msg("call %u, %ld: %d", number, n, result);
            const bool gives = made.memory || made.shader || made.program;
            if (gives != (result == SCH_OK && number < CALLS - 1)) fail_msg("call %u, %ld gives", number, n);
            sch_free(s.context, made.memory);
            sch_shader_destroy(made.shader);
            sch_program_destroy(made.program);
            sch_diagnostics_destroy(s.list);
            if (counting.live > live && number < CALLS - 1) fail_msg("call %u, %ld leaks", number, n);
            assert_true(n < 1000);
        }
    }
    sch_program_destroy(s.program);
    sch_shader_destroy(s.tgsi);
    sch_shader_destroy(s.d3d);
    sch_context_destroy(s.context);
    assert_int_equal(counting.live, 0);
}

/* Of a name its bytes and a zero are kept. */
static void names_take_their_length(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "", "a", "a name of some length"};
    size_t none = 0;
    struct counting counting = {0};
    struct sch_context *context = make_counted(&counting);
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct sch_read_options named = {.size = sizeof named, .name = names[i]};
        struct sch_context_memory before = {.size = sizeof before}, after = {.size = sizeof after};
        struct sch_shader *shader = NULL;
        assert_int_equal(sch_context_get_memory(context, &before), SCH_OK);
        assert_int_equal(sch_shader_read(context, "FRAG\nEND\n", 9, &named, NULL, &shader), SCH_OK);
        assert_int_equal(sch_context_get_memory(context, &after), SCH_OK);
        const size_t held = after.held - before.held, length = names[i] ? strlen(names[i]) : 0;
        if (i == 0) none = held;
        assert_int_equal(held, none + length);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_take_memory_when_they_are_there),
        cmocka_unit_test(calls_fail_cleanly),
        cmocka_unit_test(names_take_their_length),
    };
    return cmocka_run_group_tests_name("memory_of_calls", tests, NULL, NULL);
}
