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

#include "isa/errors.h"
#include "pipeline/link.h"
#include "tgsi/tgsi.h"
#include "words.h"

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
    pair->status = sch_link_programs(pair->pointers, pair->count, &pair->list, &pair->link);
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
        if (input->color) put(w, " clamped");
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
