/* The meaning of memory accesses: LOAD and STORE of words at byte addresses, and the updates of the ATOM* opcodes.
 * Bounds are checked for each word, in 64 bits, so no address can wrap. Holds no resources and no execution order
 * beyond one instruction's: lanes ascend. */
#include "ops/memory/access.h"

/* ---- words ---- */

/* The word of a component in a lane, or NULL outside. */
OPS_INLINE uint8_t *word_at(const struct sch_memory_view *view, const struct sch_memory_request *request, unsigned lane,
                            unsigned component)
{
    uint64_t at = access_place(request->address->u[lane], request->shift, component);
    return access_inside(at, 1, view->bytes) ? view->data + access_own(at, lane, view->lane_bytes) : 0;
}

/* memcpy: memory that is only read may have any alignment. */
OPS_INLINE uint32_t read_word(const uint8_t *word, bool concurrent)
{
    if (concurrent) return __atomic_load_n((const uint32_t *)(const void *)word, __ATOMIC_RELAXED);
    uint32_t value;
    __builtin_memcpy(&value, word, sizeof value);
    return value;
}

OPS_INLINE void write_word(uint8_t *word, uint32_t value, bool concurrent)
{
    if (concurrent)
        __atomic_store_n((uint32_t *)(void *)word, value, __ATOMIC_RELAXED);
    else
        __builtin_memcpy(word, &value, sizeof value);
}

/* ---- vectors of lanes at simple addresses ---- */

enum access_pattern { PATTERN_SCATTERED, PATTERN_UNIFORM, PATTERN_CONTIGUOUS };

/* How the addresses of vector `v` lie, when all its lanes access memory that they share, and all are inside:
 * `*first` receives the place of the vector's lowest word. */
OPS_INLINE enum access_pattern pattern(const struct sch_memory_view *view, const struct sch_memory_request *request,
                                       unsigned v, unsigned component, uint8_t **first)
{
    const uint32_t all = (1u << SCH_LANES) - 1u;
    if ((request->lanes >> (v * SCH_LANES) & all) != all || view->lane_bytes || view->concurrent)
        return PATTERN_SCATTERED;
    vu32 address = ops_load_U(request->address, v);
    vu32 lowest = v_splat_u32(address[0]), lane = (vu32)v_lane_i32();
    bool uniform = !v_any(access_strays(address, lowest, lane, 0));
    const uint32_t distance = sch_memory_distance(1, request->shift);
    bool contiguous = distance && !v_any(access_strays(address, lowest, lane, distance));
    if (!uniform && !contiguous) return PATTERN_SCATTERED;
    uint8_t *last = word_at(view, request, v * SCH_LANES + SCH_LANES - 1, component);
    *first = word_at(view, request, v * SCH_LANES, component);
    /* Addresses that wrap round 2^32 are contiguous only as 32-bit numbers. */
    if (!*first || !last || last < *first) return PATTERN_SCATTERED;
    return uniform ? PATTERN_UNIFORM : PATTERN_CONTIGUOUS;
}

/* ---- LOAD, STORE ---- */

static void load_lanes(const struct sch_memory_view *view, const struct sch_memory_request *request, unsigned v,
                       unsigned component, struct sch_lanes *result)
{
    for (unsigned i = v * SCH_LANES; i < (v + 1) * SCH_LANES; i++) {
        if (!(request->lanes >> i & 1)) continue;
        const uint8_t *word = word_at(view, request, i, component);
        result->u[i] = word ? read_word(word, view->concurrent) : 0;
    }
}

sch_load_fn OPS_LOCAL(load);
void OPS_LOCAL(load)(const struct sch_memory_view *view, const struct sch_memory_request *request,
                     struct sch_lanes *const result[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(request->components >> c & 1)) continue;
        for (unsigned v = 0; v < OPS_VECTORS; v++) {
            uint8_t *first;
            enum access_pattern found = pattern(view, request, v, c, &first);
            if (found == PATTERN_CONTIGUOUS)
                ops_put_U(result[c], v, v_load_u32(first));
            else if (found == PATTERN_UNIFORM)
                ops_put_U(result[c], v, v_splat_u32(read_word(first, false)));
            else
                load_lanes(view, request, v, c, result[c]);
        }
    }
}

/* A lane writes all its words before the next lane does. */
static void store_lanes(const struct sch_memory_view *view, const struct sch_memory_request *request, unsigned v,
                        const struct sch_lanes *const value[4])
{
    for (unsigned i = v * SCH_LANES; i < (v + 1) * SCH_LANES; i++) {
        if (!(request->lanes >> i & 1)) continue;
        for (unsigned c = 0; c < 4; c++) {
            if (!(request->components >> c & 1)) continue;
            uint8_t *word = word_at(view, request, i, c);
            if (word) write_word(word, value[c]->u[i], view->concurrent);
        }
    }
}

sch_store_fn OPS_LOCAL(store);
void OPS_LOCAL(store)(const struct sch_memory_view *view, const struct sch_memory_request *request,
                      const struct sch_lanes *const value[4])
{
    if (!view->writable) return;
    /* Lanes that write one word each can write together where their words differ. */
    bool single = request->components && !(request->components & (request->components - 1));
    unsigned component = (unsigned)__builtin_ctz(request->components | 16u);
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        uint8_t *first;
        if (single && pattern(view, request, v, component, &first) == PATTERN_CONTIGUOUS)
            v_store_u32(first, ops_load_U(value[component], v));
        else
            store_lanes(view, request, v, value);
    }
}

/* ---- ATOM* ---- */

/* The signatures of atomic rows: how many operands follow resource and offset. */
#define ATOMIC_OPERANDS_U_RIU  1
#define ATOMIC_OPERANDS_F_RIF  1
#define ATOMIC_OPERANDS_I_RII  1
#define ATOMIC_OPERANDS_U_RIUU 2

/* ATOMIC(name, signature) { body } states what becomes of the word: `old` is what it held, `a` and `b` are the operands
 * (a twice where there is one). The instruction returns what the word held. */
#define ATOMIC(name, signature)                                                                                        \
    static inline uint32_t ops_body_##name(uint32_t old, uint32_t a OPS_UNUSED, uint32_t b OPS_UNUSED);                \
    sch_atomic_fn OPS_SYMBOL(name, ATOMIC, signature);                                                                 \
    void OPS_SYMBOL(name, ATOMIC, signature)(const struct sch_memory_view *view,                                       \
                                             const struct sch_memory_request *request,                                 \
                                             const struct sch_lanes *const operand[2], struct sch_lanes *results)      \
    {                                                                                                                  \
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {                                                               \
            if (!(request->lanes >> i & 1)) continue;                                                                  \
            uint8_t *word = view->writable ? word_at(view, request, i, 0) : 0;                                         \
            results->u[i] = 0;                                                                                         \
            if (!word) continue;                                                                                       \
            const uint32_t a = operand[0]->u[i], b = operand[ATOMIC_OPERANDS_##signature - 1]->u[i];                   \
            uint32_t old = read_word(word, view->concurrent);                                                          \
            if (view->concurrent)                                                                                      \
                while (!__atomic_compare_exchange_n((uint32_t *)(void *)word, &old, ops_body_##name(old, a, b), false, \
                                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))                               \
                    continue;                                                                                          \
            else                                                                                                       \
                write_word(word, ops_body_##name(old, a, b), false);                                                   \
            results->u[i] = old;                                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static inline uint32_t ops_body_##name(uint32_t old, uint32_t a OPS_UNUSED, uint32_t b OPS_UNUSED)

ATOMIC(ATOMUADD, U_RIU) { return old + a; }
ATOMIC(ATOMXCHG, U_RIU)
{
    (void)old;
    return a;
}
ATOMIC(ATOMCAS, U_RIUU) { return old == a ? b : old; }
ATOMIC(ATOMAND, U_RIU) { return old & a; }
ATOMIC(ATOMOR, U_RIU) { return old | a; }
ATOMIC(ATOMXOR, U_RIU) { return old ^ a; }
ATOMIC(ATOMUMIN, U_RIU) { return old < a ? old : a; }
ATOMIC(ATOMUMAX, U_RIU) { return old > a ? old : a; }
ATOMIC(ATOMIMIN, I_RII) { return (int32_t)old < (int32_t)a ? old : a; }
ATOMIC(ATOMIMAX, I_RII) { return (int32_t)old > (int32_t)a ? old : a; }

/* The two wrapping ones store what their formulas say: the decrement wraps to 0, also from values that its operand does
 * not exceed. Both return what the word held, as producers mean it (decisions: "memory ATOMINC_WRAP"). */
ATOMIC(ATOMINC_WRAP, U_RIU) { return old + 1 <= a ? old + 1 : 0; }
ATOMIC(ATOMDEC_WRAP, U_RIU) { return old > 0 && old < a ? old - 1 : 0; }

/* A NaN sum is the canonical one: its bits can be seen in memory. */
ATOMIC(ATOMFADD, F_RIF)
{
    float x, y, sum;
    uint32_t bits;
    __builtin_memcpy(&x, &old, sizeof x);
    __builtin_memcpy(&y, &a, sizeof y);
    sum = x + y;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    return sum == sum ? bits : 0x7fc00000u;
}
