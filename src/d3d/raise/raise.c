/* Raising, the driver: walks the shader, and makes a program with its container. What the opcodes
 * become is in raise.def and the files that its rows lead to. */
#include "d3d/raise/internal.h"

#include "d3d/check/check.h"

static const struct sch_raise_row rows[SCH_OP_LIMIT] = {
#define RAISE(opcode, how, op, other, order)                                                                           \
    [SCH_OP_##opcode] = {sch_raise_##how, SCH_D3D_OP_##op, SCH_D3D_OP_##other, order},
#include "d3d/raise/raise.def"
#undef RAISE
};

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

/* Subroutines may come before END; in Direct3D they come after the main program. */
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
