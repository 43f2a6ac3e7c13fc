/* Executes one texture instruction on a group: reads its operands, runs a lookup for each handle
 * that lanes name, and writes the results in the formats of the instruction pages. What the texture unit returns is in
 * src/ops; TXQ's tables are in maxwell/run/query.c. docs/maxwell.md, "Execution". */
#include "maxwell/run/warp.h"

#include <string.h>

#include "isa/errors.h"
#include "maxwell/run/machine.h"
#include "ops/texture/format.h"

enum kind { KIND_SAMPLE, KIND_GATHER, KIND_FETCH, KIND_FOOTPRINT, KIND_QUERY, KIND_REFUSED };

/* Offsets are signed fields of `bits`, the axes `stride` bits apart from bit `low`. */
struct row {
    uint8_t kind;
    uint8_t bits, stride, low;
};

static const struct row rows[SCH_MAXWELL_OPERATIONS] = {
    [SCH_MAXWELL_TMML] = {KIND_FOOTPRINT, 0, 0, 0}, [SCH_MAXWELL_TXQ] = {KIND_QUERY, 0, 0, 0},
    [SCH_MAXWELL_TXA] = {KIND_REFUSED, 0, 0, 0},    [SCH_MAXWELL_TEX] = {KIND_SAMPLE, 4, 4, 0},
    [SCH_MAXWELL_TLD] = {KIND_FETCH, 4, 4, 0},      [SCH_MAXWELL_TLD4] = {KIND_GATHER, 6, 8, 0},
    [SCH_MAXWELL_TXD] = {KIND_SAMPLE, 4, 4, 16},    [SCH_MAXWELL_TEXS] = {KIND_SAMPLE, 0, 0, 0},
    [SCH_MAXWELL_TLDS] = {KIND_FETCH, 4, 4, 0},     [SCH_MAXWELL_TLD4S] = {KIND_GATHER, 6, 8, 0},
};

enum { ROLES = SCH_MAXWELL_ROLE_DRDY + 1, LAYER_BITS = 16 };

/* One instruction on its way. */
struct job {
    struct sch_maxwell_machine *machine;
    const struct sch_maxwell_instruction *in;
    struct sch_maxwell_warp *warp;
    struct sch_position position;
    struct sch_diagnostics *diagnostics;
    struct sch_maxwell_packing packing;
    const struct row *row;
    uint32_t lanes;                         /* that execute */
    const struct sch_lanes *operand[ROLES]; /* NULL: not there */
    const struct sch_lanes *layer_number;   /* whole number; NULL: none */
    const struct sch_lanes *offset[4][3];
    uint8_t offsets; /* 0, 1, 4 */
};

/* ---- what is not executed ---- */

static enum sch_result refuse(const struct job *job, unsigned code, const char *what)
{
    sch_diagnostics_add(job->diagnostics, SCH_SEVERITY_ERROR, code, job->position, "%s", what);
    return SCH_ERROR_UNSUPPORTED;
}

static enum sch_result refuse_fields(const struct job *job)
{
    const struct sch_maxwell_instruction *in = job->in;
    if (in->lod == SCH_MAXWELL_LOD_4 || in->lod == SCH_MAXWELL_LOD_5)
        return refuse(job, SCH_D_MAXWELL_RUN_RESERVED, "the .lod field has a reserved value");
    if (in->offset == SCH_MAXWELL_OFFSET_3)
        return refuse(job, SCH_D_MAXWELL_RUN_RESERVED, "the offset field has a reserved value");
    bool masked = in->operation == SCH_MAXWELL_TEXS || in->operation == SCH_MAXWELL_TLDS;
    if (masked && !in->write_mask) return refuse(job, SCH_D_MAXWELL_RUN_RESERVED, "the mask has a reserved value");
    if (in->lod > SCH_MAXWELL_LLA) return refuse(job, SCH_D_MAXWELL_RUN_RESERVED, "there is no such .lod");
    if (in->lod == SCH_MAXWELL_LBA || in->lod == SCH_MAXWELL_LLA || in->lc)
        return refuse(job, SCH_D_MAXWELL_RUN_LOD_CLAMP, ".LBA, .LLA and .LC are not executed");
    return SCH_OK;
}

static enum sch_result refuse_unknown(const struct job *job)
{
    if (job->row->kind == KIND_REFUSED)
        return refuse(job, SCH_D_MAXWELL_RUN_TXA, "TXA is not executed: what it returns is not known");
    if (job->row->kind == KIND_QUERY && !sch_maxwell_query_is_known(job->in->query)) {
        sch_diagnostics_add(job->diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_QUERY, job->position,
                            "query 0x%x of TXQ is not executed: what it returns is not known", job->in->query);
        return SCH_ERROR_UNSUPPORTED;
    }
    return refuse_fields(job);
}

/* ---- operands ---- */

/* Beyond R254 there is nothing: zero, as RZ. */
static const struct sch_lanes *register_of(const struct job *job, unsigned first, unsigned i)
{
    if (first + i >= SCH_MAXWELL_GROUP_REGISTERS) return &job->machine->scratch.zero;
    return &job->warp->registers[first + i];
}

static void read_operands(struct job *job)
{
    const struct sch_maxwell_packing *packing = &job->packing;
    for (unsigned i = 0; i < packing->a_count; i++) job->operand[packing->a[i]] = register_of(job, job->in->ra, i);
    for (unsigned i = 0; i < packing->b_count; i++) job->operand[packing->b[i]] = register_of(job, job->in->rb, i);
}

static const struct sch_lanes *operand(const struct job *job, unsigned role)
{
    return job->operand[role] ? job->operand[role] : &job->machine->scratch.zero;
}

/* "a is U16 integer": bits 15:0. TXD has it in a register with the offsets. */
static void read_layer(struct job *job)
{
    const struct sch_lanes *from = job->operand[SCH_MAXWELL_ROLE_LAYER];
    if (!from && job->in->parameter & 1) from = job->operand[SCH_MAXWELL_ROLE_LAYER_OFFSETS];
    if (!from) return;
    job->machine->ops->bit_field(&job->machine->scratch.layer, from, 0, LAYER_BITS, false);
    job->layer_number = &job->machine->scratch.layer;
}

static void read_offset(struct job *job, unsigned n, const struct sch_lanes *from, unsigned low)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        struct sch_lanes *to = &job->machine->scratch.offset[n][axis];
        unsigned bit = low + axis * job->row->stride;
        if (bit + job->row->bits > 32) continue; /* of a pair there is no third axis */
        job->machine->ops->bit_field(to, from, bit, job->row->bits, true);
        job->offset[n][axis] = to;
    }
}

static void read_offsets(struct job *job)
{
    if (job->in->offset == SCH_MAXWELL_AOFFI) {
        const struct sch_lanes *from = job->operand[SCH_MAXWELL_ROLE_OFFSET];
        if (!from) from = job->operand[SCH_MAXWELL_ROLE_LAYER_OFFSETS];
        if (!from || !job->row->bits) return;
        read_offset(job, 0, from, job->row->low);
        job->offsets = 1;
    } else if (job->in->offset == SCH_MAXWELL_PTP && job->operand[SCH_MAXWELL_ROLE_PTP1]) {
        /* a pair of bytes for each texel, two texels a register */
        for (unsigned n = 0; n < 4; n++) read_offset(job, n, job->operand[SCH_MAXWELL_ROLE_PTP0 + n / 2], n % 2 * 16);
        job->offsets = 4;
    }
}

/* ---- which texture ---- */

/* 1D, 2D, 3D, CUBE of #paramA. */
static unsigned dimensions_of(unsigned target)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    return is->cube ? SCH_MAXWELL_CUBE >> 1 : is->axes - 1u;
}

/* "If the source coordinate description does not match the texture type of the texture header, zeroes will be returned.
 * The array specifiers can be freely used". Buffers and multisampled textures are loaded from only; gathers need two
 * axes; cubes are not loaded from. */
static bool can_read(const struct job *job, const struct sch_maxwell_texture *texture)
{
    const struct sch_target_facts *is = sch_target_facts(texture->target);
    unsigned dimensions = dimensions_of(texture->target);
    if (is->family == SCH_FAMILY_NONE) return false;
    if (job->row->kind == KIND_QUERY) return true;
    if (dimensions != job->in->parameter >> 1) return false;
    if (job->row->kind == KIND_FETCH) return !is->cube;
    if (job->row->kind == KIND_GATHER && is->axes != 2) return false;
    return is->family != SCH_FAMILY_BUFFER && !is->multisampled;
}

/* The target of the lookup: arrayed where both the texture and the instruction are. */
static uint8_t target_of(const struct job *job, const struct sch_maxwell_texture *texture)
{
    if (job->layer_number) return texture->target;
    switch (texture->target) {
    case SCH_TARGET_1D_ARRAY:
        return SCH_TARGET_1D;
    case SCH_TARGET_2D_ARRAY:
        return SCH_TARGET_2D;
    case SCH_TARGET_CUBE_ARRAY:
        return SCH_TARGET_CUBE;
    case SCH_TARGET_2D_ARRAY_MSAA:
        return SCH_TARGET_2D_MSAA;
    default:
        return texture->target;
    }
}

/* ---- lookups ---- */

struct lookup {
    struct sch_maxwell_bound bound;
    struct sch_sampler_key key;
    struct sch_sampler_values values;
    uint32_t lanes;
};

/* Lanes of quads that are not divergent: "Only the active mask and shader type are used". */
static uint32_t whole_quads(const struct job *job)
{
    if (job->in->nondivergent) return UINT32_MAX;
    if (job->warp->shader != SCH_MAXWELL_SHADER_PIXEL) return 0;
    uint32_t whole = 0;
    for (unsigned q = 0; q < SCH_MAXWELL_GROUP_LANES; q += SCH_QUAD_LANES)
        if ((job->warp->active >> q & 15) == 15) whole |= (uint32_t)15 << q;
    return whole;
}

/* Where the lookup is recorded; NULL: nowhere. */
static struct sch_texture_trace *trace_of(const struct job *job, const struct lookup *q)
{
    struct sch_maxwell_told *told = job->machine->told;
    for (uint32_t left = q->lanes; told && left; left &= left - 1)
        told->samples[__builtin_ctz(left)] = q->bound.texture->texture.samples;
    return told ? &told->trace : NULL;
}

/* Textures come and go from instruction to instruction: no tile is kept longer. */
static struct sch_texel_tiles *tiles_of(struct sch_maxwell_machine *machine)
{
    return sch_few_texel_tiles_init(&machine->scratch.tiles, machine->ops->tile_decode);
}

static unsigned lod_mode(const struct sch_maxwell_instruction *in)
{
    static const uint8_t modes[] = {[SCH_MAXWELL_LOD_NONE] = SCH_LOD_IMPLICIT,
                                    [SCH_MAXWELL_LZ] = SCH_LOD_ZERO,
                                    [SCH_MAXWELL_LB] = SCH_LOD_BIAS,
                                    [SCH_MAXWELL_LL] = SCH_LOD_EXPLICIT};
    return in->operation == SCH_MAXWELL_TXD ? SCH_LOD_GRADIENTS : modes[in->lod];
}

/* Lanes of quads that share derivatives, or the others. */
static void sample_part(const struct job *job, const struct lookup *q, struct sch_sample_request *request,
                        uint32_t lanes, bool quads, struct sch_lanes *const to[4])
{
    struct sch_maxwell_machine *machine = job->machine;
    const struct sch_ops *ops = machine->ops;
    struct sch_lanes read[4];
    struct sch_lanes *const from[4] = {&read[0], &read[1], &read[2], &read[3]};
    sch_sample_fn *function = job->row->kind == KIND_GATHER      ? ops->texture_gather
                              : job->row->kind == KIND_FOOTPRINT ? ops->footprint_query
                                                                 : ops->sample;
    ops->mask_lanes(&machine->scratch.mask, lanes);
    request->quads = quads;
    function(&q->key, &q->values, &q->bound.texture->texture, request, from);
    for (unsigned c = 0; c < 4; c++) ops->commit(to[c], &read[c], &machine->scratch.mask);
}

static void run_sample(const struct job *job, const struct lookup *q, struct sch_lanes *const to[4])
{
    struct sch_maxwell_machine *machine = job->machine;
    const struct sch_target_facts *is = sch_target_facts(q->key.target);
    unsigned axes = is->cube ? 3 : is->axes;
    struct sch_sample_request request = {.lod_mode = (uint8_t)lod_mode(job->in),
                                         .component = job->in->component,
                                         .reference = operand(job, SCH_MAXWELL_ROLE_REFERENCE),
                                         .lod = operand(job, SCH_MAXWELL_ROLE_LOD),
                                         .offsets = is->cube ? 0 : job->offsets,
                                         .mask = &machine->scratch.mask,
                                         .trace = trace_of(job, q),
                                         .tiles = tiles_of(machine)};
    struct sch_lanes layer;
    for (unsigned a = 0; a < axes; a++) {
        request.coordinate[a] = operand(job, SCH_MAXWELL_ROLE_S + a);
        request.ddx[a] = operand(job, SCH_MAXWELL_ROLE_DSDX + 2 * a);
        request.ddy[a] = operand(job, SCH_MAXWELL_ROLE_DSDY + 2 * a);
    }
    for (unsigned a = 0; a < is->axes; a++)
        for (unsigned n = 0; n < request.offsets; n++) request.offset[n][a] = job->offset[n][a];
    if (is->layered) {
        struct sch_lanes *number = &layer;
        machine->ops->op[SCH_OP_U2F](0, &number, &job->layer_number);
        request.coordinate[axes] = &layer;
    }
    bool implicit = request.lod_mode == SCH_LOD_IMPLICIT || request.lod_mode == SCH_LOD_BIAS;
    uint32_t whole = implicit && job->row->kind != KIND_GATHER ? whole_quads(job) : 0;
    sample_part(job, q, &request, q->lanes & whole, true, to);
    sample_part(job, q, &request, q->lanes & ~whole, false, to);
}

/* .CL: the level is brought into those of the view. */
static const struct sch_lanes *clamped_level(const struct job *job, const struct lookup *q)
{
    const struct sch_ops *ops = job->machine->ops;
    struct sch_lanes *limit = &job->machine->scratch.limit[0], *level = &job->machine->scratch.limit[1];
    const struct sch_lanes *operands[2] = {job->operand[SCH_MAXWELL_ROLE_LOD], limit};
    ops->splat(limit, q->bound.texture->texture.levels - 1);
    ops->op[SCH_OP_IMIN](0, &level, operands);
    operands[0] = level;
    ops->splat(limit, 0);
    ops->op[SCH_OP_IMAX](0, &level, operands);
    return level;
}

/* A texture has either levels or samples: where the other is not 0, nothing is there. */
static const struct sch_lanes *first_coordinate(const struct job *job, const struct sch_lanes *lacking)
{
    const struct sch_ops *ops = job->machine->ops;
    struct sch_lanes *at = &job->machine->scratch.limit[0], *mask = &job->machine->scratch.mask;
    const struct sch_lanes *s = operand(job, SCH_MAXWELL_ROLE_S);
    if (!lacking) return s;
    ops->splat(at, (uint32_t)INT32_MIN); /* farther out than any size and offset */
    ops->mask_lanes(mask, ops->equal_u32(lacking, 0));
    ops->commit(at, s, mask);
    return at;
}

/* A coordinate with its offset, brought into the level of each lane. */
static const struct sch_lanes *nearest_coordinate(const struct job *job, const struct lookup *q, unsigned axis,
                                                  const struct sch_lanes *level)
{
    const struct sch_maxwell_texture *texture = q->bound.texture;
    const uint32_t sizes[3] = {texture->width, texture->height, texture->depth};
    const struct sch_lanes *at = operand(job, SCH_MAXWELL_ROLE_S + axis);
    struct sch_lanes *nearest = &job->machine->scratch.nearest[axis];
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const uint32_t number = texture->view_min_level + (level ? level->u[i] : 0);
        const int64_t size = number < 32 && sizes[axis] >> number ? sizes[axis] >> number : 1;
        const int64_t wanted = (int64_t)(int32_t)at->u[i] + (job->offsets ? (int32_t)job->offset[0][axis]->u[i] : 0);
        nearest->u[i] = (uint32_t)(wanted < 0 ? 0 : wanted < size ? wanted : size - 1);
    }
    return nearest;
}

static void run_fetch(const struct job *job, const struct lookup *q, struct sch_lanes *const to[4])
{
    struct sch_maxwell_machine *machine = job->machine;
    const struct sch_target_facts *is = sch_target_facts(q->key.target);
    const struct sch_lanes *level = job->operand[SCH_MAXWELL_ROLE_LOD];
    const struct sch_lanes *sample = job->operand[SCH_MAXWELL_ROLE_SAMPLE];
    if (level && job->in->clamp_lod) level = clamped_level(job, q);
    struct sch_fetch_request request = {.mask = &machine->scratch.mask,
                                        .level = is->multisampled ? sample : level,
                                        .trace = trace_of(job, q),
                                        .tiles = tiles_of(machine)};
    for (unsigned a = 0; a < is->axes; a++) {
        request.coordinate[a] = operand(job, SCH_MAXWELL_ROLE_S + a);
        if (job->offsets) request.offset[a] = job->offset[0][a];
    }
    request.coordinate[0] = first_coordinate(job, is->multisampled ? level : sample);
    for (unsigned a = 0; machine->options.clamp_loads && !is->multisampled && !sample && a < is->axes; a++) {
        request.coordinate[a] = nearest_coordinate(job, q, a, level);
        request.offset[a] = NULL;
    }
    request.coordinate[is->axes] = job->layer_number;
    machine->ops->mask_lanes(&machine->scratch.mask, q->lanes);
    machine->ops->fetch(&q->key, &q->bound.texture->texture, &request, to);
}

/* ---- one handle ---- */

/* Where the header's constants are not those of the format. */
static void fix_constants(const struct job *job, const struct lookup *q, struct sch_lanes *const to[4])
{
    const struct sch_maxwell_texture *texture = q->bound.texture;
    bool gather = job->row->kind == KIND_GATHER;
    if (gather && q->bound.texture->texture.min_lod >= 1.0f) return; /* outside */
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = !gather ? c : q->key.compare ? 0 : job->in->component;
        if (texture->fixed_mask >> from & 1) job->machine->ops->splat(to[c], texture->fixed[from]);
    }
}

static enum sch_result make_key(const struct job *job, struct lookup *q)
{
    const struct sch_maxwell_texture *texture = q->bound.texture;
    if (q->bound.sampler) {
        enum sch_result status =
            sch_maxwell_lookup_state(texture, q->bound.sampler, job->diagnostics, &q->key, &q->values);
        if (status != SCH_OK) return status;
    } else {
        q->key = (struct sch_sampler_key){.format = texture->format, .rules = SCH_RULES_MAXWELL};
        memcpy(q->key.swizzle, texture->swizzle, sizeof q->key.swizzle);
    }
    if (!job->in->compare) q->key.compare = SCH_COMPARE_NONE;
    q->key.target = target_of(job, texture);
    return SCH_OK;
}

/* Why a header or sampler was refused is reported at the instruction, with the handle that named it. */
static enum sch_result refuse_handle(const struct job *job, uint32_t handle, enum sch_result status, size_t reported)
{
    struct sch_diagnostics *list = job->diagnostics;
    for (size_t i = reported; list && i < list->count; i++) list->items[i].position = job->position;
    if (status != SCH_ERROR_MEMORY)
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_HANDLE, job->position,
                            "this instruction names header %u, sampler %u", sch_maxwell_header_of(handle),
                            sch_maxwell_sampler_of(job->machine, handle));
    return status;
}

static void zero(struct sch_lanes *const to[4])
{
    for (unsigned c = 0; c < 4; c++) memset(to[c], 0, sizeof *to[c]);
}

/* All of `lanes`, which name one handle. Lanes beside them may receive anything. */
static enum sch_result run_handle(const struct job *job, uint32_t handle, uint32_t lanes, struct sch_lanes *const to[4])
{
    struct lookup q = {.lanes = lanes};
    const unsigned kind = job->row->kind;
    const bool filters = kind != KIND_FETCH && kind != KIND_QUERY;
    /* [TXQ]: a sampler index beyond the pool makes the texture invalid, though the queries do not read it. Where there
     * is no pool of samplers there is no MaximumIndex. */
    const bool has_pool = !job->machine->options.no_samplers;
    const bool invalid = kind == KIND_QUERY && has_pool && !sch_maxwell_is_valid(job->machine, handle);
    const size_t reported = job->diagnostics ? job->diagnostics->count : 0;
    enum sch_result status = SCH_OK;
    if (!invalid) status = sch_maxwell_find(job->machine, handle, filters, job->position, job->diagnostics, &q.bound);
    if (status != SCH_OK) return refuse_handle(job, handle, status, reported);
    if (!q.bound.texture || !can_read(job, q.bound.texture)) {
        zero(to);
        return SCH_OK;
    }
    if (kind == KIND_QUERY) {
        const struct sch_lanes *level = job->operand[SCH_MAXWELL_ROLE_LOD];
        sch_maxwell_query(q.bound.texture, job->in->query, level ? level : job->operand[SCH_MAXWELL_ROLE_SAMPLE], to);
        return SCH_OK;
    }
    status = make_key(job, &q);
    if (status != SCH_OK) return refuse_handle(job, handle, status, reported);
    if (job->machine->told && kind != KIND_FOOTPRINT && !(tex_formats[q.key.format].flags & TEX_INTEGER))
        job->machine->told->floats |= lanes;
    if (kind == KIND_FETCH)
        run_fetch(job, &q, to);
    else
        run_sample(job, &q, to);
    if (q.bound.texture->fixed_mask && kind != KIND_FOOTPRINT) fix_constants(job, &q, to);
    /* "not supported for integer textures ... (return value is UNPREDICTABLE)" */
    if (job->in->half && tex_formats[q.key.format].flags & TEX_INTEGER) zero(to);
    return SCH_OK;
}

/* The handles of bindless instructions come by lane: lanes with equal ones together. */
static enum sch_result run_each(const struct job *job, const struct sch_lanes *handles,
                                struct sch_lanes *const result[4])
{
    struct sch_maxwell_scratch *scratch = &job->machine->scratch;
    struct sch_lanes *const part[4] = {&scratch->part[0], &scratch->part[1], &scratch->part[2], &scratch->part[3]};
    for (uint32_t left = job->lanes, lanes; left; left &= ~lanes) {
        uint32_t handle = handles->u[__builtin_ctz(left)];
        lanes = left & job->machine->ops->equal_u32(handles, handle);
        bool all = lanes == job->lanes;
        enum sch_result status = run_handle(job, handle, lanes, all ? result : part);
        if (status != SCH_OK) return status;
        job->machine->ops->mask_lanes(&scratch->mask, lanes);
        for (unsigned c = 0; c < 4 && !all; c++) job->machine->ops->commit(result[c], part[c], &scratch->mask);
    }
    return SCH_OK;
}

/* ---- results ---- */

/* RZ and what lies beyond R254 take nothing. */
static void write_register(const struct job *job, unsigned number, const struct sch_lanes *value)
{
    if (number < SCH_MAXWELL_GROUP_REGISTERS)
        job->machine->ops->commit(&job->warp->registers[number], value, &job->machine->scratch.mask);
}

/* "decimated contiguous writes": the components of the mask, one after the other, into Rd's registers, then Rd1's. With
 * .F16 two to a register, the last one alone with 0. */
static void write_results(const struct job *job, struct sch_lanes *const result[4])
{
    struct sch_maxwell_machine *machine = job->machine;
    const struct sch_lanes *values[4];
    unsigned count = 0, each = job->in->half ? 2 : 1, next = 0;
    for (unsigned c = 0; c < 4; c++)
        if (job->in->write_mask >> c & 1) values[count++] = result[c];
    for (unsigned i = 0; i < count; i += each) {
        if (each == 1) continue;
        machine->ops->pack_halves(&machine->scratch.packed[i], values[i], i + 1 < count ? values[i + 1] : NULL,
                                  machine->options.half_rounding == SCH_MAXWELL_HALF_ZERO);
        values[i] = &machine->scratch.packed[i];
    }
    machine->ops->mask_lanes(&machine->scratch.mask, job->lanes);
    for (unsigned r = 0; r < 2; r++) {
        const struct sch_maxwell_registers *to = &job->packing.result[r];
        for (unsigned i = 0; i < to->count && next < count; i++, next += each)
            write_register(job, to->first + i, values[next]);
    }
    /* Every texel is resident: there are no sparse textures. */
    if (job->in->residency < SCH_MAXWELL_GROUP_PREDICATES) job->warp->predicates[job->in->residency] |= job->lanes;
}

uint32_t sch_maxwell_executing(const struct sch_maxwell_instruction *in, const struct sch_maxwell_warp *warp)
{
    uint32_t guard = in->guard < SCH_MAXWELL_GROUP_PREDICATES ? warp->predicates[in->guard] : UINT32_MAX;
    if (in->guard_not) guard = ~guard;
    /* "Threads that have been "killed" will be disabled to stop unnecessary texture fetches." */
    return warp->active & guard & ~(in->nodep ? warp->killed : 0);
}

enum sch_result sch_maxwell_can_execute(const struct sch_maxwell_instruction *instruction, struct sch_position position,
                                        struct sch_diagnostics *diagnostics)
{
    const struct job job = {
        .in = instruction, .position = position, .diagnostics = diagnostics, .row = &rows[instruction->operation]};
    return refuse_unknown(&job);
}

enum sch_result sch_maxwell_execute(struct sch_maxwell_machine *machine,
                                    const struct sch_maxwell_instruction *instruction, struct sch_maxwell_warp *warp,
                                    struct sch_position position, struct sch_diagnostics *diagnostics)
{
    if (instruction->operation >= SCH_MAXWELL_OPERATIONS) return SCH_ERROR_ARGUMENT;
    struct job job = {.machine = machine,
                      .in = instruction,
                      .warp = warp,
                      .position = position,
                      .diagnostics = diagnostics,
                      .row = &rows[instruction->operation],
                      .lanes = sch_maxwell_executing(instruction, warp)};
    enum sch_result status = refuse_unknown(&job);
    if (status != SCH_OK || !job.lanes) return status;
    sch_maxwell_operands(instruction, &job.packing);
    read_operands(&job);
    read_layer(&job);
    read_offsets(&job);

    struct sch_maxwell_scratch *scratch = &machine->scratch;
    struct sch_lanes *const result[4] = {&scratch->result[0], &scratch->result[1], &scratch->result[2],
                                         &scratch->result[3]};
    const struct sch_maxwell_machine_options *options = &machine->options;
    if (instruction->bindless) {
        status = run_each(&job, operand(&job, SCH_MAXWELL_ROLE_HANDLE), result);
    } else {
        uint32_t index = instruction->index, handle = 0;
        if (index < options->constant_words)
            memcpy(&handle, (const char *)options->constants + index * sizeof handle, sizeof handle);
        status = run_handle(&job, handle, job.lanes, result);
    }
    if (status == SCH_OK) write_results(&job, result);
    return status;
}

enum sch_result sch_maxwell_execute_told(struct sch_maxwell_machine *machine,
                                         const struct sch_maxwell_instruction *instruction,
                                         struct sch_maxwell_warp *warp, struct sch_position position,
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_told *told)
{
    const struct sch_ops *ops = machine->ops;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
        told->trace.lane[i] = (struct sch_trace_lane){.face = -1, .layer = -1};
        told->samples[i] = 1;
    }
    machine->told = told;
    machine->ops = sch_ops_traced();
    const enum sch_result status = sch_maxwell_execute(machine, instruction, warp, position, diagnostics);
    for (unsigned c = 0; c < 4; c++) memcpy(told->result[c], machine->scratch.result[c].u, sizeof told->result[c]);
    machine->ops = ops;
    machine->told = NULL;
    return status;
}
