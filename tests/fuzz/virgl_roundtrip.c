/* Recordings of the virgl protocol, played, recorded, cut and joined: see virgl_roundtrip.h. */
#include "virgl_roundtrip.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/virgl/virgl.h"

enum { MEMORY = 8 << 20, WORK = 20000, MOST_FRAMES = 64, MOST_RECORDED = 1 << 20, HEAT_SIDE = 16, HANDLES = 16 };
/* Of a draw, and of all that a recording says: what takes longer is ended, and not compared. */
enum { DEADLINE_MS = 500, PATIENCE_S = 4 };

/* What a sink was given. */
struct written {
    uint8_t *data;
    size_t bytes;
    bool full;
};

struct play {
    unsigned lines, frames;
    uint32_t cancel;
    time_t begin;
    bool late;     /* something was ended early, at a moment that is another every time */
    uint64_t hash; /* FNV-1a of all frames and of what was read */
    enum sch_result result;
    struct sch_virgl *virgl;
    struct sch_virgl_counts counts;
    struct sch_heat heat;
    uint64_t covered[HEAT_SIDE * HEAT_SIDE], instructions[HEAT_SIDE * HEAT_SIDE];
};

/* How a recording is played. */
struct way {
    uint32_t threads, width;
    bool looks_on;           /* explained, and at each draw what happens at its pixels is counted */
    struct written *written; /* it is recorded there; NULL: it is not */
};

static void hear(void *user, const char *line)
{
    struct play *play = user;
    play->lines += line[0] != 0;
    play->cancel |= time(NULL) - play->begin > PATIENCE_S;
}

static void add(struct play *play, const void *data, size_t bytes)
{
    const uint8_t *texels = data;
    for (size_t n = 0; n < bytes; n++) play->hash = (play->hash ^ texels[n]) * 1099511628211u;
}

static void look(void *user, const struct sch_virgl_frame *frame)
{
    struct play *play = user;
    add(play, frame->texels, frame->bytes);
    if (++play->frames == MOST_FRAMES) sch_virgl_stop(play->virgl);
}

static void read_box(void *user, const struct sch_virgl_read *read)
{
    add(user, &read->width, sizeof read->width);
    add(user, &read->format, sizeof read->format);
}

static bool write_bytes(void *user, const void *data, size_t bytes)
{
    struct written *written = user;
    written->full |= bytes > MOST_RECORDED - written->bytes;
    if (written->full) return false;
    memcpy(written->data + written->bytes, data, bytes);
    written->bytes += bytes;
    return true;
}

static const struct sch_heat *count(void *user, const struct sch_virgl_drawing *drawing)
{
    struct play *play = user;
    if (!drawing->buffers[0].resource) return NULL;
    play->heat = (struct sch_heat){.size = sizeof play->heat,
                                   .width = HEAT_SIDE,
                                   .height = HEAT_SIDE,
                                   .covered = play->covered,
                                   .instructions = play->instructions};
    return &play->heat;
}

static void watch(struct play *play, const struct way *way, const struct sch_virgl_log *log)
{
    const struct sch_virgl_frame_callbacks audience = {.show = look, .user = play, .read = read_box};
    const struct sch_virgl_draw_callbacks onlooker = {.user = play, .count = count};
    sch_virgl_set_frame_callbacks(play->virgl, &audience);
    if (way->looks_on) sch_virgl_explain(play->virgl, log);
    if (way->looks_on) sch_virgl_set_draw_callbacks(play->virgl, &onlooker);
    if (way->written) sch_virgl_record(play->virgl, &(struct sch_virgl_sink){write_bytes, way->written});
}

/* What it can be asked: all of it is part of the sum. */
static void ask(struct play *play)
{
    const struct sch_virgl_losses losses = sch_virgl_get_losses(play->virgl);
    uint8_t capabilities[SCH_VIRGL_CAPABILITIES_2];
    sch_virgl_get_capabilities(play->virgl, capabilities, sizeof capabilities);
    add(play, capabilities, sizeof capabilities);
    for (unsigned n = 0; n < SCH_VIRGL_LOSSES; n++) {
        const char *name = sch_virgl_loss_name((enum sch_virgl_loss)n, losses.counts[n]);
        add(play, name, strlen(name));
    }
    for (uint32_t handle = 0; handle < HANDLES; handle++) {
        const uint64_t bytes = sch_virgl_resource_bytes(play->virgl, handle);
        add(play, &bytes, sizeof bytes);
        play->hash += sch_virgl_resource_get(play->virgl, handle) != NULL;
    }
}

static bool run(const uint8_t *data, size_t bytes, const struct way *way, struct play *play)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = MEMORY, .context_memory = 2 * MEMORY};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context;
    *play = (struct play){.hash = 14695981039346656037u, .begin = time(NULL)};
    if (sch_context_create(&options, &context) != SCH_OK) return false;
    const struct sch_virgl_options wanted = {.context = context,
                                             .engine = SCH_ENGINE_INTERPRETER,
                                             .width = way->width,
                                             .threads = way->threads,
                                             .deadline_ms = DEADLINE_MS,
                                             .cancel = &play->cancel,
                                             .work = WORK,
                                             .keeps_shaders = way->looks_on,
                                             .log = {hear, play}};
    const bool made = sch_virgl_create(&wanted, &play->virgl) == SCH_OK;
    if (made) {
        watch(play, way, &wanted.log);
        play->result = sch_virgl_play(play->virgl, data, bytes);
        play->counts = sch_virgl_get_counts(play->virgl);
        play->late = play->cancel || sch_virgl_get_losses(play->virgl).why & SCH_VIRGL_WHY_DEADLINE;
        ask(play);
        sch_virgl_destroy(play->virgl);
    }
    sch_context_destroy(context);
    return made;
}

static bool differ(const struct play *one, const struct play *other)
{
    if (one->late || other->late) return false;
    return one->result != other->result || one->frames != other->frames || one->hash != other->hash;
}

/* ---- other recordings of the same ---- */

/* A recording without what it does not say: memory that no command reads, and words that make no whole command. */
static const char *check_recorded(const struct written *written, const struct play *was)
{
    static const struct way again = {.threads = 1, .width = 8};
    struct play play;
    if (written->full || was->result != SCH_OK || !run(written->data, written->bytes, &again, &play)) return NULL;
    if (play.result == SCH_ERROR_MEMORY || play.late || was->late) return NULL;
    if (play.result != SCH_OK) return "what is recorded cannot be played";
    return play.frames == was->frames && play.counts.draws == was->counts.draws ? NULL : "what is recorded is another";
}

static bool take_piece(void *user, const struct sch_virgl_piece *piece)
{
    struct written *pieces = user; /* whose data are pieces */
    return write_bytes(pieces, piece, sizeof *piece);
}

static const char *check_joined(const uint8_t *data, size_t bytes, struct written *written)
{
    struct written pieces = {.data = malloc(MOST_RECORDED)};
    const struct sch_virgl_cutter cutter = {take_piece, &pieces};
    const char *finding = NULL;
    if (pieces.data && sch_virgl_cut(data, bytes, &cutter)) {
        struct written joined[2] = {*written, {.data = malloc(MOST_RECORDED)}};
        struct written again = {.data = malloc(MOST_RECORDED)};
        const struct sch_virgl_cutter cutter_again = {take_piece, &again};
        joined[0].bytes = 0;
        const bool has_memory = joined[1].data && again.data;
        if (has_memory &&
            sch_virgl_join((void *)pieces.data, pieces.bytes / sizeof(struct sch_virgl_piece),
                           &(struct sch_virgl_sink){write_bytes, &joined[0]}) &&
            (!sch_virgl_cut(joined[0].data, joined[0].bytes, &cutter_again) ||
             (sch_virgl_join((void *)again.data, again.bytes / sizeof(struct sch_virgl_piece),
                             &(struct sch_virgl_sink){write_bytes, &joined[1]}) &&
              (joined[0].bytes != joined[1].bytes || memcmp(joined[0].data, joined[1].data, joined[0].bytes) != 0))))
            finding = "pieces that are joined are not cut into the same pieces";
        free(joined[1].data);
        free(again.data);
    }
    free(pieces.data);
    return finding;
}

const char *sch_fuzz_recording(const uint8_t *data, size_t bytes)
{
    struct written written = {.data = malloc(MOST_RECORDED)};
    const struct way first = {.threads = 1, .width = 8, .written = &written};
    const struct way second = {.threads = 2, .width = 4, .looks_on = true};
    struct play one, other;
    const char *finding = NULL;
    if (written.data && run(data, bytes, &first, &one) && run(data, bytes, &second, &other)) {
        if (one.result != SCH_OK && !one.lines)
            finding = "a recording that is refused without a reason";
        else if (differ(&one, &other))
            finding = "two plays of a recording differ";
        if (!finding) finding = check_recorded(&written, &one);
        if (!finding) finding = check_joined(data, bytes, &written);
    }
    free(written.data);
    return finding;
}
