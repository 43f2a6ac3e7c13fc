/* The known ways in which clients broke servers of the virgl protocol: a recorded stream for each vulnerability that
 * virglrenderer was given a number for, up to 2026. Each is refused with what is wrong, holds no memory the second time
 * that it did not hold the first time, and leaves a client that draws. Before each stands its number, where it was, and
 * what it did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "virgl_stream.h"

enum { TEXTURE_2D = 2, TEXTURE_3D = 3 };
enum { R8G8B8A8 = 67, R8 = 64, R32G32B32A32_FLOAT = 31, DXT1 = 105 };
enum { SIDE = 8, WINDOW_BYTES = SIDE * SIDE * 4, WINDOW = 500, SUB = 7, DISPLAY = 0x8a };
enum { ONE = 0x3f800000, MINUS_ONE = 0xbf800000, HALF = 0x3f000000 };

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char fragment_text[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {0, 1065353216, 0, 1065353216}\n"
                                    "  0: MOV OUT[0], IMM[0]\n  1: END\n";

/* ---- parts ---- */

static void add_texture(struct stream *stream, uint32_t handle, uint32_t memory)
{
    const struct sch_virgl_resource_options options = {
        .target = TEXTURE_2D, .format = R8G8B8A8, .bind = 2, .width = SIDE, .height = SIDE, .depth = 1, .layers = 1};
    stream_resource(stream, handle, &options);
    if (memory) stream_attach(stream, handle, memory);
}

static void add_buffer(struct stream *stream, uint32_t handle, uint32_t bytes)
{
    const struct sch_virgl_resource_options options = {
        .format = R8, .bind = 16, .width = bytes, .height = 1, .depth = 1, .layers = 1};
    stream_resource(stream, handle, &options);
    stream_attach(stream, handle, bytes);
}

/* All that a draw needs: surface 1 of texture 1 in the framebuffer, vertices in buffer 2, programs, elements 5. */
static void add_scene(struct stream *stream)
{
    const uint32_t side = stream_float(SIDE / 2);
    add_texture(stream, 1, WINDOW_BYTES);
    add_buffer(stream, 2, 256);
    STREAM(stream, CREATE_OBJECT, OBJECT_SURFACE, 1, 1, R8G8B8A8, 0, 0);
    STREAM(stream, SET_FRAMEBUFFER_STATE, 0, 1, 0, 1);
    STREAM(stream, SET_VIEWPORT_STATE, 0, 0, side, side, ONE, side, side, 0);
    stream_shader(stream, 3, STAGE_VERTEX, vertex_text, NULL, 0);
    stream_shader(stream, 4, STAGE_FRAGMENT, fragment_text, NULL, 0);
    STREAM(stream, CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 5, 0, 0, 0, R32G32B32A32_FLOAT);
    STREAM(stream, BIND_OBJECT, OBJECT_VERTEX_ELEMENTS, 5);
    STREAM(stream, SET_VERTEX_BUFFERS, 0, 16, 0, 2);
}

static void add_draw(struct stream *stream, uint32_t start, uint32_t count)
{
    STREAM(stream, DRAW_VBO, 0, start, count, SCH_PRIMITIVE_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, UINT32_MAX, 0);
}

/* A client that still draws: a window is cleared to half red in a sub-context of its own, and shown. */
static void add_proof(struct stream *stream)
{
    const struct sch_virgl_resource_options window = {.target = TEXTURE_2D,
                                                      .format = R8G8B8A8,
                                                      .bind = DISPLAY,
                                                      .width = SIDE,
                                                      .height = SIDE,
                                                      .depth = 1,
                                                      .layers = 1};
    stream_resource(stream, WINDOW, &window);
    stream_attach(stream, WINDOW, WINDOW_BYTES);
    STREAM(stream, CREATE_SUB_CTX, 0, SUB);
    STREAM(stream, SET_SUB_CTX, 0, SUB);
    STREAM(stream, CREATE_OBJECT, OBJECT_SURFACE, 1, WINDOW, R8G8B8A8, 0, 0);
    STREAM(stream, SET_FRAMEBUFFER_STATE, 0, 1, 0, 1);
    STREAM(stream, CLEAR, 0, 4, HALF, 0, 0, ONE, 0, 0, 0);
    stream_submit(stream);
    stream_get(stream, WINDOW, 0, (struct sch_virgl_box){0, 0, 0, SIDE, SIDE, 1});
}

/* ---- the streams: each adds its attack so many times ---- */

/* CVE-2016-10163, creation of a context: what one with a number in use had taken was lost. */
static void contexts_twice(struct stream *stream, unsigned times)
{
    STREAM(stream, CREATE_SUB_CTX, 0, 1);
    for (unsigned n = 0; n < times; n++) STREAM(stream, CREATE_SUB_CTX, 0, 1);
    stream_submit(stream);
}

/* CVE-2016-10214, backing of a resource: the first memory was lost when a second one was attached. */
static void memory_twice(struct stream *stream, unsigned times)
{
    add_texture(stream, 1, WINDOW_BYTES);
    for (unsigned n = 0; n < times; n++) stream_attach(stream, 1, WINDOW_BYTES);
}

static void add_bad_shader(struct stream *stream, enum stage stage, const char *text, unsigned times)
{
    for (unsigned n = 0; n < times; n++) stream_shader(stream, 9, stage, text, NULL, 0);
    stream_submit(stream);
}

/* CVE-2017-5580, tgsi_text: texture offsets were written behind an array for as long as there were commas. */
static void many_texture_offsets(struct stream *stream, unsigned times)
{
    static char text[4096] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                             "DCL SVIEW[0], 2D, FLOAT\nIMM[0] INT32 {1, 1, 1, 1}\nTEX OUT[0], IN[0], SAMP[0], 2D";
    if (!strstr(text, "END")) {
        for (unsigned n = 0; n < 200; n++) strcat(text, ", IMM[0].xyx");
        strcat(text, "\nEND\n");
    }
    add_bad_shader(stream, STAGE_FRAGMENT, text, times);
}

/* CVE-2017-6209, tgsi_text: the name of a property was copied to a buffer on the stack, however long it was. */
static void long_property(struct stream *stream, unsigned times)
{
    static char text[4096] = "FRAG\nPROPERTY ";
    if (!strstr(text, "END")) {
        memset(text + strlen(text), 'A', 3000);
        strcat(text, " 1\nEND\n");
    }
    add_bad_shader(stream, STAGE_FRAGMENT, text, times);
}

/* CVE-2017-6355, creation of a shader: offset and length of a part were added up beyond 2^32, and copied. */
static void parts_beyond_the_text(struct stream *stream, unsigned times)
{
    const uint32_t part[] = {9, STAGE_FRAGMENT, 64, 300, 0, 0x47415246};
    uint32_t words[16] = {9, STAGE_FRAGMENT, 0xfffffffc, 300, 0};
    stream_command(stream, SCH_VIRGL_CREATE_OBJECT, OBJECT_SHADER, sizeof part / 4, part);
    for (unsigned n = 0; n < times; n++) stream_command(stream, SCH_VIRGL_CREATE_OBJECT, OBJECT_SHADER, 16, words);
    words[2] = 0xffffffff;
    words[0] = 10;
    stream_command(stream, SCH_VIRGL_CREATE_OBJECT, OBJECT_SHADER, 16, words);
    stream_submit(stream);
}

/* CVE-2017-5937, clear: the mask named surfaces that there were not, which were looked into. */
static void clears_of_nothing(struct stream *stream, unsigned times)
{
    for (unsigned n = 0; n < times; n++) STREAM(stream, CLEAR, 0, 0xffffffff, ONE, 0, 0, ONE, 0, 0, 0);
    add_scene(stream);
    STREAM(stream, CLEAR, 0, 0xffffffff, ONE, 0, 0, ONE, 0, 0, 0);
    stream_submit(stream);
}

/* CVE-2017-5956, draw: elements named vertex buffers beyond those that were set, which were looked into. */
static void elements_without_buffers(struct stream *stream, unsigned times)
{
    add_scene(stream);
    for (unsigned n = 0; n < times; n++)
        STREAM(stream, CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 9, 0, 0, 0xffffffff, R32G32B32A32_FLOAT);
    STREAM(stream, CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 10, 0xfffffff0, 0, 31, R32G32B32A32_FLOAT);
    STREAM(stream, BIND_OBJECT, OBJECT_VERTEX_ELEMENTS, 10);
    add_draw(stream, 0xfffffff0, 3); /* reads zeros */
    stream_submit(stream);
}

/* CVE-2017-5957, framebuffer: as many handles as the client said were copied to an array on the stack. */
static void many_color_buffers(struct stream *stream, unsigned times)
{
    add_scene(stream);
    for (unsigned n = 0; n < times; n++)
        STREAM(stream, SET_FRAMEBUFFER_STATE, 0, 0xffffffff, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    stream_submit(stream);
}

/* CVE-2017-5993, blit: each one made the blitter anew, and lost the one before. Here one of two is right. */
static void blits_again(struct stream *stream, unsigned times)
{
    add_texture(stream, 1, WINDOW_BYTES);
    add_texture(stream, 2, 0);
    for (unsigned n = 0; n < times; n++) {
        STREAM(stream, BLIT, 0, 0xf, 0, 0, 1, 0, R8G8B8A8, 0, 0, 0, 4, 4, 1, 2, 0, R8G8B8A8, 0, 0, 0, 8, 8, 1);
        STREAM(stream, BLIT, 0, 0xf, 0, 0, 1, 5, R8G8B8A8, 0, 0, 0, 4, 4, 1, 2, 0, R8G8B8A8, 0, 0, 0, 8, 8, 1);
    }
    stream_submit(stream);
}

static void add_many_elements(struct stream *stream, uint32_t count, unsigned times)
{
    static uint32_t words[1 + 4 * 600] = {9};
    for (uint32_t n = 0; n < count; n++) words[4 + 4 * n] = R32G32B32A32_FLOAT;
    for (unsigned n = 0; n < times; n++)
        stream_command(stream, SCH_VIRGL_CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 1 + 4 * count, words);
    stream_submit(stream);
}

/* CVE-2017-5994, vertex elements: as many as the client said were written to an array of 32. */
static void many_elements(struct stream *stream, unsigned times)
{
    add_many_elements(stream, 600, times > 40 ? 40 : times);
}

/* CVE-2017-6210, reset of a decoder: a context that was gone was still the current one. */
static void commands_without_context(struct stream *stream, unsigned times)
{
    for (unsigned n = 0; n < times; n++) {
        STREAM(stream, CREATE_SUB_CTX, 0, 1);
        STREAM(stream, SET_SUB_CTX, 0, 1);
        STREAM(stream, CREATE_OBJECT, OBJECT_DSA, 1, 0, 0, 0, 0);
        STREAM(stream, DESTROY_SUB_CTX, 0, 1);
        STREAM(stream, BIND_OBJECT, OBJECT_DSA, 1);
        STREAM(stream, SET_SUB_CTX, 0, 1);
        STREAM(stream, DESTROY_SUB_CTX, 0, 0);
    }
    stream_submit(stream);
}

/* CVE-2017-6317, linking of programs: what was made before an error was lost. */
static void programs_that_do_not_fit(struct stream *stream, unsigned times)
{
    static const uint32_t output_9[] = {4, 0, 0, 0, 4u << 10 | 9, 0};
    add_scene(stream);
    stream_shader(stream, 9, STAGE_VERTEX, vertex_text, output_9, 1);
    for (unsigned n = 0; n < times; n++) add_draw(stream, 0, 3);
    stream_submit(stream);
}

/* CVE-2017-6386, vertex elements: those that the correction of CVE-2017-5994 refused were lost. */
static void refused_elements(struct stream *stream, unsigned times)
{
    add_many_elements(stream, 33, times > 40 ? 40 : times);
}

/* CVE-2019-18388, resources: shapes that there are not were made, and what was not made was looked into. */
static void impossible_resources(struct stream *stream, unsigned times)
{
    static const struct sch_virgl_resource_options options[] = {
        {.target = 99, .format = R8G8B8A8, .width = 1, .height = 1},
        {.target = TEXTURE_2D, .format = 0xffffffff, .width = 1, .height = 1},
        {.target = TEXTURE_2D, .format = DXT1, .width = 3, .height = 3, .last_level = 0xffffffff},
        {.target = TEXTURE_2D, .format = R8G8B8A8, .width = 0, .height = 0},
        {.target = TEXTURE_3D, .format = R8G8B8A8, .width = 1, .height = 1, .depth = 1, .samples = 0xffffffff}};
    for (unsigned n = 0; n < times; n++)
        for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
            stream_resource(stream, 9, &options[i]);
            stream_get(stream, 9, 0, (struct sch_virgl_box){0, 0, 0, 1, 1, 1});
        }
}

static void add_transfers(struct stream *stream, struct sch_virgl_box box, unsigned times)
{
    for (unsigned n = 0; n < times; n++)
        for (uint32_t direction = 1; direction <= 2; direction++)
            STREAM(stream, TRANSFER3D, 0, 1, 0, 0, 0, 0, box.x, box.y, box.z, box.width, box.height, box.depth, 0,
                   direction);
    stream_submit(stream);
    stream_put(stream, 1, 0, box);
    stream_get(stream, 1, 0, box);
}

/* CVE-2019-18389, transfers: corners and sides below 0 were in bounds, and led in front of the memory. */
static void negative_boxes(struct stream *stream, unsigned times)
{
    add_texture(stream, 1, WINDOW_BYTES);
    add_transfers(stream, (struct sch_virgl_box){0xfffffff8, 0, 0, 16, 1, 1}, times);
    add_transfers(stream, (struct sch_virgl_box){0, 0, 0, 0xfffffff8, 1, 1}, times);
    add_transfers(stream, (struct sch_virgl_box){0, 0x80000000, 0, 1, 1, 1}, times);
}

/* CVE-2019-18390, blit: a table was read at a format that it did not have. */
static void blits_of_no_format(struct stream *stream, unsigned times)
{
    add_texture(stream, 1, WINDOW_BYTES);
    add_texture(stream, 2, 0);
    for (unsigned n = 0; n < times; n++)
        STREAM(stream, BLIT, 0, 0xf, 0, 0, 1, 0, 0x7fffffff, 0, 0, 0, 4, 4, 1, 2, 0, 0xffffffff, 0, 0, 0, 8, 8, 1);
    stream_submit(stream);
}

/* CVE-2019-18391, transfers: more was copied than the client's memory has. */
static void transfers_beyond_the_memory(struct stream *stream, unsigned times)
{
    add_texture(stream, 1, WINDOW_BYTES / 2);
    add_transfers(stream, (struct sch_virgl_box){0, 0, 0, SIDE, SIDE, 1}, times);
}

/* CVE-2020-8002, grids: the compute program was looked into without there being one. */
static void grids_without_program(struct stream *stream, unsigned times)
{
    for (unsigned n = 0; n < times; n++) STREAM(stream, LAUNCH_GRID, 0, 1, 1, 1, 1, 1, 1, 0, 0);
    stream_submit(stream);
}

/* CVE-2020-8003, textures: one for which there was no memory was freed twice. */
static void textures_beyond_memory(struct stream *stream, unsigned times)
{
    const struct sch_virgl_resource_options options = {
        .target = TEXTURE_2D, .format = R32G32B32A32_FLOAT, .width = 16384, .height = 16384, .depth = 1, .layers = 1};
    for (unsigned n = 0; n < times; n++) {
        stream_resource(stream, 9, &options);
        stream_destroy(stream, 9);
    }
}

/* CVE-2022-0135, transfers: a box had a depth where the texture has none, and was written behind it. */
static void boxes_with_depth(struct stream *stream, unsigned times)
{
    add_texture(stream, 1, 4 * WINDOW_BYTES);
    add_transfers(stream, (struct sch_virgl_box){0, 0, 0, SIDE, SIDE, 4}, times);
}

/* CVE-2022-0175, memory of resources: the client could read what the server's memory had held before. Here a transfer
 * beyond the buffer is refused, too, and all of a new one is zero (below). */
static void new_memory(struct stream *stream, unsigned times)
{
    const struct sch_virgl_resource_options options = {
        .format = R8, .bind = DISPLAY, .width = 256, .height = 1, .depth = 1, .layers = 1};
    static const uint8_t before[256] = {1, 2, 3};
    stream_resource(stream, 1, &options);
    stream_attach(stream, 1, 256);
    stream_memory(stream, 1, 0, before, sizeof before);
    stream_get(stream, 1, 0, (struct sch_virgl_box){0, 0, 0, 256, 1, 1});
    for (unsigned n = 0; n < times; n++) stream_get(stream, 1, 0, (struct sch_virgl_box){0, 0, 0, 257, 1, 1});
}

/* ---- what comes of them ---- */

static const struct attack {
    const char *number;
    void (*add)(struct stream *stream, unsigned times);
    const char *reason;
} attacks[] = {
    {"2016-10163", contexts_twice, "CREATE_SUB_CTX at word 2 of submit 1: there is a sub-context 1"},
    {"2016-10214", memory_twice, "of the recording: it has memory"},
    {"2017-5580", many_texture_offsets, "CREATE_OBJECT at word 0 of submit 1: shader: line 7, column"},
    {"2017-6209", long_property, "CREATE_OBJECT at word 0 of submit 1: shader: line 2, column"},
    {"2017-6355", parts_beyond_the_text, "a part from byte 2147483644 on of a text of which 4 bytes are there"},
    {"2017-5937", clears_of_nothing, "CLEAR at word 0 of submit 1: there is no framebuffer"},
    {"2017-5956", elements_without_buffers, "vertex element 0: no vertex buffer 4294967295"},
    {"2017-5957", many_color_buffers, "for 4294967295 colour buffers"},
    {"2017-5993", blits_again, "BLIT at word 22 of submit 1: blit"},
    {"2017-5994", many_elements, "2401 words for an object of kind 5, which has 1 to 129"},
    {"2017-6210", commands_without_context, "there is no object 1 that is a depth-stencil-alpha state"},
    {"2017-6317", programs_that_do_not_fit, "pipeline: "},
    {"2017-6386", refused_elements, "133 words for an object of kind 5, which has 1 to 129"},
    {"2019-18388", impossible_resources, "resource 9: no target 99, format 67 or last level 0"},
    {"2019-18389", negative_boxes, "a box with a side or corner beyond 2^31"},
    {"2019-18390", blits_of_no_format, "no format 2147483647 or 4294967295"},
    {"2019-18391", transfers_beyond_the_memory, "TRANSFER3D at word 0 of submit 1: transfer"},
    {"2020-8002", grids_without_program, "LAUNCH_GRID at word 0 of submit 1: there is no compute shader"},
    {"2020-8003", textures_beyond_memory, "resource: "},
    {"2022-0135", boxes_with_depth, "TRANSFER3D at word 0 of submit 1: transfer"},
    {"2022-0175", new_memory, "transfer: "},
};
enum { ATTACKS = sizeof attacks / sizeof *attacks };

static struct stream stream;
static struct played played, again;

static void play(const struct attack *attack, unsigned times, struct played *to)
{
    const struct stream_options options = {.engine = SCH_ENGINE_INTERPRETER, .memory = 64 << 20};
    stream_begin(&stream);
    attack->add(&stream, times);
    add_proof(&stream);
    stream_play(&stream, &options, to);
}

static bool is_half_red(const struct played *of)
{
    static const uint8_t wanted[4] = {128, 0, 0, 255};
    if (of->frame_bytes < WINDOW_BYTES) return false;
    for (size_t n = of->frame_bytes - WINDOW_BYTES; n < of->frame_bytes; n += 4)
        if (memcmp(of->frame + n, wanted, 4) != 0) return false;
    return true;
}

static void known_attacks_are_refused(void **state)
{
    (void)state;
    assert_int_equal(ATTACKS, 21);
    for (unsigned n = 0; n < ATTACKS; n++) {
        play(&attacks[n], 1, &played);
        if (!strstr(played.log, attacks[n].reason))
            fail_msg("CVE-%s: no \"%s\" in\n%s", attacks[n].number, attacks[n].reason, played.log);
        /* A recording that gives memory twice is played no further. */
        const bool ends = strcmp(attacks[n].number, "2016-10214") == 0;
        assert_int_equal(played.result, ends ? SCH_ERROR_INVALID : SCH_OK);
        if (!ends && !is_half_red(&played)) fail_msg("CVE-%s: nothing is drawn\n%s", attacks[n].number, played.log);
    }
}

/* What is refused holds nothing. (stream_play() sees that nothing is left at the end.) */
static void attacks_hold_no_memory(void **state)
{
    (void)state;
    for (unsigned n = 0; n < ATTACKS; n++) {
        play(&attacks[n], 2, &played);
        play(&attacks[n], 100, &again);
        if (again.held != played.held)
            fail_msg("CVE-%s: %zu bytes after 2 times, %zu after 100", attacks[n].number, played.held, again.held);
    }
}

static void new_memory_is_zero(void **state)
{
    static const uint8_t zeros[256];
    (void)state;
    play(&attacks[ATTACKS - 1], 1, &played);
    assert_int_equal(played.frames, 2);
    assert_memory_equal(played.frame, zeros, sizeof zeros);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_attacks_are_refused),
                                       cmocka_unit_test(attacks_hold_no_memory), cmocka_unit_test(new_memory_is_zero)};
    return cmocka_run_group_tests_name("virgl_hostile", tests, NULL, NULL);
}
