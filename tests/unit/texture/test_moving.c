/* What moves texels without a program, in parts: on any number of threads, in pieces of long rows, and until its
 * deadline or its caller's flag ends it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/draw.h>
#include <scheelite/scheelite.h>

enum { LONG = (5 << 20) + 7, WIDTH = 300, HEIGHT = 260, LARGE = 2048 };

static struct sch_context *context;

/* The last one first: what must be done in order is not left to threads. */
static void run_backwards(void *user, uint32_t count, void (*work)(void *job, uint32_t index), void *job)
{
    (void)user;
    while (count) work(job, --count);
}

static int set_up(void **state)
{
    (void)state;
    return sch_context_create(NULL, &context) == SCH_OK ? 0 : -1;
}

static int set_up_backwards(void **state)
{
    static const struct sch_thread_callback backwards = {run_backwards, NULL};
    const struct sch_context_options options = {.size = sizeof options, .threads = &backwards};
    (void)state;
    return sch_context_create(&options, &context) == SCH_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sch_context_destroy(context);
    return 0;
}

static struct sch_resource *make(enum sch_target target, enum sch_format format, uint32_t width, uint32_t height,
                                 uint32_t samples)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = target,
                                                 .format = format,
                                                 .width = width,
                                                 .height = height,
                                                 .depth = 1,
                                                 .layers = 1,
                                                 .levels = target == SCH_TARGET_2D ? 2 : 1,
                                                 .samples = samples};
    struct sch_resource *made;
    assert_int_equal(sch_resource_create(context, &options, NULL, &made), SCH_OK);
    return made;
}

static uint8_t *texels_of(const struct sch_resource *resource)
{
    uint8_t *texels = malloc(sch_resource_bytes(resource));
    assert_non_null(texels);
    assert_int_equal(sch_resource_read_all(resource, texels, sch_resource_bytes(resource)), SCH_OK);
    return texels;
}

static void fill(struct sch_resource *resource)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes);
    uint32_t word = 1;
    assert_non_null(texels);
    for (size_t i = 0; i < bytes; i++) texels[i] = (uint8_t)((word = word * 1664525u + 1013904223u) >> 24);
    assert_int_equal(sch_resource_write_all(resource, texels, bytes), SCH_OK);
    free(texels);
}

static void holds(struct sch_resource *resource, const uint8_t *texels)
{
    uint8_t *now = texels_of(resource);
    assert_memory_equal(now, texels, sch_resource_bytes(resource));
    free(now);
}

/* ---- pieces of a row ---- */

/* Rows of a buffer are longer than a part of the work. */
static void test_long_rows(void **state)
{
    const struct sch_moving_options moving = {.size = sizeof moving, .threads = 64}; /* more than parts */
    struct sch_resource *buffer = make(SCH_TARGET_BUFFER, SCH_FORMAT_R8_UNORM, LONG, 1, 0);
    uint8_t *wanted = malloc(LONG), *memory = malloc(LONG);
    (void)state;
    fill(buffer);
    assert_int_equal(sch_resource_read_all(buffer, wanted, LONG), SCH_OK);
    struct sch_transfer transfer = {.size = sizeof transfer, .box = {3, 0, 0, LONG - 3, 1, 1}, .moving = &moving};
    assert_int_equal(sch_resource_read(buffer, &transfer, memory, LONG - 3, NULL), SCH_OK);
    assert_memory_equal(memory, wanted + 3, LONG - 3);
    transfer.box = (struct sch_box){0, 0, 0, LONG - 3, 1, 1};
    assert_int_equal(sch_resource_write(buffer, &transfer, memory, LONG - 3, NULL), SCH_OK);
    memmove(wanted, wanted + 3, LONG - 3);
    holds(buffer, wanted);
    /* Boxes of one buffer overlap, in both directions. */
    struct sch_copy copy = {.size = sizeof copy, .x = 5, .source = {0, 0, 0, LONG - 5, 1, 1}, .moving = &moving};
    assert_int_equal(sch_resource_copy(buffer, buffer, &copy, NULL), SCH_OK);
    memmove(wanted + 5, wanted, LONG - 5);
    holds(buffer, wanted);
    copy.x = 0;
    copy.source.x = 5;
    assert_int_equal(sch_resource_copy(buffer, buffer, &copy, NULL), SCH_OK);
    memmove(wanted, wanted + 5, LONG - 5);
    holds(buffer, wanted);
    struct sch_clear clear = {
        .size = sizeof clear, .box = {1, 0, 0, LONG - 2, 1, 1}, .block = "x", .block_bytes = 1, .moving = &moving};
    assert_int_equal(sch_resource_clear(buffer, &clear, NULL), SCH_OK);
    memset(wanted + 1, 'x', LONG - 2);
    holds(buffer, wanted);
    free(wanted);
    free(memory);
    sch_resource_destroy(buffer);
}

/* ---- threads ---- */

static void blit(struct sch_resource *to, const struct sch_resource *from, enum sch_filter filter, uint32_t parts,
                 uint32_t threads)
{
    const struct sch_moving_options moving = {.size = sizeof moving, .threads = threads};
    const struct sch_blit wanted = {.size = sizeof wanted,
                                    .box = {1, 2, 0, WIDTH - 3, HEIGHT - 4, 1},
                                    .source = {WIDTH - 5, 3, 0, -WIDTH / 2, HEIGHT - 8, 1},
                                    .parts = parts,
                                    .filter = filter,
                                    .moving = &moving};
    assert_int_equal(sch_resource_blit(to, from, &wanted, NULL), SCH_OK);
}

/* Bits, masked bits, converted, filtered, resolved; from a level to itself, too. */
static void test_threads(void **state)
{
    static const struct {
        enum sch_format to, from;
        enum sch_filter filter;
        uint32_t parts, samples;
        bool same;
    } cases[] = {{SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FILTER_NEAREST, 0, 0, false},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILTER_NEAREST, SCH_PART_GREEN, 0, false},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_B5G6R5_UNORM, SCH_FILTER_NEAREST, 0, 0, false},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_DXT1_RGB, SCH_FILTER_LINEAR, 0, 0, false},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILTER_NEAREST, 0, 4, false},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILTER_LINEAR, 0, 4, false},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILTER_LINEAR, 0, 0, true}};
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        uint8_t *texels[2];
        for (unsigned i = 0; i < 2; i++) {
            struct sch_resource *to = make(SCH_TARGET_2D, cases[n].to, WIDTH, HEIGHT, 0),
                                *other = make(cases[n].samples ? SCH_TARGET_2D_MSAA : SCH_TARGET_2D, cases[n].from,
                                              WIDTH, HEIGHT, cases[n].samples);
            fill(other);
            fill(to);
            blit(to, cases[n].same ? to : other, cases[n].filter, cases[n].parts, i ? 4 : 1);
            texels[i] = texels_of(to);
            if (i) assert_memory_equal(texels[0], texels[1], sch_resource_bytes(to));
            sch_resource_destroy(to);
            sch_resource_destroy(other);
        }
        free(texels[0]);
        free(texels[1]);
    }
}

/* Texels of any size, in rows that are short, long or joined: what is in the box becomes the block, nothing else. */
static void test_clears(void **state)
{
    static const struct {
        enum sch_format format;
        uint32_t bytes;
    } formats[] = {{SCH_FORMAT_R8_UNORM, 1},           {SCH_FORMAT_R8G8_UNORM, 2},
                   {SCH_FORMAT_R8G8B8_UNORM, 3},       {SCH_FORMAT_R8G8B8A8_UNORM, 4},
                   {SCH_FORMAT_R16G16B16A16_UNORM, 8}, {SCH_FORMAT_R32G32B32_FLOAT, 12},
                   {SCH_FORMAT_R32G32B32A32_UINT, 16}};
    enum { LENGTH = 699, ROWS = 5 };
    static const struct sch_box boxes[] = {{0, 0, 0, LENGTH, ROWS, 1},  {0, 1, 0, LENGTH, 3, 1}, {3, 1, 0, 517, 2, 1},
                                           {1, 0, 0, LENGTH - 1, 5, 1}, {600, 2, 0, 31, 3, 1},   {5, 4, 0, 1, 1, 1}};
    (void)state;
    for (unsigned n = 0; n < sizeof formats / sizeof *formats * sizeof boxes / sizeof *boxes * 2; n++) {
        const struct sch_box *box = &boxes[n / 2 % (sizeof boxes / sizeof *boxes)];
        const uint32_t bytes = formats[n / 2 / (sizeof boxes / sizeof *boxes)].bytes;
        const struct sch_moving_options moving = {.size = sizeof moving, .threads = 1 + n % 2};
        const uint8_t block[16] = {1, 22, 43, 64, 85, 106, 127, 148, 169, 190, 211, 232, 253, 18, 39, 60};
        struct sch_resource *resource =
            make(SCH_TARGET_2D, formats[n / 2 / (sizeof boxes / sizeof *boxes)].format, LENGTH, ROWS, 0);
        fill(resource);
        uint8_t *wanted = texels_of(resource);
        for (int32_t y = box->y; y < box->y + box->height; y++)
            for (int32_t x = box->x; x < box->x + box->width; x++)
                memcpy(wanted + ((size_t)y * LENGTH + (size_t)x) * bytes, block, bytes);
        const struct sch_clear clear = {
            .size = sizeof clear, .box = *box, .block = block, .block_bytes = bytes, .moving = &moving};
        assert_int_equal(sch_resource_clear(resource, &clear, NULL), SCH_OK);
        holds(resource, wanted);
        free(wanted);
        sch_resource_destroy(resource);
    }
}

/* ---- ends ---- */

static enum sch_result clear_framebuffer(struct sch_resource *resource, const struct sch_moving_options *moving)
{
    const struct sch_surface_options options = {.size = sizeof options};
    const struct sch_framebuffer_clear clear = {.size = sizeof clear, .parts = SCH_PART_COLOR, .moving = moving};
    struct sch_renderer *renderer;
    struct sch_surface *surface;
    struct sch_framebuffer *framebuffer;
    assert_int_equal(sch_renderer_create(context, &renderer), SCH_OK);
    assert_int_equal(sch_surface_create(resource, &options, NULL, &surface), SCH_OK);
    const struct sch_framebuffer_options whole = {.size = sizeof whole, .colors = {surface}};
    assert_int_equal(sch_framebuffer_create(context, &whole, NULL, &framebuffer), SCH_OK);
    const enum sch_result result = sch_renderer_clear(renderer, framebuffer, &clear, NULL);
    sch_framebuffer_destroy(framebuffer);
    sch_surface_destroy(surface);
    sch_renderer_destroy(renderer);
    return result;
}

/* What ends before it begins writes nothing. */
static void test_cancelled(void **state)
{
    const uint32_t cancel = 1;
    const struct sch_moving_options moving = {.size = sizeof moving, .threads = 2, .cancel = &cancel};
    struct sch_resource *a = make(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, 0),
                        *b = make(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, 0),
                        *shared = make(SCH_TARGET_2D, SCH_FORMAT_R9G9B9E5_FLOAT, WIDTH, HEIGHT, 0);
    const struct sch_transfer transfer = {.size = sizeof transfer, .moving = &moving};
    const struct sch_copy copy = {.size = sizeof copy, .moving = &moving};
    const struct sch_clear clear = {.size = sizeof clear, .moving = &moving},
                           red = {.size = sizeof red, .parts = SCH_PART_RED, .moving = &moving};
    const struct sch_blit near = {.size = sizeof near, .moving = &moving};
    const struct sch_mips mips = {.size = sizeof mips, .moving = &moving};
    uint8_t memory[WIDTH * HEIGHT * 4] = {1}, other[sizeof memory] = {1};
    (void)state;
    fill(a);
    fill(shared);
    uint8_t *wanted = texels_of(a), *wanted_shared = texels_of(shared);
    assert_int_equal(sch_resource_write(a, &transfer, memory, sizeof memory, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_resource_read(a, &transfer, memory, sizeof memory, NULL), SCH_ERROR_CANCELLED);
    assert_memory_equal(memory, other, sizeof memory);
    assert_int_equal(sch_resource_copy(a, b, &copy, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_resource_copy(a, a, &copy, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_resource_clear(a, &clear, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_resource_clear(shared, &red, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_resource_blit(a, b, &near, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_resource_make_mips(a, &mips, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(clear_framebuffer(a, &moving), SCH_ERROR_CANCELLED);
    holds(a, wanted);
    holds(shared, wanted_shared);
    const struct sch_moving_options many = {.size = sizeof many, .threads = 257};
    const struct sch_transfer wrong = {.size = sizeof wrong, .moving = &many};
    assert_int_equal(sch_resource_write(a, &wrong, memory, sizeof memory, NULL), SCH_ERROR_ARGUMENT);
    free(wanted);
    free(wanted_shared);
    sch_resource_destroy(a);
    sch_resource_destroy(b);
    sch_resource_destroy(shared);
}

static void test_deadline(void **state)
{
    const struct sch_moving_options moving = {.size = sizeof moving, .threads = 2, .deadline_ms = 1};
    struct sch_resource *to = make(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, LARGE, LARGE, 0),
                        *from = make(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 16, 16, 0);
    const struct sch_blit wide = {.size = sizeof wide, .filter = SCH_FILTER_LINEAR, .moving = &moving};
    const struct sch_mips mips = {.size = sizeof mips, .moving = &moving};
    (void)state;
    fill(from);
    assert_int_equal(sch_resource_blit(to, from, &wide, NULL), SCH_ERROR_DEADLINE);
    assert_int_equal(sch_resource_make_mips(to, &mips, NULL), SCH_ERROR_DEADLINE);
    uint8_t *texels = texels_of(to);
    const uint8_t *last = texels + (size_t)LARGE * LARGE * 4 - 4;
    assert_int_equal(last[0] | last[1] | last[2] | last[3], 0); /* its last rows were left out */
    free(texels);
    sch_resource_destroy(to);
    sch_resource_destroy(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_rows), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_clears), cmocka_unit_test(test_cancelled),
                                       cmocka_unit_test(test_deadline)};
    const struct CMUnitTest in_order[] = {cmocka_unit_test(test_long_rows)};
    const int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    return failed + cmocka_run_group_tests(in_order, set_up_backwards, tear_down);
}
