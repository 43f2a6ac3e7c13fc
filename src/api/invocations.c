/* The invocations of a dispatch: checks of what the caller gave. */
#include "api/run.h"

#include "base/checked.h"

enum { WORD = sizeof(uint32_t), REGISTER = 4 * WORD, PLANE = 4 * REGISTER };

/* An array of the caller, and what the dispatch takes of it: `each` bytes for each of one, two or three counts. */
struct array {
    const char *argument, *bytes_argument; /* the members, after dots */
    const void *data;
    size_t bytes;
    bool wanted; /* registers were said to be in it */
    size_t each, first, second, third;
};

static bool array_holds(const struct array *array, struct sch_diagnostics *list)
{
    size_t need;
    if (!array->data && array->wanted)
        return sch_refuse_argument(list, array->argument, "%s: there is no array", array->argument + 1);
    if (!array->data && array->bytes)
        return sch_refuse_argument(list, array->argument, "%s: %zu bytes of no array", array->argument + 1,
                                   array->bytes);
    if (!array->data) return true;
    if (!sch_mul_size(array->each, array->first, &need) || !sch_mul_size(need, array->second, &need) ||
        !sch_mul_size(need, array->third, &need))
        return sch_refuse_argument(list, array->bytes_argument, "%s: more bytes are needed than there can be",
                                   array->argument + 1);
    if (need <= array->bytes) return true;
    return sch_refuse_argument(list, array->bytes_argument, "%s: %zu bytes where %zu are needed", array->argument + 1,
                               array->bytes, need);
}

static bool invocations_hold(const struct sch_invocations *given, struct sch_diagnostics *list)
{
    size_t count = given->count, vertices = given->input_vertices ? given->input_vertices : 1;
    size_t events = given->event_capacity;
    const struct array arrays[] = {
        {".inputs", ".input_bytes", given->inputs, given->input_bytes, given->input_registers, REGISTER, count,
         vertices, given->input_registers},
        {".system_values", ".system_value_bytes", given->system_values, given->system_value_bytes,
         given->system_value_registers, REGISTER, count, given->system_value_registers, 1},
        {".helpers", ".helper_bytes", given->helpers, given->helper_bytes, false, 1, count, 1, 1},
        {".outputs", ".output_bytes", given->outputs, given->output_bytes, given->output_registers, REGISTER, count,
         given->output_registers, 1},
        {".killed", ".killed_bytes", given->killed, given->killed_bytes, false, 1, count, 1, 1},
        {".system_value_given", ".system_value_given_bytes", given->system_value_given, given->system_value_given_bytes,
         false, 1, given->system_value_registers, 1, 1},
        {".planes", ".plane_bytes", given->planes, given->plane_bytes, given->plane_registers, PLANE, count,
         given->plane_registers, 1},
        {".centroids", ".centroid_bytes", given->centroids, given->centroid_bytes, false, 2 * WORD, count, 1, 1},
        {".events", ".event_bytes", given->events, given->event_bytes, events, WORD, count, events, 1},
        {".event_counts", ".event_count_bytes", given->event_counts, given->event_count_bytes, false, WORD, count, 1,
         1},
        {".event_outputs", ".event_output_bytes", given->event_outputs, given->event_output_bytes,
         given->event_registers, REGISTER, count, events, given->event_registers},
        {".pixels", ".pixel_bytes", given->pixels, given->pixel_bytes, false, 4 * WORD, count, 1, 1},
        {".texels_read", ".texels_read_bytes", given->texels_read, given->texels_read_bytes, false, WORD, count, 1, 1},
        {".greatest_lods", ".greatest_lod_bytes", given->greatest_lods, given->greatest_lod_bytes, false, sizeof(float),
         count, 1, 1}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!array_holds(&arrays[i], list)) return false;
    if (given->samples > 16 || (given->samples & (given->samples - 1)))
        return sch_refuse_argument(list, ".samples", "a pixel has no %u samples", given->samples);
    return true;
}

enum sch_result sch_api_take_invocations(const struct sch_program *program, const struct sch_invocations *given,
                                         struct sch_diagnostics *list, struct sch_invocations *taken)
{
    /* A program that does not know the lengths has structs of another layout. */
    if (!sch_api_read_inner(list, "", taken, sizeof *taken, sizeof *taken, given)) return SCH_ERROR_ARGUMENT;
    if (!invocations_hold(taken, list)) return SCH_ERROR_ARGUMENT;
    if ((taken->texels_read || taken->greatest_lods) && !program->counts_texels) return SCH_ERROR_UNSUPPORTED;
    return SCH_OK;
}
