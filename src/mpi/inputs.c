/* See inputs.h. */
#include "mpi/inputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"

enum { BUCKETS = 1024 };

/* A file as it was when it was read. */
struct known {
    struct known *next;
    struct stat is;
    uint8_t sum[SCH_SHA256_BYTES];
};

struct sch_mpi_sums {
    struct known *bucket[BUCKETS];
};

struct sch_mpi_sums *sch_mpi_sums_create(void) { return calloc(1, sizeof(struct sch_mpi_sums)); }

void sch_mpi_sums_release(struct sch_mpi_sums *sums)
{
    for (unsigned b = 0; sums && b < BUCKETS; b++)
        for (struct known *known = sums->bucket[b], *next; known; known = next) {
            next = known->next;
            free(known);
        }
    free(sums);
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* False: it cannot be read. */
static bool read_sum(const char *path, uint8_t sum[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    uint8_t part[1 << 16];
    ssize_t count;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return false;
    sch_sha256_begin(&hash);
    while ((count = read(file, part, sizeof part)) > 0) sch_sha256_add(&hash, part, (size_t)count);
    close(file);
    sch_sha256_end(&hash, sum);
    return count == 0;
}

/* Adds a file's contents if the word names one. False: out of memory. */
static bool add_file(struct sch_mpi_sums *sums, const char *path, struct sch_sha256 *hash)
{
    struct stat is;
    uint8_t sum[SCH_SHA256_BYTES];
    if (!*path || stat(path, &is) != 0 || !S_ISREG(is.st_mode)) return true;
    struct known **bucket = &sums->bucket[(size_t)is.st_ino % BUCKETS], *known = *bucket;
    while (known && !same(&known->is, &is)) known = known->next;
    if (!known) {
        if (!read_sum(path, sum)) return true; /* the item will say so */
        known = calloc(1, sizeof *known);
        if (!known) return false;
        *known = (struct known){.next = *bucket, .is = is};
        memcpy(known->sum, sum, sizeof sum);
        *bucket = known;
    }
    sch_sha256_add(hash, path, strlen(path) + 1);
    sch_sha256_add(hash, known->sum, sizeof known->sum);
    return true;
}

/* The word, what is after each sign to its end, and each piece between signs: file names may have signs in them. */
static bool add_files(struct sch_mpi_sums *sums, const char *word, struct sch_sha256 *hash)
{
    static const char signs[] = "=,+@";
    char *copy = strdup(word);
    bool good = copy && add_file(sums, word, hash);
    for (char *at = copy; good && *at;) {
        const size_t bytes = strcspn(at, signs);
        char *next = at[bytes] ? at + bytes + 1 : at + bytes;
        if (next != at + bytes) {
            good = add_file(sums, next, hash);
            at[bytes] = 0;
        }
        if (good && (at != copy || next != at + bytes)) good = add_file(sums, at, hash);
        at = next;
    }
    free(copy);
    return good;
}

/* Whether the word is an option whose value is written, not read. */
static bool names_output(const char *word)
{
    static const char *const options[] = {"-o",           "--buffer-out", "--image-out", "--hwatomic-out",
                                          "--global-out", "--target",     "--footprint", "--screenshot",
                                          "--record",     "--frames-sha", "--journal",   "--junit"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const size_t bytes = strlen(options[i]);
        if (strncmp(word, options[i], bytes) == 0 && (!word[bytes] || word[bytes] == '=')) return true;
    }
    return false;
}

bool sch_mpi_key_of(struct sch_mpi_sums *sums, const char *program, char *const *words, size_t count,
                    uint8_t key[SCH_MPI_KEY_BYTES])
{
    static const char kind[] = "scheelite-mpi " SCH_MPI_VERSION " item 1"; /* packages change all together */
    struct sch_sha256 hash;
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, kind, sizeof kind);
    sch_sha256_add_u32(&hash, (uint32_t)count);
    for (size_t i = 0; i < count; i++) sch_sha256_add(&hash, words[i], strlen(words[i]) + 1);
    bool good = add_file(sums, program, &hash);
    for (size_t i = 0; i < count && good; i++) {
        if (!names_output(words[i]))
            good = add_files(sums, words[i], &hash);
        else if (!strchr(words[i], '='))
            i++; /* its value */
    }
    sch_sha256_end(&hash, key);
    return good;
}
