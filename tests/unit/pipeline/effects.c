/* See effects.h. */
#include "effects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

const double effect_window[4] = {0, 0, EFFECT_SIDE, EFFECT_SIDE};

void effect_begin(struct draw_scene *scene, uint32_t samples, enum sch_format depth)
{
    draw_begin(scene, EFFECT_SIDE, EFFECT_SIDE, samples, SCH_FORMAT_R32G32B32A32_UINT, depth);
}

void effect_rectangle(struct effect_vertex vertices[4], const double box[4], float z, float w)
{
    for (unsigned i = 0; i < 4; i++) {
        const float position[4] = {draw_at(box[i & 1 ? 2 : 0], EFFECT_SIDE) * w,
                                   draw_at(box[i & 2 ? 3 : 1], EFFECT_SIDE) * w, z * w, w};
        memcpy(vertices[i].position, position, sizeof position);
    }
}

void effect_draw(struct draw_scene *scene, const char *vertex, const char *fragment, enum sch_primitive primitive,
                 const struct effect_vertex *vertices, uint32_t count)
{
    static const float nothing[4] = {0, 0, 0, 0};
    struct sch_resource *depth = scene->depth;
    scene->depth = NULL; /* only colours are cleared */
    draw_clear(scene, nothing, 0, 0);
    scene->depth = depth;
    scene->vertex = vertex;
    scene->fragment = fragment;
    draw_vertices(scene, vertices[0].position, count, 3);
    draw(scene, primitive, count);
}

void effect_fill(struct draw_scene *scene, const char *vertex, const char *fragment)
{
    static const float values[4] = {0.25f, -3, 7, 1.5f};
    struct effect_vertex vertices[4];
    effect_rectangle(vertices, effect_window, 0.5f, 1);
    for (unsigned i = 0; i < 4; i++) {
        memcpy(vertices[i].a, values, sizeof values);
        memcpy(vertices[i].b, values, sizeof values);
    }
    effect_draw(scene, vertex, fragment, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
}

void effect_words(const struct draw_scene *scene, uint32_t x, uint32_t y, uint32_t r, uint32_t g, uint32_t b,
                  uint32_t a)
{
    uint32_t word[4];
    const uint32_t expected[4] = {r, g, b, a};
    draw_read(scene, scene->color, x, y, 0, word);
    for (unsigned c = 0; c < 4; c++)
        if (word[c] != expected[c])
            fail_msg("pixel (%u, %u).%c: 0x%x, expected 0x%x\n%s%s", x, y, "xyzw"[c], word[c], expected[c],
                     scene -> vertex, scene -> fragment ? scene -> fragment : "");
}

void effect_floats(const struct draw_scene *scene, uint32_t x, uint32_t y, float r, float g, float b, float a)
{
    effect_words(scene, x, y, api_bits(r), api_bits(g), api_bits(b), api_bits(a));
}

uint32_t effect_count(const struct draw_scene *scene)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < EFFECT_SIDE; y++)
        for (uint32_t x = 0; x < EFFECT_SIDE; x++) count += draw_pixel(scene, x, y) != 0;
    return count;
}

void effect_use_layers(struct draw_scene *scene)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D_ARRAY,
                                                 .format = SCH_FORMAT_R32G32B32A32_UINT,
                                                 .width = EFFECT_SIDE,
                                                 .height = EFFECT_SIDE,
                                                 .layers = EFFECT_LAYERS};
    struct sch_framebuffer_options framebuffer = {.size = sizeof framebuffer};
    sch_framebuffer_destroy(scene->framebuffer);
    sch_resource_destroy(scene->color);
    assert_int_equal(sch_resource_create(scene->context, &options, NULL, &scene->color), SCH_OK);
    assert_int_equal(sch_surface_create(scene->color, NULL, NULL, &framebuffer.colors[0]), SCH_OK);
    assert_int_equal(sch_framebuffer_create(scene->context, &framebuffer, NULL, &scene->framebuffer), SCH_OK);
    sch_surface_destroy(framebuffer.colors[0]);
}

void effect_read_layer(const struct draw_scene *scene, uint32_t x, uint32_t y, uint32_t layer, uint32_t word[4])
{
    const struct sch_transfer transfer = {.size = sizeof transfer,
                                          .box = {(int32_t)x, (int32_t)y, (int32_t)layer, 1, 1, 1}};
    assert_int_equal(sch_resource_read(scene->color, &transfer, word, 4 * sizeof *word, NULL), SCH_OK);
}

void effect_use_viewports(struct draw_scene *scene)
{
    scene->dynamic.viewport_count = 2;
    scene->dynamic.viewports[1] = scene->dynamic.viewports[0];
    scene->dynamic.viewports[0].scale[0] = scene->dynamic.viewports[1].scale[0] = (float)EFFECT_SIDE / 4;
    scene->dynamic.viewports[0].translate[0] = (float)EFFECT_SIDE / 4;
    scene->dynamic.viewports[1].translate[0] = (float)EFFECT_SIDE * 3 / 4;
}
