/* sch_launch_kernel: what it puts into c[0x0], where memory is, what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

enum { WORDS = 0x180 / 4, PARAMETERS = SCH_LAUNCH_PARAMETERS / 4 };

/* Each lane copies a word of c[0x0] to the memory of its first parameter. */
static const char copies[] = ".section .text.copies\n"
                             "S2R R0, SR_CTAID.X ;\n"
                             "S2R R1, SR_TID.X ;\n"
                             "IMAD.U32.U32 R0, R0, c[0x0][0x8], R1 ;\n"
                             "SHL R1, R0, 0x2 ;\n"
                             "LDC R4, c[0x0][R1] ;\n"
                             "ISCADD R2.CC, R0, c[0x0][0x140], 0x2 ;\n"
                             "IADD.X R3, RZ, c[0x0][0x144] ;\n"
                             "STG.E [R2], R4 ;\n"
                             "EXIT ;\n";

static struct sch_context *context;
static struct sch_shader *shader;
static struct sch_program *program;
static uint32_t memory[WORDS], other[4];

static int make(void **state)
{
    (void)state;
    const struct sch_read_options text = {.size = sizeof text, .kind = SCH_KIND_MAXWELL_TEXT};
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    if (sch_shader_read(context, copies, sizeof copies - 1, &text, NULL, &shader) != SCH_OK) return 1;
    return sch_program_create(context, shader, NULL, NULL, &program) != SCH_OK;
}

static int release(void **state)
{
    (void)state;
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    return 0;
}

static struct sch_launch launch_of(const struct sch_launch_argument *arguments, uint32_t count)
{
    return (struct sch_launch){.size = sizeof(struct sch_launch),
                               .grid = {3},
                               .block = {WORDS / 3},
                               .arguments = arguments,
                               .argument_count = count};
}

static void words_of_the_machine(void **state)
{
    (void)state;
    const uint64_t wide = UINT64_C(0x0102030405060708);
    const uint16_t small = 0xabcd;
    const float one = 1;
    const struct sch_launch_argument arguments[] = {
        {.memory = memory, .bytes = sizeof memory}, {.value = &small, .bytes = sizeof small},
        {.value = &one, .bytes = sizeof one},       {.value = &wide, .bytes = sizeof wide},
        {.memory = other, .bytes = sizeof other},   {.value = &one, .bytes = sizeof one, .offset = 0x17c}};
    struct sch_launch launch = launch_of(arguments, 6);
    launch.local_bytes = 512;
    assert_int_equal(sch_launch_kernel(program, shader, &launch, NULL, NULL), SCH_OK);
    assert_int_equal(memory[0], SCH_LAUNCH_SHARED_WINDOW);
    assert_int_equal(memory[1], SCH_LAUNCH_LOCAL_WINDOW);
    const uint32_t sizes[] = {WORDS / 3, 1, 1, 3, 1, 1, 512};
    assert_memory_equal(memory + 2, sizes, sizeof sizes);
    const uint64_t first = memory[PARAMETERS] | (uint64_t)memory[PARAMETERS + 1] << 32;
    const uint64_t last = memory[PARAMETERS + 6] | (uint64_t)memory[PARAMETERS + 7] << 32;
    assert_int_equal((first - (uintptr_t)memory) % 8, 0);
    assert_true(last >= first + sizeof memory + 4096);
    assert_int_equal(memory[PARAMETERS + 2], small);
    assert_int_equal(memory[PARAMETERS + 3], 0x3f800000);
    assert_int_equal(memory[PARAMETERS + 4], (uint32_t)wide);
    assert_int_equal(memory[PARAMETERS + 5], (uint32_t)(wide >> 32));
    assert_int_equal(memory[0x17c / 4], 0x3f800000);
}

/* The address is the caller's; memory of which no parameter says the address is there, too. */
static void addresses_of_the_caller(void **state)
{
    (void)state;
    const uint64_t address = UINT64_C(0x1234500000) + (uintptr_t)memory % 8;
    const struct sch_launch_argument arguments[] = {
        {.value = &address, .bytes = sizeof address},
        {.memory = memory, .bytes = sizeof memory, .address = address, .hidden = true}};
    const struct sch_launch launch = launch_of(arguments, 2);
    memset(memory, 0, sizeof memory);
    assert_int_equal(sch_launch_kernel(program, shader, &launch, NULL, NULL), SCH_OK);
    assert_int_equal(memory[PARAMETERS], (uint32_t)address);
    assert_int_equal(memory[PARAMETERS + 1], address >> 32);
}

static void memory_that_is_read_only(void **state)
{
    (void)state;
    const struct sch_launch_argument arguments[] = {{.memory = memory, .bytes = sizeof memory, .read_only = true}};
    const struct sch_launch launch = launch_of(arguments, 1);
    memset(memory, 0x55, sizeof memory);
    assert_int_equal(sch_launch_kernel(program, shader, &launch, NULL, NULL), SCH_ERROR_ABORTED);
    for (unsigned i = 0; i < WORDS; i++) assert_int_equal(memory[i], 0x55555555);
}

/* The last word lies outside of memory. */
static void memory_that_is_too_small(void **state)
{
    (void)state;
    const struct sch_launch_argument arguments[] = {{.memory = memory, .bytes = sizeof memory - 4}};
    const struct sch_launch launch = launch_of(arguments, 1);
    assert_int_equal(sch_launch_kernel(program, shader, &launch, NULL, NULL), SCH_ERROR_ABORTED);
}

static void refuse(const char *argument, const struct sch_launch *launch, const struct sch_shader *kernel)
{
    struct sch_wrong_call wrong = {.size = sizeof wrong};
    assert_int_equal(sch_launch_kernel(program, kernel, launch, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_true(sch_context_get_wrong_call(context, &wrong));
    assert_string_equal(wrong.argument, argument);
}

static void wrong_calls(void **state)
{
    (void)state;
    struct sch_launch_argument argument = {.memory = memory, .bytes = sizeof memory};
    struct sch_launch launch = launch_of(&argument, 1);
    refuse("kernel", &launch, NULL);
    refuse("launch", NULL, shader);
    argument.value = memory;
    refuse("launch.arguments[0]", &launch, shader);
    argument.value = NULL;
    argument.hidden = true;
    refuse("launch.arguments[0]", &launch, shader);
    argument.hidden = false;
    argument.offset = 4;
    refuse("launch.arguments[0]", &launch, shader);
    argument.offset = 65532;
    refuse("launch.arguments[0]", &launch, shader);
    argument.offset = 0;
    argument.memory = NULL;
    refuse("launch.arguments[0]", &launch, shader);
    launch.argument_count = SCH_LAUNCH_ARGUMENTS + 1;
    refuse("launch.argument_count", &launch, shader);
    launch.argument_count = 1;
    launch.arguments = NULL;
    refuse("launch.arguments", &launch, shader);
    launch.size = 3;
    refuse("launch.size", &launch, shader);
}

static void reason_is(const char *reason)
{
    struct sch_wrong_call wrong = {.size = sizeof wrong};
    assert_true(sch_context_get_wrong_call(context, &wrong));
    assert_string_equal(wrong.reason, reason);
}

/* The machine's blocks have 1024 lanes at most; products of three sizes may be beyond 64 bits. */
static void blocks_that_are_too_large(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{1025}, {33, 32}, {2, 9, 57}, {UINT32_MAX, UINT32_MAX, 2}, {1, 1, UINT32_MAX}};
    struct sch_launch_argument argument = {.memory = memory, .bytes = sizeof memory};
    struct sch_launch launch = launch_of(&argument, 1);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(launch.block, sizes[i], sizeof launch.block);
        refuse("launch.block", &launch, shader);
    }
    launch.block[0] = 1025;
    launch.block[1] = launch.block[2] = 0;
    refuse("launch.block", &launch, shader);
    reason_is("a block of 1025 x 1 x 1 threads: sm_50 has at most 1024 in a block");
}

/* A cubin says how many parameters there are. */
static void fewer_arguments_than_parameters(void **state)
{
    (void)state;
    const char *shared = getenv("SCH_SHARED");
    char path[512];
    snprintf(path, sizeof path, "%s/corpus/maxwell/isa/kernels/histogram_global.sm_50.cubin", shared ? shared : "");
    FILE *file = fopen(path, "rb");
    if (!file) skip();
    char cubin[16384];
    const size_t bytes = fread(cubin, 1, sizeof cubin, file);
    fclose(file);
    struct sch_shader *kernel = NULL;
    assert_int_equal(sch_shader_read(context, cubin, bytes, NULL, NULL, &kernel), SCH_OK);
    const uint32_t one = 1;
    struct sch_launch_argument arguments[] = {{.memory = memory, .bytes = sizeof memory},
                                              {.memory = other, .bytes = sizeof other},
                                              {.value = &one, .bytes = 4},
                                              {.value = &one, .bytes = 4}};
    struct sch_launch launch = launch_of(arguments, 3);
    refuse("launch.argument_count", &launch, kernel);
    reason_is("3 arguments: the kernel has 4 parameters, of 8, 8, 4 and 4 bytes");
    launch.argument_count = 0;
    refuse("launch.argument_count", &launch, kernel);
    /* Who places arguments leaves out what they like. */
    launch.argument_count = 3;
    arguments[2].offset = SCH_LAUNCH_PARAMETERS + 16;
    assert_int_equal(sch_launch_kernel(program, kernel, &launch, NULL, NULL), SCH_OK);
    sch_shader_destroy(kernel);
}

/* Checks of a grid: what they find is counted and reported, results are the same; and only grids have them. */
static void checks(void **state)
{
    (void)state;
    static const char races[] = ".section .text.races\nMOV R2, c[0x0][0x140] ;\nMOV R3, c[0x0][0x144] ;\n"
                                "LDG.E R0, [R2] ;\nIADD R0, R0, R9 ;\nSTG.E [R2], R0 ;\nEXIT ;\n";
    const struct sch_read_options text = {.size = sizeof text, .kind = SCH_KIND_MAXWELL_TEXT};
    const struct sch_launch_argument argument = {.memory = memory, .bytes = sizeof memory};
    const struct sch_launch launch = launch_of(&argument, 1);
    struct sch_dispatch_options options = {.size = sizeof options, .checks = SCH_CHECK_RACES};
    struct sch_dispatch_report report = {.size = sizeof report};
    struct sch_diagnostic_info found = {.size = sizeof found};
    struct sch_shader *code;
    struct sch_program *made;
    assert_int_equal(sch_diagnostics_create(context, &options.diagnostics), SCH_OK);
    assert_int_equal(sch_launch_kernel(program, shader, &launch, &options, &report), SCH_OK);
    assert_int_equal(report.findings, 0);
    assert_int_equal(sch_shader_read(context, races, sizeof races - 1, &text, NULL, &code), SCH_OK);
    assert_int_equal(sch_program_create(context, code, NULL, NULL, &made), SCH_OK);
    options.checks = SCH_CHECK_RACES | SCH_CHECK_UNWRITTEN;
    memory[0] = 7;
    assert_int_equal(sch_launch_kernel(made, code, &launch, &options, &report), SCH_OK);
    assert_int_equal(memory[0], 7);
    assert_int_equal(report.findings, sch_diagnostics_errors(options.diagnostics));
    assert_true(report.findings >= 3);
    unsigned registers = 0;
    for (size_t i = 0; sch_diagnostics_get(options.diagnostics, i, &found); i++) registers += found.code == 4402;
    assert_int_equal(registers, 1); /* R9 */
    options.checks = 4;
    assert_int_equal(sch_launch_kernel(made, code, &launch, &options, &report), SCH_ERROR_ARGUMENT);
    options.checks = SCH_CHECK_RACES;
    const struct sch_invocations none = {.size = sizeof none};
    assert_int_equal(sch_dispatch(made, NULL, &none, &options, NULL), SCH_ERROR_ARGUMENT);
    sch_program_destroy(made);
    sch_shader_destroy(code);
    sch_diagnostics_destroy(options.diagnostics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_the_machine),
                                       cmocka_unit_test(addresses_of_the_caller),
                                       cmocka_unit_test(memory_that_is_read_only),
                                       cmocka_unit_test(memory_that_is_too_small),
                                       cmocka_unit_test(wrong_calls),
                                       cmocka_unit_test(blocks_that_are_too_large),
                                       cmocka_unit_test(fewer_arguments_than_parameters),
                                       cmocka_unit_test(checks)};
    return cmocka_run_group_tests(tests, make, release);
}
