/* Pictures of luma and chroma become colours: every format, matrix, range and siting against the equations of ITU-R
 * BT.601, BT.709 and BT.2020 and of ITU-T H.273 in rational numbers, which are rounded once; the codes of pure colours;
 * all levels of src/ops; and what is refused. Layouts are written down here by the letters of samples in memory. */
#include "../support/resource_support.h"

#include <gmp.h>
#include <mpfr.h>

#include "../support/format_reference.h"
#include "ops/ops.h"

static uint32_t below(uint32_t limit) { return random_word() % limit; }

/* ---- pictures, by letters ---- */

/* The letters of a unit of each plane: a letter is a sample. Y stands for luma of one texel, or of several if it comes
 * again; X is nothing. */
struct layout {
    const char *format, *planes[3];
    unsigned word_bits, code_bits; /* of a sample, and of its highest bits that are its code */
    unsigned across, down;         /* chroma: a sample for so many texels */
};
static const struct layout layouts[] = {
    {"NV12", {"Y", "UV"}, 8, 8, 2, 2},
    {"NV21", {"Y", "VU"}, 8, 8, 2, 2},
    {"R8_G8B8_420_UNORM", {"Y", "UV"}, 8, 8, 2, 2},
    {"G8_B8R8_420_UNORM", {"Y", "UV"}, 8, 8, 2, 2},
    {"G8_B8_R8_420_UNORM", {"Y", "U", "V"}, 8, 8, 2, 2},
    {"IYUV", {"Y", "U", "V"}, 8, 8, 2, 2},
    {"YV12", {"Y", "V", "U"}, 8, 8, 2, 2},
    {"YV16", {"Y", "V", "U"}, 8, 8, 2, 1},
    {"Y8_U8_V8_422_UNORM", {"Y", "U", "V"}, 8, 8, 2, 1},
    {"Y8_U8V8_422_UNORM", {"Y", "UV"}, 8, 8, 2, 1},
    {"Y8_U8_V8_444_UNORM", {"Y", "U", "V"}, 8, 8, 1, 1},
    {"P010", {"Y", "UV"}, 16, 10, 2, 2},
    {"P012", {"Y", "UV"}, 16, 12, 2, 2},
    {"P016", {"Y", "UV"}, 16, 16, 2, 2},
    {"Y16_U16_V16_420_UNORM", {"Y", "U", "V"}, 16, 16, 2, 2},
    {"Y16_U16_V16_422_UNORM", {"Y", "U", "V"}, 16, 16, 2, 1},
    {"Y16_U16V16_422_UNORM", {"Y", "UV"}, 16, 16, 2, 1},
    {"Y16_U16_V16_444_UNORM", {"Y", "U", "V"}, 16, 16, 1, 1},
    {"YUYV", {"YUYV"}, 8, 8, 2, 1},
    {"UYVY", {"UYVY"}, 8, 8, 2, 1},
    {"Y210", {"YUYV"}, 16, 10, 2, 1},
    {"Y212", {"YUYV"}, 16, 12, 2, 1},
    {"Y216", {"YUYV"}, 16, 16, 2, 1},
    {"Y410", {"UYVA"}, 10, 10, 1, 1}, /* and two bits of A */
    {"Y412", {"UYVA"}, 16, 12, 1, 1},
    {"Y416", {"UYVA"}, 16, 16, 1, 1},
    {"AYUV", {"VUYA"}, 8, 8, 1, 1},
    {"XYUV", {"VUYX"}, 8, 8, 1, 1},
    {"Y8_UNORM", {"Y"}, 8, 8, 1, 1},
    {"Y8_400_UNORM", {"Y"}, 8, 8, 1, 1},
};

static unsigned occurrences(const char *unit, char letter)
{
    unsigned count = 0;
    for (; *unit; unit++) count += *unit == letter;
    return count;
}

static unsigned plane_of(const struct layout *layout, char letter)
{
    for (unsigned p = 0; p < 3 && layout->planes[p]; p++)
        if (strchr(layout->planes[p], letter)) return p;
    return 3;
}

static uint32_t chroma_side(uint32_t texels, unsigned together) { return (texels + together - 1) / together; }

/* Bytes of a row of a plane, in whole units. */
static size_t row_bytes(const struct layout *layout, unsigned plane, uint32_t width)
{
    const char *unit = layout->planes[plane];
    const uint32_t luma = occurrences(unit, 'Y'), units = luma ? (width + luma - 1) / luma : chroma_side(width, 2);
    const bool whole = layout->across == 1 && !luma;
    return (size_t)(whole ? width : units) * (layout->word_bits == 10 ? 4 : strlen(unit) * layout->word_bits / 8);
}

static uint32_t plane_rows(const struct layout *layout, unsigned plane, uint32_t height)
{
    return strchr(layout->planes[plane], 'Y') ? height : chroma_side(height, layout->down);
}

/* Sample number i of a row. */
static uint32_t sample(const struct layout *layout, char letter, const struct sch_video *video, size_t row, uint32_t i)
{
    const unsigned plane = plane_of(layout, letter);
    const char *unit = layout->planes[plane];
    unsigned left = i % occurrences(unit, letter), at = 0;
    for (; unit[at] != letter || left; at++) left -= unit[at] == letter;
    const uint8_t *from = (const uint8_t *)video->planes[plane].data + row * video->planes[plane].row_bytes;
    const uint32_t number = i / occurrences(unit, letter);
    if (layout->word_bits == 10) return ref_bits_at(from + 4 * (size_t)number, 10 * at, at == 3 ? 2 : 10);
    const size_t word = number * strlen(unit) + at;
    return layout->word_bits == 8 ? from[word] : from[2 * word] | (uint32_t)from[2 * word + 1] << 8;
}

/* ---- the reference ---- */

/* Weights of samples i and i + 1 at texel x, if sample i stands `offset` halves of a texel right of texel 2 i: linear
 * between samples, constant beyond the first and last. */
static void place(uint32_t x, unsigned together, unsigned offset, uint32_t count, uint32_t number[2], mpq_t weight)
{
    int32_t quarters = together == 1 ? 4 * (int32_t)x : 2 * (int32_t)x - (int32_t)offset; /* quarters of a step */
    int32_t first = quarters < 0 ? -1 : quarters / 4;
    mpq_set_si(weight, quarters - 4 * first, 4);
    mpq_canonicalize(weight);
    for (int n = 0; n < 2; n++) {
        int32_t at = first + n;
        number[n] = at < 0 ? 0 : at >= (int32_t)count ? count - 1 : (uint32_t)at;
    }
}

static void mix(mpq_t result, const mpq_t a, const mpq_t b, const mpq_t weight)
{
    mpq_t part;
    mpq_init(part);
    mpq_sub(part, b, a);
    mpq_mul(part, part, weight);
    mpq_add(result, a, part);
    mpq_clear(part);
}

/* What chroma is at a texel, in codes. */
static void chroma_at(mpq_t result, const struct layout *layout, char letter, const struct sch_video *video, uint32_t x,
                      uint32_t y)
{
    const uint32_t columns = chroma_side(video->width, layout->across), rows = chroma_side(video->height, layout->down);
    const unsigned right = video->siting == SCH_SITING_CENTER, lower = video->siting != SCH_SITING_TOP_LEFT;
    uint32_t column[2], row[2];
    mpq_t across, down, line[2], code[2];
    mpq_inits(across, down, line[0], line[1], code[0], code[1], NULL);
    place(x, layout->across, right, columns, column, across);
    place(y, layout->down, lower, rows, row, down);
    for (unsigned r = 0; r < 2; r++) {
        for (unsigned c = 0; c < 2; c++) mpq_set_ui(code[c], sample(layout, letter, video, row[r], column[c]), 1);
        mix(line[r], code[0], code[1], across);
    }
    mix(result, line[0], line[1], down);
    mpq_clears(across, down, line[0], line[1], code[0], code[1], NULL);
}

/* (code - zero) / extent, all in words of the format. */
static void normalize(mpq_t code, const struct layout *layout, bool luma, bool full)
{
    const unsigned low = layout->word_bits - layout->code_bits, high = layout->word_bits - 8;
    const unsigned long zero = !luma ? 1ul << (layout->word_bits - 1) : full ? 0 : 16ul << high;
    const unsigned long extent = full ? ((1ul << layout->code_bits) - 1) << low : (luma ? 219ul : 224ul) << high;
    mpq_t number;
    mpq_init(number);
    mpq_set_ui(number, zero, 1);
    mpq_sub(code, code, number);
    mpq_set_ui(number, extent, 1);
    mpq_div(code, code, number);
    mpq_clear(number);
}

static uint32_t rounded(const mpq_t number)
{
    mpfr_t f;
    mpfr_init2(f, 24);
    mpfr_set_q(f, number, MPFR_RNDN);
    const float value = mpfr_get_flt(f, MPFR_RNDN);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    mpfr_clear(f);
    return bits;
}

/* Kr and Kb in decimals of the recommendations. */
static void parts_of_luma(enum sch_video_matrix matrix, mpq_t red, mpq_t green, mpq_t blue)
{
    static const char *const parts[4][3] = {{0},
                                            {"299/1000", "587/1000", "114/1000"},
                                            {"2126/10000", "7152/10000", "722/10000"},
                                            {"2627/10000", "6780/10000", "593/10000"}};
    mpq_set_str(red, parts[matrix][0], 10);
    mpq_set_str(green, parts[matrix][1], 10);
    mpq_set_str(blue, parts[matrix][2], 10);
}

/* The colours solve E'Y = Kr R + Kg G + Kb B, E'Cb = (B - E'Y) / (2 (1 - Kb)), E'Cr = (R - E'Y) / (2 (1 - Kr)). */
static void solve(enum sch_video_matrix matrix, const mpq_t y, const mpq_t u, const mpq_t v, mpq_t color[3])
{
    mpq_t k[3], part;
    mpq_inits(k[0], k[1], k[2], part, NULL);
    parts_of_luma(matrix, k[0], k[1], k[2]);
    for (unsigned c = 0; c < 3; c += 2) {
        mpq_set_ui(part, 1, 1);
        mpq_sub(part, part, k[c]);
        mpq_add(part, part, part);
        mpq_mul(part, part, c ? u : v);
        mpq_add(color[c], y, part);
    }
    mpq_set(color[1], y);
    for (unsigned c = 0; c < 3; c += 2) {
        mpq_mul(part, k[c], color[c]);
        mpq_sub(color[1], color[1], part);
    }
    mpq_div(color[1], color[1], k[1]);
    mpq_clears(k[0], k[1], k[2], part, NULL);
}

static void reference(const struct layout *layout, const struct sch_video *video, uint32_t x, uint32_t y,
                      uint32_t value[4])
{
    const bool full = video->range == SCH_RANGE_FULL;
    mpq_t luma, chroma[2], color[3];
    mpq_inits(luma, chroma[0], chroma[1], color[0], color[1], color[2], NULL);
    mpq_set_ui(luma, sample(layout, 'Y', video, y, x), 1);
    normalize(luma, layout, true, full);
    for (unsigned c = 0; c < 2 && plane_of(layout, 'U') < 3; c++) {
        chroma_at(chroma[c], layout, "UV"[c], video, x, y);
        normalize(chroma[c], layout, false, full);
    }
    solve(video->matrix, luma, chroma[0], chroma[1], color);
    for (unsigned c = 0; c < 3; c++) value[c] = rounded(color[c]);
    value[3] = 0x3f800000;
    if (plane_of(layout, 'A') < 3) {
        const unsigned bits = layout->word_bits == 10 ? 2 : layout->word_bits;
        mpq_set_ui(luma, sample(layout, 'A', video, y, x), (1ul << bits) - 1);
        mpq_canonicalize(luma);
        value[3] = rounded(luma);
    }
    mpq_clears(luma, chroma[0], chroma[1], color[0], color[1], color[2], NULL);
}

/* ---- pictures ---- */

/* Memory of the exact size, so that a checker sees any access outside; often of codes at ends. */
static void make_planes(const struct layout *layout, struct sch_video *video)
{
    for (unsigned p = 0; p < 3 && layout->planes[p]; p++) {
        const size_t row = row_bytes(layout, p, video->width), gap = below(3) ? 0 : below(9);
        const uint32_t rows = plane_rows(layout, p, video->height);
        const size_t bytes = (row + gap) * (rows - 1) + row;
        uint8_t *data = malloc(bytes);
        assert_non_null(data);
        for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)(below(4) ? random_word() : below(2) ? 255 : 0);
        video->planes[p] = (struct sch_video_plane){data, bytes, row + gap};
    }
}

static void free_planes(struct sch_video *video)
{
    for (unsigned p = 0; p < 3; p++) free((void *)(uintptr_t)video->planes[p].data);
}

static struct sch_video any_video(const struct layout *layout, uint32_t most_across, uint32_t most_down)
{
    struct sch_video video = {.size = sizeof video,
                              .format = (enum sch_format)format(layout->format),
                              .width = 1 + below(most_across),
                              .height = 1 + below(most_down),
                              .matrix = (enum sch_video_matrix)(1 + below(3)),
                              .range = (enum sch_video_range)(1 + below(2)),
                              .siting = (enum sch_video_siting)(1 + below(3))};
    make_planes(layout, &video);
    return video;
}

static const struct ref_row *row_of(const char *name)
{
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    fail_msg("no format %s", name);
    return NULL;
}

/* A level of a destination before and after, texel by texel: those of the picture are encoded, others are as before. */
static void check_written(struct sch_context *context, const struct layout *layout, const char *destination)
{
    static const struct shape shape = {SCH_TARGET_2D_ARRAY, 97, 19, 1, 3, 2, 1};
    const struct ref_row *row = row_of(destination);
    struct sch_resource *resource = make(context, &shape, format(destination));
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *expected = malloc(bytes), *got = malloc(bytes);
    assert_non_null(expected);
    assert_non_null(got);
    for (size_t i = 0; i < bytes; i++) expected[i] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write_all(resource, expected, bytes), SCH_OK);
    struct sch_video video = any_video(layout, below(4) ? 9 : 48, 9);
    video.level = below(2);
    video.x = (int32_t)below(halved(shape.width, video.level) - video.width + 1);
    video.y = (int32_t)below(halved(shape.height, video.level) - video.height + 1);
    video.z = (int32_t)below(shape.layers);
    assert_int_equal(sch_resource_write_video(resource, &video, NULL), SCH_OK);
    uint8_t *level = expected + place_of(&shape, video.level, (size_t)video.z, 1, row->bytes);
    for (uint32_t y = 0; y < video.height; y++)
        for (uint32_t x = 0; x < video.width; x++) {
            uint32_t value[4];
            const size_t texel = ((size_t)video.y + y) * halved(shape.width, video.level) + (size_t)video.x + x;
            reference(layout, &video, x, y, value);
            ref_texel_encode(row, SCH_RULES_TGSI, value, level + texel * row->bytes);
        }
    assert_int_equal(sch_resource_read_all(resource, got, bytes), SCH_OK);
    for (size_t i = 0; i < bytes; i++)
        if (got[i] != expected[i])
            fail_msg("%s to %s: %u x %u, matrix %d, range %d, siting %d: byte %zu is %02x, not %02x", layout->format,
                     destination, video.width, video.height, (int)video.matrix, (int)video.range, (int)video.siting, i,
                     got[i], expected[i]);
    free_planes(&video);
    free(expected);
    free(got);
    sch_resource_destroy(resource);
}

static void colors_are_those_of_the_equations(void **state)
{
    (void)state;
    static const char *const destinations[] = {"R32G32B32A32_FLOAT", "R8G8B8A8_UNORM", "R16G16B16A16_UNORM",
                                               "R16G16B16A16_FLOAT", "B8G8R8X8_UNORM", "R32G32B32_FLOAT"};
    struct sch_context *context = make_context(0, NULL);
    for (size_t l = 0; l < COUNT(layouts); l++)
        for (unsigned n = 0; n < 40; n++)
            check_written(context, &layouts[l], destinations[n % 2 ? n / 2 % COUNT(destinations) : 0]);
    sch_context_destroy(context);
}

/* ---- known colours ---- */

/* The codes of black, white and the primaries, rounded to eight bits, are these colours but for that rounding. */
static void codes_of_pure_colors(void **state)
{
    (void)state;
    static const struct {
        enum sch_video_matrix matrix;
        enum sch_video_range range;
        uint8_t y, u, v, color[3];
    } cases[] = {
        {SCH_MATRIX_BT601, SCH_RANGE_LIMITED, 16, 128, 128, {0, 0, 0}},
        {SCH_MATRIX_BT601, SCH_RANGE_LIMITED, 235, 128, 128, {255, 255, 255}},
        {SCH_MATRIX_BT601, SCH_RANGE_LIMITED, 126, 128, 128, {128, 128, 128}},
        {SCH_MATRIX_BT601, SCH_RANGE_LIMITED, 81, 90, 240, {255, 0, 0}},
        {SCH_MATRIX_BT601, SCH_RANGE_LIMITED, 145, 54, 34, {0, 255, 0}},
        {SCH_MATRIX_BT601, SCH_RANGE_LIMITED, 41, 240, 110, {0, 0, 255}},
        {SCH_MATRIX_BT709, SCH_RANGE_LIMITED, 235, 128, 128, {255, 255, 255}},
        {SCH_MATRIX_BT709, SCH_RANGE_LIMITED, 63, 102, 240, {255, 0, 0}},
        {SCH_MATRIX_BT709, SCH_RANGE_LIMITED, 173, 42, 26, {0, 255, 0}},
        {SCH_MATRIX_BT709, SCH_RANGE_LIMITED, 32, 240, 118, {0, 0, 255}},
        {SCH_MATRIX_BT2020, SCH_RANGE_LIMITED, 74, 97, 240, {255, 0, 0}},
        {SCH_MATRIX_BT601, SCH_RANGE_FULL, 76, 85, 255, {255, 0, 0}},
        {SCH_MATRIX_BT601, SCH_RANGE_FULL, 255, 128, 128, {255, 255, 255}},
        {SCH_MATRIX_BT601, SCH_RANGE_FULL, 29, 255, 107, {0, 0, 255}},
    };
    struct sch_context *context = make_context(0, NULL);
    const struct shape shape = {SCH_TARGET_2D, 2, 2, 1, 1, 1, 1};
    for (size_t n = 0; n < COUNT(cases); n++) {
        struct sch_resource *resource = make(context, &shape, format("R8G8B8A8_UNORM"));
        const uint8_t luma[4] = {cases[n].y, cases[n].y, cases[n].y, cases[n].y}, chroma[2] = {cases[n].u, cases[n].v};
        const struct sch_video video = {.size = sizeof video,
                                        .format = SCH_FORMAT_NV12,
                                        .width = 2,
                                        .height = 2,
                                        .planes = {{luma, 4, 0}, {chroma, 2, 0}},
                                        .matrix = cases[n].matrix,
                                        .range = cases[n].range,
                                        .siting = SCH_SITING_LEFT};
        uint8_t got[16];
        assert_int_equal(sch_resource_write_video(resource, &video, NULL), SCH_OK);
        assert_int_equal(sch_resource_read_all(resource, got, sizeof got), SCH_OK);
        for (unsigned i = 0; i < 16; i++) {
            const int expected = i % 4 == 3 ? 255 : cases[n].color[i % 4];
            if (abs(got[i] - expected) > 2) fail_msg("case %zu: component %u is %u", n, i % 4, got[i]);
        }
        sch_resource_destroy(resource);
    }
    sch_context_destroy(context);
}

/* ---- levels ---- */

static struct sch_video_samples any_samples(uint8_t *memory, uint32_t columns, bool halved_too)
{
    static const uint8_t weights[][2] = {{4, 0}, {2, 2}, {3, 1}};
    const uint8_t *weight = weights[below(3)];
    const unsigned bytes = 1u << below(3), bits = bytes == 4 ? 10 : 8 * bytes;
    return (struct sch_video_samples){
        .row = {memory, memory + 2048},
        .row_weight = {weight[0], weight[1]},
        .columns = columns,
        .bytes = (uint8_t)bytes,
        .step = (uint8_t)(bytes == 4 ? 4 : bytes << below(3)),
        .shift = (uint8_t)(bytes == 4 ? 10 * below(3) : 0),
        .bits = (uint8_t)bits,
        .spacing = halved_too ? (uint8_t)below(3) : SCH_VIDEO_EACH,
    };
}

/* Every level of operations gives the bits of the first. */
static void levels_agree(void **state)
{
    (void)state;
    uint8_t memory[4096];
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned n = 0; n < 2000; n++) {
        const struct sch_video_terms terms = {.black = 16,
                                              .middle = 2048,
                                              .luma = 1 + below(1 << 20),
                                              .red_of_v = 1 + below(1 << 20),
                                              .green_of_u = -1.0 - below(1 << 20),
                                              .green_of_v = -1.0 - below(1 << 20),
                                              .blue_of_u = 1 + below(1 << 20),
                                              .divisor = 1 + (double)random_word()};
        struct sch_video_group group = {.terms = terms, .x = below(40), .count = 1 + below(SCH_GROUP_LANES)};
        struct sch_lanes first[4], got[4];
        struct sch_lanes *const to[2][4] = {{&first[0], &first[1], &first[2], &first[3]},
                                            {&got[0], &got[1], &got[2], &got[3]}};
        for (size_t i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)random_word();
        group.y = any_samples(memory, 80 - below(20), false);
        group.u = any_samples(memory, 40 - below(30), true);
        group.v = any_samples(memory, 40 - below(30), true);
        group.alpha = any_samples(memory, 80, false);
        if (n % 2) group.alpha.bits = 0;
        if (n % 7 == 0) group.u.bits = group.v.bits = 0;
        for (unsigned l = 0; l < levels; l++) {
            ops[l]->video_colors(&group, to[l != 0]);
            for (unsigned c = 0; c < 4 && l; c++)
                if (memcmp(first[c].u, got[c].u, group.count * sizeof(uint32_t)))
                    fail_msg("%s: component %u of group %u is another", ops[l]->name, c, n);
        }
    }
}

/* ---- refusals ---- */

static void refused(enum sch_result result, enum sch_result expected, struct sch_diagnostics_list *list, unsigned code,
                    const char *message)
{
    struct sch_diagnostic_info why = {.size = sizeof why};
    assert_int_equal(result, expected);
    assert_true(sch_diagnostics_get(list, sch_diagnostics_count(list) - 1, &why));
    if (why.code != code || strcmp(why.message, message)) fail_msg("%u %s", why.code, why.message);
}

static void what_is_not_converted_is_refused(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    struct sch_diagnostics_list *list;
    const struct shape flat = {SCH_TARGET_2D, 8, 8, 1, 1, 1, 1}, many = {SCH_TARGET_2D_MSAA, 8, 8, 1, 1, 1, 4};
    struct sch_resource *color = make(context, &flat, format("R8G8B8A8_UNORM")),
                        *srgb = make(context, &flat, format("R8G8B8A8_SRGB")),
                        *integer = make(context, &flat, format("R8G8B8A8_UINT")),
                        *depth = make(context, &flat, format("Z16_UNORM")),
                        *pairs = make(context, &flat, format("YUYV")),
                        *samples = make(context, &many, format("R8G8B8A8_UNORM"));
    static const uint8_t memory[64];
    const struct sch_video right = {.size = sizeof right,
                                    .format = SCH_FORMAT_NV12,
                                    .width = 5,
                                    .height = 3,
                                    .planes = {{memory, 15, 0}, {memory, 12, 0}},
                                    .matrix = SCH_MATRIX_BT709,
                                    .range = SCH_RANGE_LIMITED,
                                    .siting = SCH_SITING_LEFT};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_resource_write_video(color, &right, list), SCH_OK);
    assert_int_equal(sch_diagnostics_count(list), 0);
#define REFUSED(resource, result, code, message, ...)                                                                  \
    do {                                                                                                               \
        struct sch_video video = right;                                                                                \
        __VA_ARGS__;                                                                                                   \
        refused(sch_resource_write_video(resource, &video, list), result, list, code, message);                        \
    } while (0)
    const enum sch_result ARGUMENT = SCH_ERROR_ARGUMENT, INVALID = SCH_ERROR_INVALID;
    REFUSED(color, SCH_ERROR_UNSUPPORTED, 6005, "video: no picture of format R8_UNORM is converted",
            video.format = SCH_FORMAT_R8_UNORM);
    REFUSED(color, SCH_ERROR_UNSUPPORTED, 6005, "video: no picture of format NONE is converted",
            video.format = SCH_FORMAT_NONE);
    REFUSED(srgb, INVALID, 6005, "video: R8G8B8A8_SRGB would encode colours a second time", (void)0);
    REFUSED(integer, INVALID, 6005, "video: R8G8B8A8_UINT has no components of colours", (void)0);
    REFUSED(depth, INVALID, 6005, "video: Z16_UNORM has no components of colours", (void)0);
    REFUSED(samples, INVALID, 6005, "video: 4 samples a texel", (void)0);
    REFUSED(pairs, SCH_ERROR_UNSUPPORTED, 6005, "texels of format YUYV are not encoded", (void)0);
    REFUSED(color, ARGUMENT, 6300, "level 1: the resource has 1", video.level = 1);
    REFUSED(color, ARGUMENT, 6300, "box: 5 texels from x = 4 on, of 8", video.x = 4);
    REFUSED(color, ARGUMENT, 6300, "box: 0 texels from y = 0 on, of 8", video.height = 0);
    REFUSED(color, ARGUMENT, 6300, "video: 4294967295 x 3 texels", video.width = UINT32_MAX);
    REFUSED(color, ARGUMENT, 6300, "video: there is no matrix 0", video.matrix = (enum sch_video_matrix)0);
    REFUSED(color, ARGUMENT, 6300, "video: there is no matrix 4", video.matrix = (enum sch_video_matrix)4);
    REFUSED(color, ARGUMENT, 6300, "video: there is no range 0", video.range = (enum sch_video_range)0);
    REFUSED(color, ARGUMENT, 6300, "video: there is no range 3", video.range = (enum sch_video_range)3);
    REFUSED(color, ARGUMENT, 6300, "video: there is no siting 0", video.siting = (enum sch_video_siting)0);
    REFUSED(color, ARGUMENT, 6300, "video: there is no siting 4", video.siting = (enum sch_video_siting)4);
    REFUSED(color, ARGUMENT, 6300, "video: no plane 1", video.planes[1].data = NULL);
    REFUSED(color, ARGUMENT, 6300, "video: plane 0: rows of 5 bytes are 4 apart", video.planes[0].row_bytes = 4);
    REFUSED(color, ARGUMENT, 6300, "video: plane 1: 11 bytes are fewer than 2 rows, 6 apart",
            video.planes[1].bytes = 11);
    REFUSED(color, ARGUMENT, 6300, "video: plane 0: 15 bytes are fewer than 3 rows, 18446744073709551615 apart",
            video.planes[0].row_bytes = SIZE_MAX);
    struct sch_video video = right;
    assert_int_equal(sch_resource_write_video(NULL, &right, list), ARGUMENT);
    assert_int_equal(sch_resource_write_video(color, NULL, list), ARGUMENT);
    video.size = 8;
    assert_int_equal(sch_resource_write_video(color, &video, list), ARGUMENT);
    video = right; /* no subsampling: no siting */
    video.format = SCH_FORMAT_Y8_UNORM;
    video.siting = (enum sch_video_siting)0;
    assert_int_equal(sch_resource_write_video(color, &video, NULL), SCH_OK);
    struct sch_resource *const all[] = {color, srgb, integer, depth, pairs, samples};
    for (size_t i = 0; i < COUNT(all); i++) sch_resource_destroy(all[i]);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_are_those_of_the_equations),
        cmocka_unit_test(codes_of_pure_colors),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(what_is_not_converted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
