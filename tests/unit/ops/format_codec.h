/* Width-agnostic entry points to the codecs of src/ops, one set per vector width. With SCH_LANES defined this file is
 * also their body: format_codec_4.c and its like include it. */
#ifndef TESTS_FORMAT_CODEC_H
#define TESTS_FORMAT_CODEC_H

#include <stdbool.h>
#include <stdint.h>

struct sch_texture_level;

/* Texel i of `count`: x = i % width, y = i / width % height, slice = i / width / height of the level. */
typedef void format_decode_fn(unsigned format, unsigned rules, const struct sch_texture_level *level, uint64_t first,
                              uint32_t count, uint32_t (*value)[4]);
typedef void format_encode_fn(unsigned format, unsigned rules, const struct sch_texture_level *level, bool concurrent,
                              uint32_t count, uint32_t (*const value)[4]);
/* Codes of an exact-sum format's channel. */
typedef void format_codes_fn(unsigned format, const struct sch_texture_level *level, unsigned channel, uint32_t count,
                             int32_t *code);

format_decode_fn format_decode_4, format_decode_8, format_decode_16;
format_encode_fn format_encode_4, format_encode_8, format_encode_16;
format_codes_fn format_codes_4, format_codes_8, format_codes_16;

#endif

#ifdef SCH_LANES
#define SCH_LEVEL test
#include "ops/texture/decode.h"
#include "ops/texture/encode.h"

struct places {
    vi32 x, y, slice, mask;
};

static struct places places_at(const struct sch_texture_level *level, uint64_t first, uint32_t count, uint32_t done)
{
    struct places p;
    for (unsigned lane = 0; lane < SCH_LANES; lane++) {
        uint64_t i = first + done + lane;
        p.x[lane] = (int32_t)(i % level->width);
        p.y[lane] = (int32_t)(i / level->width % level->height);
        p.slice[lane] = (int32_t)(i / level->width / level->height);
        p.mask[lane] = done + lane < count ? -1 : 0;
        if (!p.mask[lane]) p.x[lane] = p.y[lane] = p.slice[lane] = 0x7fffffff; /* must not be touched */
    }
    return p;
}

/* Loads by the way for every level and, where the level allows it, by the one for near texels: where they differ,
 * neither is right, and the result is spoilt for the test to notice. */
static struct tex_raw texels_loaded(const struct tex_format *format, const struct sch_texture_level *level,
                                    const struct places *p)
{
    struct tex_raw raw = tex_texel_load(format, level, false, p->x, p->y, p->slice, p->mask);
    uint64_t slices = 1;
    for (unsigned lane = 0; lane < SCH_LANES; lane++)
        if (p->mask[lane] && (uint64_t)p->slice[lane] >= slices) slices = (uint64_t)p->slice[lane] + 1;
    if (!tex_is_near(level, slices)) return raw;
    struct tex_raw near = tex_texel_load(format, level, true, p->x, p->y, p->slice, p->mask);
    for (unsigned i = 0; i < 4; i++) raw.word[i] ^= (vu32)(raw.word[i] != near.word[i]);
    return raw;
}

void OPS_JOIN(format_decode, SCH_LANES)(unsigned format, unsigned rules, const struct sch_texture_level *level,
                                        uint64_t first, uint32_t count, uint32_t (*value)[4])
{
    for (uint32_t done = 0; done < count; done += SCH_LANES) {
        struct places p = places_at(level, first, count, done);
        struct tex_raw raw = texels_loaded(&tex_formats[format], level, &p);
        struct tex_texel texel = tex_texel_decode(&tex_formats[format], rules, &raw, p.x);
        for (unsigned lane = 0; lane < SCH_LANES && done + lane < count; lane++)
            for (unsigned c = 0; c < 4; c++) value[done + lane][c] = v_as_u32(texel.c[c])[lane];
    }
}

void OPS_JOIN(format_encode, SCH_LANES)(unsigned format, unsigned rules, const struct sch_texture_level *level,
                                        bool concurrent, uint32_t count, uint32_t (*const value)[4])
{
    for (uint32_t done = 0; done < count; done += SCH_LANES) {
        struct places p = places_at(level, 0, count, done);
        vu32 v[4];
        for (unsigned lane = 0; lane < SCH_LANES; lane++)
            for (unsigned c = 0; c < 4; c++) v[c][lane] = done + lane < count ? value[done + lane][c] : 0;
        struct tex_raw raw = tex_texel_encode(&tex_formats[format], rules, v);
        tex_texel_store(&tex_formats[format], level, p.x, p.y, p.slice, p.mask, concurrent, &raw);
    }
}

void OPS_JOIN(format_codes, SCH_LANES)(unsigned format, const struct sch_texture_level *level, unsigned channel,
                                       uint32_t count, int32_t *code)
{
    for (uint32_t done = 0; done < count; done += SCH_LANES) {
        struct places p = places_at(level, 0, count, done);
        struct tex_raw raw = texels_loaded(&tex_formats[format], level, &p);
        vi32 codes = tex_texel_code(&tex_formats[format], &raw, channel, p.x);
        for (unsigned lane = 0; lane < SCH_LANES && done + lane < count; lane++) code[done + lane] = codes[lane];
    }
}
#endif
