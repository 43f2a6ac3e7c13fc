/* PNG in, by libpng. libpng reports errors by longjmp: each setjmp here is in a function that keeps everything in the
 * job, so that no local variable changes between the two. Nothing is printed. Holds no other format. */
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/checked.h"
#include "base/sized.h"
#include "files/kinds.h"

enum { SIGNATURE_BYTES = 8, KEPT_CHUNKS = 8, PIECE = 64 };

/* Ancillary chunks may not take more memory than this; deflate makes at most 1032 bytes of one. */
#define CHUNK_BYTES   ((png_alloc_size_t)1 << 20)
#define DEFLATE_RATIO 1032u

struct job {
    struct sch_files_reader reader;
    enum sch_result result; /* of a job that libpng broke off */
    png_structp png;
    png_infop info;
    const uint8_t *data; /* what is left */
    size_t left;
    bool cut;                        /* the file has ended early */
    uint32_t rows;                   /* that were read whole, of the last pass */
    bool as_picture;                 /* whatever the file has becomes 8-bit RGBA, and colour tags are skipped */
    struct sch_file_texture texture; /* what is read */
};

static png_voidp job_alloc(png_structp png, png_alloc_size_t bytes)
{
    struct job *job = png_get_mem_ptr(png);
    void *memory = job->reader.limits.memory->alloc(job->reader.limits.memory->user, bytes);
    if (!memory) job->result = SCH_ERROR_MEMORY;
    return memory;
}

static void job_free(png_structp png, png_voidp memory)
{
    struct job *job = png_get_mem_ptr(png);
    if (memory) job->reader.limits.memory->free(job->reader.limits.memory->user, memory);
}

/* libpng found an error, or one of the functions below did, having set `result` and the report. */
static _Noreturn void job_error(png_structp png, png_const_charp message)
{
    struct job *job = png_get_error_ptr(png);
    if (job->cut && job->reader.lenient && job->texture.texels) png_longjmp(png, 1); /* what is there is kept */
    if (job->result == SCH_OK) {
        job->result = SCH_ERROR_INVALID;
        sch_files_report(job->reader.error, SCH_D_PICTURE_DAMAGED, "damaged PNG: %s", message);
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
    job->cut = bytes > job->left;
    if (job->cut) png_error(png, "the file ends early");
    memcpy(to, job->data, bytes);
    job->data += bytes;
    job->left -= bytes;
}

/* Skips what does not change the texels, unread: fewer bytes from outside to interpret. */
static void skip_ancillary(const struct job *job)
{
    static const png_byte names[] = "bKGD\0cHRM\0eXIf\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                    "sBIT\0sCAL\0sPLT\0sTER\0tEXt\0tIME\0zTXt";
    static const png_byte tags[] = "gAMA\0sRGB";
    png_set_chunk_malloc_max(job->png, CHUNK_BYTES);
    png_set_chunk_cache_max(job->png, KEPT_CHUNKS);
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, names, sizeof names / 5);
    if (job->as_picture) png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, tags, sizeof tags / 5);
#ifndef PNG_cICP_SUPPORTED
    else
        png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP", 1);
#endif
}

/* The transfer function of a cICP chunk as a number of ITU-T H.273, table 3; 0: there is no such chunk. */
static unsigned coded_transfer(const struct job *job)
{
#ifdef PNG_cICP_SUPPORTED
    png_byte primaries, transfer, matrix, full;
    return png_get_cICP(job->png, job->info, &primaries, &transfer, &matrix, &full) ? transfer : 0;
#else
    enum { CHUNK_BYTES_OF_CICP = 4 };
    png_unknown_chunkp chunks;
    const int count = png_get_unknown_chunks(job->png, job->info, &chunks);
    for (int i = 0; i < count; i++)
        if (!memcmp(chunks[i].name, "cICP", 4) && chunks[i].size == CHUNK_BYTES_OF_CICP) return chunks[i].data[1];
    return 0;
#endif
}

/* PNG 3rd edition, 13.14 and 4.3: cICP before sRGB before gAMA. Codes of cICP that the struct has no word for leave it
 * to the others. */
static void read_transfer(struct job *job)
{
    enum { H273_LINEAR = 8, H273_SRGB = 13, ONE = 100000 };
    const unsigned coded = coded_transfer(job);
    int intent;
    png_fixed_point gamma;
    if (coded == H273_LINEAR) {
        job->texture.transfer = SCH_FILE_TRANSFER_LINEAR;
    } else if (coded == H273_SRGB || png_get_sRGB(job->png, job->info, &intent)) {
        job->texture.transfer = SCH_FILE_TRANSFER_SRGB;
    } else if (png_get_gAMA_fixed(job->png, job->info, &gamma) && gamma > 0) {
        job->texture.transfer = gamma == ONE ? SCH_FILE_TRANSFER_LINEAR : SCH_FILE_TRANSFER_GAMMA;
        if (gamma != ONE) job->texture.gamma = (float)((double)gamma / ONE);
    }
}

/* As a picture: whatever the file has, rows of RGBA8. As a texture: 8 or 16 bits, grey stays grey, colours get
 * alpha. */
static void set_transformations(struct job *job)
{
    png_structp png = job->png;
    const bool colored = png_get_color_type(png, job->info) & PNG_COLOR_MASK_COLOR;
    png_set_expand(png); /* palettes, fewer than 8 bits, transparent colours */
    if (job->as_picture) {
        png_set_scale_16(png);
        png_set_gray_to_rgb(png);
    } else if (png_get_bit_depth(png, job->info) == 16) {
        png_set_swap(png);
    }
    if (job->as_picture || colored) png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
}

static enum sch_format format_of(int color_type, bool wide)
{
    switch (color_type) {
    case PNG_COLOR_TYPE_GRAY:
        return wide ? SCH_FORMAT_L16_UNORM : SCH_FORMAT_L8_UNORM;
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        return wide ? SCH_FORMAT_L16A16_UNORM : SCH_FORMAT_L8A8_UNORM;
    default:
        return wide ? SCH_FORMAT_R16G16B16A16_UNORM : SCH_FORMAT_R8G8B8A8_UNORM;
    }
}

/* The shape, from the header alone: transparent colours and palettes are applied as set_transformations() has them. */
static void describe(struct job *job)
{
    png_structp png = job->png;
    int color_type = png_get_color_type(png, job->info);
    const bool wide = !job->as_picture && png_get_bit_depth(png, job->info) == 16;
    if (job->as_picture || color_type & PNG_COLOR_MASK_COLOR)
        color_type = PNG_COLOR_TYPE_RGB_ALPHA;
    else if (png_get_valid(png, job->info, PNG_INFO_tRNS))
        color_type = PNG_COLOR_TYPE_GRAY_ALPHA;
    job->texture.target = SCH_TARGET_2D;
    job->texture.format = format_of(color_type, wide);
    job->texture.width = png_get_image_width(png, job->info);
    job->texture.height = png_get_image_height(png, job->info);
    job->texture.depth = job->texture.layers = job->texture.levels = 1;
}

/* Refuses by LIMIT or as damaged what the header promises, before memory is taken for it. */
static void allocate(struct job *job)
{
    size_t bytes, stored;
    job->result = sch_files_check(&job->reader, &job->texture, &bytes);
    if (job->result != SCH_OK) png_error(job->png, "");
    if (!sch_mul_size(png_get_rowbytes(job->png, job->info), job->texture.height, &stored) ||
        stored / DEFLATE_RATIO > job->reader.bytes)
        png_error(job->png, "too few bytes for its size");
    job->result = sch_files_allocate(&job->reader, &job->texture);
    if (job->result != SCH_OK) png_error(job->png, "");
    if (!job->reader.lenient) return;
    /* Texels that are missing are 0. Nothing is decoded of a piece that was cut off, so pieces are small. */
    memset(job->texture.texels, 0, job->texture.bytes);
    png_set_compression_buffer_size(job->png, PIECE);
}

static void read_texels(struct job *job)
{
    png_structp png = job->png;
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, job->info);
    const size_t row = job->texture.bytes / job->texture.height;
    if (png_get_rowbytes(png, job->info) != row) png_error(png, "a kind of PNG that the reader does not know");
    for (int pass = 0; pass < passes; pass++)
        for (job->rows = 0; job->rows < job->texture.height; job->rows++)
            png_read_row(png, job->texture.texels + job->rows * row, NULL);
    png_read_end(png, NULL);
}

static void read_all(struct job *job)
{
    if (setjmp(png_jmpbuf(job->png))) return;
    png_set_read_fn(job->png, job, job_read);
    png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* ours are checked below */
    skip_ancillary(job);
    job->info = png_create_info_struct(job->png);
    if (!job->info) png_error(job->png, "out of memory");
    png_read_info(job->png, job->info);
    if (!job->as_picture) read_transfer(job);
    describe(job);
    allocate(job);
    set_transformations(job);
    read_texels(job);
}

/* `job` has its reader; its texture is released where this fails. */
static enum sch_result run(struct job *job)
{
    job->data = job->reader.data;
    job->left = job->reader.bytes;
    job->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, job, job_error, job_warning, job, job_alloc, job_free);
    if (!job->png) return job->result == SCH_OK ? SCH_ERROR_INTERNAL : job->result;
    read_all(job);
    const char *interlaced = job->cut && png_get_interlace_type(job->png, job->info) ? " of one of its passes" : "";
    png_destroy_read_struct(&job->png, &job->info, NULL);
    if (job->cut && job->result == SCH_OK && job->texture.texels)
        sch_files_warn(&job->reader, SCH_D_FILE_CUT, "cut off: %u of %u rows%s are read", (unsigned)job->rows,
                       (unsigned)job->texture.height, interlaced);
    if (job->result != SCH_OK) sch_file_texture_release(&job->texture);
    return job->result;
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
    if (!sch_files_fits(error, "picture", picture, sizeof *picture)) return SCH_ERROR_ARGUMENT;
    sch_sized_write(picture, &empty, sizeof empty);
    struct job job = {.reader = {.data = data, .bytes = bytes, .error = error},
                      .texture = {.size = sizeof job.texture},
                      .as_picture = true};
    if (!sch_files_options(options, "options", &job.reader.limits, error)) return SCH_ERROR_ARGUMENT;
    if (!data && bytes) return sch_files_wrong(error, "data", "NULL, with %zu bytes", bytes);
    if (!sch_png_is(data, bytes)) {
        sch_files_report(error, SCH_D_PICTURE_NOT_PNG, "the file does not begin as a PNG file does");
        return SCH_ERROR_INVALID;
    }
    const enum sch_result result = run(&job);
    if (result != SCH_OK) return result;
    const struct sch_picture read = {.width = job.texture.width,
                                     .height = job.texture.height,
                                     .texels = job.texture.texels,
                                     .bytes = job.texture.bytes,
                                     .memory = job.texture.memory};
    sch_sized_write(picture, &read, sizeof read);
    return SCH_OK;
}

bool sch_files_png_is(const uint8_t *data, size_t bytes) { return sch_png_is(data, bytes); }

enum sch_result sch_files_png_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct job job = {.reader = *reader, .texture = {.size = sizeof job.texture}};
    /* By the header's depth (PNG 11.2.1), which comes before the chunks of colour tags that are to be skipped. */
    enum { DEPTH = 24 };
    job.as_picture = reader->as_colors && reader->bytes > DEPTH && reader->data[DEPTH] != 16;
    const enum sch_result result = run(&job);
    if (result == SCH_OK) *texture = job.texture;
    return result;
}
