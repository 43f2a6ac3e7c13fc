/* Fuzz target: what a client sends over the vtest socket, with a virgl that only notes its calls. What is checked: the
 * session ends, holds nothing then, has counted what was sent and no more, and has left no descriptor open. */
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../src/vtest/session.h"
#include "fuzz.h"

enum { SHARED_BYTES = 1 << 20, MOST = 1 << 17, SOCKET_BYTES = 1 << 20, LINE = 400 };

static const char *fault; /* of what was logged */

static void check_line(void *user, const char *line)
{
    (void)user;
    if (strlen(line) >= LINE) fault = "a line of the log that is too long";
    for (; *line; line++)
        if (*line < ' ' || *line > '~') fault = "a line of the log that is no plain text";
}

/* The number of the next descriptor: more than before if some was left open. */
static int next_descriptor(void)
{
    const int next = dup(STDERR_FILENO);
    close(next);
    return next;
}

/* Writes all, and nothing comes behind it. False: the system takes no more. */
static bool prepare(int ends[2], const uint8_t *data, size_t bytes)
{
    const int room = SOCKET_BYTES;
    const struct timeval moment = {.tv_usec = 1000}; /* answers that nobody reads do not wait for long */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &moment, sizeof moment);
    const bool sent = send(ends[0], data, bytes, MSG_DONTWAIT) == (ssize_t)bytes;
    return sent && shutdown(ends[0], SHUT_WR) == 0;
}

static const char *serve(int connection, struct sch_context *context, size_t bytes)
{
    struct sch_context_memory before = {.size = sizeof before}, after = {.size = sizeof after};
    struct sch_vtest_counts counts;
    struct sch_virgl_losses losses = {.why = 0};
    struct sch_virgl *virgl;
    if (sch_virgl_create(&(struct sch_virgl_options){.context = context}, &virgl) != SCH_OK) return NULL;
    if (sch_context_get_memory(context, &before) != SCH_OK) fault = "a context without memory";
    const struct sch_vtest_session_options options = {.virgl = virgl,
                                                      .memory = &before.memory,
                                                      .shared_bytes = SHARED_BYTES,
                                                      .log = {check_line, NULL},
                                                      .losses = &losses};
    const enum sch_vtest_end end = sch_vtest_session(connection, &options, &counts);
    sch_context_get_memory(context, &after);
    sch_virgl_destroy(virgl);
    if (after.held != before.held) return "memory is held after the session";
    if (counts.bytes > bytes) return "more bytes than were sent";
    if (end == SCH_VTEST_CLOSED && counts.bytes != bytes) return "bytes that were sent were not read";
    if ((end != SCH_VTEST_CLOSED) != (losses.counts[SCH_VIRGL_LOST_CLIENT] == 1))
        return "a client that is lost is not counted";
    if (sch_virgl_losses_any(&losses) != (losses.first[0] != 0)) return "what is lost has no reason";
    return fault;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct sch_context *context;
    int ends[2] = {-1, -1};
    const int before = next_descriptor();
    fault = NULL;
    if (bytes > MOST || sch_context_create(NULL, &context) != SCH_OK) return NULL;
    const char *found = prepare(ends, data, bytes) ? serve(ends[1], context, bytes) : NULL;
    for (unsigned i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
    sch_context_destroy(context);
    return found ? found : next_descriptor() != before ? "a descriptor is left open" : NULL;
}

SCH_FUZZ_TARGET
