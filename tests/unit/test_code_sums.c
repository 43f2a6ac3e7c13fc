/* The code of random programs of every stage (random_shader.c) and of random lookups (texture_lookups.c): its text
 * behind LLVM's passes has a sum that stands in code_sums.def. What it computes is tested by jit_random and
 * compiled_lookups; here, that it is the same on every machine, whatever was compiled before (jit/module.c): what one
 * has compiled another takes from the cache. Who changes the compiler sets the sums by `test_code_sums --sums`, and
 * sees by their number how far a change reaches. They are of one version of LLVM and not compared with another's. */
#include "random_shader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_program.h"
#include "by_code.h"
#include "ops/ops.h"
#include "protocol/compiler.h"
#include "text_sum.h"
#include "texture_lookups.h"

extern const struct sch_native_compiler sch_native_compiler_1;

enum { PROGRAMS = 300, LOOKUPS = 144, FIRST_PROGRAM = 1000, FIRST_LOOKUP = 1 };
enum kind { PROGRAM, LOOKUP, KINDS };
static const char *const kind_names[KINDS] = {"PROGRAM", "LOOKUP"};

static const struct sum {
    enum kind kind;
    unsigned number;
    const char *level;
    uint32_t sum;
} sums[] = {
#define SUMS_OF(version)
#define SUM(kind, number, level, sum) {kind, number, #level, sum},
#include "code_sums.def"
#undef SUM
#undef SUMS_OF
};

static const char measured[] =
#define SUMS_OF(version) version
#define SUM(kind, number, level, sum)
#include "code_sums.def"
    ;
#undef SUM
#undef SUMS_OF

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
    if (!level_named(*level)) skip();
    char *text = text_of_lookup(number, *level);
    assert_non_null(text);
    const uint32_t sum = text_sum(text);
    sch_native_compiler_1.release_text(text);
    return sum;
}

/* ---- both ---- */

struct subject {
    enum kind kind;
    unsigned number;
    char name[32];
};

static const struct sum *known(const struct subject *s, const char *level)
{
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (sums[i].kind == s->kind && sums[i].number == s->number && strcmp(sums[i].level, level) == 0)
            return &sums[i];
    return NULL;
}

static uint32_t sum_of_subject(const struct subject *s, const char **level)
{
    return s->kind == PROGRAM ? sum_of_program(s->number, level) : sum_of_lookup(s->number, level);
}

static void code_is_the_same(void **state)
{
    const struct subject *s = *state;
    const char *level;
    if (strcmp(measured, LLVM_VERSION) != 0) skip();
    const uint32_t sum = sum_of_subject(s, &level);
    const struct sum *wanted = known(s, level);
    if (!wanted) skip(); /* a processor that nobody measured */
    if (sum != wanted->sum) fail_msg("%s, %s: the text's sum is %08x, not %08x", s->name, level, sum, wanted->sum);
}

static struct subject subjects[PROGRAMS + LOOKUPS];

static void print_all(void **state)
{
    (void)state;
    puts("/* What test_code_sums --sums printed: the version of LLVM; sums of texts. Holds nothing else. */\n"
         "SUMS_OF(\"" LLVM_VERSION "\")");
    for (unsigned i = 0; i < PROGRAMS + LOOKUPS; i++) {
        const char *level;
        const uint32_t sum = sum_of_subject(&subjects[i], &level);
        printf("SUM(%s, %u, %s, 0x%08x)\n", kind_names[subjects[i].kind], subjects[i].number, level, sum);
    }
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[PROGRAMS + LOOKUPS];
    for (unsigned i = 0; i < PROGRAMS + LOOKUPS; i++) {
        struct subject *s = &subjects[i];
        s->kind = i < PROGRAMS ? PROGRAM : LOOKUP;
        s->number = i < PROGRAMS ? i : i - PROGRAMS;
        snprintf(s->name, sizeof s->name, "%s %u", i < PROGRAMS ? "program" : "lookup", s->number);
        tests[i] = (struct CMUnitTest){s->name, code_is_the_same, NULL, NULL, s};
    }
    if (argc > 1 && strcmp(argv[1], "--sums") == 0) {
        const struct CMUnitTest all[] = {cmocka_unit_test(print_all)};
        return cmocka_run_group_tests(all, NULL, NULL);
    }
    return _cmocka_run_group_tests("code sums", tests, PROGRAMS + LOOKUPS, NULL, NULL);
}
