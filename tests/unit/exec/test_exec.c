/* Execution, case by case: indexed operands, the order of reads and writes, masks, helpers, budgets, constants, inputs,
 * system values, lanes, threads, refusals, memory. What operations compute is tested elsewhere (test_opcodes.c), random
 * control flow in test_flow_torture.c. Every case runs at every width. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/exec_program.h"
#include "../support/pool_of_tests.h"
#include "exec/exec.h"
#include "exec/program.h"
#include "ir/check.h"
#include "isa/errors.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

enum { MOST_LANES = 200, REGISTERS = 4 };

/* What a case gives and gets. */
struct setup {
    const char *text;
    struct sch_invocations invocations;
    struct sch_exec_bindings bindings;
    struct sch_run_options options;
    uint32_t inputs[MOST_LANES][REGISTERS][4];
    uint32_t outputs[MOST_LANES][REGISTERS][4];
    uint8_t killed[MOST_LANES];
    struct sch_run_report report;
};

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static struct sch_exec_program *make_program(const char *text, unsigned width)
{
    struct sch_ir_shader *shader = checked_shader(text);
    struct sch_exec_program *program;
    struct sch_exec_options options = {.lanes = width};
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    enum sch_result status = sch_exec_create(shader, &options, &sch_allocator_libc, &list, &program);
    if (status != SCH_OK) fail_msg("create: %d %s", status, list.count ? list.items[0].message : "");
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return program;
}

static struct setup *new_setup(const char *text, uint32_t count)
{
    struct setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->text = text;
    s->invocations = (struct sch_invocations){.count = count,
                                              .inputs = s->inputs[0][0],
                                              .input_registers = REGISTERS,
                                              .outputs = s->outputs[0][0],
                                              .output_registers = REGISTERS,
                                              .killed = s->killed};
    return s;
}

static enum sch_result run_width(struct setup *s, unsigned width)
{
    struct sch_exec_program *program = make_program(s->text, width);
    memset(s->outputs, 0xee, sizeof s->outputs);
    enum sch_result status = sch_run_invocations(program, &s->bindings, &s->invocations, &s->options, &s->report);
    sch_exec_destroy(program);
    return status;
}

/* For each width: run, then the case's checks. */
#define EACH_WIDTH(setup)                                                                                              \
    for (unsigned width = 4; width <= 16 && (assert_int_equal(run_width(setup, width), SCH_OK), true); width *= 2)

/* ---- indexed operands ---- */

static void indexed_sources(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
                  "IMM[0] UINT32 {10, 11, 12, 13}\nIMM[1] UINT32 {20, 21, 22, 23}\n"
                  "MOV TEMP[1], IMM[0]\nMOV TEMP[2], IMM[1]\nUARL ADDR[0].x, IN[0].xxxx\n"
                  "MOV OUT[0], TEMP[ADDR[0].x+1].wzyx\nEND\n",
                  40);
    static const uint32_t index[8] = {0, 1, 2, (uint32_t)-1, (uint32_t)-2, 3, 0x7fffffff, 0x80000000};
    for (unsigned i = 0; i < 40; i++) s->inputs[i][0][0] = index[i % 8];
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 40; i++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t at = index[i % 8], expected = at == 0 ? 13 - c : at == 1 ? 23 - c : 0;
            assert_int_equal(s->outputs[i][0][c], expected);
        }
    /* All lanes name the same register. */
    for (unsigned i = 0; i < 40; i++) s->inputs[i][0][0] = 1;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 40; i++) assert_int_equal(s->outputs[i][0][0], 23);
    free(s);
}

static void indexed_destinations(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..1], COLOR\nDCL TEMP[0..1], ARRAY(1), LOCAL\n"
                  "DCL ADDR[0]\nIMM[0] UINT32 {7, 8, 9, 10}\nUARL ADDR[0].x, IN[0].xxxx\n"
                  "MOV TEMP[ADDR[0].x](1).xz, IMM[0]\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]\nEND\n",
                  33);
    static const uint32_t index[4] = {0, 1, 2, 0xffffffff};
    for (unsigned i = 0; i < 33; i++) s->inputs[i][0][0] = index[i % 4];
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 33; i++)
        for (unsigned r = 0; r < 2; r++) {
            bool hit = index[i % 4] == r;
            assert_int_equal(s->outputs[i][r][0], hit ? 7 : 0);
            assert_int_equal(s->outputs[i][r][1], 0);
            assert_int_equal(s->outputs[i][r][2], hit ? 9 : 0);
            assert_int_equal(s->outputs[i][r][3], 0);
        }
    free(s);
}

/* The index register is read before the same instruction overwrites it. */
static void index_overwritten(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] UINT32 {1, 3, 2, 0}\n"
                  "MOV TEMP[1], IMM[0].yzxw\nUARL ADDR[0], IMM[0].xxxx\nUARL ADDR[0], TEMP[ADDR[0].x]\n"
                  "MOV TEMP[0].x, ADDR[0].xxxx\nMOV TEMP[0].y, ADDR[0].yyyy\nMOV TEMP[0].z, ADDR[0].zzzz\n"
                  "MOV OUT[0], TEMP[0]\nEND\n",
                  32);
    EACH_WIDTH(s)
    {
        assert_int_equal(s->outputs[5][0][0], 3);
        assert_int_equal(s->outputs[5][0][1], 2);
        assert_int_equal(s->outputs[5][0][2], 1);
    }
    free(s);
}

/* ---- reads before writes ---- */

static void aliasing(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nDCL TEMP[0..3]\n"
                                "MOV TEMP[0], IN[0]\nMOV TEMP[0], TEMP[0].yxwz\nMOV OUT[0], TEMP[0]\n"
                                "MOV TEMP[1], IN[0]\nUADD TEMP[1].xyz, TEMP[1].zzxx, TEMP[1]\nMOV OUT[1], TEMP[1]\n"
                                "MOV TEMP[2], IN[0]\nDP4 TEMP[2].yz, TEMP[2], TEMP[2].wzyx\nMOV OUT[2], TEMP[2]\n"
                                "MOV TEMP[3], IN[0]\nDST TEMP[3], TEMP[3].wzyx, TEMP[3]\nMOV OUT[3], TEMP[3]\nEND\n",
                                64);
    for (unsigned lanes = 64; lanes >= 63; lanes--) { /* 63: the last group runs under a mask */
        s->invocations.count = lanes;
        for (unsigned i = 0; i < lanes; i++)
            for (unsigned c = 0; c < 4; c++) s->inputs[i][0][c] = bits((float)(1 + c));
        EACH_WIDTH(s)
        for (unsigned i = 0; i < lanes; i++) {
            const uint32_t *in = s->inputs[i][0];
            const uint32_t swapped[4] = {in[1], in[0], in[3], in[2]};
            const uint32_t added[4] = {in[2] + in[0], in[2] + in[1], in[0] + in[2], in[3]};
            const uint32_t dot = bits(1 * 4 + 2 * 3 + 3 * 2 + 4 * 1), dotted[4] = {in[0], dot, dot, in[3]};
            const uint32_t distance[4] = {bits(1), bits(3 * 2), bits(2), bits(4)};
            assert_memory_equal(s->outputs[i][0], swapped, sizeof swapped);
            assert_memory_equal(s->outputs[i][1], added, sizeof added);
            assert_memory_equal(s->outputs[i][2], dotted, sizeof dotted);
            assert_memory_equal(s->outputs[i][3], distance, sizeof distance);
        }
    }
    free(s);
}

/* Lanes that do not execute keep their registers, at full and at partial write masks. */
static void masked_writes(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                  "IMM[0] UINT32 {1, 2, 3, 4}\nMOV TEMP[0], IN[0]\nUIF IN[0].xxxx\n"
                  "MOV TEMP[0].yw, IMM[0]\nELSE\nUADD TEMP[0].xz, IMM[0], IMM[0]\nENDIF\nMOV OUT[0], TEMP[0]\nEND\n",
                  45);
    for (unsigned i = 0; i < 45; i++) {
        s->inputs[i][0][0] = i % 3;
        for (unsigned c = 1; c < 4; c++) s->inputs[i][0][c] = 100 + c;
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 45; i++) {
        const uint32_t then[4] = {i % 3, 2, 102, 4}, otherwise[4] = {2, 101, 6, 103};
        assert_memory_equal(s->outputs[i][0], i % 3 ? then : otherwise, sizeof then);
    }
    free(s);
}

static void registers_start_at_zero(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..2], COLOR\nDCL TEMP[0]\nDCL ADDR[0]\n"
                  "UADD TEMP[0], TEMP[0], IN[0]\nMOV OUT[0], TEMP[0]\nUADD OUT[1], OUT[1], IN[0]\n"
                  "UARL ADDR[0].y, IN[0].xxxx\nUIF IN[0].xxxx\nMOV OUT[2], IN[0]\nENDIF\nEND\n",
                  96);
    for (unsigned i = 0; i < 96; i++) s->inputs[i][0][0] = i & 1;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 96; i++)
        for (unsigned r = 0; r < REGISTERS; r++)
            assert_int_equal(s->outputs[i][r][0], r < 3 ? i & 1 : 0); /* OUT[3] does not exist: 0 */
    free(s);
}

/* ---- modifiers, saturation, rules ---- */

static void modifiers(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                  "ADD_SAT OUT[0], IN[0], -|IN[1]|\nUADD OUT[1], -IN[0], IMM[0]\nDADD_SAT OUT[2], -IN[1], IMM[0]\n"
                  "MOV OUT[3], -IN[0]\nEND\n",
                  32);
    uint32_t in0[4] = {bits(2.0f), bits(1.25f), bits(0.5f), 0x7fc12345}, in1[4] = {0, 0xbfe00000, 0, 0x40080000};
    for (unsigned i = 0; i < 32; i++) {
        memcpy(s->inputs[i][0], in0, sizeof in0);
        memcpy(s->inputs[i][1], in1, sizeof in1);
    }
    EACH_WIDTH(s)
    {
        assert_int_equal(s->outputs[9][0][0], bits(1.0f));      /* 2 - 0 */
        assert_int_equal(s->outputs[9][0][1], 0);               /* 1.25 - 1.75 */
        assert_int_equal(s->outputs[9][0][2], bits(0.5f));      /* 0.5 - 0 */
        assert_int_equal(s->outputs[9][0][3], 0);               /* NaN */
        assert_int_equal(s->outputs[9][1][0], 0u - bits(2.0f)); /* as an integer */
        assert_int_equal(s->outputs[9][2][1], 0x3fe00000);      /* 0.5 */
        assert_int_equal(s->outputs[9][2][3], 0);               /* -3 */
        assert_int_equal(s->outputs[9][3][0], bits(-2.0f));     /* MOV moves floats */
    }
    free(s);
}

static void legacy_rules(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nPROPERTY LEGACY_MATH_RULES 1\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                  "MUL OUT[0], IN[0].xxxx, IN[0].yyyy\nEND\n",
                  8);
    for (unsigned i = 0; i < 8; i++) s->inputs[i][0][1] = 0x7f800000;
    EACH_WIDTH(s) assert_int_equal(s->outputs[3][0][0], 0);
    s->text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0].xxxx, IN[0].yyyy\nEND\n";
    EACH_WIDTH(s) assert_int_equal(s->outputs[3][0][0], 0x7fc00000);
    free(s);
}

/* A fused MAD and a precise one differ in the last place. */
static void precise_rule(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..1], COLOR\n"
                                "MAD OUT[0], IN[0].xxxx, IN[0].yyyy, IN[0].zzzz\n"
                                "MAD_PRECISE OUT[1], IN[0].xxxx, IN[0].yyyy, IN[0].zzzz\nEND\n",
                                32);
    for (unsigned i = 0; i < 32; i++) {
        s->inputs[i][0][0] = s->inputs[i][0][1] = 0x3f800001; /* 1 + 2^-23, squared 1 + 2^-22 + 2^-46 */
        s->inputs[i][0][2] = 0xbf800002;
    }
    EACH_WIDTH(s)
    {
        assert_int_equal(s->outputs[0][0][0], bits(0x1p-46f));
        assert_int_equal(s->outputs[0][1][0], 0);
    }
    free(s);
}

/* ---- conditions ---- */

static void conditions(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 1, 1, 1}\n"
                  "IF IN[0].xxxx\nMOV OUT[0].x, IMM[0]\nENDIF\nUIF IN[0].xxxx\nMOV OUT[0].y, IMM[0]\nENDIF\nEND\n",
                  5);
    static const uint32_t value[5] = {0, 0x80000000, 0x7fc00000, 1, 0x3f800000};
    static const uint32_t as_float[5] = {0, 0, 1, 1, 1}, as_integer[5] = {0, 1, 1, 1, 1};
    for (unsigned i = 0; i < 5; i++) s->inputs[i][0][0] = value[i];
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(s->outputs[i][0][0], as_float[i]);
        assert_int_equal(s->outputs[i][0][1], as_integer[i]);
    }
    free(s);
}

/* ---- helpers ---- */

/* A killed lane goes on for its quad's derivatives; it is reported; a quad of killed lanes ends. */
static void kill_in_quads(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..1], COLOR\nDCL TEMP[0]\n"
                  "KILL_IF IN[0].yyyy\nADD TEMP[0], IN[0], IN[0]\nDDX OUT[0], TEMP[0]\nMOV OUT[1], IN[0]\nEND\n",
                  64);
    s->invocations.quads = true;
    for (unsigned i = 0; i < 64; i++) {
        s->inputs[i][0][0] = bits((float)(i % 4) * (float)(1 + i / 4));
        bool kill = i % 4 == 1 || i / 4 == 3;
        s->inputs[i][0][1] = bits(kill ? -1.0f : -0.0f);
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 64; i++) {
        bool quad_gone = i / 4 == 3;
        assert_int_equal(s->killed[i], i % 4 == 1 || quad_gone);
        assert_int_equal(s->outputs[i][0][0], quad_gone ? 0 : bits(2.0f * (float)(1 + i / 4)));
    }
    s->invocations.quads = false; /* derivatives are zero, killed lanes end at once */
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(s->outputs[i][0][0], 0);
        assert_int_equal(s->outputs[i][1][0], s->killed[i] ? 0 : s->inputs[i][0][0]);
    }
    free(s);
}

static void demote_and_helpers(void **state)
{
    (void)state;
    struct setup *s = new_setup(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..1], COLOR\nDCL SV[0], HELPER_INVOCATION\n"
        "READ_HELPER OUT[0].x\nUIF IN[0].xxxx\nDEMOTE\nENDIF\nREAD_HELPER OUT[0].y\nMOV OUT[1], SV[0].xxxx\nEND\n",
        40);
    uint8_t helpers[40] = {0};
    s->invocations.helpers = helpers;
    for (unsigned i = 0; i < 40; i++) {
        helpers[i] = i % 5 == 0;
        s->inputs[i][0][0] = i & 1;
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 40; i++) {
        uint32_t started = i % 5 == 0 ? UINT32_MAX : 0, demoted = i & 1 ? UINT32_MAX : 0;
        assert_int_equal(s->outputs[i][0][0], started);
        assert_int_equal(s->outputs[i][0][1], started | demoted);
        assert_int_equal(s->outputs[i][1][0], started);
        assert_int_equal(s->killed[i], !started && demoted);
    }
    free(s);
}

/* ---- budgets ---- */

static void endless_loop(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                                "UIF IN[0].xxxx\n"
                                "  BGNLOOP\n"
                                "    UADD OUT[0], OUT[0], IN[0]\n"
                                "  ENDLOOP\n"
                                "ENDIF\nEND\n",
                                150);
    s->inputs[77][0][0] = s->inputs[80][0][0] = s->inputs[149][0][0] = 1;
    uint64_t instructions[3];
    for (unsigned threads = 1; threads <= 3; threads++) {
        s->options = (struct sch_run_options){.pool = pool_of_tests(), .threads = threads, .budget = 1000};
        for (unsigned width = 4; width <= 16; width *= 2) {
            assert_int_equal(run_width(s, width), SCH_ERROR_BUDGET);
            assert_int_equal(s->report.invocation, 77);
            assert_int_equal(s->report.instruction, 3);
            assert_int_equal(s->report.position.line, 7);
            instructions[threads - 1] = s->report.instructions;
        }
    }
    assert_int_equal(instructions[0], instructions[1]);
    assert_int_equal(instructions[0], instructions[2]);
    s->options = (struct sch_run_options){0}; /* the default budget is finite too */
    assert_int_equal(run_width(s, 8), SCH_ERROR_BUDGET);
    free(s);
}

/* The budget is each lane's own: 10 iterations each, in lanes that loop at different times. */
static void budget_is_per_lane(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                                "IMM[0] UINT32 {1, 11, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                                "USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
                                "UIF IN[0].xxxx\nCONT\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0].xxxx\nEND\n",
                                32);
    for (unsigned i = 0; i < 32; i++) s->inputs[i][0][0] = i & 1;
    s->options.budget = 10;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 32; i++) assert_int_equal(s->outputs[i][0][0], 11);
    s->options.budget = 9;
    for (unsigned width = 4; width <= 16; width *= 2) {
        assert_int_equal(run_width(s, width), SCH_ERROR_BUDGET);
        assert_int_equal(s->report.invocation, 0);
    }
    free(s);
}

/* Calls cost budget: 3 levels of 10 calls each are 1110. */
static void calls_cost(void **state)
{
    (void)state;
    char text[2048] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\n";
    for (unsigned i = 0; i < 10; i++) strcat(text, "CAL :12\n");
    strcat(text, "MOV OUT[0], TEMP[0].xxxx\nEND\nBGNSUB\n");
    for (unsigned i = 0; i < 10; i++) strcat(text, "CAL :24\n");
    strcat(text, "ENDSUB\nBGNSUB\n");
    for (unsigned i = 0; i < 10; i++) strcat(text, "CAL :36\n");
    strcat(text, "ENDSUB\nBGNSUB\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nRET\nENDSUB\n");
    struct setup *s = new_setup(text, 3);
    s->options.budget = 1110;
    EACH_WIDTH(s) assert_int_equal(s->outputs[2][0][0], 1000);
    s->options.budget = 1109;
    assert_int_equal(run_width(s, 8), SCH_ERROR_BUDGET);
    assert_int_equal(s->report.instruction, 34);
    free(s);
}

/* ---- constants ---- */

static void constants(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nDCL CONST[0..9]\nDCL "
                                "CONST[1][0..3]\nDCL ADDR[0]\n"
                                "UARL ADDR[0].xy, IN[0].xyyy\nMOV OUT[0], CONST[1]\nMOV OUT[1], CONST[1][2].wzyx\n"
                                "MOV OUT[2], CONST[ADDR[0].x+1]\nMOV OUT[3], CONST[ADDR[0].y][ADDR[0].x+1]\nEND\n",
                                64);
    uint32_t first[6] = {100, 101, 102, 103, 104, 105}, second[16];
    for (unsigned w = 0; w < 16; w++) second[w] = 200 + w;
    /* The second buffer stands at an odd address, and its last bytes are not a whole word. */
    uint8_t odd[sizeof second + 2];
    memcpy(odd + 1, second, sizeof second);
    struct sch_constant_buffer buffers[2] = {{first, sizeof first}, {odd + 1, 13 * 4 + 3}};
    s->bindings = (struct sch_exec_bindings){.constants = buffers, .constant_count = 2};
    static const uint32_t index[4] = {0, (uint32_t)-1, 2, 0x7fffffff}, buffer[3] = {0, 1, 2};
    for (unsigned i = 0; i < 64; i++) {
        s->inputs[i][0][0] = index[i % 4];
        s->inputs[i][0][1] = buffer[i % 3];
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 64; i++)
        for (unsigned c = 0; c < 4; c++) {
            int64_t word = 4 * ((int64_t)(int32_t)index[i % 4] + 1) + c;
            uint32_t in_first = word >= 0 && word < 6 ? 100 + (uint32_t)word : 0;
            uint32_t in_second = word >= 0 && word < 13 ? 200 + (uint32_t)word : 0;
            assert_int_equal(s->outputs[i][0][c], c < 2 ? 104 + c : 0);
            assert_int_equal(s->outputs[i][1][c], 211 - c);
            assert_int_equal(s->outputs[i][2][c], in_first);
            assert_int_equal(s->outputs[i][3][c], i % 3 == 0 ? in_first : i % 3 == 1 ? in_second : 0);
        }
    s->bindings = (struct sch_exec_bindings){0};
    EACH_WIDTH(s) assert_int_equal(s->outputs[0][0][0] | s->outputs[0][2][0] | s->outputs[0][3][0], 0);
    free(s);
}

/* ---- inputs and system values ---- */

static void inputs_per_vertex(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                  "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\n"
                  "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nDCL TEMP[0]\n"
                  "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[0], IN[2][1]\nMOV OUT[1], IN[ADDR[0].x][0]\nEND\n",
                  48);
    enum { VERTICES = 3 };
    static uint32_t words[48][VERTICES][2][4], values[48][1][4];
    for (unsigned i = 0; i < 48; i++) {
        values[i][0][0] = i % 4; /* 3 is no vertex */
        for (unsigned v = 0; v < VERTICES; v++)
            for (unsigned r = 0; r < 2; r++)
                for (unsigned c = 0; c < 4; c++) words[i][v][r][c] = i * 1000 + v * 100 + r * 10 + c;
    }
    s->invocations.inputs = words[0][0][0];
    s->invocations.input_registers = 2;
    s->invocations.input_vertices = VERTICES;
    s->invocations.system_values = values[0][0];
    s->invocations.system_value_registers = 1;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 48; i++) {
        assert_memory_equal(s->outputs[i][0], words[i][2][1], 16);
        uint32_t vertex = i % 4;
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(s->outputs[i][1][c], vertex < VERTICES ? words[i][vertex][0][c] : 0);
    }
    s->invocations.input_registers = 1; /* IN[v][1] is not given: 0 */
    EACH_WIDTH(s) assert_int_equal(s->outputs[1][0][0], 0);
    free(s);
}

static void system_values(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL OUT[0..3], COLOR\nDCL SV[0], SUBGROUP_SIZE\nDCL SV[1], SUBGROUP_INVOCATION\n"
                  "DCL SV[2], SUBGROUP_EQ_MASK\nDCL SV[3], SUBGROUP_GE_MASK\nDCL SV[4], SUBGROUP_GT_MASK\n"
                  "DCL SV[5], SUBGROUP_LE_MASK\nDCL SV[6], SUBGROUP_LT_MASK\n"
                  "MOV OUT[0], SV[0].xxxx\nMOV OUT[1].x, SV[1].xxxx\nMOV OUT[1].y, SV[2].xxxx\n"
                  "MOV OUT[2].x, SV[3].xxxx\nMOV OUT[2].y, SV[4].xxxx\nMOV OUT[2].z, SV[5].xxxx\n"
                  "MOV OUT[2].w, SV[6].xxxx\nEND\n",
                  70);
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 70; i++) {
        uint32_t lane = i % 32, self = 1u << lane;
        assert_int_equal(s->outputs[i][0][0], 32);
        assert_int_equal(s->outputs[i][1][0], lane);
        assert_int_equal(s->outputs[i][1][1], self);
        assert_int_equal(s->outputs[i][2][0], ~(self - 1));
        assert_int_equal(s->outputs[i][2][1], ~(self - 1) & ~self);
        assert_int_equal(s->outputs[i][2][2], (self - 1) | self);
        assert_int_equal(s->outputs[i][2][3], self - 1);
    }
    /* What the caller gives counts more. */
    static uint32_t values[70][1][4];
    for (unsigned i = 0; i < 70; i++) values[i][0][0] = 1000 + i;
    s->invocations.system_values = values[0][0];
    s->invocations.system_value_registers = 1;
    EACH_WIDTH(s)
    {
        assert_int_equal(s->outputs[69][0][0], 1069);
        assert_int_equal(s->outputs[69][1][0], 5);
    }
    free(s);
}

/* ---- grids ---- */

/* A grid has no outputs yet: the one invocation that finds the values it looks for loops for ever, and is reported. */
static void grid_values(void **state)
{
    (void)state;
    static const char text[] =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 5\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"
        "DCL SV[2], GRID_SIZE\nDCL SV[3], BLOCK_SIZE\nDCL TEMP[0..1]\n"
        "IMM[0] UINT32 {4, 2, 1, 0}\nIMM[1] UINT32 {1, 2, 0, 0}\nIMM[2] UINT32 {2, 3, 1, 0}\n"
        "IMM[3] UINT32 {5, 4, 3, 0}\n"
        "USNE TEMP[0], SV[0], IMM[0]\nUSNE TEMP[1], SV[1], IMM[1]\nOR TEMP[0], TEMP[0], TEMP[1]\n"
        "USNE TEMP[1], SV[2], IMM[2]\nOR TEMP[0], TEMP[0], TEMP[1]\n"
        "USNE TEMP[1], SV[3], IMM[3]\nOR TEMP[0], TEMP[0], TEMP[1]\n"
        "OR TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nOR TEMP[0].x, TEMP[0].xxxx, TEMP[0].zzzz\n"
        "NOT TEMP[0].x, TEMP[0].xxxx\nUIF TEMP[0].xxxx\nBGNLOOP\nENDLOOP\nENDIF\nEND\n";
    const uint32_t grid[3] = {2, 3, 1}, block[3] = {5, 4, 3}, fixed[3] = {0, 4, 3}, wrong[3] = {6, 4, 3};
    const uint32_t huge[3] = {5, 70000, 1};
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_exec_program *program = make_program(text, width);
        struct sch_run_report report;
        for (uint32_t threads = 1; threads <= 4; threads++) {
            struct sch_run_options options = {.pool = pool_of_tests(), .threads = threads, .budget = 50};
            assert_int_equal(sch_run_grid(program, NULL, grid, threads & 1 ? block : fixed, &options, &report),
                             SCH_ERROR_BUDGET);
            assert_int_equal(report.invocation, (2 * 2 + 1) * 60 + (1 * 20 + 2 * 5 + 4));
        }
        assert_int_equal(sch_run_grid(program, NULL, grid, wrong, NULL, &report), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_run_grid(program, NULL, grid, huge, NULL, &report), SCH_ERROR_LIMIT);
        const uint32_t other[3] = {2, 2, 1};
        assert_int_equal(sch_run_grid(program, NULL, other, block, NULL, &report), SCH_OK);
        sch_exec_destroy(program);
    }
    struct sch_exec_program *fragment = make_program("FRAG\nEND\n", 0);
    assert_int_equal(sch_run_grid(fragment, NULL, grid, block, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_exec_destroy(fragment);
}

/* ---- other lanes ---- */

static void lanes_of_the_group(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nDCL TEMP[0]\n"
                  "UIF IN[0].xxxx\nBALLOT OUT[0].xy, IN[0].yyyy\nVOTE_ANY OUT[1].x, IN[0].yyyy\n"
                  "VOTE_ALL OUT[1].y, IN[0].yyyy\nVOTE_EQ OUT[1].z, IN[0].zzzz\nVOTE_EQ OUT[1].w, IN[0].wwww\n"
                  "READ_FIRST OUT[2], IN[0]\nREAD_INVOC OUT[3], IN[0], IN[0].zzzz\nENDIF\nEND\n",
                  40);
    for (unsigned i = 0; i < 40; i++) {
        s->inputs[i][0][0] = i % 32 >= 3;     /* active */
        s->inputs[i][0][1] = i % 2;           /* set */
        s->inputs[i][0][2] = i < 32 ? 7 : 40; /* the same in all; the second group names a lane that is none */
        s->inputs[i][0][3] = i;
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 40; i++) {
        uint32_t group = i / 32, expected = 0;
        if (i % 32 < 3) {
            assert_int_equal(s->outputs[i][0][0] | s->outputs[i][2][3], 0);
            continue;
        }
        for (unsigned l = 3; l < (group ? 8 : 32); l++) expected |= (uint32_t)(l % 2) << l;
        assert_int_equal(s->outputs[i][0][0], expected);
        assert_int_equal(s->outputs[i][0][1], 0);
        assert_int_equal(s->outputs[i][1][0], UINT32_MAX);
        assert_int_equal(s->outputs[i][1][1], 0);
        assert_int_equal(s->outputs[i][1][2], UINT32_MAX);
        assert_int_equal(s->outputs[i][1][3], 0);
        assert_int_equal(s->outputs[i][2][3], group * 32 + 3);
        assert_int_equal(s->outputs[i][3][3], group ? 0 : 7);
    }
    free(s);
}

static void clock_counts(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL OUT[0..1], COLOR\nCLOCK OUT[0]\nNOP\nNOP\nCLOCK OUT[1]\nEND\n", 64);
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(s->outputs[i][1][0] - s->outputs[i][0][0], 3);
        assert_int_equal(s->outputs[i][1][0], s->outputs[0][1][0]);
        assert_int_equal(s->outputs[i][1][1], 0);
    }
    assert_int_equal(s->report.instructions, 2 * 5);
    free(s);
}

/* ---- threads, environment ---- */

static void threads_agree(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\nBGNLOOP\n"
                                "UADD TEMP[0].x, TEMP[0].xxxx, IN[0].yyyy\nUSGE TEMP[0].y, TEMP[0].xxxx, IN[0].xxxx\n"
                                "UIF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
                                MOST_LANES);
    for (unsigned i = 0; i < MOST_LANES; i++) {
        s->inputs[i][0][0] = i * 7 % 50;
        s->inputs[i][0][1] = 1 + i % 3;
    }
    static uint32_t first[MOST_LANES][REGISTERS][4];
    assert_int_equal(run_width(s, 8), SCH_OK);
    memcpy(first, s->outputs, sizeof first);
    uint64_t instructions = s->report.instructions;
    static const uint32_t threads[] = {0, 1, 2, 3, 7, 100, 1000000};
    for (unsigned t = 0; t < sizeof threads / sizeof *threads; t++) {
        s->options.pool = pool_of_tests();
        s->options.threads = threads[t];
        EACH_WIDTH(s)
        {
            assert_memory_equal(first, s->outputs, sizeof first);
            assert_int_equal(s->report.instructions, instructions);
        }
    }
    free(s);
}

/* A caller's rounding mode does not change results and is given back. */
static void float_environment(void **state)
{
    (void)state;
    struct setup *s = new_setup(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nADD OUT[0], IN[0].xxxx, IN[0].yyyy\nEND\n", 4);
    for (unsigned i = 0; i < 4; i++) {
        s->inputs[i][0][0] = bits(1.0f);
        s->inputs[i][0][1] = bits(0x1p-30f);
    }
    int before = fegetround();
    for (unsigned width = 4; width <= 16; width *= 2) {
        fesetround(FE_UPWARD);
        enum sch_result status = run_width(s, width);
        int after = fegetround();
        fesetround(before);
        assert_int_equal(status, SCH_OK);
        assert_int_equal(after, FE_UPWARD);
        assert_int_equal(s->outputs[0][0][0], bits(1.0f));
    }
    free(s);
}

static void no_invocations(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n", 0);
    EACH_WIDTH(s) assert_int_equal(s->outputs[0][0][0], 0xeeeeeeee);
    s->invocations = (struct sch_invocations){.count = 33}; /* nothing given, nothing asked */
    EACH_WIDTH(s) assert_int_equal(s->report.instructions, 4);
    free(s);
}

/* ---- what the check only warns about ---- */

/* A subroutine before END is stepped over. */
static void subroutine_in_the_way(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 2, 3, 4}\nCAL :2\n"
                  "UADD OUT[0].x, OUT[0], IMM[0].xxxx\nBGNSUB\nUADD OUT[0].y, OUT[0], IMM[0].xxxx\nENDSUB\n"
                  "UADD OUT[0].z, OUT[0], IMM[0].xxxx\nEND\n",
                  33);
    const uint32_t once[4] = {1, 1, 1, 0};
    EACH_WIDTH(s) assert_memory_equal(s->outputs[32][0], once, sizeof once);
    free(s);
}

/* Depth is z of POSITION, however the register is named. */
static void depth_output(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], POSITION\nDCL OUT[1], STENCIL\n"
                                "DCL OUT[2], COLOR\nDCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], IN[0].yyyy\n"
                                "MOV OUT[ADDR[0].x], IN[0].zzzz\nEND\n",
                                6);
    for (unsigned i = 0; i < 6; i++) {
        s->inputs[i][0][0] = i % 3;
        s->inputs[i][0][1] = 5;
        s->inputs[i][0][2] = 6;
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 6; i++) {
        const uint32_t depth[4] = {0, 0, i % 3 ? 5 : 6, 0}, stencil[4] = {0, i % 3 == 1 ? 6 : 0, 0, 0};
        assert_memory_equal(s->outputs[i][0], depth, sizeof depth);
        assert_memory_equal(s->outputs[i][1], stencil, sizeof stencil);
        assert_int_equal(s->outputs[i][2][0], i % 3 == 2 ? 6 : 0);
    }
    free(s);
}

/* The first bracket of a register that has one dimension is ignored. */
static void bracket_too_many(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                                "MOV TEMP[3][1], IN[0]\nMOV OUT[0], TEMP[2][1]\nEND\n",
                                3);
    for (unsigned i = 0; i < 3; i++) s->inputs[i][0][1] = 70 + i;
    EACH_WIDTH(s) assert_int_equal(s->outputs[2][0][1], 72);
    free(s);
}

/* ---- lookups ---- */

/* Two textures of one texel each; the unit is indexed, in and out of range, and one unit is not bound. */
static void indexed_samplers(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0..2], COLOR\nDCL SAMP[0..2]\n"
                  "DCL SVIEW[0..2], 2D, FLOAT\nDCL ADDR[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nUARL ADDR[0].x, IN[0].xxxx\n"
                  "TEX OUT[0], IN[0].zzzz, SAMP[ADDR[0].x], 2D\nTXQ OUT[1], IMM[0], SAMP[1], 2D\n"
                  "TXF OUT[2], IMM[0], SAMP[0], UNKNOWN\nEND\n",
                  37);
    static uint8_t texels[2][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}};
    struct sch_texture textures[2];
    struct sch_exec_view views[3] = {0};
    struct sch_exec_sampler samplers[3] = {0};
    for (unsigned t = 0; t < 2; t++) {
        textures[t] = (struct sch_texture){.levels = 1, .layers = 1, .samples = 1};
        textures[t].level[0] = (struct sch_texture_level){
            .texels = texels[t], .width = 1, .height = 1, .depth = 1, .row_bytes = 4, .slice_bytes = 4};
        views[t] = (struct sch_exec_view){.texture = &textures[t],
                                          .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                          .target = SCH_TARGET_2D,
                                          .swizzle = {0, 1, 2, 3}};
    }
    s->bindings = (struct sch_exec_bindings){.views = views, .view_count = 3, .samplers = samplers, .sampler_count = 3};
    for (unsigned i = 0; i < 37; i++) s->inputs[i][0][0] = i % 5 == 4 ? 0xffffffff : i % 5;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 37; i++) {
        uint32_t unit = i % 5, one = bits(1.0f);
        assert_int_equal(s->outputs[i][0][0], unit == 0 ? one : 0);
        assert_int_equal(s->outputs[i][0][1], unit == 1 ? one : 0);
        assert_int_equal(s->outputs[i][0][3], unit < 2 ? one : 0);
        const uint32_t size[4] = {1, 1, 0, 1}, red[4] = {one, 0, 0, one};
        assert_memory_equal(s->outputs[i][1], size, sizeof size);
        assert_memory_equal(s->outputs[i][2], red, sizeof red);
    }
    free(s);
}

/* SAMPLE takes the target from the view and swizzles the result as the view operand says. */
static void sample_swizzle(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                                "DCL SVIEW[0], 2D, FLOAT\nSAMPLE OUT[0], IN[0], SVIEW[0].wyxx, SAMP[0]\nEND\n",
                                32);
    static uint8_t texel[4] = {255, 0, 0, 0};
    struct sch_texture texture = {.levels = 1, .layers = 1, .samples = 1};
    texture.level[0] = (struct sch_texture_level){
        .texels = texel, .width = 1, .height = 1, .depth = 1, .row_bytes = 4, .slice_bytes = 4};
    struct sch_exec_view view = {
        .texture = &texture, .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .swizzle = {0, 1, 2, 3}};
    struct sch_exec_sampler sampler = {0};
    s->bindings = (struct sch_exec_bindings){.views = &view, .view_count = 1, .samplers = &sampler, .sampler_count = 1};
    const uint32_t expected[4] = {0, 0, bits(1.0f), bits(1.0f)};
    EACH_WIDTH(s) assert_memory_equal(s->outputs[31][0], expected, sizeof expected);
    free(s);
}

/* ---- refusals ---- */

/* The check does not let these through; who leaves it out is told each construct once. */
static void refusals(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL TEMP[0]\nBARRIER\nBARRIER\n"
                               "MOV TEMP[0], SAMP[0]\nMOV OUT[0], SAMP[0]\nEND\n";
    struct sch_diagnostics list;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    struct sch_exec_program *program;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader);
    assert_non_null(shader);
    assert_int_equal(sch_exec_create(shader, NULL, &sch_allocator_libc, &list, &program), SCH_ERROR_UNSUPPORTED);
    assert_null(program);
    assert_int_equal(list.count, 2);
    static const unsigned codes[2] = {SCH_D_UNSUPPORTED_OPCODE, SCH_D_UNSUPPORTED_OPERAND};
    static const uint32_t lines[2] = {5, 7};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(list.items[i].code, codes[i]);
        assert_int_equal(list.items[i].position.line, lines[i]);
    }
    assert_non_null(strstr(list.items[0].message, "BARRIER"));
    assert_non_null(strstr(list.items[1].message, "SAMP"));
    sch_diagnostics_release(&list);
    struct sch_exec_options odd = {.lanes = 5};
    assert_int_equal(sch_exec_create(shader, &odd, &sch_allocator_libc, NULL, &program), SCH_ERROR_ARGUMENT);
    sch_ir_destroy(shader);
}

/* Operands of files that hold no values, in each place where one may stand: what a shader that nobody checked may
 * say. */
static void unchecked_operands(void **state)
{
    (void)state;
    static const uint8_t files[] = {SCH_FILE_SAMPLER, SCH_FILE_SAMPLER_VIEW, SCH_FILE_BUFFER, SCH_FILE_COUNT, 255};
    for (unsigned f = 0; f < sizeof files; f++)
        for (unsigned place = 0; place < 5; place++) {
            struct sch_ir_shader *shader = checked_shader(
                "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
                "DCL CONST[0][0..3]\nMOV TEMP[ADDR[0].x], TEMP[ADDR[0].x]\nMOV OUT[0], CONST[ADDR[0].x][0]\n"
                "END\n");
            struct sch_diagnostics list;
            struct sch_exec_program *program;
            sch_diagnostics_init(&list, &sch_allocator_libc, 8);
            struct sch_ir_instruction *move = shader->instructions;
            uint8_t *const spoiled[] = {&move[0].src[0].file, &move[0].src[0].index.indirect.file,
                                        &move[0].dst[0].index.indirect.file, &move[1].src[0].dimension.indirect.file,
                                        &move[1].src[0].index.indirect.file};
            if (place == 4) move[1].src[0].index.is_indirect = true;
            if (place == 0) move[0].src[0].index.is_indirect = false;
            *spoiled[place] = files[f];
            if (sch_exec_create(shader, NULL, &sch_allocator_libc, &list, &program) != SCH_ERROR_UNSUPPORTED)
                fail_msg("file %u, place %u", files[f], place);
            assert_null(program);
            assert_int_equal(list.count, 1);
            assert_int_equal(list.items[0].code, SCH_D_UNSUPPORTED_OPERAND);
            assert_int_equal(list.items[0].position.line, place < 3 ? 7 : 8);
            sch_diagnostics_release(&list);
            sch_ir_destroy(shader);
        }
}

/* Results go straight to their registers where no source channel is read behind the write of the same one: components
 * are computed one after the other, x first; what indices choose is not known. */
static void direct_results(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        bool direct;
    } rows[] = {{"MOV TEMP[0], TEMP[1]", true},
                {"MOV TEMP[0], TEMP[0]", true},
                {"ADD TEMP[0], TEMP[0], TEMP[1]", true},
                {"ADD TEMP[0], TEMP[1], TEMP[0]", true},
                {"ADD TEMP[0], TEMP[1].wzyx, TEMP[1].wzyx", true},
                {"ADD TEMP[0], TEMP[0].xxzw, TEMP[1]", false},
                {"ADD TEMP[0], TEMP[1], TEMP[0].xxzw", false},
                {"ADD TEMP[0], TEMP[0].yyzw, TEMP[1]", true}, /* y is read for x before y is written */
                {"ADD TEMP[0], TEMP[0].yyyw, TEMP[1]", false},
                {"ADD TEMP[0].x, TEMP[0].yyyy, TEMP[1]", true},
                {"ADD TEMP[0].xy, TEMP[0].yyyy, TEMP[1]", true},
                {"ADD TEMP[0].yz, TEMP[0].xyyy, TEMP[1]", false},
                {"ADD TEMP[0].yz, TEMP[0].xyxx, TEMP[1]", true}, /* x is not written */
                {"ADD TEMP[0].w, TEMP[0].xyzx, TEMP[1]", true},
                {"ADD TEMP[0].xw, TEMP[0].xyzx, TEMP[1]", false},
                {"DP4 TEMP[0], TEMP[1], TEMP[2]", true},
                {"DP4 TEMP[0], TEMP[0], TEMP[1]", false},
                {"DP4 TEMP[0].x, TEMP[0].yyyy, TEMP[1]", true},
                {"DP4 TEMP[0].y, TEMP[0].yyyy, TEMP[1]", false},
                {"MOV TEMP[0], IN[0].wzyx", true},
                {"MOV TEMP[0], IMM[0].wzyx", true},
                {"MOV TEMP[0], CONST[0].wzyx", true},
                {"MOV TEMP[ADDR[0].x], TEMP[1]", false},
                {"MOV TEMP[0], TEMP[ADDR[0].x]", false},
                {"MOV TEMP[0].x, TEMP[ADDR[0].x]", true},
                {"MOV TEMP[0].xy, TEMP[ADDR[0].x]", false},
                {"DFRACEXP TEMP[0].xy, TEMP[1].x, IN[0]", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
                 "DCL CONST[0..3]\nIMM[0] UINT32 {1, 2, 3, 4}\n%s\nEND\n",
                 rows[i].instruction);
        struct sch_exec_program *program = make_program(text, 8);
        if (program->prepared.instructions[0].direct != rows[i].direct) fail_msg("%s", rows[i].instruction);
        sch_exec_destroy(program);
    }
}

/* ---- memory ---- */

/* Every allocation may be the one that fails. */
static void memory_runs_out(void **state)
{
    (void)state;
    struct sch_ir_shader *shader =
        checked_shader("FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..300]\nDCL ADDR[0]\n"
                       "DCL CONST[0..100]\nIMM[0] UINT32 {1, 2, 3, 4}\nUARL ADDR[0].x, IN[0].xxxx\n"
                       "MOV TEMP[ADDR[0].x], CONST[7]\nUIF IN[0].xxxx\nMOV OUT[0], TEMP[3]\nENDIF\nEND\n");
    unsigned refused_create = 0, refused_run = 0;
    uint32_t outputs[40][4];
    for (long from = 1;; from++) {
        struct counting counting = {.fail_from = from};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        struct sch_exec_program *program;
        enum sch_result status = sch_exec_create(shader, NULL, &allocator, NULL, &program);
        if (status != SCH_OK) {
            assert_int_equal(status, SCH_ERROR_MEMORY);
            refused_create++;
            continue;
        }
        struct sch_invocations invocations = {.count = 40, .outputs = outputs[0], .output_registers = 1};
        struct sch_run_options options = {.pool = pool_of_tests(), .threads = 2};
        status = sch_run_invocations(program, NULL, &invocations, &options, NULL);
        sch_exec_destroy(program);
        if (status == SCH_OK) break;
        assert_int_equal(status, SCH_ERROR_MEMORY);
        refused_run++;
    }
    assert_true(refused_create > 2 && refused_run > 0);
    sch_ir_destroy(shader);
}

static void too_many_inputs(void **state)
{
    (void)state;
    struct setup *s = new_setup("GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE "
                                "POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                                "DCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0][0]\nEND\n",
                                1);
    s->invocations.input_vertices = 0xffffffff;
    assert_int_equal(run_width(s, 8), SCH_ERROR_LIMIT);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexed_sources),   cmocka_unit_test(indexed_destinations),
        cmocka_unit_test(index_overwritten), cmocka_unit_test(aliasing),
        cmocka_unit_test(masked_writes),     cmocka_unit_test(registers_start_at_zero),
        cmocka_unit_test(modifiers),         cmocka_unit_test(legacy_rules),
        cmocka_unit_test(precise_rule),      cmocka_unit_test(conditions),
        cmocka_unit_test(kill_in_quads),     cmocka_unit_test(demote_and_helpers),
        cmocka_unit_test(endless_loop),      cmocka_unit_test(budget_is_per_lane),
        cmocka_unit_test(calls_cost),        cmocka_unit_test(constants),
        cmocka_unit_test(inputs_per_vertex), cmocka_unit_test(system_values),
        cmocka_unit_test(grid_values),       cmocka_unit_test(lanes_of_the_group),
        cmocka_unit_test(clock_counts),      cmocka_unit_test(threads_agree),
        cmocka_unit_test(float_environment), cmocka_unit_test(no_invocations),
        cmocka_unit_test(indexed_samplers),  cmocka_unit_test(sample_swizzle),
        cmocka_unit_test(refusals),          cmocka_unit_test(unchecked_operands),
        cmocka_unit_test(direct_results),    cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(too_many_inputs),   cmocka_unit_test(subroutine_in_the_way),
        cmocka_unit_test(depth_output),      cmocka_unit_test(bracket_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
