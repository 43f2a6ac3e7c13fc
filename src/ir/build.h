/* Building a shader: what a front-end collects while it does not know yet how many temporaries there will be:
 * declarations, a pool of immediates, instructions, temporaries, labels. sch_build_finish gives all of it to the
 * shader. Knows no source language, and checks nothing: that is ir/check.h. */
#ifndef SCH_IR_BUILD_H
#define SCH_IR_BUILD_H

#include <scheelite/types.h>

#include "ir/ir.h"

/* A number that no register has: none is made from it on, so that binary tokens can name all that are. */
enum { SCH_BUILD_NOWHERE = INT16_MAX };

/* Zeroed, then begun. Whoever builds may read every member, and sets those that are marked so. */
struct sch_build {
    struct sch_ir_shader *shader;
    struct sch_arena *arena;      /* the caller's; what is out of memory is left out: the arena knows */
    enum sch_result status;       /* the first that is not OK */
    struct sch_position position; /* to be set: of what is added next */

    /* To be set: called when something does not fit, with the reason in words. It may set the status. */
    void (*refuse)(void *user, const char *why);
    void *user;

    struct sch_ir_declaration *declarations;
    size_t declaration_count, declaration_capacity;
    struct sch_ir_immediate *immediates;
    size_t immediate_count, immediate_capacity;
    size_t vectors; /* the first immediates, which are named by number and not shared */
    struct sch_ir_instruction *instructions;
    size_t count, capacity;

    uint32_t first_temp; /* to be set: temporaries below it are declared by whoever builds */
    uint32_t temps;      /* to be set at first; those of sch_build_temp follow */
    uint32_t used, most; /* temporaries of this instruction, after `temps`; of any */
    uint32_t addresses;  /* components of ADDR of this instruction */
    uint32_t most_addresses;

    uint32_t *labels; /* the instruction of a label, plus one */
    size_t label_capacity;
    uint32_t label_count;
};

bool sch_build_begin(struct sch_build *b, struct sch_arena *arena, enum sch_stage stage,
                     const struct sch_allocator *allocator, const struct sch_limits *limits);

/* Declares the temporaries and address registers, and returns the shader, or NULL and the status. */
enum sch_result sch_build_finish(struct sch_build *b, struct sch_ir_shader **shader);

/* Declarations: registers `first` to `last`; one with a semantic; the first `count` of a buffer. */
struct sch_ir_declaration sch_build_registers(unsigned file, uint32_t first, uint32_t last);
struct sch_ir_declaration sch_build_semantic(unsigned file, uint32_t index, unsigned semantic, unsigned semantic_index);
struct sch_ir_declaration sch_build_buffer(unsigned file, uint32_t buffer, uint32_t count);
void sch_build_declare(struct sch_build *b, const struct sch_ir_declaration *declaration);
void sch_build_property(struct sch_build *b, enum sch_property name, uint32_t value);

/* An immediate of the pool, made where it is not there; all components of one, a word or a float. */
struct sch_ir_src sch_build_immediate(struct sch_build *b, const uint32_t words[4], bool is_float);
struct sch_ir_src sch_build_word(struct sch_build *b, uint32_t word);
struct sch_ir_src sch_build_float(struct sch_build *b, float value);

/* An immediate whose number counts: before all those of the pool. False: memory is out. */
bool sch_build_vector(struct sch_build *b, const uint32_t words[4]);

/* The number of a temporary for good, and of one until sch_build_next, after which a new instruction of the source
 * begins. All of the first kind are made before any of the second. */
uint32_t sch_build_temp(struct sch_build *b);
uint32_t sch_build_scratch(struct sch_build *b);
void sch_build_next(struct sch_build *b);

/* Indexes a bracket by a component of ADDR with the value of `src`. */
void sch_build_address(struct sch_build *b, struct sch_ir_src src, struct sch_ir_bracket *bracket);

/* Adds an instruction, never NULL: without operands; with a destination and some sources; with one source alone. */
struct sch_ir_instruction *sch_build_add(struct sch_build *b, unsigned opcode);
struct sch_ir_instruction *sch_build_emit(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst,
                                          const struct sch_ir_src *sources, unsigned count);
struct sch_ir_instruction *sch_build_1(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst,
                                       struct sch_ir_src a);
struct sch_ir_instruction *sch_build_2(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src x,
                                       struct sch_ir_src y);
struct sch_ir_instruction *sch_build_3(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src x,
                                       struct sch_ir_src y, struct sch_ir_src z);
struct sch_ir_instruction *sch_build_test(struct sch_build *b, unsigned opcode, struct sch_ir_src src);

/* Labels are numbers of the caller's: the next instruction is that of one (false: memory is out); a call of one. */
bool sch_build_label(struct sch_build *b, uint32_t label);
void sch_build_call(struct sch_build *b, uint32_t label);

/* Gives calls their instructions; returns a label that is called and not there, or UINT32_MAX. */
uint32_t sch_build_link(struct sch_build *b);

/* Operands. */
struct sch_ir_src sch_build_temp_src(uint32_t number);
struct sch_ir_dst sch_build_temp_dst(uint32_t number, unsigned mask);
/* A register with a write mask. */
struct sch_ir_dst sch_build_masked(enum sch_file file, int index, unsigned mask);
/* One component of a source for all four. */
struct sch_ir_src sch_build_splat(struct sch_ir_src src, unsigned component);

#endif
