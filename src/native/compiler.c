/* The compiler of a context: loaded into this process when it is first wanted, and whether there is one, as far as it
 * is known. Holds no call of it (native/make.c) and no process that has it (native/process.c). */
#include "native/internal.h"

const struct sch_native_compiler *sch_native_compiler_of(struct sch_native *native)
{
    pthread_mutex_lock(&native->compiler_lock);
    const bool tried = !native->compiler_tried;
    if (tried)
        native->compiler =
            sch_native_load_compiler(native->compiler_path, native->compiler_problem, sizeof native->compiler_problem);
    native->compiler_tried = true;
    const struct sch_native_compiler *compiler = native->compiler;
    pthread_mutex_unlock(&native->compiler_lock);
    if (tried && !compiler)
        sch_log(&native->log, SCH_LOG_INFO, SCH_LOG_COMPILER, "there is no compiler of machine code: %s",
                native->compiler_problem);
    return compiler;
}

bool sch_native_has_compiler(struct sch_native *native)
{
    if (native->inside) return sch_native_compiler_of(native) != NULL;
    pthread_mutex_lock(&native->compiler_lock);
    bool has = native->compiler || !native->compiler_tried;
    pthread_mutex_unlock(&native->compiler_lock);
    return has;
}

struct sch_native_description sch_native_describe(struct sch_native *native)
{
    const struct sch_native_compiler *compiler = sch_native_compiler_of(native);
    return (struct sch_native_description){.file = native->compiler_path,
                                           .program = native->process_path,
                                           .identity = compiler ? compiler->identity : NULL,
                                           .problem = compiler ? NULL : native->compiler_problem,
                                           .cache = native->cache.folder};
}
