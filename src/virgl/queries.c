/* Queries, whose results go to the client's memory, and what depends on them. */
#include <string.h>

#include "client.h"

/* What the client's memory receives of a result (struct virgl_host_query_state). */
struct answer {
    uint32_t state, bytes;
    uint64_t result;
};
enum { DONE = 1 };

/* A query has one of the statistics of the pipeline, by its index (virgl_statistics_query_index, in our order). */
static const uint8_t kinds[] = {SCH_QUERY_OCCLUSION_COUNTER,
                                SCH_QUERY_OCCLUSION_PREDICATE,
                                SCH_QUERY_TIMESTAMP,
                                SCH_QUERY_TIMESTAMP_DISJOINT,
                                SCH_QUERY_TIME_ELAPSED,
                                SCH_QUERY_PRIMITIVES_GENERATED,
                                SCH_QUERY_PRIMITIVES_EMITTED,
                                SCH_QUERY_SO_STATISTICS,
                                SCH_QUERY_SO_OVERFLOW_PREDICATE,
                                SCH_QUERY_GPU_FINISHED,
                                SCH_QUERY_PIPELINE_STATISTICS_SINGLE,
                                SCH_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE,
                                SCH_QUERY_SO_OVERFLOW_ANY_PREDICATE};

bool sch_virgl_make_query(struct sch_virgl *virgl, struct query *made, const struct command *command)
{
    const uint32_t *words = command->words, kind = sch_virgl_bits(words[1], 0, 16);
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[3]);
    if (!resource) return false;
    if (kind >= sizeof kinds) return sch_virgl_refuse(virgl, "there is no kind %u of queries", kind);
    made->to = sch_virgl_resource_hold(resource);
    made->offset = words[2];
    made->statistic = kinds[kind] == SCH_QUERY_PIPELINE_STATISTICS_SINGLE;
    return sch_virgl_check(virgl,
                           sch_query_create(virgl->options.context, (enum sch_query_kind)kinds[kind],
                                            sch_virgl_bits(words[1], 16, 16), &made->query),
                           "query");
}

void sch_virgl_end_query_object(struct sch_virgl *virgl, struct object *object)
{
    struct query *query = &object->query;
    if (query->renderer) sch_renderer_end_query(query->renderer, query->query);
    sch_query_destroy(query->query);
    sch_virgl_resource_drop(virgl, query->to);
}

bool sch_virgl_begin_query(struct sch_virgl *virgl, const struct command *command)
{
    struct object *object = sch_virgl_object_find(virgl, command->words[0], OBJECT_QUERY);
    if (!object) return false;
    if (!sch_virgl_check(virgl, sch_renderer_begin_query(virgl->sub->renderer, object->query.query),
                         "begin of a query"))
        return false;
    object->query.renderer = virgl->sub->renderer;
    return true;
}

bool sch_virgl_end_query(struct sch_virgl *virgl, const struct command *command)
{
    struct object *object = sch_virgl_object_find(virgl, command->words[0], OBJECT_QUERY);
    if (!object) return false;
    if (!sch_virgl_check(virgl, sch_renderer_end_query(virgl->sub->renderer, object->query.query), "end of a query"))
        return false;
    object->query.renderer = NULL;
    return true;
}

bool sch_virgl_get_query_result(struct sch_virgl *virgl, const struct command *command)
{
    struct object *object = sch_virgl_object_find(virgl, command->words[0], OBJECT_QUERY);
    struct sch_query_result result;
    if (!object) return false;
    const struct query *query = &object->query;
    if (!query->to->memory || query->offset > query->to->memory_bytes ||
        query->to->memory_bytes - query->offset < sizeof(struct answer))
        return sch_virgl_refuse(virgl, "the result has no place at byte %u", query->offset);
    if (!sch_virgl_check(virgl, sch_query_get_result(query->query, &result), "query")) return false;
    const struct answer answer = {.state = DONE, .bytes = sizeof answer.result, .result = result.values[0]};
    memcpy(query->to->memory + query->offset, &answer, sizeof answer);
    return true;
}

bool sch_virgl_write_query_result(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t *words = command->words;
    struct object *object = sch_virgl_object_find(virgl, words[0], OBJECT_QUERY);
    struct sch_virgl_resource *resource = object ? sch_virgl_resource_find(virgl, words[1]) : NULL;
    if (!resource) return false;
    /* Clients name the statistic once more; -1 is whether there is a result. */
    const int32_t index = object->query.statistic && (int32_t)words[5] > 0 ? 0 : (int32_t)words[5];
    if (words[3] > SCH_QUERY_U64) return sch_virgl_refuse(virgl, "there is no type %u of results", words[3]);
    return sch_virgl_check(
        virgl,
        sch_query_write_result(object->query.query, index, (enum sch_query_type)words[3], resource->resource, words[4]),
        "result of a query");
}

/* Drawn is where the result is not what the condition says. */
bool sch_virgl_set_condition(struct sch_virgl *virgl, const struct command *command)
{
    struct sub_context *sub = virgl->sub;
    struct object *object = NULL;
    if (command->words[0] && !(object = sch_virgl_object_find(virgl, command->words[0], OBJECT_QUERY))) return false;
    sch_renderer_set_condition(sub->renderer, object ? object->query.query : NULL, command->words[1] != 0);
    sch_virgl_object_bind(virgl, &sub->condition, object);
    return true;
}
