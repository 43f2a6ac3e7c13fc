/* Direct3D assembly as text, both ways: real programs come back from their listings, vkd3d's listings are made as vkd3d
 * makes them and are read, every row of the table has a text, broken text is refused with a number and a place. */
#include "d3d_support.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/counting.h"
#include "../support/random_number.h"
#include "d3d/text/text.h"
#include "isa/errors.h"

#define TEST(name) cmocka_unit_test(name)

static struct sch_d3d_shader *read_shader(const struct d3d_file *file)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, file->data, file->bytes, false, NULL, &shader),
                     SCH_OK);
    return shader;
}

static char *print(const struct sch_d3d_shader *shader, enum sch_listing_style style)
{
    char *text;
    size_t bytes;
    assert_int_equal(sch_d3d_print(shader, style, &sch_allocator_libc, &text, &bytes), SCH_OK);
    assert_int_equal(strlen(text), bytes);
    return text;
}

/* Assembles; NULL and the first report when it is refused. */
static struct sch_d3d_shader *assemble(const char *text, size_t bytes, struct sch_diagnostics *diagnostics)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    sch_diagnostics_init(diagnostics, &sch_allocator_libc, 0);
    sch_diagnostics_source(diagnostics, "test", text, bytes);
    enum sch_result status = sch_d3d_assemble(&sch_allocator_libc, &limits, text, bytes, diagnostics, &shader);
    assert_true((status == SCH_OK) == (shader != NULL));
    assert_true((status == SCH_OK) == (diagnostics->errors == 0));
    return shader;
}

static struct sch_d3d_shader *assemble_string(const char *name, const char *text)
{
    struct sch_diagnostics diagnostics;
    struct sch_d3d_shader *shader = assemble(text, strlen(text), &diagnostics);
    if (!shader) d3d_print_reports(name, &diagnostics);
    assert_non_null(shader);
    sch_diagnostics_release(&diagnostics);
    return shader;
}

static uint32_t *encode(const struct sch_d3d_program *program, size_t *count)
{
    uint32_t *words;
    assert_int_equal(sch_d3d_encode(program, &sch_allocator_libc, NULL, &words, count), SCH_OK);
    return words;
}

static void assert_same_program(const char *name, const struct sch_d3d_program *a, const struct sch_d3d_program *b)
{
    size_t left, right;
    uint32_t *one = encode(a, &left), *other = encode(b, &right);
    for (size_t i = 0; i < left && i < right; i++)
        if (one[i] != other[i]) {
            print_message("# %s: word %zu: %08x %08x\n", name, i, one[i], other[i]);
            break;
        }
    assert_int_equal(left, right);
    assert_memory_equal(one, other, left * 4);
    free(one);
    free(other);
}

/* Whether two words, or the pairs that one of them is in, are floats that six digits after the point do not tell apart;
 * `after` words follow. Denormals of moves are integers, so only the digits count. */
static bool is_rounded(const uint32_t *one, const uint32_t *other, size_t before, size_t after)
{
    static const double half = 0.5e-6 * (1 + 1e-9);
    float a, b;
    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    if (fabs((double)a - (double)b) <= half) return true;
    for (size_t k = before ? 0 : 1; k < (after ? 2u : 1u); k++) {
        double wide_a, wide_b;
        memcpy(&wide_a, one - 1 + k, sizeof wide_a);
        memcpy(&wide_b, other - 1 + k, sizeof wide_b);
        if (fabs(wide_a - wide_b) <= half) return true;
    }
    return false;
}

/* What a dump of fxc's assembles to: the same program, floats rounded to six digits after the point. */
static void assert_rounded_program(const char *name, const struct sch_d3d_program *a, const struct sch_d3d_program *b)
{
    size_t left, right, wrong = 0;
    uint32_t *one = encode(a, &left), *other = encode(b, &right);
    assert_int_equal(left, right);
    for (size_t i = 0; i < left; i++)
        if (one[i] != other[i] && !is_rounded(one + i, other + i, i, left - 1 - i)) {
            print_message("# %s: word %zu: %08x %08x\n", name, i, one[i], other[i]);
            wrong++;
        }
    assert_int_equal(wrong, 0);
    free(one);
    free(other);
}

static void assert_same_signatures(const struct sch_d3d_shader *a, const struct sch_d3d_shader *b)
{
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++) {
        const struct sch_d3d_signature *left = &a->signatures[i], *right = &b->signatures[i];
        assert_int_equal(left->tag, right->tag);
        assert_int_equal(left->count, right->count);
        for (size_t k = 0; k < left->count; k++) {
            struct sch_d3d_signature_element one = left->elements[k], other = right->elements[k];
            assert_string_equal(one.name, other.name);
            one.name = other.name = NULL;
            assert_memory_equal(&one, &other, sizeof one);
        }
    }
}

/* What was assembled is a container that reads as the same shader. */
static void check_container(const char *name, const struct sch_d3d_shader *shader)
{
    struct d3d_file file = {0};
    void *data;
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &file.bytes), SCH_OK);
    file.data = data;
    struct sch_d3d_shader *again = read_shader(&file);
    assert_same_program(name, shader->program, again->program);
    assert_same_signatures(shader, again);
    assert_true(shader->features == again->features);
    char *text = print(shader, SCH_LISTING_FXC), *second = print(again, SCH_LISTING_FXC);
    assert_string_equal(text, second); /* resources, too */
    free(second);
    free(text);
    sch_d3d_shader_destroy(again);
    free(data);
}

/* The container of an assembled shader is the file, byte for byte. */
static void assert_same_file(const struct d3d_file *file, const struct sch_d3d_shader *shader)
{
    void *data;
    size_t bytes;
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
    bool same = bytes == file->bytes && !memcmp(data, file->data, bytes);
    if (!same) print_message("# %s comes back as another file\n", file->name);
    assert_true(same);
    free(data);
}

static void test_corpus_comes_back_from_its_text(void **state)
{
    (void)state;
    size_t count;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) {
        struct sch_d3d_shader *shader = read_shader(&files[i]);
        char *text = print(shader, SCH_LISTING_FXC);
        struct sch_d3d_shader *again = assemble_string(files[i].name, text);
        assert_same_program(files[i].name, shader->program, again->program);
        assert_same_signatures(shader, again);
        assert_true(shader->has_features == again->has_features && shader->features == again->features);
        check_container(files[i].name, again);
        assert_same_file(&files[i], again);
        char *reprinted = print(again, SCH_LISTING_FXC);
        assert_string_equal(text, reprinted);
        free(reprinted);
        free(text);
        sch_d3d_shader_destroy(again);
        sch_d3d_shader_destroy(shader);
    }
    print_message("# %zu containers came back\n", count);
    d3d_corpus_free(files, count);
}

/* Equal but for white space. */
static bool same_text(const char *a, const char *b)
{
    for (;;) {
        while (isspace((unsigned char)*a)) a++;
        while (isspace((unsigned char)*b)) b++;
        if (*a != *b) return false;
        if (!*a) return true;
        a++;
        b++;
    }
}

static char *peer_listing(const struct d3d_file *file)
{
    char path[4096];
    if (file->own) return NULL;
    snprintf(path, sizeof path, "%s/corpus/dxbc/%s", getenv("SCH_SHARED"), file->name);
    size_t bytes, length = strlen(path);
    memcpy(path + length - 4, "asm", 4);
    return load_file(path, &bytes);
}

/* Takes out what the peer does not say: forms of operands, how generated values are interpolated; and writes four equal
 * letters as one, as it does. */
static void speak_as_peer(char *text)
{
    static const char *const forms[] = {" {none}", " {scalar}", " {mask}", " {swizzle}", " {select}"};
    char *to = text;
    for (const char *at = text; *at;) {
        size_t skipped = 0;
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            if (!strncmp(at, forms[i], strlen(forms[i]))) skipped = strlen(forms[i]);
        if (!strncmp(at, " constant v", 11) && at - text > 16 && !strncmp(at - 16, "dcl_input_ps_sgv", 16)) skipped = 9;
        at += skipped;
        if (skipped) continue;
        bool four = *at == '.' && at[1] && strchr("xyzw", at[1]) && at[2] == at[1] && at[3] == at[1] && at[4] == at[1];
        *to++ = *at++;
        if (!four) continue;
        *to++ = *at;
        at += 4;
    }
    *to = 0;
}

/* The peer calls vInnerCoverage "r"; one program of the corpus declares it. */
static void test_listings_are_those_of_the_peer(void **state)
{
    (void)state;
    size_t count, same = 0, compared = 0;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) {
        char *expected = peer_listing(&files[i]);
        if (!expected) continue;
        struct sch_d3d_shader *shader = read_shader(&files[i]);
        char *text = print(shader, SCH_LISTING_VKD3D);
        speak_as_peer(text);
        bool equal = same_text(text, expected);
        if (!equal) print_message("# differs: %s\n", files[i].name);
        same += equal;
        compared++;
        free(text);
        free(expected);
        sch_d3d_shader_destroy(shader);
    }
    print_message("# %zu of %zu listings are the peer's\n", same, compared);
    assert_true(!d3d_shared_count(files, count) || (compared >= 1927 && compared - same <= 1));
    d3d_corpus_free(files, count);
}

static bool is_same_program(const struct sch_d3d_program *a, const struct sch_d3d_program *b)
{
    size_t left, right;
    uint32_t *one = encode(a, &left), *other = encode(b, &right);
    bool same = left == right && !memcmp(one, other, left * 4);
    free(one);
    free(other);
    return same;
}

/* The peer's own listings assemble. They leave forms of operands and some zeros unsaid, so what comes out prints as
 * they do. fxc's programs are the same words, but for those with words behind operands, and generated values. */
static void test_listings_of_the_peer_are_read(void **state)
{
    (void)state;
    size_t count, same = 0, compared = 0, words = 0, others = 0;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) {
        char *listing = peer_listing(&files[i]);
        if (!listing || strstr(listing, "dcl_input r\n")) {
            free(listing);
            continue;
        }
        struct sch_d3d_shader *shader = assemble_string(files[i].name, listing);
        char *text = print(shader, SCH_LISTING_VKD3D);
        speak_as_peer(text);
        bool equal = same_text(text, listing);
        if (!equal) print_message("# differs: %s\n", files[i].name);
        same += equal;
        compared++;
        struct sch_d3d_shader *source = read_shader(&files[i]);
        bool exact = is_same_program(source->program, shader->program);
        words += exact;
        others += !exact && !strncmp(files[i].name, "fxc/", 4);
        if (!exact && !strncmp(files[i].name, "fxc/", 4)) print_message("# other words: %s\n", files[i].name);
        sch_d3d_shader_destroy(source);
        free(text);
        free(listing);
        sch_d3d_shader_destroy(shader);
    }
    print_message("# %zu of %zu listings come back, %zu as the same words, %zu of fxc's as others\n", same, compared,
                  words, others);
    assert_int_equal(same, compared);
    assert_true(others <= 20);
    d3d_corpus_free(files, count);
}

static size_t spare_words(const struct sch_d3d_program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->count; i++) count += program->instructions[i].spare_count;
    return count;
}

/* The listings in the spellings of others assemble to the same program; those of fxc to the same signatures, too. */
static void test_other_spellings_come_back(void **state)
{
    (void)state;
    size_t count, spare = 0;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) {
        struct sch_d3d_shader *shader = read_shader(&files[i]);
        char *peer = print(shader, SCH_LISTING_VKD3D), *dump = print(shader, SCH_LISTING_FXC_DUMP);
        struct sch_d3d_shader *from_peer = assemble_string(files[i].name, peer);
        struct sch_d3d_shader *from_dump = assemble_string(files[i].name, dump);
        if (spare_words(shader->program)) {
            spare++;
        } else {
            assert_same_program(files[i].name, shader->program, from_peer->program);
            assert_rounded_program(files[i].name, shader->program, from_dump->program);
        }
        assert_same_signatures(shader, from_dump);
        /* A float of a move that is 0.000000 is 0 from then on; everything else says the same again. */
        char *second = print(from_dump, SCH_LISTING_FXC_DUMP);
        struct sch_d3d_shader *from_second = assemble_string(files[i].name, second);
        char *third = print(from_second, SCH_LISTING_FXC_DUMP);
        assert_string_equal(second, third);
        sch_d3d_shader_destroy(from_second);
        free(second);
        free(third);
        free(peer);
        free(dump);
        sch_d3d_shader_destroy(from_peer);
        sch_d3d_shader_destroy(from_dump);
        sch_d3d_shader_destroy(shader);
    }
    assert_int_equal(spare, d3d_shared_count(files, count) ? 5 : 0); /* in five programs of fxc */
    d3d_corpus_free(files, count);
}

#define TABLE                                                                                                          \
    "//\n// Name                 Index   Mask Register SysValue  Format   Used\n"                                      \
    "// -------------------- ----- ------ -------- -------- ------- ------\n"

/* A listing as Microsoft's compiler writes it: signatures come from its comments, in whatever order, from the masks
 * with blanks in them; other comments say nothing. */
static void test_signatures_come_from_comments(void **state)
{
    (void)state;
    static const char text[] =
        "//\n// Generated by a compiler\n//\n// Input signature:\n"
        "// Buffer Definitions:\n//\n// cbuffer colours\n// {\n//\n//   float4 tint;                       // Offset:  "
        "  0 Size:   "
        " 16\n//\n// }\n//\n// Resource Bindings:\n//\n"
        "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
        "// ------------------------------ ---------- ------- ----------- -------------- ------\n"
        "// colours                           cbuffer      NA          NA            cb0      1\n//\n//\n"
        "// Input signature:\n" TABLE "// SV_Position              0   xyzw        0      POS   float       \n"
        "// TEXCOORD                 1    yz         1     NONE  min16f    z  \n"
        "// A_NAME_LONGER_THAN_THE_COLUMN     2   x  w        2     NONE     int   x  w\n"
        "// SV_PrimitiveID           0    N/A   primID   PRIMID    uint    YES\n"
        "//\n//\n// Output signature:\r\n" TABLE
        "// SV_Target                0   xyzw        0   TARGET   float   xy  \r\n"
        "// SV_Depth                 0    N/A   oDepth    DEPTH   float    YES\n"
        "// SV_Coverage              0    N/A    oMask COVERAGE    uint     NO\n"
        "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[1], immediateIndexed\ndcl_output o0.xyzw\n"
        "mov o0.xyzw, cb0[0].xyzw\nret \n// Approximately 2 instruction slots used";
    struct sch_d3d_shader *shader = assemble_string("comments", text);
    char *listing = print(shader, SCH_LISTING_FXC);
    assert_string_equal(
        listing,
        "ps_5_0\n.input\n.param SV_Position.xyzw, v0, float, POS\n.param TEXCOORD1.yz, v1.z, float, NONE, FLOAT_16\n"
        ".param A_NAME_LONGER_THAN_THE_COLUMN2.xw, v2.xw, int\n.param SV_PrimitiveID.x, vPrim.x, uint, PRIMID\n"
        ".output\n.param SV_Target.xyzw, o0.xy, float, TARGET\n.param SV_Depth.x, oDepth.x, float, DEPTH\n"
        ".param SV_Coverage.x, oMask, uint, COVERAGE\n.text\ndcl_globalFlags refactoringAllowed\n"
        "dcl_constantbuffer CB0[1], immediateIndexed\ndcl_output o0.xyzw\nmov o0.xyzw, cb0[0].xyzw\nret\n");
    assert_int_equal(shader->container->chunks[0].tag, SCH_D3D_TAG('I', 'S', 'G', '1'));
    assert_int_equal(shader->container->chunks[1].tag, SCH_D3D_TAG('O', 'S', 'G', '1'));
    free(listing);
    check_container("comments", shader);
    sch_d3d_shader_destroy(shader);
}

static void test_more_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"// Input signature:\n" TABLE "// no Input\nvs_4_0\nret\n", "vs_4_0\n.input\n.text\nret\n"},
        {"// Input signature:\n//\nvs_4_0\nret\n", "vs_4_0\n.text\nret\n"},
        {"// Input signature:\n//\n// Name Index\nvs_4_0\nret\n", "vs_4_0\n.text\nret\n"},
        {"// The input signature:\n" TABLE "// A 0 x 0 NONE float x\nvs_4_0\nret\n", "vs_4_0\n.text\nret\n"},
        /* Directives say more. */
        {"// Input signature:\n" TABLE "// A 0 x 0 NONE float x\nvs_4_0\n.input\nret\n",
         "vs_4_0\n.input\n.text\nret\n"},
        /* The first of two. */
        {"// Input signature:\n" TABLE "// A 0 x 0 NONE float x\n//\n// Input signature:\n" TABLE
         "// B 0 x 0 NONE float x\nvs_4_0\nret\n",
         "vs_4_0\n.input\n.param A.x, v0.x, float\n.text\nret\n"},
        {"// Patch Constant signature:\n" TABLE
         "// SV_TessFactor            0   x           0 QUADEDGE   float   x   \n//\nhs_5_0\nhs_decls\n",
         "hs_5_0\n.patch_constant\n.param SV_TessFactor.x, o0.x, float, QUADEDGE\n.text\nhs_decls\n"},
        {"// Patch Constant signature:\n" TABLE
         "// SV_TessFactor            0   x           0 QUADEDGE   float       \n//\nds_5_0\nret\n",
         "ds_5_0\n.patch_constant\n.param SV_TessFactor.x, vpc0, float, QUADEDGE\n.text\nret\n"},
        {"// Output signature:\n" TABLE "// m0:SV_Position           0   xyzw        0      POS   float   xyzw\n"
         "// m2:TEXCOORD              0   xy          0     NONE   float   xy  \ngs_5_0\nret\n",
         "gs_5_0\n.output\n.param SV_Position.xyzw, o0.xyzw, float, POS\n"
         ".param TEXCOORD.xy, o0.xy, float, NONE, NONE, m2\n.text\nret\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_d3d_shader *shader = assemble_string(rows[i].text, rows[i].text);
        char *listing = print(shader, SCH_LISTING_FXC);
        assert_string_equal(listing, rows[i].wanted);
        free(listing);
        sch_d3d_shader_destroy(shader);
    }
}

/* A row below the titles that cannot be one is an error, at its place. */
static void test_broken_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        unsigned code, column;
    } rows[] = {
        {"// A", SCH_D_ASM_NUMBER, 5},
        {"// A x", SCH_D_ASM_NUMBER, 6},
        {"// A 0", SCH_D_ASM_COMPONENTS, 7},
        {"// A 0 q 0 NONE float", SCH_D_ASM_COMPONENTS, 8},
        {"// A 0 yx 0 NONE float", SCH_D_ASM_COMPONENTS, 8},
        {"// A 0 x x 0 NONE float", SCH_D_ASM_COMPONENTS, 10},
        {"// A 0 xyzwx 0 NONE float", SCH_D_ASM_COMPONENTS, 8},
        {"// A 0 x", SCH_D_ASM_SIGNATURE, 9},
        {"// A 0 x 4294967295 NONE float", SCH_D_ASM_NUMBER, 10},
        {"// A 0 x 0 SOME float", SCH_D_ASM_WORD, 12},
        {"// A 0 x 0 NONE half", SCH_D_ASM_WORD, 17},
        {"// A 0 x 0 NONE float yx", SCH_D_ASM_COMPONENTS, 23},
        {"// A 0 x 0 NONE float x 7", SCH_D_ASM_PUNCTUATION, 25},
        {"// A 0 x 0 NONE float YES 7", SCH_D_ASM_PUNCTUATION, 27},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text, "// Input signature:\n" TABLE "// B 0 x 0 NONE float x\n%s\n//\nps_4_0\nret\n",
                 rows[i].row);
        struct sch_diagnostics diagnostics;
        assert_null(assemble(text, strlen(text), &diagnostics));
        const struct sch_diagnostic *first = &diagnostics.items[0];
        if (first->code != rows[i].code || first->position.line != 6 || first->position.column != rows[i].column) {
            print_message("# %s\n", rows[i].row);
            d3d_print_reports("refusal", &diagnostics);
        }
        assert_int_equal(first->code, rows[i].code);
        assert_int_equal(first->position.line, 6);
        assert_int_equal(first->position.column, rows[i].column);
        sch_diagnostics_release(&diagnostics);
    }
}

/* What fxc's own spelling is like: floats have six digits after the point, half of the last away from zero, however
 * small they are; words of constant data that are tiny as floats are integers, decimal up to 10,000; moves and stores,
 * whose type fxc does not know, have no blanks in their lists; a blank follows the mnemonic that has no operands; vPrim
 * and its kin are declared without a word about their form. */
static void test_spelling_of_fxc(void **state)
{
    (void)state;
    static const char text[] =
        "gs_4_0\n.input\n.param SV_PrimitiveID.x, vPrim.x, uint, PRIMID\n.text\n"
        "dcl_immediateConstantBuffer { { 1, 0x01020304, 0x2d7fffff, 0x2d800000 },\n{ 0.1, 0.3333333, -0.0, 1e10 } }\n"
        "dcl_input vPrim\nmov r0.xyzw, l(1.0, 0.333333343, 0, 123456789.0)\n"
        "dadd r0.xy, d(0.5l, 1e-9l), d(1l, 2l)\nmul r0.x, vPrim, l(0x7fc00001)\n"
        "max r0.xyzw, r0.xyzw, l(0, -0.0, 0.0078125, 3.4028235e38)\nmov r0.xy, l(-10000, 10000, 10001, -10001)\n"
        "iadd r0.xy, r0.xyxx, l(-1, 4096, 32768, 0x9e3779b9)\nmovc r0.xy, l(1, 0, 0, 0), l(-0.0, 2.0, 3, 0xffff), "
        "r0.xyxx\n"
        "add r0.x, r0.x, l(0xffc00000)\nmul r0.x, r0.x, l(0xff800000)\nif_nz r0.x\nelse\nendif\nret\n";
    struct sch_d3d_shader *shader = assemble_string("fxc", text);
    assert_int_equal(shader->program->instructions[1].operands[0].form, SCH_D3D_FORM_NONE);
    assert_int_equal(shader->program->instructions[4].operands[1].form, SCH_D3D_FORM_SCALAR);
    char *dump = print(shader, SCH_LISTING_FXC_DUMP);
    assert_string_equal(
        dump,
        "//\n//\n// Input signature:\n" TABLE "// SV_PrimitiveID           0    N/A   primID   PRIMID    uint    YES\n"
        "//\ngs_4_0\ndcl_immediateConstantBuffer { { 1, 0x01020304, 0x2d7fffff, 0.000000},\n"
        "                              { 0.100000, 0.333333, -0.000000, 10000000000.000000} }\n"
        "dcl_input vPrim\nmov r0.xyzw, l(1.000000,0.333333,0,123456792.000000)\n"
        "dadd r0.xy, d(0.500000l, 0.000000l), d(1.000000l, 2.000000l)\nmul r0.x, vPrim, l(1.#QNAN0)\n"
        "max r0.xyzw, r0.xyzw, l(0.000000, -0.000000, 0.007813, 340282346638528860000000000000000000000.000000)\n"
        "mov r0.xy, l(-10000,10000,0x00002711,0xffffd8ef)\n"
        "iadd r0.xy, r0.xyxx, l(-1, 4096, 0x00008000, 0x9e3779b9)\n"
        "movc r0.xy, l(1, 0, 0, 0), l(-0.000000,2.000000,3,0x0000ffff), r0.xyxx\n"
        "add r0.x, r0.x, l(-1.#IND00)\nmul r0.x, r0.x, l(-1.#INF00)\nif_nz r0.x\nelse \nendif \nret \n");
    struct sch_d3d_shader *again = assemble_string("dump", dump);
    assert_same_signatures(shader, again);
    free(dump);
    sch_d3d_shader_destroy(again);
    char *listing = print(shader, SCH_LISTING_FXC);
    assert_non_null(strstr(listing, "dcl_input vPrim\n"));
    assert_non_null(strstr(listing, "{ { 1, 0x01020304, 0x2d7fffff, 1.4551915e-11}"));
    free(listing);
    sch_d3d_shader_destroy(shader);
}

/* One letter behind a resource is all four components, wherever programs have nothing else there; behind other sources
 * it is one. What is otherwise says so. */
static void test_letters_of_resources(void **state)
{
    (void)state;
    static const char text[] = "ps_5_0\nld_raw r0.x, r1.x, t0.x\nld r0.xyzw, r1.x, t0.x {select}\n"
                               "sampleinfo r0.x, t0.x\nsampleinfo r0.x, t0.xxxx\nld_raw r0.x, r1.x, t0.y\nret\n";
    static const uint8_t forms[][2] = {{SCH_D3D_FORM_SELECT, SCH_D3D_FORM_SWIZZLE},
                                       {SCH_D3D_FORM_SWIZZLE, SCH_D3D_FORM_SELECT},
                                       {SCH_D3D_FORM_SELECT, 0},
                                       {SCH_D3D_FORM_SWIZZLE, 0},
                                       {SCH_D3D_FORM_SELECT, SCH_D3D_FORM_SWIZZLE}};
    struct sch_d3d_shader *shader = assemble_string("letters", text);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (unsigned k = 0; k < 2 && forms[i][k]; k++)
            assert_int_equal(shader->program->instructions[i].operands[k + 1].form, forms[i][k]);
    char *peer = print(shader, SCH_LISTING_VKD3D);
    struct sch_d3d_shader *again = assemble_string("peer", peer);
    assert_same_program("peer", shader->program, again->program);
    assert_non_null(strstr(peer, "ld_raw r0.x, r1.x, t0.xxxx\nld r0.xyzw, r1.xxxx, t0.x {select}\n"));
    free(peer);
    sch_d3d_shader_destroy(again);
    sch_d3d_shader_destroy(shader);
}

/* One instruction in each of its accepted spellings, and its words. */
static void test_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *profile, *text;
        uint32_t words[16];
    } rows[] = {
        /* The form of the documentation, fxc's and vkd3d's. */
        {"ps_4_0",
         "sample_aoffimmi(-1,2,0) r0.xyz, v1.xyxx, t0.xyzw, s0",
         {0x8a000045, 0x00005e01, 0x00100072, 0, 0x00101046, 1, 0x00107e46, 0, 0x00106000, 0}},
        {"ps_4_0",
         "sample(-1,2,0) r0.xyz, v1.xy, t0, s0",
         {0x8a000045, 0x00005e01, 0x00100072, 0, 0x00101546, 1, 0x00107e46, 0, 0x00106000, 0}},
        {"ps_5_0",
         "sample_indexable(texture2d)(float,float,float,float) r0.xyz, v1.xyxx, t0.xyzw, s0",
         {0x8b000045, 0x800000c2, 0x00155543, 0x00100072, 0, 0x00101046, 1, 0x00107e46, 0, 0x00106000, 0}},
        {"ps_5_0",
         "sample_indexable(texture2d) r0.xyz, v1.xyxx, t0.xyzw, s0",
         {0x8b000045, 0x800000c2, 0x00155543, 0x00100072, 0, 0x00101046, 1, 0x00107e46, 0, 0x00106000, 0}},
        {"ps_5_0",
         "sample_aoffimmi_indexable(1,0,0)(texture2d)(uint,uint,uint,uint) r0.xyz, v1.xyxx, t0.xyzw, s0",
         {0x8c000045, 0x80000201, 0x800000c2, 0x00111103, 0x00100072, 0, 0x00101046, 1, 0x00107e46, 0, 0x00106000, 0}},
        {"ps_5_0",
         "sample_indexable(texture2d)(1,0,0)(uint,uint,uint,uint) r0.xyz, v1.xyxx, t0.xyzw, s0",
         {0x8c000045, 0x80000201, 0x800000c2, 0x00111103, 0x00100072, 0, 0x00101046, 1, 0x00107e46, 0, 0x00106000, 0}},
        {"ps_5_0", "mov r0, r1", {0x05000036, 0x001000f2, 0, 0x00100e46, 1}},
        {"ps_5_0",
         "mul_sat [precise(xy)] r0.xy, -r1.xyxx, |r2.xyxx|",
         {0x09182038, 0x00100032, 0, 0x80100046, 0x41, 1, 0x80100046, 0x81, 2}},
        {"ps_5_0", "if_nz r0.x", {0x0304001f, 0x0010000a, 0}},
        {"ps_5_0", "breakc_z r0.x", {0x03000003, 0x0010000a, 0}},
        {"ps_5_0", "breakp_z r0.x", {0x03000003, 0x0010000a, 0}},
        {"ps_5_0",
         "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xy, l(0), t0.xyzw",
         {0x8900103d, 0x800000c2, 0x00155543, 0x00100032, 0, 0x00004001, 0, 0x00107e46, 0}},
        {"ps_5_0",
         "resinfo_uint_indexable(texture2d) r0.xy, l(0), t0.xyzw",
         {0x8900103d, 0x800000c2, 0x00155543, 0x00100032, 0, 0x00004001, 0, 0x00107e46, 0}},
        {"ps_4_0", "resinfo_rcpFloat r0.xy, l(0), t0.xyzw", {0x0700083d, 0x00100032, 0, 0x00004001, 0, 0x00107e46, 0}},
        {"ps_5_0",
         "ldms_indexable(texture2dms)(float,float,float,float) r0.x, l(1, 2, 0, 0), t0.xyzw, l(3)",
         {0x8e00002e, 0x80000102, 0x00155543, 0x00100012, 0, 0x00004002, 1, 2, 0, 0, 0x00107e46, 0, 0x00004001, 3}},
        {"ps_5_0",
         "ld2dms_indexable(texture2dms) r0.x, l(1, 2, 0, 0), t0.xyzw, l(3)",
         {0x8e00002e, 0x80000102, 0x00155543, 0x00100012, 0, 0x00004002, 1, 2, 0, 0, 0x00107e46, 0, 0x00004001, 3}},
        {"ps_5_0", "mov r0.x, cb1[r2.y + 7].x", {0x08000036, 0x00100012, 0, 0x0620800a, 1, 7, 0x0010001a, 2}},
        {"ps_5_0", "mov r0.x, cb1[r2.y + 0].x", {0x07000036, 0x00100012, 0, 0x0420800a, 1, 0x0010001a, 2}},
        {"ps_5_0", "mov r0.x, cb1[r2.y].x", {0x07000036, 0x00100012, 0, 0x0420800a, 1, 0x0010001a, 2}},
        {"ps_5_0", "mov r0.x, cb1[0 + r2.y].x", {0x08000036, 0x00100012, 0, 0x0620800a, 1, 0, 0x0010001a, 2}},
        {"ps_5_0", "mov r0.x, cb1[r2.y - 1].x", {0x08000036, 0x00100012, 0, 0x0620800a, 1, 0xffffffff, 0x0010001a, 2}},
        {"ps_5_0",
         "mov r0.xyzw, l(1.0, -0.0, 0x7fc00000, -1)",
         {0x08000036, 0x001000f2, 0, 0x00004002, 0x3f800000, 0x80000000, 0x7fc00000, 0xffffffff}},
        {"ps_5_0",
         "mov r0.xyzw, l(inf, -inf, 1.#INF00, -1.#IND00)",
         {0x08000036, 0x001000f2, 0, 0x00004002, 0x7f800000, 0xff800000, 0x7f800000, 0xffc00000}},
        {"ps_5_0",
         "dmov r0.xyzw, d(1.0l, -2.5l)",
         {0x080000c7, 0x001000f2, 0, 0x00005002, 0, 0x3ff00000, 0, 0xc0040000}},
        {"cs_5_0", "sync_uglobal_g_t", {0x010058be}},
        {"cs_5_0", "sync_g_t", {0x010018be}},
        {"ps_5_0", "sampleinfo_uint r0.x, t0.x", {0x0500086f, 0x00100012, 0, 0x0010700a, 0}},
        {"ps_5_0", "sample_info_uint r0.x, t0.x", {0x0500086f, 0x00100012, 0, 0x0010700a, 0}},
        {"ps_4_0", "dcl_constantbuffer CB0[2], immediateIndexed", {0x04000059, 0x00208e46, 0, 2}},
        {"ps_4_0", "dcl_constantBuffer cb0[2], dynamicIndexed", {0x04000859, 0x00208e46, 0, 2}},
        {"ps_5_1",
         "dcl_constantbuffer CB0[1:2][4], immediateIndexed, space=3",
         {0x07000059, 0x00308e46, 0, 1, 2, 4, 3}},
        {"ps_5_1",
         "dcl_resource_texture2d (float,float,float,float) T0[1:*], space=2",
         {0x07001858, 0x00307e46, 0, 1, 0xffffffff, 0x5555, 2}},
        {"ps_4_0", "dcl_sampler s1, mode_comparison", {0x0300085a, 0x00106000, 1}},
        {"ps_4_0", "dcl_sampler s1, comparisonMode", {0x0300085a, 0x00106000, 1}},
        {"ps_4_0", "dcl_sampler s1", {0x0300005a, 0x00106000, 1}},
        {"ps_5_1", "dcl_sampler S0[0:1], space=7", {0x0600005a, 0x00306e46, 0, 0, 1, 7}},
        {"ps_4_0", "dcl_resource_texture2dms(4) (int,int,int,int) t0", {0x04042058, 0x00107000, 0, 0x3333}},
        {"ps_4_0", "dcl_resource_texture2d (float,float,float,float) t0 {scalar}", {0x04001858, 0x00107001, 0, 0x5555}},
        {"gs_4_0", "dcl_inputprimitive triangleadj", {0x0100385d}},
        {"gs_4_0", "dcl_inputprimitive trianglelist_adj", {0x0100385d}},
        {"gs_4_0", "dcl_input v[3][0].xyzw", {0x0400005f, 0x002010f2, 3, 0}},
        {"ps_4_1", "dcl_input_ps linear noperspective sample v1.xy", {0x03003862, 0x00101032, 1}},
        {"ps_4_0", "dcl_input_ps_sgv v1.x, is_front_face", {0x04000063, 0x00101012, 1, 9}},
        {"ps_4_1", "dcl_input_ps_sgv constant v1.x, sampleIndex", {0x04000863, 0x00101012, 1, 10}},
        {"gs_4_0", "dcl_output_siv o1.x, rendertarget_array_index", {0x04000067, 0x00102012, 1, 4}},
        {"gs_4_0", "dcl_output_siv o1.x, render_target_array_index", {0x04000067, 0x00102012, 1, 4}},
        {"ps_5_0", "dcl_globalFlags refactoringAllowed | enable11_1ShaderExtensions", {0x0104086a}},
        {"ps_5_0", "dcl_globalFlags", {0x0100006a}},
        {"ps_5_0", "dcl_uav_typed_texture2d_glc_rov (uint,uint,uint,uint) u1", {0x0403189c, 0x0011e000, 1, 0x4444}},
        {"ps_5_0", "dcl_uav_structured_opc u0, 16", {0x0480009e, 0x0011e000, 0, 16}},
        {"ps_5_0", "dcl_function_body fb4", {0x02000090, 4}},
        {"ps_5_0", "dcl_function_table ft2 = {fb4, fb5}", {0x05000091, 2, 2, 4, 5}},
        {"ps_5_0", "dcl_interface_dynamicindexed fp0[2][3] = {ft1, ft2}", {0x06000892, 0, 3, 0x00020002, 1, 2}},
        {"hs_5_0", "dcl_hs_max_tessfactor l(64.0)", {0x02000098, 0x42800000}},
        {"ps_5_0", "fcall fp1[0][3]", {0x05000078, 3, 0x00213000, 1, 0}},
        {"ps_5_0", "fcall fp1[r0.x + 0][3]", {0x06000078, 3, 0x04213000, 1, 0x0010000a, 0}},
        {"ps_5_0", "label fb2", {0x0300002c, 0x00111000, 2}},
        {"ps_5_0", "mov r0.x, this[1].x", {0x05000036, 0x00100012, 0, 0x0011d00a, 1}},
        {"ps_5_0",
         "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, r1.x, l(4), t2.xxxx",
         {0x8b0000a7, 0x80008302, 0x00199983, 0x00100012, 0, 0x0010000a, 1, 0x00004001, 4, 0x00107006, 2}},
        {"ps_5_0", "samplepos r0.xy, rasterizer.x, v0.x", {0x0600006e, 0x00100032, 0, 0x0000e00a, 0x0010100a, 0}},
        {"ps_5_0", "dcl_input_ps_siv linear noperspective v0.xy, position", {0x04002064, 0x00101032, 0, 1}},
        {"ps_5_0", "call l3", {0x0300002c - 0x28, 0x0010a000, 3}},
        {"ps_5_0", "label l3", {0x0300002c, 0x0010a000, 3}},
        {"ps_5_0", "callc_nz r0.x, l3", {0x05040005, 0x0010000a, 0, 0x0010a000, 3}},
        {"ps_5_0",
         "dcl_immediateConstantBuffer { { 1.0, 2, 0x3, -4},\n { 0, 0, 0, 1.5e+00 } }",
         {0x00001835, 10, 0x3f800000, 2, 3, 0xfffffffc, 0, 0, 0, 0x3fc00000}},
        {"ps_5_0", "customdata opaque { 1, 2 }", {0x00001035, 4, 1, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s\n%s // and a comment\n", rows[i].profile, rows[i].text);
        struct sch_d3d_shader *shader = assemble_string(rows[i].text, text);
        size_t count;
        uint32_t *words = encode(shader->program, &count);
        size_t length = rows[i].words[0] >> 24 & 0x7f;
        if (!length) length = rows[i].words[1];
        for (size_t k = 0; k < length && k + 2 < count; k++)
            if (words[k + 2] != rows[i].words[k])
                print_message("# %s: word %zu is %08x, not %08x\n", rows[i].text, k, words[k + 2], rows[i].words[k]);
        assert_int_equal(count, length + 2);
        assert_memory_equal(words + 2, rows[i].words, length * 4);
        char *listing = print(shader, SCH_LISTING_FXC);
        struct sch_d3d_shader *again = assemble_string(listing, listing);
        assert_same_program(rows[i].text, shader->program, again->program);
        sch_d3d_shader_destroy(again);
        free(listing);
        free(words);
        sch_d3d_shader_destroy(shader);
    }
}

/* Operands with every form that tokens have, whatever the role: the text keeps them. */
static void test_every_form_is_said(void **state)
{
    (void)state;
    static const uint32_t forms[] = {0x00100000, 0x00100001, 0x001000f2, 0x00100012, 0x00100002, 0x001000a2,
                                     0x00100e46, 0x00100006, 0x0010000a, 0x0010003a, 0x00107000, 0x00107001,
                                     0x00107e46, 0x001070f2, 0x0010700a, 0x0011e000, 0x0011e001, 0x0011e0f2};
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            const uint32_t words[] = {0x50,     0x12,      0x05000036,           forms[i], 1, forms[k], 2, 0x0300005f,
                                      forms[i], 3,         0x0500002d | 2 << 24, forms[k], 0, forms[i], 1, forms[k],
                                      2,        0x0100003e};
            struct sch_d3d_shader shader = {0};
            assert_int_equal(
                sch_d3d_decode(&sch_allocator_libc, &limits, words, sizeof words / 4, 0, "SHEX", NULL, &shader.program),
                SCH_OK);
            char *text = print(&shader, SCH_LISTING_FXC);
            struct sch_d3d_shader *again = assemble_string(text, text);
            assert_same_program(text, shader.program, again->program);
            sch_d3d_shader_destroy(again);
            sch_d3d_program_destroy(shader.program);
            free(text);
        }
}

/* The words of one instruction print and assemble to themselves. */
static void check_words(uint32_t version, const uint32_t *words, size_t count)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    uint32_t program[70] = {version, (uint32_t)count + 2};
    struct sch_d3d_shader shader = {0};
    memcpy(program + 2, words, count * sizeof *words);
    enum sch_result status =
        sch_d3d_decode(&sch_allocator_libc, &limits, program, count + 2, 0, "SHEX", NULL, &shader.program);
    if (status != SCH_OK) return; /* a number that names nothing */
    char *text = print(&shader, SCH_LISTING_FXC), *other = print(&shader, SCH_LISTING_VKD3D);
    struct sch_d3d_shader *again = assemble_string(text, text), *from_other = assemble_string(other, other);
    assert_same_program(text, shader.program, again->program);
    char *reprinted = print(from_other, SCH_LISTING_VKD3D);
    assert_string_equal(other, reprinted);
    free(reprinted);
    sch_d3d_shader_destroy(from_other);
    sch_d3d_shader_destroy(again);
    sch_d3d_program_destroy(shader.program);
    free(text);
    free(other);
}

/* All rows, those too that no file of the corpus holds, with each bit of their fields. */
static void test_every_row_has_a_text(void **state)
{
    (void)state;
    for (unsigned opcode = 0; opcode < SCH_D3D_OP_LIMIT; opcode++) {
        const struct sch_d3d_op_info *info = sch_d3d_op_info(opcode);
        if (!info || info->flags & (SCH_D3D_F_DECLARATION | SCH_D3D_F_CUSTOM)) continue;
        uint32_t words[64];
        size_t count = d3d_make_instruction(info, words);
        check_words(0x50, words, count);
        for (unsigned bit = 11; bit < 24; bit++) {
            if (!(sch_d3d_field_bits(info) >> bit & 1)) continue;
            words[0] ^= 1u << bit;
            check_words(0x50, words, count);
            words[0] ^= 1u << bit;
        }
        if (!(info->flags & SCH_D3D_F_RESOURCE)) continue;
        static const uint32_t extended[] = {0x00009a01, 0x000000c2, 0x00111103, 0x00008302};
        for (size_t i = 0; i < sizeof extended / sizeof *extended; i++) {
            uint32_t longer[64] = {(words[0] | 1u << 31) + (1u << 24), extended[i]};
            memcpy(longer + 2, words + 1, (count - 1) * sizeof *words);
            check_words(0x50, longer, count + 1);
        }
    }
    for (size_t i = 0; i < D3D_DECLARATIONS; i++) {
        const struct d3d_declaration *row = &d3d_declarations[i];
        check_words(row->version, row->words, row->count);
        const struct sch_d3d_op_info *info = sch_d3d_op_info(row->words[0] & 0x7ff);
        for (unsigned bit = 11; bit < 24; bit++) {
            uint32_t words[10];
            memcpy(words, row->words, sizeof words);
            words[0] ^= sch_d3d_field_bits(info) & 1u << bit;
            check_words(row->version, words, row->count);
        }
    }
}

static void test_broken_text_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned code, line, column;
    } rows[] = {
        {"", SCH_D_ASM_PROFILE, 1, 1},
        {"  \n// only words\n", SCH_D_ASM_PROFILE, 0, 0},
        {"ps_3_0\n", SCH_D_ASM_PROFILE, 1, 1},
        {"xs_5_0\n", SCH_D_ASM_PROFILE, 1, 1},
        {"ps_5_2\n", SCH_D_ASM_PROFILE, 1, 1},
        {"ps_5_0x\n", SCH_D_ASM_PROFILE, 1, 1},
        {"ps_5_0\nmovx r0.x, r1.x\n", SCH_D_ASM_MNEMONIC, 2, 1},
        {"ps_5_0\n  = 4\n", SCH_D_ASM_MNEMONIC, 2, 3},
        {"ps_5_0\nmov_uint r0.x, r1.x\n", SCH_D_ASM_SUFFIX, 2, 4},
        {"ps_5_0\nif r0.x\n", SCH_D_ASM_SUFFIX, 2, 4},
        {"ps_5_0\nret [precise]\n", SCH_D_ASM_SUFFIX, 2, 5},
        {"ps_5_0\nmov r0.x\n", SCH_D_ASM_PUNCTUATION, 2, 9},
        {"ps_5_0\nmov r0.x, r1.x, r2.x\n", SCH_D_ASM_PUNCTUATION, 2, 15},
        {"ps_5_0\nmov r0.x, q1.x\n", SCH_D_ASM_OPERAND, 2, 11},
        {"ps_5_0\nmov r0.x,\n", SCH_D_ASM_OPERAND, 2, 10},
        {"ps_5_0\nmov r0.yx, r1.x\n", SCH_D_ASM_COMPONENTS, 2, 7},
        {"ps_5_0\nmov r0.xyzwx, r1.x\n", SCH_D_ASM_COMPONENTS, 2, 12},
        {"ps_5_0\nmov r0.q, r1.x\n", SCH_D_ASM_COMPONENTS, 2, 8},
        {"ps_5_0\nmov r0., r1.x\n", SCH_D_ASM_COMPONENTS, 2, 7},
        {"ps_5_0\nmov r0.x, |r1.x\n", SCH_D_ASM_PUNCTUATION, 2, 16},
        {"ps_5_0\nmov r0.x, l(1, 2)\n", SCH_D_ASM_OPERAND, 2, 11},
        {"ps_5_0\nmov r0.x, l(1, 2, 3, 4, 5)\n", SCH_D_ASM_OPERAND, 2, 11},
        {"ps_5_0\nmov r0.x, l(4294967296)\n", SCH_D_ASM_NUMBER, 2, 13},
        {"ps_5_0\nmov r0.x, l(-2147483649)\n", SCH_D_ASM_NUMBER, 2, 13},
        {"ps_5_0\nmov r0.x, l(0x100000000)\n", SCH_D_ASM_NUMBER, 2, 13},
        {"ps_5_0\nmov r0.x, l(x)\n", SCH_D_ASM_NUMBER, 2, 13},
        {"ps_5_0\nmov r0.x, l(1){swizzle}\n", SCH_D_ASM_COMPONENTS, 2, 15},
        {"ps_5_0\nmov r99999999999.x, r1.x\n", SCH_D_ASM_NUMBER, 2, 6},
        {"ps_5_0\nmov r0.x, cb0[1][2][3][4].x\n", SCH_D_ASM_OPERAND, 2, 21},
        {"ps_5_0\nmov r0.x, x0[x0[x0[x0[x0[x0[0].x].x].x].x].x].x\n", SCH_D_ASM_OPERAND, 2, 26},
        {"ps_5_0\nmov r0.x, r1.x {wrong}\n", SCH_D_ASM_OPERAND, 2, 17},
        {"ps_5_0\nsample(8,0,0) r0, r1, t0, s0\n", SCH_D_ASM_NUMBER, 2, 8},
        {"ps_5_0\nsample(1,0,0)(1,0,0) r0, r1, t0, s0\n", SCH_D_ASM_SUFFIX, 2, 14},
        {"ps_5_0\nsample_indexable(texture9d) r0, r1, t0, s0\n", SCH_D_ASM_WORD, 2, 18},
        {"ps_5_0\ndcl_resource_texture9d (float,float,float,float) t0\n", SCH_D_ASM_WORD, 2, 14},
        {"ps_5_0\ndcl_resource_texture2d (float,float,float) t0\n", SCH_D_ASM_PUNCTUATION, 2, 42},
        {"ps_5_0\ndcl_globalFlags nothing\n", SCH_D_ASM_WORD, 2, 17},
        {"ps_5_0\ndcl_input_sgv v0.x, nothing\n", SCH_D_ASM_WORD, 2, 21},
        {"ps_5_0\ndcl_temps\n", SCH_D_ASM_NUMBER, 2, 10},
        {"ps_5_0\ndcl_immediateConstantBuffer { { 1, 2, 3 } }\n", SCH_D_ASM_OPERAND, 2, 1},
        {"ps_5_0\ndcl_immediateConstantBuffer { { 1, 2, 3, 4 }\nret\n", SCH_D_ASM_NUMBER, 3, 1},
        {"ps_5_0\ncustomdata thing { 1 }\n", SCH_D_ASM_WORD, 2, 12},
        {"ps_5_0\nfcall fp0\n", SCH_D_ASM_OPERAND, 0, 0},
        {"ps_5_0\n.nothing\n", SCH_D_ASM_DIRECTIVE, 2, 1},
        {"ps_5_0\n.param A.x, v0.x, float\n", SCH_D_ASM_SIGNATURE, 2, 1},
        {"ps_5_0\n.input\n.input\n", SCH_D_ASM_SIGNATURE, 3, 1},
        {"ps_5_0\n.input\n.param , v0.x, float\n", SCH_D_ASM_SIGNATURE, 3, 8},
        {"ps_5_0\n.input\n.param A.x, v0.x, thing\n", SCH_D_ASM_WORD, 3, 19},
        {"ps_5_0\n.binding \"a\"\n", SCH_D_ASM_RESOURCE, 2, 1},
        {"ps_5_0\n.resources 0, \"a\"\n.resources 0, \"a\"\n", SCH_D_ASM_RESOURCE, 3, 1},
        {"ps_5_0\n.resources 0, \"a\"\n.variable \"a\", 0, 4, 0, scalar int 1 x 1\n", SCH_D_ASM_RESOURCE, 3, 1},
        {"ps_5_0\n.resources 0, \"a\"\n.member \"a\", 0, scalar int 1 x 1\n", SCH_D_ASM_RESOURCE, 3, 1},
        {"ps_5_0\n.resources 0, \"a\"\n.end\n", SCH_D_ASM_RESOURCE, 3, 1},
        {"ps_5_0\n.resources 0, \"a\"\n.default 1\n", SCH_D_ASM_RESOURCE, 3, 1},
        {"ps_5_0\n.resources 0, \"a\n", SCH_D_ASM_PUNCTUATION, 2, 17},
        {"ps_5_0\n.resources 0, \"a\"\n.cbuffer \"c\", 4, 0, 0\n.variable \"v\", 0, 4, 0, struct void 1 x 1 {\nret\n",
         SCH_D_ASM_RESOURCE, 0, 0},
        {"ps_5_0\n.resources 0, \"a\"\n.cbuffer \"c\", 4, 0, 0\n.variable \"v\", 0, 4, 0, scalar int 1 x 1\n.default "
         "1, "
         "2\n",
         SCH_D_ASM_RESOURCE, 5, 1},
        {"ps_4_0\n.resources 0, \"a\"\n.cbuffer \"c\", 4, 0, 0\n.variable \"v\", 0, 4, 0, scalar int 1 x 1 \"int\"\n",
         SCH_D_ASM_RESOURCE, 4, 42},
        {"ps_5_0\n.resources 0, \"a\"\n.binding \"b\", cbuffer, 0, 0, 0, 0, 1, 0, 1, 1\n", SCH_D_ASM_RESOURCE, 3, 40},
        {"ps_5_0\nret spare\n", SCH_D_ASM_PUNCTUATION, 2, 10},
        {"ps_5_0\nret spare(\n", SCH_D_ASM_NUMBER, 2, 11},
        {"ps_5_0\nret spare(1) long\n", SCH_D_ASM_PUNCTUATION, 2, 14},
        {"container\nret\n", SCH_D_ASM_PROFILE, 2, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics diagnostics;
        struct sch_d3d_shader *shader = assemble(rows[i].text, strlen(rows[i].text), &diagnostics);
        if (shader) print_message("# accepted: %s", rows[i].text);
        assert_null(shader);
        const struct sch_diagnostic *first = &diagnostics.items[0];
        if (first->code != rows[i].code ||
            (rows[i].line && (first->position.line != rows[i].line || first->position.column != rows[i].column)))
            print_message("# %s# %u:%u: %u %s\n", rows[i].text, first->position.line, first->position.column,
                          first->code, first->message);
        assert_int_equal(first->code, rows[i].code);
        if (rows[i].line) {
            assert_int_equal(first->position.line, rows[i].line);
            assert_int_equal(first->position.column, rows[i].column);
        }
        sch_diagnostics_release(&diagnostics);
    }
}

/* Every line that is wrong is reported. */
static void test_several_reports(void **state)
{
    (void)state;
    struct sch_diagnostics diagnostics;
    const char *text = "ps_5_0\nmov r0.x\nadd r0.x, r1.x, r2.x\nfoo\nret\nmul q0, r0, r0\n";
    assert_null(assemble(text, strlen(text), &diagnostics));
    assert_int_equal(diagnostics.errors, 3);
    assert_int_equal(diagnostics.items[2].position.line, 6);
    assert_string_equal(diagnostics.items[2].line_text, "mul q0, r0, r0");
    sch_diagnostics_release(&diagnostics);
}

static void test_signatures(void **state)
{
    (void)state;
    const char *text = "ps_5_0\n.input\n.param TEXCOORD1.xyz, v1.xy, float\n.param \"A1\"2.x, v2, uint, SAMPLE\n"
                       ".output\n.param SV_Target.xyzw, o0.xyz, float, TARGET\n.param SV_Depth, oDepth, float, DEPTH\n"
                       ".features doubles tiledResources 40\n.text\nret\n";
    struct sch_d3d_shader *shader = assemble_string("signatures", text);
    const struct sch_d3d_signature_element *input = shader->signatures[SCH_SIGNATURE_INPUT].elements;
    assert_int_equal(shader->signatures[SCH_SIGNATURE_INPUT].count, 2);
    assert_string_equal(input[0].name, "TEXCOORD");
    assert_int_equal(input[0].index, 1);
    assert_int_equal(input[0].mask, 7);
    assert_int_equal(input[0].used, 3);
    assert_int_equal(input[0].reg, 1);
    assert_int_equal(input[0].component_type, 3);
    assert_string_equal(input[1].name, "A1");
    assert_int_equal(input[1].index, 2);
    assert_int_equal(input[1].system_value, 10);
    const struct sch_d3d_signature_element *output = shader->signatures[SCH_SIGNATURE_OUTPUT].elements;
    assert_int_equal(output[0].system_value, 0);
    assert_int_equal(output[0].used, 8); /* never written: w */
    assert_int_equal(output[1].reg, UINT32_MAX);
    assert_int_equal(output[1].mask, 1);
    assert_true(shader->features == (1 | 1 << 8 | UINT64_C(1) << 40));
    check_container("signatures", shader);
    char *listing = print(shader, SCH_LISTING_FXC);
    struct sch_d3d_shader *again = assemble_string("again", listing);
    assert_same_signatures(shader, again);
    free(listing);
    sch_d3d_shader_destroy(again);
    sch_d3d_shader_destroy(shader);
}

/* A structure in a structure, a default, a type without a word; the chunk says the same. */
static void test_resources(void **state)
{
    (void)state;
    const char *text =
        "ps_5_0\n.resources 256, \"me\"\n.binding \"t\", texture, float, texture2d, 4294967295, 3, 1, 12\n"
        ".binding \"c\", cbuffer, 0, none, 0, 0, 1, 0\n.cbuffer \"c\", 64, 0, 0\n"
        ".variable \"v\", 0, 8, 2, vector float 1 x 2 \"float2\"\n.default 1.0, -2\n"
        ".variable \"s\", 16, 48, 0, struct void 1 x 12[2] \"S\" {\n.member \"a\", 0, scalar int 1 x 1\n"
        ".member \"b\", 16, struct void 1 x 4 {\n.member \"\\x22\", 0, object 99 0 x 0\n.end\n.end\n"
        ".text\nret\n";
    struct sch_d3d_shader *shader = assemble_string("resources", text);
    const struct sch_d3d_resources *of = &shader->resources;
    assert_int_equal(of->binding_count, 2);
    assert_int_equal(of->bindings[0].slot, 3);
    assert_int_equal(of->bindings[0].dimension, 4);
    assert_int_equal(of->buffers[0].variable_count, 2);
    assert_int_equal(of->buffers[0].variables[0].value[0], 0x3f800000);
    assert_int_equal(of->buffers[0].variables[0].value[1], 0xfffffffe);
    const struct sch_d3d_type *type = &of->buffers[0].variables[1].type;
    assert_int_equal(type->member_count, 2);
    assert_string_equal(type->members[1].type.members[0].name, "\"");
    assert_int_equal(type->members[1].type.members[0].type.base, 99);
    char *listing = print(shader, SCH_LISTING_FXC);
    assert_string_equal(listing, text);
    free(listing);
    check_container("resources", shader);
    sch_d3d_shader_destroy(shader);
}

/* Text to container to listing; MEMORY as soon as there is none, and nothing stays behind. */
static enum sch_result all_the_way(const struct sch_allocator *allocator, const char *text)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader, *again = NULL;
    char *listing = NULL;
    void *data = NULL;
    size_t bytes;
    enum sch_result status = sch_d3d_assemble(allocator, &limits, text, strlen(text), NULL, &shader);
    if (status == SCH_OK) status = sch_d3d_container_write(shader->container, allocator, NULL, &data, &bytes);
    if (status == SCH_OK) status = sch_d3d_shader_read(allocator, &limits, data, bytes, false, NULL, &again);
    if (status == SCH_OK) status = sch_d3d_print(again, SCH_LISTING_FXC, allocator, &listing, &bytes);
    if (status == SCH_OK) assert_string_equal(listing, text);
    if (listing) allocator->free(allocator->user, listing);
    if (data) allocator->free(allocator->user, data);
    sch_d3d_shader_destroy(again);
    sch_d3d_shader_destroy(shader);
    return status;
}

static void test_memory_may_end_anywhere(void **state)
{
    (void)state;
    const char *text = "gs_5_0\n.input\n.param A.x, v0.x, float\n.output\n.param \"B1\"2.x, o0.x, uint\n"
                       ".resources 0, \"me\"\n.binding \"c\", cbuffer, 0, none, 0, 0, 1, 0\n.cbuffer \"c\", 16, 0, 0\n"
                       ".variable \"s\", 0, 4, 0, struct void 1 x 1 {\n.member \"m\", 0, scalar int 1 x 1\n.end\n"
                       ".default 1\n.text\n"
                       "dcl_immediateConstantBuffer { { 1.0, 2, 3, 4} }\ndcl_function_table ft0 = {fb1, fb2}\n"
                       "mov r0.x, cb0[r1.x + 3].x\nfcall fp0[r0.x + 0][1]\nret long spare(0x00000007)\n"
                       ".chunks Aon9 ISGN OSG5 STAT RDEF SHDR\n.chunk Aon9 {\n    01ff                                "
                       "                                    // ..\n}\n.statistics 29, instructions 2\n";
    long tries = 0;
    enum sch_result status = SCH_ERROR_MEMORY;
    while (status != SCH_OK && tries < 1000) {
        struct counting counting = {.fail_from = ++tries};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        status = all_the_way(&allocator, text);
        assert_true(status == SCH_OK || status == SCH_ERROR_MEMORY);
        assert_int_equal(counting.live, 0);
    }
    assert_int_equal(status, SCH_OK);
    assert_true(tries > 10);
}

/* Whatever is read from damaged text must print and read again as the same. */
static void test_damaged_text_ends_with_an_answer(void **state)
{
    (void)state;
    size_t count, accepted = 0;
    struct d3d_file *files = d3d_corpus(&count);
    uint64_t seed = 3;
    for (size_t i = 0; i < count; i += count < 1000 ? 13 : 101) {
        struct sch_d3d_shader *shader = read_shader(&files[i]);
        char *text = print(shader, SCH_LISTING_FXC);
        size_t bytes = strlen(text);
        for (unsigned round = 0; round < 800; round++) {
            size_t length = round < 300 ? random_number(&seed) % bytes : bytes;
            char *damaged = malloc(length + 1);
            memcpy(damaged, text, length);
            for (unsigned k = 0; round >= 300 && k < 1 + round % 3; k++) {
                uint64_t random = random_number(&seed);
                damaged[random % length] = (char)(random >> 40);
            }
            struct sch_diagnostics diagnostics;
            struct sch_d3d_shader *read = assemble(damaged, length, &diagnostics);
            if (read) {
                char *listing = print(read, SCH_LISTING_FXC);
                struct sch_d3d_shader *again = assemble_string("damaged", listing);
                assert_same_program("damaged", read->program, again->program);
                assert_same_signatures(read, again);
                sch_d3d_shader_destroy(again);
                sch_d3d_shader_destroy(read);
                free(listing);
                accepted++;
            }
            sch_diagnostics_release(&diagnostics);
            free(damaged);
        }
        free(text);
        sch_d3d_shader_destroy(shader);
    }
    print_message("# %zu damaged listings were still right\n", accepted);
    assert_true(accepted > 100);
    d3d_corpus_free(files, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_corpus_comes_back_from_its_text),
        TEST(test_listings_are_those_of_the_peer),
        TEST(test_listings_of_the_peer_are_read),
        TEST(test_other_spellings_come_back),
        TEST(test_signatures_come_from_comments),
        TEST(test_more_tables),
        TEST(test_broken_tables_are_refused),
        TEST(test_spelling_of_fxc),
        TEST(test_letters_of_resources),
        TEST(test_spellings),
        TEST(test_every_form_is_said),
        TEST(test_every_row_has_a_text),
        TEST(test_broken_text_is_refused),
        TEST(test_several_reports),
        TEST(test_signatures),
        TEST(test_resources),
        TEST(test_memory_may_end_anywhere),
        TEST(test_damaged_text_ends_with_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
