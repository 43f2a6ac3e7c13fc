/* PNG out, of pictures and of textures: which formats of texels there are, and what a file says of their colours. Holds
 * neither filters nor compression: png_write.c. */
#include "base/checked.h"
#include "base/sized.h"
#include "files/kinds.h"
#include "files/png_write.h"

/* What the chunks sRGB and gAMA say; false: an exponent that gAMA cannot hold. */
static bool describe_colors(struct sch_png_source *source, const struct sch_file_texture *texture)
{
    enum { ONE = 100000 };
    struct sch_files_format format;
    source->srgb =
        texture->transfer == SCH_FILE_TRANSFER_SRGB || (sch_files_format(texture->format, &format) && format.srgb);
    if (source->srgb) return true;
    if (texture->transfer == SCH_FILE_TRANSFER_LINEAR) source->gamma = ONE;
    if (texture->transfer != SCH_FILE_TRANSFER_GAMMA) return true;
    const double scaled = (double)texture->gamma * ONE + 0.5;
    if (!(scaled >= 1 && scaled < INT32_MAX)) return false;
    source->gamma = (uint32_t)scaled;
    return true;
}

enum sch_result sch_files_png_write(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    struct sch_files_pixels pixels;
    enum sch_result result = sch_files_begin_picture(writer, "PNG", 1u << SCH_FILES_UN8 | 1u << SCH_FILES_UN16,
                                                     SCH_FILES_FORMATS_OF_FRACTIONS, &pixels);
    if (result != SCH_OK) return result;
    struct sch_png_source source = {.pixels = pixels,
                                    .width = texture->width,
                                    .height = texture->height,
                                    .texels = texture->texels,
                                    .options = &writer->options,
                                    .memory = writer->limits.memory,
                                    .error = writer->error};
    if (!describe_colors(&source, texture))
        return sch_files_wrong(writer->error, "texture.gamma", "%.9g is not an exponent that PNG has",
                               (double)texture->gamma);
    if (texture->height > INT32_MAX) return sch_files_wrong(writer->error, "texture.height", "more rows than PNG has");
    if (texture->bytes / texture->height > SCH_PNG_ROW_BYTES)
        return sch_files_wrong(writer->error, "texture.width", "a row has more bytes than PNG has");
    return sch_png_write_source(&source, writer->file);
}

enum sch_result sch_png_write(const struct sch_file_options *options, const struct sch_picture *given,
                              struct sch_file_bytes *file, struct sch_file_error *error)
{
    enum { CHANNELS = 4 };
    if (!sch_files_begin(error) || !sch_files_given(error, "file", file)) return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    struct sch_file_options complete;
    struct sch_picture picture;
    size_t row, bytes;
    if (!sch_files_options(options, "options", &complete, error) ||
        !sch_files_take(error, "picture", &picture, sizeof picture, given) ||
        !sch_files_given(error, "picture.texels", picture.texels))
        return SCH_ERROR_ARGUMENT;
    if (!picture.width || picture.width > SCH_PNG_ROW_BYTES / CHANNELS)
        return sch_files_wrong(error, "picture.width", "%u, of 1 to %u", (unsigned)picture.width,
                               (unsigned)(SCH_PNG_ROW_BYTES / CHANNELS));
    if (!picture.height || picture.height > INT32_MAX)
        return sch_files_wrong(error, "picture.height", "%u, of 1 to %d", (unsigned)picture.height, INT32_MAX);
    if (!sch_mul_size(picture.width, CHANNELS, &row) || !sch_mul_size(row, picture.height, &bytes) ||
        bytes > picture.bytes)
        return sch_files_wrong(error, "picture.bytes", "%zu are fewer than its size needs", picture.bytes);
    struct sch_files_pixels pixels;
    if (!sch_files_pixels_of(SCH_FORMAT_R8G8B8A8_UNORM, &pixels)) return SCH_ERROR_INTERNAL;
    const struct sch_file_write_options defaults = {.size = sizeof defaults};
    const struct sch_allocator memory = *complete.memory;
    const struct sch_png_source source = {.pixels = pixels,
                                          .width = picture.width,
                                          .height = picture.height,
                                          .texels = picture.texels,
                                          .options = &defaults,
                                          .memory = &memory,
                                          .error = error};
    struct sch_bytes made = {.allocator = &memory};
    const enum sch_result result = sch_png_write_source(&source, &made);
    if (result != SCH_OK) {
        sch_bytes_release(&made);
        return result;
    }
    *file = (struct sch_file_bytes){.data = made.data, .bytes = made.size, .memory = memory};
    return SCH_OK;
}
