/* See corpus_handles.h. */
#include "corpus_handles.h"

#include <string.h>

#include "../tgsi/tgsi_support.h"

/* The registers of one file, and the first of the temporaries that hold their handles. */
struct handles {
    unsigned file, opcode, count, first;
};

/* SAMP2HND carries a target too; handles do not depend on it. */
static void add_handles(struct sch_ir_shader *to, const struct handles *handles)
{
    for (unsigned n = 0; n < handles->count; n++) {
        struct sch_ir_instruction in = {.opcode = (uint16_t)handles->opcode,
                                        .dst_count = 1,
                                        .src_count = 1,
                                        .has_texture = handles->file == SCH_FILE_SAMPLER,
                                        .has_memory = handles->file == SCH_FILE_IMAGE,
                                        .target = SCH_TARGET_2D,
                                        .return_type = SCH_RETURN_UNKNOWN};
        in.dst[0] = sch_ir_dst(SCH_FILE_TEMPORARY, (int)(handles->first + n));
        in.src[0] = sch_ir_src((enum sch_file)handles->file, (int)n);
        assert_int_equal(sch_ir_add_instruction(to, &in), SCH_OK);
    }
}

/* A direct register in whose place a handle means the same: a handle's own swizzle would choose its words. */
static bool replaces(struct sch_ir_src *src, const struct handles *handles)
{
    static const uint8_t identity[4] = {0, 1, 2, 3};
    if (src->file != handles->file || src->index.is_indirect || memcmp(src->swizzle, identity, 4) != 0) return false;
    *src = sch_ir_src(SCH_FILE_TEMPORARY, (int)handles->first + src->index.index);
    return true;
}

/* Of an image the handle says nothing of the target: the instruction must. */
static bool rewrite(struct sch_ir_instruction *in, const struct handles *samplers, const struct handles *images)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    bool memory = info->shape == SCH_SHAPE_MEMORY || info->shape == SCH_SHAPE_ATOMIC, done = false;
    if (info->shape == SCH_SHAPE_TEX && info->flags & SCH_OPF_TEXTURE)
        done = replaces(&in->src[in->src_count - 1], samplers);
    if (!memory || !in->has_memory || in->memory_target == SCH_TARGET_BUFFER) return done;
    if (in->opcode != SCH_OP_STORE) return replaces(&in->src[0], images);
    if (in->dst[0].file != SCH_FILE_IMAGE || in->dst[0].index.is_indirect) return false;
    in->dst[0].file = SCH_FILE_TEMPORARY;
    in->dst[0].index.index = (int16_t)(in->dst[0].index.index + (int)images->first);
    return true;
}

static unsigned registers_of(const struct sch_ir_shader *shader, unsigned file)
{
    unsigned count = 0;
    for (size_t n = 0; n < shader->declaration_count; n++)
        if (shader->declarations[n].file == file && shader->declarations[n].last >= count)
            count = shader->declarations[n].last + 1u;
    return count;
}

/* An indexed temporary may reach the handles. */
static bool indexes_temporaries(const struct sch_ir_shader *shader)
{
    for (size_t n = 0; n < shader->instruction_count; n++) {
        const struct sch_ir_instruction *in = &shader->instructions[n];
        for (unsigned s = 0; s < in->src_count; s++)
            if (in->src[s].file == SCH_FILE_TEMPORARY && in->src[s].index.is_indirect) return true;
        for (unsigned d = 0; d < in->dst_count; d++)
            if (in->dst[d].file == SCH_FILE_TEMPORARY && in->dst[d].index.is_indirect) return true;
    }
    return false;
}

char *text_with_handles(const struct sch_ir_shader *shader)
{
    struct handles samplers = {SCH_FILE_SAMPLER, SCH_OP_SAMP2HND, registers_of(shader, SCH_FILE_SAMPLER), 0};
    struct handles images = {SCH_FILE_IMAGE, SCH_OP_IMG2HND, registers_of(shader, SCH_FILE_IMAGE), 0};
    if (samplers.count + images.count == 0 || indexes_temporaries(shader)) return NULL;
    samplers.first = registers_of(shader, SCH_FILE_TEMPORARY);
    images.first = samplers.first + samplers.count;

    struct sch_ir_shader *to = sch_ir_create(&sch_allocator_libc, (enum sch_stage)shader->stage, &shader->limits);
    assert_non_null(to);
    const struct sch_ir_declaration temporaries = {.file = SCH_FILE_TEMPORARY,
                                                   .usage_mask = 15,
                                                   .first = (uint16_t)samplers.first,
                                                   .last = (uint16_t)(images.first + images.count - 1)};
    assert_int_equal(sch_ir_add_declaration(to, &temporaries), SCH_OK);
    for (size_t n = 0; n < shader->declaration_count; n++)
        assert_int_equal(sch_ir_add_declaration(to, &shader->declarations[n]), SCH_OK);
    for (size_t n = 0; n < shader->immediate_count; n++)
        assert_int_equal(sch_ir_add_immediate(to, &shader->immediates[n]), SCH_OK);
    for (size_t n = 0; n < shader->property_count; n++)
        assert_int_equal(sch_ir_add_property(to, &shader->properties[n]), SCH_OK);
    add_handles(to, &samplers);
    add_handles(to, &images);
    bool replaced = false;
    for (size_t n = 0; n < shader->instruction_count; n++) {
        struct sch_ir_instruction in = shader->instructions[n];
        if (rewrite(&in, &samplers, &images)) replaced = true;
        assert_int_equal(sch_ir_add_instruction(to, &in), SCH_OK);
    }
    char *text = replaced ? print_shader(to, (enum sch_float_text)shader->float_style) : NULL;
    sch_ir_destroy(to);
    return text;
}
