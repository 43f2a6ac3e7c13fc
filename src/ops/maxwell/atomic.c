/* What Maxwell's atomic operations make of a number in memory. One number at a time: lanes follow each other. */
#include "abi/maxwell.h"
#include "ops/op.h"

static float mw_flushed_number(float a) { return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0.0f, a) : a; }

static uint32_t mw_add_floats(uint32_t old, uint32_t value)
{
    float a, b;
    uint32_t bits;
    __builtin_memcpy(&a, &old, sizeof a);
    __builtin_memcpy(&b, &value, sizeof b);
    const float sum = mw_flushed_number(mw_flushed_number(a) + mw_flushed_number(b));
    __builtin_memcpy(&bits, &sum, sizeof bits);
    return sum == sum ? bits : 0x7fffffffu;
}

static bool mw_less(unsigned number, uint64_t a, uint64_t b)
{
    switch (number) {
    case SCH_MAXWELL_S32:
        return (int32_t)a < (int32_t)b;
    case SCH_MAXWELL_S64:
        return (int64_t)a < (int64_t)b;
    case SCH_MAXWELL_U64:
        return a < b;
    default:
        return (uint32_t)a < (uint32_t)b;
    }
}

/* Increments and decrements count without a sign. */
static unsigned mw_unsigned(unsigned number)
{
    return number == SCH_MAXWELL_U64 || number == SCH_MAXWELL_S64 ? SCH_MAXWELL_U64 : SCH_MAXWELL_U32;
}

sch_maxwell_update_fn OPS_LOCAL(maxwell_update);
uint64_t OPS_LOCAL(maxwell_update)(unsigned update, unsigned number, uint64_t old, uint64_t value)
{
    switch (update) {
    case SCH_MAXWELL_UPDATE_ADD:
        return number == SCH_MAXWELL_F32 ? mw_add_floats((uint32_t)old, (uint32_t)value) : old + value;
    case SCH_MAXWELL_UPDATE_MIN:
        return mw_less(number, value, old) ? value : old;
    case SCH_MAXWELL_UPDATE_MAX:
        return mw_less(number, old, value) ? value : old;
    case SCH_MAXWELL_UPDATE_INC:
        return mw_less(mw_unsigned(number), old, value) ? old + 1 : 0;
    case SCH_MAXWELL_UPDATE_DEC:
        return old == 0 || mw_less(mw_unsigned(number), value, old) ? value : old - 1;
    case SCH_MAXWELL_UPDATE_AND:
        return old & value;
    case SCH_MAXWELL_UPDATE_OR:
        return old | value;
    case SCH_MAXWELL_UPDATE_XOR:
        return old ^ value;
    default:
        return value;
    }
}
