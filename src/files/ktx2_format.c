/* The formats of KTX 2 files: ktx2.def, and what KTXswizzle adds to it. Holds no layout of files. */
#include "files/ktx2_format.h"

#include <string.h>

static const struct row {
    enum sch_format format;
    uint32_t number, type_size;
    bool read_only;
} rows[] = {
#define KTX2(format, number, type_size) {SCH_FORMAT_##format, number, type_size, false},
#define KTX2_READ(format, number)       {SCH_FORMAT_##format, number, 0, true},
#include "files/ktx2.def"
#undef KTX2
#undef KTX2_READ
};
enum { ROWS = sizeof rows / sizeof *rows };

enum sch_format sch_ktx2_of_number(uint32_t number)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].number == number) return rows[i].format;
    return SCH_FORMAT_NONE;
}

/* Channel for channel the same bits of the same meaning; what no colour comes from may be void. */
static bool same_channels(const struct sch_files_channels *a, const struct sch_files_channels *b)
{
    if (a->count != b->count || a->plain != b->plain || a->srgb != b->srgb || a->depth != b->depth) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct sch_files_channel *one = &a->channel[i], *other = &b->channel[i];
        const bool unused = other->type == 'x';
        if (one->bits != other->bits) return false;
        if (!unused &&
            (one->type != other->type || one->normalised != other->normalised || one->integer != other->integer))
            return false;
    }
    return true;
}

/* The colours of `base` in the order that a KTXswizzle asks for; false if it is not one. */
static bool compose(const char *base, const char *swizzle, char composed[SCH_FILES_CHANNELS])
{
    static const char colours[] = "rgba";
    for (int i = 0; i < SCH_FILES_CHANNELS; i++) {
        const char *colour = swizzle[i] ? strchr(colours, swizzle[i]) : NULL;
        if (!colour && swizzle[i] != '0' && swizzle[i] != '1') return false;
        composed[i] = colour ? base[colour - colours] : swizzle[i];
    }
    return true;
}

enum sch_format sch_ktx2_swizzled(enum sch_format format, const char *swizzle)
{
    struct sch_files_channels base, other;
    char composed[SCH_FILES_CHANNELS];
    if (!sch_files_channels(format, &base) || !compose(base.swizzle, swizzle, composed)) return SCH_FORMAT_NONE;
    if (base.depth) return format; /* "no effect on depth or stencil" */
    if (memcmp(composed, base.swizzle, sizeof composed) == 0) return format;
    if (!base.plain) return SCH_FORMAT_NONE;
    for (unsigned i = 1; i < sch_files_format_count(); i++)
        if (sch_files_channels((enum sch_format)i, &other) && memcmp(composed, other.swizzle, sizeof composed) == 0 &&
            same_channels(&base, &other))
            return (enum sch_format)i;
    return SCH_FORMAT_NONE;
}

/* The swizzle that makes `format` of the colours of `base`; false: none does. */
static bool find_swizzle(enum sch_format base_format, enum sch_format format, char swizzle[SCH_FILES_CHANNELS])
{
    struct sch_files_channels base, wanted;
    if (!sch_files_channels(base_format, &base) || !sch_files_channels(format, &wanted)) return false;
    if (!base.plain || !wanted.plain) return false;
    for (int i = 0; i < SCH_FILES_CHANNELS; i++) {
        const char letter = wanted.swizzle[i], *found = strchr(base.swizzle, letter);
        if (letter == '0' || letter == '1')
            swizzle[i] = letter;
        else if (found)
            swizzle[i] = "rgba"[found - base.swizzle];
        else
            return false;
    }
    return sch_ktx2_swizzled(base_format, swizzle) == format;
}

bool sch_ktx2_words(enum sch_format format, struct sch_ktx2_words *words)
{
    *words = (struct sch_ktx2_words){0};
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].format != format || rows[i].read_only) continue;
        words->number = rows[i].number;
        words->type_size = rows[i].type_size;
        return true;
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].read_only || !find_swizzle(rows[i].format, format, words->swizzle)) continue;
        words->number = rows[i].number;
        words->type_size = rows[i].type_size;
        return true;
    }
    return false;
}

enum sch_format sch_ktx2_base(const struct sch_ktx2_words *words) { return sch_ktx2_of_number(words->number); }
