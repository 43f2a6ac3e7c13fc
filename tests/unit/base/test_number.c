/* Numbers as text, read and written: what base/number does must be what the C library does, which is exact too (the
 * tests run in the locale that has a point). Knows nothing of shaders. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "base/number.h"

enum { PLACE = 4096 };

/* The same bytes before a page that cannot be read: whoever reads behind the end of a text does not come back. */
static const char *at_the_edge(const char *text, size_t length)
{
    static char *edge;
    if (!edge) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        char *memory = mmap(NULL, PLACE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(memory != MAP_FAILED && page % PLACE == 0);
        edge = memory + PLACE;
        assert_int_equal(mprotect(edge, page, PROT_NONE), 0);
    }
    assert_true(length <= PLACE);
    return memcpy(edge - length, text, length);
}

static uint64_t seed = 1;

static uint64_t next(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed ^ seed >> 29;
}

static uint64_t below(uint64_t count) { return (next() >> 11) % count; }

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double value_of(uint64_t bits, enum sch_float_width width)
{
    return width == SCH_FLOAT_32 ? (double)float_of((uint32_t)bits) : double_of(bits);
}

static bool is_finite(double value) { return value - value == 0; }

/* ---- reading ---- */

static void check_decimal(const char *text)
{
    const size_t length = strlen(text);
    const char *const edge = at_the_edge(text, length);
    const uint64_t read = sch_number_read_decimal(edge, length, SCH_FLOAT_64),
                   read_single = sch_number_read_decimal(edge, length, SCH_FLOAT_32);
    if (sch_number_scan_decimal(edge, length) != length) fail_msg("not all of %s", text);
    if (read != bits_of(strtod(text, NULL))) fail_msg("%s: %llx", text, (unsigned long long)read);
    if (read_single != bits_of_float(strtof(text, NULL))) fail_msg("%s: %llx", text, (unsigned long long)read_single);
}

static void decimals_are_read_exactly(void **state)
{
    (void)state;
    static const char *const rows[] = {"0",
                                       "-0",
                                       "+0.0",
                                       ".0",
                                       "0.",
                                       "1",
                                       "5.",
                                       ".5",
                                       "-.5",
                                       "+5.e0",
                                       "00012.500",
                                       "0.00000000000000000000000000001",
                                       "1e22",
                                       "1e23",
                                       "1e27",
                                       "1e28",
                                       "1e-27",
                                       "1e-28",
                                       "9007199254740993",
                                       "9007199254740991.5",
                                       "1e308",
                                       "1e309",
                                       "1.7976931348623157e308",
                                       "1.7976931348623158e308",
                                       "1.7976931348623159e308",
                                       "17976931348623159e292",
                                       "4.9e-324",
                                       "2.4703282292062327e-324",
                                       "2.4703282292062328e-324",
                                       "1e-400",
                                       "1e400",
                                       "1e-4000",
                                       "1e4000",
                                       "0e99999999999999999999",
                                       "1e-99999999999999999999",
                                       "1e99999999999999999999",
                                       "2.2250738585072011e-308",
                                       "2.2250738585072014e-308",
                                       "3.4028235e38",
                                       "3.4028236e38",
                                       "3.40282356779733661637539e38",
                                       "1.1754943e-38",
                                       "1e-45",
                                       "7e-46",
                                       "7.1e-46",
                                       "16777217",
                                       "16777219",
                                       "33554434.5",
                                       "123456789012345678",
                                       "1234567890123456789",
                                       "12345678901234567890",
                                       "9999999999999999999",
                                       "99999999999999999999",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "0.1e1",
                                       "100e-2",
                                       "0.000001e6",
                                       "1E5",
                                       "1e+5",
                                       "1e-5",
                                       "-1e5",
                                       "72057594037927945"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_decimal(rows[i]);

    char text[1200];
    for (unsigned round = 0; round < 40000; round++) {
        const unsigned digits = 1 + (unsigned)below(round % 100 == 0 ? 1000 : 25), point = (unsigned)below(digits + 4);
        size_t length = 0;
        if (below(3) == 0) text[length++] = "+-"[below(2)];
        for (unsigned i = 0; i < digits; i++) {
            if (i == point) text[length++] = '.';
            text[length++] = (char)('0' + below(below(4) ? 10 : 1));
        }
        text[length] = 0;
        if (below(2)) sprintf(text + length, "e%d", (int)below(700) - 350);
        check_decimal(text);
    }
}

/* Halfway between two floats, and a little beside: what decides stands up to a thousand digits behind. */
static void check_halfway(const char *middle, char *text)
{
    const size_t point = strcspn(middle, "."), e = strcspn(middle, "e");
    check_decimal(middle);
    for (size_t at = e; at < point + 1100; at += 1 + at % 7) {
        const size_t zeros = at - e;
        int head = sprintf(text, "%.*s", (int)e, middle);
        memset(text + head, '0', zeros);
        sprintf(text + head + zeros, "%c%s", '1' + (char)below(9), middle + e);
        check_decimal(text);
    }
    /* and below: the last digit of a middle is 5 */
    strcpy(text, middle);
    size_t last = e - 1;
    while (text[last] == '0' || text[last] == '.') last--;
    text[last]--;
    check_decimal(text);
}

static void halves_are_read_to_even(void **state)
{
    (void)state;
    static char middle[1300], text[2600];
    for (unsigned round = 0; round < 40; round++) {
        uint64_t bits = round < 8 ? round : next() >> 1;
        if (round % 5 == 4) bits &= UINT64_C(0xfffffffffffff); /* subnormal */
        if (bits >> 52 == 2047) continue;
        const long double low = double_of(bits), high = double_of(bits + 1);
        if (!is_finite(double_of(bits + 1))) continue;
        snprintf(middle, sizeof middle, "%.*Le", 800, low + (high - low) / 2);
        check_halfway(middle, text);
        const float single = float_of((uint32_t)(bits >> 20) & 0x7f7fffff), after = float_of(bits_of_float(single) + 1);
        snprintf(middle, sizeof middle, "%.*e", 200, (double)single + ((double)after - (double)single) / 2);
        if (is_finite(after)) check_halfway(middle, text);
    }
    check_halfway("1.00000000000000011102230246251565404236316680908203125e0", text);
}

/* Ties, each with one digit about as far behind as are kept: powers of two below and above 1, whose digits become more
 * or fewer on the way. An empty text is 0. */
static void digits_far_behind_decide(void **state)
{
    (void)state;
    static const char *const ties[] = {"1.00000000000000011102230246251565404236316680908203125",
                                       "1.00000000000000033306690738754696212708950042724609375",
                                       "9007199254740993.0",
                                       "36028797018963972.0",
                                       "9007199254740995.0",
                                       "1.000000059604644775390625",
                                       "16777217.0",
                                       "16777219.0",
                                       "0.500000000000000055511151231257827021181583404541015625"};
    char text[900];
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        check_decimal(ties[i]);
        const size_t length = strlen(ties[i]);
        for (size_t behind = 770; behind < 830; behind++) {
            memcpy(text, ties[i], length);
            memset(text + length, '0', behind - length);
            text[behind] = 0;
            check_decimal(text); /* still a tie */
            text[behind - 1] = '1';
            check_decimal(text);
            text[behind - 1] = '5';
            check_decimal(text);
        }
    }
    assert_true(sch_number_read_decimal(at_the_edge("", 0), 0, SCH_FLOAT_64) == 0);
}

/* Exponents of which more digits are written than there are of exponents that matter. */
static void exponents_may_be_long(void **state)
{
    (void)state;
    char text[1200];
    for (unsigned zeros = 0; zeros < 400; zeros += 37) {
        int length = sprintf(text, "0.");
        memset(text + length, '0', zeros);
        sprintf(text + length + zeros, "125e%u", zeros + 3);
        check_decimal(text);
        sprintf(text + length + zeros, "125e%025u", zeros);
        check_decimal(text);
        length = sprintf(text, "5");
        memset(text + length, '0', zeros);
        sprintf(text + length + zeros, "e-%u", zeros + 1);
        check_decimal(text);
    }
    static const char *const rows[] = {"1e1099511627775",        "1e1099511627776",  "1e-1099511627776",
                                       "0e1099511627776",        "1e10995116277760", "1e-18446744073709551617",
                                       "1e18446744073709551617", "1e-4294967297",    "1e4294967297",
                                       "1e9223372036854775808"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_decimal(rows[i]);
}

static void decimals_are_scanned(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t taken;
    } rows[] = {{"", 0},      {"+", 0},     {"-", 0},     {".", 0},     {"+.", 0},  {"e5", 0},      {".e5", 0},
                {"1", 1},     {"1.", 2},    {".1", 2},    {"1.2.3", 3}, {"--1", 0}, {"1e", 0},      {"1e+", 0},
                {"1e5", 3},   {"1E-5x", 4}, {"1e5.5", 3}, {"12ab", 2},  {"+1-", 2}, {"-0.0e0f", 6}, {"1 ", 1},
                {"1e+5+", 4}, {"/", 0},     {":", 0},     {"9", 1},     {"0", 1},   {"1/", 1},      {"1:", 1},
                {"1e/", 0},   {"1e9:", 3},  {" 1", 0},    {"inf", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i].text);
        for (size_t cut = 0; cut <= length; cut++) {
            const size_t taken = sch_number_scan_decimal(at_the_edge(rows[i].text, cut), cut);
            if (cut == length ? taken != rows[i].taken : taken > cut) fail_msg("%zu of %s", cut, rows[i].text);
        }
        /* and nothing behind the end is looked at */
        char more[16];
        for (const char *tail = "05.eE+-x"; *tail; tail++) {
            snprintf(more, sizeof more, "%s%c", rows[i].text, *tail);
            if (sch_number_scan_decimal(more, length) != rows[i].taken) fail_msg("%s of %s", rows[i].text, more);
        }
    }
}

/* strtod leaves the e of "5e" and the x of "0xg"; here these are numbers that went wrong, so none. */
static void check_double(const char *text, size_t length)
{
    char whole[128], *end;
    uint64_t bits = 1;
    assert_true(length < sizeof whole);
    memcpy(whole, text, length);
    whole[length] = 0;
    const double wanted = strtod(whole, &end);
    const size_t taken = sch_number_read_double(at_the_edge(text, length), length, &bits);
    if (!taken && end != whole && *end && strchr("eExX", *end)) return;
    if (taken != (size_t)(end - whole)) fail_msg("%s: took %zu, not %zu", whole, taken, (size_t)(end - whole));
    if (taken && bits != bits_of(wanted)) fail_msg("%s: %llx", whole, (unsigned long long)bits);
}

static void doubles_are_read_as_by_strtod(void **state)
{
    (void)state;
    static const char *const rows[] = {"",
                                       "+",
                                       "-",
                                       "x",
                                       "5",
                                       "5x",
                                       "-5.25e2",
                                       ".5",
                                       ".",
                                       "+.5",
                                       "-.",
                                       "inf",
                                       "INF",
                                       "-inf",
                                       "+Infinity",
                                       "infinit",
                                       "infinityx",
                                       "in",
                                       "nan",
                                       "-nan",
                                       "NaN",
                                       "nan(0x123)",
                                       "nan(0x123",
                                       "nan(0x",
                                       "nan(0x)",
                                       "na",
                                       "nan(0xabcdef)x",
                                       "nan(0x7ffffffffffff)",
                                       "nan(0x0)",
                                       "nan(0XaB)",
                                       "0x1",
                                       "0X1",
                                       "0x1p3",
                                       "0x1P3",
                                       "0x1p+3",
                                       "0x1p-3",
                                       "0x1q3",
                                       "0x1 5",
                                       "0x15",
                                       "0x1.8",
                                       "0x.8",
                                       "0x1.",
                                       "0x1.8p1",
                                       "0x1..8",
                                       "0xg",
                                       "0xabcdefABCDEF",
                                       "0x1.fffffffffffff8",
                                       "0x1.fffffffffffff7",
                                       "0x1.00000000000008",
                                       "0x1.000000000000080000001",
                                       "0x1.00000000000018",
                                       "-0x1p-1074",
                                       "0x1p-1075",
                                       "0x1.8p-1075",
                                       "0x1.00001p-1075",
                                       "0x3p-1075",
                                       "0x1p1023",
                                       "0x1p1024",
                                       "0x1.fffffffffffffp1023",
                                       "0x1.fffffffffffff8p1023",
                                       "0x123456789abcdef0123",
                                       "0x10000000000000000000000",
                                       "0x0.00000000000000000001",
                                       "0x0p5",
                                       "0x1p9999999999999999999",
                                       "0x1p-9999999999999999999",
                                       "0x/",
                                       "0x:",
                                       "0x@",
                                       "0x`",
                                       "0x1/",
                                       "0x1g",
                                       "0x123456789abcdef08",
                                       "0x123456789abcdef0000000001",
                                       "0x0.000000000123456789abcdef",
                                       "0x800000000000040000001",
                                       "1x5",
                                       "knf",
                                       "1nf",
                                       "knfinity",
                                       "1an",
                                       "1nan(0x5)"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t length = 0; length <= strlen(rows[i]); length++) check_double(rows[i], length);
    char text[96];
    for (unsigned round = 0; round < 20000; round++) {
        const unsigned digits = 1 + (unsigned)below(24), point = (unsigned)below(digits + 3);
        int length = sprintf(text, "%s0x", below(2) ? "-" : "");
        for (unsigned i = 0; i < digits; i++) {
            if (i == point) text[length++] = '.';
            text[length++] = "0123456789abcdefABCDEF0000fF8"[below(29)];
        }
        text[length] = 0;
        if (below(3)) length += sprintf(text + length, "p%d", (int)below(2300) - 1150);
        check_double(text, (size_t)length);
    }
}

static void signalling_nans_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t taken;
        uint64_t bits;
    } rows[] = {{"snan(0x1)", 9, 0x7ff0000000000001},
                {"-SNaN(0xFf)", 11, 0xfff00000000000ff},
                {"snan(0x7ffffffffffff)", 21, 0x7ff7ffffffffffff},
                {"snan(0x8000000000001)", 21, 0x7ff0000000000001},
                {"snan(0x12)34", 10, 0x7ff0000000000012},
                {"snan(0x0)", 0, 0},
                {"snan(0x8000000000000)", 0, 0},
                {"snan(0x1", 0, 0},
                {"snan", 0, 0},
                {"snan(1)", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bits;
        assert_int_equal(sch_number_read_double(rows[i].text, strlen(rows[i].text), &bits), rows[i].taken);
        if (rows[i].taken) assert_true(bits == rows[i].bits);
    }
}

/* ---- writing ---- */

static void check_shortest(uint64_t bits, enum sch_float_width width)
{
    const double value = value_of(bits, width);
    if (!is_finite(value)) return;

    char text[SCH_NUMBER_BYTES], expected[SCH_NUMBER_BYTES];
    for (unsigned decimals = 0; decimals <= 40; decimals += 8) {
        text[sch_number_write_scientific(bits, width, decimals, text)] = 0;
        snprintf(expected, sizeof expected, "%.*e", (int)decimals, value);
        assert_string_equal(text, expected);
    }

    size_t length = sch_number_write_shortest(bits, width, text);
    text[length] = 0;
    assert_true(sch_number_read_decimal(text, length, width) == bits);
    assert_true(strpbrk(text, ".e") != NULL);
    int digits = 0;
    bool leading = true;
    for (const char *c = text; *c && *c != 'e'; c++) {
        if (*c == '-' || *c == '.' || (leading && *c == '0')) continue;
        leading = false;
        digits++;
    }
    /* One digit fewer does not do (zeros that only place the point aside). */
    if (digits < 2 || strstr(text, "0.0") == text || text[length - 1] == '0') return;
    length = (size_t)snprintf(expected, sizeof expected, "%.*e", digits - 2, value);
    assert_true(sch_number_read_decimal(expected, length, width) != bits);
}

static void numbers_are_written_shortly(void **state)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {{0, "0.0"},
                {0x80000000, "-0.0"},
                {0x3f800000, "1.0"},
                {0xc0200000, "-2.5"},
                {0x3dcccccd, "0.1"},
                {0x4b800000, "16777216.0"},
                {0x4cbebc20, "100000000.0"},
                {0x4e6e6b28, "1e+09"},
                {0x501502f9, "1e+10"},
                {0x3a83126f, "0.001"},
                {0x38d1b717, "0.0001"},
                {0x3727c5ac, "1e-05"},
                {0xb727c5ac, "-1e-05"},
                {1, "1e-45"},
                {0x7f7fffff, "3.4028235e+38"},
                {0x33d6bf95, "1e-07"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SCH_NUMBER_BYTES];
        text[sch_number_write_shortest(rows[i].bits, SCH_FLOAT_32, text)] = 0;
        if (strtof(rows[i].text, NULL) != float_of(rows[i].bits)) fail_msg("row %s", rows[i].text);
        assert_string_equal(text, rows[i].text);
    }
    /* nines that round up to one more digit before the point */
    static const double nines[] = {
        9.5, 9.9999999, 99.99999999999999, 0.999999999999999, 9.9999999999999e-5, 9.25e299, 9.5e-300, 999999999.9999999,
        8.5, 0.95};
    for (size_t i = 0; i < sizeof nines / sizeof *nines; i++) {
        check_shortest(bits_of(nines[i]), SCH_FLOAT_64);
        check_shortest(bits_of_float((float)nines[i]), SCH_FLOAT_32);
    }
    static const uint64_t edges[] = {1,
                                     2,
                                     0xfffffffffffff,
                                     0x10000000000000,
                                     0x7fefffffffffffff,
                                     0x8000000000000001,
                                     0x3ff0000000000001,
                                     0x3fefffffffffffff,
                                     0x4340000000000001,
                                     0x0000000000000000,
                                     0x8000000000000000};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) check_shortest(edges[i], SCH_FLOAT_64);
    for (unsigned i = 0; i < 8000; i++) {
        check_shortest(next() >> 32, SCH_FLOAT_32);
        check_shortest(next(), SCH_FLOAT_64);
        check_shortest(bits_of((double)below(100000) / (double)(1 + below(1000))), SCH_FLOAT_64);
    }
    char text[SCH_NUMBER_BYTES];
    assert_int_equal(sch_number_write_shortest(0x7f800000, SCH_FLOAT_32, text), 0);
    assert_int_equal(sch_number_write_scientific(0x7fc00000, SCH_FLOAT_32, 8, text), 0);
    assert_int_equal(sch_number_write_scientific(0x3f800000, SCH_FLOAT_32, 41, text), 0);
    assert_int_equal(sch_number_write_shortest(0x7ff0000000000000, SCH_FLOAT_64, text), 0);
}

/* %.6f of Microsoft's old library: halves away from zero, 17 digits, words for what is no number. Digits of the rows
 * are the exact decimal values, rounded by hand; of the random ones the C library's own, which differ at halves
 * only. */
static void numbers_are_written_as_microsoft_did(void **state)
{
    (void)state;
    static const struct {
        uint64_t bits;
        enum sch_float_width width;
        const char *text;
    } rows[] = {{0, SCH_FLOAT_32, "0.000000"},
                {0x80000000, SCH_FLOAT_32, "-0.000000"},
                {0x3f800000, SCH_FLOAT_32, "1.000000"},
                {0x3c000000, SCH_FLOAT_32, "0.007813"},  /* 0.0078125 */
                {0xbc000000, SCH_FLOAT_32, "-0.007813"}, /* likewise */
                {0x47f12065, SCH_FLOAT_32, "123456.789063"},
                {0x3f7fffff, SCH_FLOAT_32, "1.000000"}, /* 0.999999940395... */
                {0x411fffff, SCH_FLOAT_32, "9.999999"}, /* 9.99999904... */
                {0x34c00000, SCH_FLOAT_32, "0.000000"}, /* 3.576e-7 */
                {0x350637bd, SCH_FLOAT_32, "0.000000"}, /* 4.99999987e-7 */
                {0x350637be, SCH_FLOAT_32, "0.000001"}, /* 5.00000016e-7 */
                {1, SCH_FLOAT_32, "0.000000"},
                {0x7f7fffff, SCH_FLOAT_32, "340282346638528860000000000000000000000.000000"},
                {0x60ad78ec, SCH_FLOAT_32, "100000002004087730000.000000"},
                {0x7f800000, SCH_FLOAT_32, "1.#INF00"},
                {0xff800000, SCH_FLOAT_32, "-1.#INF00"},
                {0x7fc00000, SCH_FLOAT_32, "1.#QNAN0"},
                {0xffc00000, SCH_FLOAT_32, "-1.#IND00"},
                {0xffc10000, SCH_FLOAT_32, "-1.#QNAN0"},
                {0x7f810000, SCH_FLOAT_32, "1.#QNAN0"},
                {0xff800001, SCH_FLOAT_32, "-1.#QNAN0"},
                {0x7ff0000000000001, SCH_FLOAT_64, "1.#SNAN0"},
                {0xfff8000000000000, SCH_FLOAT_64, "-1.#IND00"},
                {0x3e112e0be826d695, SCH_FLOAT_64, "0.000000"}, /* 1e-9 */
                {0x4341c37937e08001, SCH_FLOAT_64, "10000000000000002.000000"},
                {0x4202a05f20000000, SCH_FLOAT_64, "10000000000.000000"}};
    char text[SCH_NUMBER_MICROSOFT_BYTES], expected[512];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text[sch_number_write_microsoft(rows[i].bits, rows[i].width, 6, text)] = 0;
        assert_string_equal(text, rows[i].text);
    }
    text[sch_number_write_microsoft(0x7fefffffffffffff, SCH_FLOAT_64, 6, text)] = 0;
    assert_int_equal(strlen(text), 309 + 7);
    assert_int_equal(strspn(text + 17, "0"), 309 - 17);
    for (unsigned i = 0; i < 20000; i++) {
        const uint32_t bits = bits_of_float((float)below(1 << 24) / (float)(1 + below(1 << 12)) - 1000.0f);
        text[sch_number_write_microsoft(bits, SCH_FLOAT_32, 6, text)] = 0;
        snprintf(expected, sizeof expected, "%.6f", (double)float_of(bits));
        if (strcmp(text, expected) == 0) continue;
        char exact[64];
        snprintf(exact, sizeof exact, "%.24f", (double)float_of(bits));
        assert_string_equal(strchr(exact, '.') + 7, "500000000000000000"); /* a half */
        assert_true(fabs(strtod(text, NULL)) > fabs(strtod(expected, NULL)));
    }
}

static void microsofts_words_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool negative;
        size_t taken;
        uint64_t single, wide;
    } rows[] = {{"1.#INF", false, 6, 0x7f800000, 0x7ff0000000000000},
                {"1.#inf0000,", true, 10, 0x7f800000, 0x7ff0000000000000},
                {"1.#IND00", true, 8, 0x7fc00000, 0x7ff8000000000000},
                {"1.#QNAN0", false, 8, 0x7fc00000, 0x7ff8000000000000},
                {"1.#QNAN000)", true, 10, 0x7fc10000, 0x7ff8200000000000},
                {"1.#SNAN", false, 7, 0x7f810000, 0x7ff0200000000000},
                {"1.#IN", false, 0, 0, 0},
                {"1.0", false, 0, 0, 0},
                {"", false, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i].text);
        const char *const edge = at_the_edge(rows[i].text, length);
        uint64_t single = 0, wide = 0;
        assert_int_equal(sch_number_read_microsoft(edge, length, SCH_FLOAT_32, rows[i].negative, &single),
                         rows[i].taken);
        assert_int_equal(sch_number_read_microsoft(edge, length, SCH_FLOAT_64, rows[i].negative, &wide), rows[i].taken);
        assert_true(single == rows[i].single && wide == rows[i].wide);
    }
}

/* Where it refuses, the number is not finite, or too large for 128 bits, or asks for too many digits. */
static void check_fixed(uint64_t bits, enum sch_float_width width, unsigned decimals, unsigned field)
{
    char text[SCH_NUMBER_BYTES], expected[512];
    const double value = value_of(bits, width);
    const double magnitude = value < 0 ? -value : value;
    const size_t length = sch_number_write_fixed(bits, width, decimals, field, text);
    /* mantissa * 10^decimals in 127 bits: 10^22 has 74, a double's mantissa 53; and values below 2^128 */
    const unsigned most = width == SCH_FLOAT_32 ? 30 : 22;
    const bool must = is_finite(value) && magnitude < 3.4e38 && decimals <= most,
               never = !is_finite(value) || magnitude >= 0x1p128 || decimals > 30;
    if (must && !length) fail_msg("%a with %u decimals", value, decimals);
    if (never && length) fail_msg("%a with %u decimals", value, decimals);
    if (!length) return;
    text[length] = 0;
    snprintf(expected, sizeof expected, "%*.*f%s", (int)field - !decimals, (int)decimals, value, decimals ? "" : ".");
    assert_string_equal(text, expected);
}

static void numbers_are_written_with_a_point(void **state)
{
    (void)state;
    static const double values[] = {0,       0.5,      1.5,        2.5,        0.25,   0.125,      0.375,
                                    1e-30,   4.9e-324, 0x1p-127,   1e10,       1e30,   1e38,       0x1p127,
                                    0x1p128, 1e300,    123456.789, 0.05,       0.0625, 0.99999,    9.99,
                                    0.049,   0.0501,   0x1p-128,   0x1.8p-128, 1e-38,  0x1.8p-126, 8388608.5};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (unsigned decimals = 0; decimals <= 31; decimals++)
            for (unsigned sign = 0; sign < 2; sign++) {
                const double value = sign ? -values[i] : values[i];
                check_fixed(bits_of(value), SCH_FLOAT_64, decimals, sign ? 0 : 10);
                check_fixed(bits_of_float((float)value), SCH_FLOAT_32, decimals, 12);
            }
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t wide = (1023 - 130 + below(260)) << 52 | next() >> 12 | next() << 63;
        check_fixed(wide, SCH_FLOAT_64, (unsigned)below(33), (unsigned)below(20));
        check_fixed(next() >> 32, SCH_FLOAT_32, (unsigned)below(33), (unsigned)below(20));
    }
    /* Near 2^-75, where the last digits of 21 to 23 come from the last bits of 127. */
    for (unsigned i = 0; i < 4000; i++) {
        const uint64_t small =
            (1023 - 80 + below(10)) << 52 | (i % 2 ? next() >> 12 : UINT64_C(0xfffffffffffff) - i / 2);
        check_fixed(small, SCH_FLOAT_64, 20 + (unsigned)below(5), 0);
    }
    char text[SCH_NUMBER_BYTES];
    assert_int_equal(sch_number_write_fixed(0x7f800000, SCH_FLOAT_32, 3, 0, text), 0);
    assert_int_equal(sch_number_write_fixed(0xffc00000, SCH_FLOAT_32, 3, 0, text), 0);
    assert_int_equal(sch_number_write_fixed(bits_of(0.1), SCH_FLOAT_64, 30, 0, text), 0);
    assert_int_equal(sch_number_write_fixed(bits_of(0x1p128), SCH_FLOAT_64, 0, 0, text), 0);
    assert_int_equal(sch_number_write_fixed(0x3f800000, SCH_FLOAT_32, 31, 0, text), 0);
}

static void check_double_text(uint64_t bits)
{
    char text[SCH_NUMBER_BYTES];
    uint64_t read;
    const size_t length = sch_number_write_double(bits, text);
    assert_true(length && length < sizeof text);
    if (sch_number_read_double(text, length, &read) != length || read != bits)
        fail_msg("%llx: %.*s", (unsigned long long)bits, (int)length, text);
}

static void doubles_are_written_to_be_read(void **state)
{
    (void)state;
    static const struct {
        uint64_t bits;
        const char *text;
    } rows[] = {{0x3ff0000000000000, "1.00000000"},
                {0xbfe0000000000000, "-0.50000000"},
                {0x3fb999999999999a, "0.10000000000000000"},
                {0x7ff0000000000000, "inf"},
                {0xfff0000000000000, "-inf"},
                {0x7ff8000000000000, "nan"},
                {0xfff8000000000000, "-nan"},
                {0x7ff8000000000001, "nan(0x1)"},
                {0x7fffffffffffffff, "nan(0x7ffffffffffff)"},
                {0x7ff0000000000001, "snan(0x1)"},
                {0xfff7ffffffffffff, "-snan(0x7ffffffffffff)"},
                {0x7ff00000000abcd0, "snan(0xabcd0)"},
                {1, "0x1p-1074"},
                {0x8000000000000010, "-0x10p-1074"},
                {0x7fefffffffffffff, "0x1fffffffffffffp+971"},
                {0xc7f0000000000000, "-0x10000000000000p+76"},
                {0x0010000000000000, "0x10000000000000p-1074"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SCH_NUMBER_BYTES];
        text[sch_number_write_double(rows[i].bits, text)] = 0;
        const char *shown = text + strspn(text, " ");
        if (i != 2) assert_string_equal(shown, rows[i].text);
        check_double_text(rows[i].bits);
    }
    for (unsigned i = 0; i < 5000; i++) {
        check_double_text(next());
        check_double_text((1023 - 60 + below(130)) << 52 | next() >> 12);
        check_double_text(UINT64_C(2047) << 52 | next() >> 12 >> below(50) | next() << 63);
    }
}

/* Where a text of moderate length gives the bits again it is there, with no digit that is not needed. */
static void floats_are_written_to_be_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        const uint32_t bits =
            i < 2 ? i << 31 : (uint32_t)((127 - 40 + below(100)) << 23 | next() >> 41 | (below(2) << 31));
        char text[SCH_NUMBER_BYTES], fewer[SCH_NUMBER_BYTES];
        text[sch_number_write_float(bits, text)] = 0;
        assert_true(text[0]);
        assert_true(strlen(text) >= 10);
        assert_int_equal(bits_of_float(strtof(text, NULL)), bits);
        const int decimals = (int)strlen(strchr(text, '.') + 1);
        assert_true(decimals >= 4);
        if (decimals == 4) continue;
        snprintf(fewer, sizeof fewer, "%.*f", decimals - 1, (double)float_of(bits));
        assert_true(bits_of_float(strtof(fewer, NULL)) != bits);
    }
    char text[SCH_NUMBER_BYTES];
    assert_int_equal(sch_number_write_float(0x7f800000, text), 0);
    assert_int_equal(sch_number_write_float(0x7fc00000, text), 0);
    assert_int_equal(sch_number_write_float(1, text), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_read_exactly),
        cmocka_unit_test(halves_are_read_to_even),
        cmocka_unit_test(digits_far_behind_decide),
        cmocka_unit_test(exponents_may_be_long),
        cmocka_unit_test(decimals_are_scanned),
        cmocka_unit_test(doubles_are_read_as_by_strtod),
        cmocka_unit_test(signalling_nans_are_read),
        cmocka_unit_test(numbers_are_written_shortly),
        cmocka_unit_test(numbers_are_written_as_microsoft_did),
        cmocka_unit_test(microsofts_words_are_read),
        cmocka_unit_test(numbers_are_written_with_a_point),
        cmocka_unit_test(doubles_are_written_to_be_read),
        cmocka_unit_test(floats_are_written_to_be_read),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
