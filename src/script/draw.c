/* Draws, by the library's pipeline with Direct3D's state, and dispatches. A draw shades the rectangle of pixels around
 * those that probes of the script look at; all of them where the shaders may store to memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* The stages of draws. */
static const struct {
    enum sch_script_stage script;
    enum sch_stage stage;
    const char *word;
} stages[] = {{SCH_SCRIPT_VERTEX, SCH_STAGE_VERTEX, "vertex"},
              {SCH_SCRIPT_HULL, SCH_STAGE_TESS_CTRL, "hull"},
              {SCH_SCRIPT_DOMAIN, SCH_STAGE_TESS_EVAL, "domain"},
              {SCH_SCRIPT_GEOMETRY, SCH_STAGE_GEOMETRY, "geometry"},
              {SCH_SCRIPT_PIXEL, SCH_STAGE_FRAGMENT, "pixel"}};
enum { STAGES = sizeof stages / sizeof *stages };

struct draw {
    struct sch_script_run *run;
    const struct sch_script_item *item;
    struct sch_diagnostics_list *list;
    struct sch_player_state state;
    struct sch_player_object made; /* what the state points to, and a query of the samples that pass */
};

/* ---- what a draw needs ------------------------------------------------------------------------------------------- */

/* Why a shader is not executed; NULL: it is. */
static const char *check_shader(const struct sch_script_run *run, unsigned i)
{
    static const char *const failed[STAGES] = {"its vertex shader failed", "its hull shader failed",
                                               "its domain shader failed", "its geometry shader failed",
                                               "its pixel shader failed"};
    const struct sch_script_loaded *shader = &run->shader[stages[i].script];
    if (!shader->there) return NULL;
    if (shader->failed) return failed[i];
    return *shader->reason ? shader->reason : NULL;
}

/* Why a draw is not executed; NULL: it is. */
static const char *check(const struct sch_script_run *run, const struct sch_script_item *item)
{
    const bool patches = item->draw.primitive == SCH_PRIMITIVE_PATCHES, domain = run->shader[SCH_SCRIPT_DOMAIN].there;
    const char *why = NULL;
    if (!run->shader[SCH_SCRIPT_PIXEL].there) return "there is no pixel shader";
    for (unsigned i = STAGES; i && !why; i--) why = check_shader(run, i - 1);
    if (why) return why;
    if (domain && !patches) return "a domain shader takes patches alone";
    if (patches && !domain && !run->shader[SCH_SCRIPT_GEOMETRY].there) return "patches have no domain shader";
    if (*run->lacking) return run->lacking;
    if (*run->instance[SCH_SCRIPT_DSV][0].stale) return run->instance[SCH_SCRIPT_DSV][0].stale;
    return sch_script_stale(run);
}

/* ---- which pixels ------------------------------------------------------------------------------------------------ */

static void cover(struct sch_scissor *box, const struct sch_script_probe *probe)
{
    if (probe->left < box->left) box->left = probe->left;
    if (probe->top < box->top) box->top = probe->top;
    if (probe->right > box->right) box->right = probe->right;
    if (probe->bottom > box->bottom) box->bottom = probe->bottom;
}

/* The pixels around all that some probe of the script looks at; all, where targets are copied or shaders store. */
static struct sch_scissor find_probed(const struct sch_script_run *run)
{
    static const struct sch_script_probe all = {.right = UINT32_MAX, .bottom = UINT32_MAX};
    struct sch_scissor box = {.left = UINT32_MAX, .top = UINT32_MAX};
    for (size_t i = 0; i < run->script->count; i++) {
        const struct sch_script_item *item = &run->script->items[i];
        if (item->kind == SCH_SCRIPT_ITEM_PROBE && item->probe->slot.kind != SCH_SCRIPT_UAV) cover(&box, item->probe);
        if (item->kind == SCH_SCRIPT_ITEM_COPY && item->copy.from.kind != SCH_SCRIPT_UAV) cover(&box, &all);
    }
    for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++)
        if (run->instance[SCH_SCRIPT_UAV][i].shape) cover(&box, &all);
    box.left &= ~1u; /* whole quads: their other pixels are run anyway */
    box.top &= ~1u;
    box.right += box.right & 1 && box.right != UINT32_MAX;
    box.bottom += box.bottom & 1 && box.bottom != UINT32_MAX;
    return box;
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* ---- objects ---------------------------------------------------------------------------------------------------- */

static enum sch_result link_shaders(struct draw *draw)
{
    struct sch_script_run *run = draw->run;
    const struct sch_program *programs[SCH_PLAYER_STAGES];
    for (unsigned i = 0; i < STAGES; i++) {
        const struct sch_script_loaded *shader = &run->shader[stages[i].script];
        programs[stages[i].stage] = shader->made.program;
        draw->state.bound[stages[i].stage] = sch_script_bind(run, shader);
        if (!draw->state.bound[stages[i].stage]) return SCH_ERROR_MEMORY;
    }
    if (!run->shader[SCH_SCRIPT_VERTEX].there) programs[SCH_STAGE_VERTEX] = sch_script_plain_vertex(run);
    if (!programs[SCH_STAGE_VERTEX]) return SCH_ERROR_MEMORY;
    return sch_player_link(&run->player, programs, NULL, draw->list, &draw->state.draw.pipeline);
}

static enum sch_result make(struct draw *draw)
{
    struct sch_script_run *run = draw->run;
    struct sch_player_state *state = &draw->state;
    struct sch_player_object *made = &draw->made;
    enum sch_result result = run->player.renderer ? SCH_OK : sch_player_begin(&run->player, run->context);
    if (result == SCH_OK) result = sch_script_framebuffer_make(run, draw->list, &state->target);
    if (result == SCH_OK)
        result = sch_script_vertices_make(run, draw->item->draw.quad, state->vertex_buffers, &made->elements);
    if (result == SCH_OK) result = link_shaders(draw);
    if (result == SCH_OK) result = sch_script_rasterizer_make(run, draw->list, &made->rasterizer);
    if (result == SCH_OK)
        result = sch_script_tests_make(run, state->target.formats[SCH_PLAYER_DEPTH_STENCIL] != SCH_FORMAT_NONE,
                                       draw->list, &made->depth_stencil_alpha);
    if (result == SCH_OK) result = sch_query_create(run->context, SCH_QUERY_OCCLUSION_COUNTER, 0, &made->query);
    if (result == SCH_OK) sch_script_dynamic_make(run, &state->target, find_probed(run), &state->dynamic);
    state->dynamic.patch_vertices = draw->item->draw.patch_vertices;
    state->draw.vertex_elements = made->elements;
    state->draw.rasterizer = made->rasterizer;
    state->draw.depth_stencil_alpha = made->depth_stencil_alpha;
    return result;
}

static void release(struct draw *draw)
{
    sch_player_object_release(&draw->made);
    sch_player_state_release(&draw->state);
    sch_diagnostics_destroy(draw->list);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Whether the one triangle of `draw quad` reached every sample that probes can see. */
static bool is_whole(const struct draw *draw)
{
    const struct sch_scissor *box = &draw->state.dynamic.scissors[0];
    struct sch_query_result counted;
    if (!draw->item->draw.quad || draw->run->shader[SCH_SCRIPT_GEOMETRY].there ||
        sch_query_get_result(draw->made.query, &counted) != SCH_OK)
        return false;
    const uint32_t right = lesser(box->right, draw->state.target.width),
                   bottom = lesser(box->bottom, draw->state.target.height);
    if (box->left >= right || box->top >= bottom) return false;
    return counted.values[0] == (uint64_t)(right - box->left) * (bottom - box->top) * draw->state.target.samples;
}

static bool is_one_picture(const struct draw *draw, const struct sch_script_resource *shape)
{
    return shape->layers * shape->depth == 1 && shape->width == draw->state.target.width &&
           shape->height == draw->state.target.height;
}

/* What was not known of a target is known now where every pixel was written. */
static void refresh_targets(const struct draw *draw)
{
    const struct sch_script_loaded *pixel = &draw->run->shader[SCH_SCRIPT_PIXEL];
    struct sch_register_info at = {.size = sizeof at};
    if (!is_whole(draw)) return;
    for (uint32_t i = 0; sch_shader_register(pixel->registers, SCH_FILE_OUTPUT, i, &at); i++) {
        if (strcmp(at.semantic_name, "COLOR") != 0 || at.semantic_index >= SCH_SCRIPT_TARGETS) continue;
        struct sch_script_instance *instance = &draw->run->instance[SCH_SCRIPT_RTV][at.semantic_index];
        if (instance->shape && is_one_picture(draw, instance->shape)) instance->stale[0] = 0;
    }
}

static void fail(const struct draw *draw, enum sch_result result, const struct sch_dispatch_report *report)
{
    const char *stage = "";
    for (unsigned i = 0; i < STAGES; i++)
        if (stages[i].stage == report->stage) stage = stages[i].word;
    switch (result) {
    case SCH_ERROR_MEMORY:
        sch_script_memory(draw->run);
        return;
    case SCH_ERROR_BUDGET:
        sch_script_fail(draw->run, draw->item, "the budget ran out at line %u of the %s shader", report->line, stage);
        break;
    case SCH_ERROR_ABORTED:
        sch_script_fail(draw->run, draw->item, "aborted at line %u of the %s shader", report->line, stage);
        break;
    case SCH_ERROR_WORK:
    case SCH_ERROR_DEADLINE:
    case SCH_ERROR_CANCELLED:
        sch_script_fail(draw->run, draw->item, "%s at line %u of the %s shader", sch_result_text(result), report->line,
                        stage);
        break;
    default:
        sch_script_fail(draw->run, draw->item, "%s", sch_result_text(result));
    }
    sch_script_spoil(draw->run, "its draw failed");
}

static void execute(struct draw *draw)
{
    struct sch_script_run *run = draw->run;
    const struct sch_script_draw *wanted = &draw->item->draw;
    const struct sch_draw what = {.size = sizeof what,
                                  .primitive = wanted->primitive,
                                  .count = wanted->count,
                                  .instance_count = wanted->instances};
    struct sch_dispatch_report report = {.size = sizeof report};
    enum sch_result result = sch_renderer_begin_query(run->player.renderer, draw->made.query);
    if (result == SCH_OK) {
        result = sch_player_draw(&run->player, &draw->state, &what, &run->options.dispatch, &report);
        const enum sch_result flushed = sch_renderer_flush(run->player.renderer, NULL);
        sch_renderer_end_query(run->player.renderer, draw->made.query);
        if (result == SCH_OK) result = flushed;
    }
    if (result == SCH_OK)
        refresh_targets(draw);
    else
        fail(draw, result, &report);
}

void sch_script_draw(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct draw draw = {.run = run, .item = item};
    sch_script_targets(run);
    const char *problem = check(run, item);
    if (problem) {
        sch_script_spoil(run, problem);
        return;
    }
    run->from_hlsl = run->shader[SCH_SCRIPT_PIXEL].from_hlsl;
    enum sch_result result = sch_diagnostics_create(run->context, &draw.list);
    if (result == SCH_OK) result = make(&draw);
    if (result == SCH_OK) {
        execute(&draw);
    } else if (result == SCH_ERROR_MEMORY) {
        sch_script_memory(run);
    } else {
        const struct sch_diagnostic_info why = sch_script_first_error(draw.list, result);
        char reason[SCH_SCRIPT_REASON];
        snprintf(reason, sizeof reason, "cannot be drawn: error %u: %.200s", why.code, why.message);
        sch_script_spoil(run, reason);
    }
    release(&draw);
}

void sch_script_dispatch(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_loaded *shader = &run->shader[SCH_SCRIPT_COMPUTE];
    const char *problem = !shader->there    ? "there is no compute shader"
                          : shader->failed  ? "its compute shader failed"
                          : *shader->reason ? shader->reason
                                            : sch_script_stale(run);
    struct sch_player_bindings *bound = problem ? NULL : sch_script_bind(run, shader);
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
    enum sch_result result = empty ? SCH_OK
                                   : sch_dispatch_grid(shader->made.program, &bound->bindings, item->grid, NULL,
                                                       &run->options.dispatch, &report);
    free(bound);
    if (result != SCH_OK) {
        sch_script_fail(run, item, "%s at line %u, in invocation %u of the grid", sch_result_text(result), report.line,
                        report.invocation);
        sch_script_spoil(run, "its dispatch failed");
    }
}
