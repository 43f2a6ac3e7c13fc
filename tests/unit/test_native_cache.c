/* The folder of compiled code by itself: what is kept and for whom, which files go when it is full, who may have
 * written what is read, and that many writers together stay near the limit. That engines use it is tested in
 * test_native_engine.c. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

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
    const struct sch_native_options options = {.cache = path, .cache_bytes = limit};
    assert_true(sch_native_cache_init(&cache, &sch_allocator_libc, &options));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_are_compared, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_oldest_go, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(large_ones_are_not_kept, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(many_writers_stay_near_the_limit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(only_the_users_own_is_taken, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_stay_where_they_were, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
