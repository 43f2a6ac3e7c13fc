/* Shaders made in memory, for tests that generate programs: an instruction a call. A failed step ends the test program,
 * since nothing can be tested then. */
#ifndef IR_MAKE_H
#define IR_MAKE_H

#include <stdio.h>
#include <stdlib.h>

#include "ir/ir.h"

static inline void make_check(bool ok, const char *what)
{
    if (ok) return;
    printf("Bail out! %s\n", what);
    exit(1);
}

static inline struct sch_ir_shader *make_shader(enum sch_stage stage)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, stage, &limits);
    make_check(shader != NULL, "no memory for a shader");
    return shader;
}

/* FILE[index].cccc */
static inline struct sch_ir_src make_src(enum sch_file file, int index, unsigned component)
{
    struct sch_ir_src src = sch_ir_src(file, index);
    for (unsigned c = 0; c < 4; c++) src.swizzle[c] = (uint8_t)component;
    return src;
}

static inline struct sch_ir_dst make_dst(enum sch_file file, int index, unsigned mask)
{
    struct sch_ir_dst dst = sch_ir_dst(file, index);
    dst.write_mask = (uint8_t)mask;
    return dst;
}

/* An immediate with the same word four times, as an operand. */
static inline struct sch_ir_src make_word(struct sch_ir_shader *shader, uint32_t word)
{
    struct sch_ir_immediate immediate = {.type = SCH_IMMEDIATE_UINT32, .word = {word, word, word, word}};
    make_check(sch_ir_add_immediate(shader, &immediate) == SCH_OK, "no room for an immediate");
    return make_src(SCH_FILE_IMMEDIATE, (int)shader->immediate_count - 1, 0);
}

/* Appends an instruction and answers its number. */
static inline uint32_t make_op(struct sch_ir_shader *shader, enum sch_opcode opcode, const struct sch_ir_dst *dst,
                               unsigned sources, const struct sch_ir_src *src)
{
    struct sch_ir_instruction instruction = {.opcode = (uint16_t)opcode, .src_count = (uint8_t)sources};
    if (dst) {
        instruction.dst_count = 1;
        instruction.dst[0] = *dst;
    }
    for (unsigned s = 0; s < sources; s++) instruction.src[s] = src[s];
    instruction.position.line = (uint32_t)shader->instruction_count + 1;
    make_check(sch_ir_add_instruction(shader, &instruction) == SCH_OK, "no room for an instruction");
    return (uint32_t)shader->instruction_count - 1;
}

#endif
