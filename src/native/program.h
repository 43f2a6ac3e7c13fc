/* A program that has machine code: its variants, what `auto` weighs, and their life from preparing to release
 * (native/program.c). The engines choose among them, run by run (native/engine.c). A program has up to eight variants
 * of code for groups: of all lanes or any, as quads or not, whose work is bounded or not; and some for spans, by what
 * is around their groups. Which one runs makes no difference to results. */
#ifndef SCH_NATIVE_PROGRAM_H
#define SCH_NATIVE_PROGRAM_H

#include "native/internal.h"

struct sch_ir_shader;
struct sch_diagnostics;

/* One piece of code. */
struct sch_native_variant {
    struct sch_native_job job;
    struct sch_native_program *program;
    bool full, quads, metered;
    const struct sch_native_span_form *span; /* NULL: groups one by one */
    _Atomic(void *) function;                /* NULL: not there yet, or never */
    atomic_bool wanted;                      /* a run would have used it */
    atomic_uint tried;                       /* for runs that do not wait: one more than pieces were made before */
    struct sch_native_result result;
};

/* A variant for spans. Who changes FREE to TAKEN writes the form, then KNOWN. */
enum sch_native_spans_state { SCH_SPANS_FREE, SCH_SPANS_TAKEN, SCH_SPANS_KNOWN };
struct sch_native_spans {
    atomic_uint state; /* enum sch_native_spans_state */
    struct sch_native_span_form form;
    struct sch_native_variant variant;
};
/* Forms of spans that a program has code for: with lookups that are known; after them, with others. */
enum { SCH_NATIVE_SPANS_KNOWN = 4, SCH_NATIVE_SPANS = 8 };

struct sch_native_program {
    struct sch_native *native;
    const struct sch_exec_program *exec;
    uint8_t digest[SCH_SHA256_BYTES];
    struct sch_wire_block shader; /* for the compiler's process, in the program's arena; of no bytes inside */
    bool in_quads;                /* whether lanes are quads can make a difference */
    bool can_span;                /* as sch_native_can_span says */
    bool has_slots, has_views;    /* instructions have some */
    bool has_constants;           /* operands choose constants by number */
    size_t kept_words;            /* of each machine */
    uint64_t weight;              /* of one pass through the instructions, in units of an arithmetic instruction */
    uint64_t own_threshold;       /* the work after which `auto` compiles, in the same units, were there no lookups */
    uint64_t threshold;           /* the same with lookups whose forms are not known */
    atomic_uint_least64_t work;   /* that the interpreter has done */
    atomic_uint_least64_t left;   /* lookups of groups that code of spans has left to functions of slots */
    atomic_uint_least64_t called; /* lookups of groups by code of spans that other code has in it */
    struct sch_native_variant variants[2][2][2]; /* [metered][full][quads] */
    struct sch_native_spans spans[SCH_NATIVE_SPANS];
};

/* The variant for such groups. */
static inline struct sch_native_variant *sch_native_variant_of(struct sch_native_program *program, bool metered,
                                                               bool full, bool quads)
{
    if (program->exec->prepared.maxwell.steps) return &program->variants[0][0][0]; /* which serves all */
    return &program->variants[metered][full][quads && program->in_quads];
}

/* The code of a form of spans, or a place for it; NULL: there are others already. A form with more states of lookups
 * than there is code for forgets them: such code calls functions. Thread-safe. */
struct sch_native_spans *sch_native_spans_of(struct sch_native_program *program, struct sch_native_span_form *form);

/* For sch_native_try: takes a variant's code from another program or the cache, if it is there. For sch_native_settle:
 * from another program alone. */
bool sch_native_take_variant(struct sch_native_job *job);
bool sch_native_share_variant(struct sch_native_job *job);

/* The status of a variant whose job is done; reports why it has no code: no compiler, too large, or the compiler
 * lost. */
enum sch_result sch_native_refuse(const struct sch_native_variant *variant, struct sch_diagnostics *diagnostics);

/* Whether it is known that there will be no code. Thread-safe. */
bool sch_native_is_refused(struct sch_native_variant *variant);

/* The engines' `prepare` and `release` (exec/engine.h). `auto` wants the data alone; `jit` also a compiler that takes
 * the program, or code that the cache has, or a sign of it. */
enum sch_result sch_native_prepare_auto(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                        struct sch_diagnostics *diagnostics);
enum sch_result sch_native_prepare_jit(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                       struct sch_diagnostics *diagnostics);
void sch_native_release_program(struct sch_exec_program *exec);

/* A warning, once a context, when processes that compile were lost: programs continue with the interpreter. */
void sch_native_warn_of_lost(struct sch_native *native, struct sch_diagnostics *diagnostics);

#endif
