/*
 * math_pow.c - v_pow of src/ops/alu/math_f32.h over pseudo-random pairs (--count N, 10^6 unless told)
 * and over all pairs of a list of special values: largest error, edge rules, hash of the results.
 *
 * Pair number i is a function of i alone (generate), so any run checks a prefix of the same
 * sequence. Reference: glibc's double pow; where the error it shows lies near or above 1/2 ulp,
 * and for all pairs of the list, MPFR with 200 bits. MPFR follows C's edge rules.
 *
 * Hash: the sum modulo 2^64 over the pairs of mix(mix(x bits * 2^32 + y bits) + result bits), mix
 * being splitmix64's finaliser, NaN results canonicalised.
 *
 * Options: --count N  --threads N  --hash-only  --print
 * Output: TAP.
 */
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "level.h"
#include "math_hashes.h"
#include "ops/alu/math_f32.h"

#define BOUND 0.500001 /* ulp */

enum { CHUNK = 1 << 12 };

struct outcome {
    double largest;
    uint32_t largest_at[2];
    uint64_t misrounded, wrong;
    uint32_t wrong_at[2];
    uint64_t hash;
};

struct job {
    uint64_t count;
    int hash_only;
    atomic_uint_fast64_t next;
};

struct worker {
    pthread_t thread;
    struct job *job;
    struct outcome o;
};

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The y that makes |x|^y about 2^t: log2 by a straight line between powers of two, in operations
   whose results are the same everywhere. */
static float aim(uint32_t x, double t)
{
    x &= 0x7fffffffu;
    double m = as_float((x & 0x7fffffu) | 0x3f800000u);
    double l = (int)(x >> 23) - 127 + (m - 1);
    return (float)(l == 0 ? t : t / l);
}

static void generate(uint64_t i, uint32_t *x, uint32_t *y)
{
    uint64_t a = mix((i + 1) * 0x9e3779b97f4a7c15u), b = mix(a + 0x9e3779b97f4a7c15u);
    double t = (double)(int64_t)(b >> 11) * 0x1p-53 * 310 - 155; /* uniform in [-155, 155) */
    *x = (uint32_t)a;
    switch (i % 8) {
    case 0: /* any bits */
        *y = (uint32_t)(a >> 32);
        break;
    case 1: /* small integers */
        *x = as_bits((float)((int)(a % 129) - 64));
        *y = as_bits((float)((int)(b % 81) - 40));
        break;
    case 2: /* near 1 */
        *x = 0x3f800000u + (uint32_t)((int32_t)*x >> (9 + (a >> 32) % 22));
        *y = as_bits(aim(*x, t));
        break;
    case 3: /* negative, integer exponents */
        *y = as_bits((float)(int)aim(*x, t));
        break;
    case 4: /* results around 1 */
        *x &= 0x7fffffffu;
        *y = as_bits(aim(*x, t * 0x1p-8));
        break;
    default:
        *x &= 0x7fffffffu;
        *y = as_bits(aim(*x, t));
    }
}

static double ulp_of(double v)
{
    int e;
    frexp(v, &e);
    e--;
    return ldexp(1, (e < -126 ? -126 : e > 127 ? 127 : e) - 23);
}

/* The error in ulp by MPFR; *misrounded if r is not the nearest float (NaN: any). */
static double error_exactly(float x, float y, float r, int *misrounded)
{
    mpfr_t a, b, v;
    mpfr_inits2(24, a, b, (mpfr_ptr)0);
    mpfr_init2(v, 200);
    mpfr_set_flt(a, x, MPFR_RNDN);
    mpfr_set_flt(b, y, MPFR_RNDN);
    mpfr_pow(v, a, b, MPFR_RNDN);
    float best = mpfr_get_flt(v, MPFR_RNDN);
    *misrounded = isnan(best) ? !isnan(r) : best != r || !signbit(best) != !signbit(r);
    double e = *misrounded ? INFINITY : 0;
    if (isfinite(r) && mpfr_regular_p(v)) {
        double u = ulp_of(mpfr_get_d(v, MPFR_RNDZ));
        mpfr_sub_d(v, v, r, MPFR_RNDN);
        mpfr_div_d(v, v, u, MPFR_RNDN);
        e = fabs(mpfr_get_d(v, MPFR_RNDN));
    }
    mpfr_clears(a, b, v, (mpfr_ptr)0);
    return e;
}

static void judge(uint32_t xbits, uint32_t ybits, uint32_t rbits, struct outcome *o)
{
    float x = as_float(xbits), y = as_float(ybits), r = as_float(rbits);
    double ref = pow(x, y), error = 0;
    int wrong;
    if (isnan(ref) || isnan(r)) {
        wrong = !isnan(ref) || rbits != 0x7fc00000u;
    } else if (isinf(ref) || ref == 0) {
        wrong = r != ref || !signbit(r) != !signbit(ref);
    } else {
        wrong = !signbit(r) != !signbit(ref);
        double u = ulp_of(ref);
        error = isfinite(r) ? fabs(r - ref) / u : fabs(ref) >= 0x1.ffffffp127 ? 0 : INFINITY;
        if (error > 0.5 - 0x1p-24) {
            int misrounded;
            error = error_exactly(x, y, r, &misrounded);
            o->misrounded += misrounded;
        }
    }
    if (wrong && !o->wrong++) o->wrong_at[0] = xbits, o->wrong_at[1] = ybits;
    if (error > o->largest) {
        o->largest = error;
        o->largest_at[0] = xbits;
        o->largest_at[1] = ybits;
    }
}

static void evaluate(const uint32_t *x, const uint32_t *y, uint32_t *r, size_t n)
{
    for (size_t i = 0; i < n; i += SCH_LANES)
        v_store_f32(r + i, v_canon_f32(v_pow(v_load_f32(x + i), v_load_f32(y + i))));
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct job *j = w->job;
    static _Thread_local uint32_t x[CHUNK], y[CHUNK], r[CHUNK];
    for (;;) {
        uint64_t first = atomic_fetch_add(&j->next, CHUNK);
        if (first >= j->count) break;
        uint64_t n = j->count - first < CHUNK ? j->count - first : CHUNK;
        for (uint64_t i = 0; i < CHUNK; i++) generate(first + i, &x[i], &y[i]);
        evaluate(x, y, r, CHUNK);
        for (uint64_t i = 0; i < n; i++) w->o.hash += mix(mix((uint64_t)x[i] << 32 | y[i]) + r[i]);
        if (!j->hash_only)
            for (uint64_t i = 0; i < n; i++) judge(x[i], y[i], r[i], &w->o);
    }
    mpfr_free_cache();
    return NULL;
}

static struct outcome run(uint64_t count, int hash_only, int threads)
{
    struct job j = {.count = count, .hash_only = hash_only};
    struct worker w[64];
    struct outcome o = {0};
    for (int t = 0; t < threads; t++) {
        w[t] = (struct worker){.job = &j};
        if (pthread_create(&w[t].thread, NULL, work, &w[t])) {
            printf("Bail out! cannot start a thread\n");
            exit(1);
        }
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(w[t].thread, NULL);
        struct outcome *p = &w[t].o;
        if (p->largest > o.largest) {
            o.largest = p->largest;
            memcpy(o.largest_at, p->largest_at, sizeof o.largest_at);
        }
        if (p->wrong) memcpy(o.wrong_at, p->wrong_at, sizeof o.wrong_at);
        o.misrounded += p->misrounded;
        o.wrong += p->wrong;
        o.hash += p->hash;
    }
    return o;
}

static const float special[] = {
    0.0f,
    0x1p-149f,
    0x1p-148f,
    0x1.8p-140f,
    0x1.fffffcp-127f,
    0x1p-126f,
    0x1p-100f,
    0x1p-25f,
    0x1p-24f,
    0.1f,
    0.25f,
    1 / 3.0f,
    0.5f,
    0.75f,
    0.99f,
    0x1.fffffep-1f,
    1.0f,
    0x1.000002p0f,
    1.01f,
    1.5f,
    2.0f,
    2.5f,
    3.0f,
    4.0f,
    5.0f,
    7.5f,
    9.0f,
    10.0f,
    16.0f,
    23.0f,
    24.0f,
    37.0f,
    127.0f,
    127.5f,
    128.0f,
    129.0f,
    148.0f,
    149.0f,
    150.0f,
    151.0f,
    0x1.fffffep22f,
    0x1p23f,
    8388609.0f,
    0x1.fffffep23f,
    0x1p24f,
    0x1.000002p24f,
    0x1p31f,
    0x1p32f,
    0x1p64f,
    0x1p126f,
    0x1p127f,
    0x1.fffffep127f,
    INFINITY,
    NAN,
};

/* All pairs of special values of both signs against MPFR. */
static struct outcome run_special(void)
{
    enum { COUNT = 2 * sizeof special / sizeof special[0] };
    struct outcome o = {0};
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            float x = i & 1 ? -special[i / 2] : special[i / 2];
            float y = j & 1 ? -special[j / 2] : special[j / 2];
            uint32_t xb[SCH_LANES], yb[SCH_LANES], rb[SCH_LANES];
            for (int k = 0; k < SCH_LANES; k++) xb[k] = as_bits(x), yb[k] = as_bits(y);
            evaluate(xb, yb, rb, SCH_LANES);
            judge(xb[0], yb[0], rb[0], &o);
            int misrounded;
            double e = error_exactly(x, y, as_float(rb[0]), &misrounded);
            if (e > BOUND) {
                if (!o.wrong++) o.wrong_at[0] = xb[0], o.wrong_at[1] = yb[0];
            } else if (e > o.largest) {
                o.largest = e, o.largest_at[0] = xb[0], o.largest_at[1] = yb[0];
            }
        }
    }
    return o;
}

/* An x whose power by n is about 2^t, |t| < 155; every fourth of few significant bits, so that powers lie on middles
   between floats. */
static uint32_t base_of(uint64_t i, unsigned n)
{
    uint64_t a = mix(2 * i + 1);
    double t = (double)(int64_t)(a >> 11) * 0x1p-53 * 310 - 155;
    uint32_t x = as_bits((float)exp2(t / n)) ^ (uint32_t)(a & 0xffff) ^ (uint32_t)(a << 31);
    return i % 4 ? x : x & 0xffffffffu << (a >> 16) % 24;
}

/* Exponents that are one whole number for all lanes, bit for bit what v_pow_any says. */
static int check_whole(int number, uint64_t vectors)
{
    uint64_t wrong = 0;
    uint32_t wrong_at[2] = {0, 0};
    for (uint64_t i = 0; i < vectors; i++) {
        unsigned n = i % 8 ? 1 + (unsigned)(mix(i) % 255) : 1u << i / 8 % 8;
        vu32 x;
        for (unsigned k = 0; k < SCH_LANES; k++) x[k] = base_of(i * SCH_LANES + k, n);
        vf32 y = v_splat_f32((float)n);
        vu32 quick = (vu32)v_canon_f32(v_pow((vf32)x, y)), defined = (vu32)v_canon_f32(v_pow_any((vf32)x, y));
        for (unsigned k = 0; k < SCH_LANES; k++)
            if (quick[k] != defined[k] && !wrong++) wrong_at[0] = x[k], wrong_at[1] = n;
    }
    if (wrong) printf("# %" PRIu64 " differ, one at 0x%08x ^ %u\n", wrong, wrong_at[0], wrong_at[1]);
    printf("%s %d - POW by whole exponents is POW\n", wrong ? "not ok" : "ok", number);
    return !wrong;
}

static int show(int n, const char *what, const struct outcome *o)
{
    int ok = o->largest <= BOUND && !o->wrong;
    printf("# POW %s: largest error %.12f ulp at 0x%08x ^ 0x%08x; %" PRIu64 " not nearest", what, o->largest,
           o->largest_at[0], o->largest_at[1], o->misrounded);
    if (o->wrong) printf("; %" PRIu64 " wrong, one at 0x%08x ^ 0x%08x", o->wrong, o->wrong_at[0], o->wrong_at[1]);
    printf("\n%s %d - POW %s within %.6f ulp\n", ok ? "ok" : "not ok", n, what, BOUND);
    return ok;
}

int main(int argc, char **argv)
{
    if (!level_is_there()) return 0;
    uint64_t count = 1000000;
    int threads = 1, hash_only = 0, print = 0, failed = 0, n = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--count") && i + 1 < argc) {
            count = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            threads = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--hash-only")) {
            hash_only = 1;
        } else if (!strcmp(argv[i], "--print")) {
            print = 1;
        } else {
            fprintf(stderr, "usage: math_pow [--count N] [--threads N] [--hash-only] [--print]\n");
            return 2;
        }
    }
    if (threads < 1 || threads > 64) return 2;
    if (!hash_only) {
        struct outcome s = run_special();
        failed |= !show(++n, "special values", &s);
        failed |= !check_whole(++n, count / SCH_LANES);
    }
    struct outcome o = run(count, hash_only, threads);
    if (!hash_only) failed |= !show(++n, "random pairs", &o);
    if (print) printf("# row: {\"POW\", %" PRIu64 ", 0x%016" PRIx64 "u},\n", count, o.hash);
    int found = 0;
    for (size_t i = 0; i < sizeof math_hashes / sizeof math_hashes[0]; i++) {
        const struct math_hash *h = &math_hashes[i];
        if (strcmp(h->name, "POW") || h->step != count) continue;
        found = 1;
        printf("%s %d - POW results of %d lanes hash to 0x%016" PRIx64 "\n", h->hash == o.hash ? "ok" : "not ok", ++n,
               SCH_LANES, o.hash);
        failed |= h->hash != o.hash;
    }
    if (!found) printf("ok %d - POW hash # SKIP none committed for %" PRIu64 " pairs\n", ++n, count);
    printf("1..%d\n", n);
    return failed;
}
