/* Picture files: every kind of PNG against its meaning in whole numbers, damaged files, ceilings and failing memory.
 * The odd kinds are made here with libpng; what they must decode to is computed from the samples that went in. */
#include <png.h>
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

static uint64_t seed = 1;

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

/* ---- PNGs of any kind ------------------------------------------------------------------------------ */

enum { WIDTH = 13, HEIGHT = 7 };

struct kind {
    int color_type, depth, interlace;
    bool transparent;
};

struct bytes {
    uint8_t data[1 << 16];
    size_t count;
};

static void append(png_structp png, png_bytep from, size_t count)
{
    struct bytes *to = png_get_io_ptr(png);
    assert_true(to->count + count <= sizeof to->data);
    memcpy(to->data + to->count, from, count);
    to->count += count;
}

static void flush(png_structp png) { (void)png; }

static unsigned samples_of(int color_type)
{
    switch (color_type) {
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        return 2;
    case PNG_COLOR_TYPE_RGB:
        return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA:
        return 4;
    default:
        return 1;
    }
}

/* What a file shows: samples as numbers, the palette, the transparent colour. */
struct scene {
    struct kind kind;
    unsigned samples;
    uint16_t sample[HEIGHT][WIDTH][4];
    png_color palette[256];
    png_byte palette_alpha[256];
    int palette_alphas;
    uint16_t clear[3];
};

static struct scene random_scene(struct kind kind)
{
    struct scene scene = {.kind = kind, .samples = samples_of(kind.color_type)};
    unsigned limit = 1u << kind.depth;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned s = 0; s < scene.samples; s++) scene.sample[y][x][s] = (uint16_t)(next() % limit);
    for (unsigned i = 0; i < 256; i++) {
        scene.palette[i] = (png_color){(png_byte)next(), (png_byte)next(), (png_byte)next()};
        scene.palette_alpha[i] = (png_byte)next();
    }
    scene.palette_alphas = (int)(1 + next() % limit);
    for (unsigned s = 0; s < 3; s++) scene.clear[s] = scene.sample[3][5][scene.samples >= 3 ? s : 0];
    return scene;
}

static void write_scene(const struct scene *scene, struct bytes *file)
{
    const struct kind *kind = &scene->kind;
    file->count = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    assert_non_null(png);
    png_infop info = png_create_info_struct(png);
    assert_non_null(info);
    if (setjmp(png_jmpbuf(png))) fail();
    png_set_write_fn(png, file, append, flush);
    png_set_IHDR(png, info, WIDTH, HEIGHT, kind->depth, kind->color_type,
                 kind->interlace ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (kind->color_type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, scene->palette, 1 << kind->depth);
    if (kind->transparent) {
        png_color_16 clear = {0, scene->clear[0], scene->clear[1], scene->clear[2], scene->clear[0]};
        png_set_tRNS(png, info, scene->palette_alpha, scene->palette_alphas, &clear);
    }
    /* Chunks that must not matter. */
    png_set_gAMA(png, info, 0.5);
    png_text text = {.compression = PNG_TEXT_COMPRESSION_zTXt, .key = (char[]){"Comment"}, .text = (char[]){"nothing"}};
    png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    uint8_t rows[HEIGHT][WIDTH * 8] = {0};
    uint8_t *row[HEIGHT];
    for (unsigned y = 0; y < HEIGHT; y++) {
        row[y] = rows[y];
        for (unsigned i = 0; i < WIDTH * scene->samples; i++) {
            unsigned value = scene->sample[y][i / scene->samples][i % scene->samples];
            unsigned bit = i * (unsigned)kind->depth;
            if (kind->depth == 16) {
                rows[y][2 * i] = (uint8_t)(value >> 8);
                rows[y][2 * i + 1] = (uint8_t)value;
            } else {
                rows[y][bit / 8] |= (uint8_t)(value << (8 - kind->depth - (int)(bit % 8)));
            }
        }
    }
    png_write_image(png, row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* value / (2^depth - 1) in 255ths, to nearest (there are no ties). */
static uint8_t to_8(unsigned value, int depth)
{
    unsigned most = (1u << depth) - 1;
    return (uint8_t)((value * 510 + most) / (2 * most));
}

static void expected_texel(const struct scene *scene, unsigned x, unsigned y, uint8_t texel[4])
{
    const uint16_t *sample = scene->sample[y][x];
    int depth = scene->kind.depth;
    bool clear = scene->kind.transparent;
    texel[3] = 255;
    switch (scene->kind.color_type) {
    case PNG_COLOR_TYPE_PALETTE:
        texel[0] = scene->palette[sample[0]].red;
        texel[1] = scene->palette[sample[0]].green;
        texel[2] = scene->palette[sample[0]].blue;
        if (clear && sample[0] < scene->palette_alphas) texel[3] = scene->palette_alpha[sample[0]];
        return;
    case PNG_COLOR_TYPE_GRAY:
    case PNG_COLOR_TYPE_GRAY_ALPHA:
        texel[0] = texel[1] = texel[2] = to_8(sample[0], depth);
        if (scene->samples == 2) texel[3] = to_8(sample[1], depth);
        if (clear && sample[0] == scene->clear[0]) texel[3] = 0;
        return;
    default:
        for (unsigned i = 0; i < scene->samples; i++) texel[i] = to_8(sample[i], depth);
        if (clear && sample[0] == scene->clear[0] && sample[1] == scene->clear[1] && sample[2] == scene->clear[2])
            texel[3] = 0;
    }
}

/* As a texture: grey stays grey, 16 bits stay, colours get alpha. As colours: up to 8 bits become RGBA, no tags. */
static void check_texture(const struct scene *scene, const struct bytes *file, bool as_colors)
{
    const int type = scene->kind.color_type;
    const bool wide = scene->kind.depth == 16, colors = as_colors && !wide;
    const bool grey = !colors && (type == PNG_COLOR_TYPE_GRAY || type == PNG_COLOR_TYPE_GRAY_ALPHA);
    const bool alpha = type == PNG_COLOR_TYPE_GRAY_ALPHA || scene->kind.transparent;
    const unsigned channels = !grey ? 4 : alpha ? 2 : 1;
    static const enum sch_format formats[2][5] = {
        {0, SCH_FORMAT_L8_UNORM, SCH_FORMAT_L8A8_UNORM, 0, SCH_FORMAT_R8G8B8A8_UNORM},
        {0, SCH_FORMAT_L16_UNORM, SCH_FORMAT_L16A16_UNORM, 0, SCH_FORMAT_R16G16B16A16_UNORM}};
    struct sch_file_texture texture = {.size = sizeof texture};
    const struct sch_file_read_options options = {.size = sizeof options, .as_colors = as_colors};
    assert_int_equal(sch_file_texture_read(&options, file->data, file->count, &texture, NULL), SCH_OK);
    assert_int_equal(texture.format, formats[wide][channels]);
    assert_int_equal(texture.transfer, colors ? SCH_FILE_TRANSFER_UNKNOWN : SCH_FILE_TRANSFER_GAMMA);
    assert_true(texture.gamma == (colors ? 0.0f : 0.5f));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint8_t texel[4];
            expected_texel(scene, x, y, texel);
            const uint8_t *has = texture.texels + (size_t)(y * WIDTH + x) * channels * (wide ? 2 : 1);
            for (unsigned c = 0; c < channels; c++) {
                const unsigned from = grey && c ? 3 : c, sample = grey && c ? 1 : c;
                unsigned wanted = texel[from];
                if (wide) wanted = sample < scene->samples ? scene->sample[y][x][sample] : texel[3] ? 0xffff : 0;
                assert_int_equal(wide ? has[2 * c] | has[2 * c + 1] << 8 : has[c], wanted);
            }
        }
    sch_file_texture_release(&texture);
}

static void check_kind(struct kind kind)
{
    static struct bytes file;
    struct scene scene = random_scene(kind);
    write_scene(&scene, &file);
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_error error = {.size = sizeof error};
    enum sch_result result = sch_png_read(NULL, file.data, file.count, &picture, &error);
    if (result != SCH_OK) print_message("type %d depth %d: %s\n", kind.color_type, kind.depth, error.message);
    assert_int_equal(result, SCH_OK);
    assert_int_equal(error.code, 0);
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint8_t texel[4];
            expected_texel(&scene, x, y, texel);
            assert_memory_equal(picture.texels + 4 * (y * WIDTH + x), texel, 4);
        }
    sch_picture_release(&picture);
    assert_null(picture.texels);
    check_texture(&scene, &file, false);
    check_texture(&scene, &file, true);
}

static void reads_every_kind(void **state)
{
    (void)state;
    static const struct {
        int color_type, depths;
        bool transparency;
    } types[] = {{PNG_COLOR_TYPE_GRAY, 1 | 2 | 4 | 8 | 16, true},
                 {PNG_COLOR_TYPE_RGB, 8 | 16, true},
                 {PNG_COLOR_TYPE_PALETTE, 1 | 2 | 4 | 8, true},
                 {PNG_COLOR_TYPE_GRAY_ALPHA, 8 | 16, false},
                 {PNG_COLOR_TYPE_RGB_ALPHA, 8 | 16, false}};
    unsigned kinds = 0;
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (int depth = 1; depth <= 16; depth *= 2)
            for (int variant = 0; variant < 4; variant++) {
                struct kind kind = {types[t].color_type, depth, variant & 1, variant >> 1};
                if (!(types[t].depths & depth) || (kind.transparent && !types[t].transparency)) continue;
                for (int repeat = 0; repeat < 4; repeat++) check_kind(kind);
                kinds++;
            }
    assert_int_equal(kinds, 52);
}

/* ---- there and back --------------------------------------------------------------------------------- */

static struct sch_picture random_picture(uint32_t width, uint32_t height)
{
    size_t bytes = (size_t)width * height * 4;
    struct sch_picture picture = {
        .size = sizeof picture, .width = width, .height = height, .texels = malloc(bytes), .bytes = bytes};
    assert_non_null(picture.texels);
    for (size_t i = 0; i < (size_t)width * height * 4; i++) picture.texels[i] = (uint8_t)(next() >> 13);
    return picture;
}

static void round_trip(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {64, 64}, {257, 33}, {16384, 1}, {1, 16384}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sch_picture made = random_picture(sizes[i][0], sizes[i][1]), read = {.size = sizeof read};
        struct sch_file_bytes file, again;
        assert_int_equal(sch_png_write(NULL, &made, &file, NULL), SCH_OK);
        assert_int_equal(sch_png_write(NULL, &made, &again, NULL), SCH_OK);
        assert_true(sch_png_is(file.data, file.bytes));
        assert_int_equal(file.bytes, again.bytes);
        assert_memory_equal(file.data, again.data, file.bytes);
        assert_int_equal(sch_png_read(NULL, file.data, file.bytes, &read, NULL), SCH_OK);
        assert_int_equal(read.width, made.width);
        assert_int_equal(read.height, made.height);
        assert_memory_equal(read.texels, made.texels, (size_t)made.width * made.height * 4);
        sch_picture_release(&read);
        sch_file_bytes_release(&file);
        sch_file_bytes_release(&again);
        free(made.texels);
    }
}

/* ---- hostile files ------------------------------------------------------------------------------------ */

static const struct kind small_kinds[] = {{PNG_COLOR_TYPE_PALETTE, 4, 1, true}, {PNG_COLOR_TYPE_RGB, 8, 0, true}};
enum { SMALL_KINDS = sizeof small_kinds / sizeof *small_kinds };

/* Reads with counted memory; whatever the answer, nothing is lost. */
static enum sch_result read_counted(const void *data, size_t count, struct ledger *ledger)
{
    struct sch_allocator memory = {ledger_alloc, ledger_free, ledger};
    struct sch_file_options options = {.size = sizeof options, .memory = &memory};
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_error error = {.size = sizeof error};
    enum sch_result result = sch_png_read(&options, data, count, &picture, &error);
    if (result == SCH_OK) {
        uint32_t sum = 0;
        for (size_t i = 0; i < (size_t)picture.width * picture.height * 4; i++) sum += picture.texels[i];
        assert_true(sum <= UINT32_MAX);
    } else {
        assert_null(picture.texels);
        assert_int_equal(picture.width, 0);
        if (result != SCH_ERROR_MEMORY) {
            assert_true(error.code >= 6100 && error.code < 6200);
            assert_true(error.message[0] != 0);
        }
    }
    sch_picture_release(&picture);
    assert_int_equal(ledger->live, 0);
    return result;
}

static void refuses_what_is_cut_off(void **state)
{
    (void)state;
    static struct bytes file;
    for (unsigned k = 0; k < SMALL_KINDS; k++) {
        struct scene scene = random_scene(small_kinds[k]);
        write_scene(&scene, &file);
        for (size_t count = 0; count < file.count; count++) {
            uint8_t *exact = malloc(count ? count : 1); /* so that reading on is noticed */
            assert_non_null(exact);
            memcpy(exact, file.data, count);
            struct ledger ledger = {.left = -1};
            assert_int_equal(read_counted(exact, count, &ledger), SCH_ERROR_INVALID);
            free(exact);
        }
    }
}

/* Every bit of a file turned, and random bytes at random places; standard error stays silent. */
static void survives_altered_files(void **state)
{
    (void)state;
    static struct bytes file;
    FILE *quiet = tmpfile();
    assert_non_null(quiet);
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    dup2(fileno(quiet), STDERR_FILENO);
    unsigned answers[SCH_ERROR_INTERNAL + 1] = {0};
    for (unsigned k = 0; k < SMALL_KINDS; k++) {
        struct scene scene = random_scene(small_kinds[k]);
        write_scene(&scene, &file);
        for (size_t bit = 0; bit < 8 * file.count; bit++) {
            file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            struct ledger ledger = {.left = -1};
            answers[read_counted(file.data, file.count, &ledger)]++;
            file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (unsigned i = 0; i < 3000; i++) {
            static struct bytes copy;
            copy = file;
            for (unsigned n = 1 + next() % 4; n; n--) copy.data[next() % copy.count] = (uint8_t)next();
            struct ledger ledger = {.left = -1};
            answers[read_counted(copy.data, copy.count, &ledger)]++;
        }
    }
    fflush(stderr);
    long printed = lseek(STDERR_FILENO, 0, SEEK_END);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fclose(quiet);
    assert_int_equal(printed, 0);
    assert_true(answers[SCH_ERROR_INVALID] > 1000);
    assert_int_equal(answers[SCH_ERROR_ARGUMENT] + answers[SCH_ERROR_MEMORY] + answers[SCH_ERROR_INTERNAL], 0);
}

static uint32_t crc(const uint8_t *data, size_t count)
{
    uint32_t c = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        c ^= data[i];
        for (int k = 0; k < 8; k++) c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    }
    return ~c;
}

static void put_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* A small file whose header promises another size, with the right checksum. */
static void promise_size(struct bytes *file, uint32_t width, uint32_t height)
{
    put_32(file->data + 16, width);
    put_32(file->data + 20, height);
    put_32(file->data + 29, crc(file->data + 12, 17));
}

static void checks_sizes_before_memory(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        enum sch_result result;
    } cases[] = {
        {16385, 1, SCH_ERROR_LIMIT},       {1, 16385, SCH_ERROR_LIMIT}, {0x7fffffff, 0x7fffffff, SCH_ERROR_LIMIT},
        {16384, 16384, SCH_ERROR_INVALID}, {0, 5, SCH_ERROR_INVALID},   {0xffffffff, 5, SCH_ERROR_INVALID}};
    static struct bytes file;
    struct scene scene = random_scene(small_kinds[1]);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_scene(&scene, &file);
        promise_size(&file, cases[i].width, cases[i].height);
        struct ledger ledger = {.left = -1};
        assert_int_equal(read_counted(file.data, file.count, &ledger), cases[i].result);
        assert_true(ledger.peak < (1 << 20));
    }
    /* The caller's ceilings. */
    write_scene(&scene, &file);
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_error error = {.size = sizeof error};
    struct sch_file_options options = {
        .size = sizeof options, .max_width = WIDTH, .max_height = HEIGHT, .max_bytes = WIDTH * HEIGHT * 4};
    assert_int_equal(sch_png_read(&options, file.data, file.count, &picture, &error), SCH_OK);
    sch_picture_release(&picture);
    for (unsigned i = 0; i < 3; i++) {
        struct sch_file_options less = options;
        if (i == 0) less.max_width--;
        if (i == 1) less.max_height--;
        if (i == 2) less.max_bytes--;
        assert_int_equal(sch_png_read(&less, file.data, file.count, &picture, &error), SCH_ERROR_LIMIT);
        assert_int_equal(error.code, 6102);
    }
}

static void survives_failing_memory(void **state)
{
    (void)state;
    static struct bytes file;
    struct scene scene = random_scene(small_kinds[0]);
    write_scene(&scene, &file);
    long needed = 0;
    for (enum sch_result result = SCH_ERROR_MEMORY; result != SCH_OK; needed++) {
        struct ledger ledger = {.left = needed};
        result = read_counted(file.data, file.count, &ledger);
        assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY);
        assert_true(needed < 100);
    }
    assert_true(needed > 4);

    struct sch_picture picture = random_picture(100, 100);
    needed = 0;
    for (enum sch_result result = SCH_ERROR_MEMORY; result != SCH_OK; needed++) {
        struct ledger ledger = {.left = needed};
        struct sch_allocator memory = {ledger_alloc, ledger_free, &ledger};
        struct sch_file_options options = {.size = sizeof options, .memory = &memory};
        struct sch_file_bytes bytes;
        result = sch_png_write(&options, &picture, &bytes, NULL);
        assert_true(result == SCH_OK || (result == SCH_ERROR_MEMORY && !bytes.data));
        sch_file_bytes_release(&bytes);
        assert_int_equal(ledger.live, 0);
        assert_true(needed < 100);
    }
    assert_true(needed > 4);
    free(picture.texels);
}

static void refuses_wrong_calls(void **state)
{
    (void)state;
    struct sch_picture picture = {.size = sizeof picture}, empty = picture;
    struct sch_file_bytes file;
    struct sch_file_error error = {.size = sizeof error};
    assert_int_equal(sch_png_read(NULL, "GIF89a...", 9, &picture, &error), SCH_ERROR_INVALID);
    assert_int_equal(error.code, 6100);
    assert_int_equal(sch_png_read(NULL, NULL, 0, &picture, &error), SCH_ERROR_INVALID);
    assert_int_equal(sch_png_read(NULL, NULL, 5, &picture, &error), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_read(NULL, "x", 1, NULL, &error), SCH_ERROR_ARGUMENT);
    struct sch_file_options options = {.size = 3};
    assert_int_equal(sch_png_read(&options, "x", 1, &picture, &error), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_write(NULL, &empty, &file, &error), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_write(NULL, NULL, &file, &error), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_write(NULL, &empty, NULL, &error), SCH_ERROR_ARGUMENT);
    /* Pictures that their texels do not hold, and rows that libpng has no number for. */
    uint8_t texels[16] = {0};
    const struct {
        uint32_t width, height;
        size_t bytes;
    } wrong[] = {{2, 2, 15},
                 {2, 2, 0},
                 {2, 3, 16},
                 {UINT32_MAX, UINT32_MAX, SIZE_MAX},
                 {1u << 29, 1, SIZE_MAX},
                 {1, 1u << 31, SIZE_MAX},
                 {(1u << 29) - 1, 1, sizeof texels}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct sch_picture given = {.size = sizeof given,
                                          .width = wrong[i].width,
                                          .height = wrong[i].height,
                                          .texels = texels,
                                          .bytes = wrong[i].bytes};
        assert_int_equal(sch_png_write(NULL, &given, &file, &error), SCH_ERROR_ARGUMENT);
        assert_null(file.data);
    }
    const struct sch_picture right = {
        .size = sizeof right, .width = 2, .height = 2, .texels = texels, .bytes = sizeof texels};
    assert_int_equal(sch_png_write(NULL, &right, &file, &error), SCH_OK);
    assert_int_equal(sch_png_read(NULL, file.data, file.bytes, &picture, &error), SCH_OK);
    assert_int_equal(picture.bytes, sizeof texels);
    sch_picture_release(&picture);
    sch_file_bytes_release(&file);
    sch_picture_release(NULL);
    sch_file_bytes_release(NULL);
}

/* Structs of programs that know more members, and sizes that none has. */
static void structs_have_sizes(void **state)
{
    (void)state;
    uint8_t texels[16] = {1, 2, 3};
    struct {
        struct sch_picture known;
        uint64_t newer;
    } picture = {.known = {.size = sizeof picture, .width = 2, .height = 2, .texels = texels, .bytes = sizeof texels}};
    struct {
        struct sch_file_error known;
        uint64_t newer;
    } error = {.known = {.size = sizeof error}, .newer = 7};
    struct sch_file_bytes file;
    picture.newer = 1;
    assert_int_equal(sch_png_write(NULL, &picture.known, &file, &error.known), SCH_ERROR_ARGUMENT);
    picture.newer = 0;
    assert_int_equal(sch_png_write(NULL, &picture.known, &file, &error.known), SCH_OK);
    assert_int_equal(error.newer, 0);
    picture.newer = error.newer = 7;
    assert_int_equal(sch_png_read(NULL, file.data, file.bytes, &picture.known, &error.known), SCH_OK);
    assert_int_equal(picture.newer, 0);
    assert_int_equal(error.newer, 0);
    assert_int_equal(picture.known.size, sizeof picture);
    assert_memory_equal(picture.known.texels, texels, sizeof texels);
    sch_picture_release(&picture.known);
    assert_int_equal(picture.known.size, sizeof picture);
    assert_null(picture.known.texels);

    const size_t wrong[] = {0, 1, sizeof picture.known - 1, 100000};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sch_picture given = {.width = 2, .height = 2, .texels = texels, .bytes = sizeof texels};
        struct sch_file_bytes none;
        given.size = wrong[i];
        assert_int_equal(sch_png_write(NULL, &given, &none, NULL), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_png_read(NULL, file.data, file.bytes, &given, NULL), SCH_ERROR_ARGUMENT);
        sch_picture_release(&given); /* not what it gives back */
        struct sch_picture right = {.size = sizeof right};
        struct sch_file_error report = {.size = wrong[i] == sizeof picture.known - 1 ? sizeof report - 1 : wrong[i]};
        assert_int_equal(sch_png_read(NULL, file.data, file.bytes, &right, &report), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_png_write(NULL, &right, &none, &report), SCH_ERROR_ARGUMENT);
    }
    sch_file_bytes_release(&file);
}

/* Calls that succeed clear the report of an earlier one; what was given back is empty, so that it may be given back
 * twice. */
static void nothing_is_left(void **state)
{
    (void)state;
    uint8_t texels[16] = {1, 2, 3};
    const struct sch_picture right = {
        .size = sizeof right, .width = 2, .height = 2, .texels = texels, .bytes = sizeof texels};
    const struct sch_picture empty = {.size = sizeof empty};
    const struct sch_file_bytes none = {0};
    const struct sch_file_error no_error = {.size = sizeof no_error};
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_bytes file;
    struct sch_file_error error = {.size = sizeof error};
    error.code = 1;
    memset(error.message, 0xaa, sizeof error.message);
    assert_int_equal(sch_png_write(NULL, &right, &file, &error), SCH_OK);
    assert_memory_equal(&error, &no_error, sizeof error);
    error.code = 1;
    memset(error.message, 0xaa, sizeof error.message);
    assert_int_equal(sch_png_read(NULL, file.data, file.bytes, &picture, &error), SCH_OK);
    assert_memory_equal(&error, &no_error, sizeof error);
    assert_memory_equal(picture.texels, texels, sizeof texels);
    for (unsigned i = 0; i < 2; i++) {
        sch_picture_release(&picture);
        assert_memory_equal(&picture, &empty, sizeof picture);
        sch_file_bytes_release(&file);
        assert_memory_equal(&file, &none, sizeof file);
    }
}

/* The sum of 16 bytes, 0 to 15, as sha256sum has it; what follows the texels is not in it. */
static void sums_are_of_texels(void **state)
{
    static const uint8_t wanted[SCH_PICTURE_SHA256_BYTES] = {
        0xbe, 0x45, 0xcb, 0x26, 0x05, 0xbf, 0x36, 0xbe, 0xbd, 0xe6, 0x84, 0x84, 0x1a, 0x28, 0xf0, 0xfd,
        0x43, 0xc6, 0x98, 0x50, 0xa3, 0xdc, 0xe5, 0xfe, 0xdb, 0xa6, 0x99, 0x28, 0xee, 0x3a, 0x89, 0x91};
    uint8_t texels[20], digest[SCH_PICTURE_SHA256_BYTES];
    (void)state;
    for (uint8_t n = 0; n < sizeof texels; n++) texels[n] = n;
    struct sch_picture picture = {
        .size = sizeof picture, .width = 2, .height = 2, .texels = texels, .bytes = sizeof texels};
    assert_int_equal(sch_picture_sha256(&picture, digest), SCH_OK);
    assert_memory_equal(digest, wanted, sizeof wanted);
    assert_int_equal(sch_picture_sha256(NULL, digest), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_picture_sha256(&picture, NULL), SCH_ERROR_ARGUMENT);
    picture.bytes = 15;
    assert_int_equal(sch_picture_sha256(&picture, digest), SCH_ERROR_ARGUMENT);
    picture.width = picture.height = UINT32_MAX;
    assert_int_equal(sch_picture_sha256(&picture, digest), SCH_ERROR_ARGUMENT);
    picture.size = 3;
    assert_int_equal(sch_picture_sha256(&picture, digest), SCH_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_have_sizes),         cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(reads_every_kind),           cmocka_unit_test(round_trip),
        cmocka_unit_test(refuses_what_is_cut_off),    cmocka_unit_test(survives_altered_files),
        cmocka_unit_test(checks_sizes_before_memory), cmocka_unit_test(survives_failing_memory),
        cmocka_unit_test(refuses_wrong_calls),        cmocka_unit_test(sums_are_of_texels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
