/* See random_textures.h. */
#include "random_textures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ops/texture/format.h"
#include "random_number.h"
#include "texture/texture.h"

static uint64_t state;
static bool ruled; /* all samplers have these rules */
static enum sch_rules rules;

static uint64_t next(void) /* splitmix64 */ { return random_number(&state); }
static uint32_t below(uint32_t limit) { return (uint32_t)((next() >> 32) * limit >> 32); }
static uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
static bool one_in(uint32_t n) { return below(n) == 0; }
static float uniform(float low, float high) { return low + (high - low) * ((float)below(1 << 16) / 65536.0f); }

/* ---- formats ---- */

enum class { CLASS_FLOAT, CLASS_SHADOW, CLASS_UNORM, CLASS_SNORM, CLASS_UINT, CLASS_SINT, CLASS_ANY };

static bool has_type(const struct tex_format *format, unsigned type)
{
    for (unsigned c = 0; c < 4; c++)
        if (format->channel[c].type == type) return true;
    return false;
}

static bool is_of(const struct tex_format *format, enum class class)
{
    if (format->kind == TEX_KIND_NONE) return false;
    bool integer = format->flags & (TEX_INTEGER | TEX_STENCIL);
    switch (class) {
    case CLASS_UINT:
        return integer && (has_type(format, TEX_UINT) || format->flags & TEX_STENCIL) && !has_type(format, TEX_SINT);
    case CLASS_SINT:
        return integer && has_type(format, TEX_SINT) && !has_type(format, TEX_UINT);
    case CLASS_UNORM:
        return !integer && has_type(format, TEX_UNORM);
    case CLASS_SNORM:
        return !integer && has_type(format, TEX_SNORM);
    case CLASS_SHADOW:
        return format->flags & TEX_DEPTH;
    case CLASS_FLOAT:
        return !integer;
    default:
        return true;
    }
}

/* A format of the class that textures of the target have; `bytes` of a block and flags that it must have where they are
 * not 0. Compressed blocks are of two axes or three, without samples. */
static int format_of(enum class class, unsigned target, unsigned bytes, unsigned flags)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    const bool compressed = is->axes > 1 && !is->multisampled;
    int found = 0;
    unsigned seen = 0;
    for (int number = 1; number < SCH_FORMAT_LIMIT; number++) {
        const struct tex_format *format = &tex_formats[number];
        if (tex_is_block(format) && !compressed) continue;
        if (!is_of(format, class) || (bytes && format->bytes != bytes) || (format->flags & flags) != flags) continue;
        if (one_in(++seen)) found = number;
    }
    return found;
}

static enum class class_of(unsigned return_type, unsigned target) {
    if (target < SCH_TARGET_COUNT && sch_target_facts(target)->plain != target && !one_in(4)) return CLASS_SHADOW;
    switch (return_type){
        case SCH_RETURN_UNORM : return CLASS_UNORM; case SCH_RETURN_SNORM : return CLASS_SNORM;
        case SCH_RETURN_SINT : return CLASS_SINT;
        case SCH_RETURN_UINT : return CLASS_UINT;
        default : return CLASS_FLOAT;
    }
}

/* Any bits; of float formats mostly magnitudes near 1, so that sums of them say something. */
static void fill_texels(const struct tex_format *format, uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)(next() >> 40);
    unsigned bits = format->channel[0].type == TEX_FLOAT ? format->channel[0].bits : 0;
    if (format->kind != TEX_KIND_PLAIN || (bits != 16 && bits != 32) || one_in(4)) return;
    for (size_t at = 0; at + bits / 8 <= bytes; at += bits / 8) { /* the low byte of the number comes first */
        uint8_t *high = &data[at + bits / 8 - 1];
        *high = (uint8_t)((*high & 0x83) | (bits == 32 ? 0x3c : 0x38));
    }
}

/* ---- resources and views ---- */

/* Targets whose resources can show the target: the same memory, and its axes. */
static unsigned resource_target(unsigned target)
{
    static const uint8_t holders[SCH_TARGET_COUNT][4] = {
        [SCH_TARGET_1D] = {SCH_TARGET_1D, SCH_TARGET_1D_ARRAY, 0xff},
        [SCH_TARGET_1D_ARRAY] = {SCH_TARGET_1D_ARRAY, 0xff},
        [SCH_TARGET_2D] = {SCH_TARGET_2D, SCH_TARGET_2D_ARRAY, SCH_TARGET_CUBE, SCH_TARGET_CUBE_ARRAY},
        [SCH_TARGET_RECT] = {SCH_TARGET_RECT, SCH_TARGET_2D, SCH_TARGET_2D_ARRAY, 0xff},
        [SCH_TARGET_2D_ARRAY] = {SCH_TARGET_2D_ARRAY, SCH_TARGET_CUBE_ARRAY, SCH_TARGET_CUBE, 0xff},
        [SCH_TARGET_CUBE] = {SCH_TARGET_CUBE, SCH_TARGET_CUBE_ARRAY, 0xff},
        [SCH_TARGET_CUBE_ARRAY] = {SCH_TARGET_CUBE_ARRAY, 0xff},
        [SCH_TARGET_2D_MSAA] = {SCH_TARGET_2D_MSAA, SCH_TARGET_2D_ARRAY_MSAA, 0xff},
        [SCH_TARGET_2D_ARRAY_MSAA] = {SCH_TARGET_2D_ARRAY_MSAA, 0xff},
    };
    if (target == SCH_TARGET_BUFFER || target == SCH_TARGET_3D) return target;
    unsigned count = 0;
    while (count < 4 && holders[target][count] != 0xff) count++;
    return one_in(2) ? target : holders[target][below(count)];
}

static struct sch_resource_options random_shape(unsigned target, int format)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    struct sch_resource_options shape = {.size = sizeof shape,
                                         .target = (enum sch_target)target,
                                         .format = format,
                                         .layers = 1,
                                         .levels = 1,
                                         .samples = 1};
    uint32_t most = target == SCH_TARGET_BUFFER ? 200 : is->axes == 1 ? 40 : is->axes == 3 ? 9 : is->layered ? 12 : 20;
    shape.width = between(1, most);
    shape.height = is->cube ? shape.width : is->axes > 1 ? between(1, most) : 1;
    shape.depth = is->axes > 2 ? between(1, most) : 1;
    if (is->layered || is->cube) shape.layers = is->cube ? 6 * (is->layered ? between(1, 3) : 1) : between(1, 7);
    if (is->multisampled) shape.samples = 1u << below(5);
    uint32_t levels = 0;
    for (uint32_t sides = shape.width | shape.height | shape.depth; sides; sides >>= 1) levels++;
    if (!is->one_level) shape.levels = one_in(2) ? levels : between(1, levels);
    return shape;
}

static struct sch_resource *random_resource(struct sch_context *context, const struct sch_resource_options *shape)
{
    struct sch_resource *resource = NULL;
    assert_int_equal(sch_resource_create(context, shape, NULL, &resource), SCH_OK);
    size_t bytes = sch_resource_bytes(resource);
    uint8_t *data = malloc(bytes);
    assert_non_null(data);
    fill_texels(&tex_formats[shape->format], data, bytes);
    assert_int_equal(sch_resource_write_all(resource, data, bytes), SCH_OK);
    free(data);
    return resource;
}

/* A range of layers that the target can have; cubes are whole. */
static void random_layers(unsigned target, uint32_t layers, uint32_t *first, uint32_t *count)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    if (is->layered && !is->cube) {
        *first = below(layers);
        *count = between(1, layers - *first);
    } else if (is->cube) {
        *count = is->layered ? 6 * between(1, layers / 6) : 6;
        *first = below(layers - *count + 1);
    } else {
        *first = below(layers);
        *count = 1;
    }
}

/* An instruction's target takes views of some others too (docs/texture.md, "Resources and views"). */
static unsigned view_target(unsigned target)
{
    static const uint8_t others[SCH_TARGET_COUNT] = {
        [SCH_TARGET_1D] = SCH_TARGET_1D_ARRAY,
        [SCH_TARGET_1D_ARRAY] = SCH_TARGET_1D,
        [SCH_TARGET_2D] = SCH_TARGET_RECT,
        [SCH_TARGET_RECT] = SCH_TARGET_2D,
        [SCH_TARGET_2D_ARRAY] = SCH_TARGET_2D,
        [SCH_TARGET_CUBE] = SCH_TARGET_CUBE_ARRAY,
        [SCH_TARGET_CUBE_ARRAY] = SCH_TARGET_CUBE,
        [SCH_TARGET_2D_MSAA] = SCH_TARGET_2D_ARRAY_MSAA,
        [SCH_TARGET_2D_ARRAY_MSAA] = SCH_TARGET_2D_MSAA,
    };
    target = sch_target_facts(target)->plain;
    return others[target] && one_in(8) ? others[target] : target;
}

static struct sch_view *random_view(struct sch_context *context, unsigned target, unsigned return_type)
{
    enum class class = class_of(return_type, target);
    int seen = format_of(class, target, 0, 0);
    const struct tex_format *format = &tex_formats[seen];
    target = view_target(target);
    const struct sch_target_facts *is = sch_target_facts(target);
    int stored = one_in(4) ? format_of(CLASS_ANY, target, format->bytes, 0) : seen;
    if (!sch_texture_same_blocks((unsigned)stored, (unsigned)seen)) stored = seen;
    const struct sch_resource_options shape = random_shape(resource_target(target), stored);
    struct sch_resource *resource = random_resource(context, &shape);
    struct sch_view_options view = {.size = sizeof view,
                                    .has_target = true,
                                    .target = (enum sch_target)target,
                                    .format = seen,
                                    .level_count = 1,
                                    .swizzled = !one_in(2)};
    for (unsigned c = 0; c < 4; c++) view.swizzle[c] = (uint8_t)below(one_in(4) ? 6 : 4);
    view.first_level = one_in(2) ? 0 : below(shape.levels);
    if (!is->one_level) view.level_count = between(1, shape.levels - view.first_level);
    random_layers(target, shape.layers, &view.first_layer, &view.layer_count);
    if (target == SCH_TARGET_BUFFER && one_in(2)) {
        uint32_t blocks = shape.width / format->block_width;
        view.first_element = blocks ? below(blocks) * format->block_width : 0;
        view.element_count = between(1, shape.width - view.first_element);
    }
    if (target == SCH_TARGET_BUFFER) view.level_count = view.layer_count = 0;
    if (one_in(4) && !is->one_level) view.min_lod = uniform(0, 2);
    struct sch_view *made = NULL;
    enum sch_result result = sch_view_create(resource, &view, &made);
    if (result != SCH_OK) fail_msg("a view of target %u and format %d: %s", target, seen, sch_result_text(result));
    sch_resource_destroy(resource);
    return made;
}

/* Statement by statement: compilers order the members of an initialiser as they like. */
static struct sch_sampler *random_sampler(struct sch_context *context)
{
    struct sch_sampler_options options = {.size = sizeof options, .max_lod = 1000};
    options.wrap_s = (enum sch_wrap)below(8);
    options.wrap_t = (enum sch_wrap)below(8);
    options.wrap_r = (enum sch_wrap)below(8);
    options.min_filter = (enum sch_filter)below(2);
    options.mag_filter = (enum sch_filter)below(2);
    options.mip_filter = (enum sch_mip_filter)below(3);
    options.compare = (enum sch_compare)below(9);
    options.non_seamless_cube_map = one_in(3);
    options.border_is_words = one_in(3);
    if (one_in(3)) options.max_anisotropy = below(17);
    if (one_in(2)) options.rules = (enum sch_rules)below(3);
    if (ruled) options.rules = rules;
    if (one_in(3)) options.lod_bias = uniform(-3, 3);
    if (one_in(4)) options.min_lod = uniform(-1, 4);
    if (one_in(4)) options.max_lod = uniform(-1, 4);
    if (one_in(6)) options.reduction = (enum sch_reduction)below(3);
    if (one_in(10)) {
        options.unnormalized = true;
        options.mip_filter = SCH_MIP_NONE;
    }
    for (unsigned c = 0; c < 4; c++) {
        options.border[c] = uniform(-1, 2);
        options.border_words[c] = one_in(2) ? (uint32_t)next() : below(300);
    }
    struct sch_sampler *sampler = NULL;
    assert_int_equal(sch_sampler_create(context, &options, NULL, &sampler), SCH_OK);
    return sampler;
}

/* ---- images ---- */

/* The declared format, or where none is declared often one that atomic operations take. */
static int image_format(const struct sch_ir_declaration *declaration)
{
    int format = declaration->format;
    if (!format && one_in(2)) return one_in(2) ? SCH_FORMAT_R32_UINT : SCH_FORMAT_R32_SINT;
    if (!format || !(tex_formats[format].flags & TEX_STORABLE))
        return format_of(CLASS_ANY, SCH_TARGET_BUFFER, 0, TEX_STORABLE);
    return one_in(8) ? format_of(CLASS_ANY, SCH_TARGET_BUFFER, tex_formats[format].bytes, TEX_STORABLE) : format;
}

static void random_image(struct sch_context *context, const struct sch_ir_declaration *declaration,
                         struct sch_image **image, struct random_image *memory)
{
    unsigned target = declaration->target < SCH_TARGET_UNKNOWN ? sch_target_facts(declaration->target)->plain
                                                               : (unsigned)SCH_TARGET_2D;
    int format = image_format(declaration);
    const struct sch_resource_options shape = random_shape(resource_target(target), format);
    memory->resource = random_resource(context, &shape);
    struct sch_image_options options = {.size = sizeof options, .has_target = true, .target = (enum sch_target)target};
    options.level = below(shape.levels);
    options.read_only = !declaration->writable && one_in(2);
    random_layers(target, shape.layers, &options.first_layer, &options.layer_count);
    if (target == SCH_TARGET_3D || target == SCH_TARGET_BUFFER) options.first_layer = options.layer_count = 0;
    enum sch_result result = sch_image_create(memory->resource, &options, image);
    if (result != SCH_OK)
        fail_msg("an image of target %u and format %d: %s", target, shape.format, sch_result_text(result));
    memory->bytes = sch_resource_bytes(memory->resource);
    memory->before = malloc(memory->bytes);
    memory->after = malloc(memory->bytes);
    assert_true(memory->before && memory->after);
    assert_int_equal(sch_resource_read_all(memory->resource, memory->before, memory->bytes), SCH_OK);
}

void random_textures_reset(struct random_textures *textures)
{
    for (unsigned i = 0; i < textures->image_count; i++) {
        const struct random_image *memory = &textures->memory[i];
        if (memory->resource)
            assert_int_equal(sch_resource_write_all(memory->resource, memory->before, memory->bytes), SCH_OK);
    }
}

bool random_textures_agree(struct random_textures *textures, bool first)
{
    bool same = true;
    for (unsigned i = 0; i < textures->image_count; i++) {
        const struct random_image *memory = &textures->memory[i];
        if (!memory->resource) continue;
        uint8_t *now = first ? memory->after : malloc(memory->bytes);
        assert_non_null(now);
        assert_int_equal(sch_resource_read_all(memory->resource, now, memory->bytes), SCH_OK);
        if (memcmp(now, memory->after, memory->bytes) != 0) same = false;
        if (!first) free(now);
    }
    return same;
}

bool random_textures_changed(const struct random_textures *textures)
{
    for (unsigned i = 0; i < textures->image_count; i++) {
        const struct random_image *memory = &textures->memory[i];
        if (memory->resource && memcmp(memory->before, memory->after, memory->bytes) != 0) return true;
    }
    return false;
}

/* ---- a shader's registers ---- */

/* The target of the first lookup through a sampler without a view declaration, 2D where there is none. */
static unsigned looked_up_target(const struct sch_ir_shader *shader, unsigned number)
{
    unsigned found = SCH_TARGET_2D;
    bool exact = false;
    for (size_t n = 0; n < shader->instruction_count && !exact; n++) {
        const struct sch_ir_instruction *in = &shader->instructions[n];
        if (!in->has_texture || in->target >= SCH_TARGET_UNKNOWN) continue;
        for (unsigned s = 0; s < in->src_count; s++) {
            if (in->src[s].file != SCH_FILE_SAMPLER) continue;
            exact = !in->src[s].index.is_indirect && (unsigned)in->src[s].index.index == number;
            if (exact || in->src[s].index.is_indirect) found = in->target;
        }
    }
    return found;
}

static const struct sch_ir_declaration *view_declaration(const struct sch_ir_shader *shader, unsigned number)
{
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        bool view = declaration->file == SCH_FILE_SAMPLER_VIEW || declaration->file == SCH_FILE_RESOURCE;
        if (view && declaration->first <= number && number <= declaration->last) return declaration;
    }
    return NULL;
}

static void make_unit(struct sch_context *context, const struct sch_ir_shader *shader, unsigned number,
                      struct random_textures *textures)
{
    const struct sch_ir_declaration *view = view_declaration(shader, number);
    unsigned target = view && view->target < SCH_TARGET_UNKNOWN ? view->target : looked_up_target(shader, number);
    textures->views[number] = random_view(
        context, target, view && view->file == SCH_FILE_SAMPLER_VIEW ? view->return_type[0] : SCH_RETURN_FLOAT);
    textures->samplers[number] = random_sampler(context);
    if (number >= textures->view_count) textures->view_count = textures->sampler_count = number + 1;
}

static void make_image(struct sch_context *context, const struct sch_ir_declaration *declaration, unsigned number,
                       struct random_textures *textures)
{
    if (textures->images[number]) return;
    random_image(context, declaration, &textures->images[number], &textures->memory[number]);
    if (number >= textures->image_count) textures->image_count = number + 1;
}

void random_textures_rule(enum sch_rules all)
{
    ruled = true;
    rules = all;
}

static void make_room(const struct sch_ir_shader *shader, struct random_textures *textures)
{
    size_t units = 1;
    for (size_t n = 0; n < shader->declaration_count; n++)
        if (shader->declarations[n].last >= units) units = (size_t)shader->declarations[n].last + 1;
    *textures = (struct random_textures){.views = calloc(units, sizeof *textures->views),
                                         .samplers = calloc(units, sizeof *textures->samplers),
                                         .images = calloc(units, sizeof *textures->images),
                                         .memory = calloc(units, sizeof *textures->memory)};
    assert_true(textures->views && textures->samplers && textures->images && textures->memory);
}

/* RES[n] is view n, where it is written image n, and of target BUFFER a storage buffer
 * (include/scheelite/dispatch.h). */
void random_textures_make(struct sch_context *context, const struct sch_ir_shader *shader, uint64_t seed,
                          struct random_textures *textures)
{
    state = seed;
    make_room(shader, textures);
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        unsigned file = declaration->file;
        bool resource = file == SCH_FILE_RESOURCE && declaration->target != SCH_TARGET_BUFFER;
        bool image = file == SCH_FILE_IMAGE || (resource && declaration->writable);
        bool unit = file == SCH_FILE_SAMPLER || file == SCH_FILE_SAMPLER_VIEW || (resource && !declaration->writable);
        for (unsigned r = declaration->first; r <= declaration->last && r - declaration->first < RANDOM_RANGE; r++) {
            if (unit && !textures->views[r]) make_unit(context, shader, r, textures);
            if (image) make_image(context, declaration, r, textures);
        }
    }
}

void random_textures_bind(const struct random_textures *textures, struct sch_bindings *bindings)
{
    bindings->views = textures->views;
    bindings->view_count = textures->view_count;
    bindings->samplers = textures->samplers;
    bindings->sampler_count = textures->sampler_count;
    bindings->images = textures->images;
    bindings->image_count = textures->image_count;
}

void random_textures_release(struct random_textures *textures)
{
    for (unsigned i = 0; i < textures->view_count; i++) {
        sch_view_destroy(textures->views[i]);
        sch_sampler_destroy(textures->samplers[i]);
    }
    for (unsigned i = 0; i < textures->image_count; i++) {
        sch_image_destroy(textures->images[i]);
        sch_resource_destroy(textures->memory[i].resource);
        free(textures->memory[i].before);
        free(textures->memory[i].after);
    }
    free(textures->views);
    free(textures->samplers);
    free(textures->images);
    free(textures->memory);
}
