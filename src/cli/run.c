/* scheelite run: a fragment shader shades a picture, a compute shader runs a grid, a script runs all that it says. */
#include <stdlib.h>
#include <string.h>

#include "both.h"
#include "hlsl_file.h"
#include "invocation.h"
#include "picture.h"
#include "script.h"
#include "texels.h"
#include "texture_file.h"

static const char usage[] =
    "scheelite run FILE -o out.png [--target N|depth=FILE[,format=F]] [--compress 0-12] [--size WxH]\n"
    "       [--tex [SPACE:]N=FILE[,level=L][,layer=N][,face=F][,wrap=W][,filter=F][,mip=M][,aniso=N][,target=T]\n"
    "       [,mips=make][,decoded=1]]\n"
    "       [--sampler [SPACE:]N=wrap=W,filter=F] [--const [SPACE:]B:N=x,y,z,w] [--grid X,Y,Z] [--block X,Y,Z]\n"
    "       [--buffer [SPACE:]N=FILE|zero:BYTES] [--buffer-out [SPACE:]N=FILE] [--image [SPACE:]N=FILE]\n"
    "       [--image-out [SPACE:]N=FILE] [--interface SLOT=TABLE[,cb=B,offset=O,texture=T,sampler=S]]\n"
    "       [--hwatomic N=FILE|zero:BYTES] [--hwatomic-out N=FILE] [--global FILE|zero:BYTES] [--global-out FILE]\n"
    "       [--input FILE|zero:BYTES] [--fb N=FILE] [--heat lod|texels] [--stats] [--json] [--pixel X,Y [--floats "
    "hex|dec|both]]\n"
    "       [--unordered] [-x KIND] [--nth N]\n"
    "       [--engine auto|interp|jit|both|maxwell] [--width 4|8|16] [--threads N] [--budget N] [--work N]\n"
    "       [--deadline MS] [--cache DIR|none] [--compiler FILE] [--in-process] [--perf-map]\n"
    "       scheelite run SCRIPT.shader_test [--hlsl-compiler CMD] [--compiled FOLDER [--compiled-map TSV]]\n"
    "       [--model 4.0|4.1|5.0] [--json] [--engine auto|interp|jit|both|maxwell] [--width 4|8|16] [--threads N]\n"
    "       [--budget N] [--work N] [--deadline MS] [--cache DIR|none] [--compiler FILE] [--in-process] [--perf-map]\n"
    "  The ending of -o says the kind of file: exr, pfm and hdr have the colours as floats, others as R8G8B8A8_UNORM.\n"
    "  --target writes the colour output N, or the depth that the shader writes, in a format that the kind holds.\n"
    "  --budget bounds the loop iterations and calls of one invocation (default 1048576). --work bounds the\n"
    "  instructions of the whole dispatch, counted once for 32 invocations, and --deadline its milliseconds.\n"
    "  Without these two a grid may run for as long as it takes. Ctrl-C ends what runs.\n" SCH_CLI_TEXELS_USAGE;

enum { LARGEST_SIDE = 16384, DEFAULT_SIDE = 256 };

struct wanted {
    struct sch_cli_setup setup;
    const char *file, *output; /* the last -o */
    struct sch_cli_targets targets;
    uint32_t width, height;
    bool has_size, has_grid, has_block;
    uint32_t grid[3], block[3];
    enum sch_cli_heat_kind heat;
    bool stats, json;
    bool has_pixel;
    uint32_t pixel[2];
    enum sch_cli_floats floats;
    struct sch_cli_script script;
    bool for_scripts, for_shaders; /* whether an option was given that only these have */
};

/* `count` numbers between 1 and `high`, `separator` between them. */
static bool read_numbers(const char *text, char separator, unsigned count, uint32_t high, uint32_t *numbers)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = 0;
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 10) return false;
        for (size_t d = 0; d < digits; d++) value = value * 10 + (uint64_t)(text[d] - '0');
        if (value < 1 || value > high) return false;
        numbers[i] = (uint32_t)value;
        text += digits;
        if (i + 1 < count && *text++ != separator) return false;
    }
    return *text == 0;
}

enum { SHARED_OPTIONS = 11 };

static enum sch_cli_exit take_script_option(struct wanted *wanted, int option, const char *value)
{
    enum { COMPILED, MAP, MODEL };
    wanted->for_scripts = true;
    switch (option) {
    case COMPILED:
        wanted->script.hlsl.folder = value;
        break;
    case MAP:
        wanted->script.hlsl.map_path = value;
        break;
    case MODEL:
        wanted->script.options.model = strcmp(value, "4.0") == 0   ? 40
                                       : strcmp(value, "4.1") == 0 ? 41
                                       : strcmp(value, "5.0") == 0 ? 50
                                                                   : 0;
        if (!wanted->script.options.model)
            return sch_cli_usage_error(&sch_cli_run, "--model is 4.0, 4.1 or 5.0, not %s", value);
        break;
    default:
        return SCH_CLI_INTERNAL;
    }
    return SCH_CLI_YES;
}

/* X,Y from 0. */
static enum sch_cli_exit take_pixel(struct wanted *wanted, const char *value)
{
    const char *at = value;
    wanted->has_pixel = true;
    if (sch_cli_read_number(&at, &wanted->pixel[0]) && *at++ == ',' && sch_cli_read_number(&at, &wanted->pixel[1]) &&
        !*at)
        return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_run, "--pixel is X,Y with numbers from 0, not %s", value);
}

static enum sch_cli_exit take_option(struct wanted *wanted, int option, const char *value)
{
    enum {
        OUTPUT = SCH_CLI_SETUP_COUNT,
        SIZE,
        GRID,
        BLOCK,
        HEAT,
        STATS,
        TARGET,
        COMPRESS,
        PIXEL,
        FLOATS,
        JSON,
        FIRST_OF_SCRIPTS
    };
    uint32_t size[2];
    if (option >= FIRST_OF_SCRIPTS) return take_script_option(wanted, option - FIRST_OF_SCRIPTS, value);
    /* Those from -x to --perf-map come first, and are for both. */
    if (option >= SHARED_OPTIONS && option != JSON) wanted->for_shaders = true;
    switch (option) {
    case OUTPUT:
        return sch_cli_picture_output(value, &wanted->output);
    case SIZE:
        if (!read_numbers(value, 'x', 2, LARGEST_SIDE, size))
            return sch_cli_usage_error(&sch_cli_run, "--size is WxH with sides of 1 to %d, not %s", LARGEST_SIDE,
                                       value);
        wanted->width = size[0];
        wanted->height = size[1];
        wanted->has_size = true;
        return SCH_CLI_YES;
    case GRID:
        wanted->has_grid = true;
        if (read_numbers(value, ',', 3, UINT32_MAX, wanted->grid)) return SCH_CLI_YES;
        return sch_cli_usage_error(&sch_cli_run, "--grid is X,Y,Z with numbers from 1, not %s", value);
    case BLOCK:
        wanted->has_block = true;
        if (read_numbers(value, ',', 3, UINT32_MAX, wanted->block)) return SCH_CLI_YES;
        return sch_cli_usage_error(&sch_cli_run, "--block is X,Y,Z with numbers from 1, not %s", value);
    case HEAT:
        wanted->heat = strcmp(value, "lod") == 0      ? SCH_CLI_HEAT_LOD
                       : strcmp(value, "texels") == 0 ? SCH_CLI_HEAT_TEXELS
                                                      : SCH_CLI_HEAT_NONE;
        if (wanted->heat) return SCH_CLI_YES;
        return sch_cli_usage_error(&sch_cli_run, "--heat is lod or texels, not %s", value);
    case STATS:
        wanted->stats = true;
        return SCH_CLI_YES;
    case TARGET:
        return sch_cli_targets_option(&sch_cli_run, &wanted->targets, value);
    case PIXEL:
        return take_pixel(wanted, value);
    case FLOATS:
        return sch_cli_floats_option(&sch_cli_run, value, &wanted->floats);
    case JSON:
        wanted->json = wanted->script.json = true;
        return SCH_CLI_YES;
    case COMPRESS:
        return sch_cli_compress_option(&sch_cli_run, value);
    case SCH_CLI_FILE:
        if (wanted->file) return sch_cli_usage_error(&sch_cli_run, "one shader only");
        wanted->file = value;
        return SCH_CLI_YES;
    default:
        return sch_cli_setup_option(&sch_cli_run, &wanted->setup, option, value);
    }
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    static const struct sch_cli_option options[] = {SCH_CLI_SETUP_OPTIONS,         {"-o", SCH_CLI_VALUE},
                                                    {"--size", SCH_CLI_VALUE},     {"--grid", SCH_CLI_VALUE},
                                                    {"--block", SCH_CLI_VALUE},    {"--heat", SCH_CLI_VALUE},
                                                    {"--stats", SCH_CLI_FLAG},     {"--target", SCH_CLI_VALUE},
                                                    {"--compress", SCH_CLI_VALUE}, {"--pixel", SCH_CLI_VALUE},
                                                    {"--floats", SCH_CLI_VALUE},   {"--json", SCH_CLI_FLAG},
                                                    {"--compiled", SCH_CLI_VALUE}, {"--compiled-map", SCH_CLI_VALUE},
                                                    {"--model", SCH_CLI_VALUE},    {NULL, SCH_CLI_FLAG}};
    for (int option; (option = sch_cli_next(arguments, options)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        enum sch_cli_exit exit = take_option(wanted, option, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    if (!wanted->file) return sch_cli_usage_error(&sch_cli_run, "which shader?");
    if (wanted->heat || !wanted->output) return SCH_CLI_YES;
    return sch_cli_targets_output(&sch_cli_run, &wanted->targets, wanted->output);
}

/* A level below every one that there is stands for pixels without lookups. */
static const float least_lod = -127.5f;

/* Where two pictures of a colour differ. */
static enum sch_cli_exit compare_target(const struct wanted *wanted, struct sch_cli_both *both,
                                        const struct sch_cli_target *target, const struct sch_cli_target *again)
{
    const size_t pixels = (size_t)wanted->width * wanted->height, bytes = sch_cli_target_texel_bytes(target);
    for (size_t at = 0; at < pixels * bytes; at += 4) {
        uint32_t words[2];
        char who[64], what[16];
        memcpy(&words[0], target->texels + at, sizeof words[0]);
        memcpy(&words[1], again->texels + at, sizeof words[1]);
        if (words[0] == words[1]) continue;
        snprintf(who, sizeof who, "pixel %zu,%zu", at / bytes % wanted->width, at / bytes / wanted->width);
        if (target->index == SCH_CLI_DEPTH)
            snprintf(what, sizeof what, "depth");
        else
            snprintf(what, sizeof what, target->index ? "COLOR[%u]" : "COLOR", target->index);
        return sch_cli_both_differ(both, who, what, words[0], words[1]);
    }
    return SCH_CLI_YES;
}

/* The pictures again, as machine code. */
static enum sch_cli_exit compare_pictures(const struct wanted *wanted, struct sch_cli_both *both)
{
    struct sch_cli_targets again = wanted->targets;
    for (uint32_t i = 0; i < again.count; i++) again.list[i].path = NULL; /* the other's */
    for (uint32_t i = 0; i < again.count; i++) again.list[i].texels = NULL;
    const struct sch_cli_shading shading = {
        .width = wanted->width, .height = wanted->height, .targets = again.list, .target_count = again.count};
    enum sch_cli_exit exit = sch_cli_targets_allocate(&again, wanted->width, wanted->height);
    if (exit == SCH_CLI_YES) exit = sch_cli_both_again(both);
    if (exit == SCH_CLI_YES) exit = sch_cli_shade(&wanted->setup, both->shader, both->jit, &shading);
    for (uint32_t i = 0; i < again.count && exit == SCH_CLI_YES; i++)
        exit = compare_target(wanted, both, &wanted->targets.list[i], &again.list[i]);
    sch_cli_targets_release(&again);
    return exit == SCH_CLI_YES ? sch_cli_both_end(both) : exit;
}

static enum sch_cli_exit run_fragment(struct wanted *wanted, const struct sch_cli_shader *shader,
                                      const struct sch_program *program, struct sch_cli_both *both)
{
    struct sch_cli_shading shading = {.width = wanted->width,
                                      .height = wanted->height,
                                      .targets = wanted->targets.list,
                                      .target_count = wanted->targets.count,
                                      .heat_kind = wanted->heat};
    if (!wanted->output && !wanted->targets.count) return SCH_CLI_YES; /* --pixel alone */
    enum sch_cli_exit exit = sch_cli_targets_allocate(&wanted->targets, wanted->width, wanted->height);
    if (wanted->heat) shading.heat = calloc((size_t)wanted->width * wanted->height, sizeof *shading.heat);
    if (wanted->heat && !shading.heat) exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (exit == SCH_CLI_YES) exit = sch_cli_both_begin(both);
    if (exit == SCH_CLI_YES) exit = sch_cli_shade(&wanted->setup, shader, program, &shading);
    if (exit == SCH_CLI_YES && both->jit) exit = compare_pictures(wanted, both);
    if (exit == SCH_CLI_YES)
        exit = wanted->heat ? sch_cli_heat_write(shading.heat, shading.width, shading.height,
                                                 wanted->heat == SCH_CLI_HEAT_LOD ? least_lod : 0, wanted->output)
                            : sch_cli_targets_write(&wanted->targets, shader->context, shading.width, shading.height);
    free(shading.heat);
    return exit;
}

static enum sch_cli_exit run_grid(struct wanted *wanted, const struct sch_cli_shader *shader,
                                  const struct sch_program *program)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(&wanted->setup, &wanted->setup.constants, &bound);
    struct sch_dispatch_report report = {.size = sizeof report};
    enum sch_result result =
        sch_dispatch_grid(program, &bound.bindings, wanted->grid, wanted->block, &wanted->setup.dispatch, &report);
    if (result == SCH_ERROR_ARGUMENT)
        return sch_cli_fail(SCH_CLI_USAGE, "run: --block is not the block size that the shader fixes");
    char who[64];
    snprintf(who, sizeof who, "invocation %u of the grid", report.invocation);
    return sch_cli_dispatched(&wanted->setup, result, &report, shader, who);
}

static enum sch_cli_exit run_compute(struct wanted *wanted, const struct sch_cli_shader *shader,
                                     const struct sch_program *program, struct sch_cli_both *both)
{
    enum sch_cli_exit exit = sch_cli_both_begin(both);
    if (exit == SCH_CLI_YES) exit = run_grid(wanted, shader, program);
    if (exit != SCH_CLI_YES || !both->jit) return exit;
    exit = sch_cli_both_again(both);
    if (exit == SCH_CLI_YES) exit = run_grid(wanted, shader, both->jit);
    return exit == SCH_CLI_YES ? sch_cli_both_end(both) : exit;
}

static bool counts_texels(enum sch_engine engine) { return engine != SCH_ENGINE_JIT && engine != SCH_ENGINE_MAXWELL; }

/* Whether the options are those of the shader's stage. */
static enum sch_cli_exit check_stage(const struct wanted *wanted, enum sch_stage stage)
{
    if (stage == SCH_STAGE_FRAGMENT) {
        if (wanted->heat && wanted->setup.both)
            return sch_cli_usage_error(&sch_cli_run, "--heat needs the interpreter alone");
        if (wanted->heat && !counts_texels(wanted->setup.program.engine))
            return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                                "run: --engine %s does not count texels: --heat needs --engine interp or auto",
                                sch_cli_engine_word(wanted->setup.program.engine));
        if (wanted->heat && wanted->targets.count)
            return sch_cli_usage_error(&sch_cli_run, "--heat draws no colours: it goes with -o, not with --target");
        if (wanted->has_pixel && (wanted->pixel[0] >= wanted->width || wanted->pixel[1] >= wanted->height))
            return sch_cli_usage_error(&sch_cli_run, "--pixel %u,%u is not in the picture, which is %ux%u (--size)",
                                       wanted->pixel[0], wanted->pixel[1], wanted->width, wanted->height);
        if (wanted->has_pixel && wanted->setup.both)
            return sch_cli_usage_error(&sch_cli_run, "--pixel shows what one engine does, not --engine both");
        if (!wanted->output && (wanted->heat || (!wanted->targets.count && !wanted->has_pixel)))
            return sch_cli_usage_error(&sch_cli_run, "a fragment shader needs -o out.png, or --target N=FILE");
        if (wanted->has_grid) return sch_cli_usage_error(&sch_cli_run, "--grid is for compute shaders");
        if (wanted->has_block) return sch_cli_usage_error(&sch_cli_run, "--block is for compute shaders");
        return SCH_CLI_YES;
    }
    if (wanted->has_pixel) return sch_cli_usage_error(&sch_cli_run, "--pixel is for fragment shaders");
    if (stage == SCH_STAGE_COMPUTE) {
        if (!wanted->has_grid) return sch_cli_usage_error(&sch_cli_run, "a compute shader needs --grid X,Y,Z");
        if (wanted->has_size) return sch_cli_usage_error(&sch_cli_run, "--size is for fragment shaders");
        if (wanted->heat) return sch_cli_usage_error(&sch_cli_run, "--heat is for fragment shaders");
        if (wanted->targets.count > (wanted->output != NULL))
            return sch_cli_usage_error(&sch_cli_run, "--target is for fragment shaders");
        if (wanted->output)
            return sch_cli_fail(SCH_CLI_UNSUPPORTED, "run: -o of a compute shader is not available in this version");
        return SCH_CLI_YES;
    }
    return sch_cli_fail(
        SCH_CLI_UNSUPPORTED,
        "%s: run takes fragment and compute shaders, not %s ones; eval runs them line by line, and render "
        "draws with them",
        wanted->file, sch_cli_stage_word(stage));
}

/* What ran as machine code, and how. */
/* What machine code did: lines, or members of an object. */
static enum sch_cli_exit print_counts(const struct sch_cli_shader *shader, struct sch_cli_json *json)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    enum sch_result result = sch_context_code_counts(shader->context, &counts);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "run: %s", sch_result_text(result));
    const struct {
        const char *name;
        uint64_t count;
    } rows[] = {{"span_groups", counts.span_groups},
                {"native_groups", counts.native_groups},
                {"decoded_groups", counts.decoded_groups},
                {"programs", counts.programs},
                {"lookups", counts.lookups},
                {"from_cache", counts.from_cache},
                {"to_cache", counts.to_cache},
                {"refused", counts.refused}};
    if (json) sch_cli_json_object(json, "stats", false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (json)
            sch_cli_json_number(json, rows[i].name, rows[i].count);
        else
            printf("%s\t%llu\n", rows[i].name, (unsigned long long)rows[i].count);
    if (json) sch_cli_json_close(json);
    return SCH_CLI_YES;
}

/* --pixel and --stats, after the run. */
static enum sch_cli_exit tell(const struct wanted *wanted, const struct sch_cli_shader *shader,
                              const struct sch_program *program)
{
    const struct sch_cli_shading shading = {.width = wanted->width, .height = wanted->height};
    struct sch_cli_json document, *json = wanted->json ? &document : NULL;
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (json) {
        sch_cli_json_begin(json, stdout, "scheelite-run/1");
        sch_cli_json_text(json, "file", shader->input.name);
    }
    if (wanted->has_pixel)
        exit = sch_cli_print_invocation(&wanted->setup, shader, program, &shading, wanted->pixel, wanted->floats, json);
    if (exit == SCH_CLI_YES && wanted->stats) exit = print_counts(shader, json);
    if (json) sch_cli_json_end(json);
    return exit;
}

static enum sch_cli_exit run_shader(struct wanted *wanted, struct sch_cli_input *input)
{
    struct sch_cli_shader shader;
    struct sch_program *program = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    input->nth = wanted->setup.nth;
    enum sch_cli_exit exit = sch_cli_shader_take(input, wanted->setup.kind, &shader);
    if (exit == SCH_CLI_YES) exit = sch_cli_shader_lower(&shader);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    if (exit == SCH_CLI_YES) exit = sch_cli_result(sch_shader_get_info(shader.shader, &info), NULL, wanted->file);
    if (exit == SCH_CLI_YES) exit = check_stage(wanted, info.stage);
    if (exit == SCH_CLI_YES) exit = sch_cli_setup_program(&wanted->setup, &shader, &program);
    if (exit == SCH_CLI_YES) exit = sch_cli_setup_load(&wanted->setup, shader.context);
    struct sch_cli_both both = {0};
    if (exit == SCH_CLI_YES) exit = sch_cli_both_create(&both, &wanted->setup, &shader);
    if (exit == SCH_CLI_YES)
        exit = info.stage == SCH_STAGE_COMPUTE ? run_compute(wanted, &shader, program, &both)
                                               : run_fragment(wanted, &shader, program, &both);
    sch_cli_both_release(&both);
    if (exit == SCH_CLI_YES) exit = sch_cli_setup_write(&wanted->setup, shader.context);
    if (exit == SCH_CLI_YES) exit = tell(wanted, &shader, program);
    sch_cli_setup_warn(&wanted->setup, &shader);
    sch_program_destroy(program);
    sch_cli_setup_release(&wanted->setup);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit run_script(struct wanted *wanted, struct sch_cli_input *input)
{
    wanted->script.hlsl.compiler = sch_cli_hlsl_compiler_given();
    wanted->script.options.program = wanted->setup.program;
    wanted->script.options.dispatch = wanted->setup.dispatch;
    enum sch_cli_exit exit = SCH_CLI_YES;
    wanted->script.both = wanted->setup.both;
    if (wanted->for_shaders)
        exit = sch_cli_usage_error(&sch_cli_run, "a script says itself what it draws and what is bound");
    else if (wanted->script.hlsl.map_path && !wanted->script.hlsl.folder)
        exit = sch_cli_usage_error(&sch_cli_run, "--compiled-map needs --compiled");
    if (exit == SCH_CLI_YES) exit = sch_cli_script_run(&wanted->script, input);
    sch_cli_input_release(input);
    sch_cli_setup_release(&wanted->setup);
    return exit;
}

static enum sch_cli_exit run_file(struct wanted *wanted)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read_source(wanted->file, &input);
    wanted->setup.dispatch.cancel = sch_cli_interruptible();
    if (exit == SCH_CLI_YES && wanted->setup.kind == SCH_KIND_AUTO && sch_script_is(input.data, input.bytes))
        return run_script(wanted, &input);
    if (exit == SCH_CLI_YES && wanted->json && !wanted->stats && !wanted->has_pixel) {
        exit = sch_cli_usage_error(&sch_cli_run, "--json goes with --stats, with --pixel or with a script");
    } else if (exit == SCH_CLI_YES && !wanted->for_scripts) {
        return run_shader(wanted, &input);
    }
    if (exit == SCH_CLI_YES)
        exit = sch_cli_usage_error(&sch_cli_run, "--compiled, --compiled-map and --model are for scripts");
    sch_cli_input_release(&input);
    sch_cli_setup_release(&wanted->setup);
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_run, .argc = argc, .argv = argv};
    struct wanted wanted = {.width = DEFAULT_SIDE, .height = DEFAULT_SIDE, .floats = SCH_CLI_FLOATS_BOTH};
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES)
        exit = run_file(&wanted);
    else
        sch_cli_setup_release(&wanted.setup);
    sch_cli_targets_release(&wanted.targets);
    return exit;
}

const struct sch_cli_verb sch_cli_run = {"run", "shades a picture, runs a compute grid or a script of tests", usage,
                                         run, true};
