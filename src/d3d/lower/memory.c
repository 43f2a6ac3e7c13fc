/* Views, buffers and shared memory: bytes and structures are BUFFER, a typed u# is IMAGE, the counter of BUFFER[#] is
 * HWATOMIC[#][0]; all g# share the group's memory. */
#include "d3d/lower/internal.h"

typedef const struct sch_lower_row row_t;

/* The memory that an operand names. */
struct memory {
    struct sch_ir_src source;
    uint32_t stride; /* 0: bytes */
    uint32_t base;   /* added to every address */
    uint8_t kind;    /* enum sch_lower_resource_kind */
};

/* The bytes or structures of a class: which t# is known only when the shader runs. */
static struct memory memory_of_class(struct sch_lower *l, const struct sch_d3d_operand *operand, unsigned kind)
{
    struct memory memory = {.source = sch_ir_src(SCH_FILE_BUFFER, 0), .kind = (uint8_t)kind};
    memory.stride = sch_lower_class_view(l, operand, kind, &memory.source.index)->stride;
    return memory;
}

static struct memory shared_memory(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    uint32_t number = sch_lower_number(operand, 0);
    struct memory memory = {.source = sch_ir_src(SCH_FILE_MEMORY, 0)};
    if (operand->index_count != 1 || operand->index[0].relative || number >= SCH_LOWER_SHARED ||
        !l->shared[number].declared) {
        sch_lower_refuse(l, "g%u is not declared", number);
        return memory;
    }
    memory.stride = l->shared[number].stride;
    memory.base = l->shared[number].base;
    memory.kind = memory.stride ? SCH_LOWER_STRUCTURED : SCH_LOWER_RAW;
    return memory;
}

static struct memory memory_of(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    if (operand->type == SCH_D3D_REGISTER_SHARED_MEMORY) return shared_memory(l, operand);
    struct memory memory = {.source = sch_ir_src(SCH_FILE_BUFFER, 0)};
    const struct sch_lower_resource *is = sch_lower_named(l, operand, &memory.source.index);
    memory.kind = is->kind;
    memory.stride = is->stride;
    if (operand->type == SCH_D3D_REGISTER_VIEW && is->kind == SCH_LOWER_TYPED) memory.source.file = SCH_FILE_IMAGE;
    return memory;
}

static struct sch_ir_src with_base(struct sch_lower *l, struct sch_ir_src address, uint32_t base)
{
    if (!base) return address;
    uint32_t temp = sch_build_scratch(l->build);
    sch_build_2(l->build, SCH_OP_UADD, sch_build_temp_dst(temp, 1), address, sch_build_word(l->build, base));
    return sch_build_splat(sch_build_temp_src(temp), 0);
}

/* The byte of a structure's word: index * stride + offset. "Index out of range = 0", where the range is what bufinfo
 * says, the whole structures of the view: otherwise the address is one that no buffer has, also where the product would
 * pass 2^32. What lies after the last whole structure belongs to none. */
static struct sch_ir_src structure(struct sch_lower *l, const struct memory *memory, struct sch_ir_src index,
                                   struct sch_ir_src offset)
{
    uint32_t temp = sch_build_scratch(l->build), inside = sch_build_scratch(l->build);
    struct sch_ir_dst to = sch_build_temp_dst(temp, 1), is = sch_build_temp_dst(inside, 1);
    struct sch_ir_src address = sch_build_splat(sch_build_temp_src(temp), 0);
    struct sch_ir_src count = sch_build_splat(sch_build_temp_src(inside), 0);
    struct sch_ir_src stride = sch_build_word(l->build, memory->stride ? memory->stride : 1);
    sch_build_3(l->build, SCH_OP_UMAD, to, index, stride, offset);
    if (memory->source.file == SCH_FILE_BUFFER && memory->stride) {
        struct sch_ir_src buffer = sch_ir_src(SCH_FILE_BUFFER, 0);
        buffer.index = memory->source.index;
        sch_build_1(l->build, SCH_OP_RESQ, is, buffer);
        sch_build_2(l->build, SCH_OP_UDIV, is, count, stride);
        sch_build_2(l->build, SCH_OP_USLT, is, index, count);
        sch_build_3(l->build, SCH_OP_UCMP, to, count, address, sch_build_word(l->build, UINT32_MAX - 3));
    }
    return with_base(l, address, memory->base);
}

/* ---- loads ---- */

static struct memory loaded(struct sch_lower *l, const struct sch_d3d_operand *from, unsigned kind)
{
    bool of_class = from->type == SCH_D3D_REGISTER_RESOURCE && sch_lower_of_class(l, from);
    struct memory memory = of_class ? memory_of_class(l, from, kind) : memory_of(l, from);
    sch_lower_select(from, memory.source.swizzle);
    return memory;
}

static struct sch_ir_src scalar(struct sch_lower *l, unsigned number)
{
    return sch_build_splat(sch_lower_operand(l, number), 0);
}

/* LOAD itself does not saturate: what it gives has no type. */
static void load(struct sch_lower *l, struct sch_ir_src source, struct sch_ir_src address)
{
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]), status = sch_lower_status(l);
    bool saturates = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
    if (!target.dropped) {
        uint32_t temp = saturates ? sch_build_scratch(l->build) : 0;
        struct sch_ir_dst to = saturates ? sch_build_temp_dst(temp, target.dst.write_mask) : target.dst;
        struct sch_ir_instruction *made = sch_build_2(l->build, SCH_OP_LOAD, to, source, address);
        made->has_memory = true;
        made->memory_target = SCH_TARGET_UNKNOWN;
        if (saturates) sch_build_1(l->build, SCH_OP_MOV, target.dst, sch_build_temp_src(temp))->saturate = true;
        sch_lower_finish(l, &target);
    }
    sch_lower_write_status(l, &status);
}

void sch_lower_LOAD_RAW(struct sch_lower *l, row_t *row)
{
    (void)row;
    unsigned first = sch_lower_results(l);
    const struct sch_d3d_operand *from = &l->at->operands[first + 1];
    struct memory memory = loaded(l, from, SCH_LOWER_RAW);
    load(l, memory.source, with_base(l, scalar(l, first), memory.base));
}

void sch_lower_LOAD_STRUCTURED(struct sch_lower *l, row_t *row)
{
    (void)row;
    unsigned first = sch_lower_results(l);
    const struct sch_d3d_operand *from = &l->at->operands[first + 2];
    struct memory memory = loaded(l, from, SCH_LOWER_STRUCTURED);
    struct sch_ir_src index = scalar(l, first), offset = scalar(l, first + 1);
    load(l, memory.source, structure(l, &memory, index, offset));
}

void sch_lower_LOAD_TYPED(struct sch_lower *l, row_t *row)
{
    (void)row;
    unsigned first = sch_lower_results(l);
    const struct sch_d3d_operand *from = &l->at->operands[first + 1];
    struct memory memory = memory_of(l, from);
    sch_lower_select(from, memory.source.swizzle);
    if (memory.source.file != SCH_FILE_IMAGE) sch_lower_refuse(l, "a typed access to what is not typed");
    load(l, memory.source, sch_lower_operand(l, first));
}

/* ---- stores ---- */

static void store(struct sch_lower *l, const struct memory *memory, unsigned mask, struct sch_ir_src address,
                  struct sch_ir_src value)
{
    struct sch_ir_dst dst = {.file = memory->source.file, .write_mask = (uint8_t)mask, .index = memory->source.index};
    struct sch_ir_instruction *made = sch_build_2(l->build, SCH_OP_STORE, dst, address, value);
    made->has_memory = true;
    made->memory_target = SCH_TARGET_UNKNOWN;
}

static unsigned mask_of(const struct sch_d3d_operand *operand)
{
    return operand->form == SCH_D3D_FORM_MASK ? operand->select : 15u;
}

void sch_lower_STORE_RAW_(struct sch_lower *l, row_t *row)
{
    (void)row;
    struct memory memory = memory_of(l, &l->at->operands[0]);
    struct sch_ir_src address = with_base(l, scalar(l, 1), memory.base);
    store(l, &memory, mask_of(&l->at->operands[0]), address, sch_lower_operand(l, 2));
}

void sch_lower_STORE_STRUCTURED_(struct sch_lower *l, row_t *row)
{
    (void)row;
    struct memory memory = memory_of(l, &l->at->operands[0]);
    struct sch_ir_src index = scalar(l, 1), offset = scalar(l, 2);
    struct sch_ir_src address = structure(l, &memory, index, offset);
    store(l, &memory, mask_of(&l->at->operands[0]), address, sch_lower_operand(l, 3));
}

void sch_lower_STORE_TYPED(struct sch_lower *l, row_t *row)
{
    (void)row;
    struct memory memory = memory_of(l, &l->at->operands[0]);
    if (memory.source.file != SCH_FILE_IMAGE) sch_lower_refuse(l, "a typed access to what is not typed");
    struct sch_ir_src address = sch_lower_operand(l, 1);
    store(l, &memory, 15, address, sch_lower_operand(l, 2));
}

/* ---- atomics ---- */

/* The address of an atomic operation: bytes, index and byte of a structure, or an image's coordinates. */
static struct sch_ir_src atomic_address(struct sch_lower *l, const struct memory *memory, unsigned number)
{
    struct sch_ir_src address = sch_lower_operand(l, number);
    if (memory->source.file == SCH_FILE_IMAGE) return address;
    if (memory->kind == SCH_LOWER_STRUCTURED)
        return structure(l, memory, sch_build_splat(address, 0), sch_build_splat(address, 1));
    return with_base(l, sch_build_splat(address, 0), memory->base);
}

/* Operand `first` is the memory; the address and one or two values follow. */
static void atomic(struct sch_lower *l, unsigned op, struct sch_ir_dst dst, unsigned first)
{
    struct memory memory = memory_of(l, &l->at->operands[first]);
    struct sch_ir_src src[4] = {memory.source, atomic_address(l, &memory, first + 1)};
    unsigned count = l->at->operand_count - first;
    for (unsigned i = 2; i < count; i++) src[i] = scalar(l, first + i);
    struct sch_ir_instruction *made = sch_build_emit(l->build, op, dst, src, count);
    made->has_memory = true;
    made->memory_target = SCH_TARGET_UNKNOWN;
}

void sch_lower_ATOMIC_(struct sch_lower *l, row_t *row)
{
    atomic(l, row->op, sch_build_temp_dst(sch_build_scratch(l->build), 1), 0);
}

void sch_lower_ATOMIC_OLD(struct sch_lower *l, row_t *row)
{
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    if (target.dropped) target.dst = sch_build_temp_dst(sch_build_scratch(l->build), 1);
    atomic(l, row->op, target.dst, 1);
    sch_lower_finish(l, &target);
}

/* alloc gives the counter before it counts up, consume after it counts down. */
void sch_lower_COUNTER(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src counter = sch_ir_src(SCH_FILE_HW_ATOMIC, 0);
    counter.has_dimension = true;
    const struct sch_lower_resource *is = sch_lower_named(l, &l->at->operands[1], &counter.dimension);
    sch_lower_need_counter(l, counter.dimension.is_indirect ? is->unit : (uint32_t)counter.dimension.index);
    bool down = row->other != SCH_OP_NOP;
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_src zero = sch_build_word(l->build, 0), step = sch_build_word(l->build, down ? UINT32_MAX : 1);
    struct sch_ir_instruction *made = sch_build_3(l->build, row->op, sch_build_temp_dst(temp, 1), counter, zero, step);
    made->has_memory = true;
    made->memory_target = SCH_TARGET_UNKNOWN;
    struct sch_ir_src old = sch_build_splat(sch_build_temp_src(temp), 0);
    if (down) sch_build_2(l->build, row->other, sch_build_temp_dst(temp, 1), old, step);
    if (target.dropped) return;
    sch_build_1(l->build, SCH_OP_MOV, target.dst, old);
    sch_lower_finish(l, &target);
}

/* sync: memory first, then threads. */
void sch_lower_SYNC_(struct sch_lower *l, row_t *row)
{
    enum { THREADS = 1, SHARED = 2, EVERY_MEMORY = 31 };
    uint32_t bits = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SYNC);
    if (bits & ~(uint32_t)THREADS) {
        struct sch_ir_src kinds = sch_build_word(l->build, EVERY_MEMORY);
        struct sch_ir_instruction *made = sch_build_add(l->build, row->op);
        made->src_count = 1;
        made->src[0] = kinds;
    }
    if (bits & THREADS) sch_build_add(l->build, row->other);
}
