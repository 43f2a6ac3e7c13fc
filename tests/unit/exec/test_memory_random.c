/* Random programs of memory accesses, indexed registers and looks at other lanes: the engine under test leaves the same
 * bytes as the interpreter at width 4, whatever its own width. Addresses are steps of the thread's number, the same for
 * all, permuted or scattered; aligned or not, inside, across the end, far outside, round 2^32; lanes overlap each
 * other's words, and some of them do not execute. One thread: also what lanes do to each other's words has one
 * result. */
#include "../support/by_code.h"
#include "../support/compute_support.h"
#include "../support/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "../support/words.h"

enum { BUFFERS = 3, WORDS = 700, RESULT_WORDS = 10400, STATEMENTS = 24, GRID = 2 };

static const uint64_t programs = 24; /* SCH_ROUNDS: another number, and all widths of each */

struct memories {
    uint32_t buffer[BUFFERS][WORDS], result[RESULT_WORDS], constants[64];
};

struct text {
    struct words words;
    uint64_t seed;
    unsigned depth;
};

static unsigned pick(struct text *text, unsigned limit) { return (unsigned)(random_number(&text->seed) % limit); }

/* ---- making ---- */

/* IMM[0] is {0, 1, 2, 3}, IMM[1] {4, 8, 12, 16}, IMM[2] {20, -4, -64, 31}, IMM[3] {2768, 2792, 2800, 0x9e3779b9},
 * IMM[4] {60, -1, 5, 2}. TEMP[8].x: the address that an access uses. TEMP[9].x: the thread's number. */
static const char *const numbers[] = {"IMM[0].xxxx", "IMM[0].yyyy", "IMM[0].zzzz", "IMM[0].wwww", "IMM[1].xxxx",
                                      "IMM[1].yyyy", "IMM[1].zzzz", "IMM[1].wwww", "IMM[2].xxxx", "IMM[2].yyyy",
                                      "IMM[2].zzzz", "IMM[2].wwww", "IMM[3].xxxx", "IMM[3].yyyy", "IMM[3].zzzz",
                                      "IMM[3].wwww", "IMM[4].xxxx", "IMM[4].yyyy", "IMM[4].zzzz", "IMM[4].wwww"};
static const char *const swizzles[] = {"xyzw", "xxxx", "yyyy", "wzyx", "zzww"};
static const char *const masks[] = {"x", "y", "xy", "xyz", "xyzw", "xz", "yw", "w", "x", "xyzw"};

static const char *number(struct text *text) { return numbers[pick(text, sizeof numbers / sizeof *numbers)]; }

static void say_address(struct text *text)
{
    static const char *const steps[] = {"IMM[1].xxxx", "IMM[1].xxxx", "IMM[1].xxxx", "IMM[1].yyyy", "IMM[1].zzzz",
                                        "IMM[1].wwww", "IMM[1].wwww", "IMM[0].yyyy", "IMM[2].yyyy", "IMM[2].xxxx"};
    switch (pick(text, 8)) {
    default:
        put(&text->words, "UMAD TEMP[8].x, TEMP[9].xxxx, %s, %s\n", steps[pick(text, 10)],
            pick(text, 2) ? "IMM[0].xxxx" : number(text));
        break;
    case 0:
        put(&text->words, "MOV TEMP[8].x, %s\n", number(text));
        break;
    case 1:
        put(&text->words, "XOR TEMP[8].x, TEMP[9].xxxx, %s\nSHL TEMP[8].x, TEMP[8].xxxx, IMM[0].zzzz\n", number(text));
        break;
    case 2:
        put(&text->words, "UMUL TEMP[8].x, TEMP[%u].xxxx, IMM[3].wwww\nUMOD TEMP[8].x, TEMP[8].xxxx, IMM[3].zzzz\n",
            pick(text, 10));
        break;
    case 3:
        put(&text->words, "MOV TEMP[8].x, TEMP[%u].%s\n", pick(text, 8), swizzles[pick(text, 5)]);
        break;
    }
}

static const char *place(struct text *text)
{
    static const char *const places[] = {"BUFFER[0]", "BUFFER[1]", "BUFFER[2]", "BUFFER[0]",
                                         "BUFFER[1]", "MEMORY[0]", "MEMORY[1]", "BUFFER[5]"};
    return places[pick(text, 8)];
}

static void say_access(struct text *text)
{
    static const char *const atomics[] = {"UADD", "XCHG", "AND", "OR", "XOR", "UMIN", "UMAX", "IMIN", "IMAX"};
    say_address(text);
    switch (pick(text, 6)) {
    case 0:
        put(&text->words, "ATOM%s TEMP[%u].%s, %s, TEMP[8].xxxx, TEMP[%u].%s\n", atomics[pick(text, 9)], pick(text, 8),
            masks[pick(text, 10)], place(text), pick(text, 10), swizzles[pick(text, 5)]);
        break;
    case 1:
        put(&text->words, "LOAD TEMP[%u].%s, CONSTBUF[%u].%s, TEMP[8].xxxx\n", pick(text, 8), masks[pick(text, 10)],
            pick(text, 2), swizzles[pick(text, 5)]);
        break;
    case 2:
    case 3:
        put(&text->words, "STORE %s.%s, TEMP[8].xxxx, TEMP[%u].%s\n", place(text), masks[pick(text, 10)],
            pick(text, 10), swizzles[pick(text, 5)]);
        break;
    default:
        put(&text->words, "LOAD TEMP[%u].%s, %s.%s, TEMP[8].xxxx\n", pick(text, 8), masks[pick(text, 10)], place(text),
            swizzles[pick(text, 5)]);
        break;
    }
}

/* What lanes of a group see of each other. */
static void say_look(struct text *text)
{
    static const char *const looks[] = {"VOTE_ANY", "VOTE_ALL", "VOTE_EQ", "BALLOT", "READ_FIRST"};
    unsigned look = pick(text, 6);
    if (look == 5)
        put(&text->words, "READ_INVOC TEMP[%u].%s, TEMP[%u].%s, TEMP[9].%s\n", pick(text, 8), masks[pick(text, 10)],
            pick(text, 8), swizzles[pick(text, 5)], pick(text, 2) ? "xxxx" : "yyyy");
    else
        put(&text->words, "%s TEMP[%u].%s, TEMP[%u].%s\n", looks[look], pick(text, 8), masks[pick(text, 10)],
            pick(text, 8), look == 4 ? swizzles[pick(text, 5)] : "xxxx");
}

/* Registers by a number that is the same for all lanes, or not; some are outside. */
static void say_index(struct text *text)
{
    if (pick(text, 3))
        put(&text->words, "AND TEMP[8].y, TEMP[9].%s, IMM[0].wwww\nUARL ADDR[0].x, TEMP[8].yyyy\n",
            pick(text, 2) ? "xxxx" : "yyyy");
    else
        put(&text->words, "UARL ADDR[0].x, %s\n", number(text));
    switch (pick(text, 5)) {
    case 0:
        put(&text->words, "MOV TEMP[ADDR[0].x+%u](1).%s, TEMP[%u].%s\n", 10 + pick(text, 4), masks[pick(text, 10)],
            pick(text, 10), swizzles[pick(text, 5)]);
        break;
    case 1:
        put(&text->words, "UADD TEMP[ADDR[0].x+%u](1).%s, TEMP[ADDR[0].x+10](1).%s, TEMP[%u].%s\n", 10 + pick(text, 4),
            masks[pick(text, 10)], swizzles[pick(text, 5)], pick(text, 10), swizzles[pick(text, 5)]);
        break;
    case 2:
        put(&text->words, "UADD TEMP[%u].%s, CONST[ADDR[0].x+%u].%s, -TEMP[%u]\n", pick(text, 8), masks[pick(text, 10)],
            pick(text, 14), swizzles[pick(text, 5)], pick(text, 8));
        break;
    case 3:
        put(&text->words, "XOR TEMP[%u].%s, TEMP[%u], IMM[ADDR[0].x+%u].%s\n", pick(text, 8), masks[pick(text, 10)],
            pick(text, 8), pick(text, 3), swizzles[pick(text, 5)]);
        break;
    default:
        put(&text->words, "XOR TEMP[%u].%s, TEMP[%u], TEMP[ADDR[0].x+%u](1).%s\n", pick(text, 8), masks[pick(text, 10)],
            pick(text, 8), 10 + pick(text, 4), swizzles[pick(text, 5)]);
        break;
    }
}

static void say_statements(struct text *text, unsigned count);

static void say_block(struct text *text)
{
    static const char *const conditions[] = {"AND TEMP[8].z, TEMP[9].xxxx, %s\n", "USLT TEMP[8].z, TEMP[9].xxxx, %s\n",
                                             "USGE TEMP[8].z, TEMP[9].xxxx, %s\n", "USEQ TEMP[8].z, TEMP[9].xxxx, %s\n",
                                             "MOV TEMP[8].z, %s\n"};
    text->depth++;
    const char *limit = number(text);
    if (pick(text, 4)) {
        const char *condition = conditions[pick(text, 5)];
        put(&text->words, "%.*s%s%s", (int)(strchr(condition, '%') - condition), condition, limit,
            strchr(condition, '%') + 2);
        put(&text->words, "UIF TEMP[8].zzzz\n");
        say_statements(text, 1 + pick(text, 4));
        if (pick(text, 2)) put(&text->words, "ELSE\n");
        say_statements(text, 1 + pick(text, 3));
        put(&text->words, "ENDIF\n");
    } else { /* a loop of 0 to 3 turns */
        put(&text->words,
            "AND TEMP[9].z, TEMP[9].%s, IMM[0].wwww\nBGNLOOP\nUSEQ TEMP[8].z, TEMP[9].zzzz, IMM[0].xxxx\n"
            "UIF TEMP[8].zzzz\nBRK\nENDIF\nUADD TEMP[9].z, TEMP[9].zzzz, IMM[4].yyyy\n",
            pick(text, 2) ? "xxxx" : "yyyy");
        say_statements(text, 1 + pick(text, 4));
        put(&text->words, "ENDLOOP\n");
    }
    text->depth--;
}

static void say_statements(struct text *text, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        unsigned what = pick(text, 12);
        if (what == 0 && text->depth == 0)
            say_block(text);
        else if (what < 2)
            say_look(text);
        else if (what < 4)
            say_index(text);
        else if (what == 4)
            put(&text->words, "UADD TEMP[%u].%s, TEMP[%u], TEMP[%u].%s\n", pick(text, 8), masks[pick(text, 10)],
                pick(text, 10), pick(text, 10), swizzles[pick(text, 5)]);
        else
            say_access(text);
    }
}

static void make(struct text *text, uint64_t seed, uint32_t *threads)
{
    *text = (struct text){.words = words_in(text->words.text, text->words.room), .seed = seed};
    *threads = pick(text, 2) ? 64 : 1 + pick(text, 99);
    put(&text->words,
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
        "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..6]\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n"
        "DCL CONST[0..15]\nDCL CONSTBUF[0..1]\nDCL ADDR[0]\nDCL TEMP[0..9]\nDCL TEMP[10..13], ARRAY(1)\n"
        "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {4, 8, 12, 16}\nIMM[2] UINT32 {20, 4294967292, 4294967232, 31}\n"
        "IMM[3] UINT32 {2768, 2792, 2800, 2654435769}\nIMM[4] UINT32 {60, 4294967295, 8, 2}\n"
        "MOV TEMP[9].x, SV[0].xxxx\nMOV TEMP[9].y, SV[1].xxxx\nUMAD TEMP[9].w, SV[1].xxxx, IMM[3].wwww, SV[0].xxxx\n"
        "UMUL TEMP[0], TEMP[9].wwww, IMM[3].wwww\nUADD TEMP[1], SV[0].xxxx, IMM[1]\nXOR TEMP[2].yz, TEMP[0], TEMP[1]\n",
        *threads);
    say_statements(text, 4 + pick(text, STATEMENTS));
    /* All registers of each thread, in a buffer of their own, and then it is as it is. */
    put(&text->words,
        "UMAD TEMP[9].w, SV[1].xxxx, IMM[4].xxxx, SV[0].xxxx\nSHL TEMP[8].x, TEMP[9].wwww, IMM[4].zzzz\n");
    for (unsigned t = 0; t < 14; t++)
        if (t < 8 || t > 9)
            put(&text->words, "STORE BUFFER[6], TEMP[8].xxxx, TEMP[%u]\nUADD TEMP[8].x, TEMP[8].xxxx, IMM[1].wwww\n",
                t);
    put(&text->words, "END\n");
}

/* ---- running ---- */

static void fill(struct memories *m, uint64_t seed)
{
    uint32_t *words = (uint32_t *)(void *)m;
    for (size_t i = 0; i < sizeof *m / 4; i++) {
        uint64_t word = random_number(&seed);
        words[i] = word >> 62 ? (uint32_t)word : (uint32_t)(word & 127) * 4;
    }
}

static void run(const struct text *text, uint64_t seed, enum sch_engine engine, uint32_t width, struct memories *m,
                uint64_t *executed)
{
    struct compute compute;
    compute_open_on(&compute, text->words.text, engine, width);
    fill(m, seed);
    const struct sch_constant_buffer constants[2] = {{.data = m->constants, .bytes = sizeof m->constants},
                                                     {.data = (const uint8_t *)m->constants + 1, .bytes = 201}};
    struct sch_storage_buffer buffers[7] = {{m->buffer[0], sizeof m->buffer[0]},
                                            {m->buffer[1], sizeof m->buffer[1] - 7},
                                            {m->buffer[2], 64},
                                            {NULL, 0},
                                            {NULL, 0},
                                            {NULL, 0},
                                            {m->result, sizeof m->result}};
    compute.bindings.constants = constants;
    compute.bindings.constant_count = 2;
    compute.bindings.buffers = buffers;
    compute.bindings.buffer_count = 7;
    compute.grid[0] = GRID;
    compute.options.shared_bytes = 1000;
    compute.options.private_bytes = 96;
    assert_int_equal(compute_run(&compute), SCH_OK);
    *executed = compute.report.instructions;
    compute_close(&compute);
}

static void check(uint64_t seed, bool all_widths)
{
    static char room[16384];
    struct text text = {.words = words_in(room, sizeof room)};
    static struct memories expected, found;
    uint64_t expected_count, count;
    uint32_t threads;
    make(&text, seed, &threads);
    run(&text, seed, SCH_ENGINE_INTERPRETER, 4, &expected, &expected_count);
    for (uint32_t width = 4; width <= 16; width *= 2) {
        if (!all_widths && width != 4u << seed % 3) continue;
        run(&text, seed, engine_wanted(SCH_ENGINE_INTERPRETER), width, &found, &count);
        const uint32_t *a = (const uint32_t *)(const void *)&expected, *b = (const uint32_t *)(const void *)&found;
        for (size_t i = 0; i < sizeof found / 4; i++)
            if (a[i] != b[i])
                fail_msg("seed %llu width %u: word %zu is %08x, expected %08x\n%s", (unsigned long long)seed, width, i,
                         b[i], a[i], text.words.text);
        assert_int_equal(count, expected_count);
    }
}

static void test_random(void **state)
{
    (void)state;
    const char *given = getenv("SCH_SEED");
    uint64_t first = given ? strtoull(given, NULL, 0) : 1;
    const char *wanted = getenv("SCH_ROUNDS");
    uint64_t rounds = wanted ? strtoull(wanted, NULL, 0) : by_code_share(programs, 2);
    for (uint64_t seed = first; seed < first + rounds; seed++) check(seed, wanted != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
