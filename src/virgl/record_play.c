/* Plays recordings: see record.h. What a file says is checked as if a client said it. */
#include <string.h>

#include "protocol.h"
#include "record.h"

struct player {
    struct sch_virgl *virgl;
    const uint8_t *data;
    size_t bytes, at;            /* of the record that is played */
    struct sch_virgl_map memory; /* by handle: the memory that is attached */
    bool starved;                /* memory is out, which is not a fault of the recording */
};

/* A record's content. */
struct content {
    const uint8_t *data;
    size_t bytes;
};

static bool wrong(const struct player *player, const char *what)
{
    return sch_virgl_refuse(player->virgl, "byte %zu of the recording: %s", player->at, what);
}

/* Says that memory is out: false. */
static bool starve(struct player *player)
{
    player->starved = true;
    return sch_virgl_refuse_for(player->virgl, SCH_VIRGL_WHY_MEMORY, "byte %zu of the recording: no memory",
                                player->at);
}

/* The first words of a record, which has at least so many. */
static bool take_words(const struct player *player, struct content *content, void *words, size_t bytes)
{
    if (content->bytes < bytes) return wrong(player, "the record is too short");
    memcpy(words, content->data, bytes);
    content->data += bytes;
    content->bytes -= bytes;
    return true;
}

/* ---- records ---- */

static bool play_create(struct player *player, struct content *content)
{
    struct {
        uint32_t handle;
        struct sch_virgl_resource_options options;
    } words;
    if (!take_words(player, content, &words, sizeof words)) return false;
    sch_virgl_resource_create(player->virgl, words.handle, &words.options);
    return true;
}

static bool play_attach(struct player *player, struct content *content)
{
    uint32_t words[2] = {0};
    if (!take_words(player, content, words, sizeof words)) return false;
    struct sch_virgl *virgl = player->virgl;
    if (!words[0] || sch_virgl_map_get(&player->memory, words[0])) return wrong(player, "it has memory");
    void *memory = sch_virgl_alloc(virgl, words[1]);
    if (!memory) return starve(player);
    if (sch_virgl_resource_attach(virgl, words[0], memory, words[1]) != SCH_OK) {
        sch_virgl_free(virgl, memory); /* of a resource that was refused */
        return true;
    }
    if (sch_virgl_map_put(&player->memory, &virgl->memory, words[0], memory)) return true;
    sch_virgl_resource_destroy(virgl, words[0]);
    sch_virgl_free(virgl, memory);
    return starve(player);
}

static bool play_destroy(struct player *player, struct content *content)
{
    uint32_t handle = 0;
    if (!take_words(player, content, &handle, sizeof handle)) return false;
    sch_virgl_resource_destroy(player->virgl, handle);
    sch_virgl_free(player->virgl, sch_virgl_map_remove(&player->memory, handle));
    return true;
}

static bool play_memory(struct player *player, struct content *content)
{
    uint32_t words[2] = {0};
    if (!take_words(player, content, words, sizeof words)) return false;
    const struct sch_virgl_resource *resource = sch_virgl_map_get(&player->virgl->resources, words[0]);
    if (!resource || !resource->memory) return true; /* it was refused */
    if (words[1] > resource->memory_bytes || content->bytes > resource->memory_bytes - words[1])
        return wrong(player, "beyond the memory of the resource");
    memcpy(resource->memory + words[1], content->data, content->bytes);
    return true;
}

static bool play_transfer(struct player *player, struct content *content, bool get)
{
    struct sch_virgl_record_transfer words = {0};
    if (!take_words(player, content, &words, sizeof words)) return false;
    const struct sch_virgl_transfer transfer = {words.resource,  words.level,       words.box,
                                                words.row_bytes, words.layer_bytes, words.offset};
    if (!get)
        sch_virgl_transfer_put(player->virgl, &transfer);
    else
        sch_virgl_transfer_get(player->virgl, &transfer);
    return true;
}

static bool play_submit(struct player *player, const struct content *content)
{
    const size_t count = content->bytes / sizeof(uint32_t);
    uint32_t *words = sch_virgl_alloc(player->virgl, count * sizeof *words);
    if (!words) return starve(player);
    if (count) memcpy(words, content->data, count * sizeof *words);
    sch_virgl_submit(player->virgl, words, count);
    sch_virgl_free(player->virgl, words);
    return true;
}

static bool play_record(struct player *player, uint32_t kind, struct content *content)
{
    switch (kind) {
    case SCH_VIRGL_RECORD_CREATE:
        return play_create(player, content);
    case SCH_VIRGL_RECORD_ATTACH:
        return play_attach(player, content);
    case SCH_VIRGL_RECORD_DESTROY:
        return play_destroy(player, content);
    case SCH_VIRGL_RECORD_MEMORY:
        return play_memory(player, content);
    case SCH_VIRGL_RECORD_PUT:
        return play_transfer(player, content, false);
    case SCH_VIRGL_RECORD_GET:
        return play_transfer(player, content, true);
    case SCH_VIRGL_RECORD_SUBMIT:
        return play_submit(player, content);
    default:
        return wrong(player, "there is no such kind of records");
    }
}

/* ---- a recording ---- */

static bool play_all(struct player *player)
{
    uint32_t version;
    if (player->bytes < SCH_VIRGL_RECORDING_HEADER) return wrong(player, "it is too short");
    if (!sch_virgl_is_recording(player->data, player->bytes, &version)) return wrong(player, "this is not a recording");
    if (version != SCH_VIRGL_RECORDING_VERSION)
        return sch_virgl_refuse(player->virgl, "the recording has version %u, and version %d is read here", version,
                                SCH_VIRGL_RECORDING_VERSION);
    for (player->at = SCH_VIRGL_RECORDING_HEADER; player->at < player->bytes && !player->virgl->stopped;) {
        uint32_t start[2];
        const size_t left = player->bytes - player->at;
        if (left < sizeof start) return wrong(player, "the record is too short");
        memcpy(start, player->data + player->at, sizeof start);
        if (start[1] > left - sizeof start) return wrong(player, "the record ends beyond the file");
        struct content content = {player->data + player->at + sizeof start, start[1]};
        sch_virgl_explain_record(player->virgl, start[0], content.data, content.bytes);
        if (!play_record(player, start[0], &content)) return false;
        const size_t whole = sizeof start + start[1] + -start[1] % 4;
        player->at += whole < left ? whole : left;
    }
    return true;
}

enum sch_result sch_virgl_play(struct sch_virgl *virgl, const void *recording, size_t bytes)
{
    struct player player = {.virgl = virgl, .data = recording, .bytes = bytes};
    uint32_t at = 0;
    sch_virgl_map_init(&player.memory);
    const bool done = play_all(&player);
    /* The client's resources stay, their memory goes. */
    for (uint32_t n = 0; n < player.memory.room; n++)
        if (player.memory.entries[n].key) sch_virgl_detach(virgl, player.memory.entries[n].key);
    for (void *memory; (memory = sch_virgl_map_next(&player.memory, &at));) sch_virgl_free(virgl, memory);
    sch_virgl_map_release(&player.memory, &virgl->memory);
    return done ? SCH_OK : player.starved ? SCH_ERROR_MEMORY : SCH_ERROR_INVALID;
}

void sch_virgl_stop(struct sch_virgl *virgl) { virgl->stopped = true; }
