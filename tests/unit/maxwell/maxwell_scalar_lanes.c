/* What looks at other lanes: SHFL and VOTE, from the description of the machine. */
#include <string.h>

#include "maxwell_scalar.h"

enum { LANES = 32 };

/* The operand of another lane, which need not execute: its register is read as it is. */
static uint32_t of_lane(const struct scalar *s, unsigned lane, unsigned operand)
{
    struct scalar other = *s;
    other.in = &s->warp[lane];
    return scalar_get(&other, operand);
}

/* max = (lane & seg) | (clamp & ~seg), min = lane & seg. Pd: whether the lane is within its segment; otherwise the lane
 * keeps its own value. */
static void run_shfl(struct scalar *s)
{
    const unsigned lane = s->number, b = scalar_get(s, 3) % LANES, c = scalar_get(s, 4);
    const unsigned clamp = c % LANES, segment = c / 256 % LANES;
    const int most = (int)((lane & segment) | (clamp & ~segment & 31)), least = (int)(lane & segment);
    int from;
    bool valid;
    if (scalar_has(s, "UP")) {
        from = (int)lane - (int)b;
        valid = from >= most;
    } else {
        from = scalar_has(s, "DOWN")   ? (int)(lane + b)
               : scalar_has(s, "BFLY") ? (int)(lane ^ b)
                                       : least | (int)(b & ~segment & 31);
        valid = from <= most;
    }
    scalar_put_predicate(s, 0, valid);
    scalar_put(s, 1, of_lane(s, valid ? (unsigned)from % LANES : lane, 2));
}

/* Rd, which is not printed where it is RZ: the ballot of the lanes that execute; Pd: ALL, ANY or EQ. */
static void run_vote(struct scalar *s)
{
    const unsigned last = s->word->count - 1;
    uint32_t ballot = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct scalar other = *s;
        other.in = &s->warp[lane];
        if (s->executing >> lane & 1 && scalar_get_predicate(&other, last)) ballot |= UINT32_C(1) << lane;
    }
    const bool all = ballot == s->executing, any = ballot != 0;
    scalar_put_predicate(s, last - 1, scalar_has(s, "ALL") ? all : scalar_has(s, "ANY") ? any : all || !any);
    if (last == 2) scalar_put(s, 0, ballot);
}

const struct scalar_row scalar_lane_rows[] = {{"SHFL", run_shfl}, {"VOTE", run_vote}, {NULL, NULL}};
