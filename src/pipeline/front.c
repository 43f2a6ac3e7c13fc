/* Primitive after primitive of a chunk: viewport after viewport it is clipped, its face found, and what it is drawn as
 * set up. */
#include "pipeline/front.h"

#include <string.h>

#include "exec/program.h"
#include "pipeline/box.h"
#include "pipeline/rules.h"

/* A chunk on its way. */
struct way {
    const struct sch_front *front;
    struct sch_chunk *chunk;
    struct sch_scratch *scratch;
    uint32_t *stipple;
};

/* Whether anything but vertices is read of what is interpolated: by inputs and system values of the fragment program,
 * tests of depth, clip distances. */
static bool interpolates(const struct sch_draw_pipeline *draw, const struct sch_vertex_layout *layout)
{
    const struct sch_link *link = draw->link;
    return link->input_count || link->fragment_value_count || draw->framebuffer->depth_stencil.texels ||
           layout->clip_distances;
}

void sch_front_init(struct sch_front *front, const struct sch_draw_pipeline *draw,
                    const struct sch_vertex_layout *layout, const struct sch_tile_rules *rules)
{
    const struct sch_rasterizer_options *rasterizer = draw->rasterizer;
    const struct sch_draw_framebuffer *framebuffer = draw->framebuffer;
    const struct sch_draw_target *depth = &framebuffer->depth_stencil;
    const struct sch_rasterizer_options areas = sch_rules_of_areas(draw), lines = sch_rules_of_lines(draw);
    front->draw = draw;
    front->layout = layout;
    sch_clip_state_init(&front->clip, draw->programs[SCH_STAGE_VERTEX]->ops, draw->link, layout, rasterizer,
                        draw->dynamic, framebuffer->layers);
    sch_setup_init(&front->setup, draw->programs[SCH_STAGE_VERTEX]->ops, &areas, draw->dynamic, framebuffer->width,
                   framebuffer->height, framebuffer->samples,
                   depth->texels ? (enum sch_format)depth->format : SCH_FORMAT_NONE);
    front->setup.interpolates = interpolates(draw, layout);
    front->setup.small_edges = !sch_tile_takes_small(rules) || layout->clip_distances || draw->history;
    if (draw->link->d3d) sch_setup_round_viewports(&front->setup, draw->dynamic);
    if (draw->link->window_space) sch_setup_without_viewports(&front->setup);
    front->unculled = front->setup;
    front->unculled.cull_face = 0;
    sch_line_rules(&front->line, draw->programs[SCH_STAGE_VERTEX]->ops, &lines, framebuffer->samples);
    sch_point_rules(&front->point, &areas, framebuffer->samples);
    for (uint32_t i = 0; i < draw->dynamic->viewport_count && i < SCH_VIEWPORTS; i++)
        sch_setup_sides(&front->sides[i], &draw->dynamic->viewports[i], areas.half_pixel_center);
    front->layered = layout->layer != SCH_VERTEX_NONE || draw->link->layer_relative;
    front->outlines = rasterizer->fill_front != SCH_FILL_SOLID || rasterizer->fill_back != SCH_FILL_SOLID;
}

/* ---- records ---- */

/* Room for as many vertices again, for those that clipping makes. */
static bool more_vertices(const struct way *way)
{
    return sch_chunk_reserve(way->chunk, way->scratch, 2 * way->chunk->vertices.capacity + SCH_CLIP_CORNERS);
}

/* Room for so many more records. NULL: no memory. */
static struct sch_raster_primitive *next_records(const struct way *way, uint32_t count)
{
    struct sch_chunk *chunk = way->chunk;
    const size_t bytes = sizeof(struct sch_raster_primitive), kept = chunk->record_count * bytes;
    if (!sch_scratch_grow(way->scratch, &chunk->records, kept + count * bytes, kept)) return NULL;
    return (struct sch_raster_primitive *)chunk->records.data + chunk->record_count;
}

static struct sch_raster_primitive *next_record(const struct way *way) { return next_records(way, 1); }

/* The record is what is drawn, if anything is; what all kinds of primitives have. */
static void keep_record(const struct way *way, struct sch_raster_primitive *record,
                        const struct sch_assembled_primitive *primitive, const struct sch_clipped *clipped)
{
    if (clipped->empty) return; /* that is known so late since it counts (OpenGL 4.6 13.7.3): it has vertices inside */
    record->viewport = (uint8_t)clipped->viewport;
    record->layer = (uint16_t)clipped->layer;
    record->distances = (uint8_t)clipped->distances;
    record->strict = (uint8_t)clipped->strict;
    record->primitive_id = primitive->id;
    record->of.provoking = primitive->provoking;
    way->chunk->record_count++;
}

/* ---- points ---- */

static float point_size(const struct way *way, uint32_t vertex)
{
    const struct sch_vertices *vertices = &way->chunk->vertices;
    const struct sch_vertex_layout *layout = vertices->layout;
    float size = way->front->point.size; /* of vertices without PSIZE */
    if (layout->point_size != SCH_VERTEX_NONE)
        memcpy(&size, vertices->words + (size_t)vertex * layout->words + layout->point_size, sizeof size);
    return size;
}

static bool put_point(const struct way *way, const struct sch_assembled_primitive *primitive,
                      const struct sch_clipped *clipped, const struct sch_corner *corner, double offset, bool back)
{
    struct sch_raster_primitive *record = next_record(way);
    if (!record) return false;
    const struct sch_setup_viewport *viewport = &way->front->setup.viewports[clipped->viewport];
    if (!sch_point_setup(&way->front->point, viewport, corner, point_size(way, corner->vertex), offset, record))
        return true;
    if (way->front->clip.point_pixels && !sch_box_clip(record->box, way->front->sides[clipped->viewport].pixels))
        return true;
    record->back = back;
    record->is_triangle = false;
    keep_record(way, record, primitive, clipped);
    return true;
}

/* Whether the sides of the view volume leave a point. */
static bool is_in_volume(const struct way *way, uint32_t vertex)
{
    return !way->front->clip.point_sides || sch_clip_sides(&way->chunk->vertices, &vertex, 1) == SCH_CLIP_INSIDE;
}

static bool draw_point(const struct way *way, const struct sch_assembled_primitive *primitive, uint32_t viewport)
{
    struct sch_clipped clipped;
    if (!is_in_volume(way, primitive->vertex[0])) return true;
    if (sch_clip_point(&way->front->clip, &way->chunk->vertices, primitive->vertex[0], viewport, &clipped) ==
        SCH_CLIP_NOTHING)
        return true;
    way->chunk->clipped++;
    return put_point(way, primitive, &clipped, &clipped.corners[0], 0, false);
}

/* ---- lines ---- */

/* What the sides of the view volume do to a line. */
static enum sch_clip_sides sides_of_line(const struct way *way, const uint32_t vertex[2])
{
    return way->front->clip.line_sides ? sch_clip_sides(&way->chunk->vertices, vertex, 2) : SCH_CLIP_INSIDE;
}

/* `start`: the corner that the stipple counts from, as `*way->stipple` says. */
static bool put_line(const struct way *way, const struct sch_assembled_primitive *primitive,
                     const struct sch_clipped *clipped, enum sch_clip_sides sides, const struct sch_corner *a,
                     const struct sch_corner *b, const struct sch_corner *start, double offset, bool back)
{
    struct sch_raster_primitive *record = next_record(way);
    if (!record) return false;
    const struct sch_setup_viewport *viewport = &way->front->setup.viewports[clipped->viewport];
    const struct sch_setup_sides *at = &way->front->sides[clipped->viewport];
    const int32_t *volume = sides == SCH_CLIP_CROSSES ? at->volume : NULL;
    if (!sch_line_setup(&way->front->line, viewport, volume, a, b, start, *way->stipple, offset, record)) return true;
    if (way->front->clip.line_pixels && !sch_box_clip(record->box, at->pixels)) return true;
    record->back = back;
    record->is_triangle = false;
    keep_record(way, record, primitive, clipped);
    return true;
}

static bool draw_line(const struct way *way, const struct sch_assembled_primitive *primitive, uint32_t viewport)
{
    struct sch_clipped clipped;
    if (primitive->stipple_restarts) *way->stipple = 0;
    const enum sch_clip_sides sides = sides_of_line(way, primitive->vertex);
    enum sch_clip_result result = SCH_CLIP_NOTHING;
    while (sides != SCH_CLIP_OUTSIDE &&
           (result = sch_clip_line(&way->front->clip, &way->chunk->vertices, primitive->vertex, primitive->provoking,
                                   viewport, &clipped)) == SCH_CLIP_FULL)
        if (!more_vertices(way)) return false;
    const bool drawn = result != SCH_CLIP_NOTHING;
    struct sch_corner ends[2];
    if (drawn) memcpy(ends, clipped.corners, sizeof ends);
    if (way->front->line.stippled && result != SCH_CLIP_WHOLE) /* it counts as if nothing were clipped */
        sch_clip_ends(&way->front->clip, &way->chunk->vertices, primitive->vertex, viewport, drawn ? &clipped : NULL,
                      ends);
    way->chunk->clipped += drawn;
    const struct sch_corner *a = &clipped.corners[0], *b = &clipped.corners[1];
    if (drawn && !put_line(way, primitive, &clipped, sides, a, b, &ends[0], 0, false)) return false;
    if (way->front->line.stippled)
        *way->stipple = sch_line_advance(&way->front->line, *way->stipple, &ends[0], &ends[1]);
    return true;
}

/* ---- triangles ---- */

/* For triangles of polygons. */
static enum sch_polygon_face polygon_face(const struct way *way, const struct sch_assembled_primitive *primitive)
{
    const struct sch_assembled *assembled = &way->chunk->assembled;
    return assembled->polygons ? (enum sch_polygon_face)assembled->faces[primitive - assembled->primitives]
                               : SCH_POLYGON_OWN;
}

static bool put_pieces(const struct way *way, const struct sch_assembled_primitive *primitive,
                       const struct sch_clipped *clipped)
{
    const enum sch_polygon_face face = polygon_face(way, primitive);
    const bool of_polygon = face != SCH_POLYGON_OWN; /* which is not culled */
    const struct sch_setup *setup = of_polygon ? &way->front->unculled : &way->front->setup;
    struct sch_corner pieces[SCH_CLIP_CORNERS - 2][3];
    const uint32_t count = sch_clip_pieces(clipped, pieces);
    for (uint32_t p = 0; p < count; p++) {
        struct sch_raster_primitive *record = next_record(way);
        if (!record) return false;
        if (!sch_setup_triangle(setup, pieces[p], clipped->viewport, record)) continue;
        if (of_polygon) record->back = face == SCH_POLYGON_BACK;
        record->is_triangle = true;
        keep_record(way, record, primitive, clipped);
    }
    way->chunk->clipped += count;
    return true;
}

/* The edges, or corners, of a polygon that is not filled. The stipple continues from edge to edge, and from triangle to
 * triangle of a polygon (OpenGL 14.6.4). */
static bool put_outline(const struct way *way, const struct sch_assembled_primitive *primitive,
                        const struct sch_clipped *clipped, enum sch_fill fill, bool back, double offset)
{
    way->chunk->clipped++;
    for (uint32_t i = 0; i < clipped->count; i++) {
        const struct sch_corner *a = &clipped->corners[i], *b = &clipped->corners[(i + 1) % clipped->count];
        const enum sch_clip_sides sides = sides_of_line(way, (const uint32_t[]){a->vertex, b->vertex});
        if (!(clipped->edges >> i & 1)) continue;
        if (fill == SCH_FILL_POINT) {
            if (!is_in_volume(way, a->vertex)) continue;
            if (!put_point(way, primitive, clipped, a, offset, back)) return false;
            continue;
        }
        if (sides != SCH_CLIP_OUTSIDE && !put_line(way, primitive, clipped, sides, a, b, a, offset, back)) return false;
        if (way->front->line.stippled) *way->stipple = sch_line_advance(&way->front->line, *way->stipple, a, b);
    }
    return true;
}

/* Twice the area of a polygon: the sum of its triangles'. */
static int64_t area_of(const struct sch_clipped *clipped)
{
    int64_t area = 0;
    for (uint32_t i = 2; i < clipped->count; i++) {
        const struct sch_corner corners[3] = {clipped->corners[0], clipped->corners[i - 1], clipped->corners[i]};
        area += sch_triangle_area(corners);
    }
    return area;
}

static bool draw_clipped(const struct way *way, const struct sch_assembled_primitive *primitive,
                         const struct sch_clipped *clipped)
{
    const struct sch_rasterizer_options *rasterizer = way->front->draw->rasterizer;
    const enum sch_polygon_face face = polygon_face(way, primitive);
    const bool of_polygon = face != SCH_POLYGON_OWN;
    if (!way->front->outlines && !of_polygon) return put_pieces(way, primitive, clipped);
    const bool back =
        of_polygon ? face == SCH_POLYGON_BACK : sch_triangle_is_back(&way->front->setup, area_of(clipped));
    const enum sch_fill fill = back ? rasterizer->fill_back : rasterizer->fill_front;
    if (rasterizer->cull_face & (uint32_t)(back ? SCH_FACE_BACK : SCH_FACE_FRONT)) return true;
    if (fill == SCH_FILL_SOLID) return put_pieces(way, primitive, clipped);
    return put_outline(way, primitive, clipped, fill, back,
                       sch_triangle_offset(&way->front->setup, clipped->corners, fill));
}

/* Edges that are boundaries and, where their flags count, begin at a vertex with its flag. */
static uint32_t boundary_edges(const struct way *way, const struct sch_assembled_primitive *primitive)
{
    const struct sch_vertices *vertices = &way->chunk->vertices;
    const struct sch_vertex_layout *layout = vertices->layout;
    uint32_t edges = primitive->edges;
    if (!way->chunk->assembled.vertex_edge_flags || layout->edge_flag == SCH_VERTEX_NONE) return edges;
    for (unsigned i = 0; i < 3; i++) {
        float flag;
        memcpy(&flag, vertices->words + (size_t)primitive->vertex[i] * layout->words + layout->edge_flag, sizeof flag);
        if (flag == 0.0f) edges &= ~(1u << i);
    }
    return edges;
}

/* FULL: no memory. */
static enum sch_clip_result clip_triangle(const struct way *way, const struct sch_assembled_primitive *primitive,
                                          uint32_t viewport, uint32_t edges, struct sch_clipped *clipped)
{
    for (;;) {
        const enum sch_clip_result result =
            sch_clip_triangle(&way->front->clip, &way->chunk->vertices, primitive->vertex, primitive->provoking,
                              viewport, edges, clipped);
        if (result != SCH_CLIP_FULL || !more_vertices(way)) return result;
    }
}

static bool draw_triangle(const struct way *way, const struct sch_assembled_primitive *primitive, uint32_t viewport)
{
    struct sch_clipped clipped;
    const uint32_t edges = way->front->outlines ? boundary_edges(way, primitive) : 0;
    if (primitive->stipple_restarts) *way->stipple = 0;
    const enum sch_clip_result result = clip_triangle(way, primitive, viewport, edges, &clipped);
    if (result == SCH_CLIP_FULL) return false;
    return result == SCH_CLIP_NOTHING || draw_clipped(way, primitive, &clipped);
}

/* ---- quadrilaterals and polygons ----
 *
 * They are drawn as triangles, but a cull distance drops all of one or nothing (OpenGL 4.6 13.7), and the face is that
 * of the whole (14.6.1), whatever the triangles' own areas are. */

/* After the last triangle of the polygon that begins with triangle `first`. */
static uint32_t polygon_end(const struct sch_assembled *assembled, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < assembled->primitive_count && !assembled->primitives[end].stipple_restarts) end++;
    return end;
}

static void mark_polygon(const struct way *way, uint32_t first, uint32_t end, enum sch_polygon_face face)
{
    memset(way->chunk->assembled.faces + first, (int)face, end - first);
}

/* Codes that some vertex of a polygon has, and those that all have. */
static void join_codes(const struct way *way, uint32_t first, uint32_t end, uint32_t *any, uint32_t *common)
{
    const struct sch_assembled_primitive *triangles = way->chunk->assembled.primitives;
    *any = 0;
    *common = UINT32_MAX;
    for (uint32_t n = first; n < end; n++)
        for (unsigned v = 0; v < 3; v++) {
            const uint32_t codes = way->chunk->vertices.codes[triangles[n].vertex[v]];
            *any |= codes;
            *common &= codes;
        }
}

/* Tests the cull distances of all polygons; their triangles have none any more. */
static void cull_polygons(const struct way *way)
{
    const struct sch_assembled *assembled = &way->chunk->assembled;
    struct sch_vertices *vertices = &way->chunk->vertices;
    uint32_t any, common;
    for (uint32_t n = 0, end; n < assembled->primitive_count; n = end) {
        end = polygon_end(assembled, n);
        join_codes(way, n, end, &any, &common);
        mark_polygon(way, n, end, common & SCH_OUTSIDE_CULL_DISTANCES ? SCH_POLYGON_CULLED : SCH_POLYGON_OWN);
    }
    vertices->any_codes &= ~(uint32_t)SCH_OUTSIDE_CULL_DISTANCES;
    vertices->culled = true;
    for (uint32_t v = 0; v < vertices->count; v++) vertices->codes[v] &= ~(uint32_t)SCH_OUTSIDE_CULL_DISTANCES;
}

/* The sum of areas of any number of triangles. */
__extension__ typedef __int128 wide;

static enum sch_polygon_face face_of(const struct way *way, wide area)
{
    return sch_triangle_is_back(&way->front->setup, (area > 0) - (area < 0)) ? SCH_POLYGON_BACK : SCH_POLYGON_FRONT;
}

/* Finds the face of a polygon in a viewport, by what clipping leaves of it. False: no memory. */
static bool find_face(const struct way *way, uint32_t first, uint32_t end, uint32_t viewport)
{
    struct sch_vertices *vertices = &way->chunk->vertices;
    wide area = 0;
    for (uint32_t n = first; n < end; n++) {
        struct sch_clipped clipped;
        const uint32_t count = vertices->count; /* the vertices that clipping makes are made again */
        const enum sch_clip_result result =
            clip_triangle(way, &way->chunk->assembled.primitives[n], viewport, 0, &clipped);
        if (result == SCH_CLIP_FULL) return false;
        if (result != SCH_CLIP_NOTHING) area += area_of(&clipped);
        vertices->count = count;
    }
    mark_polygon(way, first, end, face_of(way, area));
    return true;
}

/* The area of a triangle that is not cut. */
static int64_t whole_area(const struct way *way, const struct sch_assembled_primitive *triangle)
{
    struct sch_corner corners[3];
    for (unsigned i = 0; i < 3; i++) {
        const struct sch_window_vertex *at = &way->chunk->vertices.corners[triangle->vertex[i]];
        corners[i] = (struct sch_corner){.x = at->x, .y = at->y};
    }
    return sch_triangle_area(corners);
}

/* The face of a filled polygon in the first viewport; triangles that turn as it does are drawn by their own. */
static bool find_filled_face(const struct way *way, uint32_t first, uint32_t end)
{
    const struct sch_assembled *assembled = &way->chunk->assembled;
    uint32_t any = 0, common;
    wide area = 0;
    if (way->chunk->vertices.any_codes) join_codes(way, first, end, &any, &common);
    if (any & SCH_OUTSIDE_CUTS) return find_face(way, first, end, 0);
    for (uint32_t n = first; n < end; n++) area += whole_area(way, &assembled->primitives[n]);
    for (uint32_t n = first; n < end; n++) {
        const int64_t own = whole_area(way, &assembled->primitives[n]);
        if (own && (area < 0 ? own > 0 : own < 0 || !area)) assembled->faces[n] = (uint8_t)face_of(way, area);
    }
    return true;
}

static bool draw_polygon(const struct way *way, uint32_t first, uint32_t end, uint32_t viewport)
{
    if (!find_face(way, first, end, viewport)) return false;
    for (uint32_t n = first; n < end; n++)
        if (!draw_triangle(way, &way->chunk->assembled.primitives[n], viewport)) return false;
    return true;
}

/* ---- filled triangles ---- */

/* Whether all triangles of the chunk are filled, in the first viewport. */
static bool are_filled(const struct way *way)
{
    return way->chunk->assembled.kind == SCH_ASSEMBLED_TRIANGLE && !way->front->outlines &&
           !way->front->clip.several_viewports;
}

/* Records of triangles that need no cut. */
static bool put_whole(const struct way *way, const struct sch_assembled_primitive *triangles, uint32_t lanes,
                      const struct sch_lanes *distances)
{
    struct sch_chunk *chunk = way->chunk;
    struct sch_raster_primitive *records = next_records(way, SCH_GROUP_LANES + 1);
    if (!records) return false;
    const uint32_t count = way->front->clip.ops->setup_triangles(records, &way->front->setup, 0,
                                                                 chunk->vertices.corners, triangles, lanes, distances);
    for (uint32_t n = 0; way->front->layered && n < count; n++)
        records[n].layer = (uint16_t)sch_clip_layer(&way->front->clip, &chunk->vertices, records[n].of.provoking);
    chunk->record_count += count;
    chunk->clipped += (uint32_t)__builtin_popcount(lanes);
    return true;
}

/* Triangles that are of a polygon with a given face, or culled with it. */
static uint32_t lanes_with(const struct way *way, const struct sch_assembled_primitive *triangles, uint32_t count,
                           bool culled)
{
    uint32_t lanes = 0;
    for (uint32_t n = 0; n < count && way->chunk->assembled.polygons; n++) {
        const enum sch_polygon_face face = polygon_face(way, &triangles[n]);
        if (face != SCH_POLYGON_OWN && (face == SCH_POLYGON_CULLED) == culled) lanes |= UINT32_C(1) << n;
    }
    return lanes;
}

/* At most a group of triangles, in their order; one by one those that are cut, those that user planes go through, and
 * those that do not turn as their polygon does. */
static bool draw_filled(const struct way *way, const struct sch_assembled_primitive *triangles, uint32_t count)
{
    const struct sch_vertices *vertices = &way->chunk->vertices;
    const uint32_t turned = lanes_with(way, triangles, count, false);
    const uint32_t culled = lanes_with(way, triangles, count, true);
    const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1) & ~culled;
    struct sch_lanes distances;
    if (!vertices->any_codes && !turned && !culled) return put_whole(way, triangles, all, NULL);
    const struct sch_clip_state *clip = &way->front->clip;
    struct sch_clip_masks masks = clip->ops->clip_triangles(vertices->codes, triangles, all, &distances);
    const uint32_t alone =
        masks.whole & (turned | (clip->user_planes ? clip->ops->nonzero_u32(&distances) : UINT32_C(0)));
    masks.cut |= alone;
    masks.whole &= ~alone;
    while (masks.cut) {
        const uint32_t next = masks.cut & -masks.cut, before = masks.whole & (next - 1);
        if (before && !put_whole(way, triangles, before, &distances)) return false;
        if (!draw_triangle(way, &triangles[__builtin_ctz(next)], 0)) return false;
        masks.whole &= ~before;
        masks.cut &= ~next;
    }
    return !masks.whole || put_whole(way, triangles, masks.whole, &distances);
}

static enum sch_result draw_all_filled(const struct way *way)
{
    const struct sch_assembled *assembled = &way->chunk->assembled;
    for (uint32_t n = 0, end; assembled->polygons && n < assembled->primitive_count; n = end) {
        end = polygon_end(assembled, n);
        if (assembled->faces[n] != SCH_POLYGON_CULLED && !find_filled_face(way, n, end)) return SCH_ERROR_MEMORY;
    }
    for (uint32_t n = 0; n < assembled->primitive_count; n += SCH_GROUP_LANES) {
        const uint32_t rest = assembled->primitive_count - n;
        if (!draw_filled(way, assembled->primitives + n, rest < SCH_GROUP_LANES ? rest : SCH_GROUP_LANES))
            return SCH_ERROR_MEMORY;
    }
    return SCH_OK;
}

/* ---- a chunk ---- */

/* The primitive of the records from `first` up to `end`. */
static bool draw_in_viewport(const struct way *way, uint32_t first, uint32_t end, uint32_t viewport)
{
    const struct sch_assembled *assembled = &way->chunk->assembled;
    const struct sch_assembled_primitive *primitive = &assembled->primitives[first];
    switch (assembled->kind) {
    case SCH_ASSEMBLED_POINT:
        return draw_point(way, primitive, viewport);
    case SCH_ASSEMBLED_LINE:
        return draw_line(way, primitive, viewport);
    default:
        return assembled->polygons ? draw_polygon(way, first, end, viewport) : draw_triangle(way, primitive, viewport);
    }
}

enum sch_result sch_front_run(const struct sch_front *front, struct sch_chunk *chunk, struct sch_scratch *scratch,
                              uint32_t *stipple)
{
    const struct way way = {front, chunk, scratch, stipple};
    chunk->record_count = 0;
    chunk->clipped = 0;
    sch_clip_vertices(&front->clip, &chunk->vertices);
    if (chunk->assembled.polygons) mark_polygon(&way, 0, chunk->assembled.primitive_count, SCH_POLYGON_OWN);
    if (chunk->assembled.polygons && front->clip.cull_distances) cull_polygons(&way);
    if (are_filled(&way)) return draw_all_filled(&way);
    for (uint32_t n = 0, end; n < chunk->assembled.primitive_count; n = end) {
        const struct sch_assembled_primitive *primitive = &chunk->assembled.primitives[n];
        uint32_t viewports = sch_clip_viewports(&front->clip, &chunk->vertices, primitive->provoking);
        end = chunk->assembled.polygons ? polygon_end(&chunk->assembled, n) : n + 1;
        if (polygon_face(&way, primitive) == SCH_POLYGON_CULLED) continue;
        for (; viewports; viewports &= viewports - 1)
            if (!draw_in_viewport(&way, n, end, (uint32_t)__builtin_ctz(viewports))) return SCH_ERROR_MEMORY;
    }
    return SCH_OK;
}
