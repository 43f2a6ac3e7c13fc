/* See session.h. Each message is a row of messages.def and a function here. The words of a message are in memory of the
 * session when they are looked at, where the client cannot change them. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "memories.h"
#include "stream.h"

enum {
    MOST_WORDS = 65 * 1024, /* of a command buffer (Mesa, VIRGL_MAX_CMDBUF_DWORDS and the area of transfers) */
    LINE_BYTES = 400,
    NAME_BYTES = 64, /* of a client's name */
    VERSION = 2,     /* of the protocol: the newest that is agreed to, but for version 0 */
    HEADER_WORDS = 2
};

struct session {
    const struct sch_vtest_session_options *options;
    struct sch_virgl *virgl;
    struct sch_vtest_stream stream;
    struct sch_vtest_memories memories;
    struct sch_vtest_counts counts;
    const char *name; /* of the message */
    bool plain;       /* version 0 of the protocol, whatever is offered */
    bool window;      /* the message made a buffer of a window whose memory is shared */
    uint32_t length;  /* as its header says */
    uint64_t begin;   /* offset of its header */
    enum sch_vtest_end end;
    uint32_t count; /* of the words */
    uint32_t words[MOST_WORDS];
};

/* ---- the log ---- */

static void write_line(const struct session *s, char line[LINE_BYTES], const char *what, const char *reason)
{
    snprintf(line, LINE_BYTES, "message %" PRIu64 " (%s) at byte %" PRIu64 " %s: %s", s->counts.messages, s->name,
             s->begin, what, reason);
    if (s->options->log.write) s->options->log.write(s->options->log.user, line);
}

/* A message, or the client with all that it would have sent, is lost. */
static void __attribute__((format(printf, 5, 0)))
lose(struct session *s, enum sch_virgl_loss loss, uint32_t why, const char *what, const char *format, va_list arguments)
{
    char reason[LINE_BYTES / 2], line[LINE_BYTES];
    struct sch_virgl_losses *losses = s->options->losses;
    vsnprintf(reason, sizeof reason, format, arguments);
    write_line(s, line, what, reason);
    sch_virgl_losses_note(losses, why, line);
    losses->counts[loss]++;
}

/* Says why the message is refused; true: the session continues. */
static bool __attribute__((format(printf, 3, 4))) refuse(struct session *s, uint32_t why, const char *format, ...)
{
    va_list arguments;
    s->counts.refused++;
    va_start(arguments, format);
    lose(s, SCH_VIRGL_LOST_MESSAGE, why, "is refused", format, arguments);
    va_end(arguments);
    return true;
}

/* The same for one that the session ends with: false. */
static bool __attribute__((format(printf, 4, 5)))
stop(struct session *s, enum sch_vtest_end end, uint32_t why, const char *format, ...)
{
    va_list arguments;
    s->end = end;
    va_start(arguments, format);
    lose(s, SCH_VIRGL_LOST_CLIENT, why, "ends the session", format, arguments);
    va_end(arguments);
    return false;
}

static bool cut(struct session *s)
{
    if (s->stream.error == ETIMEDOUT)
        return stop(s, SCH_VTEST_SILENT, SCH_VIRGL_WHY_SILENT, "the first message has not come within %" PRIu32 " s",
                    s->options->first_seconds);
    if (s->stream.error) return stop(s, SCH_VTEST_SILENT, 0, "it cannot be read: %s", strerror(s->stream.error));
    return stop(s, SCH_VTEST_CUT, 0, "the client is gone before its last byte");
}

static bool silent(struct session *s)
{
    if (s->stream.error == EPIPE || s->stream.error == ECONNRESET)
        return stop(s, SCH_VTEST_CUT, 0, "the client is gone before its answer");
    if (s->stream.error == EMFILE) return stop(s, SCH_VTEST_SILENT, 0, "the client does not take what it is sent");
    return stop(s, SCH_VTEST_SILENT, 0, "it cannot be answered: %s", strerror(s->stream.error));
}

/* What virgl says to a call of its, which has counted what is lost and told why. */
static bool result(struct session *s, enum sch_result result)
{
    char line[LINE_BYTES];
    if (result == SCH_OK) return true;
    s->counts.refused++;
    write_line(s, line, "is refused", sch_result_text(result));
    return true;
}

/* ---- answers ---- */

static bool answer(struct session *s, const void *bytes, size_t count)
{
    return sch_vtest_write(&s->stream, bytes, count) || silent(s);
}

static bool ping(struct session *s)
{
    static const uint32_t words[] = {0, 10};
    return answer(s, words, sizeof words);
}

/* Version 1 behaves as version 0 does (virglrenderer, vtest_protocol_version), which is what clients take it for. */
static bool agree_version(struct session *s)
{
    const uint32_t offered = s->words[0], agreed = offered >= VERSION && !s->plain ? VERSION : 0;
    const uint32_t words[] = {1, 11, agreed};
    return answer(s, words, sizeof words);
}

/* Commands are executed when they come: nothing is ever busy. */
static bool busy_wait(struct session *s)
{
    static const uint32_t words[] = {1, 7, 0};
    s->counts.waits++;
    return answer(s, words, sizeof words);
}

/* The header has the bytes and one more, and the version of the capabilities in the place of the message's number. */
static bool get_capabilities(struct session *s, uint32_t version, uint32_t bytes)
{
    struct {
        uint32_t header[HEADER_WORDS];
        uint8_t bytes[SCH_VIRGL_CAPABILITIES_2];
    } reply = {.header = {bytes + 1, version}};
    sch_virgl_get_capabilities(s->virgl, reply.bytes, bytes);
    return answer(s, &reply, sizeof reply.header + bytes);
}

static bool get_capabilities_1(struct session *s) { return get_capabilities(s, 1, SCH_VIRGL_CAPABILITIES_1); }
static bool get_capabilities_2(struct session *s) { return get_capabilities(s, 2, SCH_VIRGL_CAPABILITIES_2); }

/* ---- the client's name ---- */

/* Programs whose windows have one buffer and are never shown. Names come before the question for a version. */
static const char *const unseen[] = {"glxinfo"};

static bool is_plain(const struct session *s, const char *name)
{
    if (s->options->protocol != SCH_VTEST_PROTOCOL_BY_NAME) return s->options->protocol == SCH_VTEST_PROTOCOL_0;
    for (unsigned i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (strcmp(name, unseen[i]) == 0) return true;
    return false;
}

static bool create_renderer(struct session *s)
{
    char name[NAME_BYTES], line[LINE_BYTES];
    const uint32_t kept = s->length < sizeof name - 1 ? s->length : sizeof name - 1;
    bool some;
    if (!sch_vtest_take(&s->stream, name, kept, &some) || !sch_vtest_skip(&s->stream, s->length - kept)) return cut(s);
    name[kept] = 0;
    for (char *c = name; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?'; /* what goes to a terminal */
    s->plain = is_plain(s, name);
    snprintf(line, sizeof line, "the client is %s", *name ? name : "without a name");
    if (s->options->log.write) s->options->log.write(s->options->log.user, line);
    return true;
}

/* ---- resources ---- */

/* The ten words that both messages begin with. */
static bool make_resource(struct session *s)
{
    const uint32_t *w = s->words;
    const struct sch_virgl_resource_options options = {.target = w[1],
                                                       .format = w[2],
                                                       .bind = w[3],
                                                       .width = w[4],
                                                       .height = w[5],
                                                       .depth = w[6],
                                                       .layers = w[7],
                                                       .last_level = w[8],
                                                       .samples = w[9]};
    const enum sch_result made = sch_virgl_resource_create(s->virgl, w[0], &options);
    result(s, made);
    return made == SCH_OK;
}

static bool create_resource(struct session *s)
{
    make_resource(s);
    return true;
}

static bool has_memory(struct session *s, uint32_t handle, size_t bytes, const char *problem)
{
    if (!problem) return true;
    refuse(s, SCH_VIRGL_WHY_MEMORY, "resource %" PRIu32 " gets no memory of %zu bytes: %s", handle, bytes, problem);
    return false;
}

/* Memory of a resource that there is and that has none; `descriptor` -1: private. */
static bool add_memory(struct session *s, uint32_t handle, size_t bytes, int descriptor)
{
    const char *problem = sch_vtest_memory_add(&s->memories, handle, bytes, descriptor);
    if (!has_memory(s, handle, bytes, problem)) return false;
    void *data = sch_vtest_memory_find(&s->memories, handle)->data;
    const enum sch_result attached = sch_virgl_resource_attach(s->virgl, handle, data, bytes);
    if (attached != SCH_OK) sch_vtest_memory_remove(&s->memories, handle);
    result(s, attached);
    return attached == SCH_OK;
}

/* The client waits for a descriptor, and does not continue without one (Mesa ends the program). If the resource or its
 * memory was refused it is one of /dev/zero: what the client maps of it is memory of its own alone. What it does with
 * that is refused, too, as no resource has it. */
static bool refuse_memory(struct session *s)
{
    return sch_vtest_write_descriptor(&s->stream, s->options->zeros) || silent(s);
}

/* Multisampled resources have no memory: transfers do not know them. */
static bool create_resource_2(struct session *s)
{
    enum { BIND = 3, SAMPLES = 9, BYTES = 10 };
    const uint32_t handle = s->words[0], bytes = s->words[BYTES];
    const bool made = make_resource(s);
    if (!bytes) return true;
    if (!made || s->words[SAMPLES] > 1 ||
        !has_memory(s, handle, bytes, sch_vtest_memory_room(&s->memories, bytes, true)))
        return refuse_memory(s);
    const int descriptor = sch_vtest_memory_open(bytes);
    if (descriptor < 0)
        return stop(s, SCH_VTEST_MEMORY, SCH_VIRGL_WHY_MEMORY, "no memory can be shared: %s", strerror(errno));
    const bool added = add_memory(s, handle, bytes, descriptor);
    const bool sent = added ? sch_vtest_write_descriptor(&s->stream, descriptor) || silent(s) : refuse_memory(s);
    close(descriptor);
    s->window = s->words[BIND] & SCH_VIRGL_BIND_DISPLAY_TARGET;
    return sent;
}

static bool destroy_resource(struct session *s)
{
    const enum sch_result destroyed = sch_virgl_resource_destroy(s->virgl, s->words[0]);
    if (destroyed == SCH_OK) sch_vtest_memory_remove(&s->memories, s->words[0]);
    return result(s, destroyed);
}

/* ---- transfers ---- */

static struct sch_virgl_box box_of(const uint32_t *w)
{
    return (struct sch_virgl_box){.x = w[0], .y = w[1], .z = w[2], .width = w[3], .height = w[4], .depth = w[5]};
}

/* Handle, level, box, the bytes of the box (which follow from it), and where in the memory. */
static struct sch_virgl_transfer shared_transfer(const struct session *s)
{
    enum { BOX = 2, OFFSET = 9 };
    return (struct sch_virgl_transfer){
        .resource = s->words[0], .level = s->words[1], .box = box_of(s->words + BOX), .offset = s->words[OFFSET]};
}

static bool transfer_get_2(struct session *s)
{
    const struct sch_virgl_transfer transfer = shared_transfer(s);
    return result(s, sch_virgl_transfer_get(s->virgl, &transfer));
}

static bool transfer_put_2(struct session *s)
{
    const struct sch_virgl_transfer transfer = shared_transfer(s);
    return result(s, sch_virgl_transfer_put(s->virgl, &transfer));
}

/* Protocol 0: handle, level, strides, box, and the bytes that follow the message or are the answer. */
enum { PRIVATE_BOX = 4, PRIVATE_BYTES = 10 };

static struct sch_virgl_transfer private_transfer(const struct session *s)
{
    return (struct sch_virgl_transfer){.resource = s->words[0],
                                       .level = s->words[1],
                                       .row_bytes = s->words[2],
                                       .layer_bytes = s->words[3],
                                       .box = box_of(s->words + PRIVATE_BOX)};
}

/* The memory for the bytes of a transfer, of the size of the whole resource, made when it is first needed. NULL: the
 * message was refused. */
static void *private_memory(struct session *s)
{
    const uint32_t handle = s->words[0], bytes = s->words[PRIVATE_BYTES];
    const uint64_t whole = sch_virgl_resource_bytes(s->virgl, handle);
    if (!whole || bytes > whole) {
        refuse(s, 0, "%" PRIu32 " bytes for resource %" PRIu32 ", which has %" PRIu64, bytes, handle, whole);
        return NULL;
    }
    const struct sch_vtest_memory *memory = sch_vtest_memory_find(&s->memories, handle);
    if (!memory) {
        if (!add_memory(s, handle, (size_t)whole, -1)) return NULL;
        memory = sch_vtest_memory_find(&s->memories, handle);
    }
    if (memory->shared || bytes > memory->bytes) {
        refuse(s, 0, "resource %" PRIu32 " has memory that is shared with the client", handle);
        return NULL;
    }
    return memory->data;
}

static bool transfer_put(struct session *s)
{
    const uint32_t bytes = s->words[PRIVATE_BYTES];
    const struct sch_virgl_transfer transfer = private_transfer(s);
    void *data = private_memory(s);
    bool some;
    if (!data) return sch_vtest_skip(&s->stream, bytes) || cut(s);
    if (!sch_vtest_take(&s->stream, data, bytes, &some)) return cut(s);
    return result(s, sch_virgl_transfer_put(s->virgl, &transfer));
}

/* The client waits for as many bytes as it asked for, whatever comes of it. */
static bool transfer_get(struct session *s)
{
    const uint32_t bytes = s->words[PRIVATE_BYTES];
    const struct sch_virgl_transfer transfer = private_transfer(s);
    void *data = private_memory(s);
    if (!data) return sch_vtest_write_zeros(&s->stream, bytes) || silent(s);
    memset(data, 0, bytes); /* what the strides leave out */
    result(s, sch_virgl_transfer_get(s->virgl, &transfer));
    return answer(s, data, bytes);
}

/* ---- commands ---- */

static bool submit(struct session *s)
{
    s->counts.submits++;
    return result(s, sch_virgl_submit(s->virgl, s->words, s->count));
}

/* ---- messages ---- */

enum framing { FIXED, EXACT, TRAILED, BYTES, STREAM, LATE };

static const struct message {
    uint32_t number;
    const char *name;
    enum framing framing;
    uint32_t words;
    bool (*run)(struct session *s); /* false: the session ends */
} messages[] = {
#define MESSAGE(number, name, framing, words, run) {number, #name, framing, words, run},
#define LATER(number, name)                        {number, #name, LATE, 0, NULL},
#include "messages.def"
#undef MESSAGE
#undef LATER
};

static const struct message *find(uint32_t number)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (messages[i].number == number) return &messages[i];
    return NULL;
}

/* Passes over the words of a message, and continues. */
static bool pass(struct session *s) { return sch_vtest_skip(&s->stream, (uint64_t)s->length * 4) || cut(s); }

static bool take_words(struct session *s, uint32_t count)
{
    bool some;
    s->count = count;
    return sch_vtest_take(&s->stream, s->words, (size_t)count * 4, &some) || cut(s);
}

static bool run_fixed(struct session *s, const struct message *message)
{
    if (s->length == message->words) return take_words(s, message->words) && message->run(s);
    refuse(s, SCH_VIRGL_WHY_MIXED, "its length is %" PRIu32 " words, not %" PRIu32, s->length, message->words);
    return pass(s);
}

/* If the length says something else than the last word, either may be where the next message begins. */
static bool run_trailed(struct session *s, const struct message *message)
{
    if (s->length < message->words) {
        refuse(s, SCH_VIRGL_WHY_MIXED, "its length is %" PRIu32 " words, less than %" PRIu32, s->length,
               message->words);
        return pass(s);
    }
    if (!take_words(s, message->words)) return false;
    const uint32_t bytes = s->words[message->words - 1];
    if (s->length - message->words == (uint32_t)(((uint64_t)bytes + 3) / 4)) return message->run(s);
    return stop(s, SCH_VTEST_LOST, SCH_VIRGL_WHY_MIXED, "%" PRIu32 " bytes of data in a message of %" PRIu32 " words",
                bytes, s->length);
}

static bool run_stream(struct session *s, const struct message *message)
{
    if (s->length <= MOST_WORDS) return take_words(s, s->length) && message->run(s);
    refuse(s, SCH_VIRGL_WHY_MIXED, "its length is %" PRIu32 " words, more than %u", s->length, (unsigned)MOST_WORDS);
    return pass(s);
}

static bool run(struct session *s, const struct message *message)
{
    switch (message->framing) {
    case FIXED:
        return run_fixed(s, message);
    case EXACT:
        return take_words(s, message->words) && message->run(s);
    case TRAILED:
        return run_trailed(s, message);
    case BYTES:
        return message->run(s);
    case STREAM:
        return run_stream(s, message);
    case LATE:
        break;
    }
    refuse(s, 0, "it belongs to a later version of the protocol than was agreed");
    return pass(s);
}

static void note_busy(const struct session *s, bool busy)
{
    if (s->options->busy) atomic_store_explicit(s->options->busy, busy, memory_order_relaxed);
}

/* False: what the client has left behind is given up. */
static bool is_wanted(struct session *s)
{
    if (!s->options->gone || !__atomic_load_n(s->options->gone, __ATOMIC_RELAXED)) return true;
    return stop(s, SCH_VTEST_CUT, 0, "the client is gone, and what it has left takes too long");
}

/* One message. False: the session ends. */
static bool step(struct session *s)
{
    uint32_t header[HEADER_WORDS];
    bool some;
    s->begin = s->stream.offset;
    s->name = "header";
    s->counts.messages++;
    note_busy(s, sch_vtest_is_ready(&s->stream));
    const bool there = sch_vtest_take(&s->stream, header, sizeof header, &some);
    note_busy(s, true);
    if (!there) {
        if (some || s->stream.error) cut(s);
        if (s->window) s->options->losses->why |= SCH_VIRGL_WHY_WINDOW;
        s->counts.messages -= !some;
        return false;
    }
    s->window = false;
    const struct message *message = find(header[1]);
    s->length = header[0];
    s->name = message ? message->name : "unknown";
    if (!message) return stop(s, SCH_VTEST_LOST, SCH_VIRGL_WHY_MIXED, "there is no message %" PRIu32, header[1]);
    const bool goes_on = run(s, message);
    s->stream.until_ms = 0; /* a program that has begun may pause for as long as it likes */
    return goes_on && is_wanted(s);
}

enum sch_vtest_end sch_vtest_session(int connection, const struct sch_vtest_session_options *options,
                                     struct sch_vtest_counts *counts)
{
    const struct sch_allocator *memory = options->memory;
    struct session *s = memory->alloc(memory->user, sizeof *s);
    if (counts) *counts = (struct sch_vtest_counts){0};
    if (!s) {
        sch_virgl_losses_note(options->losses, SCH_VIRGL_WHY_MEMORY, "there is no memory to serve the client");
        options->losses->counts[SCH_VIRGL_LOST_CLIENT]++;
        return SCH_VTEST_MEMORY;
    }
    memset(s, 0, sizeof *s);
    s->options = options;
    s->plain = options->protocol == SCH_VTEST_PROTOCOL_0;
    s->virgl = options->virgl;
    s->stream.connection = connection;
    if (options->first_seconds) s->stream.until_ms = sch_vtest_now_ms() + options->first_seconds * UINT64_C(1000);
    sch_vtest_memories_init(&s->memories, memory, options->shared_bytes, &options->addresses);
    while (step(s)) continue;
    s->counts.bytes = s->stream.offset;
    const enum sch_vtest_end end = s->end;
    if (counts) *counts = s->counts;
    uint32_t at = 0;
    for (const struct sch_vtest_memory *left; (left = sch_vtest_memory_next(&s->memories, &at));)
        sch_virgl_resource_destroy(s->virgl, left->handle);
    sch_vtest_memories_release(&s->memories);
    memory->free(memory->user, s);
    return end;
}
