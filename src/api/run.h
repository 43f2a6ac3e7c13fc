/* What the calls that run programs share: bindings in their inner form, options and report. Implemented in
 * api/dispatch.c. */
#ifndef SCH_API_RUN_H
#define SCH_API_RUN_H

#include "api/api.h"
#include "run/heat.h"

/* Copies of the caller's arrays that have ranges of resources (api/buffers.c). */
struct sch_api_replaced {
    void *constants, *buffers, *counters; /* arrays; NULL: the caller's */
};

/* Replaces the ranges of `given` by their memory. ARGUMENT, reported to `list`, MEMORY; in these cases, too, `replaced`
 * is to be released. Arrays that are not there are left for whoever reports them. */
enum sch_result sch_api_replace_ranges(struct sch_context *context, struct sch_bindings *given,
                                       struct sch_diagnostics *list, struct sch_api_replaced *replaced);
void sch_api_release_replaced(struct sch_context *context, struct sch_api_replaced *replaced);

/* The caller's bindings as the engine reads them; the arrays live for one dispatch. */
struct sch_api_bound {
    struct sch_api_replaced replaced;
    struct sch_exec_bindings exec;
    struct sch_maxwell_bindings maxwell;
    struct sch_constant_buffer *constants; /* those of the caller and of its interfaces; NULL: the caller's */
    struct sch_exec_view *views;
    struct sch_exec_sampler *samplers;
    struct sch_exec_image *images, *color_buffers;
    uint32_t *interfaces; /* words of two constant buffers */
};

/* ARGUMENT, reported to `list`, MEMORY; in these cases, too, `bound` is to be unbound. */
enum sch_result sch_api_bind(const struct sch_program *program, const struct sch_bindings *given,
                             struct sch_diagnostics *list, struct sch_api_bound *bound);
void sch_api_unbind(struct sch_context *context, struct sch_api_bound *bound);

/* The caller's invocations as this library knows them; implemented in api/invocations.c. ARGUMENT; UNSUPPORTED: they
 * ask for what the program's engine does not count. */
enum sch_result sch_api_take_invocations(const struct sch_program *program, const struct sch_invocations *given,
                                         struct sch_diagnostics *list, struct sch_invocations *taken);

/* The caller's rectangle likewise; implemented in api/rectangle.c. */
struct sch_api_rectangle {
    struct sch_rectangle given;
    void *registers, *render_targets; /* copies, where the caller's elements are of another size */
};

/* ARGUMENT: the program has no rectangles, or the rectangle is wrong; MEMORY; then, too, it is to be released. */
enum sch_result sch_api_take_rectangle(const struct sch_program *program, const struct sch_rectangle *given,
                                       struct sch_diagnostics *list, struct sch_api_rectangle *taken);
void sch_api_release_rectangle(struct sch_context *context, struct sch_api_rectangle *taken);

/* Reads the options, whose list becomes that of the call, and checks the report; false: refused. `name` is what reports
 * are of. */
bool sch_api_begin_run(struct sch_api_call *call, const char *name, const struct sch_dispatch_options *options,
                       const struct sch_dispatch_report *report, struct sch_run_options *run);
/* For calls whose invocations are not pixels: refuses options with heat. */
bool sch_api_has_no_heat(struct sch_api_call *call, const struct sch_run_options *run);
/* For calls that run no grid: refuses options with checks. */
bool sch_api_has_no_checks(struct sch_api_call *call, const struct sch_run_options *run);
/* UNSUPPORTED, reported to the list: the heat of the options is not what the program's engine counts. `program` may
 * be NULL. */
enum sch_result sch_api_counts_heat(const struct sch_program *program, const struct sch_run_options *run);
/* Writes the report, which may be NULL, and ends the call. */
enum sch_result sch_api_end_run(struct sch_api_call *call, const struct sch_run_report *done, enum sch_stage stage,
                                enum sch_result status, struct sch_dispatch_report *report);

#endif
