/* A client of src/virgl for tests: streams of commands written by hand, what the log says of them, and a picture to
 * draw in. Holds no test. */
#ifndef SCH_TESTS_VIRGL_CLIENT_H
#define SCH_TESTS_VIRGL_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "virgl/virgl.h"

/* The protocol's numbers that are used here. */
enum { BUFFER = 0, TEXTURE_2D = 2, TEXTURE_3D = 3, TEXTURE_2D_ARRAY = 7 };
enum { R8G8B8_UINT = 179, R32_UINT = 193, R32G32B32_UINT = 195 };
enum { R8G8B8A8 = 67, R8 = 64, R32G32B32A32_FLOAT = 31, Z24_S8 = 19, DXT1 = 105, R32G32_UINT = 194 };
enum { VERTEX = 0, FRAGMENT = 1, COMPUTE = 5 };
enum {
    BLEND = 1,
    RASTERIZER = 2,
    SHADER = 4,
    ELEMENTS = 5,
    SAMPLER_VIEW = 6,
    SAMPLER_STATE = 7,
    SURFACE = 8,
    QUERY = 9,
    TARGET = 10
};
enum {
    CREATE_OBJECT = 1,
    BIND_OBJECT = 2,
    DESTROY_OBJECT = 3,
    SET_VIEWPORT = 4,
    SET_FRAMEBUFFER = 5,
    SET_VERTEX_BUFFERS = 6,
    CLEAR = 7,
    DRAW = 8,
    INLINE_WRITE = 9,
    SET_SAMPLER_VIEWS = 10,
    SET_INDEX_BUFFER = 11,
    SET_SCISSOR = 15,
    BLIT = 16,
    COPY_REGION = 17,
    BIND_SAMPLERS = 18,
    BEGIN_QUERY = 19,
    END_QUERY = 20,
    GET_QUERY_RESULT = 21,
    SET_STREAM_TARGETS = 25,
    SET_SUB_CONTEXT = 28,
    CREATE_SUB_CONTEXT = 29,
    DESTROY_SUB_CONTEXT = 30,
    BIND_SHADER = 31,
    SET_SHADER_BUFFERS = 34,
    SET_SHADER_IMAGES = 35,
    LAUNCH_GRID = 37,
    TRANSFER = 43,
    CLEAR_TEXTURE = 47
};

enum { SIDE = 8, WORDS = 4096 };
static const uint32_t one = 0x3f800000, minus_one = 0xbf800000, three = 0x40400000;

struct client {
    struct sch_context *context;
    struct sch_virgl *virgl;
    uint32_t words[WORDS];
    uint32_t count;
    char told[512]; /* the last line of the log */
    unsigned lines;
    uint32_t cancel; /* not 0: no one waits for what it wants */
    char explained[512];
    uint8_t color[SIDE * SIDE * 4], other[4096];
};

static inline void hear(void *user, const char *line)
{
    struct client *client = user;
    client->lines++;
    snprintf(client->told, sizeof client->told, "%s", line);
}

static inline void begin(struct client *client)
{
    *client = (struct client){0};
    assert_int_equal(sch_context_create(NULL, &client->context), SCH_OK);
    const struct sch_virgl_options options = {
        .context = client->context, .engine = SCH_ENGINE_INTERPRETER, .cancel = &client->cancel, .log = {hear, client}};
    assert_int_equal(sch_virgl_create(&options, &client->virgl), SCH_OK);
}

static inline void end(struct client *client)
{
    sch_virgl_destroy(client->virgl);
    sch_context_destroy(client->context);
}

/* ---- streams ---- */

static inline void put(struct client *client, uint32_t number, uint32_t kind, uint32_t count, const uint32_t *words)
{
    assert_true(client->count + 1 + count <= WORDS);
    client->words[client->count++] = number | kind << 8 | count << 16;
    if (count) memcpy(client->words + client->count, words, count * sizeof *words);
    client->count += count;
}

#define PUT(client, number, kind, ...)                                                                                 \
    put((client), (number), (kind), sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

static inline enum sch_result submit(struct client *client)
{
    const enum sch_result result = sch_virgl_submit(client->virgl, client->words, client->count);
    client->count = 0;
    return result;
}

/* All commands are taken. */
static inline void submit_all(struct client *client)
{
    const uint64_t refused = sch_virgl_get_counts(client->virgl).refused;
    assert_int_equal(submit(client), SCH_OK);
    if (sch_virgl_get_counts(client->virgl).refused != refused) fail_msg("%s", client->told);
}

static inline void make(struct client *client, uint32_t handle, uint32_t target, uint32_t format, uint32_t width,
                        uint32_t height, void *memory, size_t bytes)
{
    const struct sch_virgl_resource_options options = {
        .target = target, .format = format, .width = width, .height = height, .depth = 1, .layers = 1};
    assert_int_equal(sch_virgl_resource_create(client->virgl, handle, &options), SCH_OK);
    if (memory) assert_int_equal(sch_virgl_resource_attach(client->virgl, handle, memory, bytes), SCH_OK);
}

static inline void put_shader(struct client *client, uint32_t handle, uint32_t stage, const char *text)
{
    uint32_t words[512] = {handle, stage, (uint32_t)strlen(text) + 1, 300, 0};
    assert_true(strlen(text) + 1 < sizeof words - 20);
    memcpy(words + 5, text, strlen(text) + 1);
    put(client, CREATE_OBJECT, SHADER, 5 + (uint32_t)(strlen(text) + 4) / 4, words);
}

static const char plain_vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
static const char green_fragment[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {0, 1065353216, 0, 1065353216}\n"
                                     "  0: MOV OUT[0], IMM[0]\n  1: END\n";

/* Colour buffer 1 of SIDE x SIDE, surface 1 in the framebuffer, a viewport over it; vertices in buffer 2, three of them
 * over all pixels; both programs, 3 and 4, bound; elements 5. */
static inline void set_up(struct client *client)
{
    const uint32_t side = 0x40800000; /* 4.0: half of it */
    make(client, 1, TEXTURE_2D, R8G8B8A8, SIDE, SIDE, client->color, sizeof client->color);
    make(client, 2, BUFFER, R8, 256, 1, client->other, sizeof client->other);
    PUT(client, CREATE_OBJECT, SURFACE, 1, 1, R8G8B8A8, 0, 0);
    PUT(client, SET_FRAMEBUFFER, 0, 1, 0, 1);
    PUT(client, SET_VIEWPORT, 0, 0, side, side, one, side, side, 0);
    put_shader(client, 3, VERTEX, plain_vertex);
    put_shader(client, 4, FRAGMENT, green_fragment);
    PUT(client, BIND_SHADER, 0, 3, VERTEX);
    PUT(client, BIND_SHADER, 0, 4, FRAGMENT);
    PUT(client, CREATE_OBJECT, ELEMENTS, 5, 0, 0, 0, R32G32B32A32_FLOAT);
    PUT(client, BIND_OBJECT, ELEMENTS, 5);
    PUT(client, INLINE_WRITE, 0, 2, 0, 0, 0, 0, 0, 0, 0, 48, 1, 1, minus_one, minus_one, 0, one, three, minus_one, 0,
        one, minus_one, three, 0, one);
    PUT(client, SET_VERTEX_BUFFERS, 0, 16, 0, 2);
    submit_all(client);
}

static inline void put_draw(struct client *client, uint32_t start, uint32_t count, bool indexed)
{
    PUT(client, DRAW, 0, start, count, SCH_PRIMITIVE_TRIANGLES, indexed, 1, 0, 0, 0, 0, 0, UINT32_MAX, 0);
}

static inline void read_back(struct client *client)
{
    const struct sch_virgl_transfer all = {.resource = 1, .box = {0, 0, 0, SIDE, SIDE, 1}};
    memset(client->color, 0xcc, sizeof client->color);
    assert_int_equal(sch_virgl_transfer_get(client->virgl, &all), SCH_OK);
}

static inline void assert_pixels(struct client *client, uint32_t wanted)
{
    read_back(client);
    for (unsigned n = 0; n < SIDE * SIDE; n++) {
        uint32_t pixel;
        memcpy(&pixel, client->color + 4 * n, 4);
        assert_int_equal(pixel, wanted);
    }
}

static inline void put_clear(struct client *client, uint32_t parts, uint32_t red)
{
    PUT(client, CLEAR, 0, parts, red, 0, 0, one, 0, 0x3ff00000, 0);
}

static inline void assert_green(struct client *client, uint32_t handle, const char *text)
{
    put_shader(client, handle, FRAGMENT, text);
    PUT(client, BIND_SHADER, 0, handle, FRAGMENT);
    put_clear(client, 4, one);
    put_draw(client, 0, 3, false);
    submit_all(client);
    assert_pixels(client, 0xff00ff00);
}

#endif
