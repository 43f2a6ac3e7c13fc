/* Which register of Direct3D each register of the lowered shader is, for those who show it. What the lowering needs for
 * itself has no entry. */
#include "d3d/lower/internal.h"

static void add(struct sch_lower *l, struct sch_d3d_origins *origins, const struct sch_d3d_origin *origin)
{
    if (!origin->count || !SCH_ARENA_GROW(&origins->arena, origins->items, origins->capacity, origins->count)) {
        if (origins->arena.failed) l->build->status = SCH_ERROR_MEMORY;
        return;
    }
    origins->items[origins->count++] = *origin;
}

static void add_one(struct sch_lower *l, struct sch_d3d_origins *origins, unsigned file, uint32_t index, unsigned type,
                    uint32_t number)
{
    add(l, origins,
        &(struct sch_d3d_origin){
            .file = (uint8_t)file, .type = (uint8_t)type, .first = index, .count = 1, .number = number});
}

static void add_temporaries(struct sch_lower *l, struct sch_d3d_origins *origins)
{
    add(l, origins,
        &(struct sch_d3d_origin){.file = SCH_FILE_TEMPORARY, .type = SCH_D3D_REGISTER_TEMP, .count = l->temps});
    for (uint32_t n = 0; n < l->array_count; n++)
        add(l, origins,
            &(struct sch_d3d_origin){.file = SCH_FILE_TEMPORARY,
                                     .type = SCH_D3D_REGISTER_INDEXABLE_TEMP,
                                     .is_array = true,
                                     .first = l->arrays[n].base,
                                     .count = l->arrays[n].size,
                                     .number = n});
}

/* v# and o#: where they are, and where their parts do. */
static void add_registers(struct sch_lower *l, struct sch_d3d_origins *origins,
                          const struct sch_lower_register *registers, unsigned type)
{
    for (uint32_t n = 0; n < SCH_LOWER_REGISTERS; n++) {
        const struct sch_lower_register *is = &registers[n];
        if (is->pieces && is->copied) add_one(l, origins, SCH_FILE_TEMPORARY, is->temp, type, n);
        for (unsigned i = 0; i < is->pieces; i++) add_one(l, origins, is->piece[i].file, is->piece[i].index, type, n);
    }
}

static void add_patch_constants(struct sch_lower *l, struct sch_d3d_origins *origins)
{
    const bool hull = l->program->stage == SCH_D3D_HULL;
    if (!hull && l->program->stage != SCH_D3D_DOMAIN) return;
    add(l, origins,
        &(struct sch_d3d_origin){.file = hull ? SCH_FILE_OUTPUT : SCH_FILE_INPUT,
                                 .type = hull ? SCH_D3D_REGISTER_OUTPUT : SCH_D3D_REGISTER_PATCH_CONSTANT,
                                 .first = SCH_LOWER_PATCH,
                                 .count = SCH_LOWER_PATCH});
}

/* oDepth, vThreadID and the like: one of each. */
static void add_special(struct sch_lower *l, struct sch_d3d_origins *origins)
{
    for (unsigned type = 0; type < SCH_D3D_REGISTER_COUNT; type++) {
        const uint32_t input = l->special_input[type], output = l->special_output[type];
        const int semantic = sch_lower_special_semantic(l, type);
        if (input) add_one(l, origins, SCH_FILE_TEMPORARY, input - 1, type, UINT32_MAX);
        if (output) add_one(l, origins, SCH_FILE_OUTPUT, output - 1, type, UINT32_MAX);
        if (semantic >= 0 && l->system_place[semantic])
            add_one(l, origins, SCH_FILE_SYSTEM_VALUE, l->system_place[semantic] - 1, type, UINT32_MAX);
    }
}

void sch_lower_list_origins(struct sch_lower *l, struct sch_d3d_origins *origins)
{
    add_temporaries(l, origins);
    add_registers(l, origins, l->inputs, SCH_D3D_REGISTER_INPUT);
    add_registers(l, origins, l->outputs, SCH_D3D_REGISTER_OUTPUT);
    add_patch_constants(l, origins);
    add_special(l, origins);
    add(l, origins,
        &(struct sch_d3d_origin){.file = SCH_FILE_IMMEDIATE,
                                 .type = SCH_D3D_REGISTER_IMMEDIATE_CONSTANT_BUFFER,
                                 .is_array = true,
                                 .count = l->constant_count,
                                 .number = UINT32_MAX});
}

void sch_d3d_origins_release(struct sch_d3d_origins *origins)
{
    sch_arena_release(&origins->arena);
    *origins = (struct sch_d3d_origins){.items = NULL};
}
