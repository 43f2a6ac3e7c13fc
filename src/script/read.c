/* The sections of a script: which there are, and the lines of the short ones. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum section {
    SECTION_NONE, /* before the first, and after a wrong one: lines are passed over */
    SECTION_REQUIRE,
    SECTION_SHADER,
    SECTION_SAMPLER,
    SECTION_RESOURCE,
    SECTION_INPUT_LAYOUT,
    SECTION_TEST
};

struct reader {
    struct sch_script *script;
    enum section section;
    size_t item; /* that of the section */
};

/* ---- [require] --------------------------------------------------------------------------------------------------- */

static bool read_model(struct sch_script_text *text, unsigned *model)
{
    sch_cursor_blanks(&text->cursor);
    const char *at = text->cursor.at; /* zero ends the text */
    if (*at < '1' || *at > '9' || at[1] != '.' || at[2] < '0' || at[2] > '9') return false;
    text->cursor.at += 3;
    *model = (unsigned)(at[0] - '0') * 10 + (unsigned)(at[2] - '0');
    return true;
}

/* Capabilities of scripts. [require] needs nothing of those that are there. */
static const struct {
    const char *name;
    bool there;
} capabilities[] = {{"clip-planes", true},
                    {"depth-bounds", true},
                    {"float64", true},
                    {"fog", false},
                    {"geometry-shader", true},
                    {"int64", false},
                    {"native-16-bit", false},
                    {"point-size", true},
                    {"rov", true},
                    {"rt-vp-array-index", true},
                    {"tessellation-shader", true},
                    {"wave-ops", false}};

/* A line that only says how to compile, or asks for what is there. */
static bool is_met(struct sch_script_text *text, struct sch_script_require *require)
{
    if (sch_cursor_words(&text->cursor, "options:")) {
        while (!sch_script_at_end(text)) {
            if (sch_cursor_words(&text->cursor, "row-major")) require->row_major = true;
            while (!sch_script_at_end(text) && *text->cursor.at != ' ') text->cursor.at++;
        }
        return true;
    }
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (capabilities[i].there && sch_cursor_words(&text->cursor, capabilities[i].name)) return true;
    if (!sch_cursor_words(&text->cursor, "format ")) return false;
    /* The texel formats of scripts are all loaded, and stored where they can be. */
    sch_cursor_blanks(&text->cursor);
    while (text->cursor.at < text->cursor.end && *text->cursor.at != ' ') text->cursor.at++;
    return sch_cursor_words(&text->cursor, "uav-load");
}

static void require_line(struct sch_script_text *text, struct sch_script_require *require)
{
    unsigned model;
    if (sch_cursor_words(&text->cursor, "shader model")) {
        bool least = sch_cursor_words(&text->cursor, ">="), below = !least && sch_cursor_words(&text->cursor, "<");
        if ((!least && !below) || !read_model(text, &model)) {
            sch_script_refuse(text, "SCRIPT_LINE", "shader model is followed by >= or < and a model, such as 5.0");
            return;
        }
        if (least)
            require->at_least = model;
        else
            require->below = model;
        return;
    }
    if (is_met(text, require)) return;
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
        sch_cursor_blanks(&text->cursor);
        const char *begin = text->cursor.at;
        if (!sch_cursor_words(&text->cursor, capabilities[i].name)) continue;
        require->missing = (struct sch_script_string){begin, (size_t)(text->cursor.at - begin)};
        return;
    }
    sch_script_refuse(text, "SCRIPT_LINE", "no requirement that scripts have");
}

/* ---- [sampler N] ------------------------------------------------------------------------------------------------- */

static bool read_filter(struct sch_script_text *text, bool *linear)
{
    *linear = sch_cursor_words(&text->cursor, "linear");
    return *linear || sch_cursor_words(&text->cursor, "point");
}

static bool read_address(struct sch_script_text *text, enum sch_wrap *wrap)
{
    static const struct sch_script_choice choices[] = {{"wrap", SCH_WRAP_REPEAT},
                                                       {"clamp", SCH_WRAP_CLAMP_TO_EDGE},
                                                       {"mirror_once", SCH_WRAP_MIRROR_CLAMP_TO_EDGE},
                                                       {"mirror", SCH_WRAP_MIRROR_REPEAT},
                                                       {"border", SCH_WRAP_CLAMP_TO_BORDER},
                                                       {NULL, 0}};
    int number = 0;
    const bool chosen = sch_script_choose(text, choices, &number);
    if (chosen) *wrap = (enum sch_wrap)number;
    return chosen;
}

static bool read_float(struct sch_script_text *text, float *value)
{
    uint32_t bits;
    if (!sch_script_word32(text, SCH_SCRIPT_FLOAT, &bits)) return false;
    memcpy(value, &bits, sizeof *value);
    return *value == *value;
}

/* lod bias B, lod clamp LEAST GREATEST */
static void read_lod(struct sch_script_text *text, struct sch_sampler_options *options)
{
    float least, greatest;
    if (sch_cursor_words(&text->cursor, "bias ")) {
        if (!read_float(text, &options->lod_bias))
            sch_script_refuse(text, "SCRIPT_NUMBER", "a number follows lod bias");
    } else if (!sch_cursor_words(&text->cursor, "clamp ")) {
        sch_script_refuse(text, "SCRIPT_LINE", "lod is followed by bias or clamp");
    } else if (!read_float(text, &least) || !read_float(text, &greatest)) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "the least and the greatest level follow lod clamp");
    } else {
        options->min_lod = least;
        /* 0 and 0 would be no limit to the library; any number below the least is the same. */
        options->max_lod = least == 0 && greatest == 0 ? -1 : greatest;
    }
}

static void sampler_line(struct sch_script_text *text, struct sch_sampler_options *options)
{
    bool min, mag, mip;
    if (sch_cursor_words(&text->cursor, "filter ")) {
        if (!read_filter(text, &min) || !read_filter(text, &mag) || !read_filter(text, &mip)) {
            sch_script_refuse(text, "SCRIPT_LINE", "filter is followed by three of point and linear");
            return;
        }
        options->min_filter = min ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST;
        options->mag_filter = mag ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST;
        options->mip_filter = mip ? SCH_MIP_LINEAR : SCH_MIP_NEAREST;
    } else if (sch_cursor_words(&text->cursor, "address ")) {
        if (!read_address(text, &options->wrap_s) || !read_address(text, &options->wrap_t) ||
            !read_address(text, &options->wrap_r))
            sch_script_refuse(text, "SCRIPT_LINE",
                              "address is followed by three of wrap, clamp, mirror, mirror_once, border");
    } else if (sch_cursor_words(&text->cursor, "comparison ")) {
        if (!sch_script_comparison(text, &options->compare))
            sch_script_refuse(text, "SCRIPT_LINE",
                              "comparison is followed by never, less, equal, less equal, greater, "
                              "not equal, greater equal or always");
    } else if (sch_cursor_words(&text->cursor, "lod ")) {
        read_lod(text, options);
    } else {
        sch_script_refuse(text, "SCRIPT_LINE", "expected filter, address, comparison or lod");
    }
}

static void begin_sampler(struct sch_script_text *text, struct sch_script_item *item)
{
    struct sch_script_sampler *sampler = item->sampler = calloc(1, sizeof *sampler);
    uint32_t slot;
    if (!sampler) {
        text->script->no_memory = true;
        return;
    }
    if (!sch_script_uint(text, SCH_SCRIPT_SAMPLERS - 1, &slot)) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "samplers are 0 to %d", SCH_SCRIPT_SAMPLERS - 1);
        return;
    }
    sampler->slot = slot;
    sampler->options = (struct sch_sampler_options){.size = sizeof sampler->options,
                                                    .wrap_s = SCH_WRAP_CLAMP_TO_EDGE,
                                                    .wrap_t = SCH_WRAP_CLAMP_TO_EDGE,
                                                    .wrap_r = SCH_WRAP_CLAMP_TO_EDGE,
                                                    .mip_filter = SCH_MIP_NEAREST,
                                                    .rules = SCH_RULES_D3D};
}

/* ---- shaders ----------------------------------------------------------------------------------------------------- */

static bool read_stage(struct sch_script_text *text, int *stage)
{
    static const struct sch_script_choice choices[] = {
        {"pixel shader", SCH_SCRIPT_PIXEL},     {"vertex shader", SCH_SCRIPT_VERTEX},
        {"compute shader", SCH_SCRIPT_COMPUTE}, {"hull shader", SCH_SCRIPT_HULL},
        {"domain shader", SCH_SCRIPT_DOMAIN},   {"geometry shader", SCH_SCRIPT_GEOMETRY},
        {"effect", SCH_SCRIPT_EFFECT},          {NULL, 0}};
    return sch_script_choose(text, choices, stage);
}

static enum sch_script_language read_language(struct sch_script_text *text)
{
    static const struct sch_script_choice choices[] = {
        {"tgsi", SCH_SCRIPT_TGSI},           {"d3d-asm", SCH_SCRIPT_D3D_ASM}, {"dxbc-tpf-hex", SCH_SCRIPT_DXBC_HEX},
        {"d3dbc-hex", SCH_SCRIPT_D3DBC_HEX}, {"hlsl", SCH_SCRIPT_HLSL},       {NULL, 0}};
    int language = SCH_SCRIPT_HLSL;
    sch_script_choose(text, choices, &language);
    return (enum sch_script_language)language;
}

static void begin_shader(struct sch_script_text *text, enum sch_script_stage stage, struct sch_script_item *item)
{
    item->shader.stage = stage;
    item->shader.language = read_language(text);
    if (stage != SCH_SCRIPT_EFFECT && item->shader.language == SCH_SCRIPT_HLSL)
        item->shader.number = text->script->shaders++;
    sch_script_prefixes(
        text, item, 1u << SCH_SCRIPT_TODO | 1u << SCH_SCRIPT_FAIL | 1u << SCH_SCRIPT_NOTIMPL | 1u << SCH_SCRIPT_BUG);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* Checks the section that ends. */
static void end_section(struct reader *reader, struct sch_script_text *text)
{
    struct sch_script_item *item = reader->item < reader->script->count ? &reader->script->items[reader->item] : NULL;
    if (!item) return;
    if (reader->section == SECTION_SHADER) item->shader.body.bytes = (size_t)(text->cursor.at - item->shader.body.text);
    if (reader->section == SECTION_RESOURCE && item->resource) {
        struct sch_script_text head = *text;
        head.cursor = sch_cursor_begin(text->script->text, text->script->bytes);
        while (head.cursor.number < item->line) sch_cursor_next_line(&head.cursor);
        sch_script_resource_end(&head, item->resource);
    }
    reader->section = SECTION_NONE;
}

static void begin_section(struct reader *reader, struct sch_script_text *text)
{
    int stage;
    struct sch_script_slot slot;
    struct sch_script *script = reader->script;
    struct sch_script_item *item = sch_script_add(script, SCH_SCRIPT_ITEM_TEST, text->cursor.number);
    reader->item = script->count - 1;
    reader->section = SECTION_NONE;
    if (!item) return;
    text->cursor.at++;
    if (sch_cursor_words(&text->cursor, "require")) {
        item->kind = SCH_SCRIPT_ITEM_REQUIRE;
        reader->section = SECTION_REQUIRE;
    } else if (sch_cursor_words(&text->cursor, "test")) {
        reader->section = SECTION_TEST;
    } else if (sch_cursor_words(&text->cursor, "input layout")) {
        item->kind = SCH_SCRIPT_ITEM_INPUT_LAYOUT;
        item->layout = calloc(1, sizeof *item->layout);
        if (!item->layout) script->no_memory = true;
        reader->section = SECTION_INPUT_LAYOUT;
    } else if (sch_cursor_words(&text->cursor, "sampler ")) {
        item->kind = SCH_SCRIPT_ITEM_SAMPLER;
        begin_sampler(text, item);
        reader->section = SECTION_SAMPLER;
    } else if (read_stage(text, &stage)) {
        item->kind = SCH_SCRIPT_ITEM_SHADER;
        begin_shader(text, (enum sch_script_stage)stage, item);
        reader->section = SECTION_SHADER;
    } else if (sch_script_slot(text, &slot)) {
        item->kind = SCH_SCRIPT_ITEM_RESOURCE;
        item->resource = sch_script_resource_begin(slot);
        if (!item->resource) script->no_memory = true;
        reader->section = SECTION_RESOURCE;
    } else if (!script->errors) {
        sch_script_refuse(text, "SCRIPT_SECTION", "no section that scripts have");
    }
    if (!script->errors && !sch_cursor_char(&text->cursor, ']'))
        sch_script_refuse(text, "SCRIPT_SECTION", "] is missing");
    if (!script->errors && !sch_script_at_end(text))
        sch_script_refuse(text, "SCRIPT_SECTION", "something follows the section's ]");
}

static void section_line(struct reader *reader, struct sch_script_text *text)
{
    struct sch_script_item *item = &reader->script->items[reader->item];
    if (sch_script_at_end(text)) return;
    switch (reader->section) {
    case SECTION_REQUIRE:
        require_line(text, &item->require);
        break;
    case SECTION_SAMPLER:
        sampler_line(text, &item->sampler->options);
        break;
    case SECTION_RESOURCE:
        sch_script_resource_line(text, item->resource);
        return;
    case SECTION_TEST:
        sch_script_test_line(text);
        return;
    case SECTION_NONE:
        if (!reader->script->errors) sch_script_refuse(text, "SCRIPT_SECTION", "a script begins with a section");
        return;
    case SECTION_INPUT_LAYOUT:
        if (item->layout) sch_script_layout_line(text, item->layout);
        break;
    case SECTION_SHADER:
        return;
    }
    if (!reader->script->errors && !sch_script_at_end(text))
        sch_script_refuse(text, "SCRIPT_LINE", "something follows that does not belong here");
}

bool sch_script_is(const char *text, size_t bytes)
{
    const char *at = text, *end = at + bytes;
    while (at < end && (*at == '%' || *at == '\n' || *at == '\r')) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    /* A section has a name; the lines of a log may begin with a time. */
    return end - at > 1 && *at == '[' && (at[1] | 0x20) >= 'a' && (at[1] | 0x20) <= 'z';
}

static void read_lines(struct sch_script *script, const struct sch_script_host *host)
{
    struct reader reader = {.script = script};
    struct sch_script_text all = {script, host, sch_cursor_begin(script->text, script->bytes)};
    bool more = script->bytes;
    while (more && !script->no_memory) {
        struct sch_script_text text = all; /* its line */
        more = sch_cursor_next_line(&all.cursor) && all.cursor.at < all.cursor.end;
        text.cursor.end = all.cursor.at - (all.cursor.number > text.cursor.number);
        if (*text.cursor.at == '[') {
            end_section(&reader, &text);
            begin_section(&reader, &text);
            if (reader.section == SECTION_SHADER) script->items[reader.item].shader.body.text = all.cursor.at;
        } else {
            section_line(&reader, &text);
        }
    }
    if (!script->no_memory) end_section(&reader, &all);
}

enum sch_result sch_script_read(const char *name, const char *text, size_t bytes, const struct sch_script_host *host,
                                struct sch_script **script)
{
    static const struct sch_diagnostic_info zero = {.size = sizeof zero,
                                                    .message = "a script is text, without zero bytes"};
    *script = NULL;
    if (memchr(text, 0, bytes)) {
        host->error(host->user, &zero);
        return SCH_ERROR_INVALID;
    }
    struct sch_script *made = calloc(1, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    *made = (struct sch_script){.name = name, .text = text, .bytes = bytes};
    read_lines(made, host);
    if (!made->no_memory && !made->errors) {
        *script = made;
        return SCH_OK;
    }
    const enum sch_result result = made->no_memory ? SCH_ERROR_MEMORY : SCH_ERROR_INVALID;
    sch_script_destroy(made);
    return result;
}
