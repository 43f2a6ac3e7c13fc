/* What the files about Maxwell code share (jit/maxwell*.c): registers and predicates within a block, lanes, the state
 * of emitting. Blocks are those of ir/maxwell.c. Between blocks everything is in the group and its state, as handlers
 * have it, so that code may leave any instruction to them. */
#ifndef SCH_JIT_MAXWELL_H
#define SCH_JIT_MAXWELL_H

#include "abi/maxwell.h"
#include "jit/emit.h"

enum {
    WARP_REGISTERS = 255,
    WARP_PREDICATES = 7,
    WARP_CC = WARP_REGISTERS + WARP_PREDICATES, /* channels: registers, predicates, the flags */
    WARP_CHANNELS,
    WARP_MOST_KINDS = 160 /* of arithmetic that compact code has functions for */
};

/* Lanes of an instruction: bits of each vector; `all`: they are all set. */
struct warp_lanes {
    bool all;
    LLVMValueRef bits[JIT_MAX_VECTORS];
};

/* A body with constant modifiers. */
struct warp_body {
    uint8_t body;
    uint8_t results;  /* bits: those that it returns, of abi/maxwell.h */
    uint8_t operands; /* bits: those that it reads */
    struct sch_maxwell_how how;
    LLVMValueRef function;
};

struct warp {
    struct jit_emitter e; /* of which this uses the small things */
    const struct sch_prepared_maxwell *maxwell;
    uint32_t count; /* of instructions */
    struct warp_body *bodies;
    size_t body_count;
    uint64_t weight; /* of what the bodies in line have, so far */

    bool is_compact;
    struct warp_compact *compact; /* NULL: code is not */
    bool calls_handlers;          /* compact code for all arithmetic, too */
    uint32_t pending;             /* instructions just before the present one that one call of handlers will do */

    LLVMValueRef spots, constant_words;      /* of the group */
    LLVMBasicBlockRef dispatch, end;         /* where a number says what comes next; the end of the function */
    LLVMValueRef next;                       /* that number */
    LLVMBasicBlockRef *gates, *whole, *part; /* by instruction: of either kind, of all lanes, of some */

    /* The block that is emitted. */
    bool is_whole;
    /* Also where code is compact: code for some lanes serves all, accesses are the handlers', bodies are called. */
    bool is_small;
    uint32_t first, number;
    LLVMValueRef executed; /* when it began */
    LLVMValueRef exec;     /* the bits of the lanes */
    struct warp_lanes executing;
    struct jit_value known[WARP_CHANNELS];
    bool has[WARP_CHANNELS], dirty[WARP_CHANNELS];
    uint16_t touched[WARP_CHANNELS];
    uint32_t touched_count;

    /* Where a block branches to itself, registers are values from one iteration to the next. */
    LLVMBasicBlockRef turn; /* NULL: it does not */
    uint16_t carried[WARP_CHANNELS];
    uint32_t carried_count;
    struct jit_value carriers[WARP_CHANNELS]; /* by channel */
};

/* ---- jit/maxwell_registers.c ---- */
void warp_read(struct warp *w, unsigned channel, struct jit_value *value); /* RZ and beyond: zero */
void warp_read_register(struct warp *w, unsigned number, struct jit_value *value);
void warp_write(struct warp *w, unsigned channel, const struct jit_value *value, const struct warp_lanes *lanes);
void warp_forget(struct warp *w, unsigned channel); /* what memory has counts */
void warp_forget_all(struct warp *w);
void warp_store(struct warp *w, unsigned channel); /* to memory, if it is not there; it stays as it is */
LLVMValueRef warp_place(struct warp *w, unsigned channel);
uint32_t warp_channel_of(const struct warp *w, unsigned channel); /* of the state */

struct warp_lanes warp_all(void);
struct warp_lanes warp_lanes_of_bits(struct warp *w, LLVMValueRef bits);
LLVMValueRef warp_bits(struct warp *w, const struct warp_lanes *lanes); /* 32 bits */
struct warp_lanes warp_lanes_of(struct warp *w, const struct sch_maxwell_step *step);
struct warp_lanes warp_truth(struct warp *w, unsigned predicate, bool is_not);
/* Bits of vectors as lanes of 0 or all ones. */
LLVMValueRef warp_mask(struct warp *w, LLVMValueRef bits);
/* The numbers of the lanes of vector v, times `each`. */
LLVMValueRef warp_lane_numbers(struct warp *w, unsigned v, uint32_t each);
/* One of LLVM's functions that two types choose, with four arguments. */
LLVMValueRef warp_call_intrinsic(struct warp *w, const char *name, LLVMTypeRef types[2], LLVMValueRef arguments[4]);

/* ---- jit/maxwell_bodies.c ---- */
/* Makes the functions of the program's bodies, each once for its modifiers. False: failed. */
bool warp_make_bodies(struct warp *w);
void warp_arithmetic(struct warp *w, const struct sch_maxwell_step *step);
/* One body: its modifiers and results (bits) as an instruction has them; a body that is wanted is one of those made. */
struct sch_maxwell_how warp_how_of(const struct sch_maxwell_step *step);
unsigned warp_results_of(const struct sch_maxwell_step *step);
bool warp_want_body(struct warp *w, unsigned body, const struct sch_maxwell_how *how, unsigned results);
void warp_call_body(struct warp *w, unsigned body, const struct sch_maxwell_how *how, unsigned results,
                    struct jit_value from[SCH_MAXWELL_FROM_COUNT], struct jit_value to[SCH_MAXWELL_TO_COUNT]);
/* A word that is the same in all lanes: of a constant, of RZ, or in the instruction. */
LLVMValueRef warp_uniform_word(struct warp *w, const struct sch_maxwell_step *step, unsigned source, unsigned word);
/* Halves, bars, signs and complements. */
void warp_change_word(struct warp *w, const struct sch_maxwell_source *source, unsigned word, struct jit_value *value);
/* Word `word` of a source. */
void warp_source(struct warp *w, const struct sch_maxwell_step *step, unsigned source, unsigned word,
                 struct jit_value *value);
/* The lanes whose flags pass a test. */
struct warp_lanes warp_test(struct warp *w, unsigned test);

/* ---- jit/maxwell_memory.c ---- */
/* False: it is the handler's. */
bool warp_access(struct warp *w, const struct sch_maxwell_step *step);

bool warp_update(struct warp *w, const struct sch_maxwell_step *step);
/* Whether the level has an instruction for words at any places. */
bool warp_gathers(const struct warp *w);

/* ---- jit/maxwell_lanes.c ---- */
void warp_registers_to_predicates(struct warp *w, const struct sch_maxwell_step *step);
bool warp_vote(struct warp *w, const struct sch_maxwell_step *step);
bool warp_shuffle(struct warp *w, const struct sch_maxwell_step *step);

/* ---- jit/maxwell_compact.c ---- */
/* Chooses the functions; has their bodies made; makes them, once the main function is there. False: memory is out. */
bool warp_compact_open(struct warp *w);
bool warp_compact_bodies(struct warp *w);
void warp_compact_functions(struct warp *w);
/* The lanes that a guard leaves. */
LLVMValueRef warp_compact_lanes(struct warp *w, const struct sch_maxwell_step *step);
/* Whether the present instruction has a function; calls it. */
bool warp_compact_has(const struct warp *w);
void warp_compact_step(struct warp *w, const struct sch_maxwell_step *step);

/* ---- jit/maxwell.c ---- */
/* The handler of the present instruction: what it reads is in memory. Returns with the builder where it succeeded. */
void warp_call_handler(struct warp *w);
void warp_store_operands(struct warp *w, const struct sch_maxwell_step *step);
void warp_forget_results(struct warp *w, const struct sch_maxwell_step *step);
unsigned warp_result_words(const struct sch_maxwell_step *step);

/* Whether a program's code would be of a bounded size, and its code. */
bool jit_maxwell_fits(const struct sch_prepared *program);
enum sch_result jit_compile_maxwell(const struct sch_native_program_request *request, struct sch_native_object *object,
                                    struct sch_native_cost *cost, char **text);

#endif
