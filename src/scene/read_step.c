/* What is beside passes: blits, copies, mip chains, expectations, and the output. */
#include "members.h"

/* ---- blit, copy, mips -------------------------------------------------------------------------------------------- */

/* X Y WIDTH HEIGHT, where the sides may be negative. */
static bool read_sides(struct sch_scene_text *text, struct sch_box *box)
{
    int32_t *const sides[] = {&box->x, &box->y, &box->width, &box->height};
    for (unsigned i = 0; i < 4; i++) {
        struct sch_scene_number number;
        const struct sch_scene_place place = text->token.place;
        if (!sch_scene_number(text, "each of x, y, width and height", &number)) return false;
        if (!number.whole || number.real < -65536 || number.real > 65536)
            return sch_scene_refuse_at(text, &place, "SCENE_NUMBER", "whole numbers up to 65536 make a box");
        *sides[i] = (int32_t)number.real;
    }
    if (!box->depth) box->depth = 1;
    return true;
}

/* FIRST [COUNT] */
static void read_span(struct sch_scene_text *text, struct sch_box *box)
{
    uint32_t first = 0, count = 0;
    if (!sch_scene_span(text, "a layer", "the number of layers", 65536, &first, &count)) return;
    box->z = (int32_t)first;
    box->depth = (int32_t)count;
}

static void read_box(struct sch_scene_text *text, void *blit) { read_sides(text, &((struct sch_blit *)blit)->box); }
static void read_source(struct sch_scene_text *text, void *blit)
{
    read_sides(text, &((struct sch_blit *)blit)->source);
}
static void read_layers(struct sch_scene_text *text, void *blit) { read_span(text, &((struct sch_blit *)blit)->box); }
static void read_source_layers(struct sch_scene_text *text, void *blit)
{
    read_span(text, &((struct sch_blit *)blit)->source);
}

static void read_parts(struct sch_scene_text *text, void *blit)
{
    static const char *const words[] = {"color", "depth", "stencil", NULL};
    static const enum sch_part parts_of[] = {SCH_PART_COLOR, SCH_PART_DEPTH, SCH_PART_STENCIL};
    uint32_t part = 0;
    if (sch_scene_choice(text, words, "a part", &part)) ((struct sch_blit *)blit)->parts |= parts_of[part];
}

static void read_scissor(struct sch_scene_text *text, void *blit)
{
    struct sch_blit *options = blit;
    struct sch_scissor scissor;
    if (!sch_scene_scissor(text, &scissor)) return;
    const uint32_t sides[4] = {scissor.left, scissor.top, scissor.right, scissor.bottom};
    for (unsigned i = 0; i < 4; i++) options->scissor[i] = (int32_t)(sides[i] < INT32_MAX ? sides[i] : INT32_MAX);
    options->scissored = true;
}

static void read_condition(struct sch_scene_text *text, void *state)
{
    struct sch_scene_blit *blit = state;
    blit->condition = sch_scene_named(text, SCH_SCENE_QUERY);
    blit->inverted = sch_scene_word(text, "inverted");
}

#define COPIED                                                                                                         \
    SCH_SCENE_MEMBER(U32, sch_blit, level, .what = "a level", .high = 31),                                             \
        SCH_SCENE_MEMBER(U32, sch_blit, source_level, .what = "a level", .high = 31), SCH_SCENE_OWN("box", read_box),  \
        SCH_SCENE_OWN("source", read_source), SCH_SCENE_OWN("layer", read_layers),                                     \
        SCH_SCENE_OWN("source_layer", read_source_layers)

static const struct sch_scene_member copy_members[] = {COPIED, SCH_SCENE_NO_MORE},
                                     blit_members[] = {
                                         COPIED,
                                         SCH_SCENE_MEMBER(FORMAT, sch_blit, format),
                                         SCH_SCENE_MEMBER(FORMAT, sch_blit, source_format),
                                         SCH_SCENE_OWN("part", read_parts),
                                         SCH_SCENE_MEMBER(WORD, sch_blit, filter, .words = sch_filter_words),
                                         SCH_SCENE_MEMBER(FLAG, sch_blit, first_sample),
                                         SCH_SCENE_OWN("scissor", read_scissor),
                                         SCH_SCENE_OWN("condition", read_condition),
                                         SCH_SCENE_NO_MORE};

static void read_moved(struct sch_scene_text *text, struct sch_scene_step *step, bool copies)
{
    _Static_assert(offsetof(struct sch_scene_blit, blit) == 0, "members of the blit are the struct's");
    struct sch_scene_blit *blit = step->blit = sch_scene_alloc(text->scene, sizeof *blit);
    if (!blit) return;
    blit->copies = copies;
    blit->blit.size = sizeof blit->blit;
    if (!(blit->from = sch_scene_named(text, SCH_SCENE_TEXTURE))) return;
    if (!sch_scene_word(text, "to")) {
        sch_scene_refuse(text, "SCENE_SYNTAX", "to and a texture follow");
        return;
    }
    blit->to = sch_scene_named(text, SCH_SCENE_TEXTURE);
    sch_scene_options(text, copies ? copy_members : blit_members, blit);
}

void sch_scene_read_blit(struct sch_scene_text *text, struct sch_scene_step *step) { read_moved(text, step, false); }
void sch_scene_read_copy(struct sch_scene_text *text, struct sch_scene_step *step) { read_moved(text, step, true); }

void sch_scene_read_mips(struct sch_scene_text *text, struct sch_scene_step *step)
{
    step->texture = sch_scene_named(text, SCH_SCENE_TEXTURE);
}

/* ---- expectations ------------------------------------------------------------------------------------------------ */

/* pixel TEXTURE X Y, rect TEXTURE X Y WIDTH HEIGHT, all TEXTURE */
static bool read_where(struct sch_scene_text *text, struct sch_scene_expect *expect)
{
    const bool pixel = sch_scene_word(text, "pixel"), rect = !pixel && sch_scene_word(text, "rect");
    expect->all = !pixel && !rect;
    if (expect->all && !sch_scene_word(text, "all"))
        return sch_scene_refuse(
            text, "SCENE_WORD",
            "expected pixel, rect or all, perhaps after color, depth or stencil; or query, buffer, filled or "
            "same");
    if (!(expect->object = sch_scene_named(text, SCH_SCENE_TEXTURE))) return false;
    expect->width = expect->height = 1;
    if (expect->all) return true;
    if (!sch_scene_u32(text, "x", 0, 65535, &expect->x) || !sch_scene_u32(text, "y", 0, 65535, &expect->y))
        return false;
    return pixel || (sch_scene_u32(text, "the width", 1, 65535, &expect->width) &&
                     sch_scene_u32(text, "the height", 1, 65535, &expect->height));
}

/* = VALUES [tolerance T]; _ stands for any value. */
static bool read_values(struct sch_scene_text *text, struct sch_scene_expect *expect, uint32_t most)
{
    struct sch_scene_number tolerance;
    if (!sch_scene_sign(text, '=')) return sch_scene_refuse(text, "SCENE_SYNTAX", "= and what is expected follow");
    while (!sch_scene_at_end(text) && !sch_scene_is(text, "tolerance")) {
        if (expect->value_count == most)
            return sch_scene_refuse(text, "SCENE_VALUE", "there are at most %u values", most);
        struct sch_scene_number *value = &expect->values[expect->value_count++];
        value->any = sch_scene_word(text, "_");
        if (!value->any && !sch_scene_number(text, "a value", value)) return false;
    }
    if (!expect->value_count) return sch_scene_refuse(text, "SCENE_VALUE", "at least one value is expected");
    if (!sch_scene_word(text, "tolerance")) return true;
    expect->has_tolerance = true;
    if (!sch_scene_number(text, "the tolerance", &tolerance)) return false;
    expect->tolerance = tolerance.real;
    return tolerance.real >= 0 || sch_scene_refuse(text, "SCENE_NUMBER", "a tolerance is at least 0");
}

/* buffer BUFFER [offset N] { DATA } */
static void read_buffer(struct sch_scene_text *text, struct sch_scene_expect *expect)
{
    expect->kind = SCH_SCENE_EXPECT_BUFFER;
    expect->object = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (!expect->object) return;
    if (sch_scene_word(text, "offset") &&
        !sch_scene_uint(text, "an offset", 0, expect->object->buffer.bytes, &expect->offset))
        return;
    const struct sch_scene_place place = text->token.place;
    if (sch_scene_read_expected(text, expect) && expect->data.bytes > expect->object->buffer.bytes - expect->offset)
        sch_scene_refuse_at(text, &place, "SCENE_VALUE", "the buffer has %zu bytes", expect->object->buffer.bytes);
}

static void read_expectation(struct sch_scene_text *text, struct sch_scene_expect *expect)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(U32, sch_scene_expect, level, .what = "a level", .high = 31),
        SCH_SCENE_MEMBER(U32, sch_scene_expect, layer, .what = "a layer", .high = 65535),
        SCH_SCENE_MEMBER(U32, sch_scene_expect, sample, .what = "a sample", .high = 15,
                         .sets = offsetof(struct sch_scene_expect, has_sample)),
        SCH_SCENE_NO_MORE};
    if (sch_scene_word(text, "query")) {
        expect->kind = SCH_SCENE_EXPECT_QUERY;
        expect->object = sch_scene_named(text, SCH_SCENE_QUERY);
        if (expect->object) read_values(text, expect, SCH_STATISTICS);
        return;
    }
    if (sch_scene_word(text, "buffer")) {
        read_buffer(text, expect);
        return;
    }
    if (sch_scene_word(text, "filled")) {
        expect->kind = SCH_SCENE_EXPECT_FILLED;
        expect->object = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
        if (expect->object) read_values(text, expect, 1);
        return;
    }
    if (sch_scene_word(text, "same")) {
        expect->kind = SCH_SCENE_EXPECT_SAME;
        expect->object = sch_scene_named(text, SCH_SCENE_TEXTURE);
        if (expect->object) expect->other = sch_scene_named(text, SCH_SCENE_TEXTURE);
        return;
    }
    if (sch_scene_word(text, "depth"))
        expect->kind = SCH_SCENE_EXPECT_DEPTH;
    else if (sch_scene_word(text, "stencil"))
        expect->kind = SCH_SCENE_EXPECT_STENCIL;
    else
        sch_scene_word(text, "color");
    if (!read_where(text, expect)) return;
    while (text->token.kind == SCH_SCENE_ATOM && !text->wrong)
        if (!sch_scene_member(text, members, expect))
            sch_scene_refuse(text, "SCENE_WORD", "level, layer and sample are allowed here, and then =");
    read_values(text, expect, expect->kind == SCH_SCENE_EXPECT_COLOR ? 4 : 1);
}

void sch_scene_read_expect(struct sch_scene_text *text, struct sch_scene_step *step)
{
    step->expect = sch_scene_alloc(text->scene, sizeof *step->expect);
    if (step->expect) read_expectation(text, step->expect);
}

/* ---- the output -------------------------------------------------------------------------------------------------- */

/* output TEXTURE [level N] [layer N] */
void sch_scene_read_output(struct sch_scene_text *text)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(U32, sch_scene_output, level, .what = "a level", .high = 31),
        SCH_SCENE_MEMBER(U32, sch_scene_output, layer, .what = "a layer", .high = 65535), SCH_SCENE_NO_MORE};
    struct sch_scene_output *output = &text->scene->output;
    if (output->texture) sch_scene_refuse(text, "SCENE_VALUE", "a scene has one output");
    output->texture = sch_scene_named(text, SCH_SCENE_TEXTURE);
    sch_scene_options(text, members, output);
}
