/* Interfaces: which class an interface holds, and where its instance's data are, is the caller's choice when the shader
 * is bound. It is in two constant buffers after Direct3D's own, one vector for each slot of an interface: which of
 * the interface's tables is in x of CONST[16], the instance's `this` in CONST[17]. A call is a switch over the table's
 * number; resources of a class are indexed by `this`. */
#include "d3d/lower/internal.h"

typedef const struct sch_d3d_instruction instruction;
typedef const struct sch_lower_row row_t;

/* ---- declarations ---- */

static void declare_table(struct sch_lower *l, instruction *in)
{
    enum { MOST_TABLES = 65536 };
    uint32_t number = in->literals[0];
    if (number >= MOST_TABLES) {
        sch_lower_refuse(l, "ft%u is more than is lowered", number);
        return;
    }
    while (number >= l->table_capacity)
        if (!SCH_ARENA_GROW(&l->arena, l->tables, l->table_capacity, l->table_capacity)) return;
    l->tables[number] = in;
}

static void declare_interface(struct sch_lower *l, instruction *in)
{
    uint32_t number = in->literals[0], size = in->literals[2] >> 16;
    if (number >= SCH_LOWER_INTERFACES || size > SCH_LOWER_INTERFACES - number) {
        sch_lower_refuse(l, "fp%u[%u] is more than the %d slots that there are", number, size, SCH_LOWER_INTERFACES);
        return;
    }
    if (!l->interfaces)
        l->interfaces = SCH_ARENA_ARRAY(&l->arena, const struct sch_d3d_instruction *, SCH_LOWER_INTERFACES);
    if (!l->interfaces) return;
    l->interfaces[number] = in;
    if (number + size > l->interface_slots) l->interface_slots = number + size;
}

void sch_lower_interface(struct sch_lower *l, instruction *in)
{
    if (in->opcode == SCH_D3D_OP_DCL_FUNCTION_TABLE) declare_table(l, in);
    if (in->opcode == SCH_D3D_OP_DCL_INTERFACE) declare_interface(l, in);
}

void sch_lower_linkage(struct sch_lower *l)
{
    if (!l->interface_slots) return;
    const struct sch_ir_declaration tables =
        sch_build_buffer(SCH_FILE_CONSTANT, SCH_D3D_CHOSEN_TABLES, l->interface_slots);
    const struct sch_ir_declaration instances =
        sch_build_buffer(SCH_FILE_CONSTANT, SCH_D3D_CHOSEN_THIS, l->interface_slots);
    sch_build_declare(l->build, &tables);
    sch_build_declare(l->build, &instances);
}

/* ---- calls ---- */

/* For an interface whose index is a register: the number of its table; no table has the number past the end of the
 * array. */
static struct sch_ir_src indexed_table(struct sch_lower *l, const struct sch_d3d_index *index, uint32_t first,
                                       uint32_t size)
{
    uint32_t place = sch_build_scratch(l->build), beyond = sch_build_scratch(l->build);
    struct sch_ir_src number = sch_build_splat(sch_build_temp_src(place), 0);
    struct sch_ir_src by = sch_build_splat(sch_lower_source(l, index->relative, 'u'), 0);
    sch_build_2(l->build, SCH_OP_UADD, sch_build_temp_dst(place, 1), by,
                sch_build_word(l->build, (uint32_t)index->value));
    sch_build_2(l->build, SCH_OP_USGE, sch_build_temp_dst(beyond, 1), number, sch_build_word(l->build, size));
    struct sch_ir_src table = sch_ir_src(SCH_FILE_CONSTANT, 0);
    table.has_dimension = true;
    table.dimension.index = SCH_D3D_CHOSEN_TABLES;
    sch_build_address(l->build, number, &table.index);
    table.index.index = (int32_t)first;
    sch_build_2(l->build, SCH_OP_OR, sch_build_temp_dst(place, 1), sch_build_splat(table, 0),
                sch_build_splat(sch_build_temp_src(beyond), 0));
    return number;
}

static struct sch_ir_src chosen_table(struct sch_lower *l, const struct sch_d3d_index *index, instruction *interface)
{
    uint32_t first = interface->literals[0], size = interface->literals[2] >> 16;
    if (index->relative) return indexed_table(l, index, first, size);
    struct sch_ir_src table = sch_ir_src(SCH_FILE_CONSTANT, 0);
    if (index->value >= size) {
        sch_lower_refuse(l, "fp%u has no element %llu", first, (unsigned long long)index->value);
        return table;
    }
    table.has_dimension = true;
    table.dimension.index = SCH_D3D_CHOSEN_TABLES;
    table.index.index = (int32_t)(first + index->value);
    return sch_build_splat(table, 0);
}

/* The body after a call site in table `position` of an interface; UINT32_MAX: refused. */
static uint32_t body_of(struct sch_lower *l, instruction *interface, uint32_t position, uint32_t site)
{
    uint32_t number = interface->literals[3 + position];
    instruction *table = number < l->table_capacity ? l->tables[number] : NULL;
    if (table && site < table->literal_count - 2u) return table->literals[2 + site];
    sch_lower_refuse(l, "ft%u has no body for call site %u", number, site);
    return UINT32_MAX;
}

static void add_case(struct sch_lower *l, uint32_t number)
{
    sch_build_test(l->build, SCH_OP_CASE, sch_build_word(l->build, number));
}

/* fcall: the bodies of the call site under a switch over the table's number; a number of no table calls nothing. */
void sch_lower_INTERFACE_CALL(struct sch_lower *l, row_t *row)
{
    const struct sch_d3d_operand *operand = &l->at->operands[0];
    uint32_t number = sch_lower_number(operand, 0), site = l->at->literals[0];
    instruction *interface = number < l->interface_slots ? l->interfaces[number] : NULL;
    if (!interface || operand->index_count != 2 || operand->index[0].relative || site >= interface->literals[1]) {
        sch_lower_refuse(l, "fp%u has no such call site", number);
        return;
    }
    struct sch_ir_src table = chosen_table(l, &operand->index[1], interface);
    sch_build_test(l->build, row->op, table);
    uint32_t count = interface->literal_count - 3u;
    for (uint32_t i = 0; i < count && l->build->status == SCH_OK; i++) {
        uint32_t body = body_of(l, interface, i, site);
        add_case(l, i);
        if (i + 1 < count && body_of(l, interface, i + 1, site) == body) continue; /* classes that share it */
        sch_lower_call(l, body, SCH_LOWER_BODY);
        sch_build_add(l->build, SCH_OP_BRK);
    }
    sch_build_add(l->build, SCH_OP_ENDSWITCH);
}
