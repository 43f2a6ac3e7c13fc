/* The scheelite command: finds the verb, runs it, and sees to it that what was printed arrived. */
#include "common.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const struct sch_cli_verb *const verbs[] = {
    &sch_cli_check,  &sch_cli_dis,       &sch_cli_asm,     &sch_cli_info,    &sch_cli_eval,
    &sch_cli_run,    &sch_cli_render,    &sch_cli_list,    &sch_cli_explain, &sch_cli_bench,
    &sch_cli_sample, &sch_cli_translate, &sch_cli_headers, &sch_cli_jit,     &sch_cli_gl,
    &sch_cli_serve,  &sch_cli_replay,    &sch_cli_convert, &sch_cli_diff,
};

static void print_help(FILE *file)
{
    fputs("scheelite reads, checks and runs shaders.\n\n", file);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(file, "  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
    fprintf(file, "\n%s\n", sch_cli_common_usage);
    fputs("\n`scheelite VERB --help` says more; `man scheelite` says all.\n"
          "Exit codes: 0 yes, 1 no (invalid), 2 usage, 3 cannot read or write, 4 not supported, 5 a limit or budget, "
          "70 a bug.\n",
          file);
}

/* VERB --help, wherever it stands before a "--". */
static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0) return true;
    return false;
}

static enum sch_cli_exit call_verb(const struct sch_cli_verb *verb, int argc, char **argv)
{
    if (!wants_help(argc, argv)) return verb->run(argc, argv);
    printf("scheelite %s: %s\nusage: %s\n", verb->name, verb->summary, verb->usage);
    if (verb->reads) puts(sch_cli_common_usage);
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_verb(int argc, char **argv)
{
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return SCH_CLI_YES;
    }
    if (strcmp(name, "version") == 0 || strcmp(name, "--version") == 0) {
        printf("scheelite %s\n", sch_version());
        return SCH_CLI_YES;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(name, verbs[i]->name) == 0) return call_verb(verbs[i], argc - 2, argv + 2);
    return sch_cli_fail(SCH_CLI_USAGE, "there is no verb %s; `scheelite help` lists them", name);
}

int main(int argc, char **argv)
{
    /* A reader that went away is a write error like any other, and so is a file that may not grow. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_help(stderr);
        return SCH_CLI_USAGE;
    }
    enum sch_cli_exit exit = sch_cli_common_exit(run_verb(argc, argv));
    bool written = !ferror(stdout);
    if (fclose(stdout) != 0) written = false;
    if (!written)
        exit = sch_cli_worse(exit, sch_cli_fail(SCH_CLI_IO, "cannot write standard output: %s", strerror(errno)));
    sch_cli_end_interrupted();
    return exit;
}
