/* Every Direct3D program of models 4.0 to 5.1 in the corpora: it lowers, prints as text that reads back and passes the
 * check, and runs with random inputs, constants, buffers, textures and images, the same bits at every width. What is
 * refused must be on the list below, and lists its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/engine.h"
#include "../support/random_textures.h"
#include "../support/random_work.h"
#include "../support/widths.h"
#include "d3d/lower/lower.h"
#include "d3d_support.h"

enum {
    BUFFERS = 192,
    UNITS = 16384, /* of a file */
    PLACES = 3,    /* of a declaration of buffers; the others stay unbound */
    COUNTER_BYTES = 16,
    WIDTHS = 3,
    SAMPLED = 97 /* of other engines than the interpreter: one program of so many (widths.h); with SCH_LONG all */
};

static const struct work_shape shape = {.count = 32,
                                        .vertices = 32,
                                        .registers = 66,
                                        .values = 12,
                                        .outputs = 66,
                                        .events = 16,
                                        .constants = 64,
                                        .constant_buffers = 16,
                                        .memories = 2 * BUFFERS, /* buffers, and their counters */
                                        .memory_words = 128};

/* Programs that have no translation, and why. */
static const struct {
    const char *name, *why;
} refused[] = {
    {"fxc/vkd3d_shader_api.invalid_shaders.ps_break_code.dxbc", "a break outside of loops: the program is wrong"},
};

/* Which units of a program's storage buffers, and of their counters, have memory. */
struct places {
    uint32_t unit[BUFFERS], count, end;
};

static void place_buffers(const struct sch_ir_shader *shader, struct places *places)
{
    *places = (struct places){0};
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file != SCH_FILE_BUFFER) continue;
        for (unsigned r = declaration->first; r <= declaration->last && r - declaration->first < PLACES; r++) {
            assert_true(places->count < BUFFERS && r < UNITS);
            places->unit[places->count++] = r;
            if (r >= places->end) places->end = r + 1;
        }
    }
}

/* Buffers and counters in their places, constant buffers everywhere. */
static void bind_memory(const struct places *places, const struct work *work, struct answers *answers,
                        struct sch_bindings *bindings)
{
    static struct sch_storage_buffer buffers[UNITS], counters[UNITS];
    static struct sch_constant_buffer constants[UNITS];
    memset(buffers, 0, sizeof buffers);
    memset(counters, 0, sizeof counters);
    for (unsigned b = 0; b < places->count; b++) {
        buffers[places->unit[b]] = (struct sch_storage_buffer){answers_memory(answers, b), 4 * shape.memory_words};
        counters[places->unit[b]] = (struct sch_storage_buffer){answers_memory(answers, BUFFERS + b), COUNTER_BYTES};
    }
    for (unsigned b = 0; b < UNITS; b++) constants[b] = work->buffers[b % shape.constant_buffers];
    bindings->constants = constants;
    bindings->constant_count = UNITS;
    bindings->buffers = buffers;
    bindings->hw_atomics = counters;
    bindings->buffer_count = bindings->hw_atomic_count = places->end;
}

static void run(const struct sch_program *program, const struct sch_shader_info *info, const struct work *work,
                const struct places *places, struct random_textures *textures, struct answers *answers)
{
    static const uint32_t grid[3] = {2, 1, 1};
    struct sch_bindings bindings = {.size = sizeof bindings};
    const struct sch_dispatch_options options = {.size = sizeof options, .budget = 2000};
    answers_reset(answers, work);
    bind_memory(places, work, answers, &bindings);
    random_textures_bind(textures, &bindings);
    random_textures_reset(textures);
    const struct sch_invocations invocations = work_invocations(work, info->stage, answers);
    work_run(program, &bindings, &invocations, info->stage == SCH_STAGE_COMPUTE ? grid : NULL, &options, answers);
}

static struct sch_ir_shader *lower(const struct d3d_file *file)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    struct sch_ir_shader *ir = NULL;
    enum sch_result status =
        sch_d3d_shader_read(&sch_allocator_libc, &limits, file->data, file->bytes, false, NULL, &shader);
    assert_int_equal(status, SCH_OK);
    status = sch_d3d_lower(shader->program, shader->signatures, &sch_allocator_libc, &limits, NULL, NULL, &ir);
    assert_true((status == SCH_OK) == (ir != NULL));
    sch_d3d_shader_destroy(shader);
    return ir;
}

/* The text of the lowered shader is right by itself and gives the same text again. */
static void check_text(struct sch_context *context, const char *name, const struct sch_shader *shader)
{
    char *text, *again;
    size_t bytes, bytes_again;
    struct sch_shader *back;
    assert_int_equal(sch_shader_translate(shader, NULL, NULL, &text, &bytes), SCH_OK);
    if (sch_shader_read(context, text, bytes, NULL, NULL, &back) != SCH_OK) fail_msg("%s: the text is not read", name);
    if (sch_shader_check(back, NULL) != SCH_OK) fail_msg("%s: the text is not right", name);
    assert_int_equal(sch_shader_print(back, NULL, &again, &bytes_again), SCH_OK);
    if (bytes != bytes_again || memcmp(text, again, bytes) != 0) fail_msg("%s: the text reads back as another", name);
    sch_free(context, text);
    sch_free(context, again);
    sch_shader_destroy(back);
}

struct tally {
    unsigned lowered, refused, unexpected, spaces, ran, budgets;
    bool met[sizeof refused / sizeof *refused];
};

static void check_runs(struct sch_context *context, const struct d3d_file *file, const struct sch_shader *shader,
                       const struct work *work, struct answers *results, struct tally *tally)
{
    struct sch_shader_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    struct sch_ir_shader *ir = lower(file);
    struct random_textures textures;
    struct places places;
    place_buffers(ir, &places);
    random_textures_make(context, ir, info.hash, &textures);
    bool other = engine_wanted(SCH_ENGINE_AUTO) != SCH_ENGINE_AUTO; /* then the interpreter goes first */
    const unsigned widths = widths_of(tally->ran + tally->budgets);
    for (unsigned w = 0; w < WIDTHS + (other ? 1u : 0u); w++) {
        if (other && w && !(widths >> (w - 1) & 1)) continue;
        struct sch_program_options options = {.size = sizeof options,
                                              .engine = other && w == 0 ? SCH_ENGINE_INTERPRETER
                                                                        : engine_wanted(SCH_ENGINE_AUTO),
                                              .width = other ? w ? 2u << w : 0 : 4u << w};
        struct sch_program *program;
        enum sch_result made = sch_program_create(context, shader, &options, NULL, &program);
        if (made != SCH_OK) fail_msg("%s: %s", file->name, sch_result_text(made));
        run(program, &info, work, &places, &textures, &results[w > 0]);
        bool agree = random_textures_agree(&textures, w == 0) || results[0].result != SCH_OK;
        if (!agree || !answers_agree(&results[0], &results[w > 0]))
            fail_msg("%s: width %u differs", file->name, options.width);
        sch_program_destroy(program);
    }
    if (results[0].result != SCH_OK && results[0].result != SCH_ERROR_BUDGET &&
        results[0].result != SCH_ERROR_BARRIER && results[0].result != SCH_ERROR_ABORTED)
        fail_msg("%s: %s", file->name, sch_result_text(results[0].result));
    tally->ran += results[0].result == SCH_OK;
    tally->budgets += results[0].result != SCH_OK;
    random_textures_release(&textures);
    sch_ir_destroy(ir);
}

static void check_refusal(const struct d3d_file *file, struct sch_diagnostics_list *list, struct tally *tally)
{
    struct sch_diagnostic_info view = {.size = sizeof view, .message = ""};
    for (size_t i = 0; i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) break;
    tally->refused++;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(refused[i].name, file->name) == 0) {
            tally->met[i] = true;
            return;
        }
    print_message("# %s is refused: %u %s\n", file->name, view.code, view.message);
    tally->unexpected++;
}

static bool has_spaces(const struct d3d_file *file)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    if (sch_d3d_shader_read(&sch_allocator_libc, &limits, file->data, file->bytes, false, NULL, &shader) != SCH_OK)
        return false;
    bool spaces = sch_d3d_has_spaces(shader->program);
    sch_d3d_shader_destroy(shader);
    return spaces;
}

static void check_file(const struct d3d_file *file, const struct work *work, struct answers *results,
                       struct tally *tally)
{
    bool spaces = has_spaces(file);
    tally->spaces += spaces;
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    char *text;
    size_t bytes;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    if (sch_shader_read(context, file->data, file->bytes, NULL, list, &shader) == SCH_OK) {
        enum sch_result answer = sch_shader_translate(shader, NULL, list, &text, &bytes);
        sch_free(context, text);
        if (answer == SCH_OK) {
            check_text(context, file->name, shader);
            bool all = engine_wanted(SCH_ENGINE_AUTO) == SCH_ENGINE_AUTO || getenv("SCH_LONG");
            if (all || spaces || tally->lowered % SAMPLED == 0) check_runs(context, file, shader, work, results, tally);
            tally->lowered++;
        } else {
            check_refusal(file, list, tally);
        }
        sch_shader_destroy(shader);
    } else {
        fail_msg("%s is not read", file->name);
    }
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

static void every_program_lowers_and_runs(void **state)
{
    (void)state;
    size_t count;
    struct d3d_file *files = d3d_corpus(&count);
    struct work work;
    struct answers results[2];
    struct tally tally = {0};
    work_make(&work, &shape);
    work_fill(&work, 6);
    for (unsigned n = 0; n < 2; n++) answers_make(&results[n], &shape);
    for (size_t i = 0; i < count; i++) check_file(&files[i], &work, results, &tally);
    print_message(
        "# %zu programs: %u lowered, of which %u run to the end and %u end for want of budget, at a barrier or by "
        "abort; %u refused; %u are of shader model 5.1\n",
        count, tally.lowered, tally.ran, tally.budgets, tally.refused, tally.spaces);
    const bool shared = d3d_shared_count(files, count) > 0;
    for (size_t i = 0; shared && i < sizeof refused / sizeof *refused; i++)
        if (!tally.met[i]) fail_msg("%s is not refused: %s", refused[i].name, refused[i].why);
    assert_int_equal(tally.unexpected, 0);
    assert_true(tally.spaces >= (shared ? 44 : 1));
    for (unsigned n = 0; n < 2; n++) answers_release(&results[n]);
    work_release(&work);
    d3d_corpus_free(files, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_program_lowers_and_runs)};
    return cmocka_run_group_tests_name("d3d runs", tests, NULL, NULL);
}
