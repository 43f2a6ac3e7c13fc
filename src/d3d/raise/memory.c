/* Buffers, images, counters and shared memory: BUFFER[n] is a raw view u#, IMAGE[n] a typed one after the buffers,
 * HWATOMIC[n] a raw one after the images, MEMORY of the work group is g0. */
#include "d3d/raise/internal.h"

typedef const struct sch_raise_row row_t;
typedef struct sch_d3d_operand operand_t;

/* What an operand names: `operand` has no components. */
struct memory {
    operand_t operand;
    struct sch_raise_resource *image; /* NULL: bytes */
    bool counter;                     /* the operand's index is the address */
};

static bool memory_of(struct sch_raise *r, unsigned file, const struct sch_ir_bracket *bracket, struct memory *memory)
{
    uint32_t number = (uint32_t)bracket->index; /* one below 0 is more than all */
    bool direct = !bracket->is_indirect && number < SCH_RAISE_RESOURCES;
    *memory = (struct memory){.operand = sch_raise_named(SCH_D3D_REGISTER_VIEW, 0)};
    if (direct && file == SCH_FILE_BUFFER) {
        r->buffers[number].used = true;
        memory->operand.index[0].value = r->first_buffer + number;
        return true;
    }
    if (direct && file == SCH_FILE_IMAGE && r->images[number].dimension) {
        memory->image = &r->images[number];
        memory->image->used = true;
        memory->operand.index[0].value = r->first_image + number;
        if (r->at->opcode == SCH_OP_LOAD && !memory->image->loadable) sch_raise_needs(r, SCH_RAISE_FEATURE_TYPED_LOADS);
        return true;
    }
    if (direct && file == SCH_FILE_MEMORY && r->is_shared[number]) {
        r->shared = true;
        memory->operand = sch_raise_named(SCH_D3D_REGISTER_SHARED_MEMORY, 0);
        return true;
    }
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FILE, file);
    sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "memory of file %s, or chosen by a register or a handle", word->word);
    return false;
}

/* HWATOMIC[b][i] is the word i of a raw view after the images: Direct3D's own counters count by one. */
static bool counter_of(struct sch_raise *r, const struct sch_ir_src *src, struct memory *memory)
{
    uint32_t number = (uint32_t)src->dimension.index; /* 0 where there is none */
    if (src->dimension.is_indirect || number >= SCH_RAISE_RESOURCES) {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "a buffer of counters that a register chooses");
        return false;
    }
    r->counters[number] = true;
    *memory = (struct memory){.counter = true};
    memory->operand = sch_raise_named(SCH_D3D_REGISTER_VIEW, r->first_counter + number);
    return true;
}

static bool source_memory(struct sch_raise *r, struct memory *memory)
{
    if (r->at->src[0].file == SCH_FILE_HW_ATOMIC) return counter_of(r, &r->at->src[0], memory);
    return memory_of(r, r->at->src[0].file, &r->at->src[0].index, memory);
}

static operand_t read_place(const struct sch_raise *r, operand_t operand)
{
    const uint8_t *swizzle = r->at->src[0].swizzle;
    operand.form = SCH_D3D_FORM_SWIZZLE;
    operand.select = SCH_D3D_SWIZZLE_XYZW;
    return sch_raise_swizzle(operand, swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
}

/* How many components address an image's texel. */
static unsigned coordinates(const struct sch_raise_resource *image)
{
    static const uint8_t counts[] = {0, 1, 1, 2, 2, 3, 3, 2, 3, 3, 4};
    return (1u << counts[image->dimension]) - 1;
}

/* "A counter's LOAD gives its value in x, 0 in yzw." */
static void load_counter(struct sch_raise *r, unsigned op, operand_t operand)
{
    const uint8_t *swizzle = r->at->src[0].swizzle;
    operand_t made = sch_raise_scratch(r), from = operand;
    from.form = SCH_D3D_FORM_SWIZZLE;
    from.select = SCH_D3D_SWIZZLE_XYZW;
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 15), sch_raise_word(0));
    sch_raise_2(r, op, sch_raise_masked(made, 1), sch_raise_byte(r, &r->at->src[0].index), from);
    made = sch_raise_swizzle(made, swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
    sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_destination(r, 0), made));
}

void sch_raise_LOAD_(struct sch_raise *r, row_t *row)
{
    struct memory memory;
    if (!source_memory(r, &memory)) return;
    if (memory.counter) {
        load_counter(r, row->op, memory.operand);
        return;
    }
    operand_t address = sch_raise_source(r, 1, memory.image ? coordinates(memory.image) : 1);
    operand_t result = sch_raise_destination(r, 0);
    struct sch_d3d_instruction *made =
        sch_raise_2(r, memory.image ? row->other : row->op, result, address, read_place(r, memory.operand));
    sch_raise_modify(r, made);
    if (memory.image) sch_raise_say_type(made, memory.image);
}

/* "store_raw: x, xy, xyz, xyzw": other masks store word by word. */
static void store_words(struct sch_raise *r, unsigned op, operand_t operand, unsigned mask)
{
    operand_t address = sch_raise_source(r, 0, 1), value = sch_raise_source(r, 1, mask);
    if ((mask & (mask + 1)) == 0) {
        const operand_t operands[] = {sch_raise_masked(operand, mask), address, value};
        sch_raise_emit(r, op, operands, 3);
        return;
    }
    operand_t word = sch_raise_scratch(r);
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1)) continue;
        sch_raise_2(r, SCH_D3D_OP_IADD, sch_raise_masked(word, 1), address, sch_raise_word(4 * c));
        const operand_t operands[] = {sch_raise_masked(operand, 1), word, sch_raise_splat(value, c)};
        sch_raise_emit(r, op, operands, 3);
    }
}

/* "STORE writes a whole texel whatever its mask." */
void sch_raise_STORE_(struct sch_raise *r, row_t *row)
{
    struct memory memory;
    if (!memory_of(r, r->at->dst[0].file, &r->at->dst[0].index, &memory)) return;
    if (!memory.image) {
        store_words(r, row->op, memory.operand, r->at->dst[0].write_mask);
        return;
    }
    const operand_t operands[] = {sch_raise_masked(memory.operand, 15),
                                  sch_raise_source(r, 0, coordinates(memory.image)), sch_raise_source(r, 1, 15)};
    sch_raise_emit(r, row->other, operands, 3);
}

/* The old value in one component, then where it is wanted. */
void sch_raise_ATOMIC_(struct sch_raise *r, row_t *row)
{
    struct memory memory;
    if (!source_memory(r, &memory)) return;
    unsigned count = r->at->src_count;
    operand_t operands[6];
    operand_t old = sch_raise_scratch(r);
    operands[0] = sch_raise_masked(old, 1);
    operands[1] = memory.operand;
    if (memory.counter)
        operands[2] = sch_raise_byte(r, &r->at->src[0].index);
    else
        operands[2] = sch_raise_source(r, 1, memory.image ? coordinates(memory.image) : 1);
    if (!memory.image) operands[2] = sch_raise_scalar(operands[2]);
    for (unsigned i = 2; i < count; i++) operands[1 + i] = sch_raise_source(r, i, 1);
    sch_raise_emit(r, row->op, operands, 1 + count);
    sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_destination(r, 0), sch_raise_splat(old, 0)));
}

/* RESQ of a buffer: bytes in x, 0 in y, z, w. */
void sch_raise_BUFFER_SIZE(struct sch_raise *r, row_t *row)
{
    struct memory memory;
    if (!source_memory(r, &memory)) return;
    operand_t made = sch_raise_scratch(r), operand = memory.operand;
    operand.form = SCH_D3D_FORM_SWIZZLE;
    operand.select = SCH_D3D_SWIZZLE_XYZW;
    const operand_t operands[] = {sch_raise_masked(made, 1), operand};
    const operand_t sizes[] = {sch_raise_masked(made, 7), sch_raise_word(0), operand};
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 15), sch_raise_word(0));
    if (!memory.image || memory.image->dimension == SCH_RAISE_BUFFER)
        sch_raise_emit(r, row->op, operands, 2);
    else
        sch_raise_emit(r, row->other, sizes, 3)->controls = sch_d3d_put(SCH_D3D_FIELD_RESINFO, SCH_RAISE_RESINFO_UINT);
    const uint8_t *swizzle = r->at->src[0].swizzle;
    made = sch_raise_swizzle(made, swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
    sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_destination(r, 0), made));
}

/* ---- waiting: vocabulary SYNC ---- */

enum { THREADS = 1, SHARED = 2, GROUP = 4, GLOBAL = 8 };

static void sync(struct sch_raise *r, unsigned op, uint32_t bits)
{
    if (bits) sch_raise_0(r, op)->controls = sch_d3d_put(SCH_D3D_FIELD_SYNC, bits);
}

/* BARRIER: threads wait, and see each other's shared memory after it. */
void sch_raise_SYNC_(struct sch_raise *r, row_t *row) { sync(r, row->op, THREADS | SHARED); }

/* MEMBAR: bits for buffers, counters, images, shared memory, and the group's threads alone, in a literal. */
void sch_raise_FENCE(struct sch_raise *r, row_t *row)
{
    enum { MEMBAR_VIEWS = 7, MEMBAR_SHARED = 8, MEMBAR_GROUP = 16 };
    operand_t kinds = sch_raise_source(r, 0, 1);
    uint32_t fenced = kinds.values[0], bits = 0;
    bool compute = r->in->stage == SCH_STAGE_COMPUTE;
    if (fenced & MEMBAR_VIEWS) bits |= compute && fenced & MEMBAR_GROUP ? GROUP : GLOBAL;
    if (fenced & MEMBAR_SHARED && compute) bits |= SHARED;
    sync(r, row->op, bits);
}
