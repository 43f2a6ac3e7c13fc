/* Running one instruction through the public API, as opcode_runner.h says. */
#include "opcode_runner.h"
#include "../support/engine.h"

#include <scheelite/scheelite.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_shader(const struct run *run, char *text, size_t bytes)
{
    const char *inputs = run->quads ? "DCL IN[0..4], GENERIC[0], PERSPECTIVE\nDCL OUT[0..1], COLOR[0]\n"
                                    : "DCL IN[0..4]\nDCL OUT[0..1], GENERIC[0]\n";
    snprintf(text, bytes,
             "%s\n%s%s%sDCL TEMP[0..1]\n"
             "MOV TEMP[0], IN[4]\nMOV TEMP[1], IN[4]\n%s\nMOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[1]\nEND\n",
             run->quads ? "FRAG" : "VERT", run->legacy ? "PROPERTY LEGACY_MATH_RULES 1\n" : "",
             run->d3d ? "PROPERTY D3D_RULES 1\n" : "", inputs, run->instruction);
}

static void explain(const struct sch_diagnostics_list *list, const char *what, enum sch_result result, char *why)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    const char *message = list && sch_diagnostics_get(list, 0, &view) ? view.message : "";
    snprintf(why, 256, "%s: %s: %s", what, sch_result_text(result), message);
}

static bool dispatch(const struct sch_program *program, const struct run *run, uint32_t (*result)[2][4], char *why)
{
    uint32_t(*inputs)[5][4] = malloc(run->count * sizeof *inputs);
    if (!inputs) return snprintf(why, 256, "no memory"), false;
    for (unsigned i = 0; i < run->count; i++) {
        memcpy(inputs[i], run->source[i], sizeof run->source[i]);
        for (unsigned c = 0; c < 4; c++) inputs[i][4][c] = RUN_SENTINEL;
    }
    struct sch_invocations invocations = {.size = sizeof invocations,
                                          .count = run->count,
                                          .quads = run->quads,
                                          .inputs = &inputs[0][0][0],
                                          .input_bytes = run->count * sizeof *inputs,
                                          .input_registers = 5,
                                          .outputs = &result[0][0][0],
                                          .output_bytes = run->count * sizeof *result,
                                          .output_registers = 2};
    enum sch_result answer = sch_dispatch(program, NULL, &invocations, NULL, NULL);
    if (answer != SCH_OK) explain(NULL, "sch_dispatch", answer, why);
    free(inputs);
    return answer == SCH_OK;
}

static bool run_in(struct sch_context *context, struct sch_diagnostics_list *list, const struct run *run,
                   uint32_t (*result)[2][4], char *why)
{
    char text[1024];
    write_shader(run, text, sizeof text);
    struct sch_shader *shader = NULL;
    enum sch_result answer = sch_shader_read(context, text, strlen(text), NULL, list, &shader);
    if (answer != SCH_OK) return explain(list, "sch_shader_read", answer, why), false;
    struct sch_program_options options = {
        .size = sizeof options, .engine = engine_wanted(SCH_ENGINE_INTERPRETER), .width = run->width};
    struct sch_program *program = NULL;
    answer = sch_program_create(context, shader, &options, list, &program);
    sch_shader_destroy(shader);
    if (answer != SCH_OK) return explain(list, "sch_program_create", answer, why), false;
    bool ran = dispatch(program, run, result, why);
    sch_program_destroy(program);
    return ran;
}

bool run_instruction(const struct run *run, uint32_t (*result)[2][4], char *why)
{
    struct sch_context *context = NULL;
    if (sch_context_create(NULL, &context) != SCH_OK) return snprintf(why, 256, "no context"), false;
    struct sch_diagnostics_list *list = NULL;
    bool ran = sch_diagnostics_create(context, &list) == SCH_OK && run_in(context, list, run, result, why);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return ran;
}
