/* Runs a fuzz target over the files of folders, without libFuzzer, and prints TAP: one test a file, and one for each
 * folder of src of whose functions the files are to reach so many.
 *
 *   replay_virgl FOLDER... [--functions LIST [--least virgl=200]... [--show virgl]...]
 *
 * --show prints all functions of a folder of src, and whether they were reached. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "reached.h"

enum { FILES = 1 << 16, PATH = 1024, LEAST = 32 };

static char (*paths)[PATH];
static size_t count;

/* What is asked for of folders of src. */
static struct asked {
    char folder[32];
    size_t least;
    bool shown;
} asked[LEAST];
static size_t asked_count;
static const char *functions;

static void collect(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        fprintf(stderr, "cannot open %s\n", folder);
        return;
    }
    struct dirent *entry;
    while ((entry = readdir(dir)) && count < FILES) {
        struct stat status;
        if (snprintf(paths[count], PATH, "%s/%s", folder, entry->d_name) >= PATH) continue;
        if (!stat(paths[count], &status) && S_ISREG(status.st_mode)) count++;
    }
    closedir(dir);
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static const char *replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return "cannot be opened";
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    const char *finding = "cannot be read";
    if (data && fread(data, 1, (size_t)size, file) == (size_t)size) finding = sch_fuzz_check(data, (size_t)size);
    free(data);
    fclose(file);
    return finding;
}

static void ask(const char *what, bool shown)
{
    const size_t length = strcspn(what, "=");
    if (asked_count == LEAST || length >= sizeof asked->folder) return;
    struct asked *one = &asked[asked_count++];
    memcpy(one->folder, what, length);
    one->least = what[length] ? strtoul(what + length + 1, NULL, 10) : 0;
    one->shown = shown;
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const bool last = i + 1 == argc;
        if (!last && strcmp(argv[i], "--functions") == 0)
            functions = argv[++i];
        else if (!last && (strcmp(argv[i], "--least") == 0 || strcmp(argv[i], "--show") == 0))
            ask(argv[i + 1], argv[i][2] == 's'), i++;
        else
            collect(argv[i]);
    }
    qsort(paths, count, sizeof *paths, compare);
}

/* One test for each folder of src. Whether one failed. */
static bool count_reached(bool looked)
{
    bool failed = false;
    for (size_t n = 0; n < asked_count; n++) {
        const struct asked *one = &asked[n];
        size_t all = 0;
        const size_t reached = looked ? sch_reached_count(one->folder, &all) : 0;
        const bool enough = reached >= one->least && all;
        if (looked && one->shown) sch_reached_print(one->folder);
        if (!looked) {
            printf("ok %zu - functions of %s # SKIP breakpoints are x86-64's\n", count + n + 1, one->folder);
            continue;
        }
        printf("%s %zu - %zu of %zu functions of %s are reached, at least %zu\n", enough ? "ok" : "not ok",
               count + n + 1, reached, all, one->folder, one->least);
        failed |= !enough;
    }
    return failed;
}

int main(int argc, char **argv)
{
    paths = calloc(FILES, sizeof *paths);
    if (!paths) return 1;
    read_arguments(argc, argv);
    printf("1..%zu\n", count + asked_count);
    const bool looked = functions && sch_reached_begin(functions);
    int failed = !count;
    for (size_t i = 0; i < count; i++) {
        const char *finding = replay(paths[i]), *name = strrchr(paths[i], '/') + 1;
        if (finding) printf("# %s: %s\n", name, finding);
        printf("%s %zu - %s\n", finding ? "not ok" : "ok", i + 1, name);
        failed |= finding != NULL;
    }
    failed |= count_reached(looked);
    free(paths);
    return failed;
}
