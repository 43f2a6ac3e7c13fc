/* Clipping: see clip.h. Codes and window coordinates are the operation `viewport` (ops/raster/viewport.c); cutting is
 * scalar, in double, in the order that docs/pipeline.md states, since it is rare. */
#include "pipeline/clip.h"

#include <float.h>
#include <string.h>

#include "pipeline/triangle.h"

enum { CLIP_SHIFT = 8, CULL_SHIFT = 16, NEW_VERTEX = UINT32_MAX };

static uint32_t low_bits(uint32_t count) { return count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1; }

static uint32_t *words_of(const struct sch_vertices *vertices, uint32_t vertex)
{
    return vertices->words + (size_t)vertex * vertices->layout->words;
}

static float float_at(const uint32_t *word)
{
    float value;
    memcpy(&value, word, sizeof value);
    return value;
}

/* ---- state ---- */

static uint32_t enabled_user_planes(const struct sch_link *link, const struct sch_rasterizer_options *rasterizer)
{
    if (link->window_space || link->prohibit_ucps || link->layout.clip_distances) return 0;
    return rasterizer->clip_plane_enable & low_bits(SCH_CLIP_PLANES);
}

void sch_clip_layout(const struct sch_link *link, const struct sch_rasterizer_options *rasterizer,
                     struct sch_vertex_layout *layout)
{
    uint32_t planes = enabled_user_planes(link, rasterizer);
    *layout = link->layout;
    if (!planes) return;
    layout->user_distances = true;
    layout->clip_distance = layout->words;
    while (planes >> layout->clip_distances) layout->clip_distances++;
    layout->words = (uint16_t)(layout->words + (layout->clip_distances + 3) / 4 * 4);
}

static void mark_attribute(struct sch_clip_state *state, const struct sch_vertex_layout *layout, uint16_t word,
                           uint8_t mask, bool linear)
{
    uint32_t attribute = (word - layout->attributes) / 4u;
    if (attribute >= 2 * SCH_LINK_REGISTERS) return; /* no attribute */
    state->read[attribute] |= mask;
    if (linear) state->linear[attribute] = state->any_linear = true;
}

static void find_attributes(struct sch_clip_state *state, const struct sch_link *link,
                            const struct sch_vertex_layout *layout, const struct sch_rasterizer_options *rasterizer)
{
    for (uint32_t i = 0; i < link->input_count; i++) {
        const struct sch_link_input *input = &link->inputs[i];
        const bool linear = sch_link_interpolation(input, rasterizer) == SCH_INTERPOLATION_LINEAR;
        mark_attribute(state, layout, input->word, input->mask, linear);
        mark_attribute(state, layout, input->back_word, input->mask, linear);
    }
}

void sch_clip_state_init(struct sch_clip_state *state, const struct sch_ops *ops, const struct sch_link *link,
                         const struct sch_vertex_layout *layout, const struct sch_rasterizer_options *rasterizer,
                         const struct sch_dynamic_state *dynamic, uint32_t layers)
{
    *state = (struct sch_clip_state){.ops = ops,
                                     .key = {.window_space = link->window_space,
                                             .depth_clip_near = rasterizer->depth_clip_near,
                                             .depth_clip_far = rasterizer->depth_clip_far,
                                             .clip_halfz = rasterizer->clip_halfz,
                                             .half_pixel_center = rasterizer->half_pixel_center},
                                     .viewports = dynamic->viewports,
                                     .viewport_count = dynamic->viewport_count,
                                     .several_viewports = layout->viewport != SCH_VERTEX_NONE ||
                                                          layout->viewport_mask != SCH_VERTEX_NONE,
                                     .layers = layers,
                                     .planes = dynamic->clip_planes,
                                     .relative_layer = link->layer_relative,
                                     .bottom_edge_rule = rasterizer->bottom_edge_rule,
                                     .hides_new_edges = link->d3d};
    find_attributes(state, link, layout, rasterizer);
    if (link->window_space) return; /* nothing is clipped */
    /* Direct3D's primitives are bounded by the viewport as they are drawn (D3D 11.3 15.6). */
    state->line_pixels = link->last && link->last->d3d;
    state->line_sides = !state->line_pixels;
    state->point_pixels = state->line_pixels || (rasterizer->point_tri_clip && rasterizer->point_quad_rasterization);
    state->point_sides = !state->point_pixels;
    state->user_planes = enabled_user_planes(link, rasterizer);
    state->distances = rasterizer->clip_plane_enable & low_bits(layout->clip_distances);
    state->cull_distances = low_bits(layout->cull_distances);
}

uint32_t sch_clip_viewports(const struct sch_clip_state *state, const struct sch_vertices *vertices, uint32_t provoking)
{
    if (!state->several_viewports) return 1;
    const struct sch_vertex_layout *layout = vertices->layout;
    const uint32_t *words = words_of(vertices, provoking);
    if (layout->viewport_mask != SCH_VERTEX_NONE) return words[layout->viewport_mask] & low_bits(state->viewport_count);
    if (layout->viewport == SCH_VERTEX_NONE || words[layout->viewport] >= state->viewport_count) return 1;
    return UINT32_C(1) << words[layout->viewport]; /* out of range is 0: D3D 11.3 15.8.1 */
}

/* The viewport that a vertex's own corner is in: any is right, but primitives should have it, too. */
static uint32_t viewport_of(const struct sch_clip_state *state, const struct sch_vertices *vertices, uint32_t vertex)
{
    uint32_t viewports = sch_clip_viewports(state, vertices, vertex);
    return viewports ? (uint32_t)__builtin_ctz(viewports) : 0;
}

/* Out of range is 0 (D3D 11.3 15.15). */
static uint32_t layer_of(const struct sch_clip_state *state, const struct sch_vertices *vertices, uint32_t vertex,
                         uint32_t viewport)
{
    uint32_t layer = 0;
    if (vertices->layout->layer != SCH_VERTEX_NONE) layer = words_of(vertices, vertex)[vertices->layout->layer];
    if (state->relative_layer) layer += viewport;
    return layer < state->layers ? layer : 0;
}

/* ---- vertices ---- */

static void compute_user_distances(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                                   uint32_t vertex)
{
    const struct sch_vertex_layout *layout = vertices->layout;
    uint32_t *words = words_of(vertices, vertex);
    uint32_t from = layout->clip_vertex == SCH_VERTEX_NONE ? layout->position : layout->clip_vertex;
    for (uint32_t i = 0; i < layout->clip_distances; i++) {
        if (!(state->user_planes >> i & 1)) continue;
        const float *plane = state->planes[i];
        float product[4];
        for (uint32_t c = 0; c < 4; c++) product[c] = plane[c] * float_at(&words[from + c]);
        float distance = ((product[0] + product[1]) + product[2]) + product[3];
        memcpy(&words[layout->clip_distance + i], &distance, sizeof distance);
    }
}

/* A NaN is outside (D3D 11.3 15.4.1, 15.4.2); among clip distances it drops the primitive. */
static uint32_t distance_codes(const struct sch_clip_state *state, const struct sch_vertices *vertices, uint32_t vertex)
{
    const struct sch_vertex_layout *layout = vertices->layout;
    const uint32_t *words = words_of(vertices, vertex);
    uint32_t codes = 0;
    for (uint32_t i = 0; state->distances >> i; i++) {
        if (!(state->distances >> i & 1)) continue;
        float distance = float_at(&words[layout->clip_distance + i]);
        if (!(distance >= 0)) codes |= UINT32_C(1) << (CLIP_SHIFT + i);
        if (distance != distance) codes |= SCH_OUTSIDE_DROP;
    }
    for (uint32_t i = 0; state->cull_distances >> i; i++)
        if (!(float_at(&words[layout->cull_distance + i]) >= 0)) codes |= UINT32_C(1) << (CULL_SHIFT + i);
    return codes;
}

static struct sch_corner corner_of(const struct sch_window_vertex *at, uint32_t vertex)
{
    return (struct sch_corner){at->x, at->y, at->z, at->inverse_w, vertex};
}

static struct sch_window_vertex window_vertex(const struct sch_window_lanes *window, uint32_t lane)
{
    return (struct sch_window_vertex){(int32_t)window->x.u[lane], (int32_t)window->y.u[lane],
                                      float_at(&window->z.u[lane]), float_at(&window->inverse_w.u[lane])};
}

static void store_corner(struct sch_corner *corner, const struct sch_window_lanes *window, uint32_t lane,
                         uint32_t vertex)
{
    const struct sch_window_vertex at = window_vertex(window, lane);
    *corner = corner_of(&at, vertex);
}

/* Corners and codes of at most a group of vertices in one viewport; `vertex` NULL: those from `first` on. */
static void transform(const struct sch_clip_state *state, const struct sch_viewport_key *key,
                      const struct sch_vertices *vertices, const uint32_t *vertex, uint32_t first, uint32_t count,
                      uint32_t viewport, struct sch_window_lanes *window)
{
    struct sch_lanes position[4];
    for (uint32_t lane = 0; lane < SCH_GROUP_LANES; lane++) {
        uint32_t number = lane < count ? lane : 0;
        const uint32_t *words = words_of(vertices, vertex ? vertex[number] : first + number);
        words += vertices->layout->position;
        for (uint32_t c = 0; c < 4; c++) position[c].u[lane] = words[c];
    }
    state->ops->viewport(window, position, &state->viewports[viewport], key);
}

/* The vertices of a group that have the viewport of the first one in `todo`; answers what is left to do. */
static uint32_t transform_some(const struct sch_clip_state *state, struct sch_vertices *vertices, uint32_t first,
                               uint32_t count, uint32_t todo)
{
    struct sch_window_lanes window;
    uint32_t viewport = viewport_of(state, vertices, first + (uint32_t)__builtin_ctz(todo));
    transform(state, &state->key, vertices, NULL, first, count, viewport, &window);
    for (uint32_t lane = 0; lane < count; lane++) {
        uint32_t vertex = first + lane;
        if (!(todo >> lane & 1)) continue;
        if (viewport_of(state, vertices, vertex) != viewport) continue;
        vertices->corners[vertex] = window_vertex(&window, lane);
        vertices->codes[vertex] = window.codes.u[lane];
        todo &= ~(UINT32_C(1) << lane);
    }
    return todo;
}

/* Vertices that name their viewports. */
static void transform_each(const struct sch_clip_state *state, struct sch_vertices *vertices)
{
    for (uint32_t first = 0; first < vertices->count; first += SCH_GROUP_LANES) {
        uint32_t lanes = vertices->count - first < SCH_GROUP_LANES ? vertices->count - first : SCH_GROUP_LANES;
        uint32_t todo = low_bits(lanes);
        while (todo) todo = transform_some(state, vertices, first, lanes, todo);
    }
    vertices->any_codes = UINT32_MAX;
}

static void add_distance_codes(const struct sch_clip_state *state, struct sch_vertices *vertices)
{
    for (uint32_t v = 0; v < vertices->count; v++) {
        const uint32_t codes = distance_codes(state, vertices, v);
        vertices->codes[v] |= codes;
        vertices->any_codes |= codes;
    }
}

void sch_clip_vertices(const struct sch_clip_state *state, struct sch_vertices *vertices)
{
    const struct sch_vertex_layout *layout = vertices->layout;
    vertices->culled = false;
    if (state->user_planes)
        for (uint32_t v = 0; v < vertices->count; v++) compute_user_distances(state, vertices, v);
    if (state->several_viewports)
        transform_each(state, vertices);
    else
        vertices->any_codes =
            state->ops->viewport_vertices(vertices->corners, vertices->codes, vertices->words + layout->position,
                                          layout->words, vertices->count, &state->viewports[0], &state->key);
    if (state->distances || state->cull_distances) add_distance_codes(state, vertices);
}

/* ---- primitives that need no cut ---- */

/* What a primitive is made of, in the viewport of its provoking vertex. */
struct primitive {
    uint32_t count; /* vertices: 1 to 3 */
    const uint32_t *vertex;
    uint32_t provoking, viewport;
    uint32_t codes[3];
    uint32_t any, common; /* codes */
};

/* Codes and corners of vertices that are in another viewport themselves. OpenGL 4.6 13.8.1: the transformation is
 * that of each primitive. */
static void transform_again(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                            struct primitive *primitive, struct sch_clipped *clipped)
{
    struct sch_window_lanes window;
    transform(state, &state->key, vertices, primitive->vertex, 0, primitive->count, clipped->viewport, &window);
    for (uint32_t i = 0; i < primitive->count; i++) {
        store_corner(&clipped->corners[i], &window, i, primitive->vertex[i]);
        primitive->codes[i] = window.codes.u[i] | distance_codes(state, vertices, primitive->vertex[i]);
        if (vertices->culled) primitive->codes[i] &= ~(uint32_t)SCH_OUTSIDE_CULL_DISTANCES;
    }
}

/* Whether all vertices have their corners in the primitive's viewport. */
static bool has_own_viewport(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                             const struct primitive *primitive)
{
    if (!state->several_viewports) return true;
    for (uint32_t i = 0; i < primitive->count; i++)
        if (viewport_of(state, vertices, primitive->vertex[i]) != primitive->viewport) return false;
    return true;
}

/* ---- what is exactly on a user plane ----
 *
 * OpenGL 4.6 13.7: what is drawn with a plane and what is drawn with the plane turned round have all samples, and none
 * twice. Turning the plane turns the sign of each distance, and of all that is computed here. */

/* The same of any order of the terms, and with the other sign if all terms have it. */
static double even_sum(const double terms[3])
{
    double term[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t at = i;
        for (; at && terms[i] < term[at - 1]; at--) term[at] = term[at - 1];
        term[at] = terms[i];
    }
    return (((term[0] + term[1]) + term[2]) + ((term[2] + term[1]) + term[0])) / 2;
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    double terms[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t next = (i + 1) % 3, last = (i + 2) % 3;
        terms[i] = a[i] * (b[next] * c[last] - b[last] * c[next]);
    }
    return even_sum(terms);
}

static int sign_of(double value) { return (value > 0) - (value < 0); }

/* Whether the distance grows to the right in the window, or, where it is the same there, downwards; with
 * bottom_edge_rule upwards. So samples at distance 0 have the side that the rule of edges would give them (D3D 11.3
 * 3.4.2.1), were the triangle cut there. distance / w is linear in x / w and y / w. */
static bool triangle_has_ties(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                              const struct primitive *primitive, const double distance[3], uint32_t viewport)
{
    double x[3], y[3], w[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t *position = words_of(vertices, primitive->vertex[i]) + vertices->layout->position;
        x[i] = float_at(&position[0]);
        y[i] = float_at(&position[1]);
        w[i] = float_at(&position[3]);
    }
    const float *scale = state->viewports[viewport].scale;
    const int area = sign_of(determinant(x, y, w));
    const int right = area * sign_of(scale[0]) * sign_of(determinant(distance, y, w));
    const int down = area * sign_of(scale[1]) * sign_of(determinant(x, distance, w));
    if (right) return right > 0;
    if (down) return state->bottom_edge_rule ? down < 0 : down > 0;
    return distance[0] > 0 || (distance[0] == 0 && distance[1] > 0); /* it has no area */
}

/* For user planes that are to be tested: to which side of each samples at distance 0 belong. Those of a line belong to
 * the part that begins there (OpenGL 4.6 14.5.1). A primitive that has no part inside, just an edge or a vertex, has no
 * samples, since from the other side it has all. */
static void share_ties(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                       const struct primitive *primitive, struct sch_clipped *clipped)
{
    for (uint32_t bits = clipped->distances; bits; bits &= bits - 1) {
        const uint32_t plane = (uint32_t)__builtin_ctz(bits);
        double distance[3];
        bool reaches_inside = false;
        for (uint32_t i = 0; i < primitive->count; i++) {
            const uint32_t *words = words_of(vertices, primitive->vertex[i]);
            distance[i] = float_at(&words[vertices->layout->clip_distance + plane]);
            reaches_inside |= distance[i] > 0;
        }
        const bool has_ties = primitive->count == 3
                                  ? triangle_has_ties(state, vertices, primitive, distance, clipped->viewport)
                                  : distance[0] < distance[1];
        clipped->empty |= !reaches_inside;
        clipped->strict |= (uint32_t)!has_ties << plane;
    }
}

/* Whether something is left; of a primitive that needs no cut the result is complete. */
static bool begin(const struct sch_clip_state *state, const struct sch_vertices *vertices, struct primitive *primitive,
                  struct sch_clipped *clipped)
{
    clipped->viewport = primitive->viewport;
    clipped->layer = layer_of(state, vertices, primitive->provoking, clipped->viewport);
    clipped->count = primitive->count;
    for (uint32_t i = 0; i < primitive->count; i++) {
        clipped->corners[i] = corner_of(&vertices->corners[primitive->vertex[i]], primitive->vertex[i]);
        primitive->codes[i] = vertices->codes[primitive->vertex[i]];
    }
    if (!has_own_viewport(state, vertices, primitive)) transform_again(state, vertices, primitive, clipped);
    primitive->common = UINT32_MAX;
    for (uint32_t i = 0; i < primitive->count; i++) {
        primitive->any |= primitive->codes[i];
        primitive->common &= primitive->codes[i];
    }
    clipped->distances = (primitive->any & SCH_OUTSIDE_DISTANCES) >> CLIP_SHIFT;
    clipped->strict = 0;
    clipped->empty = false;
    if (primitive->common || primitive->any & SCH_OUTSIDE_DROP) return false;
    if (state->user_planes) share_ties(state, vertices, primitive, clipped);
    return true;
}

enum sch_clip_result sch_clip_point(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                                    uint32_t vertex, uint32_t viewport, struct sch_clipped *clipped)
{
    struct primitive primitive = {.count = 1, .vertex = &vertex, .provoking = vertex, .viewport = viewport};
    return begin(state, vertices, &primitive, clipped) ? SCH_CLIP_WHOLE : SCH_CLIP_NOTHING;
}

/* ---- the sides of the view volume ---- */

/* Comparisons of clip coordinates, which are exact (OpenGL 4.6 13.7). */
static uint32_t side_codes(const struct sch_vertices *vertices, uint32_t vertex)
{
    const uint32_t *words = words_of(vertices, vertex) + vertices->layout->position;
    const float x = float_at(&words[0]), y = float_at(&words[1]), w = float_at(&words[3]);
    return (uint32_t)(x < -w) | (uint32_t)(x > w) << 1 | (uint32_t)(y < -w) << 2 | (uint32_t)(y > w) << 3;
}

enum sch_clip_sides sch_clip_sides(const struct sch_vertices *vertices, const uint32_t *vertex, uint32_t count)
{
    uint32_t any = 0, common = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t codes = side_codes(vertices, vertex[i]);
        any |= codes;
        common &= codes;
    }
    return common ? SCH_CLIP_OUTSIDE : any ? SCH_CLIP_CROSSES : SCH_CLIP_INSIDE;
}

/* ---- cutting ---- */

/* A corner on the way through the planes. */
struct place {
    double position[4]; /* clip space */
    double weight[3];   /* of the primitive's vertices */
    uint32_t original;  /* which of the vertices it is, or NEW_VERTEX */
    bool edge;          /* the edge after it is drawn */
};

struct cutting {
    const struct sch_clip_state *state;
    const struct sch_viewport *viewport;
    const struct primitive *primitive;
};

/* Not less than 0: inside. The guard band is where the window coordinate is in it, times w. */
static double distance_from(const struct cutting *cutting, uint32_t plane, const struct place *at)
{
    const double *position = at->position, w = position[3];
    const struct sch_viewport *viewport = cutting->viewport;
    uint32_t axis = plane == SCH_OUTSIDE_X_MIN || plane == SCH_OUTSIDE_X_MAX ? 0 : 1;
    double scaled = position[axis] * viewport->scale[axis];
    switch (plane) {
    case SCH_OUTSIDE_W:
        return w - FLT_MIN;
    case SCH_OUTSIDE_NEAR:
        return cutting->state->key.clip_halfz ? position[2] : position[2] + w;
    case SCH_OUTSIDE_FAR:
        return w - position[2];
    case SCH_OUTSIDE_X_MIN:
    case SCH_OUTSIDE_Y_MIN:
        return scaled + ((double)viewport->translate[axis] + SCH_GUARD_BAND) * w;
    default:
        return ((SCH_GUARD_BAND - 1) - (double)viewport->translate[axis]) * w - scaled;
    }
}

/* The codes of vertices say it, so that all primitives that have the vertex agree. */
static bool inside(const struct cutting *cutting, uint32_t plane, const struct place *at)
{
    if (at->original != NEW_VERTEX) return !(cutting->primitive->codes[at->original] & plane);
    return distance_from(cutting, plane, at) >= 0;
}

/* Where an edge meets a plane, computed from its inside end to its outside end: the same in both primitives that have
 * the edge. Both weights are quotients, so that w, a sum of positive products, has a small error however different the
 * ends are. */
static struct place cut(const struct cutting *cutting, uint32_t plane, const struct place *in, const struct place *out)
{
    double from = distance_from(cutting, plane, in), to = distance_from(cutting, plane, out);
    double r = 1, s = 0; /* from <= 0 or to >= 0: the window coordinate of a vertex, rounded, says something else */
    if (from > 0) r = to < 0 ? -to / (from - to) : 0;
    if (from > 0) s = to < 0 ? from / (from - to) : 1;
    struct place at = {.original = NEW_VERTEX};
    for (uint32_t c = 0; c < 4; c++) at.position[c] = r * in->position[c] + s * out->position[c];
    for (uint32_t i = 0; i < 3; i++) at.weight[i] = r * in->weight[i] + s * out->weight[i];
    if (plane == SCH_OUTSIDE_W) at.position[3] = FLT_MIN;
    if (plane == SCH_OUTSIDE_NEAR) at.position[2] = cutting->state->key.clip_halfz ? 0 : -at.position[3];
    if (plane == SCH_OUTSIDE_FAR) at.position[2] = at.position[3];
    return at;
}

static bool plane_exists(const struct cutting *cutting, uint32_t plane)
{
    if (plane == SCH_OUTSIDE_NEAR) return cutting->state->key.depth_clip_near;
    return plane != SCH_OUTSIDE_FAR || cutting->state->key.depth_clip_far;
}

/* The part of a polygon inside of a plane. Answers the number of corners, 0 also where rounding made more of them than
 * a polygon can have. */
static uint32_t cut_polygon(const struct cutting *cutting, uint32_t plane, const struct place *from, uint32_t count,
                            struct place *to)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct place *at = &from[i], *next = &from[i + 1 < count ? i + 1 : 0];
        bool in = inside(cutting, plane, at), next_in = inside(cutting, plane, next);
        if (made + 2 > SCH_CLIP_CORNERS) return 0;
        if (in) to[made++] = *at;
        if (in == next_in) continue;
        to[made] = in ? cut(cutting, plane, at, next) : cut(cutting, plane, next, at);
        /* New edges are boundaries (OpenGL 4.6 13.7), but not for Direct3D (11.3 15.13); cut ones keep their flag. */
        to[made++].edge = in ? !cutting->state->hides_new_edges : at->edge;
    }
    return made;
}

static struct place place_of(const struct sch_vertices *vertices, const struct primitive *primitive, uint32_t i)
{
    struct place at = {.original = i, .weight = {i == 0, i == 1, i == 2}};
    const uint32_t *words = words_of(vertices, primitive->vertex[i]) + vertices->layout->position;
    for (uint32_t c = 0; c < 4; c++) at.position[c] = float_at(&words[c]);
    return at;
}

/* ---- new vertices ---- */

/* The sum of what vertices with a weight contribute, from the least on, so that their order does not matter. */
static double weighted(const double weight[3], const double value[3])
{
    double term[3] = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        if (weight[i] == 0) continue;
        double product = weight[i] * value[i];
        uint32_t at = count++;
        for (; at && product < term[at - 1]; at--) term[at] = term[at - 1];
        term[at] = product;
    }
    return (term[0] + term[1]) + term[2];
}

static void store_float(uint32_t *word, double value)
{
    float rounded = (float)value;
    if (rounded != rounded)
        *word = 0x7fc00000; /* the canonical NaN */
    else
        memcpy(word, &rounded, sizeof rounded);
}

/* Distances from user planes: sums that have the other sign if the plane is turned round. */
static void mix_user_distances(const struct cutting *cutting, const struct sch_vertices *vertices,
                               const double weight[3], uint32_t *words)
{
    const struct primitive *primitive = cutting->primitive;
    for (uint32_t bits = cutting->state->user_planes; bits; bits &= bits - 1) {
        const uint32_t n = vertices->layout->clip_distance + (uint32_t)__builtin_ctz(bits);
        double terms[3] = {0, 0, 0};
        for (uint32_t i = 0; i < primitive->count; i++)
            if (weight[i] != 0) terms[i] = weight[i] * float_at(&words_of(vertices, primitive->vertex[i])[n]);
        store_float(&words[n], even_sum(terms));
    }
}

/* Words of the new vertex from those of the primitive's vertices. */
static void mix_words(const struct sch_vertices *vertices, const struct primitive *primitive, const double weight[3],
                      uint32_t *words, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++) {
        double value[3] = {0, 0, 0};
        for (uint32_t i = 0; i < primitive->count; i++)
            value[i] = float_at(&words_of(vertices, primitive->vertex[i])[n]);
        store_float(&words[n], weighted(weight, value));
    }
}

/* The weights of what changes linearly in the window (OpenGL 4.6 13.7.1): each times w, and all together 1. */
static void window_weights(const struct sch_vertices *vertices, const struct primitive *primitive,
                           const double weight[3], double linear[3])
{
    double w[3] = {0, 0, 0};
    for (uint32_t i = 0; i < primitive->count; i++)
        w[i] = float_at(&words_of(vertices, primitive->vertex[i])[vertices->layout->position + 3]);
    double sum = weighted(weight, w);
    for (uint32_t i = 0; i < 3; i++) linear[i] = weight[i] == 0 ? 0 : weight[i] * w[i] / sum;
}

/* All words, those that are not interpolated as of the provoking vertex. */
static void append_vertex(const struct cutting *cutting, struct sch_vertices *vertices, const struct place *at)
{
    const struct sch_vertex_layout *layout = vertices->layout;
    const struct primitive *primitive = cutting->primitive;
    uint32_t *words = words_of(vertices, vertices->count++);
    memcpy(words, words_of(vertices, primitive->provoking), layout->words * sizeof *words);

    double linear[3];
    if (cutting->state->any_linear) window_weights(vertices, primitive, at->weight, linear);
    if (cutting->state->user_planes)
        mix_user_distances(cutting, vertices, at->weight, words);
    else if (layout->clip_distances)
        mix_words(vertices, primitive, at->weight, words, layout->clip_distance, layout->clip_distances);
    if (layout->cull_distances)
        mix_words(vertices, primitive, at->weight, words, layout->cull_distance, layout->cull_distances);
    if (layout->point_size != SCH_VERTEX_NONE) mix_words(vertices, primitive, at->weight, words, layout->point_size, 1);
    const uint32_t most = 2 * SCH_LINK_REGISTERS, all = layout->attribute_count;
    for (uint32_t a = 0; a < (all < most ? all : most); a++) {
        const double *weight = cutting->state->linear[a] ? linear : at->weight;
        for (uint32_t c = 0; c < 4; c++)
            if (cutting->state->read[a] >> c & 1)
                mix_words(vertices, primitive, weight, words, layout->attributes + 4 * a + c, 1);
    }
    for (uint32_t c = 0; c < 4; c++) store_float(&words[layout->position + c], at->position[c]);
}

/* Vertices and corners of what is left. Answers false where a coordinate has become a NaN or an infinity. */
static bool finish(const struct cutting *cutting, struct sch_vertices *vertices, const struct place *places,
                   uint32_t count, struct sch_clipped *clipped)
{
    struct sch_clipped whole = *clipped;
    uint32_t first = vertices->count;
    clipped->count = count;
    clipped->edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        clipped->edges |= (uint32_t)places[i].edge << i;
        if (places[i].original == NEW_VERTEX)
            append_vertex(cutting, vertices, &places[i]);
        else
            clipped->corners[i] = whole.corners[places[i].original];
    }
    struct sch_viewport_key key = cutting->state->key;
    struct sch_window_lanes window;
    key.cut = true;
    transform(cutting->state, &key, vertices, NULL, first, vertices->count - first, clipped->viewport, &window);
    for (uint32_t i = 0, lane = 0; i < count; i++) {
        if (places[i].original != NEW_VERTEX) continue;
        store_corner(&clipped->corners[i], &window, lane, first + lane);
        if (window.codes.u[lane]) {
            vertices->count = first;
            return false;
        }
        lane++;
    }
    return true;
}

enum sch_clip_result sch_clip_triangle(const struct sch_clip_state *state, struct sch_vertices *vertices,
                                       const uint32_t vertex[3], uint32_t provoking, uint32_t viewport, uint32_t edges,
                                       struct sch_clipped *clipped)
{
    struct primitive primitive = {.count = 3, .vertex = vertex, .provoking = provoking, .viewport = viewport};
    clipped->edges = edges & 7;
    if (!begin(state, vertices, &primitive, clipped)) return SCH_CLIP_NOTHING;
    if (!(primitive.any & SCH_OUTSIDE_CUTS)) return SCH_CLIP_WHOLE;
    if (vertices->capacity - vertices->count < SCH_CLIP_CORNERS) return SCH_CLIP_FULL;

    const struct cutting cutting = {state, &state->viewports[clipped->viewport], &primitive};
    struct place places[2][SCH_CLIP_CORNERS];
    uint32_t count = 3, now = 0;
    for (uint32_t i = 0; i < count; i++) {
        places[0][i] = place_of(vertices, &primitive, i);
        places[0][i].edge = edges >> i & 1;
    }
    for (uint32_t plane = 1; plane & SCH_OUTSIDE_PLANES; plane <<= 1) {
        if (!plane_exists(&cutting, plane)) continue;
        count = cut_polygon(&cutting, plane, places[now], count, places[!now]);
        now = !now;
        if (!count) return SCH_CLIP_NOTHING;
    }
    return finish(&cutting, vertices, places[now], count, clipped) ? SCH_CLIP_CUT : SCH_CLIP_NOTHING;
}

enum sch_clip_result sch_clip_line(const struct sch_clip_state *state, struct sch_vertices *vertices,
                                   const uint32_t vertex[2], uint32_t provoking, uint32_t viewport,
                                   struct sch_clipped *clipped)
{
    struct primitive primitive = {.count = 2, .vertex = vertex, .provoking = provoking, .viewport = viewport};
    if (!begin(state, vertices, &primitive, clipped)) return SCH_CLIP_NOTHING;
    if (!(primitive.any & SCH_OUTSIDE_CUTS)) return SCH_CLIP_WHOLE;
    if (vertices->capacity - vertices->count < SCH_CLIP_CORNERS) return SCH_CLIP_FULL;

    const struct cutting cutting = {state, &state->viewports[clipped->viewport], &primitive};
    struct place places[2] = {place_of(vertices, &primitive, 0), place_of(vertices, &primitive, 1)};
    for (uint32_t plane = 1; plane & SCH_OUTSIDE_PLANES; plane <<= 1) {
        if (!plane_exists(&cutting, plane)) continue;
        bool in[2] = {inside(&cutting, plane, &places[0]), inside(&cutting, plane, &places[1])};
        if (!in[0] && !in[1]) return SCH_CLIP_NOTHING;
        for (uint32_t end = 0; end < 2; end++)
            if (!in[end]) places[end] = cut(&cutting, plane, &places[!end], &places[end]);
    }
    return finish(&cutting, vertices, places, 2, clipped) ? SCH_CLIP_CUT : SCH_CLIP_NOTHING;
}

void sch_clip_ends(const struct sch_clip_state *state, const struct sch_vertices *vertices, const uint32_t vertex[2],
                   uint32_t viewport, const struct sch_clipped *clipped, struct sch_corner ends[2])
{
    struct sch_viewport_key key = state->key;
    struct sch_window_lanes window;
    key.unclipped = true;
    transform(state, &key, vertices, vertex, 0, 2, viewport, &window);
    for (uint32_t end = 0; end < 2; end++) {
        store_corner(&ends[end], &window, end, vertex[end]);
        if (clipped && window.codes.u[end]) ends[end] = clipped->corners[end];
    }
    if (!clipped && (window.codes.u[0] || window.codes.u[1])) ends[1] = ends[0];
}

/* ---- pieces ---- */

static bool is_before(const struct sch_corner *a, const struct sch_corner *b)
{
    if (a->y != b->y) return a->y < b->y;
    if (a->x != b->x) return a->x < b->x;
    if (a->z != b->z) return a->z < b->z;
    return a->inverse_w < b->inverse_w;
}

uint32_t sch_clip_layer(const struct sch_clip_state *state, const struct sch_vertices *vertices, uint32_t provoking)
{
    return layer_of(state, vertices, provoking, 0);
}

uint32_t sch_clip_pieces(const struct sch_clipped *clipped, struct sch_corner pieces[SCH_CLIP_CORNERS - 2][3])
{
    const struct sch_corner *corners = clipped->corners;
    uint32_t count = clipped->count, apex = 0, made = 0;
    if (count == 3) {
        memcpy(pieces[0], corners, sizeof pieces[0]);
        return 1;
    }
    for (uint32_t i = 1; i < count; i++)
        if (is_before(&corners[i], &corners[apex])) apex = i;
    int64_t areas[SCH_CLIP_CORNERS], whole = 0;
    for (uint32_t i = 0; i + 2 < count; i++) {
        pieces[i][0] = corners[apex];
        pieces[i][1] = corners[(apex + i + 1) % count];
        pieces[i][2] = corners[(apex + i + 2) % count];
        whole += areas[i] = sch_triangle_area(pieces[i]);
    }
    for (uint32_t i = 0; i + 2 < count; i++)
        if (areas[i] && (areas[i] < 0) == (whole < 0)) memmove(pieces[made++], pieces[i], sizeof pieces[i]);
    return made;
}
