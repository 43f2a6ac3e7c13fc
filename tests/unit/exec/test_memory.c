/* Memory instructions one by one, through the public API, at every width: loads, stores, atomics, queries; conflicts
 * between lanes, addresses outside, helpers, every kind of resource, refusals. Expectations are written here from the
 * specification and docs/semantics.md. Work groups are test_compute.c. */
#include "../support/atomic_cases.h"
#include "../support/compute_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint32_t widths[] = {4, 8, 16};
#define EACH_WIDTH(w) for (uint32_t w##_i = 0, w; w##_i < 3 && (w = widths[w##_i], 1); w##_i++)

enum { LANES = 40, FORMS = 8, WORDS = 16, REGISTERS = 4 };

/* Four input and output registers for each of 40 invocations, and a buffer of 16 words. */
struct field {
    uint32_t in[LANES][REGISTERS][4], out[LANES][REGISTERS][4];
    uint32_t words[WORDS];
    uint8_t helpers[LANES];
};

static const char head[] = "VERT\nDCL IN[0..3]\nDCL OUT[0..3], GENERIC[0]\nDCL TEMP[0..3]\n";

static void run_field(const char *body, uint32_t width, struct field *field, const struct sch_bindings *bindings)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s\nEND\n", head, body);
    struct compute compute;
    compute_open(&compute, text, width);
    struct sch_storage_buffer buffer = {field->words, sizeof field->words};
    if (bindings) compute.bindings = *bindings;
    if (!compute.bindings.buffers) {
        compute.bindings.buffers = &buffer;
        compute.bindings.buffer_count = 1;
    }
    assert_int_equal(
        compute_invoke(&compute, LANES, REGISTERS, &field->in[0][0][0], field->helpers, &field->out[0][0][0]), SCH_OK);
    compute_close(&compute);
}

/* ---- atomics ---- */

static void atomic_body(const char *name, char *body, size_t bytes)
{
    bool two = strcmp(name, "ATOMCAS") == 0;
    snprintf(body, bytes, "DCL BUFFER[0]\n%s TEMP[0].xz, BUFFER[0], IN[0].xxxx, IN[1].xxxx%s\nMOV OUT[0], TEMP[0]",
             name, two ? ", IN[2].xxxx" : "");
}

static void atomics_compute_what_the_text_says(void **state)
{
    (void)state;
    static struct field field;
    char body[256];
    EACH_WIDTH(width)
    for (size_t n = 0; n < sizeof atomic_cases / sizeof *atomic_cases; n++) {
        const struct atomic_case *c = &atomic_cases[n];
        memset(&field, 0, sizeof field);
        memset(field.helpers, 1, sizeof field.helpers);
        field.helpers[37] = 0;
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = 4 * 3;
            field.in[i][1][0] = c->a;
            field.in[i][2][0] = c->b;
        }
        field.words[3] = c->old;
        atomic_body(c->name, body, sizeof body);
        run_field(body, width, &field, NULL);
        if (field.words[3] != c->stored || field.out[37][0][0] != c->returned || field.out[37][0][2] != c->returned)
            fail_msg("%s %#x %#x: stored %#x, returned %#x", c->name, c->old, c->a, field.words[3],
                     field.out[37][0][0]);
        assert_int_equal(field.out[37][0][1], 0);
        assert_int_equal(field.out[36][0][0], 0); /* a helper */
    }
}

/* The formulas once more, for conflicts: what is stored for (old, a, b). */
static uint32_t updated(const char *name, uint32_t old, uint32_t a, uint32_t b)
{
    if (!strcmp(name, "ATOMUADD")) return old + a;
    if (!strcmp(name, "ATOMXCHG")) return a;
    if (!strcmp(name, "ATOMCAS")) return old == a ? b : old;
    if (!strcmp(name, "ATOMAND")) return old & a;
    if (!strcmp(name, "ATOMOR")) return old | a;
    if (!strcmp(name, "ATOMXOR")) return old ^ a;
    if (!strcmp(name, "ATOMUMIN")) return a < old ? a : old;
    if (!strcmp(name, "ATOMUMAX")) return a > old ? a : old;
    if (!strcmp(name, "ATOMIMIN")) return (int32_t)a < (int32_t)old ? a : old;
    if (!strcmp(name, "ATOMIMAX")) return (int32_t)a > (int32_t)old ? a : old;
    if (!strcmp(name, "ATOMINC_WRAP")) return old + 1 <= a ? old + 1 : 0;
    if (!strcmp(name, "ATOMDEC_WRAP")) return old && old < a ? old - 1 : 0;
    float x, y;
    memcpy(&x, &old, 4);
    memcpy(&y, &a, 4);
    x += y;
    memcpy(&old, &x, 4);
    return x != x ? 0x7fc00000 : old;
}

static void conflicting_atomics_ascend(void **state)
{
    (void)state;
    static struct field field;
    char body[256];
    uint64_t seed = 3;
    EACH_WIDTH(width)
    for (size_t n = 0; n < sizeof atomic_cases / sizeof *atomic_cases; n++) {
        const char *name = atomic_cases[n].name;
        uint32_t words[WORDS], returned[LANES];
        for (unsigned k = 0; k < WORDS; k++) field.words[k] = words[k] = (uint32_t)(random_number(&seed) & 7);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t at = (uint32_t)(random_number(&seed) % 24), a = (uint32_t)(random_number(&seed) & 7);
            uint32_t b = (uint32_t)random_number(&seed);
            field.helpers[i] = random_number(&seed) % 5 == 0;
            field.in[i][0][0] = 4 * at + (uint32_t)(random_number(&seed) & 3); /* the low bits do not count */
            field.in[i][1][0] = a;
            field.in[i][2][0] = b;
            returned[i] = 0;
            if (field.helpers[i] || at >= WORDS) continue;
            returned[i] = words[at];
            words[at] = updated(name, words[at], a, b);
        }
        atomic_body(name, body, sizeof body);
        run_field(body, width, &field, NULL);
        for (unsigned i = 0; i < LANES; i++) assert_int_equal(field.out[i][0][0], returned[i]);
        assert_memory_equal(field.words, words, sizeof words);
    }
}

/* ---- loads and stores ---- */

/* Address patterns that have ways of their own inside: equal, consecutive, descending, scattered, wrapping. */
static uint32_t address_of(unsigned form, unsigned lane, uint64_t *seed)
{
    switch (form) {
    case 0:
        return 20;
    case 1:
        return 4 * lane;
    case 2:
        return 4 * (LANES - lane);
    case 3:
        return 0xffffffc0u + 4 * lane; /* past 2^32 and back to 0 */
    case 4:
        return 4 * lane + 3;
    case 5:
        return 100; /* outside */
    case 6:
        return 8 * lane;
    default:
        return (uint32_t)(random_number(seed) % 80);
    }
}

static uint32_t word_of(const uint32_t *words, size_t bytes, uint32_t address, unsigned component)
{
    uint64_t at = (address & ~3u) + 4ull * component;
    return at + 4 <= bytes ? words[at / 4] : 0;
}

static void loads_read_words(void **state)
{
    (void)state;
    static struct field field;
    uint64_t seed = 11;
    for (unsigned k = 0; k < WORDS; k++) field.words[k] = (uint32_t)random_number(&seed);
    EACH_WIDTH(width)
    for (unsigned form = 0; form < 2 * FORMS; form++) {
        size_t bytes = sizeof field.words - form % 5; /* a last word that is not whole is outside */
        struct sch_storage_buffer buffer = {field.words, bytes};
        struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
        memset(field.helpers, 0, sizeof field.helpers);
        field.helpers[7] = 1; /* helpers load */
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][1] = address_of(form % FORMS, i, &seed);
        run_field("DCL BUFFER[0]\nLOAD TEMP[0], BUFFER[0], IN[0].yxxx\nLOAD TEMP[1].xw, BUFFER[0].zyxw, IN[0].yyyy\n"
                  "MOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t at = field.in[i][0][1];
            for (unsigned c = 0; c < 4; c++) assert_int_equal(field.out[i][0][c], word_of(field.words, bytes, at, c));
            assert_int_equal(field.out[i][1][0], word_of(field.words, bytes, at, 2));
            assert_int_equal(field.out[i][1][1], 0);
            assert_int_equal(field.out[i][1][3], word_of(field.words, bytes, at, 3));
        }
    }
}

static void stores_write_words(void **state)
{
    (void)state;
    static struct field field;
    static const char *const masks[] = {"x", "y", "xyzw", "xw", "z"};
    uint64_t seed = 12;
    char body[256];
    EACH_WIDTH(width)
    for (unsigned form = 0; form < 2 * 5 * FORMS; form++) {
        const char *mask = masks[form / FORMS % 5];
        uint32_t words[WORDS];
        for (unsigned k = 0; k < WORDS; k++) field.words[k] = words[k] = (uint32_t)random_number(&seed);
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = address_of(form % FORMS, i, &seed);
            field.helpers[i] = form < 5 * FORMS && i % 3 == 0;
            for (unsigned c = 0; c < 4; c++) {
                field.in[i][1][c] = (uint32_t)random_number(&seed);
                uint64_t at = (field.in[i][0][0] & ~3u) + 4ull * c;
                if (strchr(mask, "xyzw"[c]) && at < sizeof words && !field.helpers[i])
                    words[at / 4] = field.in[i][1][c];
            }
        }
        snprintf(body, sizeof body, "DCL BUFFER[0]\nSTORE BUFFER[0].%s, IN[0].xxxx, IN[1]", mask);
        run_field(body, width, &field, NULL);
        assert_memory_equal(field.words, words, sizeof words);
    }
}

/* A store in a branch is of its lanes; a killed lane stores no more. */
static void masks_and_kills_hold(void **state)
{
    (void)state;
    uint32_t in[LANES][1][4] = {0}, out[LANES][1][4], words[LANES];
    EACH_WIDTH(width)
    {
        struct compute compute;
        compute_open(&compute,
                     "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
                     "IMM[0] UINT32 {1, 10, 100, 1000}\n"
                     "UIF IN[0].yyyy\nSTORE BUFFER[0].x, IN[0].xxxx, IMM[0].xxxx\nENDIF\n"
                     "KILL_IF IN[0].zzzz\n"
                     "ATOMUADD TEMP[0].x, BUFFER[0], IN[0].xxxx, IMM[0].yyyy\n"
                     "UIF IN[0].wwww\nDEMOTE\nENDIF\n"
                     "ATOMUADD TEMP[0].x, BUFFER[0], IN[0].xxxx, IMM[0].zzzz\nEND\n",
                     width);
        struct sch_storage_buffer buffer = {words, sizeof words};
        compute.bindings.buffers = &buffer;
        compute.bindings.buffer_count = 1;
        memset(words, 0, sizeof words);
        for (unsigned i = 0; i < LANES; i++) {
            in[i][0][0] = 4 * i;
            in[i][0][1] = i & 1;
            in[i][0][2] = i & 2 ? 0xbf800000 : 0;
            in[i][0][3] = i & 4;
        }
        assert_int_equal(compute_invoke(&compute, LANES, 1, &in[0][0][0], NULL, &out[0][0][0]), SCH_OK);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(words[i], (i & 1 ? 1 : 0) + (i & 2 ? 0 : 10 + (i & 4 ? 0 : 100)));
        compute_close(&compute);
    }
}

/* ---- kinds of resources ---- */

static void queries_give_bytes(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH(width)
    {
        struct sch_storage_buffer buffers[2] = {{field.words, 62}, {NULL, 0}};
        struct sch_bindings bindings = {.size = sizeof bindings, .buffers = buffers, .buffer_count = 2};
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = i % 4;
        run_field("DCL BUFFER[0..3]\nDCL RES[0], BUFFER, RAW\nDCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\n"
                  "RESQ TEMP[0], BUFFER[ADDR[0].x]\nRESQ TEMP[1], RES[0]\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++) {
            assert_int_equal(field.out[i][0][0], i % 4 ? 0 : 62);
            assert_int_equal(field.out[i][0][1] | field.out[i][0][2] | field.out[i][0][3], 0);
            assert_int_equal(field.out[i][1][0], 62);
        }
    }
}

/* BUFFER[ADDR]: each lane its own; stores in the order of lanes, whichever buffer they go to. */
static void buffers_are_indexed(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH(width)
    {
        uint32_t words[4][2] = {{10, 0}, {11, 0}, {12, 0}, {13, 0}};
        struct sch_storage_buffer buffers[5];
        for (unsigned b = 0; b < 4; b++) buffers[b] = (struct sch_storage_buffer){words[b], sizeof words[b]};
        buffers[4] = buffers[0]; /* one memory under two numbers */
        struct sch_bindings bindings = {.size = sizeof bindings, .buffers = buffers, .buffer_count = 5};
        memset(field.helpers, 0, sizeof field.helpers);
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = i % 7; /* 5 and 6 are not bound */
            field.in[i][0][1] = i == 39 ? (uint32_t)-3 : i;
            field.in[i][1][0] = 100 + i;
        }
        run_field("DCL BUFFER[0..6]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 4, 0, 0}\nUARL ADDR[0].xy, IN[0].xyyy\n"
                  "LOAD TEMP[0].x, BUFFER[ADDR[0].x], IMM[0].xxxx\n"
                  "LOAD TEMP[0].y, BUFFER[ADDR[0].y+2].xxxx, IMM[0].xxxx\n"
                  "STORE BUFFER[ADDR[0].x].x, IMM[0].yyyy, IN[1].xxxx\nMOV OUT[0], TEMP[0]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++) {
            assert_int_equal(field.out[i][0][0], i % 7 < 4 ? 10 + i % 7 : i % 7 == 4 ? 10 : 0);
            assert_int_equal(field.out[i][0][1], i < 2 ? 12 + i : i == 2 ? 10 : 0);
        }
        assert_int_equal(words[0][1], 139); /* lane 39 by buffer 4, after lane 35 by buffer 0 */
        assert_int_equal(words[1][1], 136);
        assert_int_equal(words[3][1], 138);
    }
}

static void counters_count(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH(width)
    {
        uint32_t first[4] = {0, 0, 0, 9}, second[8] = {0};
        struct sch_storage_buffer counters[2] = {{first, sizeof first}, {second, sizeof second}};
        struct sch_bindings bindings = {.size = sizeof bindings, .hw_atomics = counters, .hw_atomic_count = 2};
        memset(field.helpers, 0, sizeof field.helpers);
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = i % 5;
        run_field("DCL HWATOMIC[0][0..3], ARRAY(1)\nDCL HWATOMIC[1][0..9], ARRAY(2)\nDCL ADDR[0]\n"
                  "IMM[0] UINT32 {8, 1, 5, 0}\nUARL ADDR[0].x, IN[0].xxxx\n"
                  "ATOMUADD TEMP[0].x, HWATOMIC[0][2], IMM[0].xxxx, IMM[0].yyyy\n"
                  "ATOMUADD TEMP[0].y, HWATOMIC[1][ADDR[0].x+5](2), IMM[0].xxxx, IMM[0].zzzz\n"
                  "LOAD TEMP[1], HWATOMIC[0][2], IMM[0].wwww\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++) {
            assert_int_equal(field.out[i][0][0], i);
            assert_int_equal(field.out[i][0][1], i % 5 < 3 ? i / 5 * 5 : 0); /* counters 8 and 9 are not bound */
            assert_int_equal(field.out[i][1][0], i < 32 ? 32 : 40);
            assert_int_equal(field.out[i][1][1] | field.out[i][1][3], 0);
        }
        uint32_t wanted[8] = {0, 0, 0, 0, 0, 40, 40, 40};
        assert_memory_equal(second, wanted, sizeof wanted);
        assert_int_equal(first[2], 40);
        assert_int_equal(first[0] | first[1], 0);
        assert_int_equal(first[3], 9); /* and is no part of counter 2 */
    }
}

/* Times four, these numbers are addresses of counters again, but for the bits that are lost. */
static void counters_far_away_are_none(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {0xc0000000, 0xc0000001, 0x80000000, 0x80000001, 0x40000000, 0x40000002,
                                       0xffffffff, 0xfffffffe, 0x7fffffff, 0x3fffffff, 1};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    static struct field field;
    EACH_WIDTH(width)
    {
        uint32_t words[4] = {5, 6, 7, 8};
        struct sch_storage_buffer counters = {words, sizeof words};
        struct sch_bindings bindings = {.size = sizeof bindings, .hw_atomics = &counters, .hw_atomic_count = 1};
        memset(field.helpers, 0, sizeof field.helpers);
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = numbers[i % NUMBERS];
        run_field("DCL HWATOMIC[0][0..3], ARRAY(1)\nDCL ADDR[0]\nIMM[0] UINT32 {8, 1, 5, 0}\n"
                  "UARL ADDR[0].x, IN[0].xxxx\n"
                  "ATOMUADD TEMP[0].x, HWATOMIC[0][ADDR[0].x](1), IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0], TEMP[0]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(field.out[i][0][0], i % NUMBERS == NUMBERS - 1 ? 6 + i / NUMBERS : 0);
        const uint32_t wanted[4] = {5, 6 + LANES / NUMBERS, 7, 8};
        assert_memory_equal(words, wanted, sizeof wanted);
    }
}

static void resources_are_raw_or_typed(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH(width)
    {
        uint32_t words[3][8];
        struct sch_storage_buffer buffers[3];
        for (unsigned b = 0; b < 3; b++) {
            for (unsigned k = 0; k < 8; k++) words[b][k] = 100 * b + k;
            buffers[b] = (struct sch_storage_buffer){words[b], sizeof words[b]};
        }
        struct sch_bindings bindings = {.size = sizeof bindings, .buffers = buffers, .buffer_count = 3};
        memset(field.helpers, 0, sizeof field.helpers);
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = i == 5 ? 0x10000001 : i; /* 16 times this is past 2^32, not 16 */
            field.in[i][0][1] = i % 3;
        }
        run_field("DCL RES[0], BUFFER, RAW, WR\nDCL RES[1], BUFFER, WR\nDCL RES[2], BUFFER, RAW\nDCL ADDR[0]\n"
                  "IMM[0] UINT32 {28, 1, 7, 0}\n"
                  "LOAD TEMP[0], RES[0], IN[0]\nLOAD TEMP[1], RES[1].wzyx, IN[0]\n"
                  "STORE RES[1].zw, IMM[0].yyyy, IMM[0]\nUARL ADDR[0].x, IN[0].yyyy\n"
                  "STORE RES[ADDR[0].x].x, IMM[0].xxxx, IMM[0].zzzz\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < 32; i++) /* before the stores */
            for (unsigned c = 0; c < 4; c++) {
                unsigned word = i / 4 + c;
                assert_int_equal(field.out[i][0][c], i != 5 && word < 8 ? word : 0);
                assert_int_equal(field.out[i][1][c], i < 2 ? 100 + 4 * i + 3 - c : 0);
            }
        assert_int_equal(words[0][7], 7);
        assert_int_equal(words[1][6], 7);
        assert_int_equal(words[1][7], 0);
        assert_int_equal(words[1][4], 104);
        assert_int_equal(words[2][7], 207); /* without WR nothing is written */
    }
}

/* Element numbers that would be consecutive words if they were byte addresses. */
static void elements_are_no_bytes(void **state)
{
    (void)state;
    static struct field field;
    static uint32_t words[LANES * 16];
    for (unsigned k = 0; k < LANES * 16; k++) words[k] = k;
    struct sch_storage_buffer buffer = {words, sizeof words};
    struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
    EACH_WIDTH(width)
    {
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = 4 * i;
        run_field("DCL RES[0], BUFFER\nLOAD TEMP[0], RES[0], IN[0]\nMOV OUT[0], TEMP[0]", width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned c = 0; c < 4; c++) assert_int_equal(field.out[i][0][c], 16 * i + c);
    }
}

static void memory_has_kinds(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH(width)
    {
        uint32_t global[2] = {5, 6}, input[2] = {7, 8};
        struct sch_bindings bindings = {
            .size = sizeof bindings, .global_memory = {global, sizeof global}, .input_memory = {input, sizeof input}};
        memset(field.helpers, 0, sizeof field.helpers);
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = i;
        run_field(
            "DCL MEMORY[0], GLOBAL\nDCL MEMORY[1], SHARED\nDCL MEMORY[2], PRIVATE\nDCL MEMORY[3], INPUT\n"
            "DCL ADDR[0]\nIMM[0] UINT32 {0, 4, 1, 3}\n"
            "LOAD TEMP[0].xy, MEMORY[0], IMM[0].xxxx\nLOAD TEMP[0].zw, MEMORY[3].xxxy, IMM[0].xxxx\n"
            "ATOMUADD TEMP[1].x, MEMORY[1], IMM[0].yyyy, IMM[0].zzzz\n"
            "ATOMUADD TEMP[1].y, MEMORY[2], IMM[0].yyyy, IMM[0].zzzz\n"
            "ATOMUADD TEMP[1].z, MEMORY[2], IMM[0].yyyy, IMM[0].zzzz\n"
            "UARL ADDR[0].x, IMM[0].wwww\nSTORE MEMORY[ADDR[0].x].x, IMM[0].xxxx, IN[0].xxxx\n"
            "ATOMUADD TEMP[2].x, MEMORY[ADDR[0].x], IMM[0].xxxx, IMM[0].yyyy\n"
            "LOAD TEMP[1].w, MEMORY[3].xxxx, IMM[0].xxxx\n"
            "STORE MEMORY[2].x, IMM[0].xxxx, IN[0].xxxx\nLOAD TEMP[2].y, MEMORY[2].xxxx, IMM[0].xxxx\n"
            "SHL TEMP[3].x, IN[0].xxxx, IMM[0].wwww\nSHL TEMP[3].y, IN[0].xxxx, IMM[0].zzzz\n"
            "SHL TEMP[3].y, TEMP[3].yyyy, IMM[0].zzzz\n"
            "STORE MEMORY[2].x, TEMP[3].yyyy, IN[0].xxxx\nLOAD TEMP[2].zw, MEMORY[2].xxxy, TEMP[3].yyyy\n"
            "STORE MEMORY[0].x, IMM[0].yyyy, IN[0].xxxx\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]\nMOV OUT[2], TEMP[2]",
            width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++) {
            assert_int_equal(field.out[i][0][0], 5);
            assert_int_equal(field.out[i][0][1], i < 32 ? 6 : 31); /* the first group wrote it */
            assert_int_equal(field.out[i][0][2], 7);
            assert_int_equal(field.out[i][0][3], 8);
            assert_int_equal(field.out[i][1][0], i % 32); /* shared: one a group, zero at its start */
            assert_int_equal(field.out[i][1][1], 0);
            assert_int_equal(field.out[i][1][2], 1);
            assert_int_equal(field.out[i][1][3], 7); /* INPUT is read only */
            assert_int_equal(field.out[i][2][0], 0);
            assert_int_equal(field.out[i][2][1], i);         /* private: every invocation has its own word 0, */
            assert_int_equal(field.out[i][2][2], i);         /* and its own words at 4, 8, ... */
            assert_int_equal(field.out[i][2][3], i ? 0 : 2); /* word 1 of the first counts the two atomics */
        }
        assert_int_equal(global[1], 39);
        assert_int_equal(input[0], 7);
    }
}

/* Mesa declares MEMORY[1] and uses MEMORY[0]. */
static void undeclared_memory_is_the_declared_one(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH(width)
    {
        memset(field.helpers, 0, sizeof field.helpers);
        run_field("DCL MEMORY[1], SHARED\nIMM[0] UINT32 {8, 77, 0, 0}\nSTORE MEMORY[0].x, IMM[0].xxxx, IMM[0].yyyy\n"
                  "LOAD TEMP[0].x, MEMORY[1], IMM[0].xxxx\nMOV OUT[0], TEMP[0]",
                  width, &field, NULL);
        for (unsigned i = 0; i < LANES; i++) assert_int_equal(field.out[i][0][0], 77);
    }
}

static void constant_buffers_load(void **state)
{
    (void)state;
    static struct field field;
    uint8_t bytes[3 + 16];
    for (unsigned k = 0; k < 16; k++) bytes[3 + k] = (uint8_t)(16 + k);
    struct sch_constant_buffer constants[2] = {{NULL, 0}, {bytes + 3, 14}}; /* anywhere in memory */
    struct sch_bindings bindings = {.size = sizeof bindings, .constants = constants, .constant_count = 2};
    EACH_WIDTH(width)
    {
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = i;
        run_field("DCL CONSTBUF[0..2]\nLOAD TEMP[0], CONSTBUF[1], IN[0].xxxx\nLOAD TEMP[1], CONSTBUF[2], IN[0].xxxx\n"
                  "MOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]",
                  width, &field, &bindings);
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t b = 4 * (i / 4 + c), word = (b + 3) << 24 | (b + 2) << 16 | (b + 1) << 8 | b;
                assert_int_equal(field.out[i][0][c], b + 4 <= 14 ? word + 0x10101010 : 0);
                assert_int_equal(field.out[i][1][c], 0);
            }
    }
}

/* Nothing bound at all, and a saturated load. */
static void unbound_is_empty(void **state)
{
    (void)state;
    uint32_t out[LANES][2][4];
    EACH_WIDTH(width)
    {
        struct compute compute;
        compute_open(
            &compute,
            "VERT\nDCL OUT[0..1], GENERIC[0]\nDCL BUFFER[0]\nDCL HWATOMIC[0][0]\nDCL MEMORY[0], GLOBAL\n"
            "DCL MEMORY[1], SHARED\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 1073741824, 3}\n"
            "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\nATOMUADD TEMP[0].y, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n"
            "ATOMXCHG TEMP[0].z, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[0], IMM[0].xxxx, IMM[0]\n"
            "STORE MEMORY[1].x, IMM[0].xxxx, IMM[0].zzzz\nLOAD_SAT TEMP[1].x, MEMORY[1], IMM[0].xxxx\n"
            "MOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]\nEND\n",
            width);
        assert_int_equal(compute_invoke(&compute, LANES, 2, NULL, NULL, &out[0][0][0]), SCH_OK);
        for (unsigned i = 0; i < LANES; i++) {
            for (unsigned c = 0; c < 4; c++) assert_int_equal(out[i][0][c], 0);
            assert_int_equal(out[i][1][0], 0x3f800000);
        }
        compute_close(&compute);
    }
}

/* ---- borders ---- */

static void wrong_bindings_are_refused(void **state)
{
    (void)state;
    struct compute compute;
    uint32_t words[4] = {0};
    compute_open(&compute, "COMP\nDCL BUFFER[0]\nDCL TEMP[0]\nLOAD TEMP[0], BUFFER[0], TEMP[0]\nEND\n", 0);
    struct sch_storage_buffer bad[] = {{(uint8_t *)words + 1, 8}, {NULL, 8}};
    for (unsigned n = 0; n < 2; n++) {
        struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &bad[n], .buffer_count = 1};
        compute.bindings = bindings;
        assert_int_equal(compute_run(&compute), SCH_ERROR_ARGUMENT);
        compute.bindings = (struct sch_bindings){.size = sizeof bindings, .hw_atomics = &bad[n], .hw_atomic_count = 1};
        assert_int_equal(compute_run(&compute), SCH_ERROR_ARGUMENT);
        compute.bindings = (struct sch_bindings){.size = sizeof bindings, .global_memory = bad[n]};
        assert_int_equal(compute_run(&compute), SCH_ERROR_ARGUMENT);
    }
    compute.bindings = (struct sch_bindings){.size = sizeof compute.bindings, .buffer_count = 1};
    assert_int_equal(compute_run(&compute), SCH_ERROR_ARGUMENT);
    compute.bindings.buffer_count = 0;
    compute.options.size -= 8;
    assert_int_equal(compute_run(&compute), SCH_ERROR_ARGUMENT);
    compute_close(&compute);
}

/* A million addresses, most of them outside, in memory that ends at a page which cannot be touched. */
static void no_access_is_outside(void **state)
{
    (void)state;
    enum { COUNT = 4096, ROUNDS = 82, BYTES = 4096 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_READ | PROT_WRITE), 0);
    uint8_t *memory = pages + 2 * page - BYTES;
    uint32_t(*in)[4] = malloc(COUNT * sizeof *in), (*out)[4] = malloc(COUNT * sizeof *out);
    assert_true(in && out);
    uint64_t seed = 99;
    unsigned round = 0;
    for (; round < ROUNDS; round++) {
        struct compute compute;
        compute_open(&compute,
                     "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL BUFFER[0..1]\nDCL CONST[0][0..15]\nDCL TEMP[0..3]\n"
                     "DCL ADDR[0]\nDCL MEMORY[0], GLOBAL\nUARL ADDR[0].xyzw, IN[0]\n"
                     "LOAD TEMP[0], BUFFER[ADDR[0].y], IN[0].xxxx\nSTORE BUFFER[0], IN[0].zzzz, IN[0]\n"
                     "ATOMXCHG TEMP[1].x, MEMORY[0], IN[0].wwww, IN[0].xxxx\n"
                     "MOV TEMP[2], CONST[0][ADDR[0].z]\nMOV TEMP[3].x, TEMP[ADDR[0].w].xxxx\n"
                     "MOV OUT[0].x, TEMP[0]\nMOV OUT[0].y, TEMP[2]\nEND\n",
                     widths[round % 3]);
        struct sch_storage_buffer buffers[2] = {{memory, BYTES}, {memory + BYTES - 8, 8}};
        struct sch_constant_buffer constants = {memory + BYTES - 64, 64};
        compute.bindings.buffers = buffers;
        compute.bindings.buffer_count = 2;
        compute.bindings.constants = &constants;
        compute.bindings.constant_count = 1;
        compute.bindings.global_memory = buffers[0];
        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned c = 0; c < 4; c++) {
                uint64_t r = random_number(&seed);
                /* Anything; near the end; near 2^32. */
                in[i][c] = r % 3 == 0   ? (uint32_t)(r >> 32)
                           : r % 3 == 1 ? BYTES - 32 + (uint32_t)(r >> 32) % 64
                                        : (uint32_t) - (r >> 60);
            }
        for (unsigned i = 0; i < COUNT; i++) in[i][1] %= 5;
        /* What loads read is written by others: only that outside reads give 0 is seen here. */
        assert_int_equal(compute_invoke(&compute, COUNT, 1, &in[0][0], NULL, &out[0][0]), SCH_OK);
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t buffer = in[i][1], at = in[i][0] & ~3u, limit = buffer == 0 ? BYTES : buffer == 1 ? 8 : 0;
            if (at >= limit) assert_int_equal(out[i][0], 0);
            if (in[i][2] >= 4) assert_int_equal(out[i][1], 0);
        }
        compute_close(&compute);
    }
    free(in);
    free(out);
    munmap(pages, 3 * page);
}

/* Per-vertex inputs and constants in two dimensions, indexed by anything: what is there, else 0. The arrays end where
 * their last word does, so that a build with checks notices a step outside. */
static void no_register_is_outside(void **state)
{
    (void)state;
    enum { COUNT = 4096, ROUNDS = 84, VERTICES = 3, INPUTS = 3, CONSTANTS = 4 };
    uint32_t(*in)[VERTICES][INPUTS][4] = malloc(COUNT * sizeof *in), (*out)[4] = malloc(COUNT * sizeof *out);
    uint32_t(*constants)[CONSTANTS][4] = malloc(2 * sizeof *constants);
    assert_true(in && out && constants);
    uint64_t seed = 5;
    struct compute compute;
    for (unsigned round = 0; round < ROUNDS; round++) {
        compute_open(&compute,
                     "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0..2], GENERIC[0]\nDCL OUT[0], GENERIC[9]\n"
                     "DCL CONST[0][0..3]\nDCL CONST[1][0..3]\nDCL TEMP[0]\nDCL ADDR[0]\nUARL ADDR[0], IN[0][0]\n"
                     "MOV TEMP[0].x, IN[ADDR[0].x][ADDR[0].y].xxxx\nMOV TEMP[0].y, CONST[ADDR[0].z][ADDR[0].w].xxxx\n"
                     "MOV TEMP[0].z, IN[2][ADDR[0].z].wwww\nMOV TEMP[0].w, CONST[1][ADDR[0].y].wwww\n"
                     "MOV OUT[0], TEMP[0]\nEND\n",
                     widths[round % 3]);
        const struct sch_constant_buffer buffers[2] = {{constants[0], sizeof constants[0]}, {constants[1], 44}};
        compute.bindings.constants = buffers;
        compute.bindings.constant_count = 2;
        for (unsigned k = 0; k < 2 * CONSTANTS * 4; k++) (&constants[0][0][0])[k] = (uint32_t)random_number(&seed);
        for (size_t k = 0; k < (size_t)COUNT * VERTICES * INPUTS * 4; k++) {
            uint64_t r = random_number(&seed);
            (&in[0][0][0][0])[k] = r % 2   ? (uint32_t)(r >> 32)
                                   : r % 4 ? (uint32_t)(r >> 32) % 6
                                           : (uint32_t) - (r >> 61);
        }
        struct sch_invocations work = {.size = sizeof work,
                                       .count = COUNT,
                                       .inputs = &in[0][0][0][0],
                                       .input_bytes = COUNT * sizeof *in,
                                       .input_registers = INPUTS,
                                       .input_vertices = VERTICES,
                                       .outputs = &out[0][0],
                                       .output_bytes = COUNT * sizeof *out,
                                       .output_registers = 1};
        assert_int_equal(sch_dispatch(compute.program, &compute.bindings, &work, NULL, NULL), SCH_OK);
        for (unsigned i = 0; i < COUNT; i++) {
            const uint32_t *at = in[i][0][0];
            bool whole = at[2] == 0 || (at[2] == 1 && at[3] < 3); /* the second buffer has eleven words */
            assert_int_equal(out[i][0], at[0] < VERTICES && at[1] < INPUTS ? in[i][at[0]][at[1]][0] : 0);
            assert_int_equal(out[i][1], at[3] < CONSTANTS && whole ? constants[at[2]][at[3]][0] : 0);
            assert_int_equal(out[i][2], at[2] < INPUTS ? in[i][2][at[2]][3] : 0);
            assert_int_equal(out[i][3], at[1] < 2 ? constants[1][at[1]][3] : 0);
        }
        compute_close(&compute);
    }
    free(in);
    free(out);
    free(constants);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_compute_what_the_text_says),
        cmocka_unit_test(conflicting_atomics_ascend),
        cmocka_unit_test(loads_read_words),
        cmocka_unit_test(stores_write_words),
        cmocka_unit_test(masks_and_kills_hold),
        cmocka_unit_test(queries_give_bytes),
        cmocka_unit_test(buffers_are_indexed),
        cmocka_unit_test(counters_count),
        cmocka_unit_test(counters_far_away_are_none),
        cmocka_unit_test(resources_are_raw_or_typed),
        cmocka_unit_test(elements_are_no_bytes),
        cmocka_unit_test(memory_has_kinds),
        cmocka_unit_test(undeclared_memory_is_the_declared_one),
        cmocka_unit_test(constant_buffers_load),
        cmocka_unit_test(unbound_is_empty),
        cmocka_unit_test(wrong_bindings_are_refused),
        cmocka_unit_test(no_access_is_outside),
        cmocka_unit_test(no_register_is_outside),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
