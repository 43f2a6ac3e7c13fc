/* Texture memory: shapes are checked, laid out and counted here. Holds no sampler state (key.c) and no views (view.c),
 * and does not read texels (src/ops). */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "isa/errors.h"
#include "ops/texture/format.h"
#include "texture/decoded.h"
#include "texture/texture.h"

enum { MAX_SIZE = 16384, MAX_LAYERS = 2048, MAX_SAMPLES = 16, MAX_ELEMENTS = 1 << 27 };

struct sch_texture_resource {
    struct sch_resource_shape shape;
    struct sch_allocator allocator;
    atomic_size_t references;
    struct sch_texture descriptor;
    size_t bytes, decoded_bytes; /* of texels, gaps not counted */
    size_t slices, slice_bytes;  /* what has no gaps: slices of samples, else all texels; in `bytes` */
    unsigned char *texels;       /* after this struct, in the same allocation; then the tiles that are kept */
};

/* Texels that would take thousands of small pages are where large ones can hold them: lookups along a line that is
 * not a row touch a page a texel. */
enum { LARGE_PAGE = 2 << 20 };

/* Tiles that are kept begin with a line of the cache. */
enum { LINE = 64 };
static size_t whole_lines(size_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

bool sch_texture_storable(unsigned format)
{
    return sch_texture_block_bytes(format) && tex_formats[format].flags & TEX_STORABLE;
}

static const char *word(enum sch_vocabulary vocabulary, unsigned number)
{
    const struct sch_word *row = sch_word_by_number(vocabulary, number);
    return row ? row->word : "(unknown)";
}

enum sch_result sch_texture_refuse_target(unsigned target, struct sch_position position,
                                          struct sch_diagnostics *diagnostics)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    if (is->family != SCH_FAMILY_NONE && is->plain == target) return SCH_OK;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_TARGET, position,
                        "no texture is %s: that is a way to look one up", word(SCH_WORDS_TARGET, target));
    return SCH_ERROR_INVALID;
}

enum sch_result sch_texture_refuse_format(unsigned format, struct sch_position position,
                                          struct sch_diagnostics *diagnostics)
{
    if (sch_texture_block_bytes(format)) return SCH_OK;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_FORMAT, position,
                        "texels of format %s are not read", word(SCH_WORDS_FORMAT, format));
    return SCH_ERROR_UNSUPPORTED;
}

uint32_t sch_texture_full_levels(const struct sch_resource_shape *shape)
{
    if (sch_target_facts(shape->target)->one_level) return 1;
    uint32_t levels = 1, size = shape->width;
    if (shape->height > size) size = shape->height;
    if (shape->depth > size) size = shape->depth;
    for (; size > 1; size /= 2) levels++;
    return levels;
}

static enum sch_result refuse_shape(const struct sch_resource_shape *shape, struct sch_diagnostics *diagnostics,
                                    const char *why)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_SHAPE, (struct sch_position){0}, "%s: %s",
                        word(SCH_WORDS_TARGET, shape->target), why);
    return SCH_ERROR_INVALID;
}

/* Counts that the target cannot have, whatever their size. */
static const char *wrong_counts(const struct sch_resource_shape *shape, const struct sch_target_facts *is)
{
    if (!shape->width || !shape->height || !shape->depth || !shape->layers || !shape->levels || !shape->samples)
        return "a texture with a count of 0 holds nothing";
    if (is->axes < 2 && shape->height > 1) return "a texture of one axis has height 1";
    if (is->axes < 3 && shape->depth > 1) return "only 3D textures have depth";
    if (is->cube && shape->width != shape->height) return "the faces of a cube are squares";
    if (is->cube && is->layered && shape->layers % SCH_CUBE_FACES) return "cubes have six faces each";
    if (is->cube && !is->layered && shape->layers != SCH_CUBE_FACES) return "a cube has six faces";
    if (!is->cube && !is->layered && shape->layers > 1) return "only arrays and cubes have layers";
    if (!is->multisampled && shape->samples > 1) return "only multisampled textures have samples";
    if (shape->samples > MAX_SAMPLES || (shape->samples & (shape->samples - 1)))
        return "the number of samples is 1, 2, 4, 8 or 16";
    return NULL;
}

static enum sch_result check_size(const struct sch_resource_shape *shape, struct sch_diagnostics *diagnostics)
{
    uint32_t most = shape->target == SCH_TARGET_BUFFER ? MAX_ELEMENTS : MAX_SIZE;
    if (shape->width <= most && shape->height <= MAX_SIZE && shape->depth <= MAX_SIZE && shape->layers <= MAX_LAYERS)
        return SCH_OK;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_SIZE, (struct sch_position){0},
                        "%u x %u x %u texels in %u layers are more than %u texels or %d layers", shape->width,
                        shape->height, shape->depth, shape->layers, most, MAX_LAYERS);
    return SCH_ERROR_LIMIT;
}

static enum sch_result check_shape(const struct sch_resource_shape *shape, struct sch_diagnostics *diagnostics)
{
    const struct sch_position nowhere = {0};
    enum sch_result status = sch_texture_refuse_target(shape->target, nowhere, diagnostics);
    if (status == SCH_OK) status = sch_texture_refuse_format(shape->format, nowhere, diagnostics);
    if (status != SCH_OK) return status;
    const struct sch_target_facts *is = sch_target_facts(shape->target);
    const char *wrong = wrong_counts(shape, is);
    if (!wrong && sch_texture_is_block(shape->format) && (is->axes < 2 || is->multisampled))
        wrong = "compressed blocks are of textures with two axes or three, without samples";
    if (wrong) return refuse_shape(shape, diagnostics, wrong);
    status = check_size(shape, diagnostics);
    if (status != SCH_OK) return status;
    if (shape->levels > sch_texture_full_levels(shape))
        return refuse_shape(shape, diagnostics, "more levels than there are down to one texel");
    return SCH_OK;
}

/* Bytes that may be between the struct and its texels. */
static size_t gap(size_t texels) { return texels < LARGE_PAGE ? 0 : LARGE_PAGE; }

static unsigned char *place_of_texels(struct sch_texture_resource *resource, size_t texels)
{
    unsigned char *behind = (unsigned char *)(resource + 1);
    if (!gap(texels)) return behind;
    behind += LARGE_PAGE - (uintptr_t)behind % LARGE_PAGE;
    /* A hint; where the system has no large pages it changes nothing. */
    (void)madvise(behind, texels / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    return behind;
}

/* Multisampled textures have one level. */
static void count_slices(struct sch_texture_resource *resource, size_t texels)
{
    const struct sch_texture_level *level = &resource->descriptor.level[0];
    resource->slices = 1;
    resource->slice_bytes = texels;
    if (resource->shape.samples > 1) {
        resource->slices = (size_t)resource->shape.layers * resource->shape.samples;
        resource->slice_bytes = (size_t)level->row_bytes * sch_texture_rows(resource->shape.format, level->height);
    }
    resource->bytes = resource->slices * resource->slice_bytes;
}

enum sch_result sch_texture_resource_create(const struct sch_resource_shape *shape,
                                            const struct sch_allocator *allocator, size_t memory_limit,
                                            struct sch_diagnostics *diagnostics, struct sch_texture_resource **resource)
{
    *resource = NULL;
    enum sch_result status = check_shape(shape, diagnostics);
    if (status != SCH_OK) return status;

    _Static_assert(sizeof(size_t) == sizeof(uint64_t), "bytes of checked shapes are memory's");
    struct sch_texture texture;
    const struct sch_block block = sch_texture_block(shape->format);
    const size_t texels = sch_texture_lay_out(shape, &block, NULL, &texture);
    const size_t decoded = sch_decoded_lay_out(shape, NULL, &texture), before = decoded ? whole_lines(texels) : texels;
    if (memory_limit && before + decoded > memory_limit) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_MEMORY, (struct sch_position){0},
                            "the texels%s take more than the %zu bytes allowed", decoded ? ", kept decoded," : "",
                            memory_limit);
        return SCH_ERROR_LIMIT;
    }
    const size_t all = before + decoded;
    struct sch_texture_resource *made =
        allocator->alloc(allocator->user, sizeof *made + gap(all) + (decoded ? LINE : 0) + all);
    if (!made) return SCH_ERROR_MEMORY;
    unsigned char *first = place_of_texels(made, all);
    if (decoded) first += -(uintptr_t)first % LINE;
    memset(first, 0, texels);
    made->texels = first;
    made->decoded_bytes = decoded;
    made->shape = *shape;
    made->allocator = *allocator;
    sch_texture_lay_out(shape, &block, first, &made->descriptor);
    count_slices(made, texels);
    sch_decoded_lay_out(shape, (uint32_t *)(void *)(first + before), &made->descriptor);
    sch_decoded_update_all(made);
    atomic_init(&made->references, 1);
    *resource = made;
    return SCH_OK;
}

void sch_texture_resource_retain(struct sch_texture_resource *resource)
{
    atomic_fetch_add_explicit(&resource->references, 1, memory_order_relaxed);
}

void sch_texture_resource_release(struct sch_texture_resource *resource)
{
    if (!resource) return;
    /* Whoever lets go last must see what the others wrote before letting go. */
    if (atomic_fetch_sub_explicit(&resource->references, 1, memory_order_acq_rel) > 1) return;
    struct sch_allocator allocator = resource->allocator;
    allocator.free(allocator.user, resource);
}

const struct sch_resource_shape *sch_texture_resource_shape(const struct sch_texture_resource *resource)
{
    return &resource->shape;
}

size_t sch_texture_resource_bytes(const struct sch_texture_resource *resource) { return resource->bytes; }

size_t sch_texture_resource_decoded_bytes(const struct sch_texture_resource *resource)
{
    return resource->decoded_bytes;
}

enum sch_result sch_texture_resource_write_all(struct sch_texture_resource *resource, const void *data, size_t bytes)
{
    if (bytes != resource->bytes) return SCH_ERROR_ARGUMENT;
    for (size_t n = 0; n < resource->slices; n++)
        memcpy(resource->texels + n * resource->descriptor.level[0].slice_bytes,
               (const uint8_t *)data + n * resource->slice_bytes, resource->slice_bytes);
    sch_decoded_update_all(resource);
    return SCH_OK;
}

enum sch_result sch_texture_resource_read_all(const struct sch_texture_resource *resource, void *data, size_t bytes)
{
    if (bytes != resource->bytes) return SCH_ERROR_ARGUMENT;
    for (size_t n = 0; n < resource->slices; n++)
        memcpy((uint8_t *)data + n * resource->slice_bytes,
               resource->texels + n * resource->descriptor.level[0].slice_bytes, resource->slice_bytes);
    return SCH_OK;
}

const struct sch_texture *sch_texture_of(const struct sch_texture_resource *resource) { return &resource->descriptor; }
