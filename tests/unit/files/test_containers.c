/* Texture files that are written and read again: every format, shape and compression, byte for byte; wrong calls;
 * failing memory. Files that others wrote, and damaged ones, are in test_container_files.c. */
#include "container_support.h"

static const enum sch_file_kind kinds[] = {SCH_FILE_KIND_DDS, SCH_FILE_KIND_KTX, SCH_FILE_KIND_KTX2};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct shape {
    enum sch_target target;
    uint32_t width, height, depth, layers, levels;
} shapes[] = {
    {SCH_TARGET_2D, 13, 7, 1, 1, 4},      {SCH_TARGET_2D, 1, 1, 1, 1, 1},       {SCH_TARGET_2D, 5, 64, 1, 1, 7},
    {SCH_TARGET_1D, 9, 1, 1, 1, 4},       {SCH_TARGET_3D, 5, 6, 7, 1, 3},       {SCH_TARGET_CUBE, 9, 9, 1, 6, 4},
    {SCH_TARGET_1D_ARRAY, 7, 1, 1, 3, 2}, {SCH_TARGET_2D_ARRAY, 6, 5, 1, 4, 3}, {SCH_TARGET_CUBE_ARRAY, 5, 5, 1, 12, 3},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct sch_file_texture texture_of(const struct shape *shape, unsigned format)
{
    return random_texture(shape->target, format, shape->width, shape->height, shape->depth, shape->layers,
                          shape->levels);
}

/* Whether the kind takes the texture; if it does, what it wrote is read as the same. */
static bool goes_round(enum sch_file_kind kind, const struct sch_file_texture *texture)
{
    struct sch_file_error error = {.size = sizeof error};
    struct sch_file_bytes file;
    enum sch_result result = sch_file_texture_write(NULL, kind, texture, &file, &error);
    if (result != SCH_OK) {
        assert_int_equal(result, SCH_ERROR_UNSUPPORTED);
        assert_true(error.code == 6106 || error.code == 6107);
        assert_null(file.data);
        return false;
    }
    assert_int_equal(sch_file_kind_of(file.data, file.bytes), kind);
    struct sch_file_texture read = read_texture(file.data, file.bytes, format_rows[texture->format].name);
    assert_same_texture(texture, &read, "round trip");
    sch_file_texture_release(&read);
    sch_file_bytes_release(&file);
    return true;
}

/* How many formats each kind has words for, and which of the compressed ones it lacks. Of 418 formats 18 have several
 * planes; the rows of AYUV and XYUV have no whole blocks. KTX: the rows of ktx.def. */
static void every_format_goes_round(void **state)
{
    (void)state;
    unsigned taken[KINDS] = {0}, all = 0;
    for (unsigned format = 1; format < format_row_count; format++) {
        if (!block_bytes(format)) continue;
        all++;
        for (unsigned k = 0; k < KINDS; k++) {
            bool any = false;
            for (unsigned s = 0; s < SHAPES; s++) {
                struct sch_file_texture texture = texture_of(&shapes[s], format);
                any |= goes_round(kinds[k], &texture);
                free(texture.texels);
            }
            taken[k] += any;
        }
    }
    assert_int_equal(all, 398);
    assert_int_equal(taken[0], 159);
    assert_int_equal(taken[1], 218);
    assert_int_equal(taken[2], 296);
}

/* The formats that each kind must take in two axes with levels. */
static void the_usual_formats_are_written(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool written[KINDS];
    } rows[] = {
        {"R8G8B8A8_UNORM", {1, 1, 1}},
        {"R8G8B8A8_SRGB", {1, 1, 1}},
        {"B8G8R8A8_UNORM", {1, 1, 1}},
        {"B8G8R8X8_UNORM", {1, 0, 1}},
        {"R8G8B8_UNORM", {1, 1, 1}},
        {"B8G8R8_UNORM", {1, 1, 1}},
        {"R16G16B16A16_UNORM", {1, 1, 1}},
        {"R16G16B16A16_FLOAT", {1, 1, 1}},
        {"R32G32B32A32_FLOAT", {1, 1, 1}},
        {"R32G32B32_FLOAT", {1, 1, 1}},
        {"R64G64B64A64_FLOAT", {0, 0, 1}},
        {"R11G11B10_FLOAT", {1, 1, 1}},
        {"R9G9B9E5_FLOAT", {1, 1, 1}},
        {"R10G10B10A2_UNORM", {1, 1, 1}},
        {"B5G6R5_UNORM", {1, 1, 1}},
        {"L8_UNORM", {1, 1, 1}},
        {"A8_UNORM", {1, 1, 1}},
        {"L8A8_UNORM", {1, 1, 1}},
        {"I8_UNORM", {0, 0, 1}},
        {"Z16_UNORM", {1, 1, 1}},
        {"Z32_FLOAT_S8X24_UINT", {1, 1, 1}},
        {"Z24_UNORM_S8_UINT", {1, 0, 0}},
        {"S8_UINT_Z24_UNORM", {1, 1, 1}},
        {"DXT1_RGB", {1, 1, 1}},
        {"DXT1_RGBA", {1, 1, 1}},
        {"DXT3_SRGBA", {1, 1, 1}},
        {"DXT5_RGBA", {1, 1, 1}},
        {"RGTC1_SNORM", {1, 1, 1}},
        {"RGTC2_UNORM", {1, 1, 1}},
        {"LATC2_UNORM", {0, 1, 0}},
        {"BPTC_RGBA_UNORM", {1, 1, 1}},
        {"BPTC_RGB_UFLOAT", {1, 1, 1}},
        {"ETC1_RGB8", {1, 1, 0}},
        {"ETC2_RGB8A1", {1, 1, 1}},
        {"ETC2_RG11_SNORM", {0, 1, 1}},
        {"ASTC_4x4", {0, 1, 1}},
        {"ASTC_12x12_SRGB", {0, 1, 1}},
        {"FXT1_RGB", {0, 1, 0}},
        {"ATC_RGBA_EXPLICIT", {1, 1, 0}},
        {"UYVY", {1, 0, 1}},
        {"R8G8_B8G8_UNORM", {1, 0, 0}},
        {"NV12", {0, 0, 0}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned format = format_named(rows[i].name);
        if (!block_bytes(format)) continue;
        struct sch_file_texture texture = texture_of(&shapes[0], format);
        for (unsigned k = 0; k < KINDS; k++) {
            const bool written = goes_round(kinds[k], &texture);
            if (written != rows[i].written[k]) print_message("%s: kind %u\n", rows[i].name, kinds[k]);
            assert_int_equal(written, rows[i].written[k]);
        }
        free(texture.texels);
    }
}

/* Sizes around those of blocks and of aligned rows. */
static void every_size_goes_round(void **state)
{
    (void)state;
    static const char *const formats[] = {"R8_UNORM", "R8G8B8_UNORM", "R16G16B16_FLOAT", "DXT1_RGBA", "ASTC_5x4"};
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (uint32_t width = 1; width <= 17; width++)
            for (uint32_t height = 1; height <= 9; height += 2)
                for (unsigned k = 0; k < KINDS; k++) {
                    struct sch_file_texture texture =
                        random_texture(SCH_TARGET_2D, format_named(formats[f]), width, height, 1, 1, 1);
                    const bool astc_in_dds = kinds[k] == SCH_FILE_KIND_DDS && f == 4;
                    const bool half_in_dds = kinds[k] == SCH_FILE_KIND_DDS && f == 2;
                    assert_int_equal(goes_round(kinds[k], &texture), !astc_in_dds && !half_in_dds);
                    free(texture.texels);
                }
}

static void compressions_go_round(void **state)
{
    (void)state;
    static const char *const formats[] = {"R8_UNORM", "R16G16B16A16_FLOAT", "DXT5_RGBA", "ASTC_6x6_SRGB"};
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned s = 0; s < SHAPES; s++)
            for (int scheme = SCH_FILE_SUPERCOMPRESSION_ZSTD; scheme <= SCH_FILE_SUPERCOMPRESSION_ZLIB; scheme++) {
                if (scheme == SCH_FILE_SUPERCOMPRESSION_ZSTD && !has_zstd()) continue;
                const bool line = shapes[s].target == SCH_TARGET_1D || shapes[s].target == SCH_TARGET_1D_ARRAY;
                if (f >= 2 && line) continue; /* no blocks of lines */
                struct sch_file_texture texture = texture_of(&shapes[s], format_named(formats[f]));
                for (size_t i = 0; i < texture.bytes; i++) texture.texels[i] &= 3;
                struct sch_file_bytes file =
                    write_texture(SCH_FILE_KIND_KTX2, (enum sch_file_supercompression)scheme, &texture);
                struct sch_file_bytes again =
                    write_texture(SCH_FILE_KIND_KTX2, (enum sch_file_supercompression)scheme, &texture);
                assert_int_equal(file.bytes, again.bytes);
                assert_memory_equal(file.data, again.data, file.bytes);
                struct sch_file_texture read = read_texture(file.data, file.bytes, formats[f]);
                assert_same_texture(&texture, &read, "compressed");
                sch_file_texture_release(&read);
                sch_file_bytes_release(&file);
                sch_file_bytes_release(&again);
                free(texture.texels);
            }
}

/* A large level takes several steps of the compressing libraries, and becomes smaller. */
static void large_levels_are_compressed(void **state)
{
    (void)state;
    struct sch_file_texture texture = random_texture(SCH_TARGET_2D, format_named("R8G8B8A8_UNORM"), 512, 300, 1, 1, 10);
    for (size_t i = 0; i < texture.bytes; i++) texture.texels[i] = (uint8_t)(i / 97 ^ (texture.texels[i] & 1));
    for (int scheme = SCH_FILE_SUPERCOMPRESSION_ZSTD; scheme <= SCH_FILE_SUPERCOMPRESSION_ZLIB; scheme++) {
        if (scheme == SCH_FILE_SUPERCOMPRESSION_ZSTD && !has_zstd()) continue;
        struct sch_file_bytes file =
            write_texture(SCH_FILE_KIND_KTX2, (enum sch_file_supercompression)scheme, &texture);
        assert_true(file.bytes < texture.bytes / 2);
        struct sch_file_texture read = read_texture(file.data, file.bytes, "large");
        assert_same_texture(&texture, &read, "large");
        sch_file_texture_release(&read);
        sch_file_bytes_release(&file);
    }
    free(texture.texels);
}

/* What kinds have words for beside texels: DDS premultiplied alpha, KTX2 the curve, too. */
static void colours_are_kept(void **state)
{
    (void)state;
    static const struct {
        enum sch_file_kind kind;
        enum sch_file_transfer transfer, read;
        bool premultiplied;
        const char *format;
    } rows[] = {
        {SCH_FILE_KIND_DDS, SCH_FILE_TRANSFER_UNKNOWN, SCH_FILE_TRANSFER_UNKNOWN, true, "DXT3_RGBA"},
        {SCH_FILE_KIND_DDS, SCH_FILE_TRANSFER_SRGB, SCH_FILE_TRANSFER_UNKNOWN, true, "R8G8B8A8_UNORM"},
        {SCH_FILE_KIND_KTX2, SCH_FILE_TRANSFER_SRGB, SCH_FILE_TRANSFER_SRGB, true, "R8G8B8A8_UNORM"},
        {SCH_FILE_KIND_KTX2, SCH_FILE_TRANSFER_LINEAR, SCH_FILE_TRANSFER_LINEAR, false, "R16G16B16A16_FLOAT"},
        {SCH_FILE_KIND_KTX2, SCH_FILE_TRANSFER_UNKNOWN, SCH_FILE_TRANSFER_UNKNOWN, false, "R8_UNORM"},
        {SCH_FILE_KIND_KTX2, SCH_FILE_TRANSFER_LINEAR, SCH_FILE_TRANSFER_SRGB, false, "R8G8B8A8_SRGB"},
        {SCH_FILE_KIND_KTX2, SCH_FILE_TRANSFER_LINEAR, SCH_FILE_TRANSFER_UNKNOWN, false, "R8G8B8A8_UINT"},
        {SCH_FILE_KIND_KTX2, SCH_FILE_TRANSFER_UNKNOWN, SCH_FILE_TRANSFER_SRGB, true, "ASTC_4x4_SRGB"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_file_texture texture = texture_of(&shapes[0], format_named(rows[i].format));
        texture.transfer = rows[i].transfer;
        texture.premultiplied = rows[i].premultiplied;
        struct sch_file_bytes file = write_texture(rows[i].kind, SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        struct sch_file_texture read = read_texture(file.data, file.bytes, rows[i].format);
        assert_same_texture(&texture, &read, "colours");
        assert_int_equal(read.transfer, rows[i].read);
        sch_file_texture_release(&read);
        sch_file_bytes_release(&file);
        free(texture.texels);
    }
}

static void memory_may_fail(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++)
        for (int scheme = 0; scheme <= (kinds[k] == SCH_FILE_KIND_KTX2 ? 2 : 0); scheme++) {
            if (scheme == SCH_FILE_SUPERCOMPRESSION_ZSTD && !has_zstd()) continue;
            struct sch_file_texture texture = texture_of(&shapes[5], format_named("R8G8B8A8_UNORM"));
            struct sch_file_error error;
            bool written = false;
            for (size_t refuse = 0; !written && refuse < 100; refuse++) {
                struct counting counting = {.refuse_after = refuse};
                struct sch_allocator memory = counting_allocator(&counting);
                struct sch_file_options limits = {.size = sizeof limits, .memory = &memory};
                struct sch_file_write_options options = {.size = sizeof options,
                                                         .limits = &limits,
                                                         .supercompression = (enum sch_file_supercompression)scheme};
                struct sch_file_bytes file;
                enum sch_result result = sch_file_texture_write(&options, kinds[k], &texture, &file, NULL);
                written = result == SCH_OK;
                if (!written) {
                    assert_int_equal(result, SCH_ERROR_MEMORY);
                    assert_null(file.data);
                    assert_int_equal(counting.allocations, counting.frees);
                    continue;
                }
                bool read = false;
                for (size_t r = 0; !read && r < 100; r++) {
                    struct counting reading = {.refuse_after = r};
                    result = read_counted(file.data, file.bytes, &reading, &error);
                    read = result == SCH_OK;
                    if (!read) assert_int_equal(result, SCH_ERROR_MEMORY);
                }
                assert_true(read);
                sch_file_bytes_release(&file);
                assert_int_equal(counting.allocations, counting.frees);
            }
            assert_true(written);
            free(texture.texels);
        }
}

static void refuses_wrong_calls(void **state)
{
    (void)state;
    struct sch_file_texture good = texture_of(&shapes[0], format_named("R8_UNORM")), wrong;
    struct sch_file_bytes file;
    struct sch_file_texture read = {.size = sizeof read};
    assert_int_equal(sch_file_texture_write(NULL, SCH_FILE_KIND_DDS, NULL, &file, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_texture_write(NULL, SCH_FILE_KIND_DDS, &good, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_texture_write(NULL, SCH_FILE_KIND_UNKNOWN, &good, &file, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_texture_write(NULL, (enum sch_file_kind)99, &good, &file, NULL), SCH_ERROR_ARGUMENT);
#define WRONG(change)                                                                                                  \
    wrong = good;                                                                                                      \
    wrong.change;                                                                                                      \
    assert_int_equal(sch_file_texture_write(NULL, SCH_FILE_KIND_KTX2, &wrong, &file, NULL), SCH_ERROR_ARGUMENT)
    WRONG(size = 8);
    WRONG(texels = NULL);
    WRONG(bytes--);
    WRONG(width = 0);
    WRONG(height = 0);
    WRONG(depth = 0);
    WRONG(depth = 2);
    WRONG(layers = 0);
    WRONG(layers = 2);
    WRONG(levels = 0);
    WRONG(levels = 5);
    WRONG(width = UINT32_MAX);
    WRONG(target = SCH_TARGET_1D);
    WRONG(target = SCH_TARGET_RECT);
    WRONG(target = SCH_TARGET_BUFFER);
    WRONG(target = SCH_TARGET_2D_MSAA);
    WRONG(target = SCH_TARGET_CUBE);
    WRONG(target = SCH_TARGET_CUBE_ARRAY);
    WRONG(format = SCH_FORMAT_NONE);
    WRONG(format = SCH_FORMAT_NV12);
    WRONG(format = (enum sch_format)9999);
    WRONG(transfer = (enum sch_file_transfer)4);
#undef WRONG
    struct sch_file_write_options options = {.size = sizeof options,
                                             .supercompression = (enum sch_file_supercompression)3};
    assert_int_equal(sch_file_texture_write(&options, SCH_FILE_KIND_KTX2, &good, &file, NULL), SCH_ERROR_ARGUMENT);
    options = (struct sch_file_write_options){.size = 3};
    assert_int_equal(sch_file_texture_write(&options, SCH_FILE_KIND_KTX2, &good, &file, NULL), SCH_ERROR_ARGUMENT);

    struct sch_file_bytes dds = write_texture(SCH_FILE_KIND_DDS, SCH_FILE_SUPERCOMPRESSION_NONE, &good);
    struct sch_file_error error = {.size = sizeof error};
    struct sch_file_read_options reading = {.size = sizeof reading, .kind = SCH_FILE_KIND_KTX};
    assert_int_equal(sch_file_texture_read(&reading, dds.data, dds.bytes, &read, &error), SCH_ERROR_INVALID);
    assert_int_equal(error.code, 6104);
    reading.kind = (enum sch_file_kind)99;
    assert_int_equal(sch_file_texture_read(&reading, dds.data, dds.bytes, &read, &error), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_texture_read(NULL, "nothing", 7, &read, &error), SCH_ERROR_INVALID);
    assert_int_equal(error.code, 6104);
    assert_int_equal(sch_file_texture_read(NULL, NULL, 0, &read, &error), SCH_ERROR_INVALID);
    assert_int_equal(sch_file_texture_read(NULL, NULL, 3, &read, &error), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_texture_read(NULL, dds.data, dds.bytes, NULL, &error), SCH_ERROR_ARGUMENT);
    read.size = 4;
    assert_int_equal(sch_file_texture_read(NULL, dds.data, dds.bytes, &read, &error), SCH_ERROR_ARGUMENT);
    read.size = sizeof read;
    error.size = 1;
    assert_int_equal(sch_file_texture_read(NULL, dds.data, dds.bytes, &read, &error), SCH_ERROR_ARGUMENT);
    sch_file_texture_release(NULL);
    sch_file_bytes_release(&dds);
    free(good.texels);
}

static void limits_hold(void **state)
{
    (void)state;
    struct sch_file_texture texture = random_texture(SCH_TARGET_3D, format_named("R8_UNORM"), 8, 4, 10, 1, 1), read;
    for (unsigned k = 0; k < KINDS; k++) {
        struct sch_file_bytes file = write_texture(kinds[k], SCH_FILE_SUPERCOMPRESSION_NONE, &texture);
        static const struct {
            uint32_t width, height;
            size_t bytes;
            enum sch_result result;
        } rows[] = {{10, 10, 320, SCH_OK},          {8, 10, 320, SCH_OK},          {10, 4, 320, SCH_OK},
                    {7, 10, 320, SCH_ERROR_LIMIT},  {10, 3, 320, SCH_ERROR_LIMIT}, {9, 9, 320, SCH_ERROR_LIMIT},
                    {10, 10, 319, SCH_ERROR_LIMIT}, {10, 10, 1, SCH_ERROR_LIMIT}};
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct sch_file_options limits = {.size = sizeof limits,
                                              .max_width = rows[i].width,
                                              .max_height = rows[i].height,
                                              .max_bytes = rows[i].bytes};
            struct sch_file_read_options options = {.size = sizeof options, .limits = &limits, .kind = kinds[k]};
            struct sch_file_error error = {.size = sizeof error};
            read = (struct sch_file_texture){.size = sizeof read};
            assert_int_equal(sch_file_texture_read(&options, file.data, file.bytes, &read, &error), rows[i].result);
            assert_int_equal(error.code, rows[i].result == SCH_OK ? 0 : 6102);
            sch_file_texture_release(&read);
        }
        sch_file_bytes_release(&file);
    }
    free(texture.texels);
}

static void kinds_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum sch_file_kind kind;
    } names[] = {
        {"a.dds", SCH_FILE_KIND_DDS},       {"A.DDS", SCH_FILE_KIND_DDS},      {"x/y.z/b.ktx", SCH_FILE_KIND_KTX},
        {"b.kTx2", SCH_FILE_KIND_KTX2},     {"c.png", SCH_FILE_KIND_PNG},      {".png", SCH_FILE_KIND_PNG},
        {"png", SCH_FILE_KIND_UNKNOWN},     {"a.ktx3", SCH_FILE_KIND_UNKNOWN}, {"a.kt", SCH_FILE_KIND_UNKNOWN},
        {"a.png/b", SCH_FILE_KIND_UNKNOWN}, {"a.", SCH_FILE_KIND_UNKNOWN},     {"", SCH_FILE_KIND_UNKNOWN},
        {NULL, SCH_FILE_KIND_UNKNOWN}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(sch_file_kind_by_name(names[i].path), names[i].kind);
    for (unsigned k = 0; k < KINDS; k++) {
        struct sch_file_kind_info info = {.size = sizeof info};
        assert_int_equal(sch_file_kind_get_info(kinds[k], &info), SCH_OK);
        assert_true(info.textures && info.writes && !info.needs);
    }
    struct sch_file_kind_info info = {.size = sizeof info};
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_KTX2, &info), SCH_OK);
    assert_string_equal(info.name, "KTX2");
    assert_string_equal(info.extensions, "ktx2");
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_UNKNOWN, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_DDS, NULL), SCH_ERROR_ARGUMENT);
    info.size = 1;
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_DDS, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_file_kind_of(NULL, 0), SCH_FILE_KIND_UNKNOWN);
    assert_int_equal(sch_file_kind_of("DDS", 3), SCH_FILE_KIND_UNKNOWN);
    assert_int_equal(sch_file_kind_of("DDS ", 4), SCH_FILE_KIND_DDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_goes_round),
        cmocka_unit_test(the_usual_formats_are_written),
        cmocka_unit_test(every_size_goes_round),
        cmocka_unit_test(compressions_go_round),
        cmocka_unit_test(large_levels_are_compressed),
        cmocka_unit_test(colours_are_kept),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(refuses_wrong_calls),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
