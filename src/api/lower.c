/* Shaders made of shaders: a Direct3D shader lowered to the language that runs, for the caller or for as long as a call
 * needs it, and the way back. Holds nothing of how: that is d3d/lower and d3d/raise. */
#include "api/maxwell.h"

#include "d3d/check/check.h"
#include "d3d/lower/lower.h"
#include "d3d/raise/raise.h"
#include "ir/check.h"
#include "maxwell/run/program.h"

static enum sch_result open_shader(const struct sch_shader *shader, struct sch_diagnostics *list,
                                   struct sch_d3d_origins *origins, struct sch_api_ir *opened)
{
    *opened = (struct sch_api_ir){.ir = shader->ir};
    const struct sch_context *context = shader->context;
    enum sch_result status = SCH_OK;
    if (shader->maxwell)
        status = sch_maxwell_make_ir(shader->maxwell, &context->allocator, &context->limits, list, &opened->made);
    if (shader->maxwell) opened->ir = opened->made;
    if (!shader->d3d) return status;
    status = sch_d3d_check(shader->d3d->program, shader->d3d->signatures, list);
    if (status != SCH_OK) return status;
    status = sch_d3d_lower(shader->d3d->program, shader->d3d->signatures, &context->allocator, &context->limits, list,
                           origins, &opened->made);
    opened->ir = opened->made;
    return status;
}

enum sch_result sch_api_open(const struct sch_shader *shader, struct sch_diagnostics *list, struct sch_api_ir *opened)
{
    return open_shader(shader, list, NULL, opened);
}

void sch_api_close(struct sch_api_ir *opened) { sch_ir_destroy(opened->made); }

/* A shader with the name of another, of the same context; NULL: no memory. */
static struct sch_shader *namesake(const struct sch_shader *shader)
{
    struct sch_shader *made = sch_api_alloc(shader->context, sizeof *made);
    if (!made) return NULL;
    made->context = shader->context;
    made->name = sch_api_name(shader->context, shader->name);
    if (made->name) return made;
    sch_shader_destroy(made);
    return NULL;
}

/* Gives the shader to the caller, or takes it back. */
static enum sch_result deliver(struct sch_api_call *call, struct sch_shader *made, enum sch_result status,
                               struct sch_shader **result)
{
    status = sch_api_end(call, status);
    if (status == SCH_OK)
        *result = made;
    else
        sch_shader_destroy(made);
    return status;
}

enum sch_result sch_shader_lower(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                 struct sch_shader **lowered)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, NULL);
    if (lowered) *lowered = NULL;
    if (!sch_api_given(&call, lowered, "lowered") || !sch_api_given(&call, shader, "shader"))
        return sch_api_refused(&call);
    if (!shader->d3d) return sch_api_wrong(&call, "shader", "the shader is not a Direct3D shader");
    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);
    struct sch_shader *made = namesake(shader);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    struct sch_api_ir opened;
    enum sch_result status = open_shader(shader, list, &made->origins, &opened);
    made->ir = opened.made;
    if (status == SCH_OK) status = sch_api_list_interfaces(made, shader->d3d->program);
    if (status == SCH_OK) status = sch_api_list_ranges(made, shader->d3d->program);
    return deliver(&call, made, status, lowered);
}

enum sch_result sch_shader_raise(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                 struct sch_shader **raised)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, NULL);
    if (raised) *raised = NULL;
    if (!sch_api_given(&call, raised, "raised") || !sch_api_given(&call, shader, "shader"))
        return sch_api_refused(&call);
    if (!shader->ir) return sch_api_wrong(&call, "shader", "the shader is no TGSI shader");
    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);
    struct sch_shader *made = namesake(shader);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    enum sch_result status = sch_ir_check(shader->ir, list);
    if (status == SCH_OK)
        status = sch_d3d_raise(shader->ir, &shader->context->allocator, &shader->context->limits, list, &made->d3d);
    if (status == SCH_OK) status = sch_api_list_ranges(made, made->d3d->program);
    return deliver(&call, made, status, raised);
}
