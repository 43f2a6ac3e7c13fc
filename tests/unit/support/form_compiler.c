/* The compiler of machine code, which makes of Maxwell programs the form that a test says (form_compiler.h). The test
 * loads it, too, so both see one variable. */
#include "form_compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) extern const struct sch_native_compiler sch_native_compiler_1;
__attribute__((visibility("default"))) enum sch_native_form sch_test_form;

static const struct sch_native_compiler *compiler;

__attribute__((constructor)) static void load(void)
{
    char path[4096];
    const char *build = getenv("SCH_BUILD");
    snprintf(path, sizeof path, "%s/src/jit/libscheelite-jit.so.1", build ? build : ".");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) compiler = dlsym(library, SCH_NATIVE_COMPILER_SYMBOL);
    if (compiler) return;
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
}

static struct sch_native_program_request changed(const struct sch_native_program_request *request)
{
    struct sch_native_program_request other = *request;
    other.form = sch_test_form;
    return other;
}

static bool fits(const struct sch_native_program_request *request)
{
    const struct sch_native_program_request other = changed(request);
    return compiler->fits(&other);
}

static enum sch_result compile_program(const struct sch_native_program_request *request,
                                       struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    const struct sch_native_program_request other = changed(request);
    return compiler->compile_program(&other, object, cost, text);
}

static enum sch_result compile_lookup(const struct sch_native_lookup_form *form, const char *level,
                                      struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    return compiler->compile_lookup(form, level, object, cost, text);
}

static void release(struct sch_native_object *object) { compiler->release(object); }
static void release_text(char *text) { compiler->release_text(text); }

const struct sch_native_compiler sch_native_compiler_1 = {.version = SCH_NATIVE_VERSION,
                                                          .build = sch_native_build,
                                                          .identity = "forms",
                                                          .fits = fits,
                                                          .compile_program = compile_program,
                                                          .compile_lookup = compile_lookup,
                                                          .release = release,
                                                          .release_text = release_text};
