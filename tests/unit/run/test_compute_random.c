/* Random race-free compute programs against a scalar simulator: arithmetic, branches and loops that diverge, private
 * words of a buffer, words of shared memory that others read behind a barrier, commutative atomics. The simulator runs
 * one invocation after the other, from barrier to barrier, and knows nothing of groups, masks or vectors: it interprets
 * the list of statements that the text was printed from. */
#include "../support/by_code.h"
#include "../support/compute_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "../support/words.h"

enum { TEMPS = 4, STATEMENTS = 64, BINS = 8, MOST_THREADS = 150, PHASE_DEPTH = 3 };

enum kind {
    COMPUTE,
    LOAD_OWN,
    STORE_OWN,
    LOAD_SHARED,
    STORE_SHARED,
    ATOMIC,
    BARRIER_,
    IF_,
    ELSE_,
    ENDIF_,
    LOOP,
    ENDLOOP_,
    TWICE,
    END_TWICE
};

struct statement {
    enum kind kind;
    unsigned op, dst, a, b; /* b >= TEMPS: an immediate */
    unsigned partner;       /* the invocation read from: own number + partner, round the work group */
};

struct program {
    struct statement list[STATEMENTS + 16];
    unsigned count;
    uint32_t block, groups; /* invocations of a work group, work groups */
    uint64_t seed;
};

/* ---- making ---- */

static unsigned pick(struct program *p, unsigned limit) { return (unsigned)(random_number(&p->seed) % limit); }

static struct statement *add(struct program *p, enum kind kind)
{
    struct statement *s = &p->list[p->count++];
    *s = (struct statement){.kind = kind, .op = pick(p, 6), .dst = pick(p, TEMPS), .a = pick(p, TEMPS)};
    s->b = pick(p, TEMPS + 2);
    s->partner = pick(p, 64);
    return s;
}

/* Statements without barriers; words of shared memory are written only in a phase of writes, by their owner, and read
 * only in a phase of reads. */
static void add_body(struct program *p, unsigned depth, bool reads, unsigned room)
{
    static const enum kind plain[] = {COMPUTE, COMPUTE, COMPUTE, LOAD_OWN, STORE_OWN, ATOMIC};
    unsigned statements = 1 + pick(p, 4);
    for (unsigned n = 0; n < statements && p->count + 8 < room; n++) {
        unsigned what = pick(p, 10);
        if (what == 0 && depth < PHASE_DEPTH) {
            add(p, IF_);
            add_body(p, depth + 1, reads, room - 4);
            if (pick(p, 2)) {
                add(p, ELSE_);
                add_body(p, depth + 1, reads, room - 4);
            }
            add(p, ENDIF_);
        } else if (what == 1 && depth < PHASE_DEPTH) {
            add(p, LOOP);
            add_body(p, PHASE_DEPTH, reads, room - 4);
            add(p, ENDLOOP_);
        } else if (what < 4) {
            add(p, reads ? LOAD_SHARED : STORE_SHARED);
        } else {
            add(p, plain[pick(p, sizeof plain / sizeof *plain)]);
        }
    }
}

static void make(struct program *p, uint64_t seed)
{
    *p = (struct program){.seed = seed};
    p->block = 1 + pick(p, MOST_THREADS - 1);
    p->groups = 1 + pick(p, 3);
    unsigned twice = pick(p, 6); /* the phase that all run twice, barriers and all; often none */
    for (unsigned phase = 0, phases = 1 + pick(p, 4); phase < phases; phase++) {
        unsigned room = STATEMENTS * (phase + 1) / phases;
        if (phase == twice) add(p, TWICE);
        add_body(p, 0, false, room);
        add(p, BARRIER_);
        add_body(p, 0, true, room);
        add(p, BARRIER_);
        if (phase == twice) add(p, END_TWICE);
    }
    for (unsigned t = 0; t < TEMPS; t++) add(p, STORE_OWN)->a = t;
    for (unsigned t = 0; t < TEMPS; t++) p->list[p->count - TEMPS + t].op = t;
}

/* ---- as text ---- */

static const char *const op_names[] = {"UADD", "UMUL", "XOR", "UMAX", "USHR", "USLT"};
static const char *const atomic_names[] = {"ATOMUADD", "ATOMXOR", "ATOMUMAX", "ATOMUMIN", "ATOMIMAX", "ATOMIMIN"};

static const char *operand(unsigned b)
{
    static const char *const names[] = {"TEMP[0].xxxx", "TEMP[1].xxxx", "TEMP[2].xxxx",
                                        "TEMP[3].xxxx", "IMM[0].yyyy",  "IMM[1].xxxx"};
    return names[b];
}

/* TEMP[4]: x own byte address in the buffer, y own in shared memory, z a scratch, w loop counter; TEMP[5] scratch. The
 * buffer has TEMPS words for each invocation. IMM[0] = {2, 1, block, 4}, IMM[1] = {0x9e3779b9, 0, 3, 7}. */
static void print_statement(const struct statement *s, struct words *text)
{
    switch (s->kind) {
    case COMPUTE:
        put(text, "%s TEMP[%u].x, TEMP[%u].xxxx, %s\n", op_names[s->op], s->dst, s->a, operand(s->b));
        break;
    case LOAD_OWN:
        put(text, "LOAD TEMP[%u].x, BUFFER[0].%s, TEMP[4].xxxx\n", s->dst,
            (const char *[]){"xxxx", "yyyy", "zzzz", "wwww"}[s->op % TEMPS]);
        break;
    case STORE_OWN:
        put(text, "STORE BUFFER[0].%c, TEMP[4].xxxx, TEMP[%u].xxxx\n", "xyzw"[s->op % TEMPS], s -> a);
        break;
    case STORE_SHARED:
        put(text, "STORE MEMORY[0].x, TEMP[4].yyyy, TEMP[%u].xxxx\n", s->a);
        break;
    case LOAD_SHARED:
        put(text, "UADD TEMP[4].z, SV[0].xxxx, IMM[2].xxxx\n");
        for (unsigned k = 1; k < s->partner; k++)
            put(text, "%s", k > 2 ? "" : "UADD TEMP[4].z, TEMP[4].zzzz, IMM[2].xxxx\n");
        put(text,
            "UMOD TEMP[4].z, TEMP[4].zzzz, IMM[0].zzzz\nSHL TEMP[4].z, TEMP[4].zzzz, IMM[0].xxxx\n"
            "LOAD TEMP[%u].x, MEMORY[0], TEMP[4].zzzz\n",
            s->dst);
        break;
    case ATOMIC:
        put(text,
            "AND TEMP[4].z, TEMP[%u].xxxx, IMM[1].zzzz\nSHL TEMP[4].z, TEMP[4].zzzz, IMM[0].xxxx\n"
            "%s TEMP[5].x, BUFFER[%u], TEMP[4].zzzz, %s\n",
            s->a, atomic_names[s->op], 1 + s->op, operand(s->b));
        break;
    case BARRIER_:
        put(text, "BARRIER\n");
        break;
    case IF_:
        put(text, "USLT TEMP[5].x, TEMP[%u].xxxx, %s\nUIF TEMP[5].xxxx\n", s->a, operand(s->b));
        break;
    case ELSE_:
        put(text, "ELSE\n");
        break;
    case ENDIF_:
        put(text, "ENDIF\n");
        break;
    case LOOP: /* (a & 3) turns */
        put(text,
            "AND TEMP[4].w, TEMP[%u].xxxx, IMM[1].zzzz\nBGNLOOP\nUSEQ TEMP[5].x, TEMP[4].wwww, IMM[1].yyyy\n"
            "UIF TEMP[5].xxxx\nBRK\nENDIF\nUADD TEMP[4].w, TEMP[4].wwww, IMM[2].yyyy\n",
            s->a);
        break;
    case TWICE:
        put(text, "MOV TEMP[5].y, IMM[0].xxxx\nBGNLOOP\nUSEQ TEMP[5].x, TEMP[5].yyyy, IMM[1].yyyy\n"
                  "UIF TEMP[5].xxxx\nBRK\nENDIF\nUADD TEMP[5].y, TEMP[5].yyyy, IMM[2].yyyy\n");
        break;
    case ENDLOOP_:
    case END_TWICE:
        put(text, "ENDLOOP\n");
        break;
    }
}

static void print_program(const struct program *p, struct words *text)
{
    *text = words_in(text->text, text->room);
    put(text,
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
        "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..6]\nDCL MEMORY[0], SHARED\nDCL TEMP[0..5]\n"
        "IMM[0] UINT32 {2, 1, %u, 4}\nIMM[1] UINT32 {2654435769, 0, 3, 7}\nIMM[2] UINT32 {37, 4294967295, 0, 0}\n"
        "UMAD TEMP[4].x, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\nMOV TEMP[0].x, TEMP[4].xxxx\n"
        "UMUL TEMP[1].x, TEMP[4].xxxx, IMM[1].xxxx\nMOV TEMP[2].x, SV[1].xxxx\n"
        "SHL TEMP[4].x, TEMP[4].xxxx, IMM[0].wwww\nSHL TEMP[4].y, SV[0].xxxx, IMM[0].xxxx\n",
        (unsigned)p->block, (unsigned)p->block);
    for (unsigned n = 0; n < p->count; n++) print_statement(&p->list[n], text);
    put(text, "END\n");
}

/* ---- as scalars ---- */

struct memory {
    uint32_t own[3 * MOST_THREADS][TEMPS];
    uint32_t bins[6][4];
};

struct invocation {
    uint32_t temp[TEMPS], turns, rounds;
    unsigned at, thread, index;
};

static uint32_t value_of(const struct invocation *v, unsigned b)
{
    return b < TEMPS ? v->temp[b] : b == TEMPS ? 1 : 2654435769u;
}

static uint32_t computed(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return a * b;
    case 2:
        return a ^ b;
    case 3:
        return a > b ? a : b;
    case 4:
        return a >> (b & 31);
    default:
        return a < b ? 0xffffffff : 0;
    }
}

static uint32_t updated(unsigned op, uint32_t old, uint32_t a)
{
    switch (op) {
    case 0:
        return old + a;
    case 1:
        return old ^ a;
    case 2:
        return a > old ? a : old;
    case 3:
        return a < old ? a : old;
    case 4:
        return (int32_t)a > (int32_t)old ? a : old;
    default:
        return (int32_t)a < (int32_t)old ? a : old;
    }
}

/* The matching ELSE, ENDIF or ENDLOOP behind statement `at`. */
static unsigned behind(const struct program *p, unsigned at, bool stop_at_else)
{
    unsigned depth = 0;
    for (unsigned n = at + 1;; n++) {
        enum kind kind = p->list[n].kind;
        if (!depth && (kind == ENDIF_ || kind == ENDLOOP_ || (kind == ELSE_ && stop_at_else))) return n;
        if (kind == IF_ || kind == LOOP) depth++;
        if (kind == ENDIF_ || kind == ENDLOOP_) depth--;
    }
}

static unsigned loop_start(const struct program *p, unsigned end)
{
    for (unsigned n = end;; n--)
        if (p->list[n].kind == LOOP && behind(p, n, false) == end) return n;
}

/* Runs one invocation to its next barrier; false at the end. */
static bool advance(const struct program *p, struct invocation *v, struct memory *memory, uint32_t *shared)
{
    while (v->at < p->count) {
        unsigned at = v->at++;
        const struct statement *s = &p->list[at];
        uint32_t a = v->temp[s->a], b = value_of(v, s->b);
        unsigned steps = s->partner > 3 ? 3 : s->partner ? s->partner : 1;
        switch (s->kind) {
        case COMPUTE:
            v->temp[s->dst] = computed(s->op, a, b);
            break;
        case LOAD_OWN:
            v->temp[s->dst] = memory->own[v->index][s->op % TEMPS];
            break;
        case STORE_OWN:
            memory->own[v->index][s->op % TEMPS] = a;
            break;
        case STORE_SHARED:
            shared[v->thread] = a;
            break;
        case LOAD_SHARED:
            v->temp[s->dst] = shared[(v->thread + 37 * steps) % p->block];
            break;
        case ATOMIC: {
            uint32_t *word = &memory->bins[s->op][a & 3];
            *word = updated(s->op, *word, b);
            break;
        }
        case BARRIER_:
            return true;
        case IF_:
            if (!(a < b)) v->at = behind(p, at, true) + 1;
            break;
        case ELSE_: /* reached from the first branch */
            v->at = behind(p, at, false) + 1;
            break;
        case ENDIF_:
            break;
        case LOOP:
            v->turns = a & 3;
            if (!v->turns--) v->at = behind(p, at, false) + 1;
            break;
        case TWICE:
            v->rounds = 1;
            break;
        case END_TWICE:
            if (v->rounds--)
                while (p->list[v->at - 1].kind != TWICE) v->at--;
            break;
        case ENDLOOP_:
            if (v->turns--) v->at = loop_start(p, at) + 1;
            break;
        }
    }
    return false;
}

static void simulate(const struct program *p, struct memory *memory)
{
    static struct invocation all[MOST_THREADS];
    for (uint32_t g = 0; g < p->groups; g++) {
        uint32_t shared[MOST_THREADS] = {0};
        for (uint32_t t = 0; t < p->block; t++) {
            uint32_t index = g * p->block + t;
            all[t] = (struct invocation){.temp = {index, index * 2654435769u, g, 0}, .thread = t, .index = index};
        }
        for (bool more = true; more;)
            for (uint32_t t = 0; t < p->block; t++) more = advance(p, &all[t], memory, shared);
    }
}

/* ---- comparing ---- */

static void fill(struct memory *memory, uint64_t seed)
{
    for (size_t n = 0; n < sizeof *memory / 4; n++) ((uint32_t *)(void *)memory)[n] = (uint32_t)random_number(&seed);
}

static void random_programs(void **state)
{
    (void)state;
    const char *longer = getenv("SCH_LONG");
    unsigned programs = by_code_share(longer && *longer == '1' ? 10000 : 2000, 40);
    static char room[16384];
    struct words text = words_in(room, sizeof room);
    static struct memory given, wanted, made;
    static struct program p;
    static const uint32_t widths[] = {4, 8, 16};
    for (unsigned n = 0; n < programs; n++) {
        make(&p, n);
        print_program(&p, &text);
        fill(&given, n);
        wanted = made = given;
        simulate(&p, &wanted);
        struct compute compute;
        compute_open(&compute, text.text, widths[n % 3]);
        struct sch_storage_buffer buffers[7] = {{made.own, sizeof made.own}};
        for (unsigned k = 0; k < 6; k++)
            buffers[1 + k] = (struct sch_storage_buffer){made.bins[k], sizeof made.bins[k]};
        compute.bindings.buffers = buffers;
        compute.bindings.buffer_count = 7;
        compute.grid[0] = p.groups;
        compute.options.threads = 1 + n / 3 % 3;
        compute.options.unordered = n / 9 % 2; /* every atomic operation here is commutative */
        enum sch_result result = compute_run(&compute);
        compute_close(&compute);
        if (result != SCH_OK) fail_msg("program %u: %s\n%s", n, sch_result_text(result), text.text);
        if (memcmp(&made, &wanted, sizeof made) != 0)
            fail_msg("program %u, width %u: memory differs\n%s", n, widths[n % 3], text.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests_name("compute_random", tests, NULL, NULL);
}
