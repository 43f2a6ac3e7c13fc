/* What clients of the virgl protocol mean though its words do not say it: which targets of transform feedback begin
 * anew, and which are drawn from; lookups whose operands have another order than TGSI's; samples of images.
 * Expectations are from OpenGL 4.6 and from what Mesa's client sends. */
#include "virgl_client.h"

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

/* Each sample of a multisampled image is stored and loaded (OpenGL 4.6 8.26: the sample is the last coordinate); its
 * size is that of its texels. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_filled_and_drawn),
        cmocka_unit_test(targets_begin_anew_together),
        cmocka_unit_test(targets_of_one_size_are_told_apart),
        cmocka_unit_test(targets_may_share_bytes),
        cmocka_unit_test(images_have_samples),
        cmocka_unit_test(references_come_before_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
