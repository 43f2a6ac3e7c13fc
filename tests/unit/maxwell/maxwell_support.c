/* What tests of Maxwell's executor share (maxwell_support.h). Packing rows are the instruction pages' and, where those
 * have none, what ptxas emits. */
#include "maxwell_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [TLDS] "Legal modifier table"; of TEXS as measured. */
const struct scalar_form scalar_forms[] = {
    {SCH_MAXWELL_TEXS, 0, SCH_MAXWELL_1D, SCH_MAXWELL_LZ, false, false, false, "s", ""},
    {SCH_MAXWELL_TEXS, 1, SCH_MAXWELL_2D, SCH_MAXWELL_LOD_NONE, false, false, false, "s", "t"},
    {SCH_MAXWELL_TEXS, 2, SCH_MAXWELL_2D, SCH_MAXWELL_LZ, false, false, false, "s", "t"},
    {SCH_MAXWELL_TEXS, 3, SCH_MAXWELL_2D, SCH_MAXWELL_LL, false, false, false, "st", "L"},
    {SCH_MAXWELL_TEXS, 4, SCH_MAXWELL_2D, SCH_MAXWELL_LOD_NONE, false, false, true, "st", "D"},
    {SCH_MAXWELL_TEXS, 5, SCH_MAXWELL_2D, SCH_MAXWELL_LL, false, false, true, "st", "LD"},
    {SCH_MAXWELL_TEXS, 6, SCH_MAXWELL_2D, SCH_MAXWELL_LZ, false, false, true, "st", "D"},
    {SCH_MAXWELL_TEXS, 7, SCH_MAXWELL_ARRAY_2D, SCH_MAXWELL_LOD_NONE, false, false, false, "ls", "t"},
    {SCH_MAXWELL_TEXS, 8, SCH_MAXWELL_ARRAY_2D, SCH_MAXWELL_LZ, false, false, false, "ls", "t"},
    {SCH_MAXWELL_TEXS, 9, SCH_MAXWELL_ARRAY_2D, SCH_MAXWELL_LZ, false, false, true, "ls", "tD"},
    {SCH_MAXWELL_TEXS, 10, SCH_MAXWELL_3D, SCH_MAXWELL_LOD_NONE, false, false, false, "st", "r"},
    {SCH_MAXWELL_TEXS, 11, SCH_MAXWELL_3D, SCH_MAXWELL_LZ, false, false, false, "st", "r"},
    {SCH_MAXWELL_TEXS, 12, SCH_MAXWELL_CUBE, SCH_MAXWELL_LOD_NONE, false, false, false, "st", "r"},
    {SCH_MAXWELL_TEXS, 13, SCH_MAXWELL_CUBE, SCH_MAXWELL_LL, false, false, false, "st", "rL"},
    {SCH_MAXWELL_TLDS, 0, SCH_MAXWELL_1D, SCH_MAXWELL_LZ, false, false, false, "s", ""},
    {SCH_MAXWELL_TLDS, 1, SCH_MAXWELL_1D, SCH_MAXWELL_LL, false, false, false, "s", "L"},
    {SCH_MAXWELL_TLDS, 2, SCH_MAXWELL_2D, SCH_MAXWELL_LZ, false, false, false, "s", "t"},
    {SCH_MAXWELL_TLDS, 4, SCH_MAXWELL_2D, SCH_MAXWELL_LZ, true, false, false, "st", "O"},
    {SCH_MAXWELL_TLDS, 5, SCH_MAXWELL_2D, SCH_MAXWELL_LL, false, false, false, "st", "L"},
    {SCH_MAXWELL_TLDS, 6, SCH_MAXWELL_2D, SCH_MAXWELL_LZ, false, true, false, "st", "M"},
    {SCH_MAXWELL_TLDS, 7, SCH_MAXWELL_3D, SCH_MAXWELL_LZ, false, false, false, "st", "r"},
    {SCH_MAXWELL_TLDS, 8, SCH_MAXWELL_ARRAY_2D, SCH_MAXWELL_LZ, false, false, false, "l", "st"},
    {SCH_MAXWELL_TLDS, 12, SCH_MAXWELL_2D, SCH_MAXWELL_LL, true, false, false, "st", "LO"},
};
const unsigned scalar_form_count = sizeof scalar_forms / sizeof *scalar_forms;

static void add(char *list, const char *letters) { strcat(list, letters); }

void vector_packing(const struct sch_maxwell_instruction *in, char a[16], char b[16])
{
    static const char *const spatial[] = {"s", "st", "str", "str"};
    const unsigned dimensions = in->parameter >> 1;
    const bool arrayed = in->parameter & 1, aoffi = in->offset == SCH_MAXWELL_AOFFI;
    a[0] = b[0] = 0;
    switch (in->operation) {
    case SCH_MAXWELL_TXQ:
        if (in->bindless) add(a, "H");
        if (in->query == SCH_MAXWELL_HEADER_DIMENSION) add(a, "L");
        if (in->query == SCH_MAXWELL_HEADER_SAMPLER_POS) add(a, "M");
        return;
    case SCH_MAXWELL_TXD:
        if (in->bindless) add(a, "H");
        add(a, spatial[dimensions]);
        if (arrayed || aoffi) add(a, "X");
        add(b, dimensions == 0 ? "12" : dimensions == 1 ? "1234" : "123456");
        return;
    case SCH_MAXWELL_TLD4S:
        add(a, aoffi || in->compare ? "st" : "s");
        add(b, aoffi || in->compare ? "" : "t");
        break;
    default:
        if (arrayed) add(a, "l");
        add(a, spatial[dimensions]);
        if (in->bindless) add(b, "H");
        if (in->lod > SCH_MAXWELL_LZ) add(b, "L");
    }
    if (aoffi) add(b, "O");
    if (in->offset == SCH_MAXWELL_PTP) add(b, "PQ");
    if (in->compare) add(b, "D");
    if (in->multisample) add(b, "M");
}

void fill_group(struct sch_maxwell_warp *warp, uint64_t seed)
{
    *warp = (struct sch_maxwell_warp){.active = UINT32_MAX};
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            warp->registers[r].u[i] = (uint32_t)(seed >> 32);
        }
}

void place_operands(struct sch_maxwell_warp *warp, const struct operands *operands, const char *a, unsigned ra,
                    const char *b, unsigned rb)
{
    for (unsigned i = 0; a[i]; i++) warp->registers[ra + i] = operands->value[(unsigned char)a[i]];
    for (unsigned i = 0; b[i]; i++) warp->registers[rb + i] = operands->value[(unsigned char)b[i]];
}

enum sch_result run_word(struct sch_maxwell_machine *machine, const struct sch_maxwell_instruction *in,
                         struct sch_maxwell_warp *warp, struct sch_diagnostics *diagnostics)
{
    struct sch_maxwell_instruction decoded;
    uint64_t word;
    if (!sch_maxwell_encode(in, SCH_MAXWELL_SM_52, &word)) return SCH_ERROR_ARGUMENT;
    if (!sch_maxwell_decode(word, SCH_MAXWELL_SM_52, &decoded)) return SCH_ERROR_INTERNAL;
    return sch_maxwell_execute(machine, &decoded, warp, (struct sch_position){0}, diagnostics);
}

uint32_t half_word(uint32_t bits, bool toward_zero)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    if (isnan(f)) return 0x7e00;
    const uint32_t sign = bits >> 31 << 15;
    double x = fabs((double)f);
    if (isinf(x)) return sign | 0x7c00;
    int e = -14;
    while (e < 127 && x >= ldexp(1, e + 1)) e++;
    double steps = ldexp(x, 10 - e), whole = floor(steps), rest = steps - whole;
    if (!toward_zero && (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0))) whole++;
    if (whole == 2048) whole = 1024, e++;
    if (e > 15) return sign | (toward_zero ? 0x7bffu : 0x7c00u);
    if (whole < 1024) return sign | (uint32_t)whole; /* denormal: e is -14 */
    return sign | (uint32_t)(e + 15) << 10 | ((uint32_t)whole - 1024);
}

void expect_results(const struct sch_maxwell_instruction *in, const struct sch_lanes words[4], uint32_t lanes,
                    bool toward_zero, struct sch_maxwell_warp *group)
{
    const bool two = in->operation >= SCH_MAXWELL_TEXS;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
        if (!(lanes >> i & 1)) continue;
        unsigned n = 0; /* component of those written */
        for (unsigned c = 0; c < 4; c++) {
            if (!(in->write_mask >> c & 1)) continue;
            const unsigned first = two && n >= 2 ? in->rd1 : in->rd;
            unsigned number = two ? n % 2 : n;
            uint32_t word = words[c].u[i];
            if (in->half) word = half_word(word, toward_zero) << 16 * number, number = 0;
            n++;
            if (first == SCH_MAXWELL_RZ || first + number >= SCH_MAXWELL_GROUP_REGISTERS) continue;
            uint32_t *to = &group->registers[first + number].u[i];
            *to = in->half && n % 2 == 0 ? *to | word : word;
        }
    }
    if (in->residency < SCH_MAXWELL_GROUP_PREDICATES) group->predicates[in->residency] |= lanes;
}
