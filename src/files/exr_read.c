/* OpenEXR in, by OpenEXR's C library: files of one part, of scanlines or tiles. The texture is the data window; the
 * display window has no effect. Levels of tiles are read where they halve, rounded down, as a texture's do; else the
 * largest one is. Nothing is printed. Holds no other kind. */
#include <stdio.h>
#include <string.h>

#include <openexr.h>

#include "base/checked.h"
#include "files/kinds.h"
#include "files/pixels.h"

enum { CHANNELS = 4, WORDS = 128 };

struct job {
    const struct sch_files_reader *reader;
    struct sch_file_texture *texture;
    exr_context_t file;
    exr_storage_t storage;
    exr_attr_box2i_t window;
    exr_pixel_type_t type;       /* of all texels */
    const char *names[CHANNELS]; /* of the channels that become the components of a texel; NULL: none does */
    unsigned components;
    unsigned texel; /* bytes */
    uint32_t levels;
    exr_decode_pipeline_t pipeline;
    bool begun; /* the pipeline */
    char words[WORDS];
};

/* ---- what OpenEXR calls ---- */

static int64_t job_read(exr_const_context_t file, void *user, void *to, uint64_t bytes, uint64_t offset,
                        exr_stream_error_func_ptr_t fail)
{
    const struct job *job = user;
    (void)file;
    (void)fail;
    if (offset > job->reader->bytes) return 0;
    const size_t left = job->reader->bytes - (size_t)offset, count = bytes < left ? (size_t)bytes : left;
    if (count) memcpy(to, job->reader->data + offset, count);
    return (int64_t)count;
}

static int64_t job_size(exr_const_context_t file, void *user)
{
    const struct job *job = user;
    (void)file;
    return (int64_t)job->reader->bytes;
}

static void job_error(exr_const_context_t file, exr_result_t code, const char *words)
{
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(file, &user) != EXR_ERR_SUCCESS || !user) return;
    struct job *job = user;
    snprintf(job->words, sizeof job->words, "%s", words);
    job->words[strcspn(job->words, "\n")] = 0;
}

/* ---- reports ---- */

static enum sch_result damaged(struct job *job, const char *what)
{
    sch_files_report(job->reader->error, SCH_D_PICTURE_DAMAGED, "damaged OpenEXR file: %s", what);
    return SCH_ERROR_INVALID;
}

static enum sch_result refused(struct job *job, const char *what)
{
    sch_files_report(job->reader->error, SCH_D_FILE_FORM, "the OpenEXR file has %s", what);
    return SCH_ERROR_UNSUPPORTED;
}

static enum sch_result failed(struct job *job, exr_result_t code)
{
    if (code == EXR_ERR_OUT_OF_MEMORY) return SCH_ERROR_MEMORY;
    if (code == EXR_ERR_FEATURE_NOT_IMPLEMENTED) return refused(job, "something that the library does not read");
    return damaged(job, job->words[0] ? job->words : exr_get_default_error_message(code));
}

/* ---- the header ---- */

static const exr_attr_chlist_entry_t *find(const exr_attr_chlist_t *list, const char *name)
{
    for (int i = 0; i < list->num_channels; i++)
        if (strcmp(list->entries[i].name.str, name) == 0) return &list->entries[i];
    return NULL;
}

/* Which channels become which components. Red, green, blue, alpha before luminance before depth before a channel of any
 * other name, if it is the only one. */
static bool choose_channels(struct job *job, const exr_attr_chlist_t *list)
{
    static const char *const colors[CHANNELS] = {"R", "G", "B", "A"};
    const bool rgb = find(list, "R") || find(list, "G") || find(list, "B");
    if (rgb) {
        for (unsigned c = 0; c < CHANNELS; c++) job->names[c] = find(list, colors[c]) ? colors[c] : NULL;
        job->components = job->names[2] || job->names[3] ? 4 : job->names[1] ? 2 : 1;
    } else if (find(list, "Y")) {
        job->names[0] = "Y";
        job->names[1] = find(list, "A") ? "A" : NULL;
        job->components = job->names[1] ? 2 : 1;
    } else if (find(list, "Z") || list->num_channels == 1) {
        job->names[0] = find(list, "Z") ? "Z" : list->entries[0].name.str;
        job->components = 1;
    }
    return job->components;
}

/* Types and sampling of the chosen channels. */
static enum sch_result check_channels(struct job *job, const exr_attr_chlist_t *list)
{
    bool integers = false, floats = false, wide = false;
    for (unsigned c = 0; c < CHANNELS; c++) {
        const exr_attr_chlist_entry_t *channel = job->names[c] ? find(list, job->names[c]) : NULL;
        if (!channel) continue;
        if (channel->x_sampling != 1 || channel->y_sampling != 1) return refused(job, "channels of another resolution");
        integers = integers || channel->pixel_type == EXR_PIXEL_UINT;
        floats = floats || channel->pixel_type != EXR_PIXEL_UINT;
        wide = wide || channel->pixel_type == EXR_PIXEL_FLOAT;
    }
    if (integers && floats) return refused(job, "colours of integers and floats");
    job->type = integers ? EXR_PIXEL_UINT : wide ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF;
    job->texel = job->components * (job->type == EXR_PIXEL_HALF ? 2 : 4);
    return SCH_OK;
}

static enum sch_format format_of(const struct job *job)
{
    /* By type, then of one to four components. */
    static const enum sch_format colors[][CHANNELS] = {
        [EXR_PIXEL_UINT] = {SCH_FORMAT_R32_UINT, SCH_FORMAT_R32G32_UINT, SCH_FORMAT_NONE, SCH_FORMAT_R32G32B32A32_UINT},
        [EXR_PIXEL_HALF] = {SCH_FORMAT_R16_FLOAT, SCH_FORMAT_R16G16_FLOAT, SCH_FORMAT_NONE,
                            SCH_FORMAT_R16G16B16A16_FLOAT},
        [EXR_PIXEL_FLOAT] = {SCH_FORMAT_R32_FLOAT, SCH_FORMAT_R32G32_FLOAT, SCH_FORMAT_NONE,
                             SCH_FORMAT_R32G32B32A32_FLOAT}};
    static const enum sch_format luminances[][2] = {
        [EXR_PIXEL_UINT] = {SCH_FORMAT_L32_UINT, SCH_FORMAT_L32A32_UINT},
        [EXR_PIXEL_HALF] = {SCH_FORMAT_L16_FLOAT, SCH_FORMAT_L16A16_FLOAT},
        [EXR_PIXEL_FLOAT] = {SCH_FORMAT_L32_FLOAT, SCH_FORMAT_L32A32_FLOAT}};
    const char *name = job->names[0];
    if (name && strcmp(name, "Y") == 0) return luminances[job->type][job->components - 1];
    if (name && strcmp(name, "Z") == 0 && job->type == EXR_PIXEL_FLOAT) return SCH_FORMAT_Z32_FLOAT;
    return colors[job->type][job->components - 1];
}

/* The levels that are a texture's. */
static enum sch_result count_levels(struct job *job)
{
    uint32_t width, height;
    int32_t across, down;
    exr_tile_level_mode_t mode;
    exr_tile_round_mode_t round;
    job->levels = 1;
    if (job->storage != EXR_STORAGE_TILED) return SCH_OK;
    exr_result_t code = exr_get_tile_descriptor(job->file, 0, &width, &height, &mode, &round);
    if (code == EXR_ERR_SUCCESS) code = exr_get_tile_levels(job->file, 0, &across, &down);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    if (!width || !height || width > INT32_MAX || height > INT32_MAX) return damaged(job, "the size of its tiles");
    if (mode == EXR_TILE_MIPMAP_LEVELS && round == EXR_TILE_ROUND_DOWN && across > 0) job->levels = (uint32_t)across;
    return SCH_OK;
}

/* Shapes that files of a few bytes may promise: the table of chunks must be in the file. */
static enum sch_result describe(struct job *job)
{
    struct sch_file_texture *texture = job->texture;
    const int64_t width = (int64_t)job->window.max.x - job->window.min.x + 1;
    const int64_t height = (int64_t)job->window.max.y - job->window.min.y + 1;
    if (width < 1 || height < 1 || width > UINT32_MAX || height > UINT32_MAX) return damaged(job, "its data window");
    sch_files_describe_picture(texture, format_of(job), (uint32_t)width, (uint32_t)height);
    texture->levels = job->levels;
    texture->transfer = SCH_FILE_TRANSFER_LINEAR;
    size_t bytes;
    int32_t chunks;
    enum sch_result result = sch_files_check(job->reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if ((size_t)width > INT32_MAX / job->texel) {
        sch_files_report(job->reader->error, SCH_D_PICTURE_TOO_LARGE, "a row of the picture has 2 GiB or more");
        return SCH_ERROR_LIMIT;
    }
    exr_result_t code = exr_get_chunk_count(job->file, 0, &chunks);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    if (chunks < 1 || (size_t)chunks > job->reader->bytes / sizeof(uint64_t))
        return damaged(job, "too few bytes for its size");
    return sch_files_allocate(job->reader, texture);
}

static enum sch_result read_header(struct job *job)
{
    const exr_attr_chlist_t *list;
    int parts;
    exr_result_t code = exr_get_count(job->file, &parts);
    if (code == EXR_ERR_SUCCESS) code = exr_get_storage(job->file, 0, &job->storage);
    if (code == EXR_ERR_SUCCESS) code = exr_get_data_window(job->file, 0, &job->window);
    if (code == EXR_ERR_SUCCESS) code = exr_get_channels(job->file, 0, &list);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    if (parts != 1) return refused(job, "several parts: files of one are read");
    if (job->storage != EXR_STORAGE_SCANLINE && job->storage != EXR_STORAGE_TILED)
        return refused(job, "deep pixels: flat ones are read");
    if (!choose_channels(job, list)) return refused(job, "no channel R, G, B, Y or Z, but several others");
    enum sch_result result = check_channels(job, list);
    if (result == SCH_OK) result = count_levels(job);
    return result == SCH_OK ? describe(job) : result;
}

/* ---- texels ---- */

/* Where the file has no channel, colours are 0 and alpha is 1. */
static void fill_missing(const struct job *job)
{
    static const uint8_t ones[][4] = {
        [EXR_PIXEL_UINT] = {1}, [EXR_PIXEL_HALF] = {0, 0x3c}, [EXR_PIXEL_FLOAT] = {0, 0, 0x80, 0x3f}};
    bool all = true;
    for (unsigned c = 0; c < job->components; c++) all = all && job->names[c];
    if (all) return;
    memset(job->texture->texels, 0, job->texture->bytes);
    if (job->components < CHANNELS || job->names[3]) return;
    const size_t component = job->texel / CHANNELS;
    for (size_t at = 3 * component; at < job->texture->bytes; at += job->texel)
        memcpy(job->texture->texels + at, ones[job->type], component);
}

/* Leads the pipeline's channels to the texels; `to` is the chunk's first one. */
static void set_channels(struct job *job, uint8_t *to, size_t row)
{
    for (int i = 0; i < job->pipeline.channel_count; i++) {
        exr_coding_channel_info_t *channel = &job->pipeline.channels[i];
        channel->decode_to_ptr = NULL;
        for (unsigned c = 0; c < job->components; c++) {
            if (!job->names[c] || strcmp(job->names[c], channel->channel_name) != 0) continue;
            const unsigned component = job->texel / job->components;
            channel->decode_to_ptr = to + (size_t)c * component;
            channel->user_bytes_per_element = (int16_t)component;
            channel->user_data_type = (uint16_t)job->type;
            channel->user_pixel_stride = (int32_t)job->texel;
            channel->user_line_stride = (int32_t)row;
        }
    }
}

/* A chunk whose first texel is (x, y) of a level. What the file says of its size was not yet checked. */
static enum sch_result read_chunk(struct job *job, const exr_chunk_info_t *chunk, const struct sch_files_level *level,
                                  uint32_t x, uint32_t y)
{
    if (chunk->packed_size > job->reader->bytes) return damaged(job, "a chunk is larger than the file");
    if (chunk->unpacked_size > job->reader->limits.max_bytes) {
        sch_files_report(job->reader->error, SCH_D_PICTURE_TOO_LARGE, "a chunk has more bytes than allowed");
        return SCH_ERROR_LIMIT;
    }
    if (chunk->width < 1 || chunk->height < 1 || (uint32_t)chunk->width > level->width - x ||
        (uint32_t)chunk->height > level->height - y)
        return damaged(job, "a chunk is outside of the picture");
    const bool first = !job->begun;
    exr_result_t code = first ? exr_decoding_initialize(job->file, 0, chunk, &job->pipeline)
                              : exr_decoding_update(job->file, 0, chunk, &job->pipeline);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    job->begun = true;
    set_channels(job, job->texture->texels + level->offset + y * level->row_bytes + (size_t)x * job->texel,
                 level->row_bytes);
    if (first) code = exr_decoding_choose_default_routines(job->file, 0, &job->pipeline);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    code = exr_decoding_run(job->file, 0, &job->pipeline);
    /* What the chunk needs was checked: the library has this answer for chunks of B44 that are cut off, too. */
    if (code == EXR_ERR_OUT_OF_MEMORY) return damaged(job, "a chunk is cut off, or needs more memory than there is");
    return code == EXR_ERR_SUCCESS ? SCH_OK : failed(job, code);
}

static enum sch_result read_scanlines(struct job *job)
{
    const struct sch_files_level level = sch_files_level(job->texture, 0);
    int32_t together;
    exr_chunk_info_t chunk;
    exr_result_t code = exr_get_scanlines_per_chunk(job->file, 0, &together);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    if (together < 1) return damaged(job, "its chunks");
    for (uint32_t y = 0; y < level.height; y += (uint32_t)together) {
        code = exr_read_scanline_chunk_info(job->file, 0, (int)(job->window.min.y + (int64_t)y), &chunk);
        if (code != EXR_ERR_SUCCESS) return failed(job, code);
        const enum sch_result result = read_chunk(job, &chunk, &level, 0, y);
        if (result != SCH_OK) return result;
    }
    return SCH_OK;
}

static enum sch_result read_level(struct job *job, uint32_t number)
{
    const struct sch_files_level level = sch_files_level(job->texture, number);
    int32_t width, height, level_width, level_height;
    exr_chunk_info_t chunk;
    exr_result_t code = exr_get_tile_sizes(job->file, 0, (int)number, (int)number, &width, &height);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_level_sizes(job->file, 0, (int)number, (int)number, &level_width, &level_height);
    if (code != EXR_ERR_SUCCESS) return failed(job, code);
    if (width < 1 || height < 1 || level_width < 1 || (uint32_t)level_width != level.width || level_height < 1 ||
        (uint32_t)level_height != level.height)
        return damaged(job, "its levels");
    for (uint64_t y = 0; y < level.height; y += (uint32_t)height)
        for (uint64_t x = 0; x < level.width; x += (uint32_t)width) {
            code = exr_read_tile_chunk_info(job->file, 0, (int)(x / (uint32_t)width), (int)(y / (uint32_t)height),
                                            (int)number, (int)number, &chunk);
            if (code != EXR_ERR_SUCCESS) return failed(job, code);
            const enum sch_result result = read_chunk(job, &chunk, &level, (uint32_t)x, (uint32_t)y);
            if (result != SCH_OK) return result;
        }
    return SCH_OK;
}

static enum sch_result read_texels(struct job *job)
{
    fill_missing(job);
    if (job->storage == EXR_STORAGE_SCANLINE) return read_scanlines(job);
    for (uint32_t level = 0; level < job->levels; level++) {
        const enum sch_result result = read_level(job, level);
        if (result != SCH_OK) return result;
    }
    return SCH_OK;
}

/* OpenEXR's colours are multiplied with alpha. Where that is 1, it makes no difference. */
static void note_alpha(const struct job *job)
{
    struct sch_files_pixels pixels;
    if (!sch_files_pixels_of(job->texture->format, &pixels)) return;
    job->texture->premultiplied =
        !sch_files_drop_full_alpha(&pixels, job->texture->texels, job->texture->bytes / job->texel);
}

enum sch_result sch_files_exr_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct job job = {.reader = reader, .texture = texture};
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = job_error;
    how.user_data = &job;
    how.read_fn = job_read;
    how.size_fn = job_size;
    how.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    const exr_result_t code = exr_start_read(&job.file, "file", &how);
    if (code != EXR_ERR_SUCCESS) return failed(&job, code);
    enum sch_result result = read_header(&job);
    if (result == SCH_OK) result = read_texels(&job);
    if (result == SCH_OK) note_alpha(&job);
    if (job.begun) exr_decoding_destroy(job.file, &job.pipeline);
    exr_finish(&job.file);
    return result;
}
