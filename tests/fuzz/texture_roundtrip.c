/* Texture files: read, write, read again. Holds no target. */
#include "texture_roundtrip.h"

#include <stdlib.h>
#include <string.h>

/* Memory that is out at once may not pass what the limits and the working memory of zlib come to. */
enum { MOST_BYTES = 1 << 20, MOST_MEMORY = MOST_BYTES + (1 << 19) };

struct ledger {
    size_t out;
    bool passed;
};

static void *ledger_alloc(void *user, size_t bytes)
{
    struct ledger *ledger = user;
    size_t *memory = malloc(bytes + 16);
    if (!memory) return NULL;
    *memory = bytes;
    ledger->out += bytes;
    if (ledger->out > MOST_MEMORY) ledger->passed = true;
    return (char *)memory + 16;
}

static void ledger_free(void *user, void *memory)
{
    struct ledger *ledger = user;
    size_t *block = (size_t *)(void *)((char *)memory - 16);
    ledger->out -= *block;
    free(block);
}

static void hear(void *user, unsigned code, const char *message)
{
    bool *wrong = user;
    if (code < 6540 || code > 6549 || !message[0]) *wrong = true;
}

static enum sch_result read_file(enum sch_file_kind kind, const struct sch_allocator *memory, const void *data,
                                 size_t bytes, struct sch_file_texture *texture, struct sch_file_error *error)
{
    bool wrong = false;
    const struct sch_file_options limits = {
        .size = sizeof limits, .memory = memory, .max_width = 16384, .max_height = 16384, .max_bytes = MOST_BYTES};
    const struct sch_file_read_options options = {.size = sizeof options,
                                                  .limits = &limits,
                                                  .kind = kind,
                                                  .warn = hear,
                                                  .warn_user = &wrong,
                                                  .lenient = bytes % 2};
    *texture = (struct sch_file_texture){.size = sizeof *texture};
    *error = (struct sch_file_error){.size = sizeof *error};
    const enum sch_result result = sch_file_texture_read(&options, data, bytes, texture, error);
    if (wrong) abort();
    return result;
}

static bool same(const struct sch_file_texture *a, const struct sch_file_texture *b, bool flagged)
{
    /* A power is a curve that only PNG is written with; a flag of sRGB is read of DDS and not written. */
    const bool same_curve = a->transfer == b->transfer || a->transfer == SCH_FILE_TRANSFER_GAMMA || flagged;
    return a->target == b->target && a->format == b->format && a->width == b->width && a->height == b->height &&
           a->depth == b->depth && a->layers == b->layers && a->levels == b->levels && a->bytes == b->bytes &&
           a->premultiplied == b->premultiplied && same_curve && memcmp(a->texels, b->texels, a->bytes) == 0;
}

static const char *check_refusal(enum sch_result result, const struct sch_file_texture *texture,
                                 const struct sch_file_error *error)
{
    if (texture->texels || texture->bytes) return "a refused file left texels";
    if (result == SCH_ERROR_MEMORY) return "no memory";
    if (result != SCH_ERROR_INVALID && result != SCH_ERROR_UNSUPPORTED && result != SCH_ERROR_LIMIT)
        return "an unexpected result";
    if (result == SCH_ERROR_UNSUPPORTED && error->code == 6105) return NULL; /* no library for the kind */
    if (error->code < 6100 || error->code > 6199 || !error->message[0]) return "a refusal without its number";
    return NULL;
}

static const char *check_written(enum sch_file_kind kind, const struct sch_file_texture *texture, size_t scheme)
{
    const struct sch_file_write_options options = {
        .size = sizeof options,
        .has_compression = kind == SCH_FILE_KIND_PNG && scheme,
        .compression = (uint32_t)scheme,
        .supercompression = kind == SCH_FILE_KIND_KTX2 ? (enum sch_file_supercompression)scheme : 0};
    if (kind == SCH_FILE_KIND_JPEG) return NULL; /* not written */
    struct sch_file_error error = {.size = sizeof error};
    struct sch_file_texture again;
    struct sch_file_bytes file;
    enum sch_result result = sch_file_texture_write(&options, kind, texture, &file, &error);
    if (result == SCH_ERROR_UNSUPPORTED && error.code == 6105) return NULL; /* no libzstd */
    if (result == SCH_ERROR_UNSUPPORTED && kind == SCH_FILE_KIND_EXR && texture->levels > 1) return NULL;
    if (result != SCH_OK) return "what was read is not written";
    const char *wrong = NULL;
    if (read_file(kind, NULL, file.data, file.bytes, &again, &error) != SCH_OK)
        wrong = "what was written is not read";
    else if (!same(texture, &again, kind == SCH_FILE_KIND_DDS))
        wrong = "what was written is read as another texture";
    sch_file_texture_release(&again);
    sch_file_bytes_release(&file);
    return wrong;
}

const char *sch_texture_fuzz(enum sch_file_kind kind, const uint8_t *data, size_t bytes)
{
    struct ledger ledger = {0};
    const struct sch_allocator memory = {ledger_alloc, ledger_free, &ledger};
    struct sch_file_texture texture;
    struct sch_file_error error;
    enum sch_result result = read_file(kind, &memory, data, bytes, &texture, &error);
    const char *wrong = NULL;
    if (result != SCH_OK)
        wrong = check_refusal(result, &texture, &error);
    else
        wrong = check_written(kind, &texture, bytes % 3);
    sch_file_texture_release(&texture);
    if (!wrong && ledger.out) wrong = "memory is left";
    if (!wrong && ledger.passed) wrong = "more memory than the limits allow";
    return wrong;
}
