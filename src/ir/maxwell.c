/* Maxwell code in a shader: its steps are kept with it, checked as what another process may have sent, and prepared for
 * whoever compiles them. What steps mean is in src/maxwell/run and src/ops/maxwell. */
#include "ir/prepare.h"

#include <string.h>

/* ---- in a shader ---- */

static bool source_holds(const struct sch_maxwell_source *source)
{
    return source->kind <= SCH_MAXWELL_FROM_BANK && source->words <= 4 && source->half <= 2;
}

static bool step_holds(const struct sch_maxwell_step *step, size_t count)
{
    enum { CONDITIONS = 32, PREDICATES = 2, WORDS = 4 };
    bool holds = step->kind < SCH_MAXWELL_KIND_COUNT && step->body < SCH_MAXWELL_BODY_COUNT &&
                 step->guard <= SCH_MAXWELL_NO_PREDICATE && step->test < CONDITIONS && step->result_words <= WORDS &&
                 step->predicates <= PREDICATES && step->source_count <= SCH_MAXWELL_SOURCES &&
                 (!step->known_target || step->target <= count);
    for (unsigned p = 0; p < PREDICATES; p++) holds = holds && step->predicate[p] <= SCH_MAXWELL_NO_PREDICATE;
    for (unsigned s = 0; s < SCH_MAXWELL_SOURCES; s++) holds = holds && source_holds(&step->source[s]);
    return holds;
}

enum sch_result sch_ir_set_steps(struct sch_ir_shader *shader, const struct sch_maxwell_step *steps)
{
    const size_t count = shader->instruction_count;
    struct sch_maxwell_step *copy = SCH_ARENA_ARRAY(&shader->arena, struct sch_maxwell_step, count + 1);
    if (!copy) return SCH_ERROR_MEMORY;
    for (size_t n = 0; n < count; n++) {
        copy[n] = steps[n];
        if (copy[n].known_target && copy[n].target > count) copy[n].target = (uint32_t)count; /* NOPs at the end */
        if (!step_holds(&copy[n], count)) return SCH_ERROR_INVALID;
    }
    shader->steps = copy;
    return SCH_OK;
}

/* ---- in a program ---- */

unsigned sch_maxwell_facts_of(const struct sch_maxwell_step *step)
{
    enum {
        FLOWS = SCH_MAXWELL_FLOWS,
        NAMED = SCH_MAXWELL_NAMED,
        WORD = SCH_MAXWELL_WORD,
        LOADS = SCH_MAXWELL_LOADS,
        STORES = SCH_MAXWELL_STORES,
        UPDATES = SCH_MAXWELL_UPDATES,
        OUTSIDE = SCH_MAXWELL_OUTSIDE,
        OF_LANE = SCH_MAXWELL_OF_LANE,
        IN_BANK = SCH_MAXWELL_IN_BANK,
        ANYWHERE = SCH_MAXWELL_ANYWHERE,
        BY_HEADER = SCH_MAXWELL_BY_HEADER,
        WAITS = SCH_MAXWELL_WAITS
    };
    static const uint16_t facts[SCH_MAXWELL_KIND_COUNT] = {
#define MAXWELL_CODE_FACTS(handler, facts) [SCH_MAXWELL_KIND_##handler] = facts,
#include "isa/maxwell_meanings.def"
#undef MAXWELL_CODE_FACTS
    };
    return facts[step->kind];
}

bool sch_prepared_has_spot(const struct sch_maxwell_step *step)
{
    const unsigned facts = sch_maxwell_facts_of(step);
    return facts & SCH_MAXWELL_ACCESSES && !(facts & SCH_MAXWELL_BY_HEADER);
}

bool sch_prepared_flows(const struct sch_maxwell_step *step) { return sch_maxwell_facts_of(step) & SCH_MAXWELL_FLOWS; }

/* A compare and swap says .64 or nothing; of surfaces table SURSZ: SD32 is a word whose sign their format decides, as
 * it does of texels. */
unsigned sch_maxwell_update_number(const struct sch_maxwell_step *step)
{
    enum { SD32 = 6 };
    static const uint8_t shared[] = {SCH_MAXWELL_U32, SCH_MAXWELL_S32, SCH_MAXWELL_U64, SCH_MAXWELL_S64};
    if (step->kind == SCH_MAXWELL_KIND_update_texel) return SCH_MAXWELL_U32;
    if (step->kind == SCH_MAXWELL_KIND_update_surface) return step->how.size == SD32 ? SCH_MAXWELL_S32 : step->how.size;
    if (step->swaps) return step->how.size ? SCH_MAXWELL_U64 : SCH_MAXWELL_U32;
    return step->kind == SCH_MAXWELL_KIND_update_shared ? shared[step->how.size & 3] : step->how.size;
}

unsigned sch_maxwell_number_bytes(unsigned number)
{
    enum { WORD_BYTES = 4 };
    return number == SCH_MAXWELL_U64 || number == SCH_MAXWELL_S64 ? 2 * WORD_BYTES : WORD_BYTES;
}

static uint32_t constants_of(const struct sch_maxwell_step *step)
{
    uint32_t words = 0;
    for (unsigned s = 0; s < step->source_count; s++)
        if (step->source[s].kind == SCH_MAXWELL_FROM_CONSTANT) words += step->source[s].words;
    return words;
}

/* Blocks begin at targets and after whatever may continue elsewhere; where else a register leads is left to whoever
 * runs, who proceeds one by one to the next of them. So are blocks in which something is to be looked at: long ones are
 * cut, as that happens each SCH_GROUP_LOOK_DISTANCE instructions. */
static void list_starts(struct sch_prepared_maxwell *maxwell, size_t count)
{
    enum { MOST_IN_BLOCK = 256 };
    size_t first = 0;
    maxwell->starts[0] = maxwell->starts[count] = true;
    for (size_t n = 0; n < count; n++) {
        const struct sch_maxwell_step *step = &maxwell->steps[n];
        if (sch_prepared_flows(step)) maxwell->starts[n + 1] = true;
        if (step->known_target) maxwell->starts[step->target] = true;
    }
    for (size_t n = 0; n < count; n++) {
        if (n - first >= MOST_IN_BLOCK) maxwell->starts[n] = true;
        if (maxwell->starts[n]) first = n;
    }
}

enum sch_result sch_prepare_maxwell(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    const size_t count = shader->instruction_count;
    struct sch_prepared_maxwell *maxwell = &program->maxwell;
    if (!shader->steps) return SCH_OK;
    struct sch_maxwell_step *steps = SCH_ARENA_ARRAY(&program->arena, struct sch_maxwell_step, count + 1);
    maxwell->starts = SCH_ARENA_ARRAY(&program->arena, bool, count + 1);
    maxwell->spot = SCH_ARENA_ARRAY(&program->arena, uint32_t, count + 1);
    maxwell->constant = SCH_ARENA_ARRAY(&program->arena, uint32_t, count + 1);
    if (program->arena.failed) return SCH_ERROR_MEMORY;
    memcpy(steps, shader->steps, count * sizeof *steps);
    maxwell->steps = steps;
    for (size_t n = 0; n < count; n++) {
        maxwell->spot[n] = maxwell->spots;
        maxwell->constant[n] = maxwell->constants;
        maxwell->spots += sch_prepared_has_spot(&steps[n]);
        maxwell->constants += constants_of(&steps[n]);
    }
    list_starts(maxwell, count);
    return SCH_OK;
}
