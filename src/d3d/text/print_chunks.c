/* What the rest of a listing does not say of the container: a checksum that is wrong, the order of chunks, the bytes of
 * those that no text describes, and of those that the text describes but would be made with other bytes. After the
 * program, so that it can be read without them. */
#include "d3d/text/internal.h"

#include <string.h>

enum { BYTES_A_LINE = 32, MOST_STATISTICS = 64 };

/* Four letters and digits, or the number. */
static void print_tag(struct sch_bytes *out, uint32_t tag)
{
    char text[5];
    sch_d3d_tag_text(tag, text);
    bool plain = sch_d3d_is_letter(text[0]);
    for (unsigned i = 1; i < 4; i++) plain = plain && (sch_d3d_is_letter(text[i]) || sch_d3d_is_digit(text[i]));
    if (plain)
        sch_bytes_text(out, text);
    else
        sch_bytes_format(out, "0x%08x", tag);
}

/* Bytes in groups of four, what they are as letters after them. */
static void print_bytes(struct sch_bytes *out, const char *directive, uint32_t tag, const unsigned char *data,
                        size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    sch_bytes_text(out, directive);
    print_tag(out, tag);
    sch_bytes_text(out, " {\n");
    for (size_t at = 0; at < bytes; at += BYTES_A_LINE) {
        size_t count = bytes - at < BYTES_A_LINE ? bytes - at : BYTES_A_LINE;
        char letters[BYTES_A_LINE];
        sch_bytes_text(out, "   ");
        for (size_t i = 0; i < BYTES_A_LINE; i++) {
            unsigned byte = i < count ? data[at + i] : 0;
            char pair[3] = {' ', digits[byte >> 4], digits[byte & 15]};
            if (i >= count) pair[1] = pair[2] = ' ';
            sch_bytes_append(out, pair + (i % 4 != 0), 3 - (i % 4 != 0));
            if (i < count) letters[i] = byte >= 0x20 && byte < 0x7f ? (char)byte : '.';
        }
        sch_bytes_text(out, " // ");
        sch_bytes_append(out, letters, count);
        sch_bytes_text(out, "\n");
    }
    sch_bytes_text(out, "}\n");
}

/* How many words, and those that are not 0 by their names. */
static void print_statistics(struct sch_bytes *out, const struct sch_d3d_chunk *chunk)
{
    sch_bytes_format(out, ".statistics %zu", chunk->bytes / 4);
    for (size_t i = 0; i < chunk->bytes / 4; i++) {
        uint32_t value = sch_word_at(chunk->data + 4 * i);
        if (!value) continue;
        sch_bytes_text(out, ", ");
        sch_d3d_print_numbered(out, SCH_D3D_WORDS_STATISTIC, (uint32_t)i);
        sch_bytes_format(out, " %u", value);
    }
    sch_bytes_text(out, "\n");
}

static void print_chunk(struct sch_bytes *out, const struct sch_d3d_chunk *chunk)
{
    bool words = chunk->bytes % 4 == 0 && chunk->bytes / 4 <= MOST_STATISTICS;
    if (chunk->tag == SCH_D3D_TAG('S', 'T', 'A', 'T') && words)
        print_statistics(out, chunk);
    else
        print_bytes(out, ".chunk ", chunk->tag, chunk->data, chunk->bytes);
}

/* Elements whose masks have bits for which the text has no letters. */
static bool has_strange_masks(const struct sch_d3d_signature *signature)
{
    for (size_t i = 0; i < signature->count; i++)
        if ((signature->elements[i].mask | signature->elements[i].used) >> 4) return true;
    return false;
}

/* Whether an operand has an extended token that says nothing. */
static bool is_plain_operand(const struct sch_d3d_operand *operand)
{
    if (operand->extended && !operand->modifier && !operand->precision && !operand->nonuniform) return false;
    for (unsigned i = 0; i < operand->index_count; i++)
        if (operand->index[i].relative && !is_plain_operand(operand->index[i].relative)) return false;
    return true;
}

/* Whether the text says all that the program's words do: not words after the program, nor the order of extended
 * tokens, nor tokens that say nothing. */
static bool is_plain_program(const struct sch_d3d_program *program)
{
    if (program->trailing_count) return false;
    for (size_t i = 0; i < program->count; i++) {
        const struct sch_d3d_instruction *at = &program->instructions[i];
        for (unsigned k = 1; k < at->extended_count; k++)
            if ((at->extended[k - 1] & 0x3f) > (at->extended[k] & 0x3f)) return false;
        for (unsigned k = 0; k < at->operand_count; k++)
            if (!is_plain_operand(&at->operands[k])) return false;
    }
    return true;
}

static bool text_says_all(const struct sch_d3d_shader *shader, enum sch_d3d_source source)
{
    if (source == SCH_D3D_SOURCE_PROGRAM) return is_plain_program(shader->program);
    if (source >= SCH_D3D_SOURCE_INPUT && source <= SCH_D3D_SOURCE_PATCH)
        return !has_strange_masks(&shader->signatures[source - SCH_D3D_SOURCE_INPUT]);
    return true;
}

/* Whether the text, assembled, gives the bytes of the chunk. */
static bool comes_back(struct sch_bytes *out, const struct sch_d3d_shader *shader, enum sch_d3d_source source,
                       const struct sch_d3d_chunk *chunk)
{
    if (!text_says_all(shader, source)) return false;
    bool signature = source >= SCH_D3D_SOURCE_INPUT && source <= SCH_D3D_SOURCE_PATCH;
    /* More than text may have, and than can be written in a short time. */
    if (signature && shader->signatures[source - SCH_D3D_SOURCE_INPUT].count > SCH_D3D_MOST_ELEMENTS) return false;
    struct sch_bytes made = {.allocator = out->allocator};
    enum sch_result status = sch_d3d_write_source(shader, source, chunk->tag, NULL, &made);
    bool same = status == SCH_OK && made.size == chunk->bytes;
    same = same && (!made.size || !memcmp(made.data, chunk->data, made.size));
    if (status == SCH_ERROR_MEMORY) out->status = status;
    sch_bytes_release(&made);
    return same;
}

/* Which source a chunk is the text of: COUNT: none. */
static enum sch_d3d_source source_at(const struct sch_d3d_shader *shader, const size_t *chunks, size_t i)
{
    enum sch_d3d_source source = sch_d3d_source_of(shader->container->chunks[i].tag);
    bool here = source != SCH_D3D_SOURCE_COUNT && chunks[source] == i && sch_d3d_has_source(shader, source);
    return here ? source : SCH_D3D_SOURCE_COUNT;
}

/* Whether the container's chunks are in their default order: sources in their order and with the tags that
 * they get, then the rest. */
static bool order_is_plain(const struct sch_d3d_shader *shader, const size_t *chunks)
{
    int last = -1;
    for (size_t i = 0; i < shader->container->chunk_count; i++) {
        enum sch_d3d_source source = source_at(shader, chunks, i);
        if ((int)source < last) return false;
        if (source != SCH_D3D_SOURCE_COUNT && sch_d3d_source_tag(shader, source) != shader->container->chunks[i].tag)
            return false;
        last = (int)source;
    }
    return true;
}

/* What is nested in a container without a program, in comments. */
static void print_nested(struct sch_bytes *out, const struct sch_d3d_shader *shader)
{
    for (size_t i = 0; i < shader->nested_count; i++) {
        const struct sch_d3d_nested *nested = &shader->nested[i];
        const struct sch_d3d_word *stage = sch_d3d_word_by_number(SCH_D3D_WORDS_STAGE, nested->version >> 16);
        char tag[5];
        sch_bytes_format(out, "// %zu: ", i + 1);
        if (nested->version && stage)
            sch_bytes_format(out, "%s_%u_%u", stage->word, nested->version >> 4 & 15, nested->version & 15);
        else
            sch_bytes_text(out, "no program");
        sch_bytes_format(out, ", %zu bytes at byte %zu of %s\n", nested->bytes, nested->at,
                         sch_d3d_tag_text(nested->chunk->tag, tag));
    }
}

void sch_d3d_print_chunks(struct sch_bytes *out, const struct sch_d3d_shader *shader)
{
    const struct sch_d3d_container *container = shader->container;
    size_t chunks[SCH_D3D_SOURCE_COUNT];
    sch_d3d_find_sources(container, chunks);
    print_nested(out, shader);
    if (!container->checksum_right)
        sch_bytes_format(out, ".checksum 0x%08x, 0x%08x, 0x%08x, 0x%08x\n", container->checksum[0],
                         container->checksum[1], container->checksum[2], container->checksum[3]);
    if (!order_is_plain(shader, chunks)) {
        sch_bytes_text(out, ".chunks");
        for (size_t i = 0; i < container->chunk_count; i++) {
            sch_bytes_text(out, " ");
            print_tag(out, container->chunks[i].tag);
        }
        sch_bytes_text(out, "\n");
    }
    for (size_t i = 0; i < container->chunk_count; i++) {
        const struct sch_d3d_chunk *chunk = &container->chunks[i];
        enum sch_d3d_source source = source_at(shader, chunks, i);
        if (source == SCH_D3D_SOURCE_COUNT)
            print_chunk(out, chunk);
        else if (!comes_back(out, shader, source, chunk))
            print_bytes(out, ".bytes ", chunk->tag, chunk->data, chunk->bytes);
    }
    if (container->whole)
        print_bytes(out, ".bytes ", SCH_D3D_TAG('D', 'X', 'B', 'C'), container->whole, container->whole_bytes);
}
