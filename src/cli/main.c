/* The scheelite command: finds the verb, runs it, and sees to it that what was printed arrived. */
#include "common/common.h"
#include "common/help.h"
#include "common/progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef enum sch_cli_exit run_fn(struct sch_cli_arguments *arguments);

static const struct {
    const struct sch_cli_verb *verb;
    run_fn *run;
} verbs[] = {
#define VERB(id, summary, follows, words, synopsis, groups) {&sch_cli_##id, sch_cli_main_##id},
#include "common/verbs.def"
};

static enum sch_cli_exit no_verb(const char *name)
{
    struct sch_nearest nearest = sch_nearest_to(name, strlen(name));
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) sch_nearest_offer(&nearest, verbs[i].verb->name);
    sch_cli_fail(SCH_CLI_USAGE, "there is no verb %s%s", name, sch_nearest_said(&nearest));
    fputs("see: scheelite help\n", stderr);
    return SCH_CLI_USAGE;
}

/* help, help VERB... */
static enum sch_cli_exit help(int argc, char **argv)
{
    if (argc == 0) sch_cli_print_help(stdout);
    for (int i = 0; i < argc; i++) {
        const struct sch_cli_verb *verb = sch_cli_verb_named(argv[i]);
        if (!verb) return no_verb(argv[i]);
        if (i) putchar('\n');
        sch_cli_print_verb_help(stdout, verb, false);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_verb(int argc, char **argv)
{
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(name, "version") == 0 || strcmp(name, "--version") == 0) return sch_cli_print_version();
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(name, verbs[i].verb->name) != 0) continue;
        const enum sch_cli_help wanted = sch_cli_wants_help(verbs[i].verb, argc - 2, argv + 2);
        struct sch_cli_arguments arguments = {.verb = verbs[i].verb, .argc = argc - 2, .argv = argv + 2};
        if (wanted == SCH_CLI_HELP_NONE) return verbs[i].run(&arguments);
        sch_cli_print_verb_help(stdout, verbs[i].verb, wanted == SCH_CLI_HELP_ALL);
        return SCH_CLI_YES;
    }
    return no_verb(name);
}

/* Whether standard output is a pipe or socket that no one reads any more (| head). */
static bool reader_left(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents & (POLLERR | POLLHUP);
}

/* As a program ends that does not care for the signal: quietly, with the status that shells know. */
static void end_by_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

int main(int argc, char **argv)
{
    /* What becomes of a reader that went away is decided at the end; a file that may not grow is a write error. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        sch_cli_print_help(stderr);
        return SCH_CLI_USAGE;
    }
    enum sch_cli_exit exit_code = run_verb(argc, argv);
    sch_cli_progress_end();
    exit_code = sch_cli_common_exit(exit_code);
    sch_cli_print_seen();
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && reader_left()) end_by_pipe();
    if (fclose(stdout) != 0) written = false;
    if (!written)
        exit_code =
            sch_cli_worse(exit_code, sch_cli_fail(SCH_CLI_IO, "cannot write standard output: %s", strerror(errno)));
    sch_cli_end_interrupted();
    return exit_code;
}
