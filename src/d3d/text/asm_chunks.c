/* The container from the directives that print_chunks.c writes: the order of chunks, those that are bytes, and bytes of
 * those that the text describes, which are kept as long as they say the same. What no directive says is as in a
 * container that is made again. */
#include "d3d/text/assembler.h"

#include <string.h>

#define WHOLE SCH_D3D_TAG('D', 'X', 'B', 'C')

/* Bytes of a chunk, or one of the tags that .chunks lists. */
struct sch_d3d_blob {
    uint32_t tag;
    bool form; /* of a chunk that the text describes */
    bool used;
    const unsigned char *data;
    size_t bytes;
    struct sch_position position;
};

/* Four letters and digits, or a number. */
static uint32_t take_tag(struct sch_d3d_assembler *a)
{
    char c = sch_d3d_asm_skip(a);
    const char *at = a->at;
    if (sch_d3d_is_letter(c) && sch_d3d_asm_word_length(a) == 4) {
        a->at += 4;
        return SCH_D3D_TAG((unsigned char)at[0], (unsigned char)at[1], (unsigned char)at[2], (unsigned char)at[3]);
    }
    if (!sch_d3d_is_digit(c))
        sch_d3d_asm_report(a, SCH_D_ASM_CHUNK, at, "a chunk is named by four letters or by a number");
    return (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
}

/* Pairs of digits up to the closing brace, over lines, into `out` unless it is NULL; returns how many bytes. */
static size_t take_pairs(struct sch_d3d_assembler *a, unsigned char *out)
{
    size_t count = 0;
    for (char c; !a->bad && (c = sch_d3d_asm_skip_lines(a)) != '}'; count++) {
        unsigned high = sch_d3d_asm_digit(c), low = a->end - a->at > 1 ? sch_d3d_asm_digit(a->at[1]) : SCH_D3D_NO_DIGIT;
        if (high == SCH_D3D_NO_DIGIT || low == SCH_D3D_NO_DIGIT) {
            sch_d3d_asm_report(a, SCH_D_ASM_CHUNK, a->at,
                               c ? "bytes are pairs of hexadecimal digits" : "the bytes do not end with a brace");
            return count;
        }
        if (out) out[count] = (unsigned char)(high << 4 | low);
        a->at += 2;
    }
    a->at += !a->bad;
    return count;
}

static void take_braces(struct sch_d3d_assembler *a, struct sch_d3d_blob *blob)
{
    if (!sch_d3d_asm_expect(a, '{')) return;
    struct sch_d3d_assembler before = *a;
    blob->bytes = take_pairs(a, NULL);
    if (a->bad) return;
    unsigned char *data = SCH_ARENA_ARRAY(&a->shader->arena, unsigned char, blob->bytes ? blob->bytes : 1);
    if (!data) {
        sch_d3d_asm_memory(a);
        return;
    }
    a->at = before.at;
    a->line = before.line;
    a->line_begin = before.line_begin;
    take_pairs(a, data);
    blob->data = data;
}

static struct sch_position position_of(const struct sch_d3d_assembler *a, const char *at)
{
    return (struct sch_position){
        .line = a->line, .column = (uint32_t)(at - a->line_begin) + 1, .offset = (uint64_t)(at - a->text)};
}

static void add(struct sch_d3d_assembler *a, struct sch_d3d_blob **rows, size_t *count, size_t *capacity,
                const struct sch_d3d_blob *row, const char *begin)
{
    if (a->bad) return;
    if (*count == SCH_D3D_MOST_CHUNKS)
        sch_d3d_asm_report(a, SCH_D_D3D_LIMIT, begin, "a container in text has at most %d chunks", SCH_D3D_MOST_CHUNKS);
    else if (!SCH_ARENA_GROW(&a->shader->arena, *rows, *capacity, *count))
        sch_d3d_asm_memory(a);
    else
        (*rows)[(*count)++] = *row;
}

static void add_blob(struct sch_d3d_assembler *a, const struct sch_d3d_blob *blob, const char *begin)
{
    add(a, &a->blobs, &a->blob_count, &a->blob_capacity, blob, begin);
}

static void take_bytes(struct sch_d3d_assembler *a, const char *begin, bool form)
{
    struct sch_d3d_blob blob = {.form = form, .position = position_of(a, begin)};
    blob.tag = take_tag(a);
    if (form && blob.tag != WHOLE && sch_d3d_source_of(blob.tag) == SCH_D3D_SOURCE_COUNT)
        sch_d3d_asm_report(a, SCH_D_ASM_CHUNK, begin, "no text describes this chunk: its bytes are a .chunk");
    take_braces(a, &blob);
    add_blob(a, &blob, begin);
}

static void take_list(struct sch_d3d_assembler *a, const char *begin)
{
    if (a->has_list) sch_d3d_asm_report(a, SCH_D_ASM_CHUNK, begin, "the chunks are listed once");
    a->has_list = true;
    while (sch_d3d_asm_skip(a)) {
        struct sch_d3d_blob row = {.position = position_of(a, a->at)};
        row.tag = take_tag(a);
        add(a, &a->list, &a->list_count, &a->list_capacity, &row, begin);
    }
}

static void take_statistics(struct sch_d3d_assembler *a, const char *begin)
{
    enum { MOST_WORDS = 64 };
    struct sch_d3d_blob blob = {.tag = SCH_D3D_TAG('S', 'T', 'A', 'T'), .position = position_of(a, begin)};
    uint32_t count = (uint32_t)sch_d3d_asm_number(a, MOST_WORDS);
    unsigned char *data = SCH_ARENA_ARRAY(&a->shader->arena, unsigned char, MOST_WORDS * 4);
    if (!data) {
        sch_d3d_asm_memory(a);
        return;
    }
    while (sch_d3d_asm_take(a, ',')) {
        sch_d3d_asm_skip(a);
        const char *at = a->at;
        uint32_t place = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_STATISTIC);
        if (place >= count) sch_d3d_asm_report(a, SCH_D_ASM_CHUNK, at, "the statistics have %u words only", count);
        uint32_t value = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
        for (unsigned i = 0; !a->bad && i < 4; i++) data[4 * place + i] = (unsigned char)(value >> (8 * i));
    }
    blob.data = data;
    blob.bytes = (size_t)count * 4;
    add_blob(a, &blob, begin);
}

static void take_checksum(struct sch_d3d_assembler *a)
{
    struct sch_d3d_container *container = a->shader->container;
    for (unsigned i = 0; i < 4; i++) {
        if (i && !sch_d3d_asm_expect(a, ',')) return;
        container->checksum[i] = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
    }
    container->keeps_checksum = true;
}

bool sch_d3d_asm_chunk(struct sch_d3d_assembler *a, const char *begin)
{
    if (sch_d3d_asm_take_word(a, "chunk"))
        take_bytes(a, begin, false);
    else if (sch_d3d_asm_take_word(a, "bytes"))
        take_bytes(a, begin, true);
    else if (sch_d3d_asm_take_word(a, "chunks"))
        take_list(a, begin);
    else if (sch_d3d_asm_take_word(a, "statistics"))
        take_statistics(a, begin);
    else if (sch_d3d_asm_take_word(a, "checksum"))
        take_checksum(a);
    else
        return false;
    return true;
}

/* Reports where a directive is, once it is known what the whole text says; `tag` is what it is about. */
static void report(struct sch_d3d_assembler *a, const struct sch_position *position, uint32_t tag, const char *message)
{
    char text[5];
    if (a->status == SCH_OK) a->status = SCH_ERROR_INVALID;
    sch_diagnostics_add(a->diagnostics, SCH_SEVERITY_ERROR, SCH_D_ASM_CHUNK, *position, "%s: %s",
                        sch_d3d_tag_text(tag, text), message);
}

static struct sch_d3d_blob *find_blob(struct sch_d3d_assembler *a, uint32_t tag, bool form)
{
    for (size_t i = 0; i < a->blob_count; i++)
        if (a->blobs[i].tag == tag && a->blobs[i].form == form && !a->blobs[i].used) return &a->blobs[i];
    return NULL;
}

/* Bytes for a chunk that the text describes, of whatever kind: an edited text may ask for another. */
static struct sch_d3d_blob *find_form(struct sch_d3d_assembler *a, enum sch_d3d_source source)
{
    for (size_t i = 0; i < a->blob_count; i++)
        if (a->blobs[i].form && !a->blobs[i].used && sch_d3d_source_of(a->blobs[i].tag) == source) return &a->blobs[i];
    return NULL;
}

/* The same words as text, or not. */
static bool same_source(const struct sch_d3d_shader *one, const struct sch_d3d_shader *other,
                        enum sch_d3d_source source, bool *failed)
{
    struct sch_bytes left = {.allocator = &one->arena.allocator}, right = left;
    sch_d3d_print_source(&left, one, source);
    sch_d3d_print_source(&right, other, source);
    *failed = left.status != SCH_OK || right.status != SCH_OK;
    bool same = left.size == right.size && (!left.size || !memcmp(left.data, right.data, left.size));
    sch_bytes_release(&left);
    sch_bytes_release(&right);
    return same && !*failed;
}

static bool same_version(const struct sch_d3d_program *one, const struct sch_d3d_program *other)
{
    return one->stage == other->stage && one->major == other->major && one->minor == other->minor;
}

/* Reads the only chunk of `other` in the light of the text's program. */
static enum sch_result read_alone(struct sch_d3d_assembler *a, struct sch_d3d_shader *other, enum sch_d3d_source source)
{
    if (source == SCH_D3D_SOURCE_PROGRAM) return sch_d3d_shader_read_program(other, a->limits, NULL);
    other->program->stage = a->shader->program->stage;
    other->program->major = a->shader->program->major;
    other->program->minor = a->shader->program->minor;
    return sch_d3d_shader_describe(other, a->limits, NULL);
}

/* Whether bytes say what the text says: they are read as the chunk of a container that has no other, and printed. */
static bool says_the_same(struct sch_d3d_assembler *a, enum sch_d3d_source source, const struct sch_d3d_blob *blob)
{
    struct sch_d3d_shader *other = sch_d3d_shader_create(&a->shader->arena.allocator, a->limits);
    bool failed = !other || !sch_d3d_container_add_exact(other->container, blob->tag, blob->data, blob->bytes);
    enum sch_result status = failed ? SCH_ERROR_MEMORY : read_alone(a, other, source);
    bool same = status == SCH_OK && same_version(other->program, a->shader->program) &&
                same_source(a->shader, other, source, &failed);
    if (failed || status == SCH_ERROR_MEMORY) sch_d3d_asm_memory(a);
    sch_d3d_shader_destroy(other);
    return same;
}

/* A chunk that the text describes: as the bytes have it that are given for it, if they say the same. */
static void make_chunk(struct sch_d3d_assembler *a, enum sch_d3d_source source, uint32_t tag,
                       const struct sch_position *position)
{
    struct sch_d3d_shader *shader = a->shader;
    bool signature = source >= SCH_D3D_SOURCE_INPUT && source <= SCH_D3D_SOURCE_PATCH;
    if (signature && !sch_d3d_signature_fits(&shader->signatures[source - SCH_D3D_SOURCE_INPUT], tag)) {
        report(a, position, tag, "this kind of signature has no streams, or no minimum precisions");
        return;
    }
    struct sch_d3d_blob *blob = find_form(a, source);
    if (blob) blob->used = true;
    bool kept = blob && blob->tag == tag && says_the_same(a, source, blob);
    if (a->status != SCH_OK) return;
    if (source == SCH_D3D_SOURCE_PROGRAM) a->program_chunk = shader->container->chunk_count;
    if (blob && !kept)
        sch_diagnostics_add(a->diagnostics, SCH_SEVERITY_WARNING, SCH_D_ASM_STALE_BYTES, blob->position,
                            "these bytes say something else than the text, from which the chunk is made");
    if (!kept) {
        a->status = sch_d3d_add_source(shader, source, tag, a->diagnostics);
        return;
    }
    if (signature) shader->signatures[source - SCH_D3D_SOURCE_INPUT].tag = tag;
    if (!sch_d3d_container_add_exact(shader->container, tag, blob->data, blob->bytes)) sch_d3d_asm_memory(a);
}

static void add_bytes(struct sch_d3d_assembler *a, struct sch_d3d_blob *blob)
{
    blob->used = true;
    if (!sch_d3d_container_add_exact(a->shader->container, blob->tag, blob->data, blob->bytes)) sch_d3d_asm_memory(a);
}

static bool lists(const struct sch_d3d_assembler *a, uint32_t tag)
{
    for (size_t i = 0; i < a->list_count; i++)
        if (a->list[i].tag == tag) return true;
    return false;
}

/* The chunks in the order of .chunks; `made` says which sources the container has. */
static void follow_list(struct sch_d3d_assembler *a, bool *made)
{
    static const struct sch_position nowhere = {0};
    bool shdr = lists(a, SCH_D3D_TAG('S', 'H', 'D', 'R'));
    for (size_t i = 0; i < a->list_count && a->status == SCH_OK; i++) {
        uint32_t tag = a->list[i].tag;
        enum sch_d3d_source source = sch_d3d_source_of(tag);
        /* Readers take SHDR where there are both. */
        bool hidden = shdr && tag == SCH_D3D_TAG('S', 'H', 'E', 'X');
        struct sch_d3d_blob *blob;
        if (source != SCH_D3D_SOURCE_COUNT && !hidden && !made[source] && sch_d3d_has_source(a->shader, source)) {
            made[source] = true;
            make_chunk(a, source, tag, &a->list[i].position);
        } else if ((blob = find_blob(a, tag, false)))
            add_bytes(a, blob);
        else
            report(a, &a->list[i].position, tag, "nothing in the listing makes this chunk");
    }
    for (unsigned i = 0; i < SCH_D3D_SOURCE_COUNT && a->status == SCH_OK; i++) {
        enum sch_d3d_source source = (enum sch_d3d_source)i;
        if (made[i] || !sch_d3d_has_source(a->shader, source)) continue;
        report(a, a->list_count ? &a->list[0].position : &nowhere, sch_d3d_source_tag(a->shader, source),
               "the text makes this chunk, but .chunks does not list it");
    }
}

static void follow_text(struct sch_d3d_assembler *a)
{
    static const struct sch_position nowhere = {0};
    for (unsigned i = 0; i < SCH_D3D_SOURCE_COUNT && a->status == SCH_OK; i++) {
        enum sch_d3d_source source = (enum sch_d3d_source)i;
        if (sch_d3d_has_source(a->shader, source))
            make_chunk(a, source, sch_d3d_source_tag(a->shader, source), &nowhere);
    }
    for (size_t i = 0; i < a->blob_count && a->status == SCH_OK; i++)
        if (!a->blobs[i].form) add_bytes(a, &a->blobs[i]);
}

/* What is around the chunks. */
static void adopt_whole(struct sch_d3d_assembler *a, struct sch_d3d_blob *blob)
{
    blob->used = true;
    enum sch_result status =
        sch_d3d_container_adopt(a->shader->container, &a->shader->arena.allocator, a->limits, blob->data, blob->bytes);
    if (status == SCH_ERROR_MEMORY)
        sch_d3d_asm_memory(a);
    else if (status != SCH_OK)
        sch_diagnostics_add(a->diagnostics, SCH_SEVERITY_WARNING, SCH_D_ASM_STALE_BYTES, blob->position,
                            "this container has other chunks than the text, from which one is made");
}

/* No program comes from bytes: the chunk that a reader takes for the program is the one that the text makes. */
static void check_blobs(struct sch_d3d_assembler *a)
{
    const struct sch_d3d_chunk *program = sch_d3d_container_program(a->shader->container);
    bool ours = program && (size_t)(program - a->shader->container->chunks) == a->program_chunk;
    for (size_t i = 0; i < a->blob_count && a->status == SCH_OK; i++) {
        const struct sch_d3d_blob *blob = &a->blobs[i];
        if (!blob->used)
            report(a, &blob->position, blob->tag, "nothing in the listing makes the chunk that has these bytes");
        else if (program && !ours && !blob->form && blob->tag == program->tag)
            report(a, &blob->position, blob->tag, "a program is text, not bytes: nothing else may take its place");
    }
}

/* Whether the checksum that the text states is the right one, after all. */
static void judge_checksum(struct sch_d3d_assembler *a)
{
    struct sch_d3d_container *container = a->shader->container;
    const struct sch_allocator *allocator = &a->shader->arena.allocator;
    void *data;
    size_t bytes;
    container->keeps_checksum = false;
    a->status = sch_d3d_container_write(container, allocator, a->diagnostics, &data, &bytes);
    container->keeps_checksum = true;
    if (a->status != SCH_OK) return;
    for (unsigned i = 0; i < 4; i++)
        container->checksum_right &= sch_word_at((unsigned char *)data + 4 + 4 * i) == container->checksum[i];
    allocator->free(allocator->user, data);
}

enum sch_result sch_d3d_asm_contain(struct sch_d3d_assembler *a)
{
    bool made[SCH_D3D_SOURCE_COUNT] = {false};
    a->program_chunk = SIZE_MAX;
    if (a->has_list)
        follow_list(a, made);
    else
        follow_text(a);
    struct sch_d3d_blob *whole = find_blob(a, WHOLE, true);
    if (whole && a->status == SCH_OK) adopt_whole(a, whole);
    if (a->status == SCH_OK) check_blobs(a);
    if (a->status == SCH_OK) a->status = sch_d3d_shader_describe(a->shader, a->limits, a->diagnostics);
    if (a->status == SCH_OK && a->shader->container->keeps_checksum) judge_checksum(a);
    return a->status;
}
