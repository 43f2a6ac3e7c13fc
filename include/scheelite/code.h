/* Machine code of programs: having it compiled before it is run, what that cost, what came out. Programs of the engines
 * AUTO and JIT have code; sch_machine_code_options (context.h) says where it comes from. Results never depend on it. */
#ifndef SCHEELITE_CODE_H
#define SCHEELITE_CODE_H

#include "dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A program has code for each form of groups that it meets; runs choose by themselves. */
struct sch_code_options {
    size_t size;
    bool full;  /* all 32 invocations of a group are there, and none is a helper; else any may be missing */
    bool quads; /* as in struct sch_invocations */

    /* Optional: the code for spans of this rectangle (docs/jit.md, "Spans"), as sch_dispatch_rectangle has it with
     * these bindings; `full` and `quads` are then those of spans. Nothing is drawn. UNSUPPORTED where the groups of
     * such a rectangle run one by one: render targets of words, registers that are indexed, and what docs/jit.md
     * lists. */
    const struct sch_rectangle *rectangle;
    const struct sch_bindings *bindings; /* optional */

    /* Optional: receives what UNSUPPORTED is about where it is the compiler's matter: there is none (4380), or the
     * program is too large for it (4381). Used by one thread at a time. Without a report the rectangle has no spans. */
    struct sch_diagnostics_list *diagnostics;

    /* The code that dispatches run whose options have `work`: it ends at the instruction that is one too many, and is a
     * little slower. Dispatches without run other code. */
    bool bounded;
};

/* What one piece of code cost, and how large it is. Milliseconds; those of the compiler are its thread's processor
 * time, 0 when the code came from the cache; those of loading passed. */
struct sch_code_report {
    size_t size;
    double build_ms;           /* making LLVM's intermediate representation */
    double passes_ms;          /* LLVM's passes over it */
    double code_ms;            /* generating code */
    double load_ms;            /* reading from the cache, checking, relocating, mapping */
    uint64_t built, optimised; /* instructions of the intermediate representation before and after the passes */
    uint64_t object_bytes, code_bytes;
    bool too_large; /* refused before compiling */
    bool from_cache;
    uint64_t stack_bytes; /* of stack that the code's own functions take together, at most (docs/jit.md, "Stack") */
};

/* Compiles the code for one form of groups, or takes it from the cache; what was compiled before is only reported.
 * `options` and `report` are optional. Errors: ARGUMENT (the program's engine has no code), UNSUPPORTED (no compiler,
 * or the program is too large for it), MEMORY. Thread-safe. */
SCH_API enum sch_result sch_program_compile(const struct sch_program *program, const struct sch_code_options *options,
                                            struct sch_code_report *report);

/* LLVM's intermediate representation after the passes, or assembly, as text. `*text` is the caller's (sch_free). Errors
 * as above. Thread-safe. */
enum sch_code_text { SCH_CODE_IR, SCH_CODE_ASSEMBLY };
SCH_API enum sch_result sch_program_code_text(const struct sch_program *program, const struct sch_code_options *options,
                                              enum sch_code_text kind, char **text);

SCH_API enum sch_result sch_context_code_counts(struct sch_context *context, struct sch_code_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
