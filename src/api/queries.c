/* Queries and conditions: what a renderer has counted between a beginning and an end. Counts no sample or primitive
 * itself: src/pipeline does. */
#include <string.h>

#include "api/draw.h"
#include "base/clock.h"

enum { TICKS_IN_A_SECOND = 1000000000 };

/* ---- kinds ---- */

/* A kind that only ends: it says something about the moment. */
static bool only_ends(enum sch_query_kind kind)
{
    return kind == SCH_QUERY_TIMESTAMP || kind == SCH_QUERY_GPU_FINISHED;
}

static uint32_t values_of(enum sch_query_kind kind)
{
    if (kind == SCH_QUERY_PIPELINE_STATISTICS) return SCH_STATISTICS;
    return kind == SCH_QUERY_SO_STATISTICS || kind == SCH_QUERY_TIMESTAMP_DISJOINT ? 2 : 1;
}

static bool index_holds(enum sch_query_kind kind, uint32_t index)
{
    switch (kind) {
    case SCH_QUERY_PRIMITIVES_GENERATED:
    case SCH_QUERY_PRIMITIVES_EMITTED:
    case SCH_QUERY_SO_STATISTICS:
    case SCH_QUERY_SO_OVERFLOW_PREDICATE:
        return index < SCH_STREAM_BUFFERS;
    case SCH_QUERY_PIPELINE_STATISTICS_SINGLE:
        return index < SCH_STATISTICS;
    default:
        return index == 0;
    }
}

/* Whether it counts what a draw's fragments are. */
static bool counts_fragments(const struct sch_query *query)
{
    switch (query->kind) {
    case SCH_QUERY_OCCLUSION_COUNTER:
    case SCH_QUERY_OCCLUSION_PREDICATE:
    case SCH_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
    case SCH_QUERY_PIPELINE_STATISTICS:
        return true;
    default:
        return query->kind == SCH_QUERY_PIPELINE_STATISTICS_SINGLE && query->index == SCH_STATISTIC_PS_INVOCATIONS;
    }
}

/* ---- queries ---- */

enum sch_result sch_query_create(struct sch_context *context, enum sch_query_kind kind, uint32_t index,
                                 struct sch_query **query)
{
    struct sch_api_call call;
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (query) *query = NULL;
    if (!sch_api_given(&call, query, "query") || !sch_api_given(&call, context, "context") ||
        !sch_api_takes(call.list, "kind", (uint32_t)kind, 0, SCH_QUERY_PIPELINE_STATISTICS_SINGLE))
        return sch_api_refused(&call);
    if (!index_holds(kind, index)) return sch_api_wrong(&call, "index", "queries of this kind have no index %u", index);
    struct sch_query *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_no_memory(context);
    made->context = context;
    made->kind = kind;
    made->index = index;
    *query = made;
    return SCH_OK;
}

void sch_query_destroy(struct sch_query *query)
{
    if (query) sch_api_free(query->context, query);
}

static bool query_is_here(struct sch_api_call *call, const struct sch_renderer *renderer, const struct sch_query *query)
{
    return sch_api_given(call, renderer, "renderer") && sch_api_given(call, query, "query") &&
           (query->context == renderer->context ||
            sch_refuse_argument(call->list, "query", "the query is of another context"));
}

enum sch_result sch_renderer_begin_query(struct sch_renderer *renderer, struct sch_query *query)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(renderer), NULL, __func__, NULL);
    if (!query_is_here(&call, renderer, query)) return sch_api_refused(&call);
    if (only_ends(query->kind)) return sch_api_wrong(&call, "query", "queries of this kind have no beginning");
    if (query->state == SCH_API_QUERY_BEGUN) return sch_api_wrong(&call, "query", "the query has begun already");
    const enum sch_result waited = sch_draw_finish(renderer->scratch); /* what it has counted is not the query's */
    query->state = SCH_API_QUERY_BEGUN;
    query->renderer = renderer;
    query->begun = renderer->counts;
    query->begun_at = sch_clock_ns();
    renderer->counting += counts_fragments(query);
    return waited;
}

/* Whether a primitive of the stream found no room. */
static bool overflows(const struct sch_draw_counts *begun, const struct sch_draw_counts *now, unsigned stream)
{
    return now->stream_needed[stream] - begun->stream_needed[stream] !=
           now->stream_written[stream] - begun->stream_written[stream];
}

static void take_result(struct sch_query *query, const struct sch_draw_counts *now)
{
    const struct sch_draw_counts *begun = &query->begun;
    uint64_t *value = query->values;
    memset(value, 0, sizeof query->values);
    switch (query->kind) {
    case SCH_QUERY_OCCLUSION_COUNTER:
        value[0] = now->samples_passed - begun->samples_passed;
        break;
    case SCH_QUERY_OCCLUSION_PREDICATE:
    case SCH_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
        value[0] = now->samples_passed != begun->samples_passed;
        break;
    case SCH_QUERY_TIMESTAMP:
        value[0] = sch_clock_ns();
        break;
    case SCH_QUERY_TIMESTAMP_DISJOINT:
        value[0] = TICKS_IN_A_SECOND;
        break;
    case SCH_QUERY_TIME_ELAPSED:
        value[0] = sch_clock_ns() - query->begun_at;
        break;
    case SCH_QUERY_PRIMITIVES_GENERATED:
        value[0] = now->primitives_generated[query->index] - begun->primitives_generated[query->index];
        break;
    case SCH_QUERY_GPU_FINISHED:
        value[0] = 1; /* draws have ended when their calls return */
        break;
    case SCH_QUERY_PIPELINE_STATISTICS:
        for (unsigned i = 0; i < SCH_STATISTICS; i++) value[i] = now->statistics[i] - begun->statistics[i];
        break;
    case SCH_QUERY_PIPELINE_STATISTICS_SINGLE:
        value[0] = now->statistics[query->index] - begun->statistics[query->index];
        break;
    case SCH_QUERY_SO_STATISTICS:
        value[1] = now->stream_needed[query->index] - begun->stream_needed[query->index];
        /* fall through */
    case SCH_QUERY_PRIMITIVES_EMITTED:
        value[0] = now->stream_written[query->index] - begun->stream_written[query->index];
        break;
    case SCH_QUERY_SO_OVERFLOW_PREDICATE:
        value[0] = overflows(begun, now, query->index);
        break;
    case SCH_QUERY_SO_OVERFLOW_ANY_PREDICATE:
        for (unsigned stream = 0; stream < SCH_STREAM_BUFFERS; stream++) value[0] |= overflows(begun, now, stream);
        break;
    }
}

enum sch_result sch_renderer_end_query(struct sch_renderer *renderer, struct sch_query *query)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(renderer), NULL, __func__, NULL);
    if (!query_is_here(&call, renderer, query)) return sch_api_refused(&call);
    if (!only_ends(query->kind) && (query->state != SCH_API_QUERY_BEGUN || query->renderer != renderer))
        return sch_api_wrong(&call, "query", "the query has not begun with this renderer");
    const enum sch_result waited = sch_draw_finish(renderer->scratch);
    take_result(query, &renderer->counts);
    renderer->counting -= counts_fragments(query);
    query->state = SCH_API_QUERY_ENDED;
    return waited;
}

void sch_renderer_set_queries_active(struct sch_renderer *renderer, bool active)
{
    if (renderer) renderer->queries_inactive = !active;
}

void sch_renderer_count_invocations(struct sch_renderer *renderer, uint64_t invocations)
{
    if (renderer && !renderer->queries_inactive)
        renderer->counts.statistics[SCH_STATISTIC_CS_INVOCATIONS] += invocations;
}

/* ---- results ---- */

enum sch_result sch_query_get_result(const struct sch_query *query, struct sch_query_result *result)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(query), NULL, __func__, NULL);
    if (!sch_api_given(&call, query, "query") || !sch_api_given(&call, result, "result")) return sch_api_refused(&call);
    if (query->state != SCH_API_QUERY_ENDED) return sch_api_wrong(&call, "query", "the query has not ended");
    *result = (struct sch_query_result){.available = true, .count = values_of(query->kind)};
    memcpy(result->values, query->values, sizeof result->values);
    return SCH_OK;
}

/* The bytes that a value has in a buffer, saturated. */
static size_t encode(uint64_t value, enum sch_query_type type, uint8_t bytes[8])
{
    static const uint64_t greatest[] = {[SCH_QUERY_I32] = INT32_MAX,
                                        [SCH_QUERY_U32] = UINT32_MAX,
                                        [SCH_QUERY_I64] = INT64_MAX,
                                        [SCH_QUERY_U64] = UINT64_MAX};
    if (value > greatest[type]) value = greatest[type];
    const uint32_t word = (uint32_t)value;
    const bool is_long = type >= SCH_QUERY_I64;
    memcpy(bytes, is_long ? (const void *)&value : &word, is_long ? sizeof value : sizeof word);
    return is_long ? sizeof value : sizeof word;
}

enum sch_result sch_query_write_result(const struct sch_query *query, int32_t index, enum sch_query_type type,
                                       struct sch_resource *buffer, uint64_t offset)
{
    uint8_t bytes[8];
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(query), NULL, __func__, NULL);
    if (!sch_api_given(&call, query, "query") || !sch_api_given(&call, buffer, "buffer") ||
        !sch_api_takes(call.list, "type", (uint32_t)type, 0, SCH_QUERY_U64))
        return sch_api_refused(&call);
    if (query->context != buffer->context) return sch_api_wrong(&call, "buffer", "the buffer is of another context");
    if (query->state != SCH_API_QUERY_ENDED) return sch_api_wrong(&call, "query", "the query has not ended");
    if (index < -1 || index >= (int32_t)values_of(query->kind))
        return sch_api_wrong(&call, "index", "value %d, of %u", (int)index, values_of(query->kind));
    if (sch_texture_resource_shape(buffer->texture)->target != SCH_TARGET_BUFFER)
        return sch_api_wrong(&call, "buffer", "the resource is not a BUFFER");
    const size_t count = encode(index < 0 ? 1 : query->values[index], type, bytes);
    const uint64_t all = sch_texture_resource_bytes(buffer->texture);
    if (offset > all || count > all - offset)
        return sch_api_wrong(&call, "offset", "%zu bytes from %llu on, of %llu", count, (unsigned long long)offset,
                             (unsigned long long)all);
    memcpy(sch_texture_of(buffer->texture)->level[0].texels + offset, bytes, count);
    return SCH_OK;
}

/* ---- conditions ---- */

void sch_renderer_set_condition(struct sch_renderer *renderer, const struct sch_query *query, bool inverted)
{
    if (!renderer) return;
    renderer->condition = query;
    renderer->condition_inverted = inverted;
}

bool sch_api_condition_holds(const struct sch_renderer *renderer)
{
    const struct sch_query *query = renderer->condition;
    if (!query || query->state != SCH_API_QUERY_ENDED) return true;
    return (query->values[0] != 0) != renderer->condition_inverted;
}
