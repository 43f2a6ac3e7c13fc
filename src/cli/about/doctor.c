/* scheelite doctor: what is installed of what the command can use; and --version, which says the most important of it.
 * Holds no advice for builds: what is missing is named with the Debian package that has it. */
#include <scheelite/files.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../debug/debug.h"
#include "../support/json.h"
#include "../vtest/vtest.h"
#include "bind/setup.h"
#include "common/cli.h"
#include "common/code.h"
#include "opengl/driver.h"

enum state { OK, MISSING, ABSENT };

struct doctor {
    bool json, report, missing;
    struct sch_json document;
    struct sch_context *context;
    struct sch_machine_info machine;
};

/* A report may be published, and a home folder has its user's name: it is written as ~. */
static void hide_home(const char *text, char *hidden, size_t bytes)
{
    const char *home = getenv("HOME");
    const size_t length = home ? strlen(home) : 0;
    size_t at = 0;
    while (*text && at + 1 < bytes) {
        const bool is_home = length > 1 && strncmp(text, home, length) == 0 && (!text[length] || text[length] == '/');
        hidden[at++] = is_home ? '~' : *text;
        text += is_home ? length : 1;
    }
    hidden[at] = 0;
}

static void say(struct doctor *doctor, enum state state, const char *name, const char *detail, const char *package)
{
    char hidden[SCH_CLI_PATH_BYTES + 1000];
    if (doctor->report) {
        hide_home(detail, hidden, sizeof hidden);
        detail = hidden;
    }
    static const char *const words[] = {[OK] = "ok", [MISSING] = "missing", [ABSENT] = "absent"};
    if (state == OK) package = NULL;
    doctor->missing = doctor->missing || state == MISSING;
    sch_json_row(&doctor->document, words[state]);
    if (doctor->json) sch_json_text(&doctor->document, "state", words[state]);
    SCH_JSON_FIELDS(&doctor->document, SCH_JSON_TEXT("name", name), SCH_JSON_TEXT("detail", detail),
                    SCH_JSON_TEXT("package", package));
    sch_json_close(&doctor->document);
}

/* ---- what scheelite is made of ---- */

static void check_library(struct doctor *doctor)
{
    char detail[200];
    snprintf(detail, sizeof detail, "scheelite %s, operations %s, vectors of %u lanes", sch_version(),
             doctor->machine.level, doctor->machine.lanes);
    say(doctor, OK, "library", detail, NULL);
}

static void check_compiler(struct doctor *doctor)
{
    char detail[SCH_CLI_PATH_BYTES + 600];
    const struct sch_machine_info *machine = &doctor->machine;
    if (machine->identity)
        snprintf(detail, sizeof detail, "%s, %s", machine->identity, machine->file);
    else
        snprintf(detail, sizeof detail, "%s", machine->problem);
#if !defined(__x86_64__) && !defined(__aarch64__)
    if (!machine->identity) { /* nothing is missing */
        say(doctor, ABSENT, "compiler", detail, NULL);
        return;
    }
#endif
    say(doctor, machine->identity ? OK : MISSING, "compiler", detail, "libscheelite-jit");
    const bool runs = machine->program && access(machine->program, X_OK) == 0;
    snprintf(detail, sizeof detail, "%s%s", machine->program ? machine->program : "none", runs ? "" : " cannot be run");
    say(doctor, runs ? OK : MISSING, "process", detail, "libscheelite-jit");
}

/* The folder, or, as long as it is not there, the one that it will be made in. */
static void check_cache(struct doctor *doctor)
{
    char detail[SCH_CLI_PATH_BYTES + 100], folder[SCH_CLI_PATH_BYTES];
    const char *cache = doctor->machine.cache;
    if (!cache) {
        say(doctor, MISSING, "cache", "there is no folder for compiled code: neither XDG_CACHE_HOME nor HOME is one",
            NULL);
        return;
    }
    snprintf(folder, sizeof folder, "%s", cache);
    char *slash = strrchr(folder, '/');
    if (access(folder, F_OK) != 0 && slash) *(slash == folder ? slash + 1 : slash) = 0;
    const bool writable = access(folder, W_OK | X_OK) == 0;
    snprintf(detail, sizeof detail, "%s%s", cache, writable ? "" : " cannot be written");
    say(doctor, writable ? OK : MISSING, "cache", detail, NULL);
}

/* ---- what one verb needs ---- */

/* Without Landlock clients' processes can open no file: the filter of system calls lets them open those of the cache
 * only where Landlock refuses the others. The compiler can open all of its user's. */
static void check_sandbox(struct doctor *doctor)
{
    const char *missing = sch_vtest_missing();
    const unsigned landlock = sch_vtest_landlock();
    char detail[300];
    if (missing)
        snprintf(detail, sizeof detail, "%s", missing);
    else if (!landlock)
        snprintf(
            detail, sizeof detail,
            "system calls are filtered; the system has no Landlock, so clients' processes read no compiled code, and "
            "the compiler's can open the user's files");
    else
        snprintf(detail, sizeof detail, "system calls are filtered, files are forbidden (Landlock %u)", landlock);
    say(doctor, missing || !landlock ? ABSENT : OK, "sandbox", detail, missing ? "libseccomp-dev" : NULL);
}

static void check_virpipe(struct doctor *doctor)
{
    struct sch_cli_driver driver;
    char detail[SCH_CLI_PATH_BYTES + 100];
    if (sch_cli_driver_find(&driver))
        snprintf(detail, sizeof detail, "Mesa %s, %s", driver.version[0] ? driver.version : "of an unknown version",
                 driver.file);
    else
        snprintf(detail, sizeof detail, "Mesa's driver for `scheelite gl` was not found");
    say(doctor, driver.file[0] ? OK : ABSENT, "virpipe", detail, "libgl1-mesa-dri");
}

/* Whether the program prints a word when it is asked. */
static bool prints(const char *command, const char *word)
{
    char line[400];
    bool found = false;
    FILE *answer = popen(command, "r");
    if (!answer) return false;
    while (fgets(line, sizeof line, answer)) found = found || strcasestr(line, word) != NULL;
    pclose(answer);
    return found;
}

static void check_hlsl(struct doctor *doctor)
{
    if (prints("vkd3d-compiler --print-source-types 2>/dev/null", "hlsl"))
        say(doctor, OK, "hlsl", "vkd3d-compiler reads HLSL", NULL);
    else if (prints("vkd3d-compiler --version 2>/dev/null", "vkd3d"))
        say(doctor, ABSENT, "hlsl", "vkd3d-compiler is older than 1.3, and reads no HLSL", "vkd3d-compiler");
    else
        say(doctor, ABSENT, "hlsl", "vkd3d-compiler was not found", "vkd3d-compiler");
}

static void check_files(struct doctor *doctor)
{
    static const struct {
        enum sch_file_kind kind;
        const char *name, *package;
    } kinds[] = {{SCH_FILE_KIND_JPEG, "jpeg", "libjpeg62-turbo-dev"}, {SCH_FILE_KIND_EXR, "exr", "libopenexr-dev"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct sch_file_kind_info info = {.size = sizeof info};
        char detail[200];
        if (sch_file_kind_get_info(kinds[i].kind, &info) != SCH_OK) continue;
        if (info.needs)
            snprintf(detail, sizeof detail, "built without %s, so %s files are refused", info.needs, info.name);
        else
            snprintf(detail, sizeof detail, "%s files are read%s", info.name, info.writes ? " and written" : "");
        say(doctor, info.needs ? ABSENT : OK, kinds[i].name, detail, kinds[i].package);
    }
}

/* What `scheelite debug` was built with. */
static void check_debuggers(struct doctor *doctor)
{
    const bool json = sch_debugger_has_dap(), ncurses = sch_debugger_has_terminal();
    say(doctor, json ? OK : ABSENT, "dap",
        json ? "editors debug shaders (scheelite debug --dap)" : "built without json-c, so editors are not served",
        "libjson-c-dev");
    say(doctor, ncurses ? OK : ABSENT, "terminal",
        ncurses ? "shaders are debugged in a terminal (scheelite debug)"
                : "built without ncurses, so nothing is debugged in a terminal",
        "libncurses-dev");
}

/* ---- what a report of a fault needs besides ---- */

/* The rest of the first line of a file that begins with a word, without quotation marks. */
static bool line_of(const char *path, const char *word, char *rest, size_t bytes)
{
    char line[400];
    bool found = false;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        if (strncmp(line, word, strlen(word)) != 0) continue;
        const char *at = line + strlen(word);
        at += strspn(at, " \t:=\"");
        snprintf(rest, bytes, "%.*s", (int)strcspn(at, "\"\n"), at);
        found = true;
    }
    if (file) fclose(file);
    return found;
}

static void report_system(struct doctor *doctor)
{
    struct utsname system;
    char name[200], model[200], detail[700];
    if (!line_of("/etc/os-release", "PRETTY_NAME", name, sizeof name)) snprintf(name, sizeof name, "unknown");
    if (uname(&system) != 0) snprintf(system.sysname, sizeof system.sysname, "unknown");
    snprintf(detail, sizeof detail, "%s; %s %s %s", name, system.sysname, system.release, system.machine);
    say(doctor, OK, "system", detail, NULL);
    if (!line_of("/proc/cpuinfo", "model name", model, sizeof model)) snprintf(model, sizeof model, "unknown");
    snprintf(detail, sizeof detail, "%s, %ld online", model, sysconf(_SC_NPROCESSORS_ONLN));
    say(doctor, OK, "processor", detail, NULL);
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), page = (uint64_t)sysconf(_SC_PAGESIZE);
    snprintf(detail, sizeof detail, "%" PRIu64 " MiB", pages * (page / 1024) / 1024);
    say(doctor, OK, "memory", detail, NULL);
}

static void report_cache(struct doctor *doctor)
{
    char path[2 * SCH_CLI_PATH_BYTES], detail[100];
    struct stat status;
    uint64_t files = 0, bytes = 0;
    DIR *folder = doctor->machine.cache ? opendir(doctor->machine.cache) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", doctor->machine.cache, entry->d_name);
        if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        files++;
        bytes += (uint64_t)status.st_size;
    }
    if (folder) closedir(folder);
    snprintf(detail, sizeof detail, "%" PRIu64 " files, %" PRIu64 " KiB", files, bytes / 1024);
    say(doctor, OK, "cached", detail, NULL);
}

/* What changes what the command and Mesa's driver do. */
static void report_environment(struct doctor *doctor)
{
    static const char *const names[] = {"DISPLAY",
                                        "EGL_PLATFORM",
                                        "GALLIUM_DRIVER",
                                        "LANG",
                                        "LC_ALL",
                                        "LD_PRELOAD",
                                        "LIBGL_ALWAYS_SOFTWARE",
                                        "LIBGL_DRIVERS_PATH",
                                        "MESA_GLSL_VERSION_OVERRIDE",
                                        "MESA_GL_VERSION_OVERRIDE",
                                        "MESA_LOADER_DRIVER_OVERRIDE",
                                        "VIRGL_DEBUG",
                                        "VTEST_SOCKET_NAME",
                                        "WAYLAND_DISPLAY",
                                        "XDG_CACHE_HOME"};
    char detail[SCH_CLI_PATH_BYTES];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value) continue;
        snprintf(detail, sizeof detail, "%s=%s", names[i], value);
        say(doctor, OK, "environment", detail, NULL);
    }
}

/* ---- the verb ---- */

static enum sch_cli_exit look(struct doctor *doctor)
{
    doctor->machine.size = sizeof doctor->machine;
    enum sch_result result = sch_cli_context_create(&doctor->context);
    if (result == SCH_OK) result = sch_context_get_machine(doctor->context, &doctor->machine);
    return sch_cli_result(result, NULL, "doctor");
}

enum sch_cli_exit sch_cli_print_version(void)
{
    struct doctor doctor = {0};
    printf("scheelite %s\n", sch_version());
    enum sch_cli_exit exit_code = look(&doctor);
    const struct sch_machine_info *machine = &doctor.machine;
    if (exit_code == SCH_CLI_YES) {
        if (machine->identity)
            printf("machine code: %s, %s\n", machine->identity, machine->file);
        else
            printf("machine code: none; %s\n", machine->problem);
        printf("processor: operations %s, vectors of %u lanes\ncache: %s\n", machine->level, machine->lanes,
               machine->cache ? machine->cache : "none");
    }
    sch_context_destroy(doctor.context);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_doctor(struct sch_cli_arguments *arguments)
{
    struct doctor doctor = {0};
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_cache_check(arguments->verb);
    if (exit_code != SCH_CLI_YES) return exit_code;
    doctor.json = arguments->values.json.json;
    doctor.report = arguments->values.of_doctor.report;
    exit_code = look(&doctor);
    if (exit_code == SCH_CLI_YES) {
        sch_json_document(&doctor.document, stdout, "scheelite-doctor/1", doctor.json);
        sch_json_list(&doctor.document, "checks", false);
        check_library(&doctor);
        check_compiler(&doctor);
        check_cache(&doctor);
        check_sandbox(&doctor);
        check_virpipe(&doctor);
        check_hlsl(&doctor);
        check_files(&doctor);
        check_debuggers(&doctor);
        if (doctor.report) {
            report_system(&doctor);
            report_cache(&doctor);
            report_environment(&doctor);
        }
        exit_code = doctor.missing ? SCH_CLI_NO : SCH_CLI_YES;
        sch_json_close(&doctor.document);
        if (doctor.json) sch_json_number(&doctor.document, "exit", (uint64_t)exit_code);
        sch_json_end(&doctor.document);
    }
    sch_context_destroy(doctor.context);
    return exit_code;
}
