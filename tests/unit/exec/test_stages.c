/* Geometry and tessellation shaders as programs, through the public API: what is emitted, vertices, patches, system
 * values of the stage. Every case runs at every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

enum { MOST = 80, REGISTERS = 4, VERTICES = 4, EVENTS = 8 };

struct setup {
    const char *text;
    struct sch_invocations work;
    struct sch_dispatch_options options;
    uint32_t inputs[MOST][VERTICES][REGISTERS][4];
    uint32_t outputs[MOST][REGISTERS][4];
    uint32_t events[MOST][EVENTS], event_counts[MOST], event_outputs[MOST][EVENTS][REGISTERS][4];
    uint8_t killed[MOST], helpers[MOST];
};

static struct setup *new_setup(const char *text, uint32_t count)
{
    struct setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->text = text;
    s->options.size = sizeof s->options;
    s->work = (struct sch_invocations){.size = sizeof s->work,
                                       .count = count,
                                       .inputs = s->inputs[0][0][0],
                                       .input_bytes = sizeof s->inputs,
                                       .input_registers = REGISTERS,
                                       .input_vertices = VERTICES,
                                       .outputs = s->outputs[0][0],
                                       .output_bytes = sizeof s->outputs,
                                       .output_registers = REGISTERS,
                                       .killed = s->killed,
                                       .killed_bytes = sizeof s->killed,
                                       .helpers = s->helpers,
                                       .helper_bytes = sizeof s->helpers,
                                       .event_capacity = EVENTS,
                                       .event_registers = REGISTERS,
                                       .events = s->events[0],
                                       .event_bytes = sizeof s->events,
                                       .event_counts = s->event_counts,
                                       .event_count_bytes = sizeof s->event_counts,
                                       .event_outputs = s->event_outputs[0][0][0],
                                       .event_output_bytes = sizeof s->event_outputs};
    for (unsigned i = 0; i < MOST; i++)
        for (unsigned v = 0; v < VERTICES; v++)
            for (unsigned r = 0; r < REGISTERS; r++)
                for (unsigned c = 0; c < 4; c++) s->inputs[i][v][r][c] = i << 16 | v << 12 | r << 8 | c;
    return s;
}

static void run_width(struct setup *s, unsigned width)
{
    memset(s->outputs, 0xee, sizeof s->outputs);
    memset(s->events, 0xee, sizeof s->events);
    memset(s->event_counts, 0xee, sizeof s->event_counts);
    memset(s->event_outputs, 0xee, sizeof s->event_outputs);
    api_run(s->text, width, &s->work, &s->options);
}

#define EACH_WIDTH(setup) API_EACH_WIDTH(run_width, setup)

#define GEOMETRY(limit, rest)                                                                                          \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"                       \
    "PROPERTY GS_MAX_OUTPUT_VERTICES " limit "\n" rest

/* ---- geometry shaders ---- */

/* Invocation i emits its i % 4 first vertices into stream i % 4, and ends the primitive where i is even. */
static void emits_vertices(void **state)
{
    (void)state;
    struct setup *s = new_setup(GEOMETRY("4", "DCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\nDCL OUT[0], POSITION\n"
                                              "DCL OUT[1], GENERIC[0]\nDCL CONST[0..1]\nDCL TEMP[0..2]\nDCL ADDR[0]\n"
                                              "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {16, 0, 0, 0}\n"
                                              "USHR TEMP[0].x, IN[0][0].xxxx, IMM[1].xxxx\n"
                                              "AND TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww\n"
                                              "BGNLOOP\nUSGE TEMP[2].x, TEMP[1].yyyy, TEMP[1].xxxx\n"
                                              "UIF TEMP[2].xxxx\nBRK\nENDIF\n"
                                              "UARL ADDR[0].x, TEMP[1].yyyy\nMOV OUT[0], IN[ADDR[0].x][1]\n"
                                              "MOV OUT[1].x, TEMP[1].yyyy\nEMIT IMM[0].zzzz\n"
                                              "UADD TEMP[1].y, TEMP[1].yyyy, IMM[0].yyyy\nENDLOOP\n"
                                              "AND TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[2].xxxx\nELSE\n"
                                              "ENDPRIM IMM[0].zzzz\nENDIF\nEND\n"),
                                70);
    EACH_WIDTH(s)
    for (uint32_t i = 0; i < 70; i++) {
        uint32_t vertices = i % 4, ends = i % 2 == 0 && vertices;
        assert_int_equal(s->event_counts[i], vertices + ends);
        for (uint32_t n = 0; n < vertices; n++) {
            assert_int_equal(s->events[i][n], SCH_EVENT_VERTEX + 2);
            for (uint32_t c = 0; c < 4; c++)
                assert_int_equal(s->event_outputs[i][n][0][c], i << 16 | n << 12 | 1 << 8 | c);
            assert_int_equal(s->event_outputs[i][n][1][0], n);
            assert_int_equal(s->event_outputs[i][n][2][0], 0); /* registers that the shader has not */
        }
        if (ends) assert_int_equal(s->events[i][vertices], SCH_EVENT_PRIMITIVE_END + 2);
        if (vertices + ends < EVENTS) assert_int_equal(s->events[i][vertices + ends], 0xeeeeeeee);
    }
    free(s);
}

/* Streams are independent; an empty primitive does not end; the limit counts the vertices of all streams. */
static void streams_and_limit(void **state)
{
    (void)state;
    struct setup *s = new_setup(
        GEOMETRY("3", "DCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION, STREAM(0, 1, 2, 3)\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                      "ENDPRIM IMM[0].xxxx\nMOV OUT[0], IMM[0].xxxx\nEMIT IMM[0].xxxx\nMOV OUT[0], IMM[0].yyyy\n"
                      "EMIT IMM[0].wwww\nENDPRIM IMM[0].yyyy\nENDPRIM IMM[0].wwww\nENDPRIM IMM[0].wwww\n"
                      "MOV OUT[0], IMM[0].zzzz\nEMIT IMM[0].xxxx\nMOV OUT[0], IMM[0].wwww\nEMIT IMM[0].yyyy\n"
                      "ENDPRIM IMM[0].yyyy\nENDPRIM IMM[0].xxxx\nEND\n"),
        5);
    static const uint32_t expected[] = {SCH_EVENT_VERTEX + 0, SCH_EVENT_VERTEX + 3, SCH_EVENT_PRIMITIVE_END + 3,
                                        SCH_EVENT_VERTEX + 0, SCH_EVENT_PRIMITIVE_END + 0};
    static const uint32_t values[] = {0, 1, 0, 2, 0};
    s->helpers[3] = 1; /* a helper emits nothing */
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(s->event_counts[i], i == 3 ? 0 : 5);
        for (unsigned n = 0; n < 5 && i != 3; n++) {
            assert_int_equal(s->events[i][n], expected[n]);
            assert_int_equal(s->event_outputs[i][n][0][0], values[n]);
        }
    }
    /* Events past the capacity are counted only. */
    s->work.event_capacity = 2;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(s->event_counts[i], i == 3 ? 0 : 5);
        if (i != 3) assert_int_equal((&s->events[0][0])[2 * i + 1], SCH_EVENT_VERTEX + 3);
    }
    assert_int_equal((&s->events[0][0])[10], 0xeeeeeeee);
    /* No area at all: nothing happens. */
    s->work.event_capacity = s->work.event_registers = 0;
    s->work.events = s->work.event_counts = s->work.event_outputs = NULL;
    s->work.event_bytes = s->work.event_count_bytes = s->work.event_output_bytes = 0;
    EACH_WIDTH(s)
    assert_int_equal(s->event_counts[0], 0xeeeeeeee);
    free(s);
}

static void counts_invocations(void **state)
{
    (void)state;
    struct setup *s = new_setup(GEOMETRY("2", "PROPERTY GS_INVOCATIONS 5\nDCL SV[0], INVOCATIONID\n"
                                              "DCL SV[1], PRIM_ID\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                                              "MOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, SV[1].xxxx\n"
                                              "EMIT IMM[0].xxxx\nEND\n"),
                                73);
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 73; i++) {
        assert_int_equal(s->event_outputs[i][0][0][0], i % 5);
        assert_int_equal(s->event_outputs[i][0][0][1], 0);
    }
    /* Registers that the caller gives, all or some. */
    uint32_t values[MOST][2][4];
    memset(values, 0x11, sizeof values);
    const uint8_t given[2] = {0, 1};
    s->work.system_values = values[0][0];
    s->work.system_value_bytes = sizeof values;
    s->work.system_value_registers = 2;
    EACH_WIDTH(s)
    assert_int_equal(s->event_outputs[7][0][0][0], 0x11111111);
    s->work.system_value_given = given;
    s->work.system_value_given_bytes = sizeof given;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 73; i++) {
        assert_int_equal(s->event_outputs[i][0][0][0], i % 5);
        assert_int_equal(s->event_outputs[i][0][0][1], 0x11111111);
    }
    free(s);
}

/* Both brackets indirect, in and out of range. */
static void vertex_inputs(void **state)
{
    (void)state;
    struct setup *s = new_setup(
        GEOMETRY("1", "DCL IN[][0..3], ARRAY(1), GENERIC[0]\nDCL SV[0], PRIM_ID\nDCL OUT[0], POSITION\nDCL ADDR[0]\n"
                      "IMM[0] UINT32 {0, 0, 0, 0}\nUARL ADDR[0].xy, SV[0].xyyy\n"
                      "MOV OUT[0], IN[ADDR[0].x][ADDR[0].y](1)\nEMIT IMM[0].xxxx\nEND\n"),
        64);
    uint32_t values[64][4] = {{0}};
    for (uint32_t i = 0; i < 64; i++) {
        values[i][0] = i % 8 - 2;
        values[i][1] = i / 8 - 2;
    }
    s->work.system_values = values[0];
    s->work.system_value_bytes = sizeof values;
    s->work.system_value_registers = 1;
    EACH_WIDTH(s)
    for (uint32_t i = 0; i < 64; i++) {
        bool there = values[i][0] < VERTICES && values[i][1] < REGISTERS;
        uint32_t expected = there ? i << 16 | values[i][0] << 12 | values[i][1] << 8 : 0;
        assert_int_equal(s->event_outputs[i][0][0][0], expected);
        assert_int_equal(s->event_outputs[i][0][0][3], there ? expected + 3 : 0);
    }
    free(s);
}

/* ---- tessellation control shaders ---- */

/* Each invocation writes its vertex and reads the next one's: the patch goes in lockstep, and waits at a BARRIER. */
static void patch_vertices(void **state)
{
    (void)state;
    static const char text[] =
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL SV[1], "
        "VERTICESIN\n"
        "DCL OUT[0], TESSOUTER\nDCL OUT[][1], GENERIC[0]\nDCL OUT[][2], GENERIC[1]\nDCL OUT[3], PATCH[0]\nDCL TEMP[0]\n"
        "DCL ADDR[0..1]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
        "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][1], IN[ADDR[0].x][0]\nBARRIER\n"
        "UADD TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUMOD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\n"
        "UARL ADDR[1].x, TEMP[0].xxxx\nMOV OUT[ADDR[0].x][2].xyz, OUT[ADDR[1].x][1]\nMOV OUT[ADDR[0].x][2].w, "
        "SV[1].xxxx\n"
        "UIF SV[0].xxxx\nMOV OUT[0], SV[0].xxxx\nENDIF\n"
        "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nMOV OUT[3].x, OUT[0].xxxx\nENDIF\n"
        "UADD OUT[3].y, OUT[3].xxxx, SV[0].xxxx\nEND\n";
    struct setup *s = new_setup(text, 71);
    EACH_WIDTH(s)
    for (uint32_t i = 0; i < 71; i++) {
        uint32_t vertex = i % 3, patch = i - vertex, next = patch + (vertex + 1) % 3;
        bool complete = patch + 3 <= 71; /* the last patch has two invocations */
        uint32_t last = complete ? 2 : 1;
        assert_int_equal(s->outputs[i][1][0], i << 16 | vertex << 12);
        assert_int_equal(s->outputs[i][1][3], i << 16 | vertex << 12 | 3);
        assert_int_equal(s->outputs[i][2][1], next < 71 ? next << 16 | (next % 3) << 12 | 1 : 0);
        assert_int_equal(s->outputs[i][2][3], VERTICES);
        for (unsigned c = 0; c < 4; c++) assert_int_equal(s->outputs[i][0][c], last);
        assert_int_equal(s->outputs[i][3][0], last); /* what lane 0 reads is the patch's */
        assert_int_equal(s->outputs[i][3][1], 2 * last);
    }
    free(s);
}

/* A BARRIER that an invocation of a patch never reaches ends the run, in the first such patch. */
static void patch_barrier_missed(void **state)
{
    (void)state;
    static const char text[] = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\n"
                               "DCL OUT[][0], GENERIC[0]\nDCL TEMP[0]\nAND TEMP[0].x, SV[0].xxxx, SV[1].xxxx\n"
                               "UIF TEMP[0].xxxx\nRET\nENDIF\nBARRIER\nEND\n";
    static const uint8_t given[2] = {0, 1};
    uint32_t values[9][2][4] = {0};
    struct setup *s = new_setup(text, 9);
    struct sch_context *context = NULL;
    struct sch_dispatch_report report = {.size = sizeof report};
    s->work.system_values = values[0][0];
    s->work.system_value_bytes = sizeof values;
    s->work.system_value_registers = 2;
    s->work.system_value_given = given;
    s->work.system_value_given_bytes = sizeof given;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_program *program = api_program(context, text, width);
        memset(values, 0, sizeof values);
        assert_int_equal(sch_dispatch(program, NULL, &s->work, NULL, &report), SCH_OK);
        for (unsigned i = 3; i < 9; i++) values[i][1][0] = 1; /* from the second patch on invocation 1 returns */
        assert_int_equal(sch_dispatch(program, NULL, &s->work, NULL, &report), SCH_ERROR_BARRIER);
        assert_int_equal(report.invocation, 4);
        assert_int_equal(report.line, 11);
        sch_program_destroy(program);
    }
    sch_context_destroy(context);
    free(s);
}

/* Both brackets of OUT indirect; a vertex or register that is none; an output without a vertex is its own; the last
 * lane wins where several write one vertex. */
static void patch_indirect(void **state)
{
    (void)state;
    static const char text[] =
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\n"
        "DCL OUT[][0..2], ARRAY(1), GENERIC[0]\nDCL OUT[3], PATCH[0]\nDCL ADDR[0..1]\nDCL TEMP[0..1]\n"
        "IMM[0] UINT32 {0, 1, 2, 7}\nIMM[1] INT32 {-1, 3, 0, 0}\n"
        "UARL ADDR[0].x, SV[0].xxxx\nUARL ADDR[0].y, IMM[0].yyyy\n"
        "MOV OUT[ADDR[0].x][ADDR[0].y](1), IN[ADDR[0].x][0]\n"                    /* register 1, own vertex */
        "MOV OUT[0], SV[0].xxxx\n"                                                /* register 0, own vertex */
        "UARL ADDR[0].y, IMM[0].wwww\nMOV OUT[ADDR[0].x][ADDR[0].y](1), IMM[0]\n" /* no such register */
        "UARL ADDR[1].x, IMM[0].wwww\nMOV OUT[ADDR[1].x][1], IMM[0]\n"            /* no such vertex */
        "UARL ADDR[1].x, IMM[1].xxxx\nMOV OUT[ADDR[1].x][1], IMM[0]\n"
        "MOV OUT[2][2].x, SV[0].xxxx\n"                                                      /* all lanes: vertex 2 */
        "UARL ADDR[1].x, IMM[0].wwww\nUADD TEMP[0].x, OUT[ADDR[1].x][1].xxxx, IMM[0].yyyy\n" /* reads 0 */
        "MOV OUT[ADDR[0].x][2].y, TEMP[0].xxxx\n"
        "UARL ADDR[1].x, IMM[0].yyyy\nUARL ADDR[1].y, IMM[0].yyyy\n"
        "MOV OUT[ADDR[0].x][2].z, OUT[ADDR[1].x][ADDR[1].y](1).wwww\n"    /* vertex 1, register 1 */
        "UARL ADDR[1].x, IMM[1].yyyy\nMOV OUT[ADDR[1].x].x, SV[0].xxxx\n" /* register 3 belongs to the patch */
        "END\n";
    struct setup *s = new_setup(text, 40);
    EACH_WIDTH(s)
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t vertex = i % 4, second = i - vertex + 1;
        assert_int_equal(s->outputs[i][0][2], vertex);
        assert_int_equal(s->outputs[i][1][1], i << 16 | vertex << 12 | 1);
        assert_int_equal(s->outputs[i][2][0], vertex == 2 ? 3 : 0);
        assert_int_equal(s->outputs[i][2][1], 1);
        assert_int_equal(s->outputs[i][2][2], second << 16 | 1 << 12 | 3);
        assert_int_equal(s->outputs[i][3][0], 3);
    }
    free(s);
}

/* ---- tessellation evaluation shaders ---- */

static void evaluates_patches(void **state)
{
    (void)state;
    static const char text[] =
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 0\n"
        "PROPERTY TES_POINT_MODE 0\nDCL IN[][0], GENERIC[0]\nDCL IN[1], PATCH[0]\nDCL SV[0], TESSCOORD\n"
        "DCL SV[1], VERTICESIN\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n"
        "MUL TEMP[0], IN[1][0], SV[0].yyyy\nMAD TEMP[0], IN[0][0], SV[0].xxxx, TEMP[0]\n"
        "MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[0]\nMOV OUT[1].xyz, IN[1]\nMOV OUT[1].w, SV[1].xxxx\nEND\n";
    struct setup *s = new_setup(text, 50);
    static const float weights[3] = {0.25f, 0.5f, 0.25f}, corners[3] = {4.0f, 8.0f, 16.0f};
    uint32_t values[MOST][1][4] = {{{0}}};
    for (unsigned i = 0; i < 50; i++)
        for (unsigned v = 0; v < 3; v++) {
            values[i][0][v] = api_bits(weights[v]);
            for (unsigned c = 0; c < 4; c++) s->inputs[i][v][0][c] = api_bits(corners[v] * (float)(i + 1));
        }
    s->work.system_values = values[0][0];
    s->work.system_value_bytes = sizeof values;
    s->work.system_value_registers = 1;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 50; i++) {
        assert_true(api_float(s->outputs[i][0][2]) == 9.0f * (float)(i + 1));
        assert_int_equal(s->outputs[i][1][1], i << 16 | 1 << 8 | 1); /* of the patch: given with vertex 0 */
        assert_int_equal(s->outputs[i][1][3], VERTICES);
    }
    free(s);
}

/* ---- wrong calls ---- */

static void refuses_wrong_calls(void **state)
{
    (void)state;
    struct setup *s =
        new_setup(GEOMETRY("1", "DCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\nEMIT IMM[0].xxxx\nEND\n"), 4);
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_program *program = api_program(context, s->text, 8);
    struct sch_invocations work = s->work;
    work.events = NULL;
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_ERROR_ARGUMENT);
    work = s->work;
    work.event_outputs = NULL;
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_ERROR_ARGUMENT);
    work = s->work;
    work.plane_registers = 1;
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_ERROR_ARGUMENT);
    work = s->work;
    work.samples = 3;
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_ERROR_ARGUMENT);
    work.samples = 32;
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_ERROR_ARGUMENT);
    work = s->work;
    work.size--;
    assert_int_equal(sch_dispatch(program, NULL, &work, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_program_destroy(program);
    sch_context_destroy(context);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emits_vertices),       cmocka_unit_test(streams_and_limit),
        cmocka_unit_test(counts_invocations),   cmocka_unit_test(vertex_inputs),
        cmocka_unit_test(patch_vertices),       cmocka_unit_test(patch_indirect),
        cmocka_unit_test(patch_barrier_missed), cmocka_unit_test(evaluates_patches),
        cmocka_unit_test(refuses_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
