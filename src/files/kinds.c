/* The kinds of files: one row each, and how a kind is found by content and by name. What a kind means is in the files
 * of its functions. */
#include <string.h>

#include "base/sized.h"
#include "files/codec.h"
#include "files/kinds.h"

static const struct sch_files_codec codecs[] = {
    {SCH_FILE_KIND_PNG, "PNG", "png", NULL, false, sch_files_png_is, sch_files_png_read, sch_files_png_write},
    {SCH_FILE_KIND_DDS, "DDS", "dds", NULL, true, sch_files_dds_is, sch_files_dds_read, sch_files_dds_write},
    {SCH_FILE_KIND_KTX, "KTX", "ktx", NULL, true, sch_files_ktx_is, sch_files_ktx_read, sch_files_ktx_write},
    {SCH_FILE_KIND_KTX2, "KTX2", "ktx2", NULL, true, sch_files_ktx2_is, sch_files_ktx2_read, sch_files_ktx2_write},
};
enum { CODECS = sizeof codecs / sizeof *codecs };

const struct sch_files_codec *sch_files_codec_at(size_t index) { return index < CODECS ? &codecs[index] : NULL; }

const struct sch_files_codec *sch_files_codec_of(enum sch_file_kind kind)
{
    for (size_t i = 0; i < CODECS; i++)
        if (codecs[i].kind == kind) return &codecs[i];
    return NULL;
}

enum sch_result sch_file_kind_get_info(enum sch_file_kind kind, struct sch_file_kind_info *info)
{
    const struct sch_files_codec *codec = sch_files_codec_of(kind);
    if (!codec || !info || !sch_sized_fits(info->size, sizeof *info)) return SCH_ERROR_ARGUMENT;
    const struct sch_file_kind_info found = {.name = codec->name,
                                             .extensions = codec->extensions,
                                             .needs = codec->needs,
                                             .writes = codec->write != NULL,
                                             .textures = codec->textures};
    sch_sized_write(info, &found, sizeof found);
    return SCH_OK;
}

enum sch_file_kind sch_file_kind_of(const void *data, size_t bytes)
{
    if (!data) return SCH_FILE_KIND_UNKNOWN;
    for (size_t i = 0; i < CODECS; i++)
        if (codecs[i].is(data, bytes)) return codecs[i].kind;
    return SCH_FILE_KIND_UNKNOWN;
}

/* Not of the C library, whose answer depends on the locale. */
static char lowered(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Whether `ending` is one of the words of `list`, in letters of either case. */
static bool listed(const char *ending, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, " "), same = 0;
        while (same < length && ending[same] && lowered(ending[same]) == list[same]) same++;
        if (same == length && !ending[length]) return true;
        list += length;
        list += *list == ' ';
    }
    return false;
}

enum sch_file_kind sch_file_kind_by_name(const char *path)
{
    if (!path) return SCH_FILE_KIND_UNKNOWN;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (!dot || !dot[1]) return SCH_FILE_KIND_UNKNOWN;
    for (size_t i = 0; i < CODECS; i++)
        if (listed(dot + 1, codecs[i].extensions)) return codecs[i].kind;
    return SCH_FILE_KIND_UNKNOWN;
}
