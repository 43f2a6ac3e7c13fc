/* Fuzz target: journals of scheelite-mpi. An even first byte: the rest is what stands after the first line of the
 * file. Odd: the rest are results, which are appended, and then bytes of the file that are changed. What is checked: a
 * journal is opened whatever stands in it; it ends where its last result does; opened again it has the same results;
 * all outputs can be read; what was appended comes back unless it was changed. */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../src/mpi/journal.h"
#include "fuzz.h"

enum { MOST = 1 << 14, RESULTS = 8, OUTPUT = 64 };

/* In the place of the farm's, which prints. */
enum sch_mpi_exit sch_mpi_fail(enum sch_mpi_exit code, const char *format, ...)
{
    (void)format;
    return code;
}

struct input {
    const uint8_t *at, *end;
    char path[64];
    int file;
};

static uint8_t take(struct input *input) { return input->at < input->end ? *input->at++ : 0; }

static uint64_t take_number(struct input *input)
{
    uint64_t number = 0;
    for (unsigned n = take(input) % 9; n; n--) number = number << 8 | take(input);
    return number;
}

/* ---- results ---- */

static void append(struct input *input, struct sch_mpi_journal *journal, uint8_t number)
{
    uint8_t outputs[2 * OUTPUT];
    struct sch_mpi_record record = {.key = {number},
                                    .exit_code = (int)(int8_t)take(input),
                                    .signal = take(input),
                                    .late = take(input) & 1,
                                    .out_cut = take(input) & 1,
                                    .err_cut = take(input) & 1,
                                    .ms = take_number(input),
                                    .cpu_ms = take_number(input),
                                    .peak_kb = take_number(input),
                                    .rank = (unsigned)take_number(input),
                                    .facts = {take_number(input), take_number(input), take_number(input)},
                                    .out_bytes = take(input) % OUTPUT,
                                    .err_bytes = take(input) % OUTPUT};
    for (unsigned n = 0; n < sizeof outputs; n++) outputs[n] = take(input);
    sch_mpi_journal_append(journal, &record, outputs, outputs + OUTPUT);
}

/* How many were appended. */
static unsigned make_results(struct input *input)
{
    struct sch_mpi_journal journal;
    unsigned count = 0;
    if (sch_mpi_journal_open(input->path, NULL, true, &journal) == SCH_MPI_YES)
        for (const unsigned most = 1 + take(input) % RESULTS; count < most; count++)
            append(input, &journal, (uint8_t)(count + 1));
    sch_mpi_journal_close(&journal);
    return count;
}

/* Whether anything was. */
static bool change(struct input *input)
{
    struct stat status;
    const unsigned count = take(input) % 4;
    for (unsigned n = 0; n < count && fstat(input->file, &status) == 0 && status.st_size; n++) {
        const uint8_t byte = take(input);
        if (pwrite(input->file, &byte, 1, (off_t)(take_number(input) % (uint64_t)status.st_size)) != 1) return true;
    }
    const unsigned cut = take(input);
    if (cut && fstat(input->file, &status) == 0 && ftruncate(input->file, status.st_size - (off_t)(cut % 16)) != 0)
        return true;
    return count || cut;
}

/* ---- opening ---- */

static const char *check_outputs(struct sch_mpi_journal *journal)
{
    for (size_t n = 0; n < journal->count; n++) {
        const struct sch_mpi_record *record = &journal->records[n];
        const uint64_t bytes = record->out_bytes + record->err_bytes;
        char *text = malloc(bytes ? bytes : 1);
        const bool read = text && sch_mpi_journal_read(journal, record, 0, text, bytes);
        free(text);
        if (!read) return "a result whose outputs are not there";
        if (!sch_mpi_journal_find(journal, record->key)) return "a result that is not found by its key";
    }
    return NULL;
}

static const char *check_open(const struct input *input, unsigned expected)
{
    struct sch_mpi_journal journal, again;
    struct stat status;
    const char *finding = NULL;
    const enum sch_mpi_exit exit = sch_mpi_journal_open(input->path, NULL, true, &journal);
    if (exit == SCH_MPI_YES) {
        if (fstat(input->file, &status) != 0 || (uint64_t)status.st_size != journal.end)
            finding = "a journal that does not end where its last result does";
        if (journal.count < expected) finding = "results that were appended are gone";
        if (!finding) finding = check_outputs(&journal);
    } else if (expected) {
        finding = "a journal that was written is refused";
    }
    const size_t count = journal.count;
    sch_mpi_journal_close(&journal);
    if (!finding && exit == SCH_MPI_YES &&
        (sch_mpi_journal_open(input->path, NULL, true, &again) != SCH_MPI_YES || again.count != count))
        finding = "a journal that is opened again has other results";
    if (exit == SCH_MPI_YES && !finding) sch_mpi_journal_close(&again);
    return finding;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    static const char head[] = "scheelite-mpi journal 1\n";
    struct input input = {.at = data, .end = data + bytes, .file = memfd_create("journal", MFD_CLOEXEC)};
    const char *finding = NULL;
    unsigned expected = 0;
    if (input.file < 0 || bytes > MOST) {
        close(input.file);
        return NULL;
    }
    snprintf(input.path, sizeof input.path, "/proc/self/fd/%d", input.file);
    if (take(&input) % 2) {
        expected = make_results(&input);
        if (change(&input)) expected = 0;
    } else if (write(input.file, head, sizeof head - 1) < 0 ||
               write(input.file, input.at, (size_t)(input.end - input.at)) < 0) {
        finding = "the journal cannot be written";
    }
    if (!finding) finding = check_open(&input, expected);
    close(input.file);
    return finding;
}

SCH_FUZZ_TARGET
