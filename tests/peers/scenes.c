/* Draws the same scenes with our pipeline and with a software driver of Mesa's, and compares all that they leave:
 * colours, depth, stencil, captured vertices, counts. Every difference must be explained by a model of what the driver
 * does. `scenes DRIVER [--count N] [--case N ...]`: the first N scenes; some of them, with what differs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "scene_model.h"
#include "scene_shapes.h"
#include "surfaceless.h"

enum { SCENES = 35 * SCENE_FAMILIES, MOST_MISTAKES = 32 };

static enum scene_driver driver;

/* ---- one scene
 * ---------------------------------------------------------------------------------------------------------- */

/* The answers. `least` and `most` are over all that a hypothesis draws. */
static struct scene_answer theirs, ours, drawn, captured, before, least, most;
static bool matched[SCENE_LAYERS][SCENE_SAMPLES][SCENE_PIXELS], covered[SCENE_LAYERS][SCENE_SAMPLES][SCENE_PIXELS];

static uint32_t layers_of(const struct scene *s) { return s->layers ? s->layers : 1; }

/* How far a component may be from ours: one step of a normalised format for each time that the pixel is written; of
 * floats 2^-13 of the colour, or of 1, and a step of a half float for each time. */
static double room(const struct scene *s, const struct scene_format *f, double value)
{
    if (f->kind == SCENE_UNORM || f->kind == SCENE_SRGB) return s->slack;
    if (f->kind != SCENE_FLOAT) return 0;
    const double size = fmax(fabs(value), 1);
    return ldexp(size, -13) + (f->bits[0] == 16 ? s->slack * ldexp(size, -10) : 0);
}

static double depth_room(const struct scene_format *f)
{
    return f->kind == SCENE_FLOAT ? ldexp(1, -21) : f->bits[0] == 24 ? 8 : 1;
}

/* A code of sRGB, as a linear value. */
static double linear(double code)
{
    const double c = code / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Codes of sRGB may also be a step of a linear byte apart. */
static bool near_color(const struct scene *s, const struct scene_format *f, const double a[4], const double b[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (fabs(a[c] - b[c]) <= room(s, f, a[c])) continue;
        if (f->kind != SCENE_SRGB || c == 3 || fabs(linear(a[c]) - linear(b[c])) > s->slack / 255.0) return false;
    }
    return true;
}

/* One sample of a pixel, all that is stored of it. The stencil of several samples cannot be read. */
static bool near_pixel(const struct scene *s, const struct scene_answer *a, uint32_t layer, uint32_t n, uint32_t p)
{
    for (unsigned t = 0; t < s->target_count; t++)
        if (!near_color(s, s->targets[t], a->color[t][layer][n][p], theirs.color[t][layer][n][p])) return false;
    if (!s->depth) return true;
    if (s->samples == 1 && a->stencil[layer][n][p] != theirs.stencil[layer][n][p]) return false;
    return fabs(a->depth[layer][n][p] - theirs.depth[layer][n][p]) <= depth_room(s->depth);
}

static bool between(double low, double high, double value, double slack)
{
    return value >= low - slack && value <= high + slack;
}

/* How far two places that give the same pixel something of the same triangle may be apart: an eighth of the range of
 * colours, 1/64 of depth's. */
static double color_limit(const struct scene_format *f, unsigned c)
{
    return f->kind == SCENE_FLOAT ? 1.0 / 8 : ldexp(1, (int)f->bits[c] - 3);
}

static double depth_limit(const struct scene_format *f)
{
    return f->kind == SCENE_FLOAT ? 1.0 / 64 : ldexp(1, (int)f->bits[0] - 6);
}

/* What interpolates may be between what two places give, or half as far beyond: corners need not all move alike. */
static bool between_places(const struct scene *s, uint32_t layer, uint32_t n, uint32_t p)
{
    if (!covered[layer][n][p]) return false;
    for (unsigned t = 0; t < s->target_count; t++)
        for (unsigned c = 0; c < 4; c++) {
            const struct scene_format *f = s->targets[t];
            const double low = least.color[t][layer][n][p][c], high = most.color[t][layer][n][p][c];
            if (!between(low, high, theirs.color[t][layer][n][p][c], room(s, f, high) + (high - low) / 2)) return false;
        }
    if (!s->depth) return true;
    if (s->samples == 1 && ours.stencil[layer][n][p] != theirs.stencil[layer][n][p]) return false;
    const double low = least.depth[layer][n][p], high = most.depth[layer][n][p];
    return between(low, high, theirs.depth[layer][n][p], depth_room(s->depth) + (high - low) / 2);
}

static bool is_untouched(const struct scene *s, const struct scene_answer *a, uint32_t layer, uint32_t n, uint32_t p)
{
    for (unsigned t = 0; t < s->target_count; t++)
        if (memcmp(a->color[t][layer][n][p], before.color[t][layer][n][p], sizeof before.color[t][layer][n][p]))
            return false;
    return !s->depth || a->depth[layer][n][p] == before.depth[layer][n][p];
}

/* Not another triangle's. */
static bool is_alike(const struct scene *s, const struct scene_answer *a, uint32_t layer, uint32_t n, uint32_t p)
{
    for (unsigned t = 0; t < s->target_count; t++)
        for (unsigned c = 0; c < 4; c++)
            if (fabs(a->color[t][layer][n][p][c] - theirs.color[t][layer][n][p][c]) > color_limit(s->targets[t], c))
                return false;
    return !s->depth || fabs(a->depth[layer][n][p] - theirs.depth[layer][n][p]) <= depth_limit(s->depth);
}

/* Takes an answer into the range of those in which something was drawn here. */
static void widen(const struct scene *s, const struct scene_answer *a, uint32_t layer, uint32_t n, uint32_t p)
{
    if (is_untouched(s, a, layer, n, p) || !is_alike(s, a, layer, n, p)) return;
    if (!covered[layer][n][p]) {
        for (unsigned t = 0; t < s->target_count; t++) {
            memcpy(least.color[t][layer][n][p], a->color[t][layer][n][p], sizeof least.color[t][layer][n][p]);
            memcpy(most.color[t][layer][n][p], a->color[t][layer][n][p], sizeof most.color[t][layer][n][p]);
        }
        least.depth[layer][n][p] = most.depth[layer][n][p] = a->depth[layer][n][p];
    }
    covered[layer][n][p] = true;
    for (unsigned t = 0; t < s->target_count; t++)
        for (unsigned c = 0; c < 4; c++) {
            double *low = &least.color[t][layer][n][p][c], *high = &most.color[t][layer][n][p][c];
            *low = fmin(*low, a->color[t][layer][n][p][c]);
            *high = fmax(*high, a->color[t][layer][n][p][c]);
        }
    least.depth[layer][n][p] = fmin(least.depth[layer][n][p], a->depth[layer][n][p]);
    most.depth[layer][n][p] = fmax(most.depth[layer][n][p], a->depth[layer][n][p]);
}

/* ---- hypotheses
 * --------------------------------------------------------------------------------------------------------- */

/* What the driver may have drawn: ours with mistakes, in places, perhaps in other shapes. */
struct hypothesis {
    uint32_t mistakes;
    unsigned first_place, places; /* but the place 0, which is always there */
    bool shapes, layers;
};

/* Takes what was drawn into account. */
static void see(const struct scene *s, bool is_first)
{
    if (is_first) {
        memcpy(least.counts, drawn.counts, sizeof least.counts);
        memcpy(most.counts, drawn.counts, sizeof most.counts);
    }
    for (uint32_t layer = 0; layer < layers_of(s); layer++)
        for (uint32_t n = 0; n < s->samples; n++)
            for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
                matched[layer][n][p] |= near_pixel(s, &drawn, layer, n, p);
                widen(s, &drawn, layer, n, p);
            }
    for (unsigned q = 0; q < SCENE_COUNTS; q++) {
        if (drawn.counts[q] < least.counts[q]) least.counts[q] = drawn.counts[q];
        if (drawn.counts[q] > most.counts[q]) most.counts[q] = drawn.counts[q];
    }
}

/* Draws a scene with mistakes in a place. */
static void draw_changed(const struct scene *scene, uint32_t mistakes, unsigned place)
{
    static struct scene changed;
    changed = *scene;
    for (unsigned m = 0; m < scene_mistake_count; m++)
        if (mistakes >> m & 1) scene_mistakes[m].change(&changed);
    scene_move(&changed, place);
    scene_draw_ours(&changed, &drawn);
    for (unsigned m = 0; m < scene_mistake_count; m++)
        if (mistakes >> m & 1 && scene_mistakes[m].adjust) scene_mistakes[m].adjust(scene, &ours, &drawn);
}

static bool in_hypothesis(const struct hypothesis *h, unsigned place)
{
    return !place || (place >= h->first_place && place < h->first_place + h->places);
}

/* The shapes that the driver draws instead of lines and points. False: it draws none. */
static bool see_shapes(const struct scene *scene, const struct hypothesis *h)
{
    static struct scene made, moved;
    bool first = true;
    made = *scene;
    made.capture = true;
    made.capture_floats = SCENE_CAPTURED;
    scene_draw_ours(&made, &captured);
    for (unsigned n = 0; n < SCENE_TRIES; n++) {
        if (!scene_shapes(scene, captured.captured, captured.counts[COUNT_WRITTEN], driver, n, &made)) return false;
        for (unsigned place = 0; place < SCENE_PLACES; place++) {
            if (!in_hypothesis(h, place)) continue;
            moved = made;
            scene_move(&moved, place);
            scene_draw_ours(&moved, &drawn);
            memcpy(drawn.captured, ours.captured, sizeof ours.captured);
            drawn.counts[COUNT_GENERATED] = ours.counts[COUNT_GENERATED];
            drawn.counts[COUNT_WRITTEN] = ours.counts[COUNT_WRITTEN];
            see(scene, first);
            first = false;
        }
    }
    return true;
}

/* A pixel may have been written to another layer: colour and depth are those of any layer, or of before the draws. */
static void see_layers(const struct scene *s)
{
    static struct scene_answer other;
    for (uint32_t layer = 0; layer < layers_of(s); layer++)
        for (uint32_t p = 0; p < SCENE_PIXELS; p++)
            for (unsigned tried = 0; tried < 2 * SCENE_LAYERS; tried++) {
                const struct scene_answer *a = tried & 1 ? &before : &ours;
                const uint32_t from = tried / 2;
                memcpy(other.color[0][layer][0][p], a->color[0][from][0][p], sizeof other.color[0][0][0][0]);
                other.stencil[layer][0][p] = theirs.stencil[layer][0][p];
                for (unsigned d = 0; d < 2 * SCENE_LAYERS; d++) {
                    other.depth[layer][0][p] = (d & 1 ? &before : &ours)->depth[d / 2][0][p];
                    matched[layer][0][p] |= near_pixel(s, &other, layer, 0, p);
                }
            }
}

static bool see_all(const struct scene *scene, const struct hypothesis *h)
{
    memset(matched, 0, sizeof matched);
    memset(covered, 0, sizeof covered);
    if (h->shapes) return see_shapes(scene, h);
    for (unsigned place = 0; place < SCENE_PLACES; place++) {
        if (!in_hypothesis(h, place)) continue;
        draw_changed(scene, h->mistakes, place);
        see(scene, !place);
    }
    if (h->layers) see_layers(scene);
    /* What is captured is cut by itself. */
    if (h->mistakes >> SCENE_RASTERED_CUT & 1 && scene->capture)
        draw_changed(scene, (h->mistakes & ~(1u << SCENE_RASTERED_CUT)) | 1u << SCENE_CAPTURED_CUT, 0);
    return true;
}

/* ---- judging
 * ------------------------------------------------------------------------------------------------------------ */

static void show_pixel(const struct scene *s, uint32_t layer, uint32_t n, uint32_t p)
{
    printf("#   layer %u sample %u (%u, %u):", layer, n, p % SCENE_SIDE, p / SCENE_SIDE);
    for (unsigned t = 0; t < s->target_count; t++) {
        const double *a = ours.color[t][layer][n][p], *b = theirs.color[t][layer][n][p];
        printf(" ours %g %g %g %g, theirs %g %g %g %g;", a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
    }
    if (s->depth)
        printf(" depth %.9g, %.9g; stencil %u, %u", ours.depth[layer][n][p], theirs.depth[layer][n][p],
               ours.stencil[layer][n][p], theirs.stencil[layer][n][p]);
    puts("");
}

static uint32_t differing_pixels(const struct scene *s, bool is_moved, uint32_t shown)
{
    uint32_t count = 0;
    for (uint32_t layer = 0; layer < layers_of(s); layer++)
        for (uint32_t n = 0; n < s->samples; n++)
            for (uint32_t p = 0; p < SCENE_PIXELS; p++)
                if (!matched[layer][n][p] && !(is_moved && between_places(s, layer, n, p)) && count++ < shown)
                    show_pixel(s, layer, n, p);
    return count;
}

static uint32_t differing_floats(const struct scene *s, uint32_t shown)
{
    uint32_t count = 0;
    for (unsigned i = 0; s->capture && i < s->capture_floats; i++)
        if (fabsf(drawn.captured[i] - theirs.captured[i]) > 1e-6f && count++ < shown)
            printf("#   captured float %u: ours %.9g, theirs %.9g\n", i, (double)drawn.captured[i],
                   (double)theirs.captured[i]);
    return count;
}

/* Counts agree, or are no further from those of the places than these are from each other. */
static uint32_t differing_counts(uint32_t mistakes, uint32_t shown)
{
    uint32_t count = 0;
    for (unsigned q = 0; q < SCENE_COUNTS; q++) {
        const uint64_t apart = most.counts[q] - least.counts[q];
        bool uncounted = false;
        for (unsigned m = 0; q == COUNT_SAMPLES && m < scene_mistake_count; m++)
            uncounted = uncounted || (mistakes >> m & 1 && scene_mistakes[m].uncounted);
        if (uncounted || (theirs.counts[q] + apart >= least.counts[q] && theirs.counts[q] <= most.counts[q] + apart))
            continue;
        if (count++ < shown)
            printf("#   count %u: ours %u, theirs %u\n", q, (unsigned)ours.counts[q], (unsigned)theirs.counts[q]);
    }
    return count;
}

static bool agrees(const struct scene *s, const struct hypothesis *h, uint32_t shown)
{
    if (!see_all(s, h)) return false;
    const bool is_moved = h->places || h->shapes;
    uint32_t differing = differing_pixels(s, is_moved, shown);
    differing += differing_floats(s, shown);
    differing += h->layers ? 0 : differing_counts(h->mistakes, shown);
    return !differing;
}

/* ---- explaining
 * -------------------------------------------------------------------------------------------------------- */

/* Kinds that are no mistakes of the table. */
enum kind { KIND_CORNERS, KIND_DEPTH, KIND_SHAPES, KIND_LAYERS, KIND_GENERATED, KINDS };
static const char *const kind_names[KINDS] = {"corners-elsewhere", "depth-by-a-step", "lines-and-points",
                                              "layers-of-quads", "primitives-without-feedback"};

static uint32_t mistakes_seen[MOST_MISTAKES], kinds_seen[KINDS];

static void describe(const struct scene *s)
{
    printf("# scene %u: %s", (unsigned)s->number, s->family);
    for (unsigned t = 0; t < SCENE_STAGES; t++)
        if (s->texts[t]) printf(" %s", s->texts[t]->name);
    printf(", primitive %u, %u vertices", s->draws[0].primitive, s->vertex_count);
    for (unsigned t = 0; t < s->target_count; t++) printf(" %s", s->targets[t]->name);
    printf(", %u samples, interpolation %d%s%s\n", s->samples, s->interpolation, s->depth ? " " : "",
           s->depth ? s->depth->name : "");
}

static uint32_t mistakes_of(const struct scene *scene)
{
    static struct scene changed;
    uint32_t mistakes = 0;
    for (unsigned m = 0; m < scene_mistake_count; m++) {
        changed = *scene;
        if (scene_mistakes[m].drivers & driver && scene_mistakes[m].change(&changed)) mistakes |= 1u << m;
    }
    return mistakes;
}

/* Counts what the hypothesis cannot do without. */
static void count_needed(const struct scene *s, const struct hypothesis *h, bool shown)
{
    for (unsigned m = 0; m < scene_mistake_count && !h->shapes; m++) {
        struct hypothesis without = *h;
        without.mistakes &= ~(1u << m);
        if (!(h->mistakes >> m & 1) || agrees(s, &without, 0)) continue;
        mistakes_seen[m]++;
        if (shown) printf("# explained by %s\n", scene_mistakes[m].name);
    }
    kinds_seen[KIND_SHAPES] += h->shapes;
    kinds_seen[KIND_LAYERS] += h->layers;
    if (h->places && !h->shapes && h->first_place < SCENE_CORNERS) kinds_seen[KIND_CORNERS]++;
    if (h->places && !h->shapes && h->first_place + h->places > SCENE_CORNERS) kinds_seen[KIND_DEPTH]++;
    if (shown && h->places) printf("# explained by places from %u on\n", h->first_place);
    if (shown && h->shapes) printf("# explained by lines and points\n");
}

static bool is_explained(const struct scene *s, bool shown)
{
    const uint32_t mistakes = mistakes_of(s), other = mistakes & ~(1u << SCENE_CAPTURED_CUT);
    const uint32_t sets[] = {mistakes & ~(1u << SCENE_RASTERED_CUT), other};
    const struct hypothesis kinds[] = {{0, 0, 0, false, false},
                                       {0, SCENE_CORNERS, SCENE_PLACES - SCENE_CORNERS, false, false},
                                       {0, 1, SCENE_CORNERS - 1, false, false},
                                       {0, 1, SCENE_PLACES - 1, false, false},
                                       {0, 0, 0, false, true},
                                       {0, 1, SCENE_CORNERS - 1, true, false}};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned set = 0; set < 2; set++) {
            struct hypothesis h = kinds[k];
            h.mistakes = h.shapes ? 0 : sets[set];
            if (set && (sets[0] == sets[1] || h.shapes)) continue;
            if (h.layers && !(driver == SCENE_SOFTPIPE && s->layers)) continue;
            if (!agrees(s, &h, 0)) continue;
            count_needed(s, &h, shown);
            return true;
        }
    return false;
}

/* ---- all scenes
 * -------------------------------------------------------------------------------------------------------- */

struct tally {
    uint32_t scenes, equal, explained, unexplained, lacking, unmodelled;
};

static void fill_before(const struct scene *s)
{
    uint8_t texel[16];
    double value[4];
    for (uint32_t layer = 0; layer < layers_of(s); layer++)
        for (uint32_t n = 0; n < s->samples; n++)
            for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
                for (unsigned t = 0; t < s->target_count; t++) {
                    scene_background(s, t, layer, p, texel);
                    scene_decode(s->targets[t], texel, before.color[t][layer][n][p]);
                }
                if (!s->depth) continue;
                scene_background(s, SCENE_TARGETS, layer, p, texel);
                scene_decode(s->depth, texel, value);
                before.depth[layer][n][p] = value[0];
            }
}

/* Of softpipe: logic operations are of eight bits, whatever the format has; pixels of several layers are tested against
 * the depth of the wrong one. What it makes of these is not compared. */
static bool has_no_model(const struct scene *s)
{
    if (driver != SCENE_SOFTPIPE) return false;
    return (s->blend.logic_enabled && s->targets[0] != &scene_colors[COLOR_RGBA8]) || (s->layers && s->depth);
}

static void run_scene(uint32_t number, struct tally *tally, uint32_t shown)
{
    static struct scene scene;
    scene_make(number, &scene);
    if (scene_gl_lacks(&scene)) {
        tally->lacking++;
        return;
    }
    if (has_no_model(&scene)) {
        tally->unmodelled++;
        return;
    }
    tally->scenes++;
    if (shown) describe(&scene);
    const bool drew = scene_draw_gl(&scene, &theirs);
    scene_draw_ours(&scene, &ours);
    fill_before(&scene);
    if (driver == SCENE_SOFTPIPE && !scene.capture && !theirs.counts[COUNT_GENERATED]) {
        kinds_seen[KIND_GENERATED]++;
        theirs.counts[COUNT_GENERATED] = ours.counts[COUNT_GENERATED];
    }
    const struct hypothesis plain = {0};
    if (drew && agrees(&scene, &plain, shown))
        tally->equal++;
    else if (drew && is_explained(&scene, shown))
        tally->explained++;
    else {
        tally->unexplained++;
        if (!shown) describe(&scene);
        agrees(&scene, &plain, shown ? shown : 2);
        printf("# not explained: scene %u, mistakes %x\n", number, mistakes_of(&scene));
    }
    fflush(stdout);
}

static bool run_all(uint32_t count)
{
    struct tally total = {0};
    const char *name = NULL;
    unsigned lines = 1;
    for (uint32_t family = 0; family < SCENE_FAMILIES; family++, lines++) {
        struct tally t = {0};
        for (uint32_t n = family; n < count; n += SCENE_FAMILIES) run_scene(n, &t, 0);
        name = scene_family(family);
        printf("%sok - %s: %u scenes, %u equal, %u explained, %u unexplained%s\n", t.unexplained ? "not " : "", name,
               t.scenes, t.equal, t.explained, t.unexplained, t.scenes ? "" : " # SKIP the driver has no such state");
        total.scenes += t.scenes;
        total.equal += t.equal;
        total.explained += t.explained;
        total.unexplained += t.unexplained;
        total.lacking += t.lacking;
        total.unmodelled += t.unmodelled;
    }
    for (unsigned m = 0; m < scene_mistake_count; m++)
        if (mistakes_seen[m]) printf("# %s: %u scenes\n", scene_mistakes[m].name, mistakes_seen[m]);
    for (unsigned k = 0; k < KINDS; k++)
        if (kinds_seen[k]) printf("# %s: %u scenes\n", kind_names[k], kinds_seen[k]);
    printf("%sok - %u scenes: %u equal, %u explained, %u unexplained; %u that the driver lacks, %u not compared\n",
           total.unexplained ? "not " : "", total.scenes, total.equal, total.explained, total.unexplained,
           total.lacking, total.unmodelled);
    printf("1..%u\n", lines);
    return !total.unexplained;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "llvmpipe";
    char why[200];
    struct tally tally = {0};
    if (!scene_gl_open(name, why, sizeof why)) {
        printf("1..0 # SKIP %s\n", why);
        return 0;
    }
    printf("# %s\n", surfaceless_driver());
    if (!strstr(surfaceless_driver(), "Mesa 22.3")) {
        printf("1..0 # SKIP the differences are known of Mesa 22.3\n");
        scene_gl_close();
        return 0;
    }
    driver = strcmp(name, "softpipe") ? SCENE_LLVMPIPE : SCENE_SOFTPIPE;
    bool good = true;
    if (argc > 3 && !strcmp(argv[2], "--case"))
        for (int i = 3; i < argc; i++) run_scene((uint32_t)strtoul(argv[i], NULL, 10), &tally, 16);
    else
        good = run_all(argc > 3 && !strcmp(argv[2], "--count") ? (uint32_t)strtoul(argv[3], NULL, 10) : SCENES);
    scene_gl_close();
    return !good;
}
