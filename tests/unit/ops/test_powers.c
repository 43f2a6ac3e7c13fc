/* POW by exponents that are immediates, of which machine code has ways of its own, against POW by the same exponents
 * from inputs, bit by bit, through the public API at every width. What a power is, others test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

enum { COUNT = 293, INPUTS = 2, OUTPUTS = 2, TEXT = 1024 };

struct setup {
    char text[TEXT];
    struct sch_invocations work;
    uint32_t inputs[COUNT][INPUTS][4], outputs[COUNT][OUTPUTS][4];
};

/* Bases: edges, numbers of few bits, whose powers lie in the middle of two floats or are floats, numbers near 1, and
 * any words. */
static uint32_t base(unsigned i)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffc12345, 0x7f800001, 1,          0x80000001, 0x007fffff,
                                     0x00800000, 0x7f7fffff, 0xff7fffff, 0x40000000, 0xc0400000, 0x3f000000};
    const unsigned count = sizeof edges / sizeof *edges;
    if (i < count) return edges[i];
    uint32_t word = i * 2654435761u;
    switch (i % 4) {
    case 0:
        return 0x3f800000u + ((word >> 20 | 1u) << 11); /* 13 bits: squares of 26 */
    case 1:
        return 0x3d000000u + (word >> 6); /* below 1, where powers become denormal */
    case 2:
        return 0x3f800000u + (word >> 12) - (1u << 19);
    default:
        return word;
    }
}

static struct setup *new_setup(const uint32_t exponents[4])
{
    struct setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    int length = snprintf(s->text, TEXT,
                          "FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0..1], COLOR\n"
                          "IMM[0] UINT32 {%u, %u, %u, %u}\n",
                          exponents[0], exponents[1], exponents[2], exponents[3]);
    static const char *const all[] = {"xxxx", "yyyy", "zzzz", "wwww"};
    for (unsigned c = 0; c < 4; c++)
        length += snprintf(s->text + length, TEXT - (size_t)length,
                           "POW OUT[0].%c, IN[0].xxxx, IMM[0].%s\nPOW OUT[1].%c, IN[0].xxxx, IN[1].%s\n", all[c][0],
                           all[c], all[c][0], all[c]);
    snprintf(s->text + length, TEXT - (size_t)length, "END\n");
    for (unsigned i = 0; i < COUNT; i++) {
        s->inputs[i][0][0] = base(i);
        memcpy(s->inputs[i][1], exponents, sizeof s->inputs[i][1]);
    }
    s->work = (struct sch_invocations){.size = sizeof s->work,
                                       .count = COUNT,
                                       .inputs = s->inputs[0][0],
                                       .input_bytes = sizeof s->inputs,
                                       .input_registers = INPUTS,
                                       .outputs = s->outputs[0][0],
                                       .output_bytes = sizeof s->outputs,
                                       .output_registers = OUTPUTS};
    return s;
}

static void run_width(struct setup *s, unsigned width)
{
    memset(s->outputs, 0xee, sizeof s->outputs);
    api_run(s->text, width, &s->work, NULL);
}

static void check(const uint32_t exponents[4])
{
    struct setup *s = new_setup(exponents);
    API_EACH_WIDTH(run_width, s)
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (s->outputs[i][0][c] == s->outputs[i][1][c]) continue;
            print_error("width %u: 0x%08x ^ 0x%08x is 0x%08x, by a register 0x%08x\n", width, base(i), exponents[c],
                        s->outputs[i][0][c], s->outputs[i][1][c]);
            fail();
        }
    /* Something must come out: 4 is 2 to the second, with exponents that have it. */
    for (unsigned c = 0; c < 4; c++)
        if (exponents[c] == 0x40000000) assert_int_equal(s->outputs[15][0][c], 0x40800000);
    free(s);
}

static void whole(void **state)
{
    (void)state;
    static const float exponents[][4] = {{1, 2, 3, 4}, {5, 7, 8, 16}, {32, 33, 64, 100}, {127, 128, 254, 255}};
    for (unsigned i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        uint32_t words[4];
        for (unsigned c = 0; c < 4; c++) words[c] = api_bits(exponents[i][c]);
        check(words);
    }
}

static void other(void **state)
{
    (void)state;
    static const float exponents[][4] = {{0, -1, -2, 256}, {0.5f, 2.2f, 0.25f, 1.5f}, {-0.1f, 1e-20f, 1e20f, 257}};
    for (unsigned i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        uint32_t words[4];
        for (unsigned c = 0; c < 4; c++) words[c] = api_bits(exponents[i][c]);
        check(words);
    }
}

static void edges(void **state)
{
    (void)state;
    check((const uint32_t[4]){0x7f800000, 0xff800000, 0x7fc00000, 0x80000000});
    check((const uint32_t[4]){1, 0x7f7fffff, 0xffc54321, 0x3f7fffff});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(other),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
