/* The oracle of oracle.h: dispatch by opcode, and what its parts share. Written from the specification, not from
 * src/ops. */
#include "oracle.h"

#include <string.h>

#define ROW(name, shape, signature, rules, ...)                                                                        \
    {                                                                                                                  \
#name, SHAPE_##shape, #signature, rules, {__VA_ARGS__ }, expect_##name                                         \
    }

enum { BOTH = RULE_LEGACY | RULE_PRECISE };

/* The rules that an opcode answers to: RULE_LEGACY as the text lists them ("such as MAD, FMA, DP2, DP3, DP4, DST, LOG,
 * LRP"), RULE_PRECISE where a product is fused into a sum.
 *
 * Elementary functions of one operand are promised within 1 or 2 ulp, but are the nearest float, which is what is asked
 * here: a change of their last bit would change every picture. */
const struct oracle oracles[] = {
    ROW(ARL, COMP, I_F, 0, 0),
    ROW(MOV, COMP, X_X, 0, 0),
    ROW(LIT, CHAN, F_F, 0, 0, 0, 2, 0),
    ROW(RCP, REPL, F_F, 0, 0),
    ROW(RSQ, REPL, F_F, 0, 0),
    ROW(SQRT, REPL, F_F, 0, 0),
    ROW(EXP, CHAN, F_F, 0, 0),
    ROW(LOG, CHAN, F_F, RULE_LEGACY, 0),
    ROW(MUL, COMP, F_FF, RULE_LEGACY, 0),
    ROW(ADD, COMP, F_FF, 0, 0),
    ROW(DP3, VREPL, F_FF, BOTH, 0),
    ROW(DP4, VREPL, F_FF, BOTH, 0),
    ROW(DST, CHAN, F_FF, RULE_LEGACY, 0),
    ROW(MIN, COMP, F_FF, 0, 0),
    ROW(MAX, COMP, F_FF, 0, 0),
    ROW(SLT, COMP, F_FF, 0, 0),
    ROW(SGE, COMP, F_FF, 0, 0),
    ROW(MAD, COMP, F_FFF, BOTH, 0),
    ROW(LRP, COMP, F_FFF, BOTH, 0),
    ROW(FMA, COMP, F_FFF, BOTH, 0),
    ROW(FRC, COMP, F_F, 0, 0),
    ROW(FLR, COMP, F_F, 0, 0),
    ROW(ROUND, COMP, F_F, 0, 0),
    ROW(EX2, REPL, F_F, 0, 0),
    ROW(LG2, REPL, F_F, 0, 0),
    ROW(POW, REPL, F_FF, 0, 2, 2, 2, 2),
    ROW(LDEXP, COMP, F_FI, 0, 0),
    ROW(COS, REPL, F_F, 0, 0),
    ROW(PK2H, VREPL, U_F, 0, 0),
    ROW(PK2US, VREPL, U_F, 0, 0),
    ROW(PK4B, VREPL, U_F, 0, 0),
    ROW(PK4UB, VREPL, U_F, 0, 0),
    ROW(SEQ, COMP, F_FF, 0, 0),
    ROW(SGT, COMP, F_FF, 0, 0),
    ROW(SIN, REPL, F_F, 0, 0),
    ROW(SLE, COMP, F_FF, 0, 0),
    ROW(SNE, COMP, F_FF, 0, 0),
    ROW(UP2H, UNPACK, F_U, 0, 0),
    ROW(UP2US, UNPACK, F_U, 0, 0),
    ROW(UP4B, UNPACK, F_U, 0, 0),
    ROW(UP4UB, UNPACK, F_U, 0, 0),
    ROW(ARR, COMP, I_F, 0, 0),
    ROW(SSG, COMP, F_F, 0, 0),
    ROW(CMP, COMP, X_FXX, 0, 0),
    ROW(DIV, COMP, F_FF, 0, 0),
    ROW(DP2, VREPL, F_FF, BOTH, 0),

    ROW(CEIL, COMP, F_F, 0, 0),
    ROW(TRUNC, COMP, F_F, 0, 0),
    ROW(MOD, COMP, I_II, 0, 0),
    ROW(UARL, COMP, U_U, 0, 0),

    ROW(I2F, COMP, F_I, 0, 0),
    ROW(U2F, COMP, F_U, 0, 0),
    ROW(F2I, COMP, I_F, 0, 0),
    ROW(F2U, COMP, U_F, 0, 0),
    ROW(UADD, COMP, U_UU, 0, 0),
    ROW(MSAD, COMP, U_UUU, 0, 0),
    ROW(UMAD, COMP, U_UUU, 0, 0),
    ROW(UMUL, COMP, U_UU, 0, 0),
    ROW(IMUL_HI, COMP, I_II, 0, 0),
    ROW(UMUL_HI, COMP, U_UU, 0, 0),
    ROW(IDIV, COMP, I_II, 0, 0),
    ROW(UDIV, COMP, U_UU, 0, 0),
    ROW(UMOD, COMP, U_UU, 0, 0),
    ROW(NOT, COMP, U_U, 0, 0),
    ROW(AND, COMP, U_UU, 0, 0),
    ROW(OR, COMP, U_UU, 0, 0),
    ROW(XOR, COMP, U_UU, 0, 0),
    ROW(IMAX, COMP, I_II, 0, 0),
    ROW(UMAX, COMP, U_UU, 0, 0),
    ROW(IMIN, COMP, I_II, 0, 0),
    ROW(UMIN, COMP, U_UU, 0, 0),
    ROW(SHL, COMP, U_UU, 0, 0),
    ROW(ISHR, COMP, I_IU, 0, 0),
    ROW(USHR, COMP, U_UU, 0, 0),
    ROW(UCMP, COMP, X_UXX, 0, 0),
    ROW(ISSG, COMP, I_I, 0, 0),
    ROW(FSLT, COMP, U_FF, 0, 0),
    ROW(ISLT, COMP, U_II, 0, 0),
    ROW(USLT, COMP, U_UU, 0, 0),
    ROW(FSGE, COMP, U_FF, 0, 0),
    ROW(ISGE, COMP, U_II, 0, 0),
    ROW(USGE, COMP, U_UU, 0, 0),
    ROW(FSEQ, COMP, U_FF, 0, 0),
    ROW(USEQ, COMP, U_UU, 0, 0),
    ROW(FSNE, COMP, U_FF, 0, 0),
    ROW(USNE, COMP, U_UU, 0, 0),
    ROW(INEG, COMP, I_I, 0, 0),
    ROW(IABS, COMP, I_I, 0, 0),

    ROW(IBFE, COMP, I_III, 0, 0),
    ROW(UBFE, COMP, U_UUU, 0, 0),
    ROW(BFI, COMP, U_UUUU, 0, 0),
    ROW(BREV, COMP, U_U, 0, 0),
    ROW(POPC, COMP, U_U, 0, 0),
    ROW(LSB, COMP, I_U, 0, 0),
    ROW(IMSB, COMP, I_I, 0, 0),
    ROW(UMSB, COMP, I_U, 0, 0),

    ROW(DABS, COMP64, D_D, 0, 0),
    ROW(DNEG, COMP64, D_D, 0, 0),
    ROW(DADD, COMP64, D_DD, 0, 0),
    ROW(DMUL, COMP64, D_DD, 0, 0),
    ROW(DDIV, COMP64, D_DD, 0, 0),
    ROW(DRCP, COMP64, D_D, 0, 0),
    ROW(DSQRT, COMP64, D_D, 0, 0),
    ROW(DRSQ, COMP64, D_D, 0, 0),
    ROW(DFMA, COMP64, D_DDD, RULE_PRECISE, 0),
    ROW(DMAD, COMP64, D_DDD, RULE_PRECISE, 0),
    ROW(DMIN, COMP64, D_DD, 0, 0),
    ROW(DMAX, COMP64, D_DD, 0, 0),
    ROW(DSEQ, COMPARE64, U_DD, 0, 0),
    ROW(DSNE, COMPARE64, U_DD, 0, 0),
    ROW(DSLT, COMPARE64, U_DD, 0, 0),
    ROW(DSGE, COMPARE64, U_DD, 0, 0),
    ROW(DFRAC, COMP64, D_D, 0, 0),
    ROW(DFLR, COMP64, D_D, 0, 0),
    ROW(DCEIL, COMP64, D_D, 0, 0),
    ROW(DTRUNC, COMP64, D_D, 0, 0),
    ROW(DROUND, COMP64, D_D, 0, 0),
    ROW(DSSG, COMP64, D_D, 0, 0),
    ROW(DLDEXP, COMP64, D_DI, 0, 0),
    ROW(DFRACEXP, FRACEXP, D_D, 0, 0),
    ROW(F2D, WIDEN64, D_F, 0, 0),
    ROW(I2D, WIDEN64, D_I, 0, 0),
    ROW(U2D, WIDEN64, D_U, 0, 0),
    ROW(D2F, NARROW64, F_D, 0, 0),
    ROW(D2I, NARROW64, I_D, 0, 0),
    ROW(D2U, NARROW64, U_D, 0, 0),

    ROW(F2U64, WIDEN64, Q_F, 0, 0),
    ROW(F2I64, WIDEN64, L_F, 0, 0),
    ROW(U2I64, WIDEN64, L_U, 0, 0),
    ROW(I2I64, WIDEN64, L_I, 0, 0),
    ROW(U642F, NARROW64, F_Q, 0, 0),
    ROW(I642F, NARROW64, F_L, 0, 0),
    ROW(D2U64, COMP64, Q_D, 0, 0),
    ROW(D2I64, COMP64, L_D, 0, 0),
    ROW(U642D, COMP64, D_Q, 0, 0),
    ROW(I642D, COMP64, D_L, 0, 0),
    ROW(U64ADD, COMP64, Q_QQ, 0, 0),
    ROW(U64MUL, COMP64, Q_QQ, 0, 0),
    ROW(I64NEG, COMP64, L_L, 0, 0),
    ROW(I64ABS, COMP64, L_L, 0, 0),
    ROW(I64SSG, COMP64, L_L, 0, 0),
    ROW(I64MIN, COMP64, L_LL, 0, 0),
    ROW(U64MIN, COMP64, Q_QQ, 0, 0),
    ROW(I64MAX, COMP64, L_LL, 0, 0),
    ROW(U64MAX, COMP64, Q_QQ, 0, 0),
    ROW(U64SEQ, COMPARE64, U_QQ, 0, 0),
    ROW(U64SNE, COMPARE64, U_QQ, 0, 0),
    ROW(U64SLT, COMPARE64, U_QQ, 0, 0),
    ROW(U64SGE, COMPARE64, U_QQ, 0, 0),
    ROW(I64SLT, COMPARE64, U_LL, 0, 0),
    ROW(I64SGE, COMPARE64, U_LL, 0, 0),
    ROW(U64SHL, COMP64, Q_QU, 0, 0),
    ROW(I64SHR, COMP64, L_LU, 0, 0),
    ROW(U64SHR, COMP64, Q_QU, 0, 0),
    ROW(I64DIV, COMP64, L_LL, 0, 0),
    ROW(U64DIV, COMP64, Q_QQ, 0, 0),
    ROW(I64MOD, COMP64, L_LL, 0, 0),
    ROW(U64MOD, COMP64, Q_QQ, 0, 0),
};
const unsigned oracle_count = sizeof oracles / sizeof oracles[0];

const struct oracle *oracle_find(const char *name)
{
    for (unsigned i = 0; i < oracle_count; i++)
        if (strcmp(oracles[i].name, name) == 0) return &oracles[i];
    return NULL;
}

unsigned oracle_sources(const struct oracle *oracle) { return (unsigned)strlen(oracle->signature) - 2; }
char oracle_source_type(const struct oracle *oracle, unsigned source) { return oracle->signature[2 + source]; }

static union value word_value(uint32_t word) { return (union value){.q = word}; }
static union value pair_value(const uint32_t pair[2]) { return (union value){.q = pair[0] | (uint64_t)pair[1] << 32}; }

/* Source `i` of half `h` (0: xy, 1: zw): a pair, or of a 32-bit source the half's first channel. */
static union value half_source(const struct oracle *oracle, const uint32_t source[4][4], unsigned i, unsigned h)
{
    if (oracle->shape == SHAPE_FRACEXP) h = 0;
    if (value_is_wide(oracle_source_type(oracle, i))) return pair_value(&source[i][2 * h]);
    return word_value(source[i][oracle->shape == SHAPE_WIDEN64 ? h : 2 * h]);
}

static void evaluate_halves(const struct oracle *oracle, unsigned rules, const uint32_t source[4][4],
                            struct expectation *expected)
{
    uint32_t *word = expected->word[0];
    for (unsigned h = 0; h < 2; h++) {
        union value s[4] = {{0}}, r[4] = {{0}};
        for (unsigned i = 0; i < oracle_sources(oracle); i++) s[i] = half_source(oracle, source, i, h);
        oracle->fn(rules, s, r);
        r[0] = value_canonical(oracle->signature[0], r[0]);
        switch (oracle->shape) {
        case SHAPE_COMPARE64:
            word[2 * h] = r[0].u, expected->written[0] |= 1u << 2 * h;
            break;
        case SHAPE_NARROW64:
            word[h] = r[0].u, expected->written[0] |= 1u << h;
            break;
        default:
            word[2 * h] = (uint32_t)r[0].q, word[2 * h + 1] = (uint32_t)(r[0].q >> 32);
            expected->written[0] |= 3u << 2 * h;
            break;
        }
        if (oracle->shape != SHAPE_FRACEXP || h != 0) continue;
        for (unsigned c = 0; c < 4; c++) expected->word[1][c] = r[1].u;
        expected->written[1] = 15;
    }
}

/* Direct3D: "denorms flushed in and out (sign kept)", of 32-bit float arithmetic; moves keep bits. */
static uint32_t flushed(uint32_t word) { return (word & 0x7f800000u) == 0 ? word & 0x80000000u : word; }

static void flush_sources(const struct oracle *oracle, const uint32_t source[4][4], uint32_t result[4][4])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned c = 0; c < 4; c++) {
            bool is_float = i < oracle_sources(oracle) && oracle_source_type(oracle, i) == 'F';
            result[i][c] = is_float ? flushed(source[i][c]) : source[i][c];
        }
}

static void flush_results(struct expectation *expected)
{
    for (unsigned c = 0; c < 4 && expected->type == 'F'; c++) expected->word[0][c] = flushed(expected->word[0][c]);
}

static void evaluate_channels(const struct oracle *oracle, unsigned rules, const uint32_t source[4][4],
                              struct expectation *expected)
{
    bool scalar = oracle->shape == SHAPE_COMP || oracle->shape == SHAPE_REPL || oracle->shape == SHAPE_UNPACK;
    bool four = oracle->shape == SHAPE_CHAN || oracle->shape == SHAPE_UNPACK;
    for (unsigned c = 0; c < 4; c++) {
        union value s[16] = {{0}}, r[4] = {{0}};
        for (unsigned i = 0; i < oracle_sources(oracle); i++) {
            if (scalar)
                s[i] = word_value(source[i][oracle->shape == SHAPE_COMP ? c : 0]);
            else
                for (unsigned k = 0; k < 4; k++) s[4 * i + k] = word_value(source[i][k]);
        }
        oracle->fn(rules, s, r);
        expected->word[0][c] = value_canonical(oracle->signature[0], r[four ? c : 0]).u;
    }
    expected->written[0] = 15;
}

void oracle_evaluate(const struct oracle *oracle, unsigned rules, const uint32_t source[4][4],
                     struct expectation *expected)
{
    memset(expected, 0, sizeof *expected);
    expected->type = oracle->signature[0];
    memcpy(expected->ulps, oracle->ulps, sizeof expected->ulps);
    uint32_t flat[4][4];
    memcpy(flat, source, sizeof flat);
    if (rules & RULE_D3D) flush_sources(oracle, source, flat);
    if (oracle->shape >= SHAPE_COMP64)
        evaluate_halves(oracle, rules, (const uint32_t(*)[4])flat, expected);
    else
        evaluate_channels(oracle, rules, (const uint32_t(*)[4])flat, expected);
    if (rules & RULE_D3D) flush_results(expected);
}

static bool close_enough(char type, union value is, union value want, unsigned ulps)
{
    bool equal = value_is_wide(type) ? is.q == want.q : is.u == want.u;
    if (equal || ulps == 0) return equal;
    uint32_t signs = type == 'D' ? (uint32_t)((is.q ^ want.q) >> 63) : (is.u ^ want.u) >> 31;
    return signs == 0 && value_ulps(type, is, want) <= ulps;
}

bool expectation_holds(const struct expectation *expected, const uint32_t word[4])
{
    bool wide = value_is_wide(expected->type), holds = true;
    for (unsigned c = 0; c < 4; c += wide ? 2 : 1) {
        if (!(expected->written[0] & 1u << c)) continue;
        union value is = wide ? pair_value(&word[c]) : word_value(word[c]);
        union value want = wide ? pair_value(&expected->word[0][c]) : word_value(expected->word[0][c]);
        holds = holds && close_enough(expected->type, is, want, expected->ulps[c]);
    }
    return holds;
}
