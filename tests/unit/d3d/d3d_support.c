/* The shared parts of the tests of src/d3d. */
#include "d3d_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d3d/text/text.h"

enum { MOST = 4096, PS_5_0 = 0x50, PS_5_1 = 0x51 };

static int compare(const void *a, const void *b)
{
    const struct d3d_file *left = a, *right = b;
    if (left->own != right->own) return left->own ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* In place of a listing the container that our assembler makes of it. */
static void assemble_file(struct d3d_file *file)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    struct sch_d3d_shader *shader = NULL;
    void *data;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    sch_d3d_assemble(&sch_allocator_libc, &limits, (const char *)file->data, file->bytes, &diagnostics, &shader);
    if (!shader) d3d_print_reports(file->name, &diagnostics);
    assert_non_null(shader);
    assert_int_equal(sch_d3d_container_write(shader->container, &sch_allocator_libc, NULL, &data, &file->bytes),
                     SCH_OK);
    free(file->data);
    file->data = data;
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&diagnostics);
}

static void collect(const char *top, const char *folder, const char *ending, struct d3d_file *files, size_t *count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", top, folder);
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) && *count < MOST) {
        size_t length = strlen(entry->d_name), end = strlen(ending);
        if (length < end || strcmp(entry->d_name + length - end, ending)) continue;
        snprintf(path, sizeof path, "%s/%s/%s", top, folder, entry->d_name);
        struct d3d_file *file = &files[(*count)++];
        file->data = (unsigned char *)load_file(path, &file->bytes);
        assert_non_null(file->data);
        file->own = !strcmp(ending, ".asm");
        file->name = malloc(strlen(folder) + length + 2);
        assert_non_null(file->name);
        sprintf(file->name, "%s/%s", folder, entry->d_name);
        if (file->own) assemble_file(file);
    }
    if (dir) closedir(dir);
}

struct d3d_file *d3d_corpus(size_t *count)
{
    static const char *const folders[] = {"st", "fxc", "own"};
    const char *shared = getenv("SCH_SHARED"), *source = getenv("SCH_SOURCE");
    char top[2048];
    struct d3d_file *files = calloc(MOST, sizeof *files);
    assert_non_null(files);
    *count = 0;
    snprintf(top, sizeof top, "%s/tests", source ? source : ".");
    collect(top, "corpus/d3d", ".asm", files, count);
    collect(top, "golden/d3d/lower", ".asm", files, count);
    assert_true(*count > 0);
    snprintf(top, sizeof top, "%s/corpus/dxbc", shared ? shared : "");
    for (size_t i = 0; shared && *shared && i < sizeof folders / sizeof *folders; i++)
        collect(top, folders[i], ".dxbc", files, count);
    qsort(files, *count, sizeof *files, compare);
    return files;
}

size_t d3d_shared_count(const struct d3d_file *files, size_t count)
{
    size_t shared = 0;
    for (size_t i = 0; i < count; i++) shared += !files[i].own;
    return shared;
}

void d3d_corpus_free(struct d3d_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(files[i].name);
        free(files[i].data);
    }
    free(files);
}

void d3d_print_reports(const char *name, const struct sch_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count && i < 3; i++) {
        const struct sch_diagnostic *item = &diagnostics->items[i];
        print_message("# %s:%u:%u (byte %llu): %u %s\n", name, item->position.line, item->position.column,
                      (unsigned long long)item->position.offset, item->code, item->message);
    }
}

struct sch_d3d_container *d3d_read(const void *data, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    struct sch_d3d_container *container;
    enum sch_result status =
        sch_d3d_container_read(&sch_allocator_libc, &limits, data, bytes, false, &diagnostics, &container);
    assert_true((status == SCH_OK) == (container != NULL));
    assert_true((status == SCH_OK) == (diagnostics.errors == 0));
    if (!container) d3d_print_reports("container", &diagnostics);
    sch_diagnostics_release(&diagnostics);
    return container;
}

unsigned d3d_refusal(const void *data, size_t bytes, bool any_checksum)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    struct sch_d3d_container *container;
    enum sch_result status =
        sch_d3d_container_read(&sch_allocator_libc, &limits, data, bytes, any_checksum, &diagnostics, &container);
    unsigned code = status == SCH_OK ? 0 : diagnostics.items[0].code;
    assert_true((status == SCH_OK) == (diagnostics.errors == 0));
    sch_d3d_container_destroy(container);
    sch_diagnostics_release(&diagnostics);
    return code;
}

/* Operand words for a row's letters, all four components. */
static size_t make_operand(char role, char type, uint32_t *words)
{
    switch (role) {
    case 'D':
    case 'N':
        words[0] = 0x001000f2;
        words[1] = 0;
        return 2;
    case 'V':
        words[0] = 0x0011e0f2;
        words[1] = 1;
        return 2;
    case 'R':
        words[0] = 0x00107e46;
        words[1] = 2;
        return 2;
    case 'P':
        words[0] = type == 'x' ? 0x0010600a : 0x00106000;
        words[1] = 3;
        return 2;
    case 'M':
        words[0] = 0x00110000;
        words[1] = 1;
        return 2;
    case 'L':
        words[0] = 0x0010a000;
        words[1] = 4;
        return 2;
    case 'F':
        words[0] = 0x00213000; /* fp5[6] */
        words[1] = 5;
        words[2] = 6;
        return 3;
    case 'C':
        words[0] = 0x0010000a;
        words[1] = 7;
        return 2;
    case 'I':
        words[0] = 0x00004001;
        words[1] = 8;
        return 2;
    default:
        words[0] = 0x00100e46;
        words[1] = 9;
        return 2;
    }
}

size_t d3d_make_instruction(const struct sch_d3d_op_info *info, uint32_t words[64])
{
    size_t count = 1;
    if (info->flags & SCH_D3D_F_FCALL) words[count++] = 11;
    for (unsigned i = 0; i < sch_d3d_operand_count(info); i++)
        count += make_operand(sch_d3d_operand_role(info, i), sch_d3d_operand_type(info, i), words + count);
    words[0] = info->opcode | (uint32_t)count << 24;
    return count;
}

const struct d3d_declaration d3d_declarations[D3D_DECLARATIONS] = {
    {PS_5_0, {0x04002058 | 4 << 16, 0x00107000, 0, 0x3333}, 4}, /* texture2dms(4), sint */
    {PS_5_1, {0x07001858, 0x00307e46, 0, 1, 0xffffffff, 0x4444, 2}, 7},
    {PS_5_1, {0x07000859, 0x00308e46, 0, 1, 2, 5, 3}, 7},
    {PS_5_0, {0x04000859, 0x00208e46, 0, 2}, 4},
    {PS_5_1, {0x0600105a, 0x00306e46, 0, 1, 1, 7}, 6},
    {PS_5_0, {0x0400005b, 0x001010f2, 1, 3}, 4},
    {0x20040, {0x0100085c}, 1},
    {0x20050, {0x0101385d}, 1}, /* patch32 */
    {0x20040, {0x0200005e, 12}, 2},
    {0x20040, {0x0400005f, 0x002010f2, 3, 0}, 4}, /* v[3][0].xyzw */
    {0x10040, {0x04000060, 0x00101012, 0, 6}, 4},
    {0x20050, {0x05000061, 0x002010f2, 3, 1, 1}, 5},
    {PS_5_0, {0x03003862, 0x00101032, 1}, 3},
    {PS_5_0, {0x04000063, 0x00101012, 1, 9}, 4},
    {PS_5_0, {0x04002064, 0x001010f2, 0, 1}, 4},
    {PS_5_0, {0x02000065, 0x0000c001}, 2},
    {0x20040, {0x04000066, 0x00102012, 0, 7}, 4},
    {0x10040, {0x04000067, 0x001020f2, 0, 1}, 4},
    {PS_5_0, {0x02000068, 7}, 2},
    {PS_5_0, {0x04000069, 1, 8, 4}, 4},
    {PS_5_0, {0x0107f86a}, 1},
    {0x20050, {0x0300008f, 0x00110000, 3}, 3},
    {PS_5_0, {0x02000090, 4}, 2},
    {PS_5_0, {0x05000091, 2, 2, 4, 5}, 5},
    {PS_5_0, {0x06000892, 0, 3, 0x00020002, 1, 2}, 6},
    {0x30050, {0x01010093}, 1},
    {0x30050, {0x01001894}, 1},
    {0x30050, {0x01001895}, 1},
    {0x30050, {0x01002096}, 1},
    {0x30050, {0x01002097}, 1},
    {0x30050, {0x02000098, 0x42800000}, 2},
    {0x30050, {0x02000099, 2}, 2},
    {0x30050, {0x0200009a, 3}, 2},
    {0x50050, {0x0400009b, 8, 4, 2}, 4},
    {PS_5_0, {0x0403189c, 0x0011e000, 0, 0x1111}, 4}, /* globally coherent, ordered */
    {PS_5_1, {0x0700089c, 0x0031ee46, 0, 1, 2, 0x5555, 3}, 7},
    {PS_5_0, {0x0301009d, 0x0011e000, 1}, 3},
    {PS_5_0, {0x0483009e, 0x0011e000, 1, 16}, 4},
    {0x50050, {0x0400009f, 0x0011f000, 0, 64}, 4},
    {0x50050, {0x050000a0, 0x0011f000, 0, 16, 4}, 5},
    {PS_5_0, {0x030000a1, 0x00107000, 0}, 3},
    {PS_5_0, {0x040000a2, 0x00107000, 0, 16}, 4},
    {0x20050, {0x020000ce, 4}, 2},
};
