/* A scene of the test of whole pipelines: the shaders, state, vertices and draws that both sides are given, and what
 * they answer. State is the library's own; scene_gl.c says it in OpenGL's words. Rows of memory are rows of OpenGL's
 * windows, from y = 0 on. Knows nothing of how either side draws. */
#ifndef SCH_TESTS_SCENE_H
#define SCH_TESTS_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scheelite/scheelite.h"

enum {
    SCENE_SIDE = 64,
    SCENE_PIXELS = SCENE_SIDE * SCENE_SIDE,
    SCENE_VERTICES = 8192,
    SCENE_INDICES = 256,
    SCENE_INSTANCES = 8,
    SCENE_TARGETS = 4,
    SCENE_LAYERS = 4,
    SCENE_SAMPLES = 4,
    SCENE_VIEWPORTS = 4,
    SCENE_DRAWS = 2,
    SCENE_STAGES = 5,
    SCENE_CAPTURED = 16384, /* floats */
    SCENE_TEXT = 4096       /* bytes of a shader */
};

/* What a format's components are; codes of normalised ones are whole numbers. */
enum scene_kind { SCENE_UNORM, SCENE_SRGB, SCENE_FLOAT, SCENE_UINT, SCENE_SINT };

struct scene_format {
    const char *name;
    enum sch_format format;
    uint32_t internal, transfer, type; /* OpenGL's */
    unsigned bytes;
    enum scene_kind kind;
    unsigned bits[4]; /* of red, green, blue, alpha; 0: it has none */
    bool reversed;    /* the first component is in the highest bits */
};
extern const struct scene_format scene_colors[], scene_depths[];
enum scene_color_index {
    COLOR_RGBA8,
    COLOR_SRGB8,
    COLOR_RGBA32F,
    COLOR_RGBA16F,
    COLOR_R32F,
    COLOR_RG16,
    COLOR_R8,
    COLOR_RGB10A2,
    COLOR_RGB565,
    COLOR_RG16F,
    COLOR_RGBA8UI,
    COLOR_R32UI,
    COLOR_RGBA16I,
    COLOR_RGB10A2UI,
    SCENE_COLOR_FORMATS
};
enum scene_depth_index { DEPTH_24_8, DEPTH_16, DEPTH_32F, DEPTH_32F_8, SCENE_DEPTH_FORMATS };

/* One meaning in both languages. $0 is the qualifier of what goes to the fragment shader, $1 the mode of interpolation;
 * $2 and $3 are the scene's words for OpenGL and for TGSI, $4 is scene.primitive_shift. */
struct scene_text {
    const char *name, *glsl, *tgsi;
};
/* Shaders, by enum sch_stage of the rows. */
enum scene_vertex_text { VERTEX_PLAIN, VERTEX_SIZE, VERTEX_CLIP, VERTEX_NUMBERS };
enum scene_geometry_text {
    GEOMETRY_LINES,
    GEOMETRY_TRIANGLES,
    GEOMETRY_LINES_ADJACENCY,
    GEOMETRY_TRIANGLES_ADJACENCY,
    GEOMETRY_SQUARES,
    GEOMETRY_OUTLINES,
    GEOMETRY_LAYERS,
    GEOMETRY_VIEWPORTS,
    GEOMETRY_INVOCATIONS
};
enum scene_control_text { CONTROL_TRIANGLES, CONTROL_QUADS };
enum scene_evaluation_text { EVALUATION_TRIANGLES, EVALUATION_QUADS };
enum scene_fragment_text {
    FRAGMENT_COLOR,
    FRAGMENT_BOTH,
    FRAGMENT_FACE,
    FRAGMENT_DISCARD,
    FRAGMENT_DEPTH,
    FRAGMENT_MASK,
    FRAGMENT_SAMPLE,
    FRAGMENT_DUAL,
    FRAGMENT_SEVERAL,
    FRAGMENT_PRIMITIVE,
    FRAGMENT_POINT,
    FRAGMENT_UINT,
    FRAGMENT_SINT,
    FRAGMENT_ALPHA,
    FRAGMENT_LAYER,
    FRAGMENT_PLACE
};
extern const struct scene_text scene_vertex[], scene_geometry[], scene_control[], scene_evaluation[], scene_fragment[];

enum scene_interpolation { INTERPOLATE_SMOOTH, INTERPOLATE_FLAT, INTERPOLATE_LINEAR };
enum scene_location { LOCATION_CENTER, LOCATION_CENTROID, LOCATION_SAMPLE };

struct scene_corner {
    float at[4], color[4], extra[4];
};
struct scene_window {
    float x, y, width, height, near, far;
};

struct scene {
    uint32_t number;
    const char *family;

    const struct scene_text *texts[SCENE_STAGES]; /* by enum sch_stage */
    enum scene_interpolation interpolation;
    enum scene_location location;
    char words[2][160]; /* $2, $3 */

    struct sch_rasterizer_options rasterizer;
    struct sch_depth_stencil_alpha_options tests;
    struct sch_blend_options blend;
    struct sch_dynamic_state dynamic; /* but its viewports: */
    struct scene_window windows[SCENE_VIEWPORTS];

    uint32_t samples, layers; /* layers 0: no array */
    uint32_t target_count;
    const struct scene_format *targets[SCENE_TARGETS], *depth; /* NULL: none */
    uint64_t background;                                       /* of what the targets hold before the draws */
    bool uniform;                                              /* the same everywhere, as of multisampled scenes */

    uint32_t vertex_count, index_count;
    struct scene_corner vertices[SCENE_VERTICES];
    float instances[SCENE_INSTANCES][4];
    uint32_t divisor;
    uint32_t indices[SCENE_INDICES];
    uint32_t draw_count;
    struct sch_draw draws[SCENE_DRAWS]; /* without memory of indices */

    unsigned primitive_shift; /* PRIM_ID is shifted to the right: 0, 1: by one, 2: by 31. Of models alone */
    bool capture;             /* GENERIC[0] and [1] and the position of what leaves the last stage */
    uint32_t capture_floats;  /* the buffer's room */
    unsigned slack;           /* how many times a pixel may be blended */
};

/* Counted by queries. */
enum scene_count { COUNT_SAMPLES, COUNT_GENERATED, COUNT_WRITTEN, SCENE_COUNTS };

/* What a side drew: codes of normalised formats, else values. */
struct scene_answer {
    double color[SCENE_TARGETS][SCENE_LAYERS][SCENE_SAMPLES][SCENE_PIXELS][4];
    double depth[SCENE_LAYERS][SCENE_SAMPLES][SCENE_PIXELS];
    uint8_t stencil[SCENE_LAYERS][SCENE_SAMPLES][SCENE_PIXELS];
    float captured[SCENE_CAPTURED];
    uint64_t counts[SCENE_COUNTS];
};

/* scene_make.c: scene `number`, the same in every run. */
enum { SCENE_FAMILIES = 21 };
void scene_make(uint32_t number, struct scene *scene);
const char *scene_family(uint32_t number);
/* What a texel of a target or of depth and stencil (`target` SCENE_TARGETS) holds before the draws; of multisampled
 * scenes the same everywhere. */
void scene_background(const struct scene *scene, unsigned target, uint32_t layer, uint32_t pixel, uint8_t texel[16]);

/* scene_text.c */
void scene_text(const struct scene *scene, enum sch_stage stage, bool glsl, char text[SCENE_TEXT]);
/* Components of a texel as in struct scene_answer; of depth value[0] is the depth, value[1] the stencil. */
void scene_decode(const struct scene_format *format, const uint8_t *texel, double value[4]);
/* How many vertices a captured primitive has. */
unsigned scene_captured_corners(const struct scene *scene);
bool scene_is_depth(const struct scene_format *format);

/* scene_ours.c. Draws go wrong only where the scene is: the test ends. */
void scene_draw_ours(const struct scene *scene, struct scene_answer *answer);

/* scene_gl.c. False: the driver or what it needs is not there; `why` says what. */
bool scene_gl_open(const char *driver, char *why, size_t room);
/* What the driver does not have of a scene; NULL: it can draw it. */
const char *scene_gl_lacks(const struct scene *scene);
/* False: it refuses, which is a mistake of the test. */
bool scene_draw_gl(const struct scene *scene, struct scene_answer *answer);
void scene_gl_close(void);

#endif
