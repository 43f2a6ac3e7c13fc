/* What makes allocations fail in the process that compiles: the program is built with these functions in front of the C
 * library's, which LLVM calls, too. The thread that compiles has so many allocations as the limit of memory is above 2
 * GiB; then there is no memory. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* The C library's own. NOLINTBEGIN */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
/* NOLINTEND */

static _Atomic(long long) left = -1;

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    if (argc > 2) atomic_store(&left, atoll(argv[2]) - (2LL << 30));
}

static int fails(void)
{
    if (gettid() == getpid()) return 0; /* the thread that watches, and loads LLVM */
    if (atomic_load(&left) > 0) atomic_fetch_sub(&left, 1);
    if (atomic_load(&left) > 0) return 0;
    errno = ENOMEM;
    return 1;
}

#pragma GCC visibility push(default)
void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return fails() ? NULL : __libc_calloc(count, bytes); }
void *realloc(void *memory, size_t bytes) { return fails() ? NULL : __libc_realloc(memory, bytes); }
void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    *memory = memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}
#pragma GCC visibility pop
