/* The same lookups asked of our texture unit and of one of Mesa's software drivers (argument: llvmpipe, softpipe).
 *
 * One combination is a target, a GLSL function, filters, wrap modes, offset, format, size and sampler state; it is
 * asked at 256 points. Operands are the same floats on both sides (gl.c). An answer agrees
 *  1. when each component is within one step of the texture's format of ours (UNORM, SNORM, depth: 1 / (2^n - 1);
 *     sRGB: 1/255; floats: a unit of the last place but two of the largest texel; comparisons and integers: none), or
 *  2. when it is within that step plus axes / 256 of the range of the texels in our footprint, component by component,
 *     axes being the number of axes along which the lookup is linear, the levels' one included, or
 *  3. near a discontinuity: when the rule above holds for our answer to a lookup next to it: each coordinate moved by
 *     -1/256, 0 or 1/256 texel of a level in use (cubes: of a component of the direction), the level by -1/128, 0 or
 *     1/128, the layer by -2^-10, 0 or 2^-10, the reference by -1, 0 or 1 step.
 * Level queries agree within 1/64, or by 3. All components must agree with the same lookup.
 *
 * model.c answers the same lookups a second time, by OpenGL's rules alone or with mistakes of the drivers put in. The
 * rules alone must agree with us, by the same three rules. A combination in which the driver differs from us is
 * explained when the model with all the driver's mistakes agrees with the driver at all of its 256 points; it counts
 * for each mistake without which the model does not agree. Each mistake has its entry in docs/peer-differences.md, and
 * one that explains nothing fails. Whatever else differs fails its class. TAP: one line a class. `--case N...` prints
 * some combinations' differences. */
#include "../unit/support/explained.h"
#include "cases.h"
#include "model.h"
#include "surfaceless.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sch_context *context;

/* ---- our side
 * ------------------------------------------------------------------------------------------------------ */

static struct sch_lookup lookup_of(const struct peer_case *c, const struct peer_point *p)
{
    static const enum sch_lookup_operation lookups[] = {SCH_LOOKUP_SAMPLE,   SCH_LOOKUP_SAMPLE_B, SCH_LOOKUP_SAMPLE_L,
                                                        SCH_LOOKUP_SAMPLE_D, SCH_LOOKUP_GATHER,   SCH_LOOKUP_FETCH,
                                                        SCH_LOOKUP_LOD};
    struct sch_lookup q = {.size = sizeof q,
                           .operation = lookups[c->lookup],
                           .compare = c->shadow,
                           .reference = p->reference,
                           .lod = p->lod,
                           .bias = c->lookup == LOOK_BIAS ? p->lod : 0,
                           .component = c->shadow ? 0 : c->component};
    memcpy(q.at, p->at, sizeof q.at);
    memcpy(q.ddx, p->ddx, sizeof q.ddx);
    memcpy(q.ddy, p->ddy, sizeof q.ddy);
    memcpy(q.offset, c->offsets, sizeof q.offset);
    if (c->lookup == LOOK_FETCH) {
        q.level = (uint32_t)p->lod;
        for (unsigned i = 0; i < 4; i++) q.texel[i] = (uint32_t)(int32_t)p->at[i];
    }
    return q;
}

static bool is_whole(const struct peer_case *c)
{
    return c->lookup != LOOK_QUERY && (c->texture->format->kind == KIND_UINT || c->texture->format->kind == KIND_SINT);
}

static unsigned component_count(const struct peer_case *c)
{
    return c->lookup == LOOK_QUERY ? 2 : c->shadow && c->lookup != LOOK_GATHER ? 1 : 4;
}

static unsigned linear_axes(const struct peer_case *c, const struct explained *why)
{
    if (c->lookup == LOOK_GATHER || c->lookup == LOOK_FETCH) return 0;
    bool linear = why->info.magnified ? c->sampler.mag_filter : c->sampler.min_filter;
    return (linear ? c->target->axes : 0) + (!why->info.magnified && c->sampler.mip_filter == SCH_MIP_LINEAR);
}

static double double_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static void footprint_range(const struct explained *why, unsigned component, double *low, double *high)
{
    *low = *high = why->info.texel_count ? double_of(why->texels[0].value[component]) : 0;
    for (uint32_t i = 1; i < why->info.texel_count && i < EXPLAINED_TEXELS; i++) {
        *low = fmin(*low, double_of(why->texels[i].value[component]));
        *high = fmax(*high, double_of(why->texels[i].value[component]));
    }
}

/* One who answers: we (mistakes: none), or the model. */
struct asked {
    const struct peer_case *c;
    struct sch_sampler *sampler; /* NULL: the model */
    uint32_t mistakes;
    struct explained *why; /* our last answer's */
};

static bool answer_of(const struct asked *a, const struct peer_point *p, const struct peer_point quad[4],
                      struct model_result *out)
{
    if (!a->sampler) {
        model_look_up(a->c, p, quad, a->mistakes, out);
        return true;
    }
    struct sch_lookup q = lookup_of(a->c, p);
    if (explain(context, a->c->texture->view, a->sampler, &q, a->why) != SCH_OK) return false;
    out->undefined = false;
    out->axes = linear_axes(a->c, a->why);
    for (unsigned i = 0; i < 4; i++) {
        out->words[i] = a->why->info.result[i];
        out->value[i] = double_of(a->why->info.result[i]);
        unsigned component = a->c->shadow ? 0 : a->c->lookup == LOOK_GATHER ? a->c->component : i;
        footprint_range(a->why, component, &out->low[i], &out->high[i]);
    }
    memcpy(out->level, a->why->info.level, sizeof out->level);
    return true;
}

/* ---- tolerance
 * ----------------------------------------------------------------------------------------------------- */

static double step_of(const struct peer_case *c, double low, double high)
{
    const struct peer_format *f = c->texture->format;
    if (c->lookup == LOOK_QUERY) return 0x1p-6;
    if (c->shadow) return 0x1p-20;
    return f->kind == KIND_FLOAT ? (double)f->step * fmax(fabs(low), fabs(high)) : (double)f->step;
}

/* Rules 1 and 2. `worst` receives the difference in tolerances. */
static bool agrees_with(const struct peer_case *c, const struct model_result *ours, const float *theirs, double *worst)
{
    *worst = 0;
    for (unsigned i = 0; i < component_count(c) && !ours->undefined; i++) {
        if (is_whole(c)) {
            if (memcmp(&theirs[i], &ours->words[i], 4)) *worst = INFINITY;
            continue;
        }
        double low = ours->low[i], high = ours->high[i], range = c->lookup == LOOK_QUERY ? 0 : high - low;
        double room = step_of(c, low, high) * 1.0001 + range * ours->axes / 256;
        double difference = fabs((double)theirs[i] - ours->value[i]);
        difference = difference == 0 ? 0 : difference / room;
        *worst = difference <= *worst ? *worst : isnan(difference) ? INFINITY : difference;
    }
    return *worst <= 1;
}

/* Rule 3. */
static void move_level(struct peer_point *p, int way)
{
    float amount = (float)way / 128;
    p->lod += amount;
    for (unsigned i = 0; i < 3; i++) {
        p->ddx[i] *= exp2f(amount);
        p->ddy[i] *= exp2f(amount);
    }
}

static bool coordinates_agree(const struct asked *a, const struct peer_point *base, const struct peer_point quad[4],
                              const float unit[3], const float *theirs)
{
    unsigned n = a->c->target->coordinates, ways = n == 1 ? 3 : n == 2 ? 9 : 27;
    for (unsigned way = 0; way < ways; way++) {
        struct peer_point p = *base;
        struct model_result answer;
        double worst;
        for (unsigned i = 0, left = way; i < n; i++, left /= 3)
            p.at[i] += (left % 3 == 0 ? 0.0f : left % 3 == 1 ? -1.0f : 1.0f) * unit[i];
        if (!answer_of(a, &p, quad, &answer)) return false;
        if (agrees_with(a->c, &answer, theirs, &worst)) return true;
    }
    return false;
}

/* 1/256 of a texel of one of the two levels that our answer used. */
static void unit_at(const struct peer_case *c, uint32_t level, float unit[3])
{
    bool texels = c->target->target == SCH_TARGET_RECT;
    for (unsigned i = 0; i < 3; i++)
        unit[i] = c->target->cube ? 0x1p-7f / (float)cases_size(c->texture, 0, level)
                  : texels        ? 0x1p-8f
                                  : 0x1p-8f / (float)cases_size(c->texture, i, level);
}

/* Layer and reference beside the asked ones: nine lookups. */
static bool agrees_beside(const struct asked *a, const struct peer_point *p, const struct peer_point quad[4],
                          const float unit[3], const float *theirs)
{
    const struct peer_case *c = a->c;
    for (int layer = -1; layer <= 1; layer++)
        for (int reference = -1; reference <= 1; reference++) {
            struct peer_point beside = *p;
            if ((layer && !c->target->array) || (reference && !c->shadow)) continue;
            if (c->target->array) beside.at[c->target->coordinates] += (float)layer * 0x1p-10f;
            beside.reference += (float)reference * c->texture->format->step;
            if (coordinates_agree(a, &beside, quad, unit, theirs)) return true;
        }
    return false;
}

static bool agrees_near(const struct asked *a, const struct peer_point *asked, const struct peer_point four[4],
                        const uint32_t levels[2], const float *theirs)
{
    if (a->c->lookup == LOOK_FETCH) return false;
    for (int way = -1; way <= 1; way++)
        for (unsigned i = 0; i < 2; i++) {
            struct peer_point p = *asked, quad[4];
            float unit[3];
            if (i == 1 && levels[1] == levels[0]) continue;
            move_level(&p, way);
            memcpy(quad, four, sizeof quad);
            for (unsigned lane = 0; lane < 4; lane++) move_level(&quad[lane], way);
            unit_at(a->c, levels[i], unit);
            if (agrees_beside(a, &p, quad, unit, theirs)) return true;
        }
    return false;
}

/* ---- differences that are known to be the drivers'
 * ----------------------------------------------------------------- */

static const struct {
    unsigned drivers;
    const char *name;
} known[] = {
#define X(drivers, id, name) {drivers, name},
    MISTAKES(X)
#undef X
};

static uint32_t known_seen[MISTAKE_COUNT]; /* combinations */

/* All mistakes of the driver. */
static uint32_t mistakes_of(const char *driver)
{
    uint32_t all = 0, bit = !strcmp(driver, "llvmpipe") ? 1 : 2;
    for (unsigned i = 0; i < MISTAKE_COUNT; i++)
        if (known[i].drivers & bit) all |= 1u << i;
    return all;
}

/* ---- combinations
 * -------------------------------------------------------------------------------------------------- */

struct answers {
    struct peer_point points[PEER_POINTS];
    float theirs[PEER_POINTS][4];
};

static void quad_of(const struct answers *all, unsigned i, struct peer_point quad[4])
{
    const struct peer_point *first = &all->points[(i / PEER_SIDE & ~1u) * PEER_SIDE + (i % PEER_SIDE & ~1u)];
    memcpy(quad, first, 2 * sizeof *first);
    memcpy(quad + 2, first + PEER_SIDE, 2 * sizeof *first);
}

struct tally {
    uint32_t combinations, equal, points, bent, unexplained, explained, unanswered, apart;
    double worst;
};

static void describe(const struct peer_case *c)
{
    const struct sch_sampler_options *s = &c->sampler;
    const struct peer_texture *t = c->texture;
    printf(
        "# case %u: %s%s lookup %d offset %d,%d,%d; %s %ux%ux%u layers %u levels %u; wrap %d,%d,%d min %d mag %d mip "
        "%d bias %g lod %g..%g border %g,%g,%g,%g compare %d seamless %d component %u\n",
        (unsigned)c->number, c->target->name, c->shadow ? " shadow" : "", (int)c->lookup, (int)c->offsets[0],
        (int)c->offsets[1], (int)c->offsets[2], t->format->name, (unsigned)t->width, (unsigned)t->height,
        (unsigned)t->depth, (unsigned)t->layers, (unsigned)t->levels, (int)s->wrap_s, (int)s->wrap_t, (int)s->wrap_r,
        (int)s->min_filter, (int)s->mag_filter, (int)s->mip_filter, (double)s->lod_bias, (double)s->min_lod,
        (double)s->max_lod, (double)s->border[0], (double)s->border[1], (double)s->border[2], (double)s->border[3],
        (int)s->compare, (int)c->seamless, (unsigned)c->component);
}

static void describe_point(const struct peer_case *c, const struct peer_point *p, const float *theirs,
                           const struct model_result *ours)
{
    printf("#   at %.9g %.9g %.9g %.9g ref %.9g lod %.9g ddx %.9g %.9g %.9g ddy %.9g %.9g %.9g\n", (double)p->at[0],
           (double)p->at[1], (double)p->at[2], (double)p->at[3], (double)p->reference, (double)p->lod,
           (double)p->ddx[0], (double)p->ddx[1], (double)p->ddx[2], (double)p->ddy[0], (double)p->ddy[1],
           (double)p->ddy[2]);
    printf("#   theirs/expected");
    for (unsigned i = 0; i < component_count(c); i++) {
        int32_t word;
        memcpy(&word, &theirs[i], 4);
        if (is_whole(c))
            printf(" %d/%d", (int)word, (int)(int32_t)ours->words[i]);
        else
            printf(" %.7g/%.7g", (double)theirs[i], ours->value[i]);
    }
    printf("; levels %u %u\n", (unsigned)ours->level[0], (unsigned)ours->level[1]);
}

enum { ENOUGH = 12 }; /* differing points after which a combination's other ones are not looked at closely */

/* The points at which somebody's answers differ from the driver's; stops after `enough`. */
static uint32_t count_differing(const struct asked *a, const struct answers *all, struct tally *tally, uint32_t enough,
                                uint32_t shown)
{
    uint32_t differing = 0;
    for (unsigned i = 0; i < PEER_POINTS && differing < enough; i++) {
        const struct peer_point *p = &all->points[i];
        struct peer_point quad[4];
        struct model_result answer;
        double worst;
        quad_of(all, i, quad);
        if (!answer_of(a, p, quad, &answer)) {
            tally->unanswered++;
            continue;
        }
        tally->points++;
        if (agrees_with(a->c, &answer, all->theirs[i], &worst)) {
            tally->worst = fmax(tally->worst, worst);
            continue;
        }
        if (differing < ENOUGH && agrees_near(a, p, quad, answer.level, all->theirs[i])) {
            tally->bent++;
            continue;
        }
        if (differing++ < shown) describe_point(a->c, p, all->theirs[i], &answer);
    }
    return differing;
}

/* The rules alone must agree with us. */
static bool model_is_ours(const struct asked *ours, const struct answers *all, uint32_t shown)
{
    static struct answers same;
    struct asked model = {ours->c, NULL, MODEL_SNAPPED, NULL};
    struct tally tally = {0};
    same = *all;
    for (unsigned i = 0; i < PEER_POINTS; i++) {
        struct model_result answer;
        if (!answer_of(ours, &all->points[i], NULL, &answer)) return false;
        memcpy(same.theirs[i], is_whole(ours->c) ? answer.words : ours->why->info.result, sizeof same.theirs[i]);
    }
    return count_differing(&model, &same, &tally, 1, shown) == 0;
}

/* With all the driver's mistakes in, the model agrees with the driver at every point. */
static bool is_explained(uint32_t mistakes, const struct peer_case *c, const struct answers *all, uint32_t shown)
{
    struct tally tally = {0};
    struct asked model = {c, NULL, mistakes, NULL};
    if (count_differing(&model, all, &tally, shown ? shown : 1, shown)) return false;
    uint32_t needed = 0;
    for (unsigned i = 0; i < MISTAKE_COUNT; i++) {
        struct asked without = {c, NULL, mistakes & ~(1u << i), NULL};
        if (mistakes >> i & 1 && count_differing(&without, all, &tally, 1, 0)) {
            known_seen[i]++;
            needed++;
            if (shown) printf("# explained by %s\n", known[i].name);
        }
    }
    if (!needed) printf("# case %u: no single mistake is needed\n", (unsigned)c->number);
    return true;
}

static void judge(const char *driver, const struct asked *ours, const struct answers *all, struct tally *tally,
                  uint32_t shown)
{
    uint32_t before = tally->bent;
    uint32_t differing = count_differing(ours, all, tally, PEER_POINTS, shown);
    if (!model_is_ours(ours, all, shown)) {
        tally->apart++;
        printf("# case %u: the model does not agree with us\n", (unsigned)ours->c->number);
    }
    if (!differing)
        tally->equal += tally->bent == before;
    else if (is_explained(mistakes_of(driver), ours->c, all, shown))
        tally->explained++;
    else {
        if (tally->unexplained++ < 8 && !shown) {
            describe(ours->c);
            struct asked model = {ours->c, NULL, mistakes_of(driver), NULL};
            count_differing(&model, all, &(struct tally){0}, 2, 2);
        }
        printf("# case %u: %u of %u points differ\n", (unsigned)ours->c->number, (unsigned)differing, PEER_POINTS);
    }
}

static void run_case(const char *driver, const struct peer_case *c, struct tally *tally, uint32_t shown)
{
    static struct answers all;
    static struct explained why;
    struct asked ours = {.c = c, .why = &why};
    cases_points(c, all.points);
    if (!gl_render(c, all.points, all.theirs)) return;
    if (!c->texture->view || sch_sampler_create(context, &c->sampler, NULL, &ours.sampler) != SCH_OK) {
        tally->unanswered++;
        return;
    }
    if (shown) describe(c);
    tally->combinations++;
    judge(driver, &ours, &all, tally, shown);
    sch_sampler_destroy(ours.sampler);
}

/* ---- classes
 * ------------------------------------------------------------------------------------------------------- */

static bool same_class(const struct peer_case *a, const struct peer_case *b)
{
    return a->target == b->target && a->shadow == b->shadow && a->lookup == b->lookup && a->offset == b->offset &&
           a->per_pixel == b->per_pixel && a->oblique == b->oblique;
}

/* The mistakes that explained a class's combinations: those counted since `before`. */
static void print_reasons(const uint32_t before[MISTAKE_COUNT])
{
    const char *separator = "#   explained by";
    for (unsigned i = 0; i < MISTAKE_COUNT; i++) {
        if (known_seen[i] == before[i]) continue;
        printf("%s %s (%u)", separator, known[i].name, (unsigned)(known_seen[i] - before[i]));
        separator = ",";
    }
    if (separator[0] == ',') printf("\n");
}

static bool run_class(const char *driver, const struct peer_case *cases, size_t count, struct tally *total)
{
    static const char *const names[] = {"texture",       "texture bias", "textureLod",     "textureGrad",
                                        "textureGather", "texelFetch",   "textureQueryLOD"};
    struct tally t = {0};
    uint32_t before[MISTAKE_COUNT];
    memcpy(before, known_seen, sizeof before);
    for (size_t i = 0; i < count; i++) run_case(driver, &cases[i], &t, 0);
    bool skipped = !t.combinations && !t.unanswered, good = !t.unexplained && !t.unanswered && !t.apart;
    printf("%sok - %s%s %s%s%s%s: ", good ? "" : "not ", cases->target->name, cases->shadow ? " shadow" : "",
           names[cases->lookup], cases->offset ? " offset" : "", cases->per_pixel ? ", a level each pixel" : "",
           cases->oblique ? ", oblique" : "");
    if (skipped)
        printf("# SKIP the driver has no such lookup\n");
    else
        printf(
            "%u combinations, %u points: %u equal, %u near a discontinuity (%u points), %u explained, %u unexplained; "
            "worst %.2f of the room, %u not answered, %u unlike the model\n",
            (unsigned)t.combinations, (unsigned)t.points, (unsigned)t.equal,
            (unsigned)(t.combinations - t.equal - t.explained - t.unexplained), (unsigned)t.bent, (unsigned)t.explained,
            (unsigned)t.unexplained, t.worst, (unsigned)t.unanswered, (unsigned)t.apart);
    print_reasons(before);
    fflush(stdout);
    total->combinations += t.combinations;
    total->points += t.points;
    total->equal += t.equal;
    total->unexplained += t.unexplained;
    total->explained += t.explained;
    return good;
}

static bool run_all(const char *driver, const struct peer_case *cases, size_t count)
{
    unsigned lines = 1;
    bool good = true;
    struct tally total = {0};
    for (size_t i = 0, end; i < count; i = end, lines++) {
        for (end = i + 1; end < count && same_class(&cases[i], &cases[end]);) end++;
        good = run_class(driver, cases + i, end - i, &total) && good;
    }
    for (unsigned i = 0; i < MISTAKE_COUNT; i++) {
        if (!(mistakes_of(driver) >> i & 1)) continue;
        printf("%sok - known difference %s: %u combinations\n", known_seen[i] ? "" : "not ", known[i].name,
               (unsigned)known_seen[i]);
        good = good && known_seen[i];
        lines++;
    }
    bool many = total.combinations >= 2000;
    printf("%sok - %u combinations, %u points: %u equal, %u within the tolerance, %u explained, %u unexplained\n",
           many ? "" : "not ", (unsigned)total.combinations, (unsigned)total.points, (unsigned)total.equal,
           (unsigned)(total.combinations - total.equal - total.explained - total.unexplained),
           (unsigned)total.explained, (unsigned)total.unexplained);
    printf("1..%u\n", lines);
    return good && many;
}

int main(int argc, char **argv)
{
    const char *driver = argc > 1 ? argv[1] : "llvmpipe";
    char why[200];
    size_t count;
    if (!gl_open(driver, why, sizeof why)) {
        printf("1..0 # SKIP %s\n", why);
        return 0;
    }
    printf("# %s\n", surfaceless_driver());
    if (!strstr(surfaceless_driver(), "Mesa 22.3")) {
        printf("1..0 # SKIP the differences are known of Mesa 22.3\n");
        gl_close();
        return 0;
    }
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    const struct peer_case *cases = cases_make(context, &count);
    bool good = true;
    if (argc > 3 && !strcmp(argv[2], "--case")) {
        for (int i = 3; i < argc; i++) {
            struct tally tally = {0};
            size_t number = strtoul(argv[i], NULL, 10);
            if (number < count) run_case(driver, &cases[number], &tally, 16);
        }
    } else
        good = run_all(driver, cases, count);
    cases_free();
    sch_context_destroy(context);
    gl_close();
    return !good;
}
