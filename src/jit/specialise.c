/* Partial evaluation of steps. See jit/specialise.h. Instructions whose operands are constant are folded by LLVM's
 * builder; reads of constant tables and of numbers that were just stored in a local variable become the number;
 * branches on constants are taken. All else is copied. */
#include "jit/specialise.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "jit/module.h"

enum { MOST_TURNS = 64, MOST_DEPTH = 64, MOST_KEPT = 24 };

/* What a value of a step is in the code that comes out. Addresses in tables and local variables are a base and a
 * distance; `code` is made for them when it is needed. */
struct value {
    LLVMValueRef code;
    int32_t base; /* number + 1, or 0 */
    int64_t at;
};

/* A table, the constant bytes, or a local variable. */
struct base {
    LLVMValueRef code;        /* NULL: nothing names it yet */
    struct step_table *table; /* of constants */
    bool kept;                /* variables: only loads and stores at known places have seen its address */
    bool recalled;            /* in a loop: what it holds was used */
};

/* A constant that a variable holds. */
struct kept {
    int32_t base;
    int64_t at;
    uint64_t size;
    LLVMValueRef code;
};

struct memory {
    unsigned count;
    struct kept kept[MOST_KEPT];
};

/* One way into a block: what its PHIs become, and what variables hold. */
struct way {
    LLVMBasicBlockRef from;
    bool open; /* `from` has no branch at its end yet */
    struct value *phi;
    struct memory memory;
    struct way *next;
};

struct landing {
    LLVMBasicBlockRef code; /* NULL: not made yet */
    struct way *ways;
    uint32_t count;
};

/* One inlined call. */
struct frame {
    struct step_function *step;
    struct value *values;
    struct landing *landings; /* by block; the last is behind the call */
};

struct run {
    struct jit_steps *steps;
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
    struct step_table form;
    unsigned depth, loops; /* calls and loops that are open */
    bool wrong;            /* something was taken as known that may not have been */
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
            LLVMConstStringInContext2(r->steps->context, (const char *)r->form.bytes, r->form.size, true);
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

static struct value address_of(struct run *r, const struct step_operand *o)
{
    int32_t *known = &r->base_of_table[o->number];
    if (!*known) *known = add_base(r, (struct base){.table = &r->steps->table[o->number]});
    return (struct value){.base = *known, .at = o->at};
}

static struct value operand(struct run *r, const struct frame *f, const struct step_operand *o)
{
    if (o->source == STEP_LOCAL) return f->values[o->number];
    return o->source == STEP_ADDRESS ? address_of(r, o) : plain(o->value);
}

static bool is_constant(const struct value *v) { return v->code && !v->base && LLVMIsConstant(v->code); }
static bool is_number(const struct value *v) { return v->code && LLVMIsAConstantInt(v->code); }

/* ---- what variables hold ---- */

static void forget(struct run *r, int32_t base, int64_t at, uint64_t size)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r->memory.count; i++) {
        const struct kept *k = &r->memory.kept[i];
        bool apart = k->base != base || k->at >= at + (int64_t)size || at >= k->at + (int64_t)k->size;
        if (apart) r->memory.kept[count++] = *k;
    }
    r->memory.count = count;
}

static void remember(struct run *r, const struct value *place, const struct value *what, uint64_t size)
{
    if (!place->base) return; /* not a variable whose address is only used here */
    forget(r, place->base, place->at, size);
    if (!r->bases[place->base - 1].kept || !is_number(what) || r->memory.count == MOST_KEPT) return;
    r->memory.kept[r->memory.count++] =
        (struct kept){.base = place->base, .at = place->at, .size = size, .code = what->code};
}

static LLVMValueRef recall(struct run *r, const struct value *place, LLVMTypeRef type)
{
    if (!place->base || !r->bases[place->base - 1].kept) return NULL;
    for (unsigned i = 0; i < r->memory.count; i++) {
        const struct kept *k = &r->memory.kept[i];
        if (k->base != place->base || k->at != place->at || LLVMTypeOf(k->code) != type) continue;
        r->bases[place->base - 1].recalled |= r->loops > 0;
        return k->code;
    }
    return NULL;
}

/* What both know. */
static void meet(struct memory *memory, const struct memory *other)
{
    unsigned count = 0;
    for (unsigned i = 0; i < memory->count; i++) {
        const struct kept *k = &memory->kept[i];
        for (unsigned j = 0; j < other->count; j++)
            if (memcmp(k, &other->kept[j], sizeof *k) == 0) {
                memory->kept[count++] = *k;
                break;
            }
    }
    memory->count = count;
}

static LLVMValueRef read_table(struct run *r, const struct value *place, LLVMTypeRef type)
{
    if (!place->base || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return NULL;
    struct step_table *table = r->bases[place->base - 1].table;
    uint64_t size = LLVMABISizeOfType(r->steps->layout, type), bits = 0;
    if (!table || size > 8 || (table != &r->form && !jit_steps_read_table(r->steps, table))) return NULL;
    if (place->at < 0 || (uint64_t)place->at + size > table->size) return NULL;
    for (uint64_t i = 0; i < size; i++) {
        if (table->known && !table->known[(uint64_t)place->at + i]) return NULL;
        bits |= (uint64_t)table->bytes[(uint64_t)place->at + i] << (8 * i);
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
        LLVMSetMetadata(copy, LLVMGetMDKindIDInContext(r->steps->context, names[i], (unsigned)strlen(names[i])), NULL);
}

static struct value copy(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    LLVMValueRef made = LLVMInstructionClone(in->source);
    for (uint32_t i = 0; i < in->count; i++) {
        const struct step_operand *o = &in->operand[i];
        struct value v = operand(r, f, o);
        if (o->source == STEP_FUNCTION)
            LLVMSetOperand(made, i, callee_in(r, o->value));
        else if (o->source != STEP_CONSTANT)
            LLVMSetOperand(made, i, code_of(r, &v));
    }
    drop_scopes(r, made);
    LLVMInsertIntoBuilder(r->build, made);
    return plain(made);
}

static struct value copy_and_expose(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    for (uint32_t i = 0; i < in->count; i++) {
        struct value v = operand(r, f, &in->operand[i]);
        expose(r, &v);
    }
    return copy(r, f, in);
}

static struct value make_variable(struct run *r, const struct step_instruction *in)
{
    LLVMValueRef made = LLVMInstructionClone(in->source);
    LLVMInsertIntoBuilder(r->build_variables, made);
    return (struct value){.base = add_base(r, (struct base){.code = made, .kept = true})};
}

static struct value load(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    struct value place = operand(r, f, &in->operand[0]);
    LLVMTypeRef type = LLVMTypeOf(in->source);
    LLVMValueRef known = LLVMGetVolatile(in->source) ? NULL : read_table(r, &place, type);
    if (!known) known = recall(r, &place, type);
    return known ? plain(known) : copy(r, f, in);
}

static void store(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    struct value what = operand(r, f, &in->operand[0]), place = operand(r, f, &in->operand[1]);
    expose(r, &what);
    copy(r, f, in);
    remember(r, &place, &what, LLVMABISizeOfType(r->steps->layout, LLVMTypeOf(in->operand[0].value)));
}

static struct value add_to_address(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    struct value place = operand(r, f, &in->operand[0]);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(in->source);
    bool known = place.base != 0;
    for (uint32_t i = 1; i < in->count && known; i++) {
        struct value index = operand(r, f, &in->operand[i]);
        known = is_number(&index) &&
                jit_steps_index(r->steps, &type, i == 1, LLVMConstIntGetSExtValue(index.code), &place.at);
    }
    return known ? place : copy_and_expose(r, f, in);
}

/* The operation on constants, by LLVM's builder; NULL: it is none that the builder folds. */
static LLVMValueRef fold(struct run *r, const struct step_instruction *in, LLVMValueRef *o)
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
static bool shorten(const struct step_instruction *in, const struct value *o, struct value *result)
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

static struct value compute(struct run *r, const struct frame *f, const struct step_instruction *in)
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

/* Local variables begin without a known content again where a copy goes. */
static void write_by_call(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    struct value to = operand(r, f, &in->operand[0]), size = operand(r, f, &in->operand[2]);
    bool known = is_number(&size);
    if (to.base) forget(r, to.base, known ? to.at : 0, known ? LLVMConstIntGetZExtValue(size.code) : UINT32_MAX);
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

static struct value call_intrinsic(struct run *r, const struct frame *f, const struct step_instruction *in)
{
    LLVMValueRef callee = in->operand[in->count - 1].value;
    struct value first = in->count > 1 ? operand(r, f, &in->operand[0]) : plain(NULL);
    if (is_null(&first) && takes_signs(callee)) return plain(LLVMConstNull(LLVMTypeOf(in->source)));
    if (!is_named(callee, "llvm.mem")) return copy_and_expose(r, f, in);
    write_by_call(r, f, in);
    return copy(r, f, in);
}

/* ---- blocks ---- */

/* A way from the present block, at whose end the builder stands, to another. */
static struct way *add_way(struct run *r, struct landing *to, uint32_t phis, bool open)
{
    struct way *way = SCH_ARENA_NEW(&r->arena, struct way);
    if (!way) return NULL;
    way->phi = SCH_ARENA_ARRAY(&r->arena, struct value, phis);
    if (!way->phi) return NULL;
    way->from = LLVMGetInsertBlock(r->build);
    way->open = open;
    way->memory = r->memory;
    way->next = to->ways;
    to->ways = way;
    to->count++;
    return way;
}

static LLVMBasicBlockRef block_of(struct run *r, struct landing *landing)
{
    if (!landing->code) landing->code = LLVMAppendBasicBlockInContext(r->steps->context, r->function, "");
    return landing->code;
}

/* From block `from` to block `to` of a step. `open`: without a condition. */
static bool go(struct run *r, struct frame *f, int32_t from, int32_t to, bool open)
{
    const struct step_block *block = &f->step->block[to];
    struct way *way = add_way(r, &f->landings[to], block->phis, open);
    if (!way) return false;
    for (uint32_t n = 0; n < block->phis; n++) {
        const struct step_instruction *phi = &block->instruction[n];
        uint32_t i = 0;
        while (i < phi->count && phi->from[i] != from) i++;
        if (i == phi->count) return false;
        way->phi[n] = operand(r, f, &phi->operand[i]);
    }
    return true;
}

static bool same(const struct value *a, const struct value *b)
{
    return a->base == b->base && a->at == b->at && (a->base || a->code == b->code);
}

/* The value that comes by all ways; else a PHI, to which `way_of` gives its operands. */
static bool one_value(const struct landing *landing, uint32_t n)
{
    for (const struct way *w = landing->ways->next; w; w = w->next)
        if (!same(&w->phi[n], &landing->ways->phi[n])) return false;
    return true;
}

static LLVMValueRef code_at_end(struct run *r, struct way *way, uint32_t n)
{
    struct value *v = &way->phi[n];
    if (v->code) return v->code;
    expose(r, v);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->build);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(way->from);
    if (end)
        LLVMPositionBuilderBefore(r->build, end);
    else
        LLVMPositionBuilderAtEnd(r->build, way->from);
    LLVMValueRef code = code_of(r, v);
    LLVMPositionBuilderAtEnd(r->build, here);
    return code;
}

static void add_incoming(struct run *r, LLVMValueRef phi, struct way *ways, uint32_t n)
{
    for (struct way *w = ways; w; w = w->next) {
        LLVMValueRef code = code_at_end(r, w, n);
        LLVMAddIncoming(phi, &code, &w->from, 1);
    }
}

/* Branches at the ends of blocks that only this one follows. */
static void close_ways(struct run *r, struct landing *landing)
{
    for (struct way *w = landing->ways; w; w = w->next) {
        if (!w->open) continue;
        LLVMPositionBuilderAtEnd(r->build, w->from);
        LLVMBuildBr(r->build, block_of(r, landing));
        w->open = false;
    }
}

/* Puts the builder where the landing's block begins. `types`: of the values that come along. */
static void land(struct run *r, struct landing *landing, uint32_t phis, const LLVMTypeRef *types, struct value *values)
{
    struct way *first = landing->ways;
    r->memory = first->memory;
    for (struct way *w = first->next; w; w = w->next) meet(&r->memory, &w->memory);
    if (!first->next && first->open && !landing->code) {
        LLVMPositionBuilderAtEnd(r->build, first->from);
    } else {
        close_ways(r, landing);
        LLVMPositionBuilderAtEnd(r->build, landing->code);
    }
    for (uint32_t n = 0; n < phis; n++)
        values[n] = one_value(landing, n) ? first->phi[n] : plain(LLVMBuildPhi(r->build, types[n], ""));
    for (uint32_t n = 0; n < phis; n++)
        if (!one_value(landing, n)) add_incoming(r, values[n].code, first, n);
    *landing = (struct landing){0};
}

/* ---- control ---- */

static bool run_call(struct run *r, struct step_function *step, const struct value *arguments, struct value *result,
                     bool *returns);

static bool branch(struct run *r, struct frame *f, int32_t block, const struct step_instruction *in)
{
    if (in->count == 1) return go(r, f, block, in->operand[0].number, true);
    struct value condition = operand(r, f, &in->operand[0]);
    int32_t to[2] = {in->operand[1].number, in->operand[2].number};
    if (is_number(&condition)) return go(r, f, block, to[LLVMIsNull(condition.code)], true);
    if (to[0] == to[1]) return go(r, f, block, to[0], true);
    if (!go(r, f, block, to[0], false) || !go(r, f, block, to[1], false)) return false;
    LLVMBuildCondBr(r->build, condition.code, block_of(r, &f->landings[to[0]]), block_of(r, &f->landings[to[1]]));
    return true;
}

static bool choose(struct run *r, struct frame *f, int32_t block, const struct step_instruction *in)
{
    struct value what = operand(r, f, &in->operand[0]);
    int32_t other = in->operand[1].number;
    if (is_number(&what)) {
        for (uint32_t i = 2; i < in->count; i += 2)
            if (in->operand[i].value == what.code) other = in->operand[i + 1].number;
        return go(r, f, block, other, true);
    }
    if (!go(r, f, block, other, false)) return false;
    LLVMValueRef made = LLVMBuildSwitch(r->build, what.code, block_of(r, &f->landings[other]), in->count);
    for (uint32_t i = 2; i < in->count; i += 2) {
        int32_t to = in->operand[i + 1].number;
        if (!go(r, f, block, to, false)) return false;
        LLVMAddCase(made, in->operand[i].value, block_of(r, &f->landings[to]));
    }
    return true;
}

static bool leave(struct run *r, struct frame *f, const struct step_instruction *in)
{
    struct way *way = add_way(r, &f->landings[f->step->blocks], 1, true);
    if (way && in->count) way->phi[0] = operand(r, f, &in->operand[0]);
    return way != NULL;
}

/* A parameter that is the callee's own copy. */
static struct value copied(struct run *r, struct value argument, LLVMTypeRef type)
{
    LLVMValueRef made = LLVMBuildAlloca(r->build_variables, type, "");
    unsigned align = LLVMABIAlignmentOfType(r->steps->layout, type);
    LLVMValueRef size = jit_number(r->word64, LLVMABISizeOfType(r->steps->layout, type));
    LLVMBuildMemCpy(r->build, made, align, code_of(r, &argument), 1, size);
    return (struct value){.base = add_base(r, (struct base){.code = made, .kept = true})};
}

static LLVMTypeRef copied_type(LLVMValueRef function, unsigned parameter)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static bool call(struct run *r, struct frame *f, const struct step_instruction *in, bool *returns)
{
    struct value *arguments = SCH_ARENA_ARRAY(&r->arena, struct value, in->count), result = {0};
    if (!arguments) return false;
    for (uint32_t i = 0; i < LLVMCountParams(in->to->source); i++) {
        arguments[i] = operand(r, f, &in->operand[i]);
        LLVMTypeRef type = copied_type(in->to->source, i);
        if (type) arguments[i] = copied(r, arguments[i], type);
    }
    if (!run_call(r, in->to, arguments, &result, returns)) return false;
    if (in->result != STEP_NONE) f->values[in->result] = result;
    return true;
}

/* False: it cannot be done. `*ends`: nothing behind it in the block is reached. */
static bool run_instruction(struct run *r, struct frame *f, int32_t block, const struct step_instruction *in,
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
        if (!in->intrinsic) {
            bool good = call(r, f, in, &returns);
            *ends = !returns;
            return good;
        }
        made = call_intrinsic(r, f, in);
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
    if (in->result != STEP_NONE) f->values[in->result] = made;
    return made.code || made.base || in->result == STEP_NONE;
}

static bool run_block(struct run *r, struct frame *f, int32_t number)
{
    const struct step_block *block = &f->step->block[number];
    bool ends = false;
    for (uint32_t n = block->phis; n < block->count && !ends; n++)
        if (!run_instruction(r, f, number, &block->instruction[n], &ends)) return false;
    return true;
}

static bool land_on(struct run *r, struct frame *f, int32_t number)
{
    const struct step_block *block = &f->step->block[number];
    LLVMTypeRef *types = SCH_ARENA_ARRAY(&r->arena, LLVMTypeRef, block->phis);
    struct value *values = SCH_ARENA_ARRAY(&r->arena, struct value, block->phis);
    if (!types || !values) return false;
    for (uint32_t n = 0; n < block->phis; n++) types[n] = LLVMTypeOf(block->instruction[n].source);
    land(r, &f->landings[number], block->phis, types, values);
    for (uint32_t n = 0; n < block->phis; n++) f->values[block->instruction[n].result] = values[n];
    return true;
}

static bool run_region(struct run *r, struct frame *f, int32_t loop);

/* Turn by turn, as long as one leads to the next. */
static bool run_unrolled(struct run *r, struct frame *f, int32_t head)
{
    for (unsigned turn = 0; f->landings[head].count; turn++) {
        if (turn == MOST_TURNS) return false;
        if (!land_on(r, f, head) || !run_block(r, f, head) || !run_region(r, f, f->step->block[head].heads))
            return false;
    }
    return true;
}

/* A loop stays one: PHIs at its head, whatever comes in, and nothing is known of variables. */
static bool run_loop(struct run *r, struct frame *f, int32_t head)
{
    const struct step_block *block = &f->step->block[head];
    struct landing *landing = &f->landings[head];
    LLVMBasicBlockRef code = block_of(r, landing);
    close_ways(r, landing);
    LLVMPositionBuilderAtEnd(r->build, code);
    LLVMValueRef *phis = SCH_ARENA_ARRAY(&r->arena, LLVMValueRef, block->phis);
    if (!phis) return false;
    for (uint32_t n = 0; n < block->phis; n++) {
        phis[n] = LLVMBuildPhi(r->build, LLVMTypeOf(block->instruction[n].source), "");
        f->values[block->instruction[n].result] = plain(phis[n]);
    }
    for (uint32_t n = 0; n < block->phis; n++) add_incoming(r, phis[n], landing->ways, n);
    r->memory.count = 0;
    *landing = (struct landing){.code = code};
    r->loops++;
    if (!run_block(r, f, head) || !run_region(r, f, block->heads)) return false;
    r->loops--;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->build);
    close_ways(r, landing);
    for (uint32_t n = 0; n < block->phis; n++) add_incoming(r, phis[n], landing->ways, n);
    LLVMPositionBuilderAtEnd(r->build, here);
    *landing = (struct landing){0};
    return true;
}

/* The blocks of a loop behind its first, or those of no loop. They come in an order in which all ways into a block have
 * been found before it. */
static bool run_region(struct run *r, struct frame *f, int32_t loop)
{
    for (int32_t n = 0; n < (int32_t)f->step->blocks; n++) {
        const struct step_block *block = &f->step->block[n];
        bool inside = block->loop == loop && block->heads == STEP_NONE;
        bool head = block->heads != STEP_NONE && f->step->loop[block->heads].outer == loop;
        if ((!inside && !head) || !f->landings[n].count) continue;
        bool good = inside                                 ? land_on(r, f, n) && run_block(r, f, n)
                    : f->step->loop[block->heads].unrolled ? run_unrolled(r, f, n)
                                                           : run_loop(r, f, n);
        if (!good) return false;
    }
    return true;
}

/* ---- calls ---- */

static bool run_call(struct run *r, struct step_function *step, const struct value *arguments, struct value *result,
                     bool *returns)
{
    if (r->depth == MOST_DEPTH || !jit_steps_take_apart(r->steps, step)) return false;
    struct frame f = {.step = step};
    f.values = SCH_ARENA_ARRAY(&r->arena, struct value, step->values);
    f.landings = SCH_ARENA_ARRAY(&r->arena, struct landing, step->blocks + 1);
    if (!f.values || !f.landings) return false;
    memcpy(f.values, arguments, step->parameters * sizeof *arguments);
    r->depth++;
    bool good = run_block(r, &f, 0) && run_region(r, &f, STEP_NONE);
    r->depth--;
    struct landing *end = &f.landings[step->blocks];
    *returns = good && end->count;
    if (!*returns) return good;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(step->source));
    bool none = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    land(r, end, none ? 0 : 1, &type, result);
    return true;
}

static bool begin(struct run *r, struct step_function *step, const void *bytes, size_t size, struct value *arguments)
{
    LLVMContextRef context = r->steps->context;
    r->byte = LLVMInt8TypeInContext(context);
    r->word64 = LLVMInt64TypeInContext(context);
    r->base_of_table = SCH_ARENA_ARRAY(&r->arena, int32_t, r->steps->tables);
    if (!r->base_of_table) return false;
    r->form = (struct step_table){.bytes = (uint8_t *)(uintptr_t)bytes, .size = size};
    for (uint32_t i = 0; i < step->parameters; i++) arguments[i] = plain(LLVMGetParam(r->function, i));
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

LLVMValueRef jit_specialise(struct jit_steps *steps, struct step_function *step, const void *bytes, size_t size,
                            LLVMModuleRef module, const char *name)
{
    enum { MOST_PARAMETERS = 16 };
    struct run *r = calloc(1, sizeof *r);
    if (!r || step->parameters > MOST_PARAMETERS) {
        free(r);
        return NULL;
    }
    struct value arguments[MOST_PARAMETERS], result = {0};
    bool returns = false;
    r->steps = steps;
    r->module = module;
    sch_arena_init(&r->arena, &sch_allocator_libc, 0);
    r->function = LLVMAddFunction(module, name, LLVMGlobalGetValueType(step->source));
    jit_copy_features(step->source, r->function);
    bool good = begin(r, step, bytes, size, arguments) && run_call(r, step, arguments, &result, &returns) &&
                finish(r, returns, &result);
    LLVMDisposeBuilder(r->build); /* perhaps NULL */
    LLVMDisposeBuilder(r->build_variables);
    LLVMValueRef function = good && !r->wrong && !r->arena.failed ? r->function : NULL;
    sch_arena_release(&r->arena);
    free(r);
    return function;
}
