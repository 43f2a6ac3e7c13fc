/* See shader_files.h. An entry is written by one process. What is read of what is shared is looked at as what a client
 * said: a process that its client has taken over may have written anything. */
#include "shader_files.h"
#include "../support/text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
    MOST_SHADERS = 4096,
    MOST_BYTES = 64 << 20, /* of all texts */
    RANGES = 16,           /* of draws that are listed of each shader of each client; the others are counted */
    MOST_CLIENTS = 8,      /* that are listed of a shader */
    NAME_BYTES = 64
};

/* A shader of a client. */
struct entry {
    uint32_t client, stage; /* enum sch_stage */
    bool refused, whole;    /* whole: all but the use is written */
    uint64_t at, bytes;     /* of its text */
    uint64_t hash;          /* so that few texts are compared */
    uint64_t uses, last;    /* draws or grids, and the last one */
    uint32_t range_count;   /* of those that are listed */
    struct range {
        uint64_t first, last;
    } ranges[RANGES];
};

struct sch_cli_collection {
    uint64_t count, used; /* of entries and bytes that were asked for, also beyond what there is room for */
    uint64_t left_out;
    struct entry entries[MOST_SHADERS];
    char texts[MOST_BYTES];
};

static bool is_good(const struct entry *entry)
{
    return entry->whole && entry->stage <= SCH_STAGE_COMPUTE && entry->at <= MOST_BYTES &&
           entry->bytes <= MOST_BYTES - entry->at && entry->range_count <= RANGES;
}

static uint64_t entry_count(const struct sch_cli_collection *shared)
{
    const uint64_t count = __atomic_load_n(&shared->count, __ATOMIC_SEQ_CST);
    return count < MOST_SHADERS ? count : MOST_SHADERS;
}

/* ---- collecting ---- */

static uint32_t find(const struct sch_cli_shader_files *collected, const struct sch_virgl_text *text, uint64_t hash)
{
    const struct sch_cli_collection *shared = collected->shared;
    for (uint64_t n = 0, count = entry_count(shared); n < count; n++) {
        if (shared->entries[n].client != collected->client || shared->entries[n].hash != hash) continue;
        const struct entry entry = shared->entries[n];
        if (is_good(&entry) && entry.stage == text->stage && entry.refused == text->refused &&
            entry.bytes == text->bytes && memcmp(shared->texts + entry.at, text->text, text->bytes) == 0)
            return (uint32_t)n + 1;
    }
    return 0;
}

static uint32_t leave_out(struct sch_cli_collection *shared)
{
    __atomic_fetch_add(&shared->left_out, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* The number of an entry is its index and one. */
static uint32_t collect_text(void *user, const struct sch_virgl_text *text)
{
    const struct sch_cli_shader_files *collected = user;
    struct sch_cli_collection *shared = collected->shared;
    const uint64_t hash = sch_bytes_hash(SCH_HASH_OF_NOTHING, text->text, text->bytes);
    const uint32_t found = find(collected, text, hash);
    if (found) return found;
    if (text->bytes > MOST_BYTES) return leave_out(shared);
    const uint64_t at = __atomic_fetch_add(&shared->used, text->bytes, __ATOMIC_SEQ_CST);
    if (at > MOST_BYTES - text->bytes) {
        __atomic_fetch_sub(&shared->used, text->bytes, __ATOMIC_SEQ_CST); /* a shorter one may have room */
        return leave_out(shared);
    }
    const uint64_t number = __atomic_fetch_add(&shared->count, 1, __ATOMIC_SEQ_CST);
    if (number >= MOST_SHADERS) return leave_out(shared);
    struct entry *entry = &shared->entries[number];
    memcpy(shared->texts + at, text->text, text->bytes);
    *entry = (struct entry){.client = collected->client,
                            .stage = text->stage,
                            .refused = text->refused,
                            .at = at,
                            .bytes = text->bytes,
                            .hash = hash};
    __atomic_store_n(&entry->whole, true, __ATOMIC_SEQ_CST);
    return (uint32_t)number + 1;
}

/* Numbers grow. */
static void use(void *user, uint32_t number, uint64_t by)
{
    const struct sch_cli_shader_files *collected = user;
    struct entry *entry = &collected->shared->entries[number - 1];
    const uint32_t count = __atomic_load_n(&entry->range_count, __ATOMIC_RELAXED);
    struct range *last = count && count <= RANGES ? &entry->ranges[count - 1] : NULL;
    if (last && last->last + 1 == by) {
        last->last = by;
    } else if (count < RANGES) {
        entry->ranges[count] = (struct range){by, by};
        entry->range_count = count + 1;
    }
    entry->last = by;
    entry->uses++;
}

void sch_cli_shader_files_begin(void *collected, uint32_t client, struct sch_virgl_collector *collector)
{
    struct sch_cli_shader_files *own = collected; /* this process's copy, where it is a client's */
    own->client = client;
    *collector = (struct sch_virgl_collector){collect_text, use, own};
}

/* ---- before ---- */

static enum sch_cli_exit check_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    bool empty = true;
    if (!dir) return sch_cli_fail(SCH_CLI_IO, "cannot read %s: %s", folder, strerror(errno));
    for (const struct dirent *entry; empty && (entry = readdir(dir));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(dir);
    if (empty) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_IO, "%s is not empty: --shaders writes to a folder of its own", folder);
}

enum sch_cli_exit sch_cli_shader_files_open(struct sch_cli_shader_files *collected, const struct sch_cli_verb *verb)
{
    collected->verb = verb;
    if (!collected->folder) return SCH_CLI_YES;
    if (mkdir(collected->folder, 0777) != 0) {
        if (errno != EEXIST) return sch_cli_fail(SCH_CLI_IO, "cannot make %s: %s", collected->folder, strerror(errno));
        const enum sch_cli_exit exit_code = check_empty(collected->folder);
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    collected->shared = sch_vtest_share(sizeof *collected->shared);
    return collected->shared ? SCH_CLI_YES : sch_cli_no_memory();
}

void sch_cli_shader_files_release(struct sch_cli_shader_files *collected)
{
    if (collected->shared) munmap(collected->shared, sizeof *collected->shared);
    collected->shared = NULL;
}

/* ---- files ---- */

/* The entries in the order of clients, and of each as they came. */
struct sorted {
    size_t count;
    bool written[MOST_SHADERS];
    struct entry list[MOST_SHADERS];
};

/* Texts of one client keep their order. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->client != y->client) return x->client < y->client ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static struct sorted *sort(const struct sch_cli_collection *shared)
{
    struct sorted *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    for (uint64_t n = 0, count = entry_count(shared); n < count; n++) {
        made->list[made->count] = shared->entries[n];
        made->count += is_good(&made->list[made->count]);
    }
    qsort(made->list, made->count, sizeof *made->list, compare_entries);
    return made;
}

/* "draws 1-3, 7, and 12 more up to 90" */
static void print_uses(FILE *file, const struct entry *entry)
{
    const char *what = entry->stage == SCH_STAGE_COMPUTE ? "grid" : "draw";
    uint64_t left = entry->uses;
    if (!entry->uses) {
        fprintf(file, "no %s", what);
        return;
    }
    fprintf(file, "%s%s", what, entry->uses == 1 ? "" : "s");
    for (uint32_t n = 0; n < entry->range_count; n++) {
        const struct range *range = &entry->ranges[n];
        fprintf(file, "%s %" PRIu64, n ? "," : "", range->first);
        if (range->last > range->first) fprintf(file, "-%" PRIu64, range->last);
        left -= range->last - range->first + 1;
    }
    if (left) fprintf(file, ", and %" PRIu64 " more up to %" PRIu64, left, entry->last);
}

/* A comment at the end of the first line, so that lines have the numbers that traces of a recording say: who has used
 * it, of all entries from `first` on with the same text. */
static void print_comment(FILE *file, const struct sch_cli_shader_files *collected, struct sorted *sorted, size_t first)
{
    const struct entry *entry = &sorted->list[first];
    const char *between = " # ";
    size_t clients = 0;
    if (entry->refused) {
        fprintf(file, "%srefused", between);
        between = "; ";
    }
    for (size_t n = first; n < sorted->count; n++) {
        const struct entry *other = &sorted->list[n];
        const bool same =
            entry->stage == other->stage && entry->refused == other->refused && entry->bytes == other->bytes &&
            memcmp(collected->shared->texts + entry->at, collected->shared->texts + other->at, entry->bytes) == 0;
        if (n != first && (sorted->written[n] || !same)) continue;
        sorted->written[n] = true;
        if (clients++ >= MOST_CLIENTS) continue;
        fprintf(file, "%s", between);
        if (other->client) fprintf(file, "client %" PRIu32 ": ", other->client);
        print_uses(file, other);
        between = "; ";
    }
    if (clients > MOST_CLIENTS) fprintf(file, "; and %zu more clients", clients - MOST_CLIENTS);
}

static enum sch_cli_exit write_file(const struct sch_cli_shader_files *collected, struct sorted *sorted, size_t first,
                                    size_t number)
{
    const struct entry *entry = &sorted->list[first];
    const char *source = collected->shared->texts + entry->at, *end = memchr(source, '\n', entry->bytes);
    const size_t line = end ? (size_t)(end - source) : entry->bytes;
    char *path = NULL, *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    enum sch_cli_exit exit_code = SCH_CLI_LIMIT;
    if (file) {
        fwrite(source, 1, line, file);
        print_comment(file, collected, sorted, first);
        fwrite(source + line, 1, entry->bytes - line, file);
        if (fclose(file) == 0 && asprintf(&path, "%s/%s-%04zu.tgsi", collected->folder,
                                          sch_cli_stage_word((enum sch_stage)entry->stage), number) < 0)
            path = NULL;
    }
    exit_code = path ? sch_cli_write(path, text, bytes) : sch_cli_no_memory();
    free(path);
    free(text);
    return exit_code;
}

enum sch_cli_exit sch_cli_shader_files_write(const struct sch_cli_shader_files *collected)
{
    const struct sch_cli_collection *shared = collected->shared;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    size_t files = 0;
    if (!shared) return exit_code;
    struct sorted *sorted = sort(shared);
    if (!sorted) return sch_cli_no_memory();
    for (size_t n = 0; n < sorted->count && exit_code == SCH_CLI_YES; n++)
        if (!sorted->written[n]) exit_code = write_file(collected, sorted, n, ++files);
    free(sorted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (shared->left_out)
        return sch_cli_fail(SCH_CLI_LIMIT,
                            "%s lacks %" PRIu64 " shaders: --shaders keeps %d, and %d MiB of their texts",
                            collected->folder, shared->left_out, MOST_SHADERS, MOST_BYTES >> 20);
    if (!files) return sch_cli_fail(SCH_CLI_NO, "there is no shader, so --shaders has nothing to write");
    return SCH_CLI_YES;
}
