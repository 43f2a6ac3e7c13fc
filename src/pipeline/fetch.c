/* See fetch.h. What bits mean is ops/raster/fetch.c's to say. */
#include "pipeline/fetch.h"

#include <inttypes.h>
#include <string.h>

#include "isa/errors.h"
#include "isa/isa.h"
#include "ops/texture/format.h"

/* ---- formats ---- */

/* How a format is read: all but addresses. False: vertices do not have it. */
static bool format_facts(unsigned format, struct sch_vertex_source *source, uint32_t *bytes)
{
    static const struct {
        uint16_t format;
        uint8_t kind, components;
    } wide[] = {
        {SCH_FORMAT_R64_FLOAT, SCH_FETCH_DOUBLES, 1},       {SCH_FORMAT_R64G64_FLOAT, SCH_FETCH_DOUBLES, 2},
        {SCH_FORMAT_R64G64B64_FLOAT, SCH_FETCH_DOUBLES, 3}, {SCH_FORMAT_R64G64B64A64_FLOAT, SCH_FETCH_DOUBLES, 4},
        {SCH_FORMAT_R64_UINT, SCH_FETCH_LONGS, 1},          {SCH_FORMAT_R64G64_UINT, SCH_FETCH_LONGS, 2},
        {SCH_FORMAT_R64G64B64_UINT, SCH_FETCH_LONGS, 3},    {SCH_FORMAT_R64G64B64A64_UINT, SCH_FETCH_LONGS, 4},
        {SCH_FORMAT_R64_SINT, SCH_FETCH_LONGS, 1},          {SCH_FORMAT_R64G64_SINT, SCH_FETCH_LONGS, 2},
        {SCH_FORMAT_R64G64B64_SINT, SCH_FETCH_LONGS, 3},    {SCH_FORMAT_R64G64B64A64_SINT, SCH_FETCH_LONGS, 4},
    };
    static const uint32_t float_one = 0x3f800000;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        if (wide[i].format != format) continue;
        source->kind = wide[i].kind;
        source->components = wide[i].components;
        source->one = wide[i].kind == SCH_FETCH_LONGS ? 1 : float_one;
        *bytes = wide[i].components * 8u;
        return true;
    }
    if (format >= SCH_FORMAT_LIMIT) return false;
    const struct tex_format *facts = &tex_formats[format];
    if (facts->kind != TEX_KIND_PLAIN && facts->kind != TEX_KIND_R11G11B10) return false;
    if (facts->flags & (TEX_SRGB | TEX_DEPTH | TEX_STENCIL)) return false;
    source->kind = SCH_FETCH_TEXEL;
    source->one = facts->flags & TEX_INTEGER ? 1 : float_one;
    *bytes = facts->bytes;
    unsigned words = 0;
    while (words < 4 && facts->component[words] == words && facts->channel[words].bits == 32) words++;
    bool rest = facts->bytes == 4 * words; /* the others are constant */
    for (unsigned c = words; c < 4; c++) rest &= facts->component[c] == (c == 3 ? TEX_ONE : TEX_ZERO);
    const unsigned type = facts->channel[0].type;
    if (!words || !rest || (type != TEX_FLOAT && type != TEX_UINT && type != TEX_SINT)) return true;
    source->kind = SCH_FETCH_WORDS;
    source->components = (uint8_t)words;
    return true;
}

bool sch_fetch_has_format(unsigned format)
{
    struct sch_vertex_source source;
    uint32_t bytes;
    return format_facts(format, &source, &bytes);
}

/* ---- checks ---- */

/* `argument` is what the caller calls it (isa/errors.h). */
static enum sch_result refuse(struct sch_diagnostics *diagnostics, enum sch_result result, const char *argument,
                              uint32_t number, const char *why)
{
    if (result == SCH_ERROR_ARGUMENT) sch_note_refusal(diagnostics, argument, number, "%s", why);
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_VERTEX_ELEMENT, (struct sch_position){0},
                        "vertex element %" PRIu32 ": %s", number, why);
    return result;
}

static enum sch_result take_element(struct sch_fetcher *fetcher, uint32_t n, struct sch_diagnostics *diagnostics)
{
    const struct sch_vertex_element *element = &fetcher->elements[n];
    struct sch_vertex_source *source = &fetcher->sources[n];
    if (element->format == SCH_FORMAT_NONE) return SCH_OK;
    *source = (struct sch_vertex_source){.stride = element->stride, .format = (uint16_t)element->format};
    if (!format_facts(element->format, source, &fetcher->bytes[n]))
        return refuse(diagnostics, SCH_ERROR_UNSUPPORTED, "elements[#].format", n, "vertices do not have this format");
    if (element->buffer >= SCH_VERTEX_BUFFERS)
        return refuse(diagnostics, SCH_ERROR_ARGUMENT, "elements[#].buffer", n,
                      "there is no vertex buffer with this number");
    if (!element->two_registers) return SCH_OK;
    if (source->kind != SCH_FETCH_LONGS)
        return refuse(diagnostics, SCH_ERROR_ARGUMENT, "elements[#].two_registers", n,
                      "only integers of 64 bits take two registers");
    if (n + 1 >= SCH_VERTEX_ELEMENTS || fetcher->elements[n + 1].format != SCH_FORMAT_NONE)
        return refuse(diagnostics, SCH_ERROR_ARGUMENT, "elements[#].two_registers", n,
                      "the second register is not free");
    return SCH_OK;
}

enum sch_result sch_fetcher_init(struct sch_fetcher *fetcher, const struct sch_vertex_element *elements, uint32_t count,
                                 struct sch_diagnostics *diagnostics)
{
    *fetcher = (struct sch_fetcher){.count = count};
    if (count > SCH_VERTEX_ELEMENTS)
        return refuse(diagnostics, SCH_ERROR_LIMIT, "count", SCH_VERTEX_ELEMENTS,
                      "there are more elements than registers");
    if (count) memcpy(fetcher->elements, elements, count * sizeof *elements);
    enum sch_result result = SCH_OK;
    for (uint32_t n = 0; n < count; n++) {
        enum sch_result one = take_element(fetcher, n, diagnostics);
        if (result == SCH_OK) result = one;
    }
    return result;
}

void sch_fetcher_copy(struct sch_fetcher *to, const struct sch_fetcher *from)
{
    memcpy(to->elements, from->elements, from->count * sizeof *to->elements);
    memcpy(to->sources, from->sources, from->count * sizeof *to->sources);
    memcpy(to->bytes, from->bytes, from->count * sizeof *to->bytes);
    to->count = from->count;
}

/* ---- where attributes are ---- */

/* Elements of so many bytes in `room` bytes, the first at the beginning. */
static uint64_t elements_in(uint64_t room, uint64_t bytes, uint32_t stride)
{
    if (room < bytes) return 0;
    return stride ? (room - bytes) / stride + 1 : UINT64_MAX;
}

static void place_source(const struct sch_fetcher *fetcher, uint32_t n, const struct sch_draw_memory *buffer,
                         struct sch_vertex_source *source)
{
    const struct sch_vertex_element *element = &fetcher->elements[n];
    *source = fetcher->sources[n];
    source->data = buffer->data;
    if (buffer->bytes <= element->offset) return;
    const uint64_t room = buffer->bytes - element->offset;
    source->count = elements_in(room, fetcher->bytes[n], element->stride);
    if (!source->count) return;
    source->data += element->offset;
    source->near = room <= INT32_MAX || !element->stride;
    source->quick = elements_in(room < INT32_MAX ? room : INT32_MAX, 16, element->stride);
}

void sch_fetch_begin(struct sch_fetch *fetch, const struct sch_fetcher *fetcher, const struct sch_draw_memory *buffers,
                     uint32_t buffer_count, uint32_t start_instance)
{
    static const struct sch_draw_memory unbound = {0};
    fetch->fetcher = fetcher;
    fetch->fed = fetch->instanced = 0;
    fetch->start_instance = start_instance;
    for (uint32_t n = 0; fetcher && n < fetcher->count; n++) {
        const struct sch_vertex_element *element = &fetcher->elements[n];
        if (element->format == SCH_FORMAT_NONE) continue;
        place_source(fetcher, n, element->buffer < buffer_count ? &buffers[element->buffer] : &unbound,
                     &fetch->sources[n]);
        uint32_t registers = UINT32_C(1) << n;
        if (element->two_registers) {
            fetch->sources[n + 1] = fetch->sources[n];
            fetch->sources[n + 1].second = true;
            registers |= registers << 1;
        }
        fetch->fed |= registers;
        if (element->divisor) fetch->instanced |= registers;
    }
}

/* ---- vertices ---- */

static uint32_t divisor_of(const struct sch_fetch *fetch, uint32_t r)
{
    const struct sch_vertex_element *element = &fetch->fetcher->elements[r];
    return fetch->sources[r].second ? element[-1].divisor : element->divisor;
}

/* Which elements instances read (OpenGL 10.4): lanes of the same instance are mostly neighbours. */
static void instance_elements(const struct sch_lanes *instances, uint32_t divisor, uint32_t start,
                              struct sch_lanes *elements)
{
    uint32_t instance = instances->u[0], element = start + instance / divisor;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        if (instances->u[i] != instance) {
            instance = instances->u[i];
            element = start + instance / divisor;
        }
        elements->u[i] = element;
    }
}

static void set_constant(const struct sch_ops *ops, struct sch_lanes *attribute, uint32_t x, uint32_t w)
{
    for (unsigned c = 0; c < 3; c++) ops->splat(&attribute[c], x);
    ops->splat(&attribute[3], w);
}

void sch_fetch_vertices(const struct sch_ops *ops, const struct sch_fetch *fetch, const struct sch_prepared *program,
                        const struct sch_lanes *numbers, const struct sch_lanes *instances, uint32_t lanes,
                        struct sch_lanes *inputs)
{
    static const uint32_t float_one = 0x3f800000;
    for (uint32_t i = 0; i < program->input_count; i++) {
        const uint32_t r = program->inputs[i];
        struct sch_lanes *attribute = inputs + 4 * (size_t)r;
        if (r >= SCH_VERTEX_ELEMENTS || !(fetch->fed >> r & 1)) {
            set_constant(ops, attribute, 0, float_one);
        } else if (!fetch->sources[r].data) {
            set_constant(ops, attribute, 0, 0);
        } else if (fetch->instanced >> r & 1) {
            struct sch_lanes elements;
            instance_elements(instances, divisor_of(fetch, r), fetch->start_instance, &elements);
            ops->fetch_vertices(&fetch->sources[r], &elements, lanes, attribute);
        } else {
            ops->fetch_vertices(&fetch->sources[r], numbers, lanes, attribute);
        }
    }
}
