/* Texts of Mesa's virpipe, whose words mean something else than the specification says in three places.
 *
 * It copies each operand of 64 bits to a temporary of its own, and always to its first two components: "MOV
 * TEMP[9].xy, TEMP[0].zwzw" before "DADD TEMP[1].zw, TEMP[9], TEMP[10]" (virgl_tgsi.c). In TGSI the last two components
 * of a result come from the last two of the operands; the servers that it was written for read the first two.
 *
 * It has no absolute values, and writes MAX of a number and its negative instead. For zeros that is the second operand
 * in TGSI, -0 for 0; |x| is meant, whose sign bit programs may look at.
 *
 * TXB2 and TXL2 of SHADOWCUBEARRAY have the reference in src1.x and bias or level in src1.y (nir_to_tgsi.c); TGSI has
 * them the other way round.
 *
 * Such instructions become what they mean in TGSI, so nothing else knows of the dialect. They also keep how they were
 * written, for the printer and the encoder: a text comes back as it was.
 *
 * How a text is recognised: virpipe declares four temporaries of its own after everything else, and uses each only in
 * the instruction after the one that wrote it, or after several that wrote such temporaries. Among 3,383 captured texts
 * all 2,452 of virpipe do this, and none of the 931 of another driver. Without the mark an operand of 64 bits proves
 * the dialect if TGSI would read components of it that no instruction ever writes. */
#include "isa/errors.h"
#include "tgsi/tgsi.h"

#include <string.h>

enum {
    TEMPORARIES = 4,
    COPIES = 4,
    X = 1, /* components as bits */
    XY = 3,
    ZW = 12,
    XYZW = 15
};

struct dialect {
    struct sch_ir_shader *shader;
    uint32_t first;          /* of the client's temporaries */
    uint32_t copies[COPIES]; /* the temporaries that the instructions right before this one made */
    unsigned copied;
};

/* What an instruction is to become. */
struct change {
    enum sch_ir_written written;
    unsigned sources; /* bits, of SCH_IR_WRITTEN_LOW */
};

/* ---- the mark ---- */

static bool is_client_temporary(const struct dialect *dialect, unsigned file, const struct sch_ir_bracket *index)
{
    return file == SCH_FILE_TEMPORARY && index->index >= 0 && (uint32_t)index->index >= dialect->first &&
           (uint32_t)index->index - dialect->first < TEMPORARIES;
}

/* Finds the declaration: the last one of four plain temporaries, numbered after all others. Only declarations of
 * temporaries follow it. */
static bool find_temporaries(struct dialect *dialect)
{
    const struct sch_ir_shader *shader = dialect->shader;
    uint32_t next = 0; /* the number after all temporaries */
    bool found = false;
    for (size_t i = 0; i < shader->item_count && shader->items[i].kind != SCH_IR_INSTRUCTION; i++) {
        const struct sch_ir_item item = shader->items[i];
        if (item.kind != SCH_IR_DECLARATION || shader->declarations[item.index].file != SCH_FILE_TEMPORARY) {
            found = false;
            continue;
        }
        const struct sch_ir_declaration *declaration = &shader->declarations[item.index];
        if (declaration->first == next && declaration->last - declaration->first == TEMPORARIES - 1 &&
            !declaration->array_id && !declaration->local && declaration->usage_mask == XYZW) {
            found = true;
            dialect->first = next;
        }
        if (declaration->last >= next) next = declaration->last + 1;
    }
    return found;
}

/* Whether an instruction reads the client's temporaries only where `fresh` has them, bit n for number n. */
static bool reads_fresh(const struct dialect *dialect, const struct sch_ir_instruction *in, unsigned fresh)
{
    for (unsigned n = 0; n < in->src_count; n++) {
        const struct sch_ir_src *src = &in->src[n];
        if (is_client_temporary(dialect, src->file, &src->index) &&
            (src->index.is_indirect || !(fresh >> ((uint32_t)src->index.index - dialect->first) & 1)))
            return false;
    }
    for (unsigned n = 0; n < in->offset_count; n++) {
        const struct sch_ir_bracket index = {.index = in->offset[n].index};
        if (is_client_temporary(dialect, in->offset[n].file, &index)) return false;
    }
    return true;
}

static bool uses_as_client(const struct dialect *dialect)
{
    unsigned fresh = 0;
    for (size_t i = 0; i < dialect->shader->instruction_count; i++) {
        const struct sch_ir_instruction *in = &dialect->shader->instructions[i];
        unsigned made = 0;
        if (!reads_fresh(dialect, in, fresh)) return false;
        for (unsigned n = 0; n < in->dst_count; n++) {
            if (!is_client_temporary(dialect, in->dst[n].file, &in->dst[n].index)) continue;
            if (in->dst[n].index.is_indirect) return false;
            made |= 1u << ((uint32_t)in->dst[n].index.index - dialect->first);
        }
        fresh = made ? fresh | made : 0;
    }
    return true;
}

/* ---- the changes ---- */

static bool is_whole(const uint8_t swizzle[4])
{
    return swizzle[0] == 0 && swizzle[1] == 1 && swizzle[2] == 2 && swizzle[3] == 3;
}

static bool is_copy(const struct dialect *dialect, const struct sch_ir_src *src)
{
    if (src->file != SCH_FILE_TEMPORARY || src->has_dimension || src->index.is_indirect || src->negate ||
        src->absolute || !is_whole(src->swizzle))
        return false;
    for (unsigned n = 0; n < dialect->copied; n++)
        if (src->index.index >= 0 && dialect->copies[n] == (uint32_t)src->index.index) return true;
    return false;
}

/* Whether the instruction is "MOV TEMP[n].xy, ...". */
static bool take_copy(struct dialect *dialect, const struct sch_ir_instruction *in)
{
    const struct sch_ir_dst *dst = &in->dst[0];
    if (in->opcode != SCH_OP_MOV || in->dst_count != 1 || in->saturate || dst->file != SCH_FILE_TEMPORARY ||
        dst->has_dimension || dst->index.is_indirect || dst->index.index < 0 || dst->write_mask != XY)
        return false;
    if (dialect->copied == COPIES)
        memmove(dialect->copies, dialect->copies + 1, sizeof dialect->copies - sizeof *dialect->copies);
    dialect->copies[dialect->copied < COPIES ? dialect->copied++ : COPIES - 1] = (uint32_t)dst->index.index;
    return true;
}

static bool same_bracket(const struct sch_ir_bracket *a, const struct sch_ir_bracket *b)
{
    if (a->index != b->index || a->is_indirect != b->is_indirect) return false;
    return !a->is_indirect || (a->indirect.file == b->indirect.file && a->indirect.component == b->indirect.component &&
                               a->indirect.array_id == b->indirect.array_id && a->indirect.index == b->indirect.index);
}

/* Whether the instruction is MAX of a number and its negative. */
static bool is_absolute(const struct sch_ir_instruction *in)
{
    const struct sch_ir_src *a = &in->src[0], *b = &in->src[1];
    return in->opcode == SCH_OP_MAX && in->dst_count == 1 && in->src_count == 2 && !a->negate && !a->absolute &&
           b->negate && !b->absolute && a->file == b->file && a->has_dimension == b->has_dimension &&
           !memcmp(a->swizzle, b->swizzle, sizeof a->swizzle) && same_bracket(&a->index, &b->index) &&
           (!a->has_dimension || same_bracket(&a->dimension, &b->dimension));
}

static bool is_exchanged(const struct sch_ir_instruction *in)
{
    return (in->opcode == SCH_OP_TXB2 || in->opcode == SCH_OP_TXL2) && in->has_texture && in->src_count > 1 &&
           in->target == SCH_TARGET_SHADOWCUBE_ARRAY;
}

/* The sources of 64 bits that were copied right before, of an instruction whose result begins after the first
 * component. */
static unsigned low_sources(const struct dialect *dialect, const struct sch_ir_instruction *in)
{
    const struct sch_op_info *op = sch_op_info(in->opcode);
    unsigned sources = 0;
    if (!op || !dialect->copied || !in->dst_count || in->dst[0].write_mask & X) return 0;
    for (unsigned n = 0; n < in->src_count; n++)
        if (op->src_type[n] && strchr("DLQ", op->src_type[n]) && is_copy(dialect, &in->src[n])) sources |= 1u << n;
    return sources;
}

/* Runs over the instructions in their order. */
static struct change change_of(struct dialect *dialect, const struct sch_ir_instruction *in)
{
    struct change change = {SCH_IR_WRITTEN_SO, 0};
    if (take_copy(dialect, in)) return change;
    if (is_absolute(in))
        change.written = SCH_IR_WRITTEN_MAX;
    else if (is_exchanged(in))
        change.written = SCH_IR_WRITTEN_EXCHANGED;
    else if ((change.sources = low_sources(dialect, in)) != 0)
        change.written = SCH_IR_WRITTEN_LOW;
    dialect->copied = 0;
    return change;
}

static void exchange(struct sch_ir_src *src)
{
    const uint8_t x = src->swizzle[0];
    src->swizzle[0] = src->swizzle[1];
    src->swizzle[1] = x;
}

static void apply(struct sch_ir_instruction *in, const struct change *change)
{
    static const uint8_t low[4] = {0, 1, 0, 1};
    if (change->written == SCH_IR_WRITTEN_MAX) {
        in->opcode = SCH_OP_MOV;
        in->src_count = 1;
        in->src[0].absolute = true;
    }
    if (change->written == SCH_IR_WRITTEN_EXCHANGED) exchange(&in->src[1]);
    for (unsigned n = 0; n < in->src_count; n++)
        if (change->sources >> n & 1) memcpy(in->src[n].swizzle, low, sizeof low);
}

const struct sch_ir_instruction *sch_tgsi_as_written(const struct sch_ir_instruction *in,
                                                     struct sch_ir_instruction *room)
{
    static const uint8_t whole[4] = {0, 1, 2, 3};
    if (in->written == SCH_IR_WRITTEN_SO) return in;
    *room = *in;
    if (in->written == SCH_IR_WRITTEN_MAX) {
        room->opcode = SCH_OP_MAX;
        room->src_count = 2;
        room->src[0].absolute = false;
        room->src[1] = room->src[0];
        room->src[1].negate = true;
    }
    if (in->written == SCH_IR_WRITTEN_EXCHANGED) exchange(&room->src[1]);
    for (unsigned n = 0; n < room->src_count; n++)
        if (in->written_sources >> n & 1) memcpy(room->src[n].swizzle, whole, sizeof whole);
    return room;
}

/* ---- proof without the mark ---- */

/* The temporaries of which an instruction writes the last two components, as bits; `limit` of them are looked at.
 * False: some are written through an index. */
static bool find_written(const struct sch_ir_shader *shader, uint8_t *written, uint32_t limit)
{
    for (size_t i = 0; i < shader->instruction_count; i++) {
        const struct sch_ir_instruction *in = &shader->instructions[i];
        for (unsigned n = 0; n < in->dst_count; n++) {
            const struct sch_ir_dst *dst = &in->dst[n];
            if (dst->file != SCH_FILE_TEMPORARY) continue;
            if (dst->index.is_indirect) return false;
            if (dst->write_mask & ZW && dst->index.index >= 0 && (uint32_t)dst->index.index < limit)
                written[dst->index.index / 8] |= (uint8_t)(1u << dst->index.index % 8);
        }
    }
    return true;
}

/* Whether a copied operand has components that TGSI would read and no instruction writes. `limit` of such operands is
 * above the last temporary. OK, MEMORY. */
static enum sch_result prove(struct dialect *dialect, const struct sch_allocator *allocator, uint32_t limit,
                             bool *proven)
{
    const struct sch_ir_shader *shader = dialect->shader;
    const size_t bytes = limit / 8 + 1;
    uint8_t *written = allocator->alloc(allocator->user, bytes);
    *proven = false;
    if (!written) return SCH_ERROR_MEMORY;
    memset(written, 0, bytes);
    const bool direct = find_written(shader, written, limit);
    for (size_t i = 0; i < shader->instruction_count && direct && !*proven; i++) {
        const struct sch_ir_instruction *in = &shader->instructions[i];
        const struct change change = change_of(dialect, in);
        for (unsigned n = 0; n < in->src_count; n++)
            if (change.sources >> n & 1 && !(written[in->src[n].index.index / 8] >> in->src[n].index.index % 8 & 1))
                *proven = true;
    }
    dialect->copied = 0;
    allocator->free(allocator->user, written);
    return SCH_OK;
}

/* ---- reading ---- */

/* What a shader has of the dialect. */
struct finds {
    const struct sch_ir_instruction *first;      /* that the dialect would change; NULL: there is none */
    const struct sch_ir_instruction *suspicious; /* likewise, and other producers hardly write it */
    const char *meaning, *suspected;             /* what virpipe means by them */
    uint32_t limit;                              /* above the last temporary that was copied to for an operand; 0 */
};

static struct finds look(struct dialect *dialect)
{
    static const char *const meanings[] = {
        [SCH_IR_WRITTEN_MAX] = "MAX of a number and its negative is the absolute value",
        [SCH_IR_WRITTEN_LOW] = "copied operands of 64 bits are read from xy",
        [SCH_IR_WRITTEN_EXCHANGED] = "the second source has the reference in x, and the bias or level in y"};
    struct finds finds = {.limit = 0};
    for (size_t i = 0; i < dialect->shader->instruction_count; i++) {
        const struct sch_ir_instruction *in = &dialect->shader->instructions[i];
        const struct change change = change_of(dialect, in);
        if (change.written == SCH_IR_WRITTEN_SO) continue;
        if (!finds.first) {
            finds.first = in;
            finds.meaning = meanings[change.written];
        }
        if (!finds.suspicious && change.written != SCH_IR_WRITTEN_EXCHANGED) {
            finds.suspicious = in;
            finds.suspected = meanings[change.written];
        }
        for (unsigned n = 0; n < in->src_count; n++)
            if (change.sources >> n & 1 && (uint32_t)in->src[n].index.index >= finds.limit)
                finds.limit = (uint32_t)in->src[n].index.index + 1;
    }
    dialect->copied = 0;
    return finds;
}

static void change_all(struct dialect *dialect, bool recognised)
{
    for (size_t i = 0; i < dialect->shader->instruction_count; i++) {
        struct sch_ir_instruction *in = &dialect->shader->instructions[i];
        const struct change change = change_of(dialect, in);
        apply(in, &change);
        in->written = recognised ? change.written : SCH_IR_WRITTEN_SO;
        in->written_sources = recognised ? (uint8_t)change.sources : 0;
    }
}

enum sch_result sch_tgsi_read_virgl(struct sch_ir_shader *shader, bool known, const struct sch_allocator *allocator,
                                    struct sch_diagnostics *diagnostics)
{
    struct dialect dialect = {.shader = shader};
    const struct finds finds = look(&dialect);
    if (!finds.first) return SCH_OK;
    bool recognised = find_temporaries(&dialect) && uses_as_client(&dialect);
    if (!recognised && finds.limit) {
        const enum sch_result status = prove(&dialect, allocator, finds.limit, &recognised);
        if (status != SCH_OK) return status;
    }
    if (known || recognised) change_all(&dialect, recognised);
    if (known) return SCH_OK;
    if (recognised)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_TEXT_VIRGL, finds.first->position,
                            "read in the dialect of Mesa's virpipe (virgl, not tgsi): %s", finds.meaning);
    else if (finds.suspicious)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_TEXT_PERHAPS_VIRGL, finds.suspicious->position,
                            "read as TGSI; in the dialect of Mesa's virpipe (virgl) %s", finds.suspected);
    return SCH_OK;
}
