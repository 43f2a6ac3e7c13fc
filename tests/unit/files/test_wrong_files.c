/* Calls of libscheelite-files that return ARGUMENT name the argument in their report. Each function that has a report
 * is called wrongly in every way that it documents; tests/static/arguments.py checks that the names are those of the
 * header and that no function is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <scheelite/files.h>

static uint8_t texels[64 * 4 * 4];
static struct sch_file_error error;
static struct sch_file_bytes file;

static void expect(const char *argument, const char *function, enum sch_result result)
{
    if (result != SCH_ERROR_ARGUMENT) fail_msg("%s, %s: %u", function, argument, (unsigned)result);
    assert_int_equal(error.code, 6300);
    if (strcmp(error.argument, argument) != 0)
        fail_msg("%s: %s instead of %s (%s)", function, error.argument, argument, error.message);
    if (strncmp(error.message, argument, strlen(argument)) != 0 || !strchr(error.message, ' '))
        fail_msg("%s: %s does not begin with %s", function, error.message, argument);
    error = (struct sch_file_error){.size = sizeof error};
}

/* The call returns ARGUMENT and names `argument`. */
#define WRONG(argument, function, ...) expect(argument, #function, function(__VA_ARGS__))

static int begin(void **state)
{
    (void)state;
    error = (struct sch_file_error){.size = sizeof error};
    return 0;
}

static const struct sch_file_options short_limits = {.size = 3},
                                     no_memory = {.size = sizeof no_memory, .memory = &(const struct sch_allocator){0}};

static void reading(void **state)
{
    (void)state;
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_read_options options = {.size = sizeof options};
    WRONG("picture", sch_png_read, NULL, texels, 1, NULL, &error);
    WRONG("data", sch_png_read, NULL, NULL, 1, &picture, &error);
    WRONG("options.size", sch_png_read, &short_limits, texels, 1, &picture, &error);
    WRONG("options.memory", sch_png_read, &no_memory, texels, 1, &picture, &error);
    picture.size = 1;
    WRONG("picture.size", sch_png_read, NULL, texels, 1, &picture, &error);
    WRONG("texture", sch_file_texture_read, NULL, texels, 1, NULL, &error);
    WRONG("data", sch_file_texture_read, NULL, NULL, 1, &texture, &error);
    options.limits = &short_limits;
    WRONG("options.limits.size", sch_file_texture_read, &options, texels, 1, &texture, &error);
    options.limits = &no_memory;
    WRONG("options.limits.memory", sch_file_texture_read, &options, texels, 1, &texture, &error);
    options.limits = NULL;
    options.kind = (enum sch_file_kind)99;
    WRONG("options.kind", sch_file_texture_read, &options, texels, 1, &texture, &error);
    options.size = 5000;
    WRONG("options.size", sch_file_texture_read, &options, texels, 1, &texture, &error);
    texture.size = 0;
    WRONG("texture.size", sch_file_texture_read, NULL, texels, 1, &texture, &error);
}

static void writing_pictures(void **state)
{
    (void)state;
    const struct sch_picture right = {
        .size = sizeof right, .width = 4, .height = 4, .texels = texels, .bytes = sizeof texels};
    struct sch_picture picture = right;
    WRONG("file", sch_png_write, NULL, &picture, NULL, &error);
    WRONG("picture", sch_png_write, NULL, NULL, &file, &error);
    WRONG("options.size", sch_png_write, &short_limits, &picture, &file, &error);
    picture.size = 0;
    WRONG("picture.size", sch_png_write, NULL, &picture, &file, &error);
    picture = right;
    picture.texels = NULL;
    WRONG("picture.texels", sch_png_write, NULL, &picture, &file, &error);
    picture = right;
    picture.width = 0;
    WRONG("picture.width", sch_png_write, NULL, &picture, &file, &error);
    picture.width = 536870912;
    WRONG("picture.width", sch_png_write, NULL, &picture, &file, &error);
    picture = right;
    picture.height = 0;
    WRONG("picture.height", sch_png_write, NULL, &picture, &file, &error);
    picture = right;
    picture.bytes = 63;
    WRONG("picture.bytes", sch_png_write, NULL, &picture, &file, &error);
}

static void writing_textures(void **state)
{
    (void)state;
    const struct sch_file_texture right = {.size = sizeof right,
                                           .target = SCH_TARGET_2D,
                                           .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                           .width = 4,
                                           .height = 4,
                                           .depth = 1,
                                           .layers = 1,
                                           .levels = 1,
                                           .texels = texels,
                                           .bytes = sizeof texels};
    struct sch_file_texture texture = right;
    struct sch_file_write_options options = {.size = sizeof options};
    WRONG("file", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, NULL, &error);
    WRONG("texture", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, NULL, &file, &error);
    WRONG("kind", sch_file_texture_write, NULL, (enum sch_file_kind)99, &texture, &file, &error);
    texture.size = 0;
    WRONG("texture.size", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, &file, &error);
    texture = right;
    texture.levels = 9;
    WRONG("texture", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, &file, &error);
    texture = right;
    texture.texels = NULL;
    WRONG("texture.texels", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, &file, &error);
    texture = right;
    texture.bytes = 63;
    WRONG("texture.bytes", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, &file, &error);
    texture = right;
    texture.width = texture.height = texture.depth = UINT32_MAX;
    texture.target = SCH_TARGET_3D;
    WRONG("texture", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, &file, &error);
    texture = right;
    texture.transfer = (enum sch_file_transfer)9;
    WRONG("texture.transfer", sch_file_texture_write, NULL, SCH_FILE_KIND_DDS, &texture, &file, &error);
    texture.transfer = SCH_FILE_TRANSFER_GAMMA;
    texture.gamma = NAN;
    WRONG("texture.gamma", sch_file_texture_write, NULL, SCH_FILE_KIND_PNG, &texture, &file, &error);
    options.has_compression = true;
    options.compression = 13;
    WRONG("options.compression", sch_file_texture_write, &options, SCH_FILE_KIND_PNG, &right, &file, &error);
    options.supercompression = (enum sch_file_supercompression)9;
    WRONG("options.supercompression", sch_file_texture_write, &options, SCH_FILE_KIND_KTX2, &right, &file, &error);
    options.limits = &no_memory;
    WRONG("options.limits.memory", sch_file_texture_write, &options, SCH_FILE_KIND_PNG, &right, &file, &error);
    options.size = 1;
    WRONG("options.size", sch_file_texture_write, &options, SCH_FILE_KIND_PNG, &right, &file, &error);
}

static void writing_pieces(void **state)
{
    (void)state;
    const struct sch_png_piece right = {
        .size = sizeof right, .width = 4, .height = 4, .rows = 4, .texels = texels, .bytes = sizeof texels};
    struct sch_png_piece piece = right;
    struct sch_png_piece_info info = {.size = sizeof info}, short_info = {.size = 1};
    const struct sch_file_write_options options = {.size = sizeof options, .has_compression = true, .compression = 13};
    WRONG("file", sch_png_piece_write, NULL, &piece, &info, NULL, &error);
    WRONG("info", sch_png_piece_write, NULL, &piece, NULL, &file, &error);
    WRONG("info.size", sch_png_piece_write, NULL, &piece, &short_info, &file, &error);
    WRONG("piece", sch_png_piece_write, NULL, NULL, &info, &file, &error);
    WRONG("options.compression", sch_png_piece_write, &options, &piece, &info, &file, &error);
    piece.texels = NULL;
    WRONG("piece.texels", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece = right;
    piece.width = 0;
    WRONG("piece.width", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece = right;
    piece.height = 0;
    WRONG("piece.height", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece = right;
    piece.first = 4;
    WRONG("piece.first", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece.first = 1;
    WRONG("piece.first", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece = right;
    piece.rows = 5;
    WRONG("piece.rows", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece.rows = 3;
    WRONG("piece.rows", sch_png_piece_write, NULL, &piece, &info, &file, &error);
    piece = right;
    piece.bytes = 63;
    WRONG("piece.bytes", sch_png_piece_write, NULL, &piece, &info, &file, &error);
}

/* A report is optional, and one of a wrong size is not touched. */
static void reports_are_optional(void **state)
{
    (void)state;
    struct sch_file_error small;
    memset(&small, 0x55, sizeof small);
    small.size = sizeof small - 1;
    assert_int_equal(sch_png_read(NULL, texels, 1, NULL, &small), SCH_ERROR_ARGUMENT);
    assert_int_equal(small.message[0], 0x55);
    assert_int_equal(sch_png_read(NULL, texels, 1, NULL, NULL), SCH_ERROR_ARGUMENT);
    /* A damaged file is no wrong call. */
    struct sch_picture picture = {.size = sizeof picture};
    strcpy(error.argument, "left");
    assert_int_equal(sch_png_read(NULL, texels, 1, &picture, &error), SCH_ERROR_INVALID);
    assert_string_equal(error.argument, "");
    assert_true(error.code && error.code != 6300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reading, begin), cmocka_unit_test_setup(writing_pictures, begin),
        cmocka_unit_test_setup(writing_textures, begin), cmocka_unit_test_setup(writing_pieces, begin),
        cmocka_unit_test_setup(reports_are_optional, begin)};
    return cmocka_run_group_tests_name("wrong_files", tests, NULL, NULL);
}
