/* The folder of compiled code by itself: what is kept and for whom, which files go when it is full, who may have
 * written what is read, and that many writers together stay near the limit. That engines use it is tested in
 * test_native_engine.c. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "descriptors.h"
#include "native/internal.h"

enum { PATH_SIZE = 512, HEAD = 80 /* of a file: magic, key, checksum, length */ };

static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    const char *build = getenv("SCH_BUILD");
    snprintf(folder, sizeof folder, "%s/tests/unit/cache-XXXXXX", build ? build : ".");
    return mkdtemp(folder) ? 0 : -1;
}

/* Counts the files; removes them with `unlink`. */
static unsigned each_file(bool remove, uint64_t *total)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct stat status;
        if (entry->d_name[0] == '.' && entry->d_name[1] != 'n') continue;
        if (fstatat(dirfd(dir), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (remove) unlinkat(dirfd(dir), entry->d_name, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
        if (total) *total += (uint64_t)status.st_size;
        count++;
    }
    closedir(dir);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    each_file(true, NULL);
    return rmdir(folder);
}

static struct sch_native_cache opened(const char *path, uint64_t limit)
{
    struct sch_native_cache cache = {0};
    assert_true(sch_native_cache_init(&cache, &sch_allocator_libc, path, limit, NULL));
    return cache;
}

static void key_of(unsigned number, uint8_t key[SCH_SHA256_BYTES])
{
    memset(key, 0x5a, SCH_SHA256_BYTES);
    memcpy(key, &number, sizeof number);
}

static void path_of(unsigned number, char path[2 * PATH_SIZE])
{
    uint8_t key[SCH_SHA256_BYTES];
    key_of(number, key);
    int at = snprintf(path, 2 * PATH_SIZE, "%s/", folder);
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) at += snprintf(path + at, 3, "%02x", key[i]);
    snprintf(path + at, 6, ".code");
}

static bool put(struct sch_native_cache *cache, unsigned number, size_t bytes)
{
    uint8_t key[SCH_SHA256_BYTES], data[4096];
    key_of(number, key);
    memset(data, (int)(number & 0xff), bytes);
    return sch_native_cache_write(cache, &sch_allocator_libc, key, data, bytes);
}

/* Whether it is there, and what was put. */
static bool get(struct sch_native_cache *cache, unsigned number, size_t bytes)
{
    size_t size = 0;
    uint8_t key[SCH_SHA256_BYTES];
    key_of(number, key);
    uint8_t *data = sch_native_cache_read(cache, &sch_allocator_libc, key, &size);
    bool whole = data && size == bytes;
    for (size_t i = 0; i < bytes && whole; i++) whole = data[i] == (number & 0xff);
    free(data);
    return whole;
}

/* A file says for which key it was written: under the name of another it is none. */
static void keys_are_compared(void **state)
{
    (void)state;
    char from[2 * PATH_SIZE], to[2 * PATH_SIZE];
    struct sch_native_cache cache = opened(folder, 0);
    assert_true(put(&cache, 1, 100));
    assert_true(put(&cache, 257, 100)); /* the same bytes */
    assert_true(get(&cache, 1, 100));
    path_of(1, from);
    path_of(257, to);
    assert_int_equal(rename(from, to), 0);
    assert_false(get(&cache, 257, 100));
    assert_false(get(&cache, 1, 100));
    assert_true(put(&cache, 257, 100));
    assert_true(get(&cache, 257, 100));
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* Above its limit the folder comes down to three quarters, not lower; what was not read for longest goes. */
static void the_oldest_go(void **state)
{
    (void)state;
    enum { ENTRY = 1000, LIMIT = 100 * ENTRY };
    struct sch_native_cache cache = opened(folder, LIMIT);
    unsigned n = 0;
    for (;; n++) {
        char path[2 * PATH_SIZE];
        const struct timespec then[2] = {{.tv_sec = 1000 + n}, {.tv_sec = 1000 + n}};
        assert_true(n < 200);
        unsigned before = each_file(false, NULL);
        assert_true(put(&cache, n, ENTRY - HEAD));
        uint64_t total = 0;
        if (each_file(false, &total) <= before) break;
        path_of(n, path);
        assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
        if (n == 50) assert_true(get(&cache, 0, ENTRY - HEAD)); /* it is younger than all now */
        assert_true(total <= LIMIT + LIMIT / 8 + ENTRY);
    }
    uint64_t total = 0;
    assert_int_equal(each_file(false, &total), 75);
    assert_int_equal(total, LIMIT / 4 * 3);
    assert_true(get(&cache, 0, ENTRY - HEAD));
    for (unsigned i = 1; i <= n; i++) assert_true(get(&cache, i, ENTRY - HEAD) == (i > n - 74));
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* What is larger than a quarter of the folder is not kept in it. */
static void large_ones_are_not_kept(void **state)
{
    (void)state;
    struct sch_native_cache cache = opened(folder, 4000);
    assert_true(put(&cache, 1, 1000 - HEAD));
    assert_false(put(&cache, 2, 1001 - HEAD));
    assert_false(put(&cache, 3, 0));
    assert_int_equal(each_file(false, NULL), 1);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

enum { WRITERS = 6, EACH = 500, LOAD_ENTRY = 2000, LOAD_LIMIT = 200 * LOAD_ENTRY };

static void write_much(unsigned writer)
{
    bool good = true;
    struct sch_native_cache cache = opened(folder, LOAD_LIMIT);
    for (unsigned n = 0; n < EACH && good; n++) {
        good = put(&cache, 1 + writer * EACH + n, LOAD_ENTRY - HEAD);
        get(&cache, 1 + writer * EACH + n / 2, LOAD_ENTRY - HEAD); /* or it is gone */
    }
    _exit(good ? 0 : 1);
}

/* Each counts again when it has written an eighth of the limit: so together they are above it by less than an eighth
 * each. */
static void many_writers_stay_near_the_limit(void **state)
{
    (void)state;
    uint64_t most = 0;
    unsigned running = WRITERS, rounds = 0;
    pid_t children[WRITERS];
    for (unsigned w = 0; w < WRITERS; w++) {
        children[w] = fork();
        assert_true(children[w] >= 0);
        if (!children[w]) write_much(w);
    }
    while (running) {
        uint64_t total = 0;
        each_file(false, &total);
        if (total > most) most = total;
        rounds++;
        for (unsigned w = 0; w < WRITERS; w++) {
            int status;
            if (children[w] < 0 || waitpid(children[w], &status, WNOHANG) != children[w]) continue;
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            children[w] = -1;
            running--;
        }
    }
    assert_true(rounds > 10);
    assert_true(most > LOAD_LIMIT / 2);
    assert_in_range(most, 0, LOAD_LIMIT + WRITERS * (LOAD_LIMIT / 8 + 2 * LOAD_ENTRY));
    struct sch_native_cache cache = opened(folder, LOAD_LIMIT); /* the first write of a process counts */
    assert_true(put(&cache, 0, LOAD_ENTRY - HEAD));
    uint64_t total = 0;
    assert_in_range(each_file(false, &total), 100, LOAD_LIMIT / LOAD_ENTRY);
    assert_in_range(total, 0, LOAD_LIMIT);
    assert_true(get(&cache, 0, LOAD_ENTRY - HEAD));
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* Neither the folder nor a file in it is taken where a link stands in its place, or by whom it is not. */
static void only_the_users_own_is_taken(void **state)
{
    (void)state;
    char link[2 * PATH_SIZE], slash[2 * PATH_SIZE + 1], path[2 * PATH_SIZE], other[2 * PATH_SIZE];
    struct sch_native_cache cache = opened(folder, 0);
    assert_true(put(&cache, 1, 100));
    snprintf(link, sizeof link, "%s.link", folder);
    snprintf(slash, sizeof slash, "%s/", link);
    assert_int_equal(symlink(folder, link), 0);
    for (unsigned i = 0; i < 2; i++) {
        struct sch_native_cache linked = opened(i ? slash : link, 0);
        assert_string_equal(sch_native_cache_problem(&linked), "it is a link");
        assert_false(get(&linked, 1, 100));
        assert_false(put(&linked, 2, 100));
        sch_native_cache_release(&linked, &sch_allocator_libc);
    }
    unlink(link);
    path_of(1, path);
    path_of(2, other);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_false(get(&cache, 1, 100));
    assert_int_equal(rename(other, path), 0);
    static const mode_t modes[] = {0700, 0720, 0702, 0755};
    for (unsigned i = 0; i < 4; i++) {
        bool own = i == 0 || i == 3;
        assert_int_equal(chmod(folder, modes[i]), 0);
        assert_true(get(&cache, 1, 100) == own);
        assert_true((sch_native_cache_problem(&cache) == NULL) == own);
        assert_int_equal(chmod(folder, 0700), 0);
        assert_int_equal(chmod(path, modes[i] & 0666), 0);
        assert_true(get(&cache, 1, 100) == own);
        assert_int_equal(chmod(path, 0600), 0);
    }
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 1, 1), 0);
        assert_false(get(&cache, 1, 100));
        assert_int_equal(chown(path, 0, 0), 0);
        assert_int_equal(chown(folder, 1, 1), 0);
        assert_false(get(&cache, 1, 100));
        assert_false(put(&cache, 2, 100));
    }
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* A folder is where it was when the context was made, wherever the host goes. */
static void folders_stay_where_they_were(void **state)
{
    (void)state;
    char before[PATH_SIZE];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    struct sch_native_cache cache = opened("below", 0);
    assert_int_equal(chdir("/"), 0);
    assert_true(put(&cache, 1, 100));
    assert_true(get(&cache, 1, 100));
    assert_int_equal(access("below", F_OK), -1);
    assert_int_equal(each_file(false, NULL), 1);
    const size_t length = strlen(folder);
    snprintf(folder + length, sizeof folder - length, "/below");
    assert_int_equal(each_file(true, NULL), 1);
    folder[length] = 0;
    assert_int_equal(chdir(before), 0);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* ---- what a file says ---- */

/* An allocator that counts, and gives nothing when it is told so; whether the cache is locked meanwhile. */
static struct counting {
    size_t asked; /* bytes, the last time */
    unsigned calls, held;
    bool empty;
    struct sch_native_cache *cache; /* or NULL */
    bool unlocked;
} counting;

static void *count_alloc(void *user, size_t bytes)
{
    struct counting *c = user;
    c->asked = bytes;
    c->calls++;
    if (c->cache && pthread_mutex_trylock(&c->cache->lock) == 0) {
        c->unlocked = true;
        pthread_mutex_unlock(&c->cache->lock);
    }
    if (c->empty) return NULL;
    c->held++;
    return malloc(bytes);
}

static void count_free(void *user, void *memory)
{
    struct counting *c = user;
    c->held--;
    free(memory);
}

static const struct sch_allocator counter = {count_alloc, count_free, &counting};

/* Puts a file there with these bytes. */
static void place(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), (ssize_t)size);
    close(file);
}

/* Each byte of a file counts, and each byte that is missing or too much. */
static void files_are_whole(void **state)
{
    (void)state;
    enum { BYTES = 50, WHOLE = HEAD + BYTES };
    char path[2 * PATH_SIZE];
    uint8_t file[WHOLE + 1] = {0}, damaged[WHOLE + 1];
    struct sch_native_cache cache = opened(folder, 0);
    const unsigned before = count_descriptors();
    assert_true(put(&cache, 7, BYTES));
    path_of(7, path);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, file, sizeof file), WHOLE);
    close(fd);
    assert_memory_equal(file, "SCHCODE1\7\0\0\0ZZ", 14); /* magic, key */
    assert_int_equal(file[8 + 32 + 32], BYTES);
    for (size_t i = 0; i < BYTES; i++) assert_int_equal(file[HEAD + i], 7);
    for (size_t i = 0; i < WHOLE; i++) {
        memcpy(damaged, file, WHOLE);
        damaged[i] ^= 1;
        place(path, damaged, WHOLE);
        if (get(&cache, 7, BYTES)) fail_msg("byte %zu", i);
    }
    for (size_t size = 0; size <= WHOLE + 1; size++) {
        place(path, file, size);
        assert_int_equal(get(&cache, 7, BYTES), size == WHOLE);
    }
    assert_int_equal(count_descriptors(), before);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* Memory is asked for what may be there: from one byte to 64 MiB. */
static void lengths_are_bounded(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {0, 1, 1 << 26, (1 << 26) + 1};
    char path[2 * PATH_SIZE];
    uint8_t key[SCH_SHA256_BYTES];
    struct sch_native_cache cache = opened(folder, 0);
    key_of(1, key);
    path_of(1, path);
    for (unsigned i = 0; i < 4; i++) {
        size_t size = 12345;
        uint8_t head[HEAD] = "SCHCODE1";
        memcpy(head + 8, key, sizeof key);
        memcpy(head + 72, &lengths[i], 8);
        place(path, head, HEAD);
        assert_int_equal(truncate(path, (off_t)(HEAD + lengths[i])), 0);
        counting = (struct counting){.empty = true};
        assert_null(sch_native_cache_read(&cache, &counter, key, &size));
        assert_int_equal(counting.calls, i == 1 || i == 2);
        assert_int_equal(counting.held, 0);
        if (counting.calls) assert_int_equal(counting.asked, lengths[i]);
        assert_int_equal(size, 12345);
    }
    counting = (struct counting){0}; /* read, and found to be another */
    place(path, "", 0);
    assert_true(put(&cache, 1, 100));
    int file = open(path, O_WRONLY);
    assert_int_equal(pwrite(file, "x", 1, HEAD + 99), 1);
    close(file);
    size_t size;
    assert_null(sch_native_cache_read(&cache, &counter, key, &size));
    assert_int_equal(counting.calls, 1);
    assert_int_equal(counting.held, 0);
    assert_int_equal(mkfifo(path, 0600), -1);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* nobody writes to it, and nobody waits */
    assert_false(get(&cache, 1, 100));
    static char large[1];
    assert_false(sch_native_cache_write(&cache, &counter, key, large, (1 << 26) + 1));
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* What cannot be written whole leaves nothing behind. */
static void disks_may_be_full(void **state)
{
    (void)state;
    enum { BYTES = 100, WHOLE = HEAD + BYTES };
    struct rlimit before, small;
    char path[2 * PATH_SIZE];
    struct sch_native_cache cache = opened(folder, 0);
    const unsigned files = count_descriptors();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (unsigned most = 0; most <= WHOLE; most += most < HEAD - 1 || most > HEAD ? 20 : 1) {
        small = before;
        small.rlim_cur = most;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const bool done = put(&cache, 1, BYTES);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(done, most >= WHOLE);
        assert_int_equal(each_file(false, NULL), done);
    }
    assert_true(get(&cache, 1, BYTES) || put(&cache, 1, BYTES));
    signal(SIGXFSZ, handler);
    path_of(2, path); /* nor what has no place */
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(put(&cache, 2, BYTES));
    assert_int_equal(each_file(false, NULL), 2);
    assert_int_equal(count_descriptors(), files);
    struct stat status;
    path_of(1, path);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* ---- what goes ---- */

static void set_time(const char *path, time_t seconds, long nanoseconds)
{
    const struct timespec then[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
}

/* The order is of time, to the nanosecond, then of names. Nothing goes that is no entry, and it does not count. */
static void entries_go_in_order(void **state)
{
    (void)state;
    enum { ENTRY = 1000, LIMIT = 8 * ENTRY, ENTRIES = 9 };
    static const struct {
        time_t seconds;
        long nanoseconds;
        bool stays;
    } entries[ENTRIES] = {{2000, 5, true}, {1000, 9, false}, {1000, 8, false}, {2000, 3, false}, {2000, 4, true},
                          {2000, 4, true}, {3000, 0, true},  {2001, 0, true},  {2000, 6, true}};
    static const char *const others[] = {"a", "0", "5A", ".cod", "g"};
    for (unsigned more = 0; more < 2; more++) {
        char path[2 * PATH_SIZE], bytes[ENTRY] = {0};
        for (unsigned n = 0; n < ENTRIES; n++) {
            path_of(n, path);
            place(path, bytes, n == 0 && !more ? ENTRY - 101 : ENTRY);
            set_time(path, entries[n].seconds, entries[n].nanoseconds);
        }
        path_of(900, path);
        const size_t length = strlen(path);
        for (unsigned i = 0; i < 5; i++) { /* what is not named as an entry is */
            char other[2 * PATH_SIZE + 8];
            snprintf(other, sizeof other, "%s%s", path, i < 2 ? others[i] : "");
            if (i == 2) memcpy(other + length - 7, others[i], 2);
            if (i == 3) memcpy(other + length - 5, others[i], 5);
            if (i == 4) other[length - 6] = 'g';
            place(other, bytes, ENTRY);
            set_time(other, 1, 0);
        }
        struct sch_native_cache cache = opened(folder, LIMIT + 2000);
        counting = (struct counting){.cache = &cache, .empty = !more};
        uint8_t key[SCH_SHA256_BYTES];
        key_of(901, key);
        assert_true(sch_native_cache_write(&cache, &counter, key, bytes, 1001 - HEAD - (more ? 0 : 1)));
        assert_false(counting.unlocked);
        assert_int_equal(counting.calls, 1);
        assert_int_equal(counting.held, 0);
        /* Without memory all stay; above the limit by one byte, three go to come to three quarters: 7,500. */
        for (unsigned n = 0; n < ENTRIES; n++) {
            path_of(n, path);
            const bool there = access(path, F_OK) == 0;
            if (there != (!more || entries[n].stays)) fail_msg("round %u, entry %u: there %d", more, n, there);
        }
        assert_int_equal(each_file(false, NULL), 5 + 1 + (more ? ENTRIES - 3 : ENTRIES));
        sch_native_cache_release(&cache, &sch_allocator_libc);
        each_file(true, NULL);
    }
}

/* At the limit nothing goes; what cannot be removed still counts. */
static void the_limit_itself_is_allowed(void **state)
{
    (void)state;
    enum { LIMIT = 8000 };
    char path[2 * PATH_SIZE], bytes[1000] = {0};
    for (unsigned more = 0; more < 2; more++) {
        struct sch_native_cache cache = opened(folder, LIMIT);
        for (unsigned n = 0; n < 7; n++) {
            path_of(n, path);
            place(path, bytes, 1000);
            set_time(path, 1000 + n, 0);
        }
        assert_true(put(&cache, 100, 1000 - HEAD + more));
        uint64_t total = 0;
        assert_int_equal(each_file(false, &total), more ? 5 : 8);
        assert_int_equal(total, more ? 5001 : LIMIT); /* below 6000 with the next whole file */
        sch_native_cache_release(&cache, &sch_allocator_libc);
        each_file(true, NULL);
    }
    struct sch_native_cache cache = opened(folder, LIMIT);
    path_of(0, path);
    assert_int_equal(mkdir(path, 0700), 0);
    set_time(path, 1, 0);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    for (unsigned n = 1; n <= 8; n++) {
        path_of(n, path);
        place(path, bytes, 1000);
        set_time(path, 1000 + n, 0);
    }
    assert_true(put(&cache, 100, 1000 - HEAD));
    uint64_t total = 0;
    each_file(false, &total);
    assert_true(total <= 6000 && total > 5000);
    path_of(0, path);
    assert_int_equal(access(path, F_OK), 0);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

static void path_of_temporary(char path[2 * PATH_SIZE]) { snprintf(path, 2 * PATH_SIZE, "%s/.new-1-2-3", folder); }

/* Whether the next write counts the folder: it takes away what an ended writer left. */
static bool counts(struct sch_native_cache *cache, unsigned number, size_t bytes)
{
    char path[2 * PATH_SIZE];
    path_of_temporary(path);
    place(path, "", 0);
    set_time(path, 1, 0);
    assert_true(put(cache, number, bytes - HEAD));
    return access(path, F_OK) != 0;
}

/* The folder is counted at the first write, and when more than an eighth of the limit was written since. */
static void folders_are_counted_now_and_then(void **state)
{
    (void)state;
    struct sch_native_cache cache = opened(folder, 8000);
    assert_true(counts(&cache, 1, 100));
    for (unsigned round = 0; round < 2; round++) {
        assert_false(counts(&cache, 1, 400));
        assert_false(counts(&cache, 2, 600)); /* 1,000 */
        assert_true(counts(&cache, 3, 100));
    }
    assert_false(counts(&cache, 1, 999));
    assert_true(counts(&cache, 2, 100));
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* After an hour its writer has ended. */
static void temporary_files_stay_for_an_hour(void **state)
{
    (void)state;
    static const struct {
        time_t age;
        bool stays;
    } ages[] = {{0, true}, {3599, true}, {3600, true}, {3601, false}, {100000, false}};
    char path[2 * PATH_SIZE];
    path_of_temporary(path);
    for (unsigned i = 0; i < 5; i++) {
        time_t begin, end;
        bool there;
        do { /* within one second */
            struct sch_native_cache cache = opened(folder, 0);
            place(path, "", 0);
            begin = time(NULL);
            set_time(path, begin - ages[i].age, 0);
            assert_true(put(&cache, 1, 100));
            there = access(path, F_OK) == 0;
            end = time(NULL);
            sch_native_cache_release(&cache, &sch_allocator_libc);
        } while (begin != end);
        assert_int_equal(there, ages[i].stays);
    }
}

/* ---- which folders ---- */

/* Says why a folder is none; `exit_code` of a child that is another user. */
static void folders_have_their_problems(void **state)
{
    (void)state;
    char file[2 * PATH_SIZE], long_name[PATH_SIZE + 400], fresh[2 * PATH_SIZE], nested[2 * PATH_SIZE];
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(fresh, sizeof fresh, "%s/fresh", folder);
    snprintf(nested, sizeof nested, "%s/fresh/er", folder);
    snprintf(long_name, sizeof long_name, "%s/%0300d", folder, 0);
    place(file, "", 0);
    const struct {
        const char *path, *problem;
    } cases[] = {{folder, NULL},
                 {NULL, NULL},
                 {"", "it has no name"},
                 {file, "it is not a folder"},
                 {long_name, "it cannot be opened"},
                 {fresh, NULL},
                 {nested, "it is not there and cannot be made"}};
    const unsigned before = count_descriptors();
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_native_cache cache = opened(cases[i].path, 0);
        const char *problem = sch_native_cache_problem(&cache);
        if (cases[i].problem)
            assert_string_equal(problem, cases[i].problem);
        else
            assert_null(problem);
        assert_false(get(&cache, 1, 100)); /* makes nothing */
        assert_int_equal(access(fresh, F_OK), -1);
        assert_int_equal(put(&cache, 1, 100), cases[i].path && !cases[i].problem);
        if (cases[i].path == fresh) {
            struct stat status;
            assert_int_equal(stat(fresh, &status), 0);
            assert_int_equal(status.st_mode & 07777, 0700);
            char made[4 * PATH_SIZE];
            path_of(1, file);
            snprintf(made, sizeof made, "%s%s", fresh, strrchr(file, '/'));
            assert_int_equal(unlink(made), 0);
            assert_int_equal(rmdir(fresh), 0);
        }
        assert_int_equal(count_descriptors(), before);
        sch_native_cache_release(&cache, &sch_allocator_libc);
    }
}

static void expect_in_child(int (*work)(void), mode_t mode)
{
    int status = -1;
    const bool root = geteuid() == 0;
    if (root) assert_int_equal(chown(folder, 1, 1), 0);
    assert_int_equal(chmod(folder, mode), 0);
    pid_t child = fork();
    if (!child) {
        if (root && (setgid(1) != 0 || setuid(1) != 0)) _exit(2);
        _exit(work());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(folder, 0700), 0);
    if (root) assert_int_equal(chown(folder, 0, 0), 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 2) skip(); /* another user does not come here */
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int says_cannot_be_written(void)
{
    char below[2 * PATH_SIZE];
    struct sch_native_cache cache = opened(folder, 0);
    const char *problem = sch_native_cache_problem(&cache);
    if (!problem) return access(folder, W_OK) == 0 ? 2 : 3;
    if (strcmp(problem, "it cannot be opened") == 0) return 2;
    if (strcmp(problem, "it cannot be written to") != 0) return 4;
    snprintf(below, sizeof below, "%s/below", folder);
    cache = opened(below, 0);
    problem = sch_native_cache_problem(&cache);
    return problem && strcmp(problem, "it is not there and cannot be made") == 0 ? 0 : 5;
}

/* A folder of the user's own that nobody can write to; nor can one be made in it. */
static void some_folders_cannot_be_written_to(void **state)
{
    (void)state;
    expect_in_child(says_cannot_be_written, 0500);
}

/* In a folder that has gone, a name that does not begin with a slash is none. */
static void gone_folders_have_nothing(void **state)
{
    (void)state;
    char before[PATH_SIZE], gone[2 * PATH_SIZE];
    assert_non_null(getcwd(before, sizeof before));
    snprintf(gone, sizeof gone, "%s/gone", folder);
    assert_int_equal(mkdir(gone, 0700), 0);
    assert_int_equal(chdir(gone), 0);
    assert_int_equal(rmdir(gone), 0);
    struct sch_native_cache cache = opened("below", 0);
    assert_string_equal(cache.folder, "below");
    assert_string_equal(sch_native_cache_problem(&cache), "the folder that the process is in has no name");
    assert_false(put(&cache, 1, 100));
    assert_int_equal(chdir(folder), 0);
    assert_false(put(&cache, 1, 100));
    assert_int_equal(access("below", F_OK), -1);
    assert_int_equal(chdir(before), 0);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

/* The folder may be the first descriptor of all. */
static void descriptors_may_be_zero(void **state)
{
    (void)state;
    const int input = dup(0);
    struct sch_native_cache cache = opened(folder, 0);
    close(0);
    const bool put_it = put(&cache, 1, 100), got_it = get(&cache, 1, 100);
    const char *problem = sch_native_cache_problem(&cache);
    const bool closed = fcntl(0, F_GETFD) < 0;
    if (input >= 0) dup2(input, 0);
    if (input >= 0) close(input);
    assert_true(put_it && got_it && !problem && closed);
    sch_native_cache_release(&cache, &sch_allocator_libc);
}

static void slashes_at_the_end_are_left_out(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"/", "/"}, {"//", "/"}, {"/a", "/a"}, {"/a/", "/a"}, {"/a//b///", "/a//b"}};
    for (unsigned i = 0; i < 5; i++) {
        struct sch_native_cache cache = opened(names[i][0], 0);
        assert_string_equal(cache.folder, names[i][1]);
        assert_int_equal(cache.limit, 268435456);
        sch_native_cache_release(&cache, &sch_allocator_libc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_are_compared, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_oldest_go, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(large_ones_are_not_kept, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(many_writers_stay_near_the_limit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(only_the_users_own_is_taken, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_stay_where_they_were, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_are_whole, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lengths_are_bounded, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(disks_may_be_full, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(entries_go_in_order, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_limit_itself_is_allowed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_are_counted_now_and_then, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(temporary_files_stay_for_an_hour, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_have_their_problems, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(some_folders_cannot_be_written_to, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(gone_folders_have_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(descriptors_may_be_zero, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(slashes_at_the_end_are_left_out, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
