/* What all programs of a context share where they run as machine code: the compiler, the functions of texture lookups,
 * the thread that compiles in the background, the cache on disk. Made with the context, and costs nothing until a
 * program needs code. Thread-safe throughout. */
#ifndef SCH_NATIVE_NATIVE_H
#define SCH_NATIVE_NATIVE_H

#include <stdatomic.h>

#include <scheelite/types.h>

#include "base/account.h"
#include "exec/engine.h"
#include "protocol/compiler.h"

struct sch_native;
struct sch_exec_spans;

struct sch_native_options {
    struct sch_log_callback log; /* without a function: no messages */
    struct sch_account *account; /* counts the memory of machine code, which no allocator gives; NULL: not counted */
    const char *compiler;    /* path of the compiler's object; NULL: beside this library, or where it is installed */
    const char *process;     /* and of the program that loads it; NULL: beside the compiler, or as above */
    bool inside;             /* it is loaded into this process instead */
    uint64_t process_memory; /* bytes of addresses that the program may have; 0: 3 GiB */
    uint64_t process_ms;     /* of processor time that one reply may take; 0: a minute */
    const char *cache;       /* folder; NULL: nothing is kept */
    uint64_t cache_bytes;    /* that the cache may have; 0: 256 MiB */
    bool perf_map;           /* write perf-PID.map for the profiler `perf` */
    uint64_t patience; /* the work after which `auto` has a program compiled, in arithmetic instructions of a group;
                          0: what compiling the program costs, about */
};

/* `options` (optional) are copied. */
enum sch_result sch_native_create(const struct sch_allocator *allocator, const struct sch_native_options *options,
                                  struct sch_native **native);
/* Waits for what is being compiled only where that is done inside. All programs that use it are destroyed. Takes
 * NULL. */
void sch_native_destroy(struct sch_native *native);

/* Has the compiler at hand, for a host that will not be let start it or load it: its process is started, unless there
 * is one, and not waited for; inside, it is loaded. False: there is none. */
bool sch_native_start(struct sch_native *native);

/* Where the parts are, and what the compiler is, which is loaded into this process for that. Strings are native's. */
struct sch_native_description {
    const char *file, *program; /* the compiler's; NULL: it is loaded into this process */
    const char *identity;       /* NULL: it cannot be loaded, and */
    const char *problem;        /* why */
    const char *cache;          /* the folder; NULL: nothing is kept */
};
struct sch_native_description sch_native_describe(struct sch_native *native);

struct sch_code_counts sch_native_counted(struct sch_native *native);

/* The engines. Both want a struct sch_native in sch_exec_options.engine_context. `jit` never runs the interpreter's
 * loop: what cannot be compiled is refused when the program is made, or when it runs where the cache has some of its
 * code but not what the run wants. `auto` begins with the interpreter, has programs compiled in the background when
 * they run for long, and continues with their code; without a compiler it stays with the interpreter. */
extern const struct sch_exec_engine sch_engine_jit, sch_engine_auto;

/* For an engine that runs its own handlers and has machine code beside them (src/maxwell/run): adds to a program, whose
 * handlers are there, what the code of either engine needs; its prepare calls this last. The engine calls the other
 * functions of the same one of these two: begin_run, with machine->code_run as what comes out, begin, run_group, end,
 * release. */
enum sch_result sch_native_add_auto(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                    struct sch_native *native, struct sch_diagnostics *diagnostics);
enum sch_result sch_native_add_jit(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                   struct sch_native *native, struct sch_diagnostics *diagnostics);

/* Which of a program's pieces of code is meant: that for groups, or that for such spans (UNSUPPORTED: it has none) with
 * what is bound. */
struct sch_native_selection {
    bool full, quads, metered;
    bool in_spans;
    const struct sch_exec_spans *spans; /* exec/source.h; NULL: there are none */
    const struct sch_exec_bindings *bindings;
    struct sch_diagnostics *diagnostics; /* optional: receives why there is no code */
};

/* Has one variant of a program of either engine compiled, or taken from the cache, without running it, and reports what
 * it cost. UNSUPPORTED: there is no compiler, or it does not take the program (`cost->too_large`). */
struct sch_native_made {
    struct sch_native_cost cost;
    double load_ms;      /* reading, checking, relocating */
    size_t object_bytes; /* as the compiler wrote it */
    size_t code_bytes;   /* of the function */
    size_t stack_bytes;  /* that the object's functions take together */
    uint64_t expected;   /* what `auto` takes compiling it to cost, in its units */
    bool from_cache;
};
/* Whether the program's engine has machine code. */
bool sch_native_has_code(const struct sch_exec_program *program);

enum sch_result sch_native_prepare(const struct sch_exec_program *program, const struct sch_native_selection *selection,
                                   struct sch_native_made *made);

/* The compiler's own text of a program: LLVM's intermediate representation, or assembly. `*text` goes back through
 * sch_native_release_text. */
enum sch_result sch_native_inspect(const struct sch_exec_program *program, const struct sch_native_selection *selection,
                                   bool assembly, char **text);
void sch_native_release_text(const struct sch_exec_program *program, char *text);

#endif
