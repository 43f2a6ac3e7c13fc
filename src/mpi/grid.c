/* The verb grid: parts of a compute grid, each run by `scheelite run --groups` on memory as the caller gave it. What
 * parts have changed is put together here. That is the memory that one run leaves only if no work group reads what
 * another one writes, which the caller says with --unordered; that two parts change one word differently is noticed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/task.h"

enum { DEFAULT_PARTS = 16, WORD_BYTES = 4 };

/* Memory that is written, and the file it goes to. */
struct memory {
    struct sch_mpi_memory is;
    char *slot;
    const char *output;
    struct sch_mpi_file file;
    struct sch_mpi_bytes contents;
    uint8_t *changed; /* a bit for each word */
};

struct grid {
    struct sch_mpi_task task;
    struct memory memories[SCH_MPI_MEMORIES];
    size_t memory_count;
    uint64_t groups;
    char **words;
    size_t count;
    enum sch_mpi_exit exit_code;
};

/* ---- arguments ---- */

static const struct {
    const char *output, *input;
    bool slots; /* SLOT=FILE, not FILE */
} kinds[] = {
    {"--buffer-out", "--buffer", true}, {"--hwatomic-out", "--hwatomic", true}, {"--global-out", "--global", false}};

static enum sch_mpi_exit refuse_options(const struct sch_mpi_options *options)
{
    static const struct {
        const char *name, *why;
    } refused[] = {{"-o", "it has no picture"},
                   {"--target", "it has no picture"},
                   {"--size", "it has no picture"},
                   {"--groups", "it runs all work groups"},
                   {"--image-out", "in this version, texels of parts are not put together"},
                   {"--work", "it bounds a whole grid; --budget bounds each invocation"},
                   {"--deadline", "--timeout bounds each part"},
                   {"--stats", "parts have counts of their own"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (sch_mpi_has_option(options->words, options->count, refused[i].name))
            return sch_mpi_fail(strcmp(refused[i].name, "--image-out") == 0 ? SCH_MPI_UNSUPPORTED : SCH_MPI_USAGE,
                                "grid takes no %s: %s", refused[i].name, refused[i].why);
    if (sch_mpi_has_option(options->words, options->count, "--unordered")) return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_USAGE, "grid needs --unordered: parts do not see what others write, so that no work "
                                       "group may read what another one writes");
}

static enum sch_mpi_exit read_groups(struct grid *grid, const struct sch_mpi_options *options)
{
    size_t at = 0;
    const char *text = sch_mpi_option_value(options->words, options->count, "--grid", &at);
    if (!text) return sch_mpi_fail(SCH_MPI_USAGE, "grid: how large? --grid X[,Y[,Z]]");
    grid->groups = 1;
    for (unsigned d = 0; d < 3 && text; d++) {
        char digits[16] = "";
        uint64_t side;
        const size_t bytes = strcspn(text, ",");
        if (bytes < sizeof digits) memcpy(digits, text, bytes);
        const bool good = sch_mpi_number(digits, 1, UINT32_MAX, &side) && (d < 2 || !text[bytes]);
        if (!good || __builtin_mul_overflow(grid->groups, side, &grid->groups) || grid->groups > UINT64_MAX / 2)
            return sch_mpi_fail(SCH_MPI_USAGE,
                                "--grid is X[,Y[,Z]] with numbers from 1, which are not too many work groups");
        text = text[bytes] ? text + bytes + 1 : NULL;
    }
    return SCH_MPI_YES;
}

/* What memory begins with: the last word of the option for this slot. NULL: nothing says it. */
static const char *find_initial(const struct sch_mpi_options *options, const char *option, const char *slot)
{
    const char *found = NULL;
    const size_t bytes = strlen(slot);
    size_t at = 0;
    for (const char *value; (value = sch_mpi_option_value(options->words, options->count, option, &at)) != NULL;) {
        if (!bytes)
            found = value;
        else if (strncmp(value, slot, bytes) == 0 && value[bytes] == '=')
            found = value + bytes + 1;
    }
    return found;
}

static enum sch_mpi_exit add_memory(struct grid *grid, const struct sch_mpi_options *options, size_t kind,
                                    const char *value)
{
    const char *equals = kinds[kind].slots ? strchr(value, '=') : NULL;
    char why[256];
    if (kinds[kind].slots && (!equals || !equals[1]))
        return sch_mpi_fail(SCH_MPI_USAGE, "%s is N=FILE, not %s", kinds[kind].output, value);
    if (grid->memory_count == SCH_MPI_MEMORIES)
        return sch_mpi_fail(SCH_MPI_USAGE, "%d outputs at most", SCH_MPI_MEMORIES);
    struct memory *memory = &grid->memories[grid->memory_count];
    memory->file.file = -1;
    memory->slot = equals ? strndup(value, (size_t)(equals - value)) : strdup("");
    if (!memory->slot) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    grid->memory_count++;
    memory->output = equals ? equals + 1 : value;
    memory->is = (struct sch_mpi_memory){.option = kinds[kind].output,
                                         .slot = memory->slot,
                                         .initial = find_initial(options, kinds[kind].input, memory->slot)};
    if (!memory->is.initial)
        return sch_mpi_fail(SCH_MPI_USAGE, "%s %s: there is no %s for it", kinds[kind].output, value,
                            kinds[kind].input);
    if (!sch_mpi_initial(memory->is.initial, &memory->contents, why)) return sch_mpi_fail(SCH_MPI_IO, "%s", why);
    memory->changed = calloc(memory->contents.size / WORD_BYTES / 8 + 1, 1);
    if (!memory->changed) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    return sch_mpi_file_begin(memory->output, &memory->file);
}

static enum sch_mpi_exit read_memories(struct grid *grid, const struct sch_mpi_options *options)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        size_t at = 0;
        const char *value = "";
        while (exit_code == SCH_MPI_YES &&
               (value = sch_mpi_option_value(options->words, options->count, kinds[kind].output, &at)) != NULL)
            exit_code = add_memory(grid, options, kind, value);
    }
    if (exit_code == SCH_MPI_YES && !grid->memory_count)
        return sch_mpi_fail(SCH_MPI_USAGE, "grid: where do results go? --buffer-out N=FILE, --hwatomic-out N=FILE, "
                                           "--global-out FILE");
    return exit_code;
}

/* scheelite run SHADER and its options, without the outputs, which each part writes elsewhere. */
static bool take_words(struct grid *grid, const struct sch_mpi_options *options)
{
    grid->words = calloc(options->count + 8, sizeof *grid->words);
    if (!grid->words) return false;
    grid->words[grid->count++] = options->program;
    grid->words[grid->count++] = (char *)(uintptr_t) "run";
    for (size_t i = 0; i < options->count; i++) {
        bool output = false;
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && !output; kind++) {
            const size_t bytes = strlen(kinds[kind].output);
            if (strncmp(options->words[i], kinds[kind].output, bytes) != 0) continue;
            output = !options->words[i][bytes] || options->words[i][bytes] == '=';
            if (output && !options->words[i][bytes]) i++;
        }
        if (!output) grid->words[grid->count++] = options->words[i];
    }
    return true;
}

/* ---- parts ---- */

static uint64_t part_begin(const struct grid *grid, size_t part)
{
    const uint64_t each = grid->groups / grid->task.count, rest = grid->groups % grid->task.count;
    return each * part + (part < rest ? part : rest);
}

/* Hands the part out, or finds it; false: out of memory. */
static bool ask(struct grid *grid, size_t part, struct sch_mpi_bytes *bytes)
{
    char groups[64];
    const struct sch_mpi_options *options = grid->task.options;
    const uint64_t first = part_begin(grid, part);
    size_t count = grid->count;
    bool failed;
    snprintf(groups, sizeof groups, "%llu,%llu", (unsigned long long)first,
             (unsigned long long)(part_begin(grid, part + 1) - first));
    grid->words[count++] = (char *)(uintptr_t) "--groups";
    grid->words[count++] = groups;
    if (sch_mpi_task_find(&grid->task, part, grid->words + 1, count - 1, &failed)) return true;
    struct sch_mpi_work work = {.number = part,
                                .kind = SCH_MPI_PART,
                                .timeout_ms = options->timeout_ms,
                                .output_limit = options->output_limit,
                                .words = grid->words,
                                .count = count,
                                .memory_count = grid->memory_count};
    for (size_t m = 0; m < grid->memory_count; m++) work.memories[m] = grid->memories[m].is;
    if (!failed) sch_mpi_pack_work(&work, bytes);
    return !failed && !bytes->failed;
}

static bool next(void *user, struct sch_mpi_bytes *work)
{
    struct grid *grid = user;
    struct sch_mpi_task *task = &grid->task;
    for (size_t i = 0; i < task->next; i++)
        if (task->results[i].done && sch_mpi_record_exit(&task->results[i].record)) return false;
    while (task->next < task->count && grid->exit_code == SCH_MPI_YES) {
        const size_t part = task->next++;
        if (!ask(grid, part, work)) grid->exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
        if (grid->exit_code == SCH_MPI_YES && !task->results[part].done) return true;
    }
    return false;
}

static enum sch_mpi_exit take(void *user, const struct sch_mpi_answer *answer)
{
    struct grid *grid = user;
    return sch_mpi_task_keep(&grid->task, answer);
}

/* ---- putting together ---- */

static enum sch_mpi_exit change(struct memory *memory, uint64_t at, const char *data, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += WORD_BYTES) {
        const size_t word = (size_t)(at + done) / WORD_BYTES;
        const size_t count = bytes - done < WORD_BYTES ? bytes - done : WORD_BYTES;
        char *to = memory->contents.data + at + done;
        if (memory->changed[word / 8] >> word % 8 & 1 && memcmp(to, data + done, count) != 0)
            return sch_mpi_fail(SCH_MPI_NO,
                                "%s %s%s%s: two parts write word %zu and differ: this grid does not run in parts",
                                memory->is.option, memory->slot, *memory->slot ? "=" : "", memory->output, word);
        memory->changed[word / 8] |= (uint8_t)(1 << word % 8);
        memcpy(to, data + done, count);
    }
    return SCH_MPI_YES;
}

static enum sch_mpi_exit apply(struct grid *grid, const struct sch_mpi_bytes *changes)
{
    struct sch_mpi_reader reader = {.at = changes->data, .end = changes->data + changes->size};
    while (reader.at < reader.end) {
        const uint64_t number = sch_mpi_take_number(&reader), at = sch_mpi_take_number(&reader),
                       bytes = sch_mpi_take_number(&reader);
        const char *data = sch_mpi_take(&reader, (size_t)bytes);
        const struct sch_mpi_bytes *contents = number < grid->memory_count ? &grid->memories[number].contents : NULL;
        if (!data || !contents || at % WORD_BYTES || at > contents->size || bytes > contents->size - at)
            return sch_mpi_fail(SCH_MPI_INTERNAL, "the journal has changes of other memory");
        const enum sch_mpi_exit exit_code = change(&grid->memories[number], at, data, (size_t)bytes);
        if (exit_code != SCH_MPI_YES) return exit_code;
    }
    return SCH_MPI_YES;
}

static enum sch_mpi_exit put_together(struct grid *grid)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    for (size_t i = 0; i < grid->task.count && exit_code == SCH_MPI_YES; i++) {
        const struct sch_mpi_record *record = &grid->task.results[i].record;
        struct sch_mpi_bytes changes = {.data = malloc((size_t)record->out_bytes + 1),
                                        .size = (size_t)record->out_bytes};
        if (!changes.data || !sch_mpi_journal_read(&grid->task.journal, record, 0, changes.data, changes.size))
            exit_code = sch_mpi_fail(SCH_MPI_IO, "the journal cannot be read");
        if (exit_code == SCH_MPI_YES) exit_code = apply(grid, &changes);
        sch_mpi_bytes_release(&changes);
    }
    for (size_t m = 0; m < grid->memory_count && exit_code == SCH_MPI_YES; m++) {
        struct memory *memory = &grid->memories[m];
        exit_code = sch_mpi_file_put(&memory->file, memory->contents.data, memory->contents.size);
        if (exit_code == SCH_MPI_YES) exit_code = sch_mpi_file_end(&memory->file);
    }
    return exit_code;
}

/* What parts have said: of the first one, and of those that failed. */
static enum sch_mpi_exit tell(const struct grid *grid, bool *all)
{
    char end[64];
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    *all = true;
    for (size_t i = 0; i < grid->task.count && exit_code == SCH_MPI_YES; i++) {
        const struct sch_mpi_result *result = &grid->task.results[i];
        const bool failed = result->done && sch_mpi_record_exit(&result->record);
        if (!result->done || failed) *all = false;
        if (result->done && (!i || failed)) exit_code = sch_mpi_task_print(&grid->task, &result->record, true);
        if (!failed) continue;
        sch_mpi_describe_end(&result->record, end);
        sch_mpi_fail(SCH_MPI_NO, "%s: %s", result->name, end);
        return exit_code;
    }
    return exit_code;
}

static enum sch_mpi_exit farm(struct grid *grid, bool *farmed)
{
    const struct sch_mpi_source source = {.user = grid, .next = next, .take = take};
    bool all;
    for (size_t i = 0; i < grid->task.count; i++) {
        char name[64];
        snprintf(name, sizeof name, "work groups %llu to %llu", (unsigned long long)part_begin(grid, i),
                 (unsigned long long)part_begin(grid, i + 1) - 1);
        grid->task.results[i].name = strdup(name);
        if (!grid->task.results[i].name) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    }
    *farmed = true;
    enum sch_mpi_exit exit_code = sch_mpi_worse(sch_mpi_farm(&source), grid->exit_code);
    exit_code = sch_mpi_worse(exit_code, tell(grid, &all));
    if (exit_code == SCH_MPI_YES && all) exit_code = put_together(grid);
    return sch_mpi_task_report(&grid->task, false, exit_code);
}

static enum sch_mpi_exit begin(struct grid *grid, const struct sch_mpi_options *options)
{
    enum sch_mpi_exit exit_code = refuse_options(options);
    if (exit_code == SCH_MPI_YES) exit_code = read_groups(grid, options);
    if (exit_code == SCH_MPI_YES) exit_code = read_memories(grid, options);
    if (exit_code != SCH_MPI_YES) return exit_code;
    if (!take_words(grid, options)) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    uint64_t parts = options->parts ? options->parts : DEFAULT_PARTS;
    if (parts > grid->groups) parts = grid->groups;
    char *folder = sch_mpi_folder_of(grid->memories[0].output);
    exit_code = folder ? sch_mpi_task_open(&grid->task, options, (size_t)parts, folder)
                       : sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    free(folder);
    return exit_code;
}

enum sch_mpi_exit sch_mpi_run_grid(const struct sch_mpi_options *options)
{
    struct grid grid = {.task = {.journal = {.file = -1}}};
    bool farmed = false;
    enum sch_mpi_exit exit_code = begin(&grid, options);
    if (exit_code == SCH_MPI_YES) exit_code = farm(&grid, &farmed);
    if (!farmed) sch_mpi_farm(NULL);
    sch_mpi_task_close(&grid.task);
    for (size_t m = 0; m < grid.memory_count; m++) {
        sch_mpi_file_release(&grid.memories[m].file);
        sch_mpi_bytes_release(&grid.memories[m].contents);
        free(grid.memories[m].changed);
        free(grid.memories[m].slot);
    }
    free(grid.words);
    return exit_code;
}
