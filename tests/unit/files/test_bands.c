/* Work in parts: bands of a rectangle, parts of a grid, pieces of a PNG. What parts make together is what one call
 * makes of the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/files.h>

#include "../support/api_program.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- bands of a rectangle ---- */

/* Colours of the place, of derivatives, and of what the group of a pixel sees: its lanes below 0.7. */
#define FRAGMENT                                                                                                       \
    "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nIMM[0] FLT32 {0.7, 1.0, 40.0, 0.0}\n"     \
    "MUL TEMP[0], IN[0].xyyx, IN[0].yxyx\nDDX TEMP[1], TEMP[0]\nDDY TEMP[2], TEMP[0].yzwx\n"                           \
    "MAD OUT[0].xyz, TEMP[1], IMM[0].zzzz, TEMP[2]\nFSLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n"                         \
    "BALLOT TEMP[1], TEMP[0].xxxx\nUIF TEMP[1].xxxx\nMAD OUT[0].w, TEMP[1].xxxx, IMM[0].zzzz, IN[0].yyyy\n"            \
    "ELSE\nMOV OUT[0].w, IMM[0].yyyy\nENDIF\nEND\n"

struct drawn {
    uint32_t width, height;
    enum sch_render_target_format format;
};

/* Rows `first` to `first + rows - 1`, to memory that begins with `first`. */
static enum sch_result draw(const struct sch_program *program, const struct drawn *drawn, uint32_t first, uint32_t rows,
                            uint32_t begins_with, void *pixels)
{
    const size_t row = drawn->width * (drawn->format == SCH_RENDER_TARGET_WORDS ? 16u : 4u);
    const struct sch_rectangle_register input = {
        .planar = 3,
        .words = {0, 0, 0, api_bits(1)},
        .planes = {{{0.5f, 1, 0}, {(float)drawn->width, 0, 0}}, {{0.5f, 0, 1}, {(float)drawn->height, 0, 0}}}};
    const struct sch_render_target target = {
        .pixels = pixels, .bytes = row * rows, .row_bytes = row, .format = drawn->format, .first_row = begins_with};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .y = first,
                                            .width = drawn->width,
                                            .height = rows,
                                            .registers = &input,
                                            .register_count = 1,
                                            .render_targets = &target,
                                            .render_target_count = 1,
                                            .register_stride = sizeof input,
                                            .render_target_stride = sizeof target};
    return sch_dispatch_rectangle(program, NULL, &rectangle, NULL, NULL);
}

static void bands_are_the_picture(void **state)
{
    (void)state;
    static const struct drawn pictures[] = {{64, 37, SCH_RENDER_TARGET_UNORM8},
                                            {64, 37, SCH_RENDER_TARGET_WORDS},
                                            {37, 70, SCH_RENDER_TARGET_UNORM8},
                                            {37, 70, SCH_RENDER_TARGET_WORDS}};
    struct sch_context *context = api_context();
    for (size_t p = 0; p < COUNT(pictures); p++)
        for (unsigned width = 4; width <= 16; width *= 2) {
            const struct drawn *drawn = &pictures[p];
            const size_t row = drawn->width * (drawn->format == SCH_RENDER_TARGET_WORDS ? 16u : 4u);
            /* What types.h promises: even rows where the width is a multiple of 16. */
            const uint32_t step = drawn->width % 16 ? 16 : 6;
            struct sch_program *program = api_program(context, FRAGMENT, width);
            uint8_t *whole = calloc(drawn->height, row), *band = malloc(step * row);
            assert_int_equal(draw(program, drawn, 0, drawn->height, 0, whole), SCH_OK);
            for (uint32_t first = 0; first < drawn->height; first += step) {
                const uint32_t rows = drawn->height - first < step ? drawn->height - first : step;
                memset(band, 0xcd, step * row);
                assert_int_equal(draw(program, drawn, first, rows, first, band), SCH_OK);
                assert_memory_equal(band, whole + first * row, rows * row);
            }
            free(whole);
            free(band);
            sch_program_destroy(program);
        }
    sch_context_destroy(context);
}

static void bands_fit_their_memory(void **state)
{
    (void)state;
    uint8_t pixels[8 * 8 * 4];
    const struct drawn drawn = {8, 64, SCH_RENDER_TARGET_UNORM8};
    struct sch_context *context = api_context();
    struct sch_program *program = api_program(context, FRAGMENT, 4);
    assert_int_equal(draw(program, &drawn, 16, 8, 16, pixels), SCH_OK);
    assert_int_equal(draw(program, &drawn, 16, 8, 15, pixels), SCH_ERROR_ARGUMENT); /* one row too few */
    assert_int_equal(draw(program, &drawn, 16, 8, 17, pixels), SCH_ERROR_ARGUMENT); /* begins behind the rectangle */
    assert_int_equal(draw(program, &drawn, 16, 8, UINT32_MAX, pixels), SCH_ERROR_ARGUMENT);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* ---- parts of a grid ---- */

/* Word n of the buffer becomes the number of invocation n of the grid with the sizes that it sees. */
#define COMPUTE                                                                                                        \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 40\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"      \
    "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"                 \
    "IMM[0] UINT32 {40, 4, 1000, 10}\nUMAD TEMP[0].x, SV[1].zzzz, SV[2].yyyy, SV[1].yyyy\n"                            \
    "UMAD TEMP[0].x, TEMP[0].xxxx, SV[2].xxxx, SV[1].xxxx\nUMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx, SV[0].xxxx\n"    \
    "UMAD TEMP[1].x, SV[1].xxxx, IMM[0].wwww, SV[1].yyyy\nUMAD TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww, SV[1].zzzz\n"     \
    "UMAD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz, SV[0].xxxx\nUMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"               \
    "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n"

enum { X = 5, Y = 3, Z = 2, GROUPS = X * Y * Z, BLOCK = 40 };
static const uint32_t grid[3] = {X, Y, Z};

static enum sch_result run_part(const struct sch_program *program, uint64_t first, uint64_t count,
                                uint32_t words[GROUPS * BLOCK])
{
    const struct sch_storage_buffer buffer = {.data = words, .bytes = GROUPS * BLOCK * sizeof *words};
    const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .first_group = first, .group_count = count};
    return sch_dispatch_grid(program, &bindings, grid, NULL, &options, NULL);
}

static void parts_are_the_grid(void **state)
{
    (void)state;
    static const uint64_t ends[] = {1, 4, 5, 16, 29, GROUPS};
    uint32_t words[GROUPS * BLOCK];
    struct sch_context *context = api_context();
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_program *program = api_program(context, COMPUTE, width);
        memset(words, 0xff, sizeof words);
        for (uint64_t first = 0, n = 0; n < COUNT(ends); first = ends[n++]) {
            assert_int_equal(run_part(program, first, n + 1 < COUNT(ends) ? ends[n] - first : 0, words), SCH_OK);
            /* These work groups alone. */
            for (uint64_t i = 0; i < GROUPS * BLOCK; i++) {
                const uint64_t group = i / BLOCK, x = group % X, y = group / X % Y, z = group / X / Y;
                const uint32_t value = (uint32_t)(((x * 10 + y) * 10 + z) * 1000 + i % BLOCK);
                assert_int_equal(words[i], group < ends[n] ? value : UINT32_MAX);
            }
        }
        sch_program_destroy(program);
    }
    sch_context_destroy(context);
}

static void parts_end_with_the_grid(void **state)
{
    (void)state;
    static const struct {
        uint64_t first, count;
        enum sch_result result;
    } cases[] = {{GROUPS, 0, SCH_OK},
                 {GROUPS - 1, 1, SCH_OK},
                 {GROUPS - 1, 2, SCH_ERROR_ARGUMENT},
                 {GROUPS + 1, 0, SCH_ERROR_ARGUMENT},
                 {1, UINT64_MAX, SCH_ERROR_ARGUMENT},
                 {UINT64_MAX, 1, SCH_ERROR_ARGUMENT}};
    uint32_t words[GROUPS * BLOCK];
    struct sch_context *context = api_context();
    struct sch_program *program = api_program(context, COMPUTE, 4);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(run_part(program, cases[i].first, cases[i].count, words), cases[i].result);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* A report counts as if all had run. */
static void parts_report_the_grids_numbers(void **state)
{
    (void)state;
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 40\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nBGNLOOP\nENDLOOP\nEND\n";
    struct sch_context *context = api_context();
    struct sch_program *program = api_program(context, text, 4);
    const struct sch_dispatch_options options = {
        .size = sizeof options, .budget = 4, .first_group = 7, .group_count = 2};
    struct sch_dispatch_report report = {.size = sizeof report};
    assert_int_equal(sch_dispatch_grid(program, NULL, grid, NULL, &options, &report), SCH_ERROR_BUDGET);
    assert_int_equal(report.invocation, 7 * BLOCK);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

static void programs_say_whether_they_write(void **state)
{
    (void)state;
    static const char shared[] = "COMP\nDCL MEMORY[0], SHARED\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                                 "STORE MEMORY[0].x, IMM[0], IMM[0]\nEND\n";
    struct sch_context *context = api_context();
    struct sch_program *writes = api_default_program(context, COMPUTE), *none = api_default_program(context, FRAGMENT),
                       *own = api_default_program(context, shared);
    assert_true(sch_program_writes_memory(writes));
    assert_false(sch_program_writes_memory(none));
    assert_false(sch_program_writes_memory(own)); /* no other work group sees it */
    assert_false(sch_program_writes_memory(NULL));
    sch_program_destroy(writes);
    sch_program_destroy(none);
    sch_program_destroy(own);
    sch_context_destroy(context);
}

/* ---- pieces of a PNG ---- */

/* Texels whose rows differ, so that filters look at the row above; `opaque`: all alphas are full. */
static uint8_t *make_texels(uint32_t width, uint32_t height, bool opaque)
{
    uint8_t *texels = malloc((size_t)width * height * 4);
    uint32_t seed = 7;
    for (size_t i = 0; i < (size_t)width * height; i++) {
        seed = seed * 1664525u + 1013904223u;
        const size_t x = i % width, y = i / width;
        texels[4 * i] = (uint8_t)(x * 3 + y);
        texels[4 * i + 1] = (uint8_t)(x * y >> 4);
        texels[4 * i + 2] = (uint8_t)(seed >> 30);
        texels[4 * i + 3] = opaque || y < height / 2 ? 255 : (uint8_t)(x + y);
    }
    return texels;
}

static void append(uint8_t **file, size_t *bytes, const struct sch_file_bytes *more)
{
    *file = realloc(*file, *bytes + more->bytes);
    memcpy(*file + *bytes, more->data, more->bytes);
    *bytes += more->bytes;
}

/* The whole file in pieces of `rows` rows. */
static uint8_t *write_pieces(const struct sch_file_write_options *options, uint32_t width, uint32_t height,
                             const uint8_t *texels, uint32_t rows, bool alpha, size_t *bytes)
{
    struct sch_png_piece_info info[64];
    struct sch_file_bytes made;
    uint8_t *file = NULL;
    uint32_t count = 0;
    *bytes = 0;
    assert_int_equal(sch_png_head_write(NULL, width, height, alpha, &made), SCH_OK);
    append(&file, bytes, &made);
    sch_file_bytes_release(&made);
    for (uint32_t first = 0; first < height; first += rows, count++) {
        const uint32_t above = first ? 1 : 0, left = height - first;
        const struct sch_png_piece piece = {.size = sizeof piece,
                                            .width = width,
                                            .height = height,
                                            .first = first,
                                            .rows = left < rows ? left : rows,
                                            .texels = texels + (size_t)(first - above) * width * 4,
                                            .bytes = ((size_t)(left < rows ? left : rows) + above) * width * 4,
                                            .alpha = alpha};
        assert_true(count < COUNT(info));
        info[count] = (struct sch_png_piece_info){.size = sizeof *info};
        assert_int_equal(sch_png_piece_write(options, &piece, &info[count], &made, NULL), SCH_OK);
        assert_int_equal(info[count].alpha, alpha);
        append(&file, bytes, &made);
        sch_file_bytes_release(&made);
    }
    assert_int_equal(sch_png_tail_write(NULL, info, sizeof *info, count, &made), SCH_OK);
    append(&file, bytes, &made);
    sch_file_bytes_release(&made);
    return file;
}

static void pieces_are_the_file(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height, compression;
        bool has_compression, opaque;
    } cases[] = {{700, 1000, 0, false, true}, {700, 1000, 0, false, false}, {700, 1000, 0, true, true},
                 {700, 1000, 9, true, false}, {70000, 9, 3, true, true},    {5, 4, 0, false, true}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        const uint32_t width = cases[c].width, height = cases[c].height;
        const struct sch_file_write_options options = {
            .size = sizeof options, .has_compression = cases[c].has_compression, .compression = cases[c].compression};
        uint8_t *texels = make_texels(width, height, cases[c].opaque);
        const struct sch_file_texture texture = {.size = sizeof texture,
                                                 .target = SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                                 .width = width,
                                                 .height = height,
                                                 .depth = 1,
                                                 .layers = 1,
                                                 .levels = 1,
                                                 .texels = texels,
                                                 .bytes = (size_t)width * height * 4};
        struct sch_file_bytes whole;
        assert_int_equal(sch_file_texture_write(&options, SCH_FILE_KIND_PNG, &texture, &whole, NULL), SCH_OK);
        const uint32_t step = sch_png_piece_rows(&options, width, height);
        assert_in_range(step, 1, height);
        for (uint32_t rows = step; rows < height + step; rows += step) {
            size_t bytes;
            uint8_t *file = write_pieces(&options, width, height, texels, rows, !cases[c].opaque, &bytes);
            assert_int_equal(bytes, whole.bytes);
            assert_memory_equal(file, whole.data, bytes);
            free(file);
        }
        sch_file_bytes_release(&whole);
        free(texels);
    }
}

/* The row above a piece does not count: full alphas are dropped only if the piece's own are. */
static void pieces_say_whether_they_have_alpha(void **state)
{
    (void)state;
    enum { WIDTH = 40000, ROW = WIDTH * 4 };
    uint8_t *texels = malloc(3 * (size_t)ROW);
    const uint32_t step = sch_png_piece_rows(NULL, WIDTH, 3);
    struct sch_png_piece piece = {.size = sizeof piece,
                                  .width = WIDTH,
                                  .height = 3,
                                  .first = 1,
                                  .rows = 1,
                                  .texels = texels,
                                  .bytes = 2 * (size_t)ROW};
    struct sch_png_piece_info info = {.size = sizeof info};
    struct sch_file_bytes file;
    assert_int_equal(step, 1);
    memset(texels, 0, ROW);
    memset(texels + ROW, 255, 2 * (size_t)ROW);
    assert_int_equal(sch_png_piece_write(NULL, &piece, &info, &file, NULL), SCH_OK);
    assert_false(info.alpha);
    assert_int_equal(info.bytes, 3 * WIDTH + 1);
    sch_file_bytes_release(&file);
    piece.alpha = true;
    assert_int_equal(sch_png_piece_write(NULL, &piece, &info, &file, NULL), SCH_OK);
    assert_true(info.alpha);
    assert_int_equal(info.bytes, 4 * WIDTH + 1);
    sch_file_bytes_release(&file);
    piece.alpha = false;
    texels[2 * ROW - 1] = 254;
    assert_int_equal(sch_png_piece_write(NULL, &piece, &info, &file, NULL), SCH_OK);
    assert_true(info.alpha);
    sch_file_bytes_release(&file);
    free(texels);
}

static void wrong_pieces_are_refused(void **state)
{
    (void)state;
    enum { WIDTH = 1000, HEIGHT = 500 };
    uint8_t *texels = make_texels(WIDTH, HEIGHT, true);
    const uint32_t step = sch_png_piece_rows(NULL, WIDTH, HEIGHT);
    const size_t row = WIDTH * 4;
    assert_true(step > 1 && 2 * step < HEIGHT);
    const struct sch_png_piece right = {.size = sizeof right,
                                        .width = WIDTH,
                                        .height = HEIGHT,
                                        .first = step,
                                        .rows = step,
                                        .texels = texels,
                                        .bytes = (step + 1) * row};
    struct sch_png_piece wrong[9];
    for (size_t i = 0; i < COUNT(wrong); i++) wrong[i] = right;
    wrong[0].size = 0;
    wrong[1].width = 0;
    wrong[2].height = 2 * step - 1; /* ends beyond the picture */
    wrong[3].first = step + 1;
    wrong[4].rows = step - 1;
    wrong[5].rows = 0;
    wrong[6].texels = NULL;
    wrong[7].bytes--;
    wrong[8].first = HEIGHT;
    struct sch_png_piece_info info = {.size = sizeof info};
    struct sch_file_bytes file;
    assert_int_equal(sch_png_piece_write(NULL, &right, &info, &file, NULL), SCH_OK);
    sch_file_bytes_release(&file);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(sch_png_piece_write(NULL, &wrong[i], &info, &file, NULL), SCH_ERROR_ARGUMENT);
        assert_null(file.data);
    }
    const struct sch_file_write_options high = {.size = sizeof high, .has_compression = true, .compression = 13};
    assert_int_equal(sch_png_piece_write(&high, &right, &info, &file, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_piece_write(NULL, &right, NULL, &file, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_piece_write(NULL, &right, &info, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_piece_write(NULL, NULL, &info, &file, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_piece_rows(&high, WIDTH, HEIGHT), 0);
    assert_int_equal(sch_png_piece_rows(NULL, 0, HEIGHT), 0);
    assert_int_equal(sch_png_piece_rows(NULL, WIDTH, 0), 0);
    assert_int_equal(sch_png_head_write(NULL, 0, 1, false, &file), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_head_write(NULL, 1, 1, false, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_tail_write(NULL, NULL, sizeof info, 1, &file), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_png_tail_write(NULL, &info, sizeof info, 0, &file), SCH_ERROR_ARGUMENT);
    info.size = 0;
    assert_int_equal(sch_png_tail_write(NULL, &info, sizeof info, 1, &file), SCH_ERROR_ARGUMENT);
    free(texels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands_are_the_picture),
        cmocka_unit_test(bands_fit_their_memory),
        cmocka_unit_test(parts_are_the_grid),
        cmocka_unit_test(parts_end_with_the_grid),
        cmocka_unit_test(parts_report_the_grids_numbers),
        cmocka_unit_test(programs_say_whether_they_write),
        cmocka_unit_test(pieces_are_the_file),
        cmocka_unit_test(pieces_say_whether_they_have_alpha),
        cmocka_unit_test(wrong_pieces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
