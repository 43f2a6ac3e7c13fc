/* Rules of single opcodes: the stages that allow them, operands that must be immediates, memory that may be
 * written, outputs that have one writable component. */
#include "ir/check_internal.h"

enum { STREAMS = 4 };

static void check_stage(struct sch_check *check, const struct sch_ir_instruction *instruction,
                        const struct sch_op_info *info)
{
    unsigned stage = check->shader->stage;
    if (info->flags & SCH_OPF_FRAGMENT && stage != SCH_STAGE_FRAGMENT)
        SCH_CHECK_REPORT(check, FRAGMENT_ONLY, instruction->position, "%s is for fragment shaders", info->name);
    if (info->flags & SCH_OPF_GEOMETRY_STAGE && stage != SCH_STAGE_GEOMETRY)
        SCH_CHECK_REPORT(check, GEOMETRY_ONLY, instruction->position, "%s is for geometry shaders", info->name);
    if (info->opcode == SCH_OP_BARRIER && stage == SCH_STAGE_TESS_CTRL)
        SCH_CHECK_REPORT(check, BARRIER_IN_TESSELLATION, instruction->position,
                         "BARRIER is described for compute shaders");
    else if (info->opcode == SCH_OP_BARRIER && stage != SCH_STAGE_COMPUTE)
        SCH_CHECK_REPORT(check, BARRIER_STAGE, instruction->position, "BARRIER is for compute shaders");
    if (info->opcode == SCH_OP_MEMBAR && stage != SCH_STAGE_COMPUTE && !check->told_membar) {
        check->told_membar = true;
        SCH_CHECK_REPORT(check, MEMBAR_STAGE, instruction->position, "MEMBAR is described for compute shaders");
    }
    if (info->flags & SCH_OPF_DERIVATIVE && info->shape != SCH_SHAPE_TEX && stage != SCH_STAGE_FRAGMENT &&
        !check->told_derivative) {
        check->told_derivative = true;
        SCH_CHECK_REPORT(check, DERIVATIVE_STAGE, instruction->position,
                         "%s has no neighbouring fragments in this stage", info->name);
    }
}

static const struct sch_ir_immediate *immediate_of(const struct sch_check *check, const struct sch_ir_src *src)
{
    if (src->file != SCH_FILE_IMMEDIATE || src->index.is_indirect || src->index.index < 0) return NULL;
    size_t index = (size_t)src->index.index;
    return index < check->shader->immediate_count ? &check->shader->immediates[index] : NULL;
}

static bool is_direct_immediate(const struct sch_ir_src *src)
{
    return src->file == SCH_FILE_IMMEDIATE && !src->index.is_indirect;
}

static void check_case(struct sch_check *check, const struct sch_ir_instruction *instruction)
{
    const struct sch_ir_immediate *immediate = immediate_of(check, &instruction->src[0]);
    bool is_float = immediate && (immediate->type == SCH_IMMEDIATE_FLT32 || immediate->type == SCH_IMMEDIATE_FLT64);
    if (!is_direct_immediate(&instruction->src[0]) || is_float)
        SCH_CHECK_REPORT(check, CASE_NOT_IMMEDIATE, instruction->position, "CASE needs an integer immediate");
}

static void check_stream(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info)
{
    const struct sch_ir_immediate *immediate = immediate_of(check, &instruction->src[0]);
    if (!immediate) return;
    uint32_t stream = immediate->word[instruction->src[0].swizzle[0]];
    if (stream >= STREAMS)
        SCH_CHECK_REPORT(check, STREAM_RANGE, instruction->position, "%s names stream %u of %d", info->name,
                         (unsigned)stream, STREAMS);
}

/* The declaration of a memory operand, or NULL when it is chosen at run time or not declared. */
static const struct sch_ir_declaration *declaration_of(const struct sch_check *check, unsigned file,
                                                       const struct sch_ir_bracket *index)
{
    if (index->is_indirect) return NULL;
    const struct sch_check_range *range = sch_check_find(check, file, 0, index->index);
    return range ? range->declaration : NULL;
}

static bool is_read_only(const struct sch_ir_declaration *declaration)
{
    if (declaration->file == SCH_FILE_IMAGE || declaration->file == SCH_FILE_RESOURCE) return !declaration->writable;
    return declaration->file == SCH_FILE_MEMORY && declaration->memory_kind == SCH_MEMORY_INPUT;
}

static void check_store(struct sch_check *check, const struct sch_ir_instruction *instruction)
{
    const struct sch_ir_dst *dst = &instruction->dst[0];
    const struct sch_ir_declaration *declaration = declaration_of(check, dst->file, &dst->index);
    if (declaration && is_read_only(declaration))
        SCH_CHECK_REPORT(check, STORE_READ_ONLY, instruction->position, "%s[%d] is not declared writable",
                         sch_check_file_word(dst->file), dst->index.index);
}

/* "These atomic operations may only be used with 32-bit integer image formats." */
static void check_atomic_format(struct sch_check *check, const struct sch_ir_instruction *instruction,
                                const struct sch_op_info *info, const struct sch_ir_declaration *declaration)
{
    unsigned format = instruction->has_memory ? instruction->memory_format : 0;
    if (!format) format = declaration->format;
    if (format == SCH_FORMAT_R32_UINT || format == SCH_FORMAT_R32_SINT) return;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FORMAT, format);
    const char *name = word ? word->word : "?";
    if (format == SCH_FORMAT_R32_FLOAT || format == SCH_FORMAT_NONE)
        SCH_CHECK_REPORT(check, ATOMIC_FORMAT_UNLISTED, instruction->position, "%s on an image of format %s",
                         info->name, name);
    else
        SCH_CHECK_REPORT(check, ATOMIC_FORMAT, instruction->position, "%s on an image of format %s", info->name, name);
}

static void check_atomic(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info)
{
    const struct sch_ir_src *resource = &instruction->src[0];
    if (resource->file == SCH_FILE_HW_ATOMIC && !is_direct_immediate(&instruction->src[1]))
        SCH_CHECK_REPORT(check, COUNTER_OFFSET, instruction->position, "the offset of a counter is an immediate");
    const struct sch_ir_declaration *declaration = declaration_of(check, resource->file, &resource->index);
    if (!declaration) return;
    if (is_read_only(declaration))
        SCH_CHECK_REPORT(check, ATOMIC_READ_ONLY, instruction->position, "%s[%d] is not declared writable",
                         sch_check_file_word(resource->file), resource->index.index);
    if (resource->file == SCH_FILE_IMAGE && !declaration->raw) /* RAW ones are words whatever the format */
        check_atomic_format(check, instruction, info, declaration);
}

static void check_framebuffer_fetch(struct sch_check *check, const struct sch_ir_instruction *instruction)
{
    const struct sch_ir_src *src = &instruction->src[0];
    const struct sch_ir_declaration *declaration = declaration_of(check, SCH_FILE_OUTPUT, &src->index);
    if (src->file != SCH_FILE_OUTPUT || !declaration) return;
    if (!declaration->has_semantic || declaration->semantic != SCH_SEMANTIC_COLOR)
        SCH_CHECK_REPORT(check, FETCH_NOT_COLOR, instruction->position, "OUT[%d] is not declared with COLOR",
                         src->index.index);
}

/* A fragment's depth is z of its POSITION, the stencil reference y of STENCIL: "Only the Z component is writable." */
static void check_fragment_output(struct sch_check *check, const struct sch_ir_instruction *instruction)
{
    const struct sch_ir_dst *dst = &instruction->dst[0];
    if (dst->file != SCH_FILE_OUTPUT) return;
    const struct sch_ir_declaration *declaration = declaration_of(check, dst->file, &dst->index);
    if (!declaration || !declaration->has_semantic) return;
    unsigned writable = 15;
    if (declaration->semantic == SCH_SEMANTIC_POSITION) writable = 4;
    if (declaration->semantic == SCH_SEMANTIC_STENCIL) writable = 2;
    if (dst->write_mask & ~writable)
        SCH_CHECK_REPORT(check, OUTPUT_COMPONENT, instruction->position, "only %s of OUT[%d] is writable",
                         writable == 4 ? "z" : "y", dst->index.index);
}

/* "An additional float32 operand, reference value, which must be a register with single-component, or a scalar
 * literal". */
static void check_scalar_reference(struct sch_check *check, const struct sch_ir_instruction *instruction,
                                   const struct sch_op_info *info)
{
    const uint8_t *swizzle = instruction->src[3].swizzle;
    if (swizzle[1] != swizzle[0] || swizzle[2] != swizzle[0] || swizzle[3] != swizzle[0])
        SCH_CHECK_REPORT(check, REFERENCE_NOT_SCALAR, instruction->position,
                         "the reference value of %s is a single component", info->name);
}

void sch_check_opcode(struct sch_check *check, const struct sch_ir_instruction *instruction,
                      const struct sch_op_info *info)
{
    check_stage(check, instruction, info);
    switch (info->opcode) {
    case SCH_OP_CASE:
        check_case(check, instruction);
        break;
    case SCH_OP_EMIT:
    case SCH_OP_ENDPRIM:
        check_stream(check, instruction, info);
        break;
    case SCH_OP_MEMBAR:
        if (!is_direct_immediate(&instruction->src[0]))
            SCH_CHECK_REPORT(check, MEMBAR_NOT_IMMEDIATE, instruction->position, "MEMBAR needs an immediate");
        break;
    case SCH_OP_STORE:
        check_store(check, instruction);
        break;
    case SCH_OP_FBFETCH:
        check_framebuffer_fetch(check, instruction);
        break;
    case SCH_OP_SAMPLE_C:
    case SCH_OP_SAMPLE_C_LZ:
        check_scalar_reference(check, instruction, info);
        break;
    default:
        break;
    }
    if (info->flags & SCH_OPF_ATOMIC) check_atomic(check, instruction, info);
    if (check->shader->stage == SCH_STAGE_FRAGMENT && info->dsts) check_fragment_output(check, instruction);
}
