/* Renderers: what they keep from draw to draw, their fences, clears and blits. Draws are in draws.c, queries in
 * queries.c. */
#include <math.h>

#include "api/draw.h"
#include "texture/transfers.h"

struct sch_fence {
    struct sch_context *context;
};

enum sch_result sch_renderer_create(struct sch_context *context, struct sch_renderer **renderer)
{
    struct sch_api_call call;
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (renderer) *renderer = NULL;
    if (!sch_api_given(&call, renderer, "renderer") || !sch_api_given(&call, context, "context"))
        return sch_api_refused(&call);
    struct sch_renderer *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_no_memory(context);
    made->context = context;
    made->scratch = sch_draw_scratch_create(&context->allocator, context->limits.memory);
    if (!made->scratch) {
        sch_renderer_destroy(made);
        return sch_api_no_memory(context);
    }
    *renderer = made;
    return SCH_OK;
}

void sch_renderer_destroy(struct sch_renderer *renderer)
{
    if (!renderer) return;
    if (renderer->history) renderer->history->renderer = NULL;
    if (renderer->scratch) {
        sch_draw_finish(renderer->scratch);
        sch_draw_scratch_destroy(renderer->scratch);
    }
    sch_api_free(renderer->context, renderer);
}

/* ---- fences ---- */

/* Nothing works while the caller does not call: fences are of what is done. */
enum sch_result sch_renderer_flush(struct sch_renderer *renderer, struct sch_fence **fence)
{
    if (fence) *fence = NULL;
    if (!renderer) return SCH_ERROR_ARGUMENT; /* and there is no context to report it to */
    const enum sch_result result = sch_draw_finish(renderer->scratch);
    if (!fence || result != SCH_OK) return result;
    struct sch_fence *made = sch_api_alloc(renderer->context, sizeof *made);
    if (!made) return sch_api_no_memory(renderer->context);
    made->context = renderer->context;
    *fence = made;
    return SCH_OK;
}

bool sch_fence_wait(struct sch_fence *fence, uint32_t milliseconds)
{
    (void)milliseconds;
    return fence != NULL;
}

void sch_fence_destroy(struct sch_fence *fence)
{
    if (fence) sch_api_free(fence->context, fence);
}

/* ---- clears ---- */

static int32_t least(uint32_t a, uint32_t b) { return (int32_t)(a < b ? a : b); }

/* What the scissor leaves of the framebuffer; false: nothing. */
static bool take_box(const struct sch_framebuffer_clear *clear, const struct sch_draw_framebuffer *framebuffer,
                     struct sch_box *box)
{
    int32_t left = 0, top = 0, right = (int32_t)framebuffer->width, bottom = (int32_t)framebuffer->height;
    if (clear->scissored) {
        left = least(clear->scissor.left, framebuffer->width);
        top = least(clear->scissor.top, framebuffer->height);
        right = least(clear->scissor.right, framebuffer->width);
        bottom = least(clear->scissor.bottom, framebuffer->height);
    }
    *box = (struct sch_box){left, top, 0, right - left, bottom - top, 1};
    return left < right && top < bottom;
}

/* Clears those of `parts` that the attachment has. */
static enum sch_result clear_attachment(const struct sch_api_attachment *attachment,
                                        const struct sch_draw_target *target, const struct sch_framebuffer_clear *clear,
                                        uint32_t parts, const struct sch_box *box, const struct sch_moving *moving,
                                        struct sch_diagnostics *list)
{
    struct sch_format_info is = {.size = sizeof is};
    if (!attachment->texture) return SCH_OK;
    if (sch_format_get_info((enum sch_format)target->format, &is) != SCH_OK || !(parts & is.parts)) return SCH_OK;
    struct sch_clear one = {.size = sizeof one,
                            .level = attachment->level,
                            .box = *box,
                            .format = (enum sch_format)target->format,
                            .parts = parts & is.parts,
                            .color = clear->color,
                            .depth = (float)clear->depth,
                            .stencil = clear->stencil};
    one.box.z = (int32_t)attachment->first_layer;
    one.box.depth = (int32_t)target->layers; /* all, also where another attachment has fewer (OpenGL 4.6, 9.8) */
    return sch_texture_clear(attachment->texture, &one, moving, list);
}

static enum sch_result clear_all(const struct sch_framebuffer *framebuffer, const struct sch_framebuffer_clear *clear,
                                 const struct sch_moving *moving, struct sch_diagnostics *list)
{
    struct sch_box box;
    const uint32_t color = clear->parts & SCH_PART_COLOR, rest = clear->parts & ~(uint32_t)SCH_PART_COLOR;
    if (!take_box(clear, &framebuffer->draw, &box)) return SCH_OK;
    enum sch_result result = SCH_OK;
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS && color && result == SCH_OK; i++)
        if (!clear->colors || clear->colors >> i & 1)
            result = clear_attachment(&framebuffer->colors[i], &framebuffer->draw.colors[i], clear, color, &box, moving,
                                      list);
    if (rest && result == SCH_OK)
        result = clear_attachment(&framebuffer->depth_stencil, &framebuffer->draw.depth_stencil, clear, rest, &box,
                                  moving, list);
    return result;
}

static enum sch_result clear_recorded(struct sch_renderer *renderer, const struct sch_framebuffer *framebuffer,
                                      const struct sch_framebuffer_clear *clear, const struct sch_moving *moving,
                                      struct sch_diagnostics *list)
{
    struct sch_api_recorded recorded;
    enum sch_result result = sch_api_history_begin_clear(renderer->history, framebuffer, clear, &recorded);
    if (result == SCH_OK) result = clear_all(framebuffer, clear, moving, list);
    sch_api_history_end(&recorded);
    return result;
}

static bool clear_holds(const struct sch_renderer *renderer, const struct sch_framebuffer *framebuffer,
                        const struct sch_framebuffer_clear *clear, struct sch_diagnostics *list)
{
    const uint32_t all = SCH_PART_COLOR | SCH_PART_DEPTH | SCH_PART_STENCIL;
    if (framebuffer->context != renderer->context)
        return sch_refuse_argument(list, "framebuffer", "clear: a framebuffer of another context");
    if (clear->parts & ~all) return sch_refuse_argument(list, ".parts", "clear: parts 0x%x", clear->parts);
    if (clear->colors >> SCH_COLOR_BUFFERS)
        return sch_refuse_argument(list, ".colors", "clear: colors 0x%x", clear->colors);
    return !isnan(clear->depth) || sch_refuse_argument(list, ".depth", "clear: depth is NaN");
}

enum sch_result sch_renderer_clear(struct sch_renderer *renderer, const struct sch_framebuffer *framebuffer,
                                   const struct sch_framebuffer_clear *clear, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_framebuffer_clear wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(renderer), diagnostics, __func__, "clear");
    if (!sch_api_given(&call, renderer, "renderer") || !sch_api_given(&call, framebuffer, "framebuffer") ||
        !sch_api_given(&call, clear, "clear") ||
        !sch_api_read(&call, "clear", &wanted, sizeof wanted, sizeof wanted, clear) ||
        !sch_api_take_moving(&call, wanted.moving, &moving) || !clear_holds(renderer, framebuffer, &wanted, call.list))
        return sch_api_refused(&call);
    const enum sch_result waited = sch_draw_finish(renderer->scratch);
    if (waited != SCH_OK) return sch_api_end(&call, waited);
    const bool done = !sch_api_condition_holds(renderer);
    return sch_api_end(&call, done ? SCH_OK : clear_recorded(renderer, framebuffer, &wanted, &moving, call.list));
}

enum sch_result sch_renderer_blit(struct sch_renderer *renderer, struct sch_resource *to,
                                  const struct sch_resource *from, const struct sch_blit *blit, bool conditional,
                                  struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_blit wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(renderer), diagnostics, __func__, "blit");
    if (!sch_api_given(&call, renderer, "renderer") || !sch_api_given(&call, to, "to") ||
        !sch_api_given(&call, from, "from") ||
        !sch_api_read(&call, "blit", &wanted, sizeof wanted, sizeof wanted, blit) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    if (to->context != renderer->context) return sch_api_wrong(&call, "to", "the resource is of another context");
    if (from->context != renderer->context) return sch_api_wrong(&call, "from", "the resource is of another context");
    enum sch_result result = sch_draw_finish(renderer->scratch);
    if (result != SCH_OK || (conditional && !sch_api_condition_holds(renderer))) return sch_api_end(&call, result);
    struct sch_api_recorded recorded;
    result = sch_api_history_begin_blit(renderer->history, to, blit, &recorded);
    if (result == SCH_OK)
        result = sch_texture_blit(to->texture, from->texture, &wanted, &to->context->allocator, &moving, call.list);
    sch_api_history_end(&recorded);
    return sch_api_end(&call, result);
}
