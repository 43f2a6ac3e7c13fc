/* What the tests of texture files share. Holds no test. */
#include "container_support.h"

const struct format_row format_rows[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    [number] = {#name, #layout, channels, width, height, depth},
#include "isa/formats.def"
#undef FORMAT
};
const unsigned format_row_count = sizeof format_rows / sizeof *format_rows;

static uint64_t seed = 21;

unsigned format_named(const char *name)
{
    for (unsigned i = 0; i < format_row_count; i++)
        if (format_rows[i].name && strcmp(format_rows[i].name, name) == 0) return i;
    print_message("no format %s\n", name);
    fail();
    return 0;
}

unsigned block_bytes(unsigned format)
{
    const struct format_row *row = &format_rows[format];
    unsigned bits = 0;
    if (!row->name || !format || strncmp(row->layout, "PLANAR", 6) == 0) return 0;
    if (strcmp(row->name, "AYUV") == 0 || strcmp(row->name, "XYUV") == 0) return 0;
    for (const char *at = row->channels; *at;) {
        at += strcspn(at, "0123456789");
        char *end;
        bits += (unsigned)strtoul(at, &end, 10);
        at = end;
    }
    return bits / 8;
}

static size_t halved(size_t size, uint32_t level) { return size >> level ? size >> level : 1; }

size_t texture_bytes(const struct sch_file_texture *texture)
{
    const struct format_row *row = &format_rows[texture->format];
    size_t bytes = 0;
    for (uint32_t i = 0; i < texture->levels; i++) {
        size_t x = (halved(texture->width, i) + row->width - 1) / row->width;
        size_t y = (halved(texture->height, i) + row->height - 1) / row->height;
        size_t z = (halved(texture->depth, i) + row->depth - 1) / row->depth;
        bytes += x * y * z * texture->layers * block_bytes(texture->format);
    }
    return bytes;
}

struct sch_file_texture random_texture(enum sch_target target, unsigned format, uint32_t width, uint32_t height,
                                       uint32_t depth, uint32_t layers, uint32_t levels)
{
    struct sch_file_texture texture = {.size = sizeof texture,
                                       .target = target,
                                       .format = (enum sch_format)format,
                                       .width = width,
                                       .height = height,
                                       .depth = depth,
                                       .layers = layers,
                                       .levels = levels};
    texture.bytes = texture_bytes(&texture);
    texture.texels = malloc(texture.bytes);
    assert_non_null(texture.texels);
    for (size_t i = 0; i < texture.bytes; i++) texture.texels[i] = (uint8_t)(random_number(&seed) >> 17);
    return texture;
}

void assert_same_texture(const struct sch_file_texture *a, const struct sch_file_texture *b, const char *what)
{
    bool same = a->target == b->target && a->format == b->format && a->width == b->width && a->height == b->height &&
                a->depth == b->depth && a->layers == b->layers && a->levels == b->levels && a->bytes == b->bytes &&
                a->premultiplied == b->premultiplied;
    if (!same)
        print_message("%s: %s %u: %ux%ux%u, %u layers, %u levels, became %s %u: %ux%ux%u, %u, %u\n", what,
                      format_rows[a->format].name, a->target, a->width, a->height, a->depth, a->layers, a->levels,
                      format_rows[b->format].name, b->target, b->width, b->height, b->depth, b->layers, b->levels);
    assert_true(same);
    assert_memory_equal(a->texels, b->texels, a->bytes);
}

enum sch_result read_counted(const void *data, size_t bytes, struct counting *counting, struct sch_file_error *error)
{
    static const struct sch_file_texture empty = {0};
    struct sch_allocator memory = counting_allocator(counting);
    struct sch_file_options limits = {.size = sizeof limits, .memory = &memory, .max_bytes = 1 << 24};
    struct sch_file_read_options options = {.size = sizeof options, .limits = &limits};
    struct sch_file_texture texture = {.size = sizeof texture};
    void *exact = malloc(bytes ? bytes : 1);
    assert_non_null(exact);
    memcpy(exact, data, bytes);
    *error = (struct sch_file_error){.size = sizeof *error};
    enum sch_result result = sch_file_texture_read(&options, exact, bytes, &texture, error);
    if (result == SCH_OK) {
        assert_int_equal(texture.bytes, texture_bytes(&texture));
        assert_int_equal(error->code, 0);
        volatile uint8_t sum = 0;
        for (size_t i = 0; i < texture.bytes; i++) sum = (uint8_t)(sum + texture.texels[i]);
    } else {
        assert_memory_equal((char *)&texture + sizeof texture.size, (const char *)&empty + sizeof empty.size,
                            sizeof empty - sizeof empty.size);
        if (result != SCH_ERROR_MEMORY) {
            assert_in_range(error->code, 6100, 6199);
            assert_true(error->message[0] != 0);
        }
    }
    sch_file_texture_release(&texture);
    free(exact);
    assert_int_equal(counting->allocations, counting->frees);
    return result;
}

struct sch_file_texture read_texture(const void *data, size_t bytes, const char *what)
{
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_error error = {.size = sizeof error};
    enum sch_result result = sch_file_texture_read(NULL, data, bytes, &texture, &error);
    if (result != SCH_OK) print_message("%s: %u: %s\n", what, error.code, error.message);
    assert_int_equal(result, SCH_OK);
    return texture;
}

struct sch_file_bytes write_texture(enum sch_file_kind kind, enum sch_file_supercompression supercompression,
                                    const struct sch_file_texture *texture)
{
    struct sch_file_write_options options = {.size = sizeof options, .supercompression = supercompression};
    struct sch_file_error error = {.size = sizeof error};
    struct sch_file_bytes file;
    enum sch_result result = sch_file_texture_write(&options, kind, texture, &file, &error);
    if (result != SCH_OK) print_message("%s: %u: %s\n", format_rows[texture->format].name, error.code, error.message);
    assert_int_equal(result, SCH_OK);
    return file;
}

bool has_zstd(void)
{
    const uint8_t texel[1] = {0};
    const struct sch_file_texture texture = {.size = sizeof texture,
                                             .target = SCH_TARGET_2D,
                                             .format = SCH_FORMAT_R8_UNORM,
                                             .width = 1,
                                             .height = 1,
                                             .depth = 1,
                                             .layers = 1,
                                             .levels = 1,
                                             .texels = (uint8_t *)(uintptr_t)texel,
                                             .bytes = 1};
    struct sch_file_write_options options = {.size = sizeof options,
                                             .supercompression = SCH_FILE_SUPERCOMPRESSION_ZSTD};
    struct sch_file_error error = {.size = sizeof error};
    struct sch_file_bytes file;
    enum sch_result result = sch_file_texture_write(&options, SCH_FILE_KIND_KTX2, &texture, &file, &error);
    sch_file_bytes_release(&file);
    if (result == SCH_OK) return true;
    assert_int_equal(result, SCH_ERROR_UNSUPPORTED);
    assert_int_equal(error.code, 6105);
    assert_non_null(strstr(error.message, "libzstd"));
    return false;
}
