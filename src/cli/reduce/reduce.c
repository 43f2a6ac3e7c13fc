/* scheelite reduce: shrinks a file while a command fails on it. The shrinking is in shrink.c, what is shrunk in
 * subject.c, the command in trial.c. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/common.h"
#include "common/progress.h"
#include "subject.h"
#include "trial.h"

struct reduce {
    const char *file, *output, *command;
    struct sch_cli_subject_options options;
    uint64_t tries, seconds;
    struct sch_cli_trial trial;
    struct sch_cli_subject subject;
    uint64_t runs;
    size_t bytes;   /* of the best file */
    bool ended;     /* no more runs: a signal, --tries, or it cannot be run any more */
    bool cancelled; /* by a signal */
    bool shows;     /* what became of the file, at the end */
    enum sch_cli_exit exit_code;
};

static void print_summary(const struct reduce *reduce)
{
    sch_cli_progress_end();
    if (!reduce->shows && !sch_cli_common_log()) return;
    fprintf(stderr, "scheelite: %s: %zu bytes became %zu, in %" PRIu64 " runs\n", reduce->file,
            reduce->subject.input.bytes, reduce->bytes, reduce->runs);
}

/* ---- the shrinker's questions ---- */

static bool fails(struct reduce *reduce, const void *data, size_t bytes)
{
    const enum sch_cli_verdict verdict = sch_cli_trial_run(&reduce->trial, data, bytes);
    reduce->runs++;
    if (verdict == SCH_CLI_INTERRUPTED) reduce->ended = reduce->cancelled = true;
    if (verdict == SCH_CLI_BROKEN) {
        reduce->ended = true;
        reduce->exit_code = sch_cli_fail(SCH_CLI_IO, "cannot run the command any more: %s", strerror(errno));
    }
    return verdict == SCH_CLI_FAILED;
}

static bool holds(void *user, const void *data, size_t bytes)
{
    struct reduce *reduce = user;
    const bool failed = fails(reduce, data, bytes);
    if (failed) reduce->bytes = bytes;
    if (reduce->runs >= reduce->tries) reduce->ended = true;
    sch_cli_progress_at(reduce->bytes, reduce->subject.input.bytes, "bytes");
    return failed;
}

static bool stops(void *user)
{
    const struct reduce *reduce = user;
    return reduce->ended;
}

/* ---- before anything is removed ---- */

/* The file as it is must fail. */
static enum sch_cli_exit try_original(struct reduce *reduce)
{
    const struct sch_cli_input *input = &reduce->subject.input;
    reduce->runs++;
    switch (sch_cli_trial_run(&reduce->trial, input->data, input->bytes)) {
    case SCH_CLI_FAILED:
        return SCH_CLI_YES;
    case SCH_CLI_PASSED:
        return sch_cli_fail(SCH_CLI_NO, "%s: the command does not fail on it; it must end with another code than 0",
                            reduce->file);
    case SCH_CLI_TIMED_OUT:
        return sch_cli_fail(SCH_CLI_LIMIT,
                            "%s: the command took longer than %" PRIu64 " s; --timeout sets another time", reduce->file,
                            reduce->seconds);
    case SCH_CLI_NOT_RUN:
        return sch_cli_fail(SCH_CLI_USAGE, "the shell cannot run the command (--test): %s", reduce->trial.command);
    case SCH_CLI_INTERRUPTED:
        return SCH_CLI_NO; /* the signal ends the command */
    default:
        return sch_cli_fail(SCH_CLI_IO, "cannot run the command: %s", strerror(errno));
    }
}

/* Tries the file as the command writes it, if that differs from what was read. */
static enum sch_cli_exit try_anew(struct reduce *reduce)
{
    const struct sch_cli_input *input = &reduce->subject.input;
    const struct sch_cli_shrunk *anew = &reduce->subject.written_anew;
    if (anew->bytes == input->bytes && memcmp(anew->data, input->data, anew->bytes) == 0) return SCH_CLI_YES;
    if (fails(reduce, anew->data, anew->bytes)) return SCH_CLI_YES;
    if (reduce->exit_code != SCH_CLI_YES || reduce->cancelled) return sch_cli_worse(reduce->exit_code, SCH_CLI_NO);
    return sch_cli_fail(SCH_CLI_NO,
                        "%s: the command fails on the file, but not on what is the same to scheelite, without comments "
                        "and in its own spelling; there is nothing to reduce it by",
                        reduce->file);
}

static enum sch_cli_exit shrink(struct reduce *reduce)
{
    const struct sch_cli_shrink_host host = {holds, stops, reduce};
    struct sch_cli_shrunk *best = &reduce->subject.written_anew;
    if (reduce->subject.lenient)
        fprintf(stderr, "scheelite: %s is not valid: what is left of it can be read, but need not be valid\n",
                reduce->file);
    reduce->bytes = best->bytes;
    const bool good = sch_cli_shrink(&reduce->subject.form, &host, best);
    print_summary(reduce);
    if (reduce->runs >= reduce->tries)
        fprintf(stderr, "scheelite: %s: %" PRIu64 " runs were made (--tries); it could perhaps be smaller\n",
                reduce->file, reduce->runs);
    enum sch_cli_exit exit_code = sch_cli_write(reduce->output ? reduce->output : "-", best->data, best->bytes);
    if (!good)
        exit_code = sch_cli_worse(exit_code, sch_cli_fail(SCH_CLI_LIMIT, "out of memory: it could perhaps be smaller"));
    return sch_cli_worse(exit_code, reduce->exit_code);
}

static enum sch_cli_exit reduce_file(struct reduce *reduce)
{
    enum sch_cli_exit exit_code = sch_cli_subject_open(reduce->file, &reduce->options, &reduce->subject);
    const bool beside = reduce->subject.kind == SCH_CLI_SUBJECT_SCENE; /* it may name files of its folder */
    reduce->trial.milliseconds = (uint32_t)(reduce->seconds * 1000);
    reduce->trial.interrupted = sch_cli_endable();
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_trial_create(reduce->command, reduce->file, beside, &reduce->trial);
    if (exit_code == SCH_CLI_YES) exit_code = try_original(reduce);
    if (exit_code == SCH_CLI_YES) exit_code = try_anew(reduce);
    if (exit_code == SCH_CLI_YES) exit_code = shrink(reduce);
    sch_cli_trial_release(&reduce->trial);
    sch_cli_subject_release(&reduce->subject);
    return exit_code;
}

/* ---- arguments ---- */

static enum sch_cli_exit read_reduce_arguments(struct sch_cli_arguments *arguments, struct reduce *reduce)
{
    const struct sch_cli_values *values = &arguments->values;
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    const char *kind = values->of_reduce.kind, *arch = values->arch.arch;
    if (exit_code == SCH_CLI_YES && kind) exit_code = sch_cli_subject_kind(&sch_cli_reduce, kind, &reduce->options);
    if (exit_code == SCH_CLI_YES && arch) exit_code = sch_cli_arch(&sch_cli_reduce, arch, &reduce->options.maxwell);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (values->arch.kernel)
        return sch_cli_usage_error(&sch_cli_reduce, "--kernel: reduce what dis --kernel %s prints",
                                   values->arch.kernel);
    reduce->file = arguments->files[0];
    reduce->options.nth = values->nth.nth;
    reduce->output = values->of_reduced.output;
    reduce->command = values->of_reducing.test;
    reduce->seconds = values->of_reducing.timeout;
    reduce->tries = values->of_reducing.tries;
    if (!reduce->command || !*reduce->command)
        return sch_cli_usage_error(&sch_cli_reduce, "--test says which command fails");
    if (strcmp(reduce->file, "-") == 0) return sch_cli_usage_error(&sch_cli_reduce, "standard input is not reduced");
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_main_reduce(struct sch_cli_arguments *arguments)
{
    struct reduce reduce = {0};
    const enum sch_cli_exit exit_code = read_reduce_arguments(arguments, &reduce);
    reduce.shows = isatty(STDERR_FILENO) && !sch_cli_quiet();
    if (exit_code == SCH_CLI_YES) sch_cli_progress_begin(&sch_cli_reduce, false);
    return exit_code == SCH_CLI_YES ? reduce_file(&reduce) : exit_code;
}
