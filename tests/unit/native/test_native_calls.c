/* What machine code calls (abi/group.h), called as it would: the budget of lanes and the work of a run, against a
 * model that counts lane by lane; and what it is told of memory before it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/exec_program.h"
#include "exec/job.h"
#include "native/internal.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { LANES = SCH_GROUP_LANES };

static struct sch_exec_machine *machine;
static struct sch_exec_job job;
static struct sch_exec_program *program;
static const struct sch_prepared_instruction *in;

static int begin(void **state)
{
    (void)state;
    program = exec_program("FRAG\nDCL OUT[0], COLOR\nNOP\nNOP\nNOP\nMOV OUT[0], OUT[0]\nEND\n", NULL);
    in = &program->prepared.instructions[1];
    machine = aligned_alloc(64, (sizeof *machine + 63) / 64 * 64);
    if (!machine) return -1;
    memset(machine, 0, sizeof *machine);
    memset(&job, 0, sizeof job);
    machine->program = program;
    machine->ops = program->ops;
    machine->job = &job;
    machine->group.stop_at = machine->work_end = UINT64_MAX;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(machine);
    sch_exec_destroy(program);
    return 0;
}

/* ---- the budget ---- */

enum { MOST = (1 << 24) - 16 }; /* steps that code may count by itself */

static const struct spends {
    uint32_t exec, present, alive, helpers;
    uint64_t budget, each; /* lane i has spent i * each before, and owes 3 more in odd lanes */
    uint64_t executed, stop_at;
} spends[] = {
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 1000, 0, 50, UINT64_MAX},
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 1000, 7, 50, 200},
    {0x0000ff00, UINT32_MAX, 0x0000ffff, 0, 1000, 7, 50, UINT64_MAX},
    {0x0000ff00, 0x00007fff, UINT32_MAX, 0, 1000, 7, 50, 60},
    {0x00000001, 0x00000001, 0x00000001, 0, 1000, 1, 0, UINT64_MAX},
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 220, 7, 50, UINT64_MAX},        /* 31 * 7 + 3: used up */
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 221, 7, 50, UINT64_MAX},        /* one is left */
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 3, 0, 50, UINT64_MAX},          /* the odd ones have none */
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0xaaaaaaaa, 3, 0, 50, UINT64_MAX}, /* only helpers: they end */
    {0x80000000, 0x80000000, 0x80000000, 0x80000000, 220, 7, 50, UINT64_MAX},
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0x00aaaaaa, 3, 0, 50, UINT64_MAX}, /* lane 25 is none */
    {0xffff0000, UINT32_MAX, UINT32_MAX, 0x80000000, 220, 7, 50, 60},
    {0x00000001, 0x00000003, 0x00000003, 0, 4, 1, 50, UINT64_MAX}, /* lane 1 has used all, but waits */
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, UINT64_C(1) << 40, 7, 50, UINT64_MAX},
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, (1 << 24) - 16 + 220, 7, 0, UINT64_MAX},
    {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, (1 << 24) - 16 + 219, 7, 0, UINT64_MAX},
    {UINT32_MAX, UINT32_MAX, 0, 0, 1000, 7, 50, UINT64_MAX},
};

static void budgets_are_charged_lane_by_lane(void **state)
{
    (void)state;
    for (unsigned n = 0; n < COUNT(spends); n++) {
        const struct spends *s = &spends[n];
        uint32_t owed[LANES], out = 0, failing = 0;
        uint64_t spent[LANES], least = MOST, most = 0;
        machine->group.exec = s->exec, machine->group.present = s->present, machine->group.helpers = s->helpers;
        machine->budget = s->budget;
        machine->group.executed = s->executed, machine->group.stop_at = s->stop_at;
        machine->most_spent = 0, machine->group.settled = false, machine->depth = 5;
        machine->group.payers = 0x1234, machine->group.pending = 9,
        machine->group.limit = 1; /* of groups that were interpreted */
        machine->group.failure = SCH_OK;
        for (unsigned i = 0; i < LANES; i++) {
            machine->spent[i] = i * s->each;
            owed[i] = i & 1 ? 3 : 0;
            spent[i] = machine->spent[i] + owed[i];
            if (spent[i] > most) most = spent[i];
            if (s->exec >> i & 1 && spent[i] >= s->budget) out |= 1u << i;
        }
        failing = out & ~s->helpers;
        if (failing) out = 0;
        for (unsigned i = 0; i < LANES; i++) {
            const bool goes_on = s->alive >> i & 1 && s->present >> i & 1 && !(out >> i & 1);
            if (goes_on && s->budget - spent[i] < least) least = s->budget - spent[i];
        }
        const bool good = sch_native_spend(&machine->group, in->number, s->alive, owed);
        if (good != !failing) fail_msg("case %u: %d", n, good);
        for (unsigned i = 0; i < LANES; i++) assert_int_equal(machine->spent[i], spent[i]);
        assert_true(machine->group.settled);
        assert_int_equal(machine->depth, 0);
        if (failing) {
            assert_int_equal(machine->group.failure, SCH_ERROR_BUDGET);
            assert_int_equal(machine->failed_lane, __builtin_ctz(failing));
            assert_int_equal(machine->failed_instruction, 1);
            continue;
        }
        assert_int_equal(machine->group.exec, s->exec & ~out);
        for (unsigned i = 0; i < LANES; i++)
            if (owed[i] != (machine->group.exec >> i & 1)) fail_msg("case %u: lane %u owes %u", n, i, owed[i]);
        assert_true(machine->most_spent >= most && !machine->group.payers && !machine->group.pending);
        assert_int_equal(machine->group.budget_end, s->executed + least);
        assert_int_equal(machine->group.limit, s->stop_at < s->executed + least ? s->stop_at : s->executed + least);
    }
}

/* ---- the clock, the flag, the work ---- */

static const uint32_t raised = 1, lowered = 0;

/* Where the count has come to `stop_at` somebody looks; the next time 8,192 instructions later. Work that is used up is
 * found out by the next instruction. */
static void runs_end_where_somebody_looks(void **state)
{
    (void)state;
    static const struct {
        uint64_t executed, stop_at, work_end;
        const uint32_t *cancel;
        bool good;
        uint64_t next;
    } looks[] = {{99, 100, UINT64_MAX, &raised, true, 100},
                 {100, 100, UINT64_MAX, &raised, false, 100},
                 {100, 100, UINT64_MAX, &lowered, true, 100 + 8192},
                 {100, 100, UINT64_MAX, NULL, true, UINT64_MAX},
                 {100, 100, 500, &lowered, true, 500},
                 {100, 100, 100, &raised, true, 100},
                 {100, 100, 101, &raised, false, 100},
                 {150, 100, 120, &raised, true, 100}};
    for (unsigned n = 0; n < COUNT(looks); n++)
        for (unsigned way = 0; way < 3; way++) {
            uint32_t owed[LANES] = {0};
            memset(machine->spent, 1, sizeof machine->spent);
            machine->group.settled = way == 1;
            machine->most_spent = 77;
            machine->budget = UINT64_MAX, machine->group.budget_end = UINT64_MAX;
            machine->group.exec = 0xfff0, machine->group.present = 0xffffff0;
            machine->group.executed = looks[n].executed, machine->group.stop_at = looks[n].stop_at;
            machine->work_end = looks[n].work_end;
            machine->group.failure = SCH_OK;
            machine->group.limit = 3;
            job.cancel = looks[n].cancel;
            if (way == 2 && looks[n].executed > looks[n].work_end) continue;
            const bool good = way == 0   ? sch_native_spend(&machine->group, in->number, UINT32_MAX, owed)
                              : way == 1 ? sch_native_renew(&machine->group)
                                         : sch_native_look(&machine->group, in->number, 0, 0xff00);
            if (good != looks[n].good) fail_msg("case %u, way %u: %d", n, way, good);
            assert_int_equal(machine->group.failure, good ? SCH_OK : SCH_ERROR_CANCELLED);
            assert_int_equal(machine->group.executed, looks[n].executed);
            assert_int_equal(machine->group.stop_at, looks[n].next);
            if (!good) {
                assert_int_equal(machine->failed_lane, way == 2 ? 8 : 4);
                assert_int_equal(machine->failed_instruction, way == 1 ? 0 : 1);
            }
            if (way == 1) { /* a group begins */
                for (unsigned i = 0; i < LANES; i++) assert_int_equal(machine->spent[i], 0);
                assert_false(machine->group.settled);
                assert_int_equal(machine->most_spent, 0);
            }
            if (way == 2) {
                const uint64_t limit = looks[n].next;
                assert_int_equal(machine->group.limit, good ? limit : 3);
                machine->group.budget_end = 50; /* the budget may be the nearer one */
                if (good) assert_true(sch_native_look(&machine->group, in->number, 0, 0xff00));
                if (good) assert_int_equal(machine->group.limit, 50);
            }
        }
}

/* Of instructions that stand ahead, those that the work is enough for are executed. */
static void work_ends_at_an_instruction(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 3; count++)
        for (uint64_t left = 0; left <= 3; left++) {
            machine->group.executed = 100 + count;
            machine->work_end = 100 + left;
            machine->group.stop_at = 0;
            machine->group.budget_end = 1000;
            machine->group.failure = SCH_OK;
            job.cancel = NULL;
            assert_int_equal(sch_native_look(&machine->group, in->number, count, 0x30), left >= count);
            assert_int_equal(machine->group.failure, left >= count ? SCH_OK : SCH_ERROR_WORK);
            assert_int_equal(machine->group.executed, 100 + (left >= count ? count : left));
            if (left >= count) continue;
            assert_int_equal(machine->failed_instruction, 1 + left);
            assert_int_equal(machine->failed_lane, 4);
        }
    machine->group.executed = 103, machine->work_end = 200,
    machine->group.stop_at = 100; /* ended by the flag: none of them is */
    job.cancel = &raised;
    assert_false(sch_native_look(&machine->group, in->number, 3, 0x30));
    assert_int_equal(machine->group.failure, SCH_ERROR_CANCELLED);
    assert_int_equal(machine->group.executed, 100);
}

/* ---- memory ---- */

static const char memory_text[] =
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n"
    "DCL BUFFER[0..5]\nDCL CONST[0..3]\nDCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL HWATOMIC[0]\n"
    "DCL TEMP[0..3]\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\n"
    "LOAD TEMP[0], BUFFER[0], SV[0]\nLOAD TEMP[0], BUFFER[1], SV[0]\nSTORE BUFFER[2], SV[0], TEMP[0]\n"
    "LOAD TEMP[0], BUFFER[3], SV[0]\nLOAD TEMP[0], BUFFER[4], SV[0]\nLOAD TEMP[0], BUFFER[5], SV[0]\n"
    "LOAD TEMP[0], BUFFER[ADDR[0].x], SV[0]\nLOAD TEMP[0], MEMORY[0], SV[0]\nLOAD TEMP[0], MEMORY[1], SV[0]\n"
    "RESQ TEMP[0], IMAGE[1], 2D, PIPE_FORMAT_R32_UINT\nEND\n";

/* Each instruction with a view has one, in order; what lies beyond 4 GiB is no address. */
static void views_are_made(void **state)
{
    (void)state;
    static uint8_t bytes[64];
    const uint64_t most = UINT64_C(1) << 32;
    const struct sch_storage_buffer buffers[] = {
        {bytes, 0}, {bytes, 64}, {bytes, most - 1}, {bytes, most}, {bytes, most + 1}};
    const struct sch_texture texture = {.levels = 1, .layers = 1, .level = {{.width = 9, .height = 7, .depth = 1}}};
    const struct sch_exec_image images[] = {
        {0}, {.texture = &texture, .format = SCH_FORMAT_R32_UINT, .target = SCH_TARGET_2D}};
    const struct sch_exec_bindings bindings = {
        .buffers = buffers, .buffer_count = 5, .images = images, .image_count = 2};
    struct sch_exec_program *accesses = exec_program(memory_text, NULL);
    struct sch_group_view *views = NULL;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    machine->program = accesses;
    machine->bindings = &bindings;
    for (unsigned kind = 0; kind < SCH_MEMORY_KIND_COUNT; kind++)
        machine->memory[kind] = (struct sch_memory_view){.data = bytes, .bytes = 48, .writable = true};
    machine->memory[accesses->prepared.memory.kinds[1]].lane_bytes = 16;
    assert_int_equal(sch_native_make_views(machine, &arena, &views), SCH_OK);
    static const uint64_t sizes[][4] = {/* readable, storable, writable, what RESQ would answer */
                                        {0, 0, 0, 0},
                                        {64, 64, 64, 64},
                                        {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                        {UINT64_C(1) << 32, UINT64_C(1) << 32, UINT64_C(1) << 32, UINT32_MAX},
                                        {UINT64_C(1) << 32, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, UINT32_MAX},
                                        {0, 0, 0, 0}, /* not bound */
                                        {48, 48, 48, 48},
                                        {0, 0, 48, 48}}; /* lanes have their own */
    for (unsigned n = 0; n < COUNT(sizes); n++) {
        const struct sch_group_view *v = &views[n];
        if (v->readable != sizes[n][0] || v->storable != sizes[n][1] || v->writable != sizes[n][2] ||
            v->sizes[0] != sizes[n][3])
            fail_msg("view %u: %llu, %llu, %llu, %u", n, (unsigned long long)v->readable,
                     (unsigned long long)v->storable, (unsigned long long)v->writable, v->sizes[0]);
        assert_int_equal(v->view.data != NULL, n != 5);
        assert_int_equal(v->sizes[1] | v->sizes[2] | v->sizes[3], 0);
    }
    assert_int_equal(views[8].sizes[0], 9);
    assert_int_equal(views[8].sizes[1], 7);
    assert_int_equal(views[8].readable, 0);
    for (unsigned kind = 0; kind < SCH_MEMORY_KIND_COUNT; kind++) machine->memory[kind].writable = false;
    assert_int_equal(sch_native_make_views(machine, &arena, &views), SCH_OK);
    assert_int_equal(views[6].readable, 48);
    assert_int_equal(views[6].storable | views[6].writable, 0);
    struct sch_arena small;
    sch_arena_init(&small, &sch_allocator_libc, 1);
    assert_int_equal(sch_native_make_views(machine, &small, &views), SCH_ERROR_MEMORY);
    machine->program = program; /* nothing to see: not even memory for it */
    views = NULL;
    assert_int_equal(sch_native_make_views(machine, &small, &views), SCH_OK);
    assert_null(views);
    sch_arena_release(&small);
    sch_arena_release(&arena);
    sch_exec_destroy(accesses);
}

/* By component, of how many registers it is wholly inside: of 32 buffers, and at most INT32_MAX registers. */
static void constants_are_counted_by_component(void **state)
{
    (void)state;
    static struct sch_constant_buffer buffers[34];
    static const uint8_t data[34];
    struct sch_group_constants constants[33];
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned n = 0; n < 34; n++) buffers[n] = (struct sch_constant_buffer){&data[n], 34 * round + n};
        if (round == 2) buffers[0].bytes = UINT64_C(16) * INT32_MAX - 1;
        if (round == 2) buffers[1].bytes = UINT64_C(16) * INT32_MAX + 4;
        for (uint32_t count = 0; count <= 34; count += 17) {
            const struct sch_exec_bindings bindings = {.constants = buffers, .constant_count = count};
            memset(constants, 0, sizeof constants);
            sch_native_list_constants(&bindings, constants);
            for (uint32_t n = 0; n < 33; n++) {
                const bool there = n < count && n < 32;
                assert_ptr_equal(constants[n].data, there ? &data[n] : NULL);
                for (unsigned c = 0; c < 4; c++) {
                    uint32_t wanted = 0;
                    if (round == 2 && n < 2)
                        wanted = n == 0 && c == 3 ? INT32_MAX - 1 : INT32_MAX;
                    else
                        while (wanted * 16 + c * 4 + 4 <= buffers[n].bytes) wanted++;
                    assert_int_equal(constants[n].registers[c], there ? wanted : 0);
                }
            }
        }
    }
    memset(constants, 0, sizeof constants);
    sch_native_list_constants(NULL, constants);
    for (uint32_t n = 0; n < 33; n++) assert_null(constants[n].data);
}

/* Values of all four components, to and from the places that the header says. */
static void words_are_loaded_and_stored(void **state)
{
    (void)state;
    for (uint32_t components = 1; components < 16; components = components * 2 + 1)
        for (unsigned shift = 0; shift < 3; shift += 2) {
            uint32_t memory[LANES][4];
            const uint32_t lanes = 0xa5a5f00f;
            const struct sch_group_view view = {
                .view = {.data = (uint8_t *)memory, .bytes = sizeof memory, .writable = true}, .shift = (uint8_t)shift};
            memset(memory, 0, sizeof memory);
            for (unsigned i = 0; i < LANES; i++) {
                machine->group.scratch[0][0].u[i] = 16 * i >> shift;
                for (unsigned c = 0; c < 4; c++) machine->group.scratch[1][c].u[i] = 1000 * c + i + 1;
                for (unsigned c = 0; c < 4; c++) machine->group.result[c].u[i] = 0x55555555;
            }
            sch_native_store_words(&machine->group, &view, lanes, components);
            for (unsigned i = 0; i < LANES; i++)
                for (unsigned c = 0; c < 4; c++)
                    assert_int_equal(memory[i][c], lanes >> i & 1 && components >> c & 1 ? 1000 * c + i + 1 : 0);
            for (unsigned i = 0; i < LANES; i++)
                for (unsigned c = 0; c < 4; c++) memory[i][c] = 77000 + 100 * c + i;
            sch_native_load_words(&machine->group, &view, lanes, components);
            for (unsigned i = 0; i < LANES; i++)
                for (unsigned c = 0; c < 4; c++)
                    if (lanes >> i & 1 && components >> c & 1)
                        assert_int_equal(machine->group.result[c].u[i], 77000 + 100 * c + i);
        }
}

/* A compare and swap has two operands. */
static void atomics_have_two_operands(void **state)
{
    (void)state;
    struct sch_exec_program *swaps =
        exec_program("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..3]\n"
                     "ATOMCAS TEMP[0].x, BUFFER[0], SV[0], TEMP[1], TEMP[2]\nEND\n",
                     NULL);
    uint32_t words[LANES];
    const struct sch_group_view view = {.view = {.data = (uint8_t *)words, .bytes = sizeof words, .writable = true}};
    for (unsigned i = 0; i < LANES; i++) {
        words[i] = i;
        machine->group.scratch[0][0].u[i] = 4 * i;
        machine->group.scratch[2][0].u[i] = i & ~1u; /* what is compared */
        machine->group.scratch[3][0].u[i] = 500 + i; /* what is put there */
    }
    machine->program = swaps;
    sch_native_update_words(&machine->group, &view, UINT32_MAX, 0);
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(machine->group.result[0].u[i], i);
        assert_int_equal(words[i], i & 1 ? i : 500 + i);
    }
    sch_exec_destroy(swaps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(budgets_are_charged_lane_by_lane, begin, end),
        cmocka_unit_test_setup_teardown(runs_end_where_somebody_looks, begin, end),
        cmocka_unit_test_setup_teardown(work_ends_at_an_instruction, begin, end),
        cmocka_unit_test_setup_teardown(views_are_made, begin, end),
        cmocka_unit_test_setup_teardown(constants_are_counted_by_component, begin, end),
        cmocka_unit_test_setup_teardown(words_are_loaded_and_stored, begin, end),
        cmocka_unit_test_setup_teardown(atomics_have_two_operands, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
