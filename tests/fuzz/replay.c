/* Runs a fuzz target over the files of folders, without libFuzzer, and prints TAP: one test a file. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

enum { FILES = 4096, PATH = 1024 };

static char (*paths)[PATH];
static size_t count;

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

int main(int argc, char **argv)
{
    paths = calloc(FILES, sizeof *paths);
    if (!paths) return 1;
    for (int i = 1; i < argc; i++) collect(argv[i]);
    qsort(paths, count, sizeof *paths, compare);
    printf("1..%zu\n", count);
    int failed = !count;
    for (size_t i = 0; i < count; i++) {
        const char *finding = replay(paths[i]), *name = strrchr(paths[i], '/') + 1;
        if (finding) printf("# %s: %s\n", name, finding);
        printf("%s %zu - %s\n", finding ? "not ok" : "ok", i + 1, name);
        failed |= finding != NULL;
    }
    free(paths);
    return failed;
}
