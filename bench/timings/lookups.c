/* ./dev bench tex: how many lookups a second one thread of the texture unit does. The shader has eight lookups
 * and little else; its inputs move over the texture about one texel a pixel, where it is magnified an eighth. */
#include <stdlib.h>
#include <string.h>

#include "../../src/support/words.h"
#include "timings.h"

enum { LOOKUPS = 8 };

#define TEX2D "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"
#define RGBA8 "R8G8B8A8_UNORM"

/* `instruction` is the lookup of IN[0] in a view of the target `view`. */
static const struct workload {
    const char *name;
    struct bench_texels texels;
    const char *view, *instruction;
} workloads[] = {
    {"nearest", {RGBA8, .side = 256}, TEX2D},
    {"bilinear", {RGBA8, .side = 256, .filter = SCH_FILTER_LINEAR}, TEX2D},
    {"trilinear",
     {RGBA8, .side = 256, .levels = 9, .filter = SCH_FILTER_LINEAR, .mip = SCH_MIP_LINEAR, .lod_bias = 0.5f},
     TEX2D},
    {"cube",
     {RGBA8, SCH_TARGET_CUBE, .side = 128, .filter = SCH_FILTER_LINEAR},
     "CUBE",
     "TEX TEMP[1], TEMP[0], SAMP[0], CUBE"},
    {"shadow",
     {"Z32_FLOAT", .side = 256, .filter = SCH_FILTER_LINEAR},
     "SHADOW2D",
     "TEX TEMP[1], TEMP[0], SAMP[0], SHADOW2D"},
    {"gather",
     {RGBA8, .side = 256, .filter = SCH_FILTER_LINEAR},
     "2D",
     "TG4 TEMP[1], TEMP[0], IMM[1].xxxx, SAMP[0], 2D"},
    {"aniso16",
     {RGBA8, .side = 256, .levels = 9, .filter = SCH_FILTER_LINEAR, .mip = SCH_MIP_LINEAR, .anisotropy = 16},
     "2D",
     "TXD TEMP[1], TEMP[0], IMM[2], IMM[3], SAMP[0], 2D"},
    {"rgba32f", {"R32G32B32A32_FLOAT", .side = 256, .filter = SCH_FILTER_LINEAR}, TEX2D},
    {"3d", {RGBA8, SCH_TARGET_3D, .side = 64, .filter = SCH_FILTER_LINEAR}, "3D", "TEX TEMP[1], TEMP[0], SAMP[0], 3D"},
    {"magnified", {RGBA8, .side = 32, .filter = SCH_FILTER_LINEAR}, TEX2D},
#define BLOCKS(name, format)                                                                                           \
    {name, {format, .side = 256, .filter = SCH_FILTER_LINEAR}, TEX2D},                                                 \
    {                                                                                                                  \
        name " magnified", {format, .side = 32, .filter = SCH_FILTER_LINEAR}, TEX2D                                    \
    }
    BLOCKS("bc1", "DXT1_RGBA"),
    BLOCKS("bc3", "DXT5_RGBA"),
    BLOCKS("bc4", "RGTC1_UNORM"),
    BLOCKS("bc5", "RGTC2_UNORM"),
    BLOCKS("bc6h", "BPTC_RGB_UFLOAT"),
    BLOCKS("bc7", "BPTC_RGBA_UNORM"),
    BLOCKS("etc2", "ETC2_RGB8"),
    BLOCKS("etc2 alpha", "ETC2_RGBA8"),
    BLOCKS("eac rg", "ETC2_RG11_UNORM"),
    BLOCKS("astc 4x4", "ASTC_4x4"),
    BLOCKS("astc 8x8", "ASTC_8x8"),
    BLOCKS("astc 4x4 srgb", "ASTC_4x4_SRGB"),
#undef BLOCKS
#define DECODED(name, format)                                                                                          \
    {                                                                                                                  \
        name " decoded", {format, .side = 256, .decoded = true, .filter = SCH_FILTER_LINEAR}, TEX2D                    \
    }
    DECODED("bc1", "DXT1_RGBA"),
    DECODED("bc6h", "BPTC_RGB_UFLOAT"),
    DECODED("bc7", "BPTC_RGBA_UNORM"),
    DECODED("astc 4x4", "ASTC_4x4"),
#undef DECODED
};

/* A shader that looks up LOOKUPS times, each time elsewhere. The gradients of IMM[2] and IMM[3] are 16 texels by 1 of
 * 256, for sixteen taps. */
static void write_shader(char *text, size_t bytes, const struct workload *workload)
{
    int at = snprintf(text, bytes,
                      "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                      "DCL SVIEW[0], %s, FLOAT\nDCL TEMP[0..2]\n"
                      "IMM[0] FLT32 {0.13, 0.29, 0.37, 0.0}\nIMM[1] UINT32 {0, 0, 0, 0}\n"
                      "IMM[2] FLT32 {0.0625, 0.0, 0.0, 0.0}\nIMM[3] FLT32 {0.0, 0.00390625, 0.0, 0.0}\n"
                      "ADD TEMP[0], IN[0], IMM[0].xyzw\n",
                      workload->view);
    for (unsigned i = 0; i < LOOKUPS; i++)
        at += snprintf(text + at, bytes - (size_t)at,
                       "%s\nADD TEMP[2], TEMP[2], TEMP[1]\nADD TEMP[0], TEMP[0], IMM[0]\n", workload->instruction);
    snprintf(text + at, bytes - (size_t)at, "MOV OUT[0], TEMP[2]\nEND\n");
}

static bool measure(const struct bench_setup *setup, const struct bench_bindings *bound,
                    const struct workload *workload, uint32_t width, struct bench_pixels *pixels)
{
    char text[2048];
    struct bench_time time;
    struct sch_program *program = NULL;
    struct sch_program_options options = setup->program;
    options.width = width;
    write_shader(text, sizeof text, workload);
    enum sch_result result = bench_program(setup->context, workload->name, text, &options, &program);
    if (result == SCH_OK) result = bench_run(setup, &bound->bindings, program, pixels, &time);
    sch_program_destroy(program);
    if (!bench_good(workload->name, result)) return false;
    printf("%s\t%s\t%u\t%.3f\t%.2f\n", workload->name, sch_engine_words[options.engine], width,
           LOOKUPS / time.seconds * 1e-6, time.seconds / LOOKUPS * 1e9);
    return true;
}

bool bench_lookups(const struct bench_setup *setup)
{
    /* The third coordinate is the reference of comparisons, too. */
    struct bench_pixels *pixels = bench_pixels(0.3f, 0.7f, 0.4f);
    bool good = bench_good("tex", pixels ? SCH_OK : SCH_ERROR_MEMORY);
    puts("lookup\tengine\twidth\tMsamples/s/thread\tns");
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads && good; i++) {
        struct bench_bindings bound;
        good = bench_good(workloads[i].name, bench_bind(setup->context, &workloads[i].texels, &bound));
        for (uint32_t width = 4; width <= 16 && good; width *= 2)
            if (!setup->program.width || setup->program.width == width)
                good = measure(setup, &bound, &workloads[i], width, pixels);
        bench_release(&bound);
    }
    free(pixels);
    return good;
}
