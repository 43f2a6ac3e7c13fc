/* Doing work: the command as a child process, and what becomes of the files that it has written. See work.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scheelite/files.h>

#include "mpi/child.h"
#include "mpi/work.h"

#define LARGEST_FILE ((size_t)1 << 31)
enum { WORD_BYTES = 4 };

/* ---- packing ---- */

void sch_mpi_pack_work(const struct sch_mpi_work *work, struct sch_mpi_bytes *bytes)
{
    sch_mpi_put_number(bytes, work->number);
    sch_mpi_put_number(bytes, work->kind);
    sch_mpi_put_number(bytes, work->timeout_ms);
    sch_mpi_put_number(bytes, work->output_limit);
    sch_mpi_put(bytes, &work->piece, sizeof work->piece);
    sch_mpi_put_number(bytes, work->memory_count);
    for (size_t m = 0; m < work->memory_count; m++) {
        sch_mpi_put_text(bytes, work->memories[m].option);
        sch_mpi_put_text(bytes, work->memories[m].slot);
        sch_mpi_put_text(bytes, work->memories[m].initial);
    }
    sch_mpi_put_number(bytes, work->count);
    for (size_t i = 0; i < work->count; i++) sch_mpi_put_text(bytes, work->words[i]);
}

/* With room for the words that files add. */
enum { MORE_WORDS = 2 * SCH_MPI_MEMORIES + 2 };
static bool unpack(const struct sch_mpi_bytes *packed, struct sch_mpi_work *work, char ***words)
{
    struct sch_mpi_reader reader = {.at = packed->data, .end = packed->data + packed->size};
    *work = (struct sch_mpi_work){.number = sch_mpi_take_number(&reader)};
    work->kind = (enum sch_mpi_kind)sch_mpi_take_number(&reader);
    work->timeout_ms = sch_mpi_take_number(&reader);
    work->output_limit = sch_mpi_take_number(&reader);
    const char *piece = sch_mpi_take(&reader, sizeof work->piece);
    if (piece) memcpy(&work->piece, piece, sizeof work->piece);
    work->memory_count = (size_t)sch_mpi_take_number(&reader);
    if (work->memory_count > SCH_MPI_MEMORIES) return false;
    for (size_t m = 0; m < work->memory_count; m++) {
        work->memories[m].option = sch_mpi_take_text(&reader);
        work->memories[m].slot = sch_mpi_take_text(&reader);
        work->memories[m].initial = sch_mpi_take_text(&reader);
    }
    work->count = (size_t)sch_mpi_take_number(&reader);
    if (reader.failed || work->count > packed->size) return false;
    *words = calloc(work->count + MORE_WORDS + 1, sizeof **words);
    for (size_t i = 0; *words && i < work->count; i++) (*words)[i] = (char *)(uintptr_t)sch_mpi_take_text(&reader);
    work->words = *words;
    return *words && !reader.failed;
}

/* ---- files of the child ---- */

/* What was in place of a result. */
static void fail(struct sch_mpi_answer *answer, enum sch_mpi_exit code, const char *what, const char *why)
{
    char text[512];
    snprintf(text, sizeof text, "scheelite-mpi: %s: %s\n", what, why);
    sch_mpi_put(&answer->err, text, strlen(text));
    answer->record.exit_code = code;
}

/* Reads a file that was written and removes it; a zero byte follows the last. */
static bool take_file(const char *path, struct sch_mpi_bytes *bytes)
{
    struct stat is;
    FILE *file = fopen(path, "rb");
    *bytes = (struct sch_mpi_bytes){0};
    bool good = file && fstat(fileno(file), &is) == 0 && (uint64_t)is.st_size < LARGEST_FILE;
    if (good) bytes->data = malloc((size_t)is.st_size + 1);
    good = good && bytes->data && fread(bytes->data, 1, (size_t)is.st_size, file) == (size_t)is.st_size;
    if (good) {
        bytes->size = (size_t)is.st_size;
        bytes->capacity = bytes->size + 1;
        bytes->data[bytes->size] = 0;
    }
    if (file) fclose(file);
    unlink(path);
    return good;
}

/* ---- a band of a picture ---- */

static bool make_piece(const struct sch_mpi_piece *wanted, const struct sch_mpi_bytes *band,
                       struct sch_mpi_answer *answer)
{
    const struct sch_file_options limits = {
        .size = sizeof limits, .max_width = (uint32_t)wanted->width, .max_height = (uint32_t)wanted->height};
    const struct sch_file_read_options read = {.size = sizeof read, .limits = &limits};
    const struct sch_file_write_options write = {.size = sizeof write,
                                                 .has_compression = wanted->has_compression != 0,
                                                 .compression = (uint32_t)wanted->compression};
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_png_piece_info info = {.size = sizeof info};
    struct sch_file_bytes file = {0};
    enum sch_result result = sch_file_texture_read(&read, band->data, band->size, &texture, NULL);
    if (result == SCH_OK && texture.format != SCH_FORMAT_R8G8B8A8_UNORM) result = SCH_ERROR_INTERNAL;
    const struct sch_png_piece piece = {.size = sizeof piece,
                                        .width = (uint32_t)wanted->width,
                                        .height = (uint32_t)wanted->height,
                                        .first = (uint32_t)wanted->first,
                                        .rows = (uint32_t)wanted->rows,
                                        .texels = texture.texels,
                                        .bytes = texture.bytes,
                                        .alpha = wanted->alpha != 0};
    if (result == SCH_OK) result = sch_png_piece_write(&write, &piece, &info, &file, NULL);
    sch_file_texture_release(&texture);
    answer->record.facts[0] = info.alpha;
    answer->record.facts[1] = info.adler;
    answer->record.facts[2] = info.bytes;
    sch_mpi_bytes_release(&answer->out);
    if (result == SCH_OK) sch_mpi_put(&answer->out, file.data, file.bytes);
    sch_file_bytes_release(&file);
    return result == SCH_OK && !answer->out.failed;
}

static void take_band(const struct sch_mpi_work *work, const char *path, struct sch_mpi_answer *answer)
{
    struct sch_mpi_bytes band;
    if (!take_file(path, &band))
        fail(answer, SCH_MPI_IO, path, "the rows that were drawn cannot be read");
    else if (!make_piece(&work->piece, &band, answer))
        fail(answer, SCH_MPI_INTERNAL, path, "the rows that were drawn cannot be compressed");
    sch_mpi_bytes_release(&band);
}

/* ---- a part of a grid ---- */

bool sch_mpi_initial(const char *source, struct sch_mpi_bytes *contents, char why[256])
{
    static const char zero[] = "zero:";
    uint64_t bytes;
    struct stat is;
    *contents = (struct sch_mpi_bytes){0};
    const bool zeros = strncmp(source, zero, sizeof zero - 1) == 0;
    if (zeros ? !sch_mpi_number(source + sizeof zero - 1, 0, LARGEST_FILE, &bytes) : stat(source, &is) != 0) {
        snprintf(why, 256, "%s: %s", source, zeros ? "a size that buffers cannot have" : strerror(errno));
        return false;
    }
    if (!zeros) bytes = (uint64_t)is.st_size;
    FILE *file = zeros ? NULL : fopen(source, "rb");
    if (bytes <= LARGEST_FILE) contents->data = calloc((size_t)bytes + 1, 1);
    bool good = contents->data && (zeros || (file && fread(contents->data, 1, (size_t)bytes, file) == (size_t)bytes));
    if (file) fclose(file);
    if (!good) snprintf(why, 256, "%s cannot be read", source);
    contents->size = contents->capacity = good ? (size_t)bytes : 0;
    return good;
}

/* Adds what differs, words of four bytes at a time: number of the memory, place, bytes, and those. */
static void put_changes(uint64_t number, const struct sch_mpi_bytes *before, const struct sch_mpi_bytes *after,
                        struct sch_mpi_bytes *changes)
{
    for (size_t at = 0; at < after->size;) {
        const size_t step = after->size - at < WORD_BYTES ? after->size - at : WORD_BYTES;
        size_t end = at;
        while (end < after->size) {
            const size_t bytes = after->size - end < WORD_BYTES ? after->size - end : WORD_BYTES;
            if (memcmp(before->data + end, after->data + end, bytes) == 0) break;
            end += bytes;
        }
        if (end > at) {
            sch_mpi_put_number(changes, number);
            sch_mpi_put_number(changes, at);
            sch_mpi_put_number(changes, end - at);
            sch_mpi_put(changes, after->data + at, end - at);
        }
        at = end > at ? end : at + step;
    }
}

static void take_memory(const struct sch_mpi_work *work, size_t number, const char *path, struct sch_mpi_answer *answer)
{
    struct sch_mpi_bytes before = {0}, after = {0};
    char why[256] = "the memory that was written cannot be read";
    if (!take_file(path, &after) || !sch_mpi_initial(work->memories[number].initial, &before, why))
        fail(answer, SCH_MPI_IO, work->memories[number].option, why);
    else if (before.size != after.size)
        fail(answer, SCH_MPI_INTERNAL, work->memories[number].option, "memory has another size than before");
    else
        put_changes(number, &before, &after, &answer->out);
    sch_mpi_bytes_release(&before);
    sch_mpi_bytes_release(&after);
}

/* ---- a command ---- */

/* The files that a child writes, and the words that say so. */
struct outputs {
    char folder[256];
    char path[SCH_MPI_MEMORIES][300], value[SCH_MPI_MEMORIES][400];
};

static bool make_outputs(const struct sch_mpi_work *work, char **words, struct outputs *outputs)
{
    const char *temporary = getenv("TMPDIR");
    size_t at = work->count;
    if (!temporary || !*temporary) temporary = P_tmpdir;
    if ((size_t)snprintf(outputs->folder, sizeof outputs->folder, "%s/scheelite-mpi-XXXXXX", temporary) >=
        sizeof outputs->folder)
        return false;
    if (!mkdtemp(outputs->folder)) return false;
    const size_t count = work->kind == SCH_MPI_BAND ? 1 : work->memory_count;
    for (size_t i = 0; i < count; i++) {
        /* DDS holds the four channels as they are. */
        snprintf(outputs->path[i], sizeof outputs->path[i], "%s/%zu.dds", outputs->folder, i);
        words[at++] = (char *)(uintptr_t)(work->kind == SCH_MPI_BAND ? "-o" : work->memories[i].option);
        const char *slot = work->kind == SCH_MPI_BAND ? "" : work->memories[i].slot;
        snprintf(outputs->value[i], sizeof outputs->value[i], "%.64s%s%s", slot, *slot ? "=" : "", outputs->path[i]);
        words[at++] = outputs->value[i];
    }
    return true;
}

static void take_outputs(const struct sch_mpi_work *work, struct outputs *outputs, struct sch_mpi_answer *answer)
{
    const bool good = !answer->record.exit_code && !answer->record.signal && !answer->record.late;
    if (work->kind == SCH_MPI_BAND && good) take_band(work, outputs->path[0], answer);
    if (work->kind == SCH_MPI_PART) sch_mpi_bytes_release(&answer->out); /* a grid prints nothing */
    for (size_t m = 0; work->kind == SCH_MPI_PART && m < work->memory_count; m++) {
        if (good) take_memory(work, m, outputs->path[m], answer);
        unlink(outputs->path[m]);
    }
    unlink(outputs->path[0]);
    rmdir(outputs->folder);
}

static void run(const struct sch_mpi_work *work, struct sch_mpi_answer *answer)
{
    const struct sch_mpi_command command = {
        .words = work->words, .timeout_ms = work->timeout_ms, .output_limit = work->output_limit};
    struct sch_mpi_done done;
    sch_mpi_child_run(&command, &done);
    answer->out = done.out;
    answer->err = done.err;
    struct sch_mpi_record *record = &answer->record;
    record->exit_code = done.exit_code;
    record->signal = done.signal;
    record->late = done.late;
    record->out_cut = done.out_cut;
    record->err_cut = done.err_cut;
    record->ms = done.ms;
    record->cpu_ms = done.cpu_ms;
    record->peak_kb = done.peak_kb;
}

void sch_mpi_execute(const struct sch_mpi_bytes *packed, unsigned rank, struct sch_mpi_answer *answer)
{
    struct sch_mpi_work work;
    struct outputs *outputs = calloc(1, sizeof *outputs);
    char **words = NULL;
    *answer = (struct sch_mpi_answer){.record.rank = rank};
    if (!outputs || !unpack(packed, &work, &words)) {
        work.number = 0;
        if (packed->size >= sizeof work.number) memcpy(&work.number, packed->data, sizeof work.number);
        fail(answer, SCH_MPI_LIMIT, "rank", "out of memory");
    } else if (work.kind == SCH_MPI_PLAIN) {
        run(&work, answer);
    } else if (!make_outputs(&work, words, outputs)) {
        fail(answer, SCH_MPI_IO, outputs->folder, strerror(errno));
    } else {
        run(&work, answer);
        take_outputs(&work, outputs, answer);
    }
    answer->number = work.number;
    if (answer->out.failed || answer->err.failed) answer->record.exit_code = SCH_MPI_LIMIT;
    answer->record.out_bytes = answer->out.size;
    answer->record.err_bytes = answer->err.size;
    free(words);
    free(outputs);
}

void sch_mpi_answer_release(struct sch_mpi_answer *answer)
{
    sch_mpi_bytes_release(&answer->out);
    sch_mpi_bytes_release(&answer->err);
}
