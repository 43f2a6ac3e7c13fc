/* Random textures, samplers and images for every register that a shader declares or looks up: a pure function of the
 * shader and a seed. For tests that run whole shaders; holds no expectation of what a lookup answers. */
#ifndef RANDOM_TEXTURES_H
#define RANDOM_TEXTURES_H

#include <scheelite/scheelite.h>

#include "ir/ir.h"

enum {
    RANDOM_IMAGES = 32,
    RANDOM_RANGE = 64 /* of a declaration with more registers those behind stay unbound */
};

struct random_image {
    struct sch_resource *resource;
    uint8_t *before, *after; /* all bytes: as a run finds them, and as the first run left them */
    size_t bytes;
};

struct random_textures {
    struct sch_view **views;
    struct sch_sampler **samplers;
    struct sch_image **images;
    struct random_image *memory;                     /* of the images */
    uint32_t view_count, sampler_count, image_count; /* entries without a register in the shader are NULL */
};

/* Fails the running test where a register has no place or the library refuses what it should make. */
void random_textures_make(struct sch_context *context, const struct sch_ir_shader *shader, uint64_t seed,
                          struct random_textures *textures);
/* From now on all samplers have these rules; else random ones. */
void random_textures_rule(enum sch_rules all);
void random_textures_release(struct random_textures *textures);
void random_textures_bind(const struct random_textures *textures, struct sch_bindings *bindings);

/* Before each run: the images as they were made. After it: whether they are as the first run after making left them. */
void random_textures_reset(struct random_textures *textures);
bool random_textures_agree(struct random_textures *textures, bool first);
/* Whether the first run wrote to an image. */
bool random_textures_changed(const struct random_textures *textures);

#endif
