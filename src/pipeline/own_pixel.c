/* See own_pixel.h. Instructions are followed from the first one on as long as none branches: which channels are the
 * pixel's place, as a float or as an integer, turned round or not, and which are constants. Drivers turn y by
 * constants of the draw, so this is done for each draw that reads one of its targets. */
#include "pipeline/own_pixel.h"

#include <string.h>

enum kind { UNKNOWN, CONSTANT, PLACE /* a float */, PIXEL /* an integer: x or y as it is */ };

struct value {
    enum kind kind;
    uint32_t bits;      /* CONSTANT */
    unsigned axis;      /* PLACE, PIXEL */
    float sign, offset; /* PLACE: sign * x + offset, all of it exact: small multiples of 0.5 */
};

enum { MOST_CHANNELS = 96, FAR = 1 << 16 };

struct walk {
    const struct sch_prepared *program;
    const struct sch_exec_bindings *bindings;
    float height;
    uint32_t view;
    unsigned count;
    bool full;
    uint32_t channel[MOST_CHANNELS];
    struct value value[MOST_CHANNELS];
};

static const struct value unknown = {UNKNOWN, 0, 0, 0, 0};

/* ---- channels ---- */

static void write_channel(struct walk *w, uint32_t channel, struct value value)
{
    unsigned i = 0;
    while (i < w->count && w->channel[i] != channel) i++;
    if (i == w->count) {
        if (value.kind == UNKNOWN) return;
        if (w->count == MOST_CHANNELS) {
            w->full = true;
            return;
        }
        w->channel[w->count++] = channel;
    }
    w->value[i] = value;
}

static struct value constant(uint32_t bits) { return (struct value){CONSTANT, bits, 0, 0, 0}; }

/* POSITION.x and .y (attribute_position, ops/raster/attribute.h). */
static struct value read_input(const struct walk *w, uint32_t channel)
{
    const struct sch_prepared_interface *interface = &w->program->interface;
    const uint32_t number = channel / 4, axis = channel % 4;
    if (number >= interface->input_count || interface->inputs[number].semantic != SCH_SEMANTIC_POSITION || axis > 1)
        return unknown;
    struct value place = {PLACE, 0, axis, 1, 0.5F};
    if (axis && interface->properties[SCH_PROPERTY_FS_COORD_ORIGIN].value == SCH_ORIGIN_LOWER_LEFT)
        place = (struct value){PLACE, 0, axis, -1, w->height - 0.5F};
    if (interface->properties[SCH_PROPERTY_FS_COORD_PIXEL_CENTER].value == SCH_PIXEL_CENTER_INTEGER)
        place.offset -= 0.5F;
    return place;
}

static struct value read_constant(const struct walk *w, uint32_t channel)
{
    const struct sch_pair *pair = &w->program->constants.items[channel / 4];
    const size_t at = 16 * (size_t)pair->second + UINT64_C(4) * (channel % 4);
    uint32_t bits;
    if (pair->first >= w->bindings->constant_count) return unknown;
    const struct sch_constant_buffer *buffer = &w->bindings->constants[pair->first];
    if (!buffer->data || at + sizeof bits > buffer->bytes) return unknown;
    memcpy(&bits, (const char *)buffer->data + at, sizeof bits);
    return constant(bits);
}

static struct value read_source(const struct walk *w, const struct sch_prepared_src *src, unsigned component)
{
    const struct sch_prepared_file *inputs = &w->program->files[SCH_FILE_INPUT];
    const uint32_t channel = src->channel[component];
    if (src->access != SCH_ACCESS_PLAIN || src->modify != SCH_MODIFY_NOTHING) return unknown;
    if (src->space == SCH_SPACE_PROGRAM) return constant(w->program->program_words[channel]);
    if (src->space == SCH_SPACE_RUN) return read_constant(w, channel);
    if (src->space != SCH_SPACE_STATE) return unknown;
    if (src->file == SCH_FILE_INPUT) return channel < inputs->base ? unknown : read_input(w, channel - inputs->base);
    for (unsigned i = 0; i < w->count; i++)
        if (w->channel[i] == channel) return w->value[i];
    return unknown;
}

/* ---- arithmetic ---- */

/* A float that stays exact among places; false if it does not. */
static bool take_number(const struct value *value, float *number)
{
    if (value->kind != CONSTANT) return false;
    memcpy(number, &value->bits, sizeof *number);
    return *number > -FAR && *number < FAR && 2 * *number == (float)(int32_t)(2 * *number);
}

static struct value sum(struct value a, struct value b)
{
    const struct value *place = a.kind == PLACE ? &a : &b;
    float number;
    if (place->kind != PLACE || !take_number(a.kind == PLACE ? &b : &a, &number)) return unknown;
    struct value made = *place;
    made.offset += number;
    return made;
}

static struct value product(struct value a, struct value b)
{
    const struct value *place = a.kind == PLACE ? &a : &b;
    float number;
    if (place->kind != PLACE || !take_number(a.kind == PLACE ? &b : &a, &number)) return unknown;
    if (number != 1 && number != -1) return unknown;
    struct value made = *place;
    made.sign *= number;
    made.offset *= number;
    return made;
}

/* Towards 0, which is down, since places within the framebuffer are not negative. */
static struct value whole(struct value place, enum kind kind)
{
    if (place.kind != PLACE || place.sign < 0 || (place.offset != 0 && place.offset != 0.5F)) return unknown;
    return (struct value){kind, 0, place.axis, 1, 0};
}

static struct value compute(const struct walk *w, const struct sch_prepared_instruction *in, unsigned component)
{
    struct value from[3] = {unknown, unknown, unknown};
    if (in->modify != SCH_MODIFY_NOTHING) return unknown;
    for (unsigned s = 0; s < in->src_count && s < 3; s++) from[s] = read_source(w, &in->src[s], component);
    switch (in->opcode) {
    case SCH_OP_MOV:
        return from[0];
    case SCH_OP_ADD:
        return sum(from[0], from[1]);
    case SCH_OP_MUL:
        return product(from[0], from[1]);
    case SCH_OP_MAD:
    case SCH_OP_FMA:
        return sum(product(from[0], from[1]), from[2]);
    case SCH_OP_FLR:
    case SCH_OP_TRUNC:
        return whole(from[0], PLACE);
    case SCH_OP_F2I:
    case SCH_OP_F2U:
        return whole(from[0], PIXEL);
    default:
        return unknown;
    }
}

/* ---- instructions ---- */

/* False: it is not known what is written. */
static bool write_results(struct walk *w, const struct sch_prepared_instruction *in)
{
    struct value made[4];
    for (unsigned c = 0; c < 4; c++) made[c] = in->dst_count == 1 && !in->lookup ? compute(w, in, c) : unknown;
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        if (dst->access == SCH_ACCESS_NONE) continue;
        if (dst->access != SCH_ACCESS_PLAIN) return false;
        for (unsigned c = 0; c < 4; c++)
            if (dst->mask >> c & 1) write_channel(w, dst->channel + c, made[c]);
    }
    return !w->full;
}

/* Whether an instruction may read texels of the view. */
static bool reads_view(const struct walk *w, const struct sch_prepared_instruction *in)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    if (!lookup) return in->resource != NULL; /* memory, which may be views as well */
    if (lookup->kind >= SCH_PREPARED_SIZE) return false;
    if (lookup->handle) return true;
    const struct sch_prepared_index *index = &in->src[lookup->view].index;
    return index->is_indirect || index->base == (int32_t)w->view;
}

static bool is_own(const struct walk *w, const struct sch_prepared_instruction *in)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    if (!lookup || lookup->kind != SCH_PREPARED_FETCH || lookup->handle || lookup->offsets || lookup->layer)
        return false;
    if (lookup->target != SCH_TARGET_2D && lookup->target != SCH_TARGET_RECT) return false;
    if (in->src[lookup->view].index.is_indirect) return false;
    for (unsigned axis = 0; axis < 2; axis++) {
        const struct value value = read_source(w, &in->src[0], axis);
        if (value.kind != PIXEL || value.axis != axis) return false;
    }
    if (lookup->value.source < 0) return true;
    const struct value level = read_source(w, &in->src[lookup->value.source], lookup->value.component);
    return level.kind == CONSTANT && level.bits == 0;
}

bool sch_fetches_own_pixel(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                           uint32_t height, uint32_t view)
{
    const struct sch_prepared *prepared = &program->prepared;
    struct walk w;
    bool straight = true;
    w.program = prepared;
    w.bindings = bindings;
    w.height = (float)height;
    w.view = view;
    w.count = 0;
    w.full = false;
    /* Lanes beside the primitive read pixels that others write, which only derivatives and votes show. */
    if (prepared->interface.facts.reads_quad || prepared->interface.facts.shows_group) return false;
    for (uint32_t n = 0; n < prepared->instruction_count; n++) {
        const struct sch_prepared_instruction *in = &prepared->instructions[n];
        straight = straight && sch_op_info(in->opcode)->shape != SCH_SHAPE_FLOW;
        if (reads_view(&w, in) && !(straight && is_own(&w, in))) return false;
        if (straight && !write_results(&w, in)) return false;
    }
    return true;
}
