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

#include "virgl_client.h"

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

/* ARB_shader_draw_parameters: gl_BaseVertex is 0 where a draw has no base, wherever it begins. */
static void draws_without_indices_have_no_base(void **state)
{
    static const char text[] = "VERT\nDCL IN[0]\nDCL SV[0], BASEVERTEX\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"
                               "IMM[0] UINT32 {0, 0, 0, 0}\n  0: USEQ TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                               "  1: UCMP OUT[0], TEMP[0].xxxx, IN[0], IMM[0]\n  2: END\n";
    struct client client;
    (void)state;
    begin(&client);
    set_up(&client);
    PUT(&client, INLINE_WRITE, 0, 2, 0, 0, 0, 0, 16, 0, 0, 48, 1, 1, minus_one, minus_one, 0, one, three, minus_one, 0,
        one, minus_one, three, 0, one);
    put_shader(&client, 8, VERTEX, text);
    PUT(&client, BIND_SHADER, 0, 8, VERTEX);
    put_draw(&client, 1, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
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
    uint8_t counted[24] = {0};
    uint64_t result;
    (void)state;
    begin(&client);
    make(&client, 3, BUFFER, R8, sizeof counted, 1, counted, sizeof counted);
    make(&client, 2, BUFFER, R8, 16, 1, client.other, sizeof client.other);
    put_shader(&client, 1, COMPUTE, text);
    PUT(&client, BIND_SHADER, 0, 1, COMPUTE);
    PUT(&client, SET_SHADER_BUFFERS, 0, COMPUTE, 0, 0, 16, 2);
    PUT(&client, CREATE_OBJECT, QUERY, 20, 10 | SCH_STATISTIC_CS_INVOCATIONS << 16, 8, 3);
    PUT(&client, BEGIN_QUERY, 0, 20);
    PUT(&client, LAUNCH_GRID, 0, 4, 1, 1, 1, 2, 3, 0, 0);
    PUT(&client, END_QUERY, 0, 20);
    PUT(&client, GET_QUERY_RESULT, 0, 20, 0);
    submit_all(&client);
    memcpy(&result, counted + 16, sizeof result);
    assert_int_equal(result, 24);
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
        READBACK = 140,
        BITS_2 = 172
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
    assert_int_equal(words[BITS_2] >> 11 & 0x1f, 0x1f); /* layers, viewports, statistics, draw parameters, votes */
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
    const struct sch_virgl_frame_callbacks audience = {.show = look, .user = &again};
    const struct sch_virgl_sink sink = {keep, &again};
    struct client client;
    (void)state;
    record(&recording);
    begin(&client);
    sch_virgl_record(client.virgl, &sink); /* a recording of the recording is the same */
    sch_virgl_set_frame_callbacks(client.virgl, &audience);
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
        if (at < 12) assert_int_equal(result, SCH_ERROR_INVALID); /* name, version */
        if (at < 8) assert_non_null(strstr(client.told, "this is not a recording"));
        recording.bytes[at] ^= 0x80;
        end(&client);
    }
    for (unsigned version = 0; version <= 2; version += 2) {
        char said[80];
        snprintf(said, sizeof said, "the recording has version %u, and version 1 is read here", version);
        begin(&client);
        recording.bytes[8] = (uint8_t)version;
        assert_int_equal(sch_virgl_play(client.virgl, recording.bytes, recording.count), SCH_ERROR_INVALID);
        assert_non_null(strstr(client.told, said));
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

/* ---- early ends ---- */

/* What is left out is counted, each as what it is, and told of once. */
static void what_no_one_waits_for_is_left_out(void **state)
{
    struct client client;
    uint8_t memory[SIDE * SIDE * 4] = {7};
    const struct sch_virgl_transfer transfer = {.resource = 1, .box = {0, 0, 0, SIDE, SIDE, 1}};
    (void)state;
    begin(&client);
    make(&client, 1, TEXTURE_2D, R8G8B8A8, SIDE, SIDE, memory, sizeof memory);
    client.cancel = 1;
    PUT(&client, CLEAR_TEXTURE, 0, 1, 0, 0, 0, 0, SIDE, SIDE, 1, 0, 0, 0, 0);
    PUT(&client, COPY_REGION, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1);
    PUT(&client, DRAW, 0, 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0);
    client.words[client.count++] = 5 << 16 | DRAW; /* which ends beyond the submit */
    assert_int_equal(submit(&client), SCH_ERROR_CANCELLED);
    assert_string_equal(client.told, "submit 1 from word 0 on: no one waits for it any more");
    assert_int_equal(client.lines, 1);
    assert_int_equal(sch_virgl_transfer_put(client.virgl, &transfer), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_virgl_transfer_get(client.virgl, &transfer), SCH_ERROR_CANCELLED);
    assert_int_equal(memory[0], 7);
    const struct sch_virgl_losses losses = sch_virgl_get_losses(client.virgl);
    assert_int_equal(losses.counts[SCH_VIRGL_LOST_CLEAR], 1);
    assert_int_equal(losses.counts[SCH_VIRGL_LOST_COPY], 1);
    assert_int_equal(losses.counts[SCH_VIRGL_LOST_DRAW], 2);
    assert_int_equal(losses.counts[SCH_VIRGL_LOST_TRANSFER], 2);
    assert_int_equal(sch_virgl_get_counts(client.virgl).commands, 4);
    end(&client);
}

static void cancel_at_scissor(void *user, const char *line)
{
    struct client *client = user;
    if (strncmp(line, "SET_SCISSOR", strlen("SET_SCISSOR")) == 0) client->cancel = 1;
}

/* Draws that wait for others end with the submit, or before what changes their memory. */
static void draws_that_wait_are_lost_together(void **state)
{
    struct client client = {.context = NULL};
    (void)state;
    assert_int_equal(sch_context_create(NULL, &client.context), SCH_OK);
    const struct sch_virgl_options options = {
        .context = client.context, .threads = 2, .cancel = &client.cancel, .log = {hear, &client}};
    assert_int_equal(sch_virgl_create(&options, &client.virgl), SCH_OK);
    set_up(&client);
    put_clear(&client, 4, 0);
    put_draw(&client, 0, 3, false);
    put_draw(&client, 0, 3, false);
    submit_all(&client);
    assert_pixels(&client, 0xff00ff00);
    sch_virgl_explain(client.virgl, &(struct sch_virgl_log){cancel_at_scissor, &client});
    put_draw(&client, 0, 3, false);
    put_draw(&client, 0, 3, false);
    PUT(&client, SET_SCISSOR, 0, 0, 0, SIDE | SIDE << 16);
    assert_int_equal(submit(&client), SCH_ERROR_CANCELLED);
    assert_non_null(strstr(client.told, "draws that wait"));
    assert_int_equal(sch_virgl_get_losses(client.virgl).counts[SCH_VIRGL_LOST_DRAW], 1);
    assert_int_equal(sch_virgl_get_counts(client.virgl).refused, 1);
    end(&client);
}

/* What moves texels takes no longer than a draw. */
static void blits_have_the_deadline_of_draws(void **state)
{
    enum { LARGE = 2048, LINEAR = 1 << 8 };
    struct client client = {.context = NULL};
    (void)state;
    assert_int_equal(sch_context_create(NULL, &client.context), SCH_OK);
    const struct sch_virgl_options options = {
        .context = client.context, .threads = 2, .deadline_ms = 1, .log = {hear, &client}};
    assert_int_equal(sch_virgl_create(&options, &client.virgl), SCH_OK);
    make(&client, 1, TEXTURE_2D, R8G8B8A8, LARGE, LARGE, NULL, 0);
    make(&client, 2, TEXTURE_2D, R32G32B32A32_FLOAT, SIDE, SIDE, NULL, 0);
    PUT(&client, BLIT, 0, 15 | LINEAR, 0, 0, 1, 0, R8G8B8A8, 0, 0, 0, LARGE, LARGE, 1, 2, 0, R32G32B32A32_FLOAT, 0, 0,
        0, SIDE, SIDE, 1);
    assert_int_equal(submit(&client), SCH_ERROR_DEADLINE);
    assert_string_equal(client.told, "BLIT at word 0 of submit 1: blit: it took too long");
    const struct sch_virgl_losses losses = sch_virgl_get_losses(client.virgl);
    assert_int_equal(losses.counts[SCH_VIRGL_LOST_COPY], 1);
    assert_int_equal(losses.why, SCH_VIRGL_WHY_DEADLINE);
    end(&client);
}

/* What a collector is told: a line for each text and each use. */
static uint32_t collect_text(void *user, const struct sch_virgl_text *text)
{
    char *told = user;
    const size_t used = strlen(told);
    snprintf(told + used, 512 - used, "%d%s %zu %.4s\n", text->stage, text->refused ? " refused" : "", text->bytes,
             text->text);
    return text->refused ? 0 : 40 + (uint32_t)text->stage;
}

static void collect_use(void *user, uint32_t number, uint64_t by)
{
    char *told = user;
    const size_t used = strlen(told);
    snprintf(told + used, 512 - used, "%u by %u\n", number, (unsigned)by);
}

/* A text is told of when it is whole; what was refused is what came; a draw without a framebuffer is none. */
static void shaders_are_collected(void **state)
{
    static const char wrong[] = "FRAG\nMOV OUT[0], IN[0]\nEND\n";
    struct client client;
    char told[512] = "", wanted[512];
    const struct sch_virgl_collector collector = {collect_text, collect_use, told};
    (void)state;
    begin(&client);
    sch_virgl_collect(client.virgl, &collector);
    set_up(&client);
    put_draw(&client, 0, 3, false);
    put_shader(&client, 50, FRAGMENT, wrong);
    put_draw(&client, 0, 3, false);
    PUT(&client, SET_FRAMEBUFFER, 0, 0, 0);
    put_draw(&client, 0, 3, false);
    submit(&client);
    const char *bytes[2] = {strchr(told, ' '), strstr(told, "\n4 ")};
    assert_non_null(bytes[0]);
    assert_non_null(bytes[1]);
    snprintf(wanted, sizeof wanted, "%d %d VERT\n%d %d FRAG\n40 by 1\n44 by 1\n%d refused %zu FRAG\n40 by 2\n44 by 2\n",
             SCH_STAGE_VERTEX, atoi(bytes[0]), SCH_STAGE_FRAGMENT, atoi(bytes[1] + 3), SCH_STAGE_FRAGMENT,
             sizeof wrong - 1);
    assert_string_equal(told, wanted);
    end(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shaders_are_collected),
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
                                       cmocka_unit_test(draws_without_indices_have_no_base),
                                       cmocka_unit_test(grids_write_buffers),
                                       cmocka_unit_test(slices_are_images),
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
                                       cmocka_unit_test(what_no_one_waits_for_is_left_out),
                                       cmocka_unit_test(draws_that_wait_are_lost_together),
                                       cmocka_unit_test(blits_have_the_deadline_of_draws)};
    return cmocka_run_group_tests_name("virgl", tests, NULL, NULL);
}
