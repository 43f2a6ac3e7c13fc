/* Layouts of vertices. What elements mean is src/pipeline/fetch.c's to say. */
#include "api/draw.h"

static bool formats_hold(const struct sch_vertex_element *elements, uint32_t count, struct sch_diagnostics *list)
{
    for (uint32_t i = 0; i < count; i++)
        if (!sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)elements[i].format))
            return sch_refuse_element(list, "elements[#].format", i, "vertex element %u: format %u does not exist", i,
                                      (unsigned)elements[i].format);
    return true;
}

enum sch_result sch_vertex_elements_create(struct sch_context *context, const struct sch_vertex_element *elements,
                                           uint32_t count, size_t stride, struct sch_diagnostics_list *diagnostics,
                                           struct sch_vertex_elements **made)
{
    struct sch_api_call call;
    struct sch_vertex_element known[SCH_VERTEX_ELEMENTS];
    const uint32_t taken = count <= SCH_VERTEX_ELEMENTS ? count : 0; /* of too many none */
    sch_api_begin(&call, context, diagnostics, __func__, NULL);
    if (made) *made = NULL;
    struct sch_diagnostics *list = call.list;
    if (!sch_api_given(&call, made, "made") || !sch_api_given(&call, context, "context") ||
        (count && !sch_api_given(&call, elements, "elements")))
        return sch_api_refused(&call);
    if (taken && !sch_sized_read_array(known, sizeof *known, sizeof *known, elements, stride, taken))
        return sch_api_wrong(&call, "stride", "elements of %zu bytes, or with members that this version does not have",
                             stride);
    if (!formats_hold(known, taken, list)) return sch_api_refused(&call);
    struct sch_vertex_elements *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->number = sch_api_number(context);
    enum sch_result result = sch_fetcher_init(&object->fetcher, known, count, list);
    result = sch_api_end(&call, result);
    if (result != SCH_OK) {
        sch_vertex_elements_destroy(object);
        return result;
    }
    *made = object;
    return SCH_OK;
}

void sch_vertex_elements_destroy(struct sch_vertex_elements *elements)
{
    if (elements) sch_api_free(elements->context, elements);
}
