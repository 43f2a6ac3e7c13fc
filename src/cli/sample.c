/* scheelite sample: texture lookups, one of the command line or one on each line of a file. */
#include <stdlib.h>
#include <string.h>

#include "footprint.h"
#include "lookups.h"
#include "sample_output.h"
#include "texels.h"
#include "texture_file.h"

static const char usage[] =
    "scheelite sample --tex TEXTURE|none [--mips none|make] [--target 2D]\n"
    "       [--op sample|sample_l|sample_b|sample_d|sample_c|gather|fetch|size|samples|lod] [--at s,t,r,q]\n"
    "       [--lod L] [--bias B] [--ddx a,b,c] [--ddy a,b,c] [--ref R] [--offset x,y,z] [--component 0-3]\n"
    "       [--index SAMPLE] [--wrap S[,T[,R]]] [--min nearest|linear] [--mag nearest|linear]\n"
    "       [--mip none|nearest|linear] [--aniso N] [--min-lod L] [--max-lod L] [--lod-bias B] [--border r,g,b,a]\n"
    "       [--compare lequal] [--unnormalized] [--seamless 0|1] [--srgb 0|1] [--swizzle xyzw]\n"
    "       [--rules tgsi|d3d|maxwell] [--reduction average|minimum|maximum] [--view-format FORMAT] [--levels A-B]\n"
    "       [--layers A-B] [--elements A-B] [--view-min-lod L] [--width 4|8|16] [--explain] [--footprint out.png]\n"
    "       [--batch -|FILE] [--floats hex|dec|both] [--json]\n" SCH_CLI_TEXELS_USAGE;

struct wanted {
    struct sch_cli_lookup_options options;
    const char *batch, *footprint;
    bool explain;
    struct sch_cli_sample_output output;
};

/* --name VALUE or --name=VALUE of the options that only the command line has; NULL: it is another. */
static const char *own_value(const char *name, int argc, char **argv, int *at)
{
    size_t bytes = strlen(name);
    if (strncmp(argv[*at], name, bytes) != 0) return NULL;
    if (argv[*at][bytes] == '=') return argv[*at] + bytes + 1;
    if (argv[*at][bytes] != 0 || *at + 1 >= argc) return NULL;
    return argv[++*at];
}

static enum sch_cli_exit read_arguments(int argc, char **argv, struct wanted *wanted)
{
    struct sch_cli_complaint complaint;
    for (int i = 0; i < argc; i++) {
        const char *value;
        bool used = false;
        if (strcmp(argv[i], "--explain") == 0) {
            wanted->explain = true;
            continue;
        }
        if (strcmp(argv[i], "--json") == 0) {
            wanted->output.as_json = true;
            continue;
        }
        if ((value = own_value("--floats", argc, argv, &i)) != NULL) {
            const enum sch_cli_exit exit = sch_cli_floats_option(&sch_cli_sample, value, &wanted->output.floats);
            if (exit != SCH_CLI_YES) return exit;
            continue;
        }
        if ((value = own_value("--batch", argc, argv, &i)) != NULL) {
            wanted->batch = value;
            continue;
        }
        if ((value = own_value("--footprint", argc, argv, &i)) != NULL) {
            const enum sch_cli_exit exit = sch_cli_picture_output(value, &wanted->footprint);
            if (exit != SCH_CLI_YES) return exit;
            continue;
        }
        switch (
            sch_cli_lookup_option(&wanted->options, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used, &complaint)) {
        case SCH_CLI_TAKEN:
            i += used;
            break;
        case SCH_CLI_WRONG:
            return sch_cli_usage_error(&sch_cli_sample, "%s", complaint.text);
        case SCH_CLI_NO_OPTION:
            if (strcmp(argv[i], "--batch") == 0 || strcmp(argv[i], "--footprint") == 0 ||
                strcmp(argv[i], "--floats") == 0)
                return sch_cli_usage_error(&sch_cli_sample, "%s: it needs a value", argv[i]);
            return sch_cli_usage_error(&sch_cli_sample, "there is no option %s", argv[i]);
        }
    }
    if (wanted->batch && (wanted->explain || wanted->footprint))
        return sch_cli_usage_error(&sch_cli_sample, "--explain and --footprint are for one lookup, not for --batch");
    if (wanted->explain && wanted->output.as_json)
        return sch_cli_usage_error(&sch_cli_sample, "--explain is words for people: it does not go with --json");
    if (!wanted->batch && !wanted->options.texture)
        return sch_cli_usage_error(&sch_cli_sample, "which texture? (--tex FILE, random:... or none)");
    return SCH_CLI_YES;
}

/* One lookup, explained or not. */
static enum sch_cli_exit run_one(struct wanted *wanted)
{
    struct sch_cli_lookups *lookups;
    struct sch_cli_lookup lookup;
    struct sch_cli_complaint complaint = {{0}};
    enum sch_cli_exit exit = sch_cli_lookups_create(&lookups);
    if (exit != SCH_CLI_YES) return exit;
    exit = sch_cli_lookups_make(lookups, &wanted->options, &lookup, &complaint);
    if (exit != SCH_CLI_YES && *complaint.text) sch_cli_fail(exit, "sample: %s", complaint.text);
    if (exit == SCH_CLI_YES && (wanted->explain || wanted->footprint))
        exit = sch_cli_explain_lookup(&wanted->options, &lookup, wanted->explain, wanted->footprint);
    if (exit == SCH_CLI_YES) {
        uint32_t texel[4];
        enum sch_result result =
            sch_lookup_run(lookup.view, lookup.sampler, &lookup.request, 1, wanted->options.width, &texel);
        exit = sch_cli_lookup_exit(result);
        if (result == SCH_OK) {
            sch_cli_sample_begin(&wanted->output);
            sch_cli_sample_result(&wanted->output, &lookup, texel, 0);
            sch_cli_sample_end(&wanted->output, true);
        } else
            sch_cli_fail(exit, "sample: %s", sch_cli_lookup_problem(result));
    }
    sch_cli_lookups_destroy(lookups);
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    struct wanted *wanted = calloc(1, sizeof *wanted);
    if (!wanted) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    sch_cli_lookup_init(&wanted->options);
    enum sch_cli_exit exit = read_arguments(argc, argv, wanted);
    if (exit == SCH_CLI_YES)
        exit = wanted->batch ? sch_cli_result_lines(wanted->batch, &wanted->options, &wanted->output) : run_one(wanted);
    free(wanted);
    return exit;
}

const struct sch_cli_verb sch_cli_sample = {"sample", "runs texture lookups", usage, run, true};
