/* Code on disk, where the core reads it and whoever made it keeps it: this process, or the one that compiles. A file is
 * found by a key of everything that decides what the code is (native/make.c). Thread-safe. */
#ifndef SCH_PROTOCOL_CACHE_H
#define SCH_PROTOCOL_CACHE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/allocator.h"
#include "base/log.h"
#include "base/sha256.h"

/* What is under the key of a sign: that there is code for spans of a program. */
#define SCH_NATIVE_SIGN "spans"

struct sch_native_cache {
    struct sch_log_callback log;
    char *folder; /* absolute, without slashes at its end; NULL: nothing is kept */
    uint64_t limit;
    pthread_mutex_t lock; /* of `written` */
    uint64_t written;     /* bytes since sizes were counted */
    bool counted;
    atomic_uint serial; /* for names of temporary files */
};

/* `folder` NULL: nothing is kept; `bytes` 0: the usual limit. False: no memory. */
bool sch_native_cache_init(struct sch_native_cache *cache, const struct sch_allocator *allocator, const char *folder,
                           uint64_t bytes, const struct sch_log_callback *log);
void sch_native_cache_release(struct sch_native_cache *cache, const struct sch_allocator *allocator);

/* Whether a file is the user's own and no one else may write to it. */
bool sch_native_is_own(const struct stat *status);

/* Why the folder cannot be used; NULL: it can, or there is none. Makes nothing. */
const char *sch_native_cache_problem(const struct sch_native_cache *cache);

/* The bytes kept under a key, to be freed by the allocator; NULL: none, or damaged. */
void *sch_native_cache_read(struct sch_native_cache *cache, const struct sch_allocator *allocator,
                            const uint8_t key[SCH_SHA256_BYTES], size_t *size);
bool sch_native_cache_write(struct sch_native_cache *cache, const struct sch_allocator *allocator,
                            const uint8_t key[SCH_SHA256_BYTES], const void *bytes, size_t size);

/* Whether this process may work for the cache when no one waits for it any more: one may at a time, until it ends. */
bool sch_native_cache_claim(const struct sch_native_cache *cache);

#endif
