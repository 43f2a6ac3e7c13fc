/* A rectangle of pixels, for the two files of that source of work: how groups are loaded and stored, in quads, row by
 * row. */
#ifndef SCH_RUN_RECTANGLE_H
#define SCH_RUN_RECTANGLE_H

#include "exec/group.h"

/* Where a group is among the tiles of a rectangle: the tile's first group and row, its size, and the place in it. */
struct sch_run_tile {
    uint32_t group, row, groups, rows;
    uint32_t group_in, row_in;
};

/* Where a machine's group is: the lanes as floats, and its quads, which begin in a row of quads and may continue in the
 * next ones. */
struct sch_run_pixels {
    struct sch_lanes x, y;
    uint32_t column, row;  /* of the first quad, in quads */
    uint32_t quads, whole; /* in the group; of them in that row */
    uint32_t kept_row;     /* the row whose y the lanes and planes have, plus one; 0: none */
    struct sch_run_tile tile;
};

/* A channel of the state that is the same everywhere. */
struct sch_run_uniform {
    uint32_t channel, word;
};

struct sch_run_area {
    struct sch_exec_source source;
    const struct sch_rectangle *given;
    const struct sch_heat *heat; /* NULL if not wanted */
    uint32_t across, down;       /* quads */
    uint32_t *channels;          /* of the planes, ascending */
    struct sch_group_plane *planes;
    uint8_t *divisions; /* theirs */
    uint32_t *order;    /* of evaluating them: first those that are the same all along a row */
    struct sch_run_uniform *words;
    struct sch_group_target *targets; /* NULL: there are no spans */
    uint32_t plane_count, word_count;
    uint32_t row_count;                /* of the first ones */
    bool tiled;                        /* groups run tile by tile; each is in one row */
    bool *given_values, *given_inputs; /* by register of SV, IN: the caller says what it is */
    struct sch_exec_spans spans;
};

/* Quads `first` to `first + quads - 1` of a group, in one row: most groups are one piece. */
struct sch_run_piece {
    uint32_t column, row; /* of the first quad, in quads */
    uint32_t first, quads;
};

enum { SCH_RUN_GROUP_QUADS = SCH_GROUP_LANES / SCH_QUAD_LANES };

static inline const struct sch_run_area *sch_run_area_of(const struct sch_exec_source *source)
{
    return (const struct sch_run_area *)source;
}

static inline struct sch_run_piece sch_run_first_piece(const struct sch_run_pixels *at)
{
    return (struct sch_run_piece){.column = at->column, .row = at->row, .quads = at->whole};
}

static inline struct sch_run_piece sch_run_next_piece(const struct sch_run_area *area,
                                                      const struct sch_run_piece *piece, uint32_t quads)
{
    struct sch_run_piece next = {.row = piece->row + 1, .first = piece->first + piece->quads};
    next.quads = quads - next.first < area->across ? quads - next.first : area->across;
    return next;
}

/* Lanes of a piece that are outside of the rectangle: the right column of a last quad, the lower row of the last
 * row. */
static inline uint32_t sch_run_outside(const struct sch_run_area *area, const struct sch_run_piece *piece)
{
    uint32_t lanes = 0, last = piece->first + piece->quads - 1;
    if (area->given->width & 1 && piece->column + piece->quads == area->across) lanes |= UINT32_C(0xa) << 4 * last;
    if (area->given->height & 1 && piece->row + 1 == area->down)
        lanes |= (UINT32_C(0xcccccccc) >> (SCH_GROUP_LANES - 4 * piece->quads)) << 4 * piece->first;
    return lanes;
}

/* run/targets.c: the colours of a group. */
void sch_run_store_colors(const struct sch_exec_source *source, const struct sch_exec_machine *machine);

#endif
