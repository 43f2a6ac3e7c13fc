/* The small machine of single-rule tests (maxwell_world.h). */
#include "maxwell_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell/text/code.h"

struct shape {
    uint8_t type, target;
    uint16_t format;
    uint8_t width, height, depth, layers, levels, samples, mode;
};

static const struct shape shapes[WORLD_TEXTURES] = {
    [WORLD_NONE] = {SCH_MAXWELL_TWO_D, SCH_TARGET_2D, SCH_FORMAT_R32G32B32A32_FLOAT, 1, 1, 1, 1, 1, 1, 0},
    [WORLD_1D] = {SCH_MAXWELL_ONE_D, SCH_TARGET_1D, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 1, 1, 1, 5, 1, 0},
    [WORLD_2D] = {SCH_MAXWELL_TWO_D, SCH_TARGET_2D, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 8, 1, 1, 5, 1, 0},
    [WORLD_3D] = {SCH_MAXWELL_THREE_D, SCH_TARGET_3D, SCH_FORMAT_R32G32B32A32_FLOAT, 8, 4, 16, 1, 5, 1, 0},
    [WORLD_CUBE] = {SCH_MAXWELL_CUBEMAP, SCH_TARGET_CUBE, SCH_FORMAT_R32G32B32A32_FLOAT, 8, 8, 1, 6, 4, 1, 0},
    [WORLD_1D_ARRAY] = {SCH_MAXWELL_ONE_D_ARRAY, SCH_TARGET_1D_ARRAY, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 1, 1, 3, 5, 1,
                        0},
    [WORLD_2D_ARRAY] = {SCH_MAXWELL_TWO_D_ARRAY, SCH_TARGET_2D_ARRAY, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 8, 1, 5, 5, 1,
                        0},
    [WORLD_CUBE_ARRAY] = {SCH_MAXWELL_CUBEMAP_ARRAY, SCH_TARGET_CUBE_ARRAY, SCH_FORMAT_R32G32B32A32_FLOAT, 8, 8, 1, 12,
                          4, 1, 0},
    [WORLD_BUFFER] = {SCH_MAXWELL_ONE_D_BUFFER, SCH_TARGET_BUFFER, SCH_FORMAT_R32G32B32A32_FLOAT, 20, 1, 1, 1, 1, 1, 0},
    [WORLD_2D_MS] = {SCH_MAXWELL_TWO_D_NO_MIPMAP, SCH_TARGET_2D_MSAA, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 8, 1, 1, 1, 4,
                     2},
    [WORLD_2D_ARRAY_MS] = {SCH_MAXWELL_TWO_D_ARRAY, SCH_TARGET_2D_ARRAY_MSAA, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 8, 1,
                           3, 1, 2, 1},
    [WORLD_DEPTH] = {SCH_MAXWELL_TWO_D, SCH_TARGET_2D, SCH_FORMAT_Z32_FLOAT, 16, 8, 1, 1, 5, 1, 0},
    [WORLD_INTEGER] = {SCH_MAXWELL_TWO_D, SCH_TARGET_2D, SCH_FORMAT_R32G32B32A32_UINT, 16, 8, 1, 1, 5, 1, 0},
    [WORLD_OTHER] = {SCH_MAXWELL_TWO_D, SCH_TARGET_2D, SCH_FORMAT_R32G32B32A32_FLOAT, 16, 8, 1, 1, 5, 1, 0},
};

uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

uint32_t world_texel(enum world_texture texture, unsigned level, unsigned x, unsigned y, unsigned z, unsigned c)
{
    uint32_t number = ((((texture * 8 + level) * 16 + z) * 16 + y) * 32 + x) * 4 + c; /* below 2^24 */
    if (texture == WORLD_DEPTH) return word_of((float)x / 16);
    return texture == WORLD_INTEGER ? number : word_of((float)number);
}

static uint32_t at_least_one(uint32_t n) { return n ? n : 1; }

static void make_texture(struct world *world, unsigned number)
{
    const struct shape *shape = &shapes[number];
    struct sch_maxwell_texture *t = &world->textures[number];
    const uint32_t components = number == WORLD_DEPTH ? 1 : 4, slices = shape->layers * shape->samples;
    *t = (struct sch_maxwell_texture){
        .texture = {.levels = shape->levels, .layers = shape->layers, .samples = shape->samples},
        .type = shape->type,
        .target = shape->target,
        .format = shape->format,
        .format_linear = shape->format,
        .swizzle = {0, 1, 2, 3},
        .component = {0, 1, 2, 3},
        .normalized = true,
        .sampler_border = true,
        .max_anisotropy = 1,
        .width = shape->width,
        .height = shape->height,
        .depth = shape->target == SCH_TARGET_3D ? shape->depth : shape->layers,
        .max_level = shape->levels - 1u,
        .view_max_level = shape->levels - 1u,
        .sample_mode = shape->mode,
        .samples = shape->samples};
    if (shape->target == SCH_TARGET_CUBE || shape->target == SCH_TARGET_CUBE_ARRAY) t->depth /= 6;
    world->memory[number] = calloc(1 << 20, 1);
    assert_non_null(world->memory[number]);
    uint8_t *at = world->memory[number];
    for (unsigned l = 0; l < shape->levels; l++) {
        struct sch_texture_level *level = &t->texture.level[l];
        level->width = at_least_one(shape->width >> l);
        level->height = at_least_one(shape->height >> l);
        level->depth = at_least_one(shape->depth >> l);
        level->row_bytes = level->width * components * 4;
        level->slice_bytes = (uint64_t)level->row_bytes * level->height;
        level->texels = at;
        for (unsigned z = 0; z < level->depth * slices; z++)
            for (unsigned y = 0; y < level->height; y++)
                for (unsigned x = 0; x < level->width; x++)
                    for (unsigned c = 0; c < components; c++, at += 4) {
                        uint32_t word = world_texel((enum world_texture)number, l, x, y, z, c);
                        memcpy(at, &word, 4);
                    }
    }
}

static void make_samplers(struct world *world)
{
    for (unsigned i = 0; i < WORLD_SAMPLERS; i++) {
        struct sch_maxwell_sampler *s = &world->samplers[i];
        *s = (struct sch_maxwell_sampler){.key = {.rules = SCH_RULES_MAXWELL, .max_anisotropy = 1}, .srgb = true};
        memset(s->key.wrap, SCH_WRAP_CLAMP_TO_EDGE, sizeof s->key.wrap);
        s->values.max_lod = 1000;
        s->key.mip = 1;
        if (i == LINEAR) s->key.min_linear = s->key.mag_linear = 1;
        if (i == MIPS) s->key.mip = 2;
        if (i == LESS) s->key.compare = s->compare_function = SCH_COMPARE_LESS;
        if (i == ANISOTROPIC) s->key.max_anisotropy = 16, s->key.min_linear = s->key.mag_linear = 1, s->key.mip = 2;
    }
    struct sch_maxwell_sampler *border = &world->samplers[BORDER];
    memset(border->key.wrap, SCH_WRAP_CLAMP_TO_BORDER, sizeof border->key.wrap);
    for (unsigned c = 0; c < 4; c++) border->values.border[c] = word_of(0.25f + (float)c);
}

void world_remake(struct world *world)
{
    sch_maxwell_machine_destroy(world->machine);
    assert_int_equal(sch_maxwell_machine_create(&world->options, &sch_allocator_libc, &world->machine), SCH_OK);
    for (unsigned i = 0; i < WORLD_TEXTURES; i++)
        assert_int_equal(sch_maxwell_bind_texture(world->machine, i, &world->textures[i]), SCH_OK);
    for (unsigned i = 0; i < WORLD_SAMPLERS; i++)
        assert_int_equal(sch_maxwell_bind_sampler(world->machine, i, &world->samplers[i]), SCH_OK);
}

void world_make(struct world *world, unsigned lanes)
{
    memset(world, 0, sizeof *world);
    for (unsigned i = 0; i < WORLD_TEXTURES; i++) make_texture(world, i);
    make_samplers(world);
    for (unsigned i = 0; i < WITH_SAMPLER; i++) world->constants[i] = i;
    for (unsigned i = WITH_SAMPLER; i < WORLD_WORDS; i++) world->constants[i] = (i - WITH_SAMPLER) << 20 | WORLD_2D;
    world->constants[DEPTH_LESS] = LESS << 20 | WORLD_DEPTH;
    world->options = (struct sch_maxwell_machine_options){.maximum_header = WORLD_TEXTURES - 1,
                                                          .maximum_sampler = WORLD_SAMPLERS - 1,
                                                          .constants = world->constants,
                                                          .constant_words = WORLD_WORDS,
                                                          .lanes = lanes};
    world_remake(world);
    sch_diagnostics_init(&world->diagnostics, &sch_allocator_libc, 16);
    fill_group(&world->warp, 1);
}

void world_drop(struct world *world)
{
    sch_maxwell_machine_destroy(world->machine);
    sch_diagnostics_release(&world->diagnostics);
    for (unsigned i = 0; i < WORLD_TEXTURES; i++) free(world->memory[i]);
}

struct sch_maxwell_instruction world_parse(const char *text)
{
    struct sch_maxwell_line line;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 4);
    enum sch_result status = sch_maxwell_parse_line(text, strlen(text), 0, &diagnostics, &line, NULL);
    if (status != SCH_OK)
        fail_msg("%s: %s", text, diagnostics.count ? diagnostics.items[0].message : "does not assemble");
    sch_diagnostics_release(&diagnostics);
    assert_true(line.texture);
    return line.instruction;
}

enum sch_result world_try(struct world *world, const char *text)
{
    struct sch_maxwell_instruction in = world_parse(text);
    return run_word(world->machine, &in, &world->warp, &world->diagnostics);
}

void world_run(struct world *world, const char *text)
{
    enum sch_result status = world_try(world, text);
    if (status != SCH_OK) fail_msg("%s: status %d", text, (int)status);
}

void set_word(struct world *world, unsigned number, uint32_t word)
{
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) world->warp.registers[number].u[i] = word;
}

void set_float(struct world *world, unsigned number, float value) { set_word(world, number, word_of(value)); }

void expect_word(const struct world *world, unsigned number, uint32_t word)
{
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        if (world->warp.registers[number].u[i] != word)
            fail_msg("R%u of lane %u is %08x, not %08x", number, i, world->warp.registers[number].u[i], word);
}

int world_setup(void **state)
{
    *state = malloc(sizeof(struct world));
    if (!*state) return -1;
    world_make(*state, 0);
    return 0;
}

int world_teardown(void **state)
{
    world_drop(*state);
    free(*state);
    return 0;
}
