/* Tests of the arena of src/base: growth, alignment, limits, a failing allocator, what a reset keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting_allocator.h"
#include "base/arena.h"

static void arena_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    for (size_t align = 1; align <= 64; align *= 2) {
        for (size_t bytes = 0; bytes < 300; bytes += 37) {
            unsigned char *memory = sch_arena_alloc(&arena, bytes, align);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % align, 0);
            for (size_t i = 0; i < bytes; i++) assert_int_equal(memory[i], 0);
            memset(memory, 0xff, bytes);
        }
    }
    assert_false(arena.failed);
    sch_arena_release(&arena);
}

/* What is taken again and again costs no call of the allocator; the limit counts what stays. */
static void arena_is_reset(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_allocator allocator = counting_allocator(&counting);
    struct sch_arena arena;
    size_t calls = 0;
    sch_arena_init(&arena, &allocator, 0);
    for (unsigned round = 0; round < 8; round++) {
        for (size_t bytes = 64; bytes < 20000; bytes *= 3) {
            unsigned char *memory = sch_arena_alloc(&arena, bytes, 64);
            for (size_t i = 0; i < bytes; i++) assert_int_equal(memory[i], 0);
            memset(memory, 0xff, bytes);
        }
        if (round == 4) calls = counting.allocations;
        sch_arena_reset(&arena, 0);
    }
    assert_int_equal(counting.allocations, calls);
    sch_arena_reset(&arena, 5000); /* the block is larger */
    assert_null(sch_arena_alloc(&arena, 8000, 64));
    assert_true(arena.failed);
    sch_arena_reset(&arena, 0);
    assert_false(arena.failed);
    assert_non_null(sch_arena_alloc(&arena, 1 << 20, 64));
    sch_arena_reset(&arena, 0); /* large ones do not stay */
    assert_true(arena.used < 1 << 18);
    sch_arena_release(&arena);
}

/* Blocks double, so that n bytes cost O(log n) calls of the allocator; what was handed out never moves. */
static void arena_grows_in_few_blocks(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_allocator allocator = counting_allocator(&counting);
    struct sch_arena arena;
    sch_arena_init(&arena, &allocator, 0);
    enum { COUNT = 100000 };
    uint32_t **all = malloc(COUNT * sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = SCH_ARENA_NEW(&arena, uint32_t);
        assert_non_null(all[i]);
        *all[i] = i;
    }
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(*all[i], i);
    free(all);
    assert_in_range(counting.allocations, 2, 12);
    sch_arena_release(&arena);
    assert_int_equal(counting.frees, counting.allocations);
}

static void arena_takes_large_requests(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    unsigned char *large = sch_arena_alloc(&arena, (size_t)8 << 20, 64);
    assert_non_null(large);
    large[((size_t)8 << 20) - 1] = 1;
    assert_non_null(sch_arena_alloc(&arena, 16, 16));
    sch_arena_release(&arena);
    assert_null(arena.blocks);
    sch_arena_release(&arena); /* a second release does nothing */
}

static void arena_obeys_its_limit(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_allocator allocator = counting_allocator(&counting);
    struct sch_arena arena;
    sch_arena_init(&arena, &allocator, 1 << 16);
    size_t got = 0;
    while (sch_arena_alloc(&arena, 1000, 8)) got += 1000;
    assert_true(arena.failed);
    assert_in_range(got, 1 << 14, 1 << 16);
    assert_true(arena.used <= 1 << 16);
    sch_arena_release(&arena);
    assert_int_equal(counting.frees, counting.allocations);
}

/* An array that nothing stands behind grows in its place while its block has room; others move, and keep what they
 * hold. */
static void arena_grows_arrays_in_place(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    uint32_t *items = NULL, *before;
    size_t capacity = 0, count = 0, moves = 0;
    for (; count < 500; count++) { /* the first block has 4096 bytes */
        before = items;
        assert_true(SCH_ARENA_GROW(&arena, items, capacity, count));
        moves += before && before != items;
        assert_int_equal(items[count], 0);
        items[count] = (uint32_t)count;
    }
    assert_int_equal(capacity, 512);
    assert_int_equal(moves, 0);
    unsigned char *behind = SCH_ARENA_NEW(&arena, unsigned char);
    assert_true(behind >= (unsigned char *)(items + capacity));
    for (; count < 5000; count++) {
        before = items;
        assert_true(SCH_ARENA_GROW(&arena, items, capacity, count));
        moves += before != items;
        assert_int_equal(items[count], 0);
        items[count] = (uint32_t)count;
    }
    assert_true(moves >= 1);
    assert_int_equal(*behind, 0);
    for (size_t i = 0; i < count; i++) assert_int_equal(items[i], i);
    sch_arena_release(&arena);
}

static void arena_refuses_what_overflows(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    assert_null(sch_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(sch_arena_alloc(&arena, SIZE_MAX - 64, 64));
    assert_null(sch_arena_array(&arena, SIZE_MAX / 2, 3, 1));
    assert_null(sch_arena_string(&arena, "", SIZE_MAX));
    assert_true(arena.failed);
    assert_non_null(sch_arena_alloc(&arena, 100, 1)); /* and goes on */
    assert_null(sch_arena_alloc(&arena, SIZE_MAX - 8, 1));
    sch_arena_release(&arena);
}

static void arena_survives_a_failing_allocator(void **state)
{
    (void)state;
    for (size_t refuse_after = 0; refuse_after < 6; refuse_after++) {
        struct counting counting = {.refuse_after = refuse_after};
        struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_arena arena;
        sch_arena_init(&arena, &allocator, 0);
        size_t got = 0;
        while (sch_arena_alloc(&arena, 512, 8)) got++;
        assert_true(arena.failed);
        if (refuse_after == 0)
            assert_int_equal(got, 0);
        else
            assert_true(got > 0);
        assert_int_equal(counting.allocations, refuse_after);
        sch_arena_release(&arena);
        assert_int_equal(counting.frees, refuse_after);
    }
}

/* Each block has twice the room of the one before, up to a megabyte; a larger request gets a block of its own size. */
static void arena_blocks_double_up_to_a_megabyte(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_allocator allocator = counting_allocator(&counting);
    struct sch_arena arena;
    sch_arena_init(&arena, &allocator, 0);
    for (size_t i = 0; i < 10 << 10; i++) assert_non_null(sch_arena_alloc(&arena, 1024, 1));
    const size_t head = counting.sizes[0] - 4096; /* what a block costs beyond its room */
    assert_in_range(head, 64, 128);
    assert_int_equal(counting.allocations, 8 + 1 + 9); /* 4 + ... + 512 + 1024 kilobytes, 9 of the last kind */
    for (size_t i = 0; i < counting.allocations; i++)
        assert_int_equal(counting.sizes[i] - head, (size_t)4096 << (i < 8 ? i : 8));
    assert_int_equal(arena.used, counting.bytes);
    sch_arena_release(&arena);
    assert_int_equal(arena.used, 0);

    counting = (struct counting){.refuse_after = SIZE_MAX};
    assert_non_null(sch_arena_alloc(&arena, 4097, 1));
    assert_non_null(sch_arena_alloc(&arena, 2 * 4097, 1)); /* is the double of a larger one, too */
    assert_non_null(sch_arena_alloc(&arena, 5 << 20, 1));
    assert_int_equal(counting.sizes[0] - head, 4097);
    assert_int_equal(counting.sizes[1] - head, 2 * 4097);
    assert_int_equal(counting.sizes[2] - head, 5 << 20);
    sch_arena_release(&arena);
}

/* A block is filled to its last byte, and no further. */
static void arena_fills_its_blocks(void **state)
{
    (void)state;
    static const struct {
        size_t first, second, align;
        size_t blocks;
    } rows[] = {{4096, 0, 1, 1},   {4095, 1, 1, 1},   {4095, 2, 1, 2},  {4096, 1, 1, 2},  {4031, 64, 64, 1},
                {4032, 64, 64, 1}, {4033, 64, 64, 2}, {4033, 63, 1, 1}, {1, 4032, 64, 1}, {1, 4033, 64, 2},
                {4089, 8, 8, 2},   {4088, 8, 8, 1},   {4081, 8, 8, 1},  {4090, 0, 64, 1}, {4096, 4096, 16, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct counting counting = {.refuse_after = SIZE_MAX};
        struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_arena arena;
        sch_arena_init(&arena, &allocator, 0);
        unsigned char *first = sch_arena_alloc(&arena, rows[i].first, 1);
        unsigned char *second = sch_arena_alloc(&arena, rows[i].second, rows[i].align);
        assert_int_equal((uintptr_t)first % 64, 0);
        assert_int_equal((uintptr_t)second % rows[i].align, 0);
        if (counting.allocations != rows[i].blocks) fail_msg("row %zu: %zu blocks", i, counting.allocations);
        if (rows[i].blocks == 1) {
            const size_t between = (rows[i].first + rows[i].align - 1) / rows[i].align * rows[i].align;
            assert_int_equal(second - first, between);
        }
        sch_arena_release(&arena);
    }
}

/* The limit is the last byte that may be obtained: with that many all is given, with one fewer the last is not. */
static void arena_limit_is_exact(void **state)
{
    (void)state;
    static const size_t wanted[] = {100, 5000, 64, 20000, 1};
    enum { COUNT = sizeof wanted / sizeof *wanted };
    struct sch_arena arena;
    size_t needs[COUNT];
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    for (size_t i = 0; i < COUNT; i++) {
        assert_non_null(sch_arena_alloc(&arena, wanted[i], 8));
        needs[i] = arena.used;
    }
    sch_arena_release(&arena);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t less = 0; less < 2; less++) {
            if (less && i && needs[i] == needs[i - 1]) continue;
            sch_arena_init(&arena, &sch_allocator_libc, needs[i] - less);
            for (size_t k = 0; k < i; k++) assert_non_null(sch_arena_alloc(&arena, wanted[k], 8));
            assert_int_equal(sch_arena_alloc(&arena, wanted[i], 8) != NULL, !less);
            assert_int_equal(arena.failed, less);
            sch_arena_release(&arena);
        }
}

/* What an array grows into is zero, though the block's memory was used by others before it moved. */
static void arena_grows_arrays_to_the_end_of_a_block(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_allocator allocator = counting_allocator(&counting);
    for (size_t before = 0; before < 3; before++) {
        struct sch_arena arena;
        sch_arena_init(&arena, &allocator, 0);
        if (before) sch_arena_alloc(&arena, before, 1);
        unsigned char *items = NULL, *first = NULL;
        size_t capacity = 0;
        for (size_t count = 0; count < 4096; count++) {
            assert_true(SCH_ARENA_GROW(&arena, items, capacity, count));
            assert_int_equal(items[count], 0);
            if (!count) first = items;
            items[count] = 1;
        }
        /* 4,096 bytes fill the first block, if nothing stood before them */
        assert_int_equal(capacity, 4096);
        assert_int_equal(items == first, before == 0);
        assert_int_equal(arena.used, before ? counting.sizes[0] + counting.sizes[1] : counting.sizes[0]);
        for (size_t i = 0; i < 4096; i++) assert_int_equal(items[i], 1);
        sch_arena_release(&arena);
        counting = (struct counting){.refuse_after = SIZE_MAX};
    }
}

static void arena_array_with_room_is_left_alone(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    uint32_t *items = SCH_ARENA_ARRAY(&arena, uint32_t, 3), *before = items;
    size_t capacity = 3;
    for (size_t count = 0; count < 3; count++) assert_true(SCH_ARENA_GROW(&arena, items, capacity, count));
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, 3);
    assert_true(SCH_ARENA_GROW(&arena, items, capacity, 3));
    assert_int_equal(capacity, 6);
    assert_false(arena.failed);
    sch_arena_release(&arena);

    /* Where the products overflow the array stays what it was. */
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    capacity = SIZE_MAX / 4 + 1; /* twice that is a number, twice that of 4 bytes is none */
    items = before = NULL;
    assert_false(SCH_ARENA_GROW(&arena, items, capacity, capacity));
    assert_true(arena.failed);
    assert_null(items);
    sch_arena_release(&arena);
}

static void arena_copies_strings(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    char *copy = sch_arena_string(&arena, "shader text", 6);
    assert_string_equal(copy, "shader");
    assert_string_equal(sch_arena_string(&arena, NULL, 0), "");
    sch_arena_release(&arena);
}

static void arena_grows_arrays(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    uint64_t *items = NULL;
    size_t capacity = 0;
    for (size_t count = 0; count < 5000; count++) {
        assert_true(SCH_ARENA_GROW(&arena, items, capacity, count));
        assert_true(capacity > count);
        items[count] = count * 3;
    }
    for (size_t i = 0; i < 5000; i++) assert_int_equal(items[i], i * 3);
    size_t huge = SIZE_MAX / 2 + 1;
    assert_false(sch_arena_grow(&arena, (void **)&items, &huge, huge, sizeof *items));
    assert_true(arena.failed);
    sch_arena_release(&arena);
}

/* What a large array moves out of is the allocator's again, unless something else stands there. */
static void arena_takes_little_more_than_large_arrays(void **state)
{
    (void)state;
    for (unsigned others = 0; others < 2; others++) {
        struct counting counting = {.refuse_after = SIZE_MAX};
        const struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_arena arena;
        sch_arena_init(&arena, &allocator, 0);
        uint64_t *items = NULL;
        size_t capacity = 0, small = 0;
        unsigned char *beside[32] = {0};
        for (size_t count = 0; count < 3000000; count++) {
            const size_t before = capacity;
            assert_true(SCH_ARENA_GROW(&arena, items, capacity, count));
            if (others && capacity != before) {
                beside[small] = SCH_ARENA_NEW(&arena, unsigned char);
                *beside[small++] = 77;
            }
            assert_int_equal(items[count], 0);
            items[count] = count * 3;
        }
        for (size_t i = 0; i < 3000000; i++) assert_int_equal(items[i], i * 3);
        for (size_t i = 0; i < small; i++) assert_int_equal(*beside[i], 77);
        assert_in_range(arena.used, capacity * sizeof *items, capacity * sizeof *items + (4u << 20));
        assert_in_range(counting.frees, 3, counting.allocations - 1);
        sch_arena_release(&arena);
        assert_int_equal(counting.frees, counting.allocations);
    }
}

static void arena_array_growth_obeys_the_limit(void **state)
{
    (void)state;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 1 << 15);
    uint32_t *items = NULL;
    size_t capacity = 0, count = 0;
    while (SCH_ARENA_GROW(&arena, items, capacity, count)) items[count++] = 7;
    assert_in_range(count, 64, (1 << 15) / sizeof *items);
    for (size_t i = 0; i < count; i++) assert_int_equal(items[i], 7); /* the old array is whole */
    sch_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_is_zeroed_and_aligned),
        cmocka_unit_test(arena_is_reset),
        cmocka_unit_test(arena_grows_in_few_blocks),
        cmocka_unit_test(arena_takes_large_requests),
        cmocka_unit_test(arena_obeys_its_limit),
        cmocka_unit_test(arena_grows_arrays_in_place),
        cmocka_unit_test(arena_refuses_what_overflows),
        cmocka_unit_test(arena_survives_a_failing_allocator),
        cmocka_unit_test(arena_blocks_double_up_to_a_megabyte),
        cmocka_unit_test(arena_fills_its_blocks),
        cmocka_unit_test(arena_limit_is_exact),
        cmocka_unit_test(arena_grows_arrays_to_the_end_of_a_block),
        cmocka_unit_test(arena_array_with_room_is_left_alone),
        cmocka_unit_test(arena_copies_strings),
        cmocka_unit_test(arena_grows_arrays),
        cmocka_unit_test(arena_takes_little_more_than_large_arrays),
        cmocka_unit_test(arena_array_growth_obeys_the_limit),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
