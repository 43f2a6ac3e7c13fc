/* Tests of src/base: the arena (growth, alignment, limits, a failing allocator), the diagnostics list (limits, the cut
 * around the caret, lines of a hundred megabytes). Knows nothing of shaders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/diagnostics.h"

/* An allocator that counts what is out and refuses after a number of allocations. */
struct counting {
    size_t allocations, frees, refuse_after;
};

static void *counting_alloc(void *user, size_t bytes)
{
    struct counting *counting = user;
    if (counting->allocations >= counting->refuse_after) return NULL;
    counting->allocations++;
    return malloc(bytes);
}

static void counting_free(void *user, void *memory)
{
    struct counting *counting = user;
    if (memory) counting->frees++;
    free(memory);
}

static struct sch_allocator counting_allocator(struct counting *counting)
{
    return (struct sch_allocator){counting_alloc, counting_free, counting};
}

/* ---- checked arithmetic ---- */

static void checked_sums_and_products(void **state)
{
    (void)state;
    size_t r = 0;
    assert_true(sch_add_size(SIZE_MAX - 1, 1, &r));
    assert_true(r == SIZE_MAX);
    assert_false(sch_add_size(SIZE_MAX, 1, &r));
    assert_true(sch_mul_size(SIZE_MAX / 2, 2, &r));
    assert_true(r == SIZE_MAX - 1);
    assert_false(sch_mul_size(SIZE_MAX / 2 + 1, 2, &r));
    assert_true(sch_mul_size(0, SIZE_MAX, &r));
    assert_true(r == 0);
}

/* ---- arena ---- */

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

/* ---- diagnostics ---- */

static struct sch_position at(uint32_t line, uint32_t column, uint64_t offset)
{
    return (struct sch_position){line, column, offset};
}

static void diagnostics_keep_what_was_said(void **state)
{
    (void)state;
    static const char text[] = "FRAG\n  0: MOVE OUT[0], IN[0]\n  1: END\n";
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    sch_diagnostics_source(&list, "blur.tgsi", text, sizeof text - 1);
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1001, at(2, 6, 10), "no opcode %s", "MOVE");
    sch_diagnostics_add(&list, SCH_SEVERITY_WARNING, 1500, at(3, 6, 35), "%d of %d", 1, 2);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.errors, 1);
    assert_int_equal(list.warnings, 1);

    const struct sch_diagnostic *first = &list.items[0];
    assert_int_equal(first->severity, SCH_SEVERITY_ERROR);
    assert_int_equal(first->code, 1001);
    assert_int_equal(first->position.line, 2);
    assert_int_equal(first->position.column, 6);
    assert_string_equal(first->source, "blur.tgsi");
    assert_string_equal(first->message, "no opcode MOVE");
    assert_string_equal(first->line_text, "  0: MOVE OUT[0], IN[0]");
    assert_int_equal(first->caret, 5);

    assert_string_equal(list.items[1].message, "1 of 2");
    assert_string_equal(list.items[1].line_text, "  1: END");
    sch_diagnostics_release(&list);
}

static void diagnostics_copy_the_source_name(void **state)
{
    (void)state;
    char name[] = "first";
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    sch_diagnostics_source(&list, name, NULL, 0);
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, 1, 0), "a");
    strcpy(name, "other");
    sch_diagnostics_source(&list, NULL, NULL, 0);
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, 1, 0), "b");
    assert_string_equal(list.items[0].source, "first");
    assert_string_equal(list.items[1].source, "");
    assert_null(list.items[0].line_text); /* no text, no line */
    sch_diagnostics_release(&list);
}

static void diagnostics_stop_at_the_limit_and_count_on(void **state)
{
    (void)state;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 3);
    sch_diagnostics_source(&list, "x", NULL, 0);
    for (int i = 0; i < 1000; i++) {
        sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1000, at(1, 1, 0), "error %d", i);
        sch_diagnostics_add(&list, SCH_SEVERITY_WARNING, 1500, at(1, 1, 0), "warning %d", i);
    }
    assert_int_equal(list.count, 3);
    assert_int_equal(list.errors, 1000);
    assert_int_equal(list.warnings, 1000);
    assert_string_equal(list.items[2].message, "error 1");
    assert_in_range(list.arena.used, 1, 1 << 14);
    sch_diagnostics_release(&list);
}

static void diagnostics_without_a_list_do_nothing(void **state)
{
    (void)state;
    sch_diagnostics_source(NULL, "x", "y", 1);
    sch_diagnostics_add(NULL, SCH_SEVERITY_ERROR, 1, at(1, 1, 0), "nobody hears");
}

/* A binary input has no lines; an offset past the text gives none either. */
static void diagnostics_without_a_line_have_no_caret_text(void **state)
{
    (void)state;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    sch_diagnostics_source(&list, "tokens", "abc", 3);
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 3000, at(0, 0, 2), "bad word");
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1000, at(1, 9, 99), "past the end");
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1000, at(1, 4, 3), "at the end");
    assert_null(list.items[0].line_text);
    assert_null(list.items[1].line_text);
    assert_string_equal(list.items[2].line_text, "abc");
    assert_int_equal(list.items[2].caret, 3);
    sch_diagnostics_release(&list);
}

static void diagnostics_blank_control_bytes_and_cut_messages(void **state)
{
    (void)state;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    sch_diagnostics_source(&list, "x", "a\tb\x7f\x1b[31mc\r", 11);
    char longer[2000];
    memset(longer, 'm', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, 3, 2), "%s", longer);
    assert_string_equal(list.items[0].line_text, "a b  [31mc ");
    assert_int_equal(list.items[0].caret, 2);
    size_t kept = strlen(list.items[0].message);
    assert_in_range(kept, 100, 1000);
    sch_diagnostics_release(&list);
}

/* The cut holds the reported byte, wherever it is in the line, and the caret points at it. */
static void diagnostics_cut_long_lines_round_the_caret(void **state)
{
    (void)state;
    enum { BYTES = 1000 };
    char text[BYTES];
    for (size_t i = 0; i < BYTES; i++) text[i] = (char)('a' + i % 26);
    for (size_t offset = 0; offset < BYTES; offset += 111) {
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 1);
        sch_diagnostics_source(&list, "x", text, BYTES);
        sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, (uint32_t)offset + 1, offset), "here");
        const struct sch_diagnostic *item = &list.items[0];
        assert_non_null(item->line_text);
        size_t length = strlen(item->line_text);
        assert_in_range(length, 1, SCH_DIAGNOSTIC_LINE);
        assert_true(item->caret < length);
        assert_int_equal(item->line_text[item->caret], text[offset]);
        assert_memory_equal(item->line_text, text + offset - item->caret, length);
        sch_diagnostics_release(&list);
    }
}

static void diagnostics_in_a_line_of_100_megabytes_cost_little(void **state)
{
    (void)state;
    size_t bytes = (size_t)100 << 20;
    char *text = malloc(bytes);
    assert_non_null(text);
    memset(text, 'x', bytes);
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 1000);
    sch_diagnostics_source(&list, "long", text, bytes);
    for (size_t i = 0; i < 1000; i++) {
        size_t offset = i * (bytes / 1000);
        sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, (uint32_t)offset + 1, offset), "here");
    }
    assert_int_equal(list.count, 1000);
    for (size_t i = 0; i < 1000; i++) assert_in_range(strlen(list.items[i].line_text), 1, SCH_DIAGNOSTIC_LINE);
    assert_in_range(list.arena.used, 1, 1 << 20);
    sch_diagnostics_release(&list);
    free(text);
}

static void diagnostics_survive_a_failing_allocator(void **state)
{
    (void)state;
    for (size_t refuse_after = 0; refuse_after < 4; refuse_after++) {
        struct counting counting = {.refuse_after = refuse_after};
        struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &allocator, 10000);
        sch_diagnostics_source(&list, "source", "text", 4);
        for (int i = 0; i < 2000; i++) sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, 1, 0), "message %d", i);
        assert_int_equal(list.errors, 2000); /* the verdict does not depend on memory */
        for (size_t i = 0; i < list.count; i++) assert_non_null(list.items[i].message);
        sch_diagnostics_release(&list);
        assert_int_equal(counting.frees, counting.allocations);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checked_sums_and_products),
        cmocka_unit_test(arena_is_zeroed_and_aligned),
        cmocka_unit_test(arena_grows_in_few_blocks),
        cmocka_unit_test(arena_takes_large_requests),
        cmocka_unit_test(arena_obeys_its_limit),
        cmocka_unit_test(arena_grows_arrays_in_place),
        cmocka_unit_test(arena_refuses_what_overflows),
        cmocka_unit_test(arena_survives_a_failing_allocator),
        cmocka_unit_test(arena_copies_strings),
        cmocka_unit_test(arena_grows_arrays),
        cmocka_unit_test(arena_array_growth_obeys_the_limit),
        cmocka_unit_test(diagnostics_keep_what_was_said),
        cmocka_unit_test(diagnostics_copy_the_source_name),
        cmocka_unit_test(diagnostics_stop_at_the_limit_and_count_on),
        cmocka_unit_test(diagnostics_without_a_list_do_nothing),
        cmocka_unit_test(diagnostics_without_a_line_have_no_caret_text),
        cmocka_unit_test(diagnostics_blank_control_bytes_and_cut_messages),
        cmocka_unit_test(diagnostics_cut_long_lines_round_the_caret),
        cmocka_unit_test(diagnostics_in_a_line_of_100_megabytes_cost_little),
        cmocka_unit_test(diagnostics_survive_a_failing_allocator),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
