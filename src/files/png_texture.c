/* PNG as a texture of one picture: 8 bits, red, green, blue, alpha. Holds no other kind. */
#include "files/kinds.h"

bool sch_files_png_is(const uint8_t *data, size_t bytes) { return sch_png_is(data, bytes); }

enum sch_result sch_files_png_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_options limits = reader->limits;
    limits.size = sizeof limits;
    enum sch_result result = sch_png_read(&limits, reader->data, reader->bytes, &picture, reader->error);
    if (result != SCH_OK) return result;
    texture->target = SCH_TARGET_2D;
    texture->format = SCH_FORMAT_R8G8B8A8_UNORM;
    texture->width = picture.width;
    texture->height = picture.height;
    texture->depth = texture->layers = texture->levels = 1;
    texture->texels = picture.texels;
    texture->bytes = picture.bytes;
    texture->memory = picture.memory;
    return SCH_OK;
}

enum sch_result sch_files_png_write(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    if (texture->target != SCH_TARGET_2D || texture->levels != 1) {
        sch_files_report(writer->error, SCH_D_FILE_FORM, "PNG holds one picture, without levels and layers");
        return SCH_ERROR_UNSUPPORTED;
    }
    if (texture->format != SCH_FORMAT_R8G8B8A8_UNORM) {
        sch_files_report(writer->error, SCH_D_FILE_FORMAT, "PNG has no texels of %s: R8G8B8A8_UNORM is written",
                         sch_files_format_name(texture->format));
        return SCH_ERROR_UNSUPPORTED;
    }
    const struct sch_picture picture = {.size = sizeof picture,
                                        .width = texture->width,
                                        .height = texture->height,
                                        .texels = texture->texels,
                                        .bytes = texture->bytes};
    struct sch_file_options limits = writer->limits;
    struct sch_file_bytes file;
    limits.size = sizeof limits;
    enum sch_result result = sch_png_write(&limits, &picture, &file, writer->error);
    if (result != SCH_OK) return result;
    sch_bytes_append(writer->file, file.data, file.bytes);
    sch_file_bytes_release(&file);
    return SCH_OK;
}
