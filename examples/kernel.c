/* Launches a kernel of Maxwell code on arrays: y = a x + y. A compiler's cubin is read in the same way.
 *
 * Build: cc kernel.c $(pkg-config --cflags --libs scheelite) */
#include <stdio.h>
#include <string.h>

#include <scheelite/scheelite.h>

/* c[0x0] has the size of a block at 0x8 and the parameters from 0x140 on: a, and the addresses of x and y. */
static const char text[] = ".section .text.saxpy\n"
                           "S2R R0, SR_CTAID.X ;\n"
                           "S2R R1, SR_TID.X ;\n"
                           "XMAD R0, R0, c[0x0][0x8], R1 ;\n"
                           "ISCADD R2.CC, R0, c[0x0][0x148], 0x2 ;\n"
                           "IADD.X R3, RZ, c[0x0][0x14c] ;\n"
                           "LDG.E R6, [R2] ;\n"
                           "ISCADD R4.CC, R0, c[0x0][0x150], 0x2 ;\n"
                           "IADD.X R5, RZ, c[0x0][0x154] ;\n"
                           "LDG.E R7, [R4] ;\n"
                           "FFMA R7, R6, c[0x0][0x140], R7 ;\n"
                           "STG.E [R4], R7 ;\n"
                           "EXIT ;\n";

int main(void)
{
    float x[256] = {1, 2, 3}, y[256] = {10, 20, 30}, a = 3;
    const struct sch_launch_argument arguments[] = {
        {.value = &a, .bytes = sizeof a}, {.memory = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
    const struct sch_launch launch = {
        .size = sizeof launch, .grid = {4}, .block = {64}, .arguments = arguments, .argument_count = 3};
    struct sch_context *context = NULL;
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    enum sch_result result = sch_context_create(NULL, &context);
    if (result == SCH_OK) result = sch_shader_read(context, text, strlen(text), NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, NULL, NULL, &program);
    if (result == SCH_OK) result = sch_launch_kernel(program, shader, &launch, NULL, NULL);
    if (result == SCH_OK) printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));
    return result != SCH_OK;
}
