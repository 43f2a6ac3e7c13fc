/* Opcodes that look at other lanes of the subgroup, with inactive, ended and helper lanes and a last group that is not
 * full, and the SUBGROUP_* system values; through the public API at every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

enum { COUNT = 75, INPUTS = 2, OUTPUTS = 4, GROUP = 32 };

struct setup {
    const char *text;
    struct sch_invocations work;
    uint32_t inputs[COUNT][INPUTS][4], outputs[COUNT][OUTPUTS][4];
    uint8_t helpers[COUNT], killed[COUNT];
};

static struct setup *new_setup(const char *text)
{
    struct setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->text = text;
    s->work = (struct sch_invocations){.size = sizeof s->work,
                                       .count = COUNT,
                                       .inputs = s->inputs[0][0],
                                       .input_bytes = sizeof s->inputs,
                                       .input_registers = INPUTS,
                                       .outputs = s->outputs[0][0],
                                       .output_bytes = sizeof s->outputs,
                                       .output_registers = OUTPUTS,
                                       .helpers = s->helpers,
                                       .helper_bytes = sizeof s->helpers,
                                       .killed = s->killed,
                                       .killed_bytes = sizeof s->killed};
    return s;
}

static void run_width(struct setup *s, unsigned width)
{
    memset(s->outputs, 0xee, sizeof s->outputs);
    api_run(s->text, width, &s->work, NULL);
}

#define EACH_WIDTH(setup) API_EACH_WIDTH(run_width, setup)

static const uint32_t yes = 0xffffffff;

/* The lanes of invocation i's group that satisfy a condition on the invocation's number. */
static uint32_t lanes_where(unsigned i, bool (*holds)(const struct setup *s, unsigned i), const struct setup *s)
{
    uint32_t lanes = 0;
    unsigned first = i / GROUP * GROUP;
    for (unsigned lane = 0; lane < GROUP && first + lane < COUNT; lane++)
        if (holds(s, first + lane)) lanes |= 1u << lane;
    return lanes;
}

static bool is_active(const struct setup *s, unsigned i) { return s->inputs[i][0][0] != 0; }
static bool is_set(const struct setup *s, unsigned i) { return is_active(s, i) && s->inputs[i][0][1] != 0; }

/* IN[0].x: whether the lane executes; IN[0].y: its value. */
static const char votes_text[] = "FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nUIF IN[0].xxxx\n"
                                 "VOTE_ANY OUT[0].x, IN[0].yyyy\nVOTE_ALL OUT[0].y, IN[0].yyyy\n"
                                 "VOTE_EQ OUT[0].zw, IN[0].yyyy\nBALLOT OUT[1], IN[0].yyyy\n"
                                 "READ_FIRST OUT[2], IN[1]\nREAD_INVOC OUT[3], IN[1], IN[0].zzzz\nENDIF\nEND\n";

static void check_votes(struct setup *s)
{
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        if (!is_active(s, i)) {
            for (unsigned r = 0; r < OUTPUTS; r++) assert_int_equal(s->outputs[i][r][0], 0);
            continue;
        }
        uint32_t active = lanes_where(i, is_active, s), set = lanes_where(i, is_set, s);
        unsigned group = i / GROUP * GROUP, first = (unsigned)__builtin_ctz(active);
        bool equal = true;
        for (unsigned lane = 0; lane < GROUP; lane++)
            if (active >> lane & 1 && s->inputs[group + lane][0][1] != s->inputs[group + first][0][1]) equal = false;
        assert_int_equal(s->outputs[i][0][0], set ? yes : 0);
        assert_int_equal(s->outputs[i][0][1], set == active ? yes : 0);
        assert_int_equal(s->outputs[i][0][2], equal ? yes : 0);
        assert_int_equal(s->outputs[i][0][3], equal ? yes : 0);
        const uint32_t ballot[4] = {set, 0, set, 0};
        assert_memory_equal(s->outputs[i][1], ballot, sizeof ballot);
        assert_memory_equal(s->outputs[i][2], s->inputs[group + first][1], 16);
        /* An inactive lane is read as its registers stand; a lane that is none gives 0. */
        static const uint32_t none[4];
        uint32_t from = s->inputs[i][0][2];
        bool there = from < GROUP && group + from < COUNT;
        assert_memory_equal(s->outputs[i][3], there ? s->inputs[group + from][1] : none, 16);
    }
}

static void fill(struct setup *s)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        s->inputs[i][0][0] = 1;
        s->inputs[i][0][1] = 7;
        s->inputs[i][0][2] = i * 5 % 40 == 39 ? 0x80000000 : i * 5 % 40;
        for (uint32_t c = 0; c < 4; c++) s->inputs[i][1][c] = i * 16 + c;
    }
}

static void votes(void **state)
{
    (void)state;
    struct setup *s = new_setup(votes_text);
    fill(s);
    check_votes(s); /* all active, all the same */
    for (unsigned i = 0; i < COUNT; i++) s->inputs[i][0][1] = 0;
    check_votes(s); /* none set, all equal */
    s->inputs[33][0][1] = 1;
    check_votes(s);
    s->inputs[33][0][0] = 0; /* the one that is set does not execute */
    check_votes(s);
    for (unsigned i = 0; i < COUNT; i++) s->inputs[i][0][0] = i % 3, s->inputs[i][0][1] = i % 3 == 1 ? 5 : 0;
    check_votes(s);
    for (unsigned i = 0; i < COUNT; i++) s->inputs[i][0][0] = i == 40 || i == 74; /* one lane alone */
    check_votes(s);
    for (unsigned i = 0; i < COUNT; i++) s->inputs[i][0][0] = 1, s->inputs[i][0][1] = i % 2 ? 0x80000000 : 0;
    check_votes(s); /* -0 as a float, but not zero bits */
    /* Helpers vote too. */
    fill(s);
    for (unsigned i = 0; i < COUNT; i++) s->helpers[i] = i % 4 == 0, s->inputs[i][0][1] = i % 4 == 0;
    check_votes(s);
    free(s);
}

/* Killed lanes without quads end and no longer vote; demoted ones go on, and READ_HELPER tells. */
static void ended_lanes(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nDCL SV[0], HELPER_INVOCATION\n"
                  "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\nIMM[1] UINT32 {1, 0, 0, 0}\nUIF IN[0].xxxx\nKILL\nENDIF\n"
                  "UIF IN[0].yyyy\nDEMOTE\nENDIF\nBALLOT OUT[0], IMM[1].xxxx\n"
                  "READ_HELPER OUT[1].x\nMOV OUT[1].y, SV[0].xxxx\nREAD_FIRST OUT[2], IN[1]\nEND\n");
    for (unsigned i = 0; i < COUNT; i++) {
        s->inputs[i][0][0] = i % 5 == 0;
        s->inputs[i][0][1] = i % 7 == 1;
        s->helpers[i] = i % 9 == 2;
        s->inputs[i][1][0] = i;
    }
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t alive = 0;
        unsigned group = i / GROUP * GROUP;
        for (unsigned lane = 0; lane < GROUP && group + lane < COUNT; lane++)
            if ((group + lane) % 5) alive |= 1u << lane;
        assert_int_equal(s->killed[i], (i % 5 == 0 || i % 7 == 1) && i % 9 != 2);
        if (i % 5 == 0) continue;
        assert_int_equal(s->outputs[i][0][0], alive);
        assert_int_equal(s->outputs[i][1][0], i % 7 == 1 || i % 9 == 2 ? yes : 0);
        assert_int_equal(s->outputs[i][1][1], i % 9 == 2 ? yes : 0);
        assert_int_equal(s->outputs[i][2][0], group + (unsigned)__builtin_ctz(alive));
    }
    free(s);
}

/* In quads a killed lane goes on as a helper, and votes, until nobody of its quad needs it; then all of the quad end,
 * those that were helpers before, too. */
static void ended_quads(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\n"
                                "IMM[0] UINT32 {1, 0, 0, 0}\nUIF IN[0].xxxx\nKILL\nENDIF\nBALLOT OUT[0], "
                                "IMM[0].xxxx\nUIF IN[0].yyyy\nKILL\nENDIF\nBALLOT OUT[1], IMM[0].xxxx\nEND\n");
    s->work.quads = true;
    for (unsigned i = 0; i < COUNT; i++) { /* what happens to quad q: the bits of q, of each lane in turn */
        unsigned quad = i / 4, turn = (quad * 4 + i % 4 * 3) % 7;
        s->helpers[i] = turn == 0 || quad == 3;
        s->inputs[i][0][0] = turn == 1 || turn == 2 || quad == 1;
        s->inputs[i][0][1] = turn >= 3 && quad % 3 != 0;
    }
    EACH_WIDTH(s)
    for (unsigned group = 0; group < COUNT; group += GROUP) {
        uint32_t alive[2] = {0};
        unsigned end = group + GROUP < COUNT ? group + GROUP : COUNT;
        for (unsigned quad = group; quad < end; quad += 4) {
            bool killed[2] = {false}, needed[2] = {false};
            for (unsigned i = quad; i < quad + 4 && i < end; i++) {
                killed[0] = killed[0] || s->inputs[i][0][0];
                killed[1] = killed[1] || s->inputs[i][0][1];
                needed[0] = needed[0] || (!s->helpers[i] && !s->inputs[i][0][0]);
                needed[1] = needed[1] || (!s->helpers[i] && !s->inputs[i][0][0] && !s->inputs[i][0][1]);
            }
            uint32_t lanes = (end - quad < 4 ? (1u << (end - quad)) - 1 : 15u) << (quad - group);
            bool there = needed[0] || !killed[0];
            if (there) alive[0] |= lanes;
            if (there && (needed[1] || !killed[1])) alive[1] |= lanes;
        }
        for (unsigned i = group; i < end; i++) {
            if (s->helpers[i]) continue;
            if (alive[0] >> (i - group) & 1) assert_int_equal(s->outputs[i][0][0], alive[0]);
            if (alive[1] >> (i - group) & 1) assert_int_equal(s->outputs[i][1][0], alive[1]);
        }
    }
    free(s);
}

static void subgroup_values(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL OUT[0..3], COLOR\nDCL SV[0], SUBGROUP_SIZE\nDCL SV[1], SUBGROUP_INVOCATION\n"
                  "DCL SV[2], SUBGROUP_EQ_MASK\nDCL SV[3], SUBGROUP_GE_MASK\nDCL SV[4], SUBGROUP_GT_MASK\n"
                  "DCL SV[5], SUBGROUP_LE_MASK\nDCL SV[6], SUBGROUP_LT_MASK\nMOV OUT[0].x, SV[0].xxxx\n"
                  "MOV OUT[0].y, SV[1].xxxx\nMOV OUT[1].x, SV[2].xxxx\nMOV OUT[1].y, SV[3].xxxx\n"
                  "MOV OUT[1].z, SV[4].xxxx\nMOV OUT[1].w, SV[5].xxxx\nMOV OUT[2].x, SV[6].xxxx\n"
                  "MOV OUT[2].y, SV[6].yyyy\nEND\n");
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned lane = i % GROUP;
        uint64_t self = UINT64_C(1) << lane, all = 0xffffffff;
        assert_int_equal(s->outputs[i][0][0], 32);
        assert_int_equal(s->outputs[i][0][1], lane);
        assert_int_equal(s->outputs[i][1][0], self);
        assert_int_equal(s->outputs[i][1][1], all & ~(self - 1));
        assert_int_equal(s->outputs[i][1][2], all & ~(2 * self - 1));
        assert_int_equal(s->outputs[i][1][3], 2 * self - 1);
        assert_int_equal(s->outputs[i][2][0], self - 1);
        assert_int_equal(s->outputs[i][2][1], 0);
    }
    free(s);
}

/* The clock counts the group's instructions: the branch that no lane of a group takes costs nothing. */
static void clocks(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0..3], COLOR\nCLOCK OUT[0]\n"
                                "UIF IN[0].xxxx\nNOP\nNOP\nNOP\nENDIF\nCLOCK OUT[1].xy\nEND\n");
    for (unsigned i = 0; i < COUNT; i++) s->inputs[i][0][0] = i == 40;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        const uint32_t first[4] = {1, 0, 1, 0};
        assert_memory_equal(s->outputs[i][0], first, sizeof first);
        assert_int_equal(s->outputs[i][1][0], i / GROUP == 1 ? 7 : 4);
        assert_int_equal(s->outputs[i][1][1], 0);
    }
    free(s);
}

/* A patch is a subgroup of its own. */
static void patch_subgroups(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL OUT[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\n"
                  "DCL SV[1], SUBGROUP_INVOCATION\nDCL TEMP[0]\nDCL ADDR[0]\nIMM[0] UINT32 {1, 0, 0, 0}\n"
                  "UARL ADDR[0].x, SV[0].xxxx\nBALLOT TEMP[0].x, IMM[0].xxxx\n"
                  "MOV TEMP[0].y, SV[1].xxxx\nMOV OUT[ADDR[0].x][0].xy, TEMP[0]\nEND\n");
    s->work.count = 74;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < 74; i++) {
        assert_int_equal(s->outputs[i][0][0], i < 72 ? 7 : 3);
        assert_int_equal(s->outputs[i][0][1], i % 3);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes),           cmocka_unit_test(ended_lanes), cmocka_unit_test(ended_quads),
        cmocka_unit_test(subgroup_values), cmocka_unit_test(clocks),      cmocka_unit_test(patch_subgroups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
