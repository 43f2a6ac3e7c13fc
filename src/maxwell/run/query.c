/* TXQ: what a header says of its texture. The tables of results are rows of maxwell/run/queries.def; docs/maxwell.md,
 * "Execution", has what the page leaves open. Reads no texels. */
#include <string.h>

#include "maxwell/run/machine.h"

enum value { ZERO, ONE, WIDTH, HEIGHT, DEPTH, LENGTH, LEVELS, SINGLE_ZERO_ONE, SINGLE_ZERO_DEPTH };

static const uint8_t dimensions[][4] = {
#define MAXWELL_DIMENSION(type, r, g, b, a) [SCH_MAXWELL_##type] = {r, g, b, a},
#include "maxwell/run/queries.def"
#undef MAXWELL_DIMENSION
};

bool sch_maxwell_query_is_known(unsigned query)
{
    return query == SCH_MAXWELL_HEADER_DIMENSION || query == SCH_MAXWELL_HEADER_TEXTURE_TYPE ||
           query == SCH_MAXWELL_HEADER_SAMPLER_POS;
}

/* ---- dimensions ---- */

/* `level` is one of a header: below 16. */
static uint32_t shrunk(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static uint32_t level_count(const struct sch_maxwell_texture *texture)
{
    return texture->view_max_level - texture->view_min_level + 1;
}

/* Levels count from RES_VIEW_MIN_MIP_LEVEL; a level that the view does not have has no size. */
static uint32_t dimension(const struct sch_maxwell_texture *texture, unsigned value, uint32_t level)
{
    const bool there = level < level_count(texture);
    const uint32_t at = texture->view_min_level + level;
    switch ((enum value)value) {
    case ONE:
        return 1;
    case LEVELS:
        return level_count(texture);
    case WIDTH:
        return there ? shrunk(texture->width, at) : 0;
    case HEIGHT:
        return there ? shrunk(texture->height, at) : 0;
    case DEPTH:
        return there ? shrunk(texture->depth, at) : 0;
    case LENGTH:
        return there ? texture->depth : 0;
    case SINGLE_ZERO_ONE:
        return there && texture->samples > 1;
    case SINGLE_ZERO_DEPTH:
        return there && texture->samples > 1 ? texture->depth : 0;
    case ZERO:
        break;
    }
    return 0;
}

static void query_dimension(const struct sch_maxwell_texture *texture, const struct sch_lanes *level,
                            struct sch_lanes *const result[4])
{
    const uint8_t *row = dimensions[texture->type];
    /* If there is only one level, it is meant. */
    const bool one_level = row[3] == ONE || texture->samples > 1;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        for (unsigned c = 0; c < 4; c++) result[c]->u[i] = dimension(texture, row[c], one_level ? 0 : level->u[i]);
}

/* ---- samples ---- */

struct offset {
    int8_t x, y;
    bool there;
};

static const struct offset standard[17][16] = {
#define SAMPLE_AT(samples, number, x, y) [samples][number] = {x, y, true},
#include "isa/sample_positions.def"
#undef SAMPLE_AT
};
static const struct offset own[16][16] = {
#define MAXWELL_SAMPLE_AT(mode, number, x, y) [mode][number] = {x, y, true},
#include "maxwell/run/queries.def"
#undef MAXWELL_SAMPLE_AT
};

/* {dy, dx}, each S4.12 in 16 bits. 0 for a sample that is not there. */
static uint32_t packed_position(const struct sch_maxwell_texture *texture, uint32_t number)
{
    if (number >= texture->samples) return 0;
    const struct offset *at = &own[texture->sample_mode][number];
    if (!at->there) at = &standard[texture->samples][number];
    const uint32_t sixteenth = 1 << (12 - 4);
    const uint32_t x = (uint32_t)at->x * sixteenth, y = (uint32_t)at->y * sixteenth;
    return (y & 0xffff) << 16 | (x & 0xffff);
}

void sch_maxwell_query(const struct sch_maxwell_texture *texture, unsigned query, const struct sch_lanes *operand,
                       struct sch_lanes *const result[4])
{
    for (unsigned c = 0; c < 4; c++) memset(result[c], 0, sizeof *result[c]);
    if (query == SCH_MAXWELL_HEADER_DIMENSION) {
        query_dimension(texture, operand, result);
        return;
    }
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
        if (query == SCH_MAXWELL_HEADER_TEXTURE_TYPE) result[2]->u[i] = texture->samples;
        if (query == SCH_MAXWELL_HEADER_SAMPLER_POS) result[0]->u[i] = packed_position(texture, operand->u[i]);
    }
}
