/* Texture files as public tools write them against the rules of their kinds: rows padded or not, headers with words
 * that mean nothing, files that were cut off. Each is read as its bytes say, and told of. Files by the rules are in
 * test_container_files.c. */
#include "container_support.h"
#include "picture_samples.h"

enum { MOST = 1 << 14, HEARD = 8, ROWS = 6540, HEADER = 6541, CUT = 6542, DAMAGED = 6101 };

struct bytes {
    uint8_t data[MOST];
    size_t count;
};

static void word(struct bytes *to, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) to->data[to->count++] = (uint8_t)(value >> 8 * i);
}

static void put_word(struct bytes *to, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) to->data[at + i] = (uint8_t)(value >> 8 * i);
}

#define LETTERS(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* ---- what was heard of a file ---- */

struct heard {
    unsigned count, codes[HEARD];
    char messages[HEARD][160];
};

static void hear(void *user, unsigned code, const char *message)
{
    struct heard *heard = user;
    assert_in_range(heard->count, 0, HEARD - 1);
    heard->codes[heard->count] = code;
    snprintf(heard->messages[heard->count++], sizeof *heard->messages, "%s", message);
}

/* Reads from an exact copy. */
static enum sch_result read_odd(const struct bytes *file, bool lenient, struct sch_file_texture *texture,
                                struct heard *heard, struct sch_file_error *error)
{
    const struct sch_file_options limits = {.size = sizeof limits, .max_bytes = 1 << 20};
    *heard = (struct heard){0};
    *error = (struct sch_file_error){.size = sizeof *error};
    *texture = (struct sch_file_texture){.size = sizeof *texture};
    const struct sch_file_read_options options = {
        .size = sizeof options, .limits = &limits, .warn = hear, .warn_user = heard, .lenient = lenient};
    void *exact = malloc(file->count);
    assert_non_null(exact);
    memcpy(exact, file->data, file->count);
    const enum sch_result result = sch_file_texture_read(&options, exact, file->count, texture, error);
    free(exact);
    return result;
}

/* Fails unless the file is read with one warning of this number whose words have `says`; 0: with none. */
static struct sch_file_texture warned(const struct bytes *file, bool lenient, unsigned code, const char *says)
{
    struct sch_file_texture texture;
    struct sch_file_error error;
    struct heard heard;
    const enum sch_result result = read_odd(file, lenient, &texture, &heard, &error);
    if (result != SCH_OK) print_message("%u: %s\n", error.code, error.message);
    for (unsigned i = 0; i < heard.count; i++) print_message("%u: %s\n", heard.codes[i], heard.messages[i]);
    assert_int_equal(result, SCH_OK);
    assert_int_equal(heard.count, code ? 1 : 0);
    if (code) assert_int_equal(heard.codes[0], code);
    if (code) assert_non_null(strstr(heard.messages[0], says));
    assert_int_equal(error.code, 0);
    return texture;
}

static void refused(const struct bytes *file, bool lenient, unsigned code, const char *says)
{
    struct sch_file_texture texture;
    struct sch_file_error error;
    struct heard heard;
    assert_int_not_equal(read_odd(file, lenient, &texture, &heard, &error), SCH_OK);
    if (error.code != code || !strstr(error.message, says)) print_message("%u: %s\n", error.code, error.message);
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, says));
}

/* ---- DDS ---- */

/* What DDS_HEADER says, by its members' names in Microsoft's reference. */
struct dds {
    uint32_t width, height, depth, levels, pitch, caps_2;
    uint32_t flags, code, bits, masks[4]; /* DDS_PIXELFORMAT */
    uint32_t dxgi, array_size, misc;      /* with a DX10 header, if there is a DXGI_FORMAT */
    uint32_t size;                        /* 0: 124 */
};

static struct bytes dds_of(const struct dds *dds)
{
    struct bytes file = {.count = 0};
    word(&file, LETTERS('D', 'D', 'S', ' '));
    word(&file, dds->size ? dds->size : 124);
    word(&file, 0x1007 | (dds->pitch ? 0x8 : 0) | (dds->levels > 1 ? 0x20000 : 0) | (dds->depth ? 0x800000 : 0));
    word(&file, dds->height);
    word(&file, dds->width);
    word(&file, dds->pitch);
    word(&file, dds->depth);
    word(&file, dds->levels);
    for (int i = 0; i < 11; i++) word(&file, 0);
    word(&file, 32);
    word(&file, dds->dxgi ? 4 : dds->flags);
    word(&file, dds->dxgi ? LETTERS('D', 'X', '1', '0') : dds->code);
    word(&file, dds->bits);
    for (int i = 0; i < 4; i++) word(&file, dds->masks[i]);
    word(&file, 0x1000);
    word(&file, dds->caps_2);
    for (int i = 0; i < 3; i++) word(&file, 0);
    if (!dds->dxgi) return file;
    word(&file, dds->dxgi);
    word(&file, 3);
    word(&file, dds->misc);
    word(&file, dds->array_size);
    word(&file, 0);
    return file;
}

static void fill(struct bytes *file, size_t count, uint8_t value)
{
    memset(file->data + file->count, value, count);
    file->count += count;
}

/* The byte that all tests here have in layer or slice `image`, row `y`, byte `x` of level `level`. */
static uint8_t texel_byte(uint32_t level, uint32_t image, uint32_t y, uint32_t x)
{
    return (uint8_t)(1 + level * 101 + image * 53 + y * 17 + x);
}

static void append_image(struct bytes *file, uint32_t level, uint32_t image, uint32_t rows, uint32_t row_bytes,
                         uint32_t step)
{
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < row_bytes; x++) file->data[file->count++] = texel_byte(level, image, y, x);
        fill(file, step - row_bytes, 0xee);
    }
}

/* Fails unless a level of the texture has the bytes of texel_byte(): all its images, without gaps. */
static const uint8_t *check_level(const uint8_t *at, uint32_t level, uint32_t images, uint32_t rows, uint32_t row_bytes)
{
    for (uint32_t image = 0; image < images; image++)
        for (uint32_t y = 0; y < rows; y++)
            for (uint32_t x = 0; x < row_bytes; x++, at++) assert_int_equal(*at, texel_byte(level, image, y, x));
    return at;
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }
static uint32_t aligned(uint32_t bytes, uint32_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

/* Formats whose rows of five texels are no multiple of four bytes: size of a texel, and the words for it. */
static const struct narrow {
    uint32_t bytes;
    struct dds dds;
} narrow[] = {
    {3, {.flags = 0x40, .bits = 24, .masks = {0xff, 0xff00, 0xff0000}}},
    {2, {.flags = 0x40, .bits = 16, .masks = {0xf800, 0x7e0, 0x1f}}},
    {2, {.flags = 0x20001, .bits = 16, .masks = {0xff, 0, 0, 0xff00}}},
    {1, {.flags = 0x20000, .bits = 8, .masks = {0xff}}},
    {2, {.dxgi = 49, .array_size = 1}}, /* R8G8_UNORM */
    {1, {.dxgi = 61, .array_size = 1}}, /* R8_UNORM */
};
enum { NARROW = sizeof narrow / sizeof *narrow };

/* All levels of all layers, each row padded to `alignment`. */
static struct bytes dds_file(const struct narrow *row, uint32_t layers, uint32_t slices, uint32_t levels,
                             uint32_t alignment, uint32_t pitch)
{
    struct dds dds = row->dds;
    dds.width = dds.height = 5;
    dds.levels = levels;
    dds.pitch = pitch;
    if (slices > 1) dds.depth = slices;
    if (slices > 1) dds.caps_2 = 0x200000;
    if (layers == 6) dds.caps_2 = 0xfe00;
    if (dds.dxgi) dds.array_size = layers;
    struct bytes file = dds_of(&dds);
    for (uint32_t layer = 0; layer < layers; layer++)
        for (uint32_t level = 0; level < levels; level++)
            for (uint32_t slice = 0; slice < halved(slices, level); slice++) {
                const uint32_t bytes = halved(5, level) * row->bytes;
                append_image(&file, level, layer + slice, halved(5, level), bytes, aligned(bytes, alignment));
            }
    return file;
}

static void check_file(const struct sch_file_texture *texture, const struct narrow *row, uint32_t layers,
                       uint32_t slices, uint32_t levels)
{
    const uint8_t *at = texture->texels;
    for (uint32_t level = 0; level < levels; level++)
        at = check_level(at, level, layers * halved(slices, level), halved(5, level), halved(5, level) * row->bytes);
    assert_int_equal(at - texture->texels, texture->bytes);
}

/* D3DX wrote 24-bit rows padded to 4 bytes (DirectXTex has DDS_FLAGS_LEGACY_DWORD for them): the file's size proves it,
 * with a pitch or without. */
static void takes_padded_rows_of_dds(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NARROW; i++) {
        const struct narrow *row = &narrow[i];
        static const struct {
            uint32_t layers, slices, levels;
        } shapes[] = {{1, 1, 1}, {1, 1, 3}, {6, 1, 2}, {1, 4, 3}};
        for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            const uint32_t layers = shapes[k].layers, slices = shapes[k].slices, levels = shapes[k].levels;
            if (row->dds.dxgi && slices > 1) continue; /* that header is of 2D textures */
            for (uint32_t said = 0; said < 3; said++) {
                const uint32_t pitch = said == 0 ? 0 : said == 1 ? aligned(5 * row->bytes, 4) : 5 * row->bytes;
                struct bytes file = dds_file(row, layers, slices, levels, 4, pitch);
                struct sch_file_texture texture = warned(&file, false, ROWS, "rows of");
                check_file(&texture, row, layers, slices, levels);
                sch_file_texture_release(&texture);
                /* Without padding the size proves that, whatever the pitch says. */
                file = dds_file(row, layers, slices, levels, 1, pitch);
                texture = warned(&file, false, 0, "");
                check_file(&texture, row, layers, slices, levels);
                sch_file_texture_release(&texture);
            }
        }
    }
}

/* Rows of another pitch, of one level. */
static void takes_a_pitch_that_the_size_proves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NARROW; i++) {
        struct bytes file = dds_file(&narrow[i], 1, 1, 1, 64, 64);
        struct sch_file_texture texture = warned(&file, false, ROWS, "every 64");
        check_file(&texture, &narrow[i], 1, 1, 1);
        sch_file_texture_release(&texture);
        file = dds_file(&narrow[i], 1, 1, 1, 64, 0); /* nothing says 64: bytes that follow the texels */
        texture = warned(&file, false, ROWS, "bytes follow the texels; rows are read without padding");
        assert_int_equal(texture.texels[5 * narrow[i].bytes], 0xee);
        sch_file_texture_release(&texture);
    }
}

/* The pitch says padded rows, and the file is too small for them and too large for others. */
static void refuses_a_size_that_contradicts_all_rows(void **state)
{
    (void)state;
    struct bytes file = dds_file(&narrow[0], 1, 1, 1, 4, 16);
    file.count--;
    refused(&file, false, 6101, "its pitch 80");
    file.count++;
    fill(&file, 1, 0);
    struct sch_file_texture texture = warned(&file, false, ROWS, "as the pitch says");
    check_file(&texture, &narrow[0], 1, 1, 1);
    sch_file_texture_release(&texture);
    /* Where all rows are the same, bytes that follow mean nothing. */
    file = dds_of(&(struct dds){.width = 4,
                                .height = 2,
                                .levels = 1,
                                .pitch = 16,
                                .flags = 0x40,
                                .bits = 32,
                                .masks = {0xff, 0xff00, 0xff0000}});
    fill(&file, 40, 7);
    texture = warned(&file, false, 0, "");
    assert_int_equal(texture.bytes, 32);
    sch_file_texture_release(&texture);
}

/* Codes of AMD's Compressonator, by its header CMP_Compressonator's CMP_FOURCC list. */
static void knows_codes_of_amd(void **state)
{
    (void)state;
    static const struct {
        const char *code, *format;
        unsigned bytes;
    } rows[] = {{"ETC ", "ETC1_RGB8", 8},        {"ETC2", "ETC2_RGB8", 8},       {"ETCS", "ETC2_SRGB8", 8},
                {"ETCA", "ETC2_RGBA8", 16},      {"ETCT", "ETC2_SRGBA8", 16},    {"ETCP", "ETC2_RGB8A1", 8},
                {"ETCU", "ETC2_SRGB8A1", 8},     {"BC4 ", "RGTC1_UNORM", 8},     {"BC5 ", "RGTC2_UNORM", 16},
                {"BC6H", "BPTC_RGB_UFLOAT", 16}, {"BC7x", "BPTC_RGBA_UNORM", 16}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *code = rows[i].code;
        const struct dds dds = {
            .width = 4, .height = 4, .flags = 4, .code = LETTERS(code[0], code[1], code[2], code[3])};
        struct bytes file = dds_of(&dds);
        fill(&file, rows[i].bytes, 9);
        struct sch_file_texture texture = warned(&file, false, 0, "");
        assert_string_equal(format_rows[texture.format].name, rows[i].format);
        sch_file_texture_release(&texture);
    }
}

/* d3d9types.h, in its order; names there begin with the highest bits, ours with the lowest. */
static void knows_numbers_of_direct3d_9(void **state)
{
    (void)state;
    static const struct {
        uint32_t number;
        const char *format; /* NULL: there is none */
    } rows[] = {{20, "B8G8R8_UNORM"},
                {21, "B8G8R8A8_UNORM"},
                {22, "B8G8R8X8_UNORM"},
                {23, "B5G6R5_UNORM"},
                {24, "B5G5R5X1_UNORM"},
                {25, "B5G5R5A1_UNORM"},
                {26, "B4G4R4A4_UNORM"},
                {27, "B2G3R3_UNORM"},
                {28, "A8_UNORM"},
                {29, NULL}, /* A8R3G3B2 */
                {30, "B4G4R4X4_UNORM"},
                {31, "R10G10B10A2_UNORM"},
                {32, "R8G8B8A8_UNORM"},
                {33, "R8G8B8X8_UNORM"},
                {34, "R16G16_UNORM"},
                {35, "B10G10R10A2_UNORM"},
                {36, "R16G16B16A16_UNORM"},
                {50, "L8_UNORM"},
                {51, "L8A8_UNORM"},
                {52, "L4A4_UNORM"},
                {60, "R8G8_SNORM"},
                {61, "R5SG5SB6U_NORM"},
                {62, "R8SG8SB8UX8U_NORM"},
                {63, "R8G8B8A8_SNORM"},
                {64, "R16G16_SNORM"},
                {67, "R10SG10SB10SA2U_NORM"},
                {70, "Z16_UNORM"},
                {71, "Z32_UNORM"},
                {73, NULL}, /* D15S1 */
                {75, "S8_UINT_Z24_UNORM"},
                {77, "X8Z24_UNORM"},
                {79, NULL}, /* D24X4S4 */
                {80, "Z16_UNORM"},
                {81, "L16_UNORM"},
                {82, "Z32_FLOAT"},
                {83, NULL}, /* D24FS8 */
                {84, "Z32_UNORM"},
                {85, "S8_UINT"},
                {110, "R16G16B16A16_SNORM"},
                {111, "R16_FLOAT"},
                {112, "R16G16_FLOAT"},
                {113, "R16G16B16A16_FLOAT"},
                {114, "R32_FLOAT"},
                {115, "R32G32_FLOAT"},
                {116, "R32G32B32A32_FLOAT"},
                {117, "R8G8Bx_SNORM"},
                {118, NULL}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes file = dds_of(&(struct dds){.width = 4, .height = 4, .flags = 4, .code = rows[i].number});
        char name[32];
        snprintf(name, sizeof name, "D3DFORMAT %u", rows[i].number);
        if (!rows[i].format) {
            refused(&file, false, 6107, name);
            continue;
        }
        fill(&file, (size_t)16 * block_bytes(format_named(rows[i].format)), 9);
        struct sch_file_texture texture = warned(&file, false, 0, "");
        assert_string_equal(format_rows[texture.format].name, rows[i].format);
        /* What is read can be written, and is the same then. */
        struct sch_file_bytes again = write_texture(SCH_FILE_KIND_DDS, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        struct sch_file_texture same = read_texture(again.data, again.bytes, rows[i].format);
        assert_same_texture(&texture, &same, rows[i].format);
        sch_file_texture_release(&same);
        sch_file_bytes_release(&again);
        sch_file_texture_release(&texture);
    }
    for (uint32_t number = 40; number <= 41; number++) { /* A8P8, P8 */
        struct bytes file = dds_of(&(struct dds){.width = 4, .height = 4, .flags = 4, .code = number});
        refused(&file, false, 6107, "palette");
    }
}

static void takes_odd_headers_of_dds(void **state)
{
    (void)state;
    static const struct {
        const char *says, *format;
        size_t bytes;
        struct dds dds;
    } rows[] = {
        {"array of 0", "DXT1_RGBA", 8, {.dxgi = 71, .array_size = 0}},
        {"24 bytes", "DXT1_RGBA", 8, {.size = 24, .flags = 4, .code = LETTERS('D', 'X', 'T', '1')}},
        {"code DXT5", "DXT5_RGBA", 16, {.flags = 0, .code = LETTERS('D', 'X', 'T', '5')}},
        {"code BC5U", "RGTC2_UNORM", 16, {.flags = 0x80000000, .code = LETTERS('B', 'C', '5', 'U')}},
        {"say nothing", "L8_UNORM", 16, {.flags = 0x20000, .bits = 8, .masks = {0xff000000, 0xff000000, 0xff000000}}},
        {"say nothing", "L8_UNORM", 16, {.flags = 0x20000, .bits = 8}},
        {"say nothing", "L8A8_UNORM", 32, {.flags = 0x20001, .bits = 16}},
        {"say nothing", "A8_UNORM", 16, {.flags = 2, .bits = 8}},
        {"0 bits", "A8_UNORM", 16, {.flags = 2, .bits = 0, .masks = {0, 0, 0, 0xff}}},
        {"0 bits", "L8_UNORM", 16, {.flags = 0x20000, .bits = 0, .masks = {0xff}}},
        {"say nothing", "B8G8R8_UNORM", 48, {.flags = 0x40, .bits = 24}},
        {"say nothing", "B8G8R8X8_UNORM", 64, {.flags = 0x40, .bits = 32}},
        {"say nothing", "B8G8R8A8_UNORM", 64, {.flags = 0x41, .bits = 32}},
        {"say nothing", "B5G6R5_UNORM", 32, {.flags = 0x40, .bits = 16}},
        {"one mask", "L8_UNORM", 16, {.flags = 0x40, .bits = 8, .masks = {0xff, 0xff, 0xff}}},
        {"one mask", "L16_UNORM", 32, {.flags = 0x40, .bits = 16, .masks = {0xffff, 0xffff, 0xffff}}},
        {"one mask", "L8A8_UNORM", 32, {.flags = 0x41, .bits = 16, .masks = {0xff, 0xff, 0xff, 0xff00}}},
        {"4 levels",
         "B8G8R8A8_UNORM",
         84, /* without bytes for the fourth level, which would be half a texel */
         {.levels = 4, .flags = 0x41, .bits = 32, .masks = {0xff0000, 0xff00, 0xff, 0xff000000}}},
        {"4 levels",
         "B8G8R8A8_UNORM",
         88, /* and with them */
         {.levels = 4, .flags = 0x41, .bits = 32, .masks = {0xff0000, 0xff00, 0xff, 0xff000000}}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dds dds = rows[i].dds;
        dds.width = dds.height = 4;
        struct bytes file = dds_of(&dds);
        fill(&file, rows[i].bytes, 9);
        struct sch_file_texture texture = warned(&file, false, HEADER, rows[i].says);
        assert_string_equal(format_rows[texture.format].name, rows[i].format);
        assert_int_equal(texture.levels, dds.levels ? 3 : 1);
        assert_int_equal(texture.layers, 1);
        assert_int_equal(texture.bytes, dds.levels ? 84 : rows[i].bytes);
        sch_file_texture_release(&texture);
    }
    /* What cannot be known stays refused. */
    static const struct dds unknown[] = {
        {.flags = 0x41, .bits = 16},                                  /* 5551 or 4444 */
        {.flags = 0x40, .bits = 32, .masks = {0xff, 0xff, 0xff0000}}, /* one mask twice */
        {.flags = 0x40, .bits = 24, .masks = {0, 0xff00, 0}},
        {.flags = 0, .bits = 32, .masks = {0xff0000, 0xff00, 0xff, 0}},
        {.flags = 0, .code = LETTERS('A', 'B', 'C', 'D')},
    };
    for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct dds dds = unknown[i];
        dds.width = dds.height = 4;
        struct bytes file = dds_of(&dds);
        fill(&file, 64, 9);
        refused(&file, false, 6107, "masks");
    }
}

/* A cube whose faces have a level too many: its bytes are between the faces if the size says so. */
static void passes_over_a_level_between_layers(void **state)
{
    (void)state;
    const struct dds dds = {.width = 2,
                            .height = 2,
                            .levels = 3,
                            .caps_2 = 0xfe00,
                            .flags = 0x41,
                            .bits = 32,
                            .masks = {0xff0000, 0xff00, 0xff, 0xff000000}};
    for (uint32_t extra = 0; extra <= 4; extra += 4) {
        struct bytes file = dds_of(&dds);
        for (uint32_t face = 0; face < 6; face++) {
            append_image(&file, 0, face, 2, 8, 8);
            append_image(&file, 1, face, 1, 4, 4);
            fill(&file, extra, 0xee);
        }
        struct sch_file_texture texture = warned(&file, false, HEADER, "3 levels");
        assert_int_equal(texture.levels, 2);
        const uint8_t *at = check_level(texture.texels, 0, 6, 2, 8);
        at = check_level(at, 1, 6, 1, 4);
        assert_int_equal(at - texture.texels, texture.bytes);
        sch_file_texture_release(&texture);
    }
}

/* RXGB (Doom 3): red of each texel is in the alpha part of DXT5. The block's values by hand: alpha 255 and 0 with codes
 * 0, 1, 2 and so on; colours of green 63 and blue 0, green 0 and blue 31, and a third of the way between. */
static void exchanges_red_and_alpha_of_rxgb(void **state)
{
    (void)state;
    struct bytes file = dds_of(&(struct dds){.width = 3, .height = 2, .flags = 4, .code = LETTERS('R', 'X', 'G', 'B')});
    static const uint8_t block[16] = {0xff, 0x00,                   /* alphas */
                                      0x88, 0xc6, 0xfa, 0,    0, 0, /* codes 0 to 7 of the first eight texels */
                                      0xe0, 0x07, 0x1f, 0x00,       /* 0x07e0: green; 0x001f: blue */
                                      0xe4, 0xe4, 0,    0};         /* codes 0 to 3 in both rows */
    memcpy(file.data + file.count, block, sizeof block);
    file.count += sizeof block;
    /* (6 * 255 + 0) / 7 = 218, (5 * 255) / 7 = 182, then 145, 109, 72, 36; (2 * 255) / 3 = 170, 255 / 3 = 85. */
    static const uint8_t wanted[2][3][4] = {{{255, 255, 0, 255}, {0, 0, 255, 255}, {218, 170, 85, 255}},
                                            {{145, 255, 0, 255}, {109, 0, 255, 255}, {72, 170, 85, 255}}};
    struct sch_file_texture texture = warned(&file, false, HEADER, "RXGB");
    assert_string_equal(format_rows[texture.format].name, "R8G8B8A8_UNORM");
    assert_int_equal(texture.bytes, sizeof wanted);
    assert_memory_equal(texture.texels, wanted, sizeof wanted);
    sch_file_texture_release(&texture);
    /* Alpha whose first endpoint is not the larger one: four values between them, then 0 and 255. */
    static const uint8_t other[8] = {0, 0xff, 0x88, 0xc6, 0xfa, 0, 0, 0};
    memcpy(file.data + file.count - 16, other, sizeof other);
    texture = warned(&file, false, HEADER, "RXGB");
    static const uint8_t reds[6] = {0, 255, 51, 153, 204, 0};
    for (unsigned i = 0; i < 6; i++) assert_int_equal(texture.texels[4 * i], reds[i]);
    sch_file_texture_release(&texture);
    /* Levels and faces have blocks of their own. */
    file = dds_of(&(struct dds){
        .width = 8, .height = 8, .levels = 4, .caps_2 = 0xfe00, .flags = 4, .code = LETTERS('R', 'X', 'G', 'B')});
    for (uint32_t i = 0; i < 6 * 7; i++) { /* four blocks, then one of each level */
        fill(&file, 2, (uint8_t)(i + 1));
        fill(&file, 14, 0);
    }
    texture = warned(&file, false, HEADER, "RXGB");
    assert_int_equal(texture.bytes, 6 * 4 * (64 + 16 + 4 + 1));
    assert_int_equal(texture.texels[0], 1);
    assert_int_equal(texture.texels[4 * 4], 2);                          /* the block to the right */
    assert_int_equal(texture.texels[64 * 4], 8);                         /* the second face */
    assert_int_equal(texture.texels[6 * 64 * 4], 5);                     /* level 1 of the first */
    assert_int_equal(texture.texels[6 * 4 * (64 + 16 + 4) + 5 * 4], 42); /* the last texel */
    sch_file_texture_release(&texture);
}

/* NVTT's flag of sRGB in DDS_PIXELFORMAT. */
static void knows_the_srgb_flag_of_nvtt(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        enum sch_file_transfer transfer;
        struct dds dds;
    } rows[] = {
        {"DXT1_SRGBA", SCH_FILE_TRANSFER_UNKNOWN, {.flags = 0x40000004, .code = LETTERS('D', 'X', 'T', '1')}},
        {"DXT5_SRGBA", SCH_FILE_TRANSFER_UNKNOWN, {.flags = 0x40000004, .code = LETTERS('D', 'X', 'T', '5')}},
        {"DXT3_SRGBA", SCH_FILE_TRANSFER_UNKNOWN, {.flags = 0x40000004, .code = LETTERS('D', 'X', 'T', '3')}},
        {"B8G8R8A8_SRGB",
         SCH_FILE_TRANSFER_UNKNOWN,
         {.flags = 0x40000041, .bits = 32, .masks = {0xff0000, 0xff00, 0xff, 0xff000000}}},
        {"B8G8R8_UNORM", SCH_FILE_TRANSFER_SRGB, {.flags = 0x40000040, .bits = 24, .masks = {0xff0000, 0xff00, 0xff}}},
        {"DXT5_RGBA", SCH_FILE_TRANSFER_UNKNOWN, {.flags = 0x80000004, .code = LETTERS('D', 'X', 'T', '5')}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dds dds = rows[i].dds;
        dds.width = dds.height = 4;
        struct bytes file = dds_of(&dds);
        const unsigned format = format_named(rows[i].format);
        fill(&file, (size_t)16 / (format_rows[format].width * format_rows[format].height) * block_bytes(format), 9);
        struct sch_file_texture texture = warned(&file, false, 0, "");
        assert_string_equal(format_rows[texture.format].name, rows[i].format);
        assert_int_equal(texture.transfer, rows[i].transfer);
        sch_file_texture_release(&texture);
    }
}

/* Of a file that was cut off, levels that are whole, and of arrays all that is there; 0 for the rest. */
static void takes_what_is_there_of_cut_dds(void **state)
{
    (void)state;
    struct bytes whole = dds_file(&narrow[3], 1, 1, 3, 1, 0); /* 25 + 4 + 1 bytes */
    const size_t begin = whole.count - 30;
    for (size_t bytes = 0; bytes < 30; bytes++) {
        whole.count = begin + bytes;
        refused(&whole, false, 6101, "needs 30");
        struct sch_file_texture texture = warned(&whole, true, CUT, "of 30 bytes");
        assert_int_equal(texture.levels, bytes < 29 ? 1 : 2);
        for (size_t i = 0; i < 25; i++)
            assert_int_equal(texture.texels[i], i < bytes ? texel_byte(0, 0, (uint32_t)i / 5, (uint32_t)i % 5) : 0);
        sch_file_texture_release(&texture);
    }
    /* Of a cube each face has all of its levels: the later ones are missing. */
    struct bytes cube = dds_file(&narrow[3], 6, 1, 2, 1, 0);
    cube.count -= 29 + 4 + 3;
    struct sch_file_texture texture = warned(&cube, true, CUT, "2 of 2 levels");
    const uint8_t *at = check_level(texture.texels, 0, 4, 5, 5);
    for (uint32_t i = 0; i < 22; i++) assert_int_equal(*at++, texel_byte(0, 4, i / 5, i % 5));
    for (uint32_t i = 0; i < 28; i++) assert_int_equal(*at++, 0);
    check_level(at, 1, 4, 2, 2);
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(at[16 + i], 0);
    sch_file_texture_release(&texture);
    /* Unless the size is that of fewer levels. */
    cube = dds_file(&narrow[3], 6, 1, 1, 1, 0);
    put_word(&cube, 28, 3);
    texture = warned(&cube, true, CUT, "1 of 3 levels");
    check_file(&texture, &narrow[3], 6, 1, 1);
    sch_file_texture_release(&texture);
    /* Limits hold. */
    put_word(&cube, 12, 16000);
    put_word(&cube, 16, 16000);
    refused(&cube, true, 6102, "");
}

/* ---- KTX ---- */

struct ktx {
    uint32_t type, format, internal; /* of OpenGL */
    uint32_t bytes;                  /* of a texel */
};
static const struct ktx ktx_formats[] = {{0x1401, 0x1907, 0x8051, 3},  /* RGB8 */
                                         {0x1401, 0x1903, 0x8229, 1},  /* R8 */
                                         {0x1401, 0x8227, 0x822b, 2},  /* RG8 */
                                         {0x8363, 0x1907, 0x8d62, 2},  /* RGB565 */
                                         {0x1401, 0x190a, 0x8045, 2},  /* LUMINANCE8_ALPHA8 */
                                         {0x1403, 0x1907, 0x8054, 6}}; /* RGB16 */
enum { KTX_FORMATS = sizeof ktx_formats / sizeof *ktx_formats };

/* Of width and height `side`. Rows are padded to `rows` bytes, and imageSize counts them padded to `counted`. */
static struct bytes ktx_file(const struct ktx *ktx, uint32_t side, uint32_t elements, uint32_t faces, uint32_t depth,
                             uint32_t levels, uint32_t rows, uint32_t counted)
{
    static const uint8_t identifier[12] = {0xab, 'K', 'T', 'X', ' ', '1', '1', 0xbb, '\r', '\n', 0x1a, '\n'};
    const uint32_t words[] = {0x04030201,  ktx->type, 1,    ktx->format,           ktx->internal,
                              ktx->format, side,      side, depth > 1 ? depth : 0, elements,
                              faces,       levels,    0};
    struct bytes file = {.count = sizeof identifier};
    memcpy(file.data, identifier, sizeof identifier);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) word(&file, words[i]);
    const bool cube = faces == 6 && !elements;
    for (uint32_t level = 0; level < levels; level++) {
        const uint32_t size = halved(side, level), bytes = size * ktx->bytes;
        const uint32_t images = halved(depth, level) * (elements ? elements : 1) * (faces ? faces : 1);
        word(&file, size * aligned(bytes, counted) * (cube ? 1 : images));
        for (uint32_t image = 0; image < images; image++) {
            append_image(&file, level, image, size, bytes, aligned(bytes, rows));
            if (cube || image + 1 == images) fill(&file, (4 - file.count % 4) % 4, 0xdd);
        }
    }
    return file;
}

static void check_ktx(const struct sch_file_texture *texture, const struct ktx *ktx, uint32_t side, uint32_t images,
                      uint32_t depth, uint32_t levels)
{
    const uint8_t *at = texture->texels;
    for (uint32_t level = 0; level < levels; level++) {
        const uint32_t size = halved(side, level);
        at = check_level(at, level, images * halved(depth, level), size, size * ktx->bytes);
    }
    assert_int_equal(at - texture->texels, texture->bytes);
}

/* PVRTexTool pads rows to 4 bytes and counts them in imageSize without. Others do not pad, or pad what they do not
 * count so. The size of the file says which. */
static void takes_rows_of_ktx_by_the_size(void **state)
{
    (void)state;
    static const struct {
        uint32_t side, elements, faces, depth, levels;
    } shapes[] = {{5, 0, 1, 1, 1}, {5, 0, 1, 1, 3}, {5, 0, 6, 1, 3}, {5, 3, 1, 1, 2}, {5, 2, 6, 1, 1}, {5, 0, 1, 5, 3}};
    for (unsigned i = 0; i < KTX_FORMATS; i++)
        for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (unsigned way = 0; way < 4; way++) {
                const uint32_t side = shapes[k].side, elements = shapes[k].elements, faces = shapes[k].faces;
                const uint32_t depth = shapes[k].depth, levels = shapes[k].levels;
                const uint32_t rows = way & 1 ? 4 : 1, counted = way & 2 ? 4 : 1;
                struct bytes file = ktx_file(&ktx_formats[i], side, elements, faces, depth, levels, rows, counted);
                const char *says = rows == counted ? "not padded" : rows == 1 ? "not padded" : "without their padding";
                struct sch_file_texture texture = warned(&file, false, way == 3 ? 0 : ROWS, says);
                check_ktx(&texture, &ktx_formats[i], side, (elements ? elements : 1) * faces, depth, levels);
                sch_file_texture_release(&texture);
            }
}

static void says_where_the_size_of_ktx_proves_nothing(void **state)
{
    (void)state;
    /* Two rows of seven bytes are 16 bytes either way: 14 and the padding of the level, or two of 8. */
    struct bytes file = ktx_file(&ktx_formats[1], 7, 0, 1, 1, 1, 1, 1);
    put_word(&file, 40, 2); /* pixelHeight */
    put_word(&file, 64, 14);
    file.count = 68 + 16;
    struct sch_file_texture texture = warned(&file, false, ROWS, "fits both");
    check_level(texture.texels, 0, 1, 2, 7);
    sch_file_texture_release(&texture);
    /* Neither kind of rows ends where the file does. */
    file = ktx_file(&ktx_formats[0], 5, 0, 1, 1, 1, 1, 1);
    fill(&file, 8, 0);
    refused(&file, false, 6101, "8 bytes after them");
    file = ktx_file(&ktx_formats[0], 5, 0, 1, 1, 1, 4, 1);
    file.count -= 2; /* 78 bytes: not 76, and not 80 */
    refused(&file, false, 6101, "neither");
    /* By the rules, bytes may follow. */
    file = ktx_file(&ktx_formats[0], 5, 0, 1, 1, 1, 4, 4);
    fill(&file, 8, 0);
    texture = warned(&file, false, 0, "");
    check_ktx(&texture, &ktx_formats[0], 5, 1, 1, 1);
    sch_file_texture_release(&texture);
}

static void takes_odd_headers_of_ktx(void **state)
{
    (void)state;
    struct bytes file = ktx_file(&ktx_formats[0], 4, 0, 0, 1, 3, 4, 4); /* gli's data have numberOfFaces 0 */
    struct sch_file_texture texture = warned(&file, false, HEADER, "0 faces");
    assert_int_equal(texture.target, SCH_TARGET_2D);
    check_ktx(&texture, &ktx_formats[0], 4, 1, 1, 3);
    sch_file_texture_release(&texture);
    file = ktx_file(&ktx_formats[0], 4, 0, 1, 1, 3, 4, 4);
    put_word(&file, 56, 4); /* numberOfMipmapLevels: one too many */
    texture = warned(&file, false, HEADER, "4 levels");
    check_ktx(&texture, &ktx_formats[0], 4, 1, 1, 3);
    sch_file_texture_release(&texture);
    put_word(&file, 56, 5);
    refused(&file, false, 6108, "levels");
    put_word(&file, 56, 3);
    put_word(&file, 52, 2);
    refused(&file, false, 6101, "2 faces");
}

static void takes_what_is_there_of_cut_ktx(void **state)
{
    (void)state;
    const struct ktx *ktx = &ktx_formats[1];
    const struct bytes whole = ktx_file(ktx, 4, 0, 1, 1, 3, 4, 4); /* levels end at 84, 96 and 104 */
    for (size_t end = 64; end < whole.count; end++) {
        struct bytes file = whole;
        file.count = end;
        const uint32_t levels = end < 96 ? 1 : 2;
        struct sch_file_texture texture;
        if (end >= whole.count - 3) continue; /* the last texel is there; its padding may be missing */
        refused(&file, false, 6101, "damaged KTX");
        texture = warned(&file, true, CUT, "of 3 levels");
        assert_int_equal(texture.levels, levels);
        for (size_t i = 0; i < 16; i++)
            assert_int_equal(texture.texels[i], 68 + i < end ? texel_byte(0, 0, (uint32_t)i / 4, (uint32_t)i % 4) : 0);
        sch_file_texture_release(&texture);
    }
    struct bytes file = whole;
    put_word(&file, 64, 17); /* a wrong size is damage, not an end */
    file.count -= 8;
    refused(&file, true, 6101, "level 0 of 17 bytes");
}

/* ---- kinds that are not read ---- */

static void names_pictures_that_are_not_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes;
        size_t count;
    } rows[] = {
        {"BMP", "BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0", 26},
        {"GIF", "GIF89a\1\0\1\0\0\0\0", 13},
        {"GIF", "GIF87a\1\0\1\0\0\0\0", 13},
        {"TIFF", "II*\0\10\0\0\0", 8},
        {"TIFF", "MM\0*\0\0\0\10", 8},
        {"WebP", "RIFF\4\0\0\0WEBP", 12},
        {"TGA", "\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0abc", 21}, /* one texel of 24 bits */
        {"TGA",
         "\0\0\n\0\0\0\0\0\0\0\0\0\2\0\1\0\x20\10\x81"
         "abcd",
         23},                                                        /* two of 32 bits, in a run */
        {"TGA", "\0\1\1\0\0\1\0\x18\0\0\0\0\1\0\1\0\10\0abc\0", 22}, /* of a palette */
    };
    static const char foot[] = "\0\0\0\0\0\0\0\0TRUEVISION-XFILE.";
    struct bytes file;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        file.count = rows[i].count;
        memcpy(file.data, rows[i].bytes, rows[i].count);
        assert_string_equal(sch_file_unread_kind_of(file.data, file.count), rows[i].name);
        refused(&file, false, 6104, rows[i].name);
        refused(&file, false, 6104, "which is not read: PNG, JPEG, PNM, PFM, HDR, EXR, DDS, KTX and KTX2 are");
        for (size_t k = 0; k + 1 < file.count && k < 8;
             k++) /* cut off, nothing is known; and nothing is read past it */
            if (sch_file_unread_kind_of(file.data, k) && k < 4) fail_msg("%s by %zu bytes", rows[i].name, k);
    }
    memset(file.data, 0xcc, 100); /* a TGA of version 2 by its end alone */
    memcpy(file.data + 100 - sizeof foot, foot, sizeof foot);
    assert_string_equal(sch_file_unread_kind_of(file.data, 100), "TGA");
    static const char *const others[] = {"BM is no bitmap, it is a text", "FRAG\nEND\n", "RIFF\4\0\0\0WAVE", "GIF90a",
                                         ""};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(sch_file_unread_kind_of(others[i], strlen(others[i])));
    assert_null(sch_file_unread_kind_of(NULL, 0));
    assert_null(sch_file_unread_kind_of("\x89PNG\r\n\x1a\n", 8)); /* that is read */
    /* A header with any byte that none has. */
    static const char tga[] = "\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0abc";
    static const struct {
        size_t at;
        char value;
    } wrong[] = {{1, 2}, {1, 1},  {2, 0},  {2, 4},  {2, 1},   {5, 1},
                 {7, 8}, {12, 0}, {12, 2}, {14, 0}, {16, 12}, {17, 0x40}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char bytes[sizeof tga];
        memcpy(bytes, tga, sizeof tga);
        bytes[wrong[i].at] = wrong[i].value;
        assert_null(sch_file_unread_kind_of(bytes, sizeof tga - 1));
    }
}

/* ---- pictures ---- */

/* Two rows of blocks, of which the second is not there (T.81, A.2.1). */
static void takes_what_is_there_of_cut_jpeg(void **state)
{
    (void)state;
    enum { HEIGHT_AT = 7 + 64 + 6, MARKER = 2 }; /* after one table of quanta; of the end */
    struct sch_file_kind_info info = {.size = sizeof info};
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_JPEG, &info), SCH_OK);
    if (info.needs) skip();
    struct picture_bytes picture = picture_jpeg(0);
    picture.data[HEIGHT_AT] = 16;
    struct bytes file = {.count = picture.count - MARKER};
    memcpy(file.data, picture.data, file.count);
    file.data[file.count - 1] = 0x52; /* 0, the end of the first block; 10 and five of six bits of the second one */
    refused(&file, false, DAMAGED, "JPEG");
    struct sch_file_texture texture = warned(&file, true, CUT, "cut off: 8 of 16 rows are read");
    assert_int_equal(texture.bytes, 128);
    for (size_t i = 0; i < texture.bytes; i++) assert_int_equal(texture.texels[i], i < 64 ? 165 : 0);
    sch_file_texture_release(&texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_padded_rows_of_dds),
        cmocka_unit_test(takes_a_pitch_that_the_size_proves),
        cmocka_unit_test(refuses_a_size_that_contradicts_all_rows),
        cmocka_unit_test(knows_codes_of_amd),
        cmocka_unit_test(knows_numbers_of_direct3d_9),
        cmocka_unit_test(takes_odd_headers_of_dds),
        cmocka_unit_test(passes_over_a_level_between_layers),
        cmocka_unit_test(exchanges_red_and_alpha_of_rxgb),
        cmocka_unit_test(knows_the_srgb_flag_of_nvtt),
        cmocka_unit_test(takes_what_is_there_of_cut_dds),
        cmocka_unit_test(takes_rows_of_ktx_by_the_size),
        cmocka_unit_test(says_where_the_size_of_ktx_proves_nothing),
        cmocka_unit_test(takes_odd_headers_of_ktx),
        cmocka_unit_test(takes_what_is_there_of_cut_ktx),
        cmocka_unit_test(names_pictures_that_are_not_read),
        cmocka_unit_test(takes_what_is_there_of_cut_jpeg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
