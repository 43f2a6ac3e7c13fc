/* The kinds of files: one row each, and how a kind is found by content and by name. What a kind means is in the files
 * of its functions. */
#include <string.h>

#include "base/sized.h"
#include "files/codec.h"
#include "files/kinds.h"

/* Known without their libraries, too, so that the report can name those. */
static bool is_jpeg(const uint8_t *data, size_t bytes)
{
    return bytes >= 3 && data[0] == 0xff && data[1] == 0xd8 && data[2] == 0xff;
}

static bool is_exr(const uint8_t *data, size_t bytes)
{
    return bytes >= 4 && data[0] == 0x76 && data[1] == 0x2f && data[2] == 0x31 && data[3] == 0x01;
}

/* A library that is needed, and functions that are there with it. */
#ifdef SCH_JPEG
#define JPEG(is, reader) NULL, false, is, reader, NULL
#else
#define JPEG(is, reader) "libjpeg-turbo", false, is, NULL, NULL
#endif
#ifdef SCH_EXR
#define EXR(is, reader, writer) NULL, false, is, reader, writer
#else
#define EXR(is, reader, writer) "OpenEXR", false, is, NULL, NULL
#endif

static const struct sch_files_codec codecs[] = {
    {SCH_FILE_KIND_PNG, "PNG", "png", NULL, false, sch_files_png_is, sch_files_png_read, sch_files_png_write},
    {SCH_FILE_KIND_JPEG, "JPEG", "jpg jpeg jpe jfif", JPEG(is_jpeg, sch_files_jpeg_read)},
    {SCH_FILE_KIND_PNM, "PNM", "pnm pbm pgm ppm pam", NULL, false, sch_files_pnm_is, sch_files_pnm_read,
     sch_files_pnm_write},
    {SCH_FILE_KIND_PFM, "PFM", "pfm", NULL, false, sch_files_pfm_is, sch_files_pfm_read, sch_files_pfm_write},
    {SCH_FILE_KIND_HDR, "HDR", "hdr pic rgbe", NULL, false, sch_files_hdr_is, sch_files_hdr_read, sch_files_hdr_write},
    {SCH_FILE_KIND_EXR, "EXR", "exr", EXR(is_exr, sch_files_exr_read, sch_files_exr_write)},
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

/* ---- kinds that are known but not read ---- */

static bool begins(const uint8_t *data, size_t bytes, const char *mark, size_t mark_bytes)
{
    return bytes >= mark_bytes && memcmp(data, mark, mark_bytes) == 0;
}

/* BITMAPFILEHEADER, and after it the size of one of the headers that there are. */
static bool is_bmp(const uint8_t *data, size_t bytes)
{
    static const uint8_t sizes[] = {12, 40, 52, 56, 64, 108, 124};
    if (bytes < 18 || !begins(data, bytes, "BM", 2)) return false;
    return data[15] == 0 && data[16] == 0 && data[17] == 0 && memchr(sizes, data[14], sizeof sizes) != NULL;
}

static bool is_tiff(const uint8_t *data, size_t bytes)
{
    return begins(data, bytes, "II*\0", 4) || begins(data, bytes, "MM\0*", 4) || begins(data, bytes, "II+\0", 4) ||
           begins(data, bytes, "MM\0+", 4);
}

static bool is_gif(const uint8_t *data, size_t bytes)
{
    return begins(data, bytes, "GIF87a", 6) || begins(data, bytes, "GIF89a", 6);
}

static bool is_webp(const uint8_t *data, size_t bytes)
{
    return bytes >= 12 && begins(data, bytes, "RIFF", 4) && memcmp(data + 8, "WEBP", 4) == 0;
}

/* TGA begins with no mark. Version 2 ends with one; of version 1 every byte of the header must be possible. */
static bool is_tga(const uint8_t *data, size_t bytes)
{
    enum { HEADER = 18, MAPPED = 1, COLORS = 2, GREY = 3, PACKED = 8 };
    static const char end[] = "TRUEVISION-XFILE."; /* with its closing zero */
    static const uint8_t depths[] = {8, 15, 16, 24, 32};
    if (bytes < HEADER) return false;
    if (bytes >= HEADER + 26 && memcmp(data + bytes - sizeof end, end, sizeof end) == 0) return true;
    const unsigned type = data[2] & ~(unsigned)PACKED;
    if (data[1] > 1 || type < MAPPED || type > GREY || data[2] > (PACKED | GREY)) return false;
    if (data[1] != (type == MAPPED) || (data[1] == 0 && (data[5] || data[6] || data[7] || data[3] || data[4])))
        return false;
    if (data[1] && !memchr(depths, data[7], sizeof depths)) return false;
    const size_t width = data[12] | (size_t)data[13] << 8, height = data[14] | (size_t)data[15] << 8;
    if (!width || !height || !memchr(depths, data[16], sizeof depths) || data[17] & 0xc0) return false;
    const size_t texels = width * height * ((data[16] + 7u) / 8);
    return bytes > HEADER + (size_t)data[0] && (data[2] & PACKED || bytes >= HEADER + (size_t)data[0] + texels);
}

const char *sch_file_unread_kind_of(const void *data, size_t bytes)
{
    static const struct {
        const char *name;
        bool (*is)(const uint8_t *data, size_t bytes);
    } unread[] = {{"BMP", is_bmp}, {"TIFF", is_tiff}, {"GIF", is_gif}, {"WebP", is_webp}, {"TGA", is_tga}};
    if (!data || sch_file_kind_of(data, bytes) != SCH_FILE_KIND_UNKNOWN) return NULL;
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        if (unread[i].is(data, bytes)) return unread[i].name;
    return NULL;
}

/* ---- names ---- */

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
