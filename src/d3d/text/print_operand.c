/* Operands as text: registers, indices, masks, modifiers, literals. */
#include "d3d/text/internal.h"

#include <string.h>

#include "base/number.h"

static const char letters[] = "xyzw";

/* Whether all operands have one of these roles. */
static bool has_roles(const struct sch_d3d_op_info *info, const char *roles)
{
    for (unsigned i = 0; i < info->operand_count; i++)
        if (!strchr(roles, sch_d3d_operand_role(info, i))) return false;
    return true;
}

static bool writes_several(const struct sch_d3d_op_info *info, const struct sch_d3d_operand *operands, unsigned before)
{
    for (unsigned i = 0; i < before; i++) {
        unsigned mask = operands[i].form == SCH_D3D_FORM_MASK ? operands[i].select : 0;
        if (sch_d3d_is_masked(sch_d3d_operand_role(info, i)) && mask & (mask - 1)) return true;
    }
    return false;
}

/* Whether a source names four components whatever it is. (Operands that are one component have a role of their own.) */
static bool reads_several(const struct sch_d3d_op_info *info, const struct sch_d3d_operand *operands, unsigned index)
{
    switch (info->opcode) {
    case SCH_D3D_OP_DP2:
    case SCH_D3D_OP_DP3:
    case SCH_D3D_OP_DP4:
    case SCH_D3D_OP_STORE_UAV_TYPED:
        return true;
    case SCH_D3D_OP_STORE_RAW:
    case SCH_D3D_OP_STORE_STRUCTURED:
        return writes_several(info, operands, index);
    default:
        if (info->flags & SCH_D3D_F_DOUBLE) return false;
        if (has_roles(info, "DNS")) return writes_several(info, operands, index);
        return has_roles(info,
                         "DNSCRPI"); /* coordinates, offsets, derivatives; addresses of atomics are not among them */
    }
}

char sch_d3d_text_role(const struct sch_d3d_op_info *info, const struct sch_d3d_operand *operands, unsigned index)
{
    char role = sch_d3d_operand_role(info, index);
    bool is_query = info->opcode == SCH_D3D_OP_SAMPLEINFO || info->opcode == SCH_D3D_OP_SAMPLEPOS;
    if (role == 'R') return is_query ? role : 'T';
    return role == 'S' && reads_several(info, operands, index) ? 'T' : role;
}

void sch_d3d_bare_form(struct sch_d3d_operand *operand, char role)
{
    const struct sch_d3d_register_info *info = sch_d3d_register_info(operand->type);
    operand->select = 0;
    if (operand->value_count) {
        bool one = operand->value_count < 4;
        operand->form = one ? SCH_D3D_FORM_SCALAR : SCH_D3D_FORM_MASK;
        return;
    }
    bool constant = operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER;
    bool four = info->bare == SCH_D3D_BARE_FOUR ||
                ((role == 'R' || (role == 'T' && info->bare == SCH_D3D_BARE_NONE)) && operand->index_count) ||
                (role == 'O' && operand->index_count == 3);
    if (info->bare == SCH_D3D_BARE_ONE) {
        bool declared = role == 'O' && info->flags & SCH_D3D_R_DECLARED;
        operand->form = declared ? SCH_D3D_FORM_NONE : SCH_D3D_FORM_SCALAR;
    } else if (!four) {
        operand->form = SCH_D3D_FORM_NONE;
    } else if (sch_d3d_is_masked(role) && !constant && !(role == 'O' && operand->index_count == 3)) {
        operand->form = SCH_D3D_FORM_MASK;
        operand->select = 0xf;
    } else {
        operand->form = SCH_D3D_FORM_SWIZZLE;
        operand->select = SCH_D3D_SWIZZLE_XYZW;
    }
}

/* Digits of a finite float: the fewest that are exact, or vkd3d's. */
static size_t float_digits(uint64_t bits, enum sch_float_width width, enum sch_listing_style style,
                           char text[SCH_NUMBER_BYTES])
{
    if (style == SCH_LISTING_VKD3D)
        return sch_number_write_scientific(bits, width, width == SCH_FLOAT_64 ? 16 : 8, text);
    return sch_number_write_shortest(bits, width, text);
}

/* In a dump all floats have six digits after the point, as Microsoft's C library prints them. */
static void print_dumped(struct sch_bytes *out, uint64_t bits, enum sch_float_width width)
{
    char text[SCH_NUMBER_MICROSOFT_BYTES];
    sch_bytes_append(out, text, sch_number_write_microsoft(bits, width, 6, text));
}

/* Infinities and the NaN that texts have a word for. */
static const char *special_word(uint32_t bits)
{
    if ((bits & 0x7fffffff) == 0x7f800000) return "inf";
    return (bits & 0x7fffffff) == 0x7fc00000 ? "nan" : NULL;
}

void sch_d3d_print_float(struct sch_bytes *out, uint32_t bits, enum sch_listing_style style)
{
    if (style == SCH_LISTING_FXC_DUMP) {
        print_dumped(out, bits, SCH_FLOAT_32);
        return;
    }
    char text[SCH_NUMBER_BYTES];
    size_t length = float_digits(bits, SCH_FLOAT_32, style, text);
    const char *word = style == SCH_LISTING_VKD3D ? special_word(bits) : NULL;
    if (style != SCH_LISTING_VKD3D && !bits)
        sch_bytes_text(out, "0");
    else if (length)
        sch_bytes_append(out, text, length);
    else if (word)
        sch_bytes_format(out, "%s%s", bits >> 31 ? "-" : "", word);
    else
        sch_bytes_format(out, "0x%08x", bits);
}

/* The integers that are decimal in a listing; fxc's limit is 10,000. */
static bool is_small(uint32_t bits, enum sch_listing_style style)
{
    int32_t value = (int32_t)bits, most = style == SCH_LISTING_FXC_DUMP ? 10000 : 65536;
    return value >= -most && value <= most;
}

/* Small integers in decimal, others in hexadecimal. */
static void print_bits(struct sch_bytes *out, uint32_t bits, enum sch_listing_style style)
{
    if (is_small(bits, style))
        sch_bytes_format(out, "%d", (int32_t)bits);
    else
        sch_bytes_format(out, "0x%08x", bits);
}

/* Whether constant data is more likely a float than an integer. Below 2^-36 numbers are more likely integers of four
 * bytes; vkd3d takes all that are normal for floats. In a dump -0, infinities and NaN are floats, too, but for the NaN
 * that are negative integers of up to 20 bits. */
static bool looks_like_float(uint32_t bits, enum sch_listing_style style)
{
    uint32_t exponent = bits >> 23 & 0xff, least = style == SCH_LISTING_VKD3D ? 1 : 127 - 36;
    if (style != SCH_LISTING_FXC_DUMP) return exponent >= least && exponent != 0xff;
    return bits < 0xfff00000 && (exponent >= least || bits == 0x80000000);
}

void sch_d3d_print_untyped(struct sch_bytes *out, uint32_t bits, enum sch_listing_style style)
{
    if (looks_like_float(bits, style))
        sch_d3d_print_float(out, bits, style);
    else if (style != SCH_LISTING_VKD3D)
        print_bits(out, bits, style);
    else if (bits <= 10000)
        sch_bytes_format(out, "%u", bits);
    else
        sch_bytes_format(out, "0x%08x", bits);
}

static void print_word(struct sch_bytes *out, uint32_t bits, char type, enum sch_listing_style style)
{
    if (type == 'f')
        sch_d3d_print_float(out, bits, style);
    else if (type == 'i' && style != SCH_LISTING_FXC_DUMP)
        sch_bytes_format(out, "%d", (int32_t)bits);
    else if ((type == 'u' || type == 'b') && style == SCH_LISTING_VKD3D)
        sch_bytes_format(out, "%u", bits);
    else if (type == 'u' || type == 'i')
        print_bits(out, bits, style);
    else
        sch_d3d_print_untyped(out, bits, style);
}

static void print_double(struct sch_bytes *out, uint64_t bits, enum sch_listing_style style)
{
    if (style == SCH_LISTING_FXC_DUMP) {
        print_dumped(out, bits, SCH_FLOAT_64);
        sch_bytes_text(out, "l");
        return;
    }
    char text[SCH_NUMBER_BYTES];
    size_t length = float_digits(bits, SCH_FLOAT_64, style, text);
    if (length) {
        sch_bytes_append(out, text, length);
        sch_bytes_text(out, "l");
    } else
        sch_bytes_format(out, "0x%016llx", (unsigned long long)bits);
}

static void print_values(struct sch_bytes *out, const struct sch_d3d_operand *operand, char type,
                         enum sch_listing_style style)
{
    bool wide = operand->type == SCH_D3D_REGISTER_IMMEDIATE64;
    /* fxc has no blanks where it does not know the type: in moves and stores. */
    bool close = style == SCH_LISTING_FXC_DUMP && (type == 'x' || type == 'b') && !wide;
    sch_bytes_text(out, wide ? "d(" : "l(");
    for (unsigned i = 0; i < operand->value_count; i += wide ? 2 : 1) {
        if (i) sch_bytes_text(out, close ? "," : ", ");
        if (wide)
            print_double(out, operand->values[i] | (uint64_t)operand->values[i + 1] << 32, style);
        else
            print_word(out, operand->values[i], type, style);
    }
    sch_bytes_text(out, ")");
}

static void print_number(struct sch_bytes *out, const struct sch_d3d_index *index)
{
    sch_bytes_format(out, "%llu%s", (unsigned long long)index->value, index->parts & SCH_D3D_INDEX_WIDE ? "l" : "");
}

/* "r0.x + 0" is a relative index without a number of its own, as fxc and vkd3d write it; "0 + r0.x" one whose number
 * is 0. */
static void print_index(struct sch_bytes *out, const struct sch_d3d_index *index, enum sch_listing_style style,
                        bool upper)
{
    if (!index->relative) {
        print_number(out, index);
        return;
    }
    bool number = index->parts & SCH_D3D_INDEX_VALUE;
    if (number && !index->value) {
        print_number(out, index);
        sch_bytes_text(out, " + ");
    }
    sch_d3d_print_operand(out, index->relative, 'S', '-', style, upper);
    if (number && !index->value) return;
    sch_bytes_text(out, " + ");
    if (number)
        print_number(out, index);
    else
        sch_bytes_text(out, "0");
}

static void print_register(struct sch_bytes *out, const struct sch_d3d_operand *operand, char role,
                           enum sch_listing_style style, bool upper)
{
    const struct sch_d3d_register_info *info = sch_d3d_register_info(operand->type);
    const char *word = style == SCH_LISTING_VKD3D && *info->other ? info->other : info->word;
    bool large = upper && info->flags & SCH_D3D_R_UPPER;
    if (role == 'O' && operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER && style != SCH_LISTING_VKD3D) large = true;
    for (const char *c = word; *c; c++) {
        char letter = large && *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
        sch_bytes_append(out, &letter, 1);
    }
    unsigned count = operand->index_count;
    bool range = role == 'O' && count == 3 && operand->index[1].parts == SCH_D3D_INDEX_VALUE &&
                 operand->index[2].parts == SCH_D3D_INDEX_VALUE;
    for (unsigned i = 0; i < count; i++) {
        const struct sch_d3d_index *index = &operand->index[i];
        bool attached = i == 0 && index->parts == SCH_D3D_INDEX_VALUE && !(info->flags & SCH_D3D_R_BRACKET) &&
                        !(info->flags & SCH_D3D_R_INDEXED && count > 1);
        if (!attached) sch_bytes_text(out, range && i == 2 ? ":" : "[");
        if (range && i == 2 && index->value == UINT32_MAX)
            sch_bytes_text(out, "*");
        else
            print_index(out, index, style, upper);
        if (!attached && !(range && i == 1)) sch_bytes_text(out, "]");
    }
}

static void print_annotation(struct sch_bytes *out, const char *word) { sch_bytes_format(out, " {%s}", word); }

/* Every form and every precision that a reader takes has a word. */
static void print_word_of(struct sch_bytes *out, enum sch_d3d_vocabulary vocabulary, uint32_t number)
{
    print_annotation(out, sch_d3d_word_by_number(vocabulary, number)->word);
}

/* The components; `form` receives the form that the letters alone do not show, or -1. */
static void print_components(struct sch_bytes *out, const struct sch_d3d_operand *operand, char role, int *form)
{
    bool masked = sch_d3d_is_masked(role) && !sch_d3d_is_range(operand, role);
    char text[6] = ".";
    size_t length = 1;
    *form = -1;
    switch (operand->form) {
    case SCH_D3D_FORM_MASK:
        for (unsigned i = 0; i < 4; i++)
            if (operand->select >> i & 1) text[length++] = letters[i];
        if (!masked || length == 1) *form = SCH_D3D_FORM_MASK;
        if (length == 1) length = 0;
        break;
    case SCH_D3D_FORM_SWIZZLE:
        for (unsigned i = 0; i < 4; i++) text[length++] = letters[operand->select >> (2 * i) & 3];
        if (masked) *form = SCH_D3D_FORM_SWIZZLE;
        break;
    case SCH_D3D_FORM_SELECT:
        text[length++] = letters[operand->select & 3];
        if (masked || role == 'T') *form = SCH_D3D_FORM_SELECT;
        break;
    default:
        *form = operand->form;
        length = 0;
    }
    sch_bytes_append(out, text, length);
}

/* Whether the components are what the operand has by default. */
static bool is_silent(const struct sch_d3d_operand *operand, char role)
{
    struct sch_d3d_operand bare = *operand;
    sch_d3d_bare_form(&bare, role);
    if (bare.form != operand->form || bare.select != operand->select) return false;
    if (operand->form < SCH_D3D_FORM_MASK || operand->value_count) return true;
    /* Every register has all four, except declared buffers and ranges. */
    bool constant = operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER;
    return role == 'O' && (constant || operand->index_count == 3);
}

void sch_d3d_print_operand(struct sch_bytes *out, const struct sch_d3d_operand *operand, char role, char type,
                           enum sch_listing_style style, bool upper)
{
    int form = -1;
    if (operand->modifier & SCH_D3D_NEGATE) sch_bytes_text(out, "-");
    if (operand->modifier & SCH_D3D_ABSOLUTE) sch_bytes_text(out, "|");
    if (operand->value_count)
        print_values(out, operand, type, style);
    else
        print_register(out, operand, role, style, upper);
    if (!is_silent(operand, role)) print_components(out, operand, role, &form);
    if (form >= 0) print_word_of(out, SCH_D3D_WORDS_FORM, (uint32_t)form);
    if (operand->precision) print_word_of(out, SCH_D3D_WORDS_PRECISION, operand->precision);
    if (operand->nonuniform) print_annotation(out, "nonuniform");
    if (operand->modifier & SCH_D3D_ABSOLUTE) sch_bytes_text(out, "|");
}
