/* Tests of what one semantic or property does in a draw: a small window whose pixels hold the words that the fragment
 * shader wrote. */
#ifndef TESTS_EFFECTS_H
#define TESTS_EFFECTS_H

#include "../support/draw_support.h"

enum { EFFECT_SIDE = 16, EFFECT_LAYERS = 4 };

/* IN[0], IN[1], IN[2]. */
struct effect_vertex {
    float position[4], a[4], b[4];
};

/* A scene of EFFECT_SIDE x EFFECT_SIDE pixels of four unsigned words. */
void effect_begin(struct draw_scene *scene, uint32_t samples, enum sch_format depth);

/* Four vertices of a strip over the pixels left..right, top..bottom: clip-space positions with this depth and w. What a
 * and b are stays. */
void effect_rectangle(struct effect_vertex vertices[4], const double box[4], float z, float w);
extern const double effect_window[4]; /* all pixels */

/* Clears the colours to 0 and draws. */
void effect_draw(struct draw_scene *scene, const char *vertex, const char *fragment, enum sch_primitive primitive,
                 const struct effect_vertex *vertices, uint32_t count);
/* Draws a rectangle over the whole window with IN[1] = IN[2] = (0.25, -3, 7, 1.5). */
void effect_fill(struct draw_scene *scene, const char *vertex, const char *fragment);

/* The pixel's words; the test fails where they differ. */
void effect_words(const struct draw_scene *scene, uint32_t x, uint32_t y, uint32_t r, uint32_t g, uint32_t b,
                  uint32_t a);
void effect_floats(const struct draw_scene *scene, uint32_t x, uint32_t y, float r, float g, float b, float a);
/* How many pixels are not 0. */
uint32_t effect_count(const struct draw_scene *scene);

/* Puts an array of EFFECT_LAYERS layers in the place of the scene's colours, and the words of one of its pixels. */
void effect_use_layers(struct draw_scene *scene);
void effect_read_layer(const struct draw_scene *scene, uint32_t x, uint32_t y, uint32_t layer, uint32_t word[4]);
/* Viewport 0 is the left half of the window, viewport 1 the right one. */
void effect_use_viewports(struct draw_scene *scene);

/* A vertex shader that passes IN[0] as the position, and IN[1] as a semantic. */
#define EFFECT_PASS(semantic)                                                                                          \
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], " semantic                                          \
    "\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n"
#define EFFECT_POSITION "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n"
/* Fragment shaders that write what they read of a declaration: "IN[0], FACE, CONSTANT"; or 1 everywhere. */
#define EFFECT_SHOW(file, declaration)                                                                                 \
    "FRAG\nDCL " file "[0], " declaration "\nDCL OUT[0], COLOR\nMOV OUT[0], " file "[0]\nEND\n"
#define EFFECT_ONE "FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 0, 0, 0}\nMOV OUT[0], IMM[0].xxxx\nEND\n"

#endif
