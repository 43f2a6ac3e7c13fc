/* One LLVM module that becomes one object: the target machine of a level, linking of bitcode from the archive, passes,
 * and machine code or text at the end. Used for programs (jit/program.c) and texture lookups. Holds nothing that knows
 * what the code means. */
#ifndef SCH_JIT_MODULE_H
#define SCH_JIT_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include <scheelite/types.h>

#include "jit/archive.h"
#include "protocol/compiler.h"

/* Belongs to one thread. */
struct jit_module {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    const struct jit_archive_header *archive;
    double started_ms; /* when it was opened */
    bool borrowed;     /* context and machine belong to someone else */
};

/* An empty module for code of a level. UNSUPPORTED: there is no archive of the level. On failure nothing is open. */
enum sch_result jit_module_open(struct jit_module *module, const char *level);
void jit_module_close(struct jit_module *module);

/* The same in a context and for a machine that exist already and outlive it. */
void jit_module_open_in(struct jit_module *module, LLVMContextRef context, LLVMTargetMachineRef machine);

LLVMContextRef jit_new_context(void);
LLVMTargetMachineRef jit_new_machine(LLVMCodeGenOptLevel effort);

/* The module that an archive has under a name; NULL: it has none, or no good one. */
LLVMModuleRef jit_module_read(LLVMContextRef context, const struct jit_archive_header *archive, const char *entry);

/* A constant of an integer type: the low bits of `value`. */
LLVMValueRef jit_number(LLVMTypeRef type, uint64_t value);

/* The function `name`, linked from the archive's entry `entry` unless it is there already; what comes with it becomes
 * internal. NULL: there is none. */
LLVMValueRef jit_module_link(struct jit_module *module, const char *entry, const char *name);

/* Copies what decides about instructions and vector registers from one function to another: only functions that agree
 * are inlined into each other. */
void jit_copy_features(LLVMValueRef from, LLVMValueRef to);

/* Adds an attribute without value to a function, "alwaysinline", or to what an index of LLVM's says of it. */
void jit_add_attribute(const struct jit_module *module, LLVMValueRef function, const char *attribute);
void jit_add_attribute_at(const struct jit_module *module, LLVMValueRef function, LLVMAttributeIndex index,
                          const char *attribute);

/* LLVM's instructions in the functions of the module. */
size_t jit_count(const struct jit_module *module);

/* Runs passes alone, over what there is so far. */
bool jit_module_run(struct jit_module *module, const char *passes);

/* Runs passes (LLVM's textual pipeline) and generates code: an object, or with `want_ir` or `want_assembly` a text,
 * which the caller frees with free. Fills in `cost` (the time from jit_module_open on counts as building). LIMIT: the
 * code's functions would take more stack than an object may (protocol/compiler.h). */
struct jit_wish {
    const char *passes;
    const char *later; /* after jit_drop_nans and jit_improve_floats, which run when this is not NULL */
    bool always;       /* these passes run even if those changed nothing */
    bool want_ir, want_assembly;
    bool quick;          /* code generation in linear time, for what is very large */
    bool small_stack;    /* of `quick`, only what takes little stack, too */
    bool has_constructs; /* the program has loops, conditions or subroutines */
    bool careful;        /* of `compact`, with frames as small as LLVM makes them */
    bool compact;        /* of `small_stack`, mostly calls (jit/compact.c) */
    bool sparing;        /* likewise from 15,000 instructions on: mostly calls, for which all registers are saved */
    bool (*complete)(void *user, struct jit_module *module); /* NULL, or called after the passes; false: fail */
    void *user;
};
enum sch_result jit_module_finish(struct jit_module *module, const struct jit_wish *wish,
                                  struct sch_native_object *object, struct sch_native_cost *cost, char **text);

/* The name of variables whose readers make the same of every NaN. */
#define JIT_ANY_NAN "any_nan"

/* jit/nans.c: drops the selects that make NaNs canonical where that cannot be seen; how many. Sees through what LLVM's
 * instcombine makes of them. */
size_t jit_drop_nans(const struct jit_module *module);

/* jit/floats.c: what LLVM's passes leave to be improved in code of floats; how many places. */
size_t jit_improve_floats(const struct jit_module *module);

/* jit/mask_words.c: what code generation would not end with. */
void jit_keep_mask_words(const struct jit_module *module);

/* CPU time of the thread: what compiling costs, whatever else the machine does. */
double jit_now_ms(void);

#endif
