/* The code of random programs of every stage (random_shader.c) and of random lookups (texture_lookups.c) is the same
 * whatever was compiled before (jit/module.c): what one process has compiled another takes from the cache. What the
 * code computes is tested by jit_random and compiled_lookups. --sums prints a sum for each text: compare those of two
 * builds to see how far a change of the compiler reaches. */
#include "../support/random_shader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/texture_lookups.h"
#include "ops/ops.h"
#include "protocol/compiler.h"
#include "text_sum.h"

extern const struct sch_native_compiler sch_native_compiler_1;

enum { PROGRAMS = 100, LOOKUPS = 48, FIRST_PROGRAM = 1000, FIRST_LOOKUP = 1 };
enum kind { PROGRAM, LOOKUP, KINDS };
static const char *const kind_names[KINDS] = {"PROGRAM", "LOOKUP"};

/* ---- programs ---- */

static struct sch_context *open_context(void)
{
    struct sch_context *context = NULL;
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = by_code_compiler(), .inside = true};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

/* Widths and forms of groups take turns. */
static uint32_t sum_of_program(unsigned number, const char **level)
{
    static struct random_shader shader;
    static const unsigned widths[] = {4, 16, 8, 16, 4};
    const unsigned width = widths[number % 5];
    enum sch_result why;
    char *text = NULL;
    struct sch_context *context = open_context();
    random_shader_make(&shader, FIRST_PROGRAM + number);
    struct sch_program *program =
        api_program_on(context, shader.text, strlen(shader.text), SCH_ENGINE_JIT, width, &why);
    if (!program) fail_msg("%s\n%s", sch_result_text(why), shader.text);
    const struct sch_code_options options = {.size = sizeof options,
                                             .full = number % 3 != 1,
                                             .quads = shader.stage == SCH_STAGE_FRAGMENT && number % 2,
                                             .bounded = number % 3 == 2};
    assert_int_equal(sch_program_code_text(program, &options, SCH_CODE_IR, &text), SCH_OK);
    const uint32_t sum = text_sum(text);
    sch_free(context, text);
    sch_program_destroy(program);
    sch_context_destroy(context);
    *level = sch_ops_for_width(width)->name;
    return sum;
}

/* ---- lookups ---- */

static const struct sch_ops *level_named(const char *name)
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(levels[i]->name, name) == 0) return levels[i];
    return NULL;
}

static struct sch_native_lookup_form form_of(const struct group *g, unsigned number)
{
    struct sch_native_lookup_form form;
    memset(&form, 0, sizeof form);
    form.key = g->key;
    const bool gathers = g->operation == ASK_GATHER || g->operation == ASK_GATHER_COMPARED;
    form.kind = g->operation == ASK_FETCH ? (number % 3 ? SCH_NATIVE_FETCH : SCH_NATIVE_STORE)
                : g->operation == ASK_LOD ? SCH_NATIVE_LOD
                : gathers                 ? SCH_NATIVE_GATHER
                                          : SCH_NATIVE_SAMPLE;
    if (g->operation == ASK_FETCH) {
        form.has_lod = g->fetch.level != NULL;
        form.offsets = g->fetch.offset[0] || g->fetch.offset[1] || g->fetch.offset[2];
        return form;
    }
    form.lod_mode = g->request.lod_mode;
    form.offsets = g->request.offsets;
    form.component = g->request.component;
    form.quads = g->request.quads;
    form.biased = g->request.biased;
    form.has_min_lod = g->request.min_lod != NULL;
    form.has_lod = g->request.lod != NULL;
    return form;
}

/* A format and an operation of it: of the first that both are legal. */
static void make_lookup(unsigned number, struct group *g)
{
    unsigned format_count, at = number;
    const struct ref_format *formats = ref_formats(&format_count);
    const enum operation operation = (enum operation)(number % ASK_COUNT);
    const struct ref_format *usual = ref_format_of(SCH_FORMAT_R8G8B8A8_UNORM), *format = usual;
    if (number % 2 || !group_is_legal(usual, operation)) do
            format = &formats[at++ * 7 % format_count];
        while (!group_is_legal(format, operation));
    group_make(g, format, operation, FIRST_LOOKUP + number);
}

static char *text_of_lookup(unsigned number, const char *level)
{
    static struct group g;
    struct sch_native_object object;
    struct sch_native_cost cost;
    char *text = NULL;
    make_lookup(number, &g);
    const struct sch_native_lookup_form form = form_of(&g, number);
    assert_int_equal(sch_native_compiler_1.compile_lookup(&form, level, &object, &cost, &text), SCH_OK);
    group_release(&g);
    return text;
}

static uint32_t sum_of_lookup(unsigned number, const char **level)
{
    static const char *const levels[] = {"w4", "w16v4", "w4", "w8v3"};
    *level = levels[number / ASK_COUNT % 4];
    if (!level_named(*level)) *level = "w4";
    char *text = text_of_lookup(number, *level);
    assert_non_null(text);
    const uint32_t sum = text_sum(text);
    sch_native_compiler_1.release_text(text);
    return sum;
}

/* ---- both ---- */

static uint32_t sum_of(enum kind kind, unsigned number, const char **level)
{
    return kind == PROGRAM ? sum_of_program(number, level) : sum_of_lookup(number, level);
}

static void expect_same(enum kind kind, unsigned count)
{
    static uint32_t sums[PROGRAMS > LOOKUPS ? PROGRAMS : LOOKUPS];
    const char *level;
    for (unsigned i = 0; i < count; i++) sums[i] = sum_of(kind, i, &level);
    for (unsigned i = count; i-- > 0;) {
        const uint32_t sum = sum_of(kind, i, &level);
        if (sum != sums[i])
            fail_msg("%s %u, %s: the text's sum is %08x, and was %08x when fewer were compiled before it",
                     kind_names[kind], i, level, sum, sums[i]);
    }
}

static void programs_do_not_depend_on_order(void **state)
{
    (void)state;
    expect_same(PROGRAM, PROGRAMS);
}

static void lookups_do_not_depend_on_order(void **state)
{
    (void)state;
    expect_same(LOOKUP, LOOKUPS);
}

static void print_sums(enum kind kind, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const char *level;
        const uint32_t sum = sum_of(kind, i, &level);
        printf("%s %u %s %08x\n", kind_names[kind], i, level, sum);
    }
}

static void print_all(void **state)
{
    (void)state;
    print_sums(PROGRAM, 3 * PROGRAMS);
    print_sums(LOOKUP, 3 * LOOKUPS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(print_all)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_do_not_depend_on_order),
                                       cmocka_unit_test(lookups_do_not_depend_on_order)};
    if (argc > 1 && strcmp(argv[1], "--sums") == 0) return cmocka_run_group_tests(all, NULL, NULL);
    return cmocka_run_group_tests_name("code order", tests, NULL, NULL);
}
