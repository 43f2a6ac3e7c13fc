/* Instructions of the largest programs: all registers stay in the group's memory, and an instruction is a step for each
 * channel that it writes. A step is a row of a table: the number of a function and the places of what it writes and
 * reads. The functions are made of the archive's operations, one for each kind of instruction; one more function takes
 * the steps of a table one after the other and calls them. So instructions become constant data, whatever the width is,
 * and LLVM compiles one call for each run of them. Registers that registers index are copied by steps of their own.
 * Holds no meaning of an instruction. */
#include "jit/emit.h"
#include "jit/indexed.h"

#include <stddef.h>
#include <stdio.h>

typedef const struct sch_prepared_instruction instruction;

/* Each function counts against the stack that an object may take (protocol/compiler.h): SCH_NATIVE_STACK_EACH.
 * MOST_WORDS: of one table, which begins with the next step that does not fit. */
enum { MOST_FUNCTIONS = 192, MOST_TARGETS = 4, MOST_PARAMETERS = MOST_TARGETS + JIT_MAX_OPERANDS + 3 };
enum { MOST_WORDS = 8192 };

/* A place in a table: the offset of a channel in one of these memories. Channels are multiples of their size, so that
 * the memory's number is in the low bits. */
enum base { BASE_STATE, BASE_RUN, BASE_PROGRAM, BASE_SCRATCH, BASE_ARGUMENTS, BASE_COUNT };
enum { BASE_BITS = 7, END_OF_TABLE = MOST_FUNCTIONS };
_Static_assert(sizeof(struct sch_lanes) == 1 << BASE_BITS, "the low bits of a place are free");

/* One of these functions. */
struct kind {
    const char *name; /* of the operation; NULL: the operand is the result, or without one the lanes that execute are */
    uint32_t rules;
    unsigned modify;                      /* of the result */
    uint8_t of_operand[JIT_MAX_OPERANDS]; /* modifiers of them */
    unsigned operands, targets;           /* one result goes to all targets */
    bool masked;                          /* lanes that do not execute keep what the targets had */
    /* A copy of, or to, the registers that lanes mean by number: the last operand is a channel of the first register,
     * the one before it has the numbers; two words follow the places, what is added to the numbers and how many
     * registers there are. */
    enum { BY_PLACE, READS_NUMBERED, WRITES_NUMBERED } copies;
};

struct jit_compact {
    LLVMValueRef bases; /* pointers to the memories, in the function's frame */
    LLVMValueRef steps; /* the function that takes the steps of a table */
    LLVMValueRef of_kind[MOST_FUNCTIONS];
    unsigned parameters[MOST_FUNCTIONS]; /* places of each */
    unsigned numbers[MOST_FUNCTIONS];    /* words of each that are not places, after them */
    bool masked[MOST_FUNCTIONS];
    unsigned kinds;
    uint32_t words[MOST_WORDS + 1]; /* of the table that is not closed */
    unsigned count;
};

struct jit_compact *jit_compact_new(struct jit_emitter *e) { return SCH_ARENA_NEW(&e->arena, struct jit_compact); }

/* ---- the functions ---- */

static void name_of(const struct kind *kind, char name[128])
{
    int at = snprintf(name, 128, "lanes_%s_%x_%u_%u_%u_%u_", kind->name ? kind->name : "", kind->rules, kind->modify,
                      kind->targets, kind->masked, kind->copies);
    for (unsigned i = 0; i < kind->operands; i++)
        at += snprintf(name + at, 128 - (size_t)at, "%u.", kind->of_operand[i]);
}

/* What the operation makes of the operands, in a function whose parameters are targets, operands, and the lanes that
 * execute: vector v. */
static LLVMValueRef make_result(struct jit_emitter *e, const struct kind *kind, LLVMValueRef function, unsigned v)
{
    struct jit_value operand[JIT_MAX_OPERANDS], made;
    const struct jit_value *operands[JIT_MAX_OPERANDS];
    for (unsigned i = 0; i < kind->operands; i++) {
        operand[i].part[0] = jit_load_vector(e, LLVMGetParam(function, kind->targets + i), v, false);
        if (kind->of_operand[i]) jit_modify(e, kind->of_operand[i], (struct jit_value *const[]){&operand[i]});
        operands[i] = &operand[i];
    }
    made = operand[0];
    if (kind->name)
        jit_operate(e, kind->name, kind->rules, kind->operands, operands, 1, (struct jit_value *const[]){&made});
    if (kind->modify) jit_modify(e, kind->modify, (struct jit_value *const[]){&made});
    return made.part[0];
}

static unsigned places_of(const struct kind *kind) { return kind->targets + kind->operands; }

static unsigned numbers_of(const struct kind *kind) { return kind->copies == BY_PLACE ? 0 : 2; }

static void copy_numbered(struct jit_emitter *e, const struct kind *kind, LLVMValueRef function, unsigned v,
                          LLVMValueRef mask)
{
    const unsigned places = places_of(kind);
    const struct jit_numbered of = {.first = LLVMGetParam(function, places - 1),
                                    .index = jit_load_vector(e, LLVMGetParam(function, places - 2), v, false),
                                    .base = LLVMGetParam(function, places),
                                    .limit = LLVMGetParam(function, places + 1)};
    LLVMValueRef other = LLVMGetParam(function, 0);
    if (kind->copies == READS_NUMBERED)
        jit_store_vector(e, jit_read_numbered(e, &of, v), other, v);
    else
        jit_write_numbered(e, &of, v, mask, jit_load_vector(e, other, v, false));
}

/* All operands are read before a target is written, which may be the same channel. */
static void make_vector(struct jit_emitter *e, const struct kind *kind, LLVMValueRef function, unsigned v)
{
    LLVMValueRef made = NULL, mask = NULL;
    if (kind->masked) mask = jit_vector_bits(e, LLVMGetParam(function, places_of(kind) + numbers_of(kind)), v);
    if (kind->copies != BY_PLACE) {
        copy_numbered(e, kind, function, v, mask);
        return;
    }
    if (kind->operands) made = make_result(e, kind, function, v);
    for (unsigned t = 0; t < kind->targets; t++) {
        LLVMValueRef to = LLVMGetParam(function, t), value = made;
        if (!made)
            value = LLVMBuildSExt(e->build, mask, e->vector, "");
        else if (mask)
            value = LLVMBuildSelect(e->build, mask, made, jit_load_vector(e, to, v, false), "");
        jit_store_vector(e, value, to, v);
    }
}

static LLVMValueRef open_function(struct jit_emitter *e, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMAddFunction(e->module->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    jit_copy_features(e->function, function);
    jit_add_attribute(e->module, function, "nounwind");
    e->build = LLVMCreateBuilderInContext(e->module->context);
    LLVMPositionBuilderAtEnd(e->build, LLVMAppendBasicBlockInContext(e->module->context, function, ""));
    return function;
}

static void close_function(struct jit_emitter *e, LLVMBuilderRef outer)
{
    LLVMBuildRetVoid(e->build);
    LLVMDisposeBuilder(e->build);
    e->build = outer;
}

/* Its words are the numbers and the lanes that execute. */
static LLVMTypeRef type_of(const struct jit_emitter *e, unsigned places, unsigned words)
{
    LLVMTypeRef types[MOST_PARAMETERS];
    for (unsigned i = 0; i < places; i++) types[i] = e->pointer;
    for (unsigned i = 0; i < words; i++) types[places + i] = e->i32;
    return LLVMFunctionType(e->nothing, types, places + words, false);
}

static void make_function(struct jit_emitter *e, const struct kind *kind, const char *name)
{
    struct jit_compact *compact = e->compact;
    LLVMBuilderRef outer = e->build;
    const unsigned vectors = e->vectors, places = places_of(kind), numbers = numbers_of(kind);
    LLVMValueRef function = open_function(e, name, type_of(e, places, numbers + kind->masked));
    e->vectors = 1; /* one after the other: few registers are needed at once */
    for (unsigned v = 0; v < vectors; v++) make_vector(e, kind, function, v);
    e->vectors = vectors;
    close_function(e, outer);
    compact->parameters[compact->kinds] = places;
    compact->numbers[compact->kinds] = numbers;
    compact->masked[compact->kinds] = kind->masked;
    compact->of_kind[compact->kinds++] = function;
}

/* The number of a kind; END_OF_TABLE: there are too many. */
static unsigned number_of(struct jit_emitter *e, const struct kind *kind)
{
    struct jit_compact *compact = e->compact;
    char name[128];
    name_of(kind, name);
    LLVMValueRef function = LLVMGetNamedFunction(e->module->module, name);
    for (unsigned k = 0; k < compact->kinds && function; k++)
        if (compact->of_kind[k] == function) return k;
    if (compact->kinds == MOST_FUNCTIONS) return END_OF_TABLE;
    make_function(e, kind, name);
    return compact->kinds - 1;
}

/* ---- tables ---- */

static uint32_t place_of(enum base base, uint32_t channel) { return channel << BASE_BITS | (uint32_t)base; }

/* Where a channel of a space is: bases have the numbers of spaces. */
static uint32_t place_in(unsigned space, uint32_t channel)
{
    return place_of(space == SCH_SPACE_STATE ? BASE_STATE : space == SCH_SPACE_RUN ? BASE_RUN : BASE_PROGRAM, channel);
}

/* What an instruction keeps aside: its results, sources that were read by number, and numbers of its destination. */
enum { MOST_SOURCES = SCH_MAX_SRCS - 2, SCRATCH_NUMBERS = 4 * (SCH_MAX_SRCS - 1) };

static uint32_t scratch(unsigned c) { return place_of(BASE_SCRATCH, c); }

static uint32_t scratch_of_source(unsigned s, unsigned c) { return scratch(4 * (1 + s) + c); }

void jit_compact_close(struct jit_emitter *e)
{
    struct jit_compact *compact = e->compact;
    if (!compact || !compact->count) return;
    LLVMModuleRef module = e->module->module;
    compact->words[compact->count++] = END_OF_TABLE;
    LLVMValueRef data = LLVMConstStringInContext2(e->module->context, (const char *)compact->words,
                                                  compact->count * sizeof *compact->words, true);
    LLVMValueRef table = LLVMAddGlobal(module, LLVMTypeOf(data), "steps");
    LLVMSetInitializer(table, data);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetAlignment(table, 4);
    LLVMValueRef parameters[] = {compact->bases, table, jit_exec(e)};
    LLVMBuildCall2(e->build, LLVMGlobalGetValueType(compact->steps), compact->steps, parameters, 3, "");
    compact->count = 0;
}

/* `places`: and the numbers. */
static void add_step(struct jit_emitter *e, unsigned kind, const uint32_t places[])
{
    struct jit_compact *compact = e->compact;
    const unsigned count = compact->parameters[kind] + compact->numbers[kind];
    if (compact->count + 1 + count > MOST_WORDS) jit_compact_close(e);
    compact->words[compact->count++] = kind;
    for (unsigned i = 0; i < count; i++) compact->words[compact->count++] = places[i];
}

/* One step: the table continues after it. */
static LLVMValueRef take_step(struct jit_emitter *e, unsigned kind, LLVMValueRef at)
{
    const struct jit_compact *compact = e->compact;
    const unsigned places = compact->parameters[kind], numbers = compact->numbers[kind];
    LLVMValueRef bases = LLVMGetParam(compact->steps, 0), parameters[MOST_PARAMETERS];
    LLVMBuilderRef b = e->build;
    for (unsigned i = 0; i < places + numbers; i++) {
        LLVMValueRef word = LLVMBuildLoad2(b, e->i32, jit_at(e, at, sizeof(uint32_t) * (1 + i)), "");
        LLVMSetAlignment(word, 4);
        parameters[i] = word;
        if (i >= places) continue;
        LLVMValueRef number = LLVMBuildAnd(b, word, jit_word(e, (1u << BASE_BITS) - 1), "");
        LLVMValueRef index = LLVMBuildZExt(b, number, e->i64, "");
        LLVMValueRef base =
            LLVMBuildLoad2(b, e->pointer, LLVMBuildInBoundsGEP2(b, e->pointer, bases, &index, 1, ""), "");
        LLVMValueRef offset = LLVMBuildAnd(b, word, jit_word(e, ~((1u << BASE_BITS) - 1)), "");
        offset = LLVMBuildZExt(b, offset, e->i64, "");
        parameters[i] = LLVMBuildInBoundsGEP2(b, e->i8, base, &offset, 1, "");
    }
    const unsigned words = numbers + compact->masked[kind];
    parameters[places + numbers] = LLVMGetParam(compact->steps, 2);
    LLVMBuildCall2(b, type_of(e, places, words), compact->of_kind[kind], parameters, places + words, "");
    return jit_at(e, at, sizeof(uint32_t) * (1 + places + numbers));
}

void jit_compact_end(struct jit_emitter *e)
{
    struct jit_compact *compact = e->compact;
    LLVMContextRef context = e->module->context;
    LLVMBuilderRef outer = e->build, b = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, compact->steps, ""),
                      loop = LLVMAppendBasicBlockInContext(context, compact->steps, ""),
                      done = LLVMAppendBasicBlockInContext(context, compact->steps, "");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef at = LLVMBuildPhi(b, e->pointer, ""), table = LLVMGetParam(compact->steps, 1);
    LLVMAddIncoming(at, &table, &entry, 1);
    LLVMValueRef number = LLVMBuildLoad2(b, e->i32, at, "");
    LLVMSetAlignment(number, 4);
    LLVMValueRef to = LLVMBuildSwitch(b, number, done, compact->kinds);
    e->build = b;
    for (unsigned k = 0; k < compact->kinds; k++) {
        LLVMBasicBlockRef step = LLVMAppendBasicBlockInContext(context, compact->steps, "");
        LLVMAddCase(to, jit_word(e, k), step);
        LLVMPositionBuilderAtEnd(b, step);
        LLVMValueRef next = take_step(e, k, at);
        LLVMAddIncoming(at, &next, &step, 1);
        LLVMBuildBr(b, loop);
    }
    LLVMPositionBuilderAtEnd(b, done);
    close_function(e, outer);
}

/* ---- instructions ---- */

/* How many channels of each source the operation takes: those of all shapes that give one word for each channel that is
 * written or for all of them. 0: of another shape. */
static unsigned channels_taken(const struct sch_op_info *info)
{
    switch (info->shape) {
    case SCH_SHAPE_COMP:
    case SCH_SHAPE_REPL:
        return 1;
    case SCH_SHAPE_VREPL2:
        return 2;
    case SCH_SHAPE_VREPL3:
        return 3;
    case SCH_SHAPE_VREPL4:
        return 4;
    default:
        return 0;
    }
}

static bool is_one_word(unsigned modify) { return !modify || sch_modifier_words(modify) == 1; }

static bool is_at_place_or_number(unsigned access)
{
    return access == SCH_ACCESS_PLAIN || access == SCH_ACCESS_REGISTERS;
}

bool jit_has_steps(instruction *in)
{
    const unsigned taken = channels_taken(sch_op_info(in->opcode));
    bool has = taken && taken * in->src_count <= JIT_MAX_OPERANDS && in->src_count <= MOST_SOURCES &&
               in->dst_count == 1 && is_at_place_or_number(in->dst[0].access) && in->dst[0].mask && in->src_count > 0 &&
               is_one_word(in->modify);
    for (unsigned s = 0; s < in->src_count; s++)
        has = has && is_at_place_or_number(in->src[s].access) && is_one_word(in->src[s].modify);
    return has;
}

/* Derivatives of lanes that are not quads are made elsewhere, and so are the rarer operands by number. */
static bool has_steps(const struct jit_emitter *e, instruction *in, const struct sch_op_info *info)
{
    bool has = jit_has_steps(in) && (e->request->quads || !(info->flags & SCH_OPF_DERIVATIVE));
    for (unsigned s = 0; s < in->src_count && has; s++)
        has = in->src[s].access == SCH_ACCESS_PLAIN || jit_reads_numbered(e, &in->src[s]);
    return has && (in->dst[0].access == SCH_ACCESS_PLAIN || jit_writes_numbered(e, &in->dst[0]));
}

static bool is_plain(instruction *in)
{
    bool plain = in->dst[0].access == SCH_ACCESS_PLAIN;
    for (unsigned s = 0; s < in->src_count; s++) plain = plain && in->src[s].access == SCH_ACCESS_PLAIN;
    return plain;
}

/* Whether a channel that is written is read for one that is written later. */
static bool meets_itself(instruction *in)
{
    const struct sch_prepared_dst *dst = &in->dst[0];
    for (unsigned c = 1; c < 4; c++)
        for (unsigned s = 0; s < in->src_count && dst->mask >> c & 1; s++)
            for (unsigned before = 0; before < c; before++)
                if (dst->mask >> before & 1 && in->src[s].space == SCH_SPACE_STATE &&
                    in->src[s].channel[c] == dst->channel + before)
                    return true;
    return false;
}

/* The channel that a source has for channel c of the result. */
static uint32_t place_of_source(instruction *in, unsigned s, unsigned c)
{
    const struct sch_prepared_src *src = &in->src[s];
    return src->access == SCH_ACCESS_PLAIN ? place_in(src->space, src->channel[c]) : scratch_of_source(s, c);
}

/* Where the numbers of an operand are, and the rest of a step that copies by them. */
static void number_operand(const struct jit_emitter *e, const struct sch_prepared_index *index, unsigned file,
                           unsigned component, uint32_t step[4])
{
    const struct sch_prepared_file *registers = &e->program->files[file];
    step[0] = place_in(index->space, index->channel);
    step[1] = place_in(registers->space, registers->base + component);
    step[2] = (uint32_t)index->base;
    step[3] = registers->count;
}

/* Reads the channels `mask` of the sources that are known by number, in front of the instruction. */
static bool read_numbered(struct jit_emitter *e, instruction *in, unsigned mask)
{
    static const struct kind read = {.operands = 2, .targets = 1, .copies = READS_NUMBERED};
    for (unsigned s = 0; s < in->src_count; s++) {
        const struct sch_prepared_src *src = &in->src[s];
        if (src->access == SCH_ACCESS_PLAIN) continue;
        const unsigned number = number_of(e, &read);
        if (number == END_OF_TABLE) return false;
        for (unsigned left = mask; left; left &= left - 1) {
            const unsigned c = (unsigned)__builtin_ctz(left);
            uint32_t step[5] = {scratch_of_source(s, c)};
            number_operand(e, &src->index, src->file, src->swizzle[c], step + 1);
            add_step(e, number, step);
        }
    }
    return true;
}

/* Writes the results that were kept aside. The numbers are copied first, as a register of them may be written. */
static bool write_numbered(struct jit_emitter *e, const struct sch_prepared_dst *dst, bool masked)
{
    const struct kind copy = {.operands = 1, .targets = 1},
                      write = {.operands = 2, .targets = 1, .masked = masked, .copies = WRITES_NUMBERED};
    const unsigned copies = number_of(e, &copy), writes = number_of(e, &write);
    if (copies == END_OF_TABLE || writes == END_OF_TABLE) return false;
    add_step(e, copies, (uint32_t[]){scratch(SCRATCH_NUMBERS), place_in(dst->index.space, dst->index.channel)});
    for (unsigned mask = dst->mask; mask; mask &= mask - 1) {
        const unsigned c = (unsigned)__builtin_ctz(mask);
        uint32_t step[5] = {scratch(c)};
        number_operand(e, &dst->index, dst->file, c, step + 1);
        step[1] = scratch(SCRATCH_NUMBERS);
        add_step(e, writes, step);
    }
    return true;
}

static bool each_channel(struct jit_emitter *e, instruction *in, struct kind *kind)
{
    const bool by_number = in->dst[0].access != SCH_ACCESS_PLAIN, masked = kind->masked,
               aside = by_number || meets_itself(in);
    const struct kind copy = {.operands = 1, .targets = 1, .masked = kind->masked};
    if (aside) kind->masked = false;
    const unsigned number = number_of(e, kind), copies = aside && !by_number ? number_of(e, &copy) : 0;
    if (number == END_OF_TABLE || copies == END_OF_TABLE || !read_numbered(e, in, in->dst[0].mask)) return false;
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        const unsigned c = (unsigned)__builtin_ctz(mask);
        uint32_t places[MOST_PARAMETERS];
        places[0] = aside ? scratch(c) : place_of(BASE_STATE, in->dst[0].channel + c);
        for (unsigned s = 0; s < in->src_count; s++) places[1 + s] = place_of_source(in, s, c);
        add_step(e, number, places);
    }
    if (by_number) return write_numbered(e, &in->dst[0], masked);
    for (unsigned mask = aside ? in->dst[0].mask : 0; mask; mask &= mask - 1) {
        const unsigned c = (unsigned)__builtin_ctz(mask);
        add_step(e, copies, (uint32_t[]){place_of(BASE_STATE, in->dst[0].channel + c), scratch(c)});
    }
    return true;
}

static bool all_channels(struct jit_emitter *e, instruction *in, struct kind *kind, unsigned taken)
{
    const bool by_number = in->dst[0].access != SCH_ACCESS_PLAIN, masked = kind->masked;
    if (by_number) kind->masked = false;
    const unsigned number = number_of(e, kind);
    if (number == END_OF_TABLE || !read_numbered(e, in, (1u << taken) - 1)) return false;
    uint32_t places[MOST_PARAMETERS];
    unsigned count = 0;
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        const unsigned c = (unsigned)__builtin_ctz(mask);
        places[count++] = by_number ? scratch(c) : place_of(BASE_STATE, in->dst[0].channel + c);
    }
    for (unsigned s = 0; s < in->src_count; s++)
        for (unsigned c = 0; c < taken; c++) places[count++] = place_of_source(in, s, c);
    add_step(e, number, places);
    return !by_number || write_numbered(e, &in->dst[0], masked);
}

bool jit_compact(struct jit_emitter *e, instruction *in, const struct sch_op_info *info)
{
    const unsigned taken = channels_taken(info);
    if (!has_steps(e, in, info)) return false;
    const bool each = info->shape == SCH_SHAPE_COMP;
    struct kind kind = {.name = info->name,
                        .rules = in->rules,
                        .modify = in->modify,
                        .operands = taken * in->src_count,
                        .targets = each ? 1 : (unsigned)__builtin_popcount(in->dst[0].mask)};
    for (unsigned i = 0; i < kind.operands; i++) kind.of_operand[i] = in->src[i / taken].modify;
    jit_exec(e);
    for (unsigned c = 0; c < 4 && !jit_is_all(e); c++)
        kind.masked = kind.masked || in->dst[0].access != SCH_ACCESS_PLAIN ||
                      (in->dst[0].mask >> c & 1 && jit_is_masked(e, &in->dst[0], c));
    return each ? each_channel(e, in, &kind) : all_channels(e, in, &kind, taken);
}

/* ---- operands of lookups ---- */

static bool is_one_place(const struct sch_prepared_src *src)
{
    return src->access == SCH_ACCESS_PLAIN && is_one_word(src->modify);
}

bool jit_compact_operand(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, unsigned argument)
{
    const struct kind kind = {.operands = 1, .targets = 1, .of_operand = {src->modify}};
    if (!e->compact || !is_one_place(src)) return false;
    const unsigned number = number_of(e, &kind);
    if (number == END_OF_TABLE) return false;
    add_step(e, number, (uint32_t[]){place_of(BASE_ARGUMENTS, argument), place_in(src->space, src->channel[c])});
    return true;
}

bool jit_compact_quotient(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c,
                          const struct sch_prepared_src *by, unsigned argument)
{
    const struct kind kind = {.name = "DIV", .operands = 2, .targets = 1, .of_operand = {src->modify, by->modify}};
    if (!e->compact || !is_one_place(src) || !is_one_place(by)) return false;
    const unsigned number = number_of(e, &kind);
    if (number == END_OF_TABLE) return false;
    add_step(e, number,
             (uint32_t[]){place_of(BASE_ARGUMENTS, argument), place_in(src->space, src->channel[c]),
                          place_in(by->space, by->channel[3])});
    return true;
}

bool jit_compact_lanes(struct jit_emitter *e, unsigned argument)
{
    const struct kind kind = {.targets = 1, .masked = true};
    const unsigned number = e->compact ? number_of(e, &kind) : END_OF_TABLE;
    if (number == END_OF_TABLE) return false;
    add_step(e, number, (uint32_t[]){place_of(BASE_ARGUMENTS, argument)});
    return true;
}

bool jit_compact_result(struct jit_emitter *e, instruction *in, unsigned c, unsigned argument)
{
    const struct sch_prepared_dst *dst = &in->dst[0];
    if (!e->compact || dst->access != SCH_ACCESS_PLAIN || !is_one_word(in->modify)) return false;
    jit_exec(e);
    const struct kind kind = {
        .modify = in->modify, .operands = 1, .targets = 1, .masked = !jit_is_all(e) && jit_is_masked(e, dst, c)};
    const unsigned number = number_of(e, &kind);
    if (number == END_OF_TABLE) return false;
    add_step(e, number, (uint32_t[]){place_of(BASE_STATE, dst->channel + c), place_of(BASE_ARGUMENTS, argument)});
    return true;
}

static void set_base(struct jit_emitter *e, enum base base, LLVMValueRef to)
{
    LLVMValueRef index = jit_long(e, base);
    LLVMBuildStore(e->entry, to, LLVMBuildInBoundsGEP2(e->entry, e->pointer, e->compact->bases, &index, 1, ""));
}

LLVMValueRef jit_compact_memory(struct jit_emitter *e, unsigned arguments)
{
    LLVMValueRef memory = jit_variable(e, LLVMArrayType2(e->i32, (uint64_t)arguments * SCH_GROUP_LANES), "");
    LLVMSetAlignment(memory, 64);
    set_base(e, BASE_ARGUMENTS, memory);
    return memory;
}

/* ---- what a group begins with ---- */

/* (first vector, their number): writes zeros. */
static LLVMValueRef make_clear(struct jit_emitter *e)
{
    LLVMTypeRef types[] = {e->pointer, e->i64};
    LLVMBuilderRef outer = e->build;
    LLVMValueRef function = open_function(e, "clear", LLVMFunctionType(e->nothing, types, 2, false));
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->build),
                      loop = LLVMAppendBasicBlockInContext(e->module->context, function, ""),
                      done = LLVMAppendBasicBlockInContext(e->module->context, function, "");
    LLVMBuildBr(e->build, loop);
    LLVMPositionBuilderAtEnd(e->build, loop);
    LLVMValueRef at = LLVMBuildPhi(e->build, e->i64, ""), zero = jit_long(e, 0);
    LLVMValueRef to = LLVMBuildInBoundsGEP2(e->build, e->vector, LLVMGetParam(function, 0), &at, 1, "");
    LLVMSetAlignment(LLVMBuildStore(e->build, LLVMConstNull(e->vector), to), e->lanes * 4);
    LLVMValueRef next = LLVMBuildAdd(e->build, at, jit_long(e, 1), "");
    LLVMAddIncoming(at, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntULT, next, LLVMGetParam(function, 1), ""), loop, done);
    LLVMPositionBuilderAtEnd(e->build, done);
    close_function(e, outer);
    return function;
}

static void note_reads(const uint64_t *written, instruction *in, uint64_t *wanted)
{
    for (unsigned s = 0; s < in->src_count; s++)
        for (unsigned c = 0; c < 4 && in->src[s].space == SCH_SPACE_STATE; c++)
            if (!sch_ir_set_has(written, in->src[s].channel[c])) sch_ir_set_add(wanted, in->src[s].channel[c]);
}

/* Channels that are written in all lanes, by what each group executes first, before they are read: these need not be
 * zero. */
static bool find_written(struct jit_emitter *e, uint64_t *written)
{
    const size_t words = sch_ir_set_words(e->channel_count);
    uint64_t *read = SCH_ARENA_ARRAY(&e->arena, uint64_t, words);
    if (!read) return false;
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        instruction *in = &e->program->instructions[n];
        const struct sch_op_info *info = sch_op_info(in->opcode);
        if (!has_steps(e, in, info) || !is_plain(in)) break;
        note_reads(written, in, read);
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t channel = in->dst[0].channel + c;
            if (in->dst[0].mask >> c & 1 && (e->plan.liveness.unmasked[n] >> c & 1) && !sch_ir_set_has(read, channel))
                sch_ir_set_add(written, channel);
        }
    }
    return true;
}

/* The bases, and the function that takes steps, whose body is made when all kinds are known. */
static void open_steps(struct jit_emitter *e)
{
    struct jit_compact *compact = e->compact;
    LLVMTypeRef types[] = {e->pointer, e->pointer, e->i32};
    compact->bases = jit_variable(e, LLVMArrayType2(e->pointer, BASE_COUNT), "bases");
    LLVMValueRef index = jit_long(e, offsetof(struct sch_group, scratch));
    set_base(e, BASE_STATE, e->state);
    set_base(e, BASE_RUN, e->constants);
    set_base(e, BASE_PROGRAM, e->immediates);
    set_base(e, BASE_SCRATCH, LLVMBuildInBoundsGEP2(e->entry, e->i8, e->group, &index, 1, ""));
    compact->steps = LLVMAddFunction(e->module->module, "take_steps", LLVMFunctionType(e->nothing, types, 3, false));
    LLVMSetLinkage(compact->steps, LLVMInternalLinkage);
    jit_copy_features(e->function, compact->steps);
    jit_add_attribute(e->module, compact->steps, "nounwind");
}

/* Channels of the state, which a group must have as zeros. */
static void clear_registers(struct jit_emitter *e)
{
    static const uint8_t files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    uint64_t *written = SCH_ARENA_ARRAY(&e->arena, uint64_t, sch_ir_set_words(e->channel_count));
    if (!written || !find_written(e, written)) {
        e->status = SCH_ERROR_MEMORY;
        return;
    }
    LLVMValueRef function = NULL;
    LLVMBuilderRef outer = e->build;
    for (unsigned f = 0; f < sizeof files; f++) {
        const struct sch_prepared_file *file = &e->program->files[files[f]];
        if (!file->stored || file->space != SCH_SPACE_STATE || e->program->indexed >> files[f] & 1) continue;
        uint32_t first = file->base, end = file->base + 4 * file->count;
        while (first < end && sch_ir_set_has(written, first)) first++;
        while (end > first && sch_ir_set_has(written, end - 1)) end--;
        if (first == end) continue;
        if (!function) function = make_clear(e);
        e->build = e->zeros;
        LLVMValueRef parameters[] = {jit_at(e, e->state, (uint64_t)first * sizeof(struct sch_lanes)),
                                     jit_long(e, (uint64_t)(end - first) * e->vectors)};
        LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, parameters, 2, "");
        e->build = outer;
    }
}

void jit_compact_begin(struct jit_emitter *e)
{
    open_steps(e);
    clear_registers(e);
}
