/* The machine that instructions run on: its pools of headers and samplers, each read once. Executes nothing. */
#include "maxwell/run/machine.h"

#include <string.h>

#include "base/limits.h"
#include "isa/errors.h"

enum { HEADER_INDEX_BITS = 20 };

enum sch_result sch_maxwell_machine_create(const struct sch_maxwell_machine_options *options,
                                           const struct sch_allocator *allocator, struct sch_maxwell_machine **machine)
{
    *machine = NULL;
    const struct sch_ops *ops = sch_ops_for_width(options->lanes);
    if (!ops) return SCH_ERROR_ARGUMENT;
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, 0);
    struct sch_maxwell_machine *made = SCH_ARENA_NEW(&arena, struct sch_maxwell_machine);
    if (!made) {
        sch_arena_release(&arena);
        return SCH_ERROR_MEMORY;
    }
    made->options = *options;
    if (!made->options.memory_limit) made->options.memory_limit = SCH_LIMITS_DEFAULT.memory;
    made->arena = arena;
    made->ops = ops;
    *machine = made;
    return SCH_OK;
}

enum sch_result sch_maxwell_machine_share(struct sch_maxwell_sharing *sharing, const struct sch_allocator *allocator,
                                          struct sch_maxwell_machine **machine)
{
    const enum sch_result status = sch_maxwell_machine_create(&sharing->owner->options, allocator, machine);
    if (status == SCH_OK) (*machine)->sharing = sharing;
    return status;
}

void sch_maxwell_machine_destroy(struct sch_maxwell_machine *machine)
{
    if (!machine) return;
    struct sch_arena arena = machine->arena; /* which the machine lies in */
    for (unsigned p = 0; p < SCH_MAXWELL_INDICES / SCH_MAXWELL_PAGE; p++) {
        struct sch_maxwell_page *page = machine->textures.pages[p];
        for (unsigned i = 0; page && i < SCH_MAXWELL_PAGE; i++)
            sch_maxwell_texture_destroy(page->read[i], &arena.allocator);
    }
    sch_arena_release(&arena);
}

/* ---- the caches ---- */

/* NULL: no memory. */
static struct sch_maxwell_page *page_of(struct sch_maxwell_machine *machine, struct sch_maxwell_cache *cache,
                                        uint32_t index)
{
    struct sch_maxwell_page **page = &cache->pages[index / SCH_MAXWELL_PAGE];
    if (!*page) *page = SCH_ARENA_NEW(&machine->arena, struct sch_maxwell_page);
    return *page;
}

static enum sch_result bind(struct sch_maxwell_machine *machine, struct sch_maxwell_cache *cache, uint32_t index,
                            const void *entry)
{
    if (index >= SCH_MAXWELL_INDICES) return SCH_ERROR_ARGUMENT;
    struct sch_maxwell_page *page = page_of(machine, cache, index);
    if (!page) return SCH_ERROR_MEMORY;
    page->bound[index % SCH_MAXWELL_PAGE] = entry;
    return SCH_OK;
}

enum sch_result sch_maxwell_bind_texture(struct sch_maxwell_machine *machine, uint32_t index,
                                         const struct sch_maxwell_texture *texture)
{
    return bind(machine, &machine->textures, index, texture);
}

enum sch_result sch_maxwell_bind_sampler(struct sch_maxwell_machine *machine, uint32_t index,
                                         const struct sch_maxwell_sampler *sampler)
{
    return bind(machine, &machine->samplers, index, sampler);
}

static void read_entry(const void *pool, uint32_t index, uint32_t words[SCH_MAXWELL_HEADER_WORDS])
{
    const uint8_t *from = (const uint8_t *)pool + (size_t)index * SCH_MAXWELL_HEADER_BYTES;
    for (unsigned i = 0; i < SCH_MAXWELL_HEADER_WORDS; i++, from += 4)
        words[i] = from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static size_t bytes_of(const struct sch_texture *texture)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct sch_texture_level *level = &texture->level[i];
        bytes += level->slice_bytes * level->depth * texture->layers * texture->samples;
    }
    return bytes;
}

static enum sch_result read_texture(struct sch_maxwell_machine *machine, uint32_t index, struct sch_position position,
                                    struct sch_diagnostics *diagnostics, void **read)
{
    const struct sch_maxwell_machine_options *options = &machine->options;
    if (machine->texel_bytes >= options->memory_limit) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_MEMORY, position,
                            "texture %u: the textures' %zu bytes are all in use", index, options->memory_limit);
        return SCH_ERROR_LIMIT;
    }
    uint32_t words[SCH_MAXWELL_HEADER_WORDS];
    struct sch_maxwell_texture *texture;
    read_entry(options->headers, index, words);
    enum sch_result status =
        sch_maxwell_texture_create(words, &options->memory, &machine->arena.allocator,
                                   options->memory_limit - machine->texel_bytes, diagnostics, &texture);
    if (status != SCH_OK) return status;
    machine->texel_bytes += bytes_of(&texture->texture);
    *read = texture;
    return SCH_OK;
}

static enum sch_result read_sampler(struct sch_maxwell_machine *machine, uint32_t index,
                                    struct sch_diagnostics *diagnostics, void **read)
{
    uint32_t words[SCH_MAXWELL_HEADER_WORDS];
    struct sch_maxwell_sampler sampler, *kept;
    read_entry(machine->options.samplers, index, words);
    enum sch_result status = sch_maxwell_sampler_read(words, diagnostics, &sampler);
    if (status != SCH_OK) return status;
    kept = SCH_ARENA_NEW(&machine->arena, struct sch_maxwell_sampler);
    if (!kept) return SCH_ERROR_MEMORY;
    *kept = sampler;
    *read = kept;
    return SCH_OK;
}

/* ---- handles ---- */

uint32_t sch_maxwell_header_of(uint32_t handle) { return handle & (SCH_MAXWELL_INDICES - 1); }

uint32_t sch_maxwell_sampler_of(const struct sch_maxwell_machine *machine, uint32_t handle)
{
    return machine->options.via_header_binding ? sch_maxwell_header_of(handle) : handle >> HEADER_INDEX_BITS;
}

static bool has_header(const struct sch_maxwell_machine *machine, uint32_t handle)
{
    return !machine->options.no_headers && sch_maxwell_header_of(handle) <= machine->options.maximum_header;
}

bool sch_maxwell_is_valid(const struct sch_maxwell_machine *machine, uint32_t handle)
{
    const struct sch_maxwell_machine_options *options = &machine->options;
    return has_header(machine, handle) && !options->no_samplers &&
           sch_maxwell_sampler_of(machine, handle) <= options->maximum_sampler;
}

/* What the pool or the caller has at an index. */
static enum sch_result find_texture(struct sch_maxwell_machine *machine, uint32_t index, struct sch_position position,
                                    struct sch_diagnostics *diagnostics, const struct sch_maxwell_texture **texture)
{
    struct sch_maxwell_page *page = page_of(machine, &machine->textures, index);
    if (!page) return SCH_ERROR_MEMORY;
    unsigned at = index % SCH_MAXWELL_PAGE;
    enum sch_result status = SCH_OK;
    if (!page->bound[at] && !page->read[at] && machine->options.headers)
        status = read_texture(machine, index, position, diagnostics, &page->read[at]);
    *texture = page->bound[at] ? page->bound[at] : page->read[at];
    return status;
}

static enum sch_result find_sampler(struct sch_maxwell_machine *machine, uint32_t index,
                                    struct sch_diagnostics *diagnostics, const struct sch_maxwell_sampler **sampler)
{
    struct sch_maxwell_page *page = page_of(machine, &machine->samplers, index);
    if (!page) return SCH_ERROR_MEMORY;
    unsigned at = index % SCH_MAXWELL_PAGE;
    enum sch_result status = SCH_OK;
    if (!page->bound[at] && !page->read[at] && machine->options.samplers)
        status = read_sampler(machine, index, diagnostics, &page->read[at]);
    *sampler = page->bound[at] ? page->bound[at] : page->read[at];
    return status;
}

static enum sch_result find(struct sch_maxwell_machine *machine, uint32_t handle, bool needs_sampler,
                            struct sch_position position, struct sch_diagnostics *diagnostics,
                            struct sch_maxwell_bound *bound)
{
    *bound = (struct sch_maxwell_bound){.texture = NULL};
    if (needs_sampler ? !sch_maxwell_is_valid(machine, handle) : !has_header(machine, handle)) return SCH_OK;
    enum sch_result status = SCH_OK;
    if (needs_sampler)
        status = find_sampler(machine, sch_maxwell_sampler_of(machine, handle), diagnostics, &bound->sampler);
    if (status != SCH_OK || (needs_sampler && !bound->sampler)) return status;
    return find_texture(machine, sch_maxwell_header_of(handle), position, diagnostics, &bound->texture);
}

enum sch_result sch_maxwell_find(struct sch_maxwell_machine *machine, uint32_t handle, bool needs_sampler,
                                 struct sch_position position, struct sch_diagnostics *diagnostics,
                                 struct sch_maxwell_bound *bound)
{
    struct sch_maxwell_sharing *sharing = machine->sharing;
    if (!sharing) return find(machine, handle, needs_sampler, position, diagnostics, bound);
    pthread_mutex_lock(&sharing->lock);
    const enum sch_result status = find(sharing->owner, handle, needs_sampler, position, diagnostics, bound);
    pthread_mutex_unlock(&sharing->lock);
    return status;
}
