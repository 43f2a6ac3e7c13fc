/* Dispatches and draws on threads of the caller (struct sch_thread_callback): in any order, or side by side, outputs
 * and reports are the same. The pool's own threads are test_pool.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"
#include "../support/draw_support.h"

enum { OWN_COUNT = 320, OWN_ENDLESS = 137, OWN_THREADS = 5 };
enum order { FORWARDS, BACKWARDS, SIDE_BY_SIDE, ORDERS };

struct own_threads {
    enum order order;
    unsigned most; /* indices of a call */
    unsigned calls, indices;
};

struct own_work {
    void (*work)(void *job, uint32_t index);
    void *job;
    uint32_t index;
};

static void *do_own_work(void *user)
{
    const struct own_work *own = user;
    own->work(own->job, own->index);
    return NULL;
}

static void run_on_own_threads(void *user, uint32_t count, void (*work)(void *job, uint32_t index), void *job)
{
    struct own_threads *own = user;
    struct own_work works[OWN_THREADS];
    pthread_t threads[OWN_THREADS];
    assert_in_range(count, 2, own->most);
    own->calls++;
    own->indices += count;
    for (uint32_t i = 0; i < count; i++) {
        works[i] = (struct own_work){work, job, own->order == BACKWARDS ? count - 1 - i : i};
        if (own->order == SIDE_BY_SIDE)
            assert_int_equal(pthread_create(&threads[i], NULL, do_own_work, &works[i]), 0);
        else
            do_own_work(&works[i]);
    }
    for (uint32_t i = 0; i < count && own->order == SIDE_BY_SIDE; i++) pthread_join(threads[i], NULL);
}

/* Invocation OWN_ENDLESS of the second dispatch does not end. */
static void dispatch_on(struct own_threads *own)
{
    static uint32_t inputs[4 * OWN_COUNT], outputs[4 * OWN_COUNT];
    const struct sch_thread_callback threads = {run_on_own_threads, own};
    const struct sch_context_options options = {.size = sizeof options, .threads = &threads};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    struct sch_program *program = api_default_program(
        context, "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nBGNLOOP\nUIF IN[0].yyyy\nBRK\n"
                 "ENDIF\nENDLOOP\nUADD OUT[0], IN[0], IN[0].yyyy\nEND\n");
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = OWN_COUNT,
                                         .inputs = inputs,
                                         .input_bytes = sizeof inputs,
                                         .input_registers = 1,
                                         .outputs = outputs,
                                         .output_bytes = sizeof outputs,
                                         .output_registers = 1};
    struct sch_dispatch_options asked = {.size = sizeof asked, .threads = OWN_THREADS, .budget = 1000};
    struct sch_dispatch_report report = {.size = sizeof report};
    for (uint32_t i = 0; i < 4 * OWN_COUNT; i++) inputs[i] = i;
    assert_int_equal(sch_dispatch(program, NULL, &work, &asked, &report), SCH_OK);
    for (uint32_t i = 0; i < 4 * OWN_COUNT; i++) assert_int_equal(outputs[i], i + (i / 4 * 4 + 1));
    inputs[4 * OWN_ENDLESS + 1] = 0;
    assert_int_equal(sch_dispatch(program, NULL, &work, &asked, &report), SCH_ERROR_BUDGET);
    assert_int_equal(report.invocation, OWN_ENDLESS);
    assert_int_equal(own->calls, 2);
    assert_int_equal(own->indices, 2 * OWN_THREADS);
    asked.threads = 1;
    assert_int_equal(sch_dispatch(program, NULL, &work, &asked, &report), SCH_ERROR_BUDGET);
    assert_int_equal(own->calls, 2);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

static void test_own_threads(void **state)
{
    (void)state;
    for (enum order order = FORWARDS; order < ORDERS; order++) {
        struct own_threads own = {.order = order, .most = OWN_THREADS};
        dispatch_on(&own);
    }
    const struct sch_thread_callback none = {NULL, NULL};
    const struct sch_context_options options = {.size = sizeof options, .threads = &none};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_ERROR_ARGUMENT);
}

/* A draw of several chunks. No part of it takes more threads than asked for. */
static void draw_on(struct own_threads *own)
{
    enum { TRIANGLES = 20000, ASKED = 2 };
    static float vertices[TRIANGLES * 3][4];
    const struct sch_thread_callback threads = {run_on_own_threads, own};
    const struct sch_context_options options = {.size = sizeof options, .threads = &threads};
    struct sch_context *context = NULL;
    struct draw_scene scene;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    draw_begin_in(&scene, context, 64, 64, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    for (unsigned v = 0; v < TRIANGLES * 3; v++) {
        const unsigned pixel = v / 3 % (64 * 64), corner = v % 3;
        vertices[v][0] = draw_at(pixel % 64 + (corner == 1 ? 2 : -0.5), 64);
        vertices[v][1] = draw_at(pixel / 64 + (corner == 2 ? 2 : -0.5), 64);
        vertices[v][3] = 1;
    }
    draw_vertices(&scene, vertices[0], TRIANGLES * 3, 1);
    scene.vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    scene.fragment = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    scene.dispatch.threads = own->most = ASKED;
    draw(&scene, SCH_PRIMITIVE_TRIANGLES, TRIANGLES * 3);
    assert_true(own->calls > 2); /* a generation has more chunks than threads */
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) assert_int_equal(draw_pixel(&scene, x, y), 0xffffffff);
    draw_end(&scene);
}

static void test_own_threads_draw(void **state)
{
    (void)state;
    for (enum order order = FORWARDS; order < ORDERS; order++) {
        struct own_threads own = {.order = order};
        draw_on(&own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_threads), cmocka_unit_test(test_own_threads_draw)};
    return cmocka_run_group_tests_name("caller_threads", tests, NULL, NULL);
}
