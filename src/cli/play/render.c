/* scheelite render: draws a scene, writes the picture, and checks what the scene expects. src/scene reads and draws. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "bind/setup.h"
#include "common/code.h"
#include "common/common.h"
#include "common/hlsl_file.h"
#include "common/progress.h"
#include "picture/texture_file.h"
#include "scenes/pixel.h"
#include "scenes/scene_files.h"
#include "scenes/scene_host.h"
#include "shade/heat.h"
#include "trace/trace_inward.h"

struct render {
    struct sch_cli_setup setup;
    const char *file, *output, *target;
    enum sch_file_kind output_kind;
    struct sch_cli_scene_files files;
    bool check, stats, explains, json, inward; /* `inward`: the pixel is traced, too */
    struct sch_cli_heats heats;
    struct sch_scene_heat heat;   /* what the scene is asked for them */
    struct sch_scene_pixel pixel; /* that is explained */
    struct sch_cli_scene_host host;
    struct sch_json document; /* without a file: nothing is in it */
    bool has_stats;           /* whether the head of their table was printed */
    bool drawn;               /* whether the last run came to its end */
};

/* ---- what a run says --------------------------------------------------------------------------------------------- */

static void reached(void *user, uint64_t done, uint64_t all)
{
    (void)user;
    sch_cli_progress_at(done, all, "statements");
}

/* What --json prints begins when there is something to say. */
static struct sch_json *document(struct render *render)
{
    if (!render->document.file) {
        sch_json_begin(&render->document, stdout, "scheelite-render/1");
        sch_json_text(&render->document, "file", render->host.input.name);
        if (render->check) sch_json_list(&render->document, "failures", false);
    }
    return &render->document;
}

static void print_failure(void *user, const struct sch_player_outcome *outcome)
{
    struct render *render = user;
    sch_cli_progress_clear();
    if (render->json)
        SCH_JSON_ROW(document(render), NULL, SCH_JSON_NUMBER("line", outcome->line),
                     SCH_JSON_TEXT("reason", outcome->reason));
    else
        sch_cli_print_outcome(render->host.input.name, outcome);
}

static void print_counts(struct render *render, uint64_t passed, uint64_t failed)
{
    if (render->json) {
        sch_json_close(document(render)); /* the failures */
        sch_json_number(&render->document, "passed", passed);
        sch_json_number(&render->document, "failed", failed);
    } else {
        printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
    }
}

static void print_pass_stats(void *user, const struct sch_scene_stats *stats)
{
    struct render *render = user;
    static const enum sch_statistic shown[] = {SCH_STATISTIC_IA_VERTICES,    SCH_STATISTIC_IA_PRIMITIVES,
                                               SCH_STATISTIC_VS_INVOCATIONS, SCH_STATISTIC_C_INVOCATIONS,
                                               SCH_STATISTIC_C_PRIMITIVES,   SCH_STATISTIC_PS_INVOCATIONS};
    sch_cli_progress_clear();
    if (!render->has_stats)
        puts("pass\tdraws\tvertices\tprimitives\tvs_invocations\tclipper_in\tclipper_out\tfs_invocations\tsamples\t"
             "milliseconds");
    render->has_stats = true;
    printf("%" PRIu32, stats->number);
    if (*stats->name) putchar(' ');
    sch_cli_print_clean(stdout, stats->name);
    printf("\t%" PRIu64, stats->draws);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) printf("\t%" PRIu64, stats->statistics[shown[i]]);
    printf("\t%" PRIu64 "\t%.3f\n", stats->samples, (double)stats->nanoseconds / 1e6);
}

/* ---- heat -------------------------------------------------------------------------------------------------------- */

static const struct sch_heat *begin_heat(void *user, uint32_t width, uint32_t height)
{
    struct render *render = user;
    return sch_cli_heats_allocate(&render->heats, width, height) == SCH_CLI_YES ? &render->heats.counts : NULL;
}

static enum sch_cli_exit write_heat(struct render *render)
{
    if (!render->heats.count) return SCH_CLI_YES;
    if (!render->heat.draws)
        sch_cli_fail(SCH_CLI_YES, "%s: no draw writes %s: --target names the texture whose pixels --heat counts",
                     render->host.input.name, render->heat.name);
    const enum sch_cli_exit exit_code = sch_cli_heats_write(&render->heats);
    if (exit_code != SCH_CLI_YES || !render->json) return exit_code;
    sch_cli_heats_json(&render->heats, document(render));
    return SCH_CLI_YES;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* What -o and --target name. */
static enum sch_cli_exit write_files(const struct render *render, struct sch_context *context,
                                     struct sch_scene_player *player)
{
    const struct sch_cli_scene_file output = {
        .texture = render->target, .path = render->output, .kind = render->output_kind};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (render->output) exit_code = sch_cli_scene_file_write(&output, context, player, render->host.input.name);
    for (uint32_t i = 0; i < render->files.count && exit_code == SCH_CLI_YES; i++)
        exit_code = sch_cli_scene_file_write(&render->files.list[i], context, player, render->host.input.name);
    return exit_code;
}

/* Whether two worlds of a scene have the same bits in a texture or buffer. */
static enum sch_cli_exit compare_resource(const struct render *render, const char *name, struct sch_resource *one,
                                          struct sch_resource *other)
{
    const size_t bytes = sch_resource_bytes(one);
    uint8_t *data = malloc(bytes + 1), *again = malloc(bytes + 1);
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (!data || !again || sch_resource_read_all(one, data, bytes) != SCH_OK ||
        sch_resource_read_all(other, again, bytes) != SCH_OK)
        exit_code = sch_cli_no_memory();
    else if (memcmp(data, again, bytes) != 0)
        exit_code =
            sch_cli_fail(SCH_CLI_NO, "%s: interpreter and machine code differ in %s", render->host.input.name, name);
    free(data);
    free(again);
    return exit_code;
}

static enum sch_cli_exit compare_worlds(const struct render *render, const struct sch_scene_player *one,
                                        const struct sch_scene_player *other)
{
    struct sch_resource *a, *b;
    const char *name;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (size_t i = 0; exit_code == SCH_CLI_YES && sch_scene_player_resource(one, i, &name, &a); i++)
        if (sch_scene_player_resource(other, i, &name, &b) && a && b) exit_code = compare_resource(render, name, a, b);
    return exit_code;
}

/* One run; `silent`: the first of two, which prints errors only. */
static enum sch_cli_exit draw_one_scene(struct render *render, const struct sch_scene *scene,
                                        struct sch_context *context, enum sch_engine engine, bool silent,
                                        struct sch_scene_player **player)
{
    const struct sch_scene_host host = sch_cli_scene_functions(&render->host);
    const struct sch_scene_watch watch = {.user = render,
                                          .failed = silent ? NULL : print_failure,
                                          .passed = silent ? NULL : print_pass_stats,
                                          .reached = reached};
    struct sch_scene_options options = {.program = render->setup.program,
                                        .dispatch = render->setup.dispatch,
                                        .check = render->check && !silent,
                                        .stats = render->stats && !silent,
                                        .pixel = render->explains && !silent ? &render->pixel : NULL,
                                        .heat = render->heats.count ? &render->heat : NULL};
    uint64_t expected = 0, failed = 0;
    options.program.engine = engine;
    const enum sch_result result = sch_scene_run(scene, context, &options, &host, &watch, player, &expected, &failed);
    render->drawn = result == SCH_OK;
    sch_cli_progress_clear();
    if (!*player) return sch_cli_fail(SCH_CLI_LIMIT, "%s: out of memory", render->host.input.name);
    /* A wrong call of the library is what the scene says wrongly. */
    enum sch_cli_exit exit_code = result == SCH_ERROR_ARGUMENT ? SCH_CLI_NO : sch_cli_exit_of(result);
    if (*render->pixel.problem)
        return sch_cli_fail(exit_code, "%s: no pixel %" PRIu32 ",%" PRIu32 ": %s", render->host.input.name,
                            render->pixel.x, render->pixel.y, render->pixel.problem);
    if (*render->heat.problem)
        return sch_cli_fail(exit_code, "%s: no --heat: %s", render->host.input.name, render->heat.problem);
    if (options.pixel) exit_code = sch_cli_worse(exit_code, sch_cli_print_pixel(scene, *player, options.pixel));
    const enum sch_cli_exit warned = sch_cli_warnings_exit(sch_scene_player_reports(*player));
    if (exit_code == SCH_CLI_YES) exit_code = warned;
    if (exit_code != SCH_CLI_YES || !options.check) return exit_code;
    print_counts(render, expected - failed, failed);
    return failed ? SCH_CLI_NO : SCH_CLI_YES;
}

static enum sch_cli_exit draw_both(struct render *render, const struct sch_scene *scene, struct sch_context *context)
{
    struct sch_scene_player *one = NULL, *other = NULL;
    enum sch_cli_exit exit_code = draw_one_scene(render, scene, context, SCH_ENGINE_INTERPRETER, true, &one);
    if (exit_code == SCH_CLI_YES) exit_code = draw_one_scene(render, scene, context, SCH_ENGINE_JIT, false, &other);
    if (other && render->drawn) exit_code = sch_cli_worse(exit_code, compare_worlds(render, one, other));
    if (exit_code == SCH_CLI_YES) exit_code = write_files(render, context, other);
    sch_scene_player_destroy(one);
    sch_scene_player_destroy(other);
    return exit_code;
}

static enum sch_cli_exit draw_once(struct render *render, const struct sch_scene *scene, struct sch_context *context)
{
    struct sch_scene_player *player = NULL;
    enum sch_cli_exit exit_code = draw_one_scene(render, scene, context, render->setup.program.engine, false, &player);
    /* A picture that is not as expected is worth a look. */
    if (player && (exit_code == SCH_CLI_YES || (exit_code == SCH_CLI_NO && render->check)))
        exit_code = sch_cli_worse(exit_code, write_files(render, context, player));
    if (render->drawn) exit_code = sch_cli_worse(exit_code, write_heat(render));
    sch_scene_player_destroy(player);
    return exit_code;
}

static enum sch_cli_exit draw_scene(struct render *render, const struct sch_scene *scene)
{
    struct sch_context *context = NULL;
    if (sch_cli_context_create(&context) != SCH_OK) return sch_cli_no_memory();
    const enum sch_cli_exit exit_code =
        render->setup.both ? draw_both(render, scene, context) : draw_once(render, scene, context);
    sch_context_destroy(context);
    return exit_code;
}

static enum sch_cli_exit trace_pixel(const struct render *render)
{
    const struct sch_cli_inward inward = {.file = render->file,
                                          .target = render->target,
                                          .pixel = {render->pixel.x, render->pixel.y},
                                          .width = render->setup.program.width};
    return sch_cli_trace_inward(&sch_cli_render, &inward);
}

static enum sch_cli_exit run_scene(struct render *render)
{
    struct sch_scene *scene = NULL;
    enum sch_cli_exit exit_code = sch_cli_scene_open(render->file, &render->host, &scene);
    render->setup.dispatch.cancel = sch_cli_interruptible();
    sch_cli_progress_begin(&sch_cli_render, false);
    if (exit_code == SCH_CLI_YES) exit_code = draw_scene(render, scene);
    if (exit_code == SCH_CLI_YES && render->inward) exit_code = trace_pixel(render);
    if (render->document.file) sch_json_end(&render->document);
    sch_scene_destroy(scene);
    sch_cli_scene_host_release(&render->host);
    return exit_code;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static enum sch_cli_exit take_render_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct render *render = user;
    if (option == SCH_OPTION_RENDER_HEAT) return sch_cli_heats_option(verb, &render->heats, value, false);
    if (option != SCH_OPTION_RENDER_TARGET) return sch_cli_setup_option(&render->setup, verb, option, value);
    if (strchr(value, '=')) return sch_cli_scene_files_option(verb, &render->files, value);
    render->target = value;
    return SCH_CLI_YES;
}

/* --json prints a document, beside which nothing else is printed. */
static enum sch_cli_exit check_options(const struct render *render)
{
    if (render->target && !render->output && !render->explains && !render->heats.count)
        return sch_cli_usage_error(&sch_cli_render, "--target says what -o writes, --explain-pixel explains or --heat "
                                                    "counts");
    const bool used = render->output || render->files.count || render->explains || render->heats.count ||
                      render->check || render->stats || render->json || render->setup.both;
    if (!used)
        sch_cli_fail(SCH_CLI_YES, "nothing is written: -o OUT says where to (--check compares what the scene expects)");
    return sch_cli_heats_check(&sch_cli_render, &render->heats, render->setup.both, render->setup.program.engine);
}

static enum sch_cli_exit read_render_arguments(struct sch_cli_arguments *arguments, struct render *render)
{
    const struct sch_cli_options_of_render *options = &arguments->values.of_render;
    enum sch_cli_exit exit_code = sch_cli_setup_parse(&render->setup, arguments, take_render_option, render);
    if (exit_code != SCH_CLI_YES) return exit_code;
    render->file = arguments->files[0];
    render->output = options->output;
    render->check = options->check;
    render->stats = options->stats;
    render->json = arguments->values.json.json;
    render->inward = options->has_debug_pixel;
    render->explains = options->has_debug_pixel || options->has_explain_pixel;
    const uint32_t *pixel = render->inward ? options->debug_pixel : options->explain_pixel;
    render->pixel.x = pixel[0];
    render->pixel.y = pixel[1];
    render->pixel.target = render->target;
    render->heat = (struct sch_scene_heat){.target = render->target, .user = render, .begin = begin_heat};
    if (render->output) exit_code = sch_cli_texture_file_kind(render->output, &render->output_kind);
    return exit_code == SCH_CLI_YES ? check_options(render) : exit_code;
}

enum sch_cli_exit sch_cli_main_render(struct sch_cli_arguments *arguments)
{
    struct render render = {0};
    sch_cli_setup_init(&render.setup);
    enum sch_cli_exit exit_code = read_render_arguments(arguments, &render);
    if (exit_code == SCH_CLI_YES) exit_code = run_scene(&render);
    sch_cli_setup_release(&render.setup);
    sch_cli_heats_release(&render.heats);
    sch_cli_scene_files_release(&render.files);
    return exit_code;
}
