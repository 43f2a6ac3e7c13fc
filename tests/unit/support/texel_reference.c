/* Components, writes and means of texels, in whole numbers and in the documented orders of binary64. */
#include "texel_reference.h"

#include <math.h>
#include <string.h>

#include "abi/texture.h"

__extension__ typedef __int128 wide;

bool ref_is_depth(const struct ref_row *row) { return strcmp(row->space, "ZS") == 0; }

bool ref_is_written(const struct ref_row *row) { return row->stored || (row->read && ref_is_depth(row)); }

bool ref_is_integer(const struct ref_row *row)
{
    return row->wide || (!ref_is_depth(row) && (strstr(row->name, "UINT") || strstr(row->name, "SINT")));
}

bool ref_has_means(const struct ref_row *row)
{
    for (unsigned i = 0; i < row->channels; i++)
        if (row->channel[i].type[1] == 'p') return false;
    return ref_is_written(row);
}

bool ref_is_exact(const struct ref_row *row)
{
    const char *type = NULL;
    if (strcmp(row->space, "SRGB") == 0 || strcmp(row->layout, "PLAIN")) return false;
    for (unsigned i = 0; i < row->channels; i++) {
        const struct ref_channel_text *channel = &row->channel[i];
        if (channel->type[0] == 'x') continue;
        if (channel->bits > 16 || channel->type[1] != 'n' || (type && strcmp(type, channel->type))) return false;
        type = channel->type;
    }
    return true;
}

uint32_t ref_word(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return isnan(f) ? 0x7fc00000u : u;
}

uint32_t ref_channel_at(const struct ref_row *row, const uint8_t *block, unsigned channel)
{
    return ref_bits_at(block, row->channel[channel].offset, row->channel[channel].bits);
}

void ref_put_channel(const struct ref_row *row, uint8_t *block, unsigned channel, uint32_t code)
{
    for (unsigned b = 0; b < row->channel[channel].bits; b++) {
        unsigned at = row->channel[channel].offset + b;
        block[at / 8] = (uint8_t)((block[at / 8] & ~(1u << at % 8)) | (code >> b & 1u) << at % 8);
    }
}

void ref_components(const struct ref_row *row, const uint8_t *block, unsigned x, uint32_t value[4])
{
    ref_texel_decode(row, SCH_RULES_TGSI, block, x, value);
    if (!ref_is_depth(row)) return;
    if (row->swizzle[0] == '_') value[0] = 0;
    value[1] =
        row->swizzle[1] == '_' ? 0 : ref_channel_at(row, block, (unsigned)(strchr("xyzw", row->swizzle[1]) - "xyzw"));
    value[2] = value[3] = 0;
}

/* The component that a channel is stored from; -1: none. */
static int source_of(const struct ref_row *row, unsigned channel)
{
    const char *from = strchr(row->swizzle, "xyzw"[channel]);
    return from && row->channel[channel].type[0] != 'x' ? (int)(from - row->swizzle) : -1;
}

/* Bits of no channel become 0, but of depth and stencil formats they stay. */
static void keep(const struct ref_row *row, unsigned components, const uint8_t *old, uint8_t *block)
{
    for (unsigned i = 0; i < row->channels; i++) {
        const int from = source_of(row, i);
        if (from < 0 ? ref_is_depth(row) : !(components >> from & 1))
            ref_put_channel(row, block, i, ref_channel_at(row, old, i));
    }
}

void ref_write(const struct ref_row *row, unsigned components, const uint32_t value[4], uint8_t *block)
{
    uint32_t all[4];
    uint8_t old[REF_BLOCK_BYTES];
    memcpy(all, value, sizeof all);
    memcpy(old, block, row->bytes);
    if (strcmp(row->name, "R9G9B9E5_FLOAT") == 0) { /* one exponent for all: encoded together */
        uint32_t before[4];
        ref_components(row, old, 0, before);
        for (unsigned c = 0; c < 3; c++)
            if (!(components >> c & 1)) all[c] = before[c];
        ref_texel_encode(row, SCH_RULES_TGSI, all, block);
        return;
    }
    ref_texel_encode(row, SCH_RULES_TGSI, all, block);
    keep(row, components, old, block);
}

static int64_t total_of(const struct ref_mean *mean)
{
    int64_t across = 0, down = 0;
    for (unsigned c = 0; c < mean->columns; c++) across += mean->column_weight[c];
    for (unsigned r = 0; r < mean->rows; r++) down += mean->row_weight[r];
    return across * down;
}

/* Of a channel's codes: to the nearest code, ties to even; SNORM's least code counts as the next. */
static uint32_t mean_code(const struct ref_row *row, const struct ref_mean *mean, unsigned channel)
{
    wide sum = 0;
    const bool is_signed = row->channel[channel].type[0] == 's';
    const unsigned bits = row->channel[channel].bits;
    for (unsigned r = 0; r < mean->rows; r++)
        for (unsigned c = 0; c < mean->columns; c++) {
            int64_t code = ref_channel_at(row, mean->texel[r][c], channel);
            if (is_signed && code >> (bits - 1)) code -= (int64_t)1 << bits;
            if (is_signed && code == -((int64_t)1 << (bits - 1))) code++;
            sum += (wide)code * mean->column_weight[c] * mean->row_weight[r];
        }
    const bool negative = sum < 0;
    const wide magnitude = negative ? -sum : sum, total = total_of(mean), rest = magnitude % total * 2;
    wide code = magnitude / total;
    if (rest > total || (rest == total && code % 2)) code++;
    return (uint32_t)(int32_t)(negative ? -code : code);
}

/* Of components: rows of columns in binary64, in their order. */
static uint32_t mean_component(const struct ref_row *row, const struct ref_mean *mean, unsigned component)
{
    double sum = 0;
    for (unsigned r = 0; r < mean->rows; r++) {
        double line = 0;
        for (unsigned c = 0; c < mean->columns; c++) {
            uint32_t value[4];
            float f;
            ref_components(row, mean->texel[r][c], 0, value);
            memcpy(&f, &value[component], sizeof f);
            line += (double)f * (double)mean->column_weight[c];
        }
        sum += line * (double)mean->row_weight[r];
    }
    return ref_word((float)(sum / (double)total_of(mean)));
}

void ref_write_mean(const struct ref_row *row, unsigned components, const struct ref_mean *mean, uint8_t *block)
{
    uint32_t value[4] = {0};
    if (!ref_is_exact(row)) {
        for (unsigned c = 0; c < 4; c++) value[c] = mean_component(row, mean, c);
        ref_write(row, components, value, block);
        return;
    }
    ref_write(row, components, value, block);
    for (unsigned c = 0; c < row->channels; c++) {
        const int from = source_of(row, c);
        if (from >= 0 && components >> from & 1) ref_put_channel(row, block, c, mean_code(row, mean, c));
    }
}
