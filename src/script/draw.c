/* Draws over all of the viewport, and dispatches. A draw shades the quads that probes of the script look at; all of
 * them where the shader may store to memory. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { DEPTH_GREATER = 2, DEPTH_LESS = 3 }; /* FS_DEPTH_LAYOUT */
enum { MOST_REGISTERS = 128 };
enum { BATCH = 8192 }; /* invocations at once; a multiple of 32 */

struct draw {
    struct sch_script_run *run;
    const struct sch_script_item *item;
    struct sch_script_loaded *shader;
    struct sch_script_bindings *bound;
    struct sch_script_triangle triangle;
    struct sch_invocations work;
    uint32_t width, height, samples;
    uint32_t sample, mask, whole; /* the one that is shaded; which are drawn to; and would be without any mask */
    bool all_quads, lost;         /* lost: some pixel was killed */
    uint32_t *inputs, *system_values, *outputs;
    uint32_t pixels[BATCH][2];
    uint8_t helpers[BATCH], killed[BATCH];
};

/* ---- what a draw needs ------------------------------------------------------------------------------------------- */

/* Direct3D has 32 of each at most. */
static bool has_many_registers(const struct sch_script_loaded *shader)
{
    return shader->info.inputs > MOST_REGISTERS || shader->info.outputs > MOST_REGISTERS ||
           shader->info.system_values > MOST_REGISTERS;
}

/* Why the stages cannot be executed; NULL: they can. */
static const char *check_stages(struct sch_script_run *run)
{
    static const enum sch_script_stage none[] = {SCH_SCRIPT_HULL, SCH_SCRIPT_DOMAIN, SCH_SCRIPT_GEOMETRY};
    const struct sch_script_loaded *pixel = &run->shader[SCH_SCRIPT_PIXEL], *vertex = &run->shader[SCH_SCRIPT_VERTEX];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (run->shader[none[i]].there) return "needs the pipeline: a hull, domain or geometry shader";
    if (!pixel->there) return "there is no pixel shader";
    if (pixel->failed) return "its pixel shader failed";
    if (*pixel->reason) return pixel->reason;
    if (vertex->there && vertex->failed) return "its vertex shader failed";
    if (vertex->there && *vertex->reason) return vertex->reason;
    if (*run->state) return run->state;
    if (has_many_registers(pixel) || (vertex->there && has_many_registers(vertex)))
        return "needs the pipeline: more registers than draws fill";
    return NULL;
}

/* The size and samples of the render targets, which must be the same plain picture. */
static const char *check_targets(struct sch_script_run *run, struct draw *draw)
{
    sch_script_targets(run);
    for (unsigned i = 0; i < SCH_SCRIPT_TARGETS; i++) {
        const struct sch_script_resource *shape = run->live[SCH_SCRIPT_RTV][i].shape;
        if (!shape) continue;
        if ((shape->shape != SCH_SCRIPT_2D && shape->shape != SCH_SCRIPT_2D_MS) || shape->levels > 1)
            return "needs the pipeline: a render target with layers or levels";
        if (draw->width &&
            (shape->width != draw->width || shape->height != draw->height || shape->samples != draw->samples))
            return "needs the pipeline: render targets of different sizes";
        draw->width = shape->width;
        draw->height = shape->height;
        draw->samples = shape->samples;
    }
    const struct sch_script_resource *depth = run->live[SCH_SCRIPT_DSV][0].shape;
    if (!depth) return draw->width ? NULL : "there is no render target";
    if (!draw->width) {
        draw->width = depth->width;
        draw->height = depth->height;
        draw->samples = 1;
    }
    if (depth->shape != SCH_SCRIPT_2D || depth->levels > 1 || depth->width != draw->width ||
        depth->height != draw->height || draw->samples > 1)
        return "needs the pipeline: a depth buffer of another size";
    return run->depth ? NULL : "needs the pipeline: a depth buffer without a function";
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

static bool is_early(const struct draw *draw)
{
    return sch_shader_property(draw->shader->registers, "FS_EARLY_DEPTH_STENCIL", 0) != 0;
}

/* What the test compares: the triangle's depth, or the shader's, which conservative depth keeps on one side of it. A
 * test before the shader knows the first alone. */
static float depth_of(const struct draw *draw, uint32_t i)
{
    struct sch_register_info at = {.size = sizeof at};
    uint32_t place[4];
    float plain, value;
    sch_script_triangle_position(&draw->triangle, draw->pixels[i][0], draw->pixels[i][1], place);
    memcpy(&plain, &place[2], sizeof plain);
    value = plain;
    uint32_t layout = sch_shader_property(draw->shader->registers, "FS_DEPTH_LAYOUT", 0);
    for (uint32_t n = 0; !is_early(draw) && sch_shader_register(draw->shader->registers, SCH_REGISTERS_OUTPUT, n, &at);
         n++)
        if (strcmp(at.semantic_name, "POSITION") == 0)
            memcpy(&value, &draw->outputs[((size_t)i * draw->shader->info.outputs + at.index) * 4 + 2], sizeof value);
    if (layout == DEPTH_GREATER && value < plain) value = plain;
    if (layout == DEPTH_LESS && value > plain) value = plain;
    if (!(value > 0)) return 0;
    return value < 1 ? value : 1;
}

static bool compare_depth(enum sch_compare function, float source, float target)
{
    switch (function) {
    case SCH_COMPARE_NEVER:
        return false;
    case SCH_COMPARE_LESS:
        return source < target;
    case SCH_COMPARE_EQUAL:
        return source == target;
    case SCH_COMPARE_LEQUAL:
        return source <= target;
    case SCH_COMPARE_GREATER:
        return source > target;
    case SCH_COMPARE_NOTEQUAL:
        return source != target;
    case SCH_COMPARE_GEQUAL:
        return source >= target;
    case SCH_COMPARE_ALWAYS:
    case SCH_COMPARE_NONE:
        break;
    }
    return true;
}

static size_t pixel_number(const struct draw *draw, uint32_t i)
{
    return (size_t)draw->pixels[i][1] * draw->width + draw->pixels[i][0];
}

/* Tests a pixel against the depth buffer, and puts its depth there where it passes. */
static bool pass_depth(struct draw *draw, uint32_t i)
{
    struct sch_script_live *live = &draw->run->live[SCH_SCRIPT_DSV][0];
    if (!live->shape) return true;
    uint8_t *place = live->bytes + pixel_number(draw, i) * 4;
    float target, source = depth_of(draw, i);
    memcpy(&target, place, sizeof target);
    if (!compare_depth(draw->run->depth, source, target)) return false;
    memcpy(place, &source, sizeof source);
    return true;
}

/* Shaders that read which sample they shade run once for each. The places of samples are not known here, so that such
 * shaders may not have inputs. */
static const char *check_samples(struct draw *draw, bool *each)
{
    struct sch_register_info at = {.size = sizeof at};
    *each = false;
    if (draw->samples < 2) return NULL;
    for (uint32_t n = 0; sch_shader_register(draw->shader->registers, SCH_REGISTERS_SYSTEM_VALUE, n, &at); n++) {
        *each |= strcmp(at.semantic_name, "SAMPLEID") == 0;
        if (strcmp(at.semantic_name, "SAMPLEPOS") == 0) return "needs the pipeline: places of samples";
    }
    return *each && draw->shader->info.inputs ? "needs the pipeline: inputs at samples" : NULL;
}

/* ---- which quads ------------------------------------------------------------------------------------------------- */

static void mark(struct sch_script_run *run, uint32_t across, uint32_t x, uint32_t y)
{
    run->probed[(size_t)(y / 2) * across + x / 2] = true;
}

static void mark_probe(struct sch_script_run *run, uint32_t across, const struct sch_script_probe *probe)
{
    uint32_t right = probe->right < run->probed_width ? probe->right : run->probed_width;
    uint32_t bottom = probe->bottom < run->probed_height ? probe->bottom : run->probed_height;
    for (uint32_t y = probe->top; y < bottom; y++)
        for (uint32_t x = probe->left; x < right; x++) mark(run, across, x, y);
}

/* The quads of a picture of this size that some probe of the script looks at; all, where the script copies targets. */
static bool find_probed(struct sch_script_run *run, uint32_t width, uint32_t height)
{
    static const struct sch_script_probe all = {.right = UINT32_MAX, .bottom = UINT32_MAX};
    uint32_t across = (width + 1) / 2, down = (height + 1) / 2;
    if (run->probed && run->probed_width == width && run->probed_height == height) return true;
    free(run->probed);
    run->probed_width = width;
    run->probed_height = height;
    run->probed = calloc((size_t)across * down, sizeof *run->probed);
    if (!run->probed) return false;
    for (size_t i = 0; i < run->script->count; i++) {
        const struct sch_script_item *item = &run->script->items[i];
        if (item->kind == SCH_SCRIPT_ITEM_PROBE && item->probe->slot.kind != SCH_SCRIPT_UAV)
            mark_probe(run, across, item->probe);
        if (item->kind == SCH_SCRIPT_ITEM_COPY && item->copy.from.kind != SCH_SCRIPT_UAV) mark_probe(run, across, &all);
    }
    return true;
}

/* ---- pixels ------------------------------------------------------------------------------------------------------ */

static void fill_inputs(struct draw *draw, uint32_t i)
{
    struct sch_register_info at = {.size = sizeof at};
    uint32_t x = draw->pixels[i][0], y = draw->pixels[i][1], registers = draw->shader->info.inputs;
    for (uint32_t n = 0; sch_shader_register(draw->shader->registers, SCH_REGISTERS_INPUT, n, &at); n++) {
        uint32_t *words = draw->inputs + ((size_t)i * registers + at.index) * 4;
        if (strcmp(at.semantic_name, "POSITION") == 0)
            sch_script_triangle_position(&draw->triangle, x, y, words);
        else if (strcmp(at.semantic_name, "FACE") == 0)
            words[0] = 0x3f800000u;
        else
            sch_script_triangle_input(&draw->triangle, draw->shader, at.index, x, y, words);
    }
}

static void fill_system(struct draw *draw, uint32_t i)
{
    struct sch_register_info at = {.size = sizeof at};
    uint32_t registers = draw->shader->info.system_values;
    for (uint32_t n = 0; sch_shader_register(draw->shader->registers, SCH_REGISTERS_SYSTEM_VALUE, n, &at); n++) {
        uint32_t *words = draw->system_values + ((size_t)i * registers + at.index) * 4;
        if (strcmp(at.semantic_name, "FACE") == 0) words[0] = UINT32_MAX;
        if (strcmp(at.semantic_name, "SAMPLEMASK") == 0) words[0] = draw->mask;
        if (strcmp(at.semantic_name, "SAMPLEID") == 0) words[0] = draw->sample;
        if (strcmp(at.semantic_name, "HELPER_INVOCATION") == 0) words[0] = draw->helpers[i] ? UINT32_MAX : 0;
        if (strcmp(at.semantic_name, "POSITION") == 0)
            sch_script_triangle_position(&draw->triangle, draw->pixels[i][0], draw->pixels[i][1], words);
        if (strcmp(at.semantic_name, "SAMPLEPOS") == 0) words[0] = words[1] = 0x3f000000u;
    }
}

/* The samples that a pixel draws to: the shader may take some away. */
static uint32_t pixel_mask(const struct draw *draw, uint32_t i)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t n = 0; sch_shader_register(draw->shader->registers, SCH_REGISTERS_OUTPUT, n, &at); n++)
        if (strcmp(at.semantic_name, "SAMPLEMASK") == 0)
            return draw->mask & draw->outputs[((size_t)i * draw->shader->info.outputs + at.index) * 4];
    return draw->mask;
}

/* A target with a format of the tables has one sample. */
static void put_pixel(struct draw *draw, struct sch_script_live *live, uint32_t i, uint32_t output, uint32_t mask)
{
    const uint32_t *color = draw->outputs + ((size_t)i * draw->shader->info.outputs + output) * 4;
    if (mask) sch_script_texels_put(draw->run, live, 1, draw->pixels[i], color);
}

static void store_pixel(struct draw *draw, uint32_t i)
{
    struct sch_register_info at = {.size = sizeof at};
    if (draw->helpers[i]) return;
    uint32_t mask = draw->killed[i] ? 0 : pixel_mask(draw, i);
    if (mask && !is_early(draw) && !pass_depth(draw, i)) mask = 0;
    if (mask != draw->whole) draw->lost = true;
    size_t pixel = pixel_number(draw, i);
    for (uint32_t n = 0; sch_shader_register(draw->shader->registers, SCH_REGISTERS_OUTPUT, n, &at); n++) {
        if (strcmp(at.semantic_name, "COLOR") != 0 || at.semantic_index >= SCH_SCRIPT_TARGETS) continue;
        struct sch_script_live *live = &draw->run->live[SCH_SCRIPT_RTV][at.semantic_index];
        if (!live->shape) continue;
        if (live->shape->format) {
            put_pixel(draw, live, i, at.index, mask);
            continue;
        }
        size_t texel = (size_t)live->shape->channels * 4, plane = (size_t)draw->width * draw->height * texel;
        for (uint32_t sample = 0; sample < draw->samples; sample++)
            if (mask >> sample & 1)
                memcpy(live->bytes + sample * plane + pixel * texel,
                       draw->outputs + ((size_t)i * draw->shader->info.outputs + at.index) * 4, texel);
    }
}

/* What was not known of a target is known now where every pixel was written. */
static void refresh_targets(struct draw *draw)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t n = 0; !draw->lost && sch_shader_register(draw->shader->registers, SCH_REGISTERS_OUTPUT, n, &at); n++)
        if (strcmp(at.semantic_name, "COLOR") == 0 && at.semantic_index < SCH_SCRIPT_TARGETS)
            draw->run->live[SCH_SCRIPT_RTV][at.semantic_index].stale[0] = 0;
}

static void fail_at(const struct draw *draw, enum sch_result result, const struct sch_dispatch_report *report)
{
    const uint32_t *pixel = draw->pixels[report->invocation];
    switch (result) {
    case SCH_ERROR_BUDGET:
        sch_script_fail(draw->run, draw->item, "the budget ran out at line %u, in pixel %u,%u", report->line, pixel[0],
                        pixel[1]);
        break;
    case SCH_ERROR_ABORTED:
        sch_script_fail(draw->run, draw->item, "aborted at line %u, by pixel %u,%u", report->line, pixel[0], pixel[1]);
        break;
    case SCH_ERROR_WORK:
    case SCH_ERROR_DEADLINE:
    case SCH_ERROR_CANCELLED:
        sch_script_fail(draw->run, draw->item, "%s at line %u, in pixel %u,%u", sch_result_text(result), report->line,
                        pixel[0], pixel[1]);
        break;
    default:
        sch_script_fail(draw->run, draw->item, "%s", sch_result_text(result));
    }
}

static bool shade(struct draw *draw, uint32_t count)
{
    struct sch_dispatch_report report = {.size = sizeof report};
    if (!count) return true;
    for (uint32_t i = 0; i < count; i++) {
        if (is_early(draw) && !draw->helpers[i] && !pass_depth(draw, i)) draw->helpers[i] = draw->lost = true;
        fill_inputs(draw, i);
        fill_system(draw, i);
    }
    draw->work.count = count;
    enum sch_result result =
        sch_dispatch(draw->shader->program, &draw->bound->bindings, &draw->work, &draw->run->options.dispatch, &report);
    if (result != SCH_OK) {
        fail_at(draw, result, &report);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) store_pixel(draw, i);
    return true;
}

static bool shade_quads(struct draw *draw)
{
    uint32_t across = (draw->width + 1) / 2, down = (draw->height + 1) / 2, count = 0;
    for (size_t quad = 0; quad < (size_t)across * down; quad++) {
        if (!draw->all_quads && !draw->run->probed[quad]) continue;
        for (uint32_t corner = 0; corner < 4; corner++, count++) {
            uint32_t x = (uint32_t)(quad % across) * 2 + (corner & 1), y = (uint32_t)(quad / across) * 2 + corner / 2;
            draw->pixels[count][0] = x;
            draw->pixels[count][1] = y;
            draw->helpers[count] = x >= draw->width || y >= draw->height;
        }
        if (count < BATCH) continue;
        if (!shade(draw, count)) return false;
        count = 0;
    }
    return shade(draw, count);
}

static bool draw_allocate(struct draw *draw)
{
    const struct sch_shader_info *info = &draw->shader->info;
    draw->work = (struct sch_invocations){.size = sizeof draw->work,
                                          .quads = true,
                                          .input_registers = info->inputs,
                                          .system_value_registers = info->system_values,
                                          .helpers = draw->helpers,
                                          .helper_bytes = sizeof draw->helpers,
                                          .output_registers = info->outputs,
                                          .killed = draw->killed,
                                          .killed_bytes = sizeof draw->killed,
                                          .samples = draw->samples};
    bool room =
        sch_script_registers(BATCH, info->inputs, &draw->inputs, &draw->work.input_bytes) &&
        sch_script_registers(BATCH, info->system_values, &draw->system_values, &draw->work.system_value_bytes) &&
        sch_script_registers(BATCH, info->outputs, &draw->outputs, &draw->work.output_bytes);
    draw->work.inputs = draw->inputs;
    draw->work.system_values = draw->system_values;
    draw->work.outputs = draw->outputs;
    return room;
}

static void draw_release(struct draw *draw)
{
    free(draw->inputs);
    free(draw->system_values);
    free(draw->outputs);
    free(draw->triangle.outputs);
    free(draw->bound);
}

static bool has_stores(const struct sch_script_run *run)
{
    for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++)
        if (run->live[SCH_SCRIPT_UAV][i].shape) return true;
    return false;
}

/* All quads, once, or once for each sample. */
static bool shade_samples(struct draw *draw, bool each)
{
    draw->whole = (1u << draw->samples) - 1; /* 16 samples at most */
    draw->mask = draw->whole & draw->run->sample_mask;
    if (!each) return shade_quads(draw);
    for (draw->sample = 0; draw->sample < draw->samples; draw->sample++) {
        draw->whole = 1u << draw->sample;
        draw->mask = draw->whole & draw->run->sample_mask;
        if (!shade_quads(draw)) return false;
    }
    return true;
}

void sch_script_draw_quad(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct draw draw = {.run = run, .item = item, .shader = &run->shader[SCH_SCRIPT_PIXEL]};
    bool failed = false, each = false;
    const char *problem = check_targets(run, &draw), *stages = check_stages(run);
    if (stages) problem = stages;
    if (!problem) problem = sch_script_stale(run);
    if (!problem && run->live[SCH_SCRIPT_DSV][0].stale[0]) problem = run->live[SCH_SCRIPT_DSV][0].stale;
    if (!problem) problem = check_samples(&draw, &each);
    if (problem) {
        sch_script_spoil(run, problem);
        return;
    }
    run->from_hlsl = draw.shader->from_hlsl;
    draw.all_quads = has_stores(run);
    draw.bound = malloc(sizeof *draw.bound);
    if (!draw.bound || !draw_allocate(&draw) || !find_probed(run, draw.width, draw.height)) {
        draw_release(&draw);
        sch_script_memory(run);
        return;
    }
    sch_script_bind(run, draw.shader, draw.bound);
    draw.triangle.width = draw.width;
    draw.triangle.height = draw.height;
    problem = sch_script_triangle_make(run, &draw.bound->bindings, &draw.triangle, &failed);
    if (failed) sch_script_fail(run, item, "%s", problem);
    if (!problem && !shade_samples(&draw, each)) problem = "its draw failed";
    if (problem)
        sch_script_spoil(run, problem);
    else
        refresh_targets(&draw);
    sch_script_pull(run);
    draw_release(&draw);
}

void sch_script_dispatch(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_loaded *shader = &run->shader[SCH_SCRIPT_COMPUTE];
    const char *problem = !shader->there    ? "there is no compute shader"
                          : shader->failed  ? "its compute shader failed"
                          : *shader->reason ? shader->reason
                                            : sch_script_stale(run);
    struct sch_script_bindings *bound = problem ? NULL : malloc(sizeof *bound);
    if (!problem && !bound) {
        sch_script_memory(run);
        return;
    }
    if (problem) {
        sch_script_spoil(run, problem);
        return;
    }
    struct sch_dispatch_report report = {.size = sizeof report};
    run->from_hlsl = shader->from_hlsl;
    bool empty = !item->grid[0] || !item->grid[1] || !item->grid[2]; /* the library takes 0 as 1 */
    sch_script_bind(run, shader, bound);
    enum sch_result result =
        empty ? SCH_OK
              : sch_dispatch_grid(shader->program, &bound->bindings, item->grid, NULL, &run->options.dispatch, &report);
    free(bound);
    if (result != SCH_OK) {
        sch_script_fail(run, item, "%s at line %u, in invocation %u of the grid", sch_result_text(result), report.line,
                        report.invocation);
        sch_script_spoil(run, "its dispatch failed");
    }
    sch_script_pull(run);
}
