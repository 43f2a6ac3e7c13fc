/* Layouts of vertices. What elements mean is src/pipeline/fetch.c's to say. */
#include "api/draw.h"

static bool formats_hold(const struct sch_vertex_element *elements, uint32_t count, struct sch_diagnostics *list)
{
    for (uint32_t i = 0; i < count; i++)
        if (!sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)elements[i].format))
            return sch_refuse_argument(list, "vertex element %u: format %u is none", i, (unsigned)elements[i].format);
    return true;
}

enum sch_result sch_vertex_elements_create(struct sch_context *context, const struct sch_vertex_element *elements,
                                           uint32_t count, size_t stride, struct sch_diagnostics_list *diagnostics,
                                           struct sch_vertex_elements **made)
{
    if (!made) return SCH_ERROR_ARGUMENT;
    *made = NULL;
    struct sch_vertex_element known[SCH_VERTEX_ELEMENTS];
    const uint32_t taken = count <= SCH_VERTEX_ELEMENTS ? count : 0; /* of too many none */
    if (!context || (count && !elements)) return SCH_ERROR_ARGUMENT;
    if (taken && !sch_sized_read_array(known, sizeof *known, sizeof *known, elements, stride, taken))
        return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    if (!formats_hold(known, taken, list)) return sch_api_reported(context, diagnostics, SCH_ERROR_ARGUMENT);
    struct sch_vertex_elements *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_no_memory(context, diagnostics);
    object->context = context;
    object->number = sch_api_number(context);
    enum sch_result result = sch_fetcher_init(&object->fetcher, known, count, list);
    result = sch_api_reported(context, diagnostics, result);
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
