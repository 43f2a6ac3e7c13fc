/* scheelite sample: texture lookups, one of the command line or one on each line of a file. */
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "picture/texels.h"
#include "picture/texture_file.h"
#include "sample_output.h"

struct wanted {
    struct sch_cli_lookup_options options;
    const char *batch, *footprint;
    bool explain;
    struct sch_cli_sample_output output;
};

/* Those that a line of --batch has, too. */
static enum sch_cli_exit take_sample_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct wanted *wanted = user;
    struct sch_cli_complaint complaint;
    bool used;
    if (sch_cli_lookup_option(&wanted->options, sch_cli_options[option].name, value, &used, &complaint) ==
        SCH_CLI_TAKEN)
        return SCH_CLI_YES;
    return sch_cli_usage_error(verb, "%s", complaint.text);
}

static enum sch_cli_exit read_sample_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const struct sch_cli_options_of_sample *options = &arguments->values.of_sample;
    const enum sch_cli_exit exit_code = sch_cli_parse(arguments, take_sample_option, wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted->explain = options->explain;
    wanted->batch = options->batch;
    wanted->output.as_json = arguments->values.json.json;
    wanted->output.floats = (enum sch_cli_floats)arguments->values.values.floats;
    wanted->options.width = arguments->values.width.width;
    if (!wanted->batch && !wanted->options.texture)
        return sch_cli_usage_error(&sch_cli_sample, "which texture? (--tex FILE, random:... or none)");
    return options->footprint ? sch_cli_picture_output(options->footprint, &wanted->footprint) : SCH_CLI_YES;
}

/* One lookup, explained or not (NULL). */
static enum sch_cli_exit print_result(struct wanted *wanted, const struct sch_cli_lookup *lookup,
                                      const struct sch_cli_explanation *why)
{
    uint32_t texel[4];
    const enum sch_result result =
        sch_lookup_run(lookup->view, lookup->sampler, &lookup->request, 1, wanted->options.width, &texel);
    const enum sch_cli_exit exit_code = sch_cli_lookup_exit(result);
    if (result != SCH_OK) return sch_cli_fail(exit_code, "sample: %s", sch_cli_lookup_problem(result));
    sch_cli_sample_begin(&wanted->output);
    sch_cli_sample_result(&wanted->output, lookup, texel, 0, why);
    sch_cli_sample_end(&wanted->output, true);
    return exit_code;
}

static enum sch_cli_exit explain(struct wanted *wanted, const struct sch_cli_lookup *lookup)
{
    struct sch_cli_explanation why;
    enum sch_cli_exit exit_code = sch_cli_explain_lookup(&wanted->options, lookup, &why);
    if (exit_code == SCH_CLI_YES && wanted->explain && !wanted->output.as_json) sch_cli_explanation_print(&why);
    if (exit_code == SCH_CLI_YES && wanted->footprint) exit_code = sch_cli_draw_footprint(&why, wanted->footprint);
    if (exit_code == SCH_CLI_YES) exit_code = print_result(wanted, lookup, wanted->explain ? &why : NULL);
    sch_cli_explanation_release(&why);
    return exit_code;
}

static enum sch_cli_exit run_one(struct wanted *wanted)
{
    struct sch_cli_lookups *lookups;
    struct sch_cli_lookup lookup;
    struct sch_cli_complaint complaint = {{0}};
    enum sch_cli_exit exit_code = sch_cli_lookups_create(&lookups);
    if (exit_code != SCH_CLI_YES) return exit_code;
    exit_code = sch_cli_lookups_make(lookups, &wanted->options, &lookup, &complaint);
    if (exit_code != SCH_CLI_YES && *complaint.text) sch_cli_fail(exit_code, "sample: %s", complaint.text);
    if (exit_code == SCH_CLI_YES)
        exit_code =
            wanted->explain || wanted->footprint ? explain(wanted, &lookup) : print_result(wanted, &lookup, NULL);
    sch_cli_lookups_destroy(lookups);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_sample(struct sch_cli_arguments *arguments)
{
    struct wanted *wanted = calloc(1, sizeof *wanted);
    if (!wanted) return sch_cli_no_memory();
    sch_cli_lookup_init(&wanted->options);
    enum sch_cli_exit exit_code = read_sample_arguments(arguments, wanted);
    if (exit_code == SCH_CLI_YES)
        exit_code =
            wanted->batch ? sch_cli_result_lines(wanted->batch, &wanted->options, &wanted->output) : run_one(wanted);
    free(wanted);
    return exit_code;
}
