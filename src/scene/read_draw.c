/* What a draw, a binding and a clear of a pass say. */
#include "data.h"

/* ---- draws ------------------------------------------------------------------------------------------------------- */

static bool read_offset(struct sch_scene_text *text, uint64_t *offset)
{
    return !sch_scene_word(text, "offset") || sch_scene_uint(text, "an offset", 0, INT64_MAX, offset);
}

/* { START COUNT BIAS ... } */
static bool read_ranges(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    static const struct sch_scene_type type = {"int", SCH_SCENE_SIGNED, 4};
    struct sch_scene_growing growing = {0};
    struct sch_scene_bytes kept;
    if (!sch_scene_open(text)) return false;
    while (!sch_scene_sign(text, '}')) {
        struct sch_draw_range range;
        uint8_t bias[8];
        if (!sch_scene_u32(text, "the start of a range", 0, UINT32_MAX, &range.start) ||
            !sch_scene_u32(text, "the count of a range", 0, UINT32_MAX, &range.count) ||
            !sch_scene_take(text, &type, bias))
            break;
        range.index_bias =
            (int32_t)((uint32_t)bias[0] | (uint32_t)bias[1] << 8 | (uint32_t)bias[2] << 16 | (uint32_t)bias[3] << 24);
        if (!sch_scene_put(text, &growing, &range, sizeof range)) break;
        sch_scene_skip_lines(text);
    }
    sch_scene_keep(text, &growing, &kept);
    draw->ranges = (struct sch_draw_range *)(void *)kept.data; /* the scene's memory is aligned for them */
    draw->range_count = (uint32_t)(kept.bytes / sizeof *draw->ranges);
    draw->has_count = true;
    return !text->wrong;
}

/* indices BUFFER BYTES [offset N] */
static bool read_indices(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    static const char *const sizes[] = {"1", "2", "4", NULL};
    uint32_t size = 0;
    draw->indices = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (!draw->indices || !sch_scene_choice(text, sizes, "the number of bytes of an index", &size)) return false;
    draw->index_bytes = 1u << size;
    return read_offset(text, &draw->index_offset);
}

/* indirect BUFFER [offset N] [draws N] [stride N] [count_from BUFFER [offset N]] */
static bool read_indirect(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    draw->indirect = sch_scene_named(text, SCH_SCENE_BUFFER);
    draw->indirect_count = 1;
    draw->has_count = true;
    if (!draw->indirect || !read_offset(text, &draw->indirect_offset)) return false;
    if (sch_scene_word(text, "draws") &&
        !sch_scene_u32(text, "the number of draws", 0, UINT32_MAX, &draw->indirect_count))
        return false;
    if (sch_scene_word(text, "stride") && !sch_scene_u32(text, "a stride", 0, UINT32_MAX, &draw->indirect_stride))
        return false;
    if (!sch_scene_word(text, "count_from")) return true;
    draw->count_buffer = sch_scene_named(text, SCH_SCENE_BUFFER);
    return draw->count_buffer && read_offset(text, &draw->count_offset);
}

static bool read_bias(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    struct sch_scene_number number;
    const struct sch_scene_place place = text->token.place;
    if (!sch_scene_number(text, "base_vertex", &number)) return false;
    draw->index_bias = (int32_t)(uint32_t)number.integer;
    if (number.whole && number.real >= INT32_MIN && number.real <= INT32_MAX) return true;
    return sch_scene_refuse_at(text, &place, "SCENE_NUMBER", "base_vertex is a whole number of 32 bits");
}

/* count_target TARGET [stride N] */
static bool read_count_target(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    draw->target = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
    draw->has_count = true;
    if (!draw->target) return false;
    return !sch_scene_word(text, "stride") || sch_scene_u32(text, "a stride", 0, UINT32_MAX, &draw->target_stride);
}

static bool read_option(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    if (sch_scene_word(text, "mesh")) return (draw->mesh = sch_scene_named(text, SCH_SCENE_MESH)) != NULL;
    if (sch_scene_word(text, "indices")) return read_indices(text, draw);
    if (sch_scene_word(text, "ranges")) return read_ranges(text, draw);
    if (sch_scene_word(text, "indirect")) return read_indirect(text, draw);
    if (sch_scene_word(text, "count_target")) return read_count_target(text, draw);
    if (sch_scene_word(text, "start")) return sch_scene_u32(text, "start", 0, UINT32_MAX, &draw->start);
    if (sch_scene_word(text, "instances")) return sch_scene_u32(text, "instances", 0, UINT32_MAX, &draw->instances);
    if (sch_scene_word(text, "start_instance"))
        return sch_scene_u32(text, "start_instance", 0, UINT32_MAX, &draw->start_instance);
    if (sch_scene_word(text, "draw_id")) return sch_scene_u32(text, "draw_id", 0, UINT32_MAX, &draw->draw_id);
    if (sch_scene_word(text, "base_vertex")) return read_bias(text, draw);
    if (sch_scene_word(text, "restart")) {
        draw->restart = true;
        return sch_scene_u32(text, "the index that restarts", 0, UINT32_MAX, &draw->restart_index);
    }
    if (!sch_scene_word(text, "count") && *text->token.text > '9')
        return sch_scene_refuse(
            text, "SCENE_WORD",
            "mesh, count, start, indices, base_vertex, restart, instances, start_instance, draw_id, "
            "ranges, indirect and count_target are allowed here");
    draw->has_count = true;
    return sch_scene_u32(text, "count", 0, UINT32_MAX, &draw->count);
}

void sch_scene_read_draw(struct sch_scene_text *text, struct sch_scene_draw *draw)
{
    const struct sch_scene_place place = text->token.place;
    uint32_t primitive = 0;
    draw->instances = 1;
    if (!sch_scene_choice(text, sch_primitive_words, "a primitive", &primitive)) return;
    draw->primitive = (enum sch_primitive)primitive;
    while (!sch_scene_at_end(text)) read_option(text, draw);
    if (!draw->has_count && !draw->mesh)
        sch_scene_refuse_at(text, &place, "SCENE_VALUE", "a draw has a mesh or a count");
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

/* FIRST [COUNT]; without a count `*count` is 1. */
static bool read_span(struct sch_scene_text *text, const char *what, uint32_t *first, uint32_t *count)
{
    *count = 1;
    if (!sch_scene_u32(text, what, 0, UINT32_MAX, first)) return false;
    if (sch_scene_at_end(text) || *text->token.text > '9') return true;
    return sch_scene_u32(text, "the number of them", 1, UINT32_MAX, count);
}

/* Four of x y z w 0 1. */
static bool read_swizzle(struct sch_scene_text *text, struct sch_view_options *view)
{
    static const char letters[] = "xyzw01";
    const struct sch_scene_token *token = &text->token;
    bool good = token->kind == SCH_SCENE_ATOM && token->bytes == 4;
    for (unsigned i = 0; good && i < 4; i++) {
        unsigned c = 0;
        while (c < 6 && letters[c] != token->text[i]) c++;
        good = c < 6;
        view->swizzle[i] = (uint8_t)c;
    }
    if (!good) return sch_scene_refuse(text, "SCENE_WORD", "a swizzle is four of x, y, z, w, 0 and 1");
    view->swizzled = true;
    sch_scene_next(text);
    return true;
}

static bool read_view(struct sch_scene_text *text, struct sch_scene_bind *bind)
{
    struct sch_view_options *view = &bind->view;
    *view = (struct sch_view_options){.size = sizeof *view};
    if (!(bind->object = sch_scene_named(text, SCH_SCENE_TEXTURE))) return false;
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "sampler"))
            bind->sampler = sch_scene_named(text, SCH_SCENE_SAMPLER);
        else if (sch_scene_word(text, "format"))
            sch_scene_format(text, &view->format);
        else if (sch_scene_word(text, "target"))
            view->has_target = sch_scene_target(text, &view->target);
        else if (sch_scene_word(text, "level"))
            read_span(text, "a level", &view->first_level, &view->level_count);
        else if (sch_scene_word(text, "layer"))
            read_span(text, "a layer", &view->first_layer, &view->layer_count);
        else if (sch_scene_word(text, "swizzle"))
            read_swizzle(text, view);
        else if (sch_scene_word(text, "min_lod"))
            sch_scene_float(text, "min_lod", &view->min_lod);
        else
            sch_scene_refuse(text, "SCENE_WORD",
                             "sampler, format, target, level, layer, swizzle and min_lod are allowed here");
    }
    return !text->wrong;
}

static bool read_image(struct sch_scene_text *text, struct sch_scene_bind *bind)
{
    struct sch_image_options *image = &bind->image;
    uint32_t count;
    *image = (struct sch_image_options){.size = sizeof *image};
    if (!(bind->object = sch_scene_named(text, SCH_SCENE_TEXTURE))) return false;
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "format"))
            sch_scene_format(text, &image->format);
        else if (sch_scene_word(text, "target"))
            image->has_target = sch_scene_target(text, &image->target);
        else if (sch_scene_word(text, "level"))
            sch_scene_u32(text, "a level", 0, 31, &image->level);
        else if (sch_scene_word(text, "layer")) {
            if (read_span(text, "a layer", &image->first_layer, &count)) image->layer_count = count;
        } else if (sch_scene_word(text, "read_only"))
            image->read_only = true;
        else
            sch_scene_refuse(text, "SCENE_WORD", "format, target, level, layer and read_only are allowed here");
    }
    return !text->wrong;
}

static bool read_range(struct sch_scene_text *text, struct sch_scene_bind *bind)
{
    if (bind->kind == SCH_SCENE_CONSTANTS && text->token.kind == SCH_SCENE_SIGN)
        return sch_scene_read_data(text, &bind->data);
    if (!(bind->object = sch_scene_named(text, SCH_SCENE_BUFFER))) return false;
    if (!read_offset(text, &bind->offset)) return false;
    return !sch_scene_word(text, "bytes") || sch_scene_uint(text, "bytes", 1, INT64_MAX, &bind->bytes);
}

void sch_scene_read_bind(struct sch_scene_text *text, struct sch_scene_bind *bind)
{
    /* in the order of enum sch_scene_register */
    static const char *const kinds[] = {"constants", "texture", "sampler", "buffer", "atomic", "image", NULL};
    uint32_t stage = 0, kind = 0;
    if (!sch_scene_choice(text, sch_drawing_stage_words, "the stage", &stage) ||
        !sch_scene_choice(text, kinds, "what is bound", &kind) ||
        !sch_scene_u32(text, "the register", 0, SCH_SCENE_SLOTS - 1, &bind->slot))
        return;
    bind->stage = (enum sch_stage)stage;
    bind->kind = (enum sch_scene_register)kind;
    if (kind == SCH_SCENE_VIEW)
        read_view(text, bind);
    else if (kind == SCH_SCENE_IMAGE)
        read_image(text, bind);
    else if (kind == SCH_SCENE_SAMPLER_SLOT)
        bind->object = sch_scene_named(text, SCH_SCENE_SAMPLER);
    else
        read_range(text, bind);
}

/* ---- clears ------------------------------------------------------------------------------------------------------ */

static bool read_color(struct sch_scene_text *text, struct sch_scene_clear *clear)
{
    uint32_t target;
    clear->parts |= SCH_PART_COLOR;
    while (sch_scene_word(text, "target")) {
        if (!sch_scene_u32(text, "a colour buffer", 0, SCH_COLOR_BUFFERS - 1, &target)) return false;
        clear->colors |= 1u << target;
    }
    return sch_scene_color(text, clear->color);
}

/* [color [target N]... R G B A] [depth D] [stencil S] [scissor LEFT TOP RIGHT BOTTOM] */
void sch_scene_read_clear(struct sch_scene_text *text, struct sch_scene_clear *clear)
{
    struct sch_scene_number depth;
    const struct sch_scene_place place = text->token.place;
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "color")) {
            read_color(text, clear);
        } else if (sch_scene_word(text, "depth")) {
            clear->parts |= SCH_PART_DEPTH;
            if (sch_scene_number(text, "a depth", &depth)) clear->depth = depth.real;
        } else if (sch_scene_word(text, "stencil")) {
            clear->parts |= SCH_PART_STENCIL;
            sch_scene_u32(text, "a stencil value", 0, 255, &clear->stencil);
        } else if (sch_scene_word(text, "scissor")) {
            clear->scissored = sch_scene_scissor(text, &clear->scissor);
        } else {
            sch_scene_refuse(text, "SCENE_WORD", "color, depth, stencil and scissor are allowed here");
        }
    }
    if (!clear->parts) sch_scene_refuse_at(text, &place, "SCENE_VALUE", "color, depth or stencil is cleared");
}
