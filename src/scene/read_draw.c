/* What a draw, a binding and a clear of a pass say. */
#include "data.h"
#include "members.h"

/* ---- draws ------------------------------------------------------------------------------------------------------- */

/* { START COUNT BIAS ... } */
static void read_ranges(struct sch_scene_text *text, void *state)
{
    static const struct sch_scene_type type = {"int", SCH_SCENE_SIGNED, 4};
    struct sch_scene_draw *draw = state;
    struct sch_scene_growing growing = {0};
    struct sch_scene_bytes kept;
    if (!sch_scene_open(text)) return;
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
    draw->draw.ranges = (struct sch_draw_range *)(void *)kept.data; /* the scene's memory is aligned for them */
    draw->draw.range_count = (uint32_t)(kept.bytes / sizeof *draw->draw.ranges);
    draw->draw.range_stride = sizeof *draw->draw.ranges;
    draw->has_count = true;
}

/* indices BUFFER BYTES [offset N] */
static void read_indices(struct sch_scene_text *text, void *state)
{
    static const char *const sizes[] = {"1", "2", "4", NULL};
    struct sch_scene_draw *draw = state;
    uint32_t size = 0;
    draw->indices = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (!draw->indices || !sch_scene_choice(text, sizes, "the number of bytes of an index", &size)) return;
    draw->draw.index_bytes = 1u << size;
    sch_scene_offset(text, &draw->draw.indices.offset);
}

/* indirect BUFFER [offset N] [draws N] [stride N] [count_from BUFFER [offset N]] */
static void read_indirect(struct sch_scene_text *text, void *state)
{
    struct sch_scene_draw *draw = state;
    draw->indirect = sch_scene_named(text, SCH_SCENE_BUFFER);
    draw->draw.indirect_count = 1;
    draw->has_count = true;
    if (!draw->indirect || !sch_scene_offset(text, &draw->draw.indirect_offset)) return;
    if (sch_scene_word(text, "draws"))
        sch_scene_u32(text, "the number of draws", 0, UINT32_MAX, &draw->draw.indirect_count);
    if (sch_scene_word(text, "stride")) sch_scene_u32(text, "a stride", 0, UINT32_MAX, &draw->draw.indirect_stride);
    if (!sch_scene_word(text, "count_from")) return;
    draw->count_buffer = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (draw->count_buffer) sch_scene_offset(text, &draw->draw.count_offset);
}

static void read_bias(struct sch_scene_text *text, void *state)
{
    struct sch_scene_draw *draw = state;
    struct sch_scene_number number;
    const struct sch_scene_place place = text->token.place;
    if (!sch_scene_number(text, "base_vertex", &number)) return;
    draw->draw.index_bias = (int32_t)(uint32_t)number.integer;
    if (!number.whole || number.real < INT32_MIN || number.real > INT32_MAX)
        sch_scene_refuse_at(text, &place, "SCENE_NUMBER", "base_vertex is a whole number of 32 bits");
}

/* count_target TARGET [stride N] */
static void read_count_target(struct sch_scene_text *text, void *state)
{
    struct sch_scene_draw *draw = state;
    draw->target = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
    draw->has_count = true;
    if (draw->target && sch_scene_word(text, "stride"))
        sch_scene_u32(text, "a stride", 0, UINT32_MAX, &draw->draw.count_stride);
}

static void read_count(struct sch_scene_text *text, void *state)
{
    struct sch_scene_draw *draw = state;
    draw->has_count = true;
    sch_scene_u32(text, "count", 0, UINT32_MAX, &draw->draw.count);
}

void sch_scene_read_draw(struct sch_scene_text *text, struct sch_scene_command *command)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(OBJECT, sch_scene_draw, mesh, .count = SCH_SCENE_MESH),
        SCH_SCENE_OWN("count", read_count),
        SCH_SCENE_ROW("start", U32, sch_scene_draw, draw.start),
        SCH_SCENE_OWN("indices", read_indices),
        SCH_SCENE_OWN("base_vertex", read_bias),
        SCH_SCENE_ROW("restart", U32, sch_scene_draw, draw.restart_index, .what = "the index that restarts",
                      .sets = offsetof(struct sch_scene_draw, draw.restart)),
        SCH_SCENE_ROW("instances", U32, sch_scene_draw, draw.instance_count),
        SCH_SCENE_ROW("start_instance", U32, sch_scene_draw, draw.start_instance),
        SCH_SCENE_ROW("draw_id", U32, sch_scene_draw, draw.draw_id),
        SCH_SCENE_OWN("ranges", read_ranges),
        SCH_SCENE_OWN("indirect", read_indirect),
        SCH_SCENE_OWN("count_target", read_count_target),
        SCH_SCENE_NO_MORE};
    const struct sch_scene_place place = text->token.place;
    struct sch_scene_draw *draw = command->draw = sch_scene_alloc(text->scene, sizeof *draw);
    uint32_t primitive = 0;
    if (!draw || !sch_scene_choice(text, sch_primitive_words, "a primitive", &primitive)) return;
    draw->draw.primitive = (enum sch_primitive)primitive;
    draw->draw.instance_count = 1;
    draw->draw.size = sizeof draw->draw;
    do
        while (sch_scene_at_number(text)) read_count(text, draw);
    while (sch_scene_member(text, members, draw));
    sch_scene_options(text, members, draw);
    if (!draw->has_count && !draw->mesh)
        sch_scene_refuse_at(text, &place, "SCENE_VALUE", "a draw has a mesh or a count");
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

/* Four of x y z w 0 1. */
static void read_swizzle(struct sch_scene_text *text, void *state)
{
    struct sch_view_options *view = &((struct sch_scene_bind *)state)->view;
    static const char letters[] = "xyzw01";
    const struct sch_scene_token *token = &text->token;
    bool good = token->kind == SCH_SCENE_ATOM && token->bytes == 4;
    for (unsigned i = 0; good && i < 4; i++) {
        unsigned c = 0;
        while (c < 6 && letters[c] != token->text[i]) c++;
        good = c < 6;
        view->swizzle[i] = (uint8_t)c;
    }
    view->swizzled = true;
    if (good)
        sch_scene_next(text);
    else
        sch_scene_refuse(text, "SCENE_WORD", "a swizzle is four of x, y, z, w, 0 and 1");
}

#define MANY .many = "the number of them"
static const struct sch_scene_member view_members[] = {
    SCH_SCENE_MEMBER(OBJECT, sch_scene_bind, sampler, .count = SCH_SCENE_SAMPLER),
    SCH_SCENE_ROW("format", FORMAT, sch_scene_bind, view.format),
    SCH_SCENE_ROW("target", TARGET, sch_scene_bind, view.target,
                  .sets = offsetof(struct sch_scene_bind, view.has_target)),
    SCH_SCENE_ROW("level", SPAN, sch_scene_bind, view.first_level, .what = "a level", MANY),
    SCH_SCENE_ROW("layer", SPAN, sch_scene_bind, view.first_layer, .what = "a layer", MANY),
    SCH_SCENE_OWN("swizzle", read_swizzle),
    SCH_SCENE_ROW("min_lod", FLOAT, sch_scene_bind, view.min_lod),
    SCH_SCENE_NO_MORE};
static const struct sch_scene_member image_members[] = {
    SCH_SCENE_ROW("format", FORMAT, sch_scene_bind, image.format),
    SCH_SCENE_ROW("target", TARGET, sch_scene_bind, image.target,
                  .sets = offsetof(struct sch_scene_bind, image.has_target)),
    SCH_SCENE_ROW("level", U32, sch_scene_bind, image.level, .what = "a level", .high = 31),
    SCH_SCENE_ROW("layer", SPAN, sch_scene_bind, image.first_layer, .what = "a layer", MANY),
    SCH_SCENE_ROW("read_only", FLAG, sch_scene_bind, image.read_only),
    SCH_SCENE_NO_MORE};

static void read_texture(struct sch_scene_text *text, struct sch_scene_bind *bind)
{
    bind->view = (struct sch_view_options){.size = sizeof bind->view};
    bind->image = (struct sch_image_options){.size = sizeof bind->image};
    bind->object = sch_scene_named(text, SCH_SCENE_TEXTURE);
    sch_scene_options(text, bind->kind == SCH_SCENE_VIEW ? view_members : image_members, bind);
}

static void read_range(struct sch_scene_text *text, struct sch_scene_bind *bind)
{
    if (bind->kind == SCH_SCENE_CONSTANTS && text->token.kind == SCH_SCENE_SIGN) {
        sch_scene_read_data(text, &bind->data);
        return;
    }
    bind->object = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (bind->object && sch_scene_offset(text, &bind->offset) && sch_scene_word(text, "bytes"))
        sch_scene_uint(text, "bytes", 1, INT64_MAX, &bind->bytes);
}

void sch_scene_read_bind(struct sch_scene_text *text, struct sch_scene_command *command)
{
    /* in the order of enum sch_scene_register */
    static const char *const kinds[] = {"constants", "texture", "sampler", "buffer", "atomic", "image", NULL};
    struct sch_scene_bind *bind = command->bind = sch_scene_alloc(text->scene, sizeof *bind);
    uint32_t stage = 0, kind = 0;
    if (!bind || !sch_scene_choice(text, sch_drawing_stage_words, "the stage", &stage) ||
        !sch_scene_choice(text, kinds, "what is bound", &kind) ||
        !sch_scene_u32(text, "the register", 0, SCH_SCENE_SLOTS - 1, &bind->slot))
        return;
    bind->stage = (enum sch_stage)stage;
    bind->kind = (enum sch_scene_register)kind;
    if (kind == SCH_SCENE_VIEW || kind == SCH_SCENE_IMAGE)
        read_texture(text, bind);
    else if (kind == SCH_SCENE_SAMPLER_SLOT)
        bind->object = sch_scene_named(text, SCH_SCENE_SAMPLER);
    else
        read_range(text, bind);
}

/* ---- clears ------------------------------------------------------------------------------------------------------ */

static void read_color(struct sch_scene_text *text, void *state)
{
    struct sch_scene_clear *clear = state;
    uint32_t target;
    clear->parts |= SCH_PART_COLOR;
    while (sch_scene_word(text, "target")) {
        if (!sch_scene_u32(text, "a colour buffer", 0, SCH_COLOR_BUFFERS - 1, &target)) return;
        clear->colors |= 1u << target;
    }
    sch_scene_color(text, clear->color);
}

static void read_depth(struct sch_scene_text *text, void *state)
{
    struct sch_scene_clear *clear = state;
    struct sch_scene_number depth;
    clear->parts |= SCH_PART_DEPTH;
    if (sch_scene_number(text, "a depth", &depth)) clear->depth = depth.real;
}

static void read_stencil(struct sch_scene_text *text, void *state)
{
    struct sch_scene_clear *clear = state;
    clear->parts |= SCH_PART_STENCIL;
    sch_scene_u32(text, "a stencil value", 0, 255, &clear->stencil);
}

/* [color [target N]... R G B A] [depth D] [stencil S] [scissor LEFT TOP RIGHT BOTTOM] */
void sch_scene_read_clear(struct sch_scene_text *text, struct sch_scene_command *command)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_OWN("color", read_color), SCH_SCENE_OWN("depth", read_depth), SCH_SCENE_OWN("stencil", read_stencil),
        SCH_SCENE_MEMBER(SCISSOR, sch_scene_clear, scissor, .sets = offsetof(struct sch_scene_clear, scissored)),
        SCH_SCENE_NO_MORE};
    const struct sch_scene_place place = text->token.place;
    struct sch_scene_clear *clear = command->clear = sch_scene_alloc(text->scene, sizeof *clear);
    if (!clear) return;
    sch_scene_options(text, members, clear);
    if (!clear->parts) sch_scene_refuse_at(text, &place, "SCENE_VALUE", "color, depth or stencil is cleared");
}
