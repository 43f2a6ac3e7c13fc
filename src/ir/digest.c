/* The digest of a shader: every member that has a meaning goes into the hash, in a fixed order; each list after its
 * count. Structures are never hashed as bytes, as what is between their members is anything. */
#include "ir/digest.h"

static void put(struct sch_sha256 *hash, uint32_t number) { sch_sha256_add_u32(hash, number); }

/* Numbers of more than 16 bits came later: those of fewer keep the digest that they had. */
static void put_index(struct sch_sha256 *hash, int32_t index)
{
    const bool wide = index < INT16_MIN || index > INT16_MAX;
    put(hash, wide ? UINT32_C(0x10000) : (uint16_t)index);
    if (wide) put(hash, (uint32_t)index);
}

static void put_bracket(struct sch_sha256 *hash, const struct sch_ir_bracket *bracket)
{
    put_index(hash, bracket->index);
    put(hash, bracket->is_indirect);
    if (!bracket->is_indirect) return;
    put(hash, bracket->indirect.file);
    put(hash, bracket->indirect.component);
    put(hash, bracket->indirect.array_id);
    put_index(hash, bracket->indirect.index);
}

static void put_source(struct sch_sha256 *hash, const struct sch_ir_src *src)
{
    put(hash, src->file);
    put(hash, (uint32_t)src->negate | (uint32_t)src->absolute << 1 | (uint32_t)src->has_dimension << 2);
    sch_sha256_add(hash, src->swizzle, sizeof src->swizzle);
    put_bracket(hash, &src->index);
    if (src->has_dimension) put_bracket(hash, &src->dimension);
}

static void put_destination(struct sch_sha256 *hash, const struct sch_ir_dst *dst)
{
    put(hash, dst->file);
    put(hash, dst->write_mask);
    put(hash, dst->has_dimension);
    put_bracket(hash, &dst->index);
    if (dst->has_dimension) put_bracket(hash, &dst->dimension);
}

static void put_offset(struct sch_sha256 *hash, const struct sch_ir_texel_offset *offset)
{
    put(hash, offset->file);
    sch_sha256_add(hash, offset->swizzle, sizeof offset->swizzle);
    put_index(hash, offset->index);
}

static void put_instruction(struct sch_sha256 *hash, const struct sch_ir_instruction *in)
{
    put(hash, in->opcode);
    put(hash, (uint32_t)in->saturate | (uint32_t)in->precise << 1 | (uint32_t)in->has_label << 2 |
                  (uint32_t)in->has_texture << 3 | (uint32_t)in->has_memory << 4);
    put(hash, in->has_texture ? (uint32_t)in->target | (uint32_t)in->return_type << 8 : 0);
    put(hash, in->has_label ? in->label : 0);
    put(hash, in->has_memory ? (uint32_t)in->qualifiers | (uint32_t)in->memory_target << 8 : 0);
    put(hash, in->has_memory ? in->memory_format : 0);
    put(hash, in->dst_count);
    for (unsigned n = 0; n < in->dst_count; n++) put_destination(hash, &in->dst[n]);
    put(hash, in->src_count);
    for (unsigned n = 0; n < in->src_count; n++) put_source(hash, &in->src[n]);
    put(hash, in->offset_count);
    for (unsigned n = 0; n < in->offset_count; n++) put_offset(hash, &in->offset[n]);
}

static void put_declaration(struct sch_sha256 *hash, const struct sch_ir_declaration *declaration)
{
    const bool wide = declaration->first > UINT16_MAX || declaration->last > UINT16_MAX;
    put(hash, declaration->file);
    put(hash, declaration->usage_mask);
    put(hash, (uint32_t)declaration->has_dimension | (uint32_t)declaration->has_semantic << 1 |
                  (uint32_t)declaration->has_interpolation << 2 | (uint32_t)declaration->invariant << 3 |
                  (uint32_t)declaration->local << 4 | (uint32_t)declaration->atomic << 5 |
                  (uint32_t)declaration->raw << 6 | (uint32_t)declaration->writable << 7 | (uint32_t)wide << 8);
    put(hash, declaration->memory_kind);
    put(hash, wide ? declaration->first : declaration->first | declaration->last << 16);
    if (wide) put(hash, declaration->last);
    put(hash, (uint32_t)declaration->dimension | (uint32_t)declaration->array_id << 16);
    put(hash, (uint32_t)declaration->interpolation | (uint32_t)declaration->location << 8);
    put(hash, (uint32_t)declaration->semantic | (uint32_t)declaration->semantic_index << 16);
    sch_sha256_add(hash, declaration->stream, sizeof declaration->stream);
    put(hash, (uint32_t)declaration->target | (uint32_t)declaration->format << 16);
    sch_sha256_add(hash, declaration->return_type, sizeof declaration->return_type);
}

static void put_immediate(struct sch_sha256 *hash, const struct sch_ir_immediate *immediate)
{
    put(hash, immediate->type);
    for (unsigned c = 0; c < 4; c++) put(hash, immediate->word[c]);
}

static void put_property(struct sch_sha256 *hash, const struct sch_ir_property *property)
{
    put(hash, property->name);
    put(hash, property->count);
    for (unsigned n = 0; n < property->count; n++) put(hash, property->value[n]);
}

static void put_long(struct sch_sha256 *hash, uint64_t number)
{
    put(hash, (uint32_t)number);
    put(hash, (uint32_t)(number >> 32));
}

static void put_step(struct sch_sha256 *hash, const struct sch_maxwell_step *step)
{
#define STEP(member)   put_long(hash, (uint64_t)step->member);
#define SOURCE(member) put_long(hash, (uint64_t)step->source[s].member);
    SCH_MAXWELL_STEP_MEMBERS(STEP, STEP)
    sch_sha256_add(hash, &step->how, SCH_MAXWELL_HOW_BYTES);
    for (unsigned s = 0; s < step->source_count; s++) {
        SCH_MAXWELL_SOURCE_MEMBERS(SOURCE, SOURCE)
    }
#undef STEP
#undef SOURCE
}

void sch_ir_digest(const struct sch_ir_shader *shader, uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    sch_sha256_begin(&hash);
    put(&hash, shader->stage);
    put(&hash, (uint32_t)shader->declaration_count);
    for (size_t n = 0; n < shader->declaration_count; n++) put_declaration(&hash, &shader->declarations[n]);
    put(&hash, (uint32_t)shader->immediate_count);
    for (size_t n = 0; n < shader->immediate_count; n++) put_immediate(&hash, &shader->immediates[n]);
    put(&hash, (uint32_t)shader->property_count);
    for (size_t n = 0; n < shader->property_count; n++) put_property(&hash, &shader->properties[n]);
    put(&hash, (uint32_t)shader->instruction_count);
    for (size_t n = 0; n < shader->instruction_count; n++) put_instruction(&hash, &shader->instructions[n]);
    for (size_t n = 0; n < shader->instruction_count && shader->steps; n++) put_step(&hash, &shader->steps[n]);
    sch_sha256_end(&hash, digest);
}
