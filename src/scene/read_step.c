/* What is beside passes: blits, copies, mip chains, expectations, and the output. */
#include "text.h"

/* ---- blit, copy, mips -------------------------------------------------------------------------------------------- */

/* X Y WIDTH HEIGHT, where the sides may be negative. */
static bool read_box(struct sch_scene_text *text, struct sch_box *box)
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
static bool read_layers(struct sch_scene_text *text, struct sch_box *box)
{
    uint32_t first, count = 1;
    if (!sch_scene_u32(text, "a layer", 0, 65536, &first)) return false;
    if (!sch_scene_at_end(text) && *text->token.text <= '9' &&
        !sch_scene_u32(text, "the number of layers", 1, 65536, &count))
        return false;
    box->z = (int32_t)first;
    box->depth = (int32_t)count;
    return true;
}

static bool read_parts(struct sch_scene_text *text, uint32_t *parts)
{
    static const char *const words[] = {"color", "depth", "stencil", NULL};
    static const enum sch_part parts_of[] = {SCH_PART_COLOR, SCH_PART_DEPTH, SCH_PART_STENCIL};
    uint32_t part = 0;
    if (!sch_scene_choice(text, words, "a part", &part)) return false;
    *parts |= parts_of[part];
    return true;
}

static bool read_blit_option(struct sch_scene_text *text, struct sch_scene_blit *blit)
{
    struct sch_blit *options = &blit->blit;
    uint32_t filter = 0;
    if (sch_scene_word(text, "level")) return sch_scene_u32(text, "a level", 0, 31, &options->level);
    if (sch_scene_word(text, "source_level")) return sch_scene_u32(text, "a level", 0, 31, &options->source_level);
    if (sch_scene_word(text, "box")) return read_box(text, &options->box);
    if (sch_scene_word(text, "source")) return read_box(text, &options->source);
    if (sch_scene_word(text, "layer")) return read_layers(text, &options->box);
    if (sch_scene_word(text, "source_layer")) return read_layers(text, &options->source);
    if (blit->copies)
        return sch_scene_refuse(text, "SCENE_WORD",
                                "level, source_level, box, source, layer and source_layer are allowed here");
    if (sch_scene_word(text, "format")) return sch_scene_format(text, &options->format);
    if (sch_scene_word(text, "source_format")) return sch_scene_format(text, &options->source_format);
    if (sch_scene_word(text, "part")) return read_parts(text, &options->parts);
    if (sch_scene_word(text, "first_sample")) return options->first_sample = true;
    if (sch_scene_word(text, "condition")) {
        blit->condition = sch_scene_named(text, SCH_SCENE_QUERY);
        blit->inverted = sch_scene_word(text, "inverted");
        return !text->wrong;
    }
    if (sch_scene_word(text, "filter")) {
        if (!sch_scene_choice(text, sch_filter_words, "filter", &filter)) return false;
        options->filter = (enum sch_filter)filter;
        return true;
    }
    struct sch_scissor scissor;
    if (!sch_scene_word(text, "scissor"))
        return sch_scene_refuse(text, "SCENE_WORD",
                                "level, source_level, box, source, layer, source_layer, format, source_format, part, "
                                "filter, first_sample, scissor and condition are allowed here");
    if (!sch_scene_scissor(text, &scissor)) return false;
    const uint32_t sides[4] = {scissor.left, scissor.top, scissor.right, scissor.bottom};
    for (unsigned i = 0; i < 4; i++) options->scissor[i] = (int32_t)(sides[i] < INT32_MAX ? sides[i] : INT32_MAX);
    return options->scissored = true;
}

void sch_scene_read_blit(struct sch_scene_text *text, bool copies)
{
    struct sch_scene_step *step = sch_scene_add_step(text, SCH_SCENE_BLIT);
    if (!step || !(step->blit = sch_scene_alloc(text->scene, sizeof *step->blit))) return;
    step->blit->copies = copies;
    step->blit->blit.size = sizeof step->blit->blit;
    if (!(step->blit->from = sch_scene_named(text, SCH_SCENE_TEXTURE))) return;
    if (!sch_scene_word(text, "to")) {
        sch_scene_refuse(text, "SCENE_SYNTAX", "to and a texture follow");
        return;
    }
    step->blit->to = sch_scene_named(text, SCH_SCENE_TEXTURE);
    while (!sch_scene_at_end(text)) read_blit_option(text, step->blit);
}

void sch_scene_read_mips(struct sch_scene_text *text)
{
    struct sch_scene_step *step = sch_scene_add_step(text, SCH_SCENE_MIPS);
    if (step) step->texture = sch_scene_named(text, SCH_SCENE_TEXTURE);
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

static bool read_options(struct sch_scene_text *text, struct sch_scene_expect *expect)
{
    while (text->token.kind == SCH_SCENE_ATOM) {
        if (sch_scene_word(text, "level")) {
            if (!sch_scene_u32(text, "a level", 0, 31, &expect->level)) return false;
        } else if (sch_scene_word(text, "layer")) {
            if (!sch_scene_u32(text, "a layer", 0, 65535, &expect->layer)) return false;
        } else if (sch_scene_word(text, "sample")) {
            expect->has_sample = true;
            if (!sch_scene_u32(text, "a sample", 0, 15, &expect->sample)) return false;
        } else {
            return sch_scene_refuse(text, "SCENE_WORD", "level, layer and sample are allowed here, and then =");
        }
    }
    return true;
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
    if (read_where(text, expect) && read_options(text, expect))
        read_values(text, expect, expect->kind == SCH_SCENE_EXPECT_COLOR ? 4 : 1);
}

void sch_scene_read_expect(struct sch_scene_text *text)
{
    struct sch_scene_step *step = sch_scene_add_step(text, SCH_SCENE_EXPECT);
    if (!step || !(step->expect = sch_scene_alloc(text->scene, sizeof *step->expect))) return;
    read_expectation(text, step->expect);
}

/* ---- the output -------------------------------------------------------------------------------------------------- */

/* output TEXTURE [level N] [layer N] */
void sch_scene_read_output(struct sch_scene_text *text)
{
    struct sch_scene_output *output = &text->scene->output;
    if (output->texture) sch_scene_refuse(text, "SCENE_VALUE", "a scene has one output");
    output->texture = sch_scene_named(text, SCH_SCENE_TEXTURE);
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "level"))
            sch_scene_u32(text, "a level", 0, 31, &output->level);
        else if (sch_scene_word(text, "layer"))
            sch_scene_u32(text, "a layer", 0, 65535, &output->layer);
        else
            sch_scene_refuse(text, "SCENE_WORD", "level and layer are allowed here");
    }
}
