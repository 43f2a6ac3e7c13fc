/* PNG in and out by libpng. libpng reports errors by longjmp: each setjmp here is in a function that keeps everything
 * in the job, so that no local variable changes between the two. Nothing is printed. Holds no other format. */
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/sized.h"
#include "files/files.h"

enum { SIGNATURE_BYTES = 8, CHANNELS = 4, COMPRESSION_LEVEL = 6 };

/* Ancillary chunks may not take more memory than this; deflate makes at most 1032 bytes of one. */
#define CHUNK_BYTES   ((png_alloc_size_t)1 << 20)
#define DEFLATE_RATIO 1032u

struct job {
    struct sch_file_options options;
    struct sch_file_error *error;
    enum sch_result result; /* of a job that libpng broke off */
    png_structp png;
    png_infop info;

    const uint8_t *data; /* reading: what is left */
    size_t left;
    size_t bytes;
    struct sch_picture picture;

    struct sch_allocator allocator; /* writing */
    struct sch_bytes file;
};

static png_voidp job_alloc(png_structp png, png_alloc_size_t bytes)
{
    struct job *job = png_get_mem_ptr(png);
    void *memory = job->options.memory->alloc(job->options.memory->user, bytes);
    if (!memory) job->result = SCH_ERROR_MEMORY;
    return memory;
}

static void job_free(png_structp png, png_voidp memory)
{
    struct job *job = png_get_mem_ptr(png);
    if (memory) job->options.memory->free(job->options.memory->user, memory);
}

/* libpng found an error, or one of the functions below did, having set `result` and the report. */
static _Noreturn void job_error(png_structp png, png_const_charp message)
{
    struct job *job = png_get_error_ptr(png);
    if (job->result == SCH_OK) {
        job->result = SCH_ERROR_INVALID;
        sch_files_report(job->error, SCH_D_PICTURE_DAMAGED, "damaged PNG: %s", message);
    }
    png_longjmp(png, 1);
}

static void job_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void job_read(png_structp png, png_bytep to, size_t bytes)
{
    struct job *job = png_get_io_ptr(png);
    if (bytes > job->left) png_error(png, "the file ends early");
    memcpy(to, job->data, bytes);
    job->data += bytes;
    job->left -= bytes;
}

static void job_write(png_structp png, png_bytep from, size_t bytes)
{
    struct job *job = png_get_io_ptr(png);
    sch_bytes_append(&job->file, from, bytes);
    if (job->file.status == SCH_OK) return;
    job->result = SCH_ERROR_MEMORY;
    png_error(png, "out of memory");
}

static void job_flush(png_structp png) { (void)png; }

/* Skips what does not change the texels, unread: fewer bytes from outside to interpret. */
static void skip_ancillary(png_structp png)
{
    static const png_byte names[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                    "sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, sizeof names / 5);
}

/* Refuses by LIMIT or as damaged what the header promises, before memory is taken for it. */
static void check_header(struct job *job)
{
    png_structp png = job->png;
    uint32_t width = png_get_image_width(png, job->info), height = png_get_image_height(png, job->info);
    size_t row, texels, stored;
    bool fits = width <= job->options.max_width && height <= job->options.max_height &&
                sch_mul_size(width, CHANNELS, &row) && sch_mul_size(row, height, &texels) &&
                texels <= job->options.max_bytes;
    if (!fits) {
        job->result = SCH_ERROR_LIMIT;
        sch_files_report(job->error, SCH_D_PICTURE_TOO_LARGE, "the picture has %u x %u pixels: more than allowed",
                         (unsigned)width, (unsigned)height);
        png_error(png, "");
    }
    if (!sch_mul_size(png_get_rowbytes(png, job->info), height, &stored) || stored / DEFLATE_RATIO > job->bytes)
        png_error(png, "too few bytes for its size");
    job->picture.width = width;
    job->picture.height = height;
}

/* Whatever the file has, rows of RGBA8. */
static void set_transformations(struct job *job)
{
    png_structp png = job->png;
    png_set_expand(png); /* palettes, fewer than 8 bits, transparent colours */
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

static void read_texels(struct job *job)
{
    png_structp png = job->png;
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, job->info);
    size_t row = (size_t)job->picture.width * CHANNELS;
    if (png_get_rowbytes(png, job->info) != row) png_error(png, "a kind of PNG that the reader does not know");

    const struct sch_allocator *memory = job->options.memory;
    job->picture.bytes = row * job->picture.height;
    job->picture.texels = memory->alloc(memory->user, job->picture.bytes);
    if (!job->picture.texels) {
        job->result = SCH_ERROR_MEMORY;
        png_error(png, "");
    }
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < job->picture.height; y++) png_read_row(png, job->picture.texels + y * row, NULL);
    png_read_end(png, NULL);
}

static void read_all(struct job *job)
{
    if (setjmp(png_jmpbuf(job->png))) return;
    png_set_read_fn(job->png, job, job_read);
    png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* ours are checked below */
    png_set_chunk_malloc_max(job->png, CHUNK_BYTES);
    skip_ancillary(job->png);
    job->info = png_create_info_struct(job->png);
    if (!job->info) png_error(job->png, "out of memory");
    png_read_info(job->png, job->info);
    check_header(job);
    set_transformations(job);
    read_texels(job);
}

bool sch_png_is(const void *data, size_t bytes)
{
    return data && bytes >= SIGNATURE_BYTES && png_sig_cmp(data, 0, SIGNATURE_BYTES) == 0;
}

enum sch_result sch_png_read(const struct sch_file_options *options, const void *data, size_t bytes,
                             struct sch_picture *picture, struct sch_file_error *error)
{
    static const struct sch_picture empty = {0};
    if (!sch_files_begin(error)) return SCH_ERROR_ARGUMENT;
    if (!picture || !sch_sized_fits(picture->size, sizeof *picture)) return SCH_ERROR_ARGUMENT;
    sch_sized_write(picture, &empty, sizeof empty);
    struct job job = {
        .error = error, .data = data, .left = bytes, .bytes = bytes, .picture = {.size = sizeof job.picture}};
    if (!sch_files_options(options, &job.options) || (!data && bytes)) return SCH_ERROR_ARGUMENT;
    if (!sch_png_is(data, bytes)) {
        sch_files_report(error, SCH_D_PICTURE_NOT_PNG, "the file does not begin as a PNG file does");
        return SCH_ERROR_INVALID;
    }
    job.picture.memory = *job.options.memory;
    job.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job, job_error, job_warning, &job, job_alloc, job_free);
    if (!job.png) return job.result == SCH_OK ? SCH_ERROR_INTERNAL : job.result;
    read_all(&job);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    if (job.result != SCH_OK) {
        sch_picture_release(&job.picture);
        return job.result;
    }
    sch_sized_write(picture, &job.picture, sizeof job.picture);
    return SCH_OK;
}

static void write_all(struct job *job, const struct sch_picture *picture)
{
    if (setjmp(png_jmpbuf(job->png))) return;
    png_set_write_fn(job->png, job, job_write, job_flush);
    png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    job->info = png_create_info_struct(job->png);
    if (!job->info) png_error(job->png, "out of memory");
    png_set_compression_level(job->png, COMPRESSION_LEVEL);
    png_set_IHDR(job->png, job->info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(job->png, job->info);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(job->png, picture->texels + (size_t)y * picture->width * CHANNELS);
    png_write_end(job->png, NULL);
}

enum sch_result sch_png_write(const struct sch_file_options *options, const struct sch_picture *given,
                              struct sch_file_bytes *file, struct sch_file_error *error)
{
    if (!sch_files_begin(error) || !file) return SCH_ERROR_ARGUMENT;
    *file = (struct sch_file_bytes){0};
    struct job job = {.error = error};
    if (!sch_files_options(options, &job.options)) return SCH_ERROR_ARGUMENT;
    struct sch_picture picture;
    size_t row, bytes;
    if (!given || !sch_sized_read(&picture, sizeof picture, sizeof picture, given)) return SCH_ERROR_ARGUMENT;
    if (!picture.texels || !picture.width || !picture.height) return SCH_ERROR_ARGUMENT;
    if (picture.width > PNG_UINT_31_MAX / CHANNELS || picture.height > PNG_UINT_31_MAX) return SCH_ERROR_ARGUMENT;
    if (!sch_mul_size(picture.width, CHANNELS, &row) || !sch_mul_size(row, picture.height, &bytes) ||
        bytes > picture.bytes)
        return SCH_ERROR_ARGUMENT;
    const struct sch_allocator memory = *job.options.memory;
    job.allocator = (struct sch_allocator){memory.alloc, memory.free, memory.user};
    job.file.allocator = &job.allocator;
    job.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job, job_error, job_warning, &job, job_alloc, job_free);
    if (!job.png) return job.result == SCH_OK ? SCH_ERROR_INTERNAL : job.result;
    write_all(&job, &picture);
    png_destroy_write_struct(&job.png, &job.info);
    if (job.result != SCH_OK) {
        sch_bytes_release(&job.file);
        /* A picture in memory cannot be damaged. */
        return job.result == SCH_ERROR_INVALID ? SCH_ERROR_INTERNAL : job.result;
    }
    *file = (struct sch_file_bytes){.data = job.file.data, .bytes = job.file.size, .memory = memory};
    return SCH_OK;
}
