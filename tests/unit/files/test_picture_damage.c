/* Readers of pictures with damaged and hostile files, ceilings and failing memory. What right files mean:
 * test_picture_files.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <scheelite/files.h>

#include "../support/random_number.h"
#include "picture_samples.h"

static uint64_t seed = 3;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

/* ---- an allocator that counts, and fails on demand ---------------------------------------------- */

struct ledger {
    size_t live, now, peak;
    long left; /* allocations until one fails; negative: never */
};

static void *ledger_alloc(void *user, size_t bytes)
{
    struct ledger *ledger = user;
    if (ledger->left == 0) return NULL;
    if (ledger->left > 0) ledger->left--;
    size_t *memory = malloc(bytes + 16);
    if (!memory) return NULL;
    *memory = bytes;
    ledger->live++;
    ledger->now += bytes;
    if (ledger->now > ledger->peak) ledger->peak = ledger->now;
    return (char *)memory + 16;
}

static void ledger_free(void *user, void *memory)
{
    struct ledger *ledger = user;
    assert_non_null(memory);
    size_t *block = (size_t *)(void *)((char *)memory - 16);
    ledger->live--;
    ledger->now -= *block;
    free(block);
}

/* ---- the files ------------------------------------------------------------------------------------- */

static struct picture_bytes written(enum sch_file_kind kind, enum sch_format format, size_t texel)
{
    uint8_t texels[16 * 12 * 16];
    struct picture_bytes bytes = {.count = 0};
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = i % texel == texel - 1 ? 0x3e : (uint8_t)(i / 7);
    const struct sch_file_texture texture = {.size = sizeof texture,
                                             .target = SCH_TARGET_2D,
                                             .format = format,
                                             .width = 16,
                                             .height = 12,
                                             .depth = 1,
                                             .layers = 1,
                                             .levels = 1,
                                             .texels = texels,
                                             .bytes = sizeof texels};
    struct sch_file_bytes file;
    if (sch_file_texture_write(NULL, kind, &texture, &file, NULL) != SCH_OK) return bytes;
    assert_true(file.bytes < sizeof bytes.data);
    memcpy(bytes.data, file.data, file.bytes);
    bytes.count = file.bytes;
    sch_file_bytes_release(&file);
    return bytes;
}

static struct picture_bytes text_of(const char *text, size_t count)
{
    struct picture_bytes bytes = {.count = count};
    memcpy(bytes.data, text, count);
    return bytes;
}

#define TEXT(text) text_of(text, sizeof text - 1)

/* Empty where the library of a kind is missing. `strict`: each byte is needed. */
enum { SAMPLES = 14 };
static struct picture_bytes sample(unsigned which, bool *strict)
{
    *strict = true;
    switch (which) {
    case 0:
        return written(SCH_FILE_KIND_PNG, SCH_FORMAT_R8G8B8A8_UNORM, 4);
    case 1:
        return written(SCH_FILE_KIND_PNG, SCH_FORMAT_L16A16_UNORM, 4);
    case 2:
        return written(SCH_FILE_KIND_PNM, SCH_FORMAT_R8G8B8_UNORM, 3);
    case 3:
        return written(SCH_FILE_KIND_PNM, SCH_FORMAT_L16A16_UNORM, 4);
    case 4:
        return written(SCH_FILE_KIND_PFM, SCH_FORMAT_R32G32B32_FLOAT, 12);
    case 5:
        return written(SCH_FILE_KIND_HDR, SCH_FORMAT_R32G32B32_FLOAT, 12);
    case 6:
        return written(SCH_FILE_KIND_EXR, SCH_FORMAT_R16G16B16A16_FLOAT, 8);
    case 7:
        return written(SCH_FILE_KIND_EXR, SCH_FORMAT_Z32_FLOAT, 4);
    case 8:
        return picture_exr("ABGR", PICTURE_HALF, 1, 0);
    case 9:
        return TEXT("#?RADIANCE\n\n-X 2 +Y 5\n\1\2\3\x80\1\1\1\4\1\2\3\x80\2\2\3\x81\1\1\1\3");
    case 10:
        *strict = false;
        return TEXT("P2 # c\n3 2\n100 1 22 33 44 55 66\n");
    case 11:
        *strict = false;
        return TEXT("P1 3 2 101010");
    case 12:
        *strict = false; /* what follows the last block may be missing */
        return picture_jpeg(0);
    default:
        *strict = false;
        return picture_jpeg(1);
    }
}

/* Reads with counted memory and small ceilings; whatever the answer, nothing is lost and nothing is left. */
static enum sch_result read_counted(const void *data, size_t count, struct ledger *ledger)
{
    struct sch_allocator memory = {ledger_alloc, ledger_free, ledger};
    struct sch_file_options limits = {
        .size = sizeof limits, .memory = &memory, .max_width = 4096, .max_height = 4096, .max_bytes = 1 << 20};
    struct sch_file_read_options options = {.size = sizeof options, .limits = &limits};
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_error error = {.size = sizeof error};
    enum sch_result result = sch_file_texture_read(&options, data, count, &texture, &error);
    if (result == SCH_OK) {
        uint32_t sum = 0;
        for (size_t i = 0; i < texture.bytes; i++) sum += texture.texels[i];
        assert_true(sum <= UINT32_MAX && texture.bytes <= 1 << 20);
    } else {
        assert_null(texture.texels);
        assert_int_equal(texture.width, 0);
        assert_true(result == SCH_ERROR_MEMORY || (error.code >= 6100 && error.code < 6200 && error.message[0]));
    }
    sch_file_texture_release(&texture);
    assert_int_equal(ledger->live, 0);
    assert_true(ledger->peak < 3 << 20);
    return result;
}

/* Whether the build has the library for it. */
static bool is_readable(const void *data, size_t count)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    assert_int_equal(sch_file_kind_get_info(sch_file_kind_of(data, count), &info), SCH_OK);
    return !info.needs;
}

static void refuses_what_is_cut_off(void **state)
{
    (void)state;
    for (unsigned which = 0; which < SAMPLES; which++) {
        bool strict;
        const struct picture_bytes file = sample(which, &strict);
        for (size_t count = 0; count <= file.count && file.count; count++) {
            uint8_t *exact = malloc(count ? count : 1); /* so that reading on is noticed */
            assert_non_null(exact);
            memcpy(exact, file.data, count);
            struct ledger ledger = {.left = -1};
            const enum sch_result result = read_counted(exact, count, &ledger);
            if (count == file.count)
                assert_int_equal(result, is_readable(exact, count) ? SCH_OK : SCH_ERROR_UNSUPPORTED);
            else if (strict || result != SCH_OK)
                assert_true(result == SCH_ERROR_INVALID || result == SCH_ERROR_UNSUPPORTED);
            free(exact);
        }
    }
}

/* Random bytes at random places; standard error stays silent. */
static void survives_altered_files(void **state)
{
    (void)state;
    FILE *quiet = tmpfile();
    assert_non_null(quiet);
    fflush(stderr);
    const int saved = dup(STDERR_FILENO);
    dup2(fileno(quiet), STDERR_FILENO);
    unsigned answers[SCH_ERROR_INTERNAL + 1] = {0};
    for (unsigned which = 0; which < SAMPLES; which++) {
        bool strict;
        const struct picture_bytes file = sample(which, &strict);
        for (unsigned i = 0; i < 4000 && file.count; i++) {
            static struct picture_bytes copy;
            copy = file;
            const size_t reach = i % 2 || copy.count < 64 ? copy.count : 64; /* headers have more to break */
            for (unsigned n = 1 + next() % 3; n; n--) copy.data[next() % reach] = (uint8_t)(next() % 3 ? next() : 0xff);
            struct ledger ledger = {.left = -1};
            answers[read_counted(copy.data, copy.count, &ledger)]++;
        }
    }
    fflush(stderr);
    const long printed = lseek(STDERR_FILENO, 0, SEEK_END);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fclose(quiet);
    assert_int_equal(printed, 0);
    assert_true(answers[SCH_ERROR_INVALID] > 1000);
    assert_true(answers[SCH_OK] > 100);
    assert_int_equal(answers[SCH_ERROR_ARGUMENT] + answers[SCH_ERROR_MEMORY] + answers[SCH_ERROR_INTERNAL], 0);
}

/* A few bytes that promise much: the sizes are checked before memory is taken. */
static void checks_sizes_before_memory(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count;
        enum sch_result result;
    } cases[] = {
#define CASE(text, result) {text, sizeof text - 1, result}
        CASE("P5 5000 1 255\n", SCH_ERROR_LIMIT),
        CASE("P6 1 4294967295 255\n", SCH_ERROR_LIMIT),
        CASE("P5 4294967296 1 255\n", SCH_ERROR_INVALID),
        CASE("P6 1000 1000 255\n123", SCH_ERROR_LIMIT), /* 4 MB of RGBA */
        CASE("P6 400 400 255\n123", SCH_ERROR_INVALID),
        CASE("P3 400 400 255\n123", SCH_ERROR_INVALID),
        CASE("P5 0 4 255\n1234", SCH_ERROR_INVALID),
        CASE("P5 4 0 255\n1234", SCH_ERROR_INVALID),
        CASE("P5 2 2 0\n1234", SCH_ERROR_INVALID),
        CASE("P5 2 2 65536\n12345678", SCH_ERROR_INVALID),
        CASE("P5 2 2 99\n1234\xff", SCH_OK),
        CASE("P5 2 2 99\n123\xff", SCH_ERROR_INVALID), /* a sample above the largest one */
        CASE("P2 1 1 99 100", SCH_ERROR_INVALID),
        CASE("P2 1 1 99 -1", SCH_ERROR_INVALID),
        CASE("P5 2 2 255x1234", SCH_ERROR_INVALID),
        CASE("P1 2 2 0120", SCH_ERROR_INVALID),
        CASE("P8 2 2 255\n1234", SCH_ERROR_INVALID),
        CASE("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\n12345", SCH_ERROR_UNSUPPORTED),
        CASE("P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\n12345", SCH_ERROR_INVALID),
        CASE("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\n1", SCH_ERROR_INVALID),
        CASE("PF 400 200 -1\n123", SCH_ERROR_INVALID),
        CASE("PF 1000 1000 -1\n123", SCH_ERROR_LIMIT),
        CASE("Pf 1 1 0\n1234", SCH_ERROR_INVALID),
        CASE("Pf 1 1 x\n1234", SCH_ERROR_INVALID),
        CASE("Pf 1 1 -\n1234", SCH_ERROR_INVALID),
        CASE("#?RADIANCE\n\n-Y 200 +X 400\n123", SCH_ERROR_INVALID),
        CASE("#?RADIANCE\n\n-Y 2000 +X 4000\n123", SCH_ERROR_LIMIT),
        CASE("#?RADIANCE\n\n-Y 1 +Y 1\n1234", SCH_ERROR_INVALID),
        CASE("#?RADIANCE\n\n-Y 1 +X 1\n\1\1\1\1", SCH_ERROR_INVALID),         /* a repeat of nothing */
        CASE("#?RADIANCE\n\n-Y 1 +X 2\n\2\1\1\1\1\1\1\2", SCH_ERROR_INVALID), /* of more than a scanline */
        CASE("#?RADIANCE\n\n-Y 1 +X 8\n\2\2\0\7\x87\1\x87\1\x87\1\x87\1", SCH_ERROR_INVALID),  /* another length */
        CASE("#?RADIANCE\n\n-Y 1 +X 8\n\2\2\0\x8\x89\1\x88\1\x88\1\x88\1", SCH_ERROR_INVALID), /* a run too long */
        CASE("#?RADIANCE\n\n-Y 1 +X 8\n\2\2\0\x8\0\1\x88\1\x88\1\x88\1", SCH_ERROR_INVALID),   /* of no length */
        CASE("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n1234", SCH_ERROR_UNSUPPORTED),
        CASE("#?RADIANCE\n-Y 1 +X 1\n1234", SCH_ERROR_INVALID),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ledger ledger = {.left = -1};
        const enum sch_result result = read_counted(cases[i].text, cases[i].count, &ledger);
        if (result != cases[i].result) fail_msg("%s: %d", cases[i].text, (int)result);
        if (result == SCH_ERROR_LIMIT) assert_int_equal(ledger.peak, 0);
        assert_true(ledger.peak < 4096);
    }
}

/* A size in the header of a PNG, a JPEG and an OpenEXR file, whose data is that of a small one. */
static void checks_sizes_of_libraries(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        enum sch_result result;
    } cases[] = {{4097, 1, SCH_ERROR_LIMIT}, {1, 4097, SCH_ERROR_LIMIT}, {1024, 1024, SCH_ERROR_LIMIT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool strict;
        struct picture_bytes file = sample(0, &strict);
        struct ledger ledger = {.left = -1};
        picture_put_32(file.data + 16, cases[i].width);
        picture_put_32(file.data + 20, cases[i].height);
        picture_put_32(file.data + 29, picture_crc(file.data + 12, 17));
        assert_int_equal(read_counted(file.data, file.count, &ledger), cases[i].result);
        assert_true(ledger.peak < 1 << 16);

        file = sample(13, &strict);
        if (file.count) {
            uint8_t *frame = memchr(file.data + 70, 0xc0, 10);
            assert_non_null(frame);
            frame[4] = (uint8_t)(cases[i].height >> 8);
            frame[5] = (uint8_t)cases[i].height;
            frame[6] = (uint8_t)(cases[i].width >> 8);
            frame[7] = (uint8_t)cases[i].width;
            const enum sch_result result = read_counted(file.data, file.count, &ledger);
            assert_true(result == cases[i].result || result == SCH_ERROR_UNSUPPORTED);
        }

        file = sample(8, &strict);
        uint8_t *window = memmem(file.data, file.count, "dataWindow", 10);
        assert_non_null(window);
        window += 11 + 6 + 4;
        const uint32_t right = cases[i].width - 4, down = cases[i].height + 4; /* from -3 and 5 on */
        for (unsigned b = 0; b < 4; b++) {
            window[8 + b] = (uint8_t)(right >> 8 * b);
            window[12 + b] = (uint8_t)(down >> 8 * b);
        }
        const enum sch_result result = read_counted(file.data, file.count, &ledger);
        assert_true(result == cases[i].result || result == SCH_ERROR_UNSUPPORTED);
    }
}

static void survives_failing_memory(void **state)
{
    (void)state;
    for (unsigned which = 0; which < SAMPLES; which++) {
        bool strict;
        const struct picture_bytes file = sample(which, &strict);
        long needed = 0;
        for (enum sch_result result = SCH_ERROR_MEMORY; result == SCH_ERROR_MEMORY && file.count; needed++) {
            struct ledger ledger = {.left = needed};
            result = read_counted(file.data, file.count, &ledger);
            assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY || result == SCH_ERROR_UNSUPPORTED);
            assert_true(needed < 100);
        }
        if (file.count && sch_file_kind_of(file.data, file.count) != SCH_FILE_KIND_JPEG &&
            sch_file_kind_of(file.data, file.count) != SCH_FILE_KIND_EXR)
            assert_true(needed > 1);
    }
}

static void writers_survive_failing_memory(void **state)
{
    (void)state;
    static const struct {
        enum sch_file_kind kind;
        enum sch_format format;
        size_t texel;
    } cases[] = {{SCH_FILE_KIND_PNG, SCH_FORMAT_R8G8B8A8_UNORM, 4},
                 {SCH_FILE_KIND_PNM, SCH_FORMAT_R8G8B8A8_UNORM, 4},
                 {SCH_FILE_KIND_PFM, SCH_FORMAT_R32G32B32_FLOAT, 12},
                 {SCH_FILE_KIND_HDR, SCH_FORMAT_R32G32B32_FLOAT, 12},
                 {SCH_FILE_KIND_EXR, SCH_FORMAT_R32G32B32_FLOAT, 12}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint8_t *texels = calloc(300 * 300, cases[c].texel);
        assert_non_null(texels);
        for (size_t i = 0; i < 300 * 300 * cases[c].texel; i++) texels[i] = (uint8_t)(next() & 0x3f);
        const struct sch_file_texture texture = {.size = sizeof texture,
                                                 .target = SCH_TARGET_2D,
                                                 .format = cases[c].format,
                                                 .width = 300,
                                                 .height = 300,
                                                 .depth = 1,
                                                 .layers = 1,
                                                 .levels = 1,
                                                 .texels = texels,
                                                 .bytes = 300 * 300 * cases[c].texel};
        struct sch_file_kind_info info = {.size = sizeof info};
        assert_int_equal(sch_file_kind_get_info(cases[c].kind, &info), SCH_OK);
        long needed = 0;
        for (enum sch_result result = SCH_ERROR_MEMORY; result != SCH_OK && info.writes; needed++) {
            struct ledger ledger = {.left = needed};
            struct sch_allocator memory = {ledger_alloc, ledger_free, &ledger};
            struct sch_file_options limits = {.size = sizeof limits, .memory = &memory};
            struct sch_file_write_options options = {.size = sizeof options, .limits = &limits, .threads = 2};
            struct sch_file_bytes bytes;
            result = sch_file_texture_write(&options, cases[c].kind, &texture, &bytes, NULL);
            assert_true(result == SCH_OK || (result == SCH_ERROR_MEMORY && !bytes.data));
            sch_file_bytes_release(&bytes);
            assert_int_equal(ledger.live, 0);
            assert_true(needed < 100);
        }
        if (info.writes) assert_true(needed > 1);
        free(texels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_cut_off),    cmocka_unit_test(survives_altered_files),
        cmocka_unit_test(checks_sizes_before_memory), cmocka_unit_test(checks_sizes_of_libraries),
        cmocka_unit_test(survives_failing_memory),    cmocka_unit_test(writers_survive_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
