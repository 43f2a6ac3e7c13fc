/* As by_code.c, for tests that make programs inside the library (exec/exec.h). */
#include "by_code.h"

#include <stddef.h>

#include "code_folder.h"
#include "exec/exec.h"
#include "native/native.h"

/* NOLINTBEGIN: the linker gives these names */
enum sch_result __real_sch_exec_create(const struct sch_ir_shader *shader, const struct sch_exec_options *options,
                                       const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                       struct sch_exec_program **program);
enum sch_result __wrap_sch_exec_create(const struct sch_ir_shader *shader, const struct sch_exec_options *options,
                                       const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                       struct sch_exec_program **program);
/* NOLINTEND */

/* One for the process; destroyed after all programs. */
static struct sch_native *native;

static bool open_native(void)
{
    if (native) return true;
    const struct sch_native_options options = {
        .compiler = by_code_compiler(), .inside = by_code_inside(), .cache = code_folder()};
    return sch_native_create(&sch_allocator_libc, &options, &native) == SCH_OK;
}

__attribute__((destructor)) static void close_native(void)
{
    if (!native) return;
    struct sch_code_counts counts = sch_native_counted(native);
    by_code_count(counts.programs, counts.lookups, counts.refused, counts.native_groups);
    sch_native_destroy(native);
    native = NULL;
}

/* NOLINTNEXTLINE */
enum sch_result __wrap_sch_exec_create(const struct sch_ir_shader *shader, const struct sch_exec_options *options,
                                       const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                       struct sch_exec_program **program)
{
    struct sch_exec_options changed = options ? *options : (struct sch_exec_options){0};
    if (!by_code() || changed.engine || !open_native())
        return __real_sch_exec_create(shader, options, allocator, diagnostics, program);
    changed.engine = &sch_engine_jit;
    changed.engine_context = native;
    return __real_sch_exec_create(shader, &changed, allocator, diagnostics, program);
}
