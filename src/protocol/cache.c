/* Code on disk, one file a key. A file is written under another name and renamed, so that readers see whole files only
 * and writers do not disturb each other; what is read is checked (magic, key, length, SHA-256), and a file that fails
 * is as good as none and is replaced. Code in the folder is executed: the folder and its files must belong to the user
 * that runs, and no one else may write there. The total size is bounded: the files that were not read for longest go
 * first. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/cache.h"
#include "protocol/path.h"

enum { NAME_BYTES = 2 * SCH_SHA256_BYTES + 8, TEMPORARY_BYTES = 64, LARGEST_FILE = 1 << 26, PATH_BYTES = 4096 };

static const uint64_t default_limit = (uint64_t)256 << 20;
static const uint64_t stale_seconds = 3600; /* a temporary file of this age has lost its writer */

struct head {
    char magic[8];
    uint8_t key[SCH_SHA256_BYTES], checksum[SCH_SHA256_BYTES];
    uint64_t bytes;
};

static const char magic[8] = {'S', 'C', 'H', 'C', 'O', 'D', 'E', '1'};

/* ---- files ---- */

static void name_of(const uint8_t key[SCH_SHA256_BYTES], char name[NAME_BYTES])
{
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) snprintf(name + 2 * i, 3, "%02x", key[i]);
    memcpy(name + 2 * SCH_SHA256_BYTES, ".code", 6);
}

bool sch_native_is_own(const struct stat *status)
{
    return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* A link in the place of the folder is not followed: whoever made it may turn it to another folder. */
static int open_path(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW); }

/* The folder, made when it is not there (its parent must be); -1: none that may be used. One that does not begin with a
 * slash has no name, or is in a folder that has none. */
static int open_folder(const struct sch_native_cache *cache, bool make)
{
    struct stat status;
    if (!cache->folder || cache->folder[0] != '/') return -1;
    if (make) mkdir(cache->folder, 0700); /* or it is there */
    int folder = open_path(cache->folder);
    if (fstat(folder, &status) == 0 && sch_native_is_own(&status)) return folder; /* of none it fails */
    close(folder);
    return -1;
}

/* The descriptor has the lock, and stays open. */
bool sch_native_cache_claim(const struct sch_native_cache *cache)
{
    const int folder = open_folder(cache, true);
    if (folder < 0) return false;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) return true;
    close(folder);
    return false;
}

/* Whether a folder can be made that is not there. */
static bool can_make(const char *path)
{
    char parent[PATH_BYTES]; /* is longer than any path that is looked for */
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(path, '/') + 1 - path), path);
    return access(parent, W_OK | X_OK) == 0;
}

const char *sch_native_cache_problem(const struct sch_native_cache *cache)
{
    struct stat status;
    if (!cache->folder) return NULL;
    if (!*cache->folder) return "it has no name";
    if (*cache->folder != '/') return "the folder that the process is in has no name";
    int folder = open_path(cache->folder);
    if (folder < 0 && errno == ENOENT) return can_make(cache->folder) ? NULL : "it is not there and cannot be made";
    if (folder < 0 && lstat(cache->folder, &status) == 0 && S_ISLNK(status.st_mode)) return "it is a link";
    if (folder < 0) return errno == ENOTDIR ? "it is not a folder" : "it cannot be opened";
    const char *problem = NULL;
    if (fstat(folder, &status) != 0 || !sch_native_is_own(&status))
        problem = "it belongs to somebody else, or others may write to it";
    else if (faccessat(folder, ".", W_OK | X_OK, 0) != 0)
        problem = "it cannot be written to";
    close(folder);
    return problem;
}

static bool read_all(int file, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = read(file, (char *)bytes + done, size - done);
        if (some <= 0) return false;
        done += (size_t)some;
    }
    return true;
}

static bool write_all(int file, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = write(file, (const char *)bytes + done, size - done);
        if (some <= 0) return false;
        done += (size_t)some;
    }
    return true;
}

static void checksum(const void *bytes, size_t size, uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, bytes, size);
    sch_sha256_end(&hash, digest);
}

/* ---- reading ---- */

static bool head_holds(const struct head *head, const uint8_t key[SCH_SHA256_BYTES], const struct stat *status)
{
    return memcmp(head->magic, magic, sizeof magic) == 0 && memcmp(head->key, key, SCH_SHA256_BYTES) == 0 &&
           head->bytes > 0 && head->bytes <= LARGEST_FILE && (uint64_t)status->st_size == sizeof *head + head->bytes;
}

/* NULL: `*problem` says why. */
static void *read_file(int file, const struct sch_allocator *allocator, const uint8_t key[SCH_SHA256_BYTES],
                       size_t *size, const char **problem)
{
    struct stat status;
    struct head head;
    *problem = "it belongs to somebody else, or others may write to it";
    if (fstat(file, &status) != 0 || !sch_native_is_own(&status)) return NULL;
    *problem = "it is damaged";
    if (!read_all(file, &head, sizeof head) || !head_holds(&head, key, &status)) return NULL;
    void *bytes = allocator->alloc(allocator->user, (size_t)head.bytes);
    if (!bytes) {
        *problem = "memory is out";
        return NULL;
    }
    uint8_t digest[SCH_SHA256_BYTES];
    bool whole = read_all(file, bytes, (size_t)head.bytes);
    if (whole) checksum(bytes, (size_t)head.bytes, digest);
    if (!whole || memcmp(digest, head.checksum, sizeof digest) != 0) {
        allocator->free(allocator->user, bytes);
        return NULL;
    }
    futimens(file, NULL); /* read just now: it goes last */
    *size = (size_t)head.bytes;
    return bytes;
}

void *sch_native_cache_read(struct sch_native_cache *cache, const struct sch_allocator *allocator,
                            const uint8_t key[SCH_SHA256_BYTES], size_t *size)
{
    char name[NAME_BYTES];
    int folder = open_folder(cache, false);
    if (folder < 0) return NULL;
    name_of(key, name);
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    close(folder);
    if (file < 0) return NULL;
    const char *problem;
    void *bytes = read_file(file, allocator, key, size, &problem);
    close(file);
    if (!bytes)
        sch_log(&cache->log, SCH_LOG_INFO, SCH_LOG_CACHE, "%s/%s is not used: %s", cache->folder, name, problem);
    return bytes;
}

/* ---- keeping the size ---- */

struct kept {
    char name[NAME_BYTES];
    uint64_t bytes;
    struct timespec used;
};

static int by_use(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    enum { BEFORE = -1, BEHIND = 1 };
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? BEFORE : BEHIND;
    if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? BEFORE : BEHIND;
    return strcmp(x->name, y->name);
}

static bool is_entry(const char *name)
{
    size_t length = strlen(name);
    return length == 2 * SCH_SHA256_BYTES + 5 && strcmp(name + 2 * SCH_SHA256_BYTES, ".code") == 0 &&
           strspn(name, "0123456789abcdef") == 2 * SCH_SHA256_BYTES;
}

/* Lists the entries; removes temporary files that no one writes any more. What has gone meanwhile has no bytes. */
static size_t list(DIR *folder, struct kept *files, size_t most, uint64_t *total)
{
    size_t count = 0;
    struct dirent *entry;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    while (count < most && (entry = readdir(folder))) {
        struct stat status = {0};
        bool temporary = strncmp(entry->d_name, ".new-", 5) == 0;
        if (!temporary && !is_entry(entry->d_name)) continue;
        fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW);
        if (temporary) {
            if ((uint64_t)now.tv_sec > (uint64_t)status.st_mtime + stale_seconds)
                unlinkat(dirfd(folder), entry->d_name, 0);
            continue;
        }
        struct kept *kept = &files[count++];
        snprintf(kept->name, sizeof kept->name, "%.*s", NAME_BYTES - 1, entry->d_name);
        kept->bytes = (uint64_t)status.st_size;
        kept->used = status.st_mtim;
        *total += kept->bytes;
    }
    return count;
}

/* Brings the folder to three quarters of the limit when it is above it. */
static void trim(const struct sch_native_cache *cache, const struct sch_allocator *allocator, DIR *folder)
{
    uint64_t total = 0;
    size_t most = 0;
    while (readdir(folder)) most++;
    rewinddir(folder);
    struct kept *files = allocator->alloc(allocator->user, most * sizeof *files);
    if (!files) return;
    const size_t count = list(folder, files, most, &total);
    if (total > cache->limit) {
        qsort(files, count, sizeof *files, by_use);
        for (size_t n = 0; n < count && total > cache->limit / 4 * 3; n++)
            if (unlinkat(dirfd(folder), files[n].name, 0) == 0 || errno == ENOENT) /* another process was faster */
                total -= files[n].bytes;
    }
    allocator->free(allocator->user, files);
}

/* Counts what is in the folder before the first write and whenever an eighth of the limit was written since, so that
 * several processes together stay near the limit, too. */
static void keep_size(struct sch_native_cache *cache, const struct sch_allocator *allocator, DIR *folder,
                      uint64_t bytes)
{
    pthread_mutex_lock(&cache->lock);
    cache->written += bytes;
    if (!cache->counted || cache->written > cache->limit / 8) {
        trim(cache, allocator, folder);
        cache->counted = true;
        cache->written = 0;
    }
    pthread_mutex_unlock(&cache->lock);
}

/* ---- writing ---- */

static bool write_file(int folder, const char *temporary, const struct head *head, const void *bytes)
{
    int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* EXCL: through no link */
    if (file < 0) return false;
    bool whole = write_all(file, head, sizeof *head) && write_all(file, bytes, (size_t)head->bytes);
    return close(file) == 0 && whole;
}

bool sch_native_cache_write(struct sch_native_cache *cache, const struct sch_allocator *allocator,
                            const uint8_t key[SCH_SHA256_BYTES], const void *bytes, size_t size)
{
    char name[NAME_BYTES], temporary[TEMPORARY_BYTES];
    if (!size || size > LARGEST_FILE || size + sizeof(struct head) > cache->limit / 4) return false;
    int folder = open_folder(cache, true);
    if (folder < 0) return false;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct head head = {.bytes = size};
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.key, key, sizeof head.key);
    checksum(bytes, size, head.checksum);
    name_of(key, name);
    snprintf(temporary, sizeof temporary, ".new-%ld-%u-%lx", (long)getpid(), atomic_fetch_add(&cache->serial, 1u),
             (unsigned long)now.tv_nsec);
    bool whole = write_file(folder, temporary, &head, bytes) && renameat(folder, temporary, folder, name) == 0;
    if (!whole) {
        unlinkat(folder, temporary, 0);
        close(folder);
        return false;
    }
    DIR *listed = fdopendir(folder);
    if (!listed) {
        close(folder);
        return true;
    }
    keep_size(cache, allocator, listed, size + sizeof head);
    closedir(listed);
    return true;
}

/* ---- begin and end ---- */

bool sch_native_cache_init(struct sch_native_cache *cache, const struct sch_allocator *allocator, const char *folder,
                           uint64_t bytes, const struct sch_log_callback *log)
{
    bool made = true;
    *cache =
        (struct sch_native_cache){.log = log ? *log : (struct sch_log_callback){0}, .lock = PTHREAD_MUTEX_INITIALIZER};
    cache->folder = sch_native_absolute(allocator, folder, &made);
    /* A slash after the name would have a link followed. */
    for (size_t length = cache->folder ? strlen(cache->folder) : 0; length > 1 && cache->folder[length - 1] == '/';)
        cache->folder[--length] = 0;
    cache->limit = bytes ? bytes : default_limit;
    return made;
}

void sch_native_cache_release(struct sch_native_cache *cache, const struct sch_allocator *allocator)
{
    if (cache->folder) allocator->free(allocator->user, cache->folder);
}
