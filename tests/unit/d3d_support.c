/* The shared parts of the tests of src/d3d. */
#include "d3d_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct d3d_file *)a)->name, ((const struct d3d_file *)b)->name);
}

static void collect(const char *shared, const char *folder, struct d3d_file *files, size_t *count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/corpus/dxbc/%s", shared, folder);
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) && *count < MOST) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".dxbc")) continue;
        snprintf(path, sizeof path, "%s/corpus/dxbc/%s/%s", shared, folder, entry->d_name);
        struct d3d_file *file = &files[(*count)++];
        file->data = (unsigned char *)load_file(path, &file->bytes);
        assert_non_null(file->data);
        file->name = malloc(strlen(folder) + length + 2);
        assert_non_null(file->name);
        sprintf(file->name, "%s/%s", folder, entry->d_name);
    }
    if (dir) closedir(dir);
}

struct d3d_file *d3d_corpus(size_t *count)
{
    static const char *const folders[] = {"st", "fxc", "own"};
    *count = 0;
    const char *shared = getenv("SCH_SHARED");
    if (!shared || !*shared) return NULL;
    struct d3d_file *files = calloc(MOST, sizeof *files);
    assert_non_null(files);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) collect(shared, folders[i], files, count);
    qsort(files, *count, sizeof *files, compare);
    if (*count) return files;
    free(files);
    return NULL;
}

void d3d_corpus_free(struct d3d_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(files[i].name);
        free(files[i].data);
    }
    free(files);
}

void d3d_print_reports(const char *name, const struct sch_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count && i < 3; i++) {
        const struct sch_diagnostic *item = &diagnostics->items[i];
        print_message("# %s:%u:%u (byte %llu): %u %s\n", name, item->position.line, item->position.column,
                      (unsigned long long)item->position.offset, item->code, item->message);
    }
}

struct sch_d3d_container *d3d_read(const void *data, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    struct sch_d3d_container *container;
    enum sch_status status =
        sch_d3d_container_read(&sch_allocator_libc, &limits, data, bytes, false, &diagnostics, &container);
    assert_true((status == SCH_STATUS_OK) == (container != NULL));
    assert_true((status == SCH_STATUS_OK) == (diagnostics.errors == 0));
    if (!container) d3d_print_reports("container", &diagnostics);
    sch_diagnostics_release(&diagnostics);
    return container;
}

unsigned d3d_refusal(const void *data, size_t bytes, bool any_checksum)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    struct sch_d3d_container *container;
    enum sch_status status =
        sch_d3d_container_read(&sch_allocator_libc, &limits, data, bytes, any_checksum, &diagnostics, &container);
    unsigned code = status == SCH_STATUS_OK ? 0 : diagnostics.items[0].code;
    assert_true((status == SCH_STATUS_OK) == (diagnostics.errors == 0));
    sch_d3d_container_destroy(container);
    sch_diagnostics_release(&diagnostics);
    return code;
}
