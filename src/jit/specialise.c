/* Partial evaluation of functions of bitcode. See jit/specialise.h. Instructions whose operands are constant are folded
 * by LLVM's builder; reads of constant tables and of numbers that were just stored in a local variable become the
 * number; branches on constants are taken. All else is copied. */
#include "jit/specialise.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "jit/module.h"

enum { MOST_TURNS = 64, MOST_DEPTH = 64 };

/* What a value of a function is in the code that comes out. Addresses in tables and local variables are a base and a
 * distance; `code` is made for them when it is needed. */
struct value {
    LLVMValueRef code;
    int32_t base; /* number + 1, or 0 */
    int64_t at;
};

/* A table, the constant bytes, or a local variable. */
struct base {
    LLVMValueRef code;           /* NULL: nothing names it yet */
    struct bitcode_table *table; /* of constants */
    bool kept;                   /* variables: only loads and stores at known addresses have seen its address */
    bool recalled;               /* in a loop: what it holds was used */
};

/* A store in a variable: of a value, of zeros, or of what is not known. */
enum kept_kind { KEPT_VALUE, KEPT_ZEROS, KEPT_UNKNOWN };
struct kept {
    const struct kept *next;
    uint32_t depth; /* how many there are with this one */
    enum kept_kind kind;
    int32_t base;
    int64_t at;
    uint64_t size;
    struct value value;
};

/* What variables hold at one point: the stores that led to it, the latest first. Points share the ends of their
 * lists. */
struct memory {
    const struct kept *kept;
};

/* One predecessor of a block: what its PHIs become, and what variables hold. */
struct predecessor {
    LLVMBasicBlockRef from;
    bool open; /* `from` has no branch at its end yet */
    struct value *phi;
    struct memory memory;
    struct predecessor *next;
};

struct merge {
    LLVMBasicBlockRef code; /* NULL: not made yet */
    struct predecessor *predecessors;
    uint32_t count;
};

/* One call while it is inlined. */
struct activation {
    struct bitcode_function *function;
    struct value *values;
    struct merge *merges; /* by block; the last is after the call */
};

struct run {
    struct jit_bitcode *bitcode;
    LLVMModuleRef module;
    LLVMValueRef function;
    LLVMBasicBlockRef variables; /* the block where local variables are */
    LLVMBuilderRef build, build_variables;
    LLVMTypeRef byte, word64, pointer;
    struct sch_arena arena;
    struct base *bases;
    size_t base_count, base_capacity;
    int32_t *base_of_table; /* number + 1 */
    struct memory memory;
    struct bitcode_table form;
    unsigned depth, loops; /* calls and loops that are open */
    bool wrong;            /* something was taken as known that may not have been */
    bool numbers_only;     /* of what variables hold nothing else is known */
};

static struct value plain(LLVMValueRef code) { return (struct value){.code = code}; }

/* ---- addresses ---- */

static int32_t add_base(struct run *r, struct base base)
{
    if (!SCH_ARENA_GROW(&r->arena, r->bases, r->base_capacity, r->base_count)) return 0;
    r->bases[r->base_count++] = base;
    return (int32_t)r->base_count;
}

static LLVMValueRef code_of_table(struct run *r, struct base *base)
{
    if (base->code) return base->code;
    if (base->table == &r->form) {
        LLVMValueRef bytes =
            LLVMConstStringInContext2(r->bitcode->context, (const char *)r->form.bytes, r->form.size, true);
        base->code = LLVMAddGlobal(r->module, LLVMTypeOf(bytes), JIT_CONSTANT);
        LLVMSetInitializer(base->code, bytes);
        LLVMSetAlignment(base->code, alignof(max_align_t));
    } else {
        LLVMValueRef from = base->table->source;
        base->code = LLVMAddGlobal(r->module, LLVMGlobalGetValueType(from), "table");
        LLVMSetInitializer(base->code, LLVMGetInitializer(from));
        LLVMSetAlignment(base->code, LLVMGetAlignment(from));
    }
    LLVMSetGlobalConstant(base->code, true);
    LLVMSetLinkage(base->code, LLVMPrivateLinkage);
    return base->code;
}

/* From here on others than loads and stores at known places may reach it: in a loop that means what was before in it,
 * too. */
static void expose(struct run *r, const struct value *value)
{
    if (!value->base) return;
    struct base *base = &r->bases[value->base - 1];
    if (base->kept && base->recalled && r->loops) r->wrong = true;
    base->kept = false;
}

static LLVMValueRef code_of(struct run *r, struct value *value)
{
    if (value->code || !value->base) return value->code;
    struct base *base = &r->bases[value->base - 1];
    LLVMValueRef code = base->table ? code_of_table(r, base) : base->code;
    if (!value->at) return code;
    LLVMValueRef at = jit_number(r->word64, (uint64_t)value->at);
    return LLVMBuildInBoundsGEP2(r->build, r->byte, code, &at, 1, "");
}

static struct value address_of(struct run *r, const struct bitcode_operand *o)
{
    int32_t *known = &r->base_of_table[o->number];
    if (!*known) *known = add_base(r, (struct base){.table = &r->bitcode->table[o->number]});
    return (struct value){.base = *known, .at = o->at};
}

static struct value operand(struct run *r, const struct activation *f, const struct bitcode_operand *o)
{
    if (o->source == BITCODE_LOCAL) return f->values[o->number];
    return o->source == BITCODE_ADDRESS ? address_of(r, o) : plain(o->value);
}

static bool is_constant(const struct value *v) { return v->code && !v->base && LLVMIsConstant(v->code); }
static bool is_number(const struct value *v) { return v->code && LLVMIsAConstantInt(v->code); }

/* ---- what variables hold ---- */

/* Steps that a search goes back, and stores on ways that meet which are compared one by one. */
enum { MOST_STEPS = 512, MOST_COMPARED = 64 };

static void push(struct run *r, struct kept kept)
{
    struct kept *made = SCH_ARENA_NEW(&r->arena, struct kept); /* else the arena has failed, and all with it */
    if (!made) return;
    *made = kept;
    made->next = r->memory.kept;
    made->depth = made->next ? made->next->depth + 1 : 1;
    r->memory.kept = made;
}

static void forget(struct run *r, int32_t base, int64_t at, uint64_t size)
{
    push(r, (struct kept){.kind = KEPT_UNKNOWN, .base = base, .at = at, .size = size});
}

static void remember(struct run *r, const struct value *pointer, const struct value *what, uint64_t size)
{
    if (!pointer->base) return; /* not a variable whose address is only used here */
    if (!r->bases[pointer->base - 1].kept || (r->numbers_only && !is_number(what)))
        forget(r, pointer->base, pointer->at, size);
    else
        push(r,
             (struct kept){.kind = KEPT_VALUE, .base = pointer->base, .at = pointer->at, .size = size, .value = *what});
}

/* What was last stored in these bytes; NULL: it is not known as a whole. */
static const struct kept *last_store(const struct kept *from, int32_t base, int64_t at, uint64_t size)
{
    unsigned steps = 0;
    for (const struct kept *k = from; k && steps < MOST_STEPS; k = k->next, steps++) {
        if (k->base != base || k->at >= at + (int64_t)size || at >= k->at + (int64_t)k->size) continue;
        const bool whole = k->at == at && k->size == size;
        const bool within = k->at <= at && at + (int64_t)size <= k->at + (int64_t)k->size;
        return (k->kind == KEPT_VALUE && whole) || (k->kind == KEPT_ZEROS && within) ? k : NULL;
    }
    return NULL;
}

/* A value of another type of as many bits; NULL: there is no such. */
static LLVMValueRef retyped(struct run *r, LLVMValueRef code, LLVMTypeRef type)
{
    LLVMTypeRef from = LLVMTypeOf(code);
    if (from == type) return code;
    if (LLVMGetTypeKind(from) == LLVMPointerTypeKind || LLVMGetTypeKind(type) == LLVMPointerTypeKind) return NULL;
    if (LLVMGetTypeKind(from) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMStructTypeKind) return NULL;
    if (LLVMSizeOfTypeInBits(r->bitcode->layout, from) != LLVMSizeOfTypeInBits(r->bitcode->layout, type)) return NULL;
    return LLVMBuildBitCast(r->build, code, type, "");
}

static bool recall(struct run *r, const struct value *pointer, LLVMTypeRef type, struct value *found)
{
    if (!pointer->base || !r->bases[pointer->base - 1].kept) return false;
    const uint64_t size = LLVMABISizeOfType(r->bitcode->layout, type);
    const struct kept *k = last_store(r->memory.kept, pointer->base, pointer->at, size);
    if (!k) return false;
    *found = k->kind == KEPT_ZEROS ? plain(LLVMConstNull(type)) : k->value;
    if (found->base && LLVMGetTypeKind(type) != LLVMPointerTypeKind) return false;
    if (!found->base) found->code = retyped(r, found->code, type);
    if (!found->code && !found->base) return false;
    r->bases[pointer->base - 1].recalled |= r->loops > 0;
    return true;
}

static bool same(const struct value *a, const struct value *b)
{
    return a->base == b->base && a->at == b->at && (a->base || a->code == b->code);
}

/* What both ways have stored after they parted is kept where it is the same. */
static void meet_stores(struct run *r, const struct kept *some, const struct kept *end, const struct kept *const way[2])
{
    for (const struct kept *k = some; k != end; k = k->next) {
        const struct kept *a = last_store(way[0], k->base, k->at, k->size),
                          *b = last_store(way[1], k->base, k->at, k->size);
        const bool equal = a && b && a->kind == b->kind && same(&a->value, &b->value);
        push(r, (struct kept){.kind = equal ? a->kind : KEPT_UNKNOWN,
                              .base = k->base,
                              .at = k->at,
                              .size = k->size,
                              .value = equal ? a->value : (struct value){0}});
    }
}

static void forget_bases(struct run *r, const struct kept *some, const struct kept *end)
{
    int32_t last = 0;
    for (const struct kept *k = some; k != end; k = k->next) {
        if (k->base != last) forget(r, k->base, INT32_MIN, UINT32_MAX);
        last = k->base;
    }
}

/* What both know: it takes the place of what is known. */
static void meet(struct run *r, const struct memory *other)
{
    const struct kept *const way[2] = {r->memory.kept, other->kept};
    const struct kept *a = way[0], *b = way[1];
    unsigned apart = 0;
    for (; a != b; apart++) {
        const uint32_t depth[2] = {a ? a->depth : 0, b ? b->depth : 0};
        if (depth[0] >= depth[1]) a = a->next;
        if (depth[1] >= depth[0]) b = b->next;
    }
    r->memory.kept = a;
    for (unsigned i = 0; i < 2; i++)
        if (apart > MOST_COMPARED)
            forget_bases(r, way[i], a);
        else
            meet_stores(r, way[i], a, way);
}

static LLVMValueRef read_table(struct run *r, const struct value *pointer, LLVMTypeRef type)
{
    if (!pointer->base || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return NULL;
    struct bitcode_table *table = r->bases[pointer->base - 1].table;
    uint64_t size = LLVMABISizeOfType(r->bitcode->layout, type), bits = 0;
    if (!table || size > 8 || (table != &r->form && !jit_bitcode_read_table(r->bitcode, table))) return NULL;
    if (pointer->at < 0 || (uint64_t)pointer->at + size > table->size) return NULL;
    for (uint64_t i = 0; i < size; i++) {
        if (table->known && !table->known[(uint64_t)pointer->at + i]) return NULL;
        bits |= (uint64_t)table->bytes[(uint64_t)pointer->at + i] << (8 * i);
    }
    return jit_number(type, bits);
}

/* ---- instructions ---- */

static LLVMValueRef callee_in(struct run *r, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    LLVMValueRef found = LLVMGetNamedFunction(r->module, name);
    return found ? found : LLVMAddFunction(r->module, name, LLVMGlobalGetValueType(function));
}

/* Scopes of pointers that do not alias are one for each time that code is inlined: copies would share them. */
static void drop_scopes(struct run *r, LLVMValueRef copy)
{
    static const char *const names[] = {"alias.scope", "noalias"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        LLVMSetMetadata(copy, LLVMGetMDKindIDInContext(r->bitcode->context, names[i], (unsigned)strlen(names[i])),
                        NULL);
}

static struct value copy(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    LLVMValueRef made = LLVMInstructionClone(in->source);
    for (uint32_t i = 0; i < in->count; i++) {
        const struct bitcode_operand *o = &in->operand[i];
        struct value v = operand(r, f, o);
        if (o->source == BITCODE_FUNCTION)
            LLVMSetOperand(made, i, callee_in(r, o->value));
        else if (o->source != BITCODE_CONSTANT)
            LLVMSetOperand(made, i, code_of(r, &v));
    }
    drop_scopes(r, made);
    LLVMInsertIntoBuilder(r->build, made);
    return plain(made);
}

static struct value copy_and_expose(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    for (uint32_t i = 0; i < in->count; i++) {
        struct value v = operand(r, f, &in->operand[i]);
        expose(r, &v);
    }
    return copy(r, f, in);
}

static struct value make_variable(struct run *r, const struct bitcode_instruction *in)
{
    LLVMValueRef made = LLVMInstructionClone(in->source);
    LLVMInsertIntoBuilder(r->build_variables, made);
    return (struct value){.base = add_base(r, (struct base){.code = made, .kept = true})};
}

static struct value load(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    struct value pointer = operand(r, f, &in->operand[0]);
    LLVMTypeRef type = LLVMTypeOf(in->source);
    struct value found;
    if (LLVMGetVolatile(in->source)) return copy(r, f, in);
    LLVMValueRef known = read_table(r, &pointer, type);
    if (known) return plain(known);
    return recall(r, &pointer, type, &found) ? found : copy(r, f, in);
}

static void store(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    struct value what = operand(r, f, &in->operand[0]), pointer = operand(r, f, &in->operand[1]);
    expose(r, &what);
    copy(r, f, in);
    remember(r, &pointer, &what, LLVMABISizeOfType(r->bitcode->layout, LLVMTypeOf(in->operand[0].value)));
}

static struct value add_to_address(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    struct value pointer = operand(r, f, &in->operand[0]);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(in->source);
    bool known = pointer.base != 0;
    for (uint32_t i = 1; i < in->count && known; i++) {
        struct value index = operand(r, f, &in->operand[i]);
        known = is_number(&index) &&
                jit_bitcode_index(r->bitcode, &type, i == 1, LLVMConstIntGetSExtValue(index.code), &pointer.at);
    }
    return known ? pointer : copy_and_expose(r, f, in);
}

/* The operation on constants, by LLVM's builder; NULL if the builder does not fold it. */
static LLVMValueRef fold(struct run *r, const struct bitcode_instruction *in, LLVMValueRef *o)
{
    LLVMTypeRef type = LLVMTypeOf(in->source);
    LLVMBuilderRef b = r->build;
    switch (in->opcode) {
    case LLVMICmp:
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(in->source), o[0], o[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(in->source), o[0], o[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(b, o[0], o[1], o[2], "");
    case LLVMExtractElement:
        return LLVMBuildExtractElement(b, o[0], o[1], "");
    case LLVMInsertElement:
        return LLVMBuildInsertElement(b, o[0], o[1], o[2], "");
    case LLVMFreeze:
        return LLVMIsUndef(o[0]) ? NULL : o[0];
    default:
        if (LLVMIsABinaryOperator(in->source)) return LLVMBuildBinOp(b, in->opcode, o[0], o[1], "");
        if (LLVMIsACastInst(in->source)) return LLVMBuildCast(b, in->opcode, o[0], type, "");
        return NULL;
    }
}

static bool is_all_ones(const struct value *v)
{
    if (!is_constant(v)) return false;
    LLVMTypeRef type = LLVMTypeOf(v->code);
    LLVMTypeRef element = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && v->code == LLVMConstAllOnes(type);
}

static bool is_null(const struct value *v) { return is_constant(v) && LLVMIsNull(v->code); }

/* Whether one operand decides. */
static bool shorten(const struct bitcode_instruction *in, const struct value *o, struct value *result)
{
    if (in->opcode == LLVMSelect) {
        bool first = is_all_ones(&o[0]), second = is_null(&o[0]) || (is_null(&o[1]) && is_null(&o[2]));
        *result = o[first ? 1 : 2];
        return first || second;
    }
    bool product = in->opcode == LLVMAnd || in->opcode == LLVMMul, sum = in->opcode == LLVMOr;
    for (unsigned i = 0; i < 2 && (product || sum); i++) {
        bool null = is_null(&o[i]), ones = in->opcode != LLVMMul && is_all_ones(&o[i]);
        *result = (product && null) || (sum && ones) ? o[i] : o[!i];
        if (null || ones) return true;
    }
    return false;
}

static struct value compute(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    enum { MOST = 3 };
    struct value o[MOST] = {{0}}, result;
    LLVMValueRef codes[MOST] = {0};
    bool constant = true, address = false;
    for (uint32_t i = 0; i < in->count; i++) { /* nothing else that is left has more */
        o[i] = operand(r, f, &in->operand[i]);
        address = address || o[i].base;
        constant = constant && is_constant(&o[i]);
        codes[i] = o[i].code;
    }
    if (shorten(in, o, &result)) return result;
    if (constant) {
        LLVMValueRef folded = fold(r, in, codes);
        if (folded) return plain(folded);
    }
    return address ? copy_and_expose(r, f, in) : copy(r, f, in);
}

/* What a variable holds goes to where its bytes are copied; constants of tables are not looked at. */
static void remember_copy(struct run *r, const struct value *to, const struct value *from, uint64_t size)
{
    const struct kept *before = r->memory.kept;
    unsigned steps = 0;
    forget(r, to->base, to->at, size);
    if (!from->base || !r->bases[from->base - 1].kept || !r->bases[to->base - 1].kept || r->numbers_only) return;
    for (const struct kept *k = before; k && steps < MOST_STEPS; k = k->next, steps++) {
        if (k->base != from->base || k->at < from->at || k->at + (int64_t)k->size > from->at + (int64_t)size) continue;
        if (last_store(before, k->base, k->at, k->size) != k) continue;
        struct kept copy = *k;
        copy.base = to->base;
        copy.at += to->at - from->at;
        push(r, copy);
        r->bases[from->base - 1].recalled |= r->loops > 0;
    }
}

/* Local variables hold what is copied or set there. */
static void write_by_call(struct run *r, const struct activation *f, const struct bitcode_instruction *in, bool sets)
{
    struct value to = operand(r, f, &in->operand[0]), from = operand(r, f, &in->operand[1]);
    struct value bytes = operand(r, f, &in->operand[2]);
    if (!to.base) return;
    if (!is_number(&bytes)) {
        forget(r, to.base, INT32_MIN, UINT32_MAX);
        return;
    }
    const uint64_t size = LLVMConstIntGetZExtValue(bytes.code);
    if (!sets)
        remember_copy(r, &to, &from, size);
    else if (is_null(&from) && r->bases[to.base - 1].kept && !r->numbers_only)
        push(r, (struct kept){.kind = KEPT_ZEROS, .base = to.base, .at = to.at, .size = size});
    else
        forget(r, to.base, to.at, size);
}

static bool is_named(LLVMValueRef function, const char *begin)
{
    size_t length;
    return strncmp(LLVMGetValueName2(function, &length), begin, strlen(begin)) == 0;
}

static bool takes_signs(LLVMValueRef callee)
{
    static const char *const names[] = {"llvm.x86.sse.movmsk", "llvm.x86.sse2.movmsk", "llvm.x86.sse2.pmovmskb",
                                        "llvm.x86.avx.movmsk", "llvm.x86.avx2.pmovmskb"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(callee, names[i])) return true;
    return false;
}

static struct value call_intrinsic(struct run *r, const struct activation *f, const struct bitcode_instruction *in)
{
    LLVMValueRef callee = in->operand[in->count - 1].value;
    struct value first = in->count > 1 ? operand(r, f, &in->operand[0]) : plain(NULL);
    if (is_null(&first) && takes_signs(callee)) return plain(LLVMConstNull(LLVMTypeOf(in->source)));
    if (!is_named(callee, "llvm.mem")) return copy_and_expose(r, f, in);
    write_by_call(r, f, in, is_named(callee, "llvm.memset"));
    return copy(r, f, in);
}

/* ---- blocks ---- */

/* Makes the present block, at whose end the builder is, a predecessor of another. */
static struct predecessor *add_predecessor(struct run *r, struct merge *to, uint32_t phis, bool open)
{
    struct predecessor *predecessor = SCH_ARENA_NEW(&r->arena, struct predecessor);
    if (!predecessor) return NULL;
    predecessor->phi = SCH_ARENA_ARRAY(&r->arena, struct value, phis);
    if (!predecessor->phi) return NULL;
    predecessor->from = LLVMGetInsertBlock(r->build);
    predecessor->open = open;
    predecessor->memory = r->memory;
    predecessor->next = to->predecessors;
    to->predecessors = predecessor;
    to->count++;
    return predecessor;
}

static LLVMBasicBlockRef block_of(struct run *r, struct merge *merge)
{
    if (!merge->code) merge->code = LLVMAppendBasicBlockInContext(r->bitcode->context, r->function, "");
    return merge->code;
}

/* From block `from` to block `to` of a function. `open`: without a condition. */
static bool go(struct run *r, struct activation *f, int32_t from, int32_t to, bool open)
{
    const struct bitcode_block *block = &f->function->block[to];
    struct predecessor *predecessor = add_predecessor(r, &f->merges[to], block->phis, open);
    if (!predecessor) return false;
    for (uint32_t n = 0; n < block->phis; n++) {
        const struct bitcode_instruction *phi = &block->instruction[n];
        uint32_t i = 0;
        while (i < phi->count && phi->from[i] != from) i++;
        if (i == phi->count) return false;
        predecessor->phi[n] = operand(r, f, &phi->operand[i]);
    }
    return true;
}

/* The value that comes from all predecessors; else a PHI. */
static bool one_value(const struct merge *merge, uint32_t n)
{
    for (const struct predecessor *p = merge->predecessors->next; p; p = p->next)
        if (!same(&p->phi[n], &merge->predecessors->phi[n])) return false;
    return true;
}

static LLVMValueRef code_at_end(struct run *r, struct predecessor *predecessor, uint32_t n)
{
    struct value *v = &predecessor->phi[n];
    if (v->code) return v->code;
    expose(r, v);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->build);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(predecessor->from);
    if (end)
        LLVMPositionBuilderBefore(r->build, end);
    else
        LLVMPositionBuilderAtEnd(r->build, predecessor->from);
    LLVMValueRef code = code_of(r, v);
    LLVMPositionBuilderAtEnd(r->build, here);
    return code;
}

static void add_incoming(struct run *r, LLVMValueRef phi, struct predecessor *predecessors, uint32_t n)
{
    for (struct predecessor *p = predecessors; p; p = p->next) {
        LLVMValueRef code = code_at_end(r, p, n);
        LLVMAddIncoming(phi, &code, &p->from, 1);
    }
}

/* Branches at the ends of blocks that only this one follows. */
static void close_predecessors(struct run *r, struct merge *merge)
{
    for (struct predecessor *p = merge->predecessors; p; p = p->next) {
        if (!p->open) continue;
        LLVMPositionBuilderAtEnd(r->build, p->from);
        LLVMBuildBr(r->build, block_of(r, merge));
        p->open = false;
    }
}

/* Puts the builder where the block of a merge begins. `types`: of the values that come along. */
static void begin_merge(struct run *r, struct merge *merge, uint32_t phis, const LLVMTypeRef *types,
                        struct value *values)
{
    struct predecessor *first = merge->predecessors;
    r->memory = first->memory;
    for (struct predecessor *p = first->next; p; p = p->next) meet(r, &p->memory);
    if (!first->next && first->open && !merge->code) {
        LLVMPositionBuilderAtEnd(r->build, first->from);
    } else {
        close_predecessors(r, merge);
        LLVMPositionBuilderAtEnd(r->build, merge->code);
    }
    for (uint32_t n = 0; n < phis; n++)
        values[n] = one_value(merge, n) ? first->phi[n] : plain(LLVMBuildPhi(r->build, types[n], ""));
    for (uint32_t n = 0; n < phis; n++)
        if (!one_value(merge, n)) add_incoming(r, values[n].code, first, n);
    *merge = (struct merge){0};
}

/* ---- control ---- */

static bool run_call(struct run *r, struct bitcode_function *function, const struct value *arguments,
                     struct value *result, bool *returns);

static bool branch(struct run *r, struct activation *f, int32_t block, const struct bitcode_instruction *in)
{
    if (in->count == 1) return go(r, f, block, in->operand[0].number, true);
    struct value condition = operand(r, f, &in->operand[0]);
    int32_t to[2] = {in->operand[1].number, in->operand[2].number};
    if (is_number(&condition)) return go(r, f, block, to[LLVMIsNull(condition.code)], true);
    if (to[0] == to[1]) return go(r, f, block, to[0], true);
    if (!go(r, f, block, to[0], false) || !go(r, f, block, to[1], false)) return false;
    /* One after the other, so that blocks are in the same order whatever compiler built this. */
    LLVMBasicBlockRef second = block_of(r, &f->merges[to[1]]), first = block_of(r, &f->merges[to[0]]);
    LLVMBuildCondBr(r->build, condition.code, first, second);
    return true;
}

static bool choose(struct run *r, struct activation *f, int32_t block, const struct bitcode_instruction *in)
{
    struct value what = operand(r, f, &in->operand[0]);
    int32_t other = in->operand[1].number;
    if (is_number(&what)) {
        for (uint32_t i = 2; i < in->count; i += 2)
            if (in->operand[i].value == what.code) other = in->operand[i + 1].number;
        return go(r, f, block, other, true);
    }
    if (!go(r, f, block, other, false)) return false;
    LLVMValueRef made = LLVMBuildSwitch(r->build, what.code, block_of(r, &f->merges[other]), in->count);
    for (uint32_t i = 2; i < in->count; i += 2) {
        int32_t to = in->operand[i + 1].number;
        if (!go(r, f, block, to, false)) return false;
        LLVMAddCase(made, in->operand[i].value, block_of(r, &f->merges[to]));
    }
    return true;
}

static bool leave(struct run *r, struct activation *f, const struct bitcode_instruction *in)
{
    struct predecessor *predecessor = add_predecessor(r, &f->merges[f->function->blocks], 1, true);
    if (predecessor && in->count) predecessor->phi[0] = operand(r, f, &in->operand[0]);
    return predecessor != NULL;
}

/* A parameter that is the callee's own copy. */
static struct value copied(struct run *r, struct value argument, LLVMTypeRef type)
{
    LLVMValueRef made = LLVMBuildAlloca(r->build_variables, type, "");
    unsigned align = LLVMABIAlignmentOfType(r->bitcode->layout, type);
    LLVMValueRef size = jit_number(r->word64, LLVMABISizeOfType(r->bitcode->layout, type));
    LLVMBuildMemCpy(r->build, made, align, code_of(r, &argument), 1, size);
    return (struct value){.base = add_base(r, (struct base){.code = made, .kept = true})};
}

static LLVMTypeRef copied_type(LLVMValueRef function, unsigned parameter)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static bool call(struct run *r, struct activation *f, const struct bitcode_instruction *in, bool *returns)
{
    struct value *arguments = SCH_ARENA_ARRAY(&r->arena, struct value, in->count), result = {0};
    if (!arguments) return false;
    for (uint32_t i = 0; i < LLVMCountParams(in->to->source); i++) {
        arguments[i] = operand(r, f, &in->operand[i]);
        LLVMTypeRef type = copied_type(in->to->source, i);
        if (type) arguments[i] = copied(r, arguments[i], type);
    }
    if (!run_call(r, in->to, arguments, &result, returns)) return false;
    if (in->result != BITCODE_NONE) f->values[in->result] = result;
    return true;
}

/* False: it cannot be done. `*ends`: nothing after it in the block is reached. */
static bool run_instruction(struct run *r, struct activation *f, int32_t block, const struct bitcode_instruction *in,
                            bool *ends)
{
    struct value made = {0};
    bool returns = true;
    switch (in->opcode) {
    case LLVMBr:
        return branch(r, f, block, in);
    case LLVMSwitch:
        return choose(r, f, block, in);
    case LLVMRet:
        return leave(r, f, in);
    case LLVMUnreachable:
        LLVMBuildUnreachable(r->build);
        return true;
    case LLVMStore:
        store(r, f, in);
        return true;
    case LLVMCall:
        if (in->to) {
            bool good = call(r, f, in, &returns);
            *ends = !returns;
            return good;
        }
        made = in->intrinsic ? call_intrinsic(r, f, in) : copy_and_expose(r, f, in);
        break;
    case LLVMAlloca:
        made = make_variable(r, in);
        break;
    case LLVMLoad:
        made = load(r, f, in);
        break;
    case LLVMGetElementPtr:
        made = add_to_address(r, f, in);
        break;
    default:
        made = compute(r, f, in);
    }
    if (in->result != BITCODE_NONE) f->values[in->result] = made;
    return made.code || made.base || in->result == BITCODE_NONE;
}

static bool run_block(struct run *r, struct activation *f, int32_t number)
{
    const struct bitcode_block *block = &f->function->block[number];
    bool ends = false;
    for (uint32_t n = block->phis; n < block->count && !ends; n++)
        if (!run_instruction(r, f, number, &block->instruction[n], &ends)) return false;
    return true;
}

static bool begin_block(struct run *r, struct activation *f, int32_t number)
{
    const struct bitcode_block *block = &f->function->block[number];
    LLVMTypeRef *types = SCH_ARENA_ARRAY(&r->arena, LLVMTypeRef, block->phis);
    struct value *values = SCH_ARENA_ARRAY(&r->arena, struct value, block->phis);
    if (!types || !values) return false;
    for (uint32_t n = 0; n < block->phis; n++) types[n] = LLVMTypeOf(block->instruction[n].source);
    begin_merge(r, &f->merges[number], block->phis, types, values);
    for (uint32_t n = 0; n < block->phis; n++) f->values[block->instruction[n].result] = values[n];
    return true;
}

static bool run_region(struct run *r, struct activation *f, int32_t loop);

/* Iteration by iteration, as long as one leads to the next. */
static bool run_unrolled(struct run *r, struct activation *f, int32_t head)
{
    for (unsigned turn = 0; f->merges[head].count; turn++) {
        if (turn == MOST_TURNS) return false;
        if (!begin_block(r, f, head) || !run_block(r, f, head) || !run_region(r, f, f->function->block[head].heads))
            return false;
    }
    return true;
}

/* A loop stays one: PHIs at its head, whatever comes in, and nothing is known of variables. */
static bool run_loop(struct run *r, struct activation *f, int32_t head)
{
    const struct bitcode_block *block = &f->function->block[head];
    struct merge *merge = &f->merges[head];
    LLVMBasicBlockRef code = block_of(r, merge);
    close_predecessors(r, merge);
    LLVMPositionBuilderAtEnd(r->build, code);
    LLVMValueRef *phis = SCH_ARENA_ARRAY(&r->arena, LLVMValueRef, block->phis);
    if (!phis) return false;
    for (uint32_t n = 0; n < block->phis; n++) {
        phis[n] = LLVMBuildPhi(r->build, LLVMTypeOf(block->instruction[n].source), "");
        f->values[block->instruction[n].result] = plain(phis[n]);
    }
    for (uint32_t n = 0; n < block->phis; n++) add_incoming(r, phis[n], merge->predecessors, n);
    r->memory.kept = NULL;
    *merge = (struct merge){.code = code};
    r->loops++;
    if (!run_block(r, f, head) || !run_region(r, f, block->heads)) return false;
    r->loops--;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->build);
    close_predecessors(r, merge);
    for (uint32_t n = 0; n < block->phis; n++) add_incoming(r, phis[n], merge->predecessors, n);
    LLVMPositionBuilderAtEnd(r->build, here);
    *merge = (struct merge){0};
    return true;
}

/* The blocks of a loop after its first, or those of no loop. They come in an order in which all predecessors of a
 * block have been found before it. */
static bool run_region(struct run *r, struct activation *f, int32_t loop)
{
    for (int32_t n = 0; n < (int32_t)f->function->blocks; n++) {
        const struct bitcode_block *block = &f->function->block[n];
        bool inside = block->loop == loop && block->heads == BITCODE_NONE;
        bool head = block->heads != BITCODE_NONE && f->function->loop[block->heads].outer == loop;
        if ((!inside && !head) || !f->merges[n].count) continue;
        bool good = inside                                     ? begin_block(r, f, n) && run_block(r, f, n)
                    : f->function->loop[block->heads].unrolled ? run_unrolled(r, f, n)
                                                               : run_loop(r, f, n);
        if (!good) return false;
    }
    return true;
}

/* ---- calls ---- */

static bool run_call(struct run *r, struct bitcode_function *function, const struct value *arguments,
                     struct value *result, bool *returns)
{
    if (r->depth == MOST_DEPTH || !jit_bitcode_take_apart(r->bitcode, function)) return false;
    struct activation f = {.function = function};
    f.values = SCH_ARENA_ARRAY(&r->arena, struct value, function->values);
    f.merges = SCH_ARENA_ARRAY(&r->arena, struct merge, function->blocks + 1);
    if (!f.values || !f.merges) return false;
    memcpy(f.values, arguments, function->parameters * sizeof *arguments);
    r->depth++;
    bool good = run_block(r, &f, 0) && run_region(r, &f, BITCODE_NONE);
    r->depth--;
    struct merge *end = &f.merges[function->blocks];
    *returns = good && end->count;
    if (!*returns) return good;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function->source));
    bool none = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    begin_merge(r, end, none ? 0 : 1, &type, result);
    return true;
}

static bool begin(struct run *r, struct bitcode_function *function, const void *bytes, size_t size,
                  struct value *arguments)
{
    LLVMContextRef context = r->bitcode->context;
    r->byte = LLVMInt8TypeInContext(context);
    r->word64 = LLVMInt64TypeInContext(context);
    r->base_of_table = SCH_ARENA_ARRAY(&r->arena, int32_t, r->bitcode->tables);
    if (!r->base_of_table) return false;
    r->form = (struct bitcode_table){.bytes = (uint8_t *)(uintptr_t)bytes, .size = size};
    for (uint32_t i = 0; i < function->parameters; i++) arguments[i] = plain(LLVMGetParam(r->function, i));
    if (bytes) arguments[0] = (struct value){.base = add_base(r, (struct base){.table = &r->form})};
    r->variables = LLVMAppendBasicBlockInContext(context, r->function, "");
    r->build = LLVMCreateBuilderInContext(context);
    r->build_variables = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(r->build_variables, r->variables);
    LLVMPositionBuilderAtEnd(r->build, LLVMAppendBasicBlockInContext(context, r->function, ""));
    return true;
}

static bool finish(struct run *r, bool returns, struct value *result)
{
    LLVMBasicBlockRef first = LLVMGetNextBasicBlock(r->variables);
    LLVMBuildBr(r->build_variables, first);
    if (!returns) return true;
    if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(r->function))) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(r->build);
    else
        LLVMBuildRet(r->build, code_of(r, result));
    return true;
}

/* Evaluates once; `*wrong`: something was taken as known that may not have been. */
static LLVMValueRef evaluate(struct jit_bitcode *bitcode, struct bitcode_function *function, const void *bytes,
                             size_t size, LLVMModuleRef module, const char *name, bool numbers_only, bool *wrong)
{
    enum { MOST_PARAMETERS = 16 };
    struct run *r = calloc(1, sizeof *r);
    *wrong = false;
    if (!r || function->parameters > MOST_PARAMETERS) {
        free(r);
        return NULL;
    }
    struct value arguments[MOST_PARAMETERS], result = {0};
    bool returns = false;
    r->bitcode = bitcode;
    r->module = module;
    r->numbers_only = numbers_only;
    sch_arena_init(&r->arena, &sch_allocator_libc, 0);
    r->function = LLVMAddFunction(module, name, LLVMGlobalGetValueType(function->source));
    jit_copy_features(function->source, r->function);
    bool good = begin(r, function, bytes, size, arguments) && run_call(r, function, arguments, &result, &returns) &&
                finish(r, returns, &result);
    LLVMDisposeBuilder(r->build); /* perhaps NULL */
    LLVMDisposeBuilder(r->build_variables);
    LLVMValueRef made = good && !r->wrong && !r->arena.failed ? r->function : NULL;
    *wrong = r->wrong && !r->arena.failed;
    if (*wrong) LLVMDeleteFunction(r->function);
    sch_arena_release(&r->arena);
    free(r);
    return made;
}

LLVMValueRef jit_specialise(struct jit_bitcode *bitcode, struct bitcode_function *function, const void *bytes,
                            size_t size, LLVMModuleRef module, const char *name)
{
    bool wrong;
    LLVMValueRef made = evaluate(bitcode, function, bytes, size, module, name, false, &wrong);
    return wrong ? evaluate(bitcode, function, bytes, size, module, name, true, &wrong) : made;
}
