/* See journal.h. */
#include "mpi/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"

enum { LINE_BYTES = 512, PART_BYTES = 1 << 16, HEX_BYTES = 2 * SCH_SHA256_BYTES + 1 };
/* The name is in front of the number in all versions. */
#define NAME    "scheelite-mpi journal "
#define VERSION "1"
static const char head[] = NAME VERSION "\n";

/* ---- bytes of the file ---- */

static bool write_all(int file, const void *data, size_t bytes, uint64_t at)
{
    const char *from = data;
    while (bytes) {
        const ssize_t put = pwrite(file, from, bytes, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        from += put;
        at += (uint64_t)put;
        bytes -= (size_t)put;
    }
    return true;
}

static bool read_all(int file, void *to, size_t bytes, uint64_t at)
{
    char *next = to;
    while (bytes) {
        const ssize_t got = pread(file, next, bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        next += got;
        at += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return true;
}

/* ---- a record's line ---- */

static void put_hex(const uint8_t bytes[SCH_SHA256_BYTES], char hex[HEX_BYTES])
{
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) snprintf(hex + 2 * (size_t)i, 3, "%02x", bytes[i]);
}

static bool take_hex(const char *hex, uint8_t bytes[SCH_SHA256_BYTES])
{
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * (size_t)i, "%2x", &byte) != 1) return false;
        bytes[i] = (uint8_t)byte;
    }
    return true;
}

static int write_line(const struct sch_mpi_record *record, const uint8_t sum[SCH_SHA256_BYTES], char line[LINE_BYTES])
{
    char key[HEX_BYTES], hex[HEX_BYTES];
    put_hex(record->key, key);
    put_hex(sum, hex);
    return snprintf(line, LINE_BYTES,
                    "item %s exit %d signal %d flags %d%d%d ms %" PRIu64 " cpu %" PRIu64 " peak %" PRIu64
                    " rank %u facts %" PRIu64 " %" PRIu64 " %" PRIu64 " bytes %" PRIu64 " %" PRIu64 " sha256 %s\n",
                    key, record->exit_code, record->signal, record->late, record->out_cut, record->err_cut, record->ms,
                    record->cpu_ms, record->peak_kb, record->rank, record->facts[0], record->facts[1], record->facts[2],
                    record->out_bytes, record->err_bytes, hex);
}

static bool read_line(const char *line, struct sch_mpi_record *record, uint8_t sum[SCH_SHA256_BYTES])
{
    char key[HEX_BYTES], hex[HEX_BYTES], flags[4];
    *record = (struct sch_mpi_record){0};
    const int taken = sscanf(
        line,
        "item %64s exit %d signal %d flags %3s ms %" SCNu64 " cpu %" SCNu64 " peak %" SCNu64 " rank %u facts %" SCNu64
        " %" SCNu64 " %" SCNu64 " bytes %" SCNu64 " %" SCNu64 " sha256 %64s",
        key, &record->exit_code, &record->signal, flags, &record->ms, &record->cpu_ms, &record->peak_kb, &record->rank,
        &record->facts[0], &record->facts[1], &record->facts[2], &record->out_bytes, &record->err_bytes, hex);
    if (taken != 14 || strlen(flags) != 3 || strlen(key) != HEX_BYTES - 1 || strlen(hex) != HEX_BYTES - 1) return false;
    record->late = flags[0] == '1';
    record->out_cut = flags[1] == '1';
    record->err_cut = flags[2] == '1';
    return take_hex(key, record->key) && take_hex(hex, sum);
}

/* ---- reading what is there ---- */

/* Whether the file has these bytes, and they have this sum. */
static bool holds(int file, uint64_t at, uint64_t bytes, const uint8_t expected[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    uint8_t sum[SCH_SHA256_BYTES], part[PART_BYTES];
    sch_sha256_begin(&hash);
    for (uint64_t done = 0; done < bytes;) {
        const size_t count = bytes - done < sizeof part ? (size_t)(bytes - done) : sizeof part;
        if (!read_all(file, part, count, at + done)) return false;
        sch_sha256_add(&hash, part, count);
        done += count;
    }
    sch_sha256_end(&hash, sum);
    return memcmp(sum, expected, sizeof sum) == 0;
}

/* The record that begins at `at`; false: none that is whole. */
static bool read_record(int file, uint64_t at, uint64_t size, struct sch_mpi_record *record, uint64_t *next)
{
    char line[LINE_BYTES] = "";
    uint8_t sum[SCH_SHA256_BYTES];
    const size_t count = size - at < LINE_BYTES - 1 ? (size_t)(size - at) : LINE_BYTES - 1;
    if (!read_all(file, line, count, at)) return false;
    char *newline = memchr(line, '\n', count);
    if (!newline) return false;
    *newline = 0;
    if (!read_line(line, record, sum)) return false;
    record->at = at + (uint64_t)(newline - line) + 1;
    const uint64_t left = size - record->at;
    if (record->out_bytes > left || record->err_bytes > left - record->out_bytes) return false;
    *next = record->at + record->out_bytes + record->err_bytes;
    return holds(file, record->at, record->out_bytes + record->err_bytes, sum);
}

static int by_key(const void *a, const void *b)
{
    const struct sch_mpi_record *x = a, *y = b;
    const int order = memcmp(x->key, y->key, sizeof x->key);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool keep(struct sch_mpi_journal *journal, const struct sch_mpi_record *record)
{
    if (journal->count == journal->capacity) {
        const size_t capacity = journal->capacity * 2 + 64;
        struct sch_mpi_record *moved = realloc(journal->records, capacity * sizeof *moved);
        if (!moved) return false;
        journal->records = moved;
        journal->capacity = capacity;
    }
    journal->records[journal->count++] = *record;
    return true;
}

static enum sch_mpi_exit read_records(struct sch_mpi_journal *journal, uint64_t size)
{
    struct sch_mpi_record record;
    for (uint64_t next; journal->end < size && read_record(journal->file, journal->end, size, &record, &next);
         journal->end = next)
        if (!keep(journal, &record)) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    if (journal->count) qsort(journal->records, journal->count, sizeof *journal->records, by_key);
    if (journal->end == size) return SCH_MPI_YES;
    sch_mpi_fail(SCH_MPI_YES, "%s: what follows the last whole result is dropped: %" PRIu64 " bytes", journal->path,
                 size - journal->end);
    if (ftruncate(journal->file, (off_t)journal->end) == 0) return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", journal->path, strerror(errno));
}

/* ---- opening ---- */

/* What does not begin as journals of this version do. */
static enum sch_mpi_exit refuse(const struct sch_mpi_journal *journal, uint64_t size)
{
    char found[sizeof NAME + 20] = "";
    const size_t name = sizeof NAME - 1, count = size < sizeof found - 1 ? (size_t)size : sizeof found - 1;
    const bool named = read_all(journal->file, found, count, 0) && strncmp(found, NAME, name) == 0;
    const size_t digits = named ? strspn(found + name, "0123456789abcdefghijklmnopqrstuvwxyz") : 0;
    if (!digits) /* nothing else of a strange file goes to a terminal */
        return sch_mpi_fail(SCH_MPI_USAGE, "%s is not a journal of scheelite-mpi", journal->path);
    return sch_mpi_fail(SCH_MPI_USAGE,
                        "%s is a journal of version %.*s, and version " VERSION
                        " is read here: end this farm with the scheelite-mpi that began it, or begin another journal",
                        journal->path, (int)digits, found + name);
}

static enum sch_mpi_exit begin(struct sch_mpi_journal *journal)
{
    char found[sizeof head] = "";
    struct stat is;
    if (fstat(journal->file, &is) != 0 || !S_ISREG(is.st_mode))
        return sch_mpi_fail(SCH_MPI_IO, "%s is not a file that a journal can be in", journal->path);
    if (flock(journal->file, LOCK_EX | LOCK_NB) != 0)
        return sch_mpi_fail(SCH_MPI_USAGE, "another farm writes the journal %s", journal->path);
    journal->end = sizeof head - 1;
    /* A farm may have been killed within the first line. */
    if (is.st_size < (off_t)journal->end && read_all(journal->file, found, (size_t)is.st_size, 0) &&
        memcmp(found, head, (size_t)is.st_size) == 0)
        return write_all(journal->file, head, sizeof head - 1, 0)
                   ? SCH_MPI_YES
                   : sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", journal->path, strerror(errno));
    if (!read_all(journal->file, found, sizeof head - 1, 0) || strcmp(found, head) != 0)
        return refuse(journal, (uint64_t)is.st_size);
    return read_records(journal, (uint64_t)is.st_size);
}

static enum sch_mpi_exit open_nameless(const char *folder, struct sch_mpi_journal *journal)
{
    char name[4096];
    journal->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (journal->file >= 0) return SCH_MPI_YES;
    /* Not every kind of file system has files without names. */
    if ((size_t)snprintf(name, sizeof name, "%s/.scheelite-mpi-XXXXXX", folder) < sizeof name)
        journal->file = mkostemp(name, O_CLOEXEC);
    if (journal->file < 0) return sch_mpi_fail(SCH_MPI_IO, "cannot write in %s: %s", folder, strerror(errno));
    unlink(name);
    return SCH_MPI_YES;
}

enum sch_mpi_exit sch_mpi_journal_open(const char *path, const char *folder, bool resume,
                                       struct sch_mpi_journal *journal)
{
    *journal = (struct sch_mpi_journal){.file = -1};
    if (!path) return open_nameless(folder, journal);
    journal->path = strdup(path);
    if (!journal->path) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    journal->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | (resume ? 0 : O_EXCL), 0666);
    if (journal->file >= 0) return begin(journal);
    if (errno == EEXIST)
        return sch_mpi_fail(SCH_MPI_USAGE, "the journal %s exists already: --resume continues it", path);
    return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", path, strerror(errno));
}

void sch_mpi_journal_close(struct sch_mpi_journal *journal)
{
    if (journal->file >= 0) close(journal->file);
    free(journal->path);
    free(journal->records);
    *journal = (struct sch_mpi_journal){.file = -1};
}

/* ---- use ---- */

struct sch_mpi_record *sch_mpi_journal_find(struct sch_mpi_journal *journal, const uint8_t key[SCH_MPI_KEY_BYTES])
{
    size_t low = 0, high = journal->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (memcmp(journal->records[middle].key, key, SCH_MPI_KEY_BYTES) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < journal->count && memcmp(journal->records[low].key, key, SCH_MPI_KEY_BYTES) == 0; low++) {
        if (journal->records[low].used) continue;
        journal->records[low].used = true;
        return &journal->records[low];
    }
    return NULL;
}

enum sch_mpi_exit sch_mpi_journal_append(struct sch_mpi_journal *journal, struct sch_mpi_record *record,
                                         const void *out, const void *err)
{
    struct sch_sha256 hash;
    uint8_t sum[SCH_SHA256_BYTES];
    char line[LINE_BYTES];
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, out, (size_t)record->out_bytes);
    sch_sha256_add(&hash, err, (size_t)record->err_bytes);
    sch_sha256_end(&hash, sum);
    const size_t bytes = (size_t)write_line(record, sum, line);
    record->at = journal->end + bytes;
    if (!write_all(journal->file, line, bytes, journal->end) ||
        !write_all(journal->file, out, (size_t)record->out_bytes, record->at) ||
        !write_all(journal->file, err, (size_t)record->err_bytes, record->at + record->out_bytes))
        return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", journal->path ? journal->path : "a temporary file",
                            strerror(errno));
    journal->end = record->at + record->out_bytes + record->err_bytes;
    return SCH_MPI_YES;
}

bool sch_mpi_journal_read(const struct sch_mpi_journal *journal, const struct sch_mpi_record *record, uint64_t offset,
                          void *to, size_t bytes)
{
    return read_all(journal->file, to, bytes, record->at + offset);
}
