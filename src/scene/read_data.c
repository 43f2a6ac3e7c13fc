/* Numbers as bytes: { float 1 2.5  uint 0xff  hex 00ff7f  zero 16  matrix ... }, and buffers, which hold them. */
#include <stdlib.h>
#include <string.h>

#include "data.h"

/* ---- bytes that grow --------------------------------------------------------------------------------------------- */

bool sch_scene_put(struct sch_scene_text *text, struct sch_scene_growing *growing, const void *data, size_t bytes)
{
    if (bytes > SCH_SCENE_DATA_BYTES - growing->bytes)
        return sch_scene_refuse(text, "SCENE_LIMIT", "at most %d bytes may follow each other", SCH_SCENE_DATA_BYTES);
    if (bytes > growing->room - growing->bytes) {
        size_t room = growing->room ? growing->room : 1024;
        while (room < growing->bytes + bytes) room *= 2;
        uint8_t *larger = realloc(growing->data, room);
        if (!larger) {
            text->scene->no_memory = true;
            return !(text->wrong = true);
        }
        growing->data = larger;
        growing->room = room;
    }
    if (data)
        memcpy(growing->data + growing->bytes, data, bytes);
    else
        memset(growing->data + growing->bytes, 0, bytes);
    growing->bytes += bytes;
    return true;
}

void sch_scene_keep(struct sch_scene_text *text, struct sch_scene_growing *growing, struct sch_scene_bytes *kept)
{
    kept->data = sch_scene_alloc(text->scene, growing->bytes + 1);
    kept->bytes = kept->data ? growing->bytes : 0;
    if (kept->bytes) memcpy(kept->data, growing->data, growing->bytes);
    free(growing->data);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

const struct sch_scene_type sch_scene_types[SCH_SCENE_TYPES] = {
    {"float", SCH_SCENE_IEEE, 4},    {"half", SCH_SCENE_IEEE, 2},       {"double", SCH_SCENE_IEEE, 8},
    {"int", SCH_SCENE_SIGNED, 4},    {"short", SCH_SCENE_SIGNED, 2},    {"byte", SCH_SCENE_SIGNED, 1},
    {"uint", SCH_SCENE_UNSIGNED, 4}, {"ushort", SCH_SCENE_UNSIGNED, 2}, {"ubyte", SCH_SCENE_UNSIGNED, 1}};

/* To nearest even: the fraction keeps as many bits as it has above the least exponent. */
static uint16_t half_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t fraction = bits & 0xfffffffffffff;
    if (exponent == 1024) return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 : 0));
    if (exponent > 15) return sign | 0x7c00;
    if (exponent < -25) return sign;
    const unsigned drop = exponent < -14 ? 42 + (unsigned)(-14 - exponent) : 42;
    fraction |= (uint64_t)1 << 52;
    uint64_t kept = fraction >> drop;
    const uint64_t rest = fraction & (((uint64_t)1 << drop) - 1), middle = (uint64_t)1 << (drop - 1);
    kept += rest > middle || (rest == middle && (kept & 1));
    /* The leading bit counts one in the exponent; so does what rounding carries. */
    const uint64_t below = exponent < -14 ? 0 : (uint64_t)(exponent + 14) << 10;
    return (uint16_t)(sign | (below + kept));
}

static void encode_float(const struct sch_scene_number *number, unsigned bytes, uint8_t *data)
{
    const uint16_t half = half_of(number->real);
    if (bytes == 8)
        memcpy(data, &number->real, 8);
    else if (bytes == 4)
        memcpy(data, &number->single, 4);
    else
        memcpy(data, &half, 2);
}

bool sch_scene_take(struct sch_scene_text *text, const struct sch_scene_type *type, uint8_t data[8])
{
    const struct sch_scene_token token = text->token;
    struct sch_scene_number number;
    if (!sch_scene_number(text, type->word, &number)) return false;
    if (type->kind == SCH_SCENE_IEEE) {
        encode_float(&number, type->bytes, data);
        return true;
    }
    const unsigned width = type->bytes * 8;
    const bool minus = *token.text == '-' && number.integer;
    const uint64_t magnitude = minus ? 0 - number.integer : number.integer;
    const uint64_t most = type->kind == SCH_SCENE_SIGNED ? ((uint64_t)1 << (width - 1)) - !minus
                          : minus                        ? 0
                                                         : ((uint64_t)1 << width) - 1;
    if (!number.whole || magnitude > most)
        return sch_scene_refuse_at(text, &token.place, "SCENE_NUMBER", "it does not fit %s", type->word);
    memcpy(data, &number.integer, 8); /* the low bytes come first */
    return true;
}

/* Pairs of digits. */
static bool put_hex(struct sch_scene_text *text, struct sch_scene_growing *data)
{
    const struct sch_scene_token *token = &text->token;
    for (size_t i = 0; i < token->bytes; i += 2) {
        const char pair[3] = {token->text[i], i + 1 < token->bytes ? token->text[i + 1] : 'x', 0};
        if (strspn(pair, "0123456789abcdefABCDEF") != 2)
            return sch_scene_refuse(text, "SCENE_NUMBER", "expected pairs of hexadecimal digits after hex");
        const uint8_t byte = (uint8_t)strtoul(pair, NULL, 16);
        if (!sch_scene_put(text, data, &byte, 1)) return false;
    }
    sch_scene_next(text);
    return true;
}

static bool put_matrix(struct sch_scene_text *text, struct sch_scene_growing *data)
{
    const bool columns = sch_scene_word(text, "columns");
    struct sch_scene_matrix matrix, turned;
    if (!sch_scene_read_matrix(text, &matrix)) return false;
    for (unsigned i = 0; i < 16; i++) turned.m[i % 4][i / 4] = matrix.m[i / 4][i % 4];
    return sch_scene_put(text, data, columns ? &turned : &matrix, sizeof matrix);
}

static bool put_zeros(struct sch_scene_text *text, struct sch_scene_growing *data)
{
    uint32_t bytes;
    return sch_scene_u32(text, "the number of bytes", 0, SCH_SCENE_DATA_BYTES, &bytes) &&
           sch_scene_put(text, data, NULL, bytes);
}

static const struct sch_scene_type *find_type(struct sch_scene_text *text)
{
    for (unsigned i = 0; i < SCH_SCENE_TYPES; i++)
        if (sch_scene_word(text, sch_scene_types[i].word)) return &sch_scene_types[i];
    return NULL;
}

/* From here on the bytes are numbers of this type; `type` NULL: bytes. */
static bool begin_run(struct sch_scene_text *text, struct sch_scene_growing *data, const struct sch_scene_type *type)
{
    const struct sch_scene_run run = {data->bytes, type};
    if (!data->typed || (data->run_count && data->runs[data->run_count - 1].type == type)) return true;
    if (data->run_count == data->run_room) {
        const size_t room = data->run_room ? 2 * data->run_room : 16;
        struct sch_scene_run *larger = realloc(data->runs, room * sizeof *larger);
        if (!larger) {
            text->scene->no_memory = true;
            return !(text->wrong = true);
        }
        data->runs = larger;
        data->run_room = room;
    }
    data->runs[data->run_count++] = run;
    return true;
}

/* One number, or what a word begins; `type` is that of the numbers, NULL: hex. */
static bool read_piece(struct sch_scene_text *text, const struct sch_scene_type **type, struct sch_scene_growing *data)
{
    const struct sch_scene_type *other = find_type(text);
    uint8_t bytes[8];
    if (other) {
        *type = other;
        return true;
    }
    if (sch_scene_word(text, "hex")) {
        *type = NULL;
        return true;
    }
    if (sch_scene_word(text, "zero")) return begin_run(text, data, *type) && put_zeros(text, data);
    if (sch_scene_word(text, "matrix")) return begin_run(text, data, &sch_scene_types[0]) && put_matrix(text, data);
    if (text->token.kind != SCH_SCENE_ATOM)
        return sch_scene_refuse(text, "SCENE_SYNTAX", "expected numbers, and then }");
    if (!begin_run(text, data, *type)) return false;
    if (!*type) return put_hex(text, data);
    return sch_scene_take(text, *type, bytes) && sch_scene_put(text, data, bytes, (*type)->bytes);
}

static bool read_pieces(struct sch_scene_text *text, struct sch_scene_growing *growing, struct sch_scene_bytes *data)
{
    const struct sch_scene_type *type = &sch_scene_types[0];
    if (!sch_scene_open(text)) return false;
    while (!sch_scene_sign(text, '}')) {
        if (!read_piece(text, &type, growing)) break;
        sch_scene_skip_lines(text);
    }
    sch_scene_keep(text, growing, data);
    return !text->wrong;
}

bool sch_scene_read_data(struct sch_scene_text *text, struct sch_scene_bytes *data)
{
    struct sch_scene_growing growing = {0};
    return read_pieces(text, &growing, data);
}

bool sch_scene_read_expected(struct sch_scene_text *text, struct sch_scene_expect *expect)
{
    struct sch_scene_growing growing = {.typed = true};
    const bool good = read_pieces(text, &growing, &expect->data);
    if (good) expect->runs = sch_scene_alloc(text->scene, (growing.run_count + 1) * sizeof *growing.runs);
    if (expect->runs && growing.run_count) {
        memcpy(expect->runs, growing.runs, growing.run_count * sizeof *growing.runs);
        expect->run_count = growing.run_count;
    }
    free(growing.runs);
    return good;
}

void sch_scene_read_buffer(struct sch_scene_text *text, struct sch_scene_object *object)
{
    const char *path;
    uint32_t bytes;
    if (text->token.kind == SCH_SCENE_STRING) {
        sch_scene_read_file(text, &path, &object->buffer);
    } else if (text->token.kind == SCH_SCENE_ATOM) {
        if (!sch_scene_u32(text, "the number of bytes", 1, SCH_SCENE_DATA_BYTES, &bytes)) return;
        object->buffer.data = sch_scene_alloc(text->scene, bytes);
        object->buffer.bytes = bytes;
    } else {
        const struct sch_scene_place place = text->token.place;
        if (sch_scene_read_data(text, &object->buffer) && !object->buffer.bytes)
            sch_scene_refuse_at(text, &place, "SCENE_VALUE", "a buffer has at least one byte");
    }
}
