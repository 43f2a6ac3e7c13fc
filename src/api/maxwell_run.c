/* Executing Maxwell programs behind the public header: pools and banks of the caller become the machine of
 * src/maxwell, and a program's instructions run one after the other. What they mean is in src/maxwell. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/maxwell.h"
#include "isa/errors.h"
#include "maxwell/run/warp.h"
#include "maxwell/text/general.h"
#include "maxwell/text/tables.h"

struct sch_maxwell_executor {
    struct sch_arena arena; /* which this lies in */
    const struct sch_maxwell_program *program;
    struct sch_maxwell_machine *machine;
    struct sch_maxwell_warp warp;
};

/* `pool` and `size` are the members. */
static bool pool_holds(const void *data, size_t bytes, const char *pool, const char *size, struct sch_diagnostics *list)
{
    if (bytes % SCH_MAXWELL_HEADER_BYTES || bytes / SCH_MAXWELL_HEADER_BYTES > UINT32_MAX)
        return sch_refuse_argument(list, size, "%zu bytes of entries of %d", bytes, SCH_MAXWELL_HEADER_BYTES);
    return data || !bytes || sch_refuse_argument(list, pool, "%zu bytes of no memory", bytes);
}

static bool environment_holds(const struct sch_maxwell_environment *given, struct sch_diagnostics *list)
{
    if (!pool_holds(given->headers, given->header_bytes, ".headers", ".header_bytes", list) ||
        !pool_holds(given->samplers, given->sampler_bytes, ".samplers", ".sampler_bytes", list))
        return false;
    if (!given->constants && given->constant_count)
        return sch_refuse_argument(list, ".constants", "%zu words of no array", (size_t)given->constant_count);
    if (!given->memory && given->memory_bytes)
        return sch_refuse_argument(list, ".memory", "%zu bytes of no memory", (size_t)given->memory_bytes);
    return sch_ops_for_width(given->width) ||
           sch_refuse_argument(list, ".width", "width %u, of 4, 8 or 16", given->width);
}

/* Of an empty pool, which has none, any number. */
static uint32_t last_entry(size_t bytes) { return (uint32_t)(bytes / SCH_MAXWELL_HEADER_BYTES - 1); }

static enum sch_result make_machine(struct sch_maxwell_executor *executor, const struct sch_maxwell_environment *given)
{
    const struct sch_context *context = executor->program->context;
    const struct sch_maxwell_machine_options options = {
        .headers = given->headers,
        .samplers = given->samplers,
        .maximum_header = last_entry(given->header_bytes),
        .maximum_sampler = last_entry(given->sampler_bytes),
        .no_headers = !given->header_bytes,
        .no_samplers = !given->sampler_bytes,
        .via_header_binding = given->via_header_binding,
        .constants = given->constants,
        .constant_words = given->constant_count > UINT32_MAX ? UINT32_MAX : (uint32_t)given->constant_count,
        .memory = {given->memory, given->memory_address, given->memory_bytes},
        .half_rounding = given->half_toward_zero ? SCH_MAXWELL_HALF_ZERO : SCH_MAXWELL_HALF_NEAREST,
        .lanes = given->width,
        .memory_limit = context->limits.memory};
    executor->warp.shader = given->pixel_shader ? SCH_MAXWELL_SHADER_PIXEL : SCH_MAXWELL_SHADER_OTHER;
    return sch_maxwell_machine_create(&options, &context->allocator, &executor->machine);
}

enum sch_result sch_maxwell_executor_create(const struct sch_maxwell_program *program,
                                            const struct sch_maxwell_environment *environment,
                                            struct sch_maxwell_executor **executor)
{
    struct sch_api_call call;
    struct sch_maxwell_environment given;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, "environment");
    if (executor) *executor = NULL;
    if (!sch_api_given(&call, executor, "executor") || !sch_api_given(&call, program, "program") ||
        !sch_api_read(&call, "environment", &given, sizeof given, sizeof given, environment) ||
        !environment_holds(&given, call.list))
        return sch_api_refused(&call);

    struct sch_arena arena;
    sch_arena_init(&arena, &program->context->allocator, 0);
    struct sch_maxwell_executor *made = SCH_ARENA_NEW(&arena, struct sch_maxwell_executor);
    enum sch_result status = SCH_ERROR_MEMORY;
    if (made) {
        made->program = program;
        status = make_machine(made, &given);
    }
    if (status != SCH_OK) {
        sch_arena_release(&arena);
        return sch_api_end(&call, status);
    }
    made->arena = arena;
    *executor = made;
    return SCH_OK;
}

void sch_maxwell_executor_destroy(struct sch_maxwell_executor *executor)
{
    if (!executor) return;
    sch_maxwell_machine_destroy(executor->machine);
    struct sch_arena arena = executor->arena;
    sch_arena_release(&arena);
}

/* ---- running ---- */

static void load_group(struct sch_maxwell_warp *warp, const struct sch_maxwell_group *group)
{
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        memcpy(warp->registers[r].u, group->registers[r], sizeof group->registers[r]);
    memcpy(warp->predicates, group->predicates, sizeof warp->predicates);
    warp->active = group->active;
    warp->killed = group->killed;
}

static void store_group(const struct sch_maxwell_warp *warp, struct sch_maxwell_group *group)
{
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        memcpy(group->registers[r], warp->registers[r].u, sizeof group->registers[r]);
    memcpy(group->predicates, warp->predicates, sizeof warp->predicates);
}

static enum sch_result run_item(struct sch_maxwell_executor *executor, const struct sch_maxwell_item *item,
                                struct sch_diagnostics *list)
{
    if (item->texture)
        return sch_maxwell_execute(executor->machine, &item->instruction, &executor->warp, item->position, list);
    if (item->word == SCH_MAXWELL_NOP) return SCH_OK;
    if (item->general)
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_WORD, item->position,
                            "%s is no texture instruction, and is not executed",
                            sch_maxwell_code_operations[sch_maxwell_code_form_of(item->word)->operation].name);
    else
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_WORD, item->position,
                            "0x%016llx is no instruction", (unsigned long long)item->word);
    return SCH_ERROR_UNSUPPORTED;
}

/* What a call of the executor begins with: its section of code; NULL: the call is refused. */
static const struct sch_maxwell_section *begin_group(struct sch_api_call *call, struct sch_maxwell_executor *executor,
                                                     size_t section, const struct sch_maxwell_group *group)
{
    if (!sch_api_given(call, executor, "executor") || !SCH_API_FILLS(call, group, sizeof *group)) return NULL;
    const struct sch_maxwell_code *code = executor->program->code;
    if (section >= code->section_count) {
        sch_refuse_argument(call->list, "section", "section %zu, of %zu", section, code->section_count);
        return NULL;
    }
    sch_diagnostics_name(call->list, executor->program->name);
    load_group(&executor->warp, group);
    return &code->sections[section];
}

enum sch_result sch_maxwell_executor_run(struct sch_maxwell_executor *executor, size_t section,
                                         struct sch_maxwell_group *group, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, executor ? executor->program->context : NULL, diagnostics, __func__, NULL);
    const struct sch_maxwell_section *of = begin_group(&call, executor, section, group);
    if (!of) return sch_api_refused(&call);
    enum sch_result status = SCH_OK;
    for (size_t i = 0; i < of->count && status == SCH_OK; i++) status = run_item(executor, &of->items[i], call.list);
    store_group(&executor->warp, group);
    return sch_api_end(&call, status);
}

enum sch_result sch_maxwell_executor_step(struct sch_maxwell_executor *executor, size_t section, size_t number,
                                          struct sch_maxwell_group *group, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, executor ? executor->program->context : NULL, diagnostics, __func__, NULL);
    const struct sch_maxwell_section *of = begin_group(&call, executor, section, group);
    if (!of) return sch_api_refused(&call);
    if (number >= of->count) return sch_api_wrong(&call, "number", "instruction %zu, of %zu", number, of->count);
    const enum sch_result status = run_item(executor, &of->items[number], call.list);
    store_group(&executor->warp, group);
    return sch_api_end(&call, status);
}

/* ---- looking on ---- */

uint32_t sch_maxwell_program_lanes(const struct sch_maxwell_program *program, size_t section, size_t number,
                                   const struct sch_maxwell_group *group)
{
    struct sch_maxwell_warp warp;
    if (!program || !group || !sch_sized_fits(group->size, sizeof *group)) return 0;
    if (section >= program->code->section_count || number >= program->code->sections[section].count) return 0;
    const struct sch_maxwell_item *item = &program->code->sections[section].items[number];
    load_group(&warp, group);
    return item->texture ? sch_maxwell_executing(&item->instruction, &warp) : group->active;
}

/* No explanation, and SCH_OK: it looks up no texel in the lane. */
static enum sch_result explain(struct sch_maxwell_executor *executor, const struct sch_maxwell_item *item,
                               uint32_t lane, struct sch_maxwell_told *told, struct sch_explanation **explanation)
{
    const bool executes = item->texture && sch_maxwell_executing(&item->instruction, &executor->warp) >> lane & 1;
    uint32_t result[4];
    if (!executes) return SCH_OK;
    const enum sch_result status =
        sch_maxwell_execute_told(executor->machine, &item->instruction, &executor->warp, item->position, told);
    const struct sch_trace_lane *of = &told->trace.lane[lane];
    if (status != SCH_OK || (!of->active && !of->texels)) return status; /* fetches have no level of detail */
    for (unsigned c = 0; c < 4; c++) result[c] = told->result[c][lane];
    *explanation = sch_api_explain_lane(executor->program->context, &told->trace, lane, result, told->samples[lane]);
    return *explanation ? SCH_OK : SCH_ERROR_MEMORY;
}

enum sch_result sch_maxwell_executor_explain(struct sch_maxwell_executor *executor, size_t section, size_t number,
                                             const struct sch_maxwell_group *group, uint32_t lane,
                                             struct sch_explanation **explanation)
{
    enum { TEXELS = SCH_TRACE_TEXELS * SCH_GROUP_LANES };
    struct sch_api_call call;
    struct sch_context *context = executor ? executor->program->context : NULL;
    sch_api_begin_input(&call, context, NULL, __func__, NULL);
    if (explanation) *explanation = NULL;
    if (!sch_api_given(&call, explanation, "explanation")) return sch_api_refused(&call);
    const struct sch_maxwell_section *of = begin_group(&call, executor, section, group);
    if (!of) return sch_api_refused(&call);
    if (number >= of->count) return sch_api_wrong(&call, "number", "instruction %zu, of %zu", number, of->count);
    if (lane >= SCH_MAXWELL_GROUP_LANES) return sch_api_wrong(&call, "lane", "lane %u, of 32", lane);
    struct sch_maxwell_told *told = sch_api_alloc(context, sizeof *told);
    struct sch_trace_texel *texels = sch_api_alloc(context, TEXELS * sizeof *texels);
    enum sch_result status = SCH_ERROR_MEMORY;
    if (told && texels) {
        told->trace = (struct sch_texture_trace){.texels = texels, .texel_capacity = TEXELS};
        status = explain(executor, &of->items[number], lane, told, explanation);
    }
    sch_api_free(context, texels);
    sch_api_free(context, told);
    if (status == SCH_OK && !*explanation)
        return sch_api_wrong(&call, "lane", "instruction %zu looks up no texel in lane %u", number, lane);
    return sch_api_end(&call, status);
}

/* ---- what an instruction says ---- */

/* The registers of a group that are there, as bits. */
static void add_written(const struct sch_maxwell_instruction *instruction, uint32_t registers[8], uint32_t *predicates)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(instruction, &packing);
    for (unsigned g = 0; g < 2; g++)
        for (unsigned n = 0; n < packing.result[g].count; n++) {
            unsigned number = packing.result[g].first + n;
            if (packing.result[g].first == SCH_MAXWELL_RZ || number >= SCH_MAXWELL_GROUP_REGISTERS) continue;
            registers[number / 32] |= 1u << number % 32;
        }
    unsigned residency = instruction->residency;
    if (residency < SCH_MAXWELL_GROUP_PREDICATES) *predicates |= 1u << residency;
}

static enum sch_maxwell_operand_kind kind_of(const struct sch_maxwell_instruction *instruction, unsigned role)
{
    const bool whole = instruction->operation == SCH_MAXWELL_TLD || instruction->operation == SCH_MAXWELL_TLDS ||
                       instruction->operation == SCH_MAXWELL_TXQ;
    switch ((enum sch_maxwell_operand_role)role) {
    case SCH_MAXWELL_ROLE_LAYER:
        return SCH_MAXWELL_READS_LAYER;
    case SCH_MAXWELL_ROLE_HANDLE:
        return SCH_MAXWELL_READS_HANDLE;
    case SCH_MAXWELL_ROLE_OFFSET:
    case SCH_MAXWELL_ROLE_PTP0:
    case SCH_MAXWELL_ROLE_PTP1:
        return SCH_MAXWELL_READS_OFFSETS;
    case SCH_MAXWELL_ROLE_LAYER_OFFSETS:
        return SCH_MAXWELL_READS_LAYER_OFFSETS;
    case SCH_MAXWELL_ROLE_SAMPLE:
        return SCH_MAXWELL_READS_INTEGER;
    default:
        return whole ? SCH_MAXWELL_READS_INTEGER : SCH_MAXWELL_READS_FLOAT;
    }
}

static void add_operands(const struct sch_maxwell_instruction *instruction, unsigned first, unsigned count,
                         const uint8_t *roles, struct sch_maxwell_instruction_info *info)
{
    for (unsigned n = 0; n < count && first != SCH_MAXWELL_RZ; n++) {
        if (first + n >= SCH_MAXWELL_GROUP_REGISTERS || info->operand_count == SCH_MAXWELL_OPERANDS) continue;
        info->operands[info->operand_count++] = (struct sch_maxwell_operand){first + n, kind_of(instruction, roles[n])};
    }
}

static int32_t target_of(const struct sch_maxwell_instruction *instruction)
{
    static const uint8_t targets[] = {
        [SCH_MAXWELL_1D] = SCH_TARGET_1D,     [SCH_MAXWELL_ARRAY_1D] = SCH_TARGET_1D_ARRAY,
        [SCH_MAXWELL_2D] = SCH_TARGET_2D,     [SCH_MAXWELL_ARRAY_2D] = SCH_TARGET_2D_ARRAY,
        [SCH_MAXWELL_3D] = SCH_TARGET_3D,     [SCH_MAXWELL_ARRAY_3D] = SCH_TARGET_3D,
        [SCH_MAXWELL_CUBE] = SCH_TARGET_CUBE, [SCH_MAXWELL_ARRAY_CUBE] = SCH_TARGET_CUBE_ARRAY};
    const bool says = instruction->operation != SCH_MAXWELL_TXQ && instruction->operation != SCH_MAXWELL_TXA;
    return says ? targets[instruction->parameter & 7] : -1;
}

static void describe(const struct sch_maxwell_instruction *instruction, struct sch_maxwell_instruction_info *info)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_NVDISASM, NULL, info->text);
    sch_maxwell_operands(instruction, &packing);
    add_operands(instruction, instruction->ra, packing.a_count, packing.a, info);
    add_operands(instruction, instruction->rb, packing.b_count, packing.b, info);
    add_written(instruction, info->written, &info->written_predicates);
    info->guard = instruction->guard < SCH_MAXWELL_GROUP_PREDICATES ? instruction->guard : -1;
    info->handle = instruction->bindless ? -1 : instruction->index;
    info->target = target_of(instruction);
    info->compares = instruction->compare;
    info->samples = sch_maxwell_operation_samples[instruction->operation];
}

bool sch_maxwell_program_instruction(const struct sch_maxwell_program *program, size_t section, size_t number,
                                     struct sch_maxwell_instruction_info *info)
{
    struct sch_maxwell_instruction_info made = {.guard = -1, .handle = -1, .target = -1};
    if (!program || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (section >= program->code->section_count || number >= program->code->sections[section].count) return false;
    const struct sch_maxwell_item *item = &program->code->sections[section].items[number];
    made.word = item->word;
    made.is_texture = item->texture;
    made.is_nop = !item->texture && item->word == SCH_MAXWELL_NOP;
    made.line = item->position.line;
    made.column = item->position.column;
    made.offset = (uint32_t)item->position.offset;
    struct sch_maxwell_code_text text;
    if (item->texture)
        describe(&item->instruction, &made);
    else if (item->general && sch_maxwell_code_text(item->word, SCH_MAXWELL_SLOT_NEUTRAL, item->address, &text))
        snprintf(made.text, sizeof made.text, "%s;", text.text);
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_maxwell_program_results(const struct sch_maxwell_program *program, size_t section, uint32_t registers[8],
                                 uint32_t *predicates)
{
    if (!program || !registers || !predicates || section >= program->code->section_count) return false;
    memset(registers, 0, 8 * sizeof *registers);
    *predicates = 0;
    for (size_t i = 0; i < program->code->sections[section].count; i++) {
        const struct sch_maxwell_item *item = &program->code->sections[section].items[i];
        if (item->texture) add_written(&item->instruction, registers, predicates);
    }
    return true;
}
