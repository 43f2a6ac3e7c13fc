/* Clients of the virgl protocol (src/virgl): streams written by hand do what the protocol says, and whatever else a
 * client sends is refused with its command, offset and reason. Expectations are from the protocol's headers (Mesa 22.3,
 * virgl_protocol.h) and from the texts of the commands' meaning; no client is needed. */
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
    TRANSFER = 43
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
    char explained[512];
    uint8_t color[SIDE * SIDE * 4], other[4096];
};

static void hear(void *user, const char *line)
{
    struct client *client = user;
    client->lines++;
    snprintf(client->told, sizeof client->told, "%s", line);
}

static void begin(struct client *client)
{
    *client = (struct client){0};
    assert_int_equal(sch_context_create(NULL, &client->context), SCH_OK);
    const struct sch_virgl_options options = {
        .context = client->context, .engine = SCH_ENGINE_INTERPRETER, .log = {hear, client}};
    assert_int_equal(sch_virgl_create(&options, &client->virgl), SCH_OK);
}

static void end(struct client *client)
{
    sch_virgl_destroy(client->virgl);
    sch_context_destroy(client->context);
}

/* ---- streams ---- */

static void put(struct client *client, uint32_t number, uint32_t kind, uint32_t count, const uint32_t *words)
{
    assert_true(client->count + 1 + count <= WORDS);
    client->words[client->count++] = number | kind << 8 | count << 16;
    if (count) memcpy(client->words + client->count, words, count * sizeof *words);
    client->count += count;
}

#define PUT(client, number, kind, ...)                                                                                 \
    put((client), (number), (kind), sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

static enum sch_result submit(struct client *client)
{
    const enum sch_result result = sch_virgl_submit(client->virgl, client->words, client->count);
    client->count = 0;
    return result;
}

/* All commands are taken. */
static void submit_all(struct client *client)
{
    const uint64_t refused = sch_virgl_get_counts(client->virgl).refused;
    assert_int_equal(submit(client), SCH_OK);
    if (sch_virgl_get_counts(client->virgl).refused != refused) fail_msg("%s", client->told);
}

static void make(struct client *client, uint32_t handle, uint32_t target, uint32_t format, uint32_t width,
                 uint32_t height, void *memory, size_t bytes)
{
    const struct sch_virgl_resource_options options = {
        .target = target, .format = format, .width = width, .height = height, .depth = 1, .layers = 1};
    assert_int_equal(sch_virgl_resource_create(client->virgl, handle, &options), SCH_OK);
    if (memory) assert_int_equal(sch_virgl_resource_attach(client->virgl, handle, memory, bytes), SCH_OK);
}

static void put_shader(struct client *client, uint32_t handle, uint32_t stage, const char *text)
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
static void set_up(struct client *client)
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

static void put_draw(struct client *client, uint32_t start, uint32_t count, bool indexed)
{
    PUT(client, DRAW, 0, start, count, SCH_PRIMITIVE_TRIANGLES, indexed, 1, 0, 0, 0, 0, 0, UINT32_MAX, 0);
}

static void read_back(struct client *client)
{
    const struct sch_virgl_transfer all = {.resource = 1, .box = {0, 0, 0, SIDE, SIDE, 1}};
    memset(client->color, 0xcc, sizeof client->color);
    assert_int_equal(sch_virgl_transfer_get(client->virgl, &all), SCH_OK);
}

static void assert_pixels(struct client *client, uint32_t wanted)
{
    read_back(client);
    for (unsigned n = 0; n < SIDE * SIDE; n++) {
        uint32_t pixel;
        memcpy(&pixel, client->color + 4 * n, 4);
        assert_int_equal(pixel, wanted);
    }
}

static void put_clear(struct client *client, uint32_t parts, uint32_t red)
{
    PUT(client, CLEAR, 0, parts, red, 0, 0, one, 0, 0x3ff00000, 0);
}

/* ---- what works ---- */

static void clears_and_draws_reach_the_clients_memory(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    put_clear(&client, 4, one);
    submit_all(&client);
    assert_pixels(&client, 0xff0000ff);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    const struct sch_virgl_counts counts = sch_virgl_get_counts(client.virgl);
    assert_int_equal(counts.draws, 1);
    assert_int_equal(counts.clears, 1);
    assert_int_equal(counts.shaders, 2);
    assert_int_equal(counts.refused, 0);
    end(&client);
}

/* The offset of the index buffer has the start already. */
static void starts_of_indexed_draws_are_in_the_offset(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    put_clear(&client, 4, 0);
    PUT(&client, INLINE_WRITE, 0, 2, 0, 0, 0, 0, 64, 0, 0, 8, 1, 1, 0x00000000, 0x00000201); /* 0 0 0 0 1 2 0 0 */
    PUT(&client, SET_INDEX_BUFFER, 0, 2, 1, 64 + 3);
    put_draw(&client, 3, 3, true);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    end(&client);
}

/* Clients tell no state that is all zeros from the beginning on. */
static void scissors_are_empty_until_they_are_set(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    PUT(&client, CREATE_OBJECT, RASTERIZER, 6, 1u << 14 | 1u << 29, one, 0, 0, one, 0, 0, 0); /* scissor, half pixels */
    PUT(&client, BIND_OBJECT, RASTERIZER, 6);
    put_clear(&client, 4, one);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff0000ff);
    PUT(&client, SET_SCISSOR, 0, 0, 0, SIDE | SIDE << 16);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    end(&client);
}

/* A polygon is one primitive: the wire has no edge flags that would say where a client cut it. */
static void polygons_are_whole(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    PUT(&client, CREATE_OBJECT, RASTERIZER, 6, 1u << 10 | 1u << 12 | 1u << 29, one, 0, 0, one, 0, 0, 0); /* lines */
    PUT(&client, BIND_OBJECT, RASTERIZER, 6);
    const uint32_t low = 0xbf600000, high = 0x3f600000; /* centres of the first and the last pixels */
    PUT(&client, INLINE_WRITE, 0, 2, 0, 0, 0, 0, 0, 0, 0, 64, 1, 1, low, low, 0, one, high, low, 0, one, high, high, 0,
        one, low, high, 0, one);
    put_clear(&client, 4, one);
    PUT(&client, DRAW, 0, 0, 4, SCH_PRIMITIVE_POLYGON, 0, 1, 0, 0, 0, 0, 0, UINT32_MAX, 0);
    submit_all(&client);
    read_back(&client);
    uint32_t pixels[SIDE * SIDE];
    memcpy(pixels, client.color, sizeof pixels);
    for (unsigned n = 1; n < SIDE - 1; n++) assert_int_equal(pixels[n], 0xff00ff00);
    for (unsigned n = 1; n < SIDE - 1; n++) assert_int_equal(pixels[n * SIDE + n], 0xff0000ff);
    end(&client);
}

static void strides_may_change_between_draws(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    put_clear(&client, 4, one);
    PUT(&client, SET_VERTEX_BUFFERS, 0, 0, 0, 2); /* all vertices are the first one: nothing is drawn */
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff0000ff);
    PUT(&client, SET_VERTEX_BUFFERS, 0, 16, 0, 2);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    end(&client);
}

static void shaders_come_in_parts(void **state)
{
    struct client client;
    const uint32_t whole = sizeof green_fragment, first = 40;
    uint32_t words[64] = {9, FRAGMENT, whole, 300, 0};
    (void)state;
    begin(&client);
    set_up(&client);
    memcpy(words + 5, green_fragment, first);
    put(&client, CREATE_OBJECT, SHADER, 5 + first / 4, words);
    submit_all(&client);
    PUT(&client, BIND_SHADER, 0, 9, FRAGMENT);
    put_draw(&client, 0, 3, false); /* it is not whole */
    assert_int_equal(submit(&client), SCH_OK);
    assert_non_null(strstr(client.told, "DRAW_VBO"));
    words[2] = first | 1u << 31;
    memset(words + 5, 0, sizeof words - 20);
    memcpy(words + 5, green_fragment + first, whole - first);
    put(&client, CREATE_OBJECT, SHADER, 5 + (whole - first + 3) / 4, words);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    end(&client);
}

static void assert_green(struct client *client, uint32_t handle, const char *text)
{
    put_shader(client, handle, FRAGMENT, text);
    PUT(client, BIND_SHADER, 0, handle, FRAGMENT);
    put_clear(client, 4, one);
    put_draw(client, 0, 3, false);
    submit_all(client);
    assert_pixels(client, 0xff00ff00);
}

/* Mesa's virpipe copies operands of 64 bits to x and y, wherever the result goes; in TGSI z and w come from z and w. */
static void wide_operands_are_where_they_were_copied(void **state)
{
    static const char copied[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n"
                                 "IMM[0] UINT32 {0, 1072693248, 1065353216, 0}\n"
                                 "  0: MOV TEMP[2].xy, IMM[0].xyxy\n"
                                 "  1: MOV TEMP[3].xy, IMM[0].xxxx\n"
                                 "  2: DADD TEMP[0].zw, TEMP[2], TEMP[3]\n"
                                 "  3: MOV TEMP[2].xy, TEMP[0].zwzw\n"
                                 "  4: D2F TEMP[1].y, TEMP[2]\n"
                                 "  5: MOV OUT[0].xz, IMM[0].xxxx\n"
                                 "  6: MOV OUT[0].y, TEMP[1].yyyy\n"
                                 "  7: MOV OUT[0].w, IMM[0].zzzz\n"
                                 "  8: END\n";
    static const char plain[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n"
                                "IMM[0] UINT32 {0, 1072693248, 1065353216, 0}\n"
                                "  0: MOV TEMP[2].xy, IMM[0].xxxx\n"
                                "  1: MOV TEMP[2].zw, IMM[0].xyxy\n"
                                "  2: D2F TEMP[1].y, TEMP[2]\n"
                                "  3: MOV OUT[0].xz, IMM[0].xxxx\n"
                                "  4: MOV TEMP[3].xy, TEMP[1].xyxy\n"
                                "  5: MOV OUT[0].y, TEMP[3]\n"
                                "  6: MOV OUT[0].w, IMM[0].zzzz\n"
                                "  7: END\n";
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    assert_green(&client, 9, copied);
    assert_green(&client, 10, plain);
    end(&client);
}

/* It writes MAX x, -x for |x|: 0 has no sign then. Other maxima stay. */
static void maxima_of_both_signs_are_absolute(void **state)
{
    static const char both[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n"
                               "IMM[0] UINT32 {0, 2147483648, 1065353216, 3212836864}\n"
                               "  0: MAX TEMP[0], IMM[0].xyzw, -IMM[0].xyzw\n"
                               "  1: USEQ TEMP[1], TEMP[0], IMM[0].xxzz\n"
                               "  2: AND TEMP[2].xy, TEMP[1].xzzz, TEMP[1].ywww\n"
                               "  3: AND TEMP[3].x, TEMP[2].xxxx, TEMP[2].yyyy\n"
                               "  4: MOV OUT[0].xz, IMM[0].xxxx\n"
                               "  5: UCMP OUT[0].yw, TEMP[3].xxxx, IMM[0].zzzz, IMM[0].xxxx\n"
                               "  6: END\n";
    static const char other[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                                "IMM[0] UINT32 {0, 1065353216, 3212836864, 0}\n"
                                "  0: MAX OUT[0].xz, IMM[0].xxxx, -IMM[0].yyyy\n"
                                "  1: MAX OUT[0].yw, IMM[0].yyyy, IMM[0].yyyy\n"
                                "  2: END\n";
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    assert_green(&client, 9, both);
    assert_green(&client, 10, other);
    end(&client);
}

/* A texture of two layers and two levels: levels one after the other, in each its layers. */
static void transfers_follow_the_layout(void **state)
{
    static uint8_t memory[2 * 16 * 4 + 2 * 4 * 4], back[sizeof memory];
    const struct sch_virgl_resource_options options = {.target = TEXTURE_2D_ARRAY,
                                                       .format = R8G8B8A8,
                                                       .width = 4,
                                                       .height = 4,
                                                       .depth = 1,
                                                       .layers = 2,
                                                       .last_level = 1};
    struct client client;
    (void)state;
    begin(&client);
    for (unsigned n = 0; n < sizeof memory; n++) back[n] = memory[n] = (uint8_t)(n * 7);
    assert_int_equal(sch_virgl_resource_create(client.virgl, 1, &options), SCH_OK);
    assert_int_equal(sch_virgl_resource_bytes(client.virgl, 1), sizeof memory);
    assert_int_equal(sch_virgl_resource_attach(client.virgl, 1, memory, sizeof memory), SCH_OK);
    const struct sch_virgl_transfer all[] = {{1, 0, {0, 0, 0, 4, 4, 2}, 0, 0, 0},
                                             {1, 1, {0, 0, 0, 2, 2, 2}, 0, 0, 2 * 16 * 4}};
    for (unsigned n = 0; n < 2; n++) assert_int_equal(sch_virgl_transfer_put(client.virgl, &all[n]), SCH_OK);
    memset(memory, 0, sizeof memory);
    /* Texel (1, 0) of layer 1 of level 1. */
    const size_t at = 2 * 16 * 4 + 4 * 4 + 4;
    PUT(&client, TRANSFER, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, (uint32_t)at, 2);
    submit_all(&client);
    for (size_t n = 0; n < sizeof memory; n++) assert_int_equal(memory[n], n >= at && n < at + 4 ? back[n] : 0);
    for (unsigned n = 0; n < 2; n++) assert_int_equal(sch_virgl_transfer_get(client.virgl, &all[n]), SCH_OK);
    assert_memory_equal(memory, back, sizeof memory);
    end(&client);
}

static void results_of_queries_reach_the_clients_memory(void **state)
{
    struct client client;
    uint64_t result;
    uint32_t done;
    (void)state;
    begin(&client);
    set_up(&client);
    PUT(&client, CREATE_OBJECT, QUERY, 20, 0, 16, 2);
    PUT(&client, BEGIN_QUERY, 0, 20);
    put_draw(&client, 0, 3, false);
    PUT(&client, END_QUERY, 0, 20);
    PUT(&client, GET_QUERY_RESULT, 0, 20, 0);
    submit_all(&client);
    memcpy(&done, client.other + 16, 4);
    memcpy(&result, client.other + 24, 8);
    assert_int_equal(done, 1);
    assert_int_equal(result, SIDE * SIDE);
    end(&client);
}

/* The wire names the size of the target whose vertices are drawn. */
static void targets_are_filled_and_drawn(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    make(&client, 30, BUFFER, R8, 64, 1, NULL, 0);
    uint32_t words[128] = {31, VERTEX, sizeof plain_vertex, 300, 1, 4, 0, 0, 0, 4u << 10, 0};
    memcpy(words + 11, plain_vertex, sizeof plain_vertex);
    put(&client, CREATE_OBJECT, SHADER, 11 + (sizeof plain_vertex + 3) / 4, words);
    PUT(&client, CREATE_OBJECT, TARGET, 32, 30, 0, 52);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 32);
    PUT(&client, BIND_SHADER, 0, 31, VERTEX);
    put_draw(&client, 0, 3, false);
    PUT(&client, SET_STREAM_TARGETS, 0, 0);
    PUT(&client, BIND_SHADER, 0, 3, VERTEX);
    put_clear(&client, 4, 0);
    PUT(&client, SET_VERTEX_BUFFERS, 0, 16, 0, 30);
    PUT(&client, DRAW, 0, 0, 0, SCH_PRIMITIVE_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 0, 52);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    end(&client);
}

/* A vertex shader whose position's components go to a stream buffer each, one word for each vertex. */
static void put_capturing(struct client *client, uint32_t handle)
{
    enum { OUTPUTS = 4, TEXT = 5 + 4 + 2 * OUTPUTS };
    uint32_t words[128] = {handle, VERTEX, sizeof plain_vertex, 300, OUTPUTS, 1, 1, 1, 1};
    for (uint32_t n = 0; n < OUTPUTS; n++) words[9 + 2 * n] = n << 8 | 1u << 10 | n << 13;
    memcpy(words + TEXT, plain_vertex, sizeof plain_vertex);
    put(client, CREATE_OBJECT, SHADER, TEXT + (sizeof plain_vertex + 3) / 4, words);
}

static void put_vertex(struct client *client, uint32_t at, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    PUT(client, INLINE_WRITE, 0, 2, 0, 0, 0, 0, 16 * at, 0, 0, 16, 1, 1, x, y, z, w);
}

static void put_points(struct client *client, uint32_t start, uint32_t count)
{
    PUT(client, DRAW, 0, start, count, SCH_PRIMITIVE_POINTS, 0, 1, 0, 0, 0, 0, 0, UINT32_MAX, 0);
}

/* OpenGL 4.6 13.3.2: what goes on appends to each buffer, what begins anew writes each from its start. A client tells
 * neither: the first target is another one when it begins anew, and the others are the same (append is always 0). */
static void targets_begin_anew_together(void **state)
{
    enum { TARGETS = 4, BYTES = 12 };
    static uint32_t memory[TARGETS][BYTES / 4];
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    memset(memory, 0xee, sizeof memory);
    for (uint32_t n = 0; n < TARGETS; n++) {
        make(&client, 30 + n, BUFFER, R8, BYTES, 1, memory[n], BYTES);
        PUT(&client, CREATE_OBJECT, TARGET, 40 + n, 30 + n, 0, BYTES);
        put_vertex(&client, n, 10 + 4 * n, 11 + 4 * n, 12 + 4 * n, 13 + 4 * n);
    }
    put_capturing(&client, 50);
    PUT(&client, BIND_SHADER, 0, 50, VERTEX);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 40, 41, 42, 43);
    put_points(&client, 0, 1);
    PUT(&client, SET_STREAM_TARGETS, 0, 0); /* a pause */
    put_points(&client, 2, 1);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 40, 41, 42, 43);
    put_points(&client, 1, 1);
    PUT(&client, SET_STREAM_TARGETS, 0, 0);
    submit_all(&client);
    const struct sch_virgl_transfer all[TARGETS] = {{.resource = 30, .box = {0, 0, 0, BYTES, 1, 1}},
                                                    {.resource = 31, .box = {0, 0, 0, BYTES, 1, 1}},
                                                    {.resource = 32, .box = {0, 0, 0, BYTES, 1, 1}},
                                                    {.resource = 33, .box = {0, 0, 0, BYTES, 1, 1}}};
    for (uint32_t n = 0; n < TARGETS; n++) {
        assert_int_equal(sch_virgl_transfer_get(client.virgl, &all[n]), SCH_OK);
        assert_int_equal(memory[n][0], 10 + n);
        assert_int_equal(memory[n][1], 14 + n);
    }
    PUT(&client, CREATE_OBJECT, TARGET, 44, 30, 0, BYTES);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 44, 41, 42, 43);
    PUT(&client, DESTROY_OBJECT, TARGET, 40);
    put_points(&client, 1, 3);
    PUT(&client, SET_STREAM_TARGETS, 0, 0);
    submit_all(&client);
    for (uint32_t n = 0; n < TARGETS; n++) {
        assert_int_equal(sch_virgl_transfer_get(client.virgl, &all[n]), SCH_OK);
        for (uint32_t v = 0; v < 3; v++) assert_int_equal(memory[n][v], 14 + n + 4 * v);
    }
    /* A client that says which targets go on is believed. */
    put_vertex(&client, 0, 70, 71, 72, 73);
    PUT(&client, CREATE_OBJECT, TARGET, 45, 30, 0, 8);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 45, 41, 42, 43);
    put_points(&client, 0, 1);
    PUT(&client, SET_STREAM_TARGETS, 0, 1, 45, 41, 42, 43);
    put_points(&client, 1, 1);
    submit_all(&client);
    static const uint32_t wanted[TARGETS][2] = {{70, 14}, {15, 19}, {16, 20}, {17, 21}};
    for (uint32_t n = 0; n < TARGETS; n++) {
        assert_int_equal(sch_virgl_transfer_get(client.virgl, &all[n]), SCH_OK);
        assert_memory_equal(memory[n], wanted[n], sizeof wanted[n]);
    }
    end(&client);
}

/* Whether a draw of as many vertices as a target of 52 bytes has covers the picture. */
static void assert_drawn(struct client *client, uint32_t buffer, bool covers)
{
    PUT(client, SET_VERTEX_BUFFERS, 0, 16, 0, buffer);
    put_clear(client, 4, one);
    PUT(client, DRAW, 0, 0, 0, SCH_PRIMITIVE_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 0, 52);
    submit_all(client);
    assert_pixels(client, covers ? 0xff00ff00 : 0xff0000ff);
}

/* Two targets of one size, as programs have them that capture to one what they draw from the other: the wire names only
 * the size. */
static void targets_of_one_size_are_told_apart(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    uint32_t words[128] = {33, VERTEX, sizeof plain_vertex, 300, 1, 4, 0, 0, 0, 4u << 10, 0};
    memcpy(words + 11, plain_vertex, sizeof plain_vertex);
    put(&client, CREATE_OBJECT, SHADER, 11 + (sizeof plain_vertex + 3) / 4, words);
    for (uint32_t n = 0; n < 2; n++) {
        make(&client, 30 + n, BUFFER, R8, 64, 1, NULL, 0);
        PUT(&client, CREATE_OBJECT, TARGET, 40 + n, 30 + n, 0, 52);
    }
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 40);
    PUT(&client, BIND_SHADER, 0, 33, VERTEX);
    put_draw(&client, 0, 3, false);
    /* From the first to the second, which is filled meanwhile; then from the second. */
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 41);
    assert_drawn(&client, 2, true); /* programs may read the first otherwise than as vertices */
    assert_drawn(&client, 30, true);
    PUT(&client, SET_STREAM_TARGETS, 0, 0);
    assert_drawn(&client, 31, true);
    /* The second begins anew, and nothing is captured: both are there, and the vertices tell which is meant. */
    PUT(&client, CREATE_OBJECT, TARGET, 42, 31, 0, 52);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 42);
    PUT(&client, SET_STREAM_TARGETS, 0, 0);
    PUT(&client, DESTROY_OBJECT, TARGET, 41);
    assert_drawn(&client, 30, true);
    assert_drawn(&client, 31, false);
    /* No vertex buffer of either: the one that was captured to last. */
    assert_drawn(&client, 2, false);
    end(&client);
}

/* OpenGL 4.6 13.3.2: a buffer may be bound to several binding points, and only the values are undefined then. Ours are
 * those of the last write: of each vertex the buffers are written in their order. */
static void targets_may_share_bytes(void **state)
{
    static uint32_t memory[4];
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    make(&client, 30, BUFFER, R8, sizeof memory, 1, memory, sizeof memory);
    for (uint32_t n = 0; n < 4; n++) PUT(&client, CREATE_OBJECT, TARGET, 40 + n, 30, 4 * (n == 3), n == 3 ? 12 : 16);
    put_capturing(&client, 50);
    put_vertex(&client, 0, 10, 11, 12, 13);
    put_vertex(&client, 1, 20, 21, 22, 23);
    PUT(&client, BIND_SHADER, 0, 50, VERTEX);
    PUT(&client, SET_STREAM_TARGETS, 0, 0, 40, 41, 42, 43);
    PUT(&client, CREATE_OBJECT, QUERY, 20, 6, 16, 2); /* primitives that were written */
    PUT(&client, BEGIN_QUERY, 0, 20);
    put_points(&client, 0, 2);
    PUT(&client, END_QUERY, 0, 20);
    PUT(&client, GET_QUERY_RESULT, 0, 20, 0);
    submit_all(&client);
    const struct sch_virgl_transfer all = {.resource = 30, .box = {0, 0, 0, sizeof memory, 1, 1}};
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &all), SCH_OK);
    assert_int_equal(memory[0], 12);
    assert_int_equal(memory[1], 22);
    assert_int_equal(memory[2], 23);
    assert_int_equal(client.other[24], 2);
    end(&client);
}

static void grids_write_buffers(void **state)
{
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0]\n"
                               "IMM[0] UINT32 {2, 0, 0, 0}\n  0: SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                               "  1: STORE BUFFER[0].x, TEMP[0].xxxx, SV[0].xxxx\n  2: END\n";
    static const uint32_t wanted[4] = {0, 1, 2, 3};
    struct client client;
    (void)state;
    begin(&client);
    make(&client, 2, BUFFER, R8, 16, 1, client.other, sizeof client.other);
    put_shader(&client, 1, COMPUTE, text);
    PUT(&client, BIND_SHADER, 0, 1, COMPUTE);
    PUT(&client, SET_SHADER_BUFFERS, 0, COMPUTE, 0, 0, 16, 2);
    PUT(&client, LAUNCH_GRID, 0, 4, 1, 1, 1, 1, 1, 0, 0);
    submit_all(&client);
    const struct sch_virgl_transfer all = {.resource = 2, .box = {0, 0, 0, 16, 1, 1}};
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &all), SCH_OK);
    assert_memory_equal(client.other, wanted, sizeof wanted);
    end(&client);
}

/* OpenGL 8.26: an image of one slice "is considered to use a texture target corresponding to the bound layer". */
static void slices_are_images(void **state)
{
    enum { SIDES = 2, SLICES = 4, BYTES = SIDES * SIDES * SLICES * 4 };
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 2\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\n"
                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\n"
                               "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nIMM[0] UINT32 {7, 0, 0, 0}\n"
                               "  0: STORE IMAGE[0], SV[0].xyyy, IMM[0].xxxx, 2D, PIPE_FORMAT_R32_UINT\n  1: END\n";
    const struct sch_virgl_resource_options options = {
        .target = TEXTURE_3D, .format = R32_UINT, .width = SIDES, .height = SIDES, .depth = SLICES, .layers = 1};
    const struct sch_virgl_transfer all = {.resource = 2, .box = {0, 0, 0, SIDES, SIDES, SLICES}};
    struct client client;
    (void)state;
    begin(&client);
    assert_int_equal(sch_virgl_resource_create(client.virgl, 2, &options), SCH_OK);
    assert_int_equal(sch_virgl_resource_attach(client.virgl, 2, client.other, BYTES), SCH_OK);
    put_shader(&client, 1, COMPUTE, text);
    PUT(&client, BIND_SHADER, 0, 1, COMPUTE);
    PUT(&client, SET_SHADER_IMAGES, 0, COMPUTE, 0, R32_UINT, 3, 2 | 2 << 16, 0, 2);
    PUT(&client, LAUNCH_GRID, 0, SIDES, SIDES, 1, 1, 1, 1, 0, 0);
    submit_all(&client);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &all), SCH_OK);
    for (unsigned n = 0; n < BYTES; n++)
        assert_int_equal(client.other[n], n / (SIDES * SIDES * 4) == 2 && n % 4 == 0 ? 7 : 0);
    end(&client);
}

/* Objects are of their sub-context; resources are of the client. */
/* Each sample of a multisampled image is stored and loaded (OpenGL 4.6 8.26: the sample is the last coordinate); its size
 * is that of its texels. */
static void images_have_samples(void **state)
{
#define HEAD                                                                                                           \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 3\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\nPROPERTY CS_FIXED_BLOCK_DEPTH 4\n"       \
    "DCL SV[0], THREAD_ID\nDCL IMAGE[0], 2D_MSAA, PIPE_FORMAT_R32_UINT, WR\nDCL BUFFER[0]\nDCL TEMP[0..2]\n"           \
    "IMM[0] UINT32 {3, 6, 4, 96}\nIMM[1] UINT32 {0, 1, 0, 0}\n"                                                        \
    "  0: UMAD TEMP[1].x, SV[0].yyyy, IMM[0].xxxx, SV[0].xxxx\n"                                                       \
    "  1: UMAD TEMP[1].x, SV[0].zzzz, IMM[0].yyyy, TEMP[1].xxxx\n"                                                     \
    "  2: MOV TEMP[0].xyw, SV[0].xyyz\n  3: MOV TEMP[0].z, IMM[1].xxxx\n"
    static const char storing[] = HEAD "  4: UADD TEMP[1].y, TEMP[1].xxxx, IMM[1].yyyy\n"
                                       "  5: STORE IMAGE[0], TEMP[0], TEMP[1].yyyy, 2D_MSAA, PIPE_FORMAT_R32_UINT\n"
                                       "  6: END\n";
    static const char loading[] = HEAD "  4: LOAD TEMP[2], IMAGE[0], TEMP[0], 2D_MSAA, PIPE_FORMAT_R32_UINT\n"
                                       "  5: UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\n"
                                       "  6: STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
                                       "  7: RESQ TEMP[2].xy, IMAGE[0], 2D_MSAA, PIPE_FORMAT_R32_UINT\n"
                                       "  8: STORE BUFFER[0].xy, IMM[0].wwww, TEMP[2]\n  9: END\n";
#undef HEAD
    enum { WIDTH = 3, HEIGHT = 2, SAMPLES = 4, COUNT = WIDTH * HEIGHT * SAMPLES };
    static uint32_t got[COUNT + 2];
    const struct sch_virgl_resource_options options = {.target = TEXTURE_2D,
                                                       .format = R32_UINT,
                                                       .width = WIDTH,
                                                       .height = HEIGHT,
                                                       .depth = 1,
                                                       .layers = 1,
                                                       .samples = SAMPLES};
    const struct sch_virgl_transfer all = {.resource = 2, .box = {0, 0, 0, sizeof got, 1, 1}};
    struct client client;
    (void)state;
    begin(&client);
    assert_int_equal(sch_virgl_resource_create(client.virgl, 1, &options), SCH_OK);
    make(&client, 2, BUFFER, R8, sizeof got, 1, got, sizeof got);
    PUT(&client, SET_SHADER_IMAGES, 0, COMPUTE, 0, R32_UINT, 3, 0, 0, 1);
    PUT(&client, SET_SHADER_BUFFERS, 0, COMPUTE, 0, 0, sizeof got, 2);
    put_shader(&client, 1, COMPUTE, storing);
    put_shader(&client, 2, COMPUTE, loading);
    for (uint32_t n = 1; n <= 2; n++) {
        PUT(&client, BIND_SHADER, 0, n, COMPUTE);
        PUT(&client, LAUNCH_GRID, 0, WIDTH, HEIGHT, SAMPLES, 1, 1, 1, 0, 0);
    }
    submit_all(&client);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &all), SCH_OK);
    for (uint32_t n = 0; n < COUNT; n++) assert_int_equal(got[n], n + 1);
    assert_int_equal(got[COUNT], WIDTH);
    assert_int_equal(got[COUNT + 1], HEIGHT);
    end(&client);
}

/* Clients have the reference of TXL2 in x of the second source, and the level in y. Level 1 is the one that is farther
 * away than the reference. */
static void references_come_before_levels(void **state)
{
    static const char text[] = "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], SHADOWCUBEARRAY, FLOAT\n"
                               "DCL TEMP[0]\nIMM[0] UINT32 {1065353216, 0, 1056964608, 0}\n"
                               "  0: TXL2 TEMP[0], IMM[0].xyyy, IMM[0].zxxx, SAMP[0], SHADOWCUBEARRAY\n"
                               "  1: MOV OUT[0].xz, IMM[0].yyyy\n  2: MOV OUT[0].y, TEMP[0].xxxx\n"
                               "  3: MOV OUT[0].w, IMM[0].xxxx\n  4: END\n";
    enum { SIDES = 2, FACES = 6, CUBE_ARRAY = 8, Z32_FLOAT = 18, LEQUAL = 3 };
    const uint32_t near_one = 0x3e800000, far_one = 0x3f400000, most = 0x447a0000; /* 0.25, 0.75, 1000.0 */
    const struct sch_virgl_resource_options options = {.target = CUBE_ARRAY,
                                                       .format = Z32_FLOAT,
                                                       .width = SIDES,
                                                       .height = SIDES,
                                                       .depth = 1,
                                                       .layers = FACES,
                                                       .last_level = 1};
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    assert_int_equal(sch_virgl_resource_create(client.virgl, 30, &options), SCH_OK);
    for (uint32_t level = 0; level < 2; level++) {
        const uint32_t side = SIDES >> level;
        uint32_t words[11 + SIDES * SIDES * FACES] = {30, level, 0, 0, 0, 0, 0, 0, side, side, FACES};
        for (uint32_t n = 0; n < side * side * FACES; n++) words[11 + n] = level ? far_one : near_one;
        put(&client, INLINE_WRITE, 0, 11 + side * side * FACES, words);
    }
    PUT(&client, CREATE_OBJECT, SAMPLER_VIEW, 31, 30, Z32_FLOAT | CUBE_ARRAY << 24, (FACES - 1) << 16, 1 << 8,
        1 << 3 | 2 << 6 | 3 << 9);
    PUT(&client, CREATE_OBJECT, SAMPLER_STATE, 32, 1 << 15 | LEQUAL << 16 | 1 << 19, 0, 0, most, 0, 0, 0, 0);
    PUT(&client, SET_SAMPLER_VIEWS, 0, FRAGMENT, 0, 31);
    PUT(&client, BIND_SAMPLERS, 0, FRAGMENT, 0, 32);
    assert_green(&client, 9, text);
    end(&client);
}

static void sub_contexts_have_objects_of_their_own(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    put_clear(&client, 4, one);
    PUT(&client, CREATE_SUB_CONTEXT, 0, 1);
    PUT(&client, SET_SUB_CONTEXT, 0, 1);
    submit_all(&client);
    PUT(&client, SET_FRAMEBUFFER, 0, 1, 0, 1);
    submit(&client);
    assert_non_null(strstr(client.told, "there is no object 1"));
    PUT(&client, CREATE_OBJECT, SURFACE, 1, 1, R8G8B8A8, 0, 0);
    PUT(&client, DESTROY_SUB_CONTEXT, 0, 1);
    put_draw(&client, 0, 3, false); /* of sub-context 0 */
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    end(&client);
}

/* What is bound stays while its handle is given free. */
static void what_is_bound_stays(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    for (uint32_t handle = 1; handle <= 5; handle++)
        if (handle != 2) PUT(&client, DESTROY_OBJECT, 0, handle);
    submit_all(&client);
    assert_int_equal(sch_virgl_resource_destroy(client.virgl, 2), SCH_OK);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    assert_int_equal(sch_virgl_resource_destroy(client.virgl, 1), SCH_OK);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    end(&client);
}

static void capabilities_are_true(void **state)
{
    static uint32_t words[SCH_VIRGL_CAPABILITIES_2 / 4], first[SCH_VIRGL_CAPABILITIES_1 / 4];
    enum {
        SAMPLER = 1,
        RENDER = 17,
        DEPTH = 33,
        VERTEX_FORMATS = 49,
        GLSL = 66,
        SAMPLES = 71,
        PRIMITIVES = 72,
        BUFFER_TEXELS = 73,
        BITS = 98,
        LOCATIONS = 99,
        IMAGE_SAMPLES = 112,
        READBACK = 140
    };
    struct client client;
    (void)state;
    begin(&client);
    sch_virgl_get_capabilities(client.virgl, words, sizeof words);
    sch_virgl_get_capabilities(client.virgl, first, sizeof first);
    assert_memory_equal(words, first, sizeof first);
    assert_int_equal(words[0], 2);
    assert_true(words[SAMPLER + R8G8B8A8 / 32] >> R8G8B8A8 % 32 & 1);
    assert_true(words[RENDER + R8G8B8A8 / 32] >> R8G8B8A8 % 32 & 1);
    assert_false(words[RENDER + Z24_S8 / 32] >> Z24_S8 % 32 & 1);
    assert_true(words[DEPTH + Z24_S8 / 32] >> Z24_S8 % 32 & 1);
    assert_int_equal(words[GLSL], 450);
    /* Vertices of three bytes, and no textures: those of RGB8 have four (OpenGL 8.18: both are of one class). */
    assert_true(words[VERTEX_FORMATS + R8G8B8_UINT / 32] >> R8G8B8_UINT % 32 & 1);
    assert_false(words[SAMPLER + R8G8B8_UINT / 32] >> R8G8B8_UINT % 32 & 1);
    assert_false(words[RENDER + R8G8B8_UINT / 32] >> R8G8B8_UINT % 32 & 1);
    assert_true(words[SAMPLER + R32G32B32_UINT / 32] >> R32G32B32_UINT % 32 & 1);
    /* Blocks: of S3TC, RGTC, LATC, BPTC, ETC1, ETC2 with EAC, ASTC; they are sampled, and come back as they are. */
    static const uint32_t ranges[][2] = {{105, 116}, {143, 146}, {226, 226}, {255, 258}, {269, 306}};
    for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (uint32_t number = ranges[r][0]; number <= ranges[r][1]; number++) {
            assert_true(words[SAMPLER + number / 32] >> number % 32 & 1);
            assert_true(words[READBACK + number / 32] >> number % 32 & 1);
            assert_false(words[RENDER + number / 32] >> number % 32 & 1);
            assert_false(words[VERTEX_FORMATS + number / 32] >> number % 32 & 1);
        }
    assert_true(words[BUFFER_TEXELS] * UINT64_C(16) <= 1 << 27); /* as many bytes as a buffer may have */
    assert_int_equal(words[SAMPLES], 8);
    assert_int_equal(words[IMAGE_SAMPLES], 8);   /* images have as many as textures */
    assert_int_equal(words[PRIMITIVES], 0x7fff); /* points to patches */
    assert_true(words[BITS] >> 10 & 1);          /* programs may read the framebuffer: blends are not all of it */
    /* Direct3D's four samples at (-2, -6), (6, -2), (-6, 2), (2, 6) sixteenths from the centre. */
    assert_int_equal(words[LOCATIONS + 1], 0xae2ae662);
    end(&client);
}

/* Two layers of BC1 with 10 x 7 texels, 3 x 2 blocks, and level 1 of 5 x 3. Strides are of rows of blocks; where the
 * client names none, of its level's. A copy's box is in texels of the source, its corner in those of the
 * destination. */
static void blocks_are_moved_and_copied(void **state)
{
    struct client client;
    uint8_t blocks[2048], words[2048];
    (void)state;
    begin(&client);
    const struct sch_virgl_resource_options array = {
        .target = TEXTURE_2D_ARRAY, .format = DXT1, .width = 10, .height = 7, .depth = 1, .layers = 2, .last_level = 1};
    assert_int_equal(sch_virgl_resource_create(client.virgl, 1, &array), SCH_OK);
    assert_int_equal(sch_virgl_resource_attach(client.virgl, 1, blocks, sizeof blocks), SCH_OK);
    make(&client, 2, TEXTURE_2D, R32G32_UINT, 3, 2, words, sizeof words);
    for (unsigned n = 0; n < sizeof blocks; n++) blocks[n] = (uint8_t)(n * 7 + n / 256);
    uint8_t first[2048];
    memcpy(first, blocks, sizeof first);

    /* Both layers of level 0, then the last block of layer 1 from byte 1000 on, then level 1 with gaps. */
    const struct sch_virgl_transfer all = {.resource = 1, .box = {0, 0, 0, 10, 7, 2}},
                                    last = {.resource = 1, .box = {8, 4, 1, 2, 3, 1}, .offset = 1000},
                                    small = {.resource = 1,
                                             .level = 1,
                                             .box = {0, 0, 0, 5, 3, 2},
                                             .row_bytes = 24,
                                             .layer_bytes = 40,
                                             .offset = 1200};
    assert_int_equal(sch_virgl_transfer_put(client.virgl, &all), SCH_OK);
    assert_int_equal(sch_virgl_transfer_put(client.virgl, &last), SCH_OK);
    assert_int_equal(sch_virgl_transfer_put(client.virgl, &small), SCH_OK);
    memset(blocks, 0, sizeof blocks);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &all), SCH_OK);
    assert_memory_equal(blocks, first, 88);
    assert_memory_equal(blocks + 88, first + 1000, 8);
    assert_int_equal(blocks[96], 0);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &small), SCH_OK);
    assert_memory_equal(blocks + 1200, first + 1200, 16);
    assert_memory_equal(blocks + 1240, first + 1240, 16);
    assert_int_equal(blocks[1216], 0);

    /* The last row of blocks of layer 0 to the first row of texels; one of those back to layer 1. */
    PUT(&client, COPY_REGION, 0, 2, 0, 0, 0, 0, 1, 0, 0, 4, 0, 10, 3, 1);
    PUT(&client, COPY_REGION, 0, 1, 0, 4, 4, 1, 2, 0, 2, 0, 0, 1, 1, 1);
    submit_all(&client);
    const struct sch_virgl_transfer texels = {.resource = 2, .box = {0, 0, 0, 3, 2, 1}};
    memset(words, 0xee, sizeof words);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &texels), SCH_OK);
    assert_memory_equal(words, first + 24, 24);
    assert_int_equal(words[24], 0);
    assert_int_equal(words[48], 0xee);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &all), SCH_OK);
    assert_memory_equal(blocks + 72, first + 72, 8);
    assert_memory_equal(blocks + 80, first + 40, 8);
    end(&client);
}

/* ---- recordings ---- */

struct recording {
    uint8_t bytes[1 << 16];
    size_t count;
    unsigned shown;
    uint8_t texels[SIDE * SIDE * 4];
};

static bool keep(void *user, const void *data, size_t bytes)
{
    struct recording *recording = user;
    assert_true(bytes <= sizeof recording->bytes - recording->count);
    memcpy(recording->bytes + recording->count, data, bytes);
    recording->count += bytes;
    return true;
}

static void look(void *user, const struct sch_virgl_frame *frame)
{
    struct recording *recording = user;
    assert_int_equal(frame->number, recording->shown++);
    assert_int_equal(frame->width, SIDE);
    assert_int_equal(frame->format, SCH_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(frame->bytes, sizeof recording->texels);
    memcpy(recording->texels, frame->texels, frame->bytes);
}

/* A window's colour buffer is drawn and shown; its first texels come from the client's memory, in a command and by a
 * message; a buffer comes from another one's memory. */
static void record(struct recording *recording)
{
    struct client client;
    begin(&client);
    const struct sch_virgl_sink sink = {keep, recording};
    sch_virgl_record(client.virgl, &sink);
    const struct sch_virgl_resource_options window = {
        .target = TEXTURE_2D, .format = R8G8B8A8, .bind = 0x8a, .width = SIDE, .height = SIDE, .depth = 1, .layers = 1};
    assert_int_equal(sch_virgl_resource_create(client.virgl, 50, &window), SCH_OK);
    assert_int_equal(sch_virgl_resource_attach(client.virgl, 50, client.other, 256), SCH_OK);
    for (unsigned n = 0; n < 256; n++) client.other[n] = (uint8_t)n;
    const struct sch_virgl_transfer put_all = {.resource = 50, .box = {0, 0, 0, SIDE, SIDE, 1}};
    const struct sch_virgl_transfer get_all = put_all;
    assert_int_equal(sch_virgl_transfer_put(client.virgl, &put_all), SCH_OK);
    memset(client.other, 0xee, 8);
    PUT(&client, TRANSFER, 0, 50, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 4, 1);
    submit_all(&client);
    memset(client.other, 0, sizeof client.other);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &get_all), SCH_OK);
    assert_int_equal(client.other[0], 0);
    assert_int_equal(client.other[4], 0xee);
    assert_int_equal(client.other[255], 255);
    memcpy(recording->texels, client.other, sizeof recording->texels);
    assert_int_equal(sch_virgl_resource_destroy(client.virgl, 50), SCH_OK);
    set_up(&client);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    read_back(&client); /* no window */
    end(&client);
}

static void recordings_say_it_again(void **state)
{
    static struct recording recording, again;
    const struct sch_virgl_audience audience = {.show = look, .user = &again};
    const struct sch_virgl_sink sink = {keep, &again};
    struct client client;
    (void)state;
    record(&recording);
    begin(&client);
    sch_virgl_record(client.virgl, &sink); /* a recording of the recording is the same */
    sch_virgl_watch(client.virgl, &audience);
    assert_int_equal(sch_virgl_play(client.virgl, recording.bytes, recording.count), SCH_OK);
    assert_int_equal(client.lines, 0);
    assert_int_equal(again.shown, 1);
    assert_memory_equal(again.texels, recording.texels, sizeof again.texels);
    assert_int_equal(again.count, recording.count);
    assert_memory_equal(again.bytes, recording.bytes, again.count);
    end(&client);
}

/* Cut anywhere, or with any byte changed, a recording is played as far as it goes, or refused with its byte. */
static void broken_recordings_are_refused(void **state)
{
    static struct recording recording;
    struct client client;
    (void)state;
    record(&recording);
    for (size_t bytes = 0; bytes < recording.count; bytes += 1 + bytes / 40) {
        begin(&client);
        sch_virgl_play(client.virgl, recording.bytes, bytes);
        if (bytes < 16) assert_non_null(strstr(client.told, "byte 0 of the recording: it is too short"));
        end(&client);
    }
    for (size_t at = 0; at < recording.count; at += 1 + at / 40) {
        begin(&client);
        recording.bytes[at] ^= 0x80;
        const enum sch_result result = sch_virgl_play(client.virgl, recording.bytes, recording.count);
        if (at < 8) assert_int_equal(result, SCH_ERROR_INVALID);
        recording.bytes[at] ^= 0x80;
        end(&client);
    }
}

/* ---- explanations ---- */

static void hear_explained(void *user, const char *line)
{
    struct client *client = user;
    snprintf(client->explained, sizeof client->explained, "%s", line);
}

struct explained {
    uint32_t number, kind, count, words[16];
    const char *text;
};

/* Names and words of commands, whether they are right or not. */
static void commands_are_explained(void **state)
{
    static const struct explained cases[] = {
        {CLEAR,
         0,
         8,
         {5, 0x3f800000, 0, 0xbf800000, 0, 0, 0x3fe00000, 7},
         "CLEAR parts=0x5 red=1 green=0 blue=-1 alpha=0 depth=0.5 stencil=7"},
        {DRAW,
         0,
         12,
         {0, 3, 4, 1, 1, 0xffffffff, 0, 1, 255, 0, 9, 0},
         "DRAW_VBO start=0 count=3 mode=TRIANGLES indexed=1 instances=1 index_bias=-1 start_instance=0 restart=1 "
         "restart_index=0xff least=0x0 most=0x9 bytes_from_target=0"},
        {DRAW, 0, 3, {0, 3, 99}, "DRAW_VBO start=0 count=3 mode=99"},
        {SET_VERTEX_BUFFERS,
         0,
         6,
         {16, 4, 2, 8, 0, 2},
         "SET_VERTEX_BUFFERS stride=16 offset=4 resource=2 stride=8 offset=0 resource=2"},
        {BIND_SHADER, 0, 2, {0, COMPUTE}, "BIND_SHADER handle=0 stage=COMPUTE"},
        {BIND_OBJECT, BLEND, 1, {3}, "BIND_OBJECT BLEND handle=3"},
        {DESTROY_OBJECT, 0, 3, {1, 2, 3}, "DESTROY_OBJECT handle=1 and 2 words"},
        {INLINE_WRITE,
         0,
         13,
         {2, 0, 0, 0, 0, 0, 0, 0, 8, 1, 1, 5, 5},
         "RESOURCE_INLINE_WRITE resource=2 level=0 usage=0x0 row_bytes=0 layer_bytes=0 x=0 y=0 z=0 width=8 height=1 "
         "depth=1 data=2 words"},
        {CREATE_OBJECT,
         SURFACE,
         5,
         {20, 1, R8G8B8A8, 0, 3u << 16 | 2},
         "CREATE_OBJECT SURFACE handle=20 resource=1 format=R8G8B8A8_UNORM level=0 layers=2,3"},
        {CREATE_OBJECT, SURFACE, 3, {20, 1, 5000}, "CREATE_OBJECT SURFACE handle=20 resource=1 format=5000"},
        {CREATE_OBJECT, 99, 2, {20, 1}, "CREATE_OBJECT and 2 words"},
        {CREATE_OBJECT,
         SHADER,
         13,
         {77, VERTEX, 8, 300, 1, 1, 2, 3, 4, 5, 6, 0x54524556, 0x0000090a},
         "CREATE_OBJECT SHADER handle=77 stage=VERTEX bytes=0x8 tokens=300 outputs=1 text=\"VERT\\n.\""},
        {CREATE_OBJECT,
         SHADER,
         6,
         {77, 6, 8, 300, 0xffffffff, 0x54524556},
         "CREATE_OBJECT SHADER handle=77 stage=6 bytes=0x8 tokens=300 outputs=4294967295 text=\"VERT\""},
        {CREATE_OBJECT,
         SHADER,
         7,
         {77, VERTEX, 8, 300, 2, 1, 2},
         "CREATE_OBJECT SHADER handle=77 stage=VERTEX bytes=0x8 tokens=300 outputs=2"},
        {200, 0, 2, {1, 2}, "command 200 and 2 words"},
    };
    struct client client;
    (void)state;
    begin(&client);
    sch_virgl_explain(client.virgl, &(struct sch_virgl_log){hear_explained, &client});
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        put(&client, cases[n].number, cases[n].kind, cases[n].count, cases[n].words);
        submit(&client);
        if (strcmp(client.explained, cases[n].text) != 0) fail_msg("%s\nis not\n%s", client.explained, cases[n].text);
    }
    end(&client);
}

/* ---- what is refused ---- */

static void assert_refused(struct client *client, const char *command, const char *reason)
{
    const uint64_t refused = sch_virgl_get_counts(client->virgl).refused;
    submit(client);
    if (sch_virgl_get_counts(client->virgl).refused == refused) fail_msg("%s is not refused", command);
    if (!strstr(client->told, command) || !strstr(client->told, reason)) fail_msg("%s: %s", command, client->told);
}

static void put_zeros(struct client *client, uint32_t number, uint32_t kind, uint32_t count)
{
    static const uint32_t zeros[512];
    put(client, number, kind, count, zeros);
}

static void streams_of_wrong_lengths_are_refused(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    client.words[0] = CLEAR | 8u << 16;
    client.count = 3;
    assert_int_equal(submit(&client), SCH_ERROR_INVALID);
    assert_non_null(strstr(client.told, "8 words, but 2 follow"));
    put_zeros(&client, 200, 0, 0);
    assert_refused(&client, "a command", "there is no command 200");
    put_zeros(&client, CLEAR, 0, 7);
    assert_refused(&client, "CLEAR", "7 words, where it has 8 to 8");
    sch_virgl_explain(client.virgl, &(struct sch_virgl_log){hear_explained, &client});
    for (uint32_t number = 0; number < 256; number++) /* nothing has it: no state, no handles */
        for (uint32_t count = 0; count < 40; count++) {
            client.explained[0] = 0;
            put_zeros(&client, number, number % 12, count);
            submit(&client);
            assert_int_not_equal(client.explained[0], 0);
        }
    end(&client);
}

static void objects_that_do_not_fit_are_refused(void **state)
{
    struct client client;
    uint32_t words[256] = {9};
    (void)state;
    begin(&client);
    set_up(&client);
    put_zeros(&client, CREATE_OBJECT, 12, 4);
    assert_refused(&client, "CREATE_OBJECT", "there is no kind 12");
    PUT(&client, CREATE_OBJECT, SURFACE, 1, 1, R8G8B8A8, 0, 0);
    assert_refused(&client, "CREATE_OBJECT", "handle 1 is in use");
    PUT(&client, CREATE_OBJECT, SURFACE, 9, 77, R8G8B8A8, 0, 0);
    assert_refused(&client, "CREATE_OBJECT", "there is no resource 77");
    PUT(&client, CREATE_OBJECT, SURFACE, 9, 1, R8G8B8A8, 9, 0);
    assert_refused(&client, "CREATE_OBJECT", "surface");
    PUT(&client, CREATE_OBJECT, SURFACE, 9, 1, 5000, 0, 0);
    assert_refused(&client, "CREATE_OBJECT", "no format 5000");
    put(&client, CREATE_OBJECT, ELEMENTS, 1 + 4 * 33, words);
    assert_refused(&client, "CREATE_OBJECT", "words");
    PUT(&client, CREATE_OBJECT, ELEMENTS, 9, 0, 0, 32, R32G32B32A32_FLOAT);
    assert_refused(&client, "CREATE_OBJECT", "no vertex buffer 32");
    PUT(&client, CREATE_OBJECT, SHADER, 9, VERTEX, 0x7fffffff, 300, 0);
    assert_refused(&client, "CREATE_OBJECT", "a text of 2147483647 bytes");
    PUT(&client, CREATE_OBJECT, SHADER, 9, VERTEX, 100, 300, 0xffffffff);
    assert_refused(&client, "CREATE_OBJECT", "stream outputs");
    PUT(&client, CREATE_OBJECT, SHADER, 3, VERTEX, 1u << 31 | 4, 300, 0);
    assert_refused(&client, "CREATE_OBJECT", "a part from byte 4 on");
    put_shader(&client, 9, VERTEX, "VERT\nDCL IN[0]\nMOV OUT[3], IN[0]\nEND\n");
    assert_refused(&client, "CREATE_OBJECT", "line 3");
    put_shader(&client, 9, VERTEX, green_fragment);
    assert_refused(&client, "CREATE_OBJECT", "another stage");
    PUT(&client, BIND_OBJECT, BLEND, 3);
    assert_refused(&client, "BIND_OBJECT", "object 3 is not a blend state");
    PUT(&client, BIND_SHADER, 0, 3, FRAGMENT);
    assert_refused(&client, "BIND_SHADER", "a shader of stage 0");
    PUT(&client, SET_FRAMEBUFFER, 0, 9, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    assert_refused(&client, "SET_FRAMEBUFFER_STATE", "for 9 colour buffers");
    PUT(&client, CREATE_OBJECT, QUERY, 9, 99, 0, 2);
    assert_refused(&client, "CREATE_OBJECT", "there is no kind 99");
    end(&client);
}

static void draws_without_what_they_need_are_refused(void **state)
{
    struct client client;
    (void)state;
    begin(&client);
    put_clear(&client, 0xfff, one);
    assert_refused(&client, "CLEAR", "there is no framebuffer");
    put_draw(&client, 0, 3, false);
    assert_refused(&client, "DRAW_VBO", "there is no vertex shader");
    PUT(&client, LAUNCH_GRID, 0, 1, 1, 1, 1, 1, 1, 0, 0);
    assert_refused(&client, "LAUNCH_GRID", "there is no compute shader");
    set_up(&client);
    put_clear(&client, 0xfff, one); /* surfaces that there are not */
    submit_all(&client);
    put_draw(&client, 0, 3, true);
    assert_refused(&client, "DRAW_VBO", "there is no index buffer");
    PUT(&client, DRAW, 0, 0, 3, 15, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    assert_refused(&client, "DRAW_VBO", "there is no primitive 15");
    put_draw(&client, 0x7fffffff, 3, false); /* beyond the buffer: zeros are read */
    submit(&client);
    PUT(&client, GET_QUERY_RESULT, 0, 77, 0);
    assert_refused(&client, "GET_QUERY_RESULT", "there is no object 77");
    PUT(&client, CREATE_OBJECT, QUERY, 9, 0, 4090, 2);
    PUT(&client, BEGIN_QUERY, 0, 9);
    PUT(&client, END_QUERY, 0, 9);
    PUT(&client, GET_QUERY_RESULT, 0, 9, 0);
    assert_refused(&client, "GET_QUERY_RESULT", "no place at byte 4090");
    end(&client);
}

static void boxes_beyond_their_resource_are_refused(void **state)
{
    static const struct {
        uint32_t x, y, z, width, height, depth, offset;
    } boxes[] = {{0xffffffff, 0, 0, 1, 1, 1, 0}, {0, 0, 0, SIDE + 1, 1, 1, 0},        {0, 0, 1, 1, 1, 1, 0},
                 {0, 0, 0, 1, 1, 2, 0},          {SIDE - 1, SIDE - 1, 0, 2, 2, 1, 0}, {0, 0, 0, 0xffffffff, 1, 1, 0},
                 {0, 0, 0, SIDE, SIDE, 1, 4},    {0, 0, 0, SIDE, SIDE, 1, 0xffffffff}};
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    for (unsigned n = 0; n < sizeof boxes / sizeof *boxes; n++)
        for (uint32_t direction = 1; direction <= 2; direction++) {
            PUT(&client, TRANSFER, 0, 1, 0, 0, 0, 0, boxes[n].x, boxes[n].y, boxes[n].z, boxes[n].width,
                boxes[n].height, boxes[n].depth, boxes[n].offset, direction);
            assert_refused(&client, "TRANSFER3D", "");
        }
    PUT(&client, TRANSFER, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1);
    assert_refused(&client, "TRANSFER3D", "there is no level 1");
    PUT(&client, TRANSFER, 0, 1, 0, 0, 1, 0, 0, 0, 0, SIDE, SIDE, 1, 0, 1); /* rows of a byte */
    assert_refused(&client, "TRANSFER3D", "transfer");
    PUT(&client, BLIT, 0, 0xf, 0, 0, 1, 0, 5000, 0, 0, 0, 1, 1, 1, 1, 0, R8G8B8A8, 0, 0, 0, 1, 1, 1);
    assert_refused(&client, "BLIT", "no format 5000");
    PUT(&client, BLIT, 0, 0xf, 0, 0, 1, 0, R32G32B32A32_FLOAT, 0, 0, 0, 1, 1, 1, 1, 0, R8G8B8A8, 0, 0, 0, 1, 1, 1);
    assert_refused(&client, "BLIT", "blit");
    end(&client);
}

static void resources_that_do_not_fit_are_refused(void **state)
{
    static const struct sch_virgl_resource_options options[] = {
        {.target = 9, .format = R8G8B8A8, .width = 1, .height = 1},
        {.target = TEXTURE_2D, .format = 0, .width = 1, .height = 1},
        {.target = TEXTURE_2D, .format = 5000, .width = 1, .height = 1},
        {.target = TEXTURE_2D, .format = DXT1, .width = 4, .height = 4, .samples = 4},
        {.target = TEXTURE_2D, .format = R8G8B8A8, .width = 0xffffffff, .height = 0xffffffff},
        {.target = TEXTURE_2D, .format = R8G8B8A8, .width = 1, .height = 1, .last_level = 0xffffffff},
        {.target = TEXTURE_2D, .format = R8G8B8A8, .width = 1, .height = 1, .samples = 3},
        {.target = TEXTURE_3D, .format = R8G8B8A8, .width = 1, .height = 1, .samples = 4},
        {.target = BUFFER, .format = R8, .width = 0xffffffff, .height = 1}};
    struct client client;
    (void)state;
    begin(&client);
    make(&client, 1, TEXTURE_2D, R8G8B8A8, 1, 1, client.color, 4);
    for (unsigned n = 0; n < sizeof options / sizeof *options; n++) {
        const unsigned lines = client.lines;
        assert_int_not_equal(sch_virgl_resource_create(client.virgl, 2, &options[n]), SCH_OK);
        assert_true(client.lines > lines);
    }
    const struct sch_virgl_resource_options good = {.target = TEXTURE_2D, .format = R8G8B8A8, .width = 1, .height = 1};
    assert_int_equal(sch_virgl_resource_create(client.virgl, 0, &good), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_virgl_resource_create(client.virgl, 1, &good), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_virgl_resource_attach(client.virgl, 1, client.color, 4), SCH_ERROR_ARGUMENT); /* twice */
    assert_int_equal(sch_virgl_resource_attach(client.virgl, 2, client.color, 4), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_virgl_resource_destroy(client.virgl, 2), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_virgl_resource_bytes(client.virgl, 2), 0);
    end(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_and_draws_reach_the_clients_memory),
        cmocka_unit_test(starts_of_indexed_draws_are_in_the_offset),
        cmocka_unit_test(scissors_are_empty_until_they_are_set),
        cmocka_unit_test(polygons_are_whole),
        cmocka_unit_test(strides_may_change_between_draws),
        cmocka_unit_test(shaders_come_in_parts),
        cmocka_unit_test(wide_operands_are_where_they_were_copied),
        cmocka_unit_test(maxima_of_both_signs_are_absolute),
        cmocka_unit_test(transfers_follow_the_layout),
        cmocka_unit_test(results_of_queries_reach_the_clients_memory),
        cmocka_unit_test(targets_are_filled_and_drawn),
        cmocka_unit_test(targets_begin_anew_together),
        cmocka_unit_test(targets_of_one_size_are_told_apart),
        cmocka_unit_test(targets_may_share_bytes),
        cmocka_unit_test(grids_write_buffers),
        cmocka_unit_test(slices_are_images),
        cmocka_unit_test(images_have_samples),
        cmocka_unit_test(references_come_before_levels),
        cmocka_unit_test(sub_contexts_have_objects_of_their_own),
        cmocka_unit_test(what_is_bound_stays),
        cmocka_unit_test(capabilities_are_true),
        cmocka_unit_test(blocks_are_moved_and_copied),
        cmocka_unit_test(recordings_say_it_again),
        cmocka_unit_test(broken_recordings_are_refused),
        cmocka_unit_test(commands_are_explained),
        cmocka_unit_test(streams_of_wrong_lengths_are_refused),
        cmocka_unit_test(objects_that_do_not_fit_are_refused),
        cmocka_unit_test(draws_without_what_they_need_are_refused),
        cmocka_unit_test(boxes_beyond_their_resource_are_refused),
        cmocka_unit_test(resources_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("virgl", tests, NULL, NULL);
}
