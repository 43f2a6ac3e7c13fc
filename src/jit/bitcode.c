/* Reading the bitcode of texture lookups. See jit/bitcode.h. */
#include "jit/bitcode.h"

#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>

#include "jit/module.h"

/* ---- the pool ---- */

/* Constants and types stay in LLVM's context, so it is given up after so many lookups. */
enum { MOST_USES = 256, MOST_IDLE = 4 };

/* Global, as LLVM's own state is: what is read of an archive is the same for everybody, and its lookups come one by one
 * from calls that share nothing. tests/static/symbols.py names it. */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct jit_bitcode *pool;
static unsigned idle;

/* For bitcode that was not read as a whole, too: LLVM takes NULL for each of these. */
static void destroy(struct jit_bitcode *bitcode)
{
    LLVMDisposeTargetData(bitcode->layout);
    LLVMDisposeModule(bitcode->module);
    LLVMDisposeTargetMachine(bitcode->machine);
    LLVMContextDispose(bitcode->context);
    sch_arena_release(&bitcode->arena);
    free(bitcode);
}

static bool list_functions(struct jit_bitcode *bitcode)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(bitcode->module); f; f = LLVMGetNextFunction(f))
        bitcode->functions += !LLVMIsDeclaration(f);
    bitcode->function = SCH_ARENA_ARRAY(&bitcode->arena, struct bitcode_function, bitcode->functions);
    if (!bitcode->function) return false;
    uint32_t n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(bitcode->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) bitcode->function[n++].source = f;
    return true;
}

static bool list_tables(struct jit_bitcode *bitcode)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(bitcode->module); g; g = LLVMGetNextGlobal(g)) bitcode->tables++;
    bitcode->table = SCH_ARENA_ARRAY(&bitcode->arena, struct bitcode_table, bitcode->tables);
    if (!bitcode->table) return false;
    uint32_t n = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(bitcode->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsGlobalConstant(g) || !LLVMGetInitializer(g)) return false;
        bitcode->table[n++].source = g;
    }
    return true;
}

static bool read_archive(struct jit_bitcode *bitcode)
{
    bitcode->machine = jit_new_machine(LLVMCodeGenLevelDefault);
    if (!bitcode->machine) return false;
    bitcode->layout = LLVMCreateTargetDataLayout(bitcode->machine);
    bitcode->context = jit_new_context();
    bitcode->module = jit_module_read(bitcode->context, bitcode->archive, JIT_LOOKUP_BITCODE);
    return bitcode->module && list_functions(bitcode) && list_tables(bitcode);
}

struct jit_bitcode *jit_bitcode_take(const struct jit_archive_header *archive)
{
    pthread_mutex_lock(&pool_lock);
    struct jit_bitcode **at = &pool;
    while (*at && (*at)->archive != archive) at = &(*at)->next;
    struct jit_bitcode *found = *at;
    if (found) {
        *at = found->next;
        idle--;
    }
    pthread_mutex_unlock(&pool_lock);
    if (found) return found;

    struct jit_bitcode *bitcode = calloc(1, sizeof *bitcode);
    if (!bitcode) return NULL;
    bitcode->archive = archive;
    sch_arena_init(&bitcode->arena, &sch_allocator_libc, 0);
    if (read_archive(bitcode)) return bitcode;
    destroy(bitcode);
    return NULL;
}

void jit_bitcode_give_back(struct jit_bitcode *bitcode)
{
    bool kept = ++bitcode->uses < MOST_USES;
    pthread_mutex_lock(&pool_lock);
    kept = kept && idle < MOST_IDLE;
    if (kept) {
        bitcode->next = pool;
        pool = bitcode;
        idle++;
    }
    pthread_mutex_unlock(&pool_lock);
    if (!kept) destroy(bitcode);
}

/* ---- numbers ---- */

/* Values and blocks of a function by their addresses. */
struct numbers {
    struct {
        const void *key;
        int32_t number;
    } * slot;
    uint32_t mask;
};

static bool numbers_make(struct numbers *numbers, size_t count)
{
    uint32_t size = 16;
    while (size < 2 * count) size *= 2;
    numbers->mask = size - 1;
    numbers->slot = calloc(size, sizeof *numbers->slot);
    return numbers->slot != NULL;
}

static uint32_t number_place(const struct numbers *numbers, const void *key)
{
    uint32_t at = (uint32_t)((uintptr_t)key / alignof(max_align_t)) & numbers->mask;
    while (numbers->slot[at].key && numbers->slot[at].key != key) at = (at + 1) & numbers->mask;
    return at;
}

static void number_put(struct numbers *numbers, const void *key, int32_t number)
{
    uint32_t at = number_place(numbers, key);
    numbers->slot[at].key = key;
    numbers->slot[at].number = number;
}

static int32_t number_of(const struct numbers *numbers, const void *key)
{
    uint32_t at = number_place(numbers, key);
    return numbers->slot[at].key ? numbers->slot[at].number : BITCODE_NONE;
}

/* ---- blocks in order ---- */

/* One function while it is taken apart. Blocks are numbered in reverse postorder; their predecessors are chains. */
struct reading {
    struct jit_bitcode *bitcode;
    struct bitcode_function *function;
    struct numbers blocks, values;
    LLVMBasicBlockRef *order; /* by number */
    struct edge {
        int32_t from, next;
        bool back; /* to a block that dominates `from` */
    } * edge;
    int32_t *into; /* by block: the first edge */
    uint32_t edges;
};

struct visit {
    LLVMBasicBlockRef block;
    unsigned next;
};

enum { SEEN = -2 };

/* Depth first: blocks in postorder. */
static uint32_t walk(struct reading *r, struct visit *stack, LLVMBasicBlockRef *post)
{
    uint32_t depth = 0, count = 0;
    stack[depth++] = (struct visit){LLVMGetEntryBasicBlock(r->function->source), 0};
    number_put(&r->blocks, stack[0].block, SEEN);
    while (depth) {
        struct visit *v = &stack[depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
        if (v->next == LLVMGetNumSuccessors(end)) {
            post[count++] = v->block;
            depth--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
        if (number_of(&r->blocks, to) == SEEN) continue;
        number_put(&r->blocks, to, SEEN);
        stack[depth++] = (struct visit){to, 0};
    }
    return count;
}

static void add_edges(struct reading *r, uint32_t number)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(r->order[number]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        int32_t to = number_of(&r->blocks, LLVMGetSuccessor(end, i));
        r->edge[r->edges] = (struct edge){.from = (int32_t)number, .next = r->into[to], .back = to <= (int32_t)number};
        r->into[to] = (int32_t)r->edges++;
    }
}

static bool order_blocks(struct reading *r)
{
    struct bitcode_function *f = r->function;
    uint32_t all = LLVMCountBasicBlocks(f->source), ways = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->source); b; b = LLVMGetNextBasicBlock(b))
        ways += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b));
    struct sch_arena *arena = &r->bitcode->arena;
    struct visit *stack = SCH_ARENA_ARRAY(arena, struct visit, all);
    LLVMBasicBlockRef *post = SCH_ARENA_ARRAY(arena, LLVMBasicBlockRef, all);
    r->order = SCH_ARENA_ARRAY(arena, LLVMBasicBlockRef, all);
    r->edge = SCH_ARENA_ARRAY(arena, struct edge, ways);
    r->into = SCH_ARENA_ARRAY(arena, int32_t, all);
    if (arena->failed) return false;
    f->blocks = walk(r, stack, post);
    for (uint32_t n = 0; n < f->blocks; n++) {
        r->order[n] = post[f->blocks - 1 - n];
        number_put(&r->blocks, r->order[n], (int32_t)n);
        r->into[n] = BITCODE_NONE;
    }
    for (uint32_t n = 0; n < f->blocks; n++) add_edges(r, n);
    return true;
}

/* ---- loops ---- */

static bool is_unrolled(LLVMContextRef context, LLVMValueRef end)
{
    LLVMValueRef loop = LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, "llvm.loop", 9)), parts[16], words[4];
    if (!loop || LLVMGetMDNodeNumOperands(loop) > 16) return false;
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(loop), length;
    LLVMGetMDNodeOperands(loop, parts);
    for (unsigned i = 1; i < count; i++) {
        if (!LLVMIsAMDNode(parts[i]) || LLVMGetMDNodeNumOperands(parts[i]) != 1) continue;
        LLVMGetMDNodeOperands(parts[i], words);
        const char *word = LLVMIsAMDString(words[0]) ? LLVMGetMDString(words[0], &length) : NULL;
        if (word && length == 21 && memcmp(word, "llvm.loop.unroll.full", 21) == 0) return true;
    }
    return false;
}

/* All blocks from which an edge back to `head` is reached without passing it. */
static void fill_loop(struct reading *r, struct bitcode_loop *loop, int32_t head, int32_t *stack)
{
    uint32_t depth = 0;
    loop->has[head] = true;
    for (int32_t e = r->into[head]; e != BITCODE_NONE; e = r->edge[e].next) {
        if (!r->edge[e].back) continue;
        int32_t from = r->edge[e].from;
        if (is_unrolled(r->bitcode->context, LLVMGetBasicBlockTerminator(r->order[from]))) loop->unrolled = true;
        if (!loop->has[from]) stack[depth++] = from;
        loop->has[from] = true;
    }
    while (depth) {
        int32_t block = stack[--depth];
        for (int32_t e = r->into[block]; e != BITCODE_NONE; e = r->edge[e].next) {
            int32_t from = r->edge[e].from;
            if (!loop->has[from]) stack[depth++] = from;
            loop->has[from] = true;
        }
    }
}

static bool is_head(const struct reading *r, uint32_t block)
{
    for (int32_t e = r->into[block]; e != BITCODE_NONE; e = r->edge[e].next)
        if (r->edge[e].back) return true;
    return false;
}

/* Heads come in the order of their blocks, so loops outside come before those inside. */
static bool find_loops(struct reading *r)
{
    struct bitcode_function *f = r->function;
    struct sch_arena *arena = &r->bitcode->arena;
    for (uint32_t n = 0; n < f->blocks; n++) f->loops += is_head(r, n);
    f->block = SCH_ARENA_ARRAY(arena, struct bitcode_block, f->blocks);
    f->loop = SCH_ARENA_ARRAY(arena, struct bitcode_loop, f->loops);
    int32_t *stack = SCH_ARENA_ARRAY(arena, int32_t, f->blocks);
    if (arena->failed) return false;
    for (uint32_t n = 0; n < f->blocks; n++) f->block[n].loop = f->block[n].heads = BITCODE_NONE;
    int32_t loop = 0;
    for (uint32_t n = 0; n < f->blocks; n++) {
        if (!is_head(r, n)) continue;
        f->loop[loop].has = SCH_ARENA_ARRAY(arena, bool, f->blocks);
        if (!f->loop[loop].has) return false;
        fill_loop(r, &f->loop[loop], (int32_t)n, stack);
        f->loop[loop].outer = f->block[n].loop;
        f->block[n].heads = loop;
        for (uint32_t b = 0; b < f->blocks; b++)
            if (f->loop[loop].has[b]) f->block[b].loop = loop;
        loop++;
    }
    return true;
}

/* ---- instructions ---- */

static bool is_dropped(LLVMValueRef instruction)
{
    static const char *const names[] = {"llvm.lifetime.", "llvm.experimental.noalias.scope.decl", "llvm.assume"};
    if (LLVMGetInstructionOpcode(instruction) != LLVMCall) return false;
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    size_t length;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static int32_t table_of(const struct jit_bitcode *bitcode, LLVMValueRef global)
{
    for (uint32_t n = 0; n < bitcode->tables; n++)
        if (bitcode->table[n].source == global) return (int32_t)n;
    return BITCODE_NONE;
}

/* A constant address in a table. */
static bool read_address(struct jit_bitcode *bitcode, LLVMValueRef value, struct bitcode_operand *operand)
{
    operand->source = BITCODE_ADDRESS;
    while (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr) {
        if (!jit_bitcode_offset(bitcode, value, &operand->at)) return false;
        value = LLVMGetOperand(value, 0);
    }
    operand->number = LLVMIsAGlobalVariable(value) ? table_of(bitcode, value) : BITCODE_NONE;
    return operand->number != BITCODE_NONE;
}

static bool read_operand(struct reading *r, LLVMValueRef value, struct bitcode_operand *operand)
{
    *operand =
        (struct bitcode_operand){.source = BITCODE_LOCAL, .number = number_of(&r->values, value), .value = value};
    if (operand->number != BITCODE_NONE) return true;
    if (LLVMIsAConstantExpr(value) || LLVMIsAGlobalVariable(value)) return read_address(r->bitcode, value, operand);
    operand->source = LLVMIsAFunction(value) ? BITCODE_FUNCTION : BITCODE_CONSTANT;
    return LLVMIsConstant(value);
}

static struct bitcode_operand block_operand(const struct reading *r, LLVMBasicBlockRef block)
{
    return (struct bitcode_operand){.source = BITCODE_BLOCK, .number = number_of(&r->blocks, block)};
}

static bool read_branch(struct reading *r, LLVMValueRef from, struct bitcode_instruction *to)
{
    bool conditional = LLVMIsConditional(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(from); i++)
        to->operand[conditional + i] = block_operand(r, LLVMGetSuccessor(from, i));
    return !conditional || read_operand(r, LLVMGetCondition(from), &to->operand[0]);
}

/* The value, the default's block, then pairs of a constant and its block. */
static bool read_switch(struct reading *r, LLVMValueRef from, struct bitcode_instruction *to)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(from); i++) {
        if (!read_operand(r, LLVMGetOperand(from, 2 * i), &to->operand[2 * i])) return false;
        to->operand[2 * i + 1] = block_operand(r, LLVMGetSuccessor(from, i));
    }
    return true;
}

static bool read_phi(struct reading *r, LLVMValueRef from, struct bitcode_instruction *to)
{
    to->from = SCH_ARENA_ARRAY(&r->bitcode->arena, int32_t, to->count);
    if (!to->from) return false;
    for (uint32_t i = 0; i < to->count; i++) {
        to->from[i] = number_of(&r->blocks, LLVMGetIncomingBlock(from, i));
        if (!read_operand(r, LLVMGetIncomingValue(from, i), &to->operand[i])) return false;
    }
    return true;
}

static bool read_call(struct reading *r, LLVMValueRef from, struct bitcode_instruction *to)
{
    LLVMValueRef callee = LLVMGetCalledValue(from);
    if (!LLVMIsAFunction(callee)) return !LLVMIsConstant(callee); /* by a pointer that is given: copied as it is */
    to->intrinsic = LLVMGetIntrinsicID(callee);
    for (uint32_t n = 0; n < r->bitcode->functions; n++)
        if (r->bitcode->function[n].source == callee) to->to = &r->bitcode->function[n];
    size_t length;
    return to->intrinsic || to->to || strcmp(LLVMGetValueName2(callee, &length), JIT_REST) == 0;
}

static bool read_instruction(struct reading *r, LLVMValueRef from, struct bitcode_instruction *to)
{
    to->source = from;
    to->opcode = LLVMGetInstructionOpcode(from);
    to->result = number_of(&r->values, from);
    to->count = (uint32_t)LLVMGetNumOperands(from);
    to->operand = SCH_ARENA_ARRAY(&r->bitcode->arena, struct bitcode_operand, to->count);
    if (!to->operand) return false;
    if (to->opcode == LLVMBr) return read_branch(r, from, to);
    if (to->opcode == LLVMSwitch) return read_switch(r, from, to);
    if (to->opcode == LLVMPHI) return read_phi(r, from, to);
    if (to->opcode == LLVMCall && !read_call(r, from, to)) return false;
    for (uint32_t i = 0; i < to->count; i++)
        if (!read_operand(r, LLVMGetOperand(from, i), &to->operand[i])) return false;
    return true;
}

static bool read_block(struct reading *r, uint32_t number)
{
    struct bitcode_block *block = &r->function->block[number];
    for (LLVMValueRef i = LLVMGetFirstInstruction(r->order[number]); i; i = LLVMGetNextInstruction(i)) {
        block->count += !is_dropped(i);
        block->phis += LLVMGetInstructionOpcode(i) == LLVMPHI;
    }
    block->instruction = SCH_ARENA_ARRAY(&r->bitcode->arena, struct bitcode_instruction, block->count);
    if (!block->instruction) return false;
    uint32_t n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(r->order[number]); i; i = LLVMGetNextInstruction(i))
        if (!is_dropped(i) && !read_instruction(r, i, &block->instruction[n++])) return false;
    return true;
}

/* Parameters first, then what instructions make. */
static bool number_values(struct reading *r)
{
    struct bitcode_function *f = r->function;
    size_t all = f->parameters = LLVMCountParams(f->source);
    for (uint32_t n = 0; n < f->blocks; n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(r->order[n]); i; i = LLVMGetNextInstruction(i)) all++;
    if (!numbers_make(&r->values, all)) return false;
    for (; f->values < f->parameters; f->values++)
        number_put(&r->values, LLVMGetParam(f->source, f->values), (int32_t)f->values);
    for (uint32_t n = 0; n < f->blocks; n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(r->order[n]); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) number_put(&r->values, i, (int32_t)f->values++);
    return true;
}

bool jit_bitcode_take_apart(struct jit_bitcode *bitcode, struct bitcode_function *function)
{
    if (function->taken_apart) return function->block != NULL;
    struct reading r = {.bitcode = bitcode, .function = function};
    function->taken_apart = true;
    bool good = numbers_make(&r.blocks, LLVMCountBasicBlocks(function->source)) && order_blocks(&r) && find_loops(&r) &&
                number_values(&r);
    for (uint32_t n = 0; n < function->blocks && good; n++) good = read_block(&r, n);
    free(r.blocks.slot);
    free(r.values.slot);
    if (!good) function->block = NULL;
    return good;
}

struct bitcode_function *jit_bitcode_find(struct jit_bitcode *bitcode, const char *name)
{
    LLVMValueRef found = LLVMGetNamedFunction(bitcode->module, name);
    for (uint32_t n = 0; n < bitcode->functions; n++)
        if (bitcode->function[n].source == found)
            return jit_bitcode_take_apart(bitcode, &bitcode->function[n]) ? &bitcode->function[n] : NULL;
    return NULL;
}

/* ---- tables ---- */

bool jit_bitcode_offset(const struct jit_bitcode *bitcode, LLVMValueRef gep, int64_t *at)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (!LLVMIsAConstantInt(index)) return false;
        if (!jit_bitcode_index(bitcode, &type, i == 1, LLVMConstIntGetSExtValue(index), at)) return false;
    }
    return true;
}

bool jit_bitcode_index(const struct jit_bitcode *bitcode, LLVMTypeRef *type, bool first, int64_t index, int64_t *at)
{
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        *at += (int64_t)LLVMOffsetOfElement(bitcode->layout, *type, (unsigned)index);
        *type = LLVMStructGetTypeAtIndex(*type, (unsigned)index);
        return true;
    }
    if (!first) *type = LLVMGetElementType(*type);
    *at += index * (int64_t)LLVMABISizeOfType(bitcode->layout, *type);
    return true;
}

static void read_number(struct bitcode_table *table, LLVMValueRef value, uint64_t at, uint64_t size)
{
    uint64_t bits = LLVMConstIntGetZExtValue(value);
    for (uint64_t i = 0; i < size && at + i < table->size; i++) {
        table->bytes[at + i] = (uint8_t)(bits >> (8 * i));
        table->known[at + i] = true;
    }
}

static void read_constant(const struct jit_bitcode *bitcode, struct bitcode_table *table, LLVMValueRef value,
                          uint64_t at)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t size = LLVMABISizeOfType(bitcode->layout, type);
    if (LLVMIsNull(value) && at + size <= table->size) memset(table->known + at, true, size);
    if (LLVMIsNull(value)) return;
    if (LLVMIsAConstantInt(value) && size <= 8) read_number(table, value, at, size); /* not of undefined ones */
    if (kind == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            read_constant(bitcode, table, LLVMGetAggregateElement(value, i),
                          at + LLVMOffsetOfElement(bitcode->layout, type, i));
    if (kind != LLVMArrayTypeKind) return;
    uint64_t stride = LLVMABISizeOfType(bitcode->layout, LLVMGetElementType(type));
    for (unsigned i = 0; i < LLVMGetArrayLength2(type); i++)
        read_constant(bitcode, table, LLVMGetAggregateElement(value, i), at + stride * i);
}

bool jit_bitcode_read_table(struct jit_bitcode *bitcode, struct bitcode_table *table)
{
    if (table->bytes) return true;
    LLVMValueRef value = LLVMGetInitializer(table->source);
    table->size = LLVMABISizeOfType(bitcode->layout, LLVMTypeOf(value));
    table->known = SCH_ARENA_ARRAY(&bitcode->arena, bool, table->size);
    table->bytes = table->known ? SCH_ARENA_ARRAY(&bitcode->arena, uint8_t, table->size) : NULL;
    if (!table->bytes) return false;
    read_constant(bitcode, table, value, 0);
    return true;
}
