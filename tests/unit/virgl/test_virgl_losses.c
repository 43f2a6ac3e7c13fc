/* Whatever allocation fails while a client is served: what it loses is counted with a reason, or it has lost nothing.
 * The reasons that only the end of memory has are all seen (tests/cli/refused.py names this test). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "virgl_stream.h"

enum { SIDE = 8, BYTES = SIDE * SIDE * 4, MANY = 40, REASONS = 64 };

static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char fragment[] =
    "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 1, 0, 1}\n  0: MOV OUT[0], IMM[0]\n  1: END\n";

struct seen {
    uint8_t texels[BYTES];
    unsigned frames;
};

static void look(void *user, const struct sch_virgl_frame *frame)
{
    struct seen *seen = user;
    assert_int_equal(frame->bytes, BYTES);
    memcpy(seen->texels, frame->texels, BYTES);
    seen->frames++;
}

static void add_state(struct stream *stream)
{
    STREAM(stream, CREATE_OBJECT, OBJECT_BLEND, 10, 0, 0, 0x78000000, 0, 0, 0, 0, 0, 0, 0);
    STREAM(stream, CREATE_OBJECT, OBJECT_RASTERIZER, 11, 1u << 29, 0, 0, 0, 0, 0, 0, 0);
    STREAM(stream, CREATE_OBJECT, OBJECT_DSA, 12, 0, 0, 0, 0);
    STREAM(stream, CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 13, 0, 0, 0, 31);
    STREAM(stream, CREATE_OBJECT, OBJECT_SURFACE, 14, 1, 67, 0, 0);
    for (uint32_t n = 0; n < 4; n++) STREAM(stream, BIND_OBJECT, n == 3 ? OBJECT_VERTEX_ELEMENTS : 1 + n, 10 + n);
    STREAM(stream, SET_FRAMEBUFFER_STATE, 0, 1, 0, 14);
    const uint32_t half = stream_float(SIDE / 2);
    STREAM(stream, SET_VIEWPORT_STATE, 0, 0, half, half, half, half, half, half);
    /* More objects, sub-contexts and resources than the first tables hold. */
    for (uint32_t n = 0; n < MANY; n++)
        STREAM(stream, CREATE_OBJECT, OBJECT_SAMPLER_STATE, 100 + n, 0, 0, 0, 0, 0, 0, 0, 0);
    for (uint32_t n = 0; n < MANY; n++) STREAM(stream, CREATE_SUB_CTX, 0, 1 + n);
}

static void make(struct stream *stream)
{
    const struct sch_virgl_resource_options window = {
        .target = 2, .format = 67, .bind = 0x8a, .width = SIDE, .height = SIDE, .depth = 1, .layers = 1};
    const struct sch_virgl_resource_options buffer = {.format = 64, .width = 64, .height = 1, .depth = 1, .layers = 1};
    const float corners[12] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
    stream_begin(stream);
    stream_resource(stream, 1, &window);
    stream_attach(stream, 1, BYTES);
    stream_resource(stream, 2, &buffer);
    stream_attach(stream, 2, 64);
    stream_memory(stream, 2, 0, corners, sizeof corners);
    stream_put(stream, 2, 0, (struct sch_virgl_box){.width = 64, .height = 1, .depth = 1});
    for (uint32_t n = 0; n < MANY; n++) stream_resource(stream, 3 + n, &buffer);
    add_state(stream);
    stream_shader(stream, 20, STAGE_VERTEX, vertex, NULL, 0);
    stream_shader(stream, 21, STAGE_FRAGMENT, fragment, NULL, 0);
    STREAM(stream, SET_VERTEX_BUFFERS, 0, 16, 0, 2);
    STREAM(stream, DRAW_VBO, 0, 0, 3, SCH_PRIMITIVE_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 2, 0);
    stream_submit(stream);
    stream_get(stream, 1, 0, (struct sch_virgl_box){.width = SIDE, .height = SIDE, .depth = 1});
}

/* False: there is no client. */
static bool play(const struct stream *stream, struct counting *counting, struct seen *seen,
                 struct sch_virgl_losses *losses, enum sch_result *result)
{
    const struct sch_allocator allocator = counting_callbacks(counting);
    const struct sch_context_options options = {.size = sizeof options, .memory = &allocator};
    const struct sch_virgl_frame_callbacks audience = {.show = look, .user = seen};
    struct sch_context *context = NULL;
    struct sch_virgl *virgl = NULL;
    *seen = (struct seen){.frames = 0};
    *losses = (struct sch_virgl_losses){.why = 0};
    if (sch_context_create(&options, &context) != SCH_OK) return false;
    const struct sch_virgl_options wanted = {.context = context, .engine = SCH_ENGINE_INTERPRETER, .losses = losses};
    const bool made = sch_virgl_create(&wanted, &virgl) == SCH_OK;
    if (made) {
        sch_virgl_set_frame_callbacks(virgl, &audience);
        *result = sch_virgl_play(virgl, stream->bytes, stream->used);
    }
    sch_virgl_destroy(virgl);
    sch_context_destroy(context);
    assert_int_equal(counting->live, 0);
    return made;
}

struct reasons {
    unsigned count;
    char text[REASONS][SCH_VIRGL_REASON];
};

/* Without the numbers of words and objects, which say where. */
static void add(struct reasons *reasons, const char *text)
{
    char kept[SCH_VIRGL_REASON];
    size_t used = 0;
    for (; *text; text++)
        if (*text < '0' || *text > '9') kept[used++] = *text;
    kept[used] = 0;
    for (unsigned n = 0; n < reasons->count; n++)
        if (!strcmp(reasons->text[n], kept)) return;
    assert_true(reasons->count < REASONS);
    memcpy(reasons->text[reasons->count++], kept, used + 1);
}

static bool has(const struct reasons *reasons, const char *text)
{
    for (unsigned n = 0; n < reasons->count; n++)
        if (strstr(reasons->text[n], text)) return true;
    return false;
}

static void nothing_is_lost_silently(void **state)
{
    (void)state;
    static const char *const wanted[] = {"blend state: no memory",
                                         "depth-stencil-alpha state: no memory",
                                         "rasterizer: no memory",
                                         "sampler: no memory",
                                         "shader: no memory",
                                         "renderer: no memory",
                                         "CREATE_OBJECT at word  of submit : no memory",
                                         "CREATE_SUB_CTX at word  of submit : no memory",
                                         "byte  of the recording: no memory",
                                         "resource : no memory"};
    static struct stream stream;
    static struct reasons reasons;
    struct seen whole, seen;
    struct sch_virgl_losses losses;
    struct counting counting = {0};
    enum sch_result result = SCH_OK;
    make(&stream);
    assert_true(play(&stream, &counting, &whole, &losses, &result));
    assert_int_equal(result, SCH_OK);
    assert_int_equal(whole.frames, 1);
    for (unsigned n = 0; n < SIDE * SIDE; n++) assert_memory_equal(whole.texels + 4 * n, "\0\xff\0\xff", 4);
    assert_false(sch_virgl_losses_any(&losses));
    assert_string_equal(losses.first, "");
    for (long n = 1, calls = counting.calls; n <= calls; n++) {
        counting = (struct counting){.fail_at = n};
        if (!play(&stream, &counting, &seen, &losses, &result)) continue;
        if (result == SCH_OK && !sch_virgl_losses_any(&losses)) {
            if (memcmp(&seen, &whole, sizeof seen) != 0 || losses.first[0])
                fail_msg("request %ld: nothing is lost, but the picture differs, or: %s", n, losses.first);
            continue;
        }
        if (!losses.first[0] || !(losses.why & SCH_VIRGL_WHY_MEMORY))
            fail_msg("request %ld is lost: %s (0x%x)", n, losses.first, losses.why);
        add(&reasons, losses.first);
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (has(&reasons, wanted[i])) continue;
        for (unsigned n = 0; n < reasons.count; n++) print_message("# %s\n", reasons.text[n]);
        fail_msg("never: %s", wanted[i]);
    }
}

/* Memory of a resource that has some: no message asks for that, but whoever calls can. */
static void memory_is_given_once(void **state)
{
    (void)state;
    static uint8_t memory[64];
    struct sch_context *context;
    struct sch_virgl *virgl;
    const struct sch_virgl_resource_options buffer = {.format = 64, .width = 64, .height = 1, .depth = 1, .layers = 1};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_virgl_create(&(struct sch_virgl_options){.context = context}, &virgl), SCH_OK);
    assert_int_equal(sch_virgl_resource_create(virgl, 1, &buffer), SCH_OK);
    assert_int_equal(sch_virgl_resource_attach(virgl, 1, memory, sizeof memory), SCH_OK);
    assert_int_equal(sch_virgl_resource_attach(virgl, 1, memory, sizeof memory), SCH_ERROR_ARGUMENT);
    const struct sch_virgl_losses losses = sch_virgl_get_losses(virgl);
    assert_string_equal(losses.first, "resource 1 has memory");
    assert_int_equal(losses.counts[SCH_VIRGL_LOST_RESOURCE], 1);
    sch_virgl_destroy(virgl);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost_silently),
                                       cmocka_unit_test(memory_is_given_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
