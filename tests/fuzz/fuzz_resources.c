/* Fuzz target: what moves texels without a shader, and what views show. The input is a sequence of calls on four
 * resources: reads, writes, copies, clears, blits, pictures of video, mip chains, views, images and ranges of buffers,
 * with numbers that are small or hostile. What is checked: a call that fails moves nothing; what was written is read
 * again; a copy of bits is there; memory has the exact size that the library says, so that a sanitizer sees any access
 * outside. */
#include <string.h>

#include <scheelite/scheelite.h>

#include "fuzz.h"

enum { RESOURCES = 4, CALLS = 64, MOST = 1 << 16 /* bytes of a resource, and of a transfer's memory */ };

/* The rest of the input; behind its end all is 0. It is read in statements of their own: the order in which
 * initializers are evaluated is open. */
struct input {
    const uint8_t *at, *end;
};

struct world {
    struct sch_context *context;
    struct sch_program *program;
    struct sch_resource *resource[RESOURCES];
    struct input input;
};

static uint8_t next(struct input *input) { return input->at < input->end ? *input->at++ : 0; }

/* Mostly small, else what overflows. */
static uint64_t next_number(struct input *input)
{
    static const uint64_t hostile[] = {UINT32_MAX,
                                       INT32_MAX,
                                       (uint64_t)INT32_MIN,
                                       (uint64_t)-1,
                                       UINT64_MAX / 2,
                                       UINT64_MAX - 3,
                                       1u << 27,
                                       16384,
                                       (uint64_t)1 << 32,
                                       UINT64_MAX / 4,
                                       0xfffffff0,
                                       65536,
                                       (uint64_t)1 << 62,
                                       UINT32_MAX / 2,
                                       4096,
                                       255,
                                       INT32_MAX - 7,
                                       (uint64_t)-65536,
                                       1u << 20,
                                       (uint64_t)1 << 40};
    const uint8_t first = next(input);
    if (first < 200) return first % 20;
    if (first < 210) return (uint64_t) - (int64_t)(first - 200);
    if (first < 230) return hostile[first - 210];
    return (uint64_t)next(input) << 8 | next(input);
}

static uint32_t next_word(struct input *input) { return (uint32_t)next_number(input); }

static struct sch_box next_box(struct input *input)
{
    struct sch_box box = {0};
    if (next(input) % 8 == 0) return box;
    int32_t *const numbers[] = {&box.x, &box.y, &box.z, &box.width, &box.height, &box.depth};
    for (unsigned i = 0; i < 6; i++) *numbers[i] = (int32_t)next_word(input);
    return box;
}

static enum sch_format next_format(struct input *input)
{
    static const enum sch_format formats[] = {
        SCH_FORMAT_R8G8B8A8_UNORM,       SCH_FORMAT_R8_UINT,       SCH_FORMAT_R32_FLOAT,
        SCH_FORMAT_Z24_UNORM_S8_UINT,    SCH_FORMAT_YUYV,          SCH_FORMAT_R32G32B32A32_FLOAT,
        SCH_FORMAT_Z32_FLOAT_S8X24_UINT, SCH_FORMAT_R8G8B8A8_SRGB, SCH_FORMAT_R32_UINT,
        SCH_FORMAT_R16G16B16_SNORM,      SCH_FORMAT_S8_UINT,       SCH_FORMAT_R9G9B9E5_FLOAT};
    const uint8_t number = next(input);
    return number < 240 ? formats[number % (sizeof formats / sizeof *formats)] : (enum sch_format)next_word(input);
}

/* NONE, the default, but for one of so many. */
static enum sch_format next_format_or_none(struct input *input, unsigned many)
{
    return next(input) % many ? SCH_FORMAT_NONE : next_format(input);
}

/* ---- resources ---- */

static void make(struct world *world)
{
    static const enum sch_target targets[] = {
        SCH_TARGET_2D,       SCH_TARGET_BUFFER,  SCH_TARGET_3D,        SCH_TARGET_CUBE,          SCH_TARGET_1D,
        SCH_TARGET_2D_ARRAY, SCH_TARGET_2D_MSAA, SCH_TARGET_1D_ARRAY,  SCH_TARGET_2D_ARRAY_MSAA, SCH_TARGET_RECT,
        SCH_TARGET_SHADOW2D, SCH_TARGET_UNKNOWN, SCH_TARGET_CUBE_ARRAY};
    struct input *input = &world->input;
    struct sch_resource **resource = &world->resource[next(input) % RESOURCES];
    struct sch_resource_options options = {.size = sizeof options};
    options.target = targets[next(input) % (sizeof targets / sizeof *targets)];
    options.format = next_format(input);
    options.width = next_word(input);
    options.height = next_word(input);
    options.depth = next_word(input);
    options.layers = next_word(input);
    options.levels = next_word(input);
    options.samples = next_word(input);
    options.decoded = options.width & 1; /* without a byte of its own: the corpus stays what it is */
    struct sch_resource *made;
    if (sch_resource_create(world->context, &options, NULL, &made) != SCH_OK) return;
    if (sch_resource_bytes(made) > MOST) {
        sch_resource_destroy(made);
        return;
    }
    sch_resource_destroy(*resource);
    *resource = made;
}

static struct sch_resource *next_resource(struct world *world)
{
    return world->resource[next(&world->input) % RESOURCES];
}

/* A copy of all bytes; the caller's. */
static uint8_t *bytes_of(const struct sch_resource *resource)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *made = malloc(bytes);
    if (!made || sch_resource_read_all(resource, made, bytes) != SCH_OK) abort();
    return made;
}

/* A failed call moved nothing. */
static bool is_as_before(const struct sch_resource *resource, uint8_t *before, enum sch_result result)
{
    uint8_t *now = bytes_of(resource);
    const bool same = result == SCH_OK || memcmp(before, now, sch_resource_bytes(resource)) == 0;
    free(now);
    free(before);
    return same;
}

/* ---- calls ---- */

static struct sch_transfer next_transfer(struct input *input)
{
    struct sch_transfer moved = {.size = sizeof moved};
    moved.level = next_word(input);
    moved.sample = next_word(input);
    moved.box = next_box(input);
    if (next(input) % 2 == 0) moved.row_bytes = (size_t)next_number(input);
    if (next(input) % 2 == 0) moved.slice_bytes = (size_t)next_number(input);
    return moved;
}

static const char *transfer(struct world *world)
{
    struct sch_resource *resource = next_resource(world);
    const struct sch_transfer moved = next_transfer(&world->input);
    if (!resource) return NULL;
    const size_t bytes = sch_transfer_bytes(resource, &moved);
    const size_t given = bytes && bytes <= MOST ? bytes : 1;
    uint8_t *data = malloc(given), *again = calloc(1, given), *before = bytes_of(resource);
    if (!data || !again) abort();
    for (size_t i = 0; i < given; i++) data[i] = (uint8_t)(i * 7 + next(&world->input));
    const enum sch_result written = sch_resource_write(resource, &moved, data, given, NULL);
    const enum sch_result read = sch_resource_read(resource, &moved, again, given, NULL);
    const char *finding = NULL;
    if (written != read || (bytes && bytes <= MOST && written != SCH_OK) || (!bytes && written == SCH_OK))
        finding = "a transfer that has bytes is one that moves them";
    if (read == SCH_OK && !finding) { /* what is in gaps is not read: it is still 0 */
        for (size_t i = 0; i < given && !finding; i++)
            if (again[i] && again[i] != data[i]) finding = "a box is not read as it was written";
    }
    if (!is_as_before(resource, before, written) && !finding) finding = "a refused write moved bytes";
    free(again);
    free(data);
    return finding;
}

static const char *copy(struct world *world)
{
    struct sch_resource *to = next_resource(world);
    struct sch_resource *from = next_resource(world);
    struct input *input = &world->input;
    struct sch_copy moved = {.size = sizeof moved};
    moved.level = next_word(input);
    moved.x = (int32_t)next_word(input);
    moved.y = (int32_t)next_word(input);
    moved.z = (int32_t)next_word(input);
    moved.source_level = next_word(input);
    moved.source = next_box(input);
    if (!to || !from) return NULL;
    uint8_t *before = bytes_of(to);
    const enum sch_result result = sch_resource_copy(to, from, &moved, NULL);
    if (!is_as_before(to, before, result)) return "a refused copy moved bytes";
    const bool documented = result == SCH_OK || result == SCH_ERROR_ARGUMENT;
    return documented ? NULL : "a copy ends in another way";
}

static const char *clear(struct world *world)
{
    struct sch_resource *to = next_resource(world);
    struct input *input = &world->input;
    uint8_t block[16];
    struct sch_clear wanted = {.size = sizeof wanted};
    wanted.level = next_word(input);
    wanted.box = next_box(input);
    wanted.format = next_format_or_none(input, 4);
    wanted.parts = next_word(input);
    wanted.depth = (float)next_word(input) / 255;
    wanted.stencil = next_word(input);
    for (unsigned c = 0; c < 4; c++) wanted.color.u[c] = next_word(input);
    memset(block, next(input), sizeof block);
    if (next(input) % 4 == 0) {
        wanted.block = block;
        wanted.block_bytes = next(input) % 32;
    }
    if (!to) return NULL;
    uint8_t *before = bytes_of(to);
    const enum sch_result result = sch_resource_clear(to, &wanted, NULL);
    return is_as_before(to, before, result) ? NULL : "a refused clear wrote";
}

static const char *blit(struct world *world)
{
    struct sch_resource *to = next_resource(world);
    struct sch_resource *from = next_resource(world);
    struct input *input = &world->input;
    struct sch_blit wanted = {.size = sizeof wanted};
    wanted.level = next_word(input);
    wanted.source_level = next_word(input);
    wanted.box = next_box(input);
    wanted.source = next_box(input);
    wanted.format = next_format_or_none(input, 4);
    wanted.source_format = next_format_or_none(input, 4);
    wanted.parts = next_word(input);
    wanted.filter = (enum sch_filter)(next(input) % 3);
    wanted.first_sample = next(input) % 2;
    wanted.scissored = next(input) % 2;
    for (unsigned i = 0; i < 4; i++) wanted.scissor[i] = (int32_t)next_word(input);
    if (!to || !from) return NULL;
    uint8_t *before = bytes_of(to);
    const enum sch_result result = sch_resource_blit(to, from, &wanted, NULL);
    return is_as_before(to, before, result) ? NULL : "a refused blit wrote";
}

/* Planes of exactly the bytes that they are said to have. */
static const char *video(struct world *world)
{
    static const enum sch_format formats[] = {SCH_FORMAT_NV12, SCH_FORMAT_YV12, SCH_FORMAT_P010, SCH_FORMAT_YUYV,
                                              SCH_FORMAT_Y210, SCH_FORMAT_Y410, SCH_FORMAT_AYUV, SCH_FORMAT_Y8_UNORM};
    struct sch_resource *to = next_resource(world);
    struct input *input = &world->input;
    struct sch_video wanted = {.size = sizeof wanted};
    uint8_t *planes[3];
    const uint8_t number = next(input);
    wanted.format = number < 240 ? formats[number % (sizeof formats / sizeof *formats)] : next_format(input);
    wanted.width = next_word(input);
    wanted.height = next_word(input);
    wanted.level = next_word(input);
    wanted.x = (int32_t)next_word(input);
    wanted.y = (int32_t)next_word(input);
    wanted.z = (int32_t)next_word(input);
    wanted.matrix = (enum sch_video_matrix)(next(input) % 5);
    wanted.range = (enum sch_video_range)(next(input) % 4);
    wanted.siting = (enum sch_video_siting)(next(input) % 5);
    for (unsigned p = 0; p < 3; p++) {
        wanted.planes[p].bytes = (size_t)next_number(input) % MOST;
        wanted.planes[p].row_bytes = (size_t)next_number(input);
        wanted.planes[p].data = planes[p] = calloc(1, wanted.planes[p].bytes + !wanted.planes[p].bytes);
        if (!planes[p]) abort();
    }
    uint8_t *before = to ? bytes_of(to) : NULL;
    const enum sch_result result = to ? sch_resource_write_video(to, &wanted, NULL) : SCH_OK;
    const bool right = !to || is_as_before(to, before, result);
    for (unsigned p = 0; p < 3; p++) free(planes[p]);
    return right ? NULL : "a refused picture wrote";
}

static const char *mips(struct world *world)
{
    struct sch_resource *to = next_resource(world);
    struct input *input = &world->input;
    struct sch_mips wanted = {.size = sizeof wanted};
    wanted.base_level = next_word(input);
    wanted.level_count = next_word(input);
    wanted.first_layer = next_word(input);
    wanted.layer_count = next_word(input);
    wanted.format = next_format_or_none(input, 4);
    if (!to) return NULL;
    uint8_t *before = bytes_of(to);
    const enum sch_result result = sch_resource_make_mips(to, &wanted, NULL);
    return is_as_before(to, before, result) ? NULL : "refused levels were made";
}

/* Lookups all over what a view shows, and beside it. */
static const char *view(struct world *world)
{
    struct sch_resource *resource = next_resource(world);
    struct input *input = &world->input;
    struct sch_view_options options = {.size = sizeof options};
    options.has_target = next(input) % 2;
    options.target = (enum sch_target)(next(input) % 20);
    options.format = next_format_or_none(input, 2);
    options.first_level = next_word(input);
    options.level_count = next_word(input);
    options.first_layer = next_word(input);
    options.layer_count = next_word(input);
    options.first_element = next_word(input);
    options.element_count = next_word(input);
    struct sch_view *made;
    if (!resource || sch_view_create(resource, &options, &made) != SCH_OK) return NULL;
    uint32_t results[4];
    for (unsigned i = 0; i < 8; i++) {
        struct sch_lookup lookup = {.size = sizeof lookup};
        lookup.operation = SCH_LOOKUP_FETCH;
        for (unsigned c = 0; c < 4; c++) lookup.texel[c] = (int32_t)next_word(input);
        sch_lookup_run(made, NULL, &lookup, 1, 0, &results);
    }
    sch_view_destroy(made);
    return NULL;
}

static struct sch_storage_buffer next_range(struct world *world)
{
    struct sch_storage_buffer range = {.resource = next_resource(world)};
    range.offset = next_number(&world->input);
    range.bytes = next_number(&world->input);
    return range.resource ? range : (struct sch_storage_buffer){0};
}

/* A program that reads and writes at numbers of the input what ranges and an image show. */
static const char *dispatch(struct world *world)
{
    struct input *input = &world->input;
    const struct sch_storage_buffer read = next_range(world), buffers = next_range(world);
    const struct sch_constant_buffer constants = {
        .resource = read.resource, .offset = read.offset, .bytes = read.bytes};
    struct sch_resource *resource = next_resource(world);
    struct sch_image_options options = {.size = sizeof options};
    options.format = next_format_or_none(input, 2);
    options.level = next_word(input);
    options.first_layer = next_word(input);
    options.layer_count = next_word(input);
    options.first_element = next_word(input);
    options.element_count = next_word(input);
    uint32_t inputs[2][4];
    for (unsigned i = 0; i < 8; i++) inputs[i / 4][i % 4] = next_word(input);
    struct sch_image *image = NULL;
    if (resource) sch_image_create(resource, &options, &image);
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .images = &image,
                                          .image_count = 1,
                                          .constants = &constants,
                                          .constant_count = 1,
                                          .buffers = &buffers,
                                          .buffer_count = 1};
    const struct sch_invocations work = {
        .size = sizeof work, .count = 1, .inputs = inputs[0], .input_bytes = sizeof inputs, .input_registers = 2};
    const enum sch_result result = sch_dispatch(world->program, &bindings, &work, NULL, NULL);
    sch_image_destroy(image);
    return result == SCH_OK || result == SCH_ERROR_ARGUMENT ? NULL : "a dispatch ends in another way";
}

static const char *call(struct world *world)
{
    static const char *(*const calls[])(struct world *) = {transfer, copy, clear, blit, mips, view, dispatch};
    const uint8_t which = next(&world->input);
    if (which >= 250) return video(world);
    if (which % 4) return calls[which / 4 % (sizeof calls / sizeof *calls)](world);
    make(world);
    return NULL;
}

static bool begin(struct world *world)
{
    static const char text[] =
        "VERT\nDCL IN[0..1]\nDCL CONST[0][0..4095]\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, WR\nDCL TEMP[0]\n"
        "DCL ADDR[0]\n  0: UARL ADDR[0].x, IN[0].xxxx\n  1: LOAD TEMP[0], BUFFER[0], IN[0].yyyy\n"
        "  2: STORE BUFFER[0], IN[0].zzzz, CONST[ADDR[0].x]\n"
        "  3: STORE IMAGE[0], IN[1], TEMP[0], 2D\n  4: END\n";
    struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 22, .context_memory = 1 << 24};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_shader *shader = NULL;
    if (sch_context_create(&options, &world->context) != SCH_OK) return false;
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_TGSI};
    const struct sch_program_options interpreted = {.size = sizeof interpreted, .engine = SCH_ENGINE_INTERPRETER};
    if (sch_shader_read(world->context, text, sizeof text - 1, &read, NULL, &shader) != SCH_OK) return false;
    const bool made = sch_program_create(world->context, shader, &interpreted, NULL, &world->program) == SCH_OK;
    sch_shader_destroy(shader);
    return made;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct world world = {.input = {data, data + bytes}};
    const char *finding = begin(&world) ? NULL : "the world does not begin";
    for (unsigned i = 0; i < CALLS && !finding && world.input.at < world.input.end; i++) finding = call(&world);
    for (unsigned i = 0; i < RESOURCES; i++) sch_resource_destroy(world.resource[i]);
    sch_program_destroy(world.program);
    sch_context_destroy(world.context);
    return finding;
}

SCH_FUZZ_TARGET
