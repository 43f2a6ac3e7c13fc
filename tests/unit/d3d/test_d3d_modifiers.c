/* Direct3D's arithmetic with modifiers, masks, swizzles, saturate, precise and indexed operands, chosen at random, on
 * values with denormals, NaN and infinities, against a scalar reference that is written from the descriptions of the
 * instructions and knows nothing of what they are lowered to. At every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/by_code.h"
#include <scheelite/scheelite.h>

#include "../support/random_number.h"

enum { COUNT = 64, SOURCES = 4, VARIANTS = 40, SENTINEL = 0x5e117111 };

union word {
    uint32_t u;
    int32_t i;
    float f;
};

/* s: the sources' channels, s[4 * source + channel]; of scalar operations channel 0 of each. */
typedef uint32_t reference_fn(const union word *s, bool precise);

static uint32_t bits(float f) { return (union word){.f = f}.u; }
static uint32_t all(bool yes) { return yes ? UINT32_MAX : 0; }

#define S0              s[0]
#define S1              s[4]
#define S2              s[8]
#define S3              s[12]
#define REFERENCE(name) static uint32_t ref_##name(const union word *s, bool precise __attribute__((unused)))

REFERENCE(add) { return bits(S0.f + S1.f); }
REFERENCE(mul) { return bits(S0.f * S1.f); }
REFERENCE(div) { return bits(S0.f / S1.f); }
static float flush(float f) { return (bits(f) & 0x7f800000u) ? f : (union word){.u = bits(f) & 0x80000000u}.f; }
/* Fused, or with precise a product and a sum. */
REFERENCE(mad) { return bits(precise ? flush(S0.f * S1.f) + S2.f : fmaf(S0.f, S1.f, S2.f)); }
REFERENCE(min) { return S1.f != S1.f || S0.f < S1.f ? S0.u : S1.u; }
REFERENCE(max) { return S1.f != S1.f || S0.f >= S1.f ? S0.u : S1.u; }
REFERENCE(frc)
{
    float f = S0.f - floorf(S0.f);
    return bits(f >= 1.0f ? 0x1.fffffep-1f : f);
}
REFERENCE(round_ne) { return bits(nearbyintf(S0.f)); }
REFERENCE(round_ni) { return bits(floorf(S0.f)); }
REFERENCE(round_pi) { return bits(ceilf(S0.f)); }
REFERENCE(round_z) { return bits(truncf(S0.f)); }
REFERENCE(sqrt) { return bits(sqrtf(S0.f)); }
REFERENCE(rcp) { return bits(1.0f / S0.f); }
REFERENCE(eq) { return all(S0.f == S1.f); }
REFERENCE(ne) { return all(S0.f != S1.f); }
REFERENCE(lt) { return all(S0.f < S1.f); }
REFERENCE(ge) { return all(S0.f >= S1.f); }
REFERENCE(ftoi)
{
    if (S0.f != S0.f) return 0;
    if (S0.f >= 0x1p31f) return INT32_MAX;
    return S0.f < -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)S0.f;
}
REFERENCE(ftou)
{
    if (!(S0.f > 0)) return 0;
    return S0.f >= 0x1p32f ? UINT32_MAX : (uint32_t)S0.f;
}
REFERENCE(itof) { return bits((float)S0.i); }
REFERENCE(utof) { return bits((float)S0.u); }
REFERENCE(iadd) { return S0.u + S1.u; }
REFERENCE(imad) { return S0.u * S1.u + S2.u; }
REFERENCE(imax) { return S0.i > S1.i ? S0.u : S1.u; }
REFERENCE(imin) { return S0.i < S1.i ? S0.u : S1.u; }
REFERENCE(ineg) { return 0u - S0.u; }
REFERENCE(ieq) { return all(S0.u == S1.u); }
REFERENCE(ine) { return all(S0.u != S1.u); }
REFERENCE(ige) { return all(S0.i >= S1.i); }
REFERENCE(ilt) { return all(S0.i < S1.i); }
REFERENCE(ult) { return all(S0.u < S1.u); }
REFERENCE(uge) { return all(S0.u >= S1.u); }
REFERENCE(umax) { return S0.u > S1.u ? S0.u : S1.u; }
REFERENCE(umin) { return S0.u < S1.u ? S0.u : S1.u; }
REFERENCE(umad) { return S0.u * S1.u + S2.u; }
REFERENCE(ishl) { return S0.u << (S1.u & 31); }
REFERENCE(ushr) { return S0.u >> (S1.u & 31); }
REFERENCE(ishr)
{
    uint32_t count = S1.u & 31, sign = S0.i < 0 && count ? ~(UINT32_MAX >> count) : 0;
    return S0.u >> count | sign;
}
REFERENCE(and) { return S0.u & S1.u; }
REFERENCE(or) { return S0.u | S1.u; }
REFERENCE(xor) { return S0.u ^ S1.u; }
REFERENCE(not ) { return ~S0.u; }
REFERENCE(mov) { return S0.u; }
REFERENCE(movc) { return S0.u ? S1.u : S2.u; }
REFERENCE(countbits)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < 32; i++) count += S0.u >> i & 1;
    return count;
}
REFERENCE(bfrev)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++) r |= (S0.u >> i & 1) << (31 - i);
    return r;
}
REFERENCE(firstbit_lo)
{
    for (uint32_t i = 0; i < 32; i++)
        if (S0.u >> i & 1) return i;
    return UINT32_MAX;
}
REFERENCE(firstbit_hi)
{
    for (uint32_t i = 0; i < 32; i++)
        if (S0.u << i >> 31) return i;
    return UINT32_MAX;
}
REFERENCE(firstbit_shi)
{
    for (uint32_t i = 0; i < 32; i++)
        if (S0.u << i >> 31 != S0.u >> 31) return i;
    return UINT32_MAX;
}
static uint32_t field(uint32_t value, uint32_t offset, uint32_t width)
{
    return width + offset >= 32 ? value >> offset : value >> offset & ((1u << width) - 1);
}
REFERENCE(ubfe)
{
    uint32_t width = S0.u & 31, offset = S1.u & 31;
    return width ? field(S2.u, offset, width) : 0;
}
REFERENCE(ibfe)
{
    uint32_t width = S0.u & 31, offset = S1.u & 31, shown = 32 - offset < width ? 32 - offset : width;
    if (!width) return 0;
    uint32_t value = field(S2.u, offset, width);
    return shown < 32 && value >> (shown - 1) & 1 ? value | ~((1u << shown) - 1) : value;
}
REFERENCE(bfi)
{
    uint32_t width = S0.u & 31, offset = S1.u & 31, mask = ((1u << width) - 1) << offset;
    return (S2.u << offset & mask) | (S3.u & ~mask);
}
/* x first; each further product is fused into the sum, with precise it is rounded before. Denormals are flushed at the
 * operands and the result, not between. */
static float dot(const union word *s, unsigned count, bool precise)
{
    float sum = S0.f * S1.f;
    for (unsigned c = 1; c < count; c++) {
        float product = s[c].f * s[4 + c].f;
        sum = precise ? product + sum : fmaf(s[c].f, s[4 + c].f, sum);
    }
    return sum;
}
REFERENCE(dp2) { return bits(dot(s, 2, precise)); }
REFERENCE(dp3) { return bits(dot(s, 3, precise)); }
REFERENCE(dp4) { return bits(dot(s, 4, precise)); }

/* Types as the descriptions have them: result, then sources: f float, i int, u uint, x moved. */
static const struct operation {
    const char *name, *types;
    reference_fn *fn;
    bool vector;
} operations[] = {
#define ROW(name, types)                                                                                               \
    {                                                                                                                  \
#name, types, ref_##name, false                                                                                \
    }
    ROW(add, "fff"),
    ROW(mul, "fff"),
    ROW(div, "fff"),
    ROW(mad, "ffff"),
    ROW(min, "fff"),
    ROW(max, "fff"),
    ROW(frc, "ff"),
    ROW(round_ne, "ff"),
    ROW(round_ni, "ff"),
    ROW(round_pi, "ff"),
    ROW(round_z, "ff"),
    ROW(sqrt, "ff"),
    ROW(rcp, "ff"),
    ROW(eq, "uff"),
    ROW(ne, "uff"),
    ROW(lt, "uff"),
    ROW(ge, "uff"),
    ROW(ftoi, "if"),
    ROW(ftou, "uf"),
    ROW(itof, "fi"),
    ROW(utof, "fu"),
    ROW(iadd, "iii"),
    ROW(imad, "iiii"),
    ROW(imax, "iii"),
    ROW(imin, "iii"),
    ROW(ineg, "ii"),
    ROW(ieq, "uii"),
    ROW(ine, "uii"),
    ROW(ige, "uii"),
    ROW(ilt, "uii"),
    ROW(ult, "uuu"),
    ROW(uge, "uuu"),
    ROW(umax, "uuu"),
    ROW(umin, "uuu"),
    ROW(umad, "uuuu"),
    ROW(ishl, "iiu"),
    ROW(ishr, "iiu"),
    ROW(ushr, "uuu"),
    ROW(and, "uuu"),
    ROW(or, "uuu"),
    ROW(xor, "uuu"),
    ROW(not, "uu"),
    ROW(mov, "xx"),
    ROW(movc, "xuxx"),
    ROW(countbits, "uu"),
    ROW(bfrev, "uu"),
    ROW(firstbit_lo, "uu"),
    ROW(firstbit_hi, "uu"),
    ROW(firstbit_shi, "ui"),
    ROW(ubfe, "uuuu"),
    ROW(ibfe, "iiii"),
    ROW(bfi, "uuuuu"),
#undef ROW
    {"dp2", "fff", ref_dp2, true},
    {"dp3", "fff", ref_dp3, true},
    {"dp4", "fff", ref_dp4, true},
};

static uint64_t seed;

static uint64_t next(void) /* splitmix64 */ { return random_number(&seed); }
static unsigned below(unsigned limit) { return (unsigned)(next() >> 33) % limit; }

static uint32_t random_word(void)
{
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff,
                                     0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
                                     0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7fffffff, 0xffffffff,
                                     0x4f000000, 0xcf000000, 0x4f800000, 31,         32,         33,
                                     0x3effffff, 0x3f000000, 0x1f800000, 0x5f800000};
    unsigned kind = below(4);
    if (kind == 0) return edges[below(sizeof edges / sizeof *edges)];
    if (kind == 1) return (uint32_t)next();
    if (kind == 2) return below(64);
    return bits((float)(int32_t)below(65536) / 4096.0f - 8.0f);
}

/* One operand: v# directly or by an index that r1.x holds, with swizzle and modifiers. */
struct operand {
    unsigned reg;
    bool indexed, negate, absolute;
    uint8_t swizzle[4];
};

struct variant {
    const struct operation *operation;
    struct operand source[SOURCES];
    unsigned sources, mask;
    bool saturate, precise;
};

static void choose(const struct operation *operation, struct variant *v)
{
    *v = (struct variant){.operation = operation, .sources = (unsigned)strlen(operation->types) - 1};
    bool is_float = operation->types[0] == 'f' || operation->types[0] == 'x';
    v->mask = 1 + below(15);
    v->saturate = is_float && below(3) == 0;
    v->precise = below(3) == 0;
    for (unsigned s = 0; s < v->sources; s++) {
        struct operand *operand = &v->source[s];
        char type = operation->types[1 + s];
        operand->reg = below(SOURCES);
        operand->indexed = below(3) == 0;
        for (unsigned c = 0; c < 4; c++) operand->swizzle[c] = (uint8_t)below(4);
        operand->absolute = (type == 'f' || type == 'x') && below(3) == 0;
        operand->negate = type != 'u' && below(2);
    }
}

static void write_operand(const struct operand *operand, char *text, size_t bytes)
{
    char name[32], swizzle[5] = "";
    if (operand->indexed)
        snprintf(name, sizeof name, "v[r1.x + %u]", operand->reg);
    else
        snprintf(name, sizeof name, "v%u", operand->reg);
    for (unsigned c = 0; c < 4; c++) swizzle[c] = "xyzw"[operand->swizzle[c]];
    snprintf(text, bytes, "%s%s%s.%s%s", operand->negate ? "-" : "", operand->absolute ? "|" : "", name, swizzle,
             operand->absolute ? "|" : "");
}

static void write_program(const struct variant *v, char *text, size_t bytes)
{
    char sources[256] = "", mask[5] = "", *to = mask;
    size_t used = 0;
    for (unsigned s = 0; s < v->sources; s++) {
        char operand[48];
        write_operand(&v->source[s], operand, sizeof operand);
        used += (size_t)snprintf(sources + used, sizeof sources - used, ", %s", operand);
    }
    for (unsigned c = 0; c < 4; c++)
        if (v->mask >> c & 1) *to++ = "xyzw"[c];
    snprintf(
        text, bytes,
        "vs_5_0\ndcl_input v0.xyzw\ndcl_input v1.xyzw\ndcl_input v2.xyzw\ndcl_input v3.xyzw\n"
        "dcl_indexrange v0.xyzw 4\ndcl_output o0.xyzw\ndcl_temps 2\nmov r0.xyzw, l(%u, %u, %u, %u)\nmov r1.x, l(0)\n"
        "%s%s%s r0.%s%s\nmov o0.xyzw, r0.xyzw\nret\n",
        SENTINEL, SENTINEL, SENTINEL, SENTINEL, v->operation->name, v->saturate ? "_sat" : "",
        v->precise ? " [precise]" : "", mask, sources);
}

/* ---- what is expected ---- */

static uint32_t flushed(uint32_t word) { return word & 0x7f800000u ? word : word & 0x80000000u; }
static uint32_t canonical(uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : word; }

static uint32_t modified(const struct operand *operand, char type, uint32_t word)
{
    if (type == 'i') return operand->negate ? 0u - word : word;
    if (operand->absolute) word &= 0x7fffffffu;
    if (operand->negate) word ^= 0x80000000u;
    bool is_float = operand->absolute || operand->negate || type == 'f';
    if (is_float) word = canonical(word);
    return type == 'f' ? flushed(word) : word;
}

static uint32_t expected(const struct variant *v, const uint32_t input[SOURCES][4], unsigned channel)
{
    union word s[4 * SOURCES] = {{0}};
    for (unsigned n = 0; n < v->sources; n++)
        for (unsigned c = 0; c < 4; c++) {
            const struct operand *operand = &v->source[n];
            unsigned from = operand->swizzle[v->operation->vector ? c : channel];
            s[4 * n + c].u = modified(operand, v->operation->types[1 + n], input[operand->reg][from]);
        }
    char type = v->operation->types[0];
    uint32_t word = v->operation->fn(s, v->precise);
    bool is_float = type == 'f';
    if (is_float) word = canonical(word);
    float f = (union word){.u = word}.f;
    if (v->saturate && f > 1.0f) word = bits(1.0f);
    if (v->saturate && !(f >= 0.0f)) word = 0; /* -0 stays */
    return is_float ? flushed(word) : word;
}

static void check(const struct variant *v, const char *text, const uint32_t inputs[COUNT][SOURCES][4],
                  uint32_t outputs[COUNT][4], unsigned width)
{
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t want = v->mask >> c & 1 ? expected(v, inputs[i], c) : SENTINEL;
            if (outputs[i][c] != want)
                fail_msg("width %u, invocation %u: %c is %08x, not %08x:\n%s", width, i, "xyzw"[c], outputs[i][c], want,
                         text);
        }
}

static void run(const struct variant *v)
{
    static uint32_t inputs[COUNT][SOURCES][4], outputs[COUNT][4];
    char text[1024];
    struct sch_context *context;
    struct sch_shader *shader;
    write_program(v, text, sizeof text);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned r = 0; r < SOURCES; r++)
            for (unsigned c = 0; c < 4; c++) inputs[i][r][c] = random_word();
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("not read:\n%s", text);
    for (unsigned width = 4; width <= 16; width *= 2) {
        if (by_code_skips(14)) continue;
        struct sch_program_options options = {.size = sizeof options, .width = width};
        struct sch_program *program;
        if (sch_program_create(context, shader, &options, NULL, &program) != SCH_OK) fail_msg("no program:\n%s", text);
        struct sch_invocations work = {.size = sizeof work,
                                       .count = COUNT,
                                       .inputs = inputs[0][0],
                                       .input_bytes = sizeof inputs,
                                       .input_registers = SOURCES,
                                       .outputs = outputs[0],
                                       .output_bytes = sizeof outputs,
                                       .output_registers = 1};
        assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_OK);
        check(v, text, (const uint32_t(*)[SOURCES][4])inputs, outputs, width);
        sch_program_destroy(program);
    }
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

static void test_operation(void **state)
{
    const struct operation *operation = *state;
    seed = (uint64_t)(operation - operations) + 1;
    for (unsigned i = 0; i < VARIANTS; i++) {
        struct variant v;
        choose(operation, &v);
        run(&v);
    }
}

int main(void)
{
    enum { OPERATIONS = sizeof operations / sizeof *operations };
    static struct CMUnitTest tests[OPERATIONS];
    for (size_t i = 0; i < OPERATIONS; i++)
        tests[i] =
            (struct CMUnitTest){operations[i].name, test_operation, NULL, NULL, (void *)(uintptr_t)&operations[i]};
    return _cmocka_run_group_tests("d3d modifiers", tests, OPERATIONS, NULL, NULL);
}
