/* From the instructions of a shader to those of a prepared program: operands become places, modifiers become numbers.
 * What cannot run is reported here, each construct once. */
#include <string.h>

#include "ir/check.h"
#include "ir/prepare.h"
#include "isa/errors.h"

static void unsupported_operand(struct sch_preparation *d, uint8_t file)
{
    d->refused = true;
    if (d->refused_files[file]) return;
    d->refused_files[file] = true;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FILE, file);
    sch_diagnostics_add(d->diagnostics, SCH_SEVERITY_ERROR, SCH_D_UNSUPPORTED_OPERAND, d->source->position,
                        "%s: value operands of the file %s are not executed yet", sch_op_info(d->source->opcode)->name,
                        word ? word->word : "?");
}

/* The file, where an operand says only when it runs which register of the group's own state it is. */
static void note_indexed(struct sch_prepared *program, unsigned access, unsigned file)
{
    if (access == SCH_ACCESS_REGISTERS || access == SCH_ACCESS_PATCH) program->indexed |= 1u << file;
}

/* ---- sources ---- */

/* Where channel `component` of register FILE[index] is; false for files without stored registers. */
static bool locate(struct sch_preparation *d, unsigned file, int index, unsigned component, uint8_t *space,
                   uint32_t *channel)
{
    struct sch_prepared *program = d->program;
    *space = SCH_SPACE_PROGRAM; /* the channel of zeros, for registers that do not exist */
    *channel = 0;
    if (file == SCH_FILE_CONSTANT) {
        if (index < 0) return true;
        *space = SCH_SPACE_RUN;
        *channel = 4 * sch_prepared_constant_slot(program, 0, (uint32_t)index) + component;
        return true;
    }
    if (file >= SCH_FILE_COUNT) return false;
    const struct sch_prepared_file *stored = &program->files[file];
    if (!stored->stored) return false;
    if (index < 0 || (uint32_t)index >= stored->count) return true;
    *space = stored->space;
    *channel = stored->base + stored->width * (uint32_t)index + component;
    return true;
}

static struct sch_prepared_index make_index(struct sch_preparation *d, const struct sch_ir_bracket *bracket)
{
    struct sch_prepared_index index = {.base = bracket->index, .is_indirect = bracket->is_indirect};
    if (!bracket->is_indirect) return index;
    const struct sch_ir_indirect *by = &bracket->indirect;
    if (!locate(d, by->file, by->index, by->component, &index.space, &index.channel)) unsupported_operand(d, by->file);
    return index;
}

/* A float operand of Direct3D's is flushed by what modifies it. */
static uint8_t modifier(const struct sch_preparation *d, const struct sch_ir_src *src, char type)
{
    const bool flush = d->d3d && type == 'F';
    if (!src->negate && !src->absolute) return flush ? SCH_MODIFY_FLUSH_F32 : SCH_MODIFY_NOTHING;
    const unsigned which = (unsigned)src->negate + 2 * src->absolute - 1; /* negate, absolute, both */
    if (flush) return (uint8_t)(SCH_MODIFY_FLUSH_NEGATE_F32 + which);
    if (type == 'D') return (uint8_t)(SCH_MODIFY_NEGATE_F64 + which);
    if (type == 'L' || type == 'Q') return (uint8_t)(SCH_MODIFY_NEGATE_I64 + which);
    return (uint8_t)((type == 'F' || type == 'X' ? SCH_MODIFY_NEGATE_F32 : SCH_MODIFY_NEGATE_I32) + which);
}

static void decode_constant(struct sch_preparation *d, const struct sch_ir_src *src, struct sch_prepared_src *out)
{
    bool fixed = !src->index.is_indirect && !(src->has_dimension && src->dimension.is_indirect);
    if (!fixed) {
        out->access = SCH_ACCESS_CONSTANTS;
        return;
    }
    out->access = SCH_ACCESS_PLAIN;
    out->space = SCH_SPACE_PROGRAM;
    int buffer = src->has_dimension ? src->dimension.index : 0;
    if (buffer < 0 || src->index.index < 0) return; /* no such register: the channel of zeros */
    out->space = SCH_SPACE_RUN;
    uint32_t base = 4 * sch_prepared_constant_slot(d->program, (uint32_t)buffer, (uint32_t)src->index.index);
    for (unsigned c = 0; c < 4; c++) out->channel[c] = base + src->swizzle[c];
}

static void decode_register(struct sch_preparation *d, const struct sch_ir_src *src, struct sch_prepared_src *out)
{
    /* Elsewhere a first bracket is ignored (docs/semantics.md, "declarations TEMP dimension"). */
    bool vertex = src->has_dimension && sch_file_is_per_vertex(d->program->stage, src->file);
    if (!vertex) out->dimension = (struct sch_prepared_index){0};
    if (vertex && src->file == SCH_FILE_OUTPUT) {
        out->access = SCH_ACCESS_PATCH;
        return;
    }
    vertex = vertex && (src->dimension.is_indirect || src->dimension.index != 0);
    out->access = SCH_ACCESS_REGISTERS;
    if (src->index.is_indirect || vertex) return;
    out->access = SCH_ACCESS_PLAIN;
    for (unsigned c = 0; c < 4; c++)
        if (!locate(d, src->file, src->index.index, src->swizzle[c], &out->space, &out->channel[c])) {
            unsupported_operand(d, src->file);
            return;
        }
}

void sch_prepare_source(struct sch_preparation *d, const struct sch_ir_src *src, char type,
                        struct sch_prepared_src *out)
{
    *out = (struct sch_prepared_src){.access = SCH_ACCESS_NONE, .file = src->file};
    memcpy(out->swizzle, src->swizzle, sizeof out->swizzle);
    out->index = make_index(d, &src->index);
    if (src->has_dimension) out->dimension = make_index(d, &src->dimension);
    if (type == 'R' && src->file == SCH_FILE_INPUT) /* INTERP_*: what is interpolated is a float */
        out->modify = modifier(d, src, 'F');
    if (type == 'R') return; /* names a resource: its handler looks at the index */
    out->modify = modifier(d, src, type);
    if (src->file == SCH_FILE_CONSTANT)
        decode_constant(d, src, out);
    else
        decode_register(d, src, out);
    note_indexed(d->program, out->access, src->file);
}

/* ---- destinations ---- */

/* Whether writing this output concerns other invocations of the patch: it names a vertex, belongs to the patch, or is
 * known only when it runs. */
static bool is_of_patch(const struct sch_preparation *d, const struct sch_ir_dst *dst)
{
    const bool *shared = d->program->of_stage.patch_outputs;
    if (!shared) return false;
    if (dst->has_dimension || dst->index.is_indirect) return true;
    return dst->index.index >= 0 && (uint32_t)dst->index.index < d->program->files[SCH_FILE_OUTPUT].count &&
           shared[dst->index.index];
}

static void decode_destination(struct sch_preparation *d, const struct sch_ir_dst *dst, char type,
                               struct sch_prepared_dst *out)
{
    *out = (struct sch_prepared_dst){.access = SCH_ACCESS_NONE, .file = dst->file, .mask = dst->write_mask & 15};
    if (dst->file == SCH_FILE_NULL) return;
    if (type == 'R') { /* names a resource: its handler looks at the index */
        out->index = make_index(d, &dst->index);
        return;
    }
    bool writable = dst->file == SCH_FILE_TEMPORARY || dst->file == SCH_FILE_OUTPUT || dst->file == SCH_FILE_ADDRESS;
    if (!writable) {
        unsupported_operand(d, dst->file);
        return;
    }
    const struct sch_prepared_file *file = &d->program->files[dst->file];
    out->index = make_index(d, &dst->index);
    out->access = dst->index.is_indirect ? SCH_ACCESS_REGISTERS : SCH_ACCESS_PLAIN;
    if (dst->file == SCH_FILE_OUTPUT && is_of_patch(d, dst)) out->access = SCH_ACCESS_PATCH;
    note_indexed(d->program, out->access, dst->file);
    if (out->access == SCH_ACCESS_PATCH) {
        out->has_vertex = dst->has_dimension;
        out->dimension = make_index(d, &dst->dimension);
        return; /* the write looks at the declared components */
    }
    if (dst->index.is_indirect) return;
    if (dst->index.index < 0 || (uint32_t)dst->index.index >= file->count)
        out->access = SCH_ACCESS_NONE;
    else
        out->channel = file->base + file->width * (uint32_t)dst->index.index;
    if (dst->file == SCH_FILE_OUTPUT && out->access == SCH_ACCESS_PLAIN)
        out->mask &= d->program->output_masks[dst->index.index];
}

/* Whether a source channel is one of the destination channels `channels` (bits). */
static bool overlaps(const struct sch_prepared_dst *dst, unsigned channels, const struct sch_prepared_src *src,
                     unsigned c)
{
    if (src->access == SCH_ACCESS_NONE) return false;
    if (src->access != SCH_ACCESS_PLAIN) return true; /* known only when it runs */
    if (src->space != SCH_SPACE_STATE) return false;
    uint32_t distance = src->channel[c] - dst->channel;
    return distance < 4 && (channels >> distance & 1);
}

/* Whether results may be written to the destination while sources are still to be read: all sources are read before any
 * destination is written, as far as a program can see. */
static bool writes_directly(const struct sch_prepared_instruction *out, enum sch_op_shape shape)
{
    if (out->dst_count != 1 || out->dst[0].access != SCH_ACCESS_PLAIN) return false;
    const struct sch_prepared_dst *dst = &out->dst[0];
    for (unsigned s = 0; s < out->src_count; s++)
        for (unsigned c = 0; c < 4; c++) {
            /* A channel of COMP is computed after the lower ones were written; the same channel at the same place is
             * read lane by lane before it is written. */
            unsigned written = shape == SCH_SHAPE_COMP ? dst->mask & ((1u << c) - 1) : dst->mask;
            if (shape == SCH_SHAPE_COMP && !(dst->mask >> c & 1)) continue;
            if (written && overlaps(dst, written, &out->src[s], c)) return false;
        }
    return true;
}

/* ---- instructions ---- */

static bool decode_operands(struct sch_preparation *d, struct sch_prepared_instruction *out)
{
    const struct sch_ir_instruction *in = d->source;
    const struct sch_op_info *info = sch_op_form(in->opcode, in->src_count);
    struct sch_prepared_src *src = SCH_ARENA_ARRAY(&d->program->arena, struct sch_prepared_src, in->src_count);
    struct sch_prepared_dst *dst = SCH_ARENA_ARRAY(&d->program->arena, struct sch_prepared_dst, in->dst_count);
    if (!src || !dst) return false;
    for (unsigned s = 0; s < in->src_count; s++) {
        bool handle = info->src_type[s] == 'R' && sch_ir_takes_handle(info, in->src[s].file);
        sch_prepare_source(d, &in->src[s], handle ? 'U' : info->src_type[s], &src[s]);
    }
    for (unsigned n = 0; n < in->dst_count; n++) decode_destination(d, &in->dst[n], info->dst_type, &dst[n]);
    out->src = src;
    out->dst = dst;
    out->src_count = in->src_count;
    out->dst_count = in->dst_count;
    return true;
}

static void refuse_opcode(struct sch_preparation *d)
{
    d->refused = true;
    unsigned opcode = d->source->opcode;
    if (d->refused_opcodes[opcode]) return;
    d->refused_opcodes[opcode] = true;
    sch_diagnostics_add(d->diagnostics, SCH_SEVERITY_ERROR, SCH_D_UNSUPPORTED_OPCODE, d->source->position,
                        "%s is not executed yet", sch_op_info(opcode)->name);
}

/* What becomes of a result before it is written: _SAT, and Direct3D's flush of what arithmetic made; what texture
 * lookups and memory give is moved. */
static uint8_t result_modifier(const struct sch_preparation *d, const struct sch_op_info *info)
{
    bool made = SCH_SHAPE_IS_ARITHMETIC(info->shape) || info->shape == SCH_SHAPE_INTERPOLATE;
    bool flush = d->d3d && info->dst_type == 'F' && made;
    if (!d->source->saturate) return flush ? SCH_MODIFY_FLUSH_F32 : SCH_MODIFY_NOTHING;
    if (info->dst_type == 'D') return SCH_MODIFY_SATURATE_F64;
    if (info->dst_type == 'L' || info->dst_type == 'Q') return SCH_MODIFY_NOTHING;
    return flush ? SCH_MODIFY_FLUSH_SATURATE_F32 : SCH_MODIFY_SATURATE_F32;
}

/* "BARRIER" is for work groups and patches. */
static bool runs(const struct sch_preparation *d, const struct sch_op_info *info)
{
    const unsigned stage = d->program->stage;
    if (info->flags & SCH_OPF_BARRIER) return stage == SCH_STAGE_COMPUTE || stage == SCH_STAGE_TESS_CTRL;
    return sch_prepare_runs(info->opcode);
}

enum sch_result sch_prepare_instruction(struct sch_preparation *d, uint32_t number)
{
    struct sch_prepared *program = d->program;
    struct sch_prepared_instruction *out = &program->instructions[number];
    d->source = &d->shader->instructions[number];
    const struct sch_op_info *info = sch_op_form(d->source->opcode, d->source->src_count);
    if (!info || d->source->src_count != info->srcs || d->source->dst_count != info->dsts) return SCH_ERROR_INVALID;

    out->opcode = info->opcode;
    out->number = number;
    program->positions[number] = d->source->position;
    if (!runs(d, info)) {
        refuse_opcode(d);
        return SCH_OK;
    }
    if (!decode_operands(d, out)) return SCH_ERROR_MEMORY;
    if (d->source->precise) out->rules |= SCH_RULE_PRECISE;
    if (d->legacy && (info->flags & SCH_OPF_LEGACY)) out->rules |= SCH_RULE_LEGACY_MUL;
    if (d->d3d && (info->flags & SCH_OPF_D3D)) out->rules |= SCH_RULE_D3D;
    out->modify = result_modifier(d, info);
    out->direct = SCH_SHAPE_IS_ARITHMETIC(info->shape) && writes_directly(out, info->shape);
    /* A CASE's operand is an immediate (tgsi.rst, CASE). */
    const struct sch_prepared_src *src = out->src;
    if (info->opcode == SCH_OP_CASE && (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_PROGRAM))
        unsupported_operand(d, src->file);
    if (info->shape == SCH_SHAPE_MEMORY || info->shape == SCH_SHAPE_ATOMIC) return sch_prepare_resource(d, out);
    if (info->shape == SCH_SHAPE_TEX) return sch_prepare_lookup(d, out);
    return SCH_OK;
}
