/* Texture lookups and queries, and inputs at other places of the pixel. t# is SVIEW, s# is SAMP; the resource's swizzle
 * stays on the view. */
#include <string.h>

#include "d3d/lower/internal.h"

typedef const struct sch_lower_row row_t;

enum { MOST_SOURCES = 6 };

static struct sch_ir_src sampler(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_ir_src(SCH_FILE_SAMPLER, 0);
    if (sch_lower_of_class(l, operand))
        sch_lower_class_sampler(l, operand, &src.index);
    else
        sch_lower_named(l, operand, &src.index);
    sch_lower_select(operand, src.swizzle);
    return src;
}

/* A t# of texels as an operand that is named, and what it is: of a class, what it is like. */
static struct sch_ir_src view(struct sch_lower *l, const struct sch_d3d_operand *operand,
                              const struct sch_lower_resource **is)
{
    struct sch_ir_src src = sch_ir_src(SCH_FILE_SAMPLER_VIEW, 0);
    if (operand->type != SCH_D3D_REGISTER_RESOURCE) sch_lower_refuse(l, "a resource that is not a t#");
    *is = sch_lower_of_class(l, operand) ? sch_lower_class_view(l, operand, SCH_LOWER_TYPED, &src.index)
                                         : sch_lower_named(l, operand, &src.index);
    if (!(*is)->declared || (*is)->kind != SCH_LOWER_TYPED)
        sch_lower_refuse(l, "t%u is not declared as a texture", sch_lower_number(operand, 0));
    sch_lower_select(operand, src.swizzle);
    return src;
}

/* Either of them. */
static struct sch_ir_src named(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    const struct sch_lower_resource *is;
    return operand->type == SCH_D3D_REGISTER_SAMPLER ? sampler(l, operand) : view(l, operand, &is);
}

/* The immediate offset of the extended token: three signed fields of 4 bits. */
static void add_offset(struct sch_lower *l, struct sch_ir_instruction *made)
{
    uint32_t token = sch_d3d_extended(l->at, SCH_D3D_EXTENDED_OFFSET);
    uint32_t words[4] = {0};
    bool any = false;
    for (unsigned c = 0; c < 3; c++) {
        int32_t value = (int32_t)(token << (19 - 4 * c)) >> 28; /* bits 9, 13, 17 and on */
        words[c] = (uint32_t)value;
        any = any || value;
    }
    if (!any) return;
    struct sch_ir_src at = sch_build_immediate(l->build, words, false);
    made->offset_count = 1;
    made->offset[0] =
        (struct sch_ir_texel_offset){.file = SCH_FILE_IMMEDIATE, .swizzle = {0, 1, 2}, .index = at.index.index};
}

static bool takes_offsets(unsigned op)
{
    return (op >= SCH_OP_SAMPLE && op <= SCH_OP_GATHER4) || op == SCH_OP_GATHER4_C ||
           (op >= SCH_OP_SAMPLE_CL && op <= SCH_OP_SAMPLE_D_CL);
}

/* The signed number in the low bits of a word. */
static void low_bits(struct sch_lower *l, struct sch_ir_dst to, struct sch_ir_src word, uint32_t width)
{
    struct sch_ir_src from = sch_build_word(l->build, 0), bits = sch_build_word(l->build, width);
    sch_build_3(l->build, SCH_OP_IBFE, to, word, from, bits);
}

/* gather4_po: "signed low 6 bits of the first two components". */
static struct sch_ir_src six_bits(struct sch_lower *l, struct sch_ir_src offset)
{
    uint32_t temp = sch_build_scratch(l->build);
    low_bits(l, sch_build_temp_dst(temp, 3), offset, 6);
    return sch_build_temp_src(temp);
}

static bool is_scalar(const struct sch_d3d_op_info *info, unsigned number)
{
    return sch_d3d_operand_role(info, number) == 'C';
}

static unsigned read_sources(struct sch_lower *l, row_t *row, struct sch_ir_src src[MOST_SOURCES])
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(l->at->opcode);
    unsigned first = sch_lower_results(l), count = (unsigned)strlen(row->order);
    for (unsigned i = 0; i < count; i++) {
        unsigned number = first + (unsigned)(row->order[i] - '0');
        const struct sch_d3d_operand *operand = &l->at->operands[number];
        bool is_name = operand->type == SCH_D3D_REGISTER_RESOURCE || operand->type == SCH_D3D_REGISTER_SAMPLER ||
                       operand->type == SCH_D3D_REGISTER_VIEW;
        if (operand->type == SCH_D3D_REGISTER_NULL) return i; /* a clamp that is not there */
        src[i] = is_name ? named(l, operand) : sch_lower_operand(l, number);
        if (is_scalar(info, number)) src[i] = sch_build_splat(src[i], 0);
    }
    return count;
}

/* The clamp of SAMPLE_D_CL comes after the x derivatives, in w. */
static void pack_clamp(struct sch_lower *l, struct sch_ir_src src[MOST_SOURCES])
{
    uint32_t temp = sch_build_scratch(l->build);
    sch_build_1(l->build, SCH_OP_MOV, sch_build_temp_dst(temp, 7), src[3]);
    sch_build_1(l->build, SCH_OP_MOV, sch_build_temp_dst(temp, 8), src[5]);
    src[3] = sch_build_temp_src(temp);
}

void sch_lower_LOOKUP(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src[MOST_SOURCES];
    unsigned count = read_sources(l, row, src), full = (unsigned)strlen(row->order);
    unsigned op = count < full ? row->other : row->op;
    if (op == SCH_OP_SAMPLE_D_CL) {
        pack_clamp(l, src);
        count = 5;
    }
    if (op == SCH_OP_GATHER4_PO || op == SCH_OP_GATHER4_PO_C) src[1] = six_bits(l, src[1]);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]), status = sch_lower_status(l);
    /* Compared values are the same in all components: the resource's swizzle chooses the compared one, which is r. */
    if (!target.dropped) {
        struct sch_ir_instruction *made = sch_build_emit(l->build, op, target.dst, src, count);
        made->has_texture = takes_offsets(op);
        made->target = SCH_TARGET_UNKNOWN;
        made->return_type = SCH_RETURN_UNKNOWN;
        made->saturate = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
        if (made->has_texture) add_offset(l, made);
        sch_lower_finish(l, &target);
    }
    sch_lower_write_status(l, &status);
}

/* ---- queries ---- */

/* Writes what a query gave, in a temporary, through the resource's swizzle. Floats may saturate. */
static void write_result(struct sch_lower *l, uint32_t temp, const struct sch_d3d_operand *of, bool is_float)
{
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    struct sch_ir_src from = sch_build_temp_src(temp);
    sch_lower_select(of, from.swizzle);
    struct sch_ir_instruction *made = sch_build_1(l->build, SCH_OP_MOV, target.dst, from);
    made->saturate = is_float && sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
    sch_lower_finish(l, &target);
}

/* How many of a size's components are texels along an axis. */
static unsigned axes_of(unsigned target)
{
    switch (target) {
    case SCH_TARGET_BUFFER:
    case SCH_TARGET_1D:
    case SCH_TARGET_1D_ARRAY:
        return 1;
    case SCH_TARGET_3D:
        return 3;
    default:
        return 2;
    }
}

/* A u# has one level, none where it is not bound; of other levels "w, h, d = 0, mip count still returned" (resinfo). */
static void view_size(struct sch_lower *l, uint32_t temp, struct sch_ir_src image, struct sch_ir_src level)
{
    struct sch_ir_dst sizes = sch_build_temp_dst(temp, 7), levels = sch_build_temp_dst(temp, 8);
    struct sch_ir_src size = sch_build_temp_src(temp);
    uint32_t is_there = sch_build_scratch(l->build);
    sch_build_1(l->build, SCH_OP_RESQ, sizes, image);
    sch_build_2(l->build, SCH_OP_UMIN, levels, sch_build_splat(size, 0), sch_build_word(l->build, 1));
    sch_build_2(l->build, SCH_OP_USEQ, sch_build_temp_dst(is_there, 1), level, sch_build_word(l->build, 0));
    sch_build_2(l->build, SCH_OP_AND, sizes, size, sch_build_splat(sch_build_temp_src(is_there), 0));
}

/* The size as words in a temporary: of a view its levels in w, of a u# one level. */
static const struct sch_lower_resource *read_size(struct sch_lower *l, uint32_t temp, const struct sch_d3d_operand *of,
                                                  struct sch_ir_src level)
{
    const struct sch_lower_resource *is;
    if (of->type == SCH_D3D_REGISTER_VIEW) {
        struct sch_ir_src image = sch_ir_src(SCH_FILE_IMAGE, 0);
        is = sch_lower_named(l, of, &image.index);
        view_size(l, temp, image, level);
        return is;
    }
    struct sch_ir_src named_by = view(l, of, &is);
    for (uint8_t c = 0; c < 4; c++) named_by.swizzle[c] = c;
    sch_build_2(l->build, SCH_OP_SVIEWINFO, sch_build_temp_dst(temp, 15), level, named_by);
    return is;
}

void sch_lower_RESOURCE_SIZE(struct sch_lower *l, row_t *row)
{
    (void)row;
    enum { AS_FLOAT, AS_RECIPROCAL, AS_UINT };
    const struct sch_d3d_operand *of = &l->at->operands[2];
    unsigned type = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_RESINFO);
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_src level = sch_build_splat(sch_lower_operand(l, 1), 0);
    const struct sch_lower_resource *is = read_size(l, temp, of, level);
    if (type != AS_UINT) sch_build_1(l->build, SCH_OP_U2F, sch_build_temp_dst(temp, 15), sch_build_temp_src(temp));
    unsigned axes = type == AS_RECIPROCAL ? axes_of(is->target) : 0;
    for (unsigned c = 0; c < axes; c++)
        sch_build_1(l->build, SCH_OP_RCP, sch_build_temp_dst(temp, 1u << c),
                    sch_build_splat(sch_build_temp_src(temp), c));
    write_result(l, temp, of, type != AS_UINT);
}

/* The render target's samples have a temporary where a view would be. */
static struct sch_ir_src sampled(struct sch_lower *l, const struct sch_d3d_operand *of)
{
    if (of->type == SCH_D3D_REGISTER_RASTERIZER) return sch_build_temp_src(sch_build_scratch(l->build));
    struct sch_ir_src src = named(l, of);
    for (uint8_t c = 0; c < 4; c++) src.swizzle[c] = c;
    return src;
}

void sch_lower_SAMPLE_COUNT(struct sch_lower *l, row_t *row)
{
    const struct sch_d3d_operand *of = &l->at->operands[1];
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_src from = sampled(l, of);
    sch_build_2(l->build, row->op, sch_build_temp_dst(temp, 15), from, sch_build_word(l->build, 0));
    if (!sch_d3d_get(l->at->controls, SCH_D3D_FIELD_UINT))
        sch_build_1(l->build, SCH_OP_U2F, sch_build_temp_dst(temp, 15), sch_build_temp_src(temp));
    write_result(l, temp, of, !sch_d3d_get(l->at->controls, SCH_D3D_FIELD_UINT));
}

void sch_lower_SAMPLE_PLACE(struct sch_lower *l, row_t *row)
{
    const struct sch_d3d_operand *of = &l->at->operands[1];
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_src number = sch_build_splat(sch_lower_operand(l, 2), 0), from = sampled(l, of);
    sch_build_2(l->build, row->op, sch_build_temp_dst(temp, 15), from, number);
    write_result(l, temp, of, true);
}

/* The buffer of bufinfo, as an operand that is named, and what it is. */
static const struct sch_lower_resource *sized_buffer(struct sch_lower *l, const struct sch_d3d_operand *of,
                                                     struct sch_ir_src *named_by)
{
    enum { RAW = 11, STRUCTURED = 12 }; /* dimensions */
    unsigned said = sch_d3d_extended(l->at, SCH_D3D_EXTENDED_DIMENSION) >> 6 & 31;
    unsigned kind = said == RAW ? SCH_LOWER_RAW : said == STRUCTURED ? SCH_LOWER_STRUCTURED : SCH_LOWER_TYPED;
    bool is_view = of->type == SCH_D3D_REGISTER_VIEW;
    *named_by = sch_ir_src(SCH_FILE_BUFFER, 0);
    const struct sch_lower_resource *is = !is_view && sch_lower_of_class(l, of)
                                              ? sch_lower_class_view(l, of, kind, &named_by->index)
                                              : sch_lower_named(l, of, &named_by->index);
    if (is->kind == SCH_LOWER_TYPED) named_by->file = is_view ? SCH_FILE_IMAGE : SCH_FILE_SAMPLER_VIEW;
    return is;
}

/* bufinfo: elements, bytes or structures, in all components. */
void sch_lower_BUFFER_SIZE(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src buffer;
    const struct sch_lower_resource *is = sized_buffer(l, &l->at->operands[1], &buffer);
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_dst to = sch_build_temp_dst(temp, 1);
    struct sch_ir_src size = sch_build_splat(sch_build_temp_src(temp), 0);
    if (buffer.file == SCH_FILE_SAMPLER_VIEW)
        sch_build_2(l->build, SCH_OP_SVIEWINFO, to, sch_build_word(l->build, 0), buffer);
    else
        sch_build_1(l->build, row->op, to, buffer);
    if (is->kind == SCH_LOWER_STRUCTURED)
        sch_build_2(l->build, SCH_OP_UDIV, to, size, sch_build_word(l->build, is->stride));
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    sch_build_1(l->build, SCH_OP_MOV, target.dst, size);
    sch_lower_finish(l, &target);
}

/* check_access_fully_mapped: a status is all ones or 0. */
void sch_lower_MAPPED(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src status = sch_build_splat(sch_lower_operand(l, 1), 0);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    if (target.dropped) return;
    sch_build_2(l->build, row->op, target.dst, status, sch_build_word(l->build, 0));
    sch_lower_finish(l, &target);
}

/* ---- interpolation ---- */

/* eval_snapped: "low 4 bits of each offset as signed 1/16 pixel". */
static struct sch_ir_src sixteenths(struct sch_lower *l, struct sch_ir_src offset)
{
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_dst to = sch_build_temp_dst(temp, 3);
    low_bits(l, to, offset, 4);
    sch_build_1(l->build, SCH_OP_I2F, to, sch_build_temp_src(temp));
    sch_build_2(l->build, SCH_OP_MUL, to, sch_build_temp_src(temp), sch_build_float(l->build, 0x1p-4f));
    return sch_build_temp_src(temp);
}

void sch_lower_EVALUATE(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src[2] = {sch_lower_operand(l, 1)};
    if (src[0].file != SCH_FILE_INPUT) sch_lower_refuse(l, "an input that shares its register with system values");
    if (l->at->operand_count > 2) src[1] = sch_lower_operand(l, 2);
    if (row->op == SCH_OP_INTERP_SAMPLE) src[1] = sch_build_splat(src[1], 0);
    if (row->op == SCH_OP_INTERP_OFFSET) src[1] = sixteenths(l, src[1]);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    struct sch_ir_instruction *made = sch_build_emit(l->build, row->op, target.dst, src, l->at->operand_count - 1u);
    made->saturate = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
    sch_lower_finish(l, &target);
}
