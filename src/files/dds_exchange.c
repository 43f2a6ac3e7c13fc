/* DXT5 blocks whose alpha is red become texels. The numbers are those of docs/blocks.md (Direct3D 19.5.6), which the
 * core's decoder has for lookups; this library does not link it. */
#include "files/dds_exchange.h"

enum { SIDE = 4, BLOCK_BYTES = 16, TEXEL_BYTES = 4 };

/* The eight values of the alpha part: two endpoints, and six or four between them. */
static void alphas(const uint8_t *block, uint32_t values[8])
{
    const uint32_t a = block[0], b = block[1], steps = a > b ? 7 : 5;
    values[0] = a;
    values[1] = b;
    for (uint32_t i = 1; i < steps; i++) values[1 + i] = ((steps - i) * a + i * b) / steps;
    if (steps == 7) return;
    values[6] = 0;
    values[7] = 0xff;
}

/* Green and blue of the four colours: red is in the alpha part. */
static void colors(const uint8_t *part, uint32_t green[4], uint32_t blue[4])
{
    for (int i = 0; i < 2; i++) {
        const uint32_t code = part[2 * i] | (uint32_t)part[2 * i + 1] << 8;
        const uint32_t g = code >> 5 & 0x3f, b = code & 0x1f;
        green[i] = g << 2 | g >> 4;
        blue[i] = b << 3 | b >> 2;
    }
    green[2] = (2 * green[0] + green[1]) / 3;
    green[3] = (green[0] + 2 * green[1]) / 3;
    blue[2] = (2 * blue[0] + blue[1]) / 3;
    blue[3] = (blue[0] + 2 * blue[1]) / 3;
}

static void decode(const uint8_t *block, uint8_t texels[SIDE * SIDE][TEXEL_BYTES])
{
    uint32_t red[8], green[4], blue[4];
    uint64_t codes = 0;
    alphas(block, red);
    colors(block + 8, green, blue);
    for (int i = 0; i < 6; i++) codes |= (uint64_t)block[2 + i] << 8 * i;
    const uint32_t places = sch_word_at(block + 12);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const uint32_t place = places >> 2 * i & 3;
        texels[i][0] = (uint8_t)red[codes >> 3 * i & 7];
        texels[i][1] = (uint8_t)green[place];
        texels[i][2] = (uint8_t)blue[place];
        texels[i][3] = 0xff;
    }
}

/* The slices of all layers of a level follow each other in both. */
static void decode_level(const struct sch_files_level *blocks, const uint8_t *from, const struct sch_files_level *level,
                         uint8_t *to)
{
    uint8_t texels[SIDE * SIDE][TEXEL_BYTES];
    const size_t slices = level->bytes / level->slice_bytes;
    for (size_t slice = 0; slice < slices; slice++, to += level->slice_bytes)
        for (uint32_t row = 0; row < blocks->rows; row++)
            for (uint32_t column = 0; column < blocks->row_bytes / BLOCK_BYTES; column++, from += BLOCK_BYTES) {
                decode(from, texels);
                for (uint32_t i = 0; i < SIDE * SIDE; i++) {
                    const uint32_t x = column * SIDE + i % SIDE, y = row * SIDE + i / SIDE;
                    if (x >= level->width || y >= level->height) continue;
                    memcpy(to + y * level->row_bytes + (size_t)x * TEXEL_BYTES, texels[i], TEXEL_BYTES);
                }
            }
}

enum sch_result sch_dds_exchange(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct sch_file_texture blocks = *texture;
    texture->format = SCH_FORMAT_R8G8B8A8_UNORM;
    texture->texels = NULL;
    texture->bytes = 0;
    const enum sch_result result = sch_files_allocate(reader, texture);
    if (result == SCH_OK) {
        sch_files_warn(reader, SCH_D_FILE_HEADER, "RXGB: DXT5 whose alpha is red, read as R8G8B8A8_UNORM");
        for (uint32_t i = 0; i < texture->levels; i++) {
            const struct sch_files_level from = sch_files_level(&blocks, i), to = sch_files_level(texture, i);
            decode_level(&from, blocks.texels + from.offset, &to, texture->texels + to.offset);
        }
    }
    blocks.memory.free(blocks.memory.user, blocks.texels);
    return result;
}
