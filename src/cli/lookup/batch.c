/* scheelite sample --batch: the options of one lookup on each line, a result or ? for each. Lookups of one view and
 * sampler run together; whoever waits for results gets them before more lines are awaited. */
#include "common/lines.h"
#include "common/progress.h"
#include "lookups.h"
#include "sample_output.h"

#include <stdlib.h>
#include <string.h>

enum { PENDING = 4096, REPORTS = 100 };

/* By what requests are put together: view and sampler, width, then what those that run side by side have in common,
 * then their order. All of its bytes are compared. */
struct key {
    uint32_t binding, width, lookup, component, compare;
    int32_t offset[3];
    uint32_t order;
};

struct pending {
    struct sch_cli_lookup lookup;
    struct key key;
    uint32_t line;
    enum sch_cli_exit exit_code;
    struct sch_cli_complaint complaint; /* where `exit` is not YES */
};

struct batch {
    const struct sch_cli_lookup_options *defaults;
    struct sch_cli_lookups *lookups;
    struct sch_cli_sample_output *output;
    struct sch_cli_input name; /* for reports: no text */
    enum sch_cli_exit exit_code;
    uint32_t count;
    uint64_t reports;
    struct pending pending[PENDING];
    struct pending *sorted[PENDING];
    struct sch_lookup requests[PENDING];
    uint32_t results[PENDING][4], group[PENDING][4]; /* of all that are pending; of one group */
};

static void report(struct batch *batch, const struct pending *pending)
{
    batch->exit_code = sch_cli_worse(batch->exit_code, pending->exit_code);
    if (batch->reports++ >= REPORTS) return;
    struct sch_cli_location location = {&batch->name, pending->line, 0};
    sch_cli_report(&location, 0, "%s", pending->complaint.text);
}

static void refuse(struct pending *pending, enum sch_cli_exit exit_code, const char *text)
{
    pending->exit_code = exit_code;
    snprintf(pending->complaint.text, sizeof pending->complaint.text, "%s", text);
}

static struct key key_of(const struct sch_cli_lookup *lookup, uint32_t width, uint32_t order)
{
    const struct sch_lookup *request = &lookup->request;
    return (struct key){lookup->binding,
                        width,
                        request->operation,
                        request->component,
                        request->compare,
                        {request->offset[0], request->offset[1], request->offset[2]},
                        order};
}

static int compare_pending(const void *a, const void *b)
{
    const struct pending *x = *(struct pending *const *)a, *y = *(struct pending *const *)b;
    return memcmp(&x->key, &y->key, sizeof x->key);
}

static bool together(const struct pending *a, const struct pending *b)
{
    return memcmp(&a->key, &b->key, offsetof(struct key, lookup)) == 0;
}

/* Runs lookups of one view and sampler; where one of them is refused, each by itself. */
static void run_together(struct batch *batch, struct pending *const *group, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) batch->requests[i] = group[i]->lookup.request;
    const struct sch_cli_lookup *lookup = &group[0]->lookup;
    enum sch_result all =
        sch_lookup_run(lookup->view, lookup->sampler, batch->requests, count, group[0]->key.width, batch->group);
    for (uint32_t i = 0; i < count; i++) {
        enum sch_result one = all;
        if (all != SCH_OK)
            one = sch_lookup_run(lookup->view, lookup->sampler, &batch->requests[i], 1, group[i]->key.width,
                                 &batch->group[i]);
        if (one == SCH_OK) {
            memcpy(batch->results[group[i]->key.order], batch->group[i], sizeof batch->group[i]);
            continue;
        }
        refuse(group[i], sch_cli_lookup_exit(one), sch_cli_lookup_problem(one));
    }
}

/* Runs all lookups that wait. Results and reports are in the order of lines. */
static void flush(void *user)
{
    struct batch *batch = user;
    uint32_t good = 0;
    for (uint32_t i = 0; i < batch->count; i++)
        if (batch->pending[i].exit_code == SCH_CLI_YES) batch->sorted[good++] = &batch->pending[i];
    qsort(batch->sorted, good, sizeof *batch->sorted, compare_pending);
    for (uint32_t begin = 0, end; begin < good; begin = end) {
        end = begin + 1;
        while (end < good && together(batch->sorted[begin], batch->sorted[end])) end++;
        run_together(batch, batch->sorted + begin, end - begin);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->pending[i].exit_code == SCH_CLI_YES) {
            sch_cli_sample_result(batch->output, &batch->pending[i].lookup, batch->results[i], batch->pending[i].line,
                                  NULL);
            continue;
        }
        sch_cli_sample_refused(batch->output, batch->pending[i].complaint.text, batch->pending[i].line);
        report(batch, &batch->pending[i]);
    }
    batch->count = 0;
}

/* The next word of a line, ended with a zero byte; "quotes" of either kind hold blanks. NULL: none. */
static char *next_word(char **at)
{
    char *text = *at + strspn(*at, " \t\r");
    if (*text == 0) return NULL;
    char *word = text, *to = text, quote = 0;
    for (; *text && (quote || (*text != ' ' && *text != '\t' && *text != '\r')); text++)
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? 0 : *text;
        else
            *to++ = *text;
    *at = *text ? text + 1 : text;
    *to = 0;
    return word;
}

/* Reads the options of a line over the defaults. */
static bool read_batch_line(char *text, struct sch_cli_lookup_options *options, struct sch_cli_complaint *complaint)
{
    char *word = next_word(&text);
    while (word) {
        char *value = next_word(&text);
        bool used;
        switch (sch_cli_lookup_option(options, word, value, &used, complaint)) {
        case SCH_CLI_TAKEN:
            break;
        case SCH_CLI_WRONG:
            return false;
        case SCH_CLI_NO_OPTION:
            return sch_cli_complain(complaint, "there is no option %.100s", word);
        }
        word = used ? next_word(&text) : value;
    }
    return true;
}

static void take_line(void *user, char *text, size_t bytes, uint32_t line)
{
    struct batch *batch = user;
    (void)bytes;
    text += strspn(text, " \t\r");
    if (*text == 0 || *text == '#') return;
    if (sch_cli_lookups_full(batch->lookups)) {
        flush(batch);
        sch_cli_lookups_clear(batch->lookups);
    }
    struct sch_cli_lookup_options options;
    memcpy(&options, batch->defaults, sizeof options); /* with all bytes: states are compared by them */
    sch_cli_lookup_for_all(&options);
    struct pending *pending = &batch->pending[batch->count];
    struct sch_cli_complaint *complaint = &pending->complaint;
    pending->line = line;
    pending->exit_code = SCH_CLI_USAGE;
    if (read_batch_line(text, &options, complaint))
        pending->exit_code = sch_cli_lookups_make(batch->lookups, &options, &pending->lookup, complaint);
    pending->key = key_of(&pending->lookup, options.width, batch->count);
    if (pending->exit_code != SCH_CLI_YES && !*complaint->text)
        refuse(pending, pending->exit_code, "the texture cannot be used");
    if (++batch->count == PENDING) flush(batch);
}

enum sch_cli_exit sch_cli_result_lines(const char *path, const struct sch_cli_lookup_options *defaults,
                                       struct sch_cli_sample_output *output)
{
    struct batch *batch = calloc(1, sizeof *batch);
    enum sch_cli_exit exit_code = batch ? sch_cli_lookups_create(&batch->lookups) : sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES) {
        batch->defaults = defaults;
        batch->output = output;
        batch->name.name = strcmp(path, "-") == 0 ? "<stdin>" : path;
        sch_cli_progress_begin(&sch_cli_sample, true);
        sch_cli_sample_begin(output);
        exit_code = sch_cli_each_line(path, take_line, flush, batch);
        flush(batch);
        sch_cli_sample_end(output, exit_code == SCH_CLI_YES && batch->exit_code == SCH_CLI_YES);
        if (batch->reports > REPORTS)
            fprintf(stderr, "scheelite: %llu more lines are wrong\n", (unsigned long long)(batch->reports - REPORTS));
        exit_code = sch_cli_worse(exit_code, batch->exit_code);
    }
    if (batch) sch_cli_lookups_destroy(batch->lookups);
    free(batch);
    return exit_code;
}
