/* The functions of texture lookups (jit/lookup_bodies.c) read from an archive's bitcode and taken apart, so that
 * jit/specialise.c can evaluate them: functions, blocks, loops, operands by number. Reading is costly, so what was read
 * is kept from one lookup to the next, with LLVM's context that it belongs to. Holds no evaluation. */
#ifndef SCH_JIT_BITCODE_H
#define SCH_JIT_BITCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include "base/arena.h"
#include "jit/archive.h"

enum { BITCODE_NONE = -1 };

/* The only function without a body that may be called: it is made for each lookup that calls it (jit/lookup.c). */
#define JIT_REST "jit_lookup_rest"

/* Where a value comes from. */
enum bitcode_source { BITCODE_LOCAL, BITCODE_CONSTANT, BITCODE_ADDRESS, BITCODE_FUNCTION, BITCODE_BLOCK };

struct bitcode_operand {
    enum bitcode_source source;
    int32_t number;     /* LOCAL: of the function's values; ADDRESS: of the tables; BLOCK: of the function's */
    int64_t at;         /* ADDRESS: bytes from the table's begin */
    LLVMValueRef value; /* CONSTANT, FUNCTION */
};

struct bitcode_instruction {
    LLVMValueRef source;
    LLVMOpcode opcode;
    int32_t result; /* the value's number, or NONE */
    uint32_t count; /* operands; of calls with the callee as the last; of PHIs and branches see `bitcode_block` */
    struct bitcode_operand *operand;
    int32_t *from;               /* PHI: the block of each operand */
    unsigned intrinsic;          /* CALL: LLVM's number, or 0 */
    struct bitcode_function *to; /* CALL: another of these functions */
};

struct bitcode_block {
    uint32_t phis, count; /* instructions, the PHIs among them and first */
    struct bitcode_instruction *instruction;
    int32_t loop;  /* the innermost */
    int32_t heads; /* the loop whose first block this is */
};

struct bitcode_loop {
    int32_t outer;
    bool unrolled; /* as the source says (OPS_UNROLL): the number of iterations is known */
    bool *has;     /* by block */
};

struct bitcode_function {
    LLVMValueRef source;
    bool taken_apart; /* or found not to be possible: no blocks then */
    uint32_t values, blocks, loops, parameters;
    struct bitcode_block *block; /* in reverse postorder: the first is the entry */
    struct bitcode_loop *loop;
};

/* A constant of the module that has an address. `known`: which bytes are. Read when it is first used. */
struct bitcode_table {
    LLVMValueRef source;
    uint8_t *bytes;
    bool *known;
    uint64_t size;
};

struct jit_bitcode {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    const struct jit_archive_header *archive;
    struct bitcode_table *table;
    struct bitcode_function *function;
    uint32_t tables, functions, uses;
    struct sch_arena arena;
    struct jit_bitcode *next;
};

/* The bitcode of an archive that no other thread uses, until it is given back; NULL: it cannot be read. */
struct jit_bitcode *jit_bitcode_take(const struct jit_archive_header *archive);
void jit_bitcode_give_back(struct jit_bitcode *bitcode);

/* The function called `name`, taken apart; NULL: there is none, or it has what evaluation does not know. */
struct bitcode_function *jit_bitcode_find(struct jit_bitcode *bitcode, const char *name);
bool jit_bitcode_take_apart(struct jit_bitcode *bitcode, struct bitcode_function *function);

/* Adds to `at` what a constant GEP adds to its base, or one index of a GEP whose type so far is `type`. False: not
 * constant. */
bool jit_bitcode_offset(const struct jit_bitcode *bitcode, LLVMValueRef gep, int64_t *at);
bool jit_bitcode_index(const struct jit_bitcode *bitcode, LLVMTypeRef *type, bool first, int64_t index, int64_t *at);

/* The bytes of a table, read on demand. */
bool jit_bitcode_read_table(struct jit_bitcode *bitcode, struct bitcode_table *table);

#endif
