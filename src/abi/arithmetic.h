/* What an instruction says about its arithmetic beside the operation: the rules that change what it means, and what is
 * done to operands and results. Holds no meaning (src/ops). */
#ifndef SCH_ABI_ARITHMETIC_H
#define SCH_ABI_ARITHMETIC_H

#include <stdint.h>

/* State that changes what arithmetic means; constant for an instruction, so that a compiler can fold it. */
enum sch_op_rules {
    SCH_RULE_NONE = 0,
    SCH_RULE_LEGACY_MUL = 1 << 0, /* LEGACY_MATH_RULES: a factor 0 gives 0 */
    SCH_RULE_PRECISE = 1 << 1,    /* _PRECISE: what is otherwise fused rounds twice */
    SCH_RULE_D3D = 1 << 2,        /* D3D_RULES: of a NaN and a number the number, fields of 5 bits, halves toward 0 */
};

/* Integer absolute clears bit 31, as the specification's absolute is the float one. */
enum sch_modifier {
    SCH_MODIFY_NOTHING,
#define MODIFIER(enumerator, operation, words) SCH_MODIFY_##enumerator,
#include "abi/modifiers.def"
#undef MODIFIER
    SCH_MODIFIER_COUNT
};

/* Words of 32 bits that a modifier works on: 1 or 2. */
static inline unsigned sch_modifier_words(unsigned modifier)
{
    static const uint8_t counts[SCH_MODIFIER_COUNT] = {
#define MODIFIER(enumerator, operation, words) [SCH_MODIFY_##enumerator] = words,
#include "abi/modifiers.def"
#undef MODIFIER
    };
    return counts[modifier];
}

#endif
