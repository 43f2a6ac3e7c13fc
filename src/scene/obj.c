/* OBJ files (Wavefront): positions, texture coordinates, normals and polygons, as triangles with indices. What else
 * they have (groups, materials, curves) is passed over. Corners that are the same in all three become one vertex. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "data.h"

enum { POSITION, TEXCOORD, NORMAL, LISTS, LINE_SHOWN = 160, VERTEX_BYTES = 32, MOST_VERTICES = 1 << 24 };

/* A corner of a polygon: entries of the three lists, UINT32_MAX: none. */
struct corner {
    uint32_t entry[LISTS];
};

struct obj {
    struct sch_scene_text *text;
    const char *path;
    struct sch_scene_place place;          /* of the path in the scene */
    struct sch_cursor cursor;              /* its word is what is read next, or where an error is */
    const char *begin;                     /* of the file */
    struct sch_scene_growing lists[LISTS]; /* three floats each */
    struct sch_scene_growing face;         /* corners of the polygon */
    struct sch_scene_growing vertices, indices;
    struct sch_scene_growing corners; /* of the triangles */
};

static uint32_t count_of(const struct obj *obj, unsigned list)
{
    return (uint32_t)(obj->lists[list].bytes / (3 * sizeof(float)));
}

static uint32_t vertex_count(const struct obj *obj) { return (uint32_t)(obj->vertices.bytes / VERTEX_BYTES); }

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static bool refuse(struct obj *obj, const char *format, ...)
{
    char message[200], shown[LINE_SHOWN + 1];
    struct sch_scene_text *text = obj->text;
    const struct sch_cursor *cursor = &obj->cursor;
    va_list arguments;
    if (text->wrong) return false;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const uint32_t before = (uint32_t)(cursor->word - cursor->line);
    const char *from = before < LINE_SHOWN / 2 ? cursor->line : cursor->word - LINE_SHOWN / 2;
    const char *stop = memchr(cursor->word, '\n', (size_t)(cursor->end - cursor->word));
    const ptrdiff_t left = (stop ? stop : cursor->end) - from;
    snprintf(shown, sizeof shown, "%.*s", (int)(left < LINE_SHOWN ? left : LINE_SHOWN), from);
    text->wrong = true;
    if (text->scene->errors++ >= SCH_SCENE_ERRORS) return false;
    const struct sch_diagnostic_info info = {.size = sizeof info,
                                             .severity = SCH_SEVERITY_ERROR,
                                             .code = sch_error_number("SCENE_MESH"),
                                             .line = cursor->number,
                                             .column = before + 1,
                                             .offset = (uint64_t)(cursor->word - obj->begin),
                                             .source = obj->path,
                                             .message = message,
                                             .line_text = shown,
                                             .caret = (uint32_t)(cursor->word - from)};
    text->host->report(text->host->user, &info);
    return false;
}

/* ---- words of a line --------------------------------------------------------------------------------------------- */

/* `least` numbers at least, the others are 0. */
static bool read_entry(struct obj *obj, unsigned list, unsigned least)
{
    float values[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        struct sch_scene_number number;
        if (!sch_cursor_next(&obj->cursor) && i >= least) break;
        if (!sch_scene_parse_number(obj->cursor.word, obj->cursor.bytes, &number))
            return refuse(obj, "expected a number");
        values[i] = number.single;
    }
    return sch_scene_put(obj->text, &obj->lists[list], values, sizeof values);
}

/* An index of a list from 1 on, or from its end with a minus. */
static bool read_index(struct obj *obj, const char *end, unsigned list, uint32_t *entry)
{
    struct sch_scene_number number;
    const uint32_t count = count_of(obj, list);
    const char *slash = memchr(obj->cursor.word, '/', (size_t)(end - obj->cursor.word));
    const size_t bytes = (size_t)((slash ? slash : end) - obj->cursor.word);
    *entry = UINT32_MAX;
    if (!bytes && list != POSITION) return true;
    if (!sch_scene_parse_number(obj->cursor.word, bytes, &number) || !number.whole)
        return refuse(obj, "expected an index");
    const uint64_t wanted = *obj->cursor.word == '-' ? count + number.integer : number.integer - 1;
    if (wanted >= count) return refuse(obj, "there are %u entries before this line", count);
    *entry = (uint32_t)wanted;
    obj->cursor.word += bytes;
    return true;
}

/* v, v/t, v//n or v/t/n */
static bool read_corner(struct obj *obj)
{
    struct corner corner = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    const char *end = obj->cursor.word + obj->cursor.bytes;
    if (!read_index(obj, end, POSITION, &corner.entry[POSITION])) return false;
    for (unsigned list = TEXCOORD; list <= NORMAL && obj->cursor.word < end; list++) {
        if (*obj->cursor.word++ != '/') return refuse(obj, "expected / between the indices of a corner");
        if (!read_index(obj, end, list, &corner.entry[list])) return false;
    }
    if (obj->cursor.word < end) return refuse(obj, "a corner has at most three indices");
    return sch_scene_put(obj->text, &obj->face, &corner, sizeof corner);
}

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

static void read_list(const struct obj *obj, unsigned list, uint32_t entry, float value[3])
{
    memset(value, 0, 3 * sizeof *value);
    if (entry != UINT32_MAX) memcpy(value, obj->lists[list].data + (size_t)entry * 12, 12);
}

/* Position, normal, texture coordinate. The first row of a texture is its top, OBJ's is the bottom. */
static bool put_vertex(struct obj *obj, const struct corner *corner)
{
    float values[8], texcoord[3];
    read_list(obj, POSITION, corner->entry[POSITION], values);
    read_list(obj, NORMAL, corner->entry[NORMAL], values + 3);
    read_list(obj, TEXCOORD, corner->entry[TEXCOORD], texcoord);
    values[6] = texcoord[0];
    values[7] = corner->entry[TEXCOORD] == UINT32_MAX ? 0 : 1 - texcoord[1];
    return sch_scene_put(obj->text, &obj->vertices, values, sizeof values);
}

static struct corner corner_at(const struct obj *obj, uint32_t number)
{
    struct corner corner;
    memcpy(&corner, obj->corners.data + number * sizeof corner, sizeof corner);
    return corner;
}

/* Equal corners in the order of the file. */
static int compare_corners(const void *a, const void *b, void *user)
{
    const struct obj *obj = user;
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    const struct corner first = corner_at(obj, x), second = corner_at(obj, y);
    const int order = memcmp(&first, &second, sizeof first);
    return order ? order : x < y ? -1 : x > y;
}

/* The first corner of the file that is the same, for each of them; free it. NULL: there is no memory. Sorting takes no
 * longer for one file than for another, which a table of hashes would. */
static uint32_t *find_first_corners(struct obj *obj, uint32_t count)
{
    uint32_t *sorted = malloc(2 * (size_t)count * sizeof *sorted), *first = sorted ? sorted + count : NULL;
    if (!sorted) return NULL;
    for (uint32_t i = 0; i < count; i++) sorted[i] = i;
    qsort_r(sorted, count, sizeof *sorted, compare_corners, obj);
    for (uint32_t i = 0, begin = 0; i < count; i++) {
        const struct corner corner = corner_at(obj, sorted[i]), of_first = corner_at(obj, sorted[begin]);
        if (memcmp(&corner, &of_first, sizeof corner) != 0) begin = i;
        first[sorted[i]] = sorted[begin];
    }
    memcpy(sorted, first, count * sizeof *first);
    return sorted;
}

/* Corners become vertices in the order of the file, equal ones one, and indices. */
static bool make_vertices(struct obj *obj)
{
    const uint32_t count = (uint32_t)(obj->corners.bytes / sizeof(struct corner));
    uint32_t made = 0, *numbers = count ? find_first_corners(obj, count) : NULL;
    bool good = numbers || !count;
    if (!good) obj->text->scene->no_memory = obj->text->wrong = true;
    for (uint32_t i = 0; i < count && good; i++) {
        const struct corner corner = corner_at(obj, i);
        const bool is_new = numbers[i] == i;
        if (is_new && made == MOST_VERTICES) good = refuse(obj, "a mesh has at most %d vertices", MOST_VERTICES);
        if (is_new && good) good = put_vertex(obj, &corner);
        numbers[i] = is_new ? made++ : numbers[numbers[i]]; /* the first one has its vertex by now */
        good = good && sch_scene_put(obj->text, &obj->indices, &numbers[i], sizeof *numbers);
    }
    free(numbers);
    return good;
}

static bool put_corner(struct obj *obj, uint32_t number)
{
    struct corner corner;
    memcpy(&corner, obj->face.data + number * sizeof corner, sizeof corner);
    return sch_scene_put(obj->text, &obj->corners, &corner, sizeof corner);
}

/* For a polygon without normals, by Newell's sum: one normal for those of its corners that have none. */
static bool complete_normals(struct obj *obj, uint32_t count)
{
    double sum[3] = {0};
    struct corner *corners = (struct corner *)(void *)obj->face.data;
    bool missing = false;
    for (uint32_t i = 0; i < count; i++) {
        float a[3], b[3];
        read_list(obj, POSITION, corners[i].entry[POSITION], a);
        read_list(obj, POSITION, corners[(i + 1) % count].entry[POSITION], b);
        for (unsigned k = 0; k < 3; k++) {
            const unsigned l = (k + 1) % 3, m = (k + 2) % 3;
            sum[k] += ((double)a[l] - b[l]) * ((double)a[m] + b[m]);
        }
        missing |= corners[i].entry[NORMAL] == UINT32_MAX;
    }
    if (!missing) return true;
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    float normal[3] = {0};
    for (unsigned k = 0; k < 3 && length > 0; k++) normal[k] = (float)(sum[k] / length);
    for (uint32_t i = 0; i < count; i++)
        if (corners[i].entry[NORMAL] == UINT32_MAX) corners[i].entry[NORMAL] = count_of(obj, NORMAL);
    return sch_scene_put(obj->text, &obj->lists[NORMAL], normal, sizeof normal);
}

static bool read_face(struct obj *obj)
{
    uint32_t count = 0;
    obj->face.bytes = 0;
    for (; sch_cursor_next(&obj->cursor); count++)
        if (!read_corner(obj)) return false;
    if (count < 3) return refuse(obj, "a polygon has at least three corners");
    if (!complete_normals(obj, count)) return false;
    for (uint32_t i = 2; i < count; i++)
        if (!put_corner(obj, 0) || !put_corner(obj, i - 1) || !put_corner(obj, i)) return false;
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void read_line(struct obj *obj)
{
    if (!sch_cursor_next(&obj->cursor)) return;
    if (sch_cursor_is(&obj->cursor, "v"))
        read_entry(obj, POSITION, 3);
    else if (sch_cursor_is(&obj->cursor, "vt"))
        read_entry(obj, TEXCOORD, 1);
    else if (sch_cursor_is(&obj->cursor, "vn"))
        read_entry(obj, NORMAL, 3);
    else if (sch_cursor_is(&obj->cursor, "f"))
        read_face(obj);
}

static void keep_mesh(struct obj *obj, struct sch_scene_mesh *mesh)
{
    static const enum sch_format formats[] = {SCH_FORMAT_R32G32B32_FLOAT, SCH_FORMAT_R32G32B32_FLOAT,
                                              SCH_FORMAT_R32G32_FLOAT};
    struct sch_scene_bytes indices;
    mesh->attribute_count = 3;
    mesh->stride = VERTEX_BYTES;
    for (uint32_t i = 0; i < 3; i++)
        mesh->attributes[i] =
            (struct sch_vertex_element){.format = formats[i], .offset = 12 * i, .stride = VERTEX_BYTES};
    mesh->vertex_count = vertex_count(obj);
    sch_scene_keep(obj->text, &obj->vertices, &mesh->vertices);
    sch_scene_keep(obj->text, &obj->indices, &indices);
    mesh->indices = (uint32_t *)(void *)indices.data; /* the scene's memory is aligned for them */
    mesh->index_count = (uint32_t)(indices.bytes / 4);
}

void sch_scene_read_obj(struct sch_scene_text *text, struct sch_scene_mesh *mesh)
{
    struct obj obj = {.text = text, .place = text->token.place};
    struct sch_scene_bytes file;
    if (!sch_scene_read_text(text, &obj.path, &file)) return;
    const size_t bytes = strlen(obj.path);
    const char *ending = bytes > 5 ? obj.path + bytes - 5 : "";
    if (strcmp(ending, ".gltf") == 0 || (bytes > 4 && strcmp(obj.path + bytes - 4, ".glb") == 0)) {
        sch_scene_refuse_at(text, &obj.place, "SCENE_FILE", "%s: meshes are read from OBJ files, not from glTF",
                            obj.path);
        return;
    }
    obj.begin = (const char *)file.data;
    obj.cursor = sch_cursor_begin(obj.begin, file.bytes);
    do read_line(&obj);
    while (!text->wrong && sch_cursor_next_line(&obj.cursor));
    if (!text->wrong && make_vertices(&obj) && !vertex_count(&obj))
        sch_scene_refuse_at(text, &obj.place, "SCENE_FILE", "%s has no polygons", obj.path);
    keep_mesh(&obj, mesh);
    for (unsigned list = 0; list < LISTS; list++) free(obj.lists[list].data);
    free(obj.face.data);
    free(obj.corners.data);
}
