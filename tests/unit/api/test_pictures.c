/* Golden pictures (tests/golden/pictures.def): one SHA-256 each, whatever the engine, the width and the number of
 * threads; every build that the tests make runs this. The engine auto draws each picture first as it likes, then with
 * its code there. Where the build has no compiler of machine code, only the interpreter runs. SCH_GOLDEN=FOLDER
 * prints the sums that the interpreter gives at width 4, and writes the pictures there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/cache_folder.h"
#include "../support/sanitized.h"
#include "../tgsi/tgsi_support.h"
#include "base/sha256.h"
#include "peers_ours.h"

enum {
    WIDE = 75, /* no multiple of a group's 16 pixels */
    HIGH = 50,
    BLOCKS = 75, /* of 50 invocations */
    BUFFER_WORDS = 50 + 50 * BLOCKS,
    MOST_BYTES = 4 * (WIDE * HIGH > BUFFER_WORDS ? WIDE * HIGH : BUFFER_WORDS),
    CONSTANTS = 4,
    EVERY_WIDTH = 16, /* of the pictures */
    PATH_SIZE = 4096,
    SUM_SIZE = 2 * SCH_SHA256_BYTES + 1,
    MOST_THREADS = 3
};

struct scene {
    const char *folder; /* of the shader */
    float span;
    struct workload work;
    const char *sum;
};

#define PICTURE(folder, name_, span, target_, format_, filter_, side_, levels_, x, y, z, w, sum)                       \
    {folder,                                                                                                           \
     span,                                                                                                             \
     {.name = #name_,                                                                                                  \
      .target = TARGET_##target_,                                                                                      \
      .format = FORMAT_##format_,                                                                                      \
      .filter = FILTER_##filter_,                                                                                      \
      .side = (side_),                                                                                                 \
      .levels = (levels_),                                                                                             \
      .constants = {x, y, z, w}},                                                                                      \
     sum},
#define GROUPS(folder, name_, sum) {folder, 0, {.name = #name_, .elements = BUFFER_WORDS, .groups = BLOCKS}, sum},
static const struct scene scenes[] = {
#include "../../golden/pictures.def"
};
#undef PICTURE
#undef GROUPS
enum { SCENES = sizeof scenes / sizeof *scenes };

/* A scene in a context of its own. */
struct stage {
    const struct scene *scene;
    struct sch_context *context;
    struct sch_shader *shader;
    struct sch_view *view;
    struct sch_sampler *sampler;
};

static uint32_t pixels[MOST_BYTES / 4];
static char cache[PATH_SIZE]; /* the folder of the code that the engine jit compiled, which auto takes */

/* ---- one scene ---- */

static char *read_scene(const struct scene *scene, size_t *bytes)
{
    char path[PATH_SIZE];
    const char *top = getenv("SCH_SOURCE");
    snprintf(path, sizeof path, "%s/%s/%s.tgsi", top ? top : ".", scene->folder, scene->work.name);
    char *text = load_file(path, bytes);
    if (!text) fail_msg("cannot read %s", path);
    return text;
}

static void open_stage(const struct scene *scene, struct stage *stage)
{
    size_t bytes;
    char *text = read_scene(scene, &bytes);
    *stage = (struct stage){.scene = scene};
    const struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = by_code_compiler(), .inside = by_code_inside(), .cache = cache};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    assert_int_equal(sch_context_create(&options, &stage->context), SCH_OK);
    assert_int_equal(sch_shader_read(stage->context, text, bytes, NULL, NULL, &stage->shader), SCH_OK);
    free(text);
    if (scene->work.target)
        assert_int_equal(bench_texture(stage->context, &scene->work, &stage->view, &stage->sampler), SCH_OK);
}

static void close_stage(struct stage *stage)
{
    sch_view_destroy(stage->view);
    sch_sampler_destroy(stage->sampler);
    sch_shader_destroy(stage->shader);
    sch_context_destroy(stage->context);
}

static enum sch_result draw_rectangle(const struct scene *scene, const struct sch_program *program,
                                      const struct sch_bindings *bindings, const struct sch_dispatch_options *options)
{
    const float x = scene->span / WIDE, y = scene->span / HIGH;
    const struct sch_rectangle_register attribute = {
        .planar = 3,
        .words = {0, 0, 0, 0x3f800000},
        .planes = {{{x / 2, x, 0}, {1, 0, 0}}, {{y / 2, 0, y}, {1, 0, 0}}}};
    const struct sch_render_target render_target = {
        .pixels = pixels, .bytes = (size_t)WIDE * HIGH * 4, .row_bytes = WIDE * 4};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = WIDE,
                                            .height = HIGH,
                                            .registers = &attribute,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = 1,
                                            .render_targets = &render_target,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 1};
    return sch_dispatch_rectangle(program, bindings, &rectangle, options, NULL);
}

static void draw(const struct stage *stage, const struct sch_program *program, unsigned threads, char sum[SUM_SIZE])
{
    const struct workload *work = &stage->scene->work;
    float constants[CONSTANTS][4];
    for (unsigned c = 0; c < CONSTANTS; c++) memcpy(constants[c], work->constants, sizeof constants[c]);
    memset(pixels, 0x5a, sizeof pixels); /* killed pixels stay */
    const struct sch_constant_buffer constant_buffer = {.data = constants, .bytes = sizeof constants};
    const struct sch_storage_buffer buffer = {pixels, (size_t)work->elements * 4};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &constant_buffer,
                                          .constant_count = 1,
                                          .views = &stage->view,
                                          .view_count = 1,
                                          .samplers = &stage->sampler,
                                          .sampler_count = 1,
                                          .buffers = &buffer,
                                          .buffer_count = work->groups ? 1 : 0};
    const struct sch_dispatch_options options = {
        .size = sizeof options, .threads = threads, .unordered = true, .shared_bytes = 256};
    const uint32_t grid[3] = {work->groups, 1, 1};
    if (work->groups)
        assert_int_equal(sch_dispatch_grid(program, &bindings, grid, NULL, &options, NULL), SCH_OK);
    else
        assert_int_equal(draw_rectangle(stage->scene, program, &bindings, &options), SCH_OK);
    struct sch_sha256 hash;
    uint8_t digest[SCH_SHA256_BYTES];
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, pixels, sizeof pixels);
    sch_sha256_end(&hash, digest);
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) snprintf(sum + 2 * i, 3, "%02x", digest[i]);
}

/* ---- engines ---- */

static struct sch_program *make_program(const struct stage *stage, enum sch_engine engine, unsigned width)
{
    struct sch_program *program = NULL;
    const struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    assert_int_equal(sch_program_create(stage->context, stage->shader, &options, NULL, &program), SCH_OK);
    return program;
}

/* Both forms of groups, so that what runs next runs as machine code. */
static void compile(const struct stage *stage, const struct sch_program *program)
{
    for (unsigned full = 0; full < 2; full++) {
        const struct sch_code_options form = {.size = sizeof form, .full = full, .quads = !stage->scene->work.groups};
        assert_int_equal(sch_program_compile(program, &form, NULL), SCH_OK);
    }
}

/* Machine code of all but the first pictures, the change from decoded instructions to code (AUTO), and all pictures
 * with the sanitizers are made for one width each; SCH_LONG: for all. */
static bool is_left_out(const struct scene *scene, enum sch_engine engine, unsigned width)
{
    const bool few_codes = scene - scenes >= EVERY_WIDTH || engine == SCH_ENGINE_AUTO;
    const bool few = SANITIZED || (few_codes && engine != SCH_ENGINE_INTERPRETER);
    return few && !getenv("SCH_LONG") && width != 4u << (scene - scenes) % 3;
}

static void same_on_engine(const struct stage *stage, enum sch_engine engine)
{
    char sum[SUM_SIZE];
    for (unsigned width = 4; width <= 16; width *= 2) {
        if (is_left_out(stage->scene, engine, width)) continue;
        struct sch_program *program = make_program(stage, engine, width);
        for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
            draw(stage, program, threads, sum);
            if (strcmp(sum, stage->scene->sum) != 0)
                fail_msg("%s: engine %d, width %u, %u threads: %s, not %s", stage->scene->work.name, (int)engine, width,
                         threads, sum, stage->scene->sum);
            if (engine == SCH_ENGINE_AUTO && threads == 1) compile(stage, program);
        }
        sch_program_destroy(program);
    }
}

static void on_engine(const struct scene *scene, enum sch_engine engine)
{
    struct stage stage;
    struct sch_code_counts counts = {.size = sizeof counts};
    open_stage(scene, &stage);
    same_on_engine(&stage, engine);
    assert_int_equal(sch_context_code_counts(stage.context, &counts), SCH_OK);
    assert_int_equal(counts.refused, 0);
    assert_true((counts.native_groups > 0) == (engine != SCH_ENGINE_INTERPRETER));
    assert_true(engine != SCH_ENGINE_JIT || counts.decoded_groups == 0);
    close_stage(&stage);
}

static void write_picture(const struct scene *scene, const char *folder)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s-%u.ppm", folder, scene->work.name, (unsigned)(scene - scenes));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P6 %d %d 255\n", WIDE, HIGH);
    for (unsigned i = 0; i < WIDE * HIGH; i++) fwrite(&pixels[i], 1, 3, file);
    fclose(file);
}

static void print_sum(const struct scene *scene, const char *folder)
{
    struct stage stage;
    char sum[SUM_SIZE];
    open_stage(scene, &stage);
    struct sch_program *program = make_program(&stage, SCH_ENGINE_INTERPRETER, 4);
    draw(&stage, program, 1, sum);
    printf("# %s %s\n", scene->work.name, sum);
    write_picture(scene, folder);
    sch_program_destroy(program);
    close_stage(&stage);
}

#ifdef WITH_COMPILER
/* Without SCH_LONG a third of the scenes has machine code, three in a row, which have a width each. With the
 * sanitizers, which see nothing in it, a ninth: its compiler is theirs to see. */
static bool has_code(const struct scene *scene)
{
    return getenv("SCH_LONG") || (scene - scenes) / 3 % (SANITIZED ? 9 : 3) == 0;
}
#endif

static void picture(void **state)
{
    const struct scene *scene = *state;
    if (getenv("SCH_GOLDEN")) print_sum(scene, getenv("SCH_GOLDEN"));
    on_engine(scene, SCH_ENGINE_INTERPRETER);
#ifdef WITH_COMPILER
    if (!has_code(scene)) return;
    on_engine(scene, SCH_ENGINE_JIT);
    on_engine(scene, SCH_ENGINE_AUTO);
#endif
}

static int open_cache(void **state)
{
    (void)state;
    const char *folder = getenv("TMPDIR");
    snprintf(cache, sizeof cache, "%s/scheelite-golden-XXXXXX", folder ? folder : P_tmpdir);
    return mkdtemp(cache) ? 0 : -1;
}

static int remove_cache(void **state)
{
    (void)state;
    return remove_cache_folder(cache);
}

int main(void)
{
    struct CMUnitTest tests[SCENES];
    for (unsigned n = 0; n < SCENES; n++)
        tests[n] = (struct CMUnitTest){
            .name = scenes[n].work.name, .test_func = picture, .initial_state = (void *)(uintptr_t)&scenes[n]};
    return _cmocka_run_group_tests("pictures", tests, SCENES, open_cache, remove_cache);
}
