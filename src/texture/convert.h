/* What converts texels without a shader: which parts a format has, which of its bits a write leaves, and rows of texels
 * a group at a time. Holds no arithmetic of texels (src/ops). */
#ifndef SCH_TEXTURE_CONVERT_H
#define SCH_TEXTURE_CONVERT_H

#include "ops/ops.h"
#include "texture/surface.h"

enum { SCH_BLOCK_BYTES = 16 }; /* at most, of formats of one texel a block */

/* What the components of a format are numbers of: those that differ are not converted into each other [GL 18.3.2]. */
enum sch_numbers {
    SCH_NUMBERS_FLOAT,
    SCH_NUMBERS_UNSIGNED,
    SCH_NUMBERS_SIGNED,
    SCH_NUMBERS_DOUBLE, /* components are words of numbers of 64 bits */
    SCH_NUMBERS_LONG_UNSIGNED,
    SCH_NUMBERS_LONG_SIGNED
};

/* What a format that is read is to conversions. */
struct sch_texels_kind {
    uint32_t parts; /* enum sch_part: COLOR, or DEPTH, STENCIL or both */
    enum sch_numbers numbers;
    bool written;  /* texels can be encoded */
    bool averaged; /* and there are means of them */
};
struct sch_texels_kind sch_texels_kind_of(unsigned format);

/* Whether R, G and B are encoded by the sRGB curve. */
bool sch_texels_are_srgb(unsigned format);
bool sch_texels_are_bytes(unsigned format); /* UNORM, each channel a byte of a word */

struct sch_texels {
    struct sch_texture_surface surface;
    unsigned format;
    uint32_t parts; /* as of its kind, and the others */
    enum sch_numbers numbers;
    bool written, averaged;
};

/* What refusals call a level and its format: `level` and `format`, or those of a source. */
struct sch_texels_names {
    const char *level, *format;
};
extern const struct sch_texels_names sch_texels_plain, sch_texels_source;

/* A level under a format; `format` 0: the resource's. ARGUMENT, with a report, where there is no such level, or the
 * format has other blocks. */
enum sch_result sch_texels_of(const struct sch_texture_resource *resource, uint32_t level, enum sch_format format,
                              const struct sch_texels_names *names, struct sch_texels *texels,
                              struct sch_diagnostics *diagnostics);

/* The same formats and parts cannot be asked for (6005). */
enum sch_result sch_texels_refuse(enum sch_result result, struct sch_diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *sch_texels_format_name(unsigned format);

/* UNSUPPORTED, with a report, where texels of the format are not encoded. */
enum sch_result sch_texels_check_written(const struct sch_texels *texels, struct sch_diagnostics *diagnostics);

/* Some parts as the components that src/ops write. */
unsigned sch_texels_components(const struct sch_texels *texels, uint32_t parts);

/* Whether components are written without a look at the others: a texel that shares an exponent is encoded again. */
bool sch_texels_are_separate(const struct sch_texels *texels, unsigned components);

/* The block that components become, and the bits that stay beside it; of components that are separate. */
struct sch_pattern {
    uint8_t block[SCH_BLOCK_BYTES], kept[SCH_BLOCK_BYTES];
    bool whole; /* nothing is kept */
};
void sch_texels_pattern(const struct sch_texels *texels, unsigned components, const uint32_t value[4],
                        struct sch_pattern *pattern);

#endif
