/* PNG out, of pictures and of textures: which formats of texels there are, and what a file says of their colours. Holds
 * neither filters nor compression: png_write.c. */
#include "base/checked.h"
#include "base/sized.h"
#include "files/kinds.h"
#include "files/png_write.h"

/* Formats whose texels are PNG's pixels, of unsigned fractions of 8 and 16 bits. One component of red is grey: PNG has
 * no other picture of one component. */
static const struct row {
    enum sch_format format;
    struct sch_png_layout layout;
} rows[] = {
#define ROW(format, color, bits, components, channels, ...)                                                            \
    {SCH_FORMAT_##format, {SCH_PNG_##color, bits, components, channels, {__VA_ARGS__}}},
#define WITH_SRGB(name, color, components, channels, ...)                                                              \
    ROW(name##_UNORM, color, 8, components, channels, __VA_ARGS__)                                                     \
    ROW(name##_SRGB, color, 8, components, channels, __VA_ARGS__)
    WITH_SRGB(R8, GREY, 1, 1, 0)                        /**/
    WITH_SRGB(L8, GREY, 1, 1, 0)                        /**/
    WITH_SRGB(L8A8, GREY_ALPHA, 2, 2, 0, 1)             /**/
    WITH_SRGB(R8G8B8, RGB, 3, 3, 0, 1, 2)               /**/
    WITH_SRGB(B8G8R8, RGB, 3, 3, 2, 1, 0)               /**/
    WITH_SRGB(R8G8B8A8, RGBA, 4, 4, 0, 1, 2, 3)         /**/
    WITH_SRGB(B8G8R8A8, RGBA, 4, 4, 2, 1, 0, 3)         /**/
    WITH_SRGB(A8R8G8B8, RGBA, 4, 4, 1, 2, 3, 0)         /**/
    WITH_SRGB(A8B8G8R8, RGBA, 4, 4, 3, 2, 1, 0)         /**/
    WITH_SRGB(R8G8B8X8, RGB, 4, 3, 0, 1, 2)             /**/
    WITH_SRGB(B8G8R8X8, RGB, 4, 3, 2, 1, 0)             /**/
    WITH_SRGB(X8R8G8B8, RGB, 4, 3, 1, 2, 3)             /**/
    WITH_SRGB(X8B8G8R8, RGB, 4, 3, 3, 2, 1)             /**/
    ROW(R16_UNORM, GREY, 16, 1, 1, 0)                   /**/
    ROW(L16_UNORM, GREY, 16, 1, 1, 0)                   /**/
    ROW(L16A16_UNORM, GREY_ALPHA, 16, 2, 2, 0, 1)       /**/
    ROW(R16G16B16_UNORM, RGB, 16, 3, 3, 0, 1, 2)        /**/
    ROW(R16G16B16A16_UNORM, RGBA, 16, 4, 4, 0, 1, 2, 3) /**/
    ROW(R16G16B16X16_UNORM, RGB, 16, 4, 3, 0, 1, 2)
#undef WITH_SRGB
#undef ROW
};

static const struct sch_png_layout *layout_of(enum sch_format format)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].format == format) return &rows[i].layout;
    return NULL;
}

static bool has_alpha(const struct sch_png_layout *layout)
{
    return layout->color == SCH_PNG_GREY_ALPHA || layout->color == SCH_PNG_RGBA;
}

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

static enum sch_result refuse(const struct sch_files_writer *writer, unsigned code, const char *why)
{
    sch_files_report(writer->error, code, "%s", why);
    return SCH_ERROR_UNSUPPORTED;
}

enum sch_result sch_files_png_write(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    if (texture->target != SCH_TARGET_2D || texture->levels != 1)
        return refuse(writer, SCH_D_FILE_FORM, "PNG holds one picture, without levels and layers");
    const struct sch_png_layout *layout = layout_of(texture->format);
    if (!layout) {
        sch_files_report(writer->error, SCH_D_FILE_FORMAT,
                         "PNG has no texels of %s, but R8 L8 L8A8 R8G8B8 R8G8B8A8 R8G8B8X8 in any order and R16 L16 "
                         "L16A16 R16G16B16 R16G16B16A16",
                         sch_files_format_name(texture->format));
        return SCH_ERROR_UNSUPPORTED;
    }
    if (texture->premultiplied && has_alpha(layout))
        return refuse(writer, SCH_D_FILE_FORM, "PNG has no colours that are multiplied with alpha");
    struct sch_png_source source = {.layout = *layout,
                                    .width = texture->width,
                                    .height = texture->height,
                                    .texels = texture->texels,
                                    .options = &writer->options,
                                    .memory = writer->limits.memory,
                                    .error = writer->error};
    if (!describe_colors(&source, texture)) return SCH_ERROR_ARGUMENT;
    if (texture->height > INT32_MAX || texture->bytes / texture->height > SCH_PNG_ROW_BYTES) return SCH_ERROR_ARGUMENT;
    return sch_png_write_source(&source, writer->file);
}

enum sch_result sch_png_write(const struct sch_file_options *options, const struct sch_picture *given,
                              struct sch_file_bytes *file, struct sch_file_error *error)
{
    enum { CHANNELS = 4 };
    if (!sch_files_begin(error) || !file) return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    struct sch_file_options complete;
    struct sch_picture picture;
    size_t row, bytes;
    if (!sch_files_options(options, &complete)) return SCH_ERROR_ARGUMENT;
    if (!given || !sch_sized_read(&picture, sizeof picture, sizeof picture, given)) return SCH_ERROR_ARGUMENT;
    if (!picture.texels || !picture.width || !picture.height) return SCH_ERROR_ARGUMENT;
    if (picture.width > SCH_PNG_ROW_BYTES / CHANNELS || picture.height > INT32_MAX) return SCH_ERROR_ARGUMENT;
    if (!sch_mul_size(picture.width, CHANNELS, &row) || !sch_mul_size(row, picture.height, &bytes) ||
        bytes > picture.bytes)
        return SCH_ERROR_ARGUMENT;
    const struct sch_file_write_options defaults = {.size = sizeof defaults};
    const struct sch_allocator memory = *complete.memory;
    const struct sch_png_source source = {.layout = *layout_of(SCH_FORMAT_R8G8B8A8_UNORM),
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
