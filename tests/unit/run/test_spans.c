/* Which groups of a rectangle run as spans, counted, with the real compiler: all that are whole where nothing forbids
 * it (docs/jit.md, "Spans"), none where a feature of the shader or of the rectangle does; and what the library tells
 * about their code; and what a cache has of them, with and without a compiler. That the pictures are the same is
 * test_rectangle's and test_native_corpus's to say. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"

enum { SIDE = 96, GROUPS = SIDE * SIDE / 32 };

#define HEAD                                                                                                           \
    "FRAG\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, " \
    "3}\n"

static const char plain[] = HEAD "MUL OUT[0], IN[0], IN[1]\nEND\n";

static const struct {
    const char *what, *text;
    bool spans;
} shaders[] = {
    {"arithmetic", plain, true},
    {"a loop, lanes that end",
     HEAD "MOV TEMP[0], IN[0]\nBGNLOOP\nADD TEMP[0], TEMP[0], IN[1]\nFSGE TEMP[1].x, TEMP[0].xxxx, IN[0].yyyy\n"
          "UIF TEMP[1].xxxx\nBRK\nENDIF\nENDLOOP\nKILL_IF IN[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n",
     true},
    {"a lookup", HEAD "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n", true},
    {"an indexed input", HEAD "UARL ADDR[0].x, IMM[0].xxxx\nMOV OUT[0], IN[ADDR[0].x]\nEND\n", false},
    {"indexed temporaries",
     HEAD "UARL ADDR[0].x, IMM[0].xxxx\nMOV TEMP[ADDR[0].x+1], IN[0]\nMOV OUT[0], TEMP[1]\nEND\n", false},
    {"another place in the pixel", HEAD "INTERP_CENTROID OUT[0], IN[0]\nEND\n", false},
    {"the render target's pixels", HEAD "FBFETCH OUT[0], OUT[0]\nEND\n", false},
    {"memory of its own", HEAD "DCL MEMORY[0], PRIVATE\nLOAD OUT[0], MEMORY[0], IMM[0].xxxx\nEND\n", false},
};

struct setup {
    struct sch_context *context;
    struct sch_program *program;
    struct sch_rectangle_register registers[2];
    struct sch_render_target render_target;
    struct sch_rectangle rectangle;
    uint32_t pixels[SIDE][SIDE][4]; /* room for words */
};

/* All but the program. */
static void open_without_program(struct setup *s, const char *compiler, const char *cache)
{
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = compiler, .cache = cache};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    memset(s, 0, sizeof *s);
    assert_int_equal(sch_context_create(&options, &s->context), SCH_OK);
    for (unsigned r = 0; r < 2; r++) {
        s->registers[r] = (struct sch_rectangle_register){.index = r, .planar = 3};
        s->registers[r].planes[0] = (struct sch_plane){{0.5f, 1, 0}, {SIDE, 0, 0}};
        s->registers[r].planes[1] = (struct sch_plane){{0.5f, 0, 1}, {SIDE, 0, 0}};
    }
    s->render_target =
        (struct sch_render_target){.pixels = s->pixels, .bytes = sizeof s->pixels, .row_bytes = sizeof s->pixels[0]};
    s->rectangle = (struct sch_rectangle){.size = sizeof s->rectangle,
                                          .width = SIDE,
                                          .height = SIDE,
                                          .registers = s->registers,
                                          .register_stride = sizeof(struct sch_rectangle_register),
                                          .register_count = 2,
                                          .render_targets = &s->render_target,
                                          .render_target_stride = sizeof(struct sch_render_target),
                                          .render_target_count = 1};
}

static void open_setup(struct setup *s, const char *text, unsigned width)
{
    enum sch_result why;
    open_without_program(s, by_code_compiler(), NULL);
    s->program = api_program_on(s->context, text, strlen(text), SCH_ENGINE_JIT, width, &why);
    if (!s->program) fail_msg("%s\n%s", sch_result_text(why), text);
}

static void close_setup(struct setup *s)
{
    sch_program_destroy(s->program);
    sch_context_destroy(s->context);
}

/* Draws; answers the groups that ran in spans, of `*groups` as machine code. */
static uint64_t draw(struct setup *s, uint64_t *groups)
{
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 2};
    struct sch_code_counts before = {.size = sizeof before}, after = {.size = sizeof after};
    assert_int_equal(sch_context_code_counts(s->context, &before), SCH_OK);
    assert_int_equal(sch_dispatch_rectangle(s->program, NULL, &s->rectangle, &options, NULL), SCH_OK);
    assert_int_equal(sch_context_code_counts(s->context, &after), SCH_OK);
    assert_int_equal(after.decoded_groups, 0);
    *groups = after.native_groups - before.native_groups;
    return after.span_groups - before.span_groups;
}

/* Groups of 8 quads side by side where the width allows it. */
static void shaders_have_spans_or_not(void **state)
{
    (void)state;
    static struct setup s;
    for (unsigned n = 0; n < sizeof shaders / sizeof *shaders; n++)
        for (unsigned width = 4; width <= 16; width *= 2) {
            uint64_t groups;
            open_setup(&s, shaders[n].text, width);
            uint64_t spans = draw(&s, &groups);
            if (groups != GROUPS || spans != (shaders[n].spans ? GROUPS : 0))
                fail_msg("%s, width %u: %llu groups, %llu in spans", shaders[n].what, width, (unsigned long long)groups,
                         (unsigned long long)spans);
            close_setup(&s);
        }
}

static void rectangles_have_spans_or_not(void **state)
{
    (void)state;
    static struct setup s;
    uint64_t groups, spans;
    open_setup(&s, plain, 16);
    s.render_target.format = SCH_RENDER_TARGET_WORDS;
    assert_int_equal(draw(&s, &groups), 0);
    assert_int_equal(groups, GROUPS);
    s.render_target.format = SCH_RENDER_TARGET_UNORM8;
    s.rectangle.height = SIDE - 1; /* the last row of quads has helpers */
    assert_int_equal(draw(&s, &groups), GROUPS - SIDE / 16);
    assert_int_equal(groups, GROUPS);
    s.rectangle.height = SIDE;
    s.rectangle.width = SIDE - 6; /* 45 quads: groups go on in the next row */
    spans = draw(&s, &groups);
    assert_int_equal(groups, (45 * (SIDE / 2) + 7) / 8);
    assert_in_range(spans, groups * 3 / 4, groups - SIDE / 2 / 8);
    close_setup(&s);
}

/* FBFETCH: a pixel reads the colour buffer where it stands itself (tgsi.rst: "the color of the current position in the
 * framebuffer"). */
static void pixels_are_read_where_they_are(void **state)
{
    (void)state;
    static struct setup s;
    static uint32_t texels[SIDE][SIDE], drawn[SIDE][SIDE];
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                               .width = SIDE,
                                               .height = SIDE};
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) texels[y][x] = x | y << 8 | (x ^ y) << 16 | (255 - x) << 24;
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_resource *resource;
        struct sch_image *image;
        open_setup(&s, HEAD "FBFETCH OUT[0], OUT[0]\nEND\n", width);
        assert_int_equal(sch_resource_create(s.context, &shape, NULL, &resource), SCH_OK);
        assert_int_equal(sch_resource_write_all(resource, texels, sizeof texels), SCH_OK);
        assert_int_equal(sch_image_create(resource, NULL, &image), SCH_OK);
        const struct sch_bindings bindings = {
            .size = sizeof bindings, .color_buffers = &image, .color_buffer_count = 1};
        s.render_target =
            (struct sch_render_target){.pixels = drawn, .bytes = sizeof drawn, .row_bytes = sizeof drawn[0]};
        memset(drawn, 0, sizeof drawn);
        assert_int_equal(sch_dispatch_rectangle(s.program, &bindings, &s.rectangle, NULL, NULL), SCH_OK);
        assert_memory_equal(drawn, texels, sizeof drawn);
        sch_image_destroy(image);
        sch_resource_destroy(resource);
        close_setup(&s);
    }
}

static void tells_about_their_code(void **state)
{
    (void)state;
    static struct setup s;
    open_setup(&s, plain, 16);
    struct sch_code_options options = {.size = sizeof options, .rectangle = &s.rectangle};
    struct sch_code_report report = {.size = sizeof report};
    struct sch_code_counts counts = {.size = sizeof counts};
    char *spans, *groups;
    assert_int_equal(sch_program_compile(s.program, &options, &report), SCH_OK);
    assert_true(report.code_bytes > 0 && report.built > 0);
    assert_int_equal(sch_dispatch_rectangle(s.program, NULL, &s.rectangle, NULL, NULL), SCH_OK);
    assert_int_equal(sch_context_code_counts(s.context, &counts), SCH_OK);
    assert_int_equal(counts.programs, 1); /* it was the code that drew */
    assert_int_equal(sch_program_code_text(s.program, &options, SCH_CODE_IR, &spans), SCH_OK);
    options.rectangle = NULL;
    options.full = options.quads = true;
    assert_int_equal(sch_program_code_text(s.program, &options, SCH_CODE_IR, &groups), SCH_OK);
    assert_string_not_equal(spans, groups);
    sch_free(s.context, spans);
    sch_free(s.context, groups);

    options.rectangle = &s.rectangle;
    s.render_target.format = SCH_RENDER_TARGET_WORDS;
    assert_int_equal(sch_program_compile(s.program, &options, NULL), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(sch_program_code_text(s.program, &options, SCH_CODE_IR, &spans), SCH_ERROR_UNSUPPORTED);
    assert_null(spans);
    s.render_target.bytes = 1;
    assert_int_equal(sch_program_compile(s.program, &options, NULL), SCH_ERROR_ARGUMENT);
    close_setup(&s);
}

/* ---- the cache ---- */

enum { PATH_SIZE = 512 };
static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    const char *build = getenv("SCH_BUILD");
    (void)state;
    snprintf(folder, sizeof folder, "%s/tests/unit/spans-cache-XXXXXX", build ? build : ".");
    return mkdtemp(folder) ? 0 : -1;
}

/* The file that says that there is code for spans is much smaller than any code. */
enum which { THE_SIGN, THE_CODE, EVERYTHING };

static unsigned each_file(enum which which, void (*what)(const char *path))
{
    enum { SIGN_BYTES = 100 };
    unsigned count = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char path[2 * PATH_SIZE];
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_int_equal(stat(path, &status), 0);
        if (which != EVERYTHING && (status.st_size <= SIGN_BYTES) != (which == THE_SIGN)) continue;
        if (what) what(path);
        count++;
    }
    closedir(dir);
    return count;
}

static void remove_file(const char *path) { assert_int_equal(unlink(path), 0); }

static void damage_file(const char *path)
{
    int file = open(path, O_RDWR);
    uint8_t byte;
    assert_true(file >= 0);
    assert_int_equal(pread(file, &byte, 1, 12), 1);
    byte ^= 1; /* of the key, which may have any value */
    assert_int_equal(pwrite(file, &byte, 1, 12), 1);
    close(file);
}

static int remove_folder(void **state)
{
    (void)state;
    each_file(EVERYTHING, remove_file);
    return rmdir(folder);
}

static const char no_compiler[] = "/nonexistent/compiler.so";

/* Opens with the folder as its cache; the diagnostic's number, or 0 where there is a program. */
static unsigned open_cached_by(struct setup *s, const char *compiler, enum sch_engine engine)
{
    const struct sch_program_options options = {.size = sizeof options, .engine = engine};
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info view = {.size = sizeof view, .code = 0};
    struct sch_shader *shader;
    open_without_program(s, compiler, folder);
    assert_int_equal(sch_diagnostics_create(s->context, &list), SCH_OK);
    assert_int_equal(sch_shader_read(s->context, plain, strlen(plain), NULL, list, &shader), SCH_OK);
    enum sch_result result = sch_program_create(s->context, shader, &options, list, &s->program);
    if (sch_diagnostics_get(list, 0, &view))
        assert_int_equal(result, SCH_ERROR_UNSUPPORTED);
    else
        assert_int_equal(result, SCH_OK);
    sch_shader_destroy(shader);
    const unsigned code = view.code;
    sch_diagnostics_destroy(list);
    return code;
}

static unsigned open_cached(struct setup *s, const char *compiler)
{
    return open_cached_by(s, compiler, SCH_ENGINE_JIT);
}

/* Draws in spans, of which `*counts` tells. */
static void draw_cached(struct setup *s, const char *compiler, struct sch_code_counts *counts)
{
    uint64_t groups;
    *counts = (struct sch_code_counts){.size = sizeof *counts};
    assert_int_equal(open_cached(s, compiler), 0);
    assert_int_equal(draw(s, &groups), GROUPS);
    assert_int_equal(groups, GROUPS);
    assert_int_equal(sch_context_code_counts(s->context, counts), SCH_OK);
    close_setup(s);
}

static void fill_cache(struct setup *s)
{
    struct sch_code_counts counts;
    draw_cached(s, by_code_compiler(), &counts);
    assert_int_equal(counts.programs, 1);
    assert_int_equal(counts.to_cache, 1);
    assert_int_equal(each_file(THE_CODE, NULL), 1);
    assert_int_equal(each_file(THE_SIGN, NULL), 1);
}

static void hits_need_no_compiler(void **state)
{
    (void)state;
    static struct setup s;
    static uint32_t wanted[SIDE][SIDE][4];
    struct sch_code_counts counts;
    assert_int_equal(open_cached(&s, no_compiler), 4380); /* nothing is kept */
    close_setup(&s);
    fill_cache(&s);
    memcpy(wanted, s.pixels, sizeof wanted);
    assert_true(wanted[SIDE / 8][0][3] != 0);
    for (unsigned round = 0; round < 2; round++) {
        memset(s.pixels, 0, sizeof s.pixels);
        draw_cached(&s, no_compiler, &counts);
        assert_int_equal(counts.programs, 0);
        assert_int_equal(counts.from_cache, 1);
        assert_int_equal(counts.to_cache, 0);
        assert_memory_equal(s.pixels, wanted, sizeof wanted);
    }
}

/* A list that has got `count` reports, all 4380, of the shader. */
static void check_refused(const struct sch_diagnostics_list *list, size_t count)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_int_equal(sch_diagnostics_count(list), count);
    for (size_t n = 0; n < count; n++) {
        assert_true(sch_diagnostics_get(list, n, &view));
        assert_int_equal(view.code, 4380);
        assert_non_null(strstr(view.message, no_compiler));
    }
}

/* The sign is there and the code is not: with a compiler that is no difference; without, whatever wants it says why it
 * cannot be. */
static void code_is_missed_when_it_is_wanted(void **state)
{
    (void)state;
    static struct setup s;
    struct sch_code_counts counts;
    struct sch_diagnostics_list *list;
    char *text;
    fill_cache(&s);
    assert_int_equal(each_file(THE_CODE, remove_file), 1);
    assert_int_equal(open_cached(&s, no_compiler), 0);
    assert_int_equal(sch_diagnostics_create(s.context, &list), SCH_OK);
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 2, .diagnostics = list};
    assert_int_equal(sch_dispatch_rectangle(s.program, NULL, &s.rectangle, NULL, NULL), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(sch_dispatch_rectangle(s.program, NULL, &s.rectangle, &options, NULL), SCH_ERROR_UNSUPPORTED);
    check_refused(list, 1);
    struct sch_code_options code = {.size = sizeof code, .rectangle = &s.rectangle, .diagnostics = list};
    assert_int_equal(sch_program_compile(s.program, &code, NULL), SCH_ERROR_UNSUPPORTED);
    check_refused(list, 2);
    assert_int_equal(sch_program_code_text(s.program, &code, SCH_CODE_ASSEMBLY, &text), SCH_ERROR_UNSUPPORTED);
    check_refused(list, 3);
    code.rectangle = NULL;
    assert_int_equal(sch_program_compile(s.program, &code, NULL), SCH_ERROR_UNSUPPORTED);
    check_refused(list, 4);
    s.render_target.format = SCH_RENDER_TARGET_WORDS; /* no spans, which is no matter of compilers */
    code.rectangle = &s.rectangle;
    assert_int_equal(sch_program_compile(s.program, &code, NULL), SCH_ERROR_UNSUPPORTED);
    check_refused(list, 4);
    assert_int_equal(s.pixels[SIDE / 8][0][3], 0); /* nothing was drawn */
    sch_diagnostics_destroy(list);
    close_setup(&s);
    fill_cache(&s);
    draw_cached(&s, no_compiler, &counts);
    assert_int_equal(counts.from_cache, 1);
}

/* A sign that is missing or damaged is as good as none, and is put back with the next hit. */
static void signs_are_mended(void **state)
{
    (void)state;
    static struct setup s;
    struct sch_code_counts counts;
    void (*const losses[])(const char *) = {remove_file, damage_file};
    fill_cache(&s);
    for (unsigned n = 0; n < 2; n++) {
        assert_int_equal(each_file(THE_SIGN, losses[n]), 1);
        assert_int_equal(open_cached(&s, no_compiler), 4380);
        close_setup(&s);
        draw_cached(&s, by_code_compiler(), &counts);
        assert_int_equal(counts.programs, 0);
        assert_int_equal(counts.from_cache, 1);
        draw_cached(&s, no_compiler, &counts);
        assert_int_equal(counts.from_cache, 1);
    }
}

/* Where the cache has code for groups alone, as it has of programs without code for spans, a small run of `auto` takes
 * that from its first group on; `full`: for groups with all lanes, otherwise for any. */
static void check_groups(bool full)
{
    static struct setup s;
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1};
    const struct sch_code_options whole = {.size = sizeof whole, .full = full};
    struct sch_code_counts counts = {.size = sizeof counts};
    assert_int_equal(open_cached(&s, by_code_compiler()), 0);
    assert_int_equal(sch_program_compile(s.program, &whole, NULL), SCH_OK);
    close_setup(&s);
    assert_int_equal(open_cached_by(&s, no_compiler, SCH_ENGINE_AUTO), 0);
    assert_int_equal(sch_dispatch_rectangle(s.program, NULL, &s.rectangle, &options, NULL), SCH_OK);
    assert_int_equal(sch_context_code_counts(s.context, &counts), SCH_OK);
    assert_int_equal(counts.from_cache, 1);
    assert_int_equal(counts.span_groups, 0);
    assert_int_equal(counts.native_groups, GROUPS);
    close_setup(&s);
}

static void groups_serve_for_spans(void **state)
{
    (void)state;
    check_groups(true);
}

static void any_groups_serve(void **state)
{
    (void)state;
    check_groups(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_have_spans_or_not),
        cmocka_unit_test(rectangles_have_spans_or_not),
        cmocka_unit_test(pixels_are_read_where_they_are),
        cmocka_unit_test(tells_about_their_code),
        cmocka_unit_test_setup_teardown(hits_need_no_compiler, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(code_is_missed_when_it_is_wanted, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(signs_are_mended, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(groups_serve_for_spans, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(any_groups_serve, make_folder, remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
