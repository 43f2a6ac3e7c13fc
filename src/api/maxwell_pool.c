/* The public functions for pools of Maxwell's texture headers and samplers. src/maxwell reads and writes their text. */
#include <scheelite/maxwell.h>

#include <string.h>

#include "api/api.h"
#include "isa/errors.h"
#include "maxwell/header/text.h"

bool sch_maxwell_pool_is_text(const void *data, size_t bytes)
{
    return data ? sch_maxwell_headers_is_text(data, bytes) : bytes == 0;
}

static bool read_options(struct sch_api_call *call, const struct sch_maxwell_pool_options *given,
                         struct sch_maxwell_pool_options *options)
{
    return sch_api_read(call, "options", options, sizeof *options, sizeof *options, given) &&
           sch_api_takes(call->list, ".pool", (uint32_t)options->pool, 0, SCH_MAXWELL_POOL_SAMPLERS);
}

static enum sch_result check_source(const struct sch_context *context, size_t bytes, struct sch_diagnostics *list)
{
    if (bytes <= context->limits.source_bytes) return SCH_OK;
    sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_SOURCE_TOO_LARGE,
                        (struct sch_position){.offset = context->limits.source_bytes},
                        "the source has %zu bytes, but the limit is %zu", bytes, context->limits.source_bytes);
    return SCH_ERROR_LIMIT;
}

/* Copies the entries of the kind that is wanted. */
static enum sch_result take(struct sch_context *context, const struct sch_maxwell_pools *pools,
                            enum sch_maxwell_pool wanted, struct sch_diagnostics *list, void **pool, size_t *bytes)
{
    if (wanted == SCH_MAXWELL_POOL_AUTO && pools->headers.count && pools->samplers.count) {
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_HEADERS_POOL, (struct sch_position){0},
                            "the text has %u headers and %u samplers: which pool is wanted?", pools->headers.count,
                            pools->samplers.count);
        return SCH_ERROR_INVALID;
    }
    bool samplers = wanted == SCH_MAXWELL_POOL_SAMPLERS || (wanted == SCH_MAXWELL_POOL_AUTO && pools->samplers.count);
    const struct sch_maxwell_entries *entries = samplers ? &pools->samplers : &pools->headers;
    size_t size = (size_t)entries->count * SCH_MAXWELL_ENTRY_BYTES;
    *pool = sch_api_alloc(context, size);
    if (!*pool) return SCH_ERROR_MEMORY;
    if (size) memcpy(*pool, entries->bytes, size);
    *bytes = size;
    return SCH_OK;
}

enum sch_result sch_maxwell_pool_assemble(struct sch_context *context, const char *text, size_t bytes,
                                          const struct sch_maxwell_pool_options *options,
                                          struct sch_diagnostics_list *diagnostics, void **pool, size_t *pool_bytes)
{
    if (pool) *pool = NULL;
    if (pool_bytes) *pool_bytes = 0;
    struct sch_maxwell_pool_options wanted;
    struct sch_api_call call;
    sch_api_begin_input(&call, context, diagnostics, __func__, "options");
    if (!sch_api_given(&call, context, "context") || (bytes && !sch_api_given(&call, text, "text")) ||
        !sch_api_given(&call, pool, "pool") || !sch_api_given(&call, pool_bytes, "pool_bytes") ||
        !read_options(&call, options, &wanted))
        return sch_api_refused(&call);

    struct sch_diagnostics *list = call.list;
    struct sch_arena arena;
    struct sch_maxwell_pools pools;
    sch_arena_init(&arena, &context->allocator, context->limits.memory);
    sch_diagnostics_source(list, wanted.name, text, bytes);
    enum sch_result status = check_source(context, bytes, list);
    if (status == SCH_OK) status = sch_maxwell_headers_parse(&arena, &context->limits, text, bytes, list, &pools);
    if (status == SCH_OK) status = take(context, &pools, wanted.pool, list, pool, pool_bytes);
    sch_arena_release(&arena);
    return sch_api_delivered(&call, status, pool, pool_bytes);
}

/* An entry takes up to 2 KiB of text. */
static enum sch_result print(const struct sch_context *context, const void *pool, size_t bytes,
                             enum sch_maxwell_pool kind, struct sch_diagnostics *list, char **text, size_t *length)
{
    size_t count = bytes / SCH_MAXWELL_ENTRY_BYTES;
    enum sch_result status = SCH_ERROR_LIMIT;
    if (count <= SCH_MAXWELL_POOL_ENTRIES)
        status = sch_maxwell_headers_print(&context->allocator, context->limits.memory, pool, (uint32_t)count,
                                           kind == SCH_MAXWELL_POOL_SAMPLERS, text, length);
    if (status == SCH_ERROR_LIMIT)
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_HEADERS_LIMIT, (struct sch_position){0},
                            "the text of %zu entries is larger than the limit of %zu bytes", count,
                            context->limits.memory);
    return status;
}

enum sch_result sch_maxwell_pool_print(struct sch_context *context, const void *pool, size_t bytes,
                                       const struct sch_maxwell_pool_options *options,
                                       struct sch_diagnostics_list *diagnostics, char **text, size_t *text_bytes)
{
    if (text) *text = NULL;
    if (text_bytes) *text_bytes = 0;
    struct sch_maxwell_pool_options wanted;
    struct sch_api_call call;
    sch_api_begin_input(&call, context, diagnostics, __func__, "options");
    if (!sch_api_given(&call, context, "context") || (bytes && !sch_api_given(&call, pool, "pool")) ||
        !sch_api_given(&call, text, "text") || !read_options(&call, options, &wanted))
        return sch_api_refused(&call);

    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, wanted.name);
    enum sch_result status = check_source(context, bytes, list);
    if (status == SCH_OK && bytes % SCH_MAXWELL_ENTRY_BYTES) {
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_HEADERS_SIZE, (struct sch_position){.offset = bytes},
                            "headers and samplers have 32 bytes each, but the input has %zu", bytes);
        status = SCH_ERROR_INVALID;
    }
    size_t length = 0;
    if (status == SCH_OK) status = print(context, pool, bytes, wanted.pool, list, text, &length);
    status = sch_api_delivered(&call, status, (void **)text, &length);
    if (text_bytes) *text_bytes = length;
    return status;
}
