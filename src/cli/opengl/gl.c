/* scheelite gl: runs an OpenGL program on a virgl server of its own. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/json.h"
#include "clock_module.h"
#include "common/common.h"
#include "driver.h"
#include "frame_output.h"
#include "losses.h"
#include "picture/texture_file.h"
#include "server.h"
#include "shader_files.h"
#include "socket.h"

enum { NOT_RUN = 127, BY_SIGNAL = 128 };
enum { LOOK_MS = 5, MERCY_MS = 2000, NS_OF_MS = 1000000 };

struct gl {
    struct sch_cli_server server;
    struct sch_cli_socket socket;
    struct sch_cli_frame_output shown;
    struct sch_cli_shader_files collected;
    struct sch_vtest_server *made;
    char **command;
    pid_t serving, program;
    struct sch_cli_clock clock;
    bool stats, versions, json;
    bool named;     /* the program's driver reads the socket's name */
    bool cut_short; /* the server did not end the way it was asked to */
    bool enough;    /* the program was ended, as it had shown all frames that were wanted */
    struct sch_virgl_losses until_enough;
};

static void say(const char *line) { sch_cli_log_line((void *)&sch_cli_gl, line); }

/* ---- processes ---- */

/* The signals that the command waits for; blocked in between, and in the server until that waits for them. */
static void block_signals(sigset_t *before)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGHUP);
    sigaddset(&wanted, SIGQUIT);
    sigprocmask(SIG_BLOCK, &wanted, before);
}

/* A server in a process group of its own: what a terminal sends is for the program. */
static bool start_server(struct gl *gl)
{
    const pid_t parent = getpid();
    gl->serving = fork();
    if (gl->serving > 0) sch_vtest_server_leave(gl->made); /* if the server ends, the program is to see it */
    if (gl->serving) return gl->serving > 0;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    const bool served = getppid() == parent && sch_vtest_server_run(gl->made);
    sch_vtest_server_forget(gl->made);
    _exit(served ? 0 : 1);
}

static bool start_program(struct gl *gl, const sigset_t *before)
{
    gl->program = fork();
    if (gl->program > 0 && gl->shown.most) setpgid(gl->program, gl->program);
    if (gl->program) return gl->program > 0;
    if (gl->shown.most) setpgid(0, 0);
    sigprocmask(SIG_SETMASK, before, NULL);
    signal(SIGPIPE, SIG_DFL); /* which the command ignores */
    signal(SIGXFSZ, SIG_DFL);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("GALLIUM_DRIVER", "virpipe", 1);
    setenv("VTEST_SOCKET_NAME", gl->socket.path, 1);
    sch_cli_clock_enter(&gl->clock);
    if (!sch_cli_socket_enter(&gl->socket)) _exit(SCH_CLI_IO);
    execvp(gl->command[0], gl->command);
    fprintf(stderr, "scheelite gl: %s cannot be run: %s\n", gl->command[0], strerror(errno));
    _exit(NOT_RUN);
}

/* To the program, or to all of its processes if it has a group of its own: it has if it is to be ended. */
static void send(const struct gl *gl, int signal) { kill(gl->shown.most ? -gl->program : gl->program, signal); }

/* Notes all that have ended: the system's first process, as this one may be in a container, inherits others' children.
 * False: the program is not among them. */
static bool reap(struct gl *gl, int *program)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0;) {
        if (pid == gl->serving) {
            gl->serving = 0;
            gl->cut_short = status != 0;
        }
        if (pid != gl->program) continue;
        *program = status;
        return true;
    }
    return false;
}

/* Ends a program that has shown enough: asks it to end, and kills it if it still runs long after. `asked_ms`: how long
 * ago it was asked. */
static void end_program(struct gl *gl, uint64_t *asked_ms)
{
    if (!sch_cli_frame_output_enough(&gl->shown)) return;
    if (!gl->enough) {
        gl->until_enough = sch_vtest_server_losses(gl->made);
        send(gl, SIGTERM);
    }
    if (gl->enough && (*asked_ms += LOOK_MS) > MERCY_MS) send(gl, SIGKILL);
    gl->enough = true;
}

/* The program's exit code. */
static int wait_for_program(struct gl *gl)
{
    const struct timespec moment = {.tv_nsec = LOOK_MS * NS_OF_MS};
    sigset_t wanted;
    siginfo_t info;
    int status;
    uint64_t asked_ms = 0;
    sigprocmask(SIG_SETMASK, NULL, &wanted);
    while (!reap(gl, &status)) {
        /* What is sent to the command is passed on. A terminal has sent it to the program, too, if that is of the same
         * group. */
        if (sigtimedwait(&wanted, &info, gl->shown.most ? &moment : NULL) > 0 && info.si_signo != SIGCHLD &&
            (info.si_code <= 0 || gl->shown.most))
            send(gl, info.si_signo);
        end_program(gl, &asked_ms);
    }
    if (gl->enough) return 0;
    return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static void end_server(struct gl *gl)
{
    int status;
    if (!gl->serving) return; /* it has ended */
    kill(gl->serving, SIGTERM);
    gl->cut_short = waitpid(gl->serving, &status, 0) == gl->serving && status != 0;
}

/* ---- what was done ---- */

/* On standard error: standard output is the program's. */
static void print_gl_stats(const struct gl *gl, int code)
{
    const struct sch_vtest_totals totals = sch_vtest_server_totals(gl->made);
    struct sch_json json;
    sch_json_document(&json, stderr, "scheelite-gl/1", gl->json);
    if (gl->json)
        SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("program", gl->command[0]), SCH_JSON_NUMBER("exit", (uint64_t)code));
    sch_json_object(&json, "stats", false);
    SCH_JSON_FIELDS(&json, SCH_JSON_NUMBER("clients", totals.clients), SCH_JSON_NUMBER("messages", totals.messages),
                    SCH_JSON_NUMBER("bytes", totals.bytes), SCH_JSON_NUMBER("waits", totals.waits),
                    SCH_JSON_NUMBER("refused_messages", totals.refused));
    sch_cli_put_counts(&json, &totals.of_virgl, "refused_commands", totals.compiled, totals.from_cache);
    sch_json_end(&json);
}

/* Whether the program was to leave something that is compared or looked at later. */
static bool wants_output(const struct gl *gl)
{
    return gl->shown.sums.frames || gl->shown.sums.reads || gl->shown.count || gl->shown.most ||
           gl->server.options.client.record || gl->collected.folder;
}

/* Mesa takes another driver without a word, and there are other libraries than Mesa's. NO: so there is no output. */
static enum sch_cli_exit report_unused(const struct gl *gl, int code)
{
    const struct sch_vtest_totals totals = sch_vtest_server_totals(gl->made);
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if (code != 0 && code != NOT_RUN && !(display && *display) && !(wayland && *wayland))
        say("DISPLAY is not set: a program that opens a window needs an X server, as of xvfb-run -a scheelite gl "
            "PROGRAM");
    if (code == NOT_RUN || totals.clients || sch_virgl_losses_any(&totals.losses)) return SCH_CLI_YES;
    say("the program did not use the server: it has no OpenGL, or not with Mesa's driver virpipe, to which X, "
        "Wayland and EGL's surfaceless platform lead, and GBM and OSMesa do not");
    return wants_output(gl) ? SCH_CLI_NO : SCH_CLI_YES;
}

/* A client that reads a window which is not shown is ended by X. */
static void report_window(const struct gl *gl, int code)
{
    if (code == 0 || !(sch_vtest_server_totals(gl->made).losses.why & SCH_VIRGL_WHY_WINDOW)) return;
    say("the program ended when it had made the buffer of a window: if X says BadMatch of GetImage, the window "
        "has one buffer and is not shown, and --protocol 0 serves it");
}

/* What was drawn is wrong then. LIMIT: so is the output. What a program loses by its end after enough frames is in no
 * output. */
static enum sch_cli_exit report_lost(const struct gl *gl)
{
    const struct sch_virgl_losses losses = gl->enough ? gl->until_enough : sch_vtest_server_totals(gl->made).losses;
    const unsigned advice = SCH_CLI_ADVICE_SERVER | (sch_cli_common_log() ? 0 : SCH_CLI_ADVICE_VERBOSE);
    enum sch_cli_exit exit_code = sch_cli_losses_report(&sch_cli_gl, &losses, advice);
    if (gl->cut_short) {
        say("the server did not serve to the end (-v says more)");
        exit_code = SCH_CLI_LIMIT;
    }
    return wants_output(gl) ? exit_code : SCH_CLI_YES;
}

/* ---- the whole ---- */

/* A program may end before all is drawn that it has asked for, which a recording is to have, or before the server has
 * seen that it has come. One that was ended is not waited for. */
static void let_finish(const struct gl *gl, int code)
{
    const uint32_t deadline = gl->server.options.client.deadline_ms;
    if (code >= 0 && code < BY_SIGNAL && !gl->enough)
        sch_vtest_server_let_finish(gl->made, deadline ? deadline : SCH_CLI_SERVER_DEADLINE_MS);
}

/* The exit code of the program, or -1. */
static int run_both(struct gl *gl)
{
    sigset_t before;
    int code = -1;
    block_signals(&before);
    if (start_server(gl)) {
        if (start_program(gl, &before)) code = wait_for_program(gl);
        let_finish(gl, code);
        end_server(gl);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return code;
}

/* Whether the recording can be written: the processes that write it cannot report that they fail. */
static bool can_record(const char *path)
{
    FILE *file = path ? fopen(path, "wbe") : NULL;
    if (file) fclose(file);
    return file || !path;
}

/* The program's exit code, with what the command makes of the output; or -1 with the command's own. */
static int run_served(struct gl *gl, enum sch_cli_exit *exit_code)
{
    char problem[SCH_CLI_SOCKET_PROBLEM];
    int code = -1;
    gl->made = sch_cli_server_open(&gl->server, exit_code);
    if (!gl->made) return code;
    if (sch_vtest_missing() && !gl->server.options.client.open) say(sch_vtest_missing());
    if (!sch_cli_socket_find_name(&gl->socket, gl->named, problem)) {
        *exit_code = sch_cli_fail(SCH_CLI_IO, "%s", problem);
        sch_vtest_server_close(gl->made);
        return code;
    }
    code = run_both(gl);
    if (code < 0) *exit_code = sch_cli_fail(SCH_CLI_LIMIT, "no process can be made: %s", strerror(errno));
    if (code >= 0) report_window(gl, code);
    if (code >= 0) *exit_code = sch_cli_worse(report_unused(gl, code), report_lost(gl));
    if (code >= 0) sch_cli_clock_report(&gl->clock, gl->command[0], sch_vtest_server_totals(gl->made).of_virgl.frames);
    if (code >= 0 && gl->stats) print_gl_stats(gl, code);
    sch_vtest_server_close(gl->made);
    return code;
}

static enum sch_cli_exit open_collected(struct gl *gl)
{
    const enum sch_cli_exit exit_code = sch_cli_shader_files_open(&gl->collected, &sch_cli_gl);
    if (gl->collected.shared) gl->server.options.client.collect = sch_cli_shader_files_begin;
    gl->server.options.client.collects = &gl->collected;
    return exit_code;
}

static enum sch_cli_exit run_program(struct gl *gl)
{
    char problem[256];
    const char *record = gl->server.options.client.record;
    if (gl->clock.rate && !sch_cli_clock_find(&gl->clock, problem)) return sch_cli_fail(SCH_CLI_IO, "%s", problem);
    sch_cli_clock_warn(&gl->clock, gl->command[0]);
    if (!can_record(record)) return sch_cli_fail(SCH_CLI_IO, "cannot write %s: %s", record, strerror(errno));
    enum sch_cli_exit exit_code = sch_cli_frame_output_open(&gl->shown, &gl->server.options.client);
    if (exit_code == SCH_CLI_YES) exit_code = open_collected(gl);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (!sch_cli_socket_make(&gl->socket, problem)) return sch_cli_fail(SCH_CLI_IO, "%s", problem);
    gl->server.options.path = gl->socket.path;
    gl->server.options.ignores_keyboard = true;
    if (sch_cli_common_log()) gl->server.options.log = (struct sch_virgl_log){sch_cli_log_line, (void *)&sch_cli_gl};
    int code = run_served(gl, &exit_code);
    sch_cli_socket_remove(&gl->socket);
    if (code < 0) return exit_code;
    exit_code = sch_cli_worse(exit_code, sch_cli_frame_output_write(&gl->shown));
    exit_code = sch_cli_worse(exit_code, sch_cli_shader_files_write(&gl->collected));
    if (code == 0) code = (int)sch_cli_common_exit(exit_code);
    sch_cli_shader_files_release(&gl->collected);
    sch_cli_frame_output_release(&gl->shown);
    sch_cli_server_release(&gl->server);
    free(gl);
    fflush(stdout);
    _exit(code); /* it may be any number */
}

static enum sch_cli_exit take_gl_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct gl *gl = user;
    if (option == SCH_OPTION_GL_CLOCK) return sch_cli_clock_option(verb, &gl->clock, value);
    if (option == SCH_OPTION_GL_SUMS) return sch_cli_sums_option(verb, &gl->shown.sums, value);
    return sch_cli_frame_output_add(verb, &gl->shown, value);
}

/* Options up to the program, whose arguments are its own. */
static enum sch_cli_exit read_gl_arguments(struct sch_cli_arguments *arguments, struct gl *gl)
{
    const struct sch_cli_options_of_gl *options = &arguments->values.of_gl;
    const enum sch_cli_exit exit_code = sch_cli_server_parse(&gl->server, arguments, take_gl_option, gl);
    if (exit_code != SCH_CLI_YES) return exit_code;
    gl->server.options.client.record = options->record;
    gl->server.options.most = options->max_clients;
    gl->shown.most = options->frames;
    gl->collected.folder = options->shaders;
    gl->command = arguments->file_count ? arguments->files : NULL;
    gl->stats = options->stats;
    gl->versions = options->versions;
    gl->json = arguments->values.json.json;
    gl->named = options->named_socket;
    return gl->command || gl->versions ? SCH_CLI_YES : sch_cli_usage_error(&sch_cli_gl, "which program?");
}

/* What a picture depends on besides the program: Mesa compiles the GLSL. Nothing of the machine is in it. */
static enum sch_cli_exit print_versions(bool as_json)
{
    struct sch_cli_driver driver;
    struct sch_json json;
    if (!sch_cli_driver_find(&driver))
        return sch_cli_fail(SCH_CLI_NO, "gl: Mesa's driver virpipe was not found (Debian package libgl1-mesa-dri)");
    sch_json_document(&json, stdout, "scheelite-gl/1", as_json);
    sch_json_list(&json, "versions", false);
    SCH_JSON_ROW(&json, NULL, SCH_JSON_TEXT("name", "mesa"),
                 SCH_JSON_TEXT("version", driver.version[0] ? driver.version : "unknown"),
                 SCH_JSON_TEXT("file", driver.file));
    sch_json_row(&json, NULL);
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("name", "scheelite"), SCH_JSON_TEXT("version", sch_version()));
    sch_json_end(&json);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_main_gl(struct sch_cli_arguments *arguments)
{
    struct gl *gl = calloc(1, sizeof *gl);
    if (!gl) return sch_cli_no_memory();
    sch_cli_server_init(&gl->server);
    sch_cli_frame_output_init(&gl->shown);
    enum sch_cli_exit exit_code = read_gl_arguments(arguments, gl);
    if (exit_code == SCH_CLI_YES) exit_code = gl->versions ? print_versions(gl->json) : run_program(gl);
    sch_cli_shader_files_release(&gl->collected);
    sch_cli_frame_output_release(&gl->shown);
    sch_cli_server_release(&gl->server);
    free(gl);
    return exit_code;
}
