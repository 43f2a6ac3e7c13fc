/* The library in one page: reads a shader, runs it on four invocations, prints what came out.
 *
 *   cc tiny.c $(pkg-config --cflags --libs scheelite) -o tiny && ./tiny [shader.tgsi] */
#include <scheelite/scheelite.h>

#include <stdio.h>
#include <stdlib.h>

static const char square_root[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "SQRT OUT[0].x, IN[0].xxxx\n"
                                  "MUL OUT[0].y, IN[0].xxxx, IN[0].xxxx\n"
                                  "END\n";

/* A shader from the outside may be wrong: the list says where and why. */
static void print_reports(const struct sch_diagnostics_list *reports)
{
    struct sch_diagnostic_info at = {.size = sizeof at};
    for (size_t i = 0; sch_diagnostics_get(reports, i, &at); i++)
        fprintf(stderr, "%s:%u:%u: %u: %s\n", at.source, at.line, at.column, at.code, at.message);
}

/* Four invocations: x of IN[0] is 1, 2, 3, 4. */
static enum sch_result run(const struct sch_program *program, uint32_t registers)
{
    const float x[4] = {1, 2, 3, 4};
    uint32_t inputs[4][4] = {{0}};
    size_t bytes = 4 * (size_t)registers * 4 * sizeof(uint32_t);
    uint32_t *outputs = calloc(1, bytes + 1);
    if (!outputs) return SCH_ERROR_MEMORY;
    for (int i = 0; i < 4; i++)
        inputs[i][0] = ((union {
                           float f;
                           uint32_t u;
                       }){.f = x[i]})
                           .u;

    struct sch_invocations four = {.size = sizeof four,
                                   .count = 4,
                                   .inputs = &inputs[0][0],
                                   .input_bytes = sizeof inputs,
                                   .input_registers = 1,
                                   .outputs = outputs,
                                   .output_bytes = bytes,
                                   .output_registers = registers};
    enum sch_result result = sch_dispatch(program, NULL, &four, NULL, NULL);
    for (uint32_t i = 0; result == SCH_OK && i < 4 * registers; i++) {
        printf("%u: OUT[%u] =", i / registers, i % registers);
        for (int c = 0; c < 4; c++)
            printf(" %g", (double)((union {
                              uint32_t u;
                              float f;
                          }){.u = outputs[4 * i + c]})
                              .f);
        putchar('\n');
    }
    free(outputs);
    return result;
}

int main(int argc, char **argv)
{
    static char file[65536];
    const char *text = square_root;
    size_t bytes = sizeof square_root - 1;
    if (argc > 1) {
        FILE *stream = fopen(argv[1], "rb");
        if (!stream) return 3;
        bytes = fread(file, 1, sizeof file, stream);
        text = file;
        fclose(stream);
    }

    struct sch_context *context = NULL;
    struct sch_diagnostics_list *reports = NULL;
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_read_options options = {.size = sizeof options, .name = argc > 1 ? argv[1] : "square_root"};
    struct sch_shader_info info = {.size = sizeof info};
    enum sch_result result = sch_context_create(NULL, &context);
    if (result == SCH_OK) result = sch_diagnostics_create(context, &reports);
    if (result == SCH_OK) result = sch_shader_read(context, text, bytes, &options, reports, &shader);
    if (result == SCH_OK) result = sch_shader_get_info(shader, &info);
    if (result == SCH_OK) result = sch_program_create(context, shader, NULL, reports, &program);
    if (result == SCH_OK) result = run(program, info.outputs);
    if (reports) print_reports(reports);
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));

    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(reports);
    sch_context_destroy(context);
    return result != SCH_OK;
}
