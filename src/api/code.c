/* What callers ask about machine code, on src/native. */
#include "api/api.h"

#include <string.h>

static bool read_options(const struct sch_code_options *given, struct sch_code_options *options)
{
    *options = (struct sch_code_options){0};
    return sch_api_options(options, sizeof *options, sizeof *options, given);
}

enum sch_result sch_program_compile(const struct sch_program *program, const struct sch_code_options *options,
                                    struct sch_code_report *report)
{
    struct sch_code_options wanted;
    if (!program || !read_options(options, &wanted)) return SCH_ERROR_ARGUMENT;
    if (report && !sch_api_fill_size(report->size, sizeof *report)) return SCH_ERROR_ARGUMENT;
    struct sch_native_made made = {0};
    enum sch_status status = sch_native_prepare(program->exec, wanted.full, wanted.quads, &made);
    const struct sch_code_report value = {.build_ms = made.cost.build_ms,
                                          .passes_ms = made.cost.passes_ms,
                                          .code_ms = made.cost.code_ms,
                                          .load_ms = made.load_ms,
                                          .built = made.cost.built,
                                          .optimised = made.cost.optimised,
                                          .object_bytes = made.object_bytes,
                                          .code_bytes = made.code_bytes,
                                          .too_large = made.cost.too_large,
                                          .from_cache = made.from_cache};
    if (report) sch_api_fill(report, &value, sizeof value);
    return sch_api_result(status);
}

enum sch_result sch_program_code_text(const struct sch_program *program, const struct sch_code_options *options,
                                      enum sch_code_text kind, char **text)
{
    struct sch_code_options wanted;
    if (!text) return SCH_ERROR_ARGUMENT;
    *text = NULL;
    if (!program || !read_options(options, &wanted) || (unsigned)kind > SCH_CODE_ASSEMBLY) return SCH_ERROR_ARGUMENT;
    char *made = NULL;
    enum sch_status status =
        sch_native_inspect(program->exec, wanted.full, wanted.quads, kind == SCH_CODE_ASSEMBLY, &made);
    if (status != SCH_STATUS_OK) return sch_api_result(status);
    if (made) *text = sch_api_name(program->context, made);
    sch_native_release_text(program->exec, made);
    return *text ? SCH_OK : SCH_ERROR_MEMORY;
}

enum sch_result sch_context_code_counts(struct sch_context *context, struct sch_code_counts *counts)
{
    if (!context || !counts || !sch_api_fill_size(counts->size, sizeof *counts)) return SCH_ERROR_ARGUMENT;
    struct sch_native_counts made = sch_native_counted(context->native);
    const struct sch_code_counts value = {.programs = made.programs,
                                          .lookups = made.lookups,
                                          .from_cache = made.from_cache,
                                          .to_cache = made.to_cache,
                                          .refused = made.refused,
                                          .native_groups = made.native_groups,
                                          .decoded_groups = made.decoded_groups};
    sch_api_fill(counts, &value, sizeof value);
    return SCH_OK;
}
