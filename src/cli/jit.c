/* scheelite jit: what the compiler of machine code makes of a shader. */
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "setup.h"

static const char usage[] = "scheelite jit --ir|--asm|--stats FILE [--partial] [--quads] [-x KIND] [--width 4|8|16] "
                            "[--cache DIR|none] [--compiler FILE]";

enum what { WHAT_NOTHING, WHAT_IR, WHAT_ASSEMBLY, WHAT_STATS };

struct wanted {
    struct sch_cli_setup setup;
    const char *file;
    enum what what;
    struct sch_code_options code;
    bool partial;
};

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    enum { IR = SCH_CLI_SETUP_COUNT, ASSEMBLY, STATS, PARTIAL, QUADS };
    static const struct sch_cli_option options[] = {
        SCH_CLI_SETUP_OPTIONS,       {"--ir", SCH_CLI_FLAG},    {"--asm", SCH_CLI_FLAG}, {"--stats", SCH_CLI_FLAG},
        {"--partial", SCH_CLI_FLAG}, {"--quads", SCH_CLI_FLAG}, {NULL, SCH_CLI_FLAG}};
    for (int option; (option = sch_cli_next(arguments, options)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        if (option >= IR && option <= STATS) {
            enum what what = (enum what)(option - IR) + WHAT_IR;
            if (wanted->what && wanted->what != what)
                return sch_cli_usage_error(&sch_cli_jit, "one of --ir, --asm and --stats");
            wanted->what = what;
        } else if (option == PARTIAL) {
            wanted->partial = true;
        } else if (option == QUADS) {
            wanted->code.quads = true;
        } else if (option == SCH_CLI_FILE) {
            if (wanted->file) return sch_cli_usage_error(&sch_cli_jit, "one shader only");
            wanted->file = arguments->value;
        } else {
            enum sch_cli_exit exit = sch_cli_setup_option(&sch_cli_jit, &wanted->setup, option, arguments->value);
            if (exit != SCH_CLI_YES) return exit;
        }
    }
    if (!wanted->file) return sch_cli_usage_error(&sch_cli_jit, "which shader?");
    if (!wanted->what) return sch_cli_usage_error(&sch_cli_jit, "--ir, --asm or --stats?");
    return SCH_CLI_YES;
}

static enum sch_cli_exit print_stats(const struct sch_program *program, const struct sch_code_options *options)
{
    struct sch_code_report report = {.size = sizeof report};
    enum sch_result result = sch_program_compile(program, options, &report);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "jit: %s", sch_result_text(result));
    printf("build_ms\t%.3f\npasses_ms\t%.3f\ncode_ms\t%.3f\nload_ms\t%.3f\n", report.build_ms, report.passes_ms,
           report.code_ms, report.load_ms);
    printf("ir_built\t%llu\nir_optimised\t%llu\nobject_bytes\t%llu\ncode_bytes\t%llu\nfrom_cache\t%s\n",
           (unsigned long long)report.built, (unsigned long long)report.optimised,
           (unsigned long long)report.object_bytes, (unsigned long long)report.code_bytes,
           report.from_cache ? "yes" : "no");
    return SCH_CLI_YES;
}

static enum sch_cli_exit print_text(const struct wanted *wanted, struct sch_context *context,
                                    const struct sch_program *program)
{
    char *text;
    enum sch_code_text kind = wanted->what == WHAT_IR ? SCH_CODE_IR : SCH_CODE_ASSEMBLY;
    enum sch_result result = sch_program_code_text(program, &wanted->code, kind, &text);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "jit: %s", sch_result_text(result));
    fputs(text, stdout);
    sch_free(context, text);
    return SCH_CLI_YES;
}

static enum sch_cli_exit show(struct wanted *wanted)
{
    struct sch_cli_shader shader;
    struct sch_program *program = NULL;
    wanted->setup.program.engine = SCH_ENGINE_JIT;
    wanted->code.size = sizeof wanted->code;
    wanted->code.full = !wanted->partial;
    sch_cli_code_no_default_cache();
    enum sch_cli_exit exit = sch_cli_shader_load(wanted->file, wanted->setup.kind, &shader);
    if (exit == SCH_CLI_YES) exit = sch_cli_setup_program(&wanted->setup, &shader, &program);
    if (exit == SCH_CLI_YES)
        exit = wanted->what == WHAT_STATS ? print_stats(program, &wanted->code)
                                          : print_text(wanted, shader.context, program);
    sch_program_destroy(program);
    sch_cli_setup_release(&wanted->setup);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_jit, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) return show(&wanted);
    sch_cli_setup_release(&wanted.setup);
    return exit;
}

const struct sch_cli_verb sch_cli_jit = {"jit", "shows the machine code of a shader, or what it costs", usage, run};
