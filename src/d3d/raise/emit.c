/* Instructions of Direct3D, appended: every operand is brought into what its slot takes. Also what is not raised. */
#include "d3d/raise/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REPORTS = 20 };

void sch_raise_refuse(struct sch_raise *r, enum sch_diagnostic_code code, const char *format, ...)
{
    if (r->status == SCH_OK) r->status = SCH_ERROR_UNSUPPORTED;
    if (r->reports >= MOST_REPORTS || (r->at && r->refused[r->at->opcode])) return;
    if (r->at) r->refused[r->at->opcode] = true;
    r->reports++;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_position position = r->at ? r->at->position : (struct sch_position){0};
    const struct sch_op_info *info = r->at ? sch_op_info(r->at->opcode) : NULL;
    sch_diagnostics_add(r->diagnostics, SCH_SEVERITY_ERROR, code, position, "%s%s%s", info ? info->name : "",
                        info ? ": " : "", message);
}

static struct sch_d3d_instruction *append(struct sch_raise *r, unsigned opcode)
{
    bool full = r->count >= r->in->limits.instructions;
    if (full || !SCH_ARENA_GROW(r->arena, r->code, r->capacity, r->count)) {
        if (full) r->status = SCH_ERROR_LIMIT;
        r->count = 0; /* the first one was there from the beginning */
    }
    struct sch_d3d_instruction *made = &r->code[r->count++];
    *made = (struct sch_d3d_instruction){.opcode = (uint8_t)opcode};
    if (r->at) made->position = r->at->position;
    return made;
}

struct sch_d3d_operand sch_raise_scratch(struct sch_raise *r)
{
    uint32_t number = r->fixed + r->used++;
    if (r->used > r->most) r->most = r->used;
    return sch_raise_temp(number);
}

/* ---- fitting ---- */

enum { SIGN = 0x80000000u, CANONICAL_NAN = 0x7fc00000, INFINITY_BITS = 0x7f800000 };

/* Modifiers of a literal are computed: of floats the sign, a NaN as float arithmetic gives it; of integers the two's
 * complement after the cleared sign bit. */
static void fold(struct sch_d3d_operand *operand, bool integer)
{
    for (unsigned i = 0; i < operand->value_count; i++) {
        uint32_t word = operand->values[i];
        if (operand->modifier & SCH_D3D_ABSOLUTE) word &= ~(uint32_t)SIGN;
        if (operand->modifier & SCH_D3D_NEGATE) word = integer ? 0 - word : word ^ (uint32_t)SIGN;
        if (!integer && (word & ~(uint32_t)SIGN) > INFINITY_BITS) word = CANONICAL_NAN;
        operand->values[i] = word;
    }
    operand->modifier = 0;
}

/* Modifiers that the slot does not take are computed into a scratch register. */
static struct sch_d3d_operand without_modifiers(struct sch_raise *r, struct sch_d3d_operand operand, bool integer)
{
    struct sch_d3d_operand temp = sch_raise_scratch(r), plain = operand;
    if (!integer) {
        sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(temp, 15), operand);
        return temp;
    }
    plain.modifier = 0;
    if (operand.modifier & SCH_D3D_ABSOLUTE) {
        sch_raise_2(r, SCH_D3D_OP_AND, sch_raise_masked(temp, 15), plain, sch_raise_word(~(uint32_t)SIGN));
        plain = temp;
    }
    if (operand.modifier & SCH_D3D_NEGATE) sch_raise_1(r, SCH_D3D_OP_INEG, sch_raise_masked(temp, 15), plain);
    return temp;
}

static bool is_pair(unsigned select) { return select == 0x4 || select == 0xe; } /* xy, zw */

/* Doubles are the pairs xy and zw of registers, or literals of their own. */
static struct sch_d3d_operand as_double(struct sch_raise *r, struct sch_d3d_operand operand)
{
    if (operand.value_count) {
        operand.type = SCH_D3D_REGISTER_IMMEDIATE64;
        return operand;
    }
    if (operand.form == SCH_D3D_FORM_SWIZZLE && is_pair(operand.select & 15) && is_pair(operand.select >> 4))
        return operand;
    struct sch_d3d_operand temp = sch_raise_scratch(r), plain = operand;
    plain.modifier = 0;
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(temp, 15), plain);
    temp.modifier = operand.modifier;
    return temp;
}

/* The operand as slot `letter` (a type of isa/d3d.def) of an instruction can take it; `bitwise`: without modifiers. */
static struct sch_d3d_operand fit(struct sch_raise *r, struct sch_d3d_operand operand, char role, char letter,
                                  bool bitwise)
{
    if (role != 'S' && role != 'C') return operand;
    if (letter == 'd') return as_double(r, operand);
    bool integer = letter == 'i' || letter == 'u', bits = letter == 'b';
    if (operand.modifier && operand.value_count) fold(&operand, integer);
    if (operand.modifier && (bitwise || bits || (integer && operand.modifier & SCH_D3D_ABSOLUTE)))
        operand = without_modifiers(r, operand, integer);
    return role == 'C' ? sch_raise_scalar(operand) : operand;
}

static bool takes_no_modifiers(unsigned opcode)
{
    return opcode == SCH_D3D_OP_AND || opcode == SCH_D3D_OP_OR || opcode == SCH_D3D_OP_XOR || opcode == SCH_D3D_OP_NOT;
}

/* Whether each component of the result is of the same components of the sources alone: no lookup, no product of
 * vectors, no doubles, no inputs at other places. */
static bool is_by_component(const struct sch_d3d_op_info *info)
{
    if (!*info->operands || strpbrk(info->operands, "RPVMLFd") || !strchr("DN", info->operands[0])) return false;
    return info->opcode != SCH_D3D_OP_DP2 && info->opcode != SCH_D3D_OP_DP3 && info->opcode != SCH_D3D_OP_DP4 &&
           (info->opcode < SCH_D3D_OP_EVAL_SNAPPED || info->opcode > SCH_D3D_OP_EVAL_CENTROID);
}

/* The components of a source that a write of `mask` reads: one is selected, others repeat the first, literals are 0. */
static void trim(struct sch_d3d_operand *source, unsigned mask)
{
    unsigned first = (unsigned)__builtin_ctz(mask);
    bool one = (mask & (mask - 1)) == 0;
    if (source->value_count == 4) {
        for (unsigned c = 0; c < 4; c++)
            if (!(mask >> c & 1)) source->values[c] = one ? source->values[first] : 0;
        if (!one) return;
        source->form = SCH_D3D_FORM_SCALAR;
        source->value_count = 1; /* all are the first one */
    } else if (source->form == SCH_D3D_FORM_SWIZZLE) {
        unsigned from[4];
        for (unsigned c = 0; c < 4; c++) from[c] = mask >> c & 1 ? c : first;
        *source = sch_raise_swizzle(*source, from[0], from[1], from[2], from[3]);
        if (!one) return;
        source->form = SCH_D3D_FORM_SELECT;
        source->select &= 3;
    }
}

static void trim_sources(const struct sch_d3d_op_info *info, struct sch_d3d_operand *operands, unsigned count)
{
    if (!is_by_component(info)) return;
    unsigned mask = 0;
    for (unsigned i = 0; i < count && strchr("DN", sch_d3d_operand_role(info, i)); i++)
        if (operands[i].form == SCH_D3D_FORM_MASK)
            mask |= operands[i].select;
        else if (operands[i].type != SCH_D3D_REGISTER_NULL)
            mask |= 1; /* oDepth and the like */
    for (unsigned i = 0; i < count; i++)
        if (sch_d3d_operand_role(info, i) == 'S') trim(&operands[i], mask);
}

/* ---- emitting ---- */

struct sch_d3d_instruction *sch_raise_emit(struct sch_raise *r, unsigned opcode, const struct sch_d3d_operand *operands,
                                           unsigned count)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(opcode);
    struct sch_d3d_operand *fitted = SCH_ARENA_ARRAY(r->arena, struct sch_d3d_operand, count ? count : 1);
    if (!fitted) return append(r, SCH_D3D_OP_NOP);
    for (unsigned i = 0; i < count; i++)
        fitted[i] = fit(r, operands[i], sch_d3d_operand_role(info, i), sch_d3d_operand_type(info, i),
                        takes_no_modifiers(opcode));
    trim_sources(info, fitted, count);
    struct sch_d3d_instruction *made = append(r, opcode);
    made->operands = fitted;
    made->operand_count = (uint8_t)count;
    return made;
}

struct sch_d3d_instruction *sch_raise_0(struct sch_raise *r, unsigned opcode)
{
    return sch_raise_emit(r, opcode, NULL, 0);
}

struct sch_d3d_instruction *sch_raise_1(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a)
{
    const struct sch_d3d_operand operands[] = {dst, a};
    return sch_raise_emit(r, opcode, operands, 2);
}

struct sch_d3d_instruction *sch_raise_2(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a, struct sch_d3d_operand b)
{
    const struct sch_d3d_operand operands[] = {dst, a, b};
    return sch_raise_emit(r, opcode, operands, 3);
}

struct sch_d3d_instruction *sch_raise_3(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a, struct sch_d3d_operand b, struct sch_d3d_operand c)
{
    const struct sch_d3d_operand operands[] = {dst, a, b, c};
    return sch_raise_emit(r, opcode, operands, 4);
}

void sch_raise_modify(struct sch_raise *r, struct sch_d3d_instruction *made)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(made->opcode);
    if (r->at->saturate && sch_d3d_has_field(info, SCH_D3D_FIELD_SAT))
        made->controls |= sch_d3d_put(SCH_D3D_FIELD_SAT, 1);
    bool precise = r->at->precise && sch_d3d_has_field(info, SCH_D3D_FIELD_PRECISE);
    if (precise && made->operands && made->operands[0].form == SCH_D3D_FORM_MASK)
        made->controls |= sch_d3d_put(SCH_D3D_FIELD_PRECISE, made->operands[0].select);
}
