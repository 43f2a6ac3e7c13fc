/* Machine code of programs: compiling it before the first dispatch, its costs, its text. Programs of the engines AUTO
 * and JIT have machine code; struct sch_machine_code_options (context.h) says where it comes from. Results never depend
 * on it.
 *
 * Example, with a program:
 *
 *     struct sch_code_options options = {.size = sizeof options, .full = true}; // groups of 32 invocations
 *     struct sch_code_report report = {.size = sizeof report};
 *     enum sch_result result = sch_program_compile(program, &options, &report);
 *     if (result == SCH_OK)
 *         fprintf(stderr, "%llu bytes of code\n", (unsigned long long)report.code_bytes);
 *     else if (result == SCH_ERROR_UNSUPPORTED)
 *         fprintf(stderr, "no machine code: the interpreter runs the program\n");
 */
#ifndef SCHEELITE_CODE_H
#define SCHEELITE_CODE_H

#include "dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Selects a piece of code. A program has one for each kind of groups that it runs; dispatches choose among them. */
struct sch_code_options {
    size_t size;
    bool full;  /* code for groups of 32 invocations without helpers; otherwise for any groups */
    bool quads; /* as in struct sch_invocations */

    /* Optional: code for spans of this rectangle (docs/jit.md, "Spans"), as sch_dispatch_rectangle would need it with
     * these bindings. `full` and `quads` have no effect then, and nothing is drawn. UNSUPPORTED if such a rectangle has
     * no spans; docs/jit.md says when. */
    const struct sch_rectangle *rectangle;
    const struct sch_bindings *bindings; /* optional */

    /* Optional: receives the reason if there is no compiler (4380) or the program is too large for it (4381). One
     * thread at a time may use the list. UNSUPPORTED without a report means that the rectangle has no spans. */
    struct sch_diagnostics_list *diagnostics;

    /* The code for dispatches that bound their work (sch_dispatch_options.work). It is a little slower than the code
     * for other dispatches, since it counts instructions. */
    bool bounded;
};

/* What one piece of code cost; of spans, with the functions of lookups that they call for all groups. Times are in
 * milliseconds. Those of the compiler are processor time of its thread, and 0
 * if the code came from the cache; load_ms is time that passed. */
struct sch_code_report {
    size_t size;
    double build_ms;                   /* making LLVM's intermediate representation */
    double passes_ms;                  /* LLVM's passes over it */
    double code_ms;                    /* generating code */
    double load_ms;                    /* reading from the cache, checking, relocating, mapping */
    uint64_t built, optimised;         /* instructions of the intermediate representation before and after the passes */
    uint64_t object_bytes, code_bytes; /* of the object file, and of the code in it */
    bool too_large;                    /* the program was refused before compiling */
    bool from_cache;
    uint64_t stack_bytes; /* the most that the code's functions take of the stack together (docs/jit.md, "Stack") */

    /* What the engine `auto` takes compiling this to cost, in units of interpreted work: about the time that the
     * interpreter takes for an arithmetic instruction of 32 invocations (docs/performance.md, "When code is
     * compiled"). */
    uint64_t expected;
};

/* Compiles one piece of code, or reads it from the cache. If that was done before, it only fills in the report.
 * `options` and `report` are optional; the report is also filled in if compiling fails. Errors: ARGUMENT (also if the
 * program's engine has no machine code), UNSUPPORTED (there is no compiler, the program is too large for it, or the
 * rectangle has no spans), MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_program_compile(const struct sch_program *program, const struct sch_code_options *options,
                                            struct sch_code_report *report);

/* Compiles a piece of code again and returns it as text: LLVM's intermediate representation after the passes, or
 * assembly. `*text` is zero-terminated and the caller's (sch_free). Errors as sch_program_compile. Thread-safe. */
enum sch_code_text { SCH_CODE_IR, SCH_CODE_ASSEMBLY };
SCH_API enum sch_result sch_program_code_text(const struct sch_program *program, const struct sch_code_options *options,
                                              enum sch_code_text kind, char **text);

/* Starts the process that compiles, if there is none, and does not wait for it; the process loads the compiler when
 * code is first compiled. With `inside` loads the compiler. For hosts that give up the right to start processes and to
 * open files before they compile. Where code is kept (`cache`), the process also outlives such a context, at idle
 * priority and for 30 s at most: it compiles what the context had no time for. Errors: ARGUMENT, UNSUPPORTED (there is
 * no compiler, as far as is known now). Thread-safe. */
SCH_API enum sch_result sch_context_start_compiler(struct sch_context *context);

/* What runs shaders here. Strings live as long as the context. */
struct sch_machine_info {
    size_t size;
    const char *level;    /* the build of the operations that this processor gets: "w8v3" */
    uint32_t lanes;       /* of its vectors */
    const char *file;     /* the compiler's, absolute: as it was given, beside this library, or where it is installed */
    const char *program;  /* that runs it in a process of its own; NULL with `inside` */
    const char *identity; /* the compiler's: "LLVM 19.1.7"; NULL: it cannot be loaded */
    const char *problem;  /* why it cannot; NULL: it can */
    const char *cache;    /* the folder of compiled code, absolute; NULL: none is kept */
};

/* Fills in `*info`. For that it loads the compiler into this process, where it stays. Errors: ARGUMENT. Thread-safe. */
SCH_API enum sch_result sch_context_get_machine(struct sch_context *context, struct sch_machine_info *info);

/* Fills in `*counts`: what machine code did for all programs of a context so far. ARGUMENT if `size` is not set.
 * Thread-safe. */
SCH_API enum sch_result sch_context_code_counts(struct sch_context *context, struct sch_code_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
