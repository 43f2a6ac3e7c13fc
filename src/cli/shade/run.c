/* scheelite run: a fragment shader shades a picture, a compute shader runs a grid, a script runs all that it says. */
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "both_engines.h"
#include "common/hlsl_file.h"
#include "common/progress.h"
#include "grid.h"
#include "heat.h"
#include "inputs/maxwell.h"
#include "launch/launch.h"
#include "launch/test.h"
#include "picture.h"
#include "picture/texels.h"
#include "picture/texture_file.h"
#include "script.h"

enum { LARGEST_SIDE = 16384 };

struct wanted {
    struct sch_cli_setup setup;
    const char *file, *output; /* the last -o */
    struct sch_cli_targets targets;
    const struct sch_cli_values *values;
    struct sch_cli_options_of_run options;
    uint32_t width, height;
    struct sch_cli_rows rows;
    struct sch_cli_grid grid;
    struct sch_cli_heats heats;
    bool has_pixel;
    uint32_t pixel[3], pixel_axes; /* how many of them were given */
    struct sch_cli_script script;
    struct sch_cli_launch *launch;
};

/* FIRST,COUNT: the first from 0, the count from 1. */
static bool read_part(const char *text, uint64_t high, uint64_t *first, uint64_t *count)
{
    const size_t digits = strcspn(text, ",");
    return text[digits] && digits < SCH_CLI_DIGITS && sch_text_digits(text, digits, 10, first) && *first <= high &&
           sch_cli_number(text + digits + 1, 1, high, count);
}

static enum sch_cli_exit take_part(struct wanted *wanted, bool rows, const char *value)
{
    uint64_t first, count;
    if (!read_part(value, rows ? LARGEST_SIDE : UINT64_MAX / 2, &first, &count))
        return sch_cli_usage_error(&sch_cli_run, "%s is FIRST,COUNT with a count from 1, not %s",
                                   rows ? "--rows" : "--groups", value);
    if (rows) {
        wanted->rows = (struct sch_cli_rows){.first = (uint32_t)first, .count = (uint32_t)count};
        return SCH_CLI_YES;
    }
    wanted->grid.has_groups = true;
    wanted->setup.dispatch.first_group = first;
    wanted->setup.dispatch.group_count = count;
    return SCH_CLI_YES;
}

/* X,Y or X,Y,Z from 0. */
static enum sch_cli_exit take_pixel(struct wanted *wanted, const char *value)
{
    const char *at = value;
    wanted->has_pixel = true;
    wanted->pixel[2] = 0;
    for (wanted->pixel_axes = 0; wanted->pixel_axes < 3; at++) {
        if (!sch_cli_read_number(&at, &wanted->pixel[wanted->pixel_axes++])) break;
        if (!*at && wanted->pixel_axes > 1) return SCH_CLI_YES;
        if (*at != ',') break;
    }
    return sch_cli_usage_error(&sch_cli_run, "--pixel is X,Y, of a grid X,Y or X,Y,Z, with numbers from 0, not %s",
                               value);
}

static enum sch_cli_exit take_run_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct wanted *wanted = user;
    switch (option) {
    case SCH_OPTION_HEAT:
        return sch_cli_heats_option(verb, &wanted->heats, value, true);
    case SCH_OPTION_RUN_TARGET:
        return sch_cli_targets_option(verb, &wanted->targets, value);
    case SCH_OPTION_PIXEL:
        return take_pixel(wanted, value);
    case SCH_OPTION_LAUNCH_PARAM:
    case SCH_OPTION_LAUNCH_OUT:
        return sch_cli_launch_option(wanted->launch, option, value);
    case SCH_OPTION_ROWS:
    case SCH_OPTION_GROUPS:
        return take_part(wanted, option == SCH_OPTION_ROWS, value);
    default:
        return sch_cli_setup_option(&wanted->setup, verb, option, value);
    }
}

/* Whether an option was given that binds something by number. */
static bool binds_by_number(const struct wanted *wanted)
{
    return wanted->values->textures.any || wanted->values->bindings.any;
}

static void take_values(struct wanted *wanted, const struct sch_cli_values *values)
{
    static const uint32_t models[] = {40, 41, 50}; /* in the order of the words of --model */
    const struct sch_cli_options_of_scripts *scripts = &values->of_scripts;
    struct sch_cli_launch *launch = wanted->launch;
    wanted->values = values;
    wanted->options = values->of_run;
    wanted->width = wanted->options.size[0];
    wanted->height = wanted->options.size[1];
    memcpy(wanted->grid.size, wanted->options.grid, sizeof wanted->grid.size);
    memcpy(wanted->grid.block, wanted->options.block, sizeof wanted->grid.block);
    wanted->script.json = launch->json = values->json.json;
    wanted->script.hlsl.folder = scripts->compiled;
    wanted->script.hlsl.map_path = scripts->compiled_map;
    if (scripts->has_model) wanted->script.options.model = models[scripts->model];
    launch->options = values->parameters;
    memcpy(launch->grid, wanted->options.grid, sizeof launch->grid);
    memcpy(launch->block, wanted->options.block, sizeof launch->block);
}

static enum sch_cli_exit read_run_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    enum sch_cli_exit exit_code = sch_cli_setup_parse(&wanted->setup, arguments, take_run_option, wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted->file = arguments->files[0];
    take_values(wanted, &arguments->values);
    const char *output = arguments->values.of_run.output;
    if (output) exit_code = sch_cli_picture_output(output, &wanted->output);
    if (exit_code != SCH_CLI_YES || !output) return exit_code;
    if (wanted->heats.unnamed) wanted->heats.paths[wanted->heats.of_output] = output;
    return wanted->heats.unnamed ? SCH_CLI_YES : sch_cli_targets_output(&sch_cli_run, &wanted->targets, output);
}

/* Where two pictures of a colour differ. */
static enum sch_cli_exit compare_target(const struct wanted *wanted, struct sch_cli_both_engines *both,
                                        const struct sch_cli_target *target, const struct sch_cli_target *again)
{
    const struct sch_cli_rows drawn = sch_cli_rows_around(wanted->rows, wanted->width, wanted->height);
    const size_t pixels = (size_t)wanted->width * drawn.count, bytes = sch_cli_target_texel_bytes(target);
    for (size_t at = 0; at < pixels * bytes; at += 4) {
        uint32_t words[2];
        char who[64], what[16];
        memcpy(&words[0], target->texels + at, sizeof words[0]);
        memcpy(&words[1], again->texels + at, sizeof words[1]);
        if (words[0] == words[1]) continue;
        snprintf(who, sizeof who, "pixel %zu,%zu", at / bytes % wanted->width,
                 drawn.first + at / bytes / wanted->width);
        if (target->index == SCH_CLI_DEPTH)
            snprintf(what, sizeof what, "depth");
        else
            snprintf(what, sizeof what, target->index ? "COLOR[%u]" : "COLOR", target->index);
        return sch_cli_both_engines_differ(both, who, what, words[0], words[1]);
    }
    return SCH_CLI_YES;
}

/* The pictures again, as machine code. */
static enum sch_cli_exit compare_pictures(const struct wanted *wanted, struct sch_cli_both_engines *both)
{
    struct sch_cli_targets again = wanted->targets;
    for (uint32_t i = 0; i < again.count; i++) again.list[i].path = NULL; /* the other's */
    for (uint32_t i = 0; i < again.count; i++) again.list[i].texels = NULL;
    const struct sch_cli_rows drawn = sch_cli_rows_around(wanted->rows, wanted->width, wanted->height);
    const struct sch_cli_shading shading = {.width = wanted->width,
                                            .height = wanted->height,
                                            .rows = wanted->rows,
                                            .targets = again.list,
                                            .target_count = again.count};
    enum sch_cli_exit exit_code = sch_cli_targets_allocate(&again, wanted->width, drawn.count);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_both_engines_again(both);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shade(&wanted->setup, both->shader, both->jit, &shading);
    for (uint32_t i = 0; i < again.count && exit_code == SCH_CLI_YES; i++)
        exit_code = compare_target(wanted, both, &wanted->targets.list[i], &again.list[i]);
    sch_cli_targets_release(&again);
    return exit_code == SCH_CLI_YES ? sch_cli_both_engines_end(both) : exit_code;
}

/* Moves the wanted ones of the rows drawn to their place. Returns how many there are. */
static uint32_t keep_rows(struct wanted *wanted, struct sch_cli_rows drawn)
{
    if (!wanted->rows.count) return drawn.count;
    for (uint32_t i = 0; i < wanted->targets.count; i++) {
        struct sch_cli_target *target = &wanted->targets.list[i];
        const size_t row = wanted->width * sch_cli_target_texel_bytes(target);
        memmove(target->texels, target->texels + (wanted->rows.first - drawn.first) * row, wanted->rows.count * row);
    }
    return wanted->rows.count;
}

static enum sch_cli_exit run_fragment(struct wanted *wanted, const struct sch_cli_shader *shader,
                                      const struct sch_program *program, struct sch_cli_both_engines *both)
{
    const struct sch_cli_rows drawn = sch_cli_rows_around(wanted->rows, wanted->width, wanted->height);
    struct sch_cli_shading shading = {.width = wanted->width,
                                      .height = wanted->height,
                                      .rows = wanted->rows,
                                      .targets = wanted->targets.list,
                                      .target_count = wanted->targets.count};
    if (!wanted->heats.count && !wanted->targets.count) return SCH_CLI_YES; /* --pixel alone */
    enum sch_cli_exit exit_code = sch_cli_targets_allocate(&wanted->targets, wanted->width, drawn.count);
    if (exit_code == SCH_CLI_YES && wanted->heats.count) {
        exit_code = sch_cli_heats_allocate(&wanted->heats, wanted->width, wanted->height);
        wanted->setup.dispatch.heat = &wanted->heats.counts;
    }
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_both_engines_begin(both);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shade(&wanted->setup, shader, program, &shading);
    wanted->setup.dispatch.heat = NULL; /* what --pixel runs is not counted */
    if (exit_code == SCH_CLI_YES && both->jit) exit_code = compare_pictures(wanted, both);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_targets_write(&wanted->targets, shader->context, shading.width, keep_rows(wanted, drawn));
    return exit_code == SCH_CLI_YES ? sch_cli_heats_write(&wanted->heats) : exit_code;
}

static enum sch_cli_exit run_compute(struct wanted *wanted, const struct sch_cli_shader *shader,
                                     const struct sch_program *program, struct sch_cli_both_engines *both)
{
    if (wanted->has_pixel && !sch_cli_memory_is_output(&wanted->setup)) return SCH_CLI_YES;
    enum sch_cli_exit exit_code = sch_cli_both_engines_begin(both);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_grid_run(&wanted->setup, shader, program, &wanted->grid);
    if (exit_code != SCH_CLI_YES || !both->jit) return exit_code;
    exit_code = sch_cli_both_engines_again(both);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_grid_run(&wanted->setup, shader, both->jit, &wanted->grid);
    return exit_code == SCH_CLI_YES ? sch_cli_both_engines_end(both) : exit_code;
}

static enum sch_cli_exit check_rows(const struct wanted *wanted)
{
    if (wanted->rows.first >= wanted->height || wanted->rows.count > wanted->height - wanted->rows.first)
        return sch_cli_usage_error(&sch_cli_run, "the picture has %u rows: --rows ends beyond them", wanted->height);
    if (wanted->heats.count) return sch_cli_usage_error(&sch_cli_run, "--rows goes with colours, not with --heat");
    if (wanted->setup.dispatch.work)
        return sch_cli_usage_error(&sch_cli_run, "--work bounds the whole picture: it does not go with --rows");
    return SCH_CLI_YES;
}

/* A picture of whose rows each sees what those before it have written cannot begin with any. */
static enum sch_cli_exit check_part(const struct wanted *wanted, const struct sch_program *program)
{
    if (!sch_program_writes_memory(program)) return SCH_CLI_YES;
    if (wanted->rows.count)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "%s: the shader writes memory that all pixels see: it cannot be drawn by --rows",
                            wanted->file);
    return SCH_CLI_YES;
}

/* Options that shaders of one of the two stages have. */
static enum sch_cli_exit check_of_stage(const struct wanted *wanted, enum sch_stage stage)
{
    const struct {
        bool given;
        enum sch_cli_option_id option;
        enum sch_stage stage;
    } options[] = {{wanted->grid.has_groups, SCH_OPTION_GROUPS, SCH_STAGE_COMPUTE},
                   {wanted->setup.dispatch.checks & SCH_CHECK_RACES, SCH_OPTION_CHECK_RACES, SCH_STAGE_COMPUTE},
                   {wanted->setup.dispatch.checks, SCH_OPTION_CHECK_UNWRITTEN, SCH_STAGE_COMPUTE},
                   {wanted->options.has_grid, SCH_OPTION_GRID, SCH_STAGE_COMPUTE},
                   {wanted->options.has_block, SCH_OPTION_BLOCK, SCH_STAGE_COMPUTE},
                   {wanted->options.has_size, SCH_OPTION_SIZE, SCH_STAGE_FRAGMENT},
                   {wanted->rows.count, SCH_OPTION_ROWS, SCH_STAGE_FRAGMENT},
                   {wanted->heats.count, SCH_OPTION_HEAT, SCH_STAGE_FRAGMENT},
                   {wanted->targets.count > (wanted->output != NULL), SCH_OPTION_RUN_TARGET, SCH_STAGE_FRAGMENT}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && options[i].stage != stage)
            return sch_cli_usage_error(&sch_cli_run, "%s is for %s shaders; this is a %s shader",
                                       sch_cli_options[options[i].option].name, sch_cli_stage_word(options[i].stage),
                                       sch_cli_stage_word(stage));
    return SCH_CLI_YES;
}

static enum sch_cli_exit check_fragment(const struct wanted *wanted)
{
    const struct sch_cli_heats *heats = &wanted->heats;
    if (heats->unnamed && wanted->targets.count)
        return sch_cli_usage_error(&sch_cli_run, "--heat draws no colours where -o is its file: beside --target it "
                                                 "is KIND=FILE");
    if (wanted->has_pixel && wanted->pixel_axes > 2)
        return sch_cli_usage_error(&sch_cli_run, "--pixel of a picture is X,Y");
    if (wanted->has_pixel && (wanted->pixel[0] >= wanted->width || wanted->pixel[1] >= wanted->height))
        return sch_cli_usage_error(&sch_cli_run, "--pixel %u,%u is not in the picture, which is %ux%u (--size)",
                                   wanted->pixel[0], wanted->pixel[1], wanted->width, wanted->height);
    if (!wanted->output && (heats->unnamed || (!wanted->targets.count && !wanted->has_pixel && !heats->count)))
        return sch_cli_usage_error(&sch_cli_run, "a fragment shader needs -o out.png, or --target N=FILE");
    return wanted->rows.count ? check_rows(wanted) : check_of_stage(wanted, SCH_STAGE_FRAGMENT);
}

static enum sch_cli_exit check_compute(const struct wanted *wanted)
{
    if (!wanted->options.has_grid) return sch_cli_usage_error(&sch_cli_run, "a compute shader needs --grid X,Y,Z");
    if (wanted->has_pixel && wanted->grid.has_groups)
        return sch_cli_usage_error(&sch_cli_run, "--pixel says which work group runs: it does not go with --groups");
    const enum sch_cli_exit exit_code = check_of_stage(wanted, SCH_STAGE_COMPUTE);
    if (exit_code == SCH_CLI_YES && wanted->output)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "run: -o of a compute shader is not available in this version");
    return exit_code;
}

/* Whether the options are those of the shader's stage. */
static enum sch_cli_exit check_stage(const struct wanted *wanted, enum sch_stage stage)
{
    if (wanted->has_pixel && wanted->setup.both)
        return sch_cli_usage_error(&sch_cli_run, "--pixel shows what one engine does, not --engine both");
    if (stage == SCH_STAGE_COMPUTE) return check_compute(wanted);
    if (stage == SCH_STAGE_FRAGMENT) {
        const enum sch_cli_exit exit_code =
            sch_cli_heats_check(&sch_cli_run, &wanted->heats, wanted->setup.both, wanted->setup.program.engine);
        return exit_code == SCH_CLI_YES ? check_fragment(wanted) : exit_code;
    }
    return sch_cli_fail(
        SCH_CLI_UNSUPPORTED,
        "%s: run takes fragment and compute shaders, not %s ones; eval runs them line by line, and render "
        "draws with them",
        wanted->file, sch_cli_stage_word(stage));
}

/* What machine code did: lines, or members of an object. */
static enum sch_cli_exit print_counts(const struct sch_cli_shader *shader, struct sch_json *json)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    enum sch_result result = sch_context_code_counts(shader->context, &counts);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "run: %s", sch_result_text(result));
    sch_json_object(json, "stats", false);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("span_groups", counts.span_groups),
                    SCH_JSON_NUMBER("native_groups", counts.native_groups),
                    SCH_JSON_NUMBER("decoded_groups", counts.decoded_groups),
                    SCH_JSON_NUMBER("programs", counts.programs), SCH_JSON_NUMBER("lookups", counts.lookups),
                    SCH_JSON_NUMBER("from_cache", counts.from_cache), SCH_JSON_NUMBER("to_cache", counts.to_cache),
                    SCH_JSON_NUMBER("refused", counts.refused));
    sch_json_close(json);
    return SCH_CLI_YES;
}

/* --pixel: runs the group of one invocation alone, on memory as it is given, and leaves that as it is. */
static enum sch_cli_exit invoke(const struct wanted *wanted, const struct sch_cli_shader *shader,
                                const struct sch_program *program, struct sch_cli_invocation *invocation)
{
    const struct sch_cli_shading shading = {.width = wanted->width, .height = wanted->height};
    struct sch_cli_snapshot copy = {NULL};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    invocation->writes = sch_program_writes_memory(program);
    if (invocation->writes && !sch_cli_snapshot_take(&wanted->setup, &copy)) exit_code = sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES)
        exit_code = invocation->in_grid
                        ? sch_cli_grid_invoke(&wanted->setup, shader, program, &wanted->grid, invocation)
                        : sch_cli_shade_pixel(&wanted->setup, shader, program, &shading, invocation);
    if (exit_code == SCH_CLI_YES && copy.data &&
        !(sch_cli_invocation_changed(invocation, &wanted->setup, &copy) &&
          sch_cli_snapshot_restore(&wanted->setup, &copy)))
        exit_code = sch_cli_no_memory();
    sch_cli_snapshot_release(&copy);
    return exit_code;
}

/* Which invocation --pixel names; NULL: it was not given. */
static enum sch_cli_exit find_invocation(const struct wanted *wanted, const struct sch_cli_shader *shader,
                                         enum sch_stage stage, struct sch_cli_invocation **found)
{
    *found = NULL;
    if (!wanted->has_pixel) return SCH_CLI_YES;
    struct sch_cli_invocation *made = *found = calloc(1, sizeof *made);
    if (!made) return sch_cli_no_memory();
    memcpy(made->at, wanted->pixel, sizeof made->at);
    made->of[0] = wanted->width;
    made->of[1] = wanted->height;
    if (stage != SCH_STAGE_COMPUTE || sch_cli_grid_find(shader, &wanted->grid, wanted->pixel, made)) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_run, "--pixel %u,%u,%u is not in the grid of %ux%ux%u work groups",
                               wanted->pixel[0], wanted->pixel[1], wanted->pixel[2], wanted->grid.size[0],
                               wanted->grid.size[1], wanted->grid.size[2]);
}

/* --pixel, --heat and --stats, after the run. */
static enum sch_cli_exit print_document(const struct wanted *wanted, const struct sch_cli_shader *shader,
                                        const struct sch_cli_invocation *invocation)
{
    struct sch_json document, *json = wanted->values->json.json ? &document : NULL;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    sch_json_document(&document, stdout, "scheelite-run/1", wanted->values->json.json);
    if (json) sch_json_text(json, "file", shader->input.name);
    if (invocation)
        exit_code = sch_cli_invocation_print(invocation, &wanted->setup, shader,
                                             (enum sch_cli_floats)wanted->options.floats, json);
    if (json && wanted->heats.count) sch_cli_heats_json(&wanted->heats, json);
    if (exit_code == SCH_CLI_YES && wanted->options.stats) exit_code = print_counts(shader, &document);
    sch_json_end(&document);
    return exit_code;
}

/* Whether Maxwell code is a kernel that is launched, not code that runs over a grid with what eval binds. */
static bool is_launched(const struct wanted *wanted, const struct sch_cli_shader *shader)
{
    const bool binds = binds_by_number(wanted) || wanted->values->machine.any || wanted->has_pixel;
    return wanted->values->parameters.any || wanted->values->of_launch.any ||
           (!binds && sch_shader_language(shader->shader) == SCH_LANGUAGE_MAXWELL);
}

static enum sch_cli_exit run_launch(struct wanted *wanted, struct sch_cli_shader *shader)
{
    struct sch_cli_kernel kernel = {.setup = &wanted->setup, .shader = *shader};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (sch_shader_language(shader->shader) != SCH_LANGUAGE_MAXWELL)
        exit_code =
            sch_cli_fail(SCH_CLI_USAGE, "%s is not Maxwell code: only kernels are launched with --param and the like",
                         shader->input.name);
    if (exit_code == SCH_CLI_YES) exit_code = check_stage(wanted, SCH_STAGE_COMPUTE);
    if (exit_code == SCH_CLI_YES && wanted->values->of_launch.code)
        exit_code = sch_cli_usage_error(&sch_cli_run, "--code goes with tests of kernels (NAME.test)");
    if (exit_code == SCH_CLI_YES &&
        (binds_by_number(wanted) || wanted->setup.machine.bank || wanted->options.stats || wanted->has_pixel))
        exit_code =
            sch_cli_usage_error(&sch_cli_run, "a kernel that is launched has parameters and pools: --tex, --const, "
                                              "--buffer, --cbank, --pixel and --stats are for other shaders");
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_machine_load(&wanted->setup, shader, shader->context);
    wanted->launch->machine = &wanted->setup.machine.bindings;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_launch_run(wanted->launch, &kernel);
    sch_cli_progress_end();
    sch_cli_setup_release(&wanted->setup); /* pools that were assembled belong to the kernel's context */
    sch_cli_kernel_release(&kernel);
    return exit_code;
}

static enum sch_cli_exit run_shader(struct wanted *wanted, struct sch_cli_input *input)
{
    struct sch_cli_shader shader;
    struct sch_program *program = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    enum sch_cli_exit exit_code = sch_cli_reading_shader(&wanted->setup.reading, input, &shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_maxwell_check(&shader);
    if (exit_code == SCH_CLI_YES && is_launched(wanted, &shader)) {
        sch_cli_print_diagnostics(shader.list, &shader.input);
        return run_launch(wanted, &shader);
    }
    if (exit_code == SCH_CLI_YES && wanted->has_pixel)
        exit_code = sch_cli_refuse_maxwell(&shader, "--pixel shows none of it; trace and debug show what a lane does");
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shader_lower(&shader);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_result(sch_shader_get_info(shader.shader, &info), NULL, wanted->file);
    if (exit_code == SCH_CLI_YES) exit_code = check_stage(wanted, info.stage);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_setup_program(&wanted->setup, &shader, &program);
    if (exit_code == SCH_CLI_YES) exit_code = check_part(wanted, program);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_setup_load(&wanted->setup, &shader);
    struct sch_cli_both_engines both = {0};
    struct sch_cli_invocation *invocation = NULL;
    if (exit_code == SCH_CLI_YES) exit_code = find_invocation(wanted, &shader, info.stage, &invocation);
    if (exit_code == SCH_CLI_YES && invocation) exit_code = invoke(wanted, &shader, program, invocation);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_both_engines_create(&both, &wanted->setup, &shader);
    if (exit_code == SCH_CLI_YES)
        exit_code = info.stage == SCH_STAGE_COMPUTE ? run_compute(wanted, &shader, program, &both)
                                                    : run_fragment(wanted, &shader, program, &both);
    sch_cli_both_engines_release(&both);
    const bool found = exit_code == SCH_CLI_NO && wanted->setup.dispatch.checks; /* it has run to its end */
    if (exit_code == SCH_CLI_YES || found)
        exit_code = sch_cli_worse(exit_code, sch_cli_memory_write(&wanted->setup, shader.context));
    sch_cli_progress_end();
    if (exit_code == SCH_CLI_YES) exit_code = print_document(wanted, &shader, invocation);
    sch_cli_setup_warn(&wanted->setup, &shader);
    if (invocation) sch_cli_invocation_release(invocation);
    free(invocation);
    sch_program_destroy(program);
    sch_cli_setup_release(&wanted->setup);
    sch_cli_shader_release(&shader);
    return exit_code;
}

/* A test of a kernel. */
static enum sch_cli_exit run_test(struct wanted *wanted, struct sch_cli_input *input)
{
    const struct sch_cli_test_wanted test = {
        .setup = &wanted->setup, .code = wanted->values->of_launch.code, .json = wanted->values->json.json};
    enum sch_cli_exit exit_code;
    if (wanted->launch->count || wanted->options.has_grid || wanted->options.has_block || wanted->values->machine.any ||
        binds_by_number(wanted) || wanted->options.stats || wanted->has_pixel) {
        exit_code = sch_cli_usage_error(&sch_cli_run, "a test says itself what is launched");
        sch_cli_input_release(input);
    } else {
        exit_code = sch_cli_test_run(&test, input);
    }
    sch_cli_progress_end();
    sch_cli_setup_release(&wanted->setup);
    return exit_code;
}

static enum sch_cli_exit run_script(struct wanted *wanted, struct sch_cli_input *input)
{
    const struct sch_cli_values *values = wanted->values;
    wanted->script.hlsl.compiler = sch_cli_hlsl_compiler();
    wanted->script.options.program = wanted->setup.program;
    wanted->script.options.dispatch = wanted->setup.dispatch;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    wanted->script.both = wanted->setup.both;
    if (values->nth.any || values->of_run.any || values->compress.any || binds_by_number(wanted) || values->order.any ||
        values->checks.any)
        exit_code = sch_cli_usage_error(&sch_cli_run, "a script says itself what it draws and what is bound");
    else if (wanted->script.hlsl.map_path && !wanted->script.hlsl.folder)
        exit_code = sch_cli_usage_error(&sch_cli_run, "--compiled-map needs --compiled");
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_script_run(&wanted->script, input);
    sch_cli_input_release(input);
    sch_cli_setup_release(&wanted->setup);
    return exit_code;
}

static enum sch_cli_exit run_file(struct wanted *wanted)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit_code = sch_cli_read_source(wanted->file, &input);
    wanted->setup.dispatch.cancel = sch_cli_interruptible();
    const bool is_script = exit_code == SCH_CLI_YES && wanted->setup.reading.kind == SCH_KIND_AUTO &&
                           sch_script_is(input.data, input.bytes);
    sch_cli_progress_begin(&sch_cli_run, is_script);
    wanted->setup.dispatch.progress = sch_cli_progress_of_dispatch();
    if (is_script) return run_script(wanted, &input);
    if (exit_code == SCH_CLI_YES && sch_cli_test_is(&input)) return run_test(wanted, &input);
    const bool is_code = exit_code == SCH_CLI_YES &&
                         sch_cli_is_maxwell(&wanted->setup.reading.maxwell, wanted->setup.reading.kind, &input);
    if (exit_code == SCH_CLI_YES && wanted->values->json.json && !is_code && !wanted->options.stats &&
        !wanted->has_pixel && !wanted->heats.count) {
        exit_code = sch_cli_usage_error(&sch_cli_run, "--json goes with --stats, --pixel, --heat or a script");
    } else if (exit_code == SCH_CLI_YES && !wanted->values->of_scripts.any) {
        return run_shader(wanted, &input);
    }
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_usage_error(&sch_cli_run, "--compiled, --compiled-map and --model are for scripts");
    sch_cli_input_release(&input);
    sch_cli_setup_release(&wanted->setup);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_run(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {.launch = calloc(1, sizeof *wanted.launch)};
    if (!wanted.launch) return sch_cli_no_memory();
    wanted.launch->verb = &sch_cli_run;
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit_code = read_run_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES)
        exit_code = run_file(&wanted);
    else
        sch_cli_setup_release(&wanted.setup);
    sch_cli_targets_release(&wanted.targets);
    sch_cli_heats_release(&wanted.heats);
    sch_cli_launch_release(wanted.launch);
    return exit_code;
}
