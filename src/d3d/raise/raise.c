/* Raising, the frame: collects instructions, walks the shader, and makes a program with its container. What the opcodes
 * become is in raise.def and the files that its rows lead to. */
#include "d3d/raise/raise.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "d3d/check/check.h"

enum { MOST_REPORTS = 20, MOST_OPERANDS = SCH_D3D_MAX_OPERANDS };

static const struct sch_raise_row rows[SCH_OP_LIMIT] = {
#define RAISE(opcode, how, op, other, order)                                                                           \
    [SCH_OP_##opcode] = {sch_raise_##how, SCH_D3D_OP_##op, SCH_D3D_OP_##other, order},
#include "d3d/raise/raise.def"
#undef RAISE
};

void sch_raise_refuse(struct sch_raise *r, enum sch_diagnostic_code code, const char *format, ...)
{
    if (r->status == SCH_OK) r->status = SCH_ERROR_UNSUPPORTED;
    if (r->reports >= MOST_REPORTS || (r->at && r->refused[r->at->opcode])) return;
    if (r->at) r->refused[r->at->opcode] = true;
    r->reports++;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_position position = r->at ? r->at->position : (struct sch_position){0};
    const struct sch_op_info *info = r->at ? sch_op_info(r->at->opcode) : NULL;
    sch_diagnostics_add(r->diagnostics, SCH_SEVERITY_ERROR, code, position, "%s%s%s", info ? info->name : "",
                        info ? ": " : "", message);
}

/* ---- collecting ---- */

static struct sch_d3d_instruction *append(struct sch_raise *r, unsigned opcode)
{
    bool full = r->count >= r->in->limits.instructions;
    if (full || !SCH_ARENA_GROW(r->arena, r->code, r->capacity, r->count)) {
        if (full) r->status = SCH_ERROR_LIMIT;
        r->count = 0; /* the first one was there from the beginning */
    }
    struct sch_d3d_instruction *made = &r->code[r->count++];
    *made = (struct sch_d3d_instruction){.opcode = (uint8_t)opcode};
    if (r->at) made->position = r->at->position;
    return made;
}

static bool takes_no_modifiers(unsigned opcode)
{
    return opcode == SCH_D3D_OP_AND || opcode == SCH_D3D_OP_OR || opcode == SCH_D3D_OP_XOR || opcode == SCH_D3D_OP_NOT;
}

/* Whether each component of the result is of the same components of the sources alone: no lookup, no product of
 * vectors, no doubles, no inputs at other places. */
static bool is_by_component(const struct sch_d3d_op_info *info)
{
    if (!*info->operands || strpbrk(info->operands, "RPVMLFd") || !strchr("DN", info->operands[0])) return false;
    return info->opcode != SCH_D3D_OP_DP2 && info->opcode != SCH_D3D_OP_DP3 && info->opcode != SCH_D3D_OP_DP4 &&
           (info->opcode < SCH_D3D_OP_EVAL_SNAPPED || info->opcode > SCH_D3D_OP_EVAL_CENTROID);
}

/* Of a source the components that a write of `mask` reads: one is selected, others repeat the first, literals are 0. */
static void trim(struct sch_d3d_operand *source, unsigned mask)
{
    unsigned first = (unsigned)__builtin_ctz(mask);
    bool one = (mask & (mask - 1)) == 0;
    if (source->value_count == 4) {
        for (unsigned c = 0; c < 4; c++)
            if (!(mask >> c & 1)) source->values[c] = one ? source->values[first] : 0;
        if (!one) return;
        source->form = SCH_D3D_FORM_SCALAR;
        source->value_count = 1; /* all are the first one */
    } else if (source->form == SCH_D3D_FORM_SWIZZLE) {
        unsigned from[4];
        for (unsigned c = 0; c < 4; c++) from[c] = mask >> c & 1 ? c : first;
        *source = sch_raise_swizzle(*source, from[0], from[1], from[2], from[3]);
        if (!one) return;
        source->form = SCH_D3D_FORM_SELECT;
        source->select &= 3;
    }
}

static void trim_sources(const struct sch_d3d_op_info *info, struct sch_d3d_operand *operands, unsigned count)
{
    if (!is_by_component(info)) return;
    unsigned mask = 0;
    for (unsigned i = 0; i < count && strchr("DN", sch_d3d_operand_role(info, i)); i++)
        if (operands[i].form == SCH_D3D_FORM_MASK)
            mask |= operands[i].select;
        else if (operands[i].type != SCH_D3D_REGISTER_NULL)
            mask |= 1; /* oDepth and the like */
    for (unsigned i = 0; i < count; i++)
        if (sch_d3d_operand_role(info, i) == 'S') trim(&operands[i], mask);
}

struct sch_d3d_instruction *sch_raise_emit(struct sch_raise *r, unsigned opcode, const struct sch_d3d_operand *operands,
                                           unsigned count)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(opcode);
    struct sch_d3d_operand *fitted = SCH_ARENA_ARRAY(r->arena, struct sch_d3d_operand, count ? count : 1);
    if (!fitted) return append(r, SCH_D3D_OP_NOP);
    for (unsigned i = 0; i < count; i++)
        fitted[i] = sch_raise_fit(r, operands[i], sch_d3d_operand_role(info, i), sch_d3d_operand_type(info, i),
                                  takes_no_modifiers(opcode));
    trim_sources(info, fitted, count);
    struct sch_d3d_instruction *made = append(r, opcode);
    made->operands = fitted;
    made->operand_count = (uint8_t)count;
    return made;
}

struct sch_d3d_instruction *sch_raise_0(struct sch_raise *r, unsigned opcode)
{
    return sch_raise_emit(r, opcode, NULL, 0);
}

struct sch_d3d_instruction *sch_raise_1(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a)
{
    const struct sch_d3d_operand operands[] = {dst, a};
    return sch_raise_emit(r, opcode, operands, 2);
}

struct sch_d3d_instruction *sch_raise_2(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a, struct sch_d3d_operand b)
{
    const struct sch_d3d_operand operands[] = {dst, a, b};
    return sch_raise_emit(r, opcode, operands, 3);
}

struct sch_d3d_instruction *sch_raise_3(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a, struct sch_d3d_operand b, struct sch_d3d_operand c)
{
    const struct sch_d3d_operand operands[] = {dst, a, b, c};
    return sch_raise_emit(r, opcode, operands, 4);
}

/* ---- the walk ---- */

static void raise_instruction(struct sch_raise *r, const struct sch_ir_instruction *instruction)
{
    r->at = instruction;
    r->used = 0;
    const struct sch_raise_row *row = &rows[instruction->opcode];
    if (row->raise)
        row->raise(r, row);
    else
        sch_raise_refuse(r, SCH_D_RAISE_OPCODE, "Direct3D has no instruction for it");
}

/* The subroutines, in the order of their labels l#. */
static void find_labels(struct sch_raise *r)
{
    size_t capacity = 0;
    for (uint32_t i = 0; i < r->in->instruction_count; i++) {
        if (r->in->instructions[i].opcode != SCH_OP_BGNSUB) continue;
        if (!SCH_ARENA_GROW(r->arena, r->labels, capacity, r->label_count)) return;
        r->labels[r->label_count++] = i;
    }
}

/* Subroutines may stand before END; in Direct3D they stand behind the main program. */
static void raise_parts(struct sch_raise *r)
{
    for (unsigned subroutines = 0; subroutines < 2; subroutines++) {
        bool inside = false;
        for (size_t i = 0; i < r->in->instruction_count; i++) {
            const struct sch_ir_instruction *instruction = &r->in->instructions[i];
            if (instruction->opcode == SCH_OP_BGNSUB) inside = true;
            if (inside == (subroutines > 0)) raise_instruction(r, instruction);
            if (instruction->opcode == SCH_OP_ENDSUB) inside = false;
        }
    }
    r->at = NULL;
}

static bool stage_of(unsigned stage, uint8_t *made)
{
    static const struct {
        uint8_t from, to;
    } stages[] = {{SCH_STAGE_FRAGMENT, SCH_D3D_PIXEL},
                  {SCH_STAGE_VERTEX, SCH_D3D_VERTEX},
                  {SCH_STAGE_GEOMETRY, SCH_D3D_GEOMETRY},
                  {SCH_STAGE_COMPUTE, SCH_D3D_COMPUTE}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i].from == stage) {
            *made = stages[i].to;
            return true;
        }
    return false;
}

static void raise_shader(struct sch_raise *r)
{
    struct sch_d3d_program *program = r->out->program;
    program->major = 5;
    if (!stage_of(r->in->stage, &program->stage)) {
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_STAGE, r->in->stage);
        sch_raise_refuse(r, SCH_D_RAISE_STAGE, "%s: shaders of this stage are not translated to Direct3D", word->doc);
        return;
    }
    find_labels(r);
    sch_raise_scan(r);
    sch_raise_prologue(r);
    raise_parts(r);
    if (r->status != SCH_OK) return;
    struct sch_d3d_instruction *code = r->code;
    size_t count = r->count;
    r->code = NULL;
    r->count = r->capacity = 0;
    if (!SCH_ARENA_GROW(r->arena, r->code, r->capacity, r->count)) return;
    sch_raise_declare(r, code, count);
    program->instructions = r->code;
    program->count = r->count;
    program->capacity = r->capacity;
}

/* What no row knows of (too many samplers, nesting that is too deep) the rules of Direct3D say. */
static void check_rules(struct sch_raise *r)
{
    enum sch_result status = sch_d3d_check(r->out->program, r->out->signatures, r->diagnostics);
    if (status == SCH_ERROR_INVALID)
        sch_raise_refuse(r, SCH_D_RAISE_RULES, "the translation would break the rules of Direct3D named above");
    else if (status != SCH_OK)
        r->status = status;
}

enum sch_result sch_d3d_raise(const struct sch_ir_shader *ir, const struct sch_allocator *allocator,
                              const struct sch_limits *limits, struct sch_diagnostics *diagnostics,
                              struct sch_d3d_shader **shader)
{
    *shader = NULL;
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_raise *r = SCH_ARENA_NEW(&arena, struct sch_raise);
    struct sch_d3d_shader *made = r ? sch_d3d_shader_create(allocator, limits) : NULL;
    if (!made) {
        sch_arena_release(&arena);
        return SCH_ERROR_MEMORY;
    }
    r->in = ir;
    r->out = made;
    r->arena = &made->program->arena;
    r->diagnostics = diagnostics;
    bool begun = SCH_ARENA_GROW(r->arena, r->code, r->capacity, r->count);
    r->status = begun ? SCH_OK : SCH_ERROR_MEMORY;
    if (begun) raise_shader(r);
    if (r->arena->failed || made->arena.failed) r->status = SCH_ERROR_MEMORY;
    if (r->status == SCH_OK) check_rules(r);
    if (r->status == SCH_OK) r->status = sch_d3d_shader_contain(made, diagnostics);
    enum sch_result status = r->status;
    if (status == SCH_OK)
        *shader = made;
    else
        sch_d3d_shader_destroy(made);
    sch_arena_release(&arena);
    return status;
}
