/* Triangles by the text, one sample at a time, in exact arithmetic; and random ones. The oracle of
 * test_triangle_coverage and test_conservative: nothing here is made from src/pipeline or src/ops. */
#ifndef SCH_TEST_TRIANGLE_REFERENCE_H
#define SCH_TEST_TRIANGLE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* A place in sub-pixels. */
struct place {
    int64_t x, y;
};

/* Twice the area of a, b, c: positive where b is to the left of c as seen from a, with y down. */
static inline __int128 area_of(struct place a, struct place b, struct place c)
{
    return (__int128)(b.x - a.x) * (c.y - a.y) - (__int128)(c.x - a.x) * (b.y - a.y);
}

static inline int sign_of(__int128 value) { return (value > 0) - (value < 0); }

/* On which side of the line from a to b the place is that lies right of p by next to nothing, and below it (above it
 * with the bottom edge rule) by next to nothing of that. */
static inline int side_of(struct place a, struct place b, struct place p, bool bottom_rule)
{
    int side = sign_of(area_of(a, b, p));
    if (side) return side;
    side = sign_of(a.y - b.y); /* what a step to the right adds */
    return side ? side : bottom_rule ? sign_of(a.x - b.x) : sign_of(b.x - a.x);
}

/* D3D 3.4.2.1: a place on a left edge is inside, since what is right of it is, and one on a top edge, since what is
 * below it is; so is a vertex where both edges are such ones. Moving the place says the same, without naming edges. */
static inline bool reference_covers(const struct place t[3], struct place p, bool bottom_rule)
{
    const int area = sign_of(area_of(t[0], t[1], t[2]));
    return area && side_of(t[0], t[1], p, bottom_rule) == area && side_of(t[1], t[2], p, bottom_rule) == area &&
           side_of(t[2], t[0], p, bottom_rule) == area;
}

/* ---- random numbers and triangles ---- */

static inline uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* From `low` to `high`. */
static inline int64_t random_in(uint64_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(next_random(seed) % (uint64_t)(high - low + 1));
}

#endif
