/* The interfaces of Direct3D shaders: what a shader declares, and what the caller binds to
 * their slots, as the two constant buffers that lowered shaders read (docs/d3d.md, "Interfaces"). */
#include "api/api.h"
#include "d3d/dxbc/ranges.h"

#include <string.h>

static bool is_interface(const struct sch_d3d_instruction *instruction)
{
    return instruction->opcode == SCH_D3D_OP_DCL_INTERFACE && instruction->literal_count >= 3;
}

/* One allocation: the structs, then the words of their tables. */
static bool make_room(struct sch_shader *shader, const struct sch_d3d_program *program)
{
    size_t count = 0, words = 0;
    for (size_t i = 0; i < program->count; i++) {
        if (!is_interface(&program->instructions[i])) continue;
        count++;
        words += program->instructions[i].literal_count - 3u;
    }
    shader->interface_count = (uint32_t)count;
    if (!count) return true;
    /* Less than the instructions and their words have already. */
    _Static_assert(sizeof *shader->interfaces <= sizeof *program->instructions, "a struct is no larger than its row");
    shader->interfaces =
        sch_api_alloc(shader->context, count * sizeof *shader->interfaces + words * sizeof *shader->interfaces->tables);
    return shader->interfaces != NULL;
}

enum sch_result sch_api_list_interfaces(struct sch_shader *shader, const struct sch_d3d_program *program)
{
    if (!make_room(shader, program)) return SCH_ERROR_MEMORY;
    if (!shader->interfaces) return SCH_OK;
    struct sch_interface_info *info = shader->interfaces;
    uint32_t *words = (uint32_t *)(info + shader->interface_count);
    for (size_t i = 0; i < program->count; i++) {
        const struct sch_d3d_instruction *in = &program->instructions[i];
        if (!is_interface(in)) continue;
        uint32_t tables = in->literal_count - 3;
        memcpy(words, in->literals + 3, tables * sizeof *words);
        info->slot = in->literals[0];
        info->count = in->literals[2] >> 16;
        info->call_sites = in->literals[1];
        info->indexed = sch_d3d_get(in->controls, SCH_D3D_FIELD_DYNAMIC);
        info->table_count = tables;
        info++->tables = words;
        words += tables;
    }
    return SCH_OK;
}

bool sch_shader_interface(const struct sch_shader *shader, uint32_t position, struct sch_interface_info *info)
{
    if (!shader || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (position >= shader->interface_count) return false;
    sch_sized_write(info, &shader->interfaces[position], sizeof *info);
    return true;
}

/* ---- what is bound ---- */

/* Arrays that overlap leave a slot the tables that both have. */
void sch_api_count_tables(const struct sch_shader *shader, uint16_t tables[SCH_INTERFACE_SLOTS])
{
    for (uint32_t i = 0; i < shader->interface_count; i++) {
        const struct sch_interface_info *info = &shader->interfaces[i];
        for (uint32_t slot = info->slot; slot < SCH_INTERFACE_SLOTS && slot - info->slot < info->count; slot++)
            if (!tables[slot] || info->table_count < tables[slot]) tables[slot] = (uint16_t)info->table_count;
    }
}

bool sch_api_interfaces_hold(const struct sch_bindings *given, const uint16_t tables[SCH_INTERFACE_SLOTS],
                             struct sch_diagnostics *list)
{
    if (given->interface_count > SCH_INTERFACE_SLOTS)
        return sch_refuse_argument(list, ".interface_count", "interfaces: %u slots, and there are %d at most",
                                   given->interface_count, SCH_INTERFACE_SLOTS);
    if (given->interface_count && !given->interfaces)
        return sch_refuse_argument(list, ".interfaces", "interfaces: %u of no array", given->interface_count);
    for (uint32_t slot = 0; slot < given->interface_count; slot++)
        if (tables[slot] && given->interfaces[slot].table >= tables[slot])
            return sch_refuse_element(list, ".interfaces[#].table", slot, "interfaces[%u]: there is no table %u", slot,
                                      given->interfaces[slot].table);
    return true;
}

uint32_t *sch_api_interface_words(struct sch_context *context, const struct sch_bindings *given,
                                  struct sch_constant_buffer *constants)
{
    size_t bytes = (size_t)given->interface_count * 4 * sizeof(uint32_t);
    uint32_t *words = sch_api_alloc(context, 2 * bytes), *data = words + bytes / sizeof *words;
    if (!words) return NULL;
    for (uint32_t slot = 0; slot < given->interface_count; slot++) {
        const struct sch_interface_slot *from = &given->interfaces[slot];
        const uint32_t instance[4] = {from->constant_buffer, from->constant_offset, from->texture, from->sampler};
        words[4 * slot] = from->table;
        memcpy(data + (size_t)4 * slot, instance, sizeof instance);
    }
    constants[SCH_D3D_CHOSEN_TABLES] = (struct sch_constant_buffer){words, bytes};
    constants[SCH_D3D_CHOSEN_THIS] = (struct sch_constant_buffer){data, bytes};
    return words;
}
