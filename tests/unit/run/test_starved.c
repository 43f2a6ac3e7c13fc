/* Memory that is refused: of each shader here, every single request that making a program and running it makes of an
 * arena is refused once. The answer is that there is no memory, nothing is lost, and with one request more it goes
 * on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/exec_program.h"
#include "base/pool.h"
#include "exec/program.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int allowed; /* requests; below 0: any number */

static bool refused(void) { return allowed >= 0 && allowed-- == 0; }

void *__real_sch_arena_alloc(struct sch_arena *arena, size_t bytes, size_t align);
void *__wrap_sch_arena_alloc(struct sch_arena *arena, size_t bytes, size_t align);
void *__wrap_sch_arena_alloc(struct sch_arena *arena, size_t bytes, size_t align)
{
    return refused() ? NULL : __real_sch_arena_alloc(arena, bytes, align);
}

void *__real_sch_arena_array(struct sch_arena *arena, size_t count, size_t element, size_t align);
void *__wrap_sch_arena_array(struct sch_arena *arena, size_t count, size_t element, size_t align);
void *__wrap_sch_arena_array(struct sch_arena *arena, size_t count, size_t element, size_t align)
{
    return refused() ? NULL : __real_sch_arena_array(arena, count, element, align);
}

bool __real_sch_arena_grow(struct sch_arena *arena, void **items, size_t *capacity, size_t count, size_t element);
bool __wrap_sch_arena_grow(struct sch_arena *arena, void **items, size_t *capacity, size_t count, size_t element);
bool __wrap_sch_arena_grow(struct sch_arena *arena, void **items, size_t *capacity, size_t count, size_t element)
{
    return !refused() && __real_sch_arena_grow(arena, items, capacity, count, element);
}

/* Threads one after the other: what is refused is the same each time. */
void __wrap_sch_pool_run(struct sch_pool *pool, unsigned count, void (*work)(void *user, unsigned index), void *user);
void __wrap_sch_pool_run(struct sch_pool *pool, unsigned count, void (*work)(void *user, unsigned index), void *user)
{
    (void)pool;
    for (unsigned i = 0; i < count; i++) work(user, i);
}

static const struct {
    const char *text;
    bool rectangle;
} shaders[] = {
    {"FRAG\nDCL IN[0..1], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nDCL ADDR[0]\nDCL CONST[0..3]\n"
     "DCL CONST[2][0..3]\nDCL SV[0], FACE\nDCL SAMP[0..1]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] INT32 {1, 0, 0, 0}\n"
     "UARL ADDR[0].x, IMM[0].yyyy\nMOV TEMP[0], CONST[ADDR[0].x]\nADD TEMP[0], CONST[1], CONST[2][3]\n"
     "MOV TEMP[0], CONST[ADDR[0].x][1]\nTEX TEMP[1], IN[0], SAMP[0], 2D, IMM[0].xyz\n"
     "TEX TEMP[1], IN[0], SAMP[ADDR[0].x], 2D\nSAMPLE TEMP[1], IN[1], SVIEW[0], SAMP[1]\nUIF SV[0].xxxx\nBGNLOOP\n"
     "BRK\nENDLOOP\nELSE\nFBFETCH TEMP[2], OUT[0]\nENDIF\nINTERP_CENTROID TEMP[2], IN[1]\nMOV OUT[0], TEMP[1]\n"
     "CAL :18\nEND\nBGNSUB\nENDSUB\n",
     true},
    {"COMP\nDCL TEMP[0..3]\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n"
     "DCL BUFFER[0..2]\nDCL RES[0], BUFFER, WR\nDCL RES[1], 2D\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL ADDR[0]"
     "\nDCL HWATOMIC[0][0..3]\nLOAD TEMP[0], MEMORY[0], SV[0]\nSTORE MEMORY[1].x, TEMP[0], TEMP[0]\n"
     "LOAD TEMP[1], BUFFER[ADDR[0].x], TEMP[0]\nIMG2HND TEMP[2].xy, IMAGE[0]\n"
     "STORE TEMP[2], TEMP[3], TEMP[1], 2D, PIPE_FORMAT_R32_UINT\nLOAD TEMP[1], RES[1], TEMP[0]\n"
     "ATOMUADD TEMP[3].x, HWATOMIC[0][1], TEMP[0].xxxx, TEMP[0].xxxx\nBARRIER\nRESQ TEMP[0], RES[0]\nEND\n",
     false},
    {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL OUT[0], POSITION\nDCL OUT[1], PATCH\nDCL TEMP[0]\nDCL ADDR[0]\n"
     "MOV OUT[0], TEMP[0]\nMOV OUT[ADDR[0].x][1], TEMP[0]\nSWITCH TEMP[0].xxxx\nDEFAULT\nENDSWITCH\nEND\n",
     false},
    {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES "
     "2\n"
     "DCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\n"
     "EMIT IMM[0].xxxx\nEND\n",
     false},
};

static enum sch_result run(const struct sch_exec_program *program, unsigned number, unsigned how)
{
    static uint32_t outputs[80][4], texels[80];
    static const struct sch_rectangle_register input = {.planar = 15};
    static const uint32_t grid[3] = {3, 1, 1}, block[3] = {40, 1, 1};
    const struct sch_run_options options = {
        .pool = (struct sch_pool *)&allowed, .threads = 3, .work = how ? 1 << 20 : 0, .unordered = true};
    const struct sch_rectangle rectangle = {.width = 32, .height = 32, .registers = &input, .register_count = 1};
    const struct sch_invocations given = {
        .count = 80, .outputs = outputs[0], .output_registers = 1, .texels_read = how ? texels : NULL};
    static const struct sch_exec_bindings bindings;
    if (program->prepared.stage == SCH_STAGE_COMPUTE)
        return sch_run_grid(program, &bindings, grid, block, &options, NULL);
    if (shaders[number].rectangle && how) return sch_run_rectangle(program, &bindings, &rectangle, &options, NULL);
    return sch_run_invocations(program, &bindings, &given, &options, NULL);
}

/* Runs with every number of requests until it goes well; how many those were. */
static unsigned starve(const struct sch_ir_shader *shader, unsigned number, unsigned how)
{
    for (unsigned requests = 0;; requests++) {
        struct counting counting = {0};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        struct sch_exec_program *program;
        allowed = (int)requests;
        enum sch_result status = sch_exec_create(shader, NULL, &allocator, NULL, &program);
        if (status == SCH_OK) status = run(program, number, how);
        sch_exec_destroy(program);
        if (counting.live != 0)
            fail_msg("shader %u, request %u: %ld blocks are lost", number, requests, (long)counting.live);
        if (allowed >= 0) { /* none was refused */
            assert_int_equal(status, SCH_OK);
            return requests;
        }
        allowed = -1;
        if (status != SCH_ERROR_MEMORY) fail_msg("shader %u, request %u: %d", number, requests, status);
    }
}

static void every_request_may_be_refused(void **state)
{
    (void)state;
    for (unsigned s = 0; s < COUNT(shaders); s++) {
        allowed = -1;
        struct sch_ir_shader *shader = parsed_shader(shaders[s].text);
        for (unsigned how = 0; how < 2; how++) assert_true(starve(shader, s, how) > 20);
        sch_ir_destroy(shader);
    }
}

/* What making a program tells of it, where there is a list. */
static void it_is_told(void **state)
{
    (void)state;
    allowed = -1;
    struct sch_ir_shader *shader = parsed_shader(shaders[0].text);
    struct sch_diagnostics list;
    struct sch_exec_program *program;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    allowed = 2;
    assert_int_equal(sch_exec_create(shader, NULL, &sch_allocator_libc, &list, &program), SCH_ERROR_MEMORY);
    allowed = -1;
    assert_null(program);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].message,
                        "the program does not fit in the memory that there is or that the limits "
                        "allow (1073741824 bytes)");
    assert_int_equal(list.items[0].position.line, 0);
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_be_refused), cmocka_unit_test(it_is_told)};
    return cmocka_run_group_tests_name("starved", tests, NULL, NULL);
}
