/* What listings keep of containers: chunks that no text describes, their order, kinds and padding, wrong checksums,
 * what stands around chunks, words of programs that say nothing. Each container comes back from its listing byte for
 * byte. */
#include "d3d_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d3d/text/internal.h"
#include "isa/errors.h"

#define TEST(name) cmocka_unit_test(name)
#define TAG        SCH_D3D_TAG

struct chunk {
    uint32_t tag;
    const void *data;
    size_t bytes;
};

/* mov r0.x, l(1); ret: of ps_5_0. */
static const uint32_t program_words[] = {0x00000050, 8, 0x05000036, 0x00100012, 0, 0x00004001, 1, 0x0100003e};
#define PROGRAM program_words, sizeof program_words

/* The same with a word behind ret's last operand; with words behind the program; with an extended operand token that
 * says nothing (bit 31 of the literal's token); with the length in a word of its own. */
static const uint32_t spare_words[] = {0x00000050, 9, 0x05000036, 0x00100012, 0, 0x00004001, 1, 0x0200003e, 0x2000};
static const uint32_t trailing_words[] = {0x00000050, 8, 0x05000036, 0x00100012, 0, 0x00004001, 1, 0x0100003e, 7, 8};
static const uint32_t silent_words[] = {0x00000050, 9, 0x06000036, 0x00100012, 0, 0x80004001, 1, 1, 0x0100003e};
static const uint32_t long_words[] = {0x00000050, 9, 0x00000036, 6, 0x00100012, 0, 0x00004001, 1, 0x0100003e};

/* COLOR, v0.xyzw, float; the name stands behind four bytes that nothing points at. */
static const char roomy_signature[] = "\1\0\0\0\10\0\0\0"
                                      "\x24\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\xf\3\0\0"
                                      "gap\xab"
                                      "COLOR\0\xab";
static const char strange_masks[] = "\1\0\0\0\10\0\0\0"
                                    "\x20\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\x1f\x23\0\0"
                                    "COLOR\0\xab";

static unsigned char *contain(const struct chunk *chunks, size_t count, size_t *bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_container *container = sch_d3d_container_create(&sch_allocator_libc, &limits);
    for (size_t i = 0; i < count; i++)
        assert_true(sch_d3d_container_add_exact(container, chunks[i].tag, chunks[i].data, chunks[i].bytes));
    void *data;
    assert_int_equal(sch_d3d_container_write(container, &sch_allocator_libc, NULL, &data, bytes), SCH_OK);
    sch_d3d_container_destroy(container);
    return data;
}

static void sum(unsigned char *data, size_t bytes)
{
    uint32_t digest[4];
    sch_d3d_checksum(data + 20, bytes - 20, digest);
    for (unsigned i = 0; i < 16; i++) data[4 + i] = (unsigned char)(digest[i / 4] >> (8 * (i % 4)));
}

static struct sch_d3d_shader *assemble(const char *text, struct sch_diagnostics *diagnostics)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    sch_diagnostics_init(diagnostics, &sch_allocator_libc, 0);
    sch_diagnostics_source(diagnostics, "test", text, strlen(text));
    sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), diagnostics, &shader);
    assert_true((shader != NULL) == (diagnostics->errors == 0));
    return shader;
}

static char *print(const struct sch_d3d_shader *shader)
{
    char *text;
    size_t bytes;
    assert_int_equal(sch_d3d_print(shader, SCH_LISTING_FXC, &sch_allocator_libc, &text, &bytes), SCH_OK);
    return text;
}

static char *list(const void *data, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, NULL, &shader), SCH_OK);
    char *text = print(shader);
    sch_d3d_shader_destroy(shader);
    return text;
}

/* What the listing assembles to, without a report. */
static void *from_text(const char *text, size_t *bytes)
{
    struct sch_diagnostics diagnostics;
    struct sch_d3d_shader *shader = assemble(text, &diagnostics);
    bool good = shader != NULL;
    for (size_t i = 0; i < diagnostics.count; i++) /* RDEF and SFI0 may be unreadable */
        good = good && (diagnostics.items[i].code == SCH_D_DXBC_RESOURCES ||
                        diagnostics.items[i].code == SCH_D_DXBC_STATISTICS);
    if (!good) {
        print_message("# %s", text);
        d3d_print_reports("listing", &diagnostics);
    }
    assert_true(good);
    void *data;
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, bytes), SCH_OK);
    char *again = print(shader);
    assert_string_equal(again, text);
    free(again);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&diagnostics);
    return data;
}

/* The listing of a container has `wanted`, and gives the container back. */
static void check_file(const void *data, size_t bytes, const char *wanted)
{
    char *text = list(data, bytes);
    if (!strstr(text, wanted)) print_message("# no %s in\n%s", wanted, text);
    assert_non_null(strstr(text, wanted));
    size_t length;
    void *made = from_text(text, &length);
    if (length != bytes || memcmp(made, data, bytes)) print_message("# another container from\n%s", text);
    assert_int_equal(length, bytes);
    assert_memory_equal(made, data, bytes);
    free(made);
    free(text);
}

static void test_every_container_comes_back(void **state)
{
    (void)state;
    static const uint32_t statistics[37] = {[0] = 2, [6] = 1, [26] = 5, [36] = 0xffffffff};
    static const uint32_t features[] = {1, 0x80000000, 77};
    static const struct {
        struct chunk chunks[4];
        const char *wanted;
    } rows[] = {
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}}, "ret\n"},
        {{{TAG('S', 'H', 'D', 'R'), PROGRAM}}, ".chunks SHDR\n"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'H', 'D', 'R'), PROGRAM}}, ".chunks SHEX SHDR\n.chunk SHEX {"},
        {{{TAG('S', 'H', 'D', 'R'), PROGRAM}, {TAG('S', 'H', 'D', 'R'), PROGRAM}}, ".chunks SHDR SHDR\n.chunk SHDR {"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'T', 'A', 'T'), statistics, sizeof statistics}},
         "ret\n.statistics 37, instructions 2, uint 1, 26 5, stores 4294967295\n"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'T', 'A', 'T'), "", 0}}, ".statistics 0\n"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'T', 'A', 'T'), "12345", 5}}, ".chunk STAT {\n    31323334 35"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM},
          {TAG('A', 'o', 'n', '9'), "level 9", 8},
          {TAG('X', 'N', 'A', 'S'), "", 0}},
         ".chunk Aon9 {\n    6c657665 6c203900                                                       // level 9.\n}\n"
         ".chunk XNAS {\n}\n"},
        {{{TAG('X', 'N', 'A', 'P'), "x", 1}, {TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'D', 'B', 'G'), "debug", 5}},
         ".chunks XNAP SHEX SDBG\n"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('I', 'F', 'C', 'E'), "}//{\n\"'\\", 8}}, ".chunk IFCE {"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('0', 'A', 'B', 'C'), "1", 1}, {0, "0", 1}, {0xffffffff, "f", 1}},
         ".chunk 0x43424130 {\n    31                                                                      // 1\n}\n"
         ".chunk 0x00000000 {"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'F', 'I', '0'), features, 8}}, ".features doubles 63\n.text"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'F', 'I', '0'), features, 12}}, ".bytes SFI0 {"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('S', 'F', 'I', '0'), features, 4}}, ".chunk SFI0 {"},
        {{{TAG('S', 'H', 'E', 'X'), PROGRAM},
          {TAG('S', 'F', 'I', '0'), features, 8},
          {TAG('S', 'F', 'I', '0'), features + 1, 8}},
         ".chunk SFI0 {"},
        {{{TAG('R', 'D', 'E', 'F'), "no resources", 12}, {TAG('S', 'H', 'E', 'X'), PROGRAM}},
         ".chunks RDEF SHEX\n.chunk RDEF {"},
        {{{TAG('I', 'S', 'G', 'N'), "\0\0\0\0\10\0\0\0", 8}, {TAG('S', 'H', 'E', 'X'), PROGRAM}},
         "ps_5_0\n.input\n.text"},
        {{{TAG('I', 'S', 'G', '1'), "\0\0\0\0\10\0\0\0", 8}, {TAG('S', 'H', 'E', 'X'), PROGRAM}},
         ".chunks ISG1 SHEX\n"},
        {{{TAG('I', 'S', 'G', 'N'), "\0\0\0\0\10\0\0\0", 8},
          {TAG('I', 'S', 'G', 'N'), "\0\0\0\0\10\0\0\0", 8},
          {TAG('S', 'H', 'E', 'X'), PROGRAM}},
         ".chunks ISGN ISGN SHEX\n.chunk ISGN {"},
        {{{TAG('I', 'S', 'G', 'N'), roomy_signature, sizeof roomy_signature}, {TAG('S', 'H', 'E', 'X'), PROGRAM}},
         "ret\n.bytes ISGN {"},
        {{{TAG('I', 'S', 'G', 'N'), strange_masks, sizeof strange_masks}, {TAG('S', 'H', 'E', 'X'), PROGRAM}},
         "ret\n.bytes ISGN {"},
        {{{TAG('S', 'H', 'E', 'X'), spare_words, sizeof spare_words}}, "ret spare(0x00002000)\n"},
        {{{TAG('S', 'H', 'E', 'X'), long_words, sizeof long_words}}, "mov r0.x, l(1) long\n"},
        {{{TAG('S', 'H', 'E', 'X'), trailing_words, sizeof trailing_words}}, "ret\n.bytes SHEX {"},
        {{{TAG('S', 'H', 'E', 'X'), silent_words, sizeof silent_words}}, "ret\n.bytes SHEX {"},
        {{{TAG('R', 'T', 'S', '0'), "root", 4}}, "container\n.chunk RTS0 {"},
        {{{TAG('I', 'S', 'G', 'N'), roomy_signature, sizeof roomy_signature}},
         "container\n.input\n.param COLOR.xyzw, v0.xy, float"},
        {{{0}}, "container\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0, bytes;
        while (count < 4 && rows[i].chunks[count].data) count++;
        unsigned char *data = contain(rows[i].chunks, count, &bytes);
        check_file(data, bytes, rows[i].wanted);
        data[4] ^= 1;
        check_file(data, bytes, ".checksum 0x");
        free(data);
    }
}

/* Gaps, bytes at the end, chunks in another order than their offsets: the container is there as a whole. */
static void test_what_stands_around_chunks_comes_back(void **state)
{
    (void)state;
    const struct chunk chunks[] = {{TAG('S', 'H', 'E', 'X'), PROGRAM}, {TAG('A', 'B', 'C', 'D'), "1234", 4}};
    size_t bytes;
    unsigned char *data = contain(chunks, 2, &bytes), larger[200] = {0};
    memcpy(larger, data, bytes);
    larger[24] = (unsigned char)(bytes + 7); /* the size */
    memcpy(larger + bytes, "the end", 7);
    sum(larger, bytes + 7);
    check_file(larger, bytes + 7, ".bytes DXBC {");

    memcpy(larger, data, bytes);
    memcpy(larger + 32, data + 36, 4); /* the offsets change places */
    memcpy(larger + 36, data + 32, 4);
    sum(larger, bytes);
    check_file(larger, bytes, ".chunks ABCD SHEX\n.chunk ABCD {");

    memcpy(larger, data, bytes);
    larger[28] = 1; /* the second chunk is no chunk */
    sum(larger, bytes);
    check_file(larger, bytes, "ret\n.bytes DXBC {");

    memcpy(larger + 32, data + 36, 4); /* nor is the first, but the second is one */
    sum(larger, bytes);
    check_file(larger, bytes, "container\n.chunk ABCD {");
    free(data);
}

/* A signature of more elements than text may have is not written again to see whether it comes back: that takes time
 * with the square of their number. */
static void test_large_signatures_print(void **state)
{
    (void)state;
    for (uint32_t count = SCH_D3D_MOST_ELEMENTS; count <= SCH_D3D_MOST_ELEMENTS + 1; count++) {
        size_t bytes, name = 8 + 24 * (size_t)count, length = name + 4;
        unsigned char *signature = calloc(1, length);
        signature[0] = (unsigned char)count;
        signature[1] = (unsigned char)(count >> 8);
        signature[4] = 8;
        for (uint32_t i = 0; i < count; i++)
            for (unsigned k = 0; k < 4; k++) signature[8 + 24 * i + k] = (unsigned char)(name >> (8 * k));
        memcpy(signature + name, "a\0\xab\xab", 4);
        const struct chunk chunks[] = {{TAG('I', 'S', 'G', 'N'), signature, length},
                                       {TAG('S', 'H', 'E', 'X'), PROGRAM}};
        unsigned char *data = contain(chunks, 2, &bytes);
        char *text = list(data, bytes);
        assert_true((strstr(text, ".bytes ISGN {") != NULL) == (count > SCH_D3D_MOST_ELEMENTS));
        free(text);
        free(data);
        free(signature);
    }
}

/* What is nested in something nested is that one's. */
static void test_nested_containers(void **state)
{
    (void)state;
    size_t bytes[3];
    const struct chunk program = {TAG('S', 'H', 'E', 'X'), PROGRAM};
    unsigned char *inner = contain(&program, 1, &bytes[0]);
    const struct chunk effect = {TAG('F', 'X', '1', '0'), inner, bytes[0]};
    unsigned char *middle = contain(&effect, 1, &bytes[1]);
    const struct chunk both[] = {{TAG('L', 'I', 'B', 'F'), middle, bytes[1]},
                                 {TAG('L', 'I', 'B', 'H'), inner, bytes[0]}};
    unsigned char *outer = contain(both, 2, &bytes[2]);
    char wanted[200];
    snprintf(
        wanted, sizeof wanted,
        "container\n// 1: no program, %zu bytes at byte 0 of LIBF\n// 2: ps_5_0, %zu bytes at byte 0 of LIBH\n.chunk",
        bytes[1], bytes[0]);
    check_file(outer, bytes[2], wanted);
    snprintf(wanted, sizeof wanted, "container\n// 1: ps_5_0, %zu bytes at byte 0 of FX10\n.chunk FX10 {", bytes[0]);
    check_file(middle, bytes[1], wanted);
    const struct chunk cut = {TAG('F', 'X', '1', '0'), inner, bytes[0] - 1}; /* and what is cut is none */
    free(outer);
    outer = contain(&cut, 1, &bytes[2]);
    check_file(outer, bytes[2], "container\n.chunk FX10 {");
    free(inner);
    free(middle);
    free(outer);
}

/* A text that was changed: bytes of chunks that no text describes stay, stale or not; those that the text describes
 * are made anew, with a warning. */
static void test_changed_text_wins(void **state)
{
    (void)state;
    const struct chunk chunks[] = {{TAG('I', 'S', 'G', 'N'), roomy_signature, sizeof roomy_signature},
                                   {TAG('S', 'H', 'E', 'X'), trailing_words, sizeof trailing_words},
                                   {TAG('S', 'T', 'A', 'T'), "\2\0\0\0", 4}};
    static const struct {
        const char *from, *to;
        uint32_t changed;
    } rows[] = {{"COLOR", "COLOS", TAG('I', 'S', 'G', 'N')},
                {"v0.xy,", "v0.x, ", TAG('I', 'S', 'G', 'N')},
                {"l(1)", "l(2)", TAG('S', 'H', 'E', 'X')},
                {"ps_5_0", "ps_4_1", TAG('S', 'H', 'E', 'X')},
                {"43", "44", TAG('I', 'S', 'G', 'N')}, /* a letter of the bytes' COLOR */
                {"434f4c4f", "434f4cff", TAG('I', 'S', 'G', 'N')}};
    size_t bytes;
    unsigned char *data = contain(chunks, 3, &bytes);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = list(data, bytes), *at = strstr(text, rows[i].from);
        assert_non_null(at);
        memcpy(at, rows[i].to, strlen(rows[i].to));
        struct sch_diagnostics diagnostics;
        struct sch_d3d_shader *shader = assemble(text, &diagnostics);
        if (!shader || diagnostics.warnings != 1) d3d_print_reports(rows[i].to, &diagnostics);
        assert_non_null(shader);
        assert_int_equal(diagnostics.warnings, 1);
        assert_int_equal(diagnostics.items[0].code, SCH_D_ASM_STALE_BYTES);
        assert_int_equal(diagnostics.items[0].position.column, 1);
        for (size_t k = 0; k < 3; k++) {
            const struct sch_d3d_chunk *chunk = &shader->container->chunks[k];
            bool same = chunk->bytes == chunks[k].bytes && !memcmp(chunk->data, chunks[k].data, chunk->bytes);
            assert_true(same == (chunks[k].tag != rows[i].changed));
        }
        sch_diagnostics_release(&diagnostics);
        sch_d3d_shader_destroy(shader);
        free(text);
    }
    free(data);
}

/* Of another program than the text's is the whole that was kept: it is dropped with a warning. */
/* Each stage and model by its own word; programs that are cut before it, and containers without one, have none. */
static void test_versions_of_nested_programs(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[2], bytes;
        const char *said;
    } rows[] = {{{0x00050, 2}, 8, "ps_5_0"},    {{0x10050, 2}, 8, "vs_5_0"},     {{0x20041, 2}, 8, "gs_4_1"},
                {{0x30050, 2}, 8, "hs_5_0"},    {{0x40051, 2}, 8, "ds_5_1"},     {{0x50040, 2}, 8, "cs_4_0"},
                {{0x10050, 2}, 4, "vs_5_0"},    {{0x10050, 2}, 3, "no program"}, {{0x10050, 2}, 0, "no program"},
                {{0x60050, 2}, 8, "no program"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t bytes, outer_bytes;
        const struct chunk program = {TAG('S', 'H', 'E', 'X'), rows[i].words, rows[i].bytes};
        unsigned char *inner = contain(&program, 1, &bytes);
        const struct chunk effect = {TAG('F', 'X', '1', '0'), inner, bytes};
        unsigned char *outer = contain(&effect, 1, &outer_bytes);
        char wanted[200];
        snprintf(wanted, sizeof wanted, "container\n// 1: %s, %zu bytes at byte 0 of FX10\n", rows[i].said, bytes);
        check_file(outer, outer_bytes, wanted);
        free(inner);
        free(outer);
    }
    size_t bytes, outer_bytes;
    unsigned char *inner = contain(NULL, 0, &bytes); /* and one without any chunk */
    const struct chunk effect = {TAG('F', 'X', '1', '0'), inner, bytes};
    unsigned char *outer = contain(&effect, 1, &outer_bytes);
    assert_int_equal(bytes, 32);
    check_file(outer, outer_bytes, "container\n// 1: no program, 32 bytes at byte 0 of FX10\n");
    free(inner);
    free(outer);
}

/* RDEF word by word: tables, and names behind what has them. */
static void test_words_of_resources(void **state)
{
    (void)state;
    static const char text[] = "ps_5_1\n.resources 256, \"me\"\n"
                               ".binding \"t\", texture, float, texture2d, 4294967295, 3, 1, 12, 5, 6\n"
                               ".cbuffer \"c\", 64, 1, 2\n.variable \"v\", 4, 8, 2, struct void 1 x 2[3] \"S\" {\n"
                               ".member \"a\", 16, scalar int 1 x 1\n.end\n.default 1, 2\nret\n";
    static const uint32_t wanted[] = {
        /* buffers, where; bindings, where; target, flags, creator */
        1,
        104,
        1,
        60,
        0xffff0501,
        256,
        276,
        /* sizes of model 5.1 */
        0x25441313,
        60,
        24,
        40,
        40,
        36,
        12,
        0,
        /* the binding, its name */
        100,
        2,
        5,
        4,
        0xffffffff,
        3,
        1,
        12,
        5,
        6,
        0xabab0074,
        /* the buffer, its name */
        128,
        1,
        132,
        64,
        1,
        2,
        0xabab0063,
        /* the variable: name, start, size, flags, type, default, no textures, no samplers; its name */
        172,
        4,
        8,
        2,
        176,
        268,
        0xffffffff,
        0,
        0xffffffff,
        0,
        0xabab0076,
        /* its type: five words of nobody, a name, which follows */
        5,
        0x20001,
        0x10003,
        216,
        0,
        0,
        0,
        0,
        212,
        0xabab0053,
        /* its member, with its name */
        228,
        232,
        16,
        0xabab0061,
        /* of this type */
        0x20000,
        0x10001,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        /* the default; the creator */
        1,
        2,
        0xab00656d,
    };
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    const struct sch_d3d_chunk *chunk = &shader->container->chunks[0];
    assert_int_equal(chunk->tag, TAG('R', 'D', 'E', 'F'));
    assert_int_equal(chunk->bytes, sizeof wanted);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_int_equal(sch_word_at(chunk->data + 4 * i), wanted[i]);
    sch_d3d_shader_destroy(shader);
}

/* Extended tokens stand in the order of their kinds; of another order the text does not tell. */
static void test_order_of_extended_tokens(void **state)
{
    (void)state;
    static const char text[] =
        "ps_5_0\nsample(1,2,3)(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0\nret\n";
    static const uint8_t orders[][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    enum { FIRST = 3, MORE = 1u << 31 };
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    uint32_t *words, kinds[4];
    size_t count;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_encode(shader->program, &sch_allocator_libc, NULL, &words, &count), SCH_OK);
    for (unsigned i = 0; i < 3; i++) {
        kinds[1 + i] = words[FIRST + i] & ~(uint32_t)MORE;
        assert_int_equal(kinds[1 + i] & 0x3f, 1 + i);
    }
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        size_t bytes;
        for (unsigned k = 0; k < 3; k++) words[FIRST + k] = kinds[orders[i][k]] | (k < 2 ? MORE : 0);
        const struct chunk program = {TAG('S', 'H', 'E', 'X'), words, 4 * (uint32_t)count};
        unsigned char *data = contain(&program, 1, &bytes);
        check_file(data, bytes, i ? "ret\n.bytes SHEX {\n" : "ret\n");
        char *said = list(data, bytes);
        assert_int_equal(strstr(said, ".bytes") != NULL, i > 0);
        free(said);
        free(data);
    }
    free(words);
    sch_d3d_shader_destroy(shader);
}

/* Variables, members and words of defaults count together; 0 is no limit. What is above the limit is not there. */
static void test_items_of_resources(void **state)
{
    (void)state;
    static const char text[] = "ps_5_0\n.resources 256, \"me\"\n.cbuffer \"c\", 64, 1, 0\n"
                               ".variable \"v\", 0, 8, 2, vector int 1 x 2\n.default 1, 2\n"
                               ".variable \"w\", 8, 8, 2, struct void 1 x 2 \"S\" {\n"
                               ".member \"a\", 0, scalar int 1 x 1\n.end\nret\n";
    enum { ITEMS = 5 };
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    void *data;
    size_t bytes;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    for (limits.declarations = 0; limits.declarations <= ITEMS + 1; limits.declarations++) {
        struct sch_diagnostics list;
        bool fits = !limits.declarations || limits.declarations >= ITEMS;
        sch_diagnostics_init(&list, &sch_allocator_libc, 0);
        assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, false, &list, &shader), SCH_OK);
        assert_int_equal(shader->has_resources, fits);
        assert_int_equal(shader->resources.buffer_count, fits);
        assert_int_equal(list.count, !fits);
        if (!fits) assert_string_equal(list.items[0].message, "RDEF: it has more variables than the limits allow");
        sch_diagnostics_release(&list);
        sch_d3d_shader_destroy(shader);
    }
    free(data);
}

/* A type that is its own member has no end. */
static void test_types_in_circles(void **state)
{
    (void)state;
    static const char text[] = "ps_5_0\n.resources 256, \"me\"\n.cbuffer \"c\", 64, 1, 0\n"
                               ".variable \"v\", 0, 8, 2, struct void 1 x 2 \"S\" {\n"
                               ".member \"a\", 0, scalar int 1 x 1\n.end\nret\n";
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    struct sch_diagnostics list;
    void *data;
    size_t bytes;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    unsigned char *chunk = data;
    while (memcmp(chunk, "RDEF", 4) != 0) chunk++;
    chunk += 8;
    uint32_t variable = sch_word_at(chunk + sch_word_at(chunk + 4) + 8);
    uint32_t type = sch_word_at(chunk + variable + 16), member = sch_word_at(chunk + type + 12);
    memcpy(chunk + member + 4, chunk + variable + 16, 4);
    sch_diagnostics_init(&list, &sch_allocator_libc, 0);
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, &list, &shader), SCH_OK);
    assert_false(shader->has_resources);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].message, "RDEF: structures are nested too deep");
    sch_diagnostics_release(&list);
    sch_d3d_shader_destroy(shader);
    free(data);
}

static void test_another_whole_is_dropped(void **state)
{
    (void)state;
    struct sch_diagnostics diagnostics;
    struct sch_d3d_shader *shader = assemble("ps_5_0\nret\n.bytes DXBC { 44584243 }\n", &diagnostics);
    assert_non_null(shader);
    assert_int_equal(diagnostics.warnings, 1);
    assert_int_equal(diagnostics.items[0].position.line, 3);
    assert_null(shader->container->whole);
    sch_diagnostics_release(&diagnostics);
    sch_d3d_shader_destroy(shader);
}

/* A stated checksum that is right is no more than the right one. */
static void test_right_checksum_is_said_for_nothing(void **state)
{
    (void)state;
    size_t bytes;
    void *plain = from_text("ps_5_0\n.text\nret\n", &bytes);
    char text[200];
    snprintf(text, sizeof text, "ps_5_0\nret\n.checksum %u, %u, %u, %u\n", sch_word_at((unsigned char *)plain + 4),
             sch_word_at((unsigned char *)plain + 8), sch_word_at((unsigned char *)plain + 12),
             sch_word_at((unsigned char *)plain + 16));
    struct sch_diagnostics diagnostics;
    struct sch_d3d_shader *shader = assemble(text, &diagnostics);
    assert_true(shader->container->checksum_right);
    char *listing = print(shader);
    assert_string_equal(listing, "ps_5_0\n.text\nret\n");
    free(listing);
    free(plain);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&diagnostics);
}

static void test_broken_directives_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned code, line, column;
    } rows[] = {
        {".chunk ABC { }\n", SCH_D_ASM_CHUNK, 2, 8},
        {".chunk ABCDE { }\n", SCH_D_ASM_CHUNK, 2, 8},
        {".chunk \"ABCD\" { }\n", SCH_D_ASM_CHUNK, 2, 8},
        {".chunk 4294967296 { }\n", SCH_D_ASM_NUMBER, 2, 8},
        {".chunk ABCD\n", SCH_D_ASM_PUNCTUATION, 2, 12},
        {".chunk ABCD {\n  00 0g\n}\n", SCH_D_ASM_CHUNK, 3, 6},
        {".chunk ABCD {\n  00 0\n}\n", SCH_D_ASM_CHUNK, 3, 6},
        {".chunk ABCD {\n  00", SCH_D_ASM_CHUNK, 3, 5},
        {".chunk ABCD {\n  0", SCH_D_ASM_CHUNK, 3, 3},
        {".chunk ABCD {\n  00\n} ret\n", SCH_D_ASM_PUNCTUATION, 4, 3},
        {".chunk SHEX { 00 }\n.chunks SHEX SHEX SHEX\n", SCH_D_ASM_CHUNK, 3, 19},
        {".chunk SHDR { 00 }\n", SCH_D_ASM_CHUNK, 2, 1},
        {".chunks ABCD\n", SCH_D_ASM_CHUNK, 2, 9},
        {".chunks\n", SCH_D_ASM_CHUNK, 0, 0},
        {".chunks SHEX\n.chunks SHEX\n", SCH_D_ASM_CHUNK, 3, 1},
        {".chunk ABCD { }\n.chunks SHEX\n", SCH_D_ASM_CHUNK, 2, 1},
        {".bytes ABCD { 00 }\n", SCH_D_ASM_CHUNK, 2, 1},
        {".bytes ISGN { 00 }\n", SCH_D_ASM_CHUNK, 2, 1},
        {".input\n.chunks SHEX\n", SCH_D_ASM_CHUNK, 3, 9},
        {".input\n.param A.x, v0.x, float, NONE, FLOAT_16\n.chunks ISGN SHEX\n", SCH_D_ASM_CHUNK, 4, 9},
        {".input\n.param A.x, v0.x, float, NONE, NONE, m1\n.chunks SHEX ISGN\n", SCH_D_ASM_CHUNK, 4, 14},
        {".statistics 65\n", SCH_D_ASM_NUMBER, 2, 13},
        {".statistics 2, uint 1\n", SCH_D_ASM_CHUNK, 2, 16},
        {".statistics 2, 2 1\n", SCH_D_ASM_CHUNK, 2, 16},
        {".statistics 2, many 1\n", SCH_D_ASM_WORD, 2, 16},
        {".statistics 2, 1 4294967296\n", SCH_D_ASM_NUMBER, 2, 18},
        {".checksum 1, 2, 3\n", SCH_D_ASM_PUNCTUATION, 2, 18},
        {".chunk OSGN { 00 }\n", SCH_D_DXBC_SIGNATURE, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "ps_5_0\n%s%s", rows[i].text, strchr(rows[i].text, '\n')[1] ? "" : "ret\n");
        struct sch_diagnostics diagnostics;
        struct sch_d3d_shader *shader = assemble(text, &diagnostics);
        if (shader) print_message("# accepted: %s", text);
        assert_null(shader);
        const struct sch_diagnostic *first = &diagnostics.items[0];
        bool right = first->code == rows[i].code;
        if (rows[i].line)
            right = right && first->position.line == rows[i].line && first->position.column == rows[i].column;
        if (!right) {
            print_message("# %s", text);
            d3d_print_reports("refusal", &diagnostics);
        }
        assert_true(right);
        sch_diagnostics_release(&diagnostics);
    }
}

/* Bytes take memory as the text has digits, and as the limit allows. */
static void test_memory_is_bounded(void **state)
{
    (void)state;
    enum { DIGITS = 4 << 20 };
    char *text = malloc(DIGITS + 100);
    size_t length = (size_t)sprintf(text, "container\n.chunk ABCD {");
    memset(text + length, '7', DIGITS);
    strcpy(text + length + DIGITS, "}\n");
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    limits.memory = DIGITS;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    sch_d3d_shader_destroy(shader);
    limits.memory = DIGITS / 4;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader),
                     SCH_ERROR_MEMORY);
    assert_null(shader);
    free(text);

    text = malloc(70000 * 20);
    length = (size_t)sprintf(text, "container\n");
    for (size_t i = 0; i < 66000; i++) length += (size_t)sprintf(text + length, ".chunk ABCD{}\n");
    limits = SCH_LIMITS_DEFAULT;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, length, NULL, &shader), SCH_ERROR_LIMIT);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_container_comes_back),
        TEST(test_what_stands_around_chunks_comes_back),
        TEST(test_changed_text_wins),
        TEST(test_large_signatures_print),
        TEST(test_nested_containers),
        TEST(test_versions_of_nested_programs),
        TEST(test_words_of_resources),
        TEST(test_order_of_extended_tokens),
        TEST(test_items_of_resources),
        TEST(test_types_in_circles),
        TEST(test_another_whole_is_dropped),
        TEST(test_right_checksum_is_said_for_nothing),
        TEST(test_broken_directives_are_refused),
        TEST(test_memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
