/* See files.h. */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/text.h"
#include "progress.h"

enum { DEEPEST = 64, PATH_BYTES = 4096 };

/* ---- which files ---- */

static enum sch_cli_exit add(struct sch_cli_files *files, const char *path, size_t name)
{
    struct sch_cli_file *larger = sch_text_grow(files->list, files->count, &files->room, sizeof *larger);
    if (!larger) return sch_cli_no_memory();
    files->list = larger;
    char *copy = strdup(path);
    if (!copy) return sch_cli_no_memory();
    files->list[files->count++] = (struct sch_cli_file){copy, name};
    return SCH_CLI_YES;
}

void sch_cli_files_release(struct sch_cli_files *files)
{
    for (size_t i = 0; i < files->count; i++) free(files->list[i].path);
    free(files->list);
    *files = (struct sch_cli_files){0};
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Files of a folder and of those in it; links to folders, which may lead back, and other things are left out. */
static enum sch_cli_exit add_folder(struct sch_cli_files *files, const char *folder, size_t name, unsigned depth)
{
    struct dirent **entries;
    char path[PATH_BYTES];
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (depth == DEEPEST) return sch_cli_fail(SCH_CLI_LIMIT, "%s: folders are nested too deeply", folder);
    const int count = scandir(folder, &entries, is_shown, alphasort);
    if (count < 0) return sch_cli_fail(SCH_CLI_IO, "cannot open %s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        struct stat status;
        if (exit_code == SCH_CLI_YES && snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) >= PATH_BYTES)
            exit_code = sch_cli_fail(SCH_CLI_IO, "the name is too long: %s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        if (exit_code != SCH_CLI_YES || lstat(path, &status) != 0) continue;
        if (S_ISDIR(status.st_mode)) exit_code = add_folder(files, path, name, depth + 1);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) exit_code = add(files, path, name);
    }
    free(entries);
    return exit_code;
}

/* The files in place of the words. */
static enum sch_cli_exit expand(const struct sch_cli_verb *verb, struct sch_cli_files *files)
{
    struct sch_cli_files all = {0};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (size_t i = 0; i < files->count && exit_code == SCH_CLI_YES; i++) {
        char *path = files->list[i].path;
        size_t bytes = strlen(path);
        if (!is_folder(path)) {
            exit_code = add(&all, path, files->list[i].name);
            continue;
        }
        if (!files->recursive) {
            exit_code = sch_cli_fail(SCH_CLI_IO, "%s is a folder; %s -r takes the files in it", path, verb->name);
            continue;
        }
        while (bytes > 1 && path[bytes - 1] == '/') path[--bytes] = 0;
        exit_code = add_folder(&all, path, bytes + 1, 0);
    }
    for (size_t i = 0; i < files->count; i++) free(files->list[i].path);
    free(files->list);
    files->list = all.list;
    files->count = all.count;
    files->room = all.room;
    return exit_code;
}

enum sch_cli_exit sch_cli_files_take(struct sch_cli_files *files, const struct sch_cli_arguments *arguments,
                                     const char *output)
{
    const struct sch_cli_verb *verb = arguments->verb;
    const size_t bytes = output ? strlen(output) : 0;
    files->verb = verb;
    files->recursive = arguments->values.folders.recursive;
    files->output = output;
    files->is_folder = bytes && (output[bytes - 1] == '/' || is_folder(output));
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (int i = 0; i < arguments->file_count && exit_code == SCH_CLI_YES; i++) {
        const char *path = arguments->files[i], *slash = strrchr(path, '/');
        exit_code = add(files, path, slash ? (size_t)(slash + 1 - path) : 0);
    }
    if (exit_code == SCH_CLI_YES) exit_code = expand(verb, files);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (files->output && !files->is_folder && files->count > 1)
        return sch_cli_usage_error(verb,
                                   "-o %s is one file for %zu; a folder, or a name that ends in /, takes one for each",
                                   files->output, files->count);
    return SCH_CLI_YES;
}

/* ---- what is written ---- */

bool sch_cli_capture_begin(struct sch_cli_capture *capture)
{
    fflush(stdout);
    capture->saved = dup(STDOUT_FILENO);
    capture->memory = memfd_create("output", MFD_CLOEXEC);
    return capture->saved >= 0 && capture->memory >= 0 && dup2(capture->memory, STDOUT_FILENO) >= 0;
}

char *sch_cli_capture_end(const struct sch_cli_capture *capture, size_t *bytes)
{
    struct stat status;
    const bool written = fflush(stdout) == 0;
    dup2(capture->saved, STDOUT_FILENO);
    close(capture->saved);
    char *data = written && fstat(capture->memory, &status) == 0 ? malloc((size_t)status.st_size + 1) : NULL;
    size_t got = 0;
    for (ssize_t part = 1; data && part > 0 && got<(size_t)status.st_size; got += part> 0 ? (size_t)part : 0)
        part = pread(capture->memory, data + got, (size_t)status.st_size - got, (off_t)got);
    close(capture->memory);
    *bytes = got;
    return data;
}

/* The folders of a path. */
static void make_folders(const char *path)
{
    char part[PATH_BYTES];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777); /* what it cannot make, the file in it says */
    }
}

/* A name without its ending. */
struct stem {
    const char *name;
    size_t bytes;
    size_t index; /* of the file */
};

static struct stem stem_of(const struct sch_cli_files *files, size_t index)
{
    const char *name = files->list[index].path + files->list[index].name, *dot = strrchr(name, '.');
    const bool ends = dot && !strchr(dot, '/') && dot > name;
    return (struct stem){name, ends ? (size_t)(dot - name) : strlen(name), index};
}

static int compare_stems(const void *a, const void *b)
{
    const struct stem *x = a, *y = b;
    const int order = memcmp(x->name, y->name, x->bytes < y->bytes ? x->bytes : y->bytes);
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Two inputs whose names differ in their endings alone would become one file. */
static enum sch_cli_exit check_names(const struct sch_cli_files *files)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (!files->is_folder) return exit_code;
    struct stem *stems = malloc((files->count + 1) * sizeof *stems);
    if (!stems) return sch_cli_no_memory();
    for (size_t i = 0; i < files->count; i++) stems[i] = stem_of(files, i);
    qsort(stems, files->count, sizeof *stems, compare_stems);
    for (size_t i = 1; i < files->count && exit_code == SCH_CLI_YES; i++) {
        if (compare_stems(&stems[i - 1], &stems[i]) != 0) continue;
        const size_t a = stems[i - 1].index, b = stems[i].index;
        exit_code = sch_cli_fail(SCH_CLI_USAGE, "%s and %s would become one file in %s",
                                 files->list[a < b ? a : b].path, files->list[a < b ? b : a].path, files->output);
    }
    free(stems);
    return exit_code;
}

/* A file that is read, whatever its path. */
struct identity {
    dev_t device;
    ino_t number;
    size_t index;
};

static int compare_identities(const void *a, const void *b)
{
    const struct identity *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* All files that are read, sorted; those that are not there are left out. NULL: memory. */
static struct identity *identify(const struct sch_cli_files *files, size_t *count)
{
    struct identity *made = malloc((files->count + 1) * sizeof *made);
    *count = 0;
    for (size_t i = 0; made && i < files->count; i++) {
        struct stat status;
        if (stat(files->list[i].path, &status) != 0) continue;
        made[(*count)++] = (struct identity){status.st_dev, status.st_ino, i};
    }
    if (made) qsort(made, *count, sizeof *made, compare_identities);
    return made;
}

/* Files that are written into a folder. */
struct writing {
    const struct sch_cli_files *files;
    struct identity *inputs;
    size_t input_count;
};

/* The input that is the file at a path; NULL: there is none. */
static const char *input_at(const struct writing *writing, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) return NULL;
    const struct identity wanted = {status.st_dev, status.st_ino, 0};
    const struct identity *found =
        bsearch(&wanted, writing->inputs, writing->input_count, sizeof wanted, compare_identities);
    return found ? writing->files->list[found->index].path : NULL;
}

/* Writes what was made of a file: to the output, or below it by the name and the ending. No input is written over. */
static enum sch_cli_exit write_made_file(const struct writing *writing, size_t index, const char *ending,
                                         const void *data, size_t bytes)
{
    const struct sch_cli_files *files = writing->files;
    char path[PATH_BYTES];
    if (!files->is_folder) return sch_cli_write(files->output, data, bytes);
    const struct stem stem = stem_of(files, index);
    const char *slash = files->output[strlen(files->output) - 1] == '/' ? "" : "/";
    if (snprintf(path, sizeof path, "%s%s%.*s%s", files->output, slash, (int)stem.bytes, stem.name, ending) >=
        PATH_BYTES)
        return sch_cli_fail(SCH_CLI_IO, "%s: the name is too long", files->list[index].path);
    const char *input = input_at(writing, path);
    if (input) return sch_cli_fail(SCH_CLI_USAGE, "%s is read, and -o would write over it; name another folder", input);
    make_folders(path);
    return sch_cli_write(path, data, bytes);
}

static enum sch_cli_exit one_to_file(const struct writing *writing, size_t index, sch_cli_one_fn *one, void *user)
{
    struct sch_cli_capture capture;
    const char *ending = ".txt";
    size_t bytes;
    if (!sch_cli_capture_begin(&capture)) return sch_cli_no_memory();
    enum sch_cli_exit exit_code = one(user, writing->files->list[index].path, &ending);
    char *data = sch_cli_capture_end(&capture, &bytes);
    if (!data) exit_code = sch_cli_worse(exit_code, sch_cli_no_memory());
    if (exit_code == SCH_CLI_YES) exit_code = write_made_file(writing, index, ending, data, bytes);
    free(data);
    return exit_code;
}

enum sch_cli_exit sch_cli_each_file(const struct sch_cli_files *files, const char *head, sch_cli_one_fn *one,
                                    void *user)
{
    struct writing writing = {.files = files};
    enum sch_cli_exit exit_code = check_names(files);
    if (exit_code != SCH_CLI_YES) return exit_code;
    writing.inputs = identify(files, &writing.input_count);
    if (!writing.inputs) return sch_cli_no_memory();
    sch_cli_progress_begin(files->verb, !files->output);
    for (size_t i = 0; i < files->count && !ferror(stdout); i++) {
        const char *path = files->list[i].path, *ending;
        sch_cli_progress_at(i, files->count, "files");
        if (!files->output && files->count > 1 && head) printf("%s%s%s\n", i ? "\n" : "", head, path);
        exit_code =
            sch_cli_worse(exit_code, files->output ? one_to_file(&writing, i, one, user) : one(user, path, &ending));
    }
    sch_cli_progress_end();
    free(writing.inputs);
    return exit_code;
}
