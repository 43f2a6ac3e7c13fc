/* Levels made of those before them: the box filter of docs/resources.md, "Mip chains". Which texels a mean is of is
 * decided here, what the mean is in src/ops. */
#include "texture/convert.h"
#include "texture/transfers.h"

enum { X, Y, Z, AXES, MOST = SCH_MEAN_COLUMNS };

/* Texels of the level before that texel i of an axis covers, in units in which all weights are whole; their number. An
 * axis of 2 n texels has pairs; of 2 n + 1 texels each covers 2 + 1/n. */
static unsigned cover(uint32_t side, uint32_t i, uint32_t at[MOST], uint32_t weight[MOST])
{
    const uint32_t half = side / 2;
    for (unsigned n = 0; n < MOST; n++) {
        at[n] = 2 * i + n;
        weight[n] = 1;
    }
    if (side == 1) return 1;
    if (side % 2 == 0) return 2;
    weight[0] = half - i;
    weight[1] = half;
    weight[2] = i + 1;
    return 3;
}

/* The sum of the weights. */
static uint32_t total_of(uint32_t side) { return side % 2 ? side : 2; }

/* One level and the level before it. */
struct step {
    const struct sch_ops *ops;
    struct sch_texels from, to;
    unsigned components;
    bool volume;    /* slices are reduced, too */
    uint32_t first; /* layer or slice */
};

/* Groups of texels of a row. */
static void write_row(const struct step *step, const struct sch_mean *rows, uint8_t *to)
{
    struct sch_mean mean = *rows;
    const uint32_t side = step->from.surface.side[X], width = step->to.surface.side[X];
    struct sch_lanes x[MOST], weight[MOST];
    for (unsigned n = 0; n < MOST; n++) {
        mean.x[n] = &x[n];
        mean.weight[n] = &weight[n];
    }
    for (uint32_t first = 0; first < width; first += SCH_GROUP_LANES) {
        const uint32_t count = width - first < SCH_GROUP_LANES ? width - first : SCH_GROUP_LANES;
        for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
            uint32_t at[MOST], weights[MOST];
            mean.columns = cover(side, first + (i < count ? i : 0), at, weights);
            for (unsigned n = 0; n < MOST; n++) {
                x[n].u[i] = at[n];
                weight[n].u[i] = weights[n];
            }
        }
        step->ops->texels_mean(step->to.format, step->components, &mean,
                               to + (size_t)first * step->to.surface.block.bytes, count);
    }
}

/* Row y of slice z. */
static void reduce_row(const struct step *step, uint32_t z, uint32_t y)
{
    const struct sch_texture_surface *from = &step->from.surface;
    uint32_t row[MOST], row_weight[MOST], slice[MOST] = {z}, slice_weight[MOST] = {1};
    const unsigned rows = cover(from->side[Y], y, row, row_weight),
                   slices = step->volume ? cover(from->side[Z], z, slice, slice_weight) : 1;
    struct sch_mean mean = {.rows = rows * slices,
                            .total = (int64_t)total_of(from->side[X]) * total_of(from->side[Y]) *
                                     (step->volume ? total_of(from->side[Z]) : 1)};
    for (unsigned s = 0; s < slices; s++)
        for (unsigned r = 0; r < rows; r++) {
            const size_t at = (size_t)s * rows + r;
            mean.row[at].texels = sch_surface_row(from, slice[s], row[r]);
            mean.row[at].weight = (int64_t)slice_weight[s] * row_weight[r];
        }
    write_row(step, &mean, sch_surface_row(&step->to.surface, z, y));
}

static void reduce_rows(void *user, uint64_t first, uint64_t count)
{
    const struct step *step = user;
    const uint32_t rows = step->to.surface.side[Y];
    for (uint64_t n = first; n < first + count; n++)
        reduce_row(step, step->first + (uint32_t)(n / rows), (uint32_t)(n % rows));
}

static enum sch_result check_format(const struct sch_texels *texels, struct sch_diagnostics *diagnostics)
{
    const enum sch_result written = sch_texels_check_written(texels, diagnostics);
    if (written != SCH_OK || texels->averaged) return written;
    return sch_texels_refuse(SCH_ERROR_UNSUPPORTED, diagnostics, "mips: there are no means of format %s",
                             sch_texels_format_name(texels->format));
}

/* Which levels are made, and of which layers; counts of 0 are all that follow. */
static bool take_ranges(const struct sch_texture *texture, const struct sch_mips *mips, uint32_t *levels,
                        uint32_t *layers, struct sch_diagnostics *diagnostics)
{
    const uint32_t first = mips->first_layer, behind = texture->levels - 1 - mips->base_level;
    *levels = mips->level_count ? mips->level_count : behind;
    if (*levels > behind)
        return sch_refuse_argument(diagnostics, ".level_count", "mips: %u levels after level %u, of %u", *levels,
                                   mips->base_level, texture->levels);
    *layers = mips->layer_count || first >= texture->layers ? mips->layer_count : texture->layers - first;
    if (first < texture->layers && *layers <= texture->layers - first) return true;
    return sch_refuse_argument(diagnostics, first < texture->layers ? ".layer_count" : ".first_layer",
                               "mips: %u layers from %u on, of %u", *layers, first, texture->layers);
}

enum sch_result sch_texture_make_mips(struct sch_texture_resource *resource, const struct sch_mips *mips,
                                      const struct sch_moving *moving, struct sch_diagnostics *diagnostics)
{
    static const struct sch_texels_names names = {".base_level", ".format"};
    struct step step = {.ops = sch_ops_for_width(0)};
    uint32_t levels = 0, layers = 0;
    enum sch_result result = sch_texels_of(resource, mips->base_level, mips->format, &names, &step.to, diagnostics);
    if (result == SCH_OK) result = check_format(&step.to, diagnostics);
    if (result != SCH_OK) return result;
    if (!take_ranges(sch_texture_of(resource), mips, &levels, &layers, diagnostics)) return SCH_ERROR_ARGUMENT;
    step.volume = sch_target_facts(sch_texture_resource_shape(resource)->target)->axes == 3;
    step.components = sch_texels_components(&step.to, step.to.parts);
    for (uint32_t n = 1; n <= levels; n++) {
        step.from = step.to;
        result = sch_texels_of(resource, mips->base_level + n, mips->format, &names, &step.to, diagnostics);
        if (result != SCH_OK) return result;
        step.first = step.volume ? 0 : mips->first_layer;
        const uint64_t rows = (uint64_t)(step.volume ? step.to.surface.side[Z] : layers) * step.to.surface.side[Y],
                       texels = (uint64_t)step.to.surface.side[X] * (step.volume ? 8 : 4);
        result = sch_moving_run(moving, rows, texels * SCH_MOVING_TEXEL, reduce_rows, &step);
        if (result != SCH_OK) return result;
    }
    return SCH_OK;
}
