/* Where code comes from: the cache on disk, else the compiler. */
#include "native/internal.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double milliseconds(void) { return (double)sch_clock_ns() / SCH_NS_OF_MS; }

/* ---- making ---- */

/* A line a function: address and size in hexadecimal, name. One write, so that processes do not mix. */
static void name_code(const struct sch_native *native, const char *what, const uint8_t key[SCH_SHA256_BYTES],
                      const struct sch_native_code *code)
{
    char line[128];
    if (native->perf_map < 0) return;
    const int length =
        snprintf(line, sizeof line, "%lx %zx sch_%s_%02x%02x%02x%02x\n", (unsigned long)(uintptr_t)code->function,
                 code->function_bytes, what, key[0], key[1], key[2], key[3]);
    const ssize_t written = write(native->perf_map, line, (size_t)length);
    (void)written; /* a profile is not worth a word */
}

/* The name that the profiler, the cache and messages have in common. */
#define NAME_OF(what, key) (what), (key)[0], (key)[1], (key)[2], (key)[3]

/* Spans of fragments, whose groups run one by one where they have no code. */
static const char SPANS[] = "code for whole spans of program";

static const char *refusal(const char *what, const struct sch_native_result *result)
{
    if (result->status != SCH_ERROR_UNSUPPORTED) return "memory is out, or its code cannot be used";
    if (result->lost) return "the compiler was lost";
    if (result->abandoned) return "whoever waited for it has ended";
    if (!result->made.cost.too_large && what == SPANS)
        return "there is no compiler, or the program is too large for it";
    if (!result->made.cost.too_large) return "there is no compiler, or it does not take it";
    return result->made.cost.stack_bytes > SCH_NATIVE_STACK ? "it would take too much stack" : "it is too large";
}

/* What became of code that no cache had. */
static void tell(const struct sch_native *native, const char *what, const uint8_t key[SCH_SHA256_BYTES],
                 const struct sch_native_result *result)
{
    const struct sch_native_cost *cost = &result->made.cost;
    if (result->status == SCH_OK)
        sch_log(&native->log, SCH_LOG_INFO, SCH_LOG_CODE, "%s %02x%02x%02x%02x was compiled in %.1f ms: %zu bytes%s",
                NAME_OF(what, key), cost->build_ms + cost->passes_ms + cost->code_ms, result->made.code_bytes,
                result->kept ? ", kept in the cache" : "");
    else
        sch_log(&native->log, SCH_LOG_INFO, SCH_LOG_CODE, "%s %02x%02x%02x%02x %s: %s", NAME_OF(what, key),
                what == SPANS ? "is not made, its groups run one by one" : "has no machine code",
                refusal(what, result));
}

static void load(struct sch_native *native, const char *what, const uint8_t key[SCH_SHA256_BYTES], const void *bytes,
                 size_t size, struct sch_native_result *result)
{
    char function[32];
    double begin = milliseconds();
    snprintf(function, sizeof function, "sch_native_%s", strcmp(what, "lookup") == 0 ? "lookup" : "group");
    result->status = sch_native_load(bytes, size, function, native->account, &result->code);
    result->made.load_ms += milliseconds() - begin;
    result->made.object_bytes = size;
    result->made.code_bytes = result->code.function_bytes;
    result->made.stack_bytes = result->code.stack_bytes;
    if (result->status == SCH_OK) name_code(native, what, key, &result->code);
}

static bool take(struct sch_native *native, const char *what, const uint8_t key[SCH_SHA256_BYTES],
                 struct sch_native_result *result)
{
    size_t size;
    double begin = milliseconds();
    void *bytes = sch_native_cache_read(&native->cache, &native->allocator, key, &size);
    result->made.load_ms = milliseconds() - begin;
    if (!bytes) return false;
    load(native, what, key, bytes, size, result);
    native->allocator.free(native->allocator.user, bytes);
    if (result->status != SCH_OK) return false;
    result->made.from_cache = result->kept = true;
    sch_log(&native->log, SCH_LOG_DEBUG, SCH_LOG_CODE,
            "%s %02x%02x%02x%02x was read from the cache in %.1f ms: %zu bytes", NAME_OF(what, key),
            result->made.load_ms, result->made.code_bytes);
    atomic_fetch_add(&native->from_cache, 1u);
    return true;
}

bool sch_native_take_program(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES],
                             struct sch_native_result *result)
{
    *result = (struct sch_native_result){0};
    if (sch_native_share_piece(native, key, result)) return true;
    if (!take(native, "program", key, result)) return false;
    sch_native_add_piece(native, key, result);
    return true;
}

/* ---- requests ---- */

static struct sch_request begin_request(enum sch_request_kind kind, const char *level)
{
    struct sch_request message = {.kind = (uint8_t)kind};
    snprintf(message.level, sizeof message.level, "%s", level);
    return message;
}

/* Code that another process made: it has been kept there. */
static void take_reply(struct sch_native *native, const char *what, const uint8_t key[SCH_SHA256_BYTES],
                       const struct sch_reply *reply, struct sch_native_result *result)
{
    result->made.cost = (struct sch_native_cost){.build_ms = reply->build_ms,
                                                 .passes_ms = reply->passes_ms,
                                                 .code_ms = reply->code_ms,
                                                 .built = (size_t)reply->built,
                                                 .optimised = (size_t)reply->optimised,
                                                 .too_large = reply->too_large,
                                                 .stack_bytes = reply->stack_bytes};
    result->status = reply->too_large ? SCH_ERROR_UNSUPPORTED : (enum sch_result)reply->status;
    if (result->status == SCH_OK)
        load(native, what, key, reply->object.bytes, reply->object.size, result);
    else
        atomic_fetch_add(&native->refused, 1u);
    result->kept = result->status == SCH_OK && reply->kept;
    if (result->kept) atomic_fetch_add(&native->to_cache, 1u);
}

/* Code of another process, which keeps it under `key` where it keeps any. */
static void request_code(struct sch_native *native, const char *what, struct sch_request *message,
                         const uint8_t key[SCH_SHA256_BYTES], const uint8_t culprit[SCH_SHA256_BYTES],
                         struct sch_native_call *call, struct sch_native_result *result)
{
    struct sch_wire bytes;
    struct sch_reply reply = {0};
    const enum sch_call_outcome outcome =
        call->leaves ? SCH_CALL_ABANDONED : sch_native_request(native, message, culprit, false, call, &bytes, &reply);
    if (outcome == SCH_CALL_ABANDONED && native->worker.leaves) sch_native_leave(native, message);
    if (outcome == SCH_CALL_REPLIED) take_reply(native, what, key, &reply, result);
    if (outcome == SCH_CALL_REPLIED) sch_wire_release(&bytes);
    if (outcome == SCH_CALL_MEMORY) result->status = SCH_ERROR_MEMORY;
    result->lost = outcome == SCH_CALL_LOST;
    result->abandoned = outcome == SCH_CALL_ABANDONED;
    if (result->lost) atomic_fetch_add(&native->refused, 1u);
}

/* What the compiler in this process made of a request becomes code, and is kept. */
static void accept(struct sch_native *native, const char *what, const uint8_t key[SCH_SHA256_BYTES],
                   const struct sch_native_compiler *compiler, struct sch_native_object *object,
                   struct sch_native_result *result)
{
    if (result->status != SCH_OK) {
        atomic_fetch_add(&native->refused, 1u);
        return;
    }
    load(native, what, key, object->bytes, object->size, result);
    result->kept = result->status == SCH_OK &&
                   sch_native_cache_write(&native->cache, &native->allocator, key, object->bytes, object->size);
    if (result->kept) atomic_fetch_add(&native->to_cache, 1u);
    compiler->release(object);
}

/* LLVM recurses, and whoever waits for code may have a small stack, and the process's default too: compiling has a
 * thread of its own, with the stack that processes have by default. */
enum { COMPILER_STACK = 8 << 20 };

struct compilation {
    const struct sch_native_compiler *compiler;
    const struct sch_native_program_request *program; /* or NULL: */
    const struct sch_native_lookup_form *form;
    const char *level;
    struct sch_native_object *object;
    struct sch_native_cost *cost;
    char **text; /* NULL: an object */
    enum sch_result status;
};

static void compile_here(void *user)
{
    struct compilation *c = user;
    c->status = c->program ? c->compiler->compile_program(c->program, c->object, c->cost, c->text)
                           : c->compiler->compile_lookup(c->form, c->level, c->object, c->cost, NULL);
}

static enum sch_result compile(struct compilation *compilation)
{
    return sch_thread_call(COMPILER_STACK, compile_here, compilation) ? compilation->status : SCH_ERROR_MEMORY;
}

enum sch_result sch_native_compile_program(const struct sch_native_compiler *compiler,
                                           const struct sch_native_program_request *request,
                                           struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    return compile(
        &(struct compilation){.compiler = compiler, .program = request, .object = object, .cost = cost, .text = text});
}

static void make_inside(struct sch_native *native, const struct sch_native_program_request *request,
                        const uint8_t key[SCH_SHA256_BYTES], struct sch_native_result *result)
{
    const struct sch_native_compiler *compiler = sch_native_compiler_of(native);
    if (!compiler) return;
    struct sch_native_object object = {0};
    result->status = sch_native_compile_program(compiler, request, &object, &result->made.cost, NULL);
    if (result->made.cost.too_large) result->status = SCH_ERROR_UNSUPPORTED;
    accept(native, "program", key, compiler, &object, result);
}

static struct sch_request program_request(enum sch_request_kind kind, const struct sch_native_program_request *request,
                                          const struct sch_native_source *source)
{
    struct sch_request message = begin_request(kind, request->level);
    message.shader = source->shader;
    message.full = request->full;
    message.quads = request->quads;
    message.metered = request->metered;
    message.has_span = request->span != NULL;
    if (request->span) message.span = *request->span;
    return message;
}

void sch_native_make_program(struct sch_native *native, const struct sch_native_program_request *request,
                             const struct sch_native_source *source, const uint8_t key[SCH_SHA256_BYTES],
                             struct sch_native_call *call, struct sch_native_result *result)
{
    if (sch_native_take_program(native, key, result)) return;
    *result = (struct sch_native_result){.status = SCH_ERROR_UNSUPPORTED, .made.load_ms = result->made.load_ms};
    if (native->inside) {
        make_inside(native, request, key, result);
    } else {
        struct sch_request message = program_request(SCH_REQUEST_PROGRAM, request, source);
        request_code(native, "program", &message, key, source->digest, call, result);
    }
    if (result->status == SCH_OK) atomic_fetch_add(&native->programs, 1u);
    tell(native, request->span && request->span->has_fragments ? SPANS : "program", key, result);
    sch_native_add_piece(native, key, result);
}

enum sch_result sch_native_try_program(struct sch_native *native, const struct sch_native_program_request *request,
                                       const struct sch_native_source *source, bool *too_large)
{
    *too_large = false;
    if (native->inside) {
        const struct sch_native_compiler *compiler = sch_native_compiler_of(native);
        *too_large = compiler && !compiler->fits(request);
        return compiler && !*too_large ? SCH_OK : SCH_ERROR_UNSUPPORTED;
    }
    struct sch_wire bytes;
    struct sch_native_call call = {0};
    struct sch_reply reply = {0};
    struct sch_request message = program_request(SCH_REQUEST_FITS, request, source);
    enum sch_call_outcome outcome = sch_native_request(native, &message, source->digest, false, &call, &bytes, &reply);
    if (outcome == SCH_CALL_MEMORY) return SCH_ERROR_MEMORY;
    if (outcome != SCH_CALL_REPLIED) return SCH_ERROR_UNSUPPORTED;
    sch_wire_release(&bytes);
    *too_large = reply.too_large;
    return *too_large ? SCH_ERROR_UNSUPPORTED : (enum sch_result)reply.status;
}

bool sch_native_has_spans(struct sch_native *native, const char *level, const uint8_t digest[SCH_SHA256_BYTES])
{
    size_t size;
    uint8_t key[SCH_SHA256_BYTES];
    sch_native_sign_key(level, digest, key);
    void *bytes = sch_native_cache_read(&native->cache, &native->allocator, key, &size);
    if (bytes) native->allocator.free(native->allocator.user, bytes);
    return bytes != NULL;
}

/* With code that another process kept, it kept the sign; where that is lost, a process that is there writes it
 * again. */
void sch_native_note_spans(struct sch_native *native, const char *level, const struct sch_native_source *source)
{
    if (sch_native_has_spans(native, level, source->digest)) return; /* reading made it young */
    if (native->inside) {
        uint8_t key[SCH_SHA256_BYTES];
        sch_native_sign_key(level, source->digest, key);
        sch_native_cache_write(&native->cache, &native->allocator, key, SCH_NATIVE_SIGN, sizeof SCH_NATIVE_SIGN);
        return;
    }
    struct sch_wire bytes;
    struct sch_native_call call = {0};
    struct sch_reply reply = {0};
    struct sch_request message = begin_request(SCH_REQUEST_SIGN, level);
    message.shader = source->shader;
    if (sch_native_request(native, &message, source->digest, true, &call, &bytes, &reply) == SCH_CALL_REPLIED)
        sch_wire_release(&bytes);
}

bool sch_native_take_lookup(struct sch_native *native, const struct sch_native_lookup_form *form,
                            const struct sch_ops *ops, struct sch_native_result *result)
{
    uint8_t key[SCH_SHA256_BYTES];
    *result = (struct sch_native_result){0};
    sch_native_lookup_key(form, ops->name, key);
    return take(native, "lookup", key, result);
}

static void make_lookup_inside(struct sch_native *native, const struct sch_native_lookup_form *form,
                               const struct sch_ops *ops, const uint8_t key[SCH_SHA256_BYTES],
                               struct sch_native_result *result)
{
    const struct sch_native_compiler *compiler = sch_native_compiler_of(native);
    if (!compiler || !compiler->compile_lookup) return;
    struct sch_native_object object = {0};
    result->status = compile(&(struct compilation){
        .compiler = compiler, .form = form, .level = ops->name, .object = &object, .cost = &result->made.cost});
    accept(native, "lookup", key, compiler, &object, result);
}

void sch_native_make_lookup(struct sch_native *native, const struct sch_native_lookup_form *form,
                            const struct sch_ops *ops, struct sch_native_call *call, struct sch_native_result *result)
{
    uint8_t key[SCH_SHA256_BYTES];
    *result = (struct sch_native_result){.status = SCH_ERROR_UNSUPPORTED};
    sch_native_lookup_key(form, ops->name, key);
    if (take(native, "lookup", key, result)) return;
    if (native->inside) {
        make_lookup_inside(native, form, ops, key, result);
    } else {
        struct sch_request message = begin_request(SCH_REQUEST_LOOKUP, ops->name);
        message.form = *form;
        request_code(native, "lookup", &message, key, key, call, result);
    }
    if (result->status == SCH_OK) atomic_fetch_add(&native->compiled_lookups, 1u);
    tell(native, "lookup", key, result);
}
