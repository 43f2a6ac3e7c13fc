/* The traces of a witness: what both shaders do on it, instruction by instruction, as `trace` prints it. */
#include <stdlib.h>
#include <string.h>

#include "bind/lookup_code.h"
#include "compare.h"
#include "compare_rows.h"
#include "trace/trace_step.h"

/* ---- a trace ---- */

/* The options that `eval` would be given; the engine is one that can be looked into. */
static enum sch_cli_exit take_options(const struct sch_cli_compare *compare, unsigned which,
                                      struct sch_cli_session *session)
{
    const struct sch_cli_compared_side *side = &compare->side[which];
    enum sch_cli_exit exit_code = sch_cli_setup_take(&session->setup, compare->arguments);
    session->setup.reading = side->setup.reading;
    for (uint32_t i = 0; i < compare->said.count && exit_code == SCH_CLI_YES; i++) {
        const struct sch_cli_said *said = &compare->said.list[i];
        if (sch_cli_options[said->option].type == SCH_CLI_TYPE_OWN)
            exit_code = sch_cli_setup_option(&session->setup, &sch_cli_compare, (int)said->option, said->value);
    }
    const bool maxwell = side->setup.program.engine == SCH_ENGINE_MAXWELL;
    session->setup.program.engine = maxwell ? SCH_ENGINE_MAXWELL : SCH_ENGINE_INTERPRETER;
    session->setup.lookup_code = side->setup.lookup_code;
    session->setup.dispatch.budget = side->setup.dispatch.budget;
    session->setup.dispatch.cancel = side->setup.dispatch.cancel;
    session->setup.constant_text_count = 0; /* warnings about them were printed */
    return exit_code;
}

static enum sch_cli_exit open_session(const struct sch_cli_compare *compare, unsigned which,
                                      const struct sch_cli_inputs *inputs, const char *lines, uint32_t invocation,
                                      struct sch_cli_session *session)
{
    session->file = compare->side[which].file;
    session->vectors = "the witness";
    session->table_text = lines;
    session->reported = true;
    session->quads = inputs->quads;
    session->samples = compare->samples > 1 ? compare->samples : 1;
    session->asked.line = invocation + 1;
    session->asked.has_line = true;
    const enum sch_cli_exit exit_code = take_options(compare, which, session);
    return exit_code == SCH_CLI_YES ? sch_cli_session_open(&sch_cli_compare, session) : exit_code;
}

struct tracing {
    struct sch_cli_tracer *tracer;
    const struct sch_cli_shader *code; /* of the lookups; without a shader: they are the shader's own */
    bool alike;                        /* both traces are of one language */
};

static bool take_writes(const struct sch_cli_tracer *tracer, unsigned lane, struct sch_cli_traced_step *traced)
{
    for (uint32_t n = 0; n < tracer->step.written_count; n++) {
        const struct sch_cli_written *written = &tracer->step.written[n];
        struct sch_cli_traced_write write;
        char name[SCH_DEBUG_NAME_BYTES];
        if (!(written->lanes >> lane & 1) || !sch_cli_register_name(tracer->session, &written->which, name)) continue;
        snprintf(write.name, sizeof write.name, "%.47s", name);
        sch_cli_channel_letters(written->channels, write.channels);
        sch_cli_written_types(tracer, written, write.types);
        for (unsigned c = 0; c < 4; c++) write.words[c] = written->words[c][lane];
        if (!sch_cli_traced_write(traced, &write)) return false;
    }
    return true;
}

/* The texture instruction that runs in the place of the lookup of a step: the n-th for the n-th. */
static bool find_texture(const struct tracing *tracing, struct sch_maxwell_instruction_info *info)
{
    const struct sch_cli_session *session = tracing->tracer->session;
    struct sch_instruction_info in = {.size = sizeof in};
    uint32_t lookups = 0;
    for (uint32_t n = 0; n < tracing->tracer->step.before.instruction; n++)
        lookups += sch_shader_instruction(session->shader.shader, n, &in) && in.flags & SCH_CLI_LOOKS_UP;
    for (size_t n = 0; sch_maxwell_instruction(tracing->code->shader, (uint32_t)n, info); n++)
        if (info->is_texture && !lookups--) return true;
    return false;
}

/* NULL: memory. */
static char *text_of(const struct tracing *tracing)
{
    const struct sch_cli_step *step = &tracing->tracer->step;
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    char *text;
    if (!step->is_lookup || !tracing->code->shader || !find_texture(tracing, &info))
        return strdup(sch_cli_step_text(step));
    return asprintf(&text, "%s, as %s", sch_cli_step_text(step), info.text) < 0 ? NULL : text;
}

/* What the last step did in the invocation's lane. False: memory. */
static bool take_step(const struct tracing *tracing, struct sch_cli_traced *trace)
{
    const struct sch_cli_tracer *tracer = tracing->tracer;
    const struct sch_cli_step *step = &tracer->step;
    const unsigned lane = step->before.lane;
    struct sch_cli_traced_step *traced = sch_cli_traced_add(trace);
    size_t bytes;
    if (!traced) return false;
    traced->time = step->before.time;
    traced->line = step->before.line;
    traced->text = text_of(tracing);
    FILE *file = open_memstream(&traced->values, &bytes);
    if (file && sch_cli_step_has_values(step, lane)) sch_cli_step_put_values(file, tracer, lane);
    const bool good = file && fclose(file) == 0 && traced->text && traced->values && take_writes(tracer, lane, traced);
    if (good) sch_cli_traced_settle(traced, tracing->alike);
    return good;
}

static bool take_steps(const struct tracing *tracing, struct sch_cli_traced *trace)
{
    struct sch_cli_tracer *tracer = tracing->tracer;
    while (sch_cli_tracer_goes_on(tracer)) {
        if (trace->count == SCH_CLI_TRACED_MOST) {
            trace->cut = true;
            return true;
        }
        const enum sch_result result = sch_cli_tracer_step(tracer);
        if (result == SCH_ERROR_MEMORY) return false;
        if (result != SCH_OK) return true; /* as far as it goes */
        if (sch_cli_step_is_shown(&tracer->step) && !take_step(tracing, trace)) return false;
    }
    return true;
}

/* ---- both ---- */

static enum sch_cli_exit take_trace(const struct sch_cli_session *session, const char *file, bool alike,
                                    struct sch_cli_traced *trace)
{
    struct sch_cli_shader code = {0};
    struct tracing tracing = {.code = &code, .alike = alike};
    enum sch_cli_exit exit_code = file ? sch_cli_lookup_code_read(file, &code) : SCH_CLI_YES;
    if (exit_code == SCH_CLI_YES) tracing.tracer = sch_cli_tracer_create(session, 0, SCH_CLI_FLOATS_DEC);
    if (exit_code == SCH_CLI_YES && (!tracing.tracer || !take_steps(&tracing, trace))) exit_code = sch_cli_no_memory();
    if (sch_cli_session_cancelled(session)) exit_code = sch_cli_worse(exit_code, SCH_CLI_NO); /* it has a part of it */
    sch_cli_tracer_destroy(tracing.tracer);
    sch_cli_shader_release(&code);
    return exit_code;
}

static enum sch_cli_exit take_traces(const struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                     char *const lines[2], uint32_t invocation, struct sch_cli_session session[2],
                                     struct sch_cli_traced trace[2])
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (unsigned which = 0; which < 2 && exit_code == SCH_CLI_YES; which++)
        exit_code = open_session(compare, which, inputs, lines[which], invocation, &session[which]);
    for (unsigned which = 0; which < 2 && exit_code == SCH_CLI_YES; which++)
        exit_code = take_trace(&session[which], compare->side[which].code, !session[0].source == !session[1].source,
                               &trace[which]);
    return exit_code;
}

enum sch_cli_exit sch_cli_compare_trace(const struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                        char *const lines[2], uint32_t invocation, struct sch_cli_traced trace[2])
{
    struct sch_cli_session *session = calloc(2, sizeof *session);
    if (!session) return sch_cli_no_memory();
    for (unsigned which = 0; which < 2; which++) sch_cli_session_init(&session[which]);
    const enum sch_cli_exit exit_code = take_traces(compare, inputs, lines, invocation, session, trace);
    for (unsigned which = 0; which < 2; which++) sch_cli_session_release(&session[which]);
    free(session);
    return exit_code;
}
