/* Memory that is out while LLVM compiles, at each point of it: LLVM ends its process then, and nothing else happens.
 * The program that compiles is built with failing_process.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/check.h"
#include "isa/errors.h"
#include "native/internal.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

enum { PATH_SIZE = 512, COUNT = 64 };

static struct sch_exec_program *program_of(struct sch_native *native, unsigned number)
{
    char text[256];
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    struct sch_exec_program *program = NULL;
    struct sch_diagnostics list;
    snprintf(text, sizeof text,
             "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nIMM[0] UINT32 {%u, 0, 0, 0}\n"
             "UADD OUT[0], IN[0], IMM[0].xxxx\nEND\n",
             number);
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader);
    assert_non_null(shader);
    assert_int_equal(sch_ir_check(shader, &list), SCH_OK);
    const struct sch_exec_options options = {.engine = &sch_engine_auto, .engine_context = native};
    assert_int_equal(sch_exec_create(shader, &options, &sch_allocator_libc, &list, &program), SCH_OK);
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return program;
}

static void run(const struct sch_exec_program *program, unsigned number)
{
    uint32_t inputs[COUNT][4], outputs[COUNT][4];
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) inputs[i][c] = 1000 * i + c;
    const struct sch_invocations invocations = {
        .count = COUNT, .inputs = inputs[0], .input_registers = 1, .outputs = outputs[0], .output_registers = 1};
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, NULL, NULL), SCH_OK);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) assert_int_equal(outputs[i][c], inputs[i][c] + number);
}

static void failing_allocations_end_the_process_only(void **state)
{
    (void)state;
    char process[PATH_SIZE], compiler[PATH_SIZE];
    const char *build = getenv("SCH_BUILD");
    unsigned compiled = 0, lost = 0, refused = 0, number = 0;
    snprintf(process, sizeof process, "%s/tests/unit/failing_process", build ? build : ".");
    snprintf(compiler, sizeof compiler, "%s/src/jit/libscheelite-jit.so.1", build ? build : ".");
    /* The first allocations are the message's, the last beyond what one program takes. */
    for (uint64_t allowed = 1; allowed < 10000000; allowed += 1 + allowed * 3 / 5, number++) {
        const struct sch_native_options options = {
            .compiler = compiler, .process = process, .process_memory = ((uint64_t)2 << 30) + allowed};
        struct sch_native *native;
        struct sch_native_made made;
        assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
        struct sch_exec_program *program = program_of(native, number);
        enum sch_result status = sch_native_prepare(program, &(struct sch_native_selection){.full = true}, &made);
        run(program, number);
        const bool is_lost = atomic_load(&native->lost) != 0;
        if (status != SCH_OK && !is_lost) refused++;
        lost += is_lost;
        compiled += status == SCH_OK;
        assert_false(status == SCH_OK && is_lost);
        assert_true((sch_native_counted(native).native_groups == COUNT / 32) == (status == SCH_OK));
        sch_exec_destroy(program);
        sch_native_destroy(native);
        if (compiled == 2) break;
    }
    print_message("# compiled %u, lost %u, refused %u\n", compiled, lost, refused);
    assert_int_equal(compiled, 2);
    assert_true(lost > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failing_allocations_end_the_process_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
