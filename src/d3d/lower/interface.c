/* Interfaces: which class an interface holds, and where its instance's data are, is the caller's choice when the shader
 * is bound. It stands in two constant buffers behind Direct3D's own, one vector for each slot of an interface: which of
 * the interface's tables is in x of CONST[16], the instance's `this` in CONST[17]. A call is a switch over the table's
 * number; resources of a class are indexed by `this`. */
#include "d3d/lower/lower.h"

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

static void declare_vectors(struct sch_lower *l, uint32_t buffer, uint32_t count)
{
    struct sch_ir_declaration declaration = {.file = SCH_FILE_CONSTANT,
                                             .usage_mask = 15,
                                             .has_dimension = true,
                                             .dimension = (uint16_t)buffer,
                                             .last = (uint16_t)(count - 1)};
    sch_lower_declare(l, &declaration);
}

void sch_lower_linkage(struct sch_lower *l)
{
    if (!l->interface_slots) return;
    declare_vectors(l, SCH_D3D_CHOSEN_TABLES, l->interface_slots);
    declare_vectors(l, SCH_D3D_CHOSEN_THIS, l->interface_slots);
}

/* ---- this ---- */

struct sch_ir_src sch_lower_this(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_lower_of(SCH_FILE_CONSTANT);
    if (!l->interface_slots || !operand->index_count) {
        sch_lower_refuse(l, "this[] of no interface");
        return src;
    }
    unsigned last = operand->index_count - 1u;
    uint32_t base = last ? sch_lower_number(operand, 0) : 0;
    if (base >= SCH_LOWER_INTERFACES || (last && operand->index[0].relative)) {
        sch_lower_refuse(l, "this[] of no interface");
        return src;
    }
    src.has_dimension = true;
    src.dimension.index = SCH_D3D_CHOSEN_THIS;
    sch_lower_bracket(l, &operand->index[last], base, 0, &src.index);
    return src;
}

bool sch_lower_of_class(const struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    return !sch_d3d_has_spaces(l->program) && operand->index_count && operand->index[0].relative;
}

/* "Out of bounds resource indexing produces the same result as if accessing a slot with no resource bound" (7.11.2).
 * The bracket counts from `unit`, which is that of register `number`. */
static void index_by_register(struct sch_lower *l, const struct sch_d3d_operand *operand, uint32_t limit,
                              uint32_t number, uint32_t unit, struct sch_ir_bracket *bracket)
{
    struct sch_ir_src by = sch_lower_splat(sch_lower_source(l, operand->index[0].relative, 'u'), 0);
    by = sch_lower_bounded(l, by, (uint32_t)operand->index[0].value, limit);
    if (number) {
        uint16_t distance = sch_lower_scratch(l);
        sch_lower_2(l, SCH_OP_UADD, sch_lower_temp_dst(distance, 1), by, sch_lower_word(l, 0 - number));
        by = sch_lower_splat(sch_lower_temp(distance), 0);
    }
    sch_lower_address(l, by, bracket);
    bracket->index = (int16_t)unit;
}

/* An instance may lie in any constant buffer, also in one that the program does not declare. */
void sch_lower_class_buffer(struct sch_lower *l, const struct sch_d3d_operand *operand, struct sch_ir_bracket *bracket)
{
    enum { VECTORS = 4096 }; /* REQ_CONSTANT_BUFFER_ELEMENT_COUNT */
    for (uint32_t n = 0; n < SCH_LOWER_BUFFERS; n++) sch_lower_need_constants(l, n, VECTORS);
    index_by_register(l, operand, SCH_LOWER_BUFFERS, 0, 0, bracket);
}

static bool is_sampler(const struct sch_lower *l, uint32_t number)
{
    return sch_d3d_find_range(&l->ranges, SCH_D3D_REGISTER_SAMPLER, number) != NULL;
}

void sch_lower_class_sampler(struct sch_lower *l, const struct sch_d3d_operand *operand, struct sch_ir_bracket *bracket)
{
    enum { SLOTS = SCH_LOWER_SAMPLERS };
    for (uint16_t n = 0; n < SLOTS && !l->declared_samplers; n++) {
        struct sch_ir_declaration declaration = {.file = SCH_FILE_SAMPLER, .usage_mask = 15, .first = n};
        if (is_sampler(l, n)) continue;
        while (n + 1 < SLOTS && !is_sampler(l, n + 1u)) n++;
        declaration.last = n;
        sch_lower_declare(l, &declaration);
    }
    l->declared_samplers = true;
    index_by_register(l, operand, SLOTS, 0, 0, bracket);
}

/* What the instruction says of its resource: "_indexable(dimension)(types)". */
static unsigned said_dimension(const struct sch_lower *l)
{
    return sch_d3d_extended(l->at, SCH_D3D_EXTENDED_DIMENSION) >> 6 & 31;
}

static bool fits(const struct sch_lower_resource *is, unsigned kind, unsigned dimension, uint32_t stride)
{
    if (!is->declared || is->kind != kind) return false;
    return kind == SCH_LOWER_TYPED ? !dimension || is->dimension == dimension : !stride || is->stride == stride;
}

static bool is_free(const struct sch_lower *l, uint32_t number)
{
    for (uint32_t i = 0; i < l->stand_in_count; i++)
        if (l->stand_ins[i].number == number) return false;
    return !sch_d3d_find_range(&l->ranges, SCH_D3D_REGISTER_RESOURCE, number);
}

/* A t# that no declaration has, the last one that is free. NULL: nothing says what it would be. */
static struct sch_lower_resource *stand_in(struct sch_lower *l, unsigned kind, unsigned dimension, uint32_t stride)
{
    uint32_t number = SCH_LOWER_RESOURCES;
    while (number && !is_free(l, number - 1)) number--;
    bool known = kind == SCH_LOWER_RAW || dimension || stride;
    if (!known || !number-- || l->stand_in_count == SCH_LOWER_STAND_INS) return NULL;
    struct sch_lower_resource *made = &l->stand_ins[l->stand_in_count++];
    bool bytes = kind != SCH_LOWER_TYPED;
    *made = (struct sch_lower_resource){.number = number, .unit = number + (bytes ? SCH_D3D_BYTE_UNITS : 0)};
    if (bytes)
        sch_lower_declare_bytes(l, made, stride);
    else
        sch_lower_declare_view(l, made, dimension, sch_d3d_extended(l->at, SCH_D3D_EXTENDED_RETURN) >> 6);
    return made;
}

/* A t# that stands for those of a class: a declared one that is like them, or one made for it. Which one is read is a
 * matter of the index. */
static const struct sch_lower_resource *representative(struct sch_lower *l, unsigned kind)
{
    static const struct sch_lower_resource none;
    unsigned dimension = kind == SCH_LOWER_TYPED ? said_dimension(l) : 0;
    uint32_t stride =
        kind == SCH_LOWER_STRUCTURED ? sch_d3d_extended(l->at, SCH_D3D_EXTENDED_DIMENSION) >> 11 & 0xfff : 0;
    for (size_t i = 0; i < l->ranges.count; i++)
        if (l->ranges.items[i].type == SCH_D3D_REGISTER_RESOURCE && fits(&l->placed[i], kind, dimension, stride))
            return &l->placed[i];
    for (uint32_t i = 0; i < l->stand_in_count; i++)
        if (fits(&l->stand_ins[i], kind, dimension, stride)) return &l->stand_ins[i];
    const struct sch_lower_resource *made = stand_in(l, kind, dimension, stride);
    if (!made) sch_lower_refuse(l, "a t# of a class whose dimension nothing says");
    return made ? made : &none;
}

const struct sch_lower_resource *sch_lower_class_view(struct sch_lower *l, const struct sch_d3d_operand *operand,
                                                      unsigned kind, struct sch_ir_bracket *bracket)
{
    const struct sch_lower_resource *is = representative(l, kind);
    index_by_register(l, operand, SCH_LOWER_RESOURCES, is->number, is->unit, bracket);
    return is;
}

/* ---- calls ---- */

/* Of an interface whose index is a register: the number of its table, which is none behind the end of the array. */
static struct sch_ir_src indexed_table(struct sch_lower *l, const struct sch_d3d_index *index, uint32_t first,
                                       uint32_t size)
{
    uint16_t place = sch_lower_scratch(l), beyond = sch_lower_scratch(l);
    struct sch_ir_src number = sch_lower_splat(sch_lower_temp(place), 0);
    struct sch_ir_src by = sch_lower_splat(sch_lower_source(l, index->relative, 'u'), 0);
    sch_lower_2(l, SCH_OP_UADD, sch_lower_temp_dst(place, 1), by, sch_lower_word(l, (uint32_t)index->value));
    sch_lower_2(l, SCH_OP_USGE, sch_lower_temp_dst(beyond, 1), number, sch_lower_word(l, size));
    struct sch_ir_src table = sch_lower_of(SCH_FILE_CONSTANT);
    table.has_dimension = true;
    table.dimension.index = SCH_D3D_CHOSEN_TABLES;
    sch_lower_address(l, number, &table.index);
    table.index.index = (int16_t)first;
    sch_lower_2(l, SCH_OP_OR, sch_lower_temp_dst(place, 1), sch_lower_splat(table, 0),
                sch_lower_splat(sch_lower_temp(beyond), 0));
    return number;
}

static struct sch_ir_src chosen_table(struct sch_lower *l, const struct sch_d3d_index *index, instruction *interface)
{
    uint32_t first = interface->literals[0], size = interface->literals[2] >> 16;
    if (index->relative) return indexed_table(l, index, first, size);
    struct sch_ir_src table = sch_lower_of(SCH_FILE_CONSTANT);
    if (index->value >= size) {
        sch_lower_refuse(l, "fp%u has no element %llu", first, (unsigned long long)index->value);
        return table;
    }
    table.has_dimension = true;
    table.dimension.index = SCH_D3D_CHOSEN_TABLES;
    table.index.index = (int16_t)(first + index->value);
    return sch_lower_splat(table, 0);
}

/* The body behind a call site in table `position` of an interface; UINT32_MAX: refused. */
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
    struct sch_ir_instruction *made = sch_lower_add(l, SCH_OP_CASE);
    made->src_count = 1;
    made->src[0] = sch_lower_word(l, number);
}

/* fcall: the bodies of the call site under a switch over the table's number; a number that is none calls nothing. */
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
    struct sch_ir_instruction *made = sch_lower_add(l, row->op);
    made->src_count = 1;
    made->src[0] = table;
    uint32_t count = interface->literal_count - 3u;
    for (uint32_t i = 0; i < count && l->status == SCH_STATUS_OK; i++) {
        uint32_t body = body_of(l, interface, i, site);
        add_case(l, i);
        if (i + 1 < count && body_of(l, interface, i + 1, site) == body) continue; /* classes that share it */
        sch_lower_call(l, body, SCH_LOWER_BODY);
        sch_lower_add(l, SCH_OP_BRK);
    }
    sch_lower_add(l, SCH_OP_ENDSWITCH);
}
