/* Readers of Direct3D shaders touch no byte behind what they are given: texts and containers that are cut anywhere
 * stand before a page that cannot be read. What a text says is the same where it ends and where a line ends. Memory may
 * end anywhere on the way of a shader, and nothing stays behind. */
#include "d3d_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../support/counting.h"
#include "d3d/check/check.h"
#include "d3d/text/text.h"

#define TEST(name) cmocka_unit_test(name)

enum { ROOM = 1 << 16, PATH = 4096 };

/* ROOM bytes before a page that cannot be read. */
static unsigned char *guarded(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *at = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    assert_int_equal(mprotect(at + ROOM, page, PROT_NONE), 0);
    return at;
}

static void release_guarded(unsigned char *at) { munmap(at, ROOM + (size_t)sysconf(_SC_PAGESIZE)); }

/* ---- texts ---- */

/* Lines that have every part of the language once; each is cut behind each of its letters. */
static const char *const lines[] = {
    "mov_sat r0.xyzw, -|cb0[r1.x + 12].wzyx| {min16f}",
    "mov [precise(xz)] r0.xz {mask}, x0[0x1f + r0.x].xyzw",
    "mov r0.rgba, l(0x7fffffff, -1.5e+3, +2, 1.#INF00)",
    "mov r0.xyzw, l(inf, infinity, nan, -1.#IND)",
    "dadd r0.xy, d(1.5l, -0x7ff0000000000000), d(3.0L)",
    "mov r0.x, r4294967295l.y {nonuniform}",
    "sample_aoffimmi_indexable(-8,7,1)(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.wzyx, s0",
    "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, r1.x, l(4), t6.xxxx",
    "resinfo_uint r0.xyzw, l(0), t0.xyzw",
    "if_nz r0.x // why",
    "sync_uglobal_g_t",
    "fcall fp0[r0.x + 1][2]",
    "call l0",
    "ret long spare(0x00000007, 1)",
    "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps long",
    "dcl_immediateConstantBuffer { { 1.0, -2, 0x3, 4}, { 0, 0, 0, 0} }",
    "customdata opaque { 1, 0x2 }",
    "dcl_resource_texture2dms(4) (unorm,snorm,sint,uint) t0",
    "dcl_constantbuffer CB0[4], dynamicIndexed",
    "dcl_sampler s0, mode_comparison",
    "dcl_uav_typed_buffer_glc_rov (float,float,float,float) u1",
    "dcl_uav_structured_opc u2, 16",
    "dcl_input_ps_siv linear noperspective centroid v0.xyzw, position",
    "dcl_function_table ft0 = {fb1, fb2}",
    "dcl_interface_dynamicindexed fp0[2][1] = {ft0, ft1}",
    "dcl_hs_max_tessfactor l(64.0)",
    "dcl_thread_group 8, 4, 1",
    ".input",
    ".features doubles tiledResources 40",
    ".resources 256, \"me\"",
    ".chunks SHEX ABCD",
    ".chunk ABCD { 00 ff Aa }",
    ".statistics 29, instructions 2, 3 4",
    ".checksum 1, 2, 3, 0xffffffff",
    ".bytes SHEX { 00 }",
};

/* With signatures and resources begun. */
static const char *const directives[] = {
    ".param \"A1\"2.xyz, v0.xy, float, NONE, FLOAT_16",
    ".param SV_Depth, oDepth, float, DEPTH",
    ".param COLOR0.x, o1, uint, NONE, NONE, m2",
    ".binding \"t\", texture, float, texture2d, 4294967295, 3, 1, 12",
    ".cbuffer \"c\", 64, 0, 0",
    ".variable \"v\", 0, 8, 2, vector float 1 x 2 \"float2\"",
    ".variable \"s\", 16, 48, 0, struct void 1 x 12[2] \"S\" {",
};

static const char table[] =
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// TEXCOORD                 1    yz         1     NONE  min16f    z\n"
    "// m2:COLOR                 0   x           2     NONE   float   YES\n";

struct answer {
    enum sch_result status;
    unsigned code, column;
};

static struct answer assemble(const char *text, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_d3d_shader *shader;
    struct answer answer = {0};
    sch_diagnostics_init(&list, &sch_allocator_libc, 0);
    answer.status = sch_d3d_assemble(&sch_allocator_libc, &limits, text, bytes, &list, &shader);
    assert_true((answer.status == SCH_OK) == (shader != NULL));
    if (list.count) answer.code = list.items[0].code;
    if (list.count && list.items[0].position.line) answer.column = list.items[0].position.column;
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
    return answer;
}

static bool is_same_cut(unsigned char *room, const char *head, const char *line, size_t length)
{
    char text[8192];
    size_t bytes = (size_t)snprintf(text, sizeof text, "%s%.*s", head, (int)length, line);
    assert_true(bytes + 2 < sizeof text);
    unsigned char *at = room + ROOM - bytes;
    memcpy(at, text, bytes);
    struct answer cut = assemble((const char *)at, bytes);
    memcpy(text + bytes, "\n", 2);
    struct answer ended = assemble(text, bytes + 1);
    bool same = cut.status == ended.status && cut.code == ended.code &&
                (cut.column == ended.column || strpbrk(line, "{/") || cut.status == SCH_OK);
    if (!same)
        print_message("# %.*s: %d %u:%u, at the end of a line %d %u:%u\n", (int)length, line, (int)cut.status, cut.code,
                      cut.column, (int)ended.status, ended.code, ended.column);
    return same;
}

static unsigned cut_all(unsigned char *room, const char *head, const char *line)
{
    unsigned wrong = 0;
    for (size_t length = 0; length <= strlen(line); length++) wrong += !is_same_cut(room, head, line, length);
    return wrong;
}

static void test_cut_texts(void **state)
{
    (void)state;
    unsigned char *room = guarded();
    unsigned wrong = cut_all(room, "", "// a comment\n  ps_5_1 // and more\nret");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) wrong += cut_all(room, "ps_5_0\n", lines[i]);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        wrong += cut_all(room, "ps_5_0\n.input\n.resources 256, \"me\"\n.cbuffer \"c\", 64, 0, 0\n", directives[i]);
    wrong += cut_all(room, "gs_5_1\n", "dcl_constantbuffer CB0[0:*][4], dynamicIndexed, space=3");
    wrong += cut_all(room, "gs_5_1\n", "dcl_sampler S0[0:1], space=7");
    wrong += cut_all(room, "", table);
    assert_int_equal(wrong, 0);
    release_guarded(room);
}

/* ---- containers ---- */

static void put(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) at[i] = (unsigned char)(word >> (8 * i));
}

static enum sch_result read_bytes(const unsigned char *data, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    enum sch_result status = sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, NULL, &shader);
    sch_d3d_shader_destroy(shader);
    return status;
}

static void *contain(const char *text, size_t *bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    void *data;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    return data;
}

/* The header's size says how much there is, or more than there is. */
static void test_cut_containers(void **state)
{
    (void)state;
    unsigned char *room = guarded();
    size_t bytes;
    unsigned char *data = contain("ps_5_0\n.input\n.param A.x, v0.x, float\n.output\n.resources 0, \"me\"\n"
                                  ".cbuffer \"c\", 16, 0, 0\n.variable \"v\", 0, 4, 0, scalar int 1 x 1\n"
                                  ".features doubles\n.text\ndcl_temps 1\nmov r0.x, l(1)\nret\n.statistics 2, 1 1\n",
                                  &bytes);
    for (size_t cut = 0; cut < bytes; cut++) {
        unsigned char *at = room + ROOM - cut;
        memcpy(at, data, cut);
        assert_int_equal(read_bytes(at, cut), SCH_ERROR_INVALID);
        if (cut < 28) continue;
        put(at + 24, (uint32_t)cut);
        assert_int_equal(read_bytes(at, cut), SCH_ERROR_INVALID);
    }
    memcpy(room + ROOM - bytes, data, bytes);
    assert_int_equal(read_bytes(room + ROOM - bytes, bytes), SCH_OK);
    free(data);
    release_guarded(room);
}

/* ---- memory ---- */

static void end(const struct sch_allocator *allocator, void *memory)
{
    if (memory) allocator->free(allocator->user, memory);
}

/* What a function that fails has to take away from its result. */
#define UNSET ((void *)(uintptr_t)64)

static enum sch_result print_each(const struct sch_allocator *allocator, const struct sch_d3d_shader *shader)
{
    static const enum sch_listing_style styles[] = {SCH_LISTING_FXC, SCH_LISTING_VKD3D, SCH_LISTING_FXC_DUMP};
    enum sch_result status = SCH_OK;
    for (unsigned style = 0; style < 3 && status == SCH_OK; style++) {
        char *listing = UNSET;
        size_t bytes = 1;
        status = sch_d3d_print(shader, styles[style], allocator, &listing, &bytes);
        assert_true((status == SCH_OK) == (listing != NULL));
        assert_int_equal(bytes, listing ? strlen(listing) : 0);
        end(allocator, listing);
    }
    return status;
}

static enum sch_result write_and_read(const struct sch_allocator *allocator, const struct sch_d3d_shader *shader)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    void *data = UNSET;
    size_t bytes = 1;
    enum sch_result status = sch_d3d_container_write(shader->container, allocator, NULL, &data, &bytes);
    assert_true((status == SCH_OK) == (data != NULL) && (bytes > 0) == (data != NULL));
    if (!data) return status;
    struct sch_d3d_shader *again = UNSET;
    status = sch_d3d_shader_read(allocator, &limits, data, bytes, true, NULL, &again);
    assert_true((status == SCH_OK) == (again != NULL));
    if (again) status = print_each(allocator, again);
    end(allocator, data);
    sch_d3d_shader_destroy(again);
    return status;
}

static enum sch_result encode_and_decode(const struct sch_allocator *allocator, const struct sch_d3d_program *program)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    uint32_t *words = UNSET;
    size_t count = 1;
    enum sch_result status = sch_d3d_encode(program, allocator, NULL, &words, &count);
    assert_true((status == SCH_OK) == (words != NULL) && (count > 0) == (words != NULL));
    if (!words) return status;
    struct sch_d3d_program *made = UNSET;
    status = sch_d3d_decode(allocator, &limits, words, count, 0, "SHEX", NULL, &made);
    assert_true((status == SCH_OK) == (made != NULL));
    end(allocator, words);
    sch_d3d_program_destroy(made);
    return status;
}

/* Text to program, checked, to words, to a container, and back to text in each spelling. */
static enum sch_result all_the_way(const struct sch_allocator *allocator, const char *text)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader = UNSET;
    enum sch_result status = sch_d3d_assemble(allocator, &limits, text, strlen(text), NULL, &shader);
    assert_true((status == SCH_OK) == (shader != NULL));
    if (!shader) return status;
    bool program = sch_d3d_has_program(shader);
    if (program && sch_d3d_check(shader->program, shader->signatures, NULL) == SCH_ERROR_MEMORY)
        status = SCH_ERROR_MEMORY;
    if (program && status == SCH_OK) status = encode_and_decode(allocator, shader->program);
    if (status == SCH_OK) status = write_and_read(allocator, shader);
    sch_d3d_shader_destroy(shader);
    return status;
}

/* All the way with requests that are refused from one on; returns how many it makes. */
static long go_with(long from, const char *name, const char *text, enum sch_result wanted)
{
    struct counting counting = {.fail_from = from};
    const struct sch_allocator allocator = counting_callbacks(&counting);
    enum sch_result status = all_the_way(&allocator, text);
    if (counting.live) fail_msg("%s: %ld blocks are lost", name, (long)counting.live);
    if (status != wanted) fail_msg("%s: status %d, refused from %ld on", name, (int)status, from);
    return counting.calls;
}

/* Refused from any request on it ends with MEMORY. */
static void end_memory_anywhere(const char *name, const char *text)
{
    const long all = go_with(0, name, text, SCH_OK);
    for (long from = 1; from <= all; from++) go_with(from, name, text, SCH_ERROR_MEMORY);
    assert_true(all > 10 && all < 5000);
}

static unsigned end_memory_of(const char *name)
{
    char folder[PATH], path[2 * PATH];
    unsigned count = 0;
    snprintf(folder, sizeof folder, "%s/tests/golden/d3d/%s", getenv("SCH_SOURCE"), name);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t bytes;
        if (!strstr(entry->d_name, ".asm")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *text = load_file(path, &bytes);
        assert_non_null(text);
        end_memory_anywhere(entry->d_name, text);
        free(text);
        count++;
    }
    closedir(dir);
    return count;
}

/* What the files have not: chunks and bytes, tables in comments, effects of several programs. */
static const char *const more[] = {
    "ps_5_0\nret\n.chunks SHEX STAT ABCD RDEF\n.statistics 29, instructions 1\n.chunk ABCD {\n00 01 02\n}\n"
    ".resources 256, \"me\"\n.binding \"t\", texture, float, texture2d, 4294967295, 3, 1, 12\n"
    ".cbuffer \"c\", 64, 1, 0\n.variable \"s\", 0, 8, 2, struct void 1 x 2 \"S\" {\n"
    ".member \"a\", 0, scalar int 1 x 1\n.end\n.default 1.0, -2\n",
    "ps_5_0\n.input\n.param \"A\".x, v0.x, float, NONE, FLOAT_16\n.output\n.param SV_Target.xyzw, o0.xyzw, float\n"
    ".bytes SHEX { 01 }\n.bytes OSG1 { 01 }\n.bytes DXBC { 01 }\nret\n.checksum 1, 2, 3, 4\n",
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// TEXCOORD                 0   xyzw        0     NONE   float   xy\n"
    "// m1:COLOR                 3    yz         1      POS    uint  \nps_5_0\ndcl_temps 1\n"
    "customdata opaque { 1, 2 }\nswitch r0.x\ncase l(1)\nbreak\ndefault\nbreak\nendswitch\ncall l0\nret spare(1, 2)\n"
    "label l0\nret\n",
    "container\n.chunk ABCD { 00 }\n.input\n.param A.x, v0, float\n",
};

static void test_memory_ends_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) end_memory_anywhere(more[i], more[i]);
    assert_true(end_memory_of("lower") > 20);
    assert_true(end_memory_of("spellings") > 8);
}

/* A container with bytes behind its chunks: its text has all of it. */
static void test_memory_of_whole_containers(void **state)
{
    (void)state;
    static const char text[] = "ps_5_0\n.features doubles\nret\n";
    enum { SIZE_AT = 24, MORE = 8 };
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    void *data;
    char *listing;
    size_t bytes, length;
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    unsigned char *longer = calloc(1, bytes + MORE);
    memcpy(longer, data, bytes);
    longer[SIZE_AT] = (unsigned char)(longer[SIZE_AT] + MORE);
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, longer, bytes + MORE, true, NULL, &shader),
                     SCH_OK);
    assert_int_equal(sch_d3d_print(shader, SCH_LISTING_FXC, &sch_allocator_libc, &listing, &length), SCH_OK);
    sch_d3d_shader_destroy(shader);
    assert_non_null(strstr(listing, ".bytes DXBC {"));
    end_memory_anywhere("whole", listing);
    free(listing);
    free(longer);
    free(data);
}

/* ---- a block of memory that is full at any place ---- */

/* Elements of a signature need more room than the chunk that they are read from. */
static void test_room_for_elements(void **state)
{
    (void)state;
    enum { ELEMENTS = 100, BLOCK = 4096 };
    char text[64 * ELEMENTS] = "ps_5_0\n.input\n";
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    void *data;
    size_t bytes;
    for (size_t i = 0; i < ELEMENTS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ".param A%zu.x, v0, float\n", i);
    assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    assert_true(bytes < BLOCK - 500);
    limits.memory = BLOCK + 200;
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, NULL, &shader),
                     SCH_ERROR_MEMORY);
    assert_null(shader);
    limits.memory = 4 * BLOCK;
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, true, NULL, &shader), SCH_OK);
    assert_int_equal(shader->signatures[SCH_SIGNATURE_INPUT].count, ELEMENTS);
    sch_d3d_shader_destroy(shader);
    free(data);
}

static char *listing_within(const char *text, size_t memory, enum sch_result *status)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    char *listing = NULL;
    size_t bytes;
    limits.memory = memory;
    *status = sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader);
    if (*status == SCH_OK)
        assert_int_equal(sch_d3d_print(shader, SCH_LISTING_FXC, &sch_allocator_libc, &listing, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    return listing;
}

/* So many units stand before the rest: what follows finds less and less room, and comes whole or not at all. */
static void fill_blocks(const char *head, const char *unit, const char *tail, size_t step)
{
    enum { BLOCK = 4096, ONE_BLOCK = BLOCK + 200, UNITS = BLOCK };
    size_t ended = 0, whole = 0;
    for (size_t units = 0; units < UNITS && ended < 20; units += step) {
        enum sch_result status;
        char *text = malloc(strlen(head) + units * strlen(unit) + strlen(tail) + 1), *at = text + strlen(head);
        strcpy(text, head);
        for (size_t i = 0; i < units; i++, at += strlen(unit)) strcpy(at, unit);
        strcpy(at, tail);
        char *said = listing_within(text, ONE_BLOCK, &status);
        ended += status == SCH_ERROR_MEMORY;
        whole += status == SCH_OK;
        if (status != SCH_OK && status != SCH_ERROR_MEMORY) fail_msg("%d: %s", (int)status, text);
        if (said) {
            char *wanted = listing_within(text, 0, &status);
            assert_string_equal(said, wanted);
            free(wanted);
        }
        free(said);
        free(text);
    }
    assert_true(ended == 20 && whole > 0);
}

static void test_full_blocks(void **state)
{
    (void)state;
    static const char resources[] =
        " }\n.resources 256, \"me\"\n.binding \"a name of some length\", sampler, 0, none, 0, 2, 1, 0\n"
        ".cbuffer \"buffer\", 64, 1, 0\n.variable \"a variable's name\", 0, 8, 2, struct void 1 x 2 \"Struct\" {\n"
        ".member \"the member\", 0, scalar int 1 x 1\n.end\n.default 1.0, -2\n.chunks SHEX STAT ABCD RDEF\n"
        ".statistics 29, instructions 1\nret\n";
    static const char elements[] =
        " }\n// Input signature:\n// Name Index Mask Register SysValue Format Used\n// - - - - - - -\n"
        "// A_RATHER_LONG_NAME 3 yz 1 POS uint y\n// ANOTHER 0 x 0 NONE float YES\nret\n";
    static const char program[] =
        "}\nmov r0.xyzw, cb0[x0[r0.y + 2].z + 1].xyzw\ncustomdata opaque { 1, 2, 3, 4, 5, 6, 7, 8, 9 }\n"
        "fcall fp0[0][0]\nret spare(1, 2, 3, 4, 5, 6, 7, 8, 9)\ndcl_tgsm_raw g0, 4\nmad r0, r0, r0, r0\n";
    fill_blocks("ps_5_0\n.chunk ABCD { ", "00 ", resources, 8);
    fill_blocks("ps_5_0\n.chunk ABCD { ", "00 ", elements, 8);
    fill_blocks("ps_5_0\ndcl_function_table ft0 = {fb0", ",fb0", program, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_cut_texts),
        TEST(test_cut_containers),
        TEST(test_memory_ends_anywhere),
        TEST(test_memory_of_whole_containers),
        TEST(test_room_for_elements),
        TEST(test_full_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
