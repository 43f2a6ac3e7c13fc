/*
 * math_exhaustive.c - the one-argument functions of src/ops/alu/math_f32.h over all 2^32 arguments, or
 * over every K-th (--step K): every result must be the float nearest to the exact value (the largest
 * error is reported), and a hash of the results must equal the one in math_hashes.h.
 *
 * Reference: glibc's double functions, good to about 2^-52; where the error they show lies near or
 * above 1/2 ulp, MPFR with 200 bits decides. An ulp is that of the exact result, 2^-149 among
 * denormals.
 *
 * Hash: the sum modulo 2^64, over all arguments, of the splitmix64 finaliser of argument bits *
 * 2^32 + result bits, NaN results canonicalised. Being a sum it does not depend on the order.
 *
 * Options: --function NAME  --step K  --threads N  --hash-only  --print
 * Output: TAP. --print adds rows for math_hashes.h.
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

enum { CHUNK = 1 << 14 };

struct function {
    const char *name;
    void (*eval)(const uint32_t *in, uint32_t *out, size_t n);
    double (*reference)(double x);
    int (*exact)(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd);
};

struct outcome {
    double largest;
    uint32_t largest_at;
    uint64_t misrounded, wrong;
    uint32_t wrong_at;
    uint64_t hash;
};

struct job {
    const struct function *f;
    uint64_t step, count;
    int hash_only;
    atomic_uint_fast64_t next;
};

struct worker {
    pthread_t thread;
    struct job *job;
    struct outcome o;
};

#define EVAL(fn)                                                                                                       \
    static void eval_##fn(const uint32_t *in, uint32_t *out, size_t n)                                                 \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i += SCH_LANES) v_store_f32(out + i, v_canon_f32(v_##fn(v_load_f32(in + i))));       \
    }
EVAL(ex2)
EVAL(lg2)
EVAL(rsq)
EVAL(rcp)
EVAL(sqrt)
EVAL(sin)
EVAL(cos)

static double reference_rsq(double x) { return 1 / sqrt(x); }
static double reference_rcp(double x) { return 1 / x; }
static int exact_rcp(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd) { return mpfr_ui_div(r, 1, x, rnd); }

static const struct function functions[] = {
    {"EX2", eval_ex2, exp2, mpfr_exp2},
    {"LG2", eval_lg2, log2, mpfr_log2},
    {"RSQ", eval_rsq, reference_rsq, mpfr_rec_sqrt},
    {"RCP", eval_rcp, reference_rcp, exact_rcp},
    {"SQRT", eval_sqrt, sqrt, mpfr_sqrt},
    {"SIN", eval_sin, sin, mpfr_sin},
    {"COS", eval_cos, cos, mpfr_cos},
};

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The unit in the last place of a float near v. */
static double ulp_of(double v)
{
    int e;
    frexp(v, &e);
    e--;
    return ldexp(1, (e < -126 ? -126 : e > 127 ? 127 : e) - 23);
}

/* The same with MPFR: the error in ulp, and whether r is not the nearest float. */
static double error_exactly(const struct function *f, float x, float r, int *misrounded)
{
    mpfr_t a, v;
    mpfr_init2(a, 24);
    mpfr_init2(v, 200);
    mpfr_set_flt(a, x, MPFR_RNDN);
    f->exact(v, a, MPFR_RNDN);
    *misrounded = mpfr_get_flt(v, MPFR_RNDN) != r;
    double u = ulp_of(mpfr_get_d(v, MPFR_RNDZ));
    double e = INFINITY;
    if (isfinite(r)) {
        mpfr_sub_d(v, v, r, MPFR_RNDN);
        mpfr_div_d(v, v, u, MPFR_RNDN);
        e = fabs(mpfr_get_d(v, MPFR_RNDN));
    } else if (!*misrounded) {
        e = 0.5;
    }
    mpfr_clear(a);
    mpfr_clear(v);
    return e;
}

static void judge(const struct function *f, uint32_t xbits, uint32_t rbits, struct outcome *o)
{
    float x = as_float(xbits), r = as_float(rbits);
    double ref = f->reference(x);
    double error = 0;
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
            error = error_exactly(f, x, r, &misrounded);
            if (misrounded && o->misrounded++ < 8) printf("# %s: not the nearest float at 0x%08x\n", f->name, xbits);
        }
    }
    if (wrong && !o->wrong++) o->wrong_at = xbits;
    if (error > o->largest) {
        o->largest = error;
        o->largest_at = xbits;
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct job *j = w->job;
    static _Thread_local uint32_t in[CHUNK], out[CHUNK];
    for (;;) {
        uint64_t first = atomic_fetch_add(&j->next, CHUNK);
        if (first >= j->count) break;
        uint64_t n = j->count - first < CHUNK ? j->count - first : CHUNK;
        for (uint64_t i = 0; i < CHUNK; i++) in[i] = i < n ? (uint32_t)((first + i) * j->step) : 0;
        j->f->eval(in, out, CHUNK);
        for (uint64_t i = 0; i < n; i++) w->o.hash += mix((uint64_t)in[i] << 32 | out[i]);
        if (!j->hash_only)
            for (uint64_t i = 0; i < n; i++) judge(j->f, in[i], out[i], &w->o);
    }
    mpfr_free_cache();
    return NULL;
}

static struct outcome run(const struct function *f, uint64_t step, int hash_only, int threads)
{
    struct job j = {.f = f, .step = step, .hash_only = hash_only};
    j.count = (((uint64_t)1 << 32) + step - 1) / step;
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
        if (p->largest > o.largest) o.largest = p->largest, o.largest_at = p->largest_at;
        if (p->wrong) o.wrong_at = p->wrong_at;
        o.misrounded += p->misrounded;
        o.wrong += p->wrong;
        o.hash += p->hash;
    }
    return o;
}

static const struct math_hash *find_hash(const char *name, uint64_t step)
{
    for (size_t i = 0; i < sizeof math_hashes / sizeof math_hashes[0]; i++)
        if (!strcmp(math_hashes[i].name, name) && math_hashes[i].step == step) return &math_hashes[i];
    return NULL;
}

int main(int argc, char **argv)
{
    if (!level_is_there()) return 0;
    const char *only = NULL;
    uint64_t step = 1;
    int threads = 1, hash_only = 0, print = 0, failed = 0, n = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--function") && i + 1 < argc) {
            only = argv[++i];
        } else if (!strcmp(argv[i], "--step") && i + 1 < argc) {
            step = strtoull(argv[++i], NULL, 0);
        } else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            threads = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--hash-only")) {
            hash_only = 1;
        } else if (!strcmp(argv[i], "--print")) {
            print = 1;
        } else {
            fprintf(stderr, "usage: math_exhaustive [--function NAME] [--step K] [--threads N] "
                            "[--hash-only] [--print]\n");
            return 2;
        }
    }
    if (step < 1 || step > UINT32_MAX || threads < 1 || threads > 64) return 2;
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        const struct function *f = &functions[k];
        if (only && strcmp(only, f->name)) continue;
        struct outcome o = run(f, step, hash_only, threads);
        if (!hash_only) {
            int ok = !o.misrounded && !o.wrong && o.largest <= 0.5;
            printf("# %s: largest error %.12f ulp at 0x%08x; %" PRIu64 " not nearest", f->name, o.largest, o.largest_at,
                   o.misrounded);
            if (o.wrong) printf("; %" PRIu64 " wrong, one at 0x%08x", o.wrong, o.wrong_at);
            printf("\n%s %d - %s correctly rounded\n", ok ? "ok" : "not ok", ++n, f->name);
            failed |= !ok;
        }
        if (print) printf("# row: {\"%s\", %" PRIu64 ", 0x%016" PRIx64 "u},\n", f->name, step, o.hash);
        const struct math_hash *h = find_hash(f->name, step);
        if (h) {
            printf("%s %d - %s results of %d lanes hash to 0x%016" PRIx64 "\n", h->hash == o.hash ? "ok" : "not ok",
                   ++n, f->name, SCH_LANES, o.hash);
            failed |= h->hash != o.hash;
        } else {
            printf("ok %d - %s hash # SKIP none committed for step %" PRIu64 "\n", ++n, f->name, step);
        }
        fflush(stdout);
    }
    printf("1..%d\n", n);
    return failed || !n;
}
