/* Lookups that are compiled with the program of a rectangle, as their state is known then: random textures and samplers
 * under each kind of lookup, every bit of the answers against the interpreter. What lookups mean is tested elsewhere
 * (test_texture), and the functions that groups at edges call are by test_compiled_lookups. SCH_LONG=1: more rounds;
 * SCH_FIRST, SCH_ROUNDS: these. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/by_code.h"
#include "../support/cache_folder.h"
#include "../support/random_textures.h"
#include "../tgsi/tgsi_support.h"

#include <scheelite/scheelite.h>

enum { WIDE = 64, HIGH = 6, RENDER_TARGETS = 4, ROUNDS = 3, LONG_ROUNDS = 200, TEXT = 4096 };

struct picture {
    uint8_t pixels[RENDER_TARGETS][HIGH][WIDE][4];
};

static uint64_t state;
static uint32_t next(uint32_t below) /* splitmix64 */
{
    return (uint32_t)((random_number(&state) >> 32) * below >> 32);
}
static float between(float low, float high) { return low + (high - low) * (float)next(1 << 16) / 65536.0f; }

/* ---- shaders ---- */

/* TEMP[0] is the answer, IN[0] the place. */
struct shape {
    const char *name, *target, *type, *code;
};
static const struct shape shapes[] = {
    {"sample", "2D", "FLOAT", "TEX TEMP[0], IN[0].xyxx, SAMP[0], 2D"},
    {"sample 1D", "1D", "FLOAT", "TEX TEMP[0], IN[0].xxxx, SAMP[0], 1D"},
    {"sample 3D", "3D", "FLOAT", "TEX TEMP[0], IN[0].xyzz, SAMP[0], 3D"},
    {"sample cube", "CUBE", "FLOAT", "TEX TEMP[0], IN[0].xyzz, SAMP[0], CUBE"},
    {"sample layers", "2D_ARRAY", "FLOAT", "TEX TEMP[0], IN[0].xyzz, SAMP[0], 2D_ARRAY"},
    {"sample rectangle", "RECT", "FLOAT", "TEX TEMP[0], IN[0].xyzz, SAMP[0], RECT"},
    {"project", "2D", "FLOAT", "TXP TEMP[0], IN[0], SAMP[0], 2D"},
    {"bias", "2D", "FLOAT", "TXB TEMP[0], IN[0].xyzw, SAMP[0], 2D"},
    {"level", "2D", "FLOAT", "TXL TEMP[0], IN[0].xyzw, SAMP[0], 2D"},
    {"gradients", "2D", "FLOAT", "TXD TEMP[0], IN[0].xyzw, IN[0].zwzw, IN[0].wzwz, SAMP[0], 2D"},
    {"compare", "SHADOW2D", "FLOAT", "TEX TEMP[0], IN[0].xyzz, SAMP[0], SHADOW2D"},
    {"gather", "2D", "FLOAT", "TG4 TEMP[0], IN[0].xyzw, IMM[0].yyyy, SAMP[0], 2D"},
    {"fetch", "2D", "FLOAT", "F2I TEMP[1], IN[0]\nTXF TEMP[0], TEMP[1].xyzw, SAMP[0], 2D"},
    {"fetch of one level", "2D", "FLOAT",
     "F2I TEMP[1].xy, IN[0]\nMOV TEMP[1].zw, IMM[0].xxxx\nTXF TEMP[0], TEMP[1], SAMP[0], 2D"},
    {"fetch with offsets", "2D", "UINT",
     "F2I TEMP[1].xy, IN[0]\nMOV TEMP[1].zw, IMM[0].xxxx\nF2I TEMP[2].xy, IN[0].zwww\n"
     "TXF TEMP[0], TEMP[1], SAMP[0], 2D, TEMP[2].xyx"},
    {"fetch of a rectangle", "RECT", "FLOAT", "F2I TEMP[1], IN[0]\nTXF TEMP[0], TEMP[1].xyzw, SAMP[0], RECT"},
    {"integers", "2D", "UINT", "TEX TEMP[0], IN[0].xyxx, SAMP[0], 2D"},
    {"under a mask", "2D", "FLOAT",
     "FSGE TEMP[1].x, IN[0].zzzz, IN[0].wwww\nUIF TEMP[1].xxxx\nTXL TEMP[0], IN[0].xyzw, SAMP[0], 2D\nELSE\n"
     "MOV TEMP[0], IN[0]\nENDIF"},
    {"in a loop", "2D", "FLOAT",
     "MOV TEMP[0], IN[0]\nMOV TEMP[2].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[1].x, TEMP[2].xxxx, IMM[1].zzzz\n"
     "UIF TEMP[1].xxxx\nBRK\nENDIF\nTXL TEMP[3], TEMP[0].xyzw, SAMP[0], 2D\nADD TEMP[0], TEMP[0], TEMP[3]\n"
     "UADD TEMP[2].x, TEMP[2].xxxx, IMM[1].yyyy\nENDLOOP"},
    {"the same twice", "2D", "FLOAT",
     "TEX TEMP[0], IN[0].xyxx, SAMP[0], 2D\nTEX TEMP[1], IN[0].zwww, SAMP[0], 2D\nADD TEMP[0], TEMP[0], TEMP[1]"},
    {"discarded", "2D", "FLOAT", "KILL_IF IN[0].zzzz\nTEX TEMP[0], IN[0].xyxx, SAMP[0], 2D"},
    {"by register", "2D", "FLOAT", "UARL ADDR[0].x, IMM[0].xxxx\nTXL TEMP[0], IN[0].xyzw, SAMP[ADDR[0].x], 2D"},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The code without an end; its length. IMM[3]: `steps`. */
static int write_code(const struct shape *shape, const float steps[4], char text[TEXT])
{
    return snprintf(text, TEXT,
                    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR[0]\nDCL OUT[1], COLOR[1]\n"
                    "DCL OUT[2], COLOR[2]\nDCL OUT[3], COLOR[3]\nDCL SAMP[0..%u]\nDCL SVIEW[0..%u], %s, %s\n"
                    "DCL TEMP[0..5]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 8, 16, 24}\nIMM[1] UINT32 {255, 1, 3, 0}\n"
                    "IMM[2] FLT32 {0.00392156862745098, 0, 0, 0}\nIMM[3] FLT32 {%.9g, %.9g, %.9g, %.9g}\n"
                    "MOV TEMP[5], IN[0]\n%s\n",
                    steps ? 1u : 0u, steps ? 1u : 0u, shape->target, shape->type, steps ? steps[0] : 0,
                    steps ? steps[1] : 0, steps ? steps[2] : 0, steps ? steps[3] : 0, shape->code);
}

/* Render target c shows the four bytes of component c. */
static void write_shader_of(const struct shape *shape, const float steps[4], char text[TEXT])
{
    int length = write_code(shape, steps, text);
    for (unsigned c = 0; c < 4; c++)
        length += snprintf(text + length, TEXT - (size_t)length,
                           "USHR TEMP[4], TEMP[0].%c%c%c%c, IMM[0]\nAND TEMP[4], TEMP[4], IMM[1].xxxx\n"
                           "U2F TEMP[4], TEMP[4]\nMUL OUT[%u], TEMP[4], IMM[2].xxxx\n",
                           "xyzw"[c], "xyzw"[c], "xyzw"[c], "xyzw"[c], c);
    snprintf(text + length, TEXT - (size_t)length, "END\n");
}

static void write_shader(const struct shape *shape, char text[TEXT]) { write_shader_of(shape, NULL, text); }

/* Lookups that several instructions have, of two pictures with the same state, and in a loop; TEMP[5] is the place. */
static const struct shape taps[] = {
    {"two pictures", "2D", "FLOAT",
     "ADD TEMP[1].xy, TEMP[5], IMM[3]\nADD TEMP[2].xy, TEMP[5], IMM[3].zwzw\nTEX TEMP[0], TEMP[5], SAMP[0], 2D\n"
     "TEX TEMP[3], TEMP[1], SAMP[1], 2D\nADD TEMP[0], TEMP[0], TEMP[3]\nTEX TEMP[3], TEMP[5], SAMP[1], 2D\n"
     "MAD TEMP[0], TEMP[3], IMM[3].xxxx, TEMP[0]\nTEX TEMP[3], TEMP[2], SAMP[0], 2D\nADD TEMP[0], TEMP[0], TEMP[3]\n"
     "TEX TEMP[3], TEMP[1].zyxw, SAMP[0], 2D\nMAD TEMP[0].xw, TEMP[3], IMM[3].yyyy, TEMP[0]"},
    {"in a loop", "2D", "FLOAT",
     "MOV TEMP[0], IMM[0].xxxx\nMOV TEMP[2].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[1].x, TEMP[2].xxxx, IMM[1].zzzz\n"
     "UIF TEMP[1].xxxx\nBRK\nENDIF\nTEX TEMP[3], TEMP[5], SAMP[0], 2D\nADD TEMP[0], TEMP[0], TEMP[3]\n"
     "TEX TEMP[3], TEMP[5].zyxw, SAMP[1], 2D\nADD TEMP[0], TEMP[0], TEMP[3]\n"
     "ADD TEMP[5].x, TEMP[5], IMM[3]\nUADD TEMP[2].x, TEMP[2].xxxx, IMM[1].yyyy\nENDLOOP"},
};
enum { TAPS = sizeof taps / sizeof *taps };

/* ---- drawing ---- */

/* Attributes in texels or in the texture's own size, a texel a pixel or many. */
static void make_attribute(struct sch_rectangle_register *attribute)
{
    static const float spans[] = {0.3f, 1.0f, 4.0f, 40.0f};
    *attribute = (struct sch_rectangle_register){.planar = 15};
    float span = spans[next(4)];
    for (unsigned c = 0; c < 4; c++)
        attribute->planes[c] = (struct sch_plane){
            {between(-span, span), between(-span, span) / WIDE, between(-span, span) / WIDE}, {1, 0, 0}};
}

/* With `report`: has the code compiled, and all functions that it calls; else draws. */
static void draw_or_compile(const struct sch_program *program, const struct random_textures *textures,
                            const struct sch_rectangle_register *attribute, unsigned threads, struct picture *picture,
                            struct sch_code_report *report)
{
    struct sch_render_target render_targets[RENDER_TARGETS];
    struct sch_bindings bindings = {.size = sizeof bindings};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .unordered = true};
    random_textures_bind(textures, &bindings);
    memset(picture, 0x55, sizeof *picture);
    for (uint32_t c = 0; c < RENDER_TARGETS; c++)
        render_targets[c] = (struct sch_render_target){
            .pixels = picture->pixels[c], .bytes = sizeof picture->pixels[c], .row_bytes = WIDE * 4, .output = c};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = WIDE,
                                            .height = HIGH,
                                            .registers = attribute,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = 1,
                                            .render_targets = render_targets,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = RENDER_TARGETS};
    const struct sch_code_options code = {.size = sizeof code, .rectangle = &rectangle, .bindings = &bindings};
    assert_int_equal(report ? sch_program_compile(program, &code, report)
                            : sch_dispatch_rectangle(program, &bindings, &rectangle, &options, NULL),
                     SCH_OK);
}

static void draw(const struct sch_program *program, const struct random_textures *textures,
                 const struct sch_rectangle_register *attribute, unsigned threads, struct picture *picture)
{
    draw_or_compile(program, textures, attribute, threads, picture, NULL);
}

static struct sch_program *program_of(struct sch_context *context, const char *text, enum sch_engine engine,
                                      unsigned width)
{
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    const struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_program_create(context, shader, &options, NULL, &program), SCH_OK);
    sch_shader_destroy(shader);
    return program;
}

static void make_textures(struct sch_context *context, const char *text, uint64_t seed,
                          struct random_textures *textures)
{
    struct reading reading = read_string(text);
    if (!reading.shader) fail_msg("this is not read:\n%s", text);
    random_textures_make(context, reading.shader, seed, textures);
    release(&reading);
}

static struct sch_context *open_context(const char *cache)
{
    struct sch_context *context = NULL;
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = by_code_compiler(), .cache = cache};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

static struct sch_code_counts counts_of(struct sch_context *context)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    assert_int_equal(sch_context_code_counts(context, &counts), SCH_OK);
    assert_int_equal(counts.refused, 0);
    return counts;
}

/* Whether not every pixel is the first one's. */
static bool varies(const struct picture *picture)
{
    for (unsigned c = 0; c < RENDER_TARGETS; c++)
        for (unsigned y = 0; y < HIGH; y++)
            for (unsigned x = 0; x < WIDE; x++)
                if (memcmp(picture->pixels[c][y][x], picture->pixels[c][0][0], 4) != 0) return true;
    return false;
}

/* ---- tests ---- */

static uint64_t lookups; /* compiled as functions */

/* Whether the picture showed something. */
static bool compare(struct sch_context *context, const struct shape *shape, unsigned round)
{
    static struct picture wanted, made;
    char text[TEXT];
    struct random_textures textures;
    struct sch_rectangle_register attribute;
    state = round * SHAPES + (uint64_t)(shape - shapes) + 1;
    write_shader(shape, text);
    make_textures(context, text, state, &textures);
    make_attribute(&attribute);
    unsigned width = next(3) ? 16 : 4u << next(2);
    struct sch_program *slow = program_of(context, text, SCH_ENGINE_INTERPRETER, 4);
    struct sch_program *quick = program_of(context, text, SCH_ENGINE_JIT, width);
    const uint64_t before = counts_of(context).lookups;
    draw(slow, &textures, &attribute, 1, &wanted);
    draw(quick, &textures, &attribute, 1, &made);
    if (memcmp(&made, &wanted, sizeof made) != 0)
        fail_msg("round %u, %s, width %u:\n%s", round, shape->name, width, text);
    /* The same where functions that are compiled in the background are there. */
    struct sch_code_report report = {.size = sizeof report};
    draw_or_compile(quick, &textures, &attribute, 1, &made, &report);
    draw(quick, &textures, &attribute, 1, &made);
    if (memcmp(&made, &wanted, sizeof made) != 0)
        fail_msg("round %u, %s, width %u, with functions:\n%s", round, shape->name, width, text);
    lookups += counts_of(context).lookups - before;
    sch_program_destroy(slow);
    sch_program_destroy(quick);
    random_textures_release(&textures);
    return varies(&wanted);
}

static void spans_match_the_interpreter(void **unused)
{
    (void)unused;
    const char *rounds = getenv("SCH_ROUNDS"), *first = getenv("SCH_FIRST");
    unsigned count = rounds ? (unsigned)atoi(rounds) : getenv("SCH_LONG") ? LONG_ROUNDS : ROUNDS, varied = 0;
    unsigned begin = first ? (unsigned)atoi(first) : 0;
    for (unsigned round = begin; round < begin + count; round++) {
        struct sch_context *context = open_context(NULL);
        for (unsigned s = 0; s < SHAPES; s++) varied += compare(context, &shapes[s], round);
        sch_context_destroy(context);
    }
    printf("# %u pictures, %u of more than one colour\n", count * SHAPES, varied);
    assert_true(3 * varied > count * SHAPES);
    assert_true(lookups > 0);
}

/* ---- one texel a pixel ---- */

enum { TAP_ROUNDS = 24, TALL = 16 };

/* Two pictures as wide as what is drawn, or nearly, and samplers of the same state. */
static void make_pictures(struct sch_context *context, const enum sch_format formats[2],
                          struct random_textures *pictures)
{
    static const enum sch_wrap wraps[] = {SCH_WRAP_REPEAT, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_BORDER};
    static struct sch_view *views[2];
    static struct sch_sampler *samplers[2];
    static uint8_t bytes[TALL][WIDE][4];
    const enum sch_filter filter = next(2) ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST;
    const struct sch_sampler_options sampler = {.size = sizeof sampler,
                                                .wrap_s = wraps[next(3)],
                                                .wrap_t = wraps[next(3)],
                                                .min_filter = filter,
                                                .mag_filter = filter,
                                                .border = {7, -7, NAN, 0.25f},
                                                .max_lod = 1000};
    for (unsigned i = 0; i < 2; i++) {
        const struct sch_resource_options shape = {
            .size = sizeof shape, .target = SCH_TARGET_2D, .format = formats[i], .width = WIDE, .height = TALL};
        struct sch_resource *resource = NULL;
        assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
        for (unsigned n = 0; n < sizeof bytes; n++) (&bytes[0][0][0])[n] = (uint8_t)next(256);
        assert_int_equal(sch_resource_write_all(resource, bytes, sizeof bytes), SCH_OK);
        assert_int_equal(sch_view_create(resource, NULL, &views[i]), SCH_OK);
        sch_resource_destroy(resource);
        assert_int_equal(sch_sampler_create(context, &sampler, NULL, &samplers[i]), SCH_OK);
    }
    *pictures = (struct random_textures){.views = views, .samplers = samplers, .view_count = 2, .sampler_count = 2};
}

/* Texels as pixels, most of them inside; seldom a little less or more of them. */
static void make_place(struct sch_rectangle_register *attribute)
{
    static const float scales[] = {1, 1, 1, 1, 1, 1, 0.97f, 1.01f, 0.5f};
    const float scale = scales[next(9)], from[2] = {(float)next(9) - 4, (float)next(TALL) - 2};
    const float part = next(2) ? 0.5f : between(0, 1);
    *attribute = (struct sch_rectangle_register){.planar = 15};
    attribute->planes[0] = (struct sch_plane){{(from[0] + part) / WIDE, scale / WIDE, 0}, {1, 0, 0}};
    attribute->planes[1] = (struct sch_plane){{(from[1] + part) / TALL, 0, scale / TALL}, {1, 0, 0}};
    attribute->planes[2] = attribute->planes[0];
    attribute->planes[3] = attribute->planes[1];
}

/* Has machine code draw as the interpreter does, with pictures of these formats; whether it shows something. */
static bool compare_pictures(const char *text, const enum sch_format formats[2], unsigned width, unsigned round)
{
    static struct picture wanted, made;
    struct sch_context *context = open_context(NULL);
    struct random_textures pictures;
    struct sch_rectangle_register attribute;
    make_pictures(context, formats, &pictures);
    make_place(&attribute);
    struct sch_program *slow = program_of(context, text, SCH_ENGINE_INTERPRETER, 4);
    struct sch_program *quick = program_of(context, text, SCH_ENGINE_JIT, width);
    draw(slow, &pictures, &attribute, 1, &wanted);
    for (unsigned pass = 0; pass < 2; pass++) {
        struct sch_code_report report = {.size = sizeof report};
        draw(quick, &pictures, &attribute, 1, &made);
        if (memcmp(&made, &wanted, sizeof made) != 0)
            fail_msg("round %u, width %u, formats %d, %d, pass %u:\n%s", round, width, formats[0], formats[1], pass,
                     text);
        /* Then with the code that has the lookups. */
        if (pass == 0) draw_or_compile(quick, &pictures, &attribute, 1, &made, &report);
    }
    sch_program_destroy(slow);
    sch_program_destroy(quick);
    for (unsigned i = 0; i < 2; i++) {
        sch_view_destroy(pictures.views[i]);
        sch_sampler_destroy(pictures.samplers[i]);
    }
    sch_context_destroy(context);
    return varies(&wanted);
}

static void texels_as_pixels_are_the_interpreters(void **unused)
{
    (void)unused;
    unsigned rounds = getenv("SCH_LONG") ? 20 * TAP_ROUNDS : TAP_ROUNDS, varied = 0;
    for (unsigned round = 0; round < rounds; round++) {
        const struct shape *shape = &taps[round % TAPS];
        char text[TEXT];
        state = 5000 + round;
        const float steps[4] = {(float)next(5) / WIDE, (float)next(3) / TALL, between(-2, 2) / WIDE,
                                between(-1, 1) / TALL};
        write_shader_of(shape, steps, text);
        const enum sch_format format = next(2) ? SCH_FORMAT_R8G8B8A8_UNORM : SCH_FORMAT_B8G8R8X8_UNORM;
        const unsigned width = next(4) ? 8 : next(2) ? 16 : 4;
        varied += compare_pictures(text, (const enum sch_format[2]){format, format}, width, round);
    }
    assert_int_equal(varied, rounds);
}

/* ---- colours ---- */

/* Results are colours: of lookups alone, of which the state is known, and of other writers beside them. TEMP[5] is from
 * 0 to 1 in few pixels. */
#define OUTSIDE "MAD TEMP[5], IN[0], IMM[3].xyxy, IMM[3].zwzw\n"
static const struct shape colors[] = {
    {"first alone", "2D", "FLOAT", "TEX OUT[0], IN[0], SAMP[0], 2D"},
    {"alone", "2D", "FLOAT", "TEX OUT[0], IN[0], SAMP[0], 2D\nTEX OUT[1].xz, IN[0].zwzw, SAMP[1], 2D"},
    {"other channels", "2D", "FLOAT",
     OUTSIDE "TEX OUT[0].yw, IN[0], SAMP[0], 2D\nMOV OUT[0].x, TEMP[5].yyyy\nMUL OUT[1].x, TEMP[5], TEMP[5].yyyy\n"
             "TEX OUT[1].yzw, IN[0], SAMP[1], 2D\nMOV OUT[2], TEMP[5]"},
    {"other lanes", "2D", "FLOAT",
     OUTSIDE "TEX OUT[0], IN[0], SAMP[0], 2D\nTEX OUT[1], IN[0], SAMP[1], 2D\n"
             "FSGE TEMP[1].x, TEMP[5].xxxx, TEMP[5].yyyy\nUIF TEMP[1].xxxx\nMOV OUT[0], TEMP[5]\nELSE\n"
             "MOV OUT[2], TEMP[5]\nENDIF"},
    {"some lanes", "2D", "FLOAT",
     OUTSIDE "FSGE TEMP[1].x, TEMP[5].xxxx, TEMP[5].yyyy\nUIF TEMP[1].xxxx\nTXL OUT[0], IN[0], SAMP[0], 2D\nELSE\n"
             "TXL OUT[1], IN[0], SAMP[1], 2D\nENDIF"},
    {"fetched", "2D", "FLOAT",
     "MUL TEMP[1], IN[0], IMM[3].xyxy\nF2I TEMP[1].xy, TEMP[1]\nMOV TEMP[1].zw, IMM[0].xxxx\n"
     "TXF OUT[0], TEMP[1], SAMP[0], 2D\nTXF OUT[1], TEMP[1].yxzw, SAMP[1], 2D"},
    {"beside queries", "2D", "FLOAT",
     "LODQ OUT[2], IN[0], SAMP[0], 2D\nTEX OUT[0], IN[0], SAMP[0], 2D\nTXQ TEMP[1], IMM[0].xxxx, SAMP[1], 2D\n"
     "U2F OUT[3], TEMP[1]\nTEX OUT[1], IN[0], SAMP[1], 2D"},
};
enum { COLORS = sizeof colors / sizeof *colors };

static void colors_of_lookups_are_the_interpreters(void **unused)
{
    (void)unused;
    static const enum sch_format bytes[] = {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_B8G8R8X8_UNORM,
                                            SCH_FORMAT_R8G8B8A8_SRGB, SCH_FORMAT_R10G10B10A2_UNORM,
                                            SCH_FORMAT_R16G16_UNORM};
    static const enum sch_format others[] = {SCH_FORMAT_R8G8B8A8_SNORM,   SCH_FORMAT_R8G8B8A8_SSCALED,
                                             SCH_FORMAT_R8G8B8A8_USCALED, SCH_FORMAT_R16G16_FLOAT,
                                             SCH_FORMAT_R32_FLOAT,        SCH_FORMAT_R11G11B10_FLOAT};
    enum { BYTES = sizeof bytes / sizeof *bytes, OTHERS = sizeof others / sizeof *others };
    unsigned rounds = (getenv("SCH_LONG") ? 40 : 4) * COLORS, varied = 0;
    for (unsigned round = 0; round < rounds; round++) {
        char text[TEXT];
        state = 9000 + round;
        const float steps[4] = {WIDE + 8, TALL + 4, -4, -2};
        const int length = write_code(&colors[round % COLORS], steps, text);
        snprintf(text + length, TEXT - (size_t)length, "END\n");
        const enum sch_format one = bytes[next(next(2) ? 2 : BYTES)], other = next(2) ? one : others[next(OTHERS)];
        const bool first = next(4) == 0;
        const unsigned width = next(4) ? 8 : next(2) ? 16 : 4;
        varied +=
            compare_pictures(text, (const enum sch_format[2]){first ? other : one, first ? one : other}, width, round);
    }
    assert_true(10 * varied > 9 * rounds);
}

/* ---- states ---- */

/* One program, more states than it keeps code for, each of them again and again: by machine code until there is some
 * with lookups in it, beside that which calls them. */
static void one_program_meets_many_states(enum sch_engine engine)
{
    enum { STATES = 7, PASSES = 3, MOST_PASSES = 3000 };
    static struct picture wanted[STATES], made;
    struct random_textures textures[STATES];
    struct sch_rectangle_register attribute;
    struct sch_context *context = open_context(NULL);
    char text[TEXT];
    state = 77;
    write_shader(&shapes[0], text);
    make_attribute(&attribute);
    struct sch_program *slow = program_of(context, text, SCH_ENGINE_INTERPRETER, 4);
    struct sch_program *quick = program_of(context, text, engine, 0);
    for (unsigned s = 0; s < STATES; s++) {
        make_textures(context, text, 1000 + s, &textures[s]);
        draw(slow, &textures[s], &attribute, 1, &wanted[s]);
    }
    for (unsigned n = 0; n < STATES * MOST_PASSES; n++) {
        if (n >= STATES * PASSES && (engine != SCH_ENGINE_JIT || counts_of(context).programs >= 2)) break;
        unsigned s = n * 3 % STATES;
        for (unsigned times = 0; times < (engine == SCH_ENGINE_AUTO ? 150u : 1u); times++) {
            draw(quick, &textures[s], &attribute, 1 + n % 3, &made);
            if (memcmp(&made, &wanted[s], sizeof made) != 0) fail_msg("draw %u of state %u", n, s);
        }
    }
    sch_program_destroy(slow);
    sch_program_destroy(quick);
    for (unsigned s = 0; s < STATES; s++) random_textures_release(&textures[s]);
    const struct sch_code_counts counts = counts_of(context);
    printf("# %llu groups by code, %llu not\n", (unsigned long long)counts.native_groups,
           (unsigned long long)counts.decoded_groups);
    if (engine == SCH_ENGINE_JIT) assert_in_range(counts.programs, 2, STATES + 1);
    sch_context_destroy(context);
}

static void jit_meets_many_states(void **unused)
{
    (void)unused;
    one_program_meets_many_states(SCH_ENGINE_JIT);
}

static void auto_meets_many_states(void **unused)
{
    (void)unused;
    one_program_meets_many_states(SCH_ENGINE_AUTO);
}

/* What a folder has of one state is not taken for another. */
static void the_cache_tells_states_apart(void **unused)
{
    (void)unused;
    static struct picture wanted, made;
    char folder[] = P_tmpdir "/scheelite-spans-XXXXXX", text[TEXT];
    assert_non_null(mkdtemp(folder));
    write_shader(&shapes[0], text);
    for (unsigned n = 0; n < 6; n++) { /* states 0 to 2, then again */
        struct random_textures textures;
        struct sch_rectangle_register attribute;
        struct sch_context *context = open_context(folder);
        make_textures(context, text, 2000 + n % 3, &textures);
        state = n % 3;
        make_attribute(&attribute);
        struct sch_program *slow = program_of(context, text, SCH_ENGINE_INTERPRETER, 4);
        struct sch_program *quick = program_of(context, text, SCH_ENGINE_JIT, 0);
        draw(slow, &textures, &attribute, 1, &wanted);
        draw(quick, &textures, &attribute, 1, &made);
        assert_memory_equal(&made, &wanted, sizeof made);
        struct sch_code_report report = {.size = sizeof report};
        draw_or_compile(quick, &textures, &attribute, 1, &made, &report);
        const struct sch_code_counts counts = counts_of(context);
        /* States whose lookups are called share the program's code. */
        assert_in_range(counts.programs, n == 0, n < 3);
        if (n >= 3) assert_int_equal(counts.lookups, 0);
        assert_in_range(counts.from_cache, n >= 3, 2);
        assert_true(counts.from_cache + counts.programs + counts.lookups >= 1);
        sch_program_destroy(slow);
        sch_program_destroy(quick);
        random_textures_release(&textures);
        sch_context_destroy(context);
    }
    assert_int_equal(remove_cache_folder(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_match_the_interpreter),
                                       cmocka_unit_test(texels_as_pixels_are_the_interpreters),
                                       cmocka_unit_test(colors_of_lookups_are_the_interpreters),
                                       cmocka_unit_test(jit_meets_many_states),
                                       cmocka_unit_test(auto_meets_many_states),
                                       cmocka_unit_test(the_cache_tells_states_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
