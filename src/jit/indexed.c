/* Operands whose register is known only when code runs: TEMP[ADDR[0].x], CONST[0][ADDR[0].x]. What they mean is
 * exec/operands.c: the number is a sum in 64 bits, and a register that does not exist reads 0 and is not written. Where
 * all lanes name the same register it is read like any other; else lane by lane, by gathers and scatters: in line, or
 * by calls where there are many. So are the inputs of other vertices and the outputs of a patch. The rarer ones (a
 * register of a vertex, both chosen by registers, buffers chosen by a register, writes to other invocations) are the
 * runtime's. */
#include "jit/indexed.h"

#include <stddef.h>

enum { REGISTER_BYTES = 4 * sizeof(struct sch_lanes) };

static LLVMValueRef call_intrinsic(struct jit_emitter *e, const char *name, unsigned count,
                                   LLVMValueRef arguments[const])
{
    LLVMTypeRef types[2] = {e->vector, LLVMVectorType(e->pointer, e->lanes)};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, types, 2);
    return LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* ---- numbers ---- */

/* Registers one of which is meant: the first one's address, how many there are, how far it is from one to the next, and
 * from a lane's word to the next lane's. */
struct table {
    LLVMValueRef base, limit;
    uint64_t stride;
    unsigned lane_bytes; /* 0: all lanes have the same word */
};

/* A register number per lane that is not below the limit, as an unsigned number, where the sum is negative or too
 * large: a base has 16 bits, so that no sum of 32 comes round to a small one. */
struct numbers {
    struct jit_value number;
    LLVMValueRef first, limit; /* of lane 0; registers that there are */
    LLVMValueRef same;         /* whether all executing lanes have the number of lane 0, and it is below the limit */
};

/* `number` has the register's; of `n` the rest. */
static void compare_numbers(struct jit_emitter *e, LLVMValueRef base, LLVMValueRef limit, LLVMValueRef exec,
                            struct numbers *n)
{
    LLVMBuilderRef b = e->build;
    struct jit_value first, differs;
    LLVMValueRef bases =
        LLVMIsAConstantInt(base) ? jit_splat_word(e, (uint32_t)LLVMConstIntGetZExtValue(base)) : jit_splat(e, base);
    for (unsigned v = 0; v < e->vectors; v++) n->number.part[v] = LLVMBuildAdd(b, n->number.part[v], bases, "");
    n->limit = limit;
    n->first = LLVMBuildExtractElement(b, n->number.part[0], jit_long(e, 0), "");
    for (unsigned v = 0; v < e->vectors; v++) first.part[v] = v ? first.part[0] : jit_splat(e, n->first);
    jit_operate(e, "USNE", 0, 2, (const struct jit_value *const[]){&n->number, &first}, 1,
                (struct jit_value *const[]){&differs});
    LLVMValueRef bits = LLVMBuildAnd(b, jit_bits_of(e, &differs), exec, "");
    LLVMValueRef uniform = LLVMBuildICmp(b, LLVMIntEQ, bits, jit_word(e, 0), "");
    n->same = LLVMBuildAnd(b, uniform, LLVMBuildICmp(b, LLVMIntULT, n->first, limit, ""), "");
}

static void read_numbers(struct jit_emitter *e, const struct sch_prepared_index *index, LLVMValueRef limit,
                         struct numbers *n)
{
    jit_read_index(e, index, &n->number);
    compare_numbers(e, jit_word(e, (uint32_t)index->base), limit, jit_exec(e), n);
}

bool jit_read_number(struct jit_emitter *e, const struct sch_prepared_index *index, uint32_t limit,
                     LLVMValueRef *number, LLVMValueRef *same)
{
    struct numbers n;
    if (!index->is_indirect) return false;
    jit_exec(e);
    read_numbers(e, index, jit_word(e, limit), &n);
    *number = n.first;
    *same = n.same;
    return true;
}

static LLVMValueRef in_range(struct jit_emitter *e, const struct numbers *n, unsigned v)
{
    return LLVMBuildICmp(e->build, LLVMIntULT, n->number.part[v], jit_splat(e, n->limit), "");
}

/* `base` + number * `stride` + lane * `lane_bytes`, as pointers. */
static LLVMValueRef places(struct jit_emitter *e, LLVMValueRef base, const struct numbers *n, unsigned v,
                           uint64_t stride, unsigned lane_bytes)
{
    LLVMBuilderRef b = e->build;
    LLVMTypeRef wide = LLVMVectorType(e->i64, e->lanes);
    LLVMValueRef strides[SCH_GROUP_LANES], lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) {
        strides[i] = jit_long(e, stride);
        lanes[i] = jit_long(e, ((uint64_t)v * e->lanes + i) * lane_bytes);
    }
    LLVMValueRef offset = LLVMBuildZExt(b, n->number.part[v], wide, "");
    offset = LLVMBuildMul(b, offset, LLVMConstVector(strides, e->lanes), "");
    offset = LLVMBuildAdd(b, offset, LLVMConstVector(lanes, e->lanes), "");
    return LLVMBuildGEP2(b, e->i8, base, &offset, 1, "");
}

static LLVMValueRef gather(struct jit_emitter *e, LLVMValueRef from, LLVMValueRef mask)
{
    LLVMValueRef arguments[4] = {from, jit_word(e, 1), mask, LLVMConstNull(e->vector)};
    return call_intrinsic(e, "llvm.masked.gather", 4, arguments);
}

static void scatter(struct jit_emitter *e, LLVMValueRef value, LLVMValueRef to, LLVMValueRef mask)
{
    call_intrinsic(e, "llvm.masked.scatter", 4, (LLVMValueRef[4]){value, to, jit_word(e, 4), mask});
}

static LLVMValueRef first_place(struct jit_emitter *e, LLVMValueRef base, const struct numbers *n, uint64_t stride)
{
    LLVMValueRef offset = LLVMBuildZExt(e->build, n->first, e->i64, "");
    offset = LLVMBuildMul(e->build, offset, jit_long(e, stride), "");
    return LLVMBuildGEP2(e->build, e->i8, base, &offset, 1, "");
}

/* ---- one vector, without the branch ---- */

static struct numbers numbers_of_vector(struct jit_emitter *e, const struct jit_numbered *of, unsigned v)
{
    struct numbers n = {.limit = of->limit};
    n.number.part[v] = LLVMBuildAdd(e->build, of->index, jit_splat(e, of->base), "");
    return n;
}

LLVMValueRef jit_read_numbered(struct jit_emitter *e, const struct jit_numbered *of, unsigned v)
{
    const struct numbers n = numbers_of_vector(e, of, v);
    return gather(e, places(e, of->first, &n, v, REGISTER_BYTES, sizeof(uint32_t)), in_range(e, &n, v));
}

void jit_write_numbered(struct jit_emitter *e, const struct jit_numbered *of, unsigned v, LLVMValueRef mask,
                        LLVMValueRef value)
{
    const struct numbers n = numbers_of_vector(e, of, v);
    LLVMValueRef there = in_range(e, &n, v), to = places(e, of->first, &n, v, REGISTER_BYTES, sizeof(uint32_t));
    if (mask) there = LLVMBuildAnd(e->build, there, mask, "");
    scatter(e, value, to, there);
}

/* ---- two branches ---- */

struct branches {
    LLVMBasicBlockRef same, each, after;
    struct jit_value value[2];
};

static LLVMBasicBlockRef new_block(struct jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->module->context, e->function, "");
}

static void part(struct jit_emitter *e, struct branches *w, LLVMValueRef same)
{
    w->same = new_block(e);
    w->each = new_block(e);
    w->after = new_block(e);
    LLVMBuildCondBr(e->build, same, w->same, w->each);
    LLVMPositionBuilderAtEnd(e->build, w->same);
}

static void meet(struct jit_emitter *e, struct branches *w, struct jit_value *value)
{
    LLVMBuildBr(e->build, w->after);
    LLVMPositionBuilderAtEnd(e->build, w->after);
    LLVMBasicBlockRef from[2] = {w->same, w->each};
    for (unsigned v = 0; v < e->vectors && value; v++) {
        LLVMValueRef values[2] = {w->value[0].part[v], w->value[1].part[v]};
        value->part[v] = LLVMBuildPhi(e->build, e->vector, "");
        LLVMAddIncoming(value->part[v], values, from, 2);
    }
}

/* ---- reading and writing ---- */

static void read_here(struct jit_emitter *e, const struct table *t, const struct numbers *n, struct jit_value *value)
{
    struct branches w;
    part(e, &w, n->same);
    LLVMValueRef address = first_place(e, t->base, n, t->stride);
    if (t->lane_bytes) {
        for (unsigned v = 0; v < e->vectors; v++) w.value[0].part[v] = jit_load_vector(e, address, v, false);
    } else {
        LLVMValueRef word = LLVMBuildLoad2(e->build, e->i32, address, "");
        LLVMSetAlignment(word, 1);
        w.value[0].part[0] = jit_splat(e, word);
        for (unsigned v = 1; v < e->vectors; v++) w.value[0].part[v] = w.value[0].part[0];
    }
    LLVMBuildBr(e->build, w.after);
    LLVMPositionBuilderAtEnd(e->build, w.each);
    for (unsigned v = 0; v < e->vectors; v++)
        w.value[1].part[v] = gather(e, places(e, t->base, n, v, t->stride, t->lane_bytes), in_range(e, n, v));
    meet(e, &w, value);
}

/* In the lanes of `mask`, whose vectors are NULL where all lanes execute. */
static void write_here(struct jit_emitter *e, const struct table *t, const struct numbers *n, const LLVMValueRef mask[],
                       const struct jit_value *value)
{
    struct branches w;
    part(e, &w, n->same);
    LLVMValueRef address = first_place(e, t->base, n, t->stride);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef old = jit_load_vector(e, address, v, false);
        LLVMValueRef made = mask[v] ? LLVMBuildSelect(e->build, mask[v], value->part[v], old, "") : value->part[v];
        jit_store_vector(e, made, address, v);
    }
    LLVMBuildBr(e->build, w.after);
    LLVMPositionBuilderAtEnd(e->build, w.each);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef there = in_range(e, n, v), to = places(e, t->base, n, v, t->stride, t->lane_bytes);
        if (mask[v]) there = LLVMBuildAnd(e->build, there, mask[v], "");
        scatter(e, value->part[v], to, there);
    }
    meet(e, &w, NULL);
}

/* ---- the same out of line ---- */

/* Two branches, three blocks and, at four lanes, tens of instructions for each channel: where there are many of them
 * they are calls of one function for each kind of table. */
enum { MOST_INLINE = 32, MOST_VARIANTS = 8, FIXED = 4 };

struct jit_indexed {
    bool calls;
    const struct sch_prepared_dst *named; /* the destination whose numbers are here */
    struct jit_value numbers;
    unsigned variants;
    struct {
        uint64_t stride;
        unsigned lane_bytes;
        bool writes;
        LLVMValueRef function;
    } variant[MOST_VARIANTS];
};

static bool is_by_number(unsigned access) { return access != SCH_ACCESS_PLAIN && access != SCH_ACCESS_NONE; }

size_t jit_indexed_channels(const struct sch_prepared_instruction *in)
{
    size_t channels = in->dst_count ? (size_t)__builtin_popcount(in->dst[0].mask) : 1, count = 0;
    for (unsigned s = 0; s < in->src_count; s++) count += is_by_number(in->src[s].access) ? channels : 0;
    for (unsigned d = 0; d < in->dst_count; d++) count += is_by_number(in->dst[d].access) ? channels : 0;
    return count;
}

static struct jit_indexed *indexed_of(struct jit_emitter *e)
{
    if (e->indexed) return e->indexed;
    e->indexed = SCH_ARENA_NEW(&e->arena, struct jit_indexed);
    if (!e->indexed) {
        e->status = SCH_ERROR_MEMORY;
        return NULL;
    }
    e->indexed->calls = e->plan.indexed > MOST_INLINE;
    return e->indexed;
}

/* (base, limit, what the index adds to, lanes that execute, the index's vectors, the value's where it is written). */
static LLVMValueRef declare_variant(struct jit_emitter *e, bool writes)
{
    LLVMTypeRef types[FIXED + 2 * JIT_MAX_VECTORS] = {e->pointer, e->i32, e->i32, e->i32}, parts[JIT_MAX_VECTORS];
    for (unsigned v = 0; v < 2 * e->vectors; v++) types[FIXED + v] = e->vector;
    for (unsigned v = 0; v < e->vectors; v++) parts[v] = e->vector;
    LLVMTypeRef result = writes ? e->nothing : LLVMStructTypeInContext(e->module->context, parts, e->vectors, false);
    LLVMTypeRef type = LLVMFunctionType(result, types, FIXED + e->vectors * (1u + writes), false);
    LLVMValueRef function = LLVMAddFunction(e->module->module, "sch_indexed", type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    jit_copy_features(e->function, function);
    jit_add_attribute(e->module, function, "nounwind");
    jit_add_attribute(e->module, function, "noinline");
    return function;
}

static void fill_variant(struct jit_emitter *e, LLVMValueRef function, struct table t, bool writes)
{
    struct numbers n;
    struct jit_value value;
    LLVMValueRef mask[JIT_MAX_VECTORS], exec = LLVMGetParam(function, 3);
    t.base = LLVMGetParam(function, 0);
    t.limit = LLVMGetParam(function, 1);
    for (unsigned v = 0; v < e->vectors; v++) n.number.part[v] = LLVMGetParam(function, FIXED + v);
    compare_numbers(e, LLVMGetParam(function, 2), t.limit, exec, &n);
    if (writes) {
        for (unsigned v = 0; v < e->vectors; v++) {
            value.part[v] = LLVMGetParam(function, FIXED + e->vectors + v);
            mask[v] = jit_vector_bits(e, exec, v);
        }
        write_here(e, &t, &n, mask, &value);
        LLVMBuildRetVoid(e->build);
        return;
    }
    read_here(e, &t, &n, &value);
    LLVMValueRef made = LLVMGetPoison(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    for (unsigned v = 0; v < e->vectors; v++) made = LLVMBuildInsertValue(e->build, made, value.part[v], v, "");
    LLVMBuildRet(e->build, made);
}

/* The function for a kind of table; NULL: there are too many. */
static LLVMValueRef function_of(struct jit_emitter *e, const struct table *t, bool writes)
{
    struct jit_indexed *indexed = indexed_of(e);
    if (!indexed || !indexed->calls) return NULL;
    unsigned i = 0;
    while (i < indexed->variants && !(indexed->variant[i].stride == t->stride && indexed->variant[i].writes == writes &&
                                      indexed->variant[i].lane_bytes == t->lane_bytes))
        i++;
    if (i == MOST_VARIANTS) return NULL;
    if (i < indexed->variants) return indexed->variant[i].function;
    LLVMValueRef outer = e->function, made = declare_variant(e, writes);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->build);
    e->function = made;
    LLVMPositionBuilderAtEnd(e->build, new_block(e));
    fill_variant(e, made, *t, writes);
    e->function = outer;
    LLVMPositionBuilderAtEnd(e->build, here);
    indexed->variant[indexed->variants].stride = t->stride;
    indexed->variant[indexed->variants].lane_bytes = t->lane_bytes;
    indexed->variant[indexed->variants].writes = writes;
    indexed->variant[indexed->variants++].function = made;
    return made;
}

static LLVMValueRef call_variant(struct jit_emitter *e, LLVMValueRef function, const struct table *t,
                                 const struct sch_prepared_index *index, const struct jit_value *number,
                                 const struct jit_value *value)
{
    LLVMValueRef a[FIXED + 2 * JIT_MAX_VECTORS] = {t->base, t->limit, jit_word(e, (uint32_t)index->base), jit_exec(e)};
    for (unsigned v = 0; v < e->vectors; v++) {
        a[FIXED + v] = number->part[v];
        if (value) a[FIXED + e->vectors + v] = value->part[v];
    }
    unsigned count = FIXED + e->vectors * (value ? 2 : 1);
    return LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, a, count, "");
}

static void read_table(struct jit_emitter *e, const struct table *t, const struct sch_prepared_index *index,
                       struct jit_value *value)
{
    LLVMValueRef function = function_of(e, t, false);
    if (!function) {
        struct numbers n;
        read_numbers(e, index, t->limit, &n);
        read_here(e, t, &n, value);
        return;
    }
    struct jit_value number;
    jit_read_index(e, index, &number);
    LLVMValueRef made = call_variant(e, function, t, index, &number, NULL);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = LLVMBuildExtractValue(e->build, made, v, "");
}

static void write_table(struct jit_emitter *e, const struct table *t, const struct sch_prepared_index *index,
                        const struct jit_value *number, const struct jit_value *value)
{
    LLVMValueRef function = function_of(e, t, true), mask[JIT_MAX_VECTORS];
    if (function) {
        call_variant(e, function, t, index, number, value);
        return;
    }
    struct numbers n = {.number = *number};
    for (unsigned v = 0; v < e->vectors; v++) mask[v] = jit_mask(e, v);
    compare_numbers(e, jit_word(e, (uint32_t)index->base), t->limit, jit_exec(e), &n);
    write_here(e, t, &n, mask, value);
}

/* ---- registers ---- */

static LLVMValueRef space_of(struct jit_emitter *e, unsigned space)
{
    if (space == SCH_SPACE_STATE) return e->state;
    if (space == SCH_SPACE_RUN) return e->constants;
    const size_t at = offsetof(struct sch_group, space) + space * sizeof(struct sch_lanes *);
    return jit_field(e, e->pointer, at);
}

static bool is_number(const struct sch_prepared_index *index, uint32_t limit)
{
    return !index->is_indirect && index->base >= 0 && (uint32_t)index->base < limit;
}

static bool is_direct(const struct sch_prepared_index *index) { return !index->is_indirect && index->base == 0; }

/* For the group's own vertex, where there are several: that is what the bracket in front names then. */
static bool register_here(const struct jit_emitter *e, const struct sch_prepared_src *src)
{
    return e->program->files[src->file].stored && is_direct(&src->dimension);
}

static void read_register(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned component,
                          struct jit_value *value)
{
    const struct sch_prepared_file *file = &e->program->files[src->file];
    const uint64_t channel = (uint64_t)file->base + component;
    const struct table t = {.base = jit_at(e, space_of(e, file->space), channel * sizeof(struct sch_lanes)),
                            .limit = jit_word(e, file->count),
                            .stride = REGISTER_BYTES,
                            .lane_bytes = sizeof(uint32_t)};
    read_table(e, &t, &src->index, value);
}

/* ---- constants ---- */

static bool constant_here(const struct sch_prepared_src *src)
{
    return is_number(&src->dimension, SCH_GROUP_CONSTANTS);
}

/* sch_exec_constant_word: word 4 * number + component of the buffer, where it is wholly inside. */
static void read_constant(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned component,
                          struct jit_value *value)
{
    LLVMBuilderRef b = e->build;
    const size_t at =
        offsetof(struct sch_group, constants) + (size_t)src->dimension.base * sizeof(struct sch_group_constants);
    LLVMValueRef buffer = jit_at(e, e->group, at);
    const size_t data = offsetof(struct sch_group_constants, data);
    const size_t counts = offsetof(struct sch_group_constants, registers) + component * sizeof(uint32_t);
    LLVMValueRef base = LLVMBuildLoad2(b, e->pointer, jit_at(e, buffer, data), ""),
                 offset = jit_long(e, (uint64_t)4 * component);
    const struct table t = {.base = LLVMBuildGEP2(b, e->i8, base, &offset, 1, ""),
                            .limit = LLVMBuildLoad2(b, e->i32, jit_at(e, buffer, counts), ""),
                            .stride = 4 * sizeof(uint32_t)};
    read_table(e, &t, &src->index, value);
}

/* ---- vertices ---- */

/* Register r of the vertex that a bracket names: registers of a vertex follow each other, then those of the next. */
static bool vertex_here(const struct jit_emitter *e, const struct sch_prepared_src *src)
{
    const struct sch_prepared_file *file = &e->program->files[src->file];
    return file->stored && is_number(&src->index, file->count);
}

static void read_vertex(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned component,
                        struct jit_value *value)
{
    LLVMBuilderRef b = e->build;
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_INPUT];
    const uint64_t stride = (uint64_t)4 * file->count * sizeof(struct sch_lanes);
    const uint64_t channel = file->base + 4 * (uint64_t)(uint32_t)src->index.base + component;
    LLVMValueRef base = jit_at(e, space_of(e, file->space), channel * sizeof(struct sch_lanes));
    LLVMValueRef vertices = jit_field(e, e->i32, offsetof(struct sch_group, input_vertices));
    if (!src->dimension.is_indirect) { /* a vertex that is not there reads the channel of zeros */
        uint32_t vertex = (uint32_t)src->dimension.base;
        LLVMValueRef there = LLVMBuildICmp(b, LLVMIntUGT, vertices, jit_word(e, vertex), "");
        LLVMValueRef zeros = space_of(e, SCH_SPACE_PROGRAM);
        LLVMValueRef address = LLVMBuildSelect(b, there, jit_at(e, base, stride * vertex), zeros, "");
        for (unsigned v = 0; v < e->vectors; v++) value->part[v] = jit_load_vector(e, address, v, true);
        return;
    }
    const struct table t = {.base = base, .limit = vertices, .stride = stride, .lane_bytes = sizeof(uint32_t)};
    read_table(e, &t, &src->dimension, value);
}

/* ---- outputs of a patch ---- */

static bool patch_here(const struct jit_emitter *e, const struct sch_prepared_src *src)
{
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    return file->stored && is_number(&src->index, file->count);
}

/* OUT[v][r] is lane v of register r. */
static void read_patch(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned component,
                       struct jit_value *value)
{
    LLVMBuilderRef b = e->build;
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    const uint32_t lanes = e->program->of_stage.group_lanes;
    const uint64_t channel = file->base + 4 * (uint64_t)(uint32_t)src->index.base + component;
    LLVMValueRef base = jit_at(e, e->state, channel * sizeof(struct sch_lanes));
    if (src->dimension.is_indirect) {
        struct numbers n;
        read_numbers(e, &src->dimension, jit_word(e, lanes), &n);
        for (unsigned v = 0; v < e->vectors; v++)
            value->part[v] = gather(e, places(e, base, &n, v, sizeof(uint32_t), 0), in_range(e, &n, v));
        return;
    }
    LLVMValueRef splat = LLVMConstNull(e->vector);
    if (is_number(&src->dimension, lanes)) {
        LLVMValueRef address = jit_at(e, base, sizeof(uint32_t) * (uint64_t)(uint32_t)src->dimension.base);
        splat = jit_splat(e, LLVMBuildLoad2(b, e->i32, address, ""));
    }
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = splat;
}

/* ---- sources ---- */

bool jit_read_by_number(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value)
{
    jit_exec(e);
    if (src->access == SCH_ACCESS_CONSTANTS && constant_here(src))
        read_constant(e, src, src->swizzle[c], value);
    else if (src->access == SCH_ACCESS_REGISTERS && register_here(e, src))
        read_register(e, src, src->swizzle[c], value);
    else if (src->access == SCH_ACCESS_REGISTERS && vertex_here(e, src))
        read_vertex(e, src, src->swizzle[c], value);
    else if (src->access == SCH_ACCESS_PATCH && patch_here(e, src))
        read_patch(e, src, src->swizzle[c], value);
    else
        return false;
    return true;
}

/* ---- destinations ---- */

/* Whether component c of every register that may be meant can be written. */
static bool all_written(const struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c)
{
    const struct sch_prepared_file *file = &e->program->files[dst->file];
    for (uint32_t r = 0; r < file->count && dst->file == SCH_FILE_OUTPUT; r++)
        if (!(e->program->output_masks[r] >> c & 1)) return false;
    return true;
}

static bool register_writable(const struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c)
{
    const struct sch_prepared_file *file = &e->program->files[dst->file];
    return dst->access == SCH_ACCESS_REGISTERS && file->stored && file->space == SCH_SPACE_STATE &&
           all_written(e, dst, c);
}

static bool all_channels_writable(const struct jit_emitter *e, const struct sch_prepared_dst *dst)
{
    for (unsigned c = 0; c < 4; c++)
        if (dst->mask >> c & 1 && !register_writable(e, dst, c)) return false;
    return true;
}

static bool is_fixed_space(unsigned space)
{
    return space == SCH_SPACE_STATE || space == SCH_SPACE_RUN || space == SCH_SPACE_PROGRAM;
}

static bool is_fixed_index(const struct sch_prepared_index *index)
{
    return index->is_indirect && is_fixed_space(index->space);
}

bool jit_reads_numbered(const struct jit_emitter *e, const struct sch_prepared_src *src)
{
    return !e->exact && src->access == SCH_ACCESS_REGISTERS && register_here(e, src) &&
           is_fixed_space(e->program->files[src->file].space) && is_fixed_index(&src->index);
}

bool jit_writes_numbered(const struct jit_emitter *e, const struct sch_prepared_dst *dst)
{
    return !e->exact && is_fixed_index(&dst->index) && all_channels_writable(e, dst);
}

/* The numbers of a destination. Where it may be the register that holds them, they are read once, in front of the first
 * channel (docs/semantics.md, "execution order destination source"). */
static void read_own_numbers(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c,
                             struct jit_value *number)
{
    const struct sch_prepared_file *file = &e->program->files[dst->file];
    const struct sch_prepared_index *index = &dst->index;
    const bool own = index->is_indirect && index->space == SCH_SPACE_STATE && index->channel >= file->base &&
                     index->channel < (uint64_t)file->base + 4 * (uint64_t)file->count;
    /* Where the runtime writes some channels, the first may not be written here. */
    struct jit_indexed *indexed = own && all_channels_writable(e, dst) ? indexed_of(e) : NULL;
    if (indexed && indexed->named == dst && c != (unsigned)__builtin_ctz(dst->mask)) {
        *number = indexed->numbers;
        return;
    }
    jit_read_index(e, index, number);
    if (!indexed) return;
    indexed->named = dst;
    indexed->numbers = *number;
}

static void write_register(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c,
                           const struct jit_value *value)
{
    struct jit_value number;
    const struct sch_prepared_file *file = &e->program->files[dst->file];
    const struct table t = {.base = jit_at(e, e->state, ((uint64_t)file->base + c) * sizeof(struct sch_lanes)),
                            .limit = jit_word(e, file->count),
                            .stride = REGISTER_BYTES,
                            .lane_bytes = sizeof(uint32_t)};
    jit_exec(e);
    read_own_numbers(e, dst, c, &number);
    write_table(e, &t, &dst->index, &number, value);
}

/* A fixed register of a patch that belongs to vertices. */
static bool vertex_writable(const struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c)
{
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    return dst->access == SCH_ACCESS_PATCH && file->stored && is_number(&dst->index, file->count) &&
           !e->program->of_stage.patch_outputs[dst->index.base] && all_written(e, dst, c);
}

/* The lanes that execute and name another vertex than their own. */
static LLVMValueRef strangers(struct jit_emitter *e, const struct sch_prepared_dst *dst)
{
    struct jit_value vertex, own;
    jit_read_index(e, &dst->dimension, &vertex);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef lanes[SCH_GROUP_LANES];
        for (unsigned i = 0; i < e->lanes; i++)
            lanes[i] = jit_word(e, v * e->lanes + i - (uint32_t)dst->dimension.base);
        own.part[v] = LLVMConstVector(lanes, e->lanes);
    }
    jit_operate(e, "USNE", 0, 2, (const struct jit_value *const[]){&vertex, &own}, 1,
                (struct jit_value *const[]){&vertex});
    return LLVMBuildAnd(e->build, jit_bits_of(e, &vertex), jit_exec(e), "");
}

/* Every invocation writes its own vertex, or the runtime does it. */
static void write_vertex(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c,
                         const struct jit_value *value)
{
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    const uint32_t channel = file->base + 4 * (uint32_t)dst->index.base + c;
    if (!dst->has_vertex) {
        jit_write_channel(e, channel, value, true);
        return;
    }
    struct branches w;
    jit_exec(e);
    for (unsigned v = 0; v < e->vectors; v++) jit_mask(e, v);
    part(e, &w, LLVMBuildICmp(e->build, LLVMIntEQ, strangers(e, dst), jit_word(e, 0), ""));
    jit_write_channel(e, channel, value, true);
    LLVMBuildBr(e->build, w.after);
    LLVMPositionBuilderAtEnd(e->build, w.each);
    jit_give(e, dst, c, value);
    meet(e, &w, NULL);
}

bool jit_scatter(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value)
{
    if (register_writable(e, dst, c))
        write_register(e, dst, c, value);
    else if (vertex_writable(e, dst, c) && (!dst->has_vertex || dst->dimension.is_indirect))
        write_vertex(e, dst, c, value);
    else
        return false;
    return true;
}
