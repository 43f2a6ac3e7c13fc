/* Cubins: what is read of them, each field wrong, limits, files that are cut and changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../fuzz/program_roundtrip.h"
#include "../support/sanitizer.h"
#include "isa/errors.h"
#include "maxwell/text/code.h"
#include "maxwell_reading.h"

struct bytes {
    unsigned char at[2048];
    size_t count;
};

static void put(struct bytes *bytes, uint64_t number, unsigned count)
{
    assert_true(bytes->count + count <= sizeof bytes->at);
    for (unsigned i = 0; i < count; i++) bytes->at[bytes->count++] = (unsigned char)(i < 8 ? number >> 8 * i : 0);
}

static void put_section(struct bytes *bytes, uint64_t name, uint64_t type, uint64_t flags, uint64_t offset,
                        uint64_t size, uint64_t info)
{
    put(bytes, name, 4);
    put(bytes, type, 4);
    put(bytes, flags, 8);
    put(bytes, 0, 8);
    put(bytes, offset, 8);
    put(bytes, size, 8);
    put(bytes, 0, 4);
    put(bytes, info, 4);
    put(bytes, 32, 8);
    put(bytes, 0, 8);
}

/* Two kernels of one and two bundles, and a section of data between them. */
static void make_cubin(struct bytes *bytes, unsigned arch)
{
    static const char names[] = "\0.shstrtab\0.text.one\0.nv.info\0.text.two";
    enum { HEADER = 64, NAMES = 64, CODE = 128, TABLE = CODE + 96 };
    *bytes = (struct bytes){.count = 0};
    put(bytes, 0x010102464c457f, 7);
    put(bytes, 0x33 | 7 << 8, 9);
    put(bytes, 2, 2);
    put(bytes, 190, 2);
    put(bytes, 0x76, 4);
    put(bytes, 0, 8);
    put(bytes, 0, 8);
    put(bytes, TABLE, 8);
    put(bytes, 0x320500 | arch, 4);
    put(bytes, HEADER, 2);
    put(bytes, 56, 2);
    put(bytes, 0, 2);
    put(bytes, 64, 2);
    put(bytes, 5, 2);
    put(bytes, 1, 2);
    assert_int_equal(bytes->count, HEADER);
    for (size_t i = 0; i < sizeof names; i++) put(bytes, (unsigned char)names[i], 1);
    put(bytes, 0, 8);
    while (bytes->count < CODE) put(bytes, 0, 1);
    for (unsigned i = 0; i < 3; i++) {
        put(bytes, slots(0x407e0, 0x7e0, 0x7f1), 8);
        put(bytes, TXQ_IS, 8);
        put(bytes, i, 8);
        put(bytes, TLDS_IS, 8);
    }
    assert_int_equal(bytes->count, TABLE);
    put_section(bytes, 0, 0, 0, 0, 0, 0);
    put_section(bytes, 1, 3, 0, NAMES, sizeof names, 0);
    put_section(bytes, 11, 1, 6, CODE, 32, 0x0c000001);
    put_section(bytes, 21, 0x70000000, 0, CODE, 0, 0);
    put_section(bytes, 30, 1, 6, CODE + 32, 64, 0xfe000002);
}

/* The limit is each section's; a section that no line of the file says is code has none. */
static void cubins_within_limits(void **state)
{
    (void)state;
    enum { TABLE = 224, ONE = TABLE + 2 * 64, TWO = TABLE + 4 * 64 };
    struct bytes cubin;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    make_cubin(&cubin, 50);
    limits.instructions = 6; /* of 3 and 6 */
    struct reading reading = read_within(CUBIN, cubin.at, cubin.count, &limits);
    assert_int_equal(reading.status, SCH_OK);
    assert_int_equal(reading.code->instructions, 9);
    sch_maxwell_code_destroy(reading.code);
    limits.instructions = 5;
    reading = read_within(CUBIN, cubin.at, cubin.count, &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    assert_int_equal(reading.number, SCH_D_MAXWELL_RAW_LIMIT);
    assert_int_equal(reading.offset, TWO);
    for (uint32_t sections = 1; sections <= 3; sections++) { /* there are two */
        limits = SCH_LIMITS_DEFAULT;
        limits.declarations = sections;
        reading = read_within(CUBIN, cubin.at, cubin.count, &limits);
        assert_int_equal(reading.status, sections < 2 ? SCH_ERROR_LIMIT : SCH_OK);
        assert_int_equal(reading.offset, sections < 2 ? TWO : 0);
        sch_maxwell_code_destroy(reading.code);
    }
}

/* Sections of data alone: a program without code, whose text and words are empty. */
static void cubins_of_data_alone(void **state)
{
    (void)state;
    enum { TABLE = 224, ONE = TABLE + 2 * 64, TWO = TABLE + 4 * 64 };
    struct bytes cubin;
    make_cubin(&cubin, 52);
    cubin.at[ONE + 8] = cubin.at[TWO + 8] = 2; /* not executable */
    struct reading reading = read_as(CUBIN, cubin.at, cubin.count);
    assert_int_equal(reading.status, SCH_OK);
    assert_int_equal(reading.code->section_count, 0);
    assert_int_equal(reading.code->arch, SCH_MAXWELL_SM_52);
    assert_int_equal(sch_maxwell_code_words(reading.code), 0);
    sch_maxwell_code_destroy(reading.code);
    bool accepted;
    assert_null(sch_roundtrip_program(PROGRAM_CUBIN, cubin.at, cubin.count, &accepted));
    assert_true(accepted);
}

static void cubins_are_read(void **state)
{
    (void)state;
    struct bytes cubin;
    static const struct {
        unsigned number;
        enum sch_maxwell_arch arch;
    } arches[] = {{50, SCH_MAXWELL_SM_50},
                  {52, SCH_MAXWELL_SM_52},
                  {53, SCH_MAXWELL_SM_53},
                  {60, SCH_MAXWELL_SM_60},
                  {61, SCH_MAXWELL_SM_61}};
    for (size_t i = 0; i < 3; i++) {
        make_cubin(&cubin, arches[i].number);
        struct reading reading = read_as(CUBIN, cubin.at, cubin.count);
        assert_non_null(reading.code);
        const struct sch_maxwell_code *code = reading.code;
        assert_int_equal(code->arch, arches[i].arch);
        assert_int_equal(code->section_count, 2);
        assert_string_equal(code->sections[0].name, "one");
        assert_string_equal(code->sections[1].name, "two");
        assert_int_equal(code->sections[0].count, 3);
        assert_int_equal(code->sections[1].count, 6);
        assert_int_equal(code->sections[0].registers, 12);
        assert_int_equal(code->sections[1].registers, 254);
        assert_int_equal(code->textures, 6);
        assert_true(code->sections[1].items[4].word == 2);
        assert_int_equal(code->sections[1].items[4].address, 48);
        assert_int_equal(code->sections[0].items[0].instruction.phase, 2);
        sch_maxwell_code_destroy(reading.code);
    }
    make_cubin(&cubin, 70);
    struct reading reading = read_as(CUBIN, cubin.at, cubin.count);
    assert_int_equal(reading.status, SCH_ERROR_UNSUPPORTED);
    assert_int_equal(reading.number, SCH_D_CUBIN_ARCH);
}

/* A field of the file changed; what the reader says. */
static void cubin_with(size_t at, uint64_t value, unsigned bytes, unsigned number, uint64_t place)
{
    struct bytes cubin;
    make_cubin(&cubin, 50);
    for (unsigned i = 0; i < bytes; i++) cubin.at[at + i] = (unsigned char)(value >> 8 * i);
    struct reading reading = read_as(CUBIN, cubin.at, cubin.count);
    if (reading.number != number || reading.offset != place)
        fail_msg("byte %zu: %u at %u, not %u", at, reading.number, (unsigned)reading.offset, number);
    assert_true((reading.code != NULL) == (number == 0));
    sch_maxwell_code_destroy(reading.code);
}

static void wrong_fields_of_cubins_are_named(void **state)
{
    (void)state;
    enum { TABLE = 224, ONE = TABLE + 2 * 64, TWO = TABLE + 4 * 64 };
    cubin_with(0, 0x7e, 1, SCH_D_CUBIN_HEADER, 0);
    cubin_with(4, 1, 1, SCH_D_CUBIN_HEADER, 0);       /* 32 bits */
    cubin_with(5, 2, 1, SCH_D_CUBIN_HEADER, 0);       /* high byte first */
    cubin_with(6, 2, 1, SCH_D_CUBIN_HEADER, 0);       /* another version */
    cubin_with(18, 62, 2, SCH_D_CUBIN_HEADER, 18);    /* another machine */
    cubin_with(18, 0x1be, 2, SCH_D_CUBIN_HEADER, 18); /* the lower byte is CUDA's */
    cubin_with(52, 63, 2, SCH_D_CUBIN_HEADER, 52);
    cubin_with(52, 0x140, 2, SCH_D_CUBIN_HEADER, 52);
    cubin_with(58, 63, 2, SCH_D_CUBIN_HEADER, 52);
    cubin_with(58, 0x140, 2, SCH_D_CUBIN_HEADER, 52);
    cubin_with(48, 70, 1, SCH_D_CUBIN_ARCH, 48);
    cubin_with(40, 0, 8, SCH_D_CUBIN_NO_TEXT, 40);
    cubin_with(40, UINT64_MAX, 8, SCH_D_CUBIN_SECTION_TABLE, 40);
    cubin_with(40, UINT64_MAX - 63, 8, SCH_D_CUBIN_SECTION_TABLE, 40);
    cubin_with(40, (uint64_t)1 << 63 | TABLE, 8, SCH_D_CUBIN_SECTION_TABLE, 40);
    cubin_with(40, TABLE + 5 * 64 - 63, 8, SCH_D_CUBIN_SECTION_TABLE, 40);
    cubin_with(60, 6, 2, SCH_D_CUBIN_SECTION_TABLE, 60);
    cubin_with(60, 0xffff, 2, SCH_D_CUBIN_SECTION_TABLE, 60);
    cubin_with(60, 0x105, 2, SCH_D_CUBIN_SECTION_TABLE, 60);
    cubin_with(62, 5, 2, SCH_D_CUBIN_SECTION_TABLE, 62);
    cubin_with(62, 0x101, 2, SCH_D_CUBIN_SECTION_TABLE, 62);
    cubin_with(62, 0xffff, 2, SCH_D_CUBIN_SECTION_NAME, ONE); /* SHN_XINDEX: section 0 says 0, which has no bytes */
    cubin_with(TABLE + 64 + 24, UINT64_MAX, 8, SCH_D_CUBIN_SECTION_DATA, TABLE + 64);
    cubin_with(TABLE + 64 + 32, UINT64_MAX, 8, SCH_D_CUBIN_SECTION_DATA, TABLE + 64);
    cubin_with(ONE, 41, 4, SCH_D_CUBIN_SECTION_NAME, ONE);
    cubin_with(ONE, 0x1000b, 4, SCH_D_CUBIN_SECTION_NAME, ONE);
    cubin_with(ONE, UINT32_MAX, 4, SCH_D_CUBIN_SECTION_NAME, ONE);
    cubin_with(TABLE + 64 + 32, 38, 8, SCH_D_CUBIN_SECTION_NAME, TWO); /* cut before the last zero byte */
    cubin_with(ONE + 24, UINT64_MAX, 8, SCH_D_CUBIN_SECTION_DATA, ONE);
    cubin_with(ONE + 24, (uint64_t)1 << 63 | 128, 8, SCH_D_CUBIN_SECTION_DATA, ONE);
    cubin_with(ONE + 24, TABLE + 5 * 64 - 31, 8, SCH_D_CUBIN_SECTION_DATA, ONE);
    cubin_with(ONE + 24, TABLE + 5 * 64 - 32, 8, 0, 0); /* up to the last byte */
    cubin_with(ONE + 32, (uint64_t)1 << 63, 8, SCH_D_CUBIN_SECTION_DATA, ONE);
    cubin_with(ONE + 32, 31, 8, SCH_D_CUBIN_TEXT_SIZE, ONE);
    cubin_with(TWO + 32, 33, 8, SCH_D_CUBIN_TEXT_SIZE, TWO);
    cubin_with(ONE + 4, 8, 4, 0, 0);              /* NOBITS: no code, and "two" is left */
    cubin_with(ONE + 4, 0x1000001, 4, 0, 0);      /* a type of more bytes */
    cubin_with(ONE + 8, 2, 8, 0, 0);              /* not executable */
    cubin_with(ONE, 21, 4, 0, 0);                 /* another name */
    cubin_with(64 + 11, '.' | 't' << 8, 2, 0, 0); /* ".tex" is no prefix */
    /* The count in section 0, where the field is 0. */
    struct bytes cubin;
    make_cubin(&cubin, 50);
    cubin.at[60] = 0;
    cubin.at[TABLE + 32] = 5;
    struct reading reading = read_as(CUBIN, cubin.at, cubin.count);
    assert_non_null(reading.code);
    assert_int_equal(reading.code->section_count, 2);
    sch_maxwell_code_destroy(reading.code);
    memset(cubin.at + TABLE + 32, 0xff, 8);
    assert_int_equal(read_as(CUBIN, cubin.at, cubin.count).number, SCH_D_CUBIN_SECTION_TABLE);
    /* The section of names in section 0, where the field says so. */
    make_cubin(&cubin, 50);
    cubin.at[62] = cubin.at[63] = 0xff;
    cubin.at[TABLE + 40] = 1;
    reading = read_as(CUBIN, cubin.at, cubin.count);
    assert_non_null(reading.code);
    assert_string_equal(reading.code->sections[1].name, "two");
    sch_maxwell_code_destroy(reading.code);
    cubin.at[TABLE + 43] = 1;
    assert_int_equal(read_as(CUBIN, cubin.at, cubin.count).number, SCH_D_CUBIN_SECTION_TABLE);
}

/* ".text" alone is code without a name, ".textual" none; a name has at most 4000 bytes. */
static void names_of_sections_of_cubins(void **state)
{
    (void)state;
    enum { TABLE = 224, ONE = TABLE + 2 * 64, NAMES = TABLE + 64, LONGEST = 4000 };
    static const struct {
        unsigned char behind; /* of ".text" */
        size_t sections;
        const char *name;
    } rows[] = {{0, 2, ""}, {'.', 2, "one"}, {'u', 1, "two"}, {'_', 1, "two"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes cubin;
        make_cubin(&cubin, 50);
        cubin.at[64 + 16] = rows[i].behind;
        struct reading reading = read_as(CUBIN, cubin.at, cubin.count);
        assert_non_null(reading.code);
        assert_int_equal(reading.code->section_count, rows[i].sections);
        assert_string_equal(reading.code->sections[0].name, rows[i].name);
        assert_true(reading.code->sections[0].named_section);
        sch_maxwell_code_destroy(reading.code);
    }
    for (size_t length = LONGEST - 1; length <= LONGEST + 1; length++) {
        static unsigned char file[8192];
        struct bytes cubin;
        make_cubin(&cubin, 50);
        memset(file, 'x', sizeof file);
        memcpy(file, cubin.at, cubin.count);
        memcpy(file + cubin.count, ".text.", 6);
        const size_t end = cubin.count + 6 + length;
        file[end] = 0;
        const uint64_t name = cubin.count - 64, bytes = end + 1 - 64; /* in names that begin at 64 as before */
        for (unsigned i = 0; i < 2; i++) {
            file[ONE + i] = (unsigned char)(name >> 8 * i);
            file[NAMES + 32 + i] = (unsigned char)(bytes >> 8 * i);
        }
        struct reading reading = read_as(CUBIN, file, end + 1);
        assert_int_equal(reading.number, length > LONGEST ? SCH_D_CUBIN_SECTION_NAME : 0);
        if (reading.code) assert_int_equal(strlen(reading.code->sections[0].name), length);
        sch_maxwell_code_destroy(reading.code);
    }
}

/* An exact copy, so that the sanitizers see one byte too many. */
static bool check_cubin(const unsigned char *data, size_t bytes)
{
    unsigned char *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, data, bytes);
    bool accepted;
    const char *finding = sch_roundtrip_program(PROGRAM_CUBIN, copy, bytes, &accepted);
    free(copy);
    if (finding) fail_msg("%s", finding);
    return accepted;
}

static void cut_and_changed_cubins(void **state)
{
    (void)state;
    struct bytes cubin;
    make_cubin(&cubin, 53);
    for (size_t bytes = 0; bytes < cubin.count; bytes++) assert_false(check_cubin(cubin.at, bytes));
    assert_true(check_cubin(cubin.at, cubin.count));
    for (size_t bit = 0; bit < cubin.count * 8; bit++) {
        cubin.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        check_cubin(cubin.at, cubin.count);
        cubin.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    uint64_t seed = 3;
    for (unsigned i = 0; i < 3000; i++) {
        struct bytes changed = cubin;
        for (unsigned n = 0; n < 1 + i % 4; n++)
            changed.at[random_number(&seed) % changed.count] = (unsigned char)(random_number(&seed) % 3 ? 0xff : 0);
        check_cubin(changed.at, changed.count);
    }
}

/* The kernels beside the repository: each whole, every prefix of three, flips of all. */
static void hurt(unsigned char *data, size_t bytes, uint64_t *seed)
{
    assert_true(check_cubin(data, bytes));
    const unsigned step = sanitizer_step(7);
    for (size_t cut = 0; cut < bytes; cut += step) check_cubin(data, cut);
    for (unsigned flip = 0; flip < 3400; flip += step) {
        size_t at = random_number(seed) % bytes;
        unsigned char old = data[at];
        data[at] ^= (unsigned char)(1u << random_number(seed) % 8);
        check_cubin(data, bytes);
        data[at] = old;
    }
}

/* One that is made here, and some that ptxas made where the shared folder is. */
static void cubins_that_are_cut_and_changed(void **state)
{
    (void)state;
    static const char *const names[] = {"app_call_fn.sm_50", "tex_f16x2.sm_53", "mask_tlds_7.sm_50"};
    const char *shared = getenv("SCH_SHARED");
    uint64_t seed = 11;
    struct bytes own;
    make_cubin(&own, 50);
    hurt(own.at, own.count, &seed);
    for (size_t i = 0; i < 3; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/corpus/maxwell/kernels/%s.cubin", shared ? shared : "", names[i]);
        FILE *file = fopen(path, "rb");
        if (!file) continue;
        static unsigned char data[1 << 16];
        size_t bytes = fread(data, 1, sizeof data, file);
        fclose(file);
        hurt(data, bytes, &seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_sections_of_cubins),
        cmocka_unit_test(cubins_are_read),
        cmocka_unit_test(cubins_within_limits),
        cmocka_unit_test(cubins_of_data_alone),
        cmocka_unit_test(wrong_fields_of_cubins_are_named),
        cmocka_unit_test(cut_and_changed_cubins),
        cmocka_unit_test(cubins_that_are_cut_and_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
