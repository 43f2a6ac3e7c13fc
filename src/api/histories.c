/* Histories of pixels: which calls of a renderer concern a pixel, and what its texels are as numbers. What draws do to
 * it is recorded by src/pipeline/history.c. */
#include <string.h>

#include "api/draw.h"
#include "ops/texture/format.h"
#include "pipeline/output_key.h"
#include "texture/convert.h"

enum { DEFAULT_EVENTS = 1024 };

/* ---- histories ---- */

static bool pixel_holds(const struct sch_pixel_history_options *wanted, const struct sch_texture_surface *surface,
                        struct sch_diagnostics *list)
{
    const char *beyond = wanted->x >= surface->side[0]       ? ".x"
                         : wanted->y >= surface->side[1]     ? ".y"
                         : wanted->layer >= surface->side[2] ? ".layer"
                                                             : NULL;
    if (beyond)
        return sch_refuse_argument(list, beyond, "pixel history: pixel %u, %u of layer %u, of %u x %u and %u layers",
                                   wanted->x, wanted->y, wanted->layer, surface->side[0], surface->side[1],
                                   surface->side[2]);
    if ((uint64_t)wanted->samples >> surface->samples)
        return sch_refuse_argument(list, ".samples", "pixel history: samples 0x%x, of %u", wanted->samples,
                                   surface->samples);
    return true;
}

static enum sch_result describe(struct sch_texture_resource *texture, const struct sch_pixel_history_options *wanted,
                                struct sch_diagnostics *list, struct sch_pixel_history *made)
{
    struct sch_texels texels;
    if (sch_texture_resource_shape(texture)->target == SCH_TARGET_BUFFER) {
        sch_refuse_argument(list, "resource", "pixel history: of a BUFFER");
        return SCH_ERROR_ARGUMENT;
    }
    const enum sch_result result =
        sch_texels_of(texture, wanted->level, SCH_FORMAT_NONE, &sch_texels_plain, &texels, list);
    if (result != SCH_OK) return result;
    const struct sch_texture_surface *surface = &texels.surface;
    const bool color = sch_format_is_color((enum sch_format)texels.format);
    if (!color && !sch_format_is_depth_stencil((enum sch_format)texels.format))
        return sch_texels_refuse(SCH_ERROR_UNSUPPORTED, list, "pixel history: format %s cannot be drawn to",
                                 sch_texels_format_name(texels.format));
    if (!pixel_holds(wanted, surface, list)) return SCH_ERROR_ARGUMENT;
    struct sch_draw_target *own = color ? &made->own.colors[0] : &made->own.depth_stencil;
    *own = (struct sch_draw_target){
        .texels = sch_surface_row(surface, (size_t)wanted->layer * surface->samples, 0),
        .row_bytes = surface->row_bytes,
        .slice_bytes = surface->slice_bytes,
        .width = surface->side[0],
        .height = surface->side[1],
        .layers = 1,
        .samples = surface->samples,
        .format = (uint16_t)texels.format,
        .texel_bytes = (uint8_t)surface->block.bytes,
    };
    made->level = wanted->level;
    made->layer = wanted->layer;
    made->history = (struct sch_history){.allocator = made->context->allocator,
                                         .x = wanted->x,
                                         .y = wanted->y,
                                         .samples = surface->samples,
                                         .wanted = wanted->samples ? wanted->samples : UINT32_MAX,
                                         .limit = wanted->max_events ? wanted->max_events : DEFAULT_EVENTS};
    return SCH_OK;
}

enum sch_result sch_pixel_history_create(struct sch_resource *resource, const struct sch_pixel_history_options *options,
                                         struct sch_diagnostics_list *diagnostics, struct sch_pixel_history **made)
{
    struct sch_api_call call;
    struct sch_pixel_history_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!sch_api_given(&call, made, "made") || !sch_api_given(&call, resource, "resource") ||
        !sch_api_given(&call, options, "options") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    struct sch_pixel_history *object = sch_api_alloc(resource->context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = resource->context;
    const enum sch_result result = sch_api_end(&call, describe(resource->texture, &wanted, call.list, object));
    if (result != SCH_OK) {
        sch_api_free(resource->context, object);
        return result;
    }
    object->texture = resource->texture;
    sch_texture_resource_retain(object->texture);
    *made = object;
    return SCH_OK;
}

void sch_pixel_history_destroy(struct sch_pixel_history *history)
{
    if (!history) return;
    sch_history_release(&history->history);
    sch_texture_resource_release(history->texture);
    sch_api_free(history->context, history);
}

/* ---- what no event explains ---- */

static bool is_color(const struct sch_pixel_history *history) { return history->own.colors[0].texels != NULL; }

/* Without what is between members: callers may compare events byte by byte. */
static struct sch_pixel_event pattern_of(const struct sch_pixel_history *history, enum sch_pixel_event_kind kind)
{
    struct sch_pixel_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.label = history->label;
    event.call = history->calls;
    event.buffer = is_color(history) ? 0 : SCH_COLOR_BUFFERS;
    return event;
}

static const uint8_t *texel_of(const struct sch_pixel_history *history, uint32_t sample)
{
    const struct sch_draw_target *own = is_color(history) ? &history->own.colors[0] : &history->own.depth_stencil;
    return own->texels + sample * own->slice_bytes + history->history.y * own->row_bytes +
           (size_t)history->history.x * own->texel_bytes;
}

static size_t texel_bytes(const struct sch_pixel_history *history)
{
    return is_color(history) ? history->own.colors[0].texel_bytes : history->own.depth_stencil.texel_bytes;
}

static void remember(struct sch_pixel_history *history)
{
    for (uint32_t s = 0; s < history->history.samples; s++)
        memcpy(history->last[s], texel_of(history, s), texel_bytes(history));
}

/* An event if the pixel is not as the last one left it. */
static enum sch_result note(struct sch_pixel_history *history)
{
    struct sch_history *inner = &history->history;
    const unsigned buffer = is_color(history) ? 0 : SCH_COLOR_BUFFERS;
    const struct sch_pixel_event pattern = pattern_of(history, SCH_PIXEL_OTHER);
    bool same = true;
    uint32_t event;
    for (uint32_t s = 0; s < inner->samples; s++)
        same &= !(inner->wanted >> s & 1) || memcmp(history->last[s], texel_of(history, s), texel_bytes(history)) == 0;
    if (same) return SCH_OK;
    sch_history_begin(inner, &history->own, 0, &pattern);
    if (sch_history_add(inner, SCH_PIXEL_PASSED, &event) != SCH_OK) return sch_api_no_memory(history->context);
    sch_history_after(inner, event);
    for (uint32_t s = 0; s < inner->samples && event != UINT32_MAX; s++)
        memcpy(inner->states[(size_t)event * inner->samples + s].before.texels[buffer], history->last[s],
               texel_bytes(history));
    remember(history);
    return SCH_OK;
}

enum sch_result sch_pixel_history_set_label(struct sch_pixel_history *history, uint64_t label)
{
    if (!history) return SCH_ERROR_ARGUMENT; /* and there is no context to report it to */
    const enum sch_result result = history->renderer ? note(history) : SCH_OK;
    history->label = label;
    return result;
}

enum sch_result sch_renderer_record_pixel(struct sch_renderer *renderer, struct sch_pixel_history *history)
{
    struct sch_api_call call;
    sch_api_begin(&call, renderer ? renderer->context : SCH_API_CONTEXT_OF(history), NULL, __func__, NULL);
    if (!sch_api_given(&call, renderer, "renderer")) return sch_api_refused(&call);
    if (history && history->context != renderer->context)
        return sch_api_wrong(&call, "history", "the history is of another context");
    if (history && history->renderer && history->renderer != renderer)
        return sch_api_wrong(&call, "history", "another renderer records the history");
    enum sch_result result = sch_draw_finish(renderer->scratch);
    if (result != SCH_OK || renderer->history == history) return result;
    if (renderer->history) {
        result = note(renderer->history);
        renderer->history->renderer = NULL;
    }
    renderer->history = history;
    if (!history) return result;
    history->renderer = renderer;
    remember(history);
    return result;
}

/* ---- calls of the renderer ---- */

static bool is_attached(const struct sch_pixel_history *history, const struct sch_api_attachment *attachment,
                        const struct sch_draw_target *target)
{
    return attachment->texture == history->texture && attachment->level == history->level &&
           history->layer >= attachment->first_layer && history->layer - attachment->first_layer < target->layers;
}

/* Which buffer of a framebuffer the pixel is of, and its layer there; false: of none. */
static bool find_buffer(const struct sch_pixel_history *history, const struct sch_framebuffer *framebuffer,
                        uint32_t *buffer, uint32_t *layer)
{
    const struct sch_draw_framebuffer *draw = &framebuffer->draw;
    const struct sch_api_attachment *found = NULL;
    for (uint32_t n = 0; n < SCH_COLOR_BUFFERS && !found; n++) {
        if (!is_attached(history, &framebuffer->colors[n], &draw->colors[n])) continue;
        found = &framebuffer->colors[n];
        *buffer = n;
    }
    if (!found && is_attached(history, &framebuffer->depth_stencil, &draw->depth_stencil)) {
        found = &framebuffer->depth_stencil;
        *buffer = SCH_COLOR_BUFFERS;
    }
    if (!found) return false;
    *layer = history->layer - found->first_layer;
    return history->history.x < draw->width && history->history.y < draw->height && *layer < draw->layers;
}

enum sch_result sch_api_history_begin_draw(struct sch_pixel_history *history, const struct sch_framebuffer *framebuffer,
                                           struct sch_history **recorded)
{
    *recorded = NULL;
    if (!history) return SCH_OK;
    const enum sch_result result = note(history);
    struct sch_pixel_event pattern = pattern_of(history, SCH_PIXEL_DRAW);
    uint32_t layer;
    history->calls++;
    if (result != SCH_OK || !find_buffer(history, framebuffer, &pattern.buffer, &layer)) return result;
    sch_history_begin(&history->history, &framebuffer->draw, layer, &pattern);
    *recorded = &history->history;
    return SCH_OK;
}

/* Events say what fragments have written: what is there beside that a program has stored. */
enum sch_result sch_api_history_end_draw(struct sch_pixel_history *history, const struct sch_history *recorded)
{
    if (!history) return SCH_OK;
    const bool whole = recorded && recorded->count < recorded->limit;
    if (recorded && !whole) remember(history);
    for (uint32_t s = 0; whole && s < recorded->samples; s++)
        memcpy(history->last[s], recorded->present[s].texels[recorded->pattern.buffer], texel_bytes(history));
    return note(history);
}

static enum sch_result begin_event(struct sch_pixel_history *history, enum sch_pixel_outcome outcome,
                                   struct sch_api_recorded *recorded)
{
    if (sch_history_add(&history->history, outcome, &recorded->event) != SCH_OK)
        return sch_api_no_memory(history->context);
    recorded->history = history;
    sch_history_before(&history->history, recorded->event);
    return SCH_OK;
}

/* Whether a clear writes a buffer that the framebuffer has. */
static bool clears_something(const struct sch_draw_framebuffer *draw, const struct sch_framebuffer_clear *clear)
{
    const enum sch_format depth = (enum sch_format)draw->depth_stencil.format;
    for (uint32_t n = 0; n < SCH_COLOR_BUFFERS; n++)
        if (clear->parts & SCH_PART_COLOR && draw->colors[n].texels && (!clear->colors || clear->colors >> n & 1))
            return true;
    if (!draw->depth_stencil.texels) return false;
    return (clear->parts & SCH_PART_DEPTH && sch_format_has_depth(depth)) ||
           (clear->parts & SCH_PART_STENCIL && sch_format_has_stencil(depth));
}

static bool in_scissor(const struct sch_pixel_history *history, const struct sch_scissor *scissor)
{
    const uint32_t x = history->history.x, y = history->history.y;
    return x >= scissor->left && x < scissor->right && y >= scissor->top && y < scissor->bottom;
}

enum sch_result sch_api_history_begin_clear(struct sch_pixel_history *history,
                                            const struct sch_framebuffer *framebuffer,
                                            const struct sch_framebuffer_clear *clear,
                                            struct sch_api_recorded *recorded)
{
    *recorded = (struct sch_api_recorded){.history = NULL};
    if (!history) return SCH_OK;
    const enum sch_result result = note(history);
    struct sch_pixel_event pattern = pattern_of(history, SCH_PIXEL_CLEAR);
    uint32_t layer;
    history->calls++;
    if (result != SCH_OK || !find_buffer(history, framebuffer, &pattern.buffer, &layer)) return result;
    if (!clears_something(&framebuffer->draw, clear)) return SCH_OK;
    const bool inside = !clear->scissored || in_scissor(history, &clear->scissor);
    sch_history_begin(&history->history, &framebuffer->draw, layer, &pattern);
    return begin_event(history, inside ? SCH_PIXEL_PASSED : SCH_PIXEL_SCISSOR, recorded);
}

/* Whether a place is between two corners, of which the second may be the lesser one. */
static bool is_between(int32_t first, int32_t side, uint32_t place)
{
    const int64_t second = (int64_t)first + side;
    return (int64_t)place >= (first < second ? first : second) && (int64_t)place < (first < second ? second : first);
}

static bool is_whole(const struct sch_box *box)
{
    return !(box->x | box->y | box->z | box->width | box->height | box->depth);
}

enum sch_result sch_api_history_begin_blit(struct sch_pixel_history *history, const struct sch_resource *to,
                                           const struct sch_blit *blit, struct sch_api_recorded *recorded)
{
    *recorded = (struct sch_api_recorded){.history = NULL};
    struct sch_blit wanted;
    if (!history || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, blit)) return SCH_OK;
    const enum sch_result result = note(history);
    const struct sch_pixel_event pattern = pattern_of(history, SCH_PIXEL_BLIT);
    const uint32_t x = history->history.x, y = history->history.y;
    const struct sch_box *box = &wanted.box;
    history->calls++;
    if (result != SCH_OK || to->texture != history->texture || wanted.level != history->level) return result;
    if (!is_whole(box) && (!is_between(box->x, box->width, x) || !is_between(box->y, box->height, y) ||
                           !is_between(box->z, box->depth, history->layer)))
        return SCH_OK;
    const bool inside = !wanted.scissored || ((int64_t)x >= wanted.scissor[0] && (int64_t)x < wanted.scissor[2] &&
                                              (int64_t)y >= wanted.scissor[1] && (int64_t)y < wanted.scissor[3]);
    sch_history_begin(&history->history, &history->own, 0, &pattern);
    return begin_event(history, inside ? SCH_PIXEL_PASSED : SCH_PIXEL_SCISSOR, recorded);
}

void sch_api_history_end(const struct sch_api_recorded *recorded)
{
    if (!recorded->history) return;
    sch_history_after(&recorded->history->history, recorded->event);
    remember(recorded->history);
}

/* ---- looking ---- */

enum sch_result sch_pixel_history_get_info(const struct sch_pixel_history *history, struct sch_pixel_history_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(history), NULL, __func__, NULL);
    if (!sch_api_given(&call, history, "history") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    const struct sch_pixel_history_info value = {
        .event_count = history->history.count, .not_kept = history->history.not_kept, .calls = history->calls};
    sch_sized_write(info, &value, sizeof value);
    return SCH_OK;
}

static bool event_is(struct sch_api_call *call, const struct sch_pixel_history *history, uint32_t index)
{
    return index < history->history.count ||
           sch_refuse_argument(call->list, "index", "event %u, of %u", index, history->history.count);
}

enum sch_result sch_pixel_history_get_event(const struct sch_pixel_history *history, uint32_t index,
                                            struct sch_pixel_event *event)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(history), NULL, __func__, NULL);
    if (!sch_api_given(&call, history, "history") || !SCH_API_FILLS(&call, event, sizeof *event) ||
        !event_is(&call, history, index))
        return sch_api_refused(&call);
    sch_sized_write(event, &history->history.events[index], sizeof *event);
    return SCH_OK;
}

static void decode(enum sch_format format, const uint8_t *texel, uint32_t words[4])
{
    const struct sch_ops *ops = sch_ops_for_width(0);
    struct sch_lanes x = {.u = {0}}, component[4];
    struct sch_lanes *const to[4] = {&component[0], &component[1], &component[2], &component[3]};
    const struct sch_texel_row row = {.texels = texel, .x = &x, .count = 1};
    ops->texels_read((unsigned)format, &row, to);
    for (unsigned c = 0; c < 4; c++) words[c] = component[c].u[0];
}

/* The number that a code of depth stands for: in double, since floats do not distinguish the codes of 32 bits. */
static double depth_of(enum sch_format format, uint32_t code)
{
    const struct tex_format *facts = &tex_formats[format];
    const struct tex_channel *channel = &facts->channel[facts->component[0]];
    float value;
    memcpy(&value, &code, sizeof value);
    if (channel->type == TEX_FLOAT) return (double)value;
    return (double)code / (double)((UINT64_C(1) << channel->bits) - 1);
}

/* The bits of a channel, which lies within a word. */
static uint32_t channel_of(const struct tex_channel *channel, const uint8_t *texel)
{
    const uint8_t *at = texel + channel->offset / 32 * 4;
    const uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return word >> channel->offset % 32 & UINT32_MAX >> (32 - channel->bits);
}

static void take_values(const struct sch_pixel_event *event, const struct sch_history_values *from,
                        struct sch_pixel_values *values)
{
    const enum sch_format depth = event->depth_stencil_format;
    const uint8_t *texel = from->texels[SCH_COLOR_BUFFERS];
    const struct tex_format *facts = &tex_formats[depth];
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) {
        memcpy(values->texels[n], from->texels[n], sizeof values->texels[n]);
        if (event->color_formats[n]) decode(event->color_formats[n], from->texels[n], values->colors[n].u);
    }
    if (!depth) return;
    if (sch_format_has_depth(depth))
        values->depth = depth_of(depth, channel_of(&facts->channel[facts->component[0]], texel));
    if (sch_format_has_stencil(depth))
        values->stencil = (uint8_t)channel_of(&facts->channel[facts->component[1]], texel);
}

enum sch_result sch_pixel_history_get_sample(const struct sch_pixel_history *history, uint32_t index, uint32_t sample,
                                             struct sch_pixel_sample *made)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(history), NULL, __func__, NULL);
    if (!sch_api_given(&call, history, "history") || !SCH_API_FILLS(&call, made, sizeof *made) ||
        !event_is(&call, history, index))
        return sch_api_refused(&call);
    if (sample >= history->history.samples || !(history->history.wanted >> sample & 1))
        return sch_api_wrong(&call, "sample", "sample %u is not recorded", sample);
    const struct sch_pixel_event *event = &history->history.events[index];
    const struct sch_history_sample *state =
        &history->history.states[(size_t)index * history->history.samples + sample];
    struct sch_pixel_sample value;
    memset(&value, 0, sizeof value);
    value.outcome = (enum sch_pixel_outcome)state->outcome;
    value.has_depth = state->has_depth;
    if (state->has_depth) value.depth = depth_of(event->depth_stencil_format, state->code);
    take_values(event, &state->before, &value.before);
    take_values(event, &state->after, &value.after);
    sch_sized_write(made, &value, sizeof value);
    return SCH_OK;
}
