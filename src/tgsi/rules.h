/* What the written forms know about opcodes and declarations beyond the rows of src/isa: which opcodes carry which
 * optional words, and which declarations are once per vertex. Facts of Mesa 22.3's parser and printer; no meaning. */
#ifndef SCH_TGSI_RULES_H
#define SCH_TGSI_RULES_H

#include <string.h>

#include "ir/ir.h"

/* The opcodes from LOAD to ATOMIMAX and RESQ get a memory word from the text, even those between them that read no
 * memory (BARRIER, the handles); ATOMFADD and the wrapping atomics have numbers outside and get none. */
static inline bool sch_tgsi_memory_word_in_text(const struct sch_op_info *op)
{
    return (op->opcode >= SCH_OP_LOAD && op->opcode <= SCH_OP_ATOMIMAX) || op->opcode == SCH_OP_RESQ;
}

/* In tokens a builder may give the others one too. */
static inline bool sch_tgsi_memory_word_in_tokens(const struct sch_op_info *op)
{
    return sch_tgsi_memory_word_in_text(op) || (op->flags & SCH_OPF_ATOMIC);
}

/* The queries of the SAMPLE family have numbers past GATHER4 and take no offsets. */
static inline bool sch_tgsi_offsets_without_target(const struct sch_op_info *op)
{
    if (op->opcode == SCH_OP_GATHER4_C || (op->opcode >= SCH_OP_SAMPLE_CL && op->opcode <= SCH_OP_SAMPLE_D_CL))
        return true;
    return (op->flags & SCH_OPF_SAMPLE) && op->opcode >= SCH_OP_SAMPLE && op->opcode <= SCH_OP_GATHER4;
}

/* How many vertices an empty bracket stands for at the start of a shader; GS_INPUT_PRIMITIVE sets it later. */
static inline unsigned sch_tgsi_implied_vertices(unsigned stage)
{
    return stage == SCH_STAGE_TESS_CTRL || stage == SCH_STAGE_TESS_EVAL ? 32 : 0;
}

/* How a declaration of a file continues after its registers. */
enum sch_tgsi_attributes {
    SCH_TGSI_ATTRIBUTES_SEMANTIC, /* LOCAL and a semantic */
    SCH_TGSI_ATTRIBUTES_IMAGE,    /* target, format, WR, RAW */
    SCH_TGSI_ATTRIBUTES_VIEW,     /* target, return types */
    SCH_TGSI_ATTRIBUTES_BUFFER,   /* ATOMIC */
    SCH_TGSI_ATTRIBUTES_MEMORY,   /* the kind of memory */
    SCH_TGSI_ATTRIBUTES_RESOURCE  /* target, WR, RAW */
};

static inline enum sch_tgsi_attributes sch_tgsi_attributes(unsigned file)
{
    switch (file) {
    case SCH_FILE_IMAGE:
        return SCH_TGSI_ATTRIBUTES_IMAGE;
    case SCH_FILE_SAMPLER_VIEW:
        return SCH_TGSI_ATTRIBUTES_VIEW;
    case SCH_FILE_BUFFER:
        return SCH_TGSI_ATTRIBUTES_BUFFER;
    case SCH_FILE_MEMORY:
        return SCH_TGSI_ATTRIBUTES_MEMORY;
    case SCH_FILE_RESOURCE:
        return SCH_TGSI_ATTRIBUTES_RESOURCE;
    default:
        return SCH_TGSI_ATTRIBUTES_SEMANTIC;
    }
}

static inline bool sch_tgsi_has_streams(const struct sch_ir_declaration *declaration)
{
    const uint8_t *stream = declaration->stream;
    return stream[0] | stream[1] | stream[2] | stream[3];
}

/* The declaration with the semantic that a register without one has: "inputs/outputs not labeled with any other
 * semantic label can be considered to be generic attributes". For what a form can only say beside a semantic. */
static inline struct sch_ir_declaration sch_tgsi_labelled(const struct sch_ir_declaration *declaration)
{
    struct sch_ir_declaration labelled = *declaration;
    if (declaration->has_semantic) return labelled;
    labelled.has_semantic = true;
    labelled.semantic = SCH_SEMANTIC_GENERIC;
    labelled.semantic_index = (uint16_t)declaration->first;
    return labelled;
}

/* Which words write the property's value; SCH_WORDS_COUNT when it is a number. */
static inline enum sch_vocabulary sch_tgsi_property_vocabulary(const struct sch_word *property)
{
    static const struct {
        const char *type;
        enum sch_vocabulary vocabulary;
    } kinds[] = {{"PRIMITIVE", SCH_WORDS_PRIMITIVE},
                 {"ORIGIN", SCH_WORDS_ORIGIN},
                 {"PIXEL_CENTER", SCH_WORDS_PIXEL_CENTER},
                 {"STAGE", SCH_WORDS_STAGE}};
    for (size_t i = 0; property->type && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(property->type, kinds[i].type)) return kinds[i].vocabulary;
    return SCH_WORDS_COUNT;
}

/* After an allocation failed: whether the shader's own limit was the reason, not the allocator. Arrays grow by doubling
 * and keep what they outgrow, so that the limit is felt from a quarter of it on. */
static inline bool sch_tgsi_memory_limit_reached(const struct sch_ir_shader *shader)
{
    size_t limit = shader->arena.limit;
    return limit && (limit < 65536 || shader->arena.used > limit / 4);
}

/* The largest values that an operand's and a declaration's words hold. */
enum {
    SCH_TGSI_MAX_INDEX = SCH_IR_REGISTERS - 1,
    SCH_TGSI_MIN_INDEX = -SCH_IR_REGISTERS,
    SCH_TGSI_MAX_RANGE = SCH_IR_REGISTERS - 1,
    SCH_TGSI_MAX_DIMENSION = UINT16_MAX,
    SCH_TGSI_MAX_ARRAY_ID = 1023
};

#endif
