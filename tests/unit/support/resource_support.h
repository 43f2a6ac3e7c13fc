/* What the tests of resources, lookups and samplers share: contexts, one shape of every target, views of them. */
#ifndef RESOURCE_SUPPORT_H
#define RESOURCE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <scheelite/scheelite.h>

#include "api/api.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t random_state __attribute__((unused)) = 1;
__attribute__((unused)) static uint32_t random_word(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

/* A context whose memory limit is `limit`; 0: the default. */
__attribute__((unused)) static struct sch_context *make_context(size_t limit, const struct sch_allocator *memory)
{
    struct sch_limit_options limits = {
        .size = sizeof limits, .memory = limit, .context_memory = limit > (size_t)1 << 30 ? SIZE_MAX : 0};
    struct sch_context_options options = {.size = sizeof options, .limits = &limits, .memory = memory};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

__attribute__((unused)) static int format(const char *name)
{
    int number = sch_format_by_name(name);
    assert_true(number > 0);
    return number;
}

struct shape {
    int target;
    uint32_t width, height, depth, layers, levels, samples;
};

__attribute__((unused)) static struct sch_resource_options options_of(const struct shape *shape, int its_format)
{
    return (struct sch_resource_options){.size = sizeof(struct sch_resource_options),
                                         .target = (enum sch_target)shape->target,
                                         .format = its_format,
                                         .width = shape->width,
                                         .height = shape->height,
                                         .depth = shape->depth,
                                         .layers = shape->layers,
                                         .levels = shape->levels,
                                         .samples = shape->samples};
}

__attribute__((unused)) static struct sch_resource *make(struct sch_context *context, const struct shape *shape,
                                                         int its_format)
{
    struct sch_resource_options options = options_of(shape, its_format);
    struct sch_resource *resource = NULL;
    assert_int_equal(sch_resource_create(context, &options, NULL, &resource), SCH_OK);
    assert_non_null(resource);
    return resource;
}

/* One of each target, with odd sizes; cubes are square. */
static const struct shape shapes[] __attribute__((unused)) = {
    {SCH_TARGET_BUFFER, 37, 1, 1, 1, 1, 1},     {SCH_TARGET_1D, 13, 1, 1, 1, 4, 1},
    {SCH_TARGET_2D, 5, 9, 1, 1, 4, 1},          {SCH_TARGET_3D, 3, 6, 11, 1, 4, 1},
    {SCH_TARGET_CUBE, 7, 7, 1, 6, 3, 1},        {SCH_TARGET_RECT, 5, 3, 1, 1, 1, 1},
    {SCH_TARGET_1D_ARRAY, 9, 1, 1, 5, 3, 1},    {SCH_TARGET_2D_ARRAY, 6, 5, 1, 13, 2, 1},
    {SCH_TARGET_2D_MSAA, 3, 5, 1, 1, 1, 8},     {SCH_TARGET_2D_ARRAY_MSAA, 4, 3, 1, 7, 1, 4},
    {SCH_TARGET_CUBE_ARRAY, 5, 5, 1, 18, 3, 1},
};

__attribute__((unused)) static uint32_t halved(uint32_t size, uint32_t level)
{
    return size >> level > 1 ? size >> level : 1;
}

__attribute__((unused)) static size_t slices_of(const struct shape *shape, uint32_t level)
{
    return (size_t)halved(shape->depth, level) * shape->layers * shape->samples;
}

/* Where slice `slice` (layer * samples + sample, or slice of a 3-D level) of a level begins. */
__attribute__((unused)) static size_t place_of(const struct shape *shape, uint32_t level, size_t slice,
                                               uint32_t block_width, size_t block_bytes)
{
    size_t at = 0;
    for (uint32_t i = 0; i <= level; i++) {
        size_t row = (halved(shape->width, i) + block_width - 1) / block_width * block_bytes;
        at += (i < level ? slices_of(shape, i) : slice) * row * halved(shape->height, i);
    }
    return at;
}

enum { BUFFER, D1, D2, D3, CUBE, RECT, D1_ARRAY, D2_ARRAY, MSAA, MSAA_ARRAY, CUBE_ARRAY }; /* shapes[] */

/* Ranges and targets of views of those shapes, and what of the resource each shows. */
struct view_case {
    size_t shape; /* of shapes[] */
    int target;   /* -1: the resource's */
    uint32_t first_level, level_count, first_layer, layer_count, first_element, element_count;
    uint32_t levels, layers; /* expected; 0 levels: ARGUMENT */
};

static const struct view_case view_cases[] __attribute__((unused)) = {
    {BUFFER, -1, 0, 0, 0, 0, 0, 0, 1, 1},
    {BUFFER, -1, 0, 0, 0, 0, 36, 0, 1, 1},
    {BUFFER, -1, 0, 1, 0, 1, 5, 32, 1, 1},
    {BUFFER, -1, 0, 0, 0, 0, 37, 0, 0, 0},
    {BUFFER, -1, 0, 0, 0, 0, 5, 33, 0, 0},
    {BUFFER, -1, 0, 0, 0, 0, 5, UINT32_MAX, 0, 0},
    {BUFFER, -1, 0, 0, 0, 0, UINT32_MAX, 2, 0, 0},
    {BUFFER, SCH_TARGET_1D, 0, 0, 0, 0, 0, 0, 0, 0},
    {D1, -1, 1, 2, 0, 0, 0, 0, 2, 1},
    {D1, SCH_TARGET_1D_ARRAY, 3, 0, 0, 0, 0, 0, 1, 1},
    {D1, -1, 4, 0, 0, 0, 0, 0, 0, 0},
    {D1, -1, 1, 4, 0, 0, 0, 0, 0, 0},
    {D1, -1, 1, UINT32_MAX, 0, 0, 0, 0, 0, 0},
    {D1, -1, 0, 0, 1, 0, 0, 0, 0, 0},
    {D1, -1, 0, 0, 0, 0, 1, 0, 0, 0},
    {D1, SCH_TARGET_2D, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, -1, 0, 0, 0, 0, 0, 0, 4, 1},
    {D2, SCH_TARGET_RECT, 2, 0, 0, 0, 0, 0, 1, 1},
    {D2, SCH_TARGET_RECT, 0, 2, 0, 0, 0, 0, 0, 0},
    {D2, SCH_TARGET_2D_ARRAY, 1, 0, 0, 1, 0, 0, 3, 1},
    {D2, SCH_TARGET_CUBE, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, SCH_TARGET_3D, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, SCH_TARGET_2D_MSAA, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, 7 /* SHADOW2D */, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, 18 /* UNKNOWN */, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, 258, 0, 0, 0, 0, 0, 0, 0, 0},
    {D3, -1, 2, 2, 0, 0, 0, 0, 2, 1},
    {D3, -1, 0, 0, 1, 1, 0, 0, 0, 0},
    {D3, -1, 0, 0, 0, 2, 0, 0, 0, 0},
    {CUBE, -1, 0, 0, 0, 0, 0, 0, 3, 6},
    {CUBE, -1, 1, 1, 0, 6, 0, 0, 1, 6},
    {CUBE, -1, 0, 0, 0, 5, 0, 0, 0, 0},
    {CUBE, -1, 0, 0, 1, 0, 0, 0, 0, 0},
    {CUBE, SCH_TARGET_2D, 0, 0, 4, 0, 0, 0, 3, 1},
    {CUBE, SCH_TARGET_2D_ARRAY, 0, 0, 2, 0, 0, 0, 3, 4},
    {CUBE, SCH_TARGET_CUBE_ARRAY, 0, 0, 0, 0, 0, 0, 3, 6},
    {RECT, SCH_TARGET_2D, 0, 0, 0, 0, 0, 0, 1, 1},
    {D1_ARRAY, -1, 1, 0, 2, 2, 0, 0, 2, 2},
    {D1_ARRAY, SCH_TARGET_1D, 0, 0, 3, 0, 0, 0, 3, 1},
    {D1_ARRAY, SCH_TARGET_1D, 0, 0, 3, 2, 0, 0, 0, 0},
    {D1_ARRAY, -1, 0, 0, 5, 0, 0, 0, 0, 0},
    {D1_ARRAY, -1, 0, 0, 2, 4, 0, 0, 0, 0},
    {D1_ARRAY, -1, 0, 0, 2, UINT32_MAX - 1, 0, 0, 0, 0},
    {D2_ARRAY, -1, 1, 1, 12, 0, 0, 0, 1, 1},
    {D2_ARRAY, SCH_TARGET_CUBE, 0, 0, 0, 0, 0, 0, 0, 0}, /* 6 x 5 texels */
    {MSAA, -1, 0, 0, 0, 0, 0, 0, 1, 1},
    {MSAA, SCH_TARGET_2D_ARRAY_MSAA, 0, 0, 0, 0, 0, 0, 1, 1},
    {MSAA, SCH_TARGET_2D, 0, 0, 0, 0, 0, 0, 0, 0},
    {MSAA_ARRAY, -1, 0, 0, 3, 2, 0, 0, 1, 2},
    {MSAA_ARRAY, SCH_TARGET_2D_MSAA, 0, 0, 6, 0, 0, 0, 1, 1},
    {CUBE_ARRAY, -1, 1, 0, 6, 0, 0, 0, 2, 12},
    {CUBE_ARRAY, -1, 0, 0, 3, 6, 0, 0, 3, 6}, /* cubes may begin at any layer */
    {CUBE_ARRAY, -1, 0, 0, 3, 0, 0, 0, 0, 0},
    {CUBE_ARRAY, SCH_TARGET_CUBE, 0, 0, 12, 0, 0, 0, 3, 6},
    {CUBE_ARRAY, SCH_TARGET_CUBE, 0, 0, 13, 0, 0, 0, 0, 0},
    {CUBE_ARRAY, SCH_TARGET_CUBE, 0, 0, 0, 12, 0, 0, 0, 0},
    {CUBE_ARRAY, SCH_TARGET_2D_ARRAY, 2, 0, 17, 0, 0, 0, 1, 1},
};

__attribute__((unused)) static struct sch_view_options view_options(const struct view_case *c)
{
    return (struct sch_view_options){.size = sizeof(struct sch_view_options),
                                     .has_target = c->target != -1,
                                     .target = (enum sch_target)(c->target == -1 ? 0 : c->target),
                                     .first_level = c->first_level,
                                     .level_count = c->level_count,
                                     .first_layer = c->first_layer,
                                     .layer_count = c->layer_count,
                                     .first_element = c->first_element,
                                     .element_count = c->element_count};
}

#endif
