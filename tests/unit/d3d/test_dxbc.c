/* The DXBC container: its checksum, chunks, signatures, resources; real files give themselves back; broken ones are
 * refused with a number and a place. */
#include "d3d_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_number.h"
#include "d3d/dxbc/shader.h"
#include "isa/errors.h"

#define TEST(name) cmocka_unit_test(name)

/* Made by a program of its own (Python, from the description of the checksum; it agrees with real files): byte i of
 * the input is (7 i + 3) mod 256. Lengths around the borders where the finish changes its form. */
static void test_checksum_has_known_answers(void **state)
{
    static const struct {
        size_t bytes;
        uint32_t digest[4];
    } rows[] = {
        {0, {0xf6600d14, 0xbae275b7, 0xd4be4a4e, 0xa1e9b201}},
        {1, {0xb24cf906, 0x1a98d181, 0x1ba9f9f4, 0x08e30a37}},
        {55, {0x9235b69a, 0xcb163f76, 0xc1adfaf9, 0xdcb37108}},
        {56, {0x75e53196, 0xec7f9c80, 0x9ca7e127, 0x0407bf6d}},
        {63, {0x3870c869, 0xae066b08, 0x55446a03, 0x0028d580}},
        {64, {0x63252b70, 0x91962d30, 0xda4ca4ed, 0x684bef5f}},
        {119, {0x1cfe3c95, 0xc5085949, 0xa6d59c12, 0xcd9e08ae}},
        {120, {0xac4df071, 0xd586a0bb, 0x0234f7ae, 0x8c304470}},
        {1000, {0x1c5526ee, 0x58e15fff, 0x8d2e354a, 0x776aba6b}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char data[1000];
        for (size_t k = 0; k < rows[i].bytes; k++) data[k] = (unsigned char)(7 * k + 3);
        uint32_t digest[4];
        sch_d3d_checksum(data, rows[i].bytes, digest);
        assert_memory_equal(digest, rows[i].digest, sizeof digest);
    }
}

/* A container with one known chunk and one that nobody knows. */
static void *make_container(size_t *bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_container *container = sch_d3d_container_create(&sch_allocator_libc, &limits);
    struct sch_d3d_signature_element elements[] = {
        {.name = "COLOR", .component_type = 3, .mask = 0xf, .used = 0x3},
        {.name = "SV_Position", .system_value = 1, .component_type = 3, .reg = 1, .mask = 0xf},
        {.name = "COLOR", .index = 1, .component_type = 1, .reg = 2, .mask = 0x7},
    };
    struct sch_d3d_signature signature = {.tag = SCH_D3D_TAG('I', 'S', 'G', 'N'), .elements = elements, .count = 3};
    struct sch_bytes out = {.allocator = &sch_allocator_libc};
    sch_d3d_signature_write(&out, &signature);
    assert_true(sch_d3d_container_add(container, signature.tag, out.data, out.size));
    sch_bytes_release(&out);
    assert_true(sch_d3d_container_add(container, SCH_D3D_TAG('Z', 'Z', 'Z', '9'), "hello", 5));
    void *data;
    assert_int_equal(sch_d3d_container_write(container, &sch_allocator_libc, NULL, &data, bytes), SCH_OK);
    sch_d3d_container_destroy(container);
    return data;
}

static void test_writing_and_reading_gives_the_chunks_back(void **state)
{
    (void)state;
    size_t bytes;
    unsigned char *data = make_container(&bytes);
    struct sch_d3d_container *container = d3d_read(data, bytes);
    assert_non_null(container);
    assert_int_equal(container->chunk_count, 2);
    const struct sch_d3d_chunk *unknown = sch_d3d_container_find(container, SCH_D3D_TAG('Z', 'Z', 'Z', '9'));
    assert_non_null(unknown);
    assert_int_equal(unknown->bytes, 8);
    assert_memory_equal(unknown->data, "hello\xab\xab\xab", 8);
    assert_null(sch_d3d_container_program(container));

    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    struct sch_d3d_signature signature;
    assert_int_equal(sch_d3d_signature_read(&arena, &container->chunks[0], NULL, &signature), SCH_OK);
    assert_int_equal(signature.count, 3);
    assert_string_equal(signature.elements[1].name, "SV_Position");
    assert_int_equal(signature.elements[1].system_value, 1);
    assert_int_equal(signature.elements[2].index, 1);
    assert_int_equal(signature.elements[2].reg, 2);
    assert_int_equal(signature.elements[0].used, 3);
    /* Names: COLOR and SV_Position once each, 8 + 3 * 24 + 6 + 12 bytes and padding. */
    assert_int_equal(container->chunks[0].bytes, 100);
    sch_arena_release(&arena);
    sch_d3d_container_destroy(container);
    free(data);
}

static void put(unsigned char *data, size_t at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) data[at + i] = (unsigned char)(word >> (8 * i));
}

static void test_broken_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t word;
        unsigned code;
    } rows[] = {
        {0, 0x43425845, SCH_D_DXBC_HEADER}, {20, 2, SCH_D_DXBC_HEADER}, {24, 1, SCH_D_DXBC_SIZE},
        {28, 0x7fffffff, SCH_D_DXBC_SIZE},  {28, 80, SCH_D_DXBC_SIZE},  {32, 0, SCH_D_DXBC_CHUNK},
        {32, 0xffffffff, SCH_D_DXBC_CHUNK}, {36, 31, SCH_D_DXBC_CHUNK}, {44, 0xffffffff, SCH_D_DXBC_CHUNK},
        {44, 0x7fffffff, SCH_D_DXBC_CHUNK},
    };
    size_t bytes;
    unsigned char *data = make_container(&bytes), *changed = malloc(bytes);
    assert_int_equal(d3d_refusal(data, bytes, false), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(changed, data, bytes);
        put(changed, rows[i].at, rows[i].word);
        assert_int_equal(d3d_refusal(changed, bytes, true), rows[i].code);
    }
    memcpy(changed, data, bytes);
    changed[bytes - 1] ^= 1;
    assert_int_equal(d3d_refusal(changed, bytes, false), SCH_D_DXBC_CHECKSUM);
    assert_int_equal(d3d_refusal(changed, bytes, true), 0);
    for (size_t cut = 0; cut < bytes; cut++) assert_int_not_equal(d3d_refusal(data, cut, true), 0);
    free(changed);
    free(data);
}

/* Chunks that share bytes would make a large container out of a small one. */
static void test_overlapping_chunks_are_refused(void **state)
{
    (void)state;
    enum { CHUNKS = 64, SIZE = 32 + 4 * CHUNKS + 8 + 1024 };
    unsigned char data[SIZE] = "DXBC";
    put(data, 20, 1);
    put(data, 24, SIZE);
    put(data, 28, CHUNKS);
    for (unsigned i = 0; i < CHUNKS; i++) put(data, 32 + 4 * i, 32 + 4 * CHUNKS);
    put(data, 32 + 4 * CHUNKS + 4, 1024);
    assert_int_equal(d3d_refusal(data, SIZE, true), SCH_D_DXBC_CHUNK);
}

static unsigned signature_refusal(const unsigned char *data, size_t bytes)
{
    struct sch_d3d_chunk chunk = {.tag = SCH_D3D_TAG('O', 'S', 'G', '5'), .data = data, .bytes = bytes, .offset = 100};
    struct sch_diagnostics diagnostics;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    struct sch_d3d_signature signature;
    enum sch_result status = sch_d3d_signature_read(&arena, &chunk, &diagnostics, &signature);
    unsigned code = diagnostics.count ? diagnostics.items[0].code : 0;
    assert_true((status == SCH_OK) == (code == 0));
    if (code) assert_true(diagnostics.items[0].position.offset >= 100);
    if (code) assert_non_null(strstr(diagnostics.items[0].message, "OSG5"));
    sch_diagnostics_release(&diagnostics);
    sch_arena_release(&arena);
    return code;
}

static void test_broken_signatures_are_refused(void **state)
{
    (void)state;
    unsigned char data[8 + 28 + 4] = {0};
    put(data, 0, 1);
    put(data, 4, 8);
    put(data, 12, 36);
    memcpy(data + 36, "ABC", 4);
    assert_int_equal(signature_refusal(data, sizeof data), 0);
    assert_int_equal(signature_refusal(data, sizeof data - 1), SCH_D_DXBC_SIGNATURE); /* the name does not end */
    assert_int_equal(signature_refusal(data, 35), SCH_D_DXBC_SIGNATURE);
    assert_int_equal(signature_refusal(data, 7), SCH_D_DXBC_SIGNATURE);
    put(data, 0, 0x20000000);
    assert_int_equal(signature_refusal(data, sizeof data), SCH_D_DXBC_SIGNATURE);
    put(data, 0, 1);
    put(data, 4, 0xfffffff0);
    assert_int_equal(signature_refusal(data, sizeof data), SCH_D_DXBC_SIGNATURE);
    put(data, 4, 8);
    put(data, 12, 0xffffffff);
    assert_int_equal(signature_refusal(data, sizeof data), SCH_D_DXBC_SIGNATURE);
}

static void check_file(const struct d3d_file *file)
{
    struct sch_d3d_container *container = d3d_read(file->data, file->bytes);
    if (!container) print_message("# %s\n", file->name);
    assert_non_null(container);
    assert_true(container->checksum_right);
    assert_non_null(sch_d3d_container_program(container));
    void *data;
    size_t bytes;
    assert_int_equal(sch_d3d_container_write(container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
    assert_int_equal(bytes, file->bytes);
    assert_memory_equal(data, file->data, bytes);
    free(data);
    sch_d3d_container_destroy(container);
}

static void test_corpus_gives_itself_back(void **state)
{
    (void)state;
    size_t count;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) check_file(&files[i]);
    print_message("# %zu containers\n", count);
    assert_true(count >= 97 && (!d3d_shared_count(files, count) || count >= 97 + 1928));
    d3d_corpus_free(files, count);
}

/* What was written reads as what it was written from. */
static void check_signature(struct sch_arena *arena, const struct sch_d3d_signature *signature,
                            const struct sch_bytes *written)
{
    struct sch_d3d_chunk chunk = {.tag = signature->tag, .data = written->data, .bytes = written->size};
    struct sch_d3d_signature again;
    assert_int_equal(sch_d3d_signature_read(arena, &chunk, NULL, &again), SCH_OK);
    assert_int_equal(again.count, signature->count);
    for (size_t i = 0; i < again.count; i++) {
        struct sch_d3d_signature_element a = signature->elements[i], b = again.elements[i];
        assert_string_equal(a.name, b.name);
        a.name = b.name = NULL;
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* Signatures of real files are written again as fxc wrote them (vkd3d pads each name); the other descriptions are
 * read. */
static void test_corpus_descriptions(void **state)
{
    (void)state;
    size_t count, signatures = 0, same = 0, resources = 0, others = 0;
    struct d3d_file *files = d3d_corpus(&count);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    for (size_t i = 0; i < count; i++) {
        struct sch_d3d_container *container = d3d_read(files[i].data, files[i].bytes);
        for (size_t k = 0; k < container->chunk_count; k++) {
            const struct sch_d3d_chunk *chunk = &container->chunks[k];
            if (sch_d3d_is_signature(chunk->tag)) {
                struct sch_d3d_signature signature;
                assert_int_equal(sch_d3d_signature_read(&container->arena, chunk, NULL, &signature), SCH_OK);
                struct sch_bytes out = {.allocator = &sch_allocator_libc};
                sch_d3d_signature_write(&out, &signature);
                same += out.size == chunk->bytes && !memcmp(out.data, chunk->data, out.size);
                check_signature(&container->arena, &signature, &out);
                sch_bytes_release(&out);
                signatures++;
            } else if (chunk->tag == SCH_D3D_TAG('R', 'D', 'E', 'F')) {
                struct sch_d3d_resources of;
                assert_int_equal(sch_d3d_resources_read(&container->arena, &limits, chunk, NULL, &of), SCH_OK);
                assert_true(strlen(of.creator) > 0);
                resources++;
            } else if (chunk->tag == SCH_D3D_TAG('S', 'F', 'I', '0')) {
                uint64_t features;
                assert_int_equal(sch_d3d_features_read(chunk, NULL, &features), SCH_OK);
                assert_true(features < 0x4000);
                others++;
            }
        }
        sch_d3d_container_destroy(container);
    }
    print_message("# %zu signatures (%zu byte for byte), %zu RDEF, %zu others\n", signatures, same, resources, others);
    const bool shared = d3d_shared_count(files, count) > 0;
    assert_true(signatures > (shared ? 3800 : 100) && same > (shared ? 1500 : 100));
    assert_true(resources > (shared ? 1100 : 0) && others > (shared ? 70 : 0));
    d3d_corpus_free(files, count);
}

/* What RDEF of model 5.1 begins with, as Microsoft's compiler writes it (a container of 10.1 has these words from byte
 * 28 of the chunk's data on), and what stands in a binding. */
static const uint32_t mark_5_1[] = {0x25441313, 60, 24, 40, 40, 36, 12, 0};

static struct sch_d3d_binding bindings_5_1[] = {
    {.name = "albedo",
     .kind = 2,
     .return_type = 5,
     .dimension = 4,
     .samples = UINT32_MAX,
     .slot = 7,
     .count = 1,
     .flags = 12,
     .space = 3,
     .id = 9},
    {.name = "all", .kind = 2, .return_type = 5, .dimension = 4, .samples = UINT32_MAX, .slot = 2, .space = 4}};

static void test_resources_of_model_5_1(void **state)
{
    (void)state;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    const struct sch_d3d_resources of = {
        .target = 0xffff0501, .creator = "me", .bindings = bindings_5_1, .binding_count = 2};
    struct sch_bytes out = {.allocator = &sch_allocator_libc};
    sch_d3d_resources_write(&out, &of);
    for (size_t i = 0; i < 8; i++) assert_int_equal(sch_word_at(out.data + 28 + 4 * i), mark_5_1[i]);
    /* The mark that Scheelite wrote at first is read, too. */
    for (unsigned old = 0; old < 2; old++) {
        if (old) memcpy(out.data + 28, "11DR", 4);
        struct sch_d3d_chunk chunk = {.tag = SCH_D3D_TAG('R', 'D', 'E', 'F'), .data = out.data, .bytes = out.size};
        struct sch_d3d_resources again;
        assert_int_equal(sch_d3d_resources_read(&arena, &limits, &chunk, NULL, &again), SCH_OK);
        assert_int_equal(again.binding_count, 2);
        assert_string_equal(again.bindings[1].name, "all");
        assert_int_equal(again.bindings[0].space, 3);
        assert_int_equal(again.bindings[0].id, 9);
        assert_int_equal(again.bindings[1].space, 4);
        assert_int_equal(again.bindings[1].count, 0);
    }
    sch_bytes_release(&out);
    sch_arena_release(&arena);
}

/* Microsoft's own container of 5.1: each name, slot and space, and the variables of its two buffers. */
static void test_resources_of_a_real_5_1(void **state)
{
    (void)state;
    size_t bytes;
    char path[4096];
    const char *shared = getenv("SCH_SHARED");
    snprintf(path, sizeof path, "%s/corpus/repro/rdef-5.1.dxbc", shared ? shared : "../shared");
    FILE *file = fopen(path, "rb");
    if (!file) skip();
    unsigned char data[4096];
    bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, false, NULL, &shader), SCH_OK);
    const struct sch_d3d_resources *of = &shader->resources;
    static const char *const names[] = {"sam", "tex1", "c1", "c2"};
    static const uint32_t slots[] = {0, 1, 0, 0}, spaces[] = {0, 1, 0, 1};
    assert_true(shader->has_resources);
    assert_int_equal(of->binding_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(of->bindings[i].name, names[i]);
        assert_int_equal(of->bindings[i].slot, slots[i]);
        assert_int_equal(of->bindings[i].space, spaces[i]);
    }
    assert_int_equal(of->buffers[0].variable_count, 3);
    assert_string_equal(of->buffers[0].variables[1].name, "y");
    assert_int_equal(of->buffers[0].variables[1].type.elements, 2);
    assert_string_equal(of->buffers[1].variables[0].type.name, "float");
    sch_d3d_shader_destroy(shader);
}

/* The program of a container whose RDEF, STAT or SFI0 is broken is read; a warning says what was left. */
static void test_broken_descriptions_are_skipped(void **state)
{
    (void)state;
    static const struct {
        uint32_t tag;
        const char *data;
        size_t bytes;
        unsigned code;
    } rows[] = {
        {SCH_D3D_TAG('R', 'D', 'E', 'F'), "\1\2\3\4", 4, SCH_D_DXBC_RESOURCES},
        {SCH_D3D_TAG('R', 'D', 'E', 'F'), "\377\0\0\0\34\0\0\0\0\0\0\0\0\0\0\0\0\4\377\377\0\0\0\0\30\0\0\0", 28,
         SCH_D_DXBC_RESOURCES},
        {SCH_D3D_TAG('S', 'F', 'I', '0'), "\1\2\3\4", 4, SCH_D_DXBC_STATISTICS},
    };
    const uint32_t program[] = {0x40, 3, 0x0100003e};
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_d3d_container *container = sch_d3d_container_create(&sch_allocator_libc, &limits);
        assert_true(sch_d3d_container_add(container, rows[i].tag, rows[i].data, rows[i].bytes));
        assert_true(sch_d3d_container_add(container, SCH_D3D_TAG('S', 'H', 'D', 'R'), program, sizeof program));
        void *data;
        size_t bytes;
        assert_int_equal(sch_d3d_container_write(container, &sch_allocator_libc, NULL, &data, &bytes), SCH_OK);
        struct sch_diagnostics diagnostics;
        sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
        struct sch_d3d_shader *shader;
        assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, data, bytes, false, &diagnostics, &shader),
                         SCH_OK);
        assert_int_equal(diagnostics.errors, 0);
        assert_int_equal(diagnostics.count, 1);
        assert_int_equal(diagnostics.items[0].code, rows[i].code);
        assert_int_equal(diagnostics.items[0].severity, SCH_SEVERITY_WARNING);
        assert_false(shader->has_resources || shader->has_features);
        assert_int_equal(shader->resources.binding_count, 0);
        assert_int_equal(shader->program->count, 1);
        assert_int_equal(shader->container->chunk_count, 2);
        sch_d3d_shader_destroy(shader);
        sch_diagnostics_release(&diagnostics);
        sch_d3d_container_destroy(container);
        free(data);
    }
}

/* Reads whatever the chunks say; all of it must end with an answer. */
static void read_everything(const void *data, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 10);
    struct sch_d3d_container *container;
    sch_d3d_container_read(&sch_allocator_libc, &limits, data, bytes, true, &diagnostics, &container);
    for (size_t i = 0; container && i < container->chunk_count; i++) {
        const struct sch_d3d_chunk *chunk = &container->chunks[i];
        size_t before = diagnostics.errors + diagnostics.warnings;
        uint64_t features;
        struct sch_d3d_signature signature;
        struct sch_d3d_resources resources;
        enum sch_result status = SCH_OK;
        if (sch_d3d_is_signature(chunk->tag))
            status = sch_d3d_signature_read(&container->arena, chunk, &diagnostics, &signature);
        else if (chunk->tag == SCH_D3D_TAG('R', 'D', 'E', 'F'))
            status = sch_d3d_resources_read(&container->arena, &limits, chunk, &diagnostics, &resources);
        else if (chunk->tag == SCH_D3D_TAG('S', 'F', 'I', '0'))
            status = sch_d3d_features_read(chunk, &diagnostics, &features);
        assert_true((status == SCH_OK) == (diagnostics.errors + diagnostics.warnings == before));
    }
    sch_d3d_container_destroy(container);
    sch_diagnostics_release(&diagnostics);
}

static void test_damaged_containers_end_with_an_answer(void **state)
{
    (void)state;
    size_t count;
    struct d3d_file *files = d3d_corpus(&count);
    uint64_t seed = 1;
    for (size_t i = 0; i < count; i += count < 1000 ? 11 : 97) {
        const struct d3d_file *file = &files[i];
        for (size_t cut = 0; cut < file->bytes && cut < 4096; cut++) {
            assert_int_not_equal(d3d_refusal(file->data, cut, true), 0);
            unsigned char *part = malloc(cut ? cut : 1); /* so that a tool sees what is read past the end */
            memcpy(part, file->data, cut);
            if (cut >= 28) put(part, 24, (uint32_t)cut);
            read_everything(part, cut);
            free(part);
        }
        for (unsigned flip = 0; flip < 1000; flip++) {
            unsigned char *damaged = malloc(file->bytes);
            memcpy(damaged, file->data, file->bytes);
            for (unsigned k = 0; k < 1 + flip % 3; k++) {
                uint64_t random = random_number(&seed);
                damaged[random % file->bytes] ^= (unsigned char)(1u << (random >> 32) % 8);
            }
            read_everything(damaged, file->bytes);
            free(damaged);
        }
    }
    d3d_corpus_free(files, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_checksum_has_known_answers),
        TEST(test_writing_and_reading_gives_the_chunks_back),
        TEST(test_broken_headers_are_refused),
        TEST(test_overlapping_chunks_are_refused),
        TEST(test_broken_signatures_are_refused),
        TEST(test_corpus_gives_itself_back),
        TEST(test_corpus_descriptions),
        TEST(test_resources_of_model_5_1),
        TEST(test_resources_of_a_real_5_1),
        TEST(test_broken_descriptions_are_skipped),
        TEST(test_damaged_containers_end_with_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
