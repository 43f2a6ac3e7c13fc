/* The context, and the small things that every other file of this folder needs: memory, results, struct sizes. */
#include "api/api.h"

#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "isa/errors.h"

#define STRING_OF(x)                      #x
#define VERSION_TEXT(major, minor, patch) STRING_OF(major) "." STRING_OF(minor) "." STRING_OF(patch)

const char *sch_version(void) { return VERSION_TEXT(SCH_VERSION_MAJOR, SCH_VERSION_MINOR, SCH_VERSION_PATCH); }

const char *sch_result_text(enum sch_result result)
{
    switch (result) {
    case SCH_OK:
        return "ok";
    case SCH_ERROR_ARGUMENT:
        return "wrong argument";
    case SCH_ERROR_MEMORY:
        return "out of memory";
    case SCH_ERROR_INVALID:
        return "invalid input";
    case SCH_ERROR_UNSUPPORTED:
        return "not supported";
    case SCH_ERROR_LIMIT:
        return "limit exceeded";
    case SCH_ERROR_BUDGET:
        return "budget used up";
    case SCH_ERROR_INTERNAL:
        return "internal error";
    case SCH_ERROR_BARRIER:
        return "barrier not reached by all";
    case SCH_ERROR_ABORTED:
        return "aborted by the shader";
    case SCH_ERROR_WORK:
        return "work used up";
    case SCH_ERROR_DEADLINE:
        return "deadline passed";
    case SCH_ERROR_CANCELLED:
        return "cancelled";
    }
    return "unknown result";
}

void *sch_api_alloc(struct sch_context *context, size_t bytes)
{
    void *memory = context->allocator.alloc(context->allocator.user, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

uint64_t sch_api_number(struct sch_context *context)
{
    return atomic_fetch_add_explicit(&context->numbered, 1, memory_order_relaxed) + 1;
}

char *sch_api_name(struct sch_context *context, const char *name)
{
    if (!name) name = "";
    size_t bytes = strlen(name) + 1;
    char *copy = sch_api_alloc(context, bytes);
    return copy ? memcpy(copy, name, bytes) : NULL;
}

void sch_api_append(char *text, size_t bytes, const char *separator, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s", used ? separator : "", word);
}

/* The members that are not zero take the place of the default. */
static bool read_limits(const struct sch_limit_options *given, struct sch_diagnostics *list, struct sch_limits *limits)
{
    struct sch_limit_options wanted;
    if (!sch_api_read_inner(list, ".limits", &wanted, sizeof wanted, sizeof wanted, given)) return false;
    *limits = SCH_LIMITS_DEFAULT;
#define LIMIT(name, type, fallback, meaning)                                                                           \
    if (wanted.name) limits->name = wanted.name;
#include "base/limits.def"
#undef LIMIT
    return true;
}

enum sch_result sch_limit_set(struct sch_limit_options *limits, const char *name, uint64_t value)
{
    if (!limits || !name || !value || !sch_sized_fits(limits->size, sizeof *limits)) return SCH_ERROR_ARGUMENT;
#define LIMIT(name_, type_, fallback_, meaning_)                                                                       \
    if (strcmp(name, #name_) == 0) {                                                                                   \
        limits->name_ = (type_)value;                                                                                  \
        return limits->name_ == value ? SCH_OK : SCH_ERROR_ARGUMENT;                                                   \
    }
#include "base/limits.def"
#undef LIMIT
    return SCH_ERROR_ARGUMENT;
}

static bool read_machine_code(const struct sch_machine_code_options *given, struct sch_diagnostics *list,
                              struct sch_native_options *native)
{
    struct sch_machine_code_options wanted;
    if (!sch_api_read_inner(list, ".machine_code", &wanted, sizeof wanted, sizeof wanted, given)) return false;
    *native = (struct sch_native_options){.compiler = wanted.compiler,
                                          .process = wanted.process,
                                          .inside = wanted.inside,
                                          .cache = wanted.cache,
                                          .cache_bytes = wanted.cache_bytes,
                                          .perf_map = wanted.perf_map};
    return true;
}

static void free_context(struct sch_context *context)
{
    struct sch_allocator allocator = context->account.inner;
    sch_pool_destroy(context->pool);
    sch_api_free(context, (void *)context->warnings.ignored);
    pthread_mutex_destroy(&context->wrong_calls.lock);
    allocator.free(allocator.user, context);
}

static bool has_row(unsigned number)
{
    size_t count;
    const struct sch_error_info *rows = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == number) return true;
    return false;
}

static bool warnings_hold(const struct sch_warning_options *given, struct sch_diagnostics *list)
{
    struct sch_warning_options wanted;
    if (!sch_api_read_inner(list, ".warnings", &wanted, sizeof wanted, sizeof wanted, given)) return false;
    if (wanted.ignored_count && !wanted.ignored)
        return sch_refuse_argument(list, ".warnings.ignored", "warnings.ignored: %zu of no array",
                                   wanted.ignored_count);
    for (size_t i = 0; i < wanted.ignored_count; i++)
        if (!has_row(wanted.ignored[i]))
            return sch_refuse_element(list, ".warnings.ignored[#]", (uint32_t)i,
                                      "warnings.ignored: no diagnostic is %u", wanted.ignored[i]);
    return true;
}

/* The context's lists look at the numbers, so they are memory of its own. */
static enum sch_result take_warnings(const struct sch_warning_options *given, struct sch_context *context)
{
    struct sch_warning_options wanted;
    sch_sized_read(&wanted, sizeof wanted, sizeof wanted, given);
    context->warnings = (struct sch_warning_options){.pedantic = wanted.pedantic, .counted_only = wanted.counted_only};
    if (!wanted.ignored_count) return SCH_OK;
    const size_t bytes = wanted.ignored_count * sizeof *wanted.ignored; /* all of which were read */
    unsigned *ignored = sch_api_alloc(context, bytes);
    if (!ignored) return sch_api_no_memory(context);
    context->warnings.ignored = memcpy(ignored, wanted.ignored, bytes);
    context->warnings.ignored_count = wanted.ignored_count;
    return SCH_OK;
}

/* The callbacks are there, where there are structs of them. */
static bool callbacks_hold(const struct sch_context_options *wanted, struct sch_diagnostics *list)
{
    const struct sch_allocator *memory = wanted->memory;
    if (memory && !memory->alloc) return sch_refuse_argument(list, ".memory.alloc", "memory.alloc is NULL");
    if (memory && !memory->free) return sch_refuse_argument(list, ".memory.free", "memory.free is NULL");
    if (wanted->threads && !wanted->threads->function)
        return sch_refuse_argument(list, ".threads.function", "threads.function is NULL");
    return true;
}

enum sch_result sch_context_create(const struct sch_context_options *options, struct sch_context **context)
{
    struct sch_api_call call;
    struct sch_context_options wanted;
    struct sch_limits limits;
    struct sch_native_options native;
    sch_api_begin(&call, NULL, NULL, __func__, "options");
    if (context) *context = NULL;
    if (!sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options)) return sch_api_refused(&call);
    if (wanted.log && !wanted.log->function)
        return sch_api_wrong(&call, ".log.function", "log.function is NULL"); /* and it cannot be reported */
    call.log = wanted.log;
    if (!sch_api_given(&call, context, "context") || !read_limits(wanted.limits, call.list, &limits) ||
        !read_machine_code(wanted.machine_code, call.list, &native) || !callbacks_hold(&wanted, call.list) ||
        !warnings_hold(wanted.warnings, call.list) ||
        !sch_api_takes(call.list, ".dialect", (uint32_t)wanted.dialect, 0, SCH_DIALECT_VIRGL))
        return sch_api_refused(&call);
    struct sch_allocator allocator = sch_allocator_libc;
    if (wanted.memory) allocator = *wanted.memory;

    struct sch_context *made = allocator.alloc(allocator.user, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    *made = (struct sch_context){.limits = limits, .dialect = wanted.dialect};
    pthread_mutex_init(&made->wrong_calls.lock, NULL);
    if (wanted.log) made->log = *wanted.log;
    sch_account_init(&made->account, &allocator, limits.context_memory);
    made->allocator = sch_account_allocator(&made->account);
    enum sch_result result = take_warnings(wanted.warnings, made);
    if (result == SCH_OK && !(made->pool = sch_pool_create(&made->allocator, wanted.threads)))
        result = sch_api_no_memory(made);
    if (result == SCH_OK) {
        native.account = &made->account;
        native.log = made->log;
        enum sch_result status = sch_native_create(&made->allocator, &native, &made->native);
        result = sch_api_settled(made, NULL, status);
    }
    if (result != SCH_OK) {
        free_context(made);
        return result;
    }
    *context = made;
    return SCH_OK;
}

void sch_context_destroy(struct sch_context *context)
{
    if (!context) return;
    sch_native_destroy(context->native);
    free_context(context);
}

enum sch_result sch_context_get_memory(const struct sch_context *context, struct sch_context_memory *memory)
{
    struct sch_api_call call;
    sch_api_begin(&call, (struct sch_context *)context, NULL, __func__, NULL); /* what is kept of wrong calls changes */
    if (!sch_api_given(&call, context, "context") || !SCH_API_FILLS(&call, memory, sizeof *memory))
        return sch_api_refused(&call);
    const struct sch_allocator *allocator = &context->allocator;
    struct sch_context_memory known = {.memory = {allocator->alloc, allocator->free, allocator->user},
                                       .held = sch_account_held(&context->account),
                                       .limit = context->account.limit};
    sch_sized_write(memory, &known, sizeof known);
    return SCH_OK;
}

void sch_free(struct sch_context *context, void *memory)
{
    if (context) sch_api_free(context, memory);
}
