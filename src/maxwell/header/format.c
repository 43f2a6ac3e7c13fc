/* From a header's COMPONENTS, data types and sources to a texel format of the unit and a swizzle, by the rows of
 * src/isa/maxwell_headers.def. Holds no sizes and no addresses. */
#include <string.h>

#include "isa/errors.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/format.h"
#include "ops/texture/format.h"

/* What a row requires of a component's data type: a code of DATA_TYPE, or one of these. */
enum { TYPE_NO = 8, TYPE_XX, TYPE_SN = SCH_HEADER_DATA_TYPE_SNORM };
enum {
    TYPE_UN = SCH_HEADER_DATA_TYPE_UNORM,
    TYPE_SI = SCH_HEADER_DATA_TYPE_SINT,
    TYPE_UI = SCH_HEADER_DATA_TYPE_UINT,
    TYPE_FL = SCH_HEADER_DATA_TYPE_FLOAT
};

struct row {
    uint8_t components, type[4];
    uint16_t format;
    char rgba[5];
};
static const struct row rows[] = {
#define MAXWELL_FORMAT(components, r, g, b, a, format, rgba)                                                           \
    {SCH_HEADER_COMPONENTS_##components, {TYPE_##r, TYPE_##g, TYPE_##b, TYPE_##a}, SCH_FORMAT_##format, rgba},
#include "isa/maxwell_headers.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

struct pair {
    uint16_t linear, srgb;
};
static const struct pair srgb_forms[] = {
#define MAXWELL_SRGB(linear, srgb) {SCH_FORMAT_##linear, SCH_FORMAT_##srgb},
#include "isa/maxwell_headers.def"
};

enum { SWIZZLE_ZERO = 4, SWIZZLE_ONE = 5 };

static uint8_t swizzle_of(char letter)
{
    static const char letters[] = "xyzw01";
    return (uint8_t)(strchr(letters, letter) - letters);
}

struct encoding {
    uint8_t components, type[4], source[4];
};

static bool reads(const struct encoding *encoding, unsigned component)
{
    for (unsigned i = 0; i < 4; i++)
        if (encoding->source[i] == SCH_HEADER_SOURCE_R + component) return true;
    return false;
}

/* `whole`: of components that no source reads, too. */
static bool fits(const struct row *row, const struct encoding *encoding, bool whole)
{
    if (row->components != encoding->components) return false;
    for (unsigned i = 0; i < 4; i++)
        if (row->type[i] != TYPE_NO && row->type[i] != encoding->type[i] && (whole || reads(encoding, i))) return false;
    return true;
}

/* One of all the types where there is one: a missing component has the one of their kind. NULL: none. */
static const struct row *find_row(const struct encoding *encoding)
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < ROWS; i++)
            if (fits(&rows[i], encoding, pass == 0)) return &rows[i];
    return NULL;
}

static enum sch_result refuse(struct sch_diagnostics *diagnostics, unsigned code, const char *what)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){0}, "%s", what);
    return SCH_ERROR_UNSUPPORTED;
}

static const char *word(unsigned vocabulary, unsigned code)
{
    const char *found = sch_header_word(vocabulary, code);
    return found ? found : "(reserved)";
}

static enum sch_result refuse_format(const struct encoding *encoding, struct sch_diagnostics *diagnostics)
{
    bool known = false;
    for (unsigned i = 0; i < ROWS; i++) known |= rows[i].components == encoding->components;
    if (!known)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_HEADER_FORMAT, (struct sch_position){0},
                            "COMPONENTS 0x%02x, %s: texels of this layout are not read", encoding->components,
                            word(SCH_HEADER_WORDS_COMPONENTS, encoding->components));
    else
        sch_diagnostics_add(
            diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_HEADER_DATA_TYPE, (struct sch_position){0},
            "COMPONENTS %s is not read with R_, G_, B_ and A_DATA_TYPE %s, %s, %s, %s and these sources",
            word(SCH_HEADER_WORDS_COMPONENTS, encoding->components),
            word(SCH_HEADER_WORDS_DATA_TYPE, encoding->type[0]), word(SCH_HEADER_WORDS_DATA_TYPE, encoding->type[1]),
            word(SCH_HEADER_WORDS_DATA_TYPE, encoding->type[2]), word(SCH_HEADER_WORDS_DATA_TYPE, encoding->type[3]));
    return SCH_ERROR_UNSUPPORTED;
}

/* X, Y, Z and W of the result. A one whose kind (integer or float) is not the format's is put in after the lookup. */
static enum sch_result read_sources(const struct row *row, const struct encoding *encoding,
                                    struct sch_diagnostics *diagnostics, struct sch_maxwell_texture *texture)
{
    bool integers = tex_formats[row->format].flags & TEX_INTEGER;
    for (unsigned i = 0; i < 4; i++) {
        unsigned source = encoding->source[i];
        bool one = source == SCH_HEADER_SOURCE_ONE_INT || source == SCH_HEADER_SOURCE_ONE_FLOAT;
        if (source >= SCH_HEADER_SOURCE_R && source <= SCH_HEADER_SOURCE_A) {
            texture->swizzle[i] = texture->component[source - SCH_HEADER_SOURCE_R];
        } else if (one && (source == SCH_HEADER_SOURCE_ONE_INT) == integers) {
            texture->swizzle[i] = SWIZZLE_ONE;
        } else if (one) {
            texture->swizzle[i] = SWIZZLE_ZERO;
            texture->fixed_mask |= (uint8_t)(1u << i);
            texture->fixed[i] = integers ? 0x3f800000 : 1;
        } else if (source == SCH_HEADER_SOURCE_ZERO) {
            texture->swizzle[i] = SWIZZLE_ZERO;
        } else {
            sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RESERVED_CODE, (struct sch_position){0},
                                "%c_SOURCE %u is reserved", "XYZW"[i], source);
            return SCH_ERROR_INVALID;
        }
    }
    return SCH_OK;
}

static enum sch_result convert_srgb(struct sch_diagnostics *diagnostics, struct sch_maxwell_texture *texture)
{
    if (!texture->srgb) return SCH_OK;
    for (unsigned i = 0; i < sizeof srgb_forms / sizeof *srgb_forms; i++)
        if (srgb_forms[i].linear == texture->format) {
            texture->format = srgb_forms[i].srgb;
            return SCH_OK;
        }
    return refuse(diagnostics, SCH_D_MAXWELL_HEADER_SRGB,
                  "S_R_G_B_CONVERSION: only UNORM texels of A8B8G8R8, X8B8G8R8, G8R8, R8, B5G6R5, DXT1, DXT23, DXT45, "
                  "BC7U, ETC2 and ASTC are converted");
}

enum sch_result sch_maxwell_header_format(const uint32_t *words, struct sch_diagnostics *diagnostics,
                                          struct sch_maxwell_texture *texture)
{
    struct encoding encoding = {.components = (uint8_t)sch_header_field_get(words, SCH_HEADER_FIELD_COMPONENTS)};
    for (unsigned i = 0; i < 4; i++) {
        encoding.type[i] = (uint8_t)sch_header_field_get(words, SCH_HEADER_FIELD_R_DATA_TYPE + i);
        encoding.source[i] = (uint8_t)sch_header_field_get(words, SCH_HEADER_FIELD_X_SOURCE + i);
    }
    if (sch_header_field_get(words, SCH_HEADER_FIELD_PACK_COMPONENTS))
        return refuse(diagnostics, SCH_D_MAXWELL_HEADER_FORMAT,
                      "PACK_COMPONENTS: packed results are not made (no source says what they are)");
    const struct row *row = find_row(&encoding);
    if (!row) return refuse_format(&encoding, diagnostics);

    texture->format = texture->format_linear = row->format;
    texture->srgb = sch_header_field_get(words, SCH_HEADER_FIELD_S_R_G_B_CONVERSION);
    for (unsigned i = 0; i < 4; i++) texture->component[i] = swizzle_of(row->rgba[i]);
    enum sch_result status = read_sources(row, &encoding, diagnostics, texture);
    return status == SCH_OK ? convert_srgb(diagnostics, texture) : status;
}
