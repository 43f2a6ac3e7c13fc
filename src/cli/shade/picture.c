/* Shading a picture: what every input of every pixel is, in quads, and where the colour goes. A picture of colours is
 * one rectangle; of one pixel the whole group runs, as invocations in arrays. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "../support/decimal.h"
#include "common/progress.h"
#include "grid.h"

/* Words that the invocations of one dispatch may take, and how many those are at most. A multiple of 32 at least, so
 * that groups are the same for every picture and memory size. */
enum { DISPATCH_WORDS = 1 << 23, DISPATCH_LARGEST = 1 << 16, GROUP = 32, PIXEL_WORDS = 4 };

/* What an input register of the shader is given. */
enum source {
    SOURCE_ST,       /* (s, t, 0, 1) */
    SOURCE_POSITION, /* pixel centre, 0, 1 */
    SOURCE_HELPER,   /* all ones for a pixel outside the picture */
    SOURCE_LANE,     /* by the number of the invocation in its group */
    SOURCE_WORDS     /* the same for all */
};

#define ONE  0x3f800000u /* 1.0 */
#define HALF 0x3f000000u /* 0.5 */

struct semantic_source {
    const char *semantic;
    bool system_value, input;
    enum source source;
    uint32_t words[4];
};

/* Semantics without a row are zero. */
static const struct semantic_source semantic_sources[] = {
    {"GENERIC", false, true, SOURCE_ST, {0}},
    {"TEXCOORD", false, true, SOURCE_ST, {0}},
    {"COLOR", false, true, SOURCE_ST, {0}},
    {"BCOLOR", false, true, SOURCE_ST, {0}},
    {"PCOORD", false, true, SOURCE_ST, {0}},
    {"POSITION", true, true, SOURCE_POSITION, {0}},
    {"FACE", false, true, SOURCE_WORDS, {ONE, 0, 0, ONE}},
    {"FACE", true, false, SOURCE_WORDS, {0xffffffffu, 0, 0, 1}},
    {"FOG", false, true, SOURCE_WORDS, {0, 0, 0, ONE}},
    {"NORMAL", false, true, SOURCE_WORDS, {0, 0, ONE, 0}},
    {"SAMPLEMASK", true, true, SOURCE_WORDS, {1, 0, 0, 0}},
    {"SAMPLEPOS", true, false, SOURCE_WORDS, {HALF, HALF, 0, 0}},
    {"HELPER_INVOCATION", true, false, SOURCE_HELPER, {0}},
    {"SUBGROUP_SIZE", true, false, SOURCE_LANE, {0}},
    {"SUBGROUP_INVOCATION", true, false, SOURCE_LANE, {0}},
    {"SUBGROUP_EQ_MASK", true, false, SOURCE_LANE, {0}},
    {"SUBGROUP_GE_MASK", true, false, SOURCE_LANE, {0}},
    {"SUBGROUP_GT_MASK", true, false, SOURCE_LANE, {0}},
    {"SUBGROUP_LE_MASK", true, false, SOURCE_LANE, {0}},
    {"SUBGROUP_LT_MASK", true, false, SOURCE_LANE, {0}},
};

/* A declared register and what fills it. */
struct filler {
    uint32_t index;
    const char *semantic; /* of its row */
    enum source source;
    uint32_t words[4];
};

struct fillers {
    struct filler *list;
    uint32_t count, registers; /* `registers`: highest index + 1 */
};

struct painter {
    uint32_t width, height;
    struct sch_cli_rows rows; /* that are drawn */
    bool lower_left, integer_centers;
    struct fillers inputs, system_values;
    struct sch_render_target targets[SCH_CLI_TARGETS];
    uint32_t target_count;
    uint32_t capacity;
    uint32_t *input_words, *system_value_words;
    size_t input_bytes, system_value_bytes;
    uint32_t *pixels; /* x, y, layer 0 and sample 0 of each invocation */
    uint8_t *helpers;
};

struct sch_cli_rows sch_cli_rows_around(struct sch_cli_rows rows, uint32_t width, uint32_t height)
{
    /* A group is 8 quads: it ends with its row, or continues in the next ones, 16 at most. */
    const uint32_t step = width % 16 ? 16 : 2;
    if (!rows.count) return (struct sch_cli_rows){.count = height};
    const uint32_t first = rows.first - rows.first % step, left = height - first;
    const uint32_t count = (rows.first + rows.count - first + step - 1) / step * step;
    return (struct sch_cli_rows){.first = first, .count = count < left ? count : left};
}

static struct filler choose_filler(const struct sch_register_info *at, bool system_value)
{
    struct filler filler = {.index = at->index, .source = SOURCE_WORDS};
    if (at->semantic < 0 && !system_value) filler.source = SOURCE_ST;
    for (size_t i = 0; i < sizeof semantic_sources / sizeof *semantic_sources; i++) {
        const struct semantic_source *row = &semantic_sources[i];
        if (strcmp(row->semantic, at->semantic_name) != 0 || !(system_value ? row->system_value : row->input)) continue;
        filler.semantic = row->semantic;
        filler.source = row->source;
        memcpy(filler.words, row->words, sizeof filler.words);
        break;
    }
    return filler;
}

static bool choose_fillers(const struct sch_shader *shader, enum sch_file file, uint32_t registers,
                           struct fillers *fillers)
{
    struct sch_register_info at = {.size = sizeof at};
    uint32_t count = 0;
    while (sch_shader_register(shader, file, count, &at)) count++;
    *fillers = (struct fillers){.count = count, .registers = registers};
    fillers->list = calloc((size_t)count + 1, sizeof *fillers->list);
    if (!fillers->list) return false;
    for (uint32_t i = 0; i < count; i++)
        if (sch_shader_register(shader, file, i, &at))
            fillers->list[i] = choose_filler(&at, file == SCH_FILE_SYSTEM_VALUE);
    return true;
}

static void fill_register(const struct painter *painter, const struct filler *filler, uint32_t invocation,
                          uint32_t words[4])
{
    float x = (float)painter->pixels[PIXEL_WORDS * invocation],
          y = (float)painter->pixels[PIXEL_WORDS * invocation + 1];
    float center = painter->integer_centers ? 0.0f : 0.5f;
    memset(words, 0, 4 * sizeof *words);
    switch (filler->source) {
    case SOURCE_ST:
        words[0] = sch_float_bits((x + 0.5f) / (float)painter->width);
        words[1] = sch_float_bits((y + 0.5f) / (float)painter->height);
        words[3] = ONE;
        break;
    case SOURCE_POSITION:
        /* Rows of the picture count from above; LOWER_LEFT counts them from below. */
        words[0] = sch_float_bits(x + center);
        words[1] = sch_float_bits((painter->lower_left ? (float)painter->height - 1.0f - y : y) + center);
        words[3] = ONE;
        break;
    case SOURCE_HELPER:
        words[0] = painter->helpers[invocation] ? 0xffffffffu : 0;
        break;
    case SOURCE_LANE:
        words[0] = sch_cli_lane_value(filler->semantic, invocation % GROUP);
        break;
    case SOURCE_WORDS:
        memcpy(words, filler->words, sizeof filler->words);
        break;
    }
}

static void fill_file(const struct painter *painter, const struct fillers *fillers, uint32_t count, uint32_t *words)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t f = 0; f < fillers->count; f++)
            fill_register(painter, &fillers->list[f], i,
                          words + ((size_t)i * fillers->registers + fillers->list[f].index) * 4);
}

/* Takes quads from number `quad` on, row by row, until the room is full or the picture ends; invocations past its
 * right and lower edges are helpers. Returns how many invocations there are. */
static uint32_t take_quads(struct painter *painter, uint64_t quad)
{
    uint32_t across = (painter->width + 1) / 2, down = (painter->height + 1) / 2;
    uint64_t all = (uint64_t)across * down;
    uint32_t count = 0;
    for (; quad < all && count < painter->capacity; quad++)
        for (uint32_t corner = 0; corner < 4; corner++, count++) {
            uint32_t x = (uint32_t)(quad % across) * 2 + (corner & 1),
                     y = (uint32_t)(quad / across) * 2 + (corner >> 1);
            painter->pixels[PIXEL_WORDS * count] = x;
            painter->pixels[PIXEL_WORDS * count + 1] = y;
            painter->helpers[count] = x >= painter->width || y >= painter->height;
        }
    return count;
}

static void painter_release(struct painter *painter)
{
    free(painter->inputs.list);
    free(painter->system_values.list);
    free(painter->input_words);
    free(painter->system_value_words);
    free(painter->pixels);
    free(painter->helpers);
}

static bool painter_allocate(struct painter *painter)
{
    size_t words = ((size_t)painter->inputs.registers + painter->system_values.registers) * 4 + 1;
    size_t capacity = DISPATCH_WORDS / words / GROUP * GROUP;
    painter->capacity = capacity < GROUP ? GROUP : capacity > DISPATCH_LARGEST ? DISPATCH_LARGEST : (uint32_t)capacity;
    capacity = painter->capacity;
    bool room = sch_cli_registers(capacity, painter->inputs.registers, &painter->input_words, &painter->input_bytes) &&
                sch_cli_registers(capacity, painter->system_values.registers, &painter->system_value_words,
                                  &painter->system_value_bytes);
    painter->pixels = calloc(capacity * PIXEL_WORDS, sizeof(uint32_t));
    painter->helpers = calloc(capacity, 1);
    return room && painter->pixels && painter->helpers;
}

/* The register of a COLOR. */
static bool find_color(const struct sch_shader *shader, uint32_t index, uint32_t *color)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(shader, SCH_FILE_OUTPUT, i, &at); i++)
        if (strcmp(at.semantic_name, "COLOR") == 0 && at.semantic_index == index) {
            *color = at.index;
            return true;
        }
    return index && sch_shader_property(shader, "FS_COLOR0_WRITES_ALL_CBUFS", 0) && find_color(shader, 0, color);
}

static bool find_depth(const struct sch_shader *shader, uint32_t *depth)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(shader, SCH_FILE_OUTPUT, i, &at); i++)
        if (strcmp(at.semantic_name, "POSITION") == 0) {
            *depth = at.index;
            return true;
        }
    return false;
}

/* Where the shader's outputs go. Pictures of outputs that it lacks stay empty, which is reported. */
static void find_targets(struct painter *painter, const struct sch_cli_shader *shader,
                         const struct sch_cli_shading *shading)
{
    for (uint32_t i = 0; i < shading->target_count; i++) {
        const struct sch_cli_target *target = &shading->targets[i];
        const size_t row = shading->width * sch_cli_target_texel_bytes(target);
        struct sch_render_target made = {.pixels = target->texels,
                                         .bytes = row * painter->rows.count,
                                         .row_bytes = row,
                                         .first_row = painter->rows.first,
                                         .format = target->words ? SCH_RENDER_TARGET_WORDS : SCH_RENDER_TARGET_UNORM8};
        const bool depth = target->index == SCH_CLI_DEPTH;
        if (depth ? find_depth(shader->shader, &made.output) : find_color(shader->shader, target->index, &made.output))
            painter->targets[painter->target_count++] = made;
        else if (depth)
            sch_cli_fail(SCH_CLI_YES, "%s writes no depth: the picture stays empty", shader->input.name);
        else
            sch_cli_fail(SCH_CLI_YES, "%s writes no COLOR %u: the picture stays empty", shader->input.name,
                         target->index);
    }
}

/* The invocations that the painter has filled its arrays for. */
static struct sch_invocations work_of(const struct painter *painter)
{
    const size_t capacity = painter->capacity;
    return (struct sch_invocations){.size = sizeof(struct sch_invocations),
                                    .quads = true,
                                    .inputs = painter->input_words,
                                    .input_bytes = painter->input_bytes,
                                    .input_registers = painter->inputs.registers,
                                    .system_values = painter->system_value_words,
                                    .system_value_bytes = painter->system_value_bytes,
                                    .system_value_registers = painter->system_values.registers,
                                    .helpers = painter->helpers,
                                    .helper_bytes = capacity,
                                    .pixels = painter->pixels,
                                    .pixel_bytes = capacity * PIXEL_WORDS * sizeof(uint32_t)};
}

/* ---- one pixel ---- */

static bool copy_registers(uint32_t **to, const uint32_t *from, uint32_t invocation, uint32_t registers)
{
    const size_t bytes = (size_t)registers * 4 * sizeof **to;
    *to = calloc(1, bytes + 1);
    if (*to && bytes) memcpy(*to, from + (size_t)invocation * registers * 4, bytes);
    return *to;
}

/* Lane numbers and what lanes see of each other are as in the picture: the whole group runs. */
static enum sch_cli_exit run_pixel(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                   const struct sch_program *program, struct painter *painter, uint32_t outputs,
                                   struct sch_cli_invocation *pixel)
{
    struct sch_cli_bindings bound;
    uint8_t killed[GROUP];
    const uint32_t quad = pixel->at[1] / 2 * ((painter->width + 1) / 2) + pixel->at[0] / 2,
                   first = quad / (GROUP / 4) * (GROUP / 4);
    const uint32_t lane = (quad - first) * 4 + (pixel->at[1] & 1) * 2 + (pixel->at[0] & 1);
    painter->capacity = GROUP;
    struct sch_invocations work = work_of(painter);
    work.input_bytes = (size_t)GROUP * painter->inputs.registers * 16;
    work.system_value_bytes = (size_t)GROUP * painter->system_values.registers * 16;
    work.output_registers = outputs;
    work.killed = killed;
    work.killed_bytes = sizeof killed;
    work.count = take_quads(painter, first);
    fill_file(painter, &painter->inputs, work.count, painter->input_words);
    fill_file(painter, &painter->system_values, work.count, painter->system_value_words);
    if (!sch_cli_registers(GROUP, outputs, &work.outputs, &work.output_bytes)) {
        free(work.outputs);
        return sch_cli_no_memory();
    }
    sch_cli_bind(setup, &setup->constants, &bound);
    struct sch_dispatch_report report = {.size = sizeof report};
    const enum sch_result result = sch_dispatch(program, &bound.bindings, &work, &setup->dispatch, &report);
    char who[80];
    const uint32_t *guilty = painter->pixels + (size_t)PIXEL_WORDS * (report.invocation % GROUP);
    snprintf(who, sizeof who, "pixel %u,%u", guilty[0], guilty[1]);
    enum sch_cli_exit exit_code = sch_cli_dispatched(setup, result, &report, shader, who);
    pixel->killed = exit_code == SCH_CLI_YES && killed[lane];
    if (exit_code == SCH_CLI_YES &&
        (!copy_registers(&pixel->inputs, painter->input_words, lane, painter->inputs.registers) ||
         !copy_registers(&pixel->system_values, painter->system_value_words, lane, painter->system_values.registers) ||
         !copy_registers(&pixel->outputs, work.outputs, lane, outputs)))
        exit_code = sch_cli_no_memory();
    free(work.outputs);
    return exit_code;
}

/* ---- a picture of colours ---- */

/* What `fill_register` says, as planes over the picture: the same sums and quotients. False: execution knows it. */
static bool plan_register(const struct painter *painter, const struct filler *filler,
                          struct sch_rectangle_register *plan)
{
    const float width = (float)painter->width, height = (float)painter->height;
    const float center = painter->integer_centers ? 0.0f : 0.5f;
    plan->index = filler->index;
    memcpy(plan->words, filler->words, sizeof plan->words);
    if (filler->source == SOURCE_WORDS) return true;
    plan->planar = 3;
    plan->words[3] = ONE;
    if (filler->source == SOURCE_ST) {
        plan->planes[0] = (struct sch_plane){{0.5f, 1, 0}, {width, 0, 0}};
        plan->planes[1] = (struct sch_plane){{0.5f, 0, 1}, {height, 0, 0}};
        return true;
    }
    /* Sums of halves below 2^23 are exact in any order. */
    const float first = painter->lower_left ? height - 1.0f + center : center;
    plan->planes[0] = (struct sch_plane){{center, 1, 0}, {1, 0, 0}};
    plan->planes[1] = (struct sch_plane){{first, 0, painter->lower_left ? -1.0f : 1.0f}, {1, 0, 0}};
    return filler->source == SOURCE_POSITION;
}

static uint32_t plan_file(const struct painter *painter, const struct fillers *fillers, bool system_value,
                          struct sch_rectangle_register *plans)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < fillers->count; f++) {
        plans[count] = (struct sch_rectangle_register){.system_value = system_value};
        count += plan_register(painter, &fillers->list[f], &plans[count]);
    }
    return count;
}

static enum sch_cli_exit with_rectangle(const struct sch_cli_setup *setup, const struct painter *painter,
                                        sch_cli_use_rectangle *use, void *user)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(setup, &setup->constants, &bound);
    size_t registers = (size_t)painter->inputs.count + painter->system_values.count;
    struct sch_rectangle_register *plans = calloc(registers + 1, sizeof *plans);
    if (!plans) return sch_cli_no_memory();
    uint32_t count = plan_file(painter, &painter->inputs, false, plans);
    count += plan_file(painter, &painter->system_values, true, plans + count);
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .y = painter->rows.first,
                                            .width = painter->width,
                                            .height = painter->rows.count,
                                            .registers = plans,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = count,
                                            .render_targets = painter->targets,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = painter->target_count};
    enum sch_cli_exit exit_code = use(user, &rectangle, &bound.bindings);
    free(plans);
    return exit_code;
}

struct drawing {
    const struct sch_cli_setup *setup;
    const struct sch_cli_shader *shader;
    const struct sch_program *program;
};

static enum sch_cli_exit draw_rectangle(void *user, const struct sch_rectangle *rectangle,
                                        const struct sch_bindings *bindings)
{
    const struct drawing *drawing = user;
    struct sch_dispatch_report report = {.size = sizeof report};
    enum sch_result result =
        sch_dispatch_rectangle(drawing->program, bindings, rectangle, &drawing->setup->dispatch, &report);
    uint32_t quad = report.invocation / 4, across = (rectangle->width + 1) / 2;
    char who[80];
    snprintf(who, sizeof who, "pixel %u,%u", quad % across * 2 + (report.invocation & 1),
             rectangle->y + quad / across * 2 + (report.invocation >> 1 & 1));
    return sch_cli_dispatched(drawing->setup, result, &report, drawing->shader, who);
}

/* What the shader's registers are given in a picture. */
static enum sch_cli_exit make_painter(const struct sch_cli_shader *shader, const struct sch_cli_shading *shading,
                                      struct painter *painter)
{
    struct sch_shader_info info = {.size = sizeof info};
    *painter = (struct painter){.width = shading->width,
                                .height = shading->height,
                                .rows = sch_cli_rows_around(shading->rows, shading->width, shading->height)};
    enum sch_result result = sch_shader_get_info(shader->shader, &info);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    painter->lower_left = sch_shader_property(shader->shader, "FS_COORD_ORIGIN", 0) == 1;
    painter->integer_centers = sch_shader_property(shader->shader, "FS_COORD_PIXEL_CENTER", 0) == 1;
    find_targets(painter, shader, shading);
    if (choose_fillers(shader->shader, SCH_FILE_INPUT, info.inputs, &painter->inputs) &&
        choose_fillers(shader->shader, SCH_FILE_SYSTEM_VALUE, info.system_values, &painter->system_values))
        return SCH_CLI_YES;
    return sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_with_rectangle(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                         const struct sch_cli_shading *shading, sch_cli_use_rectangle *use, void *user)
{
    struct painter painter;
    enum sch_cli_exit exit_code = make_painter(shader, shading, &painter);
    if (exit_code == SCH_CLI_YES) exit_code = with_rectangle(setup, &painter, use, user);
    painter_release(&painter);
    return exit_code;
}

enum sch_cli_exit sch_cli_shade(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                const struct sch_program *program, const struct sch_cli_shading *shading)
{
    struct drawing drawing = {.setup = setup, .shader = shader, .program = program};
    return sch_cli_with_rectangle(setup, shader, shading, draw_rectangle, &drawing);
}

enum sch_cli_exit sch_cli_shade_pixel(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                      const struct sch_program *program, const struct sch_cli_shading *shading,
                                      struct sch_cli_invocation *pixel)
{
    struct painter painter;
    struct sch_shader_info info = {.size = sizeof info};
    const struct sch_cli_shading alone = {.width = shading->width, .height = shading->height};
    enum sch_cli_exit exit_code = make_painter(shader, &alone, &painter);
    if (exit_code == SCH_CLI_YES && !painter_allocate(&painter)) exit_code = sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_result(sch_shader_get_info(shader->shader, &info), NULL, shader->input.name);
    if (exit_code == SCH_CLI_YES) exit_code = run_pixel(setup, shader, program, &painter, info.outputs, pixel);
    painter_release(&painter);
    return exit_code;
}
