/* Linking (pipeline/link.c): pairs of programs, and what each input, each system value, each fixed function and each
 * colour buffer then has, in the words of `describe` here. Expectations are from tgsi.rst, "Declaration Semantic" and
 * "Properties", and from docs/pipeline.md, "Linking". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/words.h"
#include "isa/errors.h"
#include "pipeline/link.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct pair {
    struct sch_prepared programs[3];
    const struct sch_prepared *pointers[3];
    size_t count;
    struct sch_diagnostics list;
    struct sch_link link;
    enum sch_result status;
};

static void prepare(struct pair *pair, const char *text)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    struct sch_prepared *program = &pair->programs[pair->count];
    enum sch_result status = sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &pair->list, &shader);
    if (status == SCH_OK) status = sch_prepare(shader, &sch_allocator_libc, &pair->list, program);
    if (status != SCH_OK) fail_msg("%s%d %s", text, status, pair->list.count ? pair->list.items[0].message : "");
    pair->pointers[pair->count++] = program;
    sch_ir_destroy(shader);
}

/* The programs that are not NULL, linked. To be released. */
static struct pair *link_texts(const char *first, const char *second, const char *third)
{
    struct pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    sch_diagnostics_init(&pair->list, &sch_allocator_libc, 8);
    const char *const texts[3] = {first, second, third};
    for (unsigned n = 0; n < COUNT(texts); n++)
        if (texts[n]) prepare(pair, texts[n]);
    pair->status = sch_link_programs(pair->pointers, NULL, pair->count, &pair->list, &pair->link);
    return pair;
}

static void release(struct pair *pair)
{
    for (size_t n = 0; n < pair->count; n++) sch_prepared_release(&pair->programs[n]);
    sch_diagnostics_release(&pair->list);
    free(pair);
}

/* ---- words for a link ---- */

/* What the words of a vertex hold: 0 and 1, or component c of OUT[r] as OUTPUTS + 4 r + c; EMPTY where nothing is. */
enum { OUTPUTS = 1000, EMPTY = 999, MOST_WORDS = 2048 };

static void fill_vertex(const struct sch_link *link, uint32_t *words)
{
    for (unsigned n = 0; n < MOST_WORDS; n++) words[n] = EMPTY;
    assert_int_equal(link->layout.words % 4, 0);
    assert_true(link->layout.words <= MOST_WORDS);
    for (uint32_t n = 0; n < link->copy_count; n++) {
        const struct sch_link_copy *copy = &link->copies[n];
        for (unsigned c = 0; c < 4; c++) {
            if (!(copy->mask >> c & 1)) continue;
            assert_true(copy->word + c < link->layout.words);
            assert_int_equal(words[copy->word + c], EMPTY); /* no word is written twice */
            const uint32_t of_output = OUTPUTS + 4u * copy->output + c;
            words[copy->word + c] = copy->output == SCH_LINK_NO_REGISTER ? c == 3 : of_output;
        }
    }
}

static void put_word(struct words *w, uint32_t word)
{
    if (word == EMPTY)
        put(w, " ?");
    else if (word >= OUTPUTS)
        put(w, " %u%c", (word - OUTPUTS) / 4, "xyzw"[(word - OUTPUTS) % 4]);
    else
        put(w, " %u", word);
}

/* A part of the vertex under a name; nothing where it is not there. */
static void put_part(struct words *w, const uint32_t *vertex, const char *name, uint16_t word, unsigned count)
{
    if (word == SCH_VERTEX_NONE || !count) return;
    put(w, "%s", name);
    for (unsigned c = 0; c < count; c++) put_word(w, vertex[word + c]);
    put(w, "; ");
}

static void put_fixed(struct words *w, const struct sch_link *link, const uint32_t *vertex)
{
    const struct sch_vertex_layout *layout = &link->layout;
    put_part(w, vertex, "position", layout->position, 4);
    put_part(w, vertex, "clip", layout->clip_distance, layout->clip_distances);
    put_part(w, vertex, "cull", layout->cull_distance, layout->cull_distances);
    put_part(w, vertex, "clip_vertex", layout->clip_vertex, 4);
    put_part(w, vertex, "point_size", layout->point_size, 1);
    put_part(w, vertex, "layer", layout->layer, 1);
    put_part(w, vertex, "viewport", layout->viewport, 1);
    put_part(w, vertex, "viewport_mask", layout->viewport_mask, 1);
    put_part(w, vertex, "edge_flag", layout->edge_flag, 1);
    put_part(w, vertex, "primitive_id", layout->primitive_id, 1);
    if (link->window_space) put(w, "window_space; ");
    if (link->prohibit_ucps) put(w, "prohibit_ucps; ");
    if (link->layer_relative) put(w, "layer_relative; ");
    if (link->d3d) put(w, "d3d; ");
}

static const char *const source_words[] = {
    [SCH_LINK_ATTRIBUTE] = "",   [SCH_LINK_MISSING] = " missing",         [SCH_LINK_POSITION] = " position",
    [SCH_LINK_FACE] = " face",   [SCH_LINK_POINT_COORD] = " point_coord", [SCH_LINK_PRIMITIVE_ID] = " primitive_id",
    [SCH_LINK_LAYER] = " layer", [SCH_LINK_VIEWPORT] = " viewport",
};

static void put_inputs(struct words *w, const struct sch_link *link, const uint32_t *vertex)
{
    static const char *const modes[] = {"constant", "linear", "perspective", "color"};
    static const char *const locations[] = {"", " centroid", " sample"};
    for (uint32_t n = 0; n < link->input_count; n++) {
        const struct sch_link_input *input = &link->inputs[n];
        const bool attribute = input->source == SCH_LINK_ATTRIBUTE;
        put(w, "IN[%u] =%s", (unsigned)input->number, source_words[input->source]);
        for (unsigned c = 0; attribute && c < 4; c++) put_word(w, vertex[input->word + c]);
        if (!attribute && input->word != SCH_VERTEX_NONE) put_word(w, vertex[input->word]);
        for (unsigned c = 0; input->back_word != input->word && c < 4; c++) {
            if (!c) put(w, " back");
            put_word(w, vertex[input->back_word + c]);
        }
        if (attribute || input->source == SCH_LINK_MISSING)
            put(w, " %s%s", modes[input->interpolation], locations[input->location]);
        if (input->sprite != SCH_LINK_NO_SPRITE)
            put(w, " %s %u", input->sprite_generic ? "generic" : "texcoord", (unsigned)input->sprite);
        put(w, "; ");
    }
}

static void put_values(struct words *w, const struct sch_link_value *values, uint32_t count, const uint32_t *vertex,
                       const char *stage)
{
    for (uint32_t n = 0; n < count; n++) {
        put(w, "%s SV[%u] = %s", stage, (unsigned)values[n].number,
            sch_word_by_number(SCH_WORDS_SEMANTIC, values[n].semantic)->word);
        if (values[n].word != SCH_VERTEX_NONE) put_word(w, vertex[values[n].word]);
        put(w, "; ");
    }
}

static void put_output(struct words *w, const char *name, uint16_t number)
{
    if (number != SCH_LINK_NO_REGISTER) put(w, "%s = OUT[%u]; ", name, (unsigned)number);
}

static void put_outputs(struct words *w, const struct sch_link_outputs *outputs)
{
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) {
        const char name[] = {'c', 'o', 'l', 'o', 'r', (char)('0' + n), 0};
        put_output(w, name, outputs->color[n]);
    }
    put_output(w, "depth", outputs->depth);
    put_output(w, "stencil", outputs->stencil);
    put_output(w, "sample_mask", outputs->sample_mask);
    if (outputs->broadcast) put(w, "broadcast; ");
}

static void describe(struct words *w, const struct sch_link *link)
{
    uint32_t vertex[MOST_WORDS];
    fill_vertex(link, vertex);
    put_fixed(w, link, vertex);
    put_inputs(w, link, vertex);
    put_values(w, link->vertex_values, link->vertex_value_count, vertex, "VERT");
    put_values(w, link->fragment_values, link->fragment_value_count, vertex, "FRAG");
    put_outputs(w, &link->outputs);
}

/* ---- cases ---- */

/* A vertex shader that declares a line beside its position, and writes it. */
#define VERT(declarations, code)                                                                                       \
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n" declarations "MOV OUT[0], IN[0]\n" code "END\n"
/* A fragment shader that reads IN[0], and what `code` reads. */
#define FRAG(declarations, code) "FRAG\n" declarations "DCL OUT[0], COLOR\n" code "END\n"
#define READS(declaration)       FRAG("DCL IN[0]" declaration "\n", "MOV OUT[0], IN[0]\n")
#define VALUE(name)              FRAG("DCL SV[0], " name "\n", "MOV OUT[0], SV[0]\n")
#define POS                      "position 0x 0y 0z 0w; "
#define COLOR0                   "color0 = OUT[0]; "
#define OUT2                     "MOV OUT[2], IN[0]\n"
#define OUT1                     "MOV OUT[1], IN[0]\n"

static const struct {
    const char *vertex, *fragment, *expected;
    unsigned warnings;
} cases[] = {
#include "link_cases.def"
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        struct pair *pair = link_texts(cases[n].vertex, cases[n].fragment, NULL);
        char room[4096];
        struct words w = words_in(room, sizeof room);
        if (pair->status != SCH_OK) fail_msg("case %zu: status %d", n, pair->status);
        describe(&w, &pair->link);
        if (strcmp(w.text, cases[n].expected) != 0)
            fail_msg("case %zu\n%s%s\n     got %s\nexpected %s", n, cases[n].vertex,
                     cases[n].fragment ? cases[n].fragment : "", w.text, cases[n].expected);
        unsigned warnings = 0;
        for (size_t i = 0; i < pair->list.count; i++) warnings += pair->list.items[i].code == SCH_D_LINK_INPUT_MISSING;
        if (warnings != cases[n].warnings) fail_msg("case %zu: %u warnings", n, warnings);
        release(pair);
    }
}

/* ---- what is asked with the rasterizer's state ---- */

static void test_state(void **state)
{
    (void)state;
    struct sch_rasterizer_options flat = {.flatshade = true}, smooth = {.flatshade = false};
    struct sch_link_input input = {.interpolation = SCH_INTERPOLATION_COLOR, .sprite = SCH_LINK_NO_SPRITE};
    assert_int_equal(sch_link_interpolation(&input, &flat), SCH_INTERPOLATION_CONSTANT);
    assert_int_equal(sch_link_interpolation(&input, &smooth), SCH_INTERPOLATION_PERSPECTIVE);
    static const uint8_t fixed[] = {SCH_INTERPOLATION_CONSTANT, SCH_INTERPOLATION_LINEAR,
                                    SCH_INTERPOLATION_PERSPECTIVE};
    for (size_t n = 0; n < COUNT(fixed); n++) {
        input.interpolation = fixed[n];
        assert_int_equal(sch_link_interpolation(&input, &flat), fixed[n]);
        assert_int_equal(sch_link_interpolation(&input, &smooth), fixed[n]);
    }

    struct sch_rasterizer_options sprites = {.point_quad_rasterization = true, .sprite_coord_enable = 1u << 31 | 4};
    assert_false(sch_link_is_sprite(&input, &sprites));
    input.sprite = 31;
    assert_true(sch_link_is_sprite(&input, &sprites));
    input.sprite = 3;
    assert_false(sch_link_is_sprite(&input, &sprites));
    input.sprite = 2;
    assert_true(sch_link_is_sprite(&input, &sprites));
    sprites.sprite_coord_generic = true; /* the bits name GENERIC inputs */
    assert_false(sch_link_is_sprite(&input, &sprites));
    input.sprite_generic = true;
    assert_true(sch_link_is_sprite(&input, &sprites));
    sprites.point_quad_rasterization = false; /* points are no sprites */
    assert_false(sch_link_is_sprite(&input, &sprites));
}

/* ---- programs that do not link ---- */

static void refuse(const char *first, const char *second, const char *third, enum sch_result status, unsigned code)
{
    struct pair *pair = link_texts(first, second, third);
    assert_int_equal(pair->status, status);
    bool found = false;
    for (size_t n = 0; n < pair->list.count; n++) found |= pair->list.items[n].code == code;
    assert_true(found);
    release(pair);
}

#define GEOM                                                                                                           \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"                                  \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nEND\n"

static void test_stages(void **state)
{
    (void)state;
    static const char *const evaluation = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nEND\n",
                             *const control = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nEND\n";
    static const char *const vertex = VERT("", ""), *const fragment = FRAG("", "MOV OUT[0], OUT[0]\n"),
                             *const compute = "COMP\nEND\n", *const geometry = GEOM;
    refuse(fragment, NULL, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(fragment, vertex, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, vertex, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, fragment, fragment, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, compute, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(compute, NULL, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(geometry, fragment, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(NULL, NULL, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(geometry, vertex, fragment, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, fragment, geometry, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, geometry, geometry, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, control, fragment, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, control, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(evaluation, fragment, NULL, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, evaluation, control, SCH_ERROR_INVALID, SCH_D_LINK_STAGES);
    refuse(vertex, evaluation, geometry, SCH_ERROR_INVALID, SCH_D_LINK_PRIMITIVE);
}

/* ---- patches ---- */

/* Words of a vertex or a patch as OUTPUTS + 4 r + c, 0 and 1, or EMPTY, and what inputs have of them. */
static void put_hop(struct words *w, const struct sch_link_hop *hop)
{
    static uint32_t words[2][MOST_WORDS]; /* of a vertex, of a patch */
    const struct sch_link_copy *copies[2] = {hop->copies, hop->patch_copies};
    const uint32_t counts[2] = {hop->copy_count, hop->patch_copy_count};
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned n = 0; n < MOST_WORDS; n++) words[p][n] = EMPTY;
        for (uint32_t n = 0; n < counts[p]; n++)
            for (unsigned c = 0; c < 4; c++)
                if (copies[p][n].mask >> c & 1)
                    words[p][copies[p][n].word + c] =
                        copies[p][n].output == SCH_LINK_NO_REGISTER ? c == 3 : OUTPUTS + 4u * copies[p][n].output + c;
    }
    put(w, "levels");
    for (unsigned c = 0; c < SCH_LINK_LEVELS; c++) put_word(w, words[1][c]);
    put(w, "; ");
    for (uint32_t n = 0; n < hop->input_count; n++) {
        const struct sch_link_register *input = &hop->inputs[n];
        const bool patch = input->source == SCH_LINK_PATCH;
        put(w, "IN[%u] =%s", (unsigned)input->number, patch ? " patch" : source_words[input->source]);
        if (patch && input->word < SCH_LINK_LEVELS)
            put(w, input->word == SCH_LINK_OUTER ? " outer" : " inner");
        else
            for (unsigned c = 0; c < 4 && (patch || input->source == SCH_LINK_ATTRIBUTE); c++)
                put_word(w, words[patch][input->word + c]);
        put(w, "; ");
    }
}

/* A control shader that writes its levels in part, one patch attribute and one of its vertex. */
#define LEVELS "DCL OUT[0], TESSOUTER\nDCL OUT[1], TESSINNER\n"
#define CONTROLS(declarations, code)                                                                                   \
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL IN[][0], GENERIC[1]\nDCL OUT[][2], GENERIC[1]\n" declarations         \
    "MOV OUT[0][2], IN[0][0]\n" code "END\n"
#define EVALUATES(declarations, code)                                                                                  \
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL OUT[0], POSITION\n" declarations code "END\n"

static const struct {
    const char *vertex, *control, *evaluation, *expected;
    unsigned warnings;
} patches[] = {
    /* PATCH[n] of a control shader, never of vertices; levels that are not written are in no copy. */
    {VERT("DCL OUT[1], GENERIC[1]\n", OUT1),
     CONTROLS(LEVELS "DCL OUT[3], PATCH[1]\n",
              "MOV OUT[0].xz, IN[0][0]\nMOV OUT[1].y, IN[0][0]\nMOV OUT[3].xy, IN[0][0]\n"),
     EVALUATES("DCL IN[][0], GENERIC[1]\nDCL IN[1], PATCH[1]\nDCL IN[2], PATCH[2]\nDCL TEMP[0]\n",
               "ADD TEMP[0], IN[0][0], IN[1]\nADD OUT[0], TEMP[0], IN[2]\n"),
     "levels 0x ? 0z ? ? 1y ? ?; IN[0] = 2x 2y 2z 2w; IN[1] = patch 3x 3y 0 1; IN[2] = missing; ", 1},
    {VERT("DCL OUT[1], GENERIC[1]\n", OUT1), CONTROLS("", ""),
     EVALUATES("DCL IN[][0], GENERIC[2]\nDCL IN[1], TESSINNER\nDCL IN[2], TESSOUTER\nDCL IN[3], PATCH[1]\nDCL IN[4], "
               "PRIM_ID\nDCL TEMP[0]\n",
               "ADD TEMP[0], IN[0][0], IN[1]\nADD TEMP[0], TEMP[0], IN[2]\nADD TEMP[0], TEMP[0], IN[4]\nADD OUT[0], "
               "TEMP[0], IN[3]\n"),
     "levels ? ? ? ? ? ? ? ?; IN[0] = missing; IN[4] = primitive_id; IN[1] = patch inner; IN[2] = patch outer; IN[3] = "
     "missing; ",
     2},
    /* Without a control shader vertices are those of the vertex shader. */
    {VERT("DCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n", OUT1 OUT2), NULL,
     EVALUATES("DCL IN[][0], GENERIC[2]\nDCL IN[][1], POSITION\nDCL IN[2], TESSINNER\nDCL TEMP[0]\n",
               "ADD TEMP[0], IN[0][0], IN[3][1]\nADD OUT[0], TEMP[0], IN[2]\n"),
     "levels ? ? ? ? ? ? ? ?; IN[0] = 2x 2y 2z 2w; IN[1] = 0x 0y 0z 0w; IN[2] = patch inner; ", 0},
    /* Direct3D's registers link by their numbers where their system values differ. */
    {"VERT\nPROPERTY D3D_RULES 1\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nMOV OUT[0], IN[0]\nMOV "
     "OUT[1], IN[0]\nEND\n",
     NULL,
     "TESS_EVAL\nPROPERTY D3D_RULES 1\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\nDCL "
     "OUT[0], "
     "POSITION\nADD OUT[0], IN[0][0], IN[0][1]\nEND\n",
     "levels ? ? ? ? ? ? ? ?; IN[0] = 0x 0y 0z 0w; IN[1] = 1x 1y 1z 1w; ", 0},
};

static void test_patches(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(patches); n++) {
        struct pair *pair = link_texts(patches[n].vertex, patches[n].control, patches[n].evaluation);
        char room[1024];
        struct words w = words_in(room, sizeof room);
        assert_int_equal(pair->status, SCH_OK);
        assert_int_equal(pair->link.hop_count, patches[n].control ? 2 : 1);
        assert_ptr_equal(pair->link.last, pair->link.tess_eval);
        put_hop(&w, sch_link_hop_to(&pair->link, SCH_STAGE_TESS_EVAL));
        if (strcmp(w.text, patches[n].expected) != 0)
            fail_msg("patches %zu\n     got %s\nexpected %s", n, w.text, patches[n].expected);
        unsigned warnings = 0;
        for (size_t i = 0; i < pair->list.count; i++) warnings += pair->list.items[i].code == SCH_D_LINK_INPUT_MISSING;
        assert_int_equal(warnings, patches[n].warnings);
        release(pair);
    }
}

/* As many inputs as a pipeline links, and one more. */
static void test_limit(void **state)
{
    (void)state;
    static const char *const many = FRAG("DCL IN[0..%u], ARRAY(1), GENERIC\nDCL ADDR[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n",
                                         "UARL ADDR[0].x, IMM[0]\nMOV OUT[0], IN[ADDR[0].x](1)\n");
    char text[512];
    static const char *const vertex =
        "VERT\nDCL OUT[0..80], ARRAY(1), GENERIC\nDCL ADDR[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
        "UARL ADDR[0].x, IMM[0]\nMOV OUT[ADDR[0].x](1), IMM[0]\nEND\n";
    snprintf(text, sizeof text, many, 79u);
    struct pair *pair = link_texts(vertex, text, NULL);
    assert_int_equal(pair->status, SCH_OK);
    assert_int_equal(pair->link.input_count, 80);
    assert_int_equal(pair->link.layout.attribute_count, 80);
    assert_int_equal(pair->list.count, 0);
    release(pair);
    snprintf(text, sizeof text, many, 80u);
    refuse(vertex, text, NULL, SCH_ERROR_LIMIT, SCH_D_LINK_LIMIT);
    refuse("VERT\nDCL OUT[0], POSITION\nDCL OUT[65535], GENERIC[0]\nMOV OUT[0], OUT[0]\nEND\n", NULL, NULL,
           SCH_ERROR_LIMIT, SCH_D_LINK_LIMIT);
    pair = link_texts("VERT\nDCL OUT[0], POSITION\nDCL OUT[32767], GENERIC[0]\nMOV OUT[0], OUT[0]\n"
                      "MOV OUT[32767], OUT[0]\nEND\n",
                      READS(", GENERIC[0]"), NULL);
    assert_int_equal(pair->link.copies[1].output, 32767);
    assert_int_equal(pair->link.copies[1].mask, 15);
    release(pair);
    char room[4096];
    struct words w = words_in(room, sizeof room);
    put(&w, "FRAG\nDCL OUT[0], COLOR\n");
    for (unsigned n = 0; n < 33; n++) put(&w, "DCL SV[%u], FACE\n", n);
    for (unsigned n = 0; n < 33; n++) put(&w, "MOV OUT[0], SV[%u]\n", n);
    put(&w, "END\n");
    refuse(vertex, room, NULL, SCH_ERROR_LIMIT, SCH_D_LINK_LIMIT);
}

/* The warning of a missing input stands at its declaration. */
static void test_place(void **state)
{
    (void)state;
    struct pair *pair = link_texts(VERT("", ""), FRAG("DCL IN[1], GENERIC[3]\n", "MOV OUT[0], IN[1]\n"), NULL);
    assert_int_equal(pair->status, SCH_OK);
    assert_int_equal(pair->list.count, 1);
    assert_int_equal(pair->list.items[0].code, SCH_D_LINK_INPUT_MISSING);
    assert_int_equal(pair->list.items[0].severity, SCH_SEVERITY_WARNING);
    assert_int_equal(pair->list.items[0].position.line, 2);
    assert_string_equal(pair->list.items[0].message, "no stage before writes GENERIC[3]: IN[1] reads (0, 0, 0, 1)");
    release(pair);
}

/* ---- facts of single programs, and the order that two of them need ---- */

static void put_facts(struct words *w, const struct sch_prepared_facts *facts)
{
    const struct {
        bool is;
        const char *word;
    } words[] = {{facts->discards, "discards "},       {facts->writes_depth, "depth "},
                 {facts->writes_stencil, "stencil "},  {facts->writes_sample_mask, "sample_mask "},
                 {facts->per_sample, "per_sample "},   {facts->fetches_framebuffer, "fetches "},
                 {facts->shows_group, "shows_group "}, {facts->reads_quad, "reads_quad "},
                 {facts->reads_memory, "reads "},      {facts->writes_memory, "writes "}};
    for (size_t n = 0; n < COUNT(words); n++) put(w, "%s", words[n].is ? words[n].word : "");
    static const char *const effects[] = {"", "unordered ", "ordered "};
    put(w, "%s%s", effects[facts->effects], facts->only_atomic ? sch_op_info(facts->only_atomic)->name : "");
}

#define CODE(declarations, code)                                                                                       \
    "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 2, 3}\n" declarations code   \
    "END\n"
#define BUFFER(code) CODE("DCL BUFFER[0]\nDCL BUFFER[1]\n", code)

#define ATOMIC(opcode) opcode " TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
#define VERTEX_BUFFER(code)                                                                                            \
    "VERT\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n" code "END\n"
#define LOAD  "LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\n"
#define STORE "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\n"

static const struct {
    const char *text, *facts;
} facts[] = {
#include "link_facts.def"
};

static void test_facts(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(facts); n++) {
        struct pair pair = {0};
        sch_diagnostics_init(&pair.list, &sch_allocator_libc, 8);
        prepare(&pair, facts[n].text);
        char room[512];
        struct words w = words_in(room, sizeof room);
        put_facts(&w, &pair.programs[0].interface.facts);
        if (strcmp(w.text, facts[n].facts) != 0)
            fail_msg("case %zu\n%s\n     got %s\nexpected %s", n, facts[n].text, w.text, facts[n].facts);
        sch_prepared_release(&pair.programs[0]);
        sch_diagnostics_release(&pair.list);
    }
}

static void test_effects(void **state)
{
    (void)state;
    static const struct {
        const char *vertex, *fragment;
        enum sch_prepared_effects effects;
    } rows[] = {
        {"", "", SCH_EFFECTS_NONE},
        {VERTEX_BUFFER(LOAD), BUFFER(LOAD), SCH_EFFECTS_NONE},
        {VERTEX_BUFFER(""), BUFFER(ATOMIC("ATOMUADD")), SCH_EFFECTS_UNORDERED},
        {VERTEX_BUFFER(ATOMIC("ATOMUADD")), NULL, SCH_EFFECTS_UNORDERED},
        {VERTEX_BUFFER(ATOMIC("ATOMUADD")), BUFFER(""), SCH_EFFECTS_UNORDERED},
        {VERTEX_BUFFER(ATOMIC("ATOMUADD")), BUFFER(ATOMIC("ATOMUADD")), SCH_EFFECTS_UNORDERED},
        {VERTEX_BUFFER(ATOMIC("ATOMUADD")), BUFFER(ATOMIC("ATOMAND")), SCH_EFFECTS_ORDERED},
        {VERTEX_BUFFER(LOAD), BUFFER(ATOMIC("ATOMUADD")), SCH_EFFECTS_ORDERED},
        {VERTEX_BUFFER(ATOMIC("ATOMUADD")), BUFFER(LOAD), SCH_EFFECTS_ORDERED},
        {VERTEX_BUFFER(STORE), BUFFER(""), SCH_EFFECTS_ORDERED},
        {VERTEX_BUFFER(""), BUFFER(STORE), SCH_EFFECTS_ORDERED},
        {VERTEX_BUFFER(STORE), NULL, SCH_EFFECTS_ORDERED},
    };
    for (size_t n = 0; n < COUNT(rows); n++) {
        const char *vertex = rows[n].vertex[0] ? rows[n].vertex : VERTEX_BUFFER("");
        struct pair *pair =
            link_texts(vertex, rows[n].fragment && !rows[n].fragment[0] ? BUFFER("") : rows[n].fragment, NULL);
        assert_int_equal(pair->status, SCH_OK);
        if (pair->link.effects != rows[n].effects) fail_msg("row %zu: %u", n, pair->link.effects);
        release(pair);
    }
}

/* ---- registers and properties as they are listed ---- */

static void test_registers(void **state)
{
    (void)state;
    struct pair pair = {0};
    sch_diagnostics_init(&pair.list, &sch_allocator_libc, 8);
    prepare(&pair, "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                   "PROPERTY GS_MAX_OUTPUT_VERTICES 7\nPROPERTY GS_INVOCATIONS 2\n"
                   "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[2].xy, GENERIC[4], STREAM(1, 2, 0, 0)\n"
                   "IMM[0] UINT32 {0, 0, 0, 0}\n"
                   "MOV OUT[0].xz, IN[0][0]\nMOV OUT[2].y, IN[0][0]\nEMIT IMM[0].xxxx\nEND\n");
    const struct sch_prepared_interface *interface = &pair.programs[0].interface;
    assert_int_equal(interface->input_count, 1);
    assert_int_equal(interface->output_count, 3);
    assert_false(interface->outputs[1].declared);
    const struct sch_prepared_register *output = &interface->outputs[2];
    assert_true(output->declared);
    assert_int_equal(output->semantic, SCH_SEMANTIC_GENERIC);
    assert_int_equal(output->semantic_index, 4);
    assert_int_equal(output->mask, 3);
    assert_int_equal(output->used, 2);
    assert_int_equal(output->stream[0], 1);
    assert_int_equal(output->stream[1], 2);
    assert_int_equal(interface->outputs[0].used, 5);
    assert_int_equal(interface->properties[SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES].value, 7);
    assert_true(interface->properties[SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES].given);
    assert_int_equal(interface->properties[SCH_PROPERTY_GS_INVOCATIONS].value, 2);
    assert_false(interface->properties[SCH_PROPERTY_NUM_CLIPDIST_ENABLED].given);
    sch_prepared_release(&pair.programs[0]);
    sch_diagnostics_release(&pair.list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),   cmocka_unit_test(test_state),   cmocka_unit_test(test_stages),
        cmocka_unit_test(test_patches), cmocka_unit_test(test_limit),   cmocka_unit_test(test_place),
        cmocka_unit_test(test_facts),   cmocka_unit_test(test_effects), cmocka_unit_test(test_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
