/* Tests of src/base: the account, pairs, growing bytes, the diagnostics list (limits, the cut around the caret, lines
 * of a hundred megabytes), SHA-256, threads; the arena has test_arena.c. Knows nothing of shaders. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting_allocator.h"
#include "base/account.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/log.h"
#include "base/pairs.h"
#include "base/sha256.h"
#include "base/thread.h"
#include "base/utf8.h"

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

/* ---- pairs ---- */

/* Products of any number of milliseconds are of 64 bits: 2^32 ns are 4,294.967296 ms. */
static void moments_after_milliseconds(void **state)
{
    (void)state;
    static const struct {
        uint64_t from;
        uint32_t milliseconds;
        uint64_t moment;
    } cases[] = {{0, 1, 1000000},
                 {5, 4294, 4294000005},
                 {0, 4295, 4295000000},
                 {7, 30000, 30000000007},
                 {1, UINT32_MAX, 4294967295000001}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(sch_clock_after_ms(cases[i].from, cases[i].milliseconds) == cases[i].moment);
    _Static_assert(sizeof(SCH_NS_OF_MS) == sizeof(uint64_t), "products with it are of 64 bits");
}

/* Pairs in several orders: each has the place where it first came, what is not there has none, and half of the slots at
 * least are free. A grid is large enough that a table which searches through much of itself does not end. */
static void pairs_have_places(void **state)
{
    (void)state;
    enum { SIDE = 512 };
    static const struct {
        uint32_t first[3], second[3]; /* begin, count, step */
    } rows[] = {{{0, 1, 1}, {0, 1, 1}},
                {{0, 1, 1}, {0, 4096, 1}},
                {{0, 16, 1}, {0, 8, 1}},
                {{0, SIDE, 1}, {0, SIDE, 1}},
                {{7, 4096, 1}, {3, 1, 1}},
                {{UINT32_MAX - 99, 100, 1}, {UINT32_MAX - 9, 10, 1}},
                {{0, 100, 1 << 16}, {0, 10, 1 << 20}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_arena arena;
        sch_arena_init(&arena, &sch_allocator_libc, 0);
        struct sch_pairs pairs = {.arena = &arena};
        for (unsigned again = 0; again < 2; again++) {
            uint32_t number = 0;
            for (uint32_t a = 0; a < rows[i].first[1]; a++)
                for (uint32_t b = 0; b < rows[i].second[1]; b++, number++) {
                    const uint32_t first = rows[i].first[0] + a * rows[i].first[2],
                                   second = rows[i].second[0] + b * rows[i].second[2];
                    if (sch_pairs_find(&pairs, first, second) != (again ? number : SCH_PAIRS_NONE) ||
                        sch_pairs_add(&pairs, first, second) != number ||
                        sch_pairs_find(&pairs, first, second) != number)
                        fail_msg("row %zu: %u, %u", i, first, second);
                    if (again) continue;
                    uint32_t slots = 16;
                    while (slots < 2 * pairs.count) slots *= 2;
                    if (pairs.slot_count != slots || pairs.items[number].first != first ||
                        pairs.items[number].second != second)
                        fail_msg("row %zu: %u, %u in %u slots", i, first, second, pairs.slot_count);
                }
            assert_int_equal(pairs.count, number);
        }
        assert_true(sch_pairs_find(&pairs, 5, 4) == (i == 2 ? 5 * 8 + 4 : i == 3 ? 5 * SIDE + 4 : SCH_PAIRS_NONE));
        assert_true(sch_pairs_find(&pairs, 12345, 67890) == SCH_PAIRS_NONE);
        sch_arena_release(&arena);
    }
}

/* Wherever memory ends, what was there stays. */
static void pairs_without_memory(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (size_t limit = 1; limit < 40000; limit += 997) {
        struct sch_arena arena;
        sch_arena_init(&arena, &sch_allocator_libc, limit);
        struct sch_pairs pairs = {.arena = &arena};
        assert_true(sch_pairs_find(&pairs, 0, 0) == SCH_PAIRS_NONE);
        uint32_t number = 0;
        while (number < 1000 && sch_pairs_add(&pairs, 1, number) == number) number++;
        refused += number < 1000;
        assert_int_equal(pairs.count, number);
        for (uint32_t n = 0; n < number; n++) assert_true(sch_pairs_find(&pairs, 1, n) == n);
        if (number) assert_true(sch_pairs_find(&pairs, 1, number) == SCH_PAIRS_NONE);
        if (number < 1000) assert_true(sch_pairs_add(&pairs, 1, number) == SCH_PAIRS_NONE);
        sch_arena_release(&arena);
    }
    assert_true(refused > 10);
}

static void account_counts_and_stops(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_allocator inner = counting_allocator(&counting);
    struct sch_account account;
    sch_account_init(&account, &inner, 1000);
    struct sch_allocator allocator = sch_account_allocator(&account);
    assert_int_equal(sch_account_held(&account), 0);
    assert_false(sch_account_refused(&account));

    void *first = allocator.alloc(allocator.user, 100);
    assert_non_null(first);
    assert_int_equal((uintptr_t)first % _Alignof(max_align_t), 0);
    memset(first, 0xff, 100);
    const size_t head = sch_account_held(&account) - 100; /* by which an allocation is known */
    assert_in_range(head, sizeof(size_t), 64);
    assert_int_equal(counting.bytes, 100 + head);
    assert_null(allocator.alloc(allocator.user, 900 - 2 * head + 1));
    assert_int_equal(counting.allocations, 1);
    assert_true(sch_account_refused(&account));
    assert_false(sch_account_refused(&account)); /* since it was last asked */
    void *second = allocator.alloc(allocator.user, 900 - 2 * head);
    assert_non_null(second);
    assert_int_equal(sch_account_held(&account), 1000);
    assert_false(sch_account_refused(&account));
    assert_null(allocator.alloc(allocator.user, 0)); /* even nothing has a head */
    assert_true(sch_account_refused(&account));
    allocator.free(allocator.user, first);
    assert_int_equal(sch_account_held(&account), 1000 - 100 - head);
    allocator.free(allocator.user, second);
    assert_int_equal(sch_account_held(&account), 0);
    assert_int_equal(counting.frees, 2);
    assert_null(allocator.alloc(allocator.user, SIZE_MAX));
    assert_null(allocator.alloc(allocator.user, SIZE_MAX - head));
    assert_int_equal(sch_account_held(&account), 0);
}

/* A system without memory is no full account, and what it refused is not held. */
static void account_of_a_system_without_memory(void **state)
{
    (void)state;
    struct counting counting = {0};
    struct sch_allocator inner = counting_allocator(&counting);
    struct sch_account account;
    sch_account_init(&account, &inner, 1000);
    struct sch_allocator allocator = sch_account_allocator(&account);
    assert_null(allocator.alloc(allocator.user, 10));
    assert_false(sch_account_refused(&account));
    assert_int_equal(sch_account_held(&account), 0);
}

/* ---- SHA-256 ---- */

static void check_digest(const struct sch_sha256 *hash, const char *expected)
{
    struct sch_sha256 copy = *hash;
    uint8_t digest[SCH_SHA256_BYTES];
    char text[2 * SCH_SHA256_BYTES + 1];
    sch_sha256_end(&copy, digest);
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) sprintf(text + 2 * i, "%02x", digest[i]);
    assert_string_equal(text, expected);
}

/* The digests are those of Python's hashlib. Byte i of a message of n bytes is 7 i + n. */
static void digests_are_those_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        const char *digest;
    } rows[] = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {1, "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"},
        {3, "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35"},
        {54, "1ad616be707a2b269ecfe28bdea4a4284a4f78a221287d45b98004231f501c77"},
        {55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72"},
        {56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1"},
        {57, "903284efbf9100e8ba1614ec65eacacad125e03f857cae7acbf8b73b23e0fdfe"},
        {63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e"},
        {64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8"},
        {65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720"},
        {111, "b41ae5233b9ec35d8576a032034d2857b667a618c7038714d727d4dae3aa2525"},
        {119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e"},
        {120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d"},
        {127, "68f6ff710276900c0ffbbc57426f67e00c2e01f0750c7edc25ac06b8ce7a8095"},
        {128, "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707"},
        {129, "4e1556b2e9a50a3cc9478f3254727b01065f9ac5d2c3a8b4cd538ae7240bb87d"},
        {200, "8e3f3819b4f1b1f71c011c6b854c43601f132c3c88b8982b20733d2b1695c593"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t message[256];
        for (size_t k = 0; k < rows[i].bytes; k++) message[k] = (uint8_t)(7 * k + rows[i].bytes);
        for (size_t step = 1; step <= rows[i].bytes + 1; step++) {
            struct sch_sha256 hash;
            sch_sha256_begin(&hash);
            for (size_t at = 0; at < rows[i].bytes; at += step)
                sch_sha256_add(&hash, message + at, rows[i].bytes - at < step ? rows[i].bytes - at : step);
            check_digest(&hash, rows[i].digest);
        }
    }
    struct sch_sha256 hash;
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, "abc", 3);
    check_digest(&hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sch_sha256_begin(&hash);
    sch_sha256_add_u32(&hash, 0x01020304); /* the lowest byte first */
    check_digest(&hash, "ee10da4aefe61a37df1dee937ca3221afa3b2351f9ea34edbbb769573c6785f7");
    sch_sha256_begin(&hash);
    for (unsigned i = 0; i < 1000000; i++) sch_sha256_add(&hash, "a", 1);
    check_digest(&hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* ---- threads ---- */

struct seen {
    pthread_t thread;
    size_t stack;
    bool takes_signals, takes_faults;
    unsigned calls;
};

static void look_around(void *user)
{
    struct seen *seen = user;
    pthread_attr_t attributes;
    sigset_t blocked;
    seen->calls++;
    seen->thread = pthread_self();
    if (pthread_getattr_np(seen->thread, &attributes) == 0) pthread_attr_getstacksize(&attributes, &seen->stack);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    seen->takes_signals = !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGUSR1);
    seen->takes_faults = !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGTRAP);
}

static void calls_run_on_a_thread_of_their_own(void **state)
{
    (void)state;
    sigset_t before, after;
    struct seen seen = {.takes_signals = true};
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_true(sch_thread_call(3 << 20, look_around, &seen));
    assert_int_equal(seen.calls, 1);
    assert_false(pthread_equal(seen.thread, pthread_self()));
    assert_int_equal(seen.stack, 3 << 20);
    assert_false(seen.takes_signals);
    assert_true(seen.takes_faults);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 65; i++) assert_int_equal(sigismember(&after, i), sigismember(&before, i));
    assert_false(sch_thread_call(1, look_around, &seen)); /* no stack for a thread */
    assert_int_equal(seen.calls, 1);
}

/* ---- growing bytes ---- */

static void expect_text(struct sch_bytes *bytes, const char *wanted)
{
    char *text;
    size_t size;
    assert_int_equal(sch_bytes_take_text(bytes, &text, &size), SCH_OK);
    assert_string_equal(text, wanted);
    assert_int_equal(size, strlen(wanted));
    bytes->allocator->free(bytes->allocator->user, text);
    assert_true(!bytes->data && !bytes->size && !bytes->capacity && bytes->status == SCH_OK);
}

static void bytes_hold_what_was_written(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    const struct sch_allocator allocator = counting_allocator(&counting);
    struct sch_bytes bytes = {.allocator = &allocator};
    expect_text(&bytes, "");
    sch_bytes_text(&bytes, "one");
    sch_bytes_char(&bytes, ' ');
    sch_bytes_append(&bytes, "two!", 3);
    sch_bytes_append(&bytes, NULL, 0);
    sch_bytes_format(&bytes, " %s %02x", "three", 4);
    expect_text(&bytes, "one two three 04");
    const struct {
        int64_t value;
        const char *text;
    } numbers[] = {
        {0, "0"}, {9, "9"}, {-10, "-10"}, {INT64_MAX, "9223372036854775807"}, {INT64_MIN, "-9223372036854775808"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sch_bytes_int(&bytes, numbers[i].value);
        expect_text(&bytes, numbers[i].text);
    }
    sch_bytes_uint(&bytes, UINT64_MAX, 1);
    sch_bytes_uint(&bytes, 7, 3);
    sch_bytes_uint(&bytes, 1234, 3);
    sch_bytes_uint(&bytes, 0, 0);
    expect_text(&bytes, "18446744073709551615  712340");
    assert_int_equal(counting.frees, counting.allocations);
}

static void bytes_have_words_low_byte_first(void **state)
{
    (void)state;
    static const uint8_t wanted[] = {0x2a, 0xee, 0xee, 0xee, 0x78, 0x56, 0x34, 0x12, 0xfe, 0xff, 0xff, 0xff};
    struct sch_bytes bytes = {.allocator = &sch_allocator_libc};
    void *data;
    size_t size;
    sch_bytes_pad(&bytes, 0xdd); /* nothing is whole */
    sch_bytes_char(&bytes, 42);
    sch_bytes_pad(&bytes, 0xee);
    sch_bytes_word(&bytes, 0);
    sch_bytes_word(&bytes, 0xfffffffe);
    sch_bytes_pad(&bytes, 0xdd);
    sch_bytes_patch_word(&bytes, 4, 0x12345678);
    assert_int_equal(sch_bytes_take(&bytes, &data, &size), SCH_OK);
    assert_int_equal(size, sizeof wanted);
    assert_memory_equal(data, wanted, sizeof wanted);
    assert_true(sch_word_at((uint8_t *)data + 4) == 0x12345678 && sch_word_at((uint8_t *)data + 8) == 0xfffffffe);
    free(data);
}

/* Pieces of all lengths about the sizes at which memory grows, printed and copied. */
static void bytes_take_pieces_of_any_length(void **state)
{
    (void)state;
    static char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    for (size_t length = 0; length < sizeof long_text; length += length < 600 ? 1 : 37) {
        const char *piece = long_text + sizeof long_text - 1 - length;
        struct counting counting = {.refuse_after = SIZE_MAX};
        const struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_bytes bytes = {.allocator = &allocator};
        sch_bytes_format(&bytes, "<%s>", piece);
        sch_bytes_text(&bytes, piece);
        assert_true(bytes.size == 2 * length + 2 && bytes.status == SCH_OK && bytes.size <= bytes.capacity);
        assert_true(bytes.data[0] == '<' && bytes.data[length + 1] == '>');
        assert_memory_equal(bytes.data + 1, piece, length);
        assert_memory_equal(bytes.data + length + 2, piece, length);
        sch_bytes_release(&bytes);
        assert_int_equal(counting.frees, counting.allocations);
    }
}

static void bytes_grow_by_doubling(void **state)
{
    (void)state;
    struct counting counting = {.refuse_after = SIZE_MAX};
    const struct sch_allocator allocator = counting_allocator(&counting);
    struct sch_bytes bytes = {.allocator = &allocator};
    for (int i = 0; i < 1 << 20; i++) sch_bytes_char(&bytes, (char)i);
    assert_int_equal(counting.allocations, 13); /* 256 to 1 MiB */
    assert_int_equal(counting.sizes[0], 256);
    for (unsigned i = 1; i < 13; i++) assert_int_equal(counting.sizes[i], 2 * counting.sizes[i - 1]);
    for (int i = 0; i < 1 << 20; i++) assert_int_equal(bytes.data[i], (uint8_t)i);
    sch_bytes_release(&bytes);
    assert_int_equal(counting.frees, counting.allocations);
}

/* What came before stays; nothing that comes later is taken, though it would fit. */
static void bytes_end_where_memory_does(void **state)
{
    (void)state;
    for (size_t allocations = 0; allocations < 3; allocations++) {
        struct counting counting = {.refuse_after = allocations};
        const struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_bytes bytes = {.allocator = &allocator};
        const size_t room = allocations ? (size_t)128 << allocations : 0;
        void *data = &bytes;
        size_t size = 1;
        for (size_t i = 0; i < room / 8; i++) sch_bytes_text(&bytes, "twelve!!");
        assert_true(bytes.status == SCH_OK && bytes.size == room);
        if (room) bytes.size -= 2;
        const size_t before = bytes.size;
        sch_bytes_text(&bytes, "xyz");
        assert_int_equal(bytes.status, SCH_ERROR_MEMORY);
        sch_bytes_char(&bytes, 'x');
        sch_bytes_format(&bytes, "%d", 1);
        sch_bytes_word(&bytes, 1);
        sch_bytes_pad(&bytes, 1);
        sch_bytes_patch_word(&bytes, 0, 0);
        sch_bytes_append(&bytes, NULL, 0);
        assert_false(sch_bytes_reserve(&bytes, 0));
        assert_int_equal(bytes.size, before);
        if (room) assert_memory_equal(bytes.data, "twelve!!", 8);
        assert_int_equal(sch_bytes_take(&bytes, &data, &size), SCH_ERROR_MEMORY);
        assert_true(!data && !size && bytes.status == SCH_OK);
        assert_int_equal(counting.frees, counting.allocations);
    }
    struct sch_bytes bytes = {.allocator = &sch_allocator_libc};
    char *text = (char *)&bytes;
    size_t size = 1;
    sch_bytes_char(&bytes, 'x');
    assert_false(sch_bytes_reserve(&bytes, SIZE_MAX)); /* no such sum */
    assert_int_equal(sch_bytes_take_text(&bytes, &text, &size), SCH_ERROR_MEMORY);
    assert_true(!text && !size);
    assert_false(sch_bytes_reserve(&bytes, SIZE_MAX / 2 + 2)); /* nor such a power of two */
    assert_int_equal(bytes.status, SCH_ERROR_MEMORY);
}

static void bytes_end_at_their_limit(void **state)
{
    (void)state;
    for (size_t limit = 1; limit < 1200; limit += limit < 20 ? 1 : 59) {
        struct counting counting = {.refuse_after = SIZE_MAX};
        const struct sch_allocator allocator = counting_allocator(&counting);
        struct sch_bytes bytes = {.allocator = &allocator, .limit = limit};
        for (size_t i = 0; i < limit; i++) sch_bytes_char(&bytes, 'x');
        assert_true(bytes.status == SCH_OK && bytes.size == limit && bytes.capacity <= limit);
        sch_bytes_char(&bytes, 'x');
        assert_true(bytes.status == SCH_ERROR_LIMIT && bytes.size == limit);
        sch_bytes_release(&bytes);
        assert_true(bytes.limit == limit && bytes.status == SCH_OK);
        char *text;
        size_t size;
        for (size_t i = 0; i < limit; i++) sch_bytes_char(&bytes, 'x');
        assert_int_equal(sch_bytes_take_text(&bytes, &text, &size), SCH_ERROR_LIMIT); /* its zero counts */
        assert_null(text);
        assert_int_equal(counting.frees, counting.allocations);
    }
}

/* ---- messages ---- */

static void keep_message(void *user, const struct sch_log_message *message)
{
    assert_true(message->size == sizeof *message && message->level == SCH_LOG_INFO &&
                message->subject == SCH_LOG_CACHE);
    snprintf(user, 2000, "%s", message->text);
}

/* RFC 3629, section 4: UTF8-1 to UTF8-4, and what is none of them. */
static void characters_are_those_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t left, bytes;
        uint32_t code; /* 0xfffd: wrong */
    } cases[] = {{"A", 1, 1, 'A'},
                 {"", 1, 1, 0},
                 {"\x7f", 1, 1, 0x7f},
                 {"\xc2\x80", 2, 2, 0x80},
                 {"\xdf\xbf", 2, 2, 0x7ff},
                 {"\xe0\xa0\x80", 3, 3, 0x800},
                 {"\xed\x9f\xbf", 3, 3, 0xd7ff},
                 {"\xee\x80\x80", 3, 3, 0xe000},
                 {"\xef\xbf\xbf", 3, 3, 0xffff},
                 {"\xf0\x90\x80\x80", 4, 4, 0x10000},
                 {"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
                 {"\x80", 1, 1, 0xfffd},
                 {"\xbf\x80", 2, 1, 0xfffd},
                 {"\xc0\x80", 2, 1, 0xfffd},
                 {"\xc1\xbf", 2, 1, 0xfffd},
                 {"\xe0\x9f\xbf", 3, 1, 0xfffd},
                 {"\xed\xa0\x80", 3, 1, 0xfffd},
                 {"\xf0\x8f\xbf\xbf", 4, 1, 0xfffd},
                 {"\xf4\x90\x80\x80", 4, 1, 0xfffd},
                 {"\xf8\x88\x80\x80\x80", 5, 1, 0xfffd},
                 {"\xff", 1, 1, 0xfffd},
                 {"\xc3"
                  "A",
                  2, 1, 0xfffd},
                 {"\xe6\xb0"
                  "A",
                  3, 1, 0xfffd},
                 {"\xf0\x9f\x98"
                  "A",
                  4, 1, 0xfffd},
                 {"\xc2\x80", 1, 1, 0xfffd},
                 {"\xe6\xb0\xb4", 2, 1, 0xfffd},
                 {"\xf0\x9f\x98\x80", 3, 1, 0xfffd}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = malloc(cases[i].left); /* the sanitizer sees a byte too many */
        assert_non_null(text);
        memcpy(text, cases[i].text, cases[i].left);
        const struct sch_utf8 c = sch_utf8_at(text, cases[i].left);
        assert_int_equal(c.bytes, cases[i].bytes);
        assert_int_equal(c.code, cases[i].code);
        assert_int_equal(c.wrong, cases[i].code == 0xfffd);
        free(text);
    }
}

static void messages_are_cut(void **state)
{
    (void)state;
    static char text[2000], got[2000], wanted[2000];
    const struct sch_log_callback log = {keep_message, got}, none = {NULL, got};
    memset(text, 'x', sizeof text - 1);
    for (size_t length = 1000; length < 1100; length++) {
        snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 1023 ? length : 1023), text);
        sch_log(&log, SCH_LOG_INFO, SCH_LOG_CACHE, "%.*s", (int)length, text);
        assert_string_equal(got, wanted);
    }
    sch_log(&none, SCH_LOG_INFO, SCH_LOG_CACHE, "%s", "nothing");
    assert_string_equal(got, wanted);
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

/* A name that is said again, as each of many calls does, takes no more memory; the text may be another one. */
static void diagnostics_keep_one_copy_of_a_name(void **state)
{
    (void)state;
    char name[] = "a shader with a name that takes room";
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    sch_diagnostics_source(&list, "", NULL, 0);
    sch_diagnostics_source(&list, NULL, NULL, 0);
    assert_int_equal(list.arena.used, 0);
    sch_diagnostics_source(&list, name, NULL, 0);
    const char *const kept = list.source;
    const size_t used = list.arena.used;
    assert_ptr_not_equal(kept, name);
    for (unsigned i = 0; i < 10000; i++) sch_diagnostics_source(&list, name, i % 2 ? "text" : NULL, i % 2 ? 4 : 9);
    assert_ptr_equal(list.source, kept);
    assert_int_equal(list.arena.used, used);
    assert_string_equal(list.text, "text");
    assert_int_equal(list.text_bytes, 4);
    sch_diagnostics_source(&list, name, NULL, 9);
    assert_int_equal(list.text_bytes, 0);
    name[0]++;
    sch_diagnostics_source(&list, name, NULL, 0);
    assert_string_equal(list.source, name);
    assert_ptr_not_equal(list.source, kept);
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

/* Of a long line a cut keeps the most that it may, half of it before the reported byte; a shorter one it keeps
 * whole. */
static void diagnostics_keep_as_much_of_a_line_as_they_may(void **state)
{
    (void)state;
    enum { HALF = SCH_DIAGNOSTIC_LINE / 2 };
    static const struct {
        size_t before, after; /* bytes of the line around the reported one */
        size_t length, caret;
    } rows[] = {{0, 0, 1, 0},
                {HALF - 1, HALF, 2 * HALF, HALF - 1},
                {HALF, HALF - 1, 2 * HALF, HALF},
                {HALF, HALF, 2 * HALF, HALF},
                {HALF + 1, 0, HALF + 1, HALF},
                {HALF + 1, HALF + 1, 2 * HALF, HALF},
                {0, 2 * HALF, 2 * HALF, 0},
                {0, 2 * HALF - 1, 2 * HALF, 0},
                {1, 2 * HALF - 3, 2 * HALF - 1, 1},
                {500, 500, 2 * HALF, HALF}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1100];
        size_t bytes = (size_t)sprintf(text, "first\n");
        memset(text + bytes, '-', rows[i].before);
        bytes += rows[i].before;
        const size_t here = bytes;
        text[bytes++] = '!';
        memset(text + bytes, '+', rows[i].after);
        bytes += rows[i].after;
        bytes += (size_t)sprintf(text + bytes, "\nlast");
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 1);
        sch_diagnostics_source(&list, "x", text, bytes);
        sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(2, (uint32_t)rows[i].before + 1, here), "here");
        assert_int_equal(strlen(list.items[0].line_text), rows[i].length);
        assert_int_equal(list.items[0].caret, rows[i].caret);
        assert_int_equal(list.items[0].line_text[rows[i].caret], '!');
        assert_null(strpbrk(list.items[0].line_text, "\nfirstlast"));
        sch_diagnostics_release(&list);
    }
}

/* What a list takes of warnings is the caller's to say; errors it takes always. */
static void diagnostics_filter_warnings(void **state)
{
    (void)state;
    static const unsigned ignored[] = {1500, 1502};
    static const struct sch_warning_options filters[] = {{0},
                                                         {.pedantic = true},
                                                         {.counted_only = true},
                                                         {.ignored = ignored, .ignored_count = 2},
                                                         {.ignored = ignored, .ignored_count = 1},
                                                         {.pedantic = true, .ignored = ignored, .ignored_count = 2}};
    /* One error, warnings 1500, 1501 and 1502, pedantic reports 1502 and 1503. */
    static const size_t warnings[] = {3, 5, 3, 1, 2, 2}, kept[] = {4, 6, 1, 2, 3, 3};
    for (size_t i = 0; i <= sizeof filters / sizeof *filters; i++) {
        const bool none = i == sizeof filters / sizeof *filters;
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 0);
        list.filter = none ? NULL : &filters[i];
        sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1500, at(1, 1, 0), "an error of that number");
        for (unsigned code = 1500; code <= 1502; code++)
            sch_diagnostics_add(&list, SCH_SEVERITY_WARNING, code, at(1, 1, 0), "a warning");
        for (unsigned code = 1502; code <= 1503; code++)
            sch_diagnostics_add(&list, SCH_SEVERITY_PEDANTIC, code, at(1, 1, 0), "a pedantic one");
        assert_int_equal(list.errors, 1);
        assert_int_equal(list.warnings, none ? 3 : warnings[i]);
        assert_int_equal(list.count, none ? 4 : kept[i]);
        assert_int_equal(list.items[0].severity, SCH_SEVERITY_ERROR);
        sch_diagnostics_release(&list);
    }
}

static void diagnostics_blank_no_printable_byte(void **state)
{
    (void)state;
    struct sch_diagnostics list;
    char text[255], expected[256];
    for (unsigned i = 1; i < 256; i++) {
        text[i - 1] = (char)i;
        expected[i - 1] = (char)(i < 0x20 || i == 0x7f ? ' ' : i);
    }
    expected[255] = 0;
    sch_diagnostics_init(&list, &sch_allocator_libc, 0);
    for (size_t from = 10; from < 250; from += 80) {
        const size_t length = from + 80 > 255 ? 255 - from : 80;
        sch_diagnostics_source(&list, "x", text + from, length);
        sch_diagnostics_add(&list, SCH_SEVERITY_ERROR, 1, at(1, 1, 0), "here");
        assert_memory_equal(list.items[list.count - 1].line_text, expected + from, length);
    }
    sch_diagnostics_release(&list);
    assert_int_equal(list.count, 0);
    assert_string_equal(list.source, "");
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
        cmocka_unit_test(moments_after_milliseconds),
        cmocka_unit_test(pairs_have_places),
        cmocka_unit_test(pairs_without_memory),
        cmocka_unit_test(account_counts_and_stops),
        cmocka_unit_test(account_of_a_system_without_memory),
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(calls_run_on_a_thread_of_their_own),
        cmocka_unit_test(bytes_hold_what_was_written),
        cmocka_unit_test(bytes_have_words_low_byte_first),
        cmocka_unit_test(bytes_take_pieces_of_any_length),
        cmocka_unit_test(bytes_grow_by_doubling),
        cmocka_unit_test(bytes_end_where_memory_does),
        cmocka_unit_test(bytes_end_at_their_limit),
        cmocka_unit_test(characters_are_those_of_the_standard),
        cmocka_unit_test(messages_are_cut),
        cmocka_unit_test(diagnostics_keep_what_was_said),
        cmocka_unit_test(diagnostics_copy_the_source_name),
        cmocka_unit_test(diagnostics_keep_one_copy_of_a_name),
        cmocka_unit_test(diagnostics_stop_at_the_limit_and_count_on),
        cmocka_unit_test(diagnostics_without_a_list_do_nothing),
        cmocka_unit_test(diagnostics_without_a_line_have_no_caret_text),
        cmocka_unit_test(diagnostics_blank_control_bytes_and_cut_messages),
        cmocka_unit_test(diagnostics_cut_long_lines_round_the_caret),
        cmocka_unit_test(diagnostics_keep_as_much_of_a_line_as_they_may),
        cmocka_unit_test(diagnostics_filter_warnings),
        cmocka_unit_test(diagnostics_blank_no_printable_byte),
        cmocka_unit_test(diagnostics_in_a_line_of_100_megabytes_cost_little),
        cmocka_unit_test(diagnostics_survive_a_failing_allocator),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
