/* Declarations: what each may say, and what a phase has after it: temporaries, inputs and outputs, which are taken in
 * the order of the program. */
#include "d3d/check/internal.h"

/* --- ranges of numbers --- */

enum { NO_LITERAL = 255 };

static const struct range {
    unsigned code;
    uint32_t least, most, step;
    uint8_t opcode, literal, field;
} ranges[] = {
#define D3D_RANGE(op, literal, least, most, step, code) {SCH_D_##code, least, most, step, SCH_D3D_OP_##op, literal, 0},
#define D3D_RANGE_FIELD(op, field, least, most, code)                                                                  \
    {SCH_D_##code, least, most, 1, SCH_D3D_OP_##op, NO_LITERAL, SCH_D3D_FIELD_##field},
#include "d3d/check/check.def"
};

static void check_ranges(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                         const struct sch_d3d_op_info *info)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct range *range = &ranges[i];
        if (range->opcode != instruction->opcode) continue;
        uint32_t value = range->literal == NO_LITERAL
                             ? sch_d3d_get(instruction->controls, (enum sch_d3d_field)range->field)
                             : instruction->literals[range->literal];
        if (value >= range->least && value <= range->most && value % range->step == 0) continue;
        sch_diagnostics_add(check->diagnostics, sch_d3d_check_severity(check, range->code), range->code,
                            instruction->position, "%s: %u is not between %u and %u%s", info->word, value, range->least,
                            range->most, range->step > 1 ? " and a multiple of 4" : "");
    }
}

/* Rules that no single number expresses. */
static void check_threads(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    uint64_t threads = 1, most = check->model >= 50 ? 1024 : 768; /* CS_4_X_THREAD_GROUP_MAX_THREADS_PER_GROUP */
    for (unsigned i = 0; i < 3; i++) {
        if (instruction->literals[i] > 1024) return; /* said already */
        threads *= instruction->literals[i];
    }
    if (threads > most)
        SCH_D3D_REPORT(check, D3D_THREAD_GROUP, instruction, "a group of %llu threads, but %llu are the most",
                       (unsigned long long)threads, (unsigned long long)most);
}

/* Bytes and counts beyond their own ranges are reported by these. */
static void check_shared_memory(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    enum { BYTES = 32768, COUNT = 8192, BYTES_4 = 16384 }; /* CS_TGSM_REGISTER_COUNT, CS_4_X_... */
    uint64_t bytes = instruction->literals[0], before = check->shared_memory;
    const uint64_t most = check->model >= 50 ? BYTES : BYTES_4;
    if (bytes > BYTES) return;
    if (instruction->opcode == SCH_D3D_OP_DCL_TGSM_STRUCTURED) {
        if (instruction->literals[1] > COUNT) return;
        bytes *= instruction->literals[1];
    }
    check->shared_memory += bytes;
    if (before <= most && check->shared_memory > most)
        SCH_D3D_REPORT(check, D3D_SHARED_MEMORY, instruction, "group-shared memory of more than %llu bytes",
                       (unsigned long long)most);
}

static void check_tessellation_factor(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    enum { ONE = 0x3f800000, SIXTY_FOUR = 0x42800000 };
    uint32_t bits = instruction->literals[0];
    if (bits < ONE || bits > SIXTY_FOUR) /* positive floats order as their bits do */
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, instruction, "the greatest tessellation factor is from 1 to 64");
}

/* UAV_DIMENSION: buffers, 1D, 2D, 3D and arrays of the first two; no cubes and no samples. */
static void check_view(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    static const uint8_t kinds[] = {SCH_D3D_KIND_BUFFER, SCH_D3D_KIND_1D,       SCH_D3D_KIND_1D_ARRAY,
                                    SCH_D3D_KIND_2D,     SCH_D3D_KIND_2D_ARRAY, SCH_D3D_KIND_3D};
    if (!memchr(kinds, (int)sch_d3d_declared_kind(instruction), sizeof kinds))
        SCH_D3D_REPORT(check, D3D_DIMENSION, instruction, "views have no cubes and no samples");
}

/* Literals: number, count, bodies. */
static void check_table(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    for (uint32_t i = 2; i < instruction->literal_count; i++)
        if (!sch_d3d_find_declared(check, SCH_D3D_REGISTER_FUNCTION_BODY, instruction->literals[i]))
            SCH_D3D_REPORT(check, D3D_INTERFACE, instruction, "fb%u is not declared", instruction->literals[i]);
}

/* Literals: number, call sites, size and count, tables. */
static void check_interface(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    uint32_t sites = instruction->literals[1], size = instruction->literals[2] >> 16;
    if (!sch_d3d_slots_hold(instruction->literals[0], size))
        SCH_D3D_REPORT(check, D3D_SLOT_LIMIT, instruction, "fp%u[%u] reaches beyond the %d slots of interfaces",
                       instruction->literals[0], size, SCH_D3D_INTERFACE_SLOTS);
    for (uint32_t i = 3; i < instruction->literal_count; i++) {
        uint32_t number = instruction->literals[i];
        const struct sch_d3d_declared *found = sch_d3d_find_declared(check, SCH_D3D_REGISTER_FUNCTION_TABLE, number);
        if (!found)
            SCH_D3D_REPORT(check, D3D_INTERFACE, instruction, "ft%u is not declared", number);
        else if (found->instruction->literal_count < 2 + (uint64_t)sites)
            SCH_D3D_REPORT(check, D3D_INTERFACE, instruction, "ft%u has fewer bodies than the %u call sites", number,
                           sites);
    }
}

/* --- of a phase --- */

static void take_storage(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction, uint64_t count)
{
    enum { MOST = 4096 }; /* COMMONSHADER_TEMP_REGISTER_COUNT: r# and x# together */
    uint64_t before = check->phase.storage;
    check->phase.storage += count;
    if (before <= MOST && check->phase.storage > MOST && count <= MOST)
        SCH_D3D_REPORT(check, D3D_SLOT_LIMIT, instruction, "r# and x# together are more than %d registers", MOST);
}

static void take_temps(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    struct sch_d3d_phase *phase = &check->phase;
    if (phase->has_temps) SCH_D3D_REPORT(check, D3D_DECLARED_TWICE, instruction, "dcl_temps is repeated");
    phase->has_temps = true;
    phase->temps = instruction->literals[0];
    take_storage(check, instruction, phase->temps);
}

static void take_array(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    if (instruction->literals[0] >= check->array_count) return;
    struct sch_d3d_array *array = &check->arrays[instruction->literals[0]];
    if (array->phase == check->phase.number)
        SCH_D3D_REPORT(check, D3D_DECLARED_TWICE, instruction, "x%u is declared twice", instruction->literals[0]);
    *array = (struct sch_d3d_array){instruction->literals[1], instruction->literals[2], check->phase.number};
    take_storage(check, instruction, instruction->literals[1]);
}

static void take_constants(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    enum { IMMEDIATE_CONSTANT_BUFFER = 3, MOST = 4096 };
    if (instruction->controls >> 11 != IMMEDIATE_CONSTANT_BUFFER) return;
    if (check->constants) SCH_D3D_REPORT(check, D3D_DECLARED_TWICE, instruction, "a second immediate constant buffer");
    check->constants = instruction->literal_count / 4;
    if (check->constants > MOST)
        SCH_D3D_REPORT(check, D3D_SLOT_LIMIT, instruction,
                       "an immediate constant buffer of %u vectors, but %d are the most", check->constants, MOST);
}

/* Whether an operand of a declaration is plain: its indices are numbers, as many as there must be. */
static bool indices_hold(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                         const struct sch_d3d_operand *operand)
{
    const struct sch_d3d_file *file = sch_d3d_file(operand->type);
    unsigned least, most;
    sch_d3d_index_counts(check, operand->type, &least, &most);
    if (check->spaces && file->extra) least = most = 3; /* identifier, first, last */
    bool plain = operand->index_count >= least && operand->index_count <= most;
    for (unsigned i = 0; i < operand->index_count; i++) plain = plain && !operand->index[i].relative;
    if (!plain)
        SCH_D3D_REPORT(check, D3D_DECLARED_OPERAND, instruction, "%s cannot be declared with these indices",
                       SCH_D3D_NAMED(operand));
    return plain;
}

static const struct {
    uint8_t opcode, type;
} declares[] = {
#define D3D_DECLARES(op, file) {SCH_D3D_OP_##op, SCH_D3D_REGISTER_##file},
#include "d3d/check/check.def"
};

static bool may_declare(const struct sch_d3d_check *check, unsigned opcode, unsigned type)
{
    const struct sch_d3d_file *file = sch_d3d_file(type);
    if (!sch_d3d_in_stage(check, file->stages)) return false;
    for (size_t i = 0; i < sizeof declares / sizeof *declares; i++)
        if (declares[i].opcode == opcode) return declares[i].type == type;
    if (opcode == SCH_D3D_OP_DCL_OUTPUT) return sch_d3d_may(type, 'o');
    if (opcode == SCH_D3D_OP_DCL_INDEX_RANGE) return sch_d3d_may(type, 'x') && strpbrk(file->uses, "io");
    return sch_d3d_may(type, 'i'); /* dcl_input and its kin */
}

static bool is_output(unsigned opcode)
{
    return opcode == SCH_D3D_OP_DCL_OUTPUT || opcode == SCH_D3D_OP_DCL_OUTPUT_SGV ||
           opcode == SCH_D3D_OP_DCL_OUTPUT_SIV;
}

/* The components that a declaration names. */
static uint8_t declared_mask(const struct sch_d3d_operand *operand)
{
    return operand->form == SCH_D3D_FORM_MASK ? operand->select : 0xf;
}

static void take_index_range(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                             struct sch_d3d_io *io, uint64_t first)
{
    uint32_t count = instruction->literals[0];
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    unsigned stream = sch_d3d_may(operand->type, 'o') ? check->phase.stream : 0;
    if (!count || first + count > SCH_D3D_IO_REGISTERS) {
        SCH_D3D_REPORT(check, D3D_DECLARED_OPERAND, instruction, "%u registers from %s on cannot be indexed", count,
                       SCH_D3D_NAMED(operand));
        return;
    }
    for (uint64_t i = first; i < first + count; i++) {
        io->indexable |= (uint64_t)1 << i;
        /* Microsoft's compiler leaves gaps: o0.z and o2.z alone, and a range of three at o0.z. */
        if (i > first && i < first + count - 1) continue;
        if (io->mask[stream][i] & declared_mask(operand)) continue;
        SCH_D3D_REPORT(check, D3D_DECLARED_OPERAND, instruction, "register %llu of the range at %s is not declared",
                       (unsigned long long)i, SCH_D3D_NAMED(operand));
        return;
    }
}

/* A pixel shader has one of the three depths. */
static void check_depth(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    static const uint8_t depths[] = {SCH_D3D_REGISTER_DEPTH, SCH_D3D_REGISTER_DEPTH_GREATER_EQUAL,
                                     SCH_D3D_REGISTER_DEPTH_LESS_EQUAL};
    uint8_t type = instruction->operands[0].type;
    if (!memchr(depths, type, sizeof depths)) return;
    for (size_t i = 0; i < sizeof depths; i++)
        if (depths[i] != type && sch_d3d_io(check, depths[i])->any)
            SCH_D3D_REPORT(check, D3D_DECLARED_TWICE, instruction, "a second depth");
}

/* What the phase declares of a file, to be written; NULL: no memory. */
static struct sch_d3d_io *io_of(struct sch_d3d_check *check, unsigned type)
{
    struct sch_d3d_io **io = &check->phase.io[type];
    if (!*io) *io = SCH_ARENA_NEW(&check->arena, struct sch_d3d_io);
    return *io;
}

static void take_register(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    struct sch_d3d_io *io = io_of(check, operand->type);
    if (!io) return;
    uint64_t number = operand->index_count ? operand->index[operand->index_count - 1].value : 0;
    uint64_t slots = sch_d3d_slots(check, operand->type);
    if (number >= slots || number >= SCH_D3D_IO_REGISTERS) {
        SCH_D3D_REPORT(check, D3D_SLOT_LIMIT, instruction, "%s, but the file has %llu registers",
                       SCH_D3D_NAMED(operand), (unsigned long long)slots);
        return;
    }
    if (instruction->opcode == SCH_D3D_OP_DCL_INDEX_RANGE) {
        take_index_range(check, instruction, io, number);
        return;
    }
    if (operand->form == SCH_D3D_FORM_MASK && !operand->select)
        SCH_D3D_REPORT(check, D3D_MASK_EMPTY, instruction, "%s is declared without components", SCH_D3D_NAMED(operand));
    unsigned stream = is_output(instruction->opcode) ? check->phase.stream : 0;
    check_depth(check, instruction);
    io->any = true;
    io->mask[stream][number] |= declared_mask(operand);
    if (operand->index_count > 1 && operand->index[0].value > io->vertices) io->vertices = operand->index[0].value;
    sch_d3d_check_vertices(check, instruction, operand);
    sch_d3d_check_signature(check, instruction, operand);
}

/* A register of the whole program; it was collected. */
static void check_global(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    uint64_t slots = sch_d3d_slots(check, operand->type);
    if (operand->index[0].value >= slots)
        SCH_D3D_REPORT(check, D3D_SLOT_LIMIT, instruction, "%s, but the file has %llu registers",
                       SCH_D3D_NAMED(operand), (unsigned long long)slots);
    if (check->spaces && operand->index_count == 3 && operand->index[1].value > operand->index[2].value)
        SCH_D3D_REPORT(check, D3D_DECLARED_OPERAND, instruction, "%s: the range ends before it begins",
                       SCH_D3D_NAMED(operand));
    if (instruction->opcode == SCH_D3D_OP_DCL_STREAM && operand->index[0].value < SCH_D3D_STREAMS)
        check->phase.stream = (uint32_t)operand->index[0].value;
    if (instruction->opcode != SCH_D3D_OP_DCL_CONSTANT_BUFFER) return;
    enum { MOST = 4096 }; /* REQ_CONSTANT_BUFFER_ELEMENT_COUNT; views of 5.1 bind no more either */
    uint64_t size = check->spaces ? instruction->literals[0] : operand->index[1].value;
    if (size > MOST)
        SCH_D3D_REPORT(check, D3D_SLOT_LIMIT, instruction, "%s: a constant buffer has at most %d vectors",
                       SCH_D3D_NAMED(operand), MOST);
}

static void check_operand(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                          const struct sch_d3d_op_info *info)
{
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    if (!may_declare(check, instruction->opcode, operand->type)) {
        SCH_D3D_REPORT(check, D3D_DECLARED_OPERAND, instruction, "%s cannot declare %s here", info->word,
                       SCH_D3D_NAMED(operand));
        return;
    }
    if (!indices_hold(check, instruction, operand)) return;
    if (strpbrk(sch_d3d_file(operand->type)->uses, "io"))
        take_register(check, instruction);
    else
        check_global(check, instruction);
    sch_d3d_check_system_value(check, instruction);
}

static const struct {
    uint8_t opcode; /* all readers see to it that its words are there */
    void (*check)(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction);
} particulars[] = {
    {SCH_D3D_OP_CUSTOMDATA, take_constants},
    {SCH_D3D_OP_DCL_TEMPS, take_temps},
    {SCH_D3D_OP_DCL_INDEXABLE_TEMP, take_array},
    {SCH_D3D_OP_DCL_THREAD_GROUP, check_threads},
    {SCH_D3D_OP_DCL_TGSM_RAW, check_shared_memory},
    {SCH_D3D_OP_DCL_TGSM_STRUCTURED, check_shared_memory},
    {SCH_D3D_OP_DCL_HS_MAX_TESSFACTOR, check_tessellation_factor},
    {SCH_D3D_OP_DCL_UAV_TYPED, check_view},
    {SCH_D3D_OP_DCL_OUTPUTTOPOLOGY, sch_d3d_check_topology},
    {SCH_D3D_OP_DCL_FUNCTION_TABLE, check_table},
    {SCH_D3D_OP_DCL_INTERFACE, check_interface},
};

void sch_d3d_check_declaration(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                               const struct sch_d3d_op_info *info)
{
    if (info->flags & SCH_D3D_F_DECLARATION && check->phase.begun)
        SCH_D3D_REPORT(check, D3D_DECLARED_LATE, instruction, "%s comes after an instruction", info->word);
    bool here = sch_d3d_op_in_phase(check, instruction->opcode) &&
                (!instruction->operand_count || sch_d3d_file_in_phase(check, instruction->operands[0].type));
    if (!here) SCH_D3D_REPORT(check, D3D_PHASE, instruction, "%s is not allowed in this phase", info->word);
    check_ranges(check, instruction, info);
    for (size_t i = 0; i < sizeof particulars / sizeof *particulars; i++)
        if (particulars[i].opcode == instruction->opcode) particulars[i].check(check, instruction);
    if (instruction->operand_count) check_operand(check, instruction, info);
}
