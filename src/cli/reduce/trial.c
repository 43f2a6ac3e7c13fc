/* See trial.h. The command gets a process group, so that all that it started ends with it. */
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/system.h"
#include "../support/text.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 }; /* exit codes of shells */

/* ---- the file and the command ---- */

/* The ending of a file's name, with its point; "": none. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');
    return point && point != name ? point : "";
}

static char *template_of(const char *like, bool beside)
{
    const char *slash = strrchr(like, '/');
    char *made;
    int length =
        beside ? asprintf(&made, "%.*s.reduce-XXXXXX%s", slash ? (int)(slash - like) + 1 : 0, like, ending_of(like))
               : asprintf(&made, "%s/scheelite-reduce-XXXXXX%s", sch_scratch_base(), ending_of(like));
    return length < 0 ? NULL : made;
}

/* Every {} becomes the path; without one the path is added at the end. */
static char *complete(const char *command, const char *path)
{
    char *made = NULL;
    size_t bytes;
    FILE *file = open_memstream(&made, &bytes);
    if (!file) return NULL;
    const bool placed = strstr(command, "{}");
    for (const char *at; (at = strstr(command, "{}")); command = at + 2) {
        fwrite(command, 1, (size_t)(at - command), file);
        sch_text_shell_word(file, path);
    }
    fputs(command, file);
    if (!placed) putc(' ', file);
    if (!placed) sch_text_shell_word(file, path);
    return fclose(file) == 0 ? made : NULL;
}

enum sch_cli_exit sch_cli_trial_create(const char *command, const char *like, bool beside, struct sch_cli_trial *trial)
{
    const char *ending = ending_of(like);
    char *path = template_of(like, beside);
    int file = path ? mkostemps(path, (int)strlen(ending), O_CLOEXEC) : -1;
    if (file < 0) {
        enum sch_cli_exit exit_code = sch_cli_fail(SCH_CLI_IO, "cannot make a file for candidates%s%s: %s",
                                                   path ? ", " : "", path ? path : "", strerror(path ? errno : ENOMEM));
        free(path);
        return exit_code;
    }
    close(file);
    trial->path = path;
    trial->command = complete(command, path);
    return trial->command ? SCH_CLI_YES : sch_cli_no_memory();
}

void sch_cli_trial_release(struct sch_cli_trial *trial)
{
    if (trial->path) remove(trial->path);
    free(trial->path);
    free(trial->command);
    trial->path = trial->command = NULL;
}

/* A new file each time: the command may have put a link or a pipe in its place. */
static bool write_file(const char *path, const void *data, size_t bytes)
{
    if (remove(path) != 0 && errno != ENOENT) return false;
    const int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool good = made >= 0 && sch_write_all(made, data, bytes);
    return made >= 0 && close(made) == 0 && good;
}

/* ---- a run ---- */

/* In the child: the command reads nothing, and what it prints is dropped. */
static _Noreturn void become(const char *command, const sigset_t *signals)
{
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDWR);
    for (int stream = 0; stream < 3; stream++) dup2(nothing, stream);
    if (nothing > 2) close(nothing);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, signals, NULL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(NOT_FOUND);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool is_interrupted(const struct sch_cli_trial *trial)
{
    return __atomic_load_n(trial->interrupted, __ATOMIC_RELAXED);
}

/* Waits for the child until it ends, or there is a reason to kill it. */
static enum sch_cli_verdict wait_for(const struct sch_cli_trial *trial, pid_t child, const sigset_t *ends)
{
    const int64_t until = now() + (int64_t)trial->milliseconds * 1000000;
    for (;;) {
        siginfo_t info = {0};
        /* It stays a zombie, so that its group's number is not given to another. */
        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return SCH_CLI_BROKEN;
        if (info.si_pid == child) {
            if (info.si_code != CLD_EXITED) return SCH_CLI_FAILED;
            bool missing = info.si_status == NOT_FOUND || info.si_status == NOT_EXECUTABLE;
            return missing ? SCH_CLI_NOT_RUN : info.si_status ? SCH_CLI_FAILED : SCH_CLI_PASSED;
        }
        if (is_interrupted(trial)) return SCH_CLI_INTERRUPTED;
        const int64_t left = until - now();
        if (left <= 0) return SCH_CLI_TIMED_OUT;
        const struct timespec time = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
        sigtimedwait(ends, NULL, &time); /* a handler ends it, too */
    }
}

enum sch_cli_verdict sch_cli_trial_run(const struct sch_cli_trial *trial, const void *data, size_t bytes)
{
    sigset_t ends, before;
    if (is_interrupted(trial)) return SCH_CLI_INTERRUPTED;
    if (!write_file(trial->path, data, bytes)) return SCH_CLI_BROKEN;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &before);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) become(trial->command, &before);
    enum sch_cli_verdict verdict = SCH_CLI_BROKEN;
    if (child > 0) {
        setpgid(child, child); /* whoever comes first */
        verdict = wait_for(trial, child, &ends);
        kill(-child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return verdict;
}
