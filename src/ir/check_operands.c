/* Rules of operands by the opcode's row: how many, which files may be written and read, masks, swizzles and modifiers
 * against the operand's type. */
#include "ir/check_internal.h"

#include <string.h>

enum {
    VALUE_FILES = SCH_FILE_BIT(CONSTANT) | SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(OUTPUT) | SCH_FILE_BIT(TEMPORARY) |
                  SCH_FILE_BIT(ADDRESS) | SCH_FILE_BIT(IMMEDIATE) | SCH_FILE_BIT(SYSTEM_VALUE),
    REGISTER_DESTINATIONS = SCH_FILE_BIT(OUTPUT) | SCH_FILE_BIT(TEMPORARY) | SCH_FILE_BIT(ADDRESS) | SCH_FILE_BIT(NULL),
    /* "For these opcodes, the resource can be a BUFFER, IMAGE, or MEMORY", and the specification's RES. */
    STORE_FILES = SCH_FILE_BIT(BUFFER) | SCH_FILE_BIT(IMAGE) | SCH_FILE_BIT(MEMORY) | SCH_FILE_BIT(RESOURCE),
    /* HWATOMIC: Mesa reads counters by LOAD. CONSTBUF: constant buffers as memory. */
    LOAD_FILES = STORE_FILES | SCH_FILE_BIT(CONSTBUF) | SCH_FILE_BIT(HW_ATOMIC),
    QUERY_FILES = SCH_FILE_BIT(BUFFER) | SCH_FILE_BIT(IMAGE) | SCH_FILE_BIT(RESOURCE),
    /* "The resource may be a BUFFER, IMAGE, HWATOMIC, or MEMORY." */
    ATOMIC_FILES = STORE_FILES | SCH_FILE_BIT(HW_ATOMIC),
    /* "source is either a sampler view or temp register": a temporary stands for the render target. */
    SAMPLE_QUERY_FILES = SCH_FILE_BIT(SAMPLER_VIEW) | SCH_FILE_BIT(TEMPORARY)
};

unsigned sch_ir_stored_files(void) { return STORE_FILES; }

unsigned sch_ir_named_files(const struct sch_op_info *info, unsigned operand, const char **what)
{
    *what = "a resource";
    switch (info->opcode) {
    case SCH_OP_LOAD:
        return LOAD_FILES;
    case SCH_OP_RESQ:
        return QUERY_FILES;
    case SCH_OP_FBFETCH:
        *what = "an output";
        return SCH_FILE_BIT(OUTPUT);
    case SCH_OP_IMG2HND:
        *what = "an image";
        return SCH_FILE_BIT(IMAGE);
    case SCH_OP_SAMPLE_POS:
    case SCH_OP_SAMPLE_INFO:
        *what = "a sampler view or temporary";
        return SAMPLE_QUERY_FILES;
    default:
        break;
    }
    if (info->flags & SCH_OPF_ATOMIC) return ATOMIC_FILES;
    if (info->shape == SCH_SHAPE_INTERPOLATE) {
        *what = "an input";
        return SCH_FILE_BIT(INPUT);
    }
    bool first = operand == 0 || info->src_type[operand - 1] != 'R';
    if (info->flags & SCH_OPF_SAMPLE && first) { /* the view, then the sampler */
        *what = "a sampler view";
        return SCH_FILE_BIT(SAMPLER_VIEW);
    }
    *what = "a sampler";
    return SCH_FILE_BIT(SAMPLER);
}

bool sch_ir_takes_handle(const struct sch_op_info *info, unsigned file)
{
    if (file >= SCH_FILE_COUNT || !(VALUE_FILES >> file & 1)) return false;
    if (info->shape == SCH_SHAPE_TEX) return info->flags & SCH_OPF_TEXTURE;
    return info->shape == SCH_SHAPE_MEMORY || info->shape == SCH_SHAPE_ATOMIC;
}

static bool is_integer(char type) { return type == 'I' || type == 'U'; }
static bool is_64bit(char type) { return type == 'D' || type == 'L' || type == 'Q'; }

/* Components of the source that the written components come from; 0 when the shape does not say. */
static unsigned read_components(const struct sch_op_info *info, const struct sch_ir_instruction *instruction,
                                const struct sch_ir_src *src)
{
    if (!sch_op_tells_channels(info)) return 0;
    const unsigned channels = sch_op_channels_read(info, instruction->dst[0].write_mask);
    unsigned mask = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) mask |= 1u << src->swizzle[c];
    return mask;
}

static void check_use(struct sch_check *check, const struct sch_ir_instruction *instruction, unsigned file,
                      const struct sch_ir_bracket *index, const struct sch_ir_bracket *dimension, unsigned components)
{
    sch_check_use(check, &(struct sch_check_operand){.instruction = instruction,
                                                     .file = file,
                                                     .index = index,
                                                     .dimension = dimension,
                                                     .components = (uint8_t)components});
}

static void check_address(struct sch_check *check, const struct sch_ir_instruction *instruction,
                          const struct sch_op_info *info, unsigned file)
{
    const bool loads = info->flags & SCH_OPF_ADDRESS;
    if (file == SCH_FILE_ADDRESS && !loads)
        SCH_CHECK_REPORT(check, ADDRESS_WRITTEN, instruction->position, "%s writes an address register", info->name);
    if (file != SCH_FILE_ADDRESS && loads)
        SCH_CHECK_REPORT(check, ADDRESS_LOAD_ELSEWHERE, instruction->position, "%s writes %s, not an address register",
                         info->name, sch_check_file_word(file));
}

/* The channels of a 64-bit result come in pairs, save where a comparison writes x and z. */
static void check_mask_64(struct sch_check *check, const struct sch_ir_instruction *instruction,
                          const struct sch_op_info *info, const struct sch_ir_dst *dst)
{
    if (!is_64bit(info->dst_type) || dst != &instruction->dst[0]) return;
    unsigned low = dst->write_mask & 5, high = dst->write_mask >> 1 & 5;
    if (low != high)
        SCH_CHECK_REPORT(check, MASK_64BIT, instruction->position, "%s writes half of a 64-bit value", info->name);
}

static void check_destination(struct sch_check *check, const struct sch_ir_instruction *instruction,
                              const struct sch_op_info *info, const struct sch_ir_dst *dst)
{
    bool handle = info->dst_type == 'R' && sch_ir_takes_handle(info, dst->file);
    unsigned files = info->dst_type == 'R' ? STORE_FILES | VALUE_FILES : REGISTER_DESTINATIONS;
    if (!dst->write_mask)
        SCH_CHECK_REPORT(check, EMPTY_WRITE_MASK, instruction->position, "%s writes no component", info->name);
    if (dst->file >= SCH_FILE_COUNT || !(files >> dst->file & 1)) {
        SCH_CHECK_REPORT(check, DESTINATION_FILE, instruction->position, "%s cannot write %s", info->name,
                         sch_check_file_word(dst->file));
        return;
    }
    if (dst->file == SCH_FILE_NULL) {
        SCH_CHECK_REPORT(check, NULL_DESTINATION, instruction->position, "the result goes nowhere");
        return;
    }
    if (!handle) check_address(check, instruction, info, dst->file);
    check_mask_64(check, instruction, info, dst);
    check_use(check, instruction, dst->file, &dst->index, dst->has_dimension ? &dst->dimension : NULL,
              info->dst_type == 'R' ? 0 : dst->write_mask);
}

/* A pair of channels that is read as one 64-bit value should be (x, y) or (z, w). */
static bool is_pair(const struct sch_ir_src *src, unsigned first)
{
    unsigned low = src->swizzle[first];
    return (low == 0 || low == 2) && src->swizzle[first + 1] == low + 1;
}

/* No half of an immediate belongs to another: producers pack the words of several values as they fit. */
static void report_torn(struct sch_check *check, const struct sch_ir_instruction *instruction,
                        const struct sch_ir_src *src)
{
    if (src->file == SCH_FILE_IMMEDIATE)
        SCH_CHECK_REPORT(check, SWIZZLE_64BIT, instruction->position,
                         "the swizzle puts a 64-bit value together from words of IMM");
    else
        SCH_CHECK_REPORT(check, VALUE_TORN, instruction->position, "the swizzle tears a 64-bit value of %s apart",
                         sch_check_file_word(src->file));
}

static void check_swizzle_64(struct sch_check *check, const struct sch_ir_instruction *instruction,
                             const struct sch_op_info *info, const struct sch_ir_src *src)
{
    unsigned mask = instruction->dst_count ? instruction->dst[0].write_mask : 15;
    bool low = mask & 3, high = mask & 12;
    if (info->shape == SCH_SHAPE_NARROW64) {
        low = mask & 1;
        high = mask & 2;
    }
    if (info->shape == SCH_SHAPE_FRACEXP) high = false;
    if ((low && !is_pair(src, 0)) || (high && !is_pair(src, 2))) report_torn(check, instruction, src);
}

static void check_modifiers(struct sch_check *check, const struct sch_ir_instruction *instruction,
                            const struct sch_op_info *info, const struct sch_ir_src *src, char type)
{
    if (!src->negate && !src->absolute) return;
    if (type == 'R')
        SCH_CHECK_REPORT(check, MODIFIER_NAMED, instruction->position, "a modifier on a register that %s does not read",
                         info->name);
    else if (is_64bit(type))
        SCH_CHECK_REPORT(check, MODIFIER_64BIT, instruction->position, "a modifier on a 64-bit operand of %s",
                         info->name);
    else if (is_integer(type) && src->absolute)
        SCH_CHECK_REPORT(check, ABSOLUTE_INTEGER, instruction->position,
                         "an absolute value of an integer operand of %s", info->name);
}

static void check_source(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info, unsigned operand)
{
    const struct sch_ir_src *src = &instruction->src[operand];
    char type = info->src_type[operand];
    const char *what = "";
    unsigned files = type == 'R' ? sch_ir_named_files(info, operand, &what) : VALUE_FILES;
    if (type == 'R' && sch_ir_takes_handle(info, src->file)) {
        type = 'X'; /* a bindless handle is read */
        files = VALUE_FILES;
    }
    if (src->file >= SCH_FILE_COUNT || !(files >> src->file & 1)) {
        if (info->shape == SCH_SHAPE_INTERPOLATE && type == 'R')
            SCH_CHECK_REPORT(check, INTERPOLATE_NOT_INPUT, instruction->position, "%s interpolates inputs, not %s",
                             info->name, sch_check_file_word(src->file));
        else if (type == 'R')
            SCH_CHECK_REPORT(check, NAMED_FILE, instruction->position, "%s needs %s operand, not %s", info->name, what,
                             sch_check_file_word(src->file));
        else
            SCH_CHECK_REPORT(check, SOURCE_FILE, instruction->position, "%s cannot read %s", info->name,
                             sch_check_file_word(src->file));
        return;
    }
    check_modifiers(check, instruction, info, src, type);
    if (is_64bit(type)) check_swizzle_64(check, instruction, info, src);
    check_use(check, instruction, src->file, &src->index, src->has_dimension ? &src->dimension : NULL,
              type == 'R' ? 0 : read_components(info, instruction, src));
}

static void check_offset(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info, const struct sch_ir_texel_offset *offset)
{
    if (offset->file >= SCH_FILE_COUNT || !(VALUE_FILES >> offset->file & 1)) {
        SCH_CHECK_REPORT(check, SOURCE_FILE, instruction->position, "%s cannot read %s", info->name,
                         sch_check_file_word(offset->file));
        return;
    }
    struct sch_ir_bracket index = {.index = offset->index};
    check_use(check, instruction, offset->file, &index, NULL, 0);
}

/* "The saturate modifier clamps 32-bit destination stores to [0.0, 1.0]": floats, and bits that are moved. */
static void check_saturate(struct sch_check *check, const struct sch_ir_instruction *instruction,
                           const struct sch_op_info *info)
{
    if (instruction->saturate && !strchr("FX", info->dst_type))
        SCH_CHECK_REPORT(check, SATURATE_RESULT, instruction->position, "%s has no 32-bit float result to clamp",
                         info->name);
}

bool sch_check_operands(struct sch_check *check, const struct sch_ir_instruction *instruction,
                        const struct sch_op_info *info)
{
    if (instruction->dst_count != info->dsts || instruction->src_count != info->srcs ||
        instruction->offset_count > SCH_MAX_OFFSETS) {
        SCH_CHECK_REPORT(check, OPERAND_COUNT, instruction->position,
                         "%s has %u destinations and %u sources, not %u and %u", info->name, info->dsts, info->srcs,
                         instruction->dst_count, instruction->src_count);
        return false;
    }
    check_saturate(check, instruction, info);
    for (unsigned i = 0; i < info->dsts; i++) check_destination(check, instruction, info, &instruction->dst[i]);
    for (unsigned i = 0; i < info->srcs; i++) check_source(check, instruction, info, i);
    for (unsigned i = 0; i < instruction->offset_count; i++)
        check_offset(check, instruction, info, &instruction->offset[i]);
    return true;
}
