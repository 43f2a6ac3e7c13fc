/* Vertex fetch against the formats' reference: every format that vertices have, at every place of a buffer and around
 * its ends, at all levels; how elements, instances, buffers and registers go together; elements that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "../support/format_reference.h"
#include "../support/random_number.h"
#include "base/allocator.h"
#include "isa/isa.h"
#include "pipeline/fetch.h"

__extension__ typedef unsigned __int128 wide;

enum { FLOAT_ONE = 0x3f800000 };

/* ---- the reference ---- */

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool has_64_bits(const struct ref_row *row)
{
    return row->wide || (row->number && is(row->layout, "PLAIN") && row->channel[0].bits == 64);
}

/* Colours in plain formats, 11 and 10 bits of float, and components of 64 bits. */
static bool vertices_have(const struct ref_row *row)
{
    if (has_64_bits(row)) return true;
    return row->read && !is(row->space, "SRGB") && !is(row->space, "ZS") &&
           (is(row->layout, "PLAIN") || is(row->name, "R11G11B10_FLOAT"));
}

static bool is_long(const struct ref_row *row) { return has_64_bits(row) && !strstr(row->name, "FLOAT"); }

static bool is_integer(const struct ref_row *row)
{
    for (unsigned i = 0; i < row->channels; i++)
        if (row->channel[i].type[0] != 'x') return row->channel[i].type[1] == 'p';
    return false;
}

/* A double to the nearest float, ties to even, by its bits. */
static uint32_t rounded(uint64_t bits)
{
    const uint32_t sign = (uint32_t)(bits >> 63) << 31;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & UINT64_C(0xfffffffffffff);
    if (exponent == 0x7ff) return mantissa ? 0x7fc00000u : sign | 0x7f800000u;
    if (exponent) mantissa |= UINT64_C(1) << 52;
    int scale = (exponent ? exponent : 1) - 1023 - 23; /* of a last place of 24 bits */
    int drop = 29;
    if (scale < -149) drop += -149 - scale, scale = -149;
    if (drop > 60) return sign;
    uint64_t whole = mantissa >> drop, rest = mantissa & ((UINT64_C(1) << drop) - 1), half = UINT64_C(1) << (drop - 1);
    if (rest > half || (rest == half && whole & 1)) whole++;
    if (whole >> 24) whole >>= 1, scale++;
    if (!(whole >> 23)) return sign | (uint32_t)whole;
    const int biased = scale + 23 + 127;
    return sign | (biased >= 255 ? 0x7f800000u : (uint32_t)biased << 23 | ((uint32_t)whole & 0x7fffffu));
}

static uint64_t word_64(const uint8_t *from)
{
    return ref_bits_at(from, 0, 32) | (uint64_t)ref_bits_at(from, 32, 32) << 32;
}

/* The eight words of an attribute of 64-bit components. */
static void decode_64(const struct ref_row *row, const uint8_t *element, uint32_t value[8])
{
    memset(value, 0, 8 * sizeof *value);
    value[is_long(row) ? 6 : 3] = is_long(row) ? 1 : FLOAT_ONE;
    for (unsigned c = 0; c < row->bytes / 8; c++) {
        const uint64_t word = word_64(element + (size_t)8 * c);
        if (is_long(row)) {
            value[2 * c] = (uint32_t)word;
            value[2 * c + 1] = (uint32_t)(word >> 32);
        } else {
            value[c] = rounded(word);
        }
    }
}

/* What a vertex reads: 0 in the components that the format has where the element is not wholly inside. */
static void expect(const struct ref_row *row, const uint8_t *data, uint64_t bytes, uint32_t offset, uint32_t stride,
                   uint32_t number, uint32_t value[8])
{
    static const uint8_t nothing[32];
    const wide at = (wide)stride * number + offset;
    const uint8_t *element = at + row->bytes <= bytes ? data + (size_t)at : nothing;
    if (has_64_bits(row)) {
        decode_64(row, element, value);
        return;
    }
    if (element != nothing) {
        ref_texel_decode(row, SCH_RULES_TGSI, element, 0, value);
        return;
    }
    for (unsigned c = 0; c < 4; c++) value[c] = row->swizzle[c] != '1' ? 0 : is_integer(row) ? 1 : FLOAT_ONE;
}

/* ---- fetching ---- */

static void require_ok(struct sch_fetcher *fetcher, const struct sch_vertex_element *elements, uint32_t count)
{
    assert_int_equal(sch_fetcher_init(fetcher, elements, count, NULL), SCH_OK);
}

static const uint32_t both_registers[2] = {0, 1};

/* One element for IN[0], of 64-bit integers for IN[1] too, at every level. */
static void check(const struct ref_row *row, const uint8_t *data, uint64_t bytes, uint32_t offset, uint32_t stride,
                  const struct sch_lanes *numbers, uint32_t lanes)
{
    const struct sch_vertex_element element = {
        .format = row->number, .buffer = 1, .offset = offset, .stride = stride, .two_registers = is_long(row)};
    const struct sch_draw_memory buffers[2] = {{NULL, 0}, {data, bytes}};
    const struct sch_prepared program = {.inputs = both_registers, .input_count = is_long(row) ? 2 : 1};
    const struct sch_lanes instances = {{0}};
    struct sch_lanes inputs[8];
    struct sch_fetcher fetcher;
    struct sch_fetch fetch;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    require_ok(&fetcher, &element, 1);
    sch_fetch_begin(&fetch, &fetcher, buffers, 2, 0);
    for (unsigned l = 0; l < count; l++) {
        memset(inputs, 0xa5, sizeof inputs);
        sch_fetch_vertices(levels[l], &fetch, &program, numbers, &instances, lanes, inputs);
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            uint32_t value[8];
            if (!(lanes >> lane & 1)) continue;
            expect(row, data, bytes, offset, stride, numbers->u[lane], value);
            for (unsigned c = 0; c < (is_long(row) ? 8 : 4); c++)
                if (inputs[c].u[lane] != value[c])
                    fail_msg("%s %s: number %u of %llu bytes, offset %u stride %u, word %u: %08x, not %08x",
                             levels[l]->name, row->name, numbers->u[lane], (unsigned long long)bytes, offset, stride, c,
                             inputs[c].u[lane], value[c]);
        }
    }
}

static void fill(uint64_t *seed, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t r = random_number(seed);
        bytes[i] = r >> 8 & 7 ? (uint8_t)r : r >> 16 & 1 ? 0xff : 0;
    }
}

/* Exactly so many bytes at an address that is `odd` behind an aligned one, for the sanitizer. */
static uint8_t *exact_bytes(uint64_t *seed, size_t bytes, unsigned odd, uint8_t **memory)
{
    *memory = malloc(bytes + odd + !(bytes + odd));
    fill(seed, *memory + odd, bytes);
    return *memory + odd;
}

/* ---- tests ---- */

static void every_format(void **state)
{
    (void)state;
    static const uint32_t strides[] = {0, 1, 2, 3, 4, 7, 8, 12, 16, 20, 32, 37, 64};
    const struct ref_row *rows;
    const unsigned count = ref_rows(&rows);
    unsigned formats = 0;
    uint64_t seed = 3;
    for (unsigned n = 0; n < count; n++) {
        if (!vertices_have(&rows[n])) continue;
        formats++;
        for (unsigned round = 0; round < 40; round++) {
            const uint32_t stride = strides[random_number(&seed) % 13], offset = (uint32_t)(random_number(&seed) % 40);
            const uint32_t elements = (uint32_t)(random_number(&seed) % 80);
            const size_t bytes = offset + (size_t)stride * elements + random_number(&seed) % 40;
            uint8_t *memory, *data = exact_bytes(&seed, bytes, (unsigned)(random_number(&seed) % 4), &memory);
            const uint64_t spread = round % 3 ? elements + elements / 4 + 1 : (uint64_t)UINT32_MAX + 1;
            struct sch_lanes numbers;
            for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
                numbers.u[i] = (uint32_t)(random_number(&seed) % (round % 5 ? spread : elements / 2 + 1));
            check(&rows[n], data, bytes, offset, stride, &numbers,
                  round % 4 ? UINT32_MAX : (uint32_t)random_number(&seed));
            free(memory);
        }
    }
    assert_true(formats > 200);
}

/* A buffer that ends at each byte of its last elements, and numbers in a row. */
static void every_end(void **state)
{
    (void)state;
    const struct ref_row *rows;
    const unsigned count = ref_rows(&rows);
    uint64_t seed = 4;
    struct sch_lanes numbers;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) numbers.u[i] = i;
    for (unsigned n = 0; n < count; n++) {
        if (!vertices_have(&rows[n])) continue;
        const uint32_t size = rows[n].bytes, strides[2] = {size, size + 5};
        for (unsigned s = 0; s < 2; s++)
            for (size_t bytes = 0; bytes < 3u + 2u * strides[s] + size; bytes++) {
                uint8_t *memory, *data = exact_bytes(&seed, bytes, 0, &memory);
                check(&rows[n], data, bytes, 3, strides[s], &numbers, UINT32_MAX);
                free(memory);
            }
        for (size_t bytes = 29u * size; bytes < 33u * size; bytes++) {
            uint8_t *memory, *data = exact_bytes(&seed, bytes, 0, &memory);
            check(&rows[n], data, bytes, 0, size, &numbers, UINT32_MAX);
            free(memory);
        }
    }
}

static const struct ref_row *row_of(unsigned format)
{
    const struct ref_row *rows;
    const unsigned count = ref_rows(&rows);
    for (unsigned n = 0; n < count; n++)
        if (rows[n].number == format) return &rows[n];
    fail();
    return rows;
}

/* Beyond 2 and 4 GiB; and products of numbers and strides that would come back into the buffer modulo 2^32. */
static void far_elements(void **state)
{
    (void)state;
    static const unsigned formats[] = {SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_R8G8B8_UNORM,
                                       SCH_FORMAT_R64G64_FLOAT,       SCH_FORMAT_R16G16B16_SNORM,
                                       SCH_FORMAT_R64G64B64_UINT,     SCH_FORMAT_R32_UINT};
    static const uint32_t strides[] = {0x40000000, 0x7ffffff1, 0x80000000, 0x55555555, 16, 0x10000};
    const size_t bytes = ((size_t)5 << 30) + 11;
    uint8_t *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) skip();
    uint64_t seed = 5;
    for (unsigned s = 0; s < sizeof strides / sizeof *strides; s++) {
        const uint32_t stride = strides[s], numbers_inside = (uint32_t)(bytes / stride);
        struct sch_lanes numbers;
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            static const uint32_t wrapping[] = {0, 1, 2, 3, 4, 5, 0x40000000, 0x80000000, 0x80000001, UINT32_MAX};
            numbers.u[i] = i < 10 ? wrapping[i] : (uint32_t)(random_number(&seed) % (numbers_inside + 2));
            const uint64_t at = (uint64_t)numbers.u[i] * stride + 7;
            if (at < bytes - 40) fill(&seed, data + at, 40);
        }
        for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
            check(row_of(formats[f]), data, bytes, 7, stride, &numbers, UINT32_MAX);
            check(row_of(formats[f]), data, bytes, UINT32_MAX, stride, &numbers, UINT32_MAX);
            check(row_of(formats[f]), data, bytes, UINT32_MAX, UINT32_MAX, &numbers, UINT32_MAX);
            check(row_of(formats[f]), data, ((size_t)2 << 30) + s, 7, stride, &numbers, UINT32_MAX);
        }
    }
    struct sch_lanes highest = {{UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2}};
    fill(&seed, data + UINT32_MAX - 8, 16);
    data[UINT32_MAX] = 9;
    for (unsigned end = 0; end < 4; end++)
        check(row_of(SCH_FORMAT_R8_UINT), data, (uint64_t)UINT32_MAX - 1 + end, 0, 1, &highest, 7);
    munmap(data, bytes);
}

/* Element start + instance / divisor (OpenGL 10.3.4, 10.4), whatever the vertex is. */
static void divisors(void **state)
{
    (void)state;
    static const uint32_t words[8] = {10, 11, 12, 13, 14, 15, 16, 17};
    static const uint32_t inputs_read[4] = {0, 1, 2, 3};
    const struct sch_vertex_element elements[4] = {
        {.format = SCH_FORMAT_R32_UINT, .stride = 4},
        {.format = SCH_FORMAT_R32_UINT, .stride = 4, .divisor = 1},
        {.format = SCH_FORMAT_R32_UINT, .stride = 4, .divisor = 3},
        {.format = SCH_FORMAT_R64_UINT, .stride = 4, .divisor = UINT32_MAX, .two_registers = false},
    };
    const struct sch_draw_memory buffer = {(const uint8_t *)words, sizeof words};
    const struct sch_prepared program = {.inputs = inputs_read, .input_count = 4};
    struct sch_fetcher fetcher;
    struct sch_fetch fetch;
    struct sch_lanes numbers, instances, inputs[16];
    require_ok(&fetcher, elements, 4);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        numbers.u[i] = i % 8;
        instances.u[i] = i < 20 ? i / 2 : 4;
    }
    for (uint32_t start = 0; start < 9; start++) {
        sch_fetch_begin(&fetch, &fetcher, &buffer, 1, start);
        sch_fetch_vertices(sch_ops_for_width(0), &fetch, &program, &numbers, &instances, UINT32_MAX, inputs);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            const uint32_t first = start + instances.u[i], third = start + instances.u[i] / 3;
            assert_int_equal(inputs[0].u[i], words[numbers.u[i]]);
            assert_int_equal(inputs[4].u[i], first < 8 ? words[first] : 0);
            assert_int_equal(inputs[8].u[i], third < 8 ? words[third] : 0);
            assert_int_equal(inputs[12].u[i], start < 7 ? words[start] : 0);
            assert_int_equal(inputs[13].u[i], start < 7 ? words[start + 1] : 0);
            assert_int_equal(inputs[7].u[i], 1);
        }
    }
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) instances.u[i] = 5; /* 2^32 - 3 + 5 is 2: numbers are of 32 bits */
    sch_fetch_begin(&fetch, &fetcher, &buffer, 1, UINT32_MAX - 2);
    sch_fetch_vertices(sch_ops_for_width(0), &fetch, &program, &numbers, &instances, UINT32_MAX, inputs);
    assert_int_equal(inputs[4].u[9], words[2]);
    sch_fetch_begin(&fetch, &fetcher, &buffer, 1, 4);
    sch_fetch_vertices(sch_ops_for_width(0), &fetch, &program, &numbers, &instances, UINT32_MAX, inputs);
    assert_int_equal(inputs[4].u[9], 0);
    assert_int_equal(inputs[8].u[0], words[5]);
}

/* The second register of an element has its divisor. */
static void divisor_of_two_registers(void **state)
{
    (void)state;
    static const uint64_t words[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const struct sch_vertex_element elements[3] = {
        {.format = SCH_FORMAT_R32_UINT, .divisor = 7},
        {.format = SCH_FORMAT_R64G64B64A64_UINT, .stride = 32, .divisor = 2, .two_registers = true},
        {.format = SCH_FORMAT_NONE, .divisor = 1},
    };
    const struct sch_draw_memory buffer = {(const uint8_t *)words, sizeof words};
    static const uint32_t inputs_read[2] = {1, 2};
    const struct sch_prepared program = {.inputs = inputs_read, .input_count = 2};
    struct sch_fetcher fetcher;
    struct sch_fetch fetch;
    struct sch_lanes numbers = {{0}}, instances, inputs[12];
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) instances.u[i] = i / 8 + 1;
    require_ok(&fetcher, elements, 3);
    sch_fetch_begin(&fetch, &fetcher, &buffer, 1, 0);
    sch_fetch_vertices(sch_ops_for_width(0), &fetch, &program, &numbers, &instances, UINT32_MAX, inputs);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const uint32_t first = instances.u[i] / 2 * 4;
        assert_int_equal(inputs[4].u[i], first);
        assert_int_equal(inputs[6].u[i], first + 1);
        assert_int_equal(inputs[8].u[i], first + 2);
        assert_int_equal(inputs[10].u[i], first + 3);
    }
}

/* Registers without an element are (0, 0, 0, 1), those of buffers that are not there (0, 0, 0, 0) (Direct3D 8.20), and
 * registers that the program does not read are left alone. */
static void registers(void **state)
{
    (void)state;
    static const uint32_t word = 7, inputs_read[] = {0, 1, 2, 4, 5, 32, 40};
    const struct sch_vertex_element elements[] = {
        {.format = SCH_FORMAT_R32_UINT},
        {.format = SCH_FORMAT_NONE},
        {.format = SCH_FORMAT_R32_FLOAT, .buffer = 2},
        {.format = SCH_FORMAT_R32_UINT},
        {.format = SCH_FORMAT_R64G64B64A64_SINT, .buffer = 1, .divisor = 2, .two_registers = true},
    };
    const struct sch_draw_memory bound = {(const uint8_t *)&word, sizeof word};
    const struct sch_draw_memory buffers[3] = {bound, {NULL, 0}, bound}; /* of which the draw has two */
    const struct sch_prepared program = {.inputs = inputs_read, .input_count = 7};
    static struct sch_lanes numbers, instances, inputs[4 * 41];
    struct sch_fetcher fetcher;
    struct sch_fetch fetch;
    require_ok(&fetcher, elements, 5);
    sch_fetch_begin(&fetch, &fetcher, buffers, 2, 0);
    memset(inputs, 0xa5, sizeof inputs);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) numbers.u[i] = i; /* a stride of 0: all read the same */
    sch_fetch_vertices(sch_ops_for_width(8), &fetch, &program, &numbers, &instances, UINT32_MAX, inputs);
    static const struct {
        unsigned input;
        uint32_t value[4];
    } expected[] = {{0, {7, 0, 0, 1}}, {1, {0, 0, 0, FLOAT_ONE}},  {2, {0, 0, 0, 0}},         {4, {0, 0, 0, 0}},
                    {5, {0, 0, 0, 0}}, {32, {0, 0, 0, FLOAT_ONE}}, {40, {0, 0, 0, FLOAT_ONE}}};
    for (unsigned n = 0; n < sizeof expected / sizeof *expected; n++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
                assert_int_equal(inputs[4 * expected[n].input + c].u[i], expected[n].value[c]);
    assert_int_equal(inputs[12].u[0], 0xa5a5a5a5);
    sch_fetch_begin(&fetch, NULL, NULL, 0, 0);
    sch_fetch_vertices(sch_ops_for_width(8), &fetch, &program, &numbers, &instances, UINT32_MAX, inputs);
    assert_int_equal(inputs[0].u[3], 0);
    assert_int_equal(inputs[3].u[3], FLOAT_ONE);
}

/* Attributes of whole words are not decoded, and only the end of a buffer is slow. */
static void usual_cases(void **state)
{
    (void)state;
    static const struct {
        unsigned format, kind, components;
        uint32_t stride;
        uint64_t bytes, count, quick;
        bool near;
    } cases[] = {
        {SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FETCH_WORDS, 4, 16, 1600, 100, 100, true},
        {SCH_FORMAT_R32G32B32_FLOAT, SCH_FETCH_WORDS, 3, 12, 1200, 100, 99, true},
        {SCH_FORMAT_R32G32_UINT, SCH_FETCH_WORDS, 2, 24, 2400 - 8, 100, 100, true},
        {SCH_FORMAT_R32G32_UINT, SCH_FETCH_WORDS, 2, 24, 2400 - 9, 100, 99, true},
        {SCH_FORMAT_R32_SINT, SCH_FETCH_WORDS, 1, 4, 400, 100, 97, true},
        {SCH_FORMAT_R32_FLOAT, SCH_FETCH_WORDS, 1, 0, 4, UINT64_MAX, 0, true},
        {SCH_FORMAT_R32_FLOAT, SCH_FETCH_WORDS, 1, 1, INT32_MAX, INT32_MAX - 3, INT32_MAX - 15, true},
        {SCH_FORMAT_R32_FLOAT, SCH_FETCH_WORDS, 1, 1, UINT32_MAX, UINT32_MAX - 3, INT32_MAX - 15, false},
        {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FETCH_TEXEL, 0, 4, 400, 100, 97, true},
        {SCH_FORMAT_R32G32B32A32_SNORM, SCH_FETCH_TEXEL, 0, 16, 160, 10, 10, true},
        {SCH_FORMAT_R32G32B32X32_FLOAT, SCH_FETCH_TEXEL, 0, 16, 160, 10, 10, true},
        {SCH_FORMAT_L32_FLOAT, SCH_FETCH_TEXEL, 0, 16, 160, 10, 10, true},
        {SCH_FORMAT_R32A32_FLOAT, SCH_FETCH_TEXEL, 0, 16, 160, 10, 10, true},
    };
    static const uint8_t memory; /* of which nothing is read */
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        const struct sch_vertex_element element = {.format = cases[n].format, .stride = cases[n].stride};
        const struct sch_draw_memory buffer = {&memory, cases[n].bytes};
        struct sch_fetcher fetcher;
        struct sch_fetch fetch;
        require_ok(&fetcher, &element, 1);
        sch_fetch_begin(&fetch, &fetcher, &buffer, 1, 0);
        assert_int_equal(fetch.sources[0].kind, cases[n].kind);
        if (cases[n].components) assert_int_equal(fetch.sources[0].components, cases[n].components);
        assert_true(fetch.sources[0].count == cases[n].count);
        assert_true(fetch.sources[0].quick == cases[n].quick);
        assert_int_equal(fetch.sources[0].near, cases[n].near);
    }
}

/* ---- what is refused ---- */

static void refused(const struct sch_vertex_element *elements, uint32_t count, enum sch_result result, const char *why)
{
    struct sch_diagnostics diagnostics;
    struct sch_fetcher fetcher;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 10);
    assert_int_equal(sch_fetcher_init(&fetcher, elements, count, &diagnostics), result);
    assert_int_equal(diagnostics.errors, 1);
    assert_int_equal(diagnostics.items[0].code, 6020);
    assert_string_equal(diagnostics.items[0].message, why);
    sch_diagnostics_release(&diagnostics);
}

static void refusals(void **state)
{
    (void)state;
    static const struct sch_vertex_element many[SCH_VERTEX_ELEMENTS + 1] = {{0}};
    struct sch_vertex_element elements[SCH_VERTEX_ELEMENTS] = {{0}};
    struct sch_fetcher fetcher;
    require_ok(&fetcher, NULL, 0);
    require_ok(&fetcher, many, SCH_VERTEX_ELEMENTS);
    refused(many, SCH_VERTEX_ELEMENTS + 1, SCH_ERROR_LIMIT,
            "vertex element 32: there are more elements than registers");

    elements[2] = (struct sch_vertex_element){.format = SCH_FORMAT_R32_FLOAT, .buffer = SCH_VERTEX_BUFFERS};
    refused(elements, 3, SCH_ERROR_ARGUMENT, "vertex element 2: there is no vertex buffer with this number");
    elements[2] = (struct sch_vertex_element){.format = SCH_FORMAT_R32_UINT, .two_registers = true};
    refused(elements, 3, SCH_ERROR_ARGUMENT, "vertex element 2: only integers of 64 bits take two registers");
    elements[2].format = SCH_FORMAT_R64G64B64A64_UINT;
    require_ok(&fetcher, elements, 3);
    require_ok(&fetcher, elements, 4);
    elements[3].format = SCH_FORMAT_R32_FLOAT;
    refused(elements, 4, SCH_ERROR_ARGUMENT, "vertex element 2: the second register is not free");
    elements[30] = elements[2];
    elements[2].format = SCH_FORMAT_NONE;
    require_ok(&fetcher, elements, 32);
    elements[30].format = SCH_FORMAT_NONE;
    elements[31] = elements[30];
    elements[31].format = SCH_FORMAT_R64G64B64A64_UINT;
    refused(elements, 32, SCH_ERROR_ARGUMENT, "vertex element 31: the second register is not free");
}

/* Each format is fetched, or refused by name of the element. */
static void formats(void **state)
{
    (void)state;
    const struct ref_row *rows;
    const unsigned count = ref_rows(&rows);
    bool known[SCH_FORMAT_LIMIT] = {[0] = true};
    struct sch_fetcher fetcher;
    for (unsigned n = 0; n < count; n++) known[rows[n].number] = rows[n].number == 0 || vertices_have(&rows[n]);
    for (unsigned format = 0; format < SCH_FORMAT_LIMIT + 3; format++) {
        const struct sch_vertex_element element = {.format = format};
        if (format < SCH_FORMAT_LIMIT && known[format])
            require_ok(&fetcher, &element, 1);
        else
            refused(&element, 1, SCH_ERROR_UNSUPPORTED, "vertex element 0: vertices do not have this format");
    }
}

/* ---- what programs write ---- */

/* Four words of each of the first lanes, so many words apart; nothing between them, and nothing behind. */
static void lanes_become_vertices(void **state)
{
    (void)state;
    enum { STRIDE = 9, ROOM = (SCH_GROUP_LANES + 1) * STRIDE };
    static uint32_t words[ROOM], expected[ROOM];
    struct sch_lanes channel[4];
    unsigned levels;
    uint64_t seed = 5;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned round = 0; round < (SCH_GROUP_LANES + 1) * 6 * levels; round++) {
        const struct sch_ops *level = ops[round % levels];
        const uint32_t count = round / levels % (SCH_GROUP_LANES + 1), stride = 4 + round / levels % 6;
        for (unsigned i = 0; i < ROOM; i++) words[i] = expected[i] = (uint32_t)random_number(&seed);
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++)
            for (unsigned c = 0; c < 4; c++) {
                channel[c].u[lane] = (uint32_t)random_number(&seed);
                if (lane < count) expected[lane * stride + c] = channel[c].u[lane];
            }
        level->store_vertices(words, stride,
                              (const struct sch_lanes *const[4]){&channel[0], &channel[1], &channel[2], &channel[3]},
                              count);
        assert_memory_equal(words, expected, sizeof words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format),
        cmocka_unit_test(every_end),
        cmocka_unit_test(far_elements),
        cmocka_unit_test(divisors),
        cmocka_unit_test(divisor_of_two_registers),
        cmocka_unit_test(usual_cases),
        cmocka_unit_test(registers),
        cmocka_unit_test(lanes_become_vertices),
        cmocka_unit_test(refusals),
        cmocka_unit_test(formats),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
