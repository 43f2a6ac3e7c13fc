/* The verb picture: bands of rows, each drawn by `scheelite run --rows` and compressed to a piece of a PNG where it was
 * drawn. Pieces go to the file in their order as they come. Which bands there are depends on the picture alone, and so
 * does the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/files.h>

#include "mpi/task.h"

enum {
    SIDE = 16384, /* as scheelite run has it */
    DEFAULT_SIDE = 256,
    BAND_BYTES = 1 << 24,
    TEXEL_BYTES = 4,
    TEXTS = 16, /* different reports of bands that are printed */
    COPIED = 1 << 20
};

struct picture {
    struct sch_mpi_task task;
    struct sch_mpi_file file;
    uint32_t width, height, rows; /* of a band */
    const char *output;
    bool has_compression;
    uint64_t compression;
    char **words; /* of scheelite run, with room for what differs between bands */
    size_t count;
    bool alpha;     /* one piece has four channels: then all have */
    size_t written; /* pieces in the file */
    bool *asked;    /* bands that were handed out, or found */
    struct sch_png_piece_info *infos;
    enum sch_mpi_exit exit_code;
};

/* ---- arguments ---- */

static bool read_size(const char *text, uint32_t *width, uint32_t *height)
{
    char digits[16] = "";
    const char *x = strchr(text, 'x');
    uint64_t sides[2];
    if (!x || (size_t)(x - text) >= sizeof digits) return false;
    memcpy(digits, text, (size_t)(x - text));
    if (!sch_mpi_number(digits, 1, SIDE, &sides[0]) || !sch_mpi_number(x + 1, 1, SIDE, &sides[1])) return false;
    *width = (uint32_t)sides[0];
    *height = (uint32_t)sides[1];
    return true;
}

/* What cannot be done band by band, or would be done by each band again. */
static enum sch_mpi_exit refuse_options(const struct sch_mpi_options *options)
{
    static const struct {
        const char *name, *why;
    } refused[] = {{"--target", "it writes one picture, with -o"},
                   {"--heat", "it draws colours"},
                   {"--rows", "it draws all rows"},
                   {"--work", "it bounds a whole picture; --budget bounds each pixel"},
                   {"--deadline", "--timeout bounds each band"},
                   {"--stats", "bands have counts of their own"},
                   {"--buffer-out", "bands do not see what others write"},
                   {"--image-out", "bands do not see what others write"},
                   {"--hwatomic-out", "bands do not see what others write"},
                   {"--global-out", "bands do not see what others write"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (sch_mpi_has_option(options->words, options->count, refused[i].name))
            return sch_mpi_fail(SCH_MPI_USAGE, "picture takes no %s: %s", refused[i].name, refused[i].why);
    return SCH_MPI_YES;
}

/* The value of an option that is the farm's business, too. */
static const char *last_value(const struct sch_mpi_options *options, const char *name)
{
    const char *last = NULL;
    size_t at = 0;
    for (const char *value; (value = sch_mpi_option_value(options->words, options->count, name, &at)) != NULL;)
        last = value;
    return last;
}

static enum sch_mpi_exit read_arguments(struct picture *picture, const struct sch_mpi_options *options)
{
    const char *size = last_value(options, "--size"), *compression = last_value(options, "--compress");
    picture->output = last_value(options, "-o");
    picture->width = picture->height = DEFAULT_SIDE;
    const enum sch_mpi_exit exit_code = refuse_options(options);
    if (exit_code != SCH_MPI_YES) return exit_code;
    if (!picture->output) return sch_mpi_fail(SCH_MPI_USAGE, "picture: where to? -o FILE.png");
    if (sch_file_kind_by_name(picture->output) != SCH_FILE_KIND_PNG)
        return sch_mpi_fail(SCH_MPI_UNSUPPORTED, "picture writes PNG files, not %s", picture->output);
    if (size && !read_size(size, &picture->width, &picture->height))
        return sch_mpi_fail(SCH_MPI_USAGE, "--size is WxH with sides of 1 to %d, not %s", SIDE, size);
    picture->has_compression = compression != NULL;
    if (compression && !sch_mpi_number(compression, 0, 12, &picture->compression))
        return sch_mpi_fail(SCH_MPI_USAGE, "--compress is 0 to 12, not %s", compression);
    return SCH_MPI_YES;
}

static bool is_own(const char *word, bool *value_follows)
{
    static const char *const names[] = {"-o", "--size", "--compress"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t bytes = strlen(names[i]);
        if (strncmp(word, names[i], bytes) != 0 || (word[bytes] && word[bytes] != '=')) continue;
        *value_follows = !word[bytes];
        return true;
    }
    return false;
}

/* scheelite run SHADER and its options, without what differs between bands. False: out of memory. */
static bool take_words(struct picture *picture, const struct sch_mpi_options *options)
{
    picture->words = calloc(options->count + 8, sizeof *picture->words);
    if (!picture->words) return false;
    picture->words[picture->count++] = options->program;
    picture->words[picture->count++] = (char *)(uintptr_t) "run";
    for (size_t i = 0; i < options->count; i++) {
        bool value_follows;
        if (is_own(options->words[i], &value_follows))
            i += value_follows;
        else
            picture->words[picture->count++] = options->words[i];
    }
    return true;
}

/* ---- bands ---- */

static struct sch_file_write_options write_options(const struct picture *picture)
{
    return (struct sch_file_write_options){.size = sizeof(struct sch_file_write_options),
                                           .has_compression = picture->has_compression,
                                           .compression = (uint32_t)picture->compression};
}

/* Rows of a band: whole steps of pieces, of about so many bytes, or what was asked for. */
static uint32_t band_rows(const struct picture *picture, const struct sch_mpi_options *options)
{
    const struct sch_file_write_options write = write_options(picture);
    const uint32_t step = sch_png_piece_rows(&write, picture->width, picture->height);
    uint64_t rows = options->band_rows ? options->band_rows : BAND_BYTES / (picture->width * TEXEL_BYTES);
    rows = (rows + step - 1) / step * step;
    if (!rows) rows = step;
    return rows < picture->height ? (uint32_t)rows : picture->height;
}

static struct sch_mpi_piece piece_of(const struct picture *picture, size_t band)
{
    const uint64_t first = (uint64_t)band * picture->rows, left = picture->height - first;
    return (struct sch_mpi_piece){.width = picture->width,
                                  .height = picture->height,
                                  .first = first,
                                  .rows = left < picture->rows ? left : picture->rows,
                                  .alpha = picture->alpha,
                                  .has_compression = picture->has_compression,
                                  .compression = picture->compression};
}

/* Whether what a band has become can be in the file. */
static bool fits(const struct picture *picture, size_t band)
{
    const struct sch_mpi_result *result = &picture->task.results[band];
    return result->done && !sch_mpi_record_exit(&result->record) && (result->record.facts[0] || !picture->alpha);
}

/* The first piece with four channels makes the file one of four: the others are made again. */
static enum sch_mpi_exit note_alpha(struct picture *picture, size_t band)
{
    const struct sch_mpi_record *record = &picture->task.results[band].record;
    if (picture->alpha || sch_mpi_record_exit(record) || !record->facts[0]) return SCH_MPI_YES;
    picture->alpha = true;
    picture->written = 0;
    picture->task.next = 0;
    for (size_t i = 0; i < picture->task.count; i++) {
        struct sch_mpi_result *result = &picture->task.results[i];
        if (result->done && !sch_mpi_record_exit(&result->record) && !result->record.facts[0])
            picture->asked[i] = result->done = false;
    }
    return sch_mpi_file_restart(&picture->file);
}

/* Hands the band out, or finds it; false: out of memory. */
static bool ask(struct picture *picture, size_t band, struct sch_mpi_bytes *bytes)
{
    char rows[64], size[32], how[96];
    const struct sch_mpi_piece piece = piece_of(picture, band);
    const struct sch_mpi_options *options = picture->task.options;
    bool failed;
    size_t count = picture->count;
    snprintf(size, sizeof size, "%u%c%u", picture->width, 'x', picture->height);
    snprintf(rows, sizeof rows, "%llu,%llu", (unsigned long long)(piece.first - (piece.first != 0)),
             (unsigned long long)(piece.rows + (piece.first != 0)));
    snprintf(how, sizeof how, "piece alpha %d compression %lld", picture->alpha,
             picture->has_compression ? (long long)picture->compression : -1LL);
    char *const more[] = {(char *)(uintptr_t) "--size", size, (char *)(uintptr_t) "--rows", rows};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) picture->words[count++] = more[i];
    picture->words[count] = how; /* for the key alone */
    picture->asked[band] = true;
    if (sch_mpi_task_find(&picture->task, band, picture->words + 1, count, &failed)) return true;
    const struct sch_mpi_work work = {.number = band,
                                      .kind = SCH_MPI_BAND,
                                      .timeout_ms = options->timeout_ms,
                                      .output_limit = options->output_limit,
                                      .words = picture->words,
                                      .count = count,
                                      .piece = piece};
    if (!failed) sch_mpi_pack_work(&work, bytes);
    return !failed && !bytes->failed;
}

/* ---- the file ---- */

static enum sch_mpi_exit put_made(struct picture *picture, enum sch_result result, struct sch_file_bytes *made)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    if (result != SCH_OK) exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "the file cannot be made: %s", "out of memory");
    if (result == SCH_OK) exit_code = sch_mpi_file_put(&picture->file, made->data, made->bytes);
    sch_file_bytes_release(made);
    return exit_code;
}

static enum sch_mpi_exit put_piece(struct picture *picture, const struct sch_mpi_record *record)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    char *part = malloc(COPIED);
    if (!part) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    for (uint64_t at = 0; at < record->out_bytes && exit_code == SCH_MPI_YES;) {
        const size_t count = record->out_bytes - at < COPIED ? (size_t)(record->out_bytes - at) : COPIED;
        if (!sch_mpi_journal_read(&picture->task.journal, record, at, part, count))
            exit_code = sch_mpi_fail(SCH_MPI_IO, "the journal cannot be read");
        if (exit_code == SCH_MPI_YES) exit_code = sch_mpi_file_put(&picture->file, part, count);
        at += count;
    }
    free(part);
    return exit_code;
}

/* Appends the pieces that all before them are there of. */
static enum sch_mpi_exit put_ready(struct picture *picture)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    for (; exit_code == SCH_MPI_YES && picture->written < picture->task.count && fits(picture, picture->written);
         picture->written++) {
        const struct sch_mpi_record *record = &picture->task.results[picture->written].record;
        struct sch_file_bytes head;
        picture->infos[picture->written] = (struct sch_png_piece_info){.size = sizeof *picture->infos,
                                                                       .alpha = record->facts[0] != 0,
                                                                       .adler = (uint32_t)record->facts[1],
                                                                       .bytes = record->facts[2]};
        if (!picture->written)
            exit_code = put_made(
                picture, sch_png_head_write(NULL, picture->width, picture->height, record->facts[0] != 0, &head),
                &head);
        if (exit_code == SCH_MPI_YES) exit_code = put_piece(picture, record);
    }
    return exit_code;
}

static enum sch_mpi_exit end_file(struct picture *picture)
{
    struct sch_file_bytes tail;
    enum sch_mpi_exit exit_code = put_made(
        picture, sch_png_tail_write(NULL, picture->infos, sizeof *picture->infos, (uint32_t)picture->task.count, &tail),
        &tail);
    if (exit_code == SCH_MPI_YES) exit_code = sch_mpi_file_end(&picture->file);
    return exit_code;
}

/* ---- the source of work ---- */

static enum sch_mpi_exit note(struct picture *picture, size_t band)
{
    enum sch_mpi_exit exit_code = note_alpha(picture, band);
    if (exit_code == SCH_MPI_YES) exit_code = put_ready(picture);
    return exit_code;
}

static bool any_failed(const struct picture *picture)
{
    for (size_t i = 0; i < picture->task.count; i++)
        if (picture->task.results[i].done && sch_mpi_record_exit(&picture->task.results[i].record)) return true;
    return false;
}

static bool next(void *user, struct sch_mpi_bytes *work)
{
    struct picture *picture = user;
    struct sch_mpi_task *task = &picture->task;
    while (task->next < task->count && picture->exit_code == SCH_MPI_YES && !any_failed(picture)) {
        const size_t band = task->next++;
        if (picture->asked[band]) continue;
        if (!ask(picture, band, work)) picture->exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
        if (picture->exit_code == SCH_MPI_YES && !task->results[band].done) return true;
        if (picture->exit_code == SCH_MPI_YES) picture->exit_code = note(picture, band);
    }
    return false;
}

static enum sch_mpi_exit take(void *user, const struct sch_mpi_answer *answer)
{
    struct picture *picture = user;
    enum sch_mpi_exit exit_code = sch_mpi_task_keep(&picture->task, answer);
    const size_t band = (size_t)answer->number;
    if (exit_code != SCH_MPI_YES) return exit_code;
    /* It was handed out before another one turned out to have alpha. */
    const struct sch_mpi_record *record = &picture->task.results[band].record;
    if (picture->alpha && !sch_mpi_record_exit(record) && !record->facts[0]) {
        picture->asked[band] = picture->task.results[band].done = false;
        if (band < picture->task.next) picture->task.next = band;
        return SCH_MPI_YES;
    }
    return note(picture, band);
}

/* ---- the end ---- */

/* What the bands have said: mostly all the same, and said once. */
static enum sch_mpi_exit print_texts(const struct picture *picture)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    char *texts[TEXTS] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < picture->task.count && count < TEXTS && exit_code == SCH_MPI_YES; i++) {
        const struct sch_mpi_result *result = &picture->task.results[i];
        if (!result->done || !result->record.err_bytes) continue;
        char *text = calloc((size_t)result->record.err_bytes + 1, 1);
        if (!text || !sch_mpi_journal_read(&picture->task.journal, &result->record, result->record.out_bytes, text,
                                           (size_t)result->record.err_bytes))
            exit_code = sch_mpi_fail(SCH_MPI_IO, "the journal cannot be read");
        bool said = false;
        for (size_t t = 0; text && t < count; t++) said |= strcmp(text, texts[t]) == 0;
        if (text && !said && exit_code == SCH_MPI_YES) {
            fputs(text, stderr);
            texts[count++] = text;
        } else {
            free(text);
        }
    }
    for (size_t t = 0; t < count; t++) free(texts[t]);
    return exit_code;
}

/* Names the first band that failed: which one that is does not depend on ranks, as bands are handed out in order. */
static void tell_failure(const struct picture *picture)
{
    char end[64];
    for (size_t i = 0; i < picture->task.count; i++) {
        const struct sch_mpi_result *result = &picture->task.results[i];
        if (!result->done || !sch_mpi_record_exit(&result->record)) continue;
        sch_mpi_describe_end(&result->record, end);
        sch_mpi_fail(SCH_MPI_NO, "%s: %s", result->name, end);
        return;
    }
}

static enum sch_mpi_exit farm(struct picture *picture, bool *farmed)
{
    const struct sch_mpi_source source = {.user = picture, .next = next, .take = take};
    for (size_t i = 0; i < picture->task.count; i++) {
        char name[64];
        const struct sch_mpi_piece piece = piece_of(picture, i);
        snprintf(name, sizeof name, "rows %llu to %llu", (unsigned long long)piece.first,
                 (unsigned long long)(piece.first + piece.rows - 1));
        picture->task.results[i].name = strdup(name);
        if (!picture->task.results[i].name) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    }
    *farmed = true;
    enum sch_mpi_exit exit_code = sch_mpi_worse(sch_mpi_farm(&source), picture->exit_code);
    exit_code = sch_mpi_worse(exit_code, print_texts(picture));
    tell_failure(picture);
    if (exit_code == SCH_MPI_YES && picture->written == picture->task.count) exit_code = end_file(picture);
    return sch_mpi_task_report(&picture->task, false, exit_code);
}

static enum sch_mpi_exit begin(struct picture *picture, const struct sch_mpi_options *options)
{
    enum sch_mpi_exit exit_code = read_arguments(picture, options);
    if (exit_code != SCH_MPI_YES) return exit_code;
    picture->rows = band_rows(picture, options);
    const size_t count = (picture->height + picture->rows - 1) / picture->rows;
    char *folder = sch_mpi_folder_of(picture->output);
    picture->asked = calloc(count, sizeof *picture->asked);
    picture->infos = calloc(count, sizeof *picture->infos);
    if (!folder || !picture->asked || !picture->infos || !take_words(picture, options))
        exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    if (exit_code == SCH_MPI_YES) exit_code = sch_mpi_file_begin(picture->output, &picture->file);
    if (exit_code == SCH_MPI_YES) exit_code = sch_mpi_task_open(&picture->task, options, count, folder);
    free(folder);
    return exit_code;
}

enum sch_mpi_exit sch_mpi_run_picture(const struct sch_mpi_options *options)
{
    struct picture picture = {.task = {.journal = {.file = -1}}, .file = {.file = -1}};
    bool farmed = false;
    enum sch_mpi_exit exit_code = begin(&picture, options);
    if (exit_code == SCH_MPI_YES) exit_code = farm(&picture, &farmed);
    if (!farmed) sch_mpi_farm(NULL);
    sch_mpi_task_close(&picture.task);
    sch_mpi_file_release(&picture.file);
    free(picture.words);
    free(picture.asked);
    free(picture.infos);
    return exit_code;
}
