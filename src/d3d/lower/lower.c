/* Lowering, the frame: collects instructions, immediates and declarations, walks the program and makes the shader. What
 * the instructions become is in lower.def and the files that its rows lead to. */
#include "d3d/lower/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/errors.h"

enum { MOST_REPORTS = 20 };

static const struct sch_lower_row rows[SCH_D3D_OP_LIMIT] = {
#define LOWER(opcode, how, op, other, order)                                                                           \
    [SCH_D3D_OP_##opcode] = {sch_lower_##how, SCH_OP_##op, SCH_OP_##other, order},
#include "d3d/lower/lower.def"
#undef LOWER
};

unsigned sch_d3d_lowers_to(unsigned opcode, unsigned made[2])
{
    unsigned count = 0;
    if (opcode >= SCH_D3D_OP_LIMIT) return 0;
    if (rows[opcode].op != SCH_OP_NOP) made[count++] = rows[opcode].op;
    if (rows[opcode].other != SCH_OP_NOP) made[count++] = rows[opcode].other;
    return rows[opcode].lower ? count : 0;
}

void sch_lower_refuse(struct sch_lower *l, const char *format, ...)
{
    if (l->status == SCH_STATUS_OK) l->status = SCH_STATUS_UNSUPPORTED;
    unsigned opcode = l->at ? l->at->opcode : SCH_D3D_OP_NOP;
    if (l->refused[opcode] || l->reports >= MOST_REPORTS) return;
    l->refused[opcode] = true;
    l->reports++;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_position position = l->at ? l->at->position : (struct sch_position){0};
    sch_diagnostics_add(l->diagnostics, SCH_SEVERITY_ERROR, SCH_D_D3D_NOT_LOWERED, position, "%s: %s",
                        l->at ? sch_d3d_op_info(opcode)->word : "program", message);
}

/* ---- collecting ---- */

struct sch_ir_instruction *sch_lower_add(struct sch_lower *l, unsigned opcode)
{
    bool full = l->count >= l->out->limits.instructions;
    if (full || !SCH_ARENA_GROW(&l->arena, l->instructions, l->capacity, l->count)) {
        if (full) l->status = SCH_STATUS_LIMIT;
        l->count = 0; /* the first one was there from the beginning */
    }
    struct sch_ir_instruction *made = &l->instructions[l->count++];
    *made = (struct sch_ir_instruction){.opcode = (uint16_t)opcode};
    if (l->at) made->position = l->at->position;
    return made;
}

void sch_lower_declare(struct sch_lower *l, const struct sch_ir_declaration *declaration)
{
    if (!SCH_ARENA_GROW(&l->arena, l->declarations, l->declaration_capacity, l->declaration_count)) return;
    l->declarations[l->declaration_count++] = *declaration;
}

static bool has_words(const struct sch_ir_immediate *immediate, const uint32_t words[4], unsigned type)
{
    return immediate->type == type && memcmp(immediate->word, words, sizeof immediate->word) == 0;
}

struct sch_ir_src sch_lower_immediate(struct sch_lower *l, const uint32_t words[4], bool is_float)
{
    unsigned type = is_float ? SCH_IMMEDIATE_FLT32 : SCH_IMMEDIATE_UINT32;
    /* The immediate constant buffer stands alone; looking back a little bounds the cost of long programs. */
    enum { LOOK_BACK = 256 };
    size_t from = l->immediate_count > LOOK_BACK ? l->immediate_count - LOOK_BACK : 0;
    if (from < l->constant_count) from = l->constant_count;
    for (size_t i = from; i < l->immediate_count; i++)
        if (has_words(&l->immediates[i], words, type)) return sch_ir_src(SCH_FILE_IMMEDIATE, (int)i);
    if (l->immediate_count >= INT16_MAX) {
        sch_lower_refuse(l, "more immediate values than there are registers");
        return sch_lower_of(SCH_FILE_IMMEDIATE);
    }
    if (!SCH_ARENA_GROW(&l->arena, l->immediates, l->immediate_capacity, l->immediate_count))
        return sch_lower_of(SCH_FILE_IMMEDIATE);
    struct sch_ir_immediate *made = &l->immediates[l->immediate_count];
    *made = (struct sch_ir_immediate){.type = (uint8_t)type};
    memcpy(made->word, words, sizeof made->word);
    return sch_ir_src(SCH_FILE_IMMEDIATE, (int)l->immediate_count++);
}

struct sch_ir_src sch_lower_word(struct sch_lower *l, uint32_t word)
{
    return sch_lower_immediate(l, (const uint32_t[4]){word, word, word, word}, false);
}

struct sch_ir_src sch_lower_float(struct sch_lower *l, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return sch_lower_immediate(l, (const uint32_t[4]){word, word, word, word}, true);
}

uint16_t sch_lower_scratch(struct sch_lower *l)
{
    uint32_t number = l->fixed + l->used++;
    if (l->used > l->most) l->most = l->used;
    if (number >= INT16_MAX) {
        sch_lower_refuse(l, "more temporaries than there are registers");
        return 0;
    }
    return (uint16_t)number;
}

struct sch_ir_src sch_lower_temp(uint16_t number) { return sch_ir_src(SCH_FILE_TEMPORARY, number); }

struct sch_ir_dst sch_lower_temp_dst(uint16_t number, unsigned mask)
{
    struct sch_ir_dst dst = sch_ir_dst(SCH_FILE_TEMPORARY, number);
    dst.write_mask = (uint8_t)mask;
    return dst;
}

struct sch_ir_src sch_lower_splat(struct sch_ir_src src, unsigned component)
{
    uint8_t from = src.swizzle[component & 3];
    memset(src.swizzle, from, sizeof src.swizzle);
    return src;
}

struct sch_ir_instruction *sch_lower_emit(struct sch_lower *l, unsigned opcode, struct sch_ir_dst dst,
                                          const struct sch_ir_src *sources, unsigned count)
{
    struct sch_ir_instruction *made = sch_lower_add(l, opcode);
    made->dst_count = 1;
    made->dst[0] = dst;
    made->src_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) made->src[i] = sources[i];
    return made;
}

struct sch_ir_instruction *sch_lower_1(struct sch_lower *l, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src a)
{
    return sch_lower_emit(l, opcode, dst, &a, 1);
}

struct sch_ir_instruction *sch_lower_2(struct sch_lower *l, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src a,
                                       struct sch_ir_src b)
{
    const struct sch_ir_src sources[] = {a, b};
    return sch_lower_emit(l, opcode, dst, sources, 2);
}

struct sch_ir_instruction *sch_lower_3(struct sch_lower *l, unsigned opcode, struct sch_ir_dst dst, struct sch_ir_src a,
                                       struct sch_ir_src b, struct sch_ir_src c)
{
    const struct sch_ir_src sources[] = {a, b, c};
    return sch_lower_emit(l, opcode, dst, sources, 3);
}

/* ---- the shader ---- */

void sch_lower_instruction(struct sch_lower *l, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(instruction->opcode);
    if (info->flags & SCH_D3D_F_DECLARATION) return;
    if (l->after_return && instruction->opcode != SCH_D3D_OP_LABEL) return; /* never reached */
    l->at = instruction;
    l->used = 0;
    l->addresses = 0;
    const struct sch_lower_row *row = &rows[instruction->opcode];
    if (row->lower)
        row->lower(l, row);
    else
        sch_lower_refuse(l, "this instruction is not lowered yet");
}

static enum sch_status status_of(enum sch_ir_status status)
{
    return status == SCH_IR_OK ? SCH_STATUS_OK : status == SCH_IR_LIMIT ? SCH_STATUS_LIMIT : SCH_STATUS_MEMORY;
}

static void declare_temps(struct sch_lower *l, uint32_t from, uint32_t end)
{
    if (from >= end) return;
    struct sch_ir_declaration temps = {
        .file = SCH_FILE_TEMPORARY, .usage_mask = 15, .first = (uint16_t)from, .last = (uint16_t)(end - 1)};
    sch_lower_declare(l, &temps);
}

/* Temporaries around the arrays, address registers: what is known only now. */
static void declare_registers(struct sch_lower *l)
{
    if (l->array_end > l->temps) {
        declare_temps(l, 0, l->temps);
        declare_temps(l, l->array_end, l->fixed + l->most);
    } else {
        declare_temps(l, 0, l->fixed + l->most);
    }
    if (!l->most_address) return;
    struct sch_ir_declaration address = {
        .file = SCH_FILE_ADDRESS, .usage_mask = 15, .last = (uint16_t)((l->most_address - 1) / 4)};
    sch_lower_declare(l, &address);
}

static enum sch_status fill(struct sch_lower *l)
{
    enum sch_ir_status status = sch_ir_reserve(l->out, l->declaration_count, l->immediate_count, l->count);
    for (size_t i = 0; i < l->declaration_count && status == SCH_IR_OK; i++)
        status = sch_ir_add_declaration(l->out, &l->declarations[i]);
    for (size_t i = 0; i < l->immediate_count && status == SCH_IR_OK; i++)
        status = sch_ir_add_immediate(l->out, &l->immediates[i]);
    for (size_t i = 0; i < l->count && status == SCH_IR_OK; i++)
        status = sch_ir_add_instruction(l->out, &l->instructions[i]);
    return status_of(status);
}

static void lower_instructions(struct sch_lower *l)
{
    for (size_t i = 0; i < l->program->count; i++) sch_lower_instruction(l, &l->program->instructions[i]);
    l->at = NULL;
}

static bool list_ranges(struct sch_lower *l)
{
    if (!sch_d3d_list_ranges(l->program, &l->arena, &l->ranges)) return false;
    if (l->ranges.count) l->placed = SCH_ARENA_ARRAY(&l->arena, struct sch_lower_resource, l->ranges.count);
    return !l->ranges.count || l->placed;
}

static void lower_program(struct sch_lower *l)
{
    if (!list_ranges(l)) return;
    sch_lower_declarations(l);
    if (l->status != SCH_STATUS_OK || l->arena.failed) return;
    l->at = NULL;
    sch_lower_prologue(l);
    if (l->program->stage == SCH_D3D_HULL)
        sch_lower_hull(l);
    else
        lower_instructions(l);
    if (!l->in_subroutine && !l->after_return) sch_lower_add(l, SCH_OP_END);
    if (l->in_subroutine && !l->after_return) sch_lower_add(l, SCH_OP_ENDSUB);
    for (size_t i = 0; i < l->count; i++) {
        if (l->instructions[i].opcode != SCH_OP_CAL) continue;
        uint32_t label = l->instructions[i].label;
        if (label >= l->label_count || !l->labels[label]) {
            sch_lower_refuse(l, "%s%u is called and is not there",
                             label % SCH_LOWER_LABELS == SCH_LOWER_BODY ? "fb" : "l", label / SCH_LOWER_LABELS);
            continue;
        }
        l->instructions[i].label = l->labels[label] - 1;
    }
    declare_registers(l);
}

static enum sch_stage stage_of(unsigned stage)
{
    static const uint8_t stages[SCH_D3D_STAGE_COUNT] = {
        [SCH_D3D_PIXEL] = SCH_STAGE_FRAGMENT,    [SCH_D3D_VERTEX] = SCH_STAGE_VERTEX,
        [SCH_D3D_GEOMETRY] = SCH_STAGE_GEOMETRY, [SCH_D3D_HULL] = SCH_STAGE_TESS_CTRL,
        [SCH_D3D_DOMAIN] = SCH_STAGE_TESS_EVAL,  [SCH_D3D_COMPUTE] = SCH_STAGE_COMPUTE};
    return (enum sch_stage)stages[stage];
}

enum sch_status sch_d3d_lower(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              const struct sch_allocator *allocator, const struct sch_limits *limits,
                              struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader)
{
    *shader = NULL;
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_lower *l = SCH_ARENA_NEW(&arena, struct sch_lower);
    if (!l) {
        sch_arena_release(&arena);
        return SCH_STATUS_MEMORY;
    }
    l->arena = arena;
    l->program = program;
    l->signatures = signatures;
    l->diagnostics = diagnostics;
    l->out = sch_ir_create(allocator, stage_of(program->stage), limits);
    bool begun = l->out && SCH_ARENA_GROW(&l->arena, l->instructions, l->capacity, l->count);
    l->status = begun ? SCH_STATUS_OK : SCH_STATUS_MEMORY;
    if (begun) lower_program(l);
    if (l->arena.failed) l->status = SCH_STATUS_MEMORY;
    if (l->status == SCH_STATUS_OK) l->status = fill(l);
    enum sch_status status = l->status;
    if (status == SCH_STATUS_OK)
        *shader = l->out;
    else
        sch_ir_destroy(l->out);
    arena = l->arena; /* `l` itself is in it */
    sch_arena_release(&arena);
    return status;
}
