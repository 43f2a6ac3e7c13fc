/* See report.h. */
#include "mpi/report.h"
#include "support/json.h"
#include "support/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sch_mpi_record_exit(const struct sch_mpi_record *record)
{
    return record->late ? SCH_MPI_LIMIT : record->signal ? SCH_MPI_INTERNAL : record->exit_code;
}

void sch_mpi_describe_end(const struct sch_mpi_record *record, char text[64])
{
    if (record->late)
        snprintf(text, 64, "the time limit");
    else if (record->signal)
        snprintf(text, 64, "signal %d", record->signal);
    else
        snprintf(text, 64, "exit code %d", record->exit_code);
}

/* ---- texts ---- */

/* Text as XML 1.0 has it, which has no words for most control characters; what is not UTF-8 becomes U+FFFD. */
static void put_xml(FILE *file, const char *text, size_t bytes)
{
    static const char *const names[] = {
        ['"'] = "&quot;", ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['\n'] = "\n", ['\t'] = "\t"};
    for (size_t at = 0, length; at < bytes; at += length ? length : 1) {
        const unsigned char c = (unsigned char)text[at];
        length = sch_text_character(text + at, bytes - at);
        const bool forbidden = length == 3 && memcmp(text + at, "\xef\xbf\xbe", 3) >= 0 &&
                               memcmp(text + at, "\xef\xbf\xbf", 3) <= 0; /* the section "Char" */
        if (c < sizeof names / sizeof *names && names[c])
            fputs(names[c], file);
        else if (length && c >= 0x20 && c != 0x7f && !forbidden)
            fwrite(text + at, 1, length, file);
        else
            fputs("\xef\xbf\xbd", file);
    }
}

/* What an item has printed, on one of its two outputs; the caller frees it. NULL: the journal cannot be read. */
static char *read_output(const struct sch_mpi_summary *summary, const struct sch_mpi_record *record, bool second,
                         size_t *bytes)
{
    *bytes = (size_t)(second ? record->err_bytes : record->out_bytes);
    char *text = malloc(*bytes + 1);
    if (text && sch_mpi_journal_read(summary->journal, record, second ? record->out_bytes : 0, text, *bytes))
        return text;
    free(text);
    return NULL;
}

/* FILE or FILE:LINE; the caller frees it. NULL: nothing says it, or memory is out. */
static char *source_of(const struct sch_mpi_result *result)
{
    char *text = NULL;
    if (!result->source) return NULL;
    const int bytes =
        result->line ? asprintf(&text, "%s:%u", result->source, result->line) : asprintf(&text, "%s", result->source);
    return bytes < 0 ? NULL : text;
}

/* ---- counts ---- */

struct counts {
    size_t passed, failed, broken, missing;
    uint64_t ms;
};

static struct counts count(const struct sch_mpi_summary *summary)
{
    struct counts counts = {0};
    for (size_t i = 0; i < summary->count; i++) {
        const struct sch_mpi_result *result = &summary->results[i];
        if (!result->done)
            counts.missing++;
        else if (result->record.late || result->record.signal)
            counts.broken++;
        else if (result->record.exit_code)
            counts.failed++;
        else
            counts.passed++;
        if (result->done) counts.ms += result->record.ms;
    }
    return counts;
}

void sch_mpi_print_summary(const struct sch_mpi_summary *summary)
{
    const struct counts counts = count(summary);
    fprintf(stderr, "scheelite-mpi: %zu passed, %zu failed", counts.passed, counts.failed + counts.broken);
    if (counts.missing) fprintf(stderr, ", %zu not run", counts.missing);
    fputc('\n', stderr);
}

/* ---- files ---- */

static FILE *open_report(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    if (!file) sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", path, strerror(errno));
    return file;
}

static enum sch_mpi_exit close_report(FILE *file, const char *path, bool good)
{
    if (ferror(file)) good = false;
    if (file == stdout ? fflush(file) != 0 : fclose(file) != 0) good = false;
    return good ? SCH_MPI_YES : sch_mpi_fail(SCH_MPI_IO, "cannot write %s", path);
}

static bool put_json_output(struct sch_json *json, const struct sch_mpi_summary *summary,
                            const struct sch_mpi_record *record, bool second)
{
    size_t bytes;
    char *text = read_output(summary, record, second, &bytes);
    sch_json_bool(json, second ? "stderr_cut" : "stdout_cut", second ? record->err_cut : record->out_cut);
    sch_json_bytes(json, second ? "stderr" : "stdout", text ? text : "", text ? bytes : 0);
    free(text);
    return text != NULL;
}

static bool put_json_item(struct sch_json *json, const struct sch_mpi_summary *summary, size_t number)
{
    const struct sch_mpi_result *result = &summary->results[number];
    const struct sch_mpi_record *record = &result->record;
    char *source = source_of(result);
    bool good = true;
    sch_json_object(json, NULL, true);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("number", number + 1), SCH_JSON_TEXT("name", result->name));
    if (source) sch_json_text(json, "source", source);
    sch_json_bool(json, "done", result->done);
    if (result->done) {
        sch_json_signed(json, "exit", sch_mpi_record_exit(record));
        sch_json_signed(json, "signal", record->signal);
        SCH_JSON_FIELDS(json, SCH_JSON_BOOL("timeout", record->late), SCH_JSON_BOOL("resumed", result->resumed),
                        SCH_JSON_NUMBER("rank", record->rank), SCH_JSON_NUMBER("milliseconds", record->ms),
                        SCH_JSON_NUMBER("cpu_milliseconds", record->cpu_ms),
                        SCH_JSON_NUMBER("peak_kilobytes", record->peak_kb));
        if (summary->outputs) good = put_json_output(json, summary, record, false);
        good = put_json_output(json, summary, record, true) && good;
    }
    sch_json_close(json);
    free(source);
    return good;
}

enum sch_mpi_exit sch_mpi_write_json(const char *path, const struct sch_mpi_summary *summary)
{
    const struct counts counts = count(summary);
    FILE *file = open_report(path);
    struct sch_json json;
    bool good = true;
    if (!file) return SCH_MPI_IO;
    sch_json_begin(&json, file, "scheelite-mpi");
    SCH_JSON_FIELDS(&json, SCH_JSON_NUMBER("version", 1), SCH_JSON_TEXT("verb", summary->verb),
                    SCH_JSON_NUMBER("exit", (uint64_t)summary->exit_code), SCH_JSON_NUMBER("passed", counts.passed),
                    SCH_JSON_NUMBER("failed", counts.failed + counts.broken),
                    SCH_JSON_NUMBER("not_run", counts.missing));
    sch_json_list(&json, "items", false);
    for (size_t i = 0; i < summary->count; i++) good = put_json_item(&json, summary, i) && good;
    sch_json_end(&json);
    return close_report(file, path, good);
}

static bool put_xml_output(FILE *file, const struct sch_mpi_summary *summary, const struct sch_mpi_record *record,
                           bool second)
{
    size_t bytes;
    char *text = read_output(summary, record, second, &bytes);
    if (text) put_xml(file, text, bytes);
    free(text);
    return text != NULL;
}

static bool put_junit_item(FILE *file, const struct sch_mpi_summary *summary, const struct sch_mpi_result *result)
{
    const struct sch_mpi_record *record = &result->record;
    char end[64], *source = source_of(result);
    const char *class = source ? source : summary->verb;
    bool good = true;
    fputs("    <testcase name=\"", file);
    put_xml(file, result->name, strlen(result->name));
    fputs("\" classname=\"", file);
    put_xml(file, class, strlen(class));
    free(source);
    fprintf(file, "\" time=\"%" PRIu64 ".%03u\">\n", record->ms / 1000, (unsigned)(record->ms % 1000));
    if (!result->done) {
        fputs("      <skipped message=\"not run\"/>\n", file);
    } else if (sch_mpi_record_exit(record)) {
        const char *kind = record->late || record->signal ? "error" : "failure";
        sch_mpi_describe_end(record, end);
        fprintf(file, "      <%s message=\"%s\">", kind, end);
        good = put_xml_output(file, summary, record, true);
        fprintf(file, "</%s>\n", kind);
    }
    if (result->done && summary->outputs && record->out_bytes) {
        fputs("      <system-out>", file);
        good = put_xml_output(file, summary, record, false) && good;
        fputs("</system-out>\n", file);
    }
    fputs("    </testcase>\n", file);
    return good;
}

enum sch_mpi_exit sch_mpi_write_junit(const char *path, const struct sch_mpi_summary *summary)
{
    const struct counts counts = count(summary);
    FILE *file = open_report(path);
    bool good = true;
    if (!file) return SCH_MPI_IO;
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"scheelite-mpi %s\" "
            "tests=\"%zu\" "
            "failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%" PRIu64 ".%03u\">\n",
            summary->verb, summary->count, counts.failed, counts.broken, counts.missing, counts.ms / 1000,
            (unsigned)(counts.ms % 1000));
    for (size_t i = 0; i < summary->count; i++) good = put_junit_item(file, summary, &summary->results[i]) && good;
    fputs("  </testsuite>\n</testsuites>\n", file);
    return close_report(file, path, good);
}
