/* The files of folders as items. See list.h. */
#include "mpi/list.h"
#include "support/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 64, PATH_BYTES = 4096, FRAME_WORDS = 1024 };

bool sch_mpi_is_shader(const char *path)
{
    static const char *const endings[] = {".tgsi", ".bin", ".dxbc", ".asm", ".cubin", NULL};
    return sch_text_name_ends(path, endings);
}

bool sch_mpi_is_script(const char *path)
{
    static const char *const endings[] = {".shader_test", NULL};
    return sch_text_name_ends(path, endings);
}

static enum sch_mpi_exit add(const char *path, const struct sch_mpi_frame *frame, struct sch_mpi_items *items)
{
    const char *words[FRAME_WORDS];
    size_t count = 0;
    if (frame->before_count + frame->after_count >= FRAME_WORDS)
        return sch_mpi_fail(SCH_MPI_USAGE, "too many arguments after --");
    for (size_t i = 0; i < frame->before_count; i++) words[count++] = frame->before[i];
    words[count++] = path;
    for (size_t i = 0; i < frame->after_count; i++) words[count++] = frame->after[i];
    return sch_mpi_items_add(items, path, 0, words, count) ? SCH_MPI_YES : sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
}

static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_no_dot(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static enum sch_mpi_exit walk(const char *folder, unsigned depth, const struct sch_mpi_frame *frame,
                              struct sch_mpi_items *items);

static enum sch_mpi_exit visit(const char *folder, const char *name, unsigned depth, const struct sch_mpi_frame *frame,
                               struct sch_mpi_items *items)
{
    char path[PATH_BYTES];
    struct stat is;
    const char *slash = folder[0] && folder[strlen(folder) - 1] == '/' ? "" : "/";
    if ((size_t)snprintf(path, sizeof path, "%s%s%s", folder, slash, name) >= sizeof path)
        return sch_mpi_fail(SCH_MPI_LIMIT, "%s: paths are too long in it", folder);
    if (lstat(path, &is) != 0) return sch_mpi_fail(SCH_MPI_IO, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(is.st_mode)) return walk(path, depth + 1, frame, items);
    if (S_ISLNK(is.st_mode) && (stat(path, &is) != 0 || S_ISDIR(is.st_mode))) return SCH_MPI_YES;
    return frame->wanted(path) ? add(path, frame, items) : SCH_MPI_YES;
}

static enum sch_mpi_exit walk(const char *folder, unsigned depth, const struct sch_mpi_frame *frame,
                              struct sch_mpi_items *items)
{
    struct dirent **names;
    if (depth > DEPTH) return sch_mpi_fail(SCH_MPI_LIMIT, "%s: more than %d folders in each other", folder, DEPTH);
    const int count = scandir(folder, &names, is_no_dot, by_bytes);
    if (count < 0) return sch_mpi_fail(SCH_MPI_IO, "cannot read %s: %s", folder, strerror(errno));
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    for (int i = 0; i < count; i++) {
        if (exit_code == SCH_MPI_YES) exit_code = visit(folder, names[i]->d_name, depth, frame, items);
        free(names[i]);
    }
    free(names);
    return exit_code;
}

enum sch_mpi_exit sch_mpi_folder_read(const char *path, const struct sch_mpi_frame *frame, struct sch_mpi_items *items)
{
    struct stat is;
    if (stat(path, &is) != 0) return sch_mpi_fail(SCH_MPI_IO, "cannot read %s: %s", path, strerror(errno));
    return S_ISDIR(is.st_mode) ? walk(path, 0, frame, items) : add(path, frame, items);
}
