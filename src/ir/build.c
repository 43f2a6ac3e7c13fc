/* Collecting what a shader will be made of, and making it. */
#include "ir/build.h"

#include <string.h>

bool sch_build_begin(struct sch_build *b, struct sch_arena *arena, enum sch_stage stage,
                     const struct sch_allocator *allocator, const struct sch_limits *limits)
{
    b->arena = arena;
    b->shader = sch_ir_create(allocator, stage, limits);
    bool begun = b->shader && SCH_ARENA_GROW(arena, b->instructions, b->capacity, b->count);
    b->status = begun ? SCH_OK : SCH_ERROR_MEMORY;
    return begun;
}

/* ---- declarations ---- */

struct sch_ir_declaration sch_build_registers(unsigned file, uint32_t first, uint32_t last)
{
    return (struct sch_ir_declaration){.file = (uint8_t)file, .usage_mask = 15, .first = first, .last = last};
}

struct sch_ir_declaration sch_build_semantic(unsigned file, uint32_t index, unsigned semantic, unsigned semantic_index)
{
    struct sch_ir_declaration made = sch_build_registers(file, index, index);
    made.has_semantic = true;
    made.semantic = (uint8_t)semantic;
    made.semantic_index = (uint16_t)semantic_index;
    return made;
}

struct sch_ir_declaration sch_build_buffer(unsigned file, uint32_t buffer, uint32_t count)
{
    struct sch_ir_declaration made = sch_build_registers(file, 0, count - 1);
    made.has_dimension = true;
    made.dimension = (uint16_t)buffer;
    return made;
}

void sch_build_declare(struct sch_build *b, const struct sch_ir_declaration *declaration)
{
    if (!SCH_ARENA_GROW(b->arena, b->declarations, b->declaration_capacity, b->declaration_count)) return;
    b->declarations[b->declaration_count++] = *declaration;
}

void sch_build_property(struct sch_build *b, enum sch_property name, uint32_t value)
{
    const struct sch_ir_property made = {.name = (uint8_t)name, .count = 1, .value = {value}};
    enum sch_result status = sch_ir_add_property(b->shader, &made);
    if (status != SCH_OK) b->status = status;
}

/* ---- immediates ---- */

static struct sch_ir_immediate *new_immediate(struct sch_build *b, const uint32_t words[4], unsigned type)
{
    if (!SCH_ARENA_GROW(b->arena, b->immediates, b->immediate_capacity, b->immediate_count)) return NULL;
    struct sch_ir_immediate *made = &b->immediates[b->immediate_count++];
    *made = (struct sch_ir_immediate){.type = (uint8_t)type};
    memcpy(made->word, words, sizeof made->word);
    return made;
}

bool sch_build_vector(struct sch_build *b, const uint32_t words[4])
{
    if (!new_immediate(b, words, SCH_IMMEDIATE_UINT32)) return false;
    b->vectors = b->immediate_count;
    return true;
}

static bool has_words(const struct sch_ir_immediate *immediate, const uint32_t words[4], unsigned type)
{
    return immediate->type == type && memcmp(immediate->word, words, sizeof immediate->word) == 0;
}

struct sch_ir_src sch_build_immediate(struct sch_build *b, const uint32_t words[4], bool is_float)
{
    unsigned type = is_float ? SCH_IMMEDIATE_FLT32 : SCH_IMMEDIATE_UINT32;
    enum { LOOK_BACK = 256 }; /* bounds what long programs cost */
    size_t from = b->immediate_count > LOOK_BACK ? b->immediate_count - LOOK_BACK : 0;
    if (from < b->vectors) from = b->vectors;
    for (size_t i = from; i < b->immediate_count; i++)
        if (has_words(&b->immediates[i], words, type)) return sch_ir_src(SCH_FILE_IMMEDIATE, (int)i);
    if (b->immediate_count >= SCH_BUILD_NOWHERE) {
        b->refuse(b->user, "more immediate values than there are registers");
        return sch_ir_src(SCH_FILE_IMMEDIATE, 0);
    }
    int number = (int)b->immediate_count;
    return sch_ir_src(SCH_FILE_IMMEDIATE, new_immediate(b, words, type) ? number : 0);
}

struct sch_ir_src sch_build_word(struct sch_build *b, uint32_t word)
{
    return sch_build_immediate(b, (const uint32_t[4]){word, word, word, word}, false);
}

struct sch_ir_src sch_build_float(struct sch_build *b, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return sch_build_immediate(b, (const uint32_t[4]){word, word, word, word}, true);
}

/* ---- temporaries ---- */

uint32_t sch_build_temp(struct sch_build *b) { return b->temps++; }

uint32_t sch_build_scratch(struct sch_build *b)
{
    uint32_t number = b->temps + b->used++;
    if (b->used > b->most) b->most = b->used;
    if (number < SCH_BUILD_NOWHERE) return number;
    b->refuse(b->user, "more temporaries than there are registers");
    return 0;
}

void sch_build_next(struct sch_build *b)
{
    b->used = 0;
    b->addresses = 0;
}

/* ---- operands ---- */

struct sch_ir_src sch_build_temp_src(uint32_t number) { return sch_ir_src(SCH_FILE_TEMPORARY, (int)number); }

struct sch_ir_dst sch_build_masked(enum sch_file file, int index, unsigned mask)
{
    struct sch_ir_dst dst = sch_ir_dst(file, index);
    dst.write_mask = (uint8_t)mask;
    return dst;
}

struct sch_ir_dst sch_build_temp_dst(uint32_t number, unsigned mask)
{
    return sch_build_masked(SCH_FILE_TEMPORARY, (int)number, mask);
}

struct sch_ir_src sch_build_splat(struct sch_ir_src src, unsigned component)
{
    uint8_t from = src.swizzle[component & 3];
    memset(src.swizzle, from, sizeof src.swizzle);
    return src;
}

void sch_build_address(struct sch_build *b, struct sch_ir_src src, struct sch_ir_bracket *bracket)
{
    uint32_t place = b->addresses++;
    if (b->addresses > b->most_addresses) b->most_addresses = b->addresses;
    sch_build_1(b, SCH_OP_UARL, sch_build_masked(SCH_FILE_ADDRESS, (int)(place / 4), 1u << (place & 3)), src);
    bracket->is_indirect = true;
    bracket->indirect = (struct sch_ir_indirect){
        .file = SCH_FILE_ADDRESS, .component = (uint8_t)(place & 3), .index = (int32_t)(place / 4)};
}

/* ---- instructions ---- */

struct sch_ir_instruction *sch_build_add(struct sch_build *b, unsigned opcode)
{
    bool full = b->count >= b->shader->limits.instructions;
    if (full || !SCH_ARENA_GROW(b->arena, b->instructions, b->capacity, b->count)) {
        if (full) b->status = SCH_ERROR_LIMIT;
        b->count = 0; /* the first one was there from the beginning */
    }
    struct sch_ir_instruction *made = &b->instructions[b->count++];
    *made = (struct sch_ir_instruction){.opcode = (uint16_t)opcode, .position = b->position};
    return made;
}

struct sch_ir_instruction *sch_build_emit(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst,
                                          const struct sch_ir_src *sources, unsigned count)
{
    struct sch_ir_instruction *made = sch_build_add(b, opcode);
    made->dst_count = 1;
    made->dst[0] = dst;
    made->src_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) made->src[i] = sources[i];
    return made;
}

struct sch_ir_instruction *sch_build_1(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src a)
{
    return sch_build_emit(b, opcode, dst, &a, 1);
}

struct sch_ir_instruction *sch_build_2(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src x,
                                       struct sch_ir_src y)
{
    const struct sch_ir_src sources[] = {x, y};
    return sch_build_emit(b, opcode, dst, sources, 2);
}

struct sch_ir_instruction *sch_build_3(struct sch_build *b, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src x,
                                       struct sch_ir_src y, struct sch_ir_src z)
{
    const struct sch_ir_src sources[] = {x, y, z};
    return sch_build_emit(b, opcode, dst, sources, 3);
}

struct sch_ir_instruction *sch_build_test(struct sch_build *b, unsigned opcode, struct sch_ir_src src)
{
    struct sch_ir_instruction *made = sch_build_add(b, opcode);
    made->src_count = 1;
    made->src[0] = src;
    return made;
}

/* ---- labels ---- */

bool sch_build_label(struct sch_build *b, uint32_t label)
{
    while (label >= b->label_capacity)
        if (!SCH_ARENA_GROW(b->arena, b->labels, b->label_capacity, b->label_capacity)) return false;
    b->labels[label] = (uint32_t)b->count + 1;
    if (label >= b->label_count) b->label_count = label + 1;
    return true;
}

void sch_build_call(struct sch_build *b, uint32_t label)
{
    struct sch_ir_instruction *made = sch_build_add(b, SCH_OP_CAL);
    made->has_label = true;
    made->label = label;
}

uint32_t sch_build_link(struct sch_build *b)
{
    uint32_t missing = UINT32_MAX;
    for (size_t i = 0; i < b->count; i++) {
        struct sch_ir_instruction *call = &b->instructions[i];
        if (call->opcode != SCH_OP_CAL) continue;
        bool there = call->label < b->label_count && b->labels[call->label];
        if (!there && missing == UINT32_MAX) missing = call->label;
        call->label = there ? b->labels[call->label] - 1 : 0;
    }
    return missing;
}

/* ---- the end ---- */

static void declare_range(struct sch_build *b, unsigned file, uint32_t first, uint32_t end)
{
    struct sch_ir_declaration made = sch_build_registers(file, first, end - 1);
    if (first < end) sch_build_declare(b, &made);
}

static enum sch_result fill(struct sch_build *b)
{
    struct sch_ir_shader *shader = b->shader;
    enum sch_result status = sch_ir_reserve(shader, b->declaration_count, b->immediate_count, b->count);
    for (size_t i = 0; i < b->declaration_count && status == SCH_OK; i++)
        status = sch_ir_add_declaration(shader, &b->declarations[i]);
    for (size_t i = 0; i < b->immediate_count && status == SCH_OK; i++)
        status = sch_ir_add_immediate(shader, &b->immediates[i]);
    for (size_t i = 0; i < b->count && status == SCH_OK; i++)
        status = sch_ir_add_instruction(shader, &b->instructions[i]);
    return status;
}

enum sch_result sch_build_finish(struct sch_build *b, struct sch_ir_shader **shader)
{
    *shader = NULL;
    if (b->status == SCH_OK) {
        declare_range(b, SCH_FILE_TEMPORARY, b->first_temp, b->temps + b->most);
        declare_range(b, SCH_FILE_ADDRESS, 0, (b->most_addresses + 3) / 4);
    }
    if (b->arena->failed) b->status = SCH_ERROR_MEMORY;
    if (b->status == SCH_OK) b->status = fill(b);
    if (b->status == SCH_OK)
        *shader = b->shader;
    else
        sch_ir_destroy(b->shader);
    b->shader = NULL;
    return b->status;
}
