/* OpenEXR out, by OpenEXR's C library: one part of scanlines, compressed by ZIP, with the channels that the format has.
 * Numbers are written as they are. Nothing is printed. Holds no other kind. */
#include <string.h>

#include <openexr.h>

#include "base/checked.h"
#include "files/kinds.h"
#include "files/pixels.h"

struct job {
    const struct sch_files_writer *writer;
    struct sch_files_pixels pixels;
    exr_context_t file;
    exr_encode_pipeline_t pipeline;
    bool begun;                                                /* the pipeline */
    exr_result_t (*compress)(exr_encode_pipeline_t *pipeline); /* the library's */
};

/* The table of chunks is written last, in front of them. */
static int64_t job_write(exr_const_context_t file, void *user, const void *from, uint64_t bytes, uint64_t offset,
                         exr_stream_error_func_ptr_t fail)
{
    const struct job *job = user;
    struct sch_bytes *to = job->writer->file;
    size_t end;
    (void)file;
    (void)fail;
    if (to->status != SCH_OK || offset > SIZE_MAX || bytes > INT64_MAX) return -1;
    if (!sch_add_size((size_t)offset, (size_t)bytes, &end)) return -1;
    if (end > to->size) {
        const size_t more = end - to->size;
        if (!sch_bytes_reserve(to, more)) return -1;
        memset(to->data + to->size, 0, more);
        to->size = end;
    }
    if (bytes) memcpy(to->data + offset, from, (size_t)bytes);
    return (int64_t)bytes;
}

static void job_error(exr_const_context_t file, exr_result_t code, const char *words)
{
    (void)file;
    (void)code;
    (void)words;
}

static exr_pixel_type_t type_of(const struct sch_files_pixels *pixels)
{
    return pixels->type == SCH_FILES_F16   ? EXR_PIXEL_HALF
           : pixels->type == SCH_FILES_F32 ? EXR_PIXEL_FLOAT
                                           : EXR_PIXEL_UINT;
}

static exr_result_t write_header(struct job *job)
{
    const struct sch_file_texture *texture = job->writer->texture;
    int part;
    exr_result_t code = exr_add_part(job->file, NULL, EXR_STORAGE_SCANLINE, &part);
    if (code == EXR_ERR_SUCCESS)
        code = exr_initialize_required_attr_simple(job->file, part, (int32_t)texture->width, (int32_t)texture->height,
                                                   EXR_COMPRESSION_ZIP);
    for (unsigned c = 0; c < sch_files_channel_count(&job->pixels) && code == EXR_ERR_SUCCESS; c++) {
        const char name[2] = {job->pixels.names[c]};
        code = exr_add_channel(job->file, part, name, type_of(&job->pixels), EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    }
    return code == EXR_ERR_SUCCESS ? exr_write_header(job->file) : code;
}

static void set_channels(struct job *job, const uint8_t *texels, size_t row)
{
    const size_t component = sch_files_component_bytes(job->pixels.type), texel = sch_files_texel_bytes(&job->pixels);
    for (int i = 0; i < job->pipeline.channel_count; i++) {
        exr_coding_channel_info_t *channel = &job->pipeline.channels[i];
        const char *name = strchr(job->pixels.names, channel->channel_name[0]);
        channel->encode_from_ptr = texels + component * job->pixels.from[name ? name - job->pixels.names : 0];
        channel->user_bytes_per_element = (int16_t)component;
        channel->user_data_type = (uint16_t)type_of(&job->pixels);
        channel->user_pixel_stride = (int32_t)texel;
        channel->user_line_stride = (int32_t)row;
    }
}

/* Readers take a chunk that is as long as its pixels for pixels, but OpenEXR 3.1.5 gives them what ZIP has made of a
 * chunk that came out neither longer nor shorter. */
static exr_result_t job_compress(exr_encode_pipeline_t *pipeline)
{
    const struct job *job = pipeline->encoding_user_data;
    const exr_result_t code = job->compress(pipeline);
    if (code == EXR_ERR_SUCCESS && pipeline->compressed_bytes == pipeline->packed_bytes &&
        pipeline->compressed_buffer != pipeline->packed_buffer)
        memcpy(pipeline->compressed_buffer, pipeline->packed_buffer, pipeline->packed_bytes);
    return code;
}

static exr_result_t begin_pipeline(struct job *job)
{
    const exr_result_t code = exr_encoding_choose_default_routines(job->file, 0, &job->pipeline);
    if (code != EXR_ERR_SUCCESS || !job->pipeline.compress_fn) return code;
    job->compress = job->pipeline.compress_fn;
    job->pipeline.compress_fn = job_compress;
    job->pipeline.encoding_user_data = job;
    return code;
}

static exr_result_t write_chunks(struct job *job)
{
    const struct sch_file_texture *texture = job->writer->texture;
    const size_t row = texture->width * sch_files_texel_bytes(&job->pixels);
    int32_t together;
    exr_chunk_info_t chunk;
    exr_result_t code = exr_get_scanlines_per_chunk(job->file, 0, &together);
    for (uint32_t y = 0; y < texture->height && code == EXR_ERR_SUCCESS; y += (uint32_t)together) {
        code = exr_write_scanline_chunk_info(job->file, 0, (int)y, &chunk);
        if (code != EXR_ERR_SUCCESS) break;
        const bool first = !job->begun;
        code = first ? exr_encoding_initialize(job->file, 0, &chunk, &job->pipeline)
                     : exr_encoding_update(job->file, 0, &chunk, &job->pipeline);
        if (code != EXR_ERR_SUCCESS) break;
        job->begun = true;
        set_channels(job, texture->texels + y * row, row);
        if (first) code = begin_pipeline(job);
        if (code == EXR_ERR_SUCCESS) code = exr_encoding_run(job->file, 0, &job->pipeline);
    }
    return code;
}

static enum sch_result result_of(const struct job *job, exr_result_t code)
{
    if (job->writer->file->status != SCH_OK) return job->writer->file->status;
    if (code == EXR_ERR_SUCCESS) return SCH_OK;
    return code == EXR_ERR_OUT_OF_MEMORY ? SCH_ERROR_MEMORY : SCH_ERROR_INTERNAL;
}

enum sch_result sch_files_exr_write(const struct sch_files_writer *writer)
{
    static const char formats[] =
        "R L LA RG RGB RGBX RGBA of floats of 16 and 32 bits or integers of 32, and Z32_FLOAT";
    const struct sch_file_texture *texture = writer->texture;
    struct job job = {.writer = writer};
    enum sch_result result = sch_files_begin_picture(writer, "OpenEXR",
                                                     1u << SCH_FILES_F16 | 1u << SCH_FILES_F32 | 1u << SCH_FILES_UI32 |
                                                         SCH_FILES_RG | SCH_FILES_MULTIPLIED,
                                                     formats, &job.pixels);
    if (result != SCH_OK) return result;
    if (texture->height > INT32_MAX || texture->width > INT32_MAX / sch_files_texel_bytes(&job.pixels))
        return sch_files_wrong(writer->error, "texture", "a row or column of it is more than OpenEXR counts");
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = job_error;
    how.user_data = &job;
    how.write_fn = job_write;
    exr_result_t code = exr_start_write(&job.file, "file", EXR_WRITE_FILE_DIRECTLY, &how);
    if (code != EXR_ERR_SUCCESS) return result_of(&job, code);
    code = write_header(&job);
    if (code == EXR_ERR_SUCCESS) code = write_chunks(&job);
    if (job.begun) exr_encoding_destroy(job.file, &job.pipeline);
    const exr_result_t finished = exr_finish(&job.file);
    return result_of(&job, code == EXR_ERR_SUCCESS ? finished : code);
}
