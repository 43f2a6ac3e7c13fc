/* The same lookups asked of our texture unit and of one of Mesa's software drivers (argument: llvmpipe, softpipe).
 *
 * One combination is a target, a GLSL function, filters, wrap modes, offset, format, size and sampler state; it is
 * asked at 256 points. Operands are the same floats on both sides (gl.c). An answer agrees
 *  1. when each component is within one step of the texture's format of ours (UNORM, SNORM, depth: 1 / (2^n - 1);
 *     sRGB: 1/255; floats: a unit of the last place but two of the largest texel; comparisons and integers: none), or
 *  2. when it is within that step plus axes / 256 of the range of the texels in our footprint, component by component,
 *     axes being the number of axes along which the lookup is linear, the levels' one included, or
 *  3. near a discontinuity: when the rule above holds for our answer to a question next to it: each coordinate moved by
 *     -1/256, 0 or 1/256 texel of a level in use (cubes: of a component of the direction), the level by -1/128, 0 or
 *     1/128, the layer by -2^-10, 0 or 2^-10, the reference by -1, 0 or 1 step.
 * Level queries agree within 1/64, or by 3. All components must agree with the same question. Derivatives have one axis
 * each (classes "oblique": more) so that OpenGL's freedom in rho does not matter; quads of cubes stay on one face.
 *
 * Differences that are the driver's are in the table `differences`, each with its entry in docs/peer-differences.md; a
 * combination that differs and that no row covers fails its class. TAP: one line a class. `--case N` prints one
 * combination's differences. */
#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sch_context *context;

/* ---- our side ------------------------------------------------------------------------------------------------------
 */

static struct sch_question question_of(const struct peer_case *c, const struct peer_point *p)
{
    static const enum sch_lookup lookups[] = {SCH_LOOKUP_SAMPLE,   SCH_LOOKUP_SAMPLE_B, SCH_LOOKUP_SAMPLE_L,
                                              SCH_LOOKUP_SAMPLE_D, SCH_LOOKUP_GATHER,   SCH_LOOKUP_FETCH,
                                              SCH_LOOKUP_LOD};
    struct sch_question q = {.size = sizeof q,
                             .lookup = lookups[c->lookup],
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

static unsigned linear_axes(const struct peer_case *c, const struct sch_explanation *why)
{
    if (c->lookup == LOOK_GATHER || c->lookup == LOOK_FETCH) return 0;
    bool linear = why->magnified ? c->sampler.mag_filter : c->sampler.min_filter;
    return (linear ? c->target->axes : 0) + (!why->magnified && c->sampler.mip_filter == SCH_MIP_LINEAR);
}

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void footprint_range(const struct sch_explanation *why, unsigned component, float *low, float *high)
{
    *low = *high = why->texel_count ? float_of(why->texels[0].value[component]) : 0;
    for (uint32_t i = 1; i < why->texel_count && i < sizeof why->texels / sizeof *why->texels; i++) {
        *low = fminf(*low, float_of(why->texels[i].value[component]));
        *high = fmaxf(*high, float_of(why->texels[i].value[component]));
    }
}

static float step_of(const struct peer_case *c, float low, float high)
{
    const struct peer_format *f = c->texture->format;
    if (c->lookup == LOOK_QUERY) return 0x1p-6f;
    if (c->shadow) return 0x1p-20f;
    return f->kind == KIND_FLOAT ? f->step * fmaxf(fabsf(low), fabsf(high)) : f->step;
}

/* Rules 1 and 2 for one question of ours. `worst` receives the difference in tolerances. */
static bool agrees_with(const struct peer_case *c, const struct sch_explanation *why, const float *theirs, float *worst)
{
    unsigned axes = linear_axes(c, why);
    *worst = 0;
    for (unsigned i = 0; i < component_count(c); i++) {
        if (is_whole(c)) {
            if (memcmp(&theirs[i], &why->answer[i], 4)) *worst = INFINITY;
            continue;
        }
        float low, high, ours = float_of(why->answer[i]);
        footprint_range(why, c->shadow ? 0 : c->lookup == LOOK_GATHER ? c->component : i, &low, &high);
        float room = step_of(c, low, high) * 1.0001f + (c->lookup == LOOK_QUERY ? 0 : (high - low) * (float)axes / 256);
        float difference = theirs[i] == ours ? 0 : fabsf(theirs[i] - ours) / room;
        *worst = difference <= *worst ? *worst : isnan(difference) ? INFINITY : difference;
    }
    return *worst <= 1;
}

/* Rule 3. */
static void move_level(struct sch_question *q, int way)
{
    float amount = (float)way / 128;
    q->lod += amount;
    for (unsigned i = 0; i < 3; i++) {
        q->ddx[i] *= exp2f(amount);
        q->ddy[i] *= exp2f(amount);
    }
}

struct asked {
    const struct peer_case *c;
    struct sch_sampler *sampler;
    const float *theirs;
    struct sch_explanation *why;
};

static bool coordinates_agree(const struct asked *a, const struct sch_question *base, const float unit[3])
{
    unsigned n = a->c->target->coordinates, ways = n == 1 ? 3 : n == 2 ? 9 : 27;
    if (a->c->lookup == LOOK_FETCH) return false;
    for (unsigned way = 0; way < ways; way++) {
        struct sch_question q = *base;
        float worst;
        for (unsigned i = 0, left = way; i < n; i++, left /= 3)
            q.at[i] += (left % 3 == 0 ? 0.0f : left % 3 == 1 ? -1.0f : 1.0f) * unit[i];
        if (sch_ask_why(a->c->texture->view, a->sampler, &q, a->why) != SCH_OK) return false;
        if (agrees_with(a->c, a->why, a->theirs, &worst)) return true;
    }
    return false;
}

/* 1/256 of a texel of one of the two levels that our answer used. */
static void unit_at(const struct peer_case *c, uint32_t level, float unit[3])
{
    bool texels = c->target->target == SCH_TEXTURE_RECT;
    for (unsigned i = 0; i < 3; i++)
        unit[i] = c->target->cube ? 0x1p-7f / (float)cases_size(c->texture, 0, level)
                  : texels        ? 0x1p-8f
                                  : 0x1p-8f / (float)cases_size(c->texture, i, level);
}

/* Layer and reference beside the asked ones: nine questions. */
static bool agrees_beside(const struct asked *a, const struct sch_question *q, const float unit[3])
{
    const struct peer_case *c = a->c;
    for (int layer = -1; layer <= 1; layer++)
        for (int reference = -1; reference <= 1; reference++) {
            struct sch_question beside = *q;
            if ((layer && !c->target->array) || (reference && !c->shadow)) continue;
            if (c->target->array) beside.at[c->target->coordinates] += (float)layer * 0x1p-10f;
            beside.reference += (float)reference * c->texture->format->step;
            if (coordinates_agree(a, &beside, unit)) return true;
        }
    return false;
}

static bool agrees_near(const struct asked *a, const struct sch_question *asked, uint32_t levels[2])
{
    for (int way = -1; way <= 1; way++)
        for (unsigned i = 0; i < 2; i++) {
            struct sch_question q = *asked;
            float unit[3];
            if (i == 1 && levels[1] == levels[0]) continue;
            move_level(&q, way);
            unit_at(a->c, levels[i], unit);
            if (agrees_beside(a, &q, unit)) return true;
        }
    return false;
}

/* ---- differences that are known to be the drivers' -----------------------------------------------------------------
 */

struct difference {
    const char *driver, *name;
    bool (*covers)(const struct peer_case *c);
    uint32_t seen; /* combinations */
};

static bool varies_in_quad(const struct peer_case *c) { return c->per_pixel; }
static bool fetches_levels(const struct peer_case *c) { return c->per_pixel && c->lookup == LOOK_FETCH; }

/* The level is computed, and its fraction matters. */
static bool takes_logarithm(const struct peer_case *c)
{
    const struct sch_sampler_options *s = &c->sampler;
    bool computes = c->lookup == LOOK_IMPLICIT || c->lookup == LOOK_BIAS || c->lookup == LOOK_GRAD;
    return c->lookup == LOOK_QUERY || (computes && (s->mip_filter != SCH_MIP_NONE || s->min_filter != s->mag_filter));
}

/* The minification filter takes level 0 alone. */
static bool integers_without_levels(const struct peer_case *c)
{
    return is_whole(c) && c->sampler.mip_filter == SCH_MIP_NONE && c->texture->levels > 1 && c->lookup != LOOK_GATHER &&
           c->lookup != LOOK_FETCH;
}

static bool compares_borders(const struct peer_case *c)
{
    const enum sch_wrap wraps[] = {c->sampler.wrap_s, c->sampler.wrap_t};
    for (unsigned i = 0; c->shadow && !c->target->cube && i < c->target->axes; i++)
        if (wraps[i] == SCH_WRAP_CLAMP_TO_BORDER) return true;
    return false;
}

static bool biases_explicit_level(const struct peer_case *c)
{
    const struct sch_sampler_options *s = &c->sampler;
    return c->lookup == LOOK_LOD && s->lod_bias != 0 &&
           (s->mip_filter != SCH_MIP_NONE || s->min_filter != s->mag_filter);
}

/* Names: entries of docs/peer-differences.md. The first row that covers a combination counts. */
static struct difference differences[] = {
    {"llvmpipe", "level-per-quad", varies_in_quad, 0},
    {"llvmpipe", "integers-take-levels", integers_without_levels, 0},
    {"softpipe", "integers-take-levels", integers_without_levels, 0},
    {"llvmpipe", "fast-logarithm", takes_logarithm, 0},
    {"softpipe", "comparison-of-borders", compares_borders, 0},
    {"softpipe", "explicit-level-unbiased", biases_explicit_level, 0},
    {"softpipe", "fetch-level-per-quad", fetches_levels, 0},
};
enum { DIFFERENCES = sizeof differences / sizeof *differences };

static struct difference *known(const char *driver, const struct peer_case *c)
{
    for (unsigned i = 0; i < DIFFERENCES; i++)
        if (!strcmp(differences[i].driver, driver) && differences[i].covers(c)) return &differences[i];
    return NULL;
}

/* ---- combinations --------------------------------------------------------------------------------------------------
 */

enum { ENOUGH = 12 }; /* differing points after which a combination's other ones are not looked at closely */

struct tally {
    uint32_t combinations, points, bent, differing, covered, unanswered;
    float worst;
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

static void describe_point(const struct asked *a, const struct sch_question *q)
{
    const struct sch_explanation *w = a->why;
    printf("#   at %.9g %.9g %.9g %.9g ref %.9g lod %.9g ddx %.9g %.9g %.9g ddy %.9g %.9g %.9g\n", (double)q->at[0],
           (double)q->at[1], (double)q->at[2], (double)q->at[3], (double)q->reference, (double)q->lod,
           (double)q->ddx[0], (double)q->ddx[1], (double)q->ddx[2], (double)q->ddy[0], (double)q->ddy[1],
           (double)q->ddy[2]);
    if (is_whole(a->c)) {
        for (unsigned i = 0; i < 4; i++) {
            int32_t theirs;
            memcpy(&theirs, &a->theirs[i], 4);
            printf("%s%d/%d", i ? " " : "#   theirs/ours ", (int)theirs, (int)(int32_t)w->answer[i]);
        }
    } else
        for (unsigned i = 0; i < component_count(a->c); i++)
            printf("%s%.7g/%.7g", i ? " " : "#   theirs/ours ", (double)a->theirs[i], (double)float_of(w->answer[i]));
    printf("; lod %g -> %g levels %u %u weight %g layer %d face %d texels %u\n", (double)w->lod_computed,
           (double)w->lod, (unsigned)w->level[0], (unsigned)w->level[1], (double)w->level_weight, (int)w->layer,
           (int)w->face, (unsigned)w->texel_count);
}

/* One combination at all points; the number that differ. */
static uint32_t compare_points(const struct peer_case *c, const struct peer_point *points, float (*theirs)[4],
                               struct sch_sampler *sampler, struct tally *tally, uint32_t shown)
{
    static struct sch_explanation why = {.size = sizeof why};
    uint32_t differing = 0;
    for (unsigned i = 0; i < PEER_POINTS; i++) {
        struct sch_question q = question_of(c, &points[i]);
        struct asked a = {c, sampler, theirs[i], &why};
        float worst;
        if (sch_ask_why(c->texture->view, sampler, &q, &why) != SCH_OK) {
            tally->unanswered++;
            continue;
        }
        tally->points++;
        if (agrees_with(c, &why, theirs[i], &worst)) {
            tally->worst = fmaxf(tally->worst, worst);
            continue;
        }
        uint32_t levels[2] = {why.level[0], why.level[1]};
        if (differing < ENOUGH && agrees_near(&a, &q, levels)) {
            tally->bent++;
            continue;
        }
        if (differing++ < shown && sch_ask_why(c->texture->view, sampler, &q, &why) == SCH_OK) describe_point(&a, &q);
    }
    return differing;
}

static void run_case(const char *driver, const struct peer_case *c, struct tally *tally, uint32_t shown)
{
    static struct peer_point points[PEER_POINTS];
    static float theirs[PEER_POINTS][4];
    struct sch_sampler *sampler;
    cases_points(c, points);
    if (!gl_render(c, points, theirs)) return;
    if (!c->texture->view || sch_sampler_create(context, &c->sampler, NULL, &sampler) != SCH_OK) {
        tally->unanswered++;
        return;
    }
    if (shown) describe(c);
    tally->combinations++;
    uint32_t differing = compare_points(c, points, theirs, sampler, tally, shown);
    struct difference *cause = differing ? known(driver, c) : NULL;
    if (cause) {
        cause->seen++;
        tally->covered++;
    } else if (differing) {
        if (tally->differing++ < 8 && !shown) {
            describe(c);
            compare_points(c, points, theirs, sampler, &(struct tally){0}, 2);
        }
        printf("# case %u: %u of %u points differ\n", (unsigned)c->number, (unsigned)differing, PEER_POINTS);
    }
    sch_sampler_destroy(sampler);
}

/* ---- classes -------------------------------------------------------------------------------------------------------
 */

static bool same_class(const struct peer_case *a, const struct peer_case *b)
{
    return a->target == b->target && a->shadow == b->shadow && a->lookup == b->lookup && a->offset == b->offset &&
           a->per_pixel == b->per_pixel && a->oblique == b->oblique;
}

static bool run_class(const char *driver, const struct peer_case *cases, size_t count, struct tally *total)
{
    static const char *const names[] = {"texture",       "texture bias", "textureLod",     "textureGrad",
                                        "textureGather", "texelFetch",   "textureQueryLOD"};
    struct tally t = {0};
    for (size_t i = 0; i < count; i++) run_case(driver, &cases[i], &t, 0);
    bool skipped = !t.combinations && !t.unanswered, good = !t.differing && !t.unanswered;
    printf("%sok - %s%s %s%s%s%s: ", good ? "" : "not ", cases->target->name, cases->shadow ? " shadow" : "",
           names[cases->lookup], cases->offset ? " offset" : "", cases->per_pixel ? ", a level each pixel" : "",
           cases->oblique ? ", oblique" : "");
    if (skipped)
        printf("# SKIP the driver has no such lookup\n");
    else
        printf(
            "%u combinations, %u points, %u near a discontinuity, %u combinations differ, %u as known, worst %.2f of "
            "the room, %u not answered\n",
            (unsigned)t.combinations, (unsigned)t.points, (unsigned)t.bent, (unsigned)t.differing, (unsigned)t.covered,
            (double)t.worst, (unsigned)t.unanswered);
    fflush(stdout);
    total->combinations += t.combinations;
    total->points += t.points;
    total->differing += t.differing;
    total->covered += t.covered;
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
    for (unsigned i = 0; i < DIFFERENCES; i++)
        if (!strcmp(differences[i].driver, driver))
            printf("# known difference %s: %u combinations%s\n", differences[i].name, (unsigned)differences[i].seen,
                   differences[i].seen ? "" : " - NO LONGER SEEN");
    bool many = total.combinations >= 2000;
    printf("%sok - %u combinations, %u points: %u differ, %u as known\n", many ? "" : "not ",
           (unsigned)total.combinations, (unsigned)total.points, (unsigned)total.differing, (unsigned)total.covered);
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
    printf("# %s\n", gl_driver());
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    const struct peer_case *cases = cases_make(context, &count);
    bool good = true;
    if (argc > 3 && !strcmp(argv[2], "--case")) {
        struct tally tally = {0};
        size_t number = strtoul(argv[3], NULL, 10);
        if (number < count) run_case(driver, &cases[number], &tally, 16);
    } else
        good = run_all(driver, cases, count);
    cases_free();
    sch_context_destroy(context);
    gl_close();
    return !good;
}
