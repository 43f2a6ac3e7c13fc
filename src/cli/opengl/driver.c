/* See driver.h. A virpipe of any version has the fixed name of its server's socket in it, and one that reads the name
 * from the environment has the variable's name, too. */
#include "driver.h"

#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *find(const char *data, size_t bytes, const char *text)
{
    return memmem(data, bytes, text, strlen(text));
}

/* The version that follows Mesa's own word ("Mesa 22.3.6"), as GL_VERSION prints it. */
static void take_version(const char *data, size_t bytes, char version[32])
{
    static const char mesa[] = "Mesa ";
    const char *end = data + bytes;
    size_t length = 0;
    while (!length && (data = find(data, (size_t)(end - data), mesa)) != NULL) {
        data += sizeof mesa - 1;
        while (data + length < end && length < 31 && data[length] &&
               (isalnum((unsigned char)data[length]) || strchr(".-+~", data[length])))
            length++;
        if (length && !isdigit((unsigned char)*data)) length = 0;
    }
    if (length) memcpy(version, data, length);
    version[length] = 0;
}

static void look_at(struct sch_cli_driver *driver, const char *path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    const size_t bytes = regular ? (size_t)status.st_size : 0;
    void *data = regular ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (data == MAP_FAILED) return;
    const bool is = find(data, bytes, ".virgl_test") || find(data, bytes, "virpipe");
    if (is && !driver->file[0] && strlen(path) < sizeof driver->file) {
        strcpy(driver->file, path);
        take_version(data, bytes, driver->version);
    }
    if (is && !driver->old[0] && !find(data, bytes, "VTEST_SOCKET_NAME"))
        snprintf(driver->old, sizeof driver->old, "%.200s does not read VTEST_SOCKET_NAME", path);
    munmap(data, bytes);
}

/* Mesa's names below a folder of libraries: until 24.1 each driver is a file, then all are one library. */
static void look_in(struct sch_cli_driver *driver, const char *folder)
{
    static const char *const names[] = {"libgallium*.so*", "swrast_dri.so", "dri/swrast_dri.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char pattern[SCH_CLI_PATH_BYTES];
        glob_t found;
        if ((size_t)snprintf(pattern, sizeof pattern, "%s/%s", folder, names[i]) >= sizeof pattern) continue;
        if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0) continue;
        for (size_t n = 0; n < found.gl_pathc; n++) look_at(driver, found.gl_pathv[n]);
        globfree(&found);
    }
}

/* The folders of a variable that the loaders of libraries and drivers read. */
static void look_along(struct sch_cli_driver *driver, const char *variable)
{
    const char *value = getenv(variable);
    char *folders = value ? strdup(value) : NULL, *rest = NULL;
    for (char *one = folders ? strtok_r(folders, ":;", &rest) : NULL; one; one = strtok_r(NULL, ":;", &rest))
        look_in(driver, one);
    free(folders);
}

bool sch_cli_driver_find(struct sch_cli_driver *driver)
{
    static const char *const folders[] = {
        "/usr/lib/*-linux-*", "/usr/lib64",     "/usr/lib32",     "/usr/lib", "/usr/local/lib/*-linux-*",
        "/usr/local/lib64",   "/usr/local/lib", "/lib/*-linux-*", "/lib64"};
    *driver = (struct sch_cli_driver){.file = ""};
    /* What the variables name is loaded first. */
    look_along(driver, "LIBGL_DRIVERS_PATH");
    look_along(driver, "LD_LIBRARY_PATH");
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !driver->file[0]; i++) look_in(driver, folders[i]);
    return driver->file[0];
}
