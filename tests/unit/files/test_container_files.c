/* Texture files that were written by hand from the specifications' tables of bytes, damaged files, and files that
 * promise what they do not hold. Round trips are in test_containers.c. */
#include "container_support.h"

enum { MOST = 4096 };

struct bytes {
    uint8_t data[MOST];
    size_t count;
};

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* Appends what a text of hexadecimal digits says; blanks are skipped, 'c' quotes a character, and (n) repeats the byte
 * before it n times in all. */
static void hex(struct bytes *to, const char *text)
{
    while (*text) {
        if (*text == ' ') {
            text++;
        } else if (*text == '\'') {
            to->data[to->count++] = (uint8_t)text[1];
            text += 3;
        } else if (*text == '(') {
            char *end;
            unsigned long count = strtoul(text + 1, &end, 10);
            for (; count > 1; count--, to->count++) to->data[to->count] = to->data[to->count - 1];
            text = end + 1;
        } else {
            assert_true(digit(text[0]) >= 0 && digit(text[1]) >= 0 && to->count < MOST);
            to->data[to->count++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
            text += 2;
        }
    }
}

static struct bytes made(const char *const *parts)
{
    struct bytes bytes = {.count = 0};
    for (; *parts; parts++) hex(&bytes, *parts);
    return bytes;
}
#define BYTES(...) made((const char *const[]){__VA_ARGS__, NULL})

static void put_32(struct bytes *bytes, size_t at, uint32_t word)
{
    for (size_t i = 0; i < 4; i++) bytes->data[at + i] = (uint8_t)(word >> 8 * i);
}

static void assert_texels(const struct sch_file_texture *texture, const struct bytes *wanted)
{
    assert_int_equal(texture->bytes, wanted->count);
    assert_memory_equal(texture->texels, wanted->data, wanted->count);
}

static void assert_shape(const struct sch_file_texture *texture, enum sch_target target, const char *format,
                         uint32_t width, uint32_t height, uint32_t depth, uint32_t layers, uint32_t levels)
{
    assert_int_equal(texture->target, target);
    assert_string_equal(format_rows[texture->format].name, format);
    assert_int_equal(texture->width, width);
    assert_int_equal(texture->height, height);
    assert_int_equal(texture->depth, depth);
    assert_int_equal(texture->layers, layers);
    assert_int_equal(texture->levels, levels);
}

/* Fails unless the file is refused with this number, and words that say what. */
static void assert_refused(const struct bytes *file, enum sch_result result, unsigned code, const char *word)
{
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_file_error error;
    enum sch_result got = read_counted(file->data, file->count, &counting, &error);
    if (got != result || error.code != code || !strstr(error.message, word))
        print_message("wanted %u %u \"%s\", got %u %u: %s\n", result, code, word, got, error.code, error.message);
    assert_int_equal(got, result);
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, word));
}

/* Refused before any memory is taken. */
static void assert_costs_nothing(const struct bytes *file, enum sch_result result)
{
    struct counting counting = {.refuse_after = SIZE_MAX};
    struct sch_file_error error;
    assert_int_equal(read_counted(file->data, file->count, &counting, &error), result);
    assert_int_equal(counting.allocations, 0);
}

/* ---- DDS ---- */

/* DDS_HEADER of a texture of 2 x 2 texels and two levels in the old form; its DDS_PIXELFORMAT is at 76. */
#define DDS_BEGIN                                                                                                      \
    "'D''D''S'' '"                                                                                                     \
    "7c000000 07100200 02000000 02000000 00000000 00000000 02000000 00(44)"
#define DDS_ARGB "20000000 41000000 00000000 20000000 0000ff00 00ff0000 ff000000 000000ff"
#define DDS_CAPS "08104000 00000000 00000000 00000000 00000000"

static void reads_dds_masks(void **state)
{
    (void)state;
    struct bytes file = BYTES(DDS_BEGIN, DDS_ARGB, DDS_CAPS, "01020304 05060708 090a0b0c 0d0e0f10 11121314");
    struct bytes texels = BYTES("01020304 05060708 090a0b0c 0d0e0f10 11121314");
    assert_int_equal(file.count, 128 + 20);
    struct sch_file_texture texture = read_texture(file.data, file.count, "ARGB");
    assert_shape(&texture, SCH_TARGET_2D, "B8G8R8A8_UNORM", 2, 2, 1, 1, 2);
    assert_texels(&texture, &texels);
    assert_false(texture.premultiplied);
    /* Old header, as old readers want it: our own of this texture has the same bytes but for the pitch. */
    struct sch_file_bytes again = write_texture(SCH_FILE_KIND_DDS, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
    put_32(&file, 8, 0x0002100f);
    put_32(&file, 20, 8);
    assert_int_equal(again.bytes, file.count);
    assert_memory_equal(again.data, file.data, file.count);
    sch_file_bytes_release(&again);
    sch_file_texture_release(&texture);
}

/* Each pixel format of Direct3D 9: flags, bits and masks as the documentation of DDS_PIXELFORMAT and D3DX have them. */
static void knows_old_pixel_formats(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint32_t flags, bits, masks[4];
    } rows[] = {
        {"B8G8R8_UNORM", 0x40, 24, {0xff0000, 0xff00, 0xff, 0}},
        {"R8G8B8_UNORM", 0x40, 24, {0xff, 0xff00, 0xff0000, 0}},
        {"B8G8R8A8_UNORM", 0x41, 32, {0xff0000, 0xff00, 0xff, 0xff000000}},
        {"B8G8R8X8_UNORM", 0x40, 32, {0xff0000, 0xff00, 0xff, 0}},
        {"B8G8R8X8_UNORM", 0x40, 32, {0xff0000, 0xff00, 0xff, 0xff000000}}, /* no flag of alpha */
        {"R8G8B8A8_UNORM", 0x41, 32, {0xff, 0xff00, 0xff0000, 0xff000000}},
        {"R8G8B8X8_UNORM", 0x40, 32, {0xff, 0xff00, 0xff0000, 0}},
        {"R16G16_UNORM", 0x40, 32, {0xffff, 0xffff0000, 0, 0}},
        {"R10G10B10A2_UNORM", 0x41, 32, {0x3ff, 0xffc00, 0x3ff00000, 0xc0000000}},
        {"B10G10R10A2_UNORM", 0x41, 32, {0x3ff00000, 0xffc00, 0x3ff, 0xc0000000}},
        {"B5G6R5_UNORM", 0x40, 16, {0xf800, 0x7e0, 0x1f, 0}},
        {"B5G5R5A1_UNORM", 0x41, 16, {0x7c00, 0x3e0, 0x1f, 0x8000}},
        {"B5G5R5X1_UNORM", 0x40, 16, {0x7c00, 0x3e0, 0x1f, 0}},
        {"B4G4R4A4_UNORM", 0x41, 16, {0xf00, 0xf0, 0xf, 0xf000}},
        {"B4G4R4X4_UNORM", 0x40, 16, {0xf00, 0xf0, 0xf, 0}},
        {"B2G3R3_UNORM", 0x40, 8, {0xe0, 0x1c, 0x3, 0}},
        {"R8_UNORM", 0x40, 8, {0xff, 0, 0, 0}},
        {"L8_UNORM", 0x20000, 8, {0xff, 0, 0, 0}},
        {"L8_UNORM", 0x20000, 8, {0xff, 0xff, 0xff, 0}},
        {"L16_UNORM", 0x20000, 16, {0xffff, 0, 0, 0}},
        {"L8A8_UNORM", 0x20001, 16, {0xff, 0, 0, 0xff00}},
        {"L4A4_UNORM", 0x20001, 8, {0xf, 0, 0, 0xf0}},
        {"A8_UNORM", 0x2, 8, {0, 0, 0, 0xff}},
        {"R8G8_SNORM", 0x80000, 16, {0xff, 0xff00, 0, 0}},
        {"R16G16_SNORM", 0x80000, 32, {0xffff, 0xffff0000, 0, 0}},
        {"R8G8B8A8_SNORM", 0x80000, 32, {0xff, 0xff00, 0xff0000, 0xff000000}},
        {"R10SG10SB10SA2U_NORM", 0x80000, 32, {0x3ff, 0xffc00, 0x3ff00000, 0xc0000000}},
        {"R5SG5SB6U_NORM", 0x40000, 16, {0x1f, 0x3e0, 0xfc00, 0}},
        {"R8SG8SB8UX8U_NORM", 0x40000, 32, {0xff, 0xff00, 0xff0000, 0}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes file = BYTES(DDS_BEGIN, DDS_ARGB, DDS_CAPS, "01020304 05060708 090a0b0c 0d0e0f10 11121314");
        put_32(&file, 80, rows[i].flags);
        put_32(&file, 88, rows[i].bits);
        for (size_t k = 0; k < 4; k++) put_32(&file, 92 + 4 * k, rows[i].masks[k]);
        struct sch_file_texture texture = read_texture(file.data, file.count, rows[i].format);
        assert_shape(&texture, SCH_TARGET_2D, rows[i].format, 2, 2, 1, 1, 2);
        assert_int_equal(texture.bytes, 5 * rows[i].bits / 8);
        sch_file_texture_release(&texture);
    }
}

static void knows_old_codes(void **state)
{
    (void)state;
    static const struct {
        const char *format, *code;
        bool premultiplied;
    } rows[] = {
        {"DXT1_RGBA", "'D''X''T''1'", false},
        {"DXT3_RGBA", "'D''X''T''2'", true},
        {"DXT3_RGBA", "'D''X''T''3'", false},
        {"DXT5_RGBA", "'D''X''T''4'", true},
        {"DXT5_RGBA", "'D''X''T''5'", false},
        {"RGTC1_UNORM", "'A''T''I''1'", false},
        {"RGTC1_UNORM", "'B''C''4''U'", false},
        {"RGTC1_SNORM", "'B''C''4''S'", false},
        {"RGTC2_UNORM", "'A''T''I''2'", false},
        {"RGTC2_UNORM", "'B''C''5''U'", false},
        {"RGTC2_SNORM", "'B''C''5''S'", false},
        {"R8G8_B8G8_UNORM", "'R''G''B''G'", false},
        {"G8R8_G8B8_UNORM", "'G''R''G''B'", false},
        {"YUYV", "'Y''U''Y''2'", false},
        {"UYVY", "'U''Y''V''Y'", false},
        {"R16G16B16A16_UNORM", "24000000", false}, /* D3DFMT_A16B16G16R16 */
        {"R16G16B16A16_SNORM", "6e000000", false},
        {"R16_FLOAT", "6f000000", false},
        {"R16G16_FLOAT", "70000000", false},
        {"R16G16B16A16_FLOAT", "71000000", false},
        {"R32_FLOAT", "72000000", false},
        {"R32G32_FLOAT", "73000000", false},
        {"R32G32B32A32_FLOAT", "74000000", false},
        {"R8G8Bx_SNORM", "75000000", false}, /* D3DFMT_CxV8U8 */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes file = BYTES(DDS_BEGIN, "20000000 04000000", rows[i].code, "00(20)", DDS_CAPS, "5a(80)");
        struct sch_file_texture texture = read_texture(file.data, file.count, rows[i].format);
        assert_shape(&texture, SCH_TARGET_2D, rows[i].format, 2, 2, 1, 1, 2);
        assert_int_equal(texture.premultiplied, rows[i].premultiplied);
        sch_file_texture_release(&texture);
    }
}

/* Two cubes of R8 with two levels in a DX10 file: there each face has both of its levels, here each level all faces. */
static void reads_dds_arrays(void **state)
{
    (void)state;
    struct bytes file = BYTES(DDS_BEGIN, "20000000 04000000 'D''X''1''0' 00(20)", DDS_CAPS,
                              "3d000000 03000000 04000000 02000000 00000000", /* R8_UNORM, 2D, cube, 2 */
                              "10111213 14 20212223 24 30313233 34 40414243 44 50515253 54 60616263 64",
                              "70717273 74 80818283 84 90919293 94 a0a1a2a3 a4 b0b1b2b3 b4 c0c1c2c3 c4");
    struct bytes texels = BYTES("10111213 20212223 30313233 40414243 50515253 60616263",
                                "70717273 80818283 90919293 a0a1a2a3 b0b1b2b3 c0c1c2c3", "142434445464 748494a4b4c4");
    struct sch_file_texture texture = read_texture(file.data, file.count, "cubes");
    assert_shape(&texture, SCH_TARGET_CUBE_ARRAY, "R8_UNORM", 2, 2, 1, 12, 2);
    assert_texels(&texture, &texels);
    struct sch_file_bytes again = write_texture(SCH_FILE_KIND_DDS, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
    assert_int_equal(again.bytes, file.count);
    assert_memory_equal(again.data + 128, file.data + 128, file.count - 128);
    sch_file_bytes_release(&again);
    sch_file_texture_release(&texture);

    put_32(&file, 140, 0); /* 12 in the file are 12 faces; without the flag of cubes 12 layers would be asked for */
    put_32(&file, 136, 0);
    put_32(&file, 140, 12);
    texture = read_texture(file.data, file.count, "layers");
    assert_shape(&texture, SCH_TARGET_2D_ARRAY, "R8_UNORM", 2, 2, 1, 12, 2);
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    put_32(&file, 132, 2);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "1D");
    put_32(&file, 132, 4);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "array of 3D");
    put_32(&file, 132, 9);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "dimension 9");
    put_32(&file, 132, 4);
    put_32(&file, 136, 4);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "cube");
    put_32(&file, 132, 3);
    put_32(&file, 140, 0x80000000);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "cubes");
}

static void reads_dds_cubes_and_volumes(void **state)
{
    (void)state;
    struct bytes file =
        BYTES(DDS_BEGIN, "20000000 00000200 00000000 08000000 ff000000 00(12)", "08104000 00fe0000 00(12)",
              "01020304 05 11121314 15 21222324 25", "31323334 35 41424344 45 51525354 55");
    struct bytes texels = BYTES("01020304 11121314 21222324 31323334 41424344 51525354", "05 15 25 35 45 55");
    struct sch_file_texture texture = read_texture(file.data, file.count, "cube");
    assert_shape(&texture, SCH_TARGET_CUBE, "L8_UNORM", 2, 2, 1, 6, 2);
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    for (uint32_t face = 0x400; face <= 0x8000; face *= 2) {
        put_32(&file, 112, 0xfe00 & ~face);
        assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "six faces");
    }
    put_32(&file, 112, 0xfe00);
    put_32(&file, 12, 1);
    assert_refused(&file, SCH_ERROR_INVALID, 6108, "squares");

    struct bytes volume = BYTES(DDS_BEGIN, "20000000 00000200 00000000 08000000 ff000000 00(12)",
                                "08104000 00002000 00(12)", "01020304 05060708 090a0b0c 21");
    struct bytes slices = BYTES("01020304 05060708 090a0b0c 21");
    put_32(&volume, 24, 3);
    texture = read_texture(volume.data, volume.count, "volume");
    assert_shape(&texture, SCH_TARGET_3D, "L8_UNORM", 2, 2, 3, 1, 2);
    assert_texels(&texture, &slices);
    sch_file_texture_release(&texture);
}

static void refuses_dds_by_name(void **state)
{
    (void)state;
    struct bytes file = BYTES(DDS_BEGIN, "20000000 04000000 'R''X''G''C' 00(20)", DDS_CAPS, "5a(80)");
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "RXGC");
    put_32(&file, 80, 0x20);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "palette");
    put_32(&file, 80, 0x200);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "YUV");
    put_32(&file, 80, 0x41);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "masks");
    put_32(&file, 88, 32);
    put_32(&file, 92, 0xff);
    put_32(&file, 96, 0xff);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "masks ff ff");
    put_32(&file, 80, 0);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "masks");

    struct bytes dx10 = BYTES(DDS_BEGIN, "20000000 04000000 'D''X''1''0' 00(20)", DDS_CAPS,
                              "1b000000 03000000 00000000 01000000 00000000 5a(80)");
    assert_refused(&dx10, SCH_ERROR_UNSUPPORTED, 6107, "DXGI_FORMAT 27"); /* R8G8B8A8_TYPELESS */
    put_32(&dx10, 128, 103);
    assert_refused(&dx10, SCH_ERROR_UNSUPPORTED, 6107, "DXGI_FORMAT 103"); /* NV12 */
    put_32(&dx10, 128, 71);
    put_32(&dx10, 144, 3); /* DDS_ALPHA_MODE_OPAQUE */
    struct sch_file_texture texture = read_texture(dx10.data, dx10.count, "opaque");
    assert_shape(&texture, SCH_TARGET_2D, "DXT1_RGB", 2, 2, 1, 1, 2);
    sch_file_texture_release(&texture);
    put_32(&dx10, 144, 2);
    texture = read_texture(dx10.data, dx10.count, "premultiplied");
    assert_shape(&texture, SCH_TARGET_2D, "DXT1_RGBA", 2, 2, 1, 1, 2);
    assert_true(texture.premultiplied);
    sch_file_texture_release(&texture);
    put_32(&dx10, 4, 120);
    assert_refused(&dx10, SCH_ERROR_INVALID, 6101, "header of 120");
}

/* DDS_HEADER by Microsoft's reference: flags, height, width, pitch or bytes of blocks, depth, levels; caps. */
static void writes_dds_headers(void **state)
{
    (void)state;
    static const struct {
        enum sch_target target;
        const char *format;
        uint32_t width, height, depth, layers, levels;
        const char *sizes, *pixels, *caps, *dx10;
    } rows[] = {
        {SCH_TARGET_2D, "L8_UNORM", 5, 3, 1, 1, 1, "0f100000 03000000 05000000 05000000 00000000 01000000",
         "20000000 00000200 00000000 08000000 ff000000 00(12)", "00100000 00(16)", ""},
        {SCH_TARGET_2D, "DXT1_RGBA", 5, 9, 1, 1, 4, "07100a00 09000000 05000000 30000000 00000000 04000000",
         "20000000 04000000 'D''X''T''1' 00(20)", "08104000 00(16)", ""},
        {SCH_TARGET_3D, "L8A8_UNORM", 5, 3, 7, 1, 1, "0f108000 03000000 05000000 0a000000 07000000 01000000",
         "20000000 01000200 00000000 10000000 ff000000 00000000 00000000 00ff0000", "08100000 00002000 00(12)", ""},
        {SCH_TARGET_CUBE, "A8_UNORM", 4, 4, 1, 6, 1, "0f100000 04000000 04000000 04000000 00000000 01000000",
         "20000000 02000000 00000000 08000000 00000000 00000000 00000000 ff000000", "08100000 00fe0000 00(12)", ""},
        {SCH_TARGET_CUBE_ARRAY, "R8_UNORM", 4, 4, 1, 12, 1, "0f100000 04000000 04000000 04000000 00000000 01000000",
         "20000000 04000000 'D''X''1''0' 00(20)", "08100000 00fe0000 00(12)",
         "3d000000 03000000 04000000 02000000 00000000"},
        {SCH_TARGET_2D_ARRAY, "BPTC_SRGBA", 5, 3, 1, 3, 2, "07100a00 03000000 05000000 20000000 00000000 02000000",
         "20000000 04000000 'D''X''1''0' 00(20)", "08104000 00(16)", "63000000 03000000 00000000 03000000 00000000"},
        {SCH_TARGET_1D, "R32_FLOAT", 5, 1, 1, 1, 1, "0f100000 01000000 05000000 14000000 00000000 01000000",
         "20000000 04000000 'D''X''1''0' 00(20)", "00100000 00(16)", "29000000 02000000 00000000 01000000 00000000"},
        {SCH_TARGET_3D, "R32_UINT", 5, 2, 2, 1, 1, "0f108000 02000000 05000000 14000000 02000000 01000000",
         "20000000 04000000 'D''X''1''0' 00(20)", "08100000 00002000 00(12)",
         "2a000000 04000000 00000000 01000000 00000000"},
        {SCH_TARGET_2D, "DXT1_RGB", 4, 4, 1, 1, 1, "07100800 04000000 04000000 08000000 00000000 01000000",
         "20000000 04000000 'D''X''1''0' 00(20)", "00100000 00(16)", "47000000 03000000 00000000 01000000 03000000"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes wanted =
            BYTES("'D''D''S'' ' 7c000000", rows[i].sizes, "00(44)", rows[i].pixels, rows[i].caps, rows[i].dx10);
        struct sch_file_texture texture = random_texture(rows[i].target, format_named(rows[i].format), rows[i].width,
                                                         rows[i].height, rows[i].depth, rows[i].layers, rows[i].levels);
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_DDS, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        assert_int_equal(file.bytes, wanted.count + texture.bytes);
        if (memcmp(file.data, wanted.data, wanted.count) != 0) print_message("%u: %s\n", i, rows[i].format);
        assert_memory_equal(file.data, wanted.data, wanted.count);
        sch_file_bytes_release(&file);
        free(texture.texels);
    }
    struct sch_file_texture texture = random_texture(SCH_TARGET_2D, format_named("DXT3_RGBA"), 4, 4, 1, 1, 1);
    struct bytes wanted = BYTES("4a000000 03000000 00000000 01000000 02000000");
    texture.premultiplied = true;
    struct sch_file_bytes file = write_texture(SCH_FILE_KIND_DDS, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
    assert_memory_equal(file.data + 128, wanted.data, wanted.count);
    sch_file_bytes_release(&file);
    free(texture.texels);
}

/* ---- KTX ---- */

#define KTX_BEGIN "ab 'K''T''X'' ''1''1' bb 0d0a1a0a 01020304"

/* RGB of 8 bits, 3 x 2, two levels: rows of 9 bytes stand in 12, the row of 3 in 4. */
static void reads_ktx_rows(void **state)
{
    (void)state;
    struct bytes file = BYTES(KTX_BEGIN, "01140000 01000000 07190000 51800000 07190000", "03000000 02000000 00000000",
                              "00000000 01000000 02000000 1c000000", /* no elements, one face, two levels, pairs */
                              "17000000 'K''T''X''o''r''i''e''n''t''a''t''i''o''n' 00 'S''=''r'',''T''=''d' 00 00",
                              "18000000 010203 111213 212223 000000 313233 414243 515253 000000", /* level 0 */
                              "04000000 616263 00");
    struct bytes texels = BYTES("010203 111213 212223 313233 414243 515253 616263");
    struct sch_file_texture texture = read_texture(file.data, file.count, "RGB");
    assert_shape(&texture, SCH_TARGET_2D, "R8G8B8_UNORM", 3, 2, 1, 1, 2);
    assert_texels(&texture, &texels);
    struct sch_file_bytes again = write_texture(SCH_FILE_KIND_KTX, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
    assert_int_equal(again.bytes, file.count);
    assert_memory_equal(again.data, file.data, file.count);
    sch_file_bytes_release(&again);
    sch_file_texture_release(&texture);

    file.data[64 + 4 + 15 + 6] = 'u'; /* T=u: the lowest row comes first */
    struct bytes turned = BYTES("313233 414243 515253 010203 111213 212223 616263");
    texture = read_texture(file.data, file.count, "up");
    assert_texels(&texture, &turned);
    sch_file_texture_release(&texture);
    file.data[64 + 4 + 15 + 2] = 'l';
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "to the left");
    file.data[64 + 4 + 15 + 2] = 'x';
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "orientation");

    /* Rows that are not aligned, with the imageSize that shows it; a missing level count. */
    struct bytes tight =
        BYTES(KTX_BEGIN, "01140000 01000000 07190000 07190000 07190000", "03000000 02000000 00000000",
              "00000000 01000000 00000000 00000000", "12000000 010203 111213 212223 313233 414243 515253");
    struct bytes one = BYTES("010203 111213 212223 313233 414243 515253");
    texture = read_texture(tight.data, tight.count, "tight");
    assert_shape(&texture, SCH_TARGET_2D, "R8G8B8_UNORM", 3, 2, 1, 1, 1);
    assert_texels(&texture, &one);
    sch_file_texture_release(&texture);
    put_32(&tight, 64, 19);
    assert_refused(&tight, SCH_ERROR_INVALID, 6101, "19 bytes");
}

/* The order of bytes of the header is that of the texels, too: RGB565 as 0x1234 0x5678. */
static void reads_ktx_of_big_machines(void **state)
{
    (void)state;
    struct bytes file =
        BYTES("ab 'K''T''X'' ''1''1' bb 0d0a1a0a 04030201", "00008363 00000002 00001907 00008d62 00001907",
              "00000002 00000001 00000000", "00000000 00000001 00000001 0000000c", "00000006 'a''b' 00 010203 0000",
              "00000004 1234 5678");
    struct bytes texels = BYTES("3412 7856");
    struct sch_file_texture texture = read_texture(file.data, file.count, "big");
    assert_shape(&texture, SCH_TARGET_2D, "B5G6R5_UNORM", 2, 1, 1, 1, 1);
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    file.data[12] = 5;
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "order of bytes");
}

/* imageSize counts one face of a cube, and each face is padded; in an array of cubes it counts all. */
static void reads_ktx_cubes(void **state)
{
    (void)state;
    struct bytes file =
        BYTES(KTX_BEGIN, "01140000 01000000 03190000 29820000 03190000", "01000000 01000000 00000000",
              "00000000 06000000 01000000 00000000", "04000000 01000000 02000000 03000000 04000000 05000000 06000000");
    struct bytes texels = BYTES("010203040506");
    struct sch_file_texture texture = read_texture(file.data, file.count, "cube");
    assert_shape(&texture, SCH_TARGET_CUBE, "R8_UNORM", 1, 1, 1, 6, 1);
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    put_32(&file, 48, 1);  /* an array of one cube */
    put_32(&file, 64, 24); /* six rows of four bytes */
    texture = read_texture(file.data, file.count, "cubes");
    assert_shape(&texture, SCH_TARGET_CUBE_ARRAY, "R8_UNORM", 1, 1, 1, 6, 1);
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    put_32(&file, 52, 5);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "5 faces");
    put_32(&file, 52, 1);
    put_32(&file, 44, 2);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "array of 3D");
    put_32(&file, 40, 0);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "depth without height");
}

/* glType, glFormat and glInternalFormat by their numbers in OpenGL's headers. */
static void knows_words_of_opengl(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint32_t type, gl_format, internal;
    } rows[] = {
        {"R8G8B8A8_UNORM", 0x1401, 0x1908, 0x8058},     /* UNSIGNED_BYTE, RGBA, RGBA8 */
        {"R8G8B8A8_UNORM", 0x1401, 0x1908, 0x1908},     /* RGBA */
        {"R8G8B8A8_UNORM", 0x1401, 0x1908, 0x8056},     /* RGBA4: the texels have 8 bits all the same */
        {"R8G8B8A8_SRGB", 0x1401, 0x1908, 0x8c43},      /* SRGB8_ALPHA8 */
        {"R8G8B8A8_SRGB", 0x1401, 0x1908, 0x8c42},      /* SRGB_ALPHA */
        {"R8G8B8A8_SNORM", 0x1400, 0x1908, 0x8f97},     /* BYTE, RGBA8_SNORM */
        {"R8G8B8A8_UINT", 0x1401, 0x8d99, 0x8d7c},      /* RGBA_INTEGER, RGBA8UI */
        {"R8G8B8A8_SINT", 0x1400, 0x8d99, 0x8d8e},      /* RGBA8I */
        {"B8G8R8A8_UNORM", 0x1401, 0x80e1, 0x8058},     /* BGRA */
        {"R16G16B16A16_FLOAT", 0x140b, 0x1908, 0x881a}, /* HALF_FLOAT, RGBA16F */
        {"R32_FLOAT", 0x1406, 0x1903, 0x822e},          /* FLOAT, RED, R32F */
        {"L8_UNORM", 0x1401, 0x1909, 0x8040},           /* LUMINANCE, LUMINANCE8 */
        {"L8A8_UNORM", 0x1401, 0x190a, 0x190a},         /* LUMINANCE_ALPHA */
        {"A8_UNORM", 0x1401, 0x1906, 0x803c},           /* ALPHA, ALPHA8 */
        {"B5G6R5_UNORM", 0x8363, 0x1907, 0x8d62},       /* UNSIGNED_SHORT_5_6_5: red in the high bits */
        {"A1B5G5R5_UNORM", 0x8034, 0x1908, 0x8057},     /* UNSIGNED_SHORT_5_5_5_1, RGB5_A1 */
        {"A4B4G4R4_UNORM", 0x8033, 0x1908, 0x8056},     /* UNSIGNED_SHORT_4_4_4_4, RGBA4 */
        {"R10G10B10A2_UNORM", 0x8368, 0x1908, 0x8059},  /* UNSIGNED_INT_2_10_10_10_REV, RGB10_A2 */
        {"R11G11B10_FLOAT", 0x8c3b, 0x1907, 0x8c3a},    /* UNSIGNED_INT_10F_11F_11F_REV */
        {"R9G9B9E5_FLOAT", 0x8c3e, 0x1907, 0x8c3d},     /* UNSIGNED_INT_5_9_9_9_REV */
        {"S8_UINT_Z24_UNORM", 0x84fa, 0x84f9, 0x88f0},  /* UNSIGNED_INT_24_8: depth in the high bits */
        {"DXT1_RGB", 0, 0, 0x83f0},
        {"DXT5_SRGBA", 0, 0, 0x8c4f},
        {"RGTC1_UNORM", 0, 0, 0x8dbb},
        {"BPTC_RGBA_UNORM", 0, 0, 0x8e8c},
        {"LATC1_UNORM", 0, 0, 0x8c70},
        {"ETC1_RGB8", 0, 0, 0x8d64},
        {"ETC2_RGBA8", 0, 0, 0x9278},
        {"ASTC_4x4", 0, 0, 0x93b0},
        {"ASTC_12x12_SRGB", 0, 0, 0x93dd},
        {"FXT1_RGBA", 0, 0, 0x86b1},
        {"ATC_RGB", 0, 0, 0x8c92},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes file =
            BYTES(KTX_BEGIN, "00(20)", "04000000 01000000 00000000 00000000 01000000 01000000 00000000");
        const struct format_row *row = &format_rows[format_named(rows[i].format)];
        uint32_t size = block_bytes(format_named(rows[i].format)) * ((4 + row->width - 1) / row->width);
        put_32(&file, 16, rows[i].type);
        put_32(&file, 24, rows[i].gl_format);
        put_32(&file, 28, rows[i].internal);
        put_32(&file, file.count, size);
        file.count += 4 + size;
        struct sch_file_texture texture = read_texture(file.data, file.count, rows[i].format);
        assert_shape(&texture, SCH_TARGET_2D, rows[i].format, 4, 1, 1, 1, 1);
        sch_file_texture_release(&texture);
    }
    struct bytes file = BYTES(KTX_BEGIN, "00(20)", "04000000 01000000 00000000 00000000 01000000 01000000 00000000");
    put_32(&file, 28, 0x8c02); /* COMPRESSED_RGBA_PVRTC_4BPPV1_IMG */
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "0x8c02");
}

/* glBaseInternalFormat, which says the colours that there are, and the other words; glTypeSize. */
static void writes_words_of_opengl(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint32_t type, type_size, gl_format, internal, base;
    } rows[] = {
        {"R8_UNORM", 0x1401, 1, 0x1903, 0x8229, 0x1903},
        {"R16G16_FLOAT", 0x140b, 2, 0x8227, 0x822f, 0x8227},
        {"R32G32B32_UINT", 0x1405, 4, 0x8d98, 0x8d71, 0x1907},
        {"B8G8R8A8_SRGB", 0x1401, 1, 0x80e1, 0x8c43, 0x1908},
        {"A16_UNORM", 0x1403, 2, 0x1906, 0x803e, 0x1906},
        {"L8_SRGB", 0x1401, 1, 0x1909, 0x8c47, 0x1909},
        {"L8A8_UNORM", 0x1401, 1, 0x190a, 0x8045, 0x190a},
        {"B5G6R5_UNORM", 0x8363, 2, 0x1907, 0x8d62, 0x1907},
        {"R9G9B9E5_FLOAT", 0x8c3e, 4, 0x1907, 0x8c3d, 0x1907},
        {"Z32_FLOAT", 0x1406, 4, 0x1902, 0x8cac, 0x1902},
        {"S8_UINT_Z24_UNORM", 0x84fa, 4, 0x84f9, 0x88f0, 0x84f9},
        {"S8_UINT", 0x1401, 1, 0x1901, 0x8d48, 0x1901},
        {"DXT1_RGB", 0, 1, 0, 0x83f0, 0x1907},
        {"RGTC1_SNORM", 0, 1, 0, 0x8dbc, 0x1903},
        {"RGTC2_UNORM", 0, 1, 0, 0x8dbd, 0x8227},
        {"LATC2_UNORM", 0, 1, 0, 0x8c72, 0x190a},
        {"ASTC_8x8", 0, 1, 0, 0x93b7, 0x1908},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_file_texture texture = random_texture(SCH_TARGET_2D, format_named(rows[i].format), 4, 4, 1, 1, 1);
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_KTX, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        struct bytes wanted = {.count = 20};
        put_32(&wanted, 0, rows[i].type);
        put_32(&wanted, 4, rows[i].type_size);
        put_32(&wanted, 8, rows[i].gl_format);
        put_32(&wanted, 12, rows[i].internal);
        put_32(&wanted, 16, rows[i].base);
        if (memcmp(file.data + 16, wanted.data, wanted.count) != 0) print_message("%s\n", rows[i].format);
        assert_memory_equal(file.data + 16, wanted.data, wanted.count);
        sch_file_bytes_release(&file);
        free(texture.texels);
    }
}

/* ---- KTX 2 ---- */

#define KTX2_BEGIN "ab 'K''T''X'' ''2''0' bb 0d0a1a0a"

/* The descriptor of R8G8B8_SNORM that ktxspec shows under "DFD for Supercompressed Data", byte for byte. */
#define DFD_RGB_SNORM                                                                                                  \
    "4c000000 00000000 0200 4800 01 01 01 00 00000000 03000000 00000000"                                               \
    "0000 07 40 00000000 81ffffff 7f000000"                                                                            \
    "0800 07 41 00000000 81ffffff 7f000000"                                                                            \
    "1000 07 42 00000000 81ffffff 7f000000"

/* The descriptor of one red channel of 8 bits, and the pairs that we write. */
#define DFD_R8                                                                                                         \
    "2c000000 00000000 0200 2800 01 01 00 00 00000000 01000000 00000000 0000 07 00 00000000 00000000 ff000000"
#define PAIR_RD   "12000000 'K''T''X''o''r''i''e''n''t''a''t''i''o''n' 00 'r''d' 00 0000"
#define PAIR_OURS "14000000 'K''T''X''w''r''i''t''e''r' 00 'S''c''h''e''e''l''i''t''e' 00"

/* 3 x 2 texels with two levels; the smaller one first, each at a multiple of 12 bytes. */
static void writes_ktx2_by_the_book(void **state)
{
    (void)state;
    struct bytes file =
        BYTES(KTX2_BEGIN, "18000000 01000000 03000000 02000000 00000000 00000000 01000000 02000000 00000000",
              "80000000 4c000000 cc000000 30000000 00(16)",            /* index */
              "08010000 00000000 12000000 00000000 12000000 00000000", /* level 0 at 264 */
              "fc000000 00000000 03000000 00000000 03000000 00000000", /* level 1 at 252 */
              DFD_RGB_SNORM, PAIR_RD, PAIR_OURS, "616263 00(9)", "010203 111213 212223 313233 414243 515253");
    struct bytes texels = BYTES("010203 111213 212223 313233 414243 515253 616263");
    struct sch_file_texture texture = read_texture(file.data, file.count, "RGB");
    assert_shape(&texture, SCH_TARGET_2D, "R8G8B8_SNORM", 3, 2, 1, 1, 2);
    assert_int_equal(texture.transfer, SCH_FILE_TRANSFER_LINEAR);
    assert_texels(&texture, &texels);
    struct sch_file_bytes again = write_texture(SCH_FILE_KIND_KTX2, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
    assert_int_equal(again.bytes, file.count);
    assert_memory_equal(again.data, file.data, file.count);
    sch_file_bytes_release(&again);
    sch_file_texture_release(&texture);
}

/* One level of R8, 4 x 1, whose bytes are those of a scheme. */
static struct bytes ktx2_of(uint32_t scheme, const char *level, uint64_t inflated)
{
    struct bytes file = BYTES(KTX2_BEGIN, "09000000 01000000 04000000 01000000 00000000 00000000 01000000 00000000",
                              "00000000 68000000 2c000000 00000000 00000000 00(16)", "00(24)", DFD_R8);
    const size_t begin = file.count;
    hex(&file, level);
    put_32(&file, 44, scheme);
    put_32(&file, 80, (uint32_t)begin);
    put_32(&file, 88, (uint32_t)(file.count - begin));
    put_32(&file, 96, (uint32_t)inflated);
    put_32(&file, 100, (uint32_t)(inflated >> 32));
    return file;
}

/* RFC 8878 3.1.1: magic, a header of one segment with one byte of size, one last block: raw, or a byte that is
 * repeated. */
#define ZSTD_RAW  "28b52ffd 20 04 210000 01020304"
#define ZSTD_RUN  "28b52ffd 20 04 230000 07"
#define ZSTD_SKIP "502a4d18 02000000 aabb"
/* RFC 1950 and 1951: stored bytes, and Adler-32 of 1 2 3 4: a = 11, b = 2 + 4 + 7 + 11. */
#define ZLIB_RAW "7801 01 0400 fbff 01020304 0018000b"

static void inflates_by_the_book(void **state)
{
    (void)state;
    static const struct {
        uint32_t scheme;
        const char *level, *texels;
    } rows[] = {{0, "01020304", "01020304"},
                {2, ZSTD_RAW, "01020304"},
                {2, ZSTD_RUN, "07070707"},
                {2, ZSTD_SKIP ZSTD_RAW, "01020304"},
                {3, ZLIB_RAW, "01020304"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].scheme == 2 && !has_zstd()) continue;
        struct bytes file = ktx2_of(rows[i].scheme, rows[i].level, 4), texels = BYTES(rows[i].texels);
        struct sch_file_texture texture = read_texture(file.data, file.count, rows[i].level);
        assert_shape(&texture, SCH_TARGET_2D, "R8_UNORM", 4, 1, 1, 1, 1);
        assert_int_equal(texture.transfer, SCH_FILE_TRANSFER_UNKNOWN);
        assert_texels(&texture, &texels);
        sch_file_texture_release(&texture);
    }
}

/* Streams that are longer or shorter than the index says, or damaged. */
static void refuses_wrong_streams(void **state)
{
    (void)state;
    static const struct {
        uint32_t scheme;
        const char *level;
    } rows[] = {
        {2, "28b52ffd 20 05 290000 0102030405"}, /* five bytes */
        {2, "28b52ffd 20 03 190000 010203"},     /* three */
        {2, "28b52ffd 20 04 210000 010203"},     /* cut off */
        {2, "28b52ffd a0 ffffff7f 0b0000 07"},   /* it promises 2 GiB */
        {2, "28b52ffd 60 ffff 030010 07"},       /* 64 KiB */
        {2, ""},
        {2, ZLIB_RAW},
        {3, "7801 01 0500 faff 0102030405 0027 0010"},         /* five bytes */
        {3, "7801 01 0300 fcff 010203 000d 0007"},             /* three */
        {3, "7801 01 0400 fbff 01020304 0018000c"},            /* another sum */
        {3, "7801 01 0400 fbff 01020304 0018"},                /* cut off */
        {3, "78da 63(1) ecc10101 00000080 90feafee 080a(40)"}, /* no stream */
        {3, ""},
        {3, ZSTD_RAW},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].scheme == 2 && !has_zstd()) continue;
        struct bytes file = ktx2_of(rows[i].scheme, rows[i].level, 4);
        struct counting counting = {.refuse_after = SIZE_MAX};
        struct sch_file_error error;
        assert_int_equal(read_counted(file.data, file.count, &counting, &error), SCH_ERROR_INVALID);
        assert_int_equal(error.code, 6101);
        assert_true(counting.bytes < 64 << 10); /* zlib's own, and four texels */
    }
}

/* Few bytes that promise many texels: refused for the length that no stream reaches, or for the limits. */
static void bombs_take_no_memory(void **state)
{
    (void)state;
    for (uint32_t scheme = 0; scheme <= 3; scheme++) {
        if (scheme == 1 || (scheme == 2 && !has_zstd())) continue;
        struct bytes file = ktx2_of(scheme, scheme == 2 ? ZSTD_RUN : ZLIB_RAW, 16000u * 1000);
        put_32(&file, 20, 16000);
        put_32(&file, 24, 1000);
        assert_costs_nothing(&file, SCH_ERROR_INVALID);
        put_32(&file, 24, 1100); /* more than the 16 MiB that these tests allow */
        put_32(&file, 96, 16000u * 1100);
        assert_costs_nothing(&file, SCH_ERROR_LIMIT);
        put_32(&file, 20, UINT32_MAX);
        put_32(&file, 24, UINT32_MAX);
        assert_costs_nothing(&file, SCH_ERROR_LIMIT);
        put_32(&file, 20, 4);
        put_32(&file, 24, 1);
        put_32(&file, 32, 0x7fffffff); /* elements */
        assert_costs_nothing(&file, SCH_ERROR_LIMIT);
        put_32(&file, 32, 0);
        put_32(&file, 40, 4); /* levels */
        assert_costs_nothing(&file, SCH_ERROR_INVALID);
        put_32(&file, 40, 3);
        assert_costs_nothing(&file, SCH_ERROR_INVALID);
    }
    struct bytes dds = BYTES(DDS_BEGIN, DDS_ARGB, DDS_CAPS, "01020304");
    static const struct {
        uint32_t width, height, levels;
        enum sch_result result;
    } rows[] = {{2, 2, 2, SCH_ERROR_INVALID},         {1000, 1000, 1, SCH_ERROR_INVALID},
                {16384, 16384, 1, SCH_ERROR_LIMIT},   {UINT32_MAX, 1, 1, SCH_ERROR_LIMIT},
                {0, 1, 1, SCH_ERROR_INVALID},         {2, 2, 3, SCH_ERROR_INVALID},
                {1, 1, UINT32_MAX, SCH_ERROR_INVALID}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_32(&dds, 16, rows[i].width);
        put_32(&dds, 12, rows[i].height);
        put_32(&dds, 28, rows[i].levels);
        assert_costs_nothing(&dds, rows[i].result);
    }
    struct bytes ktx = BYTES(KTX_BEGIN, "01140000 01000000 08190000 58800000 08190000", "03000000 02000000 00000000",
                             "00000000 01000000 02000000 00000000", "18000000 00(24) 04000000 000000");
    assert_refused(&ktx, SCH_ERROR_INVALID, 6101, "ends in level 1");
    put_32(&ktx, 36, 16000);
    put_32(&ktx, 40, 200);
    assert_costs_nothing(&ktx, SCH_ERROR_INVALID);
    put_32(&ktx, 60, 0xfffffffc);
    assert_costs_nothing(&ktx, SCH_ERROR_INVALID);
    put_32(&ktx, 60, 8);
    assert_refused(&ktx, SCH_ERROR_INVALID, 6101, "key/value");
}

/* The example of ktxspec, without the bytes of its level and global data. */
static void refuses_ktx2_by_name(void **state)
{
    (void)state;
    struct bytes basis =
        BYTES(KTX2_BEGIN, "00000000 01000000 08000000 08000000 00000000 00000000 01000000 01000000 01000000",
              "68000000 3c000000 a4000000 58000000 00010000 00000000 8c000000 00000000",
              "8c010000 00000000 03000000 00000000 00000000 00000000",
              "3c000000 00000000 02003800 a3010200 03030000 00000000 00000000",
              "00003f00 00000000 00000000 ffffffff 40003f0f 00000000 00000000 ffffffff", "00(235)");
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6106, "BasisLZ");
    put_32(&basis, 44, 0); /* ETC1S without its supercompression: no file should be so */
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6107, "ETC1S");
    basis.data[104 + 12] = 166;
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6107, "UASTC");
    basis.data[104 + 12] = 1;
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6107, "VK_FORMAT_UNDEFINED");
    put_32(&basis, 12, 1000054000);
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6107, "PVRTC");
    put_32(&basis, 12, 128);
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6107, "D16_UNORM_S8_UINT");
    put_32(&basis, 12, 39); /* R8G8B8A8_USCALED: prohibited */
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6107, "VkFormat 39");
    put_32(&basis, 44, 0x10000);
    assert_refused(&basis, SCH_ERROR_UNSUPPORTED, 6106, "supercompression 65536");
    put_32(&basis, 44, 3);
    assert_refused(&basis, SCH_ERROR_INVALID, 6101, "global data");

    struct bytes file = ktx2_of(0, "01020304", 4);
    put_32(&file, 28, 1);
    put_32(&file, 32, 4);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "array of 3D");
    file = ktx2_of(0, "01020304", 4);
    put_32(&file, 104, 40);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "descriptor");
    file = ktx2_of(0, "01020304", 4);
    file.data[104 + 20] = 2; /* bytesPlane0 */
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "R8_UNORM");
    file.data[104 + 20] = 0; /* as older revisions of the specification had it */
    struct sch_file_texture texture = read_texture(file.data, file.count, "unsized");
    sch_file_texture_release(&texture);
    put_32(&file, 12, 15); /* R8_SRGB with another curve */
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "transfer");
    file = ktx2_of(0, "01020304", 5);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "level 0 of 5 bytes");
    file = ktx2_of(0, "01020304", 4);
    put_32(&file, 88, 3);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "too few");
    put_32(&file, 88, 4);
    put_32(&file, 80, 40);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "not there");
    put_32(&file, 80, (uint32_t)file.count);
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "not there");
}

/* One texel of a format with key/value data. */
static struct bytes ktx2_with(uint32_t number, uint32_t bytes, const char *pairs)
{
    struct bytes file = BYTES(KTX2_BEGIN, "00000000 01000000 01000000 01000000 00000000 00000000 01000000 01000000",
                              "00000000 68000000 2c000000 94000000 00000000 00(16)", "00(24)", DFD_R8);
    hex(&file, pairs);
    put_32(&file, 12, number);
    put_32(&file, 60, (uint32_t)(file.count - 0x94));
    put_32(&file, 80, (uint32_t)file.count);
    put_32(&file, 88, bytes);
    put_32(&file, 96, bytes);
    file.data[104 + 20] = 0;
    file.count += bytes;
    return file;
}

/* The values of ktxspec's "Common Mappings", and others that another format is. */
static void swizzles_are_formats(void **state)
{
    (void)state;
    static const struct {
        uint32_t number, bytes;
        const char *swizzle, *format;
    } rows[] = {
        {9, 1, "'0''0''0''r'", "A8_UNORM"},        {9, 1, "'r''r''r''1'", "L8_UNORM"},
        {16, 2, "'r''r''r''g'", "L8A8_UNORM"},     {9, 1, "'r''r''r''r'", "I8_UNORM"},
        {9, 1, "'r''0''0''1'", "R8_UNORM"},        {9, 1, "'r''g''b''a'", "R8_UNORM"},
        {37, 4, "'r''g''b''a'", "R8G8B8A8_UNORM"}, {37, 4, "'b''g''r''a'", "B8G8R8A8_UNORM"},
        {37, 4, "'r''g''b''1'", "R8G8B8X8_UNORM"}, {37, 4, "'a''b''g''r'", "A8B8G8R8_UNORM"},
        {76, 2, "'r''r''r''1'", "L16_FLOAT"},      {124, 2, "'r''r''r''1'", "Z16_UNORM"},
        {16, 2, "'g''r''0''1'", "G8R8_UNORM"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char pairs[160];
        snprintf(pairs, sizeof pairs, "10000000 'K''T''X''s''w''i''z''z''l''e' 00 %s 00", rows[i].swizzle);
        struct bytes file = ktx2_with(rows[i].number, rows[i].bytes, pairs);
        struct sch_file_texture texture = read_texture(file.data, file.count, rows[i].format);
        assert_shape(&texture, SCH_TARGET_2D, rows[i].format, 1, 1, 1, 1, 1);
        sch_file_texture_release(&texture);
    }
    struct bytes file = ktx2_with(37, 4, "10000000 'K''T''X''s''w''i''z''z''l''e' 00 'r''r''g''g' 00");
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "KTXswizzle rrgg");
    file = ktx2_with(37, 4, "10000000 'K''T''X''s''w''i''z''z''l''e' 00 'r''g''b''x' 00");
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6107, "KTXswizzle rgb?");
    file = ktx2_with(37, 4, "0e000000 'K''T''X''s''w''i''z''z''l''e' 00 'r''g''b' 0000");
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "KTXswizzle of 3");
    file = ktx2_with(37, 4, "16000000 'K''T''X''c''u''b''e''m''a''p''I''n''c''o''m''p''l''e''t''e' 00 01 0000");
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "incomplete");
    file = ktx2_with(37, 4, "01000000 00 000000");
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "not whole");
    file = ktx2_with(37, 4, "04000000 'a''b''c''d'");
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "not whole");
    file = ktx2_with(37, 4, "05000000 'a' 00 'c''d'");
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "not whole");
}

/* Rows that go up are turned, but not those of blocks and of cubes. */
static void turns_ktx2(void **state)
{
    (void)state;
    struct bytes file = ktx2_with(9, 4, "12000000 'K''T''X''o''r''i''e''n''t''a''t''i''o''n' 00 'r''u' 00 0000");
    struct bytes texels = BYTES("03040102");
    put_32(&file, 20, 2);
    put_32(&file, 24, 2);
    for (size_t i = 0; i < 4; i++) file.data[file.count - 4 + i] = (uint8_t)(i + 1);
    struct sch_file_texture texture = read_texture(file.data, file.count, "up");
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    put_32(&file, 28, 1); /* 3D */
    texture = read_texture(file.data, file.count, "up");
    assert_shape(&texture, SCH_TARGET_3D, "R8_UNORM", 2, 2, 1, 1, 1);
    assert_texels(&texture, &texels);
    sch_file_texture_release(&texture);
    file = ktx2_with(9, 6, "12000000 'K''T''X''o''r''i''e''n''t''a''t''i''o''n' 00 'r''u' 00 0000");
    put_32(&file, 36, 6);
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "cube");
    file = ktx2_with(133, 8, "12000000 'K''T''X''o''r''i''e''n''t''a''t''i''o''n' 00 'r''u' 00 0000");
    file.data[104 + 16] = file.data[104 + 17] = 3;
    assert_refused(&file, SCH_ERROR_UNSUPPORTED, 6106, "blocks (DXT1_RGBA)");
    put_32(&file, 24, 0); /* a line of blocks */
    assert_refused(&file, SCH_ERROR_INVALID, 6101, "axes");
}

/* VkFormat by its numbers in Vulkan's headers; Vulkan names packed channels from the highest bit on. */
static void knows_numbers_of_vulkan(void **state)
{
    (void)state;
    static const struct {
        uint32_t number;
        const char *format;
    } rows[] = {
        {2, "A4B4G4R4_UNORM"},
        {4, "B5G6R5_UNORM"},
        {5, "R5G6B5_UNORM"},
        {8, "B5G5R5A1_UNORM"},
        {9, "R8_UNORM"},
        {23, "R8G8B8_UNORM"},
        {30, "B8G8R8_UNORM"},
        {37, "R8G8B8A8_UNORM"},
        {43, "R8G8B8A8_SRGB"},
        {44, "B8G8R8A8_UNORM"},
        {51, "R8G8B8A8_UNORM"},
        {58, "B10G10R10A2_UNORM"},
        {64, "R10G10B10A2_UNORM"},
        {76, "R16_FLOAT"},
        {97, "R16G16B16A16_FLOAT"},
        {100, "R32_FLOAT"},
        {109, "R32G32B32A32_FLOAT"},
        {121, "R64G64B64A64_FLOAT"},
        {122, "R11G11B10_FLOAT"},
        {123, "R9G9B9E5_FLOAT"},
        {124, "Z16_UNORM"},
        {125, "Z24X8_UNORM"},
        {126, "Z32_FLOAT"},
        {127, "S8_UINT"},
        {129, "S8_UINT_Z24_UNORM"},
        {130, "Z32_FLOAT_S8X24_UINT"},
        {131, "DXT1_RGB"},
        {134, "DXT1_SRGBA"},
        {138, "DXT5_SRGBA"},
        {140, "RGTC1_SNORM"},
        {141, "RGTC2_UNORM"},
        {143, "BPTC_RGB_UFLOAT"},
        {146, "BPTC_SRGBA"},
        {147, "ETC2_RGB8"},
        {152, "ETC2_SRGBA8"},
        {156, "ETC2_RG11_SNORM"},
        {157, "ASTC_4x4"},
        {184, "ASTC_12x12_SRGB"},
        {1000066000, "ASTC_4x4"},
        {1000156000, "YUYV"},
        {1000156001, "UYVY"},
        {1000340000, "B4G4R4A4_UNORM"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned format = format_named(rows[i].format);
        struct bytes file = ktx2_with(rows[i].number, block_bytes(format), "");
        file.data[104 + 16] = (uint8_t)(format_rows[format].width - 1);
        file.data[104 + 17] = (uint8_t)(format_rows[format].height - 1);
        if (strstr(rows[i].format, "_S") && strstr(rows[i].format, "RGB")) file.data[104 + 14] = 2;
        struct sch_file_texture texture = read_texture(file.data, file.count, rows[i].format);
        assert_shape(&texture, SCH_TARGET_2D, rows[i].format, 1, 1, 1, 1, 1);
        sch_file_texture_release(&texture);
    }
}

/* The descriptors that are written, by the tables of the Khronos Data Format Specification: what follows vendor and
 * type is version and size; model, primaries, curve and flags; sides of a block less 1; bytes; and samples of bit
 * offset, length less 1, channel with qualifiers, position, lower and upper. */
static void describes_texels(void **state)
{
    (void)state;
#define FULL "00000000 00000000 ffffffff"
    static const struct {
        const char *format, *dfd;
    } rows[] = {
        {"R8G8B8A8_SRGB", "02005800 01010200 00000000 04000000 00000000 0000 07 00 00(8) ff000000"
                          "0800 07 01 00(8) ff000000 1000 07 02 00(8) ff000000 1800 07 1f 00(8) ff000000"},
        {"B8G8R8A8_UNORM", "02005800 01010000 00000000 04000000 00000000 0000 07 02 00(8) ff000000"
                           "0800 07 01 00(8) ff000000 1000 07 00 00(8) ff000000 1800 07 0f 00(8) ff000000"},
        {"R10G10B10A2_UNORM", "02005800 01010000 00000000 04000000 00000000 0000 09 00 00(8) ff030000"
                              "0a00 09 01 00(8) ff030000 1400 09 02 00(8) ff030000 1e00 01 0f 00(8) 03000000"},
        {"R16G16_FLOAT", "02003800 01010000 00000000 04000000 00000000 0000 0f c0 00000000 000080bf 0000803f"
                         "1000 0f c1 00000000 000080bf 0000803f"},
        {"R64_FLOAT", "02002800 01010000 00000000 08000000 00000000 0000 3f c0 00000000 000080bf 0000803f"},
        {"R16_SNORM", "02002800 01010000 00000000 02000000 00000000 0000 0f 40 00000000 0180ffff ff7f0000"},
        {"R32_SINT", "02002800 01000000 00000000 04000000 00000000 0000 1f 40 00000000 ffffffff 01000000"},
        {"R64_UINT", "02002800 01000000 00000000 08000000 00000000 0000 3f 00 00000000 00000000 01000000"},
        {"R11G11B10_FLOAT", "02004800 01010000 00000000 04000000 00000000 0000 0a 80 00(8) 0000803f"
                            "0b00 0a 81 00(8) 0000803f 1600 09 82 00(8) 0000803f"},
        {"R9G9B9E5_FLOAT", "02007800 01010000 00000000 04000000 00000000"
                           "0000 08 00 00(8) 00210000 1b00 04 20 00000000 0f000000 1f000000"
                           "0900 08 01 00(8) 00210000 1b00 04 21 00000000 0f000000 1f000000"
                           "1200 08 02 00(8) 00210000 1b00 04 22 00000000 0f000000 1f000000"},
        {"Z16_UNORM", "02002800 01000000 00000000 02000000 00000000 0000 0f 0e 00(8) ffff0000"},
        {"S8_UINT", "02002800 01000000 00000000 01000000 00000000 0000 07 0d 00(8) 01000000"},
        {"S8_UINT_Z24_UNORM", "02003800 01000000 00000000 04000000 00000000 0000 07 0d 00(8) 01000000"
                              "0800 17 0e 00(8) ffffff00"},
        {"Z32_FLOAT_S8X24_UINT", "02003800 01000000 00000000 08000000 00000000"
                                 "0000 1f ce 00000000 000080bf 0000803f 2000 07 0d 00(8) 01000000"},
        {"YUYV", "02005800 02010000 01000000 04000000 00000000 0000 07 00 40800000 00000000 ff000000"
                 "0800 07 01 80800000 00000000 ff000000 1000 07 00 c0800000 00000000 ff000000"
                 "1800 07 02 80800000 00000000 ff000000"},
        {"UYVY", "02005800 02010000 01000000 04000000 00000000 0000 07 01 80800000 00000000 ff000000"
                 "0800 07 00 40800000 00000000 ff000000 1000 07 02 80800000 00000000 ff000000"
                 "1800 07 00 c0800000 00000000 ff000000"},
        {"Y210", "02005800 02010000 01000000 08000000 00000000 0600 09 00 40800000 00000000 ff030000"
                 "1600 09 01 80800000 00000000 ff030000 2600 09 00 c0800000 00000000 ff030000"
                 "3600 09 02 80800000 00000000 ff030000"},
        {"Y212", "02005800 02010000 01000000 08000000 00000000 0400 0b 00 40800000 00000000 ff0f0000"
                 "1400 0b 01 80800000 00000000 ff0f0000 2400 0b 00 c0800000 00000000 ff0f0000"
                 "3400 0b 02 80800000 00000000 ff0f0000"},
        {"Y216", "02005800 02010000 01000000 08000000 00000000 0000 0f 00 40800000 00000000 ffff0000"
                 "1000 0f 01 80800000 00000000 ffff0000 2000 0f 00 c0800000 00000000 ffff0000"
                 "3000 0f 02 80800000 00000000 ffff0000"},
        {"DXT1_RGB", "02002800 80010000 03030000 08000000 00000000 0000 3f 00" FULL},
        {"DXT1_SRGBA", "02002800 80010200 03030000 08000000 00000000 0000 3f 01" FULL},
        {"DXT3_RGBA", "02003800 81010000 03030000 10000000 00000000 0000 3f 0f" FULL "4000 3f 00" FULL},
        {"DXT5_SRGBA", "02003800 82010200 03030000 10000000 00000000 0000 3f 1f" FULL "4000 3f 00" FULL},
        {"RGTC1_UNORM", "02002800 83010000 03030000 08000000 00000000 0000 3f 00" FULL},
        {"RGTC1_SNORM", "02002800 83010000 03030000 08000000 00000000 0000 3f 40 00000000 00000080 ffffff7f"},
        {"RGTC2_UNORM", "02003800 84010000 03030000 10000000 00000000 0000 3f 00" FULL "4000 3f 01" FULL},
        {"BPTC_RGB_FLOAT", "02002800 85010000 03030000 10000000 00000000 0000 7f c0 00000000 000080bf 0000803f"},
        {"BPTC_RGB_UFLOAT", "02002800 85010000 03030000 10000000 00000000 0000 7f 80 00000000 00000000 0000803f"},
        {"BPTC_SRGBA", "02002800 86010200 03030000 10000000 00000000 0000 7f 00" FULL},
        {"ETC2_RGB8", "02002800 a1010000 03030000 08000000 00000000 0000 3f 02" FULL},
        {"ETC2_SRGB8A1", "02003800 a1010200 03030000 08000000 00000000 0000 3f 02" FULL "0000 3f 1f" FULL},
        {"ETC2_RGBA8", "02003800 a1010000 03030000 10000000 00000000 0000 3f 0f" FULL "4000 3f 02" FULL},
        {"ETC2_R11_UNORM", "02002800 a1010000 03030000 08000000 00000000 0000 3f 00" FULL},
        {"ETC2_RG11_SNORM", "02003800 a1010000 03030000 10000000 00000000"
                            "0000 3f 40 00000000 00000080 ffffff7f 4000 3f 41 00000000 00000080 ffffff7f"},
        {"ASTC_6x5", "02002800 a2010000 05040000 10000000 00000000 0000 7f 00" FULL},
    };
#undef FULL
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes wanted = BYTES("00000000 00000000", rows[i].dfd);
        put_32(&wanted, 0, (uint32_t)wanted.count);
        struct sch_file_texture texture = random_texture(SCH_TARGET_2D, format_named(rows[i].format), 4, 4, 1, 1, 1);
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_KTX2, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        if (memcmp(file.data + 104, wanted.data, wanted.count) != 0) print_message("%s\n", rows[i].format);
        assert_memory_equal(file.data + 104, wanted.data, wanted.count);
        sch_file_bytes_release(&file);
        free(texture.texels);
    }
    /* Premultiplied, and alpha that is linear beside colours of sRGB. */
    struct bytes wanted = BYTES("01010201");
    struct sch_file_texture texture = random_texture(SCH_TARGET_2D, format_named("R8G8B8A8_UNORM"), 4, 4, 1, 1, 1);
    texture.transfer = SCH_FILE_TRANSFER_SRGB;
    texture.premultiplied = true;
    struct sch_file_bytes file = write_texture(SCH_FILE_KIND_KTX2, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
    assert_memory_equal(file.data + 104 + 12, wanted.data, wanted.count);
    assert_int_equal(file.data[104 + 28 + 2 * 16 + 3], 2);
    assert_int_equal(file.data[104 + 28 + 3 * 16 + 3], 0x1f);
    sch_file_bytes_release(&file);
    free(texture.texels);
}

/* VkFormat and typeSize (ktxspec, "typeSize") of what is written, and KTXswizzle where it makes the format. */
static void writes_words_of_vulkan(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint32_t number, type_size;
        const char *swizzle;
    } rows[] = {
        {"R8G8B8A8_UNORM", 37, 1, NULL},     {"R16G16_FLOAT", 83, 2, NULL},
        {"R64_UINT", 110, 8, NULL},          {"B5G6R5_UNORM", 4, 2, NULL},
        {"R11G11B10_FLOAT", 122, 4, NULL},   {"DXT1_RGBA", 133, 1, NULL},
        {"S8_UINT_Z24_UNORM", 129, 4, NULL}, {"Y210", 1000156010, 2, NULL},
        {"Y216", 1000156027, 2, NULL},       {"Z32_FLOAT_S8X24_UINT", 130, 4, NULL},
        {"ASTC_3x3x3", 1000288000, 1, NULL}, {"L8_UNORM", 9, 1, "rrr1"},
        {"A8_SNORM", 10, 1, "000r"},         {"L8A8_SRGB", 22, 1, "rrrg"},
        {"I16_FLOAT", 76, 2, "rrrr"},        {"B8G8R8X8_UNORM", 37, 1, "bgr1"},
        {"R16A16_UINT", 81, 2, "r00g"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool volume = strcmp(rows[i].format, "ASTC_3x3x3") == 0;
        struct sch_file_texture texture = random_texture(volume ? SCH_TARGET_3D : SCH_TARGET_2D,
                                                         format_named(rows[i].format), 4, 4, volume ? 4 : 1, 1, 1);
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_KTX2, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        struct bytes wanted = {.count = 8};
        put_32(&wanted, 0, rows[i].number);
        put_32(&wanted, 4, rows[i].type_size);
        if (memcmp(file.data + 12, wanted.data, 8) != 0) print_message("%s\n", rows[i].format);
        assert_memory_equal(file.data + 12, wanted.data, 8);
        const uint8_t *found = memmem(file.data, file.bytes, "KTXswizzle", 11);
        assert_int_equal(found != NULL, rows[i].swizzle != NULL);
        if (found) assert_string_equal((const char *)found + 11, rows[i].swizzle);
        sch_file_bytes_release(&file);
        free(texture.texels);
    }
}

/* ---- damage ---- */

static struct sch_file_bytes small_file(unsigned which)
{
    static const struct {
        enum sch_file_kind kind;
        enum sch_file_supercompression supercompression;
        enum sch_target target;
        const char *format;
        uint32_t width, height, layers, levels;
    } rows[] = {
        {SCH_FILE_KIND_DDS, 0, SCH_TARGET_2D, "B8G8R8A8_UNORM", 4, 4, 1, 3},
        {SCH_FILE_KIND_DDS, 0, SCH_TARGET_CUBE_ARRAY, "BPTC_RGBA_UNORM", 5, 5, 12, 2},
        {SCH_FILE_KIND_KTX, 0, SCH_TARGET_CUBE, "R8G8B8A8_UNORM", 2, 2, 6, 2},
        {SCH_FILE_KIND_KTX, 0, SCH_TARGET_2D_ARRAY, "DXT1_RGBA", 9, 6, 2, 2},
        {SCH_FILE_KIND_KTX2, 0, SCH_TARGET_2D, "R8G8B8_UNORM", 5, 3, 1, 3},
        {SCH_FILE_KIND_KTX2, SCH_FILE_SUPERCOMPRESSION_ZLIB, SCH_TARGET_2D_ARRAY, "L8A8_UNORM", 8, 8, 2, 2},
        {SCH_FILE_KIND_KTX2, SCH_FILE_SUPERCOMPRESSION_ZSTD, SCH_TARGET_CUBE, "R16G16B16A16_FLOAT", 4, 4, 6, 2},
    };
    struct sch_file_bytes none = {0};
    if (which >= sizeof rows / sizeof *rows) return none;
    if (rows[which].supercompression == SCH_FILE_SUPERCOMPRESSION_ZSTD && !has_zstd()) return none;
    struct sch_file_texture texture =
        random_texture(rows[which].target, format_named(rows[which].format), rows[which].width, rows[which].height, 1,
                       rows[which].layers, rows[which].levels);
    struct sch_file_bytes file = write_texture(rows[which].kind, rows[which].supercompression, &texture);
    free(texture.texels);
    return file;
}

static void refuses_what_is_cut_off(void **state)
{
    (void)state;
    for (unsigned which = 0;; which++) {
        struct sch_file_bytes file = small_file(which);
        if (!file.data) break;
        for (size_t count = 0; count < file.bytes; count++) {
            struct counting counting = {.refuse_after = SIZE_MAX};
            struct sch_file_error error;
            assert_int_equal(read_counted(file.data, count, &counting, &error), SCH_ERROR_INVALID);
        }
        sch_file_bytes_release(&file);
    }
}

/* Every bit turned, and random bytes at random places: an answer, and no more memory than texels and what zlib
 * takes. */
static void survives_altered_files(void **state)
{
    (void)state;
    uint64_t seed = 5;
    unsigned answers[SCH_ERROR_INTERNAL + 1] = {0};
    for (unsigned which = 0;; which++) {
        struct sch_file_bytes file = small_file(which);
        if (!file.data) break;
        for (size_t bit = 0; bit < 8 * file.bytes; bit++) {
            struct counting counting = {.refuse_after = SIZE_MAX};
            struct sch_file_error error;
            file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            answers[read_counted(file.data, file.bytes, &counting, &error)]++;
            file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(counting.bytes <= (1 << 24) + (1 << 20));
        }
        for (unsigned i = 0; i < 3000; i++) {
            struct counting counting = {.refuse_after = SIZE_MAX};
            struct sch_file_error error;
            uint8_t kept[4];
            size_t at[4];
            for (unsigned n = 0; n < 4; n++) {
                const size_t most = n < 3 && file.bytes > 200 ? 200 : file.bytes;
                at[n] = random_number(&seed) % most;
                kept[n] = file.data[at[n]];
                file.data[at[n]] = (uint8_t)(random_number(&seed) >> 20);
            }
            answers[read_counted(file.data, file.bytes, &counting, &error)]++;
            for (unsigned n = 4; n-- > 0;) file.data[at[n]] = kept[n];
            assert_true(counting.bytes <= (1 << 24) + (1 << 20));
        }
        sch_file_bytes_release(&file);
    }
    assert_true(answers[SCH_OK] > 1000);
    assert_true(answers[SCH_ERROR_INVALID] > 1000);
    assert_true(answers[SCH_ERROR_UNSUPPORTED] > 100);
    assert_int_equal(answers[SCH_ERROR_ARGUMENT] + answers[SCH_ERROR_MEMORY] + answers[SCH_ERROR_INTERNAL], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_dds_masks),
        cmocka_unit_test(knows_old_pixel_formats),
        cmocka_unit_test(knows_old_codes),
        cmocka_unit_test(reads_dds_arrays),
        cmocka_unit_test(reads_dds_cubes_and_volumes),
        cmocka_unit_test(refuses_dds_by_name),
        cmocka_unit_test(reads_ktx_rows),
        cmocka_unit_test(reads_ktx_of_big_machines),
        cmocka_unit_test(reads_ktx_cubes),
        cmocka_unit_test(knows_words_of_opengl),
        cmocka_unit_test(writes_ktx2_by_the_book),
        cmocka_unit_test(inflates_by_the_book),
        cmocka_unit_test(refuses_wrong_streams),
        cmocka_unit_test(bombs_take_no_memory),
        cmocka_unit_test(refuses_ktx2_by_name),
        cmocka_unit_test(swizzles_are_formats),
        cmocka_unit_test(turns_ktx2),
        cmocka_unit_test(knows_numbers_of_vulkan),
        cmocka_unit_test(describes_texels),
        cmocka_unit_test(writes_dds_headers),
        cmocka_unit_test(writes_words_of_opengl),
        cmocka_unit_test(writes_words_of_vulkan),
        cmocka_unit_test(refuses_what_is_cut_off),
        cmocka_unit_test(survives_altered_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
