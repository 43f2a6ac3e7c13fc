/* A client, and its command stream, cut into commands by the rows of commands.def. */
#include "virgl.h"

#include <string.h>

#include "client.h"
#include "protocol.h"
#include "record.h"

/* ---- a client ---- */

enum sch_result sch_virgl_create(const struct sch_virgl_options *options, struct sch_virgl **made)
{
    struct sch_context_memory memory = {.size = sizeof memory};
    sch_context_get_memory(options->context, &memory);
    struct sch_virgl *virgl = memory.memory.alloc(memory.memory.user, sizeof *virgl);
    if (!virgl) return SCH_ERROR_MEMORY;
    *virgl = (struct sch_virgl){.options = *options, .memory = memory.memory};
    virgl->losses = options->losses ? options->losses : &virgl->own_losses;
    sch_virgl_map_init(&virgl->resources);
    sch_virgl_map_init(&virgl->subs);
    virgl->sub = sch_virgl_sub_create(virgl, 0);
    if (!virgl->sub) {
        sch_virgl_destroy(virgl);
        return SCH_ERROR_MEMORY;
    }
    *made = virgl;
    return SCH_OK;
}

void sch_virgl_destroy(struct sch_virgl *virgl)
{
    uint32_t at = 0;
    if (!virgl) return;
    virgl->options.log.write = NULL;
    for (void *sub; (sub = sch_virgl_map_next(&virgl->subs, &at));) sch_virgl_sub_destroy(virgl, sub);
    at = 0;
    for (void *resource; (resource = sch_virgl_map_next(&virgl->resources, &at));)
        sch_virgl_resource_drop(virgl, resource);
    sch_virgl_map_release(&virgl->subs, &virgl->memory);
    sch_virgl_map_release(&virgl->resources, &virgl->memory);
    sch_diagnostics_destroy(virgl->diagnostics);
    virgl->memory.free(virgl->memory.user, virgl);
}

void sch_virgl_explain(struct sch_virgl *virgl, const struct sch_virgl_log *log) { virgl->explained = *log; }

void sch_virgl_set_frame_callbacks(struct sch_virgl *virgl, const struct sch_virgl_frame_callbacks *frame_callbacks)
{
    virgl->frame_callbacks = *frame_callbacks;
}

void sch_virgl_set_draw_callbacks(struct sch_virgl *virgl, const struct sch_virgl_draw_callbacks *draw_callbacks)
{
    virgl->draw_callbacks = *draw_callbacks;
}

void sch_virgl_collect(struct sch_virgl *virgl, const struct sch_virgl_collector *collector)
{
    virgl->collector = *collector;
}

struct sch_virgl_counts sch_virgl_get_counts(const struct sch_virgl *virgl) { return virgl->counts; }

struct sch_virgl_losses sch_virgl_get_losses(const struct sch_virgl *virgl) { return *virgl->losses; }

/* ---- the stream ---- */

bool sch_virgl_ignore(struct sch_virgl *virgl, const struct command *command)
{
    (void)virgl;
    (void)command;
    return true;
}

static const struct row {
    const char *name; /* NULL: there is no such command */
    uint32_t least, most;
    enum { CHANGES, KEEPS } waits; /* what draws that wait use */
    bool (*execute)(struct sch_virgl *virgl, const struct command *command);
} rows[] = {
#define COMMAND(number, name, least, most, waits, function, words)                                                     \
    [number] = {#name, least, most, waits, sch_virgl_##function},
#include "commands.def"
#undef COMMAND
};

/* What is lost with a command of this number. */
static enum sch_virgl_loss loss_of(uint32_t number)
{
    switch (number) {
#define LOSS(name, one, several)
#define LOST_COMMAND(command, loss)                                                                                    \
    case SCH_VIRGL_##command:                                                                                          \
        return SCH_VIRGL_LOST_##loss;
#include "losses.def"
#undef LOSS
#undef LOST_COMMAND
    default:
        return SCH_VIRGL_LOST_COMMAND;
    }
}

static void count_refused(struct sch_virgl *virgl, uint32_t header)
{
    virgl->counts.refused++;
    virgl->losses->counts[loss_of(header & 0xff)]++;
}

static bool execute(struct sch_virgl *virgl, uint32_t header, const uint32_t *words)
{
    const uint32_t number = header & 0xff;
    const struct command command = {.words = words, .count = header >> 16, .kind = header >> 8 & 0xff};
    const struct row *row = number < sizeof rows / sizeof *rows ? &rows[number] : NULL;
    virgl->command = row && row->name ? row->name : "a command";
    sch_virgl_explain_command(virgl, header, words);
    if (!row || !row->name) return sch_virgl_refuse(virgl, "there is no command %u", number);
    if (command.count < row->least || command.count > row->most)
        return sch_virgl_refuse(virgl, "%u words, where it has %u to %u", command.count, row->least, row->most);
    if (!virgl->sub) return sch_virgl_refuse(virgl, "the sub-context is destroyed");
    if (row->waits == CHANGES) sch_virgl_finish(virgl);
    return row->execute(virgl, &command);
}

static bool is_wanted(const struct sch_virgl *virgl)
{
    return !virgl->options.cancel || !__atomic_load_n(virgl->options.cancel, __ATOMIC_RELAXED);
}

/* Commands from a word on are lost: of the last one the submit may have a part. */
static enum sch_result leave_out(struct sch_virgl *virgl, const uint32_t *words, size_t count, size_t at)
{
    sch_virgl_finish(virgl);
    virgl->command = NULL;
    sch_virgl_refuse(virgl, "submit %llu from word %zu on: no one waits for it any more",
                     (unsigned long long)virgl->counts.submits, at);
    for (; at < count; at += 1 + (words[at] >> 16)) {
        virgl->counts.commands++;
        count_refused(virgl, words[at]);
    }
    return SCH_ERROR_CANCELLED;
}

enum sch_result sch_virgl_submit(struct sch_virgl *virgl, const uint32_t *words, size_t count)
{
    sch_virgl_record_submit(virgl, words, count);
    virgl->counts.submits++;
    virgl->worst = SCH_OK;
    for (size_t at = 0; at < count; at += 1 + (words[at] >> 16)) {
        if (!is_wanted(virgl)) return leave_out(virgl, words, count, at);
        virgl->word = at;
        virgl->counts.commands++;
        if (words[at] >> 16 > count - at - 1) {
            virgl->command = NULL;
            count_refused(virgl, words[at]);
            sch_virgl_refuse(virgl, "command %u at word %zu of submit %llu: %u words, but %zu follow", words[at] & 0xff,
                             at, (unsigned long long)virgl->counts.submits, words[at] >> 16, count - at - 1);
            sch_virgl_finish(virgl);
            return SCH_ERROR_INVALID;
        }
        if (!execute(virgl, words[at], words + at + 1)) count_refused(virgl, words[at]);
    }
    sch_virgl_finish(virgl);
    virgl->command = NULL;
    return virgl->worst;
}
