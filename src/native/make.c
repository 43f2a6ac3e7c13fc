/* Where code comes from: the cache on disk, else the compiler; and under which key it is kept: everything that decides
 * what the code is. The compiler's own version is not part of it, as a hit must not load the compiler; it is written
 * into the build's number, with all sources. Nor is the processor: code uses what its level has, and no more. */
#include "native/internal.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double milliseconds(void) { return (double)sch_clock_ns() / SCH_NS_OF_MS; }

/* ---- keys ---- */

static void begin_key(struct sch_sha256 *hash, const char *what, const char *level)
{
    sch_sha256_begin(hash);
    sch_sha256_add(hash, sch_native_build, strlen(sch_native_build));
    sch_sha256_add_u32(hash, SCH_NATIVE_VERSION);
    sch_sha256_add(hash, what, strlen(what) + 1);
    sch_sha256_add(hash, level, strlen(level) + 1);
}

static void add_form(struct sch_sha256 *hash, const struct sch_native_lookup_form *form)
{
    const struct sch_sampler_key *key = &form->key;
    const uint8_t state[] = {key->target,     key->rules,      key->wrap[0],    key->wrap[1],        key->wrap[2],
                             key->min_linear, key->mag_linear, key->mip,        key->max_anisotropy, key->unnormalized,
                             key->swizzle[0], key->swizzle[1], key->swizzle[2], key->swizzle[3],     key->compare,
                             key->reduction,  key->seamless,   form->kind,      form->lod_mode,      form->offsets,
                             form->component, form->quads,     form->biased,    form->has_min_lod,   form->has_lod};
    sch_sha256_add_u32(hash, key->format);
    sch_sha256_add(hash, state, sizeof state);
}

static void add_span_form(struct sch_sha256 *hash, const struct sch_native_span_form *form)
{
    sch_sha256_add_u32(hash, form->plane_count);
    sch_sha256_add_u32(hash, form->render_target_count);
    for (uint32_t p = 0; p < form->plane_count; p++) {
        sch_sha256_add_u32(hash, form->channel[p]);
        sch_sha256_add_u32(hash, form->division[p]);
    }
    for (uint32_t c = 0; c < form->render_target_count; c++) sch_sha256_add_u32(hash, form->output[c]);
    sch_sha256_add_u32(hash, form->known.count);
    if (form->known.count) sch_sha256_add(hash, form->known.of_slot, sizeof form->known.of_slot);
    for (uint32_t f = 0; f < form->known.count; f++) add_form(hash, &form->known.form[f]);
    if (form->has_fragments) sch_sha256_add(hash, &form->fragments, sizeof form->fragments); /* has no padding */
}

void sch_native_program_key(const struct sch_native_program_request *request, const uint8_t digest[SCH_SHA256_BYTES],
                            uint8_t key[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    begin_key(&hash, "program", request->level);
    sch_sha256_add(&hash, digest, SCH_SHA256_BYTES);
    sch_sha256_add_u32(&hash,
                       (uint32_t)request->full | (uint32_t)request->quads << 1 | (uint32_t)request->metered << 2);
    if (request->span) add_span_form(&hash, request->span);
    sch_sha256_end(&hash, key);
}

static void sign_key(const char *level, const uint8_t digest[SCH_SHA256_BYTES], uint8_t key[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    begin_key(&hash, "spans", level);
    sch_sha256_add(&hash, digest, SCH_SHA256_BYTES);
    sch_sha256_end(&hash, key);
}

static void lookup_key(const struct sch_native_lookup_form *form, const struct sch_ops *ops,
                       uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    begin_key(&hash, "lookup", ops->name);
    add_form(&hash, form);
    sch_sha256_end(&hash, digest);
}

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

static const char *refusal(const struct sch_native_result *result)
{
    if (result->status != SCH_ERROR_UNSUPPORTED) return "memory is out, or its code cannot be used";
    if (result->lost) return "the compiler was lost";
    if (result->abandoned) return "whoever waited for it has ended";
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
        sch_log(&native->log, SCH_LOG_INFO, SCH_LOG_CODE, "%s %02x%02x%02x%02x has no machine code: %s",
                NAME_OF(what, key), refusal(result));
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
    return take(native, "program", key, result);
}

/* ---- requests ---- */

/* What every request says: by which level, and where the code is kept. */
static struct sch_request begin_request(const struct sch_native *native, enum sch_request_kind kind, const char *level)
{
    struct sch_request message = {.kind = (uint8_t)kind};
    snprintf(message.level, sizeof message.level, "%s", level);
    message.cache_bytes = native->cache.limit;
    if (native->cache.folder)
        message.cache = (struct sch_wire_block){native->cache.folder, strlen(native->cache.folder) + 1};
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

/* Code of another process. */
static void request_code(struct sch_native *native, const char *what, struct sch_request *message,
                         const uint8_t culprit[SCH_SHA256_BYTES], struct sch_native_call *call,
                         struct sch_native_result *result)
{
    struct sch_wire bytes;
    struct sch_reply reply = {0};
    enum sch_call_outcome outcome = sch_native_request(native, message, culprit, false, call, &bytes, &reply);
    if (outcome == SCH_CALL_REPLIED) take_reply(native, what, message->key, &reply, result);
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

static struct sch_request program_request(const struct sch_native *native, enum sch_request_kind kind,
                                          const struct sch_native_program_request *request,
                                          const struct sch_native_source *source)
{
    struct sch_request message = begin_request(native, kind, request->level);
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
    *result = (struct sch_native_result){.status = SCH_ERROR_UNSUPPORTED};
    if (take(native, "program", key, result)) return;
    if (native->inside) {
        make_inside(native, request, key, result);
    } else {
        struct sch_request message = program_request(native, SCH_REQUEST_PROGRAM, request, source);
        memcpy(message.key, key, sizeof message.key);
        message.has_sign = request->span != NULL;
        if (message.has_sign) sign_key(request->level, source->digest, message.sign);
        request_code(native, "program", &message, source->digest, call, result);
    }
    if (result->status == SCH_OK) atomic_fetch_add(&native->programs, 1u);
    tell(native, "program", key, result);
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
    struct sch_request message = program_request(native, SCH_REQUEST_FITS, request, source);
    enum sch_call_outcome outcome = sch_native_request(native, &message, source->digest, false, &call, &bytes, &reply);
    if (outcome == SCH_CALL_MEMORY) return SCH_ERROR_MEMORY;
    if (outcome != SCH_CALL_REPLIED) return SCH_ERROR_UNSUPPORTED;
    sch_wire_release(&bytes);
    *too_large = reply.too_large;
    return *too_large ? SCH_ERROR_UNSUPPORTED : (enum sch_result)reply.status;
}

bool sch_native_has_spans(struct sch_native *native, const struct sch_exec_program *program,
                          const uint8_t digest[SCH_SHA256_BYTES])
{
    size_t size;
    uint8_t key[SCH_SHA256_BYTES];
    sign_key(program->ops->name, digest, key);
    void *bytes = sch_native_cache_read(&native->cache, &native->allocator, key, &size);
    if (bytes) native->allocator.free(native->allocator.user, bytes);
    return bytes != NULL;
}

/* With code that another process kept, it kept the sign; where that is lost, a process that is there writes it
 * again. */
void sch_native_note_spans(struct sch_native *native, const struct sch_exec_program *program,
                           const uint8_t digest[SCH_SHA256_BYTES])
{
    uint8_t key[SCH_SHA256_BYTES];
    if (sch_native_has_spans(native, program, digest)) return; /* reading made it young */
    sign_key(program->ops->name, digest, key);
    if (native->inside) {
        sch_native_cache_write(&native->cache, &native->allocator, key, SCH_NATIVE_SIGN, sizeof SCH_NATIVE_SIGN);
        return;
    }
    struct sch_wire bytes;
    struct sch_native_call call = {0};
    struct sch_reply reply = {0};
    struct sch_request message = begin_request(native, SCH_REQUEST_KEEP, program->ops->name);
    memcpy(message.key, key, sizeof message.key);
    message.content = (struct sch_wire_block){SCH_NATIVE_SIGN, sizeof SCH_NATIVE_SIGN};
    if (sch_native_request(native, &message, digest, true, &call, &bytes, &reply) == SCH_CALL_REPLIED)
        sch_wire_release(&bytes);
}

bool sch_native_take_lookup(struct sch_native *native, const struct sch_native_lookup_form *form,
                            const struct sch_ops *ops, struct sch_native_result *result)
{
    uint8_t key[SCH_SHA256_BYTES];
    *result = (struct sch_native_result){0};
    lookup_key(form, ops, key);
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
    lookup_key(form, ops, key);
    if (take(native, "lookup", key, result)) return;
    if (native->inside) {
        make_lookup_inside(native, form, ops, key, result);
    } else {
        struct sch_request message = begin_request(native, SCH_REQUEST_LOOKUP, ops->name);
        message.form = *form;
        memcpy(message.key, key, sizeof message.key);
        request_code(native, "lookup", &message, key, call, result);
    }
    if (result->status == SCH_OK) atomic_fetch_add(&native->compiled_lookups, 1u);
    tell(native, "lookup", key, result);
}
