/* Operands whose register is known only when code runs: TEMP[ADDR[0].x], CONST[0][ADDR[0].x]. What they mean is
 * exec/operands.c: the number is a sum in 64 bits, and a register that does not exist reads 0 and is not written. Where
 * all lanes name the same register it is read like any other; else lane by lane, by gathers and scatters. The rarer
 * ones (other vertices' inputs, patches, buffers chosen by a register) are asked of the interpreter. */
#include "jit/indexed.h"

#include <stddef.h>

enum { LEAST_BASE = -(1 << 30) };

static LLVMValueRef call_intrinsic(struct jit_emitter *e, const char *name, unsigned count,
                                   LLVMValueRef arguments[const])
{
    LLVMTypeRef types[2] = {e->vector, LLVMVectorType(e->pointer, e->lanes)};
    if (strcmp(name, "llvm.masked.scatter") == 0) types[0] = e->vector;
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, types, 2);
    return LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* ---- numbers ---- */

/* A register number per lane that is not below the limit, as an unsigned number, where the sum is negative or too
 * large: the base is not so low that 32 bits could wrap round to a small one. */
struct numbers {
    struct jit_value number;
    LLVMValueRef first, limit; /* of lane 0; registers that there are */
    LLVMValueRef same;         /* whether all executing lanes have the number of lane 0, and it is below the limit */
};

static void read_numbers(struct jit_emitter *e, const struct sch_exec_index *index, LLVMValueRef limit,
                         struct numbers *n)
{
    LLVMBuilderRef b = e->build;
    jit_read_index(e, index, &n->number);
    struct jit_value base;
    for (unsigned v = 0; v < e->vectors; v++) base.part[v] = jit_splat_word(e, (uint32_t)index->base);
    jit_operate(e, "UADD", 0, 2, (const struct jit_value *const[]){&n->number, &base}, 1,
                (struct jit_value *const[]){&n->number});
    n->limit = limit;
    n->first = LLVMBuildExtractElement(b, n->number.part[0], jit_long(e, 0), "");
    struct jit_value first, differs;
    for (unsigned v = 0; v < e->vectors; v++) first.part[v] = v ? first.part[0] : jit_splat(e, n->first);
    jit_operate(e, "USNE", 0, 2, (const struct jit_value *const[]){&n->number, &first}, 1,
                (struct jit_value *const[]){&differs});
    LLVMValueRef bits = LLVMBuildAnd(b, jit_bits_of(e, &differs), jit_exec(e), "");
    LLVMValueRef uniform = LLVMBuildICmp(b, LLVMIntEQ, bits, jit_word(e, 0), "");
    n->same = LLVMBuildAnd(b, uniform, LLVMBuildICmp(b, LLVMIntULT, n->first, limit, ""), "");
}

static LLVMValueRef in_range(struct jit_emitter *e, const struct numbers *n, unsigned v)
{
    return LLVMBuildICmp(e->build, LLVMIntULT, n->number.part[v], jit_splat(e, n->limit), "");
}

/* `base` + number * `stride` + lane * `lane_bytes`, as pointers. */
static LLVMValueRef places(struct jit_emitter *e, LLVMValueRef base, const struct numbers *n, unsigned v,
                           unsigned stride, unsigned lane_bytes)
{
    LLVMBuilderRef b = e->build;
    LLVMTypeRef wide = LLVMVectorType(e->i64, e->lanes);
    LLVMValueRef strides[SCH_GROUP_LANES], lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) {
        strides[i] = jit_long(e, stride);
        lanes[i] = jit_long(e, (uint64_t)(v * e->lanes + i) * lane_bytes);
    }
    LLVMValueRef offset = LLVMBuildZExt(b, n->number.part[v], wide, "");
    offset = LLVMBuildMul(b, offset, LLVMConstVector(strides, e->lanes), "");
    offset = LLVMBuildAdd(b, offset, LLVMConstVector(lanes, e->lanes), "");
    return LLVMBuildGEP2(b, e->i8, base, &offset, 1, "");
}

static LLVMValueRef first_place(struct jit_emitter *e, LLVMValueRef base, const struct numbers *n, unsigned stride)
{
    LLVMValueRef offset = LLVMBuildZExt(e->build, n->first, e->i64, "");
    offset = LLVMBuildMul(e->build, offset, jit_long(e, stride), "");
    return LLVMBuildGEP2(e->build, e->i8, base, &offset, 1, "");
}

/* ---- two ways ---- */

struct ways {
    LLVMBasicBlockRef same, each, after;
    struct jit_value value[2];
};

static LLVMBasicBlockRef new_block(struct jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->module->context, e->function, "");
}

static void part(struct jit_emitter *e, struct ways *w, LLVMValueRef same)
{
    w->same = new_block(e);
    w->each = new_block(e);
    w->after = new_block(e);
    LLVMBuildCondBr(e->build, same, w->same, w->each);
    LLVMPositionBuilderAtEnd(e->build, w->same);
}

static void meet(struct jit_emitter *e, struct ways *w, struct jit_value *value)
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

static LLVMValueRef gather(struct jit_emitter *e, LLVMValueRef from, LLVMValueRef mask)
{
    LLVMValueRef arguments[4] = {from, jit_word(e, 1), mask, LLVMConstNull(e->vector)};
    return call_intrinsic(e, "llvm.masked.gather", 4, arguments);
}

/* ---- registers ---- */

static LLVMValueRef space_of(struct jit_emitter *e, unsigned space)
{
    if (space == SCH_SPACE_STATE) return e->state;
    if (space == SCH_SPACE_RUN) return e->constants;
    const size_t at = offsetof(struct sch_exec_machine, space) + space * sizeof(struct sch_lanes *);
    return jit_field(e, e->pointer, at);
}

static bool is_direct(const struct sch_exec_index *index) { return !index->is_indirect && index->base == 0; }

static bool register_here(const struct jit_emitter *e, const struct sch_exec_src *src)
{
    const struct sch_exec_file *file = &e->program->files[src->file];
    bool vertex = src->file != SCH_FILE_INPUT || is_direct(&src->dimension);
    return file->stored && vertex && src->index.is_indirect && src->index.base >= LEAST_BASE;
}

static void read_register(struct jit_emitter *e, const struct sch_exec_src *src, unsigned component,
                          struct jit_value *value)
{
    const struct sch_exec_file *file = &e->program->files[src->file];
    const unsigned stride = 4 * sizeof(struct sch_lanes);
    struct numbers n;
    struct ways w;
    read_numbers(e, &src->index, jit_word(e, file->count), &n);
    LLVMValueRef base =
        jit_at(e, space_of(e, file->space), ((uint64_t)file->base + component) * sizeof(struct sch_lanes));
    part(e, &w, n.same);
    LLVMValueRef place = first_place(e, base, &n, stride);
    for (unsigned v = 0; v < e->vectors; v++) w.value[0].part[v] = jit_load_vector(e, place, v, false);
    LLVMBuildBr(e->build, w.after);
    LLVMPositionBuilderAtEnd(e->build, w.each);
    for (unsigned v = 0; v < e->vectors; v++)
        w.value[1].part[v] = gather(e, places(e, base, &n, v, stride, 4), in_range(e, &n, v));
    meet(e, &w, value);
}

/* ---- constants ---- */

static bool constant_here(const struct sch_exec_src *src)
{
    return src->index.is_indirect && src->index.base >= LEAST_BASE && !src->dimension.is_indirect &&
           src->dimension.base >= 0 && src->dimension.base < SCH_NATIVE_CONSTANTS;
}

/* sch_exec_constant_word: word 4 * number + component of the buffer, where it is wholly inside. */
static void read_constant(struct jit_emitter *e, const struct sch_exec_src *src, unsigned component,
                          struct jit_value *value)
{
    LLVMBuilderRef b = e->build;
    const size_t at = offsetof(struct sch_native_state, constants) +
                      (size_t)src->dimension.base * sizeof(struct sch_native_constants);
    LLVMValueRef buffer = jit_at(e, e->engine_state, at);
    const size_t data = offsetof(struct sch_native_constants, data);
    const size_t counts = offsetof(struct sch_native_constants, registers) + component * sizeof(uint32_t);
    struct numbers n;
    struct ways w;
    LLVMValueRef base = LLVMBuildLoad2(b, e->pointer, jit_at(e, buffer, data), "");
    read_numbers(e, &src->index, LLVMBuildLoad2(b, e->i32, jit_at(e, buffer, counts), ""), &n);
    LLVMValueRef offset = jit_long(e, 4 * component);
    base = LLVMBuildGEP2(b, e->i8, base, &offset, 1, "");
    part(e, &w, n.same);
    LLVMValueRef word = LLVMBuildLoad2(b, e->i32, first_place(e, base, &n, 16), "");
    LLVMSetAlignment(word, 1);
    w.value[0].part[0] = jit_splat(e, word);
    for (unsigned v = 1; v < e->vectors; v++) w.value[0].part[v] = w.value[0].part[0];
    LLVMBuildBr(b, w.after);
    LLVMPositionBuilderAtEnd(b, w.each);
    for (unsigned v = 0; v < e->vectors; v++)
        w.value[1].part[v] = gather(e, places(e, base, &n, v, 16, 0), in_range(e, &n, v));
    meet(e, &w, value);
}

/* ---- sources ---- */

bool jit_read_by_number(struct jit_emitter *e, const struct sch_exec_src *src, unsigned c, struct jit_value *value)
{
    bool constant = src->access == SCH_ACCESS_CONSTANTS && constant_here(src);
    if (!constant && (src->access != SCH_ACCESS_REGISTERS || !register_here(e, src))) return false;
    jit_exec(e);
    if (constant)
        read_constant(e, src, src->swizzle[c], value);
    else
        read_register(e, src, src->swizzle[c], value);
    return true;
}

/* ---- destinations ---- */

bool jit_can_scatter(const struct jit_emitter *e, const struct sch_exec_dst *dst)
{
    const struct sch_exec_file *file = &e->program->files[dst->file];
    return dst->access == SCH_ACCESS_REGISTERS && dst->file != SCH_FILE_OUTPUT && file->stored &&
           file->space == SCH_SPACE_STATE && dst->index.is_indirect && dst->index.base >= LEAST_BASE;
}

void jit_scatter(struct jit_emitter *e, const struct sch_exec_dst *dst, unsigned c, const struct jit_value *value)
{
    const struct sch_exec_file *file = &e->program->files[dst->file];
    const unsigned stride = 4 * sizeof(struct sch_lanes);
    struct numbers n;
    struct ways w;
    LLVMValueRef mask[JIT_MAX_VECTORS];
    jit_exec(e);
    for (unsigned v = 0; v < e->vectors; v++) mask[v] = jit_mask(e, v);
    read_numbers(e, &dst->index, jit_word(e, file->count), &n);
    LLVMValueRef base = jit_at(e, e->state, ((uint64_t)file->base + c) * sizeof(struct sch_lanes));
    part(e, &w, n.same);
    LLVMValueRef place = first_place(e, base, &n, stride);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef old = jit_load_vector(e, place, v, false);
        LLVMValueRef made = mask[v] ? LLVMBuildSelect(e->build, mask[v], value->part[v], old, "") : value->part[v];
        jit_store_vector(e, made, place, v);
    }
    LLVMBuildBr(e->build, w.after);
    LLVMPositionBuilderAtEnd(e->build, w.each);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef there = in_range(e, &n, v);
        if (mask[v]) there = LLVMBuildAnd(e->build, there, mask[v], "");
        LLVMValueRef arguments[4] = {value->part[v], places(e, base, &n, v, stride, 4), jit_word(e, 4), there};
        call_intrinsic(e, "llvm.masked.scatter", 4, arguments);
    }
    meet(e, &w, NULL);
}
