/* Control flow under divergent masks against a walk of one lane at a time. Random programs (nested IF, UIF, ELSE, loops
 * with divergent BRK and CONT, switches with fall-through and a DEFAULT anywhere, subroutines with early RET, KILL_IF,
 * DEMOTE) are made as trees. The tree is emitted as a shader and run by the library at every width; and it is walked
 * directly, lane by lane, by the recursive walk below, which knows no masks, no frames and no instructions. Each
 * statement stirs an accumulator, so that equal results mean equal paths. SCH_LONG=1 runs more programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/by_code.h"
#include "../support/pool_of_tests.h"
#include "../support/random_number.h"
#include "exec/exec.h"
#include "ir_make.h"
#include "run/run.h"

enum {
    LANES = 75, /* two full groups and a part of one */
    SUBROUTINES = 3,
    NODES = 400,
    LOOPS = 40,
    LABELS = 6,
    STEPS = 4000, /* of one lane; programs that take more are not used */
    ACC = 0,      /* TEMP[0].x: the accumulator */
    CONDITION = 1,
    FIRST_COUNTER = 2
};

/* ---- random numbers: splitmix64 ---- */

static uint64_t seed_state;

static uint32_t any(void) { return (uint32_t)(random_number(&seed_state) >> 16); }
static uint32_t below(uint32_t limit) { return any() % limit; }

/* ---- the tree ---- */

enum kind { STIR, BRANCH, LOOP, SWITCH, BREAK, CONTINUE, RETURN, CALL, KILL_IF, DEMOTE, HELPER };

/* A condition is (accumulator ^ input component) & mask; true when it is not 0. */
struct node {
    enum kind kind;
    uint32_t number; /* STIR: the multiplier's salt; LOOP: which counter; CALL: which subroutine */
    uint32_t limit;  /* LOOP: iterations */
    unsigned component;
    uint32_t mask;
    bool as_float, has_else;
    struct node *next;
    struct node *body, *other; /* BRANCH; LOOP: body */
    unsigned labels;           /* SWITCH */
    uint32_t value[LABELS];    /* of each label */
    bool is_default[LABELS];
    struct node *statements[LABELS];
};

struct program {
    struct node nodes[NODES];
    unsigned node_count, loop_count;
    struct node *body[SUBROUTINES + 1]; /* 0: main; the others may call later ones only */
};

/* What a statement may do depends on what is around it. */
struct place {
    unsigned depth, function;
    bool in_loop, in_switch;
};

static struct node *make_list(struct program *p, struct place place);

static void make_switch(struct program *p, struct node *node, struct place place)
{
    node->mask = 7;
    node->labels = 1 + below(LABELS);
    unsigned fallback = below(LABELS + 2);
    place.in_switch = true;
    for (unsigned i = 0; i < node->labels; i++) {
        node->is_default[i] = i == fallback;
        node->value[i] = below(8); /* equal values happen: the first counts */
        node->statements[i] = below(4) ? make_list(p, place) : NULL;
    }
}

static struct node *make_node(struct program *p, struct place place)
{
    static const enum kind simple[] = {STIR, STIR, BREAK, CONTINUE, RETURN, CALL, KILL_IF, DEMOTE, HELPER};
    static const enum kind nested[] = {BRANCH, BRANCH, LOOP, SWITCH};
    bool deep = place.depth < 5 && p->node_count < NODES - 60;
    struct node *node = &p->nodes[p->node_count++];
    *node = (struct node){.kind = deep && below(2) ? nested[below(4)] : simple[below(9)],
                          .number = any(),
                          .component = below(4),
                          .mask = 1u << below(6) | (below(3) ? 0 : 1u << below(6)),
                          .as_float = below(3) == 0};
    if (node->kind == BREAK && !place.in_loop && !place.in_switch) node->kind = STIR;
    if (node->kind == CONTINUE && !place.in_loop) node->kind = STIR;
    if (node->kind == CALL && place.function == SUBROUTINES) node->kind = STIR;
    if (node->kind == RETURN && below(2)) node->kind = STIR;
    if (node->kind == LOOP && p->loop_count == LOOPS) node->kind = BRANCH;
    place.depth++;
    if (node->kind == CALL) node->number = place.function + 1 + below(SUBROUTINES - place.function);
    if (node->kind == BRANCH) {
        node->body = make_list(p, place);
        node->has_else = below(2);
        if (node->has_else) node->other = make_list(p, place);
    }
    if (node->kind == SWITCH) make_switch(p, node, place);
    if (node->kind == LOOP) {
        node->number = p->loop_count++;
        node->limit = 1 + below(4);
        place.in_loop = true;
        place.in_switch = false;
        node->body = make_list(p, place);
    }
    return node;
}

static struct node *make_list(struct program *p, struct place place)
{
    struct node *first = NULL, **link = &first;
    for (unsigned n = 1 + below(4); n > 0 && p->node_count < NODES - 20; n--) {
        *link = make_node(p, place);
        link = &(*link)->next;
    }
    return first;
}

static void make_program(struct program *p, uint64_t seed)
{
    seed_state = seed;
    p->node_count = p->loop_count = 0;
    for (unsigned f = 0; f <= SUBROUTINES; f++) p->body[f] = make_list(p, (struct place){.function = f});
}

/* ---- the walk: one lane, straight from the tree ---- */

enum signal { GO_ON, BROKE, CONTINUED, RETURNED, ENDED };

struct lane {
    uint32_t acc, input[4];
    uint64_t budget; /* what is left */
    bool killed, demoted, too_long, out_of_budget;
    unsigned steps;
};

static bool true_condition(const struct node *node, const struct lane *lane)
{
    return ((lane->acc ^ lane->input[node->component]) & node->mask) != 0;
}

/* A loop iteration or call: a helper without budget ends, another lane fails the run. */
static bool pay(struct lane *lane)
{
    if (lane->budget) {
        lane->budget--;
        return true;
    }
    lane->out_of_budget = !lane->demoted;
    return false;
}

static enum signal walk_list(const struct program *p, const struct node *node, struct lane *lane);

static enum signal walk_loop(const struct program *p, const struct node *node, struct lane *lane)
{
    for (uint32_t counter = 1; counter <= node->limit; counter++) {
        enum signal signal = walk_list(p, node->body, lane);
        if (signal == BROKE) return GO_ON;
        if (signal == RETURNED || signal == ENDED) return signal;
        if (!pay(lane)) return ENDED;
    }
    return GO_ON;
}

static enum signal walk_switch(const struct program *p, const struct node *node, struct lane *lane)
{
    uint32_t value = (lane->acc ^ lane->input[node->component]) & node->mask;
    unsigned start = node->labels;
    for (unsigned i = node->labels; i-- > 0;)
        if (node->is_default[i]) start = i;
    for (unsigned i = node->labels; i-- > 0;)
        if (!node->is_default[i] && node->value[i] == value) start = i;
    for (unsigned i = start; i < node->labels; i++) {
        enum signal signal = walk_list(p, node->statements[i], lane);
        if (signal == BROKE) return GO_ON;
        if (signal != GO_ON) return signal;
    }
    return GO_ON;
}

static enum signal walk_node(const struct program *p, const struct node *node, struct lane *lane)
{
    switch (node->kind) {
    case STIR:
        lane->acc = lane->acc * 0x01000193u + (node->number | 1u);
        return GO_ON;
    case BRANCH:
        if (true_condition(node, lane)) return walk_list(p, node->body, lane);
        return node->has_else ? walk_list(p, node->other, lane) : GO_ON;
    case LOOP:
        return walk_loop(p, node, lane);
    case SWITCH:
        return walk_switch(p, node, lane);
    case BREAK:
        return BROKE;
    case CONTINUE:
        return CONTINUED;
    case RETURN:
        return RETURNED;
    case CALL:
        if (!pay(lane)) return ENDED;
        return walk_list(p, p->body[node->number], lane) == ENDED ? ENDED : GO_ON;
    case KILL_IF:
        if (!true_condition(node, lane)) return GO_ON;
        lane->killed = true;
        return ENDED; /* without quads a killed lane ends */
    case DEMOTE:
        lane->demoted = true;
        return GO_ON;
    case HELPER:
        lane->acc ^= lane->demoted ? UINT32_MAX : 0;
        return GO_ON;
    }
    return GO_ON;
}

static enum signal walk_list(const struct program *p, const struct node *node, struct lane *lane)
{
    for (; node; node = node->next) {
        if (++lane->steps > STEPS) {
            lane->too_long = true;
            return ENDED;
        }
        enum signal signal = walk_node(p, node, lane);
        if (signal != GO_ON) return signal;
    }
    return GO_ON;
}

/* ---- the same tree as a shader ---- */

struct emitter {
    struct sch_ir_shader *shader;
    uint32_t calls[NODES], callees[NODES];
    unsigned call_count;
    uint32_t begins[SUBROUTINES + 1];
};

static struct sch_ir_src temp(int index) { return make_src(SCH_FILE_TEMPORARY, index, 0); }

static void emit(struct emitter *e, enum sch_opcode opcode, int to, unsigned sources, struct sch_ir_src a,
                 struct sch_ir_src b, struct sch_ir_src c)
{
    struct sch_ir_dst dst = make_dst(SCH_FILE_TEMPORARY, to, 1);
    struct sch_ir_src src[3] = {a, b, c};
    make_op(e->shader, opcode, to >= 0 ? &dst : NULL, sources, src);
}

static void emit_plain(struct emitter *e, enum sch_opcode opcode) { emit(e, opcode, -1, 0, temp(0), temp(0), temp(0)); }

/* TEMP[CONDITION].x = (accumulator ^ input) & mask */
static void emit_condition(struct emitter *e, const struct node *node)
{
    struct sch_ir_src input = make_src(SCH_FILE_INPUT, 0, node->component);
    emit(e, SCH_OP_XOR, CONDITION, 2, temp(ACC), input, input);
    emit(e, SCH_OP_AND, CONDITION, 2, temp(CONDITION), make_word(e->shader, node->mask), input);
}

static void emit_list(struct emitter *e, const struct node *node);

static void emit_branch(struct emitter *e, const struct node *node)
{
    emit_condition(e, node);
    if (node->as_float) emit(e, SCH_OP_U2F, CONDITION, 1, temp(CONDITION), temp(0), temp(0));
    emit(e, node->as_float ? SCH_OP_IF : SCH_OP_UIF, -1, 1, temp(CONDITION), temp(0), temp(0));
    emit_list(e, node->body);
    if (node->has_else) {
        emit_plain(e, SCH_OP_ELSE);
        emit_list(e, node->other);
    }
    emit_plain(e, SCH_OP_ENDIF);
}

static void emit_loop(struct emitter *e, const struct node *node)
{
    int counter = FIRST_COUNTER + (int)node->number;
    emit(e, SCH_OP_MOV, counter, 1, make_word(e->shader, 0), temp(0), temp(0));
    emit_plain(e, SCH_OP_BGNLOOP);
    emit(e, SCH_OP_USGE, CONDITION, 2, temp(counter), make_word(e->shader, node->limit), temp(0));
    emit(e, SCH_OP_UIF, -1, 1, temp(CONDITION), temp(0), temp(0));
    emit_plain(e, SCH_OP_BRK);
    emit_plain(e, SCH_OP_ENDIF);
    emit(e, SCH_OP_UADD, counter, 2, temp(counter), make_word(e->shader, 1), temp(0));
    emit_list(e, node->body);
    emit_plain(e, SCH_OP_ENDLOOP);
}

static void emit_switch(struct emitter *e, const struct node *node)
{
    emit_condition(e, node);
    emit(e, SCH_OP_SWITCH, -1, 1, temp(CONDITION), temp(0), temp(0));
    for (unsigned i = 0; i < node->labels; i++) {
        if (node->is_default[i])
            emit_plain(e, SCH_OP_DEFAULT);
        else
            emit(e, SCH_OP_CASE, -1, 1, make_word(e->shader, node->value[i]), temp(0), temp(0));
        emit_list(e, node->statements[i]);
    }
    emit_plain(e, SCH_OP_ENDSWITCH);
}

/* -1.0 where the condition holds, else 0.0, for KILL_IF. */
static void emit_kill(struct emitter *e, const struct node *node)
{
    emit_condition(e, node);
    emit(e, SCH_OP_USNE, CONDITION, 2, temp(CONDITION), make_word(e->shader, 0), temp(0));
    emit(e, SCH_OP_I2F, CONDITION, 1, temp(CONDITION), temp(0), temp(0));
    emit(e, SCH_OP_KILL_IF, -1, 1, temp(CONDITION), temp(0), temp(0));
}

static void emit_node(struct emitter *e, const struct node *node)
{
    switch (node->kind) {
    case STIR:
        emit(e, SCH_OP_UMAD, ACC, 3, temp(ACC), make_word(e->shader, 0x01000193u),
             make_word(e->shader, node->number | 1u));
        return;
    case BRANCH:
        emit_branch(e, node);
        return;
    case LOOP:
        emit_loop(e, node);
        return;
    case SWITCH:
        emit_switch(e, node);
        return;
    case BREAK:
        emit_plain(e, SCH_OP_BRK);
        return;
    case CONTINUE:
        emit_plain(e, SCH_OP_CONT);
        return;
    case RETURN:
        emit_plain(e, SCH_OP_RET);
        return;
    case CALL:
        e->calls[e->call_count] = (uint32_t)e->shader->instruction_count;
        e->callees[e->call_count++] = node->number;
        emit_plain(e, SCH_OP_CAL);
        return;
    case KILL_IF:
        emit_kill(e, node);
        return;
    case DEMOTE:
        emit_plain(e, SCH_OP_DEMOTE);
        return;
    case HELPER:
        emit(e, SCH_OP_READ_HELPER, CONDITION, 0, temp(0), temp(0), temp(0));
        emit(e, SCH_OP_XOR, ACC, 2, temp(ACC), temp(CONDITION), temp(0));
        return;
    }
}

static void emit_list(struct emitter *e, const struct node *node)
{
    for (; node; node = node->next) emit_node(e, node);
}

/* What compilers compile was checked, and checks ask for declarations. */
static void declare(struct sch_ir_shader *shader, enum sch_file file, int last)
{
    const struct sch_ir_declaration declaration = {.file = (uint8_t)file, .last = last, .usage_mask = 15};
    make_check(sch_ir_add_declaration(shader, &declaration) == SCH_OK, "no room for a declaration");
}

static struct sch_ir_shader *emit_program(const struct program *p)
{
    struct emitter e = {.shader = make_shader(SCH_STAGE_FRAGMENT)};
    declare(e.shader, SCH_FILE_INPUT, 1);
    declare(e.shader, SCH_FILE_OUTPUT, ACC);
    declare(e.shader, SCH_FILE_TEMPORARY, FIRST_COUNTER + LOOPS);
    emit(&e, SCH_OP_MOV, ACC, 1, make_src(SCH_FILE_INPUT, 1, 0), temp(0), temp(0));
    emit_list(&e, p->body[0]);
    emit_plain(&e, SCH_OP_END);
    for (unsigned f = 1; f <= SUBROUTINES; f++) {
        e.begins[f] = (uint32_t)e.shader->instruction_count;
        emit_plain(&e, SCH_OP_BGNSUB);
        emit_list(&e, p->body[f]);
        emit_plain(&e, SCH_OP_ENDSUB);
    }
    for (unsigned c = 0; c < e.call_count; c++) {
        struct sch_ir_instruction *call = &e.shader->instructions[e.calls[c]];
        call->has_label = true;
        call->label = e.begins[e.callees[c]];
    }
    /* The accumulator is OUT[0].x: what a lane had when it ended is what it shows. */
    for (size_t n = 0; n < e.shader->instruction_count; n++) {
        struct sch_ir_instruction *in = &e.shader->instructions[n];
        if (in->dst_count && in->dst[0].index.index == ACC) in->dst[0].file = SCH_FILE_OUTPUT;
        for (unsigned s = 0; s < in->src_count; s++)
            if (in->src[s].file == SCH_FILE_TEMPORARY && in->src[s].index.index == ACC)
                in->src[s].file = SCH_FILE_OUTPUT;
    }
    return e.shader;
}

/* ---- comparison ---- */

struct figures {
    unsigned programs, skipped, instructions, out_of_budget;
    uint64_t killed;
};

static struct lane lanes[LANES];
static uint32_t inputs[LANES][2][4];

static void fill_lanes(uint64_t budget)
{
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i] = (struct lane){.acc = any(), .budget = budget};
        for (unsigned c = 0; c < 4; c++) lanes[i].input[c] = inputs[i][0][c] = any();
        inputs[i][1][0] = lanes[i].acc;
        inputs[i][1][1] = inputs[i][1][2] = inputs[i][1][3] = 0;
    }
}

static void compare(const struct sch_ir_shader *shader, unsigned width, uint64_t budget, uint64_t seed)
{
    struct sch_exec_program *program;
    struct sch_exec_options options = {.lanes = width};
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 4);
    enum sch_result status = sch_exec_create(shader, &options, &sch_allocator_libc, &diagnostics, &program);
    if (status != SCH_OK)
        fail_msg("seed %llu: create answers %d: %s", (unsigned long long)seed, status,
                 diagnostics.count ? diagnostics.items[0].message : "");

    static uint32_t outputs[LANES][4];
    static uint8_t killed[LANES];
    struct sch_invocations invocations = {.count = LANES,
                                          .inputs = inputs[0][0],
                                          .input_registers = 2,
                                          .outputs = outputs[0],
                                          .output_registers = 1,
                                          .killed = killed};
    struct sch_run_options run = {.pool = pool_of_tests(), .threads = width == 4 ? 2 : 1, .budget = budget};
    struct sch_run_report report;
    status = sch_run_invocations(program, NULL, &invocations, &run, &report);
    sch_exec_destroy(program);
    sch_diagnostics_release(&diagnostics);

    bool spent = false;
    for (unsigned i = 0; i < LANES; i++) spent = spent || lanes[i].out_of_budget;
    assert_int_equal(status, spent ? SCH_ERROR_BUDGET : SCH_OK);
    if (status == SCH_ERROR_BUDGET) {
        unsigned opcode = shader->instructions[report.instruction].opcode;
        if (report.invocation >= LANES || !lanes[report.invocation].out_of_budget)
            fail_msg("seed %llu width %u: lane %u is within its budget", (unsigned long long)seed, width,
                     report.invocation);
        for (unsigned i = 0; i < report.invocation / 32 * 32; i++) assert_false(lanes[i].out_of_budget);
        assert_true(opcode == SCH_OP_ENDLOOP || opcode == SCH_OP_CAL);
        assert_int_equal(report.position.line, report.instruction + 1);
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        if (outputs[i][0] != lanes[i].acc || killed[i] != (lanes[i].killed || lanes[i].demoted))
            fail_msg("seed %llu width %u lane %u: 0x%08x, the walk says 0x%08x; killed %u, the walk says %u",
                     (unsigned long long)seed, width, i, outputs[i][0], lanes[i].acc, killed[i],
                     lanes[i].killed || lanes[i].demoted);
    }
}

static void torture(uint64_t seed, struct figures *figures)
{
    static struct program p;
    make_program(&p, seed);
    uint64_t budget = below(4) ? 1u << 20 : 1 + below(20);
    fill_lanes(budget);
    bool out_of_budget = false;
    for (unsigned i = 0; i < LANES; i++) {
        walk_list(&p, p.body[0], &lanes[i]);
        if (lanes[i].too_long) {
            figures->skipped++;
            return;
        }
        figures->killed += lanes[i].killed;
        out_of_budget = out_of_budget || lanes[i].out_of_budget;
    }
    figures->out_of_budget += out_of_budget;
    struct sch_ir_shader *shader = emit_program(&p);
    figures->programs++;
    figures->instructions += (unsigned)shader->instruction_count;
    for (unsigned width = 4; width <= 16; width *= 2)
        if (!by_code_skips(40)) compare(shader, width, budget, seed);
    sch_ir_destroy(shader);
}

static void random_programs(void **state)
{
    (void)state;
    unsigned count = by_code_share(getenv("SCH_LONG") ? 200000 : getenv("SCH_PART") ? 500 : 5000, 100);
    struct figures figures = {0};
    for (unsigned n = 0; n < count; n++) torture(n, &figures);
    printf("# %u programs, %u instructions, %u too long to walk, %u out of budget, %llu killed lanes\n",
           figures.programs, figures.instructions, figures.skipped, figures.out_of_budget,
           (unsigned long long)figures.killed);
    assert_true(figures.programs > count / 2);
    assert_true(figures.killed > count);
    assert_true(figures.out_of_budget > count / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
