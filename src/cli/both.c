/* Comparing the two engines. Both begin with the same memory, which is saved and put back between the runs. */
#include "both.h"

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

struct comparison {
    const struct sch_cli_both *both;
    const uint8_t *at;
    enum sch_cli_exit exit;
};

static bool compare(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    struct comparison *comparison = user;
    const uint8_t *expected = comparison->at, *got = data;
    comparison->at += bytes;
    if (memcmp(expected, got, bytes) == 0 || comparison->exit != SCH_CLI_YES) return true;
    size_t byte = 0;
    while (expected[byte] == got[byte]) byte++;
    byte &= ~(size_t)3;
    uint32_t words[2] = {0};
    size_t some = bytes - byte < 4 ? bytes - byte : 4;
    memcpy(&words[0], expected + byte, some);
    memcpy(&words[1], got + byte, some);
    char what[64];
    snprintf(what, sizeof what, "%s[%u], byte %zu", kind, number, byte);
    comparison->exit = sch_cli_both_differ(comparison->both, "memory", what, words[0], words[1]);
    return true;
}

enum sch_cli_exit sch_cli_both_create(struct sch_cli_both *both, const struct sch_cli_setup *setup,
                                      const struct sch_cli_shader *shader)
{
    *both = (struct sch_cli_both){.setup = setup, .shader = shader};
    if (!setup->both) return SCH_CLI_YES;
    struct sch_program_options options = setup->program;
    options.engine = SCH_ENGINE_JIT;
    return sch_cli_program_create(&options, shader, &both->jit);
}

void sch_cli_both_release(struct sch_cli_both *both)
{
    sch_program_destroy(both->jit);
    free(both->before);
    free(both->after);
    *both = (struct sch_cli_both){0};
}

enum sch_cli_exit sch_cli_both_begin(struct sch_cli_both *both)
{
    size_t bytes = 0;
    if (!both->jit) return SCH_CLI_YES;
    if (!both->before) {
        if (!visit_all(both->setup, add_bytes, &bytes)) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
        both->before = malloc(bytes + 1);
        both->after = malloc(bytes + 1);
        if (!both->before || !both->after) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    }
    uint8_t *at = both->before;
    return visit_all(both->setup, save, &at) ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
}

enum sch_cli_exit sch_cli_both_restore(struct sch_cli_both *both)
{
    uint8_t *before = both->before;
    return visit_all(both->setup, put_back, &before) ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
}

enum sch_cli_exit sch_cli_both_again(struct sch_cli_both *both)
{
    if (!both->jit) return SCH_CLI_YES;
    uint8_t *after = both->after;
    if (!visit_all(both->setup, save, &after)) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    return sch_cli_both_restore(both);
}

enum sch_cli_exit sch_cli_both_end(struct sch_cli_both *both)
{
    if (!both->jit) return SCH_CLI_YES;
    struct comparison comparison = {.both = both, .at = both->after};
    if (!visit_all(both->setup, compare, &comparison)) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    return comparison.exit;
}

enum sch_cli_exit sch_cli_both_differ(const struct sch_cli_both *both, const char *who, const char *what,
                                      uint32_t interpreter, uint32_t jit)
{
    return sch_cli_fail(SCH_CLI_NO, "%s: %s: %s is 0x%08x by the interpreter, 0x%08x as machine code",
                        both->shader->input.name, who, what, interpreter, jit);
}
