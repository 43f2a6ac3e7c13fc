/* PNG out: bands of rows are converted, filtered and compressed each on its own, by several threads if the caller
 * wants, and joined to one stream. The bands depend on the picture and the options alone, and so do the bytes, be they
 * made at once or piece by piece (png_pieces.c). Holds no format of texels' names. */
#include "files/png_write.h"

#include <stdatomic.h>
#include <string.h>

#include "base/checked.h"
#include "base/thread.h"
#include "files/bands.h"
#include "files/png_filter.h"

enum {
    BAND_BYTES = 1 << 18,       /* of rows that are compressed together */
    LARGE_BAND_BYTES = 1 << 21, /* the same where the caller wants small files */
    LARGE_LEVEL = 7,            /* from this one on; filters are chosen with more care, too */
    THREADS = 64,
    BANDS_OF_THREAD = 8, /* whose results are kept before they are put into the file */
    CHUNK_BYTES = 1 << 30
};

struct band {
    uint8_t *made;
    size_t bytes;
    uint32_t adler; /* of the filtered rows */
};

struct worker {
    struct job *job;
    struct sch_files_deflater *deflater;
    uint8_t *memory;   /* of what follows */
    uint8_t *rows[2];  /* two rows that follow each other, each after SCH_PNG_STEP_MAX zeros */
    uint8_t *filtered; /* the rows of a band */
    pthread_t thread;
    bool started;
};

struct job {
    const struct sch_png_source *source;
    struct sch_bytes *file;
    unsigned level;
    size_t texel_row, row, step; /* bytes */
    size_t band_rows, bands;
    size_t begin, end;   /* of the bands that are made */
    size_t first, count; /* of those that are made together */
    atomic_size_t next;
    size_t room; /* of a band's result */
    struct band *made;
    struct worker *workers;
    size_t worker_count;
};

static unsigned level_of(const struct sch_file_write_options *options)
{
    return options->has_compression ? options->compression : SCH_FILES_DEFLATE_DEFAULT;
}

/* ---- rows ---- */

static void convert_row(const struct job *job, size_t y, uint8_t *to)
{
    const struct sch_png_source *source = job->source;
    const uint8_t *texels = source->texels + (y - source->first_row) * job->texel_row;
    sch_files_row_high_first(&source->pixels, texels, source->width, to);
}

/* ---- bands ---- */

static size_t rows_of(const struct job *job, size_t band)
{
    const size_t first = band * job->band_rows, left = job->source->height - first;
    return left < job->band_rows ? left : job->band_rows;
}

/* The rows of a band, each after the number of its filter. */
static void filter_band(const struct job *job, struct worker *worker, size_t band)
{
    const size_t first = band * job->band_rows, rows = rows_of(job, band);
    const bool thorough = job->level >= LARGE_LEVEL;
    uint8_t *above = worker->rows[0], *row = worker->rows[1], *to = worker->filtered;
    if (first)
        convert_row(job, first - 1, above);
    else
        memset(above, 0, job->row);
    for (size_t y = first; y < first + rows; y++, to += job->row + 1) {
        convert_row(job, y, row);
        const enum sch_png_filter filter =
            job->level ? sch_png_choose_filter(row, above, job->row, job->step, thorough) : SCH_PNG_FILTER_NONE;
        to[0] = (uint8_t)filter;
        sch_png_filter(filter, to + 1, row, above, job->row, job->step);
        uint8_t *other = above;
        above = row;
        row = other;
    }
}

static void make_band(struct job *job, struct worker *worker, size_t band)
{
    struct band *made = &job->made[band - job->first];
    const size_t bytes = rows_of(job, band) * (job->row + 1);
    filter_band(job, worker, band);
    made->adler = sch_files_adler32(1, worker->filtered, bytes);
    made->bytes = sch_files_deflate_band(worker->deflater, worker->filtered, bytes, band + 1 == job->bands, made->made,
                                         job->room);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct job *job = worker->job;
    for (;;) {
        const size_t i = atomic_fetch_add(&job->next, 1);
        if (i >= job->count) return NULL;
        make_band(job, worker, job->first + i);
    }
}

/* Where the system gives no thread, the others do its work. */
static void make_bands(struct job *job)
{
    atomic_store(&job->next, 0);
    for (size_t i = 1; i < job->worker_count; i++)
        job->workers[i].started = sch_thread_start(&job->workers[i].thread, SCH_THREAD_STACK, work, &job->workers[i]);
    work(&job->workers[0]);
    for (size_t i = 1; i < job->worker_count; i++)
        if (job->workers[i].started) pthread_join(job->workers[i].thread, NULL);
}

/* ---- chunks (PNG 5.3) ---- */

static void put_32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void append_chunk(struct sch_bytes *file, const char *name, const uint8_t *data, size_t bytes)
{
    uint8_t head[8], sum[4];
    put_32(head, (uint32_t)bytes);
    memcpy(head + 4, name, 4);
    uint32_t crc = sch_files_crc32(0, head + 4, 4);
    if (bytes) crc = sch_files_crc32(crc, data, bytes); /* NULL would begin it again */
    put_32(sum, crc);
    sch_bytes_append(file, head, sizeof head);
    sch_bytes_append(file, data, bytes);
    sch_bytes_append(file, sum, sizeof sum);
}

void sch_png_append_head(const struct sch_png_source *source, struct sch_bytes *file)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    /* zlib's header (RFC 1950, 2.2): deflate, a window of 32 KiB, and no word about the level. */
    static const uint8_t zlib_head[2] = {0x78, 0x01}, perceptual[1] = {0};
    static const uint8_t colors[] = {0, 4, 2, 6}; /* of 1 to 4 channels (PNG 3rd edition, 11.2.1) */
    uint8_t head[13] = {0}, gamma[4];
    put_32(head, source->width);
    put_32(head + 4, source->height);
    head[8] = (uint8_t)(8 * sch_files_component_bytes(source->pixels.type));
    head[9] = colors[sch_files_channel_count(&source->pixels) - 1];
    put_32(gamma, source->gamma);
    sch_bytes_append(file, signature, sizeof signature);
    append_chunk(file, "IHDR", head, sizeof head);
    if (source->srgb) append_chunk(file, "sRGB", perceptual, sizeof perceptual);
    if (source->gamma) append_chunk(file, "gAMA", gamma, sizeof gamma);
    append_chunk(file, "IDAT", zlib_head, sizeof zlib_head);
}

void sch_png_append_tail(uint32_t adler, struct sch_bytes *file)
{
    uint8_t sum[4];
    put_32(sum, adler);
    append_chunk(file, "IDAT", sum, sizeof sum);
    append_chunk(file, "IEND", NULL, 0);
}

/* False: the library failed. */
static bool append_bands(struct job *job, struct sch_png_sum *sum)
{
    for (job->first = job->begin; job->first < job->end; job->first += job->count) {
        const size_t most = job->worker_count * BANDS_OF_THREAD, left = job->end - job->first;
        job->count = left < most ? left : most;
        make_bands(job);
        for (size_t i = 0; i < job->count; i++) {
            const struct band *band = &job->made[i];
            const size_t bytes = rows_of(job, job->first + i) * (job->row + 1);
            if (!band->bytes) return false;
            sum->adler = sch_files_adler32_join(sum->adler, band->adler, bytes);
            sum->bytes += bytes;
            for (size_t at = 0; at < band->bytes; at += CHUNK_BYTES)
                append_chunk(job->file, "IDAT", band->made + at,
                             band->bytes - at < CHUNK_BYTES ? band->bytes - at : CHUNK_BYTES);
        }
    }
    return true;
}

/* ---- memory: all of it is taken by the caller's thread ---- */

static bool prepare_worker(struct job *job, struct worker *worker)
{
    const struct sch_allocator *memory = job->source->memory;
    const size_t row = SCH_PNG_STEP_MAX + job->row;
    size_t filtered, bytes;
    worker->job = job;
    if (!sch_mul_size(job->band_rows, job->row + 1, &filtered) || !sch_add_size(2 * row, filtered, &bytes))
        return false;
    worker->memory = memory->alloc(memory->user, bytes);
    if (!worker->memory) return false;
    memset(worker->memory, 0, 2 * row);
    worker->rows[0] = worker->memory + SCH_PNG_STEP_MAX;
    worker->rows[1] = worker->rows[0] + row;
    worker->filtered = worker->memory + 2 * row;
    worker->deflater = sch_files_deflater_create(memory, job->level);
    return worker->deflater != NULL;
}

static bool prepare(struct job *job)
{
    const struct sch_allocator *memory = job->source->memory;
    const size_t bands = job->end - job->begin, most = job->worker_count * BANDS_OF_THREAD;
    const size_t kept = most < bands ? most : bands;
    job->workers = memory->alloc(memory->user, job->worker_count * sizeof *job->workers);
    if (!job->workers) return false;
    memset(job->workers, 0, job->worker_count * sizeof *job->workers);
    for (size_t i = 0; i < job->worker_count; i++)
        if (!prepare_worker(job, &job->workers[i])) return false;
    size_t bytes;
    job->room = sch_files_deflate_bound(job->band_rows * (job->row + 1));
    if (!sch_add_size(job->room, sizeof *job->made, &bytes) || !sch_mul_size(bytes, kept, &bytes)) return false;
    job->made = memory->alloc(memory->user, bytes);
    if (!job->made) return false;
    for (size_t i = 0; i < kept; i++) job->made[i].made = (uint8_t *)(job->made + kept) + i * job->room;
    return true;
}

static void give_back(struct job *job)
{
    const struct sch_allocator *memory = job->source->memory;
    for (size_t i = 0; job->workers && i < job->worker_count; i++) {
        sch_files_deflater_release(job->workers[i].deflater);
        if (job->workers[i].memory) memory->free(memory->user, job->workers[i].memory);
    }
    if (job->workers) memory->free(memory->user, job->workers);
    if (job->made) memory->free(memory->user, job->made);
}

/* Bands are cut by the texels that the caller has, so that they are the same whether full alphas are dropped or not. */
size_t sch_png_band_rows(const struct sch_png_source *source)
{
    const size_t bytes = level_of(source->options) < LARGE_LEVEL ? BAND_BYTES : LARGE_BAND_BYTES;
    const size_t rows = bytes / (sch_files_texel_bytes(&source->pixels) * source->width + 1);
    return !rows ? 1 : rows < source->height ? rows : source->height;
}

static void lay_out(struct job *job)
{
    const struct sch_png_source *source = job->source;
    const size_t threads = source->options->threads;
    job->level = level_of(source->options);
    job->step = sch_files_component_bytes(source->pixels.type) * sch_files_channel_count(&source->pixels);
    job->row = job->step * source->width;
    job->texel_row = sch_files_texel_bytes(&source->pixels) * source->width;
    job->band_rows = sch_png_band_rows(source);
    job->bands = (source->height + job->band_rows - 1) / job->band_rows;
    job->begin = source->begin_row / job->band_rows;
    job->end = (source->end_row + job->band_rows - 1) / job->band_rows;
    job->worker_count = !threads ? 1 : threads < THREADS ? threads : THREADS;
    if (job->worker_count > job->end - job->begin) job->worker_count = job->end - job->begin;
}

enum sch_result sch_png_append_rows(const struct sch_png_source *source, struct sch_png_sum *sum,
                                    struct sch_bytes *file)
{
    struct job job = {.source = source, .file = file};
    lay_out(&job);
    enum sch_result result = SCH_ERROR_MEMORY;
    if (prepare(&job)) result = append_bands(&job, sum) ? file->status : SCH_ERROR_INTERNAL;
    give_back(&job);
    return result;
}

enum sch_result sch_png_write_source(const struct sch_png_source *given, struct sch_bytes *file)
{
    struct sch_png_source source = *given;
    struct sch_png_sum sum = SCH_PNG_SUM_OF_NOTHING;
    if (source.options->has_compression && source.options->compression > SCH_FILES_DEFLATE_MAX)
        return sch_files_wrong(source.error, "options.compression", "%u, of 0 to %d",
                               (unsigned)source.options->compression, (int)SCH_FILES_DEFLATE_MAX);
    source.first_row = source.begin_row = 0;
    source.end_row = source.height;
    if (sch_files_channel_count(&source.pixels) == 4)
        (void)sch_files_drop_full_alpha(&source.pixels, source.texels, (size_t)source.width * source.height);
    sch_png_append_head(&source, file);
    const enum sch_result result = sch_png_append_rows(&source, &sum, file);
    if (result == SCH_OK) sch_png_append_tail(sum.adler, file);
    return result == SCH_OK ? file->status : result;
}
