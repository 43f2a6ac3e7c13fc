/* Textures of files of any kind: checks calls, finds the kind, and leaves the rest to its row. Holds no file format. */
#include <stddef.h>
#include <stdio.h>

#include "base/sized.h"
#include "files/codec.h"

/* "PNG, JPEG, ... and KTX2": what is read, for who has another kind. */
static void list_kinds(char *text, size_t room)
{
    const struct sch_files_codec *codec;
    size_t at = 0;
    for (size_t i = 0; (codec = sch_files_codec_at(i)) && at < room; i++)
        at += (size_t)snprintf(text + at, room - at, "%s%s",
                               !i                          ? ""
                               : sch_files_codec_at(i + 1) ? ", "
                                                           : " and ",
                               codec->name);
}

/* The first bytes are of no kind that is read. */
static void refuse_kind(const struct sch_files_reader *reader)
{
    const char *unread = sch_file_unread_kind_of(reader->data, reader->bytes);
    char kinds[96];
    list_kinds(kinds, sizeof kinds);
    if (unread)
        sch_files_report(reader->error, SCH_D_FILE_KIND, "a %s picture, which is not read: %s are", unread, kinds);
    else
        sch_files_report(reader->error, SCH_D_FILE_KIND, "the file begins as none of the kinds that are read: %s",
                         kinds);
}

static const char *or_none(const char *text) { return text ? text : "nothing"; }

/* The row of the kind that is asked for, or that the bytes say. NULL: the report says why. */
static const struct sch_files_codec *find_codec(const struct sch_files_reader *reader, enum sch_file_kind kind,
                                                enum sch_result *result)
{
    const struct sch_files_codec *codec = sch_files_codec_of(kind);
    if (kind != SCH_FILE_KIND_UNKNOWN && !codec) {
        *result = sch_files_wrong(reader->error, "options.kind", "there is no kind %u", (unsigned)kind);
        return NULL;
    }
    *result = SCH_ERROR_INVALID;
    if (!codec) codec = sch_files_codec_of(sch_file_kind_of(reader->data, reader->bytes));
    if (!codec) {
        refuse_kind(reader);
        return NULL;
    }
    if (!codec->is(reader->data, reader->bytes)) {
        sch_files_report(reader->error, SCH_D_FILE_KIND, "the file does not begin as a %s file does", codec->name);
        return NULL;
    }
    if (!codec->read) {
        *result = SCH_ERROR_UNSUPPORTED;
        sch_files_report(reader->error, SCH_D_FILE_LIBRARY, "%s is read with %s, which this build lacks", codec->name,
                         or_none(codec->needs));
        return NULL;
    }
    return codec;
}

enum sch_result sch_file_texture_read(const struct sch_file_read_options *given, const void *data, size_t bytes,
                                      struct sch_file_texture *texture, struct sch_file_error *error)
{
    static const struct sch_file_texture empty = {0};
    struct sch_file_read_options options = {.size = sizeof options};
    if (!sch_files_begin(error)) return SCH_ERROR_ARGUMENT;
    if (!sch_files_fits(error, "texture", texture, sizeof *texture)) return SCH_ERROR_ARGUMENT;
    sch_sized_write(texture, &empty, sizeof empty);
    struct sch_files_reader reader = {.data = data, .bytes = bytes, .error = error};
    if (given && !sch_files_take(error, "options", &options, sizeof options, given)) return SCH_ERROR_ARGUMENT;
    if (!sch_files_options(options.limits, "options.limits", &reader.limits, error)) return SCH_ERROR_ARGUMENT;
    if (!data && bytes) return sch_files_wrong(error, "data", "NULL, with %zu bytes", bytes);

    reader.as_colors = options.as_colors;
    reader.lenient = options.lenient;
    reader.warn = options.warn;
    reader.warn_user = options.warn_user;
    enum sch_result result;
    const struct sch_files_codec *codec = find_codec(&reader, options.kind, &result);
    if (!codec) return result;
    struct sch_file_texture read = {.size = sizeof read};
    result = codec->read(&reader, &read);
    if (result != SCH_OK) {
        sch_file_texture_release(&read);
        return result;
    }
    sch_sized_write(texture, &read, sizeof read);
    return SCH_OK;
}

/* What a texture must be before any kind of file is asked. */
static enum sch_result check_texture(const struct sch_file_texture *texture, struct sch_file_error *error)
{
    size_t bytes;
    const char *wrong = sch_files_wrong_shape(texture);
    if (wrong) return sch_files_wrong(error, "texture", "%s", wrong);
    if (!sch_files_given(error, "texture.texels", texture->texels)) return SCH_ERROR_ARGUMENT;
    if (!sch_files_texture_bytes(texture, &bytes))
        return sch_files_wrong(error, "texture", "its texels are more bytes than memory has");
    if (bytes > texture->bytes)
        return sch_files_wrong(error, "texture.bytes", "%zu, and its shape and format need %zu", texture->bytes, bytes);
    if ((unsigned)texture->transfer > SCH_FILE_TRANSFER_GAMMA)
        return sch_files_wrong(error, "texture.transfer", "there is no curve %u", (unsigned)texture->transfer);
    return SCH_OK;
}

enum sch_result sch_file_texture_write(const struct sch_file_write_options *options, enum sch_file_kind kind,
                                       const struct sch_file_texture *given, struct sch_file_bytes *file,
                                       struct sch_file_error *error)
{
    if (!sch_files_begin(error) || !sch_files_given(error, "file", file)) return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    struct sch_file_texture texture;
    struct sch_files_writer writer = {.texture = &texture, .error = error};
    if (options && !sch_files_take(error, "options", &writer.options, sizeof writer.options, options))
        return SCH_ERROR_ARGUMENT;
    if (!sch_files_options(writer.options.limits, "options.limits", &writer.limits, error) ||
        !sch_files_take(error, "texture", &texture, sizeof texture, given))
        return SCH_ERROR_ARGUMENT;
    enum sch_result result = check_texture(&texture, error);
    if (result != SCH_OK) return result;
    const struct sch_files_codec *codec = sch_files_codec_of(kind);
    if (!codec) return sch_files_wrong(error, "kind", "there is no kind %u", (unsigned)kind);
    if (!codec->write) {
        sch_files_report(error, codec->needs ? SCH_D_FILE_LIBRARY : SCH_D_FILE_FORM, "%s is not written%s%s",
                         codec->name, codec->needs ? " without " : "", codec->needs ? codec->needs : "");
        return SCH_ERROR_UNSUPPORTED;
    }
    const struct sch_allocator memory = *writer.limits.memory;
    struct sch_bytes made = {.allocator = &memory};
    writer.file = &made;
    result = codec->write(&writer);
    if (result == SCH_OK) result = made.status;
    if (result != SCH_OK) {
        sch_bytes_release(&made);
        return result;
    }
    *file = (struct sch_file_bytes){.data = made.data, .bytes = made.size, .memory = memory};
    return SCH_OK;
}

void sch_file_texture_release(struct sch_file_texture *texture)
{
    static const struct sch_file_texture empty = {0};
    if (!texture || !sch_sized_fits(texture->size, sizeof *texture)) return;
    if (texture->texels) texture->memory.free(texture->memory.user, texture->texels);
    sch_sized_write(texture, &empty, sizeof empty);
}
