/* See options.h. */
#include "mpi/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char sch_mpi_usage[] =
    "usage: mpirun [-n RANKS] scheelite-mpi VERB [OPTION]...\n"
    "\n"
    "  run LIST...            runs the command lines of lists (- is standard input), one a line, without a shell\n"
    "  check FOLDER|FILE... [-- ARGUMENT...]\n"
    "                         scheelite check of each shader in folders\n"
    "  test FOLDER|FILE... [-- ARGUMENT...]\n"
    "                         scheelite run of each script (.shader_test) in folders\n"
    "  picture SHADER -o FILE.png [--size WxH] [OPTION OF scheelite run]...\n"
    "                         draws a picture in bands of rows\n"
    "  grid SHADER --grid X,Y,Z --unordered --buffer-out N=FILE [OPTION OF scheelite run]...\n"
    "                         runs a compute grid in parts\n"
    "\n"
    "  --journal FILE      appends each result to FILE when it is there\n"
    "  --resume            continues the journal of a farm that did not finish\n"
    "  --json FILE         writes a report; --junit FILE one in JUnit's form\n"
    "  --timeout SECONDS   ends items that take longer (exit code 5)\n"
    "  --output-limit N    bytes that are kept of each output of an item (default 1048576)\n"
    "  --scheelite FILE    the command scheelite (default: the one beside scheelite-mpi, else that of PATH)\n"
    "  --program FILE      for run: another program, whose arguments the lines are\n"
    "  --band-rows N       for picture: about so many rows a band\n"
    "  --parts N           for grid: so many parts (default 16)\n"
    "  -q                  prints no summary\n"
    "\n"
    "The results are the same bits with any number of ranks. Exit codes: the worst of the items', as of scheelite; 70 "
    "for\n"
    "one that a signal ended.\n";

enum { DEFAULT_OUTPUT = 1 << 20, LARGEST_OUTPUT = 1 << 28, LONGEST_SECONDS = 1000000, MORE_WORDS = 64 };

/* ---- the program ---- */

static char *joined(const char *folder, const char *name)
{
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (path) snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

/* The command beside this one, or in a build's tree; else the name, which the system looks for. NULL: out of memory. */
static char *find_scheelite(void)
{
    static const char *const places[] = {"scheelite", "../cli/scheelite"};
    char own[4096];
    const ssize_t bytes = readlink("/proc/self/exe", own, sizeof own - 1);
    if (bytes <= 0) return strdup("scheelite");
    own[bytes] = 0;
    *strrchr(own, '/') = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = joined(own, places[i]);
        if (!path || access(path, X_OK) == 0) return path;
        free(path);
    }
    return strdup("scheelite");
}

/* ---- options ---- */

struct option {
    const char *name;
    bool value;
};
enum { JOURNAL, RESUME, JSON, JUNIT, TIMEOUT, OUTPUT_LIMIT, SCHEELITE, PROGRAM, BAND_ROWS, PARTS, QUIET };
static const struct option known[] = {
    [JOURNAL] = {"--journal", true},     [RESUME] = {"--resume", false},  [JSON] = {"--json", true},
    [JUNIT] = {"--junit", true},         [TIMEOUT] = {"--timeout", true}, [OUTPUT_LIMIT] = {"--output-limit", true},
    [SCHEELITE] = {"--scheelite", true}, [PROGRAM] = {"--program", true}, [BAND_ROWS] = {"--band-rows", true},
    [PARTS] = {"--parts", true},         [QUIET] = {"-q", false},
};

static enum sch_mpi_exit take_number(const char *name, const char *value, uint64_t low, uint64_t high, uint64_t *number)
{
    if (sch_mpi_number(value, low, high, number)) return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_USAGE, "%s is a number from %llu to %llu, not %s", name, (unsigned long long)low,
                        (unsigned long long)high, value);
}

static enum sch_mpi_exit take_option(struct sch_mpi_options *options, size_t option, const char *value)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    switch (option) {
    case JOURNAL:
        options->journal = value;
        break;
    case RESUME:
        options->resume = true;
        break;
    case JSON:
        options->json = value;
        break;
    case JUNIT:
        options->junit = value;
        break;
    case TIMEOUT:
        exit_code = take_number("--timeout", value, 1, LONGEST_SECONDS, &options->timeout_ms);
        options->timeout_ms *= 1000;
        break;
    case OUTPUT_LIMIT:
        return take_number("--output-limit", value, 0, LARGEST_OUTPUT, &options->output_limit);
    case SCHEELITE:
    case PROGRAM:
        free(options->program);
        options->program = strdup(value);
        options->other_program = option == PROGRAM;
        break;
    case BAND_ROWS:
        return take_number("--band-rows", value, 1, 1 << 20, &options->band_rows);
    case PARTS:
        return take_number("--parts", value, 1, 1 << 16, &options->parts);
    default:
        options->quiet = true;
    }
    return exit_code;
}

/* Whether the word at `*at` is one of the farm's options; the value is in the word or the next one. */
static bool find_option(int argc, char **argv, int *at, size_t *option, const char **value)
{
    for (*option = 0; *option < sizeof known / sizeof *known; ++*option) {
        const size_t bytes = strlen(known[*option].name);
        const char *word = argv[*at];
        if (strncmp(word, known[*option].name, bytes) != 0) continue;
        *value = word + bytes + 1;
        if (word[bytes] == '=' && known[*option].value) return true;
        if (word[bytes]) continue;
        *value = NULL;
        if (known[*option].value && *at + 1 < argc) *value = argv[++*at];
        return true;
    }
    return false;
}

static enum sch_mpi_exit read_verb(const char *name, struct sch_mpi_options *options)
{
    static const char *const names[] = {[SCH_MPI_RUN] = "run",
                                        [SCH_MPI_CHECK] = "check",
                                        [SCH_MPI_TEST] = "test",
                                        [SCH_MPI_PICTURE] = "picture",
                                        [SCH_MPI_GRID] = "grid"};
    options->verb_name = name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options->verb = (enum sch_mpi_verb)i;
        if (strcmp(name, names[i]) == 0) return SCH_MPI_YES;
    }
    return sch_mpi_fail(SCH_MPI_USAGE, "there is no verb %s: run, check, test, picture, grid", name);
}

static enum sch_mpi_exit check(const struct sch_mpi_options *options)
{
    const enum sch_mpi_verb verb = options->verb;
    if (options->resume && !options->journal) return sch_mpi_fail(SCH_MPI_USAGE, "--resume needs --journal FILE");
    if (options->other_program && verb != SCH_MPI_RUN)
        return sch_mpi_fail(SCH_MPI_USAGE, "--program is for run; --scheelite says where scheelite is");
    if (options->band_rows && verb != SCH_MPI_PICTURE) return sch_mpi_fail(SCH_MPI_USAGE, "--band-rows is for picture");
    if (options->parts && verb != SCH_MPI_GRID) return sch_mpi_fail(SCH_MPI_USAGE, "--parts is for grid");
    if (options->files) return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_USAGE, "%s: which %s? `scheelite-mpi --help` says more", options->verb_name,
                        verb == SCH_MPI_RUN                               ? "list"
                        : verb == SCH_MPI_PICTURE || verb == SCH_MPI_GRID ? "shader"
                                                                          : "folder");
}

static enum sch_mpi_exit read_words(int argc, char **argv, struct sch_mpi_options *options)
{
    const bool passes = options->verb == SCH_MPI_PICTURE || options->verb == SCH_MPI_GRID;
    const bool splits = options->verb == SCH_MPI_CHECK || options->verb == SCH_MPI_TEST;
    bool behind = false;
    for (int at = 2; at < argc; at++) {
        size_t option;
        const char *value = NULL;
        if (!behind && splits && strcmp(argv[at], "--") == 0) {
            behind = true;
        } else if (!behind && find_option(argc, argv, &at, &option, &value)) {
            if (known[option].value && !value)
                return sch_mpi_fail(SCH_MPI_USAGE, "%s needs a value", known[option].name);
            const enum sch_mpi_exit exit_code = take_option(options, option, value);
            if (exit_code != SCH_MPI_YES) return exit_code;
        } else if (!behind && !passes && argv[at][0] == '-' && argv[at][1]) {
            return sch_mpi_fail(SCH_MPI_USAGE, "%s: there is no option %s%s", options->verb_name, argv[at],
                                splits ? "; what is for scheelite comes after --" : "");
        } else {
            options->words[options->count++] = argv[at];
            if (!behind) options->files = options->count;
        }
    }
    return check(options);
}

enum sch_mpi_exit sch_mpi_options_read(int argc, char **argv, struct sch_mpi_options *options)
{
    *options = (struct sch_mpi_options){.output_limit = DEFAULT_OUTPUT, .program = find_scheelite()};
    options->words = calloc((size_t)argc + MORE_WORDS, sizeof *options->words);
    if (!options->words || !options->program) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    if (argc < 2) return sch_mpi_fail(SCH_MPI_USAGE, "which verb? `scheelite-mpi --help` lists them");
    enum sch_mpi_exit exit_code = read_verb(argv[1], options);
    if (exit_code == SCH_MPI_YES) exit_code = read_words(argc, argv, options);
    if (exit_code == SCH_MPI_YES && !options->program) exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    return exit_code;
}

void sch_mpi_options_release(struct sch_mpi_options *options)
{
    free(options->program);
    free(options->words);
}

const char *sch_mpi_option_value(char *const *words, size_t count, const char *name, size_t *at)
{
    const size_t bytes = strlen(name);
    for (; *at < count; ++*at) {
        const char *word = words[*at];
        if (strncmp(word, name, bytes) != 0 || (word[bytes] && word[bytes] != '=')) continue;
        ++*at;
        if (word[bytes]) return word + bytes + 1;
        return *at < count ? words[(*at)++] : "";
    }
    return NULL;
}

bool sch_mpi_has_option(char *const *words, size_t count, const char *name)
{
    size_t at = 0;
    return sch_mpi_option_value(words, count, name, &at) != NULL;
}
