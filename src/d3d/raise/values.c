/* What IN, OUT and SV registers mean in Direct3D (values.def), and which registers are free for them. */
#include "d3d/raise/internal.h"

#include <string.h>

static char stage_of(const struct sch_raise *r)
{
    static const char letters[SCH_STAGE_COUNT] = {
        [SCH_STAGE_VERTEX] = 'v', [SCH_STAGE_FRAGMENT] = 'p', [SCH_STAGE_GEOMETRY] = 'g', [SCH_STAGE_COMPUTE] = 'c'};
    return letters[r->in->stage];
}

static const struct sch_raise_meaning meanings[] = {
#define RAISE_IO(semantic, inputs, outputs, name, value, kind, type, home)                                             \
    {SCH_SEMANTIC_##semantic, value, SCH_RAISE_##kind, SCH_RAISE_##type, home, inputs, outputs, name},
#include "d3d/raise/values.def"
};

const struct sch_raise_meaning *sch_raise_meaning_of(const struct sch_raise *r, const struct sch_raise_io *io,
                                                     bool is_input)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].semantic == io->semantic &&
            strchr(is_input ? meanings[i].inputs : meanings[i].outputs, stage_of(r)))
            return &meanings[i];
    return NULL;
}

unsigned sch_raise_special(const struct sch_raise *r, const struct sch_raise_io *io)
{
    enum { GREATER = 2, LESS = 3 };
    if (!sch_raise_is_pixel(r)) return 0;
    switch (io->semantic) {
    case SCH_SEMANTIC_POSITION:
        switch (r->depth_layout) {
        case GREATER:
            return SCH_D3D_REGISTER_DEPTH_GREATER_EQUAL;
        case LESS:
            return SCH_D3D_REGISTER_DEPTH_LESS_EQUAL;
        default:
            return SCH_D3D_REGISTER_DEPTH;
        }
    case SCH_SEMANTIC_STENCIL:
        return SCH_D3D_REGISTER_STENCIL_REFERENCE;
    case SCH_SEMANTIC_SAMPLEMASK:
        return SCH_D3D_REGISTER_COVERAGE_MASK;
    default:
        return 0;
    }
}

unsigned sch_raise_free(uint32_t *taken, unsigned from, bool down)
{
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        unsigned number = (down ? from - i : from + i) % SCH_RAISE_REGISTERS;
        if (*taken >> number & 1) continue;
        *taken |= UINT32_C(1) << number;
        return number;
    }
    return SCH_RAISE_REGISTERS;
}

/* ---- system values ---- */

static const struct sch_raise_value value_rows[] = {
#define RAISE_VALUE(semantic, stages, file, value, components)                                                         \
    {SCH_SEMANTIC_##semantic, SCH_D3D_REGISTER_##file, value, components, stages},
#include "d3d/raise/values.def"
};

const struct sch_raise_value *sch_raise_value_of(const struct sch_raise *r, unsigned semantic)
{
    for (size_t i = 0; i < sizeof value_rows / sizeof *value_rows; i++)
        if (value_rows[i].semantic == semantic && strchr(value_rows[i].stages, stage_of(r))) return &value_rows[i];
    return NULL;
}

/* A register of the file with all its components, as declarations have it. */
struct sch_d3d_operand sch_raise_whole(unsigned type)
{
    const struct sch_d3d_register_info *info = sch_d3d_register_info(type);
    struct sch_d3d_operand made = sch_raise_bare(type);
    if (info->bare == SCH_D3D_BARE_ONE) made.form = SCH_D3D_FORM_SCALAR;
    if (info->bare != SCH_D3D_BARE_FOUR) return made;
    made.form = SCH_D3D_FORM_SWIZZLE;
    made.select = SCH_D3D_SWIZZLE_XYZW;
    return made;
}

/* The same as a source: one component is read as x, of all but vPrim. */
static struct sch_d3d_operand value_operand(unsigned type)
{
    struct sch_d3d_operand made = sch_raise_whole(type);
    if (made.form == SCH_D3D_FORM_SWIZZLE || type == SCH_D3D_REGISTER_PRIMITIVE_ID) return made;
    made.form = SCH_D3D_FORM_SWIZZLE;
    return made;
}

/* What is known when the program is made; false: it is no such value. */
static bool known_value(const struct sch_raise *r, unsigned semantic, struct sch_d3d_operand *made)
{
    if (semantic == SCH_SEMANTIC_BLOCK_SIZE && r->in->stage == SCH_STAGE_COMPUTE) {
        *made = sch_raise_literal(r->block[0], r->block[1], r->block[2], 0);
        return true;
    }
    if (semantic != SCH_SEMANTIC_VERTICESIN || r->in->stage != SCH_STAGE_GEOMETRY) return false;
    *made = sch_raise_word(r->vertices);
    return true;
}

/* After the attributes of vertices; in pixel shaders where GENERIC rarely reaches and nothing else is. */
static bool place_value(struct sch_raise *r, struct sch_raise_io *io)
{
    enum { BELOW_HOMES = 13 };
    bool pixel = r->in->stage == SCH_STAGE_FRAGMENT;
    unsigned attributes = r->inputs_taken ? 32u - (unsigned)__builtin_clz(r->inputs_taken) : 0;
    unsigned number = sch_raise_free(&r->inputs_taken, pixel ? BELOW_HOMES : attributes, pixel);
    io->number = (uint8_t)number;
    io->used = number < SCH_RAISE_REGISTERS;
    return io->used;
}

struct sch_d3d_operand sch_raise_system_value(struct sch_raise *r, unsigned number, unsigned components)
{
    struct sch_d3d_operand made = sch_raise_temp(0);
    if (number >= SCH_RAISE_REGISTERS) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "SV[%u]: there are %d registers", number, SCH_RAISE_REGISTERS);
        return made;
    }
    unsigned semantic = r->values[number].semantic;
    if (known_value(r, semantic, &made)) return made;
    const struct sch_raise_value *row = sch_raise_value_of(r, semantic);
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, semantic);
    if (!row) {
        sch_raise_refuse(r, SCH_D_RAISE_SEMANTIC, "SV[%u], %s: Direct3D has no such value in this stage", number,
                         word->word);
        return made;
    }
    if (components >> row->components) {
        sch_raise_refuse(r, SCH_D_RAISE_SEMANTIC, "SV[%u], %s: Direct3D has %u component%s of it", number, word->word,
                         row->components, row->components > 1 ? "s" : "");
        return made;
    }
    r->values[number].mask |= (uint8_t)components;
    if (row->file != SCH_D3D_REGISTER_INPUT) return value_operand(row->file);
    if (!r->values[number].used && !place_value(r, &r->values[number])) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "SV[%u]: all registers v# are taken", number);
        return made;
    }
    return sch_raise_splat(sch_raise_register(SCH_D3D_REGISTER_INPUT, r->values[number].number), 0);
}
