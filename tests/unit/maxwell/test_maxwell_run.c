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

#include "../support/by_code.h"
#include "../support/counting.h"
#include "../support/random_number.h"
#include "../support/sanitized.h"
#include "maxwell_group.h"

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
    struct sch_shader *program;
    struct maxwell_environment environment;
    void *headers, *samplers;
    uint32_t constants[WORDS];
    uint8_t memory[MEMORY];
};

static enum sch_result read_program(struct world *world, const void *data, size_t bytes)
{
    return maxwell_read(world->context, data, bytes, NULL, NULL, &world->program);
}

static enum sch_result run(const struct world *world, struct maxwell_group *group, struct sch_diagnostics_list *list)
{
    return maxwell_run(world->context, world->program, &world->environment, group, list);
}

static enum sch_result make(struct world *world, const struct sch_allocator *memory,
                            const struct sch_limit_options *limits)
{
    const struct sch_context_options options = {.size = sizeof options, .memory = memory, .limits = limits};
    *world = (struct world){.environment = {.machine = {.size = sizeof world->environment.machine}}};
    for (size_t i = 0; i < MEMORY; i++) world->memory[i] = (uint8_t)(i * 37 >> 3);
    enum sch_result result = sch_context_create(&options, &world->context);
    struct maxwell_environment *e = &world->environment;
    if (result == SCH_OK)
        result = sch_maxwell_pool_assemble(world->context, headers_text, strlen(headers_text), NULL, NULL,
                                           &world->headers, &e->machine.header_bytes);
    if (result == SCH_OK)
        result = sch_maxwell_pool_assemble(world->context, samplers_text, strlen(samplers_text), NULL, NULL,
                                           &world->samplers, &e->machine.sampler_bytes);
    e->machine.headers = world->headers;
    e->machine.samplers = world->samplers;
    e->constants = world->constants;
    e->constant_count = WORDS;
    e->machine.memory = world->memory;
    e->machine.memory_bytes = MEMORY;
    e->pixel_shader = true;
    for (unsigned i = 0; i < WORDS; i++) world->constants[i] = (i / 8) << 20 | i % 8;
    return result;
}

static void drop(struct world *world)
{
    sch_shader_destroy(world->program);
    sch_free(world->context, world->headers);
    sch_free(world->context, world->samplers);
    sch_context_destroy(world->context);
}

static void fill(struct maxwell_group *group)
{
    memset(group, 0, sizeof *group);
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
    static struct maxwell_group group;
    const char *text = "TLD.LZ R4, R8, 0x2, 1D, 0x1;";
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    struct maxwell_environment wrong[8];
    for (unsigned i = 0; i < 8; i++) wrong[i] = world.environment;
    wrong[0].machine.header_bytes = 33;
    wrong[1].machine.sampler_bytes = 31;
    wrong[2].machine.headers = NULL;
    wrong[3].machine.samplers = NULL;
    wrong[4].constants = NULL;
    wrong[5].machine.memory = NULL;
    wrong[6].width = 5;
    wrong[7].machine.size = 3;
    fill(&group);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(maxwell_run(world.context, world.program, &wrong[i], &group, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(run(&world, &group, NULL), SCH_OK);
    drop(&world);
}

/* A program is refused for each operation once; one that fails says where, and by what. */
static void errors_have_places(void **unused)
{
    (void)unused;
    static struct world world;
    static struct maxwell_group group;
    static const char
        refused[] = "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;\nTXA R4, R8, 0x0, 0xf;\n"
                    "RTT;\nRTT;\n.word 0x5;",
        fails[] = "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;\nTEX R8, R0, 0x6, 2D, 0xf;"; /* header 6 is zeros */
    static const struct {
        unsigned code, line;
    } wanted[] = {{4320, 2}, {4324, 3}, {4324, 5}};
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info info = {.size = sizeof info};
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    assert_int_equal(sch_diagnostics_create(world.context, &list), SCH_OK);
    assert_int_equal(read_program(&world, refused, strlen(refused)), SCH_OK);
    fill(&group);
    group.active = UINT32_MAX;
    assert_int_equal(run(&world, &group, list), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(sch_diagnostics_count(list), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(sch_diagnostics_get(list, i, &info));
        assert_int_equal(info.code, wanted[i].code);
        assert_int_equal(info.line, wanted[i].line);
    }
    sch_shader_destroy(world.program);
    assert_int_equal(read_program(&world, fails, strlen(fails)), SCH_OK);
    const uint32_t before = group.registers[4][0];
    assert_int_not_equal(run(&world, &group, list), SCH_OK);
    assert_int_equal(group.registers[4][0], before);
    assert_true(sch_diagnostics_get(list, sch_diagnostics_count(list) - 1, &info));
    assert_int_equal(info.code, 4325);
    assert_int_equal(info.line, 2);
    sch_diagnostics_destroy(list);
    drop(&world);
}

/* Textures and samplers of pools: two texels, looked at in their middles and far outside, by three samplers. */
static void samplers_of_the_pool_are_used(void **unused)
{
    (void)unused;
    static struct world world;
    static struct maxwell_group group;
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
    struct maxwell_environment *e = &world.environment;
    assert_int_equal(sch_maxwell_pool_assemble(world.context, headers, strlen(headers), NULL, NULL, &world.headers,
                                               &e->machine.header_bytes),
                     SCH_OK);
    assert_int_equal(sch_maxwell_pool_assemble(world.context, samplers, strlen(samplers), NULL, NULL, &world.samplers,
                                               &e->machine.sampler_bytes),
                     SCH_OK);
    e->machine.headers = world.headers;
    e->machine.samplers = world.samplers;
    memcpy(world.memory, texels, sizeof texels);
    for (unsigned i = 0; i < 3; i++) world.constants[i] = i << 20;
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    fill(&group);
    group.active = UINT32_MAX;
    for (unsigned i = 0; i < LANES; i++) {
        const float t = 0.5f;
        memcpy(&group.registers[8][i], &at[i % 4], sizeof *at);
        memcpy(&group.registers[9][i], &t, sizeof t);
    }
    assert_int_equal(run(&world, &group, NULL), SCH_OK);
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

/* Whatever words, pools and registers are, a session explains an instruction's lookup in each lane, or says why not.
 * Returns in how many it was explained. */
static unsigned explain_some(struct world *world, unsigned n, struct maxwell_group *group)
{
    const struct sch_program_options options = {.size = sizeof options, .width = world->environment.width};
    struct sch_program *program = NULL;
    unsigned explained = 0;
    if (sch_program_create(world->context, world->program, &options, NULL, &program) != SCH_OK) return 0;
    struct maxwell_session session = {program, &world->environment, group, NULL};
    enum sch_result result = maxwell_debug(world->context, &session, n / 24 % LANES);
    if (result == SCH_OK) result = sch_debug_seek(session.debug, n / 8 % 3 + 1);
    assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY || result == SCH_ERROR_LIMIT);
    for (uint32_t lane = 0; result == SCH_OK && lane < LANES; lane++) {
        struct sch_explanation *explanation;
        const enum sch_result one = sch_debug_explain(session.debug, lane, &explanation);
        assert_true((one == SCH_OK) == (explanation != NULL));
        assert_true(one == SCH_OK || one == SCH_ERROR_ARGUMENT || one == SCH_ERROR_LIMIT || one == SCH_ERROR_MEMORY);
        sch_explanation_destroy(explanation);
        explained += one == SCH_OK;
    }
    sch_debug_destroy(session.debug);
    sch_program_destroy(program);
    return explained;
}

static void random_words_and_pools(void **unused)
{
    (void)unused;
    static struct world world;
    static struct maxwell_group before, after[3];
    static const unsigned widths[] = {4, 8, 16};
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 20};
    unsigned answers[4] = {0}, explained = 0;
    assert_int_equal(make(&world, NULL, &limits), SCH_OK);
    uint8_t headers[POOL], samplers[POOL];
    assert_int_equal(world.environment.machine.header_bytes, POOL);
    assert_int_equal(world.environment.machine.sampler_bytes, POOL);
    world.environment.machine.headers = headers;
    world.environment.machine.samplers = samplers;
    const unsigned runs = sanitized_share(RUNS, 4);
    for (unsigned n = 0; n < runs; n++) {
        uint8_t code[32];
        memcpy(headers, world.headers, POOL);
        memcpy(samplers, world.samplers, POOL);
        if (n % 2) spoil(headers, POOL);
        if (n % 4 == 3) spoil(samplers, POOL);
        random_bundle(code);
        const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_MAXWELL_RAW};
        assert_int_equal(maxwell_read(world.context, code, sizeof code, &read, NULL, &world.program), SCH_OK);
        fill(&before);
        enum sch_result results[3];
        for (unsigned w = 0; w < 3; w++) {
            world.environment.width = widths[w];
            after[w] = before;
            if (w == 1 && n % 8 == 0) /* which changes nothing of what follows */
                explained += explain_some(&world, n, &after[w]);
            results[w] = run(&world, &after[w], NULL);
        }
        assert_int_equal(results[0], results[1]);
        assert_int_equal(results[0], results[2]);
        assert_memory_equal(&after[0], &after[1], sizeof after[0]);
        assert_memory_equal(&after[0], &after[2], sizeof after[0]);
        assert_true(results[0] == SCH_OK || results[0] == SCH_ERROR_UNSUPPORTED || results[0] == SCH_ERROR_INVALID ||
                    results[0] == SCH_ERROR_LIMIT);
        answers[results[0] == SCH_OK ? memcmp(&before, &after[0], sizeof before) != 0 : 2]++;
        sch_shader_destroy(world.program);
        world.program = NULL;
    }
    print_message("# %u runs wrote something, %u nothing, %u were refused; %u lookups were explained\n", answers[1],
                  answers[0], answers[2], explained);
    assert_true(answers[1] > runs / 3);
    assert_true(explained > runs / 64);
    drop(&world);
}

/* ---- looking on ---- */

/* A session at the end of instruction `number` in lane `lane`. */
static struct sch_debug *stop_after(struct world *world, struct maxwell_session *session, uint32_t number,
                                    uint32_t lane)
{
    if (maxwell_debug(world->context, session, lane) != SCH_OK) fail();
    assert_int_equal(sch_debug_seek(session->debug, number + 1), SCH_OK);
    return session->debug;
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

/* What a lookup read, in each of its lanes: the texel whose bits it returns. */
static void lookups_are_explained(void **unused)
{
    (void)unused;
    static struct world world;
    static struct maxwell_group group;
    static const char text[] = "@!P1 TLD.LZ R0, R8, 0x3, 2D, 0x1;\nTEX.LZ.NODEP R4, R10, 0xb, 2D, 0x1;\n"
                               "TXQ R0, R8, TEX_HEADER_DIMENSION, 0x3, 0x3;\n.word 0x50b0000000070f00;\n"
                               "TXQ R0, R8, TEX_HEADER_DIMENSION, 0x3, 0x3;";
    struct sch_explanation_info info = {.size = sizeof info};
    struct sch_footprint_texel texel = {.size = sizeof texel};
    struct sch_explanation *explanation;
    struct sch_program *program;
    const float at[2] = {3.5f / 8, 2.5f / 8};
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    world.constants[11] = 1 << 20 | 3; /* header 3, and the sampler without filters */
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    assert_int_equal(sch_program_create(world.context, world.program, NULL, NULL, &program), SCH_OK);
    group = (struct maxwell_group){.active = 7, .killed = 4, .predicates = {0, 2}};
    group.registers[8][0] = 5;
    group.registers[9][0] = 6;
    memcpy(&group.registers[10][0], &at[0], sizeof at[0]);
    memcpy(&group.registers[11][0], &at[1], sizeof at[1]);
    struct maxwell_session session = {program, &world.environment, &group, NULL};
    /* PITCH = 64: rows of 64 bytes, texels of 4 bytes. */
    struct sch_debug *debug = stop_after(&world, &session, 0, 0);
    assert_int_equal(sch_debug_explain(debug, 0, &explanation), SCH_OK);
    assert_int_equal(sch_explanation_get_info(explanation, &info), SCH_OK);
    assert_true(sch_explanation_texel(explanation, 0, &texel));
    assert_true(info.texel_count == 1 && texel.x == 5 && texel.y == 6 && texel.weight == 1.0f);
    assert_int_equal(texel.value[0], unorm(world.memory + 6 * 64 + 5 * 4));
    assert_int_equal(info.result[0], texel.value[0]);
    sch_explanation_destroy(explanation);
    assert_int_equal(sch_debug_seek(debug, 2), SCH_OK);
    assert_int_equal(sch_debug_explain(debug, 0, &explanation), SCH_OK);
    assert_int_equal(sch_explanation_get_info(explanation, &info), SCH_OK);
    assert_true(sch_explanation_texel(explanation, 0, &texel) && texel.x == 3 && texel.y == 2 && info.taps == 1);
    assert_int_equal(info.result[0], unorm(world.memory + 2 * 64 + 3 * 4));
    sch_explanation_destroy(explanation);
    /* What the instruction wrote, and what was there. */
    struct sch_debug_change change = {.size = sizeof change};
    uint32_t words[4][32];
    assert_true(sch_debug_change_at(debug, 0, &change));
    assert_int_equal(change.which.file, SCH_FILE_TEMPORARY);
    assert_int_equal(change.which.index, 4);
    assert_int_equal(change.channels, 1);
    assert_int_equal(change.lanes, 3);
    assert_int_equal(change.before[0][0], 0);
    assert_false(sch_debug_change_at(debug, 1, &change));
    assert_int_equal(sch_debug_read(debug, &change.which, words), SCH_OK);
    assert_int_equal(words[0][0], info.result[0]);
    assert_int_equal(words[1][0], 0);
    /* Lanes that do not execute, queries and NOPs look nothing up. */
    static const struct {
        uint32_t number, lane, executes;
    } none[] = {{0, 1, 5}, {1, 2, 3}, {2, 0, 7}, {3, 0, 7}};
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++) {
        struct sch_debug_stop stop = {.size = sizeof stop};
        assert_int_equal(sch_debug_seek(debug, none[n].number), SCH_OK);
        assert_int_equal(sch_debug_get_stop(debug, &stop), SCH_OK);
        assert_int_equal(stop.active, none[n].executes);
        assert_int_equal(stop.instruction, none[n].number);
        assert_int_equal(sch_debug_seek(debug, none[n].number + 1), SCH_OK);
        assert_int_equal(sch_debug_explain(debug, none[n].lane, &explanation), SCH_ERROR_ARGUMENT);
        assert_null(explanation);
    }
    sch_debug_destroy(debug);
    sch_program_destroy(program);
    drop(&world);
}

/* ---- many groups ---- */

/* Each lane has a register of its own; groups on threads find the same headers. */
static void threads_share_what_was_read(void **unused)
{
    (void)unused;
    enum { COUNT = 64 * LANES + 7 };
    static struct world world;
    static uint32_t inputs[COUNT][12], outputs[2][COUNT][12];
    static const char text[] = "TLD.LZ R0, R8, 0x3, 2D, 0x1;\nTXQ R4, R8, TEX_HEADER_DIMENSION, 0x5, 0x3;\n"
                               "TLD.LZ R1, R8, 0x0, 2D, 0x1;";
    struct sch_program *program;
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    assert_int_equal(read_program(&world, text, strlen(text)), SCH_OK);
    assert_int_equal(sch_program_create(world.context, world.program, NULL, NULL, &program), SCH_OK);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned r = 0; r < 12; r++) inputs[i][r] = r < 8 ? i << 8 | r : i >> (r - 8) & 7;
    for (unsigned r = 0; r < COUNT; r++) inputs[r][10] = 0;
    const struct sch_constant_buffer bank = {world.constants, sizeof world.constants};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &bank, .constant_count = 1, .maxwell = &world.environment.machine};
    for (unsigned t = 0; t < 2; t++) {
        const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1 + 2 * t};
        const struct sch_invocations work = {.size = sizeof work,
                                             .count = COUNT,
                                             .inputs = inputs[0],
                                             .input_bytes = sizeof inputs,
                                             .input_registers = 3,
                                             .outputs = outputs[t][0],
                                             .output_bytes = sizeof outputs[t],
                                             .output_registers = 3};
        assert_int_equal(sch_dispatch(program, &bindings, &work, &options, NULL), SCH_OK);
    }
    assert_memory_equal(outputs[0], outputs[1], sizeof outputs[0]);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(outputs[0][i][0], unorm(world.memory + (inputs[i][9] * 64 + inputs[i][8] * 4)));
        assert_int_equal(outputs[0][i][2], inputs[i][2]);   /* which nothing writes */
        assert_int_equal(outputs[0][i][11], inputs[i][11]); /* nor names */
    }
    sch_program_destroy(program);
    drop(&world);
}

/* ---- kernels ---- */

/* One section of several is run, by its name or number; the engine for machine code refuses. */
static void kernels_are_chosen(void **unused)
{
    (void)unused;
    static struct world world;
    static const char text[] = ".section .text.first\nTXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;\n"
                               ".section .text.second\nTXQ R5, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;\nNOP;\n"
                               ".section .text.1\nRTT;\n";
    static const struct {
        const char *kernel;
        enum sch_result read, create;
        const char *name;
    } rows[] = {{NULL, SCH_OK, SCH_ERROR_UNSUPPORTED, "first"},
                {"second", SCH_OK, SCH_OK, "second"},
                {"2", SCH_OK, SCH_OK, "second"},
                {"1", SCH_OK, SCH_ERROR_UNSUPPORTED, "1"}, /* a name comes before a number */
                {"0", SCH_ERROR_INVALID, SCH_OK, NULL},
                {"4", SCH_ERROR_INVALID, SCH_OK, NULL},
                {"", SCH_ERROR_INVALID, SCH_OK, NULL},
                {"third", SCH_ERROR_INVALID, SCH_OK, NULL}};
    assert_int_equal(make(&world, NULL, NULL), SCH_OK);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct sch_read_options options = {.size = sizeof options, .kernel = rows[n].kernel};
        struct sch_shader *shader;
        struct sch_program *program = NULL;
        struct sch_maxwell_section_info section = {.size = sizeof section};
        struct sch_maxwell_code_info info = {.size = sizeof info};
        assert_int_equal(sch_shader_read(world.context, text, strlen(text), &options, NULL, &shader), rows[n].read);
        if (rows[n].read != SCH_OK) continue;
        assert_int_equal(sch_shader_language(shader), SCH_LANGUAGE_MAXWELL);
        assert_true(sch_maxwell_section(shader, 0, &section));
        assert_string_equal(section.name, rows[n].name);
        assert_int_equal(sch_maxwell_get_info(shader, &info), SCH_OK);
        assert_int_equal(info.sections, rows[n].kernel ? 1 : 3);
        assert_int_equal(info.instructions, rows[n].kernel ? 3 : 9);
        assert_int_equal(sch_program_create(world.context, shader, NULL, NULL, &program), rows[n].create);
        sch_program_destroy(program);
        sch_shader_destroy(shader);
    }
    drop(&world);
}

/* ---- memory ---- */

static enum sch_result whole_way(struct world *world, struct maxwell_group *group, struct counting *counting)
{
    const char *text = "TEX.LZ R0, R8, 0x8, 2D, 0xf;\nTLD.LZ R4, R8, 0x2, 1D, 0x1;\nTEX.LZ R0, R8, 0x9, CUBE, 0x3;";
    const struct sch_allocator memory = counting_callbacks(counting);
    enum sch_result result = make(world, &memory, NULL);
    if (result == SCH_OK) result = read_program(world, text, strlen(text));
    if (result == SCH_OK) result = run(world, group, NULL);
    drop(world);
    return result;
}

/* Machine code does without some: what a cache of compiled code has is not read then, and made again. */
static void failing_allocations(void **unused)
{
    (void)unused;
    static struct world world;
    static struct maxwell_group group, before, wanted;
    struct counting counting = {0};
    long without = 0;
    fill(&before);
    wanted = before;
    assert_int_equal(whole_way(&world, &wanted, &counting), SCH_OK);
    assert_int_equal(counting.live, 0);
    long all = counting.calls;
    assert_true(all > 10);
    for (long n = 1; n <= all; n++) {
        counting = (struct counting){.fail_at = n};
        group = before;
        const enum sch_result result = whole_way(&world, &group, &counting);
        if (by_code() && result == SCH_OK) {
            assert_memory_equal(&group, &wanted, sizeof group);
            without++;
        } else {
            assert_int_equal(result, SCH_ERROR_MEMORY);
        }
        if (counting.live != 0) fail_msg("allocation %ld of %ld: %ld blocks leaked", n, all, (long)counting.live);
    }
    assert_true(without < all / 4);
}

/* Textures are kept within limits.memory, all together: two of 1024 by 256 texels have 1 MiB each. */
static void memory_limit(void **unused)
{
    (void)unused;
    static struct world world;
    static struct maxwell_group group;
    static const char pool[] =
        "header 0 PITCH { WIDTH = 1024; HEIGHT = 256; PITCH = 4096; TEXTURE_TYPE = TWO_D_NO_MIPMAP }\n"
        "header 1 PITCH { WIDTH = 1024; HEIGHT = 256; PITCH = 4096; TEXTURE_TYPE = TWO_D_NO_MIPMAP }\n";
    static const struct {
        const char *text;
        size_t limit;
        enum sch_result result;
    } rows[] = {{"TLD.LZ R0, R8, 0x0, 2D, 0xf;\nTLD.LZ R4, R8, 0x1, 2D, 0x1;", 2400000, SCH_OK},
                {"TLD.LZ R0, R8, 0x0, 2D, 0xf;\nTLD.LZ R4, R8, 0x0, 2D, 0x1;", 1600000, SCH_OK},
                {"TLD.LZ R0, R8, 0x0, 2D, 0xf;\nTLD.LZ R4, R8, 0x1, 2D, 0x1;", 1600000, SCH_ERROR_LIMIT},
                {"TLD.LZ R0, R8, 0x1, 2D, 0xf;", 800000, SCH_ERROR_LIMIT}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct sch_limit_options limits = {.size = sizeof limits, .memory = rows[n].limit};
        assert_int_equal(make(&world, NULL, &limits), SCH_OK);
        sch_free(world.context, world.headers);
        assert_int_equal(sch_maxwell_pool_assemble(world.context, pool, strlen(pool), NULL, NULL, &world.headers,
                                                   &world.environment.machine.header_bytes),
                         SCH_OK);
        world.environment.machine.headers = world.headers;
        assert_int_equal(read_program(&world, rows[n].text, strlen(rows[n].text)), SCH_OK);
        fill(&group);
        group.active = UINT32_MAX;
        assert_int_equal(run(&world, &group, NULL), rows[n].result);
        drop(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(samplers_of_the_pool_are_used),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(random_words_and_pools),
        cmocka_unit_test(lookups_are_explained),
        cmocka_unit_test(threads_share_what_was_read),
        cmocka_unit_test(kernels_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
