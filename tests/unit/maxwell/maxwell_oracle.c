/* The oracle of maxwell_oracle.h, written from measured encodings (operations, their fixed bits, their fields and the
 * order of modifiers), by hand, operation after operation. Holds nothing of src/. */
#include "maxwell_oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct oracle {
    uint64_t word, looked; /* the bits that were asked for */
    bool sm50;
    char name[96];
    char operands[128];
};

static unsigned take(struct oracle *o, unsigned high, unsigned low)
{
    uint64_t mask = (uint64_t)-1 >> (63 - high) & (uint64_t)-1 << low;
    o->looked |= mask;
    return (unsigned)((o->word & mask) >> low);
}

static void add(char *text, size_t bytes, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t used = strlen(text);
    vsnprintf(text + used, bytes - used, format, list);
    va_end(list);
}

static void modifier(struct oracle *o, const char *text) { add(o->name, sizeof o->name, "%s", text); }

static void flag(struct oracle *o, unsigned bit, const char *text)
{
    if (take(o, bit, bit)) modifier(o, text);
}

static void operand(struct oracle *o, const char *text)
{
    add(o->operands, sizeof o->operands, "%s%s", *o->operands ? ", " : "", text);
}

static void reg(struct oracle *o, unsigned low)
{
    char text[8] = "RZ";
    unsigned number = take(o, low + 7, low);
    if (number != 255) snprintf(text, sizeof text, "R%u", number);
    operand(o, text);
}

static void number(struct oracle *o, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%x", value);
    operand(o, text);
}

/* Pd, Rd, Ra, Rb (0 none, 1 unless RZ, 2 always), index or 0x0, paramA, mask. */
static void vector_operands(struct oracle *o, bool residency, int rb, bool bindless, bool parameter)
{
    static const char *const parameters[] = {"1D", "ARRAY_1D", "2D",   "ARRAY_2D",
                                             "3D", "ARRAY_3D", "CUBE", "ARRAY_CUBE"};
    if (residency && !o->sm50) {
        char text[4];
        unsigned pd = take(o, 53, 51);
        snprintf(text, sizeof text, "P%u", pd);
        if (pd != 7) operand(o, text);
    }
    reg(o, 0);
    reg(o, 8);
    if (rb == 2 || (rb == 1 && take(o, 27, 20) != 255)) reg(o, 20);
    number(o, bindless ? 0 : take(o, 48, 36));
    if (parameter) operand(o, parameters[take(o, 30, 28)]);
    number(o, take(o, 34, 31));
}

static bool tmml(struct oracle *o, bool bindless)
{
    modifier(o, bindless ? "TMML.B.LOD" : "TMML.LOD");
    flag(o, 35, ".NDV");
    flag(o, 49, ".NODEP");
    vector_operands(o, false, bindless, bindless, true);
    return true;
}

static bool txq(struct oracle *o, bool bindless)
{
    static const char *const names[0x18] = {
        [1] = "TEX_HEADER_DIMENSION",       [2] = "TEX_HEADER_TEXTURE_TYPE", [5] = "TEX_HEADER_SAMPLER_POS",
        [0x10] = "TEX_SAMPLER_FILTER",      [0x12] = "TEX_SAMPLER_LOD",      [0x14] = "TEX_SAMPLER_WRAP",
        [0x16] = "TEX_SAMPLER_BORDER_COLOR"};
    unsigned query = take(o, 27, 22);
    bool named = query < 0x18 && names[query];
    if (!named && (query % 2 == 1 || query == 0 || query == 4)) return false;
    modifier(o, bindless ? "TXQ.B" : "TXQ");
    flag(o, 49, ".NODEP");
    reg(o, 0);
    reg(o, 8);
    char text[12];
    snprintf(text, sizeof text, "%u", query / 2);
    operand(o, named ? names[query] : text);
    number(o, bindless ? 0 : take(o, 48, 36));
    number(o, take(o, 34, 31));
    return true;
}

static bool txa(struct oracle *o)
{
    modifier(o, "TXA");
    flag(o, 35, ".NDV");
    flag(o, 49, ".NODEP");
    vector_operands(o, false, 0, false, false);
    return true;
}

static bool tex(struct oracle *o, bool bindless)
{
    static const char *const lods[] = {"", ".LZ", ".LB", ".LL", ".INVALIDBLOD4", ".INVALIDBLOD5", ".LBA", ".LLA"};
    modifier(o, bindless ? "TEX.B" : "TEX");
    modifier(o, lods[bindless ? take(o, 39, 37) : take(o, 57, 55)]);
    if (!o->sm50) flag(o, bindless ? 40 : 58, ".LC");
    flag(o, bindless ? 36 : 54, ".AOFFI");
    flag(o, 50, ".DC");
    flag(o, 35, ".NDV");
    flag(o, 49, ".NODEP");
    vector_operands(o, true, 1, bindless, true);
    return true;
}

static bool tld(struct oracle *o, bool bindless)
{
    modifier(o, bindless ? "TLD.B" : "TLD");
    modifier(o, take(o, 55, 55) ? ".LL" : ".LZ");
    flag(o, 35, ".AOFFI");
    flag(o, 50, ".MS");
    flag(o, 54, ".CL");
    flag(o, 49, ".NODEP");
    vector_operands(o, true, 1, bindless, true);
    return true;
}

static bool tld4(struct oracle *o, bool bindless)
{
    static const char *const offsets[] = {"", ".AOFFI", ".PTP", ".INVALIDBTOFF03"};
    static const char *const components[] = {".R", ".G", ".B", ".A"};
    modifier(o, "TLD4");
    modifier(o, components[bindless ? take(o, 39, 38) : take(o, 57, 56)]);
    if (bindless) modifier(o, ".B");
    modifier(o, offsets[bindless ? take(o, 37, 36) : take(o, 55, 54)]);
    flag(o, 50, ".DC");
    flag(o, 35, ".NDV");
    flag(o, 49, ".NODEP");
    vector_operands(o, true, 1, bindless, true);
    return true;
}

static bool txd(struct oracle *o, bool bindless)
{
    modifier(o, bindless ? "TXD.B" : "TXD");
    if (!o->sm50) flag(o, 50, ".LC");
    flag(o, 35, ".AOFFI");
    flag(o, 49, ".NODEP");
    vector_operands(o, true, 2, bindless, true);
    return true;
}

static void scalar_registers(struct oracle *o, bool rb_always)
{
    reg(o, 28);
    reg(o, 0);
    reg(o, 8);
    if (take(o, 27, 20) != 255 || rb_always) reg(o, 20);
    number(o, take(o, 48, 36));
}

static bool texs_or_tlds(struct oracle *o, bool load)
{
    static const char *const texs_codes[16][3] = {
        {"1D", ".LZ", ""},          {"2D", "", ""},       {"2D", ".LZ", ""},
        {"2D", ".LL", ""},          {"2D", "", ".DC"},    {"2D", ".LL", ".DC"},
        {"2D", ".LZ", ".DC"},       {"ARRAY_2D", "", ""}, {"ARRAY_2D", ".LZ", ""},
        {"ARRAY_2D", ".LZ", ".DC"}, {"3D", "", ""},       {"3D", ".LZ", ""},
        {"CUBE", "", ""},           {"CUBE", ".LL", ""}};
    static const char *const tlds_codes[16][3] = {{"1D", ".LZ", ""},
                                                  {"1D", ".LL", ""},
                                                  {"2D", ".LZ", ""},
                                                  {NULL},
                                                  {"2D", ".LZ", ".AOFFI"},
                                                  {"2D", ".LL", ""},
                                                  {"2D", ".LZ", ".MS"},
                                                  {"3D", ".LZ", ""},
                                                  {"ARRAY_2D", ".LZ", ""},
                                                  {NULL},
                                                  {NULL},
                                                  {NULL},
                                                  {"2D", ".LL", ".AOFFI"}};
    static const char *const masks[2][8] = {{"R", "G", "B", "A", "RG", "RA", "GA", "BA"},
                                            {"RGB", "RGA", "RBA", "GBA", "RGBA", "INVALID5", "INVALID6", "INVALID7"}};
    unsigned code = take(o, 56, 53);
    const char *const *row = load ? tlds_codes[code] : texs_codes[code];
    if (!row[0]) return false;
    modifier(o, load ? "TLDS" : "TEXS");
    if (!o->sm50 && !take(o, 59, 59)) modifier(o, ".F16");
    modifier(o, row[1]);
    modifier(o, row[2]);
    flag(o, 49, ".NODEP");
    scalar_registers(o, false);
    operand(o, row[0]);
    operand(o, masks[take(o, 35, 28) != 255][take(o, 52, 50)]);
    return true;
}

static bool tld4s(struct oracle *o)
{
    static const char *const components[] = {".R", ".G", ".B", ".A"};
    modifier(o, "TLD4S");
    if (!o->sm50) flag(o, 55, ".F16");
    modifier(o, components[take(o, 53, 52)]);
    flag(o, 51, ".AOFFI");
    flag(o, 50, ".DC");
    flag(o, 49, ".NODEP");
    scalar_registers(o, true);
    return true;
}

/* The fixed bits stand in the top sixteen, but for bit 40 of TEX.B (sm_50) and TLD4.B. */
static bool dispatch(struct oracle *o)
{
    const unsigned top = (unsigned)(o->word >> 48);
    const bool bit40 = o->word >> 40 & 1;
#define FIXED(mask_, base_) (o->looked = (uint64_t)(mask_) << 48, (top & (mask_)) == (base_))
#define BIT40_ZERO          (o->looked |= (uint64_t)1 << 40, !bit40)
    if (FIXED(0xfff8, 0xdf58)) return tmml(o, false);
    if (FIXED(0xfff8, 0xdf60)) return tmml(o, true);
    if (FIXED(0xfff8, 0xdf48)) return txq(o, false);
    if (FIXED(0xfff8, 0xdf50)) return txq(o, true);
    if (FIXED(0xfff8, 0xdf40)) return txa(o);
    if (o->sm50) {
        if (FIXED(0xfc38, 0xc038)) return tex(o, false);
        if (FIXED(0xfff8, 0xdeb8)) return BIT40_ZERO && tex(o, true);
        if (FIXED(0xff38, 0xdc38)) return tld(o, false);
        if (FIXED(0xff38, 0xdd38)) return tld(o, true);
        if (FIXED(0xfc38, 0xc838)) return tld4(o, false);
        if (FIXED(0xfff8, 0xdef8)) return BIT40_ZERO && tld4(o, true);
        if (FIXED(0xfffc, 0xde38)) return txd(o, false);
        if (FIXED(0xfffc, 0xde78)) return txd(o, true);
        if (FIXED(0xfe00, 0xd800)) return texs_or_tlds(o, false);
        if (FIXED(0xfe00, 0xda00)) return texs_or_tlds(o, true);
        return FIXED(0xffc0, 0xdf00) && tld4s(o);
    }
    if (FIXED(0xf800, 0xc000)) return tex(o, false);
    if (FIXED(0xffc0, 0xde80)) return tex(o, true);
    if (FIXED(0xff00, 0xdc00)) return tld(o, false);
    if (FIXED(0xff00, 0xdd00)) return tld(o, true);
    if (FIXED(0xfc00, 0xc800)) return tld4(o, false);
    if (FIXED(0xffc0, 0xdec0)) return BIT40_ZERO && tld4(o, true);
    if (FIXED(0xffc0, 0xde00)) return txd(o, false);
    if (FIXED(0xffc0, 0xde40)) return txd(o, true);
    if (FIXED(0xfe00, 0xd800) || FIXED(0xfe00, 0xd000)) return texs_or_tlds(o, false);
    if (FIXED(0xfe00, 0xda00) || FIXED(0xfe00, 0xd200)) return texs_or_tlds(o, true);
    return (FIXED(0xffc0, 0xdf00) || FIXED(0xffc0, 0xdf80)) && tld4s(o);
#undef FIXED
#undef BIT40_ZERO
}

bool oracle_disassemble(uint64_t word, bool sm50, unsigned phase, char *text, size_t bytes)
{
    static const char *const phases[] = {"", ".T", ".P", ".INVALIDPHASE3"};
    struct oracle o = {.word = word, .sm50 = sm50};
    if (!dispatch(&o)) return false;
    unsigned guard = take(&o, 18, 16);
    char before[8] = "";
    if (guard != 7)
        snprintf(before, sizeof before, "@%sP%u ", take(&o, 19, 19) ? "!" : "", guard);
    else if (take(&o, 19, 19))
        snprintf(before, sizeof before, "@!PT ");
    snprintf(text, bytes, "%s%s%s %s;", before, o.name, phases[phase & 3], o.operands);
    return true;
}

uint64_t oracle_bits(uint64_t word, bool sm50)
{
    struct oracle o = {.word = word, .sm50 = sm50};
    if (!dispatch(&o)) return 0;
    return o.looked | 0xf0000;
}
