/* scheelite bench compile, second part: what it costs to compile a lookup, for a hundred states of samplers and views.
 * Each is the only lookup of a program, compiled for the spans of a rectangle, as what the state decides is decided
 * there. */
#include "bench.h"
#include "bench_compile.h"
#include "bench_table.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 80, TEXT_BYTES = 512, SIDE = 64 };

struct key {
    const char *target, *format, *filter, *wrap, *opcode;
};

/* Every format with every filter, repeated and clamped. */
static const char *const formats[] = {"R8G8B8A8_UNORM",     "B8G8R8A8_SRGB", "R8_UNORM",  "R16G16B16A16_FLOAT",
                                      "R32G32B32A32_FLOAT", "DXT1_RGBA",     "DXT5_RGBA", "BPTC_RGBA_UNORM"};
static const char *const filters[] = {"nearest", "linear", "linear,mip=nearest", "linear,mip=linear",
                                      "linear,mip=linear,aniso=16"};
static const char *const wraps[] = {"repeat", "clamp_to_edge"};
enum {
    FORMATS = sizeof formats / sizeof *formats,
    FILTERS = sizeof filters / sizeof *filters,
    WRAPS = sizeof wraps / sizeof *wraps,
    PRODUCT = FORMATS * FILTERS * WRAPS
};

/* And other targets and instructions. */
static const struct key others[] = {
    {"1D", "R8G8B8A8_UNORM", "linear", "repeat", "TEX"},
    {"RECT", "R8G8B8A8_UNORM", "linear", "clamp_to_edge", "TEX"},
    {"2D_ARRAY", "R8G8B8A8_UNORM", "linear", "repeat", "TEX"},
    {"2D_ARRAY", "R8G8B8A8_UNORM", "linear,mip=linear", "repeat", "TEX"},
    {"3D", "R8G8B8A8_UNORM", "nearest", "repeat", "TEX"},
    {"3D", "R8G8B8A8_UNORM", "linear", "repeat", "TEX"},
    {"3D", "R16G16B16A16_FLOAT", "linear", "repeat", "TEX"},
    {"CUBE", "R8G8B8A8_UNORM", "nearest", "clamp_to_edge", "TEX"},
    {"CUBE", "R8G8B8A8_UNORM", "linear", "clamp_to_edge", "TEX"},
    {"CUBE", "R8G8B8A8_UNORM", "linear,mip=linear", "clamp_to_edge", "TEX"},
    {"CUBE", "R16G16B16A16_FLOAT", "linear,mip=linear", "clamp_to_edge", "TEX"},
    {"SHADOW2D", "Z32_FLOAT", "nearest", "clamp_to_edge", "TEX"},
    {"SHADOW2D", "Z32_FLOAT", "linear", "clamp_to_edge", "TEX"},
    {"SHADOW2D", "Z16_UNORM", "linear", "clamp_to_edge", "TEX"},
    {"2D", "R8G8B8A8_UNORM", "linear", "mirror_repeat", "TEX"},
    {"2D", "R8G8B8A8_UNORM", "linear", "clamp_to_border", "TEX"},
    {"2D", "R32_FLOAT", "linear", "repeat", "TEX"},
    {"2D", "R8G8B8A8_UINT", "nearest", "repeat", "TEX"},
    {"2D", "R8G8B8A8_UNORM", "linear", "repeat", "TG4"},
    {"2D", "R8G8B8A8_UNORM", "nearest", "repeat", "TXF"},
};
enum { KEYS = PRODUCT + sizeof others / sizeof *others };

static struct key key_of(unsigned number)
{
    if (number >= PRODUCT) return others[number - PRODUCT];
    const unsigned filter = number / WRAPS % FILTERS;
    return (struct key){"2D", formats[number / (WRAPS * FILTERS)], filters[filter], wraps[number % WRAPS], "TEX"};
}

static bool is_shadow(const struct key *key) { return strncmp(key->target, "SHADOW", 6) == 0; }

static void write_shader(char text[TEXT_BYTES], const struct key *key)
{
    const char *plain = is_shadow(key) ? key->target + 6 : key->target;
    const bool integers = strstr(key->format, "UINT") != NULL;
    const char *operands = strcmp(key->opcode, "TG4") == 0 ? "IN[0], IMM[0].xxxx" : "IN[0]";
    snprintf(text, TEXT_BYTES,
             "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], %s, %s\n"
             "IMM[0] UINT32 {0, 0, 0, 0}\n%s OUT[0], %s, SAMP[0], %s\nEND\n",
             plain, integers ? "UINT" : "FLOAT", key->opcode, operands, key->target);
}

/* What stands after --tex. */
static void write_option(char text[TEXT_BYTES], const struct key *key)
{
    const bool mips = strstr(key->filter, "mip=") != NULL, cube = strcmp(key->target, "CUBE") == 0;
    const bool is_3d = strcmp(key->target, "3D") == 0, array = strstr(key->target, "ARRAY") != NULL;
    const char *size = is_3d ? "64x64x64" : strcmp(key->target, "1D") == 0 ? "64x1" : "64x64";
    snprintf(text, TEXT_BYTES, "0=random:%s:%s%s%s,target=%s,filter=%s,wrap=%s", key->format, size,
             mips ? ":levels=7" : "",
             cube    ? ":layers=6"
             : array ? ":layers=4"
                     : "",
             is_shadow(key) ? key->target + 6 : key->target, key->filter, key->wrap);
}

/* A rectangle of a render target's pixels, with an input. */
static void make_rectangle(struct sch_rectangle *rectangle, struct sch_rectangle_register *input,
                           struct sch_render_target *target, uint32_t *pixels)
{
    *input = (struct sch_rectangle_register){.planar = 15};
    for (unsigned c = 0; c < 4; c++) input->planes[c] = (struct sch_plane){{0.5f, 1, 0}, {SIDE, 0, 0}};
    *target = (struct sch_render_target){
        .pixels = pixels, .bytes = SIDE * SIDE * sizeof *pixels, .row_bytes = SIDE * sizeof *pixels};
    *rectangle = (struct sch_rectangle){.size = sizeof *rectangle,
                                        .width = SIDE,
                                        .height = SIDE,
                                        .registers = input,
                                        .register_stride = sizeof *input,
                                        .register_count = 1,
                                        .render_targets = target,
                                        .render_target_stride = sizeof *target,
                                        .render_target_count = 1};
}

static enum sch_cli_exit measure(struct sch_context *context, const struct sch_cli_setup *wanted, const struct key *key,
                                 struct sch_cli_compile_row *row)
{
    static uint32_t pixels[SIDE * SIDE];
    char text[TEXT_BYTES], option[TEXT_BYTES];
    struct sch_rectangle rectangle;
    struct sch_rectangle_register input;
    struct sch_render_target target;
    struct sch_cli_bindings bound;
    struct sch_cli_setup *setup = calloc(1, sizeof *setup);
    if (!setup) return sch_cli_fail(SCH_CLI_LIMIT, "bench: out of memory");
    sch_cli_setup_init(setup);
    setup->program = wanted->program;
    write_shader(text, key);
    write_option(option, key);
    make_rectangle(&rectangle, &input, &target, pixels);
    enum sch_cli_exit exit = sch_cli_bench_texture(context, setup, option);
    if (exit == SCH_CLI_YES) {
        sch_cli_bind(setup, &setup->constants, &bound);
        const struct sch_code_options spans = {
            .size = sizeof spans, .rectangle = &rectangle, .bindings = &bound.bindings};
        const struct sch_cli_input shader = {.name = row->name, .data = text, .bytes = strlen(text)};
        *row =
            (struct sch_cli_compile_row){.name = row->name, .times = sch_cli_compile(context, setup, &shader, &spans)};
        if (row->times.result != SCH_OK)
            exit = sch_cli_fail(sch_cli_exit_of(row->times.result), "bench: %s: %s", row->name,
                                sch_result_text(row->times.result));
    }
    sch_cli_setup_release(setup);
    free(setup);
    return exit;
}

static double cost(const struct sch_cli_compile_row *row)
{
    return row->times.build + row->times.passes + row->times.code;
}

static int by_cost(const void *a, const void *b)
{
    const double x = cost(a), y = cost(b);
    return x < y ? -1 : x > y;
}

/* The rows that half and nine tenths of the others are no greater than, and the greatest, by processor time. */
static void print_places(struct sch_cli_compile_row rows[KEYS])
{
    static const struct {
        const char *name;
        unsigned at;
    } places[SCH_CLI_LOOKUP_PLACES] = {{"median", KEYS / 2}, {"90 %", KEYS * 9 / 10}, {"worst", KEYS - 1}};
    qsort(rows, KEYS, sizeof *rows, by_cost);
    for (unsigned p = 0; p < SCH_CLI_LOOKUP_PLACES; p++) {
        char name[NAME_BYTES + 32];
        snprintf(name, sizeof name, "%s of lookups: %s", places[p].name, rows[places[p].at].name);
        const struct sch_cli_compile_row row = {.name = name, .times = rows[places[p].at].times};
        sch_cli_compile_print(&row, "warm");
    }
}

size_t sch_cli_bench_compile_lookup_rows(void) { return (size_t)KEYS + SCH_CLI_LOOKUP_PLACES; }

enum sch_cli_exit sch_cli_bench_compile_lookups(struct sch_context *context, const struct sch_cli_setup *setup)
{
    static char names[KEYS][NAME_BYTES];
    static struct sch_cli_compile_row rows[KEYS];
    enum sch_cli_exit exit = SCH_CLI_YES;
    for (unsigned n = 0; n < KEYS && exit == SCH_CLI_YES; n++) {
        const struct key key = key_of(n);
        snprintf(names[n], sizeof names[n], "%s %s %s %s %s", key.opcode, key.target, key.format, key.filter, key.wrap);
        rows[n].name = names[n];
        exit = measure(context, setup, &key, &rows[n]);
        if (n == 0 && exit == SCH_CLI_YES)
            exit = measure(context, setup, &key, &rows[n]); /* the first loads the compiler */
        if (exit == SCH_CLI_YES) sch_cli_compile_print(&rows[n], "warm");
    }
    if (exit == SCH_CLI_YES) print_places(rows);
    return exit;
}
