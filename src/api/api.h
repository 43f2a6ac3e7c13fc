/* What the files of this folder share: the objects of the public handles, and the border between the public
 * structs and the inner ones. Holds no behaviour of shaders, textures or engines: those are the folders below.
 *
 * Every function here checks the caller's arguments first, then calls the inner function, then turns its status. */
#ifndef SCH_API_API_H
#define SCH_API_API_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <scheelite/scheelite.h>

#include "base/account.h"
#include "base/diagnostics.h"
#include "base/limits.h"
#include "base/sized.h"
#include "d3d/dxbc/shader.h"
#include "d3d/lower/lower.h"
#include "exec/exec.h"
#include "ir/ir.h"
#include "isa/errors.h"
#include "native/native.h"
#include "run/run.h"
#include "texture/texture.h"

struct sch_moving;       /* texture/moving.h */
struct sch_maxwell_code; /* maxwell/text/code.h */

/* Calls that returned ARGUMENT, of the threads that made one last (calls.c). */
enum { SCH_API_WRONG_CALLS = 8 };
struct sch_api_wrong_calls {
    pthread_mutex_t lock;
    struct {
        pthread_t thread;
        uint64_t number; /* counted from 1; 0: there is none */
        const char *function;
        char argument[SCH_REFUSED_ARGUMENT], reason[SCH_REFUSED_REASON];
    } kept[SCH_API_WRONG_CALLS];
    uint64_t number;
};

struct sch_context {
    struct sch_account account;     /* over the caller's allocator */
    struct sch_allocator allocator; /* of the account: all that the context's objects hold */
    struct sch_limits limits;
    struct sch_warning_options warnings; /* `ignored` is memory of the context */
    enum sch_dialect dialect;            /* of what is read */
    struct sch_native *native;
    struct sch_log_callback log;
    struct sch_pool *pool;  /* of its dispatches */
    atomic_ullong numbered; /* objects that have a number */
    struct sch_api_wrong_calls wrong_calls;
};

struct sch_diagnostics_list {
    struct sch_context *context;
    struct sch_diagnostics list;
};

struct sch_shader {
    struct sch_context *context;
    struct sch_ir_shader *ir;              /* TGSI; of the three languages the others are NULL */
    struct sch_d3d_shader *d3d;            /* Direct3D */
    struct sch_maxwell_code *maxwell;      /* Maxwell code */
    enum sch_kind kind;                    /* of its input: never AUTO and MAXWELL; of a shader that was made AUTO */
    char *name;                            /* of the input, for reports */
    struct sch_interface_info *interfaces; /* of a Direct3D shader, and of what it was lowered to */
    uint32_t interface_count;
    struct sch_range_info *ranges; /* likewise */
    size_t range_count;
    struct sch_d3d_origins origins; /* of what it was lowered to: what its registers were; else empty */
};

struct sch_program {
    struct sch_context *context;
    struct sch_exec_program *exec;
    char *name;                              /* of the shader's input, for reports */
    bool counts_texels, counts_instructions; /* the engine does */
    enum sch_stage stage;
    uint16_t tables[SCH_INTERFACE_SLOTS]; /* of each slot of an interface; 0: none */
    struct sch_range_info *ranges;        /* of the shader, to name registers by */
    size_t range_count;
    atomic_uint *told;           /* which units were reported: api/units.c */
    atomic_uint *told_equations; /* bits: of advanced blend equations, after them: api/blending.c */
};

struct sch_resource {
    struct sch_context *context;
    struct sch_texture_resource *texture;
};

struct sch_view {
    struct sch_context *context;
    struct sch_texture_resource *texture; /* held */
    struct sch_texture descriptor;
    struct sch_exec_view exec; /* points at `descriptor` */
};

struct sch_image {
    struct sch_context *context;
    struct sch_texture_resource *texture; /* held */
    struct sch_texture descriptor;
    struct sch_exec_image exec; /* points at `descriptor` */
};

struct sch_sampler {
    struct sch_context *context;
    struct sch_exec_sampler exec; /* key.compare: the function, for the lookups that compare */
};

/* Memory of the context; zeroed. That of no bytes is some, too. */
void *sch_api_alloc(struct sch_context *context, size_t bytes);
/* Takes NULL. */
static inline void sch_api_free(struct sch_context *context, void *memory)
{
    if (memory) context->allocator.free(context->allocator.user, memory);
}
/* `count` zeroed elements; NULL and true for none. */
bool sch_api_array(struct sch_context *context, size_t count, size_t element, void **array);
/* A copy of a name, of "" for NULL; NULL: no memory. */
char *sch_api_name(struct sch_context *context, const char *name);
/* A number, not 0, that no other object of the context has had. */
uint64_t sch_api_number(struct sch_context *context);

/* Appends a word to a text in `bytes` bytes, after `separator` where there is text; what does not fit is cut off. */
void sch_api_append(char *text, size_t bytes, const char *separator, const char *word);

/* lower.c. A shader as what is checked, translated and run: its own intermediate representation, or the one that a
 * Direct3D shader or Maxwell code is lowered to, which lives until `close`. */
struct sch_api_ir {
    const struct sch_ir_shader *ir; /* NULL unless OK */
    struct sch_ir_shader *made;
};
enum sch_result sch_api_open(const struct sch_shader *shader, struct sch_diagnostics *list, struct sch_api_ir *opened);
void sch_api_close(struct sch_api_ir *opened);

/* FNV-1a, 64 bits (Fowler, Noll, Vo): `hash` with the bytes of a word after it, low byte first, so that machines of
 * either byte order agree. */
#define SCH_API_HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)
uint64_t sch_api_hash(uint64_t hash, uint64_t word, size_t bytes);

/* Direct3D shaders (d3d.c). */
enum sch_result sch_api_check_d3d(const struct sch_shader *shader, struct sch_diagnostics *list);
enum sch_result sch_api_encode_d3d(const struct sch_shader *shader, struct sch_diagnostics *list, uint32_t **words,
                                   size_t *count);
enum sch_result sch_api_d3d_info(const struct sch_shader *shader, struct sch_shader_info *info);
/* Fills in members of an info that is zero. */
bool sch_api_d3d_register(const struct sch_shader *shader, enum sch_file file, uint32_t position,
                          struct sch_register_info *info);

/* Interfaces (interfaces.c): lists those of a program in a shader; how many tables the slots have; whether bindings are
 * right for them; the constant buffers that they become, in memory of the context, NULL: there is none. */
enum sch_result sch_api_list_interfaces(struct sch_shader *shader, const struct sch_d3d_program *program);
/* Likewise the registers that resources are bound to (ranges.c). */
enum sch_result sch_api_list_ranges(struct sch_shader *shader, const struct sch_d3d_program *program);
void sch_api_count_tables(const struct sch_shader *shader, uint16_t tables[SCH_INTERFACE_SLOTS]);
bool sch_api_interfaces_hold(const struct sch_bindings *given, const uint16_t tables[SCH_INTERFACE_SLOTS],
                             struct sch_diagnostics *list);
uint32_t *sch_api_interface_words(struct sch_context *context, const struct sch_bindings *given,
                                  struct sch_constant_buffer *constants);

/* What a program reads that is not bound (units.c): what is needed to report it, false: no memory; warnings about
 * `bindings`, each unit once in the life of the program; if several threads see it first, one gets the report. `list`
 * may be NULL. */
bool sch_api_watch_units(struct sch_program *program, const struct sch_shader *shader);
void sch_api_warn_units(const struct sch_program *program, const struct sch_exec_bindings *bindings,
                        struct sch_diagnostics *list);

/* The explanation of a lane of a trace (lookup.c), whose layers have `samples` each; NULL: no memory. */
struct sch_explanation *sch_api_explain_lane(struct sch_context *context, const struct sch_texture_trace *trace,
                                             uint32_t lane, const uint32_t result[4], uint32_t samples);

/* ---- calls (calls.c) ---- */

/* A call of the public interface, from sch_api_begin to sch_api_end: where it reports, and which argument was wrong.
 * Every call that may return ARGUMENT and has a context, or an object of one, is such a call. */
struct sch_api_call {
    struct sch_context *context;        /* NULL: there is none to be had */
    const struct sch_log_callback *log; /* the context's; NULL: none */
    const char *function;
    struct sch_diagnostics *list; /* the caller's list, or `silent` in its place; not NULL */
    bool unnamed;                 /* reports have the name of the call before, until the call names its input */
    struct sch_diagnostics silent;
    struct sch_refusal refusal; /* what inner functions refuse by sch_refuse_argument */
    struct sch_heat heat;       /* of calls that run programs, where their options have one */
};

/* The context of an object; NULL for NULL. */
#define SCH_API_CONTEXT_OF(object) ((object) ? (object)->context : NULL)

/* `diagnostics` is the caller's list, which may be NULL; reports have no name. Where
 * `context` is NULL the list's is taken. `whose` is the parameter whose members refusals name; NULL: none. */
void sch_api_begin(struct sch_api_call *call, struct sch_context *context, struct sch_diagnostics_list *diagnostics,
                   const char *function, const char *whose);
/* The same for a call that names its input itself, by sch_diagnostics_name or sch_diagnostics_source. Calls in a row
 * mostly have the same name, of which a list keeps one copy. */
void sch_api_begin_input(struct sch_api_call *call, struct sch_context *context,
                         struct sch_diagnostics_list *diagnostics, const char *function, const char *whose);
/* The list that options have, once they were read. It is to be named. */
void sch_api_use_list(struct sch_api_call *call, struct sch_diagnostics_list *diagnostics);

/* What the call returns. Reports that were lost for want of memory make `status` MEMORY; memory that the context's
 * ceiling refused makes it LIMIT, which is reported. For ARGUMENT the refused argument is reported to the context's log
 * and kept for sch_context_get_wrong_call. */
enum sch_result sch_api_end(struct sch_api_call *call, enum sch_result status);

/* The same for a call that made memory for its caller: what lost reports turn into a failure takes it back. */
enum sch_result sch_api_delivered(struct sch_api_call *call, enum sch_result status, void **made, size_t *length);

/* Refuses `argument` and ends the call: ARGUMENT. */
enum sch_result sch_api_wrong(struct sch_api_call *call, const char *argument, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends a call whose argument was refused. */
static inline enum sch_result sch_api_refused(struct sch_api_call *call)
{
    return sch_api_end(call, SCH_ERROR_ARGUMENT);
}

/* Whether a pointer is there, a struct that the call reads or fills in has a size that it can have (base/sized.h), an
 * enumerator is one; if not, they refuse it. `whole` is the parameter with the struct. */
bool sch_api_given(struct sch_api_call *call, const void *pointer, const char *argument);
bool sch_api_read(struct sch_api_call *call, const char *whole, void *known, size_t known_bytes, size_t first_bytes,
                  const void *given);
bool sch_api_fits(struct sch_api_call *call, const char *whole, size_t given_bytes, size_t first_bytes);
bool sch_api_takes(struct sch_diagnostics *list, const char *argument, uint32_t value, uint32_t first, uint32_t last);
/* A struct to fill in: its pointer, then its size. */
#define SCH_API_FILLS(call, info, first_bytes)                                                                         \
    (sch_api_given((call), (info), #info) && sch_api_fits((call), #info, (info)->size, (first_bytes)))
/* Reads a struct that another one points to; refused by `list`. */
bool sch_api_read_inner(struct sch_diagnostics *list, const char *argument, void *known, size_t known_bytes,
                        size_t first_bytes, const void *given);

/* How the texels of a call are moved: its threads and its deadline, from now on. `given` may be NULL. */
bool sch_api_take_moving(struct sch_api_call *call, const struct sch_moving_options *given, struct sch_moving *moving);

/* MEMORY turned to LIMIT as by sch_api_end, for what has no call. */
enum sch_result sch_api_settled(struct sch_context *context, struct sch_diagnostics *list, enum sch_result status);

/* MEMORY, or LIMIT where the context's ceiling is why. */
enum sch_result sch_api_no_memory(struct sch_context *context);

#endif
