/* Surface instructions on random surfaces of every layout of memory: formatted ones, and those on raw data whose x
 * counts texels, against a lane at a time: coordinates by docs/maxwell.md, places by a walk through memory, texels by
 * the reference of formats. What instructions on bytes do is tested by kernels (tests/cli/launching.py). */
#include "maxwell_header_support.h"

#include <scheelite/scheelite.h>

#include "../support/by_code.h"
#include "../support/texel_reference.h"
#include "maxwell_group.h"
#include "maxwell_walk.h"

enum { LANES = GROUP_LANES, BYTES = 1 << 18, BASE = 0x100000, HEADERS = 3, OPERATIONS = 6, ROUNDS = 250 };
enum { MOST_X = 40 * 16, MOST_Y = 24, MOST_Z = 4 };
enum { COORDINATES = 0, HANDLE = 4, DATA = 8, RESULTS = 16, END = 16 + 4 * OPERATIONS };

/* ---- formats ---- */

static const struct format {
    const char *name;
    uint8_t components, type[4];
    char rgba[5]; /* where the format has the layout's R, G, B and A */
} formats[] = {{"R8_UNORM", 0x1d, {2}, "x001"},
               {"R8_SNORM", 0x1d, {1}, "x001"},
               {"R8_UINT", 0x1d, {4}, "x001"},
               {"R8_SINT", 0x1d, {3}, "x001"},
               {"R8G8_UNORM", 0x18, {2, 2}, "xy01"},
               {"R8G8_SINT", 0x18, {3, 3}, "xy01"},
               {"R8G8B8A8_UNORM", 0x08, {2, 2, 2, 2}, "xyzw"},
               {"R8G8B8A8_SNORM", 0x08, {1, 1, 1, 1}, "xyzw"},
               {"R8G8B8A8_UINT", 0x08, {4, 4, 4, 4}, "xyzw"},
               {"R8G8B8X8_SNORM", 0x07, {1, 1, 1}, "xyz1"},
               {"R16_UNORM", 0x1b, {2}, "x001"},
               {"R16_FLOAT", 0x1b, {7}, "x001"},
               {"R16G16_SINT", 0x0c, {3, 3}, "xy01"},
               {"R16G16_FLOAT", 0x0c, {7, 7}, "xy01"},
               {"R16G16B16A16_FLOAT", 0x03, {7, 7, 7, 7}, "xyzw"},
               {"R16G16B16A16_SNORM", 0x03, {1, 1, 1, 1}, "xyzw"},
               {"R32_UINT", 0x0f, {4}, "x001"},
               {"R32_SINT", 0x0f, {3}, "x001"},
               {"R32_FLOAT", 0x0f, {7}, "x001"},
               {"R32G32_UINT", 0x04, {4, 4}, "xy01"},
               {"R32G32B32A32_FLOAT", 0x01, {7, 7, 7, 7}, "xyzw"},
               {"R32G32B32A32_SINT", 0x01, {3, 3, 3, 3}, "xyzw"},
               {"R10G10B10A2_UNORM", 0x09, {2, 2, 2, 2}, "xyzw"},
               {"R10G10B10A2_UINT", 0x09, {4, 4, 4, 4}, "xyzw"},
               {"R5G6B5_UNORM", 0x15, {2, 2, 2}, "xyz1"},
               {"R5G5B5A1_UNORM", 0x14, {2, 2, 2, 2}, "xyzw"},
               {"A1B5G5R5_UNORM", 0x13, {2, 2, 2, 2}, "wzyx"},
               {"R4G4B4A4_UNORM", 0x12, {2, 2, 2, 2}, "xyzw"},
               {"R4A4_UNORM", 0x1e, {2, 2}, "xw01"},
               {"R11G11B10_FLOAT", 0x21, {7, 7, 7}, "xyz1"},
               {"R9G9B9E5_FLOAT", 0x20, {7, 7, 7}, "xyz1"}};
enum { FIRST_WORD = 16, WORDS = 3 }; /* formats of one number of 32 bits */

static const struct ref_row *row_of_format(const char *name)
{
    const struct ref_row *rows;
    const unsigned count = ref_rows(&rows);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    fail_msg("there is no format %s", name);
    return NULL;
}

/* ---- surfaces ---- */

struct image {
    const struct format *format;
    const struct ref_row *row;
    unsigned version, type, axes;
    bool layered;
    uint32_t side[3], layers; /* texels; slices */
    uint32_t pitch;           /* of PITCH */
    uint32_t begin;           /* a byte of memory */
    uint32_t at[MOST_Z][MOST_Y][MOST_X];
};

struct place_user {
    struct image *image;
    uint32_t layer;
};

static void keep_place(void *user, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint64_t at)
{
    const struct place_user *to = user;
    assert_int_equal(level, 0);
    const uint32_t slice = to->image->layered ? to->layer : z;
    if (x < MOST_X && y < MOST_Y && slice < MOST_Z && (!to->image->layered || z == 0))
        to->image->at[slice][y][x] = (uint32_t)at;
}

/* A surface in the part of memory that begins at a byte, and its header. */
static void make_image(struct image *image, uint32_t begin, bool number, uint32_t header[8])
{
    static const struct {
        unsigned version, type, axes;
        bool layered;
    } kinds[] = {{BLOCK, TWO_D, 2, false},    {BLOCK, ONE_D, 1, false},   {BLOCK, TWO_ARRAY, 2, true},
                 {BLOCK, ONE_ARRAY, 1, true}, {BLOCK, THREE_D, 3, false}, {PITCH, TWO_D, 2, false},
                 {BUFFER, BUFFERS, 1, false}};
    const unsigned k = below(COUNT(kinds));
    const uint32_t depth = kinds[k].axes == 3 || kinds[k].layered ? 1 + below(MOST_Z) : 1;
    memset(image, 0, sizeof *image);
    image->format = &formats[number ? FIRST_WORD + below(WORDS) : below(COUNT(formats))];
    image->row = row_of_format(image->format->name);
    image->version = kinds[k].version;
    image->type = kinds[k].type;
    image->axes = kinds[k].axes;
    image->layered = kinds[k].layered;
    image->begin = begin;
    image->side[0] = 1 + below(40);
    image->side[1] = image->axes > 1 ? 1 + below(MOST_Y) : 1;
    image->side[2] = image->axes > 2 ? depth : 1;
    image->layers = image->layered ? depth : 1;
    image->pitch = (image->side[0] * image->row->bytes + 31) / 32 * 32 + 32;
    plain_header(header, image->version, image->type, BASE + begin);
    put(header, 6, 0, image->format->components);
    for (unsigned i = 0; i < 4; i++) put(header, 9 + 3 * i, 7 + 3 * i, image->format->type[i]);
    put(header, 21, 19, 3 + below(3)); /* the sources of lookups, which surfaces do not look at */
    if (image->version == BUFFER) {
        put(header, 143, 128, image->side[0] - 1);
    } else {
        put_size(header, image->side[0], image->side[1], depth);
    }
    if (image->version == PITCH) put(header, 111, 96, image->pitch / 32);
    struct surface s = {.width = image->side[0],
                        .height = image->side[1],
                        .depth = image->side[2],
                        .texel = image->row->bytes,
                        .layers = image->layers,
                        .levels = 1,
                        .side_x = 1,
                        .side_y = 1};
    if (image->version == BLOCK) {
        s.bh = below(3);
        s.bd = image->axes > 2 ? below(3) : 0;
        put(header, 101, 99, s.bh);
        put(header, 104, 102, s.bd);
        uint64_t bytes = begin;
        for (uint32_t layer = 0; layer < image->layers; layer++) {
            struct place_user user = {image, layer};
            bytes = walk_layer(&s, bytes, keep_place, &user);
        }
        assert_true(bytes <= begin + BYTES / HEADERS);
        return;
    }
    for (uint32_t y = 0; y < image->side[1]; y++)
        for (uint32_t x = 0; x < image->side[0] * image->row->bytes; x++)
            image->at[0][y][x] = begin + y * (image->version == PITCH ? image->pitch : 0) + x;
}

/* ---- instructions ---- */

enum kind { LOAD, STORE, UPDATE, REDUCE, SWAP, LOAD_RAW, STORE_RAW, REDUCE_SIGNLESS, SWAP_RAW, KINDS };
enum { IGNORE, NEAREST };

struct operation {
    enum kind kind;
    unsigned dimensions; /* table SUDIM */
    unsigned clamp, mask, update;
    bool by_register; /* the handle */
    unsigned header, result;
};

static const char *const updates[] = {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH"};
static const struct {
    const char *name;
    unsigned axes;
    bool layered;
} dimensions[] = {{".1D", 1, false}, {".1D_BUFFER", 1, false}, {".1D_ARRAY", 1, true},
                  {".2D", 2, false}, {".2D_ARRAY", 2, true},   {".3D", 3, false}};

static bool is_update(enum kind kind)
{
    return kind == UPDATE || kind == REDUCE || kind == SWAP || kind == REDUCE_SIGNLESS || kind == SWAP_RAW;
}

static void make_operation(struct operation *o, unsigned number, const struct image images[HEADERS])
{
    o->kind = (enum kind)below(KINDS);
    o->dimensions = below(COUNT(dimensions));
    o->clamp = below(2);
    o->mask = 1 + below(15);
    o->by_register = below(3) == 0;
    /* Headers 0 and 1 have formats of one number; updates are of these. */
    o->header = is_update(o->kind) || o->kind == LOAD_RAW || o->kind == STORE_RAW ? below(2) : below(HEADERS);
    o->result = RESULTS + 4 * number;
    const bool floats =
        strcmp(images[0].format->name, "R32_FLOAT") == 0 || strcmp(images[1].format->name, "R32_FLOAT") == 0;
    o->update = o->kind == REDUCE || o->kind == REDUCE_SIGNLESS ? below(8) : below(9);
    if (floats && o->kind != REDUCE_SIGNLESS) o->update = o->kind == REDUCE || below(2) ? 0 : 8;
}

/* The text of an operation, with its result register in the instruction's own four. */
static int print_operation(const struct operation *o, char *text, size_t bytes)
{
    static const char *const masks[] = {"",   ".R",  ".G",  ".RG",  ".B",  ".RB",  ".GB",  ".RGB",
                                        ".A", ".RA", ".GA", ".RGA", ".BA", ".RBA", ".GBA", ""};
    const char *d = dimensions[o->dimensions].name, *clamp = o->clamp == IGNORE ? ".IGN" : "", *m = masks[o->mask];
    char handle[8];
    snprintf(handle, sizeof handle, o->by_register ? "R%u" : "0x%x", o->by_register ? HANDLE : o->header);
    switch (o->kind) {
    case LOAD:
        return snprintf(text, bytes, "SULD.P%s%s%s R%u, [R0], %s;\n", d, m, clamp, o->result, handle);
    case STORE:
        return snprintf(text, bytes, "SUST.P%s%s%s [R0], R%u, %s;\n", d, m, clamp, DATA, handle);
    case UPDATE:
        return snprintf(text, bytes, "SUATOM.P%s%s%s R%u, [R0], R%u, %s;\n", d, updates[o->update], clamp, o->result,
                        DATA, handle);
    case REDUCE:
        return snprintf(text, bytes, "SURED.P%s%s%s [R0], R%u, %s;\n", d, updates[o->update], clamp, DATA, handle);
    case SWAP:
        return snprintf(text, bytes, "SUATOM.P%s.CAS%s R%u, [R0], R%u, %s;\n", d, clamp, o->result, DATA, handle);
    case LOAD_RAW:
        return snprintf(text, bytes, "SULD.D%s%s R%u, [R0], %s;\n", d, clamp, o->result, handle);
    case STORE_RAW:
        return snprintf(text, bytes, "SUST.D%s%s [R0], R%u, %s;\n", d, clamp, DATA, handle);
    case REDUCE_SIGNLESS:
        return snprintf(text, bytes, "SURED.D%s%s.SD32%s [R0], R%u, %s;\n", d, updates[o->update], clamp, DATA, handle);
    default:
        return snprintf(text, bytes, "SUATOM.D%s.CAS%s R%u, [R0], R%u, %s;\n", d, clamp, o->result, DATA, handle);
    }
}

/* ---- a lane at a time ---- */

static int64_t limited(unsigned clamp, int64_t at, int64_t size)
{
    if (at >= 0 && at < size) return at;
    if (clamp == IGNORE) return -1;
    return at < 0 ? 0 : size - 1;
}

/* The texel's first byte, or NULL. */
static uint8_t *find_texel(const struct operation *o, const struct image *image, const struct maxwell_group *group,
                           unsigned lane, uint8_t *memory)
{
    const unsigned axes = dimensions[o->dimensions].axes;
    const bool layered = dimensions[o->dimensions].layered;
    int64_t at[3] = {0, 0, 0}, layer = 0;
    for (unsigned a = 0; a < axes; a++)
        at[a] = limited(o->clamp, (int32_t)group->registers[COORDINATES + a][lane], image->side[a]);
    if (layered) layer = limited(o->clamp, group->registers[COORDINATES + axes][lane] & 0xffff, image->layers);
    if (at[0] < 0 || at[1] < 0 || at[2] < 0 || layer < 0) return NULL;
    return memory + image->at[image->layered ? layer : at[2]][at[1]][(size_t)at[0] * image->row->bytes];
}

static float float_of(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f > -0x1p-126f && f < 0x1p-126f ? (word >> 31 ? -0.0f : 0.0f) : f;
}

static uint32_t updated(const char *format, unsigned update, uint32_t old, uint32_t value)
{
    const bool is_signed = strcmp(format, "R32_UINT") != 0;
    const bool less = is_signed ? (int32_t)value < (int32_t)old : value < old;
    switch (update) {
    case 0:
        if (strcmp(format, "R32_FLOAT") == 0) {
            const float sum = float_of(old) + float_of(value);
            uint32_t word;
            memcpy(&word, &sum, sizeof word);
            if (sum != sum) return 0x7fffffff;
            return (word & 0x7f800000) ? word : word & 0x80000000;
        }
        return old + value;
    case 1:
        return less ? value : old;
    case 2:
        return less ? old : value;
    case 3:
        return old >= value ? 0 : old + 1;
    case 4:
        return old == 0 || old > value ? value : old - 1;
    case 5:
        return old & value;
    case 6:
        return old | value;
    case 7:
        return old ^ value;
    default:
        return value;
    }
}

static unsigned letter(const struct format *format, unsigned channel)
{
    return (unsigned)(strchr("xyzw01", format->rgba[channel]) - "xyzw01");
}

static void load_texel(const struct operation *o, const struct image *image, const uint8_t *texel,
                       const struct maxwell_group *in, struct maxwell_group *out, unsigned lane)
{
    uint32_t value[4] = {0};
    unsigned word = 0;
    (void)in;
    if (texel) ref_components(image->row, texel, 0, value);
    for (unsigned c = 0; c < 4; c++) {
        if (!(o->mask >> c & 1)) continue;
        const unsigned from = letter(image->format, c);
        const uint32_t one = ref_is_integer(image->row) ? 1 : 0x3f800000;
        out->registers[o->result + word++][lane] = !texel ? 0 : from < 4 ? value[from] : from == 5 ? one : 0;
    }
}

/* `old`: what was there before the instruction, whatever lower lanes have written. */
static void store_texel(const struct operation *o, const struct image *image, uint8_t *texel, const uint8_t *old,
                        const struct maxwell_group *in, unsigned lane)
{
    uint32_t value[4] = {0};
    unsigned word = 0, components = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(o->mask >> c & 1)) continue;
        const unsigned to = letter(image->format, c);
        const uint32_t given = in->registers[DATA + word++][lane];
        if (to < 4) value[to] = given;
        if (to < 4) components |= 1u << to;
    }
    if (!texel) return;
    memcpy(texel, old, image->row->bytes);
    if (components) ref_write(image->row, components, value, texel);
}

static void execute(const struct operation *o, const struct image images[HEADERS], struct maxwell_group *group,
                    uint8_t *memory)
{
    static uint8_t old_memory[BYTES];
    const struct maxwell_group in = *group;
    memcpy(old_memory, memory, BYTES);
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct image *image = &images[o->by_register ? in.registers[HANDLE][lane] : o->header];
        uint8_t *texel = find_texel(o, image, &in, lane, memory);
        const uint32_t given = in.registers[DATA][lane], next = in.registers[DATA + 1][lane];
        uint32_t old = 0;
        if (texel && o->kind >= UPDATE) memcpy(&old, texel, sizeof old);
        uint32_t made = old;
        switch (o->kind) {
        case LOAD:
            load_texel(o, image, texel, &in, group, lane);
            continue;
        case STORE:
            store_texel(o, image, texel, texel ? old_memory + (texel - memory) : NULL, &in, lane);
            continue;
        case LOAD_RAW:
            break;
        case STORE_RAW:
            made = given;
            break;
        case SWAP:
        case SWAP_RAW:
            made = old == given ? next : old;
            break;
        case REDUCE_SIGNLESS: /* floats are numbers with a sign there */
            made = updated(strcmp(image->format->name, "R32_FLOAT") ? image->format->name : "R32_SINT", o->update, old,
                           given);
            break;
        default:
            made = updated(image->format->name, o->update, old, given);
            break;
        }
        if (texel && o->kind != LOAD_RAW) memcpy(texel, &made, sizeof made);
        const bool returns = o->kind != STORE_RAW && o->kind != REDUCE && o->kind != REDUCE_SIGNLESS;
        if (returns) group->registers[o->result][lane] = old;
    }
}

/* ---- the comparison ---- */

static void fill(struct maxwell_group *group, bool by_register_of_all)
{
    memset(group, 0, sizeof *group);
    group->active = UINT32_MAX;
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned r = 0; r < END; r++) {
            const float f = (float)(int32_t)random_word() * 0x1p-30f;
            group->registers[r][i] = random_word();
            if (below(2)) memcpy(&group->registers[r][i], &f, sizeof f);
            if (below(8) == 0) group->registers[r][i] = below(3);
        }
        for (unsigned c = 0; c < 3; c++) group->registers[COORDINATES + c][i] = below(28) - 2;
        if (below(8) == 0) group->registers[COORDINATES][i] = random_word();
        if (below(4) == 0) group->registers[COORDINATES + 1][i] = group->registers[COORDINATES + 2][i] = 0;
        group->registers[HANDLE][i] = below(by_register_of_all ? HEADERS : 2);
    }
}

static struct sch_context *context;
static uint8_t before[BYTES], expected[BYTES], memory[BYTES];
static struct image images[HEADERS];

static void compare(const struct maxwell_group *wanted, const struct maxwell_group *got, const char *text)
{
    for (unsigned r = 0; r < END; r++)
        for (unsigned i = 0; i < LANES; i++)
            if (wanted->registers[r][i] != got->registers[r][i])
                fail_msg("R%u of lane %u is 0x%08x, not 0x%08x after\n%sof %s, %s and %s", r, i, got->registers[r][i],
                         wanted->registers[r][i], text, images[0].format->name, images[1].format->name,
                         images[2].format->name);
    for (size_t i = 0; i < BYTES; i++)
        if (expected[i] != memory[i])
            fail_msg("byte 0x%zx is %02x, not %02x after\n%sof %s, %s and %s", i, memory[i], expected[i], text,
                     images[0].format->name, images[1].format->name, images[2].format->name);
}

static void random_surfaces(void **state)
{
    (void)state;
    static const unsigned widths[] = {4, 8, 16};
    static const uint32_t constants[HEADERS] = {0, 1, 2};
    static uint32_t headers[HEADERS][8];
    static struct maxwell_group start, wanted, group;
    const unsigned rounds = by_code_share(ROUNDS, 10);
    for (unsigned round = 0; round < rounds; round++) {
        char text[OPERATIONS * 80];
        size_t used = 0;
        struct operation operations[OPERATIONS];
        for (unsigned h = 0; h < HEADERS; h++)
            make_image(&images[h], BYTES / HEADERS / 512 * 512 * h, h < 2, headers[h]);
        for (size_t i = 0; i < BYTES; i++) before[i] = (uint8_t)random_word();
        bool all = true;
        for (unsigned n = 0; n < OPERATIONS; n++) {
            make_operation(&operations[n], n, images);
            all = all && (operations[n].kind == LOAD || operations[n].kind == STORE);
            used += (size_t)print_operation(&operations[n], text + used, sizeof text - used);
        }
        fill(&start, all);
        wanted = start;
        memcpy(expected, before, BYTES);
        for (unsigned n = 0; n < OPERATIONS; n++) execute(&operations[n], images, &wanted, expected);
        struct sch_shader *shader;
        struct sch_diagnostics_list *list;
        struct sch_diagnostic_info info = {.size = sizeof info};
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        enum sch_result result = maxwell_read(context, text, used, NULL, list, &shader);
        if (result != SCH_OK && sch_diagnostics_get(list, 0, &info)) fail_msg("%s\n%s", info.message, text);
        for (unsigned w = 0; w < COUNT(widths); w++) {
            const struct sch_maxwell_range range = {BASE, memory, BYTES, true};
            const struct maxwell_environment environment = {.machine = {.size = sizeof environment.machine,
                                                                        .headers = headers,
                                                                        .header_bytes = sizeof headers,
                                                                        .ranges = &range,
                                                                        .range_count = 1},
                                                            .constants = constants,
                                                            .constant_count = HEADERS,
                                                            .width = widths[w],
                                                            .threads = 1};
            group = start;
            memcpy(memory, before, BYTES);
            result = maxwell_run(context, shader, &environment, &group, list);
            if (result != SCH_OK && sch_diagnostics_get(list, 0, &info)) fail_msg("%s\n%s", info.message, text);
            assert_int_equal(result, SCH_OK);
            compare(&wanted, &group, text);
        }
        sch_diagnostics_destroy(list);
        sch_shader_destroy(shader);
    }
}

/* What is refused, where it is met, and by which words. */
static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        unsigned components, type;
    } rows[] = {{"SULD.P.2D R4, [R0], 0x0;", "header 0 has no texels of 1, 2, 4, 8 or 16 bytes each", 0x24, 2},
                {"SULD.P.2D R4, [R0], 0x0;", "header 0 has no texels of 1, 2, 4, 8 or 16 bytes each", 0x02, 7},
                {"SULD.P.2D R4, [R0], 0x0;", "header 0 has depth, or stencil", 0x2f, 7},
                {"SURED.P.2D.ADD [R0], R4, 0x0;", "header 0 has no texels of one number of 32 bits", 0x08, 4},
                {"SURED.P.2D.ADD [R0], R4, 0x0;", "texels of header 0 are fractions", 0x0f, 2},
                {"SURED.P.2D.MIN [R0], R4, 0x0;", "header 0 has floats, which are only added and exchanged", 0x0f, 7},
                {"SUATOM.D.BA.2D.MIN.F32.FTZ.RN R8, [R0], R4, 0x0;",
                 "SUATOM is not executed: floats are only added and exchanged", 0x0f, 7}};
    for (unsigned i = 0; i < COUNT(rows); i++) {
        static struct maxwell_group group;
        static const uint32_t constants[1] = {0};
        uint32_t header[8];
        plain_header(header, BLOCK, TWO_D, BASE);
        put(header, 6, 0, rows[i].components);
        for (unsigned c = 0; c < 4; c++) put(header, 9 + 3 * c, 7 + 3 * c, rows[i].type);
        put_size(header, 8, 8, 1);
        const struct sch_maxwell_range range = {BASE, memory, BYTES, true};
        const struct maxwell_environment environment = {.machine = {.size = sizeof environment.machine,
                                                                    .headers = header,
                                                                    .header_bytes = sizeof header,
                                                                    .ranges = &range,
                                                                    .range_count = 1},
                                                        .constants = constants,
                                                        .constant_count = 1,
                                                        .threads = 1};
        struct sch_shader *shader;
        struct sch_diagnostics_list *list;
        struct sch_diagnostic_info info = {.size = sizeof info};
        memset(&group, 0, sizeof group);
        group.active = 2;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        assert_int_equal(maxwell_read(context, rows[i].text, strlen(rows[i].text), NULL, NULL, &shader), SCH_OK);
        assert_int_equal(maxwell_run(context, shader, &environment, &group, list), SCH_ERROR_UNSUPPORTED);
        assert_true(sch_diagnostics_get(list, 0, &info));
        assert_non_null(strstr(info.message, rows[i].message));
        assert_int_equal(info.line, 1);
        sch_diagnostics_destroy(list);
        sch_shader_destroy(shader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_surfaces), cmocka_unit_test(refusals)};
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sch_context_destroy(context);
    return failed;
}
