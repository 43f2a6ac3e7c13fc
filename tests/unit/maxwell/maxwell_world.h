/* A small machine whose every texel tells where it is: a texture of each type, samplers, a constant bank of handles,
 * and instructions given as text. For tests of single rules. */
#ifndef MAXWELL_WORLD_H
#define MAXWELL_WORLD_H

#include "maxwell_support.h"

/* Header indices, which are constant bank indices too (with sampler POINT). INVALID lies beyond MaximumIndex. */
enum world_texture {
    WORLD_NONE, /* a header that no test names; the handle 0 */
    WORLD_1D,
    WORLD_2D,
    WORLD_3D,
    WORLD_CUBE,
    WORLD_1D_ARRAY,
    WORLD_2D_ARRAY,
    WORLD_CUBE_ARRAY,
    WORLD_BUFFER,
    WORLD_2D_MS,
    WORLD_2D_ARRAY_MS,
    WORLD_DEPTH,   /* 2D, Z32_FLOAT: depths 0, 1/16 .. 15/16 along x */
    WORLD_INTEGER, /* 2D, R32G32B32A32_UINT */
    WORLD_OTHER,   /* as 2D, other values */
    WORLD_TEXTURES,
    WORLD_INVALID = WORLD_TEXTURES
};

enum world_sampler { POINT, LINEAR, MIPS, LESS, BORDER, ANISOTROPIC, WORLD_SAMPLERS, NO_SAMPLER = WORLD_SAMPLERS };

/* Constant words from here on: 2D with each sampler, in their order; then depth with LESS. */
enum { WORLD_WORDS = 64, WITH_SAMPLER = 32, DEPTH_LESS = 40 };

struct world {
    struct sch_maxwell_machine *machine;
    struct sch_maxwell_machine_options options;
    struct sch_maxwell_texture textures[WORLD_TEXTURES];
    struct sch_maxwell_sampler samplers[WORLD_SAMPLERS];
    uint32_t constants[WORLD_WORDS];
    void *memory[WORLD_TEXTURES];
    struct sch_diagnostics diagnostics;
    struct sch_maxwell_warp warp;
};

/* Options may be changed in between. */
void world_make(struct world *world, unsigned lanes);
void world_remake(struct world *world);
void world_drop(struct world *world);

/* Of a test whose state is a world of its own. */
int world_setup(void **state);
int world_teardown(void **state);

/* The texel of a texture as world_make filled it: a whole number as float (WORLD_INTEGER: as integer), component c. z:
 * slice, layer or face; of multisampled textures layer * samples + sample. */
uint32_t world_texel(enum world_texture texture, unsigned level, unsigned x, unsigned y, unsigned z, unsigned c);

/* Executes one line of text on world->warp; fails the test when it does not assemble. */
enum sch_result world_try(struct world *world, const char *text);
/* The same, which must succeed. */
void world_run(struct world *world, const char *text);
struct sch_maxwell_instruction world_parse(const char *text);

/* All lanes of a register. */
void set_word(struct world *world, unsigned number, uint32_t word);
void set_float(struct world *world, unsigned number, float value);
void expect_word(const struct world *world, unsigned number, uint32_t word);
uint32_t word_of(float value);

#endif
