/* Golden streams (tests/golden/streams.def): recordings of OpenGL clients, written here (virgl_scenes.c), and the
 * SHA-256 of the frames that they show, whatever the engine, the width and the number of threads. They have what Mesa
 * 22.3 never sends, too: quads and polygons, edge flags, layers and viewports of vertex shaders, statistics of the
 * pipeline. SCH_GOLDEN=FOLDER prints the sums of the interpreter at width 4, and writes the recordings there, for
 * `scheelite replay`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <scheelite/files.h>

#include "virgl_scenes.h"

enum { SUM = 2 * SCH_PICTURE_SHA256_BYTES + 1 };

static const struct golden {
    const char *kind;
    unsigned number;
    const char *sum;
} golden[] = {
#define STREAM_SUM(kind, number, sum) {#kind, number, sum},
#include "../../golden/streams.def"
#undef STREAM_SUM
};
enum { STREAMS = sizeof golden / sizeof *golden };

static struct stream stream;
static struct played played;

static void sum_of_frames(const struct played *of, char sum[SUM])
{
    uint8_t digest[SCH_PICTURE_SHA256_BYTES], texels[4] = {0};
    const struct sch_picture picture = {.size = sizeof picture,
                                        .width = (uint32_t)of->frame_bytes / 4,
                                        .height = 1,
                                        .texels = of->frame_bytes ? (uint8_t *)(uintptr_t)of->frame : texels,
                                        .bytes = of->frame_bytes};
    assert_int_equal(sch_picture_sha256(&picture, digest), SCH_OK);
    for (unsigned n = 0; n < sizeof digest; n++) snprintf(sum + 2 * n, 3, "%02x", digest[n]);
}

/* What is played is all taken, and shows something. */
static void play(unsigned kind, unsigned number, const struct stream_options *options, char sum[SUM])
{
    scene_write(&stream, kind, number);
    stream_play(&stream, options, &played);
    if (played.result != SCH_OK || played.refused || !played.frames)
        fail_msg("%s %u: %u frames, %s", scene_kind(kind)->name, number, played.frames, played.log);
    sum_of_frames(&played, sum);
}

static unsigned kind_of(const char *name)
{
    for (unsigned n = 0; scene_kind(n); n++)
        if (strcmp(scene_kind(n)->name, name) == 0) return n;
    fail_msg("there is no kind %s", name);
    return 0;
}

static void compare(const struct stream_options *options, unsigned step)
{
    unsigned wrong = 0;
    for (unsigned n = 0; n < STREAMS; n += step) {
        char sum[SUM];
        play(kind_of(golden[n].kind), golden[n].number, options, sum);
        if (strcmp(sum, golden[n].sum) == 0) continue;
        print_message("# %s %u: %s, not %s\n", golden[n].kind, golden[n].number, sum, golden[n].sum);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void streams_show_their_frames(void **state)
{
    (void)state;
    compare(&(struct stream_options){.engine = SCH_ENGINE_INTERPRETER}, 1);
}

/* Each other way a part of them. */
static void frames_depend_on_nothing(void **state)
{
    static const struct stream_options options[] = {{.engine = SCH_ENGINE_INTERPRETER, .width = 4, .threads = 3},
                                                    {.engine = SCH_ENGINE_INTERPRETER, .width = 8, .threads = 2},
                                                    {.engine = SCH_ENGINE_INTERPRETER, .width = 16}};
    (void)state;
    for (unsigned n = 0; n < 3; n++) compare(&options[n], 3);
}

/* As machine code, where there is a compiler: a few, for the time that it takes. */
static void machine_code_shows_the_same(void **state)
{
    char compiler[4096];
    const char *build = getenv("SCH_BUILD");
    (void)state;
    snprintf(compiler, sizeof compiler, "%s/src/jit/libscheelite-jit.so", build ? build : ".");
    if (access(compiler, R_OK) != 0) skip();
    const struct sch_machine_code_options code = {.size = sizeof code, .compiler = compiler};
    compare(&(struct stream_options){.engine = SCH_ENGINE_JIT, .code = &code}, 37);
}

static void all_streams_have_sums(void **state)
{
    unsigned count = 0;
    (void)state;
    for (unsigned kind = 0; scene_kind(kind); kind++)
        for (unsigned number = 0; number < scene_kind(kind)->count; number++, count++) {
            assert_true(count < STREAMS);
            assert_string_equal(golden[count].kind, scene_kind(kind)->name);
            assert_int_equal(golden[count].number, number);
        }
    assert_int_equal(count, STREAMS);
    assert_true(count >= 200);
}

static void write_stream(const char *folder, const char *name, unsigned number)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%u", folder, name, number);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(stream.bytes, 1, stream.used, file), stream.used);
    fclose(file);
}

static void print_sums(void **state)
{
    const char *folder = *state;
    for (unsigned kind = 0; scene_kind(kind); kind++)
        for (unsigned number = 0; number < scene_kind(kind)->count; number++) {
            char sum[SUM];
            play(kind, number, &(struct stream_options){.engine = SCH_ENGINE_INTERPRETER, .width = 4}, sum);
            printf("STREAM_SUM(%s, %u, \"%s\")\n", scene_kind(kind)->name, number, sum);
            write_stream(folder, scene_kind(kind)->name, number);
        }
}

int main(void)
{
    const char *folder = getenv("SCH_GOLDEN");
    const struct CMUnitTest printing[] = {cmocka_unit_test_prestate(print_sums, (void *)(uintptr_t)folder)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_show_their_frames), cmocka_unit_test(frames_depend_on_nothing),
        cmocka_unit_test(machine_code_shows_the_same), cmocka_unit_test(all_streams_have_sums)};
    if (folder) return cmocka_run_group_tests_name("printing", printing, NULL, NULL);
    return cmocka_run_group_tests_name("virgl_streams", tests, NULL, NULL);
}
