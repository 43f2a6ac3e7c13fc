/* The interpreter at the ends of what there is, below the public API: registers, constants, buffers, textures, vertices
 * that indices name just before the first and just behind the last one (where memory holds other things that must not
 * be found), lanes that are not there, and handlers called by themselves. What operations compute is not tested
 * here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../support/exec_program.h"
#include "base/clock.h"
#include "exec/image.h"
#include "exec/job.h"
#include "exec/samples.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ---- numbers that are no registers ---- */

/* Of everything there are three; number k holds 100 + k, and so do those before and behind, which are not bound. */
enum { LANES = 40, THERE = 3, AROUND = 2, ALL = AROUND + THERE + AROUND, VALUE = 100 };
static const int32_t numbers[] = {0, 1, 2, 3, 4, -1, -2, INT32_MAX, INT32_MIN, 5};

static struct world {
    uint32_t vectors[ALL][4], constants[ALL][ALL][4];
    struct sch_constant_buffer buffers[ALL];
    uint32_t words[ALL][4], counters[ALL][4], texels[ALL];
    struct sch_storage_buffer storage[ALL], counting[ALL];
    struct sch_texture textures[ALL];
    struct sch_exec_view views[ALL];
    struct sch_exec_image images[ALL];
    struct sch_exec_sampler samplers[ALL];
    struct sch_exec_bindings bindings;
    uint32_t inputs[LANES][3][3][4], values[LANES][2][4], outputs[LANES][3][4];
    uint32_t planes[LANES][3][4][4];
} world;

static void fill_world(void)
{
    struct world *w = &world;
    memset(w, 0, sizeof *w);
    for (unsigned i = 0; i < ALL; i++) {
        const uint32_t value = VALUE + i - AROUND;
        for (unsigned v = 0; v < ALL; v++) w->constants[i][v][0] = w->constants[i][v][1] = value;
        w->words[i][0] = w->counters[i][0] = w->texels[i] = value;
        w->buffers[i] = (struct sch_constant_buffer){w->constants[i][0], sizeof w->constants[i]};
        w->storage[i] = (struct sch_storage_buffer){w->words[i], 16};
        w->counting[i] = (struct sch_storage_buffer){w->counters[i], 16};
        w->textures[i] = (struct sch_texture){.levels = 1, .layers = 1, .samples = 1};
        w->textures[i].level[0] = (struct sch_texture_level){
            .texels = (uint8_t *)&w->texels[i], .width = 1, .height = 1, .depth = 1, .row_bytes = 4, .slice_bytes = 4};
        w->views[i] = (struct sch_exec_view){&w->textures[i], SCH_FORMAT_R32_UINT, SCH_TARGET_2D, {0, 1, 2, 3}};
        w->images[i] =
            (struct sch_exec_image){&w->textures[i], SCH_FORMAT_R32_UINT, SCH_TARGET_2D, SCH_RULES_TGSI, true};
    }
    /* Of buffer 0, vector k is 100 + k; three are there. */
    for (unsigned v = 0; v < ALL; v++) w->vectors[v][0] = VALUE + v - AROUND;
    w->bindings = (struct sch_exec_bindings){.constants = w->buffers + AROUND,
                                             .constant_count = THERE,
                                             .views = w->views + AROUND,
                                             .view_count = THERE,
                                             .samplers = w->samplers + AROUND,
                                             .sampler_count = THERE,
                                             .buffers = w->storage + AROUND,
                                             .buffer_count = THERE,
                                             .counters = w->counting + AROUND,
                                             .counter_count = THERE,
                                             .images = w->images + AROUND,
                                             .image_count = THERE,
                                             .color_buffers = w->images + AROUND,
                                             .color_buffer_count = THERE};
}

struct named {
    const char *text;
    bool vectors;      /* constants of buffer 0 alone */
    unsigned vertices; /* 0: inputs are registers */
};

/* The number is SV[0].x, which ADDR[0].x takes; OUT[0].x must be what it names. */
#define AT       "DCL SV[0], VERTEXID\nDCL TEMP[0..2]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 100, 101, 102}\n"
#define NUMBER   "UARL ADDR[0].x, SV[0].xxxx\n"
#define VERTEX   "VERT\nDCL IN[0..2]\nDCL OUT[0], GENERIC[0]\n" AT
#define FRAGMENT "FRAG\nDCL IN[0..2], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1..2], COLOR[1]\n" AT
#define GEOMETRY                                                                                                       \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"                               \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0..2], GENERIC[0]\nDCL OUT[0], GENERIC[0]\n" AT

static const struct named named[] = {
    {VERTEX NUMBER "MOV TEMP[0].x, IMM[0].yyyy\nMOV TEMP[1].x, IMM[0].zzzz\nMOV TEMP[2].x, IMM[0].wwww\n"
                   "MOV OUT[0].x, TEMP[ADDR[0].x]\nEND\n",
     false, 0},
    {VERTEX NUMBER "MOV OUT[0].x, IN[ADDR[0].x]\nEND\n", false, 0},
    {VERTEX NUMBER "MOV OUT[0].x, IN[ADDR[0].x].yxzw\nMOV OUT[0].x, IN[ADDR[0].x]\nEND\n", false, 0},
    {VERTEX "DCL CONST[0..2]\n" NUMBER "MOV OUT[0].x, CONST[ADDR[0].x]\nEND\n", true, 0},
    {VERTEX "DCL CONST[0][0..2]\n" NUMBER "MOV OUT[0].x, CONST[0][ADDR[0].x]\nEND\n", true, 0},
    {VERTEX "DCL CONST[0][0..2]\nDCL CONST[2][0..2]\n" NUMBER "MOV OUT[0].x, CONST[ADDR[0].x][1].yxxx\nEND\n", false,
     0},
    {VERTEX "DCL CONST[0][0..2]\nDCL CONST[2][0..2]\n" NUMBER "MOV OUT[0].x, CONST[ADDR[0].x][ADDR[0].x]\nEND\n", false,
     0},
    {VERTEX "DCL BUFFER[0..2]\n" NUMBER "LOAD TEMP[0], BUFFER[ADDR[0].x], IMM[0].xxxx\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL CONSTBUF[0..2]\n" NUMBER
            "LOAD TEMP[0], CONSTBUF[ADDR[0].x], IMM[0].xxxx\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL RES[0..2], BUFFER\n" NUMBER "LOAD TEMP[0], RES[ADDR[0].x], IMM[0].xxxx\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL RES[0..2], 2D\n" NUMBER "LOAD TEMP[0], RES[ADDR[0].x], IMM[0].xxxx\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL RES[0..2], 2D, WR\n" NUMBER "LOAD TEMP[0], RES[ADDR[0].x], IMM[0].xxxx\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL RES[0..2], 2D, RAW\n" NUMBER "LOAD TEMP[0], RES[ADDR[0].x], IMM[0].xxxx\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, WR\n" NUMBER
            "LOAD TEMP[0], IMAGE[ADDR[0].x], IMM[0].xxxx, 2D\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, RAW\n" NUMBER
            "LOAD TEMP[0], IMAGE[ADDR[0].x], IMM[0].xxxx, 2D\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, WR\n" NUMBER "IMG2HND TEMP[1].xy, IMAGE[ADDR[0].x]\n"
            "LOAD TEMP[0], TEMP[1], IMM[0].xxxx, 2D\nMOV OUT[0].x, TEMP[0]\nEND\n",
     false, 0},
    {VERTEX "DCL HWATOMIC[0][0]\nDCL HWATOMIC[1][0]\nDCL HWATOMIC[2][0]\n" NUMBER
            "ATOMUADD OUT[0].x, HWATOMIC[ADDR[0].x][0], IMM[0].xxxx, IMM[0].xxxx\nEND\n",
     false, 0},
    {VERTEX "DCL SAMP[0..2]\n" NUMBER "TXF OUT[0].x, IMM[0].xxxx, SAMP[ADDR[0].x], 2D\nEND\n", false, 0},
    {VERTEX "DCL SAMP[0..2]\n" NUMBER "TEX_LZ OUT[0].x, IMM[0].xxxx, SAMP[ADDR[0].x], 2D\nEND\n", false, 0},
    {VERTEX "DCL SAMP[0..2]\n" NUMBER "SAMP2HND TEMP[1].xy, SAMP[ADDR[0].x]\n"
            "TEX_LZ OUT[0].x, IMM[0].xxxx, TEMP[1], 2D\nEND\n",
     false, 0},
    {VERTEX "DCL SVIEW[0..2], 2D, UINT\n" NUMBER "SAMPLE_I OUT[0].x, IMM[0].xxxx, SVIEW[ADDR[0].x]\nEND\n", false, 0},
    {VERTEX "DCL SVIEW[0..2], 2D, UINT\nDCL SAMP[0..2]\n" NUMBER
            "SAMPLE_L OUT[0].x, IMM[0].xxxx, SVIEW[ADDR[0].x], SAMP[ADDR[0].x], IMM[0].xxxx\nEND\n",
     false, 0},
    {VERTEX "DCL SVIEW[0..2], 2D, UINT\nDCL SAMP[0..2]\n" NUMBER
            "SAMPLE_L OUT[0].x, IMM[0].xxxx, SVIEW[ADDR[0].x], SAMP[0], IMM[0].xxxx\nEND\n",
     false, 0},
    {FRAGMENT NUMBER "FBFETCH OUT[0].x, OUT[ADDR[0].x]\nEND\n", false, 0},
    {FRAGMENT NUMBER "INTERP_CENTROID OUT[0].x, IN[ADDR[0].x]\nEND\n", false, 0},
    {GEOMETRY NUMBER "MOV OUT[0].x, IN[ADDR[0].x][0]\nEND\n", false, 1},
    {GEOMETRY NUMBER "MOV OUT[0].x, IN[1][ADDR[0].x]\nEND\n", false, 2},
    {GEOMETRY NUMBER "MOV OUT[0].x, IN[ADDR[0].x][ADDR[0].x]\nEND\n", false, 1},
    /* What only a bracket names. */
    {VERTEX "DCL CONST[0][0..2]\nDCL CONST[2][0..2]\nMOV OUT[0].x, CONST[SV[0].x][1]\nEND\n", false, 0},
    {VERTEX "DCL CONST[0..2]\nMOV OUT[0].x, CONST[SV[0].x]\nEND\n", true, 0},
    /* A first bracket that says nothing. */
    {VERTEX NUMBER "MOV OUT[0].x, IN[2][ADDR[0].x]\nEND\n", false, 0},
};

/* Inputs by register, by vertex (1) or by register of vertex 1 (2). */
static uint32_t input_of(const struct named *row, unsigned vertex, unsigned r)
{
    return VALUE + (row->vertices == 1 ? vertex : r) + (row->vertices == 2 && vertex != 1 ? 50 : 0);
}

static void run_named(const struct named *row, int uniform)
{
    struct world *w = &world;
    fill_world();
    if (row->vectors) w->buffers[AROUND] = (struct sch_constant_buffer){w->vectors[AROUND], THERE * 16};
    const unsigned vertices = row->vertices ? 3 : 1;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t *inputs = &w->inputs[0][0][0][0] + (size_t)i * vertices * 3 * 4;
        w->values[i][0][0] = (uint32_t)numbers[uniform >= 0 ? (size_t)uniform : i % COUNT(numbers)];
        for (unsigned v = 0; v < vertices; v++)
            for (unsigned r = 0; r < 3; r++) inputs[4 * (3 * v + r)] = input_of(row, v, r);
    }
    const struct sch_invocations given = {.count = LANES,
                                          .inputs = &w->inputs[0][0][0][0],
                                          .input_registers = 3,
                                          .input_vertices = vertices,
                                          .system_values = w->values[0][0],
                                          .system_value_registers = 2,
                                          .outputs = w->outputs[0][0],
                                          .output_registers = 3};
    struct sch_exec_program *program = exec_program(row->text, NULL);
    assert_int_equal(sch_run_invocations(program, &w->bindings, &given, NULL, NULL), SCH_OK);
    sch_exec_destroy(program);
    for (unsigned i = 0; i < LANES; i++) {
        const int32_t number = (int32_t)w->values[i][0][0];
        const uint32_t wanted = number >= 0 && number < THERE ? VALUE + (uint32_t)number : 0;
        if (w->outputs[i][0][0] != wanted)
            fail_msg("%snumber %d of lane %u: %u, not %u (%d)", row->text, number, i, w->outputs[i][0][0], wanted,
                     uniform);
    }
}

static void only_what_is_there_is_named(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT(named); r++)
        for (int uniform = -1; uniform < (int)COUNT(numbers); uniform++) run_named(&named[r], uniform);
}

/* And what writes: the value is the number + 100; nothing before, behind or elsewhere changes. */
static void only_what_is_there_is_written(void **state)
{
    (void)state;
    static const char *const texts[] = {
        VERTEX "DCL BUFFER[0..2]\n" NUMBER "STORE BUFFER[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz\nEND\n",
        VERTEX "DCL RES[0..2], BUFFER, WR\n" NUMBER "STORE RES[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz\nEND\n",
        VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, WR\n" NUMBER
               "STORE IMAGE[ADDR[0].x], IMM[0].xxxx, IMM[0].zzzz, 2D\nEND\n",
        VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, WR\n" NUMBER
               "ATOMXCHG TEMP[0].x, IMAGE[ADDR[0].x], IMM[0].xxxx, IMM[0].zzzz, 2D\nEND\n",
        VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, RAW, WR\n" NUMBER
               "STORE IMAGE[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz, 2D\nEND\n",
        VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, RAW, WR\n" NUMBER
               "ATOMXCHG TEMP[0].x, IMAGE[ADDR[0].x], IMM[0].xxxx, IMM[0].zzzz, 2D\nEND\n",
        VERTEX "DCL RES[0..2], 2D, WR\n" NUMBER "STORE RES[ADDR[0].x], IMM[0].xxxx, IMM[0].zzzz\nEND\n",
        VERTEX "DCL RES[0..2], 2D, RAW, WR\n" NUMBER "STORE RES[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz\nEND\n",
        /* Declared without WR: nothing at all. */
        VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT\n" NUMBER
               "STORE IMAGE[ADDR[0].x], IMM[0].xxxx, IMM[0].zzzz, 2D\nEND\n",
        VERTEX "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, RAW\n" NUMBER
               "STORE IMAGE[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz, 2D\nEND\n",
        VERTEX "DCL RES[0..2], BUFFER\n" NUMBER "STORE RES[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz\nEND\n",
        VERTEX "DCL RES[0..2], 2D\n" NUMBER "STORE RES[ADDR[0].x], IMM[0].xxxx, IMM[0].zzzz\nEND\n"};
    enum { WRITING = 8 };
    for (size_t t = 0; t < COUNT(texts); t++)
        for (size_t n = 0; n < COUNT(numbers); n++) {
            struct world *w = &world;
            fill_world();
            w->values[0][0][0] = (uint32_t)numbers[n];
            const struct sch_invocations given = {
                .count = 1, .system_values = w->values[0][0], .system_value_registers = 1};
            struct sch_exec_program *program = exec_program(texts[t], NULL);
            assert_int_equal(sch_run_invocations(program, &w->bindings, &given, NULL, NULL), SCH_OK);
            sch_exec_destroy(program);
            const bool there = t < WRITING && numbers[n] >= 0 && numbers[n] < THERE;
            const bool texels = strstr(texts[t], "BUFFER") == NULL;
            for (int k = 0; k < ALL; k++) {
                const uint32_t before = VALUE + (uint32_t)(k - AROUND);
                const uint32_t after = there && k - AROUND == numbers[n] ? VALUE + 1 : before;
                if (w->texels[k] != (texels ? after : before) || w->words[k][0] != (texels ? before : after))
                    fail_msg("%snumber %d, %d: %u, %u", texts[t], numbers[n], k - AROUND, w->texels[k], w->words[k][0]);
            }
        }
}

/* ---- shaders whose result is known ---- */

struct expectation {
    const char *text;
    uint32_t outputs[8]; /* OUT[0].x of lanes 0 to 7, which have their number in SV[0] */
};

#define LANE                                                                                                           \
    "VERT\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0..3]\nDCL ADDR[0]\n"                      \
    "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {4, 5, 10, 100}\nIMM[2] UINT32 {31, 32, 33, 4294967295}\n"
#define ADD(n) "UADD OUT[0].x, OUT[0], " n "\n"

static const struct expectation expectations[] = {
    /* Labels: the default is for lanes that no label matches, wherever it stands; a lane enters once. */
    {LANE "SWITCH SV[0].xxxx\nDEFAULT\n" ADD("IMM[1].zzzz") "BRK\nCASE IMM[0].yyyy\n" ADD(
         "IMM[0].yyyy") "BRK\n"
                        "CASE IMM[0].zzzz\n" ADD("IMM[0].zzzz") "ENDSWITCH\nEND\n",
     {10, 1, 2, 10, 10, 10, 10, 10}},
    {LANE "SWITCH SV[0].xxxx\nDEFAULT\n" ADD("IMM[1].zzzz") "CASE IMM[0].yyyy\n" ADD(
         "IMM[0].yyyy") "BRK\n"
                        "CASE IMM[0].zzzz\n" ADD("IMM[0].zzzz") "ENDSWITCH\nEND\n",
     {11, 1, 2, 11, 11, 11, 11, 11}},
    {LANE "SWITCH SV[0].xxxx\nCASE IMM[0].yyyy\n" ADD("IMM[0].yyyy") "BRK\nCASE IMM[0].yyyy\n" ADD(
         "IMM[1].wwww") "CASE IMM[0].zzzz\n" ADD("IMM[1].zzzz") "ENDSWITCH\nEND\n",
     {0, 1, 10, 0, 0, 0, 0, 0}},
    {LANE "SWITCH SV[0].xxxx\nCASE IMM[0].yyyy\n" ADD("IMM[0].yyyy") "CASE IMM[0].yyyy\n" ADD(
         "IMM[1].wwww") "DEFAULT\n" ADD("IMM[1].zzzz") "ENDSWITCH\nEND\n",
     {10, 111, 10, 10, 10, 10, 10, 10}},
    {LANE "MOV TEMP[0].y, SV[0].xxxx\nSWITCH TEMP[0].yyyy\nCASE IMM[0].wwww\n" ADD("IMM[0].yyyy") "ENDSWITCH\nEND\n",
     {0, 0, 0, 1, 0, 0, 0, 0}},
    {LANE "SWITCH -SV[0].xxxx\nCASE -IMM[0].wwww\n" ADD("IMM[0].yyyy") "ENDSWITCH\nEND\n", {0, 0, 0, 1, 0, 0, 0, 0}},
    /* Reading lanes: what is no lane gives 0. Only what the mask has is written. */
    {LANE "MOV TEMP[0], SV[0].xxxx\nUADD TEMP[1].x, SV[0].xxxx, IMM[1].xxxx\nREAD_INVOC OUT[0].x, TEMP[0], "
          "TEMP[1].xxxx\nEND\n",
     {4, 5, 6, 7, 8, 9, 10, 11}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nREAD_INVOC OUT[0].x, TEMP[0], IMM[2].xxxx\nEND\n",
     {100, 100, 100, 100, 100, 100, 100, 100}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nMOV OUT[0].x, IMM[0].yyyy\nREAD_INVOC OUT[0].x, TEMP[0], IMM[2].yyyy\nEND\n", {0}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nMOV OUT[0].x, IMM[0].yyyy\nREAD_INVOC OUT[0].x, TEMP[0], IMM[2].zzzz\nEND\n", {0}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nMOV OUT[0].x, IMM[0].yyyy\nREAD_INVOC OUT[0].x, TEMP[0], IMM[2].wwww\nEND\n", {0}},
    {LANE "MOV TEMP[2], IMM[1].wwww\nREAD_INVOC TEMP[2].y, SV[0], IMM[0].yyyy\nMOV OUT[0].x, TEMP[2]\nEND\n",
     {100, 100, 100, 100, 100, 100, 100, 100}},
    {LANE "MOV TEMP[0], SV[0].xxxx\nREAD_INVOC TEMP[2].y, TEMP[0], IMM[0].wyyy\nMOV OUT[0].x, TEMP[2].yyyy\nEND\n",
     {3, 3, 3, 3, 3, 3, 3, 3}},
    {LANE "MOV TEMP[2], IMM[1].wwww\nREAD_FIRST TEMP[2].y, SV[0]\nMOV OUT[0].x, TEMP[2]\nEND\n",
     {100, 100, 100, 100, 100, 100, 100, 100}},
    {LANE "UIF SV[0].xxxx\nREAD_FIRST OUT[0].x, SV[0]\nENDIF\nEND\n", {0, 1, 1, 1, 1, 1, 1, 1}},
    /* x alone is asked; lanes that do not run are not. */
    {LANE "MOV TEMP[0].yzw, IMM[0].yyyy\nVOTE_ANY OUT[0].x, TEMP[0]\nEND\n", {0}},
    {LANE "MOV TEMP[0].yzw, IMM[0].yyyy\nBALLOT OUT[0].x, TEMP[0].xyzw\nEND\n", {0}},
    {LANE "UIF SV[0].xxxx\nBALLOT TEMP[0].yw, IMM[0].yyyy\nBALLOT OUT[0].x, IMM[0].yyyy\nUADD OUT[0].x, OUT[0], "
          "TEMP[0].yyyy\nENDIF\nEND\n",
     {0, 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffe, 0xfffffffe}},
    {LANE "UIF SV[0].xxxx\nVOTE_ALL OUT[0].x, SV[0]\nENDIF\nEND\n",
     {0, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
    {LANE "VOTE_ALL OUT[0].x, SV[0]\nEND\n", {0}},
    {LANE "USGE TEMP[1].x, SV[0].xxxx, IMM[1].xxxx\nUIF TEMP[1].xxxx\nMOV TEMP[0].x, IMM[0].yyyy\nVOTE_EQ OUT[0].x, "
          "TEMP[0]\nENDIF\nEND\n",
     {0, 0, 0, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
    {LANE "USGE TEMP[1].x, SV[0].xxxx, IMM[1].xxxx\nUIF TEMP[1].xxxx\nMOV OUT[0].x, IMM[0].yyyy\nVOTE_EQ OUT[0].x, "
          "SV[0]\nENDIF\nEND\n",
     {0}},
    /* Without quads derivatives are zero, and only where the mask says. */
    {LANE "MOV TEMP[0], IMM[1].wwww\nDDX TEMP[0].y, TEMP[1]\nUADD OUT[0].x, TEMP[0], TEMP[0].yyyy\nEND\n",
     {100, 100, 100, 100, 100, 100, 100, 100}},
    /* 64 bits: of both halves what the mask has. */
    {LANE "MOV TEMP[0], IMM[1].wwww\nU64ADD TEMP[0].zw, IMM[0].yxzx, IMM[0].yxzx\nUADD OUT[0].x, TEMP[0], TEMP[0].zzzz"
          "\nEND\n",
     {104, 104, 104, 104, 104, 104, 104, 104}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nU64ADD TEMP[0].w, IMM[0].yxzx, IMM[0].yxzy\nUADD OUT[0].x, TEMP[0].zzzz, "
          "TEMP[0].wwww\nEND\n",
     {101, 101, 101, 101, 101, 101, 101, 101}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nU64ADD TEMP[0].y, IMM[0].yxzx, IMM[0].yzzy\nUADD OUT[0].x, TEMP[0].zzzz, "
          "TEMP[0].yyyy\nEND\n",
     {102, 102, 102, 102, 102, 102, 102, 102}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nU2I64 TEMP[0].zw, IMM[0].zwww\nUADD OUT[0].x, TEMP[0].zzzz, TEMP[0].wwww\nEND\n",
     {3, 3, 3, 3, 3, 3, 3, 3}},
    {LANE "MOV TEMP[0], IMM[1].wwww\nU2I64 TEMP[0].xy, IMM[0].zwww\nUADD OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nEND\n",
     {2, 2, 2, 2, 2, 2, 2, 2}},
    /* An index that is a constant register with a component. */
    {LANE "DCL CONST[0..3]\nMOV TEMP[2].x, IMM[1].wwww\nMOV OUT[0].x, TEMP[CONST[3].y+2]\nEND\n",
     {100, 100, 100, 100, 100, 100, 100, 100}},
    /* The register that indexes the destination is read before it is written itself. */
    {LANE
     "MOV TEMP[2], IMM[0].yyyy\nMOV TEMP[TEMP[2].x+1], IMM[1].wwww\nUADD OUT[0].x, TEMP[2].xxxx, TEMP[2].yyyy\nEND\n",
     {200, 200, 200, 200, 200, 200, 200, 200}},
    /* Calls return to where they came from, lane by lane. */
    {LANE "UIF SV[0].xxxx\nCAL :6\nENDIF\nCAL :6\nEND\nNOP\nBGNSUB\n" ADD(
         "IMM[0].yyyy") "USGE TEMP[0].x, SV[0].xxxx, "
                        "IMM[1].xxxx\nUIF TEMP[0].xxxx\nRET\nENDIF\n" ADD("IMM[1].zzzz") "ENDSUB\n",
     {11, 22, 22, 22, 2, 2, 2, 2}},
};

static void shaders_compute_this(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT(expectations); e++) {
        uint32_t outputs[32][4];
        const struct sch_invocations given = {.count = 32, .outputs = outputs[0], .output_registers = 1};
        struct sch_exec_program *program = exec_program(expectations[e].text, NULL);
        assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
        sch_exec_destroy(program);
        for (unsigned i = 0; i < 8; i++)
            if (outputs[i][0] != expectations[e].outputs[i])
                fail_msg("%slane %u: %u, not %u", expectations[e].text, i, outputs[i][0], expectations[e].outputs[i]);
    }
}

/* Lanes that a group does not have: their registers are zero, not those of the group before. */
static void absent_lanes_hold_nothing(void **state)
{
    (void)state;
    static uint32_t inputs[40][1][4], outputs[40][1][4];
    struct sch_exec_program *program =
        exec_program("VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nIMM[0] UINT32 {20, 7, 8, 0}\n"
                     "READ_INVOC OUT[0].x, IN[0], IMM[0].xxxx\nREAD_INVOC OUT[0].y, IN[0], "
                     "IMM[0].yyyy\nREAD_INVOC OUT[0].z, IN[0], IMM[0].zzzz\nEND\n",
                     NULL);
    const struct sch_invocations given = {
        .count = 40, .inputs = inputs[0][0], .input_registers = 1, .outputs = outputs[0][0], .output_registers = 1};
    for (unsigned i = 0; i < 40; i++)
        for (unsigned c = 0; c < 4; c++) inputs[i][0][c] = 1000 * (c + 1) + i;
    assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
    sch_exec_destroy(program);
    for (unsigned i = 0; i < 40; i++) {
        assert_int_equal(outputs[i][0][0], i < 32 ? 1020 : 0);
        assert_int_equal(outputs[i][0][1], 2007 + (i < 32 ? 0 : 32));
        assert_int_equal(outputs[i][0][2], i < 32 ? 3008 : 0);
        assert_int_equal(outputs[i][0][3], 0);
    }
}

/* Helpers that loop for ever end when their budget does; the others fail the run, the lowest first. */
static void helpers_end_with_their_budget(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                               "IMM[0] UINT32 {1, 5, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0], IMM[0].xxxx\n"
                               "USGE TEMP[0].y, TEMP[0].xxxx, IN[0].xxxx\nUIF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\n"
                               "MOV OUT[0], TEMP[0]\nEND\n";
    uint32_t inputs[8][4] = {{0}}, outputs[8][4];
    uint8_t helpers[8] = {0};
    struct sch_exec_program *program = exec_program(text, NULL);
    const struct sch_invocations given = {.count = 8,
                                          .quads = true,
                                          .inputs = inputs[0],
                                          .input_registers = 1,
                                          .helpers = helpers,
                                          .outputs = outputs[0],
                                          .output_registers = 1};
    struct sch_run_options options = {.budget = 20};
    struct sch_run_report report;
    for (unsigned i = 0; i < 8; i++) inputs[i][0] = 3 + i;
    for (unsigned i = 2; i < 8; i += 3) inputs[i][0] = 1000, helpers[i] = 1;
    assert_int_equal(sch_run_invocations(program, NULL, &given, &options, NULL), SCH_OK);
    for (unsigned i = 0; i < 8; i++)
        if (!helpers[i]) assert_int_equal(outputs[i][0], 3 + i);
    /* Each lane has its own: 20 turns back are 21 turns. */
    for (uint32_t turns = 20; turns <= 22; turns++) {
        inputs[6][0] = turns;
        options.budget = 20;
        const enum sch_result wanted = turns <= 21 ? SCH_OK : SCH_ERROR_BUDGET;
        assert_int_equal(sch_run_invocations(program, NULL, &given, &options, &report), wanted);
        if (wanted == SCH_ERROR_BUDGET) {
            assert_int_equal(report.invocation, 6);
            assert_int_equal(report.instruction, 6);
        }
    }
    inputs[4][0] = 22;
    assert_int_equal(sch_run_invocations(program, NULL, &given, &options, &report), SCH_ERROR_BUDGET);
    assert_int_equal(report.invocation, 4);
    sch_exec_destroy(program);
}

/* ---- handlers and steps by themselves ---- */

/* A machine without a run. */
struct alone {
    struct sch_exec_program *program;
    struct sch_exec_machine machine;
    struct sch_exec_job job;
    struct sch_lanes state[64];
};

static struct alone *make_alone(const char *text)
{
    struct alone *alone = aligned_alloc(64, sizeof *alone);
    assert_non_null(alone);
    memset(alone, 0, sizeof *alone);
    alone->program = exec_program(text, NULL);
    struct sch_exec_machine *machine = &alone->machine;
    machine->program = alone->program;
    machine->ops = machine->lookups = alone->program->ops;
    machine->group.space[SCH_SPACE_PROGRAM] = alone->program->program_space;
    machine->group.space[SCH_SPACE_STATE] = alone->state;
    machine->group.exec = machine->group.present = UINT32_MAX;
    machine->group.input_vertices = 1;
    machine->job = &alone->job;
    machine->work_end = UINT64_MAX;
    alone->job.program = alone->program;
    alone->job.work = UINT64_MAX;
    return alone;
}

static void end_alone(struct alone *alone)
{
    sch_exec_destroy(alone->program);
    free(alone);
}

static void clocks_have_two_words(void **state)
{
    (void)state;
    struct alone *a = make_alone("VERT\nDCL TEMP[0]\nCLOCK TEMP[0]\nCLOCK TEMP[0].yz\nEND\n");
    a->machine.group.executed = 0x700000009;
    a->machine.group.executed_before = 0x200000003;
    const struct sch_prepared_instruction *in = a->program->prepared.instructions;
    assert_ptr_equal(a->program->handlers[0](&a->machine, in), in + 1);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 32; i++) assert_int_equal(a->state[c].u[i], c & 1 ? 5 : 6);
    memset(a->state, 0, sizeof a->state);
    a->program->handlers[1](&a->machine, in + 1);
    for (unsigned c = 0; c < 4; c++) assert_int_equal(a->state[c].u[0], c == 1 ? 5 : c == 2 ? 6 : 0);
    end_alone(a);
}

/* Work that ends inside of what was counted at once: at which instruction, and not where it does not. */
static void counted_code_runs_out(void **state)
{
    (void)state;
    struct alone *a = make_alone("VERT\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nEND\n");
    for (uint64_t end = 0; end <= 12; end++)
        for (uint32_t count = 0; count <= 4; count++) {
            a->machine.group.executed = 6 + count; /* of which `count` from instruction 2 on are to come */
            a->machine.work_end = end;
            a->machine.group.failure = SCH_OK;
            if (end < 6) continue;
            const bool out = sch_exec_run_out(&a->machine, 2, count, 0x30);
            assert_int_equal(out, end < 6 + count);
            assert_int_equal(a->machine.group.failure, out ? SCH_ERROR_WORK : SCH_OK);
            assert_int_equal(a->machine.group.executed, out ? end : 6 + count);
            if (!out) continue;
            assert_int_equal(a->machine.failed_instruction, 2 + end - 6);
            assert_int_equal(a->machine.failed_lane, 4);
        }
    end_alone(a);
}

/* Looks: what ends the run, and when somebody must look again. */
static void looks_are_taken(void **state)
{
    (void)state;
    struct alone *a = make_alone("VERT\nNOP\nNOP\nEND\n");
    struct sch_exec_machine *machine = &a->machine;
    const struct sch_prepared_instruction *in = a->program->prepared.instructions + 1;
    static uint32_t flag;
    machine->group.executed = 1000;
    assert_true(sch_exec_look(machine, in->number, 0, 50));
    assert_true(machine->group.stop_at == UINT64_MAX); /* nobody waits */
    machine->work_end = 2000;
    assert_true(sch_exec_look(machine, in->number, 0, 50));
    assert_true(machine->group.stop_at == 2000);
    a->job.deadline = UINT64_MAX;
    assert_true(sch_exec_look(machine, in->number, 0, 50));
    assert_true(machine->group.stop_at == 1050);
    a->job.deadline = 0;
    a->job.cancel = &flag;
    assert_true(sch_exec_look(machine, in->number, 0, 1000));
    assert_true(machine->group.stop_at == 2000);
    assert_true(sch_exec_look(machine, in->number, 0, 1001));
    assert_true(machine->group.stop_at == 2000);
    assert_true(sch_exec_look(machine, in->number, 0, 999));
    assert_true(machine->group.stop_at == 1999);
    flag = 1;
    assert_false(sch_exec_look(machine, in->number, 0xf0, 50));
    assert_int_equal(machine->group.failure, SCH_ERROR_CANCELLED);
    assert_int_equal(machine->failed_lane, 4);
    assert_int_equal(machine->failed_instruction, 1);
    a->job.deadline = 1; /* the flag is first */
    assert_false(sch_exec_look(machine, in->number, 0, 50));
    assert_int_equal(machine->group.failure, SCH_ERROR_CANCELLED);
    assert_int_equal(machine->failed_lane, 0);
    flag = 0;
    assert_false(sch_exec_look(machine, in->number, 0, 50));
    assert_int_equal(machine->group.failure, SCH_ERROR_DEADLINE);
    assert_int_equal(sch_exec_stopped(&a->job), SCH_ERROR_DEADLINE);
    a->job.deadline = UINT64_MAX;
    assert_int_equal(sch_exec_stopped(&a->job), SCH_OK);

    /* Those below this thread, and it itself, count; those above do not. */
    atomic_ullong progress[3] = {300, 7, 1 << 20};
    a->job.cancel = NULL;
    a->job.deadline = 0;
    a->job.progress = progress;
    machine->part = 1;
    for (uint64_t work = 1299; work <= 1301; work++) {
        a->job.work = work;
        machine->group.failure = SCH_OK;
        assert_int_equal(sch_exec_look(machine, in->number, 0, 50), work >= 1300);
        assert_int_equal(machine->group.failure, work >= 1300 ? SCH_OK : SCH_ERROR_WORK);
        assert_true(progress[1] == 1000);
        if (work >= 1300) assert_true(machine->group.stop_at == 1050);
    }

    /* The end of the work comes before the look. */
    a->job.progress = NULL;
    machine->group.executed = machine->work_end - 1;
    assert_true(sch_exec_may_go_on(machine, in->number));
    machine->group.executed = machine->work_end;
    machine->group.exec = 8;
    assert_false(sch_exec_may_go_on(machine, in->number));
    assert_int_equal(machine->group.failure, SCH_ERROR_WORK);
    assert_int_equal(machine->failed_lane, 3);
    end_alone(a);
}

/* Memory is cleared in pieces, each of which counts as an instruction for 32 bytes. */
static void clearing_looks_now_and_then(void **state)
{
    (void)state;
    enum { PIECE = 1 << 20, BYTES = 3 * PIECE + 64 };
    struct alone *a = make_alone("VERT\nNOP\nEND\n");
    struct sch_exec_machine *machine = &a->machine;
    uint8_t *memory = malloc(BYTES + 64);
    uint32_t flag = 1;
    assert_non_null(memory);
    memset(memory, 0xee, BYTES + 64);
    machine->group.executed = 10;
    machine->group.stop_at = 1 << 20;
    assert_true(sch_exec_clear(machine, memory, BYTES));
    assert_true(machine->group.stop_at == (1 << 20) - BYTES / 32);
    for (size_t i = 0; i < BYTES; i++) assert_int_equal(memory[i], 0);
    for (size_t i = BYTES; i < BYTES + 64; i++) assert_int_equal(memory[i], 0xee);
    /* The second piece brings the look. */
    memset(memory, 0xee, BYTES);
    a->job.cancel = &flag;
    machine->group.stop_at = 10 + PIECE / 32 + 1;
    assert_false(sch_exec_clear(machine, memory, BYTES));
    assert_int_equal(machine->group.failure, SCH_ERROR_CANCELLED);
    assert_int_equal(machine->failed_instruction, 0);
    assert_int_equal(memory[2 * PIECE - 1], 0);
    assert_int_equal(memory[2 * PIECE], 0xee);
    /* Where the work ends, nobody looks: engines do. */
    machine->group.failure = SCH_OK;
    machine->group.stop_at = machine->work_end = 10;
    assert_true(sch_exec_clear(machine, memory, BYTES));
    assert_int_equal(machine->group.failure, SCH_OK);
    machine->group.stop_at = 11;
    machine->work_end = 11;
    assert_false(sch_exec_clear(machine, memory, PIECE));
    flag = 0;
    machine->group.stop_at = 0;
    assert_true(sch_exec_clear(machine, memory, PIECE));
    free(memory);
    end_alone(a);
}

static void the_clock_is_monotonic_time(void **state)
{
    (void)state;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    const uint64_t now = sch_clock_ns();
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_in_range(now, (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec,
                    (uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
}

/* Counters: four bytes each, those that cannot be are outside of everything. Sizes are told as far as a word can. */
static void numbers_at_their_ends(void **state)
{
    (void)state;
    static const struct {
        int64_t index;
        uint32_t address;
    } rows[] = {{0, 0},
                {1, 4},
                {-1, UINT32_MAX},
                {INT64_MIN, UINT32_MAX},
                {0x3ffffffe, 0xfffffff8},
                {0x3fffffff, UINT32_MAX},
                {0x40000000, UINT32_MAX}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(sch_prepared_counter_address(rows[i].index), rows[i].address);
    static const uint64_t bytes[] = {0, 1, UINT32_MAX - 1, UINT32_MAX, UINT32_MAX + UINT64_C(1), UINT64_MAX};
    for (size_t i = 0; i < COUNT(bytes); i++) {
        const struct sch_memory_view view = {.bytes = bytes[i]};
        assert_int_equal(sch_exec_memory_size(&view), bytes[i] < UINT32_MAX ? bytes[i] : UINT32_MAX);
    }
    /* Constants word by word: only whole words that are there. */
    static const uint32_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t size = 0; size <= 32; size++) {
        const struct sch_constant_buffer buffers[] = {{NULL, 0}, {words, size}, {words, 32}};
        const struct sch_exec_bindings bindings = {.constants = buffers, .constant_count = 2};
        for (unsigned n = 0; n < 12; n++)
            assert_int_equal(sch_exec_constant_word(&bindings, 1, n / 4, n % 4), n < size / 4 ? n + 1 : 0);
        assert_int_equal(sch_exec_constant_word(&bindings, 1, -1, 3), 0);
        assert_int_equal(sch_exec_constant_word(&bindings, -1, 0, 0), 0);
        assert_int_equal(sch_exec_constant_word(&bindings, 0, 0, 0), 0);
        assert_int_equal(sch_exec_constant_word(&bindings, 2, 0, 0), 0);
        assert_int_equal(sch_exec_constant_word(NULL, 1, 0, 0), 0);
    }
}

/* ---- streams ---- */

/* What is emitted, event by event, and that nothing beside is written. */
static void events_fill_their_part(void **state)
{
    (void)state;
    enum { ROOM = 5, EVENT_REGISTERS = 3 };
    static const char text[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], POSITION\n"
        "DCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 1, 3, 4}\nIMM[1] UINT32 {4294967295, 7, 8, 9}\n"
        "MOV OUT[0], SV[0].xxxx\nMOV OUT[1], IMM[1]\n"
        "ENDPRIM IMM[0].xxxx\nEMIT IMM[0].xxxx\nEMIT IMM[0].wwww\nEMIT IMM[1].xxxx\nENDPRIM IMM[0].yyyy\n"
        "EMIT IMM[0].zzzz\nENDPRIM IMM[0].wwww\nENDPRIM IMM[0].zzzz\nENDPRIM IMM[0].zzzz\nENDPRIM IMM[0].xxxx\n"
        "EMIT IMM[0].yyyy\nEMIT IMM[0].yyyy\nENDPRIM IMM[0].yyyy\nEND\n";
    /* VERTEX 0, VERTEX 3, END 3, END 0, VERTEX 1 (the third and last), END 1: six, of which five have room. */
    static const uint32_t wanted[] = {0, 3, 256 + 3, 256, 1};
    static uint32_t events[41][ROOM], counts[41], outputs[41][ROOM][EVENT_REGISTERS][4];
    struct sch_exec_program *program = exec_program(text, NULL);
    struct sch_invocations given = {.count = 40,
                                    .event_capacity = ROOM,
                                    .event_registers = EVENT_REGISTERS,
                                    .events = events[0],
                                    .event_counts = counts,
                                    .event_outputs = outputs[0][0][0]};
    for (unsigned with = 0; with < 2; with++) {
        memset(events, 0xee, sizeof events);
        memset(counts, 0xee, sizeof counts);
        memset(outputs, 0xee, sizeof outputs);
        given.event_outputs = with ? outputs[0][0][0] : NULL;
        assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
        for (unsigned i = 0; i < 41; i++) {
            assert_int_equal(counts[i], i < 40 ? 6 : 0xeeeeeeee);
            for (unsigned e = 0; e < ROOM; e++) {
                assert_int_equal(events[i][e], i < 40 ? wanted[e] : 0xeeeeeeee);
                for (unsigned w = 0; w < EVENT_REGISTERS * 4; w++) {
                    const uint32_t vertex = w < 4 ? i % 32 : w == 4 ? UINT32_MAX : w < 8 ? w + 2 : 0;
                    const uint32_t word = i == 40 || !with ? 0xeeeeeeee : wanted[e] < 256 ? vertex : 0;
                    assert_int_equal(outputs[i][e][w / 4][w % 4], word);
                }
            }
        }
    }
    given.events = NULL; /* counts alone */
    memset(counts, 0, sizeof counts);
    assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
    assert_int_equal(counts[39], 6);
    given.event_counts = NULL;
    assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
    sch_exec_destroy(program);
}

/* ---- patches ---- */

/* Outputs of a patch of three: what lanes write to which vertex; numbers that are none; the last lane wins. */
static void patches_have_ends(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint32_t own[3][3], patch; /* x of OUT[0] and OUT[3] by lane for each row; of OUT[1] */
    } rows[] = {
        /* TEMP[0].x: 10 + lane. ADDR[0]: lane - 1, lane, lane + 1, lane + 2. */
        {"MOV OUT[ADDR[0].x][0].x, TEMP[0]\n", {{11, 12, 0}}, 0},
        {"MOV OUT[ADDR[0].y][0].x, TEMP[0]\n", {{10, 11, 12}}, 0},
        {"MOV OUT[ADDR[0].z][0].x, TEMP[0]\n", {{0, 10, 11}}, 0},
        {"MOV OUT[ADDR[0].w][0].x, TEMP[0]\n", {{0, 0, 10}}, 0},
        {"MOV OUT[0][0].x, TEMP[0]\n", {{12, 0, 0}}, 0},
        {"MOV OUT[2][0].x, TEMP[0]\n", {{0, 0, 12}}, 0},
        {"MOV OUT[32][0].x, TEMP[0]\nMOV OUT[0].x, OUT[0].yyyy\n", {{0, 0, 0}}, 0},
        {"MOV OUT[ADDR[0].y-32][0].y, TEMP[0]\n", {{0, 0, 0}}, 0},
        {"MOV OUT[3][0].x, TEMP[0]\n", {{0, 0, 0}}, 0},
        {"MOV OUT[1].x, TEMP[0]\n", {{0, 0, 0}}, 12},
        {"MOV OUT[5][1].x, TEMP[0]\n", {{0, 0, 0}}, 12},       /* of the patch, whatever the vertex */
        {"MOV OUT[ADDR[0].y].x, TEMP[0]\n", {{10, 0, 0}}, 11}, /* OUT[0] of lane 0, OUT[1], OUT[2] of lane 2 */
        {"MOV OUT[ADDR[0].z].x, TEMP[0]\n", {{0, 0, 0}}, 10},
        {"MOV OUT[ADDR[0].x].x, TEMP[0]\n", {{0, 11, 0}}, 12},
        {"MOV OUT[0].x, TEMP[0]\nMOV OUT[0].x, OUT[ADDR[0].x][0]\n", {{0, 10, 11}}, 0},
        {"MOV OUT[0].x, TEMP[0]\nMOV OUT[0].x, OUT[ADDR[0].z][0]\n", {{11, 12, 0}}, 0},
        {"MOV OUT[0].x, TEMP[0]\nMOV OUT[0].x, OUT[ADDR[0].w][0]\n", {{12, 0, 0}}, 0},
        {"MOV OUT[0].x, TEMP[0]\nMOV OUT[2].x, TEMP[0]\nMOV OUT[0].x, OUT[1][ADDR[0].x]\n", {{0, 11, 0}}, 0},
        {"MOV OUT[1].x, TEMP[0]\nMOV OUT[0].x, OUT[0][ADDR[0].z]\n", {{12, 0, 0}}, 12},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        char text[1024];
        uint32_t outputs[3][3][4];
        snprintf(text, sizeof text,
                 "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\n"
                 "DCL OUT[1], PATCH\nDCL OUT[2], GENERIC[0]\nDCL TEMP[0]\nDCL ADDR[0]\n"
                 "IMM[0] INT32 {-1, 0, 1, 2}\nIMM[1] UINT32 {10, 0, 0, 0}\nUADD TEMP[0], SV[0].xxxx, IMM[0]\n"
                 "UARL ADDR[0], TEMP[0]\nUADD TEMP[0], SV[0].xxxx, IMM[1].xxxx\n%sEND\n",
                 rows[r].body);
        struct sch_exec_program *program = exec_program(text, NULL);
        const struct sch_invocations given = {.count = 3, .outputs = outputs[0][0], .output_registers = 3};
        assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
        sch_exec_destroy(program);
        for (unsigned i = 0; i < 3; i++) {
            if (outputs[i][0][0] != rows[r].own[0][i] || outputs[i][1][0] != rows[r].patch)
                fail_msg("%slane %u: %u, of the patch %u", rows[r].body, i, outputs[i][0][0], outputs[i][1][0]);
        }
    }
}

/* Helpers write what is theirs alone: not the patch's, not another vertex's. */
static void helpers_of_patches(void **state)
{
    (void)state;
    uint32_t outputs[3][2][4];
    const uint8_t helpers[3] = {0, 0, 1};
    struct sch_exec_program *program =
        exec_program("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\n"
                     "DCL OUT[1], PATCH\nDCL TEMP[0]\nDCL ADDR[0]\nIMM[0] INT32 {10, -1, 0, 0}\n"
                     "UADD TEMP[0], SV[0].xxxx, IMM[0]\nUARL ADDR[0], TEMP[0]\nMOV OUT[1].x, TEMP[0]\n"
                     "MOV OUT[ADDR[0].y][0].x, TEMP[0]\nMOV OUT[ADDR[0].z][0].y, TEMP[0].xxxx\nEND\n",
                     NULL);
    const struct sch_invocations given = {
        .count = 3, .helpers = helpers, .outputs = outputs[0][0], .output_registers = 2};
    assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
    static const uint32_t x[] = {11, 0, 0};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(outputs[i][1][0], 11);
        assert_int_equal(outputs[i][0][0], x[i]);
        assert_int_equal(outputs[i][0][1], 10 + i);
    }
    sch_exec_destroy(program);
}

/* Of helpers ABORT ends the lane, of others the run. */
static void helpers_abort_alone(void **state)
{
    (void)state;
    uint32_t outputs[8][1][4];
    uint8_t helpers[8] = {0, 1, 0, 0, 0, 1, 1, 0};
    struct sch_exec_program *program = exec_program(
        "FRAG\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 5, 6, 7}\n"
        "USEQ TEMP[0], SV[0].xxxx, IMM[0]\nUIF TEMP[0].xxxx\nABORT\nENDIF\nUIF TEMP[0].yyyy\nABORT\nENDIF\n"
        "UIF TEMP[0].zzzz\nABORT\nENDIF\nUADD OUT[0].x, SV[0].xxxx, IMM[0].xxxx\nEND\n",
        NULL);
    const struct sch_invocations given = {
        .count = 8, .quads = true, .helpers = helpers, .outputs = outputs[0][0], .output_registers = 1};
    struct sch_run_report report;
    assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, &report), SCH_OK);
    for (unsigned i = 0; i < 8; i++)
        if (!helpers[i]) assert_int_equal(outputs[i][0][0], i + 1);
    helpers[6] = 0;
    assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, &report), SCH_ERROR_ABORTED);
    assert_int_equal(report.invocation, 6);
    assert_int_equal(report.instruction, 8);
    sch_exec_destroy(program);
}

/* Rows, layers and samples of raw textures end; level 0 may be missing. */
static void raw_texels_end(void **state)
{
    (void)state;
    static uint32_t texels[64];
    static const struct {
        const char *target;
        uint8_t number;
        uint32_t layers, samples, y, layer, sample;
        bool there;
    } rows[] = {{"2D", SCH_TARGET_2D, 1, 1, 2, 0, 0, true},
                {"2D", SCH_TARGET_2D, 1, 1, 3, 0, 0, false},
                {"2D_ARRAY", SCH_TARGET_2D_ARRAY, 2, 1, 0, 1, 0, true},
                {"2D_ARRAY", SCH_TARGET_2D_ARRAY, 2, 1, 0, 2, 0, false},
                {"2D_MSAA", SCH_TARGET_2D_MSAA, 1, 4, 0, 0, 3, true},
                {"2D_MSAA", SCH_TARGET_2D_MSAA, 1, 4, 0, 0, 4, false},
                {"1D", SCH_TARGET_1D, 1, 1, 7, 7, 7, true}};
    for (unsigned i = 0; i < 64; i++) texels[i] = 1000 + i;
    for (size_t r = 0; r < COUNT(rows); r++)
        for (unsigned how = 0; how < 3; how++) {
            char text[512];
            uint32_t outputs[4];
            struct sch_texture texture = {
                .levels = 1, .layers = rows[r].layers, .samples = rows[r].samples, .min_lod = how == 1 ? 1.0f : 0.0f};
            texture.level[0] = (struct sch_texture_level){.texels = (uint8_t *)texels,
                                                          .width = 1,
                                                          .height = rows[r].number == SCH_TARGET_1D ? 1 : 3,
                                                          .depth = 1,
                                                          .row_bytes = 4,
                                                          .slice_bytes = 12};
            const struct sch_exec_image image = {how == 2 ? NULL : &texture, SCH_FORMAT_R32_UINT, rows[r].number,
                                                 SCH_RULES_TGSI, true};
            const struct sch_exec_bindings bindings = {.images = &image, .image_count = 1};
            snprintf(text, sizeof text,
                     "VERT\nDCL IMAGE[0], %s, PIPE_FORMAT_R32_UINT, RAW\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0]\n"
                     "IMM[0] UINT32 {0, %u, %u, %u}\nLOAD TEMP[0], IMAGE[0], IMM[0], %s\nMOV OUT[0], TEMP[0]\nEND\n",
                     rows[r].target, rows[r].y, rows[r].layer, rows[r].sample, rows[r].target);
            struct sch_exec_program *program = exec_program(text, NULL);
            const struct sch_invocations given = {.count = 1, .outputs = outputs, .output_registers = 1};
            assert_int_equal(sch_run_invocations(program, &bindings, &given, NULL, NULL), SCH_OK);
            sch_exec_destroy(program);
            const bool flat = rows[r].number == SCH_TARGET_1D;
            const uint32_t at = flat ? 0 : rows[r].y + 3 * (rows[r].layer * rows[r].samples + rows[r].sample);
            const uint32_t wanted = rows[r].there && !how ? 1000 + at : 0;
            if (outputs[0] != wanted) fail_msg("row %zu, %u: %u, not %u", r, how, outputs[0], wanted);
            assert_int_equal(outputs[1], 0);
        }
}

/* Heat: texels of every lookup, levels of detail of those that filter; of lanes that ask. */
static void heat_is_of_lanes_that_ask(void **state)
{
    (void)state;
    static const struct {
        const char *lookup;
        uint32_t texels;
        float lod;
    } rows[] = {{"TXF TEMP[0], IMM[0].xxxx, SAMP[1], 2D", 1, -128},
                {"TEX_LZ TEMP[0], IMM[0].xxxx, SAMP[1], 2D", 1, 0},
                {"TXQ TEMP[0], IMM[0].xxxx, SAMP[1], 2D", 0, -128},
                {"TEX_LZ TEMP[0], IMM[0].xxxx, SAMP[5], 2D", 0, -128}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        char text[512];
        uint32_t texels[9];
        float lods[9];
        fill_world();
        snprintf(text, sizeof text,
                 "VERT\nDCL SV[0], SUBGROUP_INVOCATION\nDCL SAMP[0..5]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
                 "AND TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\n%s\nENDIF\nEND\n",
                 rows[r].lookup);
        struct sch_exec_program *program = exec_program(text, NULL);
        memset(texels, 0xee, sizeof texels);
        memset(lods, 0xee, sizeof lods);
        const struct sch_invocations given = {.count = 8, .texels_read = texels, .greatest_lods = lods};
        assert_int_equal(sch_run_invocations(program, &world.bindings, &given, NULL, NULL), SCH_OK);
        sch_exec_destroy(program);
        for (unsigned i = 0; i < 8; i++)
            if (texels[i] != (i & 1 ? rows[r].texels : 0) || lods[i] != (i & 1 ? rows[r].lod : -128.0f))
                fail_msg("%s, lane %u: %u texels, %g", rows[r].lookup, i, texels[i], (double)lods[i]);
        assert_int_equal(texels[8], 0xeeeeeeee);
    }
}

/* ---- samples ---- */

/* Interpolation at a sample reads x of its operand, at an offset x and y; constant inputs do not care how far. */
static void inputs_are_interpolated_at_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float wanted;
    } rows[] = {{"INTERP_SAMPLE OUT[0], IN[0], IMM[0]\n", 100 - 0.25f * 8 - 0.25f * 64},
                {"INTERP_SAMPLE OUT[0], IN[0], IMM[0].yxxx\n", 100 + 0.25f * 8 + 0.25f * 64},
                {"INTERP_OFFSET OUT[0], IN[0], IMM[1]\n", 100 + 0.5f * 8 + 0.25f * 64},
                {"INTERP_OFFSET OUT[0], IN[0], IMM[1].yxxx\n", 100 + 0.25f * 8 + 0.5f * 64},
                {"INTERP_CENTROID OUT[0], IN[0]\n", 100 + 1.0f * 8 - 2.0f * 64},
                {"INTERP_OFFSET OUT[0], IN[1], IMM[1].zxxx\n", 100},
                {"INTERP_OFFSET OUT[0], IN[1], IMM[1].xzxx\n", 100},
                {"INTERP_OFFSET OUT[0], IN[1], IMM[1].zzxx\n", 100}};
    static uint32_t planes[33][2][4][4], centroids[33][2], outputs[33][4];
    for (unsigned i = 0; i < 33; i++) {
        centroids[i][0] = bits(1.0f);
        centroids[i][1] = bits(-2.0f);
        for (unsigned r = 0; r < 2; r++) {
            planes[i][r][0][0] = bits(100.0f);
            planes[i][r][1][0] = bits(8.0f);
            planes[i][r][2][0] = bits(64.0f);
        }
    }
    for (size_t r = 0; r < COUNT(rows); r++) {
        char text[512];
        snprintf(text, sizeof text,
                 "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[1], CONSTANT\nDCL OUT[0], COLOR\n"
                 "IMM[0] UINT32 {1, 0, 0, 0}\nIMM[1] UINT32 {1056964608, 1048576000, 2139095040, 0}\n%sEND\n",
                 rows[r].text);
        struct sch_exec_program *program = exec_program(text, NULL);
        const struct sch_invocations given = {.count = 33,
                                              .samples = 2,
                                              .planes = planes[0][0][0],
                                              .plane_registers = 2,
                                              .centroids = centroids[0],
                                              .outputs = outputs[0],
                                              .output_registers = 1};
        assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
        sch_exec_destroy(program);
        for (unsigned i = 0; i < 33; i++)
            if (outputs[i][0] != bits(rows[r].wanted))
                fail_msg("%slane %u: %08x, not %g", rows[r].text, i, outputs[i][0], (double)rows[r].wanted);
    }
}

/* SAMPLEPOS and INTERP_SAMPLE: positions in 1/16 from the corner, by the sample that SAMPLEID says. */
static void samples_have_places(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL SV[0], SAMPLEPOS\nDCL SV[1], FACE\n"
                               "DCL SV[2], SAMPLEID\nDCL SV[3], SAMPLEMASK\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n"
                               "MOV OUT[0], SV[0]\nMOV OUT[1], SV[3]\nEND\n";
    static const struct {
        uint32_t samples;
        bool given;
        uint32_t id;
        float x, y;
        uint32_t mask;
    } rows[] = {
        {0, true, 0, 0.5f, 0.5f, 1},          {1, true, 0, 0.5f, 0.5f, 1},      {2, true, 0, 0.75f, 0.75f, 3},
        {2, true, 1, 0.25f, 0.25f, 3},        {4, true, 0, 0.375f, 0.125f, 15}, {4, true, 3, 0.625f, 0.875f, 15},
        {4, false, 3, 0.375f, 0.125f, 15},    {4, true, 4, 0.5f, 0.5f, 15},     {8, true, 7, 0.9375f, 0.0625f, 255},
        {16, true, 15, 0.0625f, 0.0f, 65535}, {3, true, 1, 0.5f, 0.5f, 7}};
    struct sch_exec_program *program = exec_program(text, NULL);
    for (size_t r = 0; r < COUNT(rows); r++) {
        uint32_t outputs[35][2][4], values[35][3][4];
        memset(values, 0, sizeof values);
        for (unsigned i = 0; i < 35; i++) {
            values[i][2][0] = rows[r].id;
            values[i][1][0] = 1; /* FACE, before it */
            values[i][0][0] = 77;
        }
        const uint8_t there[3] = {0, 1, rows[r].given};
        const struct sch_invocations given = {.count = 35,
                                              .samples = rows[r].samples,
                                              .system_values = values[0][0],
                                              .system_value_registers = 3,
                                              .system_value_given = there,
                                              .outputs = outputs[0][0],
                                              .output_registers = 2};
        assert_int_equal(sch_run_invocations(program, NULL, &given, NULL, NULL), SCH_OK);
        for (unsigned i = 0; i < 35; i++) {
            const uint32_t wanted[4] = {bits(rows[r].x), bits(rows[r].y), 0, 0};
            if (memcmp(outputs[i][0], wanted, sizeof wanted) != 0)
                fail_msg("row %zu, lane %u: %08x %08x", r, i, outputs[i][0][0], outputs[i][0][1]);
            assert_int_equal(outputs[i][1][0], rows[r].mask);
        }
    }
    sch_exec_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_there_is_named),
        cmocka_unit_test(only_what_is_there_is_written),
        cmocka_unit_test(shaders_compute_this),
        cmocka_unit_test(absent_lanes_hold_nothing),
        cmocka_unit_test(helpers_end_with_their_budget),
        cmocka_unit_test(clocks_have_two_words),
        cmocka_unit_test(counted_code_runs_out),
        cmocka_unit_test(looks_are_taken),
        cmocka_unit_test(clearing_looks_now_and_then),
        cmocka_unit_test(the_clock_is_monotonic_time),
        cmocka_unit_test(numbers_at_their_ends),
        cmocka_unit_test(events_fill_their_part),
        cmocka_unit_test(patches_have_ends),
        cmocka_unit_test(helpers_of_patches),
        cmocka_unit_test(helpers_abort_alone),
        cmocka_unit_test(raw_texels_end),
        cmocka_unit_test(heat_is_of_lanes_that_ask),
        cmocka_unit_test(inputs_are_interpolated_at_places),
        cmocka_unit_test(samples_have_places),
    };
    return cmocka_run_group_tests_name("corners", tests, NULL, NULL);
}
