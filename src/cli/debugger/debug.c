/* scheelite debug: an invocation that stops between its instructions, for people in the terminal or for editors. The
 * debuggers are src/debug; here they get what the command line says. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../debug/debug.h"
#include "debug_server.h"
#include "shade/invoke.h"
#include "trace/session.h"

enum { MOST_SAID = 4096 };

struct debugging {
    struct sch_cli_session session;
    struct sch_debugger_subject subject; /* of the session */
    struct sch_debugger_target *target;
    char *path;
    int argc; /* of the command line */
    char **argv;
    bool dap, on_stdio;
    const char *place; /* of --dap; NULL: standard input and output */
};

/* ---- what is debugged ---- */

static void types_of(void *user, const struct sch_debug_register *which, enum sch_debugger_type types[4])
{
    static const enum sch_debugger_type known[] = {[SCH_VALUE_UNKNOWN] = SCH_DEBUGGER_UNKNOWN,
                                                   [SCH_VALUE_FLOAT] = SCH_DEBUGGER_FLOAT,
                                                   [SCH_VALUE_INT] = SCH_DEBUGGER_INT,
                                                   [SCH_VALUE_UINT] = SCH_DEBUGGER_UINT};
    enum sch_value_type of[4];
    sch_cli_session_types(user, which, of);
    for (unsigned c = 0; c < 4; c++) types[c] = known[of[c]];
}

/* "0" is the float where no register says otherwise, as "1" is. */
static bool read_compared(const char *text, enum sch_debugger_type *type, uint32_t *bits)
{
    const char *end = text + strlen(text), *at = text;
    struct sch_cli_spelled spelled;
    if (sch_cli_value_read(&at, end, SCH_CLI_PLACE_OPTION, &spelled) || at < end) return false;
    *bits = spelled.bits;
    *type = SCH_DEBUGGER_FLOAT;
    if (spelled.spelling == SCH_CLI_SPELLED_BITS && strpbrk(text, "xX")) *type = SCH_DEBUGGER_HEX;
    if (spelled.spelling == SCH_CLI_SPELLED_INTEGER) *type = end[-1] == 'i' ? SCH_DEBUGGER_INT : SCH_DEBUGGER_UINT;
    return true;
}

/* Whether an instruction has a line. */
static bool has_lines(const struct sch_cli_session *session)
{
    struct sch_debug_position position = {0, 0, 0};
    for (uint32_t n = 0; !position.line && sch_debug_position_at(session->debug, n, &position);) n++;
    return position.line;
}

/* The file is a text of lines, and the instructions are of them. */
static bool is_text(const struct sch_cli_session *session)
{
    const struct sch_cli_input *input = &session->shader.input;
    return (!input->compiled || input->listed) && !memchr(input->data, 0, input->bytes) && has_lines(session);
}

static enum sch_cli_exit describe_subject(struct debugging *debugging)
{
    const struct sch_cli_session *session = &debugging->session;
    const struct sch_cli_shader *shader = &session->shader;
    const bool code = sch_shader_language(shader->shader) == SCH_LANGUAGE_MAXWELL;
    const bool own_words = code || (shader->is_lowered && !session->asked.lowered), text = is_text(session);
    debugging->target = sch_debugger_target_of_session(session->debug, own_words ? shader->shader : NULL, text);
    if (!debugging->target) return sch_cli_no_memory();
    debugging->path = session->replay || shader->input.listed ? NULL : realpath(shader->input.name, NULL);
    debugging->subject =
        (struct sch_debugger_subject){.target = debugging->target,
                                      .name = session->shader.input.name,
                                      .what = session->what,
                                      .path = debugging->path,
                                      .source = text ? session->shader.input.data : NULL,
                                      .program = session->text,
                                      .instructions = session->lines,
                                      .instruction_count = session->instruction_count,
                                      .several_vertices = sch_cli_any_per_vertex(session->shader.shader),
                                      .user = &debugging->session,
                                      .types = types_of,
                                      .print_float = sch_float_text,
                                      .read_value = read_compared};
    return SCH_CLI_YES;
}

/* After it there is nothing left to close. */
static void close_subject(void *user)
{
    struct debugging *debugging = user;
    sch_debugger_target_destroy(debugging->target);
    free(debugging->path);
    debugging->target = NULL;
    debugging->path = NULL;
    sch_cli_session_release(&debugging->session);
    sch_cli_session_init(&debugging->session);
}

static enum sch_cli_exit open_subject(struct debugging *debugging)
{
    struct sch_cli_session *session = &debugging->session;
    session->listed = !session->asked.lowered;
    const enum sch_cli_exit exit_code = sch_cli_session_open(&sch_cli_debug, session);
    return exit_code == SCH_CLI_YES ? describe_subject(debugging) : exit_code;
}

/* ---- arguments ---- */

/* The words are read again for each session of an editor: a copy of them is. */
static enum sch_cli_exit read_debug_arguments(struct debugging *debugging, int argc, char **argv)
{
    char **words = calloc((size_t)argc + 1, sizeof *words);
    struct sch_cli_arguments arguments = {.verb = &sch_cli_debug, .argc = argc, .argv = words};
    if (!words) return sch_cli_no_memory();
    memcpy(words, argv, (size_t)argc * sizeof *words);
    const enum sch_cli_exit exit_code = sch_cli_session_parse(&debugging->session, &arguments, NULL, NULL);
    debugging->dap = arguments.values.of_debug.has_dap;
    debugging->place = arguments.values.of_debug.dap;
    free(words);
    return exit_code;
}

/* ---- for editors ---- */

/* What is printed on standard error goes into a file instead, for the editor to show. -1: it stays. */
static int divert(int *before)
{
    const int file = memfd_create("said", MFD_CLOEXEC);
    fflush(stderr);
    *before = file < 0 ? -1 : dup(STDERR_FILENO);
    if (*before >= 0 && dup2(file, STDERR_FILENO) >= 0) return file;
    if (*before >= 0) close(*before);
    if (file >= 0) close(file);
    return -1;
}

static void give_back(int file, int before, char *said, size_t bytes)
{
    if (file < 0) return;
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    const ssize_t got = pread(file, said, bytes - 1, 0);
    said[got < 0 ? 0 : got] = 0;
    close(file);
}

static enum sch_cli_exit open_words(struct debugging *debugging, int argc, char **argv)
{
    const struct sch_cli_session *session = &debugging->session;
    enum sch_cli_exit exit_code = read_debug_arguments(debugging, argc, argv);
    const bool standard =
        (session->file && strcmp(session->file, "-") == 0) || (session->vectors && strcmp(session->vectors, "-") == 0);
    if (exit_code == SCH_CLI_YES && debugging->on_stdio && standard)
        exit_code =
            sch_cli_usage_error(&sch_cli_debug, "standard input is the editor's: shaders and tables are in files");
    return exit_code == SCH_CLI_YES ? open_subject(debugging) : exit_code;
}

/* The words follow those of the command line. */
static const struct sch_debugger_subject *open_session(void *user, const char *const *words, uint32_t count, char *said,
                                                       size_t bytes)
{
    struct debugging *debugging = user;
    char **argv = calloc((size_t)debugging->argc + count + 1, sizeof *argv);
    int before;
    if (!argv) return NULL;
    memcpy(argv, debugging->argv, (size_t)debugging->argc * sizeof *argv);
    memcpy(argv + debugging->argc, words, count * sizeof *argv);
    const int file = divert(&before);
    const enum sch_cli_exit exit_code = open_words(debugging, debugging->argc + (int)count, argv);
    give_back(file, before, said, bytes);
    free(argv);
    if (exit_code != SCH_CLI_YES) {
        close_subject(debugging);
        return NULL;
    }
    return &debugging->subject;
}

static int exit_of(enum sch_result result) { return (int)sch_cli_exit_of(result); }

static bool serve(struct debugging *debugging, int in, int out)
{
    const struct sch_debugger_host host = {debugging, open_session, close_subject, exit_of};
    return sch_debugger_dap(&host, in, out);
}

static void serve_client(void *user, int client) { serve(user, client, client); }

static enum sch_cli_exit debug_by_editor(struct debugging *debugging)
{
    if (!sch_debugger_has_dap())
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "debug: --dap needs json-c, without which this scheelite was built");
    close_subject(debugging);
    debugging->on_stdio = !debugging->place;
    if (debugging->place) return sch_cli_debug_serve(debugging->place, serve_client, debugging);
    if (serve(debugging, STDIN_FILENO, STDOUT_FILENO)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "debug: the client ended without a disconnect");
}

/* ---- in the terminal ---- */

static enum sch_cli_exit debug_in_terminal(struct debugging *debugging)
{
    char problem[256];
    const enum sch_cli_exit exit_code = open_subject(debugging);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (sch_debugger_terminal(&debugging->subject, problem)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "debug: %s", problem);
}

enum sch_cli_exit sch_cli_main_debug(struct sch_cli_arguments *arguments)
{
    struct debugging debugging = {.argc = arguments->argc, .argv = arguments->argv};
    sch_cli_session_init(&debugging.session);
    enum sch_cli_exit exit_code = read_debug_arguments(&debugging, arguments->argc, arguments->argv);
    if (exit_code == SCH_CLI_YES)
        exit_code = debugging.dap ? debug_by_editor(&debugging) : debug_in_terminal(&debugging);
    close_subject(&debugging);
    return exit_code;
}
