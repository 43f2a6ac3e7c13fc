/* Finding the compiler: a shared object of its own, so that whoever needs no machine code needs no LLVM. It is loaded
 * once and stays until the process ends, as LLVM cannot be unloaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "native/internal.h"

enum { PATH_BYTES = 4096 };

#define COMPILER_NAME "libscheelite-jit.so.0"

/* Any of this library's addresses says where it stands. */
static const char here;

/* A path to try, and why nothing came of it. */
struct search {
    char *problem;
    size_t bytes;
    bool found; /* a file that should have been it was there: its problem is the one to tell */
};

static void note(struct search *search, const char *path, const char *problem)
{
    if (search->found) return;
    search->found = access(path, F_OK) == 0;
    snprintf(search->problem, search->bytes, "%s", problem);
}

static const struct sch_native_compiler *load(const char *path, struct search *search)
{
    char problem[PATH_BYTES + 80];
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!object) {
        const char *error = dlerror(); /* names the file, or the library that it needs and that is missing */
        note(search, path, error ? error : "it cannot be loaded");
        return NULL;
    }
    const struct sch_native_compiler *compiler = dlsym(object, SCH_NATIVE_COMPILER_SYMBOL);
    bool fits = compiler && compiler->version == SCH_NATIVE_VERSION && strcmp(compiler->build, sch_native_build) == 0;
    if (fits) return compiler;
    snprintf(problem, sizeof problem, "%s %s", path,
             compiler ? "was built with another version of this library" : "is no compiler of machine code");
    note(search, path, problem);
    dlclose(object);
    return NULL;
}

/* In `folder` below the folder that this library (or the program that it is part of) was loaded from. */
static const struct sch_native_compiler *load_beside(const char *folder, struct search *search)
{
    Dl_info info;
    char path[PATH_BYTES];
    if (!dladdr(&here, &info) || !info.dli_fname) return NULL;
    const char *slash = strrchr(info.dli_fname, '/');
    if (!slash) return NULL;
    int length =
        snprintf(path, sizeof path, "%.*s/%s" COMPILER_NAME, (int)(slash - info.dli_fname), info.dli_fname, folder);
    return length > 0 && length < PATH_BYTES ? load(path, search) : NULL;
}

const struct sch_native_compiler *sch_native_load_compiler(const char *path, char *problem, size_t bytes)
{
    struct search search = {.problem = problem, .bytes = bytes};
    if (path) return load(path, &search);
    const struct sch_native_compiler *compiler = load_beside("", &search);
    if (!compiler) compiler = load_beside("jit/", &search); /* where it is built */
    return compiler ? compiler : load(COMPILER_NAME, &search);
}
