/* PNG out, in pieces: the three parts of a file for callers that make its rows apart from each other. Holds neither
 * filters nor compression: png_write.c. */
#include <string.h>

#include "base/checked.h"
#include "base/sized.h"
#include "files/bands.h"
#include "files/kinds.h"
#include "files/png_write.h"

enum { CHANNELS = 4 };

static bool take_options(const struct sch_file_write_options *given, struct sch_file_write_options *options,
                         struct sch_file_options *limits, struct sch_file_error *error)
{
    *options = (struct sch_file_write_options){.size = sizeof *options};
    if (given && !sch_files_take(error, "options", options, sizeof *options, given)) return false;
    if (!sch_files_options(options->limits, "options.limits", limits, error)) return false;
    if (!options->has_compression || options->compression <= SCH_FILES_DEFLATE_MAX) return true;
    sch_files_wrong(error, "options.compression", "%u, of 0 to %d", (unsigned)options->compression,
                    (int)SCH_FILES_DEFLATE_MAX);
    return false;
}

/* A picture of this size; false: there is none. */
static bool describe(uint32_t width, uint32_t height, const struct sch_file_write_options *options,
                     const struct sch_allocator *memory, struct sch_png_source *source)
{
    if (!width || !height || width > SCH_PNG_ROW_BYTES / CHANNELS || height > INT32_MAX) return false;
    *source = (struct sch_png_source){.width = width, .height = height, .options = options, .memory = memory};
    return sch_files_pixels_of(SCH_FORMAT_R8G8B8A8_UNORM, &source->pixels);
}

uint32_t sch_png_piece_rows(const struct sch_file_write_options *given, uint32_t width, uint32_t height)
{
    struct sch_file_write_options options;
    struct sch_file_options limits;
    struct sch_png_source source;
    if (!take_options(given, &options, &limits, NULL) || !describe(width, height, &options, limits.memory, &source))
        return 0;
    return (uint32_t)sch_png_band_rows(&source);
}

static enum sch_result finish(enum sch_result result, struct sch_bytes *made, struct sch_file_bytes *file)
{
    if (result == SCH_OK) result = made->status;
    if (result == SCH_OK)
        *file = (struct sch_file_bytes){.data = made->data, .bytes = made->size, .memory = *made->allocator};
    else
        sch_bytes_release(made);
    return result;
}

/* The piece's rows are whole bands, and all of its texels are there. */
static enum sch_result take_rows(const struct sch_png_piece *piece, struct sch_png_source *source,
                                 struct sch_file_error *error)
{
    const size_t step = sch_png_band_rows(source);
    const uint32_t above = piece->first ? 1 : 0;
    size_t bytes;
    if (!sch_files_given(error, "piece.texels", piece->texels)) return SCH_ERROR_ARGUMENT;
    if (piece->first >= piece->height || piece->first % step)
        return sch_files_wrong(error, "piece.first", "%u is not a multiple of %zu below the height %u",
                               (unsigned)piece->first, step, (unsigned)piece->height);
    const uint32_t left = piece->height - piece->first;
    if (!piece->rows || piece->rows > left || (piece->rows % step && piece->rows != left))
        return sch_files_wrong(error, "piece.rows", "%u is neither a multiple of %zu nor all %u that are left",
                               (unsigned)piece->rows, step, (unsigned)left);
    if (!sch_mul_size((size_t)piece->rows + above, (size_t)piece->width * CHANNELS, &bytes) || bytes > piece->bytes)
        return sch_files_wrong(error, "piece.bytes", "%zu are fewer than %u rows need", piece->bytes,
                               (unsigned)(piece->rows + above));
    source->texels = piece->texels;
    source->first_row = piece->first - above;
    source->begin_row = piece->first;
    source->end_row = piece->first + piece->rows;
    return SCH_OK;
}

enum sch_result sch_png_piece_write(const struct sch_file_write_options *given, const struct sch_png_piece *given_piece,
                                    struct sch_png_piece_info *info, struct sch_file_bytes *file,
                                    struct sch_file_error *error)
{
    struct sch_file_write_options options;
    struct sch_file_options limits;
    struct sch_png_piece piece;
    struct sch_png_source source;
    struct sch_png_piece_info made_info = {0};
    if (!sch_files_begin(error) || !sch_files_given(error, "file", file) ||
        !sch_files_fits(error, "info", info, sizeof *info))
        return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    if (!take_options(given, &options, &limits, error) ||
        !sch_files_take(error, "piece", &piece, sizeof piece, given_piece))
        return SCH_ERROR_ARGUMENT;
    if (!describe(piece.width, piece.height, &options, limits.memory, &source))
        return sch_files_wrong(
            error, piece.width && piece.width <= SCH_PNG_ROW_BYTES / CHANNELS ? "piece.height" : "piece.width",
            "no PNG has %u x %u texels", (unsigned)piece.width, (unsigned)piece.height);
    enum sch_result result = take_rows(&piece, &source, error);
    if (result != SCH_OK) return result;
    source.error = error;
    const uint8_t *own = source.texels + (size_t)(source.begin_row - source.first_row) * piece.width * CHANNELS;
    made_info.alpha = piece.alpha || !sch_files_drop_full_alpha(&source.pixels, own, (size_t)piece.rows * piece.width);
    struct sch_bytes made = {.allocator = limits.memory};
    struct sch_png_sum sum = SCH_PNG_SUM_OF_NOTHING;
    result = sch_png_append_rows(&source, &sum, &made);
    made_info.adler = sum.adler;
    made_info.bytes = sum.bytes;
    sch_sized_write(info, &made_info, sizeof made_info);
    return finish(result, &made, file);
}

enum sch_result sch_png_head_write(const struct sch_allocator *memory, uint32_t width, uint32_t height, bool alpha,
                                   struct sch_file_bytes *file)
{
    const struct sch_file_options wanted = {.size = sizeof wanted, .memory = memory};
    struct sch_file_options limits;
    struct sch_png_source source;
    if (!file) return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    if (!sch_files_options(&wanted, "", &limits, NULL) || !describe(width, height, NULL, limits.memory, &source))
        return SCH_ERROR_ARGUMENT;
    if (!alpha) source.pixels.names[CHANNELS - 1] = 0;
    struct sch_bytes made = {.allocator = limits.memory};
    sch_png_append_head(&source, &made);
    return finish(SCH_OK, &made, file);
}

enum sch_result sch_png_tail_write(const struct sch_allocator *memory, const struct sch_png_piece_info *info,
                                   size_t info_stride, uint32_t count, struct sch_file_bytes *file)
{
    const struct sch_file_options wanted = {.size = sizeof wanted, .memory = memory};
    struct sch_file_options limits;
    struct sch_png_sum sum = SCH_PNG_SUM_OF_NOTHING;
    if (!file) return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    if (!info || !count || !sch_files_options(&wanted, "", &limits, NULL)) return SCH_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        struct sch_png_piece_info piece;
        const void *at = (const char *)info + i * info_stride;
        if (!sch_sized_read(&piece, sizeof piece, sizeof piece, at)) return SCH_ERROR_ARGUMENT;
        sum.adler = sch_files_adler32_join(sum.adler, piece.adler, (size_t)piece.bytes);
    }
    struct sch_bytes made = {.allocator = limits.memory};
    sch_png_append_tail(sum.adler, &made);
    return finish(SCH_OK, &made, file);
}
