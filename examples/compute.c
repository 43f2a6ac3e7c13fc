/* Compute with buffers: each invocation of a grid squares one number of BUFFER[0] and adds it to a sum in BUFFER[1].
 *
 *   cc compute.c $(pkg-config --cflags --libs scheelite) -o compute && ./compute */
#include <scheelite/scheelite.h>

#include <stdio.h>

enum { BLOCK = 4, GROUPS = 3, NUMBERS = BLOCK * GROUPS };

/* The invocation's number is its work group's times BLOCK_WIDTH plus its own; a number has four bytes. CONST[0].x is
 * added to each number first. */
static const char shader_text[] = "COMP\n"
                                  "PROPERTY CS_FIXED_BLOCK_WIDTH 4\n"
                                  "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                                  "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                                  "DCL SV[0], THREAD_ID\n"
                                  "DCL SV[1], BLOCK_ID\n"
                                  "DCL BUFFER[0]\n"
                                  "DCL BUFFER[1]\n"
                                  "DCL CONST[0][0]\n"
                                  "DCL TEMP[0..1]\n"
                                  "IMM[0] UINT32 {4, 2, 0, 0}\n"
                                  "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\n"
                                  "SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                  "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
                                  "UADD TEMP[1].x, TEMP[1].xxxx, CONST[0][0].xxxx\n"
                                  "UMUL TEMP[1].x, TEMP[1].xxxx, TEMP[1].xxxx\n"
                                  "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
                                  "ATOMUADD TEMP[0].x, BUFFER[1], IMM[0].zzzz, TEMP[1].xxxx\n"
                                  "END\n";

static enum sch_result run(const struct sch_program *program, struct sch_diagnostics_list *reports)
{
    uint32_t numbers[NUMBERS], sum = 0;
    const uint32_t added[4] = {1, 0, 0, 0}, grid[3] = {GROUPS, 1, 1};
    for (uint32_t i = 0; i < NUMBERS; i++) numbers[i] = i;

    const struct sch_storage_buffer buffers[] = {{numbers, sizeof numbers}, {&sum, sizeof sum}};
    const struct sch_constant_buffer constants = {added, sizeof added};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &constants, .constant_count = 1, .buffers = buffers, .buffer_count = 2};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = reports};
    struct sch_dispatch_report report = {.size = sizeof report};
    const enum sch_result result = sch_dispatch_grid(program, &bindings, grid, NULL, &options, &report);
    if (result != SCH_OK) return result;
    for (uint32_t i = 0; i < NUMBERS; i++) printf("%u%s", numbers[i], i + 1 < NUMBERS ? " " : "\n");
    printf("sum %u, in %llu instructions\n", sum, (unsigned long long)report.instructions);
    return SCH_OK;
}

int main(void)
{
    struct sch_context *context = NULL;
    struct sch_diagnostics_list *reports = NULL;
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    enum sch_result result = sch_context_create(NULL, &context);
    if (result == SCH_OK) result = sch_diagnostics_create(context, &reports);
    if (result == SCH_OK)
        result = sch_shader_read(context, shader_text, sizeof shader_text - 1, NULL, reports, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, NULL, reports, &program);
    if (result == SCH_OK) result = run(program, reports);

    char *text = NULL;
    if (reports && sch_diagnostics_print(reports, NULL, &text, NULL) == SCH_OK) fputs(text, stderr);
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));
    sch_free(context, text);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(reports);
    sch_context_destroy(context);
    return result != SCH_OK;
}
