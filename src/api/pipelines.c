/* Pipelines: programs that are linked. What feeds what is src/pipeline/link.c's to say. */
#include "api/draw.h"
#include "exec/program.h"
#include "exec/units.h"

/* Handles are values, so it is not known in advance which views and images they name. */
static bool uses_handles(const struct sch_program *program)
{
    const struct sch_prepared *prepared = &program->exec->prepared;
    for (uint32_t i = 0; i < prepared->instruction_count; i++) {
        const struct sch_prepared_instruction *in = &prepared->instructions[i];
        if ((in->lookup && in->lookup->handle) || (in->resource && in->resource->handle)) return true;
    }
    return false;
}

static bool has_units(const struct sch_program *program)
{
    uint32_t count;
    sch_exec_units(program->exec, &count);
    return count != 0;
}

static bool program_holds(const struct sch_context *context, const struct sch_program *program, enum sch_stage stage,
                          const char *argument, struct sch_diagnostics *list)
{
    if (!program) return true;
    if (program->context != context)
        return sch_refuse_argument(list, argument, "pipeline: %s is of another context", argument + 1);
    if (program->stage == stage) return true;
    return sch_refuse_argument(list, argument, "pipeline: %s is a program of another stage", argument + 1);
}

static bool options_hold(const struct sch_context *context, const struct sch_pipeline_options *options,
                         struct sch_diagnostics *list)
{
    if (!options->vertex) return sch_refuse_argument(list, ".vertex", "pipeline: no vertex program");
    return program_holds(context, options->vertex, SCH_STAGE_VERTEX, ".vertex", list) &&
           program_holds(context, options->tess_ctrl, SCH_STAGE_TESS_CTRL, ".tess_ctrl", list) &&
           program_holds(context, options->tess_eval, SCH_STAGE_TESS_EVAL, ".tess_eval", list) &&
           program_holds(context, options->geometry, SCH_STAGE_GEOMETRY, ".geometry", list) &&
           program_holds(context, options->fragment, SCH_STAGE_FRAGMENT, ".fragment", list);
}

/* The fragment program of pipelines without one: it writes nothing, so that only depth and stencil change. It has the
 * rules of the last stage before it. */
static enum sch_result make_empty(struct sch_pipeline *made, const struct sch_program *last)
{
    const char *text = last->exec->prepared.d3d ? "FRAG\nPROPERTY D3D_RULES 1\nEND\n" : "FRAG\nEND\n";
    const struct sch_program_options interpreted = {.size = sizeof interpreted, .engine = SCH_ENGINE_INTERPRETER};
    struct sch_shader *shader;
    enum sch_result result = sch_shader_read(made->context, text, strlen(text), NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_program_create(made->context, shader, &interpreted, NULL, &made->empty);
    sch_shader_destroy(shader);
    return result;
}

static enum sch_result link_programs(struct sch_pipeline *made, const struct sch_pipeline_options *options,
                                     struct sch_diagnostics *list)
{
    const struct sch_program *last = options->geometry    ? options->geometry
                                     : options->tess_eval ? options->tess_eval
                                                          : options->vertex;
    enum sch_result result = options->fragment ? SCH_OK : make_empty(made, last);
    if (result != SCH_OK) return result;
    const struct sch_program *const given[] = {options->vertex, options->tess_ctrl, options->tess_eval,
                                               options->geometry, options->fragment ? options->fragment : made->empty};
    const struct sch_prepared *programs[sizeof given / sizeof *given];
    const char *names[sizeof given / sizeof *given];
    size_t count = 0;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i]) continue;
        made->programs[given[i]->stage] = given[i];
        made->uses_handles |= uses_handles(given[i]);
        made->has_units |= has_units(given[i]);
        names[count] = given[i]->name;
        programs[count++] = &given[i]->exec->prepared;
    }
    result = sch_link_programs(programs, names, count, list, &made->link);
    made->link.no_fragment = !options->fragment;
    return result;
}

/* Registers that the last program has. */
static bool streams_hold(const struct sch_pipeline *made, const struct sch_stream_output *stream_output,
                         struct sch_diagnostics *list)
{
    const struct sch_prepared_interface *last = &made->link.last->interface;
    const struct sch_stream_output_options *options = &stream_output->state;
    if (stream_output->context != made->context)
        return sch_refuse_argument(list, ".stream_output", "pipeline: stream_output is of another context");
    for (uint32_t i = 0; i < options->register_count; i++) {
        const struct sch_stream_output_register *given = &options->registers[i];
        if (given->output >= last->output_count || !last->outputs[given->output].declared)
            return sch_refuse_argument(list, ".stream_output",
                                       "pipeline: registers[%u] of stream_output is OUT[%u], which there is not", i,
                                       given->output);
    }
    return true;
}

static enum sch_result add_streams(struct sch_pipeline *made, const struct sch_stream_output *stream_output,
                                   struct sch_diagnostics *list)
{
    if (!stream_output) return SCH_OK;
    if (!streams_hold(made, stream_output, list)) return SCH_ERROR_ARGUMENT;
    made->streams_out = stream_output->state.register_count != 0;
    if (sch_link_stream_output(&made->link, &stream_output->state)) return SCH_OK;
    sch_diagnostics_add(list, sch_diagnostic_severity(SCH_D_LINK_LIMIT), SCH_D_LINK_LIMIT, (struct sch_position){0},
                        "with stream output, vertices have more than %d parts", SCH_LINK_COPIES);
    return SCH_ERROR_LIMIT;
}

enum sch_result sch_pipeline_create(struct sch_context *context, const struct sch_pipeline_options *options,
                                    struct sch_diagnostics_list *diagnostics, struct sch_pipeline **made)
{
    struct sch_api_call call;
    struct sch_pipeline_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    struct sch_diagnostics *list = call.list;
    if (!sch_api_given(&call, made, "made") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, options, "options") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options) ||
        !options_hold(context, &wanted, list))
        return sch_api_refused(&call);
    struct sch_pipeline *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->number = sch_api_number(context);
    enum sch_result result = link_programs(object, &wanted, list);
    if (result == SCH_OK) result = add_streams(object, wanted.stream_output, list);
    result = sch_api_end(&call, result);
    if (result != SCH_OK) {
        sch_pipeline_destroy(object);
        return result;
    }
    *made = object;
    return SCH_OK;
}

void sch_pipeline_destroy(struct sch_pipeline *pipeline)
{
    if (!pipeline) return;
    sch_program_destroy(pipeline->empty);
    sch_api_free(pipeline->context, pipeline);
}
