/* The control-flow links (src/ir/flow.h): what each instruction is linked to, what is reported, the depth of calls, and
 * that hostile input costs linear time. Shaders are written as opcodes in a string; "CAL:7" has the label 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/random_number.h"
#include "../support/words.h"
#include "ir/flow.h"

enum { MAX_REPORTS = 64 };
#define NONE SCH_FLOW_NONE

struct run {
    struct sch_ir_shader *shader;
    struct sch_arena arena;
    struct sch_ir_flow flow;
    bool sound;
    enum sch_result status;
    size_t reports; /* all; the first MAX_REPORTS are kept */
    struct {
        enum sch_flow_problem problem;
        uint32_t instruction;
    } report[MAX_REPORTS];
};

static void keep(void *user, enum sch_flow_problem problem, uint32_t instruction)
{
    struct run *run = user;
    if (run->reports < MAX_REPORTS) {
        run->report[run->reports].problem = problem;
        run->report[run->reports].instruction = instruction;
    }
    run->reports++;
}

static void add(struct sch_ir_shader *shader, unsigned opcode, int label)
{
    struct sch_ir_instruction instruction = {
        .opcode = (uint16_t)opcode, .has_label = label >= 0, .label = label >= 0 ? (uint32_t)label : 0};
    assert_int_equal(sch_ir_add_instruction(shader, &instruction), SCH_OK);
}

static struct sch_ir_shader *create(uint32_t nesting)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.nesting = nesting;
    limits.instructions = 2000000;
    limits.memory = (size_t)4 << 30;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
    assert_non_null(shader);
    return shader;
}

static struct sch_ir_shader *from_text(const char *text, uint32_t nesting)
{
    struct sch_ir_shader *shader = create(nesting);
    while (*text) {
        size_t word = strcspn(text, " "), name = strcspn(text, " :");
        const struct sch_op_info *info = sch_op_find(text, name);
        assert_non_null(info);
        add(shader, info->opcode, name < word ? atoi(text + name + 1) : -1);
        text += word + (text[word] == ' ');
    }
    return shader;
}

static void build(struct run *run, struct sch_ir_shader *shader)
{
    *run = (struct run){.shader = shader};
    sch_arena_init(&run->arena, &sch_allocator_libc, 0);
    memset(&run->flow, 0xa5, sizeof run->flow); /* what is not written is seen */
    run->status = sch_ir_flow_build(shader, &run->arena, &run->flow, keep, run);
    run->sound = run->status == SCH_OK;
}

static void build_text(struct run *run, const char *text) { build(run, from_text(text, 1024)); }

static void finish(struct run *run)
{
    sch_arena_release(&run->arena);
    sch_ir_destroy(run->shader);
}

/* ---- what is linked, in words ---- */

enum { ROOM = 4096 };
static void put_number(struct words *w, uint32_t number)
{
    if (w->used) put(w, " ");
    if (number == SCH_FLOW_NONE)
        put(w, "-");
    else
        put(w, "%u", number);
}

/* "LOOP 0-9 in 2 at 1 continues left waits", and a semicolon between two of them. */
static void put_construct(struct words *w, const struct sch_ir_construct *construct)
{
    static const char *const kinds[] = {"IF", "LOOP", "SWITCH", "SUB"};
    put(w, "%s%s %u-%u", w->used ? "; " : "", kinds[construct->kind], construct->opener, construct->end);
    if (construct->outer != SCH_FLOW_NONE) put(w, " in %u", construct->outer);
    if (construct->depth) put(w, " at %u", construct->depth);
    put(w, "%s%s%s", construct->continues ? " continues" : "", construct->left ? " left" : "",
        construct->waits ? " waits" : "");
}

/* A program; its constructs; of each instruction the construct around it, its own, and where others go on. What stands
 * behind the last one is linked, too. */
static const struct structure {
    const char *text, *constructs, *around, *own, *next;
    uint32_t max_depth, loops, calls, barriers;
    bool ends;
} structures[] = {
    {"MOV END", "", "- - -", "- - -", "2 2 2", 0, 0, 0, 0, false},
    {"IF MOV ELSE UIF MOV ENDIF ENDIF END", "IF 0-6; IF 3-5 in 0 at 1", "- 0 0 0 1 1 0 - -", "0 - - 1 - - - - -",
     "2 2 6 5 5 6 8 8 8", 2, 0, 0, 0, false},
    /* Loops that are left and continued under an IF: the IF is left, the loop is not. */
    {"BGNLOOP IF BRK ENDIF BGNLOOP CONT ENDLOOP UIF CONT ENDIF ENDLOOP END",
     "LOOP 0-10 continues; IF 1-3 in 0 at 1 left; LOOP 4-6 in 0 at 1 continues; IF 7-9 in 0 at 1 left",
     "- 0 1 1 0 2 2 0 3 3 0 - -", "0 1 0 - 2 2 - 3 0 - - - -", "10 3 3 10 6 6 10 9 9 10 12 12 12", 2, 2, 0, 0, false},
    /* BRK belongs to the switch, CONT to the loop around it: it leaves the switch. */
    {"BGNLOOP SWITCH CASE MOV DEFAULT IF BRK ENDIF CONT CASE BRK ENDSWITCH BRK ENDLOOP END",
     "LOOP 0-13 continues; SWITCH 1-11 in 0 at 1 left; IF 5-7 in 1 at 2 left", "- 0 1 1 1 1 2 2 1 1 1 1 0 0 - -",
     "0 1 - - - 2 1 - 0 - 1 - 0 - - -", "13 2 4 4 9 7 7 9 9 11 11 13 13 15 15 15", 3, 1, 0, 0, false},
    /* Of the two loops BRK leaves the inner one only; CONT under two IFs leaves both. */
    {"BGNLOOP BGNLOOP IF IF CONT ENDIF ENDIF BRK ENDLOOP ENDLOOP END",
     "LOOP 0-9; LOOP 1-8 in 0 at 1 continues; IF 2-6 in 1 at 2 left; IF 3-5 in 2 at 3 left", "- 0 1 2 3 3 2 1 1 0 - -",
     "0 1 2 3 1 - - 1 - - - -", "9 8 6 5 5 6 8 8 9 11 11 11", 4, 2, 0, 0, false},
    /* What leaves the outer loop leaves the switch in it, not the IF behind. */
    {"BGNLOOP SWITCH DEFAULT CONT ENDSWITCH IF MOV ENDIF ENDLOOP END",
     "LOOP 0-8 continues; SWITCH 1-4 in 0 at 1 left; IF 5-7 in 0 at 1", "- 0 1 1 1 0 2 2 0 - -",
     "0 1 - 0 - 2 - - - - -", "8 2 4 4 8 7 7 8 10 10 10", 2, 1, 0, 0, false},
    /* The deepest way is IF, CAL, CAL, BGNLOOP. A RET leaves all that is open. */
    {"IF CAL:6 RET ENDIF CAL:10 END BGNSUB CAL:10 RET ENDSUB BGNSUB BGNLOOP BRK ENDLOOP ENDSUB",
     "IF 0-3 left; SUB 6-9 left; SUB 10-14; LOOP 11-13 in 2", "- 0 0 0 - - - 1 1 1 - 2 3 3 2 -",
     "0 1 - - 2 - 1 2 1 - 2 3 3 - - -", "3 3 3 15 15 15 9 9 9 15 14 13 13 14 15 15", 4, 1, 3, 0, true},
    {"BGNSUB IF ENDIF ENDSUB CAL:0 END", "SUB 0-3; IF 1-2 in 0", "- 0 1 0 - - -", "0 1 - - 0 - -", "3 2 3 6 6 6 6", 2,
     0, 1, 0, false},
    /* A barrier waits with what is around it open. */
    {"BGNLOOP IF BARRIER ELSE ENDIF SWITCH CASE ENDSWITCH ENDLOOP IF ENDIF END",
     "LOOP 0-8 waits; IF 1-4 in 0 at 1 waits; SWITCH 5-7 in 0 at 1; IF 9-10", "- 0 1 1 1 0 2 2 0 - 3 - -",
     "0 1 - - - 2 - - - 3 - - -", "8 3 3 4 8 6 7 8 12 10 12 12 12", 2, 1, 0, 1, false},
    {"BARRIER IF ENDIF BARRIER END", "IF 1-2", "- - 0 - - -", "- 0 - - - -", "5 2 5 5 5 5", 1, 0, 0, 2, false},
    /* In a subroutine with whatever callers have open. */
    {"IF CAL:4 ENDIF END BGNSUB IF BARRIER ENDIF ENDSUB BGNSUB IF ENDIF ENDSUB",
     "IF 0-2 waits; SUB 4-8 waits; IF 5-7 in 1 waits; SUB 9-12 waits; IF 10-11 in 3 waits",
     "- 0 0 - - 1 2 2 1 - 3 4 3 -", "0 1 - - 1 2 - - - 3 4 - - -", "2 2 13 13 8 7 7 8 13 12 11 12 13 13", 3, 0, 1, 1,
     false},
    /* Fragments end wherever they are; what only makes helpers leaves nothing. */
    {"BGNLOOP IF KILL_IF ENDIF IF ENDIF ENDLOOP END", "LOOP 0-6 left; IF 1-3 in 0 at 1 left; IF 4-5 in 0 at 1",
     "- 0 1 1 0 2 0 - -", "0 1 - - 2 - - - -", "6 3 3 6 5 6 8 8 8", 2, 1, 0, 0, true},
    {"IF DEMOTE ENDIF END", "IF 0-2", "- 0 0 - -", "0 - - - -", "2 2 4 4 4", 1, 0, 0, 0, true},
    {"KILL END", "", "- - -", "- - -", "2 2 2", 0, 0, 0, 0, true},
    {"IF ABORT ENDIF END", "IF 0-2 left", "- 0 0 - -", "0 - - - -", "2 2 4 4 4", 1, 0, 0, 0, true},
    /* The main program's end. */
    {"RET END", "", "- - -", "- - -", "2 2 2", 0, 0, 0, 0, false},
};

static void expect_words(const char *program, const char *what, const struct words *w, const char *expected)
{
    if (strcmp(w->text, expected) != 0) fail_msg("\"%s\": %s %s, not %s", program, what, w->text, expected);
}

static void structure_is_linked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        const struct structure *s = &structures[i];
        char room[4][ROOM];
        struct words constructs = words_in(room[0], ROOM), around = words_in(room[1], ROOM);
        struct words own = words_in(room[2], ROOM), next = words_in(room[3], ROOM);
        struct run run;
        build_text(&run, s->text);
        assert_true(run.sound);
        assert_int_equal(run.reports, 0);
        for (uint32_t c = 0; c < run.flow.construct_count; c++) put_construct(&constructs, &run.flow.constructs[c]);
        for (size_t n = 0; n <= run.shader->instruction_count; n++) {
            put_number(&around, run.flow.links[n].around);
            put_number(&own, run.flow.links[n].construct);
            put_number(&next, run.flow.links[n].reconvergence);
        }
        expect_words(s->text, "constructs", &constructs, s->constructs);
        expect_words(s->text, "around", &around, s->around);
        expect_words(s->text, "own", &own, s->own);
        expect_words(s->text, "next", &next, s->next);
        assert_int_equal(run.flow.max_depth, s->max_depth);
        assert_int_equal(run.flow.loops, s->loops);
        assert_int_equal(run.flow.calls, s->calls);
        assert_int_equal(run.flow.barriers, s->barriers);
        assert_int_equal(run.flow.ends_invocations, s->ends);
        finish(&run);
    }
}

/* The ELSE of an IF, which need not be where those go on whom it leaves; the innermost construct of a kind. */
static void parts_and_kinds(void **state)
{
    (void)state;
    struct run run;
    build_text(&run, "BGNLOOP IF MOV ELSE SWITCH CASE IF BRK ENDIF ENDSWITCH ENDIF IF ENDIF ENDLOOP END");
    assert_true(run.sound);
    assert_int_equal(sch_ir_flow_else(&run.flow, 1), 3);
    assert_int_equal(sch_ir_flow_else(&run.flow, 6), NONE);
    assert_int_equal(sch_ir_flow_else(&run.flow, 11), NONE);
    assert_int_equal(sch_ir_flow_innermost(&run.flow, 3, SCH_CONSTRUCT_IF), 3);
    assert_int_equal(sch_ir_flow_innermost(&run.flow, 3, SCH_CONSTRUCT_SWITCH), 2);
    assert_int_equal(sch_ir_flow_innermost(&run.flow, 2, SCH_CONSTRUCT_IF), 1);
    assert_int_equal(sch_ir_flow_innermost(&run.flow, 4, SCH_CONSTRUCT_LOOP), 0);
    assert_int_equal(sch_ir_flow_innermost(&run.flow, 3, SCH_CONSTRUCT_SUB), NONE);
    assert_int_equal(sch_ir_flow_innermost(&run.flow, NONE, SCH_CONSTRUCT_IF), NONE);
    finish(&run);
}

/* text, whether it may run, then the reports in order */
static const struct {
    const char *text;
    bool sound;
    struct {
        enum sch_flow_problem problem;
        uint32_t instruction;
    } report[4];
    size_t reports;
} broken[] = {
    {"ENDIF END", false, {{SCH_FLOW_UNOPENED, 0}}, 1},
    {"ELSE END", false, {{SCH_FLOW_UNOPENED, 0}}, 1},
    {"ENDLOOP END", false, {{SCH_FLOW_UNOPENED, 0}}, 1},
    {"CASE END", false, {{SCH_FLOW_UNOPENED, 0}}, 1},
    {"DEFAULT END", false, {{SCH_FLOW_UNOPENED, 0}}, 1},
    {"ENDSWITCH END", false, {{SCH_FLOW_UNOPENED, 0}}, 1},
    {"END ENDSUB", false, {{SCH_FLOW_UNOPENED, 1}}, 1},
    {"MOV IF END", false, {{SCH_FLOW_UNCLOSED, 1}}, 1},
    {"BGNLOOP END", false, {{SCH_FLOW_UNCLOSED, 0}}, 1},
    {"SWITCH CASE END", false, {{SCH_FLOW_UNCLOSED, 0}}, 1},
    {"END BGNSUB RET", false, {{SCH_FLOW_UNCLOSED, 1}}, 1},
    {"IF ELSE ELSE ENDIF END", false, {{SCH_FLOW_SECOND_ELSE, 2}}, 1},
    {"SWITCH DEFAULT CASE DEFAULT ENDSWITCH END", false, {{SCH_FLOW_SECOND_DEFAULT, 3}}, 1},
    {"BRK END", false, {{SCH_FLOW_BREAK_OUTSIDE, 0}}, 1},
    {"IF BRK ENDIF END", false, {{SCH_FLOW_BREAK_OUTSIDE, 1}}, 1},
    {"SWITCH CASE CONT ENDSWITCH END", false, {{SCH_FLOW_CONTINUE_OUTSIDE, 2}}, 1},
    {"CAL:9 END BGNSUB ENDSUB", false, {{SCH_FLOW_CALL_TARGET, 0}}, 1},
    {"CAL:3 END BGNSUB ENDSUB", false, {{SCH_FLOW_CALL_TARGET, 0}}, 1},
    {"CAL END BGNSUB ENDSUB", false, {{SCH_FLOW_CALL_TARGET, 0}}, 1},
    {"CAL:2 END BGNSUB CAL:2 ENDSUB", false, {{SCH_FLOW_RECURSION, 3}}, 1},
    {"CAL:2 END BGNSUB CAL:5 ENDSUB BGNSUB CAL:2 ENDSUB", false, {{SCH_FLOW_RECURSION, 6}}, 1},
    {"END BGNSUB CAL:1 ENDSUB", false, {{SCH_FLOW_RECURSION, 2}}, 1},
    {"END BGNSUB BGNSUB ENDSUB ENDSUB", false, {{SCH_FLOW_NESTED_SUB, 2}}, 1},
    {"IF BGNSUB ENDSUB ENDIF END", false, {{SCH_FLOW_NESTED_SUB, 1}}, 1},
    {"SWITCH MOV MOV CASE ENDSWITCH END", true, {{SCH_FLOW_BEFORE_CASE, 1}}, 1},
    {"MOV", true, {{SCH_FLOW_NO_END, 1}}, 1},
    {"MOV BGNSUB ENDSUB", true, {{SCH_FLOW_NO_END, 3}}, 1},
    {"END MOV END", false, {{SCH_FLOW_SECOND_END, 2}}, 1},
    /* A missing end costs one report, not one per later instruction. */
    {"BGNLOOP IF BRK ENDLOOP IF ENDIF END", false, {{SCH_FLOW_UNCLOSED, 1}}, 1},
    /* A break does not leave a subroutine. */
    {"END BGNSUB BRK ENDSUB", false, {{SCH_FLOW_BREAK_OUTSIDE, 2}}, 1},
    {"SWITCH CASE IF CASE ENDIF ENDSWITCH END", false, {{SCH_FLOW_UNOPENED, 3}}, 1},
};

static void broken_structure(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct run run;
        build_text(&run, broken[i].text);
        bool same = run.sound == broken[i].sound && run.reports == broken[i].reports;
        for (size_t j = 0; same && j < run.reports; j++)
            same = run.report[j].problem == broken[i].report[j].problem &&
                   run.report[j].instruction == broken[i].report[j].instruction;
        same = same && run.status == (run.sound ? SCH_OK : SCH_ERROR_INVALID) && !run.flow.links == !run.sound;
        if (!same)
            fail_msg("\"%s\": sound %d, %zu reports, first %d at %u", broken[i].text, run.sound, run.reports,
                     (int)run.report[0].problem, run.report[0].instruction);
        finish(&run);
    }
}

static void without_reporter(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = from_text("ENDIF END", 8);
    struct sch_arena arena;
    struct sch_ir_flow flow;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    assert_int_equal(sch_ir_flow_build(shader, &arena, &flow, NULL, NULL), SCH_ERROR_INVALID);
    sch_arena_release(&arena);
    sch_ir_destroy(shader);
}

static void nesting_limit(void **state)
{
    (void)state;
    struct run run;
    build(&run, from_text("IF IF IF ENDIF ENDIF ENDIF END", 3));
    assert_true(run.sound);
    assert_int_equal(run.flow.max_depth, 3);
    finish(&run);

    build(&run, from_text("IF IF IF ENDIF ENDIF ENDIF END", 2));
    assert_false(run.sound);
    assert_int_equal(run.reports, 1);
    assert_int_equal(run.report[0].problem, SCH_FLOW_DEPTH);
    assert_int_equal(run.status, SCH_ERROR_LIMIT);
    assert_int_equal(run.report[0].instruction, 2);
    finish(&run);

    /* Calls count: IF, CAL, IF. */
    build(&run, from_text("CAL:5 IF CAL:5 ENDIF END BGNSUB IF ENDIF ENDSUB", 2));
    assert_false(run.sound);
    assert_int_equal(run.reports, 1);
    assert_int_equal(run.report[0].problem, SCH_FLOW_DEPTH);
    assert_int_equal(run.status, SCH_ERROR_LIMIT);
    assert_int_equal(run.report[0].instruction, 2);
    finish(&run);
}

/* Of several calls that go as deep, the first is named. */
static void deepest_call_first(void **state)
{
    (void)state;
    struct run run;
    build(&run, from_text("CAL:4 CAL:4 CAL:4 END BGNSUB IF IF ENDIF ENDIF ENDSUB", 2));
    assert_false(run.sound);
    assert_int_equal(run.reports, 1);
    assert_int_equal(run.report[0].problem, SCH_FLOW_DEPTH);
    assert_int_equal(run.status, SCH_ERROR_LIMIT);
    assert_int_equal(run.report[0].instruction, 0);
    finish(&run);
}

static void million_nested(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = create(1024);
    for (int i = 0; i < 1000000; i++) add(shader, SCH_OP_UIF, -1);
    struct run run;
    build(&run, shader);
    assert_false(run.sound);
    assert_int_equal(run.reports, 1);
    assert_int_equal(run.report[0].problem, SCH_FLOW_DEPTH);
    assert_int_equal(run.status, SCH_ERROR_LIMIT);
    assert_int_equal(run.report[0].instruction, 1024);
    finish(&run);
}

/* A stack that grows with the input, not with the machine's. */
static void deep_and_allowed(void **state)
{
    (void)state;
    const int count = 200000;
    struct sch_ir_shader *shader = create(1000000);
    for (int i = 0; i < count; i++) add(shader, SCH_OP_UIF, -1);
    for (int i = 0; i < count; i++) add(shader, SCH_OP_ENDIF, -1);
    add(shader, SCH_OP_END, -1);
    struct run run;
    build(&run, shader);
    assert_true(run.sound);
    assert_int_equal(run.flow.max_depth, count);
    assert_int_equal(run.flow.construct_count, count);
    assert_int_equal(run.flow.constructs[0].end, 2 * count - 1);
    assert_int_equal(run.flow.constructs[count - 1].end, count);
    assert_int_equal(run.flow.constructs[count - 1].depth, count - 1);
    finish(&run);
}

/* Every closer is of the wrong kind: each must be refused without a search through what is open. */
static void million_mismatched(void **state)
{
    (void)state;
    const int count = 1000000;
    struct sch_ir_shader *shader = create(1024);
    for (int i = 0; i < 1000; i++) add(shader, SCH_OP_UIF, -1);
    for (int i = 0; i < count; i++) add(shader, SCH_OP_ENDLOOP, -1);
    struct run run;
    build(&run, shader);
    assert_false(run.sound);
    assert_int_equal(run.reports, count + 1000 + 1);
    finish(&run);
}

/* Subroutine i calls subroutine i + 1 twice: 2^n paths, walked in linear time. */
static void doubling_calls(void **state)
{
    (void)state;
    const int count = 100000;
    struct sch_ir_shader *shader = create(200000);
    add(shader, SCH_OP_CAL, 2);
    add(shader, SCH_OP_END, -1);
    for (int i = 0; i < count; i++) {
        int next = 2 + (i + 1) * 4;
        add(shader, SCH_OP_BGNSUB, -1);
        add(shader, i + 1 < count ? SCH_OP_CAL : SCH_OP_NOP, i + 1 < count ? next : -1);
        add(shader, i + 1 < count ? SCH_OP_CAL : SCH_OP_NOP, i + 1 < count ? next : -1);
        add(shader, SCH_OP_ENDSUB, -1);
    }
    struct run run;
    build(&run, shader);
    assert_true(run.sound);
    assert_int_equal(run.reports, 0);
    assert_int_equal(run.flow.max_depth, count);
    finish(&run);
}

static void out_of_memory(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = from_text("CAL:4 IF ENDIF END BGNSUB ENDSUB", 8);
    bool refused = false, done = false;
    for (int from = 1; from <= 16 && !done; from++) {
        struct counting counting = {.fail_from = from};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        struct run run = {.shader = shader};
        sch_arena_init(&run.arena, &allocator, 0);
        memset(&run.flow, 0xa5, sizeof run.flow);
        const enum sch_result status = sch_ir_flow_build(shader, &run.arena, &run.flow, keep, &run);
        done = status == SCH_OK;
        if (!done) {
            refused = true;
            assert_int_equal(status, SCH_ERROR_MEMORY);
            assert_null(run.flow.links);
            assert_int_equal(run.flow.max_depth, 0);
            assert_int_equal(run.report[run.reports - 1].problem, SCH_FLOW_MEMORY);
        }
        sch_arena_release(&run.arena);
    }
    assert_true(refused);
    assert_true(done);
    sch_ir_destroy(shader);
}

/* A random program of well nested constructs, and what its links are by a search that looks at one instruction at a
 * time. */
static uint32_t random_next(uint64_t *seed) { return (uint32_t)(random_number(seed) >> 32); }

static void random_program(struct sch_ir_shader *shader, uint64_t *seed)
{
    enum { DEPTH = 6 };
    unsigned open[DEPTH];
    bool split[DEPTH];
    int depth = 0;
    for (int i = 0; i < 60; i++) {
        unsigned pick = random_next(seed) % 8;
        if (pick < 3 && depth < DEPTH) {
            static const unsigned openers[] = {SCH_OP_UIF, SCH_OP_BGNLOOP, SCH_OP_SWITCH};
            open[depth] = openers[pick];
            split[depth++] = false;
            add(shader, openers[pick], -1);
            if (pick == 2) add(shader, SCH_OP_CASE, -1);
        } else if (pick < 5 && depth) {
            unsigned top = open[--depth];
            add(shader,
                top == SCH_OP_UIF       ? SCH_OP_ENDIF
                : top == SCH_OP_BGNLOOP ? SCH_OP_ENDLOOP
                                        : SCH_OP_ENDSWITCH,
                -1);
        } else if (pick == 5 && depth && !split[depth - 1] && open[depth - 1] != SCH_OP_BGNLOOP) {
            split[depth - 1] = true;
            add(shader, open[depth - 1] == SCH_OP_UIF ? SCH_OP_ELSE : SCH_OP_DEFAULT, -1);
        } else {
            bool loop = false, breakable = false;
            for (int j = 0; j < depth; j++) {
                loop |= open[j] == SCH_OP_BGNLOOP;
                breakable |= open[j] != SCH_OP_UIF;
            }
            add(shader, pick == 6 && breakable ? SCH_OP_BRK : pick == 7 && loop ? SCH_OP_CONT : SCH_OP_NOP, -1);
        }
    }
    while (depth) {
        unsigned top = open[--depth];
        add(shader, top == SCH_OP_UIF ? SCH_OP_ENDIF : top == SCH_OP_BGNLOOP ? SCH_OP_ENDLOOP : SCH_OP_ENDSWITCH, -1);
    }
    add(shader, SCH_OP_END, -1);
}

static int step(unsigned opcode)
{
    switch (opcode) {
    case SCH_OP_UIF:
    case SCH_OP_BGNLOOP:
    case SCH_OP_SWITCH:
        return 1;
    case SCH_OP_ENDIF:
    case SCH_OP_ENDLOOP:
    case SCH_OP_ENDSWITCH:
        return -1;
    default:
        return 0;
    }
}

/* The closer of the construct that is open after instruction `at`. */
static uint32_t search_end(const struct sch_ir_shader *shader, uint32_t at)
{
    int depth = 1;
    for (;;) {
        depth += step(shader->instructions[++at].opcode);
        if (!depth) return at;
    }
}

/* The innermost opener around `at` that is `wanted`, or `other`. */
static uint32_t search_opener(const struct sch_ir_shader *shader, uint32_t at, unsigned wanted, unsigned other)
{
    int depth = 0;
    for (;;) {
        unsigned opcode = shader->instructions[--at].opcode;
        depth -= step(opcode);
        if (depth < 0) {
            if (opcode == wanted || opcode == other) return at;
            depth = 0;
        }
    }
}

static void random_programs(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < 300; round++) {
        struct run run;
        struct sch_ir_shader *shader = create(64);
        random_program(shader, &seed);
        build(&run, shader);
        assert_true(run.sound);
        for (uint32_t i = 0; i < shader->instruction_count; i++) {
            const struct sch_ir_flow_link *link = &run.flow.links[i];
            const struct sch_ir_construct *constructs = run.flow.constructs;
            unsigned opcode = shader->instructions[i].opcode;
            uint32_t opener = NONE, found = link->construct;
            if (step(opcode) > 0) opener = i;
            if (opcode == SCH_OP_BRK) opener = search_opener(shader, i, SCH_OP_BGNLOOP, SCH_OP_SWITCH);
            if (opcode == SCH_OP_CONT) opener = search_opener(shader, i, SCH_OP_BGNLOOP, SCH_OP_BGNLOOP);
            if (opcode == SCH_OP_ELSE || opcode == SCH_OP_ENDIF)
                opener = search_opener(shader, i, SCH_OP_UIF, SCH_OP_UIF);
            if (opcode == SCH_OP_ENDLOOP) opener = search_opener(shader, i, SCH_OP_BGNLOOP, SCH_OP_BGNLOOP);
            if (opcode == SCH_OP_CASE || opcode == SCH_OP_DEFAULT || opcode == SCH_OP_ENDSWITCH)
                opener = search_opener(shader, i, SCH_OP_SWITCH, SCH_OP_SWITCH);
            if (opener != NONE && found == NONE) found = link->around; /* a part that opens nothing */
            if (opener == NONE) continue;
            assert_int_equal(constructs[found].opener, opener);
            assert_int_equal(constructs[found].end, search_end(shader, opener));
        }
        finish(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_is_linked), cmocka_unit_test(parts_and_kinds),  cmocka_unit_test(broken_structure),
        cmocka_unit_test(without_reporter),    cmocka_unit_test(nesting_limit),    cmocka_unit_test(deepest_call_first),
        cmocka_unit_test(million_nested),      cmocka_unit_test(deep_and_allowed), cmocka_unit_test(million_mismatched),
        cmocka_unit_test(doubling_calls),      cmocka_unit_test(out_of_memory),    cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
