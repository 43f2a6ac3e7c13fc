/* Fuzz target: Maxwell's texture headers and samplers, as text and as pools. A text that is accepted prints to one that
 * reads as the same bytes; any pool prints and reads back; a texture made of any header lies within its limits. */
#include <string.h>

#include "base/limits.h"
#include "fuzz.h"
#include "maxwell/header/header.h"
#include "maxwell/header/text.h"

enum { MEMORY_LIMIT = 1 << 16, MOST_ENTRIES = 8 }; /* small: each run is to be quick */

static const char *reads_as(const char *text, size_t bytes, const void *entries, uint32_t count, bool samplers)
{
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_maxwell_pools pools;
    const char *finding = NULL;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    if (sch_maxwell_headers_parse(&arena, &limits, text, bytes, NULL, &pools) != SCH_OK) {
        finding = "a printed text is refused";
    } else {
        const struct sch_maxwell_entries *read = samplers ? &pools.samplers : &pools.headers;
        if (read->count != count || (count && memcmp(read->bytes, entries, (size_t)count * SCH_MAXWELL_ENTRY_BYTES)))
            finding = "a printed text reads as other bytes";
    }
    sch_arena_release(&arena);
    return finding;
}

static const char *print_and_read(const void *entries, uint32_t count, bool samplers)
{
    char *text;
    size_t bytes;
    if (sch_maxwell_headers_print(&sch_allocator_libc, 0, entries, count, samplers, &text, &bytes) != SCH_OK)
        return "printing failed";
    const char *finding =
        strlen(text) == bytes ? reads_as(text, bytes, entries, count, samplers) : "the length of the print is wrong";
    free(text);
    return finding;
}

static const char *check_text(const uint8_t *data, size_t bytes)
{
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_maxwell_pools pools;
    sch_arena_init(&arena, &sch_allocator_libc, (size_t)64 << 20);
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    enum sch_result status = sch_maxwell_headers_parse(&arena, &limits, (const char *)data, bytes, &list, &pools);
    const char *finding = NULL;
    if ((status == SCH_OK) != !list.errors) finding = "the answer and the reports disagree";
    if (status == SCH_OK && pools.headers.count <= MOST_ENTRIES && pools.samplers.count <= MOST_ENTRIES) {
        finding = print_and_read(pools.headers.bytes, pools.headers.count, false);
        if (!finding) finding = print_and_read(pools.samplers.bytes, pools.samplers.count, true);
    }
    sch_diagnostics_release(&list);
    sch_arena_release(&arena);
    return finding;
}

static const char *touch(const struct sch_maxwell_texture *texture)
{
    const struct sch_texture *t = &texture->texture;
    uint64_t bytes = 0;
    unsigned sum = 0;
    if (!t->levels || t->levels > SCH_MAX_LEVELS || !t->layers || !t->samples) return "a texture of nothing";
    for (uint32_t i = 0; i < t->levels; i++) {
        const struct sch_texture_level *level = &t->level[i];
        uint64_t size = level->slice_bytes * level->depth * t->layers * t->samples;
        if (level->slice_bytes < (uint64_t)level->row_bytes * sch_texture_rows(texture->format, level->height))
            return "slices overlap";
        bytes += size;
        sum += level->texels[0] + level->texels[size - 1];
    }
    if (sum > 255 * 2 * SCH_MAX_LEVELS) return "more than bytes hold"; /* never: the reads must not be dropped */
    return bytes > MEMORY_LIMIT ? "a texture above its limit" : NULL;
}

/* Each entry is a header and a sampler; the whole pool is the memory behind it. */
static const char *check_entry(const uint8_t *data, size_t bytes, const uint8_t *entry)
{
    uint32_t words[SCH_MAXWELL_HEADER_WORDS];
    struct sch_maxwell_memory memory = {data, 0, bytes};
    struct sch_diagnostics list;
    struct sch_maxwell_texture *texture;
    struct sch_maxwell_sampler sampler;
    struct sch_sampler_key key;
    struct sch_sampler_values values;
    const char *finding = NULL;
    memcpy(words, entry, sizeof words);
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    enum sch_result status =
        sch_maxwell_texture_create(words, &memory, &sch_allocator_libc, MEMORY_LIMIT, &list, &texture);
    if ((status == SCH_OK) != !list.errors) finding = "a header is refused without a report";
    memcpy(words, data, sizeof words);
    bool sampled = sch_maxwell_sampler_read(words, NULL, &sampler) == SCH_OK;
    if (status == SCH_OK) {
        if (!finding) finding = touch(texture);
        if (sampled && sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values) == SCH_OK &&
            sch_texture_key_check(&key, (struct sch_position){0}, NULL) != SCH_OK)
            finding = "a state that the unit does not execute";
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
    sch_diagnostics_release(&list);
    return finding;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    if (sch_maxwell_headers_is_text(data, bytes)) return check_text(data, bytes);
    uint32_t count = (uint32_t)(bytes / SCH_MAXWELL_ENTRY_BYTES);
    if (count > MOST_ENTRIES) count = MOST_ENTRIES;
    const char *finding = print_and_read(data, count, false);
    if (!finding) finding = print_and_read(data, count, true);
    for (uint32_t i = 0; i < count && !finding; i++)
        finding = check_entry(data, bytes, data + (size_t)i * SCH_MAXWELL_ENTRY_BYTES);
    return finding;
}

SCH_FUZZ_TARGET
