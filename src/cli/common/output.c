/* Files out. A file is written beside its place and renamed into it, so that a full disk, an error or an interrupt
 * leaves what was there. A link stays: the file that it names is replaced. What is not a regular file (a pipe, a
 * terminal, /dev/null) is written to as it is. */
#include "../support/system.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64, NAMES_TRIED = 100, OPENED = O_WRONLY | O_CLOEXEC | O_NOCTTY };

/* Writes and closes; errno says what went wrong. */
static bool fill(int file, const char *data, size_t bytes)
{
    bool good = sch_write_all(file, data, bytes);
    int problem = errno;
    if (close(file) != 0 && good) return false;
    errno = problem;
    return good;
}

/* A new file in the folder of `path`, of the mode that the umask gives; `name` is its path, the caller's. -1: none. */
static int create_beside(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0, bytes = folder + NAME_BYTES;
    *name = malloc(bytes);
    if (!*name) return -1;
    memcpy(*name, path, folder);
    for (unsigned n = 0; n < NAMES_TRIED; n++) {
        snprintf(*name + folder, NAME_BYTES, ".scheelite-%ld-%u", (long)getpid(), n);
        int file = open(*name, OPENED | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

/* `before`: the file that is replaced, whose permissions stay; NULL: there is none. */
static bool replace(const char *path, const struct stat *before, const char *data, size_t bytes)
{
    char *name;
    int file = create_beside(path, &name);
    bool good = file >= 0;
    if (good) {
        bool kept = !before || fchmod(file, before->st_mode & 0777) == 0;
        good = fill(file, data, bytes) && kept && rename(name, path) == 0;
        int problem = errno;
        if (!good) unlink(name);
        errno = problem;
    }
    int problem = errno;
    free(name);
    errno = problem;
    return good;
}

/* Where nothing can be made beside the file, or it cannot be renamed over (a folder without the right to write; a file
 * that is a mount point). */
static bool must_stay(int problem)
{
    return problem == EACCES || problem == EPERM || problem == EROFS || problem == EBUSY || problem == EXDEV;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Replaces the regular file that `file` is open on, by the name that all links lead to. */
static bool replace_opened(int file, const char *path, const struct stat *opened, const char *data, size_t bytes)
{
    struct stat named;
    char *resolved = realpath(path, NULL);
    /* What has no name any more (/proc/self/fd/N of a deleted file) is written in its place. */
    bool has_name = resolved && stat(resolved, &named) == 0 && same_file(&named, opened);
    bool good = has_name && replace(resolved, opened, data, bytes), stays = !has_name || (!good && must_stay(errno));
    int problem = errno;
    free(resolved);
    if (stays) return ftruncate(file, 0) == 0 && sch_write_all(file, data, bytes);
    errno = problem;
    return good;
}

/* `path` may be the name of what standard output is: /dev/stdout. */
static bool is_standard_output(const struct stat *opened)
{
    struct stat standard;
    return fstat(STDOUT_FILENO, &standard) == 0 && same_file(&standard, opened);
}

/* ---- files that options name ---- */

enum { MOST_OUTPUTS = 1024 };

static struct {
    dev_t device;
    ino_t node;
    const char *option;
} outputs[MOST_OUTPUTS];
static unsigned output_count;

/* The file that the value names: after the equals sign of N=FILE, and before a comma that more follows. */
static bool find_output(const struct sch_cli_option *option, const char *value, struct stat *found)
{
    char path[4096];
    const char *equals = strstr(option->value, "=FILE") ? strchr(value, '=') : NULL;
    if (equals) value = equals + 1;
    if (stat(value, found) == 0) return true;
    const char *comma = strrchr(value, ',');
    if (!comma || (size_t)(comma - value) >= sizeof path) return false;
    snprintf(path, sizeof path, "%.*s", (int)(comma - value), value);
    return stat(path, found) == 0;
}

bool sch_cli_output_named(const struct sch_cli_option *option, const char *value)
{
    struct stat found;
    if (!find_output(option, value, &found) || !S_ISREG(found.st_mode)) return true;
    if (output_count == MOST_OUTPUTS) return false;
    outputs[output_count].device = found.st_dev;
    outputs[output_count].node = found.st_ino;
    outputs[output_count++].option = option->name;
    return true;
}

const char *sch_cli_output_of(int file)
{
    struct stat opened;
    if (!output_count || fstat(file, &opened) != 0) return NULL;
    for (unsigned i = 0; i < output_count; i++)
        if (outputs[i].device == opened.st_dev && outputs[i].node == opened.st_ino) return outputs[i].option;
    return NULL;
}

static bool put_file(const char *path, const void *data, size_t bytes)
{
    struct stat opened, link;
    /* The system decides whether the file may be written, links followed, before anything is done to its folder. */
    int file = open(path, OPENED);
    bool missing = file < 0 && errno == ENOENT, made = false;
    if (missing && lstat(path, &link) != 0) return replace(path, NULL, data, bytes);
    if (missing) { /* a link to a file that is not there yet */
        file = open(path, OPENED | O_CREAT, 0666);
        made = true;
    }
    if (file < 0 || fstat(file, &opened) != 0) return false;
    if (is_standard_output(&opened)) {
        close(file);
        fwrite(data, 1, bytes, stdout); /* main() looks at the stream's state */
        return true;
    }
    if (!S_ISREG(opened.st_mode)) return fill(file, data, bytes);
    bool good = replace_opened(file, path, &opened, data, bytes);
    int problem = errno;
    char *name = !good && made ? realpath(path, NULL) : NULL;
    if (name) unlink(name);
    free(name);
    if (close(file) != 0 && good) return false;
    errno = problem;
    return good;
}

enum sch_cli_exit sch_cli_write(const char *path, const void *data, size_t bytes)
{
    if (strcmp(path, "-") == 0) {
        fwrite(data, 1, bytes, stdout);
        return SCH_CLI_YES;
    }
    if (put_file(path, data, bytes)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_IO, "cannot write %s: %s", path, strerror(errno));
}
