/* Mesa's driver virpipe as it is installed: whether it reads the name of its server's socket from the environment. A
 * virpipe of any version has the socket's fixed name in it, and one that reads the variable has that name, too. */
#include "client.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATTERN_BYTES = 4096 };

struct search {
    char old[256]; /* the first driver that does not read it; "": none */
    unsigned found;
};

static bool has(const char *data, size_t bytes, const char *text)
{
    return memmem(data, bytes, text, strlen(text)) != NULL;
}

static void look_at(struct search *search, const char *path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    const size_t bytes = regular ? (size_t)status.st_size : 0;
    void *data = regular ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (data == MAP_FAILED) return;
    if (has(data, bytes, ".virgl_test")) {
        search->found++;
        if (!has(data, bytes, "VTEST_SOCKET_NAME") && !search->old[0])
            snprintf(search->old, sizeof search->old, "%.200s does not read VTEST_SOCKET_NAME", path);
    }
    munmap(data, bytes);
}

/* Folder, and names in it as the shell has them. */
static void look_for(struct search *search, const char *folder, const char *names)
{
    char pattern[PATTERN_BYTES];
    glob_t found;
    if ((size_t)snprintf(pattern, sizeof pattern, "%s/%s", folder, names) >= sizeof pattern) return;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) look_at(search, found.gl_pathv[i]);
    globfree(&found);
}

/* Mesa's folders below one of libraries: until 24.1 each driver is a file, then all are one library. */
static void look_in(struct search *search, const char *folder)
{
    look_for(search, folder, "swrast_dri.so");
    look_for(search, folder, "dri/swrast_dri.so");
    look_for(search, folder, "libgallium*.so*");
}

/* The folders of a variable that the loaders of libraries and drivers read. */
static void look_along(struct search *search, const char *variable)
{
    const char *value = getenv(variable);
    char *folders = value ? strdup(value) : NULL, *rest = NULL;
    for (char *one = folders ? strtok_r(folders, ":;", &rest) : NULL; one; one = strtok_r(NULL, ":;", &rest))
        look_in(search, one);
    free(folders);
}

bool sch_cli_driver_reads_name(char found[256])
{
    static const char *const variables[] = {"LIBGL_DRIVERS_PATH", "LD_LIBRARY_PATH"};
    static const char *const folders[] = {
        "/usr/lib/*-linux-*", "/usr/lib64",     "/usr/lib32",     "/usr/lib", "/usr/local/lib/*-linux-*",
        "/usr/local/lib64",   "/usr/local/lib", "/lib/*-linux-*", "/lib64"};
    struct search search = {.found = 0};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) look_along(&search, variables[i]);
    /* What the variables name is loaded first. */
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !search.found; i++) look_in(&search, folders[i]);
    snprintf(found, 256, "%s", search.old[0] ? search.old : "no driver virpipe was found");
    return search.found && !search.old[0];
}
