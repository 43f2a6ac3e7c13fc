/* The container in which tokens are kept in files: "SCHTGSI\n", then little-endian words: version, float style, count
 * of token words, checksum, the tokens. The checksum is the 32-bit FNV-1a hash of everything but itself. */
#include <string.h>

#include "base/bytes.h"
#include "isa/errors.h"
#include "tgsi/tgsi.h"

static const char magic[8] = {'S', 'C', 'H', 'T', 'G', 'S', 'I', '\n'};

enum { VERSION = 1, HEADER_WORDS = 4, HEADER_BYTES = 8 + 4 * HEADER_WORDS, CHECKSUM_AT = 8 + 4 * 3 };

static uint32_t checksum(const unsigned char *data, size_t bytes)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++) {
        if (i >= CHECKSUM_AT && i < CHECKSUM_AT + 4) continue;
        hash = (hash ^ data[i]) * 16777619u;
    }
    return hash;
}

enum sch_result sch_tgsi_container_write(const struct sch_ir_shader *shader, const struct sch_allocator *allocator,
                                         struct sch_diagnostics *diagnostics, void **data, size_t *bytes)
{
    *data = NULL;
    *bytes = 0;
    uint32_t *words;
    size_t count;
    enum sch_result status = sch_tgsi_encode(shader, allocator, diagnostics, &words, &count);
    if (status != SCH_OK) return status;

    struct sch_bytes out = {.allocator = allocator};
    sch_bytes_append(&out, magic, sizeof magic);
    sch_bytes_word(&out, VERSION);
    sch_bytes_word(&out, shader->float_style);
    sch_bytes_word(&out, (uint32_t)count); /* below 2^24 + 2 */
    sch_bytes_word(&out, 0);
    for (size_t i = 0; i < count; i++) sch_bytes_word(&out, words[i]);
    allocator->free(allocator->user, words);
    if (out.status == SCH_OK) sch_bytes_patch_word(&out, CHECKSUM_AT, checksum(out.data, out.size));
    return sch_bytes_take(&out, data, bytes);
}

bool sch_tgsi_container_recognise(const void *data, size_t bytes)
{
    return bytes >= sizeof magic && !memcmp(data, magic, sizeof magic);
}

static enum sch_result refuse_version(struct sch_diagnostics *diagnostics, uint32_t version)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_OTHER_VERSION,
                        (struct sch_position){.offset = sizeof magic},
                        "the container has version %u, and version %d is read here", version, VERSION);
    return SCH_ERROR_INVALID;
}

static enum sch_result refuse(struct sch_diagnostics *diagnostics, enum sch_diagnostic_code code, uint64_t offset,
                              const char *message)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){.offset = offset}, "%s", message);
    return SCH_ERROR_INVALID;
}

enum sch_result sch_tgsi_container_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                        const void *data, size_t bytes, struct sch_diagnostics *diagnostics,
                                        struct sch_ir_shader **shader)
{
    *shader = NULL;
    const unsigned char *at = data;
    if (!sch_tgsi_container_recognise(data, bytes))
        return refuse(diagnostics, SCH_D_CONTAINER_HEADER, 0, "this is not a container of TGSI tokens");
    if (bytes < HEADER_BYTES)
        return refuse(diagnostics, SCH_D_CONTAINER_SIZE, bytes, "the container's header is cut off");
    uint32_t version = sch_word_at(at + 8), style = sch_word_at(at + 12), count = sch_word_at(at + 16);
    if (version != VERSION) return refuse_version(diagnostics, version);
    if ((bytes - HEADER_BYTES) / 4 != count || (bytes - HEADER_BYTES) % 4)
        return refuse(diagnostics, SCH_D_CONTAINER_SIZE, 16, "the container's count of words and its size disagree");
    if (limits->source_bytes && bytes > limits->source_bytes) {
        refuse(diagnostics, SCH_D_TOKENS_LIMIT, 0, "the container is larger than the limit");
        return SCH_ERROR_LIMIT;
    }
    if (checksum(at, bytes) != sch_word_at(at + CHECKSUM_AT))
        return refuse(diagnostics, SCH_D_CONTAINER_CHECKSUM, CHECKSUM_AT, "the container's checksum is wrong");
    if (style > SCH_FLOAT_TEXT_DECIMAL)
        return refuse(diagnostics, SCH_D_CONTAINER_HEADER, 12, "the container's float style does not exist");

    uint32_t *words = allocator->alloc(allocator->user, bytes); /* of no words, too, there is memory */
    if (!words) return SCH_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) words[i] = sch_word_at(at + HEADER_BYTES + 4 * i);
    enum sch_result status = sch_tgsi_decode(allocator, limits, words, count, HEADER_BYTES, diagnostics, shader);
    allocator->free(allocator->user, words);
    if (status == SCH_OK) (*shader)->float_style = (uint8_t)style;
    return status;
}
