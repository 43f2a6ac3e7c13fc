/* Fuzz target: recordings of clients of the virgl protocol, played with small limits: what the stream and the
 * transfers of a hostile client may say. What is checked: a recording that is refused has a reason in the log; two
 * plays, of different widths and numbers of threads, show the same frames; nothing is held afterwards. */
#include <string.h>

#include "../../src/virgl/virgl.h"
#include "fuzz.h"

enum { MEMORY = 8 << 20, WORK = 20000, MOST = 1 << 16 };

struct play {
    unsigned lines, frames;
    uint64_t hash; /* FNV-1a of all frames */
    enum sch_result result;
};

static void hear(void *user, const char *line)
{
    struct play *play = user;
    play->lines += line[0] != 0;
}

static void look(void *user, const struct sch_virgl_frame *frame)
{
    struct play *play = user;
    const uint8_t *texels = frame->texels;
    play->frames++;
    for (size_t n = 0; n < frame->bytes; n++) play->hash = (play->hash ^ texels[n]) * 1099511628211u;
}

static bool run(const uint8_t *data, size_t bytes, uint32_t threads, uint32_t width, struct play *play)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = MEMORY, .context_memory = 2 * MEMORY};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    const struct sch_virgl_audience audience = {.show = look, .user = play};
    struct sch_context *context;
    struct sch_virgl *virgl;
    *play = (struct play){.hash = 14695981039346656037u};
    if (sch_context_create(&options, &context) != SCH_OK) return false;
    const struct sch_virgl_options wanted = {.context = context,
                                             .engine = SCH_ENGINE_INTERPRETER,
                                             .width = width,
                                             .threads = threads,
                                             .work = WORK,
                                             .log = {hear, play}};
    const bool made = sch_virgl_create(&wanted, &virgl) == SCH_OK;
    if (made) sch_virgl_watch(virgl, &audience);
    if (made && threads > 1) sch_virgl_explain(virgl, &wanted.log);
    if (made) play->result = sch_virgl_play(virgl, data, bytes);
    if (made) sch_virgl_destroy(virgl);
    sch_context_destroy(context);
    return made;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct play one, other;
    if (bytes > MOST || !run(data, bytes, 1, 8, &one) || !run(data, bytes, 2, 4, &other)) return NULL;
    if (one.result != SCH_OK && !one.lines) return "a recording that is refused without a reason";
    if (one.result != other.result || one.frames != other.frames || one.hash != other.hash)
        return "two plays of a recording differ";
    return NULL;
}

SCH_FUZZ_TARGET
