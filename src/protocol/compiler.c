/* Finding the compiler: a shared object of its own, so that whoever needs no machine code needs no LLVM. It is loaded
 * once and stays until the process ends, as LLVM cannot be unloaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "protocol/compiler.h"

const struct sch_native_compiler *sch_native_load_compiler(const char *path, char *problem, size_t bytes)
{
    if (*path != '/') { /* another word would be looked for in the system's folders */
        snprintf(problem, bytes, "%s is not an absolute path", path);
        return NULL;
    }
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!object) {
        const char *error = dlerror(); /* names the file, or the library that it needs and that is missing */
        snprintf(problem, bytes, "%s", error ? error : "it cannot be loaded");
        return NULL;
    }
    const struct sch_native_compiler *compiler = dlsym(object, SCH_NATIVE_COMPILER_SYMBOL);
    bool fits = compiler && compiler->version == SCH_NATIVE_VERSION && strcmp(compiler->build, sch_native_build) == 0;
    if (fits) return compiler;
    snprintf(problem, bytes, "%s %s", path,
             compiler ? "was built with another version of this library" : "is not a compiler of machine code");
    dlclose(object);
    return NULL;
}
