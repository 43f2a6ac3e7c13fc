/* See saved.h. */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

static bool visit_images(const struct sch_cli_setup *setup, sch_cli_visit_written *visit, void *user)
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

bool sch_cli_visit_all_written(const struct sch_cli_setup *setup, sch_cli_visit_written *visit, void *user)
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

static bool add_bytes(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    (void)kind, (void)number, (void)data;
    *(size_t *)user += bytes;
    return true;
}

static bool save(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    uint8_t **at = user;
    (void)kind, (void)number;
    memcpy(*at, data, bytes);
    *at += bytes;
    return true;
}

static bool put_back(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    uint8_t **at = user;
    (void)kind, (void)number;
    memcpy(data, *at, bytes);
    *at += bytes;
    return true;
}

bool sch_cli_saved_take(const struct sch_cli_setup *setup, struct sch_cli_saved *saved)
{
    if (!saved->data) {
        saved->bytes = 0;
        if (!sch_cli_visit_all_written(setup, add_bytes, &saved->bytes)) return false;
        saved->data = malloc(saved->bytes + 1);
        if (!saved->data) return false;
    }
    uint8_t *at = saved->data;
    return sch_cli_visit_all_written(setup, save, &at);
}

bool sch_cli_saved_put_back(const struct sch_cli_setup *setup, const struct sch_cli_saved *saved)
{
    uint8_t *at = saved->data;
    return sch_cli_visit_all_written(setup, put_back, &at);
}

void sch_cli_saved_release(struct sch_cli_saved *saved)
{
    free(saved->data);
    *saved = (struct sch_cli_saved){0};
}
