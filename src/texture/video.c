/* Pictures of luma and chroma become colours: docs/resources.md, "Video". Holds the layouts of the formats and the
 * numbers of the matrices; the arithmetic is src/ops/texture/video.c. */
#include "texture/convert.h"
#include "texture/transfers.h"

/* ---- formats ---- */

/* Where a component's samples are. */
struct samples {
    uint8_t plane, offset;            /* of the first one, in bytes */
    uint8_t bytes, step, shift, bits; /* as struct sch_video_samples */
};

struct layout {
    uint16_t format;
    uint8_t significant;  /* the highest bits of a sample are its code */
    uint8_t across, down; /* of chroma: a sample for so many texels */
    struct samples y, u, v, alpha;
};

#define NOTHING                                                                                                        \
    {                                                                                                                  \
        0                                                                                                              \
    }
/* Samples of whole bytes: plane, first byte, bytes from one to the next. */
#define BYTES(plane, offset, step)                                                                                     \
    {                                                                                                                  \
        plane, offset, 1, step, 0, 8                                                                                   \
    }
#define WORDS(plane, offset, step)                                                                                     \
    {                                                                                                                  \
        plane, offset, 2, step, 0, 16                                                                                  \
    }
/* In words of 32 bits. */
#define FIELD(shift, bits)                                                                                             \
    {                                                                                                                  \
        0, 0, 4, 4, shift, bits                                                                                        \
    }

/* The order of planes is that of the names; YV12 and YV16 have V first. G, B and R are luma, U and V, as OpenGL's and
 * Vulkan's conversions name them; R8_G8B8 names the same bytes by the components that they are in. */
static const struct layout layouts[] = {
    {SCH_FORMAT_NV12, 8, 2, 2, BYTES(0, 0, 1), BYTES(1, 0, 2), BYTES(1, 1, 2), NOTHING},
    {SCH_FORMAT_NV21, 8, 2, 2, BYTES(0, 0, 1), BYTES(1, 1, 2), BYTES(1, 0, 2), NOTHING},
    {SCH_FORMAT_R8_G8B8_420_UNORM, 8, 2, 2, BYTES(0, 0, 1), BYTES(1, 0, 2), BYTES(1, 1, 2), NOTHING},
    {SCH_FORMAT_G8_B8R8_420_UNORM, 8, 2, 2, BYTES(0, 0, 1), BYTES(1, 0, 2), BYTES(1, 1, 2), NOTHING},
    {SCH_FORMAT_IYUV, 8, 2, 2, BYTES(0, 0, 1), BYTES(1, 0, 1), BYTES(2, 0, 1), NOTHING},
    {SCH_FORMAT_YV12, 8, 2, 2, BYTES(0, 0, 1), BYTES(2, 0, 1), BYTES(1, 0, 1), NOTHING},
    {SCH_FORMAT_G8_B8_R8_420_UNORM, 8, 2, 2, BYTES(0, 0, 1), BYTES(1, 0, 1), BYTES(2, 0, 1), NOTHING},
    {SCH_FORMAT_YV16, 8, 2, 1, BYTES(0, 0, 1), BYTES(2, 0, 1), BYTES(1, 0, 1), NOTHING},
    {SCH_FORMAT_Y8_U8_V8_422_UNORM, 8, 2, 1, BYTES(0, 0, 1), BYTES(1, 0, 1), BYTES(2, 0, 1), NOTHING},
    {SCH_FORMAT_Y8_U8V8_422_UNORM, 8, 2, 1, BYTES(0, 0, 1), BYTES(1, 0, 2), BYTES(1, 1, 2), NOTHING},
    {SCH_FORMAT_Y8_U8_V8_444_UNORM, 8, 1, 1, BYTES(0, 0, 1), BYTES(1, 0, 1), BYTES(2, 0, 1), NOTHING},
    {SCH_FORMAT_P010, 10, 2, 2, WORDS(0, 0, 2), WORDS(1, 0, 4), WORDS(1, 2, 4), NOTHING},
    {SCH_FORMAT_P012, 12, 2, 2, WORDS(0, 0, 2), WORDS(1, 0, 4), WORDS(1, 2, 4), NOTHING},
    {SCH_FORMAT_P016, 16, 2, 2, WORDS(0, 0, 2), WORDS(1, 0, 4), WORDS(1, 2, 4), NOTHING},
    {SCH_FORMAT_Y16_U16_V16_420_UNORM, 16, 2, 2, WORDS(0, 0, 2), WORDS(1, 0, 2), WORDS(2, 0, 2), NOTHING},
    {SCH_FORMAT_Y16_U16_V16_422_UNORM, 16, 2, 1, WORDS(0, 0, 2), WORDS(1, 0, 2), WORDS(2, 0, 2), NOTHING},
    {SCH_FORMAT_Y16_U16V16_422_UNORM, 16, 2, 1, WORDS(0, 0, 2), WORDS(1, 0, 4), WORDS(1, 2, 4), NOTHING},
    {SCH_FORMAT_Y16_U16_V16_444_UNORM, 16, 1, 1, WORDS(0, 0, 2), WORDS(1, 0, 2), WORDS(2, 0, 2), NOTHING},
    {SCH_FORMAT_YUYV, 8, 2, 1, BYTES(0, 0, 2), BYTES(0, 1, 4), BYTES(0, 3, 4), NOTHING},
    {SCH_FORMAT_UYVY, 8, 2, 1, BYTES(0, 1, 2), BYTES(0, 0, 4), BYTES(0, 2, 4), NOTHING},
    {SCH_FORMAT_Y210, 10, 2, 1, WORDS(0, 0, 4), WORDS(0, 2, 8), WORDS(0, 6, 8), NOTHING},
    {SCH_FORMAT_Y212, 12, 2, 1, WORDS(0, 0, 4), WORDS(0, 2, 8), WORDS(0, 6, 8), NOTHING},
    {SCH_FORMAT_Y216, 16, 2, 1, WORDS(0, 0, 4), WORDS(0, 2, 8), WORDS(0, 6, 8), NOTHING},
    {SCH_FORMAT_Y410, 10, 1, 1, FIELD(10, 10), FIELD(0, 10), FIELD(20, 10), FIELD(30, 2)},
    {SCH_FORMAT_Y412, 12, 1, 1, WORDS(0, 2, 8), WORDS(0, 0, 8), WORDS(0, 4, 8), WORDS(0, 6, 8)},
    {SCH_FORMAT_Y416, 16, 1, 1, WORDS(0, 2, 8), WORDS(0, 0, 8), WORDS(0, 4, 8), WORDS(0, 6, 8)},
    {SCH_FORMAT_AYUV, 8, 1, 1, BYTES(0, 2, 4), BYTES(0, 1, 4), BYTES(0, 0, 4), BYTES(0, 3, 4)},
    {SCH_FORMAT_XYUV, 8, 1, 1, BYTES(0, 2, 4), BYTES(0, 1, 4), BYTES(0, 0, 4), NOTHING},
    {SCH_FORMAT_Y8_UNORM, 8, 1, 1, BYTES(0, 0, 1), NOTHING, NOTHING, NOTHING},
    {SCH_FORMAT_Y8_400_UNORM, 8, 1, 1, BYTES(0, 0, 1), NOTHING, NOTHING, NOTHING},
};

static const struct layout *layout_of(unsigned format)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].format == format) return &layouts[i];
    return NULL;
}

/* ---- numbers ---- */

static int64_t divisor_of(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What red and blue are of luma, in 1/10000: BT.601-7, 2.5.1; BT.709-6, 3.2; BT.2020-2, table 4. The rest is green. */
static void parts_of_luma(enum sch_video_matrix matrix, int64_t *red, int64_t *blue)
{
    static const int64_t parts[][2] = {
        [SCH_MATRIX_BT601] = {2990, 1140}, [SCH_MATRIX_BT709] = {2126, 722}, [SCH_MATRIX_BT2020] = {2627, 593}};
    *red = parts[matrix][0];
    *blue = parts[matrix][1];
}

/* With y, u, v as luma over its range and chroma over its own (ITU-T H.273, 8.3):
 *
 *     R = y + 2 (1 - red) v    B = y + 2 (1 - blue) u
 *     G = y - 2 blue (1 - blue) / green u - 2 red (1 - red) / green v
 *
 * All is brought over one divisor, with chroma in sixteenths of codes; the common factors are taken out. Before that
 * numbers are below 2^63, and after it the sums below 2^53, for every matrix, range and layout. */
static void make_terms(const struct layout *layout, const struct sch_video *video, struct sch_video_terms *terms)
{
    enum { WHOLE = 10000, SIXTEENTHS = 16 };
    const unsigned bits = layout->y.bits;
    const bool full = video->range == SCH_RANGE_FULL;
    const int64_t codes = (((int64_t)1 << layout->significant) - 1) << (bits - layout->significant);
    const int64_t luma = full ? codes : (int64_t)219 << (bits - 8), chroma = full ? codes : (int64_t)224 << (bits - 8);
    int64_t red, blue;
    parts_of_luma(video->matrix, &red, &blue);
    const int64_t green = WHOLE - red - blue;
    int64_t all[] = {WHOLE * green * SIXTEENTHS * chroma, 2 * (WHOLE - red) * green * luma,
                     2 * blue * (WHOLE - blue) * luma,    2 * red * (WHOLE - red) * luma,
                     2 * (WHOLE - blue) * green * luma,   WHOLE * green * SIXTEENTHS * chroma * luma};
    int64_t common = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) common = divisor_of(all[i], common);
    *terms = (struct sch_video_terms){.black = full ? 0 : 16 << (bits - 8),
                                      .middle = SIXTEENTHS << (bits - 1),
                                      .luma = (double)(all[0] / common),
                                      .red_of_v = (double)(all[1] / common),
                                      .green_of_u = -(double)(all[2] / common),
                                      .green_of_v = -(double)(all[3] / common),
                                      .blue_of_u = (double)(all[4] / common),
                                      .divisor = (double)(all[5] / common)};
}

/* ---- checks ---- */

static uint32_t samples_of(uint32_t texels, uint32_t together) { return texels / together + (texels % together != 0); }

/* A picture that is known to be right. */
struct picture {
    const struct layout *layout;
    const struct sch_video *video;
    uint32_t columns, rows; /* of chroma */
    size_t row_bytes[3];
};

/* The bytes of a row that has so many samples, up to the last byte that is read. */
static size_t row_of(const struct samples *samples, uint32_t columns)
{
    return samples->bits ? (size_t)(columns - 1) * samples->step + samples->offset + samples->bytes : 0;
}

static size_t greater(size_t a, size_t b) { return a > b ? a : b; }

/* The bytes of a row of a plane without a gap after it: pairs and pixels are whole. */
static size_t plane_row(const struct picture *picture, unsigned plane)
{
    const struct layout *layout = picture->layout;
    const struct samples *chroma[] = {&layout->u, &layout->v};
    size_t bytes = 0;
    if (layout->y.plane == plane) bytes = row_of(&layout->y, picture->video->width);
    if (layout->alpha.plane == plane) bytes = greater(bytes, row_of(&layout->alpha, picture->video->width));
    for (unsigned c = 0; c < 2; c++)
        if (chroma[c]->plane == plane) bytes = greater(bytes, row_of(chroma[c], picture->columns));
    const size_t unit = layout->u.bits && plane == layout->u.plane ? layout->u.step : layout->y.step;
    return bytes + (unit - bytes % unit) % unit;
}

static bool has_plane(const struct layout *layout, unsigned plane)
{
    return plane == layout->y.plane || (layout->u.bits && (plane == layout->u.plane || plane == layout->v.plane));
}

static bool take_plane(struct picture *picture, unsigned plane, struct sch_diagnostics *diagnostics)
{
    const struct sch_video_plane *from = &picture->video->planes[plane];
    const size_t bytes = plane_row(picture, plane), row = from->row_bytes ? from->row_bytes : bytes;
    const uint32_t rows = plane == picture->layout->y.plane ? picture->video->height : picture->rows;
    picture->row_bytes[plane] = row;
    if (!from->data) return sch_refuse_element(diagnostics, ".planes[#].data", plane, "video: no plane %u", plane);
    if (row < bytes)
        return sch_refuse_element(diagnostics, ".planes[#].row_bytes", plane,
                                  "video: plane %u: rows of %zu bytes are %zu apart", plane, bytes, row);
    if (from->bytes < bytes || (from->bytes - bytes) / row < rows - 1)
        return sch_refuse_element(diagnostics, ".planes[#].bytes", plane,
                                  "video: plane %u: %zu bytes are fewer than %u rows, %zu apart", plane, from->bytes,
                                  rows, row);
    return true;
}

static bool take_picture(const struct sch_video *video, struct picture *picture, struct sch_diagnostics *diagnostics)
{
    const struct layout *layout = picture->layout;
    if (video->matrix < SCH_MATRIX_BT601 || video->matrix > SCH_MATRIX_BT2020)
        return sch_refuse_argument(diagnostics, ".matrix", "video: there is no matrix %d", (int)video->matrix);
    if (video->range != SCH_RANGE_LIMITED && video->range != SCH_RANGE_FULL)
        return sch_refuse_argument(diagnostics, ".range", "video: there is no range %d", (int)video->range);
    const bool sited = layout->across > 1;
    if (sited && (video->siting < SCH_SITING_LEFT || video->siting > SCH_SITING_TOP_LEFT))
        return sch_refuse_argument(diagnostics, ".siting", "video: there is no siting %d", (int)video->siting);
    picture->columns = samples_of(video->width, layout->across);
    picture->rows = samples_of(video->height, layout->down);
    for (unsigned p = 0; p < 3; p++)
        if (has_plane(layout, p) && !take_plane(picture, p, diagnostics)) return false;
    return true;
}

/* INVALID, and why, for texels that colours are not converted to. */
static enum sch_result check_texels(const struct sch_texels *texels, struct sch_diagnostics *diagnostics)
{
    const char *name = sch_texels_format_name(texels->format);
    if (texels->parts != SCH_PART_COLOR || texels->numbers != SCH_NUMBERS_FLOAT)
        return sch_texels_refuse(SCH_ERROR_INVALID, diagnostics, "video: %s has no components of colours", name);
    if (sch_texels_are_srgb(texels->format))
        return sch_texels_refuse(SCH_ERROR_INVALID, diagnostics, "video: %s would encode colours a second time", name);
    if (texels->surface.samples > 1)
        return sch_texels_refuse(SCH_ERROR_INVALID, diagnostics, "video: %u samples a texel", texels->surface.samples);
    return sch_texels_check_written(texels, diagnostics);
}

/* ---- rows ---- */

/* The two rows of samples that a row of texels lies between, and how much each counts. */
struct between {
    uint32_t row[2], weight[2];
};

static struct between rows_at(const struct picture *picture, uint32_t y)
{
    if (picture->layout->down == 1) return (struct between){{y, y}, {4, 0}};
    const uint32_t row = y / 2, last = picture->rows - 1, below = row < last ? row + 1 : last,
                   above = row ? row - 1 : 0;
    if (picture->video->siting == SCH_SITING_TOP_LEFT)
        return y % 2 ? (struct between){{row, below}, {2, 2}} : (struct between){{row, row}, {4, 0}};
    return (struct between){{row, y % 2 ? below : above}, {3, 1}};
}

static struct sch_video_samples samples_at(const struct picture *picture, const struct samples *samples,
                                           const struct between *rows, uint32_t columns, enum sch_video_spacing spacing)
{
    struct sch_video_samples at = {.columns = columns,
                                   .bytes = samples->bytes,
                                   .step = samples->step,
                                   .shift = samples->shift,
                                   .bits = samples->bits,
                                   .spacing = (uint8_t)spacing};
    const uint8_t *plane = picture->video->planes[samples->plane].data;
    for (unsigned r = 0; r < 2 && samples->bits; r++) {
        at.row[r] = plane + rows->row[r] * picture->row_bytes[samples->plane] + samples->offset;
        at.row_weight[r] = rows->weight[r];
    }
    return at;
}

static void take_row(const struct picture *picture, uint32_t y, struct sch_video_group *group)
{
    const struct layout *layout = picture->layout;
    const struct between own = {{y, y}, {4, 0}}, between = rows_at(picture, y);
    const uint32_t width = picture->video->width;
    const enum sch_video_spacing spacing = layout->across == 1                           ? SCH_VIDEO_EACH
                                           : picture->video->siting == SCH_SITING_CENTER ? SCH_VIDEO_CENTRED
                                                                                         : SCH_VIDEO_COSITED;
    group->y = samples_at(picture, &layout->y, &own, width, SCH_VIDEO_EACH);
    group->u = samples_at(picture, &layout->u, &between, picture->columns, spacing);
    group->v = samples_at(picture, &layout->v, &between, picture->columns, spacing);
    group->alpha = samples_at(picture, &layout->alpha, &own, width, SCH_VIDEO_EACH);
}

static void write_row(const struct sch_texels *texels, struct sch_video_group *group, uint32_t width, uint8_t *to)
{
    const struct sch_ops *ops = sch_ops_for_width(0);
    struct sch_lanes component[4];
    struct sch_lanes *const in[4] = {&component[0], &component[1], &component[2], &component[3]};
    const struct sch_lanes *const out[4] = {&component[0], &component[1], &component[2], &component[3]};
    for (uint32_t x = 0; x < width; x += SCH_GROUP_LANES, to += (size_t)SCH_GROUP_LANES * texels->surface.block.bytes) {
        group->x = x;
        group->count = width - x < SCH_GROUP_LANES ? width - x : SCH_GROUP_LANES;
        ops->video_colors(group, in);
        ops->texels_write(texels->format, SCH_PART_COLOR, to, group->count, out);
    }
}

enum sch_result sch_texture_write_video(struct sch_texture_resource *resource, const struct sch_video *video,
                                        struct sch_diagnostics *diagnostics)
{
    struct picture picture = {.layout = layout_of((unsigned)video->format), .video = video};
    struct sch_texels texels;
    struct sch_region region;
    if (!picture.layout)
        return sch_texels_refuse(SCH_ERROR_UNSUPPORTED, diagnostics, "video: no picture of format %s is converted",
                                 sch_texels_format_name((unsigned)video->format));
    enum sch_result result =
        sch_texels_of(resource, video->level, SCH_FORMAT_NONE, &sch_texels_plain, &texels, diagnostics);
    if (result == SCH_OK) result = check_texels(&texels, diagnostics);
    if (result != SCH_OK) return result;
    if (video->width > INT32_MAX || video->height > INT32_MAX) {
        sch_refuse_argument(diagnostics, video->width > INT32_MAX ? ".width" : ".height", "video: %u x %u texels",
                            video->width, video->height);
        return SCH_ERROR_ARGUMENT;
    }
    const struct sch_box box = {video->x, video->y, video->z, (int32_t)video->width, (int32_t)video->height, 1};
    if (!sch_surface_region(&texels.surface, &box, "video", &region, diagnostics)) return SCH_ERROR_ARGUMENT;
    if (!take_picture(video, &picture, diagnostics)) return SCH_ERROR_ARGUMENT;
    struct sch_video_group group;
    make_terms(picture.layout, video, &group.terms);
    for (uint32_t y = 0; y < video->height; y++) {
        take_row(&picture, y, &group);
        write_row(&texels, &group, video->width,
                  sch_surface_row(&texels.surface, region.z, region.y + y) +
                      (size_t)region.x * texels.surface.block.bytes);
    }
    return SCH_OK;
}
