/* scheelite jit: what the compiler of machine code makes of a shader. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "common/cli.h"
#include "common/code.h"
#include "picture.h"
#include "picture/texels.h"

enum {
    SPAN_SIDE = 256,
    SPAN_BYTES = 4 * SPAN_SIDE * SPAN_SIDE
}; /* of the picture that --span stands for; spans do not depend on it */

enum what { WHAT_NOTHING, WHAT_IR, WHAT_ASSEMBLY, WHAT_STATS };

struct wanted {
    struct sch_cli_setup setup;
    const char *file;
    enum what what;
    struct sch_code_options code;
    const struct sch_cli_values *values;
};

static enum sch_cli_exit read_jit_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const struct sch_cli_options_of_jit *options = &arguments->values.of_jit;
    const enum sch_cli_exit exit_code = sch_cli_setup_parse(&wanted->setup, arguments, NULL, NULL);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted->file = arguments->files[0];
    wanted->values = &arguments->values;
    wanted->what = options->ir         ? WHAT_IR
                   : options->assembly ? WHAT_ASSEMBLY
                   : options->stats    ? WHAT_STATS
                                       : WHAT_NOTHING;
    wanted->code.quads = options->quads;
    if (!wanted->what) return sch_cli_usage_error(&sch_cli_jit, "--ir, --asm or --stats?");
    for (int id = 0; id < SCH_OPTION_COUNT && !options->span; id++)
        if (arguments->given[id] && sch_cli_options[id].group == SCH_GROUP_textures)
            return sch_cli_usage_error(&sch_cli_jit, "%s is for --span: other code is for all textures and samplers",
                                       sch_cli_options[id].name);
    return SCH_CLI_YES;
}

/* What is shown. */
struct subject {
    const struct wanted *wanted;
    const struct sch_cli_shader *shader;
    const struct sch_program *program;
    struct sch_diagnostics_list *refused; /* why there is no code */
};

static enum sch_cli_exit fail(const struct subject *subject, enum sch_result result)
{
    if (sch_diagnostics_errors(subject->refused)) {
        sch_cli_print_diagnostics(subject->refused, &subject->shader->input);
        return sch_cli_exit_of(result);
    }
    if (result == SCH_ERROR_UNSUPPORTED && subject->wanted->values->of_jit.span)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "jit: %s has no code for spans: its groups run one by one",
                            subject->wanted->file);
    return sch_cli_fail(sch_cli_exit_of(result), "jit: %s", sch_result_text(result));
}

static void begin_code(const struct subject *subject, bool as_json, struct sch_json *json)
{
    static const char *const words[] = {[WHAT_IR] = "ir", [WHAT_ASSEMBLY] = "assembly", [WHAT_STATS] = "stats"};
    sch_json_document(json, stdout, "scheelite-jit/1", as_json);
    if (as_json)
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("file", subject->shader->input.name),
                        SCH_JSON_TEXT("kind", words[subject->wanted->what]));
}

/* To a microsecond. */
static double rounded(double ms) { return round(ms * 1000) / 1000; }

static enum sch_cli_exit print_code_stats(const struct subject *subject, const struct sch_code_options *options)
{
    struct sch_code_report report = {.size = sizeof report};
    struct sch_json json;
    const enum sch_result result = sch_program_compile(subject->program, options, &report);
    if (result != SCH_OK) return fail(subject, result);
    begin_code(subject, subject->wanted->values->json.json, &json);
    sch_json_object(&json, "stats", false);
    SCH_JSON_FIELDS(
        &json, SCH_JSON_REAL("build_ms", rounded(report.build_ms)),
        SCH_JSON_REAL("passes_ms", rounded(report.passes_ms)), SCH_JSON_REAL("code_ms", rounded(report.code_ms)),
        SCH_JSON_REAL("load_ms", rounded(report.load_ms)), SCH_JSON_NUMBER("ir_built", report.built),
        SCH_JSON_NUMBER("ir_optimised", report.optimised), SCH_JSON_NUMBER("object_bytes", report.object_bytes),
        SCH_JSON_NUMBER("code_bytes", report.code_bytes), SCH_JSON_NUMBER("stack_bytes", report.stack_bytes),
        SCH_JSON_BOOL("from_cache", report.from_cache));
    sch_json_end(&json);
    return SCH_CLI_YES;
}

static enum sch_cli_exit print_code_text(const struct subject *subject, const struct sch_code_options *options)
{
    char *text;
    enum sch_code_text kind = subject->wanted->what == WHAT_IR ? SCH_CODE_IR : SCH_CODE_ASSEMBLY;
    enum sch_result result = sch_program_code_text(subject->program, options, kind, &text);
    if (result != SCH_OK) return fail(subject, result);
    if (subject->wanted->values->json.json) {
        struct sch_json json;
        begin_code(subject, true, &json);
        sch_json_text(&json, "text", text);
        sch_json_end(&json);
    } else
        fputs(text, stdout);
    sch_free(subject->shader->context, text);
    return SCH_CLI_YES;
}

static enum sch_cli_exit print_code(const struct subject *subject, const struct sch_code_options *options)
{
    return subject->wanted->what == WHAT_STATS ? print_code_stats(subject, options) : print_code_text(subject, options);
}

static enum sch_cli_exit print_span(void *user, const struct sch_rectangle *rectangle,
                                    const struct sch_bindings *bindings)
{
    const struct subject *subject = user;
    const struct sch_code_options options = {
        .size = sizeof options, .rectangle = rectangle, .bindings = bindings, .diagnostics = subject->refused};
    return print_code(subject, &options);
}

/* As `run` draws a picture with the same options. */
static enum sch_cli_exit show_span(struct wanted *wanted, struct subject *subject)
{
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_cli_target target = {0}; /* COLOR 0, four bytes a texel */
    const struct sch_cli_shading shading = {
        .width = SPAN_SIDE, .height = SPAN_SIDE, .targets = &target, .target_count = 1};
    if (sch_shader_get_info(subject->shader->shader, &info) != SCH_OK || info.stage != SCH_STAGE_FRAGMENT)
        return sch_cli_usage_error(&sch_cli_jit, "--span is for fragment shaders");
    enum sch_cli_exit exit_code = sch_cli_setup_load(&wanted->setup, subject->shader);
    if (exit_code != SCH_CLI_YES) return exit_code;
    target.texels = malloc(SPAN_BYTES);
    exit_code = target.texels ? sch_cli_with_rectangle(&wanted->setup, subject->shader, &shading, print_span, subject)
                              : sch_cli_no_memory();
    free(target.texels);
    return exit_code;
}

static enum sch_cli_exit show(struct wanted *wanted)
{
    struct sch_cli_shader shader;
    struct sch_program *program = NULL;
    wanted->setup.program.engine = SCH_ENGINE_JIT;
    wanted->code.size = sizeof wanted->code;
    wanted->code.full = !wanted->values->of_jit.partial;
    sch_cli_code_no_default_cache();
    enum sch_cli_exit exit_code = sch_cli_reading_load(&wanted->setup.reading, wanted->file, &shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_setup_program(&wanted->setup, &shader, &program);
    struct subject subject = {.wanted = wanted, .shader = &shader, .program = program};
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_result(sch_diagnostics_create(shader.context, &subject.refused), NULL, wanted->file);
    wanted->code.diagnostics = subject.refused;
    if (exit_code == SCH_CLI_YES)
        exit_code = wanted->values->of_jit.span ? show_span(wanted, &subject) : print_code(&subject, &wanted->code);
    sch_diagnostics_destroy(subject.refused);
    sch_program_destroy(program);
    sch_cli_setup_release(&wanted->setup);
    sch_cli_shader_release(&shader);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_jit(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit_code = read_jit_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES) return show(&wanted);
    sch_cli_setup_release(&wanted.setup);
    return exit_code;
}
