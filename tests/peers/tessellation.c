/* What Mesa's tessellator (argument: llvmpipe) and ours make of the same levels: each domain and spacing of OpenGL,
 * both orders, primitives and points, levels from 0 to 64 in eighths and others. All coordinates must have the same
 * bits, all primitives the same vertices in the same order. The one known difference is in docs/peer-differences.md:
 * llvmpipe takes levels below 2^-126 as 0. TAP: one line for each domain and spacing. `--print` prints what the driver
 * makes of some levels, as rows of tests/unit/pipeline/tessellate_golden.def. */
#include "pipeline/tessellate.h"
#include "surfaceless.h"
#include "tessellation_gl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const domains[] = {"isolines", "triangles", "quads"};
static const char *const spacings[] = {"fractional_odd_spacing", "fractional_even_spacing", "equal_spacing"};

struct tally {
    uint32_t patches, different, known;
    uint64_t vertices;
};

/* A patch, and what the driver captured of it. */
struct patch {
    struct sch_tess_mode mode;
    float outer[4], inner[2];
    const float (*theirs)[3];
    size_t count;
};

static uint64_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((state >> 32) * below) >> 32);
}

static struct sch_tess_point points[SCH_TESS_POINTS];
static uint16_t indices[SCH_TESS_INDICES];

static bool capture(struct patch *p)
{
    struct captured_mode mode = {domains[p->mode.domain], spacings[p->mode.spacing], p->mode.clockwise ? "cw" : "ccw",
                                 p->mode.points};
    return tessellation_gl_capture(&mode, p->outer, p->inner, &p->theirs, &p->count);
}

static bool is_equal(const struct patch *p, const float outer[4], const float inner[2])
{
    struct sch_tess_plan plan;
    sch_tessellate_plan(&p->mode, outer, inner, &plan);
    sch_tessellate_points(&plan, points);
    sch_tessellate_primitives(&plan, indices);
    if (p->count != (size_t)plan.primitive_count * plan.corners) return false;
    for (size_t i = 0; i < p->count; i++) {
        float ours[3];
        sch_tessellate_coordinate(&plan, &points[indices[i]], ours);
        if (memcmp(ours, p->theirs[i], sizeof ours)) return false;
    }
    return true;
}

static float without_denormals(float level) { return fabsf(level) < 0x1p-126f ? 0 : level; }

static bool is_known(const struct patch *p)
{
    float outer[4], inner[2];
    for (uint32_t i = 0; i < 4; i++) outer[i] = without_denormals(p->outer[i]);
    for (uint32_t i = 0; i < 2; i++) inner[i] = without_denormals(p->inner[i]);
    return is_equal(p, outer, inner);
}

static void compare(struct patch *p, struct tally *tally)
{
    bool there = capture(p);
    tally->patches++;
    if (there) tally->vertices += p->count;
    if (there && is_equal(p, p->outer, p->inner)) return;
    if (there && is_known(p)) {
        tally->known++;
        return;
    }
    if (tally->different++ < 5)
        printf("# %s %s, clockwise %d, points %d: outer %a %a %a %a inner %a %a%s\n", domains[p->mode.domain],
               spacings[p->mode.spacing], p->mode.clockwise, p->mode.points, (double)p->outer[0], (double)p->outer[1],
               (double)p->outer[2], (double)p->outer[3], (double)p->inner[0], (double)p->inner[1],
               there ? "" : " (the driver refuses)");
}

/* Eighths from 0 to 64; few, many or equal ones; numbers beside steps, out of range, or none. */
static float random_level(uint32_t kind)
{
    static const float special[] = {0,  -1, -0.0f, 0x1p-149f,     1,           2,           3,         63,
                                    64, 65, 1e30f, 0x1.000002p0f, 0x1.0002p0f, 0x1.0001p0f, 62.99999f, 63.00001f};
    if (kind == 0) return (float)draw(64 * 8 + 9) / 8;
    if (kind == 1) return (float)(1 + draw(8 * 12)) / 8;
    if (kind == 2) return (float)(1 + draw(12));
    if (kind == 3) return 1 + (float)draw(1 << 24) * 0x1p-24f * (float)(1 + draw(64));
    if (draw(16) == 0) return draw(2) ? (float)NAN : (float)INFINITY;
    return special[draw(sizeof special / sizeof *special)];
}

static void random_levels(struct patch *p)
{
    uint32_t kind = draw(5);
    for (uint32_t i = 0; i < 4; i++) p->outer[i] = random_level(draw(4) ? kind : draw(4));
    for (uint32_t i = 0; i < 2; i++) p->inner[i] = random_level(draw(4) ? kind : draw(5));
}

static void compare_mode(struct patch *p, struct tally *tally)
{
    for (uint32_t step = 0; step <= SCH_TESS_LEVEL * 8; step++) {
        float level = (float)step / 8;
        for (uint32_t i = 0; i < 4; i++) p->outer[i] = level;
        p->inner[0] = p->inner[1] = level;
        compare(p, tally);
        for (uint32_t i = 0; i < 4; i++) p->outer[i] = random_level(draw(2));
        if (p->mode.domain == SCH_TESS_ISOLINES) p->outer[1] = level;
        compare(p, tally);
    }
    for (uint32_t n = 0; n < 1000; n++) {
        random_levels(p);
        compare(p, tally);
    }
}

static bool compare_all(void)
{
    bool good = true;
    printf("1..9\n");
    for (uint32_t i = 0; i < 9; i++) {
        struct patch p = {.mode = {.domain = (uint8_t)(i / 3), .spacing = (uint8_t)(i % 3)}};
        struct tally tally = {0};
        state = i;
        for (uint32_t form = 0; form < 4; form++) {
            p.mode.clockwise = form & 1;
            p.mode.points = form >> 1;
            compare_mode(&p, &tally);
        }
        printf("%sok %u - %s %s: %u patches, %llu vertices, %u with denormal levels, %u others differ\n",
               tally.different ? "not " : "", i + 1, domains[i / 3], spacings[i % 3], tally.patches,
               (unsigned long long)tally.vertices, tally.known, tally.different);
        fflush(stdout);
        good &= !tally.different;
    }
    return good;
}

/* ---- the golden table ---- */

static uint32_t units(float coordinate) { return (uint32_t)(coordinate * (float)SCH_TESS_ONE); }

/* FNV-1a of u and v of each vertex, three bytes each. */
static uint64_t sum_of(const struct patch *p)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < p->count * 6; i++)
        sum = (sum ^ (units(p->theirs[i / 6][i % 6 / 3]) >> i % 3 * 8 & 0xff)) * 0x100000001b3u;
    return sum;
}

static void print_row(const struct patch *p, bool whole)
{
    printf("%s(%u, %u, %d, %d, (%a, %a, %a, %a), (%a, %a), %zu,", whole ? "PATCH" : "SUM", p->mode.domain,
           p->mode.spacing, p->mode.clockwise, p->mode.points, (double)p->outer[0], (double)p->outer[1],
           (double)p->outer[2], (double)p->outer[3], (double)p->inner[0], (double)p->inner[1], p->count);
    if (!whole) {
        printf(" 0x%016llx)\n", (unsigned long long)sum_of(p));
        return;
    }
    for (size_t i = 0; i < p->count; i++)
        printf("%s%u %u",
               i % 9 ? " "
               : i   ? " \"\n      \""
                     : "\n      \"",
               units(p->theirs[i][0]), units(p->theirs[i][1]));
    printf("\")\n");
}

static bool has_denormals(const struct patch *p)
{
    bool found = false;
    for (uint32_t i = 0; i < 6; i++) {
        float level = i < 4 ? p->outer[i] : p->inner[i - 4];
        found |= isnan(level) || isinf(level) || (level != 0 && fabsf(level) < 0x1p-126f);
    }
    return found;
}

/* Patches of levels 1, few segments, and any; the latter as sums. */
static void print_table(void)
{
    for (uint32_t i = 0; i < 9; i++) {
        struct patch p = {{(uint8_t)(i / 3), (uint8_t)(i % 3), false, false}, {1, 1, 1, 1}, {1, 1}, NULL, 0};
        if (capture(&p)) print_row(&p, true);
    }
    for (uint32_t i = 0; i < 9 * 40; i++) {
        struct patch p = {.mode = {(uint8_t)(i % 9 / 3), (uint8_t)(i % 3), draw(3) == 0, draw(4) == 0}};
        bool whole = false;
        do {
            random_levels(&p);
            whole = i < 9 * 5;
        } while (has_denormals(&p) || !capture(&p) || !p.count || (whole && p.count > 60));
        print_row(&p, whole);
    }
}

int main(int argc, char **argv)
{
    char why[200];
    bool good = true;
    if (!tessellation_gl_open(argc > 1 ? argv[1] : "llvmpipe", why, sizeof why)) {
        printf("1..0 # SKIP %s\n", why);
        return 0;
    }
    if (argc > 2 && !strcmp(argv[2], "--print")) {
        print_table();
    } else {
        printf("# %s\n", surfaceless_driver());
        good = compare_all();
    }
    tessellation_gl_close();
    return !good;
}
