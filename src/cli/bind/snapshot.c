/* See snapshot.h. */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

/* Calls `visit` with each piece of memory that shaders may write. Images are copied through `room`. */
typedef bool visit_fn(void *user, const char *kind, unsigned number, void *data, size_t bytes);

static bool visit_images(const struct sch_cli_setup *setup, visit_fn *visit, void *user)
{
    for (unsigned i = 0; i < setup->images; i++) {
        struct sch_resource *resource = setup->image[i].resource;
        size_t bytes = resource ? sch_resource_bytes(resource) : 0;
        if (!bytes) continue;
        void *texels = malloc(bytes);
        bool good = texels && sch_resource_read_all(resource, texels, bytes) == SCH_OK &&
                    visit(user, "IMAGE", sch_cli_unit(setup, SCH_CLI_IMAGE_SLOTS, i), texels, bytes) &&
                    sch_resource_write_all(resource, texels, bytes) == SCH_OK;
        free(texels);
        if (!good) return false;
    }
    return true;
}

static bool visit_all(const struct sch_cli_setup *setup, visit_fn *visit, void *user)
{
    for (unsigned i = 0; i < setup->buffers; i++)
        if (setup->buffer[i].data && !visit(user, "BUFFER", sch_cli_unit(setup, SCH_CLI_BUFFER_SLOTS, i),
                                            setup->buffer[i].data, setup->buffer[i].bytes))
            return false;
    for (unsigned i = 0; i < SCH_CLI_BUFFERS + SCH_CLI_PLACED && setup->counters; i++)
        if (!visit(user, "HWATOMIC", sch_cli_unit(setup, SCH_CLI_BUFFER_SLOTS, i), &setup->counters[i],
                   sizeof setup->counters[i]))
            return false;
    for (unsigned i = 0; i < SCH_CLI_BUFFERS; i++) {
        const struct sch_cli_buffer *counters = &setup->memory.counters[i];
        if (counters->data && !visit(user, "HWATOMIC", i, counters->data, counters->bytes)) return false;
    }
    const struct sch_cli_buffer *global = &setup->memory.global;
    if (global->data && !visit(user, "GLOBAL", 0, global->data, global->bytes)) return false;
    return visit_images(setup, visit, user);
}

/* Bytes that go to a snapshot or come from it; without one they are counted. */
struct copying {
    uint8_t *at;
    size_t bytes;
    bool back;
};

static bool copy(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    struct copying *copying = user;
    (void)kind, (void)number;
    copying->bytes += bytes;
    if (!copying->at) return true;
    memcpy(copying->back ? data : copying->at, copying->back ? copying->at : data, bytes);
    copying->at += bytes;
    return true;
}

void sch_cli_snapshot_release(struct sch_cli_snapshot *snapshot)
{
    free(snapshot->data);
    *snapshot = (struct sch_cli_snapshot){0};
}

bool sch_cli_snapshot_take(const struct sch_cli_setup *setup, struct sch_cli_snapshot *snapshot)
{
    struct copying all = {.bytes = 0};
    if (!snapshot->data && visit_all(setup, copy, &all)) snapshot->data = malloc(all.bytes + 1);
    all.at = snapshot->data;
    return snapshot->data && visit_all(setup, copy, &all);
}

bool sch_cli_snapshot_restore(const struct sch_cli_setup *setup, const struct sch_cli_snapshot *snapshot)
{
    struct copying all = {.at = snapshot->data, .back = true};
    return visit_all(setup, copy, &all);
}

struct comparison {
    const uint8_t *at;
    sch_cli_change_fn *note;
    void *user;
};

static bool compare(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    struct comparison *comparison = user;
    const uint8_t *before = comparison->at, *after = data;
    comparison->at += bytes;
    if (memcmp(before, after, bytes) == 0) return true;
    for (size_t byte = 0; byte < bytes; byte += 4) {
        const size_t some = bytes - byte < 4 ? bytes - byte : 4;
        struct sch_cli_change change = {.kind = kind, .number = number, .byte = byte};
        memcpy(&change.before, before + byte, some);
        memcpy(&change.after, after + byte, some);
        if (change.before != change.after) comparison->note(comparison->user, &change);
    }
    return true;
}

bool sch_cli_snapshot_changes(const struct sch_cli_setup *setup, const struct sch_cli_snapshot *snapshot,
                              sch_cli_change_fn *note, void *user)
{
    struct comparison comparison = {snapshot->data, note, user};
    return visit_all(setup, compare, &comparison);
}

static void note_first(void *user, const struct sch_cli_change *change)
{
    struct sch_cli_memory_difference *difference = user;
    if (difference->differs) return;
    difference->differs = true;
    difference->before = change->before;
    difference->now = change->after;
    snprintf(difference->what, sizeof difference->what, "%s[%u], byte %zu", change->kind, (unsigned)change->number,
             change->byte);
}

bool sch_cli_snapshot_compare(const struct sch_cli_setup *setup, const struct sch_cli_snapshot *snapshot,
                              struct sch_cli_memory_difference *difference)
{
    *difference = (struct sch_cli_memory_difference){0};
    return sch_cli_snapshot_changes(setup, snapshot, note_first, difference);
}

bool sch_cli_memory_is_output(const struct sch_cli_setup *setup)
{
    bool any = setup->memory.global.output != NULL;
    for (unsigned i = 0; i < setup->buffers; i++) any |= setup->buffer[i].output != NULL;
    for (unsigned i = 0; i < SCH_CLI_BUFFERS; i++) any |= setup->memory.counters[i].output != NULL;
    for (unsigned i = 0; i < setup->images; i++) any |= setup->image[i].output != NULL;
    return any;
}
