/* See texture_file.h. docs/resources.md, "Formats that a kind does not hold", has the rules of choose(). */

#include "texture_data.h"
#include "texture_file.h"

/* Tried with one texel, or block. */
bool sch_cli_texture_file_holds(enum sch_file_kind kind, enum sch_format format)
{
    uint8_t texel[64] = {0};
    struct sch_format_info info = {.size = sizeof info};
    struct sch_file_bytes file = {0};
    sch_format_get_info(format, &info);
    if (!info.block_bytes || info.block_bytes > sizeof texel) return false;
    const struct sch_file_texture texture = sch_cli_flat(format, 1, 1, texel, info.block_bytes);
    const bool good = sch_file_texture_write(NULL, kind, &texture, &file, NULL) == SCH_OK;
    sch_file_bytes_release(&file);
    return good;
}

enum number { UN8, SRGB8, UN16, F16, F32, UI32, SI32, NUMBERS };
static const enum sch_format formats[NUMBERS][4] = {
    [UN8] = {SCH_FORMAT_R8_UNORM, SCH_FORMAT_R8G8_UNORM, SCH_FORMAT_R8G8B8_UNORM, SCH_FORMAT_R8G8B8A8_UNORM},
    [SRGB8] = {SCH_FORMAT_R8_SRGB, SCH_FORMAT_R8G8_SRGB, SCH_FORMAT_R8G8B8_SRGB, SCH_FORMAT_R8G8B8A8_SRGB},
    [UN16] = {SCH_FORMAT_R16_UNORM, SCH_FORMAT_R16G16_UNORM, SCH_FORMAT_R16G16B16_UNORM, SCH_FORMAT_R16G16B16A16_UNORM},
    [F16] = {SCH_FORMAT_R16_FLOAT, SCH_FORMAT_R16G16_FLOAT, SCH_FORMAT_R16G16B16_FLOAT, SCH_FORMAT_R16G16B16A16_FLOAT},
    [F32] = {SCH_FORMAT_R32_FLOAT, SCH_FORMAT_R32G32_FLOAT, SCH_FORMAT_R32G32B32_FLOAT, SCH_FORMAT_R32G32B32A32_FLOAT},
    [UI32] = {SCH_FORMAT_R32_UINT, SCH_FORMAT_R32G32_UINT, SCH_FORMAT_R32G32B32_UINT, SCH_FORMAT_R32G32B32A32_UINT},
    [SI32] = {SCH_FORMAT_R32_SINT, SCH_FORMAT_R32G32_SINT, SCH_FORMAT_R32G32B32_SINT, SCH_FORMAT_R32G32B32A32_SINT}};

/* Numbers that hold those of another kind best, the best one first. */
static const enum number nearest[NUMBERS][4] = {
    [UN8] = {UN8, UN16, F32, NUMBERS}, [SRGB8] = {SRGB8, F32, UN16, UN8}, [UN16] = {UN16, F32, UN8, NUMBERS},
    [F16] = {F16, F32, UN16, UN8},     [F32] = {F32, UN16, UN8, NUMBERS}, [UI32] = {UI32, NUMBERS},
    [SI32] = {SI32, NUMBERS}};

/* Likewise numbers of channels: colours are never left away, alpha where nothing else is left. */
static const uint8_t channel_orders[4][3] = {{1, 4, 3}, {2, 4, 3}, {3, 4, 4}, {4, 3, 3}};

static enum number number_kind(const struct sch_format_info *info)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < 4; i++)
        if (info->color_bits[i] > most) most = info->color_bits[i];
    switch (info->component_type) {
    case SCH_COMPONENT_UINT:
        return UI32;
    case SCH_COMPONENT_SINT:
        return SI32;
    case SCH_COMPONENT_FLOAT:
        return most <= 16 ? F16 : F32;
    case SCH_COMPONENT_UNORM:
        return info->srgb ? SRGB8 : most <= 8 ? UN8 : most <= 16 ? UN16 : F32;
    default: /* numbers beyond 0 to 1 */
        return F32;
    }
}

static unsigned channels_of(const struct sch_format_info *info)
{
    return info->color_bits[3] ? 4 : info->color_bits[2] ? 3 : info->color_bits[1] ? 2 : 1;
}

static enum sch_format choose(enum sch_file_kind kind, enum sch_format format)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(format, &info);
    const uint8_t *channels = channel_orders[channels_of(&info) - 1];
    const enum number *numbers = nearest[number_kind(&info)];
    for (unsigned n = 0; n < 4 && numbers[n] != NUMBERS; n++)
        for (unsigned c = 0; c < 3; c++) {
            const enum sch_format chosen = formats[numbers[n]][channels[c] - 1];
            if (chosen != format && sch_cli_texture_file_holds(kind, chosen)) return chosen;
        }
    return SCH_FORMAT_NONE;
}

enum sch_cli_exit sch_cli_texture_fit(struct sch_context *context, const char *path, enum sch_file_kind kind,
                                      struct sch_file_texture *texture)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(texture->format, &info);
    if (!info.block_bytes) return SCH_CLI_NO;
    enum sch_format format = SCH_FORMAT_NONE;
    if (info.parts & SCH_PART_DEPTH) /* as depth, where there is a word for it; else as red */
        format = sch_cli_texture_file_holds(kind, SCH_FORMAT_Z32_FLOAT)   ? SCH_FORMAT_Z32_FLOAT
                 : sch_cli_texture_file_holds(kind, SCH_FORMAT_Z16_UNORM) ? SCH_FORMAT_Z16_UNORM
                                                                          : SCH_FORMAT_NONE;
    if (!(info.parts & SCH_PART_COLOR) && format == SCH_FORMAT_NONE) {
        const enum sch_cli_exit exit_code = sch_cli_texture_as_color(context, path, texture);
        if (exit_code != SCH_CLI_YES || sch_cli_texture_file_holds(kind, texture->format)) return exit_code;
    }
    if (format == SCH_FORMAT_NONE) format = choose(kind, texture->format);
    if (format == SCH_FORMAT_NONE) return SCH_CLI_NO;
    return sch_cli_texture_convert(context, path, texture, format);
}
