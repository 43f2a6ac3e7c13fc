/* See hlsl_file.h. */
#include "hlsl_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../support/system.h"
#include "../support/text.h"
#include "wrapped.h"

static const char vkd3d[] = "vkd3d-compiler";

const char *sch_cli_hlsl_compiler(void)
{
    const struct sch_cli_values *values = sch_cli_given();
    return values->hlsl.hlsl_compiler ? values->hlsl.hlsl_compiler : values->scene_hlsl.hlsl_compiler;
}

/* ---- calling ---- */

/* Runs a program with its arguments, whose standard output becomes the descriptor `output`. Signals do to it what they
 * do to programs that care for none. */
static bool run_compiler(const char *const *words, int output)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        if (dup2(output, STDOUT_FILENO) >= 0) execvp(words[0], (char *const *)words);
        _exit(127);
    }
    return sch_child_succeeds(child);
}

/* CMD PROFILE IN OUT [ENTRY], by the shell, so that CMD may have arguments. What compilers print is not output of the
 * verb, so it goes to standard error. */
static bool call_command(const struct sch_cli_hlsl_source *source, const char *in, const char *out,
                         enum sch_cli_exit *exit_code)
{
    const size_t bytes = strlen(source->command) + sizeof " \"$@\"";
    char *line = malloc(bytes);
    const char *words[] = {"/bin/sh", "-c", line, "scheelite", source->profile, in, out, source->entry, NULL};
    if (!line) *exit_code = sch_cli_no_memory();
    if (!line) return false;
    snprintf(line, bytes, "%s \"$@\"", source->command);
    const bool good = run_compiler(words, STDERR_FILENO);
    free(line);
    return good;
}

static bool call_vkd3d(const struct sch_cli_hlsl_source *source, const char *in, const char *out)
{
    const char *words[] = {vkd3d, "-x",          "hlsl", "-b", "dxbc-tpf", "-p", source->profile,
                           "-e",  source->entry, "-o",   out,  in,         NULL};
    return run_compiler(words, STDERR_FILENO);
}

bool sch_cli_hlsl_call(const struct sch_cli_hlsl_source *source, struct sch_cli_input *input,
                       enum sch_cli_exit *exit_code)
{
    char folder[1024], in[1100], out[1100];
    if (!sch_scratch_make(folder, sizeof folder)) {
        *exit_code = sch_cli_fail(SCH_CLI_IO, "cannot make a folder for the HLSL compiler in %s: %s",
                                  sch_scratch_base(), strerror(errno));
        return false;
    }
    snprintf(in, sizeof in, "%s/in.hlsl", folder);
    snprintf(out, sizeof out, "%s/out.dxbc", folder);
    *exit_code = sch_cli_write(in, source->text, source->bytes);
    bool good = *exit_code == SCH_CLI_YES;
    if (good) good = source->command ? call_command(source, in, out, exit_code) : call_vkd3d(source, in, out);
    if (good) good = access(out, R_OK) == 0;
    if (good) *exit_code = sch_cli_read(out, input);
    good = good && *exit_code == SCH_CLI_YES && input->bytes > 0;
    sch_scratch_remove(folder); /* with what the compiler left beside */
    return good;
}

/* ---- which compiler ---- */

enum { TYPES_BYTES = 1 << 16 };

/* What `vkd3d-compiler --print-source-types` prints; false: there is no such program. A file takes it, so that the
 * program never waits for a reader. */
static bool ask_types(char *text)
{
    static const char *const words[] = {vkd3d, "--print-source-types", NULL};
    const int file = memfd_create("types", MFD_CLOEXEC);
    const bool there = file >= 0 && run_compiler(words, file);
    const ssize_t got = there ? pread(file, text, TYPES_BYTES - 1, 0) : 0;
    text[got > 0 ? got : 0] = 0;
    if (file >= 0) close(file);
    return there;
}

/* Whether a line begins with the word. */
static bool has_type(const char *text, const char *word)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *first = line + strspn(line, " \t");
        const size_t bytes = strcspn(first, " \t\r\n");
        if (bytes == strlen(word) && memcmp(first, word, bytes) == 0) return true;
    }
    return false;
}

/* What follows the name of the source in the message that vkd3d-compiler does not compile it; NULL: it does. */
static const char *find_vkd3d(void)
{
    static const char missing[] = " is HLSL, which needs a compiler: install vkd3d-compiler 1.3 or later, or name one "
                                  "by --hlsl-compiler CMD, which is called as CMD PROFILE IN OUT ENTRY",
                      old[] = " is HLSL: the vkd3d-compiler that is installed does not read that, version 1.3 or "
                              "later does; --hlsl-compiler CMD names another compiler";
    static const char *found;
    static bool asked;
    if (asked) return found;
    char *text = malloc(TYPES_BYTES);
    if (!text) return ": out of memory";
    found = !ask_types(text) ? missing : has_type(text, "hlsl") ? NULL : old;
    asked = true;
    free(text);
    return found;
}

enum sch_cli_exit sch_cli_hlsl_make(const struct sch_cli_hlsl_source *source, struct sch_cli_input *compiled,
                                    char why[SCH_CLI_HLSL_WHY])
{
    enum sch_cli_exit exit_code;
    const char *missing = source->command ? NULL : find_vkd3d();
    *why = 0;
    if (missing) {
        snprintf(why, SCH_CLI_HLSL_WHY, "%s", missing);
        return SCH_CLI_UNSUPPORTED;
    }
    if (sch_cli_hlsl_call(source, compiled, &exit_code) || exit_code != SCH_CLI_YES) return exit_code;
    snprintf(why, SCH_CLI_HLSL_WHY, ": the HLSL compiler refuses it as %.40s with the entry %.100s", source->profile,
             source->entry);
    return SCH_CLI_NO;
}

/* ---- files ---- */

static bool is_hlsl(const char *path)
{
    static const char *const endings[] = {".hlsl", ".fx", NULL};
    const char *kind = sch_cli_given_kind();
    return kind ? strcmp(kind, "hlsl") == 0 : sch_text_name_ends(path, endings);
}

void sch_cli_hlsl_profile(enum sch_stage stage, unsigned model, char profile[16])
{
    static const char *const words[] = {
        [SCH_STAGE_FRAGMENT] = "ps",  [SCH_STAGE_VERTEX] = "vs",    [SCH_STAGE_COMPUTE] = "cs",
        [SCH_STAGE_TESS_CTRL] = "hs", [SCH_STAGE_TESS_EVAL] = "ds", [SCH_STAGE_GEOMETRY] = "gs"};
    snprintf(profile, 16, "%s_%u_%u", words[stage], model / 10 % 10, model % 10);
}

/* The profile that a text is meant for, by what only one stage has. */
static const char *guess_profile(const char *text)
{
    static const struct {
        const char *word, *profile;
    } rows[] = {{"numthreads", "cs_5_0"},        {"maxvertexcount", "gs_5_0"}, {"patchconstantfunc", "hs_5_0"},
                {"SV_DomainLocation", "ds_5_0"}, {"SV_Target", "ps_5_0"},      {"SV_VertexID", "vs_5_0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcasestr(text, rows[i].word)) return rows[i].profile;
    return strcasestr(text, "SV_Position") ? "vs_5_0" : "ps_5_0";
}

enum sch_cli_exit sch_cli_read_source(const char *path, struct sch_cli_input *input)
{
    const struct sch_cli_options_hlsl *options = &sch_cli_given()->hlsl;
    struct sch_cli_input text, compiled = {0};
    char why[SCH_CLI_HLSL_WHY];
    enum sch_cli_exit exit_code = sch_cli_read(path, input);
    if (exit_code == SCH_CLI_YES && !is_hlsl(path)) exit_code = sch_cli_unwrap(input);
    if (exit_code != SCH_CLI_YES || !is_hlsl(path)) return exit_code;
    text = *input;
    *input = (struct sch_cli_input){.name = text.name};
    const struct sch_cli_hlsl_source source = {.command = sch_cli_hlsl_compiler(),
                                               .profile =
                                                   options->profile ? options->profile : guess_profile(text.data),
                                               .entry = options->entry ? options->entry : "main",
                                               .text = text.data,
                                               .bytes = text.bytes};
    exit_code = sch_cli_hlsl_make(&source, &compiled, why);
    if (*why)
        sch_cli_fail(exit_code, "%s%s%s", path, why,
                     exit_code == SCH_CLI_NO ? " (--profile and --entry name others)" : "");
    if (exit_code == SCH_CLI_YES) {
        compiled.name = text.name;
        compiled.compiled = true;
        *input = compiled;
    } else {
        sch_cli_input_release(&compiled);
    }
    sch_cli_input_release(&text);
    return exit_code;
}
