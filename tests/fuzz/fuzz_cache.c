/* Fuzz target: files of the cache of machine code. What follows the first four bytes is kept under a key; the four
 * say how many bytes of the file are then changed or cut off, and where. What is checked: what was kept comes back; of
 * a file that was changed nothing comes back, or what was kept. Objects in such files are fuzz_native_object.c's. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "protocol/cache.h"

enum { HEADER = 4, MOST = 1 << 12, PATH = 256, ROOM = 1 << 16 };

static char folder[PATH];

static void remove_folder(void) { rmdir(folder); }

static bool make_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    if (folder[0]) return true;
    snprintf(folder, sizeof folder, "%s/fuzz-cache-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        folder[0] = 0;
        return false;
    }
    atexit(remove_folder);
    return true;
}

/* The file in the folder, open; *name: what it is called. -1: there is none. */
static int open_kept(char name[PATH])
{
    DIR *dir = opendir(folder);
    int file = -1;
    for (struct dirent *entry; dir && file < 0 && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(name, PATH, "%s", entry->d_name);
        file = openat(dirfd(dir), name, O_RDWR | O_CLOEXEC);
    }
    if (dir) closedir(dir);
    return file;
}

static void remove_kept(void)
{
    char name[PATH], path[2 * PATH];
    const int file = open_kept(name);
    if (file < 0) return;
    close(file);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void change(const uint8_t how[HEADER])
{
    char name[PATH];
    struct stat status;
    const int file = open_kept(name);
    if (file < 0) return;
    if (fstat(file, &status) == 0 && status.st_size) {
        const off_t at = (how[0] | (off_t)how[1] << 8) % status.st_size;
        const uint8_t byte = how[2];
        if (how[3] % 3 == 0 && pwrite(file, &byte, 1, at) == 1) status.st_size = 0;
        if (how[3] % 3 == 1 && ftruncate(file, at) == 0) status.st_size = 0;
        if (how[3] % 3 == 2) fchmod(file, byte & 0777);
    }
    close(file);
}

static const char *check(struct sch_native_cache *cache, const uint8_t *data, size_t bytes)
{
    const uint8_t key[SCH_SHA256_BYTES] = {1, 2, 3};
    const uint8_t *kept = data + HEADER;
    const size_t kept_bytes = bytes - HEADER;
    size_t size = 0;
    if (!sch_native_cache_write(cache, &sch_allocator_libc, key, kept, kept_bytes)) return NULL;
    void *found = sch_native_cache_read(cache, &sch_allocator_libc, key, &size);
    const bool same = found && size == kept_bytes && memcmp(found, kept, size) == 0;
    free(found);
    if (!same) return "what was kept does not come back";
    change(data);
    found = sch_native_cache_read(cache, &sch_allocator_libc, key, &size);
    const bool other = found && (size != kept_bytes || memcmp(found, kept, size) != 0);
    free(found);
    return other ? "a file that was changed is taken for what was kept" : NULL;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    const struct sch_log_callback log = {0};
    struct sch_native_cache cache;
    const char *finding = NULL;
    if (bytes <= HEADER || bytes > MOST || !make_folder()) return NULL;
    if (sch_native_cache_init(&cache, &sch_allocator_libc, folder, ROOM, &log)) {
        finding = check(&cache, data, bytes);
        remove_kept();
        sch_native_cache_release(&cache, &sch_allocator_libc);
    }
    return finding;
}

SCH_FUZZ_TARGET
