/* Stream output, and with it what geometry shaders emit: random draws, layouts, targets and pauses, byte for byte and
 * count for count against a scalar model that is written here from docs/pipeline.md ("Assembly", "Geometry shaders",
 * "Stream output") and shares nothing with the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/draw_support.h"

enum {
    CASES = 10000,
    PROGRAMS = 60, /* geometry shaders that cases share */
    MOST_VERTICES = 60,
    BUFFER_WORDS = 1024,
    OUTPUTS = 3,
    OPS = 12,
    STREAMS = 4,
    RESTART = 1000000
};

static uint32_t random_below(uint64_t *seed, uint32_t count)
{
    return (api_random_word(seed) * 2654435761u >> 7) % count;
}

/* ---- shaders ---- */

static const char vertex_text[] = "VERT\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL OUT[0], POSITION\n"
                                  "DCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n"
                                  "IMM[0] UINT32 {1000, 5, 9, 77}\n"
                                  "MOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, SV[1].xxxx\n"
                                  "UADD OUT[0].z, SV[0].xxxx, IMM[0].xxxx\n"
                                  "UMUL OUT[1].x, SV[0].xxxx, IMM[0].yyyy\nUADD OUT[1].y, SV[1].xxxx, IMM[0].zzzz\n"
                                  "MOV OUT[1].z, SV[0].xxxx\nMOV OUT[1].w, IMM[0].wwww\nMOV OUT[2], IMM[0]\nEND\n";

/* What it writes; what it does not is of (0, 0, 0, 1). */
static void model_vertex(uint32_t id, uint32_t instance, uint32_t out[OUTPUTS][4])
{
    const uint32_t made[OUTPUTS][4] = {
        {id, instance, id + 1000, 0x3f800000}, {id * 5, instance + 9, id, 77}, {1000, 5, 9, 77}};
    memcpy(out, made, sizeof made);
}

/* An instruction of a geometry shader, as the model knows it. */
struct op {
    bool ends;      /* ENDPRIM, else EMIT */
    bool odd;       /* only where PRIM_ID + INVOCATIONID is odd */
    bool writes[3]; /* OUT[n] before the EMIT; others stay as they are */
    uint32_t stream, vertex;
};

struct geometry {
    struct sch_program *program;
    enum sch_primitive input, output;
    uint32_t input_vertices, invocations, limit;
    struct op ops[OPS];
    uint32_t op_count;
};

static const struct {
    enum sch_primitive primitive;
    const char *name;
    uint32_t vertices;
} inputs[] = {{SCH_PRIMITIVE_POINTS, "POINTS", 1},
              {SCH_PRIMITIVE_LINES, "LINES", 2},
              {SCH_PRIMITIVE_TRIANGLES, "TRIANGLES", 3},
              {SCH_PRIMITIVE_LINES_ADJACENCY, "LINES_ADJACENCY", 4},
              {SCH_PRIMITIVE_TRIANGLES_ADJACENCY, "TRIANGLES_ADJACENCY", 6}};
static const struct {
    enum sch_primitive primitive;
    const char *name;
} outputs[] = {{SCH_PRIMITIVE_POINTS, "POINTS"},
               {SCH_PRIMITIVE_LINE_STRIP, "LINE_STRIP"},
               {SCH_PRIMITIVE_TRIANGLE_STRIP, "TRIANGLE_STRIP"}};

static size_t write_op(char *text, size_t room, const struct op *op, uint32_t number)
{
    size_t at = 0;
#define WRITE(...) at += (size_t)snprintf(text + at, room - at, __VA_ARGS__)
    if (op->odd) WRITE("UIF TEMP[0].xxxx\n");
    if (op->ends) {
        WRITE("ENDPRIM IMM[0].%c%c%c%c\n", "xyzw"[op->stream], "xyzw"[op->stream], "xyzw"[op->stream],
              "xyzw"[op->stream]);
    } else {
        if (op->writes[0]) WRITE("MOV OUT[0], IN[%u][0]\n", op->vertex);
        if (op->writes[1]) WRITE("MOV OUT[1], IN[%u][1]\n", op->vertex);
        if (op->writes[2])
            WRITE("MOV OUT[2].x, SV[0].xxxx\nMOV OUT[2].y, SV[1].xxxx\nMOV OUT[2].zw, IMM[%u].xxxx\n", number + 1);
        WRITE("EMIT IMM[0].%c%c%c%c\n", "xyzw"[op->stream], "xyzw"[op->stream], "xyzw"[op->stream], "xyzw"[op->stream]);
    }
    if (op->odd) WRITE("ENDIF\n");
    return at;
}

static void write_geometry(const struct geometry *made, const char *input, const char *output, char *text, size_t room)
{
    size_t at = 0;
    WRITE("GEOM\nPROPERTY GS_INPUT_PRIMITIVE %s\nPROPERTY GS_OUTPUT_PRIMITIVE %s\nPROPERTY GS_MAX_OUTPUT_VERTICES %u\n",
          input, output, made->limit);
    if (made->invocations > 1) WRITE("PROPERTY GS_INVOCATIONS %u\n", made->invocations);
    WRITE("DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], PRIM_ID\nDCL SV[1], INVOCATIONID\n"
          "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\nDCL TEMP[0]\n"
          "IMM[0] UINT32 {0, 1, 2, 3}\n");
    for (uint32_t n = 0; n < made->op_count; n++) WRITE("IMM[%u] UINT32 {%u, 0, 0, 0}\n", n + 1, n);
    WRITE("UADD TEMP[0].x, SV[0].xxxx, SV[1].xxxx\nAND TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n");
    for (uint32_t n = 0; n < made->op_count; n++) at += write_op(text + at, room - at, &made->ops[n], n);
    WRITE("END\n");
#undef WRITE
}

/* All input and output primitives take turns. */
static void make_geometry(struct sch_context *context, struct geometry *made, unsigned number, uint64_t *seed)
{
    char text[8192];
    const unsigned in = number % 5, out = number / 5 % 3;
    enum sch_result why;
    *made = (struct geometry){.input = inputs[in].primitive,
                              .output = outputs[out].primitive,
                              .input_vertices = inputs[in].vertices,
                              .invocations = random_below(seed, 3) ? 1 : 2 + random_below(seed, 4),
                              .op_count = 1 + random_below(seed, OPS)};
    const uint32_t streams = random_below(seed, 2) ? 1 : STREAMS;
    made->limit = random_below(seed, 4) ? OPS : 1 + random_below(seed, OPS);
    for (uint32_t n = 0; n < made->op_count; n++)
        made->ops[n] = (struct op){.ends = random_below(seed, 4) == 0,
                                   .odd = random_below(seed, 5) == 0,
                                   .writes = {random_below(seed, 8) != 0, random_below(seed, 8) != 0, true},
                                   .stream = random_below(seed, streams),
                                   .vertex = random_below(seed, made->input_vertices)};
    write_geometry(made, inputs[in].name, outputs[out].name, text, sizeof text);
    made->program = api_program_on(context, text, strlen(text), SCH_ENGINE_INTERPRETER, 4u << number % 3, &why);
    if (!made->program) fail_msg("%s", text);
}

/* ---- the model: assembly ---- */

/* Complete primitives: vertices as a geometry shader has them, and corners as they are written. */
struct primitive {
    uint32_t vertices[6];
    uint32_t corners[2][3], corner_count, pieces;
    uint32_t id;
};

struct primitives {
    struct primitive items[2 * MOST_VERTICES];
    uint32_t count, next_id;
};

static struct primitive *add_primitive(struct primitives *all, uint32_t corner_count, uint32_t a, uint32_t b,
                                       uint32_t c)
{
    struct primitive *made = &all->items[all->count++];
    *made =
        (struct primitive){.vertices = {a, b, c}, .corners = {{a, b, c}}, .corner_count = corner_count, .pieces = 1};
    made->id = all->next_id++;
    return made;
}

static void add_quad(struct primitives *all, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    struct primitive *made = add_primitive(all, 3, a, b, c);
    made->pieces = 2;
    made->corners[1][0] = a;
    made->corners[1][1] = c;
    made->corners[1][2] = d;
}

static void add_adjacent(struct primitives *all, uint32_t count, const uint32_t vertices[6])
{
    struct primitive *made = count == 4 ? add_primitive(all, 2, vertices[1], vertices[2], 0)
                                        : add_primitive(all, 3, vertices[0], vertices[2], vertices[4]);
    memcpy(made->vertices, vertices, count * sizeof *vertices);
}

/* OpenGL 4.6, tables 10.1 (last vertex) and 10.2 (first vertex); i counts from 1, vertices too. */
static void add_strip_adjacent(struct primitives *all, const uint32_t *run, uint32_t n, bool first)
{
    const uint32_t triangles = n < 6 ? 0 : (n - 4) / 2;
    for (uint32_t i = 1; i <= triangles; i++) {
        const uint32_t before = i == 1 ? 2 : 2 * i - 3, behind = i == triangles ? 2 * i + 4 : 2 * i + 5;
        const uint32_t a = 2 * i - 1, b = 2 * i + 1, c = 2 * i + 3, beside = 2 * i + 2;
        const uint32_t odd[6] = {a, before, b, behind, c, beside}, even_last[6] = {b, before, a, beside, c, behind},
                       even_first[6] = {a, beside, c, behind, b, before};
        const uint32_t *order = i & 1 ? odd : first ? even_first : even_last;
        uint32_t vertices[6];
        for (unsigned v = 0; v < 6; v++) vertices[v] = run[order[v] - 1];
        add_adjacent(all, 6, vertices);
    }
}

static void assemble_run(struct primitives *all, enum sch_primitive primitive, bool first, const uint32_t *r,
                         uint32_t n)
{
    switch (primitive) {
    case SCH_PRIMITIVE_POINTS:
        for (uint32_t k = 0; k < n; k++) add_primitive(all, 1, r[k], 0, 0);
        break;
    case SCH_PRIMITIVE_LINES:
        for (uint32_t k = 0; k + 2 <= n; k += 2) add_primitive(all, 2, r[k], r[k + 1], 0);
        break;
    case SCH_PRIMITIVE_LINE_STRIP:
    case SCH_PRIMITIVE_LINE_LOOP:
        for (uint32_t k = 0; k + 2 <= n; k++) add_primitive(all, 2, r[k], r[k + 1], 0);
        if (primitive == SCH_PRIMITIVE_LINE_LOOP && n >= 2) add_primitive(all, 2, r[n - 1], r[0], 0);
        break;
    case SCH_PRIMITIVE_TRIANGLES:
        for (uint32_t k = 0; k + 3 <= n; k += 3) add_primitive(all, 3, r[k], r[k + 1], r[k + 2]);
        break;
    case SCH_PRIMITIVE_TRIANGLE_STRIP:
        for (uint32_t k = 0; k + 3 <= n; k++)
            if (k % 2 == 0)
                add_primitive(all, 3, r[k], r[k + 1], r[k + 2]);
            else if (first)
                add_primitive(all, 3, r[k], r[k + 2], r[k + 1]);
            else
                add_primitive(all, 3, r[k + 1], r[k], r[k + 2]);
        break;
    case SCH_PRIMITIVE_TRIANGLE_FAN:
        for (uint32_t k = 0; k + 3 <= n; k++) add_primitive(all, 3, r[0], r[k + 1], r[k + 2]);
        break;
    case SCH_PRIMITIVE_QUADS:
        for (uint32_t k = 0; k + 4 <= n; k += 4) add_quad(all, r[k], r[k + 1], r[k + 2], r[k + 3]);
        break;
    case SCH_PRIMITIVE_QUAD_STRIP:
        for (uint32_t k = 0; k + 4 <= n; k += 2) add_quad(all, r[k], r[k + 1], r[k + 3], r[k + 2]);
        break;
    case SCH_PRIMITIVE_POLYGON:
        for (uint32_t k = 0; k + 3 <= n; k++) add_primitive(all, 3, r[0], r[k + 1], r[k + 2]);
        break;
    case SCH_PRIMITIVE_LINES_ADJACENCY:
        for (uint32_t k = 0; k + 4 <= n; k += 4) add_adjacent(all, 4, r + k);
        break;
    case SCH_PRIMITIVE_LINE_STRIP_ADJACENCY:
        for (uint32_t k = 0; k + 4 <= n; k++) add_adjacent(all, 4, r + k);
        break;
    case SCH_PRIMITIVE_TRIANGLES_ADJACENCY:
        for (uint32_t k = 0; k + 6 <= n; k += 6) add_adjacent(all, 6, r + k);
        break;
    case SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
        add_strip_adjacent(all, r, n, first);
        break;
    default:
        fail();
    }
}

/* ---- a case ---- */

struct one_draw {
    enum sch_primitive primitive;
    uint32_t count, instances;
    bool indexed, restarts;
    uint32_t indices[MOST_VERTICES];
    bool paused;              /* no targets */
    uint32_t missing;         /* bits: targets that are not given */
    bool refilled[STREAMS];   /* filled is set before */
    uint64_t filled[STREAMS]; /* bytes */
    unsigned threads;
};

struct model_target {
    uint32_t words[BUFFER_WORDS]; /* of the whole buffer */
    uint64_t offset, bytes, filled;
    uint64_t stride; /* bytes of a vertex, as the last draw wrote them; 0: none did */
};

struct counted {
    uint64_t generated[STREAMS], written[STREAMS], needed[STREAMS], invocations, primitives;
};

struct subject {
    struct sch_context *context;
    struct sch_renderer *renderer;
    struct sch_framebuffer *framebuffer;
    struct sch_program *vertex;
    struct geometry geometries[PROGRAMS];
    struct sch_resource *buffers[STREAMS];
    struct sch_query *queries[STREAMS][4], *any, *statistics;
    struct sch_rasterizer *rasterizers[2]; /* by convention */

    const struct geometry *geometry; /* NULL: none */
    bool first;
    struct sch_stream_output_options layout;
    struct sch_stream_target *targets[STREAMS];
    struct model_target model[STREAMS];
    struct counted counted; /* by the model */
    uint64_t overflown, all_written;
};

static const enum sch_query_kind kinds[4] = {SCH_QUERY_PRIMITIVES_GENERATED, SCH_QUERY_PRIMITIVES_EMITTED,
                                             SCH_QUERY_SO_STATISTICS, SCH_QUERY_SO_OVERFLOW_PREDICATE};

static void make_layout(struct subject *subject, uint64_t *seed)
{
    struct sch_stream_output_options *layout = &subject->layout;
    uint32_t stream[STREAMS];
    *layout = (struct sch_stream_output_options){.size = sizeof *layout};
    for (unsigned b = 0; b < STREAMS; b++) {
        layout->stride[b] = 1 + random_below(seed, 12);
        stream[b] = subject->geometry ? random_below(seed, STREAMS) : 0;
    }
    layout->register_count = 1 + random_below(seed, 7);
    for (uint32_t r = 0; r < layout->register_count; r++) {
        struct sch_stream_output_register *made = &layout->registers[r];
        const uint32_t buffer = random_below(seed, STREAMS), first = random_below(seed, 4);
        uint32_t count = 1 + random_below(seed, 4 - first);
        if (count > layout->stride[buffer]) count = layout->stride[buffer];
        *made = (struct sch_stream_output_register){.output = random_below(seed, OUTPUTS),
                                                    .first_component = (uint8_t)first,
                                                    .component_count = (uint8_t)count,
                                                    .buffer = (uint8_t)buffer,
                                                    .stream = (uint8_t)stream[buffer],
                                                    .offset = random_below(seed, layout->stride[buffer] - count + 1)};
    }
}

static void make_targets(struct subject *subject, uint64_t *seed)
{
    for (unsigned b = 0; b < STREAMS; b++) {
        struct model_target *model = &subject->model[b];
        const struct sch_transfer all = {.size = sizeof all};
        for (unsigned w = 0; w < BUFFER_WORDS; w++) model->words[w] = 0xabad0000u + b * BUFFER_WORDS + w;
        assert_int_equal(sch_resource_write(subject->buffers[b], &all, model->words, sizeof model->words, NULL),
                         SCH_OK);
        model->offset = 4 * random_below(seed, 20);
        const uint32_t most = BUFFER_WORDS - (uint32_t)model->offset / 4;
        model->bytes =
            random_below(seed, 2) ? 4 * (uint64_t)most : 4 + random_below(seed, 1000); /* any number of bytes */
        model->filled = model->stride = 0;
        const struct sch_stream_target_options options = {
            .size = sizeof options, .resource = subject->buffers[b], .offset = model->offset, .bytes = model->bytes};
        assert_int_equal(sch_stream_target_create(subject->context, &options, NULL, &subject->targets[b]), SCH_OK);
    }
}

static void make_draw(const struct subject *subject, struct one_draw *made, uint64_t *seed)
{
    static const enum sch_primitive fitting[5][3] = {
        {SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_POINTS},
        {SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_LINE_STRIP, SCH_PRIMITIVE_LINE_LOOP},
        {SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_TRIANGLE_STRIP, SCH_PRIMITIVE_TRIANGLE_FAN},
        {SCH_PRIMITIVE_LINES_ADJACENCY, SCH_PRIMITIVE_LINE_STRIP_ADJACENCY, SCH_PRIMITIVE_LINES_ADJACENCY},
        {SCH_PRIMITIVE_TRIANGLES_ADJACENCY, SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, SCH_PRIMITIVE_TRIANGLES_ADJACENCY}};
    *made = (struct one_draw){.count = random_below(seed, MOST_VERTICES + 1),
                              .instances = 1 + (random_below(seed, 4) == 0) * random_below(seed, 3),
                              .indexed = random_below(seed, 2),
                              .paused = random_below(seed, 5) == 0,
                              .threads = 1 + random_below(seed, 3)};
    made->primitive = (enum sch_primitive)random_below(seed, SCH_PRIMITIVE_PATCHES);
    if (subject->geometry)
        for (unsigned n = 0; n < 5; n++)
            if (inputs[n].primitive == subject->geometry->input) made->primitive = fitting[n][random_below(seed, 3)];
    made->restarts = made->indexed && random_below(seed, 2);
    for (uint32_t n = 0; n < made->count; n++)
        made->indices[n] = made->restarts && !random_below(seed, 9) ? RESTART : random_below(seed, 500);
    for (unsigned b = 0; b < STREAMS; b++) {
        if (random_below(seed, 10) == 0) made->missing |= 1u << b;
        made->refilled[b] = random_below(seed, 8) == 0;
        made->filled[b] = random_below(seed, (uint32_t)subject->model[b].bytes + 1) / 4 * 4;
    }
}

/* ---- the model: stream output ---- */

struct emitted {
    uint32_t words[OUTPUTS][4];
};

static bool has_buffer(const struct subject *subject, uint32_t stream, unsigned buffer)
{
    for (uint32_t r = 0; r < subject->layout.register_count; r++)
        if (subject->layout.registers[r].stream == stream && subject->layout.registers[r].buffer == buffer) return true;
    return false;
}

static void write_vertex(struct subject *subject, uint32_t stream, const struct emitted *vertex)
{
    for (uint32_t r = 0; r < subject->layout.register_count; r++) {
        const struct sch_stream_output_register *given = &subject->layout.registers[r];
        struct model_target *target = &subject->model[given->buffer];
        if (given->stream != stream) continue;
        for (uint32_t c = 0; c < given->component_count; c++)
            target->words[(target->offset + target->filled) / 4 + given->offset + c] =
                vertex->words[given->output][given->first_component + c];
    }
    for (unsigned b = 0; b < STREAMS; b++)
        if (has_buffer(subject, stream, b)) subject->model[b].filled += 4 * subject->layout.stride[b];
}

/* A primitive reaches stream output: all of it is written, or nothing. */
static void stream_primitive(struct subject *subject, const struct one_draw *draw, uint32_t stream,
                             const struct emitted *const *vertices, uint32_t count)
{
    bool any = false, fits = true;
    subject->counted.generated[stream]++;
    const uint32_t all = (1u << STREAMS) - 1;
    if (draw->paused || (draw->missing & all) == all) return;
    for (unsigned b = 0; b < STREAMS; b++) {
        const struct model_target *target = &subject->model[b];
        if (!has_buffer(subject, stream, b)) continue;
        any = true;
        fits &= !(draw->missing >> b & 1) &&
                target->filled + (uint64_t)count * 4 * subject->layout.stride[b] <= target->bytes;
    }
    if (!any) return;
    subject->counted.needed[stream]++;
    if (!fits) return;
    subject->counted.written[stream]++;
    for (uint32_t v = 0; v < count; v++) write_vertex(subject, stream, vertices[v]);
}

/* ---- the model: geometry shaders ---- */

static void end_strip(struct subject *subject, const struct one_draw *draw, uint32_t stream,
                      const struct emitted *strip, uint32_t *count)
{
    struct primitives made = {.count = 0};
    uint32_t numbers[OPS];
    for (uint32_t n = 0; n < *count; n++) numbers[n] = n;
    assemble_run(&made, subject->geometry->output, subject->first, numbers, *count);
    for (uint32_t p = 0; p < made.count; p++) {
        const struct emitted *vertices[3];
        for (unsigned v = 0; v < 3; v++) vertices[v] = &strip[made.items[p].corners[0][v]];
        subject->counted.primitives++;
        stream_primitive(subject, draw, stream, vertices, made.items[p].corner_count);
    }
    *count = 0;
}

static bool is_written(const struct geometry *geometry, unsigned output)
{
    for (uint32_t n = 0; n < geometry->op_count; n++)
        if (!geometry->ops[n].ends && geometry->ops[n].writes[output]) return true;
    return false;
}

static void run_geometry(struct subject *subject, const struct one_draw *draw, const struct primitive *primitive,
                         uint32_t instance, uint32_t invocation)
{
    const struct geometry *geometry = subject->geometry;
    struct emitted strips[STREAMS][OPS], out = {{{0}}};
    uint32_t open[STREAMS] = {0}, emitted = 0;
    subject->counted.invocations++;
    for (unsigned r = 0; r < OUTPUTS; r++) /* what no instruction writes; all else begins as 0 */
        if (!is_written(geometry, r)) out.words[r][3] = 0x3f800000;
    for (uint32_t n = 0; n < geometry->op_count; n++) {
        const struct op *op = &geometry->ops[n];
        uint32_t in[OUTPUTS][4];
        if (op->odd && !((primitive->id + invocation) & 1)) continue;
        if (op->ends) {
            end_strip(subject, draw, op->stream, strips[op->stream], &open[op->stream]);
            continue;
        }
        model_vertex(primitive->vertices[op->vertex], instance, in);
        if (op->writes[0]) memcpy(out.words[0], in[0], sizeof in[0]);
        if (op->writes[1]) memcpy(out.words[1], in[1], sizeof in[1]);
        const uint32_t numbers[4] = {primitive->id, invocation, n, n};
        memcpy(out.words[2], numbers, sizeof numbers);
        if (emitted++ >= geometry->limit) continue;
        strips[op->stream][open[op->stream]++] = out;
    }
    for (uint32_t s = 0; s < STREAMS; s++) end_strip(subject, draw, s, strips[s], &open[s]);
}

static void pass_primitive(struct subject *subject, const struct one_draw *draw, const struct primitive *primitive,
                           uint32_t instance)
{
    if (subject->geometry) {
        for (uint32_t i = 0; i < subject->geometry->invocations; i++)
            run_geometry(subject, draw, primitive, instance, i);
        return;
    }
    for (uint32_t piece = 0; piece < primitive->pieces; piece++) {
        struct emitted made[3];
        const struct emitted *vertices[3] = {&made[0], &made[1], &made[2]};
        for (unsigned v = 0; v < 3; v++) model_vertex(primitive->corners[piece][v], instance, made[v].words);
        stream_primitive(subject, draw, 0, vertices, primitive->corner_count);
    }
}

/* Without stream output a quadrilateral and a polygon count as one. */
static uint64_t whole_primitives(const struct one_draw *draw, const struct primitives *all, uint32_t runs)
{
    return draw->primitive == SCH_PRIMITIVE_POLYGON ? runs : all->count;
}

static bool is_written_to(const struct subject *subject, unsigned buffer)
{
    for (uint32_t s = 0; s < STREAMS; s++)
        if (has_buffer(subject, s, buffer)) return true;
    return false;
}

static void model_draw(struct subject *subject, const struct one_draw *draw)
{
    struct primitives all = {.count = 0};
    uint32_t run[MOST_VERTICES], length = 0, polygons = 0;
    const uint32_t every = (1u << STREAMS) - 1;
    for (uint32_t n = 0; n <= draw->count; n++) {
        const bool ends = n == draw->count || (draw->restarts && draw->indices[n] == RESTART);
        if (!ends) {
            run[length++] = draw->indexed ? draw->indices[n] : n + 3;
            continue;
        }
        assemble_run(&all, draw->primitive, subject->first, run, length);
        polygons += length >= 3;
        length = 0;
    }
    for (unsigned b = 0; b < STREAMS; b++)
        if (draw->refilled[b]) subject->model[b].filled = draw->filled[b];
    for (unsigned b = 0; b < STREAMS; b++)
        if (!draw->paused && !(draw->missing >> b & 1) && draw->count && is_written_to(subject, b))
            subject->model[b].stride = 4 * subject->layout.stride[b];
    const uint64_t before = subject->counted.generated[0];
    for (uint32_t i = 0; i < draw->instances; i++)
        for (uint32_t p = 0; p < all.count; p++) pass_primitive(subject, draw, &all.items[p], i);
    if (!subject->geometry && (draw->paused || (draw->missing & every) == every))
        subject->counted.generated[0] = before + draw->instances * whole_primitives(draw, &all, polygons);
}

/* ---- the library ---- */

static void library_draw(struct subject *subject, const struct one_draw *made, const struct sch_pipeline *pipeline)
{
    struct sch_draw_state state = {.size = sizeof state,
                                   .pipeline = pipeline,
                                   .framebuffer = subject->framebuffer,
                                   .rasterizer = subject->rasterizers[subject->first]};
    const struct sch_draw draw = {.size = sizeof draw,
                                  .primitive = made->primitive,
                                  .start = made->indexed ? 0 : 3,
                                  .count = made->count,
                                  .instance_count = made->instances,
                                  .index_bytes = made->indexed ? 4 : 0,
                                  .indices = {.memory = made->indices, .memory_bytes = sizeof made->indices},
                                  .restart = made->restarts,
                                  .restart_index = RESTART};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = made->threads};
    for (unsigned b = 0; b < STREAMS; b++) {
        if (made->refilled[b])
            assert_int_equal(sch_stream_target_set_filled(subject->targets[b], made->filled[b]), SCH_OK);
        if (!made->paused && !(made->missing >> b & 1)) state.stream_targets[b] = subject->targets[b];
    }
    assert_int_equal(sch_renderer_draw(subject->renderer, &state, &draw, &options, NULL), SCH_OK);
}

static void compare_buffers(const struct subject *subject, unsigned number)
{
    for (unsigned b = 0; b < STREAMS; b++) {
        const struct model_target *model = &subject->model[b];
        static uint32_t words[BUFFER_WORDS];
        const struct sch_transfer all = {.size = sizeof all};
        assert_int_equal(sch_resource_read(subject->buffers[b], &all, words, sizeof words, NULL), SCH_OK);
        for (unsigned w = 0; w < BUFFER_WORDS; w++)
            if (words[w] != model->words[w])
                fail_msg("case %u: word %u of buffer %u is %x, not %x", number, w, b, words[w], model->words[w]);
        if (sch_stream_target_get_filled(subject->targets[b]) != model->filled)
            fail_msg("case %u: buffer %u is filled with %u bytes, not %u", number, b,
                     (unsigned)sch_stream_target_get_filled(subject->targets[b]), (unsigned)model->filled);
    }
}

static uint64_t value_of(const struct sch_query *query, unsigned index)
{
    struct sch_query_result result;
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    return result.values[index];
}

static void compare_counts(struct subject *subject, unsigned number)
{
    const struct counted *counted = &subject->counted;
    bool any = false;
    for (unsigned s = 0; s < STREAMS; s++) {
        const bool overflows = counted->needed[s] != counted->written[s];
        any |= overflows;
        if (value_of(subject->queries[s][0], 0) != counted->generated[s])
            fail_msg("case %u: stream %u: %u generated, not %u", number, s,
                     (unsigned)value_of(subject->queries[s][0], 0), (unsigned)counted->generated[s]);
        assert_int_equal(value_of(subject->queries[s][1], 0), counted->written[s]);
        assert_int_equal(value_of(subject->queries[s][2], 0), counted->written[s]);
        assert_int_equal(value_of(subject->queries[s][2], 1), counted->needed[s]);
        assert_int_equal(value_of(subject->queries[s][3], 0), overflows);
        subject->all_written += counted->written[s];
    }
    assert_int_equal(value_of(subject->any, 0), any);
    subject->overflown += any;
    assert_int_equal(value_of(subject->statistics, SCH_STATISTIC_GS_INVOCATIONS), counted->invocations);
    assert_int_equal(value_of(subject->statistics, SCH_STATISTIC_GS_PRIMITIVES), counted->primitives);
}

/* Calls begin or end for all queries. */
static void each_query(struct subject *subject, enum sch_result (*call)(struct sch_renderer *, struct sch_query *))
{
    for (unsigned s = 0; s < STREAMS; s++)
        for (unsigned k = 0; k < 4; k++) assert_int_equal(call(subject->renderer, subject->queries[s][k]), SCH_OK);
    assert_int_equal(call(subject->renderer, subject->any), SCH_OK);
    assert_int_equal(call(subject->renderer, subject->statistics), SCH_OK);
}

/* A draw that takes its count from a target: by the stride of the draw before, or by one of its own. */
static void draw_what_is_there(struct subject *subject, unsigned number, const struct sch_pipeline *pipeline)
{
    const unsigned slot = number % STREAMS;
    const uint32_t stride = number / STREAMS % 3 ? 0 : 4 * (1 + number % 7);
    const struct sch_draw_state state = {.size = sizeof state,
                                         .pipeline = pipeline,
                                         .framebuffer = subject->framebuffer,
                                         .rasterizer = subject->rasterizers[0]};
    const struct sch_draw draw = {.size = sizeof draw,
                                  .primitive = subject->geometry ? subject->geometry->input : SCH_PRIMITIVE_POINTS,
                                  .count = 99,
                                  .instance_count = 1,
                                  .count_target = subject->targets[slot],
                                  .count_stride = stride};
    const uint64_t filled = subject->model[slot].filled, bytes = stride ? stride : subject->model[slot].stride;
    const uint32_t each = subject->geometry ? subject->geometry->input_vertices : 1;
    uint64_t expected = bytes ? filled / bytes : 0;
    expected -= expected % each; /* incomplete primitives do not count */
    assert_int_equal(sch_renderer_begin_query(subject->renderer, subject->statistics), SCH_OK);
    assert_int_equal(sch_renderer_draw(subject->renderer, &state, &draw, NULL, NULL), SCH_OK);
    assert_int_equal(sch_renderer_end_query(subject->renderer, subject->statistics), SCH_OK);
    if (value_of(subject->statistics, SCH_STATISTIC_IA_VERTICES) != expected)
        fail_msg("case %u: %u vertices, not %u", number,
                 (unsigned)value_of(subject->statistics, SCH_STATISTIC_IA_VERTICES), (unsigned)expected);
}

static void one_case(struct subject *subject, unsigned number)
{
    uint64_t seed = 77777u * (uint64_t)number + 5;
    struct sch_stream_output *layout;
    struct sch_pipeline *pipeline;
    subject->geometry = number % 4 ? &subject->geometries[number % PROGRAMS] : NULL;
    subject->first = random_below(&seed, 2);
    subject->counted = (struct counted){.invocations = 0};
    make_layout(subject, &seed);
    make_targets(subject, &seed);
    assert_int_equal(sch_stream_output_create(subject->context, &subject->layout, NULL, &layout), SCH_OK);
    const struct sch_pipeline_options options = {.size = sizeof options,
                                                 .vertex = subject->vertex,
                                                 .geometry = subject->geometry ? subject->geometry->program : NULL,
                                                 .stream_output = layout};
    assert_int_equal(sch_pipeline_create(subject->context, &options, NULL, &pipeline), SCH_OK);
    sch_stream_output_destroy(layout); /* the pipeline has what it needs */
    each_query(subject, sch_renderer_begin_query);
    for (uint32_t draws = 1 + random_below(&seed, 4); draws; draws--) {
        struct one_draw draw;
        make_draw(subject, &draw, &seed);
        model_draw(subject, &draw);
        library_draw(subject, &draw, pipeline);
    }
    each_query(subject, sch_renderer_end_query);
    compare_buffers(subject, number);
    compare_counts(subject, number);
    draw_what_is_there(subject, number, pipeline);
    sch_pipeline_destroy(pipeline);
    for (unsigned b = 0; b < STREAMS; b++) sch_stream_target_destroy(subject->targets[b]);
}

/* ---- all cases ---- */

static struct sch_resource *make_buffer(struct sch_context *context, uint32_t words)
{
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = words};
    struct sch_resource *made;
    assert_int_equal(sch_resource_create(context, &options, NULL, &made), SCH_OK);
    return made;
}

static struct sch_framebuffer *make_framebuffer(struct sch_context *context)
{
    const struct sch_framebuffer_options options = {.size = sizeof options, .width = 4, .height = 4};
    struct sch_framebuffer *made;
    assert_int_equal(sch_framebuffer_create(context, &options, NULL, &made), SCH_OK);
    return made;
}

static struct sch_query *make_query(struct sch_context *context, enum sch_query_kind kind, uint32_t index)
{
    struct sch_query *made;
    assert_int_equal(sch_query_create(context, kind, index, &made), SCH_OK);
    return made;
}

static void begin(struct subject *subject)
{
    uint64_t seed = 1234;
    *subject = (struct subject){.context = api_context()};
    assert_int_equal(sch_renderer_create(subject->context, &subject->renderer), SCH_OK);
    subject->framebuffer = make_framebuffer(subject->context);
    subject->vertex = api_default_program(subject->context, vertex_text);
    for (unsigned n = 0; n < PROGRAMS; n++) make_geometry(subject->context, &subject->geometries[n], n, &seed);
    for (unsigned s = 0; s < STREAMS; s++) {
        subject->buffers[s] = make_buffer(subject->context, BUFFER_WORDS);
        for (unsigned k = 0; k < 4; k++) subject->queries[s][k] = make_query(subject->context, kinds[k], s);
    }
    subject->any = make_query(subject->context, SCH_QUERY_SO_OVERFLOW_ANY_PREDICATE, 0);
    subject->statistics = make_query(subject->context, SCH_QUERY_PIPELINE_STATISTICS, 0);
    for (unsigned first = 0; first < 2; first++) {
        struct sch_rasterizer_options options = {.size = sizeof options};
        sch_rasterizer_options_default(&options);
        options.flatshade_first = first;
        assert_int_equal(sch_rasterizer_create(subject->context, &options, NULL, &subject->rasterizers[first]), SCH_OK);
    }
}

static void end(struct subject *subject)
{
    for (unsigned n = 0; n < PROGRAMS; n++) sch_program_destroy(subject->geometries[n].program);
    for (unsigned s = 0; s < STREAMS; s++) {
        sch_resource_destroy(subject->buffers[s]);
        for (unsigned k = 0; k < 4; k++) sch_query_destroy(subject->queries[s][k]);
    }
    sch_query_destroy(subject->any);
    sch_query_destroy(subject->statistics);
    for (unsigned first = 0; first < 2; first++) sch_rasterizer_destroy(subject->rasterizers[first]);
    sch_program_destroy(subject->vertex);
    sch_framebuffer_destroy(subject->framebuffer);
    sch_renderer_destroy(subject->renderer);
    sch_context_destroy(subject->context);
}

static void layouts_are_written_byte_for_byte(void **state)
{
    (void)state;
    static struct subject subject;
    const char *only = getenv("SCH_CASE");
    begin(&subject);
    for (unsigned n = only ? (unsigned)atoi(only) : 0; n < (unsigned)CASES; n++) {
        one_case(&subject, n);
        if (only) break;
    }
    if (!only) {
        assert_true(subject.all_written > CASES); /* the test sees something */
        assert_true(subject.overflown > CASES / 8);
    }
    end(&subject);
}

/* ---- draws that read what they write ---- */

enum { CHAIN = 3000 };

/* Vertex n reads what vertex n - 1 has written: one more. */
static void draws_read_what_they_write(void **state)
{
    (void)state;
    static const char text[] =
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
        "IMM[0] UINT32 {1, 0, 0, 0}\nMOV OUT[0], IMM[0].yyyy\nUADD OUT[1].x, IN[0].xxxx, IMM[0].xxxx\n"
        "END\n";
    static const char each[] = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                               "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\n"
                               "DCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IMM[0]\n"
                               "MOV OUT[1], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    static const struct sch_stream_output_options layout = {
        .size = sizeof layout, .stride = {1}, .register_count = 1, .registers = {{.output = 1, .component_count = 1}}};
    static const struct sch_vertex_element element = {.format = SCH_FORMAT_R32_UINT, .stride = 4};
    static uint32_t words[CHAIN + 1];
    struct sch_context *context = api_context();
    struct sch_renderer *renderer;
    struct sch_stream_output *stream_output;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer_options discard = {.size = sizeof discard};
    struct sch_rasterizer *rasterizer;
    struct sch_program *vertex = api_default_program(context, text), *geometry = api_default_program(context, each);
    struct sch_framebuffer *framebuffer = make_framebuffer(context);
    struct sch_resource *buffer = make_buffer(context, CHAIN + 1);
    sch_rasterizer_options_default(&discard);
    discard.rasterizer_discard = true;
    assert_int_equal(sch_renderer_create(context, &renderer), SCH_OK);
    assert_int_equal(sch_rasterizer_create(context, &discard, NULL, &rasterizer), SCH_OK);
    assert_int_equal(sch_stream_output_create(context, &layout, NULL, &stream_output), SCH_OK);
    assert_int_equal(sch_vertex_elements_create(context, &element, 1, sizeof element, NULL, &elements), SCH_OK);
    for (unsigned turn = 0; turn < 4; turn++) {
        const struct sch_stream_target_options range = {.size = sizeof range, .resource = buffer, .offset = 4};
        const struct sch_pipeline_options options = {.size = sizeof options,
                                                     .vertex = vertex,
                                                     .geometry = turn & 1 ? geometry : NULL,
                                                     .stream_output = stream_output};
        const struct sch_vertex_buffer vertices = {.resource = buffer};
        const struct sch_dispatch_options threads = {.size = sizeof threads, .threads = 1 + turn};
        const struct sch_draw draw = {
            .size = sizeof draw, .primitive = SCH_PRIMITIVE_POINTS, .count = CHAIN, .instance_count = 1};
        struct sch_draw_state given = {.size = sizeof given,
                                       .framebuffer = framebuffer,
                                       .rasterizer = rasterizer,
                                       .vertex_elements = elements,
                                       .vertex_buffers = &vertices,
                                       .vertex_buffer_count = 1,
                                       .vertex_buffer_stride = sizeof vertices};
        struct sch_stream_target *target;
        struct sch_pipeline *pipeline;
        const struct sch_transfer all = {.size = sizeof all};
        assert_int_equal(sch_resource_clear(buffer, NULL, NULL), SCH_OK);
        assert_int_equal(sch_pipeline_create(context, &options, NULL, &pipeline), SCH_OK);
        assert_int_equal(sch_stream_target_create(context, &range, NULL, &target), SCH_OK);
        given.pipeline = pipeline;
        given.stream_targets[0] = target;
        assert_int_equal(sch_renderer_draw(renderer, &given, &draw, &threads, NULL), SCH_OK);
        assert_int_equal(sch_stream_target_get_filled(target), 4 * CHAIN);
        assert_int_equal(sch_resource_read(buffer, &all, words, sizeof words, NULL), SCH_OK);
        for (uint32_t n = 0; n <= CHAIN; n++) assert_int_equal(words[n], n);
        sch_stream_target_destroy(target);
        sch_pipeline_destroy(pipeline);
    }
    sch_vertex_elements_destroy(elements);
    sch_stream_output_destroy(stream_output);
    sch_rasterizer_destroy(rasterizer);
    sch_program_destroy(vertex);
    sch_program_destroy(geometry);
    sch_framebuffer_destroy(framebuffer);
    sch_resource_destroy(buffer);
    sch_renderer_destroy(renderer);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_are_written_byte_for_byte),
        cmocka_unit_test(draws_read_what_they_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
