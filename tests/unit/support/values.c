/* The operands of values.h: edges of every type, and random bits. */
#include "values.h"

#include <stdlib.h>
#include <string.h>

bool value_is_wide(char type) { return type == 'D' || type == 'L' || type == 'Q'; }

static const float edges_f32[] = {
    0.0f,
    -0.0f,
    1.0f,
    -1.0f,
    0.5f,
    -0.5f,
    1.5f,
    -1.5f,
    2.0f,
    2.5f,
    -2.5f,
    3.0f,
    3.5f,
    0x1p-149f,
    -0x1p-149f,
    0x3p-149f,
    0x1.fffffcp-127f,
    -0x1.fffffcp-127f,
    0x1p-126f,
    -0x1p-126f,
    0x1.8p-126f,
    0x1.fffffep127f,
    -0x1.fffffep127f,
    0x1p127f,
    126.0f,
    127.0f,
    128.0f,
    128.5f,
    129.0f,
    -126.0f,
    -127.0f,
    -128.0f,
    -149.0f,
    -150.0f,
    -151.0f,
    255.0f,
    0x1p22f,
    4194304.5f,
    8388607.5f,
    0x1p23f,
    8388609.0f,
    -8388607.5f,
    0x1p24f,
    16777217.0f,
    0x1p31f,
    0x1.fffffep30f,
    -0x1p31f,
    -0x1.000002p31f,
    0x1p32f,
    0x1.fffffep31f,
    0x1p63f,
    0x1.fffffep62f,
    -0x1p63f,
    0x1p64f,
    0x1.fffffep63f,
    3.14159274f,
    1.57079637f,
    0.1f,
    -0.1f,
    1e10f,
    1e-10f,
    -1e-10f,
    0x1.fffffep-1f,
    0x1.000002p0f,
    -0x1.fffffep-1f,
    65504.0f,
    65519.0f,
    65520.0f,
    0x1p-14f,
    0x1p-24f,
    0x1p-25f,
    0x1.8p-25f,
    0x1p-64f,
    0x1p64f,
    0x1p-100f,
    0x1p100f,
    7.0f,
    100.0f,
    -100.0f,
    0.75f,
    0.25f,
};

static const uint32_t edges_nonfinite_f32[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0xffbfffff};

static const uint32_t edges_u32[] = {
    0,          1,          0xffffffff, 2,          3,          4,          5,          7,          8,
    15,         16,         17,         23,         24,         25,         30,         31,         32,
    33,         63,         64,         65,         100,        0xffffff9c, 127,        128,        129,
    149,        150,        0xffffff6b, 0xffffff6a, 0xffffff6c, 0xffffff82, 0xffffff81, 255,        256,
    277,        278,        0xfffffeea, 0xfffffee9, 300,        400,        401,        0xfffffe70, 0xfffffe6f,
    1022,       1023,       1024,       1074,       0xfffffbce, 0xfffffbcd, 2046,       2097,       2098,
    2099,       0xfffff7cf, 4000,       4001,       0x7fff,     0x8000,     0xffff,     0x10000,    0xffffff,
    0x1000000,  0x1000001,  0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0x55555555, 0xaaaaaaaa, 0x12345678,
    0xdeadbeef, 0x7fffff80, 0xffffff80, 0xffffff7f, 0x40000000, 0xc0000000,
};

static const double edges_f64[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.0,
    2.5,
    -2.5,
    3.5,
    0x1p-1074,
    -0x1p-1074,
    0x3p-1074,
    0x0.fffffffffffffp-1022,
    -0x0.fffffffffffffp-1022,
    0x1p-1022,
    -0x1p-1022,
    0x1.8p-1022,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    0x1p1023,
    0x1p-1000,
    0x1p1000,
    0x1p500,
    0x1p-500,
    0x1p-149,
    0x1p-150,
    0x1.8p-150,
    0x1p-126,
    0x1.fffffe8p-127,
    0x1.fffffep127,
    0x1.ffffffp127,
    0x1.fffffefp127,
    0x1p128,
    0x1.000001p0,
    0x1.000003p0,
    0x1.0000010000001p0,
    0x1p31,
    0x1.fffffffcp30,
    0x1.fffffffep30,
    -0x1p31,
    -0x1.00000002p31,
    0x1p32,
    0x1.fffffffep31,
    0x1.ffffffffp31,
    0x1p53,
    0x1.fffffffffffffp52,
    0x1p52,
    4503599627370495.5,
    2251799813685247.5,
    0x1p63,
    0x1.fffffffffffffp62,
    -0x1p63,
    -0x1.0000000000001p63,
    0x1p64,
    0x1.fffffffffffffp63,
    3.141592653589793,
    0.1,
    -0.1,
    1e100,
    1e-100,
    -1e-20,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    7.0,
    100.0,
    0x1p62,
    0x1p65,
};

static const uint64_t edges_nonfinite_f64[] = {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                               0xfff8000000000001, 0x7ff0000000000001, 0xfff7ffffffffffff};

static const uint64_t edges_u64[] = {
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    63,
    64,
    65,
    0xff,
    0xffff,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x1ffffffff,
    0xffffff,
    0x1000000,
    0x1000001,
    0x1000003,
    0x1fffffffffffff,
    0x20000000000000,
    0x20000000000001,
    0x20000000000003,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xffffffffffffffff,
    0xfffffffffffffffe,
    0xffffffff00000000,
    0x5555555555555555,
    0xaaaaaaaaaaaaaaaa,
    0x123456789abcdef0,
    0xdeadbeefcafebabe,
    0x7fffffffffffffc0,
    0x7fffffffffffff00,
    0x7fffff8000000000,
    0x7fffffc000000000,
    0x7fffffc000000001,
    0x8000008000000000,
    0x8000008000000001,
    0x8000018000000000,
    0xffffffffffffff9c,
    100,
    0xfffffffffffff800,
    0xfffffffffffffbff,
    0xfffffffffffffc00,
    0x4000000000000000,
    0xc000000000000000,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static union value random_edge(char type, uint64_t *state)
{
    union value v = {.q = 0};
    uint64_t r = random_number(state) >> 16;
    switch (type) {
    case 'F':
        r %= COUNT(edges_f32) + COUNT(edges_nonfinite_f32);
        if (r < COUNT(edges_f32))
            v.f = edges_f32[r];
        else
            v.u = edges_nonfinite_f32[r - COUNT(edges_f32)];
        break;
    case 'D':
        r %= COUNT(edges_f64) + COUNT(edges_nonfinite_f64);
        if (r < COUNT(edges_f64))
            v.d = edges_f64[r];
        else
            v.q = edges_nonfinite_f64[r - COUNT(edges_f64)];
        break;
    case 'L':
    case 'Q':
        v.q = edges_u64[r % COUNT(edges_u64)];
        break;
    default:
        v.u = edges_u32[r % COUNT(edges_u32)];
        break;
    }
    return v;
}

static double random_unit(uint64_t *state) { return (double)(random_number(state) >> 11) * 0x1p-53; }

/* Numbers of everyday size: half of the floats within 1.25 of 0, the others up to 2^24; small integers. */
static union value random_ordinary(char type, uint64_t *state)
{
    union value v = {.q = 0};
    uint64_t r = random_number(state);
    double sign = r & 1 ? -1.0 : 1.0;
    double size = r & 2 ? 1.25 : (double)(1u << (r >> 8) % 25);
    double number = sign * size * random_unit(state);
    unsigned small = (unsigned)(r >> 16 & 0xffff) >> (r >> 8) % 16;
    switch (type) {
    case 'F':
        v.f = (float)number;
        break;
    case 'D':
        v.d = number;
        break;
    case 'L':
    case 'Q':
        v.l = r & 1 ? -(int64_t)small : (int64_t)small;
        break;
    default:
        v.i = r & 1 ? -(int32_t)small : (int32_t)small;
        break;
    }
    return v;
}

union value value_random(char type, uint64_t *state)
{
    union value v = {.q = 0};
    switch (random_number(state) >> 62) {
    case 0:
    case 1:
        return random_edge(type, state);
    case 2:
        return random_ordinary(type, state);
    default:
        v.q = random_number(state);
        if (!value_is_wide(type)) v.q &= 0xffffffff;
        return v;
    }
}

union value value_canonical(char type, union value v)
{
    if (type == 'F' && v.f != v.f) v.u = 0x7fc00000;
    if (type == 'D' && v.d != v.d) v.q = 0x7ff8000000000000;
    return v;
}

/* Floats in the order of their values, as integers; both zeros are 0. */
static int64_t rank(char type, union value v)
{
    int64_t bits = type == 'D' ? v.l : (int64_t)v.i;
    int64_t magnitude = type == 'D' ? bits & INT64_MAX : bits & INT32_MAX;
    return bits < 0 ? -magnitude : magnitude;
}

uint64_t value_ulps(char type, union value a, union value b)
{
    if (type == 'F' && (a.f != a.f || b.f != b.f)) return a.u == b.u ? 0 : UINT64_MAX;
    if (type == 'D' && (a.d != a.d || b.d != b.d)) return a.q == b.q ? 0 : UINT64_MAX;
    int64_t x = rank(type, a), y = rank(type, b);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

bool value_parse(char type, const char *text, const char **end, union value *v)
{
    char *stop = NULL;
    v->q = 0;
    while (*text == ' ') text++;
    if (type == 'X') type = 'F'; /* moved bits take floats in text */
    if (*text == '#') {
        v->q = strtoull(text + 1, &stop, 16);
        if (stop == text + 1 || (!value_is_wide(type) && v->q >> 32)) return false;
    } else {
        switch (type) {
        case 'F':
            v->f = strtof(text, &stop);
            break;
        case 'D':
            v->d = strtod(text, &stop);
            break;
        case 'Q':
            v->q = strtoull(text, &stop, 0);
            break;
        case 'L':
            v->l = strtoll(text, &stop, 0);
            break;
        default:
            v->q = (uint32_t)strtoll(text, &stop, 0);
            break;
        }
        if (stop == text) return false;
        if (strncmp(text, "-nan", 4) == 0) return false; /* its bits differ between C libraries: write them */
    }
    *end = stop;
    return true;
}
