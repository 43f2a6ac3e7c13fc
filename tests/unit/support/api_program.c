/* See api_program.h. */
#include "api_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"
#include "random_number.h"

struct sch_context *api_context(void)
{
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    return context;
}

struct sch_shader *api_shader(struct sch_context *context, const char *text)
{
    struct sch_shader *shader = NULL;
    if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("%s", text);
    assert_non_null(shader);
    return shader;
}

struct sch_program *api_default_program(struct sch_context *context, const char *text)
{
    struct sch_shader *shader = api_shader(context, text);
    struct sch_program *program = NULL;
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    sch_shader_destroy(shader); /* the program does not need it */
    return program;
}

static struct sch_program *create(struct sch_context *context, const void *data, size_t bytes, enum sch_engine engine,
                                  unsigned width, struct sch_diagnostics_list *list, enum sch_result *why)
{
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    *why = sch_shader_read(context, data, bytes, NULL, list, &shader);
    if (*why == SCH_OK) *why = sch_program_create(context, shader, &options, list, &program);
    sch_shader_destroy(shader);
    return program;
}

struct sch_program *api_program_try(struct sch_context *context, const void *data, size_t bytes, unsigned width,
                                    enum sch_result *why)
{
    return api_program_on(context, data, bytes, engine_wanted(SCH_ENGINE_AUTO), width, why);
}

struct sch_program *api_program_on(struct sch_context *context, const void *data, size_t bytes, enum sch_engine engine,
                                   unsigned width, enum sch_result *why)
{
    struct sch_diagnostics_list *list = NULL;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_program *program = create(context, data, bytes, engine, width, list, why);
    sch_diagnostics_destroy(list);
    return program;
}

struct sch_program *api_program(struct sch_context *context, const char *text, unsigned width)
{
    struct sch_diagnostics_list *list = NULL;
    enum sch_result why;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_program *program =
        create(context, text, strlen(text), engine_wanted(SCH_ENGINE_AUTO), width, list, &why);
    struct sch_diagnostic_info view = {.size = sizeof view};
    if (!program)
        for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++)
            if (view.severity == SCH_SEVERITY_ERROR) print_error("%u:%u: %s\n", view.line, view.column, view.message);
    sch_diagnostics_destroy(list);
    assert_non_null(program);
    return program;
}

void api_run(const char *text, unsigned width, const struct sch_invocations *work,
             const struct sch_dispatch_options *options)
{
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_program *program = api_program(context, text, width);
    assert_int_equal(sch_dispatch(program, NULL, work, options, NULL), SCH_OK);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

uint32_t api_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

float api_float(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

uint32_t api_random_word(uint64_t *seed)
{
    const uint64_t z = random_number(seed);
    if (z % 4 == 0) return (uint32_t)(z >> 40) % 8;
    if (z % 4 == 1) return (uint32_t)(z >> 32);
    return api_bits((float)(int32_t)(z >> 32 & 0xffff) / 4096.0f - 4.0f);
}

void api_fill(void *data, size_t words, uint64_t *seed)
{
    for (size_t i = 0; i < words; i++) ((uint32_t *)data)[i] = api_random_word(seed);
}
