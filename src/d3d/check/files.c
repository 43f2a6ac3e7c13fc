/* The rows of check.def about register files as arrays, and the look-ups. */
#include "d3d/check/internal.h"

static const struct sch_d3d_file files[SCH_D3D_REGISTER_COUNT] = {
#define D3D_FILE(file, letters, fewest, greatest, more, where)                                                         \
    [SCH_D3D_REGISTER_##file] = {.uses = letters, .stages = where, .least = fewest, .most = greatest, .extra = more},
#include "d3d/check/check.def"
};

const struct sch_d3d_file *sch_d3d_file(unsigned type) { return &files[type]; }

void sch_d3d_index_counts(const struct sch_d3d_check *check, unsigned type, unsigned *least, unsigned *most)
{
    const struct sch_d3d_file *file = sch_d3d_file(type);
    unsigned extra = check->spaces ? file->extra : 0;
    *least = file->least + extra;
    *most = file->most + extra;
    if (type != SCH_D3D_REGISTER_INPUT) return;
    *least = *most = check->stage == 'g' || check->stage == 'h' ? 2 : 1; /* of several vertices or of one */
}

static const struct {
    const char *stages;
    uint8_t type, first, last;
    uint16_t count;
} slots[] = {
#define D3D_SLOTS(file, stages, first, last, count) {stages, SCH_D3D_REGISTER_##file, first, last, count},
#include "d3d/check/check.def"
};

uint64_t sch_d3d_slots(const struct sch_d3d_check *check, unsigned type)
{
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i].type == type && slots[i].first <= check->model && slots[i].last >= check->model &&
            sch_d3d_in_stage(check, slots[i].stages))
            return slots[i].count;
    return UINT64_MAX;
}

static const char *const file_phases[SCH_D3D_REGISTER_COUNT] = {
#define D3D_PHASES(file, phases) [SCH_D3D_REGISTER_##file] = phases,
#include "d3d/check/check.def"
};

static const char *const op_phases[SCH_D3D_OP_LIMIT] = {
#define D3D_PHASE_OP(op, phases) [SCH_D3D_OP_##op] = phases,
#include "d3d/check/check.def"
};

static bool in_phase(const struct sch_d3d_check *check, const char *phases)
{
    static const char letters[] = {[SCH_D3D_OP_HS_CONTROL_POINT_PHASE - SCH_D3D_OP_HS_DECLS] = 'c',
                                   [SCH_D3D_OP_HS_FORK_PHASE - SCH_D3D_OP_HS_DECLS] = 'f',
                                   [SCH_D3D_OP_HS_JOIN_PHASE - SCH_D3D_OP_HS_DECLS] = 'j'};
    unsigned phase = check->phase.opcode;
    if (check->stage != 'h' || !phases || phase <= SCH_D3D_OP_HS_DECLS) return true;
    return strchr(phases, letters[phase - SCH_D3D_OP_HS_DECLS]) != NULL;
}

bool sch_d3d_file_in_phase(const struct sch_d3d_check *check, unsigned type)
{
    return in_phase(check, file_phases[type]);
}

bool sch_d3d_op_in_phase(const struct sch_d3d_check *check, unsigned opcode)
{
    return in_phase(check, op_phases[opcode]);
}
