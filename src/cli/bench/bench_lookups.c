/* scheelite bench tex: how many lookups a second one thread of the texture unit does. The shader has eight lookups
 * and little else; its inputs move over the texture about one texel a pixel, where it is magnified an eighth. */
#include "bench.h"
#include "bench_table.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKUPS = 8 };

/* The state is written as --tex has it; `instruction` is the lookup of IN[0] on a target. */
static const struct workload {
    const char *name, *texels, *settings, *type, *instruction;
} workloads[] = {
    {"nearest", "random:R8G8B8A8_UNORM:256x256", "", "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"},
    {"bilinear", "random:R8G8B8A8_UNORM:256x256", ",filter=linear", "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"},
    {"trilinear", "random:R8G8B8A8_UNORM:256x256:levels=9", ",filter=linear,mip=linear,lod-bias=0.5", "2D",
     "TEX TEMP[1], TEMP[0], SAMP[0], 2D"},
    {"cube", "random:R8G8B8A8_UNORM:128x128", ",target=CUBE,filter=linear", "CUBE",
     "TEX TEMP[1], TEMP[0], SAMP[0], CUBE"},
    {"shadow", "random:Z32_FLOAT:256x256", ",filter=linear", "SHADOW2D", "TEX TEMP[1], TEMP[0], SAMP[0], SHADOW2D"},
    {"gather", "random:R8G8B8A8_UNORM:256x256", ",filter=linear", "2D",
     "TG4 TEMP[1], TEMP[0], IMM[1].xxxx, SAMP[0], 2D"},
    {"aniso16", "random:R8G8B8A8_UNORM:256x256:levels=9", ",filter=linear,mip=linear,aniso=16", "2D",
     "TXD TEMP[1], TEMP[0], IMM[2], IMM[3], SAMP[0], 2D"},
    {"rgba32f", "random:R32G32B32A32_FLOAT:256x256", ",filter=linear", "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"},
    {"3d", "random:R8G8B8A8_UNORM:64x64x64", ",target=3D,filter=linear", "3D", "TEX TEMP[1], TEMP[0], SAMP[0], 3D"},
    {"magnified", "random:R8G8B8A8_UNORM:32x32", ",filter=linear", "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"},
#define BLOCKS(name, format)                                                                                           \
    {name, "random:" format ":256x256", ",filter=linear", "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"},                  \
    {                                                                                                                  \
        name " magnified", "random:" format ":32x32", ",filter=linear", "2D", "TEX TEMP[1], TEMP[0], SAMP[0], 2D"      \
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
        name " decoded", "random:" format ":256x256", ",filter=linear,decoded=1", "2D",                                \
            "TEX TEMP[1], TEMP[0], SAMP[0], 2D"                                                                        \
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
                      workload->type);
    for (unsigned i = 0; i < LOOKUPS; i++)
        at += snprintf(text + at, bytes - (size_t)at,
                       "%s\nADD TEMP[2], TEMP[2], TEMP[1]\nADD TEMP[0], TEMP[0], IMM[0]\n", workload->instruction);
    snprintf(text + at, bytes - (size_t)at, "MOV OUT[0], TEMP[2]\nEND\n");
}

static enum sch_result measure(const struct sch_cli_setup *setup, const struct sch_program *program, const char *name,
                               uint32_t width, struct sch_cli_bench_pixels *pixels)
{
    struct sch_cli_bench_time time;
    enum sch_result result = sch_cli_bench_run(setup, program, pixels, &time);
    if (result != SCH_OK) return result;
    sch_cli_bench_row("%s\t%s\t%u\t%.3f\t%.2f", name, sch_cli_engine_word(setup->program.engine), width,
                      LOOKUPS / time.seconds * 1e-6, time.seconds / LOOKUPS * 1e9);
    fflush(stdout);
    return SCH_OK;
}

static enum sch_cli_exit bench_width(struct sch_context *context, const struct sch_cli_setup *setup,
                                     const struct workload *workload, uint32_t width,
                                     struct sch_cli_bench_pixels *pixels)
{
    char text[2048];
    struct sch_program *program = NULL;
    struct sch_program_options options = setup->program;
    options.width = width;
    write_shader(text, sizeof text, workload);
    enum sch_result result = sch_cli_bench_program(context, workload->name, text, &options, &program);
    if (result == SCH_OK) result = measure(setup, program, workload->name, width, pixels);
    sch_program_destroy(program);
    return result == SCH_OK
               ? SCH_CLI_YES
               : sch_cli_fail(sch_cli_exit_of(result), "bench tex: %s: %s", workload->name, sch_result_text(result));
}

static enum sch_cli_exit bench_one(struct sch_context *context, const struct sch_cli_setup *wanted,
                                   const struct workload *workload, struct sch_cli_bench_pixels *pixels)
{
    struct sch_cli_setup *setup = calloc(1, sizeof *setup);
    if (!setup) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    sch_cli_setup_init(setup);
    setup->program = wanted->program;
    setup->dispatch = wanted->dispatch;
    char option[200];
    snprintf(option, sizeof option, "0=%s%s", workload->texels, workload->settings);
    enum sch_cli_exit exit = sch_cli_bench_texture(context, setup, option);
    for (uint32_t width = 4; width <= 16 && exit == SCH_CLI_YES; width *= 2)
        if (!wanted->program.width || wanted->program.width == width)
            exit = bench_width(context, setup, workload, width, pixels);
    sch_cli_setup_release(setup);
    free(setup);
    return exit;
}

enum sch_cli_exit sch_cli_bench_lookups(struct sch_context *context, const struct sch_cli_setup *setup)
{
    /* The third coordinate is the reference of comparisons, too. */
    struct sch_cli_bench_pixels *pixels = sch_cli_bench_pixels(0.3f, 0.7f, 0.4f);
    if (!pixels) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    enum sch_cli_exit exit = SCH_CLI_YES;
    sch_cli_bench_head("lookup\tengine\twidth\tMsamples/s/thread\tns",
                       sizeof workloads / sizeof *workloads * sch_cli_bench_widths(setup));
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads && exit == SCH_CLI_YES; i++)
        exit = bench_one(context, setup, &workloads[i], pixels);
    free(pixels);
    return exit;
}
