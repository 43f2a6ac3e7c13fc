/* Containers of which one word is another: each is refused, or a part of it is skipped, at the place of what is wrong,
 * or the listing says what the word says. tests/golden/d3d/damage.txt has a line for each word and value: the chunk,
 * the byte, how the word is changed, and the first report or the first line of the listing that is another. */
#include "d3d_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d3d/text/text.h"

#define TEST(name) cmocka_unit_test(name)

enum { ROOM = 1 << 20, PATH = 4096 };

static const char *const texts[] = {
    "ps_5_0\n.input\n.param A.xy, v0.x, float\n.output\n.param B1.x, o0.x, uint, TARGET\n"
    ".resources 256, \"me\"\n.binding \"t\", texture, float, texture2d, 4294967295, 3, 1, 12\n"
    ".cbuffer \"c\", 32, 1, 2\n.variable \"v\", 0, 8, 2, vector float 1 x 2 \"float2\"\n.default 1.0, -2\n"
    ".variable \"s\", 16, 16, 0, struct void 1 x 4[2] \"S\" {\n.member \"a\", 4, scalar int 1 x 1\n.end\n"
    ".features doubles\n.text\ndcl_globalFlags refactoringAllowed\ndcl_temps 2\nmov r0.x, l(1)\nret\n"
    ".statistics 29, instructions 2\n",
    "vs_4_0\n.input\n.param A.x, v0.x, float\n.output\n.resources 0, \"\"\n.cbuffer \"c\", 16, 0, 0\n"
    ".variable \"v\", 0, 4, 2, scalar int 1 x 1\n.default 7\n.text\nret\n",
    "ps_5_1\n.output\n.param A.x, o0.x, float, TARGET, FLOAT_16\n.resources 0, \"x\"\n"
    ".binding \"b\", sampler, 0, none, 0, 2, 1, 0, 3, 4\n.text\n"
    "dcl_constantbuffer CB0[1:2][4], dynamicIndexed, space=3\ndcl_temps 1\nmov r0.x, CB0[1][r0.x].x\nret\n",
    "gs_5_0\n.output\n.param A.x, o0.x, float, NONE, NONE, m1\n.text\n"
    "dcl_immediateConstantBuffer { { 1.0, 2, 3, 4} }\ndcl_inputprimitive point\ndcl_input_sgv v[1][0].x, primitive_id\n"
    "dcl_indexableTemp x0[4], 4\ndcl_function_table ft0 = {fb1, fb2}\ndcl_interface fp0[2][1] = {ft0, ft1}\n"
    "fcall fp0[0][1]\nmov_sat [precise(x)] r0.x {min16f}, -|x0[r1.y + 2].w|\nadd r0.xyzw, l(1.0, 2.0, 3.0, 4.0), "
    "r0.wzyx\n"
    "dmov r0.xy, d(1.0l)\nld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, r1.x, "
    "l(4), t6.xxxx\nif_nz r4294967296l.x\nendif\nret long spare(0x00000007)\n",
};

static uint32_t word_at(const unsigned char *at) { return sch_word_at(at); }

static void put(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) at[i] = (unsigned char)(word >> (8 * i));
}

static unsigned char *contain(const char *text, size_t *bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    void *data;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    return data;
}

static char *list(const struct sch_d3d_shader *shader)
{
    char *text;
    size_t bytes;
    assert_int_equal(sch_d3d_print(shader, SCH_LISTING_FXC, &sch_allocator_libc, &text, &bytes), SCH_OK);
    return text;
}

/* The first line of `text` that `before` does not have there; the checksum is always another. */
static void say_difference(const char *text, const char *before, char *said, size_t room)
{
    const char *line = text;
    for (size_t i = 0; text[i] && text[i] == before[i]; i++)
        if (text[i] == '\n') line = text + i + 1;
    size_t length = strcspn(line, "\n");
    if (!strncmp(line, ".checksum", 9)) line = "the same", length = 8;
    snprintf(said, room, "%.*s", (int)length, line);
}

/* What reading answers, in a line. */
static void answer(const unsigned char *data, size_t bytes, const char *before, char *said, size_t room)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics reports;
    struct sch_d3d_shader *shader;
    sch_diagnostics_init(&reports, &sch_allocator_libc, 0);
    enum sch_result status = sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, &reports, &shader);
    if (reports.count) {
        snprintf(said, room, "%s %u at %llu: %s", status == SCH_OK ? "skips" : "refuses", reports.items[0].code,
                 (unsigned long long)reports.items[0].position.offset, reports.items[0].message);
    } else {
        assert_int_equal(status, SCH_OK);
        char *text = list(shader);
        say_difference(text, before, said, room);
        free(text);
    }
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&reports);
}

static const struct change {
    const char *name;
    uint32_t flips, plus;
} changes[] = {{"+ 1", 0, 1}, {"- 1", 0, UINT32_MAX}, {"^ 0x80000000", 0x80000000, 0}, {"^ 0x00010000", 0x10000, 0}};

static char *damage(unsigned char *data, size_t bytes, const char *before, char *out, char *end)
{
    for (size_t at = 0; at + 4 <= bytes; at += 4) {
        uint32_t word = word_at(data + at);
        if (at >= 4 && at < 20) continue; /* the checksum */
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            char said[300];
            put(data + at, (word ^ changes[i].flips) + changes[i].plus);
            answer(data, bytes, before, said, sizeof said);
            out += snprintf(out, (size_t)(end - out), "%zu %s: %s\n", at, changes[i].name, said);
            assert_true(out < end);
        }
        put(data + at, word);
    }
    return out;
}

static void test_each_word_counts(void **state)
{
    (void)state;
    char path[PATH], *room = malloc(ROOM), *out = room;
    size_t bytes;
    assert_non_null(room);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        unsigned char *data = contain(texts[i], &bytes);
        struct sch_d3d_shader *shader;
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, false, NULL, &shader), SCH_OK);
        char *before = list(shader);
        sch_d3d_shader_destroy(shader);
        out += snprintf(out, (size_t)(room + ROOM - out), "container %zu of %zu bytes\n", i, bytes);
        out = damage(data, bytes, before, out, room + ROOM);
        free(before);
        free(data);
    }
    snprintf(path, sizeof path, "%s/tests/golden/d3d/damage.txt", getenv("SCH_SOURCE"));
    char *wanted = load_file(path, &bytes);
    assert_non_null(wanted);
    if (strcmp(room, wanted)) {
        size_t at = 0, line = 0;
        for (; room[at] && room[at] == wanted[at]; at++)
            if (room[at] == '\n') line = at + 1;
        print_message("# there is: %.*s\n# wanted: %.*s\n", (int)strcspn(room + line, "\n"), room + line,
                      (int)strcspn(wanted + line, "\n"), wanted + line);
        fail();
    }
    free(wanted);
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_each_word_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
