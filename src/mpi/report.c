/* See report.h. */
#include "mpi/report.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sch_mpi_record_exit(const struct sch_mpi_record *record)
{
    return record->late ? SCH_MPI_LIMIT : record->signal ? SCH_MPI_INTERNAL : record->exit;
}

void sch_mpi_describe_end(const struct sch_mpi_record *record, char text[64])
{
    if (record->late)
        snprintf(text, 64, "the time limit");
    else if (record->signal)
        snprintf(text, 64, "signal %d", record->signal);
    else
        snprintf(text, 64, "exit code %d", record->exit);
}

/* ---- texts ---- */

static void put_escaped(FILE *file, uint8_t c, bool xml)
{
    static const char *const names[][2] = {
        ['"'] = {"\\\"", "&quot;"}, ['\\'] = {"\\\\", "\\"}, ['&'] = {"&", "&amp;"}, ['<'] = {"<", "&lt;"},
        ['>'] = {">", "&gt;"},      ['\n'] = {"\\n", "\n"},  ['\t'] = {"\\t", "\t"}};
    if (c < sizeof names / sizeof *names && names[c][xml])
        fputs(names[c][xml], file);
    else if (c >= 0x20 && c != 0x7f)
        fputc(c, file);
    else if (xml) /* XML 1.0 has no words for most of them */
        fputs("\xef\xbf\xbd", file);
    else
        fprintf(file, "\\u%04x", c);
}

/* XML 1.0, "Char": not these two. */
static bool is_forbidden(uint32_t code, bool xml) { return xml && (code == 0xfffe || code == 0xffff); }

/* Text as JSON or XML has it; what is not UTF-8 becomes U+FFFD. */
static void put_text(FILE *file, const char *text, size_t bytes, bool xml)
{
    for (size_t at = 0; at < bytes;) {
        const struct sch_utf8 c = sch_utf8_at(text + at, bytes - at);
        if (c.wrong || is_forbidden(c.code, xml))
            fputs("\xef\xbf\xbd", file);
        else if (c.bytes == 1)
            put_escaped(file, (uint8_t)text[at], xml);
        else
            fwrite(text + at, 1, c.bytes, file);
        at += c.bytes;
    }
}

static void put_string(FILE *file, const char *text, bool xml)
{
    fputc('"', file);
    put_text(file, text, strlen(text), xml);
    fputc('"', file);
}

/* One of the two outputs of an item. False: the journal cannot be read. */
static bool put_output(FILE *file, const struct sch_mpi_summary *summary, const struct sch_mpi_record *record,
                       bool second, bool xml)
{
    const uint64_t bytes = second ? record->err_bytes : record->out_bytes;
    char *text = malloc((size_t)bytes + 1);
    bool good =
        text && sch_mpi_journal_read(summary->journal, record, second ? record->out_bytes : 0, text, (size_t)bytes);
    if (good) put_text(file, text, (size_t)bytes, xml);
    free(text);
    return good;
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
        else if (result->record.exit)
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

static void put_source(FILE *file, const struct sch_mpi_result *result, bool xml)
{
    char line[32] = "";
    if (result->line) snprintf(line, sizeof line, ":%u", result->line);
    fputc('"', file);
    put_text(file, result->source, strlen(result->source), xml);
    fprintf(file, "%s\"", line);
}

static bool put_json_item(FILE *file, const struct sch_mpi_summary *summary, size_t number)
{
    const struct sch_mpi_result *result = &summary->results[number];
    const struct sch_mpi_record *record = &result->record;
    fprintf(file, "%s\n    {\"number\": %zu, \"name\": ", number ? "," : "", number + 1);
    put_string(file, result->name, false);
    if (result->source) {
        fputs(", \"source\": ", file);
        put_source(file, result, false);
    }
    fprintf(file, ", \"done\": %s", result->done ? "true" : "false");
    bool good = true;
    if (result->done) {
        fprintf(
            file,
            ", \"exit\": %d, \"signal\": %d, \"timeout\": %s, \"resumed\": %s, \"rank\": %u, \"milliseconds\": %" PRIu64
            ", \"cpu_milliseconds\": %" PRIu64 ", \"peak_kilobytes\": %" PRIu64,
            sch_mpi_record_exit(record), record->signal, record->late ? "true" : "false",
            result->resumed ? "true" : "false", record->rank, record->ms, record->cpu_ms, record->peak_kb);
        if (summary->outputs) {
            fprintf(file, ", \"stdout_cut\": %s, \"stdout\": \"", record->out_cut ? "true" : "false");
            good = put_output(file, summary, record, false, false);
            fputc('"', file);
        }
        fprintf(file, ", \"stderr_cut\": %s, \"stderr\": \"", record->err_cut ? "true" : "false");
        good = put_output(file, summary, record, true, false) && good;
        fputc('"', file);
    }
    fputc('}', file);
    return good;
}

enum sch_mpi_exit sch_mpi_write_json(const char *path, const struct sch_mpi_summary *summary)
{
    const struct counts counts = count(summary);
    FILE *file = open_report(path);
    bool good = true;
    if (!file) return SCH_MPI_IO;
    fprintf(
        file,
        "{\"schema\": \"scheelite-mpi\", \"version\": 1, \"verb\": \"%s\", \"exit\": %d, \"passed\": %zu, \"failed\": "
        "%zu, \"not_run\": %zu,\n  \"items\": [",
        summary->verb, (int)summary->exit, counts.passed, counts.failed + counts.broken, counts.missing);
    for (size_t i = 0; i < summary->count; i++) good = put_json_item(file, summary, i) && good;
    fputs(summary->count ? "\n  ]}\n" : "]}\n", file);
    return close_report(file, path, good);
}

static bool put_junit_item(FILE *file, const struct sch_mpi_summary *summary, const struct sch_mpi_result *result)
{
    const struct sch_mpi_record *record = &result->record;
    char end[64];
    bool good = true;
    fputs("    <testcase name=", file);
    put_string(file, result->name, true);
    fputs(" classname=", file);
    if (result->source)
        put_source(file, result, true);
    else
        fprintf(file, "\"%s\"", summary->verb);
    fprintf(file, " time=\"%" PRIu64 ".%03u\">\n", record->ms / 1000, (unsigned)(record->ms % 1000));
    if (!result->done) {
        fputs("      <skipped message=\"not run\"/>\n", file);
    } else if (sch_mpi_record_exit(record)) {
        const char *kind = record->late || record->signal ? "error" : "failure";
        sch_mpi_describe_end(record, end);
        fprintf(file, "      <%s message=\"%s\">", kind, end);
        good = put_output(file, summary, record, true, true);
        fprintf(file, "</%s>\n", kind);
    }
    if (result->done && summary->outputs && record->out_bytes) {
        fputs("      <system-out>", file);
        good = put_output(file, summary, record, false, true) && good;
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
