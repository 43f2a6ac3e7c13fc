/* Executing Maxwell programs through the public API: wrong calls, random words with random pools and registers (no
 * crash, the same bits at every width), failing allocations, limits. What instructions compute is tested elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counting.h"
#include "random_number.h"
#include "sanitized.h"

enum { ENTRIES = 8, POOL = ENTRIES * 32, WORDS = 16, MEMORY = 1 << 16, RUNS = 20000, LANES = SCH_MAXWELL_GROUP_LANES };

static uint64_t state = 1;

static uint32_t next(void) { return (uint32_t)(random_number(&state) >> 32); }

static const char headers_text[] = "header 0 BLOCKLINEAR { COMPONENTS = A8B8G8R8; WIDTH = 16; HEIGHT = 8\n"
                                   "  TEXTURE_TYPE = TWO_D; MAX_MIP_LEVEL = 4; RES_VIEW_MAX_MIP_LEVEL = 4\n"
                                   "  BORDER_SIZE = SAMPLER_COLOR }\n"
                                   "header 1 BLOCKLINEAR { COMPONENTS = A8B8G8R8; WIDTH = 8; HEIGHT = 8; DEPTH = 1\n"
                                   "  TEXTURE_TYPE = CUBEMAP; BORDER_SIZE = SAMPLER_COLOR }\n"
                                   "header 2 ONE_D_BUFFER { WIDTH = 100 }\n"
                                   "header 3 PITCH { COMPONENTS = R32; WIDTH = 8; HEIGHT = 8; PITCH = 64\n"
                                   "  TEXTURE_TYPE = TWO_D_NO_MIPMAP; BORDER_SIZE = SAMPLER_COLOR }\n"
                                   "header 4 BLOCKLINEAR { WIDTH = 8; HEIGHT = 4; DEPTH = 4; TEXTURE_TYPE = THREE_D\n"
                                   "  BORDER_SIZE = SAMPLER_COLOR }\n"
                                   "header 5 BLOCKLINEAR { WIDTH = 8; HEIGHT = 4; DEPTH = 4\n"
                                   "  TEXTURE_TYPE = TWO_D_ARRAY; BORDER_SIZE = SAMPLER_COLOR }\n"
                                   "header 7 BLOCKLINEAR { WIDTH = 8; TEXTURE_TYPE = ONE_D }\n";
static const char samplers_text[] = "sampler 0 { MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_LINEAR }\n"
                                    "sampler 1 { MAG_FILTER = MAG_POINT; MIN_FILTER = MIN_POINT }\n"
                                    "sampler 7 { MAG_FILTER = MAG_POINT; MIN_FILTER = MIN_POINT }\n";

struct world {
    struct sch_context *context;
    struct sch_maxwell_program *program;
    struct sch_maxwell_executor *executor;
    struct sch_maxwell_environment environment;
    void *headers, *samplers;
    uint32_t constants[WORDS];
    uint8_t memory[MEMORY];
};

static enum sch_result read_program(struct world *world, const void *data, size_t bytes)
{
    return sch_maxwell_program_read(world->context, data, bytes, NULL, NULL, &world->program);
}

static enum sch_result make(struct world *world, const struct sch_allocator *memory,
                            const struct sch_limit_options *limits)
{
    const struct sch_context_options options = {.size = sizeof options, .memory = memory, .limits = limits};
    *world = (struct world){.environment = {.size = sizeof world->environment}};
    for (size_t i = 0; i < MEMORY; i++) world->memory[i] = (uint8_t)(i * 37 >> 3);
    enum sch_result result = sch_context_create(&options, &world->context);
    struct sch_maxwell_environment *e = &world->environment;
    if (result == SCH_OK)
        result = sch_maxwell_pool_assemble(world->context, headers_text, strlen(headers_text), NULL, NULL,
                                           &world->headers, &e->header_bytes);
    if (result == SCH_OK)
        result = sch_maxwell_pool_assemble(world->context, samplers_text, strlen(samplers_text), NULL, NULL,
                                           &world->samplers, &e->sampler_bytes);
    e->headers = world->headers;
    e->samplers = world->samplers;
    e->constants = world->constants;
    e->constant_count = WORDS;
    e->memory = world->memory;
    e->memory_bytes = MEMORY;
    e->pixel_shader = true;
    for (unsigned i = 0; i < WORDS; i++) world->constants[i] = (i / 8) << 20 | i % 8;
    return result;
}

static void drop(struct world *world)
{
    sch_maxwell_executor_destroy(world->executor);
    sch_maxwell_program_destroy(world->program);
    sch_free(world->context, world->headers);
    sch_free(world->context, world->samplers);
    sch_context_destroy(world->context);
}

static void fill(struct sch_maxwell_group *group)
{
    memset(group, 0, sizeof *group);
    group->size = sizeof *group;
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t random = next();
            float small = (float)(random >> 8) * 0x1p-24f;
            memcpy(&group->registers[r][i], &small, sizeof small);
            if (random % 4 == 0) group->registers[r][i] = random >> (random & 31);
            if (random % 16 == 1) group->registers[r][i] = (random >> 8 & 1) << 20 | (random >> 9 & 7);
        }
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) group->predicates[p] = next();
    group->active = next() | next();
    group->killed = next() & next();
}

/* ---- wrong calls ---- */

static void wrong_calls(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group group;
    const char *text = "TLD.LZ R4, R8, 0x2, 1D, 0x1;";
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    struct sch_maxwell_executor **to = &world.executor;
    assert_int_equal(sch_maxwell_executor_create(NULL, &world.environment, to), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_executor_create(world.program, &world.environment, NULL), SCH_ERROR_ARGUMENT);
    struct sch_maxwell_environment wrong[8];
    for (unsigned i = 0; i < 8; i++) wrong[i] = world.environment;
    wrong[0].header_bytes = 33;
    wrong[1].sampler_bytes = 31;
    wrong[2].headers = NULL;
    wrong[3].samplers = NULL;
    wrong[4].constants = NULL;
    wrong[5].memory = NULL;
    wrong[6].width = 5;
    wrong[7].size = 3;
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(sch_maxwell_executor_create(world.program, &wrong[i], to), SCH_ERROR_ARGUMENT);
    assert_null(*to);
    assert_int_equal(sch_maxwell_executor_create(world.program, &world.environment, to), SCH_OK);
    fill(&group);
    assert_int_equal(sch_maxwell_executor_run(NULL, 0, &group, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_executor_run(*to, 0, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_executor_run(*to, 1, &group, NULL), SCH_ERROR_ARGUMENT);
    group.size = 4;
    assert_int_equal(sch_maxwell_executor_run(*to, 0, &group, NULL), SCH_ERROR_ARGUMENT);
    group.size = sizeof group;
    assert_int_equal(sch_maxwell_executor_run(*to, 0, &group, NULL), SCH_OK);
    uint32_t registers[8], predicates;
    assert_false(sch_maxwell_program_results(world.program, 1, registers, &predicates));
    assert_true(sch_maxwell_program_results(world.program, 0, registers, &predicates));
    assert_int_equal(registers[0], 1 << 4);
    assert_int_equal(predicates, 0);
    sch_maxwell_executor_destroy(NULL);
    drop(&world);
}

/* An instruction that fails leaves the group as those before it made it. */
static void stops_at_the_first_error(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group group;
    const char *text = "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;\nTXA R4, R8, 0x0, 0xf;\n"
                       "TXQ R5, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;";
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    assert_int_equal(sch_maxwell_executor_create(world.program, &world.environment, &world.executor), SCH_OK);
    fill(&group);
    group.active = UINT32_MAX;
    uint32_t before = group.registers[5][0];
    struct sch_diagnostics_list *list;
    assert_int_equal(sch_diagnostics_create(world.context, &list), SCH_OK);
    assert_int_equal(sch_maxwell_executor_run(world.executor, 0, &group, list), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(sch_diagnostics_count(list), 1);
    assert_int_equal(group.registers[4][0], 1);
    assert_int_equal(group.registers[5][0], before);
    sch_diagnostics_destroy(list);
    drop(&world);
}

/* Textures and samplers of pools: two texels, looked at in their middles and far outside, by three samplers. */
static void samplers_of_the_pool_are_used(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group group;
    static const char headers[] = "header PITCH { COMPONENTS = R32; R_DATA_TYPE = FLOAT; G_DATA_TYPE = FLOAT\n"
                                  "  B_DATA_TYPE = FLOAT; A_DATA_TYPE = FLOAT; WIDTH = 2; HEIGHT = 1; PITCH = 32\n"
                                  "  TEXTURE_TYPE = TWO_D_NO_MIPMAP; BORDER_SIZE = SAMPLER_COLOR }\n";
    static const char samplers[] =
        "sampler { MAG_FILTER = MAG_POINT; MIN_FILTER = MIN_POINT; ADDRESS_U = CLAMP_TO_EDGE }\n"
        "sampler { MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_LINEAR; ADDRESS_U = CLAMP_TO_EDGE }\n"
        "sampler { MAG_FILTER = MAG_POINT; MIN_FILTER = MIN_POINT; ADDRESS_U = BORDER; BORDER_COLOR_R = 8.0 }\n";
    static const float texels[2] = {1.0f, 5.0f}, at[4] = {0.25f, 0.5f, 0.75f, 3.0f};
    static const float wanted[3][4] = {{1, 5, 5, 5}, {1, 3, 5, 5}, {1, 5, 5, 8}};
    const char *text = "TEX.LZ R4, R8, 0x0, 2D, 0x1;\nTEX.LZ R5, R8, 0x1, 2D, 0x1;\nTEX.LZ R6, R8, 0x2, 2D, 0x1;";
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    sch_free(world.context, world.headers);
    sch_free(world.context, world.samplers);
    struct sch_maxwell_environment *e = &world.environment;
    assert_int_equal(sch_maxwell_pool_assemble(world.context, headers, strlen(headers), NULL, NULL, &world.headers,
                                               &e->header_bytes),
                     SCH_OK);
    assert_int_equal(sch_maxwell_pool_assemble(world.context, samplers, strlen(samplers), NULL, NULL, &world.samplers,
                                               &e->sampler_bytes),
                     SCH_OK);
    e->headers = world.headers;
    e->samplers = world.samplers;
    memcpy(world.memory, texels, sizeof texels);
    for (unsigned i = 0; i < 3; i++) world.constants[i] = i << 20;
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    assert_int_equal(sch_maxwell_executor_create(world.program, e, &world.executor), SCH_OK);
    fill(&group);
    group.active = UINT32_MAX;
    for (unsigned i = 0; i < LANES; i++) {
        const float t = 0.5f;
        memcpy(&group.registers[8][i], &at[i % 4], sizeof *at);
        memcpy(&group.registers[9][i], &t, sizeof t);
    }
    assert_int_equal(sch_maxwell_executor_run(world.executor, 0, &group, NULL), SCH_OK);
    for (unsigned s = 0; s < 3; s++)
        for (unsigned i = 0; i < LANES; i++)
            if (memcmp(&group.registers[4 + s][i], &wanted[s][i % 4], sizeof(float)))
                fail_msg("sampler %u, lane %u: %08x", s, i, group.registers[4 + s][i]);
    drop(&world);
}

/* ---- hostile inputs ---- */

/* A texture instruction by its form's fixed bits, the others at random: raw code of one bundle. */
static void random_bundle(uint8_t code[32])
{
    static const struct {
        uint16_t top, mask;
    } forms[] = {{0xdf58, 0xfff8}, {0xdf60, 0xfff8}, {0xdf48, 0xfff8}, {0xdf50, 0xfff8}, {0xc038, 0xfc38},
                 {0xdeb8, 0xfff8}, {0xdc38, 0xff38}, {0xdd38, 0xff38}, {0xc838, 0xfc38}, {0xdef8, 0xfff8},
                 {0xde38, 0xfffc}, {0xde78, 0xfffc}, {0xd800, 0xfe00}, {0xda00, 0xfe00}, {0xdf00, 0xffc0}};
    uint64_t words[4] = {0x001f8000fc0007e0, 0, 0x50b0000000070f00, 0x50b0000000070f00};
    unsigned form = next() % (sizeof forms / sizeof *forms);
    words[1] = ((uint64_t)next() << 32 | next());
    words[1] &= ~((uint64_t)forms[form].mask << 48);
    words[1] |= (uint64_t)forms[form].top << 48;
    words[1] &= ~((uint64_t)0x1ff0 << 36); /* an index below WORDS */
    if (next() % 2) words[1] = (words[1] & ~((uint64_t)0xf << 16)) | (uint64_t)7 << 16;
    memcpy(code, words, sizeof words);
}

/* Bits of the pools flip, of each entry a few. */
static void spoil(uint8_t *pool, size_t bytes)
{
    unsigned flips = next() % 6;
    while (flips--) {
        uint32_t at = next() % (uint32_t)bytes;
        pool[at] ^= (uint8_t)(1u << (next() & 7));
    }
}

static void explain_some(struct world *world, unsigned n, const struct sch_maxwell_group *group)
{
    struct sch_explanation *explanation;
    const enum sch_result result =
        sch_maxwell_executor_explain(world->executor, 0, n / 8 % 3, group, n / 24 % LANES, &explanation);
    assert_true((result == SCH_OK) == (explanation != NULL));
    assert_true(result == SCH_OK || result == SCH_ERROR_ARGUMENT || result == SCH_ERROR_UNSUPPORTED ||
                result == SCH_ERROR_INVALID || result == SCH_ERROR_LIMIT);
    sch_explanation_destroy(explanation);
}

static void random_words_and_pools(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group before, after[3];
    static const unsigned widths[] = {4, 8, 16};
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 20};
    unsigned answers[4] = {0};
    assert_int_equal(make(&world, NULL, &limits), SCH_OK);
    uint8_t headers[POOL], samplers[POOL];
    assert_int_equal(world.environment.header_bytes, POOL);
    assert_int_equal(world.environment.sampler_bytes, POOL);
    world.environment.headers = headers;
    world.environment.samplers = samplers;
    const unsigned runs = sanitized_share(RUNS, 4);
    for (unsigned n = 0; n < runs; n++) {
        uint8_t code[32];
        memcpy(headers, world.headers, POOL);
        memcpy(samplers, world.samplers, POOL);
        if (n % 2) spoil(headers, POOL);
        if (n % 4 == 3) spoil(samplers, POOL);
        random_bundle(code);
        const struct sch_maxwell_read_options read = {.size = sizeof read, .kind = SCH_MAXWELL_KIND_RAW};
        assert_int_equal(sch_maxwell_program_read(world.context, code, sizeof code, &read, NULL, &world.program),
                         SCH_OK);
        fill(&before);
        enum sch_result results[3];
        for (unsigned w = 0; w < 3; w++) {
            world.environment.width = widths[w];
            assert_int_equal(sch_maxwell_executor_create(world.program, &world.environment, &world.executor), SCH_OK);
            after[w] = before;
            if (w == 1 && n % 8 == 0) explain_some(&world, n, &before); /* which changes nothing of what follows */
            results[w] = sch_maxwell_executor_run(world.executor, 0, &after[w], NULL);
            sch_maxwell_executor_destroy(world.executor);
        }
        world.executor = NULL;
        assert_int_equal(results[0], results[1]);
        assert_int_equal(results[0], results[2]);
        assert_memory_equal(&after[0], &after[1], sizeof after[0]);
        assert_memory_equal(&after[0], &after[2], sizeof after[0]);
        assert_true(results[0] == SCH_OK || results[0] == SCH_ERROR_UNSUPPORTED || results[0] == SCH_ERROR_INVALID ||
                    results[0] == SCH_ERROR_LIMIT);
        answers[results[0] == SCH_OK ? memcmp(&before, &after[0], sizeof before) != 0 : 2]++;
        sch_maxwell_program_destroy(world.program);
        world.program = NULL;
    }
    print_message("# %u runs wrote something, %u nothing, %u were refused\n", answers[1], answers[0], answers[2]);
    assert_true(answers[1] > runs / 3);
    drop(&world);
}

/* ---- looking on ---- */

static struct sch_explanation *explained(struct world *world, size_t number, const struct sch_maxwell_group *group,
                                         uint32_t lane)
{
    struct sch_explanation *explanation;
    assert_int_equal(sch_maxwell_executor_explain(world->executor, 0, number, group, lane, &explanation), SCH_OK);
    return explanation;
}

/* The bits of a texel of R32 as the header has it: a fraction of 32 bits, rounded once. */
static uint32_t unorm(const uint8_t *texel)
{
    uint32_t word, bits;
    memcpy(&word, texel, sizeof word);
    const float number = (float)((double)word / UINT32_MAX);
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* What a lookup read, in a lane of a group that stays as it is: the texel whose bits it returns. */
static void lookups_are_explained(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group group, same;
    static const char text[] = "@!P1 TLD.LZ R0, R8, 0x3, 2D, 0x1;\nTEX.LZ.NODEP R4, R10, 0xb, 2D, 0x1;\n"
                               "TXQ R0, R8, TEX_HEADER_DIMENSION, 0x3, 0x3;\n.word 0x50b0000000070f00;";
    struct sch_explanation_info info = {.size = sizeof info};
    struct sch_footprint_texel texel = {.size = sizeof texel};
    struct sch_explanation *explanation;
    const float at[2] = {3.5f / 8, 2.5f / 8};
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    world.constants[11] = 1 << 20 | 3; /* header 3, and the sampler without filters */
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    assert_int_equal(sch_maxwell_executor_create(world.program, &world.environment, &world.executor), SCH_OK);
    group = (struct sch_maxwell_group){.size = sizeof group, .active = 7, .killed = 4, .predicates = {0, 2}};
    group.registers[8][0] = 5;
    group.registers[9][0] = 6;
    memcpy(&group.registers[10][0], &at[0], sizeof at[0]);
    memcpy(&group.registers[11][0], &at[1], sizeof at[1]);
    same = group;
    /* PITCH = 64: rows of 64 bytes, texels of 4 bytes. */
    explanation = explained(&world, 0, &group, 0);
    assert_int_equal(sch_explanation_get_info(explanation, &info), SCH_OK);
    assert_true(sch_explanation_texel(explanation, 0, &texel));
    assert_true(info.texel_count == 1 && texel.x == 5 && texel.y == 6 && texel.weight == 1.0f);
    assert_int_equal(texel.value[0], unorm(world.memory + 6 * 64 + 5 * 4));
    assert_int_equal(info.result[0], texel.value[0]);
    sch_explanation_destroy(explanation);
    explanation = explained(&world, 1, &group, 0);
    assert_int_equal(sch_explanation_get_info(explanation, &info), SCH_OK);
    assert_true(sch_explanation_texel(explanation, 0, &texel) && texel.x == 3 && texel.y == 2 && info.taps == 1);
    assert_int_equal(info.result[0], unorm(world.memory + 2 * 64 + 3 * 4));
    sch_explanation_destroy(explanation);
    assert_memory_equal(&group, &same, sizeof group);
    /* Lanes that do not execute, queries and NOPs look nothing up. */
    static const struct {
        size_t number;
        uint32_t lane, executes;
    } none[] = {{0, 1, 5}, {1, 2, 3}, {2, 0, 7}, {3, 0, 7}, {0, 3, 5}};
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++) {
        assert_int_equal(
            sch_maxwell_executor_explain(world.executor, 0, none[n].number, &group, none[n].lane, &explanation),
            SCH_ERROR_ARGUMENT);
        assert_null(explanation);
        assert_int_equal(sch_maxwell_program_lanes(world.program, 0, none[n].number, &group), none[n].executes);
    }
    assert_int_equal(sch_maxwell_program_lanes(world.program, 0, 100, &group), 0);
    assert_int_equal(sch_maxwell_program_lanes(world.program, 1, 0, &group), 0);
    assert_int_equal(sch_maxwell_program_lanes(world.program, 0, 0, NULL), 0);
    drop(&world);
}

/* ---- memory ---- */

static enum sch_result whole_way(struct world *world, struct sch_maxwell_group *group, struct counting *counting)
{
    const char *text = "TEX.LZ R0, R8, 0x8, 2D, 0xf;\nTLD.LZ R4, R8, 0x2, 1D, 0x1;\nTEX.LZ R0, R8, 0x9, CUBE, 0x3;";
    const struct sch_allocator memory = counting_callbacks(counting);
    enum sch_result result = make(world, &memory, NULL);
    if (result == SCH_OK) result = read_program(world, text, strlen(text));
    if (result == SCH_OK) result = sch_maxwell_executor_create(world->program, &world->environment, &world->executor);
    if (result == SCH_OK) result = sch_maxwell_executor_run(world->executor, 0, group, NULL);
    drop(world);
    return result;
}

static void failing_allocations(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group group;
    struct counting counting = {0};
    fill(&group);
    assert_int_equal(whole_way(&world, &group, &counting), SCH_OK);
    assert_int_equal(counting.live, 0);
    long all = counting.calls;
    assert_true(all > 10);
    for (long n = 1; n <= all; n++) {
        counting = (struct counting){.fail_at = n};
        assert_int_equal(whole_way(&world, &group, &counting), SCH_ERROR_MEMORY);
        if (counting.live != 0) fail_msg("allocation %ld of %ld: %ld blocks leaked", n, all, (long)counting.live);
    }
}

/* Textures are kept within limits.memory, all together: two of 96 by 64 texels have 24,576 bytes each. */
static void memory_limit(void **unused)
{
    (void)unused;
    static struct world world;
    static struct sch_maxwell_group group;
    static const char pool[] =
        "header 0 PITCH { WIDTH = 96; HEIGHT = 64; PITCH = 384; TEXTURE_TYPE = TWO_D_NO_MIPMAP }\n"
        "header 1 PITCH { WIDTH = 96; HEIGHT = 64; PITCH = 384; TEXTURE_TYPE = TWO_D_NO_MIPMAP }\n";
    static const struct {
        const char *text;
        size_t limit;
        enum sch_result result;
    } rows[] = {{"TLD.LZ R0, R8, 0x0, 2D, 0xf;\nTLD.LZ R4, R8, 0x1, 2D, 0x1;", 60000, SCH_OK},
                {"TLD.LZ R0, R8, 0x0, 2D, 0xf;\nTLD.LZ R4, R8, 0x0, 2D, 0x1;", 40000, SCH_OK},
                {"TLD.LZ R0, R8, 0x0, 2D, 0xf;\nTLD.LZ R4, R8, 0x1, 2D, 0x1;", 40000, SCH_ERROR_LIMIT},
                {"TLD.LZ R0, R8, 0x1, 2D, 0xf;", 20000, SCH_ERROR_LIMIT}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct sch_limit_options limits = {.size = sizeof limits, .memory = rows[n].limit};
        assert_int_equal(make(&world, NULL, &limits), SCH_OK);
        sch_free(world.context, world.headers);
        assert_int_equal(sch_maxwell_pool_assemble(world.context, pool, strlen(pool), NULL, NULL, &world.headers,
                                                   &world.environment.header_bytes),
                         SCH_OK);
        world.environment.headers = world.headers;
        assert_int_equal(read_program(&world, rows[n].text, strlen(rows[n].text)), SCH_OK);
        assert_int_equal(sch_maxwell_executor_create(world.program, &world.environment, &world.executor), SCH_OK);
        fill(&group);
        group.active = UINT32_MAX;
        assert_int_equal(sch_maxwell_executor_run(world.executor, 0, &group, NULL), rows[n].result);
        drop(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(stops_at_the_first_error),
        cmocka_unit_test(samplers_of_the_pool_are_used),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(random_words_and_pools),
        cmocka_unit_test(lookups_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
