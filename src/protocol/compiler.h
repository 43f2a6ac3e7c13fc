/* What the core requests of the compiler of machine code, and what it gets. The compiler is a shared object of its own
 * (src/jit, libscheelite-jit), the only one that links LLVM; the core loads it when it first needs code that no cache
 * has, and never unloads it. Everything here is plain data and functions: nothing of LLVM, nothing of the operating
 * system. What compiling takes comes from malloc: the process that does it has a limit of its own
 * (jit/confine.c). Holds no loading of objects (native/object.h), no cache (protocol/cache.c). */
#ifndef SCH_PROTOCOL_COMPILER_H
#define SCH_PROTOCOL_COMPILER_H

#include "abi/fragment.h"
#include "ir/prepared.h"

/* Grows with every change of these structures, of abi/group.h, or of what code means: part of cache keys. */
enum { SCH_NATIVE_VERSION = 22 };

/* Stack that the functions of one object may take together, which bounds every chain of calls in it, as none calls
 * itself: their frames, and for each its return address and what is lost by aligning it. The object says the frames in
 * the section ".stack_sizes" (native/object.h). A run has a program's object on its stack and one of a lookup. */
enum { SCH_NATIVE_STACK = 64 << 10, SCH_NATIVE_STACK_EACH = 128 };

/* A relocatable ELF object that calls nothing outside of itself. Belongs to the compiler until released. */
struct sch_native_object {
    void *bytes;
    size_t size;
};

/* What compiling cost, and what came out. */
struct sch_native_cost {
    double build_ms, passes_ms, code_ms; /* making the IR, LLVM's passes over it, code generation */
    size_t built, optimised;             /* IR instructions before and after the passes */
    bool too_large;                      /* refused: the program stays with the interpreter */
    uint64_t stack_bytes;                /* that the object's functions take together; more than SCH_NATIVE_STACK: this
                                            is why it was refused */
};

/* One texture lookup of a group with constant state: the function `sch_native_lookup`, of type sch_sample_fn, or
 * sch_fetch_fn for fetches; it ignores its `key` argument, and the fields of the request that `form` fixes. */
struct sch_native_lookup_form {
    struct sch_sampler_key key;
    uint8_t kind;     /* enum sch_native_lookup_kind */
    uint8_t lod_mode; /* enum sch_lod_mode */
    uint8_t offsets, component;
    bool quads, biased, has_min_lod, has_lod;
    /* A program has code only for groups whose texels lie in rows (ops/texture/pair.h); all others call the function of
     * the slot. Never set in a function's own form. */
    bool in_rows;
    /* Of those: the program has code only for one texel a pixel (ops/texture/straight.h). */
    bool straight;
    bool from_0_to_1; /* of a program's forms: all results are so, and no NaNs */
};
enum sch_native_lookup_kind {
    SCH_NATIVE_SAMPLE,
    SCH_NATIVE_GATHER,
    SCH_NATIVE_LOD,
    SCH_NATIVE_FETCH,
    SCH_NATIVE_STORE /* of images: of type sch_image_store_fn */
};

/* The texture lookups of a program whose state is known when it is compiled: their functions are made with the
 * program's own, inlined where they are used; one instruction uses each, or several one that is straight. Bounded: of
 * more slots, or of other state, lookups are called. */
enum { SCH_NATIVE_KNOWN_SLOTS = 64, SCH_NATIVE_KNOWN_FORMS = 8 };
struct sch_native_known {
    uint32_t count;                          /* of forms */
    uint8_t of_slot[SCH_NATIVE_KNOWN_SLOTS]; /* by slot: the form's number + 1; 0: not known */
    struct sch_native_lookup_form form[SCH_NATIVE_KNOWN_FORMS];
};

/* What is around the groups of spans, where code does that, too: channels of the state that are planes, by
 * number, and the register of OUT that each render target shows as bytes. Bounded: more is left to the core. Spans of a
 * compute program are of a grid: the planes are channels of THREAD_ID and BLOCK_ID. */
enum { SCH_NATIVE_PLANES = 64, SCH_NATIVE_RENDER_TARGETS = 8 };
struct sch_native_span_form {
    uint32_t plane_count, render_target_count;
    uint32_t channel[SCH_NATIVE_PLANES];
    uint8_t division[SCH_NATIVE_PLANES]; /* enum sch_plane_division */
    uint32_t output[SCH_NATIVE_RENDER_TARGETS];
    struct sch_native_known known; /* of the run that the spans belong to */
    bool metered;                  /* as in the request */
    /* Groups of fragments: planes are the channels of the form's inputs, in their order, and there are no render
     * targets. Code for it is made with its lookups or not at all. */
    bool has_fragments;
    struct sch_fragment_form fragments;
};

/* Forms of a Maxwell program's code (jit/maxwell.c). FAST: as USUAL, with less effort in selecting instructions. */
enum sch_native_form { SCH_NATIVE_BY_SIZE, SCH_NATIVE_USUAL, SCH_NATIVE_FAST, SCH_NATIVE_SMALL, SCH_NATIVE_COMPACT };

/* One shader: the function `sch_native_group`, of type void(struct sch_group *), as the engines' run_group. For
 * spans of type void(struct sch_group *, struct sch_group_span *), as the engines' run_span; planes and targets are
 * those of the group. Spans want `full`, and a program that indexes no IN, SV or OUT; one with BARRIERs is a compute
 * shader of which no lane ends early. */
struct sch_native_program_request {
    const struct sch_prepared *program;
    enum sch_native_form form; /* of Maxwell code; tests ask for one, others leave the choice to the program's size */
    const char *level;         /* of src/ops, by name: "w8v3" */
    bool full;                 /* all 32 lanes are present in every group: masks of straight code fold */
    bool quads;                /* lanes are quads */
    bool metered; /* for runs whose work is bounded: code ends at the instruction at which the work of the run ends
                     (abi/group.h, `look`); other code reaches none */
    const struct sch_native_span_form *span; /* NULL: groups one by one */
    bool want_ir, want_assembly;             /* `text` instead of an object */
};

/* The sources that a build was made of, in hexadecimal (tools/build-id). */
extern const char sch_native_build[];

struct sch_native_compiler {
    uint32_t version;     /* SCH_NATIVE_VERSION of the compiler's build */
    const char *build;    /* its sch_native_build: code of other sources does not fit */
    const char *identity; /* "LLVM 19.1.7" */

    /* Whether compile_program would not answer too_large; quick. */
    bool (*fits)(const struct sch_native_program_request *request);
    enum sch_result (*compile_program)(const struct sch_native_program_request *request,
                                       struct sch_native_object *object, struct sch_native_cost *cost, char **text);
    enum sch_result (*compile_lookup)(const struct sch_native_lookup_form *form, const char *level,
                                      struct sch_native_object *object, struct sch_native_cost *cost, char **text);
    void (*release)(struct sch_native_object *object);
    void (*release_text)(char *text);
};

/* Loads the compiler from an absolute path; NULL: there is none of this version, and `problem` says why. */
const struct sch_native_compiler *sch_native_load_compiler(const char *path, char *problem, size_t bytes);

/* The one symbol that libscheelite-jit exports: a constant of this type. Its functions are thread-safe. */
#define SCH_NATIVE_COMPILER_SYMBOL "sch_native_compiler_1"

#endif
