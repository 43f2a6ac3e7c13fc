/* How long texels may be moved, and on how many threads: work on rows is cut into parts, before each of which a thread
 * looks whether it is to end. Knows nothing of texels. */
#ifndef SCH_TEXTURE_MOVING_H
#define SCH_TEXTURE_MOVING_H

#include <scheelite/types.h>

struct sch_pool;

struct sch_moving {
    struct sch_pool *pool;  /* whose threads move; NULL: the calling thread alone */
    uint32_t threads;       /* 0 counts as 1 */
    uint64_t deadline;      /* as sch_clock_ns counts; 0: none */
    const uint32_t *cancel; /* not 0: the work ends; NULL: no one cancels it */
};

/* What a texel costs that is decoded, filtered or encoded, beside a byte that is copied. */
enum { SCH_MOVING_TEXEL = 64 };

/* Calls work(user, first, count) for all of so many lines, a part after the other, or several at once on different
 * threads. `cost`: of a line, in bytes that are copied; a part takes about a millisecond. DEADLINE, CANCELLED: lines
 * that had not begun by then were left out. `moving` NULL: nothing ends it, and the calling thread does it all. */
enum sch_result sch_moving_run(const struct sch_moving *moving, uint64_t lines, uint64_t cost,
                               void (*work)(void *user, uint64_t first, uint64_t count), void *user);

/* The same with one part after the other, in the order of the lines. */
enum sch_result sch_moving_run_in_order(const struct sch_moving *moving, uint64_t lines, uint64_t cost,
                                        void (*work)(void *user, uint64_t first, uint64_t count), void *user);

/* A long line cut into pieces, so that no part has more than it should: `each` bytes but for the last, a multiple of
 * `grain`. */
struct sch_moving_pieces {
    uint64_t count; /* of a line; at least 1 */
    size_t each, line;
};
struct sch_moving_pieces sch_moving_cut(size_t line, size_t grain);

/* Where piece `n` of a line begins, and its bytes. */
size_t sch_moving_piece(const struct sch_moving_pieces *pieces, uint64_t n, size_t *bytes);

#endif
