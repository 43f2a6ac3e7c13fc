/* Fuzz target: running shaders. The input is a shader, TGSI as text or as tokens. Where it is valid and small it runs
 * on the interpreter, and as machine code where there is its compiler (SCH_BUILD/src/jit; else the interpreter at
 * another width), for groups with all lanes and with some, on the same data, which the input's hash decides. The
 * results must have the same bits: outputs, memory, images, vertices, where a run fails, how many instructions ran.
 * Machine code itself is not instrumented; what it calls is. Compiling takes most of the time: tens of milliseconds an
 * input. */
#include <string.h>

#include <scheelite/scheelite.h>

#include "fuzz.h"

enum {
    TEXT = 4096,       /* bytes of input, and ... */
    INSTRUCTIONS = 48, /* ... instructions and ... */
    TEMPORARIES = 64,  /* ... registers, at most */
    BUDGET = 200,      /* turns and calls of an invocation */
    MOST = 75,         /* two full groups and a part of one */
    FULL = 64,
    VERTICES = 4,
    REGISTERS = 4,
    VALUES = 6,
    OUTPUTS = 3,
    EVENTS = 16,
    CONSTANTS = 16,
    BUFFERS = 4,
    BUFFER_WORDS = 64,
    UNITS = 8,
    IMAGES = 4,
    SIDE = 4, /* of textures, in texels */
    PATH_SIZE = 4096
};

struct filling {
    uint32_t inputs[MOST][VERTICES][REGISTERS][4], values[MOST][VALUES][4], planes[MOST][REGISTERS][4][4];
    uint32_t constants[2][CONSTANTS][4], memory[BUFFERS][BUFFER_WORDS], texels[SIDE * SIDE * 6];
    uint8_t helpers[MOST];
};

struct results {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t outputs[MOST][OUTPUTS][4], events[MOST][EVENTS], event_counts[MOST];
    uint32_t event_outputs[MOST][EVENTS][OUTPUTS][4], memory[BUFFERS][BUFFER_WORDS];
    uint32_t images[IMAGES][SIDE * SIDE * 6];
    uint8_t killed[MOST];
};

struct world {
    struct sch_context *context;
    struct sch_resource *textures[UNITS], *memory[IMAGES];
    struct sch_view *views[UNITS];
    struct sch_sampler *samplers[UNITS];
    struct sch_image *images[IMAGES];
};

static struct filling filling;
static struct results wanted, made;

/* ---- data ---- */

static uint64_t next_number(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Small integers, floats near one, any bits, and what is special to floats. */
static uint32_t next_word(uint64_t *state)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x007fffff, 0x00800000, 0x7f7fffff,
                                       0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x3f800000,
                                       0xbf800000, 0x7fffffff, 0xffffffff, 0x4f000000, 0xcf000000, 0x4f800000};
    uint64_t z = next_number(state);
    float near = (float)(int32_t)(z >> 32 & 0xffff) / 4096.0f - 4.0f;
    uint32_t word;
    memcpy(&word, &near, sizeof word);
    if (z % 5 == 0) return (uint32_t)(z >> 40) % 12;
    if (z % 5 == 1) return (uint32_t)(z >> 32);
    return z % 5 == 2 ? special[(z >> 32) % (sizeof special / sizeof *special)] : word;
}

static void fill(void *to, size_t bytes, uint64_t *state)
{
    for (size_t i = 0; i < bytes / 4; i++) ((uint32_t *)to)[i] = next_word(state);
}

static void fill_data(const uint8_t *input, size_t bytes)
{
    uint64_t state = bytes;
    for (size_t i = 0; i < bytes; i++) state = (state ^ input[i]) * 0x100000001b3u; /* FNV */
    fill(&filling, offsetof(struct filling, helpers), &state);
    for (unsigned i = 0; i < MOST; i++) filling.helpers[i] = next_number(&state) % 8 == 0;
}

/* ---- what all inputs share ---- */

static bool make_texture(struct world *world, unsigned target, const char *format, struct sch_resource **made_one)
{
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = target,
                                               .format = sch_format_by_name(format),
                                               .width = SIDE,
                                               .height = SIDE,
                                               .depth = target == SCH_TARGET_3D ? 3 : 1,
                                               .layers = target == SCH_TARGET_CUBE       ? 6
                                                         : target == SCH_TARGET_2D_ARRAY ? 2
                                                                                         : 1,
                                               .levels = 1};
    return sch_resource_create(world->context, &shape, NULL, made_one) == SCH_OK;
}

static bool make_bound(struct world *world)
{
    static const enum sch_target targets[] = {SCH_TARGET_2D, SCH_TARGET_CUBE, SCH_TARGET_3D, SCH_TARGET_2D_ARRAY};
    bool good = true;
    for (unsigned u = 0; u < UNITS && good; u++) {
        const struct sch_sampler_options state = {.size = sizeof state,
                                                  .wrap_s = u % 2 ? SCH_WRAP_REPEAT : SCH_WRAP_CLAMP_TO_EDGE,
                                                  .mag_filter = u / 2 % 2 ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST};
        good =
            make_texture(world, targets[u % 4], u / 4 ? "R32G32B32A32_FLOAT" : "R8G8B8A8_UNORM", &world->textures[u]) &&
            sch_view_create(world->textures[u], NULL, &world->views[u]) == SCH_OK &&
            sch_sampler_create(world->context, &state, NULL, &world->samplers[u]) == SCH_OK;
    }
    for (unsigned i = 0; i < IMAGES && good; i++)
        good = make_texture(world, targets[i], "R32_UINT", &world->memory[i]) &&
               sch_image_create(world->memory[i], NULL, &world->images[i]) == SCH_OK;
    return good;
}

static struct world *open_world(void)
{
    static struct world world;
    static char compiler[PATH_SIZE];
    if (world.context) return &world;
    const char *build = getenv("SCH_BUILD");
    snprintf(compiler, sizeof compiler, "%s/src/jit/libscheelite-jit.so.1", build ? build : ".");
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = compiler};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    if (sch_context_create(&options, &world.context) != SCH_OK) return NULL;
    return make_bound(&world) ? &world : NULL;
}

static void write_images(struct world *world)
{
    for (unsigned i = 0; i < IMAGES; i++)
        sch_resource_write_all(world->memory[i], filling.texels, sch_resource_bytes(world->memory[i]));
}

static void write_textures(struct world *world)
{
    static uint32_t words[SIDE * SIDE * 6 * 4];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) words[i] = filling.texels[i % (SIDE * SIDE * 6)];
    for (unsigned u = 0; u < UNITS; u++)
        sch_resource_write_all(world->textures[u], words, sch_resource_bytes(world->textures[u]));
}

/* ---- one run ---- */

static void run(struct world *world, const struct sch_program *program, enum sch_stage stage, unsigned count,
                struct results *results)
{
    static const uint8_t given[VALUES] = {0, 0, 1, 1, 1, 1};
    struct sch_constant_buffer constants[2];
    struct sch_storage_buffer buffers[BUFFERS];
    memset(results, 0, sizeof *results);
    memcpy(results->memory, filling.memory, sizeof results->memory);
    write_images(world);
    for (unsigned b = 0; b < 2; b++)
        constants[b] = (struct sch_constant_buffer){filling.constants[b], sizeof filling.constants[b]};
    for (unsigned b = 0; b < BUFFERS; b++)
        buffers[b] = (struct sch_storage_buffer){results->memory[b], sizeof results->memory[b] - 4 * b};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = constants,
                                          .constant_count = 2,
                                          .views = world->views,
                                          .view_count = UNITS,
                                          .samplers = world->samplers,
                                          .sampler_count = UNITS,
                                          .buffers = buffers,
                                          .buffer_count = BUFFERS - 1,
                                          .hw_atomics = buffers + BUFFERS - 1,
                                          .hw_atomic_count = 1,
                                          .images = world->images,
                                          .image_count = IMAGES};
    const bool vertices = stage == SCH_STAGE_GEOMETRY || stage == SCH_STAGE_TESS_CTRL || stage == SCH_STAGE_TESS_EVAL;
    const bool helps = stage == SCH_STAGE_FRAGMENT && count != FULL;
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = count,
                                         .quads = stage == SCH_STAGE_FRAGMENT,
                                         .inputs = filling.inputs[0][0][0],
                                         .input_bytes = sizeof filling.inputs,
                                         .input_registers = REGISTERS,
                                         .input_vertices = vertices ? VERTICES : 0,
                                         .system_values = filling.values[0][0],
                                         .system_value_bytes = sizeof filling.values,
                                         .system_value_registers = VALUES,
                                         .system_value_given = given,
                                         .system_value_given_bytes = sizeof given,
                                         .helpers = helps ? filling.helpers : NULL,
                                         .helper_bytes = helps ? sizeof filling.helpers : 0,
                                         .planes = filling.planes[0][0][0],
                                         .plane_bytes = sizeof filling.planes,
                                         .plane_registers = REGISTERS,
                                         .samples = 4,
                                         .outputs = results->outputs[0][0],
                                         .output_bytes = sizeof results->outputs,
                                         .output_registers = OUTPUTS,
                                         .killed = results->killed,
                                         .killed_bytes = sizeof results->killed,
                                         .event_capacity = EVENTS,
                                         .event_registers = OUTPUTS,
                                         .events = results->events[0],
                                         .event_bytes = sizeof results->events,
                                         .event_counts = results->event_counts,
                                         .event_count_bytes = sizeof results->event_counts,
                                         .event_outputs = results->event_outputs[0][0][0],
                                         .event_output_bytes = sizeof results->event_outputs};
    const struct sch_dispatch_options options = {.size = sizeof options, .budget = BUDGET};
    static const uint32_t grid[3] = {2, 1, 1};
    results->report.size = sizeof results->report;
    if (stage == SCH_STAGE_COMPUTE && count == FULL)
        results->result = sch_dispatch_grid(program, &bindings, grid, NULL, &options, &results->report);
    else
        results->result = sch_dispatch(program, &bindings, &work, &options, &results->report);
    for (unsigned i = 0; i < IMAGES; i++)
        sch_resource_read_all(world->memory[i], results->images[i], sch_resource_bytes(world->memory[i]));
}

/* What a failed run leaves behind is not promised, only where it failed; outputs of helpers do not count. */
static const char *difference(bool helpers)
{
    if (made.result != wanted.result) return "machine code ends otherwise";
    if (made.result == SCH_ERROR_BUDGET || made.result == SCH_ERROR_BARRIER || made.result == SCH_ERROR_ABORTED)
        if (made.report.instruction != wanted.report.instruction || made.report.invocation != wanted.report.invocation)
            return "machine code fails at another place";
    if (made.result != SCH_OK) return NULL;
    for (unsigned i = 0; i < MOST; i++) {
        if (helpers && filling.helpers[i]) continue;
        if (memcmp(made.outputs[i], wanted.outputs[i], sizeof made.outputs[i]) != 0) return "outputs differ";
        if (made.killed[i] != wanted.killed[i]) return "killed lanes differ";
    }
    if (memcmp(made.memory, wanted.memory, sizeof made.memory) != 0) return "memory differs";
    if (memcmp(made.images, wanted.images, sizeof made.images) != 0) return "images differ";
    if (memcmp(made.event_counts, wanted.event_counts, sizeof made.event_counts) != 0) return "events differ";
    if (memcmp(made.events, wanted.events, sizeof made.events) != 0) return "events differ";
    if (memcmp(made.event_outputs, wanted.event_outputs, sizeof made.event_outputs) != 0) return "vertices differ";
    return made.report.instructions == wanted.report.instructions ? NULL : "numbers of instructions differ";
}

static const char *compare(struct world *world, const struct sch_program *first, const struct sch_program *second,
                           enum sch_stage stage)
{
    const char *finding = NULL;
    for (unsigned turn = 0; turn < 2 && !finding; turn++) {
        const unsigned count = turn ? FULL : MOST;
        run(world, first, stage, count, &wanted);
        run(world, second, stage, count, &made);
        finding = difference(stage == SCH_STAGE_FRAGMENT && count != FULL);
    }
    return finding;
}

static const char *check_shader(struct world *world, const struct sch_shader *shader)
{
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_program_options options = {.size = sizeof options, .engine = SCH_ENGINE_INTERPRETER};
    struct sch_program *first = NULL, *second = NULL;
    if (sch_shader_get_info(shader, &info) != SCH_OK || info.instructions > INSTRUCTIONS ||
        info.temporaries > TEMPORARIES)
        return NULL;
    if (sch_program_create(world->context, shader, &options, NULL, &first) != SCH_OK) return NULL;
    options.engine = SCH_ENGINE_JIT;
    enum sch_result result = sch_program_create(world->context, shader, &options, NULL, &second);
    if (result == SCH_ERROR_UNSUPPORTED) {
        options.engine = SCH_ENGINE_INTERPRETER;
        options.width = 4;
        result = sch_program_create(world->context, shader, &options, NULL, &second);
    }
    const char *finding = result == SCH_OK ? compare(world, first, second, info.stage)
                                           : "the interpreter takes it, machine code does not";
    sch_program_destroy(second);
    sch_program_destroy(first);
    return finding;
}

const char *sch_fuzz_check(const uint8_t *input, size_t bytes)
{
    struct sch_shader *shader;
    struct world *world = open_world();
    if (!world) return "nothing can be made";
    if (bytes > TEXT || sch_shader_read(world->context, input, bytes, NULL, NULL, &shader) != SCH_OK) return NULL;
    fill_data(input, bytes);
    write_textures(world);
    const char *finding = check_shader(world, shader);
    sch_shader_destroy(shader);
    return finding;
}

SCH_FUZZ_TARGET
